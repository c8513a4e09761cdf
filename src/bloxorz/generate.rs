//! New levels with long shortest solutions, by simulated annealing.
//!
//! A sketch is a terrain with switches, bridges and splitters but no target. One breadth-first search over its states finds
//! the standing place that takes the most rolls: that is where the target goes. So each sketch has a length, and annealing
//! makes it longer. The sketch may hold nonsense (a bridge under a switch); what is of no use is taken away at the end.

use std::sync::Arc;

use super::space::{Plan, Space, Tables};
use super::{Bloxorz, Level, Minimize, Switch, SwitchKind, Tile};
use crate::core::{Budget, Cell, Dir, Error, Grid, Rng};

/// What a generated level is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Number of rows.
    pub height: usize,
    /// Number of columns.
    pub width: usize,
    /// The fewest rolls that a solution must take; the search ends where it is met. `None` for as many as come.
    pub min_moves: Option<u32>,
    /// At most so many switches, soft and heavy.
    pub switches: usize,
    /// At most so many bridges.
    pub bridges: usize,
    /// At most so many splitters.
    pub splitters: usize,
    /// About this part of the tiles is light.
    pub light: f64,
    /// How many states are looked at in all, a second for some 20 million; on boards of at most 64 cells with nothing but
    /// tiles they are looked at together, 32 for one.
    pub effort: u64,
}

/// The letters of switches and bridges, in the order in which they are given out.
const SWITCH_LETTERS: &[u8; 24] = b"ABCDEFGHIJKLMNOPQRUVWXYZ";
const BRIDGE_LETTERS: &[u8; 25] = b"abcdefghijklmnpqrstuvwxyz";

/// The most elements of a kind: their states are searched for each sketch.
const MOST_BRIDGES: usize = 12;
/// The most switches and splitters together.
const MOST_SWITCHES: usize = SWITCH_LETTERS.len();
/// The longest side of a generated board.
const MOST_SIDE: usize = 64;

/// A sketch with more states than this is not followed.
const MOST_STATES: usize = 100_000;
const MOST_SIZE: u64 = 1 << 24;

impl Recipe {
    /// Says what cannot be made, in a sentence.
    ///
    /// # Errors
    /// A board too small for any level or too large, too many elements, a part of light tiles that is none.
    pub fn check(&self) -> Result<(), Error> {
        let (short, long) = (self.height.min(self.width), self.height.max(self.width));
        let size = format!("a board of {} x {}", self.height, self.width);
        if short == 0 || long < 3 || (short == 1 && long < 4) {
            return Err(Error::Invalid(format!("{size}, wanted at least 1 x 4 or 2 x 3: the block has nowhere to go")));
        }
        if long > MOST_SIDE {
            return Err(Error::Invalid(format!("{size}, wanted at most {MOST_SIDE} x {MOST_SIDE}")));
        }
        if self.switches + self.splitters > MOST_SWITCHES {
            let (switches, splitters) = (self.switches, self.splitters);
            return Err(Error::Invalid(format!(
                "{switches} switches and {splitters} splitters, wanted at most {MOST_SWITCHES} together"
            )));
        }
        if self.bridges > MOST_BRIDGES {
            return Err(Error::Invalid(format!("{} bridges, wanted at most {MOST_BRIDGES}", self.bridges)));
        }
        if !(0.0..=1.0).contains(&self.light) {
            return Err(Error::Invalid(format!("a part of {} light tiles, wanted 0 to 1", self.light)));
        }
        Ok(())
    }

