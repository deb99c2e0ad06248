//! The base and the links of each document, resolved.

use std::slice;
use std::sync::{Arc, LazyLock};

use encoding_rs::{Encoding, UTF_8};

use super::part_names::{PartNames, PartReference};
use super::room::{self, Room};
use crate::base::Policy;
use crate::base::{self, Base, BaseReport, BaseSource, establish, establish_under};
use baseref_document::link_places::Class;
use baseref_document::{
    Codebase, Context, Declaration, Document, EmbeddedDocument, Note, NoteCode, Part, Place,
    Reference, XmlBase,
};
use baseref_resolve::parts::network_path;
use baseref_resolve::{ResolveError, Resolver, Rules};
use baseref_text::decode::encoding;

/// The base and the links of one document.
///
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::{Policy, read_html};
///
/// let page = read_html(b"<base href=http://a/><iframe srcdoc='<a href=b>'>", None, &ReadOptions::default());
/// let resolved = Policy::default().resolve(&page);
/// // The page, and the document in its attribute.
/// let lines: Vec<_> = resolved
///     .documents()
///     .map(|one| format!("{} {:?}", one.document().origin, one.base().url))
///     .collect();
/// assert_eq!(lines, [r#"- Some("http://a/")"#, r#"-!srcdoc1 Some("http://a/")"#]);
/// ```
#[derive(Debug)]
pub struct DocumentLinks<'d> {
    document: &'d Document,
    policy: Policy,
    base_report: BaseReport,
    /// The base of its container by the URL Standard.
    around_in_browsers: Base,
    /// The base for each number of declarations in [`Context::Outermost`].
    outermost: Vec<(u32, Base)>,
    /// The names of the parts of the message around it, and which part it is.
    parts: Option<(Arc<PartNames>, usize)>,
    notes: Vec<Note>,
    /// Whether URLs are left out: see [`room`].
    is_cut: bool,
    /// Whether its base is not worked out, for the same reason.
    is_base_cut: bool,
    /// The same for its `codebase` and `xml:base` values.
    are_own_bases_cut: bool,
}

/// A reference and what it resolves to. Its URL is lent: [`ResolvedLink`] owns it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Link<'l> {
    /// Its number in the document, 1-based, in document order.
    pub seq: u64,
    /// Where it is and what is written there.
    pub reference: Reference<'l>,
    /// The base it was resolved against.
    pub base: &'l Base,
    /// The absolute URL, or why there is none.
    pub url: Result<&'l str, ResolveError>,
    /// The part of its message that it refers to; header fields refer to none.
    pub part: PartReference<'l>,
}

impl<'l> Link<'l> {
    /// The link with another URL, for one that its context gives a URL.
    #[doc(hidden)]
    #[must_use]
    pub fn with_url(self, url: &'l str) -> Self {
        Self {
            url: Ok(url),
            ..self
        }
    }

    /// Its reference, if it names a host but has no URL, since no base gives it a scheme
    /// ([`network_path`]).
    #[doc(hidden)]
    #[must_use]
    pub fn network_path(&self) -> Option<&'l str> {
        match self.url {
            Err(ResolveError::NoBase | ResolveError::BadBase) => network_path(self.reference.value),
            _ => None,
        }
    }
}

/// A [`Link`] that owns its URL.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedLink<'r> {
    /// The document it is in: the one that was resolved, or one in its attributes.
    pub document: &'r Document,
    /// Its number in that document, 1-based, in document order.
    pub seq: u64,
    /// Where it is and what is written there.
    pub reference: Reference<'r>,
    /// The base it was resolved against.
    pub base: Base,
    /// The absolute URL, or why there is none.
    pub url: Result<String, ResolveError>,
    /// The part of its message that it refers to; header fields refer to none.
    pub part: PartReference<'r>,
}

/// Resolves a sequence of documents. What they share, the parts of a message, is worked out once.
#[derive(Debug)]
pub struct DocumentResolver {
    policy: Policy,
    message: Option<(Arc<[Part]>, Arc<PartNames>)>,
    room: Room,
}

