//! Undo, redo, reset and replay for every game.

use super::error::Error;
use super::game::{self, Game};
use super::memory;

/// A position with the moves that led to it.
///
/// Invariant: undoing all moves of `done`, from the last to the first, leads to the start. The moves of `undone`, also
/// from the last to the first, can be played again from the current position.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    state: G,
    done: Vec<(G::Move, G::Change)>,
    undone: Vec<G::Move>,
}

impl<G: Game> History<G> {
    /// Starts a history at a position.
    pub fn new(start: G) -> Self {
        Self { state: start, done: Vec::new(), undone: Vec::new() }
    }

    /// Returns the current position.
    #[inline]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Undoes all moves and returns the position at which the history starts.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory cannot hold the undone moves.
    pub fn into_start(mut self) -> Result<G, Error> {
        self.room_to_undo(self.done.len())?;
        self.reset();
        Ok(self.state)
    }

    /// Iterates over the moves played and not undone, oldest first.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> + '_ {
        self.done.iter().map(|(mv, _)| *mv)
    }

    /// Iterates over what the moves changed, oldest first.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = &G::Change> + '_ {
        self.done.iter().map(|(_, change)| change)
    }

    /// Iterates over the undone moves in the order in which redo plays them.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = G::Move> + '_ {
        self.undone.iter().rev().copied()
    }

    /// Reserves memory to play or redo `moves` more moves.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    #[inline]
    pub fn room_to_play(&mut self, moves: usize) -> Result<(), Error> {
        memory::room(&mut self.done, moves, "the moves of a game")?;
        self.state.room_to_play(moves)
    }

    /// Reserves memory to undo `moves` moves.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    #[inline]
    pub fn room_to_undo(&mut self, moves: usize) -> Result<(), Error> {
        memory::room(&mut self.undone, moves, "the moves of a game")
    }

    /// Plays a move, clears the undone moves, and returns what the move changed.
    ///
    /// # Errors
    /// Returns [`Error::Illegal`] with the reason if the game is over or the rules refuse the move; the history is then
    /// unchanged.
    #[inline]
    pub fn play(&mut self, mv: G::Move) -> Result<&G::Change, Error> {
        let change = game::play(&mut self.state, mv)?;
        self.undone.clear();
        self.done.push((mv, change));
        Ok(&self.done[self.done.len() - 1].1)
    }

    /// Makes a move whether or not the rules accept it, for a game that sets [`Game::RECORDS`]. Clears the undone
    /// moves, and returns what the move changed.
    pub fn record(&mut self, mv: G::Move) -> &G::Change {
        let change = self.state.apply(mv);
        self.undone.clear();
        self.done.push((mv, change));
        &self.done[self.done.len() - 1].1
    }

    /// Plays several moves: either all of them or none.
    ///
    /// # Errors
    /// Returns [`Error::Illegal`] for the first move that is not legal, and [`Error::Memory`] if the memory cannot be
    /// allocated; the history is then unchanged, except that a game that counts undone moves counts those undone here.
    pub fn play_all(&mut self, moves: &[G::Move]) -> Result<(), Error> {
        self.room_to_play(moves.len())?;
        // If a move is refused, undoing the moves before it uses this memory.
        self.room_to_undo(moves.len())?;
        // `play` clears the undone moves, so they are saved here: a refused move must leave the history unchanged.
        let mut undone = Vec::new();
        memory::room(&mut undone, self.undone.len(), "the moves of a game")?;
        undone.extend_from_slice(&self.undone);
        for (count, &mv) in moves.iter().enumerate() {
            if let Err(error) = self.play(mv) {
                for _ in 0..count {
                    self.undo();
                }
                self.undone = undone;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Undoes the last move and returns the move, or `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let (mv, change) = self.done.pop()?;
        self.state.revert(mv, change);
        self.undone.push(mv);
        Some(mv)
    }

    /// Plays the last undone move again and returns the move, or `None` if no move is undone.
    pub fn redo(&mut self) -> Option<G::Move> {
        let mv = self.undone.pop()?;
        // No check is needed: this move was made from this position before.
        let change = self.state.apply(mv);
        self.done.push((mv, change));
        Some(mv)
    }

    /// Undoes all moves; redo brings them back one by one.
    pub fn reset(&mut self) {
        while self.undo().is_some() {}
    }

    /// Calls `set` to change counters that `==` ignores, for example to restore the values of a saved game.
    pub fn set_counters(&mut self, set: impl FnOnce(&mut G)) {
        set(&mut self.state);
    }

    /// Makes the current position the start of the history, and forgets all moves.
    pub fn forget(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Restores a saved history: plays `moves` from `start`, then undoes the last `undone` moves, or all moves if there
    /// are fewer than `undone`.
    ///
    /// # Errors
    /// Returns [`Error::Illegal`] for the first move that is not legal, except for a game that sets [`Game::RECORDS`],
    /// and [`Error::Memory`] if the memory cannot be allocated.
    pub fn replay(start: G, moves: impl IntoIterator<Item = G::Move>, undone: usize) -> Result<Self, Error> {
        let mut history = Self::new(start);
        for mv in moves {
            history.room_to_play(1)?;
            if G::RECORDS {
                history.record(mv);
            } else {
                history.play(mv)?;
            }
        }
        let undone = undone.min(history.done.len());
        history.room_to_undo(undone)?;
        for _ in 0..undone {
            history.undo();
        }
        Ok(history)
    }
}