    fn cells(&self) -> usize {
        self.height * self.width
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    None,
    Floor,
    Light,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Toggle,
    On,
    Off,
}

/// A switch of a sketch: what it does to each of one or two bridges.
#[derive(Clone, Debug)]
struct Knob {
    cell: usize,
    heavy: bool,
    acts: Vec<(usize, Action)>,
}

#[derive(Clone, Debug)]
struct Span {
    cells: Vec<usize>,
    on: bool,
}

/// A terrain without a target.
#[derive(Clone, Debug)]
struct Sketch {
    ground: Vec<Ground>,
    start: usize,
    knobs: Vec<Knob>,
    spans: Vec<Span>,
    /// The cell and where the two cubes appear.
    splitters: Vec<[usize; 3]>,
}

/// A sketch in the terms of a level.
struct Drawn {
    tiles: Grid<Tile>,
    switches: [Option<Switch>; 26],
    bridges_on: u32,
}

fn letter(letters: &[u8], index: usize) -> u8 {
    letters[index].to_ascii_lowercase() - b'a'
}

impl Sketch {
    fn random(recipe: &Recipe, rng: &mut Rng) -> Self {
        let cells = recipe.cells();
        let any = |rng: &mut Rng| rng.index(cells);
        let mut ground = vec![Ground::None; cells];
        for tile in &mut ground {
            if rng.chance(0.7) {
                *tile = if rng.chance(recipe.light) { Ground::Light } else { Ground::Floor };
            }
        }
        let spans = (0..recipe.bridges).map(|_| Span { cells: vec![any(rng)], on: rng.chance(0.3) }).collect();
        let knobs = (0..if recipe.bridges == 0 { 0 } else { recipe.switches })
            .map(|i| Knob { cell: any(rng), heavy: rng.chance(0.5), acts: vec![(i % recipe.bridges, Action::Toggle)] })
            .collect();
        let splitters = (0..recipe.splitters).map(|_| [any(rng), any(rng), any(rng)]).collect();
        Self { ground, start: any(rng), knobs, spans, splitters }
    }

    /// Changes one thing, now and then two.
    fn change(&mut self, recipe: &Recipe, rng: &mut Rng) {
        let near = |rng: &mut Rng, cell: usize| {
            let (row, col) = (cell / recipe.width, cell % recipe.width);
            let step = |rng: &mut Rng, at: usize, size: usize| (at + rng.index(3)).clamp(1, size) - 1;
            step(rng, row, recipe.height) * recipe.width + step(rng, col, recipe.width)
        };
        // An element moves a little, or anywhere.
        let moved =
            |rng: &mut Rng, cell: usize| if rng.chance(0.5) { near(rng, cell) } else { rng.index(recipe.cells()) };
        loop {
            let elements = self.knobs.len() + self.spans.len() + self.splitters.len();
            let share = if elements == 0 { 0.06 } else { 0.45 };
            if rng.chance(share) {
                let pick = rng.index(elements + 1);
                if pick < self.knobs.len() {
                    let knob = &mut self.knobs[pick];
                    match rng.index(6) {
                        0..3 => knob.cell = moved(rng, knob.cell),
                        3 => knob.heavy = !knob.heavy,
                        4 => {
                            let act = rng.index(knob.acts.len());
                            let bridge = rng.index(self.spans.len());
                            knob.acts[act] = (bridge, *rng.choose(&[Action::Toggle, Action::On, Action::Off]));
                        }
                        _ if knob.acts.len() > 1 => drop(knob.acts.pop()),
                        _ => knob.acts.push((
                            rng.index(self.spans.len()),
                            *rng.choose(&[Action::Toggle, Action::On, Action::Off]),
                        )),
                    }
                } else if pick < self.knobs.len() + self.spans.len() {
                    let span = &mut self.spans[pick - self.knobs.len()];
                    let at = rng.index(span.cells.len());
                    match rng.index(6) {
                        0 => span.on = !span.on,
                        1 if span.cells.len() < 4 => {
                            let cell = near(rng, span.cells[at]);
                            span.cells.push(cell);
                        }
                        1 | 2 if span.cells.len() > 1 => drop(span.cells.swap_remove(at)),
                        _ => span.cells[at] = moved(rng, span.cells[at]),
                    }
                } else if pick < elements {
                    let splitter = &mut self.splitters[pick - self.knobs.len() - self.spans.len()];
                    let at = rng.index(3);
                    splitter[at] = moved(rng, splitter[at]);
                } else {
                    self.start = moved(rng, self.start);
                }
            } else {
                let cell = rng.index(self.ground.len());
                self.ground[cell] = match self.ground[cell] {
                    _ if rng.chance(recipe.light) => Ground::Light,
                    Ground::None | Ground::Light => Ground::Floor,
                    Ground::Floor => Ground::None,
                };
                if self.ground[cell] == Ground::Light && recipe.light > 0.0 && rng.chance(0.3) {
                    self.ground[cell] = Ground::None;
                }
            }
            if rng.chance(0.65) {
                break;
            }
        }
    }

    /// Becomes another sketch, in the same memory.
    fn become_like(&mut self, other: &Self) {
        self.ground.clone_from(&other.ground);
        self.start = other.start;
        self.knobs.clone_from(&other.knobs);
        self.spans.clone_from(&other.spans);
        self.splitters.clone_from(&other.splitters);
    }

