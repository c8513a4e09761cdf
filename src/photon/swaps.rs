//! The fewest swaps that turn one placement of hardware into another.
//!
//! Each cell whose content must change is an *arrow* from its present content to its required content; a content is a
//! kind of hardware, or nothing. A cycle of n arrows takes n - 1 swaps, which set all of its n cells; fewer are not
//! enough. The smallest number of swaps is therefore the number of arrows minus the largest number of cycles among
//! them, no two of which share an arrow. The arrows that are left form trails. An undecided cell, which may take any
//! content, closes each trail, so a trail of n arrows takes n swaps.
//!
//! A worked example: one row of 3 cells that hold a mirror, a splitter and nothing.
//!
//! ```text
//! now    M/ B/ .      The arrows are M -> B, B -> nothing and nothing -> M, one cycle of three: 3 - 1 = 2 swaps.
//! goal   B/ .  M/     If the third cell is undecided, the arrows M -> B and B -> nothing form a trail: 2 swaps.
//! ```

use crate::core::game::{self, Game};
use crate::core::{Budget, Error};

use super::MyPhoton;
use super::tile::{EMPTY, FIRST_KIND, KINDS, is_hardware};

/// The number of contents: nothing, or one of the kinds of hardware.
pub(super) const CONTENTS: usize = KINDS + 1;

/// `arrows[v][w]`: the number of cells whose content must change from v to w; [`content`] numbers the contents.
pub(super) type Arrows = [[u16; CONTENTS]; CONTENTS];

/// Returns the content of an empty cell or a piece by its code: 0 for nothing, then 1 to [`KINDS`] in the order of the
/// codes of hardware.
#[inline]
pub(super) const fn content(code: u8) -> usize {
    if code == 0 { 0 } else { (code + 1 - FIRST_KIND) as usize }
}

/// Returns the total number of arrows.
fn count(arrows: &Arrows) -> usize {
    arrows.iter().flatten().map(|&n| usize::from(n)).sum()
}

/// Returns the fewest swaps after which each cell with an arrow has its required content, if undecided cells can close
/// all trails.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
#[inline]
pub(super) fn fewest(arrows: &Arrows, budget: &mut Budget<'_>) -> Result<usize, Error> {
    let mut rest = *arrows;
    let all = count(&rest);
    let pairs = take_pairs(&mut rest, |_, _| ());
    strip(&mut rest);
    let cycles = if count(&rest) == 0 { 0 } else { Packing::new().best(rest, budget)?.len() };
    Ok(all - pairs - cycles)
}

