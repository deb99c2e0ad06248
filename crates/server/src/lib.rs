//! The redirect rules of a site, read from its server's own file, and applied the way that server does.
//!
//! ```
//! use baseref_server::{Answer, Dialect, Files, Kind, Request, RuleFile};
//!
//! struct NoFiles;
//!
//! impl Files for NoFiles {
//!     fn kind(&self, _path: &[u8]) -> Option<Kind> {
//!         None
//!     }
//! }
//!
//! let rules = RuleFile::read(Dialect::Netlify, b"/old/* /new/:splat 301\n", "/");
//! let request = Request::from_url("https://a.example/old/page.html").expect("an http URL");
//! let Answer::Redirect { status, location, .. } = rules.answer(&request, &NoFiles) else {
//!     panic!("a redirect");
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
//! (`pages dev`), superstatic 11 (Firebase), Vercel's CLI 64, Next.js 16, Caddy 2.11 and Azure's CLI 2.0;
//! those of S3 and IIS follow their documentation.
//!
//! Outside baseref it serves whatever has to know what a server will answer before it does: tests of
//! rules, and plans of a migration.
//!
//! # What it does not do
//!
//! It asks no server and opens no files: the caller says which exist. It follows no chain of answers;
//! that is the crate `baseref-migration`'s.

mod dialects;
mod engine;
mod form;
mod request;
mod responder;
mod rule;
mod rule_file;
mod syntax;
pub mod table;
#[cfg(test)]
mod tests;
mod write;

pub use request::{Files, Kind, Request};
pub use rule::{Answer, Problem, ProblemKind, Rule};
pub use rule_file::RuleFile;
pub use table::Dialect;
pub use write::{Redirect, WrittenRules, write};
