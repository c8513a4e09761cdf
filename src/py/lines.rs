//! Functions for Python that list, paint and measure segments whose ends are floats, in two and three dimensions. Users
//! call the functions of `gridwright.tracing`, which call these.

use std::ops::Range;

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::array::writable;
use super::long::long;
use crate::core::{Error, memory};
use crate::tracing::{self, Frame, Line, Lines, Method, Rule, Transform, Value};

/// Evaluates `$call` with the sizes of an array of two or three dimensions as `&[usize; 2]` or `&[usize; 3]`; for any
/// other number of dimensions, evaluates to the default value of the type.
macro_rules! with_sizes {
    ($shape:expr, $sizes:ident => $call:expr) => {
        match *$shape {
            [a, b] => {
                let $sizes = &[a, b];
                $call
            }
            [a, b, c] => {
                let $sizes = &[a, b, c];
                $call
            }
            _ => Default::default(),
        }
    };
}

/// Evaluates `$call` with the sizes of the array to which segments are clipped, as `with_sizes!` does, or with `None`
/// if there is no such array. `$rank` is the number of dimensions of the segments.
macro_rules! within {
    ($rank:expr, $shape:expr, $within:ident => $call:expr) => {
        match ($rank, $shape) {
            (_, Some(shape)) => with_sizes!(shape, sizes => {
                let $within = Some(sizes);
                $call
            }),
            (2, None) => {
                let $within: Option<&[usize; 2]> = None;
                $call
            }
            _ => {
                let $within: Option<&[usize; 3]> = None;
                $call
            }
        }
    };
}

/// A copy of the segments, with the frame in which their coordinates are read and the rule that selects their cells.
struct LineInput {
    /// The coordinates: for each segment those of the tail, then those of the head.
    ends: Vec<f64>,
    /// The number of dimensions: 2 or 3.
    rank: usize,
    frame: Frame,
    rule: Rule,
}

/// The options of a call, which apply to all segments. Python passes a tuple of the fields.
pub(super) struct LineOptions {
    /// Whether whole numbers are corners of cells, not centers.
    corner: bool,
    /// The six numbers of a transform.
    transform: Option<[f64; 6]>,
    /// The name of the method.
    method: String,
    /// The tolerance of the method.
    tolerance: f64,
}

impl<'py> FromPyObject<'_, 'py> for LineOptions {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (corner, transform, method, tolerance) = value.extract()?;
        Ok(Self { corner, transform, method, tolerance })
    }
}