    fn draw(&self, recipe: &Recipe, out: &mut Drawn) {
        let tiles = out.tiles.as_mut_slice();
        for (tile, ground) in tiles.iter_mut().zip(&self.ground) {
            *tile = match ground {
                Ground::None => Tile::None,
                Ground::Floor => Tile::Floor,
                Ground::Light => Tile::Light,
            };
        }
        out.switches = [None; 26];
        out.bridges_on = 0;
        for (i, span) in self.spans.iter().enumerate() {
            let name = letter(BRIDGE_LETTERS, i);
            out.bridges_on |= u32::from(span.on) << name;
            for &cell in &span.cells {
                tiles[cell] = Tile::Bridge(name);
            }
        }
        for (i, knob) in self.knobs.iter().enumerate() {
            let name = letter(SWITCH_LETTERS, i);
            let kind = if knob.heavy { SwitchKind::Heavy } else { SwitchKind::Soft };
            let mut switch = Switch { kind, keep: u32::MAX, flip: 0, named: 0 };
            for &(bridge, action) in &knob.acts {
                let bit = 1 << letter(BRIDGE_LETTERS, bridge);
                if switch.named & bit != 0 {
                    continue; // one line a bridge: a level that people can read
                }
                switch.named |= bit;
                match action {
                    Action::Toggle => switch.flip |= bit,
                    Action::On => (switch.keep, switch.flip) = (switch.keep & !bit, switch.flip | bit),
                    Action::Off => switch.keep &= !bit,
                }
            }
            tiles[knob.cell] = Tile::Switch(name);
            out.switches[name as usize] = Some(switch);
        }
        let cell = |index: usize| Cell::new((index / recipe.width) as i32, (index % recipe.width) as i32);
        for (i, &[at, first, second]) in self.splitters.iter().enumerate() {
            let name = letter(SWITCH_LETTERS, self.knobs.len() + i);
            let (first, second) = (cell(first), cell(second));
            let apart = first.row.abs_diff(second.row) + first.col.abs_diff(second.col) > 1;
            if apart {
                tiles[at] = Tile::Switch(name);
                let kind = SwitchKind::Splitter(first, second);
                out.switches[name as usize] = Some(Switch { kind, keep: u32::MAX, flip: 0, named: 0 });
            }
        }
        tiles[self.start] = Tile::Floor;
    }
}

/// What one search over a sketch found.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    rolls: u32,
    target: usize,
    /// How many switches, splitters and kinds of things the way to the target uses.
    used: u32,
    /// How many states there are.
    states: usize,
    /// What it took, in states.
    work: u64,
}

/// A board of at most 64 cells with nothing but tiles: sets of poses as bits, searched a layer at a time.
struct Board64 {
    width: u32,
    /// The cells from which one and two steps to the left, and to the right, stay on the board.
    inner: [u64; 4],
}

impl Board64 {
    fn new(recipe: &Recipe) -> Option<Self> {
        let plain = recipe.switches == 0 && recipe.bridges == 0 && recipe.splitters == 0 && recipe.light == 0.0;
        let columns = |wanted: &dyn Fn(usize) -> bool| {
            (0..recipe.cells()).filter(|cell| wanted(cell % recipe.width)).fold(0, |bits, cell| bits | 1 << cell)
        };
        (plain && recipe.cells() <= 64).then(|| Self {
            width: recipe.width as u32,
            inner: [
                columns(&|col| col >= 1),
                columns(&|col| col >= 2),
                columns(&|col| col + 1 < recipe.width),
                columns(&|col| col + 2 < recipe.width),
            ],
        })
    }

