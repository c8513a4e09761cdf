//! The graph lab in Python: union-find, spanning trees, searches. What users call stands in `gridwright.graph`.

#![allow(clippy::needless_pass_by_value)] // arrays as Python hands them over

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::array::{self, Number};
use super::long::long;
use crate::core::{Budget, Error, MAX_CELLS};
use crate::graph::order::Weight;
use crate::graph::random::{self, Method};
use crate::graph::search::{self, NONE, Neighbors};
use crate::graph::span::{self, KruskalSteps};
use crate::graph::{Lattice, Strategy, UnionFind, Weights};

type Column<'py, T> = Bound<'py, PyArray1<T>>;

/// The most nodes of a graph here: numbers of nodes and edges fit into int32.
const MOST: i64 = i32::MAX as i64;

fn wrong(sentence: String) -> PyErr {
    PyValueError::new_err(sentence)
}

/// Numbers for Python: int32, with -1 for none.
fn ints(py: Python<'_>, numbers: Vec<u32>) -> Column<'_, i32> {
    numbers
        .into_iter()
        .map(|number| if number == NONE { -1 } else { number as i32 })
        .collect::<Vec<_>>()
        .into_pyarray(py)
}

fn pairs(py: Python<'_>, edges: Vec<[u32; 2]>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    let flat: Vec<i32> = edges.into_iter().flatten().map(|node| node as i32).collect();
    array::matrix(py, flat.len() / 2, 2, flat)
}

pub(super) fn strategy(name: &str) -> PyResult<Strategy> {
    Strategy::ALL.iter().find(|(known, _)| *known == name).map(|&(_, strategy)| strategy).ok_or_else(|| {
        let names = Strategy::ALL.map(|(name, _)| format!("'{name}'"));
        wrong(format!("strategy '{name}', wanted one of {}", names.join(", ")))
    })
}

/// Makes a board, checked.
pub(super) fn lattice(height: &Number, width: &Number, hexagonal: bool, wrap: bool) -> PyResult<Lattice> {
    let (h, w) = (height.value, width.value);
    let fits = h > 0 && w > 0 && h.checked_mul(w).is_some_and(|cells| cells <= MAX_CELLS as i64);
    if !fits {
        return Err(wrong(format!("a board of height {height} and width {width}, wanted 1 to {MAX_CELLS} cells")));
    }
    let lattice = Lattice { height: h as usize, width: w as usize, hexagonal, wrap };
    lattice.check()?;
    Ok(lattice)
}

pub(super) fn bias(bias: f64) -> PyResult<f64> {
    if -1.0 < bias && bias < 1.0 {
        Ok(bias)
    } else {
        Err(wrong(format!("bias {bias}, wanted a number between -1 and 1")))
    }
}

fn number_of_nodes(nodes: &Number) -> PyResult<usize> {
    if (0..=MOST).contains(&nodes.value) {
        Ok(nodes.value as usize)
    } else {
        Err(wrong(format!("{nodes} nodes, wanted 0 to {MOST}")))
    }
}

/// An edge list with its number of nodes, checked.
struct Graph {
    nodes: usize,
    edges: Vec<[u32; 2]>,
}

impl Graph {
    fn read(nodes: &Number, edges: &PyReadonlyArray2<'_, i32>) -> PyResult<Self> {
        let nodes = number_of_nodes(nodes)?;
        let flat = edges.as_slice().map_err(|_| wrong("edges: not C-contiguous, wanted it so".to_owned()))?;
        let edges = span::edges(nodes, flat)?;
        Ok(Self { nodes, edges })
    }

    fn node(&self, name: &str, node: &Number) -> PyResult<usize> {
        if 0 <= node.value && node.value < self.nodes as i64 {
            Ok(node.value as usize)
        } else {
            Err(wrong(format!("{name} {node}, wanted 0 to {}", self.nodes as i64 - 1)))
        }
    }
}

/// What is done with weights of any type.
trait Work {
    type Out: Send;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Self::Out, Error>;
}

/// Finds the type of the weights, copies them, and works on them with the interpreter released.
fn weighted<K: Work + Sync>(
    py: Python<'_>,
    graph: &Graph,
    weights: &Bound<'_, PyAny>,
    work: &K,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<K::Out> {
    fn typed<T: Element + Weight + Send, K: Work + Sync>(
        py: Python<'_>,
        graph: &Graph,
        weights: &Bound<'_, PyAny>,
        work: &K,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Option<PyResult<K::Out>> {
        let weights: PyReadonlyArray1<'_, T> = weights.extract().ok()?;
        let own = weights.as_array().to_vec();
        if let Err(sentence) = span::weights(&graph.edges, &own) {
            return Some(Err(sentence.into()));
        }
        Some(long(py, "edges", None, progress, |budget| work.run(graph, &own, budget)))
    }
    macro_rules! first_of {
        ($($kind:ty),*) => {
            $(if let Some(done) = typed::<$kind, K>(py, graph, weights, work, progress) { return done; })*
        };
    }
    first_of!(f64, i64, u32, i32, f32, u64, u8, u16, i16, i8);
    Err(PyTypeError::new_err(format!("weights of type {}, wanted an array of numbers", weights.get_type())))
}

struct Kruskal;

impl Work for Kruskal {
    type Out = Vec<u32>;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
        span::kruskal(graph.nodes, &graph.edges, weights, budget)
    }
}

struct Steps {
    strategy: Strategy,
    parents: bool,
}

impl Work for Steps {
    type Out = KruskalSteps;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<KruskalSteps, Error> {
        span::kruskal_steps(graph.nodes, &graph.edges, weights, self.strategy, self.parents, budget)
    }
}

struct Prim(usize);

impl Work for Prim {
    type Out = Vec<u32>;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
        span::prim(graph.nodes, &graph.edges, weights, self.0, budget)
    }
}

struct Boruvka;

impl Work for Boruvka {
    type Out = (Vec<u32>, Vec<u32>);
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Self::Out, Error> {
        span::boruvka(graph.nodes, &graph.edges, weights, budget)
    }
}

/// Gives the edges of the minimum spanning forest in the order in which Kruskal takes them.
#[pyfunction]
pub(super) fn graph_kruskal<'py>(
    py: Python<'py>,
    nodes: Number,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Column<'py, i32>> {
    let graph = Graph::read(&nodes, &edges)?;
    Ok(ints(py, weighted(py, &graph, weights, &Kruskal, progress)?))
}

