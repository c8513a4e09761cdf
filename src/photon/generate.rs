//! New puzzles: light first, sensors where it falls, then the pieces scattered.

use crate::core::{Budget, Error, Game, Rng, Status, text};

use super::MyPhoton;
use super::solve::CIRCLE;
use super::tile::{EMPTY, LASERLETS, Tile, WALL, leaves};

/// What a new puzzle shall hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Rows of the board, with the ring of walls.
    pub height: usize,
    /// Columns of the board, with the ring of walls.
    pub width: usize,
    /// Number of lasers.
    pub lasers: usize,
    /// Number of sensors.
    pub sensors: usize,
    /// Number of mirrors.
    pub mirrors: usize,
    /// Number of beam splitters.
    pub splitters: usize,
    /// Number of T-mirrors.
    pub tmirrors: usize,
    /// The chance of a wall on each inner tile, from 0 to 1.
    pub walls: f64,
    /// Whether exactly one placement of the hardware shall light all sensors.
    pub unique: bool,
    /// How many swaps the shortest answer shall have; `None` for any number.
    pub swaps: Option<usize>,
}

impl Recipe {
    /// The recipe that only says the size: one laser, two sensors, two mirrors, a splitter, a T-mirror, some walls.
    pub fn new(height: usize, width: usize) -> Self {
        Self {
            height,
            width,
            lasers: 1,
            sensors: 2,
            mirrors: 2,
            splitters: 1,
            tmirrors: 1,
            walls: 0.1,
            unique: false,
            swaps: None,
        }
    }

    fn check(&self) -> Result<(), Error> {
        text::check_size(self.height, self.width)?;
        let (lasers, sensors) = (self.lasers, self.sensors);
        let pieces = self.mirrors.saturating_add(self.splitters).saturating_add(self.tmirrors);
        let all = pieces.saturating_add(lasers).saturating_add(sensors);
        let cells = self.height * self.width;
        if lasers == 0 || sensors == 0 || pieces == 0 {
            Err(Error::Invalid(format!(
                "{lasers} lasers, {sensors} sensors and {pieces} pieces, wanted at least one of each"
            )))
        } else if all >= cells {
            Err(Error::Invalid(format!("{all} lasers, sensors and pieces on {cells} cells, wanted fewer")))
        } else if !(0.0..=1.0).contains(&self.walls) {
            Err(Error::Invalid(format!("walls {}, wanted a chance from 0 to 1", self.walls)))
        } else if let Some(swaps) = self.swaps.filter(|&swaps| swaps == 0 || swaps > pieces) {
            Err(Error::Invalid(format!(
                "{swaps} swaps, wanted 1 to {pieces}: no puzzle starts solved, and a swap a piece is always enough"
            )))
        } else {
            Ok(())
        }
    }
}

/// How many boards are tried before the recipe is called hopeless.
const ATTEMPTS: u64 = 20_000;

/// After how many boards without a fit one the pieces may stand about unlit: where there are very many of them, one nearly
/// always takes the light from another.
const STRICT: u64 = 200;

/// Candidates whose proof takes more nodes than this are put aside. A number of nodes, never a time: the same seed gives
/// the same puzzle on a slow machine.
const NODES: u64 = 20_000;

/// How many nodes the proof that counts may take.
const PROOF: u64 = 100 * NODES;

/// Makes a puzzle that can be solved and is not solved yet. The same recipe and seed give the same puzzle everywhere.
///
/// # Errors
/// [`Error::Invalid`] where the recipe makes no sense, [`Error::Error`] where the budget ends the search, or where no
/// puzzle was found among very many boards.
///
/// # Complexity
/// O(cells + pieces * heads) a board; `unique` and `swaps` try many boards and solve each.
pub fn generate(recipe: &Recipe, seed: u64, budget: &mut Budget<'_>) -> Result<MyPhoton, Error> {
    recipe.check()?;
    let mut drafts = 0;
    for attempt in 0..ATTEMPTS {
        budget.spend(1 + (recipe.height * recipe.width / 256) as u64)?;
        let mut rng = Rng::stream(seed, attempt);
        let Some(game) = draft(recipe, drafts > 0 || attempt < STRICT, &mut rng) else { continue };
        drafts += 1;
        let found = fits(recipe, &game, Search::Quick, budget)?;
        // Where light comes back to a piece in a circle, the quick search may overlook answers.
        if found && (game.hardware.len() < CIRCLE || fits(recipe, &game, Search::Exact, budget)?) {
            return Ok(game);
        }
    }
    Err(Error::Limit(format!(
        "no puzzle that meets all demands was found among {ATTEMPTS} boards of {} x {}; ask for a larger board or for less",
        recipe.height, recipe.width
    )))
}

/// By which search a puzzle is proved to be what was asked for.
#[derive(Clone, Copy)]
enum Search {
    Quick,
    Exact,
}

