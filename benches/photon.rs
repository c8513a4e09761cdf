//! Measures MyPhoton: tracing, playing, stepping, solving, generating. Run with `cargo bench --bench photon`.

use std::time::{Duration, Instant};

use gridwright::core::batch::{Actions, Batch, Buffers, Options, Outcome, Starts};
use gridwright::core::game::Game;
use gridwright::core::{Budget, Rng};
use gridwright::photon::generate::{Recipe, generate};
use gridwright::photon::{MyPhoton, trace_many};

/// Returns a recipe for 15 x 15 boards with about equal numbers of splitters, mirrors and T-mirrors.
fn recipe(pieces: usize, sensors: usize) -> Recipe {
    let (splitters, tmirrors) = (pieces.div_ceil(3), pieces / 3);
    let mirrors = pieces - splitters - tmirrors;
    Recipe { lasers: 2, sensors, mirrors, splitters, tmirrors, ..Recipe::new(15, 15) }
}

/// Generates `count` puzzles with `pieces` pieces each: with 4 or 5 sensors if there are fewer than 5 pieces, otherwise
/// with 4 to 6.
fn puzzles(pieces: usize, count: u64) -> Vec<MyPhoton> {
    (0..count)
        .map(|seed| {
            generate(
                &recipe(pieces, 4 + seed as usize % if pieces < 5 { 2 } else { 3 }),
                seed,
                &mut Budget::unlimited(),
            )
            .unwrap()
        })
        .collect()
}

