//! The built-in players (greedy, minimax with alpha-beta, Monte Carlo tree search), and the exact solution of short
//! games.

use super::rules::Ends;
use super::{LinearDomination, bits};
use crate::core::{Budget, Error, Game, Rng, game};
use crate::tracing;

/// A built-in player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Takes the play with the best margin right after it.
    Greedy,
    /// Looks a given number of plays ahead by minimax with alpha-beta pruning.
    Minimax,
    /// Searches a tree whose positions are valued by random games (Monte Carlo tree search).
    Mcts,
}

impl Player {
    /// All players with the names that Python uses.
    pub const ALL: [(&'static str, Self); 3] =
        [("greedy", Self::Greedy), ("minimax", Self::Minimax), ("mcts", Self::Mcts)];
}

/// The most legal plays that a search lists at one position.
const MOST_LISTED: usize = 2_000_000;

/// The most children of a position that the tree search considers.
const MOST_CHILDREN: usize = 128;

/// The result of a search: a margin, and the plays that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Cells of the player who is now to move minus those of the other player, after the line.
    pub margin: i64,
    /// The best plays of both players from this position, in order.
    pub line: Vec<Ends>,
}

impl LinearDomination {
    /// Returns the legal play with the best margin at once, the first of equals; `None` if there is no legal play.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    ///
    /// # Complexity
    /// All `n^4` plays at worst. Vectors are tried from the longest to the shortest, and the search stops at the first
    /// that cannot beat the best play so far: a line of `c` cells gains at most `c`, plus one for each cell that it
    /// takes from the other player.
    pub fn greedy(&self, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        self.greedy_of(|_| true, budget)
    }

