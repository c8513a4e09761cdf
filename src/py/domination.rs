//! Linear Domination in Python: the shared class and what it has beyond that.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::array;
use super::error::not_a_move;
use super::game::{Shell, Spoken, game_class};
use super::long::long;
use crate::core::Error;
use crate::core::game::DEEPEST;
use crate::domination::{CODES, Ends, FAR, LinearDomination, MAX_LOOKBACK, MAX_SIZE, ParametricLine, Rules, Verdict};

game_class!(LinearDominationCore, LinearDomination, "LinearDomination");
super::batch::batch_class!(LinearDominationBatch, LinearDomination, LinearDominationCore);

impl Spoken for LinearDomination {}

/// Gives the board codes by their names.
#[pyfunction]
pub(super) fn domination_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, code) in CODES {
        found.set_item(name, code)?;
    }
    Ok(found)
}

/// Gives the numbers of the verdicts by their names.
#[pyfunction]
pub(super) fn domination_verdicts(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, verdict) in Verdict::ALL {
        found.set_item(name, verdict as u8)?;
    }
    Ok(found)
}

/// Reads a text and gives what the program of the source document writes; `progress` is called with the plays so far.
#[pyfunction]
#[pyo3(signature = (text, progress=None))]
pub(super) fn domination_report(py: Python<'_>, text: &str, progress: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    long(py, "plays", None, progress, |budget| Ok(LinearDomination::parse_watched(text, budget)?.report()))
}

fn rules(name: &str) -> PyResult<Rules> {
    let wanted = Rules::ALL.map(|(name, _)| name).join("' or '");
    Rules::named(name).ok_or_else(|| PyValueError::new_err(format!("rules '{name}', wanted '{wanted}'")))
}

/// The most plays of a game that is played out at random: a game remembers each.
const MOST_PLAYS: u64 = 1 << 24;

/// Reads size, lookback and rule set, and makes the empty board.
fn board(size: &Bound<'_, PyAny>, lookback: &Bound<'_, PyAny>, rules: &str) -> PyResult<LinearDomination> {
    let size = array::whole("size", size, 1, MAX_SIZE as u64)?;
    let lookback = array::whole("lookback", lookback, 0, u64::from(MAX_LOOKBACK))?;
    Ok(LinearDomination::empty(size as usize, lookback as u32, self::rules(rules)?)?)
}

fn ends(tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<Ends> {
    let ([a, b], [c, d]) = (array::any_cell("tail", tail)?, array::any_cell("head", head)?);
    let ends = [a, b, c, d];
    let far = i64::from(FAR);
    if let Some(wrong) = ends.iter().find(|part| !(-far..=far).contains(*part)) {
        let shown = match *wrong {
            i64::MAX => "too large".to_owned(),
            i64::MIN => "too small".to_owned(),
            number => number.to_string(),
        };
        return Err(not_a_move(format!("coordinate {shown}, wanted {} to {far}", -far)));
    }
    Ok(ends.map(|part| part as i32))
}

/// Makes a Python object of a class around a new position.
fn made<'py>(class: &Bound<'py, PyType>, game: LinearDomination) -> PyResult<Bound<'py, PyAny>> {
    let core = Bound::new(class.py(), LinearDominationCore(Shell::from_state(game)))?;
    class.call1((core,))
}

