//! The verdict on each old address, and the faults of the rules that should redirect it.

mod findings;
mod near_miss;
mod row;
mod rule_faults;

pub use self::findings::{address_finding, list_findings};
pub use self::row::{Row, verdict};
pub use self::rule_faults::{MatchedRules, RuleFilePart, parts, rule_findings, sources};