/// Gives the columns edge, accepted, root_u, root_v, and the parents after each step where they are asked for.
#[pyfunction]
#[allow(clippy::type_complexity)] // five columns
pub(super) fn graph_kruskal_steps<'py>(
    py: Python<'py>,
    nodes: Number,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    strategy: &str,
    parents: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, bool>, Column<'py, i32>, Column<'py, i32>, Bound<'py, PyArray2<i32>>)> {
    let graph = Graph::read(&nodes, &edges)?;
    if parents && graph.nodes.saturating_mul(graph.edges.len()) > span::MOST_PARENTS {
        let (nodes, edges) = (graph.nodes, graph.edges.len());
        return Err(wrong(span::too_many_parents(nodes, edges)));
    }
    let steps = weighted(py, &graph, weights, &Steps { strategy: self::strategy(strategy)?, parents }, progress)?;
    let rows = if parents { steps.edge.len() } else { 0 };
    let kept = ints(py, steps.parents).reshape([rows, graph.nodes])?;
    let accepted = steps.accepted.into_pyarray(py);
    Ok((ints(py, steps.edge), accepted, ints(py, steps.root_u), ints(py, steps.root_v), kept))
}

/// Gives the edges of the minimum spanning forest in the order in which Prim takes them.
#[pyfunction]
pub(super) fn graph_prim<'py>(
    py: Python<'py>,
    nodes: Number,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    source: Number,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Column<'py, i32>> {
    let graph = Graph::read(&nodes, &edges)?;
    let source = if graph.nodes == 0 && source.value == 0 { 0 } else { graph.node("source", &source)? };
    Ok(ints(py, weighted(py, &graph, weights, &Prim(source), progress)?))
}

