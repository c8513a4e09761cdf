//! Graph algorithms in Python: union-find, spanning trees, searches. Users call the functions of `gridwright.graph`.

#![allow(clippy::needless_pass_by_value)] // pyo3 passes owned arrays

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::array::{self, Argument};
use super::exclusive::Exclusive;
use super::long::long;
use crate::core::text::check_size;
use crate::core::{Budget, Error, MAX_CELLS, counted, memory, pieces};
use crate::graph::order::Weight;
use crate::graph::random::{self, Method};
use crate::graph::search::{self, NONE, Neighbors};
use crate::graph::span::{self, KruskalSteps};
use crate::graph::{Lattice, Strategy, UnionFind, Weights};

type Column<'py, T> = Bound<'py, PyArray1<T>>;

/// The largest number of nodes of a graph: indices of nodes fit in int32.
const MAX_NODES: usize = i32::MAX as usize;

/// The number of nodes below which a union-find is copied in a few milliseconds.
const FEW: usize = 1 << 20;

/// Returns a column of indices or depths as an int32 array, with -1 for [`NONE`].
fn ints(py: Python<'_>, numbers: Vec<u32>) -> Column<'_, i32> {
    numbers
        .into_iter()
        .map(|number| if number == NONE { -1 } else { number as i32 })
        .collect::<Vec<_>>()
        .into_pyarray(py)
}

/// Returns edges as an `(m, 2)` int32 array.
pub(super) fn pairs(py: Python<'_>, edges: Vec<[u32; 2]>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    // `collect` reuses the memory of the vector.
    let flat: Vec<i32> = edges.into_flattened().into_iter().map(|node| node as i32).collect();
    array::matrix(py, flat.len() / 2, 2, flat)
}

/// Reads the size of a board, at least 1 x 1, and checks that a hexagonal board that wraps has an even height.
pub(super) fn lattice(
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    hexagonal: bool,
    wrap: bool,
) -> PyResult<Lattice> {
    let height = array::size("height", height, 1, MAX_CELLS)?;
    let width = array::size("width", width, 1, MAX_CELLS)?;
    check_size(height, width)?;
    let lattice = Lattice { height, width, hexagonal, wrap };
    lattice.check()?;
    Ok(lattice)
}

/// Reads the bias of a random tree, greater than -1 and less than 1.
fn bias(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let bias = array::number("bias", value)?;
    random::check_bias(bias)?;
    Ok(bias)
}

/// Reads the number of nodes of a graph, from 0 to 2^31 - 1; `name` is the name of the argument.
fn number_of_nodes(name: &str, nodes: &Bound<'_, PyAny>) -> PyResult<usize> {
    array::size(name, nodes, 0, MAX_NODES)
}

/// A graph: a number of nodes and the edges between them.
struct Graph {
    nodes: usize,
    edges: Vec<[u32; 2]>,
}

impl Graph {
    /// Reads a graph; `edges` has the shape `(m, 2)`.
    fn read(nodes: &Bound<'_, PyAny>, edges: &PyReadonlyArray2<'_, i32>) -> PyResult<Self> {
        let nodes = number_of_nodes("nodes", nodes)?;
        let flat =
            edges.as_slice().map_err(|_| Error::invalid("edges must be C-contiguous, got another memory layout"))?;
        let edges = span::edges(nodes, flat)?;
        Ok(Self { nodes, edges })
    }

    /// Reads the argument `source`, the node from which a search starts.
    fn source(&self, node: &Bound<'_, PyAny>) -> PyResult<usize> {
        if self.nodes == 0 {
            return Err(PyValueError::new_err("nodes must be at least 1, got 0"));
        }
        array::integer("source", node, 0..=self.nodes as i64 - 1).map(|node| node as usize)
    }
}

/// An algorithm on a graph whose weights may have any numeric type.
trait Weighted {
    type Out: Send;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Self::Out, Error>;
}

/// Finds the type of the weights, copies and checks them, and runs the algorithm `work` with the interpreter lock
/// released.
fn weighted<K: Weighted + Sync>(
    py: Python<'_>,
    graph: &Graph,
    weights: &Bound<'_, PyAny>,
    work: &K,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<K::Out> {
    fn typed<T: Element + Weight + Send, K: Weighted + Sync>(
        py: Python<'_>,
        graph: &Graph,
        weights: &Bound<'_, PyAny>,
        work: &K,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Option<PyResult<K::Out>> {
        let weights: PyReadonlyArray1<'_, T> = weights.extract().ok()?;
        let bytes = weights.as_array().len() * size_of::<T>();
        if let Err(error) = memory::probe(bytes, "a graph of this size") {
            return Some(Err(error.into()));
        }
        let own = weights.as_array().to_vec();
        if let Err(error) = span::weights(&graph.edges, &own) {
            return Some(Err(error.into()));
        }
        Some(long(py, "edges", None, progress, |budget| work.run(graph, &own, budget)))
    }
    // An array has at most one of these types; the attempts for the others return `None`.
    macro_rules! first_of {
        ($($kind:ty),*) => {
            $(if let Some(done) = typed::<$kind, K>(py, graph, weights, work, progress) { return done; })*
        };
    }
    first_of!(f64, i64, u32, i32, f32, u64, u8, u16, i16, i8);
    Err(PyTypeError::new_err(format!("weights must be an array of numbers, got {}", weights.get_type())))
}

struct Kruskal;

impl Weighted for Kruskal {
    type Out = Vec<u32>;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
        span::kruskal(graph.nodes, &graph.edges, weights, budget)
    }
}

struct Steps {
    strategy: Strategy,
    parents: bool,
}

impl Weighted for Steps {
    type Out = KruskalSteps;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<KruskalSteps, Error> {
        span::kruskal_steps(graph.nodes, &graph.edges, weights, self.strategy, self.parents, budget)
    }
}

struct Prim(usize);

impl Weighted for Prim {
    type Out = Vec<u32>;
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
        span::prim(graph.nodes, &graph.edges, weights, self.0, budget)
    }
}

struct Boruvka;

impl Weighted for Boruvka {
    type Out = (Vec<u32>, Vec<u32>);
    fn run<W: Weight>(&self, graph: &Graph, weights: &[W], budget: &mut Budget<'_>) -> Result<Self::Out, Error> {
        span::boruvka(graph.nodes, &graph.edges, weights, budget)
    }
}

/// Returns the indices of the edges of the minimum spanning forest, in the order in which Kruskal's algorithm takes
/// them.
#[pyfunction]
pub(super) fn graph_kruskal<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Column<'py, i32>> {
    let graph = Graph::read(nodes, &edges)?;
    Ok(ints(py, weighted(py, &graph, weights, &Kruskal, progress)?))
}

