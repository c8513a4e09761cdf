//! The light of a position, updated when pieces move.
//!
//! Light is stored as a set of heads, four bits per place. A move removes the heads that no longer leave its two places
//! and all heads that came from these. It then adds those that another beam still feeds and those that newly leave the
//! two places, and follows them. A worked example on a 3 x 3 board, in which a splitter moves one tile to the right:
//!
//! ```text
//! before     after      Light enters (0, 1) eastward before and after. It no longer leaves (0, 1) southward, so the
//! L>B\.      L>. B\     heads of column 1 below row 0 are removed, one after the other; then those of column 2 are
//! . . .      . . .      added. The head that enters (0, 2) eastward stays: light leaves (0, 1) eastward before and
//! . . .      . . .      after.
//! ```

use std::sync::Arc;

use super::tile::{ALL_LEAVES, ENTERS_SENSOR, LIT, Tile, comes, leaves, light};
use super::{MyPhoton, World};

/// Lists that are kept between moves to reuse their memory; empty between moves. They are not part of the position.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The heads that the current move has removed, as place and heading.
    gone: Vec<(u32, u8)>,
    /// The heads that have been added but not followed yet, as place and heading.
    new: Vec<(u32, u8)>,
}

impl MyPhoton {
    /// Traces the light of all lasers. The position must have no heads yet, and all its sensors must be unlit.
    pub(super) fn shine(&mut self) {
        let world = Arc::clone(&self.world);
        let mut scratch = std::mem::take(&mut self.scratch);
        for &(place, heading) in &world.lasers {
            self.enter(&world, place, heading, &mut scratch.new);
        }
        self.spread(&world, &mut scratch.new);
        self.scratch = scratch;
    }

    /// Sends light from the place `from` to the next place in direction `heading`. If the next place has no such head,
    /// adds it, lights the sensor there if the head enters one, and appends the head to `new` if light leaves the tile
    /// again.
    #[inline]
    fn enter(&mut self, world: &World, from: u32, heading: u8, new: &mut Vec<(u32, u8)>) {
        let place = from.wrapping_add_signed(world.ahead[(heading & 3) as usize]);
        let heads = &mut self.heads[place as usize];
        let bit = 1 << heading;
        if *heads & bit != 0 {
            return;
        }
        *heads |= bit;
        let code = self.tiles[place as usize];
        match light(code, heading) {
            0 => {}
            ENTERS_SENSOR => {
                self.tiles[place as usize] = code | LIT;
                self.unlit -= 1;
            }
            _ => new.push((place, heading)),
        }
    }

    /// Follows the heads in `new`, and those that they lead to, until `new` is empty.
    #[inline]
    fn spread(&mut self, world: &World, new: &mut Vec<(u32, u8)>) {
        while let Some((place, heading)) = new.pop() {
            let mut out = leaves(self.tiles[place as usize], heading);
            while out != 0 {
                let heading = out.trailing_zeros() as u8;
                out &= out - 1;
                self.enter(world, place, heading, new);
            }
        }
    }

    /// Puts other tiles on some places and updates the light. Returns `true` if a head was added to or removed from the
    /// opening of some sensor.
    ///
    /// * `places`: each place with its new code; neither the old nor the new code may be a laser or a sensor
    ///
    /// # Complexity
    /// O(places + heads removed + heads added), which includes heads that are removed and added again. Most moves touch
    /// no light.
    pub(super) fn replace(&mut self, places: &[(u32, u8)]) -> bool {
        if places.iter().all(|&(place, _)| self.heads[place as usize] == 0) {
            for &(place, code) in places {
                self.tiles[place as usize] = code;
            }
            return false;
        }
        let world = Arc::clone(&self.world);
        let mut scratch = std::mem::take(&mut self.scratch);
        let (gone, new) = (&mut scratch.gone, &mut scratch.new);
        let mut sensors = false;
        for &(place, code) in places {
            let (was, heads) = (self.tiles[place as usize], self.heads[place as usize]);
            // Computed head by head: if one head no longer leaves with a heading with which another head now does, that
            // heading is removed here and added again below, since the other head may come from the light removed.
            let lost = |heading| leaves(was, heading) & !leaves(code, heading);
            let out = (0..4).filter(|heading| heads >> heading & 1 == 1).fold(0, |out, heading| out | lost(heading));
            self.leave(&world, place, out, gone, &mut sensors);
        }
        let mut next = 0;
        while let Some(&(place, heading)) = gone.get(next) {
            next += 1;
            let out = leaves(self.tiles[place as usize], heading);
            self.leave(&world, place, out, gone, &mut sensors);
        }
        for &(place, code) in places {
            self.tiles[place as usize] = code;
        }
        let unlit = self.unlit;
        for (place, heading) in gone.drain(..) {
            // A head that was removed is added again if something still feeds it: a tile with light, or a laser.
            let from = place.wrapping_add_signed(-world.ahead[heading as usize]);
            let code = self.tiles[from as usize];
            let fed = comes(code, heading) & self.heads[from as usize] != 0 || code == Tile::LaserN as u8 + heading;
            if fed {
                self.enter(&world, from, heading, new);
            }
        }
        // The heads that remain at the changed places may now leave with new headings.
        for &(place, code) in places {
            let mut out = ALL_LEAVES[code as usize][self.heads[place as usize] as usize];
            while out != 0 {
                self.enter(&world, place, out.trailing_zeros() as u8, new);
                out &= out - 1;
            }
        }
        self.spread(&world, new);
        self.scratch = scratch;
        sensors || unlit != self.unlit
    }

    /// Removes the heads at the places next to `from` to which light leaves with the headings `out`, as bits. Appends
    /// those that existed to `gone`, and unlights the sensors that they entered; if there are any, sets `sensors`.
    #[inline]
    fn leave(&mut self, world: &World, from: u32, mut out: u8, gone: &mut Vec<(u32, u8)>, sensors: &mut bool) {
        while out != 0 {
            let heading = out.trailing_zeros() as u8;
            out &= out - 1;
            let place = from.wrapping_add_signed(world.ahead[(heading & 3) as usize]);
            let heads = &mut self.heads[place as usize];
            let bit = 1 << heading;
            if *heads & bit == 0 {
                continue;
            }
            *heads &= !bit;
            gone.push((place, heading));
            let code = &mut self.tiles[place as usize];
            if light(*code, heading) == ENTERS_SENSOR {
                *code &= !LIT;
                self.unlit += 1;
                *sensors = true;
            }
        }
    }
}
