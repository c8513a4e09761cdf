//! GeeseSpotter in Python: the members that the game has beyond the shared ones, and functions on many boards.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array::{self, Argument};
use super::game::{MoveNotation, SharedGame, game_class};
use super::geese_fields::{Board, as_bytes};
use super::generator::{PositionGenerator, asks_for_any, parameter};
use super::long::{long, long_owned};
use crate::core::grid::MAX_CELLS;
use crate::core::{Budget, Cell, Error, Game, game, memory};
use crate::geese::{
    Advice, Deal, GeeseSpotter, MARK, Policy, Rule, SHOW, Step, Verdict, View, deal_many, fields, play_many,
};

game_class!(GeeseSpotterCore, GeeseSpotter, "GeeseSpotter");
super::batch::batch_class!(GeeseSpotterBatch, GeeseSpotter, GeeseSpotterCore, generator);

/// Creates the generator of the boards of a batch. Returns `None` if the recipe requires boards that need no guess or
/// have a given grade, because searching for those takes too long between two steps, or if it sets `limit` or
/// `progress`.
fn generator(recipe: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<GeeseSpotter>>> {
    if asks_for_any(recipe, &["no_guess", "difficulty", "limit", "progress"])? {
        return Ok(None);
    }
    let safe = parameter(recipe, "safe")?;
    let plan = deal(
        &parameter(recipe, "height")?,
        &parameter(recipe, "width")?,
        &parameter(recipe, "geese")?,
        Some(&safe).filter(|safe| !safe.is_none()),
    )?;
    let flood = array::flag("flood", &parameter(recipe, "flood")?)?;
    Ok(Some(Arc::new(move |seed| plan.game(seed).with_flood(flood))))
}

impl MoveNotation for GeeseSpotter {}

/// The default limit on the number of boards that `generate` tries until one needs no guess or has the requested grade.
const MAX_BOARDS: u64 = 100_000;

/// The largest number of nodes of the search for the fewest shows.
const MAX_NODES: u64 = 5_000_000;

/// The default limit on the number of states that a computation of chances visits.
const MAX_STATES: u64 = 200_000_000;

/// The number of fields of the boards that are dealt between two checks for signals: a few milliseconds of work.
const PIECE: usize = 1 << 22;

/// The number of states that a computation of chances may visit before it is restarted with a watcher: a few
/// milliseconds of work.
const QUICK: u64 = 1 << 16;

/// The number of games of expert size that are played between two reports of progress; on larger boards fewer games
/// are played.
const GAMES: usize = 256;

/// Returns the constants of the game by name: bits and values of fields, largest dimensions, codes, actions.
#[pyfunction]
pub(super) fn geese_codes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, number) in [
        ("GOOSE", fields::GOOSE),
        ("MARKED", fields::MARKED_BIT),
        ("HIDDEN", fields::HIDDEN_BIT),
        ("VALUE", fields::VALUE_MASK),
        ("X_DIM_MAX", fields::X_DIM_MAX as u8),
        ("Y_DIM_MAX", fields::Y_DIM_MAX as u8),
        ("CODE_DONE", fields::code::DONE),
        ("CODE_MARKED", fields::code::MARKED),
        ("CODE_REVEALED", fields::code::REVEALED),
        ("CODE_GOOSE", fields::code::GOOSE),
        ("ACTION_SHOW", SHOW as u8),
        ("ACTION_MARK", MARK as u8),
    ] {
        found.set_item(name, number)?;
    }
    Ok(found)
}

/// Reads the arguments that determine how new boards are dealt.
fn deal(
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    geese: &Bound<'_, PyAny>,
    safe: Option<&Bound<'_, PyAny>>,
) -> PyResult<Deal> {
    let (height, width) = (array::size("height", height, 1, MAX_CELLS)?, array::size("width", width, 1, MAX_CELLS)?);
    let geese = array::size("geese", geese, 0, MAX_CELLS)?;
    let safe = safe.map(|safe| array::cell("safe", safe, height, width)).transpose()?;
    Ok(Deal::new(height, width, geese, safe)?)
}

/// Computes the chance of a goose in each field of a view.
fn chances(view: &View, budget: &mut Budget<'_>) -> Result<Vec<f64>, Error> {
    view.probabilities(budget)
}

