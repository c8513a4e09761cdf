//! Two of the [`bounds`](super::bounds) for boards of up to 32 rows and 31 columns, computed with bitsets. With them, a
//! node of the search takes about half as long.
//!
//! [`BitFlood`] computes the needs of [`Flood`](super::bounds::Flood) with [`Cycles::Ignored`](super::bounds::Cycles),
//! and the test of [`Cover`](super::bounds::Cover). A unit test compares the results with those of the plain bounds.
//! `BitFlood` also finds the tiles on which each kind of piece still allows a cover: after a choice, one fewer piece is
//! left to serve the sensors that the chosen piece does not serve. A worked example with two pieces left and three
//! sensors:
//!
//! ```text
//! The mirror may serve sensors 1 and 2 on tile x, but only sensor 1 on tile y. The splitter may serve any one of the
//! three sensors. Together they may serve all three, so the cover holds. But with the mirror on tile y, sensors 2 and 3
//! would be left to the splitter, so the search does not try the mirror on y.
//! ```

use super::bitboard::{Bitboard, side};
use super::bounds::{NEVER, TOGETHER, TURNING, bits, turned};
use super::placement::{Placement, Stretch, UNDECIDED, Walker};
use super::tile::{ALL_LEAVES, EMPTY, FIRST_KIND, KINDS, comes};

/// The bounds of one node of the search.
#[derive(Debug)]
pub(super) struct BitFlood<const W: usize> {
    /// By place: the square; [`OUTSIDE`] for the places that are not cells.
    squares: Vec<u16>,
    /// By heading: the tiles that the lasers' light enters first.
    sources: [Bitboard<W>; 4],
    /// The board with no tile decided, then the nodes on the path from the root to the parent of the current one. Empty
    /// before the root is entered.
    path: Vec<Node<W>>,
    /// The current node; before the root is entered, the board with no tile decided.
    node: Node<W>,
    /// By heading: the headings, as bits, to which some piece that is left turns light with this heading.
    turns: [u8; 4],
    /// By placed piece: the headings of the light followed through it at this node, as bits.
    met: Vec<u8>,
    /// By level, then by heading: the heads whose need is at most the level. Levels that would repeat the last one are
    /// left out.
    levels: Vec<[Bitboard<W>; 4]>,
    /// Whether all further levels would repeat the last one.
    complete: bool,
    /// By sensor and kind: the tiles on which a piece of the kind may serve the sensor, for the first [`TOGETHER`]
    /// sensors that need a piece.
    serves: Vec<[Bitboard<W>; KINDS]>,
    /// By kind: the tiles on which a piece of the kind leaves only sensors that the other pieces may serve. Meaningful
    /// only if `restricted` is `true`.
    allowed: [Bitboard<W>; KINDS],
    /// Whether [`holds`](Self::holds) has set `allowed` at this node.
    restricted: bool,
}

/// What a node of the search passes on to its children.
#[derive(Clone, Copy, Debug)]
struct Node<const W: usize> {
    /// The undecided tiles.
    undecided: Bitboard<W>,
    /// The tiles through which light passes straight on: those that are undecided or empty.
    open: Bitboard<W>,
    /// By heading: the heads to which light comes without a new piece.
    lit: [Bitboard<W>; 4],
}

/// The square of a place that is not a cell; light that gets there is lost.
const OUTSIDE: u16 = u16::MAX;

/// A flood of the smallest size that fits a board.
#[derive(Debug)]
pub(super) enum Bits {
    /// For up to 16 rows and 15 columns.
    Rows16(Box<BitFlood<4>>),
    /// For up to 32 rows and 31 columns.
    Rows32(Box<BitFlood<16>>),
}

impl Bits {
    /// Creates a flood for a placement with no tile decided, or returns `None` if the board is too large.
    pub(super) fn new(placement: &Placement<'_>) -> Option<Self> {
        BitFlood::new(placement).map(Self::Rows16).or_else(|| BitFlood::new(placement).map(Self::Rows32))
    }
}

