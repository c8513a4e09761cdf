//! What a game is: a position, a box of moves, rules that accept or refuse; and what follows from that for every game.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::budget::Budget;
use super::error::Error;
use super::rng::Rng;

/// How a game stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i8)]
pub enum Status {
    /// Still to be played.
    #[default]
    Open = 0,
    /// The puzzle is solved, or the first player has won.
    Won = 1,
    /// The puzzle is lost, or the first player has lost.
    Lost = -1,
    /// Nobody has won and nobody will.
    Drawn = 2,
}

impl Status {
    /// All of them with the names that Python shows.
    pub const ALL: [(&'static str, Self); 4] =
        [("OPEN", Self::Open), ("WON", Self::Won), ("LOST", Self::Lost), ("DRAWN", Self::Drawn)];

    /// Whether no more moves can be made.
    #[inline]
    pub fn is_over(self) -> bool {
        self != Self::Open
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
        })
    }
}

/// A move: a point with a fixed, small number of whole coordinates. Implemented by `[i32; N]`.
pub trait Point: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The number of coordinates.
    const RANK: usize;
    /// The point with all coordinates 0.
    const ZERO: Self;
    /// The coordinates.
    fn coords(&self) -> &[i32];
    /// The coordinates, to be changed.
    fn coords_mut(&mut self) -> &mut [i32];
}

impl<const N: usize> Point for [i32; N] {
    const RANK: usize = N;
    const ZERO: Self = [0; N];

    #[inline]
    fn coords(&self) -> &[i32] {
        self
    }

    #[inline]
    fn coords_mut(&mut self) -> &mut [i32] {
        self
    }
}

