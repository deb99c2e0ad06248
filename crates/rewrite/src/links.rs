//! The links of a document, resolved by every rule set, and which of them a move checks.

use std::ops::Range;

use encoding_rs::Encoding;

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::{CONTENT, Class, Classes, Grammar};
use baseref_document::{
    Context, Declaration, Document, NoteCode, Place, Reference, Retrieval, Sink,
};
use baseref_document::{ReadError, ReadErrorKind, ReadResult};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, Verdict};
use baseref_reader::links::{DocumentLinks, LinkResolver, Resolved};
use baseref_reader::read;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::{ResolveError, Rules, resolve};
use baseref_text::decode::encoding;

/// Adds to `options` what is needed to check and edit links.
#[must_use]
pub fn reading(options: ReadOptions) -> ReadOptions {
    options
        .with_classes(Classes::ALL)
        .with_positions(true)
        .with_inert(true)
}

/// Reads the documents of an entity from `bytes` instead of its own. `url` is the retrieval URL of those
/// that have none.
#[must_use]
pub fn documents(
    bytes: &[u8],
    entity: Entity,
    url: Option<&str>,
    options: &ReadOptions,
) -> Vec<Document> {
    let mut found = Vec::new();
    read_all(bytes, entity, url, options, &mut |one: ReadResult| {
        found.extend(one.ok());
    });
    found
}

/// Reads the documents of an entity as [`documents`] does, and passes them and errors to `found`.
pub fn read_all(
    bytes: &[u8],
    mut entity: Entity,
    url: Option<&str>,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) {
    if let Some(url) = url.filter(|_| entity.declarations.is_empty()) {
        entity.declarations.push(Declaration::retrieved_from(url));
    }
    read::documents_in(bytes, entity, options, found);
}

/// The error about a document whose URLs are too long in total, by any rule set.
#[must_use]
pub fn cut(document: &Document, policy: Policy) -> Option<ReadError> {
    let by_rules = ByRules::new(document, policy);
    let mut documents = by_rules.0.iter().flat_map(Resolved::documents);
    let cut = documents.find(|document_links| document_links.is_cut())?;
    let mut notes = cut.notes().iter();
    let note = notes.rfind(|note| note.code == NoteCode::UrlSize)?;
    let origin = document.origin.clone();
    Some(ReadError::new(ReadErrorKind::Limit, origin, &*note.detail))
}

/// A copy of an entity without its bytes.
#[must_use]
pub fn frame(entity: &Entity) -> Entity {
    Entity {
        origin: entity.origin.clone(),
        charset: entity.charset.clone(),
        declarations: entity.declarations.clone(),
        markup: entity.markup,
        ..Entity::html(entity.origin.clone(), Vec::new())
    }
}

/// Whether the references in the source of a document resolve by RFC 1808 to the `wanted` URLs, which are
/// in normal form.
#[must_use]
pub fn lead_to(document: &Document, policy: Policy, wanted: &[Option<String>]) -> bool {
    let resolved = policy.with_rules(Rules::Rfc1808).resolve(document);
    let Some(links) = resolved.documents().next() else {
        return false;
    };
    let mut link_resolver = links.link_resolver();
    document.written().count() == wanted.len()
        && document
            .written()
            .zip(wanted)
            .all(|(reference, wanted)| link_resolver.url(&reference).ok().map(form) == *wanted)
}

/// A copy of a document as if it had been retrieved from `url`, without its links: links of the original
/// are resolved against the copy's bases.
pub fn retrieved_again(document: &mut Document, url: &str) -> Document {
    let references = std::mem::take(&mut document.references);
    let inert = std::mem::take(&mut document.inert);
    let metadata_elements = std::mem::take(&mut document.metadata_elements);
    let mut other = document.clone();
    (document.references, document.inert) = (references, inert);
    document.metadata_elements = metadata_elements;
    for declaration in &mut other.declarations {
        if declaration.at == Place::Retrieval(Retrieval::Url) {
            declaration.value = url.into();
        }
    }
    other
}

/// A document, resolved by every rule set.
pub struct ByRules<'d>([Resolved<'d>; 3]);

impl<'d> ByRules<'d> {
    /// Resolves a document by every rule set.
    #[must_use]
    pub fn new(document: &'d Document, policy: Policy) -> Self {
        Self(Rules::ALL.map(|rules| policy.with_rules(rules).resolve(document)))
    }

    /// The document and those nested in its attributes, each by every rule set.
    #[must_use]
    pub fn documents(&self) -> Vec<[&DocumentLinks<'d>; 3]> {
        let [first, second, third] = &self.0;
        first
            .documents()
            .zip(second.documents())
            .zip(third.documents())
            .map(|((first, second), third)| [first, second, third])
            .collect()
    }
}

/// The URL of a link by each of [`Rules::ALL`].
pub type Urls = [Result<String, ResolveError>; 3];

/// Resolves a reference by every rule set.
pub fn urls(resolver: &mut [LinkResolver<'_>; 3], reference: &Reference<'_>) -> Urls {
    resolver
        .each_mut()
        .map(|one| one.url(reference).map(str::to_owned))
}

/// The bases of a document by every rule set.
pub fn bases<'e>(links_by_rules: &[&'e DocumentLinks<'_>; 3]) -> [&'e Base; 3] {
    links_by_rules.map(DocumentLinks::base)
}

