//! Bloxorz in Python: the shared class and what it has beyond that.

use numpy::PyArray2;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::array;
use super::error::not_a_move;
use super::game::{Shell, Spoken, game_class};
use super::long::long;
use crate::bloxorz::{Block, Bloxorz, CODES, KEYS, Level, Minimize, Recipe, SWITCH_KEY};
use crate::core::{Cell, Dir};

game_class!(BloxorzCore, Bloxorz, "Bloxorz");
super::batch::batch_class!(BloxorzBatch, Bloxorz, BloxorzCore);

impl Spoken for Bloxorz {
    fn spoken(args: &Bound<'_, PyTuple>) -> PyResult<Option<Vec<[i32; 1]>>> {
        if args.len() != 1 {
            return Ok(None);
        }
        let Ok(text) = args.get_item(0)?.cast_into::<PyString>() else { return Ok(None) };
        let text = text.to_string();
        let read = |(i, letter): (usize, char)| match KEYS.iter().position(|&key| key == letter.to_ascii_lowercase()) {
            Some(key) => Ok([key as i32]),
            // The bar that switches cubes on a keyboard.
            None if letter == ' ' => Ok([SWITCH_KEY]),
            None => Err(not_a_move(format!("key {letter:?} at place {}, wanted one of l, u, r, d, s", i + 1))),
        };
        text.chars().enumerate().map(read).collect::<PyResult<_>>().map(Some)
    }
}

/// Gives the board codes of Bloxorz by their names.
#[pyfunction]
pub(super) fn bloxorz_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in CODES {
        found.set_item(name, code)?;
    }
    Ok(found)
}

fn letters(keys: &[u8]) -> String {
    keys.iter().map(|&key| KEYS[key as usize]).collect()
}

fn minimize(word: &str) -> PyResult<Minimize> {
    match word {
        "rolls" => Ok(Minimize::Rolls),
        "keys" => Ok(Minimize::Keys),
        _ => Err(PyValueError::new_err(format!("minimize '{word}', wanted 'rolls' or 'keys'"))),
    }
}

