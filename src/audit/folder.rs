//! What the links of a folder lead to, by their words.
//!
//! The pages of a folder lead to the same places in the same words. Where a relative reference
//! leads, its fragment aside, follows from the folder of its base alone; and where nothing was to
//! be said of it on one page, nothing is to be said of it on the next. So most links are neither
//! resolved nor looked up.

use std::collections::HashMap;

use encoding_rs::Encoding;
use foldhash::fast::RandomState;

use super::class::LinkClass;
use super::page::Page;
use super::syntax;
use super::target::FileOf;
use crate::document::{Context, Reference};
use crate::site::hosting::Folder as Serving;

/// What a reference leads to of which there is nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) class: LinkClass,
    pub(super) file: Option<FileOf>,
}

/// The references of one folder, and what they lead to.
#[derive(Debug, Default)]
pub(super) struct Folder {
    scope: Option<Scope>,
    /// What a fragment alone leads to: the page that was entered, if that is known.
    own: Option<Goal>,
    goals: HashMap<Box<str>, Goal, RandomState>,
}

/// What a reference is read by.
#[derive(Debug, PartialEq, Eq)]
struct Scope {
    /// The base up to the last slash of its path.
    base: String,
    encoding: &'static Encoding,
    /// The page is known to come over `https`: then it matters what else does not.
    is_secure: bool,
}

impl Folder {
    /// So many references are remembered; then it begins anew.
    const MOST: usize = 1 << 16;
    /// A longer one is not remembered.
    const LONGEST: usize = 256;

    /// Makes room for the references of a page. Whether it is one of which they can be known.
    pub(super) fn enter(&mut self, page: &Page<'_>) -> bool {
        let Some(base) = folder_of(page) else {
            return false;
        };
        self.own = None;
        let is_secure = page.is_secure();
        let is_same = self.scope.as_ref().is_some_and(|scope| {
            scope.base == base && scope.encoding == page.encoding && scope.is_secure == is_secure
        });
        if !is_same {
            self.goals.clear();
            self.scope = Some(Scope {
                base: base.to_owned(),
                encoding: page.encoding,
                is_secure,
            });
        }
        true
    }

    /// What a reference of the page that was entered leads to, if that is known, and its fragment.
    pub(super) fn goal<'r>(
        &self,
        reference: &Reference<'r>,
        source: Option<&[u8]>,
    ) -> Option<(Goal, Option<&'r str>)> {
        if !is_of_page(reference) || source.is_some() && is_decoded(reference) {
            return None;
        }
        let (bare, fragment) = syntax::unremarkable(reference.value)?;
        let goal = if bare.is_empty() && fragment.is_some() {
            self.own?
        } else {
            *self.goals.get(bare)?
        };
        Some((goal, fragment))
    }

    /// Remembers what a reference of a page leads to, of which there was nothing to say; `own` is
    /// the page, which was entered.
    pub(super) fn remember(
        &mut self,
        own: Option<FileOf>,
        reference: &Reference<'_>,
        goal: Goal,
        is_plain: bool,
    ) {
        let value = syntax::unremarkable(reference.value).filter(|_| is_of_page(reference));
        let Some((bare, fragment)) = value else {
            return;
        };
        match bare.as_bytes().first() {
            // Where the base leads the page to another one, each of its fragments is told of.
            None if fragment.is_some() && goal.file == own => self.own = Some(goal),
            // These follow from the whole base.
            None | Some(b'?' | b';') => {}
            _ if bare.len() > Self::LONGEST || !is_plain && bare.contains([':', ';']) => {}
            _ => {
                if self.goals.len() >= Self::MOST {
                    self.goals.clear();
                }
                self.goals.insert(bare.into(), goal);
            }
        }
    }
}

/// The folder of the base of a page, if what its references lead to follows from that.
fn folder_of<'p>(page: &Page<'p>) -> Option<&'p str> {
    // A page of an archive leads to others by their URLs, in a message to parts, and the index of
    // a folder that has two addresses is judged by both.
    let is_file = page.own.is_some() && page.document().message.is_none();
    let has_two = page.audit.hosting.folder == Serving::Serve;
    if !is_file || has_two {
        return None;
    }
    page.comparison.plain_folder()
}

fn is_of_page(reference: &Reference<'_>) -> bool {
    reference.context == Context::Document && !reference.cut && reference.slot.attr != "usemap"
}

/// Whether a value does not stand in the source as it is read.
fn is_decoded(reference: &Reference<'_>) -> bool {
    let length = reference.value.len() as u64;
    reference
        .at
        .is_some_and(|at| at.byte.end - at.byte.start != length)
}
