//! The exact solver: beams walked backwards from the sensors.
//!
//! Every tile that holds nothing or hardware starts *undecided*, with the pieces left to be placed by kind. Light never
//! puts out other light, so once each sensor is fed through decided tiles, whatever is done with the rest keeps it lit:
//! such a partial placement is a goal. A node of the search takes the unlit sensor with the fewest ways to go on, walks
//! its beam backwards through decided tiles to the straight run of undecided tiles that it comes out of, and branches on
//! the first piece that stands on that run. A breadth-first search from the lasers gives the fewest new pieces that bring
//! light to each head: a branch that wants more than are left is cut. So is one where the pieces left cannot serve all
//! sensors at once: seen from a sensor, the nearest piece that turns its light stands on one of few places, and the pieces
//! left must hit those of every sensor.
//!
//! Both bounds take each turn of the light of a sensor for a piece of its own. Light that runs in a circle may turn twice at
//! one piece; this is so rare, and allowing for it cuts so much less, that a search that allows for it comes second, to
//! prove that the first missed nothing.

use crate::core::game::{self, Game};
use crate::core::{Budget, Error};

use super::MyPhoton;
use super::swaps::{self, Arrows, CONTENTS, content};
use super::tile::{EMPTY, FIRST_KIND, KINDS, Tile, comes, is_hardware, leaves, sensor};

/// Stands for a tile that is not decided; no light goes through it in the tables.
const UNDECIDED: u8 = 62;

/// So many sensors are looked at together: a set of sets of them is a word.
const TOGETHER: usize = 6;

/// No number of pieces brings light there.
const NEVER: u16 = u16::MAX;

/// Boards with more cells than this are not searched.
const MOST_CELLS: usize = 1 << 22;

/// For a set of kinds, the heading of light that leaves a tile, and that by which it came: the kinds that turn it so.
static TURNING: [[[u8; 4]; 4]; 1 << KINDS] = {
    let mut table = [[[0; 4]; 4]; 1 << KINDS];
    let mut i = 0;
    while i < table.len() * KINDS * 16 {
        let (kinds, k, heading, from) = (i / 16 / KINDS, i / 16 % KINDS, i / 4 % 4, i % 4);
        if kinds >> k & 1 == 1 && from != heading && comes(FIRST_KIND + k as u8, heading as u8) >> from & 1 == 1 {
            table[kinds][heading][from] |= 1 << k;
        }
        i += 1;
    }
    table
};

/// For a set of kinds, the heading of light that comes to a piece the second time, and that by which it came before: where
/// a piece that turns both sends it, if no piece of the set could have sent it there at once.
static AGAIN: [[[u8; 4]; 4]; 1 << KINDS] = {
    let mut table = [[[0; 4]; 4]; 1 << KINDS];
    let mut i = 0;
    while i < table.len() * 16 {
        let (kinds, second, first) = (i / 16, i / 4 % 4, i % 4);
        let (mut at_once, mut again, mut k) = (1 << first, 0, 0);
        while k < KINDS {
            let code = FIRST_KIND + k as u8;
            if kinds >> k & 1 == 1 && turned(code, first as u8) != 0 {
                at_once |= turned(code, first as u8);
                again |= turned(code, second as u8);
            }
            k += 1;
        }
        table[kinds][second][first] = again & !at_once;
        i += 1;
    }
    table
};

/// The headings to which a piece turns light.
const fn turned(code: u8, heading: u8) -> u8 {
    leaves(code, heading) & !(1 << heading)
}

/// So many pieces at least stand where light comes back to a piece that turned it: the corners of a circle.
pub(super) const CIRCLE: usize = 4;

/// What is asked of a node before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    /// Whether the pieces left are enough for each sensor alone.
    Each,
    /// And for all sensors together.
    Together,
    /// The same, where light may come back to a piece that turned it; the others take that for two pieces. Where there are
    /// pieces for a [`CIRCLE`], this alone proves that nothing was missed, but it cuts less.
    Again,
}

/// One step of the search: the run behind a head is empty for some tiles, then a piece stands on it, or none.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The first tile of the run, seen from the sensor.
    first: u32,
    heading: u8,
    /// The piece; [`EMPTY`] where the run is empty all along.
    code: u8,
    /// How many tiles are empty.
    empty: u32,
    /// The fewest pieces that this choice takes.
    pieces: u16,
}

