//! Functions for Python on segments between centers of cells. They check arguments and buffers, and release the
//! interpreter lock while many segments are traced. The functions on segments with other ends are in `lines.rs`.

use std::ops::Range;

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::array::writable;
use super::lines::{Values, by_pieces, no_crossings, off_the_board, own_copy, probe_bands, same_rank};
use crate::core::memory;
use crate::tracing::{self, LIMIT, Method, Segment, Value};

/// Reads the name of a method.
fn method(name: &str, tolerance: f64) -> PyResult<Method> {
    Method::named(name, tolerance).ok_or_else(|| {
        PyValueError::new_err(format!("method must be one of {}, got {name:?}", Method::NAMES.join(", ")))
    })
}

/// Reads a segment whose ends are pairs of whole numbers within range. Returns `None` for any other segment, which
/// `lines.rs` can read.
fn segment(tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> Option<Segment> {
    let ([a, b], [c, d]) = (array::any_cell("tail", tail).ok()?, array::any_cell("head", head).ok()?);
    let far = i64::from(LIMIT);
    let ends = [a, b, c, d];
    ends.iter().all(|part| (-far..=far).contains(part)).then(|| ends.map(|part| part as i32))
}

/// Returns an upper bound on the number of cells of a segment, without walking it.
fn at_most(segment: Segment, method: Method) -> u64 {
    match method {
        Method::AmanatidesWooFloat(_) => tracing::cell_count(segment, Method::Supercover),
        exact => tracing::cell_count(segment, exact),
    }
}

/// Checks that segments whose cells can be counted only by walking are short enough to be walked.
fn walkable(segments: &[Segment], method: Method) -> PyResult<()> {
    if matches!(method, Method::AmanatidesWooFloat(_)) {
        tracing::listable(segments.iter().map(|&segment| at_most(segment, method)).sum())?;
    }
    Ok(())
}

/// Returns the ends of a segment for an error message.
fn spelled([row, col, to_row, to_col]: Segment) -> String {
    format!("({row}, {col}) to ({to_row}, {to_col})")
}

/// Copies the rows of an `(m, 4)` array, which `gridwright.tracing` has made int32 and C-contiguous, and checks that
/// the segments are within range.
fn rows(segments: &PyReadonlyArray2<'_, i32>) -> PyResult<Vec<Segment>> {
    let shape = segments.shape().to_vec();
    if shape[1] != 4 {
        let found = array::shown_shape(&shape);
        return Err(PyValueError::new_err(format!("segments must be of shape (m, 4), got {found}")));
    }
    let cells = segments.as_slice()?;
    let each = cells.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]);
    let rows: Vec<Segment> = memory::collected(cells.len() / 4, each, "a copy of the segments")?;
    if let Some(wrong) = rows.iter().position(|&row| !tracing::in_range(row)) {
        let (must, found) = ("lie within 2^30 cells of the origin", spelled(rows[wrong]));
        return Err(PyValueError::new_err(format!("segment {wrong} must {must}, got {found}")));
    }
    Ok(rows)
}

/// Works through segments in pieces, as [`by_pieces`] does.
fn by_pieces_of(
    py: Python<'_>,
    segments: &[Segment],
    progress: Option<&Bound<'_, PyAny>>,
    mut work: impl FnMut(Range<usize>) + Send,
) -> PyResult<()> {
    let cells = |range: Range<usize>| {
        let size = |&[row, col, to_row, to_col]: &Segment| u64::from(row.abs_diff(to_row).max(col.abs_diff(to_col)));
        segments[range].iter().map(size).sum()
    };
    by_pieces(py, segments.len(), progress, cells, |range| {
        work(range);
        Ok(())
    })
}

type CellsAndWeights<'py> = (Bound<'py, PyArray2<i32>>, Option<Bound<'py, PyArray1<f64>>>);

/// Lists the cells of a segment between centers of cells, with weights for `"wu"`; returns `None` if the ends are not
/// centers within range.
#[pyfunction]
pub(super) fn trace<'py>(
    py: Python<'py>,
    tail: &Bound<'py, PyAny>,
    head: &Bound<'py, PyAny>,
    method: &str,
    tolerance: f64,
) -> PyResult<Option<CellsAndWeights<'py>>> {
    let method = self::method(method, tolerance)?;
    let Some(segment) = segment(tail, head) else { return Ok(None) };
    let most = at_most(segment, method);
    tracing::listable(most)?;
    // A cell takes 8 bytes, and its weight by Wu's method 8 more.
    memory::probe((most as usize * 16).max(memory::SPARE), "the cells of a line")?;
    if method != Method::Wu {
        let cells = py.detach(|| tracing::trace(segment, method));
        return Ok(Some((array::matrix(py, cells.len(), 2, cells.into_flattened())?, None)));
    }
    let mut cells = memory::with_capacity(2 * most as usize, "the cells of a line")?;
    let mut weights = memory::with_capacity(most as usize, "the cells of a line")?;
    tracing::weighted(segment, |row, col, weight| {
        cells.extend([row, col]);
        weights.push(weight);
    });
    Ok(Some((array::matrix(py, weights.len(), 2, cells)?, Some(weights.into_pyarray(py)))))
}

