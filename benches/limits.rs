//! Compares hot paths of Gridwright with limits of the machine and with peers, that is, other implementations in Rust.
//! Both sides are measured in turn on one thread.
//!
//! A limit is a small kernel that does only the work that no implementation can avoid. The comment at each limit states
//! what that work is.
//!
//! `RAYON_NUM_THREADS=1 cargo bench --bench limits` prints one line of JSON per row, with a ratio for each round: the
//! time of the limit or peer divided by the time of Gridwright. `make bench` reads these lines. The environment
//! variable `ROUNDS` sets the number of rounds, by default 101 for steps of batches and 15 for other rows. Arguments
//! select parts by the names in `main`, such as `masks`; without arguments, all parts run.

#[path = "peers/filter_kruskal.rs"]
mod filter_kruskal;

use std::hint::black_box;
use std::ops::Range;

use gridwright::bloxorz::Bloxorz;
use gridwright::core::batch::{Actions, Batch, Buffers, Options, Outcome, Starts};
use gridwright::core::game::Point;
use gridwright::core::{Budget, Game, Rng};
use gridwright::domination::{LinearDomination, Rules};
use gridwright::geese::{Deal, fields};
use gridwright::graph::{Lattice, span};
use gridwright::levels;
use gridwright::lightemall::{generate as light, options};
use gridwright::photon::generate as photon;
use gridwright::tracing::{self, Method, Segment};
use rustix::time::{ClockId, clock_gettime};

/// Returns the processor time of this thread in seconds, which does not include the time of other processes.
fn clock() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn seconds(work: &mut dyn FnMut()) -> f64 {
    let start = clock();
    work();
    clock() - start
}

/// Measures `ours` and `other` in turn, after one warm-up call to each, and prints a row.
///
/// * `kind`: `limit` or `peer`.
/// * `work`, `baseline`: what is measured, and the limit or peer that it is compared with.
/// * `goal`: the lowest ratio with which the row reaches its goal.
/// * `ours`, `other`: the work done by Gridwright, and the work done by the limit or peer.
fn row(kind: &str, work: &str, baseline: &str, goal: f64, mut ours: impl FnMut(), mut other: impl FnMut()) {
    timed_row(kind, work, baseline, goal, 15, || seconds(&mut ours), || seconds(&mut other));
}

/// Works like [`row`], except that `ours` and `other` return their own times in seconds, so that the times need not
/// include preparation.
///
/// * `rounds`: the number of rounds if `ROUNDS` is not set.
fn timed_row(
    kind: &str,
    work: &str,
    baseline: &str,
    goal: f64,
    rounds: usize,
    mut ours: impl FnMut() -> f64,
    mut other: impl FnMut() -> f64,
) {
    let rounds = std::env::var("ROUNDS")
        .map_or(rounds, |text| text.parse().unwrap_or_else(|_| panic!("ROUNDS must be a whole number, got {text:?}")));
    ours();
    other();
    let ratios: Vec<String> = (0..rounds)
        .map(|_| {
            let own = ours();
            format!("{:.4}", other() / own)
        })
        .collect();
    println!(
        "{{\"kind\": \"{kind}\", \"work\": \"{work}\", \"baseline\": \"{baseline}\", \"goal\": {goal}, \"ratios\": [{}]}}",
        ratios.join(", ")
    );
}

/// The words of a mask, aligned to a cache line. Without the alignment, some stores would straddle two cache lines, and
/// the time of the limit would depend on the address of the stack.
#[repr(align(64))]
#[allow(dead_code)] // only written, never read
struct Aligned([u64; 64]);

/// Measures masks of legal plays. Limit: every byte of the mask is written.
fn masks() {
    let game = LinearDomination::generate(8, 3, 6, Rules::Standard, 1, &mut Budget::unlimited()).unwrap();
    row(
        "limit",
        "legal plays of Linear Domination 8x8 as bits",
        "writing 512 bytes",
        0.5,
        || (0..40_000).for_each(|_| _ = black_box(black_box(&game).legal_bits())),
        || (0..40_000).for_each(|_| _ = black_box(Aligned([black_box(7); 64]))),
    );
    let mut ours = vec![false; 4096];
    let mut other = ours.clone();
    row(
        "limit",
        "legal plays of Linear Domination 8x8 as bools",
        "writing 4,096 bytes",
        0.5,
        || (0..40_000).for_each(|_| black_box(&game).write_mask(black_box(&mut ours))),
        || (0..40_000).for_each(|_| black_box(&mut other).fill(black_box(true))),
    );
}