impl DocumentResolver {
    /// A resolver with this policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            message: None,
            room: Room::default(),
        }
    }

    /// Establishes the base of a document and of the documents embedded in it: yields the document
    /// first, then those in it, in document order.
    pub fn documents<'r, 'd>(
        &'r mut self,
        document: &'d Document,
    ) -> impl Iterator<Item = DocumentLinks<'d>> + use<'r, 'd> {
        self.begin(document);
        let links = self.document_links(document, &OuterBase::default());
        let embedded = EmbeddedDocuments::new(self, &links);
        std::iter::once(links).chain(embedded)
    }

    /// Makes room for the links of a document, unless it is of the same message as the last one.
    pub(super) fn begin(&mut self, document: &Document) {
        let parts = document.message.as_ref().map(|part| &part.parts);
        let is_of_last = match (&self.message, parts) {
            (Some((last, _)), Some(parts)) => Arc::ptr_eq(last, parts),
            _ => false,
        };
        if !is_of_last {
            self.room = Room::default();
        }
    }

    pub(super) fn document_links<'d>(
        &mut self,
        document: &'d Document,
        around: &OuterBase,
    ) -> DocumentLinks<'d> {
        let parts = document
            .message
            .as_ref()
            .map(|part| (self.names(&part.parts), part.own));
        DocumentLinks::with_parts(document, self.policy, around, parts, &mut self.room)
    }

    fn names(&mut self, parts: &Arc<[Part]>) -> Arc<PartNames> {
        match &self.message {
            Some((last, names)) if Arc::ptr_eq(last, parts) => Arc::clone(names),
            _ => {
                let names = Arc::new(PartNames::new(parts, self.policy));
                self.message = Some((Arc::clone(parts), Arc::clone(&names)));
                names
            }
        }
    }
}

/// The documents embedded in a document, at any depth, in document order.
pub(super) struct EmbeddedDocuments<'r, 'd> {
    resolver: &'r mut DocumentResolver,
    /// For each open document, its base and the documents in it that are still to come; at most
    /// [`baseref_document::Limits::srcdoc_depth`].
    open: Vec<(OuterBase, slice::Iter<'d, Document>)>,
}

impl<'r, 'd> EmbeddedDocuments<'r, 'd> {
    /// The documents embedded in the one with these links.
    pub(super) fn new(resolver: &'r mut DocumentResolver, links: &DocumentLinks<'d>) -> Self {
        let mut documents = Self {
            resolver,
            open: Vec::new(),
        };
        documents.enter(links);
        documents
    }

    fn enter(&mut self, links: &DocumentLinks<'d>) {
        let embedded = &links.document.embedded;
        if !embedded.is_empty() {
            self.open.push((OuterBase::within(links), embedded.iter()));
        }
    }
}

impl<'d> Iterator for EmbeddedDocuments<'_, 'd> {
    type Item = DocumentLinks<'d>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (around, documents) = self.open.last_mut()?;
            let Some(document) = documents.next() else {
                self.open.pop();
                continue;
            };
            let links = self
                .resolver
                .document_links(document, &around.around(document));
            self.enter(&links);
            return Some(links);
        }
    }
}

impl<'d> DocumentLinks<'d> {
    /// Establishes the base of one document, given the base of its container.
    #[must_use]
    pub fn new(document: &'d Document, policy: Policy, around: &Base) -> Self {
        let parts = document.message.as_ref().map(|part| {
            let names = PartNames::new(&part.parts, policy);
            (Arc::new(names), part.own)
        });
        let around = OuterBase::same_in_browsers(around.clone());
        Self::with_parts(document, policy, &around, parts, &mut Room::default())
    }

    fn with_parts(
        document: &'d Document,
        policy: Policy,
        around: &OuterBase,
        parts: Option<(Arc<PartNames>, usize)>,
        room: &mut Room,
    ) -> Self {
        let encoding = encoding::named(document.encoding);
        let is_base_cut = !is_alone(document) && !room.take_base(document, around.base.len());
        let nowhere = OuterBase::default();
        let (around, declarations) = if is_base_cut {
            (&nowhere, &[][..])
        } else {
            (around, &document.declarations[..])
        };
        let policies = &document.policies;
        let base_report = establish_under(policy, &around.base, declarations, encoding, policies);
        let notes = parts
            .as_ref()
            .and_then(|(names, own)| unresolved(document, names, *own));
        let mut links = Self {
            document,
            policy,
            base_report,
            around_in_browsers: around.in_browsers.clone(),
            outermost: outermost(document, policy, &around.base, declarations),
            notes: notes.into_iter().collect(),
            parts,
            is_cut: is_base_cut && !document.references.is_empty(),
            is_base_cut,
            are_own_bases_cut: false,
        };
        if links.is_cut || !links.fits(room) {
            links.is_cut = true;
            links.are_own_bases_cut =
                room::are_own_bases_too_long(document, links.base_report.base.len());
            links.notes.push(room::note());
        }
        links
    }

