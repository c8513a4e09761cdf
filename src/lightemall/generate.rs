//! New boards: a spanning tree as wires, every tile turned at random.

use super::{LightEmAll, solve, unique};
use crate::core::game::Game;
use crate::core::rng::mix;
use crate::core::text::check_size;
use crate::core::{Budget, Error, Status};
use crate::graph::random::{self, Method};
use crate::graph::{Lattice, Weights};

/// How the wires of a new board are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A random spanning tree; the station begins at (0, 0).
    Tree(Method),
    /// Made by hand: a line along every row, joined by one column in the middle; the station begins in the middle.
    Rows,
    /// Made by hand: a line along every column, joined by one row in the middle; the station begins in the middle.
    Columns,
}

impl Layout {
    /// All names of layouts.
    pub fn names() -> Vec<&'static str> {
        Method::ALL.iter().map(|(name, _)| *name).chain(["rows", "columns"]).collect()
    }

    /// Gives the layout of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "rows" => Some(Self::Rows),
            "columns" => Some(Self::Columns),
            _ => Method::named(name).map(Self::Tree),
        }
    }
}

/// What a new board is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Size, shape of the tiles, borders.
    pub lattice: Lattice,
    /// How the wires are laid.
    pub layout: Layout,
    /// From -1 to 1, both excluded: above 0 prefers horizontal wires, below 0 the others.
    pub bias: f64,
    /// Whether the station's radius is limited.
    pub limited_radius: bool,
    /// Whether the board is to have one solution only. Ambiguous places are laid anew, so the tree is no longer quite the
    /// one of its method: small ambiguous patterns are missing.
    pub unique: bool,
    /// Whether tiles are turned at random.
    pub scramble: bool,
}

impl Options {
    /// The plain board of a size: Kruskal, squares, no limits, turned.
    pub fn new(height: usize, width: usize) -> Self {
        Self {
            lattice: Lattice::square(height, width),
            layout: Layout::Tree(Method::Kruskal),
            bias: 0.0,
            limited_radius: false,
            unique: false,
            scramble: true,
        }
    }

    /// Says what is wrong with the options.
    ///
    /// # Errors
    /// A size or bias out of range, hexagons that do not close, a hand-made board that is to have one solution.
    pub fn check(&self) -> Result<(), Error> {
        let (height, width) = (self.lattice.height, self.lattice.width);
        check_size(height, width)?;
        self.lattice.check()?;
        if !(-1.0 < self.bias && self.bias < 1.0) {
            return Err(Error::Invalid(format!("bias {}, wanted a number between -1 and 1", self.bias)));
        }
        if self.unique && !matches!(self.layout, Layout::Tree(_)) {
            return Err(Error::Invalid(
                "a hand-made board with unique solution, wanted a method that can lay places anew".to_owned(),
            ));
        }
        Ok(())
    }
}

/// A new board with the wiring it was made from.
#[derive(Clone, Debug)]
pub struct Made {
    /// The board to play.
    pub game: LightEmAll,
    /// The masks of wires before the tiles were turned, row-major.
    pub solved: Vec<u8>,
    /// The fewest turns back to that wiring.
    pub par: u64,
}

/// Makes a new board; the same options and seed give the same board everywhere.
///
/// # Errors
/// The budget's end; [`Error::Limit`] with a sentence where the options are wrong, or where no board of this size was
/// found that has one solution only.
pub fn generate(options: &Options, seed: u64, budget: &mut Budget<'_>) -> Result<Made, Error> {
    options.check()?;
    let lattice = options.lattice;
    let (solved, station) = match options.layout {
        Layout::Tree(_) if options.unique => (unique::wires(options, seed, budget)?, 0),
        Layout::Tree(method) => (random::wires(lattice, method, options.bias, seed, budget)?, 0),
        Layout::Rows | Layout::Columns => {
            (by_hand(&lattice, options.layout), lattice.height / 2 * lattice.width + lattice.width / 2)
        }
    };
    let game = scrambled(options, &solved, station, seed)?;
    let fewest = |(&from, &to)| u64::from(solve::turns_between(&lattice, from, to).unwrap_or(0));
    let par = game.wires.iter().zip(&solved).map(fewest).sum();
    Ok(Made { game, solved, par })
}

