//! Compares Bloxorz with the source document and with plain searches.

use std::cmp::Reverse;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use gridwright::bloxorz::{Block, Bloxorz, Level, Minimize, Recipe, SWITCH_KEY, SwitchKind};
use gridwright::core::{Budget, Cell, Dir, Error, Game, History, Rng, Status, game};
use gridwright::levels;

fn level(name: &str) -> Bloxorz {
    Bloxorz::parse(levels::text("bloxorz", name).unwrap()).unwrap()
}

type State = (Block, u32);

/// Returns the states that can be reached without a fall, in order of cost: each with the least cost of a path to it
/// and the number of paths of that cost. Uses only the rules of the game.
///
/// A cost is `(rolls, keys)`, or `(keys, rolls)` if keys are minimized. The search is Dijkstra's algorithm in its plain
/// form, a reference for the fast search.
fn plain_search(start: &Bloxorz, minimize: Minimize) -> Vec<(State, (u32, u32), u128)> {
    let at = |(block, bridges): State| Bloxorz::new(start.level().clone(), block, bridges).unwrap();
    let first = (start.block(), start.bridges());
    let mut known: HashMap<State, ((u32, u32), u128)> = HashMap::from([(first, ((0, 0), 1))]);
    let mut queue = BinaryHeap::from([Reverse(((0, 0), 0usize))]);
    let mut states = vec![first];
    let mut found = Vec::new();
    let mut done = std::collections::HashSet::new();
    while let Some(Reverse((cost, index))) = queue.pop() {
        let state = states[index];
        if !done.insert(state) {
            continue;
        }
        let (_, ways) = known[&state];
        found.push((state, cost, ways));
        for [key] in game::legal_moves(&at(state), 5).unwrap() {
            let mut next = at(state);
            if next.apply([key]).fell {
                continue;
            }
            let rolls = u32::from(key != SWITCH_KEY);
            let cost = match minimize {
                Minimize::Rolls => (cost.0 + rolls, cost.1 + 1),
                Minimize::Keys => (cost.0 + 1, cost.1 + rolls),
            };
            let next = (next.block(), next.bridges());
            match known.entry(next) {
                Entry::Occupied(entry) if cost > entry.get().0 => {}
                Entry::Occupied(mut entry) if cost == entry.get().0 => {
                    entry.get_mut().1 = entry.get().1.saturating_add(ways);
                }
                entry => {
                    entry.insert_entry((cost, ways));
                    states.push(next);
                    queue.push(Reverse((cost, states.len() - 1)));
                }
            }
        }
    }
    found
}

/// Returns the least cost of a solution and the number of solutions of that cost, or `None` if there is no solution.
/// `found` is the result of [`plain_search`].
fn optimum(start: &Bloxorz, found: &[(State, (u32, u32), u128)]) -> Option<((u32, u32), u128)> {
    let target = Block::standing(start.level().target());
    let won = || found.iter().filter(|((block, _), ..)| *block == target);
    let best = won().map(|&(_, cost, _)| cost).min()?;
    let ways = won().filter(|&&(_, cost, _)| cost == best).fold(0u128, |sum, &(.., ways)| sum.saturating_add(ways));
    Some((best, ways))
}

fn unlimited() -> Budget<'static> {
    Budget::unlimited()
}

fn rolls(keys: &[u8]) -> u32 {
    keys.iter().filter(|&&key| i32::from(key) != SWITCH_KEY).count() as u32
}

