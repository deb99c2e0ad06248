//! The regular expressions of all dialects, in the syntax of PCRE, which Apache and nginx use; other
//! syntaxes are translated to it. A linear-time engine runs those without look-around and
//! back-references, and a backtracking engine with a limit runs the others.

use std::cell::RefCell;
use std::ops::Range;
use std::str::Chars;
use std::sync::OnceLock;

use regex_automata::nfa::thompson;
use regex_automata::nfa::thompson::backtrack::{BoundedBacktracker, Cache};
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Input, PatternID};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use baseref_document::LimitReached;

use crate::engine::work::{BACKTRACK_LIMIT, Limit, NoAnswer, ReadingBudget, Work};

/// The number of backtracking steps that [`BACKTRACKING_STEPS`] pays for.
const FEW_STEPS_BACK: usize = 250;
/// The cost of a text for the backtracking engine, up to [`FEW_STEPS_BACK`].
const BACKTRACKING_STEPS: usize = 64;
/// The minimum cost of a text for the linear-time engine.
const MATCHING_STEPS: usize = 8;
/// The number of states times positions that this engine visits in a step.
const PLACES_PER_STEP: usize = 16;
/// The base cost of compiling a pattern, to which its number of states is added.
const COMPILING_STEPS: usize = 256;
/// The maximum size of one compiled pattern in bytes.
const SIZE_LIMIT: usize = 4 << 20;
/// The maximum number of states of one pattern, as [`states`] counts them, and of bytes.
const MAX_STATES: usize = 1 << 16;
/// The states that a class such as `\pL` or `\w` has with all letters of Unicode, ...
const LETTER_STATES: usize = 1_536;
/// ... one such as `\d`, ...
const DIGIT_STATES: usize = 64;
/// ... and `.` or an excluding class such as `[^/]`.
const EXCLUDING_STATES: usize = 8;

/// A parsed pattern, compiled when it is used.
#[derive(Debug)]
pub(crate) struct Pattern {
    engine: Engine,
    /// Whether it is compiled once rather than for each use. This must not depend on the order of use,
    /// so that the number of steps does not either.
    is_kept: bool,
    prefix: Box<[u8]>,
    text: Box<[u8]>,
}

#[derive(Debug)]
enum Engine {
    Linear(Box<Linear>),
    Backtracking(Box<Backtracking>),
}

/// A pattern for the backtracking engine.
#[derive(Debug)]
struct Backtracking {
    source: String,
    ignores_case: bool,
    states: usize,
    /// Tried first: gives up after [`FEW_STEPS_BACK`], so that most texts stay cheap.
    hasty: OnceLock<Option<fancy_regex::Regex>>,
    /// Tried next: gives up after [`BACKTRACK_LIMIT`].
    patient: OnceLock<Option<fancy_regex::Regex>>,
}

/// Why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PatternError {
    /// It has more than [`MAX_STATES`] states or bytes.
    #[error("it is too large: more than {MAX_STATES} states or bytes (rule-pattern)")]
    TooLarge,
    /// The patterns of its file have more states than a [`ReadingBudget`] allows.
    #[error("the patterns of the file are too large together (rule-patterns-of-file)")]
    FileTooLarge,
    /// Neither engine supports its possessive repetitions.
    #[error("possessive repetitions are not supported")]
    Possessive,
    /// It is invalid, or has syntax that neither engine supports; in the words of the parser.
    #[error("{0}")]
    Syntax(String),
}

impl From<LimitReached> for PatternError {
    fn from(_: LimitReached) -> Self {
        Self::FileTooLarge
    }
}

impl From<PatternError> for String {
    fn from(error: PatternError) -> Self {
        error.to_string()
    }
}

/// The engine gave up.
struct TooManyStepsBack;

/// A pattern for the linear-time engine.
#[derive(Debug)]
struct Linear {
    source: String,
    ignores_case: bool,
    states: usize,
    /// The length of text that it examines, if bounded.
    reach: Option<usize>,
    compiled: OnceLock<Option<BoundedBacktracker>>,
}

/// The ranges of the groups of a match; the first is the whole match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups {
    spans: Vec<Option<Range<usize>>>,
    names: Vec<(String, usize)>,
}

