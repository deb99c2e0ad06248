//! The answers of web servers: hosting presets, redirect rules, and chains of redirects.
//!
//! ```
//! use baseref_server::{Answer, Dialect, Files, FileKind, Request, RuleFile};
//!
//! struct NoFiles;
//!
//! impl Files for NoFiles {
//!     fn kind(&self, _path: &[u8]) -> Option<FileKind> {
//!         None
//!     }
//! }
//!
//! let rules = RuleFile::read(Dialect::Netlify, b"/old/* /new/:splat 301\n", "/");
//! let request = Request::from_url("https://a.example/old/page.html").expect("an http URL");
//! let Answer::Redirect { status, location, .. } = rules.answer(&request, &NoFiles) else {
//!     panic!("expected a redirect");
//! };
//! assert_eq!((status, &*location), (301, "/new/page.html"));
//! ```
//!
//! [`RuleFile::read`] parses one file in one [`Dialect`] and keeps three things: the rules, as a list
//! for reports; the problems, each with its line; and a model of the server, which answers a
//! [`Request`]. Each server has a module of its own, which decides how a path is decoded, what happens
//! to the query, whether a file wins over a rule, and which redirects are made without any rule.
//!
//! The answers follow the measured behaviour of Apache 2.4, nginx 1.22, netlify-cli 26, wrangler 4.86
//! (`pages dev`), superstatic 11 (Firebase), Vercel's CLI 64, Next.js 16, Caddy 2.11 and Azure's CLI 2.0.
//! S3 and IIS follow their documentation.
//!
//! - [`table`]: every server, with its hosting preset and its dialect of rules;
//! - [`RuleFile`]: the rules of one file, and the server's answers;
//! - [`write()`]: rules for missing redirects;
//! - [`follow`]: where an address leads, redirect after redirect;
//! - [`rule_set`]: the rule files of `--redirects`, and findings about them;
//! - [`TreeFiles`]: the files of a saved tree, as a server sees them.
//!
//! Outside baseref it can test redirect rules and plan migrations.
//!
//! # What it does not do
//!
//! It sends no requests. The crate `baseref-migration` compares two versions of a site.

mod dialects;
mod engine;
pub mod findings;
pub mod follow;
mod form;
mod include_search;
mod included;
mod line_error;
mod request;
mod responder;
mod rule;
mod rule_file;
pub mod rule_set;
mod syntax;
pub mod table;
#[cfg(test)]
mod tests;
mod tree_files;
mod write;

pub use included::LinePlace;
pub use request::{FileKind, Files, Request};
pub use rule::{Answer, Problem, ProblemKind, Rule};
pub use rule_file::RuleFile;
pub use table::Dialect;
pub use tree_files::TreeFiles;
pub use write::{Redirect, WrittenRules, comment, write};
