//! The traversal in floating point: the lecture's bad example.

use super::{Segment, Step, direction, extent};

/// Visits the cells that the traversal of Amanatides and Woo finds when `t_max` is added up in floating point, as the source
/// document does it, `t` being the distance from the tail; crossings at most `tolerance` apart are taken for a corner.
///
/// About every third segment passes exactly through a corner, where sums that are equal by arithmetic differ by rounding: it
/// then steps beside the corner (already on the vector (3, 1)), and may even miss the head. A tolerance moves the failures
/// to longer segments and adds false corners there. It stops at the head, or where it has left the bounding box.
pub fn float_steps(segment: Segment, tolerance: f64, mut visit: impl FnMut(Step)) {
    let [tail_row, tail_col, head_row, head_col] = segment;
    let (row_step, col_step) = (direction(tail_row, head_row), direction(tail_col, head_col));
    let (rows, cols) = extent(segment);
    let length = ((rows * rows) as f64 + (cols * cols) as f64).sqrt();
    let (row_part, col_part) = (rows as f64 / length, cols as f64 / length);
    let (row_delta, col_delta) = (1.0 / row_part, 1.0 / col_part);
    let (mut t_max_row, mut t_max_col) = (0.5 / row_part, 0.5 / col_part);
    if rows == 0 {
        t_max_row = f64::INFINITY;
    }
    if cols == 0 {
        t_max_col = f64::INFINITY;
    }
    let (mut row, mut col, mut rows_left, mut cols_left) = (tail_row, tail_col, rows, cols);
    visit(Step { row, col, t_max_row, t_max_col, axis: -1 });
    while rows_left + cols_left > 0 {
        let corner = (t_max_row - t_max_col).abs() <= tolerance;
        let by_row = corner || t_max_row < t_max_col;
        let by_col = corner || !by_row;
        if by_row && rows_left == 0 || by_col && cols_left == 0 {
            return;
        }
        if by_row {
            t_max_row += row_delta;
            row += row_step;
            rows_left -= 1;
        }
        if by_col {
            t_max_col += col_delta;
            col += col_step;
            cols_left -= 1;
        }
        let axis = if corner { 2 } else { i8::from(by_col) };
        visit(Step { row, col, t_max_row, t_max_col, axis });
    }
}
