//! Compares the reasons of Bloxorz with plain searches that ban some moves, on packaged levels and on random levels
//! with all elements.

use std::collections::{HashMap, HashSet};

use gridwright::bloxorz::{Block, Bloxorz, Coverage, Landmark, Minimize, Reason, Rule, SWITCH_KEY, SwitchKind, Tile};
use gridwright::core::{Budget, Cell, Dir, Error, Game, Rng, Status, game};
use gridwright::levels;

use crate::bloxorz::random_level;

type Key = (Cell, Cell, u32);

fn key_of(game: &Bloxorz) -> Key {
    (game.block().first(), game.block().second(), game.bridges())
}

/// Returns all positions that can be reached by keys that are not banned and cause no fall. Uses only the rules of the
/// game.
fn reached(start: &Bloxorz, banned: &dyn Fn(&Bloxorz, i32, &Bloxorz) -> bool) -> Vec<Bloxorz> {
    let mut seen = HashSet::from([key_of(start)]);
    let mut found = vec![start.clone()];
    let mut at = 0;
    while at < found.len() {
        let here = found[at].clone();
        at += 1;
        for [key] in game::legal_moves(&here, 5).unwrap() {
            let mut next = here.clone();
            if !next.apply([key]).fell && !banned(&here, key, &next) && seen.insert(key_of(&next)) {
                found.push(next);
            }
        }
    }
    found
}

fn solvable(start: &Bloxorz, banned: &dyn Fn(&Bloxorz, i32, &Bloxorz) -> bool) -> bool {
    reached(start, banned).iter().any(|game| game.status() == Status::Won)
}

fn rolls_left(game: &Bloxorz) -> Option<usize> {
    let keys = game.solve(Minimize::Rolls, &mut Budget::unlimited()).unwrap()?;
    Some(keys.iter().filter(|&&key| i32::from(key) != SWITCH_KEY).count())
}

/// Returns the cells on which the block, or the cube in control, lands after a key.
fn landing(before: &Bloxorz, key: i32) -> Vec<Cell> {
    let dir = match key {
        0 => Dir::W,
        1 => Dir::N,
        2 => Dir::E,
        3 => Dir::S,
        _ => return Vec::new(),
    };
    let rolled = before.block().rolled(dir);
    if before.block().is_split() { vec![rolled.first()] } else { rolled.cells().collect() }
}

fn uses(before: &Bloxorz, key: i32, letter: u8) -> bool {
    let cells = landing(before, key);
    let stands = cells.len() == 1 && !before.block().is_split();
    cells.iter().any(|&cell| {
        before.level().tile(cell) == Tile::Switch(letter)
            && (stands || before.level().switch_at(cell).unwrap().kind == SwitchKind::Soft)
    })
}

fn same_position(game: &Bloxorz, block: Block, bridges: u32) -> bool {
    game.bridges() == bridges && (game.block() == block || game.block() == block.switched())
}

/// Returns the fewest rolls after which a shortest solution uses any of the switches that every solution uses; `None`
/// if there is no such switch.
fn rolls_to_a_switch(start: &Bloxorz) -> Option<usize> {
    let needed: Vec<u8> =
        (0..26u8).filter(|&letter| !solvable(start, &|before, key, _| uses(before, key, letter))).collect();
    let mut left: HashMap<Key, Option<usize>> = HashMap::new();
    let mut layer = vec![start.clone()];
    for rolls in 0..rolls_left(start).unwrap() {
        let mut next_layer = Vec::new();
        let mut at = 0;
        while at < layer.len() {
            let here = layer[at].clone();
            at += 1;
            let expected = *left.entry(key_of(&here)).or_insert_with(|| rolls_left(&here));
            for [key] in game::legal_moves(&here, 5).unwrap() {
                let mut next = here.clone();
                if next.apply([key]).fell {
                    continue;
                }
                if key == SWITCH_KEY {
                    if !layer.iter().any(|game| key_of(game) == key_of(&next)) {
                        layer.push(next);
                    }
                    continue;
                }
                if left.entry(key_of(&next)).or_insert_with(|| rolls_left(&next)).map(|rolls| rolls + 1) != expected {
                    continue;
                }
                if needed.iter().any(|&letter| uses(&here, key, letter)) {
                    return Some(rolls + 1);
                }
                if !next_layer.iter().any(|game| key_of(game) == key_of(&next)) {
                    next_layer.push(next);
                }
            }
        }
        layer = next_layer;
    }
    None
}

