//! Minimum spanning trees of any edge list: the algorithms of Kruskal, Prim and Boruvka.
//!
//! Edges are compared by weight, edges of equal weight by index. There is thus exactly one minimum spanning tree, and
//! all three algorithms return its edges. For a graph that is not connected the result is the minimum spanning forest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::{Weight, all_numbers, by_weight};
use super::search::{NONE, Neighbors};
use super::union_find::{Forest, Strategy, UnionFind};
use crate::core::{Budget, Error, memory};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const GRAPH: &str = "a graph of this size";

/// Reads an edge list `u, v, u, v, ...` whose nodes are `0..nodes`. If the length of `flat` is odd, its last number is
/// ignored.
///
/// # Errors
/// Returns [`Error::Invalid`] with the first edge that has a node outside `0..nodes`, and [`Error::Memory`] if there
/// are too many edges.
pub fn edges(nodes: usize, flat: &[i32]) -> Result<Vec<[u32; 2]>, Error> {
    // Nodes are `i32`, so a bound above 2^31 is never reached. A negative number is huge as `u32`, so one comparison
    // checks both bounds. There is no early exit: without branches the compiler uses vector instructions.
    let bound = nodes.min(1 << 31) as u32;
    let pairs = flat.chunks_exact(2);
    let outside = |&node: &i32| node as u32 >= bound;
    if flat.iter().fold(false, |found, node| found | outside(node))
        && let Some((i, [u, v, ..])) = pairs.clone().enumerate().find(|(_, pair)| pair.iter().any(outside))
    {
        let must = match nodes {
            0 => "be empty for a graph without nodes".to_owned(),
            _ => format!("join nodes between 0 and {}", nodes - 1),
        };
        return Err(Error::Invalid(format!("edges must {must}, got ({u}, {v}) at index {i}")));
    }
    memory::collected(pairs.len(), pairs.map(|pair| [pair[0] as u32, pair[1] as u32]), GRAPH)
}

/// Checks the weights of a graph. The algorithms of this module do not check them again.
///
/// # Errors
/// Returns [`Error::Invalid`] if there is not one weight per edge, or if a weight is NaN.
pub fn weights<W: Weight>(edges: &[[u32; 2]], weights: &[W]) -> Result<(), Error> {
    if edges.len() != weights.len() {
        return Err(Error::Invalid(format!(
            "weights must hold one number per edge, {} in all, got {}",
            edges.len(),
            weights.len()
        )));
    }
    all_numbers(weights)
}

/// The number of edges that Kruskal's algorithm reads ahead.
const AHEAD: usize = 64;

/// The largest number of nodes whose links, 4 bytes each, are sure to fit in a second-level cache.
const CACHED: usize = 1 << 16;

/// Returns the edges of the minimum spanning forest in the order in which Kruskal's algorithm takes them.
///
/// `edges` holds pairs of nodes from 0 to `nodes - 1`, `weights` one weight per edge, none of them NaN. For `n` nodes
/// and `m` edges the sort needs O(m) time for most weights, and the union-find nearly O(n + m) for edges in random
/// order, at worst O(n + m log n).
///
/// # Errors
/// Returns [`Error::Invalid`] for 2^32 edges or more; [`Error::Limit`] or [`Error::Interrupted`] if the budget, which
/// counts edges, ends the call; and [`Error::Memory`] if the graph is too large.
pub fn kruskal<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    let order = by_weight(weights, budget)?;
    let mut forest = Forest::try_new(nodes, budget)?;
    let mut taken = memory::with_capacity(nodes.saturating_sub(1).min(edges.len()), GRAPH)?;
    let mut ends = [[0; 2]; AHEAD];
    for piece in order.chunks(AHEAD) {
        // Edges in the order of their weights are scattered in memory. Reading some ahead, with no branch in between,
        // lets their cache misses overlap. The links of their nodes are read ahead too, unless the links of all nodes
        // fit in a cache.
        for (ends, &edge) in ends.iter_mut().zip(piece) {
            *ends = edges[edge as usize];
        }
        if nodes > CACHED {
            forest.prepare(&ends[..piece.len()]);
        }
        for (at, (&edge, &[u, v])) in piece.iter().zip(&ends).enumerate() {
            if forest.union(u, v) {
                taken.push(edge);
                // The spanning tree is complete: each of the other edges would close a cycle.
                if taken.len() + 1 == nodes {
                    budget.spend(at as u64 + 1)?;
                    return Ok(taken);
                }
            }
        }
        budget.spend(piece.len() as u64)?;
    }
    Ok(taken)
}

