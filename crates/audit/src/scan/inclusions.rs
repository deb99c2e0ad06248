//! Collects the server-side includes of a page.

use baseref_resolve::{Resolver, Rules};
use baseref_site::inclusion::{Inclusion, inclusions};

use crate::context::audit_context::AuditContext;
use crate::model::inclusions::{Inclusions, MOST_OF_PAGE};
use crate::model::site_file::SiteFile;
use crate::target;
use crate::view::page::Page;

/// The server-side includes of a file of a site; `None` without any.
pub(crate) fn collect(page: &Page<'_>) -> Option<Box<Inclusions>> {
    let (source, url) = (page.source?, page.url?);
    page.own?;
    let mut found = inclusions(source).peekable();
    found.peek()?;
    let resolver = Resolver::new(Rules::Rfc3986, Some(url), encoding_rs::UTF_8);
    let mut own = Inclusions::default();
    for inclusion in found {
        match file_of(page.ctx, &resolver, &inclusion) {
            Some(file) if own.files.contains(&file) => {}
            Some(file) if own.files.len() < MOST_OF_PAGE => {
                page.ctx.refer_to(file);
                own.files.push(file);
            }
            _ => own.has_others = true,
        }
    }
    Some(Box::new(own))
}

/// The file that a server would include.
fn file_of(ctx: &AuditContext, resolver: &Resolver<'_>, inclusion: &Inclusion) -> Option<SiteFile> {
    let Inclusion::Of(reference) = inclusion else {
        return None;
    };
    let url = resolver.resolve(reference).ok()?;
    target::resolved(&ctx.map, &ctx.hosting, &url, encoding_rs::UTF_8).file
}