impl<const W: usize> BitFlood<W> {
    /// Creates a flood for a placement with no tile decided, or returns `None` if the board does not fit.
    pub(super) fn new(placement: &Placement<'_>) -> Option<Box<Self>> {
        let world = &placement.game.world;
        let side = side(W) as usize;
        if world.height > side || world.width >= side {
            return None;
        }
        let squares: Vec<u16> = (0..placement.tiles.len())
            .map(|place| {
                let (row, col) = ((place / world.stride).wrapping_sub(1), place % world.stride);
                if row < world.height && col < world.width { (row * side + col) as u16 } else { OUTSIDE }
            })
            .collect();
        let mut sources = [Bitboard::NONE; 4];
        for &(place, heading) in &world.lasers {
            let square = squares[place.wrapping_add_signed(placement.ahead(heading)) as usize];
            if square != OUTSIDE {
                sources[heading as usize].add(square);
            }
        }
        let mut root = Bitboard::NONE;
        for (&square, &code) in squares.iter().zip(&placement.tiles) {
            if code == UNDECIDED {
                root.add(square);
            }
        }
        let mut flood = Self {
            squares,
            sources,
            path: Vec::new(),
            node: Node { undecided: root, open: root, lit: [Bitboard::NONE; 4] },
            turns: [0; 4],
            met: Vec::new(),
            levels: Vec::new(),
            complete: false,
            serves: vec![[Bitboard::NONE; KINDS]; TOGETHER],
            allowed: [Bitboard::NONE; KINDS],
            restricted: false,
        };
        let mut light = sources;
        flood.follow(placement, &[Bitboard::NONE; 4], &mut light);
        flood.node.lit = light;
        Some(Box::new(flood))
    }

    /// Returns the need of a head, or [`NEVER`] if it is more than the number of pieces left. All levels must be
    /// flooded.
    #[inline(always)]
    pub(super) fn need(&self, head: u32) -> u16 {
        let square = self.squares[(head >> 2) as usize];
        let level = self.levels.iter().position(|level| level[(head & 3) as usize].has(square));
        level.map_or(NEVER, |level| level as u16)
    }

    /// Returns, by heading, the heads whose need is at most `level`, which must be flooded.
    #[inline(always)]
    fn at(&self, level: usize) -> &[Bitboard<W>; 4] {
        &self.levels[level.min(self.levels.len() - 1)]
    }

    /// Returns `true` if the need of a head is at most `level`, which must be flooded.
    #[inline(always)]
    fn reaches(&self, level: usize, head: u32) -> bool {
        self.at(level)[(head & 3) as usize].has(self.squares[(head >> 2) as usize])
    }

    /// Enters a node and floods the levels below the number of pieces left. Call [`level`](Self::level) for the last
    /// level: most heads are on it, and most nodes end before it is needed.
    ///
    /// * `depth`: the number of nodes from the root to the parent, 0 for the root itself; the parent must be the last
    ///   node that was entered at its own depth
    /// * `trail`: the length of the trail at the parent
    #[inline(always)]
    pub(super) fn start(&mut self, placement: &Placement<'_>, depth: usize, trail: usize) {
        self.enter(placement, depth, trail);
        self.turns = TURNS[placement.kinds()];
        self.complete = false;
        for _ in 1..placement.pieces {
            self.level(placement);
            // With many pieces, light comes to all tiles that it can reach long before the last level.
            if self.complete {
                break;
            }
        }
    }

    /// Sets `node` to the node of a placement, and the first entry of `levels` to the light of that node.
    #[inline(always)]
    fn enter(&mut self, placement: &Placement<'_>, depth: usize, trail: usize) {
        if depth == self.path.len() {
            self.path.push(self.node);
        } else {
            self.path.truncate(depth + 1);
            self.node = self.path[depth];
        }
        self.met.clear();
        self.met.resize(placement.placed.len(), 0);
        let mut lit = false;
        for &place in &placement.trail[trail..] {
            let square = self.squares[place as usize];
            self.node.undecided.remove(square);
            if placement.tiles[place as usize] != EMPTY {
                self.node.open.remove(square);
                lit |= self.node.lit.iter().any(|light| light.has(square));
            }
        }
        // Light passes through an empty tile as through an undecided one, so it changes only if it meets a new piece.
        if lit {
            let mut light = self.sources;
            self.follow(placement, &[Bitboard::NONE; 4], &mut light);
            self.node.lit = light;
        }
        self.levels.clear();
        self.levels.push(self.node.lit);
    }

