//! Kruskal on whole boards: no edge list, no stored weights, block by block, on all threads.
//!
//! The board is cut into blocks. Inside each block Kruskal drops every edge that closes a cycle there: the heaviest edge of
//! a cycle is in no minimum spanning tree. In the forest that is left, a tile with one edge and none that leaves the block
//! needs that edge; and of a chain of tiles with two edges and none that leaves the block, only the heaviest edge can ever
//! be dropped. So nearly all tiles are settled inside a block that fits the nearest cache, and Kruskal over the whole board
//! sees only the heaviest edges of chains and the edges between blocks: about a seventh of the tiles. The tree is the same,
//! edge for edge, as that of the plain algorithm; a test says so.

use super::lattice::{Lattice, Weights};
use super::order::radix;
use super::union_find::Forest;
use crate::core::{Budget, Stop, pool};

/// Side of a block: its union-find and its edges fit the nearest cache.
const BLOCK: usize = 64;

/// Endpoints with this bit are numbered within their band of blocks: inner tiles where chains meet.
const INNER: u32 = 1 << 31;

/// The label of inner tiles that chains merely pass.
const PLAIN: u32 = u32::MAX;

/// An edge that the blocks could not settle: the heaviest of a chain, or one between blocks.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// `weight << 32 | id`.
    key: u64,
    ends: [u32; 2],
}

/// Working memory of one thread, used again for each block.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    items: Vec<u64>,
    other: Vec<u64>,
    places: Vec<u32>,
    forest: Forest,
    wires: Vec<u8>,
    label: Vec<u32>,
}

/// A block of a board: rows and columns, ends excluded.
#[derive(Clone, Copy, Debug)]
struct Block {
    top: usize,
    left: usize,
    bottom: usize,
    right: usize,
}

impl Block {
    fn height(&self) -> usize {
        self.bottom - self.top
    }

    fn width(&self) -> usize {
        self.right - self.left
    }

    /// The tile beyond an owned side without wrapping, where it lies in the same block.
    #[inline]
    fn inside(&self, hexagonal: bool, row: usize, col: usize, slot: usize) -> Option<(usize, usize)> {
        if slot == 0 {
            return (col + 1 < self.right).then_some((row, col + 1));
        }
        if row + 1 >= self.bottom {
            return None;
        }
        let col = match (hexagonal, slot, row & 1) {
            (true, 1, 1) => col + 1,
            (true, 2, 0) => col.checked_sub(1)?,
            _ => col,
        };
        (self.left <= col && col < self.right).then_some((row + 1, col))
    }

    /// Number of tiles on the rim.
    fn rim(&self) -> usize {
        let (h, w) = (self.height(), self.width());
        if h <= 2 || w <= 2 { h * w } else { 2 * (h + w) - 4 }
    }

    /// The place of a tile on the rim, counted row by row; `None` for an inner tile.
    #[inline]
    fn rim_place(&self, row: usize, col: usize) -> Option<usize> {
        let (h, w) = (self.height(), self.width());
        let (r, c) = (row - self.top, col - self.left);
        if r == 0 {
            return Some(c);
        }
        if w <= 2 {
            return Some(r * w + c);
        }
        if r + 1 == h {
            return Some(w + 2 * (h - 2) + c);
        }
        match c {
            0 => Some(w + 2 * (r - 1)),
            c if c + 1 == w => Some(w + 2 * (r - 1) + 1),
            _ => None,
        }
    }
}

/// How a board is cut into blocks, and where the numbers of their rims begin.
#[derive(Debug)]
struct Cut {
    lattice: Lattice,
    side: usize,
    across: usize,
    /// By block, row-major, and the total at the end.
    first: Vec<u32>,
}

impl Cut {
    fn new(lattice: Lattice, side: usize) -> Self {
        let (across, down) = (lattice.width.div_ceil(side), lattice.height.div_ceil(side));
        let mut cut = Self { lattice, side, across, first: vec![0] };
        let mut total = 0;
        for index in 0..across * down {
            total += cut.block(index).rim() as u32;
            cut.first.push(total);
        }
        cut
    }

    fn block(&self, index: usize) -> Block {
        let (top, left) = (index / self.across * self.side, index % self.across * self.side);
        Block {
            top,
            left,
            bottom: (top + self.side).min(self.lattice.height),
            right: (left + self.side).min(self.lattice.width),
        }
    }