/// Whether a puzzle is proved, within some nodes, to have the solutions that the recipe asks for.
fn fits(recipe: &Recipe, game: &MyPhoton, search: Search, budget: &mut Budget<'_>) -> Result<bool, Error> {
    let nodes = match search {
        Search::Quick => NODES,
        Search::Exact => PROOF,
    };
    let mut proof = Budget::new("nodes", Some(nodes), None);
    let found = (|| {
        let count = |proof: &mut Budget<'_>| match search {
            Search::Quick => game.count_plainly(2, proof),
            Search::Exact => game.count_solutions(2, proof),
        };
        if recipe.unique && count(&mut proof)? != 1 {
            return Ok(false);
        }
        let Some(swaps) = recipe.swaps else { return Ok(true) };
        // Longer answers need no proof of their own: `None` says that none is as short as asked for.
        let answer = match search {
            Search::Quick => game.solve_plainly(Some(swaps), &mut proof)?,
            Search::Exact => game.solve(Some(swaps), &mut proof)?,
        };
        Ok(answer.is_some_and(|answer| answer.len() == swaps))
    })();
    budget.spend(proof.spent())?;
    match found {
        Err(Error::Limit(_)) => Ok(false),
        found => found,
    }
}

/// Makes one puzzle by chance; `None` where the dice fell badly. A strict one has light on each piece when it is solved.
fn draft(recipe: &Recipe, strict: bool, rng: &mut Rng) -> Option<MyPhoton> {
    let (height, width) = (recipe.height, recipe.width);
    // A ring of walls where something is left inside.
    let ring = usize::from(height > 2 && width > 2);
    let inner: Vec<usize> = (0..height * width)
        .filter(|i| {
            let (row, col) = (i / width, i % width);
            (ring..height - ring).contains(&row) && (ring..width - ring).contains(&col)
        })
        .collect();
    let mut codes = vec![WALL; height * width];
    for &i in &inner {
        codes[i] = if rng.chance(recipe.walls) { WALL } else { EMPTY };
    }
    for _ in 0..recipe.lasers {
        place_laser(&mut codes, height, width, &inner, ring == 1, rng)?;
    }
    let mut game = MyPhoton::from_codes(height, width, &codes).ok()?;
    let mut pieces = pieces(recipe, rng);
    for code in &mut pieces {
        place_piece(&mut game, code, rng)?;
    }
    let sensors = place_sensors(&mut game, recipe.sensors, strict, rng)?;
    game.write_board(&mut codes);
    for &(place, opening) in &sensors {
        codes[game.index(place)] = Tile::SensorN as u8 + opening;
    }
    let solved = MyPhoton::from_codes(height, width, &codes).ok()?;
    if solved.status() != Status::Won {
        return None;
    }
    let start = match recipe.swaps {
        Some(swaps) => stir(solved, swaps, rng)?,
        None => scatter(codes, &inner, &pieces, height, width, rng)?,
    };
    (start.status() == Status::Open).then_some(start)
}

fn place_laser(
    codes: &mut [u8],
    height: usize,
    width: usize,
    inner: &[usize],
    ring: bool,
    rng: &mut Rng,
) -> Option<()> {
    for _ in 0..50 {
        let (place, dir) = if ring && rng.chance(0.5) {
            let dir = rng.below(4) as u8;
            let (row, col) = (1 + rng.index(height - 2), 1 + rng.index(width - 2));
            let (row, col) = [(height - 1, col), (row, 0), (0, col), (row, width - 1)][dir as usize];
            (row * width + col, dir)
        } else {
            (*rng.choose(inner), rng.below(4) as u8)
        };
        let (row, col) = ((place / width) as i32, (place % width) as i32);
        let (dr, dc) = crate::core::Dir::from_index(dir).delta();
        let (row, col) = (row + dr, col + dc);
        let inside = (0..height as i32).contains(&row) && (0..width as i32).contains(&col);
        if inside && codes[place] < 2 && codes[row as usize * width + col as usize] == EMPTY {
            codes[place] = Tile::LaserN as u8 + dir;
            return Some(());
        }
    }
    None
}

/// The pieces in a random order, T-mirrors and slants turned at random.
fn pieces(recipe: &Recipe, rng: &mut Rng) -> Vec<u8> {
    let mut pieces = Vec::new();
    for (count, first, turns) in [
        (recipe.mirrors, Tile::MirrorDown, 2),
        (recipe.splitters, Tile::SplitterDown, 2),
        (recipe.tmirrors, Tile::TmirrorN, 4),
    ] {
        pieces.extend((0..count).map(|_| first as u8 + rng.below(turns) as u8));
    }
    rng.shuffle(&mut pieces);
    pieces
}

