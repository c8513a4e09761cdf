//! Cells of segments whose ends are doubles: listed, counted, measured and painted, in two and three dimensions.

use super::MAX_LISTED;
use super::crossings::Layout;
use super::float::float_steps;
use super::line::{Bounds, Frame, Line, Place, bounds};
use super::many::{Add, BANDS, CellUpdate, Set, Value, WORTH_THREADS, cuts};
use super::siddon::{Cells, Indices, Sink};
use super::walk::Step;
use crate::core::{Error, memory, pool};

/// Which cells belong to a segment whose ends are doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The half-open cells in which the segment has a length above 0; if the segment is a point, the cell that contains
    /// the point.
    Thin,
    /// Every closed cell that the closed segment meets.
    Supercover,
    /// The traversal in floating point, for two dimensions only and not for a [`Frame::World`]. Two crossings count
    /// as a corner if they are at most the given tolerance apart, in cells.
    Float(f64),
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const CELLS: &str = "a list of cells";

/// Visits the cells of the thin line from one place to a later one.
#[inline]
fn thin<const D: usize>(line: &Line<D>, (from, to): &(Place<D>, Place<D>), mut visit: impl FnMut([i32; D])) {
    let clock = line.clock();
    let mut walk = clock.walk(from, to);
    visit(walk.cell);
    while walk.left > 0 {
        walk.advance();
        visit(walk.cell);
    }
}

/// Visits the cells that have one of two given indices along each axis; the first axis varies fastest. `moved` has one
/// bit per axis, set if the walk has just moved from the first index to the second along that axis. Cells with the
/// first index along every axis whose bit is set were visited before and are left out. If `moved` is 0, all cells are
/// visited.
fn combine<const D: usize>(choices: &[(i32, i32); D], moved: u32, visit: &mut impl FnMut([i32; D])) {
    let double: [bool; D] = std::array::from_fn(|a| choices[a].0 != choices[a].1);
    // Bit `a` of the number chooses the second index along axis `a`.
    for number in 0..1u32 << D {
        let second = |a: usize| number >> a & 1 == 1;
        if (0..D).any(|a| second(a) && !double[a]) || (moved != 0 && number & moved == 0) {
            continue;
        }
        visit(std::array::from_fn(|a| if second(a) { choices[a].1 } else { choices[a].0 }));
    }
}

/// Visits every closed cell that the segment meets between two places, in the order of first contact. Cells that are
/// met at the same time are sorted along the last axis, then along the axes before it, each in the direction of the
/// segment, or by increasing index if the segment does not move along that axis.
fn supercover<const D: usize>(line: &Line<D>, (from, to): &(Place<D>, Place<D>), mut visit: impl FnMut([i32; D])) {
    let (first, last) = line.ends();
    let clock = line.clock();
    let mut walk = clock.walk(from, to);
    // A segment that runs along a border touches the cells on both sides of the border, over its whole length.
    let both = |a: usize, cell: i32| {
        if line.axes[a].step == 0 && line.axes[a].tail_on { (cell - 1, cell) } else { (cell, cell) }
    };
    let mut choices: [(i32, i32); D] = std::array::from_fn(|a| {
        let (axis, cell) = (&line.axes[a], walk.cell[a]);
        // A tail on a border also touches the cell behind the border.
        let behind = *from == first && axis.tail_on && axis.step != 0;
        if behind { (cell - axis.step as i32, cell) } else { both(a, cell) }
    });
    combine(&choices, 0, &mut visit);
    while walk.left > 0 {
        let before = walk.cell;
        let moved = walk.advance();
        choices =
            std::array::from_fn(
                |a| {
                    if before[a] == walk.cell[a] { both(a, before[a]) } else { (before[a], walk.cell[a]) }
                },
            );
        combine(&choices, moved, &mut visit);
    }
    // A head on a border also touches the cell beyond the border.
    if *to == last {
        let mut moved = 0;
        choices = std::array::from_fn(|a| {
            let (axis, cell) = (&line.axes[a], walk.cell[a]);
            if axis.head_on && axis.step != 0 {
                moved |= 1 << a;
                (cell, cell + axis.step as i32)
            } else {
                both(a, cell)
            }
        });
        if moved != 0 {
            combine(&choices, moved, &mut visit);
        }
    }
}

