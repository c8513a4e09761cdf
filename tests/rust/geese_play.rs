//! Compares players, reasons, grades and measures with plain searches.
#![allow(clippy::float_cmp)] // if a field is certain, its chance is exactly 0 or 1

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use gridwright::core::{Budget, Cell, Error, Game, Rng, Status, game};
use gridwright::geese::{Deal, GeeseSpotter, Player, Policy, Reasoner, Rule, Verdict, View, deal_many, play_many};

fn level(name: &str) -> GeeseSpotter {
    GeeseSpotter::parse(&crate::laws::text("geese", name)).unwrap()
}

fn hidden(view: &View) -> usize {
    view.fields().iter().map(|&field| usize::from(field == View::UNKNOWN)).sum()
}

/// Returns, by breadth-first search, the smallest number of shows that wins, or `None` if no shows win.
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

/// Shows about a third of the hidden fields without a goose, each by itself, and returns the new position.
fn partly_open(game: &GeeseSpotter, rng: &mut Rng) -> GeeseSpotter {
    let text = game.text();
    let (size, rows) = text.split_once('\n').unwrap();
    let mut open = |field: &str| {
        let code = u8::from_str_radix(field, 16).unwrap();
        let shown = code & 15 != 9 && rng.index(3) == 0;
        format!("{:02x} ", if shown { code & 15 } else { code })
    };
    let rows: Vec<String> = rows.lines().map(|row| row.split(' ').map(&mut open).collect()).collect();
    GeeseSpotter::parse(&format!("{size}\n{}", rows.join("\n"))).unwrap()
}