/// Compares the fast search and the state graph with the plain search. Returns the least cost of a solution and the
/// number of solutions of that cost, or `None` if there is no solution.
fn agrees(start: &Bloxorz, minimize: Minimize) -> Option<((u32, u32), u128)> {
    let found = plain_search(start, minimize);
    let expected = optimum(start, &found);
    let text = start.text();
    let keys = start.solve(minimize, &mut unlimited()).unwrap();
    let cost = keys.as_deref().map(|keys| match minimize {
        Minimize::Rolls => (rolls(keys), keys.len() as u32),
        Minimize::Keys => (keys.len() as u32, rolls(keys)),
    });
    assert_eq!(cost, expected.map(|(cost, _)| cost), "{text}");
    if let Some(keys) = keys {
        let mut game = start.clone();
        for key in keys {
            assert!(!game::play(&mut game, [i32::from(key)]).unwrap().fell, "{text}");
        }
        assert_eq!(game.status(), Status::Won, "{text}");
    }
    let ways = start.count_shortest(minimize, &mut unlimited()).unwrap();
    assert_eq!(ways, expected.map_or(0, |(_, ways)| ways), "{text}");

    let graph = start.state_graph(minimize, &mut unlimited()).unwrap();
    let depths: BTreeMap<_, _> =
        found.iter().map(|&((block, bridges), cost, _)| (key(block, bridges), cost.0)).collect();
    let listed = graph.block.iter().zip(&graph.bridges).zip(&graph.depth);
    let listed: BTreeMap<_, _> = listed.map(|((&block, &bits), &depth)| (key(block, bits), depth as u32)).collect();
    assert_eq!(listed.len(), graph.depth.len(), "{text}");
    assert_eq!(listed, depths, "{text}");
    // Each edge leads to the state that its key produces. The distance of a state is at most one more than the distance
    // of a successor, and at most equal to it if the key switches cubes and rolls are counted. If the block is whole
    // and not on the target, the distance is exactly one more than the least distance of a successor.
    for (i, (&block, &bridges)) in graph.block.iter().zip(&graph.bridges).enumerate() {
        let here = Bloxorz::new(start.level().clone(), block, bridges).unwrap();
        let mut edges = graph.indptr[i] as usize..graph.indptr[i + 1] as usize;
        let mut least = if here.status() == Status::Won { 0 } else { -1 };
        for [key] in game::legal_moves(&here, 5).unwrap() {
            let mut next = here.clone();
            if next.apply([key]).fell {
                continue;
            }
            let edge = edges.next().unwrap();
            let to = graph.indices[edge] as usize;
            assert_eq!(
                (i32::from(graph.key[edge]), graph.block[to], graph.bridges[to]),
                (key, next.block(), next.bridges())
            );
            let free = minimize == Minimize::Rolls && key == SWITCH_KEY;
            let (far, beyond) = (graph.distance[i], graph.distance[to]);
            assert!(beyond < 0 || (0 <= far && far <= beyond + i32::from(!free)), "{text}");
            if beyond >= 0 && !free {
                least = if least < 0 { beyond + 1 } else { least.min(beyond + 1) };
            }
        }
        assert_eq!(edges.next(), None, "{text}");
        if !here.block().is_split() {
            assert_eq!(graph.distance[i], least, "{text}");
        }
    }
    assert_eq!(graph.distance[0], expected.map_or(-1, |(cost, _)| cost.0 as i32), "{text}");
    expected
}

fn key(block: Block, bridges: u32) -> (Cell, Cell, u32) {
    (block.first(), block.second(), bridges)
}

/// Recomputes the table `level rolls keys ways fewest-keys states` of the packaged levels with the plain search.
#[test]
fn optima_of_the_packaged_levels_are_those_of_the_plain_search() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/optima/bloxorz.txt");
    let mut table = String::from("# level rolls keys ways fewest-keys states\n");
    for name in levels::names("bloxorz") {
        let start = level(name);
        let ((rolls, keys), ways) = agrees(&start, Minimize::Rolls).unwrap_or_else(|| panic!("{name} has no solution"));
        let ((fewest, _), _) = agrees(&start, Minimize::Keys).unwrap();
        let states = start.state_graph(Minimize::Rolls, &mut unlimited()).unwrap().depth.len();
        let _ = writeln!(table, "{name} {rolls} {keys} {ways} {fewest} {states}");
    }
    if std::env::var_os("GRIDWRIGHT_GOLDEN").is_some() {
        fs::write(path, &table).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), table);
}

/// The numbered levels are in order of grade, with at least five levels per grade, and each of the last eight takes 60
/// to 120 rolls.
#[test]
fn packaged_levels_rise_in_grade() {
    // Levels with other names are not ordered by grade.
    let names: Vec<_> = levels::names("bloxorz").into_iter().filter(|name| name.starts_with("level")).collect();
    let measured: Vec<_> = names.iter().map(|name| level(name).difficulty(&mut unlimited()).unwrap()).collect();
    assert!(measured.is_sorted_by_key(|found| found.grade), "{measured:?}");
    for grade in 1..=5 {
        assert!(measured.iter().filter(|found| found.grade == grade).count() >= 5, "grade {grade}");
    }
    assert!(measured[names.len() - 8..].iter().all(|found| (60..=120).contains(&found.rolls)));
}

