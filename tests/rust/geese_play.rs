//! Players, proofs, explanations and measures against plain searches.
#![allow(clippy::float_cmp)] // what is certain has a chance of exactly 0 or 1

use std::collections::{HashMap, HashSet, VecDeque};

use gridwright::core::{Budget, Cell, Error, Game, Rng, Status, game};
use gridwright::geese::{Deal, GeeseSpotter, Player, Policy, Verdict, View, play_many};
use gridwright::levels;

fn level(name: &str) -> GeeseSpotter {
    GeeseSpotter::parse(levels::text("geese", name).unwrap()).unwrap()
}

fn hidden(view: &View) -> usize {
    view.fields().iter().map(|&field| usize::from(field == View::UNKNOWN)).sum()
}

/// The fewest shows by breadth-first search over positions of the game.
fn fewest_shows(start: &GeeseSpotter) -> Option<usize> {
    let mut seen = HashSet::from([start.secret().to_vec()]);
    let mut queue = VecDeque::from([(start.clone(), 0)]);
    while let Some((here, shows)) = queue.pop_front() {
        if here.status() == Status::Won {
            return Some(shows);
        }
        for mv in game::legal_moves(&here, 999).unwrap() {
            let mut next = here.clone();
            if mv[0] == 0 {
                next.apply(mv);
                if next.status() != Status::Lost && seen.insert(next.secret().to_vec()) {
                    queue.push_back((next, shows + 1));
                }
            }
        }
    }
    None
}

#[test]
fn the_fewest_shows_are_those_of_a_plain_search() {
    let seed = 20263;
    let mut rng = Rng::new(seed);
    for round in 0..150 {
        let (h, w) = *rng.choose(&[(1, 7), (2, 4), (3, 3), (3, 4), (2, 6), (4, 3), (5, 2)]);
        let geese = rng.index(4.min(h * w));
        let game = Deal::new(h, w, geese, None).unwrap().game(rng.bits());
        let found = game.min_shows(&mut Budget::unlimited()).unwrap();
        assert_eq!(Some(found), fewest_shows(&game), "seed {seed}, round {round}\n{}", game.text());
        let flood = game.with_flood(true);
        assert_eq!(flood.three_bv(), flood.min_shows(&mut Budget::unlimited()).unwrap());
        assert_eq!(Some(flood.three_bv()), fewest_shows(&flood), "seed {seed}, round {round}\n{}", flood.text());
        assert!(flood.three_bv() <= found);
    }
    // A king's board without geese is covered by blocks of three by three.
    for (h, w) in [(3, 3), (4, 4), (6, 9), (9, 9), (16, 30), (20, 60)] {
        let empty = Deal::new(h, w, 0, None).unwrap().game(0);
        let blocks = h.div_ceil(3) * w.div_ceil(3);
        assert_eq!(empty.min_shows(&mut Budget::unlimited()), Ok(blocks), "{h} x {w}");
        assert_eq!((empty.three_bv(), empty.openings()), (1, 1));
    }
    let full = level("only_geese");
    assert_eq!((full.min_shows(&mut Budget::unlimited()), full.three_bv(), full.openings()), (Ok(0), 0, 0));
}

#[test]
fn the_fewest_shows_of_usual_boards_are_soon_found() {
    for (h, w, geese) in [(9, 9, 10), (16, 16, 40), (16, 30, 99), (9, 9, 5), (16, 30, 60)] {
        for seed in 0..20 {
            let game = Deal::new(h, w, geese, None).unwrap().game(seed);
            let shows = game.min_shows(&mut Budget::new("nodes", Some(300_000), None));
            assert!(
                shows.as_ref().is_ok_and(|&shows| shows >= game.three_bv()),
                "{h} x {w}, {geese}, {seed}: {shows:?}"
            );
        }
    }
}

/// Wins in how many of all boards, by the best play there is: a plain search over what a player may know.
fn best_play(view: &View, memo: &mut HashMap<Vec<u8>, u64>) -> u64 {
    let (h, w) = (view.height(), view.width());
    let boards = boards_like(view);
    if let Some(&known) = memo.get(view.fields()) {
        return known;
    }
    let mut best = 0;
    let hidden: Vec<usize> = (0..h * w).filter(|&at| view.fields()[at] == View::UNKNOWN).collect();
    if hidden.len() == view.geese() {
        return boards.len() as u64;
    }
    for &at in &hidden {
        let mut wins = 0;
        let values: HashSet<u8> =
            boards.iter().filter(|&&board| board >> at & 1 == 0).map(|&board| value(board, h, w, at)).collect();
        for value in values {
            let mut next = view.clone();
            next.reveal(at, value);
            wins += best_play(&next, memo);
        }
        best = best.max(wins);
    }
    memo.insert(view.fields().to_vec(), best);
    best
}

