//! Linear Domination in Python: the members that the game has beyond the shared ones, and a class of the source
//! document.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::array::{self, Argument};
use super::game::{MoveNotation, SharedGame, game_class};
use super::long::long;
use crate::core::game::MAX_DEPTH;
use crate::core::{Budget, Error, memory};
use crate::domination::{
    Advice, AdviceRule, CODES, Ends, FAR, LinearDomination, MAX_LOOKBACK, MAX_SIZE, ParametricLine, Play, Player,
    Rules, Verdict,
};

game_class!(LinearDominationCore, LinearDomination, "LinearDomination");
super::batch::batch_class!(LinearDominationBatch, LinearDomination, LinearDominationCore);

impl MoveNotation for LinearDomination {}

/// Returns the board codes by name.
#[pyfunction]
pub(super) fn domination_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in CODES {
        found.set_item(name, code)?;
    }
    Ok(found)
}

/// Returns the numbers of the verdicts by name.
#[pyfunction]
pub(super) fn domination_verdicts(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, verdict) in Verdict::ALL {
        found.set_item(name, verdict as u8)?;
    }
    Ok(found)
}

/// Reads a game from `text`, which begins with `N K` and lists plays, and reports progress. `rules`, if given, replaces
/// the rule set that `text` names or, if it names none, the default rule set of the notation.
#[pyfunction]
#[pyo3(signature = (class_, text, rules=None, progress=None))]
pub(super) fn domination_read<'py>(
    class_: &Bound<'py, PyType>,
    text: &str,
    rules: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let rules = rules.map(self::rules).transpose()?;
    let read = |budget: &mut Budget<'_>| LinearDomination::parse_watched(text, rules, budget);
    made(class_, long(class_.py(), "plays", None, progress, read)?)
}

/// Reads the argument `rules`, the name of a rule set.
fn rules(value: &Bound<'_, PyAny>) -> PyResult<Rules> {
    array::choice("rules", value, &Rules::ALL)
}

/// Reads the character that represents an empty cell.
fn empty_sign(value: &Bound<'_, PyAny>) -> PyResult<char> {
    let text = array::text("empty", value)?;
    let mut signs = text.chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) => Ok(sign),
        _ => Err(Error::Invalid(format!("empty must be one character, got {}", array::shown(value))).into()),
    }
}

/// The largest number of plays per game that a caller may request.
const MAX_PLAYS: usize = 1 << 24;

/// The largest number of games that `random_games` plays in one call.
const MAX_GAMES: usize = 1 << 28;

/// Reads the size and the lookback, and returns the empty board with the given rule set.
fn board(size: &Bound<'_, PyAny>, lookback: &Bound<'_, PyAny>, rules: Rules) -> PyResult<LinearDomination> {
    let size = array::size("size", size, 1, MAX_SIZE)?;
    let lookback = array::integer("lookback", lookback, 0..=MAX_LOOKBACK.into())? as u32;
    Ok(LinearDomination::empty(size, lookback, rules)?)
}

/// Reads the ends of a play; they may lie off the board.
fn ends(tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<Ends> {
    let ([a, b], [c, d]) = (array::any_cell("tail", tail)?, array::any_cell("head", head)?);
    let ends = [a, b, c, d];
    let far = i64::from(FAR);
    let wrong = ends.iter().position(|part| !(-far..=far).contains(part));
    match wrong {
        None => Ok(ends.map(|part| part as i32)),
        Some(place) => {
            let (name, value) = if place < 2 { ("tail", tail) } else { ("head", head) };
            let shown = array::shown(value);
            Err(Error::Move(format!("{name} must have coordinates between {} and {far}, got {shown}", -far)).into())
        }
    }
}

/// Creates a game object of a Python class from a position.
fn made<'py>(class: &Bound<'py, PyType>, game: LinearDomination) -> PyResult<Bound<'py, PyAny>> {
    let core = Bound::new(class.py(), LinearDominationCore(SharedGame::from_state(game)))?;
    class.call1((core,))
}

