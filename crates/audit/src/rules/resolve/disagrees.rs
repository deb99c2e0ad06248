//! The message of the rules about links on which the rule sets disagree.

use std::fmt;

use baseref_findings::{Rule, Violation};

use super::{disagree_host, disagree_minor, disagree_path, fail};
use crate::compare::{Cause, Distance};

/// That the rule sets disagree on a link; the distance between the URLs decides which rule it is.
pub(crate) struct Disagrees {
    pub(crate) distance: Distance,
    pub(crate) cause: Cause,
    /// Whether they lead to different files.
    pub(crate) leads_elsewhere: bool,
    /// Whether browsers refuse the link.
    pub(crate) is_refused: bool,
}

impl Disagrees {
    fn rule(&self) -> &'static Rule {
        match self.distance {
            Distance::Minor => &disagree_minor::RULE,
            Distance::Fail => &fail::RULE,
            Distance::Path => &disagree_path::RULE,
            Distance::Host => &disagree_host::RULE,
        }
    }
}

impl fmt::Display for Disagrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let explanation = self.cause.explanation();
        if self.leads_elsewhere {
            write!(f, "{explanation}; they lead to different files")
        } else if self.is_refused && self.cause == Cause::Slashes {
            f.write_str("nothing follows the slashes")
        } else {
            f.write_str(explanation)
        }
    }
}

impl From<Disagrees> for Violation {
    fn from(message: Disagrees) -> Self {
        let rule = message.rule();
        Self {
            rule,
            level: rule.level,
            message: message.to_string().into(),
        }
    }
}
