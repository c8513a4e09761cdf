//! Reading level text: lines and words that know where they stand, so that every complaint names line and column.

use super::error::LevelError;
use super::grid::MAX_CELLS;

/// A line of a level text, without its end and without trailing blanks.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// 1-based.
    pub number: usize,
    /// The text of the line.
    pub text: &'a str,
}

/// A word of a line: a run without blanks.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// Line, 1-based.
    pub line: usize,
    /// Column of its first character, 1-based, in characters.
    pub column: usize,
    /// The text of the word.
    pub text: &'a str,
}

/// Splits a text into its lines; `\n`, `\r\n` and trailing blanks are cut off. Blank lines are kept, so that numbers stay true.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().map(|(i, line)| Line { number: i + 1, text: line.trim_end() })
}

/// The place just after the end of a text: where something missing was wanted.
pub fn end(text: &str) -> (usize, usize) {
    match lines(text).filter(|line| !line.text.is_empty()).last() {
        Some(line) => (line.number, line.text.chars().count() + 1),
        None => (1, 1),
    }
}

impl<'a> Line<'a> {
    /// The characters of the line with their columns, 1-based.
    pub fn chars(self) -> impl Iterator<Item = (usize, char)> + 'a {
        self.text.chars().enumerate().map(|(i, c)| (i + 1, c))
    }

    /// The words of the line.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut rest = self.text;
        let mut column = 1;
        std::iter::from_fn(move || {
            let trimmed = rest.trim_start();
            column += rest[..rest.len() - trimmed.len()].chars().count();
            if trimmed.is_empty() {
                return None;
            }
            let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
            let word = Word { line: self.number, column, text: &trimmed[..length] };
            column += word.text.chars().count();
            rest = &trimmed[length..];
            Some(word)
        })
    }

    /// Makes a complaint about a column of this line.
    pub fn error(self, column: usize, reason: impl Into<String>) -> LevelError {
        LevelError::new(self.number, column, reason)
    }
}

impl Word<'_> {
    /// Makes a complaint about this word.
    pub fn error(self, reason: impl Into<String>) -> LevelError {
        LevelError::new(self.line, self.column, reason)
    }

    /// Reads the word as a whole number from `least` to `most`, called `name` in the complaint.
    ///
    /// # Errors
    /// Not a whole number, or out of range.
    pub fn number(self, name: &str, least: i64, most: i64) -> Result<i64, LevelError> {
        let shown = quote(self.text);
        let digits = self.text.strip_prefix(['-', '+']).unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.error(format!("{shown}, wanted {name}, a whole number")));
        }
        match self.text.parse::<i64>() {
            Ok(value) if (least..=most).contains(&value) => Ok(value),
            _ => Err(self.error(format!("{name} {shown}, wanted {least} to {most}"))),
        }
    }
}

/// Shows a piece of a text inside a complaint: quoted, control characters escaped, shortened where it is long.
pub fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(24).collect::<String>().escape_debug().to_string();
    if text.chars().nth(24).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

/// Refuses a board of no cells or of too many, before any memory is asked for.
///
/// # Errors
/// Says the size that was found and the sizes that are read.
pub fn check_size(line: usize, column: usize, height: usize, width: usize) -> Result<(), LevelError> {
    match height.checked_mul(width) {
        Some(cells) if 0 < cells && cells <= MAX_CELLS => Ok(()),
        _ => Err(LevelError::new(
            line,
            column,
            format!("a board of height {height} and width {width}, wanted 1 to {MAX_CELLS} cells"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places() {
        let line = lines("a\n  é bc\td  \r\n").nth(1).unwrap();
        let words: Vec<_> = line.words().map(|w| (w.line, w.column, w.text)).collect();
        assert_eq!(words, [(2, 3, "é"), (2, 5, "bc"), (2, 8, "d")]);
        assert_eq!(end("ab\ncde \n\n"), (2, 4));
        assert_eq!(end(""), (1, 1));
    }

    #[test]
    fn numbers_are_read_or_named() {
        let read = |text: &str| lines(text).next().unwrap().words().next().unwrap().number("width", 1, 99);
        assert_eq!(read("42").unwrap(), 42);
        assert_eq!(read(" x").unwrap_err().to_string(), "line 1, column 2: 'x', wanted width, a whole number");
        assert_eq!(read("100").unwrap_err().to_string(), "line 1, column 1: width '100', wanted 1 to 99");
        assert!(read("99999999999999999999999999").unwrap_err().reason.contains("99999999999999999999"));
        assert!(read("1.5").is_err());
        assert!(read("-").is_err());
    }
}
