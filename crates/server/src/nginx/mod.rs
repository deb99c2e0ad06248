//! Redirects of nginx: `map`, `return`, `rewrite`, `if` and `try_files`, in a whole configuration,
//! in the content of a `server`, or in the body of a map.

mod code;
mod config;
mod content;
mod escape;
mod location;
mod root;
mod run;
mod server;
mod settings;
mod syntax;
mod template;

use super::request::{self, Files, Request};
use super::rule::{Answer, Read};
use super::work::Work;
pub(super) use server::Nginx;

pub(super) fn read(text: &str, read: &mut Read) -> Nginx {
    config::read(text, read)
}

impl Nginx {
    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        if !request::has_only_whole_escapes(request.path) || request::has_escape(request.path, "00")
        {
            return refused(400);
        }
        let Some(tidied) = request::tidy(&request.decoded_path()) else {
            return refused(400);
        };
        match self.server(request) {
            Some(server) => {
                let uri = if self.keeps_slashes(request) {
                    request.decoded_path().into_owned()
                } else {
                    tidied
                };
                run::answer(self, server, request, uri, files, work)
            }
            None => refused(404),
        }
    }
}
