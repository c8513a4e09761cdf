//! Boards by the million: laid, counted, hidden.

use super::GeeseSpotter;
use super::fields::{compute_with, hide_board, lay};
use crate::core::{Cell, Error, Rng, pool};

/// What boards are dealt.
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    height: usize,
    width: usize,
    geese: usize,
    safe: Option<Cell>,
    /// Whether the neighbours of `safe` are kept free too, so that it is a zero.
    wide: bool,
    /// Fields that may hold a goose.
    free: usize,
}

impl Deal {
    /// Plans boards of a size and a number of geese; where `safe` is given, that field and its neighbours stay free.
    ///
    /// # Errors
    /// No field, a safe field off the board, more geese than free fields; the sentence names both numbers.
    pub fn new(height: usize, width: usize, geese: usize, safe: Option<Cell>) -> Result<Self, Error> {
        Self::plan(height, width, geese, safe, true)
    }

    /// Plans boards on which one field stays free and its neighbours may hold geese.
    ///
    /// # Errors
    /// As [`Deal::new`].
    pub fn with_first(height: usize, width: usize, geese: usize, first: Cell) -> Result<Self, Error> {
        Self::plan(height, width, geese, Some(first), false)
    }

    fn plan(height: usize, width: usize, geese: usize, safe: Option<Cell>, wide: bool) -> Result<Self, Error> {
        crate::core::text::check_size(height, width)?;
        if let Some(cell) = safe {
            if cell.row < 0 || cell.col < 0 || cell.row as usize >= height || cell.col as usize >= width {
                return Err(Error::Invalid(format!(
                    "the safe field {cell} on a board of {height} x {width}, wanted it on the board"
                )));
            }
        }
        let mut plan = Self { height, width, geese, safe, wide, free: height * width };
        plan.free -= plan.kept().map(|row| row.len()).sum::<usize>();
        if geese > plan.free {
            let kept = if safe.is_some() { " (the safe field and those around it are kept free)" } else { "" };
            return Err(Error::Invalid(format!(
                "{geese} geese for {} fields{kept}, wanted at most one a field",
                plan.free
            )));
        }
        Ok(plan)
    }

    /// The fields that are kept free, row by row.
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

    /// Lays, counts and hides one board into `board`, each possible one equally likely.
    pub(crate) fn one(&self, board: &mut [u8], rng: &mut Rng, sums: &mut Vec<u8>) {
        board.fill(0);
        for row in self.kept() {
            board[row].fill(1);
        }
        lay(board, self.free, self.geese, rng);
        compute_with(board, self.width, sums);
        hide_board(board);
    }

    /// Makes the game of a seed.
    pub fn game(&self, seed: u64) -> GeeseSpotter {
        let mut board = vec![0; self.height * self.width];
        self.one(&mut board, &mut Rng::new(seed), &mut Vec::new());
        GeeseSpotter::from_fields(self.height, self.width, false, board)
    }

    /// The number of fields of a board.
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Board size, `(height, width)`.
    pub fn shape(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// The number of geese.
    pub fn geese(&self) -> usize {
        self.geese
    }

    /// The field that is kept free.
    pub fn safe(&self) -> Option<Cell> {
        self.safe
    }
}

/// How many boards are dealt before another thread is worth its start.
const WORTH_THREADS: usize = 500;

/// Deals boards one after the other into `out`; board `i` is made from stream `i` of the seed alone, whatever the threads.
pub fn deal_many(deal: &Deal, seed: u64, first: u64, out: &mut [u8], threads: usize) {
    let cells = deal.cells();
    let boards = out.len() / cells;
    let threads = match threads {
        0 if boards < WORTH_THREADS => 1,
        asked => pool::shared_by(asked),
    };
    let size = boards.div_ceil(threads).max(1);
    let pieces: Vec<_> = out.chunks_mut(size * cells).enumerate().collect();
    pool::each(pieces, |(piece, out)| {
        let mut sums = Vec::new();
        for (i, board) in out.chunks_exact_mut(cells).enumerate() {
            let mut rng = Rng::stream(seed, first + (piece * size + i) as u64);
            deal.one(board, &mut rng, &mut sums);
        }
    });
}
