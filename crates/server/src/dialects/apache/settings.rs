//! Reads the directives about how files are served.

use super::lines::Line;
use super::section::{EncodedSlashes, Fallback, Settings, Switch};
use crate::line_error::LineError;
use crate::rule::{Rule, RuleParser};

impl Settings {
    /// Reads a directive, by its name in lower case; `None` if it is about something else.
    pub(super) fn read(
        &mut self,
        name: &str,
        line: &Line,
        parser: &mut RuleParser,
    ) -> Option<Result<(), LineError>> {
        let is_on = line.rest.eq_ignore_ascii_case("on");
        let is_off = line.rest.eq_ignore_ascii_case("off");
        match name {
            "directoryindex" => self.add_index(line),
            "directoryindexredirect" => match index_status(line) {
                Some(status) => self.index_status = Some(status),
                None => return Some(Err(LineError::Status(line.rest.clone()))),
            },
            "acceptpathinfo" => self.ignores_rest = Some(is_on),
            "directoryslash" => self.adds_no_slash = Some(is_off),
            "fallbackresource" => self.fallback = Some(Switch::new(fallback(line, parser))),
            "checkspelling" => self.checks_spelling = Some(is_on),
            "checkcaseonly" => self.checks_case_only = Some(is_on),
            "mergeslashes" => self.keeps_slashes = Some(is_off),
            "allowencodedslashes" => {
                self.encoded_slashes = Some(match &*line.rest.to_ascii_lowercase() {
                    "on" => EncodedSlashes::Decoded,
                    "nodecode" => EncodedSlashes::Kept,
                    _ => EncodedSlashes::Refused,
                });
            }
            "options" => {
                self.lists = option(line, &["indexes", "all"]).or(self.lists);
                let links = ["followsymlinks", "symlinksifownermatch", "all"];
                self.follows_links = option(line, &links).or(self.follows_links);
                if let Some(is_on) = option(line, &["multiviews"]) {
                    self.negotiates = Some(Switch::new(is_on.then_some(line.number)));
                }
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    fn add_index(&mut self, line: &Line) {
        let mut names = line.words();
        let (_, known) = self.index.get_or_insert_with(|| (line.number, Vec::new()));
        if matches!(&names[..], [only] if only.eq_ignore_ascii_case("disabled")) {
            known.clear();
            names.clear();
        }
        known.extend(names);
    }
}

/// The status of `DirectoryIndexRedirect`; `None` if it is broken.
fn index_status(line: &Line) -> Option<Switch<u16>> {
    Some(match &*line.rest.to_ascii_lowercase() {
        "off" => Switch::Off,
        "on" | "temp" => Switch::On(302),
        "permanent" => Switch::On(301),
        "seeother" => Switch::On(303),
        digits => Switch::On(
            digits
                .parse()
                .ok()
                .filter(|code| (300..400).contains(code))?,
        ),
    })
}

/// The fallback for missing files, unless the `FallbackResource` line disables it.
fn fallback(line: &Line, parser: &mut RuleParser) -> Option<Fallback> {
    let words = line.words();
    let path = words.first()?;
    if path.eq_ignore_ascii_case("disabled") {
        return None;
    }
    let rule = parser.rule(Rule {
        line: line.number,
        from: "what is missing".to_owned(),
        to: Some(path.clone()),
        status: 200,
        status_is_default: false,
        is_exact: false,
        samples: Vec::new(),
    });
    Some(Fallback {
        line: line.number,
        rule,
        path: path.clone(),
    })
}

/// Whether `Options` has one of these; `None` if it does not say.
fn option(line: &Line, names: &[&str]) -> Option<bool> {
    let words = line.words();
    let is_whole = words.iter().all(|word| !word.starts_with(['+', '-']));
    let said = words.iter().rev().find_map(|word| {
        let bare = word.trim_start_matches(['+', '-']).to_ascii_lowercase();
        names.contains(&&*bare).then(|| !word.starts_with('-'))
    });
    said.or(is_whole.then_some(false))
}
