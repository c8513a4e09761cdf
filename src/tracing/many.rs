//! Many segments between centers of cells: their cells, counts and painted boards, written into the caller's memory.
//!
//! A thin line is painted along its long side: each step meets one or two cells, and one comparison decides how many.
//! The line is symmetric under a rotation by 180 degrees about the midpoint of the segment, so that one comparison can
//! serve both ends.
//!
//! A worked example on a board of 3 x 3, the segment from (0, 0) to (1, 2), 2 steps long and 1 step wide
//! (`Cursor` explains steps and `stay`):
//!
//! ```text
//! 0 1 .      step 0: `stay` is 0, so one cell: the front is at (0, 0), and the back, its mirror image, at (1, 2)
//! . 1 2      step 1: `stay` is -2, below -1, so two cells: (0, 1), and (1, 1) one step along the short side
//! . . .      step 2: the back has been there; step 1 is the middle and its own mirror image
//! ```

use super::cover::listable;
use super::{Method, Segment, cell_count, direction, extent, list, walk};
use crate::core::{Error, memory, pool};

/// The approximate number of cells above which other threads are used, unless the caller chooses the number of threads.
pub(super) const WORTH_THREADS: u64 = 1 << 18;

/// Writes the number of cells of each segment, as traced by `method`, to `counts`, one number per segment.
pub fn cell_counts(segments: &[Segment], method: Method, counts: &mut [i64]) {
    for (count, &segment) in counts.iter_mut().zip(segments) {
        *count = cell_count(segment, method) as i64;
    }
}

/// Returns where the cells of each segment begin in the list of all cells: those of segment `i` are
/// `offsets[i]..offsets[i + 1]`, so that there is one offset more than there are segments.
///
/// # Errors
/// Returns [`Error::Invalid`] if there are more than [`MAX_LISTED`](super::MAX_LISTED) cells, and [`Error::Memory`] if
/// memory cannot hold the offsets.
pub fn offsets(segments: &[Segment], method: Method) -> Result<Vec<i64>, Error> {
    let mut total = 0u64;
    let mut offsets = memory::with_capacity(segments.len() + 1, "the offsets of the segments")?;
    offsets.push(0);
    for &segment in segments {
        total += cell_count(segment, method);
        listable(total)?;
        offsets.push(total as i64);
    }
    Ok(offsets)
}

/// The caller's arrays for the cells of many segments.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Row and column of each cell, two numbers per cell.
    pub cells: &'a mut [i32],
    /// The weight of each cell, for [`Method::Wu`]; empty if weights are not needed.
    pub weights: &'a mut [f64],
}

/// Writes the cells of all segments, each from tail to head, one segment after the other.
///
/// `offsets` is what [`offsets`] returns for `segments` and `method`; the last offset is the number of cells for which
/// the arrays need room.
pub fn trace_many(segments: &[Segment], method: Method, offsets: &[i64], out: Buffers<'_>) {
    let total = offsets.last().map_or(0, |&last| last as u64);
    let threads = if total < WORTH_THREADS { 1 } else { pool::threads() };
    let mut pieces = Vec::with_capacity(threads);
    let (mut cells, mut weights, mut first) = (out.cells, out.weights, 0);
    // Each thread gets whole segments with about the same number of cells, and the part of the arrays that these
    // segments fill. The offsets tell where that part begins.
    for k in 0..threads {
        let end = (k + 1) as u64 * total / threads as u64;
        let last =
            if k + 1 == threads { segments.len() } else { offsets.partition_point(|&at| (at as u64) < end).max(first) };
        let last = last.min(segments.len());
        let count = (offsets[last] - offsets[first]) as usize;
        let (own, rest) = cells.split_at_mut(2 * count);
        cells = rest;
        let (own_weights, rest) =
            if weights.is_empty() { weights.split_at_mut(0) } else { weights.split_at_mut(count) };
        weights = rest;
        pieces.push((&segments[first..last], own, own_weights));
        first = last;
    }
    pool::each(pieces, |(segments, mut cells, mut weights)| {
        if method == Method::AmanatidesWoo {
            list::list_many(segments, cells);
            return;
        }
        // The other walks write through closures; after each segment, the filled part of the arrays is split off.
        for &segment in segments {
            match method {
                Method::Wu if !weights.is_empty() => {
                    let mut n = 0;
                    super::weighted(segment, |row, col, weight| {
                        cells[2 * n] = row;
                        cells[2 * n + 1] = col;
                        weights[n] = weight;
                        n += 1;
                    });
                    cells = cells.split_at_mut(2 * n).1;
                    weights = weights.split_at_mut(n).1;
                }
                _ => {
                    let mut n = 0;
                    walk(segment, method, |row, col| {
                        cells[2 * n] = row;
                        cells[2 * n + 1] = col;
                        n += 1;
                    });
                    cells = cells.split_at_mut(2 * n).1;
                }
            }
        }
    });
}

