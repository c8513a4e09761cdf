//! A play as the source document describes it: a parametric line between the centers of two cells.

use super::rules::Ends;

/// The line of a play between the centers of two cells; cell `(row, col)` covers the square from `(row, col)` to
/// `(row + 1, col + 1)`.
///
/// # Source
/// The class of this name in the source document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParametricLine {
    ends: Ends,
}

impl ParametricLine {
    /// Creates the line of the play `ends`: row and column of the tail, row and column of the head.
    pub fn new(ends: Ends) -> Self {
        Self { ends }
    }

    /// Returns the play: row and column of the tail, row and column of the head.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// Returns the center of the tail cell.
    pub fn tail_point(&self) -> [f64; 2] {
        [f64::from(self.ends[0]) + 0.5, f64::from(self.ends[1]) + 0.5]
    }

    /// Returns the center of the head cell.
    pub fn head_point(&self) -> [f64; 2] {
        [f64::from(self.ends[2]) + 0.5, f64::from(self.ends[3]) + 0.5]
    }

    /// Returns the vector from the tail to the head.
    pub fn vector(&self) -> [f64; 2] {
        let [tail, head] = [self.tail_point(), self.head_point()];
        [head[0] - tail[0], head[1] - tail[1]]
    }

    /// Returns the vector from the tail to the head scaled to length 1, or (0, 0) for a line of zero length.
    pub fn vector_normalized(&self) -> [f64; 2] {
        let [a, b] = self.vector();
        let length = a.hypot(b);
        if length == 0.0 { [0.0, 0.0] } else { [a / length, b / length] }
    }

    /// Returns the point `(1 - t) * tail + t * head`: the tail if `t` is 0, the head if `t` is 1, a point between them
    /// if `t` lies between 0 and 1, and otherwise a point on the line beyond its ends.
    pub fn barycentric_coordinate(&self, t: f64) -> [f64; 2] {
        let [tail, head] = [self.tail_point(), self.head_point()];
        [(1.0 - t) * tail[0] + t * head[0], (1.0 - t) * tail[1] + t * head[1]]
    }

    /// Returns the midpoint of the line.
    pub fn midpoint(&self) -> [f64; 2] {
        self.barycentric_coordinate(0.5)
    }
}