impl LineInput {
    /// Copies and checks segments, an array of shape `(m, 4)` or `(m, 6)`.
    fn new(segments: &PyReadonlyArray2<'_, f64>, options: LineOptions) -> PyResult<Self> {
        let LineOptions { corner, transform, method, tolerance } = options;
        let frame = match transform {
            Some(numbers) => Frame::World(Transform::new(numbers)?),
            None if corner => Frame::Corner,
            None => Frame::Center,
        };
        let rule = match Method::named(&method, tolerance) {
            Some(Method::AmanatidesWoo) => Rule::Thin,
            Some(Method::Supercover) => Rule::Supercover,
            Some(Method::AmanatidesWooFloat(tolerance)) => Rule::Float(tolerance),
            _ => {
                let [exact, cover, .., float] = Method::NAMES;
                return Err(PyValueError::new_err(format!(
                    "method must be {exact:?}, {cover:?} or {float:?}, got {method:?}"
                )));
            }
        };
        let ends = own_copy(segments.as_slice()?)?;
        let (rank, wrong) = match segments.shape()[1] {
            4 => (2, tracing::check::<2>(&ends, &frame)),
            6 if transform.is_none() => (3, tracing::check::<3>(&ends, &frame)),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "segments must be of shape (m, 4) or (m, 6), and (m, 4) with a transform, got {}",
                    array::shown_shape(segments.shape())
                )));
            }
        };
        let input = Self { ends, rank, frame, rule };
        match wrong {
            Some((i, must)) => Err(PyValueError::new_err(format!("segment {i} must {must}, got {}", input.spelled(i)))),
            None => Ok(input),
        }
    }

    /// Returns an empty list with room for one number per segment.
    fn per_segment(&self) -> PyResult<Vec<i64>> {
        Ok(memory::with_capacity(self.len(), "one number per segment")?)
    }

    /// Returns the ends of a segment for an error message.
    fn spelled(&self, i: usize) -> String {
        let ends = &self.ends[2 * self.rank * i..2 * self.rank * (i + 1)];
        let point = |part: &[f64]| part.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
        format!("({}) to ({})", point(&ends[..self.rank]), point(&ends[self.rank..]))
    }

    fn len(&self) -> usize {
        self.ends.len() / (2 * self.rank)
    }

    /// Returns the segments of a range.
    fn part(&self, range: Range<usize>) -> Lines<'_> {
        let ends = &self.ends[2 * self.rank * range.start..2 * self.rank * range.end];
        Lines { ends, frame: &self.frame, rule: self.rule }
    }

    /// Works through the segments in pieces with the function [`by_pieces`].
    fn by_pieces(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnMut(Range<usize>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        /// Returns the sum of the lengths of segments along all axes, which approximates the number of their cells.
        fn reach<const D: usize>(ends: &[f64]) -> f64 {
            let mut sums = [0.0; D];
            for ends in ends.chunks_exact(2 * D) {
                for a in 0..D {
                    sums[a] += (ends[a] - ends[D + a]).abs();
                }
            }
            sums.iter().sum()
        }
        let cells = |range: Range<usize>| {
            let ends = &self.ends[2 * self.rank * range.start..2 * self.rank * range.end];
            match (&self.frame, self.rank) {
                // Reading a segment in world coordinates can take as long as walking thousands of cells, because its
                // ends are computed exactly, often with big integers.
                (Frame::World(transform), _) => {
                    let borders = |ends: &[f64]| transform.borders(ends[2] - ends[0], ends[3] - ends[1]) as u64;
                    ends.chunks_exact(4).map(|ends| borders(ends).saturating_add(4096)).fold(0, u64::saturating_add)
                }
                (_, 2) => reach::<2>(ends) as u64,
                _ => reach::<3>(ends) as u64,
            }
        };
        by_pieces(py, self.len(), progress, cells, work)
    }

    /// Checks that no segment leaves an array of the given shape; the error names the first one that does.
    fn on_board(&self, shape: &[usize]) -> PyResult<()> {
        let wrong = with_sizes!(shape, sizes => self.part(0..self.len()).outside(sizes));
        wrong.map_or(Ok(()), |i| Err(off_the_board(i, shape, &self.spelled(i))))
    }
}

/// Works through `count` segments in pieces of about equal work. `work` handles the segments of a range, and `cells`
/// estimates that work as a number of cells. Ctrl-C is handled and `progress` is called only between pieces.
pub(super) fn by_pieces(
    py: Python<'_>,
    count: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cells: impl Fn(Range<usize>) -> u64 + Sync,
    mut work: impl FnMut(Range<usize>) -> Result<(), Error> + Send,
) -> PyResult<()> {
    /// The approximate number of cells of a piece.
    const PIECE: u64 = 1 << 23;
    /// The number of segments that are added to a piece at a time, unless they are long.
    const RUN: usize = 256;
    long(py, "segments", None, progress, |budget| {
        let mut first = 0;
        while first < count {
            let (mut last, mut sum) = (first, 0);
            while last < count && sum < PIECE {
                let mut run = last..count.min(last + RUN);
                let mut more = cells(run.clone());
                if more > PIECE {
                    run.end = last + 1;
                    more = cells(run.clone());
                }
                // Each segment also takes some fixed time, however short it is.
                sum = sum.saturating_add(more).saturating_add(8 * run.len() as u64);
                last = run.end;
            }
            work(first..last)?;
            budget.spend((last - first) as u64)?;
            // `spend` reads the clock only after many units of work, and a few long segments are only a few units.
            budget.pause()?;
            first = last;
        }
        Ok(())
    })
}