impl Groups {
    /// The text of a group, empty if it did not match.
    pub(crate) fn get<'t>(&self, number: usize, text: &'t [u8]) -> &'t [u8] {
        self.spans
            .get(number)
            .and_then(Option::as_ref)
            .and_then(|span| text.get(span.clone()))
            .unwrap_or_default()
    }

    /// The text of a group; `None` if it did not match.
    pub(crate) fn matched<'t>(&self, number: usize, text: &'t [u8]) -> Option<&'t [u8]> {
        text.get(self.spans.get(number)?.clone()?)
    }

    /// Where a group matched; `None` if it did not.
    pub(crate) fn span(&self, number: usize) -> Option<Range<usize>> {
        self.spans.get(number)?.clone()
    }

    /// The names of groups, each with its number.
    pub(crate) fn names(&self) -> &[(String, usize)] {
        &self.names
    }

    /// The number of groups, including the whole match.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }
}

impl Pattern {
    /// Parses a pattern that is in no file.
    #[cfg(test)]
    pub(crate) fn new(source: &str, ignores_case: bool) -> Result<Self, PatternError> {
        Self::with_budget(source, ignores_case, &ReadingBudget::default())
    }

    /// Parses a pattern, and charges its size to the file it is in.
    ///
    /// # Errors
    ///
    /// If it is too large, alone or with those before it, or invalid or unsupported by both engines.
    pub(crate) fn with_budget(
        source: &str,
        ignores_case: bool,
        budget: &ReadingBudget,
    ) -> Result<Self, PatternError> {
        // A parsed character takes hundreds of bytes.
        if source.len() > MAX_STATES {
            return Err(PatternError::TooLarge);
        }
        let translated = translate(source);
        // The linear-time engine reads bytes, unless flags ask for Unicode.
        let is_unicode = has_unicode_flag(&translated);
        budget.take_states(states_of_source(&translated, is_unicode))?;
        let mut text = Vec::new();
        // The linear-time engine would read this as a repeated repetition.
        let parsed = if is_possessive(&translated) {
            Err(PatternError::Possessive)
        } else {
            parse(&translated, ignores_case)
        };
        let engine = match parsed {
            Ok(parsed) => {
                let states = states(&parsed);
                if states > MAX_STATES {
                    return Err(PatternError::TooLarge);
                }
                text = required_text(&parsed);
                let properties = parsed.properties();
                let is_anchored = properties.look_set_prefix().contains(Look::Start);
                let reach = properties.maximum_len().filter(|_| is_anchored);
                Engine::Linear(Box::new(Linear {
                    source: translated,
                    ignores_case,
                    states,
                    reach,
                    compiled: OnceLock::new(),
                }))
            }
            Err(linear) => {
                if states_of_source(&translated, false) > MAX_STATES {
                    return Err(PatternError::TooLarge);
                }
                let states = states_of_source(&translated, true);
                budget.take_states(states)?;
                let backtracking = Backtracking {
                    source: translated,
                    ignores_case,
                    states,
                    hasty: OnceLock::new(),
                    patient: OnceLock::new(),
                };
                let compiled = backtracking.compile(FEW_STEPS_BACK);
                if backtracking.hasty.get_or_init(|| compiled).is_none() {
                    return Err(linear);
                }
                Engine::Backtracking(Box::new(backtracking))
            }
        };
        let prefix = if ignores_case {
            Vec::new()
        } else {
            literal_prefix(source)
        };
        Ok(Self {
            engine,
            is_kept: false,
            prefix: prefix.into(),
            text: text.into(),
        })
    }

    /// Its approximate compiled size, in states.
    pub(crate) fn size(&self) -> u64 {
        match &self.engine {
            Engine::Linear(linear) => 256 + linear.states as u64,
            Engine::Backtracking(backtracking) => 1_024 + backtracking.states as u64,
        }
    }

    /// Whether it has look-around or back-references.
    pub(crate) fn steps_back(&self) -> bool {
        matches!(self.engine, Engine::Backtracking(_))
    }

    /// Sets whether it may stay compiled.
    pub(crate) fn keep(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
        if let (Engine::Backtracking(backtracking), false) = (&mut self.engine, is_kept) {
            backtracking.hasty = OnceLock::new();
        }
    }

