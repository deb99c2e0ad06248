//! Feeds and sitemaps: Atom, RSS and its modules, the Sitemaps protocol and its extensions.
//!
//! They are read less strictly than pages: bare ampersands, HTML's named references and undeclared
//! prefixes are common in feeds, and feed readers accept them.

use std::fmt::Display;

use quick_xml::Reader as Tags;
use quick_xml::events::{BytesPI, BytesStart, Event};
use quick_xml::name::{Namespace as Uri, PrefixDeclaration, ResolveResult};

use super::{
    Entities, MATHML, Malformed, OpenElement, Reader, Replacement, SVG, Step, XHTML, XLINK_HREF,
    malformed, next_event, predefined, span_in,
};
use crate::character_reference::{Null, decode_text};
use crate::collect::Collector;
use crate::tokenizer::{Attribute, Span, Text, TextKind, attribute_key};
use baseref_document::link_places::Namespace;
use baseref_document::{Context, DocumentKind, Limits, NoteCode};

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const ATOM: [&str; 2] = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"];
const RSS_IN_RDF: [&str; 2] = [
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
];

/// The namespaces of modules, and the prefix that their elements have in the table of places.
const MODULES: [(&str, Namespace, &str); 7] = [
    (
        "http://purl.org/rss/1.0/modules/content/",
        Namespace::Feed,
        "content",
    ),
    ("http://search.yahoo.com/mrss/", Namespace::Feed, "media"),
    (
        "http://www.itunes.com/dtds/podcast-1.0.dtd",
        Namespace::Feed,
        "itunes",
    ),
    (
        "https://podcastindex.org/namespace/1.0",
        Namespace::Feed,
        "podcast",
    ),
    (
        "http://wellformedweb.org/CommentAPI/",
        Namespace::Feed,
        "wfw",
    ),
    (
        "http://www.google.com/schemas/sitemap-image/1.1",
        Namespace::Sitemap,
        "image",
    ),
    (
        "http://www.google.com/schemas/sitemap-video/1.1",
        Namespace::Sitemap,
        "video",
    ),
];

/// Passes the elements and texts of a feed or sitemap to the collector, whose source is the result of
/// [`super::source`].
///
/// # Errors
/// If it is not well-formed, or its root is not a feed or sitemap: the collector then holds everything
/// before the error.
pub(crate) fn read<'s>(
    source: &'s str,
    entities: &'s Entities,
    limits: &Limits,
    collector: &mut Collector<'s, '_>,
) -> Step {
    let text = source.strip_suffix(XLINK_HREF).unwrap_or(source);
    Feed {
        reader: Reader::new(text, entities, limits, collector),
        levels: Vec::new(),
        root: None,
        style_sheets: Vec::new(),
    }
    .read()
}

struct Feed<'s, 'c, 'o> {
    reader: Reader<'s, 'c, 'o>,
    levels: Vec<Level>,
    root: Option<Root>,
    /// The addresses in `xml-stylesheet` before the root, each with its name.
    style_sheets: Vec<Attribute>,
}

/// The root element.
struct Root {
    /// The namespace of the elements of its vocabulary in the table of places.
    namespace: Namespace,
    /// The namespace as declared, which the elements of its vocabulary share; `None` if it is in none.
    uri: Option<String>,
}

/// An open element.
#[derive(Clone, Copy)]
struct Level {
    open: OpenElement,
    /// The base of its content.
    base: Context,
    is_of_feed: bool,
}