/// A straight run of undecided tiles, walked back from where light comes out of it.
#[derive(Clone, Copy, Debug)]
struct Back {
    first: u32,
    last: u32,
    heading: u8,
}

/// A straight run of undecided tiles: its line, and where it begins and ends on that line.
#[derive(Clone, Copy, Debug)]
struct Run {
    line: u32,
    from: u32,
    to: u32,
}

/// A node on the way to the current one.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Length of the trail when the node was entered.
    trail: usize,
    /// Where the choices not yet tried end and begin.
    choices: usize,
    next: usize,
    /// Where its sensors that are not yet fed begin; those of its parent end there.
    pending: usize,
}

/// What the search is for.
enum Aim {
    /// Any goal.
    Any,
    /// The number of placements, up to a limit.
    Count { limit: u64, found: u64 },
    /// A goal that is fewer swaps away than this.
    Fewest { below: usize },
}

/// A partial placement and all that the search needs.
///
/// Invariant: `trail` has the places decided so far; `left` and `free` count what is not yet placed and where it may be
/// put; `arrows` are the changes of content at decided places.
struct Search<'g> {
    game: &'g MyPhoton,
    tiles: Vec<u8>,
    trail: Vec<u32>,
    left: [u32; KINDS],
    pieces: u32,
    free: usize,
    arrows: Arrows,
    /// Fewest new pieces that bring light to a head, `place * 4 + heading`.
    need: Vec<u16>,
    /// The heads that the flood goes on from.
    flooded: Vec<u32>,
    later: Vec<u32>,
    /// For a place and a kind, `place * KINDS + kind`: the sensors that such a piece may serve.
    serves: Vec<u8>,
    serving: Vec<u32>,
    ask: Ask,
    seen: Vec<u32>,
    segments: Vec<u32>,
    /// The runs that take a piece each, across and down.
    needed: [Vec<Run>; 2],
    stamp: u32,
    pending: Vec<u32>,
    choices: Vec<Choice>,
    /// Heads still to be walked back.
    walk: Vec<u32>,
    /// The runs that the beams of the sensors of the node come out of, sensor by sensor.
    runs: Vec<Back>,
    /// Where the runs of each sensor end in `runs`.
    ends: Vec<usize>,
    trial: Vec<Choice>,
    chosen: Vec<Choice>,
    aim: Aim,
    /// The decided places of the best goal.
    goal: Option<Vec<(u32, u8)>>,
    cost: u64,
}

impl<'g> Search<'g> {
    fn new(game: &'g MyPhoton, aim: Aim, ask: Ask) -> Result<Self, Error> {
        let cells = game.height() * game.width();
        if cells > MOST_CELLS || game.hardware.len() >= usize::from(NEVER) {
            return Err(Error::Limit(format!(
                "a board of {cells} cells with {} pieces, wanted at most {MOST_CELLS} and {} to solve it",
                game.hardware.len(),
                NEVER - 1
            )));
        }
        let mut tiles = game.tiles.clone();
        let mut left = [0; KINDS];
        let mut free = 0;
        for code in &mut tiles {
            if *code == EMPTY || is_hardware(*code) {
                if *code != EMPTY {
                    left[(*code - FIRST_KIND) as usize] += 1;
                }
                *code = UNDECIDED;
                free += 1;
            }
        }
        let heads = tiles.len() * 4;
        Ok(Self {
            game,
            trail: Vec::new(),
            left,
            pieces: game.hardware.len() as u32,
            free,
            arrows: [[0; CONTENTS]; CONTENTS],
            need: vec![NEVER; heads],
            flooded: Vec::new(),
            later: Vec::new(),
            serves: vec![0; tiles.len() * KINDS],
            serving: Vec::new(),
            ask,
            seen: vec![0; heads],
            segments: vec![0; tiles.len() * 2],
            needed: [Vec::new(), Vec::new()],
            stamp: 0,
            pending: game.world.sensors.clone(),
            choices: Vec::new(),
            walk: Vec::new(),
            runs: Vec::new(),
            ends: Vec::new(),
            trial: Vec::new(),
            chosen: Vec::new(),
            aim,
            goal: None,
            cost: 1 + (cells / 2048) as u64,
            tiles,
        })
    }

    #[inline]
    fn ahead(&self, heading: u8) -> i32 {
        self.game.world.ahead[(heading & 3) as usize]
    }

