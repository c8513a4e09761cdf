//! Groups of unknown fields: fields beside the same numbers are interchangeable.

use super::super::known::{Known, UNKNOWN};
use super::NONE;

/// Unknown fields beside the same numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The number of fields.
    pub(super) size: u8,
    /// How many numbers are beside the fields.
    degree: u8,
    /// The ids of the numbers beside the fields, ascending, padded with [`NONE`].
    numbers: [u32; 8],
    /// The places of the fields, padded with [`NONE`].
    fields: [u32; 8],
}

impl Group {
    /// Returns the ids of the numbers beside the fields.
    #[inline]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.degree as usize]
    }

    /// Returns the places of the fields.
    #[inline]
    pub(super) fn fields(&self) -> &[u32] {
        &self.fields[..self.size as usize]
    }
}

/// A number with unknown fields around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// The place of the number in [`Known`].
    at: u32,
    /// The number of geese that the number needs among the unknown fields around it.
    pub(super) need: u8,
    /// The number of groups beside the number.
    degree: u8,
    /// How many of the number's groups the sweep has not taken yet.
    pub(super) pending: u8,
    /// The total number of fields in the groups that `pending` counts.
    pub(super) capacity: u8,
    /// The index of the number's need in the key of a state while the number is open.
    pub(super) slot: u8,
    /// The ids of the groups beside the number, padded with [`NONE`].
    groups: [u32; 8],
}

impl Number {
    /// Returns the ids of the groups beside the number.
    #[inline]
    pub(super) fn groups(&self) -> &[u32] {
        &self.groups[..self.degree as usize]
    }

    /// Returns `true` if the sweep has taken none of the number's groups yet.
    #[inline]
    pub(super) fn is_untouched(&self) -> bool {
        self.pending == self.degree
    }
}

/// The numbers, groups and free fields of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The numbers with unknown fields around them, by id.
    pub(super) numbers: Vec<Number>,
    /// The groups, by id.
    pub(super) all: Vec<Group>,
    /// By place: the id of the number there, or of the field's group; [`NONE`] if there is neither.
    pub(super) ids: Vec<u32>,
    /// The number of free fields: unknown fields beside no number.
    pub(super) free: usize,
}

impl Groups {
    /// Replaces the contents with the numbers, groups and free fields of `known`.
    pub(super) fn collect(&mut self, known: &Known) {
        // A player that has not been given a view has no places at all.
        let (from, to) = (known.stride + 1, known.cells.len().saturating_sub(known.stride + 1));
        self.ids.clear();
        self.ids.resize(known.cells.len(), NONE);
        self.numbers.clear();
        self.all.clear();
        let mut unknown = 0;
        for at in from..to {
            unknown += usize::from(known.cells[at] == UNKNOWN);
            if known.is_number(at) && known.open(at) > 0 {
                self.ids[at] = self.numbers.len() as u32;
                self.numbers.push(Number {
                    at: at as u32,
                    need: known.need(at) as u8,
                    degree: 0,
                    pending: 0,
                    capacity: 0,
                    slot: 0,
                    groups: [NONE; 8],
                });
            }
        }
        let offsets = known.offsets();
        let mut grouped = 0;
        for id in 0..self.numbers.len() {
            let at = self.numbers[id].at as usize;
            let first_group = self.all.len();
            for offset in offsets {
                let field = at.wrapping_add_signed(offset);
                if known.cells[field] != UNKNOWN || self.ids[field] != NONE {
                    continue;
                }
                // An earlier number beside the field would have put it into a group. So the field begins a group, or
                // joins one that this number began.
                let mut numbers = [NONE; 8];
                let mut degree = 0;
                for offset in offsets {
                    let neighbor = field.wrapping_add_signed(offset);
                    if known.is_number(neighbor) {
                        numbers[degree] = self.ids[neighbor];
                        degree += 1;
                    }
                }
                grouped += 1;
                // Fields with the same set of numbers beside them form one group: only how many of these fields hold
                // geese matters. Offsets ascend, and ids ascend with places, so equal sets are equal arrays.
                let same = (first_group..self.all.len()).find(|&g| self.all[g].numbers == numbers);
                if let Some(g) = same {
                    let group = &mut self.all[g];
                    group.fields[group.size as usize] = field as u32;
                    group.size += 1;
                    self.ids[field] = g as u32;
                } else {
                    self.ids[field] = self.all.len() as u32;
                    let mut fields = [NONE; 8];
                    fields[0] = field as u32;
                    self.all.push(Group { size: 1, degree: degree as u8, numbers, fields });
                }
            }
        }
        for (g, group) in self.all.iter().enumerate() {
            for &id in group.numbers() {
                let number = &mut self.numbers[id as usize];
                number.groups[number.degree as usize] = g as u32;
                number.degree += 1;
                number.pending += 1;
                number.capacity += group.size;
            }
        }
        self.free = unknown - grouped;
    }
}
