//! The audit: its options, and the two passes over documents.

use std::path::Path;
use std::sync::Arc;

use crate::cache::Caches;
use crate::cache::shared_documents::SharedDocuments;
use crate::captures::crawl::Crawl;
use crate::context::audit_context::{AuditContext, LinkFilter};
use crate::context::earlier_site::EarlierSite;
use crate::context::package::{Addresses, Packages};
use crate::judge::{AuditedSites, Judge};
use crate::mail::{Mail, Message};
use crate::model::external::External;
use crate::model::site_file::SiteFile;
use crate::model::stored_scan::StoredScan;
use crate::rules::doc::unreadable::Unreadable;
use crate::scan::document::{self, DocumentSource};
use crate::serving::hints::ServingHints;
use crate::serving::other_hosting::OtherHostings;
use crate::serving::own_address::{OwnAddress, OwnAddresses};
use crate::spool::Spool;
use baseref_container::{Entity, EntityKind, EntryTarget};
use baseref_document::link_places::Classes;
use baseref_document::{
    CaptureKind, Document, Origin, Place, ReadError, ReadOptions, Retrieval, Skipped,
};
use baseref_evidence::captures::Builder;
use baseref_files::Files;
use baseref_findings::{Excerpts, Finding, PageName, Shown};
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentResolver;
use baseref_server::rule_set::Redirects;
use baseref_site::hosting::Hosting;
use baseref_site::listing::{Tree, UnlistedDirectory};
use baseref_site::map::{Address, SiteMap};
use baseref_unwrap::Unwrapper;

/// An audit of sites and documents.
#[derive(Debug)]
pub struct Audit {
    ctx: AuditContext,
    packages: Packages,
    mail: Mail,
    pub(crate) spool: Spool,
    crawl: Crawl,
    caches: Caches,
    shared: Arc<SharedDocuments>,
}

impl Audit {
    /// An audit of documents read with `read` and resolved by `policy`, in sites served by `hosting`.
    #[must_use]
    pub fn new(map: SiteMap, hosting: Hosting, policy: Policy, read: ReadOptions) -> Self {
        Self {
            ctx: AuditContext::new(map, hosting, policy, read),
            packages: Packages::default(),
            mail: Mail::default(),
            spool: Spool::default(),
            crawl: Crawl::default(),
            caches: Caches::default(),
            shared: Arc::default(),
        }
    }

    /// Checks only links of these classes, in non-standard link places too.
    #[must_use]
    pub fn with_places(mut self, classes: Classes) -> Self {
        self.ctx.places = Some(classes);
        self
    }