/// Creates the `ValueError` for segment `i`, which leaves a board of the given shape. `spelled` is the segment as text.
pub(super) fn off_the_board(i: usize, shape: &[usize], spelled: &str) -> PyErr {
    let size = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
    PyValueError::new_err(format!("segment {i} must stay on the {size} board, got {spelled}"))
}

/// Copies the caller's array, because another thread may write to the original during the call.
pub(super) fn own_copy<T: Copy>(items: &[T]) -> PyResult<Vec<T>> {
    let mut own = memory::with_capacity(items.len(), "a copy of the arguments")?;
    own.extend_from_slice(items);
    Ok(own)
}

/// Checks that there is enough memory to divide a board of `rows` rows into bands for several threads.
pub(super) fn probe_bands(rows: usize, segments: usize, threads: usize) -> PyResult<()> {
    // An upper bound: the sums of the work take 8 bytes per row, and the end cells at most 16 bytes per segment.
    let bytes = if threads == 1 { 0 } else { rows.saturating_add(segments).saturating_mul(16) };
    Ok(memory::probe(bytes, "the work on these segments")?)
}

/// Checks that the argument `name`, an array or the shape of one, has as many dimensions as the segments.
pub(super) fn same_rank(name: &str, shape: &[usize], rank: usize) -> PyResult<()> {
    if shape.len() == rank {
        return Ok(());
    }
    let found = array::shown_shape(shape);
    Err(PyValueError::new_err(format!("{name} must have the {rank} dimensions of the segments, got shape {found}")))
}

/// The values that segments are painted with: one per segment, or one for all.
pub(super) struct Values<'a, T>(&'a [T]);

impl<'a, T> Values<'a, T> {
    /// Checks that there is one value, or one for each of `segments` segments.
    pub(super) fn new(values: &'a [T], segments: usize) -> PyResult<Self> {
        if values.len() != 1 && values.len() != segments {
            let found = values.len();
            let counts = if segments == 1 { "1 number".to_owned() } else { format!("1 or {segments} numbers") };
            return Err(PyValueError::new_err(format!("values must hold {counts}, got {found}")));
        }
        Ok(Self(values))
    }

    /// Returns the values of the segments of a range.
    pub(super) fn part(&self, range: Range<usize>) -> &'a [T] {
        if self.0.len() == 1 { self.0 } else { &self.0[range] }
    }
}

/// Returns the running sums of `counts`, starting with 0, so that there is one more sum than there are counts.
fn running_sums(counts: Vec<i64>) -> PyResult<Vec<i64>> {
    let mut sums = memory::with_capacity(counts.len() + 1, "one number per segment")?;
    let mut total = 0;
    sums.push(0);
    sums.extend(counts.into_iter().map(|count| {
        total += count;
        total
    }));
    Ok(sums)
}

type CellsAndOffsets<'py> = (Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<i64>>);

/// Lists the cells of segments, one segment after the other. Returns the cells and the offset at which each segment
/// begins, followed by the number of cells. With a `shape`, only cells of an array of that shape are listed.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_list<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
    shape: Option<Vec<usize>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<CellsAndOffsets<'py>> {
    let input = LineInput::new(&segments, options)?;
    shape.as_deref().map_or(Ok(()), |shape| same_rank("shape", shape, input.rank))?;
    let (mut cells, mut counts) = (Vec::new(), input.per_segment()?);
    input.by_pieces(py, progress, |range| {
        within!(input.rank, shape.as_deref(), within => input.part(range).list(within, &mut cells, &mut counts)?);
        Ok(())
    })?;
    let number = cells.len() / input.rank;
    Ok((array::matrix(py, number, input.rank, cells)?, running_sums(counts)?.into_pyarray(py)))
}

/// Counts the cells of each segment by walking it.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_count<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let input = LineInput::new(&segments, options)?;
    let mut counts = input.per_segment()?;
    input.by_pieces(py, None, |range| {
        if input.rank == 2 {
            input.part(range).count::<2>(&mut counts);
        } else {
            input.part(range).count::<3>(&mut counts);
        }
        Ok(())
    })?;
    Ok(counts.into_pyarray(py))
}

