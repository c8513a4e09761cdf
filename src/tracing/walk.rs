//! Walks along one segment between centers of cells, in whole numbers.

use super::{Segment, direction, extent};

/// One step of a traversal: the cell, how it was reached, and the numbers that decide the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Row of the cell.
    pub row: i32,
    /// Column of the cell.
    pub col: i32,
    /// The `t` of the next border between rows, which may lie beyond the head; infinite if the segment is parallel to
    /// that border. In the exact traversal, `t` runs from 0 at the tail to 1 at the head. In the floating-point
    /// traversal, `t` is the distance from the tail, in cells, summed step by step.
    pub t_max_row: f64,
    /// The `t` of the next border between columns, as for `t_max_row`.
    pub t_max_col: f64,
    /// What was crossed to get to the cell: -1 for nothing (the tail), 0 for a border between rows, 1 for a border
    /// between columns, 2 for a corner.
    pub axis: i8,
}

/// A walk along a segment: the cell that it has reached, the directions of its steps, and the numbers of rows and
/// columns between the ends. `error` is the `t` of the next border between rows minus that of the next one between
/// columns, times `2 * rows * cols`.
struct Traversal {
    row: i32,
    col: i32,
    row_step: i32,
    col_step: i32,
    rows: i64,
    cols: i64,
    error: i64,
}

impl Traversal {
    #[inline]
    fn new([row, col, head_row, head_col]: Segment) -> Self {
        let (rows, cols) = extent([row, col, head_row, head_col]);
        // Extents are at most 2^31, so that twice their sum fits in 64 bits.
        let (rows, cols) = (rows as i64, cols as i64);
        Self {
            row,
            col,
            row_step: direction(row, head_row),
            col_step: direction(col, head_col),
            rows,
            cols,
            error: cols - rows,
        }
    }
}

/// Visits the thin line: the cells whose open interior the segment crosses, from tail to head.
///
/// # Source
/// Amanatides and Woo, with `t_max` compared as whole numbers and a third case for corners.
#[inline]
pub fn thin(segment: Segment, mut visit: impl FnMut(i32, i32)) {
    let mut at = Traversal::new(segment);
    let (mut rows, mut cols) = (at.rows, at.cols);
    visit(at.row, at.col);
    while rows + cols > 0 {
        let error = at.error;
        // A negative error means that the border between rows comes first. At a corner the error is 0, and row and
        // column change together.
        if error <= 0 {
            at.row += at.row_step;
            at.error += 2 * at.cols;
            rows -= 1;
        }
        if error >= 0 {
            at.col += at.col_step;
            at.error -= 2 * at.rows;
            cols -= 1;
        }
        visit(at.row, at.col);
    }
}

/// Visits every cell that the segment touches. At a corner, the cell in the next row comes first, then the cell in the
/// next column, then the cell across the corner.
#[inline]
pub fn touches(segment: Segment, mut visit: impl FnMut(i32, i32)) {
    let (row_step, col_step) = {
        let at = Traversal::new(segment);
        (at.row_step, at.col_step)
    };
    let mut before = None;
    thin(segment, |row, col| {
        if let Some((last_row, last_col)) = before {
            // A diagonal step touches the two cells beside the corner.
            if last_row != row && last_col != col {
                visit(last_row + row_step, last_col);
                visit(last_row, last_col + col_step);
            }
        }
        visit(row, col);
        before = Some((row, col));
    });
}

/// Visits the steps of the exact traversal.
///
/// Each `t` is rounded to a double, but the comparisons are made in whole numbers.
pub fn steps(segment: Segment, mut visit: impl FnMut(Step)) {
    let (rows, cols) = extent(segment);
    let (mut row_borders, mut col_borders) = (0u64, 0u64);
    let next = |borders: u64, length: u64| {
        // Border k lies k + 1/2 cells from the center of the tail, on a path of `length` cells.
        if length == 0 { f64::INFINITY } else { (2 * borders + 1) as f64 / (2 * length) as f64 }
    };
    let mut before = None;
    thin(segment, |row, col| {
        let axis = match before {
            None => -1,
            Some((last_row, last_col)) => match (last_row != row, last_col != col) {
                (true, true) => 2,
                (true, false) => 0,
                _ => 1,
            },
        };
        row_borders += u64::from(axis == 0 || axis == 2);
        col_borders += u64::from(axis == 1 || axis == 2);
        visit(Step { row, col, t_max_row: next(row_borders, rows), t_max_col: next(col_borders, cols), axis });
        before = Some((row, col));
    });
}