/// Checks what a reason claims, and returns the position after its keys.
fn check(start: &Bloxorz, reason: &Reason) -> Bloxorz {
    let mut game = start.clone();
    let mut path = vec![start.clone()];
    for &key in &reason.keys {
        let fell = game.apply([i32::from(key)]).fell;
        assert_eq!(fell, reason.landmark.is_none() && path.len() == reason.keys.len());
        path.push(game.clone());
    }
    let Some(landmark) = reason.landmark else {
        assert_eq!(reason.rule, Rule::DeadEnd);
        assert!(!solvable(start, &|_, _, _| false));
        let level = Bloxorz::start(start.level().clone());
        assert_eq!(reason.keys.is_empty(), !solvable(&level, &|_, _, _| false));
        return game;
    };
    let rolled = reason.keys.iter().filter(|&&key| i32::from(key) != SWITCH_KEY).count();
    if reason.rule == Rule::Straight {
        assert!(reason.keys.iter().all(|&key| key == reason.keys[0]));
        assert_eq!((game.status(), landmark), (Status::Won, Landmark::Target));
        return game;
    }
    // The keys are the beginning of a shortest solution.
    assert_eq!(rolls_left(start).unwrap(), rolls_left(&game).unwrap() + rolled);
    match landmark {
        Landmark::Target => assert_eq!(game.status(), Status::Won),
        Landmark::Position(block, bridges) => {
            assert!(same_position(&game, block, bridges));
            assert!(!same_position(start, block, bridges));
            assert!(!solvable(start, &|_, _, next| same_position(next, block, bridges)));
        }
        Landmark::Switch(letter, cell) => {
            assert!(uses(&path[path.len() - 2], i32::from(*reason.keys.last().unwrap()), letter));
            assert_eq!(start.level().tile(cell), Tile::Switch(letter));
            assert!(!solvable(start, &|before, key, _| uses(before, key, letter)));
            for bridge in (0..26u8).filter(|bridge| reason.opens >> bridge & 1 == 1) {
                let crosses =
                    |game: &Bloxorz| game.block().cells().any(|cell| game.level().tile(cell) == Tile::Bridge(bridge));
                let off = |game: &Bloxorz| game.bridges() >> bridge & 1 == 0;
                assert!(!solvable(start, &|_, _, next| crosses(next)));
                assert!(
                    reached(start, &|before, key, _| uses(before, key, letter)).iter().all(|g| off(g) && !crosses(g))
                );
                let turned_on = |game: &Bloxorz| {
                    game::legal_moves(game, 5).unwrap().into_iter().any(|[key]| {
                        let mut next = game.clone();
                        uses(game, key, letter) && !next.apply([key]).fell && off(game) && !off(&next)
                    })
                };
                assert!(reached(start, &|_, _, _| false).iter().any(turned_on));
            }
        }
    }
    // The landmark is the first one on the path: every earlier position, except the start, can be avoided.
    for passed in &path[1..path.len() - 1] {
        let (block, bridges) = (passed.block(), passed.bridges());
        let avoidable =
            same_position(start, block, bridges) || solvable(start, &|_, _, next| same_position(next, block, bridges));
        assert!(avoidable, "an earlier landmark at {block}");
    }
    // No shortest solution uses a switch sooner. If a switch and a position tie, the landmark is the switch.
    match rolls_to_a_switch(start) {
        Some(rolls) if matches!(landmark, Landmark::Switch(..)) => assert_eq!(rolls, rolled),
        Some(rolls) => assert!(rolls > rolled),
        None => assert!(!matches!(landmark, Landmark::Switch(..))),
    }
    // The dead ends are exactly the rolls that branch off the path, cause no fall and leave no solution.
    let mut dead_ends = Vec::new();
    for before in &path[..path.len() - 1] {
        for key in 0..4u8 {
            let mut after = before.clone();
            if !after.apply([i32::from(key)]).fell && !solvable(&after, &|_, _, _| false) {
                dead_ends.push((before.clone(), key));
            }
        }
    }
    let rule = match (rolled <= gridwright::bloxorz::HORIZON, dead_ends.is_empty()) {
        (true, true) => Rule::Landmark,
        (true, false) => Rule::DeadEnd,
        (false, _) => Rule::Search,
    };
    assert_eq!(reason.rule, rule);
    // A roll is not named if it is no dead end when the path comes to the same block with other bridges on.
    let always = |(before, key): &(Bloxorz, u8)| {
        let visits = path[..path.len() - 1].iter().filter(|game| game.block() == before.block());
        visits.map(|game| (game.clone(), *key)).all(|visit| dead_ends.contains(&visit))
    };
    let named: Vec<_> = dead_ends.iter().filter(|end| always(end)).map(|(game, key)| (game.block(), *key)).collect();
    assert_eq!(reason.dead_ends.iter().map(|end| (end.block, end.key)).collect::<Vec<_>>(), named);
    game
}

