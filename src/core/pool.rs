//! The threads that share large work.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool for each process in a line of forks, the first one first. A place is filled once and read without a lock: a lock
/// that another thread holds while this one forks would never be released in the child.
static POOLS: [OnceLock<(u32, Option<ThreadPool>)>; 64] = [const { OnceLock::new() }; 64];

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

/// Does `work` on each piece: side by side on the pool where there is more than one piece, otherwise here.
///
/// The caller's thread does the first piece itself. How work is cut into pieces must not show in results.
pub fn each<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync) {
    let pool = if pieces.len() > 1 { pool() } else { None };
    let Some(pool) = pool else { return pieces.into_iter().for_each(work) };
    let mut pieces = pieces.into_iter();
    let first = pieces.next();
    pool.in_place_scope(|scope| {
        for piece in pieces {
            let work = &work;
            scope.spawn(move |_| work(piece));
        }
        first.into_iter().for_each(&work);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        let mut cells = vec![0u32; 1000];
        each(cells.chunks_mut(7).collect(), |piece: &mut [u32]| piece.iter_mut().for_each(|cell| *cell += 1));
        assert!(cells.iter().all(|&cell| cell == 1));
        assert!(threads() >= 1);
    }
}
