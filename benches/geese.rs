//! Measures GeeseSpotter: new boards, counts of neighbors, exact chances, and games played by each policy. Run with
//! `cargo bench --bench geese`. The environment variable `GAMES` sets the number of games per policy and kind of start,
//! 1000 by default.

use std::hint::black_box;
use std::time::Instant;

use gridwright::core::{Budget, Cell, Rng};
use gridwright::geese::{Deal, Engine, Player, Policy, View, deal_many, fields, play_many};

/// Summarizes times in seconds: returns the median and two percentiles in microseconds, and the number of
/// measurements.
fn summary(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[(times.len() as f64 * share) as usize] * 1e6;
    format!("median {:.1} us, p90 {:.1}, p99 {:.1}, n = {}", at(0.5), at(0.9), at(0.99), times.len())
}

fn main() {
    let games: usize = std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let expert = Deal::new(16, 30, 99, None).unwrap();
    let mut boards = vec![0; 480 * 2000];
    let mut best = f64::MAX;
    for round in 0..20 {
        let start = Instant::now();
        deal_many(&expert, round, 0, &mut boards, 1);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("new boards of 16x30, 99 geese: {:.2} M boards/s per core", 2000.0 / best / 1e6);

    let mut board = vec![0; 1_000_000];
    fields::spread_geese(&mut board, 200_000, &mut Rng::new(1)).unwrap();
    let times = (0..200).map(|_| {
        let start = Instant::now();
        fields::compute_neighbours(black_box(&mut board), 1000);
        start.elapsed().as_secs_f64()
    });
    println!("compute_neighbours 1000x1000: {}", summary(times.collect()));

    // Plays 400 expert boards and collects the positions in which no field is certainly safe, so that a player must
    // guess.
    let corner = Deal::with_first(16, 30, 99, Cell::new(0, 0)).unwrap();
    let (mut player, mut engine) = (Player::new(Policy::Progress), Engine::default());
    let mut views = Vec::new();
    for seed in 0..400 {
        let game = corner.game(seed);
        let mut view = View::blank(16, 30, 99);
        player.start(&view);
        let mut next = 0;
        loop {
            let value = game.secret()[next] & 15;
            if value == 9 {
                break;
            }
            view.reveal(next, value);
            player.observe(next, value);
            match player.advise(&mut Budget::unlimited()).unwrap() {
                Some(advice) => {
                    if advice.chance > 0.0 {
                        views.push(view.clone());
                    }
                    next = advice.index;
                }
                None => break,
            }
        }
    }
    let times = views.iter().map(|view| {
        let start = Instant::now();
        engine.solve(black_box(view), &mut Budget::unlimited()).unwrap();
        start.elapsed().as_secs_f64()
    });
    println!("exact chances, expert positions in which a player must guess: {}", summary(times.collect()));

    let zero = Deal::new(16, 30, 99, Some(Cell::new(3, 3))).unwrap();
    for (what, deal, first) in [
        ("corner safe", &corner, Cell::new(0, 0)),
        ("zero at (3, 3)", &zero, Cell::new(3, 3)),
        ("unsafe", &expert, Cell::new(0, 0)),
    ] {
        for (name, policy) in Policy::ALL {
            let start = Instant::now();
            let won = play_many(deal, first, policy, games, 2026, 0, 1, &mut Budget::unlimited()).unwrap();
            let won = won.iter().filter(|&&won| won).count();
            let seconds = start.elapsed().as_secs_f64();
            let share = won as f64 / games as f64;
            let error = 2.0 * (share * (1.0 - share) / games as f64).sqrt();
            println!(
                "expert, {what}, {name}: {:.2}% +- {:.2}% (two standard errors) of {games} games won, {:.0} games/s",
                100.0 * share,
                100.0 * error,
                games as f64 / seconds
            );
        }
    }
}
