//! Reads the HTML body of a message: a page in which mail programs also make the URLs in its text
//! clickable.

use super::character_reference::Value;
use super::collect::Settings;
use super::names::Name;
use super::page;
use super::text::plain;
use super::tokenizer::{Span, TagEnd, Text, Token, Tokenizer};
use baseref_document::link_places::{Class, hidden_text_row, plain_text_row};
use baseref_document::{Document, Note, NoteCode, ReadOptions, Reference, References};
use baseref_text::decode::position::Positions;
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::grammar::running_text;
use std::ops::Range;

/// Reads the HTML body of a message. Of the class [`Class::Text`] are the URLs in its text outside links,
/// each before the next link after it; the element of those in hidden text is `hidden-text`.
///
/// Departs: elements count as hidden by their own `style` and `hidden` attributes, and end at their end
/// tags; style sheets are not applied.
#[must_use]
pub fn read(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    if source.markup != Markup::Html || !options.classes.contains(Class::Text) {
        return page::read(source, options);
    }
    let decoded = page::decode(&source, options);
    let document = page::begin(source, &decoded, options);
    let urls = find(&decoded.text);
    // They are put in order by their positions.
    let with_positions = (!urls.is_empty()).then(|| options.clone().with_positions(true));
    let options = with_positions.as_ref().unwrap_or(options);
    let positions = decoded.positions();
    let mut document = page::read_text(&decoded.text, positions, document, Settings::new(options));
    if !urls.is_empty() {
        let most = options.limits.links_of(decoded.text.len());
        let left = most.saturating_sub(document.references.len());
        insert(&mut document, &urls, left, decoded.positions(), options);
    }
    document
}

/// A URL in the text of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BareUrl {
    value: String,
    without_scheme: bool,
    is_hidden: bool,
    /// Where it is in the page, from its first byte to its last.
    range: Range<usize>,
}

/// Adds the first `left` of the URLs to the references of the document.
fn insert(
    document: &mut Document,
    urls: &[BareUrl],
    left: usize,
    mut positions: Positions<'_>,
    options: &ReadOptions,
) {
    if let Some(first) = urls.get(left) {
        document.notes.push(
            Note::new(
                NoteCode::LinkCount,
                format!("the URLs in the text after the first {left} are not listed"),
            )
            .at_line(Some(positions.line(first.range.start))),
        );
    }
    let mut found = References::default();
    let mut insertion_points = Vec::new();
    let is_noted = |note: &Note| note.code == NoteCode::AttributeSize;
    let mut is_noted = document.notes.iter().any(is_noted);
    let mut first_cut = None;
    let mut links = document.references.iter().enumerate().peekable();
    for url in &urls[..urls.len().min(left)] {
        let slot = if url.is_hidden {
            hidden_text_row()
        } else {
            plain_text_row()
        };
        let Some(slot) = slot else { return };
        let (value, cut) = plain::cut(&url.value, options.limits.attribute);
        if cut && !is_noted {
            is_noted = true;
            let detail = format!("a URL of {} bytes is truncated", url.value.len());
            let line = positions.line(url.range.start);
            first_cut = Some(Note::new(NoteCode::AttributeSize, detail).at_line(Some(line)));
        }
        let at = positions.locate(url.range.clone());
        let is_before =
            |link: &Reference<'_>| link.at.is_none_or(|link| link.byte.start < at.byte.start);
        while links.next_if(|(_, link)| is_before(link)).is_some() {}
        insertion_points.push(
            links
                .peek()
                .map_or(document.references.len(), |(index, _)| *index),
        );
        found.push(Reference {
            cut,
            ..plain::reference(slot, value, url.without_scheme, Some(&at))
        });
    }
    drop(links);
    document.notes.extend(first_cut);
    document.references.insert(&found, &insertion_points);
}

