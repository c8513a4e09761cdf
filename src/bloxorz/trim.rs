//! Trimming: removes parts that the shortest solution of a generated level does not need.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::sketch::{BRIDGE_LETTERS, SWITCH_LETTERS, letter};
use super::{Bloxorz, Level, Minimize, SWITCH_KEY, Switch, SwitchKind, Tile};
use crate::core::{Budget, Cell, Dir, Error, Grid};

impl Bloxorz {
    /// Removes parts that the shortest solution does not need, and returns the level at its start.
    ///
    /// The shortest solution does not get shorter. It may get longer, up to `most` rolls. At most about `work` states
    /// are spent on removing tiles that only add further shortest solutions; only the budget bounds the rest of the
    /// work.
    pub(super) fn trimmed(self, most: usize, work: u64, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let least = self.rolls(budget)?;
        let rolls = least..=most.max(least);
        let mut best = self.with_plain_elements(&rolls, budget)?;
        let end = budget.spent().saturating_add(work);
        // If there are too many solutions to count, `u128::MAX` is used as their number. If the budget ran out instead,
        // the next search returns the error.
        let count = |game: &Self, budget: &mut Budget<'_>| match game.count_shortest(Minimize::Rolls, budget) {
            Err(Error::Limit(_)) => Ok(u128::MAX),
            other => other,
        };
        let mut ways = count(&best, budget)?;
        for index in 0..best.level.tiles().len() {
            let cell = best.level.tiles().cell(index);
            if ways > 1 && budget.spent() < end && best.level.tile(cell) == Tile::Floor && cell != best.level.start() {
                let trial = best.with_tile(cell, Tile::None);
                if rolls.contains(&trial.rolls(budget)?) {
                    let fewer = count(&trial, budget)?;
                    if fewer < ways {
                        (best, ways) = (trial, fewer);
                    }
                }
            }
        }
        best.with_plain_elements(&rolls, budget)
    }

    /// Removes tiles that cannot be reached, replaces elements with nothing or with plain tiles, and removes effects of
    /// switches. A change is kept only if the number of rolls of the shortest solution stays in `rolls`. All steps are
    /// repeated until nothing changes.
    fn with_plain_elements(self, rolls: &RangeInclusive<usize>, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let mut best = self;
        loop {
            let before = best.clone();
            let reached = best.without_unreached(budget)?;
            // Removing the last tile of a bridge removes the bridge, and removing a tile on which a cube of a splitter
            // appears removes the splitter. So the solution is measured again.
            if rolls.contains(&reached.rolls(budget)?) {
                best = reached;
            }
            for index in 0..best.level.tiles().len() {
                let cell = best.level.tiles().cell(index);
                if matches!(best.level.tile(cell), Tile::Light | Tile::Switch(_) | Tile::Bridge(_)) {
                    for plain in [Tile::None, Tile::Floor] {
                        let trial = best.with_tile(cell, plain);
                        if rolls.contains(&trial.rolls(budget)?) {
                            best = trial;
                            break;
                        }
                    }
                }
            }
            for letter in 0..26 {
                for bridge in 0..26 {
                    if let Some(trial) = best.without_line(letter, bridge)
                        && rolls.contains(&trial.rolls(budget)?)
                    {
                        best = trial;
                    }
                }
            }
            if best == before {
                return Ok(best);
            }
        }
    }

    /// Returns the fewest rolls of a solution from here, or 0 if there is none or the game is won.
    pub(super) fn rolls(&self, budget: &mut Budget<'_>) -> Result<usize, Error> {
        let keys = self.solve(Minimize::Rolls, budget)?.unwrap_or_default();
        Ok(keys.iter().filter(|&&key| i32::from(key) < SWITCH_KEY).count())
    }

    /// Returns the level at its start, with `tile` on `cell`.
    fn with_tile(&self, cell: Cell, tile: Tile) -> Self {
        let level = &self.level;
        let mut tiles = level.tiles().clone();
        tiles[cell] = tile;
        rebuilt(tiles, level.start(), level.target(), level.switches(), level.bridges_on())
    }

    /// Returns the level at its start, without the effect of the switch `letter` (0 for `A`) on `bridge` (0 for `a`),
    /// or `None` if there is no such effect.
    fn without_line(&self, letter: usize, bridge: u32) -> Option<Self> {
        let level = &self.level;
        let (mut switches, bit) = (*level.switches(), 1 << bridge);
        let switch = switches[letter].as_mut().filter(|switch| switch.named & bit != 0)?;
        (switch.named, switch.keep, switch.flip) = (switch.named & !bit, switch.keep | bit, switch.flip & !bit);
        Some(rebuilt(level.tiles().clone(), level.start(), level.target(), &switches, level.bridges_on()))
    }

    /// Returns the level at its start, without the tiles that the block cannot reach.
    fn without_unreached(&self, budget: &mut Budget<'_>) -> Result<Self, Error> {
        let level = &self.level;
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        let mut tiles = Grid::new(level.height(), level.width(), Tile::None);
        for block in &graph.block {
            for cell in block.cells() {
                tiles[cell] = level.tile(cell);
            }
            // A block that stands up on a splitter splits at once, so no state has a block that stands on a splitter.
            // Trying all rolls finds the splitters that are reached.
            for rolled in Dir::ALL.map(|dir| block.rolled(dir)).into_iter().filter(|rolled| rolled.is_standing()) {
                if let Some(SwitchKind::Splitter(..)) = level.switch_at(rolled.first()).map(|switch| switch.kind) {
                    tiles[rolled.first()] = level.tile(rolled.first());
                }
            }
        }
        Ok(rebuilt(tiles, level.start(), level.target(), level.switches(), level.bridges_on()))
    }
}

