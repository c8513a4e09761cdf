//! Lower bounds on the number of pieces that a partial placement still needs, for single sensors and for several
//! sensors together.
//!
//! A worked example with 3 rows and 5 columns. One mirror `\` is left to place. The laser shines east along row 0, and
//! the sensor opens to the north. The right side shows, for each tile, how many new pieces it takes for light to
//! enter the tile southward (`-`: the pieces left are not enough):
//!
//! ```text
//! L>. . . .       - - - - -
//! . . . . .       - 1 1 1 1
//! . . . S^.       - 1 1 1 1
//! ```
//!
//! * [`Flood`] is a search from the lasers in order of cost: a new piece costs 1, and an undecided tile without a
//!   piece costs 0. Light enters columns 1 to 4 of row 0 eastward at cost 0; a mirror in row 0 sends it south at cost
//!   1, so the sensor needs at least one piece.
//! * [`Cover`] walks back from each sensor instead. The nearest piece that turns light toward the sensor must stand in
//!   column 3, on a tile that light can reach, so it must stand in row 0. A second sensor whose nearest piece can only
//!   stand on other tiles needs a second piece.
//! * [`RequiredRuns`] counts only the pieces for stretches of undecided tiles that must hold one. It is checked before
//!   any flood, is quick, and rejects most nodes with one or two pieces left.

use super::placement::{Placement, Stretch, UNDECIDED, Walker};
use super::tile::{FIRST_KIND, KINDS, Tile, comes, leaves};

/// The largest number of sensors that [`Cover`] examines together. Six sensors have 2^6 = 64 subsets, so a set of
/// subsets fits in one 64-bit word.
pub(super) const TOGETHER: usize = 6;

/// The [need](Flood) of a head to which the pieces left cannot bring light, or that the flood has not reached yet.
pub(super) const NEVER: u16 = u16::MAX;

/// The fewest pieces with which light can come back to a piece that turned it: the path of the light then has at least
/// four corners, each on a different piece.
pub(super) const MIN_CYCLE: usize = 4;

/// How the bounds treat light that comes back to a piece that turned it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cycles {
    /// Each turn of light on an undecided tile counts as a new piece. The bounds prune more, but the search may miss
    /// the rare solutions that need a cycle of light.
    Ignored,
    /// The second turn at a piece costs nothing. The bounds prune less, and the search misses no solution.
    Counted,
}

