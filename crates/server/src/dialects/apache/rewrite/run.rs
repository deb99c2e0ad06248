//! Rules applied to a request, in rounds, as `mod_rewrite` does.

use super::super::alias::escape_path;
use super::super::expression::number_of;
use super::super::state::RequestState;
use super::super::variables::{DOCUMENT_ROOT, ROOT_NAME, Values, length_of_file};
use super::map::{self, Call, Map};
use super::{
    Check, Condition, Engine, Flags, InFolder, Inherits, Outcome, OwnUrls, Place, RewriteRule,
    is_absolute,
};
use crate::engine::pattern::Groups;
use crate::engine::work::{MAX_TEXT, NoAnswer, Work};
use crate::request::{FileKind, Files};
use crate::rule::Answer;

/// The maximum number of restarts by `N` (10,000 in `mod_rewrite`).
const MAX_ROUNDS: usize = 10_000;
/// How deep maps may be nested in a substitution.
const MAX_DEPTH: usize = 8;
/// Twice the longest request line (`LimitRequestLine`).
const MAX_LENGTH: usize = 2 * 8_190;

impl Engine {
    /// Applies these rules and those `outside`, if they are inherited. What rules make of an address
    /// that others have changed is not known.
    pub(in super::super) fn run_with(
        &self,
        outside: Option<&Self>,
        state: &mut RequestState<'_>,
        folder: Option<InFolder<'_>>,
        files: &dyn Files,
        work: &Work,
    ) -> Outcome {
        let (first, then) = match (self.inherits, outside) {
            (Some(Inherits::After), Some(outside)) => (self, outside),
            (Some(Inherits::Before), Some(outside)) => (outside, self),
            _ => return self.run(state, folder, files, work),
        };
        match first.run(state, folder, files, work) {
            Outcome::Unchanged => then.run(state, folder, files, work),
            Outcome::Path(_) | Outcome::PassThrough(_) if !then.rules.is_empty() => {
                let line = then.rules.first().map_or(1, |rule| rule.line);
                Outcome::Answer(Answer::Unknown { line })
            }
            outcome => outcome,
        }
    }

    /// Applies the rules of the server, or of a folder, to a request.
    pub(in super::super) fn run(
        &self,
        state: &mut RequestState<'_>,
        folder: Option<InFolder<'_>>,
        files: &dyn Files,
        work: &Work,
    ) -> Outcome {
        if state.has_ended || self.rules.is_empty() {
            return Outcome::Unchanged;
        }
        if self.place == Place::AboveRoot {
            let line = self.rules.first().map_or(1, |rule| rule.line);
            return Outcome::Answer(Answer::Unknown { line });
        }
        let (filename, path_info) = match folder {
            Some(InFolder { mount, path, .. }) => {
                let (file, info) = path.split_at(length_of_file(path, mount, files));
                ([DOCUMENT_ROOT.as_bytes(), file].concat(), info.to_vec())
            }
            None => (state.uri.clone(), Vec::new()),
        };
        let mut run = Run {
            engine: self,
            mount: folder.map(|folder| folder.mount),
            base: folder.and_then(|folder| folder.base),
            files,
            work,
            initial: filename.clone(),
            filename,
            path_info,
            args: state.args.clone(),
            status: None,
            no_escape: false,
            last_rule: None,
            state,
        };
        match run.rounds() {
            Ok(true) => run.outcome(),
            Ok(false) => Outcome::Unchanged,
            Err(answer) => Outcome::Answer(answer),
        }
    }
}

/// The rules being applied to one request.
struct Run<'e, 's, 'u> {
    engine: &'e Engine,
    mount: Option<&'e str>,
    base: Option<&'e str>,
    files: &'e dyn Files,
    work: &'e Work,
    state: &'s mut RequestState<'u>,
    /// `r->filename`: in a folder a path on the disk, in the server a path on the site, or a URL.
    filename: Vec<u8>,
    /// The file name before any rule.
    initial: Vec<u8>,
    /// `r->path_info`: in a folder, what follows the file of the request; empty in the server. Every
    /// rule sees it after the file name, even if an earlier rule has already copied it from there.
    path_info: Vec<u8>,
    args: Option<String>,
    status: Option<u16>,
    no_escape: bool,
    last_rule: Option<usize>,
}

/// The result of one rule.
enum RuleEffect {
    No,
    /// It matched and changed nothing (`-`).
    Kept,
    Changed,
}