/// Lists the steps of the traversal of a segment between centers of cells, exact or in floating point, as a dict of
/// columns; returns `None` if the ends are not centers within range.
#[pyfunction]
pub(super) fn trace_steps<'py>(
    py: Python<'py>,
    tail: &Bound<'py, PyAny>,
    head: &Bound<'py, PyAny>,
    method: &str,
    tolerance: f64,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (name, method) = (method, self::method(method, tolerance)?);
    let Some(segment) = segment(tail, head) else { return Ok(None) };
    let most = at_most(segment, method);
    tracing::listable(most)?;
    // A step takes 32 bytes in the list and 25 in the columns.
    memory::probe((most as usize * 64).max(memory::SPARE), "the steps of a line")?;
    let mut steps = memory::with_capacity(most as usize, "the steps of a line")?;
    match method {
        Method::AmanatidesWoo => tracing::steps(segment, |step| steps.push(step)),
        Method::AmanatidesWooFloat(tolerance) => {
            tracing::float_steps(segment.map(f64::from), true, tolerance, |step| steps.push(step));
        }
        _ => return Err(no_crossings(name)),
    }
    let columns = PyDict::new(py);
    columns.set_item("row", PyArray1::from_iter(py, steps.iter().map(|step| step.row)))?;
    columns.set_item("col", PyArray1::from_iter(py, steps.iter().map(|step| step.col)))?;
    columns.set_item("t_max_row", PyArray1::from_iter(py, steps.iter().map(|step| step.t_max_row)))?;
    columns.set_item("t_max_col", PyArray1::from_iter(py, steps.iter().map(|step| step.t_max_col)))?;
    columns.set_item("axis", PyArray1::from_iter(py, steps.iter().map(|step| step.axis)))?;
    Ok(Some(columns))
}

/// Counts the cells of each segment: by a closed form, or by walking the segment for the method in floating point.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn cell_counts<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, i32>,
    method: &str,
    tolerance: f64,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (segments, method) = (rows(&segments)?, self::method(method, tolerance)?);
    walkable(&segments, method)?;
    let mut counts = memory::filled(0, segments.len(), "one number per segment")?;
    py.detach(|| tracing::cell_counts(&segments, method, &mut counts));
    Ok(counts.into_pyarray(py))
}

/// Returns the offsets for `trace_many`: the number of cells before each segment, followed by the number of all cells.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn trace_offsets<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, i32>,
    method: &str,
    tolerance: f64,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (segments, method) = (rows(&segments)?, self::method(method, tolerance)?);
    walkable(&segments, method)?;
    let offsets = py.detach(|| tracing::offsets(&segments, method))?;
    Ok(offsets.into_pyarray(py))
}

/// Writes the cells of many segments into the caller's arrays.
#[pyfunction]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn trace_many_into<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, i32>,
    method: &str,
    tolerance: f64,
    offsets: PyReadonlyArray1<'py, i64>,
    cells: &Bound<'py, PyArrayDyn<i32>>,
    weights: Option<&Bound<'py, PyArrayDyn<f64>>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let (segments, method) = (rows(&segments)?, self::method(method, tolerance)?);
    // The offsets are checked, because wrong ones could leave too little room for the cells of a segment.
    let offsets = own_copy(offsets.as_slice()?)?;
    let expected = py.detach(|| tracing::offsets(&segments, method))?;
    if expected.len() != offsets.len() {
        let (rows, found) = (expected.len(), offsets.len());
        return Err(PyValueError::new_err(format!("offsets must have length {rows}, got length {found}")));
    }
    if let Some(i) = (0..offsets.len()).find(|&i| offsets[i] != expected[i]) {
        let (expected, found) = (expected[i], offsets[i]);
        return Err(PyValueError::new_err(format!("offsets[{i}] must be {expected} for these segments, got {found}")));
    }
    let total = offsets.last().map_or(0, |&total| total as usize);
    let mut cells = writable("out", cells, 2 * total)?;
    let mut weights = weights.map(|weights| writable("weights", weights, total)).transpose()?;
    let cells = cells.as_slice_mut()?;
    let weights = match &mut weights {
        Some(weights) => weights.as_slice_mut()?,
        None => &mut [],
    };
    // The closure below copies the offsets of a piece, which may contain all segments.
    memory::probe(offsets.len() * size_of::<i64>(), "one number per segment")?;
    by_pieces_of(py, &segments, progress, |part| {
        let (from, to) = (offsets[part.start], offsets[part.end]);
        let own: Vec<i64> = offsets[part.start..=part.end].iter().map(|at| at - from).collect();
        let cells = &mut cells[2 * from as usize..2 * to as usize];
        let weights = if weights.is_empty() { &mut [] } else { &mut weights[from as usize..to as usize] };
        tracing::trace_many(&segments[part], method, &own, tracing::Buffers { cells, weights });
    })
}

