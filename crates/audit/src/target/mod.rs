//! Looks up the targets of URLs.

mod book;
pub(crate) mod host;
pub(crate) mod suggest;

use std::sync::Arc;

use encoding_rs::Encoding;

use crate::context::audit_context::AuditContext;
use crate::model::class::LinkClass;
use crate::model::look_alike::CodePoints;
use crate::model::shown::{LONGEST_SHOWN, LONGEST_SUGGESTED, shown_path};
use crate::model::site_file::SiteFile;
use crate::model::target::{Remark, Resolved};
use crate::rules::target::case_mismatch::CaseMismatch;
use crate::rules::target::charset_mismatch::CharsetMismatch;
use crate::rules::target::dir_no_index::{self, DirNoIndex};
use crate::rules::target::dir_no_slash::DirNoSlash;
use crate::rules::target::escapes_tree::{self, EscapesTree};
use crate::rules::target::ext_fallback::ExtFallback;
use crate::rules::target::link_outside::LinkOutside;
use crate::rules::target::missing_file::{self, MissingFile};
use crate::rules::target::redirected::Redirected;
use crate::rules::target::rules_undecided::RulesUndecided;
use crate::rules::target::unicode_mismatch::UnicodeMismatch;
use crate::rules::target::unmappable::Unmappable;
use crate::target::suggest::{Intent, intent};
use baseref_findings::words::cut_after;
use baseref_findings::{Level, Violation};
use baseref_resolve::parts::{self, without_fragment};
use baseref_server::rule_set::{RedirectAnswer, RedirectEnd};
use baseref_site::Spelling;
use baseref_site::hosting::Hosting;
use baseref_site::lookup::{Hit, Lookup, Missing, Route, lookup};
use baseref_site::map::{Location, SiteMap};

/// The maximum number of suggestions for a missing file.
const MOST_SUGGESTIONS: usize = 3;

/// The target of `url`.
pub(crate) fn resolved(
    map: &SiteMap,
    hosting: &Hosting,
    url: &str,
    encoding: &'static Encoding,
) -> Resolved {
    match map.locate(url) {
        Location::Inside { site, path } => {
            let found = lookup(&map.sites()[site].tree, hosting, &path, encoding);
            match found {
                Lookup::File(hit) => Resolved {
                    class: if hosting.opens(hit.spelling) {
                        LinkClass::Ok
                    } else {
                        LinkClass::Missing
                    },
                    file: Some(SiteFile::new(site, hit.file)),
                    entry: None,
                    how: how(hit),
                    notable: hit.spelling != Spelling::Exact
                        || matches!(hit.route, Route::FolderRedirect | Route::Extension),
                },
                Lookup::NoIndex { .. } | Lookup::Missing(_) => {
                    Resolved::nothing(LinkClass::Missing, true)
                }
                Lookup::Unmappable(_) => Resolved::nothing(LinkClass::Unmappable, true),
                // The folder has a finding of its own.
                Lookup::NotKnown => Resolved::nothing(LinkClass::Unread, false),
            }
        }
        Location::Outside { .. } => Resolved::nothing(LinkClass::Outside, true),
        Location::External => external(url),
    }
}

/// The target of `url` by the files of the sites and by their redirect rules.
pub(crate) fn look_up(ctx: &AuditContext, url: &str, encoding: &'static Encoding) -> Resolved {
    let own = without_rules(ctx, url, encoding);
    redirected(ctx, &ctx.redirect(url), own, encoding)
}

/// The target of `url` by the files of the sites alone.
pub(crate) fn without_rules(
    ctx: &AuditContext,
    url: &str,
    encoding: &'static Encoding,
) -> Resolved {
    let of_book = ctx.book.as_ref().map(|book| book::resolved(ctx, book, url));
    match of_book {
        Some(Some(resolved)) => resolved,
        Some(None) => external(url),
        None => resolved(&ctx.map, &ctx.hosting, url, encoding),
    }
}