/// `TURNING[kinds][heading][from]`: the kinds in the set `kinds` that turn light with heading `from` to `heading`. Both
/// sets have one bit per kind.
pub(super) static TURNING: [[[u8; 4]; 4]; 1 << KINDS] = {
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

/// `AGAIN[kinds][second][first]`: for light that met a piece with heading `first` and was turned, the headings, as
/// bits, to which the same piece turns it if it comes back with heading `second`. The piece may be of any kind in the
/// set `kinds`. Excluded are `first` and the headings to which some piece of the set turns `first`: light already
/// leaves with these headings the first time, with or without a piece on the tile.
static AGAIN: [[[u8; 4]; 4]; 1 << KINDS] = {
    let mut table = [[[0; 4]; 4]; 1 << KINDS];
    let mut i = 0;
    while i < table.len() * 16 {
        let (kinds, second, first) = (i / 16, i / 4 % 4, i % 4);
        // The headings with which light leaves the first time, and those to which it is turned when it comes again.
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

/// Returns the headings, as bits, to which the piece with code `code` turns light with heading `heading`. `heading`
/// itself, with which light passes straight through a splitter, is left out.
pub(super) const fn turned(code: u8, heading: u8) -> u8 {
    leaves(code, heading) & !(1 << heading)
}

/// For each head on its own, a lower bound on the number of new pieces that bring light to it (its *need*). The bound
/// takes into account which kinds of pieces are left and how many pieces in total, but not how many of each kind. With
/// [`Cycles::Ignored`], the bound is valid only for light that does not come back to a piece.
#[derive(Debug)]
pub(super) struct Flood {
    /// By head, `place * 4 + heading`: the need, if it is at most the last level flooded; otherwise a larger number, at
    /// most [`NEVER`].
    pub(super) need: Vec<u16>,
    cycles: Cycles,
    /// The heads of the current level that have not been followed yet.
    now: Vec<u32>,
    /// The heads of the next level.
    later: Vec<u32>,
}

impl Flood {
    /// Creates a flood for a board with the given number of places.
    pub(super) fn new(places: usize, cycles: Cycles) -> Self {
        Self { need: vec![NEVER; places * 4], cycles, now: Vec::new(), later: Vec::new() }
    }

    /// Discards all levels and queues the heads of level 0 that the lasers feed.
    pub(super) fn start(&mut self, placement: &Placement<'_>) {
        self.need.fill(NEVER);
        self.now.clear();
        for &(place, heading) in &placement.game.world.lasers {
            let head = place.wrapping_add_signed(placement.ahead(heading)) << 2 | u32::from(heading);
            self.need[head as usize] = 0;
            self.now.push(head);
        }
    }

    /// Floods the given levels: level `n` holds the heads that need `n` pieces. After [`start`](Self::start), the
    /// levels must be flooded in ascending order from 0, each once.
    pub(super) fn levels(&mut self, placement: &Placement<'_>, levels: std::ops::RangeInclusive<u16>) {
        // By heading: the headings, as bits, to which some piece that is left turns light with this heading.
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
                // After this head was queued, a path to it with fewer pieces was found.
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
                        // A piece that light met here on a lower level is already counted, so it turns this light at no
                        // further cost.
                        let before = |first: &usize| need[(place << 2) as usize + first] < level;
                        let out = (0..4).filter(before).fold(0, |out, first| out | again[heading as usize][first]);
                        bring(need, now, ahead, place, out, level);
                    }
                    place = place.wrapping_add_signed(step);
                    let need = &mut need[(place << 2 | u32::from(heading)) as usize];
                    // Another beam has reached this head already, with as many pieces or fewer.
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

    /// Returns `true` if light that needs all `most` pieces left may come back to a piece that it already met with
    /// another heading, so that this piece is one of the `most`. Levels 0 to `most` must be flooded.
    ///
    /// * `place`: the place of the piece
    /// * `code`: the code of the piece
    /// * `came`: the headings with which the light may come back, as bits
    /// * `most`: the number of pieces that are left
    pub(super) fn comes_again(&self, place: u32, code: u8, came: u8, most: u16) -> bool {
        let need = |heading: u8| self.need[(place << 2 | u32::from(heading)) as usize];
        (0..4).any(|heading| came >> heading & 1 == 1 && need(heading) == most)
            && (0..4).any(|first| need(first) < most && turned(code, first) != 0)
    }
}

/// Sends light from `place` with the headings `out`, as bits. Each head that it enters and whose need is more than
/// `level` gets the need `level` and is appended to `heads`.
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

/// A test of whether the pieces left may serve several sensors together. A piece may serve a sensor if it can be the
/// nearest new piece that turns light toward the sensor, and if light may come to the piece.
#[derive(Debug)]
pub(super) struct Cover {
    /// By place and kind, `place * KINDS + kind`: the sensors that a piece of the kind on the place may serve, one bit
    /// per sensor. All 0 between calls.
    serves: Vec<u8>,
    /// The indices of the entries of `serves` that are not 0; empty between calls.
    serving: Vec<u32>,
}

impl Cover {
    /// Creates a test for boards with the given number of places.
    pub(super) fn new(places: usize) -> Self {
        Self { serves: vec![0; places * KINDS], serving: Vec::new() }
    }

    /// Returns `false` if it is proved that the pieces left cannot serve the first [`TOGETHER`] sensors that need a
    /// piece.
    ///
    /// * `flood`: flooded on all levels below the number of pieces left, and with [`Cycles::Counted`] also on the level
    ///   equal to that number
    /// * `walker`: working memory for the walks back from the sensors
    /// * `pending`: the places of the sensors that are not fed by decided tiles
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
        // There are enough pieces for one per sensor, so the test proves nothing.
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
                    // The two perpendicular headings: even headings are vertical, odd ones horizontal.
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
                        // An entry is listed when it becomes nonzero, so only listed entries are read and cleared
                        // below.
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
        // A set of sensors is a number below 64; a set of such sets is a word with one bit per number. `sets[k]` holds,
        // for each place, the set of sensors that a piece of kind k may serve there.
        let mut sets = [0u64; KINDS];
        for piece in self.serving.drain(..) {
            let serves = std::mem::take(&mut self.serves[piece as usize]);
            sets[piece as usize % KINDS] |= 1 << serves;
        }
        // `reached` holds the sets that the pieces considered so far may serve together: at first the empty set, and
        // then, for each piece, also the unions with each set that the piece may serve.
        let mut reached = 1u64;
        for (k, &set) in sets.iter().enumerate() {
            for _ in 0..placement.left[k] {
                reached = bits(reached).fold(reached, |all, a| bits(set).fold(all, |all, b| all | 1 << (a | b)));
            }
        }
        // The set of all sensors is the number whose lowest `count` bits are set.
        reached >> ((1 << count) - 1) & 1 == 1
    }
}

/// Iterates over the positions of the set bits of a word, highest first.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.checked_ilog2()?;
        word ^= 1 << bit;
        Some(bit)
    })
}

/// A stretch as an interval of a line: of a row if it is horizontal, of a column if it is vertical. Row numbers include
/// the row of walls above the board, so they are one larger than on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// The row of a horizontal stretch, the column of a vertical one.
    line: u32,
    /// The first column of a horizontal stretch, the first row of a vertical one.
    from: u32,
    /// The last column or row (inclusive).
    to: u32,
}

/// The stretches that must hold a piece, and the fewest pieces for them.
#[derive(Debug)]
pub(super) struct RequiredRuns {
    /// The horizontal stretches and the vertical ones, each once.
    runs: [Vec<Interval>; 2],
    /// By `place * 2 + axis` (0 horizontal, 1 vertical), the value of `node` when the stretch that begins there, at its
    /// west or north end, was last noted.
    noted: Vec<u32>,
    /// The number of the current node of the search.
    node: u32,
}