/// Returns the columns `edge`, `accepted`, `root_u` and `root_v` of the steps of Kruskal's algorithm, and the parents
/// after each step: one row per step, or no rows if `parents` is `False`.
#[pyfunction]
#[allow(clippy::type_complexity)] // four columns and the parents
pub(super) fn graph_kruskal_steps<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    parents: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, bool>, Column<'py, i32>, Column<'py, i32>, Bound<'py, PyArray2<i32>>)> {
    let graph = Graph::read(nodes, &edges)?;
    let strategy = array::choice("strategy", strategy, &Strategy::ALL)?;
    let parents = array::flag("parents", parents)?;
    let steps = weighted(py, &graph, weights, &Steps { strategy, parents }, progress)?;
    let rows = if parents { steps.edge.len() } else { 0 };
    let kept = ints(py, steps.parents).reshape([rows, graph.nodes])?;
    let accepted = steps.accepted.into_pyarray(py);
    Ok((ints(py, steps.edge), accepted, ints(py, steps.root_u), ints(py, steps.root_v), kept))
}

/// Returns the indices of the edges of the minimum spanning forest, in the order in which Prim's algorithm takes them.
#[pyfunction]
pub(super) fn graph_prim<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    source: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Column<'py, i32>> {
    let graph = Graph::read(nodes, &edges)?;
    // A graph without nodes has no source, but its forest is empty, so the default, 0, is accepted.
    let source = if graph.nodes == 0 { array::size("source", source, 0, 0)? } else { graph.source(source)? };
    Ok(ints(py, weighted(py, &graph, weights, &Prim(source), progress)?))
}