    /// Whether there is room for the URLs of its links.
    fn fits(&self, room: &mut Room) -> bool {
        let BaseReport { base, outside, .. } = &self.base_report;
        let outermost = self.outermost.iter().map(|(_, base)| base);
        let bases = [base, outside].into_iter().chain(outermost);
        let base = bases.map(Base::len).max().unwrap_or(0);
        let codebases = self.document.codebases.iter();
        let codebase = codebases.map(|codebase| codebase.value.len()).max();
        let xml_bases = self.document.xml_bases.iter();
        let xml_base = xml_bases.map(|base| base.value.len()).max();
        let longest = base + 3 * codebase.max(xml_base).unwrap_or(0);
        let links = self.document.references.len() + self.document.inert.len();
        if is_alone(self.document) && room.suffices(links, longest) || Room::is_unneeded(longest) {
            return true;
        }
        let mut resolvers = Resolvers::new(self);
        let mut url = String::new();
        self.document.written().all(|reference| {
            url.clear();
            let (base, _) = resolvers.resolve(&reference, &mut url);
            room.take(&reference, url.len(), base.len())
        })
    }

    /// Whether URLs of its links are left out, as all together they would be too long: the reason
    /// is [`ResolveError::TooLong`], and a note says so.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// What the Content-Location in the header of its own part of a message resolves to: the URL that
    /// the part was saved from (RFC 2557 §4.2), below `thismessage:/` if it is relative in a
    /// multipart/related without a base (RFC 2557 §5). `None` if there is none, or it names no place:
    /// `cid:`.
    #[must_use]
    pub fn location(&self) -> Option<String> {
        if !self.document.origin.embedded.is_empty() {
            return None;
        }
        let (names, own) = self.parts.as_ref()?;
        names.location_of(*own)
    }

    /// The URL of a reference by the place of its part of a message, if that place has a meaning only
    /// there: below `thismessage:/` in a multipart/related without a base (RFC 2557 §5), or at a path of
    /// Windows; `None` for others.
    #[doc(hidden)]
    #[must_use]
    pub fn url_in_message(&self, reference: &Reference<'_>) -> Option<String> {
        let (names, own) = self.parts.as_ref()?;
        let is_of_document = reference.context == Context::Document && !reference.cut;
        is_of_document.then(|| names.url_in_message(*own, reference.value))?
    }

    /// Establishes the base of this document and resolves its links as browsers do.
    #[must_use]
    pub fn in_browsers(&self) -> Self {
        let policy = Policy {
            rules: Rules::Whatwg,
            ..self.policy
        };
        let around = OuterBase::same_in_browsers(self.around_in_browsers.clone());
        let mut room = if self.is_base_cut {
            Room::USED_UP
        } else {
            Room::default()
        };
        Self::with_parts(self.document, policy, &around, None, &mut room)
    }

    /// The policy in effect.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The base of the document.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base_report.base
    }

    /// The base and how it was found.
    #[must_use]
    pub fn base_report(&self) -> &BaseReport {
        &self.base_report
    }

    /// Notes about its links, in addition to [`Document::notes`].
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Calls `each` with the links of [`Self::links`], lending each URL until the next link instead
    /// of allocating it.
    pub fn for_each_link(&self, mut each: impl FnMut(Link<'_>)) {
        self.each_link(&mut each);
    }

    /// Not generic: callers that were compiled for size would be slow for each link.
    fn each_link(&self, each: &mut dyn FnMut(Link<'_>)) {
        let mut resolvers = Resolvers::new(self);
        let mut buffer = String::new();
        for (seq, reference) in (1..).zip(self.document.references.iter()) {
            buffer.clear();
            let (base, resolved) = resolvers.resolve(&reference, &mut buffer);
            let url = resolved.map(|()| buffer.as_str());
            each(Link {
                seq,
                reference,
                base,
                url,
                part: self.part_named(&reference, url),
            });
        }
    }

    /// Resolves some of the references, in any order; every base is parsed once.
    #[must_use]
    pub fn link_resolver(&self) -> LinkResolver<'_> {
        LinkResolver {
            resolvers: Resolvers::new(self),
            buffer: String::new(),
        }
    }

    /// The links in document order, each resolved against its own base. Every base is parsed once;
    /// each URL is allocated.
    pub fn links(&self) -> impl Iterator<Item = ResolvedLink<'_>> {
        let mut resolvers = Resolvers::new(self);
        let references = (1..).zip(self.document.references.iter());
        references.map(move |(seq, reference)| {
            let mut url = String::new();
            let (base, resolved) = resolvers.resolve(&reference, &mut url);
            let part = self.part_named(&reference, resolved.map(|()| url.as_str()));
            ResolvedLink {
                document: self.document,
                seq,
                reference,
                base: base.clone(),
                url: resolved.map(|()| url),
                part,
            }
        })
    }

    fn part_named(
        &self,
        reference: &Reference<'_>,
        url: Result<&str, ResolveError>,
    ) -> PartReference<'_> {
        match &self.parts {
            Some((names, own)) if can_name_a_part(reference) => {
                let encoding = encoding::named(self.document.encoding);
                names.named(*own, reference.value, url, encoding)
            }
            _ => PartReference::Nothing,
        }
    }
}