/// Creates a new game; `GeeseSpotter.generate` documents the arguments.
#[pyfunction]
#[pyo3(signature = (height, width, geese, safe, no_guess, flood, difficulty, seed, limit, progress))]
#[allow(clippy::too_many_arguments)] // called by GeeseSpotter.generate only
pub(super) fn geese_generate(
    py: Python<'_>,
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    geese: &Bound<'_, PyAny>,
    safe: Option<&Bound<'_, PyAny>>,
    no_guess: &Bound<'_, PyAny>,
    flood: &Bound<'_, PyAny>,
    difficulty: Option<u8>,
    seed: Option<&Bound<'_, PyAny>>,
    limit: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<GeeseSpotterCore> {
    let mut deal = deal(height, width, geese, safe)?;
    if difficulty.is_some() && safe.is_none() {
        // The field that is already shown in the new game is a zero if the geese leave room for one.
        let ((height, width), geese) = (deal.shape(), deal.geese());
        deal = Deal::new(height, width, geese, Some(Cell::new(0, 0))).unwrap_or(deal);
    }
    let (no_guess, flood) = (array::flag("no_guess", no_guess)?, array::flag("flood", flood)?);
    let (seed, most) = (array::seed(seed)?, array::limit(limit)?.unwrap_or(MAX_BOARDS));
    memory::probe(deal.cells() * memory::PER_CELL, "a board of this size")?;
    let cells = deal.cells();
    let game = match difficulty {
        Some(5) if no_guess => {
            return Err(PyValueError::new_err("no_guess must be False for difficulty 5 (fiendish), got True"));
        }
        Some(grade) => {
            long_owned(py, "steps", None, progress, cells, move |budget| deal.graded(grade, flood, seed, most, budget))?
        }
        None if no_guess => {
            long_owned(py, "steps", None, progress, cells, move |budget| deal.no_guess(seed, most, budget))?
        }
        None => long_owned(py, "boards", None, progress, cells, move |_| Ok(deal.game(seed)))?,
    };
    Ok(GeeseSpotterCore(SharedGame::from_state(game.with_flood(flood))))
}

/// Deals boards in pieces, so that Ctrl-C takes effect between them; board `i` does not depend on the pieces.
fn deal_all(deal: &Deal, seed: u64, boards: &mut [u8], threads: usize, budget: &mut Budget<'_>) -> Result<(), Error> {
    let mut from = 0;
    for piece in boards.chunks_mut((PIECE / deal.cells()).max(1) * deal.cells()) {
        deal_many(deal, seed, from, piece, threads);
        let dealt = (piece.len() / deal.cells()) as u64;
        from += dealt;
        budget.spend(dealt)?;
    }
    Ok(())
}

/// Creates `n` boards in an `(n, height, width)` uint8 array, a fresh one or `out`.
#[pyfunction]
#[pyo3(signature = (n, height, width, geese, safe, seed, threads, out, progress))]
#[allow(clippy::too_many_arguments)] // called by gridwright.geese.boards only
pub(super) fn geese_boards<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    height: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    geese: &Bound<'py, PyAny>,
    safe: Option<&Bound<'py, PyAny>>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let n = array::size("n", n, 0, usize::MAX)?;
    let deal = deal(height, width, geese, safe)?;
    let (height, width) = deal.shape();
    let (seed, threads) = (array::seed(seed)?, array::threads(threads)?);
    let Some(out) = out else {
        let size = n.checked_mul(deal.cells()).filter(|&size| isize::try_from(size).is_ok());
        let mut boards = Vec::new();
        size.and_then(|size| boards.try_reserve_exact(size).ok())
            .ok_or_else(|| Error::memory(format_args!("{n} boards of {height} x {width}")))?;
        boards.resize(n * deal.cells(), 0);
        long(py, "boards", None, progress, |budget| deal_all(&deal, seed, &mut boards, threads, budget))?;
        let made: Bound<'py, PyArray3<u8>> = PyArray1::from_vec(py, boards).reshape([n, height, width])?;
        return Ok(made.into_any());
    };
    let array = as_bytes("out", out)?;
    if array.shape() != [n, height, width] {
        let found = array::shown(&out.getattr("shape")?);
        return Err(PyValueError::new_err(format!("out must have shape ({n}, {height}, {width}), got {found}")));
    }
    let mut boards = array::writable("out", array, n * deal.cells())?;
    let slice = boards.as_slice_mut()?;
    long(py, "boards", None, progress, |budget| deal_all(&deal, seed, slice, threads, budget))?;
    Ok(out.clone())
}