/// The target of a URL, given the answer of redirect rules and the target without them.
fn redirected(
    ctx: &AuditContext,
    answer: &RedirectAnswer,
    own: Resolved,
    encoding: &'static Encoding,
) -> Resolved {
    let notable = |resolved| Resolved {
        notable: true,
        ..resolved
    };
    match answer {
        RedirectAnswer::Nothing | RedirectAnswer::NotKnown(_) => own,
        RedirectAnswer::Redirect { to, end, .. } => {
            let there = resolved(&ctx.map, &ctx.hosting, to, encoding);
            match end {
                RedirectEnd::File => Resolved {
                    class: LinkClass::Ok,
                    how: "rule",
                    ..notable(there)
                },
                RedirectEnd::Nothing => Resolved::nothing(LinkClass::Missing, true),
                RedirectEnd::Elsewhere => notable(there),
                RedirectEnd::NotKnown => notable(own),
            }
        }
        RedirectAnswer::Served(_) if own.class == LinkClass::Ok => own,
        RedirectAnswer::Served(url) => {
            let there = resolved(&ctx.map, &ctx.hosting, url, encoding);
            Resolved {
                class: LinkClass::Ok,
                how: "rule",
                notable: false,
                ..there
            }
        }
        RedirectAnswer::Refused(_) | RedirectAnswer::Loop(_) => {
            Resolved::nothing(LinkClass::Missing, true)
        }
    }
}

fn external(url: &str) -> Resolved {
    let is_file = parts::has_scheme(url, "file");
    let is_web = parts::is_special(url) && !is_file;
    let class = if is_web && !parts::has_host(url) {
        LinkClass::Malformed
    } else if is_web || is_file {
        LinkClass::External
    } else {
        LinkClass::Opaque
    };
    let is_notable = is_file || is_web && (parts::has_userinfo(url) || host::is_private(url));
    Resolved::nothing(class, is_notable)
}

/// How a URL led to its file: by another spelling, or by a feature of the server.
fn how(hit: Hit) -> &'static str {
    match (hit.spelling, hit.route) {
        (Spelling::Exact, Route::File) => "exact",
        (Spelling::Exact, Route::Index) => "index",
        (Spelling::Exact, Route::FolderRedirect) => "redirect",
        (Spelling::Exact, Route::FolderServe) => "serve",
        (Spelling::Exact, Route::Extension) => "extension",
        (spelling, _) => spelling.as_str(),
    }
}

/// The remarks on the target of a URL, by the files of the sites and by their redirect rules.
pub(crate) fn all_remarks(
    ctx: &AuditContext,
    url: &str,
    encoding: &'static Encoding,
    suggests: bool,
) -> Vec<Remark> {
    if let Some(book) = &ctx.book {
        return book::remarks(ctx, book, url).unwrap_or_default();
    }
    let mut own = remarks(&ctx.map, &ctx.hosting, url, encoding, suggests);
    if suggests {
        suggest_moved(ctx, url, &mut own);
    }
    let mut remarks = remarks_redirected(ctx, url, ctx.redirect(url), own);
    for remark in &mut remarks {
        if let Some(file) = remark.file {
            remark.related = ctx.related(file, "The file that is there.");
        }
    }
    remarks
}

/// Suggests first where the bytes of a missing file are now.
fn suggest_moved(ctx: &AuditContext, url: &str, remarks: &mut [Remark]) {
    let missing = remarks.iter_mut();
    let missing = missing.filter(|remark| remark.violation.rule == &missing_file::RULE);
    for remark in missing {
        let Some(earlier) = &ctx.earlier else {
            return;
        };
        let Location::Inside { site, path } = ctx.map.locate(url) else {
            return;
        };
        if let Some(moved) = earlier.moved(ctx.serving(), &ctx.files, site, &path) {
            let others = remark.suggestions.iter().filter(|other| **other != moved);
            let others = others.take(MOST_SUGGESTIONS - 1).cloned();
            remark.suggestions = std::iter::once(moved.clone()).chain(others).collect();
        }
    }
}

