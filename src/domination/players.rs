//! The built-in players (greedy, minimax with alpha-beta, Monte Carlo tree search), and the exact solution of short
//! games.

use super::rules::Ends;
use super::{LinearDomination, bits};
use crate::core::{Budget, Error, Game, Rng, game, memory};
use crate::tracing;

/// A built-in player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Chooses the play with the best margin right after it.
    Greedy,
    /// Looks a given number of plays ahead by minimax with alpha-beta pruning.
    Minimax,
    /// Searches a tree whose positions are evaluated by random games (Monte Carlo tree search).
    Mcts,
}

impl Player {
    /// All players with the names that Python uses.
    pub const ALL: [(&'static str, Self); 3] =
        [("greedy", Self::Greedy), ("minimax", Self::Minimax), ("mcts", Self::Mcts)];
}

/// The largest number of legal plays that a search lists at one position.
const MAX_LISTED: usize = 2_000_000;

/// The largest number of children of a position that the tree search considers.
const MAX_CHILDREN: usize = 128;

/// The result of a search: a margin, and the plays that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestLine {
    /// Cells of the player who is now to move minus those of the other player, after the line.
    pub margin: i64,
    /// The best plays of both players from this position, in order.
    pub line: Vec<Ends>,
}

impl LinearDomination {
    /// Returns the legal play with the best margin right after it, the first of equals in lexicographic order; `None`
    /// if there is no legal play.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    ///
    /// # Complexity
    /// At worst all `n^4` plays are examined, for a board of `n` x `n`. On boards up to 8 x 8 all legal plays are
    /// compared. On larger boards vectors are tried in the order of `|rows| + |cols|`, largest first, and the search
    /// stops as soon as the vectors left cannot reach the best gain so far: a line of `c` cells gains at most `c`, plus
    /// one for each cell that it takes from the other player.
    pub fn greedy(&self, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        self.greedy_of(|_| true, budget)
    }

