//! Random spanning trees of boards, made by five methods that produce visibly different trees.

use super::board::{self, Scratch};
use super::lattice::{Lattice, Weights};
use crate::core::{Budget, Error, Rng, memory};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const BOARD: &str = "a board of this size";

/// How a random spanning tree is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The minimum spanning tree for random weights: many short dead ends, winding paths.
    #[default]
    Kruskal,
    /// Loop-erased random walks (Wilson): without a bias, every spanning tree is equally likely.
    Wilson,
    /// Depth-first search in random order: long corridors, few dead ends.
    Dfs,
    /// Growth from the first tile by random edges that leave the tree: many branches, nearly straight paths. (Maze
    /// builders call this Prim's algorithm. Prim's algorithm itself, on the same random weights, returns the same tree
    /// as `Kruskal`.)
    Prim,
    /// Four quarters, each with a tree of this kind, joined by three edges: the paths show the quarters.
    Fractal,
}

impl Method {
    /// All methods with their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("kruskal", Self::Kruskal),
        ("wilson", Self::Wilson),
        ("dfs", Self::Dfs),
        ("prim", Self::Prim),
        ("fractal", Self::Fractal),
    ];

    /// Returns the method with the given name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, method)| method)
    }
}

/// Checks the bias of a random tree.
///
/// # Errors
/// Returns [`Error::Invalid`] unless `bias` is greater than -1 and less than 1.
pub fn check_bias(bias: f64) -> Result<(), Error> {
    if -1.0 < bias && bias < 1.0 {
        return Ok(());
    }
    Err(Error::Invalid(format!("bias must be greater than -1 and less than 1, got {bias}")))
}

/// Returns the wires of a random spanning tree of a board: one mask per tile, row-major, with a bit for each side that
/// an edge of the tree crosses.
///
/// `lattice` is the board, which [`Lattice::check`] must accept, and `method` is how the tree is made. `bias` is
/// greater than -1 and less than 1 (see [`check_bias`]): a positive bias prefers horizontal edges, a negative one the
/// others. For all methods except [`Method::Kruskal`], the bias is clamped to the range from -0.9999 to 0.9999, which
/// bounds the expected number of rejected draws. `seed` may be any number.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts tiles or steps of the method, ends
/// the call, and [`Error::Memory`] if the board is too large.
pub fn wires(
    lattice: Lattice,
    method: Method,
    bias: f64,
    seed: u64,
    budget: &mut Budget<'_>,
) -> Result<Vec<u8>, Error> {
    let mut wires = memory::filled(0, lattice.len(), BOARD)?;
    if method == Method::Kruskal {
        board::kruskal(lattice, &Weights::new(seed, bias), &mut Scratch::default(), &mut wires, budget)?;
    } else {
        grow(lattice, method, bias, seed, budget, |tile, side, other| {
            wires[tile] |= 1 << side;
            wires[other] |= 1 << lattice.opposite(side);
        })?;
    }
    Ok(wires)
}

/// Returns the edges of the tree of [`wires`] as pairs of tiles, in the order in which the method takes them. The
/// parameters are those of [`wires`].
///
/// # Errors
/// Returns the errors of [`wires`].
pub fn tree(
    lattice: Lattice,
    method: Method,
    bias: f64,
    seed: u64,
    budget: &mut Budget<'_>,
) -> Result<Vec<[u32; 2]>, Error> {
    if method == Method::Kruskal {
        let weights = Weights::new(seed, bias);
        let mut wires = memory::filled(0, lattice.len(), BOARD)?;
        board::kruskal(lattice, &weights, &mut Scratch::default(), &mut wires, budget)?;
        return board::by_weight(lattice, &weights, &wires, budget);
    }
    let mut edges = memory::with_capacity(lattice.len(), BOARD)?;
    grow(lattice, method, bias, seed, budget, |tile, _, other| edges.push([tile as u32, other as u32]))?;
    Ok(edges)
}

/// Draws random sides of tiles, weighted by the bias.
struct SideChooser {
    lattice: Lattice,
    rng: Rng,
    bias: f64,
}

