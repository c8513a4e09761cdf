//! The laws, which are the tests that every game must pass, and the test cases that Rust and Python share.
//!
//! A line `laws!(module_name, Type);` in `main.rs` runs the laws for a game. If the environment variable
//! `GRIDWRIGHT_GOLDEN` is set (`make golden`), the laws write the perft counts, transcripts and messages to their files
//! instead of comparing them; review the diff afterward.

#![allow(unreachable_pub)] // a test binary has no public interface

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gridwright::core::batch::{Actions, Autoreset, Batch, Buffers, Options, Outcome, Restart, Starts};
use gridwright::core::game::{self, Game, Point, Status};
use gridwright::core::{Budget, Error, History, Rng};
use serde_json::{Value, json};

use crate::levels;

macro_rules! laws {
    ($module:ident, $game:ty) => {
        mod $module {
            use crate::laws;

            #[test]
            fn text_round_trips() {
                laws::text_round_trips::<$game>();
            }
            #[test]
            fn listed_moves_are_the_legal_moves() {
                laws::listed_moves_are_the_legal_moves::<$game>();
            }
            #[test]
            fn undo_returns_to_the_start_and_redo_to_the_end() {
                laws::undo_returns_to_the_start_and_redo_to_the_end::<$game>();
            }
            #[test]
            fn refreshed_boards_and_masks_equal_written_ones() {
                laws::refreshed_boards_and_masks_equal_written_ones::<$game>();
            }
            #[test]
            fn a_batch_equals_single_games() {
                laws::a_batch_equals_single_games::<$game>();
            }
            #[test]
            fn the_work_of_a_batch_does_not_depend_on_threads() {
                laws::the_work_of_a_batch_does_not_depend_on_threads::<$game>();
            }
            #[test]
            fn equal_positions_have_equal_text() {
                laws::equal_positions_have_equal_text::<$game>();
            }
            #[test]
            fn refused_moves_change_nothing() {
                laws::refused_moves_change_nothing::<$game>();
            }
            #[test]
            fn perft_counts_are_those_of_the_table() {
                laws::perft_counts_are_those_of_the_table::<$game>();
            }
            #[test]
            fn transcripts_are_replayed_step_by_step() {
                laws::transcripts_are_replayed_step_by_step::<$game>();
            }
            #[test]
            fn broken_texts_are_refused_with_their_messages() {
                laws::broken_texts_are_refused_with_their_messages::<$game>();
            }
            #[test]
            fn mangled_texts_are_sound_or_refused() {
                laws::mangled_texts_are_sound_or_refused::<$game>();
            }
        }
    };
}
pub(crate) use laws;

fn cases(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder)
}

fn golden() -> bool {
    std::env::var_os("GRIDWRIGHT_GOLDEN").is_some()
}

/// The seed of the random choices in this file; most failure messages include the seed.
const SEED: u64 = 20260;

/// The largest number of cells of a level that [`starts`] returns.
const SMALL: usize = 2000;

/// Returns the text of a packaged level or of a fixture, a level in `tests/levels/<game>` that only tests use.
pub fn text(game: &str, name: &str) -> String {
    let fixture = || fs::read_to_string(cases("levels").join(game).join(format!("{name}.txt"))).expect(name);
    levels::text(game, name).map_or_else(fixture, str::to_owned)
}

