//! The verdict on each old address, and the faults of the rules that should redirect it.

mod findings;
mod near_miss;
mod row;
mod rule_faults;
mod verdict;
mod written;

pub use self::findings::{address_finding, list_findings};
pub use self::row::Row;
pub use self::rule_faults::{
    MatchedRules, RuleAddress, RuleFilePart, is_loop_of_rule, parts, rule_findings, sources,
};
pub use self::verdict::{AddressVerdict, is_astray};
pub use self::written::{MissingRules, missing_rules};
