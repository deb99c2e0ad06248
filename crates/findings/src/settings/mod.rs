//! What the user decides about findings: levels, exceptions, and which are shown.

pub(crate) mod allow;
pub(crate) mod config;
pub mod judging;
pub(crate) mod levels;
pub(crate) mod shown;