/// Visits the steps of the traversal in floating point, along the first two axes.
pub(super) fn in_floats<const D: usize>(line: &Line<D>, tolerance: f64, visit: impl FnMut(Step)) {
    let ends = [line.tail[0], line.tail[1], line.head[0], line.head[1]];
    float_steps(ends, line.halves, tolerance, visit);
}

/// Returns the first and the last place of a line within a box, or of the whole line if there is no box; `None` if the
/// line misses the box.
#[inline]
pub(super) fn span<const D: usize>(line: &Line<D>, within: Option<&Bounds<D>>) -> Option<(Place<D>, Place<D>)> {
    match within {
        Some(within) if !line.fits(within) => line.span(within),
        _ => Some(line.ends()),
    }
}

/// Returns the largest number of cells that the thin line can have within a box, or anywhere if there is no box.
#[inline]
fn most_cells<const D: usize>(line: &Line<D>, within: Option<&Bounds<D>>) -> u64 {
    span(line, within).map_or(0, |(from, to)| (0..D).map(|a| (to[a] - from[a]) as u64).sum::<u64>() + 1)
}

/// Visits the cells of a line; with a box `within`, only the cells in that box.
#[inline]
pub(super) fn visit<const D: usize>(
    line: &Line<D>,
    rule: Rule,
    within: Option<&Bounds<D>>,
    mut each: impl FnMut([i32; D]),
) {
    match (rule, within) {
        (Rule::Thin, None) => thin(line, &line.ends(), each),
        (Rule::Thin, Some(within)) => {
            if let Some(span) = line.span(within) {
                thin(line, &span, each);
            }
        }
        (Rule::Float(tolerance), within) => in_floats(line, tolerance, |step| {
            let cell: [i32; D] = std::array::from_fn(|a| if a == 0 { step.row } else { step.col });
            if within.is_none_or(|within| (0..D).all(|a| within[a].contains(&i64::from(cell[a])))) {
                each(cell);
            }
        }),
        (Rule::Supercover, None) => supercover(line, &line.ends(), each),
        (Rule::Supercover, Some(within)) => {
            // Each touched cell is a neighbor of a cell of the thin line. So the part of the line in a box that extends
            // one cell farther on each side touches all cells of `within` that the whole line touches.
            let wider = within.clone().map(|range| range.start - 1..range.end + 1);
            if let Some(span) = line.span(&wider) {
                supercover(line, &span, |cell| {
                    if (0..D).all(|a| within[a].contains(&i64::from(cell[a]))) {
                        each(cell);
                    }
                });
            }
        }
    }
}

/// The largest number of cells of a line whose indices are collected before the cells are painted.
const NEAR: usize = 512;

/// Paints the thin line from one place to a later one on a band of an array of the given shape; the band begins with
/// the row-major index `first`.
#[inline]
fn paint_thin<I: CellUpdate, const D: usize>(
    line: &Line<D>,
    from: &Place<D>,
    to: &Place<D>,
    shape: &[usize; D],
    band: &mut [I::Board],
    first: usize,
    update: I,
) {
    let mut strides = [1isize; D];
    for a in (1..D).rev() {
        strides[a - 1] = strides[a] * shape[a] as isize;
    }
    let clock = line.clock();
    let mut walk = clock.walk(from, to);
    let mut at = (0..D).map(|a| walk.cell[a] as isize * strides[a]).sum::<isize>() - first as isize;
    let steps: [isize; D] = std::array::from_fn(|a| strides[a] * line.axes[a].step as isize);
    let mut near = [at; NEAR];
    let mut kept = 1;
    loop {
        // Walking and painting take turns: cells of a large array are not in the caches, and the short loop that paints
        // waits for many of them at the same time.
        while kept < NEAR && walk.left > 0 {
            let axes = walk.advance();
            for a in 0..D {
                // The bit of the axis, spread to all bits, is a mask for its step.
                at += steps[a] & -((axes >> a & 1) as isize);
            }
            near[kept] = at;
            kept += 1;
        }
        for &at in &near[..kept] {
            update.apply_at(band, at);
        }
        if walk.left <= 0 {
            return;
        }
        kept = 0;
    }
}