/// The steps of Kruskal's algorithm until the tree is complete, by column: item `i` of each column belongs to the
/// `i`-th edge that the algorithm examines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KruskalSteps {
    /// The index of the edge.
    pub edge: Vec<u32>,
    /// Whether the edge was taken: its nodes had different representatives.
    pub accepted: Vec<bool>,
    /// The representative of the first node of the edge before the step.
    pub root_u: Vec<u32>,
    /// The representative of the second node of the edge before the step.
    pub root_v: Vec<u32>,
    /// The links of all nodes after each step, one row of `nodes` numbers per step; empty unless requested.
    pub parents: Vec<u32>,
}

/// The largest number of entries of [`KruskalSteps::parents`].
pub const MAX_PARENTS: usize = 1 << 28;

/// Checks that the links of `nodes` nodes after each of `edges` steps are not too many to keep.
///
/// # Errors
/// Returns [`Error::Invalid`] if `nodes * edges` is more than [`MAX_PARENTS`].
pub fn check_parents(nodes: usize, edges: usize) -> Result<(), Error> {
    if nodes.saturating_mul(edges) > MAX_PARENTS {
        return Err(Error::Invalid(format!(
            "parents must hold at most 2^28 numbers, got {nodes} nodes after each of {edges} edges"
        )));
    }
    Ok(())
}

/// Runs Kruskal's algorithm on a graph as [`kruskal`] does and returns every step. If `keep_parents` is `true`, the
/// links of the union-find after each step are returned too. `strategy` is how the union-find keeps its trees shallow.
///
/// # Errors
/// Returns [`Error::Invalid`] for 2^32 edges or more, or if `keep_parents` is `true` and [`check_parents`] fails;
/// [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts edges, ends the call; and [`Error::Memory`]
/// if the graph is too large.
pub fn kruskal_steps<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    strategy: Strategy,
    keep_parents: bool,
    budget: &mut Budget<'_>,
) -> Result<KruskalSteps, Error> {
    if keep_parents {
        check_parents(nodes, edges.len())?;
    }
    let mut find = UnionFind::try_new(nodes, strategy, budget)?;
    let mut steps = KruskalSteps::default();
    for edge in by_weight(weights, budget)? {
        if find.components() <= 1 {
            break;
        }
        budget.spend(1)?;
        let [u, v] = edges[edge as usize];
        let (a, b) = (find.find(u as usize), find.find(v as usize));
        if a != b {
            find.link(a, b);
        }
        memory::room(&mut steps.edge, 1, GRAPH)?;
        memory::room(&mut steps.accepted, 1, GRAPH)?;
        memory::room(&mut steps.root_u, 1, GRAPH)?;
        memory::room(&mut steps.root_v, 1, GRAPH)?;
        steps.edge.push(edge);
        steps.accepted.push(a != b);
        steps.root_u.push(a as u32);
        steps.root_v.push(b as u32);
        if keep_parents {
            memory::room(&mut steps.parents, nodes, GRAPH)?;
            steps.parents.extend_from_slice(find.parents());
        }
    }
    Ok(steps)
}

/// Returns the edges of the minimum spanning forest in the order in which Prim's algorithm takes them. The algorithm
/// starts at `source` and, whenever a component is complete, again at the lowest node that is not yet reached.
///
/// `nodes`, `edges` and `weights` are those of [`kruskal`]. Needs O(n + m log m) time for `n` nodes and `m` edges. A
/// source outside the graph is ignored: the algorithm then starts at node 0.
///
/// # Errors
/// Returns [`Error::Invalid`] for 2^31 edges or more; [`Error::Limit`] or [`Error::Interrupted`] if the budget, which
/// counts edges, ends the call; and [`Error::Memory`] if the graph is too large.
pub fn prim<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    source: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    // The heap holds the ranks of edges in the order of (weight, index): a rank takes less memory than such a pair, and
    // two ranks are ordered by one comparison.
    let order = by_weight(weights, budget)?;
    let mut rank = memory::filled(0u32, edges.len(), GRAPH)?;
    for (at, &edge) in order.iter().enumerate() {
        rank[edge as usize] = at as u32;
    }
    let neighbors = Neighbors::new(nodes, edges, budget)?;
    let mut reached = memory::filled_watched(false, nodes, GRAPH, budget)?;
    let mut taken = memory::with_capacity(nodes.saturating_sub(1).min(edges.len()), GRAPH)?;
    let mut heap = BinaryHeap::new();
    // The component of the source comes first, then every other component, each from its lowest node.
    for start in std::iter::once(source).chain(0..nodes) {
        if start >= nodes || reached[start] {
            continue;
        }
        reached[start] = true;
        heap_room(&mut heap, neighbors.of(start).len())?;
        neighbors.each(start, |_, edge| heap.push(Reverse(rank[edge as usize])));
        while let Some(Reverse(at)) = heap.pop() {
            budget.spend(1)?;
            let edge = order[at as usize];
            let [u, v] = edges[edge as usize];
            let next = match (reached[u as usize], reached[v as usize]) {
                // Both ends are in the tree by now: the edge would close a cycle.
                (true, true) => continue,
                (true, false) => v as usize,
                _ => u as usize,
            };
            reached[next] = true;
            taken.push(edge);
            heap_room(&mut heap, neighbors.of(next).len())?;
            neighbors.each(next, |other, edge| {
                if !reached[other as usize] {
                    heap.push(Reverse(rank[edge as usize]));
                }
            });
        }
    }
    Ok(taken)
}

