//! The threads that share large work.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool for each process in a line of forks, the first one first. A place is filled once and read without a lock: a lock
/// that another thread holds while this one forks would never be released in the child.
static POOLS: [OnceLock<(u32, Option<ThreadPool>)>; 64] = [const { OnceLock::new() }; 64];

/// How often to look whether the others are done before sleeping: some ten microseconds.
const SPINS: u32 = 200;

/// Gives the pool of this process; `None` where the system starts no threads, and work is then done on the caller's.
///
/// The pool is keyed on the process: a child made by `fork` has none of its parent's threads, and waiting for them would
/// hang it for ever, so it gets a pool of its own and the parent's is left alone.
pub fn pool() -> Option<&'static ThreadPool> {
    let process = std::process::id();
    for place in &POOLS {
        loop {
            match place.get() {
                Some((owner, pool)) if *owner == process => return pool.as_ref(),
                Some(_) => break,
                // Built before the place is taken, so that nobody waits for it; the loser of a race drops its own.
                None => {
                    let _ = place.set((process, ThreadPoolBuilder::new().build().ok()));
                }
            }
        }
    }
    None
}

/// The number of threads that [`pool`] has.
pub fn threads() -> usize {
    pool().map_or(1, ThreadPool::current_num_threads)
}

/// More threads than any machine has for one process; as many more would only cut the work into crumbs.
const MOST: usize = 256;

/// The number of threads to share work by where so many were asked for: 0 leaves it to the pool.
pub fn shared_by(asked: usize) -> usize {
    if asked == 0 { threads() } else { asked.min(MOST) }
}

/// Does `work` on each piece, a thread a piece where there is more than one; the caller's thread is one of them.
///
/// How work is cut into pieces must not show in results.
pub fn each<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync) {
    share(pieces.len(), pieces, work);
}

/// Does `work` on each piece on so many threads, of which the caller's is one.
///
/// Each thread has a run of pieces of its own, which it takes in order, so that the same games stay in the same cache from
/// step to step; then it takes over the last pieces of the others. So a thread that wakes late, or that something else on
/// the machine holds up, does fewer.
pub fn share<T: Send>(threads: usize, pieces: Vec<T>, work: impl Fn(T) + Sync) {
    let threads = threads.min(pieces.len());
    let pool = if threads > 1 { pool() } else { None };
    let Some(pool) = pool else { return pieces.into_iter().for_each(work) };
    let run = pieces.len().div_ceil(threads);
    let mut pieces = pieces.into_iter();
    let runs: Vec<_> = (0..threads).map(|_| Mutex::new(pieces.by_ref().take(run).collect::<VecDeque<_>>())).collect();
    let take = |own: usize, which: usize| {
        let mut run = runs[which].lock().unwrap_or_else(PoisonError::into_inner);
        if which == own { run.pop_front() } else { run.pop_back() }
    };
    let waiting = AtomicUsize::new(threads - 1);
    let go = |own: usize| {
        for which in (own..threads).chain(0..own) {
            while let Some(piece) = take(own, which) {
                work(piece);
            }
        }
    };
    pool.in_place_scope(|scope| {
        for own in 1..threads {
            let (go, waiting) = (&go, &waiting);
            scope.spawn(move |_| {
                go(own);
                waiting.fetch_sub(1, Ordering::Release);
            });
        }
        go(0);
        // To sleep and be woken takes longer than the last piece of another thread mostly does.
        for _ in 0..SPINS {
            if waiting.load(Ordering::Acquire) == 0 {
                break;
            }
            spin_loop();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        for threads in [1, 2, 3, 7, 143, 500] {
            let mut cells = vec![0u32; 1000];
            let pieces = cells.chunks_mut(7).collect();
            share(threads, pieces, |piece: &mut [u32]| piece.iter_mut().for_each(|cell| *cell += 1));
            assert!(cells.iter().all(|&cell| cell == 1), "{threads} threads");
        }
        assert!(threads() >= 1);
    }
}
