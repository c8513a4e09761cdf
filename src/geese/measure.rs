//! The length of a board: openings, 3BV, and the fewest shows that win it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::GeeseSpotter;
use super::fields::{GOOSE, HIDDEN_BIT, VALUE_MASK, each_neighbor};
use crate::core::{Budget, Error, memory};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const SHOWS: &str = "the search for the fewest shows";

/// An upper bound on the bytes per field of the lists of a [`SetCover`].
const PER_FIELD: usize = 256;

/// The fields that one show of a zero reveals, ascending, by their indices in a [`SetCover`].
type Set = Vec<u32>;

impl GeeseSpotter {
    /// Returns the value of a field.
    fn value(&self, index: usize) -> u8 {
        self.fields[index] & VALUE_MASK
    }

    /// Returns the indices of the fields around a field.
    fn around(&self, index: usize) -> Vec<usize> {
        let mut around = Vec::with_capacity(8);
        each_neighbor(self.height as usize, self.width as usize, index, |at| around.push(at));
        around
    }

    /// Returns the number of openings: regions of zeros that are connected by sides or corners.
    ///
    /// # Complexity
    /// O(fields).
    pub fn openings(&self) -> usize {
        self.regions().0
    }

    /// Returns the smallest number of shows that win the board in classic Minesweeper, where a zero opens its region:
    /// one per opening, and one per number beside no opening (Bechtel's Board Benchmark Value).
    ///
    /// # Complexity
    /// O(fields).
    pub fn three_bv(&self) -> usize {
        let (openings, opened) = self.regions();
        openings + (0..self.fields.len()).filter(|&at| !opened[at] && self.value(at) != GOOSE).count()
    }

    /// Returns the number of openings, and for each field whether an opening reveals it.
    fn regions(&self) -> (usize, Vec<bool>) {
        let mut opened = vec![false; self.fields.len()];
        let mut openings = 0;
        let mut zeros = Vec::new();
        for start in 0..self.fields.len() {
            if self.value(start) != 0 || opened[start] {
                continue;
            }
            openings += 1;
            opened[start] = true;
            zeros.push(start);
            while let Some(zero) = zeros.pop() {
                each_neighbor(self.height as usize, self.width as usize, zero, |at| {
                    if !std::mem::replace(&mut opened[at], true) && self.value(at) == 0 {
                        zeros.push(at);
                    }
                });
            }
        }
        (openings, opened)
    }

    /// Returns the smallest number of shows that win the board if all its fields are hidden. By the rules of the source
    /// a zero shows its neighbors and no more, so a region of zeros may take many shows. With [`GeeseSpotter::flood`]
    /// the answer is [`GeeseSpotter::three_bv`]. Parts of the board that no zero connects are searched separately.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in nodes, ends the search, and
    /// [`Error::Memory`] if memory does not suffice. A node counts as one unit, and as one more per 128 fields of its
    /// part of the board. The greedy solution from which the search of each part starts is not counted.
    ///
    /// # Complexity
    /// Minimum set cover, which is NP-hard in general. A lower bound by packing and the pruning of dominated sets leave
    /// few branches on typical boards. The greedy solution takes O(n log n) for n connected zeros.
    pub fn min_shows(&self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        if self.flood { Ok(self.three_bv()) } else { self.fewest_shows(|_| true, budget) }
    }

    /// Returns the smallest number of shows that win the board from this position, like [`GeeseSpotter::min_shows`].
    /// Taking off a mark before a show does not count.
    ///
    /// # Errors
    /// Returns the errors of [`GeeseSpotter::min_shows`].
    pub fn min_shows_left(&self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        self.fewest_shows(|at| self.fields[at] & HIDDEN_BIT != 0, budget)
    }

    /// Returns the smallest number of shows that reveal all fields without a goose, if exactly the fields for which
    /// `hidden` returns true are hidden.
    fn fewest_shows(&self, hidden: impl Fn(usize) -> bool, budget: &mut Budget<'_>) -> Result<usize, Error> {
        let cells = self.fields.len();
        let mut fewest = 0;
        let mut number = memory::filled(u32::MAX, cells, SHOWS)?;
        for start in 0..cells {
            if self.value(start) == GOOSE || number[start] != u32::MAX {
                continue;
            }
            if self.value(start) != 0 {
                if hidden(start) && !self.around(start).iter().any(|&at| self.value(at) == 0) {
                    fewest += 1;
                }
                continue;
            }
            // The part of the board that this zero belongs to: the zero and the fields that it shows, the zeros around
            // these fields with the fields that those zeros show, and so on. No zero outside shows a field of the part.
            let mut part = vec![start];
            number[start] = 0;
            let mut done = 0;
            while done < part.len() {
                let from_zero = self.value(part[done]) == 0;
                for at in self.around(part[done]) {
                    if number[at] == u32::MAX && (from_zero || self.value(at) == 0) {
                        number[at] = 0;
                        memory::room(&mut part, 1, SHOWS)?;
                        part.push(at);
                    }
                }
                done += 1;
            }
            memory::probe(part.len() * PER_FIELD, SHOWS)?;
            let mut covered = 0;
            for &at in part.iter().filter(|&&at| hidden(at)) {
                number[at] = covered;
                covered += 1;
            }
            let sets = self.sets(&part, &hidden, &number, budget)?;
            fewest += SetCover::new(covered as usize, sets).fewest(budget)?;
        }
        Ok(fewest)
    }

