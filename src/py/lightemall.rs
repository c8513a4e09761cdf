//! LightEmAll in Python: the members that the game has beyond the shared ones, and functions that create boards.

#![allow(clippy::needless_pass_by_value)] // pyo3 passes owned arrays

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array::{self, Argument};
use super::game::{MoveNotation, SharedGame, game_class};
use super::generator::{PositionGenerator, asks_for_any, parameter};
use super::graph;
use super::long::{long, long_owned};
use crate::core::text::check_size;
use crate::core::{Budget, Error, Game, History, MAX_CELLS, memory};
use crate::graph::Lattice;
use crate::graph::search::NONE;
use crate::lightemall::explain::NextStep;
use crate::lightemall::generate;
use crate::lightemall::options::{Layout, Options};
use crate::lightemall::step::{Conclusion, Rule, Step};
use crate::lightemall::{LightEmAll, POWERED, STATION, TURN, WIRES, WITH_STATION};

game_class!(LightEmAllCore, LightEmAll, "LightEmAll");
super::batch::batch_class!(LightEmAllBatch, LightEmAll, LightEmAllCore, generator);

/// Creates the generator of the boards of a batch. Returns `None` if the recipe sets `unique`, `difficulty` or
/// `progress`, or if only some of its boards are won at the start, which happens with a limited radius and without
/// scrambling. Such a recipe is left to `generate`, and the batch checks every board.
fn generator(recipe: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<LightEmAll>>> {
    if asks_for_any(recipe, &["unique", "difficulty", "progress"])? {
        return Ok(None);
    }
    let options = options(recipe)?;
    if options.limited_radius && !options.scramble {
        return Ok(None);
    }
    let make = move |seed| generate::generate(&options, seed, &mut Budget::unlimited()).map(|made| made.game);
    // Without `unique`, every seed has a board. If memory cannot hold it, the board of seed 0 takes its place.
    let first = make(0)?;
    Ok(Some(Arc::new(move |seed| make(seed).unwrap_or_else(|_| first.clone()))))
}

impl MoveNotation for LightEmAll {}

/// The names of the sides of a tile, clockwise: those of squares, then those of hexagons.
const SIDES: [&[&str]; 2] = [&["N", "E", "S", "W"], &["NE", "E", "SE", "SW", "W", "NW"]];

/// Reads a direction and returns the number of the side.
fn side(hexagonal: bool, direction: &Bound<'_, PyAny>) -> PyResult<usize> {
    let names = SIDES[usize::from(hexagonal)];
    let word = array::text("direction", direction)?;
    if let Some(side) = names.iter().position(|name| name.eq_ignore_ascii_case(&word)) {
        return Ok(side);
    }
    let sides: Vec<(&str, usize)> = names.iter().enumerate().map(|(side, &name)| (name, side)).collect();
    array::choice("direction", direction, &sides)
}

/// Returns the bits of the board codes of LightEmAll by name.
#[pyfunction]
pub(super) fn lightemall_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in [("WIRES", WIRES), ("POWERED", POWERED), ("STATION", WITH_STATION)] {
        found.set_item(name, code)?;
    }
    for (kind, names) in [("", SIDES[0]), ("HEX_", SIDES[1])] {
        for (side, name) in names.iter().enumerate() {
            found.set_item(format!("{kind}{name}"), 1u8 << side)?;
        }
    }
    Ok(found)
}

/// Reads the options of a new board from the arguments of `generate`, by name.
fn options(arguments: &Bound<'_, PyDict>) -> PyResult<Options> {
    let of = |name| parameter(arguments, name);
    let flag = |name| array::flag(name, &of(name)?);
    let lattice = graph::lattice(&of("height")?, &of("width")?, flag("hexagonal")?, flag("wrap")?)?;
    let layouts: Vec<(&str, Layout)> = Layout::all().collect();
    let options = Options {
        lattice,
        layout: array::choice("method", &of("method")?, &layouts)?,
        bias: array::number("bias", &of("bias")?)?,
        limited_radius: flag("limited_radius")?,
        unique: flag("unique")?,
        scramble: flag("scramble")?,
    };
    options.check()?;
    Ok(options)
}

