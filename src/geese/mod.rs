//! GeeseSpotter: show every field without a goose; a number is the count of geese around its field.
//!
//! ```text
//! 00**1     *  hidden            Showing a zero, a field with no goose around it, also shows its
//! 11***     M  hidden, marked    neighbors unless they are marked, but no further fields: a zero
//! **M**     0..8  geese around   among them must be shown again to show its own neighbors.
//! 1110*     9  a goose
//! 0000*
//! ```
//!
//! * A move shows or marks a field: `(0, row, col)` or `(1, row, col)`; a second mark removes the first. A marked field
//!   is shown neither by a move nor by a zero beside it; a mark changes nothing else on the board.
//! * Showing a goose loses. The game is won once every field without a goose is shown. This is checked only after an
//!   action, so a board full of geese is won by a mark.
//! * A revealed zero may be shown again while it has a neighbor that is hidden and not marked.
//! * With the word `flood` on the first line of the notation, a zero opens its whole region, as in classic Minesweeper.
//!   The source document, named below, shows such a board in section 7.2 as a wrong result, but its picture contradicts
//!   itself: the field at x 3, y 4 reads 1 although all its neighbors are shown and none is a goose. The level
//!   `section72_flood` of the tests has a goose at x 4, y 5 that explains the 1, so the level differs from the picture
//!   in the lower right corner.
//!
//! Terms: a *field* is hidden, marked (and hidden) or revealed; a hidden field without a mark is *covered*. A [`View`]
//! is what a player may know; solvers get nothing else. Source: Project 3 of the course ECE 150, "Geesespotter". The
//! encoding of a field and the return codes of `reveal` and `mark` are exactly those of the source. As in the fourth
//! call of `reveal` in section 4.2 of the source, showing a revealed zero again returns the code for a revealed field,
//! but reveals the covered neighbors of the zero.

mod chances;
mod deal;
mod difficulty;
mod endgame;
pub mod fields;
mod known;
mod measure;
mod notation;
pub mod optimal;
mod play;
mod reason;
mod toss;
mod view;

use std::fmt;
use std::ops::{ControlFlow, Range};

pub use chances::{Chances, Engine};
pub use deal::{Deal, deal_many};
pub use difficulty::Effort;
pub use play::{Advice, Player, Policy, play_many};
pub use reason::{FieldReason, Reasoner, Rule, Step, Verdict};
pub use view::View;

use crate::core::{Error, Game, Status, memory};
use fields::{GOOSE, HIDDEN_BIT, MARKED_BIT, VALUE_MASK, each_neighbor, is_covered};

/// Returns a number of geese with its noun: "1 goose", "2 geese".
pub(crate) fn counted_geese(geese: usize) -> String {
    format!("{geese} {}", if geese == 1 { "goose" } else { "geese" })
}

/// The action of a move that shows a field.
pub const SHOW: i32 = 0;

/// The action of a move that marks or unmarks a field.
pub const MARK: i32 = 1;

/// A position of GeeseSpotter.
///
/// Invariant: the values of `fields` are correct, only hidden fields are marked, and `geese`, `left`, `disturbed` and
/// `marks` agree with `fields`. The number of undone shows of a goose is not part of the position: `==` and the
/// notation ignore it.
#[derive(Debug)]
pub struct GeeseSpotter {
    height: u32,
    width: u32,
    geese: u32,
    flood: bool,
    /// The fields in the source's encoding, row-major, including the values of hidden fields.
    fields: Vec<u8>,
    /// The number of hidden fields without a goose.
    left: u32,
    /// The number of revealed geese.
    disturbed: u32,
    /// The number of marked fields.
    marks: u32,
    /// The number of shows of a goose that were undone.
    lives: u32,
}

impl Clone for GeeseSpotter {
    fn clone(&self) -> Self {
        Self { fields: self.fields.clone(), ..*self }
    }

    /// Copies `source` into memory that is already allocated, because batches restart games often.
    fn clone_from(&mut self, source: &Self) {
        let mut fields = std::mem::take(&mut self.fields);
        fields.clone_from(&source.fields);
        *self = Self { fields, ..*source };
    }
}

impl PartialEq for GeeseSpotter {
    fn eq(&self, other: &Self) -> bool {
        (self.height, self.width, self.flood) == (other.height, other.width, other.flood) && self.fields == other.fields
    }
}

