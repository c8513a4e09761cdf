//! Rays and sight: the first blocked cell on a segment, and the cells that see each other.

use super::course::Layout;
use super::cover::{Lines, span};
use super::line::{Bounds, Frame, Line, bounds};
use crate::core::{Budget, Error};

/// Walks the thin line within a box until `stop` says so of the index of a cell, and returns that index.
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
    /// Appends, for each segment, the row-major index of the first blocked cell of its thin line, -1 if there is none. Cells
    /// outside the array block nothing.
    pub fn first_hit<const D: usize>(self, blocked: &[bool], shape: &[usize; D], hits: &mut Vec<i64>) {
        let within = bounds(shape);
        let is = |at: usize| blocked[at];
        if D == 2 && !matches!(self.frame, Frame::World(_)) {
            let within = [within[0].clone(), within[1].clone()];
            self.each::<2>(|_, line| {
                let hit = span(&line, Some(&within)).and_then(|(from, to)| {
                    line.until(Layout::new(&line, shape[1], 0), &from, &to, |at| is(at as usize))
                });
                hits.push(hit.map_or(-1, |at| at as i64));
            });
            return;
        }
        hits.extend(self.iter::<D>().map(|line| until(&line, shape, &within, is).map_or(-1, |at| at as i64)));
    }
}

/// A direction from the cell that looks, along the first and the second axis of a quadrant.
type Direction = [i64; 2];

/// Whether one direction comes before another on the way from the first axis to the second; they differ by less than half a turn.
fn before(one: Direction, other: Direction) -> bool {
    one[1] * other[0] < other[1] * one[0]
}

/// Directions that are hidden, each between two others without them: a line through a corner of a wall passes it.
#[derive(Default)]
struct Shadows {
    /// In order, without overlap; two may meet in a direction that is seen.
    sorted: Vec<[Direction; 2]>,
    /// Shadows that are not yet among them, in the order of their beginnings.
    fresh: Vec<[Direction; 2]>,
    merged: Vec<[Direction; 2]>,
}

impl Shadows {
    /// Merges the fresh shadows with the others.
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

    /// Whether the whole quadrant is hidden.
    fn all(&self) -> bool {
        matches!(self.sorted[..], [[begin, end]] if before(begin, [1, 0]) && before([0, 1], end))
    }
}

/// Marks the cells of a quadrant that are seen from a cell: those `sign` times `0..=size` away along each axis.
///
/// A wall hides all farther cells whose centers lie strictly between the directions of its outermost corners. Every cell between two
/// others on a line is nearer by rows and columns together, so that one pass by that distance, with the shadows cast so far in
/// order, decides each cell by one comparison or two.
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
            while shadows.sorted.get(next).is_some_and(|shadow| !before(cell, shadow[1])) {
                next += 1;
            }
            let hidden = shadows.sorted.get(next).is_some_and(|shadow| before(shadow[0], cell));
            let at = index(cell);
            seen[at] |= !hidden && near(cell);
            if blocked[at] {
                // Its corners, in halves of cells.
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

/// Returns which cells of an array are seen from a cell: no blocked cell lies between the two on the thin line of their
/// centers. The two cells themselves hide nothing, so that walls are seen; `radius`, if any, is the largest distance of centers.
///
/// The thin line does not depend on its direction, so that `a` sees `b` if and only if `b` sees `a`.
///
/// # Errors
/// [`Error::Limit`] or [`Error::Interrupted`] if the budget says so.
///
/// # Complexity
/// Of two dimensions, O(cells); of three, a line per cell.
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
        let mut seen = vec![false; blocked.len()];
        seen[start] = true;
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
    let mut seen = Vec::with_capacity(blocked.len());
    for target in 0..blocked.len() {
        // The next cell in row-major order, the first axis outermost.
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
    Ok(seen)
}
