//! A document's links by html5ever's own tokenizer and `RcDom`: the reference for the engine.
#![allow(dead_code, reason = "each test target uses its part")]

use baseref_document::ReadOptions;
use baseref_document::link_places::{CONTENT, Class, Classes, Grammar};
use baseref_document::{Document, Fallback, Origin, Place};
use baseref_html::layers::{
    PlainToken, TokenizerState, links_by_html5ever, links_by_tags, links_by_tree, tokenize,
};
use baseref_html::rcdom;
use baseref_html::{Markup, MarkupSource, read};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::RcDom;

/// The compared properties of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub element: String,
    pub attr: &'static str,
    pub class: Class,
    pub value: String,
    pub text: Option<String>,
}

/// The compared properties of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    pub found: Vec<Link>,
    /// The `href` of every `base` element that has one.
    pub bases: Vec<String>,
    pub srcdocs: Vec<Links>,
}

impl Links {
    /// Whether both are the same but for documents in attributes.
    fn is_same(&self, other: &Self) -> bool {
        self.found == other.found && self.bases == other.bases
    }
}

pub fn every_link() -> ReadOptions {
    ReadOptions::default()
        .with_classes(Classes::ALL)
        .with_comments(true)
}

/// Reads UTF-8 with the library.
pub fn document(html: &str, options: &ReadOptions) -> Document {
    let source = MarkupSource {
        markup: Markup::Html,
        bytes: html.as_bytes(),
        origin: Origin::new("-"),
        part_byte: None,
        charset: Some("utf-8"),
        declarations: Vec::new(),
    };
    read(source, options)
}

/// What the library found.
pub fn links(document: &Document) -> Links {
    let of_element =
        |declaration: &&baseref_document::Declaration| matches!(declaration.at, Place::Element(_));
    Links {
        found: document.references.iter().map(link).collect(),
        bases: document
            .declarations
            .iter()
            .filter(of_element)
            .map(|declaration| declaration.value.to_string())
            .collect(),
        srcdocs: document.embedded.iter().map(links).collect(),
    }
}

fn link(reference: baseref_document::Reference<'_>) -> Link {
    Link {
        element: reference.element.to_owned(),
        attr: reference.slot.attr,
        class: reference.slot.class,
        value: reference.value.to_owned(),
        text: reference.text.map(str::to_owned),
    }
}

/// What the reference finds.
pub fn expected(html: &str, classes: Classes, text: bool) -> Links {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(html);
    let options = every_link().with_classes(classes).with_text(text);
    links(&rcdom::document(&dom, None, &options))
}

/// Compares the library with the reference: by html5ever's tree, by that tree corrected as browsers
/// have it and, unless it falls back, by the tags; with every class of links and with only anchors;
/// with their text and without. Returns the reason if any of these fell back to the tree.
pub fn compare(html: &str) -> Result<Option<Fallback>, String> {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let expected = expected(html, Classes::ALL, true);
    let every_link = every_link();
    every_value_is_cut_out(html, &links_by_tree(html, &every_link))?;
    let is_corrected = is_corrected(html);
    // Documents in attributes may be corrected where the document itself is not.
    let of_html5ever = links(&links_by_html5ever(html, &every_link));
    if !is_cloned_into(html) && !expected.is_same(&of_html5ever) {
        return Err(format!(
            "html5ever: {html:?}\nexpected {expected:#?}\nfound {of_html5ever:#?}"
        ));
    }
    let corrected = links(&links_by_tree(html, &every_link));
    if !is_corrected && corrected != expected {
        return Err(format!(
            "by tree: {html:?}\nexpected {expected:#?}\nfound {corrected:#?}"
        ));
    }
    let anchors = ReadOptions::default().with_comments(true);
    let without_text = |options: &ReadOptions| options.clone().with_text(false);
    let mut reason = None;
    for (options, expected) in [
        (&every_link, &corrected),
        (&without_text(&every_link), &silent(&corrected)),
        (&anchors, &anchors_of(&corrected)),
        (&without_text(&anchors), &silent(&anchors_of(&corrected))),
    ] {
        let by_tree = links(&links_by_tree(html, options));
        if by_tree != *expected {
            return Err(format!(
                "by tree: {html:?}\nexpected {expected:#?}\nfound {by_tree:#?}"
            ));
        }
        match links_by_tags(html, options) {
            Err(found) => reason = Some(found),
            Ok(document) => {
                let by_tags = links(&document);
                if by_tags != *expected {
                    return Err(format!(
                        "by tags: {html:?}\nexpected {expected:#?}\nfound {by_tags:#?}"
                    ));
                }
            }
        }
    }
    Ok(reason)
}

