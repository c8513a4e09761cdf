//! Union-find, with four strategies for keeping its trees shallow.

use crate::core::{Budget, Error, memory, pieces};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const SETS: &str = "a union-find of this size";

/// The number of nodes between two pauses of the budget.
const PAUSE: usize = 1 << 15;

/// How a [`UnionFind`] keeps its trees shallow, which makes `find` fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Does nothing to keep the trees shallow: `union` links the second representative to the first, and `find` changes
    /// no links.
    Naive,
    /// `find` links each node on its path directly to the representative; `union` links as in [`Strategy::Naive`].
    Compression,
    /// `union` links the representative of the smaller set to that of the larger set; if the sets have equal sizes, it
    /// links the second representative to the first.
    Size,
    /// [`Strategy::Compression`] and [`Strategy::Size`] together.
    #[default]
    Both,
}

impl Strategy {
    /// All strategies with their names.
    pub const ALL: [(&'static str, Self); 4] =
        [("naive", Self::Naive), ("compression", Self::Compression), ("size", Self::Size), ("both", Self::Both)];
}

/// A partition of the nodes `0..n` into sets, each identified by a representative.
///
/// Invariant: following `parent` from any node ends at a node that is its own parent, the representative of the set.
/// The `size` of a representative is the number of nodes of its set.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The number of sets.
    components: usize,
    strategy: Strategy,
    /// The number of links that `find` has followed.
    follows: u64,
}

impl UnionFind {
    /// Creates `n` sets of one node each. `n` must be less than 2^32.
    pub fn new(n: usize, strategy: Strategy) -> Self {
        Self { parent: (0..n as u32).collect(), size: vec![1; n], components: n, strategy, follows: 0 }
    }

    /// Creates `n` sets of one node each; unlike [`UnionFind::new`], `try_new` returns an error if an allocation fails.
    /// `n` must be less than 2^32.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if there is too little memory, and [`Error::Interrupted`] if the watcher of the budget
    /// ends the call.
    pub fn try_new(n: usize, strategy: Strategy, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let parent = memory::watched(n, |node| node as u32, SETS, budget)?;
        let size = memory::filled_watched(1, n, SETS, budget)?;
        Ok(Self { parent, size, components: n, strategy, follows: 0 })
    }

    /// Creates a union-find from `parent` (the link of each node, as returned by [`UnionFind::parents`]), `strategy`,
    /// and `follows` (the number of links that `find` has followed).
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a link does not point to a node or the links form a cycle, and the errors of
    /// [`UnionFind::try_new`].
    pub fn from_parents(
        parent: Vec<u32>,
        strategy: Strategy,
        follows: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let n = parent.len();
        // Visits the nodes from the leaves to the representatives: a node is ready once all nodes linked to it have
        // been visited, which never happens on a cycle.
        let mut children = memory::filled_watched(0u32, n, SETS, budget)?;
        let mut size = memory::filled_watched(1u32, n, SETS, budget)?;
        for piece in pieces(n) {
            budget.pause()?;
            for node in piece {
                let up = Self::check_parent(parent[node].into(), node, n)? as usize;
                children[up] += u32::from(up != node);
            }
        }
        let mut ready: Vec<u32> = memory::with_capacity(n, SETS)?;
        for piece in pieces(n) {
            budget.pause()?;
            ready.extend(piece.filter(|&node| children[node] == 0).map(|node| node as u32));
        }
        let (mut at, mut components) = (0, 0);
        while let Some(&node) = ready.get(at) {
            if at % PAUSE == 0 {
                budget.pause()?;
            }
            at += 1;
            let up = parent[node as usize];
            if up == node {
                components += 1;
                continue;
            }
            size[up as usize] += size[node as usize];
            children[up as usize] -= 1;
            if children[up as usize] == 0 {
                ready.push(up);
            }
        }
        if at < n {
            return Err(Error::invalid("parents must lead to a representative, got a cycle"));
        }
        Ok(Self { parent, size, components, strategy, follows })
    }

    /// Returns `parent`, the link of `node`, if it points to one of `n` nodes.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if it does not.
    pub(crate) fn check_parent(parent: i64, node: usize, n: usize) -> Result<u32, Error> {
        match u32::try_from(parent) {
            Ok(link) if (link as usize) < n => Ok(link),
            _ => Err(Error::Invalid(format!(
                "parents must be between 0 and {}, got {parent} at index {node}",
                n as i64 - 1
            ))),
        }
    }

    /// Copies the union-find within a budget.
    ///
    /// # Errors
    /// Returns the errors of [`UnionFind::try_new`].
    pub fn copied(&self, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let parent = self.parents_copied(budget)?;
        let size = memory::watched(self.len(), |node| self.size[node], SETS, budget)?;
        Ok(Self { parent, size, ..*self })
    }

    /// Copies [`UnionFind::parents`] within a budget.
    ///
    /// # Errors
    /// Returns the errors of [`UnionFind::try_new`].
    pub fn parents_copied(&self, budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
        memory::watched(self.len(), |node| self.parent[node], SETS, budget)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Returns `true` if there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Returns the number of sets.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Returns the link of each node; a representative links to itself.
    pub fn parents(&self) -> &[u32] {
        &self.parent
    }

    /// Returns how many links `find` has followed so far, a measure of work by which the strategies can be compared.
    pub fn follows(&self) -> u64 {
        self.follows
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// Returns the representative of a node's set.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn find(&mut self, node: usize) -> usize {
        let mut root = node;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
            self.follows = self.follows.wrapping_add(1);
        }
        if matches!(self.strategy, Strategy::Compression | Strategy::Both) {
            let mut at = node;
            while self.parent[at] as usize != root {
                at = std::mem::replace(&mut self.parent[at], root as u32) as usize;
            }
        }
        root
    }