    /// Returns what shows of the zeros of a part of the board reveal, without empty sets; `number` has the index of
    /// each hidden field. With [`GeeseSpotter::flood`], the zeros of a hidden region share one set.
    fn sets(
        &self,
        part: &[usize],
        hidden: &impl Fn(usize) -> bool,
        number: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Set>, Error> {
        let mut sets = Vec::new();
        // The zeros of the hidden regions whose sets are complete.
        let mut complete = HashSet::new();
        for &zero in part.iter().filter(|&&at| self.value(at) == 0) {
            if complete.contains(&zero) {
                continue;
            }
            let mut shown: Vec<usize> = self.around(zero).into_iter().chain([zero]).filter(|&at| hidden(at)).collect();
            if self.flood {
                budget.pause()?;
                let mut seen: HashSet<usize> = shown.iter().copied().collect();
                let mut done = 0;
                while done < shown.len() {
                    if self.value(shown[done]) == 0 {
                        for at in self.around(shown[done]) {
                            if hidden(at) && seen.insert(at) {
                                memory::room(&mut shown, 1, SHOWS)?;
                                shown.push(at);
                            }
                        }
                    }
                    done += 1;
                }
                if hidden(zero) {
                    complete.extend(shown.iter().copied().filter(|&at| self.value(at) == 0));
                }
            }
            if !shown.is_empty() {
                let mut set: Set = shown.into_iter().map(|at| number[at]).collect();
                set.sort_unstable();
                memory::room(&mut sets, 1, SHOWS)?;
                sets.push(set);
            }
        }
        Ok(sets)
    }
}

/// A way to cover a field.
#[derive(Clone, Copy)]
enum Way {
    /// By a set that contains the field.
    Set(usize),
    /// By a show of the field itself.
    Alone(usize),
}

/// A search for the fewest sets that cover all fields; a field may also be covered alone, by showing the field itself.
struct SetCover {
    /// The sets, each of which covers its fields.
    sets: Vec<Set>,
    /// For each field, the sets that contain it.
    having: Vec<Vec<u32>>,
    /// For each field, how many of the chosen sets and single shows cover it.
    covered: Vec<u32>,
    /// The number of fields that are not covered.
    left: usize,
    /// The size of the smallest cover found so far.
    best: usize,
}

impl SetCover {
    fn new(fields: usize, sets: Vec<Set>) -> Self {
        let mut having = vec![Vec::new(); fields];
        for (i, set) in sets.iter().enumerate() {
            for &field in set {
                having[field as usize].push(i as u32);
            }
        }
        Self { sets, having, covered: vec![0; fields], left: fields, best: fields + 1 }
    }

    /// Returns the smallest number of sets and single fields that cover all fields.
    fn fewest(mut self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        self.best = self.greedy(budget)?;
        self.search(budget)?;
        Ok(self.best)
    }

    /// Returns the number of fields that a set would newly cover.
    fn gain(&self, set: usize) -> usize {
        self.sets[set].iter().filter(|&&field| self.covered[field as usize] == 0).count()
    }

    /// Adds a set to the cover.
    fn take(&mut self, set: usize) {
        for i in 0..self.sets[set].len() {
            let covered = &mut self.covered[self.sets[set][i] as usize];
            self.left -= usize::from(*covered == 0);
            *covered += 1;
        }
    }

    /// Removes a set from the cover.
    fn give_back(&mut self, set: usize) {
        for i in 0..self.sets[set].len() {
            let covered = &mut self.covered[self.sets[set][i] as usize];
            *covered -= 1;
            self.left += usize::from(*covered == 0);
        }
    }