/// Measures lines. Limits: to paint a line, one store per cell is made, at an address that depends on the line; to list
/// cells, 8 bytes per cell are written.
fn lines() {
    let size = 1000;
    let mut rng = Rng::new(1);
    let segments: Vec<Segment> = (0..100_000).map(|_| std::array::from_fn(|_| rng.index(size) as i32)).collect();
    let values: Vec<u8> = (0..segments.len()).map(|i| (i % 255) as u8 + 1).collect();
    // The limit walks from the tail toward the head in equal steps, with one store per cell of the line, so it takes as
    // long as painting would take if finding the cells took no time.
    let walks: Vec<(usize, usize, isize)> = segments
        .iter()
        .map(|&[a, b, c, d]| {
            let cells = tracing::cell_count([a, b, c, d], Method::AmanatidesWoo) as isize;
            let index = |row: i32, col: i32| row as isize * size as isize + col as isize;
            (index(a, b) as usize, cells as usize, (index(c, d) - index(a, b)) / cells)
        })
        .collect();
    let (mut board, mut other) = (vec![0u8; size * size], vec![0u8; size * size]);
    row(
        "limit",
        "paint 100,000 lines with integer ends on 1000x1000",
        "one store per cell along the line",
        0.6,
        || tracing::paint(&mut board, size, &segments, &values, Method::AmanatidesWoo, 1).unwrap(),
        || {
            for (&(start, cells, step), &value) in walks.iter().zip(&values) {
                let mut at = start;
                for _ in 0..cells {
                    other[at] = value;
                    at = at.wrapping_add_signed(step);
                }
            }
        },
    );
    let few = &segments[..15_000];
    let offsets = tracing::offsets(few, Method::AmanatidesWoo).unwrap();
    let mut cells = vec![0; 2 * offsets[few.len()] as usize];
    let mut other = cells.clone();
    row(
        "limit",
        "cell lists of 15,000 lines into out=",
        "writing the same number of bytes",
        0.5,
        || {
            let out = tracing::Buffers { cells: &mut cells, weights: &mut [] };
            tracing::trace_many(few, Method::AmanatidesWoo, &offsets, out);
        },
        || black_box(&mut other).fill(black_box(7)),
    );
}

/// Measures the counting of neighbors. Limit: every field is read and written once.
fn neighbors() {
    let mut board = vec![0; 1_000_000];
    fields::spread_geese(&mut board, 200_000, &mut Rng::new(1)).unwrap();
    let mut other = board.clone();
    row(
        "limit",
        "compute_neighbours on 1000x1000 in place",
        "reading and writing the board once",
        0.4,
        || (0..50).for_each(|_| fields::compute_neighbours(black_box(&mut board), 1000)),
        || (0..50).for_each(|_| black_box(&mut other).iter_mut().for_each(|field| *field ^= 0x40)),
    );
}

/// The arrays that a step of a batch writes.
#[derive(Clone)]
struct Arrays {
    board: Vec<u8>,
    mask: Vec<bool>,
    value: Vec<f64>,
    flags: [Vec<bool>; 3],
}

impl Arrays {
    /// Returns a copy of the arrays, with padding after the board and the mask for the blocks that [`copy`] writes.
    fn padded(&self) -> Self {
        let mut padded = self.clone();
        padded.board.resize(self.board.len() + BLOCK, 0);
        padded.mask.resize(self.mask.len() + BLOCK, false);
        padded
    }

    fn step<G: Game>(&mut self, batch: &mut Batch<G>, actions: &[i64]) {
        let [terminated, truncated, illegal] = &mut self.flags;
        let out = Buffers {
            board: &mut self.board,
            mask: &mut self.mask,
            bits: &mut [],
            value: &mut self.value,
            terminated,
            truncated,
            illegal,
            final_board: &mut [],
            final_mask: &mut [],
        };
        let worth = |outcome: Outcome| f64::from(u8::from(outcome.status.is_over()));
        batch.step(Actions::Points(actions), out, worth).unwrap();
    }
}

