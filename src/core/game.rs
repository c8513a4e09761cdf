//! The trait [`Game`] (a position, the box of its moves, and the rules that accept or refuse a move), and the functions
//! that every game gets from it.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::budget::Budget;
use super::error::{Error, counted};
use super::memory;
use super::rng::Rng;

/// Whether a game is open, or how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i8)]
pub enum Status {
    /// The game is not decided yet.
    #[default]
    Open = 0,
    /// The puzzle is solved, or the first player has won.
    Won = 1,
    /// The puzzle is lost, or the first player has lost.
    Lost = -1,
    /// The game is over without a winner.
    Drawn = 2,
}

impl Status {
    /// All variants with their names in Python.
    pub const ALL: [(&'static str, Self); 4] =
        [("OPEN", Self::Open), ("WON", Self::Won), ("LOST", Self::Lost), ("DRAWN", Self::Drawn)];

    /// Returns whether the game is over; no move is then legal.
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

/// A move: a point with a fixed, small number of integer coordinates. Implemented by `[i32; N]`.
pub trait Point: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// Number of coordinates.
    const RANK: usize;
    /// The origin: all coordinates 0.
    const ZERO: Self;
    /// Returns the coordinates, in the order of [`Game::AXES`].
    fn coords(&self) -> &[i32];
    /// Returns the coordinates as a mutable slice.
    fn coords_mut(&mut self) -> &mut [i32];
    /// Returns the coordinates of all moves one after another, reusing the memory of the list.
    fn flattened(moves: Vec<Self>) -> Vec<i32>;
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

    fn flattened(moves: Vec<Self>) -> Vec<i32> {
        moves.into_flattened()
    }
}

/// A position of one of the games, and its rules.
///
/// Equal positions have equal text, and positions with equal text are equal. Counters that undo must update (such as
/// the falls of Bloxorz) are stored in the state and ignored by `==`.
pub trait Game: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Name of the game in lower case; its files and folders in `src`, `src/py`, `python`, `tests`, `levels` and
    /// `notebooks` are named after it.
    const NAME: &'static str;
    /// Names of the coordinates of a move, in order.
    const AXES: &'static [&'static str];
    /// A move: `[i32; RANK]`.
    type Move: Point;
    /// What a move changed: enough to undo the move, never a copy of a large board.
    type Change: Clone + fmt::Debug + Send + Sync + 'static;
    /// Why the rules refuse a move; its `Display` completes the sentence "illegal move (1, 2): ...".
    type Reason: fmt::Display;

    /// Reads a position from its notation. If `parse` succeeds, no later call on the position fails because of the
    /// text.
    ///
    /// # Errors
    /// Returns [`Error::Level`] for the first mistake, with line and column.
    fn parse(text: &str) -> Result<Self, Error>;

    /// Writes the position in its notation; `parse` reads an equal position from it.
    fn text(&self) -> String;

    /// Returns the number of rows of the board.
    fn height(&self) -> usize;

    /// Returns the number of columns of the board.
    fn width(&self) -> usize;

    /// Returns the box of moves: coordinate `i` runs from 0 to `bounds[i] - 1`. The box is constant during a game.
    fn bounds(&self) -> Self::Move;

    /// Returns whether the game is open, or how it ended.
    fn status(&self) -> Status;

    /// Checks whether the rules allow a move. The move must lie in the box of [`Game::bounds`], and the game must be
    /// open.
    ///
    /// # Errors
    /// Returns the reason if the rules refuse the move.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Reason>;

    /// Visits the moves that [`Game::check`] accepts in an open game, in lexicographic order, until `visit` breaks.
    fn each_legal<F: FnMut(Self::Move) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()>;