/// A position of one of the games, and its rules.
///
/// `==` compares positions: what the rules can tell apart, and nothing of how it was reached. Equal positions have equal
/// text. Counters that undo must restore (falls, turns played) live in the state and take no part in `==`.
pub trait Game: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The folder name of the game, the same in all six places.
    const NAME: &'static str;
    /// The names of the coordinates of a move, in order.
    const AXES: &'static [&'static str];
    /// A move: `[i32; RANK]`.
    type Move: Point;
    /// What a move changed: enough to take it back, never a copy of a large board.
    type Change: Clone + fmt::Debug + Send + Sync + 'static;
    /// Why the rules refuse a move; its `Display` ends the sentence "illegal move (1, 2): ...".
    type Reason: fmt::Display;

    /// Reads a position from its notation. Text that is accepted can never make anything fail later.
    ///
    /// # Errors
    /// The first complaint, with line and column.
    fn parse(text: &str) -> Result<Self, Error>;

    /// Writes the position in its notation: `parse(text)` gives the same position again.
    fn text(&self) -> String;

    /// Number of rows of the board.
    fn height(&self) -> usize;

    /// Number of columns of the board.
    fn width(&self) -> usize;

    /// The box of moves: coordinate `i` runs from 0 to `bounds[i] - 1`. It never changes during a game.
    fn bounds(&self) -> Self::Move;

    /// How the game stands.
    fn status(&self) -> Status;

    /// Says why the rules refuse a move that lies in the box, in a game that is open.
    ///
    /// # Errors
    /// The reason of the refusal.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Reason>;

    /// Visits the moves that [`Game::check`] accepts in an open game, in lexicographic order, until told to break.
    fn each_legal<F: FnMut(Self::Move) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()>;

    /// Visits as [`Game::each_legal`] does, and pays for each move. Overridden where many may be looked at in vain: those are
    /// paid for too.
    ///
    /// # Errors
    /// [`Error`] where the budget ends it.
    fn each_legal_within<F: FnMut(Self::Move) -> ControlFlow<()>>(
        &self,
        budget: &mut Budget<'_>,
        mut visit: F,
    ) -> Result<ControlFlow<()>, Error> {
        let mut paid = Ok(());
        let flow = self.each_legal(|mv| {
            visit(mv)?;
            paid = budget.spend(1);
            if paid.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        paid.map(|()| flow)
    }

    /// Makes a move that is legal here, and gives what it changed.
    fn apply(&mut self, mv: Self::Move) -> Self::Change;

    /// Takes back the move that was made last.
    fn revert(&mut self, mv: Self::Move, change: Self::Change);

    /// Writes the board that a player sees, row-major, into `height * width` bytes.
    fn write_board(&self, out: &mut [u8]);

    /// Writes which moves of the box are legal in an open game, row-major over [`Game::bounds`].
    fn write_mask(&self, out: &mut [bool]) {
        out.fill(false);
        let bounds = self.bounds();
        let _ = self.each_legal(|mv| {
            out[ravel(bounds, mv)] = true;
            ControlFlow::Continue(())
        });
    }

    /// Writes the same a bit a move, the lowest of each byte first.
    fn write_bits(&self, out: &mut [u8]) {
        pack(self, out);
    }

    /// Whether games keep refused moves on record: a history then holds them beside the legal ones, and
    /// [`Game::apply`] knows what to do with them.
    const RECORDS: bool = false;

    /// Finds the move that the numbers of a saved history name: one of the box, unless refused moves are kept on record.
    ///
    /// # Errors
    /// [`Error::Move`].
    fn recorded(&self, numbers: &[i64]) -> Result<Self::Move, Error> {
        lookup(self, numbers)
    }

    /// Draws a legal move of an open game, each equally likely; `None` where there is none. Overridden where legal moves are
    /// rare in the box and many.
    fn sample(&self, rng: &mut Rng) -> Option<Self::Move> {
        draw(self, rng, &mut Budget::unlimited()).unwrap_or(None)
    }

    /// Draws the same move as [`Game::sample`]. Overridden with [`Game::each_legal_within`].
    ///
    /// # Errors
    /// [`Error`] where the budget ends it.
    fn sample_within(&self, rng: &mut Rng, _budget: &mut Budget<'_>) -> Result<Option<Self::Move>, Error> {
        Ok(self.sample(rng))
    }

    /// Brings a board that was true before a move up to date. Overridden where a move changes little of a board.
    fn refresh_board(&self, _mv: Self::Move, _change: &Self::Change, board: &mut [u8]) {
        self.write_board(board);
    }

    /// Brings a mask that was true before a move up to date, in a game that is still open.
    fn refresh_mask(&self, _mv: Self::Move, _change: &Self::Change, mask: &mut [bool]) {
        self.write_mask(mask);
    }
}

/// Gives the row-major index of a point in a box.
#[inline]
pub fn ravel<P: Point>(bounds: P, point: P) -> usize {
    let mut index = 0usize;
    for (&bound, &part) in bounds.coords().iter().zip(point.coords()) {
        index = index * bound as usize + part as usize;
    }
    index
}

/// Gives the point of a box at a row-major index.
#[inline]
pub fn unravel<P: Point>(bounds: P, mut index: usize) -> P {
    let mut point = P::ZERO;
    for (part, &bound) in point.coords_mut().iter_mut().zip(bounds.coords()).rev() {
        *part = (index % bound as usize) as i32;
        index /= bound as usize;
    }
    point
}

/// The number of points in a box; `None` where it does not fit a `usize`.
pub fn volume<P: Point>(bounds: P) -> Option<usize> {
    bounds.coords().iter().try_fold(1usize, |product, &bound| product.checked_mul(bound as usize))
}

/// Finds the move that some numbers name. The one place where bounds are checked.
///
/// # Errors
/// [`Error::Move`] for a wrong length or a number outside the box.
#[inline]
pub fn lookup<G: Game>(game: &G, numbers: &[i64]) -> Result<G::Move, Error> {
    let bounds = game.bounds();
    let mut mv = G::Move::ZERO;
    if numbers.len() == G::Move::RANK {
        let mut fits = true;
        for ((part, &number), &bound) in mv.coords_mut().iter_mut().zip(numbers).zip(bounds.coords()) {
            fits &= 0 <= number && number < i64::from(bound);
            *part = number as i32;
        }
        if fits {
            return Ok(mv);
        }
    }
    Err(outside::<G>(bounds, numbers))
}

#[cold]
fn outside<G: Game>(bounds: G::Move, numbers: &[i64]) -> Error {
    if numbers.len() != G::Move::RANK {
        return Error::Move(format!(
            "a move of {} numbers, wanted {}: ({})",
            numbers.len(),
            G::Move::RANK,
            G::AXES.join(", ")
        ));
    }
    let worst = numbers.iter().zip(bounds.coords()).position(|(&n, &b)| n < 0 || n >= i64::from(b)).unwrap_or(0);
    let (axis, number, bound) = (G::AXES[worst], numbers[worst], bounds.coords()[worst]);
    Error::Move(if bound == 0 {
        format!("{axis} {number}, and this game has no moves")
    } else {
        format!("{axis} {}, wanted 0 to {}", shown(number), bound - 1)
    })
}

/// A number as a complaint shows it: the ends of the range stand for all that is beyond them.
pub(super) fn shown(number: i64) -> String {
    match number {
        i64::MAX => "too large".to_owned(),
        i64::MIN => "too small".to_owned(),
        _ => number.to_string(),
    }
}

/// Whether a move of the box may be made now.
#[inline]
pub fn is_legal<G: Game>(game: &G, mv: G::Move) -> bool {
    !game.status().is_over() && game.check(mv).is_ok()
}

/// Makes a move where the rules allow it; otherwise the game stays as it was.
///
/// # Errors
/// [`Error::Illegal`] with the rules' reason.
#[inline]
pub fn play<G: Game>(game: &mut G, mv: G::Move) -> Result<G::Change, Error> {
    let status = game.status();
    let reason = if status.is_over() {
        format!("the game is over ({status}), wanted an open one")
    } else if let Err(reason) = game.check(mv) {
        reason.to_string()
    } else {
        return Ok(game.apply(mv));
    };
    Err(Error::Illegal { mv: mv.coords().to_vec(), reason })
}

/// Visits the legal moves in lexicographic order; there are none when the game is over.
#[inline]
pub fn each_legal<G: Game>(game: &G, visit: impl FnMut(G::Move) -> ControlFlow<()>) -> ControlFlow<()> {
    if game.status().is_over() { ControlFlow::Continue(()) } else { game.each_legal(visit) }
}

/// Lists the legal moves in lexicographic order; `None` where there are more than `most`.
pub fn legal_moves<G: Game>(game: &G, most: usize) -> Option<Vec<G::Move>> {
    legal_moves_within(game, most, &mut Budget::unlimited()).unwrap_or(None)
}

/// Lists the legal moves as [`legal_moves`] does, within a budget.
///
/// # Errors
/// [`Error`] where the budget ends it.
pub fn legal_moves_within<G: Game>(
    game: &G,
    most: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<G::Move>>, Error> {
    let mut moves = Vec::new();
    if game.status().is_over() {
        return Ok(Some(moves));
    }
    let flow = game.each_legal_within(budget, |mv| {
        if moves.len() == most {
            return ControlFlow::Break(());
        }
        moves.push(mv);
        ControlFlow::Continue(())
    })?;
    Ok(flow.is_continue().then_some(moves))
}

/// Counts the legal moves.
pub fn count_legal<G: Game>(game: &G) -> u64 {
    count_within(game, &mut Budget::unlimited()).unwrap_or(0)
}

fn count_within<G: Game>(game: &G, budget: &mut Budget<'_>) -> Result<u64, Error> {
    let mut count = 0;
    each_paid(game, budget, |_| count += 1)?;
    Ok(count)
}

/// Writes the mask of legal moves; all false when the game is over.
#[inline]
pub fn write_mask<G: Game>(game: &G, out: &mut [bool]) {
    if game.status().is_over() { out.fill(false) } else { game.write_mask(out) }
}

/// Writes the legal moves of an open game, a bit a move, from their list.
pub(crate) fn pack<G: Game>(game: &G, out: &mut [u8]) {
    out.fill(0);
    let bounds = game.bounds();
    let _ = game.each_legal(|mv| {
        let index = ravel(bounds, mv);
        out[index / 8] |= 1 << (index % 8);
        ControlFlow::Continue(())
    });
}

/// Writes the legal moves, a bit a move, the lowest of each byte first; none when the game is over.
#[inline]
pub fn write_bits<G: Game>(game: &G, out: &mut [u8]) {
    if game.status().is_over() { out.fill(0) } else { game.write_bits(out) }
}

/// Gives one of the legal moves, each equally likely; `None` where there is none.
#[inline]
pub fn sample_legal<G: Game>(game: &G, rng: &mut Rng) -> Option<G::Move> {
    if game.status().is_over() { None } else { game.sample(rng) }
}

/// Gives one of the legal moves as [`sample_legal`] does, within a budget.
///
/// # Errors
/// [`Error`] where the budget ends it.
#[inline]
pub fn sample_within<G: Game>(game: &G, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<G::Move>, Error> {
    if game.status().is_over() { Ok(None) } else { game.sample_within(rng, budget) }
}

/// Draws a legal move of any game that is open.
///
/// Tries random points of the box first, and lists the moves only where legal ones are rare: a list too long to keep is
/// walked twice and never stored.
pub(crate) fn draw<G: Game>(game: &G, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<G::Move>, Error> {
    let bounds = game.bounds();
    if bounds.coords().iter().all(|&b| b > 0) {
        for _ in 0..256 {
            let mut mv = G::Move::ZERO;
            for (part, &bound) in mv.coords_mut().iter_mut().zip(bounds.coords()) {
                *part = rng.below(bound as u64) as i32;
            }
            if game.check(mv).is_ok() {
                return Ok(Some(mv));
            }
        }
    }
    let count = count_within(game, budget)?;
    if count == 0 {
        return Ok(None);
    }
    let mut left = rng.below(count);
    let mut found = None;
    let _ = game.each_legal_within(budget, |mv| {
        if left == 0 {
            found = Some(mv);
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// Visits the legal moves like [`each_legal`], and pays for each.
fn each_paid<G: Game>(game: &G, budget: &mut Budget<'_>, mut visit: impl FnMut(G::Move)) -> Result<(), Error> {
    if game.status().is_over() {
        return Ok(());
    }
    game.each_legal_within(budget, |mv| {
        visit(mv);
        ControlFlow::Continue(())
    })
    .map(|_| ())
}

/// The most moves that are looked ahead: one lies on the stack for each, and no count of sequences is larger than 64 bits.
pub const DEEPEST: u32 = 1000;

/// Counts the legal sequences of `depth` moves from here (the golden number of move generators).
///
/// # Errors
/// [`Error`] where the budget ends it, which pays for each move; the game is then as it was. [`Error::Limit`] for a depth
/// over [`DEEPEST`].
pub fn perft<G: Game>(game: &G, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Error> {
    fn walk<G: Game>(game: &mut G, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let mut total = 0u64;
        if depth == 1 {
            each_paid(game, budget, |_| total += 1)?;
            return Ok(total);
        }
        let mut moves = Vec::new();
        each_paid(game, budget, |mv| moves.push(mv))?;
        for mv in moves {
            let change = game.apply(mv);
            let below = walk(game, depth - 1, budget);
            game.revert(mv, change);
            total = total.saturating_add(below?);
        }
        Ok(total)
    }
    match depth {
        0 => Ok(1),
        1..=DEEPEST => walk(&mut game.clone(), depth, budget),
        _ => Err(Error::Invalid(format!("depth must be between 0 and {DEEPEST}, got {depth}"))),
    }
}
