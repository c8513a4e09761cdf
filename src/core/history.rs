//! Undo, redo, reset and replay, written once for all games.

use super::error::Error;
use super::game::{self, Game};

/// A position with the moves that led to it.
///
/// Invariant: taking back all of `done` gives the start, and playing `undone` from its end is legal.
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

    /// The position now.
    #[inline]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The position at the start.
    pub fn start(&self) -> G {
        let mut copy = self.clone();
        copy.reset();
        copy.state
    }

    /// The moves played and not undone, oldest first.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> + '_ {
        self.done.iter().map(|(mv, _)| *mv)
    }

    /// What the moves changed, oldest first.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = &G::Change> + '_ {
        self.done.iter().map(|(_, change)| change)
    }

    /// The moves undone, in the order in which redo plays them.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = G::Move> + '_ {
        self.undone.iter().rev().copied()
    }

    /// Plays a legal move; otherwise everything stays as it was. What was undone can no longer be redone.
    ///
    /// # Errors
    /// [`Error::Illegal`] with the rules' reason.
    #[inline]
    pub fn play(&mut self, mv: G::Move) -> Result<&G::Change, Error> {
        let change = game::play(&mut self.state, mv)?;
        self.undone.clear();
        self.done.push((mv, change));
        Ok(&self.done[self.done.len() - 1].1)
    }

    /// Makes a move whether or not the rules accept it, in a game that keeps refused moves on record ([`Game::RECORDS`]). What
    /// was undone can no longer be redone.
    pub fn record(&mut self, mv: G::Move) -> &G::Change {
        let change = self.state.apply(mv);
        self.undone.clear();
        self.done.push((mv, change));
        &self.done[self.done.len() - 1].1
    }

    /// Plays all of some moves, or none: where one is refused, everything stays as it was.
    ///
    /// # Errors
    /// [`Error::Illegal`] for the first that is refused.
    pub fn play_all(&mut self, moves: &[G::Move]) -> Result<(), Error> {
        let undone = self.undone.clone();
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

    /// Takes back the last move, and says which; `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let (mv, change) = self.done.pop()?;
        self.state.revert(mv, change);
        self.undone.push(mv);
        Some(mv)
    }

    /// Plays the move undone last again, and says which; `None` where nothing was undone.
    pub fn redo(&mut self) -> Option<G::Move> {
        let mv = self.undone.pop()?;
        let change = self.state.apply(mv);
        self.done.push((mv, change));
        Some(mv)
    }

    /// Takes back all moves; redo brings them back one by one.
    pub fn reset(&mut self) {
        while self.undo().is_some() {}
    }

    /// Sets counters of the position that are no part of `==`, such as a save has kept.
    pub fn set_counters(&mut self, set: impl FnOnce(&mut G)) {
        set(&mut self.state);
    }

    /// Forgets how the position was reached.
    pub fn forget(&mut self) {
        self.done.clear();
        self.undone.clear();
    }

    /// Plays a list of moves from a start, then takes back the last `undone` of them: how a save is read.
    ///
    /// # Errors
    /// The first move that is refused.
    pub fn replay(start: G, moves: impl IntoIterator<Item = G::Move>, undone: usize) -> Result<Self, Error> {
        let mut history = Self::new(start);
        for mv in moves {
            if G::RECORDS {
                history.record(mv);
            } else {
                history.play(mv)?;
            }
        }
        for _ in 0..undone {
            history.undo();
        }
        Ok(history)
    }
}
