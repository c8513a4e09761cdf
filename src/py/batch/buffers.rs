//! The numpy buffers that a batch writes into.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::core::Game;
use crate::core::batch::{Batch, Buffers};
use crate::py::array;

/// Returns the items of an array that [`array::writable`] has checked.
pub(super) fn slice<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>) -> &'a mut [T] {
    array.as_slice_mut().unwrap_or(&mut [])
}

/// The numpy buffers that a batch writes into. The buffers of masks, bitsets, final boards and final masks may be
/// empty, and are then not written; the other buffers must have their full size.
#[derive(FromPyObject)]
pub(in crate::py) struct BufferArrays {
    board: Py<PyArrayDyn<u8>>,
    legal_mask: Py<PyArrayDyn<bool>>,
    legal_bits: Py<PyArrayDyn<u8>>,
    reward: Py<PyArrayDyn<f64>>,
    terminated: Py<PyArrayDyn<bool>>,
    truncated: Py<PyArrayDyn<bool>>,
    illegal: Py<PyArrayDyn<bool>>,
    final_board: Py<PyArrayDyn<u8>>,
    final_mask: Py<PyArrayDyn<bool>>,
}

/// The buffers of a batch, borrowed for writing.
pub(super) struct BorrowedBuffers<'py> {
    board: PyReadwriteArrayDyn<'py, u8>,
    mask: PyReadwriteArrayDyn<'py, bool>,
    bits: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f64>,
    terminated: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    illegal: PyReadwriteArrayDyn<'py, bool>,
    final_board: PyReadwriteArrayDyn<'py, u8>,
    final_mask: PyReadwriteArrayDyn<'py, bool>,
}

impl BufferArrays {
    /// Copies the results of the last step out of the buffers.
    pub(super) fn results<G: Game>(&self, py: Python<'_>, batch: &Batch<G>) -> PyResult<StepResults> {
        let mut borrowed = self.borrow(py, batch)?;
        let out = borrowed.slices();
        let flags = [&*out.terminated, &*out.truncated, &*out.illegal, &*out.final_mask].map(<[bool]>::to_vec);
        Ok(StepResults { reward: out.value.to_vec(), flags, final_board: out.final_board.to_vec() })
    }

    /// Borrows all buffers for writing and checks their sizes.
    pub(super) fn borrow<'py, G: Game>(&self, py: Python<'py>, batch: &Batch<G>) -> PyResult<BorrowedBuffers<'py>> {
        // The length is read from the array itself, because no Python code may run while the batch is locked.
        fn requested<T: Element>(py: Python<'_>, array: &Py<PyArrayDyn<T>>, items: usize) -> usize {
            if PyUntypedArrayMethods::len(array.bind(py)) > 0 { items } else { 0 }
        }
        let (n, boards, masks) = (batch.len(), batch.len() * batch.cells(), batch.len().saturating_mul(batch.volume()));
        let bits = batch.len().saturating_mul(batch.volume().div_ceil(8));
        let finals = requested(py, &self.final_board, boards);
        let final_masks = requested(py, &self.final_mask, masks);
        Ok(BorrowedBuffers {
            board: array::writable("board", self.board.bind(py), boards)?,
            mask: array::writable("legal_mask", self.legal_mask.bind(py), requested(py, &self.legal_mask, masks))?,
            bits: array::writable("legal_bits", self.legal_bits.bind(py), requested(py, &self.legal_bits, bits))?,
            reward: array::writable("reward", self.reward.bind(py), n)?,
            terminated: array::writable("terminated", self.terminated.bind(py), n)?,
            truncated: array::writable("truncated", self.truncated.bind(py), n)?,
            illegal: array::writable("illegal", self.illegal.bind(py), n)?,
            final_board: array::writable("final_board", self.final_board.bind(py), finals)?,
            final_mask: array::writable("final_mask", self.final_mask.bind(py), final_masks)?,
        })
    }
}

impl BorrowedBuffers<'_> {
    /// Checks that no two buffers share memory. Borrowing does not detect arrays made from the same foreign memory.
    pub(super) fn check_separate(&self) -> PyResult<()> {
        fn place<T: Element>(name: &'static str, array: &PyReadwriteArrayDyn<'_, T>) -> (usize, usize, &'static str) {
            (array.data() as usize, array.len() * size_of::<T>(), name)
        }
        let mut places = [
            place("board", &self.board),
            place("legal_mask", &self.mask),
            place("legal_bits", &self.bits),
            place("reward", &self.reward),
            place("terminated", &self.terminated),
            place("truncated", &self.truncated),
            place("illegal", &self.illegal),
            place("final_board", &self.final_board),
            place("final_mask", &self.final_mask),
        ]
        .map(|(start, bytes, name)| (start, start + bytes, name))
        // An empty array shares no memory, and would hide an overlap if it were sorted between two others.
        .into_iter()
        .filter(|(start, end, _)| start < end)
        .collect::<Vec<_>>();
        places.sort_unstable();
        for pair in places.windows(2) {
            let ((_, end, one), (start, _, other)) = (pair[0], pair[1]);
            if start < end {
                return Err(PyValueError::new_err(format!(
                    "{other} must not share memory with {one}, got arrays that overlap"
                )));
            }
        }
        Ok(())
    }

    /// Returns the buffers in the form that the engine takes.
    pub(super) fn slices(&mut self) -> Buffers<'_> {
        Buffers {
            board: slice(&mut self.board),
            mask: slice(&mut self.mask),
            bits: slice(&mut self.bits),
            value: slice(&mut self.reward),
            terminated: slice(&mut self.terminated),
            truncated: slice(&mut self.truncated),
            illegal: slice(&mut self.illegal),
            final_board: slice(&mut self.final_board),
            final_mask: slice(&mut self.final_mask),
        }
    }
}

/// The results of the last step, copied out of the buffers. A batch can write boards and masks again, but not these
/// results.
pub(super) struct StepResults {
    reward: Vec<f64>,
    flags: [Vec<bool>; 4],
    final_board: Vec<u8>,
}

impl StepResults {
    /// Writes the results into buffers of the same sizes; buffers of other sizes are left unchanged.
    pub(super) fn write(&self, out: &mut Buffers<'_>) {
        fn copy<T: Copy>(from: &[T], to: &mut [T]) {
            // A new buffer may be requested although the old one was empty, or the other way around.
            if from.len() == to.len() {
                to.copy_from_slice(from);
            }
        }
        copy(&self.reward, out.value);
        copy(&self.final_board, out.final_board);
        let [terminated, truncated, illegal, final_mask] = &self.flags;
        copy(terminated, out.terminated);
        copy(truncated, out.truncated);
        copy(illegal, out.illegal);
        copy(final_mask, out.final_mask);
    }
}