/// Checks what [`Bloxorz::coverage`] returns for every cell.
fn check_cells(start: &Bloxorz) {
    for (cell, _) in start.level().tiles().iter() {
        let found = start.coverage(cell, &mut Budget::unlimited()).unwrap();
        let lands = |before: &Bloxorz, key: i32, next: &Bloxorz| {
            next.block().cells().chain(landing(before, key)).any(|part| part == cell)
        };
        let Some(found) = found else {
            assert!(!solvable(start, &|_, _, _| false));
            continue;
        };
        let here = start.block().cells().any(|part| part == cell);
        assert_eq!(found == Coverage::Now, here);
        if here {
            continue;
        }
        let avoidable = solvable(start, &lands);
        let possible = reached(start, &|_, _, _| false).iter().any(|before| {
            game::legal_moves(before, 5).unwrap().into_iter().any(|[key]| {
                let mut next = before.clone();
                !next.apply([key]).fell && lands(before, key, &next) && solvable(&next, &|_, _, _| false)
            })
        });
        match found {
            Coverage::Always(keys) => {
                assert!(!avoidable);
                let mut game = start.clone();
                for (i, &key) in keys.iter().enumerate() {
                    let before = game.clone();
                    assert!(!game.apply([i32::from(key)]).fell);
                    assert_eq!(lands(&before, i32::from(key), &game), i + 1 == keys.len());
                }
            }
            Coverage::Sometimes => assert!(avoidable && possible),
            Coverage::Never => assert!(avoidable && !possible),
            Coverage::Now => unreachable!(),
        }
    }
}

#[test]
fn reasons_hold_in_all_solutions_of_random_levels() {
    const SEED: u64 = 11;
    let mut rng = Rng::new(SEED);
    let (mut rules, mut switches, mut opened, mut dead) = ([0; 4], 0, 0, 0);
    for round in 0..500 {
        let Some(mut start) = random_level(&mut rng) else { continue };
        if rng.chance(0.3) {
            let positions = reached(&start, &|_, _, _| false);
            start = rng.choose(&positions).clone();
        }
        let outcome = std::panic::catch_unwind(|| {
            let reason = start.explain(&mut Budget::unlimited()).unwrap();
            assert_eq!(reason.is_none(), start.status() == Status::Won);
            if let Some(reason) = &reason {
                check(&start, reason);
            }
            if round % 5 == 0 {
                check_cells(&start);
            }
            reason
        });
        let Some(reason) = outcome.unwrap_or_else(|_| panic!("round {round}, seed {SEED}\n{}", start.text())) else {
            continue;
        };
        rules[reason.rule as usize] += 1;
        switches += u32::from(matches!(reason.landmark, Some(Landmark::Switch(..))));
        opened += u32::from(reason.opens != 0);
        dead += u32::from(reason.landmark.is_none());
    }
    // `Rule::Search` is too rare on boards of this size to be required; some packaged levels need it.
    let all = rules[..3].iter().all(|&count| count > 0);
    assert!(all && switches > 5 && opened > 0 && dead > 20, "{rules:?} {switches} {opened} {dead}");
}