    fn decide(&mut self, place: u32, code: u8) {
        debug_assert_eq!(self.tiles[place as usize], UNDECIDED);
        self.tiles[place as usize] = code;
        self.trail.push(place);
        self.free -= 1;
        if code != EMPTY {
            self.left[(code - FIRST_KIND) as usize] -= 1;
            self.pieces -= 1;
        }
        let was = self.game.tiles[place as usize];
        if was != code {
            self.arrows[content(was)][content(code)] += 1;
        }
    }

    fn undo(&mut self, trail: usize) {
        for place in self.trail.drain(trail..) {
            let code = std::mem::replace(&mut self.tiles[place as usize], UNDECIDED);
            self.free += 1;
            if code != EMPTY {
                self.left[(code - FIRST_KIND) as usize] += 1;
                self.pieces += 1;
            }
            let was = self.game.tiles[place as usize];
            if was != code {
                self.arrows[content(was)][content(code)] -= 1;
            }
        }
    }

    fn choose(&mut self, choice: Choice) {
        let back = -self.ahead(choice.heading);
        let mut place = choice.first;
        for _ in 0..choice.empty {
            self.decide(place, EMPTY);
            place = place.wrapping_add_signed(back);
        }
        if choice.code != EMPTY {
            self.decide(place, choice.code);
        }
    }

    /// Begins to find for every head the fewest new pieces that bring light there, each on its own, of those that are left.
    fn begin_flood(&mut self) {
        self.need.fill(NEVER);
        self.flooded.clear();
        for &(place, heading) in &self.game.world.lasers {
            let head = place.wrapping_add_signed(self.ahead(heading)) << 2 | u32::from(heading);
            self.need[head as usize] = 0;
            self.flooded.push(head);
        }
    }

    /// Goes on with the flood: finds the heads that want so many pieces.
    fn flood(&mut self, levels: std::ops::RangeInclusive<u16>) {
        let mut turns = [0u8; 4];
        for (k, &left) in self.left.iter().enumerate() {
            if left > 0 {
                for heading in 0..4 {
                    turns[heading as usize] |= leaves(FIRST_KIND + k as u8, heading);
                }
            }
        }
        for heading in 0..4 {
            turns[heading] &= !(1 << heading);
        }
        let again = &AGAIN[self.kinds()];
        let ahead = self.game.world.ahead;
        let (mut now, mut later) = (std::mem::take(&mut self.flooded), std::mem::take(&mut self.later));
        for level in levels {
            while let Some(head) = now.pop() {
                if self.need[head as usize] != level {
                    continue;
                }
                let (mut place, heading) = (head >> 2, (head & 3) as u8);
                let step = ahead[heading as usize];
                // Straight on through undecided tiles, without the queue.
                while self.tiles[place as usize] == UNDECIDED {
                    if level < self.pieces as u16 {
                        bring(&mut self.need, &mut later, ahead, place, turns[heading as usize], level + 1);
                    }
                    if self.ask == Ask::Again && level > 0 {
                        let before = |first: &usize| self.need[(place << 2) as usize + first] < level;
                        let out = (0..4).filter(before).fold(0, |out, first| out | again[heading as usize][first]);
                        bring(&mut self.need, &mut now, ahead, place, out, level);
                    }
                    place = place.wrapping_add_signed(step);
                    let need = &mut self.need[(place << 2 | u32::from(heading)) as usize];
                    if *need <= level {
                        break;
                    }
                    *need = level;
                }
                let out = leaves(self.tiles[place as usize], heading);
                bring(&mut self.need, &mut now, ahead, place, out, level);
            }
            std::mem::swap(&mut now, &mut later);
        }
        (self.flooded, self.later) = (now, later);
    }

    /// The head by which light enters a sensor.
    #[inline]
    fn opening(&self, place: u32) -> u32 {
        let opening = sensor(self.tiles[place as usize]).map_or(0, |dir| dir as u32);
        place << 2 | (opening ^ 2)
    }