/// Creates the remarks without accessing the file system again. Suggestions are made only on
/// request.
fn remarks(
    map: &SiteMap,
    hosting: &Hosting,
    url: &str,
    encoding: &'static Encoding,
    suggests: bool,
) -> Vec<Remark> {
    let bare = parts::without_query(url);
    let address: Arc<str> = map.shown(bare).into();
    let remark = |violation: Violation| Remark {
        violation,
        target: address.clone(),
        folder: None,
        file: None,
        related: Arc::default(),
        suggestions: Arc::default(),
    };
    match map.locate(url) {
        Location::External => Vec::new(),
        Location::Outside { site } => {
            let prefix = map.shown(map.sites()[site].prefix());
            vec![remark(EscapesTree::OutsidePrefix { prefix }.into())]
        }
        Location::Inside { site, path } => {
            let tree = &map.sites()[site].tree;
            let below: Arc<str> = shown_path(&path).into();
            let about = |violation| Remark {
                target: below.clone(),
                ..remark(violation)
            };
            match lookup(tree, hosting, &path, encoding) {
                Lookup::File(hit) => hit_remark(map, hosting, &below, site, hit, about),
                Lookup::NotKnown => Vec::new(),
                Lookup::NoIndex { .. } => {
                    let names = &*hosting.index.join(", ");
                    let message = match names {
                        "" => DirNoIndex::NoIndexFiles,
                        names => DirNoIndex::Missing { names },
                    };
                    vec![about(message.into())]
                }
                Lookup::Missing(missing) => {
                    let message = if missing.is_dangling {
                        MissingFile::Dangling
                    } else {
                        MissingFile::NoSuchFile
                    };
                    let mut remark = about(message.into());
                    remark.folder = missing_folder(&path, missing).map(Into::into);
                    if suggests {
                        let query = without_fragment(url).get(bare.len()..);
                        let intent = intent(&path, missing.name, query.unwrap_or_default());
                        if intent == Some(Intent::Placeholder) {
                            remark.violation = MissingFile::Placeholder.into();
                            remark.folder = None;
                        }
                        let suggestions = match intent {
                            Some(Intent::Url(url)) => vec![url],
                            _ => suggestions(map, site, &path, missing),
                        };
                        remark.suggestions = suggestions.into();
                    }
                    vec![remark]
                }
                Lookup::Unmappable(baseref_site::lookup::Unmappable::Name) => {
                    vec![about(Unmappable.into())]
                }
                Lookup::Unmappable(baseref_site::lookup::Unmappable::LinkOutside) => {
                    vec![about(LinkOutside.into())]
                }
            }
        }
    }
}

/// The remarks, given the answer of redirect rules.
fn remarks_redirected(
    ctx: &AuditContext,
    url: &str,
    answer: RedirectAnswer,
    own: Vec<Remark>,
) -> Vec<Remark> {
    let bare = parts::without_query(url);
    let below = ctx.path_below(bare);
    let target: Arc<str> = below.unwrap_or_else(|| ctx.shown(bare)).into();
    let remark = |violation: Violation| {
        vec![Remark {
            violation,
            target: Arc::clone(&target),
            folder: None,
            file: None,
            related: Arc::default(),
            suggestions: Arc::default(),
        }]
    };
    let has_file = !own.iter().any(|remark| {
        let none = [
            &missing_file::RULE,
            &escapes_tree::RULE,
            &dir_no_index::RULE,
        ];
        none.contains(&remark.violation.rule)
    });
    match answer {
        RedirectAnswer::Nothing => own,
        RedirectAnswer::Redirect {
            to: url,
            status,
            by,
            end,
        } => {
            let url = ctx.map.shown(&url);
            let (to, by) = (&*cut_after(LONGEST_SHOWN, url), &*by);
            match end {
                RedirectEnd::File | RedirectEnd::Elsewhere => {
                    let mut remarks = remark(Redirected { by, to, status }.into());
                    if url.len() <= LONGEST_SUGGESTED {
                        remarks[0].suggestions = [url.to_owned()].into();
                    }
                    remarks
                }
                RedirectEnd::Nothing => {
                    remark(MissingFile::RedirectedNowhere { by, to, status }.into())
                }
                RedirectEnd::NotKnown => remark(RulesUndecided::Redirect { by, to, status }.into()),
            }
        }
        // If the file exists, most visitors get it.
        RedirectAnswer::Served(_) | RedirectAnswer::NotKnown(_) if has_file => own,
        RedirectAnswer::Served(_) => Vec::new(),
        RedirectAnswer::Refused(404) if !has_file => own,
        RedirectAnswer::Refused(status) => remark(MissingFile::Refused { status }.into()),
        RedirectAnswer::Loop(by) => remark(MissingFile::Loop { by: &by }.into()),
        RedirectAnswer::NotKnown(by) => remark(RulesUndecided::NoSuchFile { by: &by }.into()),
    }
}