    /// Returns the play that [`LinearDomination::greedy`] would choose among those for which `wanted` returns `true`.
    pub(super) fn greedy_of(
        &self,
        wanted: impl Fn(Ends) -> bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Ends>, Error> {
        if self.over {
            return Ok(None);
        }
        if let Some(legal) = self.legal_bits() {
            budget.spend(u64::from(legal.count()))?;
            let mut best: Option<(i64, Ends)> = None;
            // Plays come in lexicographic order, so the first of equals stays.
            legal.iter().for_each(|play| {
                let ends = bits::ends(self.size, play as u64);
                if wanted(ends) {
                    let gain = self.gain(ends);
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, ends));
                    }
                }
            });
            return Ok(best.map(|(_, ends)| ends));
        }
        let n = self.size as i32;
        let others = i64::from(self.counts[1 - self.to_move()]);
        // The most that a play over `cells` cells can gain: 1 per cell, and 1 more per cell of the other player.
        let most = |cells: i64| cells + cells.min(others);
        let mut best: Option<(i64, Ends)> = None;
        // A line crosses one border per row and per column that it moves by, and enters at most one cell at each
        // border.
        for borders in (0..=2 * (n - 1)).rev() {
            // The search continues if a shorter line can reach an equal gain, because that line may come first in
            // lexicographic order.
            if best.is_some_and(|(gain, _)| most(i64::from(borders) + 1) < gain) {
                break;
            }
            let rows = borders.min(n - 1);
            // All vectors (a, b) with |a| + |b| = borders; a vector with b = 0 occurs twice, which changes no result.
            for (a, b) in (-rows..=rows).flat_map(|a| [(a, a.abs() - borders), (a, borders - a.abs())]) {
                if b.abs() >= n {
                    continue;
                }
                budget.spend(1)?;
                // Fewer cells than borders + 1 if the line passes through corners.
                let cells = tracing::cell_count([0, 0, a, b], tracing::Method::AmanatidesWoo) as i64;
                if best.is_some_and(|(gain, _)| most(cells) < gain) {
                    continue;
                }
                for row in (-a).max(0)..n.min(n - a) {
                    budget.spend((n - b.abs()) as u64)?;
                    for col in (-b).max(0)..n.min(n - b) {
                        let ends = [row, col, row + a, col + b];
                        let gain = self.gain(ends);
                        let better = best.is_none_or(|(most, first)| gain > most || gain == most && ends < first);
                        if better && wanted(ends) && self.allows(ends) {
                            best = Some((gain, ends));
                        }
                    }
                }
            }
        }
        Ok(best.map(|(_, ends)| ends))
    }

    /// Returns the legal plays with the gain of each: the largest gain first, equal ones in lexicographic order.
    fn ranked(&self, budget: &mut Budget<'_>) -> Result<Vec<(i64, Ends)>, Error> {
        let Some(plays) = game::legal_moves_within(self, MAX_LISTED, budget)? else {
            let size = self.size;
            return Err(Error::Limit(format!(
                "the search lists at most {MAX_LISTED} legal plays, and the board of {size} x {size} has more"
            )));
        };
        budget.spend(plays.len() as u64)?;
        let mut ranked: Vec<(i64, Ends)> = plays.into_iter().map(|ends| (self.gain(ends), ends)).collect();
        ranked.sort_by_key(|&(gain, _)| -gain);
        Ok(ranked)
    }

    /// Finds the best plays of both players in the game that ends after `plies` more plays, or earlier if no legal play
    /// is left. `plies` may be 0 to [`MAX_DEPTH`](game::MAX_DEPTH).
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `plies` is out of bounds, [`Error::Limit`] if more than 2,000,000 legal plays of a
    /// position must be listed, [`Error::Memory`] if memory cannot hold the list, and [`Error::Limit`] or
    /// [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    ///
    /// # Complexity
    /// At best, the number of sequences of plays examined is about the square root of the number of all such sequences:
    /// alpha-beta pruning reaches this bound if the best plays are tried first. This search tries the plays with the
    /// largest gain first.
    ///
    /// # Example
    /// ```
    /// use gridwright::core::{Budget, Game};
    /// use gridwright::domination::LinearDomination;
    ///
    /// let game = LinearDomination::parse("3 2 standard").unwrap();
    /// let best_line = game.solve(2, &mut Budget::unlimited()).unwrap();
    /// assert_eq!(best_line.line.len(), 2);
    /// ```
    pub fn solve(&self, plies: u32, budget: &mut Budget<'_>) -> Result<BestLine, Error> {
        if plies > game::MAX_DEPTH {
            return Err(Error::Invalid(format!("plies must be between 0 and {}, got {plies}", game::MAX_DEPTH)));
        }
        let mut game = game::copied(self, plies as usize)?;
        let mut line = Vec::new();
        let most = i64::from(u32::MAX);
        let margin = game.search(plies, -most, most, &mut line, budget)?;
        line.reverse();
        Ok(BestLine { margin, line })
    }

    /// Returns the margin after `plies` more plays, from the point of view of the player now to move, and writes the
    /// best plays to `line`, the last one first. The margin is exact if it lies between `alpha` and `beta`, an upper
    /// bound if it is at most `alpha`, and a lower bound if it is at least `beta`.
    fn search(
        &mut self,
        plies: u32,
        mut alpha: i64,
        beta: i64,
        line: &mut Vec<Ends>,
        budget: &mut Budget<'_>,
    ) -> Result<i64, Error> {
        line.clear();
        let margin = self.margin();
        if plies == 0 || self.over {
            budget.spend(1)?;
            return Ok(margin);
        }
        if plies == 1 {
            let Some(ends) = self.greedy(budget)? else { return Ok(margin) };
            line.push(ends);
            return Ok(margin + self.gain(ends));
        }
        let (mut best, mut below) = (i64::MIN, Vec::new());
        for (_, ends) in self.ranked(budget)? {
            let change = self.apply(ends);
            let found = self.search(plies - 1, -beta, -alpha, &mut below, budget);
            self.revert(ends, change);
            let value = -found?;
            if value > best {
                best = value;
                std::mem::swap(line, &mut below);
                line.push(ends);
            }
            alpha = alpha.max(value);
            // The other player has an alternative at least as good earlier on, so this position need not be searched
            // further.
            if alpha >= beta {
                break;
            }
        }
        // A game on a board over 32 x 32 may stay open although no legal play is left.
        Ok(if best == i64::MIN { margin } else { best })
    }

    /// Returns the play with the best margin after `depth` plays if both sides play their best; `None` if there is no
    /// legal play. `depth` may be 0 to [`MAX_DEPTH`](game::MAX_DEPTH); 0 counts as 1.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `depth` is out of bounds, [`Error::Limit`] if more than 2,000,000 legal plays of a
    /// position must be listed, [`Error::Memory`] if memory cannot hold the list, and [`Error::Limit`] or
    /// [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    pub fn minimax(&self, depth: u32, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        if depth > game::MAX_DEPTH {
            return Err(Error::Invalid(format!("depth must be between 0 and {}, got {depth}", game::MAX_DEPTH)));
        }
        Ok(self.solve(depth.max(1), budget)?.line.first().copied())
    }

    /// Returns the play that a Monte Carlo tree search visits most; `None` if there is no legal play. Equal arguments
    /// give equal plays.
    ///
    /// * `playouts`: the number of random games; 0 counts as 1
    /// * `plies`: the number of plays from this position after which a random game ends, if not earlier; 0 counts as 1
    /// * `seed`: the seed of the random stream, any number
    /// * `budget`: counts playouts, and the plays examined to draw a random play if legal plays are rare
    ///
    /// Each playout walks down the tree by upper confidence bounds, adds at most one position, makes random plays until
    /// the game ends, and scores a win for the player with more cells, or half a win for each player if the numbers are
    /// equal. At most 128 children of a position are considered, in the order of their gain; the more often the
    /// position is visited, the more of them are tried. On boards over 8 x 8 they are chosen from a random sample of
    /// the legal plays.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory cannot hold `plies` plays or the tree, and [`Error::Limit`] or
    /// [`Error::Interrupted`] if the budget ends the search.
    ///
    /// # Source
    /// L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning, 2006, with progressive widening.
    pub fn mcts(&self, playouts: u64, plies: usize, seed: u64, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        if self.over {
            return Ok(None);
        }
        let mut tree = Tree { nodes: vec![Node::default()], rng: Rng::new(seed), plies: plies.max(1) };
        let mut game = game::copied(self, tree.plies)?;
        for _ in 0..playouts.max(1) {
            budget.spend(1)?;
            tree.playout(&mut game, budget)?;
        }
        let most =
            tree.nodes[0].children.iter().max_by_key(|&&(_, node)| (tree.nodes[node].visits, std::cmp::Reverse(node)));
        Ok(most.map(|&(ends, _)| ends))
    }

    /// Returns the plays that the tree search tries in this position, at most [`MAX_CHILDREN`], the largest gain first.
    fn candidates(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Vec<Ends>, Error> {
        let mut plays: Vec<(i64, Ends)> = if self.size <= bits::SMALL {
            let mut all = Vec::new();
            let _ = self.each_legal(|ends| {
                all.push((self.gain(ends), ends));
                std::ops::ControlFlow::Continue(())
            });
            all
        } else {
            // More draws than children, because draws repeat and only those with the largest gains stay.
            let sampled = (0..4 * MAX_CHILDREN).map_while(|_| game::sample_within(self, rng, budget).transpose());
            sampled.map(|ends| ends.map(|ends| (self.gain(ends), ends))).collect::<Result<_, Error>>()?
        };
        plays.sort_by_key(|&(gain, ends)| (-gain, ends));
        plays.dedup();
        plays.truncate(MAX_CHILDREN);
        Ok(plays.into_iter().map(|(_, ends)| ends).collect())
    }
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const TREE: &str = "the tree of the search";

/// A position of the tree.
#[derive(Default)]
struct Node {
    visits: u64,
    /// Wins of the player who moved here; a draw counts half.
    wins: f64,
    /// Plays from this position, with the indices of the nodes that they lead to.
    children: Vec<(Ends, usize)>,
    /// Plays not yet in the tree, best last; `None` until the second visit lists them (at the root, the first).
    untried: Option<Vec<Ends>>,
}

/// The tree of a search; node 0 is the root.
struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
    plies: usize,
}