    /// Visits the legal moves of an open game as [`Game::each_legal`] does, spending one unit of the budget per move.
    /// If a game has to examine many moves for each legal one, it can override this method to spend one unit per
    /// examined move instead.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the visit.
    fn each_legal_within<F: FnMut(Self::Move) -> ControlFlow<()>>(
        &self,
        budget: &mut Budget<'_>,
        mut visit: F,
    ) -> Result<ControlFlow<()>, Error> {
        let mut paid = Ok(());
        // `each_legal` cannot return an error, so the visit breaks and `paid` keeps the error.
        let flow = self.each_legal(|mv| {
            visit(mv)?;
            paid = budget.spend(1);
            if paid.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        paid.map(|()| flow)
    }

    /// Returns about how many bytes the moves that the position remembers take; in most games, it remembers none.
    fn remembered(&self) -> usize {
        0
    }

    /// Reserves the memory that the position needs for `moves` more moves: to remember them, or while one is made. Most
    /// games need none.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated; the position is then unchanged.
    #[inline]
    fn room_to_play(&mut self, _moves: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Makes a legal move (or, with [`Game::RECORDS`], any move of a history) and returns what the move changed.
    fn apply(&mut self, mv: Self::Move) -> Self::Change;

    /// Undoes the last move made: `mv`, for which [`Game::apply`] returned `change`.
    fn revert(&mut self, mv: Self::Move, change: Self::Change);

    /// Returns whether `other` can take the place of this position in a batch: both have the same size and box of
    /// moves, and the codes of [`Game::write_board`] have the same meaning on both boards.
    fn is_compatible(&self, other: &Self) -> bool {
        (self.height(), self.width(), self.bounds()) == (other.height(), other.width(), other.bounds())
    }

    /// Writes the board that a player sees, row-major, into `height * width` bytes.
    fn write_board(&self, out: &mut [u8]);

    /// Writes the legal-move mask of an open game: one `bool` per move of the box, row-major over [`Game::bounds`].
    fn write_mask(&self, out: &mut [bool]) {
        out.fill(false);
        let bounds = self.bounds();
        let _ = self.each_legal(|mv| {
            out[ravel(bounds, mv)] = true;
            ControlFlow::Continue(())
        });
    }

    /// Writes the legal-move mask of an open game as a bitset, least significant bit first. `out` holds one bit per
    /// move of the box, padded to whole bytes.
    fn write_bits(&self, out: &mut [u8]) {
        pack(self, out);
    }

    /// Whether a history of this game also holds moves that the rules refused. If so, [`Game::apply`] accepts such
    /// moves.
    const RECORDS: bool = false;

    /// Returns the move with the given coordinates, read from a saved history. The move must lie in the box unless the
    /// game sets [`Game::RECORDS`].
    ///
    /// # Errors
    /// Returns [`Error::Move`] if the coordinates are not those of a move.
    fn recorded(&self, numbers: &[i64]) -> Result<Self::Move, Error> {
        lookup(self, numbers)
    }

    /// Draws a legal move of an open game uniformly; returns `None` if there is none. A game overrides this method if
    /// it can have many legal moves that are nevertheless rare in the box.
    fn sample(&self, rng: &mut Rng) -> Option<Self::Move> {
        draw(self, rng, &mut Budget::unlimited()).unwrap_or(None)
    }

    /// Draws the move that [`Game::sample`] draws, within a budget. A game that overrides [`Game::each_legal_within`]
    /// overrides this method as well, because the default ignores the budget.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the draw.
    fn sample_within(&self, rng: &mut Rng, _budget: &mut Budget<'_>) -> Result<Option<Self::Move>, Error> {
        Ok(self.sample(rng))
    }

    /// Updates `board`, which [`Game::write_board`] wrote before the move. A game overrides this method if a move
    /// changes few cells.
    fn refresh_board(&self, _mv: Self::Move, _change: &Self::Change, board: &mut [u8]) {
        self.write_board(board);
    }

    /// Updates `mask`, which [`Game::write_mask`] wrote before the move; the game must still be open.
    fn refresh_mask(&self, _mv: Self::Move, _change: &Self::Change, mask: &mut [bool]) {
        self.write_mask(mask);
    }
}

/// Returns the row-major index of a point in a box; the last coordinate varies fastest. The point must lie in the box.
#[inline]
pub fn ravel<P: Point>(bounds: P, point: P) -> usize {
    let mut index = 0usize;
    // Horner's rule, with the bounds as mixed radices.
    for (&bound, &part) in bounds.coords().iter().zip(point.coords()) {
        index = index * bound as usize + part as usize;
    }
    index
}

/// Returns the point of a box at a row-major index: the inverse of [`ravel`]. No bound may be 0.
#[inline]
pub fn unravel<P: Point>(bounds: P, mut index: usize) -> P {
    let mut point = P::ZERO;
    for (part, &bound) in point.coords_mut().iter_mut().zip(bounds.coords()).rev() {
        *part = (index % bound as usize) as i32;
        index /= bound as usize;
    }
    point
}

/// Returns the number of points in a box, or `None` if the number does not fit in a `usize`.
pub fn volume<P: Point>(bounds: P) -> Option<usize> {
    bounds.coords().iter().try_fold(1usize, |product, &bound| product.checked_mul(bound as usize))
}

/// Returns the move with the given coordinates after checking that it lies in the box. Functions that take a move do
/// not repeat this check, and a batch checks all its actions together.
///
/// # Errors
/// Returns [`Error::Move`] for the wrong number of coordinates, or for a coordinate outside the box.
#[inline]
pub fn lookup<G: Game>(game: &G, numbers: &[i64]) -> Result<G::Move, Error> {
    let bounds = game.bounds();
    let mut mv = G::Move::ZERO;
    if numbers.len() == G::Move::RANK {
        let mut fits = true;
        for ((part, &number), &bound) in mv.coords_mut().iter_mut().zip(numbers).zip(bounds.coords()) {
            fits &= 0 <= number && number < i64::from(bound);
            // The cast may truncate a number outside the box, but then no move is returned.
            *part = number as i32;
        }
        if fits {
            return Ok(mv);
        }
    }
    Err(outside::<G>(bounds, numbers))
}

/// Returns the error for coordinates that [`lookup`] refuses: for the wrong number of coordinates, or for the first
/// coordinate that is out of bounds.
#[cold]
fn outside<G: Game>(bounds: G::Move, numbers: &[i64]) -> Error {
    if numbers.len() != G::Move::RANK {
        return Error::Move(format!(
            "a move must have {} ({}), got {}",
            counted(G::Move::RANK as u64, "coordinates"),
            G::AXES.join(", "),
            numbers.len()
        ));
    }
    let wrong = numbers.iter().zip(bounds.coords()).position(|(&n, &b)| n < 0 || n >= i64::from(b)).unwrap_or(0);
    let (axis, number, bound) = (G::AXES[wrong], numbers[wrong], bounds.coords()[wrong]);
    Error::Move(if bound == 0 {
        format!("{axis} cannot be {}: this position has no moves", shown(number))
    } else {
        format!("{axis} must be between 0 and {}, got {}", bound - 1, shown(number))
    })
}

/// Formats a coordinate for an error message. Python integers that do not fit in 64 bits arrive as `i64::MIN` or
/// `i64::MAX`.
pub(super) fn shown(number: i64) -> String {
    match number {
        i64::MAX => "a number over 2^63 - 2".to_owned(),
        i64::MIN => "a number under -2^63 + 1".to_owned(),
        _ => number.to_string(),
    }
}

/// Returns about how many bytes a copy of a position takes.
pub fn bytes<G: Game>(position: &G) -> usize {
    position.height() * position.width() * memory::PER_CELL + position.remembered()
}

/// Checks that there is memory for a copy of a position or for another form of it, such as its text. `what` completes
/// the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn probe<G: Game>(position: &G, what: &str) -> Result<(), Error> {
    memory::probe(bytes(position).max(memory::SPARE), what)
}

/// Returns a copy of a position with the memory that it needs for `moves` moves (see [`Game::room_to_play`]).
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn copied<G: Game>(position: &G, moves: usize) -> Result<G, Error> {
    probe(position, "a copy of the position")?;
    let mut copy = position.clone();
    copy.room_to_play(moves)?;
    Ok(copy)
}

/// Returns whether a move of the box is legal now; no move is legal if the game is over.
#[inline]
pub fn is_legal<G: Game>(game: &G, mv: G::Move) -> bool {
    !game.status().is_over() && game.check(mv).is_ok()
}

/// Makes a move of the box if the game is open and the rules allow the move, and returns what the move changed.
///
/// # Errors
/// Returns [`Error::Illegal`] with the reason if the game is over or the rules refuse the move; the game is then
/// unchanged.
#[inline]
pub fn play<G: Game>(game: &mut G, mv: G::Move) -> Result<G::Change, Error> {
    let status = game.status();
    let reason = if status.is_over() {
        format!("the game is over ({status})")
    } else if let Err(reason) = game.check(mv) {
        reason.to_string()
    } else {
        return Ok(game.apply(mv));
    };
    Err(Error::Illegal { mv: mv.coords().to_vec(), reason })
}

/// Visits the legal moves in lexicographic order; a game that is over has none.
#[inline]
pub fn each_legal<G: Game>(game: &G, visit: impl FnMut(G::Move) -> ControlFlow<()>) -> ControlFlow<()> {
    if game.status().is_over() { ControlFlow::Continue(()) } else { game.each_legal(visit) }
}

/// Returns the legal moves in lexicographic order, or `None` if there are more than `most` or memory cannot hold them.
pub fn legal_moves<G: Game>(game: &G, most: usize) -> Option<Vec<G::Move>> {
    legal_moves_within(game, most, &mut Budget::unlimited()).unwrap_or(None)
}

/// Lists the legal moves in lexicographic order within a budget; returns `None` if there are more than `most`.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts moves, ends the search, and
/// [`Error::Memory`] if memory cannot hold the list.
pub fn legal_moves_within<G: Game>(
    game: &G,
    most: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<G::Move>>, Error> {
    let mut moves = Vec::new();
    if game.status().is_over() {
        return Ok(Some(moves));
    }
    let mut room = Ok(());
    let flow = game.each_legal_within(budget, |mv| {
        // One comparison per move: the length is compared with `most` only when the list is full. `memory::room` may
        // reserve more than requested, so the final length is compared with `most` again.
        if moves.len() == moves.capacity() {
            if moves.len() >= most {
                return ControlFlow::Break(());
            }
            let more = most.min(2 * moves.len().max(32)) - moves.len();
            room = memory::room(&mut moves, more, "a list of all legal moves");
            if room.is_err() {
                return ControlFlow::Break(());
            }
        }
        moves.push(mv);
        ControlFlow::Continue(())
    })?;
    room?;
    Ok((flow.is_continue() && moves.len() <= most).then_some(moves))
}

/// Returns the number of legal moves.
pub fn count_legal<G: Game>(game: &G) -> u64 {
    count_within(game, &mut Budget::unlimited()).unwrap_or(0)
}

/// Counts the legal moves within a budget, which counts moves.
fn count_within<G: Game>(game: &G, budget: &mut Budget<'_>) -> Result<u64, Error> {
    let mut count = 0;
    each_paid(game, budget, |_| count += 1)?;
    Ok(count)
}

/// Writes the legal-move mask, one `bool` per move of the box in row-major order; all are `false` if the game is over.
#[inline]
pub fn write_mask<G: Game>(game: &G, out: &mut [bool]) {
    if game.status().is_over() { out.fill(false) } else { game.write_mask(out) }
}

/// Writes the legal-move bitset of an open game by visiting its legal moves.
pub(crate) fn pack<G: Game>(game: &G, out: &mut [u8]) {
    out.fill(0);
    let bounds = game.bounds();
    let _ = game.each_legal(|mv| {
        let index = ravel(bounds, mv);
        out[index / 8] |= 1 << (index % 8);
        ControlFlow::Continue(())
    });
}

/// Writes the legal-move mask as a bitset, least significant bit first; all 0 if the game is over.
#[inline]
pub fn write_bits<G: Game>(game: &G, out: &mut [u8]) {
    if game.status().is_over() { out.fill(0) } else { game.write_bits(out) }
}

/// Draws a legal move uniformly; returns `None` if there is none.
#[inline]
pub fn sample_legal<G: Game>(game: &G, rng: &mut Rng) -> Option<G::Move> {
    if game.status().is_over() { None } else { game.sample(rng) }
}

/// Draws a legal move uniformly within a budget; returns `None` if there is none.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the draw.
#[inline]
pub fn sample_within<G: Game>(game: &G, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<G::Move>, Error> {
    if game.status().is_over() { Ok(None) } else { game.sample_within(rng, budget) }
}

/// Draws a legal move of an open game uniformly; returns `None` if there is none.
///
/// Tries random points of the box first. If none of them is legal, visits the legal moves twice, once to count them and
/// once to pick one, so that a long list is never stored.
pub(crate) fn draw<G: Game>(game: &G, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<G::Move>, Error> {
    let bounds = game.bounds();
    // Rejection keeps the draw uniform: each attempt draws each point of the box with the same probability.
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

/// Visits the legal moves as [`Game::each_legal_within`] does; a game that is over has none.
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

/// The largest depth of a recursive search; it is bounded because each level takes a frame of the call stack.
pub const MAX_DEPTH: u32 = 1000;

/// Returns the number of legal sequences of `depth` moves (perft, the usual test of a move generator); 1 for depth 0.
///
/// # Errors
/// Returns [`Error::Invalid`] if `depth` exceeds [`MAX_DEPTH`]; [`Error::Limit`] or [`Error::Interrupted`] if the
/// budget, which counts moves, ends the search; and [`Error::Memory`] if memory cannot hold the position or its moves.
pub fn perft<G: Game>(game: &G, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Error> {
    fn walk<G: Game>(game: &mut G, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let mut total = 0u64;
        // The moves of the last level are counted, not made.
        if depth == 1 {
            each_paid(game, budget, |_| total += 1)?;
            return Ok(total);
        }
        for mv in legal_moves_within(game, usize::MAX, budget)?.unwrap_or_default() {
            let change = game.apply(mv);
            let below = walk(game, depth - 1, budget);
            game.revert(mv, change);
            total = total.saturating_add(below?);
        }
        Ok(total)
    }
    match depth {
        0 => Ok(1),
        1..=MAX_DEPTH => walk(&mut copied(game, depth as usize)?, depth, budget),
        _ => Err(Error::Invalid(format!("depth must be between 0 and {MAX_DEPTH}, got {depth}"))),
    }
}
