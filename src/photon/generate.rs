//! Generates puzzles: places walls, lasers and pieces at random, then sensors where light falls, and then moves the
//! pieces at random.

use crate::core::{Budget, Error, Game, Rng, Status, memory, text};

use super::advice;
use super::bounds::{Cycles, MIN_CYCLE};
use super::search::{Objective, check_size};
use super::tile::{EMPTY, LASERLETS, Tile, WALL, leaves};
use super::{MyPhoton, World};

/// What a new puzzle contains. Lasers, sensors and pieces together must be fewer than the cells of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The number of rows, including the ring of walls, which a board of at least 3 x 3 has. `height * width` must be
    /// between 1 and 2^26.
    pub height: usize,
    /// The number of columns, including the ring of walls.
    pub width: usize,
    /// The number of lasers, at least 1.
    pub lasers: usize,
    /// The number of sensors, at least 1.
    pub sensors: usize,
    /// The number of mirrors. There must be at least one piece: a mirror, a splitter or a T-mirror.
    pub mirrors: usize,
    /// The number of beam splitters.
    pub splitters: usize,
    /// The number of T-mirrors.
    pub tmirrors: usize,
    /// The probability of a wall on each tile inside the ring, from 0 to 1.
    pub walls: f64,
    /// If `true`, exactly one placement of the hardware lights all sensors.
    pub unique: bool,
    /// The number of swaps of a shortest solution, from 1 to the number of pieces; `None` for any number.
    pub swaps: Option<usize>,
    /// The [grade](super::advice::grade) of the puzzle, from 1 to 5; `None` for any grade. Puzzles below grade 5 are
    /// solved by reasoning alone; puzzles of grade 5 have exactly one solution, which only a search finds.
    pub grade: Option<u8>,
}

impl Recipe {
    /// Creates the default recipe for a board of `height` rows and `width` columns: one laser, two sensors, two
    /// mirrors, one splitter, one T-mirror, and a wall on each tile inside the ring with probability 0.1.
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
            grade: None,
        }
    }

    /// Creates the default recipe for a board of `height` rows and `width` columns and for a grade (`None` for any),
    /// with numbers of sensors and pieces for which this grade is common.
    pub fn graded(height: usize, width: usize, grade: Option<u8>) -> Self {
        let plain = Self { grade, ..Self::new(height, width) };
        match grade {
            Some(1) => Self { sensors: 1, splitters: 0, tmirrors: 0, ..plain },
            Some(5) => Self { mirrors: 3, ..plain },
            _ => plain,
        }
    }

    /// Checks the bounds of all fields.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a field is out of bounds.
    fn check(&self) -> Result<(), Error> {
        text::check_size(self.height, self.width)?;
        let pieces = self.mirrors.saturating_add(self.splitters).saturating_add(self.tmirrors);
        let all = pieces.saturating_add(self.lasers).saturating_add(self.sensors);
        let cells = self.height * self.width;
        let least = |name: &str, value: usize| match value {
            0 => Err(Error::Invalid(format!("{name} must be at least 1, got 0"))),
            _ => Ok(()),
        };
        least("lasers", self.lasers)?;
        least("sensors", self.sensors)?;
        least("mirrors + splitters + tmirrors", pieces)?;
        if all >= cells {
            return Err(Error::Invalid(format!(
                "lasers + sensors + mirrors + splitters + tmirrors must be less than {cells}, the number of cells, got \
                 {all}"
            )));
        }
        if !(0.0..=1.0).contains(&self.walls) {
            return Err(Error::Invalid(format!("walls must be between 0 and 1, got {}", self.walls)));
        }
        if let Some(grade) = self.grade.filter(|grade| !(1..=5).contains(grade)) {
            return Err(Error::Invalid(format!("grade must be between 1 and 5, got {grade}")));
        }
        match self.swaps {
            // No puzzle starts solved, and one swap per piece is always enough.
            Some(swaps) if swaps == 0 || swaps > pieces => {
                Err(Error::Invalid(format!("swaps must be between 1 and {pieces}, the number of pieces, got {swaps}")))
            }
            _ => Ok(()),
        }
    }
}

