//! Generators of positions for the episodes of batches, and functions that read the parameters of a game's `generate`.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use super::array;
use crate::core::Game;

/// A function that generates a position from a seed and never fails.
pub(super) type PositionGenerator<G> = Arc<dyn Fn(u64) -> G + Send + Sync>;

/// Returns one parameter of `recipe`, which holds parameters of a game's `generate` by name.
pub(super) fn parameter<'py>(recipe: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    recipe.get_item(name)?.ok_or_else(|| {
        PyValueError::new_err(format!("recipe must hold {name}, got {}", array::shown(recipe.keys().as_any())))
    })
}

/// Returns whether at least one of the parameters `names` is given, that is, neither `None` nor `False`. A recipe with
/// such a parameter is left to `generate` itself.
pub(super) fn asks_for_any(recipe: &Bound<'_, PyDict>, names: &[&str]) -> PyResult<bool> {
    for name in names {
        let value = parameter(recipe, name)?;
        if !value.is_none() && !value.is(PyBool::new(value.py(), false)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `None`: the game has no generator for batches.
#[allow(clippy::unnecessary_wraps)] // the signature that `batch_class!` expects
pub(super) fn no_generator<G: Game>(_recipe: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<G>>> {
    Ok(None)
}