/// A type of number that a board can hold.
pub trait Value: Copy + Send + Sync {
    /// Mixes `weight` of this value with `1 - weight` of `below`; whole numbers are rounded half up.
    #[must_use]
    fn over(self, below: Self, weight: f64) -> Self;
}

impl Value for u8 {
    fn over(self, below: Self, weight: f64) -> Self {
        // The cast rounds down, because the sum is not negative.
        (f64::from(self) * weight + f64::from(below) * (1.0 - weight) + 0.5) as Self
    }
}

impl Value for i32 {
    fn over(self, below: Self, weight: f64) -> Self {
        (f64::from(self) * weight + f64::from(below) * (1.0 - weight) + 0.5).floor() as Self
    }
}

impl Value for f64 {
    fn over(self, below: Self, weight: f64) -> Self {
        self * weight + below * (1.0 - weight)
    }
}

/// What a line does to the cells of a board.
pub(super) trait CellUpdate: Copy + Send + Sync {
    /// What a cell of the board holds.
    type Board: Send;
    /// Updates a cell.
    fn apply(self, cell: &mut Self::Board);
    /// Updates a cell if `mask` is -1. If `mask` is 0, the cell has just been updated and must keep its value; writing
    /// an equal value is allowed and costs less than a branch.
    fn apply_again(self, cell: &mut Self::Board, mask: i64);

    /// Updates the cell at an index, if the band contains that cell.
    #[inline(always)]
    fn apply_at(self, band: &mut [Self::Board], at: isize) {
        // A negative index is huge as `usize`, so one comparison checks both bounds.
        if let Some(cell) = band.get_mut(at as usize) {
            self.apply(cell);
        }
    }

    /// Updates the cell at `at + stride`, if the band contains that cell and `mask` is -1. If `mask` is 0, nothing
    /// changes: the cell at `at` has just been updated.
    #[inline(always)]
    fn apply_second(self, band: &mut [Self::Board], at: isize, stride: isize, mask: i64) {
        if let Some(cell) = band.get_mut((at + (stride & mask as isize)) as usize) {
            self.apply_again(cell, mask);
        }
    }
}

/// Sets cells to a value.
#[derive(Clone, Copy)]
pub(super) struct Set<T>(pub(super) T);

impl<T: Value> CellUpdate for Set<T> {
    type Board = T;
    #[inline(always)]
    fn apply(self, cell: &mut T) {
        *cell = self.0;
    }
    #[inline(always)]
    fn apply_again(self, cell: &mut T, _: i64) {
        *cell = self.0;
    }
}

/// Adds 1 to cells.
#[derive(Clone, Copy)]
pub(super) struct Add;

impl CellUpdate for Add {
    type Board = u32;
    #[inline(always)]
    fn apply(self, cell: &mut u32) {
        *cell = cell.wrapping_add(1);
    }
    #[inline(always)]
    fn apply_again(self, cell: &mut u32, mask: i64) {
        *cell = cell.wrapping_add((mask & 1) as u32);
    }
}

/// A segment on a band of rows of a board: the indices of its ends, what a step along its long and its short side adds
/// to an index, and the numbers of steps along both sides. Indices count from the first cell of the band.
#[derive(Clone, Copy)]
struct BandSegment {
    tail: isize,
    head: isize,
    long_stride: isize,
    short_stride: isize,
    long: i64,
    short: i64,
}

/// A position in a walk along the long side. Step `s` is the part of the segment between `s - 1/2` and `s + 1/2` cells
/// from the tail along the long side.
struct Cursor {
    /// The index of the first cell of the step.
    at: isize,
    /// Below -1 if the step has a second cell, -1 if the step ends at a corner, else 0 or more. The line turns if
    /// `stay` is negative.
    stay: i64,
}

impl Cursor {
    /// Returns -1 if the next step begins one cell farther along the short side, else 0.
    #[inline(always)]
    fn turn(&self) -> i64 {
        self.stay >> 63
    }

