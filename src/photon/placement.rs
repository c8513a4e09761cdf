//! A partial placement of the hardware: which tiles are decided, and what is left to place.

use super::MyPhoton;
use super::swaps::{Arrows, CONTENTS, content};
use super::tile::{EMPTY, FIRST_KIND, KINDS, Tile, comes, is_hardware, sensor};

/// The code of a tile that is not decided. No [`Tile`] has this code, which blocks all light in the table
/// [`LIGHT`](super::tile::LIGHT).
pub(super) const UNDECIDED: u8 = 62;

/// One step of a placement: a straight run of tiles that are decided to be empty, followed from a sensor against
/// the light, and the piece behind the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The place of the first tile, as seen from the sensor; the piece stands there if `empty` is 0.
    pub(super) first: u32,
    /// The heading of the light that passes through the empty tiles toward the sensor.
    pub(super) heading: u8,
    /// The code of the piece; [`EMPTY`] if the whole stretch is empty and light comes from the tile behind it.
    pub(super) code: u8,
    /// The number of empty tiles before the piece.
    pub(super) empty: u32,
    /// An estimate of the number of new pieces that it takes to bring light to the sensor with this choice, including
    /// this piece. It is a lower bound for light that does not come back to a piece that it has already met.
    pub(super) pieces: u16,
}

/// A maximal straight stretch of undecided tiles, followed against the light.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The place at which light comes out of the stretch.
    pub(super) first: u32,
    /// The place at the other end. It is `first` if the stretch has one tile.
    pub(super) last: u32,
    /// The heading of the light that comes out.
    pub(super) heading: u8,
}

/// A rectangle of tiles, by its first and last row and column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    rows: (i32, i32),
    cols: (i32, i32),
}

impl Area {
    /// Returns `true` if a tile of a stretch lies in the rectangle. A stretch is a rectangle itself, and two rectangles
    /// meet if their rows overlap and their columns overlap.
    #[inline]
    pub(super) fn meets(&self, game: &MyPhoton, stretch: Stretch) -> bool {
        let (low, high) = (stretch.first.min(stretch.last), stretch.first.max(stretch.last));
        let (low, high) = (game.cell(low), game.cell(high));
        low.row <= self.rows.1 && self.rows.0 <= high.row && low.col <= self.cols.1 && self.cols.0 <= high.col
    }
}

/// What is on the tiles decided so far, and the pieces that are not placed yet.
#[derive(Clone, Debug)]
pub(super) struct Placement<'g> {
    /// The position to solve.
    pub(super) game: &'g MyPhoton,
    /// By place, the code of the tile, or [`UNDECIDED`].
    pub(super) tiles: Vec<u8>,
    /// The places decided since [`new`](Self::new), in the order of the decisions.
    pub(super) trail: Vec<u32>,
    /// The places of the pieces that are placed, in the order of the decisions.
    pub(super) placed: Vec<u32>,
    /// By kind (`code - FIRST_KIND`), the number of pieces that are not placed yet.
    pub(super) left: [u32; KINDS],
    /// The number of pieces that are not placed yet, the sum of `left`.
    pub(super) pieces: u32,
    /// The number of undecided tiles.
    pub(super) free: usize,
    /// The changes of content, from the position to this placement, at the places of `trail`.
    pub(super) arrows: Arrows,
}

