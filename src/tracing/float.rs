//! The traversal in floating point, as a counterexample: it may fail at corners.

use super::line::locate;
use super::walk::Step;

/// Visits the cells that the traversal of Amanatides and Woo finds if `t_max` is added up in floating point; `t` is the
/// distance from the tail in cells. `ends` are the row and column of the tail, then those of the head, each at most
/// [`LIMIT`](super::LIMIT) in absolute value. Two crossings count as a corner if they are at most `tolerance` apart, in
/// cells. If `halves` is `true`, whole numbers are centers of cells, otherwise corners.
///
/// About one in three segments between centers passes exactly through a corner. There, two sums that are equal in exact
/// arithmetic may differ after rounding: the traversal then passes the corner on one side (as for the vector (3, 1)).
/// If an end lies on a border, the traversal may even miss the head. A tolerance moves the failures to longer segments
/// and adds false corners there. The traversal stops at the head, or when its next step would leave the bounding box of
/// the two end cells.
pub fn float_steps(ends: [f64; 4], halves: bool, tolerance: f64, mut visit: impl FnMut(Step)) {
    let [tail_row, tail_col, head_row, head_col] = ends;
    let (rows, cols) = ((head_row - tail_row).abs(), (head_col - tail_col).abs());
    let length = (rows * rows + cols * cols).sqrt();
    let axis = |tail: f64, head: f64, size: f64| {
        let ((cell, on), (last, _)) = (locate(tail, halves), locate(head, halves));
        let step = i32::from(head > tail) - i32::from(head < tail);
        if step == 0 {
            return (cell as i32, 0, 0, f64::INFINITY, f64::INFINITY);
        }
        let border = cell as f64 + if step > 0 { 1.0 } else { 0.0 } - if halves { 0.5 } else { 0.0 };
        let part = size / length;
        // A segment that starts on a border and moves toward smaller indices crosses that border at once.
        let t_max = if on && step < 0 { 0.0 } else { (border - tail).abs() / part };
        (cell as i32, step, (last - cell).unsigned_abs(), t_max, 1.0 / part)
    };
    let (mut row, row_step, mut rows_left, mut t_max_row, row_delta) = axis(tail_row, head_row, rows);
    let (mut col, col_step, mut cols_left, mut t_max_col, col_delta) = axis(tail_col, head_col, cols);
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
