//! Whether every link of a saved tree is what its author thinks it is.
//!
//! - [`compare`]: where the three rule sets of [`mod@crate::resolve`] give different URLs, and why.

pub mod compare;