impl<'g> Placement<'g> {
    /// Creates the placement in which every tile that is empty or holds hardware is undecided, and all pieces are left.
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
        Self {
            game,
            tiles,
            trail: Vec::new(),
            placed: Vec::new(),
            left,
            pieces,
            free,
            arrows: [[0; CONTENTS]; CONTENTS],
        }
    }

    /// Returns the offset from a place to the next place in the direction of a heading.
    #[inline]
    pub(super) fn ahead(&self, heading: u8) -> i32 {
        self.game.world.ahead[(heading & 3) as usize]
    }

    /// Returns the smallest rectangle that holds the tiles decided after the first `trail` decisions; the rectangle
    /// meets nothing if there are no such tiles.
    #[inline]
    pub(super) fn decided_after(&self, trail: usize) -> Area {
        let none = Area { rows: (i32::MAX, i32::MIN), cols: (i32::MAX, i32::MIN) };
        self.trail[trail..].iter().map(|&place| self.game.cell(place)).fold(none, |area, cell| Area {
            rows: (area.rows.0.min(cell.row), area.rows.1.max(cell.row)),
            cols: (area.cols.0.min(cell.col), area.cols.1.max(cell.col)),
        })
    }

    /// Returns the kinds of the pieces that are left, one bit per kind.
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

    /// Decides what is on an undecided place: nothing, or one of the pieces that are left.
    pub(super) fn decide(&mut self, place: u32, code: u8) {
        debug_assert_eq!(self.tiles[place as usize], UNDECIDED);
        self.tiles[place as usize] = code;
        self.trail.push(place);
        self.free -= 1;
        if code != EMPTY {
            self.placed.push(place);
            self.left[(code - FIRST_KIND) as usize] -= 1;
            self.pieces -= 1;
        }
        // An arrow from the old content to the new one; the fewest swaps follow from the numbers of arrows.
        let was = self.game.tiles[place as usize];
        if was != code {
            self.arrows[content(was)][content(code)] += 1;
        }
    }

    /// Undoes all decisions except the first `trail`.
    pub(super) fn undo(&mut self, trail: usize) {
        for place in self.trail.drain(trail..) {
            let code = std::mem::replace(&mut self.tiles[place as usize], UNDECIDED);
            self.free += 1;
            if code != EMPTY {
                self.placed.pop();
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
        // The tiles are decided against the light, from the end at which the light comes out.
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

/// Follows light backward, from a sensor toward the lasers. Each walk is a depth-first search over heads, which are
/// the numbers `place * 4 + heading`.
#[derive(Debug, Default)]
pub(super) struct Walker {
    /// By head, the value of `stamp` in the last walk that met it: a visited set that needs no clearing.
    seen: Vec<u32>,
    /// The number of the current walk, from 1.
    stamp: u32,
    /// The stack of heads that this walk still has to visit; heads that it has met may be among them.
    heads: Vec<u32>,
}

impl Walker {
    /// Creates a walker for boards with the given number of places.
    pub(super) fn new(places: usize) -> Self {
        Self { seen: vec![0; places * 4], stamp: 0, heads: Vec::new() }
    }

    /// Starts a walk at a head.
    pub(super) fn start(&mut self, head: u32) {
        // The old stamps are cleared before stamps repeat, after 2^32 - 1 walks.
        if self.stamp == u32::MAX {
            self.seen.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.heads.clear();
        self.heads.push(head);
    }

    /// Starts a walk without a head.
    pub(super) fn start_empty(&mut self) {
        self.start(0);
        self.heads.clear();
    }

    /// Returns the next head of the walk, or `None` if none is left. Each head is returned once.
    pub(super) fn next(&mut self) -> Option<u32> {
        while let Some(head) = self.heads.pop() {
            if std::mem::replace(&mut self.seen[head as usize], self.stamp) != self.stamp {
                return Some(head);
            }
        }
        None
    }

    /// Pushes onto the stack the heads with which light may enter a decided tile in order to leave it with `heading`.
    ///
    /// * `place`: the place of the tile
    /// * `code`: the code of the tile
    pub(super) fn through(&mut self, place: u32, code: u8, heading: u8) {
        let mut came = comes(code, heading);
        while came != 0 {
            self.heads.push(place << 2 | came.trailing_zeros());
            // Clears the lowest bit: one heading is done.
            came &= came - 1;
        }
    }

    /// Follows light backward through decided tiles from the sensor at the place `sensor`. Returns `true` if a laser
    /// feeds it; otherwise returns `false` and appends to `stretches` the stretches from which its light may come.
    pub(super) fn trace_back(&mut self, placement: &Placement<'_>, sensor: u32, stretches: &mut Vec<Stretch>) -> bool {
        let before = stretches.len();
        self.start(placement.opening(sensor));
        while let Some(head) = self.next() {
            let heading = (head & 3) as u8;
            // The light of a head comes from the place behind it.
            let back = -placement.ahead(heading);
            let mut first = (head >> 2).wrapping_add_signed(back);
            // Light passes through these empty tiles with this heading only on its way to this head, so they need no
            // visited set.
            while placement.tiles[first as usize] == EMPTY {
                first = first.wrapping_add_signed(back);
            }
            let code = placement.tiles[first as usize];
            if code == UNDECIDED {
                let mut last = first;
                while placement.tiles[last.wrapping_add_signed(back) as usize] == UNDECIDED {
                    last = last.wrapping_add_signed(back);
                }
                stretches.push(Stretch { first, last, heading });
            // The codes of the four lasers are in the order of the headings.
            } else if code == Tile::LaserN as u8 + heading {
                // The sensor is lit whatever stands on these stretches.
                stretches.truncate(before);
                return true;
            } else {
                self.through(first, code, heading);
            }
        }
        false
    }
}
