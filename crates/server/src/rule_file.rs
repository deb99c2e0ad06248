//! A parsed file of redirect rules.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::work::{Limit, TotalSteps, Work};
use crate::include_search::{Beside, gather};
use crate::included::{Included, LinePlace};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, Problem, ProblemKind, Rule, RuleParser};
use crate::table::Dialect;

/// A parsed file of redirect rules: its rules, its problems, and the server that they configure.
#[derive(Debug)]
pub struct RuleFile {
    dialect: Dialect,
    rules: Vec<Rule>,
    problems: Vec<Problem>,
    server: Box<dyn Responder>,
    included: Arc<Included>,
    spent: TotalSteps,
    /// If its redirects are refreshes of pages: the addresses whose pages forward the fragment.
    refreshes: Option<BTreeSet<String>>,
    /// The limits that answers have reached, with the line of the rule.
    met: Mutex<BTreeSet<(usize, Limit)>>,
}

/// The text of a file, without its byte order mark.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    String::from_utf8_lossy(bytes)
}

impl RuleFile {
    /// Parses the rules in `bytes`.
    ///
    /// `mount` is the path of the folder that an `.htaccess` file is in, such as `/docs/`; other
    /// dialects ignore it. No input is refused: unreadable parts are [`Problem`]s.
    #[must_use]
    pub fn read(dialect: Dialect, bytes: &[u8], mount: &str) -> Self {
        let text = text_of(bytes);
        Self::with_included(dialect, bytes, &text, mount, Included::default())
    }

    /// Parses the rules in `bytes`, and in the files beside it that it includes.
    #[must_use]
    pub(crate) fn read_beside(
        dialect: Dialect,
        bytes: &[u8],
        mount: &str,
        beside: &dyn Beside,
    ) -> Self {
        let text = text_of(bytes);
        let included = match dialect.format().includes {
            Some(includes) => gather(&text, includes, beside),
            None => Included::default(),
        };
        Self::with_included(dialect, bytes, &text, mount, included)
    }

    fn with_included(
        dialect: Dialect,
        bytes: &[u8],
        text: &str,
        mount: &str,
        included: Included,
    ) -> Self {
        let included = Arc::new(included);
        let included_length = included.files.iter().map(|file| file.text.len());
        let mut parser = RuleParser::new(bytes.len() + included_length.sum::<usize>(), mount);
        parser.included = Arc::clone(&included);
        let server = dialect.read(text, &mut parser);
        if bytes.is_ascii() || std::str::from_utf8(bytes).is_ok() {
            // Nothing was lost in decoding.
        } else {
            parser.problem(
                1,
                ProblemKind::NotRead,
                "the file is not UTF-8; bytes that are not were replaced",
            );
        }
        parser.report_fragments();
        let (rules, problems) = parser.into_problems();
        Self {
            dialect,
            rules,
            problems,
            server,
            included,
            spent: TotalSteps::default(),
            refreshes: None,
            met: Mutex::default(),
        }
    }

    /// Declares that the redirects are refreshes of pages, of which those at the `forwarding` addresses
    /// forward the fragment by a script.
    #[must_use]
    pub(crate) fn with_refreshes(self, forwarding: BTreeSet<String>) -> Self {
        Self {
            refreshes: Some(forwarding),
            ..self
        }
    }

    /// Whether its redirects are refreshes of pages, which servers answer with 200.
    #[must_use]
    pub fn is_of_pages(&self) -> bool {
        self.refreshes.is_some()
    }

    /// Whether a redirect of this rule drops the fragment of the request.
    pub(crate) fn drops_fragment(&self, rule: Option<usize>) -> bool {
        let rule = rule.and_then(|rule| self.rules.get(rule));
        match (&self.refreshes, rule) {
            (Some(forwarding), Some(rule)) => !forwarding.contains(&rule.from),
            _ => false,
        }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The files that it includes.
    pub(crate) fn included(&self) -> &Included {
        &self.included
    }

    /// The file and the line that the number of a line stands for: those of files that this one
    /// includes are numbered on from its own.
    #[must_use]
    pub fn place(&self, line: usize) -> LinePlace<'_> {
        self.included.place(line)
    }

    /// The effective rules, in file order.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The problems of the file, by line.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Sets the budget of all answers for this number of files and addresses. Call this before the
    /// first answer.
    pub fn allow(&self, addresses: usize) {
        self.spent.allow(addresses as u64);
    }

    /// Whether the answers took more steps than allowed. Every answer since then is unknown.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent.is_over()
    }

    /// The limits that answers have reached so far, by line.
    #[must_use]
    pub fn met(&self) -> Vec<Problem> {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = |(line, limit): &(usize, Limit)| Problem {
            line: *line,
            kind: ProblemKind::Limit,
            message: format!("where some addresses lead is not known: {limit}"),
        };
        met.iter().map(problem).collect()
    }

    /// Whether the server may have an answer of its own for a path, decoded and normalized.
    #[must_use]
    pub fn may_answer(&self, path: &[u8]) -> bool {
        self.server.may_answer(path)
    }

    /// Whether the server serves every page at its path without `.html`, too, because the file says so.
    #[must_use]
    pub fn serves_without_extension(&self) -> bool {
        self.server.serves_without_extension()
    }

    /// Whether a request reaches the virtual server that a rule belongs to. A file without virtual
    /// servers is reached by every request.
    #[must_use]
    pub fn reaches_rule(&self, rule: usize, request: &Request<'_>) -> bool {
        self.server.reaches_rule(rule, request)
    }

    /// The server's answer to a request, with these rules and files.
    #[must_use]
    pub fn answer(&self, request: &Request<'_>, files: &dyn Files) -> Answer {
        if self.is_exhausted() {
            return Answer::Unknown { line: 1 };
        }
        let work = Work::new();
        let answer = self.server.answer(&Visit {
            request,
            files,
            rules: &self.rules,
            work: &work,
        });
        let (text, rule) = match &answer {
            Answer::Redirect { location, rule, .. } => (location.len(), *rule),
            Answer::File { path, rule, .. } => (path.len(), *rule),
            Answer::Refused { .. } | Answer::Unknown { .. } => (0, None),
        };
        self.spent.add(&work, text);
        // The limit on texts that rules build also applies to results in every dialect.
        let answer = match rule.and_then(|rule| self.rules.get(rule)) {
            Some(rule) if work.take_text(text).is_err() => Answer::Unknown { line: rule.line },
            _ => answer,
        };
        if let (Answer::Unknown { line }, Some(limit)) = (&answer, work.met()) {
            let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
            met.insert((*line, limit));
        }
        answer
    }
}
