//! Minimum spanning trees of any edge list: Kruskal, and as contrast Prim and Boruvka.
//!
//! Weights are compared as `(weight, index)`, so that there is exactly one minimum spanning tree and all three agree on
//! it. A graph that is not connected gives a minimum spanning forest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::{Weight, all_numbers, by_weight};
use super::search::Neighbours;
use super::union_find::{Forest, Strategy, UnionFind};
use crate::core::{Budget, Error};

/// Reads an edge list `u, v, u, v, ...` whose nodes are `0..nodes`.
///
/// # Errors
/// Names the first edge that leaves the graph.
pub fn edges(nodes: usize, flat: &[i32]) -> Result<Vec<[u32; 2]>, Error> {
    let mut edges = Vec::with_capacity(flat.len() / 2);
    for (i, pair) in flat.chunks_exact(2).enumerate() {
        let [u, v] = [pair[0], pair[1]];
        if u < 0 || v < 0 || u as usize >= nodes || v as usize >= nodes {
            return Err(Error::Invalid(format!("edge {i} is ({u}, {v}), wanted nodes from 0 to {}", nodes as i64 - 1)));
        }
        edges.push([u as u32, v as u32]);
    }
    Ok(edges)
}

/// Checks the weights of a graph: what the algorithms below rely on.
///
/// # Errors
/// Not one weight an edge, or a weight that is not a number.
pub fn weights<W: Weight>(edges: &[[u32; 2]], weights: &[W]) -> Result<(), Error> {
    if edges.len() != weights.len() {
        return Err(Error::Invalid(format!("{} weights for {} edges, wanted one an edge", weights.len(), edges.len())));
    }
    all_numbers(weights)
}

/// Gives the edges of the minimum spanning forest in the order in which Kruskal takes them.
///
/// Takes O(m) for the sort and nearly O(m) for the union-find.
///
/// # Errors
/// The budget's end; it counts edges.
pub fn kruskal<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    let order = by_weight(weights, budget)?;
    let mut forest = Forest::default();
    forest.reset(nodes);
    let mut taken = Vec::with_capacity(nodes.saturating_sub(1).min(edges.len()));
    for edge in order {
        budget.spend(1)?;
        let [u, v] = edges[edge as usize];
        if forest.union(u, v) {
            taken.push(edge);
            if taken.len() + 1 == nodes {
                break;
            }
        }
    }
    Ok(taken)
}

/// What Kruskal did, one row an edge it looked at, until the tree was whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KruskalSteps {
    /// The edge.
    pub edge: Vec<u32>,
    /// Whether it was taken: its ends had different representatives.
    pub accepted: Vec<bool>,
    /// The representative of its first node, before.
    pub root_u: Vec<u32>,
    /// The representative of its second node, before.
    pub root_v: Vec<u32>,
    /// The links of all nodes after each step, row after row, where they were asked for.
    pub parents: Vec<u32>,
}

/// The most numbers of kept parents.
pub const MOST_PARENTS: usize = 1 << 28;

/// Says that parents were to be kept of too many nodes after too many edges.
pub fn too_many_parents(nodes: usize, edges: usize) -> String {
    format!("parents of {nodes} nodes after each of {edges} edges, wanted at most 2^28 numbers")
}

/// Runs Kruskal and keeps every step; with `keep_parents` the whole union-find after each step too.
///
/// # Errors
/// The budget's end; [`Error::Limit`] where the kept parents would pass 2^28 numbers.
pub fn kruskal_steps<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    strategy: Strategy,
    keep_parents: bool,
    budget: &mut Budget<'_>,
) -> Result<KruskalSteps, Error> {
    if keep_parents && nodes.saturating_mul(edges.len()) > MOST_PARENTS {
        return Err(Error::Limit(too_many_parents(nodes, edges.len())));
    }
    let mut find = UnionFind::new(nodes, strategy);
    let mut steps = KruskalSteps::default();
    for edge in by_weight(weights, budget)? {
        budget.spend(1)?;
        if find.components() <= 1 {
            break;
        }
        let [u, v] = edges[edge as usize];
        let (a, b) = (find.find(u as usize), find.find(v as usize));
        if a != b {
            find.link(a, b);
        }
        steps.edge.push(edge);
        steps.accepted.push(a != b);
        steps.root_u.push(a as u32);
        steps.root_v.push(b as u32);
        if keep_parents {
            steps.parents.extend_from_slice(find.parents());
        }
    }
    Ok(steps)
}

/// Gives the edges of the minimum spanning forest in the order in which Prim takes them: from `source`, then from the
/// lowest node not yet reached.
///
/// Takes O(m log m). A source outside the graph is passed over.
///
/// # Errors
/// The budget's end; it counts edges.
pub fn prim<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    source: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    // Ranks stand for (weight, index): smaller to keep in the heap, and compared in one go.
    let order = by_weight(weights, budget)?;
    let mut rank = vec![0u32; edges.len()];
    for (at, &edge) in order.iter().enumerate() {
        rank[edge as usize] = at as u32;
    }
    let near = Neighbours::new(nodes, edges, budget)?;
    let mut reached = vec![false; nodes];
    let mut taken = Vec::new();
    let mut heap = BinaryHeap::new();
    for start in std::iter::once(source).chain(0..nodes) {
        if start >= nodes || reached[start] {
            continue;
        }
        reached[start] = true;
        near.each(start, |_, edge| heap.push(Reverse(rank[edge as usize])));
        while let Some(Reverse(at)) = heap.pop() {
            budget.spend(1)?;
            let edge = order[at as usize];
            let [u, v] = edges[edge as usize];
            let next = match (reached[u as usize], reached[v as usize]) {
                (true, true) => continue,
                (true, false) => v as usize,
                _ => u as usize,
            };
            reached[next] = true;
            taken.push(edge);
            near.each(next, |other, edge| {
                if !reached[other as usize] {
                    heap.push(Reverse(rank[edge as usize]));
                }
            });
        }
    }
    Ok(taken)
}