    /// Floods the next level, unless it would repeat the last one or would exceed the number of pieces left.
    #[inline(always)]
    pub(super) fn level(&mut self, placement: &Placement<'_>) {
        if self.complete || self.levels.len() > placement.pieces as usize {
            return;
        }
        let last = self.levels[self.levels.len() - 1];
        let mut light = last;
        // A new piece turns the light that has come to its tile on the levels so far.
        let came: [Bitboard<W>; 4] = std::array::from_fn(|heading| last[heading].and(&self.node.undecided));
        for (to, light) in light.iter_mut().enumerate() {
            let mut out = Bitboard::NONE;
            for side in [to ^ 1, to ^ 3] {
                if self.turns[side] >> to & 1 == 1 {
                    out.join(&came[side]);
                }
            }
            light.join(&out.step(to));
        }
        self.follow(placement, &last, &mut light);
        self.complete = last == light;
        if !self.complete {
            self.levels.push(light);
        }
    }

    /// Follows light straight on, and through the pieces that are placed, until nothing changes. The light that is also
    /// in `before` has already been followed.
    #[inline(always)]
    fn follow(&mut self, placement: &Placement<'_>, before: &[Bitboard<W>; 4], light: &mut [Bitboard<W>; 4]) {
        for (heading, (light, before)) in light.iter_mut().zip(before).enumerate() {
            if light != before {
                light.follow(heading, &self.node.open);
            }
        }
        loop {
            let mut changed = 0u8;
            for (&place, met) in placement.placed.iter().zip(&mut self.met) {
                let square = self.squares[place as usize];
                let came = (0..4).fold(0, |came, heading| came | u8::from(light[heading].has(square)) << heading);
                // No new light has come since the last round.
                if came == std::mem::replace(met, came) {
                    continue;
                }
                let mut out = ALL_LEAVES[(placement.tiles[place as usize] & 63) as usize][(came & 15) as usize];
                while out != 0 {
                    let heading = (out.trailing_zeros() & 3) as u8;
                    out &= out - 1;
                    let to = self.squares[place.wrapping_add_signed(placement.ahead(heading)) as usize];
                    if to != OUTSIDE && !light[heading as usize].has(to) {
                        light[heading as usize].add(to);
                        changed |= 1 << heading;
                    }
                }
            }
            if changed == 0 {
                return;
            }
            for (heading, light) in light.iter_mut().enumerate().filter(|(heading, _)| changed >> heading & 1 == 1) {
                light.follow(heading, &self.node.open);
            }
        }
    }

    /// Returns the tiles of a stretch.
    #[inline(always)]
    fn tiles(&self, Stretch { first, last, heading }: Stretch) -> Bitboard<W> {
        let (first, last) = (self.squares[first as usize], self.squares[last as usize]);
        let (from, to) = (u32::from(first.min(last)), u32::from(first.max(last)));
        let side = side(W);
        let mut tiles = Bitboard::NONE;
        if heading & 1 == 1 {
            // Horizontal: `n` consecutive bits.
            let n = to - from + 1;
            tiles.0[from as usize / 64 % W] = (u64::MAX >> (64 - n)) << (from & 63);
        } else {
            // Vertical: one bit per row, the bits of the column from `from` to `to`.
            let column = (u64::MAX / ((1 << side) - 1)) << (from % side);
            for (word, low) in tiles.0.iter_mut().zip((0..).step_by(64)) {
                let from = u64::MAX.checked_shl(from.saturating_sub(low)).unwrap_or(0);
                let beyond = u64::MAX.checked_shl((to + 1).saturating_sub(low)).unwrap_or(0);
                *word = column & from & !beyond;
            }
        }
        tiles
    }