#[allow(clippy::too_many_arguments)] // the arguments of the painters
fn paint_any<T: Value + Element>(
    py: Python<'_>,
    board: &Bound<'_, PyArrayDyn<T>>,
    input: &LineInput,
    values: &[T],
    clip: bool,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let shape = board.shape().to_vec();
    same_rank("board", &shape, input.rank)?;
    let values = Values::new(values, input.len())?;
    let mut cells = writable("board", board, shape.iter().product())?;
    let cells = cells.as_slice_mut()?;
    if !clip {
        input.on_board(&shape)?;
    }
    probe_bands(shape[0], input.len(), threads)?;
    input.by_pieces(py, progress, |range| {
        let (part, values) = (input.part(range.clone()), values.part(range));
        with_sizes!(shape, sizes => part.paint(cells, sizes, values, threads));
        Ok(())
    })
}

macro_rules! painter {
    ($name:ident, $type:ty) => {
        /// Paints segments on an array in place, in their order. With `clip`, paints the part of each segment that lies
        /// on the array; without it, raises `ValueError` for a segment that leaves the array.
        #[pyfunction]
        #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // the arguments of a Python function
        pub(super) fn $name<'py>(
            py: Python<'py>,
            board: &Bound<'py, PyArrayDyn<$type>>,
            segments: PyReadonlyArray2<'py, f64>,
            options: LineOptions,
            values: PyReadonlyArray1<'py, $type>,
            clip: bool,
            threads: &Bound<'py, PyAny>,
            progress: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<()> {
            let input = LineInput::new(&segments, options)?;
            let threads = array::threads(threads)?;
            paint_any(py, board, &input, &own_copy(values.as_slice()?)?, clip, threads, progress)
        }
    };
}

painter!(lines_paint_uint8, u8);
painter!(lines_paint_int32, i32);
painter!(lines_paint_float64, f64);

/// Adds to each cell of a uint32 array the number of segments whose cells include it. With `clip`, counts the part of
/// each segment that lies on the array; without it, raises `ValueError` for a segment that leaves the array.
#[pyfunction]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // the arguments of a Python function
pub(super) fn lines_coverage_into<'py>(
    py: Python<'py>,
    counts: &Bound<'py, PyArrayDyn<u32>>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
    clip: bool,
    threads: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let input = LineInput::new(&segments, options)?;
    let threads = array::threads(threads)?;
    let shape = counts.shape().to_vec();
    same_rank("shape", &shape, input.rank)?;
    let mut cells = writable("counts", counts, shape.iter().product())?;
    let cells = cells.as_slice_mut()?;
    if !clip {
        input.on_board(&shape)?;
    }
    probe_bands(shape[0], input.len(), threads)?;
    input.by_pieces(py, progress, |range| {
        with_sizes!(shape, sizes => input.part(range).coverage(cells, sizes, threads));
        Ok(())
    })
}

/// Returns, without walking, an upper bound on the number of cells of the thin lines of all segments together. With a
/// `shape`, only cells of an array of that shape count.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_most_cells(
    py: Python<'_>,
    segments: PyReadonlyArray2<'_, f64>,
    options: LineOptions,
    shape: Option<Vec<usize>>,
) -> PyResult<u64> {
    let input = LineInput::new(&segments, options)?;
    shape.as_deref().map_or(Ok(()), |shape| same_rank("shape", shape, input.rank))?;
    let mut total = 0;
    input.by_pieces(py, None, |range| {
        total += within!(input.rank, shape.as_deref(), within => input.part(range).most_cells(within).sum::<u64>());
        Ok(())
    })?;
    Ok(total)
}