    /// The literal prefix of every match; empty if unknown.
    pub(crate) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// A literal contained in every match, case-insensitively, in lower case; empty if unknown.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The first match in `text`, if any.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn find(&self, text: &[u8], work: &Work) -> Result<Option<Groups>, NoAnswer> {
        if !text.starts_with(&self.prefix) {
            work.take(1)?;
            return Ok(None);
        }
        match &self.engine {
            Engine::Linear(linear) => linear.find(self.is_kept, text, work),
            Engine::Backtracking(backtracking) => backtracking.find(self.is_kept, text, work),
        }
    }
}

impl Backtracking {
    fn find(&self, is_kept: bool, text: &[u8], work: &Work) -> Result<Option<Groups>, NoAnswer> {
        work.take(BACKTRACKING_STEPS + text.len() / 4)?;
        let text = std::str::from_utf8(text).map_err(|_| work.meet(Limit::NotUtf8))?;
        let hasty = is_kept.then_some(&self.hasty);
        if let Ok(found) = self.find_within(FEW_STEPS_BACK, hasty, text, work)? {
            return Ok(found);
        }
        work.take(BACKTRACK_LIMIT / 8)?;
        let patient = is_kept.then_some(&self.patient);
        let found = self.find_within(BACKTRACK_LIMIT, patient, text, work)?;
        found.map_err(|TooManyStepsBack| work.meet(Limit::Backtracking))
    }

    /// The first match, compiling the pattern for this text if need be.
    fn find_within(
        &self,
        limit: usize,
        compiled: Option<&OnceLock<Option<fancy_regex::Regex>>>,
        text: &str,
        work: &Work,
    ) -> Result<Result<Option<Groups>, TooManyStepsBack>, NoAnswer> {
        let too_large = || work.meet(Limit::Size);
        if let Some(compiled) = compiled {
            let regex = compiled.get_or_init(|| self.compile(limit));
            return Ok(Self::groups(regex.as_ref().ok_or_else(too_large)?, text));
        }
        work.take(COMPILING_STEPS * 4 + self.states)?;
        let regex = self.compile(limit).ok_or_else(too_large)?;
        Ok(Self::groups(&regex, text))
    }

    fn compile(&self, limit: usize) -> Option<fancy_regex::Regex> {
        let mut builder = fancy_regex::RegexBuilder::new(&self.source);
        builder
            .case_insensitive(self.ignores_case)
            .backtrack_limit(limit)
            .delegate_size_limit(SIZE_LIMIT);
        builder.build().ok()
    }

    fn groups(regex: &fancy_regex::Regex, text: &str) -> Result<Option<Groups>, TooManyStepsBack> {
        let captures = regex.captures(text).map_err(|_| TooManyStepsBack)?;
        Ok(captures.map(|captures| Groups {
            spans: captures.iter().map(|m| m.map(|m| m.range())).collect(),
            names: names(regex.capture_names()),
        }))
    }
}

impl Linear {
    fn find(&self, is_kept: bool, text: &[u8], work: &Work) -> Result<Option<Groups>, NoAnswer> {
        let reach = self.reach.map_or(text.len(), |reach| reach.min(text.len()));
        work.take(MATCHING_STEPS + self.states.saturating_mul(reach + 1) / PLACES_PER_STEP)?;
        let too_large = || work.meet(Limit::Size);
        if is_kept {
            let regex = self.compiled.get_or_init(|| self.compile());
            return groups(regex.as_ref().ok_or_else(too_large)?, text, work);
        }
        work.take(COMPILING_STEPS + self.states)?;
        groups(&self.compile().ok_or_else(too_large)?, text, work)
    }

    fn compile(&self) -> Option<BoundedBacktracker> {
        let config = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(SIZE_LIMIT));
        let parsed = parse(&self.source, self.ignores_case).ok()?;
        let mut compiler = thompson::Compiler::new();
        let automaton = compiler.configure(config).build_from_hir(&parsed).ok()?;
        BoundedBacktracker::new_from_nfa(automaton).ok()
    }
}

thread_local! {
    /// Scratch space of a search, shared because one per pattern would take more memory than the
    /// patterns.
    static CACHE: RefCell<Option<Cache>> = const { RefCell::new(None) };
}

