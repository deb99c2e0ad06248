//! The rule files that the user names, and the servers of a site that answer by them.

mod answer;
mod error;
mod named;
mod set;
mod source;

pub use answer::{RedirectAnswer, RedirectEnd, Redirects};
pub use error::RuleSetError;
pub use named::{NamedRules, read_rules};
pub use set::read_redirects;
pub use source::{RuleSource, exhausted, problems};
