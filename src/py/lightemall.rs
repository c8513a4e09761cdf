//! LightEmAll in Python: the shared class and what it has beyond that.

#![allow(clippy::needless_pass_by_value)] // arrays as Python hands them over

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array::{self, Number};
use super::batch::{Maker, asks, ingredient};
use super::error::not_a_move;
use super::game::{Shell, Spoken, game_class};
use super::graph;
use super::long::long;
use crate::core::{Budget, Game};
use crate::graph::search::NONE;
use crate::lightemall::generate::{self, Layout, Options};
use crate::lightemall::{LightEmAll, POWERED, STATION, TURN, WIRES, WITH_STATION};

game_class!(LightEmAllCore, LightEmAll, "LightEmAll");
super::batch::batch_class!(LightEmAllBatch, LightEmAll, LightEmAllCore, maker);

/// Boards for the episodes of a batch; those with one solution only are searched for and so are none of these.
fn maker(recipe: &Bound<'_, PyDict>) -> PyResult<Option<Maker<LightEmAll>>> {
    if asks(recipe, &["unique", "progress"])? {
        return Ok(None);
    }
    let shape = (ingredient(recipe, "height")?.extract()?, ingredient(recipe, "width")?.extract()?);
    let flag = |name| ingredient(recipe, name)?.is_truthy();
    let flags = (flag("hexagonal")?, flag("wrap")?, flag("limited_radius")?, false, flag("scramble")?);
    let method: String = ingredient(recipe, "method")?.extract()?;
    let options = options(&shape, &method, ingredient(recipe, "bias")?.extract()?, flags)?;
    let make = move |seed| generate::generate(&options, seed, &mut Budget::unlimited()).map(|made| made.game);
    // Every seed has a board where only trees are asked for; the first one stands in for what cannot happen.
    let first = make(0)?;
    Ok(Some(Arc::new(move |seed| make(seed).unwrap_or_else(|_| first.clone()))))
}

impl Spoken for LightEmAll {}

/// The names of the sides, clockwise.
const SIDES: [&[&str]; 2] = [&["N", "E", "S", "W"], &["NE", "E", "SE", "SW", "W", "NW"]];

/// Gives the bits of the board codes of LightEmAll by their names.
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

fn options(
    shape: &(Number, Number),
    method: &str,
    bias: f64,
    (hexagonal, wrap, limited_radius, unique, scramble): (bool, bool, bool, bool, bool),
) -> PyResult<Options> {
    let lattice = graph::lattice(&shape.0, &shape.1, hexagonal, wrap)?;
    let Some(layout) = Layout::named(method) else {
        let names: Vec<String> = Layout::names().iter().map(|name| format!("'{name}'")).collect();
        return Err(PyValueError::new_err(format!("method '{method}', wanted one of {}", names.join(", "))));
    };
    let options = Options { lattice, layout, bias, limited_radius, unique, scramble };
    options.check()?;
    Ok(options)
}

/// Makes a board: the game, the wires it was made from, par, and the seed that was used.
///
/// `flags` are hexagonal, wrap, limited_radius, unique, scramble.
#[pyfunction]
#[allow(clippy::type_complexity)] // four results
pub(super) fn lightemall_generate<'py>(
    py: Python<'py>,
    shape: (Number, Number),
    method: &str,
    bias: f64,
    flags: (bool, bool, bool, bool, bool),
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(LightEmAllCore, Bound<'py, PyArray2<u8>>, u64, u64)> {
    let options = options(&shape, method, bias, flags)?;
    let seed = array::seed(seed)?;
    let made = long(py, "steps", None, progress, move |budget| generate::generate(&options, seed, budget))?;
    let solved = array::matrix(py, options.lattice.height, options.lattice.width, made.solved)?;
    Ok((LightEmAllCore(Shell::from_state(made.game)), solved, made.par, seed))
}

/// Makes n boards, board `i` from the seed `seed + i`: their codes, `(n, height, width)` uint8.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the options of a board
pub(super) fn lightemall_generate_many<'py>(
    py: Python<'py>,
    n: Number,
    shape: (Number, Number),
    method: &str,
    bias: f64,
    flags: (bool, bool, bool, bool, bool),
    seed: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let options = options(&shape, method, bias, flags)?;
    let seed = array::seed(seed)?;
    let cells = options.lattice.len();
    if n.value < 0 || (n.value as usize).checked_mul(cells).is_none_or(|all| all as u64 > 1 << 36) {
        return Err(PyValueError::new_err(format!("{n} boards of {cells} tiles, wanted 0 boards to 2^36 tiles")));
    }
    let n = n.value as usize;
    let mut boards = vec![0; n * cells];
    let boards = long(py, "tiles", None, progress, move |budget| {
        generate::generate_many(&options, seed, &mut boards, budget)?;
        Ok(boards)
    })?;
    boards.into_pyarray(py).reshape([n, options.lattice.height, options.lattice.width])
}

