//! Lower bounds on the pieces that a partial placement still needs: by each sensor alone, and by all together.
//!
//! A worked example, 3 rows and 5 columns. The laser shines east along row 0, and the sensor opens to the north:
//!
//! ```text
//! L>. . . .        need of the head that enters    - - - - -    0 would mean that light is there already,
//! . . . . .        each tile southward, with       - 1 1 1 1    1 that one new piece brings it,
//! . . . S^.        one mirror left to place:       - 1 1 1 1    - that the pieces left do not
//! ```
//!
//! * [`Flood`] is a breadth-first search from the lasers in which a piece costs 1 and empty tiles cost nothing. Light
//!   enters every tile of row 0 eastward for 0; a mirror on row 0 sends it south for 1, so the sensor needs one piece
//!   or more.
//! * [`Cover`] walks back from each sensor instead. Column 3 must hold the nearest piece that turns light to the
//!   sensor, on row 0 or row 1. A second sensor whose nearest piece can only stand on other tiles needs a second piece.
//! * [`fewest_for`] asks only for stretches that must hold a piece, which is quick: most nodes with one or two pieces
//!   left fail here, before any flood.

use super::placement::{Placement, Stretch, UNDECIDED, Walker};
use super::tile::{FIRST_KIND, KINDS, Tile, comes, leaves};

/// The largest number of sensors that [`Cover`] examines together. They have 2^6 = 64 subsets, so a set of subsets fits
/// into one word.
const TOGETHER: usize = 6;

/// The need of a head to which no number of pieces brings light.
pub(super) const NEVER: u16 = u16::MAX;

/// The fewest pieces with which light can come back to a piece that turned it: a cycle of light has four corners.
pub(super) const MIN_CYCLE: usize = 4;

/// How light is treated that comes back to a piece that turned it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cycles {
    /// Every turn of light counts as a piece of its own. The bounds prune more, but miss the rare answers with such a
    /// cycle.
    Ignored,
    /// The second turn at a piece costs nothing. The bounds prune less and miss no answer.
    Counted,
}

/// `TURNING[kinds][heading][from]`: of a set of kinds, those that turn light with heading `from` to `heading`.
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

/// `AGAIN[kinds][second][first]`: the headings, as bits, to which some piece of a set of kinds turns light that meets
/// it with heading `second`, if it also turns light with heading `first`, which met it before. Left out are `first`
/// itself and the headings to which a piece of the set turns `first`, since these are reached at once.
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

/// Returns the headings to which a piece turns light, as bits, without the one that it keeps.
const fn turned(code: u8, heading: u8) -> u8 {
    leaves(code, heading) & !(1 << heading)
}

/// The fewest new pieces that bring light to each head, each head on its own, with the pieces that are left.
#[derive(Debug)]
pub(super) struct Flood {
    /// By head, `place * 4 + heading`: the need, or [`NEVER`] if it is larger than the levels flooded so far.
    pub(super) need: Vec<u16>,
    cycles: Cycles,
    /// The heads of the current level.
    now: Vec<u32>,
    /// The heads of the next level.
    later: Vec<u32>,
}

impl Flood {
    pub(super) fn new(places: usize, cycles: Cycles) -> Self {
        Self { need: vec![NEVER; places * 4], cycles, now: Vec::new(), later: Vec::new() }
    }

    /// Restarts at the lasers.
    pub(super) fn start(&mut self, placement: &Placement<'_>) {
        self.need.fill(NEVER);
        self.now.clear();
        for &(place, heading) in &placement.game.world.lasers {
            let head = place.wrapping_add_signed(placement.ahead(heading)) << 2 | u32::from(heading);
            self.need[head as usize] = 0;
            self.now.push(head);
        }
    }

    /// Floods the given levels: level `n` holds the heads that need `n` pieces. The levels must be flooded in ascending
    /// order, each once.
    pub(super) fn levels(&mut self, placement: &Placement<'_>, levels: std::ops::RangeInclusive<u16>) {
        // By heading: the headings to which some piece that is left turns such light.
        let mut turns = [0u8; 4];
        for (k, &left) in placement.left.iter().enumerate() {
            if left > 0 {
                for heading in 0..4 {
                    turns[heading as usize] |= turned(FIRST_KIND + k as u8, heading);
                }
            }
        }
        let again = &AGAIN[placement.kinds()];
        let ahead = placement.game.world.ahead;
        let most = placement.pieces as u16;
        let Self { need, cycles, now, later } = self;
        for level in levels {
            while let Some(head) = now.pop() {
                // A cheaper way to this head was found after it was queued.
                if need[head as usize] != level {
                    continue;
                }
                let (mut place, heading) = (head >> 2, (head & 3) as u8);
                let step = ahead[heading as usize];
                // Straight on through undecided tiles, without the queue.
                while placement.tiles[place as usize] == UNDECIDED {
                    if level < most {
                        bring(need, later, ahead, place, turns[heading as usize], level + 1);
                    }
                    if *cycles == Cycles::Counted && level > 0 {
                        // A piece here that was paid for by an earlier heading turns this light for nothing.
                        let before = |first: &usize| need[(place << 2) as usize + first] < level;
                        let out = (0..4).filter(before).fold(0, |out, first| out | again[heading as usize][first]);
                        bring(need, now, ahead, place, out, level);
                    }
                    place = place.wrapping_add_signed(step);
                    let need = &mut need[(place << 2 | u32::from(heading)) as usize];
                    // Another beam has gone on from this head already, for as few pieces.
                    if *need <= level {
                        break;
                    }
                    *need = level;
                }
                let out = leaves(placement.tiles[place as usize], heading);
                bring(need, now, ahead, place, out, level);
            }
            std::mem::swap(now, later);
        }
    }

