//! The exact search for a placement of the pieces that lights all sensors. It follows light backward from the sensors.
//!
//! At the root, every tile that is empty or holds hardware is *undecided*, and all pieces are left to place. Light
//! never blocks other light, so a sensor that a laser feeds through decided tiles stays lit whatever stands on the
//! undecided ones. If all sensors are fed and the pieces left fit on the undecided tiles, the partial placement is a
//! *goal*. A node of the search takes the sensor with the fewest choices among those that are not fed, follows its
//! light backward through decided tiles to the straight stretches of undecided tiles from which it may come, and
//! branches on the nearest piece on such a stretch. Three lower bounds on the number of pieces prune the search (see
//! [`bounds`](super::bounds)). A search for a goal with the fewest swaps is also pruned by a lower bound on the number
//! of swaps (see [`swaps`]).
//!
//! A worked example with 3 rows and 3 columns and one mirror to place:
//!
//! ```text
//! L>. .     The sensor opens to the north, so its light comes down column 2, a stretch of two undecided tiles:
//! . M\.     (1, 2), then (0, 2). The choices for the nearest piece are M\ on (1, 2), which turns eastward light south,
//! . . S^    and M\ on (0, 2) with (1, 2) empty. Eastward light comes to (1, 2) only via two more mirrors, so only
//!           the second choice remains. The next node decides that (0, 1) is empty; then the laser feeds the sensor: a
//!           goal.
//! ```

use std::ops::Range;

use crate::core::simd::vectorized;
use crate::core::{Budget, Error, Rng, memory};

use super::MyPhoton;
use super::bitflood::{BitFlood, Bits};
use super::bounds::{Cover, Cycles, Flood, NEVER, RequiredRuns};
use super::placement::{Choice, Placement, Stretch, Walker};
use super::swaps;
use super::tile::{EMPTY, FIRST_KIND, KINDS, comes};

/// The largest number of cells of a board that is searched.
const MAX_CELLS: usize = 1 << 22;

/// The number of nodes in the shortest runs of [`Search::run_by_turns`].
const SHORT_RUN: u64 = 64;

/// The strength of the noise in the order of sensors. Sensors are compared by their numbers of choices, in quarters of
/// a choice; a run in random order adds a random number below this constant. Tuned on 17 slow boards with six to ten
/// pieces.
const SENSOR_NOISE: u64 = 6;

/// The strength of the noise in the order of choices. Choices are compared by [`Choice::pieces`], in quarters of a
/// piece; a run in random order adds a random number below this constant. Tuned on the same boards as [`SENSOR_NOISE`].
const CHOICE_NOISE: u64 = 12;

/// What a search looks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Objective {
    /// Any goal. If `filter` is `true`, a search with [`Bits`] leaves out choices that [`BitFlood::allows`] rejects.
    /// [`assess`](MyPhoton::assess) counts the nodes of the search without this filter.
    Any { filter: bool },
    /// The number of placements that light all sensors. `found` is the number so far; the search ends at `most`.
    Count { most: u64, found: u64 },
    /// A goal with the fewest swaps, which must be fewer than `below`. Each goal that is found lowers `below` to its
    /// number of swaps.
    Fewest { below: usize },
}

impl Objective {
    /// Returns the objective of finding a goal with the fewest swaps; if `most` is given, with at most `most` swaps.
    pub(super) fn fewest(most: Option<usize>) -> Self {
        Self::Fewest { below: most.map_or(usize::MAX, |most| most.saturating_add(1)) }
    }

    /// Returns `true` if nothing better can be found, so that the search may end. `goal` indicates whether a goal was
    /// found.
    pub(super) fn is_met(&self, goal: bool) -> bool {
        match *self {
            // A solved position is never searched with this objective, so every goal takes at least one swap.
            Self::Fewest { below } => below <= 1,
            Self::Count { most, found } => found == most,
            Self::Any { .. } => goal,
        }
    }
}

/// A node on the path from the root to the current node.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The length of the trail at the node.
    trail: usize,
    /// The index in [`Search::choices`] at which the choices of the node begin.
    choices: usize,
    /// The index in [`Search::choices`] at which the choices that have not been tried yet end.
    next: usize,
    /// The index in [`Search::pending`] at which the sensors that are not fed at the node begin. Those of its parent
    /// end there.
    pending: usize,
}

