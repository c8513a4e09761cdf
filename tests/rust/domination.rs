//! Tests of Linear Domination. Many compare the engine with slow, plain implementations.

#![allow(clippy::float_cmp)] // floats represent the midpoints and vectors of lines exactly

use gridwright::core::game::{self, Game};
use gridwright::core::{Budget, Error, Rng, Status};
use gridwright::domination::{Ends, LinearDomination, ParametricLine, Rules, Verdict};
use gridwright::tracing::{self, Method};

/// A slow implementation of the game. It judges a play by going through the earlier plays, and paints each board from
/// scratch.
struct Slow {
    size: i32,
    lookback: usize,
    rules: Rules,
    plays: Vec<(Ends, bool)>,
}

impl Slow {
    fn counted(&self) -> Vec<Ends> {
        let counts = |&&(_, legal): &&(Ends, bool)| legal || self.rules != Rules::Standard;
        let all: Vec<Ends> = self.plays.iter().filter(counts).map(|&(ends, _)| ends).collect();
        all[all.len().saturating_sub(self.lookback)..].to_vec()
    }

    fn legal(&self, p: Ends) -> bool {
        let line = ParametricLine::new(p);
        let zero = line.vector() == [0.0, 0.0];
        if p.iter().any(|&part| part < 0 || part >= self.size) || zero && self.rules == Rules::Standard {
            return false;
        }
        self.counted().iter().all(|&q| {
            let other = ParametricLine::new(q);
            let ([a, b], [c, d]) = (line.vector(), other.vector());
            let same = self.rules == Rules::Uccs2023 && (p[..2] == q[..2] || p[2..] == q[2..]);
            line.midpoint() != other.midpoint() && a * c + b * d != 0.0 && !same
        })
    }

    fn draw(&mut self, p: Ends) {
        let legal = self.legal(p);
        self.plays.push((p, legal));
    }

    fn board(&self) -> Vec<u8> {
        let mut board = vec![0; (self.size * self.size) as usize];
        for (turn, &(p, legal)) in self.plays.iter().enumerate() {
            if legal {
                for [row, col] in tracing::trace(p, Method::AmanatidesWoo) {
                    board[(row * self.size + col) as usize] = turn as u8 % 2 + 1;
                }
            }
        }
        board
    }
}

fn board(game: &LinearDomination) -> Vec<u8> {
    let mut board = vec![9; game.size() * game.size()];
    game.write_board(&mut board);
    board
}

const SEED: u64 = 77;

/// Returns a random play. Some plays are off the board, have zero length, or share an end with one of `plays`.
fn any_play(rng: &mut Rng, size: i32, plays: &[(Ends, bool)]) -> Ends {
    let mut ends: Ends = std::array::from_fn(|_| rng.index(size as usize) as i32);
    if rng.chance(0.03) {
        ends[rng.index(4)] = *rng.choose(&[-1, -7, size, size + 3]);
    }
    if rng.chance(0.02) {
        ends = [ends[0], ends[1], ends[0], ends[1]];
    }
    if !plays.is_empty() && rng.chance(0.2) {
        let (like, _) = *rng.choose(plays);
        let half = 2 * rng.index(2);
        ends[half..half + 2].copy_from_slice(&like[half..half + 2]);
    }
    ends
}