/// Segments whose ends are doubles: `2 * D` coordinates each, which [`check`](super::check) has accepted for the frame.
/// Methods work in `D` dimensions, 2 or 3.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// The coordinates: for each segment those of the tail, then those of the head.
    pub ends: &'a [f64],
    /// How coordinates relate to cells.
    pub frame: &'a Frame,
    /// Which cells belong to a segment.
    pub rule: Rule,
}

impl<'a> Lines<'a> {
    /// Iterates over the segments.
    pub(super) fn iter<const D: usize>(self) -> impl Iterator<Item = Line<D>> + 'a {
        self.ends.chunks_exact(2 * D).map(move |ends| Line::new(ends, self.frame))
    }

    /// Visits each segment with its index, in a plain loop: for short segments, the calls to an iterator would be half
    /// the work.
    #[inline(always)]
    pub(super) fn each<const D: usize>(self, mut visit: impl FnMut(usize, Line<D>)) {
        for (i, ends) in self.ends.chunks_exact(2 * D).enumerate() {
            visit(i, Line::new(ends, self.frame));
        }
    }

    /// Appends the cells of each segment to `cells`, `D` numbers per cell, and the number of cells of each segment to
    /// `counts`. With a `shape`, only cells of an array of that shape are listed.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `cells` would hold more than [`MAX_LISTED`] cells. The check before each segment
    /// assumes the largest number of cells that the thin line of the segment can have, so a list just below the limit
    /// may be refused. Returns [`Error::Memory`] if memory cannot hold the cells. After an error, `cells` and `counts`
    /// hold the segments before the one that failed.
    pub fn list<const D: usize>(
        self,
        shape: Option<&[usize; D]>,
        cells: &mut Vec<i32>,
        counts: &mut Vec<i64>,
    ) -> Result<(), Error> {
        self.list_up_to(MAX_LISTED, shape, cells, counts)
    }

    /// Lists cells as [`list`](Self::list) does, up to `limit` of them.
    fn list_up_to<const D: usize>(
        self,
        limit: u64,
        shape: Option<&[usize; D]>,
        cells: &mut Vec<i32>,
        counts: &mut Vec<i64>,
    ) -> Result<(), Error> {
        let within = shape.map(bounds);
        for line in self.iter::<D>() {
            let before = cells.len();
            let most = most_cells(&line, within.as_ref());
            at_most((before / D) as u64 + most, limit)?;
            memory::room(cells, D * most as usize, CELLS)?;
            if self.rule == Rule::Thin && within.is_none() {
                // Cells are written in place, into room for the largest number that the line can have. If the line
                // passes through corners, it has fewer cells, and the unused entries are cut off.
                cells.resize(before + D * most as usize, 0);
                let mut rest = cells[before..].chunks_exact_mut(D);
                let mut number = 0;
                thin(&line, &line.ends(), |cell| {
                    if let Some(place) = rest.next() {
                        place.copy_from_slice(&cell);
                    }
                    number += 1;
                });
                cells.truncate(before + D * number);
            } else {
                // `most` is a bound for the thin line. Under other rules a line can have more cells, so the limit is
                // tested per cell.
                let (end, mut full, mut room) = (D * limit as usize, false, Ok(()));
                visit(&line, self.rule, within.as_ref(), |cell| {
                    full |= cells.len() >= end;
                    if !full && cells.capacity() - cells.len() < D && room.is_ok() {
                        room = memory::room(cells, D, CELLS);
                    }
                    if !full && room.is_ok() {
                        cells.extend(cell);
                    }
                });
                let listed = if full { at_most(limit + 1, limit) } else { room };
                if listed.is_err() {
                    cells.truncate(before);
                    return listed;
                }
            }
            counts.push(((cells.len() - before) / D) as i64);
        }
        Ok(())
    }

    /// Iterates over the largest number of cells that the thin line of each segment can have. With a `shape`, only
    /// cells of an array of that shape count.
    pub fn most_cells<const D: usize>(self, shape: Option<&[usize; D]>) -> impl Iterator<Item = u64> + use<'a, D> {
        let within = shape.map(bounds);
        self.iter::<D>().map(move |line| most_cells(&line, within.as_ref()))
    }

    /// Writes the cells of each thin line to `cells`, `D` numbers per cell, and the length of the segment within each
    /// cell to `lengths`, and appends the number of cells of each segment to `counts`. With a `shape`, only cells of an
    /// array of that shape are written. The slices must have room for the sum of [`most_cells`](Self::most_cells) and
    /// one more cell.
    pub fn lengths<const D: usize>(
        self,
        shape: Option<&[usize; D]>,
        cells: &mut [i32],
        lengths: &mut [f64],
        counts: &mut Vec<i64>,
    ) {
        let within = shape.map(bounds);
        let mut at = 0;
        if D == 2 {
            // `D` is 2 here, but the compiler cannot tell, so the box is copied into one with two axes.
            let within = within.map(|within| [within[0].clone(), within[1].clone()]);
            self.measure(within.as_ref(), Cells { cells, lengths }, counts);
            return;
        }
        for line in self.iter::<D>() {
            let before = at;
            if let Some((from, to)) = span(&line, within.as_ref()) {
                line.cut(&from, &to, |cell, length| {
                    if let (Some(place), Some(own)) = (cells.get_mut(D * at..D * at + D), lengths.get_mut(at)) {
                        place.copy_from_slice(&cell);
                        *own = length;
                    }
                    at += 1;
                });
            }
            counts.push((at - before) as i64);
        }
    }

    /// Writes the cells and lengths of all segments to a sink, in two dimensions, and appends the number of cells of
    /// each segment to `counts`.
    fn measure(self, within: Option<&Bounds<2>>, mut sink: impl Sink, counts: &mut Vec<i64>) {
        let mut at = 0;
        self.each::<2>(|_, line| {
            let next = span(&line, within).map_or(at, |(from, to)| line.measure(&from, &to, &mut sink, at));
            counts.push((next - at) as i64);
            at = next;
        });
    }

    /// Writes a sparse matrix with one row per segment and one column per cell of a row-major array of the given shape.
    /// Writes the columns (row-major indices of cells, which `index` converts) and the lengths of each row, and appends
    /// the number of entries of each row to `counts`. The slices must have room for the sum of
    /// [`most_cells`](Self::most_cells) and one more entry.
    pub fn matrix<I, const D: usize>(
        self,
        shape: &[usize; D],
        index: impl Fn(usize) -> I + Copy,
        columns: &mut [I],
        lengths: &mut [f64],
        counts: &mut Vec<i64>,
    ) {
        let within = bounds(shape);
        let mut at = 0;
        if D == 2 {
            let within = [within[0].clone(), within[1].clone()];
            let sink = Indices { width: shape[1] as i64, columns, lengths, index };
            self.measure(Some(&within), sink, counts);
            return;
        }
        for line in self.iter::<D>() {
            let before = at;
            if let Some((from, to)) = span(&line, Some(&within)) {
                line.cut(&from, &to, |cell, length| {
                    if let (Some(column), Some(own)) = (columns.get_mut(at), lengths.get_mut(at)) {
                        *column = index((0..D).fold(0, |at, a| at * shape[a] + cell[a] as usize));
                        *own = length;
                    }
                    at += 1;
                });
            }
            counts.push((at - before) as i64);
        }
    }

    /// Walks each segment and appends the number of its cells to `counts`.
    pub fn count<const D: usize>(self, counts: &mut Vec<i64>) {
        counts.extend(self.iter::<D>().map(|line| {
            let mut count = 0;
            visit(&line, self.rule, None, |_| count += 1);
            count
        }));
    }

    /// Returns the index of the first segment that has a cell outside an array of the given shape; `None` if no segment
    /// has one. For [`Rule::Float`], every cell that the segment touches counts, visited or not.
    pub fn outside<const D: usize>(self, shape: &[usize; D]) -> Option<usize> {
        // Nearly always all ends lie within the outermost borders. That case is tested first, without branches, so that
        // the compiler can compare several numbers at once.
        let low = if matches!(self.frame, Frame::Center) { -0.5 } else { 0.0 };
        let high = shape.map(|size| low + size as f64);
        #[allow(clippy::needless_bitwise_bool)] // `&&` would add a branch per number
        let all = |inside: bool, ends: &[f64]| {
            (0..2 * D).fold(inside, |inside, i| inside & (ends[i] > low) & (ends[i] < high[i % D]))
        };
        if !matches!(self.frame, Frame::World(_)) && self.ends.chunks_exact(2 * D).fold(true, all) {
            return None;
        }
        let within = bounds(shape);
        self.iter::<D>().position(|line| match self.rule {
            Rule::Thin => !line.fits(&within),
            Rule::Supercover | Rule::Float(_) => !line.touches_only(&within),
        })
    }

    /// Paints the part of each segment that lies in a row-major array of the given shape. Segments are painted in
    /// order, so a cell keeps the value of the last segment that covers it. `values` holds one value per segment, or
    /// one for all. The result does not depend on `threads`; 0 chooses a number that suits the work.
    pub fn paint<T: Value, const D: usize>(self, board: &mut [T], shape: &[usize; D], values: &[T], threads: usize) {
        let value = |i: usize| Set(if values.len() == 1 { values[0] } else { values[i] });
        self.paint_all(board, shape, threads, value);
    }

    /// Adds to each cell of a row-major array of the given shape the number of segments that cover it. The result
    /// does not depend on `threads`; 0 chooses a number that suits the work.
    pub fn coverage<const D: usize>(self, counts: &mut [u32], shape: &[usize; D], threads: usize) {
        self.paint_all(counts, shape, threads, |_| Add);
    }

    /// Paints all segments; `update` returns what the segment with a given index does to a cell. The array is cut
    /// along its first axis into bands, which threads share.
    fn paint_all<I: CellUpdate, const D: usize>(
        self,
        board: &mut [I::Board],
        shape: &[usize; D],
        threads: usize,
        update: impl Fn(usize) -> I + Sync,
    ) {
        let row: usize = shape[1..].iter().product();
        let mut pieces = Vec::new();
        let (mut rest, mut first) = (board, 0);
        for end in self.bands(shape, threads) {
            let (band, below) = rest.split_at_mut((end - first) * row);
            pieces.push((first, end, band));
            (rest, first) = (below, end);
        }
        pool::each(pieces, |(first, end, band)| {
            // For each band, all segments are walked, clipped to the rows of the band, so no two threads write the same
            // cell.
            let mut within = bounds(shape);
            within[0] = first as i64..end as i64;
            // The fast walk needs two dimensions and ends that are measured in cells.
            if D == 2 && self.rule == Rule::Thin && !matches!(self.frame, Frame::World(_)) {
                let within = [within[0].clone(), within[1].clone()];
                self.each::<2>(|i, line| {
                    if let Some((from, to)) = span(&line, Some(&within)) {
                        line.paint(Layout::new(&line, shape[1], first), &from, &to, band, update(i));
                    }
                });
                return;
            }
            if self.rule == Rule::Thin {
                for (i, line) in self.iter::<D>().enumerate() {
                    if let Some((from, to)) = span(&line, Some(&within)) {
                        paint_thin(&line, &from, &to, shape, band, first * row, update(i));
                    }
                }
                return;
            }
            for (i, line) in self.iter::<D>().enumerate() {
                let update = update(i);
                visit(&line, self.rule, Some(&within), |cell| {
                    // The index in the band is the row-major index in the whole array minus the cells before the band.
                    let at = (0..D).fold(0, |at, a| at * shape[a] as isize + cell[a] as isize);
                    update.apply_at(band, at - (first * row) as isize);
                });
            }
        });
    }

    /// Returns the exclusive ends of bands of rows, or of layers in three dimensions, with about equal work. There is
    /// one band if one thread is used, if the array has no rows, or if memory cannot hold what is needed to balance the
    /// work.
    fn bands<const D: usize>(self, shape: &[usize; D], threads: usize) -> Vec<usize> {
        let mut work = 0u64;
        if threads == 0 {
            for line in self.iter::<D>() {
                work +=
                    line.axes.iter().zip(shape).map(|(axis, &size)| axis.count.min(size as i64) as u64).sum::<u64>();
                if work >= WORTH_THREADS {
                    break;
                }
            }
        }
        let threads = if threads == 0 && work < WORTH_THREADS { 1 } else { pool::threads_for(threads) };
        if threads <= 1 || shape[0] == 0 {
            return vec![shape[0]];
        }
        // To balance the work, it is enough to take the end cells, clamped to the array.
        let last = shape.map(|size| size.saturating_sub(1) as i64);
        let rounded = self.iter::<D>().map(|line| {
            let end = |place: &Place<D>, a: usize| line.axes[a].after(place[a]).clamp(0, last[a]) as i32;
            let (from, to) = line.ends();
            let other = (1..D).max_by_key(|&a| line.axes[a].count).unwrap_or(0);
            [end(&from, 0), end(&from, other), end(&to, 0), end(&to, other)]
        });
        match memory::collected(self.ends.len() / (2 * D), rounded, BANDS) {
            Ok(rounded) => cuts(&rounded, shape[0], threads),
            Err(_) => vec![shape[0]],
        }
    }
}