/// The first match by bounded backtracking, which visits no state twice at the same position.
fn groups(
    regex: &BoundedBacktracker,
    text: &[u8],
    work: &Work,
) -> Result<Option<Groups>, NoAnswer> {
    let info = regex.get_nfa().group_info();
    let mut slots = vec![None; info.slot_len()];
    let found = CACHE.with_borrow_mut(|cache| {
        let cache = cache.get_or_insert_with(|| regex.create_cache());
        regex.try_search_slots(cache, &Input::new(text), &mut slots)
    });
    // The number of states times the length of the text is too large.
    if found.map_err(|_| work.meet(Limit::Steps))?.is_none() {
        return Ok(None);
    }
    let at = |slot: &Option<NonMaxUsize>| slot.map(NonMaxUsize::get);
    let span = |pair: &[Option<NonMaxUsize>]| Some(at(pair.first()?)?..at(pair.get(1)?)?);
    Ok(Some(Groups {
        spans: slots.chunks(2).map(span).collect(),
        names: names(info.pattern_names(PatternID::ZERO)),
    }))
}

fn parse(source: &str, ignores_case: bool) -> Result<Hir, PatternError> {
    let mut parser = regex_syntax::ParserBuilder::new();
    parser
        .unicode(false)
        .utf8(false)
        .case_insensitive(ignores_case);
    parser
        .build()
        .parse(source)
        .map_err(|error| PatternError::Syntax(last_line(&error.to_string())))
}

/// The approximate number of states with all repetitions expanded. The parser limits the nesting depth.
fn states(pattern: &Hir) -> usize {
    let sum = |parts: &[Hir]| parts.iter().map(states).fold(1, usize::saturating_add);
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len(),
        HirKind::Class(Class::Unicode(class)) => class.ranges().len().saturating_mul(4),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            states(&repetition.sub)
                .saturating_add(1)
                .saturating_mul(times)
        }
        HirKind::Capture(capture) => states(&capture.sub).saturating_add(2),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
    }
}

/// Whether flags such as `(?u:` or `(?iu)` ask for Unicode.
fn has_unicode_flag(source: &str) -> bool {
    source.split("(?").skip(1).any(|rest| {
        let flags = rest.split([':', ')']).next().unwrap_or_default();
        flags.contains('u') && flags.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    })
}

/// Counts the states from the source of a pattern, which need not be parsed for that.
fn states_of_source(source: &str, is_unicode: bool) -> usize {
    let class = |states: usize| if is_unicode { states } else { 1 };
    let escaped = |chars: &mut Chars<'_>| match chars.next() {
        Some('p' | 'P') => {
            // `\pL` or `\p{Greek}`
            if chars.next() == Some('{') {
                chars.find(|c| *c == '}');
            }
            class(LETTER_STATES)
        }
        Some('w' | 'W') => class(LETTER_STATES),
        Some('d' | 'D' | 's' | 'S') => class(DIGIT_STATES),
        _ => 1,
    };
    // The totals of each open group, and the current item.
    let mut open: Vec<usize> = Vec::new();
    let (mut sum, mut item) = (0_usize, 0_usize);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        let rest = chars.clone();
        if c == '{' && starts_repetition(rest.clone()) {
            let counts: String = rest.take_while(|c| *c != '}').collect();
            let most = counts
                .split(',')
                .filter_map(|count| count.parse().ok())
                .max();
            item = item.saturating_mul(most.unwrap_or(1).max(1));
            chars.by_ref().find(|c| *c == '}');
            continue;
        }
        sum = sum.saturating_add(item);
        item = 1;
        match c {
            '\\' => item = escaped(&mut chars),
            '.' => item = class(EXCLUDING_STATES),
            '[' => {
                let mut is_first = true;
                while let Some(c) = chars.next() {
                    match c {
                        ']' if !is_first => break,
                        '\\' => item = item.saturating_add(escaped(&mut chars)),
                        '^' if is_first => item = class(EXCLUDING_STATES),
                        _ => {}
                    }
                    is_first = false;
                }
            }
            '(' => {
                open.push(std::mem::take(&mut sum));
            }
            ')' => {
                item = sum.saturating_add(1);
                sum = open.pop().unwrap_or(0);
            }
            _ => {}
        }
    }
    // Groups that are not closed.
    let sum = open.into_iter().fold(sum, usize::saturating_add);
    sum.saturating_add(item)
}