    /// Returns -1 if the step has a second cell, else 0. On a segment without corners, a step has a second cell if and
    /// only if the line turns.
    #[inline(always)]
    fn second<const CORNERS: bool>(&self) -> i64 {
        if CORNERS { (self.stay + 1) >> 63 } else { self.turn() }
    }
}

impl BandSegment {
    #[inline]
    fn new(segment: Segment, width: usize, first_row: usize) -> Self {
        let [row, col, head_row, head_col] = segment;
        let (a, b) = extent(segment);
        let row_stride = direction(row, head_row) as isize * width as isize;
        let col_stride = direction(col, head_col) as isize;
        let steep = a > b;
        let at = |row: i32, col: i32| (row as isize - first_row as isize) * width as isize + col as isize;
        Self {
            tail: at(row, col),
            head: at(head_row, head_col),
            long_stride: if steep { row_stride } else { col_stride },
            short_stride: if steep { col_stride } else { row_stride },
            long: a.max(b) as i64,
            short: a.min(b) as i64,
        }
    }

    /// Returns the segment from head to tail.
    #[inline]
    fn reversed(self) -> Self {
        Self {
            tail: self.head,
            head: self.tail,
            long_stride: -self.long_stride,
            short_stride: -self.short_stride,
            ..self
        }
    }

    /// Returns the cursor after `step` steps of the long side.
    #[inline]
    fn cursor(&self, step: i64) -> Cursor {
        // Crossing `k` of the short side lies `(2k + 1) * long / (2 * short)` steps from the tail, and step `s` begins
        // `s - 1/2` steps from the tail. `crossed` counts the crossings up to the beginning of the step.
        let crossed = if step == 0 { 0 } else { ((2 * step - 1) * self.short + self.long) / (2 * self.long) };
        Cursor {
            at: self.tail + step as isize * self.long_stride + crossed as isize * self.short_stride,
            stay: (2 * crossed + 1) * self.long - (2 * step + 1) * self.short - 1,
        }
    }

    /// Paints the one or two cells of a step and moves the cursor to the next step. `CORNERS` must be `true` if the
    /// segment can pass through corners.
    #[inline(always)]
    fn paint_step<I: CellUpdate, const CORNERS: bool>(&self, cursor: &mut Cursor, band: &mut [I::Board], update: I) {
        let turn = cursor.turn();
        update.apply_at(band, cursor.at);
        update.apply_second(band, cursor.at, self.short_stride, cursor.second::<CORNERS>());
        cursor.at += self.long_stride + (self.short_stride & turn as isize);
        cursor.stay = (cursor.stay - 2 * self.short) + ((2 * self.long) & turn);
    }

    /// Paints the whole segment from both ends at once; each comparison serves both ends.
    #[inline]
    fn paint_whole<I: CellUpdate, const CORNERS: bool>(&self, band: &mut [I::Board], update: I) {
        let (mut front, mut back) = (self.cursor(0), self.head);
        for _ in 0..(self.long + 1) / 2 {
            update.apply_at(band, back);
            update.apply_second(band, back, -self.short_stride, front.second::<CORNERS>());
            back -= self.long_stride + (self.short_stride & front.turn() as isize);
            self.paint_step::<I, CORNERS>(&mut front, band, update);
        }
        if self.long % 2 == 0 {
            self.paint_step::<I, CORNERS>(&mut front, band, update);
        }
    }

    /// Paints the cells of the steps `from..=to` of the long side that lie in the band, from both ends at once.
    #[inline]
    fn paint_part<I: CellUpdate, const CORNERS: bool>(&self, from: i64, to: i64, band: &mut [I::Board], update: I) {
        let back = self.reversed();
        let (mut here, mut there) = (self.cursor(from), back.cursor(self.long - to));
        for _ in 0..(to - from + 1) / 2 {
            self.paint_step::<I, CORNERS>(&mut here, band, update);
            back.paint_step::<I, CORNERS>(&mut there, band, update);
        }
        if (to - from) % 2 == 0 {
            self.paint_step::<I, CORNERS>(&mut here, band, update);
        }
    }
}

/// Paints the part of the thin line of a segment that lies in a band of the rows `rows.0..rows.1`.
#[inline]
fn paint_thin<I: CellUpdate>(segment: Segment, width: usize, rows: (usize, usize), band: &mut [I::Board], update: I) {
    // A segment can only pass through corners if both sides are divisible by the same powers of two (see `corners`).
    let (a, b) = extent(segment);
    if a.trailing_zeros() == b.trailing_zeros() {
        paint_band::<I, true>(segment, width, rows, band, update);
    } else {
        paint_band::<I, false>(segment, width, rows, band, update);
    }
}

