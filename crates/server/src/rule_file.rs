//! A file of redirect rules: its rules, its problems, and a model of its server.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::dialect::Dialect;
use super::request::{Files, Request};
use super::rule::{Answer, Problem, Read, Rule, Trouble};
use super::work::{Limit, Spent, Work};
use super::{
    apache, caddy, cloudflare, firebase, iis, list, netlify, next, nginx, s3, swa, vercel,
};

/// A parsed file of redirect rules.
#[derive(Debug)]
pub struct RuleFile {
    dialect: Dialect,
    rules: Vec<Rule>,
    problems: Vec<Problem>,
    server: Server,
    spent: Spent,
    /// The limits that answers met, with the line of the rule.
    met: Mutex<BTreeSet<(usize, Limit)>>,
}

#[derive(Debug)]
enum Server {
    List(list::List),
    Netlify(netlify::Netlify),
    Cloudflare(cloudflare::Cloudflare),
    Apache(Box<apache::Apache>),
    Nginx(Box<nginx::Nginx>),
    Firebase(firebase::Firebase),
    Vercel(Box<vercel::Vercel>),
    Next(Box<next::Next>),
    Caddy(caddy::Caddy),
    Swa(swa::Swa),
    S3(s3::S3),
    Iis(Box<iis::Iis>),
}

impl RuleFile {
    /// Parses the rules in `bytes`.
    ///
    /// `mount` is the path of the folder that an `.htaccess` file is in, such as `/docs/`; other
    /// dialects ignore it. No input is refused: whatever cannot be read is a [`Problem`].
    #[must_use]
    pub fn read(dialect: Dialect, bytes: &[u8], mount: &str) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut read = Read::new(bytes.len());
        let server = match dialect {
            Dialect::Csv => Server::List(list::read_table(text, b',', &mut read)),
            Dialect::Tsv => Server::List(list::read_table(text, b'\t', &mut read)),
            Dialect::Json => Server::List(list::read_json(text, &mut read)),
            Dialect::Netlify => Server::Netlify(netlify::read(text, &mut read)),
            Dialect::Cloudflare => Server::Cloudflare(cloudflare::read(text, &mut read)),
            Dialect::Apache => Server::Apache(Box::new(apache::read(text, None, &mut read))),
            Dialect::Htaccess => {
                Server::Apache(Box::new(apache::read(text, Some(mount), &mut read)))
            }
            Dialect::Nginx => Server::Nginx(Box::new(nginx::read(text, &mut read))),
            Dialect::Firebase => Server::Firebase(firebase::read(text, &mut read)),
            Dialect::Vercel => Server::Vercel(Box::new(vercel::read(text, &mut read))),
            Dialect::Next => Server::Next(Box::new(next::read(text, &mut read))),
            Dialect::Caddy => Server::Caddy(caddy::read(text, &mut read)),
            Dialect::Swa => Server::Swa(swa::read(text, &mut read)),
            Dialect::S3 => Server::S3(s3::read(text, &mut read)),
            Dialect::Iis => Server::Iis(Box::new(iis::read(text, &mut read))),
        };
        if bytes.is_ascii() || std::str::from_utf8(bytes).is_ok() {
            // Nothing was lost in decoding.
        } else {
            read.problem(
                1,
                Trouble::NotRead,
                "the file is not UTF-8; bytes that are not were replaced",
            );
        }
        let (rules, problems) = read.into_problems();
        Self {
            dialect,
            rules,
            problems,
            server,
            spent: Spent::default(),
            met: Mutex::default(),
        }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
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

    /// Allows the answers to cost what is due for so many files and addresses; call before the first.
    pub fn allow(&self, addresses: usize) {
        self.spent.allow(addresses as u64);
    }

    /// Whether the answers took more steps than allowed: what was answered since is not known.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent.is_over()
    }

    /// The limits that the answers so far have met, by line.
    #[must_use]
    pub fn met(&self) -> Vec<Problem> {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = |(line, limit): &(usize, Limit)| Problem {
            line: *line,
            trouble: Trouble::Limit,
            message: format!("where some addresses lead is not known: {limit}"),
        };
        met.iter().map(problem).collect()
    }

    /// Whether the server may have an answer of its own for a path, decoded and normalized.
    #[must_use]
    pub fn is_for(&self, path: &[u8]) -> bool {
        match &self.server {
            Server::Apache(server) => server.is_for(path),
            _ => true,
        }
    }

    /// Whether a request reaches the virtual server that a rule is of; a file that has none is of all.
    #[must_use]
    pub fn is_asked(&self, rule: usize, request: &Request<'_>) -> bool {
        match &self.server {
            Server::Apache(server) => server.is_asked(rule, request),
            Server::Nginx(server) => server.is_asked(rule, request),
            Server::Caddy(server) => server.is_asked(rule, request),
            _ => true,
        }
    }

    /// The server's answer to a request, with these rules and files.
    #[must_use]
    pub fn answer(&self, request: &Request<'_>, files: &dyn Files) -> Answer {
        if self.is_exhausted() {
            return Answer::Unknown { line: 1 };
        }
        let work = Work::new();
        let answer = match &self.server {
            Server::List(server) => server.answer(request, files, &self.rules),
            Server::Netlify(server) => server.answer(request, files, &work),
            Server::Cloudflare(server) => server.answer(request, files, &work),
            Server::Apache(server) => server.answer(request, files, &work),
            Server::Nginx(server) => server.answer(request, files, &work),
            Server::Firebase(server) => server.answer(request, files, &work),
            Server::Vercel(server) => server.answer(request, files, &work),
            Server::Next(server) => server.answer(request, files, &work),
            Server::Caddy(server) => server.answer(request, files, &work),
            Server::Swa(server) => server.answer(request, files, &work),
            Server::S3(server) => server.answer(request, files, &work),
            Server::Iis(server) => server.answer(request, files, &work),
        };
        let (text, rule) = match &answer {
            Answer::Redirect { location, rule, .. } => (location.len(), *rule),
            Answer::File { path, rule, .. } => (path.len(), *rule),
            Answer::Refused { .. } | Answer::Unknown { .. } => (0, None),
        };
        self.spent.add(&work, text);
        // What a rule writes out is as long in every dialect as what it puts together.
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
