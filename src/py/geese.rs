//! GeeseSpotter in Python: the shared class, what it has beyond that, and the source's functions on numpy boards.

use std::sync::Arc;

use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::array::writable;
use super::batch::{Maker, asks, ingredient};
use super::game::{Spoken, game_class};
use super::long::long;
use crate::core::{Budget, Cell, Error, Game, game};
use crate::geese::{Deal, GeeseSpotter, MARK, Policy, SHOW, Verdict, View, deal_many, fields, play_many};

game_class!(GeeseSpotterCore, GeeseSpotter, "GeeseSpotter");
super::batch::batch_class!(GeeseSpotterBatch, GeeseSpotter, GeeseSpotterCore, maker);

/// Boards for the episodes of a batch; those without guesses are searched for and so are none of these.
fn maker(recipe: &Bound<'_, PyDict>) -> PyResult<Option<Maker<GeeseSpotter>>> {
    if asks(recipe, &["no_guess", "limit", "progress"])? {
        return Ok(None);
    }
    let number = |name| count(name, &ingredient(recipe, name)?);
    let (height, width) = (number("height")?, number("width")?);
    let safe = Some(ingredient(recipe, "safe")?).filter(|safe| !safe.is_none());
    let deal = Deal::new(height, width, number("geese")?, safe_cell(safe.as_ref(), height, width)?)?;
    let flood = ingredient(recipe, "flood")?.is_truthy()?;
    Ok(Some(Arc::new(move |seed| deal.game(seed).with_flood(flood))))
}

impl Spoken for GeeseSpotter {}

/// The most boards that `generate` tries for one that needs no guess.
const MOST_BOARDS: u64 = 100_000;

/// The most nodes of the search for the fewest shows.
const MOST_NODES: u64 = 5_000_000;

/// Boards that are dealt in one go: some milliseconds.
const PIECE: usize = 1 << 13;

/// The most states of a count of chances.
const MOST_STATES: u64 = 200_000_000;

/// Gives the numbers of the game by their names: bits and values of fields, codes, actions.
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

fn refuse(sentence: String) -> PyErr {
    PyValueError::new_err(sentence)
}

fn policy(name: &str) -> PyResult<Policy> {
    Ok(Policy::named(name)?)
}

/// Reads a size, a number of geese or of boards.
fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let number = array::coordinate(value)
        .map_err(|_| PyTypeError::new_err(format!("{name} of type {}, wanted a whole number", value.get_type())))?;
    match usize::try_from(number) {
        Ok(count) if number < i64::MAX => Ok(count),
        _ => Err(refuse(format!("{name} {value}, wanted a whole number from 0 to 2^63 - 2"))),
    }
}

fn safe_cell(value: Option<&Bound<'_, PyAny>>, height: usize, width: usize) -> PyResult<Option<Cell>> {
    value.map(|value| array::cell("safe", value, height, width)).transpose()
}

/// Returns the chance of a goose in each field of a view.
fn chances(view: &View, budget: &mut Budget<'_>) -> Result<Vec<f64>, Error> {
    Ok(view.chances(budget)?.geese)
}

