//! Remarks on fragments that no element of the target page has.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::context::audit_context::AuditContext;
use crate::epub;
use crate::model::look_alike::{CodePoints, look_alike};
use crate::model::package_id::PackageFile;
use crate::model::site_file::SiteFile;
use crate::rules::target::missing_fragment::{self, MissingFragment};
use baseref_findings::{Related, Violation};
use baseref_resolve::spelling::fold_case;
use baseref_site::suggest::Ids;
use percent_encoding::percent_decode_str;

/// The number of findings with the same cause that count as examples.
const EXAMPLES: u32 = 8;

/// The maximum number of cached remarks on the missing fragments of a page.
const MOST_REMARKS: usize = 256;

/// The pages with missing fragments.
#[derive(Default)]
pub(crate) struct MissingFragments(HashMap<PackageFile, IncompletePage>);

/// A page with missing fragments.
pub(crate) struct IncompletePage {
    /// Its path below the root of its site.
    pub(crate) path: Arc<str>,
    /// The page, as findings refer to it.
    pub(crate) related: Arc<[Related]>,
    /// Its element ids, read for the first suggestion; `None` if the page cannot be read.
    ids: OnceCell<Option<Ids>>,
    /// The latest remarks, by fragment: many links share one.
    remarks: HashMap<Box<str>, Remark>,
    /// The number of links with a missing fragment.
    links: u32,
}

#[derive(Clone)]
pub(crate) struct Remark {
    pub(crate) violation: Violation,
    pub(crate) suggestion: Arc<[String]>,
}

impl MissingFragments {
    /// The remark on a fragment that a page does not have, and whether it is among the first on the
    /// page.
    pub(crate) fn remark(
        &mut self,
        ctx: &AuditContext,
        file: SiteFile,
        fragment: &str,
    ) -> (Remark, bool) {
        let incomplete = self.page(ctx, file);
        incomplete.links = incomplete.links.saturating_add(1);
        let is_example = incomplete.links <= EXAMPLES;
        if let Some(remark) = incomplete.remarks.get(fragment) {
            return (remark.clone(), is_example);
        }
        let decoded = percent_decode_str(fragment).decode_utf8();
        let meant = decoded.as_deref().unwrap_or(fragment);
        let nearest = if ctx.shows(&missing_fragment::RULE) {
            let ids = &incomplete.ids;
            let ids =
                ids.get_or_init(|| ctx.read_page(file).map(|page| Ids::new(page.identifiers)));
            ids.as_ref().and_then(|ids| ids.nearest(meant))
        } else {
            None
        };
        let mut remark = Remark::new(MissingFragment::NoElement { fragment });
        if ctx.is_epub() {
            remark.violation = epub::with_id(remark.violation, "RSC-012");
        }
        if let Some(nearest) = &nearest {
            if look_alike(meant, nearest) {
                let CodePoints { ours, theirs } = CodePoints::between(meant, nearest);
                let (ours, theirs) = (&*ours, &*theirs);
                remark.violation = MissingFragment::LooksAlike {
                    nearest,
                    ours,
                    theirs,
                }
                .into();
            } else if fold_case(nearest) == fold_case(meant) {
                remark.violation = MissingFragment::OtherCase { fragment, nearest }.into();
            }
            remark.suggestion = [format!("#{nearest}")].into();
        }
        if incomplete.remarks.len() >= MOST_REMARKS {
            incomplete.remarks.clear();
        }
        incomplete.remarks.insert(fragment.into(), remark.clone());
        (remark, is_example)
    }

    pub(crate) fn page(&mut self, ctx: &AuditContext, file: SiteFile) -> &mut IncompletePage {
        let place = ctx.package_file(file);
        self.0.entry(place).or_insert_with(|| IncompletePage {
            path: ctx.path_of(file).into(),
            related: ctx.related(file, "The page that the link leads to."),
            ids: OnceCell::new(),
            remarks: HashMap::new(),
            links: 0,
        })
    }
}

impl Remark {
    pub(crate) fn new(message: MissingFragment<'_>) -> Self {
        Self {
            violation: message.into(),
            suggestion: Arc::default(),
        }
    }
}
