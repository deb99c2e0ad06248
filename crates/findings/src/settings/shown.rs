//! Which findings will be shown, so that the others need not be complete.

use encoding_rs::Encoding;

use crate::{Excerpts, Finding, Level, Levels, Rule, SourceLines};

/// Which findings the outputs show, and with which source lines.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The source lines shown.
    pub excerpts: Excerpts,
    /// The lightest level shown.
    pub level: Level,
    /// The user's levels of rules.
    pub levels: Levels,
    /// Whether findings of rules that are off by default are shown at any level that the user gave them.
    pub requested: bool,
    /// Whether messages with such findings are shown as cards.
    pub message_summaries: bool,
}

/// Everything.
impl Default for Shown {
    fn default() -> Self {
        Self {
            excerpts: Excerpts::All,
            level: Level::Off,
            levels: Levels::default(),
            requested: false,
            message_summaries: false,
        }
    }
}

impl Shown {
    /// Whether an output may show `finding`, whose level the user may have overridden.
    #[must_use]
    pub fn has(&self, finding: &Finding) -> bool {
        self.has_level(finding.rule, finding.level)
    }

    /// Whether any finding of `rule` is shown whose check gave it that level.
    #[must_use]
    pub fn has_level(&self, rule: &Rule, level: Level) -> bool {
        let level = self.levels.level(rule).unwrap_or(level);
        level >= self.level || self.requested && rule.level == Level::Off && level != Level::Off
    }

    /// Whether findings of a rule count, shown or not.
    #[must_use]
    pub fn is_on(&self, rule: &Rule) -> bool {
        let level = self.levels.level(rule).unwrap_or(rule.level);
        level != Level::Off || self.level == Level::Off
    }

    /// Whether `finding` will be removed because its rule is off. It then need not be stored until
    /// that happens, unless everything is shown.
    #[must_use]
    pub fn drops(&self, finding: &Finding) -> bool {
        let level = self.levels.level(finding.rule).unwrap_or(finding.level);
        level == Level::Off && self.level != Level::Off
    }

    /// Whether an output may show the source line of `finding`.
    #[must_use]
    pub fn has_line_of(&self, finding: &Finding) -> bool {
        self.excerpts != Excerpts::None && finding.at.is_some() && self.has(finding)
    }

    /// Adds the source lines that outputs may show to findings about a document, given its bytes.
    pub fn add_lines(
        &self,
        findings: &mut [Finding],
        document: &[u8],
        encoding: &'static Encoding,
    ) {
        let count = findings.iter().filter(|one| self.has_line_of(one)).count();
        let mut lines = SourceLines::new(document, encoding, count);
        for finding in findings {
            if self.has_line_of(finding)
                && let Some(at) = &finding.at
            {
                finding.line = lines.around(&at.byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::sync::Arc;

    use super::*;
    use crate::PageName;
    use crate::rule::tests::{BASE_EMPTY, MISSING};
    use baseref_document::Position;

    #[test]
    fn level_set_by_the_user_decides() {
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

    #[test]
    fn findings_of_rules_that_are_off_are_dropped_unless_everything_is_wanted() {
        let page = Arc::new(PageName::default());
        let finding = Finding::new(&MISSING, &page, "", "");
        let off = |level| {
            let mut levels = Levels::default();
            levels.set_argument("target/*=off", &[&MISSING]).unwrap();
            let excerpts = Excerpts::None;
            Shown {
                excerpts,
                level,
                levels,
                ..Shown::default()
            }
        };
        assert!(off(Level::Error).drops(&finding));
        assert!(!off(Level::Off).drops(&finding));
        assert!(!Shown::default().drops(&finding));
    }

    #[test]
    fn only_shown_findings_with_a_place_get_a_line() {
        let page = Arc::new(PageName::default());
        let finding = |rule, has_place: bool| {
            let mut finding = Finding::new(rule, &page, "", "");
            finding.at = has_place.then_some(Position::new(NonZeroU32::MIN, NonZeroU32::MIN, 8..9));
            finding
        };
        let mut shown = Shown {
            level: Level::Error,
            ..Shown::default()
        };
        let lines = |shown: &Shown| {
            let of = [(&MISSING, true), (&MISSING, false), (&BASE_EMPTY, true)];
            let mut findings = of.map(|(rule, has_place)| finding(rule, has_place));
            shown.add_lines(&mut findings, b"<a href=x>", encoding_rs::UTF_8);
            findings.map(|finding| finding.excerpt().is_some())
        };
        assert_eq!(lines(&shown), [true, false, false]);
        shown.excerpts = Excerpts::None;
        assert_eq!(lines(&shown), [false; 3]);
    }
}