/// Prints the median, two percentiles and the maximum of the times.
fn line(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |at: usize| times[at.min(times.len() - 1)].as_secs_f64() * 1e3;
    println!(
        "{name:44} median {:9.3} ms  p90 {:9.3} ms  p99 {:9.3} ms  worst {:9.3} ms",
        ms(times.len() / 2),
        ms(times.len() * 9 / 10),
        ms(times.len() * 99 / 100),
        ms(times.len() - 1)
    );
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

/// Returns the median time of `rounds` calls to `work` in seconds.
fn median(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<Duration> = (0..rounds).map(|_| time(&mut work)).collect();
    times.sort_unstable();
    times[rounds / 2].as_secs_f64()
}

fn tracing() {
    let n = 400;
    let games = puzzles(6, n as u64);
    let cells = 225;
    let mut boards = vec![0; n * cells];
    for (game, board) in games.iter().zip(boards.chunks_mut(cells)) {
        game.write_board(board);
    }
    let heads: usize = games.iter().map(|game| game.trace().unwrap().row.len()).sum();
    let (mut lit, mut beams) = (vec![false; n * cells], vec![0; n * cells]);
    let bare = median(300, || trace_many(&boards, 15, 15, &mut lit, &mut [], &mut Budget::unlimited()).unwrap());
    let full = median(300, || trace_many(&boards, 15, 15, &mut lit, &mut beams, &mut Budget::unlimited()).unwrap());
    println!("tracing 15x15 boards, {:.1} heads of light per board, one thread", heads as f64 / n as f64);
    println!("{:44} {:9.2} M boards/s", "sensors only", n as f64 / bare / 1e6);
    println!("{:44} {:9.2} M boards/s", "sensors and beams", n as f64 / full / 1e6);
}

fn stepping() {
    for (name, size, masked) in [("7x7", 7, true), ("15x15", 15, false), ("15x15", 15, true)] {
        let n = 512;
        let starts: Vec<MyPhoton> = (0..64)
            .map(|seed| {
                generate(&Recipe { lasers: 2, ..Recipe::new(size, size) }, seed, &mut Budget::unlimited()).unwrap()
            })
            .collect();
        let options = Options { threads: 1, max_steps: Some(100), ..Options::default() };
        let worth = |outcome: Outcome| f64::from(u8::from(outcome.status.is_over()));
        let mut batch = Batch::new(Starts::Fixed(starts.into()), n, 1, options, &mut Budget::unlimited()).unwrap();
        let (cells, moves) = (batch.cells(), if masked { batch.volume() } else { 0 });
        let (mut board, mut mask) = (vec![0; n * cells], vec![false; n * moves]);
        let (mut reward, mut ended, mut cut, mut illegal) =
            (vec![0.0; n], vec![false; n], vec![false; n], vec![false; n]);
        batch.write(&mut board, &mut mask);
        let mut actions = vec![0; n * 4];
        let (mut sampling, mut stepping) = (Duration::ZERO, Duration::ZERO);
        let rounds = 400;
        for seed in 0..rounds as u64 {
            sampling += time(|| batch.sample_legal(seed, &mut actions, &mut Budget::unlimited()).unwrap());
            stepping += time(|| {
                let out = Buffers {
                    board: &mut board,
                    mask: &mut mask,
                    bits: &mut [],
                    value: &mut reward,
                    terminated: &mut ended,
                    truncated: &mut cut,
                    illegal: &mut illegal,
                    final_board: &mut [],
                    final_mask: &mut [],
                };
                batch.step(Actions::Points(&actions), out, worth).unwrap();
            });
        }
        let rate = |time: Duration| (rounds * n) as f64 / time.as_secs_f64() / 1e6;
        let what = format!("steps of a batch, {name}{}", if masked { " with masks" } else { "" });
        println!("{what:44} {:9.2} M steps/s, {:.2} M actions drawn/s", rate(stepping), rate(sampling));
    }
}

fn playing() {
    let mut rng = Rng::new(1);
    let mut game = generate(&recipe(6, 5), 1, &mut Budget::unlimited()).unwrap();
    let moves: Vec<_> = (0..1000)
        .map(|_| {
            let mv = gridwright::core::game::sample_legal(&game, &mut rng).unwrap();
            let change = game.apply(mv);
            if game.status().is_over() {
                game.revert(mv, change);
                [0; 4]
            } else {
                mv
            }
        })
        .filter(|mv| *mv != [0; 4])
        .collect();
    // Swapping the same two cells again undoes a swap.
    for &mv in moves.iter().rev() {
        game.apply(mv);
    }
    let seconds = median(50, || {
        for &mv in &moves {
            std::hint::black_box(game.apply(mv));
        }
        for &mv in moves.iter().rev() {
            std::hint::black_box(game.apply(mv));
        }
    });
    println!("{:44} {:9.1} ns", "one swap on 15x15, including the light", seconds / (2 * moves.len()) as f64 * 1e9);
}

fn solving() {
    let limit = 3_000_000;
    for (pieces, count) in [(4, 300), (6, 300), (8, 100), (10, 40)] {
        let games = puzzles(pieces, count);
        for (what, fewest) in [("any solution", false), ("fewest swaps proved", true)] {
            if fewest && pieces > 6 {
                continue;
            }
            let (mut stopped, mut nodes) = (0, 0);
            let times = games
                .iter()
                .map(|game| {
                    time(|| {
                        let mut budget = Budget::new("nodes", Some(limit), None);
                        let done = if fewest { game.solve(None, &mut budget) } else { game.solve_any(&mut budget) };
                        match done {
                            Ok(answer) => assert!(answer.is_some()),
                            Err(_) => stopped += 1,
                        }
                        nodes += budget.spent();
                    })
                })
                .collect();
            line(&format!("solve 15x15, {pieces} pieces, {what}"), times);
            println!("{:44} {stopped} of {count} reached the limit, {:.0} nodes each", "", nodes as f64 / count as f64);
        }
    }
}

fn generating() {
    for pieces in [3, 4] {
        let recipe = Recipe { lasers: 1, sensors: 2, mirrors: pieces - 2, unique: true, ..Recipe::new(9, 9) };
        let count = 100;
        let spent = time(|| {
            for seed in 0..count {
                std::hint::black_box(generate(&recipe, seed, &mut Budget::unlimited()).unwrap());
            }
        });
        let rate = count as f64 / spent.as_secs_f64();
        println!("{:44} {rate:9.0} /s", format!("generate 9x9, one solution, {pieces} pieces"));
    }
}

fn main() {
    let all: [(&str, fn()); 5] =
        [("trace", tracing), ("play", playing), ("step", stepping), ("solve", solving), ("generate", generating)];
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, bench) in all {
        if wanted.is_empty() || wanted.iter().any(|arg| arg == name) {
            bench();
        }
    }
}
