//! Cells, directions and rectangular boards.

use std::ops::{Index, IndexMut};

/// The largest number of cells of a board, 2^26: an index always fits in 32 bits, and the header of a malicious level
/// text cannot make a parser request more memory than machines usually have.
pub const MAX_CELLS: usize = 1 << 26;

/// The row and column of a cell, 0-based from the top left corner of a board. A cell may lie off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Row, counted downward.
    pub row: i32,
    /// Column, counted to the right.
    pub col: i32,
}

impl Cell {
    /// Creates the cell (row, col).
    #[inline]
    pub const fn new(row: i32, col: i32) -> Self {
        Self { row, col }
    }

    /// Returns the cell that is `steps` cells away in a direction; the result may lie off the board. Rows and columns
    /// wrap at the limits of `i32`.
    #[inline]
    #[must_use]
    pub const fn step(self, dir: Dir, steps: i32) -> Self {
        let (dr, dc) = dir.delta();
        let row = self.row.wrapping_add(dr.wrapping_mul(steps));
        Self { row, col: self.col.wrapping_add(dc.wrapping_mul(steps)) }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.row, self.col)
    }
}

/// A direction on a board of squares; the variants are in clockwise order from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dir {
    /// Up, toward smaller rows.
    N = 0,
    /// Right, toward larger columns.
    E = 1,
    /// Down, toward larger rows.
    S = 2,
    /// Left, toward smaller columns.
    W = 3,
}

impl Dir {
    /// All four directions, clockwise from the top.
    pub const ALL: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];

    /// Returns the direction whose index is `index` modulo 4.
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 3) as usize]
    }

    /// Returns the opposite direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as u8 + 2)
    }

    /// Returns the next direction clockwise.
    #[inline]
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self::from_index(self as u8 + 1)
    }

    /// Returns the bit of the direction in a mask of sides: N=1 E=2 S=4 W=8.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the change in (row, col) that one step makes.
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::N => (-1, 0),
            Self::E => (0, 1),
            Self::S => (1, 0),
            Self::W => (0, -1),
        }
    }
}

/// Returns the number of symmetries of a rectangle: 8 for a square, otherwise 4.
pub fn symmetries(height: usize, width: usize) -> usize {
    if height == width { 8 } else { 4 }
}

/// Returns the cell to which a symmetry of a rectangle maps a cell; `cell` and the result are row-major indices.
///
/// Symmetry 0 leaves all cells in place. Bit 0 of `symmetry` exchanges top and bottom, and bit 1 exchanges left and
/// right. Bit 2, which is allowed only for squares, exchanges rows and columns after that.
pub fn image(height: usize, width: usize, symmetry: usize, cell: usize) -> usize {
    let (mut row, mut col) = (cell / width, cell % width);
    if symmetry & 1 != 0 {
        row = height - 1 - row;
    }
    if symmetry & 2 != 0 {
        col = width - 1 - col;
    }
    if symmetry & 4 != 0 {
        (row, col) = (col, row);
    }
    row * width + col
}

/// A rectangular board, row-major. Invariant: `cells.len() == height * width`, which is at most [`MAX_CELLS`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    height: usize,
    width: usize,
    cells: Vec<T>,
}

impl<T: Clone> Grid<T> {
    /// Creates a board filled with one value.
    ///
    /// # Panics
    /// If the board has more than [`MAX_CELLS`] cells.
    pub fn new(height: usize, width: usize, fill: T) -> Self {
        assert!(height.saturating_mul(width) <= MAX_CELLS, "a board of {height} x {width} is over MAX_CELLS");
        Self { height, width, cells: vec![fill; height * width] }
    }
}

impl<T> Grid<T> {
    /// Creates a board of row-major cells; returns `None` if their number is not `height * width` or exceeds
    /// [`MAX_CELLS`].
    pub fn from_cells(height: usize, width: usize, cells: Vec<T>) -> Option<Self> {
        (height.checked_mul(width) == Some(cells.len()) && cells.len() <= MAX_CELLS).then_some(Self {
            height,
            width,
            cells,
        })
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of cells.
    #[inline]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether the board has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns whether a cell lies on the board.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.row >= 0 && cell.col >= 0 && (cell.row as usize) < self.height && (cell.col as usize) < self.width
    }

    /// Returns the row-major index of a cell that lies on the board.
    #[inline]
    pub const fn index(&self, cell: Cell) -> usize {
        debug_assert!(self.contains(cell));
        cell.row as usize * self.width + cell.col as usize
    }

    /// Returns the cell at a row-major index; the board must have at least one column.
    #[inline]
    pub const fn cell(&self, index: usize) -> Cell {
        Cell { row: (index / self.width) as i32, col: (index % self.width) as i32 }
    }

    /// Returns the value at a cell, or `None` if the cell lies off the board.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<&T> {
        if self.contains(cell) { self.cells.get(self.index(cell)) } else { None }
    }

    /// Returns the values of the cells, row-major.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// Returns the values of the cells, row-major, for writing.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Iterates over the rows from top to bottom; a board without columns yields none.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.cells.chunks_exact(self.width.max(1))
    }

    /// Iterates over all cells with their values, in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.cells.iter().enumerate().map(|(i, value)| (self.cell(i), value))
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: Cell) -> &T {
        &self.cells[self.index(cell)]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    #[inline]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        let index = self.index(cell);
        &mut self.cells[index]
    }
}
