//! Deals new boards: places geese, counts the geese around each field, and hides all fields.

use super::GeeseSpotter;
use super::fields::{compute_with, hide_board, lay};
use crate::core::{Cell, Error, Rng, pool};

/// A plan for new boards: their size, their number of geese, and which fields stay free of geese.
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    height: usize,
    width: usize,
    geese: usize,
    safe: Option<Cell>,
    /// Whether the neighbors of `safe` stay free too, so that the field is a zero.
    wide: bool,
    /// The number of fields that may hold a goose.
    available: usize,
}

impl Deal {
    /// Plans boards of a given size and number of geese. If `safe` is given, that field and its neighbors stay free.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the board has no field or more than 2^26, `safe` lies off it, or there are more
    /// geese than fields that may hold one.
    pub fn new(height: usize, width: usize, geese: usize, safe: Option<Cell>) -> Result<Self, Error> {
        Self::plan(height, width, geese, safe, true)
    }

    /// Plans boards on which field `first` stays free and its neighbors may hold geese.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the board has no field or more than 2^26, `first` lies off it, or there are more
    /// geese than fields that may hold one.
    pub fn with_first(height: usize, width: usize, geese: usize, first: Cell) -> Result<Self, Error> {
        Self::plan(height, width, geese, Some(first), false)
    }

    /// Plans boards on which `safe` and, if `wide` is `true`, its neighbors stay free.
    fn plan(height: usize, width: usize, geese: usize, safe: Option<Cell>, wide: bool) -> Result<Self, Error> {
        crate::core::text::check_size(height, width)?;
        if let Some(cell) = safe
            && (cell.row < 0 || cell.col < 0 || cell.row as usize >= height || cell.col as usize >= width)
        {
            let name = if wide { "safe" } else { "first" };
            return Err(Error::Invalid(format!("{name} must be on the {height} x {width} board, got {cell}")));
        }
        let mut plan = Self { height, width, geese, safe, wide, available: height * width };
        plan.available -= plan.kept().map(|row| row.len()).sum::<usize>();
        if geese > plan.available {
            let kept = match (safe, wide) {
                (None, _) => "",
                (Some(_), true) => ", since the safe field and its neighbors stay free",
                (Some(_), false) => ", since the first field stays free",
            };
            return Err(Error::Invalid(format!("geese must be between 0 and {}{kept}, got {geese}", plan.available)));
        }
        Ok(plan)
    }

    /// Returns the fields that stay free, one range of indices per row.
    fn kept(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let reach = usize::from(self.wide);
        let (height, width) = (self.height, self.width);
        self.safe.into_iter().flat_map(move |cell| {
            let (row, col) = (cell.row as usize, cell.col as usize);
            let cols = col.saturating_sub(reach)..(col + reach + 1).min(width);
            (row.saturating_sub(reach)..(row + reach + 1).min(height))
                .map(move |row| row * width + cols.start..row * width + cols.end)
        })
    }

    /// Writes one board into `board`; all possible boards are equally likely. `sums` is working memory.
    pub(crate) fn one(&self, board: &mut [u8], rng: &mut Rng, sums: &mut Vec<u8>) {
        board.fill(0);
        // `lay` puts geese on zeros only, so a 1 keeps a field free; `compute_with` overwrites the ones.
        for row in self.kept() {
            board[row].fill(1);
        }
        lay(board, self.available, self.geese, rng);
        compute_with(board, self.width, sums);
        hide_board(board);
    }

    /// Returns the game of a seed; any seed is valid.
    pub fn game(&self, seed: u64) -> GeeseSpotter {
        let mut board = vec![0; self.height * self.width];
        self.one(&mut board, &mut Rng::new(seed), &mut Vec::new());
        GeeseSpotter::from_fields(self.height, self.width, false, board)
    }

    /// Returns the number of fields of a board.
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Returns the size of a board, `(height, width)`.
    pub fn shape(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// Returns the number of geese.
    pub fn geese(&self) -> usize {
        self.geese
    }

    /// Returns the field that was chosen to stay free; `None` if any field may hold a goose.
    pub fn safe(&self) -> Option<Cell> {
        self.safe
    }
}

/// The smallest number of boards for which more than one thread is used by default.
const WORTH_THREADS: usize = 500;

/// Writes boards one after the other into `out`. Board `i` depends only on stream `first + i` (modulo 2^64) of the
/// seed, not on `threads`.
///
/// * `deal`: the size of the boards and how geese are placed
/// * `seed`: any number
/// * `first`: the stream of the first board
/// * `out`: receives the fields of all boards; its length is a multiple of [`Deal::cells`]
/// * `threads`: the number of threads; 0 uses all threads of the pool, but only one for fewer than 500 boards
pub fn deal_many(deal: &Deal, seed: u64, first: u64, out: &mut [u8], threads: usize) {
    let cells = deal.cells();
    let boards = out.len() / cells;
    let threads = match threads {
        0 if boards < WORTH_THREADS => 1,
        asked => pool::threads_for(asked),
    };
    let size = boards.div_ceil(threads).max(1);
    let pieces: Vec<_> = out.chunks_mut(size * cells).enumerate().collect();
    pool::each(pieces, |(piece, out)| {
        let mut sums = Vec::new();
        for (i, board) in out.chunks_exact_mut(cells).enumerate() {
            let mut rng = Rng::stream(seed, first.wrapping_add((piece * size + i) as u64));
            deal.one(board, &mut rng, &mut sums);
        }
    });
}