/// Returns the packaged levels and fixtures of at most [`SMALL`] cells, with their names.
fn starts<G: Game>() -> Vec<(String, G)> {
    let mut names: Vec<String> = levels::names(G::NAME).into_iter().map(str::to_owned).collect();
    assert!(!names.is_empty(), "{} has no packaged level", G::NAME);
    for file in fs::read_dir(cases("levels").join(G::NAME)).into_iter().flatten() {
        names.push(file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    names
        .into_iter()
        .map(|name| {
            let game = G::parse(&text(G::NAME, &name)).expect(&name);
            (name, game)
        })
        .filter(|(_, game)| game.height() * game.width() <= SMALL)
        .collect()
}

/// Plays up to `most` random legal moves from each start. Calls `see` with a label and the history at each position,
/// including the first and the last.
fn wander<G: Game>(most: usize, mut see: impl FnMut(&str, &History<G>)) {
    for (k, (name, start)) in starts::<G>().into_iter().enumerate() {
        let mut rng = Rng::stream(SEED, k as u64);
        let mut history = History::new(start);
        let what = format!("{} {name}, seed {SEED}, stream {k}", G::NAME);
        see(&what, &history);
        for _ in 0..most {
            let Some(mv) = game::sample_legal(history.state(), &mut rng) else { break };
            history.play(mv).unwrap();
            see(&what, &history);
        }
    }
}

fn board<G: Game>(game: &G) -> Vec<u8> {
    let mut board = vec![0xff; game.height() * game.width()];
    game.write_board(&mut board);
    board
}

fn mask<G: Game>(game: &G) -> Option<Vec<bool>> {
    let size = game::volume(game.bounds()).filter(|&size| size <= 1 << 22)?;
    let mut mask = vec![true; size];
    game::write_mask(game, &mut mask);
    Some(mask)
}

pub fn text_round_trips<G: Game>() {
    wander::<G>(40, |what, history| {
        let text = history.state().text();
        let again = G::parse(&text).unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
        assert!(again == *history.state(), "{what}: the text describes another position\n{text}\n{}", again.text());
        assert_eq!(again.text(), text, "{what}");
        assert_eq!(board(&again), board(history.state()), "{what}\n{text}");
        assert_eq!(again.status(), history.state().status(), "{what}\n{text}");
    });
}

pub fn listed_moves_are_the_legal_moves<G: Game>() {
    wander::<G>(12, |what, history| {
        let game = history.state();
        let listed = game::legal_moves(game, usize::MAX).unwrap();
        assert!(listed.is_sorted(), "{what}: not in lexicographic order");
        assert_eq!(game::count_legal(game), listed.len() as u64, "{what}");
        if game.status().is_over() {
            assert!(listed.is_empty(), "{what}: legal moves after the end of the game");
        }
        if listed.len() > 1 {
            assert_eq!(game::legal_moves(game, 1), None, "{what}");
        }
        let Some(mask) = mask(game) else { return };
        let bounds = game.bounds();
        let found: Vec<G::Move> =
            (0..mask.len()).map(|i| game::unravel(bounds, i)).filter(|&mv| game::is_legal(game, mv)).collect();
        assert_eq!(listed, found, "{what}\n{}", game.text());
        let masked: Vec<G::Move> = (0..mask.len()).filter(|&i| mask[i]).map(|i| game::unravel(bounds, i)).collect();
        assert_eq!(listed, masked, "{what}: mask");
        let stopped = game::each_legal(game, |_| ControlFlow::Break(()));
        assert_eq!(stopped.is_break(), !listed.is_empty(), "{what}");
    });
}

pub fn undo_returns_to_the_start_and_redo_to_the_end<G: Game>() {
    for (k, (name, start)) in starts::<G>().into_iter().enumerate() {
        let mut rng = Rng::stream(SEED, k as u64);
        let mut history = History::new(start.clone());
        let mut boards = vec![board(&start)];
        for _ in 0..60 {
            let Some(mv) = game::sample_legal(history.state(), &mut rng) else { break };
            history.play(mv).unwrap();
            boards.push(board(history.state()));
        }
        let (end, moves) = (history.state().clone(), history.moves().collect::<Vec<_>>());
        assert!(history.clone().into_start().as_ref() == Ok(&start), "{name}: start");
        for expected in boards.iter().rev().skip(1) {
            assert!(history.undo().is_some());
            assert_eq!(
                board(history.state()),
                *expected,
                "{name}, seed {SEED}: undo to move {}",
                history.moves().len()
            );
        }
        assert_eq!(history.undo(), None);
        assert!(*history.state() == start, "{name}, seed {SEED}: undone\n{}", history.state().text());
        assert_eq!(history.state().text(), start.text());
        while history.redo().is_some() {}
        assert!(*history.state() == end, "{name}, seed {SEED}: redone");
        history.reset();
        assert!(*history.state() == start);
        assert_eq!(history.undone().collect::<Vec<_>>(), moves);
        let half = moves.len() / 2;
        let replayed = History::<G>::replay(start, moves.iter().copied(), half).unwrap();
        assert_eq!(replayed.moves().len(), moves.len() - half);
        assert_eq!(board(replayed.state()), boards[moves.len() - half], "{name}, seed {SEED}: replay");
    }
}

/// Checks that a board and a mask that are refreshed after every move equal those that are written from scratch.
pub fn refreshed_boards_and_masks_equal_written_ones<G: Game>() {
    for (k, (name, start)) in starts::<G>().into_iter().enumerate() {
        let mut rng = Rng::stream(SEED, k as u64);
        let mut game = start;
        let mut kept = (board(&game), mask(&game));
        for _ in 0..60 {
            let Some(mv) = game::sample_legal(&game, &mut rng) else { break };
            let change = game.apply(mv);
            game.refresh_board(mv, &change, &mut kept.0);
            assert_eq!(kept.0, board(&game), "{name}, seed {SEED}: board after {mv:?}");
            if let (Some(kept), false) = (kept.1.as_mut(), game.status().is_over()) {
                game.refresh_mask(mv, &change, kept);
                assert_eq!(Some(&*kept), mask(&game).as_ref(), "{name}, seed {SEED}: mask after {mv:?}");
            }
        }
    }
}

/// Compares a batch of copies of each start, stepped on one to three threads, with single games.
pub fn a_batch_equals_single_games<G: Game>() {
    let worth = |outcome: Outcome| f64::from(u8::from(outcome.status == Status::Won));
    for (name, start) in starts::<G>() {
        let n = 5;
        if game::sample_legal(&start, &mut Rng::new(SEED)).is_none() {
            let made = Batch::new(Starts::Fixed([start].into()), n, 1, Options::default(), &mut Budget::unlimited());
            assert!(made.unwrap_err().reason().starts_with("starts[0] must be open"), "{name}");
            continue;
        }
        let cells = start.height() * start.width();
        for (threads, autoreset) in
            [(1, Autoreset::NextStep), (3, Autoreset::NextStep), (2, Autoreset::SameStep), (1, Autoreset::Disabled)]
        {
            let options = Options { threads, autoreset, max_steps: Some(9) };
            let batch = Batch::new(Starts::Fixed([start.clone()].into()), n, 1, options, &mut Budget::unlimited());
            let mut batch = batch.unwrap();
            let moves = if batch.volume() <= 1 << 18 { batch.volume() } else { 0 };
            let (mut boards, mut masks) = (vec![0; n * cells], vec![false; n * moves]);
            let (mut reward, mut terminated, mut truncated) = (vec![0.0; n], vec![false; n], vec![false; n]);
            let (mut illegal, mut last, mut last_mask) = (vec![false; n], vec![0; n * cells], vec![false; n * moves]);
            batch.write(&mut boards, &mut masks);
            let mut singles = vec![(start.clone(), 0, start.status().is_over()); n];
            let mut actions = vec![0i64; n * G::Move::RANK];
            for count in [actions.len() - 1, actions.len() + 1] {
                let none = Buffers::default();
                let error = batch.step(Actions::Points(&vec![0; count]), none, worth).unwrap_err();
                let expected = format!("actions must hold {} numbers, got {count}", actions.len());
                assert_eq!(error, Error::Move(expected), "{name}");
            }
            for turn in 0..25 {
                batch.sample_legal(SEED + turn, &mut actions, &mut Budget::unlimited()).unwrap();
                let out = Buffers {
                    board: &mut boards,
                    mask: &mut masks,
                    value: &mut reward,
                    terminated: &mut terminated,
                    truncated: &mut truncated,
                    illegal: &mut illegal,
                    final_board: &mut last,
                    final_mask: &mut last_mask,
                    ..Buffers::default()
                };
                let flat = turn % 2 == 1 && moves > 0;
                if flat {
                    let index = |numbers| game::ravel(batch.bounds(), game::lookup(&start, numbers).unwrap()) as i64;
                    let indices: Vec<i64> = actions.chunks_exact(G::Move::RANK).map(index).collect();
                    batch.step(Actions::Flat(&indices), out, worth).unwrap();
                } else if turn % 4 == 0 {
                    let budget = &mut Budget::unlimited();
                    let spent = batch.step_within(Actions::Points(&actions), out, worth, Some(budget)).unwrap();
                    assert!(spent.is_some(), "{name}: a call with a budget must return its duration");
                } else {
                    assert!(batch.step_within(Actions::Points(&actions), out, worth, None).unwrap().is_none());
                }
                for (i, (single, steps, over)) in singles.iter_mut().enumerate() {
                    let what = format!("{name}, game {i}, turn {turn}, {threads} threads, {autoreset:?}, seed {SEED}");
                    if *over {
                        assert!(!terminated[i] && !truncated[i], "{what}");
                        if autoreset != Autoreset::Disabled {
                            (*single, *steps, *over) = (start.clone(), 0, start.status().is_over());
                        }
                    } else {
                        let numbers = &actions[i * G::Move::RANK..(i + 1) * G::Move::RANK];
                        let mv = game::lookup(single, numbers).unwrap();
                        assert_eq!(game::play(single, mv).is_err(), illegal[i], "{what}");
                        *steps += 1;
                        assert_eq!(terminated[i], single.status().is_over(), "{what}");
                        assert_eq!(truncated[i], !terminated[i] && *steps == 9, "{what}");
                        assert_eq!(reward[i] > 0.0, single.status() == Status::Won, "{what}");
                        *over = terminated[i] || truncated[i];
                        if *over && autoreset == Autoreset::SameStep {
                            assert_eq!(last[i * cells..(i + 1) * cells], board(single), "{what}: last board");
                            if moves > 0 {
                                let found = &last_mask[i * moves..(i + 1) * moves];
                                assert_eq!(found, mask(single).unwrap(), "{what}: last mask");
                            }
                            (*single, *steps, *over) = (start.clone(), 0, start.status().is_over());
                        }
                    }
                    assert_eq!(boards[i * cells..(i + 1) * cells], board(single), "{what}: board");
                    if moves > 0 {
                        assert_eq!(masks[i * moves..(i + 1) * moves], mask(single).unwrap(), "{what}: mask");
                    }
                }
            }
            let snapshot = batch.snapshot().unwrap();
            batch.reset(None);
            batch.restore(&snapshot).unwrap();
            assert!(batch.games().zip(&singles).all(|(game, (single, ..))| game == single), "{name}: restored");
            assert!(batch.games().len() == n && !batch.is_empty());
        }
    }
}

/// Compares what the budgets of a batch count on one thread and on several, and checks that a limit that is one unit
/// too small always ends the call.
pub fn the_work_of_a_batch_does_not_depend_on_threads<G: Game>() {
    const CALLS: [&str; 5] = ["new", "write_within", "sample_legal", "step_within", "restart_into"];
    let open = |(_, start): &(String, G)| game::sample_legal(start, &mut Rng::new(SEED)).is_some();
    let Some((_, start)) = starts::<G>().into_iter().find(open) else { return };
    let n = 400;
    let made = |threads, budget: &mut Budget<'_>| {
        Batch::new(Starts::Fixed([start.clone()].into()), n, 1, Options { threads, ..Options::default() }, budget)
    };
    let run = |call, threads, limit| {
        let mut budget = Budget::new("units", limit, None);
        let mut batch = made(threads, &mut Budget::unlimited()).unwrap();
        let (mut boards, mut reward, mut actions) =
            (vec![0; n * batch.cells()], vec![0.0; n], vec![0; n * G::Move::RANK]);
        let [mut terminated, mut truncated, mut illegal] = [(); 3].map(|()| vec![false; n]);
        batch.write(&mut boards, &mut []);
        batch.sample_legal(SEED, &mut actions, &mut Budget::unlimited()).unwrap();
        let out = Buffers {
            board: &mut boards,
            value: &mut reward,
            terminated: &mut terminated,
            truncated: &mut truncated,
            illegal: &mut illegal,
            ..Buffers::default()
        };
        let ended = match call {
            "new" => made(threads, &mut budget).map(drop),
            "write_within" => batch.write_within(&mut boards, &mut [], &mut [], &mut budget),
            "sample_legal" => batch.sample_legal(SEED, &mut actions, &mut budget),
            "step_within" => batch.step_within(Actions::Points(&actions), out, |_| 0.0, Some(&mut budget)).map(drop),
            _ => batch.restart_into(|_| Restart::Next, out, Some(&mut budget)).map(drop),
        };
        (ended, budget.spent())
    };
    for call in CALLS {
        let (ended, work) = run(call, 1, None);
        assert_eq!(ended, Ok(()), "{call}");
        for threads in [2, 3, 100] {
            assert_eq!(run(call, threads, Some(work)), (Ok(()), work), "{call}, {threads} threads");
            let (ended, _) = run(call, threads, Some(work - 1));
            assert_eq!(ended, Err(Error::spent(work - 1, "units")), "{call}, {threads} threads");
        }
    }
}

pub fn equal_positions_have_equal_text<G: Game>() {
    let mut seen: HashMap<String, G> = HashMap::new();
    let mut all: Vec<G> = Vec::new();
    wander::<G>(15, |what, history| {
        let game = history.state().clone();
        if let Some(same) = seen.insert(game.text(), game.clone()) {
            assert!(same == game, "{what}: different positions have the same text\n{}", game.text());
        }
        all.push(game);
    });
    for (i, one) in all.iter().enumerate() {
        for other in all[..i].iter().rev().take(40) {
            assert_eq!(one == other, one.text() == other.text(), "{}\n{}", one.text(), other.text());
        }
    }
}

pub fn refused_moves_change_nothing<G: Game>() {
    wander::<G>(3, |what, history| {
        let rank = G::Move::RANK;
        for numbers in [vec![], vec![0; rank + 1], vec![-1; rank], vec![i64::MAX; rank], vec![i64::MIN; rank]] {
            let error = game::lookup(history.state(), &numbers).unwrap_err().to_string();
            assert!(error.contains("must") || error.contains("no moves"), "{what}: {error}");
        }
        let mut rng = Rng::new(SEED);
        let bounds = history.state().bounds();
        if bounds.coords().contains(&0) {
            return;
        }
        for _ in 0..50 {
            let mut mv = G::Move::ZERO;
            for (part, &bound) in mv.coords_mut().iter_mut().zip(bounds.coords()) {
                *part = rng.below(bound as u64) as i32;
            }
            if !game::is_legal(history.state(), mv) {
                let mut copy = history.clone();
                let error = copy.play(mv).unwrap_err().to_string();
                assert!(error.starts_with("illegal move (") && error.len() > 25, "{what}: {error}");
                assert!(copy.state() == history.state() && copy.moves().len() == history.moves().len(), "{what}");
            }
        }
    });
}

pub fn perft_counts_are_those_of_the_table<G: Game>() {
    let path = cases("perft").join(format!("{}.txt", G::NAME));
    let table = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut written = String::new();
    let mut rows = 0;
    for row in table.lines() {
        let [level, depth, count] = row.split_whitespace().collect::<Vec<_>>()[..] else {
            let _ = writeln!(written, "{row}");
            continue;
        };
        let game = G::parse(&text(G::NAME, level)).unwrap();
        let found = game::perft(&game, depth.parse().unwrap(), &mut Budget::unlimited()).unwrap();
        let _ = writeln!(written, "{level} {depth} {found}");
        rows += 1;
        if !golden() {
            assert_eq!(found.to_string(), count, "perft({depth}) of {} {level}", G::NAME);
        }
    }
    assert!(rows >= 4, "{}: expected at least four rows `level depth count`", path.display());
    if golden() {
        fs::write(path, written).unwrap();
    }
}

fn observe<G: Game>(mv: G::Move, game: &G) -> Value {
    let mut hex = String::new();
    for code in board(game) {
        let _ = write!(hex, "{code:02x}");
    }
    json!({
        "move": mv.coords(),
        "status": game.status() as i8,
        "board": hex,
        "legal": game::count_legal(game),
        "text": game.text(),
    })
}

pub fn transcripts_are_replayed_step_by_step<G: Game>() {
    let folder = cases("transcripts").join(G::NAME);
    let mut count = 0;
    for path in files(&folder, "json") {
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let start = case["start"].as_str().unwrap();
        let mut game = G::parse(start).unwrap();
        let mut steps = Vec::new();
        for step in case["steps"].as_array().unwrap() {
            let numbers: Vec<i64> = step["move"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
            let mv = game::lookup(&game, &numbers).unwrap();
            game::play(&mut game, mv).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            steps.push(observe(mv, &game));
            if !golden() {
                assert_eq!(steps.last(), Some(step), "{}: step {}", path.display(), steps.len());
            }
        }
        if golden() {
            let text = serde_json::to_string_pretty(&json!({ "start": start, "steps": steps })).unwrap();
            fs::write(&path, text + "\n").unwrap();
        }
        count += 1;
    }
    assert!(count > 0, "{} has no transcript in {}", G::NAME, folder.display());
}

pub fn broken_texts_are_refused_with_their_messages<G: Game>() {
    let folder = cases("broken").join(G::NAME);
    let mut count = 0;
    for path in files(&folder, "txt") {
        let text = fs::read_to_string(&path).unwrap();
        let Err(error) = G::parse(&text) else { panic!("{} was accepted", path.display()) };
        let expected = path.with_extension("error");
        if golden() {
            fs::write(expected, format!("{error}\n")).unwrap();
        } else {
            assert_eq!(fs::read_to_string(expected).unwrap().trim_end(), error.to_string(), "{}", path.display());
        }
        count += 1;
    }
    assert!(count >= 4, "{}: expected at least 4 broken texts in {}, got {count}", G::NAME, folder.display());
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == end));
    paths.sort();
    paths
}

