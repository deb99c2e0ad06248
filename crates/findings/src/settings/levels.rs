//! The levels of rules, with the user's changes.

use baseref_files::globs::{Form, Glob};

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
    pub fn set(&mut self, glob: &str, level: Level, known: &[&'static Rule]) -> Result<(), String> {
        self.overrides.push((matching(glob, known)?, level));
        Ok(())
    }

    /// Like [`Self::set`], from an argument `ID=LEVEL` of `--rule`.
    ///
    /// # Errors
    /// If the level is unknown, or as for [`Self::set`].
    pub fn set_argument(&mut self, argument: &str, known: &[&'static Rule]) -> Result<(), String> {
        let (glob, level) = argument
            .split_once('=')
            .ok_or_else(|| format!("`{argument}` is not of the form ID=LEVEL"))?;
        self.set(glob, level.parse()?, known)
    }

    /// The level set by the user; `None` keeps the finding's own level.
    #[must_use]
    pub fn of(&self, rule: &Rule) -> Option<Level> {
        let set = |(matcher, level): &(Glob, Level)| matcher.is_match(rule.id).then_some(*level);
        self.overrides.iter().rev().find_map(set)
    }
}

/// The matcher of the rule ids that a glob matches.
///
/// # Errors
/// If the glob is malformed or matches no rule.
pub fn matching(glob: &str, known: &[&'static Rule]) -> Result<Glob, String> {
    let matcher = Glob::new(glob, Form::Url).map_err(|error| format!("`{glob}`: {error}"))?;
    if known.iter().any(|rule| matcher.is_match(rule.id)) {
        Ok(matcher)
    } else {
        Err(unknown(glob, known))
    }
}

/// The message about an id or a glob that matches nothing, with the one that was probably intended.
fn unknown(glob: &str, known: &[&'static Rule]) -> String {
    let family = |rule: &&'static Rule| rule.id.split('/').next().unwrap_or(rule.id);
    let meant = match glob.split_once('/') {
        Some((typed, rest)) if rest.contains(['*', '?', '[']) => {
            let family = nearest(typed, known.iter().map(family));
            family.map(|family| format!("{family}/{rest}"))
        }
        _ => nearest(glob, known.iter().map(|rule| rule.id)).map(str::to_owned),
    };
    match meant {
        Some(meant) => format!("no rule matches `{glob}`; did you mean `{meant}`?"),
        None => format!("no rule matches `{glob}`: --list-rules lists them"),
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
        assert_eq!(levels.of(&MISSING), None);
        levels.set_argument("*=note", &known).unwrap();
        levels.set_argument("target/*=off", &known).unwrap();
        assert_eq!(levels.of(&MISSING), Some(Level::Off));
        assert_eq!(levels.of(&BASE_EMPTY), Some(Level::Note));
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
            assert!(error.contains(meant), "{argument}: {error}");
        }
    }
}
