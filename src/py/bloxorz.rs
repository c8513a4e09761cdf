//! Bloxorz in Python: the members that the game has beyond the shared ones, and two classes of the source document.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use super::array::{self, Argument};
use super::error::not_a_move;
use super::game::{MoveNotation, SharedGame, game_class};
use super::long::long;
use crate::bloxorz::{Block, Bloxorz, CODES, Coverage, KEYS, Landmark, Level, Minimize, Recipe, Rule, SWITCH_KEY};
use crate::core::grid::MAX_CELLS;
use crate::core::text::check_size;
use crate::core::{Budget, Cell, Dir, Error, Game, memory};

game_class!(BloxorzCore, Bloxorz, "Bloxorz");
super::batch::batch_class!(BloxorzBatch, Bloxorz, BloxorzCore);

impl MoveNotation for Bloxorz {
    const COORDINATE: &'static str = "an integer or a string of the letters l, u, r, d and s";

    fn read_moves(text: &Bound<'_, PyString>) -> PyResult<Option<Vec<[i32; 1]>>> {
        let text = text.to_string_lossy();
        memory::probe(text.len().saturating_mul(memory::PER_CELL), "the keys")?;
        let read = |(i, letter): (usize, char)| match KEYS.iter().position(|&key| key == letter.to_ascii_lowercase()) {
            Some(key) => Ok([key as i32]),
            // In the original game the space bar switches cubes.
            None if letter == ' ' => Ok([SWITCH_KEY]),
            None => Err(not_a_move(format!("key {} must be l, u, r, d or s, got {letter:?}", i + 1))),
        };
        text.chars().enumerate().map(read).collect::<PyResult<_>>().map(Some)
    }
}

/// Returns the board codes of Bloxorz by their names.
#[pyfunction]
pub(super) fn bloxorz_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in CODES {
        found.set_item(name, code)?;
    }
    Ok(found)
}

/// Returns keys as a string of letters.
fn letters(keys: &[u8]) -> String {
    keys.iter().map(|&key| KEYS[key as usize]).collect()
}

/// The arguments `minimize`, `limit` and `progress` of a search.
struct Search<'a, 'py> {
    minimize: Minimize,
    limit: Option<u64>,
    progress: Option<&'a Bound<'py, PyAny>>,
}

impl<'a, 'py> Search<'a, 'py> {
    fn new(
        minimize: Argument<'_, 'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&'a Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let words = [("rolls", Minimize::Rolls), ("keys", Minimize::Keys)];
        let minimize = minimize.or(Minimize::Rolls, |word| array::choice("minimize", word, &words))?;
        Ok(Self { minimize, limit: array::limit(limit)?, progress })
    }

    /// Runs a search with the interpreter lock released.
    fn run<T: Send>(
        self,
        py: Python<'py>,
        work: impl FnOnce(Minimize, &mut Budget<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let minimize = self.minimize;
        long(py, "states", self.limit, self.progress, move |budget| work(minimize, budget))
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
impl BloxorzCore {
    /// The occupied cells: a fresh `(n, 2)` int32 array; n is 1 if the block stands and 2 otherwise. The upper or left
    /// cell of a lying block, or the cell of the cube in control of a split block, comes first.
    #[getter]
    fn block<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let block = self.0.lock(py)?.state().block();
        array::cells(py, block.cells())
    }

    /// Whether the block is split into two cubes.
    #[getter]
    fn is_split(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.lock(py)?.state().block().is_split())
    }

    /// The bridges: a dict from letter to bool, `True` if the bridge is on.
    #[getter]
    fn bridges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = self.0.state(py)?;
        let found = PyDict::new(py);
        for letter in (0..26u8).filter(|letter| game.level().bridges() >> letter & 1 == 1) {
            found.set_item(char::from(b'a' + letter), game.bridges() >> letter & 1 == 1)?;
        }
        Ok(found)
    }