    /// Returns `true` if light that needs all `most` pieces left may come to a piece by one of the headings `came` (one
    /// bit per heading) after it met the piece with another heading, and so paid for the piece.
    pub(super) fn comes_again(&self, place: u32, code: u8, came: u8, most: u16) -> bool {
        let need = |heading: u8| self.need[(place << 2 | u32::from(heading)) as usize];
        (0..4).any(|heading| came >> heading & 1 == 1 && need(heading) == most)
            && (0..4).any(|first| need(first) < most && turned(code, first) != 0)
    }
}

/// Sends light out of a place by the headings `out` (one bit per heading) and queues the heads that it reaches with
/// fewer pieces than before.
#[inline(always)]
fn bring(need: &mut [u16], heads: &mut Vec<u32>, ahead: [i32; 4], place: u32, mut out: u8, level: u16) {
    while out != 0 {
        let to = out.trailing_zeros();
        // Clears the lowest bit: one heading is done.
        out &= out - 1;
        let head = place.wrapping_add_signed(ahead[to as usize]) << 2 | to;
        let need = &mut need[head as usize];
        if *need > level {
            *need = level;
            heads.push(head);
        }
    }
}

/// A test of whether the pieces left may serve all sensors at once. A piece serves a sensor if it is the nearest one
/// that turns the light of the sensor, and light may come to it.
#[derive(Debug)]
pub(super) struct Cover {
    /// By place and kind, `place * KINDS + kind`: the sensors that such a piece may serve, one bit per sensor.
    serves: Vec<u8>,
    /// The entries of `serves` that are not 0.
    serving: Vec<u32>,
}

impl Cover {
    pub(super) fn new(places: usize) -> Self {
        Self { serves: vec![0; places * KINDS], serving: Vec::new() }
    }

    /// Returns `false` if it is proved that the pieces left cannot serve some sensors at once. `flood` has the levels
    /// up to one less than the number of pieces, and with [`Cycles::Counted`] that level too.
    pub(super) fn holds(
        &mut self,
        placement: &Placement<'_>,
        flood: &Flood,
        walker: &mut Walker,
        pending: &[u32],
    ) -> bool {
        let most = placement.pieces as u16;
        let mut sensors = [0; TOGETHER];
        let mut count = 0;
        for &place in pending {
            let head = placement.opening(place);
            if count < TOGETHER && flood.need[head as usize] > 0 {
                sensors[count] = head;
                count += 1;
            }
        }
        // A piece for each sensor is enough: the bound says nothing.
        if count <= usize::from(most) {
            return true;
        }
        let turning = &TURNING[placement.kinds()];
        for (sensor, &head) in sensors[..count].iter().enumerate() {
            walker.start(head);
            while let Some(head) = walker.next() {
                let heading = (head & 3) as u8;
                let back = -placement.ahead(heading);
                let mut from = (head >> 2).wrapping_add_signed(back);
                while placement.tiles[from as usize] == UNDECIDED {
                    let mut kinds = 0;
                    // The two headings across: odd and even headings are the two axes.
                    for side in [heading ^ 1, heading ^ 3] {
                        let able = turning[heading as usize][side as usize];
                        if flood.need[(from << 2 | u32::from(side)) as usize] < most {
                            kinds |= able;
                        } else if flood.cycles == Cycles::Counted {
                            let again = |&k: &u32| flood.comes_again(from, FIRST_KIND + k as u8, 1 << side, most);
                            kinds |= bits(u64::from(able)).filter(again).fold(0, |kinds, k| kinds | 1 << k);
                        }
                    }
                    while kinds != 0 {
                        let piece = from * KINDS as u32 + kinds.trailing_zeros();
                        kinds &= kinds - 1;
                        let serves = &mut self.serves[piece as usize];
                        // Listed when first met, so that only pieces that serve are read and cleared below.
                        if *serves == 0 {
                            self.serving.push(piece);
                        }
                        *serves |= 1 << sensor;
                    }
                    from = from.wrapping_add_signed(back);
                }
                walker.through(from, placement.tiles[from as usize], heading);
            }
        }
        // A set of sensors is a number below 64; a set of such sets is a word with one bit per number. `sets[k]` holds
        // the sets that one piece of kind k may serve.
        let mut sets = [0u64; KINDS];
        for piece in self.serving.drain(..) {
            let serves = std::mem::take(&mut self.serves[piece as usize]);
            sets[piece as usize % KINDS] |= 1 << serves;
        }
        // `reached` holds the sets that the pieces so far may serve together: the empty set at first, then its unions
        // with what one more piece may serve.
        let mut reached = 1u64;
        for (k, &set) in sets.iter().enumerate() {
            for _ in 0..placement.left[k] {
                reached = bits(reached).fold(reached, |all, a| bits(set).fold(all, |all, b| all | 1 << (a | b)));
            }
        }
        // The set of all sensors is the number with `count` ones.
        reached >> ((1 << count) - 1) & 1 == 1
    }
}