/// The number of boards that the generator tries before it gives up.
const ATTEMPTS: u64 = 20_000;

/// The number of boards after which drafts with unlit pieces are accepted, if none of these boards has yielded a draft:
/// among very many pieces, one nearly always takes the light from another.
const STRICT: u64 = 200;

/// The number of search nodes that [`fits`] may visit with [`Cycles::Ignored`]; it rejects drafts that take more. Nodes
/// are counted instead of time, so that a seed gives the same puzzle on every machine.
const NODES: u64 = 20_000;

/// The number of search nodes that [`fits`] may visit with [`Cycles::Counted`].
const PROOF: u64 = 100 * NODES;

/// Generates a puzzle that has a solution and is not solved at the start.
///
/// * `recipe`: what the puzzle contains
/// * `seed`: the seed of the random generator; the same recipe and seed give the same puzzle on every platform
/// * `budget`: spent on each board that is tried (1, and 1 more for each 256 cells) and on each node of the search
///
/// # Errors
/// Returns [`Error::Invalid`] if a field of the recipe is out of bounds; [`Error::Limit`] if the budget runs out, if no
/// puzzle is found among 20,000 boards, or if `unique`, `swaps` or `grade` is given for a board that is too large or
/// has too many pieces to be searched; [`Error::Interrupted`] if the watcher ends the call; and [`Error::Memory`] if
/// memory cannot hold a board, or a search that `unique`, `swaps` or `grade` requires.
///
/// # Complexity
/// O((pieces + sensors^2) * cells) per board. With `unique`, `swaps` or `grade`, many boards are tried, and each is
/// searched.
pub fn generate(recipe: &Recipe, seed: u64, budget: &mut Budget<'_>) -> Result<MyPhoton, Error> {
    recipe.check()?;
    if recipe.unique || recipe.swaps.is_some() || recipe.grade.is_some() {
        check_size(recipe.height, recipe.width, recipe.mirrors + recipe.splitters + recipe.tmirrors)?;
    }
    let mut strict_drafts = 0;
    for attempt in 0..ATTEMPTS {
        budget.spend(1 + (recipe.height * recipe.width / 256) as u64)?;
        let mut rng = Rng::stream(seed, attempt);
        let strict = strict_drafts > 0 || attempt < STRICT;
        let Some(game) = draft(recipe, strict, &mut rng)? else { continue };
        strict_drafts += u32::from(strict);
        // The proof without cycles is quick and rejects most drafts that do not fit. It is exact if the pieces are too
        // few for a cycle.
        if fits(recipe, &game, Cycles::Ignored, budget)?
            && (game.hardware.len() < MIN_CYCLE || fits(recipe, &game, Cycles::Counted, budget)?)
        {
            return Ok(game);
        }
    }
    Err(Error::Limit(format!(
        "no puzzle that meets all demands was found among {ATTEMPTS} boards of {} x {}; try a larger board or \
         fewer demands",
        recipe.height, recipe.width
    )))
}

/// Returns `true` if the search proves, within a fixed number of nodes, that a draft has the number of solutions, the
/// number of swaps and the grade that the recipe requires. With [`Cycles::Ignored`], solutions in which light comes
/// back to a piece may be missed, and with [`Cycles::Counted`], the grade is not checked again.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if `budget`, from which the nodes are spent at the end, ends the
/// call, and [`Error::Memory`] if memory cannot hold a search.
fn fits(recipe: &Recipe, game: &MyPhoton, cycles: Cycles, budget: &mut Budget<'_>) -> Result<bool, Error> {
    let nodes = if cycles == Cycles::Ignored { NODES } else { PROOF };
    let mut proof = budget.part("nodes", nodes);
    let found = (|| {
        if let Some(grade) = recipe.grade {
            // Reasoning allows for cycles of light, so the grade is checked only once.
            if cycles == Cycles::Ignored && advice::grade(&game.reason(&mut proof)?) != grade {
                return Ok(false);
            }
        }
        if (recipe.unique || recipe.grade == Some(5)) && game.count_with(2, cycles, &mut proof)? != 1 {
            return Ok(false);
        }
        let Some(swaps) = recipe.swaps else { return Ok(true) };
        // Longer solutions are not searched for: `find` returns `None` if the shortest solution is longer.
        let answer = game.find(Objective::fewest(Some(swaps)), cycles, &mut proof)?;
        Ok(answer.is_some_and(|answer| answer.len() == swaps))
    })();
    let spent = proof.spent();
    budget.spend(spent)?;
    match found {
        Err(Error::Limit(_)) => Ok(false),
        found => found,
    }
}