/// Puts a piece where light goes straight on, turned so that some of it leaves again.
fn place_piece(game: &mut MyPhoton, code: &mut u8, rng: &mut Rng) -> Option<()> {
    let crossed = |game: &MyPhoton, place: usize| game.tiles[place] == EMPTY && game.heads[place] != 0;
    let places: Vec<u32> = (0..game.tiles.len()).filter(|&place| crossed(game, place)).map(|i| i as u32).collect();
    if places.is_empty() {
        return None;
    }
    let place = *rng.choose(&places);
    let heads = game.heads[place as usize];
    let (first, turns) = match *code {
        2 | 3 => (2, 2),
        4 | 5 => (4, 2),
        _ => (6, 4),
    };
    let fits: Vec<u8> = (first..first + turns)
        .filter(|&code| (0..4).any(|heading| heads >> heading & 1 == 1 && leaves(code, heading) != 0))
        .collect();
    *code = *rng.choose(&fits);
    game.replace(&[(place, *code)]);
    game.hardware.push(place);
    Some(())
}

/// Finds places for sensors: in walls that light meets, or in the way of light. Gives them with their openings, and leaves
/// walls there.
fn place_sensors(game: &mut MyPhoton, count: usize, strict: bool, rng: &mut Rng) -> Option<Vec<(u32, u8)>> {
    let mut sensors: Vec<(u32, u8)> = Vec::new();
    let fed = |game: &MyPhoton, sensors: &[(u32, u8)]| {
        sensors.iter().all(|&(place, opening)| game.heads[place as usize] >> (opening ^ 2) & 1 == 1)
    };
    let mut tries = 0;
    while sensors.len() < count {
        tries += 1;
        if tries > 20 + 4 * count {
            return None;
        }
        let in_wall = rng.chance(0.75);
        let wanted = if in_wall { WALL } else { EMPTY };
        let World { height, width, stride, .. } = *game.world;
        let free = |place: u32| sensors.iter().all(|&(other, _)| other != place);
        let places: Vec<u32> = (0..height)
            .flat_map(|row| (0..width).map(move |col| ((row + 1) * stride + col) as u32))
            .filter(|&place| game.tiles[place as usize] == wanted && game.heads[place as usize] != 0)
            .filter(|&place| free(place))
            .collect();
        if places.is_empty() {
            continue;
        }
        let place = *rng.choose(&places);
        let heads = game.heads[place as usize];
        let headings: Vec<u8> = (0..4).filter(|heading| heads >> heading & 1 == 1).collect();
        let sensor = (place, rng.choose(&headings) ^ 2);
        game.replace(&[(place, WALL)]);
        sensors.push(sensor);
        // A piece whose light is cut off would only stand about.
        let used = |&piece: &u32| {
            LASERLETS[game.tiles[piece as usize] as usize][game.heads[piece as usize] as usize & 15] != 0
        };
        if !fed(game, &sensors) || strict && !game.hardware.iter().all(used) {
            sensors.pop();
            game.replace(&[(place, wanted)]);
        }
    }
    Some(sensors)
}

use super::World;

/// Takes all pieces off and puts them on random inner tiles.
fn scatter(
    mut codes: Vec<u8>,
    inner: &[usize],
    pieces: &[u8],
    height: usize,
    width: usize,
    rng: &mut Rng,
) -> Option<MyPhoton> {
    for code in &mut codes {
        if super::is_hardware(*code) {
            *code = EMPTY;
        }
    }
    let mut free: Vec<usize> = inner.iter().copied().filter(|&i| codes[i] == EMPTY).collect();
    if free.len() < pieces.len() {
        return None;
    }
    rng.shuffle(&mut free);
    for (&place, &code) in free.iter().zip(pieces) {
        codes[place] = code;
    }
    MyPhoton::from_codes(height, width, &codes).ok()
}

/// Makes random swaps in a solved world, as if it were not over.
fn stir(mut game: MyPhoton, swaps: usize, rng: &mut Rng) -> Option<MyPhoton> {
    let World { height, width, stride, .. } = *game.world;
    for _ in 0..swaps {
        let tries = (0..1000).find_map(|_| {
            let from = *rng.choose(&game.hardware) as usize;
            let to = (1 + rng.index(height)) * stride + rng.index(width);
            game.allows(from, to).then_some((from, to))
        });
        let (from, to) = tries?;
        game.swap_places(from as u32, to as u32);
    }
    Some(game)
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The fewest swaps that solve it.
    pub swaps: usize,
    /// Nodes of the search that proved it.
    pub nodes: u64,
}

impl Rating {
    /// One number to compare puzzles by: swaps times nodes.
    pub fn difficulty(self) -> u64 {
        (self.swaps as u64).saturating_mul(self.nodes)
    }
}

impl MyPhoton {
    /// Says how hard the puzzle is; `None` where it is proved that it has no solution.
    ///
    /// # Errors
    /// [`Error`] where the budget ends the search.
    pub fn rate(&self, budget: &mut Budget<'_>) -> Result<Option<Rating>, Error> {
        let before = budget.spent();
        self.solve_plainly(None, budget)?;
        let nodes = budget.spent() - before;
        Ok(self.solve(None, budget)?.map(|answer| Rating { swaps: answer.len(), nodes }))
    }
}
