//! The Static Analysis Results Interchange Format (OASIS SARIF 2.1.0), for code scanning.

use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::words;
use super::writer::{Head, Options, Writer};
use baseref_document::Position;
use baseref_files::terminal::show_since;
use baseref_findings::{Finding, Level, Rule, Summary};
use baseref_resolve::Rules;

/// The characters encoded in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The base of relative URIs: the directory the command ran in.
const ROOT: &str = "SRCROOT";

pub(super) struct Sarif {
    head: Head,
    options: Options,
    /// The results of each of [`Level::REPORTED`], up to the maximum.
    results: [Vec<Vec<u8>>; 3],
    seen: usize,
}

impl Sarif {
    pub(super) fn new(head: Head, options: Options) -> Self {
        Self {
            head,
            options,
            results: [const { Vec::new() }; 3],
            seen: 0,
        }
    }

    fn rule_index(&mut self, rule: &'static Rule) -> usize {
        let rules = &mut self.head.rules;
        rules
            .iter()
            .position(|r| r.id == rule.id)
            .unwrap_or_else(|| {
                rules.push(rule);
                rules.len() - 1
            })
    }

    fn result(&mut self, finding: &Finding) -> Value {
        let mut result = json!({
            "ruleId": finding.rule.id,
            "ruleIndex": self.rule_index(finding.rule),
            "level": finding.level.as_str(),
            "message": message(&words::sentence(finding)),
            "locations": [{"physicalLocation": source(finding).unwrap_or_else(|| location(finding))}],
            "partialFingerprints": {"baserefFinding/v1": finding.fingerprint().to_string()},
            "suppressions": suppressions(finding),
            "properties": properties(finding),
        });
        let related = related(finding);
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
        if self.head.baseline {
            result["baselineState"] = json!(if finding.known { "unchanged" } else { "new" });
        }
        if let Some(fix) = &finding.fix {
            result["fixes"] = json!([{
                "description": message(&format!("Write {}", fix.text)),
                "artifactChanges": [{
                    "artifactLocation": artifact(&finding.page.doc),
                    "replacements": [{
                        "deletedRegion": {
                            "byteOffset": fix.byte.start,
                            "byteLength": fix.byte.end.saturating_sub(fix.byte.start),
                        },
                        "insertedContent": {"text": fix.text},
                    }],
                }],
            }]);
        }
        result
    }
}

