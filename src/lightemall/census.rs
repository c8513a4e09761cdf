//! The number of spanning trees of a board that are the only solution of their tiles.
//!
//! In a tree each cell has a tile: its wires up to turning. Two trees with the same tiles are two solutions of one
//! puzzle.
//!
//! The cells are read row by row. The *frontier* of a wiring of the cells read so far tells which wires lead on to
//! cells not read yet, and which of those wires are connected; whether the wiring can be completed depends on nothing
//! else. So all that matters of the tiles read so far is a set of frontiers, each with the number of wirings that end
//! in it (one, or several). Tiles with the same set have the same future and are counted together.
//!
//! ```text
//! 2 x 2, the first tile is an end: its wire leads right or down    {right, down}, one wiring each
//! then a corner: it continues the wire from the left, or starts     {right, down} -> left+down: {-, down of 2}
//! a new one; up is the border                                       down only, nothing from the left: impossible
//! ```

use num_bigint::BigUint;

use crate::core::hash::Map;
use crate::core::{Budget, Error};

/// The largest number of wires of a frontier: it is one word of four bits per wire, the highest of which is
/// [`SEVERAL`].
const MAX_PLACES: usize = 15;

/// The labels of the components that the wires of a frontier belong to, four bits per wire: 0 is no wire.
type Frontier = u64;

/// The bit that is set in a frontier in which more than one wiring ends.
const SEVERAL: u64 = 1 << 63;

/// A side of a cell by which wires lead: its bit in the mask of wires, and the place of the wire in a frontier.
type Side = (u8, usize);

/// The sides of one cell.
struct Sides {
    /// The sides to cells that were read before.
    before: Vec<Side>,
    /// The sides to cells that are read later.
    after: Vec<Side>,
}