/// Which fields of a new board `play_many` keeps free of geese.
#[derive(Clone, Copy)]
enum Start {
    /// No field.
    Any,
    /// The field that is shown first.
    Safe,
    /// The field that is shown first and its neighbors, so that the field is a zero.
    Zero,
}

/// Plays `games` new boards to the end and returns which were won: a fresh `(games,)` bool array.
#[pyfunction]
#[pyo3(signature = (games, height, width, geese, first, start, policy, seed, threads, progress))]
#[allow(clippy::too_many_arguments)] // called by gridwright.geese.play_many only
pub(super) fn geese_play_many<'py>(
    py: Python<'py>,
    games: &Bound<'py, PyAny>,
    height: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    geese: &Bound<'py, PyAny>,
    first: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    policy: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    threads: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let games = array::size("games", games, 0, usize::MAX)?;
    let any = deal(height, width, geese, None)?;
    let (height, width) = any.shape();
    let first = array::cell("first", first, height, width)?;
    let start = array::choice("start", start, &[("any", Start::Any), ("safe", Start::Safe), ("zero", Start::Zero)])?;
    let deal = match start {
        Start::Any => any,
        Start::Safe => Deal::with_first(height, width, any.geese(), first)?,
        Start::Zero => Deal::new(height, width, any.geese(), Some(first))?,
    };
    let policy = array::choice("policy", policy, &Policy::ALL)?;
    let (seed, threads) = (array::seed(seed)?, array::threads(threads)?);
    let mut won = Vec::new();
    won.try_reserve_exact(games).map_err(|_| Error::memory(format_args!("{games} games")))?;
    let won = long(py, "games", None, progress, move |budget| {
        // In pieces, to report progress between them; game i does not depend on the pieces.
        let most = (GAMES * 480 / deal.cells()).clamp(1, GAMES);
        while won.len() < games {
            let piece = (games - won.len()).min(most);
            let from = won.len() as u64;
            won.extend(play_many(&deal, first, policy, piece, seed, from, threads, budget)?);
            budget.spend(piece as u64)?;
        }
        Ok(won)
    })?;
    Ok(PyArray1::from_vec(py, won))
}

/// Computes the exact chance of a goose in each field of a board as a player sees it.
#[pyfunction]
#[pyo3(signature = (board, geese, limit=None, progress=None))]
pub(super) fn geese_probabilities<'py>(
    board: &Bound<'py, PyAny>,
    geese: &Bound<'py, PyAny>,
    limit: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let py = board.py();
    let (view, height, width) = {
        let board = Board::read(board)?;
        let (height, width) = (board.height, board.width);
        let geese = array::size("geese", geese, 0, height * width)?;
        (View::new(height, width, geese, board.cells()?)?, height, width)
    };
    let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
    let work = move |budget: &mut Budget<'_>| chances(&view, budget);
    let found = long_owned(py, "states", Some(limit), progress, height * width, work)?;
    array::matrix(py, height, width, found)
}

/// A field as `(row, col)`.
type Place = (usize, usize);