impl Writer for Sarif {
    fn finding(&mut self, finding: &Finding, _: &mut Vec<u8>) {
        self.seen += 1;
        let Some(index) = Level::REPORTED.iter().position(|&l| l == finding.level) else {
            return;
        };
        if self.results[index].len() < self.options.sarif_max {
            let mut result = self.result(finding).to_string().into_bytes();
            show_since(0, &mut result);
            self.results[index].push(result);
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.seen.min(self.options.sarif_max);
        let mut notifications = Vec::new();
        if shown < self.seen {
            let text = format!(
                "{} of {} findings are written, errors first (--sarif-max)",
                words::number(shown as u64),
                words::number(self.seen as u64)
            );
            notifications.push(json!({"level": "warning", "message": message(&text)}));
        }
        if summary.unreadable > 0 {
            let text = format!(
                "{} could not be read",
                words::count(summary.unreadable, "input")
            );
            notifications.push(json!({"level": "error", "message": message(&text)}));
        }
        let rules: Vec<Value> = self
            .head
            .rules
            .iter()
            .map(|rule| descriptor(rule))
            .collect();
        let driver = json!({
            "name": "baseref",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        let invocation = json!({
            "executionSuccessful": summary.unreadable == 0,
            "toolExecutionNotifications": notifications,
        });
        let root = json!({ROOT: {"description": message("The directory the command ran in.")}});
        write!(
            out,
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\
             \"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
             \"columnKind\":\"unicodeCodePoints\",\"originalUriBaseIds\":{root},\
             \"invocations\":[{invocation}],\"results\":["
        )?;
        let results = std::mem::take(&mut self.results);
        for (index, result) in results.iter().flatten().take(shown).enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            out.write_all(result)?;
        }
        out.write_all(b"\n]}]}\n")
    }
}

/// A message (§3.11). Brackets are escaped so that text from the input cannot make links (§3.11.6).
fn message(text: &str) -> Value {
    json!({"text": text.replace('[', "\\[").replace(']', "\\]")})
}

fn suppressions(finding: &Finding) -> Value {
    match finding.allowed() {
        None => json!([]),
        Some("") => json!([{"kind": "external"}]),
        Some(reason) => json!([{"kind": "external", "justification": reason}]),
    }
}

fn location(finding: &Finding) -> Value {
    let mut location = json!({"artifactLocation": artifact(&finding.page.doc)});
    if let Some(at) = &finding.at {
        let mut region = region(at);
        // Without an end column the region would extend to the end of the line.
        if let Some(excerpt) = finding.excerpt().filter(|excerpt| excerpt.whole) {
            let value = excerpt.text.get(excerpt.value.clone()).unwrap_or_default();
            let length = value.chars().count() as u64;
            region["endLine"] = json!(at.line);
            region["endColumn"] = json!(u64::from(at.column.get()) + length);
        }
        location["region"] = region;
    }
    location
}

/// The position in the source of a generated page, where the fault can be repaired.
fn source(finding: &Finding) -> Option<Value> {
    let source = finding.source()?;
    let mut location = json!({"artifactLocation": artifact(&source.file)});
    if let Some(line) = source.line {
        location["region"] = json!({"startLine": line});
    }
    Some(location)
}

/// The related locations (§3.27.22): the position in a generated page, the effective base element, and
/// other positions that the finding refers to.
fn related(finding: &Finding) -> Vec<Value> {
    let mut places = Vec::new();
    let mut add = |doc: &str, at: Option<&Position>, what: &str| {
        let mut location = json!({"artifactLocation": artifact(doc)});
        if let Some(at) = at {
            location["region"] = region(at);
        }
        let id = places.len();
        places.push(json!({"id": id, "physicalLocation": location, "message": message(what)}));
    };
    if finding.source().is_some() {
        add(
            &finding.page.doc,
            finding.at.as_ref(),
            "The generated page.",
        );
    }
    let base = finding.base.as_deref();
    let base = base.and_then(|base| base.place.as_ref());
    if let Some(at) = base.filter(|base| finding.at.as_ref() != Some(base)) {
        add(&finding.page.doc, Some(at), "The base.");
    }
    for related in finding.related() {
        add(&related.doc, related.at.as_ref(), related.what);
    }
    places
}

/// The value that begins at a place.
fn region(at: &Position) -> Value {
    json!({
        "startLine": at.line,
        "startColumn": at.column,
        "byteOffset": at.byte.start,
        "byteLength": at.byte.end.saturating_sub(at.byte.start),
    })
}

/// A file, as a URI relative to the directory the command ran in, unless its path is absolute.
fn artifact(doc: &str) -> Value {
    let path = doc.replace(std::path::is_separator, "/");
    let path = path.trim_start_matches("./");
    let encoded = utf8_percent_encode(path, PATH).to_string();
    if path.starts_with('/') {
        json!({"uri": format!("file://{encoded}")})
    } else {
        json!({"uri": encoded, "uriBaseId": ROOT})
    }
}

fn properties(finding: &Finding) -> Value {
    let mut properties = Map::new();
    let mut set = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            properties.insert(name.to_owned(), json!(value));
        }
    };
    set("group", Some(&finding.group()));
    set("raw", Some(&finding.raw));
    set("url", finding.url.as_deref());
    set("target", finding.target.as_deref());
    if let Some(base) = finding.base.as_deref() {
        set("base", base.url.as_deref());
        set("baseSource", Some(base.source));
    }
    if let Some(moved) = finding.moved.as_deref() {
        set("oldUrl", moved.old_url.as_deref());
        set("newUrl", moved.new_url.as_deref());
        set("expected", moved.expected.as_deref());
        set("via", Some(moved.via));
    }
    if finding.each_url().iter().any(Option::is_some) {
        properties.insert("urls".to_owned(), by_rules(finding));
    }
    Value::Object(properties)
}

fn by_rules(finding: &Finding) -> Value {
    let names = Rules::ALL.map(|rules| rules.as_str().to_owned());
    let urls = finding.each_url().into_iter().map(|url| json!(url));
    Value::Object(names.into_iter().zip(urls).collect())
}

/// The help for a rule, plain and as Markdown (§3.49.12).
fn help(rule: &Rule) -> Value {
    let Rule {
        explanation,
        reference,
        example,
        ..
    } = rule;
    let mut help = message(&format!(
        "{explanation}\n\nSource: {reference}\nFor example:\n{example}"
    ));
    help["markdown"] = json!(format!(
        "{explanation}\n\nSource: {reference}\n\n```text\n{example}\n```"
    ));
    help
}

/// The name for people that viewers show (§3.49.7): `TargetMissingFile`.
fn name(rule: &Rule) -> String {
    let words = rule.id.split(['/', '-']);
    words.map(words::capital).collect()
}

fn descriptor(rule: &Rule) -> Value {
    let level = match rule.level {
        Level::Off => "none",
        reported => reported.as_str(),
    };
    let severity = match rule.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Off => "recommendation",
    };
    let family = rule.id.split('/').next().unwrap_or_default();
    json!({
        "id": rule.id,
        "name": name(rule),
        "shortDescription": message(&format!("{}.", words::capital(rule.summary))),
        "fullDescription": message(rule.explanation),
        "help": help(rule),
        "defaultConfiguration": {"level": level, "enabled": rule.level != Level::Off},
        "properties": {
            "tags": ["links", family],
            "precision": "very-high",
            "problem.severity": severity,
        },
    })
}
