//! The exact search for which piece stands on which tile: it walks light backward from the sensors.
//!
//! Every tile that is empty or holds hardware starts *undecided*, with the pieces left to place by kind. Light never
//! puts out other light, so a sensor that is fed through decided tiles stays lit whatever stands on the rest. If all
//! sensors are fed, the partial placement is a *goal*. A node of the search takes the unfed sensor with the fewest
//! choices, walks its light backward through decided tiles to the straight stretch of undecided tiles that it comes out
//! of, and branches on the first piece of that stretch. Three lower bounds prune (see [`bounds`](super::bounds)).
//!
//! A worked example, 3 rows and 3 columns, with one mirror to place:
//!
//! ```text
//! L>. .     The sensor opens to the north, so its light comes down column 2, a stretch of two undecided tiles:
//! . M\.     (1, 2), then (0, 2). Choices for the nearest piece: M\ on (1, 2), which turns light from the west, and
//! . . S^    M\ on (0, 2) with (1, 2) empty. Light from the west would come to (1, 2) only by a second mirror. One
//!           choice remains; the laser feeds it through (0, 1), which must be empty: a goal.
//! ```

use crate::core::{Budget, Error, Rng, memory};

use super::MyPhoton;
use super::bounds::{Cover, Cycles, Flood, NEVER, RequiredRuns};
use super::placement::{Choice, Placement, Stretch, Walker};
use super::swaps;
use super::tile::{EMPTY, FIRST_KIND, KINDS, comes};

/// Boards with more cells than this are not searched.
const MAX_CELLS: usize = 1 << 22;

/// The number of nodes in the shortest runs of a search for any goal.
const SHORT_RUN: u64 = 64;

/// In a run in random order, up to this many quarters of a choice, exclusive, are added to the number of choices of a
/// sensor, by which sensors are compared. Found by trial on 17 slow boards with six to ten pieces.
const SENSOR_NOISE: u64 = 6;

/// In a run in random order, up to this many quarters of a piece, exclusive, are added to the number of pieces that a
/// choice takes, by which choices are compared. Found by the same trial.
const CHOICE_NOISE: u64 = 12;

/// What the search is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Objective {
    /// Any goal.
    Any,
    /// The number of placements that light everything, counted up to `most`.
    Count { most: u64, found: u64 },
    /// A goal that takes fewer than `below` swaps.
    Fewest { below: usize },
}

impl Objective {
    /// Returns the objective of a goal with the fewest swaps; with `most`, only goals of at most `most` swaps count.
    pub(super) fn fewest(most: Option<usize>) -> Self {
        Self::Fewest { below: most.map_or(usize::MAX, |most| most.saturating_add(1)) }
    }

    /// Returns `true` if nothing better can be found; `goal` is whether a goal was found.
    pub(super) fn is_met(&self, goal: bool) -> bool {
        match *self {
            // A position that is solved already is not searched, so every goal takes one swap or more.
            Self::Fewest { below } => below <= 1,
            Self::Count { most, found } => found == most,
            Self::Any => goal,
        }
    }
}

/// A node on the way from the root to the current one.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Length of the trail at the node.
    trail: usize,
    /// The choices not tried yet: `choices..next` of [`Search::choices`].
    choices: usize,
    next: usize,
    /// The index in [`Search::pending`] at which the sensors of this node begin; those of its parent end there.
    pending: usize,
}

/// The state of a search.
pub(super) struct Search<'g> {
    pub(super) placement: Placement<'g>,
    cycles: Cycles,
    pub(super) flood: Flood,
    cover: Cover,
    required: RequiredRuns,
    walker: Walker,
    /// The sensors not fed at each node of the path, node by node.
    pub(super) pending: Vec<u32>,
    /// The choices of the nodes of the path, node by node.
    choices: Vec<Choice>,
    /// The stretches that the light of the pending sensors comes out of, sensor by sensor.
    pub(super) stretches: Vec<Stretch>,
    /// Where the stretches of each pending sensor end.
    pub(super) ends: Vec<usize>,
    /// The choices of the sensor in hand, and those of the best sensor so far.
    pub(super) trial: Vec<Choice>,
    chosen: Vec<Choice>,
    pub(super) objective: Objective,
    /// The decided places of the best goal, with their codes.
    pub(super) goal: Option<Vec<(u32, u8)>>,
    /// The work that one node spends from the budget; it grows with the board.
    pub(super) cost: u64,
    /// The nodes from the root to the current one.
    frames: Vec<Frame>,
    /// The index in [`Search::pending`] at which the sensors of the next node's parent begin.
    parent: usize,
    /// The generator of a random order; `None` for the plain order.
    rng: Option<Rng>,
}

