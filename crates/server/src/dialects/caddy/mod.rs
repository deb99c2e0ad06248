//! The static part of a Caddyfile, as Caddy 2 answers with it: `map`, `vars`, `redir`, `rewrite`, `uri`,
//! `try_files`, `basic_auth`, `invoke`, `handle`, `handle_path`, `handle_errors`, `route`, `error`,
//! `respond` and `file_server`, with matchers by path, expression, query, host, method, protocol, variable
//! and file.
//!
//! The answers of programs (`reverse_proxy`, and `php_fastcgi` for its scripts), and matchers on headers and on the
//! address of the client, are not known.

pub(crate) mod caddyfile;
mod cel;
mod condition;
mod errors;
mod file_server;
mod files;
mod functions;
mod handler;
mod hidden;
mod host;
mod matcher;
mod order;
mod path;
mod placeholder;
mod query;
mod read;
mod root;
mod state;
mod value;
mod variables;

use std::ops::Range;

use self::caddyfile::Directive;
use crate::engine::choices::{Choices, owner};
use crate::form::{Form, NewRule};
use crate::request::Request;
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, RuleParser};
use errors::Errors;
use handler::Handlers;
use host::Host;
use read::BlockContext;
use state::RequestState;

#[derive(Debug, Default)]
pub(crate) struct Caddy {
    sites: Vec<Site>,
    /// The sites chosen so far, by scheme, port and host of the request.
    chosen: Choices<(bool, u16, String)>,
}

#[derive(Debug)]
struct Site {
    /// 1-based.
    line: usize,
    hosts: Vec<Host>,
    handlers: Handlers,
    errors: Errors,
    /// The indices of its rules.
    rules: Range<usize>,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Caddy {
    let mut top = caddyfile::parse(text, parser);
    let mut out = Caddy::default();
    // A block without an address has the global options.
    if top.first().is_some_and(|first| first.words.is_empty()) {
        top.remove(0);
    }
    let has_braces = top.first().is_none_or(|first| first.block.is_some());
    if has_braces {
        for site in top {
            let block = site.block.unwrap_or_default();
            out.add_site(site.line, &site.words, &block, parser);
        }
    } else {
        let addresses = top.remove(0);
        out.add_site(addresses.line, &addresses.words, &top, parser);
    }
    out
}

impl Caddy {
    fn add_site(
        &mut self,
        line: usize,
        addresses: &[String],
        block: &[Directive],
        parser: &mut RuleParser,
    ) {
        let hosts = addresses
            .iter()
            .flat_map(|word| word.split(','))
            .filter(|word| !word.is_empty())
            .map(Host::new);
        let hosts = hosts.collect();
        let site = files::site_of(block);
        let context = BlockContext::for_site(site.as_deref());
        let first = parser.rules.len();
        let handlers = Handlers::new(block, true, &context, parser);
        let errors = Errors::new(block, &context, parser);
        self.sites.push(Site {
            line,
            hosts,
            errors,
            handlers,
            rules: first..parser.rules.len(),
        });
    }

    fn site(&self, request: &Request<'_>) -> Option<&Site> {
        let host = request.host_name().to_ascii_lowercase();
        let key = (request.scheme == "https", request.port(), host);
        let choose = |(is_secure, port, host): &(bool, u16, String)| {
            // Another server in front of this one may be what listens on the port.
            let on_port = self.closest(*is_secure, Some(*port), host);
            on_port.or_else(|| self.closest(*is_secure, None, host))
        };
        self.sites.get(self.chosen.get(key, choose)?)
    }

    /// The index of the site that matches a host most specifically, among those on the port if one is
    /// given.
    fn closest(&self, is_secure: bool, port: Option<u16>, host: &str) -> Option<usize> {
        let ranked = self.sites.iter().enumerate().filter_map(|(number, site)| {
            let hosts = site.hosts.iter();
            let ranks = hosts.filter_map(|known| known.rank(is_secure, port, host));
            Some((ranks.max()?, number))
        });
        ranked.max().map(|(_, number)| number)
    }
}

impl Responder for Caddy {
    fn reaches_rule(&self, rule: usize, request: &Request<'_>) -> bool {
        let Some(owner) = owner(&self.sites, |site| &site.rules, rule) else {
            return true;
        };
        let asked = self.site(request);
        asked.is_some_and(|asked| std::ptr::eq(asked, owner))
    }

    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let Some(site) = self.site(request) else {
            // No site matches the host: another file, or a variable, may define one.
            return match self.sites.first() {
                Some(site) => Answer::Unknown { line: site.line },
                None => Answer::refused(404),
            };
        };
        let Ok(path) = String::from_utf8(request.decoded_path().into_owned()) else {
            return Answer::refused(400);
        };
        let mut state = RequestState::new(request, path);
        let answer = match site.handlers.run(&mut state, files, work) {
            Err(line) => return Answer::Unknown { line },
            // If no handler answers, Caddy sends an empty response.
            Ok(answer) => answer.unwrap_or(Answer::Refused {
                status: 200,
                rule: state.rule,
            }),
        };
        match (site.handlers.unread, &answer) {
            // An unsupported directive may answer if nothing else does.
            (
                Some(line),
                Answer::Refused {
                    status: 200 | 404, ..
                },
            ) => Answer::Unknown { line },
            (_, Answer::Refused { status, .. }) if *status >= 400 && !state.has_text => {
                site.errors.answer(answer, &state, files, work)
            }
            _ => answer,
        }
    }
}

/// Writes rules in a site of their own. Caddy ignores the case of paths, and braces are placeholders.
/// For every host and both schemes. The site has its files, or its new addresses would answer nothing.
pub(crate) static FORM: Form = Form::lines("http://, https:// {\n", form_rule, "file_server\n}\n");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let path = new.path()?;
    let to = new.to;
    let is_wild = path.contains(['*', '?', '[', '\\', '%', '"', '`', '{']) || to.contains('{');
    (!is_wild).then(|| format!("redir \"{path}\" \"{to}\" 301\n"))
}
