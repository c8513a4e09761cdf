//! The forward pass: a dynamic program along each component, group by group.

use super::super::known::Contradiction;
use super::CHANCES;
use super::groups::Groups;
use crate::core::{Budget, Error, memory};

/// The number of bits of a key that hold the need of one open number. A need is 1 to 7 when a number begins, and only
/// falls afterward: `Known::deduce` has already resolved numbers that need no goose, or a goose in each of their (up to
/// eight) unknown fields.
const NEED_BITS: u32 = 3;

/// The most numbers that may be open at once: their needs share one key of 128 bits.
const MAX_OPEN: u32 = u128::BITS / NEED_BITS;

/// The largest number of counts that are kept for all components of a board together.
pub(super) const MAX_COUNTS: usize = 1 << 24;

/// The number of states between two calls of [`Budget::pause`].
const PAUSE: usize = 1 << 12;

/// If a count exceeds this value, all counts of its layer are divided by the largest, long before 64-bit floating point
/// overflows.
const RESCALE: f64 = 1e100;

/// `CHOOSE[n][k]` is the binomial coefficient C(n, k), for `n` up to 8, the largest number of fields of a group.
pub(super) const CHOOSE: [[f64; 9]; 9] = {
    let mut table = [[0.0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            // Pascal's triangle: the number of ways to choose k of n fields.
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// A transition of the dynamic program: from row `from` of the previous layer to row `to`, with `geese` geese in the
/// group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) geese: u32,
}

/// The states after a group is filled. Row `r` of the layer starts at `counts + r * width` in [`Sweep::counts`]; entry
/// `i` of a row counts the ways that use `least + i` geese. The links into the layer are `links.0..links.1` of
/// [`Sweep::links`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layer {
    pub(super) counts: usize,
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) least: usize,
    pub(super) links: (usize, usize),
    /// The group that was filled.
    pub(super) group: u32,
}

/// A component: its layers, the first of which is the empty start, and bounds on the geese that it can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component {
    pub(super) layers: (usize, usize),
    /// A lower bound on the number of geese in the component.
    pub(super) least: usize,
    /// The length of the polynomial, for `least` to `least + width - 1` geese.
    pub(super) width: usize,
}

/// The layers of all components, and the memory that finding them needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// The layers of all components, one component after the other.
    pub(super) layers: Vec<Layer>,
    pub(super) components: Vec<Component>,
    /// The counts of all layers (see [`Layer`]).
    pub(super) counts: Vec<f64>,
    /// The links into all layers.
    pub(super) links: Vec<Link>,
    /// The keys of the newest layer, by row: 3 bits for the need of each open number.
    keys: Vec<u128>,
    /// The keys of the layer that is being made.
    next_keys: Vec<u128>,
    /// An open-addressing table from key to row, as pairs of stamp and row. An entry counts only if its stamp is the
    /// current one, so that one addition clears the table.
    table: Vec<(u32, u32)>,
    /// The stamp of the layer that is being made.
    stamp: u32,
    /// The ids of a component's numbers, in breadth-first order.
    order: Vec<u32>,
    /// The ids of the open numbers.
    open: Vec<u32>,
    /// By group: whether the sweep has taken it.
    taken: Vec<bool>,
}

impl Sweep {
    /// Forgets the layers of the last board; the next board has `groups` groups.
    pub(super) fn clear(&mut self, groups: usize) {
        self.layers.clear();
        self.components.clear();
        self.counts.clear();
        self.links.clear();
        self.taken.clear();
        self.taken.resize(groups, false);
    }

    /// Returns the number of bytes that are allocated for the counts and the links.
    pub(super) fn memory(&self) -> usize {
        size_of::<f64>() * self.counts.capacity() + size_of::<Link>() * self.links.capacity()
    }

    /// Returns the number of counts of the largest layer.
    pub(super) fn largest_layer(&self) -> usize {
        self.layers.iter().map(|layer| layer.rows * layer.width).max().unwrap_or(0)
    }

    /// Returns the polynomial of a component: entry `m` is the number of ways with `m` geese more than
    /// [`Component::least`], divided by the number whose logarithm [`Sweep::component`] returned.
    pub(super) fn polynomial(&self, component: &Component) -> &[f64] {
        let last = self.layers[component.layers.1 - 1];
        &self.counts[last.counts..last.counts + last.width]
    }