/// Draws one puzzle at random. Returns `None` if no place is found for a laser, a piece or a sensor, if no legal move
/// away from the solution is found, or if the puzzle is solved at the start. If `strict` is `true`, every piece has
/// light in the solution.
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
fn draft(recipe: &Recipe, strict: bool, rng: &mut Rng) -> Result<Option<MyPhoton>, Error> {
    let (height, width) = (recipe.height, recipe.width);
    // A ring of walls, if the board has cells inside it; `inner` lists these cells, or all cells if there is no ring.
    let ring = usize::from(height > 2 && width > 2);
    let inner: Vec<usize> = (0..height * width)
        .filter(|i| {
            let (row, col) = (i / width, i % width);
            (ring..height - ring).contains(&row) && (ring..width - ring).contains(&col)
        })
        .collect();
    let mut codes = memory::filled(WALL, height * width, "a board of this size")?;
    for &i in &inner {
        codes[i] = if rng.chance(recipe.walls) { WALL } else { EMPTY };
    }
    for _ in 0..recipe.lasers {
        if place_laser(&mut codes, height, width, &inner, ring == 1, rng).is_none() {
            return Ok(None);
        }
    }
    let mut game = MyPhoton::from_codes(height, width, &codes)?;
    let mut pieces = pieces(recipe, rng);
    for code in &mut pieces {
        if place_piece(&mut game, code, rng).is_none() {
            return Ok(None);
        }
    }
    let Some(sensors) = place_sensors(&mut game, recipe.sensors, strict, rng) else { return Ok(None) };
    game.write_board(&mut codes);
    for &(place, opening) in &sensors {
        codes[game.index(place)] = Tile::SensorN as u8 + opening;
    }
    let solved = MyPhoton::from_codes(height, width, &codes)?;
    if solved.status() != Status::Won {
        return Ok(None);
    }
    // The start is the solution after random swaps, or with all pieces moved to random tiles.
    let start = match recipe.swaps {
        Some(swaps) => stir(solved, swaps, rng),
        None => scatter(codes, &inner, &pieces, height, width, rng)?,
    };
    Ok(start.filter(|start| start.status() == Status::Open))
}

/// Puts a laser on a random wall or empty tile, such that it shines onto an empty tile. Returns `None` if 50 tries find
/// no such place.
///
/// * `codes`: the board, row-major, `height * width` codes
/// * `inner`: the row-major indices of the cells inside the ring, or of all cells
/// * `ring`: whether there is a ring of walls; each try then takes a tile of the ring with probability 0.5
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
            // On the ring, the laser shines inward: a laser that shines north stands in the last row.
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
        if inside && matches!(codes[place], EMPTY | WALL) && codes[row as usize * width + col as usize] == EMPTY {
            codes[place] = Tile::LaserN as u8 + dir;
            return Some(());
        }
    }
    None
}