impl LinearDominationCore {
    /// Lists one property of all plays.
    fn play_column<T>(&self, py: Python<'_>, property: impl Fn(&Play) -> T) -> PyResult<Vec<T>> {
        let history = self.0.lock(py)?;
        let plays = history.state().plays();
        Ok(memory::collected(plays.len(), plays.iter().map(property), "a list of the plays of the game")?)
    }
}

#[pymethods]
impl LinearDominationCore {
    /// Creates an empty board.
    ///
    /// * `size`: the number of rows and of columns, 1 to 8192.
    /// * `lookback`: the number of plays that the rules look back at, 0 to 2^31 - 1.
    /// * `rules`: `"standard"` (the default), `"document"` or `"uccs2023"`; see the class.
    ///
    /// Raises `ValueError` for a number out of bounds or an unknown rule set.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> gw.LinearDomination.empty(8, 3)
    /// LinearDomination('8 3 standard\n')
    ///
    /// ```
    #[classmethod]
    #[pyo3(
        signature = (size, lookback, *, rules=array::ABSENT),
        text_signature = "(size, lookback, *, rules='standard')"
    )]
    fn empty<'py>(
        class: &Bound<'py, PyType>,
        size: &Bound<'py, PyAny>,
        lookback: &Bound<'py, PyAny>,
        rules: Argument<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        made(class, board(size, lookback, rules.or(Rules::Standard, self::rules)?)?)
    }

    /// Generates a game; `LinearDomination.generate` documents the arguments.
    #[classmethod]
    #[allow(clippy::too_many_arguments)] // called by LinearDomination.generate only
    fn _generate<'py>(
        class: &Bound<'py, PyType>,
        size: &Bound<'py, PyAny>,
        lookback: &Bound<'py, PyAny>,
        plays: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        rules: &Bound<'py, PyAny>,
        grade: Option<u8>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (empty, seed) = (board(size, lookback, self::rules(rules)?)?, array::seed(seed)?);
        let (size, lookback, rules) = (empty.size(), empty.lookback(), empty.rules());
        let plays = plays.map(|plays| array::size("plays", plays, 0, MAX_PLAYS)).transpose()?;
        let limit = array::limit(limit)?;
        if let (Some(plays), Some(_)) = (plays, grade) {
            return Err(Error::Invalid(format!("plays must be None if difficulty is given, got {plays}")).into());
        }
        let game = long(class.py(), "plays", limit, progress, move |budget| match (grade, plays) {
            (Some(grade), _) => LinearDomination::generate_graded(size, lookback, rules, grade, seed, budget),
            (None, Some(plays)) => LinearDomination::generate(size, lookback, plays, rules, seed, budget),
            (None, None) => Err(Error::invalid("plays must be given if difficulty is not, got None")),
        })?;
        made(class, game)
    }

    /// Number of rows, which equals the number of columns.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.state().size())
    }

    /// Number of plays that the rules look back at.
    #[getter]
    fn lookback(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.state().lookback())
    }

    /// Name of the rule set: `"standard"`, `"document"` or `"uccs2023"`.
    #[getter]
    fn rules(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.0.lock(py)?.state().rules().name())
    }

    /// Numbers of cells of the two players: `(X, O)`.
    #[getter]
    fn counts(&self, py: Python<'_>) -> PyResult<(u32, u32)> {
        let [x, o] = self.0.lock(py)?.state().counts();
        Ok((x, o))
    }

    /// All plays, including those in the text: a fresh `(n, 4)` int32 array of tail row, tail col, head row, head col,
    /// 0-based.
    #[getter]
    fn plays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        array::moves(py, self.play_column(py, |play| play.ends)?)
    }

    /// The verdict of the rules on each play: a fresh `(n,)` uint8 array of `Verdict` numbers.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.play_column(py, |play| play.verdict as u8)?.into_pyarray(py))
    }

    /// The index of the latest play that caused the verdict on each play, -1 for none: a fresh `(n,)` int32 array.
    #[getter]
    fn clashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let clashes = self.play_column(py, |play| play.clash.map_or(-1, |play| play as i32))?;
        Ok(clashes.into_pyarray(py))
    }

    /// Returns whose turn it is: 1 for X, 2 for O.
    fn _to_move(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.state().to_move() + 1)
    }

    /// Returns who has more cells: 1 for X, 2 for O, 0 if the numbers are equal.
    fn _winner(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.state().winner().map_or(0, |player| player + 1))
    }

    /// Makes a play whether or not it is legal, and returns the number of the verdict.
    fn _draw(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<u8> {
        let ends = ends(tail, head)?;
        self.0.change(py, |history| {
            history.record(ends);
            Ok(history.state().plays().last().map_or(0, |play| play.verdict as u8))
        })
    }

    /// Returns the number of the verdict on a play, and the index of the latest play that causes it, if any.
    fn _judge(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<(u8, Option<u32>)> {
        let ends = ends(tail, head)?;
        let (verdict, clash) = self.0.lock(py)?.state().judge(ends);
        Ok((verdict as u8, clash))
    }

    /// Returns how much a play raises the margin of the player to move: empty cells count once, cells of the other
    /// player twice.
    ///
    /// * `tail`, `head`: cells of the board; a cell off the board raises `MoveError`. The play need not be legal.
    fn gain(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<i64> {
        let history = self.0.lock(py)?;
        let size = history.state().size();
        drop(history);
        let (tail, head) = (array::cell("tail", tail, size, size)?, array::cell("head", head, size, size)?);
        Ok(self.0.lock(py)?.state().gain([tail.row, tail.col, head.row, head.col]))
    }

    /// Returns the board as the source document prints it: each cell followed by a space, one row per line.
    ///
    /// * `empty`: one character for an empty cell, otherwise `ValueError`; `"."` by default, a space in the document.
    #[pyo3(signature = (*, empty=array::ABSENT), text_signature = "($self, *, empty='.')")]
    fn display_board(&self, py: Python<'_>, empty: Argument<'_, '_>) -> PyResult<String> {
        let empty = empty.or('.', empty_sign)?;
        Ok(self.0.lock(py)?.state().display_board(empty))
    }

    /// Returns what the program of the source document writes: the board, then `Player X: V cells; Player O: W cells`.
    ///
    /// * `empty`: one character for an empty cell, otherwise `ValueError`; `"."` by default, a space in the document.
    #[pyo3(signature = (*, empty=array::ABSENT), text_signature = "($self, *, empty='.')")]
    fn report(&self, py: Python<'_>, empty: Argument<'_, '_>) -> PyResult<String> {
        let empty = empty.or('.', empty_sign)?;
        Ok(self.0.lock(py)?.state().report(empty))
    }

    /// Returns a play for the player to move, `(row, col, row, col)`, or `None` if there is no legal one.
    ///
    /// * `player`: `"greedy"` (the default) takes the play with the best margin right after it, the first in a tie;
    ///   `"minimax"` takes the play with the best margin after `depth` plays if both players play their best
    ///   (alpha-beta); `"mcts"` searches a tree with `playouts` random games.
    /// * `depth`: the number of plays that `"minimax"` looks ahead, 0 to 1000, by default 2; 0 counts as 1.
    /// * `playouts`: the number of random games of `"mcts"`, 0 to 2^64 - 1, by default 1000; 0 counts as 1.
    /// * `plies`: the number of plays after which a random game of `"mcts"` ends, 0 to 2^24, by default 20; 0 counts as
    ///   1.
    /// * `seed`: the seed of `"mcts"`, 0 to 2^64 - 1; `None`, the default, for a random seed.
    /// * `limit`: the most plays that the search may look at, an integer from 0 to 2^64 - 1; raises `SearchLimitError`
    ///   beyond it. `None`, the default, for no limit. `"mcts"` counts playouts instead, plus the plays that it
    ///   examines to draw a random play if legal plays are rare.
    /// * `progress`: a callable that receives the number of plays or playouts so far, or an object with `update`, such
    ///   as a tqdm bar. `None`, the default, for no reports.
    ///
    /// `"minimax"` also raises `SearchLimitError` if the search must list more than 2,000,000 legal plays of a
    /// position. An unknown player or a number out of bounds raises `ValueError`.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> gw.LinearDomination.empty(5, 2).suggest()
    /// (0, 0, 3, 4)
    ///
    /// ```
    #[pyo3(
        signature = (
            player=array::ABSENT, *, depth=array::ABSENT, playouts=array::ABSENT, plies=array::ABSENT, seed=None,
            limit=None, progress=None
        ),
        text_signature = "($self, player='greedy', *, depth=2, playouts=1000, plies=20, seed=None, limit=None, \
                          progress=None)"
    )]
    #[allow(clippy::too_many_arguments)] // the options of three players
    fn suggest<'py>(
        &self,
        py: Python<'py>,
        player: Argument<'_, 'py>,
        depth: Argument<'_, 'py>,
        playouts: Argument<'_, 'py>,
        plies: Argument<'_, 'py>,
        seed: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let player = player.or(Player::Greedy, |player| array::choice("player", player, &Player::ALL))?;
        let depth = depth.or(2, |depth| array::integer("depth", depth, 0..=MAX_DEPTH.into()))? as u32;
        let plies = plies.or(20, |plies| array::size("plies", plies, 0, MAX_PLAYS))?;
        let playouts = playouts.or(1000, |playouts| array::unsigned("playouts", playouts, 0))?;
        let (seed, limit) = (array::seed(seed)?, array::limit(limit)?);
        let game = self.0.state(py)?;
        let unit = if player == Player::Mcts { "playouts" } else { "plays" };
        let found = long(py, unit, limit, progress, move |budget| match player {
            Player::Greedy => game.greedy(budget),
            Player::Minimax => game.minimax(depth, budget),
            Player::Mcts => game.mcts(playouts, plies, seed, budget),
        })?;
        found.map(|ends| PyTuple::new(py, ends)).transpose()
    }

    /// Returns the play with the largest immediate gain in margin for the player to move, the first one in a tie, as a
    /// fresh `(4,)` int32 array; `None` if there is no legal play.
    ///
    /// * `limit`: the most plays that the search may look at, an integer from 0 to 2^64 - 1; raises `SearchLimitError`
    ///   beyond it. `None`, the default, for no limit.
    /// * `progress`: a callable that receives the number of plays so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> gw.LinearDomination.empty(5, 2).hint()
    /// array([0, 0, 3, 4], dtype=int32)
    ///
    /// ```
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn hint<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<i32>>>> {
        let limit = array::limit(limit)?;
        let found = self.0.work(py, "plays", limit, progress, LinearDomination::greedy)?;
        Ok(found.map(|ends| PyArray1::from_slice(py, &ends)))
    }

    /// Returns a dict with a good play and what justifies it. Returns `None` if there is no legal play, or if `cell` is
    /// given and no legal play crosses it.
    fn _advise<'py>(
        &self,
        py: Python<'py>,
        cell: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let limit = array::limit(limit)?;
        let game = self.0.state(py)?;
        let size = game.size();
        let cell = cell.map(|cell| array::cell("cell", cell, size, size)).transpose()?;
        let found = long(py, "plays", limit, progress, move |budget| match cell {
            None => game.advise(budget),
            Some(cell) => {
                let found = game.greedy_over([cell.row, cell.col], budget)?;
                let advice =
                    |best| Advice { rule: AdviceRule::Gain, best, greedy: best, compared: false, end: None, lost: 0 };
                Ok(found.map(advice))
            }
        })?;
        let Some(advice) = found else { return Ok(None) };
        let advised = PyDict::new(py);
        advised.set_item("rule", advice.rule.name())?;
        for (name, exchange) in [("best", advice.best), ("greedy", advice.greedy)] {
            let part = |ends: Ends| PyTuple::new(py, ends);
            let answer = exchange.answer.map(|(ends, gain)| Ok::<_, PyErr>((part(ends)?, gain))).transpose()?;
            advised.set_item(name, (part(exchange.play)?, exchange.gain, answer))?;
        }
        advised.set_item("compared", advice.compared)?;
        advised.set_item("end", advice.end.map(|end| (end.margin, end.line.len())))?;
        advised.set_item("lost", advice.lost)?;
        Ok(Some(advised))
    }

    /// Returns the grade, how many times each rule is used, and the measures; `LinearDomination.difficulty` combines
    /// them.
    fn _difficulty<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(u8, Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let limit = array::limit(limit)?;
        let found = self.0.work(py, "plays", limit, progress, LinearDomination::difficulty)?;
        let (rules, measures) = (PyDict::new(py), PyDict::new(py));
        for (rule, count) in AdviceRule::ALL.into_iter().zip(found.uses).filter(|&(_, count)| count > 0) {
            rules.set_item(rule.name(), count)?;
        }
        measures.set_item("points", found.points())?;
        measures.set_item("turns", found.uses.iter().sum::<u32>())?;
        measures.set_item("plays", found.turns.len())?;
        if let Some(first) = found.turns.first() {
            measures.set_item("lines", first.lines)?;
            measures.set_item("best", first.best)?;
            measures.set_item("lost", first.lost)?;
            measures.set_item("margin", first.margin)?;
        }
        Ok((found.grade, rules, measures))
    }

    /// Finds the line of best play by both sides in the game that ends after `plies` more plays, or earlier if no legal
    /// play is left, and returns `(margin, plays)`.
    ///
    /// `margin` is, at the end of the game, the number of cells of the player now to move minus the number of cells of
    /// the other player; `plays` is the `(n, 4)` int32 array of the plays of the line.
    ///
    /// * `plies`: the number of plays until the game ends, 0 to 1000.
    /// * `limit`: the most plays that the search may look at, an integer from 0 to 2^64 - 1; raises `SearchLimitError`
    ///   beyond it. `None`, the default, for no limit.
    /// * `progress`: a callable that receives the number of plays so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Also raises `SearchLimitError` if the search must list more than 2,000,000 legal plays of a position, and
    /// `ValueError` if a number is out of bounds.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> margin, plays = gw.LinearDomination.empty(3, 2).best_line(2)
    /// >>> margin, len(plays)
    /// (-3, 2)
    ///
    /// ```
    #[pyo3(signature = (plies, *, limit=None, progress=None))]
    fn best_line<'py>(
        &self,
        py: Python<'py>,
        plies: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(i64, Bound<'py, PyArray2<i32>>)> {
        let plies = array::integer("plies", plies, 0..=MAX_DEPTH.into())? as u32;
        let limit = array::limit(limit)?;
        let found = self.0.work(py, "plays", limit, progress, move |game, budget| game.solve(plies, budget))?;
        Ok((found.margin, array::moves(py, found.line)?))
    }

    /// Plays random games from this position and returns the numbers of cells of X and O at the end of each, a fresh
    /// `(n, 2)` uint32 array.
    ///
    /// * `n`: the number of games, 0 to 2^28. Game `i` of a seed depends neither on `n` nor on `threads`.
    /// * `plies`: the number of plays per game, 0 to 2^24, by default 20; a game ends earlier if no legal play is left.
    /// * `seed`: 0 to 2^64 - 1; `None`, the default, for a random seed.
    /// * `threads`: 1 to 1024; 0, the default, for all threads of the pool.
    /// * `progress`: a callable that receives the number of plays so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    ///
    /// Raises `ValueError` if a number is out of bounds, and `MemoryError` if memory cannot hold the counts or the
    /// plays of a game.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> games = gw.LinearDomination.empty(8, 3).random_games(1000, seed=1)
    /// >>> games.shape, bool((games[:, 1] > games[:, 0]).mean() > 0.5)  # whoever plays last usually has more
    /// ((1000, 2), True)
    ///
    /// ```
    #[pyo3(
        signature = (n, *, plies=array::ABSENT, seed=None, threads=array::ABSENT, progress=None),
        text_signature = "($self, n, *, plies=20, seed=None, threads=0, progress=None)"
    )]
    fn random_games<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        plies: Argument<'_, 'py>,
        seed: Option<&Bound<'py, PyAny>>,
        threads: Argument<'_, 'py>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let n = array::size("n", n, 0, MAX_GAMES)?;
        let plies = plies.or(20, |plies| array::size("plies", plies, 0, MAX_PLAYS))?;
        let threads = threads.or(0, array::threads)?;
        let seed = array::seed(seed)?;
        let counts = self.0.work(py, "plays", None, progress, move |game, budget| {
            let mut counts = Vec::new();
            counts.try_reserve_exact(n).map_err(|_| Error::memory(format_args!("the counts of {n} games")))?;
            counts.resize(n, [0; 2]);
            game.random_games(plies, seed, threads, &mut counts, budget)?;
            Ok::<_, Error>(counts)
        })?;
        array::matrix(py, n, 2, counts.into_flattened())
    }
}

