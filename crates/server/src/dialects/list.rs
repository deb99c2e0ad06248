//! Redirects as plain data: pairs of an old and a new address in CSV, TSV or JSON.
//!
//! No server reads these; they are used to plan migrations. An old address matches addresses with
//! the same normal form, a file never wins, and the query of a request is kept unless either
//! address has one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::form::{Form, NewRule};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::{Rules, resolve};
use serde_json::json;

#[derive(Debug, Default)]
pub(crate) struct List {
    /// The indices of the rules.
    by_address: HashMap<Box<str>, usize>,
    /// Rules with conditions, which are not supported.
    conditional: HashSet<usize>,
    /// Whether some old addresses are URLs rather than paths.
    has_urls: bool,
}

const FROM: [&str; 14] = [
    "from",
    "old url",
    "source",
    "old",
    "from url",
    "old address",
    "redirect from",
    "source url",
    "original url",
    "request url",
    "address",
    "url",
    "old path",
    "path",
];
const TO: [&str; 13] = [
    "to",
    "new url",
    "target",
    "destination",
    "new",
    "to url",
    "new address",
    "redirect to",
    "redirect url",
    "target url",
    "destination url",
    "final url",
    "new path",
];
const STATUS: [&str; 5] = ["status code", "status", "code", "type", "redirect type"];
/// Members with conditions for a row.
const CONDITIONS: [&str; 2] = ["has", "missing"];
/// Columns that only describe a row, including the other columns of a URL map.
const REMARKS: [&str; 26] = [
    "hops",
    "own hops",
    "verdict",
    "weight",
    "confidence",
    "note",
    "notes",
    "comment",
    "title",
    "title 1",
    "hits",
    "clicks",
    "impressions",
    "ctr",
    "position",
    "sessions",
    "views",
    "pageviews",
    "traffic",
    "priority",
    "inlinks",
    "unique inlinks",
    "content type",
    "indexability",
    "indexability status",
    "crawl depth",
];

pub(crate) fn read_csv(text: &str, parser: &mut RuleParser) -> List {
    read_table(text, b',', parser)
}

pub(crate) fn read_tsv(text: &str, parser: &mut RuleParser) -> List {
    read_table(text, b'\t', parser)
}

fn read_table(text: &str, delimiter: u8, parser: &mut RuleParser) -> List {
    let mut list = List::default();
    let delimiter = separator(text, delimiter);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut columns: Option<(usize, usize, Option<usize>)> = None;
    // In a crawler's export, most addresses are not redirected.
    let mut is_export = false;
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                let line = error.position().map_or(1, csv::Position::line);
                let line = usize::try_from(line).unwrap_or(usize::MAX);
                parser.problem(line, ProblemKind::Refused, error.to_string());
                continue;
            }
        };
        let line = row.position().map_or(1, csv::Position::line);
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        let (from, to, status) = match columns {
            Some(columns) => columns,
            None => match header(&row) {
                Some(found) => {
                    for name in &row {
                        note_unread("column", name, line, parser);
                    }
                    is_export = row
                        .get(found.1)
                        .is_some_and(|to| plain_name(to) == "redirect url");
                    columns = Some(found);
                    continue;
                }
                None if is_address(row.get(0).unwrap_or_default()) => {
                    *columns.insert((0, 1, Some(2)))
                }
                None => {
                    let message = "the first row names no columns: it must have one called from, \
                                   old_url or source, and one called to, new_url, target or \
                                   destination";
                    parser.problem(line, ProblemKind::Refused, message);
                    return list;
                }
            },
        };
        let cell = |at: usize| row.get(at).map_or("", str::trim);
        let status = status.map(cell).unwrap_or_default();
        if is_export && cell(to).is_empty() {
            continue;
        }
        list.add(line, cell(from), cell(to), status, parser);
    }
    list
}

/// The separator of a table: the default one, unless the first row yields column names or two addresses
/// only with another.
fn separator(text: &str, usual: u8) -> u8 {
    let is_of = |separator: u8| {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let row = reader.records().next().and_then(Result::ok);
        row.is_some_and(|row| {
            let cell = |at: usize| row.get(at).unwrap_or_default().trim();
            header(&row).is_some() || is_address(cell(0)) && is_address(cell(1))
        })
    };
    let mut separators = [usual, b';', b'\t', b','].into_iter();
    separators.find(|one| is_of(*one)).unwrap_or(usual)
}

fn header(row: &csv::StringRecord) -> Option<(usize, usize, Option<usize>)> {
    let cells: Vec<String> = row.iter().map(plain_name).collect();
    let find = |names: &[&str]| {
        let mut names = names.iter();
        names.find_map(|name| cells.iter().position(|cell| cell == name))
    };
    Some((find(&FROM)?, find(&TO)?, find(&STATUS)))
}

/// The name of a column or member, normalized for comparison.
fn plain_name(name: &str) -> String {
    let lower = name.trim_start_matches('\u{feff}').trim().to_lowercase();
    lower.replace(['_', '-'], " ")
}

