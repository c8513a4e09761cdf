//! MyPhoton in Python: the shared class and what it has beyond that.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::batch::{Maker, asks, ingredient};
use super::game::{Spoken, game_class};
use super::long::long;
use crate::core::{Budget, Cell, Error, Game};
use crate::photon::generate::{Recipe, generate};
use crate::photon::{BadCode, LIT, MyPhoton, Tile, trace_many};

game_class!(MyPhotonCore, MyPhoton, "MyPhoton");
super::batch::batch_class!(MyPhotonBatch, MyPhoton, MyPhotonCore, maker);

/// How many boards one seed of a batch may try.
const BOARDS: u64 = 10_000;

/// Puzzles for the episodes of a batch; those that have to be solved first are none of these.
fn maker(order: &Bound<'_, PyDict>) -> PyResult<Option<Maker<MyPhoton>>> {
    if asks(order, &["unique", "swaps", "limit", "progress"])? {
        return Ok(None);
    }
    let number = |name| whole(name, &ingredient(order, name)?);
    let recipe = Recipe {
        height: number("height")?,
        width: number("width")?,
        lasers: number("lasers")?,
        sensors: number("sensors")?,
        mirrors: number("mirrors")?,
        splitters: number("splitters")?,
        tmirrors: number("tmirrors")?,
        walls: ingredient(order, "walls")?.extract()?,
        unique: false,
        swaps: None,
    };
    let make = move |seed| generate(&recipe, seed, &mut Budget::new("boards", Some(BOARDS), None));
    let first = match make(0) {
        Ok(game) => game,
        Err(error @ Error::Invalid(_)) => return Err(error.into()),
        // Too rare a puzzle to be looked for between two steps.
        Err(_) => return Ok(None),
    };
    Ok(Some(Arc::new(move |seed| make(seed).unwrap_or_else(|_| first.clone()))))
}

impl Spoken for MyPhoton {}

/// Gives the board codes of MyPhoton by their names.
#[pyfunction]
pub(super) fn photon_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, tile) in Tile::ALL {
        found.set_item(name, tile.code())?;
    }
    found.set_item("LIT", LIT)?;
    Ok(found)
}

/// About how many cells are looked at between two looks for Ctrl-C.
const PIECE: usize = 1 << 23;

/// Traces many boards: the lit sensors `(n, H, W)` bool, and the laserlets `(n, H, W)` uint8 where `beams` is set.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::needless_pass_by_value)] // the arrays of one call, handed over and given
pub(super) fn photon_trace_many<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'py, u8>,
    beams: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyArray3<bool>>, Option<Bound<'py, PyArray3<u8>>>)> {
    let shape = boards.as_array().dim();
    let cells =
        boards.as_slice().map_err(|_| PyValueError::new_err("boards: not C-contiguous, wanted it so".to_owned()))?;
    let (mut lit, mut lets) = (vec![false; cells.len()], vec![0; if beams { cells.len() } else { 0 }]);
    let size = shape.1 * shape.2;
    let step = (PIECE / size.max(1)).max(1) * size.max(1);
    let traced = long(py, "boards", None, progress, |budget| {
        for first in (0..cells.len()).step_by(step) {
            let part = first..cells.len().min(first + step);
            let lets = if beams { &mut lets[part.clone()] } else { &mut [] };
            let done = trace_many(&cells[part.clone()], shape.1, shape.2, &mut lit[part.clone()], lets);
            if let Err(BadCode { index, code }) = done {
                return Ok(Err(BadCode { index: first + index, code }));
            }
            budget.spend((part.len() / size) as u64)?;
            budget.pause()?;
        }
        Ok(Ok(()))
    })?;
    traced.map_err(|BadCode { index, code }| {
        let (board, cell) = (index / size, index % size);
        let (row, col) = (cell / shape.2, cell % shape.2);
        PyValueError::new_err(format!(
            "code {code} in board {board} at row {row}, col {col}, wanted 0 to 17, or 46 to 49 for lit sensors"
        ))
    })?;
    let lit = PyArray1::from_vec(py, lit).reshape([shape.0, shape.1, shape.2])?;
    let lets = beams.then(|| PyArray1::from_vec(py, lets).reshape([shape.0, shape.1, shape.2])).transpose()?;
    Ok((lit, lets))
}

