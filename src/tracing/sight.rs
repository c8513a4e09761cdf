//! Rays and sight: the first blocked cell on a segment, and the cells that see each other.

use super::course::Layout;
use super::cover::{Lines, span};
use super::line::{Bounds, Frame, Line, bounds};

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
        let is = |at: usize| blocked.get(at).copied().unwrap_or(false);
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

/// Returns which cells of an array are seen from a cell: no blocked cell lies between the two on the thin line of their
/// centers. The two cells themselves hide nothing, so that walls are seen; `radius`, if any, is the largest distance of centers.
///
/// The thin line does not depend on its direction, so that `a` sees `b` if and only if `b` sees `a`.
pub fn visible<const D: usize>(
    blocked: &[bool],
    shape: &[usize; D],
    from: &[usize; D],
    radius: Option<f64>,
) -> Vec<bool> {
    let within = bounds(shape);
    let index = |cell: &[usize; D]| (0..D).fold(0, |at, a| at * shape[a] + cell[a]);
    let (start, mut ends) = (index(from), [0.0; 6]);
    for a in 0..D {
        ends[a] = from[a] as f64;
    }
    let mut cell = [0; D];
    (0..blocked.len())
        .map(|target| {
            // The next cell in row-major order, the first axis outermost.
            let mut rest = target;
            for a in (0..D).rev() {
                (cell[a], rest) = (rest % shape[a], rest / shape[a]);
            }
            let far = (0..D).map(|a| (cell[a] as f64 - from[a] as f64).powi(2)).sum::<f64>();
            if radius.is_some_and(|radius| far > radius * radius) {
                return false;
            }
            for a in 0..D {
                ends[D + a] = cell[a] as f64;
            }
            let line = Line::<D>::new(&ends[..2 * D], &Frame::Center);
            let hidden = |at: usize| at != start && at != target && blocked[at];
            until(&line, shape, &within, hidden).is_none()
        })
        .collect()
}