/// The fields that a move revealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The revealed fields of the 3 x 3 block around the move's field, one bit per field, row-major from bit 0.
    block: u16,
    /// The indices of further fields, which only the chain reaction reveals.
    chain: Vec<u32>,
}

/// The reason why the rules refuse a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A show of a marked field.
    Marked,
    /// A show of a revealed field that is not a zero.
    Revealed,
    /// A show of a revealed zero with no covered neighbor.
    NothingToShow,
    /// A mark on a revealed field.
    MarkOnRevealed,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Marked => "the field is marked; unmark it first",
            Self::Revealed => "the field is already revealed",
            Self::NothingToShow => "the field is already revealed and has no hidden, unmarked neighbor to show",
            Self::MarkOnRevealed => "the field is already revealed; only a hidden field can be marked",
        })
    }
}

impl GeeseSpotter {
    /// Creates a position from valid fields with correct values.
    fn from_fields(height: usize, width: usize, flood: bool, fields: Vec<u8>) -> Self {
        debug_assert_eq!(fields.len(), height * width);
        let (mut geese, mut left, mut disturbed, mut marks) = (0, 0, 0, 0);
        for &field in &fields {
            let (goose, hidden) = (field & VALUE_MASK == GOOSE, field & HIDDEN_BIT != 0);
            geese += u32::from(goose);
            left += u32::from(!goose && hidden);
            disturbed += u32::from(goose && !hidden);
            marks += u32::from(field & MARKED_BIT != 0);
        }
        Self { height: height as u32, width: width as u32, geese, flood, fields, left, disturbed, marks, lives: 0 }
    }

    /// Returns the number of geese on the board, which the player knows from the start.
    pub fn geese(&self) -> usize {
        self.geese as usize
    }

    /// Returns `true` if a zero opens its whole region, as in classic Minesweeper (the chain reaction).
    pub fn flood(&self) -> bool {
        self.flood
    }

    /// Returns the position with the chain reaction of classic Minesweeper (`flood` is `true`) or without it.
    #[must_use]
    pub fn with_flood(mut self, flood: bool) -> Self {
        self.flood = flood;
        self
    }

    /// Returns the number of shows of a goose that were undone.
    pub fn lives(&self) -> u32 {
        self.lives
    }

    /// Sets the count that [`GeeseSpotter::lives`] returns. A saved game stores the count separately from the moves,
    /// because replaying the moves does not repeat what was undone.
    pub fn set_lives(&mut self, lives: u32) {
        self.lives = lives;
    }

    /// Returns all fields in the source's encoding, row-major, including the values of hidden fields.
    pub fn secret(&self) -> &[u8] {
        &self.fields
    }

    /// Returns what a player may know.
    pub fn view(&self) -> View {
        View::of(self)
    }

    /// Returns the code that the source's `reveal` or `mark` returns for a move within the bounds; the position does
    /// not change.
    pub fn code(&self, [action, row, col]: [i32; 3]) -> u8 {
        let field = self.fields[self.index(row, col)];
        if action == SHOW && field & MARKED_BIT != 0 {
            fields::code::MARKED
        } else if field & HIDDEN_BIT == 0 {
            fields::code::REVEALED
        } else if action == SHOW && field & VALUE_MASK == GOOSE {
            fields::code::GOOSE
        } else {
            fields::code::DONE
        }
    }

    /// Returns the row-major index of a field.
    #[inline]
    fn index(&self, row: i32, col: i32) -> usize {
        row as usize * self.width as usize + col as usize
    }

    /// Returns the row range and the column range of the 3 x 3 block around a field, clipped to the board.
    #[inline]
    fn window(&self, row: usize, col: usize) -> (Range<usize>, Range<usize>) {
        let rows = row.saturating_sub(1)..(row + 2).min(self.height as usize);
        (rows, col.saturating_sub(1)..(col + 2).min(self.width as usize))
    }

    /// Returns `true` if a neighbor of a revealed field is covered.
    #[inline]
    fn has_covered_neighbor(&self, row: usize, col: usize) -> bool {
        let width = self.width as usize;
        let (rows, cols) = self.window(row, col);
        rows.into_iter().any(|r| self.fields[r * width..][cols.clone()].iter().any(|&field| is_covered(field)))
    }