#[test]
fn legal_plays_boards_and_counts_are_those_of_the_slow_game() {
    let mut rng = Rng::new(SEED);
    let mut seen = [0; 7];
    for round in 0..60 {
        let size = [1, 2, 3, 5, 8, 9, 13, 30][round % 8];
        let lookback = *rng.choose(&[0, 1, 2, 3, 7, 40, 192, 193, 1000]);
        for (_, rules) in Rules::ALL {
            let mut game = LinearDomination::empty(size as usize, lookback, rules).unwrap();
            let mut slow = Slow { size, lookback: lookback as usize, rules, plays: Vec::new() };
            for turn in 0..120 {
                let p = any_play(&mut rng, size, &slow.plays);
                let what =
                    format!("seed {SEED}, round {round}, turn {turn}, {rules:?}, size {size}, lookback {lookback}");
                let (verdict, clash) = game.judge(p);
                seen[verdict as usize] += 1;
                assert_eq!(verdict == Verdict::Legal, slow.legal(p), "{what}: {p:?} {verdict:?}\n{}", game.text());
                // The verdicts 2 to 5, and no others, name an earlier play.
                let clashes = matches!(verdict as u8, 2..=5);
                assert_eq!(clash.is_some(), clashes, "{what}");
                if let Some(clash) = clash {
                    let first = game.window().next().unwrap().0;
                    assert!(clash >= first && (clash as usize) < slow.plays.len(), "{what}");
                    let q = slow.plays[clash as usize].0;
                    let ([a, b], [c, d]) = (ParametricLine::new(p).vector(), ParametricLine::new(q).vector());
                    assert!(match verdict {
                        Verdict::SameMidpoint => ParametricLine::new(p).midpoint() == ParametricLine::new(q).midpoint(),
                        Verdict::Perpendicular => a * c + b * d == 0.0,
                        Verdict::SameTail => p[..2] == q[..2],
                        _ => p[2..] == q[2..],
                    });
                }
                game.draw(p);
                slow.draw(p);
            }
            assert_eq!(board(&game), slow.board());
            let counted = [1, 2].map(|code| slow.board().into_iter().map(|cell| u32::from(cell == code)).sum::<u32>());
            assert_eq!(game.counts(), counted);
            assert_eq!(LinearDomination::parse(&game.text()).unwrap(), game);
            assert!(game.plays().iter().zip(&slow.plays).all(|(play, slow)| play.ends == slow.0));
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}: a verdict occurred too rarely");
}

/// A game with a long lookback judges plays with an index. A game with a short lookback scans the window.
#[test]
fn the_index_and_the_scan_agree_on_verdicts_and_clashes() {
    let mut rng = Rng::new(SEED);
    for (_, rules) in Rules::ALL {
        let mut long = LinearDomination::empty(25, 500, rules).unwrap();
        let mut short = LinearDomination::empty(25, 190, rules).unwrap();
        let mut changes = Vec::new();
        for _ in 0..190 {
            let p = any_play(&mut rng, 25, &[]);
            if p[..2] == p[2..] {
                continue;
            }
            assert_eq!(long.judge(p), short.judge(p), "{rules:?} {p:?}\n{}", long.text());
            short.draw(p);
            changes.push((p, long.draw(p)));
        }
        let twin = LinearDomination::parse(&long.text()).unwrap();
        let (tail, rest) = (changes.split_off(100), changes);
        for (p, change) in tail.into_iter().rev() {
            long.revert(p, change);
        }
        for play in &twin.plays()[100..] {
            assert_eq!(long.judge(play.ends), (play.verdict, play.clash), "after undo");
            long.draw(play.ends);
        }
        assert_eq!((board(&long), long.counts()), (board(&twin), twin.counts()));
        assert_eq!(rest.len(), 100);
    }
}

#[test]
fn undo_restores_everything_that_a_play_changed() {
    let mut rng = Rng::new(SEED);
    for (size, lookback) in [(1, 2), (3, 2), (8, 3), (11, 3), (40, 300)] {
        for (_, rules) in Rules::ALL {
            let mut game = LinearDomination::empty(size, lookback, rules).unwrap();
            let mut before = Vec::new();
            for _ in 0..80 {
                let p = any_play(&mut rng, size as i32, &[]);
                before.push((board(&game), game.counts(), game.status(), game.text(), p));
                let kept = before.last_mut().unwrap();
                let change = game.draw(p);
                let mut shown = kept.0.clone();
                game.refresh_board(p, &change, &mut shown);
                assert_eq!(shown, board(&game));
                let mut back = game.clone();
                back.revert(p, change.clone());
                assert_eq!((board(&back), back.counts(), back.status(), back.text()), {
                    let (board, counts, status, text, _) = kept.clone();
                    (board, counts, status, text)
                });
                assert_eq!(back.judge(p), {
                    let play = game.plays().last().unwrap();
                    (play.verdict, play.clash)
                });
            }
        }
    }
}

#[test]
fn the_game_is_over_if_and_only_if_no_play_is_legal() {
    let mut ended = [0; Rules::ALL.len()];
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let size = 1 + rng.index(4);
        let lookback = *rng.choose(&[1, 4, 15, 60, 150, 1000]);
        for (k, (_, rules)) in Rules::ALL.into_iter().enumerate() {
            let mut game = LinearDomination::empty(size, lookback, rules).unwrap();
            for _ in 0..150 {
                let mut left = 0;
                for play in 0..size.pow(4) {
                    left += u32::from(game.check(game::unravel(game.bounds(), play)).is_ok());
                }
                assert_eq!(left == 0, game.status().is_over(), "seed {seed} {rules:?}\n{}", game.text());
                if left == 0 {
                    ended[k] += 1;
                    let [x, o] = game.counts();
                    let status = [Status::Drawn, Status::Won, Status::Lost][usize::from(x != o) + usize::from(o > x)];
                    assert_eq!(game.status(), status);
                }
                // Most plays of zero length are skipped, because one such play can end the game.
                let p = any_play(&mut rng, size as i32, &[]);
                if p[..2] != p[2..] || rng.chance(0.1) {
                    game.draw(p);
                }
            }
        }
    }
    assert!(ended.iter().all(|&times| times > 100), "{ended:?}");
}

