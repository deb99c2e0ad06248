//! Lost pages and files whose bytes are elsewhere in the new tree.

use std::path::Path;

use super::plan::Plan;
use crate::compare::{Evidence, ProposedPage};
use crate::rules;
use baseref_findings::Finding;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts;
use baseref_server::follow::{End, MoveContext};
use baseref_site::listing::FileId;
use baseref_site::same_bytes::{SameBytes, TwoTrees};
use baseref_site::url_below;

/// Finds where lost files of a folder are in the new tree.
pub(super) struct MovedFiles<'p> {
    plan: &'p Plan,
    context: &'p MoveContext<'p>,
    same_bytes: SameBytes,
}

impl<'p> MovedFiles<'p> {
    pub(super) fn new(plan: &'p Plan, context: &'p MoveContext<'p>) -> Self {
        Self {
            plan,
            context,
            same_bytes: SameBytes::default(),
        }
    }

    /// The page or file that has the bytes of the one at an old address.
    pub(super) fn proposed(&self, url: &str) -> Option<ProposedPage> {
        let old = self.plan.old.folder()?;
        let new = self.plan.new_tree.as_ref()?;
        let trees = TwoTrees {
            old,
            new,
            files: &self.plan.files,
        };
        let moved = self.same_bytes.moved(trees, self.old_file(url)?)?;
        let below = new.file_path(moved);
        let url = url_below(&self.plan.request.to, below.as_os_str().as_encoded_bytes());
        let chain = self.context.follow(&self.context.index_folded(&url));
        let is_error_page = chain.url.ends_with("/404.html");
        let is_there = matches!(chain.end, End::Found { .. }) && chain.rule_hops() == 0;
        // Its redirect to the folder, if it makes one, is not part of the proposal.
        (is_there && !is_error_page).then(|| ProposedPage::certain(chain.url, Evidence::SameBytes))
    }

    /// The file at an old address below the old prefix.
    fn old_file(&self, url: &str) -> Option<FileId> {
        let form = normal(url, &NormalOptions::default());
        // What has a file at its new address is not lost, but lacks a rule.
        let there = self.context.prefixes.moved(&form)?;
        if matches!(self.context.follow(&there).end, End::Found { .. }) {
            return None;
        }
        let path = self.context.old_file(&form)?;
        let root = parts::path(&self.plan.from);
        let root: Vec<u8> = percent_encoding::percent_decode_str(root).collect();
        let below = std::str::from_utf8(path.strip_prefix(&root[..])?).ok()?;
        self.plan.old.folder()?.file_at(Path::new(below))
    }

    /// Adds the proposals to findings about links to files that are lost.
    pub(super) fn suggest(&self, findings: &mut [Finding]) {
        let lost = findings.iter_mut();
        for finding in lost.filter(|finding| finding.rule == &rules::LOST_PAGE) {
            let url = finding.url.as_deref().map(parts::without_fragment);
            let Some(proposed) = url.and_then(|url| self.proposed(url)) else {
                continue;
            };
            finding.message = format!("{}; {}", finding.message, proposed.in_words()).into();
            finding.suggest([proposed.url].into());
        }
    }
}
