//! The end of a game, searched completely: what every line is worth if both sides play their best until no line is
//! left.
//!
//! Near the end few legal plays are left, and each forbids at least all others with the same midpoint, so that all
//! orders of the plays can be searched. Plays that cross the same cells and forbid the same plays, often a play and its
//! reverse, are one *line* here.
//!
//! ```text
//! X to move, three lines left that do not forbid each other: A crosses 5 empty cells, and B and C cross 3 other empty
//! cells each, 2 of which they share
//! X draws A, O draws B, X draws C:  5 cells to 3, then C takes 2 cells from O and 1 empty cell:  X ends 7 ahead
//! X draws B, O draws A, X draws C:  3 cells to 5, then C takes 1 empty cell:                     X ends 1 behind
//! ```

use super::bits::{self, Tables};
use super::reason::AdviceRule;
use super::rules::{self, Ends};
use super::{Board, LinearDomination};
use crate::core::hash::Map;
use crate::core::{Budget, Error, memory};

/// The largest number of legal plays at which the rest of a game is searched.
const MAX_PLAYS: u32 = 18;

/// A set of lines, one bit per line.
type LineSet = u32;

/// A play, and all other plays that cross the same cells and forbid the same plays.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The first of these plays in lexicographic order.
    play: Ends,
    /// The cells that the play crosses, one bit per cell.
    cells: u64,
    /// The lines that are illegal after this one, itself included.
    forbids: LineSet,
}

/// Which lines are left, and who owns which cells; the final margin under best play depends on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    left: LineSet,
    /// The cells of the player to move.
    own: u64,
    /// The cells of the other player.
    other: u64,
}

/// The advice to the player whose turn it is, with the number of best lines and the loss of the greedy line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The easiest rule that finds a best line.
    pub rule: AdviceRule,
    /// The play of the advised line.
    pub play: Ends,
    /// The number of lines to choose from (plays with equal cells and equal prohibitions count once).
    pub lines: u32,
    /// The number of lines that reach the best margin.
    pub best: u32,
    /// How much smaller the final margin is after the line with the largest immediate gain than after the best line.
    pub lost: i64,
    /// Cells of the player to move minus those of the other player at the end, if both play their best.
    pub margin: i64,
}

/// The rest of a game, small enough to search completely.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    lines: Vec<Line>,
    start: Position,
    /// The margins of the positions searched so far.
    margins: Map<Position, i64>,
}

/// Iterates over the indices of the lines of a set, in ascending order.
fn each(mut set: LineSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let line = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(line)
    })
}

impl LinearDomination {
    /// Returns the rest of the game for a complete search; `None` if the board is larger than 8 x 8, if there are more
    /// than 18 legal plays, or if a play can leave the window before the end.
    pub(super) fn ending(&self) -> Option<Ending> {
        let Board::Words(words) = self.board else { return None };
        let legal = self.legal_bits().filter(|legal| legal.count() <= MAX_PLAYS)?;
        let plays: Vec<Ends> = legal.iter().map(|play| bits::ends(self.size, play as u64)).collect();
        // A play in the window forbids its midpoint, so at most as many plays follow as there are midpoints left. If
        // all plays, earlier and later ones, fit into the window, none leaves it, and what is forbidden stays
        // forbidden.
        let mut midpoints: Vec<[i32; 2]> = plays.iter().copied().map(rules::midpoint).collect();
        midpoints.sort_unstable();
        midpoints.dedup();
        if self.entered.len() + midpoints.len() > self.lookback as usize {
            return None;
        }
        let cells = &Tables::of(self.size).cells;
        let all: Vec<Line> = plays
            .iter()
            .map(|&play| Line {
                play,
                cells: cells[bits::number(self.size, play)],
                // Shifting in the last play first leaves play i in bit i.
                forbids: plays
                    .iter()
                    .rev()
                    .fold(0, |forbids, &later| forbids << 1 | LineSet::from(rules::clashes(self.rules, later, play))),
            })
            .collect();
        // The first of equal plays is kept as the line for all of them; the bits of the others are removed from every
        // set.
        let same = |one: &Line, two: &Line| (one.cells, one.forbids) == (two.cells, two.forbids);
        let kept: Vec<usize> =
            (0..all.len()).filter(|&i| !all[..i].iter().any(|before| same(before, &all[i]))).collect();
        let renumbered =
            |forbids: LineSet| kept.iter().rev().fold(0, |found, &line| found << 1 | (forbids >> line & 1));
        let lines = kept.iter().map(|&i| Line { forbids: renumbered(all[i].forbids), ..all[i] }).collect();
        let mover = self.to_move();
        let left = ((1u64 << kept.len()) - 1) as LineSet;
        let start = Position { left, own: words[mover], other: words[1 - mover] };
        Some(Ending { lines, start, margins: Map::default() })
    }
}

