//! XHTML, SVG, feeds and sitemaps by the rules of XML, for well-formed documents only. The only module here that
//! uses quick-xml, which finds the tags and checks that they match.

mod entities;
mod feed;

use std::borrow::Cow;

use memchr::memmem;
use quick_xml::Reader as Tags;
use quick_xml::events::attributes::Attribute as XmlAttribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace as Uri, NamespaceResolver, QName, ResolveResult};

pub(super) use self::entities::Entities;
use self::entities::{Replacement, each_piece, first_not_allowed, predefined};
pub(super) use self::feed::read as read_feed;
use super::character_reference::{Null, decode_text};
use super::collect::{Collected, Collector, Parent, has_content};
use super::names::{self, Name};
use super::token_order;
use super::tokenizer::{Attribute, Span, Text, TextKind, attribute_key};
use baseref_document::link_places::Namespace;
use baseref_document::{DocumentKind, Limits, NoteCode};

/// Why a document could not be read by the rules of XML, and where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) reason: Cow<'static, str>,
    /// The offset of the first tag or text not processed.
    pub(super) offset: usize,
}

type Step = Result<(), Malformed>;

const XHTML: &str = "http://www.w3.org/1999/xhtml";
const SVG: &str = "http://www.w3.org/2000/svg";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
/// The namespaces of what lists the files of an EPUB: its package document (EPUB 3.3 §5.4), the
/// navigation document of EPUB 2 (OPF 2.0.1 §2.4.1), a media overlay (EPUB 3.3 §9.2.2.1), the
/// container file and the list of what is encrypted (§4.2.6.3), the index of a dictionary.
const OPF: &str = "http://www.idpf.org/2007/opf";
const NCX: &str = "http://www.daisy.org/z3986/2005/ncx/";
const SMIL: &str = "http://www.w3.org/ns/SMIL";
const CONTAINER: &str = "urn:oasis:names:tc:opendocument:xmlns:container";
const ENCRYPTION: &str = "http://www.w3.org/2001/04/xmlenc#";
const OPS: &str = "http://www.idpf.org/2007/ops";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The element and the attribute of the vocabularies of EPUB that are written with capitals.
const CIPHER_REFERENCE: &str = "CipherReference";
const URI: &str = "URI";

/// The name of the `XLink` namespace's `href` in the table of places.
const XLINK_HREF: &str = "xlink:href";

/// A document's text for the collector, followed by the name of an attribute that the document may
/// write with another prefix.
pub(super) fn source(text: &str) -> String {
    [text, XLINK_HREF].concat()
}

/// The entities of a document, from its document type declaration if it has one.
pub(super) fn entities(text: &str, limits: &Limits) -> Entities {
    let mut tags = Tags::from_str(text);
    loop {
        match tags.read_event() {
            Ok(Event::DocType(declaration)) => {
                return Entities::declared_by(&declaration, limits.entities);
            }
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Text(_)) => {}
            Ok(_) | Err(_) => return Entities::declared_by("", limits.entities),
        }
    }
}

/// Passes the elements and texts of a document to the collector, whose source is the result of
/// [`source`].
///
/// # Errors
/// If it is not well-formed, or its root is not an HTML, SVG or MathML element: the collector then
/// holds everything before the error.
pub(super) fn read<'s>(
    source: &'s str,
    entities: &'s Entities,
    limits: &Limits,
    collector: &mut Collector<'s, '_>,
) -> Step {
    let text = source.strip_suffix(XLINK_HREF).unwrap_or(source);
    if let Some(offset) = first_not_allowed(text) {
        return malformed("a character that XML does not allow", offset);
    }
    Reader::new(text, entities, limits, collector).read()
}

/// The next part of a document, and where it stands.
fn next_event<'s>(tags: &mut Tags<&'s [u8]>) -> Result<(Event<'s>, Span), Malformed> {
    let start = offset(tags.buffer_position());
    let event = tags.read_event().map_err(|error| Malformed {
        reason: error.to_string().into(),
        offset: start,
    })?;
    let end = offset(tags.buffer_position());
    Ok((event, Span { start, end }))
}

fn malformed(reason: impl Into<Cow<'static, str>>, offset: usize) -> Step {
    Err(Malformed {
        reason: reason.into(),
        offset,
    })
}