    /// Returns `true` if every field is hidden and unmarked, as at the start.
    #[inline]
    fn is_covered(&self) -> bool {
        self.marks == 0 && self.disturbed == 0 && (self.left + self.geese) as usize == self.fields.len()
    }

    /// Returns `true` if a show of a field is legal.
    #[inline]
    fn can_show(&self, row: usize, col: usize) -> bool {
        let field = self.fields[row * self.width as usize + col];
        is_covered(field) || (field == 0 && self.has_covered_neighbor(row, col))
    }

    /// Returns `true` if a row has at least the eight fields of a word. Narrower boards are handled field by field.
    #[inline]
    fn is_wide(&self) -> bool {
        self.width >= 8
    }

    /// Returns eight columns that include the given one, on a wide board.
    #[inline]
    fn strip(&self, col: usize) -> Strip {
        let from = col.saturating_sub(3).min(self.width as usize - 8);
        Strip { from, place: col - from }
    }

    /// Returns the fields of a strip in a row, one byte per field, the leftmost in the lowest byte.
    #[inline]
    fn word(&self, row: usize, strip: Strip) -> u64 {
        let eight = self.fields[row * self.width as usize + strip.from..].first_chunk();
        eight.map_or(ONES, |&eight| u64::from_le_bytes(eight))
    }

    /// Updates both halves of a mask of moves, `show` and `mark`, after a chain reaction on a wide board revealed the
    /// fields of `chain`.
    #[inline(never)] // so that a step inlines `refresh_around` only once
    fn refresh_chain(&self, chain: &[u32], show: &mut [bool], mark: &mut [bool]) {
        for &at in chain {
            let (row, col) = (at / self.width, at % self.width);
            self.refresh_around(row as usize, col as usize, 1, show, mark);
        }
    }

    /// Updates both halves of a mask of moves, `show` and `mark`, on a wide board after fields less than `reach` (1 or
    /// 2) away from the given field changed. Zeros beside a changed field are updated too: they may be shown only while
    /// they have a covered neighbor.
    #[inline]
    fn refresh_around(&self, row: usize, col: usize, reach: usize, show: &mut [bool], mark: &mut [bool]) {
        let (width, height, strip) = (self.width as usize, self.height as usize, self.strip(col));
        // A single field changed: if it is not a zero and no zero is beside it, only its own two moves can differ.
        if reach == 1 {
            let index = row * width + col;
            let zeros = |r| zero_bytes(self.word(r, strip)) & BESIDE[strip.place % 8];
            if self.window(row, col).0.fold(0, |any, r| any | zeros(r)) == 0 {
                show[index] = is_covered(self.fields[index]);
                mark[index] = self.fields[index] & HIDDEN_BIT != 0;
                return;
            }
        }
        // Returns the word of a row, its covered fields (in the high bit of each byte), and the covered fields together
        // with the fields left and right of them: a shift by a byte moves a field to the neighboring column. Rows off
        // the board count as revealed.
        let look = |r: usize| {
            let word = if r < height { self.word(r, strip) } else { ONES };
            let covered = covered_bytes(word);
            (word, covered, covered | covered << 8 | covered >> 8)
        };
        let start = row.saturating_sub(reach);
        let mut above = look(start.wrapping_sub(1)).2;
        let (mut word, mut covered, mut here) = look(start);
        for r in start..(row + reach + 1).min(height) {
            let below = look(r + 1);
            let (zeros, changed) = (zero_bytes(word), r.abs_diff(row) < reach);
            let at = r * width + strip.from;
            if changed || zeros != 0 {
                // Only bytes near the place are written: a zero farther away may have neighbors outside the strip.
                let (old, near) = (flags(&show[at..]), NEAR[strip.place % 8]);
                let new = (covered | (zeros & (above | here | below.2))) >> 7;
                put_flags(&mut show[at..], (new & near) | (old & !near));
            }
            if changed {
                put_flags(&mut mark[at..], (word & HIDDEN) / u64::from(HIDDEN_BIT));
            }
            above = here;
            (word, covered, here) = below;
        }
    }

    /// Reveals a hidden field.
    #[inline]
    fn uncover(&mut self, index: usize) {
        let field = self.fields[index] & !HIDDEN_BIT;
        self.fields[index] = field;
        let goose = u32::from(field == GOOSE);
        self.disturbed += goose;
        self.left -= 1 - goose;
    }