impl Ending {
    /// Returns the position after a line, from the point of view of the player who is then to move.
    fn after(&self, position: Position, line: usize) -> Position {
        let Line { cells, forbids, .. } = self.lines[line];
        Position { left: position.left & !forbids, own: position.other & !cells, other: position.own | cells }
    }

    /// Returns how much a line raises the margin of the player to move: 1 per empty cell, 2 per cell of the other
    /// player.
    fn gain(&self, position: Position, line: usize) -> i64 {
        let cells = self.lines[line].cells;
        i64::from((cells & !position.own).count_ones() + (cells & position.other).count_ones())
    }

    /// Returns the line with the largest immediate gain, the first of equals; `None` if no line is left.
    fn greedy(&self, position: Position) -> Option<usize> {
        each(position.left).max_by_key(|&line| (self.gain(position, line), std::cmp::Reverse(line)))
    }

    /// Returns the gain of a line minus the largest gain of an answer to it.
    fn balance(&self, position: Position, line: usize) -> i64 {
        let after = self.after(position, line);
        self.gain(position, line) - self.greedy(after).map_or(0, |answer| self.gain(after, answer))
    }

    /// Returns the margin of the player to move at the end, if both play their best.
    fn margin(&mut self, position: Position, budget: &mut Budget<'_>) -> Result<i64, Error> {
        if position.left == 0 {
            return Ok(i64::from(position.own.count_ones()) - i64::from(position.other.count_ones()));
        }
        if let Some(&margin) = self.margins.get(&position) {
            return Ok(margin);
        }
        budget.spend(u64::from(position.left.count_ones()))?;
        let mut best = i64::MIN;
        for line in each(position.left) {
            let after = self.after(position, line);
            best = best.max(-self.margin(after, budget)?);
        }
        memory::slot(&mut self.margins, "the end of the game")?;
        self.margins.insert(position, best);
        Ok(best)
    }

    /// Returns the advice for a position, and the position after the advised line; `None` if no line is left.
    ///
    /// The rules are tried from the easiest to the hardest; the first that reaches the margin of best play is named.
    fn turn(&mut self, position: Position, budget: &mut Budget<'_>) -> Result<Option<(Turn, Position)>, Error> {
        let Some(greedy) = self.greedy(position) else { return Ok(None) };
        let margin = self.margin(position, budget)?;
        let mut ends = Vec::new();
        for line in each(position.left) {
            ends.push((line, -self.margin(self.after(position, line), budget)?));
        }
        let end_of = |line: usize| ends.iter().find(|&&(other, _)| other == line).map_or(i64::MIN, |&(_, end)| end);
        // Breaks ties: the line with the largest immediate gain, then the first.
        let first = |line: &usize| (self.gain(position, *line), std::cmp::Reverse(*line));
        let balanced =
            each(position.left).max_by_key(|line| (self.balance(position, *line), first(line))).unwrap_or(greedy);
        // The deny rule applies only if its line has a better balance than the greedy line and reaches the best margin.
        let denies = self.balance(position, balanced) > self.balance(position, greedy) && end_of(balanced) == margin;
        let (rule, line) = if end_of(greedy) == margin {
            (AdviceRule::Gain, greedy)
        } else if denies {
            (AdviceRule::Deny, balanced)
        } else {
            let best = each(position.left).filter(|&line| end_of(line) == margin).max_by_key(first);
            (AdviceRule::Endgame, best.unwrap_or(greedy))
        };
        let turn = Turn {
            rule,
            play: self.lines[line].play,
            lines: position.left.count_ones(),
            best: ends.iter().filter(|&&(_, end)| end == margin).count() as u32,
            lost: margin - end_of(greedy),
            margin,
        };
        Ok(Some((turn, self.after(position, line))))
    }

    /// Returns the turns from the start to the end of the game; both sides play the advised lines.
    pub(super) fn turns(&mut self, budget: &mut Budget<'_>) -> Result<Vec<Turn>, Error> {
        let (mut found, mut position) = (Vec::new(), self.start);
        while let Some((turn, after)) = self.turn(position, budget)? {
            found.push(turn);
            position = after;
        }
        Ok(found)
    }
}