impl SideChooser {
    /// Returns `true` if the edge on a side is horizontal.
    fn is_horizontal(&self, side: usize) -> bool {
        if self.lattice.hexagonal { side == 1 || side == 4 } else { side & 1 == 1 }
    }

    /// Accepts a side at random, so that the odds of a horizontal side against another one are `1 + bias` to
    /// `1 - bias`.
    fn accepts(&mut self, side: usize) -> bool {
        if self.bias == 0.0 {
            return true;
        }
        let signed = if self.is_horizontal(side) { self.bias } else { -self.bias };
        // Divided by the larger of the two odds, so that the preferred direction is always accepted.
        self.rng.chance((1.0 + signed) / (1.0 + self.bias.abs()))
    }

    /// Returns a random side of a tile and the tile beyond that side, which `allowed` must accept; `None` if there is
    /// no such side.
    fn side(&mut self, tile: usize, allowed: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        let mut found = [(0, 0); 6];
        let mut count = 0;
        let (row, col) = (tile / self.lattice.width, tile % self.lattice.width);
        for side in 0..self.lattice.sides() {
            if let Some((r, c)) = self.lattice.beyond(row, col, side) {
                let other = r * self.lattice.width + c;
                if allowed(other) {
                    found[count] = (side, other);
                    count += 1;
                }
            }
        }
        let horizontal = found[..count].iter().filter(|(side, _)| self.is_horizontal(*side)).count();
        if count == 0 || horizontal == 0 || horizontal == count {
            return (count > 0).then(|| found[self.rng.index(count)]);
        }
        // Horizontal and other sides are both present, and those of the preferred kind are always accepted: the loop
        // ends soon.
        loop {
            let (side, other) = found[self.rng.index(count)];
            if self.accepts(side) {
                return Some((side, other));
            }
        }
    }
}

/// Grows a tree by one of the methods that need no weights; `take` receives each edge as a tile, the side on which the
/// edge leaves it, and the tile beyond that side.
fn grow(
    lattice: Lattice,
    method: Method,
    bias: f64,
    seed: u64,
    budget: &mut Budget<'_>,
    mut take: impl FnMut(usize, usize, usize),
) -> Result<(), Error> {
    if lattice.is_empty() {
        return Ok(());
    }
    let mut chooser = SideChooser { lattice, rng: Rng::stream(seed, method as u64), bias: bias.clamp(-0.9999, 0.9999) };
    match method {
        // Callers handle `Kruskal` themselves.
        Method::Kruskal | Method::Wilson => wilson(&mut chooser, budget, &mut take),
        Method::Dfs => depth_first(&mut chooser, budget, &mut take),
        Method::Prim => frontier(&mut chooser, budget, &mut take),
        Method::Fractal => {
            let whole = [0, 0, lattice.height, lattice.width];
            fractal(&mut chooser, whole, budget, &mut take)
        }
    }
}

/// Grows the tree by loop-erased random walks from each tile to the tree. Source: D. B. Wilson, Generating random
/// spanning trees more quickly than the cover time (1996).
fn wilson(
    chooser: &mut SideChooser,
    budget: &mut Budget<'_>,
    take: &mut impl FnMut(usize, usize, usize),
) -> Result<(), Error> {
    let lattice = chooser.lattice;
    // The side on which the walk last left each tile. Following these sides from the start skips all loops of the walk.
    let mut exit = memory::filled(0u8, lattice.len(), BOARD)?;
    let mut in_tree = memory::filled(false, lattice.len(), BOARD)?;
    in_tree[chooser.rng.index(lattice.len())] = true;
    for start in 0..lattice.len() {
        let mut tile = start;
        while !in_tree[tile] {
            budget.spend(1)?;
            let Some((side, other)) = chooser.side(tile, |_| true) else { break };
            exit[tile] = side as u8;
            tile = other;
        }
        tile = start;
        while !in_tree[tile] {
            in_tree[tile] = true;
            let side = usize::from(exit[tile]);
            let Some(other) = lattice.neighbor(tile, side) else { break };
            take(tile, side, other);
            tile = other;
        }
    }
    Ok(())
}