/// The links of one document, resolved one by one: see [`DocumentLinks::link_resolver`].
pub struct LinkResolver<'e> {
    resolvers: Resolvers<'e>,
    buffer: String,
}

impl LinkResolver<'_> {
    /// What the reference resolves to, lent until the next one.
    ///
    /// # Errors
    /// If it has no absolute form.
    pub fn url(&mut self, reference: &Reference<'_>) -> Result<&str, ResolveError> {
        self.buffer.clear();
        let (_, resolved) = self.resolvers.resolve(reference, &mut self.buffer);
        resolved.map(|()| self.buffer.as_str())
    }

    /// The link of the reference with that number, as [`DocumentLinks::for_each_link`] gives it; lent
    /// until the next one.
    pub fn link<'l>(&'l mut self, seq: u64, reference: Reference<'l>) -> Link<'l> {
        self.buffer.clear();
        let links = self.resolvers.links;
        let (base, resolved) = self.resolvers.resolve(&reference, &mut self.buffer);
        let url = resolved.map(|()| self.buffer.as_str());
        Link {
            seq,
            reference,
            base,
            url,
            part: links.part_named(&reference, url),
        }
    }
}

/// The bases that a document's references are relative to, each parsed once, on first use.
struct Resolvers<'e> {
    links: &'e DocumentLinks<'e>,
    encoding: &'static Encoding,
    document: Option<Resolver<'e>>,
    outside: Option<Resolver<'e>>,
    headings: Vec<(u32, &'e Base, Resolver<'e>)>,
    /// The last `codebase` or `xml:base` asked for and its base, if it is usable. Only one is kept:
    /// there can be many, each as long as the document's base.
    own_base: Option<(Context, Option<Base>)>,
}

impl<'e> Resolvers<'e> {
    fn new(links: &'e DocumentLinks<'_>) -> Self {
        let headings = links.outermost.iter();
        Self {
            links,
            encoding: encoding::named(links.document.encoding),
            document: None,
            outside: None,
            headings: headings
                .map(|(count, base)| (*count, base, heading_resolver(links.policy, base)))
                .collect(),
            own_base: None,
        }
    }

    /// Appends the resolved URL to an empty string, and returns the base it was resolved against.
    #[inline]
    fn resolve(
        &mut self,
        reference: &Reference<'_>,
        url: &mut String,
    ) -> (&Base, Result<(), ResolveError>) {
        if self.links.is_cut {
            return self.resolve_cut(reference, url);
        }
        self.resolve_whole(reference, url)
    }

    /// Resolves a reference of a document whose URLs need more room than is left, without working out
    /// a URL that would be left out: that takes as long as the base is.
    #[cold]
    fn resolve_cut(
        &mut self,
        reference: &Reference<'_>,
        url: &mut String,
    ) -> (&Base, Result<(), ResolveError>) {
        let most = room::always(reference);
        let links = self.links;
        let BaseReport { base, outside, .. } = &links.base_report;
        let around = match self.context_of(reference) {
            Context::Codebase(_) | Context::XmlBase(_) if links.are_own_bases_cut => None,
            Context::Codebase(_) | Context::XmlBase(_) | Context::Outermost(_) => Some(&*CUT),
            Context::Outside => Some(outside),
            _ => Some(base),
        };
        let Some(around) = around.filter(|_| !links.is_base_cut) else {
            let without_base = CUT.resolver(links.policy.rules, self.encoding);
            let outcome = match resolved(&without_base, reference, url) {
                Err(ResolveError::NoBase | ResolveError::BadBase) => too_long(url),
                outcome => outcome,
            };
            return (&CUT, outcome);
        };
        let around = around.url.as_deref().unwrap_or_default();
        if around.len() > most && room::inherits_path(reference.value, around) {
            return (&CUT, too_long(url));
        }
        let (base, resolved) = self.resolve_whole(reference, url);
        let is_cut = url.len() > most;
        let resolved = if is_cut { too_long(url) } else { resolved };
        let base = if base.len() > most { &CUT } else { base };
        (base, resolved)
    }