/// Reserves room for `n` more ranks in the heap of Prim's algorithm.
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
fn heap_room(heap: &mut BinaryHeap<Reverse<u32>>, n: usize) -> Result<(), Error> {
    heap.try_reserve(n).map_err(|_| Error::memory(GRAPH))
}

/// Returns the edges of the minimum spanning forest in the order in which Boruvka's algorithm takes them, and the round
/// in which it takes each edge.
///
/// `nodes`, `edges` and `weights` are those of [`kruskal`]. In each round every component takes the lightest edge that
/// leaves it. For `n` nodes and `m` edges there are at most log2(n) rounds of nearly O(n + m) time each. Rounds are
/// counted from 0.
///
/// # Errors
/// Returns [`Error::Invalid`] for 2^32 edges or more; [`Error::Limit`] or [`Error::Interrupted`] if the budget, which
/// counts the edges examined in each round, ends the call; and [`Error::Memory`] if the graph is too large.
pub fn boruvka<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    budget: &mut Budget<'_>,
) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let order = by_weight(weights, budget)?;
    let mut forest = Forest::try_new(nodes, budget)?;
    let most = nodes.saturating_sub(1).min(edges.len());
    let (mut taken, mut rounds) = (memory::with_capacity(most, GRAPH)?, memory::with_capacity(most, GRAPH)?);
    let mut left = order;
    let mut best = memory::filled_watched(NONE, nodes, GRAPH, budget)?;
    for round in 0.. {
        best.fill(NONE);
        // `left` is sorted, so that the first edge that leaves a component is its lightest.
        let mut kept = 0;
        for at in 0..left.len() {
            budget.spend(1)?;
            let edge = left[at];
            let [u, v] = edges[edge as usize];
            let (a, b) = (forest.find(u), forest.find(v));
            if a == b {
                continue;
            }
            for root in [a, b] {
                if best[root as usize] == NONE {
                    best[root as usize] = edge;
                }
            }
            // Edges within a component are removed, so later rounds examine fewer edges.
            left[kept] = edge;
            kept += 1;
        }
        left.truncate(kept);
        if left.is_empty() {
            break;
        }
        for node in 0..nodes {
            let edge = best[node];
            if edge != NONE {
                let [u, v] = edges[edge as usize];
                // Two components may have chosen the same edge, which is then taken once.
                if forest.union(u, v) {
                    taken.push(edge);
                    rounds.push(round);
                }
            }
        }
    }
    Ok((taken, rounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    fn unlimited() -> Budget<'static> {
        Budget::unlimited()
    }

    const NAMES: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

    fn edge(name: &str) -> [u32; 2] {
        let ends: Vec<u32> = name.chars().map(|c| NAMES.iter().position(|&n| n == c).unwrap() as u32).collect();
        [ends[0], ends[1]]
    }

    /// The worked example of the source document, with the links that it shows after each step. In the last step the
    /// document links F to D, which is not a representative, against its own advice; this implementation links F to E,
    /// the representative of D.
    #[test]
    fn the_worked_example_of_the_source_is_reproduced() {
        let list = [("EC", 15), ("CD", 25), ("AB", 30), ("BE", 35), ("BC", 40), ("FD", 50), ("AE", 50), ("BF", 50)];
        let edges: Vec<[u32; 2]> = list.iter().map(|(name, _)| edge(name)).collect();
        let weights: Vec<i32> = list.iter().map(|&(_, weight)| weight).collect();
        let steps = kruskal_steps(6, &edges, &weights, Strategy::Size, true, &mut unlimited()).unwrap();
        assert_eq!(steps.edge, [0, 1, 2, 3, 4, 5]);
        assert_eq!(steps.accepted, [true, true, true, true, false, true]);
        let maps: Vec<String> =
            steps.parents.chunks(6).map(|row| row.iter().map(|&p| NAMES[p as usize]).collect()).collect();
        assert_eq!(maps, ["ABEDEF", "ABEEEF", "AAEEEF", "EAEEEF", "EAEEEF", "EAEEEE"]);
        assert_eq!(kruskal(6, &edges, &weights, &mut unlimited()).unwrap(), [0, 1, 2, 3, 5]);
        assert_eq!(prim(6, &edges, &weights, 0, &mut unlimited()).unwrap(), [2, 3, 0, 1, 5]);
        assert_eq!(boruvka(6, &edges, &weights, &mut unlimited()).unwrap(), (vec![2, 0, 1, 5, 3], vec![0, 0, 0, 0, 1]));
    }

    /// Kruskal's algorithm by relabeling instead of a union-find.
    fn plain(nodes: usize, edges: &[[u32; 2]], weights: &[i32]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..edges.len() as u32).collect();
        order.sort_by_key(|&e| weights[e as usize]);
        let mut label: Vec<u32> = (0..nodes as u32).collect();
        order.retain(|&e| {
            let [u, v] = edges[e as usize].map(|node| label[node as usize]);
            label.iter_mut().filter(|l| **l == u).for_each(|l| *l = v);
            u != v
        });
        order
    }

    #[test]
    fn all_algorithms_agree_with_the_plain_one() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let nodes = 1 + rng.index(30);
            let m = rng.index(80);
            let edges: Vec<[u32; 2]> = (0..m).map(|_| [rng.index(nodes) as u32, rng.index(nodes) as u32]).collect();
            let weights: Vec<i32> = (0..m).map(|_| rng.index(9) as i32 - 4).collect();
            let expected = plain(nodes, &edges, &weights);
            assert_eq!(kruskal(nodes, &edges, &weights, &mut unlimited()).unwrap(), expected, "seed {seed}");
            let steps = kruskal_steps(nodes, &edges, &weights, Strategy::Naive, false, &mut unlimited()).unwrap();
            let accepted: Vec<u32> =
                steps.edge.iter().zip(&steps.accepted).filter(|(_, a)| **a).map(|(e, _)| *e).collect();
            assert_eq!(accepted, expected, "seed {seed}");
            let sorted = |mut list: Vec<u32>| {
                list.sort_unstable();
                list
            };
            let expected = sorted(expected);
            let (taken, rounds) = boruvka(nodes, &edges, &weights, &mut unlimited()).unwrap();
            assert!(rounds.is_sorted());
            assert_eq!(sorted(taken), expected, "seed {seed}");
            assert_eq!(
                sorted(prim(nodes, &edges, &weights, rng.index(nodes), &mut unlimited()).unwrap()),
                expected,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn bad_input_is_refused() {
        assert_eq!(
            edges(2, &[0, 1, 1, 2]).unwrap_err().reason(),
            "edges must join nodes between 0 and 1, got (1, 2) at index 1"
        );
        assert_eq!(
            edges(0, &[0, 1]).unwrap_err().reason(),
            "edges must be empty for a graph without nodes, got (0, 1) at index 0"
        );
        assert_eq!(
            weights(&[[0, 1]], &[1, 2]).unwrap_err().reason(),
            "weights must hold one number per edge, 1 in all, got 2"
        );
        assert_eq!(
            weights(&[[0, 1]], &[f64::NAN]).unwrap_err().reason(),
            "weights must be numbers, got nan at index 0"
        );
        assert_eq!(prim::<i32>(0, &[], &[], 0, &mut unlimited()).unwrap(), Vec::<u32>::new());
    }

    #[test]
    fn a_budget_ends_every_algorithm() {
        let edges: Vec<[u32; 2]> = (1..500).map(|node| [node - 1, node]).collect();
        let list: Vec<u32> = (1..500).collect();
        let few = || Budget::new("edges", Some(100), None);
        let stop = Error::spent(100, "edges");
        assert_eq!(kruskal(500, &edges, &list, &mut few()).unwrap_err(), stop);
        assert_eq!(prim(500, &edges, &list, 0, &mut few()).unwrap_err(), stop);
        assert_eq!(boruvka(500, &edges, &list, &mut few()).unwrap_err(), stop);
        assert_eq!(kruskal_steps(500, &edges, &list, Strategy::Size, false, &mut few()).unwrap_err(), stop);
    }

    #[test]
    fn edges_after_the_last_one_of_the_tree_take_no_budget() {
        let (edges, list) = ([[0, 1], [1, 2], [0, 2], [2, 0]], [1, 2, 3, 4]);
        let just = || Budget::new("edges", Some(2), None);
        assert_eq!(kruskal(3, &edges, &list, &mut just()).unwrap(), [0, 1]);
        assert_eq!(kruskal_steps(3, &edges, &list, Strategy::Size, false, &mut just()).unwrap().edge, [0, 1]);
    }
}