    /// Checks only links for which `wanted` returns true, given the URL as shown in reports (`None`
    /// for a link without one). The others are [`LinkClass::Filtered`](crate::LinkClass::Filtered).
    #[must_use]
    pub fn with_filter(
        mut self,
        wanted: impl Fn(Option<&str>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.ctx.wanted = Some(LinkFilter(Arc::new(wanted)));
        self
    }

    /// Omits source lines, and the URLs by each rule set, from findings that are not `shown`.
    #[must_use]
    pub fn with_shown(mut self, shown: Shown) -> Self {
        self.ctx.shown = shown;
        self
    }

    /// Checks mail with these wrappers, and reports hosts that imitate one of the `protected`
    /// domains.
    #[must_use]
    pub fn with_mail(mut self, unwrapper: Unwrapper, protected: &[String]) -> Self {
        self.mail = Mail::new(unwrapper, protected);
        self
    }

    /// Lists every link in [`JudgedDocument::links`](crate::JudgedDocument::links). Memory then grows with the number of links.
    #[must_use]
    pub fn with_links(mut self) -> Self {
        self.ctx.lists_links = true;
        self
    }

    /// Also looks up the targets of links that are not checked, so that [`Self::unreferenced`] counts
    /// references of every kind.
    #[must_use]
    pub fn with_references(mut self) -> Self {
        self.ctx.follows_all = true;
        self
    }

    /// Reads pages again through these files of a run.
    #[must_use]
    pub fn with_files(mut self, files: &Arc<Files>) -> Self {
        self.ctx.files = Arc::clone(files);
        self
    }

    /// Reads the files that are documents under several names once.
    #[must_use]
    pub(crate) fn with_shared(mut self, shared: Arc<SharedDocuments>) -> Self {
        self.shared = shared;
        self
    }

    /// Suggests for missing files where their bytes are now, as an earlier state of a site had them.
    #[must_use]
    pub(crate) fn with_earlier(mut self, earlier: EarlierSite) -> Self {
        self.ctx.earlier = Some(earlier);
        self
    }

    /// Also checks links to other sites, by the results of link checkers.
    #[must_use]
    pub fn with_external(mut self, external: External) -> Self {
        self.ctx.external = Some(Arc::new(external));
        self
    }

    /// Also applies these redirect rules to links, sitemaps, canonical links and alternates.
    #[must_use]
    pub fn with_redirects(mut self, redirects: Arc<dyn Redirects>) -> Self {
        self.ctx.redirects = Some(redirects);
        self
    }

    /// Counts the links to addresses that the sites give themselves, and the missing files that another
    /// hosting finds, for [`Self::serving_advice`].
    #[must_use]
    pub(crate) fn with_guesses(mut self, own: Vec<OwnAddress>, others: OtherHostings) -> Self {
        self.ctx.own_addresses = OwnAddresses::new(own);
        self.ctx.other_hostings = others;
        self
    }

    /// Sets the lookup from the path of a package to the URL where it is served. A package without one is
    /// the root of an unknown host.
    #[must_use]
    pub fn with_addresses(
        mut self,
        address: impl Fn(&Path) -> Option<Address> + Send + Sync + 'static,
    ) -> Self {
        self.packages = Packages::with_addresses(Addresses(Box::new(address)));
        self
    }

    /// The sites and their addresses.
    #[must_use]
    pub fn map(&self) -> &SiteMap {
        &self.ctx.map
    }

    /// Sets how the links of captured pages are checked.
    #[must_use]
    pub fn with_crawl(mut self, crawl: Crawl) -> Self {
        self.crawl = crawl;
        self
    }

    /// Scans the documents of an entity, with errors in place of those that cannot be read. Adds captures
    /// to `captures`, whose numbers the scans refer to, and to `skipped` the parts of a message that are
    /// not read.
    pub fn scan(
        &self,
        mut entity: Entity,
        captures: &mut Builder,
        skipped: &mut Skipped,
    ) -> Vec<Result<StoredScan, ReadError>> {
        let capture = entity.capture.take();
        let kind = capture.as_ref().map(|capture| capture.kind);
        if let Some(capture) = capture
            .as_ref()
            .filter(|_| kind == Some(CaptureKind::Listed))
        {
            captures.list(&capture.url, &entity.origin.to_string());
        }
        let is_partial = capture
            .as_ref()
            .is_some_and(|capture| capture.truncated || capture.status == 206);
        let number = capture.and_then(|capture| captures.add(&capture));
        if entity.kind == EntityKind::Capture {
            return Vec::new();
        }
        let date = entity.date.clone();
        let is_file = entity.is_file();
        let entry = entry_of(&entity);
        let package = self.packages.enter(&self.ctx, &mut entity);
        let ctx = package.as_deref().unwrap_or(&self.ctx);
        if !is_file && package.is_none() {
            // Documents in containers have their own URLs. The URL of the file does not apply to
            // them.
            let is_of_file = |at: &Place| matches!(at, Place::Retrieval(Retrieval::UrlMap(_)));
            entity
                .declarations
                .retain(|declared| !is_of_file(&declared.at));
        }
        // Positions in other kinds do not refer to the bytes of the file.
        let is_whole = matches!(entity.kind, EntityKind::Html | EntityKind::StyleSheet);
        let bytes = std::mem::take(&mut entity.bytes);
        let source = is_whole.then_some(&*bytes);
        let mut cache = self.caches.take(ctx.package_id());
        let mut resolver = DocumentResolver::new(ctx.policy);
        let is_message = matches!(
            entity.kind,
            EntityKind::Message { .. } | EntityKind::Outlook
        );
        let read = if is_message {
            &ctx.read_mail
        } else {
            &ctx.read
        };
        let mut message = is_message.then(|| Message::new(ctx.shown.message_summaries));
        // Emit a message summary only if at least one of its findings is shown.
        let mut is_shown = false;
        let mut scans = Vec::new();
        let scan_document = |document: Result<&Document, ReadError>| match document {
            Ok(document) => {
                resolver.documents(document).for_each(|document_links| {
                    let document_links = &document_links;
                    // Positions in the document of an attribute are relative to the attribute.
                    let is_whole = document_links.document().origin.embedded.is_empty();
                    let source = DocumentSource {
                        bytes: source.filter(|_| is_whole),
                        provenance: document::provenance(ctx.is_saved(), kind, document_links),
                        date: date.as_deref(),
                        is_partial,
                        entry,
                    };
                    let of_message = message.as_mut().map(|message| (message, &self.mail));
                    let mut scan =
                        document::scan(ctx, document_links, source, &mut cache, of_message);
                    scan.package = ctx.package_id();
                    document::add_capture(
                        &mut scan,
                        document_links,
                        number,
                        date.as_deref(),
                        captures,
                    );
                    is_shown |= scan.findings.iter().any(|finding| ctx.shown.has(finding));
                    // Findings about a whole message are added to its last scan, which thus stays in memory.
                    scans.push(Ok(if is_message {
                        StoredScan::new(scan)
                    } else {
                        self.spool.store(scan)
                    }));
                });
            }
            Err(error) => scans.push(Err(error)),
        };
        let shared = &self.shared;
        let (parts, file) = shared.each_document(&bytes, entity, read, scan_document);
        if let Some(file) = file {
            shared.keep_bytes(&file, bytes);
        }
        skipped.add(&parts);
        let last = scans.iter_mut().rev().find_map(|scan| scan.as_mut().ok());
        if let (Some(scan), Some(message)) = (last.and_then(StoredScan::in_memory), message) {
            let (findings, summary) = message.finish(&scan.name);
            is_shown |= findings.iter().any(|finding| ctx.shown.has(finding));
            scan.findings.extend(findings);
            scan.message_summary = summary.filter(|_| is_shown).map(Box::new);
        }
        // Packages other than ZIM files are small, and there may be many.
        if package.is_none() || ctx.book.is_some() {
            self.caches.put(ctx.package_id(), cache);
        }
        scans
    }

    /// Returns the judge of all scanned documents, given their captures and scans.
    #[must_use]
    pub fn judge<'s>(
        &self,
        excerpts: Excerpts,
        captures: Builder,
        scans: impl Iterator<Item = &'s mut StoredScan>,
    ) -> Judge<'_> {
        Judge::new(
            AuditedSites {
                ctx: &self.ctx,
                packages: &self.packages,
                spool: &self.spool,
            },
            excerpts,
            captures.finish(),
            self.crawl.clone(),
            scans,
        )
    }

    /// The names of the document of a scan; `None` if they cannot be read from disk, in which case
    /// judging the scan yields a finding.
    #[must_use]
    pub fn page_of(&self, scan: &StoredScan) -> Option<Arc<PageName>> {
        self.spool.page_of(scan)
    }

    /// The path of a file below the root of its site, as reports show it.
    #[must_use]
    pub fn path_of(&self, file: SiteFile) -> String {
        self.ctx.path_of(file)
    }

    /// The files that no other page links to, in order. Only checked links count, unless
    /// [`Self::with_references`] was called.
    pub fn unreferenced(&self) -> impl Iterator<Item = SiteFile> {
        self.ctx.unreferenced()
    }

    /// Advice on where the sites are served, in lines for people.
    #[must_use]
    pub fn serving_advice(&self, hints: &ServingHints) -> Vec<String> {
        hints.lines(self.ctx.serving())
    }

    /// The findings about directories that could not be read.
    #[must_use]
    pub fn unlisted(&self) -> Vec<Finding> {
        let trees = self.ctx.map.sites().iter().map(|site| &site.tree);
        let unlisted = trees.flat_map(Tree::unlisted);
        let finding = |unlisted: &UnlistedDirectory| {
            let origin = Origin::new(unlisted.path.to_string_lossy());
            let page = Arc::new(self.ctx.page_name(&origin, None));
            let error = &unlisted.error;
            Finding::from_violation(Unreadable::Listing { error }, &page, page.doc.clone())
        };
        unlisted.map(finding).collect()
    }

    /// The finding about a document that could not be read.
    #[must_use]
    pub fn unreadable(&self, error: &ReadError) -> Finding {
        let page = Arc::new(self.ctx.page_name(&error.origin, None));
        let reason = &*error.reason;
        let cause = if error.kind.is_summed_up() {
            reason.to_owned()
        } else {
            page.doc.clone()
        };
        Finding::from_violation(Unreadable::Document { reason }, &page, cause)
    }
}

/// The number of the entry that an entity is, if it is in a ZIM file.
fn entry_of(entity: &Entity) -> Option<u32> {
    let package = entity.package.as_deref()?;
    let path = package.below_root(entity.origin.member.as_deref()?)?;
    match package.entries.as_ref()?.find(path.as_bytes())? {
        EntryTarget::Entry(number) => Some(number),
        EntryTarget::Redirected(_) | EntryTarget::Circle | EntryTarget::Nowhere => None,
    }
}