impl Run<'_, '_, '_> {
    /// Applies the rules, and returns whether one changed the address.
    fn rounds(&mut self) -> Result<bool, Answer> {
        let mut is_changed = false;
        let mut round = 0;
        'round: loop {
            round += 1;
            if round > MAX_ROUNDS {
                return Err(refused(500, self.last_rule));
            }
            let numbers = self.engine.index.cursor(&self.subject(), self.work);
            let mut numbers = numbers.map_err(|NoAnswer| self.unknown())?;
            while let Some(at) = numbers.next() {
                let Some(rule) = self.engine.rules.get(at) else {
                    break;
                };
                let is_redirect = rule.flags.is_forced;
                if self.state.is_subrequest && (rule.flags.no_subrequest || is_redirect) {
                    continue;
                }
                match self.apply(rule)? {
                    RuleEffect::No => {
                        numbers.skip_numbers(self.chained_after(at));
                        continue;
                    }
                    RuleEffect::Kept => {}
                    RuleEffect::Changed => {
                        is_changed = true;
                        self.no_escape = rule.flags.no_escape;
                        self.last_rule = Some(rule.rule);
                        if rule.flags.drops_path_info {
                            self.path_info.clear();
                        }
                        let renewed = numbers.renew(&self.subject(), self.work);
                        renewed.map_err(|NoAnswer| self.unknown())?;
                    }
                }
                if self.filename.len() > MAX_LENGTH {
                    return Err(refused(500, Some(rule.rule)));
                }
                if let Some(status) = rule.flags.status {
                    return Err(refused(status, Some(rule.rule)));
                }
                if rule.flags.end {
                    self.state.has_ended = true;
                }
                if rule.flags.pass_through {
                    self.state.args.clone_from(&self.args);
                    return Ok(is_changed);
                }
                if rule.flags.last || rule.flags.end {
                    return Ok(is_changed);
                }
                if rule.flags.next {
                    continue 'round;
                }
                numbers.skip_numbers(rule.flags.skip);
            }
            return Ok(is_changed);
        }
    }

    /// The answer if a limit is reached before any rule is tried; the first line stands for the whole
    /// file.
    fn unknown(&self) -> Answer {
        let first = self.engine.rules.first();
        Answer::Unknown {
            line: first.map_or(1, |rule| rule.line),
        }
    }

    /// The number of rules after `at` that are chained to it.
    fn chained_after(&self, at: usize) -> usize {
        let rules = self.engine.rules.get(at..).unwrap_or_default();
        rules.iter().take_while(|rule| rule.flags.chain).count()
    }

    /// The text that patterns are matched against.
    fn subject(&self) -> Vec<u8> {
        if self.engine.place != Place::Folder {
            return [&*self.filename, &self.path_info].concat();
        }
        let prefix = self.mount.map(|mount| format!("{DOCUMENT_ROOT}{mount}"));
        let prefix = prefix.unwrap_or_default();
        let below = self.filename.strip_prefix(prefix.as_bytes());
        [below.unwrap_or(&self.filename), &self.path_info].concat()
    }

    fn apply(&mut self, rule: &RewriteRule) -> Result<RuleEffect, Answer> {
        let subject = self.subject();
        let unknown = |_: NoAnswer| Answer::Unknown { line: rule.line };
        let groups = rule.pattern.find(&subject, self.work).map_err(unknown)?;
        if groups.is_some() == rule.is_negated {
            return Ok(RuleEffect::No);
        }
        let groups = groups.unwrap_or_default();
        let mut matched = BackReferences {
            subject: &subject,
            groups: &groups,
            condition: None,
        };
        if !self.conditions_hold(rule, &mut matched)? {
            return Ok(RuleEffect::No);
        }
        let mut sets = Vec::with_capacity(rule.flags.sets.len());
        for assignment in &rule.flags.sets {
            let value = assignment.value.as_deref();
            let value = value.map(|value| {
                let value = self.expand(value, &matched, false);
                value.ok_or(Answer::Unknown { line: rule.line })
            });
            sets.push((&assignment.name, value.transpose()?));
        }
        let Some(to) = &rule.to else {
            self.set(sets);
            return Ok(RuleEffect::Kept);
        };
        if rule.flags.is_proxy {
            return Err(Answer::Unknown { line: rule.line });
        }
        let expanded = self
            .expand_at(to, &matched, rule.flags.escapes_groups, 0)
            .ok_or(Answer::Unknown { line: rule.line })?;
        self.set(sets);
        self.substitute(rule, expanded)
    }

    fn set(&mut self, variables: Vec<(&String, Option<Vec<u8>>)>) {
        for (name, value) in variables {
            self.state.variables.set(name, value);
        }
    }

    fn conditions_hold(
        &self,
        rule: &RewriteRule,
        matched: &mut BackReferences<'_>,
    ) -> Result<bool, Answer> {
        let mut conditions = rule.conditions.iter();
        while let Some(condition) = conditions.next() {
            let holds = self
                .holds(condition, matched)
                .ok_or(Answer::Unknown { line: rule.line })?;
            match (holds, condition.or_next) {
                (false, false) => return Ok(false),
                // One of several alternatives holds: skip the others.
                (true, true) => {
                    conditions.by_ref().find(|other| !other.or_next);
                }
                (false, true) | (true, false) => {}
            }
        }
        Ok(true)
    }

    /// Whether a condition holds; `None` if that cannot be known.
    fn holds(&self, condition: &Condition, matched: &mut BackReferences<'_>) -> Option<bool> {
        self.work.take(8).ok()?;
        if let Check::Expression(expression) = &condition.check {
            let mut captured = None;
            let found = expression.holds(&self.values(), &mut captured, self.work);
            let found = found.ok()?;
            if let Some(captured) = captured.filter(|_| !condition.is_negated) {
                matched.condition = Some(captured);
            }
            return Some(found != condition.is_negated);
        }
        let text = self.expand(&condition.test, matched, false)?;
        let found = match &condition.check {
            Check::Pattern(pattern) => {
                let groups = pattern.find(&text, self.work).ok()?;
                let is_match = groups.is_some();
                if let Some(groups) = groups.filter(|_| !condition.is_negated) {
                    matched.condition = Some((text, groups));
                }
                is_match
            }
            Check::Equal(other) if condition.ignores_case => {
                text.eq_ignore_ascii_case(other.as_bytes())
            }
            Check::Equal(other) => text == other.as_bytes(),
            Check::Compare(holds, other) => {
                let lengths = text.len().cmp(&other.len());
                holds.contains(&lengths.then_with(|| text[..].cmp(other.as_bytes())))
            }
            Check::Number(holds, other) => holds.contains(&number_of(&text).cmp(other)),
            Check::File | Check::NotEmptyFile => {
                self.values().kind_of(&text) == Some(FileKind::File)
            }
            Check::Directory => self.values().kind_of(&text) == Some(FileKind::Directory),
            Check::Expression(_) | Check::UnsupportedDirectives => return None,
        };
        Some(found != condition.is_negated)
    }

    /// `do_expand`; `None` for unsupported syntax, and beyond a limit.
    fn expand(&self, text: &str, matched: &BackReferences<'_>, escapes: bool) -> Option<Vec<u8>> {
        Some(self.expand_at(text, matched, escapes, 0)?.text)
    }

    /// `lookup_map`
    fn mapped(
        &self,
        call: &Call<'_>,
        matched: &BackReferences<'_>,
        escapes: bool,
        depth: usize,
    ) -> Option<Vec<u8>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let expand = |text| Some(self.expand_at(text, matched, escapes, depth + 1)?.text);
        let default = || expand(call.default);
        match self.engine.maps.get(call.name, self.state.host) {
            Map::Function(function) => {
                let key = expand(call.key)?;
                Some(function.value(&key))
            }
            Map::Table(table) => {
                let key = expand(call.key)?;
                match table.value(&key).ok()? {
                    Some(value) => Some(value.as_bytes().to_vec()),
                    None => default(),
                }
            }
            Map::Missing => default(),
            Map::NotKnown => None,
        }
    }

    fn expand_at(
        &self,
        text: &str,
        matched: &BackReferences<'_>,
        escapes: bool,
        depth: usize,
    ) -> Option<Expanded> {
        let mut out = Vec::with_capacity(text.len());
        let mut has_own_mark = false;
        let mut has_foreign_mark = false;
        let mut rest = text.as_bytes();
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            let start = out.len();
            if start > MAX_TEXT {
                break;
            }
            match (first, after.split_first()) {
                (b'\\', Some((mark, after))) => {
                    out.push(*mark);
                    rest = after;
                }
                (b'$', Some((b'{', call))) => {
                    let call = map::parts(call)?;
                    out.extend(self.mapped(&call, matched, escapes, depth)?);
                    rest = call.rest;
                }
                (b'$', Some((digit @ b'0'..=b'9', after))) => {
                    let value = matched.group(usize::from(digit - b'0'));
                    if escapes {
                        out.extend_from_slice(escape_group(value).as_bytes());
                    } else {
                        out.extend_from_slice(value);
                    }
                    rest = after;
                }
                (b'%', Some((b'{', after))) => {
                    let end = after.iter().position(|b| *b == b'}')?;
                    let (name, after) = after.split_at(end);
                    out.extend(self.values().get(std::str::from_utf8(name).ok()?)?);
                    rest = after.get(1..).unwrap_or_default();
                }
                (b'%', Some((digit @ b'0'..=b'9', after))) => {
                    out.extend_from_slice(matched.condition_group(usize::from(digit - b'0')));
                    rest = after;
                }
                _ => {
                    has_own_mark |= *first == b'?';
                    out.push(*first);
                    continue;
                }
            }
            has_foreign_mark |= !has_own_mark && *first != b'\\' && out[start..].contains(&b'?');
        }
        self.work.take_text(out.len()).ok()?;
        Some(Expanded {
            text: out,
            has_foreign_mark,
        })
    }

    fn values(&self) -> Values<'_> {
        Values {
            request: &self.state.request,
            files: self.files,
            uri: &self.state.uri,
            filename: &self.filename,
            args: self.args.as_deref(),
            internal: self.state.internal,
            variables: &self.state.variables,
        }
    }

    /// Makes the expanded substitution the new address, and splits off its query.
    fn substitute(&mut self, rule: &RewriteRule, expanded: Expanded) -> Result<RuleEffect, Answer> {
        let flags = &rule.flags;
        if !flags.allows_3f && flags.status.is_none() && expanded.has_foreign_mark {
            return Err(refused(403, Some(rule.rule)));
        }
        self.filename = expanded.text;
        self.split_query(flags);
        let is_url = is_absolute(&String::from_utf8_lossy(&self.filename));
        if !self.filename.starts_with(b"/") && !is_url {
            let prefix = match self.mount {
                Some(_) if self.engine.place == Place::If => {
                    if rule.flags.redirect.is_none() {
                        return Err(refused(400, Some(rule.rule)));
                    }
                    "/*If/".to_owned()
                }
                Some(_) if self.engine.place == Place::Files => {
                    return Err(Answer::Unknown { line: rule.line });
                }
                Some(mount) => format!("{DOCUMENT_ROOT}{mount}"),
                None => "/".to_owned(),
            };
            self.filename.splice(0..0, prefix.into_bytes());
        }
        let args = self.args.as_deref().unwrap_or_default();
        if (is_url || flags.redirect.is_some()) && args.contains(ROOT_NAME) {
            return Err(Answer::Unknown { line: rule.line });
        }
        if let Some(status) = flags.redirect {
            if !is_url {
                if self.is_disk_path() {
                    // Otherwise the disk path of the folder would appear in the URL.
                    return Err(Answer::Unknown { line: rule.line });
                }
                let path = self.site_path();
                let root = DOCUMENT_ROOT.as_bytes();
                if path.windows(root.len()).any(|part| part == root) {
                    return Err(Answer::Unknown { line: rule.line });
                }
                let origin = self.state.request.origin();
                self.filename = [origin.as_bytes(), &path].concat();
            }
            self.status = Some(status);
            return Ok(RuleEffect::Changed);
        }
        if is_url {
            self.reduce();
        }
        if is_absolute(&String::from_utf8_lossy(&self.filename)) {
            self.status = Some(302);
        }
        Ok(RuleEffect::Changed)
    }

    /// Whether the address is below the folder on the disk, without a base URL for that folder.
    fn is_disk_path(&self) -> bool {
        self.base.is_none() && self.filename.starts_with(DOCUMENT_ROOT.as_bytes())
    }

    /// `splitout_queryargs`
    fn split_query(&mut self, flags: &Flags) {
        if flags.discard_query {
            self.args = None;
        }
        let mark = |b: &u8| *b == b'?';
        let at = if flags.last_question_mark {
            self.filename.iter().rposition(mark)
        } else {
            self.filename.iter().position(mark)
        };
        let Some(at) = at else {
            return;
        };
        let own = self.filename.split_off(at);
        let own = String::from_utf8_lossy(own.get(1..).unwrap_or_default()).into_owned();
        let old = self.args.take().unwrap_or_default();
        let args = match (flags.append_query, own.is_empty()) {
            (true, false) => format!("{own}&{old}"),
            (true, true) => old,
            (false, _) => own,
        };
        let args = args.strip_suffix('&').unwrap_or(&args);
        self.args = (!args.is_empty()).then(|| args.to_owned());
    }

    /// `reduce_uri`: a URL on the same server becomes a path.
    fn reduce(&mut self) {
        match self.engine.own {
            OwnUrls::All => {}
            OwnUrls::At(own) if self.state.request.port() == own => {}
            OwnUrls::At(_) | OwnUrls::None => return,
        }
        let origin = self.state.request.origin();
        let is_own = self
            .filename
            .get(..origin.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(origin.as_bytes()));
        if !is_own {
            return;
        }
        match self.filename.get(origin.len()) {
            Some(b'/') => {
                self.filename.drain(..origin.len());
            }
            None => self.filename = b"/".to_vec(),
            _ => {}
        }
    }

    /// The path below the root of the site, with the base URL of the folder if it has one.
    fn site_path(&self) -> Vec<u8> {
        let Some(path) = self.filename.strip_prefix(DOCUMENT_ROOT.as_bytes()) else {
            return self.filename.clone();
        };
        if let (Some(mount), Some(base)) = (self.mount, self.base)
            && let Some(rest) = path.strip_prefix(mount.as_bytes())
        {
            let base = base.trim_end_matches('/');
            return [base.as_bytes(), b"/", rest].concat();
        }
        path.to_vec()
    }

    /// The outcome for the request.
    fn outcome(self) -> Outcome {
        let text = String::from_utf8_lossy(&self.filename).into_owned();
        let will_escape = is_absolute(&text) && !self.no_escape;
        let is_plain = |b: u8| b > b' ' && b != 0x7f;
        // The path of a file on the disk, which is not known, is taken for plain.
        let args = self.args.as_deref().unwrap_or_default();
        let args = args.replace(ROOT_NAME, "");
        if !will_escape && !args.bytes().all(is_plain) {
            // Apache blocks a query with white space in it that its rules produced, unless it is
            // about to escape it.
            return Outcome::Answer(refused(403, self.last_rule));
        }
        let passes = self.last_rule.and_then(|number| {
            let rules = &self.engine.rules;
            let at = rules.binary_search_by_key(&number, |rule| rule.rule);
            rules.get(at.ok()?)
        });
        let passes = passes.is_some_and(|rule| rule.flags.pass_through);
        if is_absolute(&text) && passes {
            // The modules that receive it do not understand paths of this form.
            return Outcome::Answer(refused(400, self.last_rule));
        }
        if is_absolute(&text) {
            return Outcome::Answer(self.redirect(&text));
        }
        let path = self.site_path();
        if self.mount.is_some() && self.filename == self.initial {
            // A rewrite to the same file is dropped, since it would loop forever. A redirect to the
            // same address does loop.
            return Outcome::Unchanged;
        }
        self.state.args.clone_from(&self.args);
        if passes {
            Outcome::PassThrough(path)
        } else {
            Outcome::Path(path)
        }
    }

    fn redirect(&self, url: &str) -> Answer {
        let mut location = if self.no_escape {
            url.to_owned()
        } else {
            escape_absolute(self.filename.as_slice())
        };
        if let Some(args) = &self.args {
            location.push('?');
            // A query produced by the rules is escaped once more.
            let is_own = Some(args) == self.state.args.as_ref();
            if self.no_escape || is_own {
                location.push_str(args);
            } else {
                location.push_str(&escape_path(args.as_bytes()));
            }
        }
        Answer::Redirect {
            status: self.status.unwrap_or(302),
            location,
            rule: self.last_rule,
        }
    }
}

