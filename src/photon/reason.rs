//! Reasons: what must stand on a tile in every solution, found by rules that a person can follow.
//!
//! The rules know the board, the lasers, the sensors and which pieces there are, but not where these stand now: what
//! they conclude holds in **all** solutions, so it is true of the puzzle and not of the position. Each step takes a
//! sensor that is not fed by decided tiles, lists its *choices* (a stretch of empty tiles and the piece behind it, as
//! in the solver), and concludes the one choice that is left after the others are excluded:
//!
//! 1. [`Direct`](Rule::Direct): the bounds of the search exclude all others, and light already comes to the choice.
//! 2. [`Forced`](Rule::Forced): the bounds exclude all others; light must still be brought to the choice.
//! 3. [`Shared`](Rule::Shared): each other choice leaves too few pieces for some sensor: a piece must serve several.
//! 4. [`Trial`](Rule::Trial): each other choice leads to a contradiction by the rules before, step by step.
//!
//! [`Spare`](Rule::Spare) and [`Search`](Rule::Search) conclude no step here. They name hints: to clear a tile that a
//! step wants empty, and to follow the solver if these rules are stuck.
//!
//! Proof that a step is sound: in every solution each sensor has light, and the light comes through one of its
//! stretches, behind the nearest piece there or from the tile behind the stretch. So at least one choice is true in
//! every solution that agrees with the decided tiles, and the bounds exclude only choices that no such solution
//! contains. If one choice is left, every solution contains it. The decided tiles agree with all solutions by
//! induction.

use crate::core::{Budget, Cell, Error};

use super::MyPhoton;
use super::bounds::{Cycles, MIN_CYCLE, NEVER};
use super::placement::Choice;
use super::search::{Objective, Search};
use super::tile::{EMPTY, Tile};

/// The rules, from easy to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A beam already passes, and one piece on one tile turns it to the sensor, or empty tiles let it through.
    Direct,
    /// The sensor can be fed by one piece on one tile only, to which light must still be brought.
    Forced,
    /// All ways to feed a sensor but one leave too few pieces for the other sensors.
    Shared,
    /// A piece stands on a tile that is empty in every solution, and may leave.
    Spare,
    /// All ways to feed a sensor but one lead to a contradiction by the rules before.
    Trial,
    /// Only a search finds the step.
    Search,
}

impl Rule {
    /// All rules from easy to hard, with their names in Python.
    pub const ALL: [(&'static str, Self); 6] = [
        ("direct", Self::Direct),
        ("forced", Self::Forced),
        ("shared", Self::Shared),
        ("spare", Self::Spare),
        ("trial", Self::Trial),
        ("search", Self::Search),
    ];
}

/// A conclusion: in every solution some tiles are empty, and a piece stands behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule that concludes it.
    pub rule: Rule,
    /// The sensor that the light is for.
    pub sensor: Cell,
    /// The number of choices that the sensor had before the rule.
    pub choices: usize,
    /// The tiles that are empty, in order from the sensor.
    pub empty: Vec<Cell>,
    /// The cell of the piece behind them, and the piece; `None` if light comes from a tile that was decided before.
    pub piece: Option<(Cell, Tile)>,
}

/// How reasoning ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All sensors are fed by decided tiles: the other pieces may stand anywhere.
    Fed,
    /// No rule applies.
    Stuck,
    /// The puzzle has no solution: this is proved.
    Contradiction,
}

/// The steps of a puzzle, always by the easiest rule that applies, and how they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// How they end.
    pub end: End,
}

/// What the bounds tell about the sensors, given the decided tiles.
enum Candidates {
    Fed,
    Contradiction,
    /// The choices of each sensor that is not fed.
    Open(Vec<(u32, Vec<Choice>)>),
}

/// The next conclusion of the rules.
enum Conclusion {
    Step { rule: Rule, sensor: u32, choices: usize, choice: Choice },
    End(End),
}

/// Draws conclusions on the search's partial placement.
struct Reasoner<'g, 'b, 'w> {
    search: Search<'g>,
    sensors: usize,
    budget: &'b mut Budget<'w>,
}

