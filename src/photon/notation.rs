//! Reading and writing worlds: the file format of the source document.

use crate::core::grid::MAX_CELLS;
use crate::core::text::{self, Line};
use crate::core::{Dir, Error};

use super::tile::{ARROWS, Tile};

/// A world as it was read: height, width, codes row-major.
pub(super) type World = (usize, usize, Vec<u8>);

/// Reads a world.
pub(super) fn read(text: &str) -> Result<World, Error> {
    let mut lines = text::lines(text).skip_while(|line| line.text.is_empty());
    let (height, width) = size(lines.next())?;
    let mut codes = Vec::new();
    let (last, _) = text::end(text);
    for row in 0..height {
        let Some(line) = lines.next().filter(|line| line.number <= last) else {
            return Err(Error::level(last + 1, 1, format!("no row {}, wanted {height} in all", row + 1)));
        };
        let before = codes.len();
        tiles(line, width, &mut codes)?;
        let found = codes.len() - before;
        if found < width {
            let column = line.text.chars().count() + 1;
            return Err(line.error(column, format!("row {} of {found} tiles, wanted {width}", row + 1)));
        }
    }
    if let Some(line) = lines.find(|line| !line.text.is_empty()) {
        let word = line.words().next().map_or((1, ""), |word| (word.column, word.text));
        return Err(line.error(word.0, format!("{} after the last row, wanted the end", text::quote(word.1))));
    }
    Ok((height, width, codes))
}

fn size(line: Option<Line<'_>>) -> Result<(usize, usize), Error> {
    let wanted = "wanted width and height";
    let Some(line) = line else { return Err(Error::level(1, 1, format!("no size, {wanted}"))) };
    let mut words = line.words();
    let Some(first) = words.next() else { return Err(line.error(1, format!("no size, {wanted}"))) };
    let width = first.number("width", 1, MAX_CELLS as i64)? as usize;
    let Some(second) = words.next() else {
        return Err(line.error(line.text.chars().count() + 1, format!("no height, {wanted}")));
    };
    let height = second.number("height", 1, MAX_CELLS as i64)? as usize;
    if let Some(more) = words.next() {
        return Err(more.error(format!("{} after the height, wanted the end of the line", text::quote(more.text))));
    }
    text::check_size(height, width).map_err(|error| error.at(first.line, first.column))?;
    Ok((height, width))
}

/// Reads one row; blanks between tiles are skipped, so that `SvW` is two tiles.
fn tiles(line: Line<'_>, width: usize, codes: &mut Vec<u8>) -> Result<(), Error> {
    let mut chars = line.chars().peekable();
    let mut found = 0;
    while let Some((column, letter)) = chars.next() {
        if letter == ' ' || letter == '\t' {
            continue;
        }
        if found == width {
            return Err(line.error(column, format!("more than {width} tiles in this row, wanted {width}")));
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
        let mark = chars.peek().map_or(' ', |&(_, mark)| mark);
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
                return Err(line.error(column, format!("{shown}, wanted a tile: . W L S T M or B")));
            }
        };
        let Some(tile) = tile else {
            let shown = match mark {
                ' ' | '\t' => "no orientation".to_owned(),
                mark => text::quote(&mark.to_string()),
            };
            return Err(line.error(column + 1, format!("{shown} after '{letter}', wanted {marks}")));
        };
        if !marks.is_empty() {
            chars.next();
        }
        codes.push(tile.code());
        found += 1;
    }
    Ok(())
}

/// Writes a world, two columns a tile, no trailing blanks.
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

    fn complaint(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn blanks_between_tiles_do_not_matter() {
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
    fn every_complaint_has_its_place() {
        assert_eq!(complaint(""), "line 1, column 1: no size, wanted width and height");
        assert_eq!(complaint("\n2 2"), "line 3, column 1: no row 1, wanted 2 in all");
        assert_eq!(complaint("3"), "line 1, column 2: no height, wanted width and height");
        assert_eq!(complaint("x 3"), "line 1, column 1: width must be a whole number, got 'x'");
        assert_eq!(complaint("3 0"), "line 1, column 3: height must be between 1 and 67108864, got '0'");
        assert!(
            complaint("67108864 2")
                .starts_with("line 1, column 1: height * width must be between 1 and 67108864, got 2 * 67108864")
        );
        assert_eq!(complaint("1 1 1\n."), "line 1, column 5: '1' after the height, wanted the end of the line");
        assert_eq!(complaint("2 2\n. .\n"), "line 3, column 1: no row 2, wanted 2 in all");
        assert_eq!(complaint("2 2\n. .\n\n\n"), "line 3, column 1: no row 2, wanted 2 in all");
        assert_eq!(complaint("2 2\n. .\n\n. ."), "line 3, column 1: row 2 of 0 tiles, wanted 2");
        assert_eq!(complaint("2 1\n. \n"), "line 2, column 2: row 1 of 1 tiles, wanted 2");
        assert_eq!(complaint("2 1\n. . .\n"), "line 2, column 5: more than 2 tiles in this row, wanted 2");
        assert_eq!(complaint("2 1\n. .\n\n W"), "line 4, column 2: 'W' after the last row, wanted the end");
        assert_eq!(complaint("2 1\n. x\n"), "line 2, column 3: 'x', wanted a tile: . W L S T M or B");
        assert_eq!(complaint("2 1\nL .\n"), "line 2, column 2: no orientation after 'L', wanted <, >, ^ or v");
        assert_eq!(complaint("2 1\n. M"), "line 2, column 4: no orientation after 'M', wanted / or \\");
        assert_eq!(complaint("2 1\n. B>"), "line 2, column 4: '>' after 'B', wanted / or \\");
    }
}