fn refused(status: u16, rule: Option<usize>) -> Answer {
    Answer::Refused { status, rule }
}

/// A text whose references are filled in.
struct Expanded {
    text: Vec<u8>,
    /// Whether a value has a question mark that begins the query.
    has_foreign_mark: bool,
}

/// The values of the back-references in a substitution.
struct BackReferences<'m> {
    subject: &'m [u8],
    groups: &'m Groups,
    /// The groups of the last condition that matched.
    condition: Option<(Vec<u8>, Groups)>,
}

impl BackReferences<'_> {
    fn group(&self, number: usize) -> &[u8] {
        self.groups.get(number, self.subject)
    }

    fn condition_group(&self, number: usize) -> &[u8] {
        match &self.condition {
            Some((text, groups)) => groups.get(number, text),
            None => &[],
        }
    }
}

/// `escape_absolute_uri`: escapes what follows the host.
fn escape_absolute(url: &[u8]) -> String {
    let host = url
        .windows(3)
        .position(|w| w == b"://")
        .map_or(0, |at| at + 3);
    let path = url[host..].iter().position(|b| *b == b'/');
    let Some(path) = path else {
        return String::from_utf8_lossy(url).into_owned();
    };
    let (start, path) = url.split_at(host + path);
    format!("{}{}", String::from_utf8_lossy(start), escape_path(path))
}

/// The flag `B`: everything but letters, digits and `_` is escaped, a space as `+`.
fn escape_group(value: &[u8]) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value {
        match byte {
            b' ' => out.push('+'),
            b'_' => out.push('_'),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(*byte)),
            byte => {
                use std::fmt::Write;
                let _ = write!(out, "%{byte:02x}");
            }
        }
    }
    out
}