    /// Walks back from a sensor through decided tiles: says whether a laser feeds it, or else adds to `runs` those that its
    /// light may come out of.
    fn walk_back(&mut self, place: u32) -> bool {
        self.stamp += 1;
        let before = self.runs.len();
        self.walk.clear();
        self.walk.push(self.opening(place));
        while let Some(head) = self.walk.pop() {
            if std::mem::replace(&mut self.seen[head as usize], self.stamp) == self.stamp {
                continue;
            }
            let heading = (head & 3) as u8;
            let back = -self.ahead(heading);
            let from = (head >> 2).wrapping_add_signed(back);
            let code = self.tiles[from as usize];
            if code == UNDECIDED {
                let mut last = from;
                loop {
                    let next = last.wrapping_add_signed(back);
                    if self.tiles[next as usize] != UNDECIDED {
                        break;
                    }
                    last = next;
                }
                self.runs.push(Back { first: from, last, heading });
            } else if code == Tile::LaserN as u8 + heading {
                self.runs.truncate(before);
                return true;
            } else {
                let mut came = comes(code, heading);
                while came != 0 {
                    self.walk.push(from << 2 | came.trailing_zeros());
                    came &= came - 1;
                }
            }
        }
        false
    }

    /// The kinds of which pieces are left.
    fn kinds(&self) -> usize {
        (0..KINDS).fold(0, |kinds, k| kinds | usize::from(self.left[k] > 0) << k)
    }

    /// Whether the pieces left may serve all sensors from `pending` on at once, as far as the flood up to one piece less
    /// tells.
    ///
    /// A piece serves a sensor where it is the nearest that turns the light of the sensor, and light may come to it.
    fn covers(&mut self, pending: usize) -> bool {
        let most = self.pieces as u16;
        let mut sensors = [0; TOGETHER];
        let mut count = 0;
        for &place in &self.pending[pending..] {
            let head = self.opening(place);
            if count < TOGETHER && self.need[head as usize] > 0 {
                sensors[count] = head;
                count += 1;
            }
        }
        if count <= usize::from(most) {
            return true;
        }
        let turning = &TURNING[self.kinds()];
        for (sensor, &head) in sensors[..count].iter().enumerate() {
            self.stamp += 1;
            self.walk.clear();
            self.walk.push(head);
            while let Some(head) = self.walk.pop() {
                if std::mem::replace(&mut self.seen[head as usize], self.stamp) == self.stamp {
                    continue;
                }
                let heading = (head & 3) as u8;
                let back = -self.ahead(heading);
                let mut from = (head >> 2).wrapping_add_signed(back);
                while self.tiles[from as usize] == UNDECIDED {
                    let mut kinds = 0;
                    for side in [heading ^ 1, heading ^ 3] {
                        let able = turning[heading as usize][side as usize];
                        if self.need[(from << 2 | u32::from(side)) as usize] < most {
                            kinds |= able;
                        } else if self.ask == Ask::Again {
                            let again = |&k: &u32| self.comes_again(from, FIRST_KIND + k as u8, 1 << side);
                            kinds |= bits(u64::from(able)).filter(again).fold(0, |kinds, k| kinds | 1 << k);
                        }
                    }
                    while kinds != 0 {
                        let piece = from * KINDS as u32 + kinds.trailing_zeros();
                        kinds &= kinds - 1;
                        let serves = &mut self.serves[piece as usize];
                        if *serves == 0 {
                            self.serving.push(piece);
                        }
                        *serves |= 1 << sensor;
                    }
                    from = from.wrapping_add_signed(back);
                }
                let mut came = comes(self.tiles[from as usize], heading);
                while came != 0 {
                    self.walk.push(from << 2 | came.trailing_zeros());
                    came &= came - 1;
                }
            }
        }
        // By kind, the sets of sensors that one piece may serve; then those that all pieces may, one more at a time.
        let mut sets = [0u64; KINDS];
        for piece in self.serving.drain(..) {
            let serves = std::mem::take(&mut self.serves[piece as usize]);
            sets[piece as usize % KINDS] |= 1 << serves;
        }
        let mut reached = 1u64;
        for (k, &set) in sets.iter().enumerate() {
            for _ in 0..self.left[k] {
                reached = bits(reached).fold(reached, |all, a| bits(set).fold(all, |all, b| all | 1 << (a | b)));
            }
        }
        reached >> ((1 << count) - 1) & 1 == 1
    }

