//! The old addresses one by one, and the faults of the rules that should redirect them.

mod findings;
mod near_miss;
mod row;
mod rule_faults;

pub use self::findings::{address_finding, list_findings};
pub use self::row::{Row, verdict};
pub use self::rule_faults::{Part, Used, parts, rule_findings, sources};