#[test]
fn level01_is_solved_by_the_keys_in_the_documentation() {
    let keys = level("level01").solve(Minimize::Rolls, &mut unlimited()).unwrap().unwrap();
    assert_eq!(keys.iter().map(|&key| gridwright::bloxorz::KEYS[key as usize]).collect::<String>(), "rrdrrrd");
}

/// Returns a random level of up to 5 x 6 cells with switches, splitters, bridges and light tiles, or `None` if the
/// random text is not a valid level.
pub(crate) fn random_level(rng: &mut Rng) -> Option<Bloxorz> {
    let (height, width) = (1 + rng.index(5), 2 + rng.index(5));
    let mut rows: Vec<Vec<char>> = (0..height)
        .map(|_| {
            (0..width).map(|_| *rng.choose(&['o', 'o', 'o', 'o', 'o', '.', '-', 'A', 'B', 'C', 'a', 'b'])).collect()
        })
        .collect();
    for letter in ['S', 'T'] {
        let (row, col) = (rng.index(height), rng.index(width));
        rows[row][col] = letter;
    }
    let mut text: String = rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    let used: Vec<char> = ['A', 'B', 'C'].into_iter().filter(|&letter| text.contains(letter)).collect();
    for letter in used {
        if rng.chance(0.5) {
            let tiles: Vec<usize> = (0..height * width).filter(|&i| rows[i / width][i % width] != '-').collect();
            let [(x, y), (x2, y2)] = [(); 2].map(|()| *rng.choose(&tiles)).map(|i| (i % width, i / width));
            let _ = writeln!(text, "#{letter}S {x} {y} {x2} {y2}");
        } else {
            let kind = rng.choose(&['O', 'X']);
            for _ in 0..=rng.index(2) {
                let (sign, bridge) = (rng.choose(&["", "+", "-"]), rng.choose(&['a', 'b']));
                let _ = writeln!(text, "#{letter}{kind}{sign}{bridge}");
            }
        }
    }
    for bridge in ['a', 'b'] {
        let named = rows.iter().flatten().any(|&tile| tile == bridge);
        if named && (rng.chance(0.5) || !text.lines().any(|line| line.starts_with('#') && line.ends_with(bridge))) {
            let _ = writeln!(text, "%{bridge}");
        }
    }
    Bloxorz::parse(&text).ok()
}

/// Uses small levels with all elements. About half of the searches begin at a random reachable position instead of the
/// start of the level.
#[test]
fn the_fast_search_agrees_with_the_plain_one_on_random_levels() {
    const SEED: u64 = 5;
    let mut rng = Rng::new(SEED);
    let (mut solved, mut split) = (0, 0);
    for round in 0..2500 {
        let Some(mut start) = random_level(&mut rng) else { continue };
        if rng.chance(0.5) {
            let graph = start.state_graph(Minimize::Rolls, &mut unlimited()).unwrap();
            let place = rng.index(graph.block.len());
            start = Bloxorz::new(Arc::clone(start.level()), graph.block[place], graph.bridges[place]).unwrap();
        }
        let outcome = std::panic::catch_unwind(|| [agrees(&start, Minimize::Rolls), agrees(&start, Minimize::Keys)]);
        let [found, _] = outcome.unwrap_or_else(|_| panic!("round {round}, seed {SEED}\n{}", start.text()));
        solved += u32::from(found.is_some_and(|(cost, _)| cost.0 > 2));
        split +=
            u32::from(start.state_graph(Minimize::Rolls, &mut unlimited()).unwrap().block.iter().any(|b| b.is_split()));
    }
    assert!(solved > 200 && split > 20, "{solved} solved, {split} split");
}

/// Searches all boards of plain tiles of each size for the longest shortest solution.
#[test]
fn longest_solutions_of_small_boards_are_the_known_records() {
    for (width, height, record) in [(3, 3, 10), (4, 3, 13), (5, 3, 16), (4, 4, 15), (6, 3, 19)] {
        assert_eq!(longest(width, height), record, "{width} x {height}");
    }
}