/// Visits one cell per step of the long side by Bresenham's integer algorithm. Of two cells that are equally near
/// the line, the one farther from the tail is visited.
#[inline]
pub(super) fn bresenham(segment: Segment, mut visit: impl FnMut(i32, i32)) {
    let at = Traversal::new(segment);
    let steep = at.rows > at.cols;
    let (long, short) = if steep { (at.rows, at.cols) } else { (at.cols, at.rows) };
    // Along the short side, the error is twice the distance from the midpoint of the two possible next cells to the
    // line, times the length of the long side. If the error is 0 or more, the farther of these cells is next.
    let (mut row, mut col, mut error) = (at.row, at.col, 2 * short - long);
    for _ in 0..long {
        visit(row, col);
        if error >= 0 {
            if steep {
                col += at.col_step;
            } else {
                row += at.row_step;
            }
            error -= 2 * long;
        }
        if steep {
            row += at.row_step;
        } else {
            col += at.col_step;
        }
        error += 2 * short;
    }
    visit(segment[2], segment[3]);
}

/// Visits one cell per step of the long side: the one whose center is nearest to the point of the line, with ties
/// rounded up (toward larger rows and columns).
#[inline]
pub(super) fn dda(segment: Segment, mut visit: impl FnMut(i32, i32)) {
    let [mut row, mut col, head_row, head_col] = segment;
    let (rows, cols) = (i64::from(head_row) - i64::from(row), i64::from(head_col) - i64::from(col));
    let steep = rows.abs() > cols.abs();
    let (long, short) = if steep { (rows.abs(), cols) } else { (cols.abs(), rows) };
    let at = Traversal::new(segment);
    // The coordinate along the short side is its whole part (row or col) plus `rest / long`.
    let mut rest = 0;
    visit(row, col);
    for _ in 0..long {
        rest += short;
        // `rest` stays within one cell: 0 <= rest < long.
        let carry = i32::from(rest >= long) - i32::from(rest < 0);
        rest -= i64::from(carry) * long;
        let round = i32::from(2 * rest >= long);
        if steep {
            row += at.row_step;
            col += carry;
            visit(row, col + round);
        } else {
            col += at.col_step;
            row += carry;
            visit(row + round, col);
        }
    }
}

/// Visits the cells of the anti-aliased line with their weights. Each step of the long side divides a weight of 1
/// between the two cells beside the point of the line, the one on the tail's side first; cells of weight 0 are left
/// out.
#[inline]
pub fn weighted(segment: Segment, mut visit: impl FnMut(i32, i32, f64)) {
    let at = Traversal::new(segment);
    let steep = at.rows > at.cols;
    let (long, short) = if steep { (at.rows, at.cols) } else { (at.cols, at.rows) };
    // Along the short side, the line lies `rest / long` of a cell beyond the center of `(row, col)`, toward the head.
    let (mut row, mut col, mut rest) = (at.row, at.col, 0);
    for _ in 0..=long {
        // For a segment of length 0 the quotient would be 0 / 0.
        let weight = if rest == 0 { 0.0 } else { rest as f64 / long as f64 };
        visit(row, col, 1.0 - weight);
        if rest > 0 {
            let (row, col) = if steep { (row, col + at.col_step) } else { (row + at.row_step, col) };
            visit(row, col, weight);
        }
        if steep {
            row += at.row_step;
        } else {
            col += at.col_step;
        }
        rest += short;
        if rest >= long {
            rest -= long;
            if steep { col += at.col_step } else { row += at.row_step }
        }
    }
}
