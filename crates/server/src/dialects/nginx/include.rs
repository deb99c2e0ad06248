//! `include`: the directives of other files.

use super::syntax::{self, Directive};
use crate::include_search::Includes;
use crate::included::{Included, MAX_DEPTH, MAX_INCLUDED, Wanted, has_wildcard};

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

/// Where the files are that a configuration includes.
pub(crate) const INCLUDES: Includes = Includes {
    wanted,
    folders: &[""],
    enters_folders: false,
};

/// The files that are still to be included.
fn wanted(text: &str, included: &Included) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let (mut directives, _) = syntax::parse(text);
    expand(&mut directives, included);
    let mut queue: Vec<&Directive> = directives.iter().collect();
    while let Some(directive) = queue.pop() {
        if let Some(name) = name_of(directive).filter(|_| !is_harmless(directive)) {
            wanted.push(Wanted::Files(name.to_owned()));
        }
        queue.extend(directive.block.iter().flatten());
    }
    wanted
}

/// The name in an `include`, if it is relative and stays below the folder of the configuration.
fn name_of(directive: &Directive) -> Option<&str> {
    let name = match directive.arguments()[..] {
        [name] if directive.name() == "include" => name,
        _ => return None,
    };
    let is_below = !name.starts_with('/') && name.split('/').all(|part| part != "..");
    is_below.then_some(name)
}

/// Puts the directives of included files in the place of `include`, as far as these files are known.
pub(super) fn expand(directives: &mut Vec<Directive>, included: &Included) {
    expand_to(directives, 0, &mut 0, included);
}

fn expand_to(
    directives: &mut Vec<Directive>,
    depth: usize,
    length: &mut usize,
    included: &Included,
) {
    for mut directive in std::mem::take(directives) {
        if let Some(block) = &mut directive.block {
            expand_to(block, depth, length, included);
        }
        let name = name_of(&directive);
        match name.and_then(|name| parsed(name, depth, length, included)) {
            Some(mut inner) => {
                expand_to(&mut inner, depth + 1, length, included);
                directives.append(&mut inner);
            }
            None if name.is_some_and(|name| adds_nothing(name, included)) => {}
            None => directives.push(directive),
        }
    }
}

/// The directives of the files with a name; `None` if they are not known, or one of them has an error.
fn parsed(
    name: &str,
    depth: usize,
    length: &mut usize,
    included: &Included,
) -> Option<Vec<Directive>> {
    let mut all = Vec::new();
    for file in included.named(name)? {
        *length += file.text.len();
        if *length > MAX_INCLUDED || depth >= MAX_DEPTH {
            return None;
        }
        let (mut inner, error) = syntax::parse(&file.text);
        if error.is_some() {
            return None;
        }
        move_lines(&mut inner, file.first_line - 1);
        all.append(&mut inner);
    }
    Some(all)
}

/// Whether no file has a name with wildcards, so that it stands for nothing.
fn adds_nothing(name: &str, included: &Included) -> bool {
    has_wildcard(name) && included.has_none(name, true)
}

fn move_lines(directives: &mut [Directive], lines: usize) {
    for directive in directives {
        directive.line += lines;
        if let Some(repetitions) = &mut directive.repetitions {
            repetitions.line += lines;
        }
        move_lines(directive.block.as_deref_mut().unwrap_or_default(), lines);
    }
}