    /// The number of falls of the block since this game was created; undoing a fall subtracts one.
    #[getter]
    fn falls(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.state().falls())
    }

    /// The number of keys played so far that were rolls: all but `s`. The source document counts these as moves.
    #[getter]
    fn rolls(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.moves().filter(|[key]| *key != SWITCH_KEY).count())
    }

    /// The cell on which the block must stand to win: `(row, col)`.
    #[getter]
    fn target(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let cell = self.0.lock(py)?.state().level().target();
        Ok((cell.row, cell.col))
    }

    /// The cell on which the block stands at the start of the level: `(row, col)`.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let cell = self.0.lock(py)?.state().level().start();
        Ok((cell.row, cell.col))
    }

    /// Finds a shortest solution from the current position, in which the block never falls. The game is unchanged.
    ///
    /// * `minimize`: `"rolls"` (the default) for the fewest rolls and, among such solutions, the fewest keys; `"keys"`
    ///   for the fewest keys, including switches between cubes, and, among such solutions, the fewest rolls.
    /// * `limit`: the most states to examine, 0 to 2^64 - 1; `None`, the default, for no limit. A state counts each
    ///   time it is examined.
    /// * `progress`: a callable that receives the number of states so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Returns a string of keys, empty if the game is won, or `None` if the search proves that there is no solution.
    /// Raises `SearchLimitError` if the limit is reached first, or if a state cannot be packed into 63 bits.
    #[pyo3(
        signature = (*, minimize=array::ABSENT, limit=None, progress=None),
        text_signature = "($self, *, minimize='rolls', limit=None, progress=None)"
    )]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        minimize: Argument<'_, 'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<String>> {
        let search = Search::new(minimize, limit, progress)?;
        let game = self.0.state(py)?;
        let keys = search.run(py, move |minimize, budget| game.solve(minimize, budget))?;
        Ok(keys.as_deref().map(letters))
    }

    /// Returns the first move of a shortest solution from the current position: a `(1,)` int32 array, like a row of
    /// `legal_moves`.
    ///
    /// Playing hint after hint solves the level from any position that has a solution. Returns `None` if the game is
    /// won or if the search proves that no solution is left. The arguments and errors are those of `solve`.
    #[pyo3(
        signature = (*, minimize=array::ABSENT, limit=None, progress=None),
        text_signature = "($self, *, minimize='rolls', limit=None, progress=None)"
    )]
    fn hint<'py>(
        &self,
        py: Python<'py>,
        minimize: Argument<'_, 'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<i32>>>> {
        let search = Search::new(minimize, limit, progress)?;
        let game = self.0.state(py)?;
        let keys = search.run(py, move |minimize, budget| game.solve(minimize, budget))?;
        Ok(keys.and_then(|keys| keys.first().map(|&key| PyArray1::from_vec(py, vec![i32::from(key)]))))
    }

    /// Counts the shortest solutions from the current position. Returns 1 if the game is won, and 0 if the search
    /// proves that there is no solution.
    ///
    /// The arguments are those of `solve`. Raises `SearchLimitError` as `solve` does, and if there are 2^128 solutions
    /// or more.
    #[pyo3(
        signature = (*, minimize=array::ABSENT, limit=None, progress=None),
        text_signature = "($self, *, minimize='rolls', limit=None, progress=None)"
    )]
    fn count_shortest<'py>(
        &self,
        py: Python<'py>,
        minimize: Argument<'_, 'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<u128> {
        let search = Search::new(minimize, limit, progress)?;
        let game = self.0.state(py)?;
        search.run(py, move |minimize, budget| game.count_shortest(minimize, budget))
    }

    /// Returns the columns of `state_graph` by their names.
    fn _state_graph<'py>(
        &self,
        py: Python<'py>,
        minimize: Argument<'_, 'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let search = Search::new(minimize, limit, progress)?;
        let game = self.0.state(py)?;
        let graph = search.run(py, move |minimize, budget| game.state_graph(minimize, budget))?;
        // A pair of cells takes as many bytes as a block, so `collect` reuses the memory of the list.
        let cells = |block: Block| [block.first(), block.second()].map(|cell| [cell.row, cell.col]);
        let block: Vec<[[i32; 2]; 2]> = graph.block.into_iter().map(cells).collect();
        let found = PyDict::new(py);
        found.set_item("block", array::shaped(py, &[block.len(), 2, 2], block.into_flattened().into_flattened())?)?;
        found.set_item("indptr", array::shaped(py, &[graph.indptr.len()], graph.indptr)?)?;
        found.set_item("indices", array::shaped(py, &[graph.indices.len()], graph.indices)?)?;
        found.set_item("key", array::shaped(py, &[graph.key.len()], graph.key)?)?;
        found.set_item("depth", array::shaped(py, &[graph.depth.len()], graph.depth)?)?;
        found.set_item("distance", array::shaped(py, &[graph.distance.len()], graph.distance)?)?;
        found.set_item("bridges", array::shaped(py, &[graph.bridges.len()], graph.bridges)?)?;
        Ok(found)
    }

    /// Returns the parts of the reason for the next keys, which `Bloxorz.explain` puts into words, or `None` if the
    /// game is won.
    fn _explain<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let limit = array::limit(limit)?;
        let Some(reason) = self.0.work(py, "states", limit, progress, Bloxorz::explain)? else {
            return Ok(None);
        };
        let cells = |block: Block| block.cells().map(|cell| (cell.row, cell.col)).collect::<Vec<_>>();
        let names = |bits: u32| {
            (0..26u8)
                .filter(|letter| bits >> letter & 1 == 1)
                .map(|letter| char::from(b'a' + letter))
                .collect::<String>()
        };
        let found = PyDict::new(py);
        found.set_item("rule", reason.rule.name())?;
        found.set_item("keys", letters(&reason.keys))?;
        found.set_item("states", reason.states)?;
        found.set_item("opens", names(reason.opens))?;
        let dead_ends = reason.dead_ends.iter().map(|end| (cells(end.block), KEYS[end.key as usize]));
        found.set_item("dead_ends", dead_ends.collect::<Vec<_>>())?;
        let landmark = match reason.landmark {
            None => (None, Vec::new(), String::new()),
            Some(Landmark::Target) => {
                (Some("target"), cells(Block::standing(self.0.state(py)?.level().target())), String::new())
            }
            Some(Landmark::Position(block, bridges)) => (Some("position"), cells(block), names(bridges)),
            Some(Landmark::Switch(letter, cell)) => {
                (Some("switch"), vec![(cell.row, cell.col)], char::from(b'A' + letter).to_string())
            }
        };
        found.set_item("landmark", landmark)?;
        Ok(Some(found))
    }

    /// Returns `"now"` if the block is on a cell, otherwise whether all, some or none of the solutions from the current
    /// position cover the cell, as a word, with the keys that lead to the cell if all solutions cover it. Returns
    /// `None` if there is no solution and the block is not on the cell.
    fn _coverage<'py>(
        &self,
        py: Python<'py>,
        cell: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(&'static str, String)>> {
        let game = self.0.state(py)?;
        let cell = array::cell("cell", cell, game.height(), game.width())?;
        let limit = array::limit(limit)?;
        let coverage = long(py, "states", limit, progress, move |budget| game.coverage(cell, budget))?;
        Ok(coverage.map(|coverage| match coverage {
            Coverage::Now => ("now", String::new()),
            Coverage::Always(keys) => ("always", letters(&keys)),
            Coverage::Sometimes => ("sometimes", String::new()),
            Coverage::Never => ("never", String::new()),
        }))
    }

    /// Returns the grade, how many times each rule is used, and the measures; `Bloxorz.difficulty` combines them.
    fn _difficulty<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(u8, Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let limit = array::limit(limit)?;
        let game = self.0.state(py)?;
        let (found, counts) =
            long(py, "states", limit, progress, move |budget| Ok((game.difficulty(budget)?, game.rules(budget)?)))?;
        let rules = PyDict::new(py);
        for (rule, count) in Rule::ALL.into_iter().zip(counts).filter(|&(_, count)| count > 0) {
            rules.set_item(rule.name(), count)?;
        }
        let measures = PyDict::new(py);
        measures.set_item("rolls", found.rolls)?;
        measures.set_item("positions", found.positions)?;
        measures.set_item("landmarks", found.landmarks)?;
        measures.set_item("dead", found.dead)?;
        measures.set_item("traps", found.traps)?;
        measures.set_item("branching", found.branching)?;
        measures.set_item("detour", found.detour)?;
        measures.set_item("effort", found.effort())?;
        Ok((found.grade, rules, measures))
    }

    /// Returns the grade of `difficulty` without counting the uses of rules, which would take longer.
    fn _grade(&self, py: Python<'_>) -> PyResult<u8> {
        let game = self.0.state(py)?;
        Ok(long(py, "states", None, None, move |budget| game.difficulty(budget))?.grade)
    }

    /// Returns an empty level to build on: no tiles but the start in the first cell and the target in the last one.
    ///
    /// * `height`, `width`: the size of the board, integers of at least 1, with 2 to 2^26 cells in all;
    ///   otherwise `ValueError`.
    #[classmethod]
    fn blank<'py>(
        class: &Bound<'py, PyType>,
        height: &Bound<'py, PyAny>,
        width: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (height, width) =
            (array::size("height", height, 1, MAX_CELLS)?, array::size("width", width, 1, MAX_CELLS)?);
        check_size(height, width)?;
        memory::probe(height * width * memory::PER_CELL, "a board of this size")?;
        wrapped(class, Bloxorz::blank(height, width)?)
    }

    /// Generates a level; `Bloxorz.generate` documents the arguments.
    #[classmethod]
    #[allow(clippy::too_many_arguments)] // called by Bloxorz.generate only
    fn _generate<'py>(
        class: &Bound<'py, PyType>,
        height: &Bound<'py, PyAny>,
        width: &Bound<'py, PyAny>,
        min_moves: Option<&Bound<'py, PyAny>>,
        max_moves: Option<&Bound<'py, PyAny>>,
        grade: Option<u8>,
        switches: &Bound<'py, PyAny>,
        bridges: &Bound<'py, PyAny>,
        splitters: &Bound<'py, PyAny>,
        light: &Bound<'py, PyAny>,
        effort: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        watch: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rolls = |name, value| array::integer(name, value, 0..=i64::from(u32::MAX)).map(|rolls| rolls as u32);
        let recipe = Recipe {
            height: array::size("height", height, 1, Recipe::MAX_SIDE)?,
            width: array::size("width", width, 1, Recipe::MAX_SIDE)?,
            min_moves: min_moves.map(|least| rolls("min_moves", least)).transpose()?,
            max_moves: max_moves.map(|most| rolls("max_moves", most)).transpose()?,
            switches: array::size("switches", switches, 0, Recipe::MAX_SWITCHES)?,
            bridges: array::size("bridges", bridges, 0, Recipe::MAX_BRIDGES)?,
            splitters: array::size("splitters", splitters, 0, Recipe::MAX_SWITCHES)?,
            light: array::real("light", light, 0.0..=1.0)?,
            effort: array::unsigned("effort", effort, 1)?,
        };
        recipe.check()?;
        let limit = array::limit(limit)?;
        if let Some(watch) = watch.as_ref().filter(|watch| !watch.is_callable()) {
            return Err(array::wrong_type("watch", "a callable or None", watch));
        }
        let mut rng = array::rng(seed)?;
        let (owner, watch) = (class.clone().unbind(), watch.map(Bound::unbind));
        let mut raised = None;
        let game = long(class.py(), "states", limit, progress, |budget| {
            let tell = |game: &Bloxorz| {
                let Some(watch) = &watch else { return true };
                let call = |py: Python<'_>| watch.call1(py, (wrapped(owner.bind(py), game.clone())?,));
                raised = Python::attach(call).err();
                raised.is_none()
            };
            match grade {
                Some(grade) => Bloxorz::generate_graded(&recipe, grade, &mut rng, budget, tell),
                None => Bloxorz::generate(&recipe, &mut rng, budget, tell),
            }
        });
        match raised {
            Some(error) => Err(error),
            None => wrapped(class, game?),
        }
    }
}