/// A step of reasoning for Python: rule, numbers, safe fields, geese, whether the number of geese is used, and the
/// guess with its chance.
type StepTuple = (&'static str, Vec<Place>, Vec<Place>, Vec<Place>, bool, Option<(Place, f64)>);

/// Converts a step of reasoning for Python.
fn step_tuple(step: Step, width: usize) -> StepTuple {
    let place = |index: usize| (index / width, index % width);
    let places = |fields: Vec<usize>| fields.into_iter().map(place).collect();
    let guess = step.guess.map(|Advice { index, chance }| (place(index), chance));
    (Rule::ALL[step.rule as usize].0, places(step.numbers), places(step.safe), places(step.geese), step.total, guess)
}

#[pymethods]
impl GeeseSpotterCore {
    /// Number of geese on the board.
    #[getter]
    fn geese(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.lock(py)?.state().geese())
    }

    /// Whether a zero opens its whole region, as in classic Minesweeper.
    #[getter]
    fn flood(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.lock(py)?.state().flood())
    }

    /// Number of shows of a goose that were undone.
    #[getter]
    fn lives(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.state().lives())
    }

    /// Sets `lives`, for pickles.
    fn _set_lives(&self, py: Python<'_>, lives: u32) -> PyResult<()> {
        self.0.change(py, |history| {
            history.set_counters(|game| game.set_lives(lives));
            Ok(())
        })
    }

    /// All fields in the encoding of the source document, including the values that the player may not see: a fresh
    /// `(height, width)` uint8 array.
    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.0.state(py)?;
        array::matrix(py, game.height(), game.width(), game.secret().to_vec())
    }

    /// The characters that the source document prints, `*`, `M` or a digit per field: a fresh `(height, width)` uint32
    /// array of code points.
    fn _symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let game = self.0.state(py)?;
        let symbols = game.secret().iter().map(|&field| u32::from(fields::symbol(field))).collect();
        array::matrix(py, game.height(), game.width(), symbols)
    }

    /// Shows a field and returns a code from the source document.
    ///
    /// * `cell`: the field, `(row, col)`.
    ///
    /// Returns 0 if the field was shown and is safe, 9 if it was shown and holds a goose, 1 if it is marked, and 2 if
    /// it was revealed before. A marked or revealed field does not change, but showing a revealed zero again shows its
    /// hidden, unmarked neighbors. Raises `MoveError` for a cell off the board and `IllegalMoveError` if the game is
    /// over.
    fn show(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        self.act(SHOW, cell)
    }

    /// Marks a hidden field, or removes its mark, and returns a code from the source document.
    ///
    /// * `cell`: the field, `(row, col)`.
    ///
    /// Returns 0 if the mark was set or removed, and 2 if the field is revealed and does not change. Raises `MoveError`
    /// for a cell off the board and `IllegalMoveError` if the game is over.
    fn mark(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        self.act(MARK, cell)
    }

    /// Computes the exact chance of a goose in each field: a fresh `(height, width)` float64 array.
    ///
    /// All boards that agree with what the player sees and with the number of geese are equally likely. The chance is 1
    /// for a goose that was shown and 0 for any other revealed field; for a hidden field, it is exactly 0 or 1 if and
    /// only if the field is certain, except that chances below about 10^-300 may be rounded to 0, and chances
    /// equally close to 1 to 1.
    ///
    /// * `limit`: the most states that the computation may visit, an integer from 0 to 2^64 - 1; by default
    ///   200,000,000; `SearchLimitError` beyond it, and if too many fields depend on one another to be counted.
    /// * `progress`: a callable that receives the number of states so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let watched = limit.is_some() || progress.is_some();
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let view = self.0.lock(py)?.state().view();
        let (height, width) = (view.height(), view.width());
        // Usually the computation takes at most tens of microseconds, so it is first tried without releasing the
        // interpreter lock.
        let first =
            (height * width <= 1000 && !watched).then(|| chances(&view, &mut Budget::new("states", Some(QUICK), None)));
        let found = match first {
            Some(Ok(found)) => found,
            None | Some(Err(Error::Limit(_))) => {
                let work = move |budget: &mut Budget<'_>| chances(&view, budget);
                long_owned(py, "states", Some(limit), progress, height * width, work)?
            }
            Some(Err(error)) => return Err(error.into()),
        };
        array::matrix(py, height, width, found)
    }

    /// Returns the best field to show, `(row, col)`, based only on what the player may know; `None` if the game is over
    /// or only geese are hidden.
    ///
    /// If the policy takes a marked field, which must be unmarked before it is shown, the first unmarked field that is
    /// at least as safe is returned instead, if there is one.
    ///
    /// * `policy`: how to guess if no field is certainly safe. `"safest"` takes the first field with the least chance;
    ///   `"progress"` takes, of the fields with the least chance, one with the fewest hidden neighbors that are known
    ///   neither to be safe nor to hold a goose; `"lookahead"` (the default) takes, of the fields nearly as safe as the
    ///   safest, one for which this show and the next are most likely both safe, and plays perfectly once at most 300
    ///   boards are left, unless that takes too much work; `"deep"` does the same with 1,024 boards, prefers guesses
    ///   that settle an unavoidable coin toss, and takes about five times as long per expert game.
    /// * `limit`: the most states that the computation may visit, an integer from 0 to 2^64 - 1; by default
    ///   200,000,000; `SearchLimitError` beyond it, and if too many fields depend on one another to be counted.
    /// * `progress`: a callable that receives the number of states so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    #[pyo3(
        signature = (*, policy=array::ABSENT, limit=None, progress=None),
        text_signature = "($self, *, policy='lookahead', limit=None, progress=None)"
    )]
    fn hint(
        &self,
        py: Python<'_>,
        policy: Argument<'_, '_>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Place>> {
        let policy = policy.or(Policy::default(), |policy| array::choice("policy", policy, &Policy::ALL))?;
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let (_, width) = self.0.shape(py)?;
        let advice = self.0.work(py, "states", Some(limit), progress, move |game, budget| game.hint(policy, budget))?;
        Ok(advice.map(|advice| (advice.index / width, advice.index % width)))
    }

    /// Explains a field: `(verdict, chance, steps, best show with its chance)`.
    #[pyo3(signature = (cell, limit, progress))]
    #[allow(clippy::type_complexity)] // read by GeeseSpotter.explain only
    fn _explain_field(
        &self,
        cell: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(&'static str, f64, Vec<StepTuple>, Option<(Place, f64)>)> {
        let py = cell.py();
        let (height, width) = self.0.shape(py)?;
        let at = array::cell("cell", cell, height, width)?;
        let index = at.row as usize * width + at.col as usize;
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let found =
            self.0.work(py, "states", Some(limit), progress, move |game, budget| game.explain(index, budget))?;
        let steps = found.steps.into_iter().map(|step| step_tuple(step, width)).collect();
        let best = found.best.map(|best| ((best.index / width, best.index % width), best.chance));
        Ok((Verdict::ALL[found.verdict as usize].0, found.chance, steps, best))
    }

    /// Returns the easiest step of reasoning that leads to a move, or a guess if there is no such step, together with
    /// the moves of the step (none for a guess). Returns `None` if the game is over.
    #[pyo3(signature = (limit, progress))]
    fn _explain_next<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<(StepTuple, Bound<'py, PyArray2<i32>>)>> {
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let (_, width) = self.0.shape(py)?;
        let found = self.0.work(py, "states", Some(limit), progress, |game, budget| {
            Ok(game.explain_next(budget)?.map(|step| (game.moves_of_step(&step), step)))
        })?;
        found.map(|(moves, step)| Ok((step_tuple(step, width), array::moves(py, moves)?))).transpose()
    }

    /// Returns moves that mark the fields of `geese` and show those of `safe`.
    fn _moves_of<'py>(
        &self,
        py: Python<'py>,
        safe: Vec<Place>,
        geese: Vec<Place>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let game = self.0.state(py)?;
        let indices =
            |places: Vec<Place>| places.into_iter().map(|(r, c)| r * game.width() + c).collect::<Vec<usize>>();
        array::moves(py, game.moves_of(&indices(safe), &indices(geese)))
    }

    /// Returns the effort of finishing the game: `(grade, steps by rule, shows)`.
    #[pyo3(signature = (first, limit, progress))]
    fn _effort<'py>(
        &self,
        py: Python<'py>,
        first: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(u8, Bound<'py, PyDict>, u32)> {
        let (height, width) = self.0.shape(py)?;
        let first = first.map_or(Ok(Cell::new(0, 0)), |first| array::cell("first", first, height, width))?;
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let effort =
            self.0.work(py, "states", Some(limit), progress, move |game, budget| game.effort(first, budget))?;
        let rules = PyDict::new(py);
        for (name, rule) in Rule::ALL {
            rules.set_item(name, effort.of(rule))?;
        }
        Ok((effort.grade(), rules, effort.shows))
    }

    /// Returns moves that show fields which are certainly safe, based only on what the player may know: a fresh
    /// `(n, 3)` int32 array.
    ///
    /// The game does not change. The moves are legal in the given order, whatever they reveal. Play them and call
    /// `solve` again for the next moves, or call `play_on`. A marked field is unmarked before it is shown. Returns no
    /// moves for a won game, and `None` if the game is lost or exact chances prove that no hidden field is certainly
    /// safe.
    ///
    /// * `limit`: the most states that the computation may visit, an integer from 0 to 2^64 - 1; by default
    ///   200,000,000; `SearchLimitError` beyond it, and if too many fields depend on one another to be counted.
    /// * `progress`: a callable that receives the number of states so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let moves = self.0.work(py, "states", Some(limit), progress, GeeseSpotter::solve)?;
        moves.map(|moves| array::moves(py, moves)).transpose()
    }

    /// Returns moves that continue the game from the current position: a fresh `(n, 3)` int32 array.
    #[pyo3(signature = (policy, guess, limit, progress))]
    fn _play_on<'py>(
        &self,
        py: Python<'py>,
        policy: &Bound<'py, PyAny>,
        guess: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let (policy, guess) = (array::choice("policy", policy, &Policy::ALL)?, array::flag("guess", guess)?);
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        let moves = self
            .0
            .work(py, "states", Some(limit), progress, move |game, budget| game.play_on(policy, guess, budget))?;
        array::moves(py, moves)
    }

    /// The fewest shows that win the board in classic Minesweeper: one per opening, and one per number that borders no
    /// opening (3BV).
    #[getter]
    fn three_bv(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.work(py, "fields", None, None, |game, _| Ok(game.three_bv()))
    }

    /// Number of regions of zeros on the board.
    #[getter]
    fn openings(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.work(py, "fields", None, None, |game, _| Ok(game.openings()))
    }

    /// The fewest shows that win the board with all fields hidden, by the rules of this game, in which a zero shows
    /// only its neighbors. Like `three_bv`, the number does not depend on what has been shown.
    ///
    /// With `flood`, the number equals `three_bv`. Parts of the board that no zero connects are searched one by one.
    /// Raises `SearchLimitError` if the proof takes more than 5,000,000 nodes; a node counts once more per 128 fields
    /// of its part.
    #[getter]
    fn min_shows(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.work(py, "nodes", Some(MAX_NODES), None, GeeseSpotter::min_shows)
    }

    /// Returns the fewest shows that win the board from this position.
    fn _min_shows_left(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.work(py, "nodes", Some(MAX_NODES), None, GeeseSpotter::min_shows_left)
    }

    /// Returns whether logic alone wins the board from the start: exact chances prove that every show after the first
    /// is safe.
    ///
    /// * `cell`: the field that is shown first, `(row, col)`. A cell off the board raises `MoveError`.
    /// * `limit`: the most states that the computation may visit, an integer from 0 to 2^64 - 1; by default
    ///   200,000,000; `SearchLimitError` beyond it, and if too many fields depend on one another to be counted.
    /// * `progress`: a callable that receives the number of states so far, or an object with `update`, such as a tqdm
    ///   bar. `None`, the default, for no reports.
    #[pyo3(signature = (cell, *, limit=None, progress=None))]
    fn needs_no_guess(
        &self,
        cell: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let py = cell.py();
        let (height, width) = self.0.shape(py)?;
        let first = array::cell("cell", cell, height, width)?;
        let limit = array::limit(limit)?.unwrap_or(MAX_STATES);
        self.0.work(py, "states", Some(limit), progress, move |game, budget| game.needs_no_guess(first, budget))
    }
}

impl GeeseSpotterCore {
    /// Plays a move and returns a code from the source document; a move that changes nothing is not played.
    fn act(&self, action: i32, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        let [row, col] = array::any_cell("cell", cell)?;
        self.0.change(cell.py(), |history| {
            let mv = game::lookup(history.state(), &[i64::from(action), row, col])?;
            let code = history.state().code(mv);
            let over = history.state().status().is_over();
            match history.play(mv) {
                Err(Error::Illegal { .. }) if !over => Ok(code),
                played => played.map(|_| code).map_err(PyErr::from),
            }
        })
    }
}