/// The line of a play as in the source document, between the centers of its tail and head cells.
///
/// Cell `(row, col)` covers the square from `(row, col)` to `(row + 1, col + 1)`.
///
/// * `tail`, `head`: cells, on or off any board, with coordinates below 2^30 in absolute value, otherwise `MoveError`.
///
/// ```python
/// >>> from gridwright.domination import ParametricLine
/// >>> line = ParametricLine((0, 0), (3, 4))
/// >>> line.tail_point, line.head_point, line.vector
/// ((0.5, 0.5), (3.5, 4.5), (3.0, 4.0))
/// >>> line.vector_normalized, line.midpoint, line.barycentric_coordinate(0.25)
/// ((0.6, 0.8), (2.0, 2.5), (1.25, 1.5))
///
/// ```
#[pyclass(name = "ParametricLine", module = "gridwright.domination", eq, frozen)]
#[derive(Clone, PartialEq)]
pub(super) struct PyLine(ParametricLine);

#[pymethods]
impl PyLine {
    #[new]
    fn new(tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(ParametricLine::new(ends(tail, head)?)))
    }

    /// Tail cell, `(row, col)`.
    #[getter]
    fn tail_cell(&self) -> (i32, i32) {
        (self.0.ends()[0], self.0.ends()[1])
    }

    /// Head cell, `(row, col)`.
    #[getter]
    fn head_cell(&self) -> (i32, i32) {
        (self.0.ends()[2], self.0.ends()[3])
    }

    /// Center of the tail cell, `(row, col)`.
    #[getter]
    fn tail_point(&self) -> (f64, f64) {
        self.0.tail_point().into()
    }

    /// Center of the head cell, `(row, col)`.
    #[getter]
    fn head_point(&self) -> (f64, f64) {
        self.0.head_point().into()
    }

    /// Vector from the tail to the head, `(row, col)`.
    #[getter]
    fn vector(&self) -> (f64, f64) {
        self.0.vector().into()
    }

    /// Vector from the tail to the head scaled to length 1, `(row, col)`; (0, 0) for a line of zero length.
    #[getter]
    fn vector_normalized(&self) -> (f64, f64) {
        self.0.vector_normalized().into()
    }

    /// Midpoint, `(row, col)`.
    #[getter]
    fn midpoint(&self) -> (f64, f64) {
        self.0.midpoint().into()
    }

    /// Returns the point `(1 - t) * tail + t * head`.
    ///
    /// * `t`: a finite number, otherwise `ValueError`; 0 is the tail point and 1 the head point.
    fn barycentric_coordinate(&self, t: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
        Ok(self.0.barycentric_coordinate(array::finite("t", t)?).into())
    }

    fn __repr__(&self) -> String {
        let [a, b, c, d] = self.0.ends();
        format!("ParametricLine(({a}, {b}), ({c}, {d}))")
    }

    fn __getnewargs__(&self) -> ((i32, i32), (i32, i32)) {
        (self.tail_cell(), self.head_cell())
    }
}
