//! Exact chances: how likely each hidden field is to hold a goose, over all boards that a view allows.
//!
//! Hidden fields beside the same numbers form a *box*: only how many geese it holds matters, and `m` geese fit into `s`
//! fields in `C(s, m)` ways. Boxes that share numbers form a *component*. Along a component a dynamic programme runs over
//! boxes; its state is what the numbers that are open (begun and not finished) still need, and for each state it keeps the
//! ways by geese used. The number with the fewest boxes to go is finished first, so that few are open. Components meet only
//! in the number of geese: their ways are multiplied as polynomials, and the fields beside no number take the rest. A pass
//! back through each component then gives every box its share.
//!
//! Source: the constraint view of Minesweeper is folklore; boxes and counting by components after the works on exact
//! Minesweeper players; the programme over open numbers is a frontier method, as used for counting paths and tilings.
#![allow(clippy::float_cmp)] // what is certain has a chance of exactly 0 or 1

use super::View;
use super::fields::GOOSE;
use super::known::{Contradiction, Known, UNKNOWN};
use crate::core::{Budget, Error};

impl From<Contradiction> for Error {
    fn from(_: Contradiction) -> Self {
        Self::NotFound("view must be consistent, got numbers that no placement of the geese explains".to_owned())
    }
}

const NONE: u32 = u32::MAX;

/// Bits of a key for what one open number needs: 1 to 7, since a number that needs 0 or all was used up before.
const NEED_BITS: u32 = 3;

/// How many numbers may be open at once.
const MAX_OPEN: u32 = u128::BITS / NEED_BITS;

/// How many counts a component may keep.
const MAX_COUNTS: usize = 1 << 24;

/// Binomial coefficients up to 8, the most fields that a box has.
const CHOOSE: [[f64; 9]; 9] = {
    let mut table = [[0.0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Hidden fields beside the same numbers.
#[derive(Clone, Copy, Debug)]
struct BoxOf {
    size: u8,
    degree: u8,
    numbers: [u32; 8],
    fields: [u32; 8],
}

/// A number with unknown fields around it.
#[derive(Clone, Copy, Debug)]
struct Number {
    at: u32,
    need: u8,
    degree: u8,
    /// Boxes not yet in the order, and the fields in them.
    pending: u8,
    capacity: u8,
    slot: u8,
    boxes: [u32; 8],
}

/// A step of the programme: row `from` of the layer before, row `to`, and the geese put.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: u32,
    to: u32,
    geese: u32,
}

/// The state after a box: its rows of counts lie in `Engine::counts` from `counts`, `width` each, the first for `least`
/// geese used; the links into it lie in `Engine::links`.
#[derive(Clone, Copy, Debug, Default)]
struct Layer {
    counts: usize,
    rows: usize,
    width: usize,
    least: usize,
    links: (usize, usize),
    of: u32,
}

/// A component: its layers, the first of which is the empty start.
#[derive(Clone, Copy, Debug)]
struct Component {
    layers: (usize, usize),
    least: usize,
    width: usize,
}

/// Finds exact chances; keeps its memory from call to call.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    pub(super) known: Known,
    numbers: Vec<Number>,
    boxes: Vec<BoxOf>,
    /// By place: the number's id, or the box's.
    ids: Vec<u32>,
    layers: Vec<Layer>,
    components: Vec<Component>,
    counts: Vec<f64>,
    backs: Vec<f64>,
    links: Vec<Link>,
    keys: Vec<u128>,
    next_keys: Vec<u128>,
    table: Vec<(u32, u32)>,
    stamp: u32,
    order: Vec<u32>,
    open: Vec<u32>,
    seen: Vec<bool>,
    /// The chance of each box, and of a field beside no number.
    box_chances: Vec<f64>,
    free: usize,
    free_chance: f64,
    ln_ways: f64,
}

/// The exact chances of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// For each field the chance that it holds a goose, row-major; 0 for a revealed one, 1 for a goose that was shown.
    pub geese: Vec<f64>,
    /// The natural logarithm of the number of boards that look like the view.
    pub ln_ways: f64,
}