/// Makes the text of a new board.
#[pyfunction]
#[pyo3(signature = (height, width, geese, safe, no_guess, flood, seed, limit, progress))]
#[allow(clippy::too_many_arguments)] // called by GeeseSpotter.generate only
pub(super) fn geese_generate(
    py: Python<'_>,
    height: &Bound<'_, PyAny>,
    width: &Bound<'_, PyAny>,
    geese: &Bound<'_, PyAny>,
    safe: Option<&Bound<'_, PyAny>>,
    no_guess: bool,
    flood: bool,
    seed: Option<&Bound<'_, PyAny>>,
    limit: Option<array::Counted<u64>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<GeeseSpotterCore> {
    let limit = limit.map(|limit| limit.0);
    let (height, width) = (count("height", height)?, count("width", width)?);
    let deal = Deal::new(height, width, count("geese", geese)?, safe_cell(safe, height, width)?)?;
    let seed = array::seed(seed)?;
    let game = if no_guess {
        let most = limit.unwrap_or(MOST_BOARDS);
        long(py, "steps", None, progress, move |budget| deal.no_guess(seed, most, budget))?
    } else {
        py.detach(|| deal.game(seed))
    };
    Ok(GeeseSpotterCore(super::game::Shell::from_state(game.with_flood(flood))))
}

/// Deals boards in pieces, so that Ctrl-C is answered; board i is the same whatever the pieces.
fn deal_all(deal: &Deal, seed: u64, boards: &mut [u8], threads: usize, budget: &mut Budget<'_>) -> Result<(), Error> {
    let mut from = 0;
    for piece in boards.chunks_mut(PIECE * deal.cells()) {
        deal_many(deal, seed, from, piece, threads);
        let dealt = (piece.len() / deal.cells()) as u64;
        from += dealt;
        budget.spend(dealt)?;
    }
    Ok(())
}

/// Writes `n` boards, laid, counted and hidden, into an array of shape `(n, height, width)`.
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
    let (n, height, width) = (count("n", n)?, count("height", height)?, count("width", width)?);
    let deal = Deal::new(height, width, count("geese", geese)?, safe_cell(safe, height, width)?)?;
    let (seed, threads) = (array::seed(seed)?, count("threads", threads)?);
    let Some(out) = out else {
        let size = n.checked_mul(deal.cells()).filter(|&size| isize::try_from(size).is_ok());
        let mut boards = Vec::new();
        size.and_then(|size| boards.try_reserve_exact(size).ok())
            .ok_or_else(|| refuse(format!("{n} boards of {height} x {width}, wanted as many as memory holds")))?;
        boards.resize(n * deal.cells(), 0);
        long(py, "boards", None, progress, |budget| deal_all(&deal, seed, &mut boards, threads, budget))?;
        let made: Bound<'py, PyArray3<u8>> = PyArray1::from_vec(py, boards).reshape([n, height, width])?;
        return Ok(made.into_any());
    };
    let array = as_bytes(out)?;
    if array.shape() != [n, height, width] {
        return Err(refuse(format!("out of shape {:?}, wanted ({n}, {height}, {width})", array.shape())));
    }
    let mut boards = writable("out", array, n * deal.cells())?;
    let slice = boards.as_slice_mut()?;
    long(py, "boards", None, progress, |budget| deal_all(&deal, seed, slice, threads, budget))?;
    Ok(out.clone())
}

/// Plays `games` new boards to their ends and tells which were won: a fresh `(games,)` bool array.
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
    start: &str,
    policy: &str,
    seed: Option<&Bound<'py, PyAny>>,
    threads: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (games, height, width) = (count("games", games)?, count("height", height)?, count("width", width)?);
    let geese = count("geese", geese)?;
    let first = array::cell("first", first, height, width)?;
    let deal = match start {
        "any" => Deal::new(height, width, geese, None),
        "safe" => Deal::with_first(height, width, geese, first),
        "zero" => Deal::new(height, width, geese, Some(first)),
        _ => return Err(refuse(format!("start '{start}', wanted 'any', 'safe' or 'zero'"))),
    };
    let (deal, policy) = (deal?, self::policy(policy)?);
    let (seed, threads) = (array::seed(seed)?, count("threads", threads)?);
    let won = long(py, "games", None, progress, move |budget| {
        // In pieces, so that Ctrl-C is answered; game i is the same whatever the pieces.
        let mut won = Vec::new();
        while won.len() < games {
            let piece = (games - won.len()).min(256);
            let from = won.len() as u64;
            won.extend(play_many(&deal, first, policy, piece, seed, from, threads));
            budget.spend(piece as u64)?;
        }
        Ok::<_, Error>(won)
    })?;
    Ok(PyArray1::from_vec(py, won))
}

/// The exact chances of a board as a player sees it.
#[pyfunction]
#[pyo3(signature = (board, geese, limit=None, progress=None))]
pub(super) fn geese_probabilities<'py>(
    board: &Bound<'py, PyAny>,
    geese: &Bound<'py, PyAny>,
    limit: Option<array::Counted<u64>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let limit = limit.map(|limit| limit.0);
    let py = board.py();
    let geese = count("geese", geese)?;
    let (view, height, width) = {
        let board = Board::read(board)?;
        (View::new(board.height, board.width, geese, board.cells()?)?, board.height, board.width)
    };
    let found = long(py, "states", limit.or(Some(MOST_STATES)), progress, move |budget| chances(&view, budget))?;
    array::matrix(py, height, width, found)
}

#[pymethods]
impl GeeseSpotterCore {
    /// Number of geese on the board.
    #[getter]
    fn geese(&self, py: Python<'_>) -> usize {
        self.0.lock(py).state().geese()
    }

    /// Whether a zero opens its whole region, as in classic Minesweeper.
    #[getter]
    fn flood(&self, py: Python<'_>) -> bool {
        self.0.lock(py).state().flood()
    }

    /// How often a lost show was taken back.
    #[getter]
    fn lives(&self, py: Python<'_>) -> u32 {
        self.0.lock(py).state().lives()
    }

