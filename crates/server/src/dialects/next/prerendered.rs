//! `prerender-manifest.json`: which pages with parameters a build has rendered, and whether there are
//! others.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::include_search::Includes;
use crate::included::{Included, Wanted};
use crate::request;
use crate::rule::RuleParser;

/// The name of the manifest, which is beside that of the routes.
const NAME: &str = "prerender-manifest.json";

/// Where the manifest is.
pub(crate) const INCLUDES: Includes = Includes {
    wanted,
    folders: &[""],
    enters_folders: false,
};

fn wanted(_: &str, _: &Included) -> Vec<Wanted> {
    vec![Wanted::Files(NAME.to_owned())]
}

/// What the manifest says. Without one, nothing is known.
#[derive(Debug, Default)]
pub(super) struct Prerendered {
    /// The paths of rendered pages, and of those that were not found when the site was built.
    paths: BTreeSet<String>,
    /// The pages with parameters that have no other paths (`fallback: false`).
    closed: BTreeSet<String>,
}

impl Prerendered {
    /// Reads the manifest beside the file that is being parsed.
    pub(super) fn read(parser: &RuleParser) -> Self {
        let files = parser.included.named(NAME);
        let file = files.and_then(|files| files.first().copied());
        let manifest = file.and_then(|file| serde_json::from_str::<Value>(&file.text).ok());
        let manifest = manifest.unwrap_or_default();
        let members = |name: &str| manifest.get(name).and_then(Value::as_object);
        let paths = members("routes").into_iter().flat_map(Map::keys).cloned();
        let not_found = manifest.get("notFoundRoutes").and_then(Value::as_array);
        let not_found = not_found.into_iter().flatten().filter_map(Value::as_str);
        let pages = members("dynamicRoutes").into_iter().flatten();
        let closed = pages.filter(|(_, page)| page.get("fallback") == Some(&Value::Bool(false)));
        Self {
            paths: paths.chain(not_found.map(str::to_owned)).collect(),
            closed: closed.map(|(page, _)| page.clone()).collect(),
        }
    }

    /// Whether a page with parameters has a path, as sent; `None` if that is not known. The server
    /// fails on the escaped name of the page itself.
    pub(super) fn has(&self, page: &str, path: &str) -> Option<bool> {
        if !self.closed.contains(page) {
            return None;
        }
        let decoded = percent_decode_str(path).decode_utf8().ok()?;
        if decoded == page && path != page {
            return None;
        }
        Some(!request::has_escape(path, "2F") && self.paths.contains(&*decoded))
    }
}