impl View {
    /// Finds the exact chance of a goose in each field, given what is seen and the number of geese.
    ///
    /// A chance is exactly 0 or 1 where that is certain.
    ///
    /// # Errors
    /// [`Error::NotFound(_)`] where no geese look like the view, [`Error::Error`] where the budget ends the count or a
    /// component is too entangled for it.
    ///
    /// # Complexity
    /// Exponential in the numbers that are open at once, which on played boards are few: about 20 microseconds for an
    /// expert position.
    pub fn chances(&self, budget: &mut Budget<'_>) -> Result<Chances, Error> {
        let mut engine = Engine::default();
        engine.solve(self, budget)?;
        Ok(engine.chances())
    }
}

impl Engine {
    /// Finds the chances of a view.
    ///
    /// # Errors
    /// As [`View::chances`].
    pub fn solve(&mut self, view: &View, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.known.set(view);
        self.known.deduce()?;
        self.count(true, budget)
    }

    /// The chances that were found last.
    pub fn chances(&self) -> Chances {
        let (height, width) = self.known.shape();
        let geese = (0..height * width).map(|index| self.chance(self.known.place(index))).collect();
        Chances { geese, ln_ways: self.ln_ways }
    }

    /// The chance of a place.
    #[inline]
    pub(super) fn chance(&self, at: usize) -> f64 {
        match self.known.cells[at] {
            GOOSE => 1.0,
            UNKNOWN if self.ids[at] == NONE => self.free_chance,
            UNKNOWN => self.box_chances[self.ids[at] as usize],
            _ => 0.0,
        }
    }

    /// Whether an unknown place lies beside no number.
    #[inline]
    pub(super) fn is_free(&self, at: usize) -> bool {
        self.ids[at] == NONE
    }

    /// The natural logarithm of the number of boards.
    pub(super) fn ln_ways(&self) -> f64 {
        self.ln_ways
    }