/// Returns the number of rolls of the longest shortest solution on a board of plain tiles. Tries every terrain with
/// every start, and takes as the target the cell that takes the most rolls to stand on. Uses only `Block`, `Cell` and
/// `Dir` from the engine.
fn longest(width: usize, height: usize) -> u32 {
    let cells = width * height;
    // The cells that the block covers in each pose, as bits: first the poses that stand on a cell, then those that lie
    // on a cell and its right neighbor, then those that lie on a cell and its lower neighbor.
    let mut masks = vec![0u32; 3 * cells];
    for cell in 0..cells {
        masks[cell] = 1 << cell;
        masks[cells + cell] = if cell % width + 1 < width { 0b11 << cell } else { 0 };
        masks[2 * cells + cell] = if cell + width < cells { 1 << cell | 1 << (cell + width) } else { 0 };
    }
    let place = |block: Block| {
        let inside = |cell: Cell| (0..height as i32).contains(&cell.row) && (0..width as i32).contains(&cell.col);
        let kind = if block.is_standing() { 0 } else { 1 + usize::from(block.first().col == block.second().col) };
        block
            .cells()
            .all(inside)
            .then(|| kind * cells + block.first().row as usize * width + block.first().col as usize)
    };
    let cell = |index: usize| Cell::new((index / width) as i32, (index % width) as i32);
    let next: Vec<Vec<usize>> = (0..3 * cells)
        .map(|pose| {
            let one = cell(pose % cells);
            let block = match pose / cells {
                0 => Block::standing(one),
                1 => Block::split(one, Cell::new(one.row, one.col + 1)),
                _ => Block::split(one, Cell::new(one.row + 1, one.col)),
            };
            gridwright::core::Dir::ALL.iter().filter_map(|&dir| place(block.rolled(dir))).collect()
        })
        .collect();
    let mut best = 0;
    let mut queue = Vec::new();
    for terrain in 1u32..1 << cells {
        for start in (0..cells).filter(|start| terrain >> start & 1 == 1) {
            let (mut seen, mut depth, mut from) = (1u64 << start, 0, 0);
            queue.clear();
            queue.push(start);
            while from < queue.len() {
                let to = queue.len();
                if queue[from..to].iter().any(|&pose| pose < cells) {
                    best = best.max(depth);
                }
                depth += 1;
                while from < to {
                    for &pose in &next[queue[from]] {
                        if terrain & masks[pose] == masks[pose] && seen >> pose & 1 == 0 {
                            seen |= 1 << pose;
                            queue.push(pose);
                        }
                    }
                    from += 1;
                }
            }
        }
    }
    best
}

fn recipe(height: usize, width: usize, effort: u64) -> Recipe {
    Recipe {
        height,
        width,
        min_moves: None,
        max_moves: None,
        switches: 2,
        bridges: 2,
        splitters: 1,
        light: 0.1,
        effort,
    }
}

fn generated(recipe: &Recipe, seed: u64) -> Result<Bloxorz, Error> {
    Bloxorz::generate(recipe, &mut Rng::new(seed), &mut unlimited(), |_| true)
}

#[test]
fn generated_levels_are_sound_and_have_no_useless_parts() {
    let mut useful = [0; 5];
    for seed in 0..16 {
        let recipe = recipe(4 + seed as usize % 3, 5 + seed as usize % 4, 100_000);
        let made = generated(&recipe, seed).unwrap();
        assert_eq!((made.height(), made.width()), (recipe.height, recipe.width));
        assert_eq!(Bloxorz::parse(&made.text()).unwrap(), made);
        assert_eq!(generated(&recipe, seed).unwrap(), made, "seed {seed}");
        let ((least, _), _) = agrees(&made, Minimize::Rolls).unwrap();
        assert!(least >= 8, "seed {seed}: {least} rolls\n{}", made.text());
        let switches: Vec<_> = made.level().switches().iter().flatten().collect();
        assert!(switches.len() <= 3 && made.level().bridges().count_ones() <= 2);
        let graph = made.state_graph(Minimize::Rolls, &mut unlimited()).unwrap();
        for (cell, tile) in made.level().tiles().iter() {
            use gridwright::bloxorz::Tile;
            let touched = graph.block.iter().any(|block| block.cells().any(|other| other == cell));
            let splitter = made.level().switch_at(cell).is_some_and(|s| matches!(s.kind, SwitchKind::Splitter(..)));
            assert!(*tile == Tile::None || touched || splitter, "seed {seed}: {cell} is never used\n{}", made.text());
            // If a plain tile replaces a light tile, a switch, a splitter or a bridge tile, the shortest solution
            // becomes shorter, or the level no longer has a solution.
            if matches!(tile, Tile::Light | Tile::Switch(_) | Tile::Bridge(_)) {
                let plain = with_floor(&made, cell);
                let found = optimum(&plain, &plain_search(&plain, Minimize::Rolls));
                let shorter = found.is_none_or(|((rolls, _), _)| rolls < least);
                assert!(shorter, "seed {seed}: {tile:?} at {cell} is useless\n{}\n{}", made.text(), plain.text());
                useful[match tile {
                    Tile::Light => 0,
                    Tile::Bridge(_) => 1,
                    _ => match made.level().switch_at(cell).unwrap().kind {
                        SwitchKind::Soft => 2,
                        SwitchKind::Heavy => 3,
                        SwitchKind::Splitter(..) => 4,
                    },
                }] += 1;
            }
        }
    }
    assert!(useful.iter().all(|&count| count > 0), "an element was never generated: {useful:?}");
}