    /// Adds to `serves` the tiles of a stretch on which a piece may serve a sensor, by kind. Returns `true` if there
    /// are any such tiles.
    ///
    /// * `turning`: the entry of [`TURNING`] for the kinds that are left
    /// * `before`: the number of pieces left, minus one
    #[inline(always)]
    fn note(&self, stretch: Stretch, turning: &[[u8; 4]; 4], before: usize, serves: &mut [Bitboard<W>; KINDS]) -> bool {
        let tiles = self.tiles(stretch);
        let to = (stretch.heading & 3) as usize;
        let mut some = false;
        for side in [to ^ 1, to ^ 3] {
            let able = turning[to][side];
            let lit = tiles.and(&self.at(before)[side]);
            if able != 0 && !lit.is_empty() {
                some = true;
                for k in bits(u64::from(able)) {
                    serves[k as usize & 7].join(&lit);
                }
            }
        }
        some
    }

    /// Returns `false` if it is proved that the pieces left cannot serve the first [`TOGETHER`] sensors that need a
    /// piece, as [`Cover::holds`](super::bounds::Cover::holds) does. All levels below the number of pieces left must be
    /// flooded.
    ///
    /// * `pending`: the places of the sensors that are not fed by decided tiles
    /// * `stretches`, `ends`: the stretches of the sensor `pending[i]` are `stretches[ends[i]..ends[i + 1]]`
    /// * `filter`: whether [`count`](Self::count) and [`allows`](Self::allows) reject pieces that leave sensors which
    ///   the others cannot serve
    #[inline(always)]
    pub(super) fn holds(
        &mut self,
        placement: &Placement<'_>,
        walker: &mut Walker,
        pending: &[u32],
        stretches: &[Stretch],
        ends: &[usize],
        filter: bool,
    ) -> bool {
        let most = placement.pieces as usize;
        self.restricted = false;
        let Some(before) = most.checked_sub(1) else { return true };
        let needy = |&place: &u32| !self.reaches(0, placement.opening(place));
        let count = pending.iter().filter(|place| needy(place)).count().min(TOGETHER);
        // There are enough pieces for one per sensor, so the test proves nothing.
        if count <= most {
            return true;
        }
        let turning = &TURNING[placement.kinds()];
        let mut all = std::mem::take(&mut self.serves);
        let mut sensor = 0;
        for (&place, ends) in pending.iter().zip(ends.windows(2)) {
            let mine = &stretches[ends[0]..ends[1]];
            if sensor == TOGETHER || self.reaches(0, placement.opening(place)) {
                continue;
            }
            let serves = &mut all[sensor];
            sensor += 1;
            *serves = [Bitboard::NONE; KINDS];
            let mut some = false;
            // Whether light may come from further stretches, through a decided tile behind a stretch of `mine`.
            let mut further = false;
            for &stretch in mine {
                some |= self.note(stretch, turning, before, serves);
                let behind = stretch.last.wrapping_add_signed(-placement.ahead(stretch.heading));
                let code = placement.tiles[behind as usize];
                if comes(code, stretch.heading) != 0 {
                    if !further {
                        walker.start_empty();
                        further = true;
                    }
                    walker.through(behind, code, stretch.heading);
                }
            }
            while further && let Some(head) = walker.next() {
                let heading = (head & 3) as u8;
                let back = -placement.ahead(heading);
                let mut from = (head >> 2).wrapping_add_signed(back);
                // Light is followed back through empty tiles and stretches to the first piece or other obstacle.
                loop {
                    let (first, mut last) = (from, from);
                    while placement.tiles[from as usize] == UNDECIDED {
                        last = from;
                        from = from.wrapping_add_signed(back);
                    }
                    if from != first {
                        some |= self.note(Stretch { first, last, heading }, turning, before, serves);
                    } else if placement.tiles[from as usize] == EMPTY {
                        from = from.wrapping_add_signed(back);
                    } else {
                        break;
                    }
                }
                walker.through(from, placement.tiles[from as usize], heading);
            }
            // No piece on any tile may serve this sensor.
            if !some {
                self.serves = all;
                return false;
            }
        }
        let holds = self.combine(&placement.left, &all, count, filter);
        self.serves = all;
        holds
    }