impl<'g> Search<'g> {
    pub(super) fn new(game: &'g MyPhoton, objective: Objective, cycles: Cycles) -> Result<Self, Error> {
        let (height, width) = (game.world.height, game.world.width);
        let (cells, places) = (height * width, game.tiles.len());
        if cells > MAX_CELLS {
            return Err(Error::Limit(format!(
                "a board to solve must have at most {MAX_CELLS} cells, got {height} * {width}"
            )));
        }
        if game.hardware.len() >= usize::from(NEVER) {
            return Err(Error::Limit(format!(
                "a board to solve must have at most {} pieces of hardware, got {}",
                NEVER - 1,
                game.hardware.len()
            )));
        }
        Ok(Self {
            placement: Placement::new(game),
            cycles,
            flood: Flood::new(places, cycles),
            cover: Cover::new(places),
            required: RequiredRuns::new(places),
            walker: Walker::new(places),
            pending: game.world.sensors.clone(),
            choices: Vec::new(),
            stretches: Vec::new(),
            ends: Vec::new(),
            trial: Vec::new(),
            chosen: Vec::new(),
            objective,
            goal: None,
            cost: 1 + (cells / 2048) as u64,
            frames: Vec::new(),
            parent: 0,
            rng: None,
        })
    }

    /// Appends the choices on a stretch to `trial`. With `all`, pieces that bring no light to the stretch are listed
    /// too.
    pub(super) fn list(&mut self, Stretch { first, last, heading }: Stretch, all: bool) {
        let Placement { left, pieces, .. } = &self.placement;
        let back = -self.placement.ahead(heading);
        let most = *pieces as u16;
        let mut place = first;
        let mut empty = 0;
        loop {
            let heads = (place << 2) as usize;
            for k in (0..KINDS).filter(|&k| left[k] > 0) {
                let code = FIRST_KIND + k as u8;
                let mut came = comes(code, heading);
                // The cheapest head by which light may come to the piece: `came` has one bit per heading.
                let mut need = if all { 0 } else { NEVER };
                while came != 0 {
                    need = need.min(self.flood.need[heads + came.trailing_zeros() as usize]);
                    came &= came - 1;
                }
                // The piece itself takes one of those left, so light must come to it for fewer than `most`, unless the
                // light met this very piece before, which then was paid for.
                let again = need == most && self.cycles == Cycles::Counted;
                if need < most || again && self.flood.comes_again(place, code, comes(code, heading), most) {
                    self.trial.push(Choice { first, heading, code, empty, pieces: need + 1 });
                }
            }
            empty += 1;
            if place == last {
                let need = if all { 0 } else { self.flood.need[heads + heading as usize] };
                if need <= most {
                    self.trial.push(Choice { first, heading, code: EMPTY, empty, pieces: need });
                }
                return;
            }
            place = place.wrapping_add_signed(back);
        }
    }

