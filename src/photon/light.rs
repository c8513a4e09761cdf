//! The light of a position, kept up to date while pieces move.
//!
//! Light is a set of heads, four bits per place. A move puts out the light that leaves the two places no longer, with
//! everything that came from it, then relights what another beam still feeds and what newly leaves them. A worked
//! example, one splitter that moves one tile to the right on a board of 3 x 3:
//!
//! ```text
//! before     after      Light still enters (0, 1) eastward. It leaves (0, 1) southward no longer, so the two heads
//! L>B\.      L>. B\     below that tile are put out, one after the other; then the two heads below (0, 2) are lit.
//! . . .      . . .      The head that enters (0, 2) eastward is not touched: it leaves (0, 1) before and after.
//! . . .      . . .
//! ```

use std::sync::Arc;

use super::tile::{ALL_LEAVES, ENTERS_SENSOR, LIT, Tile, comes, leaves, light};
use super::{MyPhoton, World};

/// Lists that are kept between moves, so that no move allocates memory. They are no part of the position.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    gone: Vec<(u32, u8)>,
    new: Vec<(u32, u8)>,
}

impl MyPhoton {
    /// Traces all lasers of a world that has no light yet.
    pub(super) fn shine(&mut self) {
        let world = Arc::clone(&self.world);
        let mut scratch = std::mem::take(&mut self.scratch);
        for &(place, heading) in &world.lasers {
            self.enter(&world, place, heading, &mut scratch.new);
        }
        self.spread(&world, &mut scratch.new);
        self.scratch = scratch;
    }

    /// Sends light out of a place by a heading. If the next place had no such head, the head is added, and appended to
    /// `new` if it goes on from there.
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

    /// Carries new heads on until there are none.
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

    /// Puts other tiles on some places and brings the light up to date. Returns `true` if light moved at a sensor.
    ///
    /// Walks only beams that change. Lasers and sensors are neither put nor replaced.
    ///
    /// # Complexity
    /// O(changed heads), often O(1): most moves touch no light at all.
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
            // Head by head: if one head loses a way out that another gains, that other head may itself come from the
            // light that is lost, so the way out is put out now and lit again below.
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
            // Light that was put out is lit again if its source still sends it: a tile with light, or a laser.
            let from = place.wrapping_add_signed(-world.ahead[heading as usize]);
            let code = self.tiles[from as usize];
            let fed = comes(code, heading) & self.heads[from as usize] != 0 || code == Tile::LaserN as u8 + heading;
            if fed {
                self.enter(&world, from, heading, new);
            }
        }
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

    /// Puts out the light that leaves a place by some headings, if there is any.
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