/// Reads a whole number that is not negative.
fn whole(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let wrong =
        |found: &str| PyValueError::new_err(format!("{name} {found}, wanted a whole number from 0 to 2^63 - 1"));
    let index = value.call_method0("__index__").map_err(|_| wrong(&array::shown(value)))?;
    match index.extract::<i64>() {
        Ok(number) if number >= 0 => Ok(number as usize),
        _ => Err(wrong(&array::shown(&index))),
    }
}

/// Reads a whole number that is not negative; beyond 63 bits it is as good as no bound at all.
fn bound(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole(name, value).or_else(|error| {
        let index = value.call_method0("__index__").ok();
        if index.is_some_and(|index| index.gt(0).unwrap_or(false)) { Ok(usize::MAX) } else { Err(error) }
    })
}

/// Makes a new puzzle and gives its text.
#[pyfunction]
#[pyo3(signature = (sizes, counts, walls, unique, swaps, seed, limit, progress))]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // the options of one call, named in Python
pub(super) fn photon_generate(
    py: Python<'_>,
    sizes: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    counts: [Bound<'_, PyAny>; 5],
    walls: f64,
    unique: bool,
    swaps: Option<Bound<'_, PyAny>>,
    seed: Option<Bound<'_, PyAny>>,
    limit: Option<array::Counted<u64>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let limit = limit.map(|limit| limit.0);
    let names = ["lasers", "sensors", "mirrors", "splitters", "tmirrors"];
    let mut numbers = [0; 5];
    for ((number, name), value) in numbers.iter_mut().zip(names).zip(&counts) {
        *number = whole(name, value)?;
    }
    let [lasers, sensors, mirrors, splitters, tmirrors] = numbers;
    let (height, width) = (whole("height", &sizes.0)?, whole("width", &sizes.1)?);
    let swaps = swaps.map(|swaps| whole("swaps", &swaps)).transpose()?;
    let recipe = Recipe { height, width, lasers, sensors, mirrors, splitters, tmirrors, walls, unique, swaps };
    let seed = array::seed(seed.as_ref())?;
    long(py, "boards", limit, progress.as_ref(), move |budget| Ok(generate(&recipe, seed, budget)?.text()))
}

fn tuple(mv: [i32; 4]) -> (i32, i32, i32, i32) {
    let [row, col, to_row, to_col] = mv;
    (row, col, to_row, to_col)
}

impl MyPhotonCore {
    /// Reads two cells of the board as a move, the piece first where it is given last.
    fn pair(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<[i32; 4]> {
        let py = a.py();
        let (height, width) = self.0.shape(py);
        let (a, b) = (array::cell("a", a, height, width)?, array::cell("b", b, height, width)?);
        let there = [a.row, a.col, b.row, b.col];
        let back = [b.row, b.col, a.row, a.col];
        let history = self.0.lock(py);
        let fits = |mv| history.state().check(mv).is_ok();
        Ok(if !fits(there) && fits(back) { back } else { there })
    }
}

#[pymethods]
impl MyPhotonCore {
    /// Laserlets: a fresh `(height, width)` uint8 array, one bit a side of each tile, N=1 E=2 S=4 W=8.
    #[getter]
    fn beams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let history = self.0.lock(py);
        let game = history.state();
        let mut cells = vec![0; game.height() * game.width()];
        game.write_beams(&mut cells);
        array::matrix(py, game.height(), game.width(), cells)
    }

    /// Sensors that are triggered: a fresh `(height, width)` bool array.
    #[getter]
    fn lit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let history = self.0.lock(py);
        let game = history.state();
        let mut cells = vec![false; game.height() * game.width()];
        game.write_lit(&mut cells);
        array::matrix(py, game.height(), game.width(), cells)
    }

    /// Cells of the sensors: a fresh `(n, 2)` int32 array, row-major.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py).state().sensors())
    }

    /// Cells of the lasers: a fresh `(n, 2)` int32 array, row-major.
    #[getter]
    fn lasers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py).state().lasers())
    }

    /// Cells of the pieces that can be moved: a fresh `(n, 2)` int32 array, row-major.
    #[getter]
    fn hardware<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py).state().hardware())
    }

    /// Traces the light anew, head by head, in the order in which heads are taken from the set.
    ///
    /// Gives a dict of int32 columns, a row a head: `row`, `col` of the tile that it tries to enter, `heading` (N E S W =
    /// 0..3), `order`, and `parent`, the row of the head that it came from, -1 for lasers.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let steps = self.0.state(py).trace();
        let columns = PyDict::new(py);
        for (name, column) in [
            ("row", steps.row),
            ("col", steps.col),
            ("heading", steps.heading),
            ("order", steps.order),
            ("parent", steps.parent),
        ] {
            columns.set_item(name, PyArray1::from_vec(py, column))?;
        }
        Ok(columns)
    }

    /// Whether the player may take up what stands on a cell: whether it is hardware.
    ///
    /// A cell off the board raises `Error`.
    fn can_select(&self, cell: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = cell.py();
        let (height, width) = self.0.shape(py);
        let cell: Cell = array::cell("cell", cell, height, width)?;
        Ok(self.0.lock(py).state().can_select(cell))
    }

    /// Whether the contents of two cells may be exchanged now, in whatever order they are named.
    fn can_swap(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.pair(a, b)?;
        Ok(crate::core::game::is_legal(self.0.lock(a.py()).state(), mv))
    }

    /// Exchanges the contents of two cells, in whatever order they are named: plays that move.
    ///
    /// Raises `IllegalMoveError` where the rules refuse it.
    fn swap(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = self.pair(a, b)?;
        self.0.lock(a.py()).play(mv)?;
        Ok(())
    }

    /// Finds a shortest list of swaps that lights all sensors; `None` where it is proved that there is none.
    ///
    /// A list of `(row, col, row, col)`. With `max_swaps`, `None` says that none is that short. With `fewest=False` the
    /// first solution found, much sooner on large boards. Raises `SearchLimitError` after `limit` nodes of the search.
    /// `progress` is called with the nodes so far.
    #[pyo3(signature = (max_swaps=None, limit=None, *, fewest=true, progress=None))]
    #[allow(clippy::type_complexity)] // a list of moves
    fn solve(
        &self,
        py: Python<'_>,
        max_swaps: Option<&Bound<'_, PyAny>>,
        limit: Option<array::Counted<u64>>,
        fewest: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<(i32, i32, i32, i32)>>> {
        let limit = limit.map(|limit| limit.0);
        let most = max_swaps.map(|most| bound("max_swaps", most)).transpose()?;
        let game = self.0.state(py);
        let found = long(py, "nodes", limit, progress, move |budget| {
            if fewest || most.is_some() { game.solve(most, budget) } else { game.solve_any(budget) }
        })?;
        Ok(found.map(|moves| moves.into_iter().map(tuple).collect()))
    }

    /// Gives the next swap of a shortest solution; `None` where the game is won or cannot be won.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn hint(
        &self,
        py: Python<'_>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(i32, i32, i32, i32)>> {
        let limit = limit.map(|limit| limit.0);
        let game = self.0.state(py);
        let found = long(py, "nodes", limit, progress, move |budget| game.solve(None, budget))?;
        Ok(found.and_then(|moves| moves.first().copied().map(tuple)))
    }

    /// Counts the placements of the hardware that light all sensors, up to `limit`.
    ///
    /// The position itself counts where it is one. `limit=None` counts all, up to 2^64 - 1. Raises `SearchLimitError`
    /// after `nodes` nodes of the search.
    #[pyo3(
        signature = (limit=Some(array::Counted(2)), *, nodes=None, progress=None),
        text_signature = "($self, limit=2, *, nodes=None, progress=None)"
    )]
    fn count_solutions(
        &self,
        py: Python<'_>,
        limit: Option<array::Counted<u64>>,
        nodes: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let (limit, nodes) = (limit.map_or(u64::MAX, |limit| limit.0), nodes.map(|nodes| nodes.0));
        let game = self.0.state(py);
        long(py, "nodes", nodes, progress, move |budget| game.count_solutions(limit, budget))
    }

    /// Says how hard the puzzle is: the fewest swaps, the nodes of the search that proved it, and their product.
    ///
    /// A dict with `swaps`, `nodes` and `difficulty`; `None` where it is proved that there is no solution. Raises
    /// `SearchLimitError` after `limit` nodes.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn rate<'py>(
        &self,
        py: Python<'py>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let limit = limit.map(|limit| limit.0);
        let game = self.0.state(py);
        let work = move |budget: &mut Budget<'_>| -> Result<_, Error> { game.rate(budget) };
        let Some(rating) = long(py, "nodes", limit, progress, work)? else {
            return Ok(None);
        };
        let found = PyDict::new(py);
        found.set_item("swaps", rating.swaps)?;
        found.set_item("nodes", rating.nodes)?;
        found.set_item("difficulty", rating.difficulty())?;
        Ok(Some(found))
    }
}
