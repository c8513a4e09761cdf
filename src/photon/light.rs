//! The light of a position, updated when pieces move.
//!
//! Light is stored as a set of heads (light about to enter a tile), four bits per place. A move removes the heads that
//! its two places no longer feed, and all heads that came from the removed ones. It then restores the heads that
//! another beam still feeds, adds the heads that the two places newly feed, and follows all restored and added heads. A
//! worked example on a 3 x 3 board, in which a splitter moves one tile to the right:
//!
//! ```text
//! before     after      Light enters (0, 1) eastward before and after. It no longer leaves (0, 1) southward, so the
//! L>B\.      L>. B\     heads of column 1 below row 0 are removed, one after the other; then those of column 2 are
//! . . .      . . .      added. The head that enters (0, 2) eastward stays: light leaves (0, 1) eastward before and
//! . . .      . . .      after.
//! ```

use super::MyPhoton;
use super::tile::{ALL_LEAVES, EMPTY, ENTERS_SENSOR, LIT, Tile, comes, leaves, light};

/// Lists that are kept so that moves reuse their memory; empty between moves. They are not part of the position.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The runs that the current move has removed.
    gone: Vec<Run>,
    /// The heads that have been added but not yet followed, as place and heading.
    new: Vec<(u32, u8)>,
}

/// Consecutive heads: light that leaves a place and passes straight through empty tiles.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The place that the light leaves.
    from: u32,
    /// The place of the last head.
    last: u32,
    heading: u8,
}

/// The parts of a position that light changes, borrowed separately, so that the lists of [`Scratch`] and the `World`
/// can be used at the same time.
struct Light<'a> {
    tiles: &'a mut [u8],
    heads: &'a mut [u8],
    unlit: &'a mut usize,
    /// By heading, the offset from a place to the next one.
    ahead: [i32; 4],
}

impl MyPhoton {
    /// Traces the light of all lasers. The position must have no heads yet, and all its sensors must be unlit.
    pub(super) fn shine(&mut self) {
        let Self { world, tiles, heads, unlit, scratch, .. } = self;
        let mut light = Light { tiles, heads, unlit, ahead: world.ahead };
        for &(place, heading) in &world.lasers {
            light.enter(place, heading, &mut scratch.new);
        }
        light.spread(&mut scratch.new);
    }

    /// Puts other tiles on the given places and updates the light. Returns `true` if a head was added to or removed
    /// from the opening of some sensor.
    ///
    /// * `places`: each place with its new code; neither the old nor the new code may be a laser or a sensor
    ///
    /// # Complexity
    /// O(places + heads removed + heads added), which includes heads that are removed and added again. Most moves touch
    /// no light.
    #[inline]
    pub(super) fn replace<const N: usize>(&mut self, places: [(u32, u8); N]) -> bool {
        if places.iter().all(|&(place, _)| self.heads[place as usize] == 0) {
            for (place, code) in places {
                self.tiles[place as usize] = code;
            }
            return false;
        }
        self.replace_in_light(places)
    }