    /// Returns `true` if the pieces left may serve the first `count` sensors together. If they may and `filter` is
    /// `true`, sets `allowed`.
    ///
    /// * `left`: by kind, the number of pieces left
    /// * `serves`: by sensor and kind, the tiles on which a piece of the kind may serve the sensor
    #[inline(always)]
    fn combine(&mut self, left: &[u32; KINDS], serves: &[[Bitboard<W>; KINDS]], count: usize, filter: bool) -> bool {
        let full = (1u32 << count) - 1;
        // A set of sensors is a number below 64; a set of such sets is a word with one bit per number. `sets[k]` holds,
        // for each tile, the set of sensors that a piece of kind k may serve there; it also holds some subsets of these
        // sets, among them the empty set.
        let mut sets = [1u64; KINDS];
        for (k, sets) in sets.iter_mut().enumerate().filter(|&(k, _)| left[k] > 0) {
            // The tiles on which the piece may serve one sensor or more, and those on which it may serve two or more.
            let (mut ones, mut twos) = (Bitboard::NONE, Bitboard::NONE);
            for (sensor, serves) in serves[..count].iter().enumerate() {
                let tiles = &serves[k];
                *sets |= u64::from(!tiles.is_empty()) << (1 << sensor);
                twos.join(&ones.and(tiles));
                ones.join(tiles);
            }
            for square in twos.squares() {
                let together = (0..count).filter(|&sensor| serves[sensor][k].has(square));
                *sets |= 1 << together.fold(0, |set, sensor| set | 1 << sensor);
            }
        }
        // The sets that all pieces left except one of kind `without` may serve together; no piece is excluded if
        // `without` is `KINDS`.
        let reach = |without: usize| {
            sets.iter().enumerate().fold(1, |reached, (k, &set)| {
                let pieces = left[k] - u32::from(k == without);
                (0..pieces).fold(reached, |reached, _| unions(reached, set))
            })
        };
        if reach(KINDS) >> full & 1 == 0 {
            return false;
        }
        if filter {
            self.restricted = true;
            for k in (0..KINDS).filter(|&k| left[k] > 0) {
                // A piece is allowed on a tile if, for some set that the others may serve together, it may serve all
                // sensors outside the set from that tile.
                let reached = reach(k);
                let mut allowed = Bitboard::NONE;
                for set in bits(reached) {
                    let rest = full & !set;
                    // If the others may serve the set and one more sensor, the larger set leaves less to this piece and
                    // is examined instead.
                    if bits(u64::from(rest)).any(|sensor| reached >> (set | 1 << sensor) & 1 == 1) {
                        continue;
                    }
                    let all = Bitboard([u64::MAX; W]);
                    allowed.join(&bits(u64::from(rest)).fold(all, |all, sensor| all.and(&serves[sensor as usize][k])));
                }
                self.allowed[k] = allowed;
            }
        }
        true
    }

    /// Returns, for a stretch, the number of choices to which the pieces left can bring light and whose piece, if any,
    /// is [allowed](Self::allows). All levels must be flooded.
    #[inline(always)]
    pub(super) fn count(&self, placement: &Placement<'_>, stretch: Stretch) -> u32 {
        let most = placement.pieces as usize;
        let mut count = u32::from(self.reaches(most, stretch.last << 2 | u32::from(stretch.heading)));
        let Some(before) = most.checked_sub(1) else { return count };
        let tiles = self.tiles(stretch);
        let lit: [Bitboard<W>; 4] = std::array::from_fn(|heading| tiles.and(&self.at(before)[heading]));
        for k in (0..KINDS).filter(|&k| placement.left[k] > 0) {
            let mut able = Bitboard::NONE;
            for heading in bits(u64::from(comes(FIRST_KIND + k as u8, stretch.heading))) {
                able.join(&lit[heading as usize]);
            }
            if self.restricted {
                able = able.and(&self.allowed[k]);
            }
            count += able.len();
        }
        count
    }

