//! The rules about mail: facts about where its links lead, never that a message is fraud.
//!
//! Each rule looks at the final URL of a link, the one inside all wrappers that can be opened. Those
//! about one link are in a file per family; `alternative` and `unsubscribe` compare what the parts
//! of a message say.

mod address;
mod alternative;
pub(crate) mod cid;
mod cloud;
mod content;
pub(crate) mod content_ids;
mod corroboration;
mod displayed_url;
mod domain;
mod idn;
mod mail_findings;
mod message_summary;
mod own_image;
mod pixel;
mod protected;
mod quoted_printable_residue;
mod recipient;
mod site;
mod text;
mod unsubscribe;
mod unwrapped_link;
mod wrapped;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::alternative::Alternatives;
use self::cid::Parts;
use self::content_ids::ContentIds;
use self::idn::Names;
use self::mail_findings::MailFindings;
use self::message_summary::SummaryBuilder;
use self::protected::Protected;
use self::recipient::Recipients;
use self::unsubscribe::Unsubscribe;
use self::unwrapped_link::UnwrappedLink;
use crate::view::page::Page;
use baseref_document::link_places::Class;
use baseref_document::{Document, MessageFields};
use baseref_findings::{Finding, MessageSummary};
use baseref_unwrap::Unwrapper;

/// The settings of the rules about mail.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    unwrapper: Unwrapper,
    /// Domains that others are compared with, by what they look like and by their letters.
    protected: Names,
    spelled: Protected,
}

impl Mail {
    pub(crate) fn new(unwrapper: Unwrapper, protected: &[String]) -> Self {
        Self {
            unwrapper,
            protected: Names::new(protected.iter()),
            spelled: Protected::new(protected.iter().map(String::as_str)),
        }
    }
}

/// The data that the documents of one message share.
#[derive(Default)]
pub(crate) struct Message {
    /// The header around the latest document.
    fields: Option<Arc<MessageFields>>,
    alternatives: Alternatives,
    parts: Parts,
    unsubscribe: Unsubscribe,
    recipients: Recipients,
    /// The names that links may imitate: the sender's domain.
    own: Names,
    /// The sites that look like none of them, nor like a protected one.
    unlike: BTreeSet<Box<str>>,
    /// It is a page that a browser saved as a message.
    is_snapshot: bool,
    /// If it is asked for.
    summary: Option<SummaryBuilder>,
}

impl Message {
    /// An empty message; `with_summary` asks for its [`MessageSummary`].
    pub(crate) fn new(with_summary: bool) -> Self {
        Self {
            summary: with_summary.then(SummaryBuilder::default),
            ..Self::default()
        }
    }

    /// The Content-IDs of the message around a document.
    pub(crate) fn ids(&mut self, document: &Document) -> Option<Arc<ContentIds>> {
        let part = document.message.as_ref()?;
        Some(self.parts.ids(part))
    }

    /// Judges the links of a document of the message, in document order.
    pub(crate) fn check(&mut self, page: &Page<'_>, mail: &Mail, findings: &mut Vec<Finding>) {
        self.know(page);
        if self.is_snapshot {
            return;
        }
        let mut mail_findings = MailFindings {
            page,
            findings: Vec::new(),
        };
        self.parts.document(page);
        if let Some(summary) = &mut self.summary {
            summary.document(page.document());
        }
        let document_links = page.document_links;
        let references = &document_links.document().references;
        let mut resolver = document_links.link_resolver();
        for ((seq, index), reference) in (1..).zip(0..).zip(references.iter()) {
            let link = resolver.link(seq, reference);
            self.parts.link(&link);
            // A host is judged even where no base gives its link a scheme.
            let network_path = link.network_path();
            let with_scheme = network_path.map(|reference| format!("http:{reference}"));
            let Some(url) = link.url.ok().or(with_scheme.as_deref()) else {
                quoted_printable_residue::without_url(&mut mail_findings, &link);
                continue;
            };
            let chain = mail.unwrapper.unwrap(url);
            let opened = UnwrappedLink::new(&link, chain, references.companions(index));
            if let Some(summary) = &mut self.summary {
                summary.link(page, &opened);
            }
            self.link(&mut mail_findings, &opened, index, mail);
        }
        findings.append(&mut mail_findings.findings);
    }

    /// Judges the link at `index` of the document.
    fn link(
        &mut self,
        findings: &mut MailFindings<'_, '_>,
        opened: &UnwrappedLink<'_>,
        index: usize,
        mail: &Mail,
    ) {
        if opened.link.reference.slot.class == Class::Header {
            self.unsubscribe.header(opened);
            return;
        }
        self.alternatives.add(opened, findings.page.document());
        wrapped::check(findings, opened, &mail.unwrapper);
        quoted_printable_residue::check(findings, opened);
        recipient::check(findings, opened, &self.recipients);
        content::check(findings, opened);
        cloud::check(findings, opened);
        if opened.is_followed() {
            text::check(findings, opened, index);
            corroboration::check(findings, opened, &mail.unwrapper);
            domain::check(findings, opened);
            let known = [&mail.protected, &self.own];
            if !idn::check(findings, opened, known, &mut self.unlike) {
                protected::check(findings, opened, &mail.spelled);
            }
            self.unsubscribe.body(findings, opened);
        }
    }

    /// Reads the sender and the recipients from the header.
    fn know(&mut self, page: &Page<'_>) {
        let Some(fields) = &page.document().metadata.message else {
            return;
        };
        let is_same = |known: &Arc<_>| Arc::ptr_eq(known, fields);
        if self.fields.as_ref().is_some_and(is_same) {
            return;
        }
        self.fields = Some(Arc::clone(fields));
        let from = fields.from.as_deref().unwrap_or_default();
        self.is_snapshot |= from.trim_start_matches('<').starts_with("Saved by");
        // The innermost header counts: a forwarded message has recipients of its own.
        let to = [&fields.to, &fields.cc, &fields.delivered_to];
        let to = to.into_iter().flatten().map(|field| &**field);
        self.recipients = Recipients::new(to);
        let senders = [&fields.from, &fields.reply_to].into_iter().flatten();
        let senders = senders.flat_map(|field| address::all(field));
        let domain = |address: String| Some(address.rsplit_once('@')?.1.to_owned());
        self.own = Names::new(senders.filter_map(domain));
        self.unlike.clear();
        self.unsubscribe
            .post(fields.list_unsubscribe_post.as_deref());
    }

    /// What the documents of the message show together, once all are known; the findings are about
    /// the last of them. And the message in short, if it was asked for.
    pub(crate) fn finish(
        self,
        page: &Arc<baseref_findings::PageName>,
    ) -> (Vec<Finding>, Option<MessageSummary>) {
        let mut findings = self.alternatives.finish(page);
        findings.extend(self.unsubscribe.finish(page));
        findings.extend(self.parts.finish(page).filter(|_| !self.is_snapshot));
        let summary = self
            .summary
            .filter(|_| !self.is_snapshot)
            .map(SummaryBuilder::finish);
        (findings, summary)
    }
}

#[cfg(test)]
mod tests;