/// The ranges of the arrays that one step of a batch changes, and the ranges that belong to each game.
struct Changes {
    boards: Vec<Range<usize>>,
    masks: Vec<Range<usize>>,
    /// For each game, the indices in `boards` and in `masks` just after the last range of the game.
    ends: Vec<(usize, usize)>,
}

impl Changes {
    /// Finds the changes between the arrays of `n` games before and after a step.
    fn new(before: &Arrays, after: &Arrays, n: usize) -> Self {
        let mut changes = Self { boards: Vec::new(), masks: Vec::new(), ends: Vec::new() };
        let (cells, moves) = (before.board.len() / n, before.mask.len() / n);
        for i in 0..n {
            let (board, mask) = (i * cells..(i + 1) * cells, i * moves..(i + 1) * moves);
            changes.boards.extend(differences(&before.board, &after.board, board));
            changes.masks.extend(differences(&before.mask, &after.mask, mask));
            changes.ends.push((changes.boards.len(), changes.masks.len()));
        }
        changes
    }
}

/// Returns the ranges within `row` in which two arrays differ; ranges with a gap of fewer than 16 items between them
/// are joined.
fn differences<T: PartialEq>(before: &[T], after: &[T], row: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for i in row.filter(|&i| before[i] != after[i]) {
        match ranges.last_mut() {
            Some(last) if i < last.end + 16 => last.end = i + 1,
            _ => ranges.push(i..i + 1),
        }
    }
    ranges
}

/// Measures steps of a batch. Limit, for each game: the action is read, the steps of the episode are counted, the bytes
/// of the board and the mask that change are written, and so are a value and three flags. The bytes of the board are
/// written twice: the caller may modify the arrays that it receives, so a batch needs a board of its own.
///
/// * `name`: the game, as printed in the row.
/// * `starts`: the positions from which episodes start.
/// * `most`: the number of moves after which an episode is truncated.
fn steps<G: Game>(name: &str, starts: Vec<G>, most: u32) {
    let (n, count) = (1024, 32);
    let options = Options { threads: 1, max_steps: Some(most), ..Options::default() };
    let mut batch = Batch::new(Starts::Fixed(starts.into()), n, 1, options, &mut Budget::unlimited()).unwrap();
    let rank = G::Move::RANK;
    let mut arrays = Arrays {
        board: vec![0; n * batch.cells()],
        mask: vec![false; n * batch.volume()],
        value: vec![0.0; n],
        flags: std::array::from_fn(|_| vec![false; n]),
    };
    batch.write(&mut arrays.board, &mut arrays.mask);
    let (first, begin) = (batch.snapshot().unwrap(), arrays.clone());
    let (mut actions, mut changes) = (Vec::new(), Vec::new());
    for seed in 0..count {
        let before = arrays.clone();
        let mut chosen = vec![0; n * rank];
        batch.sample_legal(seed, &mut chosen, &mut Budget::unlimited()).unwrap();
        arrays.step(&mut batch, &chosen);
        actions.push(chosen);
        changes.push(Changes::new(&before, &arrays, n));
    }
    let (last, mut other) = (arrays.padded(), begin.padded());
    let (mut state, mut clocks) = (other.board.clone(), vec![0; n]);
    let ours = || {
        batch.restore(&first).unwrap();
        arrays.clone_from(&begin);
        seconds(&mut || actions.iter().for_each(|chosen| arrays.step(&mut batch, chosen)))
    };
    let write = || {
        other = begin.padded();
        state.copy_from_slice(&other.board);
        clocks.fill(0);
        seconds(&mut || {
            for (chosen, changes) in actions.iter().zip(&changes) {
                write_changes(&mut other, &mut state, &mut clocks, &last, chosen, changes, most);
            }
        })
    };
    timed_row(
        "limit",
        &format!("batch steps, {name}, board and mask"),
        "writing the bytes that change",
        0.4,
        // A round takes a few milliseconds, so the median of only 15 rounds would depend on what else the machine does.
        101,
        ours,
        write,
    );
}

