//! Explanations: the easiest step that can be justified, and the reason why a field is safe or holds a goose.
//!
//! There are five rules, from easy to hard. A *clue* is a revealed number with unknown fields around it; it *needs* its
//! value less the geese already known around it.
//!
//! ```text
//! count      1 A     the 1 needs one goose, and A is the only unknown field around it: A holds the goose. If the goose
//!                    of the 1 is already known, the 1 needs none, and every unknown field around it is safe
//! subset     1 2 1   the left 1 is beside A and B, and the 2 is beside A, B and C: one of A and B holds a goose, so C
//!            A B C   holds the other goose of the 2
//! remaining          a few clues (possibly none) share no field and together need some of the geese that are left: if
//!                    no other geese are left, all other unknown fields are safe; if as many other geese are left as
//!                    there are other unknown fields, all of these fields hold geese
//! exact              a field is safe, or holds a goose, on all boards that agree with the view, by exact chances
//! guess              nothing is certain
//! ```
//!
//! Every rule is sound: it concludes only what is true on all boards that agree with its clues, the facts concluded
//! before, and, for `remaining` and `exact`, the number of geese. `exact` is also complete: a guess is reported only if
//! nothing is certain.
#![allow(clippy::float_cmp)] // fields that are certain have a chance of exactly 0 or 1

use super::fields::{GOOSE, each_neighbor, is_covered};
use super::known::SAFE;
use super::play::Advice;
use super::{Engine, GeeseSpotter, MARK, Player, Policy, SHOW, View};
use crate::core::{Budget, Error, Game};

/// A rule of reasoning. Rules are ordered by difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// One clue needs no goose, or a goose in each of its unknown fields.
    Count,
    /// Two clues are compared.
    Subset,
    /// The number of geese that are left decides fields, alone or together with a few clues.
    Remaining,
    /// All boards that agree with the view are counted.
    Exact,
    /// Nothing is certain.
    Guess,
}

impl Rule {
    /// The rules with their names in Python, from easy to hard.
    pub const ALL: [(&'static str, Self); 5] = [
        ("count", Self::Count),
        ("subset", Self::Subset),
        ("remaining", Self::Remaining),
        ("exact", Self::Exact),
        ("guess", Self::Guess),
    ];
}

/// One step of reasoning. Fields are row-major indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The rule that was used.
    pub rule: Rule,
    /// The revealed numbers from which the step follows. Empty for a guess, for a `remaining` step that needs no clue,
    /// and for an `exact` step of [`Reasoner::next`], which uses all numbers.
    pub numbers: Vec<usize>,
    /// The fields that are concluded to be safe.
    pub safe: Vec<usize>,
    /// The fields that are concluded to hold a goose.
    pub geese: Vec<usize>,
    /// Whether the step uses the number of geese on the board.
    pub total: bool,
    /// The best show, if nothing is certain.
    pub guess: Option<Advice>,
}

impl Step {
    fn new(rule: Rule, numbers: Vec<usize>) -> Self {
        let total = matches!(rule, Rule::Remaining | Rule::Exact);
        Self { rule, numbers, safe: Vec::new(), geese: Vec::new(), total, guess: None }
    }

    /// Returns whether the step concludes anything.
    fn concludes(&self) -> bool {
        !self.safe.is_empty() || !self.geese.is_empty()
    }
}

/// The largest number of clues that `remaining` combines: people hardly ever combine more.
const MAX_CLUES: usize = 4;

/// The largest number of sets of clues that `remaining` tries for one step.
const MAX_CLUE_SETS: u32 = 3000;

/// A revealed number with unknown fields around it.
#[derive(Clone, Debug)]
struct Clue {
    /// The row-major index of the number.
    at: usize,
    /// The number of geese that the clue needs among `fields`.
    need: usize,
    /// The unknown fields around the clue, ascending.
    fields: Vec<usize>,
}

/// Takes one step of reasoning after another, always by the easiest rule, and remembers what the steps conclude.
#[derive(Clone, Debug)]
pub struct Reasoner {
    view: View,
    /// By field: its value, [`View::UNKNOWN`], or what was concluded: [`SAFE`] or [`GOOSE`].
    facts: Vec<u8>,
    engine: Engine,
    player: Player,
}

impl Reasoner {
    /// Starts from a view; nothing is concluded yet.
    pub fn new(view: View) -> Self {
        let facts = view.fields().to_vec();
        Self { view, facts, engine: Engine::default(), player: Player::new(Policy::Lookahead) }
    }

