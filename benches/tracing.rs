//! Measures line tracing in lines, segments and cells per second. Run with `cargo bench --bench tracing`.
//!
//! The rates are computed from median times. Compare only rates from the same run.

use std::hint::black_box;
use std::time::Instant;

use gridwright::core::Rng;
use gridwright::tracing::{self, Buffers, Method, Segment};

/// Returns the processor time of this thread in seconds, or `None` if the system does not report it (only Linux does).
/// Unlike wall-clock time, processor time does not grow while other processes run.
fn own_time() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(line.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Returns the median time of `rounds` calls to `work` in seconds: processor time if `threads` is 1 and the system
/// reports processor time, otherwise wall-clock time. With several threads, the calling thread does only part
/// of the work, so its processor time would be meaningless.
fn median(rounds: usize, threads: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let (start, clock) = (own_time(), Instant::now());
            work();
            match (start, own_time()) {
                (Some(start), Some(end)) if threads == 1 => end - start,
                _ => clock.elapsed().as_secs_f64(),
            }
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

fn main() {
    let size = 1000;
    let mut rng = Rng::new(1);
    let segments: Vec<Segment> = (0..100_000).map(|_| std::array::from_fn(|_| rng.index(size) as i32)).collect();
    let values: Vec<u8> = (0..segments.len()).map(|i| (i % 255) as u8 + 1).collect();
    let n = segments.len() as f64;
    let mut board = vec![0u8; size * size];
    for threads in [1, 2] {
        let time = median(7, threads, || {
            tracing::paint(&mut board, size, &segments, &values, Method::AmanatidesWoo, threads).unwrap();
        });
        println!("paint, threads: {threads}         {:8.2} M lines/s", n / time / 1e6);
    }
    let time = median(5, 1, || {
        for (&segment, &value) in segments.iter().zip(&values) {
            tracing::thin(segment, |row, col| board[row as usize * size + col as usize] = value);
        }
    });
    println!("paint, one call per line  {:8.2} M lines/s", n / time / 1e6);
    let mut covered = vec![0u32; size * size];
    for threads in [1, 2] {
        let time = median(5, threads, || {
            tracing::coverage(&mut covered, size, &segments, Method::AmanatidesWoo, threads).unwrap();
        });
        println!("coverage, threads: {threads}      {:8.2} M lines/s", n / time / 1e6);
    }
    let mut counts = vec![0; segments.len()];
    let time = median(7, 1, || {
        for _ in 0..40 {
            tracing::cell_counts(&segments, Method::AmanatidesWoo, black_box(&mut counts));
        }
    }) / 40.0;
    println!("cell counts               {:8.2} M segments/s", n / time / 1e6);
    let few = &segments[..40_000];
    let offsets = tracing::offsets(few, Method::AmanatidesWoo).unwrap();
    let total = offsets[few.len()] as usize;
    let mut cells = vec![0; 2 * total];
    let time = median(7, 0, || {
        let out = Buffers { cells: &mut cells, weights: &mut [] };
        tracing::trace_many(few, Method::AmanatidesWoo, &offsets, out);
    });
    println!("cells into out            {:8.2} G cells/s (several threads)", total as f64 / time / 1e9);
    let time = median(7, 1, || {
        // Chunks of 100 segments are too small to be shared among threads.
        let out = Buffers { cells: &mut cells, weights: &mut [] };
        for (i, segment) in few.chunks(100).enumerate() {
            let range = &offsets[100 * i..=100 * i + segment.len()];
            let base = range[0];
            let own: Vec<i64> = range.iter().map(|at| at - base).collect();
            let cells = &mut out.cells[2 * base as usize..2 * range[segment.len()] as usize];
            tracing::trace_many(segment, Method::AmanatidesWoo, &own, Buffers { cells, weights: &mut [] });
        }
    });
    println!("cells into out, 1 thread  {:8.2} G cells/s", total as f64 / time / 1e9);
    black_box((&board, &covered, &cells));
}
