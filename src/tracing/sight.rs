//! Rays and visibility: the first blocked cell on a segment, and the cells that are visible from a cell.

use super::cover::{Lines, span};
use super::line::{Bounds, Frame, Line, bounds};
use super::rays::first_hits;
use crate::core::{Budget, Error, memory, pieces};

/// Walks the thin line within the box of an array until `stop` returns `true` for the row-major index of a cell, and
/// returns that index; `None` if it never does.
#[inline]
fn until<const D: usize>(
    line: &Line<D>,
    shape: &[usize; D],
    within: &Bounds<D>,
    mut stop: impl FnMut(usize) -> bool,
) -> Option<usize> {
    let (from, to) = span(line, Some(within))?;
    let clock = line.clock();
    let mut walk = clock.walk(&from, &to);
    loop {
        let at = (0..D).fold(0, |at, a| at * shape[a] + walk.cell[a] as usize);
        if stop(at) {
            return Some(at);
        }
        if walk.left <= 0 {
            return None;
        }
        walk.advance();
    }
}

impl Lines<'_> {
    /// Appends to `hits`, for each segment, the row-major index of the first blocked cell of its thin line, or -1 if
    /// there is none. `blocked` is a row-major array of the given shape; cells outside the array block nothing.
    pub fn first_hit<const D: usize>(self, blocked: &[bool], shape: &[usize; D], hits: &mut Vec<i64>) {
        let within = bounds(shape);
        if D == 2 && !matches!(self.frame, Frame::World(_)) {
            let within = [within[0].clone(), within[1].clone()];
            first_hits(self.ends, self.frame, shape[1], &within, blocked, hits);
            return;
        }
        hits.extend(
            self.iter::<D>().map(|line| until(&line, shape, &within, |at| blocked[at]).map_or(-1, |at| at as i64)),
        );
    }
}

/// A direction in a quadrant, as seen from the viewing cell: steps along the first and along the second axis, away from
/// that cell.
type Direction = [i64; 2];

/// Returns `true` if one direction comes before another on the way from the first axis to the second. The two must
/// differ by less than half a turn: the sign of their cross product then decides.
fn before(one: Direction, other: Direction) -> bool {
    one[1] * other[0] < other[1] * one[0]
}

/// The hidden directions of a quadrant, as open intervals from `begin` to `end`: the two ends are not hidden, because a
/// line through the corner of a wall does not enter the wall.
#[derive(Default)]
struct Shadows {
    /// Intervals in order, without overlap. Two of them may share an end, which is then a visible direction.
    sorted: Vec<[Direction; 2]>,
    /// Intervals that are not yet in `sorted`, in the order of their beginnings.
    fresh: Vec<[Direction; 2]>,
    /// Working memory of [`Shadows::merge`].
    merged: Vec<[Direction; 2]>,
}

impl Shadows {
    /// Merges the intervals of `fresh` into `sorted`.
    fn merge(&mut self) {
        self.merged.clear();
        let (mut old, mut new) = (self.sorted.iter().peekable(), self.fresh.drain(..).peekable());
        loop {
            let shadow = match (old.peek(), new.peek()) {
                (Some(one), Some(other)) if before(other[0], one[0]) => new.next(),
                (Some(_), _) => old.next().copied(),
                _ => new.next(),
            };
            let Some(shadow) = shadow else { break };
            match self.merged.last_mut() {
                Some(last) if before(shadow[0], last[1]) => {
                    if before(last[1], shadow[1]) {
                        last[1] = shadow[1];
                    }
                }
                _ => self.merged.push(shadow),
            }
        }
        drop(new);
        std::mem::swap(&mut self.sorted, &mut self.merged);
    }

    /// Returns `true` if the whole quadrant is hidden, both axes included.
    fn all(&self) -> bool {
        matches!(self.sorted[..], [[begin, end]] if before(begin, [1, 0]) && before([0, 1], end))
    }
}

