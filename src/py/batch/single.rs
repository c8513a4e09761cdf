//! The board and mask of a batch of one, for environments, which return fresh arrays.

use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::batch::Batch;
use crate::core::game::Point;
use crate::core::{Error, Game, memory};
use crate::py::array;

/// The board and mask of a batch of one, kept so that [`SharedBatch::step_one`](super::SharedBatch::step_one) updates
/// them instead of rewriting them.
///
/// [`SharedBatch::reset_one`](super::SharedBatch::reset_one),
/// [`SharedBatch::observe_one`](super::SharedBatch::observe_one) and the first step fill them. The board is empty
/// before that, and again after any call that changes the game without updating the board.
#[derive(Clone, Default)]
pub(super) struct SingleBoard {
    pub(super) board: Vec<u8>,
    /// The mask; empty if the last call left it out.
    pub(super) mask: Vec<bool>,
    /// The mask as int8 numbers, 0 or 1, the type of mask that the spaces of Gymnasium accept.
    bytes: Vec<i8>,
}

impl SingleBoard {
    /// Reserves the memory for the board and mask that [`SingleBoard::fill`] writes, and for the mask as int8.
    pub(super) fn room<G: Game>(&mut self, batch: &Batch<G>, mask: bool) -> Result<(), Error> {
        fn reserve<T>(items: &mut Vec<T>, size: usize, what: &str) -> Result<(), Error> {
            let more = size.saturating_sub(items.len());
            memory::room(items, more, what)
        }
        let moves = if mask { batch.volume() } else { 0 };
        reserve(&mut self.board, batch.cells(), "the board")?;
        reserve(&mut self.mask, moves, "the legal-move mask")?;
        reserve(&mut self.bytes, moves, "the legal-move mask")
    }

    /// Writes the current board of a batch of one, and its mask if `mask` is `true`, into the memory that
    /// [`SingleBoard::room`] has reserved.
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
