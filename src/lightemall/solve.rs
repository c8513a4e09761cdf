//! Solving and counting, both exact.
//!
//! A board of n tiles with exactly as many wire ends as a tree, 2 (n - 1), such as every generated board, is solved by
//! propagation, probing and search. A board with more ends, on which loops and loose ends are allowed, is solved by a
//! plain search that is meant for small boards. A board with fewer ends has no solution.

use super::net::BOARD;
use super::{LightEmAll, loose, search};
use crate::core::game;
use crate::core::{Budget, Cell, Error, Status, memory};
use crate::graph::Lattice;
use crate::graph::search::NONE;

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The fewest clockwise turns of each tile that lead to its mask in the solution, row-major.
    pub turns: Vec<u8>,
    /// The cells to which the station then moves, one move each; empty unless the radius is limited.
    pub path: Vec<Cell>,
}

/// By shape of the tiles, then by two masks: the fewest clockwise turns from the first mask to the second; `None` if no
/// number of turns leads to the second.
static TURNS: [[[Option<u8>; 64]; 64]; 2] = [turns_of(false), turns_of(true)];

/// Computes the part of [`TURNS`] for one shape of tiles.
const fn turns_of(hexagonal: bool) -> [[Option<u8>; 64]; 64] {
    let lattice = Lattice { hexagonal, ..Lattice::square(1, 1) };
    let mut table = [[None; 64]; 64];
    let mut from = 0;
    while from < 1 << lattice.sides() {
        let (mut mask, mut turns) = (from as u8, 0);
        // Keeps turning until the mask repeats, which happens earlier for symmetric tiles.
        while table[from][mask as usize].is_none() {
            table[from][mask as usize] = Some(turns);
            mask = lattice.turn(mask);
            turns += 1;
        }
        from += 1;
    }
    table
}

/// Returns the fewest clockwise turns from one mask to another; `None` if no number of turns leads to the other.
#[inline]
pub(super) fn turns_between(lattice: &Lattice, from: u8, to: u8) -> Option<u8> {
    TURNS[usize::from(lattice.hexagonal)][usize::from(from & 63)][usize::from(to & 63)]
}

/// Returns how many more wire ends a board has than a tree needs; negative if it has fewer.
pub(super) fn spare(game: &LightEmAll) -> i64 {
    let ends: i64 = game.wires().iter().map(|mask| i64::from(mask.count_ones())).sum();
    // A tree on n tiles has n - 1 edges with two wire ends each.
    ends - 2 * (game.wires().len() as i64 - 1)
}

/// Calls `found` with each wiring that connects all tiles, until `found` returns `false`. The radius is ignored.
///
/// # Errors
/// Returns [`Error::Limit`] if the budget runs out, or if the board has more wire ends than a tree needs and is too
/// large to search, [`Error::Interrupted`] if the watcher ends the call, [`Error::Memory`] if memory does not suffice,
/// and any error that `found` returns, which ends the search.
pub(super) fn each_wiring(
    game: &LightEmAll,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
) -> Result<(), Error> {
    match spare(game) {
        // As many ends as a tree needs: a wiring that connects all tiles has no loose ends and no loops.
        0 => search::each_wiring(game, budget, found),
        more if more > 0 => loose::each_wiring(game, more as u64, budget, found),
        _ => Ok(()),
    }
}

impl LightEmAll {
    /// Finds turns that connect all tiles and, if the radius is limited, a path for the station to a tile from which
    /// all tiles are powered. Returns `None` if it is proved that there is no solution. `budget` counts the work of the
    /// search.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget runs out, or if the board has more wire ends than a tree needs and is too
    /// large to search, [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if memory does
    /// not suffice.
    pub fn solve(&self, budget: &mut Budget<'_>) -> Result<Option<Answer>, Error> {
        let mut answer = None;
        each_wiring(self, budget, &mut |wires| {
            // If the station cannot power all tiles from any tile, the wiring is not an answer, and the search
            // continues.
            let Some(path) = self.winning_path(wires)? else { return Ok(true) };
            let turns = |(&from, &to): (&u8, &u8)| turns_between(&self.lattice, from, to).unwrap_or(0);
            let turns = memory::collected(wires.len(), self.wires.iter().zip(wires).map(turns), BOARD)?;
            answer = Some(Answer { turns, path });
            Ok(false)
        })?;
        Ok(answer)
    }

