//! MyPhoton in Python: the members that the game has beyond the shared ones, new puzzles, and tracing of many boards.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::game::{MoveNotation, game_class};
use super::generator::{PositionGenerator, asks_for_any, parameter};
use super::long::long;
use crate::core::game::{is_legal, probe};
use crate::core::grid::MAX_CELLS as MAX_SIDE;
use crate::core::text::check_size;
use crate::core::{Budget, Cell, Error, Game, memory, rng};
use crate::photon::advice::Advice;
use crate::photon::generate::{Recipe, generate};
use crate::photon::reason::Rule;
use crate::photon::{LIT, MyPhoton, Tile, trace_many};

game_class!(MyPhotonCore, MyPhoton, "MyPhoton");
super::batch::batch_class!(MyPhotonBatch, MyPhoton, MyPhotonCore, generator);

/// The number of seeds that are tried before a batch generates in Rust, and the budget of each, in which a board costs
/// 1, plus 1 per 256 cells.
const PROBES: (u64, u64) = (8, 200);

/// Reads the parameters of `generate` that make up the recipe. `get` returns the argument with a given name. A count
/// that is `None` gets a default with which puzzles of the grade are common.
fn recipe<'py>(get: impl Fn(&str) -> PyResult<Bound<'py, PyAny>>) -> PyResult<Recipe> {
    let given = |name: &str| Ok::<_, PyErr>(Some(get(name)?).filter(|value| !value.is_none()));
    let size = |name: &str| array::size(name, &get(name)?, 1, MAX_SIDE);
    let grade = given("difficulty")?.map(|grade| array::size("difficulty", &grade, 1, 5)).transpose()?.map(|n| n as u8);
    let plain = Recipe::graded(size("height")?, size("width")?, grade);
    let count = |name: &str, otherwise: usize| match given(name)? {
        Some(value) => array::size(name, &value, 0, usize::MAX),
        None => Ok(otherwise),
    };
    Ok(Recipe {
        lasers: count("lasers", plain.lasers)?,
        sensors: count("sensors", plain.sensors)?,
        mirrors: count("mirrors", plain.mirrors)?,
        splitters: count("splitters", plain.splitters)?,
        tmirrors: count("tmirrors", plain.tmirrors)?,
        walls: array::real("walls", &get("walls")?, 0.0..=1.0)?,
        unique: array::flag("unique", &get("unique")?)?,
        swaps: given("swaps")?.map(|swaps| array::size("swaps", &swaps, 1, usize::MAX)).transpose()?,
        ..plain
    })
}

/// Returns a function that generates the puzzles of a batch, or `None` if generating a puzzle between two steps would
/// be too slow or too likely to fail; Python then calls `generate`, which raises an error if it finds no puzzle.
fn generator(parameters: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<MyPhoton>>> {
    if asks_for_any(parameters, &["unique", "swaps", "difficulty", "limit", "progress"])? {
        return Ok(None);
    }
    let recipe = recipe(|name| parameter(parameters, name))?;
    let mut first = None;
    for seed in 0..PROBES.0 {
        match generate(&recipe, seed, &mut Budget::new("steps", Some(PROBES.1), None)) {
            Ok(game) => {
                first.get_or_insert(game);
            }
            Err(error @ Error::Invalid(_)) => return Err(error.into()),
            Err(_) => return Ok(None),
        }
    }
    let Some(first) = first else { return Ok(None) };
    Ok(Some(Arc::new(move |seed| {
        let mut seed = seed;
        loop {
            // A recipe that passes the probes practically never fails within the 20,000 boards of a seed. If it does,
            // another seed is tried, because a generator must return a board. If memory runs out, the board of seed 0
            // is returned.
            match generate(&recipe, seed, &mut Budget::unlimited()) {
                Ok(game) => return game,
                Err(Error::Memory(_)) => return first.clone(),
                Err(_) => seed = rng::mix(seed),
            }
        }
    })))
}

impl MoveNotation for MyPhoton {}

/// Returns the board codes of MyPhoton by name.
#[pyfunction]
pub(super) fn photon_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, tile) in Tile::ALL {
        found.set_item(name, tile.code())?;
    }
    found.set_item("LIT", LIT)?;
    Ok(found)
}