/// Finds as many cycles as possible, no two of which share an arrow. Returns the contents of each cycle in order,
/// without repeating the first content at the end.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
fn cycles(arrows: &Arrows, budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Error> {
    let mut rest = *arrows;
    let mut found = Vec::new();
    take_pairs(&mut rest, |v, w| found.push(vec![v, w]));
    strip(&mut rest);
    if count(&rest) > 0 {
        found.extend(Packing::new().best(rest, budget)?);
    }
    Ok(found)
}

/// Removes all cycles of two arrows, calls `take` with the two contents of each, and returns their number. Taking these
/// cycles never lowers the total number of cycles that can be taken: if the two arrows of one of them lie in two longer
/// cycles, the other arrows of the two longer cycles form a closed walk, which contains at least one cycle.
fn take_pairs(arrows: &mut Arrows, mut take: impl FnMut(usize, usize)) -> usize {
    let mut pairs = 0;
    for v in 0..CONTENTS {
        for w in v + 1..CONTENTS {
            let both = arrows[v][w].min(arrows[w][v]);
            arrows[v][w] -= both;
            arrows[w][v] -= both;
            pairs += usize::from(both);
            for _ in 0..both {
                take(v, w);
            }
        }
    }
    pairs
}

/// Removes arrows that lie in no cycle: those into a content that no arrow leaves, and those out of a content that no
/// arrow enters, until no such arrows are left.
fn strip(arrows: &mut Arrows) {
    loop {
        let mut again = false;
        for v in 0..CONTENTS {
            let leave: u16 = arrows[v].iter().sum();
            let enter: u16 = arrows.iter().map(|row| row[v]).sum();
            if (leave == 0) != (enter == 0) {
                arrows[v] = [0; CONTENTS];
                for row in arrows.iter_mut() {
                    row[v] = 0;
                }
                again = true;
            }
        }
        if !again {
            return;
        }
    }
}

/// A node of [`Packing`]: the arrows that are left, and one of them, which starts at a content with the fewest outgoing
/// arrows. A best choice of cycles either takes one of the cycles through that arrow or leaves the arrow out: the
/// search takes each of these cycles in turn, and then continues without the arrow.
struct Node {
    arrows: Arrows,
    /// Distinct contents, each with an arrow to the next. The first two are the ends of the arrow of the node. When a
    /// cycle has been found, the path holds its contents.
    path: Vec<usize>,
}

impl Node {
    /// Moves `path` on to the next cycle, in depth-first order. Returns `false` if there is none; `path` then holds
    /// only the two ends of the arrow of the node.
    fn next_cycle(&mut self) -> bool {
        let start = self.path[0];
        // The first content that has not been tried as the next one on the path.
        let mut from = 0;
        loop {
            let last = self.path[self.path.len() - 1];
            let next = (from..CONTENTS).find(|&w| self.arrows[last][w] > 0 && !self.path.contains(&w));
            if let Some(next) = next {
                self.path.push(next);
                if self.arrows[next][start] > 0 {
                    return true;
                }
                from = 0;
            } else if self.path.len() > 2 {
                self.path.pop();
                from = last + 1;
            } else {
                return false;
            }
        }
    }
}

/// A branch-and-bound search for as many cycles as possible, no two of which share an arrow, among arrows that form no
/// cycles of two.
struct Packing {
    /// The cycles on the current path of the search.
    taken: Vec<Vec<usize>>,
    /// The largest list of cycles found so far.
    best: Vec<Vec<usize>>,
}

impl Packing {
    /// Creates a search that has not found any cycles yet.
    fn new() -> Self {
        Self { taken: Vec::new(), best: Vec::new() }
    }

    /// Returns as many cycles as possible, no two of which share an arrow.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    fn best(mut self, arrows: Arrows, budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Error> {
        self.search(arrows, budget)?;
        Ok(self.best)
    }

    /// Searches for the most cycles that can be taken from the arrows, and updates `best`.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    fn search(&mut self, arrows: Arrows, budget: &mut Budget<'_>) -> Result<(), Error> {
        // The nodes from the root to the current one. They are kept in a list because recursion could overflow the
        // stack of a thread if there are thousands of cycles.
        let mut nodes: Vec<Node> = self.node(arrows, budget)?.into_iter().collect();
        while let Some(node) = nodes.last_mut() {
            let mut rest = node.arrows;
            if node.next_cycle() {
                for (k, &v) in node.path.iter().enumerate() {
                    rest[v][node.path[(k + 1) % node.path.len()]] -= 1;
                }
                self.taken.push(node.path.clone());
                if let Some(child) = self.node(rest, budget)? {
                    nodes.push(child);
                } else {
                    self.taken.pop();
                }
            } else {
                rest[node.path[0]][node.path[1]] -= 1;
                if let Some(without) = self.node(rest, budget)? {
                    *node = without;
                } else {
                    // No more cycles can be found from here, so the cycle that led to this node is dropped.
                    nodes.pop();
                    self.taken.pop();
                }
            }
        }
        Ok(())
    }

    /// Updates `best`, and returns the node of the arrows that are left, or `None` if they cannot lead to more cycles
    /// than `best` holds.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    fn node(&mut self, mut arrows: Arrows, budget: &mut Budget<'_>) -> Result<Option<Node>, Error> {
        strip(&mut arrows);
        if self.taken.len() > self.best.len() {
            self.best.clone_from(&self.taken);
        }
        // Bound: cycles of two are gone, so each further cycle takes three arrows or more.
        if self.taken.len() + count(&arrows) / 3 <= self.best.len() {
            return Ok(None);
        }
        budget.spend(1)?;
        let degree = |v: usize| arrows[v].iter().sum::<u16>();
        let fewest = (0..CONTENTS).filter(|&v| degree(v) > 0).min_by_key(|&v| degree(v));
        let Some(start) = fewest else { return Ok(None) };
        let Some(next) = (0..CONTENTS).find(|&w| arrows[start][w] > 0) else { return Ok(None) };
        Ok(Some(Node { arrows, path: vec![start, next] }))
    }
}