    /// What a reference is relative to.
    #[inline]
    fn context_of(&self, reference: &Reference<'_>) -> Context {
        match reference.context {
            // From HTML 4.01 §13.3: HTML has it obsolete, and browsers take no notice of it.
            Context::Codebase(_) if self.links.policy.rules == Rules::Whatwg => Context::Document,
            context => context,
        }
    }

    #[inline]
    fn resolve_whole(
        &mut self,
        reference: &Reference<'_>,
        url: &mut String,
    ) -> (&Base, Result<(), ResolveError>) {
        let BaseReport { base, outside, .. } = &self.links.base_report;
        let (rules, encoding) = (self.links.policy.rules, self.encoding);
        let resolver = |base: &'e Base| base.resolver(rules, encoding);
        match self.context_of(reference) {
            Context::Document | Context::Http => {
                let resolver = self.document.get_or_insert_with(|| resolver(base));
                (base, resolved(resolver, reference, url))
            }
            Context::Outside => {
                let resolver = self.outside.get_or_insert_with(|| resolver(outside));
                (outside, resolved(resolver, reference, url))
            }
            Context::Outermost(count) => {
                let mut headings = self.headings.iter();
                let known = headings.find(|(outermost, ..)| *outermost == count);
                if let Some((_, base, resolver)) = known {
                    return (base, resolved(resolver, reference, url));
                }
                let resolver = self.document.get_or_insert_with(|| resolver(base));
                (base, resolved(resolver, reference, url))
            }
            context => {
                self.open_own_base(context);
                match &self.own_base {
                    Some((_, Some(base))) => {
                        let resolver = base.resolver(rules, encoding);
                        (base, resolved(&resolver, reference, url))
                    }
                    _ => (base, Err(ResolveError::BadBase)),
                }
            }
        }
    }

    /// Works out the base of a `codebase` or `xml:base`, unless it was the last one.
    fn open_own_base(&mut self, context: Context) {
        if matches!(&self.own_base, Some((last, _)) if *last == context) {
            return;
        }
        let document = self.links.document;
        let base = match context {
            Context::XmlBase(index) => self.xml_base(index),
            Context::Codebase(index) => match document.codebases.get(index as usize) {
                None => Some(self.links.base_report.base.clone()),
                Some(Codebase { value, element, at }) => {
                    let (element, at) = (*element, at.clone());
                    self.inner_base(None, value, Place::Codebase { element, at })
                }
            },
            _ => None,
        };
        self.own_base = Some((context, base));
    }

    /// The base that an `xml:base` gives, if it is usable: relative ones to the next one around them,
    /// which are few ([`baseref_document::XmlBase::outer`]).
    fn xml_base(&mut self, index: u32) -> Option<Base> {
        let document = self.links.document;
        let of = |index: u32| document.xml_bases.get(index as usize);
        let inwards = std::iter::successors(of(index), |base| base.outer.and_then(of));
        let mut chain: Vec<_> = inwards.collect();
        chain.reverse();
        let mut outer = None;
        for XmlBase { value, at, .. } in chain {
            outer = Some(self.inner_base(outer.as_ref(), value, Place::XmlBase(at.clone()))?);
        }
        outer.or_else(|| Some(self.links.base_report.base.clone()))
    }

    /// The base that a value gives relative to `outer`, or to the base of the document; `None` if it
    /// is too long.
    fn inner_base(&mut self, outer: Option<&Base>, value: &str, at: Place) -> Option<Base> {
        let DocumentLinks {
            policy,
            base_report,
            ..
        } = self.links;
        let of_document = &base_report.base;
        let url = if let Some(outer) = outer {
            outer.resolver(policy.rules, self.encoding).resolve(value)
        } else {
            let encoding = self.encoding;
            let of = || of_document.resolver(policy.rules, encoding);
            self.document.get_or_insert_with(of).resolve(value)
        };
        let Ok(url) = url else {
            // A value that cannot be resolved does not change the base.
            return Some(outer.unwrap_or(of_document).clone());
        };
        (url.len() <= base::LONGEST).then(|| Base {
            url: Some(url.into()),
            source: BaseSource::Element,
            at: Some(at),
        })
    }
}

