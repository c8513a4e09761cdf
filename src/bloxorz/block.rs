//! The block: two cubes that stand, lie or are split. A block is independent of the terrain.

use std::fmt;
use std::hint::select_unpredictable;

use crate::core::{Cell, Dir};

/// A block of two cubes: standing, lying, or split into two.
///
/// Invariant: the two cells of a standing block are equal; a lying block has its upper or left cell first; a split
/// block has the cube in control first, and its cells are not neighbors. Only [`Block::rolled`] may break this
/// invariant: cubes that have just met may be in the wrong order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    first: Cell,
    second: Cell,
}

/// The steps of both cells when a block rolls: the row step and the column step of the first cell, then those of the
/// second cell. Indexed by the kind of block (0 standing, 1 lying along a row, 2 lying along a column) and by the
/// direction (N, E, S, W).
///
/// ```text
/// standing, E:  #..  ->  .##      the first cell moves by 1, the second by 2
/// along a row:  ##.  ->  ..#      the first cell moves by 2, the second by 1
/// ```
const ROLLS: [[[i32; 4]; 4]; 4] = [
    [[-2, 0, -1, 0], [0, 1, 0, 2], [1, 0, 2, 0], [0, -2, 0, -1]],
    [[-1, 0, -1, 0], [0, 2, 0, 1], [1, 0, 1, 0], [0, -1, 0, -2]],
    [[-1, 0, -2, 0], [0, 1, 0, 1], [2, 0, 1, 0], [0, -1, 0, -1]],
    [[0; 4]; 4], // no kind of block: with four entries, `kind & 3` needs no bounds check
];

impl Block {
    /// Creates a block that stands on a cell.
    pub const fn standing(cell: Cell) -> Self {
        Self { first: cell, second: cell }
    }

    /// Creates a split block with the cube in control on `control` and the other cube on `other`. Cubes on neighboring
    /// cells form a lying block instead; cubes on one cell form a standing block.
    pub fn split(control: Cell, other: Cell) -> Self {
        Self { first: control, second: other }.joined()
    }

    /// Returns the only cell of a standing block, the upper or left cell of a lying one, or the cube in control of a
    /// split one.
    #[inline]
    pub const fn first(self) -> Cell {
        self.first
    }

    /// Returns the only cell of a standing block, the lower or right cell of a lying one, or the other cube of a split
    /// one.
    #[inline]
    pub const fn second(self) -> Cell {
        self.second
    }

    /// Iterates over the occupied cells: one if the block stands, otherwise [`Block::first`] and [`Block::second`].
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        [self.first, self.second].into_iter().take(if self.is_standing() { 1 } else { 2 })
    }

    /// Returns whether both cubes are on the same cell.
    #[inline]
    pub fn is_standing(self) -> bool {
        self.first == self.second
    }

    /// Returns whether the cubes are on different cells that are not neighbors.
    #[inline]
    pub fn is_split(self) -> bool {
        let [rows, cols] = [self.first.row.abs_diff(self.second.row), self.first.col.abs_diff(self.second.col)];
        u64::from(rows) + u64::from(cols) > 1
    }

    /// Returns the block with the other cube in control. A block that is not split is returned unchanged.
    #[must_use]
    pub fn switched(self) -> Self {
        if self.is_split() { Self { first: self.second, second: self.first } } else { self }
    }

    /// Returns the block after a roll in a direction. Of a split block, only the cube in control moves. Cells wrap as
    /// those of [`Cell::step`] do.
    ///
    /// Cubes that meet may be in the wrong order for a lying block. Passing both cells to [`Block::split`] puts them in
    /// order.
    #[inline]
    #[must_use]
    pub fn rolled(self, dir: Dir) -> Self {
        let Self { first, second } = self;
        if self.is_split() { Self { first: first.step(dir, 1), second } } else { self.rolled_whole(dir) }
    }

    /// Returns the block, which must not be split, after a roll in a direction.
    #[inline]
    #[must_use]
    pub(super) fn rolled_whole(self, dir: Dir) -> Self {
        let Self { first, second } = self;
        // The step from the first cell to the second is (0, 0), (0, 1) or (1, 0), so `kind` is 0, 1 or 2. The steps are
        // looked up in a table, because a branch on the kind is often mispredicted if keys are random.
        let kind = (second.col - first.col) + 2 * (second.row - first.row);
        let [rows, cols, rows2, cols2] = ROLLS[kind as usize & 3][dir as usize];
        Self {
            first: Cell::new(first.row.wrapping_add(rows), first.col.wrapping_add(cols)),
            second: Cell::new(second.row.wrapping_add(rows2), second.col.wrapping_add(cols2)),
        }
    }

    /// Returns the block, with its cells in the order of a lying block if the cubes have met.
    #[inline]
    #[must_use]
    pub(crate) fn joined(self) -> Self {
        if !self.is_split() && self.second < self.first {
            Self { first: self.second, second: self.first }
        } else {
            self
        }
    }

    /// Returns `other` if `replace` is `true`, otherwise the block itself, without a branch.
    #[inline]
    #[must_use]
    pub(super) fn or(self, other: Self, replace: bool) -> Self {
        let pick = |mine: Cell, theirs: Cell| {
            let of = |mine: i32, theirs: i32| select_unpredictable(replace, theirs, mine);
            Cell::new(of(mine.row, theirs.row), of(mine.col, theirs.col))
        };
        Self { first: pick(self.first, other.first), second: pick(self.second, other.second) }
    }
}