/// Reports a column or member with an unknown name, which may change the meaning of its row.
fn note_unread(what: &str, name: &str, line: usize, parser: &mut RuleParser) {
    let plain = plain_name(name);
    let mut known = [&FROM[..], &TO, &STATUS, &REMARKS].into_iter().flatten();
    if !plain.is_empty() && !known.any(|known| *known == plain) {
        let message = format!("the {what} {name:?} is not read");
        parser.problem(line, ProblemKind::NotRead, message);
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with('/') || text.contains("://")
}

pub(crate) fn read_json(text: &str, parser: &mut RuleParser) -> List {
    // JSON values have no line numbers: each address is searched for in the text after the last
    // one.
    let lines = Lines {
        text,
        at: 0,
        line: 1,
        passed: 0,
    };
    let mut items = JsonItems {
        list: List::default(),
        parser,
        lines,
        noted: BTreeSet::new(),
    };
    let mut source = serde_json::Deserializer::from_str(text);
    let done = source.deserialize_any(&mut items);
    match done.and_then(|()| source.end()) {
        Ok(()) => items.list,
        Err(error) => {
            // Invalid JSON yields no rules, not even those before the error.
            *parser = RuleParser::new(text.len(), "/");
            parser.problem(error.line().max(1), ProblemKind::Refused, error.to_string());
            List::default()
        }
    }
}

/// The items of a JSON file, which become rules one by one, in order.
struct JsonItems<'t, 'r> {
    list: List,
    parser: &'r mut RuleParser,
    lines: Lines<'t>,
    /// The names of members seen so far.
    noted: BTreeSet<String>,
}

impl<'de> Visitor<'de> for &mut JsonItems<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of addresses or an array of {from, to, status}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((from, to)) = map.next_entry::<String, Value>()? {
            self.member(&from, &to);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        while let Some(item) = sequence.next_element()? {
            self.item(&item);
        }
        Ok(())
    }
}

impl JsonItems<'_, '_> {
    /// An old address with its new one.
    fn member(&mut self, from: &str, to: &Value) {
        let line = self.lines.find(from);
        if let Value::String(to) = to {
            self.list.add(line, from, to, "", self.parser);
        } else {
            let message = format!("the target of {from:?} is not a string");
            self.parser.problem(line, ProblemKind::NotRead, message);
        }
    }

    /// An object with the members of a rule.
    fn item(&mut self, item: &Value) {
        let get = |names: &[&str]| {
            let mut names = names.iter();
            names.find_map(|name| {
                let mut members = item.as_object()?.iter();
                let found = members.find(|(member, _)| plain_name(member) == *name);
                text_of(found?.1)
            })
        };
        let Some(from) = get(&FROM) else {
            let message = format!("an item without \"from\": {item}");
            self.parser
                .problem(self.lines.line, ProblemKind::NotRead, message);
            return;
        };
        let to = get(&TO).unwrap_or_default();
        let status = get(&STATUS).unwrap_or_default();
        let line = self.lines.find(&from);
        for name in item.as_object().into_iter().flat_map(|item| item.keys()) {
            if self.noted.insert(name.clone()) {
                note_unread("member", name, line, self.parser);
            }
        }
        let rule = self.list.add(line, &from, &to, &status, self.parser);
        if CONDITIONS.iter().any(|name| item.get(name).is_some()) {
            self.list.conditional.extend(rule);
        }
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Searches for strings in a text, counting lines.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    /// The number of bytes searched in vain.
    passed: usize,
}

/// How often the whole text may be searched for strings that are written with escapes.
const MAX_SEARCHES: usize = 16;

impl Lines<'_> {
    fn find(&mut self, wanted: &str) -> usize {
        if self.passed > self.text.len().saturating_mul(MAX_SEARCHES) {
            return self.line;
        }
        let quoted = Value::from(wanted).to_string();
        if let Some(found) = self.text[self.at..].find(&quoted) {
            let passed = &self.text.as_bytes()[self.at..self.at + found];
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.at += found + quoted.len();
        } else {
            self.passed += self.text.len() - self.at;
        }
        self.line
    }
}

