//! The board and mask of a batch of one, for environments that take fresh arrays.

use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::Game;
use crate::core::batch::Batch;
use crate::core::game::Point;
use crate::py::array;

/// Board and mask of a batch of one, kept for [`SharedBatch::step_one`](super::SharedBatch::step_one); empty until the
/// first such step and after any other change.
#[derive(Clone, Default)]
pub(super) struct SingleBoard {
    pub(super) board: Vec<u8>,
    pub(super) mask: Vec<bool>,
    /// The mask as int8, 0 or 1, which is what the spaces of Gymnasium take.
    bytes: Vec<i8>,
}

impl SingleBoard {
    /// Writes the current board of a batch of one, and its mask if `mask` is `true`.
    pub(super) fn fill<G: Game>(&mut self, batch: &Batch<G>, mask: bool) {
        let moves = if mask { batch.volume() } else { 0 };
        self.board.resize(batch.cells(), 0);
        self.mask.resize(moves, false);
        batch.write(&mut self.board, &mut self.mask);
    }

    /// Copies the board into a fresh array, and the mask into a dict: flat, or in the shape of the box of moves.
    #[inline]
    pub(super) fn fresh_arrays<'py, G: Game>(
        &mut self,
        py: Python<'py>,
        batch: &Batch<G>,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        let (height, width) = batch.games().next().map_or((0, 0), |game| (game.height(), game.width()));
        let view = ArrayView2::from_shape((height, width), &self.board[..])
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let info = PyDict::new(py);
        if !self.mask.is_empty() {
            self.bytes.clear();
            self.bytes.extend(self.mask.iter().map(|&legal| i8::from(legal)));
            let key = intern!(py, "action_mask");
            if flat {
                info.set_item(key, PyArray1::from_slice(py, &self.bytes))?;
            } else {
                let bounds = batch.bounds();
                let shape: Vec<usize> = bounds.coords().iter().map(|&bound| bound as usize).collect();
                info.set_item(key, array::shaped(py, &shape, self.bytes.clone())?)?;
            }
        }
        Ok((PyArray2::from_array(py, &view), info))
    }
}