/// Returns the level with a plain tile on `cell`. Definitions of switches and bridges that no longer have a tile are
/// removed.
fn with_floor(game: &Bloxorz, cell: Cell) -> Bloxorz {
    let text = game.text();
    let (mut rows, mut lines): (Vec<String>, Vec<String>) =
        text.lines().map(str::to_owned).partition(|line| !line.starts_with(['#', '%']));
    rows[cell.row as usize].replace_range(cell.col as usize..=cell.col as usize, "o");
    let on_board = |rows: &[String], letter: char| rows.iter().any(|row| row.contains(letter));
    lines.retain(|line| {
        let letters: Vec<char> = line.chars().collect();
        let bridge = letters[letters.len() - 1];
        let of_bridge = letters[0] == '%' || letters[2] != 'S';
        (!of_bridge || on_board(&rows, bridge)) && (letters[0] == '%' || on_board(&rows, letters[1]))
    });
    for letter in 'A'..='Z' {
        let defined = lines.iter().any(|line| line.starts_with('#') && line.chars().nth(1) == Some(letter));
        if !matches!(letter, 'S' | 'T') && !defined {
            for row in &mut rows {
                *row = row.replace(letter, "o");
            }
        }
    }
    for bridge in ('a'..='z').filter(|&bridge| bridge != 'o') {
        let named = lines.iter().any(|line| line.ends_with(bridge));
        if !named && on_board(&rows, bridge) {
            // A bridge that no remaining line names is off at the start and stays off, so its tiles are removed.
            for row in &mut rows {
                *row = row.replace(bridge, "-");
            }
        }
    }
    // Removes splitters that would put a cube on a bridge tile that was removed above.
    lines.retain(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |x: usize, y: usize| {
            rows[words[y].parse::<usize>().unwrap()].as_bytes()[words[x].parse::<usize>().unwrap()]
        };
        let kept = words.len() != 5 || (at(1, 2) != b'-' && at(3, 4) != b'-');
        if !kept {
            for row in &mut rows {
                *row = row.replace(&line[1..2], "o");
            }
        }
        kept
    });
    Bloxorz::parse(&[rows, lines].concat().join("\n")).unwrap()
}

/// The bitset search on boards of plain tiles finds levels whose shortest solutions take at least the given numbers of
/// rolls.
#[test]
fn plain_boards_are_generated_with_long_solutions() {
    for (height, width, least) in [(3, 3, 10), (3, 4, 13), (4, 4, 15), (5, 5, 23), (1, 20, 1), (20, 3, 20), (2, 32, 3)]
    {
        let plain = Recipe { switches: 0, bridges: 0, splitters: 0, light: 0.0, ..recipe(height, width, 3_000_000) };
        let made = generated(&plain, 7).unwrap();
        let ((rolls, _), _) = agrees(&made, Minimize::Rolls).unwrap();
        assert!(rolls >= least, "{height} x {width}: {rolls} rolls\n{}", made.text());
        let bounded = Recipe { min_moves: Some(rolls), ..plain };
        assert_eq!(agrees(&generated(&bounded, 7).unwrap(), Minimize::Rolls).unwrap().0.0, rolls);
    }
}