/// The state of a search.
pub(super) struct Search<'g> {
    /// The partial placement of the current node.
    pub(super) placement: Placement<'g>,
    cycles: Cycles,
    pub(super) flood: Flood,
    cover: Cover,
    /// The bounds computed with bitsets; `None` if the board is too large for them, or with [`Cycles::Counted`]:
    /// `flood` and `cover` are then used instead.
    bits: Option<Bits>,
    required: RequiredRuns,
    walker: Walker,
    /// The places of all sensors of the board, then of those that are not fed at each node of the path, node by node.
    pub(super) pending: Vec<u32>,
    /// For each entry of `pending`: the index in `stretches` at which the stretches of that sensor end. They begin
    /// where those of the previous entry end. The sensors of the board, which come first, have none.
    ends: Vec<usize>,
    /// The choices that have not been tried yet at the nodes of the path, node by node.
    choices: Vec<Choice>,
    /// The stretches from which the light of the sensors in `pending` may come, sensor by sensor.
    pub(super) stretches: Vec<Stretch>,
    /// The choices of the sensor that is being examined.
    pub(super) trial: Vec<Choice>,
    /// The choices of the best sensor so far.
    chosen: Vec<Choice>,
    pub(super) objective: Objective,
    /// The decided places of the best goal found so far, with their codes.
    pub(super) goal: Option<Vec<(u32, u8)>>,
    /// The work that one node spends from the budget: 1, and 1 more for each 2048 cells of the board.
    pub(super) cost: u64,
    /// The nodes from the root to the parent of the node that is entered next.
    frames: Vec<Frame>,
    /// The index in [`Search::pending`] at which the sensors that are not fed at the parent of the next node begin; 0
    /// for the root, for which these are all sensors.
    parent: usize,
    /// The generator for a random order of sensors and choices; `None` for the plain order.
    rng: Option<Rng>,
}

/// Checks that a board is not too large to search.
///
/// # Errors
/// Returns [`Error::Limit`] if the board has more than [`MAX_CELLS`] cells, or [`NEVER`] pieces or more.
pub(super) fn check_size(height: usize, width: usize, pieces: usize) -> Result<(), Error> {
    if height * width > MAX_CELLS {
        return Err(Error::Limit(format!(
            "a board to solve must have at most {MAX_CELLS} cells, got {height} * {width}"
        )));
    }
    if pieces >= usize::from(NEVER) {
        return Err(Error::Limit(format!(
            "a board to solve must have at most {} pieces of hardware, got {pieces}",
            NEVER - 1
        )));
    }
    Ok(())
}

impl<'g> Search<'g> {
    /// Creates a search at the root, with no tile decided.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the board has more than [`MAX_CELLS`] cells, or [`NEVER`] pieces or more, and
    /// [`Error::Memory`] if memory cannot hold the search.
    pub(super) fn new(game: &'g MyPhoton, objective: Objective, cycles: Cycles) -> Result<Self, Error> {
        let (height, width) = (game.world.height, game.world.width);
        let places = game.tiles.len();
        check_size(height, width, game.hardware.len())?;
        // All lists of a search take about 64 bytes per place.
        memory::probe(places * 64, "the solver")?;
        let placement = Placement::new(game);
        let bits = if cycles == Cycles::Ignored { Bits::new(&placement) } else { None };
        Ok(Self {
            placement,
            bits,
            cycles,
            flood: Flood::new(places, cycles),
            cover: Cover::new(places),
            required: RequiredRuns::new(places),
            walker: Walker::new(places),
            pending: game.world.sensors.clone(),
            choices: Vec::new(),
            ends: vec![0; game.world.sensors.len()],
            stretches: Vec::new(),
            trial: Vec::new(),
            chosen: Vec::new(),
            objective,
            goal: None,
            cost: 1 + (height * width / 2048) as u64,
            frames: Vec::new(),
            parent: 0,
            rng: None,
        })
    }