/// Iterates over the positions of the set bits of a word, highest first.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.checked_ilog2()?;
        word ^= 1 << bit;
        Some(bit)
    })
}

/// A stretch as an interval on its line: a row for stretches across, a column for stretches down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    line: u32,
    from: u32,
    to: u32,
}

/// The stretches that must hold a piece, across and down.
#[derive(Debug)]
pub(super) struct RequiredRuns {
    runs: [Vec<Interval>; 2],
    /// By `place * 2 + axis`, the number of the last node that noted the stretch that begins there.
    noted: Vec<u32>,
    node: u32,
}

impl RequiredRuns {
    pub(super) fn new(places: usize) -> Self {
        Self { runs: [Vec::new(), Vec::new()], noted: vec![0; places * 2], node: 0 }
    }

    /// Forgets all stretches, for the next node.
    pub(super) fn clear(&mut self) {
        self.node += 1;
        self.runs.iter_mut().for_each(Vec::clear);
    }

    /// Notes the only stretch that feeds a sensor, unless it may be empty: nothing behind it may send light along it.
    pub(super) fn note(&mut self, placement: &Placement<'_>, Stretch { first, last, heading }: Stretch) {
        let behind = placement.tiles[last.wrapping_add_signed(-placement.ahead(heading)) as usize];
        if comes(behind, heading) != 0 || behind == Tile::LaserN as u8 + heading {
            return;
        }
        let (from, to) = (first.min(last), first.max(last));
        // Axis 0 runs across (headings E and W are odd), axis 1 down.
        let axis = usize::from(heading & 1 == 0);
        if std::mem::replace(&mut self.noted[from as usize * 2 + axis], self.node) != self.node {
            let stride = placement.game.world.stride as u32;
            self.runs[axis].push(match axis {
                0 => Interval { line: from / stride, from: from % stride, to: to % stride },
                _ => Interval { line: from % stride, from: from / stride, to: to / stride },
            });
        }
    }

    /// Returns the fewest pieces that put a piece on each stretch noted.
    pub(super) fn fewest(&self) -> usize {
        fewest_for(&self.runs)
    }
}

/// Returns the fewest pieces that put a piece on each of the stretches. Stretches along one axis share no tile, so a
/// piece serves at most one across and one down, on the tile where they cross. The answer is the number of stretches
/// minus the size of a maximum matching of those that cross.
fn fewest_for([across, down]: &[Vec<Interval>; 2]) -> usize {
    /// Looks for an augmenting path of the matching from the stretch across with index `a`; applies it if there is one.
    fn pair(
        a: usize,
        across: &[Interval],
        down: &[Interval],
        tried: &mut [bool],
        partner: &mut [Option<usize>],
    ) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Game;
    use crate::photon::MyPhoton;

    #[test]
    fn the_example_at_the_head_of_this_file_is_true() {
        let game = MyPhoton::parse("5 3\nL>. . . .\n. . . . .\n. M\\. S^.\n").unwrap();
        let placement = Placement::new(&game);
        let mut flood = Flood::new(game.tiles.len(), Cycles::Ignored);
        flood.start(&placement);
        flood.levels(&placement, 0..=1);
        let need = |row, col, heading: u32| flood.need[(game.place(row, col) << 2) + heading as usize];
        assert_eq!([need(0, 1, 1), need(0, 4, 1)], [0, 0]);
        let southward = |row| [0, 1, 2, 3, 4].map(|col| need(row, col, 2));
        assert_eq!(southward(0), [NEVER; 5]);
        assert_eq!([southward(1), southward(2)], [[NEVER, 1, 1, 1, 1]; 2]);
        assert_eq!(need(1, 1, 1), NEVER, "a single mirror cannot turn light twice");
        let places = game.tiles.len();
        let sensors = &game.world.sensors;
        assert!(Cover::new(places).holds(&placement, &flood, &mut Walker::new(places), sensors));
    }

    #[test]
    fn turning_kinds_are_those_of_the_table_of_light() {
        for (kinds, table) in TURNING.iter().enumerate() {
            for (heading, from) in (0..16).map(|i| (i / 4, i % 4)) {
                let turns = |k: &usize| from != heading && leaves(FIRST_KIND + *k as u8, from) >> heading & 1 == 1;
                let expected = (0..KINDS).filter(|k| kinds >> k & 1 == 1).filter(turns).fold(0, |set, k| set | 1 << k);
                assert_eq!(table[heading as usize][from as usize], expected, "{kinds:08b} {heading} {from}");
            }
        }
    }
}