    /// Enters a node whose sensors begin at `pending`. Returns `None` if the node is a goal, otherwise a frame with its
    /// choices: none if the node is proved to have no goal below it.
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
        self.walk_back(pending);
        if self.pending.len() == end {
            return Ok(None);
        }
        if self.prune(end) {
            self.pending.truncate(end);
            return dead;
        }
        let counting = matches!(self.objective, Objective::Count { .. });
        let mut fewest = u64::MAX;
        let mut start = 0;
        for k in 0..self.ends.len() {
            let stop = self.ends[k];
            if self.flood.need[self.placement.opening(self.pending[end + k]) as usize] > most {
                self.pending.truncate(end);
                return dead;
            }
            self.trial.clear();
            // Counting must not find a placement twice. If light may come out of several stretches, choices on two of
            // them may both hold in one placement, so the search branches on everything that the first of them may
            // hold.
            let all = counting && stop - start > 1;
            for at in start..if all { start + 1 } else { stop } {
                self.list(self.stretches[at], all);
            }
            start = stop;
            if self.trial.is_empty() {
                self.pending.truncate(end);
                return dead;
            }
            let rank = blurred(&mut self.rng, self.trial.len() as u64, SENSOR_NOISE);
            if rank < fewest {
                fewest = rank;
                std::mem::swap(&mut self.trial, &mut self.chosen);
            }
        }
        if !counting {
            // `run` takes choices from the back, so the cheapest one is tried first.
            let rank = |choice: &Choice| blurred(&mut self.rng, u64::from(choice.pieces), CHOICE_NOISE);
            self.chosen.sort_by_cached_key(rank);
            self.chosen.reverse();
        }
        self.choices.extend_from_slice(&self.chosen);
        Ok(Some(Frame { next: self.choices.len(), ..frame }))
    }

    /// Walks back from the sensors that begin at `pending`; appends those that are not fed to `pending`, and notes
    /// their stretches in `stretches` and `ends`.
    pub(super) fn walk_back(&mut self, pending: usize) {
        let end = self.pending.len();
        self.required.clear();
        self.stretches.clear();
        self.ends.clear();
        for at in pending..end {
            let place = self.pending[at];
            if !self.walker.back(&self.placement, place, &mut self.stretches) {
                self.pending.push(place);
                let start = self.ends.last().copied().unwrap_or(0);
                self.ends.push(self.stretches.len());
                if let [stretch] = self.stretches[start..] {
                    self.required.note(&self.placement, stretch);
                }
            }
        }
    }

    /// Returns `true` if the pieces left are proved to be too few for the sensors that begin at `pending`. Floods all
    /// levels otherwise. The cheap bound comes first: nearly all nodes with one or two pieces left end there.
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
        // The last level has most of the heads, so it is flooded only if it matters.
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

    /// Searches until the objective is reached or everything is searched.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.run_on(u64::MAX, budget).map(|_| ())
    }

    /// Searches for any goal in two ways by turns: in the plain order to the end, and in random orders, each for some
    /// nodes from the root, until either finds a goal or has searched everything.
    ///
    /// The number of nodes before the first goal has a heavy tail: one hundred on most boards, a million on those on
    /// which an early choice is bad. Which boards these are depends on the order, so many short runs in random orders
    /// find most goals soon. On other boards, and on those without a goal, the plain order ends the search, after less
    /// than three times the nodes that it takes alone, and about twice for long searches.
    pub(super) fn run_by_turns(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        if self.run_on(SHORT_RUN, budget)? {
            return Ok(());
        }
        // Four heads per tile, and 16 bytes per head for all lists of a search.
        memory::probe(self.flood.need.len() * 16, "the solver")?;
        let mut other = Search::new(self.placement.game, self.objective, self.cycles)?;
        // A fixed seed: the answer is the same on every machine.
        other.rng = Some(Rng::new(0));
        // Luby's sequence, 1 1 2 1 1 2 4 1 1 2 ...: for any distribution of the nodes to a goal it takes, up to a
        // logarithm, what the best length of all runs takes (Knuth's way to count it: `length` divides `round`).
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

    /// Goes back to the root.
    fn restart(&mut self) {
        self.placement.undo(0);
        self.frames.clear();
        self.choices.clear();
        self.pending.clone_from(&self.placement.game.world.sensors);
        self.parent = 0;
    }

    /// Searches on from where the last call ended, for at most `nodes` nodes. Returns `false` if they were too few.
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
            // Goes on to the next choice of the deepest node that has one left.
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
                self.pending.truncate(frame.pending);
                self.frames.pop();
            }
        }
        Ok(false)
    }

    /// Records a goal; returns `true` if the search is over.
    fn reached(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let placement = &self.placement;
        match &mut self.objective {
            Objective::Count { most, found } => {
                // The pieces left may stand on the undecided tiles in any way: all of these placements count.
                *found = found.saturating_add(ways(placement.free as u64, &placement.left)).min(*most);
                return Ok(*found == *most);
            }
            Objective::Any => {}
            Objective::Fewest { below } => *below = swaps::fewest(&placement.arrows, budget)?,
        }
        self.goal = Some(placement.trail.iter().map(|&place| (place, placement.tiles[place as usize])).collect());
        Ok(self.objective.is_met(true))
    }
}

/// Returns a number in quarters, plus fewer than `noise` quarters of chance if there is a generator to draw from.
fn blurred(rng: &mut Option<Rng>, number: u64, noise: u64) -> u64 {
    4 * number + rng.as_mut().map_or(0, |rng| rng.below(noise))
}

/// Returns the number of ways to put pieces of some kinds onto free tiles, at most `u64::MAX`.
fn ways(free: u64, left: &[u32]) -> u64 {
    let (mut free, mut ways) = (u128::from(free), 1u128);
    for &pieces in left {
        let pieces = u128::from(pieces);
        // As many ways as to choose the tiles that stay free. Of the two the smaller number is chosen: up to half of
        // the tiles, each factor is at least 1, so a product over the limit stays over it.
        for k in 0..pieces.min(free - pieces) {
            // The product of k + 1 consecutive numbers is divisible by (k + 1)!, so this stays whole.
            ways = ways * (free - k) / (k + 1);
            if ways > u128::from(u64::MAX) {
                return u64::MAX;
            }
        }
        free -= pieces;
    }
    ways as u64
}