fn value(board: u32, h: usize, w: usize, at: usize) -> u8 {
    let (r, c) = ((at / w) as i32, (at % w) as i32);
    let near = |o: &usize| ((o / w) as i32 - r).abs() <= 1 && ((o % w) as i32 - c).abs() <= 1;
    (0..h * w).filter(near).filter(|&o| board >> o & 1 == 1).count() as u8
}

fn boards_like(view: &View) -> Vec<u32> {
    let (h, w) = (view.height(), view.width());
    let fits = |&board: &u32| {
        board.count_ones() as usize == view.geese()
            && (0..h * w).all(|at| {
                let seen = view.fields()[at];
                seen == View::UNKNOWN || (board >> at & 1 == 0 && value(board, h, w, at) == seen)
            })
    };
    (0..1 << (h * w)).filter(fits).collect()
}

/// Plays a board by the player's advice, each show checked to be a hidden field.
fn play(player: &mut Player, board: u32, view: &View, first: Option<usize>) -> bool {
    let mut view = view.clone();
    let (h, w) = (view.height(), view.width());
    player.look(&view);
    let mut first = first;
    loop {
        if hidden(&view) == view.geese() {
            return true;
        }
        let at = first.take().unwrap_or_else(|| player.advise(&mut Budget::unlimited()).unwrap().unwrap().index);
        assert_eq!(view.fields()[at], View::UNKNOWN);
        if board >> at & 1 == 1 {
            return false;
        }
        let value = value(board, h, w, at);
        view.reveal(at, value);
        player.saw(at, value);
    }
}

/// Where few boards are possible the looking-ahead player wins as many of them as any play can.
#[test]
fn the_end_is_played_perfectly() {
    let seed = 20264;
    let mut rng = Rng::new(seed);
    let mut players = Policy::ALL.map(|(_, policy)| Player::new(policy));
    let mut sums = [0; 4];
    for round in 0..60 {
        let (h, w) = *rng.choose(&[(3, 3), (2, 5), (2, 4), (1, 9)]);
        let geese = 2 + rng.index(3);
        // A first show is needed: on a blank board the player opens in a corner by rule.
        let first = rng.index(h * w);
        let board = *rng.choose(&boards_like(&View::blank(h, w, geese)));
        if board >> first & 1 == 1 {
            continue;
        }
        let mut view = View::blank(h, w, geese);
        view.reveal(first, value(board, h, w, first));
        let boards = boards_like(&view);
        let best = best_play(&view, &mut HashMap::new());
        sums[3] += best;
        for (i, player) in players.iter_mut().enumerate() {
            let wins = boards.iter().filter(|&&board| play(player, board, &view, None)).count() as u64;
            assert!(wins <= best);
            sums[i] += wins;
            if i == 2 && boards.len() <= 300 {
                assert_eq!(wins, best, "seed {seed}, round {round}: of {} boards\n{view:?}", boards.len());
            }
        }
    }
    assert!(sums[0] <= sums[2] && sums[1] <= sums[2], "{sums:?}");
}

#[test]
fn players_win_their_share() {
    let deal = Deal::with_first(9, 9, 10, Cell::new(0, 0)).unwrap();
    let won = play_many(&deal, Cell::new(0, 0), Policy::Lookahead, 400, 1, 0, 1);
    assert_eq!(won, play_many(&deal, Cell::new(0, 0), Policy::Lookahead, 400, 1, 0, 3), "threads must not show");
    let share = won.iter().filter(|&&won| won).count();
    // Beginner boards from a corner that is free are won about 9 times in 10.
    assert!((330..=390).contains(&share), "{share} of 400");
}

/// Proofs by logic against a plain one: a field is certain when all boards that look so agree on it.
#[test]
fn no_guess_is_what_a_plain_proof_says() {
    let seed = 20265;
    let mut rng = Rng::new(seed);
    let mut counts = [0; 2];
    for round in 0..200 {
        let (h, w) = *rng.choose(&[(3, 4), (2, 6), (3, 3), (1, 9), (4, 3)]);
        let geese = 1 + rng.index(4);
        let cell = Cell::new(rng.index(h) as i32, rng.index(w) as i32);
        let game = Deal::with_first(h, w, geese, cell).unwrap().game(rng.bits());
        let mut view = View::blank(h, w, geese);
        let mut certain = vec![cell.row as usize * w + cell.col as usize];
        while let Some(at) = certain.pop() {
            view.reveal(at, game.secret()[at] & 15);
            let boards = boards_like(&view);
            let free =
                |at: &usize| view.fields()[*at] == View::UNKNOWN && boards.iter().all(|board| board >> at & 1 == 0);
            certain = (0..h * w).filter(free).collect();
        }
        let plain = hidden(&view) == geese;
        let found = game.needs_no_guess(cell, &mut Budget::unlimited()).unwrap();
        assert_eq!(found, plain, "seed {seed}, round {round}, from {cell}\n{}", game.text());
        counts[usize::from(found)] += 1;
    }
    assert!(counts[0] > 20 && counts[1] > 20, "{counts:?}");
}

