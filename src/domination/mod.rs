//! Linear Domination: two players draw lines on a board, and each line takes the cells that it crosses.
//!
//! ```text
//! 4 2            O . X X      a board of 4 x 4 and a lookback of 2 plays;
//! 3 1 1 4        O O X .      plays as `row col row col`, 1-based, tail first
//! 1 1 3 2        X O . .
//!                . . . .
//! ```
//!
//! * A play is a line from the center of its tail cell to the center of its head cell. Black (`X`) makes plays 0, 2,
//!   4, ..., and white (`O`) the others. A play colors the cells whose interior it crosses, end cells included; a line
//!   that passes exactly through a corner continues diagonally. A cell belongs to the player who colored it last.
//! * A play is illegal if an end is off the board, or if any of the last `K` plays shares its midpoint or is
//!   perpendicular to it. An illegal play colors nothing and uses up its turn. [`Rules`] describes the three rule sets.
//! * There is no pass. The game ends when no legal play is left, and the player with more cells wins: the status is won
//!   if black wins, lost if white wins, and drawn if the numbers are equal. Environments add a limit on the number of
//!   plays and a komi. On boards over 32 x 32 the game ends only if a play of zero length in the window forbids
//!   every play: deciding whether a long window leaves a legal play would take too long there.
//!
//! Terms: *tail*, *head* and *midpoint* of a play, its *verdict*, the *lookback* `K`, the *window* (the plays that the
//! rules look back at). Source: a design document of a course in linear algebra (University of Colorado Colorado
//! Springs, 2023). Its pseudocode tests for "same midpoint *and* perpendicular" and compares only one play of the
//! window; its prose and the finished program use "or" and compare every play. Its traversal compares `t_max` the wrong
//! way around and in floating point; [`tracing`] is exact.

mod bits;
mod difficulty;
mod ending;
mod index;
mod line;
mod mask;
mod notation;
mod players;
mod random;
mod reason;
mod rules;
pub mod value;

use std::ops::ControlFlow;

pub use bits::PlayBits;
use bits::{Keys, SMALL, Tables};
pub use difficulty::Difficulty;
pub use ending::Turn;
use index::{Index, PreviousPlaces};
pub use line::ParametricLine;
pub use players::{BestLine, Player};
pub use reason::{Advice, AdviceRule, Exchange};
pub use rules::{Ends, FAR, Reason, Rules, Verdict};

use crate::core::simd::vectorized;
use crate::core::{Budget, Error, Game, Rng, Status, game, memory};
use crate::tracing;

/// The codes of a board with their names.
pub const CODES: [(&str, u8); 3] = [("EMPTY", 0), ("X", 1), ("O", 2)];

/// The largest size of a board.
pub const MAX_SIZE: usize = 1 << 13;

/// The longest lookback.
pub const MAX_LOOKBACK: u32 = i32::MAX as u32;

/// The longest lookback for which judging a play scans the window; for longer ones an [`Index`] is kept.
const SCANNED: u32 = 192;

/// The number of plays that are tried one by one in search of a legal play before the whole mask is computed.
const NEAR: usize = 1 << 10;

/// The largest size at which the game decides whether a legal play is left.
const DECIDED: usize = 32;

/// A play that was made, and its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Row and column of tail and head, 0-based; possibly off the board.
    pub ends: Ends,
    /// Whether the play was legal and, if not, which rule made it illegal.
    pub verdict: Verdict,
    /// The index, among all plays, of the latest play of the window with which this play clashed under the rule that
    /// the verdict names; `None` if the play is legal, or illegal regardless of the earlier plays.
    pub clash: Option<u32>,
}

/// A play that has entered the window.
#[derive(Clone, Copy, Debug)]
struct Entered {
    /// The index of the play among all plays.
    play: u32,
    /// What the play forbids while it is in the window, on boards up to 8 x 8.
    keys: Keys,
}

