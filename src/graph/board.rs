//! Kruskal's algorithm on whole boards, block by block on all threads, without a list of all edges or all weights.
//!
//! The board is cut into blocks. Inside each block Kruskal's algorithm drops every edge that closes a cycle there (the
//! heaviest edge of a cycle is in no minimum spanning tree). Each edge that it takes joins two components, and is the
//! lightest edge of the block that leaves either of them. If one of the two components has no tile on the rim of the
//! block, the block contains all edges that leave this component, so that the edge taken is in the tree of the whole
//! board (cut property). This leaves open the edges that join two components with tiles on the rim (fewer edges than
//! the rim has tiles) and the edges between blocks: about one edge per twenty tiles in all. Kruskal's algorithm on the
//! whole board decides which of these edges are in the tree. A test verifies that the tree has the same edges as the
//! tree of [`kruskal`](super::span::kruskal) on the edge list.
//!
//! On squares with random weights, about five sevenths of all edges need no sorting: the lightest of the four edges of
//! a tile is in the tree, and the heaviest of the four around a corner where four tiles meet is not (the first round of
//! Boruvka's algorithm on the board and on its dual). Only the other edges are sorted.
//!
//! A worked example, one block of 3 x 3 tiles a to i with the weights of its edges:
//!
//! ```text
//! a 4 b 9 c      Only e is not on the rim: the other tiles may have edges to other blocks. The lightest edge of e,
//! 7   1   2      b-e, is in the tree. The heaviest edges around the four corners are d-e 8, b-c 9, g-h 10 and h-i 11,
//! d 8 e 6 f      which are not in the tree. This leaves f-i 0, c-f 2, d-g 3, a-b 4, e-h 5, e-f 6 and a-d 7 to sort.
//! 3   5   0      If the block is the whole board, all seven are taken. In a larger board each of the seven joins
//! g10 h11 i      two components with tiles on the rim, and stays open.
//! ```

use super::lattice::{Lattice, Weights};
use super::open_edges::{OpenEdge, sort_open};
use super::order::radix;
use super::union_find::Forest;
use crate::core::{Budget, Error, memory, pieces, pool};

/// Side of a block. Larger blocks leave fewer edges open; at this size the union-find nodes that a block uses take
/// 33 KiB, which still just about fits in the first-level cache.
const BLOCK: usize = 128;

/// Number of nodes in the union-find of a block that precede those of its tiles, enough for one per tile of the rim. As
/// a union links the larger representative to the smaller one, the representative of a component with a tile on the rim
/// is less than `RIM`.
const RIM: usize = 4 * BLOCK;

/// A power of two above the number of nodes, so that an index modulo `NODES` needs no bounds check.
const NODES: usize = 2 * BLOCK * BLOCK;

/// An upper bound on the bytes of a [`Scratch`] for a block: mostly two lists of up to three edges per tile, 8 bytes
/// per edge.
const SCRATCH: usize = 96 * BLOCK * BLOCK;

/// The union-find of a block, with 16 bits per node. A union links the larger representative to the smaller one.
#[derive(Clone, Debug)]
struct Nodes(Box<[u16; NODES]>);

impl Default for Nodes {
    #[allow(clippy::large_stack_arrays)] // 64 KiB, once per `Scratch`
    fn default() -> Self {
        Self(Box::new([0; NODES]))
    }
}

impl Nodes {
    /// Returns the representative of a node, and halves the path to it.
    #[inline]
    fn find(&mut self, node: usize) -> usize {
        let mut at = node;
        loop {
            let up = usize::from(self.0[at % NODES]);
            let top = usize::from(self.0[up % NODES]);
            if top == up {
                return top;
            }
            // Path halving: every second node on the way links to its grandparent, so that the next search is about
            // half as long.
            self.0[at % NODES] = top as u16;
            at = top;
        }
    }
}