/// Gives the edges of a wiring in the order in which the method took them.
#[pyfunction]
pub(super) fn lightemall_tree<'py>(
    py: Python<'py>,
    solved: PyReadonlyArray2<'py, u8>,
    method: &str,
    bias: f64,
    flags: (bool, bool, bool, bool, bool),
    seed: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let shape = (solved.shape()[0].into(), solved.shape()[1].into());
    let options = options(&shape, method, bias, flags)?;
    let seed = array::seed(Some(seed))?;
    let wires = solved.as_array().iter().copied().collect::<Vec<u8>>();
    let edges = long(py, "steps", None, None, move |budget| generate::tree(&options, &wires, seed, budget))?;
    let flat: Vec<i32> = edges.into_iter().flatten().map(|tile| tile as i32).collect();
    array::matrix(py, flat.len() / 2, 2, flat)
}

/// Makes a position of masks; the radius is that of the wiring where it is limited and not given.
#[pyfunction]
pub(super) fn lightemall_from_wires(
    mask: PyReadonlyArray2<'_, u8>,
    station: &Bound<'_, PyAny>,
    hexagonal: bool,
    wrap: bool,
    limited_radius: bool,
    radius: Option<Number>,
) -> PyResult<LightEmAllCore> {
    let lattice = graph::lattice(&mask.shape()[0].into(), &mask.shape()[1].into(), hexagonal, wrap)?;
    let wires: Vec<u8> = mask.as_array().iter().copied().collect();
    let cell = array::cell("station", station, lattice.height, lattice.width)?;
    let tile = cell.row as usize * lattice.width + cell.col as usize;
    let make = |reach| LightEmAll::new(lattice, wires.clone(), tile, reach);
    let reach = match radius {
        Some(radius) => {
            let most = crate::core::MAX_CELLS as i64;
            if !(0..=most).contains(&radius.value) {
                return Err(PyValueError::new_err(format!("radius {radius}, wanted 0 to {most}")));
            }
            Some(radius.value as u32)
        }
        None if limited_radius => {
            let diameter = make(None)?.diameter().ok_or_else(|| {
                PyValueError::new_err("a limited radius and wires that do not connect all tiles, wanted radius=R too")
            })?;
            Some(diameter / 2 + 1)
        }
        None => None,
    };
    Ok(LightEmAllCore(Shell::from_state(make(reach)?)))
}