    /// Finds the standing place that takes the most rolls.
    fn farthest(&self, sketch: &Sketch) -> Found {
        let tile = |(cell, &ground): (usize, &Ground)| u64::from(ground != Ground::None) << cell;
        let ground = sketch.ground.iter().enumerate().map(tile).fold(1 << sketch.start, |bits, bit| bits | bit);
        let (width, [left, left2, right, right2]) = (self.width, self.inner);
        // Cells on which a block stands, and on which it has its left or upper cube when it lies.
        // A wide board has few rows: a step down or up may be as large as the word.
        let lower = |bits: u64, by: u32| bits.checked_shl(by).unwrap_or(0);
        let upper = |bits: u64, by: u32| bits.checked_shr(by).unwrap_or(0);
        let (mut across, mut down) = (ground & right & ground >> 1, ground & upper(ground, width));
        let (mut stand, mut row, mut column) = (1 << sketch.start, 0, 0);
        let mut standing = ground & !stand;
        let (mut rolls, mut found) = (0, Found { states: 1, ..Found::default() });
        while stand | row | column != 0 {
            rolls += 1;
            let to_stand = (row & right2) << 2 | (row & left) >> 1 | lower(column, 2 * width) | upper(column, width);
            let to_row = (stand & right) << 1 | (stand & left2) >> 2 | lower(row, width) | upper(row, width);
            let to_column =
                lower(stand, width) | upper(stand, 2 * width) | (column & right) << 1 | (column & left) >> 1;
            (stand, row, column) = (to_stand & standing, to_row & across, to_column & down);
            (standing, across, down) = (standing & !stand, across & !row, down & !column);
            found.states += (stand.count_ones() + row.count_ones() + column.count_ones()) as usize;
            if stand != 0 {
                (found.rolls, found.target) = (rolls, stand.trailing_zeros() as usize);
            }
        }
        // One by one they would take so many times as long.
        found.work = (found.states + 4 * sketch.ground.len()).div_ceil(32) as u64;
        found
    }
}

/// Searches sketch after sketch in the same memory.
#[derive(Default)]
struct Searcher {
    tables: Tables,
    /// The number of the search that a state or a cell was last seen in.
    seen: Vec<u32>,
    stood: Vec<u32>,
    search: u32,
    /// The states in the order of their depth, with the place of the one before.
    order: Vec<(u64, u32)>,
}

impl Searcher {
    /// Finds the standing place that takes the most rolls: no rolls where there is none or there are too many states.
    fn farthest(&mut self, drawn: &Drawn, start: usize) -> Found {
        let plan = Plan {
            tiles: &drawn.tiles,
            switches: &drawn.switches,
            target: None,
            bridges: drawn.bridges_on,
            split: false,
        };
        self.order.clear();
        let mut found = Found::default();
        if let Ok(space) = Space::new(plan, std::mem::take(&mut self.tables)) {
            if space.size() <= MOST_SIZE {
                found = self.walk(&space, drawn, start).unwrap_or_default();
            }
            self.tables = space.into_tables();
        }
        found.states = self.order.len();
        // Drawing and the tables cost about as much as so many states.
        found.work = (self.order.len() + 4 * drawn.tiles.len()) as u64;
        found
    }

    fn walk(&mut self, space: &Space<'_>, drawn: &Drawn, start: usize) -> Option<Found> {
        if self.seen.len() < space.size() as usize {
            self.seen.resize(space.size() as usize, 0);
        }
        self.stood.resize(drawn.tiles.len(), 0);
        self.search += 1;
        let (search, seen, stood, order) = (self.search, &mut self.seen, &mut self.stood, &mut self.order);
        let first = space.state(super::Block::standing(drawn.tiles.cell(start)), drawn.bridges_on)?;
        seen[first as usize] = search;
        stood[start] = search;
        order.push((first, 0));
        let tiles = drawn.tiles.as_slice();
        let (mut from, mut rolls, mut best) = (0, 0, None);
        while from < order.len() {
            let to = order.len();
            rolls += 1;
            while from < to {
                let (state, place) = (order[from].0, from as u32);
                from += 1;
                space.each(state, |_, next| {
                    if std::mem::replace(&mut seen[next as usize], search) == search {
                        return;
                    }
                    if let Some(cell) = space.standing(next) {
                        if std::mem::replace(&mut stood[cell], search) != search && tiles[cell] == Tile::Floor {
                            best = Some((rolls, order.len(), cell));
                        }
                    }
                    order.push((next, place));
                    if let Some(twin) = space.switched(next) {
                        seen[twin as usize] = search;
                        order.push((twin, place));
                    }
                });
                if order.len() > MOST_STATES {
                    return None;
                }
            }
        }
        let (rolls, place, target) = best?;
        Some(Found { rolls, target, used: self.used(space, drawn, place), ..Found::default() })
    }