/// Marks in `seen` the cells of a quadrant that are seen from the viewing cell. The quadrant holds the cells that are
/// 0 to `size[a]` steps away along axis `a`. `index` returns the row-major index of the cell at a direction, and `near`
/// whether that cell lies within the radius. The budget counts cells.
///
/// A wall hides all farther cells whose centers lie strictly between the directions of its outermost corners. A cell
/// that hides another one is nearer, where the distance is the sum of the steps along both axes. One pass in the order
/// of this distance, with the shadows of all nearer walls sorted by direction, therefore decides each cell by a few
/// comparisons.
///
/// On a board of 3 x 3, seen from `@` with a wall at (1, 1):
///
/// ```text
/// @ o o      The outermost corners of the wall lie at (1.5, 0.5) and (0.5, 1.5). The directions (2, 1), (1, 2) and
/// o # .      (2, 2) lie strictly between the directions of these corners, so the cells there are hidden. All other
/// o . .      cells are seen, including the wall itself, because no other wall hides it.
/// ```
fn sweep(
    blocked: &[bool],
    seen: &mut [bool],
    size: [i64; 2],
    index: impl Fn(Direction) -> usize,
    near: impl Fn(Direction) -> bool,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let mut shadows = Shadows::default();
    for distance in 1..=size[0] + size[1] {
        let columns = (distance - size[0]).max(0)..=distance.min(size[1]);
        budget.spend(columns.clone().count() as u64)?;
        let mut next = 0;
        for col in columns {
            let cell = [distance - col, col];
            // The directions of the cells of one distance turn from the first axis to the second, so that `next` never
            // goes back.
            while shadows.sorted.get(next).is_some_and(|shadow| !before(cell, shadow[1])) {
                next += 1;
            }
            let hidden = shadows.sorted.get(next).is_some_and(|shadow| before(shadow[0], cell));
            let at = index(cell);
            seen[at] |= !hidden && near(cell);
            if blocked[at] {
                // The directions of the outermost corners of the wall, in half cells. For a wall on an axis, the
                // corner beyond the axis is not the outermost one, but this makes no difference within the quadrant.
                let [row, col] = [2 * cell[0], 2 * cell[1]];
                shadows.fresh.push([[row + 1, col - 1], [row - 1, col + 1]]);
            }
        }
        if !shadows.fresh.is_empty() {
            shadows.merge();
            if shadows.all() {
                break;
            }
        }
    }
    Ok(())
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const SEEN: &str = "the cells that are seen";

/// Returns which cells of an array are seen from the cell `from`: one `bool` per cell, row-major. A cell within the
/// radius is seen if no blocked cell lies between it and `from` on the thin line that joins their centers. The two
/// cells themselves hide nothing, so that walls are seen.
///
/// `blocked` is a row-major array of the given shape, of two or three dimensions, and `from` is one of its cells.
/// `radius` is the largest distance between the centers of the two cells, 0 or more, in cells; `None` means that there
/// is no bound.
///
/// The thin line is the same in both directions, so that `a` sees `b` if and only if `b` sees `a`.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts cells examined, ends the search, and
/// [`Error::Memory`] if memory cannot hold the answer.
///
/// # Complexity
/// O(cells) in two dimensions; in three dimensions one line per cell is walked.
pub fn visible<const D: usize>(
    blocked: &[bool],
    shape: &[usize; D],
    from: &[usize; D],
    radius: Option<f64>,
    budget: &mut Budget<'_>,
) -> Result<Vec<bool>, Error> {
    let index = |cell: &[usize; D]| (0..D).fold(0, |at, a| at * shape[a] + cell[a]);
    let start = index(from);
    let near = |steps: &[f64; D]| {
        let far = steps.iter().map(|step| step * step).sum::<f64>();
        radius.is_none_or(|radius| far <= radius * radius)
    };
    if D == 2 {
        let mut seen = memory::filled(false, blocked.len(), SEEN)?;
        seen[start] = true;
        // One sweep per quadrant, in coordinates that grow away from the viewer; the cells on an axis belong to two
        // quadrants.
        let reach = radius.map_or(i64::MAX, |radius| radius as i64);
        for signs in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
            let size = [0, 1].map(|a| {
                let ahead = if signs[a] > 0 { shape[a] - 1 - from[a] } else { from[a] };
                (ahead as i64).min(reach)
            });
            let at = |[row, col]: Direction| {
                let cell = [from[0] as i64 + signs[0] * row, from[1] as i64 + signs[1] * col];
                cell[0] as usize * shape[1] + cell[1] as usize
            };
            let near = |cell: Direction| near(&std::array::from_fn(|a| cell[a] as f64));
            sweep(blocked, &mut seen, size, at, near, budget)?;
        }
        return Ok(seen);
    }
    let within = bounds(shape);
    let mut ends = [0.0; 6];
    for a in 0..D {
        ends[a] = from[a] as f64;
    }
    let mut seen = memory::with_capacity(blocked.len(), SEEN)?;
    for piece in pieces(blocked.len()) {
        // Cells beyond the radius spend no budget, so without this call many of them would delay an interrupt.
        budget.pause()?;
        for target in piece {
            // The coordinates of the cell with the row-major index `target`, the last axis first.
            let mut rest = target;
            for a in (0..D).rev() {
                (ends[D + a], rest) = ((rest % shape[a]) as f64, rest / shape[a]);
            }
            if !near(&std::array::from_fn(|a| ends[D + a] - ends[a])) {
                seen.push(false);
                continue;
            }
            let line = Line::<D>::new(&ends[..2 * D], &Frame::Center);
            budget.spend(line.most_cells())?;
            let hidden = |at: usize| at != start && at != target && blocked[at];
            seen.push(until(&line, shape, &within, hidden).is_none());
        }
    }
    Ok(seen)
}
