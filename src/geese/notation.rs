//! The notation: a line `HEIGHT WIDTH GEESE`, which may end in the word `flood`, then the rows, with each field as two
//! hex digits in the source's encoding.

use super::GeeseSpotter;
use super::fields::{self, GOOSE, HIDDEN_BIT, MARKED_BIT, VALUE_MASK};
use crate::core::Error;
use crate::core::grid::MAX_CELLS;
use crate::core::text::{self, Line};

/// The word on the first line that selects the chain reaction of classic Minesweeper.
const FLOOD: &str = "flood";

/// Reads a position. White space between fields is optional, and blank lines are skipped; the value of every field,
/// hidden or not, must be correct.
pub(super) fn parse(text: &str) -> Result<GeeseSpotter, Error> {
    let (end_line, end_column) = text::end(text);
    let ends =
        |expected: String| Error::level(end_line, end_column, format!("expected {expected}, got the end of the text"));
    let mut lines = text::lines(text).filter(|line| !line.text.trim().is_empty());
    // The header: three numbers, then optionally the word `flood`. Each error points at a word or past the end of the
    // line.
    let header = lines.next().ok_or_else(|| ends("a line 'HEIGHT WIDTH GEESE'".to_owned()))?;
    let mut words = header.words();
    let mut number = |name: &str, least: i64| {
        if let Some(word) = words.next() {
            return word.number(name, least, MAX_CELLS as i64).map(|number| (number as usize, word.column));
        }
        let column = header.text.chars().count() + 1;
        Err(header.error(column, format!("expected {name} ('HEIGHT WIDTH GEESE'), got the end of the line")))
    };
    let (height, column) = number("height", 1)?;
    let (width, _) = number("width", 1)?;
    let (geese, geese_column) = number("geese", 0)?;
    text::check_size(height, width).map_err(|error| error.at(header.number, column))?;
    if geese > height * width {
        let reason = format!("geese must be between 0 and {}, got {geese}", height * width);
        return Err(header.error(geese_column, reason));
    }
    let mut flood = false;
    for word in words {
        if word.text != FLOOD || flood {
            let got = text::quote(word.text);
            return Err(word.error(format!("expected '{FLOOD}' once or the end of the line, got {got}")));
        }
        flood = true;
    }
    let mut board = Vec::new();
    let mut rows = Vec::new();
    for line in lines {
        if rows.len() == height {
            return Err(line.error(1, format!("expected the end of the text after row {height}, got another row")));
        }
        row(line, width, &mut board)?;
        rows.push(line);
    }
    if rows.len() < height {
        return Err(ends(format!("row {} of {height}", rows.len() + 1)));
    }
    // Values and the number of geese can be checked only when the whole board is known.
    check_values(&board, width, &rows)?;
    let found = board.iter().filter(|&&field| field & VALUE_MASK == GOOSE).count();
    if found != geese {
        let reason = format!("geese must be the number of geese on the board, {found}, got {geese}");
        return Err(header.error(geese_column, reason));
    }
    Ok(GeeseSpotter::from_fields(height, width, flood, board))
}

/// Reads the fields of a row and appends them to `board`.
fn row(line: Line<'_>, width: usize, board: &mut Vec<u8>) -> Result<(), Error> {
    let from = board.len();
    let mut letters = line.chars().filter(|(_, c)| !c.is_whitespace());
    while let Some((column, high)) = letters.next() {
        if board.len() - from == width {
            return Err(
                line.error(column, format!("expected the end of the row after field {width}, got another field"))
            );
        }
        let expected = "expected two hex digits per field";
        let not_hex =
            |column, letter: char| line.error(column, format!("{expected}, got {}", text::quote(&letter.to_string())));
        let high = high.to_digit(16).ok_or_else(|| not_hex(column, high))?;
        let low = match letters.next() {
            Some((next, low)) if next == column + 1 => low.to_digit(16).ok_or_else(|| not_hex(next, low))?,
            _ => return Err(line.error(column + 1, format!("{expected}, got one"))),
        };
        let field = (high * 16 + low) as u8;
        fields::check_fields(&[field], 1).map_err(|_| {
            line.error(column, format!("field must have bits 6 and 7 clear and a value of 0 to 9, got '{field:02x}'"))
        })?;
        if field & MARKED_BIT != 0 && field & HIDDEN_BIT == 0 {
            let reason = format!("field must be hidden to be marked, got '{field:02x}'");
            return Err(line.error(column, reason));
        }
        board.push(field);
    }
    if board.len() - from < width {
        let column = line.text.chars().count() + 1;
        let found = board.len() - from;
        return Err(line.error(column, format!("expected field {} of {width}, got the end of the row", found + 1)));
    }
    Ok(())
}

/// Checks that the value of every field without a goose is the number of its neighbors with a goose.
fn check_values(board: &[u8], width: usize, rows: &[Line<'_>]) -> Result<(), Error> {
    let mut counted: Vec<u8> = board.iter().map(|&field| if field & VALUE_MASK == GOOSE { GOOSE } else { 0 }).collect();
    fields::compute_neighbours(&mut counted, width);
    let Some(at) = (0..board.len()).find(|&at| board[at] & VALUE_MASK != counted[at]) else { return Ok(()) };
    let (line, col) = (rows[at / width], at % width);
    let column = line.chars().filter(|(_, c)| !c.is_whitespace()).nth(2 * col).map_or(1, |(column, _)| column);
    let (value, counted) = (board[at] & VALUE_MASK, counted[at]);
    Err(line.error(column, format!("value must be {counted}, the number of geese around the field, got {value}")))
}

/// Returns the notation of a position.
pub(super) fn write(game: &GeeseSpotter) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut text = format!("{} {} {}", game.height, game.width, game.geese);
    text.reserve(game.fields.len() * 3 + 8);
    if game.flood {
        text.push(' ');
        text.push_str(FLOOD);
    }
    text.push('\n');
    for row in game.fields.chunks_exact(game.width as usize) {
        for (col, &field) in row.iter().enumerate() {
            if col > 0 {
                text.push(' ');
            }
            text.push(HEX[(field >> 4) as usize] as char);
            text.push(HEX[(field & 15) as usize] as char);
        }
        text.push('\n');
    }
    text
}