    /// Records that the field at row-major `index` was revealed with `value`: 0 to 8, or 9 for a goose.
    ///
    /// # Panics
    /// If `index` is off the board.
    pub fn reveal(&mut self, index: usize, value: u8) {
        self.view.reveal(index, value);
        self.facts[index] = value;
    }

    /// Returns the easiest step that concludes something new, and remembers what it concludes. A guess concludes
    /// nothing and is returned again until a field is revealed. Returns `None` if nothing is left to conclude.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if boards are counted and none agrees with the view, [`Error::Interrupted`] if the
    /// watcher ends the call, [`Error::Limit`] if the budget ends the count or a component is too entangled, and
    /// [`Error::Memory`] if memory does not suffice.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Step>, Error> {
        if !self.facts.contains(&View::UNKNOWN) {
            return Ok(None);
        }
        let step = match self.easy(budget)? {
            Some(step) => step,
            None => self.exact(budget)?,
        };
        self.remember(&step);
        Ok(Some(step))
    }

    /// Returns the easiest step that concludes something new without counting boards; `None` if there is none.
    fn easy(&self, budget: &mut Budget<'_>) -> Result<Option<Step>, Error> {
        budget.spend(self.facts.len() as u64 / 64 + 1)?;
        let clues = self.clues();
        Ok(count(&clues).or_else(|| self.subset(&clues)).or_else(|| self.remaining(&clues)))
    }

    /// Records what a step concludes.
    fn remember(&mut self, step: &Step) {
        for (fields, fact) in [(&step.safe, SAFE), (&step.geese, GOOSE)] {
            for &at in fields {
                self.facts[at] = fact;
            }
        }
    }

    /// Returns the clues in reading order.
    fn clues(&self) -> Vec<Clue> {
        let mut clues = Vec::new();
        for (at, &value) in self.view.fields().iter().enumerate().filter(|&(_, &value)| value < GOOSE) {
            let (mut fields, mut geese) = (Vec::new(), 0);
            each_neighbor(self.view.height(), self.view.width(), at, |near| match self.facts[near] {
                View::UNKNOWN => fields.push(near),
                GOOSE => geese += 1,
                _ => {}
            });
            if !fields.is_empty() {
                clues.push(Clue { at, need: usize::from(value).saturating_sub(geese), fields });
            }
        }
        clues
    }

    /// Returns a step that compares two clues at most two rows and two columns apart (clues farther apart share no
    /// field); `None` if no such step concludes anything. A step with safe fields is preferred, because safe fields can
    /// be shown.
    fn subset(&self, clues: &[Clue]) -> Option<Step> {
        let width = self.view.width();
        let mut fallback = None;
        for (i, a) in clues.iter().enumerate() {
            let (row, col) = (a.at / width, a.at % width);
            for row in row..=row + 2 {
                // Clues are in reading order, so those in a row near the column of `a` are found by bisection.
                let first = row * width + col.saturating_sub(2);
                let last = row * width + (col + 2).min(width - 1);
                let later = &clues[i + 1..];
                let from = later.partition_point(|b| b.at < first);
                for b in later[from..].iter().take_while(|b| b.at <= last) {
                    if let Some(step) = compare(a, b) {
                        if !step.safe.is_empty() {
                            return Some(step);
                        }
                        fallback = fallback.or(Some(step));
                    }
                }
            }
        }
        fallback
    }

    /// Returns a step that follows from the number of geese that are left, alone or together with up to [`MAX_CLUES`]
    /// clues that share no field; `None` if none is found. Smaller sets of clues are tried first.
    fn remaining(&self, clues: &[Clue]) -> Option<Step> {
        let unknown: Vec<usize> = (0..self.facts.len()).filter(|&at| self.facts[at] == View::UNKNOWN).collect();
        let found = self.facts.iter().map(|&fact| usize::from(fact == GOOSE)).sum();
        let left = self.view.geese().checked_sub(found)?;
        let mut search = DisjointClues {
            clues,
            covered: vec![false; self.facts.len()],
            chosen: Vec::new(),
            outside: unknown.len(),
            left,
            tried: 0,
        };
        let all_geese = (0..=MAX_CLUES).find_map(|size| search.search(0, size))?;
        let mut step = Step::new(Rule::Remaining, search.chosen.iter().map(|&i| clues[i].at).collect());
        let fields = unknown.into_iter().filter(|&at| !search.covered[at]).collect();
        if all_geese {
            step.geese = fields;
        } else {
            step.safe = fields;
        }
        Some(step)
    }

    /// Returns a step with all further fields that are certain by exact chances, or a guess if there are none.
    fn exact(&mut self, budget: &mut Budget<'_>) -> Result<Step, Error> {
        self.engine.solve(&self.view, budget)?;
        let chances = self.engine.chances()?.geese;
        let new = |chance: f64| {
            (0..chances.len())
                .filter(|&at| self.facts[at] == View::UNKNOWN && chances[at] == chance)
                .collect::<Vec<_>>()
        };
        let mut step = Step::new(Rule::Exact, Vec::new());
        (step.safe, step.geese) = (new(0.0), new(1.0));
        if step.concludes() {
            return Ok(step);
        }
        self.player.start(&self.view);
        step = Step::new(Rule::Guess, Vec::new());
        step.guess = self.player.advise(budget)?;
        Ok(step)
    }
}