    /// Whether no field is beside a number.
    pub(super) fn is_blank(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The least chance of an unknown field, 0 where a field is known to be free.
    pub(super) fn least_chance(&self) -> f64 {
        if !self.known.found.is_empty() {
            return 0.0;
        }
        let free = if self.free > 0 { self.free_chance } else { 1.0 };
        self.box_chances.iter().fold(free, |least, &chance| least.min(chance))
    }

    /// Notes what the chances found last make certain, and what follows from it; says whether there was anything.
    pub(super) fn learn(&mut self) -> Result<bool, Contradiction> {
        let mut learnt = false;
        for (one, &chance) in self.boxes.iter().zip(&self.box_chances) {
            learnt |= chance == 0.0 || chance == 1.0;
            for &field in &one.fields[..one.size as usize] {
                if chance == 0.0 {
                    self.known.set_safe(field as usize);
                } else if chance == 1.0 {
                    self.known.set_goose(field as usize);
                }
            }
        }
        if self.free > 0 && (self.free_chance == 0.0 || self.free_chance == 1.0) {
            learnt = true;
            for at in 0..self.known.cells.len() {
                if self.known.cells[at] == UNKNOWN && self.ids[at] == NONE {
                    if self.free_chance == 0.0 {
                        self.known.set_safe(at);
                    } else {
                        self.known.set_goose(at);
                    }
                }
            }
        }
        self.known.deduce()?;
        Ok(learnt)
    }

    /// All boards that are left, each as the set of those of some places that hold a goose; the places must be all that are
    /// unknown. Call it where the boards are known to be few.
    pub(super) fn boards(&self, places: &[usize]) -> Vec<u128> {
        let mut search = Search {
            engine: self,
            needs: self.numbers.iter().map(|number| number.need).collect(),
            capacities: self
                .numbers
                .iter()
                .map(|number| number.boxes[..number.degree as usize].iter().map(|&b| self.boxes[b as usize].size).sum())
                .collect(),
            groups: self
                .boxes
                .iter()
                .map(|one| {
                    let fields = &one.fields[..one.size as usize];
                    fields.iter().filter_map(|&field| places.binary_search(&(field as usize)).ok()).collect()
                })
                .collect(),
            boards: Vec::new(),
        };
        search.groups.push((0..places.len()).filter(|&bit| self.ids[places[bit]] == NONE).collect());
        search.fill(0, self.known.geese, 0);
        search.boards
    }

    /// Finds the chances of what is known. Without `total` the number of geese on the board is not used.
    pub(super) fn count(&mut self, total: bool, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.group();
        self.layers.clear();
        self.components.clear();
        self.counts.clear();
        self.links.clear();
        self.seen.clear();
        self.seen.resize(self.boxes.len(), false);
        let mut ln_scale = 0.0;
        for first in 0..self.numbers.len() as u32 {
            if self.numbers[first as usize].pending > 0 {
                let start = self.far_end(first);
                ln_scale += self.forward(start, budget)?;
            }
        }
        self.join(total, ln_scale, budget)
    }

    /// Finds numbers and boxes.
    fn group(&mut self) {
        let known = &self.known;
        let (from, to) = (known.stride + 1, known.cells.len() - known.stride - 1);
        self.ids.clear();
        self.ids.resize(known.cells.len(), NONE);
        self.numbers.clear();
        self.boxes.clear();
        let mut unknown = 0;
        for at in from..to {
            unknown += usize::from(known.cells[at] == UNKNOWN);
            if known.is_number(at) && known.open(at) > 0 {
                self.ids[at] = self.numbers.len() as u32;
                let need = known.need(at) as u8;
                let none = [NONE; 8];
                self.numbers.push(Number {
                    at: at as u32,
                    need,
                    degree: 0,
                    pending: 0,
                    capacity: 0,
                    slot: 0,
                    boxes: none,
                });
            }
        }
        let offsets = known.offsets();
        let mut boxed = 0;
        for id in 0..self.numbers.len() {
            let at = self.numbers[id].at as usize;
            let first_box = self.boxes.len();
            for offset in offsets {
                let field = at.wrapping_add_signed(offset);
                if known.cells[field] != UNKNOWN || self.ids[field] != NONE {
                    continue;
                }
                // This is the first number beside the field: its box can only be one that this number has begun.
                let mut numbers = [NONE; 8];
                let mut degree = 0;
                for offset in offsets {
                    let near = field.wrapping_add_signed(offset);
                    if known.is_number(near) {
                        numbers[degree] = self.ids[near];
                        degree += 1;
                    }
                }
                boxed += 1;
                let same = (first_box..self.boxes.len()).find(|&b| self.boxes[b].numbers == numbers);
                if let Some(b) = same {
                    let into = &mut self.boxes[b];
                    into.fields[into.size as usize] = field as u32;
                    into.size += 1;
                    self.ids[field] = b as u32;
                } else {
                    self.ids[field] = self.boxes.len() as u32;
                    let mut fields = [NONE; 8];
                    fields[0] = field as u32;
                    self.boxes.push(BoxOf { size: 1, degree: degree as u8, numbers, fields });
                }
            }
        }
        for (b, one) in self.boxes.iter().enumerate() {
            for &id in &one.numbers[..one.degree as usize] {
                let number = &mut self.numbers[id as usize];
                number.boxes[number.degree as usize] = b as u32;
                number.degree += 1;
                number.pending += 1;
                number.capacity += one.size;
            }
        }
        self.free = unknown - boxed;
    }

    /// A number at an end of a component: the last that a breadth-first search from `first` meets. From there the
    /// programme sweeps along the component, and few numbers are open at once.
    fn far_end(&mut self, first: u32) -> u32 {
        self.order.clear();
        self.order.push(first);
        self.numbers[first as usize].slot = 1;
        let mut done = 0;
        // Slots and `seen` serve as marks here, and are as they were afterwards.
        while done < self.order.len() {
            let number = self.numbers[self.order[done] as usize];
            done += 1;
            for &b in &number.boxes[..number.degree as usize] {
                if std::mem::replace(&mut self.seen[b as usize], true) {
                    continue;
                }
                let one = &self.boxes[b as usize];
                for &next in &one.numbers[..one.degree as usize] {
                    if self.numbers[next as usize].slot == 0 {
                        self.numbers[next as usize].slot = 1;
                        self.order.push(next);
                    }
                }
            }
        }
        let last = self.order[self.order.len() - 1];
        for &id in &self.order {
            let number = &mut self.numbers[id as usize];
            number.slot = 0;
            for &b in &number.boxes[..number.degree as usize] {
                self.seen[b as usize] = false;
            }
        }
        last
    }

    /// Runs the programme along the component of a number and gives the logarithm of what its counts were divided by.
    fn forward(&mut self, start: u32, budget: &mut Budget<'_>) -> Result<f64, Error> {
        let first_layer = self.layers.len();
        self.layers.push(Layer { counts: self.counts.len(), rows: 1, width: 1, ..Layer::default() });
        self.counts.push(1.0);
        self.keys.clear();
        self.keys.push(0);
        self.open.clear();
        let mut free_slots = (1u64 << MAX_OPEN) - 1;
        let mut ln_scale = 0.0;
        let mut next = Some(start);
        while let Some(number) = next {
            let number = self.numbers[number as usize];
            for &b in &number.boxes[..number.degree as usize] {
                if !self.seen[b as usize] {
                    self.seen[b as usize] = true;
                    ln_scale += self.step(b, &mut free_slots, budget)?;
                }
            }
            self.open.retain(|&id| self.numbers[id as usize].pending > 0);
            next = self.open.iter().copied().min_by_key(|&id| self.numbers[id as usize].pending);
        }
        let last = self.layers[self.layers.len() - 1];
        self.components.push(Component {
            layers: (first_layer, self.layers.len()),
            least: last.least,
            width: last.width,
        });
        Ok(ln_scale)
    }

    /// Puts geese into a box: makes the next layer.
    fn step(&mut self, b: u32, free_slots: &mut u64, budget: &mut Budget<'_>) -> Result<f64, Error> {
        let one = self.boxes[b as usize];
        let size = one.size as usize;
        let degree = one.degree as usize;
        // Numbers that begin here get a slot of the key, and all keys their need.
        let mut begun = 0u128;
        let mut slots = [(0u32, 0u8); 8];
        let mut unit = 0u128;
        let mut ended = 0u64;
        for (slot, &id) in slots.iter_mut().zip(&one.numbers[..degree]) {
            let number = &mut self.numbers[id as usize];
            if number.pending == number.degree {
                if *free_slots == 0 {
                    return Err(Error::Limit(format!(
                        "a component with more than {MAX_OPEN} numbers open at once, too entangled for exact chances"
                    ))
                    .into());
                }
                number.slot = free_slots.trailing_zeros() as u8;
                *free_slots &= *free_slots - 1;
                begun |= u128::from(number.need) << (NEED_BITS * u32::from(number.slot));
                self.open.push(id);
            }
            number.pending -= 1;
            number.capacity -= one.size;
            let shift = NEED_BITS * u32::from(number.slot);
            unit |= 1 << shift;
            *slot = (shift, number.capacity);
            if number.pending == 0 {
                ended |= 1 << number.slot;
            }
        }
        *free_slots |= ended;
        let slots = &slots[..degree];
        let before = self.layers[self.layers.len() - 1];
        let links_from = self.links.len();
        self.next_keys.clear();
        self.clear_table(before.rows * 2);
        let (mut fewest, mut most) = (u32::MAX, 0);
        for from in 0..before.rows {
            let key = self.keys[from] | begun;
            let (mut least, mut top) = (0u32, size as u32);
            for &(shift, capacity) in slots {
                let need = (key >> shift) as u32 & 7;
                top = top.min(need);
                least = least.max(need.saturating_sub(u32::from(capacity)));
            }
            if least > top {
                continue;
            }
            fewest = fewest.min(least);
            most = most.max(top);
            let mut next = key - unit * u128::from(least);
            for geese in least..=top {
                let to = self.row_of(next);
                self.links.push(Link { from: from as u32, to, geese });
                next = next.wrapping_sub(unit);
            }
        }
        let rows = self.next_keys.len();
        std::mem::swap(&mut self.keys, &mut self.next_keys);
        if rows == 0 {
            return Err(Contradiction.into());
        }
        let least = before.least + fewest as usize;
        let width = before.width + (most - fewest) as usize;
        let counts = self.counts.len();
        if counts + rows * width > MAX_COUNTS {
            let fields: usize = self.layers.len();
            return Err(Error::Limit(format!(
                "a component too entangled for exact chances: over {MAX_COUNTS} counts after {fields} boxes"
            ))
            .into());
        }
        budget.spend((self.links.len() - links_from) as u64 + 1)?;
        self.counts.resize(counts + rows * width, 0.0);
        let (old, new) = self.counts.split_at_mut(counts);
        let old = &old[before.counts..];
        for link in &self.links[links_from..] {
            let ways = CHOOSE[size][link.geese as usize];
            let from = &old[link.from as usize * before.width..][..before.width];
            let shift = (link.geese - fewest) as usize;
            let to = &mut new[link.to as usize * width + shift..][..before.width];
            for (to, from) in to.iter_mut().zip(from) {
                *to += ways * from;
            }
        }
        let mut ln_scale = 0.0;
        let largest = new.iter().fold(0.0f64, |largest, &count| largest.max(count));
        if largest > 1e100 {
            for count in new.iter_mut() {
                *count /= largest;
            }
            ln_scale = largest.ln();
        }
        self.layers.push(Layer { counts, rows, width, least, links: (links_from, self.links.len()), of: b });
        Ok(ln_scale)
    }

    fn clear_table(&mut self, rows: usize) {
        let size = (2 * rows).next_power_of_two().max(32);
        if self.table.len() < size {
            self.table.clear();
            self.table.resize(size, (0, 0));
            self.stamp = 0;
        }
        if self.stamp == u32::MAX {
            self.table.fill((0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// The row of a key in the layer that is made, a new one where there is none.
    #[inline]
    fn row_of(&mut self, key: u128) -> u32 {
        if 2 * self.next_keys.len() >= self.table.len() {
            self.grow_table();
        }
        let mask = self.table.len() - 1;
        let mut place = hash(key) & mask;
        loop {
            let (stamp, row) = self.table[place];
            if stamp != self.stamp {
                let row = self.next_keys.len() as u32;
                self.table[place] = (self.stamp, row);
                self.next_keys.push(key);
                return row;
            }
            if self.next_keys[row as usize] == key {
                return row;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow_table(&mut self) {
        let size = 2 * self.table.len();
        self.table.clear();
        self.table.resize(size, (0, 0));
        self.stamp = 1;
        for (row, &key) in self.next_keys.iter().enumerate() {
            let mut place = hash(key) & (size - 1);
            while self.table[place].0 == 1 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = (1, row as u32);
        }
    }

    /// Multiplies the components' ways, gives the rest of the geese to the free fields, and goes back through each
    /// component for the chances of its boxes.
    fn join(&mut self, total: bool, ln_scale: f64, budget: &mut Budget<'_>) -> Result<(), Error> {
        let n = self.components.len();
        let geese = self.known.geese;
        let least: usize = self.components.iter().map(|c| c.least).sum();
        let spread: usize = self.components.iter().map(|c| c.width - 1).sum();
        if (n + 1).saturating_mul(spread + 1) > MAX_COUNTS {
            return Err(Error::Limit(format!("{n} components with {spread} geese between them, too many")).into());
        }
        let polynomials: Vec<&[f64]> = self
            .components
            .iter()
            .map(|c| {
                let last = self.layers[c.layers.1 - 1];
                &self.counts[last.counts..last.counts + last.width]
            })
            .collect();
        let rest = geese - least as i64;
        // Counts that differ by too many powers of ten are tilted: m geese weigh lambda^m more, everywhere alike, which
        // changes no chance, and with lambda such that the expected number is the true one nothing is lost in the tails.
        let wide = total && (spread > WIDE || self.free > MANY_FREE);
        let ln_lambda = if wide { balance(&polynomials, self.free, rest) } else { 0.0 };
        let mut ln_divided = ln_scale;
        let tilted: Vec<Vec<f64>> = polynomials.iter().map(|p| tilt(p, ln_lambda, &mut ln_divided)).collect();
        // By geese in all components over the least: the weight of the free fields taking the rest.
        let free_weights =
            if total { free_weights(self.free, rest, spread, ln_lambda, &tilted) } else { vec![1.0; spread + 1] };
        // after[i][x]: ways of components i and later, and of the free fields, when those before use x.
        let mut after = vec![free_weights];
        let mut reach = spread;
        for p in tilted.iter().rev() {
            reach -= p.len() - 1;
            let later = &after[after.len() - 1];
            let mut sums = vec![0.0; reach + 1];
            for (x, sum) in sums.iter_mut().enumerate() {
                *sum = p.iter().zip(&later[x..]).map(|(ways, later)| ways * later).sum();
            }
            budget.spend((sums.len() * p.len() / 64) as u64 + 1)?;
            after.push(sums);
        }
        after.reverse();
        let whole = after[0][0];
        if whole <= 0.0 || !whole.is_finite() {
            return Err(Contradiction.into());
        }
        let mut box_chances = std::mem::take(&mut self.box_chances);
        box_chances.clear();
        box_chances.resize(self.boxes.len(), 0.0);
        // before[x]: ways of the components before to use x.
        let mut before = vec![1.0];
        for (i, p) in tilted.iter().enumerate() {
            let later = &after[i + 1];
            let mut outside = vec![0.0; p.len()];
            for (m, outside) in outside.iter_mut().enumerate() {
                let sum: f64 = before.iter().zip(&later[m..]).map(|(ways, later)| ways * later).sum();
                *outside = sum;
            }
            // Back to the counts that `back` meets, which were not tilted.
            tilt_in_place(&mut outside, ln_lambda);
            budget.spend((before.len() * p.len() / 64) as u64 + 1)?;
            back(
                &self.layers[self.components[i].layers.0..self.components[i].layers.1],
                &self.boxes,
                &self.counts,
                &self.links,
                &outside,
                &mut self.backs,
                &mut box_chances,
            );
            let mut sums = vec![0.0; before.len() + p.len() - 1];
            for (x, ways) in before.iter().enumerate() {
                for (sum, more) in sums[x..].iter_mut().zip(p) {
                    *sum += ways * more;
                }
            }
            before = sums;
        }
        self.box_chances = box_chances;
        // Without the total nothing is said of fields beside no number.
        self.free_chance = f64::NAN;
        self.ln_ways = f64::NAN;
        if total {
            let (mut with, mut without) = (0.0, 0.0);
            for (x, (ways, weight)) in before.iter().zip(&after[n]).enumerate() {
                let put = rest - x as i64;
                with += ways * weight * put as f64;
                without += ways * weight * (self.free as i64 - put) as f64;
            }
            self.free_chance = if self.free > 0 { with / (with + without) } else { f64::NAN };
            self.ln_ways = ln_divided + self.count_ways(ln_lambda, rest, &before);
        }
        Ok(())
    }

    /// The logarithm of the number of boards, over what counts were divided by.
    fn count_ways(&self, ln_lambda: f64, rest: i64, ways: &[f64]) -> f64 {
        let terms: Vec<f64> = (0..ways.len())
            .filter(|&x| (0..=self.free as i64).contains(&(rest - x as i64)) && ways[x] > 0.0)
            .map(|x| ways[x].ln() - ln_lambda * x as f64 + ln_choose(self.free, (rest - x as i64) as usize))
            .collect();
        let largest = terms.iter().fold(f64::NEG_INFINITY, |largest, &term| largest.max(term));
        largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln()
    }
}

/// A plain search for all boards, box by box.
struct Search<'a> {
    engine: &'a Engine,
    needs: Vec<u8>,
    capacities: Vec<u8>,
    /// For each box the bits of its fields, and last those of the fields beside no number.
    groups: Vec<Vec<usize>>,
    boards: Vec<u128>,
}

impl Search<'_> {
    /// Fills box `b` and those after it with `geese` geese.
    fn fill(&mut self, b: usize, geese: i64, board: u128) {
        if geese < 0 {
            return;
        }
        let Some(one) = self.engine.boxes.get(b) else {
            if geese <= self.groups[b].len() as i64 {
                self.choose(b, 0, geese as usize, geese, board);
            }
            return;
        };
        let numbers = &one.numbers[..one.degree as usize];
        let (mut least, mut most) = (0, one.size);
        for &id in numbers {
            let id = id as usize;
            self.capacities[id] -= one.size;
            most = most.min(self.needs[id]);
            least = least.max(self.needs[id].saturating_sub(self.capacities[id]));
        }
        for put in least..=most {
            for &id in numbers {
                self.needs[id as usize] -= put;
            }
            self.choose(b, 0, put as usize, geese, board);
            for &id in numbers {
                self.needs[id as usize] += put;
            }
        }
        for &id in numbers {
            self.capacities[id as usize] += one.size;
        }
    }

    /// Puts `put` geese on fields of a group from the `from`-th on, in every way, and goes on.
    fn choose(&mut self, b: usize, from: usize, put: usize, geese: i64, board: u128) {
        if put == 0 {
            if b < self.engine.boxes.len() {
                let placed = self.groups[b].iter().filter(|&&bit| board >> bit & 1 == 1).count();
                self.fill(b + 1, geese - placed as i64, board);
            } else {
                self.boards.push(board);
            }
            return;
        }
        for i in from..=self.groups[b].len() - put {
            self.choose(b, i + 1, put - 1, geese, board | 1 << self.groups[b][i]);
        }
    }
}

/// From how many geese between the least and the most, or how many free fields, counts are tilted.
const WIDE: usize = 60;
const MANY_FREE: usize = 10_000;

#[inline]
fn hash(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// The logarithm of lambda for which the expected number of geese is the true one.
fn balance(polynomials: &[&[f64]], free: usize, geese: i64) -> f64 {
    let mean = |ln_lambda: f64| {
        let in_components: f64 = polynomials
            .iter()
            .map(|p| {
                let tilted = tilt(p, ln_lambda, &mut 0.0);
                let (mut sum, mut weighted) = (0.0, 0.0);
                for (m, ways) in tilted.iter().enumerate() {
                    sum += ways;
                    weighted += ways * m as f64;
                }
                weighted / sum
            })
            .sum();
        in_components + free as f64 / (1.0 + (-ln_lambda).exp())
    };
    let (mut low, mut high) = (-60.0, 60.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if mean(middle) < geese as f64 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Counts times lambda^m, the largest made 1; adds the logarithm of what they were divided by.
fn tilt(counts: &[f64], ln_lambda: f64, ln_divided: &mut f64) -> Vec<f64> {
    let mut tilted = counts.to_vec();
    *ln_divided += tilt_in_place(&mut tilted, ln_lambda);
    tilted
}

fn tilt_in_place(counts: &mut [f64], ln_lambda: f64) -> f64 {
    if ln_lambda == 0.0 {
        let largest = counts.iter().fold(0.0f64, |largest, &count| largest.max(count));
        for count in counts.iter_mut() {
            *count /= largest;
        }
        return largest.ln();
    }
    let logarithm = |(m, count): (usize, &f64)| count.ln() + ln_lambda * m as f64;
    let largest = counts.iter().enumerate().map(logarithm).fold(f64::NEG_INFINITY, f64::max);
    for (m, count) in counts.iter_mut().enumerate() {
        *count = (logarithm((m, count)) - largest).exp();
    }
    largest
}

/// For x = 0 to `spread`: ways of `free` fields to hold `rest - x` geese, tilted, relative to each other.
fn free_weights(free: usize, rest: i64, spread: usize, ln_lambda: f64, tilted: &[Vec<f64>]) -> Vec<f64> {
    let mut weights = vec![0.0; spread + 1];
    let (first, last) = ((rest - free as i64).max(0), rest.min(spread as i64));
    if first > last {
        return weights;
    }
    // Starts where most of the weight is expected and goes outwards, so that all that matters is near 1.
    let mean =
        |p: &Vec<f64>| p.iter().enumerate().map(|(m, ways)| m as f64 * ways).sum::<f64>() / p.iter().sum::<f64>();
    let middle = (tilted.iter().map(mean).sum::<f64>().round() as i64).clamp(first, last);
    let lambda = ln_lambda.exp();
    // One goose fewer in the free fields: C(f, j - 1) / C(f, j) = j / (f - j + 1).
    let ratio = |x: i64| {
        let put = (rest - x) as f64;
        put / ((free as f64 - put + 1.0) * lambda)
    };
    weights[middle as usize] = 1.0;
    for x in middle..last {
        weights[x as usize + 1] = weights[x as usize] * ratio(x);
    }
    for x in (first..middle).rev() {
        weights[x as usize] = weights[x as usize + 1] / ratio(x);
    }
    weights
}

/// Goes back through a component from the weights `outside` of its geese in all, and writes the chances of its boxes.
fn back(
    layers: &[Layer],
    boxes: &[BoxOf],
    counts: &[f64],
    links: &[Link],
    outside: &[f64],
    backs: &mut Vec<f64>,
    chances: &mut [f64],
) {
    let mut here = std::mem::take(backs);
    here.clear();
    here.extend_from_slice(outside);
    let mut earlier = Vec::new();
    for pair in layers.windows(2).rev() {
        let (before, after) = (&pair[0], &pair[1]);
        let size = boxes[after.of as usize].size as usize;
        let fewest = after.least - before.least;
        let from_counts = &counts[before.counts..before.counts + before.rows * before.width];
        earlier.clear();
        earlier.resize(before.rows * before.width, 0.0);
        let (mut with, mut without) = (0.0, 0.0);
        let mut largest = 0.0f64;
        for link in &links[after.links.0..after.links.1] {
            let geese = link.geese as usize;
            let row = link.from as usize * before.width..(link.from as usize + 1) * before.width;
            let to = &here[link.to as usize * after.width + geese - fewest..][..before.width];
            let ways = CHOOSE[size][geese];
            let mut product = 0.0;
            for ((earlier, count), to) in earlier[row.clone()].iter_mut().zip(&from_counts[row]).zip(to) {
                let weight = ways * to;
                *earlier += weight;
                product += count * weight;
                largest = largest.max(*earlier);
            }
            with += product * geese as f64;
            without += product * (size - geese) as f64;
        }
        chances[after.of as usize] = with / (with + without);
        if largest > 1e100 {
            for weight in &mut earlier {
                *weight /= largest;
            }
        }
        std::mem::swap(&mut here, &mut earlier);
    }
    *backs = here;
}

/// The logarithm of a binomial coefficient, for `k <= n`.
fn ln_choose(n: usize, k: usize) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// The logarithm of a factorial: exact for small numbers, Stirling's series from there.
fn ln_factorial(n: usize) -> f64 {
    if n < 16 {
        return (1..=n).map(|i| i as f64).product::<f64>().ln();
    }
    let x = n as f64 + 1.0;
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}
