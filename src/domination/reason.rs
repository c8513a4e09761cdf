//! Why a play is good: what it gains, what the best answer to it gains, and how the game ends.
//!
//! A worked example, X to move: line A gains 5 cells and allows an answer of 6, line B gains 4 and allows an answer of 2. Greedy
//! takes A, which ends 1 cell behind; B ends 2 ahead. So B is advised by [`Ground::Deny`]. If A allowed an answer of 3 only, both
//! would end 2 ahead, and A would be advised by [`Ground::Gain`], the easier of the two.

use super::rules::Ends;
use super::{LinearDomination, Outlook};
use crate::core::{Budget, Error, Game};
use crate::tracing;

/// The largest size at which the answers to all plays are compared.
const COMPARED: usize = 10;

/// The most legal plays from which a game is searched to its end.
const ENDING: u32 = 18;

/// The rule that justifies a play, from the easiest to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// No legal play gains more at once, and comparing answers or ends finds nothing better.
    Gain,
    /// The gain less that of the best answer is the greatest, which is not so for the play that gains most.
    Deny,
    /// An exact search to the end of the game finds it best, and neither of the rules before does.
    Endgame,
}

impl Ground {
    /// The name that Python uses.
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
    /// The play of the other player that gains most after it, and that gain; `None` if no legal play is left.
    pub answer: Option<(Ends, i64)>,
}

impl Exchange {
    /// Returns how much the margin of the player to move grows over both plays.
    pub fn balance(&self) -> i64 {
        self.gain - self.answer.map_or(0, |(_, gain)| gain)
    }
}

/// A play that can be justified, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The easiest rule that justifies the play.
    pub rule: Ground,
    /// The play.
    pub best: Exchange,
    /// The play that gains most at once.
    pub greedy: Exchange,
    /// Whether the answers to all plays were compared.
    pub compared: bool,
    /// Best play of both sides to the end of the game, if that was searched.
    pub end: Option<Outlook>,
    /// How many cells the play that gains most at once ends behind best play; 0 if the end was not searched.
    pub lost: i64,
}

impl LinearDomination {
    /// Returns a good play with the easiest rule that justifies it; `None` if there is no legal play.
    ///
    /// The answers to all plays are compared on boards up to 10 x 10. The game is searched to its end if at most 18 legal plays
    /// are left and no play leaves the window before the end; then the play is best to the end.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, which counts plays examined, ends the search.
    pub fn advise(&self, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        let Some(play) = self.greedy(budget)? else { return Ok(None) };
        let greedy = self.exchange(play, budget)?;
        let mut advice =
            Advice { rule: Ground::Gain, best: greedy, greedy, compared: self.size <= COMPARED, end: None, lost: 0 };
        if !advice.compared {
            return Ok(Some(advice));
        }
        let balanced = match self.solve(2, budget)?.line.first() {
            Some(&play) => self.exchange(play, budget)?,
            None => greedy,
        };
        let better = balanced.balance() > greedy.balance();
        if let Some(plies) = self.plies_to_end() {
            let end = self.solve(plies, budget)?;
            // The rules are tried from the easiest on, and each must reach the margin of best play.
            advice.lost = end.margin - self.margin_after(play, plies, budget)?;
            if advice.lost > 0 {
                let denies = better && self.margin_after(balanced.play, plies, budget)? == end.margin;
                (advice.rule, advice.best) = match end.line.first() {
                    Some(&first) if !denies => (Ground::Endgame, self.exchange(first, budget)?),
                    _ => (Ground::Deny, balanced),
                };
            }
            advice.end = Some(end);
        } else if better {
            (advice.rule, advice.best) = (Ground::Deny, balanced);
        }
        Ok(Some(advice))
    }

    /// Returns the legal play over a cell with the best margin at once, the first of equals; `None` if no legal play crosses it.
    ///
    /// # Errors
    /// As for [`LinearDomination::greedy`].
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
        let mut after = self.clone();
        after.apply(play);
        let answer = after.greedy(budget)?.map(|answer| (answer, after.gain(answer)));
        Ok(Exchange { play, gain: self.gain(play), answer })
    }

    /// Returns a number of plays after which the game is over for sure, `None` if that is not known or too many.
    fn plies_to_end(&self) -> Option<u32> {
        let legal = self.legal_bits()?.count();
        // Each play forbids itself by its midpoint as long as it is in the window, so every play leaves fewer legal ones.
        let stays = self.entered.len() as u64 + u64::from(legal) <= u64::from(self.lookback);
        (legal <= ENDING && stays).then_some(legal)
    }

    /// Returns the margin of the player to move at the end, after a play and best play of both sides.
    fn margin_after(&self, play: Ends, plies: u32, budget: &mut Budget<'_>) -> Result<i64, Error> {
        let mut after = self.clone();
        after.apply(play);
        Ok(-after.solve(plies - 1, budget)?.margin)
    }
}