#[test]
fn no_guess_boards_need_none() {
    for (h, w, geese, safe) in
        [(9, 9, 10, Some(Cell::new(4, 4))), (16, 16, 40, Some(Cell::new(0, 15))), (8, 8, 9, None)]
    {
        for seed in 0..5 {
            let deal = Deal::new(h, w, geese, safe).unwrap();
            let made = deal.no_guess(seed, 10_000, &mut Budget::unlimited()).unwrap();
            let first = safe.unwrap_or(Cell::new(0, 0));
            assert!(made.needs_no_guess(first, &mut Budget::unlimited()).unwrap());
            assert!(made == deal.no_guess(seed, 10_000, &mut Budget::unlimited()).unwrap());
            assert_eq!((made.geese(), made.height(), made.width()), (geese, h, w));
        }
    }
    let hopeless = Deal::new(5, 5, 16, Some(Cell::new(0, 0))).unwrap();
    let stop = hopeless.no_guess(1, 20, &mut Budget::unlimited()).unwrap_err();
    assert_eq!(stop, Error::spent(20, "boards that all need a guess"));
    assert!(matches!(hopeless.no_guess(1, 999, &mut Budget::new("steps", Some(3), None)), Err(Error::Limit(_))));
}

/// What is said to prove a field proves it alone, and without any one of its numbers it does not.
#[test]
fn explanations_prove_and_are_no_longer_than_needed() {
    let seed = 20266;
    let mut rng = Rng::new(seed);
    let mut verdicts: HashMap<&str, u32> = HashMap::new();
    for round in 0..300 {
        let (h, w) = *rng.choose(&[(3, 4), (2, 6), (3, 3), (4, 3)]);
        let geese = 1 + rng.index(4);
        let mut game = Deal::new(h, w, geese, None).unwrap().game(rng.bits());
        for _ in 0..=rng.index(5) {
            let mv = [0, rng.index(h) as i32, rng.index(w) as i32];
            if game::is_legal(&game, mv) && game.secret()[mv[1] as usize * w + mv[2] as usize] & 15 != 9 {
                game.apply(mv);
            }
        }
        let view = game.view();
        let at = rng.index(h * w);
        let chances = view.chances(&mut Budget::unlimited()).unwrap();
        let explanation = view.explain(at, &mut Budget::unlimited()).unwrap();
        let what = format!("seed {seed}, round {round}: {at} of {view:?}: {explanation:?}");
        let name = Verdict::ALL.iter().find(|(_, verdict)| *verdict == explanation.verdict).unwrap().0;
        *verdicts.entry(name).or_default() += 1;
        assert_eq!(explanation.chance, chances.geese[at], "{what}");
        assert_eq!(explanation.verdict == Verdict::Revealed, view.fields()[at] != View::UNKNOWN, "{what}");
        for witness in &explanation.reasons {
            assert_eq!(view.fields()[witness.number], witness.value, "{what}");
            assert!(witness.hidden.iter().all(|&field| view.fields()[field] == View::UNKNOWN), "{what}");
        }
        let goose = explanation.verdict == Verdict::Goose;
        if explanation.verdict != Verdict::Safe && !goose {
            continue;
        }
        // Whether all sets of geese that satisfy some numbers, and the total where it is used, agree on the field.
        let proves = |skipped: Option<usize>, total: bool| {
            let fits =
                |&board: &u32| {
                    (!total || board.count_ones() as usize == geese)
                        && (0..h * w).all(|o| view.fields()[o] == View::UNKNOWN || board >> o & 1 == 0)
                        && explanation.reasons.iter().enumerate().all(|(i, witness)| {
                            Some(i) == skipped || value(board, h, w, witness.number) == witness.value
                        })
                };
            (0..1u32 << (h * w)).filter(fits).all(|board| (board >> at & 1 == 1) == goose)
        };
        assert!(proves(None, explanation.total), "{what}");
        assert!(!explanation.total || !proves(None, false) || explanation.reasons.is_empty(), "{what}");
        for i in 0..explanation.reasons.len() {
            assert!(!proves(Some(i), explanation.total), "{what}: without reason {i}");
        }
    }
    assert!(verdicts.len() == 5 && verdicts.values().all(|&count| count > 5), "{verdicts:?}");
}

#[test]
fn policies_have_names() {
    assert_eq!(Policy::named("progress"), Ok(Policy::Progress));
    assert_eq!(
        Policy::named("Best").unwrap_err().reason(),
        "policy must be 'safest', 'progress' or 'lookahead', got 'Best'"
    );
}
