//! New levels with long shortest solutions, by simulated annealing.
//!
//! A sketch is a level without a target. A breadth-first search over its states finds the cell that takes the most
//! rolls to stand on, and the target is put there. So every sketch has a length in rolls, the main term of the score
//! that annealing maximizes. Parts of a sketch may contradict each other (for example, a bridge under a switch):
//! building the level removes such parts, and trimming removes useless ones at the end.
//!
//! ```text
//! Soo   a sketch of 3 x 3 cells: by breadth-first search the block first stands on (0, 1) and (1, 0) after 3 rolls,
//! ooo   on (0, 2) and (2, 0) after 4, on (1, 2) and (2, 1) after 7, and on (2, 2) after 8:
//! ooo   the target is put on (2, 2), and the sketch has length 8
//! ```

use super::farthest::{Board64, Farthest, FarthestSearch};
use super::sketch::{Blueprint, SWITCH_LETTERS, Sketch};
use super::trim::rebuilt;
use super::{Bloxorz, Tile};
use crate::core::{Budget, Error, Grid, Rng};

/// The size, the elements and the length of a level to generate, and the effort to spend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// The number of rows, 1 to 64.
    pub height: usize,
    /// The number of columns, 1 to 64.
    pub width: usize,
    /// The fewest rolls that the shortest solution may take; the search ends as soon as it finds a level that takes at
    /// least that many and at most `max_moves`. With `None`, the search spends all of `effort` and returns the best
    /// level that it found.
    pub min_moves: Option<u32>,
    /// The largest number of rolls that the shortest solution may take; `None` for any number.
    pub max_moves: Option<u32>,
    /// The largest number of soft and heavy switches; at most 24 together with the splitters.
    pub switches: usize,
    /// The largest number of bridges, 0 to 12.
    pub bridges: usize,
    /// The largest number of splitters; at most 24 together with the switches.
    pub splitters: usize,
    /// The expected share of light tiles among the tiles of a random sketch, 0 to 1; trimming may replace light tiles.
    /// With 1, no level is found, because the target is put on a plain tile.
    pub light: f64,
    /// The work of annealing in states, about 20 million per second; trimming adds to it. On boards of at most 64 cells
    /// with plain tiles only, 32 states count as one.
    pub effort: u64,
}

impl Recipe {
    /// The longest side of a board.
    pub const MAX_SIDE: usize = 64;
    /// The largest number of bridges: each doubles the states of a sketch.
    pub const MAX_BRIDGES: usize = 12;
    /// The largest number of switches and splitters together: one per letter.
    pub const MAX_SWITCHES: usize = SWITCH_LETTERS.len();

    /// Checks the bounds of the fields, and that `max_moves` is neither less than `min_moves` nor 0.
    /// `effort` may have any value.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for the first field that is out of bounds, or for a board on which a block can
    /// stand nowhere but at its start.
    pub fn check(&self) -> Result<(), Error> {
        let (height, width) = (self.height, self.width);
        let between = |name: &str, value: usize, least: usize, most: usize| {
            let fits = (least..=most).contains(&value);
            let wrong = || Error::Invalid(format!("{name} must be between {least} and {most}, got {value}"));
            if fits { Ok(()) } else { Err(wrong()) }
        };
        between("height", height, 1, Self::MAX_SIDE)?;
        between("width", width, 1, Self::MAX_SIDE)?;
        let (short, long) = (height.min(width), height.max(width));
        if long < 3 || (short == 1 && long < 4) {
            return Err(Error::Invalid(format!(
                "height and width must leave room to roll, at least 1 x 4 or 2 x 3, got {height} x {width}"
            )));
        }
        let (least, most) = (self.min_moves.unwrap_or(1).max(1), self.max_moves.unwrap_or(u32::MAX));
        if most < least {
            let bound = if least > 1 { format!("min_moves {least}") } else { least.to_string() };
            return Err(Error::Invalid(format!("max_moves must be at least {bound}, got {most}")));
        }
        between("switches + splitters", self.switches.saturating_add(self.splitters), 0, Self::MAX_SWITCHES)?;
        between("bridges", self.bridges, 0, Self::MAX_BRIDGES)?;
        if !(0.0..=1.0).contains(&self.light) {
            return Err(Error::Invalid(format!("light must be between 0 and 1, got {}", self.light)));
        }
        Ok(())
    }

    /// Returns the number of cells.
    pub(super) fn cells(&self) -> usize {
        self.height * self.width
    }
}

impl Recipe {
    /// Returns the value of a sketch: its rolls, plus two per element that the solution uses. Above the largest number
    /// of rolls allowed, elements do not count, and each further roll lowers the value by one.
    fn value(&self, found: Farthest) -> i64 {
        let (rolls, most) = (i64::from(found.rolls), i64::from(self.most()));
        if rolls > most {
            return 2 * most - rolls;
        }
        let elements = (self.switches + self.splitters) as u32 + u32::from(self.light > 0.0);
        rolls + 2 * i64::from(found.used.min(elements))
    }

    /// Returns the largest number of rolls that the shortest solution may take, `u32::MAX` for any number.
    fn most(&self) -> u32 {
        self.max_moves.unwrap_or(u32::MAX)
    }