/// Returns the step of the first clue that needs no goose, so that all its fields are safe, or else of the first clue
/// that needs a goose in each of its fields; `None` if there is neither.
fn count(clues: &[Clue]) -> Option<Step> {
    let complete = clues.iter().find(|clue| clue.need == 0);
    let clue = complete.or_else(|| clues.iter().find(|clue| clue.need == clue.fields.len()))?;
    let mut step = Step::new(Rule::Count, vec![clue.at]);
    if complete.is_some() {
        step.safe.clone_from(&clue.fields);
    } else {
        step.geese.clone_from(&clue.fields);
    }
    Some(step)
}

/// Returns the step with everything that two clues imply together; `None` if they share no field or imply nothing. The
/// number of geese in the shared fields has two bounds:
///
/// ```text
/// least = max(0, need A - fields beside A alone, need B - fields beside B alone)
/// most  = min(shared fields, need A, need B)
/// ```
///
/// The fields beside A alone hold between `need A - most` and `need A - least` geese; the fields beside B alone hold
/// between `need B - most` and `need B - least`. In each of these three sets of fields, all fields are safe if the
/// upper bound is 0, and all hold geese if the lower bound is the number of fields.
fn compare(a: &Clue, b: &Clue) -> Option<Step> {
    let shared: Vec<usize> = a.fields.iter().copied().filter(|at| b.fields.contains(at)).collect();
    if shared.is_empty() {
        return None;
    }
    let only = |of: &Clue| of.fields.iter().copied().filter(|at| !shared.contains(at)).collect::<Vec<_>>();
    let (only_a, only_b) = (only(a), only(b));
    let least = a.need.saturating_sub(only_a.len()).max(b.need.saturating_sub(only_b.len()));
    let most = shared.len().min(a.need).min(b.need);
    if least > most {
        // A contradiction, which exact chances report later.
        return None;
    }
    let mut step = Step::new(Rule::Subset, vec![a.at, b.at]);
    for (fields, least, most) in
        [(shared, least, most), (only_a, a.need - most, a.need - least), (only_b, b.need - most, b.need - least)]
    {
        if most == 0 {
            step.safe.extend(fields);
        } else if least == fields.len() {
            step.geese.extend(fields);
        }
    }
    step.safe.sort_unstable();
    step.geese.sort_unstable();
    step.concludes().then_some(step)
}

/// A search for clues that share no field and, together with the number of geese that are left, decide every unknown
/// field that is beside none of them.
struct DisjointClues<'a> {
    clues: &'a [Clue],
    /// By field: whether a chosen clue is beside it.
    covered: Vec<bool>,
    /// The chosen clues, by index.
    chosen: Vec<usize>,
    /// The number of unknown fields that are not covered.
    outside: usize,
    /// The number of geese that are left for the unknown fields that are not covered.
    left: usize,
    /// The number of sets of clues tried so far.
    tried: u32,
}

