//! Measures Bloxorz: the packaged levels, two levels with many bridges, a batch of games, and the generator.
//!
//! Run with `cargo bench --bench bloxorz`. An argument selects one part: `solve`, `graph`, `many`, `batch` or
//! `generate`. The environment variable `RUNS` sets the number of runs of the parts `solve`, `graph` and `batch`, 51 by
//! default. `EFFORT` sets the effort of the generator, 20,000,000 by default.

use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use gridwright::bloxorz::{Bloxorz, Minimize, Recipe};
use gridwright::core::batch::{Actions, Batch, Buffers, Options, Outcome, Starts};
use gridwright::core::{Budget, Game, Rng};
use gridwright::levels;

/// Returns the processor time of the main thread in seconds, or the time since `begun` if the system does not report
/// processor time.
fn clock(begun: Instant) -> f64 {
    let line = fs::read_to_string("/proc/self/schedstat").ok();
    let spent = line.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| begun.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Returns the mean time of `runs` calls to `work` in seconds, after one warm-up call.
fn mean(runs: u32, mut work: impl FnMut()) -> f64 {
    work();
    let begun = Instant::now();
    let start = clock(begun);
    for _ in 0..runs {
        work();
    }
    (clock(begun) - start) / f64::from(runs)
}

fn main() {
    let part = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let asked = |name: &str| part.as_deref().is_none_or(|part| part == name);
    let runs = std::env::var("RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(51);
    let games: Vec<Bloxorz> = levels::names("bloxorz")
        .iter()
        .map(|name| Bloxorz::parse(levels::text("bloxorz", name).unwrap()).unwrap())
        .collect();
    let unlimited = Budget::unlimited;
    if asked("solve") {
        let seconds = mean(runs, || {
            for game in &games {
                black_box(game.solve(Minimize::Rolls, &mut unlimited())).unwrap();
            }
        });
        println!("{} packaged levels, a shortest solution of each: {:.2} ms", games.len(), seconds * 1e3);
    }
    if asked("graph") {
        let seconds = mean(runs, || {
            for game in &games {
                black_box(game.state_graph(Minimize::Rolls, &mut unlimited())).unwrap();
            }
        });
        println!("{} packaged levels, the graph of all states of each: {:.2} ms", games.len(), seconds * 1e3);
    }
    if asked("many") {
        let letters: Vec<char> = ('A'..='Z').filter(|c| !matches!(c, 'S' | 'T' | 'O')).collect();
        let bridges: Vec<char> = ('a'..='z').filter(|c| *c != 'o').collect();
        for count in [16, 23] {
            let top: String = letters[..count].iter().flat_map(|letter| ['o', *letter]).collect();
            let plain = "o".repeat(top.len() + 3);
            let far: String = bridges[..count].iter().collect();
            let mut text = format!("S{top}oo\n{plain}\n{plain}\n-{}{far}T\n", "-".repeat(plain.len()));
            for (letter, bridge) in letters[..count].iter().zip(&bridges) {
                text.extend(['#', *letter, 'O', *bridge, '\n']);
            }
            let game = Bloxorz::parse(&text).unwrap();
            let limit = 10_000_000;
            let mut spent = 0;
            let seconds = mean(2, || {
                let mut budget = Budget::new("states", Some(limit), None);
                let _ = black_box(game.solve(Minimize::Rolls, &mut budget));
                spent = budget.spent().min(limit);
            });
            let rate = spent as f64 / seconds / 1e6;
            println!("{count} bridges, {spent} states: {rate:.2} M states/s");
        }
    }
    if asked("batch") {
        let n = 4096;
        let game = games[0].clone();
        let (cells, moves) = (game.height() * game.width(), 5);
        let options = Options { threads: 1, ..Options::default() };
        let worth = |outcome: Outcome| f64::from(u8::from(outcome.status.is_over()));
        let mut batch = Batch::new(Starts::Fixed(Arc::from([game])), n, 1, options, &mut Budget::unlimited()).unwrap();
        let mut rng = Rng::new(1);
        let actions: Vec<Vec<i64>> = (0..8).map(|_| (0..n).map(|_| rng.below(4) as i64).collect()).collect();
        let (mut board, mut mask) = (vec![0; n * cells], vec![false; n * moves]);
        let (mut reward, mut ended) = (vec![0.0; n], [vec![false; n], vec![false; n], vec![false; n]]);
        for masked in [false, true] {
            let seconds = mean(runs, || {
                for actions in &actions {
                    let [terminated, truncated, illegal] = &mut ended;
                    let out = Buffers {
                        board: &mut board,
                        mask: if masked { &mut mask } else { &mut [] },
                        value: &mut reward,
                        terminated,
                        truncated,
                        illegal,
                        ..Buffers::default()
                    };
                    batch.step(Actions::Points(actions), out, worth).unwrap();
                }
            });
            let words = if masked { " and mask" } else { "" };
            println!("batch of {n}, board{words}: {:.1} M keys/s", (8 * n) as f64 / seconds / 1e6);
        }
    }
    if asked("generate") {
        let effort = std::env::var("EFFORT").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000_000);
        let plain = Recipe {
            height: 8,
            width: 8,
            min_moves: None,
            max_moves: None,
            switches: 0,
            bridges: 0,
            splitters: 0,
            light: 0.0,
            effort,
        };
        for seed in 1..=4 {
            let begun = Instant::now();
            let start = clock(begun);
            let made = Bloxorz::generate(&plain, &mut Rng::new(seed), &mut unlimited(), |_| true).unwrap();
            let keys = made.solve(Minimize::Rolls, &mut unlimited()).unwrap().unwrap();
            println!("8 x 8, seed {seed}: {} rolls, {:.1} s", keys.len(), clock(begun) - start);
        }
    }
}
