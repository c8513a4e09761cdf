//! Measures the most expensive calls of LightEmAll and of `gridwright::graph`.
//!
//! Run with `cargo bench --bench lightemall`. The environment variable `SEEDS` sets the number of boards of 1000 x 1000
//! tiles that are solved, 10 by default.

use std::time::Instant;

use gridwright::core::{Budget, Rng};
use gridwright::graph::board::{self, Scratch};
use gridwright::graph::{Lattice, Weights, span};
use gridwright::lightemall::generate::{generate, generate_many};
use gridwright::lightemall::options::Options;

/// Prints the median and the longest time of `rounds` calls to `work`, which takes the round number as its seed.
fn median(name: &str, rounds: usize, mut work: impl FnMut(u64)) {
    let mut times: Vec<f64> = (0..rounds)
        .map(|i| {
            let start = Instant::now();
            work(i as u64);
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<44} {:>12.3} ms (worst {:.3})", times[rounds / 2] * 1e3, times[rounds - 1] * 1e3);
}

fn main() {
    for side in [1000, 4000] {
        let lattice = Lattice::square(side, side);
        let mut wires = vec![0; lattice.len()];
        median(&format!("Kruskal's algorithm on {side} x {side}"), if side == 1000 { 9 } else { 3 }, |seed| {
            wires.fill(0);
            let weights = Weights::new(seed, 0.0);
            board::kruskal(lattice, &weights, &mut Scratch::default(), &mut wires, &mut Budget::unlimited()).unwrap();
        });
    }
    let lattice = Lattice::square(8, 8);
    let (mut wires, mut scratch) = (vec![0; 64], Scratch::default());
    median("Kruskal's algorithm on 8 x 8, 10,000 times", 5, |seed| {
        for i in 0..10_000 {
            let weights = Weights::new(seed << 32 | i, 0.0);
            board::kruskal(lattice, &weights, &mut scratch, &mut wires, &mut Budget::unlimited()).unwrap();
        }
    });
    let options = Options::new(8, 8);
    let mut boards = vec![0; 64 * 100_000];
    median("generate_many, 100,000 boards of 8 x 8", 5, |seed| {
        generate_many(&options, seed << 32, &mut boards, &mut Budget::unlimited()).unwrap();
    });
    let large = Options::new(1000, 1000);
    let whole = generate(&Options { scramble: false, ..large }, 1, &mut Budget::unlimited()).unwrap().game;
    median("generate 1000 x 1000", 5, |seed| drop(generate(&large, seed, &mut Budget::unlimited())));
    median("distances, solved board of 1000 x 1000", 5, |_| drop(whole.distances()));
    median("diameter, solved board of 1000 x 1000", 5, |_| assert!(whole.diameter().is_some()));
    let seeds = std::env::var("SEEDS").map_or(10, |seeds| seeds.parse().unwrap());
    median(&format!("generate and solve 1000 x 1000, {seeds} seeds"), seeds, |seed| {
        let game = generate(&large, seed, &mut Budget::unlimited()).unwrap().game;
        let start = Instant::now();
        assert!(game.solve(&mut Budget::unlimited()).unwrap().is_some());
        if start.elapsed().as_secs_f64() > 2.0 {
            println!("  solving the board of seed {seed} takes {:.2} s", start.elapsed().as_secs_f64());
        }
    });
    for side in [201, 1000] {
        let unique = Options { unique: true, ..Options::new(side, side) };
        let name = format!("generate {side} x {side}, one solution");
        median(&name, 5, |seed| drop(generate(&unique, seed, &mut Budget::unlimited())));
    }
    let edges = Lattice::square(1000, 1000).edges();
    let mut rng = Rng::new(1);
    let weights: Vec<f64> = edges.iter().map(|_| rng.unit()).collect();
    median("Kruskal on 2 million edges, f64", 5, |_| {
        span::kruskal(1_000_000, &edges, &weights, &mut Budget::unlimited()).unwrap();
    });
    let weights: Vec<u32> = edges.iter().map(|_| rng.bits() as u32).collect();
    median("Kruskal on 2 million edges, u32", 5, |_| {
        span::kruskal(1_000_000, &edges, &weights, &mut Budget::unlimited()).unwrap();
    });
}