#[test]
fn min_shows_agrees_with_a_plain_search() {
    let seed = 20263;
    let mut rng = Rng::new(seed);
    for round in 0..150 {
        let (h, w) = *rng.choose(&[(1, 7), (2, 4), (3, 3), (3, 4), (2, 6), (4, 3), (5, 2)]);
        let geese = rng.index(4.min(h * w));
        let game = Deal::new(h, w, geese, None).unwrap().game(rng.bits());
        let found = game.min_shows(&mut Budget::unlimited()).unwrap();
        assert_eq!(Some(found), fewest_shows(&game), "seed {seed}, round {round}\n{}", game.text());
        let flood = game.clone().with_flood(true);
        assert_eq!(flood.three_bv(), flood.min_shows(&mut Budget::unlimited()).unwrap());
        assert_eq!(Some(flood.three_bv()), fewest_shows(&flood), "seed {seed}, round {round}\n{}", flood.text());
        assert!(flood.three_bv() <= found);
        // Some fields are open already, single ones in the middle of a region too.
        for start in [game, flood] {
            let open = partly_open(&start, &mut rng);
            let left = open.min_shows_left(&mut Budget::unlimited()).unwrap();
            assert_eq!(Some(left), fewest_shows(&open), "seed {seed}, round {round}\n{}", open.text());
            assert_eq!(start.min_shows_left(&mut Budget::unlimited()), start.min_shows(&mut Budget::unlimited()));
            assert_eq!(open.min_shows(&mut Budget::unlimited()), start.min_shows(&mut Budget::unlimited()));
        }
    }
    // On a board without geese, each show reveals a block of at most 3 x 3 fields.
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
fn min_shows_of_standard_boards_is_found_quickly() {
    for (h, w, geese) in [(9, 9, 10), (16, 16, 40), (16, 30, 99), (9, 9, 5), (16, 30, 60)] {
        for seed in 0..20 {
            let game = Deal::new(h, w, geese, None).unwrap().game(seed);
            let shows = game.min_shows(&mut Budget::new("nodes", Some(300_000), None));
            assert!(
                shows.as_ref().is_ok_and(|&shows| shows >= game.three_bv()),
                "{h} x {w}, {geese} geese, seed {seed}: {shows:?}"
            );
        }
    }
}

#[test]
fn min_shows_of_a_large_board_fits_a_small_stack() {
    // The first cover that the search finds has hundreds of sets, and a recursive search would nest one call per set.
    let find = || {
        let game = Deal::new(80, 80, 80, None).unwrap().game(1);
        (game.min_shows(&mut Budget::new("nodes", Some(60_000), None)), game.three_bv())
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(find).unwrap();
    let (shows, least) = thread.join().unwrap();
    assert!(shows.as_ref().is_ok_and(|&shows| shows >= least) || matches!(shows, Err(Error::Limit(_))), "{shows:?}");
}

/// Returns the number of boards on which perfect play wins, by a plain search over the views that a player can reach.
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

/// Plays a board as a player advises and returns whether the game is won. Checks that every show reveals a hidden
/// field.
fn play(player: &mut Player, board: u32, view: &View) -> bool {
    let mut view = view.clone();
    let (h, w) = (view.height(), view.width());
    player.start(&view);
    loop {
        if hidden(&view) == view.geese() {
            return true;
        }
        let at = player.advise(&mut Budget::unlimited()).unwrap().unwrap().index;
        assert_eq!(view.fields()[at], View::UNKNOWN);
        if board >> at & 1 == 1 {
            return false;
        }
        let value = value(board, h, w, at);
        view.reveal(at, value);
        player.observe(at, value);
    }
}

/// If at most 300 boards are possible, the players that look ahead win as many of them as perfect play does.
#[test]
fn endgames_are_played_perfectly() {
    let seed = 20264;
    let mut rng = Rng::new(seed);
    let mut players = Policy::ALL.map(|(_, policy)| Player::new(policy));
    let mut sums = [0; 5];
    for round in 0..60 {
        let (h, w) = *rng.choose(&[(3, 3), (2, 5), (2, 4), (1, 9)]);
        let geese = 2 + rng.index(3);
        // The first show is made here, so that the players start with one number revealed.
        let first = rng.index(h * w);
        let board = *rng.choose(&boards_like(&View::blank(h, w, geese)));
        if board >> first & 1 == 1 {
            continue;
        }
        let mut view = View::blank(h, w, geese);
        view.reveal(first, value(board, h, w, first));
        let boards = boards_like(&view);
        let best = best_play(&view, &mut HashMap::new());
        sums[4] += best;
        for (i, player) in players.iter_mut().enumerate() {
            let wins = boards.iter().filter(|&&board| play(player, board, &view)).count() as u64;
            assert!(wins <= best);
            sums[i] += wins;
            if i >= 2 && boards.len() <= 300 {
                assert_eq!(wins, best, "seed {seed}, round {round}: {} possible boards\n{view:?}", boards.len());
            }
        }
    }
    assert!(sums[0] <= sums[2] && sums[1] <= sums[2], "{sums:?}");
}

/// If 200 to 240 boards are possible, the deep player wins as many of them as perfect play does.
#[test]
fn long_endgames_are_played_perfectly() {
    let mut player = Player::new(Policy::Deep);
    for (h, w, geese, first, value) in [(3, 4, 5, 0, 1), (2, 6, 5, 2, 2), (1, 13, 4, 6, 1)] {
        let mut view = View::blank(h, w, geese);
        view.reveal(first, value);
        let boards = boards_like(&view);
        let wins = boards.iter().filter(|&&board| play(&mut player, board, &view)).count() as u64;
        assert_eq!(wins, best_play(&view, &mut HashMap::new()), "{} possible boards\n{view:?}", boards.len());
    }
}

/// Each of 42 blocks `*1*1*` has one goose in the middle or two geese, one at each end. The number of geese implies
/// that exactly one block has a goose in the middle, so only 42 of the 2^42 placements that agree with the numbers are
/// possible. The player soon stops listing placements and looks ahead instead.
#[test]
fn a_player_stops_listing_too_many_placements() {
    let blocks = 42;
    let fields = [View::UNKNOWN, 1, View::UNKNOWN, 1, View::UNKNOWN].repeat(blocks);
    let view = View::new(1, fields.len(), 2 * blocks - 1, &fields).unwrap();
    for policy in [Policy::Lookahead, Policy::Deep] {
        let mut player = Player::new(policy);
        player.start(&view);
        let advice = player.advise(&mut Budget::unlimited()).unwrap().unwrap();
        assert!((advice.chance - 1.0 / 42.0).abs() < 1e-12, "{advice:?}");
    }
}

#[test]
fn players_win_the_known_share_of_beginner_boards() {
    let deal = Deal::with_first(9, 9, 10, Cell::new(0, 0)).unwrap();
    let played = |threads| {
        let budget = &mut Budget::unlimited();
        play_many(&deal, Cell::new(0, 0), Policy::Lookahead, 400, 1, 0, threads, budget).unwrap()
    };
    let won = played(1);
    assert_eq!(won, played(3), "the number of threads must not matter");
    let share = won.iter().filter(|&&won| won).count();
    // About 9 in 10 beginner boards are won if the first show is a corner without a goose.
    assert!((330..=390).contains(&share), "{share} of 400");
}

/// In the plain proof, a field is certainly safe if it holds a goose on none of the boards that agree with the view.
#[test]
fn needs_no_guess_agrees_with_a_plain_proof() {
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
fn boards_made_by_no_guess_need_no_guess() {
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
    assert_eq!(stop, Error::spent(20, "boards without one that is proved to need no guess"));
    assert!(matches!(hopeless.no_guess(1, 999, &mut Budget::new("steps", Some(3), None)), Err(Error::Limit(_))));
}

#[test]
fn a_limit_that_ends_the_last_board_is_reported_as_such() {
    let deal = Deal::new(8, 8, 10, None).unwrap();
    for limit in [1, 5] {
        let budget = || Budget::new("steps", Some(limit), None);
        assert_eq!(deal.no_guess(3, 1, &mut budget()).unwrap_err(), Error::spent(limit, "steps"));
        assert_eq!(deal.graded(5, false, 3, 1, &mut budget()).unwrap_err(), Error::spent(limit, "steps"));
    }
}

#[test]
fn a_player_without_a_game_has_nothing_to_show() {
    for policy in [Policy::Safest, Policy::Progress, Policy::Lookahead, Policy::Deep] {
        let mut player = Player::new(policy);
        assert_eq!(player.certain(&mut Budget::unlimited()), Ok(None));
        assert_eq!(player.advise(&mut Budget::unlimited()), Ok(None));
        player.start(&View::blank(2, 2, 0));
        assert!(player.advise(&mut Budget::unlimited()).unwrap().is_some());
    }
    assert_eq!(Player::default().advise(&mut Budget::unlimited()), Ok(None));
}

/// If a `remaining` step depends on what other steps concluded, one step of exact counting replaces the whole
/// explanation, so that the explanation depends on the view alone.
#[test]
fn an_exact_step_replaces_a_remaining_step_that_depends_on_other_steps() {
    const U: u8 = View::UNKNOWN;
    // The geese of the first view are in columns 1 and 6, and those of the second view in the last two columns.
    for (fields, geese, index) in [(vec![1, U, U, U, U, 1, U, 1, U], 2, 6), (vec![0, U, U, U], 2, 2)] {
        let view = View::new(1, fields.len(), geese, &fields).unwrap();
        let reason = view.explain(index, &mut Budget::unlimited()).unwrap();
        assert_eq!(reason.steps.len(), 1, "{reason:?}");
        assert_eq!(reason.steps[0].rule, Rule::Exact, "{reason:?}");
    }
}

/// Each conclusion of a rule is true on all boards that agree with the view, and follows from what the step names and
/// from earlier conclusions. A guess is reported only if no undecided field is certain.
#[test]
fn rules_are_sound() {
    let seed = 20266;
    let mut rng = Rng::new(seed);
    let mut fired = HashMap::new();
    for round in 0..1200 {
        let view = random_view(&mut rng);
        let (h, w) = (view.height(), view.width());
        let boards = boards_like(&view);
        let mut reasoner = Reasoner::new(view.clone());
        // For each field decided so far: whether the field holds a goose.
        let mut facts: HashMap<usize, bool> = HashMap::new();
        while let Some(step) = reasoner.next(&mut Budget::unlimited()).unwrap() {
            let what = format!("seed {seed}, round {round}: {step:?} of {view:?}");
            *fired.entry(Rule::ALL[step.rule as usize].0).or_insert(0) += 1;
            let concluded: Vec<(usize, bool)> =
                step.safe.iter().map(|&at| (at, false)).chain(step.geese.iter().map(|&at| (at, true))).collect();
            for &(at, goose) in &concluded {
                assert_eq!(view.fields()[at], View::UNKNOWN, "{what}");
                assert!(boards.iter().all(|board| (board >> at & 1 == 1) == goose), "{what}: field {at}");
            }
            if step.rule == Rule::Guess {
                let certain = |at: usize| boards.iter().all(|board| (board ^ boards[0]) >> at & 1 == 0);
                let open = (0..h * w).filter(|at| view.fields()[*at] == View::UNKNOWN && !facts.contains_key(at));
                assert!(open.into_iter().all(|at| !certain(at)), "{what}");
                let advice = step.guess.unwrap();
                let share = boards.iter().filter(|&&board| board >> advice.index & 1 == 1).count() as f64;
                assert!((advice.chance - share / boards.len() as f64).abs() < 1e-12, "{what}");
                break;
            }
            assert!(!concluded.is_empty() && step.guess.is_none(), "{what}");
            assert_eq!(step.numbers.len(), [1, 2, step.numbers.len().min(4), 0][step.rule as usize], "{what}");
            if step.rule < Rule::Exact {
                // The conclusions follow from the numbers of the step, the earlier conclusions and, for `remaining`,
                // the number of geese.
                let allowed = |&board: &u32| {
                    (!step.total || board.count_ones() as usize == view.geese())
                        && facts.iter().all(|(&at, &goose)| (board >> at & 1 == 1) == goose)
                        && (0..h * w).all(|at| match view.fields()[at] {
                            View::UNKNOWN => true,
                            _ => board >> at & 1 == 0,
                        })
                        && step.numbers.iter().all(|&at| value(board, h, w, at) == view.fields()[at])
                };
                for board in (0..1u32 << (h * w)).filter(allowed) {
                    assert!(concluded.iter().all(|&(at, goose)| (board >> at & 1 == 1) == goose), "{what}");
                }
            }
            facts.extend(concluded);
        }
    }
    assert!(fired.len() == 5 && fired.values().all(|&count| count > 10), "{fired:?}");
}

/// Returns a view of a random small board on which some fields without a goose are shown.
fn random_view(rng: &mut Rng) -> View {
    let (h, w) = *rng.choose(&[(3, 4), (2, 6), (3, 3), (4, 3), (2, 5)]);
    let geese = 1 + rng.index(4);
    let mut game = Deal::new(h, w, geese, None).unwrap().game(rng.bits());
    for _ in 0..=rng.index(5) {
        let mv = [0, rng.index(h) as i32, rng.index(w) as i32];
        if game::is_legal(&game, mv) && game.secret()[mv[1] as usize * w + mv[2] as usize] & 15 != 9 {
            game.apply(mv);
        }
    }
    game.view()
}

/// Each step that explains why a field is certain follows from the view and the steps before it. A proof by exact
/// counting needs every number that it names.
#[test]
fn fields_are_explained_by_steps_that_prove_them() {
    let seed = 20267;
    let mut rng = Rng::new(seed);
    let (mut verdicts, mut lengths) = (HashMap::new(), HashMap::new());
    for round in 0..600 {
        let view = random_view(&mut rng);
        let (h, w, geese) = (view.height(), view.width(), view.geese());
        let at = rng.index(h * w);
        let reason = view.explain(at, &mut Budget::unlimited()).unwrap();
        let what = format!("seed {seed}, round {round}: {at} of {view:?}: {reason:?}");
        *verdicts.entry(Verdict::ALL[reason.verdict as usize].0).or_insert(0) += 1;
        assert_eq!(reason.chance, view.chances(&mut Budget::unlimited()).unwrap().geese[at], "{what}");
        assert_eq!(reason.best.is_some(), reason.verdict == Verdict::Open, "{what}");
        let Some(last) = reason.steps.last() else {
            assert!(matches!(reason.verdict, Verdict::Revealed | Verdict::Open), "{what}");
            continue;
        };
        *lengths.entry(reason.steps.len()).or_insert(0) += 1;
        let goose = reason.verdict == Verdict::Goose;
        assert!((if goose { &last.geese } else { &last.safe }).contains(&at), "{what}");
        // Returns whether step `i`, without the number `skipped`, and the conclusions of the earlier steps prove that
        // field `at` holds a goose if `goose` is `true`, or that it holds none if `goose` is `false`.
        let proves = |i: usize, skipped: Option<usize>, at: usize, goose: bool| {
            let step = &reason.steps[i];
            let fits = |&board: &u32| {
                let earlier = |goose: bool| {
                    reason.steps[..i].iter().flat_map(move |step| if goose { &step.geese } else { &step.safe })
                };
                (!step.total || board.count_ones() as usize == geese)
                    && (0..h * w).all(|o| view.fields()[o] == View::UNKNOWN || board >> o & 1 == 0)
                    && earlier(true).all(|&o| board >> o & 1 == 1)
                    && earlier(false).all(|&o| board >> o & 1 == 0)
                    && step.numbers.iter().all(|&o| Some(o) == skipped || value(board, h, w, o) == view.fields()[o])
            };
            (0..1u32 << (h * w)).filter(fits).all(|board| (board >> at & 1 == 1) == goose)
        };
        for (i, step) in reason.steps.iter().enumerate() {
            assert!(step.safe.iter().all(|&o| proves(i, None, o, false)), "{what}: step {i}");
            assert!(step.geese.iter().all(|&o| proves(i, None, o, true)), "{what}: step {i}");
        }
        if last.rule == Rule::Exact {
            assert_eq!(reason.steps.len(), 1, "{what}");
            for &number in &last.numbers {
                assert!(!proves(0, Some(number), at, goose), "{what}: without {number}");
            }
        }
    }
    assert!(verdicts.len() == 4 && verdicts.values().all(|&count| count > 20), "{verdicts:?}");
    assert!(lengths.len() == 3, "{lengths:?}");
}

/// On every board that agrees with the view, the moves of a step and of `solve` are legal when played in order and
/// never show a goose.
#[test]
fn certain_moves_are_legal_whatever_they_reveal() {
    let seed = 20268;
    let mut rng = Rng::new(seed);
    let (mut some, mut none) = (0, 0);
    for round in 0..400 {
        let view = random_view(&mut rng);
        let (h, w) = (view.height(), view.width());
        let flood = rng.chance(0.3);
        let marks: Vec<bool> = view.fields().iter().map(|&f| f == View::UNKNOWN && rng.chance(0.2)).collect();
        let games: Vec<GeeseSpotter> =
            boards_like(&view).into_iter().map(|board| game_of(&view, board, &marks, flood)).collect();
        let moves = games[0].solve(&mut Budget::unlimited()).unwrap();
        let step = games[0].explain_next(&mut Budget::unlimited()).unwrap();
        let what = format!("seed {seed}, round {round}, flood {flood}: {moves:?}\n{view:?}\n{marks:?}");
        let step_moves = step.as_ref().map_or(Vec::new(), |step| games[0].moves_of_step(step));
        for game in &games {
            if game.status() != Status::Open {
                continue;
            }
            assert_eq!(game.solve(&mut Budget::unlimited()).unwrap(), moves, "{what}");
            assert_eq!(game.explain_next(&mut Budget::unlimited()).unwrap(), step, "{what}");
            for list in [moves.as_deref().unwrap_or(&[]), &step_moves] {
                let mut played = game.clone();
                for &mv in list {
                    assert!(game::is_legal(&played, mv), "{what}: {mv:?} of {list:?}");
                    played.apply(mv);
                }
                assert_ne!(played.status(), Status::Lost, "{what}");
            }
            let chances = view.chances(&mut Budget::unlimited()).unwrap().geese;
            let certain = (0..h * w).any(|at| view.fields()[at] == View::UNKNOWN && chances[at] == 0.0);
            assert_eq!(moves.is_some(), certain, "{what}");
            if certain { some += 1 } else { none += 1 }
        }
    }
    assert!(some > 100 && none > 100, "{some}, {none}");
}

/// Returns the game with the given view, geese and marks. `board` is the bitset of the fields with a goose.
fn game_of(view: &View, board: u32, marks: &[bool], flood: bool) -> GeeseSpotter {
    let (h, w) = (view.height(), view.width());
    let mut text = format!("{h} {w} {}{}", view.geese(), if flood { " flood" } else { "" });
    for at in 0..h * w {
        let value = if board >> at & 1 == 1 { 9 } else { value(board, h, w, at) };
        let hidden = if view.fields()[at] == View::UNKNOWN { 0x20 } else { 0 };
        let separator = if at % w == 0 { "\n" } else { " " };
        let _ = write!(text, "{separator}{:02x}", value | hidden | if marks[at] { 0x10 } else { 0 });
    }
    GeeseSpotter::parse(&text).unwrap()
}

/// Repeatedly playing the moves of the easiest step ends at a guess if the grade is 5, and wins otherwise.
#[test]
fn reasons_win_all_games_below_grade_5() {
    let mut grades = [0; 6];
    for seed in 0..120 {
        let deal = Deal::new(8, 8, 10, Some(Cell::new(0, 0))).unwrap();
        let mut game = deal.game(seed);
        game.apply([0, 0, 0]);
        let effort = game.effort(Cell::new(0, 0), &mut Budget::unlimited()).unwrap();
        grades[effort.grade() as usize] += 1;
        let mut hardest = Rule::Count;
        while let Some(step) = game.explain_next(&mut Budget::unlimited()).unwrap() {
            hardest = hardest.max(step.rule);
            let moves = game.moves_of_step(&step);
            assert_eq!(moves.is_empty(), step.rule == Rule::Guess, "seed {seed}: {step:?}");
            if moves.is_empty() {
                break;
            }
            for mv in moves {
                assert!(game::is_legal(&game, mv), "seed {seed}: {mv:?}");
                game.apply(mv);
            }
        }
        assert_eq!(game.status() == Status::Won, effort.grade() < 5, "seed {seed}");
        assert_eq!(hardest == Rule::Guess, effort.of(Rule::Guess) > 0, "seed {seed}");
    }
    assert!(grades[1..].iter().all(|&count| count > 0), "{grades:?}");
}

#[test]
fn boards_generated_for_a_grade_have_that_grade() {
    let deal = Deal::new(9, 9, 10, Some(Cell::new(4, 4))).unwrap();
    for grade in 1..=5 {
        for flood in [false, true] {
            let made = deal.graded(grade, flood, 7, 100_000, &mut Budget::unlimited()).unwrap();
            assert_eq!(made.effort(Cell::new(0, 0), &mut Budget::unlimited()).unwrap().grade(), grade);
            assert_eq!((made.status(), made.flood(), made.secret()[40]), (Status::Open, flood, 0));
            assert!(made == deal.graded(grade, flood, 7, 100_000, &mut Budget::unlimited()).unwrap());
        }
    }
    // A board without geese needs no guess, so its grade is never 5.
    let stop = Deal::new(4, 4, 0, None).unwrap().graded(5, false, 1, 20, &mut Budget::unlimited()).unwrap_err();
    assert_eq!(stop, Error::spent(20, "boards without one of grade 5"));
}

/// No boards are counted if all shows follow from single numbers, but the watcher of the budget can still end the call.
#[test]
fn a_game_in_which_no_boards_are_counted_can_be_interrupted() {
    let mut game = Deal::new(1500, 1500, 0, None).unwrap().game(1);
    game.apply([0, 0, 0]);
    let mut stop = |_| false;
    let played = game.play_on(Policy::Safest, false, &mut Budget::new("states", None, Some(&mut stop)));
    assert_eq!(played, Err(Error::Interrupted));
}

/// A row of 200,000 blocks `*1*1*` has 400,000 clues, from which the easy rules conclude nothing. Comparing all pairs
/// of clues would take minutes.
#[test]
fn clues_of_a_long_row_are_compared_quickly() {
    let blocks = 200_000;
    let fields = [View::UNKNOWN, 1, View::UNKNOWN, 1, View::UNKNOWN].repeat(blocks);
    let view = View::new(1, fields.len(), blocks + 1, &fields).unwrap();
    let stop = Reasoner::new(view).next(&mut Budget::unlimited()).unwrap_err();
    assert!(matches!(stop, Error::Limit(_)), "{stop:?}");
}

#[test]
fn games_that_memory_cannot_hold_are_refused() {
    let deal = Deal::new(4, 4, 3, None).unwrap();
    let budget = &mut Budget::unlimited();
    let refused = play_many(&deal, Cell::new(0, 0), Policy::Safest, usize::MAX, 1, 0, 1, budget).unwrap_err();
    assert!(matches!(refused, Error::Memory(_)), "{refused:?}");
}

#[test]
fn a_watcher_ends_games_on_all_threads() {
    // Each game takes far longer than a watcher waits for its first call.
    let first = Cell::new(500, 500);
    let deal = Deal::new(1000, 1000, 100_000, Some(first)).unwrap();
    for (games, threads) in [(1, 1), (1, 3), (20, 1), (20, 3)] {
        let mut spent = Vec::new();
        let mut watch = |work| {
            spent.push(work);
            false
        };
        let mut budget = Budget::new("games", None, Some(&mut watch));
        let ended = play_many(&deal, first, Policy::Lookahead, games, 1, 0, threads, &mut budget);
        assert_eq!(ended, Err(Error::Interrupted), "{games} games, {threads} threads");
        assert_eq!(spent, [0], "{games} games, {threads} threads");
    }
}

#[test]
fn streams_wrap_around_to_0_after_the_last_one() {
    let deal = Deal::new(5, 5, 5, None).unwrap();
    let first = Cell::new(0, 0);
    let won = |games, from, threads| {
        play_many(&deal, first, Policy::Safest, games, 1, from, threads, &mut Budget::unlimited()).unwrap()
    };
    let expected = [won(2, u64::MAX - 1, 1), won(30, 0, 1)].concat();
    let mut boards = vec![0; 4 * deal.cells()];
    deal_many(&deal, 1, u64::MAX - 1, &mut boards, 1);
    let mut after = vec![0; 2 * deal.cells()];
    deal_many(&deal, 1, 0, &mut after, 1);
    assert_eq!(boards[2 * deal.cells()..], after);
    for threads in [1, 3] {
        assert_eq!(won(32, u64::MAX - 1, threads), expected);
    }
}

#[test]
fn policies_are_found_by_name() {
    assert_eq!(Policy::named("progress"), Ok(Policy::Progress));
    assert_eq!(
        Policy::named("Best").unwrap_err().reason(),
        "policy must be 'safest', 'progress', 'lookahead' or 'deep', got 'Best'"
    );
}
