//! Counts the wirings of LightEmAll boards with an algorithm that differs from the solver's, to check that boards have
//! one solution.

use std::collections::HashMap;

use gridwright::core::{Budget, Game};
use gridwright::lightemall::LightEmAll;
use gridwright::lightemall::generate::generate;
use gridwright::lightemall::options::Options;

const N: u8 = 1;
const E: u8 = 2;
const S: u8 = 4;
const W: u8 = 8;

/// Counts the wirings that connect all tiles without a loop or a loose end, on a board of squares that does not wrap.
///
/// Lays the tiles row by row. The frontier is the border between the tiles that are laid and those that are not. Keeps
/// the number of wirings that lead to each state of the frontier. A state has one label per column and one for the
/// right edge of the tile laid last: 0 if no wire crosses the frontier at that column or edge, and equal numbers for
/// wires that are connected.
fn trees(height: usize, width: usize, masks: &[u8]) -> u64 {
    let mut states = HashMap::from([(vec![0u8; width + 1], 1u64)]);
    for tile in 0..height * width {
        let (row, col) = (tile / width, tile % width);
        let mut next = HashMap::new();
        for (labels, count) in states {
            let mut turned = [masks[tile]; 4];
            for k in 1..4 {
                turned[k] = (turned[k - 1] << 1 | turned[k - 1] >> 3) & 15;
            }
            for k in (0..4).filter(|&k| !turned[..k].contains(&turned[k])) {
                if let Some(after) = laid(&labels, turned[k], row + 1 == height, col, tile + 1 == height * width) {
                    let sum: &mut u64 = next.entry(after).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
        }
        states = next;
    }
    states.values().sum()
}

/// Lays a tile with the wires `mask` at the frontier and returns the labels after it, or `None` if its wires do not
/// fit, close a loop or cut off tiles.
fn laid(labels: &[u8], mask: u8, bottom: bool, col: usize, last: bool) -> Option<Vec<u8>> {
    let width = labels.len() - 1;
    let (up, left) = (labels[col], labels[width]);
    let fits = (mask & N != 0) == (up != 0)
        && (mask & W != 0) == (left != 0)
        && !(mask & E != 0 && col + 1 == width)
        && !(mask & S != 0 && bottom);
    if !fits || up != 0 && up == left {
        return None;
    }
    // The tile joins the components that reach it, or begins a new component with the unused label 255.
    let joined = if up != 0 {
        up
    } else if left != 0 {
        left
    } else {
        255
    };
    let mut after: Vec<u8> =
        labels.iter().map(|&label| if label != 0 && label == left { joined } else { label }).collect();
    after[col] = if mask & S != 0 { joined } else { 0 };
    after[width] = if mask & E != 0 { joined } else { 0 };
    if !last && !after.contains(&joined) {
        return None;
    }
    // Numbers the labels in the order in which they appear, so that equivalent states are equal lists.
    let mut names = vec![0u8];
    for label in &mut after {
        let place = names.iter().position(|name| name == label).unwrap_or_else(|| {
            names.push(*label);
            names.len() - 1
        });
        *label = place as u8;
    }
    Some(after)
}

fn made(options: &Options, seed: u64) -> LightEmAll {
    generate(options, seed, &mut Budget::unlimited()).unwrap().game
}

#[test]
fn the_frontier_and_the_solver_count_the_same_wirings() {
    let mut ambiguous = 0;
    for (height, width) in [(1, 7), (2, 2), (3, 4), (4, 4), (5, 5), (6, 7), (14, 6)] {
        for seed in 0..60 {
            let game = made(&Options::new(height, width), seed);
            let found = trees(height, width, game.wires());
            assert_eq!(game.count_solutions(10_000, &mut Budget::unlimited()).unwrap(), found, "{}", game.text());
            ambiguous += u32::from(found > 1);
        }
    }
    assert!(ambiguous > 8, "{ambiguous}");
}

#[test]
fn the_frontier_counts_one_wiring_of_every_unique_board() {
    for (height, width, seeds) in [(2, 3, 20), (5, 5, 60), (9, 9, 60), (12, 10, 30), (60, 9, 8), (400, 8, 2)] {
        for seed in 0..seeds {
            let game = made(&Options { unique: true, ..Options::new(height, width) }, seed);
            assert_eq!(trees(height, width, game.wires()), 1, "{height} x {width}, seed {seed}");
        }
    }
}
