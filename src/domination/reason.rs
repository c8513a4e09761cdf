//! Why a play is good: what it gains, what the best answer to it gains, and how the game ends.
//!
//! A worked example, X to move: line A gains 5 cells and allows an answer of 6, line B gains 4 and allows an answer of
//! 2. The greedy player takes A, which leaves X 1 cell behind; B leaves X 2 cells ahead. So B is advised by
//! [`AdviceRule::Deny`]. If A allowed an answer of only 3, both lines would leave X 2 cells ahead, and A would be
//! advised by [`AdviceRule::Gain`], the easier of the two rules.

use super::rules::Ends;
use super::{BestLine, LinearDomination};
use crate::core::{Budget, Error, Game, game};
use crate::tracing;

/// The largest size at which the answers to all plays are compared.
const COMPARED: usize = 10;

/// The rule that justifies a play, from the easiest to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceRule {
    /// No legal play gains more at once, and no better play was found.
    Gain,
    /// No play has a larger balance (its gain minus the gain of the best answer), and the play that gains most has a
    /// smaller balance.
    Deny,
    /// An exact search to the end of the game shows that the play is best, and neither of the easier rules finds a best
    /// play.
    Endgame,
}

impl AdviceRule {
    /// The rules from easy to hard.
    pub const ALL: [Self; 3] = [Self::Gain, Self::Deny, Self::Endgame];

    /// Returns the name that Python uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::Deny => "deny",
            Self::Endgame => "endgame",
        }
    }
}

/// A play with what it gains, and the best answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The play.
    pub play: Ends,
    /// What the play gains at once.
    pub gain: i64,
    /// The other player's answer that gains most, and what it gains; `None` if no legal play is left.
    pub answer: Option<(Ends, i64)>,
}

impl Exchange {
    /// Returns how much the margin of the player to move grows over the play and the best answer.
    pub fn balance(&self) -> i64 {
        self.gain - self.answer.map_or(0, |(_, gain)| gain)
    }
}

/// A play that can be justified, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The easiest rule that justifies the play.
    pub rule: AdviceRule,
    /// The justified play, with its gain and the best answer.
    pub best: Exchange,
    /// The play that gains most at once.
    pub greedy: Exchange,
    /// Whether the board is small enough to compare the answers to all plays: up to 10 x 10.
    pub compared: bool,
    /// The best plays of both sides to the end of the game, if the game was searched to its end.
    pub end: Option<BestLine>,
    /// How much smaller the final margin is after the play that gains most at once than after the best play; 0 if the
    /// end was not searched.
    pub lost: i64,
}

impl LinearDomination {
    /// Returns a good play with the easiest rule that justifies it; `None` if there is no legal play.
    ///
    /// On boards up to 8 x 8, the game is searched to its end if at most 18 legal plays are left and the window has
    /// room for one more play at each of their midpoints; the play returned is then an optimal one. Otherwise the
    /// answers to all plays are compared on boards up to 10 x 10.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays examined, ends the search,
    /// and [`Error::Memory`] if memory cannot hold the positions searched.
    pub fn advise(&self, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        let Some(play) = self.greedy(budget)? else { return Ok(None) };
        let greedy = self.exchange(play, budget)?;
        let compared = self.size <= COMPARED;
        let mut advice = Advice { rule: AdviceRule::Gain, best: greedy, greedy, compared, end: None, lost: 0 };
        if let Some(mut ending) = self.ending() {
            let turns = ending.turns(budget)?;
            if let Some(turn) = turns.first() {
                (advice.rule, advice.lost) = (turn.rule, turn.lost);
                advice.best = self.exchange(turn.play, budget)?;
                let line = turns.iter().map(|turn| turn.play).collect();
                advice.end = Some(BestLine { margin: turn.margin, line });
            }
        } else if compared && let Some(&play) = self.solve(2, budget)?.line.first() {
            let balanced = self.exchange(play, budget)?;
            if balanced.balance() > greedy.balance() {
                (advice.rule, advice.best) = (AdviceRule::Deny, balanced);
            }
        }
        Ok(Some(advice))
    }

    /// Returns, of the legal plays that cross `cell` (row and column, 0-based), the one with the best margin right
    /// after it (the first of equals), with its gain and the best answer; `None` if no legal play crosses the cell, for
    /// instance because the cell lies off the board.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    pub fn greedy_over(&self, cell: [i32; 2], budget: &mut Budget<'_>) -> Result<Option<Exchange>, Error> {
        let crosses = |ends: Ends| {
            let mut found = false;
            tracing::thin(ends, |row, col| found |= [row, col] == cell);
            found
        };
        let play = self.greedy_of(crosses, budget)?;
        play.map(|play| self.exchange(play, budget)).transpose()
    }

    /// Returns a legal play with its gain and the best answer.
    fn exchange(&self, play: Ends, budget: &mut Budget<'_>) -> Result<Exchange, Error> {
        let mut after = game::copied(self, 1)?;
        after.apply(play);
        let answer = after.greedy(budget)?.map(|answer| (answer, after.gain(answer)));
        Ok(Exchange { play, gain: self.gain(play), answer })
    }
}
