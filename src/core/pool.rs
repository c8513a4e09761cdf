//! The thread pool for large work.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A process: its id and the number of forks that led to it (see [`forked`]). The system may reuse the id of a process
/// that has ended, even for a grandchild that inherits the pool of that process.
type Process = (u32, u32);

/// One pool per process in a chain of forks, oldest first, each with the process that owns it. An entry is set once and
/// read without a lock: a lock that another thread holds during a fork would never be released in the child.
static POOLS: [OnceLock<(Process, Option<ThreadPool>)>; 64] = [const { OnceLock::new() }; 64];

/// The number of forks that led to this process, not counting those after which [`forked`] was not called.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// The number of times that the caller's thread checks whether the other threads are done before it sleeps: about ten
/// microseconds in total.
const SPINS: u32 = 200;

/// The time between two calls of the watcher while the caller's thread waits for the others.
const WATCH: Duration = Duration::from_millis(5);

/// Returns the pool of this process. Returns `None` if the system refuses to start threads, or if 64 ancestors of the
/// process have used pools of their own; work is then done on the caller's thread.
///
/// Each process has its own pool: a child made by `fork` inherits the pool of its parent without the threads, and would
/// wait forever for work that it gave to that pool.
pub fn pool() -> Option<&'static ThreadPool> {
    pool_of((std::process::id(), FORKS.load(Ordering::Relaxed)))
}

/// Records that this process is a child made by `fork`, so that it uses no pool of an ancestor that had the same id.
pub fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Returns the pool of a process, which is the current one except in tests.
fn pool_of(process: Process) -> Option<&'static ThreadPool> {
    // Entries of other processes are inherited from ancestors, whose threads do not exist after the fork: skip them.
    for place in &POOLS {
        loop {
            match place.get() {
                Some((owner, pool)) if *owner == process => return pool.as_ref(),
                Some(_) => break,
                // The pool is built before the entry is set, so that no thread waits for it. If two threads race, the
                // loser's pool is dropped, and the next round of the loop finds the winner's.
                None => {
                    let _ = place.set((process, ThreadPoolBuilder::new().build().ok()));
                }
            }
        }
    }
    None
}

/// Returns the number of threads of [`pool`], which is started if it is not running yet; 1 if there is no pool.
pub fn threads() -> usize {
    pool().map_or(1, ThreadPool::current_num_threads)
}

/// The largest number of threads that a caller gets on request; the pieces of work for more threads would be too small.
const MAX_THREADS: usize = 256;

/// Returns the number of threads to use for a request of `requested` threads: 0 means all threads of the pool, and more
/// than 256 count as 256.
pub fn threads_for(requested: usize) -> usize {
    if requested == 0 { threads() } else { requested.min(MAX_THREADS) }
}

/// Runs `work` on each piece, on up to one thread per piece; one of the threads is the caller's.
///
/// Results must not depend on how the work is cut into pieces.
pub fn each<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync) {
    share(pieces.len(), pieces, work);
}

/// Runs `work` on each piece, on up to `threads` threads, one of which is the caller's; 0 counts as 1.
///
/// Each thread first works through a run of neighboring pieces in order, so that it reads memory in order, and then
/// takes over pieces from the ends of the runs of other threads. A thread that wakes late or is held up works on fewer
/// pieces. Results must not depend on which thread works on a piece.
pub fn share<T: Send>(threads: usize, pieces: Vec<T>, work: impl Fn(T) + Sync) {
    run(threads, pieces, work, None::<fn()>);
}

/// Runs `work` on each piece as [`share`] does, and calls `watch` every few milliseconds while the caller's thread
/// waits for the others.
pub(super) fn share_watched<T: Send>(threads: usize, pieces: Vec<T>, work: impl Fn(T) + Sync, watch: impl Fn()) {
    // A thread of the pool must not be parked here: it may be the one that has to run the pieces it waits for.
    run(threads, pieces, work, rayon::current_thread_index().is_none().then_some(watch));
}

/// Does what [`share`] does, and what [`share_watched`] does if there is a `watch`.
fn run<T: Send>(threads: usize, pieces: Vec<T>, work: impl Fn(T) + Sync, watch: Option<impl Fn()>) {
    let threads = threads.min(pieces.len());
    let pool = if threads > 1 { pool() } else { None };
    let Some(pool) = pool else { return pieces.into_iter().for_each(work) };
    let run = pieces.len().div_ceil(threads);
    let mut pieces = pieces.into_iter();
    let runs: Vec<_> = (0..threads).map(|_| Mutex::new(pieces.by_ref().take(run).collect::<VecDeque<_>>())).collect();
    let take = |own: usize, which: usize| {
        let mut run = runs[which].lock().unwrap_or_else(PoisonError::into_inner);
        // A thread that helps another one takes pieces from the far end, away from where the owner works.
        if which == own { run.pop_front() } else { run.pop_back() }
    };
    let (waiting, caller) = (AtomicUsize::new(threads - 1), watch.as_ref().map(|_| thread::current()));
    let go = |own: usize| {
        // A thread starts with its own run, then helps with the runs of the others.
        for which in (own..threads).chain(0..own) {
            while let Some(piece) = take(own, which) {
                work(piece);
            }
        }
    };
    pool.in_place_scope(|scope| {
        for own in 1..threads {
            let (go, waiting, caller) = (&go, &waiting, &caller);
            scope.spawn(move |_| {
                go(own);
                waiting.fetch_sub(1, Ordering::Release);
                if let Some(caller) = caller {
                    caller.unpark();
                }
            });
        }
        go(0);
        // Going to sleep and waking up usually takes longer than the last piece of another thread.
        for _ in 0..SPINS {
            if waiting.load(Ordering::Acquire) == 0 {
                break;
            }
            spin_loop();
        }
        if let Some(watch) = watch {
            while waiting.load(Ordering::Acquire) > 0 {
                watch();
                thread::park_timeout(WATCH);
            }
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

    #[test]
    fn a_process_with_the_id_of_an_earlier_one_has_its_own_pool() {
        let [parent, again, later] =
            [(0, 0), (0, 0), (0, 2)].map(|process| std::ptr::from_ref(pool_of(process).unwrap()));
        assert_eq!(parent, again);
        assert_ne!(parent, later);
    }
}