    /// Sets `lives`: for pickles.
    fn _set_lives(&self, py: Python<'_>, lives: u32) {
        self.0.lock(py).set_counters(|game| game.set_lives(lives));
    }

    /// All there is to know, in the source's encoding: a fresh `(height, width)` uint8 array.
    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.0.state(py);
        array::matrix(py, game.height(), game.width(), game.secret().to_vec())
    }

    /// What the source would print, `*`, `M` or a digit each: a fresh `(height, width)` uint8 array of letters.
    fn _symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let game = self.0.state(py);
        let symbols = game.secret().iter().map(|&field| fields::symbol(field)).collect();
        array::matrix(py, game.height(), game.width(), symbols)
    }

    /// Shows a field and gives the source's code: 0 shown, 9 a goose, 1 marked and 2 revealed before, where nothing changes;
    /// but a revealed zero shows its covered neighbours again. Raises `IllegalMoveError` when the game is over.
    fn show(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        self.act(SHOW, cell)
    }

    /// Marks or unmarks a field and gives the source's code: 0 done, 2 revealed, where nothing changes. Raises
    /// `IllegalMoveError` when the game is over.
    fn mark(&self, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        self.act(MARK, cell)
    }

    /// Tells the exact chance of a goose in each field: a fresh `(height, width)` float64 array.
    ///
    /// Given what is seen and the number of geese, over all boards that look like this one, each equally likely. 0 for a
    /// revealed field, 1 for a goose that was shown; exactly 0 or 1 where it is certain. Raises `SearchLimitError` where a
    /// component is too entangled, or after `limit` states; `progress` is called with their number.
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let limit = limit.map(|limit| limit.0);
        let view = self.0.lock(py).state().view();
        let (height, width) = (view.height(), view.width());
        let found = if height * width <= 1000 && limit.is_none() && progress.is_none() {
            // Tens of microseconds: not worth a watcher, but a limit all the same.
            chances(&view, &mut Budget::new("states", Some(MOST_STATES), None))
        } else {
            Ok(long(py, "states", limit.or(Some(MOST_STATES)), progress, move |budget| chances(&view, budget))?)
        };
        array::matrix(py, height, width, found?)
    }

    /// Names the best show, `(row, col)`; `None` where the game is over or only geese are hidden.
    ///
    /// `policy`: `"safest"`, `"progress"` (fewest hidden neighbours among the safest) or `"lookahead"` (nearly as safe, with
    /// the best next show; perfect where few boards are left). Where only marked fields are that good one of them is named;
    /// unmark it first. Raises `SearchLimitError` after `limit` states; `progress` is called with their number.
    #[pyo3(signature = (*, policy="lookahead", limit=None, progress=None))]
    fn hint(
        &self,
        py: Python<'_>,
        policy: &str,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(usize, usize)>> {
        let limit = limit.map_or(MOST_STATES, |limit| limit.0);
        let (policy, game) = (self::policy(policy)?, self.0.state(py));
        let width = game.width();
        let advice = long(py, "states", Some(limit), progress, move |budget| game.hint(policy, budget))?;
        Ok(advice.map(|advice| (advice.index / width, advice.index % width)))
    }

    /// Explains a field: `(verdict, chance, numbers, total, best)`, with `(cell, value, hidden cells)` for each number.
    #[allow(clippy::type_complexity)] // taken apart by GeeseSpotter.explain only
    #[pyo3(signature = (cell, limit=None, progress=None))]
    fn _explain(
        &self,
        cell: &Bound<'_, PyAny>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(&'static str, f64, Vec<((usize, usize), u8, Vec<(usize, usize)>)>, bool, Option<(usize, usize)>)>
    {
        let limit = limit.map(|limit| limit.0);
        let py = cell.py();
        let (height, width) = self.0.shape(py);
        let at = array::cell("cell", cell, height, width)?;
        let index = at.row as usize * width + at.col as usize;
        let view = self.0.lock(py).state().view();
        let explained =
            long(py, "states", limit.or(Some(MOST_STATES)), progress, move |budget| view.explain(index, budget))?;
        let place = |index: usize| (index / width, index % width);
        let verdict = Verdict::ALL.iter().find(|(_, known)| *known == explained.verdict).map_or("", |(name, _)| name);
        let numbers = explained
            .reasons
            .into_iter()
            .map(|reason| (place(reason.number), reason.value, reason.hidden.into_iter().map(place).collect()))
            .collect();
        Ok((verdict, explained.chance, numbers, explained.total, explained.best.map(place)))
    }

    /// Finds the moves that play on from here: a fresh `(n, 3)` int32 array.
    #[pyo3(signature = (policy, guess, limit, progress))]
    fn _play_on<'py>(
        &self,
        py: Python<'py>,
        policy: &str,
        guess: bool,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let limit = limit.map(|limit| limit.0);
        let (policy, game) = (self::policy(policy)?, self.0.state(py));
        let limit = limit.or(Some(MOST_STATES));
        let moves = long(py, "states", limit, progress, move |budget| game.play_on(policy, guess, budget))?;
        array::moves(py, moves.into_iter())
    }

    /// How many shows win the board in classic Minesweeper: its openings, and the numbers beside none (3BV).
    #[getter]
    fn three_bv(&self, py: Python<'_>) -> usize {
        let game = self.0.state(py);
        py.detach(|| game.three_bv())
    }

    /// How many regions of zeros the board has.
    #[getter]
    fn openings(&self, py: Python<'_>) -> usize {
        let game = self.0.state(py);
        py.detach(|| game.openings())
    }

    /// The fewest shows that win the board from the start by these rules, where a zero shows its neighbours only.
    ///
    /// With `flood` it is `three_bv`. Raises `SearchLimitError` where it is too hard to prove.
    #[getter]
    fn min_shows(&self, py: Python<'_>) -> PyResult<usize> {
        let game = self.0.state(py);
        long(py, "nodes", Some(MOST_NODES), None, move |budget| game.min_shows(budget))
    }

    /// Whether logic alone wins the board from the start when `cell` is shown first.
    ///
    /// Raises `SearchLimitError` after `limit` states; `progress` is called with their number.
    #[pyo3(signature = (cell, *, limit=None, progress=None))]
    fn needs_no_guess(
        &self,
        cell: &Bound<'_, PyAny>,
        limit: Option<array::Counted<u64>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let limit = limit.map_or(MOST_STATES, |limit| limit.0);
        let py = cell.py();
        let (height, width) = self.0.shape(py);
        let (first, game) = (array::cell("cell", cell, height, width)?, self.0.state(py));
        long(py, "states", Some(limit), progress, move |budget| game.needs_no_guess(first, budget))
    }
}

