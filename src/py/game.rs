//! What all games share in Python: [`SharedGame`], which holds a game with its history, and the macro that defines the
//! Python class of a game.

use std::sync::{Mutex, MutexGuard, TryLockError};

use numpy::{PyArray2, PyArrayDyn, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::array::{self, Arguments};
use super::long::{broken, long, long_owned};
use crate::core::game::{self, Point, Status, probe};
use crate::core::memory::{self, PER_CELL};
use crate::core::{Budget, Error, Game, History};

/// The largest number of moves that `legal_moves` returns.
const MAX_MOVES: usize = 10_000_000;

/// The length of text in bytes, or the number of cells of a position, at and above which reading and writing take so
/// long that they must respond to Ctrl-C.
const LONG: usize = 1 << 20;

/// The number of moves that may be examined under the lock of the game. Longer work starts again on a copy of the
/// position, with this lock and the interpreter lock released.
const QUICK: Option<u64> = Some(1 << 17);

/// The name of a list of moves in errors about memory.
const MOVES: &str = "a list of the moves of the game";

/// Collects moves into a vector; returns an error if memory cannot hold the vector.
fn list<M>(moves: impl ExactSizeIterator<Item = M>) -> Result<Vec<M>, Error> {
    memory::collected(moves.len(), moves, MOVES)
}

/// Returns the text of a position.
fn text_of<G: Game>(py: Python<'_>, position: G) -> PyResult<String> {
    let cells = position.height() * position.width();
    long_owned(py, "cells", None, None, cells, move |_| Ok(position.text()))
}

/// The largest number of entries of a mask that `legal_mask` returns.
const MAX_MASK: usize = 1 << 28;

/// A second notation for the moves of a game besides integers, such as a string of keys; most games have none.
pub(super) trait MoveNotation: Game {
    /// What an argument of `play` must be, for messages.
    const COORDINATE: &'static str = "an integer";

    /// Reads moves from a string, the only argument of `play`. Returns `None` if the game has no such notation.
    fn read_moves(_text: &Bound<'_, PyString>) -> PyResult<Option<Vec<Self::Move>>> {
        Ok(None)
    }
}

/// The arguments of `play`.
enum PlayArguments<M> {
    /// The coordinates of one move, padded with zeros.
    Numbers([i64; 8]),
    /// Moves read from a string in the game's own notation; all lie in the box of moves, [`Game::bounds`].
    Moves(Vec<M>),
    /// A number of arguments that is not the number of coordinates of a move.
    Wrong(usize),
}

/// A game with its history, shared between Python's threads.
///
/// The lock is held for single operations only. Long searches work on a copy, so that the game can be read meanwhile.
pub(super) struct SharedGame<G: Game>(Mutex<History<G>>);

impl<G: MoveNotation> SharedGame<G> {
    /// Creates a game from the text `source`, or, if `same` is given, a copy of that game with its history.
    pub(super) fn new(source: &Bound<'_, PyAny>, same: Option<&Self>) -> PyResult<Self> {
        let py = source.py();
        if let Some(other) = same {
            return Ok(Self(Mutex::new(other.history(py)?)));
        }
        let Ok(text) = source.cast::<PyString>() else {
            return Err(array::wrong_type("text", "a str", source));
        };
        let text = text
            .to_str()
            .map_err(|_| Error::level(1, 1, "text must be plain text, got characters that UTF-8 cannot encode"))?;
        // Some editors put a byte order mark at the beginning of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Self::from_state(Self::parse(py, text)?))
    }

    /// Reads a starting position from its text; a long text is read with the interpreter lock released.
    fn parse(py: Python<'_>, text: &str) -> PyResult<G> {
        memory::probe((text.len() * PER_CELL).max(memory::SPARE), "a board of this size")?;
        match text.len() {
            // Reading a short text takes less time than releasing the interpreter lock.
            ..4096 => Ok(G::parse(text)?),
            4096..LONG => Ok(py.detach(|| G::parse(text))?),
            LONG.. => {
                let mut own = String::new();
                own.try_reserve_exact(text.len()).map_err(|_| Error::memory("a board of this size"))?;
                own.push_str(text);
                long_owned(py, "cells", None, None, own.len(), move |_| G::parse(&own))
            }
        }
    }

    pub(super) fn from_state(state: G) -> Self {
        Self(Mutex::new(History::new(state)))
    }

    /// Locks the game. If another thread has locked it, waits with the interpreter lock released. Fails if a thread
    /// panicked while it held the lock of the game: the game may be half changed.
    ///
    /// Only a thread that holds the interpreter lock may lock the game, for the reason that [`super::exclusive`] gives.
    #[inline]
    pub(super) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, History<G>>> {
        self.0.try_lock().or_else(|error| self.wait(py, error))
    }

    /// Continues [`SharedGame::lock`] after the first attempt has failed.
    #[cold]
    #[inline(never)]
    fn wait<'a>(
        &'a self,
        py: Python<'_>,
        mut error: TryLockError<MutexGuard<'a, History<G>>>,
    ) -> PyResult<MutexGuard<'a, History<G>>> {
        while let TryLockError::WouldBlock = error {
            py.detach(std::thread::yield_now);
            match self.0.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(next) => error = next,
            }
        }
        Err(broken("the game"))
    }

    /// Runs `change` under the lock of the game, after reserving memory for one move. If `change` plays more moves, it
    /// must reserve memory for them itself, as [`History::play_all`] does.
    #[inline]
    pub(super) fn change<R>(&self, py: Python<'_>, change: impl FnOnce(&mut History<G>) -> PyResult<R>) -> PyResult<R> {
        let mut history = self.lock(py)?;
        history.room_to_play(1)?;
        change(&mut history)
    }

    /// Replaces this game with `history` and returns the old game.
    pub(super) fn replace(&self, py: Python<'_>, history: History<G>) -> PyResult<History<G>> {
        Ok(std::mem::replace(&mut *self.lock(py)?, history))
    }

    /// Returns a copy of the position.
    pub(super) fn state(&self, py: Python<'_>) -> PyResult<G> {
        let history = self.lock(py)?;
        Ok(game::copied(history.state(), 0)?)
    }

    /// Returns a copy of the game.
    fn history(&self, py: Python<'_>) -> PyResult<History<G>> {
        let history = self.lock(py)?;
        probe(history.state(), "a copy of the game")?;
        let moves = (history.moves().len() + history.undone().len()) * size_of::<(G::Move, G::Change)>();
        memory::probe(moves, "a copy of the moves")?;
        Ok(history.clone())
    }

    /// Does long work on a copy of the position with [`long_owned`].
    pub(super) fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        unit: &'static str,
        limit: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&G, &mut Budget<'_>) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let game = self.state(py)?;
        let cells = game.height() * game.width();
        long_owned(py, unit, limit, progress, cells, move |budget| work(&game, budget))
    }

    /// Does work that examines moves, under the lock of the game; if the work reaches the limit [`QUICK`], it is done
    /// again on a copy of the position, with this lock and the interpreter lock released.
    fn quick_or_long<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Fn(&G, &mut Budget<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        // The lock must be released at the end of this statement, because `state` takes the lock again to copy the
        // position.
        let quick = work(self.lock(py)?.state(), &mut Budget::new("moves", QUICK, None));
        match quick {
            Err(Error::Limit(_)) => {
                let state = self.state(py)?;
                long(py, "moves", None, None, move |budget| work(&state, budget))
            }
            found => Ok(found?),
        }
    }

    pub(super) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let history = self.lock(py)?;
        let state = history.state();
        probe(state, "the text of the board")?;
        if state.height() * state.width() < LONG {
            return Ok(state.text());
        }
        drop(history);
        self.work(py, "cells", None, None, |game, _| Ok(game.text()))
    }

    pub(super) fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let history = self.lock(py)?;
        let game = history.state();
        let (height, width) = (game.height(), game.width());
        memory::probe(height * width * PER_CELL, "the board")?;
        let mut cells = memory::filled(0, height * width, "the board")?;
        game.write_board(&mut cells);
        drop(history);
        array::matrix(py, height, width, cells)
    }

    pub(super) fn shape(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        let history = self.lock(py)?;
        Ok((history.state().height(), history.state().width()))
    }

    pub(super) fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static MEMBERS: PyOnceLock<[Py<PyAny>; 4]> = PyOnceLock::new();
        let members = MEMBERS.get_or_try_init(py, || {
            let class = py.import("gridwright.status")?.getattr("Status")?;
            let member = |(name, _): (&str, Status)| Ok::<_, PyErr>(class.getattr(name)?.unbind());
            let [open, won, lost, drawn] = Status::ALL;
            Ok::<_, PyErr>([member(open)?, member(won)?, member(lost)?, member(drawn)?])
        })?;
        let index = match self.lock(py)?.state().status() {
            Status::Open => 0,
            Status::Won => 1,
            Status::Lost => 2,
            Status::Drawn => 3,
        };
        Ok(members[index].bind(py).clone())
    }

    pub(super) fn is_solved(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.state().status() == Status::Won)
    }

    pub(super) fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bounds = self.lock(py)?.state().bounds();
        PyTuple::new(py, bounds.coords())
    }

    pub(super) fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let found = self.quick_or_long(py, |game, budget| game::legal_moves_within(game, MAX_MOVES, budget))?;
        let found = found.ok_or_else(|| {
            PyValueError::new_err(format!(
                "legal_moves() lists at most {MAX_MOVES} moves, and this position has more; sample_legal(seed) draws \
                 one at random"
            ))
        })?;
        array::moves(py, found)
    }

    pub(super) fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let history = self.lock(py)?;
        let bounds = history.state().bounds();
        let Some(size) = game::volume(bounds).filter(|&size| size <= MAX_MASK) else {
            let shape: Vec<String> = bounds.coords().iter().map(ToString::to_string).collect();
            return Err(PyValueError::new_err(format!(
                "legal_mask() has at most {MAX_MASK} entries, and a box with bounds ({}) has more; is_legal and \
                 sample_legal need no mask",
                shape.join(", ")
            )));
        };
        let mut mask = memory::filled(false, size, "the legal-move mask")?;
        game::write_mask(history.state(), &mut mask);
        drop(history);
        let shape: Vec<usize> = bounds.coords().iter().map(|&bound| bound as usize).collect();
        array::shaped(py, &shape, mask)
    }

    pub(super) fn sample_legal<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let rng = array::rng(seed)?;
        // Each attempt draws from a copy of the generator, so that the move does not depend on which attempt succeeds.
        let found = self.quick_or_long(py, |game, budget| game::sample_within(game, &mut rng.clone(), budget))?;
        found.map(|mv| PyTuple::new(py, mv.coords())).transpose()
    }

    /// Reads the arguments of `play` before any lock is taken, because reading may call back into Python.
    #[inline]
    fn play_arguments(arguments: &Arguments<'_, '_>) -> PyResult<PlayArguments<G::Move>> {
        if let Some(text) = arguments.only_text()
            && let Some(moves) = G::read_moves(&text)?
        {
            return Ok(PlayArguments::Moves(moves));
        }
        let count = arguments.len();
        if count == G::Move::RANK {
            arguments.coordinates(G::AXES, || G::COORDINATE).map(PlayArguments::Numbers)
        } else {
            arguments.check_only(G::AXES)?;
            Ok(PlayArguments::Wrong(count))
        }
    }

    pub(super) fn is_legal(&self, arguments: &Arguments<'_, '_>) -> PyResult<bool> {
        let py = arguments.more.py();
        let arguments = Self::play_arguments(arguments)?;
        let history = self.lock(py)?;
        let state = history.state();
        Ok(match arguments {
            PlayArguments::Numbers(numbers) => game::is_legal(state, game::lookup(state, &numbers[..G::Move::RANK])?),
            PlayArguments::Moves(moves) => {
                let mut trial = game::copied(state, moves.len())?;
                moves.into_iter().all(|mv| game::play(&mut trial, mv).is_ok())
            }
            // `lookup` returns the error about the number of coordinates.
            PlayArguments::Wrong(count) => game::lookup(state, &vec![0; count]).map(|_| false)?,
        })
    }

    #[inline]
    pub(super) fn play(&self, arguments: &Arguments<'_, '_>) -> PyResult<()> {
        let py = arguments.more.py();
        let arguments = Self::play_arguments(arguments)?;
        let mut history = self.lock(py)?;
        match arguments {
            PlayArguments::Numbers(numbers) => {
                let mv = game::lookup(history.state(), &numbers[..G::Move::RANK])?;
                history.room_to_play(1)?;
                history.play(mv)?;
            }
            PlayArguments::Moves(moves) => history.play_all(&moves)?,
            PlayArguments::Wrong(count) => game::lookup(history.state(), &vec![0; count]).map(|_| ())?,
        }
        Ok(())
    }

    pub(super) fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        let mut history = self.lock(py)?;
        history.room_to_undo(1)?;
        Ok(history.undo().is_some())
    }

    pub(super) fn redo(&self, py: Python<'_>) -> PyResult<bool> {
        let mut history = self.lock(py)?;
        history.room_to_play(1)?;
        Ok(history.redo().is_some())
    }

    pub(super) fn reset(&self, py: Python<'_>) -> PyResult<()> {
        let mut history = self.lock(py)?;
        let played = history.moves().len();
        history.room_to_undo(played)?;
        history.reset();
        Ok(())
    }

    pub(super) fn panic(&self, py: Python<'_>) -> PyResult<()> {
        let _history = self.lock(py)?;
        panic!("planted by a test")
    }

    pub(super) fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let history = self.lock(py)?;
        let moves = list(history.moves())?;
        drop(history);
        array::moves(py, moves)
    }

    pub(super) fn undone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let history = self.lock(py)?;
        let moves = list(history.undone())?;
        drop(history);
        array::moves(py, moves)
    }

    pub(super) fn perft(
        &self,
        py: Python<'_>,
        depth: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let depth = array::integer("depth", depth, 0..=game::MAX_DEPTH.into())? as u32;
        let limit = array::limit(limit)?;
        let game = self.state(py)?;
        long(py, "nodes", limit, progress, move |budget| game::perft(&game, depth, budget))
    }

    /// Returns the parts of a saved game: the text of the starting position, all moves with the undone ones last, and
    /// the number of undone moves.
    pub(super) fn save<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyArray2<i32>>, usize)> {
        let history = self.history(py)?;
        let (played, undone) = (history.moves().len(), history.undone().len());
        let moves = memory::collected(played + undone, history.moves().chain(history.undone()), MOVES)?;
        Ok((text_of(py, history.into_start()?)?, array::moves(py, moves)?, undone))
    }

    /// Restores a game from the parts that [`SharedGame::save`] returned; an error leaves this game unchanged.
    pub(super) fn restore(
        &self,
        py: Python<'_>,
        start: &str,
        moves: &PyReadonlyArray2<'_, i32>,
        undone: usize,
    ) -> PyResult<()> {
        let start = Self::parse(py, start)?;
        let rows = moves.as_array();
        let mut list = memory::with_capacity(rows.nrows(), MOVES)?;
        for row in rows.rows() {
            list.push(start.recorded(&row.iter().map(|&number| i64::from(number)).collect::<Vec<_>>())?);
        }
        self.replace(py, py.detach(|| History::replay(start, list, undone))?)?;
        Ok(())
    }

    /// Returns whether the positions of two games are equal.
    pub(super) fn same(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        // The two locks are taken one after the other, never together: two threads that compare a with b and b with a
        // could otherwise wait forever.
        let mine = self.state(py)?;
        Ok(mine == *other.lock(py)?.state())
    }
}

