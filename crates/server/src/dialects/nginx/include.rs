//! `include`: the directives of other files.

use super::syntax::{self, Directive};
use crate::rule::RuleParser;

/// The maximum length in bytes of all that is included.
const MAX_INCLUDED: usize = 16 << 20;
/// The maximum depth of files that include each other.
const MAX_DEPTH: usize = 8;

/// Files that come with the server or its tools and do not affect addresses.
const HARMLESS: [&str; 7] = [
    "mime.types",
    "fastcgi_params",
    "fastcgi.conf",
    "uwsgi_params",
    "scgi_params",
    "proxy_params",
    "options-ssl-nginx.conf",
];

/// Whether what an `include` has does not affect addresses.
pub(super) fn is_harmless(directive: &Directive) -> bool {
    let arguments = directive.arguments();
    let file = arguments.first().copied().unwrap_or_default();
    let name = file.rsplit('/').next().unwrap_or(file);
    HARMLESS.contains(&name) || file.contains("modules-enabled/")
}

/// The files that a configuration includes.
pub(crate) fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (directives, _) = syntax::parse(text);
    let mut queue: Vec<&Directive> = directives.iter().collect();
    while let Some(directive) = queue.pop() {
        if directive.name() == "include" && !is_harmless(directive) {
            names.extend(directive.arguments().into_iter().map(str::to_owned));
        }
        queue.extend(directive.block.iter().flatten());
    }
    names
}

/// Puts the directives of included files in the place of `include`, as far as these files are known.
/// They get the line of the `include`.
pub(super) fn expand(directives: &mut Vec<Directive>, parser: &RuleParser) {
    if !parser.included.is_empty() {
        expand_to(directives, 0, &mut 0, parser);
    }
}

fn expand_to(
    directives: &mut Vec<Directive>,
    depth: usize,
    length: &mut usize,
    parser: &RuleParser,
) {
    for mut directive in std::mem::take(directives) {
        if let Some(block) = &mut directive.block {
            expand_to(block, depth, length, parser);
        }
        let name = match directive.arguments()[..] {
            [name] if directive.name() == "include" => name,
            _ => "",
        };
        let text = parser.included.get(name);
        let text = text.filter(|text| {
            *length += text.len();
            *length <= MAX_INCLUDED && depth < MAX_DEPTH
        });
        let parsed = text.map(|text| syntax::parse(text));
        let Some((mut inner, None)) = parsed else {
            directives.push(directive);
            continue;
        };
        expand_to(&mut inner, depth + 1, length, parser);
        set_line(&mut inner, directive.line);
        directives.append(&mut inner);
    }
}

fn set_line(directives: &mut [Directive], line: usize) {
    for directive in directives {
        directive.line = line;
        if let Some(repetitions) = &mut directive.repetitions {
            repetitions.line = line;
        }
        set_line(directive.block.as_deref_mut().unwrap_or_default(), line);
    }
}