/// Whether a document may have what html5ever is corrected for: `known_differences.tsv`.
fn is_corrected(html: &str) -> bool {
    const NAMES: [&str; 11] = [
        "isindex",
        "selectedcontent",
        "annotation-xml",
        "<mi",
        "<mo",
        "<mn",
        "<ms",
        "<mtext",
        "foreignobject",
        "<desc",
        "<svg",
    ];
    let lower_case = html.to_ascii_lowercase();
    NAMES.iter().any(|name| lower_case.contains(name))
}

/// Whether html5ever may ask `RcDom` for a clone, which our tree makes in its own way.
fn is_cloned_into(html: &str) -> bool {
    html.to_ascii_lowercase().contains("selectedcontent")
}

/// The bytes of each reference, decoded, are its value.
fn every_value_is_cut_out(html: &str, document: &Document) -> Result<(), String> {
    let mut places = LinePlaces::new(html);
    for reference in &document.references {
        let at = reference.at.ok_or("no position")?;
        let cut = usize::try_from(at.byte.start)
            .ok()
            .zip(usize::try_from(at.byte.end).ok());
        let cut = cut.and_then(|(start, end)| html.get(start..end));
        let cut = cut.ok_or_else(|| format!("{html:?}: no characters at {at:?}"))?;
        // Style sheets and JSON have escapes of their own and, in SVG, may contain elements; CDATA
        // sections and raw text are not decoded.
        let is_written_so = cut == reference.value || cut.contains(['\\', '<']);
        let slot = reference.slot;
        let has_own =
            slot.attr == CONTENT || matches!(slot.grammar, Grammar::Css | Grammar::CssOrUrl);
        if !(has_own && is_written_so) && decoded(cut) != reference.value {
            return Err(format!("{html:?}: {cut:?} is not {:?}", reference.value));
        }
        let start = usize::try_from(at.byte.start).map_err(|error| error.to_string())?;
        let (line, column) = places.line_and_column(start);
        if (at.line.get() as usize, at.column.get() as usize) != (line, column) {
            return Err(format!(
                "{html:?}: {at:?} is not line {line}, column {column}"
            ));
        }
    }
    Ok(())
}

/// Lines and columns of a text. Each is counted on from the one before: long pages of fuzzing have
/// many links.
struct LinePlaces<'h> {
    html: &'h str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// An offset, and the number of characters between it and the start of its line.
    counted: (usize, usize),
}

impl<'h> LinePlaces<'h> {
    fn new(html: &'h str) -> Self {
        // A CR and LF end one line, not two.
        let ends = html.match_indices(['\r', '\n']).filter(|(at, end)| {
            let is_pair = *end == "\r" && html[at + 1..].starts_with('\n');
            !is_pair
        });
        let starts = ends.map(|(at, _)| at + 1);
        Self {
            html,
            starts: std::iter::once(0).chain(starts).collect(),
            counted: (0, 0),
        }
    }

    /// Both 1-based.
    fn line_and_column(&mut self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= at);
        let start = self.starts[line - 1];
        let (from, before) = match self.counted {
            (from, before) if (start..=at).contains(&from) => (from, before),
            _ => (start, 0),
        };
        let characters = before + self.html[from..at].chars().count();
        self.counted = (at, characters);
        (line, characters + 1)
    }
}

/// An attribute value decoded by the tokenizer, which has its own tests.
fn decoded(raw: &str) -> String {
    let tag = if !raw.contains('"') {
        format!("<a b=\"{raw}\">")
    } else if raw.contains('\'') {
        // Only an unquoted value has both quotes.
        format!("<a b={raw}>")
    } else {
        format!("<a b='{raw}'>")
    };
    match &tokenize(&tag, TokenizerState::Data, "", false)[..] {
        [PlainToken::StartTag { attributes, .. }] => attributes[0].1.clone(),
        tokens => panic!("{tokens:?}"),
    }
}

/// The same without texts.
fn silent(links: &Links) -> Links {
    let without_text = |link: &Link| Link {
        text: None,
        ..link.clone()
    };
    Links {
        found: links.found.iter().map(without_text).collect(),
        bases: links.bases.clone(),
        srcdocs: links.srcdocs.iter().map(silent).collect(),
    }
}

/// The anchors alone.
fn anchors_of(links: &Links) -> Links {
    let anchors = links
        .found
        .iter()
        .filter(|link| link.class == Class::Anchor);
    Links {
        found: anchors.cloned().collect(),
        bases: links.bases.clone(),
        srcdocs: links.srcdocs.iter().map(anchors_of).collect(),
    }
}