fn hit_remark(
    map: &SiteMap,
    hosting: &Hosting,
    path: &str,
    site: usize,
    hit: Hit,
    about: impl Fn(Violation) -> Remark,
) -> Vec<Remark> {
    let file = map.sites()[site].tree.file_path(hit.file);
    let file = &*file.to_string_lossy();
    let about = |violation| Remark {
        file: Some(SiteFile::new(site, hit.file)),
        ..about(violation)
    };
    let mut remarks = Vec::new();
    match hit.spelling {
        Spelling::Exact => {}
        spelling => {
            let CodePoints { ours, theirs } = difference(path, file, hit.route);
            let (ours, theirs) = (&*ours, &*theirs);
            let violation = match spelling {
                Spelling::Unicode => UnicodeMismatch { file, ours, theirs }.into(),
                Spelling::Charset => CharsetMismatch { file }.into(),
                _ => CaseMismatch { file }.into(),
            };
            let mut remark = about(violation);
            if hosting.opens(spelling) {
                let is_told_apart = spelling == Spelling::Unicode && hosting.backslash_separates;
                remark.violation.level = if is_told_apart {
                    Level::Warning
                } else {
                    Level::Note
                };
            }
            remark.suggestions = [map.shown(&map.url_of(site, hit.file, &[])).to_owned()].into();
            remarks.push(remark);
        }
    }
    match hit.route {
        Route::File | Route::Index | Route::FolderServe => {}
        Route::FolderRedirect => remarks.push(about(DirNoSlash.into())),
        Route::Extension => remarks.push(about(ExtFallback { file }.into())),
    }
    remarks
}

/// The code points in which the first differing name of a URL path differs from the path of its file.
fn difference(path: &str, file: &str, route: Route) -> CodePoints {
    let ours = path.split('/').filter(|name| !name.is_empty());
    let theirs = file.split(std::path::is_separator);
    let (ours, theirs) = ours.zip(theirs).find(|(a, b)| a != b).unwrap_or_default();
    let stem = theirs
        .rsplit_once('.')
        .filter(|_| route == Route::Extension);
    CodePoints::between(ours, stem.map_or(theirs, |(stem, _)| stem))
}

/// The outermost missing folder above what is missing at a URL path, as shown in reports, with its
/// final slash.
fn missing_folder(path: &str, missing: Missing) -> Option<String> {
    let mut names = path.split('/').filter(|name| !name.is_empty());
    let first = names.nth(missing.name)?;
    let end = first.as_ptr() as usize - path.as_ptr() as usize + first.len();
    Some(shown_path(path.get(..=end)?))
}

fn suggestions(map: &SiteMap, site: usize, path: &str, missing: Missing) -> Vec<String> {
    let tree = &map.sites()[site].tree;
    let files = baseref_site::suggest::suggestions(tree, path, missing);
    let shown = |file| map.shown(&map.url_of(site, file, &[])).to_owned();
    files.into_iter().map(shown).collect()
}