/// The game is the example in the documentation of `gridwright::domination`.
#[test]
fn the_report_has_the_format_of_the_source_document() {
    let game = LinearDomination::parse("4 2 3 1\n1 4\t1 1\r\n3 2").unwrap();
    assert_eq!(game.report('.'), "O . X X \nO O X . \nX O . . \n. . . . \nPlayer X: 4 cells; Player O: 4 cells\n");
    assert_eq!(game.text(), "4 2\n3 1 1 4\n1 1 3 2\n");
    assert_eq!(game.to_move(), 0);
    assert_eq!(game.winner(), None);
}

#[test]
fn parametric_lines_connect_the_centers_of_their_end_cells() {
    let line = ParametricLine::new([2, 0, 0, 3]);
    assert_eq!((line.tail_point(), line.head_point()), ([2.5, 0.5], [0.5, 3.5]));
    assert_eq!((line.vector(), line.midpoint()), ([-2.0, 3.0], [1.5, 2.0]));
    let [a, b] = line.vector_normalized();
    assert!((a * a + b * b - 1.0).abs() < 1e-15 && a < 0.0 && b > 0.0);
    assert_eq!(ParametricLine::new([1, 1, 1, 1]).vector_normalized(), [0.0, 0.0]);
}

#[test]
fn a_point_in_the_window_freezes_the_board() {
    let mut game = LinearDomination::parse("5 3\n1 1 2 5\n").unwrap();
    for turn in 0..20 {
        game.draw([2, 2, 2, 2]);
        // The first point, which is a play of zero length, clashes with the line before it, and each later point
        // clashes with an earlier point. After each point, no play is legal.
        let expected = if turn == 0 { Verdict::Perpendicular } else { Verdict::SameMidpoint };
        assert_eq!(game.plays().last().unwrap().verdict, expected);
        assert_eq!(game.status(), Status::Won);
        assert_eq!(game::sample_legal(&game, &mut Rng::new(turn)), None);
    }
    for _ in 0..3 {
        game.draw([-1, 0, 3, 4]);
    }
    assert_eq!(game.status(), Status::Open);
}