    /// Notes a run that takes a piece, where it is certain: where nothing behind it gives light.
    fn note(&mut self, Back { first, last, heading }: Back, stamp: u32) {
        let behind = self.tiles[last.wrapping_add_signed(-self.ahead(heading)) as usize];
        if comes(behind, heading) != 0 || behind == Tile::LaserN as u8 + heading {
            return;
        }
        let (from, to) = (first.min(last), first.max(last));
        let axis = usize::from(heading & 1 == 0);
        let segment = from as usize * 2 + axis;
        if std::mem::replace(&mut self.segments[segment], stamp) != stamp {
            let stride = self.game.world.stride as u32;
            self.needed[axis].push(match axis {
                0 => Run { line: from / stride, from: from % stride, to: to % stride },
                _ => Run { line: from % stride, from: from / stride, to: to / stride },
            });
        }
    }

    /// Whether light that wants as many pieces as are left may come to a piece by some headings, this one being among them:
    /// it was there before.
    fn comes_again(&self, place: u32, code: u8, came: u8) -> bool {
        let most = self.pieces as u16;
        let need = |heading: u8| self.need[(place << 2 | u32::from(heading)) as usize];
        (0..4).any(|heading| came >> heading & 1 == 1 && need(heading) == most)
            && (0..4).any(|first| need(first) < most && turned(code, first) != 0)
    }

    /// Lists the choices on a run into `trial`; with `all`, pieces that bring no light to this run are listed too.
    fn list(&mut self, Back { first, last, heading }: Back, all: bool) {
        let back = -self.ahead(heading);
        let most = self.pieces as u16;
        let mut place = first;
        let mut empty = 0;
        loop {
            let heads = (place << 2) as usize;
            for k in (0..KINDS).filter(|&k| self.left[k] > 0) {
                let code = FIRST_KIND + k as u8;
                let mut came = comes(code, heading);
                let mut need = if all { 0 } else { NEVER };
                while came != 0 {
                    need = need.min(self.need[heads + came.trailing_zeros() as usize]);
                    came &= came - 1;
                }
                let again = need == most && self.ask == Ask::Again;
                if need < most || again && self.comes_again(place, code, comes(code, heading)) {
                    self.trial.push(Choice { first, heading, code, empty, pieces: need + 1 });
                }
            }
            empty += 1;
            if place == last {
                let need = if all { 0 } else { self.need[heads + heading as usize] };
                if need <= most {
                    self.trial.push(Choice { first, heading, code: EMPTY, empty, pieces: need });
                }
                return;
            }
            place = place.wrapping_add_signed(back);
        }
    }

    /// Enters a node: says whether it is a goal, or pushes its choices; none where nothing can come of it.
    fn enter(&mut self, budget: &mut Budget<'_>, pending: usize) -> Result<Option<Frame>, Error> {
        budget.spend(self.cost)?;
        let end = self.pending.len();
        let choices = self.choices.len();
        let frame = Frame { trail: self.trail.len(), choices, next: choices, pending: end };
        let dead = Ok(Some(frame));
        if self.free < self.pieces as usize {
            return dead;
        }
        if let Aim::Fewest { below } = self.aim {
            if swaps::fewest(&self.arrows, budget)? >= below {
                return dead;
            }
        }
        self.needed.iter_mut().for_each(Vec::clear);
        self.runs.clear();
        self.ends.clear();
        self.stamp += 1;
        let segments = self.stamp;
        for at in pending..end {
            let place = self.pending[at];
            if !self.walk_back(place) {
                self.pending.push(place);
                let start = self.ends.last().copied().unwrap_or(0);
                self.ends.push(self.runs.len());
                if let [run] = self.runs[start..] {
                    self.note(run, segments);
                }
            }
        }
        if self.pending.len() == end {
            return Ok(None);
        }
        // Nearly all nodes with one or two pieces left end here, before the search from the lasers.
        if fewest_for(&self.needed) > self.pieces as usize {
            self.pending.truncate(end);
            return dead;
        }
        let most = self.pieces as u16;
        self.begin_flood();
        // The dearest heads, and these are most of them, are found only where they matter.
        if most > 0 {
            self.flood(0..=most - 1);
            if self.ask == Ask::Again {
                self.flood(most..=most);
            }
            if self.ask != Ask::Each && !self.covers(end) {
                self.pending.truncate(end);
                return dead;
            }
        }
        self.flood(most..=most);
        let counting = matches!(self.aim, Aim::Count { .. });
        let mut fewest = usize::MAX;
        let mut start = 0;
        for k in 0..self.ends.len() {
            let stop = self.ends[k];
            if self.need[self.opening(self.pending[end + k]) as usize] > self.pieces as u16 {
                self.pending.truncate(end);
                return dead;
            }
            self.trial.clear();
            // Counting may not find a placement twice, so of several runs one is branched on by all that it may hold.
            let all = counting && stop - start > 1;
            for at in start..if all { start + 1 } else { stop } {
                self.list(self.runs[at], all);
            }
            start = stop;
            if self.trial.len() < fewest {
                fewest = self.trial.len();
                std::mem::swap(&mut self.trial, &mut self.chosen);
                if fewest == 0 {
                    self.pending.truncate(end);
                    return dead;
                }
            }
        }
        if !counting {
            // Tried from the back: the cheapest choice first.
            self.chosen.sort_by_key(|choice| std::cmp::Reverse(choice.pieces));
        }
        self.choices.extend_from_slice(&self.chosen);
        Ok(Some(Frame { next: self.choices.len(), ..frame }))
    }

