//! Breadth-first and depth-first search, which record the path back to the source, and the diameter of a graph.

use crate::core::{Budget, Error, memory, pieces};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const GRAPH: &str = "a graph of this size";

/// The value that stands for a missing node, edge or depth.
pub const NONE: u32 = u32::MAX;

/// The largest number of edges whose links, two per edge, have indices of 32 bits.
const MAX_EDGES: usize = i32::MAX as usize;

/// The neighbors of every node in one array (compressed sparse rows).
#[derive(Clone, Debug)]
pub struct Neighbors {
    /// The links of node `u` are `links[first[u]..first[u + 1]]`, in the order of their edges.
    first: Vec<u32>,
    /// Each link is a neighbor and the index of the edge to that neighbor.
    links: Vec<(u32, u32)>,
}

impl Neighbors {
    /// Packs an undirected edge list whose nodes are `0..nodes`; an edge from a node to itself is listed twice among
    /// the neighbors of that node.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for 2^31 edges or more, [`Error::Interrupted`] if the watcher of the budget ends the
    /// call, and [`Error::Memory`] if the graph is too large.
    pub fn new(nodes: usize, edges: &[[u32; 2]], budget: &mut Budget<'_>) -> Result<Self, Error> {
        if edges.len() > MAX_EDGES {
            return Err(Error::Invalid(format!("edges must hold at most {MAX_EDGES} edges, got {}", edges.len())));
        }
        // One array is enough: the links of node `u` are counted in `first[u + 2]`, so that after summing up they begin
        // at index `first[u + 1]`. Placing a link advances this index: after the last link it is where the links of `u`
        // end and those of node `u + 1` begin.
        let mut first = memory::filled_watched(0u32, nodes + 2, GRAPH, budget)?;
        for piece in pieces(edges.len()) {
            budget.pause()?;
            for &[u, v] in &edges[piece] {
                first[u as usize + 2] += 1;
                first[v as usize + 2] += 1;
            }
        }
        for piece in pieces(nodes) {
            budget.pause()?;
            for node in piece {
                first[node + 2] += first[node + 1];
            }
        }
        let mut links = memory::filled_watched((0, 0), edges.len() * 2, GRAPH, budget)?;
        for piece in pieces(edges.len()) {
            budget.pause()?;
            for edge in piece {
                let [u, v] = edges[edge];
                for (from, to) in [(u, v), (v, u)] {
                    let place = &mut first[from as usize + 1];
                    links[*place as usize] = (to, edge as u32);
                    *place += 1;
                }
            }
        }
        first.pop();
        Ok(Self { first, links })
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// Returns the neighbors of a node, each with the index of the edge to it.
    #[inline]
    pub fn of(&self, node: usize) -> &[(u32, u32)] {
        &self.links[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Visits the neighbors of a node, each with the index of the edge to it.
    #[inline]
    pub fn each(&self, node: usize, mut visit: impl FnMut(u32, u32)) {
        for &(other, edge) in self.of(node) {
            visit(other, edge);
        }
    }
}

/// The result of a search from one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The nodes that were reached, in the order in which they were taken from the worklist (queue or stack).
    pub order: Vec<u32>,
    /// For each node, the node from which it was reached; [`NONE`] for the source and for nodes not reached.
    pub parent: Vec<u32>,
    /// For each node, the edge by which it was reached (`cameFromEdge` in the source document); [`NONE`] for the source
    /// and for nodes not reached.
    pub came_from: Vec<u32>,
    /// For each node, the number of edges from the source along the parents; [`NONE`] for nodes not reached.
    pub depth: Vec<u32>,
}

impl Search {
    fn new(nodes: usize, budget: &mut Budget<'_>) -> Result<Self, Error> {
        Ok(Self {
            order: memory::with_capacity(nodes, GRAPH)?,
            parent: memory::filled_watched(NONE, nodes, GRAPH, budget)?,
            came_from: memory::filled_watched(NONE, nodes, GRAPH, budget)?,
            depth: memory::filled_watched(NONE, nodes, GRAPH, budget)?,
        })
    }
}

/// Searches breadth-first from `source`, which must be a node: the worklist is a queue, and depths are distances. Needs
/// O(n + m) time for `n` nodes and `m` edges.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts nodes, ends the search, and
/// [`Error::Memory`] if the graph is too large.
pub fn bfs(neighbors: &Neighbors, source: usize, budget: &mut Budget<'_>) -> Result<Search, Error> {
    let mut found = Search::new(neighbors.nodes(), budget)?;
    found.depth[source] = 0;
    // `order` is also the queue: nodes are taken from a queue in the order in which they were added.
    found.order.push(source as u32);
    let mut at = 0;
    while let Some(&node) = found.order.get(at) {
        budget.spend(1)?;
        at += 1;
        for &(other, edge) in neighbors.of(node as usize) {
            if found.depth[other as usize] == NONE {
                found.depth[other as usize] = found.depth[node as usize] + 1;
                found.parent[other as usize] = node;
                found.came_from[other as usize] = edge;
                found.order.push(other);
            }
        }
    }
    Ok(found)
}

/// Searches depth-first from `source`, which must be a node: the worklist is a stack. A node counts as reached when it
/// is taken from the stack, and neighbors are visited in the order of their edges. Needs O(n + m) time for `n` nodes
/// and `m` edges.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts nodes taken from the stack, ends the
/// search, and [`Error::Memory`] if the graph is too large.
pub fn dfs(neighbors: &Neighbors, source: usize, budget: &mut Budget<'_>) -> Result<Search, Error> {
    let mut found = Search::new(neighbors.nodes(), budget)?;
    let mut stack = vec![(source as u32, NONE, NONE)];
    while let Some((node, parent, edge)) = stack.pop() {
        budget.spend(1)?;
        let n = node as usize;
        if found.depth[n] != NONE {
            continue;
        }
        found.depth[n] = if parent == NONE { 0 } else { found.depth[parent as usize] + 1 };
        found.parent[n] = parent;
        found.came_from[n] = edge;
        found.order.push(node);
        // Pushed in reverse: the last node pushed, which is taken first, is then the neighbor across the first edge.
        let links = neighbors.of(n);
        memory::room(&mut stack, links.len(), GRAPH)?;
        let ahead = links.iter().rev().filter(|(other, _)| found.depth[*other as usize] == NONE);
        stack.extend(ahead.map(|&(other, edge)| (other, node, edge)));
    }
    Ok(found)
}

/// Follows `parent`, which has the form of [`Search::parent`], back from `target` and returns the nodes on the path
/// from `source` to `target`, both included. Returns `None` if the search did not reach the target, or if the parents
/// lead into a cycle.
pub fn path(parent: &[u32], source: usize, target: usize) -> Option<Vec<u32>> {
    let mut nodes = vec![target as u32];
    let mut at = target;
    while at != source {
        at = *parent.get(at).filter(|&&up| up != NONE)? as usize;
        // A path visits no node twice: if it has more nodes than the graph, the parents form a cycle.
        if nodes.len() > parent.len() {
            return None;
        }
        nodes.push(at as u32);
    }
    nodes.reverse();
    Some(nodes)
}

/// Searches breadth-first without recording parents, which a diameter does not need. Fills `depth`, and fills `queue`
/// with the nodes that were reached, in order.
fn sweep(
    neighbors: &Neighbors,
    source: u32,
    depth: &mut [u32],
    queue: &mut Vec<u32>,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    depth.fill(NONE);
    queue.clear();
    queue.push(source);
    depth[source as usize] = 0;
    let mut at = 0;
    while at < queue.len() {
        budget.spend(1)?;
        let node = queue[at] as usize;
        at += 1;
        let next = depth[node] + 1;
        for &(other, _) in neighbors.of(node) {
            if depth[other as usize] == NONE {
                depth[other as usize] = next;
                queue.push(other);
            }
        }
    }
    Ok(())
}

/// A node of a tree whose leaves are removed one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct PeelNode {
    /// The xor of the indices of the neighbors that are left. For a leaf, the xor is the index of its only neighbor, so
    /// no list of neighbors is needed.
    others: u32,
    /// The number of neighbors that are left.
    degree: u32,
    /// The length in edges of the longest path from the node into the part that has been removed.
    far: u32,
    /// Pads the node to 16 bytes, so that no node lies across two cache lines.
    _rest: u32,
}

/// Returns the diameter of a tree by removing leaf after leaf, without packing the neighbors; `None` if the edges do
/// not form a tree.
fn peel(nodes: usize, edges: &[[u32; 2]], budget: &mut Budget<'_>) -> Result<Option<u32>, Error> {
    if edges.len() + 1 != nodes {
        return Ok(None);
    }
    let mut peeled = memory::filled_watched(PeelNode::default(), nodes, GRAPH, budget)?;
    for piece in pieces(edges.len()) {
        budget.pause()?;
        for &[u, v] in &edges[piece] {
            for (from, to) in [(u, v), (v, u)] {
                let node = &mut peeled[from as usize];
                node.others ^= to;
                node.degree += 1;
            }
        }
    }
    let (mut longest, mut removed) = (0, 0);
    for start in 0..nodes {
        budget.spend(1)?;
        let mut node = start;
        // If removing a leaf makes its neighbor a leaf, the neighbor is removed next: the outer loop may already have
        // passed it.
        while peeled[node].degree == 1 {
            let PeelNode { others, far, .. } = peeled[node];
            peeled[node].degree = 0;
            let other = &mut peeled[others as usize];
            other.degree -= 1;
            other.others ^= node as u32;
            // Joins the longest removed path that ends at this leaf to the longest removed path found so far that ends
            // at its neighbor.
            longest = longest.max(other.far + far + 1);
            other.far = other.far.max(far + 1);
            removed += 1;
            node = others as usize;
        }
    }
    // No node of a cycle ever becomes a leaf, and n - 1 edges without a cycle form a tree.
    Ok((removed + 1 == nodes).then_some(longest))
}

/// Returns the diameter of a graph, in edges, by two breadth-first searches: the first from node 0, the second from the
/// last node that the first reaches. The result is the largest depth of the second search: exact on trees, and a lower
/// bound on graphs with cycles.
///
/// If the graph is a tree, its leaves are removed one after the other instead, which is faster and returns the same
/// number. `edges` holds pairs of nodes from 0 to `nodes - 1`.
///
/// # Errors
/// Returns [`Error::Invalid`] if there are no nodes, the graph is not connected, or it has a cycle and 2^31 edges or
/// more; [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts nodes, ends the call; and
/// [`Error::Memory`] if the graph is too large.
pub fn diameter(nodes: usize, edges: &[[u32; 2]], budget: &mut Budget<'_>) -> Result<u32, Error> {
    match peel(nodes, edges, budget)? {
        Some(longest) => Ok(longest),
        None => double_search(&Neighbors::new(nodes, edges, budget)?, budget),
    }
}

/// Returns the length that a double breadth-first search from node 0 finds, as [`diameter`] describes it.
fn double_search(neighbors: &Neighbors, budget: &mut Budget<'_>) -> Result<u32, Error> {
    let nodes = neighbors.nodes();
    if nodes == 0 {
        return Err(Error::invalid("nodes must be at least 1, got 0"));
    }
    let (mut depth, mut queue) =
        (memory::filled_watched(NONE, nodes, GRAPH, budget)?, memory::with_capacity(nodes, GRAPH)?);
    sweep(neighbors, 0, &mut depth, &mut queue, budget)?;
    if queue.len() < nodes {
        return Err(Error::Invalid(format!(
            "edges must connect all {nodes} nodes, got only {} connected with node 0",
            queue.len()
        )));
    }
    let last = queue[nodes - 1];
    sweep(neighbors, last, &mut depth, &mut queue, budget)?;
    Ok(depth[queue[nodes - 1] as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::graph::Lattice;

    fn unlimited() -> Budget<'static> {
        Budget::unlimited()
    }

    fn neighbors(nodes: usize, edges: &[[u32; 2]]) -> Neighbors {
        Neighbors::new(nodes, edges, &mut unlimited()).unwrap()
    }

    fn diameter(nodes: usize, edges: &[[u32; 2]]) -> Result<u32, Error> {
        super::diameter(nodes, edges, &mut unlimited())
    }

    #[test]
    fn searches_agree_with_floyd_warshall() {
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.index(15);
            let m = rng.index(24);
            let edges: Vec<[u32; 2]> = (0..m).map(|_| [rng.index(n) as u32, rng.index(n) as u32]).collect();
            let neighbors = neighbors(n, &edges);
            // All distances by the Floyd-Warshall algorithm.
            let mut far = vec![vec![1000u32; n]; n];
            (0..n).for_each(|u| far[u][u] = 0);
            for &[u, v] in &edges {
                if u != v {
                    far[u as usize][v as usize] = 1;
                    far[v as usize][u as usize] = 1;
                }
            }
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        far[i][j] = far[i][j].min(far[i][k] + far[k][j]);
                    }
                }
            }
            for source in 0..n {
                for (search, shortest) in [
                    (bfs(&neighbors, source, &mut unlimited()), true),
                    (dfs(&neighbors, source, &mut unlimited()), false),
                ] {
                    let search = search.unwrap();
                    assert_eq!(search.order[0] as usize, source);
                    for t in 0..n {
                        let found = path(&search.parent, source, t);
                        assert_eq!(found.is_some(), far[source][t] < 1000, "seed {seed}");
                        let Some(found) = found else {
                            assert_eq!((search.depth[t], search.came_from[t]), (NONE, NONE));
                            continue;
                        };
                        assert_eq!(search.depth[t] as usize + 1, found.len());
                        assert!(!shortest || search.depth[t] == far[source][t], "seed {seed}");
                        for pair in found.windows(2) {
                            let edge = edges[search.came_from[pair[1] as usize] as usize];
                            assert!(edge == [pair[0], pair[1]] || edge == [pair[1], pair[0]]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn dfs_visits_along_paths_and_bfs_visits_by_distance() {
        let neighbors = neighbors(9, &Lattice::square(3, 3).edges());
        assert_eq!(dfs(&neighbors, 0, &mut unlimited()).unwrap().order, [0, 1, 2, 5, 4, 3, 6, 7, 8]);
        assert_eq!(bfs(&neighbors, 0, &mut unlimited()).unwrap().order, [0, 1, 3, 2, 4, 6, 5, 7, 8]);
    }

    #[test]
    fn diameters_of_paths_and_stars_are_exact() {
        let path: Vec<[u32; 2]> = [[2, 3], [0, 2], [3, 1], [1, 4]].to_vec();
        assert_eq!(diameter(5, &path), Ok(4));
        let star: Vec<[u32; 2]> = (1..7).map(|leaf| [0, leaf]).collect();
        assert_eq!(diameter(7, &star), Ok(2));
        assert_eq!(diameter(1, &[]), Ok(0));
        assert!(diameter(2, &[]).unwrap_err().reason().contains("all 2 nodes"));
        assert!(diameter(0, &[]).is_err());
    }

    #[test]
    fn peeling_agrees_with_double_search() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.index(40);
            let pick = |rng: &mut Rng, most: usize| rng.index(most) as u32;
            let mut tree: Vec<[u32; 2]> = (1..n).map(|node| [node as u32, pick(&mut rng, node)]).collect();
            rng.shuffle(&mut tree);
            let expected = double_search(&neighbors(n, &tree), &mut unlimited());
            assert_eq!(peel(n, &tree, &mut unlimited()).unwrap(), expected.clone().ok(), "seed {seed}");
            // As many edges as a tree has, but possibly with loops, double edges or a disconnected part.
            let edges: Vec<[u32; 2]> = (1..n).map(|_| [pick(&mut rng, n), pick(&mut rng, n)]).collect();
            let expected = double_search(&neighbors(n, &edges), &mut unlimited());
            assert_eq!(diameter(n, &edges), expected, "seed {seed}");
            assert!(expected.is_ok() || peel(n, &edges, &mut unlimited()).unwrap().is_none(), "seed {seed}");
        }
    }
}
