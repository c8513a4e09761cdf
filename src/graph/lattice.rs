//! Boards as graphs: squares or hexagons, with or without joined borders, and their edges in a fixed order.

use std::ops::Range;

use crate::core::rng::mix;
use crate::core::{Budget, Error};

/// A board whose tiles have four or six sides. It may wrap: then the last column is next to the first, and the last row
/// to the first.
///
/// Sides count clockwise: N=0 E=1 S=2 W=3 on squares; NE=0 E=1 SE=2 SW=3 W=4 NW=5 on hexagons, whose odd rows are shifted
/// right by half a tile. Tiles are row-major. Each edge belongs to the tile on its left or above: it is one of that tile's
/// *slots*, right before down (`E, S` on squares, `E, SE, SW` on hexagons); its id is `tile * slots + slot`.
///
/// ```text
///   0--1--2        (0)-(1)-(2)
///   |  |  |           \ / \ / \
///   3--4--5           (3)-(4)-(5)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// Number of rows.
    pub height: usize,
    /// Number of columns.
    pub width: usize,
    /// Whether tiles are hexagons.
    pub hexagonal: bool,
    /// Whether borders are joined.
    pub wrap: bool,
}

/// The sides that own an edge, right before down.
const OWNED: [&[usize]; 2] = [&[1, 2], &[1, 2, 3]];

impl Lattice {
    /// Makes a board of squares that ends at its borders.
    pub const fn square(height: usize, width: usize) -> Self {
        Self { height, width, hexagonal: false, wrap: false }
    }

    /// Says what is wrong with a board of joined hexagons that does not close: shifted rows need an even height.
    ///
    /// # Errors
    /// A sentence where hexagons wrap with an odd height.
    pub fn check(&self) -> Result<(), Error> {
        if self.hexagonal && self.wrap && self.height % 2 == 1 {
            return Err(Error::Invalid(format!(
                "a wrapping board of hexagons with height {}, wanted an even height",
                self.height
            )));
        }
        Ok(())
    }

    /// Number of tiles.
    #[inline]
    pub const fn len(&self) -> usize {
        self.height * self.width
    }

    /// Whether there is no tile.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of sides of a tile.
    #[inline]
    pub const fn sides(&self) -> usize {
        if self.hexagonal { 6 } else { 4 }
    }

    /// Number of edges that belong to a tile.
    #[inline]
    pub const fn slots(&self) -> usize {
        self.sides() / 2
    }

    /// The side on which edges of a slot leave the tile that owns them.
    #[inline]
    pub const fn slot_side(&self, slot: usize) -> usize {
        OWNED[self.hexagonal as usize][slot]
    }

    /// The side across.
    #[inline]
    pub const fn opposite(&self, side: usize) -> usize {
        let half = self.sides() / 2;
        if side < half { side + half } else { side - half }
    }

    /// Turns a mask of sides clockwise by one side.
    #[inline]
    pub const fn turn(&self, mask: u8) -> u8 {
        let sides = self.sides();
        (mask << 1 | mask >> (sides - 1)) & ((1 << sides) - 1)
    }

    /// Gives the tile beyond a side; `None` where the board ends, or where a board that wraps is so narrow that the tile
    /// would meet itself.
    #[inline]
    pub fn beyond(&self, row: usize, col: usize, side: usize) -> Option<(usize, usize)> {
        let odd = row & 1 == 1;
        let (up, down, left, right) = if self.hexagonal {
            match side {
                0 => (true, false, false, odd),
                1 => (false, false, false, true),
                2 => (false, true, false, odd),
                3 => (false, true, !odd, false),
                4 => (false, false, true, false),
                _ => (true, false, !odd, false),
            }
        } else {
            (side == 0, side == 2, side == 3, side == 1)
        };
        let (mut r, mut c) = (row, col);
        if up {
            r = if row > 0 { row - 1 } else { self.across(self.height)? };
        }
        if down {
            r = if row + 1 < self.height { row + 1 } else { self.across(1)? };
        }
        if left {
            c = if col > 0 { col - 1 } else { self.across(self.width)? };
        }
        if right {
            c = if col + 1 < self.width { col + 1 } else { self.across(1)? };
        }
        ((r, c) != (row, col)).then_some((r, c))
    }

    /// The index just before `end`, reachable on boards that wrap only.
    #[inline]
    fn across(&self, end: usize) -> Option<usize> {
        self.wrap.then(|| end - 1)
    }