/// Generates a board. Returns the game, the wires before scrambling, par (the fewest clockwise turns that restore those
/// wires), and the seed that was used.
///
/// `arguments` holds the arguments of `LightEmAll.generate` by name; `grade` is from 1 to 5, or `None` for any grade.
#[pyfunction]
#[allow(clippy::type_complexity)] // four results
pub(super) fn lightemall_generate<'py>(
    arguments: &Bound<'py, PyDict>,
    grade: Option<u8>,
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(LightEmAllCore, Bound<'py, PyArray2<u8>>, u64, u64)> {
    let py = arguments.py();
    let options = options(arguments)?;
    let seed = array::seed(seed)?;
    memory::probe(options.lattice.len() * memory::PER_CELL, "a board of this size")?;
    let made = long_owned(py, "steps", None, progress, options.lattice.len(), move |budget| match grade {
        Some(grade) => generate::generate_graded(&options, grade, seed, budget),
        None => generate::generate(&options, seed, budget),
    })?;
    let solved = array::matrix(py, options.lattice.height, options.lattice.width, made.solved)?;
    Ok((LightEmAllCore(SharedGame::from_state(made.game)), solved, made.par, made.seed))
}

/// The largest total number of tiles of the boards of one call.
const MAX_TILES: u64 = 1 << 36;

/// Generates `n` boards, board `i` from the seed `seed + i`. Returns their codes, `(n, height, width)` uint8.
///
/// `arguments` holds the arguments of `LightEmAll.generate` by name.
#[pyfunction]
pub(super) fn lightemall_generate_many<'py>(
    n: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyDict>,
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let py = n.py();
    let options = options(arguments)?;
    let cells = options.lattice.len();
    let most = usize::try_from(MAX_TILES / cells as u64).unwrap_or(usize::MAX);
    let n = array::size("n", n, 0, most.min(usize::MAX / cells))?;
    let seed = array::seed(seed)?;
    let boards = long(py, "tiles", None, progress, move |budget| {
        let mut boards = memory::filled(0, n * cells, "boards of this number and size")?;
        generate::generate_many(&options, seed, &mut boards, budget)?;
        Ok(boards)
    })?;
    boards.into_pyarray(py).reshape([n, options.lattice.height, options.lattice.width])
}

/// Returns the edges of a wiring, an `(m, 2)` int32 array of the indices of tiles, in the order in which its method
/// took them; for a fixed layout or with `unique`, in the order of Kruskal's algorithm.
///
/// `arguments` holds the arguments of `LightEmAll.generate` by name.
#[pyfunction]
pub(super) fn lightemall_tree<'py>(
    solved: PyReadonlyArray2<'py, u8>,
    arguments: &Bound<'py, PyDict>,
    seed: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let py = arguments.py();
    let options = options(arguments)?;
    let seed = array::seed(Some(seed))?;
    let solved = solved.as_array();
    let wires = memory::collected(solved.len(), solved.iter().copied(), "the wires of a board")?;
    let edges = long(py, "steps", None, None, move |budget| generate::tree(&options, &wires, seed, budget))?;
    graph::pairs(py, edges)
}

/// Creates a board of tiles without wires.
#[pyfunction]
pub(super) fn lightemall_blank(
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    hexagonal: &Bound<'_, PyAny>,
    wrap: &Bound<'_, PyAny>,
) -> PyResult<LightEmAllCore> {
    let lattice = graph::lattice(height, width, array::flag("hexagonal", hexagonal)?, array::flag("wrap", wrap)?)?;
    memory::probe(lattice.len() * memory::PER_CELL, "a board of this size")?;
    let wires = memory::filled(0, lattice.len(), "a board of this size")?;
    Ok(LightEmAllCore(SharedGame::from_state(LightEmAll::new(lattice, wires, 0, None)?)))
}