/// Returns a copy of a game with its class, attributes and history.
pub(super) fn copy<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = game.get_type();
    let made = class.call_method1("__new__", (&class, game))?;
    if let Ok(own) = game.getattr("__dict__") {
        made.getattr("__dict__")?.cast_into::<PyDict>()?.update(own.cast::<PyDict>()?.as_mapping())?;
    }
    Ok(made)
}

/// Returns the attributes that Python code has set on an object, for its pickle.
pub(super) fn attributes<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    match game.getattr("__dict__") {
        Ok(own) => own.cast::<PyDict>()?.copy(),
        Err(_) => Ok(PyDict::new(game.py())),
    }
}

/// Defines the Python class of a game with the members that all games share; further members are in the game's own
/// file.
macro_rules! game_class {
    // A method that takes a move as any number of positional arguments, and passes them to the `SharedGame` method of
    // the same name.
    (@move $core:ident, $(#[$($attribute:tt)*])* $method:ident -> $result:ty) => {
        #[pyo3::pymethods]
        impl $core {
            $(#[$($attribute)*])*
            #[pyo3(signature = (a=ABSENT, b=ABSENT, c=ABSENT, d=ABSENT, /, *more), text_signature = "($self, *mv)")]
            fn $method<'py>(
                &self,
                a: $crate::py::array::Argument<'_, 'py>,
                b: $crate::py::array::Argument<'_, 'py>,
                c: $crate::py::array::Argument<'_, 'py>,
                d: $crate::py::array::Argument<'_, 'py>,
                more: &pyo3::Bound<'py, pyo3::types::PyTuple>,
            ) -> pyo3::PyResult<$result> {
                self.0.$method(&Arguments { first: [a, b, c, d], more })
            }
        }
    };
    ($core:ident, $game:ty, $name:literal) => {
        use $crate::py::array::{ABSENT, Arguments};

        #[doc = concat!("The engine of `gridwright.", $name, "`.")]
        #[pyo3::pyclass(name = $name, module = "gridwright._core", subclass, frozen, weakref)]
        pub(super) struct $core(pub(super) $crate::py::game::SharedGame<$game>);

        $crate::py::game::game_class! {
            @move $core,
            /// Returns whether a move is legal in the current position.
            ///
            /// * `mv`: the coordinates of a move, or any other arguments that `play` accepts.
            ///
            /// Raises `MoveError` if the arguments are not a move of this game.
            is_legal -> bool
        }
        $crate::py::game::game_class! {
            @move $core,
            /// Makes a move.
            ///
            /// * `mv`: the coordinates of a move, integers of any type but `bool`, or a string of moves if the game has
            ///   a notation for them; either all moves of a string are played or none.
            ///
            /// Raises `IllegalMoveError` if the rules refuse a move and `MoveError` if the arguments are not a move of
            /// this game; the game is then unchanged.
            play -> ()
        }

        #[pyo3::pymethods]
        impl $core {
            #[new]
            #[pyo3(signature = (text))]
            fn new(text: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                let same = text.cast::<Self>().ok();
                let same = same.as_ref().map(|other| &other.get().0);
                $crate::py::game::SharedGame::new(text, same).map(Self)
            }

            /// Notation of the position, which the constructor reads.
            #[getter]
            fn text(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                self.0.text(py)
            }

            /// Board as a player sees it: a fresh `(height, width)` uint8 array of codes.
            #[getter]
            fn board<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, numpy::PyArray2<u8>>> {
                self.0.board(py)
            }

            /// Number of rows.
            #[getter]
            fn height(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<usize> {
                Ok(self.0.shape(py)?.0)
            }

            /// Number of columns.
            #[getter]
            fn width(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<usize> {
                Ok(self.0.shape(py)?.1)
            }

            /// Size of the board: `(height, width)`.
            #[getter]
            fn shape(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<(usize, usize)> {
                self.0.shape(py)
            }

            /// Whether the game is open, or how it ended: a member of `gridwright.Status`.
            #[getter]
            fn status<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                self.0.status(py)
            }

            /// Whether the game is won.
            #[getter]
            fn is_solved(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<bool> {
                self.0.is_solved(py)
            }

            /// Box of moves: coordinate `i` of a move runs from 0 to `bounds[i] - 1`.
            #[getter]
            fn bounds<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                self.0.bounds(py)
            }

            /// Returns the legal moves, a fresh `(n, rank)` int32 array in lexicographic order; `play(*row)` accepts
            /// each row.
            ///
            /// Raises `ValueError` if there are more than 10^7 legal moves; `sample_legal(seed)` still works then.
            fn legal_moves<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, numpy::PyArray2<i32>>> {
                self.0.legal_moves(py)
            }

            /// Returns which moves of the box are legal: a fresh bool array of shape `bounds`.
            ///
            /// Raises `ValueError` if the box has more than 2^28 moves; `is_legal` and `sample_legal` still work then.
            fn legal_mask<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, numpy::PyArrayDyn<bool>>> {
                self.0.legal_mask(py)
            }

            /// Draws a legal move uniformly at random; returns its coordinates as a tuple, or `None` if there is no
            /// legal move.
            ///
            /// * `seed`: an integer from 0 to 2^64 - 1, otherwise `ValueError`; `None`, the default, for a random seed.
            #[pyo3(signature = (seed=None))]
            fn sample_legal<'py>(
                &self,
                py: pyo3::Python<'py>,
                seed: Option<&pyo3::Bound<'py, pyo3::PyAny>>,
            ) -> pyo3::PyResult<Option<pyo3::Bound<'py, pyo3::types::PyTuple>>> {
                self.0.sample_legal(py, seed)
            }

            /// Undoes the last move; returns `False` if there is no move to undo.
            fn undo(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<bool> {
                self.0.undo(py)
            }

            /// Plays the last undone move again; returns `False` if there is no undone move.
            fn redo(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<bool> {
                self.0.redo(py)
            }

            /// Undoes all moves; `redo` brings them back one by one.
            fn reset(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
                self.0.reset(py)
            }

            /// Moves played and not undone, oldest first: a fresh `(n, rank)` int32 array.
            #[getter]
            fn moves<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, numpy::PyArray2<i32>>> {
                self.0.moves(py)
            }

            /// Moves that successive calls to `redo` would play, in order: a fresh `(n, rank)` int32 array.
            #[getter]
            fn undone<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, numpy::PyArray2<i32>>> {
                self.0.undone(py)
            }

            /// Panics under the lock of the game, so that tests can check what an internal error leaves behind.
            fn _panic(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
                self.0.panic(py)
            }

            /// Returns the number of legal sequences of `depth` moves.
            ///
            /// * `depth`: an integer from 0 to 1000, otherwise `ValueError`.
            /// * `limit`: the work that the search may do, usually one unit per node, from 0 to 2^64 - 1, otherwise
            ///   `ValueError`; `SearchLimitError` if the search needs more. `None`, the default, for no limit.
            /// * `progress`: a callable that receives the work so far, in the unit of `limit`, or an object with
            ///   `update`, such as a tqdm bar. `None`, the default, for no reports.
            #[pyo3(signature = (depth, *, limit=None, progress=None))]
            fn perft(
                &self,
                py: pyo3::Python<'_>,
                depth: &pyo3::Bound<'_, pyo3::PyAny>,
                limit: Option<&pyo3::Bound<'_, pyo3::PyAny>>,
                progress: Option<&pyo3::Bound<'_, pyo3::PyAny>>,
            ) -> pyo3::PyResult<u64> {
                self.0.perft(py, depth, limit, progress)
            }

            /// Returns a copy with a history of its own.
            fn copy<'py>(slf: &pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::py::game::copy(slf.as_any())
            }

            fn __copy__<'py>(slf: &pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                $crate::py::game::copy(slf.as_any())
            }

            fn __eq__<'py>(
                &self,
                other: &pyo3::Bound<'py, pyo3::PyAny>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                use pyo3::IntoPyObjectExt as _;
                let py = other.py();
                match other.cast::<Self>() {
                    Ok(other) => self.0.same(py, &other.get().0)?.into_bound_py_any(py),
                    Err(_) => Ok(py.NotImplemented().into_bound(py)),
                }
            }

            fn __getnewargs__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<(String,)> {
                Ok((self.0.save(py)?.0,))
            }

            #[allow(clippy::type_complexity)] // the four parts of a pickle
            fn __getstate__<'py>(
                slf: &pyo3::Bound<'py, Self>,
            ) -> pyo3::PyResult<(
                String,
                pyo3::Bound<'py, numpy::PyArray2<i32>>,
                usize,
                pyo3::Bound<'py, pyo3::types::PyDict>,
            )> {
                let (start, moves, undone) = slf.get().0.save(slf.py())?;
                Ok((start, moves, undone, $crate::py::game::attributes(slf.as_any())?))
            }

            #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
            fn __setstate__(
                slf: &pyo3::Bound<'_, Self>,
                state: (String, numpy::PyReadonlyArray2<'_, i32>, usize, pyo3::Bound<'_, pyo3::types::PyDict>),
            ) -> pyo3::PyResult<()> {
                use pyo3::types::{PyAnyMethods as _, PyDictMethods as _};
                let (start, moves, undone, attributes) = state;
                slf.get().0.restore(slf.py(), &start, &moves, undone)?;
                for (name, value) in attributes.iter() {
                    slf.setattr(name.cast_into::<pyo3::types::PyString>()?, value)?;
                }
                Ok(())
            }
        }
    };
}
pub(super) use game_class;