    /// Gives the tile beyond a side, by row-major index.
    #[inline]
    pub fn neighbour(&self, tile: usize, side: usize) -> Option<usize> {
        let (row, col) = self.beyond(tile / self.width, tile % self.width, side)?;
        Some(row * self.width + col)
    }

    /// Visits the edges as `(id, tile, other tile)` in the order of their ids.
    pub fn each_edge(&self, mut visit: impl FnMut(usize, usize, usize)) {
        self.edges_of_rows(0..self.height, &mut visit);
    }

    /// The same, with a pause after each row.
    ///
    /// # Errors
    /// An interruption.
    pub fn each_edge_watched(
        &self,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(usize, usize, usize),
    ) -> Result<(), Error> {
        for row in 0..self.height {
            budget.pause()?;
            self.edges_of_rows(row..row + 1, &mut visit);
        }
        Ok(())
    }

    fn edges_of_rows(&self, rows: Range<usize>, visit: &mut impl FnMut(usize, usize, usize)) {
        let slots = self.slots();
        for row in rows {
            for col in 0..self.width {
                let tile = row * self.width + col;
                for slot in 0..slots {
                    if let Some((r, c)) = self.beyond(row, col, self.slot_side(slot)) {
                        visit(tile * slots + slot, tile, r * self.width + c);
                    }
                }
            }
        }
    }

    /// Lists the edges in the order of their ids.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges = Vec::with_capacity(self.len() * self.slots());
        self.each_edge(|_, u, v| edges.push([u as u32, v as u32]));
        edges
    }

    /// Gives the two tiles of an edge id, and the side on which it leaves the first.
    #[inline]
    pub fn ends(&self, id: usize) -> Option<(usize, usize, usize)> {
        let (tile, side) = (id / self.slots(), self.slot_side(id % self.slots()));
        Some((tile, self.neighbour(tile, side)?, side))
    }
}

/// Random weights of a board's edges, each a hash of the seed and the edge's id: they need no memory, any thread can ask
/// for any of them, and `seed -> tree` is the same everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    key: u64,
    /// By slot, in units of 2^-32.
    scale: [u64; 3],
}

impl Weights {
    /// Makes the weights of a seed. With `bias` from -1 to 1 (both excluded) the weights of horizontal edges are scaled
    /// down by `1 - bias`, or those of the others by `1 + bias` where it is negative: lighter edges are taken first.
    pub fn new(seed: u64, bias: f64) -> Self {
        let scale = |by: f64| (by.clamp(0.0, 1.0) * 4_294_967_296.0) as u64;
        let (flat, steep) = (scale(1.0 - bias), scale(1.0 + bias));
        Self { key: mix(seed ^ 0x6b72_7573_6b61_6c21), scale: [flat, steep, steep] }
    }

    /// Gives the weight of the edge with an id, which lies in slot `slot` of its tile.
    #[inline]
    pub fn of(&self, id: usize, slot: usize) -> u32 {
        let [first, second] = self.pair(id >> 1);
        self.scaled(if id & 1 == 0 { first } else { second }, slot)
    }

    /// Gives the unscaled weights of the edges `2 * word` and `2 * word + 1`: one hash serves two edges.
    #[inline]
    pub(crate) fn pair(&self, word: usize) -> [u32; 2] {
        let bits = mix(self.key ^ word as u64);
        [(bits >> 32) as u32, bits as u32]
    }

    /// Scales a weight by the bias of its slot.
    #[inline]
    pub(crate) fn scaled(&self, raw: u32, slot: usize) -> u32 {
        // The usual case without a product: loops are split by it.
        if self.scale[slot] == 1 << 32 { raw } else { ((u64::from(raw) * self.scale[slot]) >> 32) as u32 }
    }
}

/// Steps from tile to tile without divisions, for long walks: one byte a tile tells whether it lies on the border.
#[derive(Clone, Debug)]
pub struct Steps {
    lattice: Lattice,
    /// 0 or 1: inner tile of an even or odd row; 2: tile of the border.
    kind: Vec<u8>,
    delta: [[i32; 6]; 2],
}

