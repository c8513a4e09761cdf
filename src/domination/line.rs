//! A play as the source document draws it: a parametric line between the centres of two cells.

use super::rules::Ends;

/// The line of a play: cell `(row, col)` covers the square from `(row, col)` to `(row + 1, col + 1)`, and the line runs
/// between the middles of two of them.
///
/// # Source
/// The class of the same name in the source document; a line of no length has the unit vector (0, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParametricLine {
    ends: Ends,
}

impl ParametricLine {
    /// Makes the line of a play.
    pub fn new(ends: Ends) -> Self {
        Self { ends }
    }

    /// The play.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// The middle of the tail cell.
    pub fn tail_point(&self) -> [f64; 2] {
        [f64::from(self.ends[0]) + 0.5, f64::from(self.ends[1]) + 0.5]
    }

    /// The middle of the head cell.
    pub fn head_point(&self) -> [f64; 2] {
        [f64::from(self.ends[2]) + 0.5, f64::from(self.ends[3]) + 0.5]
    }

    /// From the tail to the head.
    pub fn vector(&self) -> [f64; 2] {
        let [tail, head] = [self.tail_point(), self.head_point()];
        [head[0] - tail[0], head[1] - tail[1]]
    }

    /// The vector at length 1; (0, 0) where the line has no length.
    pub fn vector_normalized(&self) -> [f64; 2] {
        let [a, b] = self.vector();
        let length = a.hypot(b);
        if length == 0.0 { [0.0, 0.0] } else { [a / length, b / length] }
    }

    /// The point `(1 - t) * tail + t * head`.
    pub fn barycentric_coordinate(&self, t: f64) -> [f64; 2] {
        let [tail, head] = [self.tail_point(), self.head_point()];
        [(1.0 - t) * tail[0] + t * head[0], (1.0 - t) * tail[1] + t * head[1]]
    }

    /// The point half way.
    pub fn midpoint(&self) -> [f64; 2] {
        self.barycentric_coordinate(0.5)
    }
}
