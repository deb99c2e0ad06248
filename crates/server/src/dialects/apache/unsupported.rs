//! Unsupported directives, and the addresses that they may affect.

use super::lines::Line;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};
use crate::request::merged_slashes;
use crate::rule::{Answer, RuleParser};

/// Unsupported directives, with the addresses that they may affect.
#[derive(Debug, Default)]
pub(super) struct UnsupportedDirectives {
    scopes: Vec<(usize, Scope)>,
    /// Directives for paths, whether or not a file exists there.
    index: PrefixIndex,
}

#[derive(Debug)]
enum Scope {
    /// This path and all paths below it.
    Below(Vec<u8>),
    /// Paths that match the pattern.
    Matching(Pattern),
    /// Every path.
    All,
}

impl UnsupportedDirectives {
    /// Adds a directive in an unsupported section, given the section's name and condition.
    pub(super) fn add_inside(
        &mut self,
        line: &Line,
        section: &str,
        condition: &str,
        parser: &mut RuleParser,
    ) {
        let scope = source_of(line, parser);
        let scope = scope.unwrap_or_else(|| Self::scope_of_section(section, condition, parser));
        self.push(line.number, scope);
    }

    /// Adds a line that may affect every path.
    pub(super) fn add_for_all(&mut self, line: usize) {
        self.push(line, Scope::All);
    }

    fn push(&mut self, line: usize, scope: Scope) {
        let number = self.scopes.len();
        match &scope {
            Scope::Below(path) => self.index.add(path, number),
            Scope::Matching(pattern) => self.index.add_pattern(pattern, number),
            Scope::All => self.index.add(&[], number),
        }
        self.scopes.push((line, scope));
    }

    fn scope_of_section(section: &str, condition: &str, parser: &mut RuleParser) -> Scope {
        let words: Vec<&str> = condition.split_ascii_whitespace().collect();
        let unquoted = |word: &str| word.trim_matches('"').to_owned();
        match (section, &words[..]) {
            ("location", ["~", pattern]) | ("locationmatch", [pattern]) => {
                matching(&unquoted(pattern), parser)
            }
            ("location", [path]) => Scope::Below(unquoted(path).into_bytes()),
            _ => Scope::All,
        }
    }

    /// Adds a directive, by its name in lower case.
    pub(super) fn add(&mut self, line: &Line, name: &str, parser: &mut RuleParser) {
        let words = line.words();
        let first = words.first().map_or("", String::as_str);
        let scope = match name {
            "scriptaliasmatch" | "proxypassmatch" => matching(first, parser),
            "scriptalias" | "proxypass" | "jkmount" => Scope::Below(first.as_bytes().to_vec()),
            "userdir" => matching("^/~", parser),
            "include" | "includeoptional" | "use" | "virtualdocumentroot" => Scope::All,
            _ => return,
        };
        self.push(line.number, scope);
    }

    /// The answer for a path before any rule is applied, if a directive makes it unknown.
    pub(super) fn before(&self, uri: &[u8], work: &Work) -> Option<Answer> {
        let (first, _) = self.scopes.first()?;
        let uri = &*merged_slashes(uri);
        let Ok(candidates) = self.index.candidates(uri, work) else {
            return Some(Answer::Unknown { line: *first });
        };
        let mut scopes = candidates.into_iter().filter_map(|at| self.scopes.get(at));
        let concerns = |scope: &Scope| -> Result<bool, NoAnswer> {
            work.take(1)?;
            Ok(match scope {
                Scope::All => true,
                Scope::Below(path) => is_below(uri, path),
                Scope::Matching(pattern) => pattern.find(uri, work)?.is_some(),
            })
        };
        let (line, _) = scopes.find(|(_, scope)| concerns(scope).unwrap_or(true))?;
        Some(Answer::Unknown { line: *line })
    }
}

/// The paths named by a redirect directive itself.
fn source_of(line: &Line, parser: &mut RuleParser) -> Option<Scope> {
    let name = line.name.to_ascii_lowercase();
    let words = line.words();
    // A single word after a status is the target; the source is that of the section.
    let source = match &words[..] {
        [source, _] if !is_status(source) => source,
        [_, source, _] => source,
        _ => return None,
    };
    match name.as_str() {
        "redirectmatch" => Some(matching(source, parser)),
        "redirect" | "redirectpermanent" | "redirecttemp" => source
            .starts_with('/')
            .then(|| Scope::Below(source.as_bytes().to_vec())),
        _ => None,
    }
}

fn is_status(word: &str) -> bool {
    let is_word = |known: &&str| word.eq_ignore_ascii_case(known);
    let words = ["permanent", "temp", "seeother", "gone"];
    word.bytes().all(|b| b.is_ascii_digit()) || words.iter().any(is_word)
}

/// A malformed pattern affects every path.
fn matching(pattern: &str, parser: &mut RuleParser) -> Scope {
    parser
        .pattern(pattern, false)
        .map_or(Scope::All, Scope::Matching)
}

fn is_below(uri: &[u8], path: &[u8]) -> bool {
    let Some(rest) = uri.strip_prefix(path) else {
        return false;
    };
    path.ends_with(b"/") || rest.is_empty() || rest.starts_with(b"/")
}