#[test]
fn generated_games_are_legal_and_reproducible() {
    for (_, rules) in Rules::ALL {
        for seed in 0..20 {
            let game = LinearDomination::generate(9, 4, 30, rules, seed, &mut Budget::unlimited()).unwrap();
            assert!(game.plays().iter().all(|play| play.verdict == Verdict::Legal));
            assert!(game.plays().len() == 30 || game.status().is_over());
            assert_eq!(
                game.text(),
                LinearDomination::generate(9, 4, 30, rules, seed, &mut Budget::unlimited()).unwrap().text()
            );
        }
    }
    // Users store seeds, so a change to the game of a seed belongs in the changelog.
    let text = LinearDomination::generate(8, 3, 3, Rules::Standard, 1, &mut Budget::unlimited()).unwrap().text();
    assert_eq!(text, "8 3 standard\n8 2 4 4\n7 2 7 6\n5 3 3 4\n");
    assert!(LinearDomination::empty(0, 3, Rules::Standard).is_err());
    assert!(LinearDomination::empty(8193, 3, Rules::Standard).is_err());
    assert!(LinearDomination::empty(8, 1 << 31, Rules::Standard).is_err());
}

#[test]
fn a_graded_game_has_a_size_of_1_to_8() {
    for size in [0, 9] {
        let lookback = 10_000;
        let refused =
            LinearDomination::generate_graded(size, lookback, Rules::Standard, 1, 1, &mut Budget::unlimited());
        let message = format!("size must be between 1 and 8 if difficulty is given, got {size}");
        assert_eq!(refused.unwrap_err(), Error::Invalid(message));
    }
}

#[test]
fn long_texts_are_parsed_within_a_budget() {
    let text = &crate::laws::text("domination", "long_standard");
    let mut watch = |_: u64| true;
    let mut budget = Budget::new("plays", None, Some(&mut watch));
    let game = LinearDomination::parse_watched(text, None, &mut budget).unwrap();
    assert_eq!(game.plays().len() as u64, budget.spent());
    let mut budget = Budget::new("plays", Some(100), None);
    assert!(LinearDomination::parse_watched(text, None, &mut budget).is_err());
}

/// Returns the margin that the player to move has after `plies` more plays if both players play their best. Tries all
/// sequences of plays.
fn brute(game: &LinearDomination, plies: u32) -> i64 {
    let moves = game::legal_moves(game, usize::MAX).unwrap();
    if plies == 0 || moves.is_empty() {
        return game.margin();
    }
    let value = |mv: Ends| {
        let mut next = game.clone();
        next.draw(mv);
        -brute(&next, plies - 1)
    };
    moves.into_iter().map(value).max().unwrap()
}

#[test]
fn short_games_on_small_boards_are_solved_exactly() {
    let mut rng = Rng::new(SEED);
    for round in 0..30 {
        let (size, plies) = *rng.choose(&[(1, 3), (2, 1), (2, 4), (3, 1), (3, 2), (3, 3)]);
        let before = rng.index(5);
        let (_, rules) = *rng.choose(&Rules::ALL);
        let lookback = *rng.choose(&[0, 1, 3, 50]);
        let game = LinearDomination::generate(size, lookback, before, rules, round, &mut Budget::unlimited()).unwrap();
        let found = game.solve(plies, &mut Budget::unlimited()).unwrap();
        assert_eq!(found.margin, brute(&game, plies), "round {round}, {plies} plays\n{}", game.text());
        let mut end = game.clone();
        for &ends in &found.line {
            game::play(&mut end, ends).unwrap();
        }
        assert!(found.line.len() == plies as usize || end.status().is_over());
        let margin = if found.line.len().is_multiple_of(2) { end.margin() } else { -end.margin() };
        assert_eq!(margin, found.margin, "the line must lead to the margin found");
        assert_eq!(game.minimax(plies, &mut Budget::unlimited()).unwrap(), found.line.first().copied());
    }
}