#[test]
fn min_moves_is_met_or_refused() {
    let demanding = Recipe { min_moves: Some(25), ..recipe(6, 8, 3_000_000) };
    let made = generated(&demanding, 1).unwrap();
    assert!(agrees(&made, Minimize::Rolls).unwrap().0.0 >= 25);
    let impossible = Recipe { min_moves: Some(500), ..recipe(4, 4, 50_000) };
    let refused = generated(&impossible, 1).unwrap_err().to_string();
    assert!(refused.contains("min_moves 500 found with effort 50000; the longest takes"), "{refused}");
    let none = generated(&recipe(4, 4, 0), 1).unwrap_err().to_string();
    assert!(none.ends_with("found with effort 0; a larger effort may find one"), "{none}");
    let stopped =
        Bloxorz::generate(&demanding, &mut Rng::new(1), &mut Budget::new("states", Some(1000), None), |_| true);
    assert_eq!(stopped.unwrap_err(), Error::spent(1000, "states"));
    assert_eq!(Bloxorz::generate(&demanding, &mut Rng::new(1), &mut unlimited(), |_| false), Err(Error::Interrupted));
    for (height, width) in [(0, 9), (2, 2), (1, 3), (65, 8)] {
        assert!(recipe(height, width, 10).check().is_err());
    }
    let smallest = Recipe { switches: 0, bridges: 0, splitters: 0, light: 0.0, ..recipe(3, 3, 1_000_000) };
    assert_eq!(rolls(&generated(&smallest, 3).unwrap().solve(Minimize::Rolls, &mut unlimited()).unwrap().unwrap()), 10);
}

/// With 15 bridges and two cubes on 72 tiles, a level has too many states for an array with one bit or one index per
/// state, so the searches keep the states that they find in hash tables.
#[test]
fn searches_with_hash_tables_obey_their_limit_and_find_solutions() {
    let mut text = String::from("oooooooooooooooooo\noSoABCDEFGHIJKLMNP\nooabcdefghijklmnpo\nooooooUooooooooooT\n");
    for letter in ('A'..='N').chain(['P']) {
        let bridge = letter.to_ascii_lowercase();
        let _ = writeln!(text, "#{letter}X{bridge}");
    }
    text.push_str("#US 0 0 17 0\n");
    let start = Bloxorz::parse(&text).unwrap();
    let limited = start.state_graph(Minimize::Rolls, &mut Budget::new("states", Some(50_000), None));
    assert_eq!(limited.unwrap_err(), Error::spent(50_000, "states"));
    for minimize in [Minimize::Rolls, Minimize::Keys] {
        let keys = start.solve(minimize, &mut unlimited()).unwrap().unwrap();
        let mut game = Bloxorz::start(Arc::clone(start.level()));
        for key in keys {
            game.apply([i32::from(key)]);
        }
        assert_eq!((game.status(), game.falls()), (Status::Won, 0));
    }
}

/// Repeats the session that the source document prints for level 1.
#[test]
fn the_terrain_agrees_with_the_session_of_the_source_document() {
    let terrain = Level::parse(levels::text("bloxorz", "level01").unwrap()).unwrap();
    assert_eq!((terrain.width(), terrain.height()), (10, 6));
    assert_eq!((terrain.start(), terrain.target()), (Cell::new(1, 1), Cell::new(4, 7)));
    assert_eq!(terrain.at(Cell::new(1, 2)), 2);
    let block = Block::standing(Cell::new(1, 4));
    assert!(terrain.can_hold(block));
    let block = block.rolled(gridwright::core::Dir::E);
    assert_eq!(block.to_string(), "Block{Pos(x=5, y=1),Pos(x=6, y=1)}");
    assert!(!terrain.can_hold(block));
    assert_eq!((terrain.at(Cell::new(1, 5)), terrain.at(Cell::new(1, 6))), (2, 0));
}

#[test]
fn play_all_plays_all_keys_or_none() {
    let mut history = History::new(level("level01"));
    history.play_all(&[[2], [2]]).unwrap();
    history.undo();
    let before = (history.state().clone(), history.moves().len(), history.undone().collect::<Vec<_>>());
    assert!(history.play_all(&[[2], [4], [2]]).is_err());
    assert!(before == (history.state().clone(), history.moves().len(), history.undone().collect()));
    history.play_all(&[]).unwrap();
    assert_eq!(history.undone().len(), 1);
}