impl RequiredRuns {
    /// Creates an empty list for a board with the given number of places.
    pub(super) fn new(places: usize) -> Self {
        Self { runs: [Vec::new(), Vec::new()], noted: vec![0; places * 2], node: 0 }
    }

    /// Removes all stretches, for the next node of the search.
    pub(super) fn clear(&mut self) {
        self.node = self.node.wrapping_add(1);
        if self.node == 0 {
            // The numbers begin again after 2^32 - 1 nodes, and old entries of `noted` would be mistaken for those of
            // this node.
            self.noted.fill(0);
            self.node = 1;
        }
        self.runs.iter_mut().for_each(Vec::clear);
    }

    /// Notes the only stretch through which light can come to a sensor, if the tile behind the stretch cannot send
    /// light along it: the stretch must then hold a piece.
    pub(super) fn note(&mut self, placement: &Placement<'_>, Stretch { first, last, heading }: Stretch) {
        let behind = placement.tiles[last.wrapping_add_signed(-placement.ahead(heading)) as usize];
        if comes(behind, heading) != 0 || behind == Tile::LaserN as u8 + heading {
            return;
        }
        let (from, to) = (first.min(last), first.max(last));
        // Axis 0 is horizontal (headings E and W are odd), axis 1 vertical.
        let axis = usize::from(heading & 1 == 0);
        if std::mem::replace(&mut self.noted[from as usize * 2 + axis], self.node) != self.node {
            let stride = placement.game.world.stride as u32;
            self.runs[axis].push(match axis {
                0 => Interval { line: from / stride, from: from % stride, to: to % stride },
                _ => Interval { line: from % stride, from: from / stride, to: to / stride },
            });
        }
    }

    /// Returns the smallest number of pieces with which each noted stretch holds one.
    pub(super) fn fewest(&self) -> usize {
        fewest_for(&self.runs)
    }
}

/// Returns the smallest number of pieces with which each of the stretches holds one. Two stretches on the same axis
/// share no tile, so a piece lies on at most one horizontal and one vertical stretch, at the tile on which the two
/// cross. The result is the number of stretches minus the size of a maximum matching of stretches that cross.
fn fewest_for([horizontal, vertical]: &[Vec<Interval>; 2]) -> usize {
    if horizontal.is_empty() || vertical.is_empty() {
        return horizontal.len() + vertical.len();
    }
    // By vertical stretch: the horizontal stretch matched with it, and whether the current search has met it.
    let (mut partner, mut met) = (vec![None; vertical.len()], vec![false; vertical.len()]);
    // The path of the search: horizontal stretches, each with the vertical stretch to try next. It is kept in a list
    // because recursion would overflow the stack of a thread if there are thousands of stretches.
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut pairs = 0;
    for h in 0..horizontal.len() {
        // Looks depth first for an augmenting path of the matching that begins at this stretch.
        met.fill(false);
        path.push((h, 0));
        while let Some((h, next)) = path.last_mut() {
            let run = horizontal[*h];
            let crosses = |other: &Interval| {
                (run.from..=run.to).contains(&other.line) && (other.from..=other.to).contains(&run.line)
            };
            let Some(v) = (*next..vertical.len()).find(|&v| !met[v] && crosses(&vertical[v])) else {
                path.pop();
                continue;
            };
            met[v] = true;
            *next = v + 1;
            if let Some(other) = partner[v] {
                path.push((other, 0));
                continue;
            }
            // This vertical stretch is free: each stretch on the path is matched with the one that it tried last.
            for (h, next) in path.drain(..) {
                partner[next - 1] = Some(h);
            }
            pairs += 1;
        }
    }
    horizontal.len() + vertical.len() - pairs
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
    fn matchings_of_many_stretches_need_little_stack() {
        // A staircase: horizontal stretch k crosses the vertical stretches k and k + 1, and the last horizontal stretch
        // crosses the first vertical one, so that all other matches must change.
        let n = 4000;
        let mut rows: Vec<_> = (0..n).map(|k| Interval { line: 2 * k + 2, from: 2 * k, to: 2 * k + 2 }).collect();
        rows.push(Interval { line: 1, from: 0, to: 0 });
        let columns = (0..=n).map(|k| Interval { line: 2 * k, from: 2 * k, to: 2 * k + 2 }).collect();
        let work = move || fewest_for(&[rows, columns]);
        let thread = std::thread::Builder::new().stack_size(1 << 16).spawn(work).unwrap();
        assert_eq!(thread.join().unwrap(), n as usize + 1);
    }

    #[test]
    fn noted_stretches_are_forgotten_when_the_node_numbers_begin_again() {
        let mut required = RequiredRuns::new(1);
        (required.node, required.noted) = (u32::MAX, vec![1; 2]);
        required.clear();
        assert_eq!((required.node, required.noted), (1, vec![0; 2]));
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
