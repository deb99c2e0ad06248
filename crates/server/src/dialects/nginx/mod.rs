//! Redirects of nginx: `map`, `return`, `rewrite`, `if` and `try_files`, in a whole configuration,
//! in the content of a `server`, or in the body of a map.

mod code;
mod config;
mod content;
mod escape;
mod include;
mod location;
mod root;
mod run;
mod server;
mod settings;
mod site_files;
mod syntax;
mod template;
mod variables;

use crate::engine::choices::owner;
use crate::form::{Form, NewRule};
use crate::request::{self, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, RuleParser};
pub(crate) use include::INCLUDES;
pub(crate) use server::Nginx;

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Nginx {
    config::read(text, parser)
}

impl Responder for Nginx {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        if !request::has_only_whole_escapes(request.path) || request::has_escape(request.path, "00")
        {
            return Answer::refused(400);
        }
        let Some(tidied) = request::tidy(&request.decoded_path()) else {
            return Answer::refused(400);
        };
        if let Some(line) = self.unread_server(request) {
            return Answer::Unknown { line };
        }
        match self.server(request) {
            Some(server) => {
                let uri = if self.keeps_slashes(request) {
                    request.decoded_path().into_owned()
                } else {
                    tidied
                };
                run::answer(self, server, request, uri, files, work)
            }
            None => Answer::refused(404),
        }
    }

    fn reaches_rule(&self, rule: usize, request: &Request<'_>) -> bool {
        let Some(owner) = owner(&self.servers, |server| &server.rules, rule) else {
            return true;
        };
        let reached = self.server(request);
        reached.is_some_and(|reached| std::ptr::eq(reached, owner))
    }
}

/// Writes rules as exact locations. `return` cannot contain a literal dollar sign.
pub(crate) static FORM: Form = Form::lines("", form_rule, "");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let to = new.to;
    if to.contains('$') {
        return None;
    }
    let path = new.path()?.replace('\\', "\\\\").replace('"', "\\\"");
    let query = if to.contains(['?', '#']) {
        ""
    } else {
        "$is_args$args"
    };
    Some(format!(
        "location = \"{path}\" {{ return 301 \"{to}{query}\"; }}\n"
    ))
}