/// The working memory of one thread, reused for each block.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Edges to sort, as `weight << 32 | id in the block`: the first `count` entries.
    items: Vec<u64>,
    /// Where the sort writes the items.
    sorted: Vec<u64>,
    /// Number of edges in `items`.
    count: usize,
    /// Number of components into which the edges known to be in the tree join the tiles of the block.
    components: usize,
    /// For each bucket of the sort, the index in `sorted` to which its next item goes.
    places: Vec<u32>,
    /// The union-find of the whole board: one node per rim tile of each block.
    forest: Forest,
    /// The union-find of the block.
    nodes: Nodes,
    /// For each tile of the block, the mask of its sides with an edge of the tree.
    wires: Vec<u8>,
    /// For each slot and each tile of the block, the weight of the edge, as a signed number in the order of the
    /// weights.
    weights: [Vec<i32>; 2],
    /// For each tile, with a row of zeros before and after, the side of its lightest edge as a mask; 0 on the rim.
    lightest: Vec<u8>,
    /// For each corner, stored at the tile on its upper left, with a row of zeros before and after, the direction of
    /// the heaviest edge as a mask.
    heaviest: Vec<u8>,
}

/// A block of a board; `bottom` and `right` are exclusive.
#[derive(Clone, Copy, Debug)]
struct Block {
    top: usize,
    left: usize,
    bottom: usize,
    right: usize,
}

impl Block {
    /// Returns the number of rows.
    fn height(&self) -> usize {
        self.bottom - self.top
    }

    /// Returns the number of columns.
    fn width(&self) -> usize {
        self.right - self.left
    }

    /// Returns the row and column of the tile across the edge of a slot, if that tile lies in the same block.
    #[inline]
    fn inside(&self, hexagonal: bool, row: usize, col: usize, slot: usize) -> Option<(usize, usize)> {
        if slot == 0 {
            return (col + 1 < self.right).then_some((row, col + 1));
        }
        if row + 1 >= self.bottom {
            return None;
        }
        // On hexagons slot 1 is SE and slot 2 is SW; odd rows are shifted right by half a tile.
        let col = match (hexagonal, slot, row & 1) {
            (true, 1, 1) => col + 1,
            (true, 2, 0) => col.checked_sub(1)?,
            _ => col,
        };
        (self.left <= col && col < self.right).then_some((row + 1, col))
    }

    /// Returns the number of tiles on the rim.
    fn rim(&self) -> usize {
        let (h, w) = (self.height(), self.width());
        if h <= 2 || w <= 2 { h * w } else { 2 * (h + w) - 4 }
    }

    /// Returns the number of a tile on the rim, counted row by row; `None` for an inner tile.
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
        // The first row has `w` tiles on the rim; each row between the first and the last has two.
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

/// The blocks of a board. Rim tiles are numbered across all blocks: block by block, and row by row within a block.
#[derive(Debug)]
struct Blocks {
    lattice: Lattice,
    /// Number of rows and columns of a block; blocks at the lower and right borders may be smaller.
    side: usize,
    /// Number of blocks from left to right.
    across: usize,
    /// For each block, row-major, the rim number of its first tile on the rim. The last entry is the total number of
    /// rim tiles.
    first: Vec<u32>,
}

impl Blocks {
    fn new(lattice: Lattice, side: usize) -> Self {
        let (across, down) = (lattice.width.div_ceil(side), lattice.height.div_ceil(side));
        let mut blocks = Self { lattice, side, across, first: vec![0] };
        let mut total = 0;
        for index in 0..across * down {
            total += blocks.block(index).rim() as u32;
            blocks.first.push(total);
        }
        blocks
    }

    /// Returns the block with the given row-major index.
    fn block(&self, index: usize) -> Block {
        let (top, left) = (index / self.across * self.side, index % self.across * self.side);
        Block {
            top,
            left,
            bottom: (top + self.side).min(self.lattice.height),
            right: (left + self.side).min(self.lattice.width),
        }
    }

