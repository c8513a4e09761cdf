//! The activity of tiles, by which a depth-first search chooses the tile to decide next.

/// The activity of tiles. Every failure of the search at a tile adds to the activity of that tile, and later failures
/// add more. The most active tile is decided first, so after a restart, the search begins with the hard part of a
/// board.
#[derive(Default)]
pub(super) struct Activity {
    /// The tiles at which the search failed, with their activities.
    tiles: Vec<(u32, f64)>,
    /// What the last failure added, 0 before the first failure; each failure adds 1% more than the previous one.
    step: f64,
}

impl Activity {
    /// Notes a failure at a tile.
    pub(super) fn bump(&mut self, tile: u32) {
        self.step = (self.step * 1.01).max(1.0);
        match self.tiles.iter_mut().find(|(known, _)| *known == tile) {
            Some((_, activity)) => *activity += self.step,
            None => self.tiles.push((tile, self.step)),
        }
        // Only ratios matter: all activities are scaled down together before they overflow.
        if self.step > 1e100 {
            self.tiles.iter_mut().for_each(|(_, activity)| *activity *= 1e-100);
            self.step *= 1e-100;
        }
    }

    /// Returns the most active tile that is open, or `None` if no tile with an activity is open.
    pub(super) fn pick(&self, open: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best = None;
        for &(tile, activity) in &self.tiles {
            if best.is_none_or(|(_, most)| activity > most) && open(tile) {
                best = Some((tile, activity));
            }
        }
        best.map(|(tile, _)| tile)
    }

    /// Removes all tiles except the 64 most active ones.
    pub(super) fn forget(&mut self) {
        self.tiles.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.tiles.truncate(64);
    }
}
