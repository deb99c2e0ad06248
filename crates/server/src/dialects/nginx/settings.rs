//! Reads the inherited settings of a server or a location: roots, access and error pages.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::content::{Access, Content, ErrorPage, Origin};
use super::root::Root;
use super::syntax::Directive;
use super::template::{Piece, Template};
use crate::rule::{ProblemKind, Rule, RuleParser};

/// The directives that this file reads.
const SETTINGS: [&str; 12] = [
    "index",
    "try_files",
    "root",
    "alias",
    "error_page",
    "internal",
    "allow",
    "deny",
    "autoindex",
    "absolute_redirect",
    "port_in_redirect",
    "merge_slashes",
];

/// Directives that pass the request to a server; their locations get a final slash by redirect.
const ADDING_SLASH: [&str; 6] = [
    "proxy_pass",
    "fastcgi_pass",
    "uwsgi_pass",
    "scgi_pass",
    "grpc_pass",
    "memcached_pass",
];

/// Others that pass it to something other than a file.
const HANDING_ON: [&str; 7] = [
    "stub_status",
    "empty_gif",
    "perl",
    "dav_methods",
    "js_content",
    "auth_request",
    "random_index",
];

/// Whether this file reads a directive.
pub(super) fn is_setting(name: &str) -> bool {
    SETTINGS.contains(&name) || is_handing_on(name)
}

fn is_handing_on(name: &str) -> bool {
    ADDING_SLASH.contains(&name)
        || HANDING_ON.contains(&name)
        || name.ends_with("_by_lua")
        || name.ends_with("_by_lua_block")
        || name.ends_with("_by_lua_file")
}

/// The context of the settings.
#[derive(Clone, Copy)]
pub(super) struct SettingsContext<'a> {
    pub(super) content: &'a Content,
    /// The path of the site on the server's disk.
    pub(super) site: Option<&'a str>,
    /// The length of the location's path; `None` for a pattern.
    pub(super) length: Option<usize>,
}

/// The settings of a block, which inherits those of the enclosing one.
pub(super) fn read<'d>(
    directives: impl Iterator<Item = &'d Directive>,
    around: &SettingsContext<'_>,
    parser: &mut RuleParser,
) -> Content {
    let mut content = Content {
        try_files: Arc::default(),
        handed_on: None,
        adds_slash: false,
        ..around.content.clone()
    };
    let mut errors = BTreeMap::new();
    let mut allowed = None;
    let mut has_access = false;
    let mut seen = Vec::new();
    for directive in directives {
        let kind = match directive.name() {
            "alias" => "root",
            name => name,
        };
        if matches!(kind, "root" | "try_files") {
            if seen.contains(&kind) {
                let message = format!(
                    "{} is there twice: the server does not start",
                    directive.name()
                );
                parser.problem(directive.line, ProblemKind::Refused, message);
            }
            seen.push(kind);
        }
        let (name, arguments) = (directive.name(), directive.arguments());
        let line = directive.line;
        let is_off = matches!(arguments[..], ["off"]);
        match (name, &arguments[..]) {
            ("index", names) => content.index = names.iter().map(|&name| name.to_owned()).collect(),
            ("try_files", names) => {
                content.try_files = names.iter().map(|name| Template::new(name)).collect();
                content.line = line;
            }
            ("root", _) => content.root = Root::from_directive(around.site, directive),
            ("alias", _) => content.root = Root::from_alias(around.site, directive, around.length),
            ("error_page", [statuses @ .., to]) => {
                for (status, page) in error_pages(line, statuses.to_vec(), to, parser) {
                    // The first one wins.
                    errors.entry(status).or_insert(page);
                }
            }
            ("internal", _) => content.is_internal = true,
            ("allow", _) => {
                allowed = Some(line);
                has_access = true;
            }
            ("deny", [whom]) => {
                let was = if has_access {
                    content.access
                } else {
                    Access::All
                };
                content.access = match (allowed, *whom) {
                    (_, _) if was != Access::All => was,
                    (None, "all") => Access::None,
                    _ => Access::Some(line),
                };
                has_access = true;
            }
            ("autoindex", _) => content.lists = !is_off,
            ("absolute_redirect", _) if is_off => content.origin = Origin::Relative,
            ("port_in_redirect", _) if is_off && content.origin == Origin::Full => {
                content.origin = Origin::WithoutPort;
            }
            (name, _) if is_handing_on(name) => {
                content.handed_on = Some(line);
                content.adds_slash |= ADDING_SLASH.contains(&name);
                let message = format!("{name} passes the request on: what answers is not known");
                parser.problem(line, ProblemKind::NotRead, message);
            }
            _ => {}
        }
    }
    if allowed.is_some() && content.access == around.content.access {
        // Without a `deny`, everybody is allowed.
        content.access = Access::All;
    }
    if !errors.is_empty() {
        content.errors = Arc::new(errors);
    }
    content
}

/// `error_page 404 410 =301 /gone.html`: the page of each status.
fn error_pages(
    line: usize,
    mut statuses: Vec<&str>,
    to: &str,
    parser: &mut RuleParser,
) -> Vec<(u16, ErrorPage)> {
    let answers = match statuses.last() {
        Some(last) if last.starts_with('=') => {
            let status = last[1..].parse().unwrap_or(0);
            statuses.pop();
            Some(status)
        }
        _ => None,
    };
    let to_url = Arc::new(Template::new(to));
    let is_url = !matches!(to_url.pieces.first(),
        Some(Piece::Text(text)) if text.starts_with(['/', '@']));
    // A page that keeps an error status leads nowhere.
    let leads = is_url || to.starts_with('@') || answers.is_some_and(|status| status < 400);
    let status = match answers {
        Some(0) | None if is_url => 302,
        Some(0) | None => 200,
        Some(status) => status,
    };
    let rule = leads.then(|| {
        parser.rule(Rule {
            line,
            from: format!("error {}", statuses.join(" ")),
            to: Some(to.to_owned()),
            status,
            status_is_default: answers.is_none(),
            is_exact: false,
            samples: Vec::new(),
        })
    });
    let pages = statuses.iter().filter_map(|status| status.parse().ok());
    let page = ErrorPage {
        line,
        rule,
        answers,
        to: to_url,
    };
    pages.map(|status| (status, page.clone())).collect()
}