/// Parses level texts with random damage. The parser must either accept a text as a sound position, or return an error
/// that has a line and a column.
pub fn mangled_texts_are_sound_or_refused<G: Game>() {
    let starts = starts::<G>();
    let mut rng = Rng::new(SEED);
    let alphabet: Vec<char> = starts.iter().flat_map(|(_, game)| game.text().chars().collect::<Vec<_>>()).collect();
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..1500 {
        let (name, start) = rng.choose(&starts);
        let mut text: Vec<char> = start.text().chars().collect();
        for _ in 0..=rng.index(4) {
            let at = rng.index(text.len() + 1);
            let strange = *rng.choose(&['\0', '\t', '\r', '\n', ' ', 'é', '\u{1F986}', '-', '9', '0', '%', '#', '@']);
            let letter = if rng.chance(0.7) { *rng.choose(&alphabet) } else { strange };
            match rng.index(4) {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = letter,
                2 => text.truncate(at.max(text.len() / 2)),
                _ => text.insert(at, letter),
            }
        }
        let text: String = text.into_iter().collect();
        match G::parse(&text) {
            Err(error) => {
                refused += 1;
                let lines = text.lines().count().max(1);
                let Error::Level { line, column, reason } = &error else { panic!("{error:?} for the text\n{text}") };
                assert!(
                    (1..=lines + 1).contains(line) && *column > 0 && !reason.is_empty(),
                    "{name}, round {round}, seed {SEED}: {error:?}\n{text}"
                );
            }
            Ok(mut game) => {
                accepted += 1;
                let again =
                    G::parse(&game.text()).unwrap_or_else(|error| panic!("{error}\n{text}\n->\n{}", game.text()));
                assert!(again == game, "{name}, round {round}, seed {SEED}\n{text}");
                for _ in 0..6 {
                    let Some(mv) = game::sample_legal(&game, &mut rng) else { break };
                    game.apply(mv);
                    board(&game);
                }
            }
        }
    }
    assert!(refused > 0, "all {accepted} damaged texts were accepted");
}

#[test]
fn statuses_have_the_numbers_that_python_uses() {
    let numbers: Vec<(&str, i8)> = Status::ALL.iter().map(|&(name, status)| (name, status as i8)).collect();
    assert_eq!(numbers, [("OPEN", 0), ("WON", 1), ("LOST", -1), ("DRAWN", 2)]);
}