    /// Hides a revealed field.
    #[inline]
    fn cover(&mut self, index: usize) {
        let goose = u32::from(self.fields[index] == GOOSE);
        self.fields[index] |= HIDDEN_BIT;
        self.disturbed -= goose;
        self.left += 1 - goose;
    }

    /// Reveals the covered fields around a zero, a row of three at a time.
    #[inline]
    fn open_around(&mut self, row: usize, col: usize, change: &mut Change) {
        let (strip, before) = (self.strip(col), change.block);
        for r in row.saturating_sub(1)..(row + 2).min(self.height as usize) {
            let word = self.word(r, strip);
            let opened = covered_bytes(word) & BESIDE[strip.place % 8];
            if opened != 0 {
                // `opened` has the high bit (0x80) of the byte of each field to reveal; the hidden bit (0x20) is two
                // bits lower.
                put(&mut self.fields[r * self.width as usize + strip.from..], word & !(opened >> 2));
                // The byte left of the place is rotated to the lowest position, and the flags of three bytes are
                // gathered into three bits.
                let three = opened.rotate_right(8 * strip.place as u32).rotate_left(8) >> 7;
                change.block |= ((three | three >> 7 | three >> 14) as u16 & 7) << (3 * (r + 1 - row));
            }
        }
        // No field around a zero is a goose.
        self.left -= (change.block & !before).count_ones();
    }

    /// Reveals a field if it is covered. If the field is a zero, also reveals its covered neighbors and, with `flood`,
    /// runs the chain reaction. Returns the fields that were revealed.
    #[inline]
    fn show(&mut self, row: i32, col: i32) -> Change {
        let mut change = Change { block: 0, chain: Vec::new() };
        let index = self.index(row, col);
        if is_covered(self.fields[index]) {
            self.uncover(index);
            change.block = 1 << 4;
        }
        if self.fields[index] != 0 {
            return change;
        }
        if self.is_wide() {
            self.open_around(row as usize, col as usize, &mut change);
        } else {
            for (bit, at) in self.block(row, col) {
                if is_covered(self.fields[at]) {
                    self.uncover(at);
                    change.block |= 1 << bit;
                }
            }
        }
        if self.flood {
            self.chain_reaction(row, col, &mut change);
        }
        change
    }

    /// Reveals the covered fields around the zeros that a show of a field has revealed, and around all zeros revealed
    /// in turn.
    #[inline(never)] // so that `show` is inlined into a step
    fn chain_reaction(&mut self, row: i32, col: i32, change: &mut Change) {
        let zeros = self.revealed(row, col, change).filter(|&at| self.fields[at] == 0);
        let mut zeros: Vec<u32> = zeros.map(|at| at as u32).collect();
        while let Some(zero) = zeros.pop() {
            each_neighbor(self.height as usize, self.width as usize, zero as usize, |at| {
                if is_covered(self.fields[at]) {
                    self.uncover(at);
                    change.chain.push(at as u32);
                    if self.fields[at] == 0 {
                        zeros.push(at as u32);
                    }
                }
            });
        }
    }

    /// Iterates over the indices of the fields that a show revealed.
    fn revealed<'a>(&self, row: i32, col: i32, change: &'a Change) -> impl Iterator<Item = usize> + use<'a> {
        let block = self.block(row, col).filter(|&(bit, _)| change.block & 1 << bit != 0).map(|(_, at)| at);
        block.chain(change.chain.iter().map(|&at| at as usize))
    }

    /// Iterates over the fields on the board in the 3 x 3 block around a field; yields the bit of each in [`Change`]
    /// and its index.
    #[inline]
    fn block(&self, row: i32, col: i32) -> impl Iterator<Item = (u32, usize)> + use<> {
        let (height, width) = (self.height as i32, self.width as i32);
        (0..9u32).filter_map(move |bit| {
            let (r, c) = (row + bit as i32 / 3 - 1, col + bit as i32 % 3 - 1);
            (r >= 0 && c >= 0 && r < height && c < width).then_some((bit, (r * width + c) as usize))
        })
    }
}

/// Eight columns of the board, from column `from` on. One row of them is a word, one byte per field. `place` is the
/// byte of the column that the strip was made for; the strip has at least three columns on each side of that column,
/// except near the border.
#[derive(Clone, Copy)]
struct Strip {
    from: usize,
    place: usize,
}