/// The URLs in the text of a page, in order.
fn find(source: &str) -> Vec<BareUrl> {
    let mut reading = Reading {
        source,
        urls: Vec::new(),
        line: Vec::new(),
        in_link: false,
        unread: None,
        hidden: None,
    };
    let mut tokenizer = Tokenizer::new(source);
    loop {
        match tokenizer.next(|| false) {
            Token::Text(text) => reading.text(text),
            Token::StartTag(tag) => {
                let raw = tag.span;
                let mut tag = Tag::new(tag.name);
                let end = tokenizer.attributes(|attribute| {
                    let name = attribute.name.slice(source);
                    if name.eq_ignore_ascii_case("href") {
                        tag.has_href = true;
                    } else if name.eq_ignore_ascii_case("hidden") {
                        tag.hides = true;
                    } else if name.eq_ignore_ascii_case("style") {
                        tag.hides |=
                            hides(&Value::from_attribute(attribute.value.slice(source)).text);
                    }
                });
                if end == TagEnd::Eof {
                    break;
                }
                reading.start(&tag, raw, end);
                tokenizer.set_content(tag.name.content());
            }
            Token::EndTag(tag) => {
                if tokenizer.attributes(|_| {}) == TagEnd::Eof {
                    break;
                }
                reading.end(tag.name, tag.span);
            }
            Token::Eof => break,
            Token::Comment | Token::Doctype(_) | Token::MissingEndTagName => {}
        }
    }
    reading.end_line();
    reading.urls
}

/// A start tag.
struct Tag {
    name: Name,
    has_href: bool,
    /// Whether its attributes hide the element.
    hides: bool,
}

impl Tag {
    fn new(name: Name) -> Self {
        Self {
            name,
            has_href: false,
            hides: false,
        }
    }
}

/// An element whose end is awaited.
struct Awaited {
    /// Its name in the source.
    name: Span,
    /// How many elements of its name are open, with it.
    depth: usize,
}

impl Awaited {
    fn new(name: Span) -> Self {
        Self { name, depth: 1 }
    }

    /// Counts a start tag.
    fn start(&mut self, name: Span, source: &str) {
        let is_same = name
            .slice(source)
            .eq_ignore_ascii_case(self.name.slice(source));
        self.depth += usize::from(is_same);
    }

    /// Counts an end tag; returns whether the element has ended.
    fn end(&mut self, name: Span, source: &str) -> bool {
        let is_same = name
            .slice(source)
            .eq_ignore_ascii_case(self.name.slice(source));
        self.depth -= usize::from(is_same);
        self.depth == 0
    }
}

struct Reading<'s> {
    source: &'s str,
    urls: Vec<BareUrl>,
    /// The texts since the last line break.
    line: Vec<Text>,
    in_link: bool,
    /// The outermost element whose text is not shown as text.
    unread: Option<Awaited>,
    /// The outermost hidden element.
    hidden: Option<Awaited>,
}

impl Reading<'_> {
    fn text(&mut self, text: Text) {
        if !self.in_link && self.unread.is_none() {
            self.line.push(text);
        }
    }

    fn start(&mut self, tag: &Tag, raw: Span, end: TagEnd) {
        if !is_inline(tag.name) || tag.hides {
            self.end_line();
        }
        if let Some(unread) = &mut self.unread {
            unread.start(raw, self.source);
            return;
        }
        // A paragraph ends the one before it.
        if tag.name == Name::P
            && let Some(hidden) = &self.hidden
            && Name::from_bytes(hidden.name.slice(self.source).as_bytes()) == Name::P
        {
            self.hidden = None;
        }
        match &mut self.hidden {
            Some(hidden) => hidden.start(raw, self.source),
            None if tag.hides && end == TagEnd::Open && !is_void(tag.name) => {
                self.hidden = Some(Awaited::new(raw));
            }
            None => {}
        }
        if tag.name == Name::A {
            self.in_link = tag.has_href;
        }
        if is_unread(tag.name) {
            self.unread = Some(Awaited::new(raw));
        }
    }

    fn end(&mut self, name: Name, raw: Span) {
        if !is_inline(name) {
            self.end_line();
        }
        let source = self.source;
        if let Some(unread) = &mut self.unread {
            if unread.end(raw, source) {
                self.unread = None;
            }
            return;
        }
        let hidden = self.hidden.as_mut();
        if hidden.is_some_and(|hidden| hidden.end(raw, source)) {
            self.end_line();
            self.hidden = None;
        }
        if name == Name::A {
            self.in_link = false;
        }
    }

    /// Finds the URLs in the texts since the last line break.
    fn end_line(&mut self) {
        let source = self.source;
        let may_have_url = |text: &Text| {
            let bytes = text.span.bytes(source);
            memchr::memchr2(b':', b'&', bytes).is_some()
                || memchr::memmem::find(bytes, b"www.").is_some()
                || memchr::memmem::find(bytes, b"WWW.").is_some()
        };
        if self.line.iter().any(may_have_url) {
            let base = self.line[0].span.start;
            let value = Value::from_content(source, &self.line);
            let is_hidden = self.hidden.is_some();
            self.urls.extend(running_text::urls(&value.text).map(|url| {
                let range = value.source_range(url.range);
                BareUrl {
                    value: url.value.into_owned(),
                    without_scheme: url.without_scheme,
                    is_hidden,
                    range: base + range.start..base + range.end,
                }
            }));
        }
        self.line.clear();
    }
}