/// Paints the part of the thin line of a segment that lies in a band. `CORNERS` must be `true` if the segment can pass
/// through corners.
#[inline]
fn paint_band<I: CellUpdate, const CORNERS: bool>(
    segment: Segment,
    width: usize,
    (first, end): (usize, usize),
    band: &mut [I::Board],
    update: I,
) {
    let (a, b) = extent(segment);
    let (row, head_row) = (segment[0] as i64, segment[2] as i64);
    let (top, bottom) = (row.min(head_row), row.max(head_row));
    let (first_row, last_row) = (first as i64, end as i64 - 1);
    if bottom < first_row || last_row < top {
        return;
    }
    let on_band = BandSegment::new(segment, width, first);
    if first_row <= top && bottom <= last_row {
        on_band.paint_whole::<I, CORNERS>(band, update);
        return;
    }
    // The rows of the segment that lie in the band, counted from the tail toward the head.
    let (from, to) =
        if head_row >= row { (first_row - row, last_row - row) } else { (row - last_row, row - first_row) };
    let (from, to) = (from.max(0), to.min(bottom - top));
    let (long, short) = (on_band.long, on_band.short);
    if a > b {
        on_band.paint_part::<I, CORNERS>(from, to, band, update);
    } else {
        // The first step that meets row `from`, and the last one that meets row `to`.
        let start = if from == 0 { 0 } else { ((2 * from - 1) * long - short) / (2 * short) + 1 };
        let stop = (((2 * to + 1) * long + short - 1) / (2 * short)).min(long);
        on_band.paint_part::<I, CORNERS>(start, stop, band, update);
    }
}