/// A word with a 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// A word with the hidden bit in each byte.
const HIDDEN: u64 = ONES * HIDDEN_BIT as u64;
/// A word with the marked bit in each byte.
const MARKED: u64 = ONES * MARKED_BIT as u64;

/// By place: the bytes of a word that are at most one place away.
const BESIDE: [u64; 8] = around(1);
/// By place: the bytes of a word that are at most two places away.
const NEAR: [u64; 8] = around(2);

/// Returns, by place, the bytes of a word that are at most `reach` places away.
const fn around(reach: usize) -> [u64; 8] {
    let mut found = [0; 8];
    let mut at = 0;
    while at < 64 {
        let (place, byte): (usize, usize) = (at / 8, at % 8);
        if place.abs_diff(byte) <= reach {
            found[place] |= 0xff << (8 * byte);
        }
        at += 1;
    }
    found
}

/// Returns the high bit of each byte that is 0; all bytes must be less than 0x80. Adding 0x7f sets the high bit of
/// each byte that is not 0.
#[inline]
const fn zero_bytes(word: u64) -> u64 {
    !(word + 0x7f * ONES) & (0x80 * ONES)
}

/// Returns the high bit of each byte that is a covered field: hidden (bit 5, shifted by 2) and not marked (bit 4,
/// shifted by 3).
#[inline]
const fn covered_bytes(word: u64) -> u64 {
    ((word & HIDDEN) << 2) & !((word & MARKED) << 3)
}

/// Writes the bytes of a word.
#[inline]
fn put(out: &mut [u8], word: u64) {
    if let Some(out) = out.first_chunk_mut() {
        *out = word.to_le_bytes();
    }
}

/// Reads flags as the bytes of a word.
#[inline]
fn flags(from: &[bool]) -> u64 {
    from.first_chunk().map_or(0, |from| u64::from_le_bytes(from.map(u8::from)))
}

/// Writes the lowest bit of each byte of a word as a flag.
#[inline]
fn put_flags(out: &mut [bool], word: u64) {
    if let Some(out) = out.first_chunk_mut() {
        *out = (word & ONES).to_le_bytes().map(|byte| byte != 0);
    }
}

/// Returns a field as a player sees it: with the value 0 if it is hidden.
#[inline]
const fn seen(field: u8) -> u8 {
    let keep = if field & HIDDEN_BIT == 0 { VALUE_MASK } else { 0 };
    field & (HIDDEN_BIT | MARKED_BIT | keep)
}

/// Applies [`seen`] to each of eight fields.
#[inline]
const fn seen_bytes(word: u64) -> u64 {
    // Dividing the hidden bits by `HIDDEN_BIT` leaves a 1 in each hidden byte; multiplying by the mask selects the
    // values to clear.
    word & !((word & HIDDEN) / HIDDEN_BIT as u64 * VALUE_MASK as u64)
}