    /// Counts the wirings that connect all tiles, up to `most`. The radius is ignored. `budget` counts the work of the
    /// search.
    ///
    /// # Errors
    /// Returns the errors of [`LightEmAll::solve`].
    pub fn count_solutions(&self, most: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let mut count = 0;
        if most > 0 {
            each_wiring(self, budget, &mut |_| {
                count += 1;
                Ok(count < most)
            })?;
        }
        Ok(count)
    }

    /// Returns the path that [`LightEmAll::path_to_win`] finds on a wiring of this board that connects all tiles.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory does not suffice.
    pub(super) fn winning_path(&self, wires: &[u8]) -> Result<Option<Vec<Cell>>, Error> {
        memory::probe(wires.len() * memory::PER_CELL, BOARD)?;
        let turned = Self::new(self.lattice, wires.to_vec(), self.station as usize, self.initial_radius)?;
        // Boards with loops are small (see `each_wiring`), so finding the path takes little time.
        turned.path_to_win(&mut Budget::unlimited())
    }

    /// Returns a shortest path for the station to a tile from which all tiles are powered; `None` if the wiring does
    /// not connect all tiles, or if there is no such tile. With loops and a limited radius, each tile is checked by a
    /// search of the whole board.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher of the budget ends the call, and [`Error::Memory`] if memory does
    /// not suffice. Nothing is spent from the budget.
    pub(super) fn path_to_win(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<Cell>>, Error> {
        // A board with too few links for a tree is not connected.
        if (self.links as usize) < self.wires.len() - 1 {
            return Ok(None);
        }
        // The order, the predecessors and the path take up to 24 bytes per tile, and the links and the copy of the
        // position take less than that.
        memory::probe(self.wires.len() * 2 * memory::PER_CELL, BOARD)?;
        let (order, from) = self.spreading();
        if order.len() < self.wires.len() {
            return Ok(None);
        }
        // `spreading` is breadth-first, so following `from` back gives a shortest path.
        let mut came = vec![NONE; self.wires.len()];
        for (&tile, &back) in order.iter().zip(&from) {
            came[tile as usize] = back;
        }
        let mut there = self.clone();
        let mut goal = None;
        for tile in order {
            budget.pause()?;
            there.station = tile;
            there.judge_station();
            if there.status == Status::Won {
                goal = Some(tile);
                break;
            }
        }
        let Some(mut tile) = goal else { return Ok(None) };
        let mut path = Vec::new();
        while came[tile as usize] != NONE {
            path.push(super::cell_of(&self.lattice, tile as usize));
            tile = came[tile as usize];
        }
        path.reverse();
        Ok(Some(path))
    }

    /// Returns the moves that play an answer: turns in row-major order, then the moves of the station. The moves end
    /// as soon as the game is won.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory does not suffice.
    pub fn moves_of(&self, answer: &Answer) -> Result<Vec<[i32; 3]>, Error> {
        memory::probe(self.wires.len() * memory::PER_CELL, BOARD)?;
        let mut game = self.clone();
        let mut moves = Vec::new();
        let cells = (0..self.wires.len()).map(|tile| super::cell_of(&self.lattice, tile));
        let turns = cells.zip(&answer.turns).flat_map(|(cell, &turns)| (0..turns).map(move |_| (super::TURN, cell)));
        let steps = answer.path.iter().map(|&cell| (super::STATION, cell));
        for (kind, cell) in turns.chain(steps) {
            let mv = [kind, cell.row, cell.col];
            // The only move that can be refused is one after the win.
            if game::play(&mut game, mv).is_err() {
                break;
            }
            memory::room(&mut moves, 1, BOARD)?;
            moves.push(mv);
        }
        Ok(moves)
    }
}