/// Whether the base of a document is a relative reference.
#[must_use]
pub fn is_base_relative(document_links: &DocumentLinks<'_>) -> bool {
    let candidates = &document_links.base_report().candidates;
    let taken = candidates.iter().find(|c| c.verdict == Verdict::Taken);
    taken.is_some_and(|candidate| {
        let value = candidate.value.trim_start_matches('<');
        let value = value.strip_prefix("URL:").unwrap_or(value);
        resolve(Rules::Rfc1808, None, value).is_err()
    })
}

/// The encoding of a document.
#[must_use]
pub fn encoding(document: &Document) -> &'static Encoding {
    encoding::named(document.encoding)
}

/// The URL of a base in normal form; empty if it has none.
#[must_use]
pub fn form_of(base: &Base) -> String {
    form(base.url.as_deref().unwrap_or_default())
}

/// A URL in the normal form in which URLs are compared.
#[must_use]
pub fn form(url: &str) -> String {
    normal(url, &NormalOptions::default())
}

/// Whether a reference is checked: it is a link defined by a standard, and not a base.
fn is_judged(reference: &Reference<'_>) -> bool {
    let slot = reference.slot;
    let is_base = reference.context == Context::Outside || reference.attr == "xml:base";
    let is_link = matches!(
        slot.class,
        Class::Anchor | Class::Resource | Class::Document | Class::Form
    );
    !is_base && (is_link && slot.standard || is_judged_metadata(reference))
}

/// How a move treats a reference in the source of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceRole {
    /// A link, which is checked.
    Judged,
    /// A placeholder in a template, replaced by a script.
    FilledIn,
    /// Anything else.
    Other,
}

impl ReferenceRole {
    fn from_reference(reference: &Reference<'_>) -> Self {
        if is_judged(reference) {
            Self::Judged
        } else {
            Self::Other
        }
    }
}

/// All references in the source of a document, and how a move treats each.
pub fn written(document: &Document) -> impl Iterator<Item = (Reference<'_>, ReferenceRole)> {
    let own = document
        .references
        .iter()
        .map(|one| (one, ReferenceRole::from_reference(&one)));
    let inert = document.inert.iter().map(|one| {
        let part = if is_filled_in(one.value) {
            ReferenceRole::FilledIn
        } else {
            ReferenceRole::from_reference(&one)
        };
        (one, part)
    });
    own.chain(inert)
}

/// Whether a value in a template is a placeholder: it is empty, or begins like a placeholder of a common
/// template language.
fn is_filled_in(value: &str) -> bool {
    const MARKS: [&str; 7] = ["{", "[[", "<%", "<?", "${", "#{", "@{"];
    let value = value.trim_ascii_start();
    value.is_empty() || MARKS.iter().any(|mark| value.starts_with(mark))
}

/// Whether a metadata reference is a link rather than an identifier of a type, an item or a vocabulary.
fn is_judged_metadata(reference: &Reference<'_>) -> bool {
    const NAMES: [&str; 6] = [
        "itemid", "itemtype", "profile", "about", "resource", "usemap",
    ];
    let slot = reference.slot;
    let is_link = slot.class == Class::Metadata
        && slot.standard
        && reference.attr != CONTENT
        && !NAMES.contains(&reference.attr)
        && matches!(slot.grammar, Grammar::Url | Grammar::SpaceList);
    is_link || slot.is_own_address
}

/// The range of bytes of a value in the source of its document.
///
/// # Errors
/// Why the value cannot be edited.
pub fn editable(reference: &Reference<'_>, source: &[u8]) -> Result<Range<usize>, &'static str> {
    let is_value = matches!(
        reference.slot.grammar,
        Grammar::Url
            | Grammar::SpaceList
            | Grammar::CommaList
            | Grammar::Srcset
            | Grammar::Refresh
            | Grammar::Parameter
    );
    // Only in feeds and sitemaps is the text of an element a URL.
    if !is_value || reference.attr == CONTENT && reference.slot.grammar != Grammar::Url {
        return Err(IN_CODE);
    }
    let at = reference.at.ok_or("its place is not known")?;
    byte_range(at.byte.clone(), source).ok_or("its place is not known")
}

/// The reason given for links in CSS, JSON or text, which are not edited.
pub const IN_CODE: &str = "it is in a style sheet, a script or text";

/// The reason given for links that the rule sets resolve differently.
pub const DISAGREE: &str = "the rule sets disagree on what it meant";

/// The reason given for links whose new value cannot be encoded.
pub const NO_CHARACTER: &str = "the encoding of the page lacks a character of the new value";

/// The range as one of `source`; `None` if it ends outside.
#[must_use]
pub fn byte_range(byte: Range<u64>, source: &[u8]) -> Option<Range<usize>> {
    let range = usize::try_from(byte.start).ok()?..usize::try_from(byte.end).ok()?;
    source.get(range.clone())?;
    Some(range)
}
