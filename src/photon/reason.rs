//! Reasoning: what must stand on a tile in every solution, found by rules that a person can follow.
//!
//! The rules use the walls, the lasers, the sensors and the set of pieces, but not where the pieces stand now. What
//! they conclude holds in **all** solutions, so it belongs to the puzzle and not to the position. Each step takes a
//! sensor that is not fed through decided tiles, lists its *choices* (each a run of empty tiles and the piece
//! behind it, as in the solver), and makes the only choice that is left after the others are excluded:
//!
//! 1. [`Direct`](Rule::Direct): the bounds of the search exclude all other choices, and light needs no piece except
//!    those of earlier steps to come to the one left.
//! 2. [`Forced`](Rule::Forced): the bounds exclude all other choices, and light needs more pieces to come to the one
//!    left.
//! 3. [`Shared`](Rule::Shared): after any other choice, the bounds prove that the pieces left cannot feed all sensors,
//!    often because one piece must serve several sensors.
//! 4. [`Trial`](Rule::Trial): every other choice leads to a contradiction by rules 1 to 3, applied step by step.
//!
//! No step has the rule [`Spare`](Rule::Spare) or [`Search`](Rule::Search). These two rules occur only in
//! [advice](super::advice): one for a move that clears a tile that must be empty, the other for a move of the solver if
//! no other rule applies.
//!
//! Proof that a step is sound: in every solution each sensor is lit, and its light comes through one of its stretches
//! (straight runs of undecided tiles), from the nearest piece on that stretch or from the tile behind the stretch. So
//! every solution that agrees with the decided tiles contains at least one of the choices, and the rules exclude only
//! choices that no such solution contains. If one choice is left, every solution that agrees with the decided tiles
//! contains it. By induction, all solutions agree with the decided tiles.

use crate::core::{Budget, Cell, Error};

use super::MyPhoton;
use super::bounds::{Cycles, MIN_CYCLE, NEVER};
use super::placement::Choice;
use super::search::{Objective, Search};
use super::tile::{EMPTY, Tile};

/// The rules, from easy to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The sensor can be fed in only one way, by one piece on one tile or through empty tiles, and light needs no piece
    /// except those of earlier steps to come to that piece or those tiles.
    Direct,
    /// The sensor can be fed in only one way, by one piece on one tile or through empty tiles, and light needs more
    /// pieces to come to that piece or those tiles.
    Forced,
    /// All ways to feed a sensor except one leave pieces that cannot feed all sensors.
    Shared,
    /// A piece stands on a tile that is empty in every solution, and must be moved away.
    Spare,
    /// All ways to feed a sensor except one lead to a contradiction by direct, forced and shared steps.
    Trial,
    /// No other rule applies: only a search finds the move.
    Search,
}

impl Rule {
    /// All rules from easy to hard, with their names in Python; the index of a rule is its discriminant.
    pub const ALL: [(&'static str, Self); 6] = [
        ("direct", Self::Direct),
        ("forced", Self::Forced),
        ("shared", Self::Shared),
        ("spare", Self::Spare),
        ("trial", Self::Trial),
        ("search", Self::Search),
    ];
}

/// A conclusion: in every solution some tiles are empty, and a particular piece, if any, stands behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule that leads to the conclusion.
    pub rule: Rule,
    /// The sensor that the conclusion is about.
    pub sensor: Cell,
    /// The number of choices of the sensor that the bounds leave, at least 1; a shared step or a trial excludes all of
    /// them except one.
    pub choices: usize,
    /// The tiles that are empty, in order from the sensor.
    pub empty: Vec<Cell>,
    /// The piece behind the empty tiles, with its cell; `None` if light comes from a laser there, or from a tile that
    /// an earlier step decided.
    pub piece: Option<(Cell, Tile)>,
}

/// How reasoning ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All sensors are fed through decided tiles; the pieces left may stand on any undecided tiles.
    Fed,
    /// Some sensors are not fed, and no rule applies.
    Stuck,
    /// The puzzle is proved to have no solution.
    Contradiction,
}

/// The steps for a puzzle, each by the easiest rule that applies, and how reasoning ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// How reasoning ends.
    pub end: End,
}

/// What the bounds prove about the sensors, given the decided tiles.
enum Candidates {
    /// All sensors are fed.
    Fed,
    /// No solution agrees with the decided tiles.
    Contradiction,
    /// The place of each sensor that is not fed, with its choices, at least one each; fewest choices first.
    Open(Vec<(u32, Vec<Choice>)>),
}

/// The next conclusion of the rules.
enum Conclusion {
    /// The sensor at a place must be fed by `choice`, one of the `choices` choices that the bounds leave.
    Step { rule: Rule, sensor: u32, choices: usize, choice: Choice },
    /// There is no further step.
    End(End),
}

/// Applies the rules to the partial placement of a search.
struct Reasoner<'g, 'b, 'w> {
    /// Holds the placement and computes the bounds; the search itself never runs.
    search: Search<'g>,
    /// The number of sensors of the board, which come first in `search.pending`.
    sensors: usize,
    budget: &'b mut Budget<'w>,
}