impl MyPhoton {
    /// Returns a shortest list of swaps that puts the given codes on the given places, cut off after the first swap
    /// that wins the puzzle.
    ///
    /// * `goal`: each decided place with its code, [`EMPTY`] or hardware; the other pieces must fit on the other
    ///   places, and all sensors must be lit wherever these pieces stand
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    pub(super) fn swaps_to(&self, goal: &[(u32, u8)], budget: &mut Budget<'_>) -> Result<Vec<[i32; 4]>, Error> {
        // `cells[v][w]`: the places with content v that must get content w.
        let mut cells: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); CONTENTS]; CONTENTS];
        let mut arrows: Arrows = [[0; CONTENTS]; CONTENTS];
        let mut decided = vec![false; self.tiles.len()];
        for &(place, code) in goal {
            decided[place as usize] = true;
            let (was, is) = (content(self.tiles[place as usize]), content(code));
            if was != is {
                arrows[was][is] += 1;
                cells[was][is].push(place);
            }
        }
        let mut swaps: Vec<(u32, u32)> = Vec::new();
        for cycle in cycles(&arrows, budget)? {
            let places: Vec<u32> = (0..cycle.len())
                .filter_map(|k| {
                    let (v, w) = (cycle[k], cycle[(k + 1) % cycle.len()]);
                    arrows[v][w] -= 1;
                    cells[v][w].pop()
                })
                .collect();
            swaps.extend(places.windows(2).map(|pair| (pair[0], pair[1])));
        }
        // The arrows that are left form trails. A trail starts at a content that more arrows leave than enter. It is
        // closed by an undecided cell that holds the content at which the trail ends.
        loop {
            let degree = |v: usize| {
                let leave: u16 = arrows[v].iter().sum();
                let enter: u16 = arrows.iter().map(|row| row[v]).sum();
                (leave, enter)
            };
            let Some(start) = (0..CONTENTS).find(|&v| degree(v).0 > degree(v).1) else { break };
            let mut places = Vec::new();
            let mut at = start;
            while let Some(next) = (0..CONTENTS).find(|&w| arrows[at][w] > 0) {
                arrows[at][next] -= 1;
                places.extend(cells[at][next].pop());
                at = next;
            }
            let free = (0..self.tiles.len()).find(|&place| {
                let code = self.tiles[place];
                !decided[place] && (code == EMPTY || is_hardware(code)) && content(code) == at
            });
            if let Some(free) = free {
                decided[free] = true;
                places.push(free as u32);
            }
            swaps.extend(places.windows(2).map(|pair| (pair[0], pair[1])));
        }
        // Each swap becomes a move that starts at a piece; if both places hold pieces, at the place that comes first.
        let mut game = self.clone();
        let mut moves = Vec::new();
        for (a, b) in swaps {
            let pieces = (is_hardware(game.tiles[a as usize]), is_hardware(game.tiles[b as usize]));
            let (from, to) = match pieces {
                (false, _) => (b, a),
                (true, true) if b < a => (b, a),
                _ => (a, b),
            };
            let (from, to) = (self.cell(from), self.cell(to));
            let mv = [from.row, from.col, to.row, to.col];
            debug_assert!(game::is_legal(&game, mv), "{mv:?} in\n{}", game.text());
            game.apply(mv);
            moves.push(mv);
            if game.status().is_over() {
                break;
            }
        }
        debug_assert!(game.status().is_over(), "not solved:\n{}", game.text());
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::core::Rng;

    /// Returns the fewest swaps to a placement that `fits` accepts, by breadth-first search over whole placements.
    fn plain(from: &[usize], fits: impl Fn(&[usize]) -> bool) -> usize {
        let mut seen: HashMap<Vec<usize>, usize> = HashMap::from([(from.to_vec(), 0)]);
        let mut queue = vec![from.to_vec()];
        for at in 0.. {
            let now = queue[at].clone();
            let depth = seen[&now];
            if fits(&now) {
                return depth;
            }
            for a in 0..now.len() {
                for b in a + 1..now.len() {
                    let mut next = now.clone();
                    next.swap(a, b);
                    if !seen.contains_key(&next) {
                        seen.insert(next.clone(), depth + 1);
                        queue.push(next);
                    }
                }
            }
        }
        unreachable!("all placements are searched")
    }

    #[test]
    fn the_fewest_swaps_agree_with_breadth_first_search() {
        let mut rng = Rng::new(8);
        for round in 0..250 {
            let cells = 2 + rng.index(5);
            let kinds = 2 + rng.index(4);
            let from: Vec<usize> = (0..cells).map(|_| rng.index(kinds)).collect();
            let mut to = from.clone();
            rng.shuffle(&mut to);
            // The cells after the decided ones may take any content.
            let decided = 1 + rng.index(cells);
            let mut arrows = [[0; CONTENTS]; CONTENTS];
            for cell in 0..decided {
                if from[cell] != to[cell] {
                    arrows[from[cell]][to[cell]] += 1;
                }
            }
            let mut budget = Budget::unlimited();
            let found = fewest(&arrows, &mut budget).unwrap();
            let expected = plain(&from, |now| now[..decided] == to[..decided]);
            assert_eq!(found, expected, "seed 8, round {round}: {from:?} {to:?} {decided}");
            assert_eq!(count(&arrows) - cycles(&arrows, &mut budget).unwrap().len(), expected);
        }
    }

    #[test]
    fn the_most_cycles_of_three_or_more_are_found() {
        // Five cycles of three contents and five of four, each through one of the ten arrows 0 -> 1.
        let mut arrows = [[0; CONTENTS]; CONTENTS];
        for (v, w, n) in [(0, 1, 10), (1, 2, 5), (2, 0, 5), (1, 3, 5), (3, 4, 5), (4, 0, 5)] {
            arrows[v][w] = n;
        }
        assert_eq!(fewest(&arrows, &mut Budget::unlimited()).unwrap(), 35 - 10);
    }
}
