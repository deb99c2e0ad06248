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
mod dialect;
mod index;
mod list;
mod netlify;
mod nginx;
mod pattern;
mod request;
mod rule;
mod rule_file;
#[cfg(test)]
mod tests;
mod write;

pub use dialect::Dialect;
pub use request::{Files, Kind, Request};
pub use rule::{Answer, Problem, Rule, Trouble};
pub use rule_file::RuleFile;
pub use write::{Wanted, Written, write};