/// Creates a position from the masks of its tiles. If `limited_radius` is set and `radius` is not given, the radius is
/// derived from the wiring.
#[pyfunction]
pub(super) fn lightemall_from_wires(
    mask: PyReadonlyArray2<'_, u8>,
    station: &Bound<'_, PyAny>,
    hexagonal: &Bound<'_, PyAny>,
    wrap: &Bound<'_, PyAny>,
    limited_radius: &Bound<'_, PyAny>,
    radius: Option<&Bound<'_, PyAny>>,
) -> PyResult<LightEmAllCore> {
    let (height, width) = (mask.shape()[0], mask.shape()[1]);
    let (hexagonal, wrap) = (array::flag("hexagonal", hexagonal)?, array::flag("wrap", wrap)?);
    let limited_radius = array::flag("limited_radius", limited_radius)?;
    check_size(height, width)?;
    let lattice = Lattice { height, width, hexagonal, wrap };
    lattice.check()?;
    memory::probe(lattice.len() * memory::PER_CELL, "a board of this size")?;
    let wires: Vec<u8> = mask.as_array().iter().copied().collect();
    let cell = array::cell("station", station, height, width)?;
    let tile = cell.row as usize * width + cell.col as usize;
    let make = |radius| LightEmAll::new(lattice, wires.clone(), tile, radius);
    let radius = match radius {
        Some(radius) => Some(array::size("radius", radius, 0, MAX_CELLS)? as u32),
        None if limited_radius => {
            let diameter = make(None)?.diameter().ok_or_else(|| {
                Error::invalid(
                    "mask must connect all tiles if limited_radius is set and radius is not given, got separate parts",
                )
            })?;
            Some(diameter / 2 + 1)
        }
        None => None,
    };
    Ok(LightEmAllCore(SharedGame::from_state(make(radius)?)))
}

