//! What a check has to say of a link: plain data, and what is decided of it once it is said.
//!
//! A check makes a [`Finding`] by one [`Rule`]. [`Triage`] then gives it its level and its
//! [`Fingerprint`], looks it up in the [`Baseline`] and among what the user allows, and
//! counts it. Findings of one cause form a [`Group`]. How they are written is the work of
//! [`crate::report::findings`].
//!
//! The room reads no file and no clock: it takes bytes and a date, and gives bytes back.

mod allow;
mod baseline;
mod config;
mod excerpt;
mod finding;
mod fingerprint;
mod group;
mod judged_link;
mod level;
mod levels;
mod rule;
mod summary;
mod triage;

pub use allow::Allow;
pub use baseline::{Baseline, BaselineError, Recorded};
pub use config::{Config, ConfigError};
pub use excerpt::{Excerpt, Excerpts};
pub use finding::{BaseName, Finding, Fix, Moved, PageName, Related};
pub use fingerprint::{Fingerprint, Ordinals};
pub use group::{Group, Groups};
pub use judged_link::JudgedLink;
pub use level::Level;
pub use levels::Levels;
pub use rule::Rule;
pub(crate) use rule::rules;
pub use summary::{Class, Count, Summary, Totals};
pub use triage::{RULES, Triage};