/// Elements within a line of text. A line may be split into more pieces than a browser shows, but not
/// joined where a browser breaks it.
fn is_inline(name: Name) -> bool {
    matches!(
        name,
        Name::Abbr
            | Name::B
            | Name::Big
            | Name::Cite
            | Name::Code
            | Name::Del
            | Name::Dfn
            | Name::Em
            | Name::Font
            | Name::I
            | Name::Ins
            | Name::Kbd
            | Name::Label
            | Name::Nobr
            | Name::Q
            | Name::S
            | Name::Samp
            | Name::Small
            | Name::Span
            | Name::Strike
            | Name::Strong
            | Name::Sub
            | Name::Sup
            | Name::Time
            | Name::Tt
            | Name::U
            | Name::Var
            | Name::Wbr
            | Name::Other
    )
}

/// Elements whose text is not text of the page, or in which nothing becomes clickable.
fn is_unread(name: Name) -> bool {
    matches!(
        name,
        Name::Head
            | Name::Script
            | Name::Style
            | Name::Title
            | Name::Template
            | Name::Textarea
            | Name::Select
            | Name::Button
            | Name::Iframe
            | Name::Noembed
            | Name::Noframes
            | Name::Svg
            | Name::Math
    )
}

/// Elements without an end tag.
fn is_void(name: Name) -> bool {
    matches!(
        name,
        Name::Br
            | Name::Img
            | Name::Hr
            | Name::Input
            | Name::Link
            | Name::Meta
            | Name::Wbr
            | Name::Area
            | Name::Base
            | Name::Col
            | Name::Embed
            | Name::Source
            | Name::Track
    )
}