impl DisjointClues<'_> {
    /// Chooses `size` more clues, from index `from` on, so that the unknown fields that are not covered are decided.
    /// Returns `true` if all of these fields hold geese, and `false` if all are safe. Returns `None`, with `chosen` as
    /// it was before the call, if there is no such choice or if [`MAX_CLUE_SETS`] sets were tried.
    fn search(&mut self, from: usize, size: usize) -> Option<bool> {
        if size == 0 {
            self.tried += 1;
            let decided = self.outside > 0 && (self.left == 0 || self.left == self.outside);
            return decided.then_some(self.left > 0);
        }
        for i in from..self.clues.len() {
            let clue = &self.clues[i];
            if self.tried >= MAX_CLUE_SETS {
                return None;
            }
            if clue.need > self.left || clue.fields.iter().any(|&at| self.covered[at]) {
                continue;
            }
            self.put(i, true);
            if let Some(all_geese) = self.search(i + 1, size - 1) {
                return Some(all_geese);
            }
            self.put(i, false);
        }
        None
    }

    /// Chooses clue `i`, or takes the choice back if `chosen` is `false`.
    fn put(&mut self, i: usize, chosen: bool) {
        let clue = &self.clues[i];
        for &at in &clue.fields {
            self.covered[at] = chosen;
        }
        if chosen {
            self.chosen.push(i);
            self.outside -= clue.fields.len();
            self.left -= clue.need;
        } else {
            self.chosen.pop();
            self.outside += clue.fields.len();
            self.left += clue.need;
        }
    }
}

/// What is known about one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The field was revealed.
    Revealed,
    /// The field certainly holds no goose.
    Safe,
    /// The field certainly holds a goose.
    Goose,
    /// The field is safe on some boards and holds a goose on others.
    Open,
}

impl Verdict {
    /// The verdicts with their names in Python.
    pub const ALL: [(&'static str, Self); 4] =
        [("revealed", Self::Revealed), ("safe", Self::Safe), ("goose", Self::Goose), ("open", Self::Open)];
}

/// The explanation of a field: what is known about it, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldReason {
    /// What is known about the field.
    pub verdict: Verdict,
    /// The chance of a goose in the field.
    pub chance: f64,
    /// The steps that decide the field, in order; the last one concludes that the field is safe or holds a goose. Empty
    /// if the field was revealed or is not certain.
    pub steps: Vec<Step>,
    /// The best show, if the field is hidden and not certain.
    pub best: Option<Advice>,
}

/// The largest number of steps that explain a field; a longer chain is replaced with one step of exact counting.
const MAX_STEPS: usize = 3;

impl View {
    /// Explains the field at row-major `index`: what is known about it, its chance of a goose, and the steps that
    /// decide it.
    ///
    /// # Panics
    /// If `index` is off the board.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if no board agrees with the view, [`Error::Interrupted`] if the watcher ends the
    /// call, [`Error::Limit`] if the budget ends the count or a component is too entangled, and [`Error::Memory`] if
    /// memory does not suffice.
    pub fn explain(&self, index: usize, budget: &mut Budget<'_>) -> Result<FieldReason, Error> {
        let chance = self.chances(budget)?.geese[index];
        let verdict = match self.fields()[index] {
            Self::UNKNOWN if chance == 0.0 => Verdict::Safe,
            Self::UNKNOWN if chance == 1.0 => Verdict::Goose,
            Self::UNKNOWN => Verdict::Open,
            _ => Verdict::Revealed,
        };
        let mut reason = FieldReason { verdict, chance, steps: Vec::new(), best: None };
        match verdict {
            Verdict::Revealed => {}
            Verdict::Open => {
                let mut player = Player::new(Policy::Lookahead);
                player.start(self);
                reason.best = player.advise(budget)?;
            }
            Verdict::Safe | Verdict::Goose => reason.steps = self.chain(index, budget)?,
        }
        Ok(reason)
    }

    /// Returns the steps that decide a field that is certain: the steps by the easiest rules on which the field
    /// depends, or one step of exact counting.
    fn chain(&self, index: usize, budget: &mut Budget<'_>) -> Result<Vec<Step>, Error> {
        let mut reasoner = Reasoner::new(self.clone());
        let mut steps: Vec<Step> = Vec::new();
        // By field: the index of the step that decided it.
        let mut source: Vec<Option<usize>> = vec![None; self.fields().len()];
        while source[index].is_none() {
            let Some(step) = reasoner.next(budget)? else { break };
            if step.rule >= Rule::Exact {
                break;
            }
            for &at in step.safe.iter().chain(&step.geese) {
                source[at] = Some(steps.len());
            }
            steps.push(step);
        }
        if let Some(last) = source[index] {
            let mut needed = vec![false; steps.len()];
            needed[last] = true;
            // A step depends on the earlier steps that decided fields around its numbers.
            for i in (0..=last).rev() {
                if needed[i] {
                    for &number in &steps[i].numbers {
                        each_neighbor(self.height(), self.width(), number, |at| {
                            if let Some(earlier) = source[at].filter(|&earlier| earlier < i) {
                                needed[earlier] = true;
                            }
                        });
                    }
                }
            }
            // A step that uses the number of geese left depends on every goose that was concluded before. If the step
            // concludes geese, because as many geese as fields are left, it also depends on every safe field that was
            // concluded before. A chain of all steps that it depends on could be too long, so one step of exact
            // counting replaces the chain.
            let counts_all = (0..=last).filter(|&i| needed[i] && steps[i].total).any(|i| {
                let fills = !steps[i].geese.is_empty();
                steps[..i].iter().any(|earlier| fills || !earlier.geese.is_empty())
            });
            let chain: Vec<Step> =
                steps.into_iter().zip(needed).filter(|&(_, needed)| needed).map(|(step, _)| step).collect();
            if chain.len() <= MAX_STEPS && !counts_all {
                return Ok(chain);
            }
        }
        Ok(vec![self.proof(index, budget)?])
    }