/// The colors of the cells.
#[derive(Clone, Debug)]
enum Board {
    /// On boards up to 8 x 8: the cells of X and of O, one bit per cell.
    Words([u64; 2]),
    /// On larger boards: the code of each cell, row-major.
    Codes(Vec<u8>),
}

/// A position of Linear Domination.
///
/// All plays since the start are part of the position, as [`LinearDomination::plays`] and the text show them; `==`
/// compares size, lookback, rule set and plays. Invariants: `board` and `counts` are the result of the legal plays,
/// `entered` holds the plays that have entered the window, `index` is kept if the lookback is long, and `over` is set
/// if the game is known to have no legal play left.
#[derive(Debug)]
pub struct LinearDomination {
    size: usize,
    lookback: u32,
    rules: Rules,
    board: Board,
    /// The numbers of cells of X and of O.
    counts: [u32; 2],
    plays: Vec<Play>,
    /// The plays that have entered the window, in order; the last `lookback` of them are the window.
    entered: Vec<Entered>,
    index: Option<Box<Index>>,
    /// The place in `entered` of the latest play of zero length.
    last_point: Option<u32>,
    over: bool,
    /// The index, among all `size^4` plays, of the legal play that last proved the game open: the next search begins
    /// with that play.
    witness: usize,
}

impl Clone for LinearDomination {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            plays: self.plays.clone(),
            entered: self.entered.clone(),
            index: self.index.clone(),
            ..*self
        }
    }

    /// Copies `source` into the memory of `self`, so that batches restart games without allocating; only the index of
    /// the plays, which games with a long lookback have, is reallocated.
    fn clone_from(&mut self, source: &Self) {
        let (mut plays, mut entered) = (std::mem::take(&mut self.plays), std::mem::take(&mut self.entered));
        plays.clone_from(&source.plays);
        entered.clone_from(&source.entered);
        let board = match (std::mem::replace(&mut self.board, Board::Words([0; 2])), &source.board) {
            (Board::Codes(mut codes), Board::Codes(others)) => {
                codes.clone_from(others);
                Board::Codes(codes)
            }
            (_, other) => other.clone(),
        };
        *self = Self { board, plays, entered, index: source.index.clone(), ..*source };
    }
}

impl PartialEq for LinearDomination {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.lookback == other.lookback
            && self.rules == other.rules
            && self.plays.len() == other.plays.len()
            && self.plays.iter().zip(&other.plays).all(|(one, two)| one.ends == two.ends)
    }
}

/// What a play changed, so that it can be undone.
#[derive(Clone, Debug)]
pub struct Change {
    painted: RecoloredCells,
    before: Option<Box<PreviousPlaces>>,
    last_point: Option<u32>,
    over: bool,
}

/// The cells that changed color.
#[derive(Clone, Debug)]
enum RecoloredCells {
    /// On boards up to 8 x 8, and after an illegal play on any board: the cells that were empty, and those of the other
    /// player, one bit per cell.
    Words { fresh: u64, taken: u64 },
    /// On larger boards: indices of cells, with the bit [`TAKEN`] set if the cell was the other player's.
    Cells(Vec<u32>),
}

/// The bit that marks a cell of [`RecoloredCells::Cells`] that belonged to the other player.
const TAKEN: u32 = 1 << 31;

