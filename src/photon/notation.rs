//! Reads and writes the notation of boards, which is the file format of the original MyPhoton assignment.

use crate::core::grid::MAX_CELLS;
use crate::core::text::{self, Line};
use crate::core::{Dir, Error};

use super::tile::{ARROWS, Tile};

/// The height and the width of a board, and its codes in row-major order.
pub(super) type Board = (usize, usize, Vec<u8>);

/// Reads a board. Blank lines before the line with the size and after the last row are skipped.
///
/// # Errors
/// Returns [`Error::Level`] with the line and column of the first mistake.
pub(super) fn read(text: &str) -> Result<Board, Error> {
    let mut lines = text::lines(text).skip_while(|line| line.text.is_empty());
    let (height, width) = size(lines.next())?;
    let mut codes = Vec::new();
    let (last, _) = text::end(text);
    for row in 0..height {
        let Some(line) = lines.next().filter(|line| line.number <= last) else {
            return Err(Error::level(last + 1, 1, format!("the number of rows must be {height}, got {row}")));
        };
        let before = codes.len();
        tiles(line, width, &mut codes)?;
        let found = codes.len() - before;
        if found < width {
            let column = line.text.chars().count() + 1;
            return Err(line.error(column, format!("the number of tiles in a row must be {width}, got {found}")));
        }
    }
    if let Some(line) = lines.find(|line| !line.text.is_empty()) {
        let word = line.words().next().map_or((1, ""), |word| (word.column, word.text));
        return Err(line.error(word.0, format!("the text must end after the last row, got {}", text::quote(word.1))));
    }
    Ok((height, width, codes))
}

/// Reads the first line, which gives the width before the height. Returns the height and the width, in that order.
///
/// # Errors
/// Returns [`Error::Level`] if the line is missing, incomplete or too long, if the width or the height is not a whole
/// number, or if the size is out of bounds.
fn size(line: Option<Line<'_>>) -> Result<(usize, usize), Error> {
    let nothing = "the first line must be the width and the height, got nothing";
    let Some(line) = line else { return Err(Error::level(1, 1, nothing)) };
    let mut words = line.words();
    let Some(first) = words.next() else { return Err(line.error(1, nothing)) };
    let width = first.number("width", 1, MAX_CELLS as i64)? as usize;
    let Some(second) = words.next() else {
        let reason = "the first line must be the width and the height, got only the width";
        return Err(line.error(line.text.chars().count() + 1, reason));
    };
    let height = second.number("height", 1, MAX_CELLS as i64)? as usize;
    if let Some(more) = words.next() {
        return Err(more.error(format!("the line must end after the height, got {}", text::quote(more.text))));
    }
    text::check_size(height, width).map_err(|error| error.at(first.line, first.column))?;
    Ok((height, width))
}

/// Reads one row and appends its tiles to `codes`, fewer than `width` if the line ends early. Spaces and tabs between
/// tiles are skipped and not required, so `SvW` is two tiles.
///
/// # Errors
/// Returns [`Error::Level`] for an unknown letter, a missing or wrong orientation, or more than `width` tiles.
fn tiles(line: Line<'_>, width: usize, codes: &mut Vec<u8>) -> Result<(), Error> {
    let mut chars = line.chars().peekable();
    let mut found = 0;
    while let Some((column, letter)) = chars.next() {
        if letter == ' ' || letter == '\t' {
            continue;
        }
        if found == width {
            return Err(line.error(column, format!("the number of tiles in a row must be {width}, got more")));
        }
        let slanted = |down: Tile, up: Tile, mark| match mark {
            '\\' => Some(down),
            '/' => Some(up),
            _ => None,
        };
        let facing = |north: Tile, mark| {
            let dir = ARROWS.iter().position(|&arrow| arrow == mark)?;
            Tile::from_code(north.code() + Dir::from_index(dir as u8) as u8)
        };
        // A line feed, which no line contains, represents the end of the line.
        let mark = chars.peek().map_or('\n', |&(_, mark)| mark);
        let (tile, marks) = match letter {
            '.' => (Some(Tile::Empty), ""),
            'W' => (Some(Tile::Wall), ""),
            'M' => (slanted(Tile::MirrorDown, Tile::MirrorUp, mark), "/ or \\"),
            'B' => (slanted(Tile::SplitterDown, Tile::SplitterUp, mark), "/ or \\"),
            'T' => (facing(Tile::TmirrorN, mark), "<, >, ^ or v"),
            'L' => (facing(Tile::LaserN, mark), "<, >, ^ or v"),
            'S' => (facing(Tile::SensorN, mark), "<, >, ^ or v"),
            _ => {
                let shown = text::quote(&letter.to_string());
                return Err(line.error(column, format!("a tile must be one of . W L S T M B, got {shown}")));
            }
        };
        let Some(tile) = tile else {
            let shown = match mark {
                '\n' => "the end of the line".to_owned(),
                ' ' => "a space".to_owned(),
                '\t' => "a tab".to_owned(),
                mark => text::quote(&mark.to_string()),
            };
            return Err(line.error(column + 1, format!("'{letter}' must be followed by {marks}, got {shown}")));
        };
        if !marks.is_empty() {
            chars.next();
        }
        codes.push(tile.code());
        found += 1;
    }
    Ok(())
}

