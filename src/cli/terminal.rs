//! How much room the terminal has.

#[cfg(unix)]
use std::os::fd::AsFd as Handle;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Handle;

use terminal_size::{Width, terminal_size_of};

/// A narrower terminal breaks lines itself: sentences have words of that length.
const NARROWEST: u16 = 40;

/// The columns of the terminal that an output goes to; `None` if it goes elsewhere.
pub(super) fn terminal_columns(output: impl Handle) -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(output)?;
    Some(columns.max(NARROWEST).into())
}