    /// Counts the switches that fire on the way to a state, the splitters, and light tiles where there are any.
    fn used(&self, space: &Space<'_>, drawn: &Drawn, mut place: usize) -> u32 {
        let (mut letters, mut light) = (0u32, 0u32);
        let mut after: Option<u64> = None;
        while place != 0 {
            let (state, before) = self.order[place];
            let block = space.block(state);
            for cell in block.cells() {
                match drawn.tiles[cell] {
                    Tile::Switch(letter) => {
                        let changes = space.bridges(state) != space.bridges(self.order[before as usize].0);
                        letters |= u32::from(changes) << letter;
                    }
                    Tile::Light => light = 1,
                    _ => {}
                }
            }
            if block.is_split() && after.is_none_or(|after| !space.block(after).is_split()) {
                letters |= 1 << 31;
            }
            after = Some(state);
            place = before as usize;
        }
        letters.count_ones() + light
    }
}

impl Recipe {
    /// What a sketch is worth: its rolls, and two more for each element of use.
    fn worth(&self, found: Found) -> u32 {
        let elements = (self.switches + self.splitters) as u32 + u32::from(self.light > 0.0);
        found.rolls + 2 * found.used.min(elements)
    }

    /// What annealing makes larger: the worth. Without bridges and splitters states off the way cost a little: on a board
    /// of bounded size a long way is one with few byways.
    fn score(&self, found: Found) -> f64 {
        let plain = self.bridges == 0 && self.splitters == 0;
        f64::from(self.worth(found)) - if plain { 0.07 * found.states as f64 } else { 0.0 }
    }
}