    /// Does the work of [`MyPhoton::replace`] if light enters at least one of the places.
    fn replace_in_light<const N: usize>(&mut self, places: [(u32, u8); N]) -> bool {
        let Self { world, tiles, heads, unlit, scratch: Scratch { gone, new }, .. } = self;
        let before = *unlit;
        let mut light = Light { tiles, heads, unlit, ahead: world.ahead };
        let mut sensors = false;
        for (place, code) in places {
            let (was, heads) = (light.tiles[place as usize], light.heads[place as usize]);
            // Computed per head: a heading that one head loses and another head gains is removed here and added again
            // below, since the other head may itself come from a removed one.
            let lost = |heading| leaves(was, heading) & !leaves(code, heading);
            let out = (0..4).filter(|heading| heads >> heading & 1 == 1).fold(0, |out, heading| out | lost(heading));
            light.leave(place, out, gone, &mut sensors);
        }
        let mut next = 0;
        while let Some(&Run { last, heading, .. }) = gone.get(next) {
            next += 1;
            let out = leaves(light.tiles[last as usize], heading);
            light.leave(last, out, gone, &mut sensors);
        }
        for (place, code) in places {
            light.tiles[place as usize] = code;
        }
        for Run { from, heading, .. } in gone.drain(..) {
            // A run that was removed is added again if something still feeds it: a tile with light, or a laser. Within
            // a run, a head is fed by the head before it or from a changed place (see below).
            let code = light.tiles[from as usize];
            let fed = comes(code, heading) & light.heads[from as usize] != 0 || code == Tile::LaserN as u8 + heading;
            if fed {
                light.enter(from, heading, new);
            }
        }
        // The light of the heads that remain at the changed places may now leave with new headings.
        for (place, code) in places {
            let mut out = ALL_LEAVES[(code & 63) as usize][(light.heads[place as usize] & 15) as usize];
            while out != 0 {
                light.enter(place, out.trailing_zeros() as u8, new);
                out &= out - 1;
            }
        }
        light.spread(new);
        sensors || *light.unlit != before
    }
}

impl Light<'_> {
    /// Sends light from the place `from` in direction `heading`, through empty tiles up to a tile that is not empty or
    /// that light already enters with this heading. Adds the heads on the way, lights the sensor that the last head
    /// enters, if any, and appends the last head to `new` if light leaves its tile again.
    #[inline]
    fn enter(&mut self, from: u32, heading: u8, new: &mut Vec<(u32, u8)>) {
        let ahead = self.ahead[(heading & 3) as usize];
        let bit = 1 << heading;
        let mut place = from;
        loop {
            place = place.wrapping_add_signed(ahead);
            let heads = &mut self.heads[place as usize];
            if *heads & bit != 0 {
                return;
            }
            *heads |= bit;
            let code = self.tiles[place as usize];
            if code == EMPTY {
                continue;
            }
            match light(code, heading) {
                0 => {}
                ENTERS_SENSOR => {
                    self.tiles[place as usize] = code | LIT;
                    *self.unlit -= 1;
                }
                _ => new.push((place, heading)),
            }
            return;
        }
    }

    /// Follows the heads in `new`, and those that they lead to, until `new` is empty.
    #[inline]
    fn spread(&mut self, new: &mut Vec<(u32, u8)>) {
        while let Some((place, heading)) = new.pop() {
            let mut out = leaves(self.tiles[place as usize], heading);
            while out != 0 {
                let heading = out.trailing_zeros() as u8;
                out &= out - 1;
                self.enter(place, heading, new);
            }
        }
    }

    /// Removes the runs that leave `from` with the headings `out`, as bits. Appends those that existed to `gone`, and
    /// clears [`LIT`] on the sensors that they entered. Sets `sensors` to `true` if they entered any.
    #[inline]
    fn leave(&mut self, from: u32, mut out: u8, gone: &mut Vec<Run>, sensors: &mut bool) {
        while out != 0 {
            let heading = out.trailing_zeros() as u8;
            out &= out - 1;
            let ahead = self.ahead[(heading & 3) as usize];
            let bit = 1 << heading;
            let mut last = from.wrapping_add_signed(ahead);
            if self.heads[last as usize] & bit == 0 {
                continue;
            }
            self.heads[last as usize] &= !bit;
            // A run continues through empty tiles, unless the rest of it has already been removed as a separate run.
            while self.tiles[last as usize] == EMPTY {
                let next = last.wrapping_add_signed(ahead);
                if self.heads[next as usize] & bit == 0 {
                    break;
                }
                self.heads[next as usize] &= !bit;
                last = next;
            }
            gone.push(Run { from, last, heading });
            let code = &mut self.tiles[last as usize];
            if light(*code, heading) == ENTERS_SENSOR {
                *code &= !LIT;
                *self.unlit += 1;
                *sensors = true;
            }
        }
    }
}