impl<'s> Feed<'s, '_, '_> {
    fn read(mut self) -> Step {
        let text = self.reader.text;
        let mut tags = Tags::from_str(text);
        tags.config_mut().allow_dangling_amp = true;
        loop {
            let (event, span) = next_event(&mut tags)?;
            let start = span.start;
            match event {
                Event::Start(tag) => self.start(&tag, span)?,
                Event::Empty(tag) => {
                    self.start(&tag, span)?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(_) => self.text(span, TextKind::Raw),
                Event::CData(_) => {
                    let inside = Span {
                        start: span.start + "<![CDATA[".len(),
                        end: span.end.saturating_sub("]]>".len()),
                    };
                    self.text(inside, TextKind::CdataSection);
                }
                Event::GeneralRef(_) => self.reference(span),
                Event::PI(instruction) => self.instruction(&instruction),
                Event::DocType(_) | Event::Decl(_) | Event::Comment(_) => {}
                Event::Eof if self.levels.is_empty() && self.root.is_some() => return Ok(()),
                Event::Eof if self.root.is_none() => return malformed("no root element", start),
                Event::Eof => return malformed("an element that is not closed", start),
            }
        }
    }

    fn start(&mut self, tag: &BytesStart<'s>, span: Span) -> Step {
        let fault = |reason: &'static str| malformed(reason, span.start);
        let is_root = self.levels.is_empty();
        if is_root && self.root.is_some() {
            return fault("a second root element");
        }
        if self.levels.len() >= self.reader.depth {
            return fault("elements nested too deeply");
        }
        // It is below the depth limit, which fits.
        let level = u16::try_from(self.levels.len() + 1).unwrap_or(u16::MAX);
        self.bind(tag, level, span.start)?;
        let (resolved, local_name) = self.reader.namespaces.resolve_element(tag.name());
        let local_name = local_name.into_inner();
        let uri = match resolved {
            ResolveResult::Bound(Uri(uri)) => Some(uri.to_owned()),
            _ => None,
        };
        let is_unbound = matches!(resolved, ResolveResult::Unknown(_));
        if is_root {
            let Some((namespace, kind)) = root(local_name) else {
                return fault("a root that is not that of a feed or sitemap");
            };
            self.reader.collector.set_kind(kind);
            self.root = Some(Root {
                namespace,
                uri: uri.clone(),
            });
            self.style_sheets(namespace);
        }
        self.attributes(tag);
        let outer = self
            .levels
            .last()
            .map_or(Context::Document, |level| level.base);
        let base = self.reader.collector.xml_base(outer, is_root);
        let level = match uri.as_deref() {
            Some(XHTML) => self.foreign(Namespace::Html, local_name, base),
            Some(SVG) => self.foreign(Namespace::Svg, local_name, base),
            Some(MATHML) => self.foreign(Namespace::MathMl, local_name, base),
            _ if is_unbound => Level::nothing(base),
            uri => self.own(uri, local_name, (!is_root).then_some(outer), base),
        };
        if !is_root && level.is_of_feed && local_name == "title" {
            self.title(span.end);
        }
        self.levels.push(level);
        Ok(())
    }

    /// Namespaces in XML §3: the namespace declarations of a tag.
    fn bind(&mut self, tag: &BytesStart<'s>, level: u16, offset: usize) -> Result<(), Malformed> {
        let malformed = |error: &dyn Display| Malformed {
            reason: error.to_string().into(),
            offset,
        };
        let namespaces = &mut self.reader.namespaces;
        namespaces.set_level(level);
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| malformed(&error))?;
            let Some(prefix) = attribute.key.as_namespace_binding() else {
                continue;
            };
            let uri = self.reader.entities.value(&attribute.value).text;
            let is_reserved = matches!(prefix, PrefixDeclaration::Named("xml" | "xmlns"));
            if !is_reserved {
                let added = namespaces.add(prefix, Uri(&uri));
                added.map_err(|error| malformed(&error))?;
            }
        }
        Ok(())
    }

    /// Begins an element with those attributes of its tag that may be in the table of places.
    fn attributes(&mut self, tag: &BytesStart<'s>) {
        let text = self.reader.text;
        let (attributes, named) = self.reader.collector.begin_named();
        for attribute in tag.attributes().with_checks(false).flatten() {
            let name = attribute.key.into_inner();
            let is_known = match name.split_once(':') {
                None => name != "xmlns",
                Some(("xml", local)) => local == "base",
                Some((prefix, _)) => matches!(prefix, "rdf" | "xlink"),
            };
            let spans = (span_in(text, name), span_in(text, &attribute.value));
            if let (true, (Some(span), Some(value))) = (is_known, spans) {
                let attribute = Attribute {
                    name: span,
                    key: attribute_key(name.as_bytes()),
                    value,
                };
                named.take(attribute);
                attributes.push(attribute);
            }
        }
    }

    /// An element of HTML, SVG or `MathML` in the content of an entry, or of a sitemap.
    fn foreign(&mut self, namespace: Namespace, local_name: &str, base: Context) -> Level {
        // It declares nothing for the feed.
        if local_name == "base" {
            return Level::nothing(base);
        }
        let first = self.reader.collector.links();
        let open = self.reader.collect(Some(namespace), local_name, None);
        self.reader.templates += usize::from(open.template);
        self.reader.collector.relate(first, base);
        Level {
            open,
            base,
            is_of_feed: false,
        }
    }

    /// An element of a feed or sitemap, or of a vocabulary that is not known.
    fn own(
        &mut self,
        uri: Option<&str>,
        local_name: &str,
        outer: Option<Context>,
        base: Context,
    ) -> Level {
        let Some(root) = &self.root else {
            return Level::nothing(base);
        };
        let module = MODULES.iter().find(|(known, ..)| Some(*known) == uri);
        let is_of_root = uri == root.uri.as_deref();
        let is_of_feed =
            uri.is_some_and(|uri| ATOM.contains(&uri) || RSS_IN_RDF.contains(&uri) || uri == RDF);
        let (namespace, name) = match module {
            Some((_, namespace, prefix)) => (*namespace, format!("{prefix}:{local_name}").into()),
            None if is_of_root => (root.namespace, std::borrow::Cow::Borrowed(local_name)),
            None if is_of_feed => (Namespace::Feed, local_name.into()),
            None => return Level::nothing(base),
        };
        let collector = &mut *self.reader.collector;
        let collected = collector.feed_element(namespace, &name, outer, base);
        Level {
            open: OpenElement {
                content: collected.content,
                ..OpenElement::default()
            },
            base,
            is_of_feed: true,
        }
    }

    /// Reads the title whose content begins at an offset, up to the first tag.
    fn title(&mut self, content: usize) {
        if self.reader.collector.wants_title() {
            let rest = self.reader.text.get(content..).unwrap_or_default();
            let in_section = rest.trim_ascii_start().strip_prefix("<![CDATA[");
            let title = if let Some(section) = in_section {
                section.split("]]>").next().unwrap_or_default().into()
            } else {
                let raw = rest.split('<').next().unwrap_or_default();
                self.reader.entities.value(raw).text
            };
            self.reader.collector.set_title(&title);
        }
    }

    fn end(&mut self) {
        let Some(Level {
            open,
            base,
            is_of_feed,
        }) = self.levels.pop()
        else {
            return;
        };
        let collector = &mut *self.reader.collector;
        if open.content && is_of_feed {
            collector.end_feed_content(base);
        } else if open.content {
            let first = collector.links();
            collector.end_content();
            collector.relate(first, base);
        }
        if open.anchor {
            collector.end_anchor();
        }
        self.reader.templates -= usize::from(open.template);
        let level = u16::try_from(self.levels.len()).unwrap_or(u16::MAX);
        self.reader.namespaces.set_level(level);
    }

    fn text(&mut self, span: Span, kind: TextKind) {
        let Some(Level { open, .. }) = self.levels.last() else {
            return;
        };
        let collector = &mut *self.reader.collector;
        if open.content {
            if span.start < span.end {
                collector.content(Text { span, kind });
            }
        } else if !open.hides_text && collector.in_anchor() {
            let text = decode_text(span.slice(self.reader.text), false, Null::Keep);
            collector.text(&text);
        }
    }

    /// `&name;` in text. HTML's names are understood, declared or not.
    fn reference(&mut self, span: Span) {
        let raw = span.slice(self.reader.text);
        let name = raw.strip_prefix('&').and_then(|raw| raw.strip_suffix(';'));
        let Some((Level { open, .. }, name)) = self.levels.last().zip(name) else {
            return;
        };
        let text = decode_text(raw, true, Null::Keep);
        let is_of_html = predefined(name).is_some() || text != raw;
        let collector = &mut *self.reader.collector;
        if is_of_html && open.content {
            let kind = TextKind::Data;
            collector.content(Text { span, kind });
        } else if is_of_html && !open.hides_text {
            collector.text(&text);
        } else if open.content || collector.in_anchor() {
            let known = self.reader.entities.resolve(name);
            if let (Some(Replacement::Text(text)), false) = (known, open.content) {
                return collector.text(&text);
            }
            let detail = format!("the entity {name:?} is not expanded");
            collector.note_once(NoteCode::EntityUnread, detail, span.start);
        }
    }

    /// The address of a style sheet (Associating Style Sheets with XML documents §4), for the root.
    fn instruction(&mut self, instruction: &BytesPI<'s>) {
        if self.root.is_some() || instruction.target() != "xml-stylesheet" {
            return;
        }
        for attribute in instruction.attributes().with_checks(false).flatten() {
            let name = attribute.key.into_inner();
            let text = self.reader.text;
            let spans = span_in(text, name).zip(span_in(text, &attribute.value));
            if let Some((span, value)) = spans.filter(|_| name == "href") {
                self.style_sheets.push(Attribute {
                    name: span,
                    key: attribute_key(name.as_bytes()),
                    value,
                });
            }
        }
    }

    fn style_sheets(&mut self, namespace: Namespace) {
        for attribute in std::mem::take(&mut self.style_sheets) {
            let collector = &mut *self.reader.collector;
            let (attributes, _) = collector.begin_named();
            attributes.push(attribute);
            collector.feed_element(namespace, "xml-stylesheet", None, Context::Document);
        }
    }
}

impl Level {
    /// An element from which nothing is collected.
    fn nothing(base: Context) -> Self {
        Self {
            open: OpenElement::default(),
            base,
            is_of_feed: false,
        }
    }
}

/// The kind of a document, by the name of its root.
fn root(local_name: &str) -> Option<(Namespace, DocumentKind)> {
    match local_name {
        "feed" | "rss" | "RDF" => Some((Namespace::Feed, DocumentKind::Feed)),
        "urlset" | "sitemapindex" => Some((Namespace::Sitemap, DocumentKind::Sitemap)),
        _ => None,
    }
}
