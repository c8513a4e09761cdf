//! Generates boards: the wires form a spanning tree, and every tile is turned at random.

use super::options::{Layout, Options};
use super::{LightEmAll, solve, unique};
use crate::core::game::Game;
use crate::core::rng::mix;
use crate::core::shared_budget::share_within;
use crate::core::{Budget, Error, Status, counted, memory, pool};
use crate::graph::random::{self, Method};
use crate::graph::{Lattice, Weights};

/// A new board with the wiring that it was made from.
#[derive(Clone, Debug)]
pub struct NewBoard {
    /// The board to play, scrambled if [`Options::scramble`] is set.
    pub game: LightEmAll,
    /// The masks of wires before the tiles were turned, row-major.
    pub solved: Vec<u8>,
    /// The fewest clockwise turns, summed over all tiles, that lead back to `solved`.
    pub par: u64,
    /// The seed from which [`generate`] made the board, to be passed to [`tree`].
    pub seed: u64,
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const BOARD: &str = "a board of this size";

/// Generates a board. The board depends only on `options` and `seed`, not on the platform or the number of threads; any
/// `seed` is valid.
///
/// # Errors
/// Returns [`Error::Invalid`] if [`Options::check`] fails, [`Error::NotFound`] if `unique` is set and no board with
/// exactly one solution was found, [`Error::Limit`] if the budget runs out, [`Error::Interrupted`] if its watcher ends
/// the call, and [`Error::Memory`] if the board is too large.
pub fn generate(options: &Options, seed: u64, budget: &mut Budget<'_>) -> Result<NewBoard, Error> {
    options.check()?;
    let lattice = options.lattice;
    memory::probe(lattice.len() * memory::PER_CELL, BOARD)?;
    let (solved, station) = match options.layout {
        Layout::Tree(method) if options.unique => (unique::wires(options, method, seed, budget)?, 0),
        Layout::Tree(method) => (random::wires(lattice, method, options.bias, seed, budget)?, 0),
        Layout::Rows | Layout::Columns => {
            budget.spend(lattice.len() as u64)?;
            (fixed_wires(&lattice, options.layout), lattice.height / 2 * lattice.width + lattice.width / 2)
        }
    };
    let game = scrambled(options, &solved, station, seed)?;
    let fewest = |(&from, &to)| u64::from(solve::turns_between(&lattice, from, to).unwrap_or(0));
    let par = game.wires.iter().zip(&solved).map(fewest).sum();
    Ok(NewBoard { game, solved, par, seed })
}

/// The largest number of boards that are tried in the search for one of a given grade.
const MAX_TRIED: u64 = 1 << 17;

/// The number of steps after which the search for a board of a given grade gives up: 2 to 15 seconds of work.
const MAX_WORK: u64 = 1 << 24;

/// Generates a board with exactly one solution and a given grade: tries boards of different seeds, which are derived
/// from `seed` alone, and returns the first board of that grade.
///
/// * `options`: as for [`generate`]; `unique` and `scramble` are treated as set
/// * `grade`: 1 (trivial) to 5 (fiendish); for any other number no board is found
/// * `seed`: any number
///
/// # Errors
/// Returns [`Error::Invalid`] if [`Options::check`] fails, [`Error::Limit`] if no board of the grade was found in 2^17
/// attempts or 2^24 steps, or if the budget, which counts steps, runs out, [`Error::Interrupted`] if its watcher ends
/// the call, and [`Error::Memory`] if the board is too large.
pub fn generate_graded(options: &Options, grade: u8, seed: u64, budget: &mut Budget<'_>) -> Result<NewBoard, Error> {
    let options = Options { unique: true, scramble: true, ..*options };
    options.check()?;
    // Boards are tried in groups, 16 per thread. The first board of the grade in the order of attempts is returned, so
    // that the result does not depend on the number of threads.
    let threads = pool::threads();
    let group = 16 * threads as u64;
    let (mut first, mut work) = (0, 0);
    while first < MAX_TRIED {
        let mut found: Vec<Attempt> =
            (first..MAX_TRIED.min(first + group)).map(|number| Attempt { number, made: Ok(None), work: 0 }).collect();
        // An attempt that takes more steps than are left ends the call when its steps are spent, if not before.
        let limit = budget.left().min(MAX_WORK / 16);
        share_within(threads, found.iter_mut().collect(), limit, budget, |attempt: &mut Attempt, own| {
            attempt.run(&options, grade, seed, own);
        })?;
        for attempt in found {
            budget.spend(attempt.work)?;
            work += attempt.work;
            match attempt.made {
                Ok(Some(board)) => return Ok(board),
                // An attempt that fails or takes too long is passed over like a board of another grade.
                Ok(None) | Err(Error::NotFound(_) | Error::Limit(_)) => {}
                Err(error) => return Err(error),
            }
            if work > MAX_WORK {
                return Err(none_of(&options, grade, attempt.number + 1));
            }
        }
        first += group;
    }
    Err(none_of(&options, grade, MAX_TRIED))
}

/// Returns the error for a grade that none of the boards tried has.
fn none_of(options: &Options, grade: u8, tries: u64) -> Error {
    let (height, width) = (options.lattice.height, options.lattice.width);
    let attempts = counted(tries, "attempts");
    Error::Limit(format!(
        "no {height} x {width} board of grade {grade} found in {attempts}; a board of another size may have this grade"
    ))
}

/// One attempt to generate a board of a given grade.
struct Attempt {
    /// The number of attempts before this one.
    number: u64,
    /// The board; `None` if it has another grade, or before the attempt is run.
    made: Result<Option<NewBoard>, Error>,
    /// The number of steps that the attempt took.
    work: u64,
}

impl Attempt {
    /// Generates and grades the board of this attempt, with a budget of its own.
    fn run(&mut self, options: &Options, grade: u8, seed: u64, budget: &mut Budget<'_>) {
        let seed = mix(seed ^ mix(self.number));
        self.made = generate(options, seed, budget).and_then(|board| {
            let effort = board.game.effort(budget)?;
            Ok(effort.filter(|effort| effort.grade() == grade).map(|_| board))
        });
        // The budget does not count all the work of generating a board, so one step per tile is added.
        self.work = budget.spent() + options.lattice.len() as u64;
    }
}

/// Creates the game of a wiring. If [`Options::scramble`] is set, scrambles the wiring until the game is not won at the
/// start, unless the board has one tile and is thus always won.
fn scrambled(options: &Options, solved: &[u8], station: usize, seed: u64) -> Result<LightEmAll, Error> {
    let lattice = options.lattice;
    let radius = if options.limited_radius {
        let whole = LightEmAll::new(lattice, solved.to_vec(), station, None)?;
        whole.diameter().map(|diameter| diameter / 2 + 1)
    } else {
        None
    };
    let mut attempt = 0;
    loop {
        let mut wires = solved.to_vec();
        if options.scramble {
            scramble(&lattice, solved, &mut wires, seed, attempt);
        }
        let game = LightEmAll::new(lattice, wires, station, radius)?;
        if !options.scramble || lattice.len() == 1 || game.status() != Status::Won {
            return Ok(game);
        }
        attempt += 1;
    }
}

/// Writes to `wires` the masks of `solved`, each turned 0 to `sides - 1` times. The number of turns is drawn from a
/// hash of the seed, the attempt and the tile's index, and all numbers are equally likely.
fn scramble(lattice: &Lattice, solved: &[u8], wires: &mut [u8], seed: u64, attempt: u64) {
    let key = mix(seed ^ 0x7363_7261_6d62_6c65).wrapping_add(mix(attempt));
    if lattice.hexagonal { turn_all::<6>(key, solved, wires) } else { turn_all::<4>(key, solved, wires) }
}

/// Turns each tile of `solved` at random and writes the masks to `wires`.
fn turn_all<const SIDES: u32>(key: u64, solved: &[u8], wires: &mut [u8]) {
    for (tile, (to, &from)) in wires.iter_mut().zip(solved).enumerate() {
        // The high half of a product maps a hash evenly onto 0..SIDES.
        let turns = ((u128::from(mix(key ^ tile as u64)) * u128::from(SIDES)) >> 64) as u32;
        // Rotates the mask of SIDES bits: bits shifted out at the top come back at the bottom.
        let mask = u32::from(from);
        *to = ((mask << turns | mask >> (SIDES - turns)) & ((1 << SIDES) - 1)) as u8;
    }
}

/// Returns the wires of a fixed layout: rows (or columns) of wire, joined by the middle column (or row).
fn fixed_wires(lattice: &Lattice, layout: Layout) -> Vec<u8> {
    let mut wires = vec![0; lattice.len()];
    let (height, width) = (lattice.height, lattice.width);
    let mut join = |row: usize, col: usize, side: usize| {
        if let Some((r, c)) = lattice.beyond(row, col, side) {
            wires[row * width + col] |= 1 << side;
            wires[r * width + c] |= 1 << lattice.opposite(side);
        }
    };
    for row in 0..height {
        for col in 0..width {
            let lines_are_rows = layout == Layout::Rows;
            if col + 1 < width && (lines_are_rows || row == height / 2) {
                join(row, col, 1);
            }
            if row + 1 < height && (!lines_are_rows || col == width / 2) {
                // On hexagons a column zigzags: to the lower right from even rows, to the lower left from odd ones.
                join(row, col, if lattice.hexagonal { 2 + row % 2 } else { 2 });
            }
        }
    }
    wires
}

/// Returns the edges of a solved wiring as pairs of tiles, in the order in which the method of the layout adds them.
///
/// * `options`: the options that made the board
/// * `solved`: the masks of the wiring, [`NewBoard::solved`]
/// * `seed`: the seed of the board, [`NewBoard::seed`]
///
/// The order is that of Kruskal's algorithm for the fixed layouts, and also if `unique` is set, because ambiguous
/// places may then have been rewired. For a board of [`generate_graded`], `unique` must be set.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts tiles or steps of the method, ends
/// the call, and [`Error::Memory`] if the board is too large.
pub fn tree(options: &Options, solved: &[u8], seed: u64, budget: &mut Budget<'_>) -> Result<Vec<[u32; 2]>, Error> {
    match options.layout {
        Layout::Tree(method) if method != Method::Kruskal && !options.unique => {
            random::tree(options.lattice, method, options.bias, seed, budget)
        }
        _ => crate::graph::board::by_weight(options.lattice, &Weights::new(seed, options.bias), solved, budget),
    }
}

/// Generates boards, board `i` from the seed `seed + i` (modulo 2^64), and writes the codes that a player sees into
/// `boards`, row-major, one board after the other. `boards` holds one byte per tile of each board; bytes after the last
/// whole board stay unchanged. The budget counts what [`generate`] counts: tiles, or steps of the method or search.
///
/// # Errors
/// Returns the errors of [`generate`]; some boards may have been written by then.
pub fn generate_many(options: &Options, seed: u64, boards: &mut [u8], budget: &mut Budget<'_>) -> Result<(), Error> {
    options.check()?;
    let cells = options.lattice.len();
    if cells >= 1 << 16 {
        // Large boards are generated one by one. Each takes so long that the watcher of the budget is called meanwhile,
        // and Kruskal's algorithm uses all threads for one board.
        for (i, board) in boards.chunks_exact_mut(cells).enumerate() {
            generate(options, seed.wrapping_add(i as u64), budget)?.game.write_board(board);
        }
        return Ok(());
    }
    // Small boards are generated in pieces of about 2^16 tiles, one piece per thread at a time.
    let size = (1 << 16) / cells + 1;
    let threads = pool::threads();
    for (k, group) in boards.chunks_mut(cells * size * threads).enumerate() {
        memory::probe(threads * cells * memory::PER_CELL, BOARD)?;
        let mut pieces: Vec<_> =
            group.chunks_mut(cells * size).map(|boards| Piece { boards, made: Ok(()), work: 0 }).collect();
        let numbered = pieces.iter_mut().enumerate().collect();
        share_within(threads, numbered, budget.left(), budget, |(j, piece): (usize, &mut Piece<'_>), own| {
            piece.run(options, seed.wrapping_add(((k * threads + j) * size) as u64), own);
        })?;
        for piece in pieces {
            budget.spend(piece.work)?;
            piece.made?;
        }
    }
    Ok(())
}

/// A piece of the boards of [`generate_many`], all generated by one thread.
struct Piece<'a> {
    /// The codes of the boards.
    boards: &'a mut [u8],
    /// The error of the first board that cannot be generated; the boards after it are not written.
    made: Result<(), Error>,
    /// The work that the boards took.
    work: u64,
}

impl Piece<'_> {
    /// Generates the boards, the first one from `seed`, with a budget of its own.
    fn run(&mut self, options: &Options, seed: u64, budget: &mut Budget<'_>) {
        self.made = self.generate(options, seed, budget);
        self.work = budget.spent();
    }

    fn generate(&mut self, options: &Options, seed: u64, budget: &mut Budget<'_>) -> Result<(), Error> {
        let cells = options.lattice.len();
        let (mut scratch, mut solved) = (crate::graph::board::Scratch::default(), vec![0; cells]);
        for (i, board) in self.boards.chunks_exact_mut(cells).enumerate() {
            let seed = seed.wrapping_add(i as u64);
            let game = if matches!(options.layout, Layout::Tree(Method::Kruskal)) && !options.unique {
                let weights = Weights::new(seed, options.bias);
                solved.fill(0);
                crate::graph::board::kruskal(options.lattice, &weights, &mut scratch, &mut solved, budget)?;
                scrambled(options, &solved, 0, seed)?
            } else {
                generate(options, seed, budget)?.game
            };
            game.write_board(board);
        }
        Ok(())
    }
}