impl Reasoner<'_, '_, '_> {
    /// Lists the choices of all sensors that are not fed, by the bounds alone.
    fn candidates(&mut self) -> Result<Candidates, Error> {
        let search = &mut self.search;
        self.budget.spend(search.cost)?;
        search.pending.truncate(self.sensors);
        if search.placement.free < search.placement.pieces as usize {
            return Ok(Candidates::Contradiction);
        }
        search.walk_back(0);
        if search.pending.len() == self.sensors {
            return Ok(Candidates::Fed);
        }
        if search.prune(self.sensors) {
            return Ok(Candidates::Contradiction);
        }
        let mut open = Vec::new();
        let mut start = 0;
        for k in 0..search.ends.len() {
            let (stop, sensor) = (search.ends[k], search.pending[self.sensors + k]);
            search.trial.clear();
            for at in start..stop {
                search.list(search.stretches[at], false);
            }
            start = stop;
            let short = search.flood.need[search.placement.opening(sensor) as usize];
            if search.trial.is_empty() || short == NEVER {
                return Ok(Candidates::Contradiction);
            }
            open.push((sensor, search.trial.clone()));
        }
        // The sensor with the fewest choices first; sensors with equally many stay in row-major order.
        open.sort_by_key(|(_, choices)| choices.len());
        Ok(Candidates::Open(open))
    }

    /// Concludes a step by the easiest rule that applies, none harder than `hardest`.
    fn conclude(&mut self, hardest: Rule) -> Result<Conclusion, Error> {
        let open = match self.candidates()? {
            Candidates::Fed => return Ok(Conclusion::End(End::Fed)),
            Candidates::Contradiction => return Ok(Conclusion::End(End::Contradiction)),
            Candidates::Open(open) => open,
        };
        let single = |direct: bool| {
            open.iter().find_map(|(sensor, choices)| match choices[..] {
                // A choice takes one piece if light is there, and no piece if the whole stretch is to be empty.
                [choice] if direct == (choice.pieces <= u16::from(choice.code != EMPTY)) => Some((*sensor, choice)),
                _ => None,
            })
        };
        for (rule, direct) in [(Rule::Direct, true), (Rule::Forced, false)] {
            if let Some((sensor, choice)) = single(direct) {
                return Ok(Conclusion::Step { rule, sensor, choices: 1, choice });
            }
        }
        // Each choice is tried for a contradiction; a sensor with one choice left gives a step.
        for rule in [Rule::Shared, Rule::Trial].into_iter().filter(|&rule| rule <= hardest) {
            for (sensor, choices) in &open {
                let mut left = None;
                let mut count = 0;
                for &choice in choices {
                    if self.stands(choice, rule)? {
                        left = Some(choice);
                        count += 1;
                        // Two choices are left: this sensor decides nothing, whatever becomes of the others.
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

    /// Returns `false` if a choice leads to a contradiction: by the bounds alone, or for [`Rule::Trial`] by all rules
    /// before it.
    fn stands(&mut self, choice: Choice, rule: Rule) -> Result<bool, Error> {
        let trail = self.search.placement.trail.len();
        self.search.placement.choose(choice);
        let stands = if rule == Rule::Trial {
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
        Ok(stands)
    }
}

impl MyPhoton {
    /// Reasons about the puzzle with no tile decided, always by the easiest rule. The position of the pieces does not
    /// matter.
    ///
    /// A puzzle with several solutions that differ on the tiles of the light ends [`Stuck`](End::Stuck), since nothing
    /// more holds in all of them. A world without sensors ends [`Fed`](End::Fed) without a step.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget, counted in nodes of the search, runs out or the board is too large to
    /// search, [`Error::Interrupted`] if the watcher ends the call.
    pub fn reason(&self, budget: &mut Budget<'_>) -> Result<Reasoning, Error> {
        // With too few pieces for a cycle of light, the sharper bounds miss nothing.
        let cycles = if self.hardware.len() < MIN_CYCLE { Cycles::Ignored } else { Cycles::Counted };
        let search = Search::new(self, Objective::Any, cycles)?;
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
