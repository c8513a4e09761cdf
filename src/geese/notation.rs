//! The notation: `HEIGHT WIDTH GEESE`, then rows of fields, each two hex digits of the source's encoding.

use super::GeeseSpotter;
use super::fields::{self, GOOSE, HIDDEN_BIT, MARKED_BIT, VALUE_MASK};
use crate::core::Error;
use crate::core::grid::MAX_CELLS;
use crate::core::text::{self, Line};

/// The word on the first line that turns the chain reaction of classic Minesweeper on.
const FLOOD: &str = "flood";

/// Reads a position. Blanks between fields and blank lines are free; the value of every field must be true.
pub(super) fn parse(text: &str) -> Result<GeeseSpotter, Error> {
    let (end_line, end_column) = text::end(text);
    let ends = |wanted: String| Error::level(end_line, end_column, format!("the text ends, wanted {wanted}"));
    let mut lines = text::lines(text).filter(|line| !line.text.trim().is_empty());
    let header = lines.next().ok_or_else(|| ends("a line 'HEIGHT WIDTH GEESE'".to_owned()))?;
    let mut words = header.words();
    let mut number = |name: &str, least: i64| {
        if let Some(word) = words.next() {
            return word.number(name, least, MAX_CELLS as i64).map(|number| (number as usize, word.column));
        }
        let column = header.text.chars().count() + 1;
        Err(header.error(column, format!("the line ends, wanted {name}: 'HEIGHT WIDTH GEESE'")))
    };
    let (height, column) = number("the height", 1)?;
    let (width, _) = number("the width", 1)?;
    let (geese, geese_column) = number("the number of geese", 0)?;
    text::check_size(height, width).map_err(|error| error.at(header.number, column))?;
    if geese > height * width {
        let reason = format!("{geese} geese for {} fields, wanted at most one a field", height * width);
        return Err(header.error(geese_column, reason));
    }
    let mut flood = false;
    for word in words {
        if word.text != FLOOD || flood {
            return Err(word.error(format!("{}, wanted '{FLOOD}' once or the end of the line", text::quote(word.text))));
        }
        flood = true;
    }
    let mut board = Vec::new();
    let mut rows = Vec::new();
    for line in lines {
        if rows.len() == height {
            return Err(line.error(1, format!("a row after the last of {height}, wanted the end of the text")));
        }
        row(line, width, &mut board)?;
        rows.push(line);
    }
    if rows.len() < height {
        return Err(ends(format!("{height} rows, found {}", rows.len())));
    }
    check_values(&board, width, &rows)?;
    let found = board.iter().filter(|&&field| field & VALUE_MASK == GOOSE).count();
    if found != geese {
        let reason = format!("{geese} geese on the first line and {found} on the board, wanted the same number");
        return Err(header.error(geese_column, reason));
    }
    Ok(GeeseSpotter::from_fields(height, width, flood, board))
}

/// Reads the fields of a row.
fn row(line: Line<'_>, width: usize, board: &mut Vec<u8>) -> Result<(), Error> {
    let from = board.len();
    let mut letters = line.chars().filter(|(_, c)| !c.is_whitespace());
    while let Some((column, high)) = letters.next() {
        if board.len() - from == width {
            return Err(line.error(column, format!("more than {width} fields, wanted the end of the row")));
        }
        let digits = "two hex digits a field";
        let not_hex =
            |column, letter: char| line.error(column, format!("{}, wanted {digits}", text::quote(&letter.to_string())));
        let high = high.to_digit(16).ok_or_else(|| not_hex(column, high))?;
        let low = match letters.next() {
            Some((next, low)) if next == column + 1 => low.to_digit(16).ok_or_else(|| not_hex(next, low))?,
            _ => return Err(line.error(column + 1, format!("one hex digit, wanted {digits}"))),
        };
        let field = (high * 16 + low) as u8;
        fields::check_fields(&[field], 1).map_err(|_| {
            line.error(column, format!("field '{field:02x}', wanted bits 6 and 7 to be 0 and a value of 0 to 9"))
        })?;
        if field & MARKED_BIT != 0 && field & HIDDEN_BIT == 0 {
            let reason = format!("field '{field:02x}' is marked and revealed, wanted only hidden fields to be marked");
            return Err(line.error(column, reason));
        }
        board.push(field);
    }
    if board.len() - from < width {
        let column = line.text.chars().count() + 1;
        return Err(line.error(column, format!("{} fields, wanted {width} in a row", board.len() - from)));
    }
    Ok(())
}

/// Refuses a field whose value is not the number of its neighbours with a goose.
fn check_values(board: &[u8], width: usize, rows: &[Line<'_>]) -> Result<(), Error> {
    let mut counted: Vec<u8> = board.iter().map(|&field| if field & VALUE_MASK == GOOSE { GOOSE } else { 0 }).collect();
    fields::compute_neighbours(&mut counted, width);
    let Some(at) = (0..board.len()).find(|&at| board[at] & VALUE_MASK != counted[at]) else { return Ok(()) };
    let (line, col) = (rows[at / width], at % width);
    let column = line.chars().filter(|(_, c)| !c.is_whitespace()).nth(2 * col).map_or(1, |(column, _)| column);
    let value = board[at] & VALUE_MASK;
    Err(line.error(
        column,
        format!("the value {value} of a field with {} geese around it, wanted {}", counted[at], counted[at]),
    ))
}

/// Writes a position.
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