/// Following one reason after another solves every packaged level, with the rules that [`Bloxorz::rules`] counts.
#[test]
fn reasons_solve_every_packaged_level() {
    let mut searched = 0;
    for name in levels::names("bloxorz") {
        let mut game = Bloxorz::parse(levels::text("bloxorz", name).unwrap()).unwrap();
        let counts = game.rules(&mut Budget::unlimited()).unwrap();
        let mut used = [0; 4];
        let small = reached(&game, &|_, _, _| false).len() < 130;
        while let Some(reason) = game.explain(&mut Budget::unlimited()).unwrap() {
            used[reason.rule as usize] += 1;
            if small {
                check(&game, &reason);
                searched += u32::from(reason.rule == Rule::Search);
            }
            for key in reason.keys {
                assert!(!game.apply([i32::from(key)]).fell, "{name}");
            }
        }
        assert_eq!((game.status(), used), (Status::Won, counts), "{name}");
    }
    assert!(searched > 0);
}

#[test]
fn rolls_dead_states_and_landmarks_agree_with_a_plain_search() {
    for name in levels::names("bloxorz").into_iter().take(20) {
        let game = Bloxorz::parse(levels::text("bloxorz", name).unwrap()).unwrap();
        let found = game.difficulty(&mut Budget::unlimited()).unwrap();
        assert_eq!(Some(found.rolls as usize), rolls_left(&game), "{name}");
        let states = reached(&game, &|_, _, _| false);
        let dead = states.iter().filter(|game| rolls_left(game).is_none()).count();
        assert_eq!(found.dead as usize, dead, "{name}");
        let landmark = |state: &&Bloxorz| {
            let (block, bridges) = (state.block(), state.bridges());
            // A split position is counted once, whichever cube is in control.
            (!block.is_split() || block.first() < block.second())
                && !same_position(&game, block, bridges)
                && state.status() != Status::Won
                && !solvable(&game, &|_, _, next| same_position(next, block, bridges))
        };
        if states.len() < 200 {
            assert_eq!(found.landmarks as usize, states.iter().filter(landmark).count(), "{name}");
        }
        assert!(found.branching >= 1.0 && found.detour >= 1.0, "{name}");
        let bounds = gridwright::bloxorz::EFFORTS;
        assert_eq!(found.grade as usize, 1 + bounds.iter().filter(|&&bound| bound <= found.effort()).count());
    }
    let hopeless = Bloxorz::parse("So\n--\nT-").unwrap();
    assert!(matches!(hopeless.difficulty(&mut Budget::unlimited()), Err(Error::NotFound(_))));
}

/// The shortest solution that comes first in the order of keys uses switch A 13 rolls later than another one.
#[test]
fn the_next_landmark_is_the_first_one_of_all_shortest_solutions() {
    let start = Bloxorz::parse(levels::text("bloxorz", "level22").unwrap()).unwrap();
    let reason = start.explain(&mut Budget::unlimited()).unwrap().unwrap();
    let switch = Landmark::Switch(0, Cell::new(3, 3));
    assert_eq!((reason.rule, reason.landmark), (Rule::Landmark, Some(switch)));
    assert_eq!(reason.keys, [2, 3, 3]);
}

/// The only roll that is a dead end on the path is no dead end when the path comes to its block again, with another
/// bridge on.
#[test]
fn a_roll_that_is_not_always_a_dead_end_is_not_named() {
    let text = ".CaaC\nA.SbT\n.CBaC\n#AS 4 1 1 1\n#BOa\n#CXb\n%b\n@ 2 2\n%=ab\n";
    let start = Bloxorz::parse(text).unwrap();
    let reason = start.explain(&mut Budget::unlimited()).unwrap().unwrap();
    check(&start, &reason);
    assert_eq!((reason.rule, reason.dead_ends), (Rule::DeadEnd, Vec::new()));
}

/// A cube on (5, 5) that keeps rolling left joins the other cube, and the block then rolls onto the splitter, which
/// puts a cube back on (5, 5). The engine must neither take this cycle for a straight path nor loop forever.
#[test]
fn a_cycle_through_a_splitter_is_not_a_straight_path() {
    let text = "--oaoo--\n--oSooo-\n---oAooo\n----o--T\n-o-oo--o\n-Boooo-o\n#AOa\n#BS 5 5 2 5\n%a\n";
    let mut game = Bloxorz::parse(text).unwrap();
    game.rules(&mut Budget::unlimited()).unwrap();
    while let Some(reason) = game.explain(&mut Budget::unlimited()).unwrap() {
        game = check(&game, &reason);
    }
    assert_eq!(game.status(), Status::Won);
}