#[test]
fn errors_name_arguments_that_are_out_of_bounds() {
    let game = LinearDomination::empty(3, 2, Rules::Standard).unwrap();
    let why = |error: Error| error.to_string();
    let budget = &mut Budget::unlimited();
    assert_eq!(why(game.minimax(1001, budget).unwrap_err()), "depth must be between 0 and 1000, got 1001");
    assert_eq!(why(game.solve(1001, budget).unwrap_err()), "plies must be between 0 and 1000, got 1001");
}

/// The error states that no legal play is left, even if the board is too large for a search of the rest of the game.
#[test]
fn a_game_that_is_over_has_no_difficulty() {
    for text in ["1 1 document\n1 1 1 1\n1 1 1 1\n", "40 1\n3 3 3 3\n", "1 0 standard\n"] {
        let game = LinearDomination::parse(text).unwrap();
        let error = game.difficulty(&mut Budget::unlimited()).unwrap_err();
        assert_eq!(error.to_string(), "difficulty needs a legal play, and none is left", "{text}");
    }
}

#[test]
fn the_greedy_player_takes_the_first_play_with_the_greatest_gain() {
    let mut rng = Rng::new(SEED);
    for round in 0..12 {
        let size = [3, 8, 9, 14][round % 4];
        for (_, rules) in Rules::ALL {
            let game =
                LinearDomination::generate(size, 6, rng.index(30), rules, round as u64, &mut Budget::unlimited())
                    .unwrap();
            let mut best = None;
            for mv in game::legal_moves(&game, usize::MAX).unwrap() {
                let mut next = game.clone();
                next.draw(mv);
                let gain = -next.margin() - game.margin();
                assert_eq!(gain, game.gain(mv));
                if best.is_none_or(|(most, _)| gain > most) {
                    best = Some((gain, mv));
                }
            }
            let found = game.greedy(&mut Budget::unlimited()).unwrap();
            assert_eq!(found, best.map(|(_, mv)| mv), "{rules:?} round {round}\n{}", game.text());
        }
    }
}

#[test]
fn the_tree_search_is_seeded_limited_and_better_than_chance() {
    let game = LinearDomination::generate(6, 3, 3, Rules::Standard, 4, &mut Budget::unlimited()).unwrap();
    let think = |game: &LinearDomination, seed: u64| game.mcts(200, 4, seed, &mut Budget::unlimited()).unwrap();
    assert_eq!(think(&game, 1), think(&game, 1));
    let mut limited = Budget::new("playouts", Some(50), None);
    assert!(game.mcts(200, 4, 1, &mut limited).is_err());
    let frozen = LinearDomination::parse("5 2\n3 3 3 3\n").unwrap();
    assert_eq!((think(&frozen, 1), frozen.greedy(&mut Budget::unlimited()).unwrap()), (None, None));
    assert_eq!(frozen.minimax(3, &mut Budget::unlimited()).unwrap(), None);
    // On large boards, the candidates come from a random sample of the legal plays.
    let large = LinearDomination::empty(40, 3, Rules::Standard).unwrap();
    assert!(game::is_legal(&large, think(&large, 2).unwrap()));
    let mut wins = 0;
    for seed in 0..20 {
        let mut game = LinearDomination::generate(5, 2, 2, Rules::Standard, seed, &mut Budget::unlimited()).unwrap();
        let mut rng = Rng::new(seed);
        let thinker = seed as usize % 2;
        for left in (1..=6).rev() {
            let mv = if game.to_move() == thinker {
                game.mcts(300, left, seed, &mut Budget::unlimited()).unwrap().unwrap()
            } else {
                game::sample_legal(&game, &mut rng).unwrap()
            };
            game::play(&mut game, mv).unwrap();
        }
        wins += u32::from(game.winner() == Some(thinker));
    }
    assert!(wins >= 15, "{wins} of 20");
}