    /// Appends the choices on a stretch to `trial`: each kind of piece on each tile, and the empty stretch. If `all` is
    /// `false`, choices to which the pieces left cannot bring light are left out. All levels must be flooded.
    pub(super) fn list(&mut self, stretch: Stretch, all: bool) {
        let Self { placement, flood, cycles, trial, .. } = self;
        let most = placement.pieces as u16;
        let able = |place, code, need| {
            // The piece is itself one of the `most` pieces left, so light must come to it with fewer pieces, unless the
            // light has met this piece before: `need` then already includes it.
            let again = need == most && *cycles == Cycles::Counted;
            need < most || again && flood.comes_again(place, code, comes(code, stretch.heading), most)
        };
        list(placement, stretch, all, |head| flood.need[head as usize], able, trial);
    }

    /// Enters the node of the current placement. Returns `None` if it is a goal (with fewer than `below` swaps for
    /// [`Objective::Fewest`]), otherwise its frame. The frame has no choices if the bounds prove that there is no such
    /// goal below the node.
    ///
    /// * `pending`: the index in [`Search::pending`] at which the sensors that are not fed at the parent begin
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search.
    fn enter(&mut self, budget: &mut Budget<'_>, pending: usize) -> Result<Option<Frame>, Error> {
        budget.spend(self.cost)?;
        let end = self.pending.len();
        let choices = self.choices.len();
        let frame = Frame { trail: self.placement.trail.len(), choices, next: choices, pending: end };
        let most = self.placement.pieces as u16;
        let dead = Ok(Some(frame));
        if self.placement.free < usize::from(most) {
            return dead;
        }
        if let Objective::Fewest { below } = self.objective
            && swaps::fewest(&self.placement.arrows, budget)? >= below
        {
            return dead;
        }
        let trail = self.frames.last().map_or(0, |parent| parent.trail);
        self.walk_back(pending, trail);
        if self.pending.len() == end {
            return Ok(None);
        }
        let found = match self.bits.take() {
            None => self.branch(end),
            Some(mut bits) => {
                let found = match &mut bits {
                    Bits::Rows16(flood) => vectorized!(self.branch_by_bits(flood, end, trail)),
                    Bits::Rows32(flood) => vectorized!(self.branch_by_bits(flood, end, trail)),
                };
                self.bits = Some(bits);
                found
            }
        };
        if !found {
            self.forget(end);
            return dead;
        }
        if !matches!(self.objective, Objective::Count { .. }) {
            // `run_on` takes choices from the end, so the choice with the fewest pieces is tried first.
            let rank = |choice: &Choice| blurred(&mut self.rng, u64::from(choice.pieces), CHOICE_NOISE);
            self.chosen.sort_by_cached_key(rank);
            self.chosen.reverse();
        }
        self.choices.extend_from_slice(&self.chosen);
        Ok(Some(Frame { next: self.choices.len(), ..frame }))
    }

    /// Sets `chosen` to the choices of the sensor that has the fewest. Returns `false` if the bounds prove that there
    /// is no goal below the node. Call [`walk_back`](Self::walk_back) first.
    ///
    /// * `pending`: the index in [`Search::pending`] at which the sensors that are not fed at the node begin
    fn branch(&mut self, pending: usize) -> bool {
        if self.prune(pending) {
            return false;
        }
        let most = self.placement.pieces as u16;
        let mut fewest = u64::MAX;
        for at in pending..self.pending.len() {
            if self.flood.need[self.placement.opening(self.pending[at]) as usize] > most {
                return false;
            }
            let (stretches, all) = self.choosable(at);
            self.trial.clear();
            for at in stretches {
                self.list(self.stretches[at], all);
            }
            if self.trial.is_empty() {
                return false;
            }
            let rank = blurred(&mut self.rng, self.trial.len() as u64, SENSOR_NOISE);
            if rank < fewest {
                fewest = rank;
                std::mem::swap(&mut self.trial, &mut self.chosen);
            }
        }
        true
    }