/// The longest literal contained in every match, case-insensitively, in lower case.
fn required_text(pattern: &Hir) -> Vec<u8> {
    let mut longest: Vec<u8> = Vec::new();
    let mut run: Vec<u8> = Vec::new();
    // The stack of what is left to examine; `None` marks the end of a run.
    let mut waiting = vec![Some(pattern)];
    while let Some(next) = waiting.pop() {
        match next.map(Hir::kind) {
            Some(HirKind::Literal(literal)) => run.extend(literal.0.to_ascii_lowercase()),
            Some(HirKind::Class(class)) if one_letter(class).is_some() => {
                run.extend(one_letter(class));
            }
            Some(HirKind::Concat(parts)) => waiting.extend(parts.iter().rev().map(Some)),
            Some(HirKind::Capture(capture)) => waiting.push(Some(&capture.sub)),
            Some(HirKind::Look(_) | HirKind::Empty) => {}
            Some(HirKind::Repetition(repetition)) if repetition.min > 0 => {
                waiting.extend([None, Some(&*repetition.sub), None]);
            }
            _ => longest = std::cmp::max_by_key(std::mem::take(&mut run), longest, Vec::len),
        }
    }
    std::cmp::max_by_key(run, longest, Vec::len)
}

/// The lower-case letter of a class that contains only its two cases.
fn one_letter(class: &Class) -> Option<u8> {
    let Class::Bytes(class) = class else {
        return None;
    };
    match class.ranges() {
        [upper, lower]
            if upper.start() == upper.end()
                && lower.start() == lower.end()
                && upper.start().to_ascii_lowercase() == lower.start() =>
        {
            Some(lower.start())
        }
        _ => None,
    }
}

fn names<'n>(names: impl Iterator<Item = Option<&'n str>>) -> Vec<(String, usize)> {
    names
        .enumerate()
        .filter_map(|(number, name)| Some((name?.to_owned(), number)))
        .collect()
}

/// The message of a parser error, without the source excerpt.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or(message);
    line.trim_start_matches("error: ").to_owned()
}

/// Translates PCRE syntax where our engines differ: in a class, `[` and the operators `&&`, `--` and
/// `~~` are literal; so are `\<`, `\>`, escaped letters without a meaning, and a brace that does not
/// start a repetition.
fn translate(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 8);
    let mut chars = source.chars().peekable();
    let mut in_class = false;
    // Classes of Unicode make characters of bytes, for themselves or for the class around them.
    let mut is_unicode = false;
    while let Some(c) = chars.next() {
        match (c, in_class) {
            ('\\', false) if matches!(chars.peek(), Some('p' | 'P')) => {
                out.push_str("(?u:\\");
                out.extend(chars.next());
                let opens = chars.peek() == Some(&'{');
                for c in chars.by_ref() {
                    out.push(c);
                    if !opens || c == '}' {
                        break;
                    }
                }
                out.push(')');
            }
            ('\\', _) => match chars.next() {
                Some(mark @ ('<' | '>' | '_' | '"' | '\'' | '`' | ' ')) => out.push(mark),
                Some(mark) => {
                    out.push('\\');
                    out.push(mark);
                }
                None => out.push('\\'),
            },
            ('[', false) => {
                let class: String = chars.clone().take_while(|c| *c != ']').collect();
                is_unicode = class.contains("\\p") || class.contains("\\P");
                out.push_str(if is_unicode { "(?u:[" } else { "[" });
                in_class = true;
                if chars.peek() == Some(&'^') {
                    chars.next();
                    out.push('^');
                }
                if chars.peek() == Some(&']') {
                    chars.next();
                    out.push_str("\\]");
                }
            }
            ('[', true) if chars.peek() == Some(&':') => {
                // A POSIX class ends at its own bracket.
                out.push('[');
                for c in chars.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            ('[', true) => out.push_str("\\["),
            (']', true) => {
                out.push_str(if is_unicode { "])" } else { "]" });
                in_class = false;
            }
            (c @ ('&' | '~' | '-'), true) if chars.peek() == Some(&c) => {
                out.push('\\');
                out.push(c);
            }
            ('{', false) if !starts_repetition(chars.clone()) => out.push_str("\\{"),
            (c, _) => out.push(c),
        }
    }
    out
}

/// Whether a repetition is possessive: `*+`, `++`, `?+` or `{n}+`.
fn is_possessive(source: &str) -> bool {
    let (mut in_class, mut in_counts, mut is_after_repetition) = (false, false, false);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        if is_after_repetition && c == '+' && !in_class {
            return true;
        }
        is_after_repetition = !in_class && (matches!(c, '*' | '+' | '?') || c == '}' && in_counts);
        match c {
            '{' => in_counts = starts_repetition(chars.clone()),
            '}' => in_counts = false,
            // `\x{41}` has braces, too.
            '\\' => {
                let escaped = chars.next();
                if escaped == Some('x') {
                    chars.next();
                }
            }
            '[' => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
    }
    false
}