/// Returns the indices of the edges of the minimum spanning forest, in the order in which Boruvka's algorithm takes
/// them, and the round of each.
#[pyfunction]
pub(super) fn graph_boruvka<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    edges: PyReadonlyArray2<'py, i32>,
    weights: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, i32>)> {
    let graph = Graph::read(nodes, &edges)?;
    let (taken, rounds) = weighted(py, &graph, weights, &Boruvka, progress)?;
    Ok((ints(py, taken), ints(py, rounds)))
}

/// Searches from a source, depth-first if `deep` is `True`, else breadth-first. Returns the columns `order`, `parent`
/// and `depth`, and the column of the edges by which the nodes were reached.
#[pyfunction]
#[allow(clippy::type_complexity)] // four columns
pub(super) fn graph_search<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    edges: PyReadonlyArray2<'py, i32>,
    source: &Bound<'py, PyAny>,
    deep: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Column<'py, i32>, Column<'py, i32>, Column<'py, i32>, Column<'py, i32>)> {
    let graph = Graph::read(nodes, &edges)?;
    let source = graph.source(source)?;
    let found = long(py, "nodes", None, progress, |budget| {
        let neighbors = Neighbors::new(graph.nodes, &graph.edges, budget)?;
        if deep { search::dfs(&neighbors, source, budget) } else { search::bfs(&neighbors, source, budget) }
    })?;
    Ok((ints(py, found.order), ints(py, found.parent), ints(py, found.depth), ints(py, found.came_from)))
}

/// Returns the diameter in edges: exact for trees, a lower bound for graphs with cycles.
#[pyfunction]
pub(super) fn graph_diameter(
    py: Python<'_>,
    nodes: &Bound<'_, PyAny>,
    edges: PyReadonlyArray2<'_, i32>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<u32> {
    let graph = Graph::read(nodes, &edges)?;
    long(py, "nodes", None, progress, |budget| search::diameter(graph.nodes, &graph.edges, budget))
}

/// Returns the edges of a board as an `(m, 2)` array of the indices of tiles, in the order of the ids of the edges.
#[pyfunction]
pub(super) fn graph_grid_edges<'py>(
    py: Python<'py>,
    height: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    hexagonal: &Bound<'py, PyAny>,
    wrap: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let lattice = lattice(height, width, array::flag("hexagonal", hexagonal)?, array::flag("wrap", wrap)?)?;
    let edges = long(py, "edges", None, None, |budget| {
        // The list is flat, like the array, so that the edges are in memory only once.
        let mut edges: Vec<i32> =
            memory::with_capacity(lattice.len() * lattice.slots() * 2, "the edges of this board")?;
        lattice.each_edge_watched(budget, |_, u, v| edges.extend([u as i32, v as i32]))?;
        Ok(edges)
    })?;
    array::matrix(py, edges.len() / 2, 2, edges)
}