    /// Does what [`branch`](Self::branch) does, with bitsets, and lists only the choices of the sensor that has the
    /// fewest. Leaves out pieces that are not [allowed](BitFlood::allows) if the objective's `filter` is `true`.
    ///
    /// * `pending`: the index in [`Search::pending`] at which the sensors that are not fed at the node begin
    /// * `trail`: the length of the trail at the parent
    #[inline(always)]
    fn branch_by_bits<const W: usize>(&mut self, flood: &mut BitFlood<W>, pending: usize, trail: usize) -> bool {
        let most = self.placement.pieces as u16;
        if self.required.fewest() > usize::from(most) {
            return false;
        }
        flood.start(&self.placement, self.frames.len(), trail);
        let filter = matches!(self.objective, Objective::Any { filter: true });
        // The sensors of the board come first, so there is a previous entry.
        let (sensors, ends) = (&self.pending[pending..], &self.ends[pending - 1..]);
        if !flood.holds(&self.placement, &mut self.walker, sensors, &self.stretches, ends, filter) {
            return false;
        }
        flood.level(&self.placement);
        let kinds = self.placement.kinds().count_ones();
        let mut fewest = u64::MAX;
        let mut best = (0..0, false);
        for at in pending..self.pending.len() {
            if flood.need(self.placement.opening(self.pending[at])) == NEVER {
                return false;
            }
            let (stretches, all) = self.choosable(at);
            let count = self.stretches[stretches.clone()].iter().fold(0, |count, &stretch| {
                // With all choices, each kind may stand on each tile, or the stretch is empty.
                count + if all { flood.len(stretch) * kinds + 1 } else { flood.count(&self.placement, stretch) }
            });
            if count == 0 {
                return false;
            }
            let rank = blurred(&mut self.rng, u64::from(count), SENSOR_NOISE);
            if rank < fewest {
                fewest = rank;
                best = (stretches, all);
            }
        }
        self.chosen.clear();
        let (stretches, all) = best;
        for &stretch in &self.stretches[stretches] {
            let able = |place, code, need| need < most && flood.allows(place, code);
            list(&self.placement, stretch, all, |head| flood.need(head), able, &mut self.chosen);
        }
        true
    }