#[pymethods]
impl LightEmAllCore {
    /// The mask of wires of each tile: a fresh `(height, width)` uint8 array.
    #[getter]
    fn wires<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.0.lock(py);
        let state = game.state();
        array::matrix(py, state.height(), state.width(), state.wires().to_vec())
    }

    /// Which tiles are powered: a fresh `(height, width)` bool array.
    #[getter]
    fn powered<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let game = self.0.state(py);
        let mut codes = vec![0; game.wires().len()];
        game.write_board(&mut codes);
        let powered = codes.into_iter().map(|code| code & POWERED != 0).collect();
        array::matrix(py, game.height(), game.width(), powered)
    }

    /// Number of links from the station to each tile along connected tiles, -1 where there is no way: a fresh
    /// `(height, width)` int32 array.
    #[getter]
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let game = self.0.state(py);
        let depth = py.detach(|| game.distances());
        let depth = depth.into_iter().map(|depth| if depth == NONE { -1 } else { depth as i32 }).collect();
        array::matrix(py, game.height(), game.width(), depth)
    }

    /// The station's tile: `(row, col)`.
    #[getter]
    fn station(&self, py: Python<'_>) -> (i32, i32) {
        let cell = self.0.lock(py).state().station();
        (cell.row, cell.col)
    }

    /// How many links power reaches now; `None` where that is not limited.
    ///
    /// While not all tiles are connected it is the initial radius; when all are, half the diameter of the wiring as it
    /// stands, rounded down, plus one.
    #[getter]
    fn radius(&self, py: Python<'_>) -> Option<u32> {
        self.0.lock(py).state().radius()
    }

    /// The radius of the start, in the notation `radius=R`; `None` where the radius is not limited.
    #[getter]
    fn initial_radius(&self, py: Python<'_>) -> Option<u32> {
        self.0.lock(py).state().initial_radius()
    }

    /// Whether tiles are hexagons.
    #[getter]
    fn hexagonal(&self, py: Python<'_>) -> bool {
        self.0.lock(py).state().lattice().hexagonal
    }

    /// Whether borders are joined.
    #[getter]
    fn wrap(&self, py: Python<'_>) -> bool {
        self.0.lock(py).state().lattice().wrap
    }

    /// The diameter of the wiring as it stands, in links; `None` where not all tiles are connected.
    #[getter]
    fn diameter(&self, py: Python<'_>) -> Option<u32> {
        let game = self.0.state(py);
        py.detach(|| game.diameter())
    }

    /// How often tiles were turned on the way here.
    #[getter]
    fn turns(&self, py: Python<'_>) -> usize {
        self.0.lock(py).moves().filter(|[kind, ..]| *kind == TURN).count()
    }

    /// How often the station was moved on the way here.
    #[getter]
    fn station_moves(&self, py: Python<'_>) -> usize {
        self.0.lock(py).moves().filter(|[kind, ..]| *kind == STATION).count()
    }

    /// Turns and station moves together: lower is better.
    #[getter]
    fn score(&self, py: Python<'_>) -> usize {
        self.0.lock(py).moves().len()
    }

    /// Turns a tile clockwise so many times: as many moves, all of them or, where one is refused, none.
    #[pyo3(signature = (cell, turns=None), text_signature = "($self, cell, turns=1)")]
    fn rotate(&self, cell: &Bound<'_, PyAny>, turns: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let py = cell.py();
        let (height, width) = self.0.shape(py);
        let cell = array::cell("cell", cell, height, width)?;
        let number = turns.map_or(Ok(1), array::coordinate)?;
        if !(0..=1_000_000).contains(&number) {
            return Err(not_a_move(format!("{} turns, wanted 0 to 1000000", array::spelled(number, turns))));
        }
        self.0.lock(py).play_all(&vec![[TURN, cell.row, cell.col]; number as usize])?;
        Ok(())
    }

    /// Moves the station to the next tile in a direction: `"N" "E" "S" "W"`, on hexagons
    /// `"NE" "E" "SE" "SW" "W" "NW"`. Raises `IllegalMoveError` where no wires lead there.
    fn move_station(&self, direction: &str) -> PyResult<()> {
        Python::attach(|py| {
            let mut history = self.0.lock(py);
            let state = history.state();
            let names = SIDES[usize::from(state.lattice().hexagonal)];
            let Some(side) = names.iter().position(|name| name.eq_ignore_ascii_case(direction)) else {
                return Err(not_a_move(format!("direction {direction:?}, wanted one of {}", names.join(", "))));
            };
            let at = state.station();
            let to = match state.towards(side) {
                Ok(cell) => cell,
                // What a move of the station onto itself is refused with names the place; the reason is the direction's.
                Err(reason) => {
                    return Err(crate::core::Error::Illegal {
                        mv: vec![STATION, at.row, at.col],
                        reason: reason.reason().to_owned(),
                    }
                    .into());
                }
            };
            history.play([STATION, to.row, to.col])?;
            Ok(())
        })
    }

    /// The cell next to the station in a direction, wired or not; `None` where the board ends or the direction is none.
    fn beside(&self, py: Python<'_>, direction: &str) -> Option<(usize, usize)> {
        let game = self.0.lock(py);
        let (state, at) = (game.state(), game.state().station());
        let names = SIDES[usize::from(state.lattice().hexagonal)];
        let side = names.iter().position(|name| name.eq_ignore_ascii_case(direction))?;
        state.lattice().beyond(at.row as usize, at.col as usize, side)
    }

    /// The order in which power spreads from the station, breadth-first: columns tile, parent (-1 for the station's own)
    /// and depth, int32.
    #[allow(clippy::type_complexity)] // three columns
    fn spread_columns<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>) {
        let game = self.0.state(py);
        let (order, from, depth) = py.detach(|| {
            let (order, from) = game.spreading();
            let depths = game.distances();
            let depth: Vec<u32> = order.iter().map(|&tile| depths[tile as usize]).collect();
            (order, from, depth)
        });
        let ints = |list: Vec<u32>| list.into_iter().map(|n| n as i32).collect::<Vec<i32>>().into_pyarray(py);
        (ints(order), ints(from), ints(depth))
    }

    /// Finds turns that light everything from here: how often to turn each tile clockwise, `(height, width)` uint8, or
    /// `None` where it is proved that nothing does.
    ///
    /// With a limited radius the station may have to move afterwards: `solution()` gives all moves, the station's way
    /// among them. Raises `SearchLimitError` after `limit` nodes. `progress` is called with the nodes so far.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<u8>>>> {
        let limit = limit.map(|limit| limit.0);
        let game = self.0.state(py);
        let (height, width) = (game.height(), game.width());
        let answer = long(py, "nodes", limit, progress, move |budget| game.solve(budget))?;
        answer.map(|answer| array::matrix(py, height, width, answer.turns)).transpose()
    }

    /// Gives the moves of a solution: `(n, 3)` int32, turns first, then with a limited radius the station's way; `None`
    /// where it is proved that there is none.
    ///
    /// `limit` and `progress` are those of `solve`.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn solution<'py>(
        &self,
        py: Python<'py>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let limit = limit.map(|limit| limit.0);
        let game = self.0.state(py);
        let moves = long(py, "nodes", limit, progress, move |budget| {
            Ok(game.solve(budget)?.map(|answer| game.moves_of(&answer)))
        })?;
        moves.map(|moves| array::moves(py, moves.into_iter())).transpose()
    }

    /// Counts the different wirings that connect all tiles, up to `limit`; the search raises `SearchLimitError` after
    /// `nodes` nodes.
    #[pyo3(
        signature = (limit=array::Counted(2), *, nodes=None, progress=None),
        text_signature = "($self, limit=2, *, nodes=None, progress=None)"
    )]
    fn count_solutions(
        &self,
        py: Python<'_>,
        limit: array::Counted<u64>,
        nodes: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let limit = limit.0;
        let nodes = nodes.map(|nodes| nodes.0);
        let game = self.0.state(py);
        long(py, "nodes", nodes, progress, move |budget| game.count_solutions(limit, budget))
    }
}