    /// Returns what annealing maximizes: the value, minus 0.07 per reachable state if there are neither bridges nor
    /// splitters, because on a small board a long solution leaves little room for other states.
    fn score(&self, found: Farthest) -> f64 {
        let plain = self.bridges == 0 && self.splitters == 0;
        self.value(found) as f64 - if plain { 0.07 * found.states as f64 } else { 0.0 }
    }
}

/// The least work of one round of annealing, in states, unless the effort is less: a round gets less than twice as
/// much.
const ROUND: u64 = 80_000_000;

/// The temperatures of a round of annealing at its start and its end, in rolls.
const HEAT: (f64, f64) = (2.0, 0.15);
/// The temperatures at the start and the end if [`Board64`] rates the sketches: higher than [`HEAT`], because many more
/// sketches are rated in the same time.
const HEAT64: (f64, f64) = (3.0, 0.3);

/// The approximate number of rolls that the first attempt at a level of each grade, 1 to 5, requires.
const FIRST_ROLLS: [f64; 5] = [5.0, 12.0, 20.0, 28.0, 40.0];
/// The largest number of attempts at a level of each grade, 1 to 5. The attempts share the effort equally.
const ATTEMPTS: [u64; 5] = [64, 64, 64, 64, 32];

/// The outcome of [`Bloxorz::attempt`].
enum Attempt {
    /// A level within the bounds on the rolls, trimmed.
    Found(Bloxorz),
    /// No level met the bounds on the rolls. The best level found takes this many rolls; 0 if none was found.
    Missed(u32),
}

impl Bloxorz {
    /// Generates a level with a long shortest solution. The same recipe and random stream give the same level.
    ///
    /// * `recipe`: what to generate; the documentation of each field gives its bounds
    /// * `rng`: the random stream, which is advanced
    /// * `budget`: counts the states of all work, trimming included
    /// * `better`: called with each level, not yet trimmed, that is better than those before or meets `min_moves`
    ///   within `max_moves`; if it returns `false`, the search is interrupted
    ///
    /// Parts that the shortest solution does not need are removed: tiles that cannot be reached; switches, bridges,
    /// splitters and light tiles that could be plain tiles; and, within a quarter of the effort, tiles that only add
    /// further shortest solutions.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a recipe out of bounds, [`Error::Limit`] if no level within `min_moves` and
    /// `max_moves` was found with `effort` or if the budget ended the search, [`Error::Memory`] if the tables of a
    /// search cannot be allocated, and [`Error::Interrupted`] if `better` or the watcher of the budget returned
    /// `false`.
    pub fn generate(
        recipe: &Recipe,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
        better: impl FnMut(&Self) -> bool,
    ) -> Result<Self, Error> {
        recipe.check()?;
        match Self::attempt(recipe, rng, budget, better)? {
            Attempt::Found(level) => Ok(level),
            Attempt::Missed(found) => {
                let effort = recipe.effort;
                let which = if recipe.max_moves.is_some() { "nearest" } else { "longest" };
                let demands = [("min_moves", recipe.min_moves), ("max_moves", recipe.max_moves)];
                let demands: Vec<String> = demands
                    .into_iter()
                    .filter_map(|(name, number)| number.map(|number| format!("{name} {number}")))
                    .collect();
                let with = if demands.is_empty() { "" } else { " with " };
                let asked = demands.join(" and ");
                let best = match found {
                    0 => String::new(),
                    1 => format!("the {which} takes 1 roll; "),
                    _ => format!("the {which} takes {found} rolls; "),
                };
                Err(Error::Limit(format!(
                    "no level{with}{asked} found with effort {effort}; {best}a larger effort may find one"
                )))
            }
        }
    }

    /// Generates a level of exactly the given grade, 1 to 5.
    ///
    /// Each attempt requires about as many rolls as a level of the grade is assumed to take, and grades the level that
    /// it finds; each miss corrects the number of rolls, which [`Recipe::min_moves`] bounds from below. The same
    /// recipe, grade and random stream give the same level. The other parameters are those of [`Bloxorz::generate`];
    /// `better` is also called with the first level that each attempt finds.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a recipe or a grade out of bounds, [`Error::Limit`] if no level of the grade was
    /// found with the effort or if the budget, in states, ended the search, [`Error::Memory`] if the tables of a search
    /// cannot be allocated, and [`Error::Interrupted`] if `better` or the watcher of the budget returned `false`.
    pub fn generate_graded(
        recipe: &Recipe,
        grade: u8,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
        mut better: impl FnMut(&Self) -> bool,
    ) -> Result<Self, Error> {
        recipe.check()?;
        let Some((&first, &attempts)) =
            usize::from(grade).checked_sub(1).and_then(|i| FIRST_ROLLS.get(i).zip(ATTEMPTS.get(i)))
        else {
            return Err(Error::Invalid(format!("grade must be between 1 and 5, got {grade}")));
        };
        let mut rolls: f64 = first;
        for _ in 0..attempts {
            // A random factor between 0.8 and 1.2 keeps attempts from missing the grade in the same way again and
            // again.
            let least = (rolls * (0.8 + 0.4 * rng.unit())).round() as u32;
            let least = least.max(recipe.min_moves.unwrap_or(0));
            let trial = Recipe { min_moves: Some(least), effort: (recipe.effort / attempts).max(1), ..*recipe };
            match Self::attempt(&trial, rng, budget, &mut better)? {
                Attempt::Found(level) => {
                    let found = level.difficulty(budget)?.grade;
                    if found == grade {
                        return Ok(level);
                    }
                    rolls *= if found < grade { 1.15 } else { 0.85 };
                }
                Attempt::Missed(longest) => rolls = 0.95 * rolls.min(f64::from(longest)),
            }
            rolls = rolls.max(2.0);
        }
        let effort = recipe.effort;
        Err(Error::Limit(format!(
            "no level of grade {grade} found with effort {effort}; a larger effort or another size may find one"
        )))
    }