    /// Returns the step of exact counting that decides a field that is certain. No number of this step can be left out.
    /// The `total` of the step indicates whether the number of geese is needed if all numbers of the board are used.
    pub(super) fn proof(&self, index: usize, budget: &mut Budget<'_>) -> Result<Step, Error> {
        let chance = self.chances(budget)?.geese[index];
        let width = self.width();
        let (row, col) = (index / width, index % width);
        let mut numbers: Vec<usize> = (0..self.fields().len()).filter(|&at| self.fields()[at] < GOOSE).collect();
        numbers.sort_by_key(|&at| (at / width).abs_diff(row).max((at % width).abs_diff(col)));
        let mut engine = Engine::default();
        let mut proves = |kept: &[usize], total: bool, budget: &mut Budget<'_>| -> Result<bool, Error> {
            engine.count_with(self, kept.iter(), total, budget)?;
            Ok(engine.chance(engine.known.place(index)) == chance)
        };
        // Doubles the count of nearest numbers until they suffice, then leaves out those that are not needed, the
        // farthest first.
        let total = !proves(&numbers, false, budget)?;
        let mut enough = 1;
        while enough < numbers.len() && !proves(&numbers[..enough], total, budget)? {
            enough *= 2;
        }
        numbers.truncate(enough);
        for i in (0..numbers.len()).rev() {
            let removed = numbers.remove(i);
            if !proves(&numbers, total, budget)? {
                numbers.insert(i, removed);
            }
        }
        numbers.sort_unstable();
        let mut step = Step::new(Rule::Exact, numbers);
        step.total = total;
        if chance == 0.0 {
            step.safe.push(index);
        } else {
            step.geese.push(index);
        }
        Ok(step)
    }
}