    /// The number of a tile that lies on the rim of its block.
    fn rim_number(&self, row: usize, col: usize) -> u32 {
        let index = row / self.side * self.across + col / self.side;
        self.first[index] + self.block(index).rim_place(row, col).unwrap_or(0) as u32
    }
}

/// Writes the wires of the minimum spanning tree of a board under random weights, row-major, into `wires`: tile by tile
/// the mask of the sides on which an edge of the tree leaves.
///
/// Takes about 40 ns a tile on one thread; memory for about a seventh of the tiles beside the wires.
///
/// # Errors
/// The budget's end; it counts tiles.
pub fn kruskal(
    lattice: Lattice,
    weights: &Weights,
    scratch: &mut Scratch,
    wires: &mut [u8],
    budget: &mut Budget<'_>,
) -> Result<(), Stop> {
    kruskal_by_blocks(lattice, weights, scratch, wires, BLOCK, budget)
}

fn kruskal_by_blocks(
    lattice: Lattice,
    weights: &Weights,
    scratch: &mut Scratch,
    wires: &mut [u8],
    side: usize,
    budget: &mut Budget<'_>,
) -> Result<(), Stop> {
    let (height, width) = (lattice.height, lattice.width);
    if lattice.is_empty() {
        return Ok(());
    }
    if !lattice.wrap && height <= side && width <= side {
        let whole = Block { top: 0, left: 0, bottom: height, right: width };
        scratch.grow(&lattice, weights, &whole);
        wires.copy_from_slice(&scratch.wires);
        return budget.spend(wires.len() as u64);
    }
    let cut = Cut::new(lattice, side);
    // Bands of blocks in groups, so that a user can interrupt: the groups do not show in the result.
    let bands: Vec<&mut [u8]> = wires.chunks_mut(side * width).collect();
    let group = pool::threads().max(1) * 4;
    let mut found: Vec<(Vec<Open>, u32)> = Vec::with_capacity(bands.len());
    let mut bands = bands.into_iter().enumerate();
    loop {
        let mut pieces: Vec<_> = bands.by_ref().take(group).map(|(i, band)| (i, band, Vec::new(), 0)).collect();
        if pieces.is_empty() {
            break;
        }
        let size = pieces.len().div_ceil(pool::threads().max(1));
        pool::each(pieces.chunks_mut(size).collect(), |chunk: &mut [_]| {
            let mut own = Scratch::default();
            for (i, band, open, inner) in chunk {
                for index in *i * cut.across..(*i + 1) * cut.across {
                    own.settle(&cut, weights, index, band, open, inner);
                }
            }
        });
        for (_, band, open, inner) in pieces {
            budget.spend(band.len() as u64)?;
            found.push((open, inner));
        }
    }
    let mut open = Vec::with_capacity(found.iter().map(|(open, _)| open.len()).sum());
    let mut total = cut.first[cut.first.len() - 1];
    for (part, inner) in found {
        for edge in part {
            let ends = edge.ends.map(|end| if end & INNER == 0 { end } else { total + (end & !INNER) });
            open.push(Open { key: edge.key, ends });
        }
        total += inner;
    }
    sort_open(&mut open);
    budget.spend(open.len() as u64)?;
    scratch.forest.reset(total as usize);
    let mut left = total - 1;
    for edge in open {
        if scratch.forest.union(edge.ends[0], edge.ends[1]) {
            let id = (edge.key & 0xffff_ffff) as usize;
            if let Some((tile, other, side)) = lattice.ends(id) {
                wires[tile] |= 1 << side;
                wires[other] |= 1 << lattice.opposite(side);
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// Sorts by key: one pass into buckets of leading bits, then each bucket by itself.
fn sort_open(open: &mut Vec<Open>) {
    let bits = (usize::BITS - open.len().leading_zeros()).clamp(4, 20) - 2;
    let bucket = |edge: &Open| (edge.key >> (64 - bits)) as usize;
    let mut places = vec![0u32; 1 << bits];
    for edge in open.iter() {
        places[bucket(edge)] += 1;
    }
    let mut at = 0;
    for place in &mut places {
        at += std::mem::replace(place, at);
    }
    let mut sorted = vec![Open::default(); open.len()];
    for edge in open.iter() {
        let place = &mut places[bucket(edge)];
        sorted[*place as usize] = *edge;
        *place += 1;
    }
    let mut start = 0;
    for end in places {
        sorted[start..end as usize].sort_unstable_by_key(|edge| edge.key);
        start = end as usize;
    }
    *open = sorted;
}

impl Scratch {
    /// Runs Kruskal inside a block: afterwards `wires` holds the block's own minimum spanning tree, row-major.
    fn grow(&mut self, lattice: &Lattice, weights: &Weights, block: &Block) {
        let (width, slots, hexagonal) = (block.width(), lattice.slots(), lattice.hexagonal);
        let n = block.height() * width;
        self.items.clear();
        for row in block.top..block.bottom {
            let base = row * lattice.width;
            let local = (row - block.top) * width;
            if hexagonal {
                for col in block.left..block.right {
                    for slot in 0..slots {
                        if block.inside(true, row, col, slot).is_some() {
                            let weight = weights.of((base + col) * slots + slot, slot);
                            let id = (local + col - block.left) * slots + slot;
                            self.items.push(u64::from(weight) << 32 | id as u64);
                        }
                    }
                }
            } else {
                let last = row + 1 == block.bottom;
                for col in block.left..block.right {
                    let [right, down] = weights.pair(base + col);
                    let id = ((local + col - block.left) * 2) as u64;
                    if col + 1 < block.right {
                        self.items.push(u64::from(weights.scaled(right, 0)) << 32 | id);
                    }
                    if !last {
                        self.items.push(u64::from(weights.scaled(down, 1)) << 32 | id | 1);
                    }
                }
            }
        }
        self.sort();
        self.forest.reset(n);
        self.wires.clear();
        self.wires.resize(n, 0);
        let mut left = n - 1;
        for &item in &self.items {
            if left == 0 {
                break;
            }
            let id = (item & 0xffff_ffff) as usize;
            let (tile, slot) = if hexagonal { (id / 3, id % 3) } else { (id / 2, id % 2) };
            let other = match (hexagonal, slot) {
                (_, 0) => tile + 1,
                (false, _) => tile + width,
                (true, slot) => {
                    let odd = (block.top + tile / width) & 1;
                    tile + width + odd + 1 - slot
                }
            };
            if self.forest.union(tile as u32, other as u32) {
                let side = lattice.slot_side(slot);
                self.wires[tile] |= 1 << side;
                self.wires[other] |= 1 << lattice.opposite(side);
                left -= 1;
            }
        }
    }

    /// Sorts the items: one pass into about as many buckets as items, then insertion, as random weights are spread evenly;
    /// buckets that a bias has crowded are sorted by themselves first.
    fn sort(&mut self) {
        let n = self.items.len();
        if n < 24 {
            self.items.sort_unstable();
            return;
        }
        let bits = (usize::BITS - n.leading_zeros()).min(13);
        let shift = 64 - bits;
        self.places.clear();
        self.places.resize(1 << bits, 0);
        for &item in &self.items {
            self.places[(item >> shift) as usize] += 1;
        }
        let (mut at, mut crowd) = (0, 0);
        for place in &mut self.places {
            crowd = crowd.max(*place);
            at += std::mem::replace(place, at);
        }
        if crowd > 64 {
            radix(&mut self.items, 32);
            return;
        }
        self.other.clear();
        self.other.resize(n, 0);
        for &item in &self.items {
            let place = &mut self.places[(item >> shift) as usize];
            self.other[*place as usize] = item;
            *place += 1;
        }
        std::mem::swap(&mut self.items, &mut self.other);
        for i in 1..n {
            let item = self.items[i];
            let mut j = i;
            while j > 0 && self.items[j - 1] > item {
                self.items[j] = self.items[j - 1];
                j -= 1;
            }
            self.items[j] = item;
        }
    }

    /// Settles what a block can settle, writes it into its band of the board, adds what stays open, and counts on the
    /// inner tiles where chains meet.
    fn settle(
        &mut self,
        cut: &Cut,
        weights: &Weights,
        index: usize,
        band: &mut [u8],
        open: &mut Vec<Open>,
        inner: &mut u32,
    ) {
        let (lattice, block) = (&cut.lattice, cut.block(index));
        self.grow(lattice, weights, &block);
        let (height, width, slots) = (block.height(), block.width(), lattice.slots());
        let beyond = |tile: usize, side: usize| -> usize {
            let odd = (block.top + tile / width) & 1;
            match (lattice.hexagonal, side) {
                (_, 1) => tile + 1,
                (false, 0) => tile - width,
                (false, 2) => tile + width,
                (true, 0) => tile - width + odd,
                (true, 2) => tile + width + odd,
                (true, 3) => tile + width + odd - 1,
                (true, 5) => tile - width + odd - 1,
                _ => tile - 1,
            }
        };
        // Labels: the rim is numbered for the whole board, inner tiles get numbers when chains meet there.
        self.label.clear();
        self.label.resize(height * width, PLAIN);
        for row in block.top..block.bottom {
            let edge_row = row == block.top || row + 1 == block.bottom;
            let step = if edge_row || width == 1 { 1 } else { width - 1 };
            for col in (block.left..block.right).step_by(step) {
                let tile = (row - block.top) * width + col - block.left;
                let place = block.rim_place(row, col).unwrap_or(0);
                self.label[tile] = cut.first[index] + place as u32;
                for slot in 0..slots {
                    if block.inside(lattice.hexagonal, row, col, slot).is_some() {
                        continue;
                    }
                    if let Some((r, c)) = lattice.beyond(row, col, lattice.slot_side(slot)) {
                        let id = (row * lattice.width + col) * slots + slot;
                        let key = u64::from(weights.of(id, slot)) << 32 | id as u64;
                        open.push(Open { key, ends: [self.label[tile], cut.rim_number(r, c)] });
                    }
                }
            }
        }
        let rest = &mut self.wires;
        let row_of = |tile: usize| (tile / width) * lattice.width + block.left + tile % width;
        // Leaves that do not touch other blocks keep their edge; the tile behind may become a leaf in turn.
        for start in 0..height * width {
            let mut tile = start;
            while self.label[tile] == PLAIN && rest[tile].is_power_of_two() {
                let side = rest[tile].trailing_zeros() as usize;
                let other = beyond(tile, side);
                let back = 1u8 << lattice.opposite(side);
                band[row_of(tile)] |= rest[tile];
                band[row_of(other)] |= back;
                rest[tile] = 0;
                rest[other] &= !back;
                tile = other;
            }
        }
        // What is left are chains between tiles of the rim and tiles where three or more of them meet.
        for tile in 0..height * width {
            if self.label[tile] == PLAIN && rest[tile].count_ones() > 2 {
                self.label[tile] = INNER | *inner;
                *inner += 1;
            }
        }
        for start in 0..height * width {
            if self.label[start] == PLAIN {
                continue;
            }
            while rest[start] != 0 {
                let mut tile = start;
                let (mut heaviest, mut at) = (0, (0, 0));
                loop {
                    let side = rest[tile].trailing_zeros() as usize;
                    let (other, opposite) = (beyond(tile, side), lattice.opposite(side));
                    rest[tile] &= !(1 << side);
                    rest[other] &= !(1 << opposite);
                    band[row_of(tile)] |= 1 << side;
                    band[row_of(other)] |= 1 << opposite;
                    // The owner of an edge is the tile on its left or above.
                    let (owner, slot) = match lattice.hexagonal {
                        false if side == 1 || side == 2 => (tile, side - 1),
                        false => (other, usize::from(side == 0)),
                        true if (1..=3).contains(&side) => (tile, side - 1),
                        true => (other, opposite - 1),
                    };
                    let id = (block.top * lattice.width + row_of(owner)) * slots + slot;
                    let key = u64::from(weights.of(id, slot)) << 32 | id as u64;
                    if key >= heaviest {
                        heaviest = key;
                        at = (tile, side);
                    }
                    tile = other;
                    if self.label[tile] != PLAIN {
                        break;
                    }
                }
                let (from, side) = at;
                band[row_of(from)] &= !(1 << side);
                band[row_of(beyond(from, side))] &= !(1 << lattice.opposite(side));
                open.push(Open { key: heaviest, ends: [self.label[start], self.label[tile]] });
            }
        }
    }
}

/// Lists the edges of a tree given by its wires, as pairs of tiles, in the order in which Kruskal takes them under the
/// weights: the lightest first.
pub fn by_weight(lattice: Lattice, weights: &Weights, wires: &[u8]) -> Vec<[u32; 2]> {
    let slots = lattice.slots();
    let mut items = Vec::with_capacity(lattice.len());
    for (tile, &mask) in wires.iter().enumerate() {
        for slot in 0..slots {
            if mask >> lattice.slot_side(slot) & 1 == 1 {
                let id = tile * slots + slot;
                items.push(u64::from(weights.of(id, slot)) << 32 | id as u64);
            }
        }
    }
    radix(&mut items, 32);
    items
        .into_iter()
        .filter_map(|item| lattice.ends((item & 0xffff_ffff) as usize))
        .map(|(tile, other, _)| [tile as u32, other as u32])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::span;

    /// The wires of the plain algorithm on the edge list.
    fn plain(lattice: Lattice, weights: &Weights) -> (Vec<u8>, Vec<[u32; 2]>) {
        let edges = lattice.edges();
        let mut ids = Vec::new();
        lattice.each_edge(|id, _, _| ids.push(id));
        let list: Vec<u32> = ids.iter().map(|&id| weights.of(id, id % lattice.slots())).collect();
        let taken = span::kruskal(lattice.len(), &edges, &list).unwrap();
        let mut wires = vec![0; lattice.len()];
        let mut tree = Vec::new();
        for edge in taken {
            let (u, v, side) = lattice.ends(ids[edge as usize]).unwrap();
            wires[u] |= 1 << side;
            wires[v] |= 1 << lattice.opposite(side);
            tree.push([u as u32, v as u32]);
        }
        (wires, tree)
    }

    fn same(lattice: Lattice, side: usize, seed: u64, bias: f64) {
        let weights = Weights::new(seed, bias);
        let mut wires = vec![0; lattice.len()];
        let mut budget = Budget::unlimited();
        kruskal_by_blocks(lattice, &weights, &mut Scratch::default(), &mut wires, side, &mut budget).unwrap();
        let (expected, tree) = plain(lattice, &weights);
        assert_eq!(wires, expected, "{lattice:?}, blocks of {side}, seed {seed}, bias {bias}");
        assert_eq!(by_weight(lattice, &weights, &wires), tree, "{lattice:?}, seed {seed}");
    }

    #[test]
    fn the_blocked_tree_is_the_plain_tree() {
        for seed in 0..60 {
            let (height, width) = (1 + seed as usize % 11, 1 + seed as usize * 7 % 23);
            for (hexagonal, wrap) in [(false, false), (true, false), (false, true), (true, true)] {
                let lattice = Lattice { height, width, hexagonal, wrap };
                if lattice.check().is_ok() {
                    for side in [1, 2, 3, 4, 7, 64] {
                        same(lattice, side, seed, [0.0, 0.9, -0.7][seed as usize % 3]);
                    }
                }
            }
        }
        // Horizontal weights that are all equal: the order of ids alone decides among them.
        same(Lattice::square(9, 14), 4, 1, 1.0);
        for (hexagonal, wrap) in [(false, false), (true, true)] {
            same(Lattice { height: 200, width: 131, hexagonal, wrap }, BLOCK, 5, 0.0);
            same(Lattice { height: 130, width: 65, hexagonal, wrap }, BLOCK, 6, 0.999_999);
        }
    }

    #[test]
    fn rims_are_numbered_without_gaps() {
        for height in 1..7 {
            for width in 1..7 {
                let block = Block { top: 3, left: 5, bottom: 3 + height, right: 5 + width };
                let places: Vec<usize> = (3..3 + height)
                    .flat_map(|row| (5..5 + width).filter_map(move |col| block.rim_place(row, col)))
                    .collect();
                assert_eq!(places, (0..block.rim()).collect::<Vec<_>>(), "{height} x {width}");
            }
        }
    }

    #[test]
    fn a_budget_ends_it() {
        let lattice = Lattice::square(300, 300);
        let mut wires = vec![0; lattice.len()];
        let mut budget = Budget::new("tiles", Some(1000), None);
        let weights = Weights::new(1, 0.0);
        assert!(kruskal(lattice, &weights, &mut Scratch::default(), &mut wires, &mut budget).is_err());
    }
}