impl Steps {
    /// Prepares the steps of a board.
    pub fn new(lattice: Lattice) -> Self {
        let (height, width) = (lattice.height, lattice.width);
        let mut kind = vec![2u8; lattice.len()];
        if width > 2 && height > 2 {
            for row in 1..height - 1 {
                kind[row * width + 1..(row + 1) * width - 1].fill((row & 1) as u8);
            }
        }
        let w = width as i32;
        let delta = if lattice.hexagonal {
            [[-w, 1, w, w - 1, -1, -w - 1], [1 - w, 1, w + 1, w, -1, -w]]
        } else {
            [[-w, 1, w, -1, 0, 0]; 2]
        };
        Self { lattice, kind, delta }
    }

    /// The board.
    #[inline]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Gives the tile beyond a side, like [`Lattice::neighbour`].
    #[inline]
    pub fn neighbour(&self, tile: usize, side: usize) -> Option<usize> {
        let kind = self.kind[tile];
        if kind < 2 {
            Some((tile as i32 + self.delta[kind as usize][side]) as usize)
        } else {
            self.lattice.neighbour(tile, side)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Lattice> {
        let mut all = Vec::new();
        for height in 1..6 {
            for width in 1..6 {
                for (hexagonal, wrap) in [(false, false), (true, false), (false, true), (true, true)] {
                    let lattice = Lattice { height, width, hexagonal, wrap };
                    if lattice.check().is_ok() {
                        all.push(lattice);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn a_step_and_the_step_back_meet() {
        for lattice in all() {
            let steps = Steps::new(lattice);
            let mut sides = 0;
            for tile in 0..lattice.len() {
                for side in 0..lattice.sides() {
                    let there = lattice.neighbour(tile, side);
                    assert_eq!(steps.neighbour(tile, side), there);
                    if let Some(there) = there {
                        sides += 1;
                        assert_ne!(there, tile);
                        assert_eq!(
                            lattice.neighbour(there, lattice.opposite(side)),
                            Some(tile),
                            "{lattice:?} {tile} {side}"
                        );
                    }
                }
            }
            assert_eq!(lattice.edges().len() * 2, sides, "{lattice:?}: each edge once");
            lattice.each_edge(|id, u, v| assert_eq!(lattice.ends(id).map(|(a, b, _)| (a, b)), Some((u, v))));
        }
    }

    #[test]
    fn edges_are_row_major_right_before_down() {
        assert_eq!(Lattice::square(2, 3).edges(), [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]);
        let hex = Lattice { hexagonal: true, ..Lattice::square(2, 2) };
        assert_eq!(hex.edges(), [[0, 1], [0, 2], [1, 3], [1, 2], [2, 3]]);
        let torus = Lattice { wrap: true, ..Lattice::square(3, 3) };
        assert_eq!(torus.edges().len(), 18);
    }

    #[test]
    fn tiles_that_touch_on_the_plane_are_neighbours() {
        // Centres of hexagons of width 2: neighbours are exactly those at distance 2.
        let hex = Lattice { hexagonal: true, ..Lattice::square(5, 4) };
        let centre = |t: usize| ((t % 4 * 2 + t / 4 % 2) as f64, (t / 4) as f64 * 3f64.sqrt());
        for a in 0..hex.len() {
            for b in 0..hex.len() {
                let ((x, y), (u, v)) = (centre(a), centre(b));
                let touch = ((x - u).hypot(y - v) - 2.0).abs() < 1e-9;
                assert_eq!((0..6).any(|side| hex.neighbour(a, side) == Some(b)), touch, "{a} {b}");
            }
        }
    }

    #[test]
    fn weights_follow_the_seed_and_the_bias() {
        let (plain, biased) = (Weights::new(7, 0.0), Weights::new(7, 0.5));
        assert_eq!((0..4).map(|id| plain.of(id, id % 2)).collect::<Vec<_>>(), GOLDEN);
        assert_eq!(biased.of(0, 0), plain.of(0, 0) / 2);
        assert_eq!(biased.of(1, 1), plain.of(1, 1));
        assert_ne!(plain.of(5, 1), Weights::new(8, 0.0).of(5, 1));
    }

    /// A promise to every stored seed: these numbers never change.
    const GOLDEN: [u32; 4] = [3626353717, 2317913875, 3372278609, 1878448699];

    #[test]
    fn a_turn_moves_every_side_by_one() {
        let hex = Lattice { hexagonal: true, ..Lattice::square(1, 1) };
        assert_eq!(hex.turn(0b100001), 0b000011);
        assert_eq!(Lattice::square(1, 1).turn(0b1001), 0b0011);
    }
}