struct Reader<'s, 'c, 'o> {
    text: &'s str,
    entities: &'s Entities,
    collector: &'c mut Collector<'s, 'o>,
    namespaces: NamespaceResolver,
    /// The maximum number of open elements.
    depth: usize,
    open: Vec<OpenElement>,
    /// The number of open templates: their content is not in the document.
    templates: usize,
    has_root: bool,
}

/// The state of an open element.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent consequences of its end"
)]
struct OpenElement {
    /// The collector takes its content as the text of a link.
    anchor: bool,
    /// The collector takes its text as a style sheet or data.
    content: bool,
    template: bool,
    /// An HTML `noscript`.
    noscript: bool,
    /// A script or style sheet: its text is not text of the document.
    hides_text: bool,
    /// What it is as the parent of another, if the collector asks.
    parent: Option<Parent>,
}

impl<'s, 'c, 'o> Reader<'s, 'c, 'o> {
    fn new(
        text: &'s str,
        entities: &'s Entities,
        limits: &Limits,
        collector: &'c mut Collector<'s, 'o>,
    ) -> Self {
        Self {
            text,
            entities,
            collector,
            namespaces: NamespaceResolver::default(),
            depth: limits.tree_depth,
            open: Vec::new(),
            templates: 0,
            has_root: false,
        }
    }

