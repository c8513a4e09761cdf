//! The number of spanning trees of a board that are the only solution of their tiles.
//!
//! In a tree, each cell has a tile: its wires, up to rotation. Two trees with the same tile in each cell are two
//! solutions of one puzzle.
//!
//! The cells are read row by row. The *frontier* of a wiring of the cells read so far records which wires lead on to
//! cells not read yet, and which of those wires are connected. Nothing else about the wiring affects whether it can be
//! completed. So all that matters about the tiles read so far is a set of frontiers, each with the number of wirings
//! that end in it (one, or several). Sequences of tiles with the same set have the same future and are counted
//! together.
//!
//! A worked example, 2 x 2 cells with the tiles end, corner, end, corner; each frontier has one wiring:
//!
//! ```text
//! (0, 0) end       its wire leads right, or down                             {right}, {down}
//! (0, 1) corner    above and to the right is the border, so its wires lead
//!                  left and down; from {down} no wire comes from the left    {down from (0, 1)}
//! (1, 0) end       no wire comes from above, so its wire leads right         {down from (0, 1), right}
//! (1, 1) corner    the wires from above and from the left end here           {}, a tree
//! ```
//!
//! The last frontier has one wiring: this tree is the only solution of its tiles.

use num_bigint::BigUint;

use crate::core::hash::Map;
use crate::core::{Budget, Error, memory};

/// The largest number of places for wires in a frontier. A place holds a label of four bits: 0 means no wire, 1 to 14
/// are the components of the wires, and 15 is the component of the cell that is being read.
const MAX_PLACES: usize = 14;

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const CENSUS: &str = "the sets of frontiers";

/// By place, four bits: the label of the component that the wire there belongs to, or 0 if there is no wire.
type Frontier = u64;

/// The bit that is set in a frontier in which more than one wiring ends.
const SEVERAL: u64 = 1 << 63;

/// A side of a cell with a neighbor: the bit of its wire in a mask, and the place of that wire in a frontier.
type Side = (u8, usize);

/// The sides of one cell.
struct Sides {
    /// The sides to cells that were read before.
    before: Vec<Side>,
    /// The sides to cells that are read later.
    after: Vec<Side>,
}

/// Returns the sides of the cell at `row` and `col` of a board.
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
    // Odd rows are shifted right by half a cell, so one place per half cell is enough: the two places for the wires
    // from the row above are then used for the wires to the row below.
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

/// Returns the smallest mask that a tile has in any orientation, which identifies the tile up to rotation.
fn tile(mask: u8, sides: u32) -> u8 {
    let all = (1u32 << sides) - 1;
    (0..sides).map(|by| (u32::from(mask) << by | u32::from(mask) >> (sides - by)) & all).min().unwrap_or(0) as u8
}

/// Returns the label at a place of a frontier.
fn label(frontier: Frontier, place: usize) -> u64 {
    frontier >> (4 * place) & 15
}

/// Renumbers the components from 1 in the order of their first wires, so that frontiers with the same connections are
/// equal numbers.
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

/// Returns the frontier after one more cell, whose wires are `mask`; `None` if these wires close a loop or cut off a
/// component. `is_last` indicates whether this is the last cell of the board.
fn extended(frontier: Frontier, sides: &Sides, mask: u8, places: usize, is_last: bool) -> Option<Frontier> {
    /// The label of this cell's component until that component meets another.
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
        // The component met and this cell's component become one, with the label `met`.
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
/// Returns that number, and the largest number of different sets of frontiers after any cell. The board does not wrap.
///
/// * `height`: the number of rows, at least 1
/// * `width`: the number of columns, 1 to 13, or 1 to 6 on hexagons
/// * `hexagonal`: whether the cells are hexagons
/// * `budget`: counts sets of frontiers
///
/// # Errors
/// Returns [`Error::Invalid`] if `height` or `width` is out of range, [`Error::Memory`] if the sets of frontiers cannot
/// be allocated, and [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the count.
pub fn unique_trees(
    height: usize,
    width: usize,
    hexagonal: bool,
    budget: &mut Budget<'_>,
) -> Result<(BigUint, usize), Error> {
    let (turns, places) =
        if hexagonal { (6, width.saturating_mul(2).saturating_add(2)) } else { (4, width.saturating_add(1)) };
    if height == 0 {
        return Err(Error::Invalid("height must be at least 1, got 0".to_owned()));
    }
    if width == 0 || places > MAX_PLACES {
        let most = if hexagonal { 6 } else { 13 };
        return Err(Error::Invalid(format!("width must be between 1 and {most}, got {width}")));
    }
    let mut sets: Map<Box<[Frontier]>, BigUint> = Map::default();
    sets.insert(Box::from([0]), BigUint::from(1u32));
    let mut most = 1;
    let cells = height.saturating_mul(width);
    for cell in 0..cells {
        let sides = sides(height, width, hexagonal, cell / width, cell % width);
        let is_last = cell + 1 == cells;
        let mut next: Map<Box<[Frontier]>, BigUint> = Map::default();
        // By tile: the frontiers to which this tile in the cell leads. The memory is reused for all sets.
        let mut by_tile: Vec<Vec<Frontier>> = vec![Vec::new(); 1 << turns];
        for (i, (set, count)) in sets.into_iter().enumerate() {
            budget.spend(1)?;
            if i % 16 == 0 {
                // The counts for the next 16 sets are small allocations, which are not checked one by one.
                memory::probe(1 << 20, CENSUS)?;
            }
            for &frontier in &set {
                // Each wire that leads to this cell from a cell read before must meet a wire of this cell.
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
                        let list = &mut by_tile[tile(mask, turns) as usize];
                        memory::room(list, 1, CENSUS)?;
                        list.push(made | frontier & SEVERAL);
                    }
                }
            }
            for made in by_tile.iter_mut().filter(|made| !made.is_empty()) {
                // Rotating by one bit makes `SEVERAL` the lowest bit, so that equal frontiers are sorted next to each
                // other whether it is set or not. More than one wiring ends in a frontier that occurs twice.
                made.sort_unstable_by_key(|frontier| frontier.rotate_left(1));
                let mut kept: Vec<Frontier> = memory::with_capacity(made.len(), CENSUS)?;
                for &frontier in made.iter() {
                    match kept.last_mut() {
                        Some(last) if *last & !SEVERAL == frontier & !SEVERAL => *last |= SEVERAL,
                        _ => kept.push(frontier),
                    }
                }
                made.clear();
                // If several wirings end in every frontier, no solution can be the only one.
                if kept.iter().any(|frontier| frontier & SEVERAL == 0) {
                    memory::slot(&mut next, CENSUS)?;
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

    /// Lists all spanning trees; returns their number, and the number of those that are the only solution of their
    /// tiles.
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
    fn counts_of_small_boards_agree_with_a_list_of_all_trees() {
        for (height, width, hexagonal) in
            [(2, 2, false), (3, 3, false), (4, 3, false), (2, 2, true), (3, 3, true), (2, 3, true)]
        {
            let (_, unique) = listed(height, width, hexagonal);
            let (found, _) = unique_trees(height, width, hexagonal, &mut Budget::unlimited()).unwrap();
            assert_eq!(found, BigUint::from(unique), "{height} x {width} {hexagonal}");
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert!(unique_trees(2, 14, false, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(2, 7, true, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(2, usize::MAX, false, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(2, usize::MAX / 2 + 1, true, &mut Budget::unlimited()).is_err());
        assert!(unique_trees(0, 2, true, &mut Budget::unlimited()).is_err());
    }
}
