//! Lights Out: pressing a field switches it and its neighbors, up to four, between light and dark.
//!
//! ```text
//! .#.      # light   . dark
//! ###      a press in the middle makes all of these dark
//! .#.
//! ```
//!
//! * A move is `(row, col)`, the field that is pressed; any field can be pressed until the game is won.
//! * The game is won when all fields are dark.
//! * Pressing a field twice changes nothing, and the order of presses does not matter: a solution is a set of fields.
//!
//! Source: the electronic game Lights Out of 1995.

mod generate;
mod solve;

pub use generate::generate;
pub use solve::{Rule, Solution};

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::core::text::{check_size, end, lines};
use crate::core::{Cell, Error, Game, Grid, Status, memory};

/// The codes of the board's fields, each with its name.
pub const CODES: [(&str, u8); 2] = [("DARK", 0), ("LIGHT", 1)];

/// A position of Lights Out.
///
/// Invariant: `count` is the number of fields that are light.
#[derive(Clone, Debug, PartialEq)]
pub struct LightsOut {
    light: Grid<u8>,
    count: usize,
}

impl LightsOut {
    /// Creates a board of `height` rows and `width` columns whose fields are all dark.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if no board can have this size, or [`Error::Memory`] if there is not enough memory.
    pub fn blank(height: usize, width: usize) -> Result<Self, Error> {
        check_size(height, width)?;
        let cells = memory::filled(0, height * width, "a board of this size")?;
        let light = Grid::from_cells(height, width, cells).expect("height * width cells");
        Ok(Self { light, count: 0 })
    }

    fn press(&mut self, [row, col]: [i32; 2]) {
        for (r, c) in [(row, col), (row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)] {
            let cell = Cell::new(r, c);
            if let Some(&light) = self.light.get(cell) {
                self.light[cell] = 1 - light;
                if light == 0 { self.count += 1 } else { self.count -= 1 }
            }
        }
    }
}

impl Game for LightsOut {
    const NAME: &'static str = "lightsout";
    const AXES: &'static [&'static str] = &["row", "col"];
    type Move = [i32; 2];
    type Change = ();
    type Reason = Infallible;

    fn parse(text: &str) -> Result<Self, Error> {
        // The lines are iterated over several times instead of collected, because a list of all lines could take more
        // memory than the board.
        let rows = || lines(text).filter(|line| !line.text.is_empty());
        let Some(first) = rows().next() else {
            let (line, column) = end(text);
            return Err(Error::level(line, column, "text must have rows of # and ., got none"));
        };
        let (height, width) = (rows().count(), first.text.chars().count());
        check_size(height, width).map_err(|error| error.at(first.number, 1))?;
        let mut cells = memory::with_capacity(height * width, "a board of this size")?;
        for line in rows() {
            for (column, sign) in line.chars().take(width) {
                cells.push(match sign {
                    '.' => 0,
                    '#' => 1,
                    _ => return Err(line.error(column, format!("field must be # or ., got {sign:?}"))),
                });
            }
            let found = line.text.chars().count();
            if found != width {
                return Err(line.error(found.min(width) + 1, format!("row must have {width} fields, got {found}")));
            }
        }
        let count = cells.iter().map(|&light| usize::from(light)).sum();
        let light = Grid::from_cells(height, width, cells).expect("height * width cells");
        Ok(Self { light, count })
    }

    fn text(&self) -> String {
        let mut text = String::with_capacity(self.height() * (self.width() + 1));
        for row in self.light.rows() {
            text.extend(row.iter().map(|&light| if light == 1 { '#' } else { '.' }));
            text.push('\n');
        }
        text
    }

    fn height(&self) -> usize {
        self.light.height()
    }

    fn width(&self) -> usize {
        self.light.width()
    }

    fn bounds(&self) -> [i32; 2] {
        [self.height() as i32, self.width() as i32]
    }

    fn status(&self) -> Status {
        if self.count == 0 { Status::Won } else { Status::Open }
    }

    fn check(&self, _: [i32; 2]) -> Result<(), Infallible> {
        Ok(())
    }

    fn each_legal<F: FnMut([i32; 2]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        for row in 0..self.height() as i32 {
            for col in 0..self.width() as i32 {
                visit([row, col])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&mut self, mv: [i32; 2]) {
        self.press(mv);
    }

    fn revert(&mut self, mv: [i32; 2], (): ()) {
        self.press(mv);
    }

    fn write_board(&self, out: &mut [u8]) {
        out.copy_from_slice(self.light.as_slice());
    }
}