    /// Returns the stretches of the sensor at index `at` of `pending`, as a range of indices in `stretches`.
    #[inline(always)]
    pub(super) fn stretches_of(&self, at: usize) -> Range<usize> {
        at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]
    }

    /// Drops the sensors from index `from` of `pending` on, with their stretches.
    pub(super) fn forget(&mut self, from: usize) {
        self.pending.truncate(from);
        self.ends.truncate(from);
        self.stretches.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Returns the stretches on which the search branches for the sensor at index `at` of `pending`, as indices in
    /// `stretches`, and whether it must branch on everything that may stand on them, including pieces to which no light
    /// can come.
    ///
    /// Counting must not find a placement twice. If light may come from several stretches, one placement may agree with
    /// a choice on each of them, so the search branches on everything that may stand on the first stretch.
    #[inline(always)]
    fn choosable(&self, at: usize) -> (Range<usize>, bool) {
        let Range { start, end } = self.stretches_of(at);
        let all = matches!(self.objective, Objective::Count { .. }) && end - start > 1;
        (start..if all { start + 1 } else { end }, all)
    }

    /// Follows light backward from the sensors of the parent, which [`Search::pending`] lists from index `pending` to
    /// the end. Appends the sensors that are still not fed to that list, with their stretches. Notes in `required` each
    /// stretch that is the only one of its sensor and must hold a piece.
    ///
    /// * `trail`: the length of the trail at the parent
    pub(super) fn walk_back(&mut self, pending: usize, trail: usize) {
        let end = self.pending.len();
        self.required.clear();
        let decided = self.placement.decided_after(trail);
        for at in pending..end {
            let (place, known) = (self.pending[at], self.stretches_of(at));
            let start = self.stretches.len();
            // If no tile on the stretches of a sensor has been decided since the parent, its light leads back to the
            // same stretches. A sensor without stretches has not been examined yet.
            let same = !known.is_empty()
                && self.stretches[known.clone()].iter().all(|&known| !decided.meets(self.placement.game, known));
            if same {
                self.stretches.extend_from_within(known);
            } else if self.walker.trace_back(&self.placement, place, &mut self.stretches) {
                continue;
            }
            self.pending.push(place);
            self.ends.push(self.stretches.len());
            if let [stretch] = self.stretches[start..] {
                self.required.note(&self.placement, stretch);
            }
        }
    }

    /// Returns `true` if the bounds prove that the pieces left are too few for the sensors from index `pending` of
    /// [`Search::pending`] to the end; otherwise floods all levels. Call [`walk_back`](Self::walk_back) first. The
    /// bound of `required` is cheap and is checked first, since it ends most nodes with one or two pieces left.
    pub(super) fn prune(&mut self, pending: usize) -> bool {
        let most = self.placement.pieces as u16;
        if self.required.fewest() > usize::from(most) {
            return true;
        }
        self.flood.start(&self.placement);
        let Some(before) = most.checked_sub(1) else {
            self.flood.levels(&self.placement, 0..=0);
            return false;
        };
        // Most heads are on the last level, so it is flooded only if it is needed.
        self.flood.levels(&self.placement, 0..=before);
        if self.cycles == Cycles::Counted {
            self.flood.levels(&self.placement, most..=most);
        }
        if !self.cover.holds(&self.placement, &self.flood, &mut self.walker, &self.pending[pending..]) {
            return true;
        }
        if self.cycles == Cycles::Ignored {
            self.flood.levels(&self.placement, most..=most);
        }
        false
    }

    /// Searches until the objective is met or everything has been searched.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.run_on(u64::MAX, budget).map(|_| ())
    }

    /// Searches for any goal with two searches that alternate: one in the plain order, which continues where it
    /// stopped, and one in random orders, which restarts from the root each time. Ends as soon as either of them finds
    /// a goal or has searched everything.
    ///
    /// The number of nodes before the first goal has a heavy tail: about one hundred on most boards, a million on
    /// boards on which an early choice is bad. Which boards these are depends on the order, so many short runs in
    /// random orders find most goals soon. On the other boards, and on those without a goal, the search in the plain
    /// order usually gives the result. Together the two searches then take less than three times the nodes that the
    /// plain order takes alone, and about twice as many in long searches.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, and [`Error::Memory`] if
    /// memory cannot hold the second search.
    pub(super) fn run_by_turns(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        if self.run_on(SHORT_RUN, budget)? {
            return Ok(());
        }
        let mut other = Search::new(self.placement.game, self.objective, self.cycles)?;
        // A fixed seed: the answer is the same on every machine.
        other.rng = Some(Rng::new(0));
        // The lengths of the runs follow Luby's sequence, 1 1 2 1 1 2 4 1 1 2 ...: for any distribution of the number
        // of nodes to a goal, the expected total is within a logarithmic factor of that of the best fixed length. The
        // sequence is computed by Knuth's method: `length` doubles up to the largest power of two that divides `round`.
        let (mut round, mut length) = (1u64, 1);
        loop {
            let nodes = SHORT_RUN * length;
            if other.run_on(nodes, budget)? {
                self.goal = other.goal;
                return Ok(());
            }
            other.restart();
            if self.run_on(nodes, budget)? {
                return Ok(());
            }
            if round & round.wrapping_neg() == length {
                (round, length) = (round + 1, 1);
            } else {
                length *= 2;
            }
        }
    }

    /// Returns to the root; the generator of random orders is not reset.
    fn restart(&mut self) {
        self.placement.undo(0);
        self.frames.clear();
        self.choices.clear();
        self.forget(self.placement.game.world.sensors.len());
        self.parent = 0;
    }

    /// Continues the search for at most `nodes` nodes. Returns `true` if the search has ended: the objective is met or
    /// everything has been searched.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search.
    fn run_on(&mut self, nodes: u64, budget: &mut Budget<'_>) -> Result<bool, Error> {
        for _ in 0..nodes {
            match self.enter(budget, self.parent)? {
                None => {
                    if self.reached(budget)? {
                        return Ok(true);
                    }
                }
                Some(frame) => self.frames.push(frame),
            }
            // Applies the next choice of the deepest node that has one left.
            loop {
                let Some(frame) = self.frames.last_mut() else { return Ok(true) };
                if frame.next > frame.choices {
                    frame.next -= 1;
                    let frame = *frame;
                    let choice = self.choices[frame.next];
                    self.placement.undo(frame.trail);
                    self.choices.truncate(frame.next);
                    self.parent = frame.pending;
                    self.placement.choose(choice);
                    break;
                }
                let frame = *frame;
                self.placement.undo(frame.trail);
                self.choices.truncate(frame.choices);
                self.forget(frame.pending);
                self.frames.pop();
            }
        }
        Ok(false)
    }

    /// Records the current placement, which is a goal. Returns `true` if the objective is met.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search.
    fn reached(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let placement = &self.placement;
        match &mut self.objective {
            Objective::Count { most, found } => {
                // The pieces left may stand on any undecided tiles; each such placement counts.
                *found = found.saturating_add(ways(placement.free as u64, &placement.left)).min(*most);
                return Ok(*found == *most);
            }
            Objective::Any { .. } => {}
            Objective::Fewest { below } => *below = swaps::fewest(&placement.arrows, budget)?,
        }
        self.goal = Some(placement.trail.iter().map(|&place| (place, placement.tiles[place as usize])).collect());
        Ok(self.objective.is_met(true))
    }
}

