//! A list of all boards, for positions with which only a few boards agree.

use super::super::chances::Engine;
use super::NONE;
use super::groups::Groups;

impl Engine {
    /// Lists the boards that agree with what is known, each as a bitset: bit `i` is set if `places[i]` holds a goose.
    ///
    /// `places` must list all unknown places in ascending order, at most 128. [`Engine::count`] must have been called
    /// for what is known now. The length of the list is not bounded: the caller checks that few boards are left.
    pub(in super::super) fn boards(&self, places: &[usize]) -> Vec<u128> {
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
        };
        search.fill(0, self.known.geese, 0);
        search.boards
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
}

impl Search<'_> {
    /// Distributes `geese` geese over group `g` and those after it in every way; `board` has the bits of the geese in
    /// the groups before.
    fn fill(&mut self, g: usize, geese: i64, board: u128) {
        if geese < 0 {
            return;
        }
        let Some(group) = self.groups.all.get(g) else {
            // Past the last group come the free fields, which take all geese that are left.
            if geese <= self.members[g].len() as i64 {
                self.choose(g, 0, geese as usize, geese, board);
            }
            return;
        };
        let (mut least, mut most) = (0, group.size);
        for &id in group.numbers() {
            let id = id as usize;
            self.capacities[id] -= group.size;
            // Prune: no number may get more than it needs, nor less than the groups after this one can make up for.
            most = most.min(self.needs[id]);
            least = least.max(self.needs[id].saturating_sub(self.capacities[id]));
        }
        for put in least..=most {
            for &id in group.numbers() {
                self.needs[id as usize] -= put;
            }
            self.choose(g, 0, put as usize, geese, board);
            for &id in group.numbers() {
                self.needs[id as usize] += put;
            }
        }
        for &id in group.numbers() {
            self.capacities[id as usize] += group.size;
        }
    }

    /// Puts `put` more geese on fields of group `g`, from its field `from` on, in every way, and continues with
    /// the next group. `geese` is the number of geese for group `g` and those after it.
    fn choose(&mut self, g: usize, from: usize, put: usize, geese: i64, board: u128) {
        if put == 0 {
            if g < self.groups.all.len() {
                let placed = self.members[g].iter().filter(|&&bit| board >> bit & 1 == 1).count();
                self.fill(g + 1, geese - placed as i64, board);
            } else {
                self.boards.push(board);
            }
            return;
        }
        for i in from..=self.members[g].len() - put {
            self.choose(g, i + 1, put - 1, geese, board | 1 << self.members[g][i]);
        }
    }
}