    /// Searches until the aim is reached or all is searched.
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut pending = 0;
        loop {
            match self.enter(budget, pending)? {
                None => {
                    if self.reached(budget)? {
                        return Ok(());
                    }
                }
                Some(frame) => frames.push(frame),
            }
            // On to the next choice of the latest node that has one.
            loop {
                let Some(frame) = frames.last_mut() else { return Ok(()) };
                if frame.next > frame.choices {
                    frame.next -= 1;
                    let frame = *frame;
                    let choice = self.choices[frame.next];
                    self.undo(frame.trail);
                    self.choices.truncate(frame.next);
                    pending = frame.pending;
                    self.choose(choice);
                    break;
                }
                let frame = *frame;
                self.undo(frame.trail);
                self.choices.truncate(frame.choices);
                self.pending.truncate(frame.pending);
                frames.pop();
            }
        }
    }

    /// Notes a goal; says whether the search is over.
    fn reached(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        match &mut self.aim {
            Aim::Count { limit, found } => {
                *found = found.saturating_add(ways(self.free as u64, &self.left)).min(*limit);
                return Ok(*found == *limit);
            }
            Aim::Any => {}
            Aim::Fewest { below } => *below = swaps::fewest(&self.arrows, budget)?,
        }
        self.goal = Some(self.trail.iter().map(|&place| (place, self.tiles[place as usize])).collect());
        Ok(match self.aim {
            Aim::Fewest { below } => below <= 1,
            _ => true,
        })
    }
}

/// Brings light from a place out by some headings: notes the heads that no fewer than `level` pieces brought it to before.
#[inline(always)]
fn bring(need: &mut [u16], heads: &mut Vec<u32>, ahead: [i32; 4], place: u32, mut out: u8, level: u16) {
    while out != 0 {
        let to = out.trailing_zeros();
        out &= out - 1;
        let head = place.wrapping_add_signed(ahead[to as usize]) << 2 | to;
        let need = &mut need[head as usize];
        if *need > level {
            *need = level;
            heads.push(head);
        }
    }
}

/// The bits of a word that are set.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.checked_ilog2()?;
        word ^= 1 << bit;
        Some(bit)
    })
}

/// The fewest pieces that put one on each of some runs. Runs along one axis share no tile, so a piece serves at most one
/// across and one down, where these cross: all runs less the most pairs that cross.
fn fewest_for([across, down]: &[Vec<Run>; 2]) -> usize {
    fn pair(a: usize, across: &[Run], down: &[Run], tried: &mut [bool], partner: &mut [Option<usize>]) -> bool {
        let run = across[a];
        for (d, other) in down.iter().enumerate() {
            let cross = (run.from..=run.to).contains(&other.line) && (other.from..=other.to).contains(&run.line);
            if !cross || std::mem::replace(&mut tried[d], true) {
                continue;
            }
            if partner[d].is_none_or(|other| pair(other, across, down, tried, partner)) {
                partner[d] = Some(a);
                return true;
            }
        }
        false
    }
    if across.is_empty() || down.is_empty() {
        return across.len() + down.len();
    }
    let mut partner = vec![None; down.len()];
    let pairs =
        (0..across.len()).filter(|&a| pair(a, across, down, &mut vec![false; down.len()], &mut partner)).count();
    across.len() + down.len() - pairs
}