impl Reasoner<'_, '_, '_> {
    /// Lists the choices of all sensors that are not fed, without those that the bounds exclude.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    fn candidates(&mut self) -> Result<Candidates, Error> {
        let search = &mut self.search;
        self.budget.spend(search.cost)?;
        search.forget(self.sensors);
        if search.placement.free < search.placement.pieces as usize {
            return Ok(Candidates::Contradiction);
        }
        search.walk_back(0, 0);
        if search.pending.len() == self.sensors {
            return Ok(Candidates::Fed);
        }
        if search.prune(self.sensors) {
            return Ok(Candidates::Contradiction);
        }
        let mut open = Vec::new();
        for at in self.sensors..search.pending.len() {
            let sensor = search.pending[at];
            search.trial.clear();
            for stretch in search.stretches_of(at) {
                search.list(search.stretches[stretch], false);
            }
            let need = search.flood.need[search.placement.opening(sensor) as usize];
            if search.trial.is_empty() || need == NEVER {
                return Ok(Candidates::Contradiction);
            }
            open.push((sensor, search.trial.clone()));
        }
        // Sensors with the fewest choices come first; those with equally many stay in row-major order.
        open.sort_by_key(|(_, choices)| choices.len());
        Ok(Candidates::Open(open))
    }

    /// Returns the step of the easiest rule that applies, not harder than `hardest`, or how reasoning ends. Decides no
    /// tile. `hardest` must be [`Rule::Shared`] or harder: direct and forced steps are always tried.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work.
    fn conclude(&mut self, hardest: Rule) -> Result<Conclusion, Error> {
        let open = match self.candidates()? {
            Candidates::Fed => return Ok(Conclusion::End(End::Fed)),
            Candidates::Contradiction => return Ok(Conclusion::End(End::Contradiction)),
            Candidates::Open(open) => open,
        };
        let single = |direct: bool| {
            open.iter().find_map(|(sensor, choices)| match choices[..] {
                // If light is there already, a choice takes only its own piece, or none if the whole stretch is empty.
                [choice] if direct == (choice.pieces <= u16::from(choice.code != EMPTY)) => Some((*sensor, choice)),
                _ => None,
            })
        };
        for (rule, direct) in [(Rule::Direct, true), (Rule::Forced, false)] {
            if let Some((sensor, choice)) = single(direct) {
                return Ok(Conclusion::Step { rule, sensor, choices: 1, choice });
            }
        }
        // Each choice is tested for a contradiction; a sensor with one choice left gives a step.
        for rule in [Rule::Shared, Rule::Trial].into_iter().filter(|&rule| rule <= hardest) {
            for (sensor, choices) in &open {
                let mut left = None;
                let mut count = 0;
                for &choice in choices {
                    if self.is_possible(choice, rule)? {
                        left = Some(choice);
                        count += 1;
                        // Two choices are left, so this sensor gives no step, whatever the others lead to.
                        if count > 1 {
                            break;
                        }
                    }
                }
                match left {
                    None => return Ok(Conclusion::End(End::Contradiction)),
                    Some(choice) if count == 1 => {
                        let (sensor, choices) = (*sensor, choices.len());
                        return Ok(Conclusion::Step { rule, sensor, choices, choice });
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(Conclusion::End(End::Stuck))
    }

    /// Returns `false` if a choice leads to a contradiction: by the bounds alone for [`Rule::Shared`], by direct,
    /// forced and shared steps for [`Rule::Trial`]. Undoes the choice.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the work; the choice is then not undone.
    fn is_possible(&mut self, choice: Choice, rule: Rule) -> Result<bool, Error> {
        let trail = self.search.placement.trail.len();
        self.search.placement.choose(choice);
        let possible = if rule == Rule::Trial {
            loop {
                match self.conclude(Rule::Shared)? {
                    Conclusion::Step { choice, .. } => self.search.placement.choose(choice),
                    Conclusion::End(end) => break end != End::Contradiction,
                }
            }
        } else {
            !matches!(self.candidates()?, Candidates::Contradiction)
        };
        self.search.placement.undo(trail);
        Ok(possible)
    }
}

impl MyPhoton {
    /// Returns the steps of reasoning about the puzzle, each by the easiest rule that applies, and how reasoning ends.
    /// The result does not depend on where the pieces stand.
    ///
    /// If a puzzle has several solutions and what they have in common does not feed all sensors, reasoning ends
    /// [`Stuck`](End::Stuck). For a board without sensors, it ends [`Fed`](End::Fed) without a step.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget, counted in nodes of the search, runs out, or if the board is too large
    /// or has too many pieces to be searched (see [`solve`](Self::solve)); returns [`Error::Interrupted`] if the
    /// watcher ends the call, and [`Error::Memory`] if memory cannot hold the search.
    pub fn reason(&self, budget: &mut Budget<'_>) -> Result<Reasoning, Error> {
        // With too few pieces for a cycle of light, the bounds that ignore cycles are sound.
        let cycles = if self.hardware.len() < MIN_CYCLE { Cycles::Ignored } else { Cycles::Counted };
        let search = Search::new(self, Objective::Any { filter: false }, cycles)?;
        let mut reasoner = Reasoner { search, sensors: self.world.sensors.len(), budget };
        let mut steps = Vec::new();
        loop {
            match reasoner.conclude(Rule::Trial)? {
                Conclusion::End(end) => return Ok(Reasoning { steps, end }),
                Conclusion::Step { rule, sensor, choices, choice } => {
                    let back = -reasoner.search.placement.ahead(choice.heading);
                    let place = |k: u32| choice.first.wrapping_add_signed(back * k as i32);
                    steps.push(Step {
                        rule,
                        sensor: self.cell(sensor),
                        choices,
                        empty: (0..choice.empty).map(|k| self.cell(place(k))).collect(),
                        piece: Tile::from_code(choice.code)
                            .filter(|tile| tile.is_hardware())
                            .map(|tile| (self.cell(place(choice.empty)), tile)),
                    });
                    reasoner.search.placement.choose(choice);
                }
            }
        }
    }
}