/// Builds a level from parts that may contradict each other, and returns the position at its start.
///
/// Bridges that no switch names become plain tiles if they are on at the start, and are removed otherwise. Switches
/// that name no bridge with a tile, and splitters that put a cube on a cell without a tile, become plain tiles. Letters
/// are reassigned in the order of the tiles.
pub(super) fn rebuilt(
    mut tiles: Grid<Tile>,
    start: Cell,
    target: Cell,
    switches: &[Option<Switch>; 26],
    bridges_on: u32,
) -> Bloxorz {
    let on_board = |tiles: &Grid<Tile>, tile: Tile| tiles.as_slice().contains(&tile);
    let mut switches = *switches;
    // Removing a bridge may leave a switch that names no bridge, and removing a switch may leave a bridge that no
    // switch names. So both steps are repeated until nothing changes.
    loop {
        let mut changed = false;
        let mut named = 0;
        for letter in 0..26u8 {
            let Some(switch) = &mut switches[letter as usize] else { continue };
            for bridge in 0..26u8 {
                let bit = 1 << bridge;
                if switch.named & bit != 0 && !on_board(&tiles, Tile::Bridge(bridge)) {
                    (switch.named, switch.keep, switch.flip) =
                        (switch.named & !bit, switch.keep | bit, switch.flip & !bit);
                }
            }
            let useless = match switch.kind {
                SwitchKind::Splitter(a, b) => {
                    [a, b].iter().any(|&cell| tiles.get(cell).is_none_or(|&tile| tile == Tile::None))
                }
                _ => switch.named == 0,
            };
            if useless || !on_board(&tiles, Tile::Switch(letter)) {
                for tile in tiles.as_mut_slice().iter_mut().filter(|tile| **tile == Tile::Switch(letter)) {
                    *tile = Tile::Floor;
                }
                switches[letter as usize] = None;
                changed = true;
            } else {
                named |= switch.named;
            }
        }
        for tile in tiles.as_mut_slice() {
            if let Tile::Bridge(letter) = *tile
                && named >> letter & 1 == 0
            {
                *tile = if bridges_on >> letter & 1 == 1 { Tile::Floor } else { Tile::None };
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // Assigns new letters in the order in which the old ones first occur, row by row.
    let (mut bridge_names, mut switch_names) = ([None; 26], [None; 26]);
    let (mut bridge_count, mut switch_count) = (0, 0);
    for tile in tiles.as_mut_slice() {
        match tile {
            Tile::Bridge(name) => {
                let new = bridge_names[*name as usize].get_or_insert_with(|| {
                    bridge_count += 1;
                    letter(BRIDGE_LETTERS, bridge_count - 1)
                });
                *name = *new;
            }
            Tile::Switch(name) => {
                let new = switch_names[*name as usize].get_or_insert_with(|| {
                    switch_count += 1;
                    letter(SWITCH_LETTERS, switch_count - 1)
                });
                *name = *new;
            }
            _ => {}
        }
    }
    let renamed = |bits: u32| {
        (0..26)
            .filter(|&old| bits >> old & 1 == 1)
            .filter_map(|old| bridge_names[old])
            .fold(0, |set, new| set | 1 << new)
    };
    let mut fresh = [None; 26];
    for (old, new) in switch_names.iter().enumerate() {
        if let (Some(new), Some(switch)) = (new, switches[old]) {
            // The bits of bridges that a switch does not name must stay 1 in `keep`, so `!keep` is renamed.
            let (keep, flip, named) =
                (!renamed(!switch.keep & switch.named), renamed(switch.flip), renamed(switch.named));
            fresh[*new as usize] = Some(Switch { keep, flip, named, ..switch });
        }
    }
    Bloxorz::start(Arc::new(Level::new(tiles, start, target, &fresh, renamed(bridges_on))))
}