    /// Returns the rim number of a tile that lies on the rim of its block.
    fn rim_number(&self, row: usize, col: usize) -> u32 {
        let index = row / self.side * self.across + col / self.side;
        self.first[index] + self.block(index).rim_place(row, col).unwrap_or(0) as u32
    }
}

/// Writes the minimum spanning tree of a board with random weights into `wires`: one mask per tile, row-major, with a
/// bit for each side that an edge of the tree crosses. [`Lattice::check`] must accept `lattice`, `wires` must have
/// `lattice.len()` items, and `scratch` is working memory, which further calls can reuse.
///
/// Besides `wires`, the call needs memory for about one edge per twenty tiles, and for more on narrow boards.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts tiles and open edges, ends the call,
/// and [`Error::Memory`] if the board is too large.
pub fn kruskal(
    lattice: Lattice,
    weights: &Weights,
    scratch: &mut Scratch,
    wires: &mut [u8],
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    kruskal_by_blocks(lattice, weights, scratch, wires, BLOCK, budget)
}

/// Does the work of [`kruskal`] in blocks of `side` x `side` tiles.
fn kruskal_by_blocks(
    lattice: Lattice,
    weights: &Weights,
    scratch: &mut Scratch,
    wires: &mut [u8],
    side: usize,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let (height, width) = (lattice.height, lattice.width);
    if lattice.is_empty() {
        return Ok(());
    }
    if !lattice.wrap && height <= side && width <= side {
        let whole = Block { top: 0, left: 0, bottom: height, right: width };
        scratch.prepare(&lattice, weights, &whole);
        if lattice.hexagonal {
            scratch.join::<true>(&whole, |_, _| {});
        } else {
            scratch.join::<false>(&whole, |_, _| {});
        }
        wires.copy_from_slice(&scratch.wires);
        return budget.spend(wires.len() as u64);
    }
    let blocks = Blocks::new(lattice, side);
    // A band is a row of blocks. Bands are handled in groups, so that the budget can end the call between two groups;
    // the result does not depend on the groups.
    let bands: Vec<&mut [u8]> = wires.chunks_mut(side * width).collect();
    let group = pool::threads().max(1) * 4;
    let total = blocks.first[blocks.first.len() - 1];
    // On squares there are fewer open edges inside blocks than rim tiles, and about half as many edges between blocks
    // as rim tiles. On hexagons the total number of open edges is about twice the number of rim tiles.
    let quarters = if lattice.hexagonal { 9 } else { 6 };
    let mut open: Vec<OpenEdge> = memory::with_capacity(total as usize * quarters / 4, "a board of this size")?;
    // The scratch of each thread, and the open edges of one group of bands.
    memory::probe(pool::threads().max(1) * SCRATCH + open.capacity() * size_of::<OpenEdge>(), "a board of this size")?;
    let mut bands = bands.into_iter().enumerate();
    loop {
        let mut pieces: Vec<_> = bands.by_ref().take(group).map(|(i, band)| (i, band, Vec::new())).collect();
        if pieces.is_empty() {
            break;
        }
        let size = pieces.len().div_ceil(pool::threads().max(1));
        pool::each(pieces.chunks_mut(size).collect(), |chunk: &mut [_]| {
            let mut own = Scratch::default();
            for (i, band, open) in chunk {
                for index in *i * blocks.across..(*i + 1) * blocks.across {
                    own.settle(&blocks, weights, index, band, open);
                }
            }
        });
        for (_, band, part) in pieces {
            budget.spend(band.len() as u64)?;
            memory::room(&mut open, part.len(), "a board of this size")?;
            open.extend(part);
        }
    }
    sort_open(&mut open);
    budget.spend(open.len() as u64)?;
    scratch.forest.reset(total as usize)?;
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

impl Scratch {
    /// Prepares a block: writes the edges that are known to be in the tree to `wires`, the other edges inside the block
    /// that may be in the tree to `items`, sorted, and the components that the known edges form to `nodes`.
    fn prepare(&mut self, lattice: &Lattice, weights: &Weights, block: &Block) {
        let n = block.height() * block.width();
        self.wires.clear();
        self.wires.resize(n, 0);
        // One entry more than there are slots, because `list_rest` also writes edges that it does not keep, after the
        // last one that it keeps. The lists are never cleared: only the first `count` entries matter.
        let places = n * lattice.slots() + 1;
        for list in [&mut self.items, &mut self.sorted] {
            if list.len() < places {
                list.resize(places, 0);
            }
        }
        self.count = 0;
        self.components = n;
        if lattice.hexagonal {
            self.list_all(lattice, weights, block);
            for (tile, node) in self.nodes.0[RIM..RIM + n].iter_mut().enumerate() {
                *node = (RIM + tile) as u16;
            }
        } else {
            self.weigh(lattice, weights, block);
            self.choose(block);
            self.list_rest(block);
        }
        self.sort();
    }

    /// Lists all edges inside a block of hexagons.
    fn list_all(&mut self, lattice: &Lattice, weights: &Weights, block: &Block) {
        let (width, slots) = (block.width(), lattice.slots());
        for row in block.top..block.bottom {
            for col in block.left..block.right {
                let (tile, local) = (row * lattice.width + col, (row - block.top) * width + col - block.left);
                for slot in 0..slots {
                    if block.inside(true, row, col, slot).is_some() {
                        let weight = weights.of(tile * slots + slot, slot);
                        self.items[self.count] = u64::from(weight) << 32 | (local * slots + slot) as u64;
                        self.count += 1;
                    }
                }
            }
        }
    }

    /// Stores the weights of the edges to the right of and below each tile of a block of squares. Flipping the highest
    /// bit turns them into signed numbers in the same order, which processors compare faster.
    fn weigh(&mut self, lattice: &Lattice, weights: &Weights, block: &Block) {
        let (width, n) = (block.width(), block.height() * block.width());
        let [right, down] = &mut self.weights;
        right.resize(n, 0);
        down.resize(n, 0);
        for (i, (right, down)) in right.chunks_exact_mut(width).zip(down.chunks_exact_mut(width)).enumerate() {
            let base = (block.top + i) * lattice.width + block.left;
            for (col, (right, down)) in right.iter_mut().zip(down).enumerate() {
                let [one, two] = weights.pair(base + col);
                *right = (weights.scaled(one, 0) ^ 1 << 31) as i32;
                *down = (weights.scaled(two, 1) ^ 1 << 31) as i32;
            }
        }
    }

    /// Finds the side of the lightest edge of each tile that is not on the rim, and the direction of the heaviest edge
    /// around each corner where four tiles meet, as seen from the corner.
    ///
    /// A tile on the rim may have edges to other blocks, so its lightest edge cannot be found within the block.
    fn choose(&mut self, block: &Block) {
        let (height, width) = (block.height(), block.width());
        for list in [&mut self.lightest, &mut self.heaviest] {
            list.clear();
            list.resize((height + 2) * width, 0);
        }
        let [right, down] = &self.weights;
        for row in 0..height - 1 {
            let at = row * width;
            if row > 0 && width > 2 {
                let (from, to) = (at + 1, at + width - 1);
                let around = [&down[from - width..to - width], &right[at..to - 1], &right[from..to], &down[from..to]];
                extreme::<true>(around, &mut self.lightest[width + from..width + to]);
            }
            let to = at + width - 1;
            let around = [&right[at..to], &down[at..to], &down[at + 1..=to], &right[at + width..to + width]];
            extreme::<false>(around, &mut self.heaviest[width + at..width + to]);
        }
    }

    /// Takes the lightest edge of each inner tile, drops the heaviest edge around each corner, and lists the other
    /// edges inside the block in `items`.
    fn list_rest(&mut self, block: &Block) {
        let (height, width) = (block.height(), block.width());
        let [right, down] = &self.weights;
        let (mut count, mut known) = (0, 0);
        let mut rest = [0u8; BLOCK];
        for row in 0..height {
            let at = row * width;
            // The entries just before and after a row belong to tiles on the rim, or to no corner: all of them are
            // zero. A side is a mask of one bit, N=1 E=2 S=4 W=8, so a shift by two bits turns it into the opposite
            // side.
            let (north, south) = (&self.lightest[at..at + width], &self.lightest[at + 2 * width..at + 3 * width]);
            let middle = &self.lightest[at + width - 1..=at + 2 * width];
            let (above, below) = (&self.heaviest[at..at + width], &self.heaviest[at + width - 1..at + 2 * width]);
            let wires = &mut self.wires[at..at + width];
            let nodes = &mut self.nodes.0[RIM + at..RIM + at + width];
            for i in 0..width {
                let [west, mine, east] = [middle[i], middle[i + 1], middle[i + 2]];
                let all = mine | north[i] >> 2 & 1 | east >> 2 & 2 | south[i] << 2 & 4 | west << 2 & 8;
                wires[i] = all;
                known += usize::from(all >> 1 & 1) + usize::from(all >> 2 & 1);
                // An edge to the right is dropped if it is the heaviest at the corner below or above it, and an edge
                // down if it is the heaviest at the corner to its right or left. Bit 0 is the edge to the right, and
                // bit 1 is the edge down.
                let heavy = (below[i + 1] | above[i] >> 2) & 1 | (below[i + 1] >> 2 | below[i]) & 2;
                rest[i] = !(all >> 1 | heavy) & 3;
                // Each inner tile links to the tile across its lightest edge. If this edge is the lightest of both
                // tiles, the first of the two tiles becomes the representative. Longer cycles cannot occur, because
                // weights fall along the links.
                let both = mine >> 1 & east >> 3 & 1 | mine >> 2 & south[i] & 1;
                let bit = |side: u8| i16::from(mine >> side & 1);
                let step = bit(1) - bit(3) + (bit(2) - bit(0)) * width as i16;
                nodes[i] = ((RIM + at + i) as u16).wrapping_add_signed(step * i16::from(1 - both));
            }
            // The last column has no edge to the right in the block, and the last row no edge down.
            rest[width - 1] &= 2;
            if row + 1 == height {
                rest[..width].iter_mut().for_each(|rest| *rest &= 1);
            }
            let items = &mut self.items[..];
            // Every edge is written, but `count` advances only past those that are kept: this needs no branch.
            for i in 0..width {
                let key =
                    |weight: i32, slot: usize| u64::from(weight as u32 ^ 1 << 31) << 32 | ((at + i) * 2 + slot) as u64;
                items[count] = key(right[at + i], 0);
                count += usize::from(rest[i] & 1);
                items[count] = key(down[at + i], 1);
                count += usize::from(rest[i] >> 1);
            }
        }
        self.count = count;
        self.components -= known;
    }

    /// Links each tile on the rim to the node whose index is the tile's number on the rim, which is less than [`RIM`]:
    /// the representative of its component then shows that the component has a tile on the rim.
    fn mark_rim(&mut self, block: &Block) {
        let (height, width) = (block.height(), block.width());
        for row in 0..height {
            let step = if row == 0 || row + 1 == height || width == 1 { 1 } else { width - 1 };
            for col in (0..width).step_by(step) {
                if let Some(place) = block.rim_place(block.top + row, block.left + col) {
                    self.nodes.0[RIM + row * width + col] = place as u16;
                    self.nodes.0[place] = place as u16;
                }
            }
        }
    }

    /// Runs Kruskal's algorithm on `items`. A taken edge is written to `wires` if one of the two components that it
    /// joins has no tile on the rim; otherwise `open` receives its item and the representatives of the two components,
    /// which are numbers on the rim.
    fn join<const HEXAGONAL: bool>(&mut self, block: &Block, mut open: impl FnMut(u64, [usize; 2])) {
        let width = block.width();
        let mut left = self.components - 1;
        for &item in &self.items[..self.count] {
            if left == 0 {
                break;
            }
            let id = (item & 0xffff_ffff) as usize;
            let (tile, slot) = if HEXAGONAL { (id / 3, id % 3) } else { (id / 2, id % 2) };
            let other = match (HEXAGONAL, slot) {
                (_, 0) => tile + 1,
                (false, _) => tile + width,
                (true, slot) => tile + width + 1 - slot + ((block.top + tile / width) & 1),
            };
            let (a, b) = (self.nodes.find(RIM + tile), self.nodes.find(RIM + other));
            // The link is written whether or not the edge is taken (if not, a representative links to itself), because
            // a branch would be unpredictable.
            let (top, low) = (a.min(b), a.max(b));
            self.nodes.0[low % NODES] = top as u16;
            let taken = top != low;
            left -= usize::from(taken);
            let sure = u8::from(taken && low >= RIM);
            self.wires[tile] |= sure << (slot + 1);
            self.wires[other] |= sure << if HEXAGONAL { (slot + 4) % 6 } else { (slot + 3) % 4 };
            if taken && low < RIM {
                open(item, [top, low]);
            }
        }
    }

    /// Writes to `band` the tree edges that block `index` alone can decide, and appends its open edges to `open`.
    fn settle(&mut self, blocks: &Blocks, weights: &Weights, index: usize, band: &mut [u8], open: &mut Vec<OpenEdge>) {
        let (lattice, block) = (&blocks.lattice, blocks.block(index));
        let (width, slots) = (block.width(), lattice.slots());
        self.prepare(lattice, weights, &block);
        self.mark_rim(&block);
        let first = blocks.first[index];
        let keep = |item: u64, ends: [usize; 2]| {
            let local = (item & 0xffff_ffff) as usize;
            let (tile, slot) = (local / slots, local % slots);
            let id = ((block.top + tile / width) * lattice.width + block.left + tile % width) * slots + slot;
            open.push(OpenEdge { key: item >> 32 << 32 | id as u64, ends: ends.map(|end| first + end as u32) });
        };
        if lattice.hexagonal {
            self.join::<true>(&block, keep);
        } else {
            self.join::<false>(&block, keep);
        }
        for (band, wires) in band.chunks_exact_mut(lattice.width).zip(self.wires.chunks_exact(width)) {
            band[block.left..block.right].copy_from_slice(wires);
        }
        // Edges across the border of the block are all open. They start at tiles on its rim.
        for row in block.top..block.bottom {
            let edge = row == block.top || row + 1 == block.bottom || width == 1;
            for col in (block.left..block.right).step_by(if edge { 1 } else { width - 1 }) {
                let place = block.rim_place(row, col).unwrap_or(0);
                for slot in 0..slots {
                    if block.inside(lattice.hexagonal, row, col, slot).is_some() {
                        continue;
                    }
                    if let Some((r, c)) = lattice.beyond(row, col, lattice.slot_side(slot)) {
                        let id = (row * lattice.width + col) * slots + slot;
                        let key = u64::from(weights.of(id, slot)) << 32 | id as u64;
                        open.push(OpenEdge { key, ends: [first + place as u32, blocks.rim_number(r, c)] });
                    }
                }
            }
        }
    }

    /// Sorts the items: one pass spreads them over buckets, one to two times as many as items but at most 8192. As
    /// random weights are spread evenly, insertion sort then moves each item only a few places. If a bias puts more
    /// than 64 items into a bucket, the sort of the standard library is used instead.
    fn sort(&mut self) {
        let n = self.count;
        if n < 24 {
            self.items[..n].sort_unstable();
            return;
        }
        let bits = (usize::BITS - n.leading_zeros()).min(13);
        let shift = 64 - bits;
        self.places.clear();
        self.places.resize(1 << bits, 0);
        for &item in &self.items[..n] {
            self.places[(item >> shift) as usize] += 1;
        }
        let (mut at, mut fullest) = (0, 0);
        for place in &mut self.places {
            fullest = fullest.max(*place);
            at += std::mem::replace(place, at);
        }
        if fullest > 64 {
            self.items[..n].sort_unstable();
            return;
        }
        for &item in &self.items[..n] {
            let place = &mut self.places[(item >> shift) as usize];
            self.sorted[*place as usize] = item;
            *place += 1;
        }
        std::mem::swap(&mut self.items, &mut self.sorted);
        let items = &mut self.items[..n];
        for i in 1..n {
            let item = items[i];
            let mut j = i;
            while j > 0 && items[j - 1] > item {
                items[j] = items[j - 1];
                j -= 1;
            }
            items[j] = item;
        }
    }
}

/// For each index, finds the smallest of four weights if `LEAST`, otherwise the largest, and writes its side as a mask.
/// The weights are given in the order N, W, E, S, which is the order of the ids of the edges: of equal weights, the
/// first counts as less.
#[inline]
#[allow(clippy::needless_bitwise_bool)] // without branches the compiler handles several indices at once
fn extreme<const LEAST: bool>(weights: [&[i32]; 4], sides: &mut [u8]) {
    let n = sides.len();
    let [north, west, east, south] = weights.map(|list| &list[..n]);
    let before = |a: i32, b: i32| if LEAST { a <= b } else { a > b };
    for i in 0..n {
        let (a, b, c, d) = (north[i], west[i], east[i], south[i]);
        // Six comparisons decide which of the four precedes the other three; N=1 E=2 S=4 W=8.
        let (ab, ac, ad) = (before(a, b), before(a, c), before(a, d));
        let (bc, bd, cd) = (before(b, c), before(b, d), before(c, d));
        sides[i] = u8::from(ab & ac & ad)
            | u8::from(!ab & bc & bd) << 3
            | u8::from(!ac & !bc & cd) << 1
            | u8::from(!ad & !bd & !cd) << 2;
    }
}

/// Returns the edges of a tree as pairs of tiles, in the order in which Kruskal's algorithm takes them: the lightest
/// first. `lattice` and `weights` are those of a call of [`kruskal`], and `wires` holds the tree that the call wrote.
///
/// # Errors
/// Returns [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if the board is too large.
pub fn by_weight(
    lattice: Lattice,
    weights: &Weights,
    wires: &[u8],
    budget: &mut Budget<'_>,
) -> Result<Vec<[u32; 2]>, Error> {
    let slots = lattice.slots();
    let mut items = memory::with_capacity(lattice.len(), "a board of this size")?;
    for piece in pieces(wires.len()) {
        budget.pause()?;
        for tile in piece {
            for slot in (0..slots).filter(|&slot| wires[tile] >> lattice.slot_side(slot) & 1 == 1) {
                let id = tile * slots + slot;
                items.push(u64::from(weights.of(id, slot)) << 32 | id as u64);
            }
        }
    }
    // The items are already in the order of their ids, and the sort keeps the order of items with equal weights: ties
    // are broken by id.
    radix(&mut items, 32, budget)?;
    let mut edges = memory::with_capacity(items.len(), "a board of this size")?;
    for piece in pieces(items.len()) {
        budget.pause()?;
        let ends = items[piece].iter().filter_map(|item| lattice.ends((item & 0xffff_ffff) as usize));
        edges.extend(ends.map(|(tile, other, _)| [tile as u32, other as u32]));
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::span;

    /// Returns the wires and edges of the tree that [`span::kruskal`] finds from the edge list.
    fn plain(lattice: Lattice, weights: &Weights) -> (Vec<u8>, Vec<[u32; 2]>) {
        let edges = lattice.edges();
        let mut ids = Vec::new();
        lattice.each_edge(|id, _, _| ids.push(id));
        let list: Vec<u32> = ids.iter().map(|&id| weights.of(id, id % lattice.slots())).collect();
        let taken = span::kruskal(lattice.len(), &edges, &list, &mut Budget::unlimited()).unwrap();
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

    fn assert_same(lattice: Lattice, side: usize, seed: u64, bias: f64) {
        let weights = Weights::new(seed, bias);
        let mut wires = vec![0; lattice.len()];
        let mut budget = Budget::unlimited();
        kruskal_by_blocks(lattice, &weights, &mut Scratch::default(), &mut wires, side, &mut budget).unwrap();
        let (expected, tree) = plain(lattice, &weights);
        assert_eq!(wires, expected, "{lattice:?}, blocks of {side}, seed {seed}, bias {bias}");
        assert_eq!(by_weight(lattice, &weights, &wires, &mut budget).unwrap(), tree, "{lattice:?}, seed {seed}");
    }

    #[test]
    fn the_tree_by_blocks_equals_the_tree_from_the_edge_list() {
        for seed in 0..60 {
            let (height, width) = (1 + seed as usize % 11, 1 + seed as usize * 7 % 23);
            for (hexagonal, wrap) in [(false, false), (true, false), (false, true), (true, true)] {
                let lattice = Lattice { height, width, hexagonal, wrap };
                if lattice.check().is_ok() {
                    for side in [1, 2, 3, 4, 7, 64] {
                        assert_same(lattice, side, seed, [0.0, 0.9, -0.7][seed as usize % 3]);
                    }
                }
            }
        }
        // All horizontal weights are equal, so that only ids decide among them.
        assert_same(Lattice::square(9, 14), 4, 1, 1.0);
        for (hexagonal, wrap) in [(false, false), (true, true)] {
            assert_same(Lattice { height: 200, width: 131, hexagonal, wrap }, BLOCK, 5, 0.0);
            assert_same(Lattice { height: 130, width: 65, hexagonal, wrap }, BLOCK, 6, 0.999_999);
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
    fn a_budget_ends_the_call() {
        let lattice = Lattice::square(300, 300);
        let mut wires = vec![0; lattice.len()];
        let mut budget = Budget::new("tiles", Some(1000), None);
        let weights = Weights::new(1, 0.0);
        assert!(kruskal(lattice, &weights, &mut Scratch::default(), &mut wires, &mut budget).is_err());
    }
}