/// Cuts a board into bands of rows with about equal numbers of crossed cells; threads share the bands and call
/// `update` for each. If `threads` is 0, the number of bands depends on the amount of work.
fn paint_bands<T: Send>(
    board: &mut [T],
    width: usize,
    segments: &[Segment],
    threads: usize,
    update: impl Fn(&[Segment], (usize, usize), &mut [T]) + Sync,
) {
    let height = board.len() / width.max(1);
    let work: u64 = segments.iter().map(|&segment| extent(segment)).map(|(a, b)| a.max(b) + 1).sum();
    let threads = match threads {
        0 if work < WORTH_THREADS => 1,
        asked => pool::threads_for(asked),
    };
    let mut pieces = Vec::new();
    let (mut rest, mut first) = (board, 0);
    for end in cuts(segments, height, threads) {
        let (band, below) = rest.split_at_mut((end - first) * width);
        pieces.push(((first, end), band));
        (rest, first) = (below, end);
    }
    pool::each(pieces, |(rows, band)| update(segments, rows, band));
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`]. The error is never reported, because one
/// thread does all the work if memory is short.
pub(super) const BANDS: &str = "the bands of an array";

/// Returns the exclusive ends of `bands` bands of rows with about equal work, or of one band if memory cannot hold one
/// number per row.
pub(super) fn cuts(segments: &[Segment], height: usize, bands: usize) -> Vec<usize> {
    if bands <= 1 {
        return vec![height];
    }
    // Each segment is assumed to spread its cells evenly over its rows. Only the changes from row to row are stored at
    // first; they are summed up below.
    let Ok(mut sums) = memory::filled(0.0, height + 1, BANDS) else { return vec![height] };
    for &segment in segments {
        let (a, b) = extent(segment);
        let density = (a.max(b) + 1) as f64 / (a + 1) as f64;
        sums[segment[0].min(segment[2]) as usize] += density;
        sums[segment[0].max(segment[2]) as usize + 1] -= density;
    }
    sums.truncate(height);
    let (mut density, mut total) = (0.0, 0.0);
    for sum in &mut sums {
        density += *sum;
        total += density;
        *sum = total;
    }
    let mut cuts: Vec<usize> =
        (1..bands).map(|k| sums.partition_point(|&sum| sum < total * k as f64 / bands as f64)).collect();
    cuts.push(height);
    cuts
}

/// Returns the index of the first segment with an end outside a board of `height` rows and `width` columns, or `None`
/// if no segment has one.
pub fn outside(segments: &[Segment], height: usize, width: usize) -> Option<usize> {
    segments.iter().position(|&[row, col, head_row, head_col]| {
        let on = |part: i32, bound: usize| part >= 0 && (part as usize) < bound;
        !(on(row, height) && on(head_row, height) && on(col, width) && on(head_col, width))
    })
}

/// Paints segments, in their order, on a row-major board of `width` columns: a cell keeps the value of the last segment
/// over it. The result does not depend on `threads`; 0 chooses a number by the amount of work.
///
/// `values` holds one value per segment, or a single value for all. [`Method::Wu`] mixes the value, by weight, with the
/// one in the cell.
///
/// # Errors
/// Returns the index of the first segment with an end outside the board; nothing is painted then.
///
/// # Complexity
/// O(cells crossed). For the thin line, threads paint bands of rows; other methods run on the caller's thread.
pub fn paint<T: Value>(
    board: &mut [T],
    width: usize,
    segments: &[Segment],
    values: &[T],
    method: Method,
    threads: usize,
) -> Result<(), usize> {
    if let Some(wrong) = outside(segments, board.len() / width.max(1), width) {
        return Err(wrong);
    }
    let value = |i: usize| if values.len() == 1 { values[0] } else { values[i] };
    match method {
        Method::AmanatidesWoo => paint_bands(board, width, segments, threads, |segments, rows, band| {
            for (i, &segment) in segments.iter().enumerate() {
                paint_thin(segment, width, rows, band, Set(value(i)));
            }
        }),
        Method::Wu => {
            for (i, &segment) in segments.iter().enumerate() {
                super::weighted(segment, |row, col, weight| {
                    let cell = &mut board[row as usize * width + col as usize];
                    *cell = value(i).over(*cell, weight);
                });
            }
        }
        _ => {
            for (i, &segment) in segments.iter().enumerate() {
                walk(segment, method, |row, col| board[row as usize * width + col as usize] = value(i));
            }
        }
    }
    Ok(())
}

/// Adds to each cell of `counts`, a row-major board of `width` columns, the number of segments that cover it. The
/// result does not depend on `threads`; 0 chooses a number by the amount of work.
///
/// # Errors
/// Returns the index of the first segment with an end outside the board; nothing is counted then.
pub fn coverage(
    counts: &mut [u32],
    width: usize,
    segments: &[Segment],
    method: Method,
    threads: usize,
) -> Result<(), usize> {
    if let Some(wrong) = outside(segments, counts.len() / width.max(1), width) {
        return Err(wrong);
    }
    if method == Method::AmanatidesWoo {
        paint_bands(counts, width, segments, threads, |segments, rows, band| {
            for &segment in segments {
                paint_thin(segment, width, rows, band, Add);
            }
        });
    } else {
        for &segment in segments {
            walk(segment, method, |row, col| counts[row as usize * width + col as usize] += 1);
        }
    }
    Ok(())
}

/// Visits those cells of the segments that lie on a board of `size` cells in `width` columns: `visit` receives the
/// index of the segment, the row-major index of the cell, and its weight, which is 1 except for [`Method::Wu`].
fn on_board(segments: &[Segment], size: usize, width: usize, method: Method, mut visit: impl FnMut(usize, usize, f64)) {
    let (height, width) = ((size / width.max(1)) as i64, width as i64);
    for (i, &segment) in segments.iter().enumerate() {
        let mut each = |row: i32, col: i32, weight: f64| {
            let (row, col) = (i64::from(row), i64::from(col));
            if (0..height).contains(&row) && (0..width).contains(&col) {
                visit(i, (row * width + col) as usize, weight);
            }
        };
        if method == Method::Wu {
            super::weighted(segment, each);
        } else {
            walk(segment, method, |row, col| each(row, col, 1.0));
        }
    }
}

/// Paints the part of each segment that lies on a row-major board, as [`paint`] does. Each segment is walked from end
/// to end, on the caller's thread.
pub fn paint_clipped<T: Value>(board: &mut [T], width: usize, segments: &[Segment], values: &[T], method: Method) {
    on_board(segments, board.len(), width, method, |i, at, weight| {
        let value = if values.len() == 1 { values[0] } else { values[i] };
        board[at] = if method == Method::Wu { value.over(board[at], weight) } else { value };
    });
}

/// Adds to each cell of a row-major board the number of segments that cover it, as [`coverage`] does, but leaves out
/// the cells off the board. Each segment is walked from end to end, on the caller's thread.
pub fn coverage_clipped(counts: &mut [u32], width: usize, segments: &[Segment], method: Method) {
    on_board(segments, counts.len(), width, method, |_, at, _| counts[at] += 1);
}