/// Grows the tree by a depth-first search from a random tile that visits neighbors in random order.
fn depth_first(
    chooser: &mut SideChooser,
    budget: &mut Budget<'_>,
    take: &mut impl FnMut(usize, usize, usize),
) -> Result<(), Error> {
    let lattice = chooser.lattice;
    let mut seen = memory::filled(false, lattice.len(), BOARD)?;
    let mut path = vec![chooser.rng.index(lattice.len())];
    seen[path[0]] = true;
    while let Some(&tile) = path.last() {
        budget.spend(1)?;
        if let Some((side, other)) = chooser.side(tile, |other| !seen[other]) {
            seen[other] = true;
            take(tile, side, other);
            memory::room(&mut path, 1, BOARD)?;
            path.push(other);
        } else {
            path.pop();
        }
    }
    Ok(())
}

/// Grows the tree from tile 0 by random edges of its frontier.
fn frontier(
    chooser: &mut SideChooser,
    budget: &mut Budget<'_>,
    take: &mut impl FnMut(usize, usize, usize),
) -> Result<(), Error> {
    let lattice = chooser.lattice;
    let mut seen = memory::filled(false, lattice.len(), BOARD)?;
    // The frontier: edges that led out of the tree when they were added, each as a tile of the tree and a side. The
    // tile beyond may have joined the tree since.
    let mut edges: Vec<(u32, u8)> = Vec::new();
    let mut next = Some(0);
    loop {
        if let Some(tile) = next.take() {
            seen[tile] = true;
            memory::room(&mut edges, lattice.sides(), BOARD)?;
            for side in 0..lattice.sides() {
                if lattice.neighbor(tile, side).is_some_and(|other| !seen[other]) {
                    edges.push((tile as u32, side as u8));
                }
            }
        }
        if edges.is_empty() {
            return Ok(());
        }
        budget.spend(1)?;
        let at = chooser.rng.index(edges.len());
        let (tile, side) = (edges[at].0 as usize, edges[at].1 as usize);
        let other = lattice.neighbor(tile, side).filter(|&other| !seen[other]);
        // Rejected edges stay in the frontier and may be drawn again.
        if other.is_some() && !chooser.accepts(side) {
            continue;
        }
        edges.swap_remove(at);
        if let Some(other) = other {
            take(tile, side, other);
            next = Some(other);
        }
    }
}