#[pymethods]
impl BloxorzCore {
    /// Occupied cells, the cube in control first: a fresh `(n, 2)` int32 array, n 1 or 2.
    #[getter]
    fn block<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let block = self.0.lock(py).state().block();
        array::cells(py, block.cells())
    }

    /// Whether the block is two cubes apart.
    #[getter]
    fn is_split(&self, py: Python<'_>) -> bool {
        self.0.lock(py).state().block().is_split()
    }

    /// Which bridges are on: a dict from letters to bools.
    #[getter]
    fn bridges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = self.0.state(py);
        let found = PyDict::new(py);
        for letter in (0..26u8).filter(|letter| game.level().bridges() >> letter & 1 == 1) {
            found.set_item(char::from(b'a' + letter), game.bridges() >> letter & 1 == 1)?;
        }
        Ok(found)
    }

    /// How often the block fell on the way here.
    #[getter]
    fn falls(&self, py: Python<'_>) -> u32 {
        self.0.lock(py).state().falls()
    }

    /// Where the block must stand: `(row, col)`.
    #[getter]
    fn target(&self, py: Python<'_>) -> (i32, i32) {
        let cell = self.0.lock(py).state().level().target();
        (cell.row, cell.col)
    }

    /// Where the level starts: `(row, col)`.
    #[getter]
    fn start(&self, py: Python<'_>) -> (i32, i32) {
        let cell = self.0.lock(py).state().level().start();
        (cell.row, cell.col)
    }

    /// Finds a shortest solution from here: a string of keys, or `None` where it is proved that there is none.
    ///
    /// `minimize="rolls"` counts rolls, then keys; `"keys"` counts the switching between cubes too. A fall is never part of
    /// a solution. Raises `SearchLimitError` after `limit` states. `progress` is called with the states so far.
    #[pyo3(signature = (*, minimize="rolls", limit=None, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        minimize: &str,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<String>> {
        let minimize = self::minimize(minimize)?;
        let game = self.0.state(py);
        let keys =
            long(py, "states", limit.map(|limit| limit.0), progress, move |budget| game.solve(minimize, budget))?;
        Ok(keys.as_deref().map(letters))
    }

    /// Gives the next key of a shortest solution from here; `None` where the game is won or cannot be won any more.
    ///
    /// Hints that are followed solve the level, from anywhere. `minimize`, `limit` and `progress` are those of `solve`.
    #[pyo3(signature = (*, minimize="rolls", limit=None, progress=None))]
    fn hint(
        &self,
        py: Python<'_>,
        minimize: &str,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<String>> {
        let minimize = self::minimize(minimize)?;
        let game = self.0.state(py);
        let limit = limit.map(|limit| limit.0);
        let keys = long(py, "states", limit, progress, move |budget| game.solve(minimize, budget))?;
        Ok(keys.and_then(|keys| keys.first().map(|key| letters(&[*key]))))
    }

    /// Counts the shortest solutions from here; 0 where it is proved that there is none, 1 where the game is won.
    ///
    /// `minimize`, `limit` and `progress` are those of `solve`. Raises `SearchLimitError` beyond 2^128 solutions too.
    #[pyo3(signature = (*, minimize="rolls", limit=None, progress=None))]
    fn count_shortest(
        &self,
        py: Python<'_>,
        minimize: &str,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u128> {
        let minimize = self::minimize(minimize)?;
        let game = self.0.state(py);
        long(py, "states", limit.map(|limit| limit.0), progress, move |budget| game.count_shortest(minimize, budget))
    }

    /// Gives the columns of `state_graph` by their names.
    fn _state_graph<'py>(
        &self,
        py: Python<'py>,
        minimize: &str,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let minimize = self::minimize(minimize)?;
        let game = self.0.state(py);
        let limit = limit.map(|limit| limit.0);
        let graph = long(py, "states", limit, progress, move |budget| game.state_graph(minimize, budget))?;
        let mut block = Vec::with_capacity(4 * graph.block.len());
        for [one, other] in graph.block.iter().map(|block| [block.first(), block.second()]) {
            block.extend_from_slice(&[one.row, one.col, other.row, other.col]);
        }
        let found = PyDict::new(py);
        found.set_item("block", array::shaped(py, &[graph.block.len(), 2, 2], block)?)?;
        found.set_item("indptr", array::shaped(py, &[graph.indptr.len()], graph.indptr)?)?;
        found.set_item("indices", array::shaped(py, &[graph.indices.len()], graph.indices)?)?;
        found.set_item("key", array::shaped(py, &[graph.key.len()], graph.key)?)?;
        found.set_item("depth", array::shaped(py, &[graph.depth.len()], graph.depth)?)?;
        found.set_item("distance", array::shaped(py, &[graph.distance.len()], graph.distance)?)?;
        found.set_item("bridges", array::shaped(py, &[graph.bridges.len()], graph.bridges)?)?;
        Ok(found)
    }

    /// Makes a level; what its arguments mean stands with `Bloxorz.generate`.
    #[classmethod]
    #[allow(clippy::too_many_arguments)] // called by Bloxorz.generate only
    fn _generate<'py>(
        class: &Bound<'py, PyType>,
        height: array::Counted<u64>,
        width: array::Counted<u64>,
        min_moves: Option<array::Counted<u32>>,
        switches: array::Counted<u32>,
        bridges: array::Counted<u32>,
        splitters: array::Counted<u32>,
        light: f64,
        effort: array::Counted<u64>,
        limit: Option<array::Counted<u64>>,
        seed: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        watch: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let recipe = Recipe {
            height: height.0 as usize,
            width: width.0 as usize,
            min_moves: min_moves.map(|rolls| rolls.0),
            switches: switches.0 as usize,
            bridges: bridges.0 as usize,
            splitters: splitters.0 as usize,
            light,
            effort: effort.0,
        };
        recipe.check()?;
        if let Some(watch) = watch.as_ref().filter(|watch| !watch.is_callable()) {
            return Err(PyTypeError::new_err(format!("watch of type {}, wanted a callable", watch.get_type())));
        }
        let mut rng = array::rng(seed)?;
        let (owner, watch) = (class.clone().unbind(), watch.map(Bound::unbind));
        let mut raised = None;
        let game = long(class.py(), "states", limit.map(|limit| limit.0), progress, |budget| {
            Bloxorz::generate(&recipe, &mut rng, budget, |game| {
                let Some(watch) = &watch else { return true };
                let told = |py: Python<'_>| watch.call1(py, (made(owner.bind(py), game.clone())?,));
                raised = Python::attach(told).err();
                raised.is_none()
            })
        });
        match raised {
            Some(error) => Err(error),
            None => made(class, game?),
        }
    }
}

/// Makes a game of a class of Python around a position.
fn made<'py>(class: &Bound<'py, PyType>, game: Bloxorz) -> PyResult<Bound<'py, PyAny>> {
    let core = Bound::new(class.py(), BloxorzCore(Shell::from_state(game)))?;
    class.call1((core,))
}

/// The block of the source document: it rolls, and knows nothing of a terrain.
///
/// Standing at first. `str` shows it as the source document does, with x the column and y the row.
///
/// ```python
/// >>> from gridwright.bloxorz import Block
/// >>> block = Block(4, 3)
/// >>> block.right()
/// >>> print(block)
/// Block{Pos(x=4, y=4),Pos(x=5, y=4)}
/// >>> block.positions(), block.is_standing()
/// ([(4, 4), (4, 5)], False)
///
/// ```
#[pyclass(name = "Block", module = "gridwright.bloxorz", eq)]
#[derive(Clone, PartialEq)]
pub(super) struct PyBlock(Block);

