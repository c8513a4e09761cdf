//! Reads level text: splits it into lines and words with their positions, so that every error states a line and column.

use super::error::Error;
use super::grid::MAX_CELLS;

/// A line of a level text, without its line ending or trailing whitespace.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Line number, 1-based.
    pub number: usize,
    /// The text of the line.
    pub text: &'a str,
}

/// A word of a line: a maximal run of non-whitespace characters.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// Line number, 1-based.
    pub line: usize,
    /// Column of the first character of the word, 1-based, in characters.
    pub column: usize,
    /// The text of the word.
    pub text: &'a str,
}

/// Splits text into its lines, without `\n`, `\r\n` or trailing whitespace. Blank lines are kept, so that line
/// numbers stay correct.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().map(|(i, line)| Line { number: i + 1, text: line.trim_end() })
}

/// Returns the line and column just after the last character of the text that is not whitespace; (1, 1) if there is no
/// such character. An error that reports missing text refers to this place.
pub fn end(text: &str) -> (usize, usize) {
    match lines(text).filter(|line| !line.text.is_empty()).last() {
        Some(line) => (line.number, line.text.chars().count() + 1),
        None => (1, 1),
    }
}

impl<'a> Line<'a> {
    /// Iterates over the characters of the line with their columns, 1-based.
    pub fn chars(self) -> impl Iterator<Item = (usize, char)> + 'a {
        self.text.chars().enumerate().map(|(i, c)| (i + 1, c))
    }

    /// Iterates over the words of the line.
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

    /// Creates an [`Error::Level`] at a column of this line.
    pub fn error(self, column: usize, reason: impl Into<String>) -> Error {
        Error::level(self.number, column, reason)
    }
}

impl Word<'_> {
    /// Creates an [`Error::Level`] at this word.
    pub fn error(self, reason: impl Into<String>) -> Error {
        Error::level(self.line, self.column, reason)
    }

    /// Reads the word as a whole number between `least` and `most`, both included; `name` is the name of the number in
    /// errors.
    ///
    /// # Errors
    /// Returns [`Error::Level`] if the word is not a whole number or is out of range.
    pub fn number(self, name: &str, least: i64, most: i64) -> Result<i64, Error> {
        let shown = quote(self.text);
        let digits = self.text.strip_prefix(['-', '+']).unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.error(format!("{name} must be a whole number, got {shown}")));
        }
        match self.text.parse::<i64>() {
            Ok(value) if (least..=most).contains(&value) => Ok(value),
            _ => Err(self.error(format!("{name} must be between {least} and {most}, got {shown}"))),
        }
    }
}

/// Quotes a piece of text for an error. Quotation marks, backslashes and characters that cannot be printed are escaped,
/// and an ellipsis replaces everything after the first 24 characters.
pub fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(24).collect::<String>().escape_debug().to_string();
    if text.chars().nth(24).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

/// Checks that a board of `height` x `width` has between 1 and [`MAX_CELLS`] cells, before any memory is allocated for
/// it.
///
/// # Errors
/// Returns [`Error::Invalid`] with the size and the bound; a parser adds the line and column with [`Error::at`].
pub fn check_size(height: usize, width: usize) -> Result<(), Error> {
    match height.checked_mul(width) {
        Some(cells) if 0 < cells && cells <= MAX_CELLS => Ok(()),
        _ => Err(Error::Invalid(format!("height * width must be between 1 and {MAX_CELLS}, got {height} * {width}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_the_end_of_text_have_lines_and_columns() {
        let line = lines("a\n  é bc\td  \r\n").nth(1).unwrap();
        let words: Vec<_> = line.words().map(|w| (w.line, w.column, w.text)).collect();
        assert_eq!(words, [(2, 3, "é"), (2, 5, "bc"), (2, 8, "d")]);
        assert_eq!(end("ab\ncde \n\n"), (2, 4));
        assert_eq!(end(""), (1, 1));
    }

    #[test]
    fn a_number_is_read_or_the_error_quotes_it() {
        let read = |text: &str| lines(text).next().unwrap().words().next().unwrap().number("width", 1, 99);
        assert_eq!(read("42").unwrap(), 42);
        assert_eq!(read(" x").unwrap_err().to_string(), "line 1, column 2: width must be a whole number, got 'x'");
        assert_eq!(read("100").unwrap_err().to_string(), "line 1, column 1: width must be between 1 and 99, got '100'");
        assert!(read("99999999999999999999999999").unwrap_err().reason().contains("99999999999999999999"));
        assert!(read("1.5").is_err());
        assert!(read("-").is_err());
    }
}