impl GeeseSpotterCore {
    fn act(&self, action: i32, cell: &Bound<'_, PyAny>) -> PyResult<u8> {
        let [row, col] = array::any_cell("cell", cell)?;
        let mut history = self.0.lock(cell.py());
        let mv = game::lookup(history.state(), &[i64::from(action), row, col])?;
        let code = history.state().code(mv);
        let over = history.state().status().is_over();
        match history.play(mv) {
            Err(Error::Illegal { .. }) if !over => Ok(code),
            played => played.map(|_| code).map_err(PyErr::from),
        }
    }
}

/// A numpy board that was checked: uint8, two dimensions, C-contiguous, at least one field.
struct Board<A> {
    array: A,
    height: usize,
    width: usize,
}

fn as_bytes<'a, 'py>(board: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyArrayDyn<u8>>> {
    board.cast::<PyArrayDyn<u8>>().map_err(|_| {
        let kind = match board.getattr("dtype") {
            Ok(dtype) if board.hasattr("__array_interface__").unwrap_or(false) => format!("an array of {dtype}"),
            _ => board.get_type().name().map_or_else(|_| "an object".to_owned(), |name| format!("a {name}")),
        };
        PyTypeError::new_err(format!("{kind} as a board, wanted a numpy array of uint8"))
    })
}

fn shape_of(array: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<(usize, usize)> {
    // A slice is had of Fortran's order too, and would be the board on its side.
    if !array.is_c_contiguous() {
        return Err(refuse(NOT_CONTIGUOUS.to_owned()));
    }
    match *array.shape() {
        [height, width] if height * width > 0 => Ok((height, width)),
        ref shape => Err(refuse(format!("a board of shape {shape:?}, wanted (height, width), both at least 1"))),
    }
}

const NOT_CONTIGUOUS: &str = "a board that is not C-contiguous, wanted one that is (numpy.ascontiguousarray makes one)";

impl<'py> Board<PyReadonlyArrayDyn<'py, u8>> {
    fn read(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let array = as_bytes(board)?;
        let (height, width) = shape_of(array)?;
        let array = array.try_readonly().map_err(|_| refuse("a board in use elsewhere, wanted it free".to_owned()))?;
        let board = Self { array, height, width };
        fields::check_fields(board.cells()?, width)?;
        Ok(board)
    }

    fn cells(&self) -> PyResult<&[u8]> {
        self.array.as_slice().map_err(|_| refuse(NOT_CONTIGUOUS.to_owned()))
    }
}

impl<'py> Board<PyReadwriteArrayDyn<'py, u8>> {
    /// Borrows a board to be changed; its fields are not checked yet.
    fn write(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let array = as_bytes(board)?;
        let (height, width) = shape_of(array)?;
        let array = array
            .try_readwrite()
            .map_err(|_| refuse("a read-only board or one in use, wanted one that can be written".to_owned()))?;
        let mut board = Self { array, height, width };
        board.cells()?;
        Ok(board)
    }

    fn sound(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut board = Self::write(board)?;
        let width = board.width;
        fields::check_fields(board.cells()?, width)?;
        Ok(board)
    }

    fn cells(&mut self) -> PyResult<&mut [u8]> {
        self.array.as_slice_mut().map_err(|_| refuse(NOT_CONTIGUOUS.to_owned()))
    }

    /// Reads a place on the board: `row, col` or one cell.
    fn place(&self, row: &Bound<'_, PyAny>, col: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let cell = match col {
            Some(col) => array::cell("cell", (row, col).into_pyobject(row.py())?.as_any(), self.height, self.width)?,
            None => array::cell("cell", row, self.height, self.width)?,
        };
        Ok(cell.row as usize * self.width + cell.col as usize)
    }
}

/// Makes a board of zeros, `(y_dim, x_dim)` uint8.
#[pyfunction]
pub(super) fn geese_create_board<'py>(
    x_dim: &Bound<'py, PyAny>,
    y_dim: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let py = x_dim.py();
    let (x_dim, y_dim) = (count("x dimension", x_dim)?, count("y dimension", y_dim)?);
    let cells = fields::check_dimensions(x_dim, y_dim)?;
    let mut board = Vec::new();
    if board.try_reserve_exact(cells).is_err() {
        return Err(refuse(format!("x dimension {x_dim} and y dimension {y_dim}, wanted a board that fits in memory")));
    }
    board.resize(cells, 0);
    array::matrix(py, y_dim, x_dim, board)
}

