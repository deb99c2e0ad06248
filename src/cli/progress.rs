//! A bar on standard error while long work goes on.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::counts::Counts;
use crate::walk;

/// Bytes read of bytes known, documents and links so far.
pub struct Progress {
    begun: Instant,
    paths: Vec<PathBuf>,
    read: u64,
    bar: Option<ProgressBar>,
}

/// Work that is done sooner has no bar, and nothing is counted for it.
const LONG: Duration = Duration::from_secs(1);

impl Progress {
    /// A bar for work on these paths, if standard error is a terminal and standard output is
    /// not: results on the same screen would break the bar.
    #[must_use]
    pub fn new(paths: &[PathBuf], results_on_terminal: bool) -> Option<Self> {
        (io::stderr().is_terminal() && !results_on_terminal).then(|| Self {
            begun: Instant::now(),
            paths: paths.to_vec(),
            read: 0,
            bar: None,
        })
    }

    /// So many more bytes were read.
    pub fn advance(&mut self, bytes: u64, counts: &Counts) {
        self.read += bytes;
        if self.bar.is_none() && self.begun.elapsed() >= LONG {
            self.bar = Some(bar(walk::total_size(&self.paths)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
            bar.set_message(format!(
                "{} documents, {} links",
                counts.documents, counts.links
            ));
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

fn bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  eta {eta}  {msg}",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style)
}
