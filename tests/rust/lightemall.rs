//! Compares the rules of LightEmAll with plain recomputation, the solver with brute force, and the generator with its
//! documentation.

use std::collections::HashSet;

use gridwright::core::game::{self, Game};
use gridwright::core::{Budget, Cell, Error, History, Rng, Status};
use gridwright::graph::random::Method;
use gridwright::graph::search::NONE;
use gridwright::graph::{Lattice, Neighbors, Weights, board, search};
use gridwright::lightemall::explain::NextStep;
use gridwright::lightemall::generate::{NewBoard, generate, generate_graded, generate_many, tree};
use gridwright::lightemall::options::{Layout, Options};
use gridwright::lightemall::reason::Reasoner;
use gridwright::lightemall::step::{Conclusion, Rule, Step};
use gridwright::lightemall::{LightEmAll, POWERED, STATION, TURN, WITH_STATION};

fn made(options: &Options, seed: u64) -> NewBoard {
    generate(options, seed, &mut Budget::unlimited()).unwrap()
}

fn lattices(height: usize, width: usize) -> Vec<Lattice> {
    let kinds = [(false, false), (true, false), (false, true), (true, true)];
    let all = kinds.map(|(hexagonal, wrap)| Lattice { height, width, hexagonal, wrap });
    all.into_iter().filter(|lattice| lattice.check().is_ok()).collect()
}

fn options(lattice: Lattice) -> Options {
    Options { lattice, ..Options::new(1, 1) }
}

/// Returns the edges of the current wiring: the pairs of neighbors that both have a wire to their shared side.
fn wired(game: &LightEmAll) -> Vec<[u32; 2]> {
    let lattice = game.lattice();
    let mut edges = Vec::new();
    for tile in 0..lattice.len() {
        for side in 0..lattice.sides() {
            if let Some(other) = lattice.neighbor(tile, side) {
                let (mine, theirs) = (game.wires()[tile], game.wires()[other]);
                if mine >> side & 1 == 1 && theirs >> lattice.opposite(side) & 1 == 1 && tile < other {
                    edges.push([tile as u32, other as u32]);
                }
            }
        }
    }
    edges
}

