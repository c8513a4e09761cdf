//! Compares MyPhoton with brute force and with a slow tracer that has one type per kind of tile, such as a student
//! would write for the assignment.

use gridwright::core::game::{self, Game};
use gridwright::core::{Budget, Cell, Dir, Error, Rng};
use gridwright::levels;
use gridwright::photon::advice::grade;
use gridwright::photon::generate::{Recipe, generate};
use gridwright::photon::reason::{End, Rule};
use gridwright::photon::{LIT, MyPhoton, Tile, trace_many};
use std::collections::{HashMap, HashSet};

/// The behavior of a tile in the slow tracer.
trait Piece {
    /// Returns the headings with which light leaves if it enters with `heading`, or `None` if the tile blocks it.
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>>;
}

struct Empty;
struct Opaque;
struct Mirror {
    /// Whether the mirror slants down to the right.
    down: bool,
}
struct Splitter(Mirror);
struct TMirror {
    point: Dir,
}
struct Sensor {
    opening: Dir,
}

impl Piece for Empty {
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>> {
        Some(vec![heading])
    }
}

impl Piece for Opaque {
    fn enter(&self, _: Dir) -> Option<Vec<Dir>> {
        None
    }
}

impl Piece for Mirror {
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>> {
        let down = match heading {
            Dir::E => Dir::S,
            Dir::S => Dir::E,
            Dir::W => Dir::N,
            Dir::N => Dir::W,
        };
        Some(vec![if self.down { down } else { down.opposite() }])
    }
}

impl Piece for Splitter {
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>> {
        let mut out = self.0.enter(heading)?;
        out.push(heading);
        Some(out)
    }
}

impl Piece for TMirror {
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>> {
        if heading == self.point.opposite() {
            Some(vec![self.point.clockwise(), self.point.clockwise().opposite()])
        } else if heading == self.point {
            None
        } else {
            Some(vec![self.point])
        }
    }
}

impl Piece for Sensor {
    fn enter(&self, heading: Dir) -> Option<Vec<Dir>> {
        (heading == self.opening.opposite()).then(Vec::new)
    }
}