    /// Returns the best play like [`LinearDomination::greedy`], of those for which `wanted` returns true.
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
            // Plays come in their order, so that the first of equals stays.
            legal.iter().for_each(|play| {
                let ends = bits::ends(self.size, play);
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
        // The most that a play over so many cells can gain.
        let most = |cells: i64| cells + cells.min(others);
        let mut best: Option<(i64, Ends)> = None;
        // A line crosses one border per row and column that it goes, and enters at most one cell at each.
        for borders in (0..=2 * (n - 1)).rev() {
            // Equal gains go on: an earlier play in lexicographic order may still come.
            if best.is_some_and(|(gain, _)| most(i64::from(borders) + 1) < gain) {
                break;
            }
            let rows = borders.min(n - 1);
            for (a, b) in (-rows..=rows).flat_map(|a| [(a, a.abs() - borders), (a, borders - a.abs())]) {
                if b.abs() >= n {
                    continue;
                }
                budget.spend(1)?;
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
        let Some(plays) = game::legal_moves_within(self, MOST_LISTED, budget)? else {
            let size = self.size;
            return Err(Error::Limit(format!(
                "the search lists at most {MOST_LISTED} legal plays, and the board of {size} x {size} has more"
            )));
        };
        budget.spend(plays.len() as u64)?;
        let mut ranked: Vec<(i64, Ends)> = plays.into_iter().map(|ends| (self.gain(ends), ends)).collect();
        ranked.sort_by_key(|&(gain, _)| -gain);
        Ok(ranked)
    }

    /// Solves the game that ends after `plies` more plays, or earlier if no legal play is left. `plies` may be 0 to
    /// [`DEEPEST`](game::DEEPEST).
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `plies` is larger than that, and [`Error::Limit`] or [`Error::Interrupted`] if the
    /// budget, which counts plays examined, ends the search.
    ///
    /// # Complexity
    /// About the square root of the number of all sequences of plays if the plays that gain most are good ones, as
    /// always with alpha-beta pruning.
    ///
    /// # Example
    /// ```
    /// use gridwright::core::{Budget, Game};
    /// use gridwright::domination::LinearDomination;
    ///
    /// let game = LinearDomination::parse("3 2 standard").unwrap();
    /// let outlook = game.solve(2, &mut Budget::unlimited()).unwrap();
    /// assert_eq!(outlook.line.len(), 2);
    /// ```
    pub fn solve(&self, plies: u32, budget: &mut Budget<'_>) -> Result<Outlook, Error> {
        if plies > game::DEEPEST {
            return Err(Error::Invalid(format!("plies must be between 0 and {}, got {plies}", game::DEEPEST)));
        }
        let mut game = self.clone();
        let mut line = Vec::new();
        let most = i64::from(u32::MAX);
        let margin = game.search(plies, -most, most, &mut line, budget)?;
        line.reverse();
        Ok(Outlook { margin, line })
    }

    /// Returns the margin after `plies` plays and writes the line in reverse. The margin is exact if it lies between
    /// `alpha` and `beta`, and otherwise a bound on the side where it lies.
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
            if alpha >= beta {
                break;
            }
        }
        // A game on a board over 32 x 32 stays open even if no legal play is left.
        Ok(if best == i64::MIN { margin } else { best })
    }

    /// Returns the play with the best margin after `depth` plays if both sides play their best; `None` if there is no
    /// legal play. `depth` may be 1 to [`DEEPEST`](game::DEEPEST); 0 counts as 1.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `depth` is larger than that, and [`Error::Limit`] or [`Error::Interrupted`] if the
    /// budget, which counts plays examined, ends the search.
    pub fn minimax(&self, depth: u32, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        Ok(self.solve(depth.max(1), budget)?.line.first().copied())
    }

    /// Returns the play that a Monte Carlo tree search visits most; `None` if there is no legal play. The same seed
    /// returns the same play.
    ///
    /// * `playouts`: the number of random games; 0 counts as 1
    /// * `plies`: the number of plays from here after which a random game ends; 0 counts as 1
    /// * `seed`: of the random stream, any number
    ///
    /// Each of the `playouts` walks down the tree by upper confidence bounds, adds a position, makes random plays until
    /// `plies` plays from the root are made, and counts who has more cells. The children of a position are tried in the
    /// order of their gain, and the more often the position is visited, the more of them are tried. On boards over 8 x
    /// 8 they are a random sample.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts playouts, ends the search.
    ///
    /// # Source
    /// L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning, 2006, with progressive widening.
    pub fn mcts(&self, playouts: u64, plies: usize, seed: u64, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        if self.over {
            return Ok(None);
        }
        let mut tree = Tree { nodes: vec![Node::default()], rng: Rng::new(seed), plies: plies.max(1) };
        let mut game = self.clone();
        for _ in 0..playouts.max(1) {
            budget.spend(1)?;
            tree.playout(&mut game, budget)?;
        }
        let most =
            tree.nodes[0].children.iter().max_by_key(|&&(_, node)| (tree.nodes[node].visits, std::cmp::Reverse(node)));
        Ok(most.map(|&(ends, _)| ends))
    }

    /// Returns the plays that the tree search tries in this position, in its order.
    fn candidates(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Vec<Ends>, Error> {
        let mut plays: Vec<(i64, Ends)> = if self.size <= bits::SMALL {
            let mut all = Vec::new();
            let _ = self.each_legal(|ends| {
                all.push((self.gain(ends), ends));
                std::ops::ControlFlow::Continue(())
            });
            all
        } else {
            let sampled = (0..4 * MOST_CHILDREN).map_while(|_| game::sample_within(self, rng, budget).transpose());
            sampled.map(|ends| ends.map(|ends| (self.gain(ends), ends))).collect::<Result<_, Error>>()?
        };
        plays.sort_by_key(|&(gain, ends)| (-gain, ends));
        plays.dedup();
        plays.truncate(MOST_CHILDREN);
        Ok(plays.into_iter().map(|(_, ends)| ends).collect())
    }
}

/// A position of the tree.
#[derive(Default)]
struct Node {
    visits: u64,
    /// Wins of the player who moved here; a draw counts half.
    wins: f64,
    children: Vec<(Ends, usize)>,
    /// Plays not yet in the tree, best last; `None` before the first visit.
    untried: Option<Vec<Ends>>,
}

struct Tree {
    nodes: Vec<Node>,
    rng: Rng,
    plies: usize,
}

impl Tree {
    /// Plays one game through the tree to its end, counts the result along the path, and undoes the plays.
    fn playout(&mut self, game: &mut LinearDomination, budget: &mut Budget<'_>) -> Result<(), Error> {
        let mut path = vec![0];
        let mut changes = Vec::with_capacity(self.plies);
        let mut node = 0;
        while changes.len() < self.plies && !game.over {
            let here = &mut self.nodes[node];
            if here.untried.is_none() {
                if here.visits == 0 && node != 0 {
                    break;
                }
                let mut plays = game.candidates(&mut self.rng, budget)?;
                plays.reverse();
                here.untried = Some(plays);
            }
            // Progressive widening: the number of children that may be tried grows with the square root of the visits.
            let wide = 2 + (here.visits as f64).sqrt() as usize;
            let fresh = if here.children.len() < wide { here.untried.as_mut().and_then(Vec::pop) } else { None };
            let (ends, next) = if let Some(ends) = fresh {
                let next = self.nodes.len();
                self.nodes[node].children.push((ends, next));
                self.nodes.push(Node::default());
                (ends, next)
            } else {
                // The upper confidence bound: the share of wins, plus more the less a child was visited.
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