impl GeeseSpotter {
    /// Returns the easiest step that has a move: a safe field to show, or a goose to mark. Geese that are marked and
    /// can be concluded without counting boards are treated as known. Returns a guess if nothing else is left, and
    /// `None` if the game is over.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if
    /// a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn explain_next(&self, budget: &mut Budget<'_>) -> Result<Option<Step>, Error> {
        if self.status().is_over() {
            return Ok(None);
        }
        let view = self.view();
        let mut reasoner = Reasoner::new(view.clone());
        if self.marks > 0 {
            // A player needs no explanation for a marked goose that the easy rules conclude.
            let mut again = reasoner.clone();
            while let Some(mut step) = again.easy(budget)? {
                again.remember(&step);
                step.geese.retain(|&at| !is_covered(self.fields[at]));
                step.safe.clear();
                reasoner.remember(&step);
            }
        }
        while let Some(mut step) = reasoner.next(budget)? {
            // A goose that is already marked needs no move.
            step.geese.retain(|&at| is_covered(self.fields[at]));
            if step.rule == Rule::Guess {
                step.guess = self.unmarked(step.guess, budget)?;
                return Ok(Some(step));
            }
            if step.rule == Rule::Exact
                && let Some(&at) = step.safe.first().or(step.geese.first())
            {
                return view.proof(at, budget).map(Some);
            }
            if step.concludes() {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Returns the reason for what is known about the field at row-major `index`, as [`View::explain`] does; the best
    /// show is that of [`GeeseSpotter::hint`].
    ///
    /// # Errors
    /// Returns the errors of [`View::explain`] and [`GeeseSpotter::hint`].
    ///
    /// # Panics
    /// If `index` is off the board.
    pub fn explain(&self, index: usize, budget: &mut Budget<'_>) -> Result<FieldReason, Error> {
        let mut reason = self.view().explain(index, budget)?;
        reason.best = self.unmarked(reason.best, budget)?;
        Ok(reason)
    }

    /// Returns the best show; if it is marked and the game is open, what [`GeeseSpotter::hint`] returns instead.
    fn unmarked(&self, best: Option<Advice>, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        match best {
            Some(advice) if !is_covered(self.fields[advice.index]) => {
                Ok(self.hint(Policy::Lookahead, budget)?.or(best))
            }
            _ => Ok(best),
        }
    }

    /// Returns the moves of a step: marks for its geese, shows for its safe fields. Every move is legal whatever the
    /// moves before it reveal; to ensure this, some fields may be left out. If the step counts around a revealed
    /// zero, the move is to show that zero again, which reveals the fields around it; any marks on these fields are
    /// removed first.
    pub fn moves_of_step(&self, step: &Step) -> Vec<[i32; 3]> {
        let width = self.width();
        match step.numbers.first() {
            Some(&zero) if step.rule == Rule::Count && self.fields[zero] == 0 => {
                let marked = step.safe.iter().copied().filter(|&at| !is_covered(self.fields[at]));
                let cell = |action, at: usize| [action, (at / width) as i32, (at % width) as i32];
                marked.map(|at| cell(MARK, at)).chain([cell(SHOW, zero)]).collect()
            }
            _ => self.moves_of(&step.safe, &step.geese),
        }
    }

    /// Returns moves that mark the unmarked fields of `geese` and show the fields of `safe`. Every move is legal
    /// whatever the moves before it reveal; to ensure this, some fields may be left out. Marks come first, since the
    /// last show may win the game.
    pub fn moves_of(&self, safe: &[usize], geese: &[usize]) -> Vec<[i32; 3]> {
        let width = self.width();
        // On a board full of geese the first mark wins, and no further move is legal.
        let most = if self.geese() == self.fields.len() { 1 } else { geese.len() };
        let unmarked = geese.iter().filter(|&&at| is_covered(self.fields[at])).take(most);
        let mut moves: Vec<_> = unmarked.map(|&at| [MARK, (at / width) as i32, (at % width) as i32]).collect();
        moves.extend(self.shows_of(safe, geese));
        moves
    }

    /// Returns moves that show the fields of `safe`; each move is legal whatever the moves before it reveal. A marked
    /// field is unmarked first. `geese` are fields that are known to hold a goose.
    ///
    /// A zero also reveals its neighbors, and a revealed field that is not a zero cannot be shown again. So an unmarked
    /// field is left out if an earlier field beside it may be a zero or, with the chain reaction, if any earlier field
    /// may be a zero.
    fn shows_of(&self, safe: &[usize], geese: &[usize]) -> Vec<[i32; 3]> {
        let (height, width) = (self.height(), self.width());
        // Fields beside a known goose are not zeros, so they reveal nothing else; they come first.
        let mut is_number = vec![false; self.fields.len()];
        for &goose in geese {
            each_neighbor(height, width, goose, |near| is_number[near] = true);
        }
        let mut order: Vec<(bool, usize)> = safe.iter().map(|&at| (!is_number[at], at)).collect();
        order.sort_unstable();
        let mut moves = Vec::new();
        let mut blocked = vec![false; self.fields.len()];
        let mut flooded = false;
        for (may_be_zero, at) in order {
            let marked = !is_covered(self.fields[at]);
            // A zero does not reveal a marked field.
            if (blocked[at] || flooded) && !marked {
                continue;
            }
            let (row, col) = ((at / width) as i32, (at % width) as i32);
            if marked {
                moves.push([MARK, row, col]);
            }
            moves.push([SHOW, row, col]);
            if may_be_zero {
                each_neighbor(height, width, at, |near| blocked[near] = true);
                flooded |= self.flood;
            }
        }
        moves
    }

    /// Returns moves that show fields that are certainly safe, from what the player can know; a marked field is
    /// unmarked first. The moves are legal in this order whatever they reveal. Empty if the game is won; `None` if it
    /// is lost or exact chances prove that no hidden field is certainly safe.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if
    /// a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn solve(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 3]>>, Error> {
        match self.status() {
            crate::core::Status::Won => return Ok(Some(Vec::new())),
            crate::core::Status::Open => {}
            _ => return Ok(None),
        }
        let view = self.view();
        let chances = view.chances(budget)?.geese;
        let certain = |chance: f64| {
            (0..chances.len())
                .filter(|&at| view.fields()[at] == View::UNKNOWN && chances[at] == chance)
                .collect::<Vec<_>>()
        };
        let moves = self.shows_of(&certain(0.0), &certain(1.0));
        Ok((!moves.is_empty()).then_some(moves))
    }
}