    /// Returns the number of tiles of a stretch.
    #[inline(always)]
    pub(super) fn len(&self, stretch: Stretch) -> u32 {
        self.tiles(stretch).len()
    }

    /// Returns `false` if it is proved that, with a piece of code `code` on `place`, the other pieces left cannot serve
    /// the sensors that this piece does not serve. Returns `true` for [`EMPTY`].
    pub(super) fn allows(&self, place: u32, code: u8) -> bool {
        !self.restricted
            || code == EMPTY
            || self.allowed[(code - FIRST_KIND) as usize].has(self.squares[place as usize])
    }
}

/// `TURNS[kinds][from]`: the headings, as bits, to which some piece of a kind in the set `kinds`, one bit per kind,
/// turns light with heading `from`.
static TURNS: [[u8; 4]; 1 << KINDS] = {
    let mut table = [[0; 4]; 1 << KINDS];
    let mut i = 0;
    while i < table.len() * KINDS * 4 {
        let (kinds, k, from) = (i / 4 / KINDS, i / 4 % KINDS, i % 4);
        if kinds >> k & 1 == 1 {
            table[kinds][from] |= turned(FIRST_KIND + k as u8, from as u8);
        }
        i += 1;
    }
    table
};

/// By sensor: the sets of sensors that contain it, as a word with one bit per set. A set is a number below 64.
const CONTAINS: [u64; TOGETHER] = {
    let mut table = [0; TOGETHER];
    let mut i = 0;
    while i < 64 * TOGETHER {
        if (i / TOGETHER) >> (i % TOGETHER) & 1 == 1 {
            table[i % TOGETHER] |= 1 << (i / TOGETHER);
        }
        i += 1;
    }
    table
};