/// Writes the cells of segments and the length of each segment within each of its cells. Returns the offset at which
/// each segment begins, followed by the number of cells. The arrays must have room for one more cell than
/// `lines_most_cells` returns.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_lengths_into<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
    shape: Option<Vec<usize>>,
    cells: &Bound<'py, PyArrayDyn<i32>>,
    lengths: &Bound<'py, PyArrayDyn<f64>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let input = LineInput::new(&segments, options)?;
    shape.as_deref().map_or(Ok(()), |shape| same_rank("shape", shape, input.rank))?;
    let size = lengths.len();
    let (mut cells, mut lengths) = (writable("cells", cells, input.rank * size)?, writable("lengths", lengths, size)?);
    let (cells, lengths) = (cells.as_slice_mut()?, lengths.as_slice_mut()?);
    let (mut counts, mut used) = (input.per_segment()?, 0);
    input.by_pieces(py, progress, |range| {
        let (part, first) = (input.part(range), counts.len());
        let (cells, lengths) = (&mut cells[input.rank * used..], &mut lengths[used..]);
        within!(input.rank, shape.as_deref(), within => part.lengths(within, cells, lengths, &mut counts));
        used += counts[first..].iter().sum::<i64>() as usize;
        Ok(())
    })?;
    Ok(running_sums(counts)?.into_pyarray(py))
}

fn matrix_any<'py, I: Element>(
    py: Python<'py>,
    input: &LineInput,
    shape: &[usize],
    index: impl Fn(usize) -> I + Copy + Send + Sync,
    columns: &Bound<'py, PyArrayDyn<I>>,
    lengths: &Bound<'py, PyArrayDyn<f64>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    same_rank("shape", shape, input.rank)?;
    let size = columns.len();
    let (mut columns, mut lengths) = (writable("indices", columns, size)?, writable("data", lengths, size)?);
    let (columns, lengths) = (columns.as_slice_mut()?, lengths.as_slice_mut()?);
    let (mut counts, mut used) = (input.per_segment()?, 0);
    input.by_pieces(py, progress, |range| {
        let (part, first) = (input.part(range), counts.len());
        let (columns, lengths) = (&mut columns[used..], &mut lengths[used..]);
        with_sizes!(shape, sizes => part.matrix(sizes, index, columns, lengths, &mut counts));
        used += counts[first..].iter().sum::<i64>() as usize;
        Ok(())
    })?;
    Ok(running_sums(counts)?.into_pyarray(py))
}

macro_rules! matrix {
    ($name:ident, $type:ty) => {
        /// Writes a sparse matrix with one row per segment and one column per cell: the column of each entry to
        /// `indices`, and the length of the segment within that cell to `data`. Returns the offset at which each row
        /// begins, followed by the number of entries.
        #[pyfunction]
        #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
        pub(super) fn $name<'py>(
            py: Python<'py>,
            segments: PyReadonlyArray2<'py, f64>,
            options: LineOptions,
            shape: Vec<usize>,
            indices: &Bound<'py, PyArrayDyn<$type>>,
            data: &Bound<'py, PyArrayDyn<f64>>,
            progress: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyArray1<i64>>> {
            let input = LineInput::new(&segments, options)?;
            matrix_any(py, &input, &shape, |cell| cell as $type, indices, data, progress)
        }
    };
}

matrix!(lines_matrix_int32, i32);
matrix!(lines_matrix_int64, i64);

/// Returns the row-major index of the first blocked cell of each segment, or -1 if there is none.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_first_hit<'py>(
    py: Python<'py>,
    blocked: PyReadonlyArrayDyn<'py, bool>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let input = LineInput::new(&segments, options)?;
    let shape = blocked.shape().to_vec();
    same_rank("blocked", &shape, input.rank)?;
    let (blocked, mut hits) = (blocked.as_slice()?, input.per_segment()?);
    input.by_pieces(py, progress, |range| {
        with_sizes!(shape, sizes => input.part(range).first_hit(blocked, sizes, &mut hits));
        Ok(())
    })?;
    Ok(hits.into_pyarray(py))
}

