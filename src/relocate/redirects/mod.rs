//! The redirect rules of a site, read from the file that its server reads, and answered the
//! way that server answers.
//!
//! [`RuleFile::read`] takes the bytes of one file in one [`Dialect`] and keeps three things:
//! the rules, as a list a report can walk; the problems, each with its line; and the server,
//! which says for one [`Request`] what a client gets. Every server is its own file and decides
//! for itself how a path is decoded, what becomes of the query, whether a file wins over a
//! rule, and which redirects it makes without any rule.
//!
//! The answers follow what the servers were measured to do: Apache 2.4, nginx 1.22,
//! netlify-cli 26 and wrangler 4.86 (`pages dev`).

mod apache;
mod cloudflare;
mod index;
mod list;
mod netlify;
mod nginx;
mod pattern;
mod request;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

pub use request::{Files, Kind, Request};
pub use write::{Wanted, Written, write};

/// The language of a file of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Comma-separated values with a header of column names.
    Csv,
    /// Tab-separated values with a header of column names.
    Tsv,
    /// An object of old and new addresses, or an array of `{from, to, status}`.
    Json,
    /// A `_redirects` file of Netlify.
    Netlify,
    /// A `_redirects` file of Cloudflare Pages.
    Cloudflare,
    /// Directives of a server or virtual host of the Apache HTTP Server.
    Apache,
    /// An `.htaccess` file of the Apache HTTP Server.
    Htaccess,
    /// A configuration of nginx, whole or in part.
    Nginx,
}

impl Dialect {
    /// Every dialect, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Netlify,
        Self::Cloudflare,
        Self::Apache,
        Self::Htaccess,
        Self::Nginx,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Netlify => "netlify",
            Self::Cloudflare => "cloudflare",
            Self::Apache => "apache",
            Self::Htaccess => "htaccess",
            Self::Nginx => "nginx",
        }
    }

    /// The dialect of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.as_str() == name)
    }

    /// The dialect that a file of this name is written in, where the name alone says it.
    ///
    /// `_redirects` says nothing: Netlify and Cloudflare read it differently.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if name == ".htaccess" || name == "htaccess" {
            return Some(Self::Htaccess);
        }
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "json" => Some(Self::Json),
            "htaccess" => Some(Self::Htaccess),
            _ => None,
        }
    }

    /// Whether it is a plan of what is to lead where, which no server reads as it is.
    #[must_use]
    pub const fn is_plan(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Json)
    }

    /// Whether the rules stand with the old site rather than in the tree of the new one.
    #[must_use]
    pub const fn is_of_old_site(self) -> bool {
        !matches!(self, Self::Netlify | Self::Cloudflare)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One rule, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line it starts on, 1-based.
    pub line: usize,
    /// What it matches, as written.
    pub from: String,
    /// Where it leads, as written; none for a rule that only refuses.
    pub to: Option<String>,
    /// The status it answers with; 200 for one that serves another file in place.
    pub status: u16,
    /// Whether the file leaves the status out.
    pub status_is_default: bool,
    /// Whether it matches one path alone.
    pub is_exact: bool,
    /// Paths, as a client sends them, that it would match if no other rule came first. Empty
    /// where none can be made up from the rule.
    pub samples: Vec<String>,
}

/// What is wrong with a line of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// The server reads it and this program does not.
    NotRead,
    /// A directive that has nothing to do with where a URL leads.
    Irrelevant,
    /// The server leaves the line out.
    Dropped,
    /// The server leaves it out because there are too many, or the line is too long.
    OverLimit,
    /// The server refuses the whole file.
    Refused,
    /// The source has a fragment, which no client sends.
    FragmentSource,
}

/// A line of a rule file that does not work as one may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// 1-based.
    pub line: usize,
    /// The kind.
    pub trouble: Trouble,
    /// A sentence about it, without the place.
    pub message: String,
}

/// What a server answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A redirect to `location`, which is relative to the URL asked for.
    Redirect {
        /// 3xx.
        status: u16,
        /// The value of the `Location` field.
        location: String,
        /// The rule, or none where the server does it by itself.
        rule: Option<usize>,
    },
    /// A file of the site: its path below the root, decoded, from the first slash on.
    File {
        /// Where the file stands.
        path: Vec<u8>,
        /// 200, or what a rule says.
        status: u16,
        /// The rule that put this file in the place of the one asked for.
        rule: Option<usize>,
    },
    /// No file: a status without a target (404, 410, 403 and the like).
    Refused {
        /// 4xx or 5xx.
        status: u16,
        /// The rule, or none where there is simply nothing.
        rule: Option<usize>,
    },
    /// A rule decides that cannot be read.
    Unknown {
        /// The line of that rule.
        line: usize,
    },
}

/// A file of redirect rules, read.
#[derive(Debug)]
pub struct RuleFile {
    dialect: Dialect,
    rules: Vec<Rule>,
    problems: Vec<Problem>,
    server: Server,
}

#[derive(Debug)]
enum Server {
    List(list::List),
    Netlify(netlify::Netlify),
    Cloudflare(cloudflare::Cloudflare),
    Apache(Box<apache::Apache>),
    Nginx(Box<nginx::Nginx>),
}

/// What a dialect's reader collects, in the order of the file.
#[derive(Debug, Default)]
struct Read {
    rules: Vec<Rule>,
    problems: Vec<Problem>,
}

impl Read {
    fn problem(&mut self, line: usize, trouble: Trouble, message: impl Into<String>) {
        self.problems.push(Problem {
            line,
            trouble,
            message: message.into(),
        });
    }

    /// Adds a rule and gives back its number.
    fn rule(&mut self, rule: Rule) -> usize {
        self.rules.push(rule);
        self.rules.len() - 1
    }
}

impl RuleFile {
    /// Reads the rules in `bytes`.
    ///
    /// `mount` is the path of the folder that an `.htaccess` file stands in, as `/docs/`; the
    /// other dialects know no such thing. No input is refused: what cannot be read is a
    /// [`Problem`].
    #[must_use]
    pub fn read(dialect: Dialect, bytes: &[u8], mount: &str) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut read = Read::default();
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
        };
        if bytes.is_ascii() || std::str::from_utf8(bytes).is_ok() {
            // Nothing was lost on the way to text.
        } else {
            read.problem(
                1,
                Trouble::NotRead,
                "the file is not UTF-8; bytes that are not were replaced",
            );
        }
        read.problems.sort_by_key(|problem| problem.line);
        Self {
            dialect,
            rules: read.rules,
            problems: read.problems,
            server,
        }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The rules that the server keeps, in file order.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// What is wrong with the file, by line.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What the server answers to a request, with these rules over these files.
    #[must_use]
    pub fn answer(&self, request: &Request<'_>, files: &dyn Files) -> Answer {
        match &self.server {
            Server::List(server) => server.answer(request, files),
            Server::Netlify(server) => server.answer(request, files),
            Server::Cloudflare(server) => server.answer(request, files),
            Server::Apache(server) => server.answer(request, files),
            Server::Nginx(server) => server.answer(request, files),
        }
    }
}