/// Whether the declarations in a `style` attribute hide an element.
fn hides(style: &str) -> bool {
    let mut declarations = style.split(';').filter_map(|one| one.split_once(':'));
    declarations.any(|(name, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        let is = |wanted: &str| value.eq_ignore_ascii_case(wanted);
        match name.trim().to_ascii_lowercase().as_str() {
            "display" => is("none"),
            "visibility" => is("hidden") || is("collapse"),
            "mso-hide" => is("all"),
            "font-size" | "opacity" | "max-height" | "max-width" => {
                let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
                number.parse::<f64>().is_ok_and(|number| number == 0.0)
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::link_places::Classes;
    use baseref_document::{Limits, Origin};

    fn found(page: &str) -> Vec<String> {
        let mark = |url: BareUrl| {
            assert!(page.get(url.range).is_some());
            if url.is_hidden {
                format!("hidden {}", url.value)
            } else {
                url.value
            }
        };
        find(page).into_iter().map(mark).collect()
    }

    #[test]
    fn url_in_text_outside_links() {
        for (page, urls) in [
            (
                "<p>Go to https://a.example/x.</p>",
                &["https://a.example/x"][..],
            ),
            ("www.a.example", &["www.a.example"]),
            (
                "https://a.ex<b>amp</b>le/<wbr>x&amp;y",
                &["https://a.example/x&y"],
            ),
            ("https&#58;//a.example/", &["https://a.example/"]),
            ("https://a.example/<br>x", &["https://a.example/"]),
            ("https://a.example/<div>x</div>", &["https://a.example/"]),
            (
                "<a href=/x>https://a.example/</a> https://b.example/",
                &["https://b.example/"],
            ),
            ("<a href=/x><b>https://a.example/</b></a>", &[]),
            ("<a name=x>https://a.example/</a>", &["https://a.example/"]),
            (
                "<!-- https://a.example/ --><title>https://b.example/</title>",
                &[],
            ),
            ("<style>a { b: url(https://a.example/) }</style>", &[]),
            ("<script>x = 'https://a.example/'</script>", &[]),
            ("<p title=https://a.example/>x", &[]),
            (
                "<![if !mso]>https://a.example/<![endif]>",
                &["https://a.example/"],
            ),
        ] {
            assert_eq!(found(page), urls, "{page}");
        }
    }

    #[test]
    fn hidden_text_is_told_from_shown_text() {
        for (page, urls) in [
            (
                "<div style='display: none'><div>https://a.example/</div>https://b.example/</div>https://c.example/",
                &[
                    "hidden https://a.example/",
                    "hidden https://b.example/",
                    "https://c.example/",
                ][..],
            ),
            (
                "<p hidden>https://a.example/<p>https://b.example/",
                &["hidden https://a.example/", "https://b.example/"],
            ),
            (
                "<span style=font-size:0px>https://a.example/</span>",
                &["hidden https://a.example/"],
            ),
            (
                "<span style=font-size:10px>https://a.example/</span>",
                &["https://a.example/"],
            ),
            (
                "<img style=display:none src=x>https://a.example/",
                &["https://a.example/"],
            ),
        ] {
            assert_eq!(found(page), urls, "{page}");
        }
    }

    fn body(page: &str, options: &ReadOptions) -> Vec<String> {
        let source = MarkupSource::new(Markup::Html, page.as_bytes(), Origin::new("-"));
        let document = read(source, options);
        let references = document.references.iter();
        references
            .map(|one| {
                let text = one.text.unwrap_or("-");
                format!("{} {} {text}", one.element, one.value)
            })
            .collect()
    }

    #[test]
    fn long_url_in_text_is_cut_with_a_note() {
        let limits = Limits::default().with_attribute(16);
        let options = ReadOptions::default()
            .with_classes(Classes::ALL)
            .with_limits(limits);
        let page = "<p>http://a.example/\n<p>http://a.example/long http://a.example/longer";
        let source = MarkupSource::new(Markup::Html, page.as_bytes(), Origin::new("-"));
        let document = read(source, &options);
        let cut: Vec<_> = document.references.iter().map(|one| one.cut).collect();
        assert_eq!(cut, [true, true, true]);
        let notes = document.notes.iter();
        let notes: Vec<_> = notes
            .map(|note| (note.code, note.line.map(std::num::NonZeroU32::get)))
            .collect();
        assert_eq!(notes, [(NoteCode::AttributeSize, Some(1))]);
    }

    #[test]
    fn urls_in_text_come_in_document_order() {
        let page = "www.a.example <a href=/1>one</a> http://b.example/ <img src=/2> \
                    <a href=/3>three</a> <i hidden>http://c.example/</i>";
        let all = ReadOptions::default().with_classes(Classes::ALL);
        let expected = [
            "text www.a.example -",
            "a /1 one",
            "text http://b.example/ -",
            "img /2 -",
            "a /3 three",
            "hidden-text http://c.example/ -",
        ];
        assert_eq!(body(page, &all), expected);
        assert_eq!(body(page, &all.clone().with_positions(false)), expected);
        assert_eq!(
            body(page, &ReadOptions::default()),
            ["a /1 one", "a /3 three"]
        );
    }
}
