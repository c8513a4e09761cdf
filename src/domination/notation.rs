//! Texts: the input format of the source document, `N K` and the plays, 1-based.

use std::fmt::Write as _;

use super::{Ends, FAR, LinearDomination, MAX_LOOKBACK, MAX_SIZE, Rules};
use crate::core::text::{self, Word, quote};
use crate::core::{Budget, Error};

/// Reads `N K`, perhaps the name of a rule set, and the plays.
pub(super) fn parse(text: &str) -> Result<LinearDomination, Error> {
    parse_watched(text, &mut Budget::unlimited())
}

pub(super) fn parse_watched(text: &str, budget: &mut Budget<'_>) -> Result<LinearDomination, Error> {
    let mut words = text::lines(text).flat_map(text::Line::words).peekable();
    let missing = |wanted: &str| {
        let (line, column) = text::end(text);
        Error::level(line, column, format!("the text ends, wanted {wanted}"))
    };
    let size = words.next().ok_or_else(|| missing("the size N"))?;
    let size = size.number("the size N", 1, MAX_SIZE as i64)? as usize;
    let lookback = words.next().ok_or_else(|| missing("the lookback K"))?;
    let lookback = lookback.number("the lookback K", 0, i64::from(MAX_LOOKBACK));
    let lookback = lookback? as u32;
    let mut rules = Rules::Uccs2023;
    if let Some(word) = words.next_if(|word| word.text.starts_with(|c: char| c.is_ascii_alphabetic())) {
        rules = Rules::named(word.text).ok_or_else(|| {
            let found = quote(word.text);
            word.error(format!("{found}, wanted uccs2023, standard or the first play"))
        })?;
    }
    let mut game = LinearDomination::empty(size, lookback, rules).map_err(|error| error.at(1, 1))?;
    while words.peek().is_some() {
        budget.spend(1)?;
        let mut ends: Ends = [0; 4];
        let names = ["the row of a tail", "the column of a tail", "the row of a head", "the column of a head"];
        for (i, (part, name)) in ends.iter_mut().zip(names).enumerate() {
            let wanted = || missing(&format!("{name}: the play has {i} of 4 numbers"));
            *part = coordinate(words.next().ok_or_else(wanted)?, name)?;
        }
        game.enter(ends);
    }
    game.over = game.find_over();
    Ok(game)
}

fn coordinate(word: Word<'_>, name: &str) -> Result<i32, Error> {
    let far = i64::from(FAR);
    Ok((word.number(name, 1 - far, 1 + far)? - 1) as i32)
}

/// Writes the header, with the rule set where it is not the one that is read without a word, and a play a line.
pub(super) fn text(game: &LinearDomination) -> String {
    let mut text = format!("{} {}", game.size, game.lookback);
    if game.rules != Rules::Uccs2023 {
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
    /// Reads a text as [`Game::parse`](crate::core::Game::parse) does, watched and limited: the work is counted in plays.
    ///
    /// # Errors
    /// [`Error`].
    pub fn parse_watched(text: &str, budget: &mut Budget<'_>) -> Result<Self, Error> {
        parse_watched(text, budget)
    }

    /// Shows the board as the source document prints it: each cell `.`, `X` or `O` and a space, a row a line.
    pub fn display_board(&self) -> String {
        let mut shown = String::with_capacity(self.size * (2 * self.size + 1));
        for row in 0..self.size {
            for col in 0..self.size {
                shown.push(['.', 'X', 'O'][self.code(row * self.size + col) as usize]);
                shown.push(' ');
            }
            shown.push('\n');
        }
        shown
    }

    /// Writes what the program of the source document writes: the board and the cells of both players.
    pub fn report(&self) -> String {
        let [x, o] = self.counts;
        format!("{}Player X: {x} cells; Player O: {o} cells\n", self.display_board())
    }
}