/// Gives the edges of the minimum spanning forest in the order in which Boruvka takes them, and their rounds.
#[pyfunction]
pub(super) fn graph_boruvka<'py>(
    py: Python<'py>,
    nodes: Number,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, i32>)> {
    let graph = Graph::read(&nodes, &edges)?;
    let (taken, rounds) = weighted(py, &graph, weights, &Boruvka, progress)?;
    Ok((ints(py, taken), ints(py, rounds)))
}

/// Searches from a source, breadth-first or depth-first: order, parent, depth and the edge by which a node was reached.
#[pyfunction]
#[allow(clippy::type_complexity)] // four columns
pub(super) fn graph_search<'py>(
    py: Python<'py>,
    nodes: Number,
    edges: PyReadonlyArray2<'py, i32>,
    source: Number,
    deep: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, i32>, Column<'py, i32>, Column<'py, i32>)> {
    let graph = Graph::read(&nodes, &edges)?;
    let source = graph.node("source", &source)?;
    let found = long(py, "nodes", None, progress, |budget| {
        let near = Neighbors::new(graph.nodes, &graph.edges, budget)?;
        if deep { search::dfs(&near, source, budget) } else { search::bfs(&near, source, budget) }
    })?;
    Ok((ints(py, found.order), ints(py, found.parent), ints(py, found.depth), ints(py, found.came_from)))
}

/// Gives the diameter by double breadth-first search.
#[pyfunction]
pub(super) fn graph_diameter(
    py: Python<'_>,
    nodes: Number,
    edges: PyReadonlyArray2<'_, i32>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<u32> {
    let graph = Graph::read(&nodes, &edges)?;
    long(py, "nodes", None, progress, |budget| search::diameter(graph.nodes, &graph.edges, budget))
}

/// Lists the edges of a board.
#[pyfunction]
pub(super) fn graph_grid_edges(
    py: Python<'_>,
    height: Number,
    width: Number,
    hexagonal: bool,
    wrap: bool,
) -> PyResult<Bound<'_, PyArray2<i32>>> {
    let lattice = lattice(&height, &width, hexagonal, wrap)?;
    let edges = long(py, "edges", None, None, |budget| {
        let mut edges = Vec::with_capacity(lattice.len() * lattice.slots());
        lattice.each_edge_watched(budget, |_, u, v| edges.push([u as u32, v as u32]))?;
        Ok(edges)
    })?;
    pairs(py, edges)
}

/// Gives the random weights of a board's edges.
#[pyfunction]
pub(super) fn graph_grid_weights<'py>(
    py: Python<'py>,
    height: Number,
    width: Number,
    hexagonal: bool,
    wrap: bool,
    bias: f64,
    seed: &Bound<'py, PyAny>,
) -> PyResult<Column<'py, u32>> {
    let lattice = lattice(&height, &width, hexagonal, wrap)?;
    let weights = Weights::new(array::seed(Some(seed))?, self::bias(bias)?);
    let list = long(py, "edges", None, None, |budget| {
        let mut list = Vec::with_capacity(lattice.len() * lattice.slots());
        lattice.each_edge_watched(budget, |id, _, _| list.push(weights.of(id, id % lattice.slots())))?;
        Ok(list)
    })?;
    Ok(list.into_pyarray(py))
}

