//! Answers requests: the settings of a path, then the rules one by one, then the file.

use super::model::{Action, Condition, ConditionTest, HttpRedirect, Iis, Location, Rewrite, Test};
use crate::engine::pattern::Groups;
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::{Files, Request, escaped_beyond_ascii, has_escape, merge_slashes};
use crate::responder::{Responder, Visit};
use crate::rule::Answer;

/// Names that no path may have (`hiddenSegments` of the server).
const HIDDEN: [&str; 8] = [
    "web.config",
    "bin",
    "App_code",
    "App_GlobalResources",
    "App_LocalResources",
    "App_WebReferences",
    "App_Data",
    "App_Browsers",
];

impl Iis {
    /// The settings for the folder or file of a path: those of the longest path.
    fn location(&self, path: &str, work: &Work) -> Result<Option<&Location>, NoAnswer> {
        work.take(self.locations.len() / COMPARED_PER_STEP)?;
        let path = path.to_ascii_lowercase();
        let found = self.locations.iter().filter(|location| {
            let rest = path.strip_prefix(location.path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        Ok(found.max_by_key(|location| location.path.len()))
    }

    /// Whether the server refuses a path, decoded and without its first slash, before any rule.
    fn is_refused(&self, request: &Request<'_>, path: &str) -> bool {
        let is_double = has_escape(request.path, "25") || request.path.contains('+');
        let is_hidden = |segment: &str| {
            HIDDEN
                .iter()
                .any(|hidden| segment.eq_ignore_ascii_case(hidden))
        };
        is_double && !self.allows_double_escapes || path.split('/').any(is_hidden)
    }

    /// Runs the rules; the error is the line of an unsupported one that may apply.
    fn run(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let unknown = |NoAnswer| 1_usize;
        let numbers = self.by_path.cursor(state.path.as_bytes(), work);
        let mut numbers = numbers.map_err(unknown)?;
        while let Some(number) = numbers.next() {
            let Some(rule) = self.rules.get(number) else {
                break;
            };
            let Some(captures) = self.matched(rule, state, files, work)? else {
                continue;
            };
            let fill = |text: &str| self.filled(text, state, &captures, work, rule.line, 0);
            match &rule.action {
                Action::Redirect {
                    to,
                    status,
                    keeps_query,
                } => {
                    let to = with_query(&rooted(fill(to)?), state, *keeps_query);
                    return Ok(Some(Answer::Redirect {
                        status: *status,
                        location: escaped_beyond_ascii(&to),
                        rule: rule.rule,
                    }));
                }
                Action::Refuse(status) => {
                    return Ok(Some(Answer::Refused {
                        status: *status,
                        rule: rule.rule,
                    }));
                }
                Action::Rewrite { to, keeps_query } => {
                    let to = with_query(&rooted(fill(to)?), state, *keeps_query);
                    if to.contains("://") {
                        // Another server answers by proxy.
                        return Err(rule.line);
                    }
                    let (path, query) = to.split_once('?').unwrap_or((&to, ""));
                    query.clone_into(&mut state.query);
                    let path = path.strip_prefix('/').unwrap_or(path);
                    path.clone_into(&mut state.path);
                    state.rule = rule.rule;
                    let renewed = numbers.renew(state.path.as_bytes(), work);
                    renewed.map_err(unknown)?;
                }
                Action::Nothing => {}
                Action::Unknown => return Err(rule.line),
            }
            if rule.stops {
                break;
            }
        }
        Ok(None)
    }

    /// The captures of a rule; `None` if it does not match.
    fn matched(
        &self,
        rule: &Rewrite,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Captures>, usize> {
        let mut captures = Captures::default();
        match rule
            .test
            .check(&state.path, work)
            .map_err(|NoAnswer| rule.line)?
        {
            None => return Ok(None),
            Some(found) => captures.of_rule = found,
        }
        // A condition that is not known matters only if the others do not decide.
        let mut unknown = None;
        for condition in &rule.conditions {
            let holds = match self.holds(condition, rule, state, &mut captures, files, work) {
                Ok(holds) => holds,
                Err(line) => {
                    unknown = Some(line);
                    continue;
                }
            };
            if holds != rule.needs_all {
                return Ok(holds.then_some(captures));
            }
        }
        match unknown {
            Some(line) => Err(line),
            None => Ok((rule.needs_all || rule.conditions.is_empty()).then_some(captures)),
        }
    }

    /// Whether a condition holds, whose captures are added; the error is the line of the rule, if that is
    /// not known.
    fn holds(
        &self,
        condition: &Condition,
        rule: &Rewrite,
        state: &RequestState<'_>,
        captures: &mut Captures,
        files: &dyn Files,
        work: &Work,
    ) -> Result<bool, usize> {
        let line = rule.line;
        match &condition.test {
            ConditionTest::Text(test) => {
                let input = self.filled(&condition.input, state, captures, work, line, 0)?;
                let found = test.check(&input, work).map_err(|NoAnswer| line)?;
                let holds = found.is_some();
                if let Some(found) = found.filter(|_| !test.is_negated) {
                    if !rule.tracks_all {
                        captures.of_condition.clear();
                    }
                    // Only the first condition has its whole text among the groups.
                    let whole = usize::from(!captures.of_condition.is_empty());
                    captures.of_condition.extend(found.into_iter().skip(whole));
                }
                Ok(holds)
            }
            ConditionTest::File { is_negated } | ConditionTest::Directory { is_negated } => {
                let input = disk_names_marked(&condition.input);
                let input = self.filled(&input, state, captures, work, line, 0)?;
                // Elsewhere on the disk nothing is known.
                let path = input.strip_prefix(ON_DISK).ok_or(line)?;
                let path = match path.strip_prefix(FILE) {
                    Some(end) => format!("/{}{end}", state.path),
                    None => format!("/{}", path.strip_prefix(FOLDER).ok_or(line)?),
                };
                let path = merge_slashes(&path.replace('\\', "/"));
                let path = path.strip_suffix('/').unwrap_or(&path);
                let exists = match condition.test {
                    ConditionTest::File { .. } => files.is_file(path.as_bytes()),
                    _ => files.is_directory(path.as_bytes()),
                };
                Ok(exists != *is_negated)
            }
        }
    }

    /// A text with its braces filled in; the error is `line`, if a value is not known.
    fn filled(
        &self,
        text: &str,
        state: &RequestState<'_>,
        captures: &Captures,
        work: &Work,
        line: usize,
        depth: usize,
    ) -> Result<String, usize> {
        if depth > MAX_DEPTH {
            return Err(line);
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(close) = closing(rest, open) else {
                break;
            };
            out.push_str(&rest[..open]);
            work.take(1).map_err(|NoAnswer| line)?;
            let name = &rest[open + 1..close];
            let value = match name.split_once(':') {
                None => state.variable(name).ok_or(line)?,
                Some(("R", number)) => captured(&captures.of_rule, number),
                Some(("C", number)) => captured(&captures.of_condition, number),
                Some((function, inner)) => {
                    let inner = self.filled(inner, state, captures, work, line, depth + 1)?;
                    self.call(function, &inner).ok_or(line)?
                }
            };
            out.push_str(&value);
            work.take_text(out.len()).map_err(|NoAnswer| line)?;
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// `{ToLower:..}` and the like, or a map.
    fn call(&self, function: &str, text: &str) -> Option<String> {
        match function {
            "ToLower" => return Some(text.to_lowercase()),
            "UrlEncode" => return Some(escaped_beyond_ascii(text)),
            "UrlDecode" => {
                let decoded = percent_encoding::percent_decode_str(text)
                    .decode_utf8()
                    .ok()?;
                return Some(decoded.into_owned());
            }
            _ => {}
        }
        let map = self.maps.get(&function.to_ascii_lowercase())?;
        let value = map.values.get(&text.to_ascii_lowercase());
        Some(value.unwrap_or(&map.default).clone())
    }

    fn file(&self, state: &RequestState<'_>, files: &dyn Files) -> Answer {
        let path = format!("/{}", state.path);
        let found = |path: String| Answer::File {
            path: path.into_bytes(),
            status: 200,
            rule: state.rule,
        };
        if !path.ends_with('/') {
            if files.is_file(path.as_bytes()) {
                return found(path);
            }
            if files.is_directory(path.as_bytes()) && state.rule.is_none() {
                return Answer::Redirect {
                    status: 301,
                    location: format!("{}/{}", state.request.path, state.request.search()),
                    rule: None,
                };
            }
        }
        let folder = path.strip_suffix('/').unwrap_or(&path);
        let mut names = self.documents.iter().map(|name| format!("{folder}/{name}"));
        let rule = state.rule;
        match names.find(|name| files.is_file(name.as_bytes())) {
            Some(path) => found(path),
            None if !files.is_directory(folder.as_bytes()) => Answer::Refused { status: 404, rule },
            None if self.lists => found(format!("{folder}/")),
            // Folders are not listed.
            None => Answer::Refused { status: 403, rule },
        }
    }
}

impl Responder for Iis {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let path = request.decoded_path();
        let Ok(path) = std::str::from_utf8(&path) else {
            return Answer::refused(400);
        };
        if self.is_refused(request, path) {
            return Answer::refused(404);
        }
        let mut state = RequestState {
            request: *request,
            path: path.strip_prefix('/').unwrap_or(path).to_owned(),
            query: request.query.unwrap_or_default().to_owned(),
            rule: None,
        };
        let location = match self.location(&state.path, work) {
            // If no rule has been tried, the first line stands for the file.
            Err(NoAnswer) => return Answer::Unknown { line: 1 },
            Ok(location) => location,
        };
        if let Some(Location {
            line,
            redirect: None,
            ..
        }) = location
        {
            return Answer::Unknown { line: *line };
        }
        match self.run(&mut state, files, work) {
            Err(line) => return Answer::Unknown { line },
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
        }
        if let Some((location, redirect)) =
            location.and_then(|one| Some((one, one.redirect.as_ref()?)))
        {
            let folder = location.path.len() + 1;
            let rest = request.path.get(folder..).unwrap_or_default();
            if rest.is_empty() && !redirect.is_exact {
                // What is appended for the folder itself is not documented.
                return Answer::Unknown {
                    line: location.line,
                };
            }
            return redirect.answer(&state, rest);
        }
        if let Some(redirect) = &self.everything {
            return redirect.answer(&state, request.path);
        }
        match work.take(self.documents.len()) {
            Err(NoAnswer) => Answer::Unknown { line: 1 },
            Ok(()) => self.file(&state, files),
        }
    }
}

/// What a path on the server's disk begins with while its braces are filled in: ...
const ON_DISK: char = '\u{1}';
/// ... the path of the request, ...
const FILE: char = '\u{2}';
/// ... or the folder of the site.
const FOLDER: char = '\u{3}';

/// The input of a condition with marks in place of the variables for paths on the disk.
fn disk_names_marked(input: &str) -> String {
    let start = input
        .get(..=input.find('}').unwrap_or(0))
        .unwrap_or_default();
    let mark = match &*start.to_ascii_uppercase() {
        "{REQUEST_FILENAME}" => FILE,
        "{APPL_PHYSICAL_PATH}" | "{DOCUMENT_ROOT}" => FOLDER,
        _ => return input.to_owned(),
    };
    format!(
        "{ON_DISK}{mark}{}",
        input.get(start.len()..).unwrap_or_default()
    )
}

/// The maximum depth of braces.
const MAX_DEPTH: usize = 16;

/// The position of the brace that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn captured(captures: &[String], number: &str) -> String {
    let number: Option<usize> = number.parse().ok();
    let found = number.and_then(|number| captures.get(number));
    found.cloned().unwrap_or_default()
}

/// The captures of a rule, and of its last matching condition or of all.
#[derive(Debug, Default)]
struct Captures {
    of_rule: Vec<String>,
    of_condition: Vec<String>,
}

/// A request as modified by rules.
struct RequestState<'r> {
    request: Request<'r>,
    /// Decoded, without the first slash.
    path: String,
    query: String,
    /// The rule that changed it last.
    rule: Option<usize>,
}

impl RequestState<'_> {
    /// A server variable; `None` if it is not known.
    fn variable(&self, name: &str) -> Option<String> {
        let request = &self.request;
        let is_secure = request.scheme == "https";
        Some(match &*name.to_ascii_uppercase() {
            "QUERY_STRING" => self.query.clone(),
            "REQUEST_URI" | "UNENCODED_URL" | "HTTP_URL" => {
                format!("{}{}", request.path, request.search())
            }
            "URL" | "PATH_INFO" | "SCRIPT_NAME" => format!("/{}", self.path),
            "HTTP_HOST" => request.host.to_owned(),
            "SERVER_NAME" => request.host_name().to_owned(),
            "HTTPS" => if is_secure { "on" } else { "off" }.to_owned(),
            "SERVER_PORT" => request.port().to_string(),
            "SERVER_PORT_SECURE" => if is_secure { "1" } else { "0" }.to_owned(),
            "REQUEST_METHOD" => "GET".to_owned(),
            _ => return None,
        })
    }
}

impl Test {
    /// The captured groups if the test holds; an empty list for a negated test.
    fn check(&self, text: &str, work: &Work) -> Result<Option<Vec<String>>, NoAnswer> {
        work.take(1)?;
        let found: Option<Groups> = self.pattern.find(text.as_bytes(), work)?;
        Ok(match (found, self.is_negated) {
            (Some(groups), false) => {
                let group = |number| {
                    let value = groups.get(number, text.as_bytes());
                    String::from_utf8_lossy(value).into_owned()
                };
                Some((0..groups.len()).map(group).collect())
            }
            (None, true) => Some(Vec::new()),
            _ => None,
        })
    }
}

impl HttpRedirect {
    /// The redirect, with the rest of the path below its folder.
    fn answer(&self, state: &RequestState<'_>, rest: &str) -> Answer {
        let name = rest.strip_prefix('/').unwrap_or(rest);
        let is_child = !name.is_empty() && !name.contains('/');
        if self.is_unread || self.is_for_children && !is_child {
            return Answer::Unknown { line: self.line };
        }
        let location = if self.is_exact {
            self.to.clone()
        } else {
            let to = self.to.strip_suffix('/').unwrap_or(&self.to);
            format!("{to}{rest}{}", state.request.search())
        };
        Answer::Redirect {
            status: self.status,
            location,
            rule: Some(self.rule),
        }
    }
}

/// A target without a host, with a leading slash.
fn rooted(to: String) -> String {
    if to.starts_with('/') || to.contains("://") {
        to
    } else {
        format!("/{to}")
    }
}

/// A target with the query of the request.
fn with_query(to: &str, state: &RequestState<'_>, keeps: bool) -> String {
    if !keeps || state.query.is_empty() {
        return to.to_owned();
    }
    let (rest, fragment) = match to.find('#') {
        Some(at) => to.split_at(at),
        None => (to, ""),
    };
    let mark = if rest.contains('?') { '&' } else { '?' };
    format!("{rest}{mark}{}{fragment}", state.query)
}
