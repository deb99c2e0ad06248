//! Which findings will be shown, so that the others need not be complete.

use super::{Excerpts, Finding, Level, Levels};

/// Which findings the outputs show, and with which source lines.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The source lines shown.
    pub excerpts: Excerpts,
    /// The lightest level shown.
    pub level: Level,
    /// The user's levels of rules.
    pub levels: Levels,
}

/// Everything.
impl Default for Shown {
    fn default() -> Self {
        Self {
            excerpts: Excerpts::All,
            level: Level::Off,
            levels: Levels::default(),
        }
    }
}

impl Shown {
    /// Whether an output may show `finding`, whose level the user may have overridden.
    #[must_use]
    pub fn has(&self, finding: &Finding) -> bool {
        self.levels.of(finding.rule).unwrap_or(finding.level) >= self.level
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::findings::PageName;
    use crate::findings::rule::tests::{BASE_EMPTY, MISSING};

    #[test]
    fn the_level_that_the_user_sets_decides() {
        let page = Arc::new(PageName::default());
        let finding = |rule| Finding::new(rule, &page, "", "");
        let mut shown = Shown {
            level: Level::Error,
            ..Shown::default()
        };
        assert!(shown.has(&finding(&MISSING)) && !shown.has(&finding(&BASE_EMPTY)));
        let known = [&MISSING, &BASE_EMPTY];
        for argument in ["target/*=note", "base/*=error"] {
            shown.levels.set_argument(argument, &known).unwrap();
        }
        assert!(!shown.has(&finding(&MISSING)) && shown.has(&finding(&BASE_EMPTY)));
        assert!(Shown::default().has(&finding(&MISSING)));
    }
}
