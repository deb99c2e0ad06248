//! A progress bar on standard error during long runs.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::counts::Counts;
use baseref_files::Files;
use baseref_walk::{self as walk, Walk};

/// Shows bytes read out of the known total, and documents and links so far.
pub struct Progress {
    begun: Instant,
    paths: Vec<PathBuf>,
    walk: Walk,
    read: u64,
    bar: Option<ProgressBar>,
}

/// Shorter runs have no bar, and nothing is counted for one.
const LONG: Duration = Duration::from_secs(1);

impl Progress {
    /// A bar for a run over these paths, if standard error is a terminal, so never in a log.
    #[must_use]
    pub fn new(paths: &[PathBuf], walk: &Walk) -> Option<Self> {
        io::stderr().is_terminal().then(|| Self {
            begun: Instant::now(),
            paths: paths.to_vec(),
            walk: walk.clone(),
            read: 0,
            bar: None,
        })
    }

    /// Adds bytes read.
    pub fn advance(&mut self, bytes: u64, counts: &Counts) {
        self.read += bytes;
        if self.bar.is_none() && self.begun.elapsed() >= LONG {
            self.bar = Some(bar(walk::total_size(&self.paths, &self.walk)));
        }
        if let Some(bar) = &self.bar {
            let (documents, links) = (counts.documents, counts.links);
            let speed = speed(self.read, bar.length().unwrap_or(0), self.begun.elapsed());
            bar.set_position(self.read);
            bar.set_message(format!("{speed}  {documents} documents, {links} links"));
        }
    }

    /// Prints something above the bar.
    pub fn suspend(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar over the bytes of the files of a run, which several threads read. It disappears with this.
pub struct FileProgress {
    bar: Arc<OnceLock<ProgressBar>>,
}

impl FileProgress {
    /// A bar for a run over files of `total` bytes, if standard error is a terminal, so never in a
    /// log. `total` is asked only if the run is long.
    #[must_use]
    pub fn new(files: &Files, total: impl Fn() -> u64 + Send + Sync + 'static) -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let shown: Arc<OnceLock<ProgressBar>> = Arc::default();
        let (begun, read) = (Instant::now(), AtomicU64::new(0));
        let watched = Arc::clone(&shown);
        files.watch(move |bytes| {
            let read = read.fetch_add(bytes, Ordering::Relaxed) + bytes;
            if begun.elapsed() < LONG {
                return;
            }
            let bar = watched.get_or_init(|| bar(total()));
            bar.set_position(read);
            bar.set_message(speed(read, bar.length().unwrap_or(0), begun.elapsed()));
        });
        Some(Self { bar: shown })
    }
}

impl Drop for FileProgress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// The mean speed, and the remaining time at that speed. The bar's own figures start when it is
/// first shown, as if everything before had taken no time.
fn speed(read: u64, total: u64, elapsed: Duration) -> String {
    let milliseconds = elapsed.as_millis().max(1);
    let per_second = u128::from(read) * 1000 / milliseconds;
    let speed = HumanBytes(u64::try_from(per_second).unwrap_or(u64::MAX));
    // Compressed content can be larger than its file.
    match u128::from(total.saturating_sub(read)).checked_div(per_second) {
        Some(left) if total > read => {
            let left = Duration::from_secs(u64::try_from(left).unwrap_or(u64::MAX));
            format!("{speed}/s  eta {:#}", HumanDuration(left))
        }
        _ => format!("{speed}/s"),
    }
}

/// The bar, with as much of its message as the width of the terminal holds.
fn bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20} {bytes}/{total_bytes}  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_overall_mean() {
        let mebibyte = 1024 * 1024;
        let second = Duration::from_secs(1);
        assert_eq!(
            speed(2 * mebibyte, 22 * mebibyte, second),
            "2.00 MiB/s  eta 10s"
        );
        assert_eq!(speed(3, 2, second), "3 B/s");
        assert_eq!(speed(0, 2, Duration::ZERO), "0 B/s");
    }
}
