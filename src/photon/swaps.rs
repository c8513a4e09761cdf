//! How few swaps turn one placement of hardware into another.
//!
//! Look at each cell whose content must change as an arrow from the kind that stands there to the kind that shall. Swaps
//! along a circle of n arrows set n cells right with n - 1 swaps, and nothing is cheaper: the fewest swaps are the arrows
//! minus the most circles into which they can be parted, where arrows that lie in no circle are closed by cells that are
//! free to take any kind, at no cost of their own.

use crate::core::{Budget, Error};

use super::tile::{FIRST_KIND, KINDS};

/// Number of contents: nothing, or a kind of hardware.
pub(super) const CONTENTS: usize = KINDS + 1;

/// How many cells change from one content (row) to another (column).
pub(super) type Arrows = [[u16; CONTENTS]; CONTENTS];

/// Numbers the contents of a cell that the player can change: 0 for nothing, then the kinds.
#[inline]
pub(super) const fn content(code: u8) -> usize {
    if code == 0 { 0 } else { (code + 1 - FIRST_KIND) as usize }
}

fn count(arrows: &Arrows) -> usize {
    arrows.iter().flatten().map(|&n| usize::from(n)).sum()
}

/// Gives the fewest swaps that set all cells of the arrows right.
///
/// # Errors
/// [`Error`] where the budget ends it.
#[inline]
pub(super) fn fewest(arrows: &Arrows, budget: &mut Budget<'_>) -> Result<usize, Error> {
    let mut rest = *arrows;
    let all = count(&rest);
    let pairs = take_pairs(&mut rest, |_, _| ());
    strip(&mut rest);
    let circles = if count(&rest) == 0 { 0 } else { Packing::new().best(rest, budget)?.len() };
    Ok(all - pairs - circles)
}

/// Parts arrows into the most circles: gives each as its contents in order.
pub(super) fn circles(arrows: &Arrows, budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Error> {
    let mut rest = *arrows;
    let mut found = Vec::new();
    take_pairs(&mut rest, |v, w| found.push(vec![v, w]));
    strip(&mut rest);
    if count(&rest) > 0 {
        found.extend(Packing::new().best(rest, budget)?);
    }
    Ok(found)
}

/// Takes out all circles of two arrows. No better parting leaves one: were its two arrows in two circles, these could
/// be joined round it at no loss.
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

/// Takes out arrows that can lie in no circle: those into a content that none leaves, and out of one that none enters.
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

/// A search for the most circles in arrows without circles of two.
struct Packing {
    taken: Vec<Vec<usize>>,
    best: Vec<Vec<usize>>,
}

impl Packing {
    fn new() -> Self {
        Self { taken: Vec::new(), best: Vec::new() }
    }

    fn best(mut self, arrows: Arrows, budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Error> {
        self.search(arrows, budget)?;
        Ok(self.best)
    }

    fn search(&mut self, mut arrows: Arrows, budget: &mut Budget<'_>) -> Result<(), Error> {
        strip(&mut arrows);
        if self.taken.len() > self.best.len() {
            self.best.clone_from(&self.taken);
        }
        // Every circle has three arrows or more.
        if self.taken.len() + count(&arrows) / 3 <= self.best.len() {
            return Ok(());
        }
        budget.spend(1)?;
        let degree = |v: usize| arrows[v].iter().sum::<u16>();
        let Some(start) = (0..CONTENTS).filter(|&v| degree(v) > 0).min_by_key(|&v| degree(v)) else { return Ok(()) };
        let Some(next) = (0..CONTENTS).find(|&w| arrows[start][w] > 0) else { return Ok(()) };
        // The first arrow lies in one of these circles, or in none.
        let mut path = vec![start, next];
        self.walk(&mut path, arrows, budget)?;
        arrows[start][next] -= 1;
        self.search(arrows, budget)
    }

    fn walk(&mut self, path: &mut Vec<usize>, arrows: Arrows, budget: &mut Budget<'_>) -> Result<(), Error> {
        let (start, last) = (path[0], path[path.len() - 1]);
        if arrows[last][start] > 0 {
            let mut rest = arrows;
            for (k, &v) in path.iter().enumerate() {
                rest[v][path[(k + 1) % path.len()]] -= 1;
            }
            self.taken.push(path.clone());
            let done = self.search(rest, budget);
            self.taken.pop();
            done?;
        }
        for w in 0..CONTENTS {
            if arrows[last][w] > 0 && !path.contains(&w) {
                path.push(w);
                self.walk(path, arrows, budget)?;
                path.pop();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::core::Rng;

    /// The fewest swaps by plain breadth-first search over whole placements.
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
    fn the_fewest_swaps_are_as_plain_search_says() {
        let mut rng = Rng::new(8);
        for round in 0..250 {
            let cells = 2 + rng.index(5);
            let kinds = 2 + rng.index(4);
            let from: Vec<usize> = (0..cells).map(|_| rng.index(kinds)).collect();
            let mut to = from.clone();
            rng.shuffle(&mut to);
            // Some cells are free to take anything.
            let decided = 1 + rng.index(cells);
            let mut arrows = [[0; CONTENTS]; CONTENTS];
            for cell in 0..decided {
                if from[cell] != to[cell] {
                    arrows[from[cell]][to[cell]] += 1;
                }
            }
            let mut budget = Budget::unlimited();
            let found = fewest(&arrows, &mut budget).unwrap();
            let wanted = plain(&from, |now| now[..decided] == to[..decided]);
            assert_eq!(found, wanted, "seed 8, round {round}: {from:?} {to:?} {decided}");
            assert_eq!(count(&arrows) - circles(&arrows, &mut budget).unwrap().len(), wanted);
        }
    }

    #[test]
    fn long_circles_are_parted_best() {
        // Five arrows each way round three and round four contents that share one arrow.
        let mut arrows = [[0; CONTENTS]; CONTENTS];
        for (v, w, n) in [(0, 1, 10), (1, 2, 5), (2, 0, 5), (1, 3, 5), (3, 4, 5), (4, 0, 5)] {
            arrows[v][w] = n;
        }
        assert_eq!(fewest(&arrows, &mut Budget::unlimited()).unwrap(), 35 - 10);
    }
}