/// Removing contradictory parts of a sketch can make the shortest solution longer than `max_moves`. The generator must
/// not return a level with such a solution.
#[test]
fn generated_levels_take_no_more_rolls_than_max_moves() {
    let bare = Recipe { max_moves: Some(9), switches: 0, bridges: 6, splitters: 6, light: 0.0, ..recipe(4, 5, 60_000) };
    let mut made = 0;
    for seed in 0..60 {
        let Ok(level) = generated(&bare, seed) else { continue };
        let keys = level.solve(Minimize::Rolls, &mut unlimited()).unwrap().unwrap();
        assert!(rolls(&keys) <= 9, "seed {seed}\n{}", level.text());
        made += 1;
    }
    assert!(made > 0);
}

/// A sketch can have contradictory parts. The level made from the sketch must still have a solution.
#[test]
fn levels_with_more_bridges_than_switches_have_solutions() {
    for seed in 0..120 {
        let (height, width) = (4 + seed as usize % 4, 5 + seed as usize % 5);
        let bare = Recipe { switches: seed as usize % 2, light: 0.05, ..recipe(height, width, 60_000) };
        let made = generated(&bare, seed).unwrap();
        let keys = made.solve(Minimize::Rolls, &mut unlimited()).unwrap();
        assert!(keys.is_some_and(|keys| rolls(&keys) > 0), "seed {seed}\n{}", made.text());
    }
}

#[test]
fn the_budget_counts_the_first_sketch() {
    let mut budget = unlimited();
    assert!(Bloxorz::generate(&recipe(6, 8, 0), &mut Rng::new(1), &mut budget, |_| true).is_err());
    assert!(budget.spent() > 0);
}

#[test]
fn levels_generated_for_a_grade_have_that_grade() {
    for grade in 1..=5 {
        let mut made = 0;
        for seed in 0..6 {
            let plan = recipe(6, 8, 8_000_000);
            let generate = || Bloxorz::generate_graded(&plan, grade, &mut Rng::new(seed), &mut unlimited(), |_| true);
            let Ok(level) = generate() else { continue };
            assert_eq!(level.difficulty(&mut unlimited()).unwrap().grade, grade, "seed {seed}\n{}", level.text());
            assert_eq!(generate().unwrap(), level);
            made += 1;
        }
        assert!(made >= if grade < 5 { 6 } else { 1 }, "grade {grade}: {made} of 6");
    }
    let refused = Bloxorz::generate_graded(&recipe(6, 8, 1), 6, &mut Rng::new(1), &mut unlimited(), |_| true);
    assert_eq!(refused.unwrap_err().to_string(), "grade must be between 1 and 5, got 6");
}

#[test]
fn a_blank_level_has_start_and_target_only() {
    assert_eq!(Bloxorz::blank(2, 3).unwrap().text(), "S--\n--T\n");
    assert_eq!(Bloxorz::blank(1, 2).unwrap().text(), "ST\n");
    for (height, width) in [(1, 1), (0, 3), (1 << 20, 1 << 20)] {
        assert!(matches!(Bloxorz::blank(height, width), Err(Error::Invalid(_))));
    }
}

#[test]
fn cubes_that_have_just_met_form_one_block() {
    let level = Arc::clone(Bloxorz::parse("Sooooo\noooooo\noooooT\n").unwrap().level());
    for (control, other, dir) in
        [(Cell::new(0, 3), Cell::new(0, 1), Dir::W), (Cell::new(2, 2), Cell::new(0, 2), Dir::N)]
    {
        let met = Block::split(control, other).rolled(dir);
        let game = Bloxorz::new(Arc::clone(&level), met, 0).unwrap();
        assert_eq!(game.block(), Block::split(met.first(), met.second()));
        assert!(Bloxorz::parse(&game.text()).unwrap() == game);
    }
}

#[test]
fn cells_wrap_at_the_limits_of_their_numbers() {
    let (low, high) = (Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX));
    assert!(Block::split(low, high).is_split());
    assert_eq!(high.step(Dir::S, 1), Cell::new(i32::MIN, i32::MAX));
    assert_eq!(low.step(Dir::N, i32::MIN), Cell::new(0, i32::MIN));
    for dir in Dir::ALL {
        let lying = Block::standing(high).rolled(dir);
        assert_eq!(lying.first().step(dir, 1).step(dir.opposite(), 1), lying.first());
    }
}