impl List {
    /// Adds a row, and returns the number of its rule if it does not repeat another.
    fn add(
        &mut self,
        line: usize,
        from: &str,
        to: &str,
        status: &str,
        parser: &mut RuleParser,
    ) -> Option<usize> {
        if from.is_empty() {
            parser.problem(line, ProblemKind::NotRead, "a row without an old address");
            return None;
        }
        let code = match status {
            "" => 301,
            text => {
                let Ok(code @ 100..=599) = text.parse() else {
                    let message = format!("{text:?} is not a status");
                    parser.problem(line, ProblemKind::NotRead, message);
                    return None;
                };
                code
            }
        };
        let is_redirect = (300..400).contains(&code) || code == 200;
        if is_redirect && to.is_empty() {
            parser.problem(line, ProblemKind::NotRead, "a row without a new address");
            return None;
        }
        let address = match from.find('#') {
            Some(at) => {
                let message = format!("no client sends the fragment of {from:?}");
                parser.problem(line, ProblemKind::FragmentSource, message);
                &from[..at]
            }
            None => from,
        };
        let Some(key) = key_of(address) else {
            let message = format!("{from:?} is neither a path nor a URL");
            parser.problem(line, ProblemKind::NotRead, message);
            return None;
        };
        let rule = Rule {
            line,
            from: from.to_owned(),
            to: is_redirect.then(|| to.to_owned()),
            status: code,
            status_is_default: status.is_empty(),
            is_exact: true,
            samples: vec![address.to_owned()],
        };
        if parser.repeats(&rule, |_| true) {
            return None;
        }
        let rule = parser.rule_of_list(rule);
        self.has_urls |= !key.starts_with('/');
        // The first row wins, as in servers.
        self.by_address.entry(key.into()).or_insert(rule);
        Some(rule)
    }
}

impl Responder for List {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, rules) = (visit.request, visit.files, visit.rules);
        let url = format!("{}{}", request.origin(), request.path);
        let whole = format!("{url}{}", request.search());
        let path = format!("{}{}", request.path, request.search());
        let keys = [
            (whole.as_str(), false),
            (path.as_str(), false),
            (url.as_str(), true),
            (request.path, true),
        ];
        // Without a query, the last two keys equal the first two.
        let count = if request.search().is_empty() { 2 } else { 4 };
        let keys = keys.into_iter().take(count);
        let mut keys = keys.filter(|(address, _)| self.has_urls || address.starts_with('/'));
        let found = keys.find_map(|(address, keeps_query)| {
            let number = *self.by_address.get(&*key_of(address)?)?;
            Some((number, rules.get(number)?, keeps_query))
        });
        let Some((
            number,
            Rule {
                to, status, line, ..
            },
            keeps_query,
        )) = found
        else {
            return file(request, request.path, files, None);
        };
        if self.conditional.contains(&number) {
            return Answer::Unknown { line: *line };
        }
        let rule = Some(number);
        match to {
            None => Answer::Refused {
                status: *status,
                rule,
            },
            Some(to) if *status == 200 => {
                let url = resolve(Rules::Whatwg, Some(&whole), to).unwrap_or_default();
                let path = Request::from_url(&url).map_or("/", |target| target.path);
                file(request, path, files, rule)
            }
            Some(to) => Answer::Redirect {
                status: *status,
                location: if keeps_query && !to.contains(['?', '#']) {
                    format!("{to}{}", request.search())
                } else {
                    to.clone()
                },
                rule,
            },
        }
    }
}

/// The normal form of an address: escapes of unreserved characters decoded, other escapes in upper
/// case, scheme and host in lower case.
fn key_of(address: &str) -> Option<String> {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let url = if is_path {
        format!("http://host{address}")
    } else {
        address.to_owned()
    };
    let url = resolve(Rules::Whatwg, None, &url).ok()?;
    let normal = normal(&url, &NormalOptions::default());
    if is_path {
        return Some(normal.strip_prefix("http://host")?.to_owned());
    }
    Some(normal)
}

fn file(request: &Request<'_>, path: &str, files: &dyn Files, rule: Option<usize>) -> Answer {
    let decoded = percent_encoding::percent_decode_str(path).collect::<Vec<u8>>();
    let with_index = |mut path: Vec<u8>| {
        path.extend_from_slice(b"index.html");
        path
    };
    if files.is_file(&decoded) {
        return Answer::File {
            path: decoded,
            status: 200,
            rule,
        };
    }
    let bare = decoded.strip_suffix(b"/").map(<[u8]>::to_vec);
    match bare {
        Some(_) if files.is_file(&with_index(decoded.clone())) => Answer::File {
            path: with_index(decoded),
            status: 200,
            rule,
        },
        None if files.is_directory(&decoded) => Answer::Redirect {
            status: 301,
            location: format!("{}{}/{}", request.origin(), path, request.search()),
            rule: None,
        },
        _ => Answer::Refused { status: 404, rule },
    }
}

/// Writes comma-separated values.
pub(crate) static CSV_FORM: Form = Form::lines("from,to,status\n", |new| row(b',', new), "");

/// Writes tab-separated values.
pub(crate) static TSV_FORM: Form = Form::lines("from\tto\tstatus\n", |new| row(b'\t', new), "");

/// Writes an array of JSON objects.
pub(crate) static JSON_FORM: Form = Form::json("[\n", |new| Some(object(new)), "\n]\n");

fn object(new: &NewRule<'_>) -> String {
    json!({"from": new.from, "to": new.to, "status": 301}).to_string()
}

fn row(delimiter: u8, new: &NewRule<'_>) -> Option<String> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    writer.write_record([new.from, new.to, "301"]).ok()?;
    String::from_utf8(writer.into_inner().ok()?).ok()
}
