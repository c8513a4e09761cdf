//! The notation of a position: a header, rows of wires, the station.
//!
//! ```text
//! 2 3                height and width, then any of: hex wrap radius=R
//! 6a8                one hex digit per tile (two per hexagon): its mask of wires
//! 3a2
//! station 0 0        row and column
//! ```

use std::fmt::Write as _;

use super::LightEmAll;
use crate::core::text::{Line, Word, check_size, end, lines, quote};
use crate::core::{Error, Game, MAX_CELLS, counted};
use crate::graph::Lattice;

/// Reads a position. Blank lines are skipped.
pub(super) fn parse(text: &str) -> Result<LightEmAll, Error> {
    let mut filled = lines(text).filter(|line| !line.text.is_empty());
    let missing = |what: &str| {
        let (line, column) = end(text);
        Error::level(line, column, format!("expected {what}, got the end of the text"))
    };
    let header = filled.next().ok_or_else(|| missing("the height and the width"))?;
    let (lattice, radius) = head(header)?;
    let mut wires = Vec::with_capacity(lattice.len());
    for row in 0..lattice.height {
        let line = filled.next().ok_or_else(|| missing(&format!("row {} of {}", row + 1, lattice.height)))?;
        read_row(line, &lattice, &mut wires)?;
    }
    let last = filled.next().ok_or_else(|| missing("the station, such as 'station 0 0'"))?;
    let station = station(last, &lattice)?;
    if let Some(more) = filled.next() {
        return Err(more.error(1, format!("expected the end of the text after the station, got {}", quote(more.text))));
    }
    LightEmAll::new(lattice, wires, station, radius).map_err(|error| error.at(header.number, 1))
}

/// Reads the size and the options.
fn head(line: Line<'_>) -> Result<(Lattice, Option<u32>), Error> {
    let mut words = line.words();
    let after =
        |name: &str| line.error(line.text.chars().count() + 1, format!("expected {name}, got the end of the line"));
    let first = words.next().ok_or_else(|| after("the height"))?;
    let height = first.number("height", 1, MAX_CELLS as i64)? as usize;
    let second = words.next().ok_or_else(|| after("the width"))?;
    let width = second.number("width", 1, MAX_CELLS as i64)? as usize;
    check_size(height, width).map_err(|error| error.at(second.line, second.column))?;
    let mut lattice = Lattice::square(height, width);
    let mut radius = None;
    for word in words {
        let again = |seen: bool| {
            if seen {
                Err(word.error(format!("option {} must be given at most once, got it again", quote(word.text))))
            } else {
                Ok(())
            }
        };
        if word.text == "hex" {
            again(lattice.hexagonal)?;
            lattice.hexagonal = true;
        } else if word.text == "wrap" {
            again(lattice.wrap)?;
            lattice.wrap = true;
        } else if let Some(digits) = word.text.strip_prefix("radius=") {
            again(radius.is_some())?;
            let number = Word { text: digits, column: word.column + 7, ..word };
            radius = Some(number.number("radius", 0, MAX_CELLS as i64)? as u32);
        } else {
            return Err(word.error(format!("option must be hex, wrap or radius=R, got {}", quote(word.text))));
        }
    }
    lattice.check().map_err(|error| error.at(line.number, first.column))?;
    Ok((lattice, radius))
}

/// Reads the masks of one row and appends them to `wires`.
fn read_row(line: Line<'_>, lattice: &Lattice, wires: &mut Vec<u8>) -> Result<(), Error> {
    let digits = if lattice.hexagonal { 2 } else { 1 };
    let expected = lattice.width * digits;
    let letters = line.text.as_bytes();
    if digits == 1 && letters.len() == expected && letters.iter().all(u8::is_ascii_hexdigit) {
        // The usual case: a row of squares without a mistake. The code below reads rows of hexagons and finds the first
        // mistake of a row. `| 32` makes a letter lower case.
        wires.extend(
            letters.iter().map(|&letter| if letter <= b'9' { letter - b'0' } else { (letter | 32) - b'a' + 10 }),
        );
        return Ok(());
    }
    let mut high = 0;
    let mut count = 0;
    for (column, letter) in line.chars() {
        let Some(digit) = letter.to_digit(16) else {
            return Err(line.error(column, format!("wires must be hex digits, got {}", quote(&letter.to_string()))));
        };
        count += 1;
        if count > expected {
            return Err(
                line.error(column, format!("a row must have {}, got more", counted(expected as u64, "hex digits")))
            );
        }
        let digit = digit as u8;
        if digits == 1 {
            wires.push(digit);
        } else if count % 2 == 1 {
            if digit > 3 {
                return Err(line.error(
                    column,
                    format!("the wires of a hexagon must be between 00 and 3f, got {digit:x}0 or more"),
                ));
            }
            high = digit << 4;
        } else {
            wires.push(high | digit);
        }
    }
    if count < expected {
        let expected = counted(expected as u64, "hex digits");
        return Err(line.error(count + 1, format!("a row must have {expected}, got {count}")));
    }
    Ok(())
}

/// Reads the tile of the station.
fn station(line: Line<'_>, lattice: &Lattice) -> Result<usize, Error> {
    let mut words = line.words();
    let start = words.next().ok_or_else(|| line.error(1, "expected 'station', got an empty line"))?;
    if start.text != "station" {
        return Err(start.error(format!("expected 'station', got {}", quote(start.text))));
    }
    let mut number = |name: &str, size: usize| {
        let column = line.text.chars().count() + 1;
        let word =
            words.next().ok_or_else(|| line.error(column, format!("expected the {name}, got the end of the line")))?;
        word.number(name, 0, size as i64 - 1)
    };
    let row = number("station row", lattice.height)? as usize;
    let col = number("station column", lattice.width)? as usize;
    match words.next() {
        Some(more) => {
            Err(more.error(format!("expected the end of the line after the station, got {}", quote(more.text))))
        }
        None => Ok(row * lattice.width + col),
    }
}

/// Writes a position.
pub(super) fn write(game: &LightEmAll) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let (lattice, station) = (game.lattice(), game.station());
    let (height, width) = (game.height(), game.width());
    let mut text = format!("{height} {width}");
    if lattice.hexagonal {
        text.push_str(" hex");
    }
    if lattice.wrap {
        text.push_str(" wrap");
    }
    if let Some(radius) = game.initial_radius() {
        let _ = write!(text, " radius={radius}");
    }
    text.push('\n');
    text.reserve(lattice.len() * (1 + usize::from(lattice.hexagonal)) + height + 40);
    for row in game.wires().chunks_exact(width) {
        for &mask in row {
            if lattice.hexagonal {
                text.push(char::from(DIGITS[usize::from(mask >> 4)]));
            }
            text.push(char::from(DIGITS[usize::from(mask & 15)]));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "station {} {}", station.row, station.col);
    text
}
