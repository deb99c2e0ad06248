//! The levels of rules, with the user's changes.

use baseref_files::globs::Glob;

use crate::error::SettingsError;
use crate::settings::allow::glob as compile;
use crate::text::nearest::nearest;
use crate::{Level, Rule};

/// The levels of rules, with the user's changes.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    overrides: Vec<(Glob, Level)>,
}

impl Levels {
    /// Sets the level of every rule whose id matches `glob`; later settings win.
    ///
    /// `known` are all existing rules.
    ///
    /// # Errors
    /// If `glob` is malformed or matches no rule. A misspelt id would otherwise be silently
    /// ignored.
    pub fn set(
        &mut self,
        glob: &str,
        level: Level,
        known: &[&'static Rule],
    ) -> Result<(), SettingsError> {
        self.overrides.push((matching(glob, known)?, level));
        Ok(())
    }

    /// Like [`Self::set`], from an argument `ID=LEVEL` of `--rule`.
    ///
    /// # Errors
    /// If the level is unknown, or as for [`Self::set`].
    pub fn set_argument(
        &mut self,
        argument: &str,
        known: &[&'static Rule],
    ) -> Result<(), SettingsError> {
        let (glob, level) = argument
            .split_once('=')
            .ok_or_else(|| SettingsError::LevelArgument(argument.to_owned()))?;
        self.set(glob, level.parse()?, known)
    }

    /// The level set by the user; `None` keeps the finding's own level.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Option<Level> {
        let set = |(matcher, level): &(Glob, Level)| matcher.is_match(rule.id).then_some(*level);
        self.overrides.iter().rev().find_map(set)
    }
}

/// The matcher of the rule ids that a glob matches.
///
/// # Errors
/// If the glob is malformed or matches no rule.
pub fn matching(glob: &str, known: &[&'static Rule]) -> Result<Glob, SettingsError> {
    let matcher = compile(glob)?;
    if known.iter().any(|rule| matcher.is_match(rule.id)) {
        Ok(matcher)
    } else {
        Err(SettingsError::NoRule {
            glob: glob.to_owned(),
            suggestion: similar(glob, known),
        })
    }
}

/// An id or a glob that is similar to one that matches nothing.
fn similar(glob: &str, known: &[&'static Rule]) -> Option<String> {
    let family = |rule: &&'static Rule| rule.id.split('/').next().unwrap_or(rule.id);
    match glob.split_once('/') {
        Some((typed, rest)) if rest.contains(['*', '?', '[']) => {
            let family = nearest(typed, known.iter().map(family));
            family.map(|family| format!("{family}/{rest}"))
        }
        _ => nearest(glob, known.iter().map(|rule| rule.id)).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::tests::{BASE_EMPTY, MISSING};

    #[test]
    fn later_setting_wins_and_globs_match_slashes() {
        let known: [&'static Rule; 2] = [&MISSING, &BASE_EMPTY];
        let mut levels = Levels::default();
        assert_eq!(levels.level(&MISSING), None);
        levels.set_argument("*=note", &known).unwrap();
        levels.set_argument("target/*=off", &known).unwrap();
        assert_eq!(levels.level(&MISSING), Some(Level::Off));
        assert_eq!(levels.level(&BASE_EMPTY), Some(Level::Note));
    }

    #[test]
    fn argument_without_effect_is_refused() {
        let mut levels = Levels::default();
        for (argument, says) in [
            ("target/mising=off", "no rule matches"),
            ("target/*", "not of the form"),
            ("target/*=loud", "not a level"),
            ("target/[=off", "unclosed"),
        ] {
            let error = levels.set_argument(argument, &[&MISSING]).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(says), "{argument}: {error}");
        }
    }

    #[test]
    fn misspelt_rule_or_family_gets_a_suggestion() {
        let known: [&'static Rule; 2] = [&MISSING, &BASE_EMPTY];
        for (argument, meant) in [
            ("missing-file=off", "did you mean `target/missing-file`?"),
            (
                "target/mising-file=off",
                "did you mean `target/missing-file`?",
            ),
            ("targt/*=off", "did you mean `target/*`?"),
            ("nothing/like/it=off", "--list-rules lists them"),
            ("base/empty=eror", "did you mean `error`?"),
        ] {
            let error = Levels::default()
                .set_argument(argument, &known)
                .unwrap_err();
            let error = error.to_string();
            assert!(error.contains(meant), "{argument}: {error}");
        }
    }
}