    /// Returns a number at an end of a component: the last that a breadth-first search from number `first` meets. A
    /// sweep that starts there runs along the component, so that few numbers are open at once.
    pub(super) fn far_end(&mut self, groups: &mut Groups, first: u32) -> u32 {
        self.order.clear();
        self.order.push(first);
        groups.numbers[first as usize].slot = 1;
        let mut done = 0;
        // `slot` and `taken` mark the numbers and groups that were met; both are restored below.
        while done < self.order.len() {
            let number = groups.numbers[self.order[done] as usize];
            done += 1;
            for &g in number.groups() {
                if std::mem::replace(&mut self.taken[g as usize], true) {
                    continue;
                }
                for &next in groups.all[g as usize].numbers() {
                    if groups.numbers[next as usize].slot == 0 {
                        groups.numbers[next as usize].slot = 1;
                        self.order.push(next);
                    }
                }
            }
        }
        let last = self.order[self.order.len() - 1];
        for &id in &self.order {
            let number = &mut groups.numbers[id as usize];
            number.slot = 0;
            for &g in number.groups() {
                self.taken[g as usize] = false;
            }
        }
        last
    }

    /// Runs the dynamic program along the component of number `start`. Returns the natural logarithm of what the counts
    /// of its last layer were divided by.
    pub(super) fn component(&mut self, groups: &mut Groups, start: u32, budget: &mut Budget<'_>) -> Result<f64, Error> {
        let first_layer = self.layers.len();
        self.layers.push(Layer { counts: self.counts.len(), rows: 1, width: 1, ..Layer::default() });
        self.counts.push(1.0);
        self.keys.clear();
        // The only state before the first group: no number is open, and no goose is placed.
        self.keys.push(0);
        self.open.clear();
        // One bit per slot of the key; all are free at the start.
        let mut free_slots = (1u64 << MAX_OPEN) - 1;
        let mut ln_scale = 0.0;
        let mut next = Some(start);
        while let Some(number) = next {
            let number = groups.numbers[number as usize];
            for &g in number.groups() {
                if !std::mem::replace(&mut self.taken[g as usize], true) {
                    ln_scale += self.step(groups, g, &mut free_slots, budget)?;
                }
            }
            self.open.retain(|&id| groups.numbers[id as usize].pending > 0);
            // The number with the fewest pending groups is closed first: it frees its slot soonest.
            next = self.open.iter().copied().min_by_key(|&id| groups.numbers[id as usize].pending);
        }
        let last = self.layers[self.layers.len() - 1];
        self.components.push(Component {
            layers: (first_layer, self.layers.len()),
            least: last.least,
            width: last.width,
        });
        Ok(ln_scale)
    }

