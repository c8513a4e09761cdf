//! Views: what a player may know about a position.

use super::GeeseSpotter;
use super::fields::{GOOSE, HIDDEN_BIT, MARKED_BIT, VALUE_MASK};
use crate::core::Error;

/// A board as a player may know it: which fields are hidden, the values of the others, and the number of geese.
///
/// Solvers get nothing else, so they cannot use what is hidden. Marks are a player's notes and reveal nothing about the
/// board, so a view does not contain them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    height: usize,
    width: usize,
    geese: usize,
    /// The fields, row-major: 0 to 8, [`GOOSE`], or [`View::UNKNOWN`].
    fields: Vec<u8>,
}

impl View {
    /// The code of a hidden field.
    pub const UNKNOWN: u8 = HIDDEN_BIT;

    /// Creates the view of a board of `height` rows and `width` columns with `geese` geese and nothing revealed. The
    /// arguments are not checked; [`View::new`] checks them.
    pub fn blank(height: usize, width: usize, geese: usize) -> Self {
        Self { height, width, geese, fields: vec![Self::UNKNOWN; height * width] }
    }

    /// Creates a view from row-major fields in the source document's encoding. Values of hidden fields are ignored.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `fields` is empty or does not hold `height * width` valid fields, or if there are
    /// more geese than fields.
    pub fn new(height: usize, width: usize, geese: usize, fields: &[u8]) -> Result<Self, Error> {
        if fields.is_empty() || height.checked_mul(width) != Some(fields.len()) {
            return Err(Error::Invalid(format!(
                "fields must hold height * width fields ({height} * {width}), at least 1, got {}",
                fields.len()
            )));
        }
        super::fields::check_fields(fields, width)?;
        if geese > fields.len() {
            return Err(Error::Invalid(format!("geese must be between 0 and {}, got {geese}", fields.len())));
        }
        Ok(Self { height, width, geese, fields: fields.iter().map(|&field| known(field)).collect() })
    }

    /// Returns the view of a position.
    pub(super) fn of(game: &GeeseSpotter) -> Self {
        Self {
            height: game.height as usize,
            width: game.width as usize,
            geese: game.geese as usize,
            fields: game.fields.iter().map(|&field| known(field)).collect(),
        }
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of geese on the whole board.
    pub fn geese(&self) -> usize {
        self.geese
    }

    /// Returns the fields, row-major: 0 to 8, 9 for a goose that was shown, [`View::UNKNOWN`] for a hidden field.
    pub fn fields(&self) -> &[u8] {
        &self.fields
    }

    /// Records that the field at row-major `index` was revealed with `value`: 0 to 8, or 9 for a goose.
    ///
    /// # Panics
    /// If `index` is off the board.
    pub fn reveal(&mut self, index: usize, value: u8) {
        debug_assert!(value <= GOOSE);
        self.fields[index] = value;
    }
}

/// Converts a field from the source document's encoding to a view's: its value, or [`View::UNKNOWN`] if it is hidden or
/// marked.
fn known(field: u8) -> u8 {
    if field & (HIDDEN_BIT | MARKED_BIT) == 0 { field & VALUE_MASK } else { View::UNKNOWN }
}