/// Gives the edges of a random spanning tree of a board, in the order in which the method takes them.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the options of a tree
pub(super) fn graph_random_tree<'py>(
    py: Python<'py>,
    height: Number,
    width: Number,
    method: &str,
    bias: f64,
    hexagonal: bool,
    wrap: bool,
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let lattice = lattice(&height, &width, hexagonal, wrap)?;
    let Some(method) = Method::named(method) else {
        let names = Method::ALL.map(|(name, _)| format!("'{name}'"));
        return Err(wrong(format!("method '{method}', wanted one of {}", names.join(", "))));
    };
    let (seed, bias) = (array::seed(seed)?, self::bias(bias)?);
    let edges = long(py, "steps", None, progress, move |budget| random::tree(lattice, method, bias, seed, budget))?;
    pairs(py, edges)
}

/// A partition of the nodes `0..n` into sets, each named by a representative.
///
/// `strategy` keeps the trees of links low: `"naive"` not at all, `"compression"` links every node that `find` passes to the
/// representative, `"size"` links the smaller set to the larger (of equals, the second to the first), `"both"` does both.
///
/// ```python
/// >>> from gridwright.graph import UnionFind
/// >>> sets = UnionFind(4, strategy="size")
/// >>> sets.union(2, 0), sets.union(1, 0), sets.union(1, 2)
/// (True, True, False)
/// >>> sets.parents
/// array([2, 2, 2, 3], dtype=int32)
/// >>> sets.components, sets.connected(1, 3), sets.follows
/// (2, False, 3)
///
/// ```
#[pyclass(name = "UnionFind", module = "gridwright.graph", frozen)]
pub(super) struct PyUnionFind(Mutex<UnionFind>);

impl PyUnionFind {
    fn lock(&self) -> MutexGuard<'_, UnionFind> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(sets: &UnionFind, node: &Number) -> PyResult<usize> {
        if 0 <= node.value && node.value < sets.len() as i64 {
            return Ok(node.value as usize);
        }
        Err(PyIndexError::new_err(format!("node {node}, wanted 0 to {}", sets.len() as i64 - 1)))
    }
}

#[pymethods]
impl PyUnionFind {
    #[new]
    #[pyo3(signature = (n, *, strategy="both"))]
    fn new(n: Number, strategy: &str) -> PyResult<Self> {
        let strategy = self::strategy(strategy)?;
        Ok(Self(Mutex::new(UnionFind::new(number_of_nodes(&n)?, strategy))))
    }

    /// Gives the representative of a node's set.
    fn find(&self, node: Number) -> PyResult<usize> {
        let mut sets = self.lock();
        let node = Self::node(&sets, &node)?;
        Ok(sets.find(node))
    }

    /// Joins the sets of two nodes; `False` where they are one set already.
    fn union(&self, u: Number, v: Number) -> PyResult<bool> {
        let mut sets = self.lock();
        let (u, v) = (Self::node(&sets, &u)?, Self::node(&sets, &v)?);
        Ok(sets.union(u, v))
    }

    /// Whether two nodes are in one set.
    fn connected(&self, u: Number, v: Number) -> PyResult<bool> {
        let mut sets = self.lock();
        let (u, v) = (Self::node(&sets, &u)?, Self::node(&sets, &v)?);
        Ok(sets.connected(u, v))
    }

    /// The link of each node: a fresh `(n,)` int32 array; a representative links to itself.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> Column<'py, i32> {
        ints(py, self.lock().parents().to_vec())
    }

    /// Number of sets.
    #[getter]
    fn components(&self) -> usize {
        self.lock().components()
    }

    /// How many links `find` has followed so far: what the strategies differ in.
    #[getter]
    fn follows(&self) -> u64 {
        self.lock().follows()
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    /// How the trees of links are kept low.
    #[getter]
    fn strategy(&self) -> &'static str {
        let mine = self.lock().strategy();
        Strategy::ALL.iter().find(|(_, strategy)| *strategy == mine).map_or("both", |(name, _)| name)
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }

    fn __repr__(&self) -> String {
        // One lock for both: a second one in the same statement would wait for the first for ever.
        let (len, components) = {
            let sets = self.lock();
            (sets.len(), sets.components())
        };
        format!("<UnionFind of {len} nodes in {components} sets, strategy '{}'>", self.strategy())
    }
}