#[pymethods]
impl LightEmAllCore {
    /// The mask of the wires of each tile, a fresh `(height, width)` uint8 array.
    #[getter]
    fn wires<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.0.lock(py)?;
        let state = game.state();
        array::matrix(py, state.height(), state.width(), state.wires().to_vec())
    }

    /// The tiles that are powered, a fresh `(height, width)` bool array.
    #[getter]
    fn powered<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let game = self.0.state(py)?;
        let mut codes = vec![0; game.wires().len()];
        game.write_board(&mut codes);
        let powered = codes.into_iter().map(|code| code & POWERED != 0).collect();
        array::matrix(py, game.height(), game.width(), powered)
    }

    /// The number of links from the station to each tile, -1 for tiles not connected to the station: a fresh
    /// `(height, width)` int32 array.
    #[getter]
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (height, width) = self.0.shape(py)?;
        let depth = self.0.work(py, "tiles", None, None, |game, _| {
            let signed = |depth| if depth == NONE { -1 } else { depth as i32 };
            Ok(game.distances().into_iter().map(signed).collect())
        })?;
        array::matrix(py, height, width, depth)
    }

    /// The cell of the station, `(row, col)`.
    #[getter]
    fn station(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let cell = self.0.lock(py)?.state().station();
        Ok((cell.row, cell.col))
    }

    /// The number of links that power reaches from the station now; `None` if the radius is not limited.
    ///
    /// While not all tiles are connected, the radius is `initial_radius`; while they are, the radius is half of
    /// `diameter`, rounded down, plus one.
    #[getter]
    fn radius(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(self.0.lock(py)?.state().radius())
    }

    /// The radius while not all tiles are connected, `radius=R` in the notation; `None` if the radius is not limited.
    #[getter]
    fn initial_radius(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(self.0.lock(py)?.state().initial_radius())
    }

    /// `True` if the tiles are hexagons.
    #[getter]
    fn hexagonal(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.lock(py)?.state().lattice().hexagonal)
    }

    /// `True` if opposite borders of the board are joined.
    #[getter]
    fn wrap(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.lock(py)?.state().lattice().wrap)
    }

    /// The diameter of the current wiring in links; `None` if not all tiles are connected.
    ///
    /// If the wiring has loops, the value is the result of a double breadth-first search from tile (0, 0), a lower
    /// bound.
    #[getter]
    fn diameter(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.0.work(py, "tiles", None, None, |game, _| Ok(game.diameter()))
    }

    /// The number of moves played that turned a tile.
    #[getter]
    fn turns(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.moves().filter(|[kind, ..]| *kind == TURN).count())
    }

    /// The number of moves played that moved the station.
    #[getter]
    fn station_moves(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.moves().filter(|[kind, ..]| *kind == STATION).count())
    }

    /// The number of moves played, `turns` plus `station_moves`; lower is better.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.moves().len())
    }

    /// Turns a tile by several moves; if one of the moves is illegal, none is played.
    ///
    /// * `cell`: the tile, `(row, col)`.
    /// * `turns`: the number of clockwise quarter turns (sixths of a turn on hexagons), from -1000000 to 1000000; 1 by
    ///   default. A negative number turns the tile counterclockwise by the equivalent clockwise moves: -1 is 3 moves (5
    ///   on hexagons).
    ///
    /// Raises `MoveError` for a cell off the board, `ValueError` for a number out of bounds, and `IllegalMoveError` if
    /// one of the moves would come after the end of the game.
    #[pyo3(signature = (cell, turns=array::ABSENT), text_signature = "($self, cell, turns=1)")]
    fn rotate(&self, cell: &Bound<'_, PyAny>, turns: Argument<'_, '_>) -> PyResult<()> {
        let py = cell.py();
        let (height, width) = self.0.shape(py)?;
        let cell = array::cell("cell", cell, height, width)?;
        let turns = turns.or(1, |turns| array::integer("turns", turns, -1_000_000..=1_000_000))?;
        self.0.change(py, |history| {
            let sides = history.state().lattice().sides() as i64;
            let clockwise = if turns < 0 { turns.rem_euclid(sides) } else { turns };
            memory::probe(clockwise as usize * size_of::<[i32; 3]>(), "the moves of a game")?;
            Ok(history.play_all(&vec![[TURN, cell.row, cell.col]; clockwise as usize])?)
        })
    }

    /// Moves the station to the next tile in a direction.
    ///
    /// * `direction`: one of `"N" "E" "S" "W"`, on hexagons one of `"NE" "E" "SE" "SW" "W" "NW"`, in upper or lower
    ///   case.
    ///
    /// Raises `ValueError` for any other word, and `IllegalMoveError` if the game is over, if the board ends on that
    /// side, or if the wires of the two tiles do not meet.
    fn move_station(&self, direction: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = direction.py();
        // The lock is not held while the argument is read, because reading it may run Python code.
        let hexagonal = self.0.lock(py)?.state().lattice().hexagonal;
        let side = side(hexagonal, direction)?;
        self.0.change(py, |history| {
            let to = history.state().station_target(side)?;
            history.play([STATION, to.row, to.col])?;
            Ok(())
        })
    }

    /// Returns the cell next to the station in a direction, connected or not, or `None` if the board ends in that
    /// direction.
    ///
    /// * `direction`: one of the words that `move_station` accepts; any other word raises `ValueError`.
    fn beside(&self, direction: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
        let py = direction.py();
        let hexagonal = self.0.lock(py)?.state().lattice().hexagonal;
        let side = side(hexagonal, direction)?;
        let game = self.0.lock(py)?;
        let (state, at) = (game.state(), game.state().station());
        Ok(state.lattice().beyond(at.row as usize, at.col as usize, side))
    }

    /// Returns the tiles that are connected to the station, within the radius or beyond it, in breadth-first order. The
    /// columns are tile, parent (-1 for the station) and depth, int32.
    #[allow(clippy::type_complexity)] // three columns
    fn spread_columns<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>)> {
        let (order, from, depth) = self.0.work(py, "tiles", None, None, |game, _| {
            let (order, from) = game.spreading();
            let depths = game.distances();
            let depth: Vec<u32> = order.iter().map(|&tile| depths[tile as usize]).collect();
            Ok((order, from, depth))
        })?;
        let ints = |list: Vec<u32>| list.into_iter().map(|n| n as i32).collect::<Vec<i32>>().into_pyarray(py);
        Ok((ints(order), ints(from), ints(depth)))
    }

    /// Returns turns that connect all tiles, or `None` if the search proves that there are no such turns. The game is
    /// unchanged.
    ///
    /// * `minimize`: `None` (the default) for any solution, returned as a `(height, width)` uint8 array of how many
    ///   times to turn each tile clockwise; `"turns"` for the fewest turns in total, counterclockwise turns allowed,
    ///   returned as an int8 array of that shape with negative numbers for counterclockwise turns. `rotate` accepts the
    ///   numbers of either array.
    /// * `limit`: the work that the search may do, an integer from 0 to 2^64 - 1; no limit by default. Raises
    ///   `SearchLimitError` beyond it, and for a board of more than 4096 tiles that has more wire ends than a tree
    ///   needs.
    /// * `progress`: a callable that receives the work done so far, or an object with `update`, such as a tqdm bar.
    ///   `None`, the default, for no reports.
    ///
    /// With a limited radius, the turns leave at least one cell from which the station powers all tiles. The
    /// station may have to move to such a cell afterward; `solution` returns all moves. If `minimize` is `"turns"`, the
    /// radius is ignored: with loops, there may then be no such cell.
    #[pyo3(signature = (minimize=None, *, limit=None, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        minimize: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let minimize = minimize.map(|word| array::choice("minimize", word, &[("turns", ())])).transpose()?;
        let limit = array::limit(limit)?;
        let (height, width) = self.0.shape(py)?;
        if minimize.is_some() {
            let turns = self.0.work(py, "nodes", limit, progress, LightEmAll::fewest_turns)?;
            return turns.map(|turns| Ok(array::matrix(py, height, width, turns)?.into_any())).transpose();
        }
        let answer = self.0.work(py, "nodes", limit, progress, LightEmAll::solve)?;
        answer.map(|answer| Ok(array::matrix(py, height, width, answer.turns)?.into_any())).transpose()
    }

    /// Returns the moves of a solution, `(n, 3)` int32, or `None` if the search proves that there is no solution. The
    /// turns come first, followed by the moves of the station if the radius is limited.
    ///
    /// * `limit`: the work that the search may do, an integer from 0 to 2^64 - 1; no limit by default. Raises
    ///   `SearchLimitError` beyond it, and for a board of more than 4096 tiles that has more wire ends than a tree
    ///   needs.
    /// * `progress`: a callable that receives the work done so far, or an object with `update`, such as a tqdm bar.
    ///   `None`, the default, for no reports.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn solution<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let limit = array::limit(limit)?;
        let moves = self.0.work(py, "nodes", limit, progress, move |game, budget| {
            game.solve(budget)?.map(|answer| game.moves_of(&answer)).transpose()
        })?;
        moves.map(|moves| array::moves(py, moves)).transpose()
    }

    /// Returns the number of wirings that connect all tiles, counted up to `most`.
    ///
    /// * `most`: the number at which counting stops, 0 to 2^64 - 1; 2 by default.
    /// * `limit`: the work that the search may do, an integer from 0 to 2^64 - 1; no limit by default. Raises
    ///   `SearchLimitError` beyond it, and for a board of more than 4096 tiles that has more wire ends than a tree
    ///   needs.
    /// * `progress`: a callable that receives the work done so far, or an object with `update`, such as a tqdm bar.
    ///   `None`, the default, for no reports.
    #[pyo3(
        signature = (most=array::ABSENT, *, limit=None, progress=None),
        text_signature = "($self, most=2, *, limit=None, progress=None)"
    )]
    fn count_solutions(
        &self,
        py: Python<'_>,
        most: Argument<'_, '_>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let most = most.or(2, array::most)?;
        let limit = array::limit(limit)?;
        self.0.work(py, "nodes", limit, progress, move |game, budget| game.count_solutions(most, budget))
    }

    /// Takes over the position of `other` without a copy, so that a large board is not in memory twice; `other` is left
    /// with a board of one tile.
    fn _take(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        let rest = LightEmAll::new(Lattice::square(1, 1), vec![0], 0, None)?;
        let taken = other.get().0.replace(py, History::new(rest))?;
        self.0.replace(py, taken)?;
        Ok(())
    }

    /// Returns the next step that can be justified, as a dict for `explain` to put into words.
    ///
    /// * `cell`: the tile to explain, or `None` for the easiest step.
    /// * `limit`, `progress`: as in `solve`.
    fn _explain_parts<'py>(
        &self,
        py: Python<'py>,
        cell: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limit = array::limit(limit)?;
        let (height, width) = self.0.shape(py)?;
        let cell = cell.map(|cell| array::cell("cell", cell, height, width)).transpose()?;
        let tile = cell.map(|cell| cell.row as usize * width + cell.col as usize);
        let game = self.0.state(py)?;
        let next = self.0.work(py, "steps", limit, progress, move |game, budget| game.explain(tile, budget))?;
        let place = |tile: u32| (tile as usize / width, tile as usize % width);
        let step_parts = |step: &Step| -> PyResult<Bound<'py, PyDict>> {
            let (kind, number) = match step.conclusion {
                Conclusion::On { side, .. } => ("on", side),
                Conclusion::Off { side, .. } => ("off", side),
                Conclusion::Not { turns, .. } => ("not", turns),
            };
            let tile = place(step.conclusion.tile());
            let parts = PyDict::new(py);
            parts.set_item("rule", step.rule.name())?;
            parts.set_item("kind", kind)?;
            parts.set_item("tile", tile)?;
            parts.set_item("number", number)?;
            let beyond = if kind == "not" { None } else { game.lattice().beyond(tile.0, tile.1, usize::from(number)) };
            parts.set_item("beyond", beyond)?;
            parts.set_item("because", step.because.iter().map(|&tile| place(tile)).collect::<Vec<_>>())?;
            Ok(parts)
        };
        let parts = PyDict::new(py);
        match next {
            NextStep::Over => parts.set_item("kind", "over")?,
            NextStep::Unsolvable => parts.set_item("kind", "unsolvable")?,
            NextStep::Station(path) => {
                parts.set_item("kind", "station")?;
                parts.set_item("path", path.iter().map(|cell| (cell.row, cell.col)).collect::<Vec<_>>())?;
            }
            NextStep::Choice { tile, turns } => {
                parts.set_item("kind", "choice")?;
                parts.set_item("tile", place(tile))?;
                parts.set_item("turns", turns)?;
            }
            NextStep::Turn(reason) => {
                parts.set_item("kind", "turn")?;
                parts.set_item("rule", reason.rule.name())?;
                parts.set_item("tile", place(reason.tile))?;
                parts.set_item("turns", reason.turns)?;
                parts.set_item("facts", reason.facts.iter().map(step_parts).collect::<PyResult<Vec<_>>>()?)?;
                parts.set_item("key", reason.key.as_ref().map(step_parts).transpose()?)?;
            }
        }
        Ok(parts)
    }

    /// Returns the grade, the number of uses of each rule, the points, the number of tiles that lead to the
    /// contradictions of trials, and the length of the longest chain of steps, or `None` if the board has no solution.
    ///
    /// * `limit`, `progress`: as in `solve`.
    #[allow(clippy::type_complexity)] // five results
    fn _effort<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(u8, Bound<'py, PyDict>, u32, u32, u32)>> {
        let limit = array::limit(limit)?;
        let Some(effort) = self.0.work(py, "steps", limit, progress, LightEmAll::effort)? else {
            return Ok(None);
        };
        let uses = PyDict::new(py);
        for ((name, _), &count) in Rule::ALL.iter().zip(&effort.uses) {
            if count > 0 {
                uses.set_item(*name, count)?;
            }
        }
        Ok(Some((effort.grade(), uses, effort.points(), effort.looked_at, effort.chain)))
    }
}