/// Traces many boards. Returns the lit sensors, an `(n, height, width)` bool array, and, if `beams` is `True`, the
/// laserlets, an `(n, height, width)` uint8 array.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::needless_pass_by_value)] // the arrays of one call
pub(super) fn photon_trace_many<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'py, u8>,
    beams: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyArray3<bool>>, Option<Bound<'py, PyArray3<u8>>>)> {
    let beams = array::flag("beams", beams)?;
    let (n, height, width) = boards.as_array().dim();
    let cells = boards
        .as_slice()
        .map_err(|_| PyValueError::new_err("boards must be C-contiguous, got another memory layout"))?;
    if !cells.is_empty() && height * width > MAX_SIDE {
        return Err(PyValueError::new_err(format!(
            "boards must have at most {MAX_SIDE} cells each, got {height} * {width}"
        )));
    }
    memory::probe(2 * cells.len(), "the light of these boards")?;
    let (mut lit, mut lets) = (vec![false; cells.len()], vec![0; if beams { cells.len() } else { 0 }]);
    long(py, "boards", None, progress, |budget| trace_many(cells, height, width, &mut lit, &mut lets, budget))?;
    let lit = PyArray1::from_vec(py, lit).reshape([n, height, width])?;
    let lets = beams.then(|| PyArray1::from_vec(py, lets).reshape([n, height, width])).transpose()?;
    Ok((lit, lets))
}

/// Generates a puzzle and returns its text. `parameters` holds the arguments of `MyPhoton.generate` by name.
#[pyfunction]
pub(super) fn photon_generate(py: Python<'_>, parameters: &Bound<'_, PyDict>) -> PyResult<String> {
    let recipe = recipe(|name| parameter(parameters, name))?;
    let given = |name| Ok::<_, PyErr>(Some(parameter(parameters, name)?).filter(|value| !value.is_none()));
    let (seed, limit, progress) = (given("seed")?, given("limit")?, given("progress")?);
    let seed = array::seed(seed.as_ref())?;
    let limit = array::limit(limit.as_ref())?;
    check_size(recipe.height, recipe.width)?;
    memory::probe(recipe.height * recipe.width * memory::PER_CELL, "a board of this size")?;
    long(py, "steps", limit, progress.as_ref(), move |budget| Ok(generate(&recipe, seed, budget)?.text()))
}

/// Returns the text of a board of empty tiles.
#[pyfunction]
pub(super) fn photon_blank(height: &Bound<'_, PyAny>, width: &Bound<'_, PyAny>) -> PyResult<String> {
    let (height, width) = (array::size("height", height, 1, MAX_SIDE)?, array::size("width", width, 1, MAX_SIDE)?);
    check_size(height, width)?;
    memory::probe(height * width * memory::PER_CELL, "a board of this size")?;
    Ok(MyPhoton::blank(height, width)?.text())
}

fn tuple(mv: [i32; 4]) -> (i32, i32, i32, i32) {
    let [row, col, to_row, to_col] = mv;
    (row, col, to_row, to_col)
}

impl MyPhotonCore {
    /// Reads two cells of the board as a move. Returns the move from `a` to `b`, or the move from `b` to `a` if the
    /// rules allow only the latter.
    fn pair(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<[i32; 4]> {
        let py = a.py();
        let (height, width) = self.0.shape(py)?;
        let (a, b) = (array::cell("a", a, height, width)?, array::cell("b", b, height, width)?);
        let there = [a.row, a.col, b.row, b.col];
        let back = [b.row, b.col, a.row, a.col];
        let history = self.0.lock(py)?;
        let fits = |mv| history.state().check(mv).is_ok();
        Ok(if !fits(there) && fits(back) { back } else { there })
    }
}

#[pymethods]
impl MyPhotonCore {
    /// The laserlets, which are light between the center of a tile and one of its sides: a fresh `(height, width)`
    /// uint8 array, one bit per side of each tile, N=1 E=2 S=4 W=8.
    #[getter]
    fn beams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let history = self.0.lock(py)?;
        let game = history.state();
        probe(game, "the beams")?;
        let mut cells = memory::filled(0, game.height() * game.width(), "the beams")?;
        game.write_beams(&mut cells);
        array::matrix(py, game.height(), game.width(), cells)
    }

