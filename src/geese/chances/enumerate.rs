//! A list of all boards, for positions with which only a few boards agree.

use super::groups::Groups;
use super::{Engine, NONE};

/// The largest number of steps of a search for all boards; a step fills one group in every possible way.
const MAX_FILLS: u32 = 1 << 20;

impl Engine {
    /// Lists the boards that agree with what is known, each as a bitset: bit `i` is set if `places[i]` holds a goose.
    /// Returns `None` if the search takes more than [`MAX_FILLS`] steps, which may happen even if few boards are left:
    /// the total number of geese limits only all groups together, so many placements in the first groups may agree with
    /// the numbers.
    ///
    /// `places` must list all unknown places in ascending order, at most 128. [`Engine::count`] must have been called
    /// for what is known now. The number of boards listed is not bounded: the caller checks that few are left.
    pub(in super::super) fn boards(&self, places: &[usize]) -> Option<Vec<u128>> {
        let groups = &self.groups;
        let bits = |fields: &[u32]| {
            fields.iter().filter_map(|&field| places.binary_search(&(field as usize)).ok()).collect::<Vec<usize>>()
        };
        // The free fields follow the groups, as one more group that no number limits.
        let mut members: Vec<_> = groups.all.iter().map(|group| bits(group.fields())).collect();
        members.push((0..places.len()).filter(|&bit| groups.ids[places[bit]] == NONE).collect());
        let capacity =
            |groups: &Groups, id: usize| groups.numbers[id].groups().iter().map(|&g| groups.all[g as usize].size).sum();
        let mut search = Search {
            groups,
            needs: groups.numbers.iter().map(|number| number.need).collect(),
            capacities: (0..groups.numbers.len()).map(|id| capacity(groups, id)).collect(),
            members,
            boards: Vec::new(),
            fills: 0,
        };
        search.fill(0, self.known.geese, 0)?;
        Some(search.boards)
    }
}

/// A backtracking search for all boards, group by group.
struct Search<'a> {
    groups: &'a Groups,
    /// By number: how many geese it still needs.
    needs: Vec<u8>,
    /// By number: how many fields beside it are in groups that are not filled yet.
    capacities: Vec<u8>,
    /// By group: the bits of its fields; last, the bits of the free fields.
    members: Vec<Vec<usize>>,
    /// The boards found so far.
    boards: Vec<u128>,
    /// The number of steps taken so far.
    fills: u32,
}

impl Search<'_> {
    /// Distributes `geese` geese over group `g` and those after it in every way; `board` has the bits of the geese in
    /// the groups before `g`. Returns `None` after [`MAX_FILLS`] steps.
    fn fill(&mut self, g: usize, geese: i64, board: u128) -> Option<()> {
        if geese < 0 {
            return Some(());
        }
        self.fills += 1;
        if self.fills > MAX_FILLS {
            return None;
        }
        let Some(group) = self.groups.all.get(g) else {
            // Past the last group come the free fields, which take all geese that are left.
            if geese <= self.members[g].len() as i64 {
                self.choose(g, 0, geese as usize, geese, board)?;
            }
            return Some(());
        };
        let (mut least, mut most) = (0, group.size);
        for &id in group.numbers() {
            let id = id as usize;
            self.capacities[id] -= group.size;
            // Prune: a number gets no more geese than it needs, and enough that the groups after this one can supply
            // the rest.
            most = most.min(self.needs[id]);
            least = least.max(self.needs[id].saturating_sub(self.capacities[id]));
        }
        for put in least..=most {
            for &id in group.numbers() {
                self.needs[id as usize] -= put;
            }
            self.choose(g, 0, put as usize, geese, board)?;
            for &id in group.numbers() {
                self.needs[id as usize] += put;
            }
        }
        for &id in group.numbers() {
            self.capacities[id as usize] += group.size;
        }
        Some(())
    }

    /// Puts `put` more geese on fields of group `g`, from its field `from` on, in every way, and continues with
    /// the next group. `geese` is the number of geese for group `g` and those after it. Returns `None` after
    /// [`MAX_FILLS`] steps.
    fn choose(&mut self, g: usize, from: usize, put: usize, geese: i64, board: u128) -> Option<()> {
        if put == 0 {
            if g < self.groups.all.len() {
                let placed = self.members[g].iter().filter(|&&bit| board >> bit & 1 == 1).count();
                return self.fill(g + 1, geese - placed as i64, board);
            }
            self.boards.push(board);
            return Some(());
        }
        for i in from..=self.members[g].len() - put {
            self.choose(g, i + 1, put - 1, geese, board | 1 << self.members[g][i])?;
        }
        Some(())
    }
}
