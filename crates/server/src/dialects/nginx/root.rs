//! `root` and `alias`: where locations find their files, as far as these are in the site.

use std::sync::Arc;

use super::syntax::Directive;
use super::template::Template;

/// A placeholder for the unknown path of the document root on the server's disk.
pub(super) const DOCUMENT_ROOT: &str = "/\u{1}";
/// A placeholder for a path on the disk outside the site.
pub(super) const OUTSIDE: &str = "/\u{2}";

/// Where a location finds its files.
#[derive(Clone, Debug, Default)]
pub(super) enum Root {
    /// At the root of the site.
    #[default]
    Site,
    /// In a folder of the site, given by its path with the leading slash.
    Below(Arc<str>),
    /// At the path of an `alias`.
    Alias(Arc<Alias>),
    /// Outside the site, according to this line.
    Elsewhere(usize),
}

/// The replacement for the beginning of an address.
#[derive(Debug)]
pub(super) struct Alias {
    /// 1-based.
    pub(super) line: usize,
    /// A path below the root of the site.
    pub(super) to: Template,
    /// The length of the replaced beginning; `None` for the whole address.
    pub(super) length: Option<usize>,
}

impl Root {
    /// The root set by a `root` directive. `site` is the path of the site on the server's disk.
    pub(super) fn from_directive(site: Option<&str>, directive: &Directive) -> Self {
        match below(site, directive) {
            Some("") => Self::Site,
            Some(path) if !path.contains('$') => Self::Below(path.into()),
            _ => Self::Elsewhere(directive.line),
        }
    }

    /// The root set by an `alias` directive in a location with a path of this length, or with a
    /// pattern.
    pub(super) fn from_alias(
        site: Option<&str>,
        directive: &Directive,
        length: Option<usize>,
    ) -> Self {
        match below(site, directive) {
            Some(path) => Self::Alias(Arc::new(Alias {
                line: directive.line,
                to: Template::new(path),
                length,
            })),
            None => Self::Elsewhere(directive.line),
        }
    }
}

/// The rest of a directive's path after the path of the site.
fn below<'d>(site: Option<&str>, directive: &'d Directive) -> Option<&'d str> {
    let path = directive.words.get(1)?.text.as_str();
    let rest = path.strip_prefix(site?)?;
    let is_alias = directive.name() == "alias";
    let rest = if is_alias {
        rest
    } else {
        rest.strip_suffix('/').unwrap_or(rest)
    };
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// The path on the server's disk that counts as the root of the site: the `root` of the server, of the
/// enclosing block, of `location /`, or else the first one.
pub(super) fn site_path(directives: &[&Directive], outer: Option<&str>) -> Option<String> {
    let root = |directive: &Directive| {
        let path = directive.words.get(1).map(|word| word.text.as_str());
        let path = path.filter(|_| directive.name() == "root")?;
        Some(path.strip_suffix('/').unwrap_or(path).to_owned())
    };
    if let Some(own) = directives.iter().find_map(|directive| root(directive)) {
        return Some(own);
    }
    if let Some(outer) = outer {
        return Some(outer.to_owned());
    }
    let locations = || {
        let is_location = |directive: &&&Directive| directive.name() == "location";
        directives.iter().filter(is_location)
    };
    let inner = |directive: &Directive| {
        let block = directive.block.as_deref().unwrap_or_default();
        block.iter().find_map(root)
    };
    let is_whole = |directive: &&&Directive| matches!(directive.arguments()[..], ["/"]);
    let whole = locations().find(is_whole).and_then(|one| inner(one));
    whole.or_else(|| locations().find_map(|one| inner(one)))
}