impl Tree {
    /// Plays one game through the tree to its end, counts the result along the path, and undoes the plays.
    fn playout(&mut self, game: &mut LinearDomination, budget: &mut Budget<'_>) -> Result<(), Error> {
        let mut path = vec![0];
        // `plies` may be 2^24, which takes 1 GiB.
        let mut changes = memory::with_capacity(self.plies, "the plays of a random game")?;
        let mut node = 0;
        while changes.len() < self.plies && !game.over {
            let here = &mut self.nodes[node];
            if here.untried.is_none() {
                if here.visits == 0 && node != 0 {
                    break;
                }
                // The lists of plays of one node are small: one check covers them.
                memory::probe(1 << 18, TREE)?;
                let mut plays = game.candidates(&mut self.rng, budget)?;
                plays.reverse();
                here.untried = Some(plays);
            }
            // Progressive widening: the number of children that may be tried grows with the square root of the visits.
            let wide = 2 + (here.visits as f64).sqrt() as usize;
            let fresh = if here.children.len() < wide { here.untried.as_mut().and_then(Vec::pop) } else { None };
            let (ends, next) = if let Some(ends) = fresh {
                let next = self.nodes.len();
                memory::room(&mut self.nodes, 1, TREE)?;
                self.nodes[node].children.push((ends, next));
                self.nodes.push(Node::default());
                (ends, next)
            } else {
                // The upper confidence bound: the share of wins, plus a bonus that is larger the less often a child
                // was visited.
                let visits = (self.nodes[node].visits.max(1) as f64).ln();
                let bound = |&(_, child): &(Ends, usize)| {
                    let child = &self.nodes[child];
                    let n = child.visits.max(1) as f64;
                    child.wins / n + (0.5 * visits / n).sqrt()
                };
                let best = self.nodes[node].children.iter().max_by(|one, two| bound(one).total_cmp(&bound(two)));
                let Some(&best) = best else { break };
                best
            };
            changes.push((ends, game.apply(ends)));
            path.push(next);
            node = next;
        }
        while changes.len() < self.plies {
            let Some(ends) = game::sample_within(game, &mut self.rng, budget)? else { break };
            changes.push((ends, game.apply(ends)));
        }
        let winner = game.winner();
        while let Some((ends, change)) = changes.pop() {
            game.revert(ends, change);
        }
        let root_mover = game.to_move();
        for (depth, &node) in path.iter().enumerate() {
            // The player who moved into a node at depth 1 is the one to move at the root.
            let mover = (root_mover + depth + 1) % 2;
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.wins += match winner {
                None => 0.5,
                Some(winner) if winner == mover => 1.0,
                Some(_) => 0.0,
            };
        }
        Ok(())
    }
}
