//! Parses lines into conditions and rules.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::alias::escape_path;
use super::super::assignments::{Assignment, Names};
use super::super::expression::{Expression, NUMBERS, NoExpression, number_of};
use super::super::lines::Line;
use super::super::variables;
use super::{
    Check, Condition, Engine, Flags, Inherits, LastRule, Maps, Place, RewriteRule, is_absolute,
};
use crate::engine::pattern::{is_broken, literal};
use crate::line_error::LineError;
use crate::rule::{ProblemKind, Rule, RuleParser};

impl Engine {
    pub(in super::super) fn switch(&mut self, line: &Line) -> Result<(), LineError> {
        match line.rest.to_ascii_lowercase().as_str() {
            "on" => self.is_on = true,
            "off" => self.is_on = false,
            _ => return Err(LineError::Form("it must be On or Off")),
        }
        self.is_switched = true;
        Ok(())
    }

    pub(in super::super) fn set_options(&mut self, line: &Line) {
        for word in line.words() {
            match &*word.to_ascii_lowercase() {
                "inherit" => self.inherits = Some(Inherits::After),
                "inheritbefore" => self.inherits = Some(Inherits::Before),
                _ => {}
            }
        }
    }

    pub(in super::super) fn set_base(&mut self, line: &Line) -> Result<(), LineError> {
        let words = line.words();
        let [base] = &words[..] else {
            return Err(LineError::Form("it takes one argument, the base URL"));
        };
        if !base.starts_with('/') {
            return Err(LineError::Form("the base URL must start with a slash"));
        }
        self.base = Some(base.clone());
        Ok(())
    }