fn piece(tile: Tile) -> Box<dyn Piece> {
    let text = tile.to_string();
    let mut chars = text.chars();
    let (letter, mark) = (chars.next().unwrap(), chars.next().unwrap());
    let facing = || match mark {
        '^' => Dir::N,
        '>' => Dir::E,
        'v' => Dir::S,
        _ => Dir::W,
    };
    match letter {
        '.' => Box::new(Empty),
        'M' => Box::new(Mirror { down: mark == '\\' }),
        'B' => Box::new(Splitter(Mirror { down: mark == '\\' })),
        'T' => Box::new(TMirror { point: facing() }),
        'S' => Box::new(Sensor { opening: facing() }),
        _ => Box::new(Opaque),
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Slow {
    /// The heads that were traced, as cells and headings.
    used: HashSet<(Cell, Dir)>,
    beams: Vec<u8>,
    lit: Vec<bool>,
}

fn slow(height: usize, width: usize, codes: &[u8]) -> Slow {
    let mut tiles: HashMap<Cell, (Tile, Box<dyn Piece>)> = HashMap::new();
    let mut heads = Vec::new();
    for (i, &code) in codes.iter().enumerate() {
        let cell = Cell::new((i / width) as i32, (i % width) as i32);
        let tile = Tile::from_code(code).unwrap();
        tiles.insert(cell, (tile, piece(tile)));
        if let Some(dir) = tile.laser() {
            heads.push((cell.step(dir, 1), dir));
        }
    }
    let mut slow = Slow { beams: vec![0; height * width], lit: vec![false; height * width], ..Slow::default() };
    while let Some((cell, heading)) = heads.pop() {
        let Some((tile, piece)) = tiles.get(&cell) else { continue };
        if !slow.used.insert((cell, heading)) {
            continue;
        }
        let at = cell.row as usize * width + cell.col as usize;
        if let Some(out) = piece.enter(heading) {
            // Light that is not blocked makes a laserlet at the side where it enters and at each side where it leaves.
            slow.beams[at] |= heading.opposite().bit();
            slow.lit[at] |= tile.sensor().is_some();
            for heading in out {
                slow.beams[at] |= heading.bit();
                heads.push((cell.step(heading, 1), heading));
            }
        }
    }
    slow
}

/// Returns the codes of a random board, often with so much hardware that light runs in cycles.
fn random_codes(rng: &mut Rng, height: usize, width: usize) -> Vec<u8> {
    let crowd = rng.unit() * 0.6;
    (0..height * width)
        .map(|_| match rng.unit() {
            x if x < crowd => 2 + rng.below(8) as u8,
            x if x < crowd + 0.08 => 10 + rng.below(4) as u8,
            x if x < crowd + 0.16 => 14 + rng.below(4) as u8,
            x if x < crowd + 0.22 => 1,
            _ => 0,
        })
        .collect()
}

fn sizes(rng: &mut Rng) -> (usize, usize) {
    (1 + rng.index(9), 1 + rng.index(9))
}

fn columns(game: &MyPhoton) -> (Vec<u8>, Vec<bool>, Vec<u8>) {
    let cells = game.height() * game.width();
    let (mut beams, mut lit, mut board) = (vec![0xff; cells], vec![true; cells], vec![0xff; cells]);
    game.write_beams(&mut beams);
    game.write_lit(&mut lit);
    game.write_board(&mut board);
    (beams, lit, board)
}

fn agrees(game: &MyPhoton, what: &str) {
    let (beams, lit, board) = columns(game);
    let slow = slow(game.height(), game.width(), &board);
    assert_eq!(beams, slow.beams, "{what}: beams of\n{}", game.text());
    assert_eq!(lit, slow.lit, "{what}: lit of\n{}", game.text());
    for (i, (&code, &lit)) in board.iter().zip(&lit).enumerate() {
        assert_eq!(code >= LIT, lit, "{what}: code at {i} of\n{}", game.text());
    }
    let sensors = game.sensors().count();
    assert_eq!(game.unlit(), sensors - lit.iter().filter(|&&lit| lit).count(), "{what}");
    let steps = game.trace().unwrap();
    let heads: HashSet<(Cell, Dir)> = (0..steps.row.len())
        .map(|i| (Cell::new(steps.row[i], steps.col[i]), Dir::from_index(steps.heading[i] as u8)))
        .collect();
    assert_eq!(heads.len(), steps.row.len(), "{what}: a head traced twice");
    assert_eq!(heads, slow.used, "{what}: heads of\n{}", game.text());
}

#[test]
fn light_agrees_with_the_slow_tracer() {
    let mut rng = Rng::new(1);
    for round in 0..1500 {
        let (height, width) = sizes(&mut rng);
        let codes = random_codes(&mut rng, height, width);
        agrees(&MyPhoton::from_codes(height, width, &codes).unwrap(), &format!("seed 1, round {round}"));
    }
}

#[test]
fn light_after_moves_equals_light_traced_again() {
    let mut rng = Rng::new(2);
    for round in 0..120 {
        let (height, width) = (2 + rng.index(8), 2 + rng.index(8));
        let codes = random_codes(&mut rng, height, width);
        let mut game = MyPhoton::from_codes(height, width, &codes).unwrap();
        for step in 0..40 {
            // Play continues even after a win: `apply` does not check the status.
            let pieces: Vec<_> = game.hardware().collect();
            let Some(from) = (!pieces.is_empty()).then(|| *rng.choose(&pieces)) else { break };
            let to = Cell::new(rng.index(height) as i32, rng.index(width) as i32);
            let mv = [from.row, from.col, to.row, to.col];
            if game.check(mv).is_err() {
                continue;
            }
            let before = game.clone();
            let change = game.apply(mv);
            agrees(&game, &format!("seed 2, round {round}, step {step}, {mv:?}"));
            if rng.chance(0.3) {
                game.revert(mv, change);
                assert!(game == before);
                assert_eq!(columns(&game), columns(&before), "seed 2, round {round}, step {step}: taken back");
                assert!(game.hardware().eq(before.hardware()));
            }
        }
    }
}

#[test]
fn heads_come_from_their_parents() {
    let mut rng = Rng::new(3);
    for round in 0..300 {
        let (height, width) = sizes(&mut rng);
        let codes = random_codes(&mut rng, height, width);
        let game = MyPhoton::from_codes(height, width, &codes).unwrap();
        let steps = game.trace().unwrap();
        let what = format!("seed 3, round {round}\n{}", game.text());
        assert!(steps.order.iter().copied().eq(0..steps.row.len() as i32), "{what}");
        assert!(steps.parent.is_sorted(), "{what}: not first in, first out");
        for i in 0..steps.row.len() {
            let heading = Dir::from_index(steps.heading[i] as u8);
            let from = Cell::new(steps.row[i], steps.col[i]).step(heading, -1);
            let tile = game.tile(from).unwrap();
            match usize::try_from(steps.parent[i]) {
                Err(_) => assert_eq!(tile.laser(), Some(heading), "{what}"),
                Ok(parent) => {
                    assert!(parent < i, "{what}");
                    assert_eq!((steps.row[parent], steps.col[parent]), (from.row, from.col), "{what}");
                    let came = Dir::from_index(steps.heading[parent] as u8);
                    assert_ne!(tile.leaves(came) & heading.bit(), 0, "{what}");
                }
            }
        }
    }
}

#[test]
fn many_boards_are_traced_like_single_ones() {
    let mut rng = Rng::new(4);
    let mut budget = Budget::unlimited();
    for (round, n) in [0, 1, 7, 700, 3000].into_iter().enumerate() {
        let (height, width) = if round == 4 { (3, 3) } else { sizes(&mut rng) };
        let cells = height * width;
        let mut boards: Vec<u8> = (0..n).flat_map(|_| random_codes(&mut rng, height, width)).collect();
        let (mut lit, mut only) = (vec![true; n * cells], vec![true; n * cells]);
        let mut beams = vec![0xff; n * cells];
        trace_many(&boards, height, width, &mut lit, &mut beams, &mut budget).unwrap();
        trace_many(&boards, height, width, &mut only, &mut [], &mut budget).unwrap();
        assert_eq!(lit, only, "seed 4, round {round}");
        for (k, board) in boards.chunks(cells).enumerate() {
            let slow = slow(height, width, board);
            let here = k * cells..(k + 1) * cells;
            assert_eq!(beams[here.clone()], slow.beams, "seed 4, round {round}, board {k}");
            assert_eq!(lit[here], slow.lit, "seed 4, round {round}, board {k}");
        }
        if n > 0 {
            let marked: Vec<u8> =
                boards.iter().zip(&lit).map(|(&code, &lit)| if lit { code | LIT } else { code }).collect();
            trace_many(&marked, height, width, &mut only, &mut [], &mut budget).unwrap();
            assert_eq!(lit, only, "seed 4, round {round}: boards with lit sensors");
            for code in (0..=255).filter(|&code| Tile::from_code(code).is_none()) {
                let at = rng.index(boards.len());
                let kept = std::mem::replace(&mut boards[at], code);
                let error = trace_many(&boards, height, width, &mut only, &mut [], &mut budget).unwrap_err();
                let (board, row, col) = (at / cells, at % cells / width, at % cells % width);
                let end = format!("got {code} in board {board} at row {row}, column {col}");
                assert!(error.to_string().ends_with(&end), "expected an error that ends with {end:?}, got {error}");
                boards[at] = kept;
            }
        }
    }
}

/// The light of all lasers together is the union of the light of each laser alone.
#[test]
fn light_is_a_superposition() {
    let mut rng = Rng::new(5);
    for round in 0..300 {
        let (height, width) = sizes(&mut rng);
        let codes = random_codes(&mut rng, height, width);
        let is_laser = |code: u8| Tile::from_code(code).unwrap().laser().is_some();
        let mut sum = vec![0; codes.len()];
        for one in (0..codes.len()).filter(|&i| is_laser(codes[i])) {
            // A laser that is switched off still blocks light, so a wall takes its place.
            let dimmed: Vec<u8> =
                (0..codes.len()).map(|i| if i != one && is_laser(codes[i]) { 1 } else { codes[i] }).collect();
            let beams = columns(&MyPhoton::from_codes(height, width, &dimmed).unwrap()).0;
            sum.iter_mut().zip(beams).for_each(|(sum, beams)| *sum |= beams);
        }
        let all = columns(&MyPhoton::from_codes(height, width, &codes).unwrap()).0;
        assert_eq!(all, sum, "seed 5, round {round}");
    }
}

/// A laser lights a sensor if and only if it still does after the two have swapped places and directions.
#[test]
fn lasers_and_sensors_are_reciprocal() {
    let mut rng = Rng::new(6);
    let mut seen = 0;
    for round in 0..8000 {
        let (height, width) = (1 + rng.index(5), 2 + rng.index(4));
        let mut codes = random_codes(&mut rng, height, width);
        codes.iter_mut().filter(|code| **code >= 10).for_each(|code| *code = 0);
        let (a, b) = (rng.index(codes.len()), rng.index(codes.len()));
        if a == b {
            continue;
        }
        let (there, back) = (rng.below(4) as u8, rng.below(4) as u8);
        (codes[a], codes[b]) = (10 + there, 14 + back);
        let one = MyPhoton::from_codes(height, width, &codes).unwrap();
        (codes[a], codes[b]) = (14 + there, 10 + back);
        let other = MyPhoton::from_codes(height, width, &codes).unwrap();
        assert_eq!(one.status(), other.status(), "seed 6, round {round}\n{}", one.text());
        seen += usize::from(one.status().is_over());
    }
    assert!(seen > 100, "only {seen} of 8000 boards have a lit sensor");
}

#[test]
fn light_after_moves_on_a_large_board_equals_light_traced_again() {
    let mut rng = Rng::new(7);
    let codes: Vec<u8> = (0..1_000_000)
        .map(|i| match rng.below(1000) {
            0 => 10 + rng.below(4) as u8,
            1 => 14 + rng.below(4) as u8,
            2..12 if i % 2 == 0 => 2 + rng.below(8) as u8,
            _ => 0,
        })
        .collect();
    let mut game = MyPhoton::from_codes(1000, 1000, &codes).unwrap();
    assert_eq!(game::legal_moves(&game, 10_000), None);
    for _ in 0..200 {
        let pieces: Vec<Cell> = game.hardware().collect();
        let (from, to) = (*rng.choose(&pieces), Cell::new(rng.index(1000) as i32, rng.index(1000) as i32));
        let _ = game::play(&mut game, [from.row, from.col, to.row, to.col]);
    }
    let (beams, lit, board) = columns(&game);
    let fresh = MyPhoton::from_codes(1000, 1000, &board).unwrap();
    assert_eq!((beams, lit, board), columns(&fresh));
}

#[test]
fn every_level_of_the_source_document_is_packaged() {
    let names = levels::names("photon");
    for name in [
        "empty",
        "walls",
        "simple-laser",
        "many-lasers",
        "simple-mirror",
        "simple-splitter",
        "simple-tmirror",
        "splitters",
        "sensors",
        "mirrors",
        "tmirrors",
        "example",
        "shared-mirror",
        "cycle",
        "izaaks",
        "threeway",
    ] {
        assert!(names.contains(&name), "no level {name}");
    }
}

/// Returns a random small puzzle with few pieces, one or two lasers and one to three sensors. Some puzzles come from
/// the generator. Most of the others have no solution.
fn small_puzzle(rng: &mut Rng, most_pieces: usize) -> MyPhoton {
    if rng.chance(0.6) {
        let recipe = Recipe {
            lasers: 1 + rng.index(2),
            sensors: 1 + rng.index(3),
            mirrors: 1,
            splitters: rng.index(most_pieces - 1),
            tmirrors: rng.index(2),
            walls: 0.1,
            ..Recipe::new(5, 4 + rng.index(2))
        };
        if let Ok(game) = generate(&recipe, rng.bits(), &mut Budget::new("boards", Some(300), None)) {
            return game;
        }
    }
    let (height, width) = (3 + rng.index(2), 3 + rng.index(2));
    let mut codes = vec![0; height * width];
    let mut places: Vec<usize> = (0..codes.len()).collect();
    rng.shuffle(&mut places);
    let mut next = places.into_iter();
    for (most, first, kinds) in [(2, 10, 4), (3, 14, 4), (most_pieces, 2, 8), (2, 1, 1)] {
        for place in next.by_ref().take(1 + rng.index(most)) {
            codes[place] = first + rng.below(kinds) as u8;
        }
    }
    MyPhoton::from_codes(height, width, &codes).unwrap()
}

/// Returns the boards of all placements of the hardware.
fn placements(game: &MyPhoton) -> Vec<Vec<u8>> {
    fn fill(board: &mut Vec<u8>, cells: &[usize], left: &mut [usize; 10], out: &mut Vec<Vec<u8>>) {
        let Some((&cell, rest)) = cells.split_first() else { return out.push(board.clone()) };
        for code in 0..10u8 {
            if left[code as usize] > 0 {
                left[code as usize] -= 1;
                board[cell] = code;
                fill(board, rest, left, out);
                left[code as usize] += 1;
            }
        }
    }
    let mut board = columns(game).2;
    for code in &mut board {
        *code &= !LIT;
    }
    let cells: Vec<usize> = (0..board.len()).filter(|&i| matches!(board[i], 0 | 2..10)).collect();
    let mut left = [0; 10];
    for &i in &cells {
        left[board[i] as usize] += 1;
    }
    let mut out = Vec::new();
    fill(&mut board, &cells, &mut left, &mut out);
    out
}

fn wins(game: &MyPhoton, board: &[u8]) -> bool {
    let lit = slow(game.height(), game.width(), board).lit;
    board.iter().zip(lit).all(|(&code, lit)| code < 14 || lit)
}

/// Returns, by breadth-first search, the smallest number of moves that wins, or `None` if the game cannot be won.
fn plain_fewest(game: &MyPhoton) -> Option<usize> {
    let mut seen: HashSet<Vec<u8>> = HashSet::from([columns(game).2]);
    let mut level = vec![game.clone()];
    for depth in 0.. {
        if level.iter().any(|game| game.status().is_over()) {
            return Some(depth);
        }
        let mut next = Vec::new();
        for game in &level {
            for mv in game::legal_moves(game, usize::MAX).unwrap() {
                let mut after = game.clone();
                after.apply(mv);
                if seen.insert(columns(&after).2) {
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    unreachable!("the loop ends only by returning")
}

fn replay(game: &MyPhoton, moves: &[[i32; 4]], what: &str) {
    let mut game = game.clone();
    for &mv in moves {
        game::play(&mut game, mv).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    assert_eq!(game.status(), game::Status::Won, "{what}");
}

#[test]
fn counts_agree_with_brute_force() {
    let mut rng = Rng::new(9);
    let mut solvable = 0;
    for round in 0..700 {
        let game = small_puzzle(&mut rng, 3);
        let what = format!("seed 9, round {round}\n{}", game.text());
        let expected = placements(&game).iter().filter(|board| wins(&game, board)).count() as u64;
        let found = game.count_solutions(u64::MAX, &mut Budget::unlimited()).unwrap();
        assert_eq!(found, expected, "{what}");
        assert_eq!(game.count_solutions(2, &mut Budget::unlimited()).unwrap(), expected.min(2), "{what}");
        assert_eq!(game.count_solutions(0, &mut Budget::unlimited()).unwrap(), 0, "{what}");
        let any = game.solve_any(&mut Budget::unlimited()).unwrap();
        assert_eq!(any.is_some(), expected > 0, "{what}");
        any.inspect(|moves| replay(&game, moves, &what));
        solvable += usize::from(expected > 0);
    }
    assert!((150..600).contains(&solvable), "{solvable} of 700 solvable");
}

/// Boards with solutions in which light reaches a sensor only after turning twice at one piece.
const CYCLES: [&str; 5] = [
    "4 3\nM\\M/LvSv\nW M/. .\n. B/M/S<\n",
    "3 5\nW LvW\nS>T>B\\\nW M\\.\n. B/.\n. S^.\n",
    "5 3\nTv. M/M/.\nL>. . . B/\n. L>S<S^.\n",
    "4 3\nS>. M/L<\nT>. S<L>\nB/B/. B\\\n",
    "4 4\nL>S<W M\\\n. LvW W\nB/. S<.\nM/M/. .\n",
];

#[test]
fn boards_on_which_light_comes_back_to_a_piece_are_counted_and_solved() {
    let mut boards: Vec<MyPhoton> = CYCLES.iter().map(|text| MyPhoton::parse(text).unwrap()).collect();
    // Boards that are solved at the start, with a lot of hardware on few cells, so that cycles of light are common.
    let mut rng = Rng::new(12);
    while boards.len() < 120 {
        let (height, width) = (3, 3 + rng.index(2));
        let mut codes = vec![0; height * width];
        let mut places: Vec<usize> = (0..codes.len()).collect();
        rng.shuffle(&mut places);
        for (k, &place) in places[..6].iter().enumerate() {
            codes[place] = if k < 4 { 2 + rng.below(5) as u8 } else { 10 + rng.below(4) as u8 };
        }
        for &place in &places[6..8] {
            codes[place] = 14 + rng.below(4) as u8;
        }
        let game = MyPhoton::from_codes(height, width, &codes).unwrap();
        if game.unlit() == 0 {
            boards.push(game);
        }
    }
    for (round, game) in boards.iter().enumerate() {
        let what = format!("seed 12, round {round}\n{}", game.text());
        let expected = placements(game).iter().filter(|board| wins(game, board)).count() as u64;
        assert_eq!(game.count_solutions(u64::MAX, &mut Budget::unlimited()).unwrap(), expected, "{what}");
        assert!(game.solve_any(&mut Budget::unlimited()).unwrap().is_some(), "{what}");
    }
    for (game, expected) in boards.iter().zip([4, 2]) {
        let found = game.solve(None, &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!((found.len(), plain_fewest(game)), (expected, Some(expected)), "{}", game.text());
        replay(game, &found, &game.text());
    }
}

#[test]
fn answers_have_the_fewest_swaps() {
    let mut rng = Rng::new(10);
    let mut seen = [0; 5];
    for round in 0..400 {
        let game = small_puzzle(&mut rng, 3);
        let what = format!("seed 10, round {round}\n{}", game.text());
        let expected = plain_fewest(&game);
        let found = game.solve(None, &mut Budget::unlimited()).unwrap();
        assert_eq!(found.as_ref().map(Vec::len), expected, "{what}");
        if let (Some(moves), Some(expected)) = (found, expected) {
            replay(&game, &moves, &what);
            seen[expected.min(4)] += 1;
            assert!(game.solve(Some(expected), &mut Budget::unlimited()).unwrap().is_some(), "{what}");
            if expected > 0 {
                assert_eq!(game.solve(Some(expected - 1), &mut Budget::unlimited()).unwrap(), None, "{what}");
            }
        }
    }
    assert!(seen[1] > 20 && seen[2] > 10 && seen[3] > 3, "{seen:?}");
}

#[test]
fn a_search_ends_at_its_limit() {
    let game = MyPhoton::parse(levels::text("photon", "izaaks").unwrap()).unwrap();
    let stop = game.solve(None, &mut Budget::new("nodes", Some(1), None)).unwrap_err();
    assert_eq!(stop, Error::spent(1, "nodes"));
    assert!(game.count_solutions(2, &mut Budget::new("nodes", Some(1), None)).is_err());
    let mut calls = 0;
    let mut watch = |_: u64| {
        calls += 1;
        false
    };
    let slow = MyPhoton::from_codes(60, 60, &{
        let mut codes = vec![0; 3600];
        (0..40).for_each(|i| codes[i * 61] = 2 + (i % 8) as u8);
        codes[30] = 11;
        (0..20).for_each(|i| codes[3000 + i * 29] = 14 + (i % 4) as u8);
        codes
    })
    .unwrap();
    let stop = slow.count_solutions(u64::MAX, &mut Budget::new("nodes", None, Some(&mut watch))).unwrap_err();
    assert_eq!((stop, calls), (Error::Interrupted, 1));
}

#[test]
fn conclusions_hold_in_all_solutions() {
    let mut rng = Rng::new(13);
    let (mut fired, mut contradictions) = ([0; Rule::ALL.len()], 0);
    let mut boards: Vec<MyPhoton> = (0..600).map(|_| small_puzzle(&mut rng, 3)).collect();
    boards.extend(CYCLES.iter().map(|text| MyPhoton::parse(text).unwrap()));
    // The generated puzzles have three or four pieces. Four is the smallest number with which light can come back to a
    // piece. More rules apply to puzzles with a unique solution.
    for seed in 0..40 {
        let mirrors = 1 + seed as usize % 2;
        let recipe = Recipe { mirrors, unique: seed % 4 > 0, walls: 0.2, ..Recipe::new(6, 5) };
        boards.extend(generate(&recipe, seed, &mut Budget::new("boards", Some(3000), None)));
    }
    for (round, game) in boards.iter().enumerate() {
        let what = format!("seed 13, round {round}\n{}", game.text());
        let reasoning = game.reason(&mut Budget::unlimited()).unwrap();
        let solutions: Vec<Vec<u8>> = placements(game).into_iter().filter(|board| wins(game, board)).collect();
        for step in &reasoning.steps {
            fired[step.rule as usize] += 1;
            let at = |cell: Cell| cell.row as usize * game.width() + cell.col as usize;
            for solution in &solutions {
                assert!(step.empty.iter().all(|&cell| solution[at(cell)] == 0), "{step:?} in {what}");
                if let Some((cell, tile)) = step.piece {
                    assert_eq!(solution[at(cell)], tile.code(), "{step:?} in {what}");
                }
            }
        }
        match reasoning.end {
            End::Contradiction => {
                contradictions += 1;
                assert!(solutions.is_empty(), "{what}");
            }
            End::Fed => assert!(!solutions.is_empty(), "{what}"),
            End::Stuck => {}
        }
    }
    for rule in [Rule::Direct, Rule::Forced, Rule::Shared, Rule::Trial] {
        assert!(fired[rule as usize] > 20, "{rule:?} fired too rarely: {fired:?}");
    }
    assert!(contradictions > 50, "{contradictions}");
}

/// Moves do not change the reasoning, and a player who follows the advice from a random position wins.
#[test]
fn advice_leads_to_a_win() {
    let mut rng = Rng::new(14);
    let mut spares = 0;
    for seed in 0..60 {
        let recipe = Recipe { grade: Some(1 + seed as u8 % 4), ..Recipe::new(7, 7) };
        let recipe =
            if recipe.grade == Some(1) { Recipe { sensors: 1, splitters: 0, tmirrors: 0, ..recipe } } else { recipe };
        let mut game = generate(&recipe, seed, &mut Budget::unlimited()).unwrap();
        let reasoning = game.reason(&mut Budget::unlimited()).unwrap();
        assert_eq!(recipe.grade, Some(grade(&reasoning)));
        for _ in 0..10 {
            let Some(mv) = game::sample_legal(&game, &mut rng) else { break };
            game.apply(mv);
        }
        let what = format!("seed {seed}\n{}", game.text());
        assert_eq!(game.reason(&mut Budget::unlimited()).unwrap(), reasoning, "{what}");
        let mut budget = Budget::unlimited();
        let mut moves = 0;
        while let Some(advice) = game.advise(&reasoning, None, &mut budget).unwrap() {
            assert_ne!(advice.rule, Rule::Search, "{what}");
            spares += usize::from(advice.rule == Rule::Spare);
            game::play(&mut game, advice.mv.unwrap()).expect(&what);
            moves += 1;
            assert!(moves < 50, "{what}");
        }
        assert_eq!(game.status(), game::Status::Won, "{what}");
    }
    assert!(spares > 0);
}

#[test]
fn assessments_agree_with_the_solver_and_the_grade() {
    for (grade, seed) in (1..=5).flat_map(|grade| (0..6).map(move |seed| (grade, seed))) {
        let recipe = Recipe { grade: Some(grade), ..Recipe::new(8, 8) };
        let recipe = if grade == 1 { Recipe { sensors: 1, splitters: 0, tmirrors: 0, ..recipe } } else { recipe };
        let game = generate(&recipe, seed, &mut Budget::unlimited()).unwrap();
        let what = format!("grade {grade}, seed {seed}\n{}", game.text());
        let found = game.assess(&mut Budget::unlimited()).unwrap().unwrap();
        let answer = game.solve(None, &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!((found.grade, found.swaps), (grade, answer.len()), "{what}");
        assert_eq!(found.turns + found.decoys, game.hardware().count(), "{what}");
        assert_eq!(found.rules[Rule::Search as usize] > 0, grade == 5, "{what}");
        assert_eq!(found.rules[Rule::Trial as usize] > 0, (3..5).contains(&grade), "{what}");
    }
    let no_solution = MyPhoton::parse("3 1\nL<. S<").unwrap();
    assert_eq!(no_solution.assess(&mut Budget::unlimited()).unwrap(), None);
    let no_sensors = MyPhoton::parse("3 1\nL>M/.").unwrap();
    assert_eq!(no_sensors.assess(&mut Budget::unlimited()).unwrap(), None);
}

#[test]
fn grades_do_not_depend_on_the_places_of_the_hardware() {
    let mut rng = Rng::new(5);
    let mut searched = 0;
    for seed in 0..120 {
        let recipe =
            Recipe { sensors: 1 + seed as usize % 3, mirrors: 3, splitters: 2, tmirrors: 2, ..Recipe::new(6, 6) };
        let mut game = generate(&recipe, seed, &mut Budget::unlimited()).unwrap();
        let found = game.assess(&mut Budget::unlimited()).unwrap().unwrap();
        let stuck = game.reason(&mut Budget::unlimited()).unwrap().end == End::Stuck;
        searched += u32::from(stuck && game.count_solutions(2, &mut Budget::unlimited()).unwrap() > 1);
        let answer = game.solve(None, &mut Budget::unlimited()).unwrap().unwrap();
        for played in 0..3 {
            let what = format!("seed {seed}, {played} played\n{}", game.text());
            assert_eq!(game.assess(&mut Budget::unlimited()).unwrap().unwrap().grade, found.grade, "{what}");
            if let Some(mv) = game::sample_legal(&game, &mut rng) {
                game::play(&mut game, mv).unwrap();
            }
        }
        let mut solved = generate(&recipe, seed, &mut Budget::unlimited()).unwrap();
        for mv in answer {
            game::play(&mut solved, mv).unwrap();
        }
        let found_then = solved.assess(&mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!((found_then.grade, found_then.swaps), (found.grade, 0), "seed {seed}");
    }
    assert!(searched > 3, "{searched}");
}

#[test]
fn new_puzzles_follow_the_recipe() {
    let recipe = |size| Recipe {
        lasers: 2,
        sensors: 3,
        mirrors: 2,
        splitters: 2,
        tmirrors: 1,
        walls: 0.15,
        ..Recipe::new(size, size + 2)
    };
    let count = |game: &MyPhoton, codes: std::ops::Range<u8>| {
        columns(game).2.iter().filter(|&&code| codes.contains(&(code & !LIT))).count()
    };
    for seed in 0..60 {
        let plain = recipe(8);
        let game = generate(&plain, seed, &mut Budget::unlimited()).unwrap();
        let what = format!("seed {seed}\n{}", game.text());
        assert_eq!((game.height(), game.width(), game.status()), (8, 10, game::Status::Open), "{what}");
        let found = [10..14, 14..18, 2..4, 4..6, 6..10].map(|codes| count(&game, codes));
        assert_eq!(found, [2, 3, 2, 2, 1], "{what}");
        let answer = game.solve_any(&mut Budget::unlimited()).unwrap().expect(&what);
        replay(&game, &answer, &what);
        assert!(game == generate(&plain, seed, &mut Budget::unlimited()).unwrap(), "{what}");
    }
    for seed in 0..12 {
        let few = Recipe { unique: true, splitters: 1, sensors: 2, lasers: 1, ..recipe(7) };
        let game = generate(&few, seed, &mut Budget::unlimited()).unwrap();
        assert_eq!(game.count_solutions(5, &mut Budget::unlimited()).unwrap(), 1, "seed {seed}\n{}", game.text());
        let short = Recipe { swaps: Some(1 + seed as usize % 3), ..recipe(7) };
        let game = generate(&short, seed, &mut Budget::unlimited()).unwrap();
        let answer = game.solve(None, &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!(Some(answer.len()), short.swaps, "seed {seed}\n{}", game.text());
    }
}

/// The puzzle of a seed may change only with a major version (before 1.0, with a minor version), because users store
/// seeds.
#[test]
fn the_puzzle_of_a_seed_is_fixed() {
    let text = |seed| generate(&Recipe::new(7, 8), seed, &mut Budget::unlimited()).unwrap().text();
    assert_eq!(
        text(1),
        "8 7\nW W W W W W W W\nW B/. . . . . W\nW . . . . . M\\W\nW . . . W . . W\nS>. Tv. . . . W\nW L^M\\. . . . W\nW W W W W W S^W\n"
    );
    assert_eq!(
        text(u64::MAX),
        "8 7\nW W LvW W W W W\nW S>. . . . . W\nW . . W . M/. W\nW . W . . . . W\nW . . . . . B/W\nS>M/W Tv. . W W\nW W W W W W W W\n"
    );
}

#[test]
fn recipes_out_of_bounds_are_refused() {
    let plain = Recipe::new(8, 8);
    let message = |recipe: Recipe| match generate(&recipe, 1, &mut Budget::unlimited()) {
        Err(Error::Invalid(message)) => message,
        other => panic!("{recipe:?} gave {other:?}"),
    };
    for (recipe, expected) in [
        (Recipe { height: 0, ..plain.clone() }, "height * width must be between 1 and 67108864, got 0 * 8"),
        (Recipe { width: usize::MAX, ..plain.clone() }, "height * width must be between 1 and 67108864, got 8 * "),
        (Recipe { lasers: 0, ..plain.clone() }, "lasers must be at least 1, got 0"),
        (Recipe { sensors: 0, ..plain.clone() }, "sensors must be at least 1, got 0"),
        (
            Recipe { mirrors: 0, splitters: 0, tmirrors: 0, ..plain.clone() },
            "mirrors + splitters + tmirrors must be at least 1, got 0",
        ),
        (
            Recipe { mirrors: 59, ..plain.clone() },
            "lasers + sensors + mirrors + splitters + tmirrors must be less than 64, the number of cells, got 64",
        ),
        (Recipe { walls: f64::NAN, ..plain.clone() }, "walls must be between 0 and 1, got NaN"),
        (Recipe { walls: -0.1, ..plain.clone() }, "walls must be between 0 and 1, got -0.1"),
        (Recipe { swaps: Some(0), ..plain.clone() }, "swaps must be between 1 and 4, the number of pieces, got 0"),
        (Recipe { grade: Some(6), ..plain.clone() }, "grade must be between 1 and 5, got 6"),
        (Recipe { swaps: Some(5), ..plain.clone() }, "swaps must be between 1 and 4, the number of pieces, got 5"),
    ] {
        let found = message(recipe);
        assert!(found.starts_with(expected), "{found}");
    }
    assert!(
        message(Recipe { mirrors: usize::MAX, ..plain.clone() }).contains("must be less than 64, the number of cells")
    );
    let crowded = Recipe { sensors: 30, ..plain.clone() };
    let stop = generate(&crowded, 1, &mut Budget::unlimited()).unwrap_err();
    assert!(stop.to_string().starts_with("no puzzle that meets all demands was found among 20000 boards"), "{stop}");
    let stop = generate(&crowded, 1, &mut Budget::new("boards", Some(10), None)).unwrap_err();
    assert_eq!(stop, Error::spent(10, "boards"));
}

#[test]
fn legal_moves_are_drawn_with_equal_probability() {
    let game = MyPhoton::parse("4 3\nM/M/B\\W\nT^. . W\nW W W L^").unwrap();
    let moves = game::legal_moves(&game, usize::MAX).unwrap();
    let mut drawn: HashMap<[i32; 4], u32> = HashMap::new();
    let mut rng = Rng::new(11);
    for _ in 0..20_000 {
        *drawn.entry(game::sample_legal(&game, &mut rng).unwrap()).or_default() += 1;
    }
    assert_eq!(drawn.len(), moves.len());
    let each = 20_000 / moves.len() as u32;
    for mv in moves {
        assert!(
            (each * 4 / 5..each * 6 / 5).contains(&drawn[&mv]),
            "{mv:?}: expected about {each}, got {}",
            drawn[&mv]
        );
    }
    let full = MyPhoton::parse("2 1\nM/M/").unwrap();
    assert_eq!(game::sample_legal(&full, &mut rng), None);
    // If random tries miss the only empty tile among 250,000 tiles, a scan of the board finds it.
    let mut codes = vec![1; 250_000];
    (codes[7], codes[200_000]) = (2, 0);
    let rare = MyPhoton::from_codes(500, 500, &codes).unwrap();
    assert_eq!(game::sample_legal(&rare, &mut rng), Some([0, 7, 400, 0]));
}