impl LinearDomination {
    /// Creates an empty board of `size` x `size` cells. `lookback` is the number of plays that the rules look back at,
    /// and `rules` is the rule set.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a size outside 1 to [`MAX_SIZE`] or a lookback over [`MAX_LOOKBACK`].
    pub fn empty(size: usize, lookback: u32, rules: Rules) -> Result<Self, Error> {
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(Error::Invalid(format!("size must be between 1 and {MAX_SIZE}, got {size}")));
        }
        if lookback > MAX_LOOKBACK {
            return Err(Error::Invalid(format!("lookback must be between 0 and {MAX_LOOKBACK}, got {lookback}")));
        }
        let mut made = Self {
            size,
            lookback,
            rules,
            board: if size <= SMALL { Board::Words([0; 2]) } else { Board::Codes(vec![0; size * size]) },
            counts: [0; 2],
            plays: Vec::new(),
            entered: Vec::new(),
            index: (lookback > SCANNED).then(Box::default),
            last_point: None,
            over: false,
            witness: 1,
        };
        made.over = made.find_over();
        Ok(made)
    }

    /// Creates a game of `plays` random legal plays, or fewer if no legal play is left. Equal arguments create equal
    /// games; `size`, `lookback` and `rules` are those of [`LinearDomination::empty`], and `seed` is any number.
    ///
    /// # Errors
    /// Returns the errors of [`LinearDomination::empty`], [`Error::Memory`] if memory cannot hold the plays, and
    /// [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call. The budget counts the plays made and, if
    /// legal plays are rare, the plays examined to find one.
    pub fn generate(
        size: usize,
        lookback: u32,
        plays: usize,
        rules: Rules,
        seed: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let mut made = Self::empty(size, lookback, rules)?;
        let mut rng = Rng::new(seed);
        for _ in 0..plays {
            budget.spend(1)?;
            let Some(ends) = game::sample_within(&made, &mut rng, budget)? else { break };
            made.room_to_play(1)?;
            made.draw(ends);
        }
        Ok(made)
    }

    /// Returns the number of rows, which is also the number of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of plays that the rules look back at.
    pub fn lookback(&self) -> u32 {
        self.lookback
    }

    /// Returns the rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns all plays of the game, first to last, including those in the text that the game was read from.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// Returns the numbers of cells of X and of O.
    pub fn counts(&self) -> [u32; 2] {
        self.counts
    }

    /// Returns whose turn it is: 0 for X, 1 for O.
    #[inline]
    pub fn to_move(&self) -> usize {
        self.plays.len() % 2
    }

    /// Returns who has more cells: 0 for X, 1 for O, or `None` if the numbers are equal.
    pub fn winner(&self) -> Option<usize> {
        let [x, o] = self.counts;
        if x == o { None } else { Some(usize::from(o > x)) }
    }

    /// Returns the number of cells of the player to move minus the number of cells of the other player.
    pub fn margin(&self) -> i64 {
        let mover = self.to_move();
        i64::from(self.counts[mover]) - i64::from(self.counts[1 - mover])
    }

    /// Returns the code of a cell: 0 empty, 1 X, 2 O.
    #[inline]
    fn code(&self, cell: usize) -> u8 {
        match &self.board {
            Board::Words([x, o]) => (x >> cell & 1) as u8 + 2 * (o >> cell & 1) as u8,
            Board::Codes(codes) => codes[cell],
        }
    }

    /// Returns whether both ends of a play lie on the board.
    #[inline]
    fn on_board(&self, ends: Ends) -> bool {
        ends.iter().all(|&part| (part as u32) < self.size as u32)
    }

    /// Returns the place in `entered` at which the window starts.
    #[inline]
    fn window_start(&self) -> usize {
        self.entered.len().saturating_sub(self.lookback as usize)
    }

    /// Iterates over the plays of the window with their indices among all plays, oldest first.
    #[inline]
    pub fn window(&self) -> impl DoubleEndedIterator<Item = (u32, Ends)> + Clone + '_ {
        self.entered[self.window_start()..].iter().map(|&Entered { play, .. }| (play, self.plays[play as usize].ends))
    }

    /// Returns whether the window holds a play of zero length. Under the rule sets that let such a play enter the
    /// window, the play is perpendicular to every play and so forbids all plays.
    #[inline]
    fn is_frozen(&self) -> bool {
        // Under `standard`, no play of zero length enters the window.
        self.lookback > 0 && self.last_point.is_some_and(|place| place as usize >= self.window_start())
    }

    /// Returns whether a play that lies on the board is legal.
    #[inline]
    fn allows(&self, ends: Ends) -> bool {
        if self.is_frozen() || !self.rules.allows_zero_length() && rules::is_point(ends) {
            return false;
        }
        match &self.index {
            None => !self.window().any(|(_, earlier)| rules::clashes(self.rules, ends, earlier)),
            Some(index) => {
                index.judge(self.rules, ends, self.window_start() as u32, self.entered.len() as u32).is_none()
            }
        }
    }

    /// Returns the verdict on a play, and the index of the latest play of the window with which it clashes under the
    /// rule that the verdict names, if any. The play may lie off the board, within [`FAR`].
    ///
    /// # Complexity
    /// O(lookback) for a lookback up to 192, expected O(1) for a longer one.
    pub fn judge(&self, ends: Ends) -> (Verdict, Option<u32>) {
        if !self.on_board(ends) {
            return (Verdict::OutOfBoard, None);
        }
        // The verdict without a clash: zero length is the last in the order of verdicts, so any clash precedes it.
        let alone = if !self.rules.allows_zero_length() && rules::is_point(ends) {
            Verdict::ZeroLength
        } else {
            Verdict::Legal
        };
        if self.lookback == 0 || alone == Verdict::Legal && self.allows(ends) {
            return (alone, None);
        }
        if let Some(index) = &self.index {
            return match index.judge(self.rules, ends, self.window_start() as u32, self.entered.len() as u32) {
                Some((verdict, place)) => (verdict, Some(self.entered[place as usize].play)),
                None => (alone, None),
            };
        }
        let mut found = (alone, None);
        for (play, earlier) in self.window().rev() {
            let verdict = rules::clash(self.rules, ends, earlier);
            if verdict != Verdict::Legal && (found.1.is_none() || verdict < found.0) {
                found = (verdict, Some(play));
            }
        }
        found
    }

    /// Makes a play whether or not it is legal: an illegal play colors nothing and uses up its turn. The play may lie
    /// off the board, within [`FAR`].
    pub fn draw(&mut self, ends: Ends) -> Change {
        let change = self.enter(ends);
        self.over = self.find_over();
        change
    }

    /// Makes a play without finding out whether a legal play is left.
    fn enter(&mut self, ends: Ends) -> Change {
        debug_assert!(ends.iter().all(|part| (-FAR..=FAR).contains(part)));
        let (verdict, clash) = self.judge(ends);
        let none = RecoloredCells::Words { fresh: 0, taken: 0 };
        let painted = if verdict == Verdict::Legal { self.paint(ends) } else { none };
        let (last_point, over) = (self.last_point, self.over);
        let mut before = None;
        if verdict == Verdict::Legal || self.rules.counts_illegal() {
            let place = self.entered.len() as u32;
            before = self.index.as_mut().map(|index| Box::new(index.enter(ends, place)));
            let keys = if self.size <= SMALL { Tables::of(self.size).keys(ends) } else { Keys::default() };
            self.entered.push(Entered { play: self.plays.len() as u32, keys });
            if rules::is_point(ends) {
                self.last_point = Some(place);
            }
        }
        self.plays.push(Play { ends, verdict, clash });
        Change { painted, before, last_point, over }
    }

    /// Undoes the last play.
    fn take_back(&mut self, change: Change) {
        let Some(play) = self.plays.pop() else { return };
        self.over = change.over;
        self.last_point = change.last_point;
        if self.entered.last().is_some_and(|entered| entered.play == self.plays.len() as u32) {
            self.entered.pop();
            if let (Some(index), Some(before)) = (&mut self.index, change.before) {
                index.leave(play.ends, *before);
            }
        }
        let mover = self.to_move();
        let (fresh, taken) = match (change.painted, &mut self.board) {
            (RecoloredCells::Words { fresh, taken }, Board::Words(words)) => {
                words[mover] &= !(fresh | taken);
                words[1 - mover] |= taken;
                (fresh.count_ones(), taken.count_ones())
            }
            (RecoloredCells::Cells(cells), Board::Codes(codes)) => {
                let mut taken = 0;
                for &cell in &cells {
                    let was_other = cell & TAKEN != 0;
                    codes[(cell & !TAKEN) as usize] = if was_other { 2 - mover as u8 } else { 0 };
                    taken += u32::from(was_other);
                }
                (cells.len() as u32 - taken, taken)
            }
            _ => (0, 0),
        };
        self.counts[mover] -= fresh + taken;
        self.counts[1 - mover] += taken;
    }

    /// Colors the cells of a legal play for the player to move.
    #[inline]
    fn paint(&mut self, ends: Ends) -> RecoloredCells {
        let mover = self.to_move();
        let (painted, fresh, taken) = match &mut self.board {
            Board::Words(words) => {
                let cells = Tables::of(self.size).cells[bits::number(self.size, ends)];
                let (taken, fresh) = (cells & words[1 - mover], cells & !words[0] & !words[1]);
                words[mover] |= cells;
                words[1 - mover] &= !cells;
                (RecoloredCells::Words { fresh, taken }, fresh.count_ones(), taken.count_ones())
            }
            Board::Codes(codes) => {
                let (size, own) = (self.size, mover as u8 + 1);
                // Changed cells are counted without branches, because a branch per cell could not be predicted.
                let line = tracing::trace(ends, tracing::Method::AmanatidesWoo);
                let (mut cells, mut changed, mut taken) = (vec![0; line.len()], 0, 0);
                for [row, col] in line {
                    let cell = row as usize * size + col as usize;
                    let code = std::mem::replace(&mut codes[cell], own);
                    let others = u32::from(code == 3 - own);
                    cells[changed] = cell as u32 | (others * TAKEN);
                    changed += usize::from(code != own);
                    taken += others;
                }
                cells.truncate(changed);
                let fresh = cells.len() as u32 - taken;
                (RecoloredCells::Cells(cells), fresh, taken)
            }
        };
        self.counts[mover] += fresh + taken;
        self.counts[1 - mover] -= taken;
        painted
    }

    /// Returns how much a play on the board raises the margin of the player to move; the play need not be legal.
    pub fn gain(&self, ends: Ends) -> i64 {
        let mover = self.to_move();
        match &self.board {
            Board::Words(words) => {
                let cells = Tables::of(self.size).cells[bits::number(self.size, ends)];
                i64::from((cells & !words[mover]).count_ones() + (cells & words[1 - mover]).count_ones())
            }
            Board::Codes(codes) => {
                let (mut gain, own) = (0, mover as u8 + 1);
                tracing::thin(ends, |row, col| {
                    let code = codes[row as usize * self.size + col as usize];
                    gain += i64::from(code != own) + i64::from(code != own && code != 0);
                });
                gain
            }
        }
    }

    /// Returns the legal plays of a board up to 8 x 8 as a bitset, or `None` for larger boards.
    ///
    /// # Complexity
    /// 32 operations on words of 64 bits per play of the window, and about 500 regardless of the window; vector
    /// instructions do two to eight operations at a time.
    pub fn legal_bits(&self) -> Option<PlayBits> {
        if self.size > SMALL {
            return None;
        }
        if self.is_fastest() {
            let tables = Tables::of(SMALL);
            // `Some` is inside the macro, so that the result is built in place: a copy would take as long as the work.
            return vectorized!(simd => {
                Some(tables.legal_on_largest(simd, self.rules, self.keys()))
            });
        }
        self.legal_bits_of_any_size()
    }

    /// Does what [`LinearDomination::legal_bits`] does on boards up to 8 x 8 with any rules.
    #[inline(never)] // so that the largest size does not pay for the registers that this function saves
    fn legal_bits_of_any_size(&self) -> Option<PlayBits> {
        let tables = Tables::of(self.size);
        vectorized!(Some(tables.legal(self.rules, self.keys(), self.window().map(|(_, ends)| ends))))
    }

    /// Returns whether [`Tables::legal_on_largest`] can find the legal plays: the board is 8 x 8, the rules do not
    /// compare ends, and the code is compiled for x86-64 or little-endian AArch64.
    fn is_fastest(&self) -> bool {
        let has_vectors = cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_endian = "little"));
        has_vectors && self.size == SMALL && !self.rules.compares_ends()
    }

    /// Iterates over what the plays of the window forbid, on a board up to 8 x 8.
    #[inline(always)]
    fn keys(&self) -> impl Iterator<Item = Keys> + Clone + '_ {
        self.entered[self.window_start()..].iter().map(|entered| entered.keys)
    }

    /// Returns whether no legal play is left; on boards over 32 x 32, whether the window holds a play of zero length
    /// that forbids all plays.
    ///
    /// A play of the window forbids few other plays on a board of `n` x `n`: at most `n^2` by its midpoint, `n^3` by
    /// its direction (a play along a row forbids all plays along columns), and `n^2` each by its tail and its head. So
    /// a short window cannot forbid all plays, and then no play is examined. Otherwise the last legal play found is
    /// tried first: it proves the game open until it is forbidden itself.
    fn find_over(&mut self) -> bool {
        let window = self.entered.len() - self.window_start();
        if self.is_frozen() {
            return true;
        }
        let n = self.size;
        if n > DECIDED {
            return false;
        }
        let all = if self.rules.allows_zero_length() { n.pow(4) } else { n.pow(4) - n.pow(2) };
        let each = n.pow(3) + if self.rules.compares_ends() { 3 } else { 1 } * n.pow(2);
        if window.saturating_mul(each) < all {
            return false;
        }
        let count = n.pow(4);
        let mut near = (0..count.min(NEAR)).map(|step| (self.witness + step) % count);
        let found = near.find(|&play| self.allows(bits::ends(n, play as u64))).or_else(|| {
            let mut mask = vec![false; count];
            self.write_mask(&mut mask);
            mask.iter().position(|&legal| legal)
        });
        self.witness = found.unwrap_or(self.witness);
        found.is_none()
    }
}

