//! Union-find with the strategies that a lecture compares.

/// How a [`UnionFind`] keeps its trees low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Not at all: the second representative is linked to the first.
    Naive,
    /// `find` links every node on its way straight to the representative.
    Compression,
    /// `union` links the representative of the smaller set to that of the larger; of equals, the second to the first.
    Size,
    /// Both.
    #[default]
    Both,
}

impl Strategy {
    /// All of them with their names.
    pub const ALL: [(&'static str, Self); 4] =
        [("naive", Self::Naive), ("compression", Self::Compression), ("size", Self::Size), ("both", Self::Both)];
}

/// A partition of the nodes `0..n` into sets, each named by a representative.
///
/// Invariant: following `parent` from any node ends at a node that is its own parent, the representative of its set, and
/// `size` of a representative is the number of nodes of its set.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
    components: usize,
    strategy: Strategy,
    follows: u64,
}

impl UnionFind {
    /// Puts each of `n` nodes into a set of its own.
    pub fn new(n: usize, strategy: Strategy) -> Self {
        Self { parent: (0..n as u32).collect(), size: vec![1; n], components: n, strategy, follows: 0 }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Number of sets.
    pub fn components(&self) -> usize {
        self.components
    }

    /// The link of each node; a representative links to itself.
    pub fn parents(&self) -> &[u32] {
        &self.parent
    }

    /// How many links `find` has followed so far: what the strategies differ in.
    pub fn follows(&self) -> u64 {
        self.follows
    }

    /// How the sets are kept low.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Gives the representative of a node's set.
    pub fn find(&mut self, node: usize) -> usize {
        let mut root = node as u32;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
            self.follows += 1;
        }
        if matches!(self.strategy, Strategy::Compression | Strategy::Both) {
            let mut at = node;
            while self.parent[at] != root {
                at = std::mem::replace(&mut self.parent[at], root) as usize;
            }
        }
        root as usize
    }

    /// Joins the sets of two nodes; says no where they are one set already.
    pub fn union(&mut self, u: usize, v: usize) -> bool {
        let (a, b) = (self.find(u), self.find(v));
        if a == b {
            return false;
        }
        self.link(a, b);
        true
    }

    /// Joins the sets of two different representatives.
    pub(crate) fn link(&mut self, a: usize, b: usize) {
        let by_size = matches!(self.strategy, Strategy::Size | Strategy::Both);
        let (top, low) = if by_size && self.size[a] < self.size[b] { (b, a) } else { (a, b) };
        self.parent[low] = top as u32;
        self.size[top] += self.size[low];
        self.components -= 1;
    }

    /// Whether two nodes are in one set.
    pub fn connected(&mut self, u: usize, v: usize) -> bool {
        self.find(u) == self.find(v)
    }
}

/// A bare union-find for the fast paths: links by index, halves paths, counts nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    parent: Vec<u32>,
}

impl Forest {
    /// Starts anew with `n` nodes, each alone.
    pub(crate) fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n as u32);
    }

    /// Gives the representative of a node's set.
    #[inline]
    pub(crate) fn find(&mut self, node: u32) -> u32 {
        let mut at = node;
        loop {
            let up = self.parent[at as usize];
            if up == at {
                return at;
            }
            let top = self.parent[up as usize];
            self.parent[at as usize] = top;
            at = top;
        }
    }

    /// Joins the sets of two nodes; says no where they are one set already. Links towards smaller indices, which on
    /// random orders is as good as by size and needs no second array.
    #[inline]
    pub(crate) fn union(&mut self, u: u32, v: u32) -> bool {
        let (a, b) = (self.find(u), self.find(v));
        if a == b {
            return false;
        }
        let (top, low) = if a < b { (a, b) } else { (b, a) };
        self.parent[low as usize] = top;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn all_strategies_give_the_same_partition() {
        for seed in 0..20 {
            let n = 60;
            let mut label: Vec<usize> = (0..n).collect();
            let mut finds = Strategy::ALL.map(|(_, strategy)| UnionFind::new(n, strategy));
            let mut forest = Forest::default();
            forest.reset(n);
            let mut rng = Rng::new(seed);
            for _ in 0..80 {
                let (u, v) = (rng.index(n), rng.index(n));
                let (from, to) = (label[v], label[u]);
                for find in &mut finds {
                    assert_eq!(find.union(u, v), from != to, "seed {seed}");
                }
                assert_eq!(forest.union(u as u32, v as u32), from != to, "seed {seed}");
                label.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
                let sets = label.iter().collect::<std::collections::HashSet<_>>().len();
                let (a, b) = (rng.index(n), rng.index(n));
                for find in &mut finds {
                    assert_eq!(find.components(), sets);
                    assert_eq!(find.connected(a, b), label[a] == label[b], "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn strategies_differ_in_the_links_they_follow() {
        let n = 2000;
        let follows = Strategy::ALL.map(|(_, strategy)| {
            let mut find = UnionFind::new(n, strategy);
            for v in (1..n).rev() {
                find.union(v - 1, v);
            }
            for _ in 0..3 {
                for v in 0..n {
                    find.find(v);
                }
            }
            find.follows()
        });
        let [naive, compression, size, both] = follows;
        assert!(naive > 100 * compression && compression > size / 2 && both <= size, "{follows:?}");
    }
}