/// Whether no other document has a share in its room.
fn is_alone(document: &Document) -> bool {
    let Document {
        origin,
        embedded,
        message,
        ..
    } = document;
    origin.embedded.is_empty() && embedded.is_empty() && message.is_none()
}

/// In place of a base that is left out.
static CUT: LazyLock<Base> = LazyLock::new(Base::default);

#[cold]
fn too_long(url: &mut String) -> Result<(), ResolveError> {
    url.clear();
    Err(ResolveError::TooLong)
}

#[inline]
fn resolved(
    resolver: &Resolver<'_>,
    reference: &Reference<'_>,
    url: &mut String,
) -> Result<(), ResolveError> {
    if reference.cut {
        // A truncated value cannot be resolved.
        return Err(ResolveError::Invalid);
    }
    if reference.context == Context::Http {
        return resolver.resolve_into(&format!("http://{}", reference.value), url);
    }
    resolver.resolve_into(reference.value, url)
}

/// A header field equal to a part's name is that name, rather than a link to the part.
fn can_name_a_part(reference: &Reference<'_>) -> bool {
    reference.slot.class != Class::Header && !reference.cut
}

/// A note on the `cid:` URLs in a document that match no part, if there are any.
fn unresolved(document: &Document, names: &PartNames, own: usize) -> Option<Note> {
    let is_unresolved = |reference: &Reference<'_>| {
        let nothing = Err(ResolveError::Invalid);
        can_name_a_part(reference)
            && names.named(own, reference.value, nothing, UTF_8) == PartReference::Missing
    };
    let mut missing = document.references.iter().filter(is_unresolved);
    let first = missing.next()?;
    let others = match missing.count() {
        0 => String::new(),
        1 => "; the same for 1 more link".to_owned(),
        others => format!("; the same for {others} more links"),
    };
    Some(
        Note::new(
            NoteCode::CidUnresolved,
            format!("no part has the Content-ID of {:?}{others}", first.value),
        )
        .at_line(first.at.map(|at| at.line)),
    )
}

/// The base of the document around another.
#[derive(Clone, Debug, Default)]
pub(super) struct OuterBase {
    base: Base,
    /// Its base by the URL Standard.
    in_browsers: Base,
}

impl OuterBase {
    fn same_in_browsers(base: Base) -> Self {
        Self {
            in_browsers: base.clone(),
            base,
        }
    }

    /// The base around the documents embedded in the one with these links.
    pub(super) fn within(links: &DocumentLinks<'_>) -> Self {
        let base = links.base().clone();
        if links.policy.rules == Rules::Whatwg {
            return Self::same_in_browsers(base);
        }
        Self {
            base,
            in_browsers: links.in_browsers().base_report.base,
        }
    }

    /// HTML "fallback base URL" step 1: for a srcdoc document its container's base, given here; for
    /// one in a `data:` URL, none from outside.
    fn around(&self, document: &Document) -> Self {
        match document.origin.embedded.last() {
            Some(EmbeddedDocument::Data(_)) => Self::default(),
            _ => self.clone(),
        }
    }
}

/// The base for each number of declarations that the document's references name: one for its own
/// header and one for each enclosing header, a few at most.
fn outermost(
    document: &Document,
    policy: Policy,
    around: &Base,
    declarations: &[Declaration],
) -> Vec<(u32, Base)> {
    let mut bases: Vec<(u32, Base)> = Vec::new();
    // The references of headers come first.
    for reference in &document.references {
        let Context::Outermost(count) = reference.context else {
            break;
        };
        if bases.iter().any(|(known, _)| *known == count) {
            continue;
        }
        let length = declarations.len().min(count as usize);
        let layers: &[Declaration] = &declarations[..length];
        bases.push((count, establish(policy, around, layers, UTF_8).base));
    }
    bases
}

/// A resolver for header fields, which are UTF-8 (RFC 6532 §3) in a document of any encoding.
fn heading_resolver(policy: Policy, base: &Base) -> Resolver<'_> {
    base.resolver(policy.rules, UTF_8)
}
