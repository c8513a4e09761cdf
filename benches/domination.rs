//! Measures Linear Domination in masks, games and plays per second. Run with `cargo bench --bench domination`.
//!
//! The rates are computed from median times. Compare ratios within one run only.

use std::hint::black_box;
use std::time::Instant;

use gridwright::core::{Budget, Game, Rng};
use gridwright::domination::{Ends, LinearDomination, Rules};

/// Returns the processor time of this thread in seconds, or `None` if the system does not report it (only Linux does).
/// Unlike wall-clock time, processor time does not grow while other processes run.
fn own_time() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(line.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Returns the median time of `rounds` calls to `work` in seconds: processor time if `threads` is 1 and the system
/// reports processor time, otherwise wall-clock time. With several threads, the calling thread does only part of
/// the work, so its processor time would be meaningless.
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
    let start = LinearDomination::generate(8, 3, 6, Rules::Standard, 1, &mut Budget::unlimited()).unwrap();
    let time = median(9, 1, || {
        for _ in 0..500_000 {
            black_box(black_box(&start).legal_bits());
        }
    });
    // The numerator is the number of masks in millions; the rates below are computed likewise.
    println!("legal plays of 8x8 as bits          {:8.2} M masks/s", 0.5 / time);
    let mut mask = vec![false; 4096];
    let time = median(9, 1, || {
        for _ in 0..50_000 {
            black_box(&start).write_mask(black_box(&mut mask));
        }
    });
    println!("legal plays of 8x8 as bools         {:8.2} M masks/s", 0.05 / time);

    for (_, rules) in Rules::ALL {
        let empty = LinearDomination::empty(8, 3, rules).unwrap();
        for threads in [1, 2] {
            let mut counts = vec![[0; 2]; 300_000];
            let time = median(3, threads, || {
                empty.random_games(20, 1, threads, &mut counts, &mut Budget::unlimited()).unwrap();
            });
            println!("random games 8, 3, 20, threads: {threads}   {:8.2} M games/s ({rules:?})", 0.3 / time);
        }
    }

    for (_, rules) in Rules::ALL {
        let mut game = LinearDomination::empty(1000, 10_000, rules).unwrap();
        let mut rng = Rng::new(1);
        let mut play = || -> Ends { std::array::from_fn(|_| rng.index(1000) as i32) };
        for _ in 0..10_000 {
            game.draw(play());
        }
        let plays: Vec<Ends> = (0..500_000).map(|_| play()).collect();
        let time = median(5, 1, || {
            for &play in &plays {
                black_box(game.judge(play));
            }
        });
        println!("legality, N = 1000, K = 10000       {:8.2} M plays/s ({rules:?})", 0.5 / time);
        let time = median(1, 1, || {
            for &play in &plays[..50_000] {
                black_box(game.draw(play));
            }
        });
        println!("  with painting and recording       {:8.2} M plays/s", 0.05 / time);
    }
    let mut game = LinearDomination::empty(8, 3, Rules::Standard).unwrap();
    let moves: Vec<Ends> = {
        let made = LinearDomination::generate(8, 3, 20, Rules::Standard, 1, &mut Budget::unlimited()).unwrap();
        made.plays().iter().map(|play| play.ends).collect()
    };
    let time = median(5, 1, || {
        for _ in 0..100_000 {
            let mut changes = Vec::with_capacity(20);
            for &mv in &moves {
                changes.push(game.apply(mv));
            }
            for (&mv, change) in moves.iter().zip(changes).rev() {
                game.revert(mv, change);
            }
        }
    });
    println!("play and undo, 8x8                  {:8.2} M plays/s", 2.0 / time);
}