    pub(in super::super) fn add_condition(
        &mut self,
        line: &Line,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<(), LineError> {
        let (words, _) = line.rewrite_words();
        let (test, pattern, flags) = match &words[..] {
            [test, pattern] => (test, pattern, ""),
            [test, pattern, flags] => (test, pattern, flags.as_str()),
            _ => return Err(LineError::Form("it needs a test string and a pattern")),
        };
        let mut condition = Condition {
            test: test.clone(),
            is_negated: false,
            check: Check::UnsupportedDirectives,
            or_next: false,
            ignores_case: false,
        };
        for flag in flag_list(flags)? {
            match flag.to_ascii_lowercase().as_str() {
                "nc" | "nocase" => condition.ignores_case = true,
                "or" | "ornext" => condition.or_next = true,
                "nv" | "novary" => {}
                _ => return Err(LineError::UnknownFlag(flag.to_owned())),
            }
        }
        let bare = pattern.strip_prefix('!').unwrap_or(pattern);
        condition.is_negated = bare.len() < pattern.len();
        condition.check = if test == "expr" {
            match Expression::parse(bare, names, parser) {
                Ok(expression) => Check::Expression(expression),
                Err(NoExpression::NotKnown) => Check::UnsupportedDirectives,
                Err(NoExpression::Refused) => {
                    return Err(LineError::BrokenExpression(bare.to_owned()));
                }
            }
        } else {
            check(bare, condition.ignores_case, parser)
        };
        let is_pattern =
            matches!(condition.check, Check::UnsupportedDirectives) && !bare.starts_with('-');
        if is_pattern && test != "expr" && is_broken(bare) {
            return Err(LineError::BrokenPattern(bare.to_owned()));
        }
        self.pending.push(condition);
        Ok(())
    }

    pub(in super::super) fn add_rule(
        &mut self,
        line: &Line,
        mount: Option<&str>,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<(), LineError> {
        let conditions = std::mem::take(&mut self.pending);
        let (words, ignored) = line.rewrite_words();
        if let LastRule::Repeatable {
            line: first,
            words: last,
        } = &self.last
        {
            if conditions.is_empty() && *last == words {
                parser.repeated(*first, line.number, 1);
                return Ok(());
            }
            self.last = LastRule::Other;
        }
        let (source, to, flags) = match &words[..] {
            [source, to] => (source, to, ""),
            [source, to, flags] => (source, to, flags.as_str()),
            _ => return Err(LineError::Form("it needs a pattern and a substitution")),
        };
        if !ignored.is_empty() && !ignored.starts_with('#') {
            let message = format!("the server ignores what follows the flags: {ignored:?}");
            parser.problem(line.number, ProblemKind::Dropped, message);
        }
        let flags = flags_of(flags)?;
        let bare = source.strip_prefix('!').unwrap_or(source);
        let pattern = match parser.pattern(bare, flags.ignores_case) {
            Ok(pattern) => pattern,
            Err(source) if is_broken(bare) => {
                return Err(LineError::InvalidPattern {
                    pattern: bare.to_owned(),
                    source,
                });
            }
            Err(message) => {
                let message = format!("the pattern {bare:?} is not read: {message}");
                parser.problem(line.number, ProblemKind::NotRead, message);
                return Ok(());
            }
        };
        let unread = self.unread_in(&conditions, to, &flags, names);
        if let Some(what) = &unread {
            let message = format!("{what} is not supported, so the rule's answer is not known");
            parser.problem(line.number, ProblemKind::NotRead, message);
        }
        let is_relative = to != "-" && !to.starts_with(['/', '$', '%']) && !is_absolute(to);
        if flags.redirect.is_some() && mount.is_some() && is_relative && self.base.is_none() {
            let message = format!(
                "without RewriteBase the redirect to {to:?} leads to the path of the folder on \
                 the disk, which is not known"
            );
            parser.problem(line.number, ProblemKind::NotRead, message);
        }
        let is_negated = bare.len() < source.len();
        let status = flags.status.or(flags.redirect);
        let rule = parser.rule(Rule {
            line: line.number,
            from: source.clone(),
            to: (to != "-").then(|| to.clone()),
            status: status.unwrap_or(if is_absolute(to) { 302 } else { 200 }),
            status_is_default: status.is_none() || flags.has_bare_redirect(&words),
            is_exact: false,
            samples: sample(bare, mount)
                .filter(|_| conditions.is_empty() && !is_negated && self.is_on)
                .filter(|_| self.place == Place::Folder)
                .into_iter()
                .collect(),
        });
        let is_chain_member = flags.chain || self.is_chained;
        let is_always = is_negated || is_chain_member;
        if is_always {
            self.index.add(&[], self.rules.len());
        } else {
            self.index.add_pattern(&pattern, self.rules.len());
        }
        let ends = (flags.last || flags.end || flags.status.is_some()) && !flags.next;
        self.last = match self.last {
            LastRule::AfterSkip => LastRule::AfterSkip,
            _ if flags.skip > 0 => LastRule::AfterSkip,
            _ if ends && conditions.is_empty() && !is_chain_member => LastRule::Repeatable {
                line: line.number,
                words: words.clone(),
            },
            _ => LastRule::Other,
        };
        self.is_chained = flags.chain;
        self.rules.push(RewriteRule {
            rule,
            line: line.number,
            pattern,
            is_negated,
            conditions,
            to: (to != "-").then(|| to.clone()),
            flags,
        });
        Ok(())
    }

    /// The rules of a section, which have the switch and the base of those outside, unless they have
    /// their own.
    pub(in super::super) fn in_section(place: Place, maps: Arc<Maps>) -> Self {
        Self {
            place,
            maps,
            ..Self::default()
        }
    }

    /// What makes a rule unsupported, in words.
    fn unread_in(
        &self,
        conditions: &[Condition],
        to: &str,
        flags: &Flags,
        names: &Names,
    ) -> Option<String> {
        if flags.is_proxy {
            return Some("the flag P".to_owned());
        }
        if let Some(name) = self.maps.unread_in(to) {
            return Some(format!("the map {name:?}"));
        }
        if let Some(name) = unread_variable(to, names) {
            return Some(format!("%{{{name}}}"));
        }
        conditions.iter().find_map(|condition| {
            if let Some(name) = self.maps.unread_in(&condition.test) {
                return Some(format!("the map {name:?}"));
            }
            if let Some(name) = unread_variable(&condition.test, names) {
                return Some(format!("%{{{name}}}"));
            }
            let is_unread = matches!(condition.check, Check::UnsupportedDirectives);
            is_unread.then(|| format!("a condition on {:?}", condition.test))
        })
    }

    /// Whether rules apply in a section, if a line of the section says so.
    pub(in super::super) fn switched(&self) -> Option<bool> {
        self.is_switched.then_some(self.is_on)
    }

    /// `RewriteBase`
    pub(in super::super) fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// Whether any line is for it.
    pub(in super::super) fn has_lines(&self) -> bool {
        self.is_switched || self.base.is_some() || self.inherits.is_some() || !self.rules.is_empty()
    }

    /// Call this after the last line.
    pub(in super::super) fn finish(&mut self, parser: &mut RuleParser) {
        if !self.is_on
            && let Some(rule) = self.rules.first()
        {
            let message = "RewriteEngine is not On: no RewriteRule applies";
            parser.problem(rule.line, ProblemKind::Dropped, message);
        }
    }
}

/// The comma-separated words in brackets.
fn flag_list(flags: &str) -> Result<Vec<&str>, LineError> {
    if flags.is_empty() {
        return Ok(Vec::new());
    }
    let inner = flags
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .ok_or_else(|| LineError::FlagDelimiters(flags.to_owned()))?;
    Ok(inner
        .split(',')
        .map(str::trim)
        .filter(|flag| !flag.is_empty())
        .collect())
}

fn flags_of(text: &str) -> Result<Flags, LineError> {
    let mut flags = Flags::default();
    for flag in flag_list(text)? {
        let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
        match name.to_ascii_lowercase().as_str() {
            "r" | "redirect" => {
                let status = redirect_status(value)?;
                flags.is_forced = true;
                if value.is_empty() && (flags.redirect.or(flags.status)).is_some() {
                    // The status given before stays.
                } else if (300..400).contains(&status) {
                    flags.redirect = Some(status);
                } else {
                    flags.status = Some(status);
                }
            }
            "f" | "forbidden" => flags.status = Some(403),
            "g" | "gone" => flags.status = Some(410),
            "l" | "last" => flags.last = true,
            "end" => flags.end = true,
            "c" | "chain" => flags.chain = true,
            "n" | "next" => flags.next = true,
            "nc" | "nocase" => flags.ignores_case = true,
            "ne" | "noescape" => flags.no_escape = true,
            "ns" | "nosubreq" => flags.no_subrequest = true,
            "p" | "proxy" => flags.is_proxy = true,
            "pt" | "passthrough" => flags.pass_through = true,
            "qsa" | "qsappend" => flags.append_query = true,
            "qsd" | "qsdiscard" => flags.discard_query = true,
            "qsl" | "qslast" => flags.last_question_mark = true,
            "s" | "skip" => {
                flags.skip = value
                    .parse()
                    .map_err(|_| LineError::Flag(flag.to_owned()))?;
            }
            "b" => flags.escapes_groups = true,
            "unsafeallow3f" => flags.allows_3f = true,
            "dpi" | "discardpath" => flags.drops_path_info = true,
            "e" | "env" => flags.sets.extend(Assignment::from_flag(flag)),
            "co" | "cookie" | "h" | "handler" | "t" | "type" | "bnp" | "backrefnoplus"
            | "bctls" | "bne" | "unsafeprefixstat" | "unc" => {}
            _ => return Err(LineError::UnknownFlag(flag.to_owned())),
        }
    }
    Ok(flags)
}

fn redirect_status(value: &str) -> Result<u16, LineError> {
    match value.to_ascii_lowercase().as_str() {
        "" | "temp" => Ok(302),
        "permanent" => Ok(301),
        "seeother" => Ok(303),
        digits => match digits.parse() {
            Ok(status @ 100..=599) => Ok(status),
            _ => Err(LineError::RedirectStatus(value.to_owned())),
        },
    }
}

impl Flags {
    fn has_bare_redirect(&self, words: &[String]) -> bool {
        let flags = words.get(2).map_or("", String::as_str);
        self.redirect.is_some()
            && !flags.to_ascii_lowercase().contains("r=")
            && !flags.to_ascii_lowercase().contains("redirect=")
    }
}

fn check(pattern: &str, ignores_case: bool, parser: &mut RuleParser) -> Check {
    if let Some(text) = pattern.strip_prefix('=') {
        return Check::Equal(unquote(text));
    }
    for (mark, holds) in TEXTS {
        if let Some(text) = pattern.strip_prefix(mark) {
            return Check::Compare(holds.to_vec(), unquote(text));
        }
    }
    match pattern {
        "-f" => return Check::File,
        "-s" => return Check::NotEmptyFile,
        "-d" => return Check::Directory,
        "-F" | "-U" | "-h" | "-l" | "-L" | "-x" => return Check::UnsupportedDirectives,
        _ => {}
    }
    for (name, holds) in NUMBERS {
        let bare = pattern.strip_prefix('-');
        if let Some(number) = bare.and_then(|bare| bare.strip_prefix(name)) {
            return Check::Number(holds.to_vec(), number_of(number.as_bytes()));
        }
    }
    let pattern = parser.pattern(pattern, ignores_case);
    pattern.map_or(Check::UnsupportedDirectives, Check::Pattern)
}

/// The operators that compare texts, longer ones first, with the orderings for which they hold.
const TEXTS: [(&str, &[Ordering]); 4] = [
    ("<=", &[Ordering::Less, Ordering::Equal]),
    (">=", &[Ordering::Greater, Ordering::Equal]),
    ("<", &[Ordering::Less]),
    (">", &[Ordering::Greater]),
];

/// `=""` is the empty string.
fn unquote(text: &str) -> String {
    if text == "\"\"" {
        String::new()
    } else {
        text.to_owned()
    }
}

fn unread_variable<'t>(text: &'t str, names: &Names) -> Option<&'t str> {
    text.split("%{").skip(1).find_map(|rest| {
        let name = rest.split('}').next()?;
        (!variables::is_known(name, names)).then_some(name)
    })
}

fn sample(pattern: &str, mount: Option<&str>) -> Option<String> {
    let path = escape_path(literal(pattern)?.as_bytes());
    match mount {
        Some(mount) if !path.starts_with('/') => Some(format!("{mount}{path}")),
        Some(_) => None,
        None => path.starts_with('/').then_some(path),
    }
}