    /// Makes the next layer by putting geese into group `g`. Returns the natural logarithm of what the counts of that
    /// layer were divided by.
    fn step(
        &mut self,
        groups: &mut Groups,
        g: u32,
        free_slots: &mut u64,
        budget: &mut Budget<'_>,
    ) -> Result<f64, Error> {
        let group = groups.all[g as usize];
        let size = group.size as usize;
        // Each number that begins in this step gets a slot of the key, which holds its need. `unit` has a 1 in the slot
        // of each number beside the group: subtracting `unit` from the key once per goose lowers the needs of all these
        // numbers.
        let mut begun = 0u128;
        let mut slots = [(0u32, 0u8); 8];
        let mut unit = 0u128;
        let mut ended = 0u64;
        for (slot, &id) in slots.iter_mut().zip(group.numbers()) {
            let number = &mut groups.numbers[id as usize];
            if number.is_untouched() {
                if *free_slots == 0 {
                    return Err(Error::Limit(format!(
                        "exact chances allow at most {MAX_OPEN} numbers open at once, got more: the view is too \
                         entangled"
                    )));
                }
                // The lowest free slot is taken: `x & (x - 1)` clears the lowest bit that is set.
                number.slot = free_slots.trailing_zeros() as u8;
                *free_slots &= *free_slots - 1;
                begun |= u128::from(number.need) << (NEED_BITS * u32::from(number.slot));
                self.open.push(id);
            }
            number.pending -= 1;
            number.capacity -= group.size;
            let shift = NEED_BITS * u32::from(number.slot);
            unit |= 1 << shift;
            *slot = (shift, number.capacity);
            if number.pending == 0 {
                ended |= 1 << number.slot;
            }
        }
        // Slots are freed only now, so that a number that begins in this step does not share the slot of one that ends
        // in this step.
        *free_slots |= ended;
        let slots = &slots[..group.numbers().len()];
        let before = self.layers[self.layers.len() - 1];
        let links_from = self.links.len();
        self.next_keys.clear();
        self.clear_table(before.rows * 2)?;
        let (mut fewest, mut most) = (u32::MAX, 0);
        for from in 0..before.rows {
            if from % PAUSE == 0 {
                // Each row leads to at most one row per number of geese in the group.
                let most = (before.rows - from).min(PAUSE) * (size + 1);
                memory::room(&mut self.links, most, CHANCES)?;
                memory::room(&mut self.next_keys, most, CHANCES)?;
            }
            if 2 * (self.next_keys.len() + size + 1) > self.table.len() {
                self.grow_table()?;
            }
            let key = self.keys[from] | begun;
            // A number gets no more geese than it needs, and enough that its later groups can supply the rest. A number
            // that ends in this step has a capacity of 0, so it gets exactly what it needs and leaves 0 in its slot.
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
            // Each need stays at 0 or above, so no slot borrows from the next one.
            let mut next = key - unit * u128::from(least);
            for geese in least..=top {
                let to = self.row_of(next);
                self.links.push(Link { from: from as u32, to, geese });
                // `next` may wrap in the last pass of the loop; it is not used after that.
                next = next.wrapping_sub(unit);
            }
            // Each row takes at least one count: the lists stop growing as soon as the counts would be too many.
            if self.counts.len() + self.next_keys.len() > MAX_COUNTS {
                break;
            }
            if from % PAUSE == PAUSE - 1 {
                budget.pause()?;
            }
        }
        let rows = self.next_keys.len();
        std::mem::swap(&mut self.keys, &mut self.next_keys);
        if rows == 0 {
            // No state survives: some number cannot get what it needs.
            return Err(Contradiction.into());
        }
        let least = before.least + fewest as usize;
        let width = before.width + (most - fewest) as usize;
        let counts = self.counts.len();
        if counts + rows * width > MAX_COUNTS {
            return Err(Error::Limit(format!(
                "exact chances allow at most {MAX_COUNTS} counts, got more after {} groups: the view is too entangled",
                self.taken.iter().filter(|&&taken| taken).count()
            )));
        }
        budget.spend((self.links.len() - links_from) as u64 + 1)?;
        memory::room(&mut self.counts, rows * width, CHANCES)?;
        self.counts.resize(counts + rows * width, 0.0);
        let (old, new) = self.counts.split_at_mut(counts);
        let old = &old[before.counts..];
        for link in &self.links[links_from..] {
            let ways = CHOOSE[size][link.geese as usize];
            let from = &old[link.from as usize * before.width..][..before.width];
            // Column 0 of a row stands for the `least` geese of its layer. This lower bound keeps the rows short.
            let shift = (link.geese - fewest) as usize;
            let to = &mut new[link.to as usize * width + shift..][..before.width];
            for (to, from) in to.iter_mut().zip(from) {
                *to += ways * from;
            }
        }
        let mut ln_scale = 0.0;
        // Counts of large boards could exceed 1e308, so a layer with large counts is divided by the largest, whose
        // logarithm is returned.
        let largest = new.iter().fold(0.0f64, |largest, &count| largest.max(count));
        if largest > RESCALE {
            for count in new.iter_mut() {
                *count /= largest;
            }
            ln_scale = largest.ln();
        }
        self.layers.push(Layer { counts, rows, width, least, links: (links_from, self.links.len()), group: g });
        Ok(ln_scale)
    }

    /// Empties the table and makes room for at least `rows` keys, with at most half of its entries used.
    fn clear_table(&mut self, rows: usize) -> Result<(), Error> {
        let size = (2 * rows).next_power_of_two().max(32);
        if self.table.len() < size {
            self.resize_table(size)?;
        }
        // The stamp marks the entries of this layer, so that the table itself is cleared only once in 2^32 layers.
        if self.stamp == u32::MAX {
            self.table.fill((0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
        Ok(())
    }

    /// Replaces the table with an empty one of another size.
    fn resize_table(&mut self, size: usize) -> Result<(), Error> {
        self.table.clear();
        memory::room(&mut self.table, size, CHANCES)?;
        self.table.resize(size, (0, 0));
        self.stamp = 0;
        Ok(())
    }

    /// Returns the row of a key in the layer that is being made; adds a row for a new key. The table must have room.
    #[inline]
    fn row_of(&mut self, key: u128) -> u32 {
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
            // Linear probing.
            place = (place + 1) & mask;
        }
    }

    /// Doubles the size of the table and enters the keys again.
    #[cold]
    fn grow_table(&mut self) -> Result<(), Error> {
        let size = 2 * self.table.len();
        self.resize_table(size)?;
        self.stamp = 1;
        for (row, &key) in self.next_keys.iter().enumerate() {
            let mut place = hash(key) & (size - 1);
            while self.table[place].0 == 1 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = (1, row as u32);
        }
        Ok(())
    }
}

/// Hashes a key: folds it to 64 bits, multiplies it by 2^64 divided by the golden ratio (Fibonacci hashing), and
/// returns the 24 high bits of the product, which are mixed best.
#[inline]
fn hash(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}
