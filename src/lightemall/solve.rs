//! Exact solving and counting.
//!
//! A board that has just enough ends for a tree, as every generated board, is solved by propagation,
//! probing and search. Boards with ends to spare, where loops and loose ends are allowed, by a plain
//! search meant for small boards. Fewer ends than a tree needs are no solution, which needs no search.

use super::{LightEmAll, loose, net};
use crate::core::game;
use crate::core::{Budget, Cell, Error, Status};
use crate::graph::search::NONE;
use crate::graph::{Lattice, Steps};

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How often each tile is to be turned clockwise, row-major; never more than its shape needs.
    pub turns: Vec<u8>,
    /// The tiles over which the station then goes, one step each; not empty only with a limited radius.
    pub way: Vec<Cell>,
}

/// What the table of turns has where no turn takes one mask to another.
const NEVER: u8 = u8::MAX;

/// By shape of the tiles and masks: the fewest turns that take the first mask to the second.
static TURNS: [[[u8; 64]; 64]; 2] = [turns_of(false), turns_of(true)];

const fn turns_of(hexagonal: bool) -> [[u8; 64]; 64] {
    let lattice = Lattice { hexagonal, ..Lattice::square(1, 1) };
    let mut table = [[NEVER; 64]; 64];
    let mut from = 0;
    while from < 1 << lattice.sides() {
        let (mut mask, mut turns) = (from as u8, 0);
        while table[from][mask as usize] == NEVER {
            table[from][mask as usize] = turns;
            mask = lattice.turn(mask);
            turns += 1;
        }
        from += 1;
    }
    table
}

/// The fewest turns that take one mask to another; `None` where none do.
#[inline]
pub(super) fn turns_between(lattice: &Lattice, from: u8, to: u8) -> Option<u8> {
    let turns = TURNS[usize::from(lattice.hexagonal)][usize::from(from & 63)][usize::from(to & 63)];
    (turns != NEVER).then_some(turns)
}

/// How the ends of a board compare with the two of each link of a tree.
fn spare(game: &LightEmAll) -> i64 {
    let ends: i64 = game.wires().iter().map(|mask| i64::from(mask.count_ones())).sum();
    ends - 2 * (game.wires().len() as i64 - 1)
}

/// Hands the wirings that connect all tiles to `found`, each once, until it says to stop. Says whether there can be more.
fn each_wiring(
    game: &LightEmAll,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, Error> {
    match spare(game) {
        0 => net::each_wiring(game, budget, found),
        more if more > 0 => loose::each_wiring(game, more as u64, budget, found),
        _ => Ok(false),
    }
}

impl LightEmAll {
    /// Finds turns that light everything from here, and with a limited radius the station's way after them; `None` where
    /// it is proved that nothing does.
    ///
    /// # Errors
    /// The budget's end; it counts nodes of the search and probes.
    pub fn solve(&self, budget: &mut Budget<'_>) -> Result<Option<Answer>, Error> {
        let mut answer = None;
        each_wiring(self, budget, &mut |wires| {
            let turned = Self::new(self.lattice, wires.to_vec(), self.station as usize, self.reach);
            let way = turned.ok().and_then(|turned| turned.way_to_win());
            answer = way.map(|way| {
                let turns = self.wires.iter().zip(wires);
                let turns = turns.map(|(&from, &to)| turns_between(&self.lattice, from, to).unwrap_or(0)).collect();
                Answer { turns, way }
            });
            answer.is_none()
        })?;
        Ok(answer)
    }

    /// Counts the different wirings that connect all tiles, up to a limit.
    ///
    /// # Errors
    /// The budget's end.
    pub fn count_solutions(&self, limit: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let mut count = 0;
        if limit > 0 {
            each_wiring(self, budget, &mut |_| {
                count += 1;
                count < limit
            })?;
        }
        Ok(count)
    }

    /// Gives the shortest way of the station over a wiring that connects all tiles to where everything is powered; `None`
    /// where there is no such place.
    fn way_to_win(&self) -> Option<Vec<Cell>> {
        let (order, from) = self.spreading();
        if order.len() < self.wires.len() {
            return None;
        }
        let mut came = vec![NONE; self.wires.len()];
        for (&tile, &back) in order.iter().zip(&from) {
            came[tile as usize] = back;
        }
        let mut there = self.clone();
        let goal = order.into_iter().find(|&tile| {
            there.station = tile;
            there.judge_station();
            there.status == Status::Won
        })?;
        let mut way = Vec::new();
        let mut tile = goal;
        while came[tile as usize] != NONE {
            way.push(super::cell_of(&self.lattice, tile as usize));
            tile = came[tile as usize];
        }
        way.reverse();
        Some(way)
    }

    /// Lists moves that play an answer from here: turns in row-major order, then the station's steps; what would come after
    /// the win is left out.
    pub fn moves_of(&self, answer: &Answer) -> Vec<[i32; 3]> {
        let mut game = self.clone();
        let mut moves = Vec::new();
        let cells = (0..self.wires.len()).map(|tile| super::cell_of(&self.lattice, tile));
        let turns = cells.zip(&answer.turns).flat_map(|(cell, &turns)| (0..turns).map(move |_| (super::TURN, cell)));
        let steps = answer.way.iter().map(|&cell| (super::STATION, cell));
        for (kind, cell) in turns.chain(steps) {
            let mv = [kind, cell.row, cell.col];
            if game::play(&mut game, mv).is_err() {
                break;
            }
            moves.push(mv);
        }
        moves
    }
}

/// The neighbours of a tile with their sides.
pub(super) fn around(steps: &Steps, tile: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..steps.lattice().sides()).filter_map(move |side| Some((side, steps.neighbour(tile, side)?)))
}