/// Returns the random weights of the edges of a board, in the order of `graph_grid_edges`.
#[pyfunction]
pub(super) fn graph_grid_weights<'py>(
    py: Python<'py>,
    height: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    hexagonal: &Bound<'py, PyAny>,
    wrap: &Bound<'py, PyAny>,
    bias: &Bound<'py, PyAny>,
    seed: &Bound<'py, PyAny>,
) -> PyResult<Column<'py, u32>> {
    let lattice = lattice(height, width, array::flag("hexagonal", hexagonal)?, array::flag("wrap", wrap)?)?;
    let weights = Weights::new(array::seed(Some(seed))?, self::bias(bias)?);
    let list = long(py, "edges", None, None, |budget| {
        let mut list = memory::with_capacity(lattice.len() * lattice.slots(), "the weights of this board")?;
        lattice.each_edge_watched(budget, |id, _, _| list.push(weights.of(id, id % lattice.slots())))?;
        Ok(list)
    })?;
    Ok(list.into_pyarray(py))
}

/// Returns the edges of a random spanning tree of a board, in the order in which the method takes them.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the options of a tree
pub(super) fn graph_random_tree<'py>(
    py: Python<'py>,
    height: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    method: &Bound<'py, PyAny>,
    bias: &Bound<'py, PyAny>,
    hexagonal: &Bound<'py, PyAny>,
    wrap: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let lattice = lattice(height, width, array::flag("hexagonal", hexagonal)?, array::flag("wrap", wrap)?)?;
    let method = array::choice("method", method, &Method::ALL)?;
    let (seed, bias) = (array::seed(seed)?, self::bias(bias)?);
    let edges = long(py, "steps", None, progress, move |budget| random::tree(lattice, method, bias, seed, budget))?;
    pairs(py, edges)
}

/// A partition of the nodes 0 to `n - 1` into sets; one node of each set is its representative.
///
/// * `n`: the number of nodes, from 0 to 2^31 - 1, otherwise `ValueError`.
/// * `strategy`: how the trees of links are kept shallow. `"naive"` does nothing; with `"compression"`, `find` links
///   each node on its path directly to the representative; with `"size"`, `union` links the smaller set to the
///   larger (of sets of equal size, the second to the first); `"both"`, the default, does both.
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
pub(super) struct PyUnionFind(Exclusive<UnionFind>);

impl PyUnionFind {
    fn of(sets: UnionFind) -> Self {
        Self(Exclusive::new("the union-find", sets))
    }

    /// Reads or changes the union-find in a short access, without releasing the interpreter lock.
    fn read<R>(&self, py: Python<'_>, access: impl FnOnce(&mut UnionFind) -> R) -> PyResult<R> {
        self.0.with(py, |sets| Ok(access(sets)))
    }

    /// Runs `copy`, which copies data as large as the union-find, with the interpreter lock released if copying may
    /// take a while.
    fn copied<R: Send>(
        &self,
        py: Python<'_>,
        copy: impl Fn(&UnionFind, &mut Budget<'_>) -> Result<R, Error> + Sync,
    ) -> PyResult<R> {
        let few = |sets: &mut UnionFind| (sets.len() < FEW).then(|| copy(sets, &mut Budget::unlimited())).transpose();
        let found = self.0.with(py, |sets| Ok(few(sets)?))?;
        found.map_or_else(|| self.0.take(py, |sets| long(py, "nodes", None, None, |budget| copy(sets, budget))), Ok)
    }

    fn strategy_name(sets: &UnionFind) -> &'static str {
        let mine = sets.strategy();
        Strategy::ALL.iter().find(|(_, strategy)| *strategy == mine).map_or("both", |(name, _)| name)
    }

    /// Reads a node; `name` is the name of the argument. Raises `IndexError` for an integer that is not a node.
    fn node(&self, name: &str, node: &Bound<'_, PyAny>) -> PyResult<usize> {
        // Reading the argument may run Python code, so the lock of the union-find is released first.
        let n = self.read(node.py(), |sets| sets.len())?;
        array::index(name, node, n, "a node", "a union-find without nodes")
    }
}