#[pymethods]
impl LinearDominationCore {
    /// Makes an empty board of `size` rows and columns, on which the last `lookback` plays are looked back at.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> gw.LinearDomination.empty(8, 3)
    /// LinearDomination('8 3 standard\n')
    ///
    /// ```
    #[classmethod]
    #[pyo3(signature = (size, lookback, *, rules="standard"))]
    fn empty<'py>(
        class: &Bound<'py, PyType>,
        size: &Bound<'py, PyAny>,
        lookback: &Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        made(class, board(size, lookback, rules)?)
    }

    /// Makes a game of `plays` random legal plays, of fewer where no legal play is left; the same seed gives the same game.
    ///
    /// `progress` is called with the plays so far.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> game = gw.LinearDomination.generate(8, 3, 10, seed=1)
    /// >>> len(game.plays), game == gw.LinearDomination.generate(8, 3, 10, seed=1)
    /// (10, True)
    ///
    /// ```
    #[classmethod]
    #[pyo3(signature = (size, lookback, plays, seed=None, *, rules="standard", progress=None))]
    fn generate<'py>(
        class: &Bound<'py, PyType>,
        size: &Bound<'py, PyAny>,
        lookback: &Bound<'py, PyAny>,
        plays: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
        rules: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (empty, seed) = (board(size, lookback, rules)?, array::seed(seed)?);
        let plays = array::whole("plays", plays, 0, MOST_PLAYS)? as usize;
        let game = long(class.py(), "plays", None, progress, move |budget| {
            LinearDomination::generate(empty.size(), empty.lookback(), plays, empty.rules(), seed, budget)
        })?;
        made(class, game)
    }

    /// Number of rows, and of columns.
    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        self.0.lock(py).state().size()
    }

    /// How many plays are looked back at.
    #[getter]
    fn lookback(&self, py: Python<'_>) -> u32 {
        self.0.lock(py).state().lookback()
    }

    /// The rule set: `"standard"` or `"uccs2023"`.
    #[getter]
    fn rules(&self, py: Python<'_>) -> &'static str {
        self.0.lock(py).state().rules().name()
    }

    /// The cells of X and of O: `(X, O)`.
    #[getter]
    fn counts(&self, py: Python<'_>) -> (u32, u32) {
        let [x, o] = self.0.lock(py).state().counts();
        (x, o)
    }

    /// All plays from the first on, those of the text too: a fresh `(n, 4)` int32 array, 0-based.
    #[getter]
    fn plays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let plays: Vec<Ends> = self.0.lock(py).state().plays().iter().map(|play| play.ends).collect();
        array::moves(py, plays.into_iter())
    }

    /// What the rules said of each play, numbers of `Verdict`: a fresh `(n,)` uint8 array.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let verdicts: Vec<u8> = self.0.lock(py).state().plays().iter().map(|play| play.verdict as u8).collect();
        verdicts.into_pyarray(py)
    }

    /// The index of the play that each play clashed with, the latest one, -1 for none: a fresh `(n,)` int32 array.
    #[getter]
    fn clashes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let clash = |clash: Option<u32>| clash.map_or(-1, |play| play as i32);
        let clashes: Vec<i32> = self.0.lock(py).state().plays().iter().map(|play| clash(play.clash)).collect();
        clashes.into_pyarray(py)
    }

    /// Whose turn it is: 1 for X, 2 for O.
    fn _to_move(&self, py: Python<'_>) -> usize {
        self.0.lock(py).state().to_move() + 1
    }

    /// Who has more cells: 1 for X, 2 for O, 0 for equal numbers.
    fn _winner(&self, py: Python<'_>) -> usize {
        self.0.lock(py).state().winner().map_or(0, |player| player + 1)
    }

    /// Makes a play whatever the rules say; gives the number of the verdict.
    fn _draw(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<u8> {
        let ends = ends(tail, head)?;
        let mut history = self.0.lock(py);
        history.record(ends);
        Ok(history.state().plays().last().map_or(0, |play| play.verdict as u8))
    }

    /// Gives the number of the verdict on a play, and the play that it clashes with.
    fn _judge(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<(u8, Option<u32>)> {
        let ends = ends(tail, head)?;
        let (verdict, clash) = self.0.lock(py).state().judge(ends);
        Ok((verdict as u8, clash))
    }

    /// Tells by how much a play would better the margin of the player to move, were it legal: cells that were empty count
    /// once, cells of the other player twice.
    fn gain(&self, py: Python<'_>, tail: &Bound<'_, PyAny>, head: &Bound<'_, PyAny>) -> PyResult<i64> {
        let history = self.0.lock(py);
        let size = history.state().size();
        drop(history);
        let (tail, head) = (array::cell("tail", tail, size, size)?, array::cell("head", head, size, size)?);
        Ok(self.0.lock(py).state().gain([tail.row, tail.col, head.row, head.col]))
    }

    /// The board as the source document prints it: each cell `.`, `X` or `O` and a space, a row a line.
    fn display_board(&self, py: Python<'_>) -> String {
        self.0.lock(py).state().display_board()
    }

    /// What the program of the source document writes: the board, then `Player X: V cells; Player O: W cells`.
    fn report(&self, py: Python<'_>) -> String {
        self.0.lock(py).state().report()
    }

    /// Gives a play for the player to move: `(row, col, row, col)`, or `None` where there is no legal one.
    ///
    /// * `"greedy"`: the best margin at once, the first of equals.
    /// * `"minimax"`: the best margin after `depth` plays when both play their best (alpha-beta).
    /// * `"mcts"`: a tree search of `playouts` random games that end after `plies` plays; `seed` as everywhere.
    ///
    /// Raises `SearchLimitError` over `limit` plays looked at (`"mcts"`: playouts); `progress` is called with their number.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> gw.LinearDomination.empty(5, 2).suggest()
    /// (0, 0, 3, 4)
    ///
    /// ```
    #[pyo3(
        signature = (
            player="greedy", *, depth=None, playouts=array::Counted(1000), plies=None, seed=None, limit=None, progress=None
        ),
        text_signature = "($self, player='greedy', *, depth=2, playouts=1000, plies=20, seed=None, limit=None, progress=None)"
    )]
    #[allow(clippy::too_many_arguments)] // the options of three players
    fn suggest<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        depth: Option<&Bound<'py, PyAny>>,
        playouts: array::Counted<u64>,
        plies: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let depth = depth.map_or(Ok(2), |depth| array::whole("depth", depth, 0, DEEPEST.into()))? as u32;
        let plies = plies.map_or(Ok(20), |plies| array::whole("plies", plies, 0, MOST_PLAYS))? as usize;
        let (playouts, limit) = (playouts.0, limit.map(|limit| limit.0));
        let (game, seed) = (self.0.state(py), array::seed(seed)?);
        let found = match player {
            "greedy" => long(py, "plays", limit, progress, move |budget| game.greedy(budget)),
            "minimax" => long(py, "plays", limit, progress, move |budget| game.minimax(depth, budget)),
            "mcts" => long(py, "playouts", limit, progress, move |budget| game.mcts(playouts, plies, seed, budget)),
            _ => {
                let wanted = "wanted 'greedy', 'minimax' or 'mcts'";
                return Err(PyValueError::new_err(format!("player '{player}', {wanted}")));
            }
        }?;
        found.map(|ends| PyTuple::new(py, ends)).transpose()
    }

    /// Solves the game that ends after `plies` more plays: `(margin, plays)`, what best play of both sides leads to.
    ///
    /// `margin` is the cells of the player to move less those of the other at the end, `plays` the `(n, 4)` int32 array that
    /// leads there. Raises `SearchLimitError` over `limit` plays looked at.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> margin, plays = gw.LinearDomination.empty(3, 2).outlook(2)
    /// >>> margin, len(plays)
    /// (-3, 2)
    ///
    /// ```
    #[pyo3(signature = (plies, *, limit=None, progress=None))]
    fn outlook<'py>(
        &self,
        py: Python<'py>,
        plies: &Bound<'py, PyAny>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(i64, Bound<'py, PyArray2<i32>>)> {
        let plies = array::whole("plies", plies, 0, DEEPEST.into())? as u32;
        let limit = limit.map(|limit| limit.0);
        let game = self.0.state(py);
        let found = long(py, "plays", limit, progress, move |budget| game.solve(plies, budget))?;
        Ok((found.margin, array::moves(py, found.line.into_iter())?))
    }

    /// Plays `n` random games of `plies` plays on from here: a fresh `(n, 2)` uint32 array of the cells of X and of O.
    ///
    /// Game `i` of a seed is the same whatever `n` and `threads` (0 chooses) are. `plies` is 2^24 at most. `progress` is
    /// called with the plays.
    ///
    /// ```python
    /// >>> import gridwright as gw
    /// >>> games = gw.LinearDomination.empty(8, 3).random_games(1000, seed=1)
    /// >>> games.shape, bool((games[:, 1] > games[:, 0]).mean() > 0.5)  # who plays last has more
    /// ((1000, 2), True)
    ///
    /// ```
    #[pyo3(
        signature = (n, *, plies=None, seed=None, threads=array::Counted(0), progress=None),
        text_signature = "($self, n, *, plies=20, seed=None, threads=0, progress=None)"
    )]
    fn random_games<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        plies: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        threads: array::Counted<usize>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let plies = plies.map_or(Ok(20), |plies| array::whole("plies", plies, 0, MOST_PLAYS))? as usize;
        let threads = threads.0;
        let (game, seed) = (self.0.state(py), array::seed(seed)?);
        let n = array::whole("n", n, 0, 1 << 28)? as usize;
        let counts = long(py, "plays", None, progress, move |budget| {
            let mut counts = vec![[0; 2]; n];
            game.random_games(plies, seed, threads, &mut counts, budget)?;
            Ok::<_, Error>(counts)
        })?;
        array::matrix(py, n, 2, counts.into_flattened())
    }
}

