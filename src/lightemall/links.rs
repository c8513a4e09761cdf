//! The links of a wiring, for searches of the whole board.

use super::LightEmAll;
use crate::graph::NeighborSteps;
use crate::graph::search::NONE;

/// Which wire ends meet, worked out once for all tiles.
pub(super) struct Links {
    /// By tile: the sides on which its wires meet those of a neighbor.
    met: Vec<u8>,
    /// The neighbors of each tile; `None` on a board of squares that does not wrap, on which `delta` suffices because
    /// no link leaves the board.
    steps: Option<NeighborSteps>,
    /// By side N, E, S and W of a square: the row-major index of the neighbor minus that of the tile.
    delta: [isize; 4],
}

impl Links {
    /// Works out the links of a position.
    pub(super) fn new(game: &LightEmAll) -> Self {
        let (lattice, wires) = (game.lattice, &game.wires);
        let width = lattice.width;
        let mut met = vec![0; wires.len()];
        let plain = !lattice.hexagonal && !lattice.wrap;
        if plain {
            // Row by row, one pass per side: `met` collects the sides on which a neighbor has a wire to the tile. The
            // shifts move the bit of that wire to the opposite side (S of the tile above, 4, becomes N, 1), and the
            // last pass keeps the sides on which the tile has a wire too.
            for (row, met) in met.chunks_exact_mut(width).enumerate() {
                let mine = &wires[row * width..][..width];
                if row > 0 {
                    let above = &wires[(row - 1) * width..][..width];
                    met.iter_mut().zip(above).for_each(|(met, above)| *met |= above >> 2 & 1);
                }
                met[1..].iter_mut().zip(mine).for_each(|(met, left)| *met |= left << 2 & 8);
                met.iter_mut().zip(&mine[1..]).for_each(|(met, right)| *met |= right >> 2 & 2);
                if let Some(below) = wires.get((row + 1) * width..(row + 2) * width) {
                    met.iter_mut().zip(below).for_each(|(met, below)| *met |= below << 2 & 4);
                }
                met.iter_mut().zip(mine).for_each(|(met, mine)| *met &= mine);
            }
        } else {
            lattice.each_edge(|id, tile, other| {
                let side = lattice.slot_side(id % lattice.slots());
                if game.meet(tile, side, other) {
                    met[tile] |= 1 << side;
                    met[other] |= 1 << lattice.opposite(side);
                }
            });
        }
        let width = width as isize;
        Self { met, steps: (!plain).then(|| NeighborSteps::new(lattice)), delta: [-width, 1, width, -1] }
    }

    /// Returns the tile beyond a side on which there is a link.
    #[inline]
    fn beyond(&self, tile: usize, side: usize) -> usize {
        match &self.steps {
            None => tile.wrapping_add_signed(self.delta[side & 3]),
            Some(steps) => steps.neighbor(tile, side).unwrap_or(tile),
        }
    }

    /// Returns the opposite of a side.
    #[inline]
    fn opposite(&self, side: usize) -> usize {
        self.steps.as_ref().map_or(side ^ 2, |steps| steps.lattice().opposite(side))
    }

    /// Iterates over the tiles that are linked to a tile, in the order of its sides; a tile linked on two sides
    /// appears twice.
    pub(super) fn around(&self, tile: usize) -> impl Iterator<Item = usize> {
        let mask = self.met[tile];
        (0..6).filter(move |side| mask >> side & 1 == 1).map(move |side| self.beyond(tile, side))
    }

    /// Searches breadth-first from a tile: writes the distance, in links, of each tile reached into `depth`, which must
    /// hold [`NONE`] everywhere, and leaves the tiles reached in `queue`, in the order of the visits.
    pub(super) fn spread(&self, from: u32, depth: &mut [u32], queue: &mut Vec<u32>) {
        queue.clear();
        queue.push(from);
        depth[from as usize] = 0;
        let mut at = 0;
        while at < queue.len() {
            let tile = queue[at] as usize;
            at += 1;
            let next = depth[tile] + 1;
            // Takes the linked sides one by one, the lowest bit first.
            let mut mask = self.met[tile];
            while mask != 0 {
                let other = self.beyond(tile, mask.trailing_zeros() as usize);
                mask &= mask - 1;
                if depth[other] == NONE {
                    depth[other] = next;
                    queue.push(other as u32);
                }
            }
        }
    }

    /// Returns the depths from one end of a longest path of a tree, and the path's other end, by a double breadth-first
    /// search from tile 0; `None` if not all tiles are connected. With loops, the path found is a shortest path between
    /// its ends, but other tiles may be farther apart.
    pub(super) fn longest_path(&self) -> Option<(Vec<u32>, u32)> {
        let n = self.met.len();
        let (mut depth, mut queue) = (vec![NONE; n], Vec::with_capacity(n));
        self.spread(0, &mut depth, &mut queue);
        if queue.len() < n {
            return None;
        }
        let last = queue[n - 1];
        depth.fill(NONE);
        self.spread(last, &mut depth, &mut queue);
        Some((depth, queue[n - 1]))
    }

    /// Returns the length of a longest path of a tree by removing leaf after leaf; `None` if the links are not those of
    /// one tree.
    pub(super) fn peel(&self) -> Option<u32> {
        let mut left = self.met.clone();
        // By tile: the length of the longest path that leads from it over removed tiles.
        let mut far = vec![0u32; left.len()];
        let (mut longest, mut removed) = (0, 0);
        for start in 0..left.len() {
            let mut tile = start;
            // A power of two has one bit set: the tile has one link left and is a leaf.
            while left[tile].is_power_of_two() {
                let side = left[tile].trailing_zeros() as usize;
                let other = self.beyond(tile, side);
                left[tile] = 0;
                left[other] &= !(1 << self.opposite(side));
                // The longest path across this link joins the longest paths from `tile` and `other` over removed tiles.
                longest = longest.max(far[other] + far[tile] + 1);
                far[other] = far[other].max(far[tile] + 1);
                removed += 1;
                tile = other;
            }
        }
        (removed + 1 == left.len()).then_some(longest)
    }
}