impl Game for GeeseSpotter {
    const NAME: &'static str = "geese";
    const AXES: &'static [&'static str] = &["action", "row", "col"];
    type Move = [i32; 3];
    type Change = Change;
    type Reason = Reason;

    fn parse(text: &str) -> Result<Self, Error> {
        notation::parse(text)
    }

    fn text(&self) -> String {
        notation::write(self)
    }

    fn height(&self) -> usize {
        self.height as usize
    }

    fn width(&self) -> usize {
        self.width as usize
    }

    fn bounds(&self) -> [i32; 3] {
        [2, self.height as i32, self.width as i32]
    }

    #[inline]
    fn status(&self) -> Status {
        if self.disturbed > 0 {
            return Status::Lost;
        }
        // The source checks for a win only after an action. On a board full of geese the only action that does not lose
        // is a mark.
        let acted = self.geese as usize != self.fields.len() || self.marks > 0;
        if self.left == 0 && acted { Status::Won } else { Status::Open }
    }

    #[inline]
    fn check(&self, [action, row, col]: [i32; 3]) -> Result<(), Reason> {
        let index = self.index(row, col);
        let field = self.fields[index];
        match (action, field & HIDDEN_BIT != 0) {
            (MARK, true) => Ok(()),
            (MARK, false) => Err(Reason::MarkOnRevealed),
            (_, true) if field & MARKED_BIT != 0 => Err(Reason::Marked),
            (_, true) => Ok(()),
            (_, false) if field != 0 => Err(Reason::Revealed),
            (_, false) if self.has_covered_neighbor(row as usize, col as usize) => Ok(()),
            (_, false) => Err(Reason::NothingToShow),
        }
    }

    fn each_legal<F: FnMut([i32; 3]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        let (height, width) = (self.height as i32, self.width as i32);
        for action in [SHOW, MARK] {
            let mut index = 0;
            for row in 0..height {
                for col in 0..width {
                    let legal = if action == SHOW {
                        self.can_show(row as usize, col as usize)
                    } else {
                        self.fields[index] & HIDDEN_BIT != 0
                    };
                    if legal {
                        visit([action, row, col])?;
                    }
                    index += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn room_to_play(&mut self, _moves: usize) -> Result<(), Error> {
        // The two lists of a chain reaction, while the longer one grows.
        if self.flood { memory::probe(self.left as usize * memory::PER_CELL, "the fields of a region") } else { Ok(()) }
    }

    #[inline]
    fn apply(&mut self, [action, row, col]: [i32; 3]) -> Change {
        if action == SHOW {
            return self.show(row, col);
        }
        let index = self.index(row, col);
        self.fields[index] ^= MARKED_BIT;
        if self.fields[index] & MARKED_BIT != 0 {
            self.marks += 1;
        } else {
            self.marks -= 1;
        }
        Change { block: 0, chain: Vec::new() }
    }

    fn revert(&mut self, [action, row, col]: [i32; 3], change: Change) {
        if action == MARK {
            self.apply([action, row, col]);
            return;
        }
        self.lives = self.lives.saturating_add(u32::from(self.disturbed > 0));
        for (bit, at) in self.block(row, col) {
            if change.block & 1 << bit != 0 {
                self.cover(at);
            }
        }
        for at in change.chain {
            self.cover(at as usize);
        }
    }

    fn write_board(&self, out: &mut [u8]) {
        if self.is_covered() {
            out.fill(HIDDEN_BIT);
            return;
        }
        for (out, &field) in out.iter_mut().zip(&self.fields) {
            *out = seen(field);
        }
    }

    fn write_mask(&self, out: &mut [bool]) {
        if self.is_covered() {
            out.fill(true);
            return;
        }
        let (show, mark) = out.split_at_mut(self.fields.len());
        let mut zeros = 0;
        for ((show, mark), &field) in show.iter_mut().zip(mark).zip(&self.fields) {
            *show = is_covered(field);
            *mark = field & HIDDEN_BIT != 0;
            zeros |= u8::from(field == 0);
        }
        if zeros != 0 {
            for row in 0..self.height as usize {
                for col in 0..self.width as usize {
                    let index = row * self.width as usize + col;
                    if self.fields[index] == 0 {
                        show[index] = self.has_covered_neighbor(row, col);
                    }
                }
            }
        }
    }

    #[inline]
    fn refresh_board(&self, [_, row, col]: [i32; 3], change: &Change, board: &mut [u8]) {
        if !self.is_wide() {
            return self.write_board(board);
        }
        let index = self.index(row, col);
        board[index] = seen(self.fields[index]);
        if change.block & !(1 << 4) != 0 {
            let (width, strip) = (self.width as usize, self.strip(col as usize));
            for r in (row as usize).saturating_sub(1)..(row as usize + 2).min(self.height as usize) {
                put(&mut board[r * width + strip.from..], seen_bytes(self.word(r, strip)));
            }
        }
        for &at in &change.chain {
            board[at as usize] = seen(self.fields[at as usize]);
        }
    }

    #[inline]
    fn refresh_mask(&self, [_, row, col]: [i32; 3], change: &Change, mask: &mut [bool]) {
        if !self.is_wide() {
            return self.write_mask(mask);
        }
        let (show, mark) = mask.split_at_mut(self.fields.len());
        // A zero beside a field that was revealed, marked or unmarked may have lost its last covered neighbor, or
        // gained one.
        self.refresh_around(row as usize, col as usize, if change.block & !(1 << 4) != 0 { 2 } else { 1 }, show, mark);
        if !change.chain.is_empty() {
            self.refresh_chain(&change.chain, show, mark);
        }
    }
}