/// Sets every field to 0.
#[pyfunction]
pub(super) fn geese_clean_board(board: &Bound<'_, PyAny>) -> PyResult<()> {
    fields::clean_board(Board::write(board)?.cells()?);
    Ok(())
}

/// Gives what `print_board` prints.
#[pyfunction]
pub(super) fn geese_printed(board: &Bound<'_, PyAny>) -> PyResult<String> {
    let board = Board::read(board)?;
    Ok(fields::print_board(board.cells()?, board.width))
}

/// Hides every field.
#[pyfunction]
pub(super) fn geese_hide_board(board: &Bound<'_, PyAny>) -> PyResult<()> {
    fields::hide_board(Board::sound(board)?.cells()?);
    Ok(())
}

/// Toggles the mark of a hidden field.
#[pyfunction]
#[pyo3(signature = (board, row, col=None))]
pub(super) fn geese_mark(
    board: &Bound<'_, PyAny>,
    row: &Bound<'_, PyAny>,
    col: Option<&Bound<'_, PyAny>>,
) -> PyResult<u8> {
    let mut board = Board::sound(board)?;
    let at = board.place(row, col)?;
    Ok(fields::mark(board.cells()?, at))
}

/// Reveals a field, and the covered fields around a zero.
#[pyfunction]
#[pyo3(signature = (board, row, col=None))]
pub(super) fn geese_reveal(
    board: &Bound<'_, PyAny>,
    row: &Bound<'_, PyAny>,
    col: Option<&Bound<'_, PyAny>>,
) -> PyResult<u8> {
    let mut board = Board::sound(board)?;
    let at = board.place(row, col)?;
    let (height, width) = (board.height, board.width);
    Ok(fields::reveal(board.cells()?, height, width, at))
}

/// Writes into every field without a goose how many of its neighbours have one.
#[pyfunction]
pub(super) fn geese_compute_neighbours(board: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut board = Board::write(board)?;
    let width = board.width;
    let cells = board.cells()?;
    fields::check_open(cells, width)?;
    fields::compute_neighbours(cells, width);
    Ok(())
}

/// Whether every field without a goose is revealed.
#[pyfunction]
pub(super) fn geese_is_game_won(board: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(fields::is_game_won(Board::read(board)?.cells()?))
}

/// Puts geese on fields that are 0.
#[pyfunction]
#[pyo3(signature = (board, num_geese, seed=None))]
pub(super) fn geese_spread_geese(
    board: &Bound<'_, PyAny>,
    num_geese: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (geese, mut rng) = (count("num_geese", num_geese)?, array::rng(seed)?);
    let mut board = Board::sound(board)?;
    Ok(fields::spread_geese(board.cells()?, geese, &mut rng)?)
}
