//! Difficulty of a position near the end of the game, as a puzzle: find the best line at every turn until no line is
//! left.
//!
//! Both sides play by the easiest rule that finds a best line ([`AdviceRule`](super::AdviceRule)). A turn *matters* if
//! some line leads to a worse final margin than best play. Each turn that matters earns the points of its rule if it
//! belongs to the player to move in the position: 1 for `gain`, 2 for `deny`, 3 for `endgame`. The sum of the points
//! decides the grade:
//!
//! ```text
//! 1 trivial     at most 1
//! 2 easy        2
//! 3 medium      3 or 4
//! 4 hard        5 or 6
//! 5 fiendish    7 or more
//! ```

use super::bits::SMALL;
use super::ending::Turn;
use super::{LinearDomination, Rules};
use crate::core::{Budget, Error, Rng, game};

/// The smallest sum of points for the grades 2 to 5.
const POINTS: [u32; 4] = [2, 3, 5, 7];

/// The largest number of random games that are played in search of a position of the requested grade.
const MAX_GAMES: u64 = 10_000;

/// How hard it is to play a position to the end of the game as well as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// 1 (trivial) to 5 (fiendish), by [`Difficulty::points`]: the grades 2 to 5 need at least 2, 3, 5 and 7 points.
    pub grade: u8,
    /// For each rule, in the order of [`AdviceRule::ALL`](super::AdviceRule::ALL): the number of turns of the player to
    /// move that matter and at which this rule is the easiest that finds a best line.
    pub uses: [u32; 3],
    /// The turns of both players from this position to the end of the game.
    pub turns: Vec<Turn>,
}

impl Difficulty {
    fn new(turns: Vec<Turn>) -> Self {
        let mut uses = [0; 3];
        // Players alternate: the turns 0, 2, ... are those of the player to move.
        for turn in turns.iter().step_by(2).filter(|turn| turn.matters()) {
            uses[turn.rule as usize] += 1;
        }
        let mut found = Self { grade: 1, uses, turns };
        found.grade += POINTS.iter().filter(|&&least| found.points() >= least).count() as u8;
        found
    }

    /// Returns the sum of the points: 1, 2 or 3, by rule, for each turn of the player to move that matters.
    pub fn points(&self) -> u32 {
        self.uses.iter().zip(1..).map(|(uses, points)| uses * points).sum()
    }
}

impl Turn {
    /// Returns whether the choice matters: whether some line leads to a worse final margin than best play.
    pub fn matters(&self) -> bool {
        self.best < self.lines
    }
}

impl LinearDomination {
    /// Returns how hard it is to play on to the end of the game as well as possible.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if no legal play is left or the rest of the game cannot be searched (see
    /// [`LinearDomination::advise`]), [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays
    /// examined, ends the search, and [`Error::Memory`] if memory cannot hold the positions searched.
    pub fn difficulty(&self, budget: &mut Budget<'_>) -> Result<Difficulty, Error> {
        if self.over {
            return Err(Error::NotFound("difficulty needs a legal play, and none is left".to_owned()));
        }
        let Some(mut ending) = self.ending() else {
            return Err(Error::NotFound(
                "difficulty needs at most 18 legal plays on a board of at most 8 x 8, and a lookback that covers all \
                 plays until the end of the game"
                    .to_owned(),
            ));
        };
        Ok(Difficulty::new(ending.turns(budget)?))
    }

    /// Returns a lookback with which no play leaves the window in a game of legal plays on a board of `size` x `size`
    /// cells: the number of midpoints, `(2 * size - 1)^2`. Two plays of the window never share a midpoint, so such a
    /// game has at most this many plays. `size` must be between 1 and [`MAX_SIZE`](super::MAX_SIZE).
    pub fn longest_game(size: usize) -> u32 {
        (2 * size as u32 - 1).pow(2)
    }

    /// Generates a position of a given grade in which the first turn matters: plays random games to their ends and
    /// returns the first position on the way that has the grade.
    ///
    /// * `size`: the number of rows and of columns, 1 to 8
    /// * `lookback`: at least [`LinearDomination::longest_game`] of `size`
    /// * `rules`: the rule set
    /// * `grade`: 1 (trivial) to 5 (fiendish)
    /// * `seed`: the seed of the random games, any number
    /// * `budget`: counts plays, those of the random games and those examined
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a size of 0 or over 8, a grade out of bounds, or a lookback below
    /// [`LinearDomination::longest_game`] or over [`MAX_LOOKBACK`](super::MAX_LOOKBACK), [`Error::Limit`] if 10,000
    /// games have no position of the grade, [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search,
    /// and [`Error::Memory`] if memory cannot hold the positions searched.
    pub fn generate_graded(
        size: usize,
        lookback: u32,
        rules: Rules,
        grade: u8,
        seed: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        if !(1..=SMALL).contains(&size) {
            return Err(Error::Invalid(format!(
                "size must be between 1 and {SMALL} if difficulty is given, got {size}"
            )));
        }
        let least = Self::longest_game(size);
        if lookback < least {
            return Err(Error::Invalid(format!(
                "lookback must be at least {least} on a board of {size} x {size} if difficulty is given, got {lookback}"
            )));
        }
        if !(1..=5).contains(&grade) {
            return Err(Error::Invalid(format!("grade must be between 1 and 5, got {grade}")));
        }
        let empty = Self::empty(size, lookback, rules)?;
        for number in 0..MAX_GAMES {
            let (mut made, mut rng) = (empty.clone(), Rng::stream(seed, number));
            while let Some(ends) = game::sample_within(&made, &mut rng, budget)? {
                budget.spend(1)?;
                made.draw(ends);
                let Some(mut ending) = made.ending() else { continue };
                let turns = ending.turns(budget)?;
                if turns.first().is_some_and(Turn::matters) && Difficulty::new(turns).grade == grade {
                    return Ok(made);
                }
            }
        }
        Err(Error::Limit(format!(
            "no position of grade {grade} found in {MAX_GAMES} games on a board of {size} x {size}; another size may \
             have one"
        )))
    }
}