/// Creates a game object of a Python class from a position.
fn wrapped<'py>(class: &Bound<'py, PyType>, game: Bloxorz) -> PyResult<Bound<'py, PyAny>> {
    let core = Bound::new(class.py(), BloxorzCore(SharedGame::from_state(game)))?;
    class.call1((core,))
}

/// The block of the source document: two cubes that roll on an endless plane, without a terrain.
///
/// * `row`, `col`: the cell on which the block stands at first, integers from -2^30 to 2^30, otherwise `ValueError`.
///
/// A roll beyond these bounds raises `MoveError` and leaves the block where it is.
///
/// `str` writes the block as the source document does, with x for the column and y for the row. `==` compares the
/// occupied cells.
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

/// The largest absolute row and column of a block, so that rolling never overflows.
const FAR: i64 = 1 << 30;

#[pymethods]
impl PyBlock {
    #[new]
    fn new(row: &Bound<'_, PyAny>, col: &Bound<'_, PyAny>) -> PyResult<Self> {
        let read = |name, value| array::integer(name, value, -FAR..=FAR).map(|number| number as i32);
        Ok(Self(Block::standing(Cell::new(read("row", row)?, read("col", col)?))))
    }

    /// Rolls the block to the left, to smaller columns.
    fn left(&mut self) -> PyResult<()> {
        self.roll(Dir::W)
    }

