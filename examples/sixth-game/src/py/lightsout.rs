//! Lights Out in Python: the members that the game has in addition to the members of all games.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::array;
use super::game::{MoveNotation, SharedGame, game_class};
use super::generator::{PositionGenerator, asks_for_any, parameter};
use super::long::long;
use crate::core::{Budget, Game, MAX_CELLS, memory};
use crate::lightsout::{CODES, LightsOut, Rule, generate};

game_class!(LightsOutCore, LightsOut, "LightsOut");
super::batch::batch_class!(LightsOutBatch, LightsOut, LightsOutCore, generator);

impl MoveNotation for LightsOut {}

/// Returns the generator of a batch's boards, or `None` if the recipe has `progress` or a grade, because boards of a
/// grade must be searched for.
fn generator(recipe: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<LightsOut>>> {
    if asks_for_any(recipe, &["difficulty", "progress"])? {
        return Ok(None);
    }
    let (height, width) = size(&parameter(recipe, "height")?, &parameter(recipe, "width")?)?;
    let make = move |seed| generate(height, width, None, seed, &mut Budget::unlimited());
    // Generation fails only for lack of memory; the board of seed 0 then takes the place of the new board.
    let first = make(0)?;
    Ok(Some(Arc::new(move |seed| make(seed).unwrap_or_else(|_| first.clone()))))
}

fn size(height: &Bound<'_, PyAny>, width: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    Ok((array::size("height", height, 1, MAX_CELLS)?, array::size("width", width, 1, MAX_CELLS)?))
}

/// Returns the board codes of Lights Out by name.
#[pyfunction]
pub(super) fn lightsout_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in CODES {
        found.set_item(name, code)?;
    }
    Ok(found)
}

/// Generates a board of a grade from 1 to 5, or of any grade if `grade` is `None`; the other arguments are those of
/// `LightsOut.generate`.
#[pyfunction]
pub(super) fn lightsout_generate(
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    grade: Option<u8>,
    seed: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<LightsOutCore> {
    let py = height.py();
    let ((height, width), seed) = (size(height, width)?, array::seed(seed)?);
    let made = long(py, "steps", None, progress, move |budget| generate(height, width, grade, seed, budget))?;
    Ok(LightsOutCore(SharedGame::from_state(made)))
}

#[pymethods]
impl LightsOutCore {
    /// Returns a board whose fields are all dark, so that the game is already won.
    ///
    /// * `height`, `width`: the size of the board, integers of at least 1, with at most 2^26 fields in total; otherwise
    ///   `ValueError`.
    #[classmethod]
    fn blank<'py>(
        class: &Bound<'py, PyType>,
        height: &Bound<'py, PyAny>,
        width: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (height, width) = size(height, width)?;
        let core = Self(SharedGame::from_state(LightsOut::blank(height, width)?));
        class.call1((Bound::new(class.py(), core)?,))
    }

    /// Returns the fewest presses that put out all lights, a new `(n, 2)` int32 array in row-major order; `None` if it
    /// is proved that there is no solution. The game does not change.
    ///
    /// * `limit`: the most steps that the search may take, an integer from 0 to 2^64 - 1, or `None` (the default) for
    ///   no limit. A step handles up to 64 bits. Raises `SearchLimitError` if the search reaches the limit, or if the
    ///   board has more than 2^40 solutions.
    /// * `progress`: a callable that receives the number of steps so far, or an object with `update`, such as a tqdm
    ///   bar; `None` (the default) for no reports.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let (game, limit) = (self.0.state(py)?, array::limit(limit)?);
        let found = long(py, "steps", limit, progress, move |budget| game.solve(budget))?;
        found.map(|found| array::moves(py, found.presses)).transpose()
    }

    /// Returns the row and the column of a cell of the board.
    fn _cell(&self, cell: &Bound<'_, PyAny>) -> PyResult<(i32, i32)> {
        let (height, width) = self.0.shape(cell.py())?;
        array::cell("cell", cell, height, width).map(|cell| (cell.row, cell.col))
    }

    /// Returns the parts of a reason: the presses of `solve`, the rule of each press, the fields that some solutions
    /// press and others do not, and the grade; `None` if there is no solution.
    #[allow(clippy::type_complexity)] // four parts
    fn _reasons<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(Bound<'py, PyArray2<i32>>, Vec<&'static str>, Bound<'py, PyArray2<bool>>, u8)>> {
        let (game, limit) = (self.0.state(py)?, array::limit(limit)?);
        let (height, width) = (game.height(), game.width());
        let Some(found) = long(py, "steps", limit, progress, move |budget| game.solve(budget))? else {
            return Ok(None);
        };
        // Each rule becomes a Python string in a list.
        memory::probe(found.presses.len() * 100, "the reasons of a board of this size")?;
        let (rules, grade) = (found.rules().into_iter().map(Rule::name).collect(), found.grade());
        let optional = array::matrix(py, height, width, found.optional)?;
        Ok(Some((array::moves(py, found.presses)?, rules, optional, grade)))
    }
}