/// Returns the unions of each set of `a` with each set of `b`. A set is a number below 64, and a set of sets is a word
/// with one bit per number. Adding sensor `s` to all sets of a word moves the bits of the sets without `s` up by `2^s`
/// positions.
#[inline(always)]
fn unions(a: u64, b: u64) -> u64 {
    bits(b).fold(0, |all, set| {
        all | bits(set.into()).fold(a, |a, sensor| {
            let with = CONTAINS[sensor as usize];
            a & with | (a & !with) << (1 << sensor)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::photon::MyPhoton;
    use crate::photon::bounds::{Cover, Cycles, Flood};

    /// Draws a board with few walls, up to two lasers, up to seven sensors and up to six pieces.
    fn board(rng: &mut Rng, side: usize) -> MyPhoton {
        let (height, width) = (2 + rng.index(side - 1), 2 + rng.index(side - 2));
        let mut codes = vec![EMPTY; height * width];
        for (count, first, kinds) in [(height, 1, 1), (6, FIRST_KIND, 8), (2, 10, 4), (7, 14, 4)] {
            for _ in 0..=rng.index(count) {
                let cell = rng.index(codes.len());
                codes[cell] = first + rng.below(kinds) as u8;
            }
        }
        MyPhoton::from_codes(height, width, &codes).unwrap()
    }

    /// Compares needs and covers with those of the plain bounds.
    fn agrees<const W: usize>(seed: u64, rounds: u64) {
        let mut rng = Rng::new(seed);
        let mut failed = 0;
        for round in 0..rounds {
            let game = board(&mut rng, side(W) as usize);
            let places = game.tiles.len();
            let mut placement = Placement::new(&game);
            let mut fast = BitFlood::<W>::new(&placement).unwrap();
            let undecided: Vec<u32> =
                (0..places as u32).filter(|&p| placement.tiles[p as usize] == UNDECIDED).collect();
            let (mut depth, mut trail) = (0, 0);
            for _ in 0..rng.index(12) {
                if undecided.is_empty() {
                    break;
                }
                let (place, k) = (*rng.choose(&undecided), rng.index(KINDS));
                if placement.tiles[place as usize] == UNDECIDED {
                    if rng.chance(0.3) {
                        fast.start(&placement, depth, trail);
                        (depth, trail) = (depth + 1, placement.trail.len());
                    }
                    let piece = placement.left[k] > 0 && rng.chance(0.5);
                    placement.decide(place, if piece { FIRST_KIND + k as u8 } else { EMPTY });
                }
            }
            let most = placement.pieces as u16;
            let mut flood = Flood::new(places, Cycles::Ignored);
            flood.start(&placement);
            flood.levels(&placement, 0..=most);
            fast.start(&placement, depth, trail);
            let (mut walker, mut stretches, mut ends, mut pending) = (Walker::new(places), vec![], vec![0], vec![]);
            for &sensor in &game.world.sensors {
                if !walker.trace_back(&placement, sensor, &mut stretches) {
                    pending.push(sensor);
                    ends.push(stretches.len());
                }
            }
            // With no piece left, `BitFlood::holds` returns `true` without a test.
            let holds = most == 0 || Cover::new(places).holds(&placement, &flood, &mut walker, &pending);
            failed += u32::from(!holds);
            let what = format!("seed {seed}, round {round}");
            assert_eq!(fast.holds(&placement, &mut walker, &pending, &stretches, &ends, false), holds, "{what}");
            fast.level(&placement);
            for (place, _) in fast.squares.iter().enumerate().filter(|&(_, &square)| square != OUTSIDE) {
                for head in (place << 2)..(place << 2) + 4 {
                    let need = Some(flood.need[head]).filter(|&need| need <= most).unwrap_or(NEVER);
                    assert_eq!(fast.need(head as u32), need, "{what}, head {head}");
                }
            }
        }
        assert!(failed > 0, "no cover of seed {seed} failed");
    }

    #[test]
    fn bitsets_agree_with_the_plain_bounds() {
        agrees::<4>(1, 400);
        agrees::<16>(2, 150);
    }

    /// Returns `true` if the pieces left may together serve all sensors of `full` that are not in `set`.
    ///
    /// * `left`: by kind, the number of pieces left
    /// * `sets`: by kind, the sets that a piece may serve
    fn may_serve(left: [u32; KINDS], sets: &[Vec<u32>], set: u32, full: u32) -> bool {
        set == full
            || (0..KINDS).filter(|&k| left[k] > 0).any(|k| {
                let mut rest = left;
                rest[k] -= 1;
                sets[k].iter().any(|other| may_serve(rest, sets, set | other, full))
            })
    }

    #[test]
    fn allowed_pieces_leave_no_more_than_the_others_may_serve() {
        let game = MyPhoton::blank(15, 15).unwrap();
        let mut fast = BitFlood::<4>::new(&Placement::new(&game)).unwrap();
        let mut rng = Rng::new(4);
        let mut rejected = 0;
        for round in 0..300 {
            let count = 2 + rng.index(3);
            let full = (1 << count) - 1;
            let mut left = [0; KINDS];
            for _ in 0..=rng.index(count - 1) {
                left[rng.index(3)] += 1;
            }
            let mut serves = vec![[Bitboard::NONE; KINDS]; TOGETHER];
            for sensor in &mut serves[..count] {
                for _ in 0..=rng.index(6) {
                    sensor[rng.index(3)].add(rng.below(6) as u16 * 17);
                }
            }
            let set = |k: usize, square: u16| {
                (0..count).filter(|&s| serves[s][k].has(square)).fold(0, |set, sensor| set | 1u32 << sensor)
            };
            let sets: Vec<Vec<u32>> = (0..KINDS).map(|k| (0..6).map(|i| set(k, i * 17)).collect()).collect();
            let holds = may_serve(left, &sets, 0, full);
            fast.restricted = false;
            assert_eq!(fast.combine(&left, &serves, count, true), holds, "round {round}");
            for (k, i) in (0..KINDS).flat_map(|k| (0..6).map(move |i| (k, i))).filter(|&(k, _)| holds && left[k] > 0) {
                let mut rest = left;
                rest[k] -= 1;
                let allowed = fast.allowed[k].has(i * 17);
                assert_eq!(allowed, may_serve(rest, &sets, set(k, i * 17), full), "round {round}, kind {k}, tile {i}");
                rejected += u32::from(!allowed);
            }
        }
        assert!(rejected > 0, "all pieces were allowed");
    }
}