/// Returns the depth of the last tile that a breadth-first search from `from` finds, and that tile.
fn farthest(game: &LightEmAll, from: usize) -> (u32, usize) {
    let lattice = game.lattice();
    let mut depth = vec![NONE; lattice.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    depth[from] = 0;
    let mut last = from;
    while let Some(tile) = queue.pop_front() {
        last = tile;
        for side in 0..lattice.sides() {
            let Some(other) = lattice.neighbor(tile, side) else { continue };
            let meets = game.wires()[tile] >> side & game.wires()[other] >> lattice.opposite(side) & 1 == 1;
            if meets && depth[other] == NONE {
                depth[other] = depth[tile] + 1;
                queue.push_back(other);
            }
        }
    }
    (depth[last], last)
}

/// Returns the distances, radius, power and status that follow from the wires and the station, by plain recomputation.
fn plain(game: &LightEmAll) -> (Vec<u32>, Option<u32>, Vec<bool>, Status) {
    let n = game.wires().len();
    let edges = wired(game);
    let near = Neighbors::new(n, &edges, &mut Budget::unlimited()).unwrap();
    let station = game.station().row as usize * game.width() + game.station().col as usize;
    let depth = search::bfs(&near, station, &mut Budget::unlimited()).unwrap().depth;
    let whole = depth.iter().all(|&d| d != NONE);
    let radius = game.initial_radius().map(|initial| {
        let found = search::diameter(n, &edges, &mut Budget::unlimited());
        let Ok(diameter) = found else { return initial };
        if wired(game).len() < n {
            return diameter / 2 + 1;
        }
        // With loops, the game computes the radius from two breadth-first searches, which can miss the diameter. Their
        // result depends on the order in which they visit neighbors, which is clockwise.
        let last = farthest(game, 0).1;
        farthest(game, last).0 / 2 + 1
    });
    let powered: Vec<bool> = depth.iter().map(|&d| d != NONE && radius.is_none_or(|r| d <= r)).collect();
    let won = whole && powered.iter().all(|&p| p);
    (depth, radius, powered, if won { Status::Won } else { Status::Open })
}

fn agrees_with_plain(game: &LightEmAll, what: &str) {
    let (depth, radius, powered, status) = plain(game);
    let whole = depth.iter().all(|&d| d != NONE);
    assert_eq!(game.diameter(), whole.then(|| farthest(game, farthest(game, 0).1).0), "{what}\n{}", game.text());
    assert_eq!(game.distances(), depth, "{what}");
    assert_eq!(game.radius(), radius, "{what}\n{}", game.text());
    assert_eq!(game.status(), status, "{what}\n{}", game.text());
    let mut codes = vec![0; powered.len()];
    game.write_board(&mut codes);
    for (tile, code) in codes.iter().enumerate() {
        assert_eq!(code & POWERED != 0, powered[tile], "{what}, tile {tile}\n{}", game.text());
        assert_eq!(code & 63, game.wires()[tile]);
        let cell = Cell::new((tile / game.width()) as i32, (tile % game.width()) as i32);
        assert_eq!(code & WITH_STATION != 0, cell == game.station());
    }
    let (order, from) = game.spreading();
    assert_eq!(order.len(), depth.iter().filter(|&&d| d != NONE).count());
    assert!(order.windows(2).all(|pair| depth[pair[0] as usize] <= depth[pair[1] as usize]), "{what}");
    for (&tile, &back) in order.iter().zip(&from).skip(1) {
        assert_eq!(depth[back as usize] + 1, depth[tile as usize], "{what}");
    }
}

#[test]
fn status_radius_and_power_equal_recomputed_ones() {
    for seed in 0..160u64 {
        let mut rng = Rng::new(seed);
        let (height, width) = (1 + rng.index(4), 1 + rng.index(4));
        for lattice in lattices(height, width) {
            // Random masks, which allow loops, with so many wires that all tiles are often connected.
            let full = (1u64 << lattice.sides()) - 1;
            let wires = (0..lattice.len()).map(|_| (rng.below(full + 1) | rng.below(full + 1)) as u8).collect();
            let reach = rng.chance(0.5).then(|| rng.below(5) as u32);
            let start = LightEmAll::new(lattice, wires, rng.index(lattice.len()), reach).unwrap();
            let mut history = History::new(start);
            for step in 0..40 {
                agrees_with_plain(history.state(), &format!("seed {seed}, {lattice:?}, step {step}"));
                let Some(mv) = game::sample_legal(history.state(), &mut rng) else { break };
                history.play(mv).unwrap();
            }
            while history.undo().is_some() {
                agrees_with_plain(history.state(), &format!("seed {seed}, {lattice:?}, undo"));
            }
        }
    }
}

#[test]
fn refreshed_boards_and_masks_equal_written_ones() {
    for seed in 0..120u64 {
        let mut rng = Rng::new(seed);
        // Boards of up to 121 tiles. On up to 64 tiles, power may be found by a search from all reached tiles at once.
        let (height, width) = (1 + rng.index(11), 1 + rng.index(11));
        for lattice in lattices(height, width) {
            let full = (1u64 << lattice.sides()) - 1;
            let dense = rng.chance(0.5);
            let mut draw = || rng.below(full + 1) | if dense { rng.below(full + 1) } else { 0 };
            let wires = (0..lattice.len()).map(|_| draw() as u8).collect();
            let reach = rng.chance(0.5).then(|| rng.below(9) as u32);
            let mut game = LightEmAll::new(lattice, wires, rng.index(lattice.len()), reach).unwrap();
            let written = |game: &LightEmAll| {
                let (mut board, mut mask) = (vec![0; lattice.len()], vec![false; 2 * lattice.len()]);
                game.write_board(&mut board);
                game.write_mask(&mut mask);
                (board, mask)
            };
            let (mut board, mut mask) = written(&game);
            for step in 0..150 {
                // Half of the moves are turns near the station, where most changes occur.
                let mut mv = game::sample_legal(&game, &mut rng);
                if rng.chance(0.5) {
                    let near = |at: i32, by: usize, size: usize| (at - 1 + by as i32).clamp(0, size as i32 - 1);
                    let Cell { row, col } = game.station();
                    let turn = [TURN, near(row, rng.index(3), height), near(col, rng.index(3), width)];
                    mv = game::is_legal(&game, turn).then_some(turn);
                }
                let Some(mv) = mv else { break };
                let change = game.apply(mv);
                game.refresh_board(mv, &change, &mut board);
                if !game.status().is_over() {
                    game.refresh_mask(mv, &change, &mut mask);
                    assert_eq!((&board, &mask), (&written(&game).0, &written(&game).1), "{seed}, {lattice:?}, {step}");
                }
            }
        }
    }
}

fn try_turns(lattice: Lattice, wires: &mut Vec<u8>, at: usize, found: &mut HashSet<Vec<u8>>) {
    if at == wires.len() {
        if LightEmAll::new(lattice, wires.clone(), 0, None).unwrap().status() == Status::Won {
            found.insert(wires.clone());
        }
        return;
    }
    let first = wires[at];
    loop {
        try_turns(lattice, wires, at + 1, found);
        wires[at] = lattice.turn(wires[at]);
        if wires[at] == first {
            break;
        }
    }
}

/// Returns all wirings of a board that connect all tiles, by trying every combination of turns.
fn brute(game: &LightEmAll) -> HashSet<Vec<u8>> {
    let lattice = *game.lattice();
    let mut found = HashSet::new();
    let mut wires = game.wires().to_vec();
    try_turns(lattice, &mut wires, 0, &mut found);
    found
}

/// Returns all wirings that connect all tiles of a board. The board must have exactly as many wire ends as a tree, so
/// that every end must meet another one. Tries, tile by tile, the turns that fit the earlier tiles and the border, and
/// tests with a flood fill whether a wiring that fits connects all tiles.
fn brute_by_fit(game: &LightEmAll) -> HashSet<Vec<u8>> {
    fn fits(lattice: &Lattice, wires: &[u8], tile: usize) -> bool {
        (0..lattice.sides()).all(|side| {
            let end = wires[tile] >> side & 1 == 1;
            match lattice.neighbor(tile, side) {
                None => !end,
                Some(other) if other > tile => true,
                Some(other) => end == (wires[other] >> lattice.opposite(side) & 1 == 1),
            }
        })
    }
    fn go(lattice: &Lattice, wires: &mut Vec<u8>, tile: usize, found: &mut HashSet<Vec<u8>>) {
        if tile == wires.len() {
            let mut seen = HashSet::from([0]);
            let mut ahead = vec![0];
            while let Some(tile) = ahead.pop() {
                let near = (0..lattice.sides()).filter(|side| wires[tile] >> side & 1 == 1);
                ahead.extend(near.filter_map(|side| lattice.neighbor(tile, side)).filter(|&other| seen.insert(other)));
            }
            if seen.len() == wires.len() {
                found.insert(wires.clone());
            }
            return;
        }
        for _ in 0..lattice.sides() {
            if fits(lattice, wires, tile) {
                go(lattice, wires, tile + 1, found);
            }
            wires[tile] = lattice.turn(wires[tile]);
        }
    }
    let mut found = HashSet::new();
    go(game.lattice(), &mut game.wires().to_vec(), 0, &mut found);
    found
}

fn count(game: &LightEmAll) -> u64 {
    game.count_solutions(u64::MAX, &mut Budget::unlimited()).unwrap()
}

fn solved_by_its_answer(start: &LightEmAll, what: &str) {
    let answer = start.solve(&mut Budget::unlimited()).unwrap().unwrap_or_else(|| panic!("{what}: no answer"));
    let mut game = start.clone();
    for mv in start.moves_of(&answer).unwrap() {
        assert_eq!(game.status(), Status::Open, "{what}");
        game::play(&mut game, mv).unwrap();
    }
    assert_eq!(game.status(), Status::Won, "{what}\n{}\n{}", start.text(), game.text());
}

#[test]
fn solutions_are_those_of_brute_force() {
    for (seed, (height, width)) in
        [(1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (2, 3), (3, 2), (2, 4), (3, 3)].iter().enumerate()
    {
        for lattice in lattices(*height, *width) {
            if lattice.hexagonal && lattice.len() > 6 {
                continue;
            }
            for round in 0..4 {
                let game = made(&options(lattice), (seed * 10 + round) as u64).game;
                let expected = brute(&game);
                assert!(!expected.is_empty());
                assert_eq!(brute_by_fit(&game), expected, "{lattice:?} {}", game.text());
                assert_eq!(count(&game), expected.len() as u64, "{lattice:?} {}", game.text());
                assert_eq!(game.count_solutions(1, &mut Budget::unlimited()).unwrap(), 1);
                if game.status() == Status::Open {
                    solved_by_its_answer(&game, "brute");
                }
            }
        }
    }
}

/// Uses boards of up to 5 x 5 tiles: with square and hexagonal tiles, with and without joined borders, and with and
/// without a limited radius. On every second board, two tiles are swapped, so that boards without a solution occur too.
#[test]
fn solutions_are_those_of_brute_force_up_to_five_by_five() {
    let (mut none, mut one, mut many) = (0, 0, 0);
    for (height, width) in [(2, 5), (3, 4), (4, 3), (4, 4), (3, 5), (4, 5), (5, 4), (5, 5)] {
        for lattice in lattices(height, width) {
            for seed in 0..6 {
                let limited_radius = seed % 3 == 1;
                let mut game = made(&Options { limited_radius, ..options(lattice) }, seed).game;
                if seed % 2 == 1 {
                    let mut rng = Rng::new(seed);
                    let mut wires = game.wires().to_vec();
                    wires.swap(rng.index(lattice.len()), rng.index(lattice.len()));
                    game = LightEmAll::new(lattice, wires, 0, game.initial_radius()).unwrap();
                }
                let what = format!("seed {seed} {lattice:?}\n{}", game.text());
                let expected = brute_by_fit(&game);
                assert_eq!(count(&game), expected.len() as u64, "{what}");
                assert_eq!(game.count_solutions(2, &mut Budget::unlimited()).unwrap(), expected.len().min(2) as u64);
                let answer = game.solve(&mut Budget::unlimited()).unwrap();
                assert_eq!(answer.is_some(), !expected.is_empty(), "{what}");
                if let Some(answer) = answer {
                    let turn = |(&mask, &turns): (&u8, &u8)| (0..turns).fold(mask, |mask, _| lattice.turn(mask));
                    let turned: Vec<u8> = game.wires().iter().zip(&answer.turns).map(turn).collect();
                    assert!(expected.contains(&turned), "{what}");
                    if game.status() == Status::Open {
                        solved_by_its_answer(&game, &what);
                    }
                }
                match expected.len() {
                    0 => none += 1,
                    1 => one += 1,
                    _ => many += 1,
                }
            }
        }
    }
    assert!(none > 10 && one > 10 && many > 10, "{none} {one} {many}");
}

#[test]
fn random_masks_are_solved_or_proved_to_have_no_solution() {
    let (mut none, mut some, mut spare) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let (height, width) = (1 + rng.index(3), 1 + rng.index(3));
        for lattice in lattices(height, width) {
            if lattice.hexagonal && lattice.len() > 4 || lattice.len() > 6 {
                continue;
            }
            let full = (1 << lattice.sides()) - 1;
            // The number of wire ends is close to that of a tree, so that boards with too few, just enough and spare
            // ends occur.
            let mut wires = vec![0u8; lattice.len()];
            for _ in 0..2 * (lattice.len() - 1) + rng.index(3) {
                wires[rng.index(lattice.len())] |= 1 << rng.index(lattice.sides());
            }
            assert!(wires.iter().all(|&mask| mask <= full));
            let reach = rng.chance(0.4).then(|| rng.below(3) as u32);
            let game = LightEmAll::new(lattice, wires, rng.index(lattice.len()), reach).unwrap();
            let expected = brute(&game);
            assert_eq!(count(&game), expected.len() as u64, "seed {seed} {lattice:?} {}", game.text());
            let ends: u32 = game.wires().iter().map(|mask| mask.count_ones()).sum();
            spare += i32::from(ends as usize > 2 * (lattice.len() - 1));
            let answer = game.solve(&mut Budget::unlimited()).unwrap();
            match answer {
                None if reach.is_none() => assert!(expected.is_empty(), "seed {seed} {}", game.text()),
                None => {
                    none += 1;
                    // With each wiring that connects all tiles, some tile is out of reach, wherever the station is.
                    for (wires, station) in
                        expected.iter().flat_map(|wires| (0..lattice.len()).map(move |at| (wires, at)))
                    {
                        let solved = LightEmAll::new(lattice, wires.clone(), station, reach).unwrap();
                        assert_ne!(solved.status(), Status::Won, "seed {seed} {}", game.text());
                    }
                }
                Some(_) => some += 1,
            }
            if answer.is_some() && game.status() == Status::Open {
                solved_by_its_answer(&game, &format!("seed {seed}"));
            }
        }
    }
    assert!(none > 10 && some > 100 && spare > 50, "{none} {some} {spare}");
}

/// Turns may be counterclockwise. The expected number of turns is the minimum over all solutions found by brute force.
#[test]
fn the_fewest_turns_are_those_of_brute_force() {
    let mut fewer = 0;
    for (height, width) in [(1, 2), (2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5)] {
        for lattice in lattices(height, width) {
            for seed in 0..8 {
                let game = made(&options(lattice), seed).game;
                let cost = |wires: &Vec<u8>| -> u64 {
                    let both = game.wires().iter().zip(wires);
                    both.map(|(&from, &to)| {
                        let mut mask = from;
                        let mut turns = 0;
                        while mask != to {
                            mask = lattice.turn(mask);
                            turns += 1;
                        }
                        // Turning counterclockwise takes the rest of the cycle of turns after which the mask is the
                        // same again. Symmetric masks have shorter cycles.
                        let mut cycle = 1;
                        let mut mask = lattice.turn(from);
                        while mask != from {
                            mask = lattice.turn(mask);
                            cycle += 1;
                        }
                        turns.min(cycle - turns)
                    })
                    .sum()
                };
                let least = brute_by_fit(&game).iter().map(cost).min().unwrap();
                let turns = game.fewest_turns(&mut Budget::unlimited()).unwrap().unwrap();
                let spent: u64 = turns.iter().map(|turn| u64::from(turn.unsigned_abs())).sum();
                assert_eq!(spent, least, "seed {seed} {lattice:?}\n{}", game.text());
                let turned: Vec<u8> = game
                    .wires()
                    .iter()
                    .zip(&turns)
                    .map(|(&mask, &turns)| {
                        let clockwise = turns.rem_euclid(lattice.sides() as i8);
                        (0..clockwise).fold(mask, |mask, _| lattice.turn(mask))
                    })
                    .collect();
                assert_eq!(LightEmAll::new(lattice, turned, 0, None).unwrap().status(), Status::Won);
                let clockwise = game.solve(&mut Budget::unlimited()).unwrap().unwrap();
                fewer += u32::from(spent < clockwise.turns.iter().map(|&turns| u64::from(turns)).sum());
            }
        }
    }
    assert!(fewer > 50, "{fewer}");
    let none = LightEmAll::parse("1 3\n222\nstation 0 0").unwrap();
    assert_eq!(none.fewest_turns(&mut Budget::unlimited()), Ok(None));
    // A board with spare wire ends has an answer too. For a generated board of 30 x 30 tiles, 1,000,000 nodes are
    // enough.
    let spare = LightEmAll::parse("2 2\n7c\n59\nstation 0 0").unwrap();
    assert!(spare.fewest_turns(&mut Budget::unlimited()).unwrap().is_some());
    let large = made(&Options::new(30, 30), 5).game;
    let turns = large.fewest_turns(&mut Budget::new("nodes", Some(1_000_000), None)).unwrap().unwrap();
    assert!(turns.iter().all(|turns| (-1..=2).contains(turns)));
}

#[test]
fn larger_boards_are_solved() {
    for (height, width, seeds) in
        [(4, 4, 40), (5, 5, 40), (10, 10, 20), (30, 30, 8), (1, 60, 3), (60, 2, 3), (120, 120, 2)]
    {
        for lattice in lattices(height, width) {
            for seed in 0..seeds {
                let limited_radius = seed % 2 == 1;
                let start = made(&Options { limited_radius, ..options(lattice) }, seed).game;
                solved_by_its_answer(&start, &format!("{lattice:?}, seed {seed}"));
            }
        }
    }
}

#[test]
fn new_boards_have_the_wiring_station_radius_and_par_of_their_options() {
    for (height, width) in [(1, 1), (1, 2), (2, 2), (3, 5), (8, 8), (20, 13)] {
        for lattice in lattices(height, width) {
            for (name, layout) in Layout::all() {
                for seed in 0..6 {
                    let limited_radius = seed % 2 == 1;
                    let options = Options { layout, limited_radius, ..options(lattice) };
                    let board = made(&options, seed);
                    let n = lattice.len();
                    let ends: u32 = board.solved.iter().map(|mask| mask.count_ones()).sum();
                    assert_eq!(ends as usize, 2 * (n - 1), "{name} {lattice:?}");
                    let solved = LightEmAll::new(lattice, board.solved.clone(), 0, None).unwrap();
                    assert_eq!(solved.status(), Status::Won, "{name} {lattice:?}");
                    assert_eq!(board.game.status() == Status::Won, n == 1, "{name} {lattice:?}, seed {seed}");
                    let initial = board.game.initial_radius();
                    assert_eq!(initial, limited_radius.then(|| solved.diameter().unwrap() / 2 + 1));
                    let middle = Cell::new(height as i32 / 2, width as i32 / 2);
                    let fixed = matches!(layout, Layout::Rows | Layout::Columns);
                    assert_eq!(board.game.station(), if fixed { middle } else { Cell::new(0, 0) });
                    let again = made(&options, seed);
                    assert!(again.game == board.game && again.par == board.par);
                    let plain = made(&Options { scramble: false, ..options }, seed);
                    assert_eq!(plain.game.wires(), board.solved);
                    assert_eq!(plain.par, 0);
                    let edges = tree(&options, &board.solved, seed, &mut Budget::unlimited()).unwrap();
                    assert_eq!(edges.len(), n - 1);
                    let mut mine: Vec<[u32; 2]> = edges.iter().map(|&[u, v]| [u.min(v), u.max(v)]).collect();
                    let mut theirs = wired(&solved);
                    mine.sort_unstable();
                    theirs.sort_unstable();
                    assert_eq!(mine, theirs, "{name} {lattice:?}");
                    // If there is one solution, par is the number of turns of the answer.
                    if !limited_radius && n > 1 && count(&board.game) == 1 {
                        let answer = board.game.solve(&mut Budget::unlimited()).unwrap().unwrap();
                        assert_eq!(answer.turns.iter().map(|&t| u64::from(t)).sum::<u64>(), board.par);
                    }
                }
            }
        }
    }
}

#[test]
fn the_fixed_boards_are_those_of_the_source_document() {
    let wires = |layout, lattice: Lattice| {
        let board = made(&Options { layout, scramble: false, ..options(lattice) }, 1);
        board.game.text().lines().skip(1).take(lattice.height).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(wires(Layout::Rows, Lattice::square(3, 3)), "2e8 2f8 2b8");
    assert_eq!(wires(Layout::Columns, Lattice::square(3, 3)), "444 7fd 111");
    assert_eq!(wires(Layout::Rows, Lattice::square(1, 4)), "2aa8");
    let hex = Lattice { hexagonal: true, ..Lattice::square(3, 2) };
    assert_eq!(wires(Layout::Rows, hex), "0214 0238 0211");
}

#[test]
fn a_winning_tile_for_the_station_always_exists() {
    for seed in 0..60 {
        let lattice = lattices(2 + seed as usize % 5, 2 + seed as usize % 7)[0];
        let options = Options { limited_radius: true, scramble: false, ..options(lattice) };
        let start = made(&options, seed).game;
        let winning: Vec<usize> = (0..lattice.len())
            .filter(|&tile| {
                let game = LightEmAll::new(lattice, start.wires().to_vec(), tile, start.initial_radius()).unwrap();
                let far = game.distances().into_iter().max().unwrap();
                assert_eq!(game.status() == Status::Won, far <= game.radius().unwrap(), "seed {seed}");
                game.status() == Status::Won
            })
            .collect();
        assert!(!winning.is_empty(), "seed {seed}");
        if start.status() == Status::Open {
            let answer = start.solve(&mut Budget::unlimited()).unwrap().unwrap();
            assert!(answer.turns.iter().all(|&turns| turns == 0) && !answer.path.is_empty());
        }
    }
}

/// A path of five tiles has diameter 4, so its radius is 3. The star does not connect the four corners of its board, so
/// the radius is the one in the text.
#[test]
fn the_radius_is_that_of_the_wiring_once_all_tiles_are_connected() {
    let mut game = LightEmAll::parse("1 5 radius=9\n2aa58\nstation 0 0").unwrap();
    assert_eq!((game.radius(), game.status()), (Some(9), Status::Open));
    game::play(&mut game, [TURN, 0, 3]).unwrap();
    assert_eq!((game.radius(), game.status()), (Some(3), Status::Open));
    game::play(&mut game, [STATION, 0, 1]).unwrap();
    assert_eq!(game.status(), Status::Won);
    let star = LightEmAll::parse("3 3 radius=1\n040\n2f8\n010\nstation 1 1").unwrap();
    assert_eq!((star.radius(), star.status()), (Some(1), Status::Open));
}

#[test]
fn a_board_of_one_tile_is_won_at_the_start() {
    for lattice in lattices(1, 1) {
        for limited_radius in [false, true] {
            let board = made(&Options { limited_radius, ..options(lattice) }, 5);
            assert_eq!((board.game.status(), board.game.wires(), board.par), (Status::Won, &[0][..], 0));
            assert_eq!(game::count_legal(&board.game), 0);
        }
    }
}

#[test]
fn the_station_moves_along_links_only() {
    let game = LightEmAll::parse("2 2\n65\n38\nstation 0 0").unwrap();
    let why = |mv| game::play(&mut game.clone(), mv).unwrap_err().to_string();
    assert_eq!(
        why([STATION, 0, 1]),
        "illegal move (1, 0, 1): the station can only move to a connected neighbor, and no wires meet between \
         (0, 0) and (0, 1)"
    );
    assert!(why([STATION, 1, 1]).ends_with("connected neighbor, and (1, 1) is not next to (0, 0)"));
    assert!(why([STATION, 0, 0]).ends_with("(0, 0) is not next to (0, 0)"));
    assert_eq!(game.station_target(2), Ok(Cell::new(1, 0)));
    assert!(game.station_target(1).unwrap_err().reason().contains("no wires meet"));
    assert!(game.station_target(0).unwrap_err().reason().contains("has none on this side"));
}

#[test]
fn the_share_of_unique_kruskal_boards_is_the_known_one() {
    // In an earlier measurement, 90.5% of the 8 x 8 boards and 81.3% of the 10 x 10 boards had one solution.
    for (side, share) in [(8, 0.905), (10, 0.813)] {
        let rounds = 400;
        let unique = (0..rounds)
            .filter(|&seed| {
                let game = made(&Options::new(side, side), seed).game;
                game.count_solutions(2, &mut Budget::unlimited()).unwrap() == 1
            })
            .count();
        let found = unique as f64 / rounds as f64;
        let error = (share * (1.0 - share) / rounds as f64).sqrt();
        assert!((found - share).abs() < 4.0 * error, "{side}: expected {share}, got {found}");
    }
}

#[test]
fn unique_boards_have_one_solution() {
    for (height, width, seeds) in [(2, 2, 5), (3, 3, 10), (5, 8, 10), (12, 12, 6), (40, 40, 2)] {
        for lattice in lattices(height, width) {
            if lattice.wrap && (height < 3 || width < 3) {
                continue;
            }
            for seed in 0..seeds {
                let board = made(&Options { unique: true, ..options(lattice) }, seed);
                let found = board.game.count_solutions(3, &mut Budget::unlimited()).unwrap();
                assert_eq!(found, 1, "{lattice:?}, seed {seed}\n{}", board.game.text());
                let again = made(&Options { unique: true, ..options(lattice) }, seed);
                assert!(again.game == board.game);
            }
        }
    }
}

#[test]
fn generate_many_writes_the_boards_of_consecutive_seeds() {
    for lattice in lattices(6, 7) {
        let options = options(lattice);
        let mut boards = vec![0; 9 * lattice.len()];
        generate_many(&options, 40, &mut boards, &mut Budget::unlimited()).unwrap();
        for (i, codes) in boards.chunks(lattice.len()).enumerate() {
            let mut single = vec![0; lattice.len()];
            made(&options, 40 + i as u64).game.write_board(&mut single);
            assert_eq!(codes, single);
        }
    }
}

#[test]
fn the_budget_of_generate_many_counts_that_of_generate() {
    for (name, layout) in Layout::all() {
        for unique in [false, true] {
            let options = Options { layout, unique, ..Options::new(6, 7) };
            if options.check().is_err() {
                continue;
            }
            let mut one = Budget::unlimited();
            for seed in 40..49 {
                generate(&options, seed, &mut one).unwrap();
            }
            let work = one.spent();
            assert!(work >= 9 * 42, "{name}");
            let many = |limit| {
                let mut budget = Budget::new("steps", Some(limit), None);
                let made = generate_many(&options, 40, &mut vec![0; 9 * 42], &mut budget);
                (made, budget.spent())
            };
            assert_eq!(many(work), (Ok(()), work), "{name}");
            let limit = Err(Error::spent(work - 1, "steps"));
            assert_eq!(many(work - 1).0, limit, "{name}");
        }
    }
}

#[test]
fn a_watcher_ends_generators_early() {
    let ended = |most: u64, call: &dyn Fn(&mut Budget<'_>) -> Result<(), Error>| {
        let mut calls = Vec::new();
        let mut watch = |spent| {
            calls.push(spent);
            false
        };
        assert_eq!(call(&mut Budget::new("steps", None, Some(&mut watch))), Err(Error::Interrupted));
        assert!(calls.len() == 1 && calls[0] <= most, "{calls:?}");
    };
    // The first group of attempts takes long, and none of its work is spent before all of it is done.
    ended(0, &|budget| generate_graded(&Options::new(350, 350), 5, 1, budget).map(drop));
    // The search for a unique board of this shape takes seconds and fails.
    let mut options = Options { unique: true, ..Options::new(2, 2000) };
    options.lattice.wrap = true;
    ended(0, &|budget| generate_many(&options, 1, &mut [0; 4000], budget));
    // A group of boards may be done before the first call is due.
    let cells = 40_000 * 300;
    ended(cells as u64 / 2, &|budget| generate_many(&Options::new(200, 200), 1, &mut vec![0; cells], budget));
    let mut few = Budget::new("steps", Some(1000), None);
    let stopped = generate_many(&options, 1, &mut [0; 4000], &mut few);
    assert_eq!(stopped, Err(Error::spent(1000, "steps")));
}

#[test]
fn a_size_that_overflows_is_refused() {
    for side in [1 << 32, 1 << 33] {
        let lattice = Lattice::square(side, side);
        assert_eq!((lattice.len(), lattice.is_empty()), (usize::MAX, false));
        assert!(matches!(LightEmAll::new(lattice, vec![], 0, None), Err(Error::Invalid(_))));
        assert!(matches!(LightEmAll::new(lattice, vec![0], 0, None), Err(Error::Invalid(_))));
    }
}

#[test]
fn a_large_board_is_replayed_and_reset() {
    let start = made(&Options { limited_radius: true, ..Options::new(400, 400) }, 3).game;
    let answer = start.solve(&mut Budget::unlimited()).unwrap().unwrap();
    let moves = start.moves_of(&answer).unwrap();
    let mut history = History::replay(start.clone(), moves, 0).unwrap();
    assert_eq!(history.state().status(), Status::Won);
    history.reset();
    assert!(*history.state() == start);
}

#[test]
fn bad_options_are_refused() {
    let why = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::new(4, 4);
        change(&mut options);
        match generate(&options, 1, &mut Budget::unlimited()) {
            Err(Error::Invalid(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(why(&|o| o.lattice.height = 0).starts_with("height * width must be between 1 and"));
    assert!(why(&|o| o.lattice.width = 1 << 40).ends_with("got 4 * 1099511627776"));
    assert_eq!(why(&|o| o.bias = 1.0), "bias must be greater than -1 and less than 1, got 1");
    assert!(why(&|o| o.bias = f64::NAN).ends_with("got NaN"));
    assert!(why(&|o| (o.layout, o.unique) = (Layout::Rows, true)).contains("got a fixed board"));
    assert!(
        why(&|o| o.lattice = Lattice { height: 3, width: 3, hexagonal: true, wrap: true })
            .contains("must be even if hexagons wrap")
    );
    let mut small = Budget::new("tiles", Some(10), None);
    assert!(matches!(generate(&Options::new(300, 300), 1, &mut small), Err(Error::Limit(_))));
    assert_eq!(Layout::named("wilson"), Some(Layout::Tree(Method::Wilson)));
    assert_eq!(Layout::named("luck"), None);
}

/// The plain count recomputes every position from scratch.
#[test]
fn perft_agrees_with_plain_counting() {
    fn walk(game: &LightEmAll, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if plain(game).3 == Status::Won {
            return 0;
        }
        let lattice = *game.lattice();
        let station =
            (0..lattice.len()).find(|&t| t as i32 == game.station().row * game.width() as i32 + game.station().col);
        let station = station.unwrap();
        let mut total = 0;
        for tile in 0..lattice.len() {
            let mut wires = game.wires().to_vec();
            wires[tile] = lattice.turn(wires[tile]);
            let next = LightEmAll::new(lattice, wires, station, game.initial_radius()).unwrap();
            total += walk(&next, depth - 1);
        }
        let near: HashSet<usize> = wired(game)
            .into_iter()
            .filter_map(|[u, v]| match (u as usize == station, v as usize == station) {
                (true, _) => Some(v as usize),
                (_, true) => Some(u as usize),
                _ => None,
            })
            .collect();
        for tile in near {
            let next = LightEmAll::new(lattice, game.wires().to_vec(), tile, game.initial_radius()).unwrap();
            total += walk(&next, depth - 1);
        }
        total
    }
    for (level, depth) in [("level01", 3), ("level05", 2), ("level06", 3), ("level09", 2)] {
        let game = LightEmAll::parse(gridwright::levels::text("lightemall", level).unwrap()).unwrap();
        let found = game::perft(&game, depth, &mut Budget::unlimited()).unwrap();
        assert_eq!(found, walk(&game, depth), "{level}");
    }
}

/// Users store seeds, so a change to the board of a seed belongs in the changelog.
#[test]
fn the_board_of_a_seed_is_fixed() {
    assert_eq!(made(&Options::new(4, 6), 2026).game.text(), "4 6\n4c9391\nbcaabc\na4fbc3\n984849\nstation 0 0\n");
    let lattice = Lattice::square(3, 3);
    let mut wires = vec![0; 9];
    let weights = Weights::new(1, 0.0);
    board::kruskal(lattice, &weights, &mut board::Scratch::default(), &mut wires, &mut Budget::unlimited()).unwrap();
    assert_eq!(made(&Options { scramble: false, ..Options::new(3, 3) }, 1).game.wires(), wires);
}

/// For each step, one reasoner gets budgets of 0, 1, 2, ... until a budget is enough. It must find the same steps as a
/// reasoner without a limit.
#[test]
fn a_step_that_the_budget_ends_changes_nothing() {
    let mut trials = 0;
    for seed in 0..60 {
        let lattice = lattices(4, 5)[seed as usize % 4];
        let game = made(&options(lattice), seed).game;
        let new = || Reasoner::new(&game, &mut Budget::unlimited()).unwrap().unwrap();
        let (mut whole, mut parts) = (new(), new());
        while let Some(step) = whole.step(&mut Budget::unlimited()).unwrap().cloned() {
            trials += u32::from(step.rule == Rule::Trial);
            let mut most = 0;
            let found = loop {
                match parts.step(&mut Budget::new("steps", Some(most), None)) {
                    Ok(found) => break found.cloned().unwrap(),
                    Err(error) => assert!(matches!(error, Error::Limit(_)), "{error}"),
                }
                most += 1;
                assert!((0..20).all(|tile| parts.turns_left(tile) != 0), "seed {seed}, {most} steps");
            };
            let shown = |step: &Step| format!("{step:?}");
            assert_eq!(shown(&found), shown(&step), "seed {seed}\n{}", game.text());
        }
    }
    assert!(trials > 10, "{trials}");
}

/// Compares each conclusion with all solutions found by brute force, on boards with square and hexagonal tiles, with
/// and without joined borders. On some boards, two tiles are swapped, so that boards without a solution occur too.
#[test]
fn the_rules_conclude_only_what_holds_in_all_solutions() {
    let mut used = [0; 6];
    for (height, width) in [(1, 4), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5)] {
        for lattice in lattices(height, width) {
            for seed in 0..40 {
                if lattice.wrap && lattice.len() > 16 && seed > 5 {
                    continue;
                }
                let mut game = made(&options(lattice), seed).game;
                if seed % 4 == 3 {
                    let mut rng = Rng::new(seed);
                    let mut wires = game.wires().to_vec();
                    wires.swap(rng.index(lattice.len()), rng.index(lattice.len()));
                    game = LightEmAll::new(lattice, wires, 0, None).unwrap();
                }
                let what = format!("seed {seed} {lattice:?}\n{}", game.text());
                let all = brute_by_fit(&game);
                let mut reasoner = Reasoner::new(&game, &mut Budget::unlimited()).unwrap().unwrap();
                loop {
                    let step = match reasoner.step(&mut Budget::unlimited()) {
                        Ok(Some(step)) => step.clone(),
                        Ok(None) => break,
                        Err(error) => {
                            assert_eq!(error.reason(), "the board has no solution");
                            assert!(all.is_empty(), "{what}");
                            break;
                        }
                    };
                    used[step.rule as usize] += 1;
                    for wires in &all {
                        let holds = match step.conclusion {
                            Conclusion::On { tile, side } => wires[tile as usize] >> side & 1 == 1,
                            Conclusion::Off { tile, side } => wires[tile as usize] >> side & 1 == 0,
                            Conclusion::Not { tile, turns } => {
                                let mask = game.wires()[tile as usize];
                                wires[tile as usize] != (0..turns).fold(mask, |mask, _| lattice.turn(mask))
                            }
                        };
                        assert!(holds, "{step:?}\n{what}");
                    }
                }
                let effort = game.effort(&mut Budget::unlimited()).unwrap();
                assert_eq!(effort.is_some(), !all.is_empty(), "{what}");
                if all.len() > 1 {
                    assert!(effort.unwrap().uses[Rule::Search as usize] > 0, "{what}");
                }
            }
        }
    }
    // Every rule except `search`, which concludes nothing by itself, must be used at least 20 times.
    assert!(used[..5].iter().all(|&uses| uses >= 20), "{used:?}");
}

/// On boards of up to 25 tiles, each explained turn agrees with all solutions. On all boards, playing the explained
/// moves wins.
#[test]
fn explained_moves_lead_to_a_win() {
    let (mut turns, mut choices) = (0, 0);
    for (height, width) in [(1, 2), (2, 3), (3, 3), (4, 4), (5, 5), (7, 7)] {
        for lattice in lattices(height, width) {
            for seed in 0..8 {
                if lattice.wrap && lattice.len() > 25 {
                    continue;
                }
                let limited_radius = seed % 2 == 1;
                let mut game = made(&Options { limited_radius, ..options(lattice) }, seed).game;
                let all = if lattice.len() <= 25 { brute_by_fit(&game) } else { HashSet::new() };
                for step in 0.. {
                    assert!(step < 200, "{}", game.text());
                    let (tile, count) = match game.explain(None, &mut Budget::unlimited()).unwrap() {
                        NextStep::Over => break,
                        NextStep::Unsolvable => panic!("{}", game.text()),
                        NextStep::Station(path) => {
                            for cell in path {
                                game::play(&mut game, [STATION, cell.row, cell.col]).unwrap();
                            }
                            continue;
                        }
                        NextStep::Turn(reason) => {
                            turns += 1;
                            let mask = game.wires()[reason.tile as usize];
                            let right = (0..reason.turns).fold(mask, |mask, _| lattice.turn(mask));
                            assert!(all.iter().all(|wires| wires[reason.tile as usize] == right), "{}", game.text());
                            (reason.tile, reason.turns)
                        }
                        NextStep::Choice { tile, turns } => {
                            choices += 1;
                            (tile, turns)
                        }
                    };
                    assert!(count > 0);
                    let cell = game.cell(tile as usize);
                    for _ in 0..count {
                        if game.status() == Status::Open {
                            game::play(&mut game, [TURN, cell.row, cell.col]).unwrap();
                        }
                    }
                }
                assert_eq!(game.status(), Status::Won);
            }
        }
    }
    assert!(turns > 500 && choices > 20, "{turns} {choices}");
    let stuck = LightEmAll::parse("1 3\n222\nstation 0 0").unwrap();
    assert_eq!(stuck.explain(None, &mut Budget::unlimited()), Ok(NextStep::Unsolvable));
    // The board has more wire ends than a tree, so only a search finds its solutions.
    let spare = LightEmAll::parse("2 2\n7c\n59\nstation 0 0").unwrap();
    assert_eq!(spare.effort(&mut Budget::unlimited()).unwrap().unwrap().grade(), 5);
}

#[test]
fn a_board_generated_for_a_grade_has_that_grade() {
    let options = Options::new(6, 6);
    for grade in 1..=5 {
        for seed in 0..if grade == 5 { 2 } else { 5 } {
            let board = generate_graded(&options, grade, seed, &mut Budget::unlimited()).unwrap();
            assert_eq!(board.game.effort(&mut Budget::unlimited()).unwrap().unwrap().grade(), grade);
            assert_eq!(count(&board.game), 1);
            let again = generate_graded(&options, grade, seed, &mut Budget::unlimited()).unwrap();
            assert!(again.game == board.game && again.seed == board.seed);
        }
    }
    let mut few = Budget::new("tiles", Some(100_000), None);
    assert!(matches!(generate_graded(&Options::new(60, 60), 1, 1, &mut few), Err(Error::Limit(_))));
}