/// Whether `{` before `rest` starts `{n}`, `{n,}` or `{n,m}`.
fn starts_repetition(rest: impl Iterator<Item = char>) -> bool {
    let mut digits = 0;
    for c in rest {
        match c {
            '0'..='9' => digits += 1,
            ',' if digits > 0 => {}
            '}' => return digits > 0,
            _ => return false,
        }
    }
    false
}

/// The only text that a pattern `^literal$` matches.
pub(crate) fn literal(source: &str) -> Option<String> {
    let inner = source.strip_prefix('^')?.strip_suffix('$')?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(chars.next().filter(|c| !c.is_ascii_alphanumeric())?),
            '.' | '*' | '+' | '?' | '{' | '(' | '[' | '|' | '^' | '$' | ')' => return None,
            other => out.push(other),
        }
    }
    Some(out)
}

/// The literal text after `^` that every match of the pattern starts with.
fn literal_prefix(source: &str) -> Vec<u8> {
    let Some(rest) = source.strip_prefix('^') else {
        return Vec::new();
    };
    let mut prefix = String::new();
    let mut depth = 0_usize;
    let mut in_class = false;
    let mut is_open = true;
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        let literal = match c {
            '\\' => match chars.next() {
                Some(mark) if !mark.is_ascii_alphanumeric() => Some(mark),
                _ => None,
            },
            // A top-level alternative may start with something else.
            '|' if depth == 0 && !in_class => return Vec::new(),
            '(' if !in_class => {
                depth += 1;
                None
            }
            ')' if !in_class => {
                depth = depth.saturating_sub(1);
                None
            }
            '[' => {
                in_class = true;
                if chars.peek() == Some(&'^') {
                    chars.next();
                }
                if chars.peek() == Some(&']') {
                    chars.next();
                }
                None
            }
            ']' => {
                in_class = false;
                None
            }
            '.' | '*' | '+' | '?' | '{' | '^' | '$' => None,
            other => Some(other),
        };
        match literal {
            // Anything optional or repeated is not part of it.
            Some(literal) if is_open && !matches!(chars.peek(), Some('*' | '?' | '{' | '+')) => {
                prefix.push(literal);
            }
            _ => is_open = false,
        }
    }
    prefix.into_bytes()
}

/// Whether a pattern is invalid in every syntax: its brackets are unbalanced, a repetition has nothing to
/// repeat, or it ends in a backslash.
pub(crate) fn is_broken(source: &str) -> bool {
    let mut open = 0_usize;
    let mut has_atom = false;
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let Some(escaped) = chars.next() else {
                    return true;
                };
                if escaped == 'Q' {
                    return false;
                }
                has_atom = true;
            }
            '[' => {
                chars.next_if_eq(&'^');
                chars.next_if_eq(&']');
                let mut is_closed = false;
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => drop(chars.next()),
                        '[' if chars.peek() == Some(&':') => {
                            while chars.next_if(|c| *c != ']').is_some() {}
                            chars.next();
                        }
                        ']' => {
                            is_closed = true;
                            break;
                        }
                        _ => {}
                    }
                }
                if !is_closed {
                    return true;
                }
                has_atom = true;
            }
            '(' => {
                open += 1;
                has_atom = false;
                // A group of a special kind.
                if chars.next_if(|c| matches!(c, '?' | '*')).is_some() {
                    while chars
                        .next_if(|c| !matches!(c, '(' | ')' | ':' | '=' | '!' | '>'))
                        .is_some()
                    {}
                    chars.next_if(|c| !matches!(c, '(' | ')'));
                }
            }
            ')' => match open.checked_sub(1) {
                Some(left) => {
                    open = left;
                    has_atom = true;
                }
                None => return true,
            },
            '|' => has_atom = false,
            '*' | '+' | '?' => {
                if !has_atom {
                    return true;
                }
                // Lazy or possessive.
                chars.next_if(|c| matches!(c, '?' | '+'));
                has_atom = matches!(chars.peek(), Some('{'));
            }
            _ => has_atom = true,
        }
    }
    open > 0
}

#[cfg(test)]
mod tests;
