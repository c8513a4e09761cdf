//! Snapshots of a batch, from which it can be restored.

use std::time::Duration;

use super::slot::Slot;
use super::{Batch, Buffers, Clock, unlike};
use crate::core::{Budget, Error, Game, counted};

/// The positions and clocks of all games of a batch, for planning and for checkpoints.
#[derive(Clone, Debug)]
pub struct Snapshot<G>(Vec<Slot<G>>);

impl<G> Snapshot<G> {
    /// Creates a snapshot from the positions and clocks of a saved batch.
    pub fn new(games: impl Iterator<Item = (G, Clock)>) -> Self {
        Self(games.map(|(game, clock)| Slot { game, clock }).collect())
    }
}

impl<G: Game> From<Batch<G>> for Snapshot<G> {
    fn from(batch: Batch<G>) -> Self {
        Self(batch.slots)
    }
}

impl<G: Game> Batch<G> {
    /// Copies the positions and clocks of all games, for [`Batch::restore`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory cannot hold the copies.
    pub fn snapshot(&self) -> Result<Snapshot<G>, Error> {
        self.probe_copy()?;
        self.slots_copied(&mut Budget::unlimited()).map(Snapshot)
    }

    /// Restores a snapshot of this batch, or of a batch of as many games with compatible boards
    /// ([`Game::is_compatible`]). No array is written: call [`Batch::write`] before the next step.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the snapshot has a different number of games or incompatible boards; the batch is
    /// then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot<G>) -> Result<(), Error> {
        self.check_snapshot(snapshot)?;
        self.slots.clone_from(&snapshot.0);
        Ok(())
    }

    /// Checks that a snapshot has as many games as this batch, with compatible boards.
    fn check_snapshot(&self, snapshot: &Snapshot<G>) -> Result<(), Error> {
        let (n, found) = (self.slots.len(), snapshot.0.len());
        if found != n {
            return Err(Error::Invalid(format!("state must hold {}, got {found}", counted(n as u64, "games"))));
        }
        for (mine, other) in self.slots.iter().zip(&snapshot.0) {
            if !mine.game.is_compatible(&other.game) {
                return Err(unlike("state must hold boards", &other.game, "the batch", &mine.game));
            }
        }
        Ok(())
    }

    /// Restores a snapshot as [`Batch::restore`] does, writes all boards, masks and bitsets, and clears the results.
    /// Returns what [`Batch::restart_into`] returns.
    ///
    /// # Errors
    /// Returns the errors of [`Batch::restore`] and [`Batch::restart_into`]; games and arrays are then unchanged.
    pub fn restore_into(
        &mut self,
        snapshot: Snapshot<G>,
        mut out: Buffers<'_>,
        budget: Option<&mut Budget<'_>>,
    ) -> Result<Option<Duration>, Error> {
        self.check_snapshot(&snapshot)?;
        self.transact(&mut out, budget, |batch, out, shared| {
            batch.slots = snapshot.0;
            batch.write_all(out.board, out.mask, out.bits, shared);
            (0..batch.slots.len()).for_each(|i| out.clear(i));
        })
    }
}