/// The number of bytes that [`copy`] writes for any range of at most this length, and the padding of board and mask.
const BLOCK: usize = 16;

/// Copies a range. A range of at most [`BLOCK`] bytes takes one load and one store of a whole block, and no call.
#[inline(always)]
fn copy<T: Copy>(to: &mut [T], from: &[T], range: &Range<usize>) {
    if range.len() <= BLOCK {
        to[range.start..][..BLOCK].copy_from_slice(&from[range.start..][..BLOCK]);
    } else {
        to[range.clone()].copy_from_slice(&from[range.clone()]);
    }
}

/// Does the work of the limit that [`steps`] describes, for one step. The bytes of the changed ranges come from `last`.
#[inline(never)]
fn write_changes(
    arrays: &mut Arrays,
    state: &mut [u8],
    clocks: &mut [u32],
    last: &Arrays,
    actions: &[i64],
    changes: &Changes,
    most: u32,
) {
    let n = clocks.len();
    let [terminated, truncated, illegal] = arrays.flags.each_mut().map(|flags| &mut flags[..n]);
    let (value, values, over) = (&mut arrays.value[..n], &last.value[..n], &last.flags[0][..n]);
    let (mut boards, mut masks) = (0, 0);
    for (i, (action, &(end, mask_end))) in actions.chunks_exact(actions.len() / n).zip(&changes.ends).enumerate() {
        // A flag depends on the action, so that the compiler cannot remove the read.
        illegal[i] = action.iter().any(|&number| number < 0);
        clocks[i] += 1;
        truncated[i] = clocks[i] >= most;
        (value[i], terminated[i]) = (values[i], over[i]);
        for range in &changes.boards[boards..end] {
            copy(state, &last.board, range);
            copy(&mut arrays.board, &last.board, range);
        }
        for range in &changes.masks[masks..mask_end] {
            copy(&mut arrays.mask, &last.mask, range);
        }
        (boards, masks) = (end, mask_end);
    }
    black_box(&*arrays);
}

/// Measures steps of batches of all five games.
fn batches() {
    let unlimited = Budget::unlimited;
    let deal = Deal::new(10, 10, 10, None).unwrap();
    steps("GeeseSpotter 10x10", (0..1024).map(|seed| deal.game(seed)).collect(), 200);
    let boards = |seed| {
        let recipe = photon::Recipe { lasers: 2, ..photon::Recipe::new(7, 7) };
        photon::generate(&recipe, seed, &mut unlimited()).unwrap()
    };
    steps("MyPhoton 7x7", (0..64).map(boards).collect(), 100);
    let level = Bloxorz::parse(levels::text("bloxorz", "level01").unwrap()).unwrap();
    steps("Bloxorz level01", vec![level], 200);
    let boards = |seed| light::generate(&options::Options::new(8, 8), seed, &mut unlimited()).unwrap().game;
    steps("LightEmAll 8x8", (0..64).map(boards).collect(), 200);
    steps("Linear Domination 8x8", vec![LinearDomination::empty(8, 3, Rules::Standard).unwrap()], 20);
}

/// Compares Kruskal's algorithm with Filter-Kruskal on a given list of edges.
fn spanning_tree() {
    let edges = Lattice::square(1000, 1000).edges();
    let mut rng = Rng::new(1);
    let weights: Vec<f64> = edges.iter().map(|_| rng.unit()).collect();
    let mut ours = span::kruskal(1_000_000, &edges, &weights, &mut Budget::unlimited()).unwrap();
    assert!(ours == filter_kruskal::filter_kruskal(1_000_000, &edges, &weights), "the two spanning trees differ");
    row(
        "peer",
        "spanning tree of a given list of 1,998,000 edges, float weights",
        "Filter-Kruskal in Rust",
        1.3,
        || ours = span::kruskal(1_000_000, &edges, &weights, &mut Budget::unlimited()).unwrap(),
        || drop(black_box(filter_kruskal::filter_kruskal(1_000_000, &edges, &weights))),
    );
}

fn main() {
    let all: [(&str, fn()); 5] =
        [("masks", masks), ("lines", lines), ("neighbors", neighbors), ("batches", batches), ("trees", spanning_tree)];
    let chosen: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, part) in all {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            part();
        }
    }
}