/// Returns the text of a board: a line with the width and the height, then one line per row, two characters per tile,
/// without trailing spaces.
pub(super) fn write(width: usize, height: usize, rows: impl Iterator<Item = impl Iterator<Item = Tile>>) -> String {
    let mut text = format!("{width} {height}\n");
    for row in rows {
        for tile in row {
            text.push(tile.letter());
            text.push(tile.mark());
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_between_tiles_do_not_matter() {
        let codes = |row: &str, width| read(&format!("{width} 1\n{row}\n")).unwrap().2;
        assert_eq!(codes("SvW", 2), codes("  Sv   W", 2));
        assert_eq!(codes("WW", 2), codes("W W", 2));
        assert_eq!(codes(".L>T<M/M\\B/B\\", 7), [0, 11, 9, 3, 2, 5, 4]);
    }

    #[test]
    fn rows_and_columns_are_not_exchanged() {
        let (height, width, codes) = read("3 2\n. . W\nL^. .").unwrap();
        assert_eq!((height, width), (2, 3));
        assert_eq!(codes, [0, 0, 1, 10, 0, 0]);
    }

    #[test]
    fn messages_give_line_and_column() {
        let size = "the first line must be the width and the height";
        for (text, message) in [
            ("", format!("line 1, column 1: {size}, got nothing")),
            ("3", format!("line 1, column 2: {size}, got only the width")),
            ("\n2 2", "line 3, column 1: the number of rows must be 2, got 0".to_owned()),
            ("x 3", "line 1, column 1: width must be a whole number, got 'x'".to_owned()),
            ("3 0", "line 1, column 3: height must be between 1 and 67108864, got '0'".to_owned()),
            ("1 1 1\n.", "line 1, column 5: the line must end after the height, got '1'".to_owned()),
            ("2 2\n. .\n", "line 3, column 1: the number of rows must be 2, got 1".to_owned()),
            ("2 2\n. .\n\n\n", "line 3, column 1: the number of rows must be 2, got 1".to_owned()),
            ("2 2\n. .\n\n. .", "line 3, column 1: the number of tiles in a row must be 2, got 0".to_owned()),
            ("2 1\n. \n", "line 2, column 2: the number of tiles in a row must be 2, got 1".to_owned()),
            ("2 1\n. . .\n", "line 2, column 5: the number of tiles in a row must be 2, got more".to_owned()),
            ("2 1\n. .\n\n W", "line 4, column 2: the text must end after the last row, got 'W'".to_owned()),
            ("2 1\n. x\n", "line 2, column 3: a tile must be one of . W L S T M B, got 'x'".to_owned()),
            ("2 1\nL .\n", "line 2, column 2: 'L' must be followed by <, >, ^ or v, got a space".to_owned()),
            ("2 1\nL\t.\n", "line 2, column 2: 'L' must be followed by <, >, ^ or v, got a tab".to_owned()),
            ("2 1\n. M", "line 2, column 4: 'M' must be followed by / or \\, got the end of the line".to_owned()),
            ("2 1\n. B>", "line 2, column 4: 'B' must be followed by / or \\, got '>'".to_owned()),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), message, "{text:?}");
        }
        let huge = read("67108864 2").unwrap_err().to_string();
        assert!(huge.starts_with("line 1, column 1: height * width must be between 1 and 67108864"), "{huge}");
    }
}