/// Returns a bool array with the shape of `blocked`, two- or three-dimensional, that marks the cells visible from
/// `cell`, up to a distance of `radius` if `radius` is given.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_visible<'py>(
    py: Python<'py>,
    blocked: PyReadonlyArrayDyn<'py, bool>,
    cell: Vec<usize>,
    radius: Option<f64>,
) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
    let shape = blocked.shape().to_vec();
    let blocked = blocked.as_slice()?;
    let seen = long(py, "cells", None, None, |budget| match (&shape[..], &cell[..]) {
        (&[a, b], &[i, j]) => tracing::visible(blocked, &[a, b], &[i, j], radius, budget),
        (&[a, b, c], &[i, j, k]) => tracing::visible(blocked, &[a, b, c], &[i, j, k], radius, budget),
        // `gridwright.tracing` checks the dimensions; without that check, `shaped` fails below.
        _ => Ok(Vec::new()),
    })?;
    array::shaped(py, &shape, seen)
}

/// Returns the steps of the traversal of one segment, exact or in floating point, as a dict of columns.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
pub(super) fn lines_steps<'py>(
    py: Python<'py>,
    segments: PyReadonlyArray2<'py, f64>,
    options: LineOptions,
) -> PyResult<Bound<'py, PyDict>> {
    let method = options.method.clone();
    let input = LineInput::new(&segments, options)?;
    let most = if input.rank == 2 {
        Line::<2>::new(&input.ends, &input.frame).most_cells()
    } else {
        Line::<3>::new(&input.ends, &input.frame).most_cells()
    };
    tracing::listable(most)?;
    let (room, what) = (most as usize, "the steps of a line");
    // A step takes 12 bytes per axis and 1 byte more, once in the lists and once in the columns.
    memory::probe(2 * room * (12 * input.rank + 1), what)?;
    let mut cells = (0..input.rank).map(|_| memory::with_capacity(room, what)).collect::<Result<Vec<_>, _>>()?;
    let mut next = (0..input.rank).map(|_| memory::with_capacity(room, what)).collect::<Result<Vec<_>, _>>()?;
    let mut axes = memory::with_capacity(room, what)?;
    let mut add = |cell: &[i32], t_max: &[f64], axis: i8| {
        for a in 0..cell.len() {
            cells[a].push(cell[a]);
            next[a].push(t_max[a]);
        }
        axes.push(axis);
    };
    // The code of the axes crossed to enter a cell: the axis, -1 for none (the tail), or `rank` for several at once.
    let code = |crossed: u32, rank: i8| match crossed.count_ones() {
        0 => -1,
        1 => crossed.trailing_zeros() as i8,
        _ => rank,
    };
    match (input.rank, input.rule) {
        (2, Rule::Thin) => {
            Line::<2>::new(&input.ends, &input.frame).steps(|cell, next, crossed| add(&cell, &next, code(crossed, 2)));
        }
        (3, Rule::Thin) => {
            Line::<3>::new(&input.ends, &input.frame).steps(|cell, next, crossed| add(&cell, &next, code(crossed, 3)));
        }
        (2, Rule::Float(tolerance)) => {
            let ends = [input.ends[0], input.ends[1], input.ends[2], input.ends[3]];
            tracing::float_steps(ends, matches!(input.frame, Frame::Center), tolerance, |step| {
                add(&[step.row, step.col], &[step.t_max_row, step.t_max_col], step.axis);
            });
        }
        _ => return Err(no_crossings(&method)),
    }
    let names = ["layer", "row", "col"];
    let columns = PyDict::new(py);
    for a in 0..input.rank {
        columns.set_item(names[a + 3 - input.rank], PyArray1::from_slice(py, &cells[a]))?;
    }
    for a in 0..input.rank {
        columns.set_item(format!("t_max_{}", names[a + 3 - input.rank]), PyArray1::from_slice(py, &next[a]))?;
    }
    columns.set_item("axis", PyArray1::from_vec(py, axes))?;
    Ok(columns)
}

/// Creates the `ValueError` for a method whose steps cannot be listed.
pub(super) fn no_crossings(method: &str) -> PyErr {
    let [exact, .., float] = Method::NAMES;
    PyValueError::new_err(format!("method must be {exact:?} or {float:?}, got {method:?}, which compares no crossings"))
}