impl Game for LinearDomination {
    const NAME: &'static str = "domination";
    const AXES: &'static [&'static str] = &["row", "col", "head row", "head col"];
    type Move = Ends;
    type Change = Change;
    type Reason = Reason;
    const RECORDS: bool = true;

    fn recorded(&self, numbers: &[i64]) -> Result<Ends, Error> {
        let far = i64::from(FAR);
        match <[i64; 4]>::try_from(numbers) {
            Ok(ends) if ends.iter().all(|part| (-far..=far).contains(part)) => Ok(ends.map(|part| part as i32)),
            _ => game::lookup(self, numbers),
        }
    }

    fn parse(text: &str) -> Result<Self, Error> {
        notation::parse(text)
    }

    fn text(&self) -> String {
        notation::text(self)
    }

    fn height(&self) -> usize {
        self.size
    }

    fn width(&self) -> usize {
        self.size
    }

    #[inline]
    fn bounds(&self) -> Ends {
        [self.size as i32; 4]
    }

    #[inline]
    fn status(&self) -> Status {
        match (self.over, self.winner()) {
            (false, _) => Status::Open,
            (true, Some(0)) => Status::Won,
            (true, Some(_)) => Status::Lost,
            (true, None) => Status::Drawn,
        }
    }

    #[inline]
    fn check(&self, ends: Ends) -> Result<(), Reason> {
        if self.allows(ends) {
            return Ok(());
        }
        let (verdict, clash) = self.judge(ends);
        let clash = clash.map(|play| (play, self.plays[play as usize].ends));
        Err(Reason { verdict, clash, lookback: self.lookback, counts_illegal: self.rules.counts_illegal() })
    }

    fn each_legal<F: FnMut(Ends) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()> {
        // A budget without a limit or a watcher never ends the visit.
        self.each_legal_within(&mut Budget::unlimited(), visit).unwrap_or(ControlFlow::Continue(()))
    }

    fn each_legal_within<F: FnMut(Ends) -> ControlFlow<()>>(
        &self,
        budget: &mut Budget<'_>,
        mut visit: F,
    ) -> Result<ControlFlow<()>, Error> {
        if let Some(legal) = self.legal_bits() {
            budget.spend(u64::from(legal.count()))?;
            return Ok(legal.iter().try_for_each(|play| visit(bits::ends(self.size, play as u64))));
        }
        let n = self.size as i32;
        for tail in 0..n * n {
            for head_row in 0..n {
                budget.spend(n as u64)?;
                for head_col in 0..n {
                    let ends = [tail / n, tail % n, head_row, head_col];
                    if self.allows(ends) && visit(ends).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn sample_within(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        game::draw(self, rng, budget)
    }

    fn remembered(&self) -> usize {
        let index = self.index.as_ref().map_or(0, |index| index.bytes());
        self.plays.len() * size_of::<Play>() + self.entered.len() * size_of::<Entered>() + index
    }

    #[inline]
    fn room_to_play(&mut self, moves: usize) -> Result<(), Error> {
        memory::room(&mut self.plays, moves, "the plays of a game")?;
        memory::room(&mut self.entered, moves, "the plays of a game")?;
        self.index.as_mut().map_or(Ok(()), |index| index.room(moves))
    }

    #[inline]
    fn apply(&mut self, ends: Ends) -> Change {
        self.draw(ends)
    }

    fn revert(&mut self, _ends: Ends, change: Change) {
        self.take_back(change);
    }

    fn write_board(&self, out: &mut [u8]) {
        match &self.board {
            Board::Words(_) => {
                for (cell, code) in out.iter_mut().enumerate() {
                    *code = self.code(cell);
                }
            }
            Board::Codes(codes) => out.copy_from_slice(codes),
        }
    }

    fn write_mask(&self, out: &mut [bool]) {
        if self.is_fastest() {
            // The bits are found and spread inside one `vectorized!` instead of two, which saves one switch to code
            // compiled for the machine's vector instructions.
            let tables = Tables::of(self.size);
            return vectorized!(simd => {
                let legal = tables.legal_on_largest(simd, self.rules, self.keys());
                bits::spread_words(simd, &legal.0, out);
            });
        }
        match self.legal_bits() {
            Some(legal) => legal.spread(out),
            None => mask::write(self.size, self.rules, self.window().map(|(_, ends)| ends), out),
        }
    }

    fn write_bits(&self, out: &mut [u8]) {
        if self.is_fastest() {
            // The words are written inside `vectorized!`, so that the copy uses vector instructions.
            let tables = Tables::of(self.size);
            return vectorized!(simd => tables.legal_on_largest(simd, self.rules, self.keys()).write_bytes(out));
        }
        match self.legal_bits() {
            Some(legal) => legal.write_bytes(out),
            None => mask::write_bits(self.size, self.rules, self.window().map(|(_, ends)| ends), out),
        }
    }

    #[inline]
    fn refresh_board(&self, _ends: Ends, change: &Change, board: &mut [u8]) {
        // The play has been made, so the player who made it is the one not to move.
        let own = 2 - self.to_move() as u8;
        match &change.painted {
            RecoloredCells::Words { fresh, taken } => {
                let mut changed = fresh | taken;
                while changed != 0 {
                    board[changed.trailing_zeros() as usize] = own;
                    changed &= changed - 1;
                }
            }
            RecoloredCells::Cells(cells) => cells.iter().for_each(|&cell| board[(cell & !TAKEN) as usize] = own),
        }
    }
}