    /// Joins the sets of two nodes, and returns `true`; returns `false` if the nodes are already in the same set.
    ///
    /// # Panics
    /// If `u` or `v` is not a node.
    pub fn union(&mut self, u: usize, v: usize) -> bool {
        let (a, b) = (self.find(u), self.find(v));
        if a == b {
            return false;
        }
        self.link(a, b);
        true
    }

    /// Joins the sets of the representatives `a` and `b`, which must differ.
    pub(crate) fn link(&mut self, a: usize, b: usize) {
        let by_size = matches!(self.strategy, Strategy::Size | Strategy::Both);
        let (top, low) = if by_size && self.size[a] < self.size[b] { (b, a) } else { (a, b) };
        self.parent[low] = top as u32;
        self.size[top] += self.size[low];
        self.components -= 1;
    }

    /// Returns `true` if two nodes are in the same set.
    ///
    /// # Panics
    /// If `u` or `v` is not a node.
    pub fn connected(&mut self, u: usize, v: usize) -> bool {
        self.find(u) == self.find(v)
    }
}

/// A small union-find for the fast algorithms: it links by index, halves paths, and keeps no counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    parent: Vec<u32>,
}

impl Forest {
    /// Creates `n` sets of one node each.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if there is too little memory, and [`Error::Interrupted`] if the watcher of the budget
    /// ends the call.
    pub(crate) fn try_new(n: usize, budget: &mut Budget<'_>) -> Result<Self, Error> {
        Ok(Self { parent: memory::watched(n, |node| node as u32, SETS, budget)? })
    }

    /// Starts again with `n` sets of one node each.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if there is too little memory.
    pub(crate) fn reset(&mut self, n: usize) -> Result<(), Error> {
        self.parent.clear();
        self.parent.try_reserve(n).map_err(|_| Error::memory(SETS))?;
        self.parent.extend(0..n as u32);
        Ok(())
    }

    /// Returns the representative of a node's set.
    #[inline]
    pub(crate) fn find(&mut self, node: u32) -> u32 {
        let mut at = node;
        loop {
            let up = self.parent[at as usize];
            if up == at {
                return at;
            }
            let top = self.parent[up as usize];
            // Path halving: every second node on the way links to its grandparent.
            self.parent[at as usize] = top;
            at = top;
        }
    }

    /// Reads the links of nodes that are about to be joined, to bring them into the cache. The reads do not depend on
    /// each other, so their cache misses overlap.
    #[inline]
    pub(crate) fn prepare(&self, pairs: &[[u32; 2]]) {
        let touch = |sum, node: &u32| sum ^ self.parent[*node as usize];
        std::hint::black_box(pairs.as_flattened().iter().fold(0, touch));
    }

    /// Joins the sets of two nodes, and returns `true`; returns `false` if the nodes are already in the same set.
    ///
    /// The larger representative links to the smaller one: for edges in random order, this is about as good as union by
    /// size, and it needs no second array.
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
    fn the_count_of_followed_links_wraps() {
        let mut budget = Budget::unlimited();
        let mut sets = UnionFind::from_parents(vec![0, 0, 1], Strategy::Naive, u64::MAX - 1, &mut budget).unwrap();
        assert_eq!((sets.find(2), sets.follows()), (0, 0));
    }

    #[test]
    fn sets_are_rebuilt_from_their_links() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut sets = UnionFind::new(40, Strategy::Size);
            for _ in 0..30 {
                sets.union(rng.index(40), rng.index(40));
            }
            let again = UnionFind::from_parents(
                sets.parents().to_vec(),
                sets.strategy(),
                sets.follows(),
                &mut Budget::unlimited(),
            )
            .unwrap();
            assert_eq!((again.components(), again.parents()), (sets.components(), sets.parents()));
            // Only the sizes of representatives are kept up to date.
            for node in (0..40).filter(|&node| sets.parents()[node] as usize == node) {
                assert_eq!(again.size[node], sets.size[node]);
            }
        }
        let refused = |parents: &[u32]| {
            UnionFind::from_parents(parents.to_vec(), Strategy::Both, 0, &mut Budget::unlimited()).unwrap_err()
        };
        assert_eq!(refused(&[0, 2, 1]).reason(), "parents must lead to a representative, got a cycle");
        assert_eq!(refused(&[0, 3]).reason(), "parents must be between 0 and 1, got 3 at index 1");
    }

    #[test]
    fn all_strategies_make_the_same_partition() {
        for seed in 0..20 {
            let n = 60;
            let mut label: Vec<usize> = (0..n).collect();
            let mut finds = Strategy::ALL.map(|(_, strategy)| UnionFind::new(n, strategy));
            let mut forest = Forest::default();
            forest.reset(n).unwrap();
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
    #[cfg(target_pointer_width = "64")]
    #[should_panic(expected = "index out of bounds")]
    fn a_node_beyond_32_bits_is_out_of_bounds() {
        UnionFind::new(1, Strategy::Naive).find(1 << 32);
    }

    #[test]
    fn strategies_differ_in_the_number_of_links_they_follow() {
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