/// Returns the sides of a cell.
fn sides(height: usize, width: usize, hexagonal: bool, row: usize, col: usize) -> Sides {
    let odd = row % 2;
    let (last_row, last_col) = (row + 1 == height, col + 1 == width);
    if !hexagonal {
        let side = |there: bool, bit: u8, place: usize| there.then_some((bit, place));
        return Sides {
            before: [side(row > 0, 1, col), side(col > 0, 8, width)].into_iter().flatten().collect(),
            after: [side(!last_col, 2, width), side(!last_row, 4, col)].into_iter().flatten().collect(),
        };
    }
    // Odd rows are shifted right by half a cell. So the two places of a cell for its neighbors in the row above are
    // also those for its neighbors in the row below.
    let (left, right) = (2 * col + odd, 2 * col + odd + 1);
    let (has_left, has_right) = (odd == 1 || col > 0, odd == 0 || !last_col);
    let side = |there: bool, bit: u8, place: usize| there.then_some((bit, place));
    Sides {
        before: [
            side(row > 0 && has_left, 32, left),
            side(row > 0 && has_right, 1, right),
            side(col > 0, 16, 2 * width + 1),
        ]
        .into_iter()
        .flatten()
        .collect(),
        after: [
            side(!last_col, 2, 2 * width + 1),
            side(!last_row && has_left, 8, left),
            side(!last_row && has_right, 4, right),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// Returns the smallest of the masks that a tile has when it is turned.
fn tile(mask: u8, sides: u32) -> u8 {
    let all = (1u32 << sides) - 1;
    (0..sides).map(|by| (u32::from(mask) << by | u32::from(mask) >> (sides - by)) & all).min().unwrap_or(0) as u8
}

/// Returns the label at a place of a frontier.
fn label(frontier: Frontier, place: usize) -> u64 {
    frontier >> (4 * place) & 15
}

/// Renumbers the components in the order of their first wires, so that equal frontiers are equal words.
fn normalized(frontier: Frontier, places: usize) -> Frontier {
    let (mut names, mut count, mut made) = ([0u64; 16], 0, 0);
    for place in 0..places {
        let old = label(frontier, place) as usize;
        if old != 0 {
            if names[old] == 0 {
                count += 1;
                names[old] = count;
            }
            made |= names[old] << (4 * place);
        }
    }
    made
}

/// Returns a frontier with the wires of one more cell; `None` if that closes a loop or cuts off a component.
fn extended(frontier: Frontier, sides: &Sides, mask: u8, places: usize, is_last: bool) -> Option<Frontier> {
    const NEW: u64 = 15;
    let mut now = frontier;
    let mut own = NEW;
    for &(_, place) in &sides.before {
        // The wire at this place, if any, ends in this cell.
        let met = label(now, place);
        now &= !(15 << (4 * place));
        if met == 0 {
            continue;
        }
        if met == own {
            return None;
        }
        // The component met and that of this cell become one, under the label of the one met.
        for other in 0..places {
            if own != NEW && label(now, other) == own {
                now = now & !(15 << (4 * other)) | met << (4 * other);
            }
        }
        own = met;
    }
    for &(bit, place) in &sides.after {
        if mask & bit != 0 {
            now |= own << (4 * place);
        }
    }
    let open = (0..places).any(|place| label(now, place) == own);
    // A component without a wire that leads on must be the whole tree.
    (open || is_last && now == 0).then(|| normalized(now, places))
}

/// Counts the spanning trees of a board that are the only solution of their tiles.
///
/// Returns that number, and the largest number of sets of frontiers that were told apart.
///
/// # Errors
/// Returns [`Error::Invalid`] if the board has no cell, more than 13 columns, or more than 6 columns of hexagons, and
/// the errors of the budget, whose unit is a set of frontiers.
pub fn unique_trees(
    height: usize,
    width: usize,
    hexagonal: bool,
    budget: &mut Budget<'_>,
) -> Result<(BigUint, usize), Error> {
    let (turns, places) = if hexagonal { (6, 2 * width + 2) } else { (4, width + 1) };
    // One label more than there are wires is needed, for the component of the cell that is read.
    if height == 0 || width == 0 || places >= MAX_PLACES {
        let most = if hexagonal { 6 } else { 13 };
        return Err(Error::Invalid(format!("width must be between 1 and {most}, got {width}")));
    }
    let mut sets: Map<Box<[Frontier]>, BigUint> = Map::default();
    sets.insert(Box::from([0]), BigUint::from(1u32));
    let mut most = 1;
    for cell in 0..height * width {
        let sides = sides(height, width, hexagonal, cell / width, cell % width);
        let is_last = cell + 1 == height * width;
        let mut next: Map<Box<[Frontier]>, BigUint> = Map::default();
        // By tile: the frontiers that the cell with this tile leads to. The memory is reused for all sets.
        let mut by_tile: Vec<Vec<Frontier>> = vec![Vec::new(); 1 << turns];
        for (set, count) in sets {
            budget.spend(1)?;
            for &frontier in &set {
                let forced = sides
                    .before
                    .iter()
                    .filter(|&&(_, place)| label(frontier, place) != 0)
                    .fold(0, |mask, (bit, _)| mask | bit);
                for chosen in 0..1u32 << sides.after.len() {
                    let mask = (sides.after.iter().enumerate())
                        .filter(|&(i, _)| chosen >> i & 1 != 0)
                        .fold(forced, |mask, (_, (bit, _))| mask | bit);
                    if let Some(made) = extended(frontier & !SEVERAL, &sides, mask, places, is_last) {
                        by_tile[tile(mask, turns) as usize].push(made | frontier & SEVERAL);
                    }
                }
            }
            for made in by_tile.iter_mut().filter(|made| !made.is_empty()) {
                // Rotated by one, SEVERAL is the lowest bit, so that equal frontiers come together, whether it is set
                // or not. More than one wiring ends in a frontier that occurs twice.
                made.sort_unstable_by_key(|frontier| frontier.rotate_left(1));
                let mut kept: Vec<Frontier> = Vec::with_capacity(made.len());
                for &frontier in made.iter() {
                    match kept.last_mut() {
                        Some(last) if *last & !SEVERAL == frontier & !SEVERAL => *last |= SEVERAL,
                        _ => kept.push(frontier),
                    }
                }
                made.clear();
                // If every wiring has a twin, no solution will be the only one.
                if kept.iter().any(|frontier| frontier & SEVERAL == 0) {
                    *next.entry(kept.into_boxed_slice()).or_default() += &count;
                }
            }
        }
        sets = next;
        most = most.max(sets.len());
    }
    Ok((sets.remove(&[0u64][..]).unwrap_or_default(), most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Lattice;

    /// Lists all spanning trees and counts those alone with their tiles.
    fn listed(height: usize, width: usize, hexagonal: bool) -> (usize, usize) {
        let cells = height * width;
        let lattice = Lattice { height, width, hexagonal, wrap: false };
        let edges: Vec<[usize; 2]> = lattice.edges().iter().map(|edge| edge.map(|end| end as usize)).collect();
        let mut counts: Map<Vec<u8>, usize> = Map::default();
        let mut trees = 0;
        for chosen in (0..1u32 << edges.len()).filter(|chosen| chosen.count_ones() as usize + 1 == cells) {
            let mut part: Vec<usize> = (0..cells).collect();
            let mut masks = vec![0u8; cells];
            for (_, &[u, v]) in edges.iter().enumerate().filter(|(i, _)| chosen >> i & 1 != 0) {
                let (from, to) = (part[u], part[v]);
                part.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
                for (one, other) in [(u, v), (v, u)] {
                    let side = (0..6).find(|&side| lattice.neighbor(one, side) == Some(other)).unwrap();
                    masks[one] |= 1 << side;
                }
            }
            if part.iter().all(|&one| one == part[0]) {
                trees += 1;
                let turns = if hexagonal { 6 } else { 4 };
                *counts.entry(masks.iter().map(|&mask| tile(mask, turns)).collect()).or_default() += 1;
            }
        }
        (trees, counts.values().filter(|&&count| count == 1).count())
    }

    #[test]
    fn small_boards_are_counted_as_by_listing() {
        for (height, width, hexagonal) in
            [(2, 2, false), (3, 3, false), (4, 3, false), (2, 2, true), (3, 3, true), (2, 3, true)]
        {
            let (_, unique) = listed(height, width, hexagonal);
            let (found, _) = unique_trees(height, width, hexagonal, &mut Budget::unlimited()).unwrap();
            assert_eq!(found, BigUint::from(unique), "{height} x {width} {hexagonal}");
        }
    }

    #[test]
    fn wide_boards_are_refused() {
        assert!(unique_trees(2, 14, false, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(2, 7, true, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(0, 2, true, &mut Budget::unlimited()).is_err());
    }
}