impl Bloxorz {
    /// Makes a level with a long shortest solution. The same recipe and random stream give the same level.
    ///
    /// `better` is told each level that is longer than those before, and says whether to go on. What the shortest solution does not need is taken
    /// away: tiles that nothing reaches, switches, bridges, splitters and light tiles that could as well be plain, and
    /// tiles that only add further shortest solutions.
    ///
    /// # Errors
    /// [`Error`] where `min_moves` was not met within the effort, or the budget, in states looked at, ended the search.
    pub fn generate(
        recipe: &Recipe,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
        mut better: impl FnMut(&Self) -> bool,
    ) -> Result<Self, Error> {
        recipe.check()?;
        let mut searcher = Searcher::default();
        let mut drawn =
            Drawn { tiles: Grid::new(recipe.height, recipe.width, Tile::None), switches: [None; 26], bridges_on: 0 };
        let bits = Board64::new(recipe);
        let (first_heat, last_heat) = if bits.is_some() { HEAT64 } else { HEAT };
        let mut look = |sketch: &Sketch, drawn: &mut Drawn| {
            if let Some(bits) = &bits {
                return bits.farthest(sketch);
            }
            sketch.draw(recipe, drawn);
            searcher.farthest(drawn, sketch.start)
        };
        let mut best: Option<(Sketch, Found)> = None;
        let rounds = (recipe.effort / ROUND).max(1);
        let mut spent = 0;
        'search: for round in 0..rounds {
            let (begun, end) = (spent, recipe.effort / rounds * (round + 1));
            // Every third round goes on from the best with less heat, the others begin anew.
            let last = round % 3 == 2;
            let mut now = match &best {
                Some((sketch, _)) if last => sketch.clone(),
                _ => Sketch::random(recipe, rng),
            };
            let hot = if last { first_heat / 2.0 } else { first_heat };
            let mut here = look(&now, &mut drawn);
            let mut trial = now.clone();
            while spent < end {
                trial.become_like(&now);
                trial.change(recipe, rng);
                let there = look(&trial, &mut drawn);
                budget.spend(there.work)?;
                spent += there.work;
                let gain = recipe.score(there) - recipe.score(here);
                let passed = (spent - begun) as f64 / (end - begun) as f64;
                let heat = hot * (last_heat / hot).powf(passed);
                if gain < 0.0 && !rng.chance((gain / heat).exp()) {
                    continue;
                }
                std::mem::swap(&mut now, &mut trial);
                here = there;
                let met = recipe.min_moves.is_some_and(|wanted| here.rolls >= wanted);
                if met
                    || (here.rolls > 0
                        && best.as_ref().is_none_or(|(_, found)| recipe.worth(here) > recipe.worth(*found)))
                {
                    best = Some((now.clone(), here));
                    now.draw(recipe, &mut drawn);
                    if !better(&drawn.level(now.start, here.target)) {
                        return Err(Error::Interrupted);
                    }
                    if met {
                        break 'search;
                    }
                }
            }
        }
        let missed = |found: u32| {
            let wanted = recipe.min_moves.unwrap_or(1);
            let tried = recipe.effort;
            Error::Limit(format!(
                "at most {found} rolls after {tried} states, wanted {wanted}: a larger effort may find them"
            ))
        };
        let (sketch, found) = best.ok_or_else(|| missed(0))?;
        if recipe.min_moves.is_some_and(|wanted| found.rolls < wanted) {
            return Err(missed(found.rolls));
        }
        sketch.draw(recipe, &mut drawn);
        drawn.level(sketch.start, found.target).trimmed(recipe.effort / 4, budget)
    }

    /// Takes away what the shortest solution does not need; it never gets shorter. With up to `work` states looked at, tiles
    /// that only add further shortest solutions go too.
    fn trimmed(self, work: u64, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let rolls = self.rolls(budget)?;
        let mut best = self.with_plain_elements(rolls, budget)?;
        let end = budget.spent().saturating_add(work);
        // So many ways that they cannot be counted are as bad as the most.
        let count = |game: &Self, budget: &mut Budget<'_>| match game.count_shortest(Minimize::Rolls, budget) {
            Err(Error::Limit(_)) => Ok(u128::MAX),
            other => other,
        };
        let mut ways = count(&best, budget)?;
        for index in 0..best.level.tiles().len() {
            let cell = best.level.tiles().cell(index);
            if ways > 1 && budget.spent() < end && best.level.tile(cell) == Tile::Floor && cell != best.level.start() {
                let trial = best.with_tile(cell, Tile::None);
                if trial.rolls(budget)? >= rolls {
                    let fewer = count(&trial, budget)?;
                    if fewer < ways {
                        (best, ways) = (trial, fewer);
                    }
                }
            }
        }
        best.with_plain_elements(rolls, budget)
    }

    /// Makes plain what could as well be plain, until nothing is left: tiles out of reach, elements, lines of switches.
    fn with_plain_elements(self, rolls: usize, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let mut best = self;
        loop {
            let before = best.clone();
            best = best.without_unreached(budget)?;
            for index in 0..best.level.tiles().len() {
                let cell = best.level.tiles().cell(index);
                if matches!(best.level.tile(cell), Tile::Light | Tile::Switch(_) | Tile::Bridge(_)) {
                    for plain in [Tile::None, Tile::Floor] {
                        let trial = best.with_tile(cell, plain);
                        if trial.rolls(budget)? >= rolls {
                            best = trial;
                            break;
                        }
                    }
                }
            }
            for letter in 0..26 {
                for bridge in 0..26 {
                    if let Some(trial) = best.without_line(letter, bridge) {
                        if trial.rolls(budget)? >= rolls {
                            best = trial;
                        }
                    }
                }
            }
            if best == before {
                return Ok(best);
            }
        }
    }

    /// The fewest rolls; 0 where there is no solution.
    fn rolls(&self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        let keys = self.solve(Minimize::Rolls, budget)?.unwrap_or_default();
        Ok(keys.iter().filter(|&&key| i32::from(key) < super::SWITCH_KEY).count())
    }

    fn with_tile(&self, cell: Cell, tile: Tile) -> Self {
        let level = &self.level;
        let mut tiles = level.tiles().clone();
        tiles[cell] = tile;
        rebuilt(tiles, level.start(), level.target(), level.switches(), level.bridges_on())
    }

    /// The level without what one switch does to one bridge; `None` where it does nothing to it.
    fn without_line(&self, letter: usize, bridge: u32) -> Option<Self> {
        let level = &self.level;
        let (mut switches, bit) = (*level.switches(), 1 << bridge);
        let switch = switches[letter].as_mut().filter(|switch| switch.named & bit != 0)?;
        (switch.named, switch.keep, switch.flip) = (switch.named & !bit, switch.keep | bit, switch.flip & !bit);
        Some(rebuilt(level.tiles().clone(), level.start(), level.target(), &switches, level.bridges_on()))
    }

    /// The level without the tiles that no state covers.
    fn without_unreached(&self, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let level = &self.level;
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        let mut tiles = Grid::new(level.height(), level.width(), Tile::None);
        for block in &graph.block {
            for cell in block.cells() {
                tiles[cell] = level.tile(cell);
            }
            // A block that splits is never seen on the splitter.
            for rolled in Dir::ALL.map(|dir| block.rolled(dir)).into_iter().filter(|rolled| rolled.is_standing()) {
                if let Some(SwitchKind::Splitter(..)) = level.switch_at(rolled.first()).map(|switch| switch.kind) {
                    tiles[rolled.first()] = level.tile(rolled.first());
                }
            }
        }
        Ok(rebuilt(tiles, level.start(), level.target(), level.switches(), level.bridges_on()))
    }
}

