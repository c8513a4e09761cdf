//! The input format of the source document: `N K` and the plays, 1-based. Unlike in the document, the text may name a
//! rule set after `N K`.

use std::fmt::Write as _;

use super::{Ends, FAR, LinearDomination, MAX_LOOKBACK, MAX_SIZE, Rules};
use crate::core::text::{self, Word, quote};
use crate::core::{Budget, Error};

/// Reads `N K`, optionally the name of a rule set, and the plays, without a budget.
pub(super) fn parse(text: &str) -> Result<LinearDomination, Error> {
    LinearDomination::parse_watched(text, None, &mut Budget::unlimited())
}

/// Reads text within a budget, as [`LinearDomination::parse_watched`] does.
fn read(text: &str, chosen: Option<Rules>, budget: &mut Budget<'_>) -> Result<LinearDomination, Error> {
    let mut words = text::lines(text).flat_map(text::Line::words).peekable();
    let missing = |expected: &str| {
        let (line, column) = text::end(text);
        Error::level(line, column, format!("{expected} is missing"))
    };
    let size = words.next().ok_or_else(|| missing("the size N"))?;
    let size = size.number("the size N", 1, MAX_SIZE as i64)? as usize;
    let lookback = words.next().ok_or_else(|| missing("the lookback K"))?;
    let lookback = lookback.number("the lookback K", 0, i64::from(MAX_LOOKBACK))? as u32;
    let mut rules = Rules::Document;
    if let Some(word) = words.next_if(|word| word.text.starts_with(|c: char| c.is_ascii_alphabetic())) {
        rules = Rules::named(word.text).ok_or_else(|| {
            let found = quote(word.text);
            word.error(format!("rules must be document, standard or uccs2023, got {found}"))
        })?;
    }
    let mut game = LinearDomination::empty(size, lookback, chosen.unwrap_or(rules)).map_err(|error| error.at(1, 1))?;
    while words.peek().is_some() {
        budget.spend(1)?;
        let mut ends: Ends = [0; 4];
        let names = ["the row of a tail", "the column of a tail", "the row of a head", "the column of a head"];
        for (i, (part, name)) in ends.iter_mut().zip(names).enumerate() {
            let incomplete = || missing(&format!("{name} (the play has {i} of 4 numbers)"));
            *part = coordinate(words.next().ok_or_else(incomplete)?, name)?;
        }
        game.enter(ends);
    }
    game.over = game.find_over();
    Ok(game)
}

/// Reads a coordinate, 1-based in the text, and returns it 0-based.
fn coordinate(word: Word<'_>, name: &str) -> Result<i32, Error> {
    let far = i64::from(FAR);
    Ok((word.number(name, 1 - far, 1 + far)? - 1) as i32)
}

/// Writes the header, with the rule set unless it is the default for texts, and one play per line.
pub(super) fn text(game: &LinearDomination) -> String {
    let mut text = format!("{} {}", game.size, game.lookback);
    if game.rules != Rules::Document {
        text += " ";
        text += game.rules.name();
    }
    text += "\n";
    for play in &game.plays {
        let [a, b, c, d] = play.ends.map(|part| part + 1);
        let _ = writeln!(text, "{a} {b} {c} {d}");
    }
    text
}

impl LinearDomination {
    /// Reads text within a budget that counts plays. `rules`, if given, replaces the rule set that the text names,
    /// or the default for texts ([`Rules::Document`]).
    ///
    /// # Errors
    /// Returns [`Error::Level`] for the first mistake in the text, and [`Error::Limit`] or [`Error::Interrupted`] if
    /// the budget ends the reading.
    pub fn parse_watched(text: &str, rules: Option<Rules>, budget: &mut Budget<'_>) -> Result<Self, Error> {
        read(text, rules, budget)
    }

    /// Returns the board as the source document prints it: each cell as the character `empty`, `X` or `O` followed by
    /// a space, one row per line.
    pub fn display_board(&self, empty: char) -> String {
        let mut shown = String::with_capacity(self.size * (2 * self.size + 1));
        for row in 0..self.size {
            for col in 0..self.size {
                shown.push([empty, 'X', 'O'][self.code(row * self.size + col) as usize]);
                shown.push(' ');
            }
            shown.push('\n');
        }
        shown
    }

    /// Returns what the program of the source document writes: the board, with `empty` for an empty cell, and the
    /// numbers of cells of both players.
    pub fn report(&self, empty: char) -> String {
        let [x, o] = self.counts;
        format!("{}Player X: {x} cells; Player O: {o} cells\n", self.display_board(empty))
    }
}