/// Grows a tree in the rectangle of the rows `top..bottom` and the columns `left..right`: one tree per quarter, and one
/// edge across each of three borders between quarters. A single row or column has two parts and one border.
fn fractal(
    chooser: &mut SideChooser,
    [top, left, bottom, right]: [usize; 4],
    budget: &mut Budget<'_>,
    take: &mut impl FnMut(usize, usize, usize),
) -> Result<(), Error> {
    budget.spend(1)?;
    let (height, width) = (bottom - top, right - left);
    if height * width <= 1 {
        return Ok(());
    }
    let lattice = chooser.lattice;
    let (mid_row, mid_col) = (top + height / 2, left + width / 2);
    // A seam is the border between two neighboring quarters, given by the tiles on its left (seams 0 and 1) or above it
    // (seams 2 and 3), as `[top, left, bottom, right]`. One edge across a seam joins its two quarters.
    let mut seams: [Option<[usize; 4]>; 4] = [None; 4];
    if width > 1 {
        if height > 1 {
            seams[0] = Some([top, mid_col - 1, mid_row, mid_col]);
        }
        seams[1] = Some([mid_row, mid_col - 1, bottom, mid_col]);
    }
    if height > 1 {
        if width > 1 {
            seams[2] = Some([mid_row - 1, left, mid_row, mid_col]);
        }
        seams[3] = Some([mid_row - 1, mid_col, mid_row, right]);
    }
    for part in [
        [top, left, mid_row, mid_col],
        [top, mid_col, mid_row, right],
        [mid_row, left, bottom, mid_col],
        [mid_row, mid_col, bottom, right],
    ] {
        if part[0] < part[2] && part[1] < part[3] {
            fractal(chooser, part, budget, take)?;
        }
    }
    if height > 1 && width > 1 {
        // Three of the four seams join the four quarters; the fourth would close a loop. With a positive bias the seam
        // left out is more often one with vertical edges: `accepts` is called with a side of the other direction.
        let left_out = loop {
            let seam = chooser.rng.index(4);
            if chooser.accepts(if seam < 2 { 2 } else { 1 }) {
                break seam;
            }
        };
        seams[left_out] = None;
    }
    for (i, seam) in seams.into_iter().enumerate() {
        let Some([t, l, b, r]) = seam else { continue };
        let (row, col) = (t + chooser.rng.index(b - t), l + chooser.rng.index(r - l));
        let tile = row * lattice.width + col;
        // Seen from an even row, the hexagon with the same column in the row below lies to the lower right (side 2);
        // seen from an odd row, to the lower left (side 3).
        let side = match (i < 2, lattice.hexagonal) {
            (true, _) => 1,
            (false, false) => 2,
            (false, true) => 2 + (row & 1),
        };
        if let Some(other) = lattice.neighbor(tile, side) {
            take(tile, side, other);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::UnionFind;
    use std::collections::HashMap;

    fn boards() -> Vec<Lattice> {
        let mut all = Vec::new();
        for (height, width) in [(1, 1), (1, 7), (6, 1), (2, 2), (5, 8), (13, 12), (70, 66)] {
            for (hexagonal, wrap) in [(false, false), (true, false), (false, true), (true, true)] {
                let lattice = Lattice { height, width, hexagonal, wrap };
                if lattice.check().is_ok() {
                    all.push(lattice);
                }
            }
        }
        all
    }

    #[test]
    fn every_method_spans_every_board() {
        for lattice in boards() {
            for (name, method) in Method::ALL {
                for (seed, bias) in [(1, 0.0), (2, 0.8), (3, -0.8)] {
                    let mut budget = Budget::unlimited();
                    let edges = tree(lattice, method, bias, seed, &mut budget).unwrap();
                    assert_eq!(edges.len() + 1, lattice.len(), "{name} {lattice:?}");
                    let mut find = UnionFind::new(lattice.len(), crate::graph::Strategy::Both);
                    for &[u, v] in &edges {
                        let near = (0..lattice.sides()).any(|s| lattice.neighbor(u as usize, s) == Some(v as usize));
                        assert!(near && find.union(u as usize, v as usize), "{name} {lattice:?}");
                    }
                    let wires = wires(lattice, method, bias, seed, &mut budget).unwrap();
                    let ends: u32 = wires.iter().map(|mask| mask.count_ones()).sum();
                    assert_eq!(ends as usize, 2 * (lattice.len() - 1));
                }
            }
        }
    }

    /// The 3 x 3 board has 192 spanning trees (matrix-tree theorem); with Wilson's method all are equally likely.
    #[test]
    fn wilson_is_uniform() {
        let lattice = Lattice::square(3, 3);
        let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
        let rounds = 192 * 100;
        for seed in 0..rounds {
            *counts.entry(wires(lattice, Method::Wilson, 0.0, seed, &mut Budget::unlimited()).unwrap()).or_default() +=
                1;
        }
        assert_eq!(counts.len(), 192);
        let chi: f64 = counts.values().map(|&count| (count as f64 - 100.0).powi(2) / 100.0).sum();
        // 191 degrees of freedom: mean 191, standard deviation 19.5.
        assert!((120.0..270.0).contains(&chi), "chi-squared {chi}");
    }

    #[test]
    fn a_bias_prefers_one_direction() {
        for (name, method) in Method::ALL {
            let horizontal = |bias: f64| -> u32 {
                let wires = wires(Lattice::square(40, 40), method, bias, 9, &mut Budget::unlimited()).unwrap();
                wires.iter().map(|mask| (mask & 0b1010).count_ones()).sum()
            };
            let (negative, zero, positive) = (horizontal(-0.6), horizontal(0.0), horizontal(0.6));
            assert!(negative < zero && zero < positive, "{name}: {negative} {zero} {positive}");
        }
    }
}