    /// Whether each cell holds a lit sensor: a fresh `(height, width)` bool array.
    #[getter]
    fn lit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let history = self.0.lock(py)?;
        let game = history.state();
        probe(game, "the lit sensors")?;
        let mut cells = memory::filled(false, game.height() * game.width(), "the lit sensors")?;
        game.write_lit(&mut cells);
        array::matrix(py, game.height(), game.width(), cells)
    }

    /// The cells of the sensors: a fresh `(n, 2)` int32 array, in row-major order.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py)?.state().sensors())
    }

    /// The cells of the lasers: a fresh `(n, 2)` int32 array, in row-major order.
    #[getter]
    fn lasers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py)?.state().lasers())
    }

    /// The cells of the hardware: a fresh `(n, 2)` int32 array, in row-major order.
    #[getter]
    fn hardware<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::cells(py, self.0.lock(py)?.state().hardware())
    }

    /// Traces the light from scratch, head by head. A head is light about to enter a tile with a heading. Heads wait in
    /// a queue, first in, first out; a head that was taken before is skipped.
    ///
    /// Returns a dict of int32 columns, one row per head that was taken: `row` and `col` of the tile that the head
    /// tries to enter, `heading` (N E S W = 0..3), `order`, the number of heads taken before it, and `parent`, the
    /// `order` of the head that it came from, -1 for the first head of a laser.
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let steps = self.0.state(py)?.trace()?;
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

    /// Returns `True` if a cell holds hardware, which the player may move.
    ///
    /// * `cell`: the cell `(row, col)`. A cell off the board raises `MoveError`.
    fn can_select(&self, cell: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = cell.py();
        let (height, width) = self.0.shape(py)?;
        let cell: Cell = array::cell("cell", cell, height, width)?;
        Ok(self.0.lock(py)?.state().can_select(cell))
    }

    /// Returns `True` if the contents of two cells may be exchanged now.
    ///
    /// * `a`, `b`: the cells `(row, col)`, in either order. A cell off the board raises `MoveError`.
    fn can_swap(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = self.pair(a, b)?;
        Ok(is_legal(self.0.lock(a.py())?.state(), mv))
    }

    /// Plays the move that exchanges the contents of two cells.
    ///
    /// * `a`, `b`: the cells `(row, col)`, in either order. A cell off the board raises `MoveError`.
    ///
    /// Raises `IllegalMoveError` if the rules refuse the move.
    fn swap(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = self.pair(a, b)?;
        self.0.change(a.py(), |history| {
            history.play(mv)?;
            Ok(())
        })
    }

    /// Finds a shortest list of swaps that lights all sensors. The game is unchanged.
    ///
    /// * `max_swaps`: the largest number of swaps, an integer from 0 to 2^64 - 1; `None`, the default, for any number.
    /// * `limit`: the most nodes that the search may visit, an integer from 0 to 2^64 - 1; `None`, the default, for no
    ///   limit. A node counts once more for each 2048 cells of the board.
    /// * `fewest`: `True`, the default, for a shortest answer; `False` for the first answer found, which is not always
    ///   a shortest one but is found much sooner on large boards. Ignored if `max_swaps` is given.
    /// * `progress`: a callable that receives the number of nodes so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Returns a list of moves `(row, col, row, col)`, empty if all sensors are lit. `None` means that the search has
    /// proved that there is no answer, or no answer of at most `max_swaps` swaps; a board without sensors has no
    /// answer. Raises `SearchLimitError` if `limit` is reached, or if the board has more than 2^22 cells or more than
    /// 65,534 pieces.
    #[pyo3(signature = (max_swaps=None, limit=None, *, fewest=true, progress=None))]
    #[allow(clippy::type_complexity)] // a list of moves
    fn solve(
        &self,
        py: Python<'_>,
        max_swaps: Option<&Bound<'_, PyAny>>,
        limit: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = fewest)] fewest: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<(i32, i32, i32, i32)>>> {
        let limit = array::limit(limit)?;
        let most = max_swaps.map(|most| array::unsigned("max_swaps", most, 0)).transpose()?;
        let most = most.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        let found = self.0.work(py, "nodes", limit, progress, move |game, budget| {
            if fewest || most.is_some() { game.solve(most, budget) } else { game.solve_any(budget) }
        })?;
        Ok(found.map(|moves| moves.into_iter().map(tuple).collect()))
    }

    /// Returns the first move of a shortest answer, a fresh `(4,)` int32 array, or `None` if the game is won or there
    /// is no answer.
    ///
    /// * `limit`: the most nodes that the search may visit, an integer from 0 to 2^64 - 1; `None`, the default, for no
    ///   limit. A node counts once more for each 2048 cells of the board.
    /// * `progress`: a callable that receives the number of nodes so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Raises `SearchLimitError` if `limit` is reached, or if the board has more than 2^22 cells or more than 65,534
    /// pieces.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn hint<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<i32>>>> {
        let limit = array::limit(limit)?;
        let found = self.0.work(py, "nodes", limit, progress, move |game, budget| game.solve(None, budget))?;
        Ok(found.and_then(|moves| moves.first().map(|mv| PyArray1::from_slice(py, mv))))
    }

    /// Counts the placements of the hardware that light all sensors. The current placement is counted too if it lights
    /// them.
    ///
    /// * `most`: the number at which counting ends, an integer from 0 to 2^64 - 1. With 2, the default, a result of 1
    ///   means that the solution is unique.
    /// * `limit`: the most nodes that the search may visit, an integer from 0 to 2^64 - 1; `None`, the default, for no
    ///   limit. A node counts once more for each 2048 cells of the board.
    /// * `progress`: a callable that receives the number of nodes so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Raises `SearchLimitError` if `limit` is reached, or if the board has more than 2^22 cells or more than 65,534
    /// pieces.
    #[pyo3(signature = (most=2, *, limit=None, progress=None))]
    fn count_solutions(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = array::most)] most: u64,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let limit = array::limit(limit)?;
        self.0.work(py, "nodes", limit, progress, move |game, budget| game.count_solutions(most, budget))
    }

    /// Reasons about the puzzle and returns a dict: `rule`, the name of a rule; `move`, the move to make, or `None` if
    /// the position already satisfies the step of the reasoning or no move serves that step; and, unless the move comes
    /// from a search, the `sensor`, `choices`, `empty` and `piece` of the step. Returns `None` if there is no advice.
    /// The class in Python puts the dict into words.
    #[pyo3(name = "_advise", signature = (cell, limit, progress))]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        cell: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (height, width) = self.0.shape(py)?;
        let about = cell.map(|cell| array::cell("cell", cell, height, width)).transpose()?;
        let limit = array::limit(limit)?;
        let advice = self.0.work(py, "nodes", limit, progress, move |game, budget| {
            let reasoning = game.reason(budget)?;
            game.advise(&reasoning, about, budget)
        })?;
        let Some(Advice { rule, step, mv }) = advice else { return Ok(None) };
        let found = PyDict::new(py);
        found.set_item("rule", Rule::ALL[rule as usize].0)?;
        found.set_item("move", mv.map(tuple))?;
        if let Some(step) = step {
            let pair = |cell: Cell| (cell.row, cell.col);
            found.set_item("sensor", pair(step.sensor))?;
            found.set_item("choices", step.choices)?;
            found.set_item("empty", step.empty.iter().map(|&cell| pair(cell)).collect::<Vec<_>>())?;
            found.set_item("piece", step.piece.map(|(cell, tile)| (pair(cell), tile.code())))?;
        }
        Ok(Some(found))
    }

    /// Grades the puzzle. Returns the grade, a dict of the rules used and a dict of measures, or `None` if there are no
    /// sensors or no solution.
    #[pyo3(name = "_assess", signature = (limit, progress))]
    #[allow(clippy::type_complexity)] // the three parts of a Difficulty
    fn assess<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(u8, Bound<'py, PyDict>, Bound<'py, PyDict>)>> {
        let limit = array::limit(limit)?;
        let Some(found) = self.0.work(py, "nodes", limit, progress, MyPhoton::assess)? else {
            return Ok(None);
        };
        let (rules, measures) = (PyDict::new(py), PyDict::new(py));
        for ((name, _), count) in Rule::ALL.iter().zip(found.rules).filter(|&(_, count)| count > 0) {
            rules.set_item(name, count)?;
        }
        for (name, value) in [("swaps", found.swaps), ("turns", found.turns), ("decoys", found.decoys)] {
            measures.set_item(name, value)?;
        }
        Ok(Some((found.grade, rules, measures)))
    }
}

fn fewest(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    array::flag("fewest", value)
}