/// Appends the choices on a stretch to `out`: each kind of piece on each tile, and the empty stretch.
///
/// * `all`: whether to also append the choices to which the pieces left cannot bring light
/// * `need`: returns the [need](Flood) of a head
/// * `able`: returns `true` if a piece may stand on a place, given the place, the code of the piece and the smallest
///   need of a head that the piece sends toward the sensor, which is taken as 0 if `all` is `true`
#[inline(always)]
fn list(
    placement: &Placement<'_>,
    Stretch { first, last, heading }: Stretch,
    all: bool,
    need: impl Fn(u32) -> u16,
    able: impl Fn(u32, u8, u16) -> bool,
    out: &mut Vec<Choice>,
) {
    let back = -placement.ahead(heading);
    let mut place = first;
    let mut empty = 0;
    loop {
        for k in (0..KINDS).filter(|&k| placement.left[k] > 0) {
            let code = FIRST_KIND + k as u8;
            let mut came = comes(code, heading);
            // The smallest need of the heads with which light may come to the piece; `came` holds the headings still to
            // be examined.
            let mut least = if all { 0 } else { NEVER };
            while came != 0 {
                least = least.min(need(place << 2 | came.trailing_zeros()));
                came &= came - 1;
            }
            if able(place, code, least) {
                out.push(Choice { first, heading, code, empty, pieces: least + 1 });
            }
        }
        empty += 1;
        if place == last {
            let need = if all { 0 } else { need(place << 2 | u32::from(heading)) };
            if need <= placement.pieces as u16 {
                out.push(Choice { first, heading, code: EMPTY, empty, pieces: need });
            }
            return;
        }
        place = place.wrapping_add_signed(back);
    }
}

/// Returns `4 * number`, plus a random number below `noise` if there is a generator.
fn blurred(rng: &mut Option<Rng>, number: u64, noise: u64) -> u64 {
    4 * number + rng.as_mut().map_or(0, |rng| rng.below(noise))
}

/// Returns the number of ways to place pieces on `free` tiles, but at most `u64::MAX`. `left` holds the number of
/// pieces by kind, which must be at most `free` in total.
fn ways(free: u64, left: &[u32]) -> u64 {
    let (mut free, mut ways) = (u128::from(free), 1u128);
    for &pieces in left {
        let pieces = u128::from(pieces);
        // Choosing the tiles of the pieces is equivalent to choosing the tiles that stay free, so the loop runs over
        // the smaller set. This set has at most half of the tiles, so each factor is at least 1, and a product above
        // the limit stays above it.
        for k in 0..pieces.min(free - pieces) {
            // The product of k + 1 consecutive integers is divisible by (k + 1)!, so there is no remainder.
            ways = ways * (free - k) / (k + 1);
            if ways > u128::from(u64::MAX) {
                return u64::MAX;
            }
        }
        free -= pieces;
    }
    ways as u64
}