/// Checks that a list of cells is not too long. `count` is the number of cells of all lines, or of the lines counted so
/// far, or an upper bound on that number.
///
/// # Errors
/// Returns [`Error::Invalid`] if `count` is more than [`MAX_LISTED`].
pub fn listable(count: u64) -> Result<(), Error> {
    at_most(count, MAX_LISTED)
}

/// Checks that a list of cells is at most `limit` cells long; `count` is as for [`listable`].
fn at_most(count: u64, limit: u64) -> Result<(), Error> {
    if count > limit {
        return Err(Error::invalid(format!(
            "the list of cells must be at most {limit} cells long, got lines that may have {count} cells or more"
        )));
    }
    Ok(())
}

/// Returns the cells of the thin line of a segment, found by sorting all crossings with exact comparisons. The function
/// is slow and simple; tests compare the fast walkers with it.
pub fn plain<const D: usize>(line: &Line<D>) -> Vec<[i32; D]> {
    let (mut place, _) = line.ends();
    let mut cells = vec![line.cell(&place)];
    let mut crossings: Vec<(usize, i64)> = (0..D).flat_map(|a| (0..line.axes[a].count).map(move |k| (a, k))).collect();
    let order = |one: &(usize, i64), other: &(usize, i64)| {
        if one.0 == other.0 { one.1.cmp(&other.1) } else { line.compare_exactly(*one, *other) }
    };
    crossings.sort_by(order);
    for group in crossings.chunk_by(|one, other| order(one, other).is_eq()) {
        for crossing in group {
            place[crossing.0] += 1;
        }
        cells.push(line.cell(&place));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_longer_than_its_limit() {
        // The supercover of a diagonal has 3 cells per step, but the thin line only 1; a tail and a head on corners add
        // more.
        let ends = [0.0, 0.0, 4.0, 4.0, 0.5, 0.5, 9.5, 9.5];
        for rule in [Rule::Thin, Rule::Supercover, Rule::Float(0.0)] {
            for shape in [None, Some(&[6, 7])] {
                let lines = Lines { ends: &ends, frame: &Frame::Center, rule };
                let (mut all, mut numbers) = (Vec::new(), Vec::new());
                lines.list::<2>(shape, &mut all, &mut numbers).unwrap();
                for limit in 0..=80 {
                    let (mut cells, mut counts) = (Vec::new(), Vec::new());
                    let listed = lines.list_up_to::<2>(limit, shape, &mut cells, &mut counts);
                    assert!(cells.len() as u64 <= 2 * limit);
                    assert_eq!(cells, all[..cells.len()]);
                    assert_eq!(counts, numbers[..counts.len()]);
                    assert_eq!(counts.iter().sum::<i64>(), cells.len() as i64 / 2);
                    assert_eq!(listed.is_ok(), counts.len() == 2);
                    assert!(listed.is_ok() || limit < 80);
                }
            }
        }
    }
}