    /// Returns an upper bound on the size of the smallest cover: repeatedly takes the set that gains most, until none
    /// gains more than a single field, and then takes a single show for each field that is left.
    fn greedy(&mut self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        let mut taken = Vec::new();
        // A gain only shrinks, so the set with the largest old gain gains most if that gain is still correct.
        let mut gains: BinaryHeap<(usize, Reverse<usize>)> =
            (0..self.sets.len()).map(|set| (self.gain(set), Reverse(set))).collect();
        while let Some((old, Reverse(set))) = gains.pop() {
            let gain = self.gain(set);
            if gain < 2 {
                continue;
            }
            if gain < old {
                gains.push((gain, Reverse(set)));
                continue;
            }
            if taken.len() % 1024 == 0 {
                budget.pause()?;
            }
            self.take(set);
            taken.push(set);
        }
        let size = taken.len() + self.left;
        for set in taken {
            self.give_back(set);
        }
        Ok(size)
    }

    /// Returns a lower bound on the number of sets and single fields that are still needed: the number of fields of a
    /// packing. No set contains two fields of the packing, so each of them needs a set or a show of its own.
    fn packing(&self) -> usize {
        let mut used = vec![false; self.sets.len()];
        let mut packed = 0;
        for field in 0..self.having.len() {
            if self.covered[field] == 0 && self.having[field].iter().all(|&set| !used[set as usize]) {
                packed += 1;
                for &set in &self.having[field] {
                    used[set as usize] = true;
                }
            }
        }
        packed
    }

    /// Adds a way to the cover.
    fn cover(&mut self, way: Way) {
        match way {
            Way::Set(set) => self.take(set),
            Way::Alone(field) => {
                self.covered[field] += 1;
                self.left -= 1;
            }
        }
    }

    /// Removes a way from the cover.
    fn uncover(&mut self, way: Way) {
        match way {
            Way::Set(set) => self.give_back(set),
            Way::Alone(field) => {
                self.covered[field] -= 1;
                self.left += 1;
            }
        }
    }

    /// Searches depth-first for smaller covers, and updates `best`.
    fn search(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        // No recursion: the cover of a large part may have thousands of sets, and as many nested calls could overflow
        // the stack of a thread. `open[depth]` lists the ways not yet tried at the node of that depth; the last of them
        // is tried next.
        let mut taken: Vec<Way> = Vec::new();
        let mut open = vec![self.ways(0, budget)?];
        while let Some(ways) = open.last_mut() {
            if let Some(way) = ways.pop() {
                self.cover(way);
                taken.push(way);
                open.push(self.ways(taken.len(), budget)?);
            } else {
                open.pop();
                if let Some(way) = taken.pop() {
                    self.uncover(way);
                }
            }
        }
        Ok(())
    }

    /// Returns the ways to try at a node, the best one last; none if the lower bound shows that no extension of the
    /// current cover, which has `taken` sets and single fields, is smaller than `best`. If all fields are covered,
    /// updates `best` and returns none.
    fn ways(&mut self, taken: usize, budget: &mut Budget<'_>) -> Result<Vec<Way>, Error> {
        // A node examines all fields.
        budget.spend(1 + self.having.len() as u64 / 128)?;
        if self.left == 0 {
            self.best = self.best.min(taken);
            return Ok(Vec::new());
        }
        if taken + self.packing() >= self.best {
            return Ok(Vec::new());
        }
        // Branches on the field with the fewest sets that gain more than covering the field alone.
        let mut narrowest: Option<(usize, usize)> = None;
        for field in 0..self.having.len() {
            if self.covered[field] == 0 {
                let ways = self.having[field].iter().filter(|&&set| self.gain(set as usize) > 1).count();
                if narrowest.is_none_or(|(fewest, _)| ways < fewest) {
                    narrowest = Some((ways, field));
                }
            }
        }
        let Some((_, field)) = narrowest else { return Ok(Vec::new()) };
        let mut sets: Vec<(usize, usize)> =
            self.having[field].iter().map(|&set| (self.gain(set as usize), set as usize)).collect();
        sets.sort_unstable_by_key(|&(gain, set)| (usize::MAX - gain, set));
        sets.retain(|&(gain, _)| gain > 1);
        if sets.is_empty() {
            // No set that contains the field gains any other field, so covering it alone is as good.
            return Ok(vec![Way::Alone(field)]);
        }
        // Prune: a set whose newly covered fields are among those of another set is never better than that set.
        let gained: Vec<Vec<u32>> = sets
            .iter()
            .map(|&(_, set)| self.sets[set].iter().copied().filter(|&f| self.covered[f as usize] == 0).collect())
            .collect();
        let within = |i: usize, j: usize| gained[i].iter().all(|field| gained[j].binary_search(field).is_ok());
        let best_last = (0..sets.len()).rev().filter(|&i| !(0..i).any(|j| within(i, j)));
        Ok(best_last.map(|i| Way::Set(sets[i].1)).collect())
    }
}
