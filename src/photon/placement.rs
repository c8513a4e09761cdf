//! A partial placement of the hardware: which tiles are decided, and what is left to place.

use super::MyPhoton;
use super::swaps::{Arrows, CONTENTS, content};
use super::tile::{EMPTY, FIRST_KIND, KINDS, Tile, comes, is_hardware, sensor};

/// The code of a tile that is not decided. No tile has this code, and by the tables of light nothing passes it.
pub(super) const UNDECIDED: u8 = 62;

/// One step of a placement: a stretch of empty tiles, walked from a sensor against the light, and the piece behind the
/// stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The first tile of the stretch, seen from the sensor.
    pub(super) first: u32,
    /// The heading of the light that comes out of the stretch.
    pub(super) heading: u8,
    /// The code of the piece; [`EMPTY`] if the whole stretch is empty and light comes from the tile behind it.
    pub(super) code: u8,
    /// The number of empty tiles.
    pub(super) empty: u32,
    /// A lower bound on the pieces that this choice takes.
    pub(super) pieces: u16,
}

/// A straight stretch of undecided tiles, walked against the light from the tile where light comes out of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) heading: u8,
}

/// What stands on the tiles decided so far, and the pieces that are not placed yet.
///
/// Invariant: `trail` lists the decided places in the order of their decisions; `left` counts the pieces to place by
/// kind, `pieces` all of them; `free` counts the undecided tiles; `arrows` counts the changes of content at decided
/// places.
#[derive(Clone, Debug)]
pub(super) struct Placement<'g> {
    pub(super) game: &'g MyPhoton,
    pub(super) tiles: Vec<u8>,
    pub(super) trail: Vec<u32>,
    pub(super) left: [u32; KINDS],
    pub(super) pieces: u32,
    pub(super) free: usize,
    pub(super) arrows: Arrows,
}

impl<'g> Placement<'g> {
    /// Takes all hardware off the board: every tile that is empty or holds hardware starts undecided.
    pub(super) fn new(game: &'g MyPhoton) -> Self {
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
        let pieces = game.hardware.len() as u32;
        Self { game, tiles, trail: Vec::new(), left, pieces, free, arrows: [[0; CONTENTS]; CONTENTS] }
    }

    /// Returns the difference of place indices over one step with a heading.
    #[inline]
    pub(super) fn ahead(&self, heading: u8) -> i32 {
        self.game.world.ahead[(heading & 3) as usize]
    }

    /// Returns the kinds of which pieces are left, one bit per kind.
    pub(super) fn kinds(&self) -> usize {
        (0..KINDS).fold(0, |kinds, k| kinds | usize::from(self.left[k] > 0) << k)
    }

    /// Returns the head, `place * 4 + heading`, by which light enters the sensor at a place.
    #[inline]
    pub(super) fn opening(&self, place: u32) -> u32 {
        let opening = sensor(self.tiles[place as usize]).map_or(0, |dir| dir as u32);
        // Light that falls into the opening has the opposite heading.
        place << 2 | (opening ^ 2)
    }

    /// Decides what stands on an undecided place.
    pub(super) fn decide(&mut self, place: u32, code: u8) {
        debug_assert_eq!(self.tiles[place as usize], UNDECIDED);
        self.tiles[place as usize] = code;
        self.trail.push(place);
        self.free -= 1;
        if code != EMPTY {
            self.left[(code - FIRST_KIND) as usize] -= 1;
            self.pieces -= 1;
        }
        // An arrow from the old content to the new one; the fewest swaps follow from their counts.
        let was = self.game.tiles[place as usize];
        if was != code {
            self.arrows[content(was)][content(code)] += 1;
        }
    }

    /// Takes back all decisions but the first `trail`.
    pub(super) fn undo(&mut self, trail: usize) {
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

    /// Decides the tiles of a choice.
    pub(super) fn choose(&mut self, choice: Choice) {
        // The stretch is walked against the light, from the end where the light comes out.
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
}

/// Walks light backward, from a sensor toward the lasers.
#[derive(Debug, Default)]
pub(super) struct Walker {
    /// By head, `stamp` at the last walk that met it: a used set that needs no clearing.
    seen: Vec<u32>,
    stamp: u32,
    heads: Vec<u32>,
}

impl Walker {
    pub(super) fn new(places: usize) -> Self {
        Self { seen: vec![0; places * 4], stamp: 0, heads: Vec::new() }
    }

    /// Starts a walk at a head.
    pub(super) fn start(&mut self, head: u32) {
        // Before stamps repeat, after 2^32 walks, the old ones are cleared.
        if self.stamp == u32::MAX {
            self.seen.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.heads.clear();
        self.heads.push(head);
    }

    /// Takes the next head that this walk has not met before; `None` if there is none left.
    pub(super) fn next(&mut self) -> Option<u32> {
        while let Some(head) = self.heads.pop() {
            if std::mem::replace(&mut self.seen[head as usize], self.stamp) != self.stamp {
                return Some(head);
            }
        }
        None
    }

    /// Adds the heads by which light enters a decided tile if it leaves the tile with `heading`: a walk against the
    /// light goes on through these.
    pub(super) fn through(&mut self, place: u32, code: u8, heading: u8) {
        let mut came = comes(code, heading);
        while came != 0 {
            self.heads.push(place << 2 | came.trailing_zeros());
            // Clears the lowest bit: one heading is done.
            came &= came - 1;
        }
    }

    /// Walks back from a sensor through decided tiles. Returns `true` if a laser feeds it, and otherwise appends the
    /// stretches that its light may come out of.
    pub(super) fn back(&mut self, placement: &Placement<'_>, sensor: u32, stretches: &mut Vec<Stretch>) -> bool {
        let before = stretches.len();
        self.start(placement.opening(sensor));
        while let Some(head) = self.next() {
            let heading = (head & 3) as u8;
            let back = -placement.ahead(heading);
            let first = (head >> 2).wrapping_add_signed(back);
            let code = placement.tiles[first as usize];
            if code == UNDECIDED {
                let mut last = first;
                while placement.tiles[last.wrapping_add_signed(back) as usize] == UNDECIDED {
                    last = last.wrapping_add_signed(back);
                }
                stretches.push(Stretch { first, last, heading });
            // The codes of the four lasers are in the order of the headings.
            } else if code == Tile::LaserN as u8 + heading {
                // The sensor is lit already, so nothing must come out of its stretches.
                stretches.truncate(before);
                return true;
            } else {
                self.through(first, code, heading);
            }
        }
        false
    }
}