/// Annealing takes about so many states, then begins anew.
const ROUND: u64 = 80_000_000;

/// The heat of annealing at its start and end, in rolls; more where so many more sketches are looked at.
const HEAT: (f64, f64) = (2.0, 0.15);
const HEAT64: (f64, f64) = (3.0, 0.3);

impl Drawn {
    fn level(&self, start: usize, target: usize) -> Bloxorz {
        let mut tiles = self.tiles.clone();
        tiles.as_mut_slice()[target] = Tile::Target;
        rebuilt(tiles.clone(), tiles.cell(start), tiles.cell(target), &self.switches, self.bridges_on)
    }
}

/// Makes a sound level of what may hold nonsense: bridges that no switch names become plain, switches that change nothing
/// too, and the letters are given out anew in the order of the tiles.
fn rebuilt(
    mut tiles: Grid<Tile>,
    start: Cell,
    target: Cell,
    switches: &[Option<Switch>; 26],
    bridges_on: u32,
) -> Bloxorz {
    let on_board = |tiles: &Grid<Tile>, wanted: Tile| tiles.as_slice().contains(&wanted);
    let mut switches = *switches;
    loop {
        let mut changed = false;
        let mut named = 0;
        for letter in 0..26u8 {
            let Some(switch) = &mut switches[letter as usize] else { continue };
            for bridge in 0..26u8 {
                let bit = 1 << bridge;
                if switch.named & bit != 0 && !on_board(&tiles, Tile::Bridge(bridge)) {
                    (switch.named, switch.keep, switch.flip) =
                        (switch.named & !bit, switch.keep | bit, switch.flip & !bit);
                }
            }
            let useless = match switch.kind {
                SwitchKind::Splitter(a, b) => {
                    [a, b].iter().any(|&cell| tiles.get(cell).is_none_or(|&tile| tile == Tile::None))
                }
                _ => switch.named == 0,
            };
            if useless || !on_board(&tiles, Tile::Switch(letter)) {
                for tile in tiles.as_mut_slice().iter_mut().filter(|tile| **tile == Tile::Switch(letter)) {
                    *tile = Tile::Floor;
                }
                switches[letter as usize] = None;
                changed = true;
            } else {
                named |= switch.named;
            }
        }
        for tile in tiles.as_mut_slice() {
            if let Tile::Bridge(letter) = *tile {
                if named >> letter & 1 == 0 {
                    *tile = if bridges_on >> letter & 1 == 1 { Tile::Floor } else { Tile::None };
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let (mut bridge_names, mut switch_names) = ([None; 26], [None; 26]);
    let (mut bridges, mut knobs) = (0, 0);
    for tile in tiles.as_mut_slice() {
        match tile {
            Tile::Bridge(name) => {
                let new = bridge_names[*name as usize].get_or_insert_with(|| {
                    bridges += 1;
                    letter(BRIDGE_LETTERS, bridges - 1)
                });
                *name = *new;
            }
            Tile::Switch(name) => {
                let new = switch_names[*name as usize].get_or_insert_with(|| {
                    knobs += 1;
                    letter(SWITCH_LETTERS, knobs - 1)
                });
                *name = *new;
            }
            _ => {}
        }
    }
    let renamed = |bits: u32| {
        (0..26)
            .filter(|&old| bits >> old & 1 == 1)
            .filter_map(|old| bridge_names[old])
            .fold(0, |set, new| set | 1 << new)
    };
    let mut fresh = [None; 26];
    for (old, new) in switch_names.iter().enumerate() {
        if let (Some(new), Some(switch)) = (new, switches[old]) {
            let (keep, flip, named) =
                (!renamed(!switch.keep & switch.named), renamed(switch.flip), renamed(switch.named));
            fresh[*new as usize] = Some(Switch { keep, flip, named, ..switch });
        }
    }
    Bloxorz::start(Arc::new(Level::new(tiles, start, target, &fresh, renamed(bridges_on))))
}
