//! The targets of links in a ZIM file, as its readers answer: by the path alone, decoded once and
//! compared byte for byte.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use crate::context::audit_context::{AuditContext, Book};
use crate::model::class::LinkClass;
use crate::model::target::{Remark, Resolved};
use crate::rules::target::escapes_tree::EscapesTree;
use crate::rules::target::missing_file::MissingFile;
use baseref_container::{EntryTarget, Rewriting};
use baseref_findings::{Level, Violation};
use baseref_resolve::parts;
use baseref_site::map::Location;

/// The namespaces that links of old books name as folders. Readers may still find what is there.
const OLD_NAMESPACES: [&str; 3] = ["A/", "I/", "-/"];

/// The target of a URL; `None` if it is on another host.
pub(super) fn resolved(ctx: &AuditContext, book: &Book, url: &str) -> Option<Resolved> {
    let (class, entry, how) = match ctx.map.locate(url) {
        Location::Inside { path, .. } => match book.find(&decoded(&path)) {
            Some(EntryTarget::Entry(number)) => (LinkClass::Ok, Some(number), "exact"),
            Some(EntryTarget::Redirected(number)) => (LinkClass::Ok, Some(number), "redirect"),
            Some(EntryTarget::Circle | EntryTarget::Nowhere) | None => {
                (LinkClass::Missing, None, "")
            }
        },
        Location::Outside { .. } => (LinkClass::Outside, None, ""),
        Location::External => return None,
    };
    let is_rewritten = match book.rewriting() {
        Rewriting::None => false,
        Rewriting::Outside => class == LinkClass::Outside,
        Rewriting::All => class != LinkClass::Ok,
    };
    let class = if is_rewritten {
        LinkClass::NotJudged
    } else {
        class
    };
    Some(Resolved {
        entry,
        how,
        ..Resolved::nothing(
            class,
            !matches!(class, LinkClass::Ok | LinkClass::NotJudged),
        )
    })
}

/// The remarks on the target of a URL; `None` if it is on another host.
pub(super) fn remarks(ctx: &AuditContext, book: &Book, url: &str) -> Option<Vec<Remark>> {
    let class = resolved(ctx, book, url)?.class;
    let address: Arc<str> = ctx.map.shown(parts::without_query(url)).into();
    let remark = |violation: Violation| Remark {
        folder: None,
        violation,
        target: Arc::clone(&address),
        file: None,
        related: Arc::default(),
        suggestions: Arc::default(),
    };
    Some(match (class, ctx.map.locate(url)) {
        (LinkClass::Missing, Location::Inside { path, .. }) => {
            let message = match book.find(&decoded(&path)) {
                Some(EntryTarget::Circle) => MissingFile::EntryCircle,
                Some(EntryTarget::Nowhere) => MissingFile::EntryNowhere,
                _ => MissingFile::NoSuchEntry,
            };
            let mut remark = remark(message.into());
            let of_new_scheme = suggestion(book, &path);
            let site = ctx.map.sites().first().map_or("", |site| site.prefix());
            let suggested = of_new_scheme.map(|path| ctx.shown(&format!("{site}{path}")));
            remark.suggestions = suggested.into_iter().collect();
            vec![remark]
        }
        (LinkClass::Outside, _) => {
            let mut remark = remark(EscapesTree::Book.into());
            remark.violation.level = Level::Error;
            vec![remark]
        }
        _ => Vec::new(),
    })
}

/// The path without the folder that named a namespace before, if there is an entry of that path.
fn suggestion<'p>(book: &Book, path: &'p str) -> Option<&'p str> {
    let mut below = OLD_NAMESPACES
        .iter()
        .filter_map(|namespace| path.strip_prefix(namespace));
    below.find(|path| book.find(&decoded(path)).is_some())
}

fn decoded(path: &str) -> Cow<'_, [u8]> {
    percent_decode_str(path).into()
}