/// Checks that no segment leaves a board; the error names the first one that does.
fn on_board(segments: &[Segment], height: usize, width: usize) -> PyResult<()> {
    tracing::outside(segments, height, width)
        .map_or(Ok(()), |wrong| Err(off_the_board(wrong, &[height, width], &spelled(segments[wrong]))))
}

/// Returns the height and width of a board, which must have two dimensions.
fn sizes(name: &str, shape: &[usize]) -> PyResult<(usize, usize)> {
    same_rank(name, shape, 2)?;
    Ok((shape[0], shape[1]))
}

#[allow(clippy::too_many_arguments)] // the arguments of the Python function
fn paint_any<T: Value + Element>(
    py: Python<'_>,
    board: &Bound<'_, PyArrayDyn<T>>,
    segments: &[Segment],
    values: &[T],
    method: Method,
    clip: bool,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (height, width) = sizes("board", board.shape())?;
    let values = Values::new(values, segments.len())?;
    let mut cells = writable("board", board, height * width)?;
    let cells = cells.as_slice_mut()?;
    if !clip {
        on_board(segments, height, width)?;
    }
    probe_bands(height, segments.len(), threads)?;
    by_pieces_of(py, segments, progress, |part| {
        let (part, values) = (&segments[part.clone()], values.part(part));
        if clip {
            return tracing::paint_clipped(cells, width, part, values, method);
        }
        let painted = tracing::paint(cells, width, part, values, method, threads);
        debug_assert!(painted.is_ok(), "all lie on the board");
    })
}

macro_rules! painter {
    ($name:ident, $type:ty) => {
        /// Paints segments on a board in place, in their order. With `clip`, paints the part of each segment that lies
        /// on the board; without it, raises `ValueError` for a segment that leaves the board.
        #[pyfunction]
        #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // pyo3 passes owned arguments
        pub(super) fn $name<'py>(
            py: Python<'py>,
            board: &Bound<'py, PyArrayDyn<$type>>,
            segments: PyReadonlyArray2<'py, i32>,
            values: PyReadonlyArray1<'py, $type>,
            method: &str,
            tolerance: f64,
            clip: bool,
            threads: &Bound<'py, PyAny>,
            progress: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<()> {
            let method = self::method(method, tolerance)?;
            let threads = array::threads(threads)?;
            paint_any(py, board, &rows(&segments)?, &own_copy(values.as_slice()?)?, method, clip, threads, progress)
        }
    };
}

painter!(paint_uint8, u8);
painter!(paint_int32, i32);
painter!(paint_float64, f64);

/// Adds to each cell of a `(height, width)` uint32 array the number of segments whose cells include it. With `clip`,
/// counts the part of each segment that lies on the array; without it, raises `ValueError` for a segment that leaves
/// the array.
#[pyfunction]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn coverage_into<'py>(
    py: Python<'py>,
    counts: &Bound<'py, PyArrayDyn<u32>>,
    segments: PyReadonlyArray2<'py, i32>,
    method: &str,
    tolerance: f64,
    clip: bool,
    threads: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let (segments, method) = (rows(&segments)?, self::method(method, tolerance)?);
    let threads = array::threads(threads)?;
    let (height, width) = sizes("shape", counts.shape())?;
    let mut cells = writable("counts", counts, height * width)?;
    let cells = cells.as_slice_mut()?;
    if !clip {
        on_board(&segments, height, width)?;
    }
    probe_bands(height, segments.len(), threads)?;
    by_pieces_of(py, &segments, progress, |part| {
        let part = &segments[part];
        if clip {
            return tracing::coverage_clipped(cells, width, part, method);
        }
        let counted = tracing::coverage(cells, width, part, method, threads);
        debug_assert!(counted.is_ok(), "all lie on the board");
    })
}

/// Returns the names of all methods.
#[pyfunction]
pub(super) fn tracing_methods() -> Vec<&'static str> {
    Method::NAMES.to_vec()
}