/// The line of a play as the source document has it, between the centres of its cells.
///
/// Cell `(row, col)` covers the square from `(row, col)` to `(row + 1, col + 1)`. A line of no length has the unit vector
/// (0, 0).
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

    /// The tail cell: `(row, col)`.
    #[getter]
    fn tail_cell(&self) -> (i32, i32) {
        (self.0.ends()[0], self.0.ends()[1])
    }

    /// The head cell: `(row, col)`.
    #[getter]
    fn head_cell(&self) -> (i32, i32) {
        (self.0.ends()[2], self.0.ends()[3])
    }

    /// The middle of the tail cell.
    #[getter]
    fn tail_point(&self) -> (f64, f64) {
        self.0.tail_point().into()
    }

    /// The middle of the head cell.
    #[getter]
    fn head_point(&self) -> (f64, f64) {
        self.0.head_point().into()
    }

    /// From the tail to the head.
    #[getter]
    fn vector(&self) -> (f64, f64) {
        self.0.vector().into()
    }

    /// The vector at length 1; (0, 0) for a line of no length.
    #[getter]
    fn vector_normalized(&self) -> (f64, f64) {
        self.0.vector_normalized().into()
    }

    /// The point half way.
    #[getter]
    fn midpoint(&self) -> (f64, f64) {
        self.0.midpoint().into()
    }

    /// The point `(1 - t) * tail + t * head`.
    fn barycentric_coordinate(&self, t: f64) -> (f64, f64) {
        self.0.barycentric_coordinate(t).into()
    }

    fn __repr__(&self) -> String {
        let [a, b, c, d] = self.0.ends();
        format!("ParametricLine(({a}, {b}), ({c}, {d}))")
    }

    fn __getnewargs__(&self) -> ((i32, i32), (i32, i32)) {
        (self.tail_cell(), self.head_cell())
    }
}