#[pymethods]
impl PyUnionFind {
    #[new]
    #[pyo3(signature = (n, *, strategy=array::ABSENT), text_signature = "(n, *, strategy='both')")]
    fn new(n: &Bound<'_, PyAny>, strategy: Argument<'_, '_>) -> PyResult<Self> {
        let strategy = strategy.or(Strategy::Both, |name| array::choice("strategy", name, &Strategy::ALL))?;
        let (py, n) = (n.py(), number_of_nodes("n", n)?);
        long(py, "nodes", None, None, |budget| UnionFind::try_new(n, strategy, budget)).map(Self::of)
    }

    /// Returns the representative of the set of a node.
    ///
    /// * `node`: from 0 to `len(self) - 1`; raises `IndexError` otherwise.
    fn find(&self, node: &Bound<'_, PyAny>) -> PyResult<usize> {
        let (py, node) = (node.py(), self.node("node", node)?);
        self.read(py, |sets| sets.find(node))
    }

    /// Joins the sets of two nodes; returns `False` if they are already in the same set.
    ///
    /// * `u`, `v`: from 0 to `len(self) - 1`; raises `IndexError` otherwise.
    fn union(&self, u: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, u, v) = (u.py(), self.node("u", u)?, self.node("v", v)?);
        self.read(py, |sets| sets.union(u, v))
    }

    /// Returns `True` if two nodes are in the same set.
    ///
    /// * `u`, `v`: from 0 to `len(self) - 1`; raises `IndexError` otherwise.
    fn connected(&self, u: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (py, u, v) = (u.py(), self.node("u", u)?, self.node("v", v)?);
        self.read(py, |sets| sets.connected(u, v))
    }

    /// The link of each node, a fresh `(n,)` int32 array; a representative links to itself.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Column<'py, i32>> {
        Ok(ints(py, self.copied(py, UnionFind::parents_copied)?))
    }

    /// The number of sets.
    #[getter]
    fn components(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |sets| sets.components())
    }

    /// The number of links that `find`, `union` and `connected` have followed so far: a measure of work for comparing
    /// strategies.
    #[getter]
    fn follows(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |sets| sets.follows())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let (parents, follows, name) = slf
            .get()
            .copied(py, |sets, budget| Ok((sets.parents_copied(budget)?, sets.follows(), Self::strategy_name(sets))))?;
        let rebuild = py.import("gridwright._core")?.getattr("union_find_from_parents")?;
        Ok((rebuild, (ints(py, parents), name, follows).into_pyobject(py)?))
    }

    /// Panics during a call on the union-find, so that tests can check what an internal error leaves behind.
    fn _panic(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |_| panic!("planted by a test"))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copied(py, UnionFind::copied).map(Self::of)
    }

    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(memo.py())
    }

    /// How the trees of links are kept shallow: one of the names that the constructor accepts.
    #[getter]
    fn strategy(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |sets| Self::strategy_name(sets))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |sets| sets.len())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |sets| {
            let (nodes, parts, name) = (sets.len(), sets.components(), Self::strategy_name(sets));
            let (nodes, parts) = (counted(nodes as u64, "nodes"), counted(parts as u64, "sets"));
            format!("<UnionFind of {nodes} in {parts}, strategy '{name}'>")
        })
    }
}

/// Rebuilds a `UnionFind` from a pickle.
#[pyfunction]
pub(super) fn union_find_from_parents(
    parents: PyReadonlyArray1<'_, i32>,
    strategy: &Bound<'_, PyAny>,
    follows: u64,
) -> PyResult<PyUnionFind> {
    let (py, strategy) = (strategy.py(), array::choice("strategy", strategy, &Strategy::ALL)?);
    let parents = parents.as_array();
    let mut links = memory::with_capacity(parents.len(), "a union-find of this size")?;
    for piece in pieces(parents.len()) {
        py.check_signals()?;
        for node in piece {
            links.push(UnionFind::check_parent(parents[node].into(), node, parents.len())?);
        }
    }
    long(py, "nodes", None, None, |budget| UnionFind::from_parents(links, strategy, follows, budget))
        .map(PyUnionFind::of)
}