/// Writes the block as the source document does: `Block{Pos(x=4, y=4),Pos(x=5, y=4)}`, with one `Pos` if it stands.
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Block{")?;
        for (i, cell) in self.cells().enumerate() {
            write!(f, "{}Pos(x={}, y={})", if i == 0 { "" } else { "," }, cell.col, cell.row)?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays the session printed in the source document and compares every value.
    #[test]
    fn rolls_agree_with_the_session_of_the_source_document() {
        let mut block = Block::standing(Cell::new(4, 3));
        let mut shown = vec![block.to_string()];
        for dir in [Dir::E, Dir::E, Dir::S, Dir::E, Dir::E, Dir::S] {
            block = block.rolled(dir);
            shown.push(format!("{block} {}", block.is_standing()));
        }
        assert_eq!(
            shown,
            [
                "Block{Pos(x=3, y=4)}",
                "Block{Pos(x=4, y=4),Pos(x=5, y=4)} false",
                "Block{Pos(x=6, y=4)} true",
                "Block{Pos(x=6, y=5),Pos(x=6, y=6)} false",
                "Block{Pos(x=7, y=5),Pos(x=7, y=6)} false",
                "Block{Pos(x=8, y=5),Pos(x=8, y=6)} false",
                "Block{Pos(x=8, y=7)} true",
            ]
        );
    }

    #[test]
    fn every_roll_is_undone_by_the_opposite_one() {
        let standing = Block::standing(Cell::new(0, 0));
        for first in Dir::ALL {
            let lying = standing.rolled(first);
            assert!(!lying.is_standing() && !lying.is_split());
            assert_eq!(lying.rolled(first.opposite()), standing, "{first:?}");
            for dir in Dir::ALL {
                assert_eq!(lying.rolled(dir).rolled(dir.opposite()), lying, "{first:?} {dir:?}");
            }
        }
    }

    #[test]
    fn cubes_move_alone_and_join() {
        let apart = Block::split(Cell::new(0, 3), Cell::new(0, 0));
        assert!(apart.is_split());
        assert_eq!(apart.switched().first(), Cell::new(0, 0));
        let met = apart.rolled(Dir::W).rolled(Dir::W);
        assert!(!met.is_split());
        assert_eq!(met.joined(), Block::standing(Cell::new(0, -1)).rolled(Dir::E));
        let diagonal = Block::split(Cell::new(1, 1), Cell::new(0, 0));
        assert!(diagonal.is_split());
    }
}