    /// Rolls the block to the right, to larger columns.
    fn right(&mut self) -> PyResult<()> {
        self.roll(Dir::E)
    }

    /// Rolls the block up, to smaller rows.
    fn up(&mut self) -> PyResult<()> {
        self.roll(Dir::N)
    }

    /// Rolls the block down, to larger rows.
    fn down(&mut self) -> PyResult<()> {
        self.roll(Dir::S)
    }

    /// Returns the occupied cells `(row, col)`: one if the block stands, otherwise two, the left or upper one first.
    fn positions(&self) -> Vec<(i32, i32)> {
        self.0.cells().map(|cell| (cell.row, cell.col)).collect()
    }

    /// Returns whether the block stands.
    fn is_standing(&self) -> bool {
        self.0.is_standing()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    /// Copying and unpickling create a standing block, which [`PyBlock::__setstate__`] then moves to its cells.
    fn __getnewargs__(&self) -> (i32, i32) {
        (self.0.first().row, self.0.first().col)
    }

    fn __getstate__(&self) -> Vec<(i32, i32)> {
        self.positions()
    }

    #[allow(clippy::needless_pass_by_value)] // the argument of a pickle
    fn __setstate__(&mut self, positions: Vec<(i32, i32)>) -> PyResult<()> {
        let cells: Vec<Cell> = positions.iter().map(|&(row, col)| Cell::new(row, col)).collect();
        let in_range = cells.iter().all(|cell| cell.row.unsigned_abs().max(cell.col.unsigned_abs()) <= FAR as u32);
        self.0 = match cells[..] {
            [cell] if in_range => Block::standing(cell),
            [one, other] if in_range && !Block::split(one, other).is_split() => Block::split(one, other),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "state must be one cell or two neighboring cells, at most 2^30 from 0, got {positions:?}"
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
            return Err(not_a_move(format!("block must stay within rows and columns -2^30 to 2^30, got {rolled}")));
        }
        self.0 = rolled;
        Ok(())
    }
}

/// The terrain of the source document: a level that does not change.
///
/// * `text`: the level in the notation of `Bloxorz`, not the name of a file.
///
/// Raises `LevelError` with the line and column if the text cannot be read. `==` compares levels.
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
pub(super) struct PyTerrain(Arc<Level>);

impl PyTerrain {
    fn text(&self) -> String {
        Bloxorz::start(Arc::clone(&self.0)).text()
    }
}

#[pymethods]
impl PyTerrain {
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = array::text("text", text)?;
        memory::probe((text.len() * memory::PER_CELL).max(memory::SPARE), "a board of this size")?;
        // Some editors put a byte order mark at the beginning of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let level = Level::parse(text).map_err(|error| match error {
            // The class of the source document reads a file.
            Error::Level { line, column, reason }
                if text.trim_end().to_lowercase().ends_with(".txt") && !text.contains('\n') =>
            {
                let file = text.trim_end();
                Error::Level {
                    line,
                    column,
                    reason: format!("{reason}; to read a file, pass its content: Terrain(open({file:?}).read())"),
                }
            }
            error => error,
        })?;
        Ok(Self(Arc::new(level)))
    }

    /// The cell on which the block stands at the start: `(row, col)`.
    #[getter]
    fn start(&self) -> (i32, i32) {
        (self.0.start().row, self.0.start().col)
    }

    /// The cell on which the block must stand to win: `(row, col)`.
    #[getter]
    fn target(&self) -> (i32, i32) {
        (self.0.target().row, self.0.target().col)
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// Returns 2 for a tile, 1 for a light tile, and 0 for no tile or a bridge that is off. Bridges are in their
    /// initial states.
    ///
    /// * `cell`: `(row, col)`, two integers; for a cell off the board the result is 0.
    fn at(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        let [row, col] = array::any_cell("cell", cell)?;
        let clamped = |n: i64| n.clamp(-1, i64::from(i32::MAX)) as i32;
        Ok(self.0.at(Cell::new(clamped(row), clamped(col))))
    }

    /// Returns whether the terrain holds a block. Bridges are in their initial states.
    ///
    /// * `block`: a `Block`, otherwise `TypeError`. The block falls if one of its cells has no tile or a bridge that is
    ///   off, or if it stands on a light tile.
    fn can_hold(&self, block: &Bound<'_, PyAny>) -> PyResult<bool> {
        let block = block.cast::<PyBlock>().map_err(|_| array::wrong_type("block", "a Block", block))?;
        Ok(self.0.can_hold(block.borrow().0))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Terrain({})", PyString::new(py, &self.text()).repr()?))
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.text(),)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf // immutable: a copy may be the object itself
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