/// Makes the game of a wiring: its tiles turned at random where that is wanted, again where it would be won.
fn scrambled(options: &Options, solved: &[u8], station: usize, seed: u64) -> Result<LightEmAll, Error> {
    let lattice = options.lattice;
    let reach = if options.limited_radius {
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
        let game = LightEmAll::new(lattice, wires, station, reach)?;
        if !options.scramble || lattice.len() == 1 || game.status() != Status::Won {
            return Ok(game);
        }
        attempt += 1;
    }
}

/// Turns each tile by a hash of the seed and its place: from none to all but one of its sides, each equally likely.
fn scramble(lattice: &Lattice, solved: &[u8], wires: &mut [u8], seed: u64, attempt: u64) {
    let key = mix(seed ^ 0x7363_7261_6d62_6c65).wrapping_add(mix(attempt));
    if lattice.hexagonal { turn_all::<6>(key, solved, wires) } else { turn_all::<4>(key, solved, wires) }
}

fn turn_all<const SIDES: u32>(key: u64, solved: &[u8], wires: &mut [u8]) {
    for (tile, (to, &from)) in wires.iter_mut().zip(solved).enumerate() {
        let turns = ((u128::from(mix(key ^ tile as u64)) * u128::from(SIDES)) >> 64) as u32;
        let mask = u32::from(from);
        *to = ((mask << turns | mask >> (SIDES - turns)) & ((1 << SIDES) - 1)) as u8;
    }
}

/// The hand-made boards.
fn by_hand(lattice: &Lattice, layout: Layout) -> Vec<u8> {
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

/// Gives the edges of a solved wiring as pairs of tiles in the order in which its method takes them. Where ambiguous
/// places were laid anew, and for boards made by hand, in the order in which Kruskal would take them.
///
/// # Errors
/// The budget's end.
pub fn tree(options: &Options, solved: &[u8], seed: u64, budget: &mut Budget<'_>) -> Result<Vec<[u32; 2]>, Error> {
    match options.layout {
        Layout::Tree(method) if method != Method::Kruskal && !options.unique => {
            random::tree(options.lattice, method, options.bias, seed, budget)
        }
        _ => crate::graph::board::by_weight(options.lattice, &Weights::new(seed, options.bias), solved, budget),
    }
}

/// Makes boards one after the other, board `i` from the seed `seed + i`, and writes what a player sees of each,
/// row-major, into `boards`.
///
/// # Errors
/// Like [`generate`].
pub fn generate_many(options: &Options, seed: u64, boards: &mut [u8], budget: &mut Budget<'_>) -> Result<(), Error> {
    options.check()?;
    let cells = options.lattice.len();
    if cells >= 1 << 16 {
        // Each takes long enough to be watched by itself; Kruskal has all threads of its own.
        for (i, board) in boards.chunks_exact_mut(cells).enumerate() {
            generate(options, seed.wrapping_add(i as u64), budget)?.game.write_board(board);
        }
        return Ok(());
    }
    let group = (1 << 16) / cells.max(1) + 1;
    let threads = crate::core::pool::threads().max(1);
    for (k, chunk) in boards.chunks_mut(cells * group * threads).enumerate() {
        budget.spend(chunk.len() as u64)?;
        let failed = std::sync::Mutex::new(None);
        let pieces = chunk.chunks_mut(cells * group).enumerate().collect();
        crate::core::pool::each(pieces, |(j, piece): (usize, &mut [u8])| {
            let mut scratch = crate::graph::board::Scratch::default();
            let mut solved = vec![0; cells];
            for (i, board) in piece.chunks_exact_mut(cells).enumerate() {
                let seed = seed.wrapping_add(((k * threads + j) * group + i) as u64);
                let mut own = Budget::unlimited();
                let made = if matches!(options.layout, Layout::Tree(Method::Kruskal)) && !options.unique {
                    let weights = Weights::new(seed, options.bias);
                    solved.fill(0);
                    crate::graph::board::kruskal(options.lattice, &weights, &mut scratch, &mut solved, &mut own)
                        .and_then(|()| scrambled(options, &solved, 0, seed))
                } else {
                    generate(options, seed, &mut own).map(|made| made.game)
                };
                match made {
                    Ok(game) => game.write_board(board),
                    Err(stop) => {
                        if let Ok(mut failed) = failed.lock() {
                            *failed = Some(stop);
                        }
                        return;
                    }
                }
            }
        });
        if let Ok(Some(stop)) = failed.into_inner() {
            return Err(stop);
        }
    }
    Ok(())
}