    /// Anneals in rounds until the effort is spent or a level meets `min_moves` within `max_moves`. Trims the best
    /// level if it is within these bounds. The recipe must have passed [`Recipe::check`].
    fn attempt(
        recipe: &Recipe,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
        mut better: impl FnMut(&Self) -> bool,
    ) -> Result<Attempt, Error> {
        let mut searcher = FarthestSearch::default();
        let mut blueprint = Blueprint {
            tiles: Grid::new(recipe.height, recipe.width, Tile::None),
            switches: [None; 26],
            bridges_on: 0,
        };
        let bits = Board64::new(recipe);
        let (first_heat, last_heat) = if bits.is_some() { HEAT64 } else { HEAT };
        let mut look = |sketch: &Sketch, blueprint: &mut Blueprint| {
            if let Some(bits) = &bits {
                return Ok(bits.farthest(sketch));
            }
            sketch.draw(recipe, blueprint);
            searcher.farthest(blueprint, sketch.start)
        };
        let mut best: Option<(Sketch, Farthest)> = None;
        let rounds = (recipe.effort / ROUND).max(1);
        let mut spent = 0;
        'search: for round in 0..rounds {
            let (begun, end) = (spent, recipe.effort / rounds * (round + 1));
            // Every third round continues from the best sketch at half the first temperature; the others start from a
            // random sketch.
            let refines = round % 3 == 2;
            let mut now = match &best {
                Some((sketch, _)) if refines => sketch.clone(),
                _ => Sketch::random(recipe, rng),
            };
            let hot = if refines { first_heat / 2.0 } else { first_heat };
            let mut here = look(&now, &mut blueprint)?;
            budget.spend(here.work)?;
            let mut trial = now.clone();
            while spent < end {
                trial.copy_from(&now);
                trial.change(recipe, rng);
                let there = look(&trial, &mut blueprint)?;
                budget.spend(there.work)?;
                spent += there.work;
                let gain = recipe.score(there) - recipe.score(here);
                let passed = (spent - begun) as f64 / (end - begun) as f64;
                let heat = hot * (last_heat / hot).powf(passed);
                // Metropolis: a change for the worse is kept with probability exp(gain / heat), which decreases as the
                // loss grows and as the temperature falls.
                if gain < 0.0 && !rng.chance((gain / heat).exp()) {
                    continue;
                }
                std::mem::swap(&mut now, &mut trial);
                here = there;
                let met = recipe.min_moves.is_some_and(|least| (least.max(1)..=recipe.most()).contains(&here.rolls));
                if met
                    || (here.rolls > 0
                        && best.as_ref().is_none_or(|(_, found)| recipe.value(here) > recipe.value(*found)))
                {
                    now.draw(recipe, &mut blueprint);
                    let level = blueprint.level(now.start, here.target);
                    // Building the level removes parts that contradict each other, such as a splitter that puts a cube
                    // on a cell without a tile. If the removal makes the solution shorter, or longer than allowed, the
                    // level is not used.
                    let rolls = level.rolls(budget)?;
                    let most = recipe.most();
                    if rolls < here.rolls as usize || here.rolls <= most && rolls > most as usize {
                        continue;
                    }
                    best = Some((now.clone(), here));
                    if !better(&level) {
                        return Err(Error::Interrupted);
                    }
                    if met {
                        break 'search;
                    }
                }
            }
        }
        let Some((sketch, found)) = best else { return Ok(Attempt::Missed(0)) };
        if recipe.min_moves.is_some_and(|least| found.rolls < least) || found.rolls > recipe.most() {
            return Ok(Attempt::Missed(found.rolls));
        }
        sketch.draw(recipe, &mut blueprint);
        let level = blueprint.level(sketch.start, found.target);
        level.trimmed(recipe.most() as usize, recipe.effort / 4, budget).map(Attempt::Found)
    }
}

impl Blueprint {
    /// Returns the level with the given start and target, both row-major indices, without parts that contradict each
    /// other.
    fn level(&self, start: usize, target: usize) -> Bloxorz {
        let mut tiles = self.tiles.clone();
        tiles.as_mut_slice()[target] = Tile::Target;
        rebuilt(tiles.clone(), tiles.cell(start), tiles.cell(target), &self.switches, self.bridges_on)
    }
}
