//! Filter-Kruskal for one thread, with which `benches/limits.rs` compares Kruskal's algorithm on a given list of edges.
//! Written from the description in V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree
//! Algorithm, ALENEX 2009.
//!
//! Edges are partitioned by a pivot as in quicksort. The light edges are processed first. Then every heavy edge whose
//! ends are already in the same component is dropped; on dense graphs, nearly all heavy edges are dropped.

/// An edge with its index in the given list.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    weight: f64,
    ends: [u32; 2],
    index: u32,
}

/// Parts of at most this many edges are sorted instead of partitioned. Of the powers of two from 2^8 to 2^16, this one
/// was the fastest on the development machine.
const SORTED: usize = 1 << 12;

struct Forest {
    parent: Vec<u32>,
    taken: Vec<u32>,
}

impl Forest {
    /// Returns the root of a node's component and halves the path from the node to the root.
    fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    fn is_complete(&self) -> bool {
        self.taken.len() + 1 >= self.parent.len()
    }

    fn kruskal(&mut self, edges: &mut [Edge]) {
        edges.sort_unstable_by(|a, b| a.weight.total_cmp(&b.weight));
        for edge in edges {
            let [u, v] = edge.ends.map(|node| self.find(node));
            if u != v {
                // The root with the smaller index becomes the root of both components, which is as fast as union by
                // rank if the nodes are in no particular order.
                self.parent[u.max(v) as usize] = u.min(v);
                self.taken.push(edge.index);
            }
        }
    }

    fn filter_kruskal(&mut self, edges: &mut [Edge]) {
        if self.is_complete() {
            return;
        }
        if edges.len() <= SORTED {
            return self.kruskal(edges);
        }
        // The pivot is the median of a sample of about sqrt(n) edges.
        let step = (edges.len() as f64).sqrt() as usize;
        let mut sample: Vec<f64> = edges.iter().step_by(step).map(|edge| edge.weight).collect();
        let middle = sample.len() / 2;
        let pivot = *sample.select_nth_unstable_by(middle, f64::total_cmp).1;
        let light = partition(edges, |edge| edge.weight <= pivot);
        // If no edge is heavier than the pivot, for example because all weights are equal, partitioning would not end.
        if light == edges.len() {
            return self.kruskal(edges);
        }
        let (light, heavy) = edges.split_at_mut(light);
        self.filter_kruskal(light);
        let kept = partition(heavy, |edge| self.find(edge.ends[0]) != self.find(edge.ends[1]));
        self.filter_kruskal(&mut heavy[..kept]);
    }
}

/// Moves the edges that pass the test to the front and returns the number of these edges. Every edge is swapped, and
/// only the count depends on the test, so that there is no branch for the processor to mispredict.
fn partition(edges: &mut [Edge], mut passes: impl FnMut(&Edge) -> bool) -> usize {
    let mut count = 0;
    for i in 0..edges.len() {
        let edge = edges[i];
        let pass = passes(&edge);
        edges[i] = edges[count];
        edges[count] = edge;
        count += usize::from(pass);
    }
    count
}

/// Returns the indices of the edges of the minimum spanning forest, in the order in which they are taken.
pub(crate) fn filter_kruskal(nodes: usize, edges: &[[u32; 2]], weights: &[f64]) -> Vec<u32> {
    let mut list: Vec<Edge> =
        (0..).zip(edges.iter().zip(weights)).map(|(index, (&ends, &weight))| Edge { weight, ends, index }).collect();
    let mut forest = Forest { parent: (0..nodes as u32).collect(), taken: Vec::with_capacity(nodes) };
    forest.filter_kruskal(&mut list);
    forest.taken
}
