//! One result for each item of a list, found on several threads.

use std::num::NonZeroUsize;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many items a thread takes at a time: few, since some take longer than others.
const AT_A_TIME: usize = 32;

/// The results of `work` on `items`, in their order, on `jobs` threads at most.
///
/// # Panics
/// If `work` does.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let parts = items.len().div_ceil(AT_A_TIME);
    let threads = jobs.get().min(parts);
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = items.chunks(AT_A_TIME).nth(number) else {
                return own;
            };
            own.push((number, part.iter().map(&work).collect::<Vec<_>>()));
        }
    };
    let mut parts = thread::scope(|scope| {
        // If no further thread can be started, the existing ones do its part.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, take).ok();
        let threads: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut parts = take();
        for thread in threads {
            match thread.join() {
                Ok(more) => parts.extend(more),
                Err(cause) => panic::resume_unwind(cause),
            }
        }
        parts
    });
    parts.sort_unstable_by_key(|(number, _)| *number);
    parts.into_iter().flat_map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_keeps_item_order() {
        let items: Vec<usize> = (0..1_000).collect();
        let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
        for jobs in [1, 2, 7, 64] {
            let jobs = NonZeroUsize::new(jobs).expect("the number of threads is not zero");
            assert_eq!(map(&items, jobs, |item| item * 2), doubled);
            assert!(map(&[], jobs, |item: &usize| *item).is_empty());
        }
    }
}
