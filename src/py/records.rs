//! Counts over all boards of a given size, and values of complete games, for the command `gridwright records`.

use pyo3::prelude::*;

use super::array;
use super::long::long;
use crate::bloxorz::census::{self, FloorCensus, LongestFloor};
use crate::core::Budget;
use crate::domination::{MAX_LOOKBACK, Rules, value};
use crate::geese::optimal;
use crate::lightemall::census::unique_trees;

/// Counts the Bloxorz floors in a rectangle by the number of rolls in the longest of the shortest solutions from any
/// start to any target.
///
/// `light` is whether tiles may be light; `first` is the first set of tiles to examine and `end` the one after the
/// last, with one bit per cell. Returns a list of rows `(rolls, floors up to symmetry, all floors)`, and the tuple
/// `(tiles, light tiles, start, target)` of a floor with the most rolls.
#[pyfunction]
#[pyo3(signature = (height, width, light, first, end, progress=None))]
#[allow(clippy::type_complexity)] // a table and one example
pub(super) fn bloxorz_floor_census(
    py: Python<'_>,
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    light: &Bound<'_, PyAny>,
    first: &Bound<'_, PyAny>,
    end: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<(u32, u64, u64)>, (u32, u32, u32, u32))> {
    let height = array::size("height", height, 1, census::MAX_CELLS)?;
    let width = array::size("width", width, 1, census::MAX_CELLS)?;
    let light = array::flag("light", light)?;
    let tiles = array::unsigned("first", first, 0)?..array::unsigned("end", end, 0)?;
    let count = |budget: &mut Budget<'_>| census::floor_census(height, width, light, tiles, budget);
    let FloorCensus { floors, longest } = long(py, "sets of tiles", None, progress, count)?;
    let LongestFloor { tiles, light, start, target } = longest;
    Ok((floors.into_iter().map(|(rolls, [floors, all])| (rolls, floors, all)).collect(), (tiles, light, start, target)))
}

/// Counts the spanning trees of a board of LightEmAll that are the only solution of their tiles. Returns the number of
/// trees as a string of digits, and the largest number of different sets of frontiers after any cell.
#[pyfunction]
#[pyo3(signature = (height, width, hexagonal, progress=None))]
pub(super) fn lightemall_unique_trees(
    py: Python<'_>,
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    hexagonal: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, usize)> {
    let height = array::size("height", height, 1, 64)?;
    let width = array::size("width", width, 1, 64)?;
    let hexagonal = array::flag("hexagonal", hexagonal)?;
    let count = |budget: &mut Budget<'_>| unique_trees(height, width, hexagonal, budget);
    let (unique, most) = long(py, "sets of frontiers", None, progress, count)?;
    Ok((unique.to_string(), most))
}

/// Returns the number of cells of X minus the number of cells of O at the end of a Linear Domination game of `plies`
/// plays: the value between perfect players if `perfect` is `True`, otherwise the mean between random players.
#[pyfunction]
#[pyo3(signature = (size, lookback, rules, plies, perfect, progress=None))]
pub(super) fn domination_exact_margin(
    py: Python<'_>,
    size: &Bound<'_, PyAny>,
    lookback: &Bound<'_, PyAny>,
    rules: &Bound<'_, PyAny>,
    plies: &Bound<'_, PyAny>,
    perfect: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let size = array::size("size", size, 1, value::LARGEST)?;
    let lookback = array::integer("lookback", lookback, 0..=MAX_LOOKBACK.into())? as u32;
    let rules = array::choice("rules", rules, &Rules::ALL)?;
    let plies = array::integer("plies", plies, 0..=value::MAX_PLIES.into())? as u32;
    let perfect = array::flag("perfect", perfect)?;
    let search = |budget: &mut Budget<'_>| value::exact_margin(size, lookback, rules, plies, perfect, budget);
    long(py, "positions", None, progress, search)
}

/// Returns the number of GeeseSpotter boards that perfect play wins if `field`, a row-major index, is shown first.
#[pyfunction]
#[pyo3(signature = (height, width, geese, field, progress=None))]
pub(super) fn geese_wins(
    py: Python<'_>,
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    geese: &Bound<'_, PyAny>,
    field: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<u32> {
    let height = array::size("height", height, 1, optimal::MAX_FIELDS)?;
    let width = array::size("width", width, 1, optimal::MAX_FIELDS)?;
    let geese = array::size("geese", geese, 0, optimal::MAX_FIELDS)?;
    let field = array::size("field", field, 0, optimal::MAX_FIELDS - 1)?;
    let search = |budget: &mut Budget<'_>| optimal::wins(height, width, geese, field, budget);
    long(py, "positions", None, progress, search)
}