/// The number of ways to put pieces of some kinds onto free tiles; at most `u64::MAX`.
fn ways(free: u64, left: &[u32]) -> u64 {
    let (mut free, mut ways) = (u128::from(free), 1u128);
    for &pieces in left {
        for k in 0..u128::from(pieces) {
            // The product of k + 1 neighbouring numbers can be divided by (k + 1)!, so this stays whole.
            ways = ways * (free - k) / (k + 1);
            if ways > u128::from(u64::MAX) {
                return u64::MAX;
            }
        }
        free -= u128::from(pieces);
    }
    ways as u64
}

fn fewest_up_to(most: Option<usize>) -> Aim {
    Aim::Fewest { below: most.map_or(usize::MAX, |most| most.saturating_add(1)) }
}

impl MyPhoton {
    /// Finds a shortest list of swaps that lights all sensors; `None` where it is proved that there is none, or none of
    /// `most` swaps or fewer.
    ///
    /// # Errors
    /// [`Error`] where the budget, counted in nodes of the search, ends it before that is proved.
    pub fn solve(&self, most: Option<usize>, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.search(fewest_up_to(most), Ask::Together, budget)
    }

    /// [`solve`](Self::solve) in the nodes that ratings and the limits of the generator have always counted.
    pub(super) fn solve_plainly(
        &self,
        most: Option<usize>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.search(fewest_up_to(most), Ask::Each, budget)
    }

    /// Finds a list of swaps that lights all sensors, not always a shortest; `None` where it is proved that there is none.
    ///
    /// # Errors
    /// [`Error`] where the budget, counted in nodes of the search, ends it before that is proved.
    pub fn solve_any(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.search(Aim::Any, Ask::Together, budget)
    }

    fn search(&self, aim: Aim, ask: Ask, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        if self.world.sensors.is_empty() || matches!(aim, Aim::Fewest { below: 0 }) {
            return Ok(None);
        }
        if self.status().is_over() {
            return Ok(Some(Vec::new()));
        }
        let mut search = Search::new(self, aim, ask)?;
        search.run(budget)?;
        let (mut goal, aim) = (search.goal, search.aim);
        let done = match aim {
            Aim::Fewest { below } => below <= 1,
            _ => goal.is_some(),
        };
        // The quick search misses hardly anything; the slow one proves that it missed nothing.
        if ask == Ask::Together && !done && self.hardware.len() >= CIRCLE {
            let mut search = Search::new(self, aim, Ask::Again)?;
            search.run(budget)?;
            goal = search.goal.or(goal);
        }
        goal.map(|goal| self.swaps_to(&goal, budget)).transpose()
    }

    /// Counts the placements of the hardware that light all sensors, up to `limit`.
    ///
    /// # Errors
    /// [`Error`] where the budget, counted in nodes of the search, ends it before that is proved.
    pub fn count_solutions(&self, limit: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let ask = if self.hardware.len() < CIRCLE { Ask::Together } else { Ask::Again };
        self.count(limit, ask, budget)
    }

    /// [`count_solutions`](Self::count_solutions) in the nodes that the limits of the generator have always counted.
    pub(super) fn count_plainly(&self, limit: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        self.count(limit, Ask::Each, budget)
    }

    fn count(&self, limit: u64, ask: Ask, budget: &mut Budget<'_>) -> Result<u64, Error> {
        if self.world.sensors.is_empty() || limit == 0 {
            return Ok(0);
        }
        let mut search = Search::new(self, Aim::Count { limit, found: 0 }, ask)?;
        search.run(budget)?;
        Ok(match search.aim {
            Aim::Count { found, .. } => found,
            _ => 0,
        })
    }