    fn read(mut self) -> Step {
        let mut tags = Tags::from_str(self.text);
        tags.config_mut().check_comments = true;
        loop {
            let (event, span) = next_event(&mut tags)?;
            let start = span.start;
            match event {
                Event::Start(tag) => self.start(&tag, start, span.end)?,
                Event::Empty(tag) => {
                    self.start(&tag, start, self.text.len())?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(_) => self.characters(span)?,
                Event::CData(_) => self.cdata_section(span)?,
                Event::GeneralRef(_) => self.reference(span)?,
                Event::Comment(_) if self.templates == 0 => {
                    token_order::comment(span.start..span.end, self.collector);
                }
                Event::DocType(_) if self.has_root => {
                    return malformed("a document type declaration inside the document", start);
                }
                Event::Comment(_) | Event::DocType(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof if self.open.is_empty() && self.has_root => return Ok(()),
                Event::Eof => return malformed("an element that is not closed", start),
            }
        }
    }

    /// Begins an element with its tag at `start` and its content at `content`.
    fn start(&mut self, tag: &BytesStart<'s>, start: usize, content: usize) -> Step {
        let at_start = |reason: &'static str| Malformed {
            reason: reason.into(),
            offset: start,
        };
        if self.open.is_empty() && self.has_root {
            return Err(at_start("a second root element"));
        }
        if self.open.len() >= self.depth {
            return Err(at_start("elements nested too deeply"));
        }
        let in_tag = |reason| Malformed {
            reason,
            offset: start,
        };
        let mut attributes = tag.attributes();
        let attributes = attributes.with_checks(false).collect::<Result<Vec<_>, _>>();
        let attributes = attributes.map_err(|error| in_tag(error.to_string().into()))?;
        self.bind(&attributes).map_err(in_tag)?;
        let (namespace, local_name) = match self.namespaces.resolve_element(tag.name()) {
            (ResolveResult::Bound(Uri(XHTML)), name) => (Some(Namespace::Html), name),
            (ResolveResult::Bound(Uri(SVG)), name) => (Some(Namespace::Svg), name),
            (ResolveResult::Bound(Uri(MATHML)), name) => (Some(Namespace::MathMl), name),
            (ResolveResult::Bound(Uri(OPF | NCX | SMIL | CONTAINER | ENCRYPTION | OPS)), name) => {
                (Some(Namespace::Epub), name)
            }
            (ResolveResult::Unknown(_), _) => {
                return Err(at_start("a prefix that is bound to no namespace"));
            }
            (_, name) => (None, name),
        };
        let local_name = local_name.into_inner();
        if !self.has_root && namespace.is_none() {
            return Err(at_start(
                "a root that is not an HTML, SVG, MathML or EPUB element",
            ));
        }
        if !self.has_root && namespace == Some(Namespace::Svg) {
            self.collector.set_kind(DocumentKind::Image);
        }
        self.has_root = true;
        self.attributes(&attributes).map_err(at_start)?;
        let open = self.collect(namespace, local_name, Some(start));
        if self.templates == 0 && namespace == Some(Namespace::Html) && local_name == "title" {
            self.title(content);
        }
        self.templates += usize::from(open.template);
        self.open.push(open);
        Ok(())
    }

    /// Reads the title whose content begins at an offset, up to the first tag.
    fn title(&mut self, content: usize) {
        if self.collector.wants_title() {
            let rest = self.text.get(content..).unwrap_or_default();
            let title = rest.split('<').next().unwrap_or_default();
            self.collector.set_title(&self.entities.value(title).text);
        }
    }

    /// Namespaces in XML §3: the namespace declarations of a tag.
    fn bind(&mut self, attributes: &[XmlAttribute<'_>]) -> Result<(), Cow<'static, str>> {
        // It is below the depth limit, which fits.
        let level = u16::try_from(self.open.len() + 1).unwrap_or(u16::MAX);
        self.namespaces.set_level(level);
        let mut names: Vec<&str> = Vec::new();
        for attribute in attributes {
            if let Some(prefix) = attribute.key.as_namespace_binding() {
                let uri = self.entities.value(&attribute.value).text;
                let added = self.namespaces.add(prefix, Uri(&uri));
                added.map_err(|error| Cow::Owned(error.to_string()))?;
            }
            names.push(attribute.key.into_inner());
        }
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two attributes with the same name".into());
        }
        Ok(())
    }

    /// Begins an element with the attributes of its tag.
    fn attributes(&mut self, of_tag: &[XmlAttribute<'_>]) -> Result<(), &'static str> {
        let (attributes, named) = self.collector.begin_named();
        for attribute in of_tag {
            if each_piece(&attribute.value, self.entities, |_, _| ()).is_none() {
                return Err("an attribute value with a < or a reference that is not to text");
            }
            let name = attribute.key.into_inner();
            let (Some(value), Some(mut span)) = (
                span_in(self.text, &attribute.value),
                span_in(self.text, name),
            ) else {
                continue;
            };
            let Some(name) = canonical(&self.namespaces, attribute.key)? else {
                continue;
            };
            if name == XLINK_HREF {
                let start = self.text.len();
                let end = start + name.len();
                span = Span { start, end };
            }
            let attribute = Attribute {
                name: span,
                key: attribute_key(name.as_bytes()),
                value,
            };
            named.take(attribute);
            attributes.push(attribute);
        }
        Ok(())
    }

    /// Collects the current element, whose tag begins at `start` if it may be the parent of others.
    fn collect(
        &mut self,
        namespace: Option<Namespace>,
        local_name: &str,
        start: Option<usize>,
    ) -> OpenElement {
        let Some(namespace) = namespace else {
            return OpenElement::default();
        };
        let mut parent = None;
        if self.collector.wants_choices() {
            let around = self.open.last();
            self.collector
                .set_parent(around.and_then(|around| around.parent));
            let name = match namespace {
                Namespace::Html => Name::from_bytes(local_name.as_bytes()),
                _ => Name::Other,
            };
            parent = start.map(|tag| Parent { name, tag });
        }
        let template = namespace == Namespace::Html && local_name == Name::Template.text();
        let noscript = namespace == Namespace::Html && local_name == Name::Noscript.text();
        let hides_text = has_content(local_name);
        // Names are case-sensitive.
        let is_known = match namespace {
            Namespace::Svg => names::svg(local_name) == local_name,
            Namespace::Epub if local_name == CIPHER_REFERENCE => true,
            _ => !local_name.bytes().any(|byte| byte.is_ascii_uppercase()),
        };
        let collect = |collector: &mut Collector<'_, '_>| {
            if is_known {
                collector.element_named(namespace, local_name)
            } else {
                collector.unknown_element(namespace, local_name)
            }
        };
        let collected = if self.templates == 0 {
            if namespace == Namespace::Html && local_name == Name::Body.text() {
                self.collector.begin_body();
            }
            if noscript {
                self.collector.set_in_noscript(true);
            }
            collect(self.collector)
        } else if self.collector.wants_inert() {
            self.collector.inert(collect)
        } else {
            Collected::default()
        };
        OpenElement {
            anchor: collected.anchor,
            content: collected.content,
            template,
            noscript,
            hides_text,
            parent,
        }
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        if open.content {
            self.collector.end_content();
        }
        if open.anchor {
            self.collector.end_anchor();
        }
        if open.noscript {
            self.collector.set_in_noscript(false);
        }
        self.templates -= usize::from(open.template);
        let level = u16::try_from(self.open.len()).unwrap_or(u16::MAX);
        self.namespaces.set_level(level);
    }

    /// Text without references.
    fn characters(&mut self, span: Span) -> Step {
        let text = span.slice(self.text);
        if self.open.is_empty() && !text.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return malformed("text outside of the root element", span.start);
        }
        if memmem::find(text.as_bytes(), b"]]>").is_some() {
            return malformed("]]> in text", span.start);
        }
        self.text(span, TextKind::Raw);
        Ok(())
    }

    fn cdata_section(&mut self, span: Span) -> Step {
        if self.open.is_empty() {
            return malformed("text outside of the root element", span.start);
        }
        let inside = Span {
            start: span.start + "<![CDATA[".len(),
            end: span.end.saturating_sub("]]>".len()),
        };
        self.text(inside, TextKind::CdataSection);
        Ok(())
    }

    /// A text, as written except for its line ends.
    fn text(&mut self, span: Span, kind: TextKind) {
        let Some(open) = self.open.last() else {
            return;
        };
        if open.content {
            if span.start < span.end {
                self.collector.content(Text { span, kind });
            }
        } else if self.templates == 0 && !open.hides_text && self.collector.in_anchor() {
            let text = decode_text(span.slice(self.text), false, Null::Keep);
            self.collector.text(&text);
        }
    }

    /// `&name;` in text.
    fn reference(&mut self, span: Span) -> Step {
        let raw = span.slice(self.text);
        let name = raw.strip_prefix('&').and_then(|raw| raw.strip_suffix(';'));
        let replacement = name.and_then(|name| self.entities.resolve(name));
        let (Some(name), Some(replacement)) = (name, replacement) else {
            return malformed("a reference to an entity that is not declared", span.start);
        };
        let Some(open) = self.open.last().copied() else {
            return malformed("text outside of the root element", span.start);
        };
        if self.templates > 0 && !open.content {
            return Ok(());
        }
        match replacement {
            // The collector decodes HTML's references, which include these.
            _ if open.content && predefined(name).is_some() => {
                let kind = TextKind::Data;
                self.collector.content(Text { span, kind });
            }
            Replacement::Text(text) if !open.hides_text => self.collector.text(&text),
            Replacement::Text(_) if !open.content => {}
            Replacement::Text(_) | Replacement::NoText => {
                let detail = format!("the entity {name:?} is not expanded");
                self.collector
                    .note_once(NoteCode::EntityUnread, detail, span.start);
            }
        }
        Ok(())
    }
}

/// The name of an attribute in the table of places; `None` if it cannot be in the table.
fn canonical<'n>(
    namespaces: &NamespaceResolver,
    key: QName<'n>,
) -> Result<Option<&'n str>, &'static str> {
    let name = key.into_inner();
    let is_exact = name == URI || !name.bytes().any(|byte| byte.is_ascii_uppercase());
    let exact = Some(name).filter(|_| is_exact);
    if key.prefix().is_none() || key.as_namespace_binding().is_some() {
        return Ok(exact);
    }
    match namespaces.resolve_attribute(key) {
        (ResolveResult::Unknown(_), _) => Err("a prefix that is bound to no namespace"),
        (ResolveResult::Bound(Uri(XLINK)), local) if local.into_inner() == "href" => {
            Ok(Some(XLINK_HREF))
        }
        // No other prefix is in use.
        (ResolveResult::Bound(Uri(OPS)), _) => Ok(exact.filter(|name| *name == "epub:textref")),
        _ => Ok(exact.filter(|name| *name == "xml:base")),
    }
}

/// The span of a substring within its text.
fn span_in(text: &str, part: &str) -> Option<Span> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let end = start + part.len();
    (end <= text.len()).then_some(Span { start, end })
}

/// An offset in a text in memory.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