/// Returns the codes of the pieces of a recipe in random order, each with a random orientation.
fn pieces(recipe: &Recipe, rng: &mut Rng) -> Vec<u8> {
    let mut pieces = Vec::new();
    // The number of pieces, the first code and the number of orientations.
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

/// Puts a piece on a random empty tile that light crosses, with a random orientation in which light leaves it again.
/// `code` is the code of the piece in any orientation and becomes the code of this orientation. Returns `None` if light
/// crosses no empty tile. Appends the place of the piece to `game.hardware` without sorting the list.
fn place_piece(game: &mut MyPhoton, code: &mut u8, rng: &mut Rng) -> Option<()> {
    let crossed = |game: &MyPhoton, place: usize| game.tiles[place] == EMPTY && game.heads[place] != 0;
    let places: Vec<u32> = (0..game.tiles.len()).filter(|&place| crossed(game, place)).map(|i| i as u32).collect();
    if places.is_empty() {
        return None;
    }
    let place = *rng.choose(&places);
    let heads = game.heads[place as usize];
    // The first code of the piece and the number of its orientations.
    let (first, turns) = match *code {
        2 | 3 => (2, 2),
        4 | 5 => (4, 2),
        _ => (6, 4),
    };
    let fits: Vec<u8> = (first..first + turns)
        .filter(|&code| (0..4).any(|heading| heads >> heading & 1 == 1 && leaves(code, heading) != 0))
        .collect();
    *code = *rng.choose(&fits);
    game.replace([(place, *code)]);
    game.hardware.push(place);
    Some(())
}

/// Chooses places for `count` sensors: walls that light meets, or empty tiles that it crosses. Returns each place with
/// the direction of its opening, and leaves walls on these places. If `strict` is `true`, a place is rejected unless
/// every piece still has light. Returns `None` if `20 + 4 * count` tries are not enough.
fn place_sensors(game: &mut MyPhoton, count: usize, strict: bool, rng: &mut Rng) -> Option<Vec<(u32, u8)>> {
    let mut sensors: Vec<(u32, u8)> = Vec::new();
    // A new sensor blocks light, so after each one all sensors must still be fed.
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
        let ground = if in_wall { WALL } else { EMPTY };
        let World { height, width, stride, .. } = *game.world;
        let free = |place: u32| sensors.iter().all(|&(other, _)| other != place);
        let places: Vec<u32> = (0..height)
            .flat_map(|row| (0..width).map(move |col| ((row + 1) * stride + col) as u32))
            .filter(|&place| game.tiles[place as usize] == ground && game.heads[place as usize] != 0)
            .filter(|&place| free(place))
            .collect();
        if places.is_empty() {
            continue;
        }
        let place = *rng.choose(&places);
        let heads = game.heads[place as usize];
        let headings: Vec<u8> = (0..4).filter(|heading| heads >> heading & 1 == 1).collect();
        let sensor = (place, rng.choose(&headings) ^ 2);
        game.replace([(place, WALL)]);
        sensors.push(sensor);
        // A piece without light is not needed for the solution.
        let used = |&piece: &u32| {
            LASERLETS[game.tiles[piece as usize] as usize][game.heads[piece as usize] as usize & 15] != 0
        };
        if !fed(game, &sensors) || strict && !game.hardware.iter().all(used) {
            sensors.pop();
            game.replace([(place, ground)]);
        }
    }
    Some(sensors)
}

/// Removes all pieces from a board and puts them on random empty tiles of `inner`. Returns `None` if there are not
/// enough such tiles.
///
/// * `codes`: the board, row-major, `height * width` codes
/// * `inner`: the row-major indices of the cells inside the ring, or of all cells
/// * `pieces`: the codes of the pieces
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
fn scatter(
    mut codes: Vec<u8>,
    inner: &[usize],
    pieces: &[u8],
    height: usize,
    width: usize,
    rng: &mut Rng,
) -> Result<Option<MyPhoton>, Error> {
    for code in &mut codes {
        if super::is_hardware(*code) {
            *code = EMPTY;
        }
    }
    let mut free: Vec<usize> = inner.iter().copied().filter(|&i| codes[i] == EMPTY).collect();
    if free.len() < pieces.len() {
        return Ok(None);
    }
    rng.shuffle(&mut free);
    for (&place, &code) in free.iter().zip(pieces) {
        codes[place] = code;
    }
    MyPhoton::from_codes(height, width, &codes).map(Some)
}

/// Plays `swaps` random moves in a won position as if the game were not over. Returns `None` if 1000 tries find no
/// legal move.
fn stir(mut game: MyPhoton, swaps: usize, rng: &mut Rng) -> Option<MyPhoton> {
    let World { height, width, stride, .. } = *game.world;
    for _ in 0..swaps {
        let found = (0..1000).find_map(|_| {
            let from = *rng.choose(&game.hardware) as usize;
            let to = (1 + rng.index(height)) * stride + rng.index(width);
            game.allows(from, to).then_some((from, to))
        });
        let (from, to) = found?;
        game.swap_places(from as u32, to as u32);
    }
    Some(game)
}