    /// The fewest swaps that bring some places to some codes, up to where the puzzle is won.
    fn swaps_to(&self, goal: &[(u32, u8)], budget: &mut Budget<'_>) -> Result<Vec<[i32; 4]>, Error> {
        // Cells by what stands there and what shall, and cells that are free to take anything.
        let mut cells: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); CONTENTS]; CONTENTS];
        let mut arrows: Arrows = [[0; CONTENTS]; CONTENTS];
        let mut decided = vec![false; self.tiles.len()];
        for &(place, code) in goal {
            decided[place as usize] = true;
            let (was, is) = (content(self.tiles[place as usize]), content(code));
            if was != is {
                arrows[was][is] += 1;
                cells[was][is].push(place);
            }
        }
        let mut swaps: Vec<(u32, u32)> = Vec::new();
        for circle in swaps::circles(&arrows, budget)? {
            let places: Vec<u32> = (0..circle.len())
                .filter_map(|k| {
                    let (v, w) = (circle[k], circle[(k + 1) % circle.len()]);
                    arrows[v][w] -= 1;
                    cells[v][w].pop()
                })
                .collect();
            swaps.extend(places.windows(2).map(|pair| (pair[0], pair[1])));
        }
        // What is left are trails; each starts with a content that more arrows leave than enter, and a free cell with
        // the content that it ends in closes it.
        loop {
            let degree = |v: usize| {
                let leave: u16 = arrows[v].iter().sum();
                let enter: u16 = arrows.iter().map(|row| row[v]).sum();
                (leave, enter)
            };
            let Some(start) = (0..CONTENTS).find(|&v| degree(v).0 > degree(v).1) else { break };
            let mut places = Vec::new();
            let mut at = start;
            while let Some(next) = (0..CONTENTS).find(|&w| arrows[at][w] > 0) {
                arrows[at][next] -= 1;
                places.extend(cells[at][next].pop());
                at = next;
            }
            let free = (0..self.tiles.len()).find(|&place| {
                let code = self.tiles[place];
                !decided[place] && (code == EMPTY || is_hardware(code)) && content(code) == at
            });
            if let Some(free) = free {
                decided[free] = true;
                places.push(free as u32);
            }
            swaps.extend(places.windows(2).map(|pair| (pair[0], pair[1])));
        }
        let mut game = self.clone();
        let mut moves = Vec::new();
        for (a, b) in swaps {
            let pieces = (is_hardware(game.tiles[a as usize]), is_hardware(game.tiles[b as usize]));
            let (from, to) = match pieces {
                (false, _) => (b, a),
                (true, true) if b < a => (b, a),
                _ => (a, b),
            };
            let (from, to) = (self.cell(from), self.cell(to));
            let mv = [from.row, from.col, to.row, to.col];
            debug_assert!(game::is_legal(&game, mv), "{mv:?} in\n{}", game.text());
            game.apply(mv);
            moves.push(mv);
            if game.status().is_over() {
                break;
            }
        }
        debug_assert!(game.status().is_over(), "not solved:\n{}", game.text());
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::photon::generate::{Recipe, generate};

    /// The bound that looks at all sensors together changes no answer, nor which of equal ones is found, nor a count.
    #[test]
    fn looking_at_all_sensors_together_changes_no_answer() {
        let mut rng = Rng::new(11);
        let (mut whole, mut cut) = (Budget::unlimited(), Budget::unlimited());
        let mut solved = 0;
        for round in 0..300 {
            let recipe = Recipe {
                lasers: 1 + rng.index(2),
                sensors: 2 + rng.index(4),
                mirrors: 1 + rng.index(2),
                splitters: 1 + rng.index(2),
                tmirrors: rng.index(2),
                ..Recipe::new(6 + rng.index(3), 6 + rng.index(3))
            };
            let seed = rng.bits();
            let Ok(game) = generate(&recipe, seed, &mut Budget::new("boards", Some(300), None)) else { continue };
            let what = format!("seed 11, round {round}\n{}", game.text());
            let answers = |ask, budget: &mut Budget<'_>| {
                [Aim::Any, fewest_up_to(None), Aim::Count { limit: 1000, found: 0 }].map(|aim| {
                    let mut search = Search::new(&game, aim, ask).unwrap();
                    search.run(budget).unwrap();
                    (search.goal, if let Aim::Count { found, .. } = search.aim { found } else { 0 })
                })
            };
            let wanted = answers(Ask::Each, &mut whole);
            assert_eq!(answers(Ask::Together, &mut cut), wanted, "{what}");
            solved += 1;
        }
        assert!(solved > 150 && cut.spent() < whole.spent(), "{solved}, {cut:?} {whole:?}");
    }

    #[test]
    fn turning_kinds_are_those_of_the_table_of_light() {
        for (kinds, table) in TURNING.iter().enumerate() {
            for (heading, from) in (0..16).map(|i| (i / 4, i % 4)) {
                let turns = |k: &usize| from != heading && leaves(FIRST_KIND + *k as u8, from) >> heading & 1 == 1;
                let wanted = (0..KINDS).filter(|k| kinds >> k & 1 == 1).filter(turns).fold(0, |set, k| set | 1 << k);
                assert_eq!(table[heading as usize][from as usize], wanted, "{kinds:08b} {heading} {from}");
            }
        }
    }
}