/// Gives the edges of the minimum spanning forest in the order in which Boruvka takes them, each with its round.
///
/// In each round every component takes its lightest edge that leaves it; there are at most log2(n) rounds of O(m).
///
/// # Errors
/// The budget's end; it counts edges.
pub fn boruvka<W: Weight>(
    nodes: usize,
    edges: &[[u32; 2]],
    weights: &[W],
    budget: &mut Budget<'_>,
) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let order = by_weight(weights, budget)?;
    let mut forest = Forest::default();
    forest.reset(nodes);
    let (mut taken, mut rounds) = (Vec::new(), Vec::new());
    let mut left = order;
    let mut best = vec![u32::MAX; nodes];
    for round in 0.. {
        best.fill(u32::MAX);
        // Edges come lightest first, so the first that leaves a component is its lightest.
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
                if best[root as usize] == u32::MAX {
                    best[root as usize] = edge;
                }
            }
            left[kept] = edge;
            kept += 1;
        }
        left.truncate(kept);
        if left.is_empty() {
            break;
        }
        for node in 0..nodes {
            let edge = best[node];
            if edge != u32::MAX {
                let [u, v] = edges[edge as usize];
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

    fn free() -> Budget<'static> {
        Budget::unlimited()
    }

    const NAMES: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

    fn edge(name: &str) -> [u32; 2] {
        let ends: Vec<u32> = name.chars().map(|c| NAMES.iter().position(|&n| n == c).unwrap() as u32).collect();
        [ends[0], ends[1]]
    }

    /// The worked example of the source document, with the representatives it shows after each step. After its last step
    /// the document links F to D, which is no representative, against its own advice; ours links to E, the representative.
    #[test]
    fn the_worked_example() {
        let list = [("EC", 15), ("CD", 25), ("AB", 30), ("BE", 35), ("BC", 40), ("FD", 50), ("AE", 50), ("BF", 50)];
        let edges: Vec<[u32; 2]> = list.iter().map(|(name, _)| edge(name)).collect();
        let weights: Vec<i32> = list.iter().map(|&(_, weight)| weight).collect();
        let steps = kruskal_steps(6, &edges, &weights, Strategy::Size, true, &mut free()).unwrap();
        assert_eq!(steps.edge, [0, 1, 2, 3, 4, 5]);
        assert_eq!(steps.accepted, [true, true, true, true, false, true]);
        let maps: Vec<String> =
            steps.parents.chunks(6).map(|row| row.iter().map(|&p| NAMES[p as usize]).collect()).collect();
        assert_eq!(maps, ["ABEDEF", "ABEEEF", "AAEEEF", "EAEEEF", "EAEEEF", "EAEEEE"]);
        assert_eq!(kruskal(6, &edges, &weights, &mut free()).unwrap(), [0, 1, 2, 3, 5]);
        assert_eq!(prim(6, &edges, &weights, 0, &mut free()).unwrap(), [2, 3, 0, 1, 5]);
        assert_eq!(boruvka(6, &edges, &weights, &mut free()).unwrap(), (vec![2, 0, 1, 5, 3], vec![0, 0, 0, 0, 1]));
    }

    /// Joins everything in the order of the list, by relabelling.
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
            assert_eq!(kruskal(nodes, &edges, &weights, &mut free()).unwrap(), expected, "seed {seed}");
            let steps = kruskal_steps(nodes, &edges, &weights, Strategy::Naive, false, &mut free()).unwrap();
            let accepted: Vec<u32> =
                steps.edge.iter().zip(&steps.accepted).filter(|(_, a)| **a).map(|(e, _)| *e).collect();
            assert_eq!(accepted, expected, "seed {seed}");
            let sorted = |mut list: Vec<u32>| {
                list.sort_unstable();
                list
            };
            let expected = sorted(expected);
            let (taken, rounds) = boruvka(nodes, &edges, &weights, &mut free()).unwrap();
            assert!(rounds.is_sorted());
            assert_eq!(sorted(taken), expected, "seed {seed}");
            assert_eq!(
                sorted(prim(nodes, &edges, &weights, rng.index(nodes), &mut free()).unwrap()),
                expected,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(edges(2, &[0, 1, 1, 2]).unwrap_err().reason(), "edge 1 is (1, 2), wanted nodes from 0 to 1");
        assert_eq!(weights(&[[0, 1]], &[1, 2]).unwrap_err().reason(), "2 weights for 1 edges, wanted one an edge");
        assert_eq!(weights(&[[0, 1]], &[f64::NAN]).unwrap_err().reason(), "weight nan at index 0, wanted a number");
        assert_eq!(prim::<i32>(0, &[], &[], 0, &mut free()).unwrap(), Vec::<u32>::new());
    }

    #[test]
    fn a_budget_ends_it() {
        let edges: Vec<[u32; 2]> = (1..500).map(|node| [node - 1, node]).collect();
        let list: Vec<u32> = (1..500).collect();
        let few = || Budget::new("edges", Some(100), None);
        let stop = Error::spent(100, "edges");
        assert_eq!(kruskal(500, &edges, &list, &mut few()).unwrap_err(), stop);
        assert_eq!(prim(500, &edges, &list, 0, &mut few()).unwrap_err(), stop);
        assert_eq!(boruvka(500, &edges, &list, &mut few()).unwrap_err(), stop);
        assert_eq!(kruskal_steps(500, &edges, &list, Strategy::Size, false, &mut few()).unwrap_err(), stop);
    }
}