/// How far from the origin a block may be: rolling on never overflows.
const FAR: i64 = 1 << 30;

#[pymethods]
impl PyBlock {
    #[new]
    fn new(row: &Bound<'_, PyAny>, col: &Bound<'_, PyAny>) -> PyResult<Self> {
        let read = |value: &Bound<'_, PyAny>, name| match array::coordinate(value)? {
            number if number.abs_diff(0) <= FAR as u64 => Ok(number as i32),
            number => Err(not_a_move(format!("{name} {}, wanted -2^30 to 2^30", array::spelled(number, Some(value))))),
        };
        Ok(Self(Block::standing(Cell::new(read(row, "row")?, read(col, "col")?))))
    }

    /// Rolls to smaller columns.
    fn left(&mut self) -> PyResult<()> {
        self.roll(Dir::W)
    }

    /// Rolls to larger columns.
    fn right(&mut self) -> PyResult<()> {
        self.roll(Dir::E)
    }

    /// Rolls to smaller rows.
    fn up(&mut self) -> PyResult<()> {
        self.roll(Dir::N)
    }

    /// Rolls to larger rows.
    fn down(&mut self) -> PyResult<()> {
        self.roll(Dir::S)
    }

    /// The occupied cells `(row, col)`: one when it stands, two when it lies, smaller x, then smaller y, first.
    fn positions(&self) -> Vec<(i32, i32)> {
        self.0.cells().map(|cell| (cell.row, cell.col)).collect()
    }

    /// Whether it stands.
    fn is_standing(&self) -> bool {
        self.0.is_standing()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    /// Copies and pickles are made of a standing block and what [`PyBlock::__setstate__`] puts in its place.
    fn __getnewargs__(&self) -> (i32, i32) {
        (self.0.first().row, self.0.first().col)
    }

    fn __getstate__(&self) -> Vec<(i32, i32)> {
        self.positions()
    }

    #[allow(clippy::needless_pass_by_value)] // what a pickle hands over
    fn __setstate__(&mut self, positions: Vec<(i32, i32)>) -> PyResult<()> {
        let cells: Vec<Cell> = positions.iter().map(|&(row, col)| Cell::new(row, col)).collect();
        let near = cells.iter().all(|cell| cell.row.unsigned_abs().max(cell.col.unsigned_abs()) <= FAR as u32);
        self.0 = match cells[..] {
            [cell] if near => Block::standing(cell),
            [one, other] if near && !Block::split(one, other).is_split() => Block::split(one, other),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "a block on {positions:?}, wanted one or two cells side by side"
                )));
            }
        };
        Ok(())
    }
}

impl PyBlock {
    fn roll(&mut self, dir: Dir) -> PyResult<()> {
        let rolled = self.0.rolled(dir);
        let inside = |cell: Cell| i64::from(cell.row).abs() <= FAR && i64::from(cell.col).abs() <= FAR;
        if !rolled.cells().all(inside) {
            return Err(not_a_move("a block beyond 2^30 rows or columns, wanted it nearer".to_owned()));
        }
        self.0 = rolled;
        Ok(())
    }
}

/// The terrain of the source document: a level that never changes.
///
/// `at(cell)` is 2 for a tile, 1 for a light tile and 0 where there is none, with the bridges as they are at the start.
///
/// ```python
/// >>> import gridwright as gw
/// >>> terrain = gw.bloxorz.Terrain(gw.Bloxorz.level("level01").text)
/// >>> terrain.width, terrain.height, terrain.start, terrain.target
/// (10, 6, (1, 1), (4, 7))
/// >>> terrain.at((1, 2)), terrain.can_hold(gw.bloxorz.Block(1, 4))
/// (2, True)
///
/// ```
#[pyclass(name = "Terrain", module = "gridwright.bloxorz", frozen, eq)]
#[derive(PartialEq)]
pub(super) struct PyTerrain(Level);

#[pymethods]
impl PyTerrain {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Ok(Self(Level::parse(text)?))
    }

    /// Where the block starts: `(row, col)`.
    #[getter]
    fn start(&self) -> (i32, i32) {
        (self.0.start().row, self.0.start().col)
    }

    /// Where the block must stand: `(row, col)`.
    #[getter]
    fn target(&self) -> (i32, i32) {
        (self.0.target().row, self.0.target().col)
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// What is at a cell, on the board or off it: 2 a tile, 1 a light tile, 0 nothing.
    fn at(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        let [row, col] = array::any_cell("cell", cell)?;
        let near = |n: i64| n.clamp(-1, i64::from(i32::MAX)) as i32;
        Ok(self.0.at(Cell::new(near(row), near(col))))
    }

    /// Whether a block rests safely here.
    fn can_hold(&self, block: &PyBlock) -> bool {
        self.0.can_hold(block.0)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf // it never changes
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
