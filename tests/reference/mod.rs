//! What a document's links are by html5ever's own tokenizer and `RcDom`: the reference that
//! the engine is held against.
#![allow(dead_code, reason = "each test target uses its part")]

use std::rc::Rc;

use baseref::document::{Document, Fallback, Origin, Place};
use baseref::html::layers::{
    PlainToken, State, departs_from_html5ever, links_by_tags, links_by_tree, tokenize,
};
use baseref::html::{Markup, Source, read};
use baseref::options::ReadOptions;
use baseref::slots::{CONTENT, Class, Classes, Condition, Grammar, Namespace, Slot, Wanted};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// A link by what is compared of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub element: String,
    pub attr: &'static str,
    pub class: Class,
    pub value: String,
    pub text: Option<String>,
}

/// What is compared of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    pub found: Vec<Link>,
    /// The `href` of every `base` element that has one.
    pub bases: Vec<String>,
    pub srcdocs: Vec<Links>,
}

pub fn every_link() -> ReadOptions {
    ReadOptions::default().classes(Classes::ALL).comments(true)
}

/// Reads UTF-8 with the library.
pub fn document(html: &str, options: &ReadOptions) -> Document {
    let source = Source {
        markup: Markup::Html,
        bytes: html.as_bytes(),
        origin: Origin::of_input("-"),
        part_byte: None,
        charset: Some("utf-8"),
        declarations: Vec::new(),
    };
    read(source, options)
}

/// What the library found.
pub fn links(document: &Document) -> Links {
    let of_element =
        |declaration: &&baseref::document::Declaration| matches!(declaration.at, Place::Element(_));
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

fn link(reference: baseref::document::Reference<'_>) -> Link {
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
    walk(html, &Wanted::new(classes), text, 0)
}

fn walk(html: &str, wanted: &Wanted, text: bool, depth: usize) -> Links {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            iframe_srcdoc: depth > 0,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(html);
    let mut found = Links::default();
    let mut stack = vec![Next::Node(dom.document.clone())];
    while let Some(next) = stack.pop() {
        let node = match next {
            Next::Node(node) => node,
            Next::Links(links) => {
                found.found.extend(links);
                continue;
            }
        };
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attrs = attrs.borrow();
            if name.ns == ns!(html) && &*name.local == "base" {
                found
                    .bases
                    .extend(value_of(&attrs, "href").map(str::to_owned));
            }
            let slots = namespace(name).map_or(&[][..], |ns| wanted.of(ns, &name.local));
            for attr in attrs.iter() {
                let mut slots = slots
                    .iter()
                    .filter(|slot| slot.attr != CONTENT && is_named(&attr.name, slot.attr));
                let slot = slots.find(|slot| slot.condition.is_met(|name| value_of(&attrs, name)));
                if let Some(slot) = slot {
                    if slot.grammar == Grammar::Html {
                        if depth < 8 {
                            let inner = walk(&attr.value, wanted, text, depth + 1);
                            found.srcdocs.push(inner);
                        }
                        continue;
                    }
                    let has_text = matches!(&*name.local, "a" | "area");
                    let anchor = text && has_text && slot.class == Class::Anchor;
                    for value in urls(slot, &attr.value) {
                        found.found.push(Link {
                            element: name.local.to_string(),
                            attr: slot.attr,
                            class: slot.class,
                            value,
                            text: anchor.then(|| text_of(&node)),
                        });
                    }
                }
            }
        }
        if let NodeData::Comment { contents } = &node.data {
            let comment = comment_links(contents, text);
            found.found.extend(comment.found);
            found.srcdocs.extend(comment.srcdocs);
        }
        stack.extend(content_links(&node, wanted).map(Next::Links));
        let children = node.children.borrow();
        stack.extend(children.iter().rev().cloned().map(Next::Node));
    }
    found
}

/// What comes next in the walk.
enum Next {
    Node(Handle),
    /// What stands in the text of an element that ends.
    Links(Vec<Link>),
}

/// The links in a comment, as the library finds them in it alone: where it comes in the tree is
/// what is compared here.
fn comment_links(contents: &str, text: bool) -> Links {
    if !contents.starts_with("[if") {
        return Links::default();
    }
    let options = every_link().text(text);
    let read = document(&format!("<!--{contents}-->"), &options);
    links(&read)
}

/// The links in the text of a style sheet or of data.
fn content_links(node: &Handle, wanted: &Wanted) -> Option<Vec<Link>> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let mut slots = wanted.of(namespace(name)?, &name.local).iter();
    let slot = slots.find(|slot| {
        slot.attr == CONTENT && slot.condition.is_met(|name| value_of(&attrs, name))
    })?;
    let mut text = String::new();
    for child in node.children.borrow().iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    let link = |value| Link {
        element: name.local.to_string(),
        attr: slot.attr,
        class: slot.class,
        value,
        text: None,
    };
    Some(urls(slot, &text).into_iter().map(link).collect())
}

fn namespace(name: &QualName) -> Option<Namespace> {
    match name.ns {
        ns!(html) => Some(Namespace::Html),
        ns!(svg) => Some(Namespace::Svg),
        ns!(mathml) => Some(Namespace::MathMl),
        _ => None,
    }
}

fn is_named(name: &QualName, attr: &str) -> bool {
    match attr.strip_prefix("xlink:") {
        Some(local) => name.ns == ns!(xlink) && &*name.local == local,
        None => name.ns == ns!() && &*name.local == attr,
    }
}

fn value_of<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a str> {
    let attr = attrs.iter().find(|attr| is_named(&attr.name, name));
    attr.map(|attr| &*attr.value)
}

/// The URLs in a value. Lists are split by the library: how is not what is compared here.
fn urls(slot: &Slot, value: &str) -> Vec<String> {
    if slot.grammar == Grammar::Url {
        return vec![value.to_owned()];
    }
    let condition = match slot.condition {
        Condition::Always | Condition::StyleSheet => String::new(),
        Condition::Attribute(attr, value) => format!(" {attr}=\"{value}\""),
        Condition::Word(attr, words) => format!(" {attr}=\"{}\"", words[0]),
        Condition::Type(value) => format!(" type=\"{value}\""),
        Condition::Property(values) => format!(" property=\"{}\"", values[0]),
    };
    if slot.attr == CONTENT {
        // As an element of HTML: there its text stands for itself.
        let element = slot.element;
        let read = document(&format!("<{element}{condition}>{value}"), &every_link());
        let values = read.references.iter();
        return values.map(|reference| reference.value.to_owned()).collect();
    }
    let value = value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('\r', "&#13;");
    // One that is an element of its namespace, be it a known one or not.
    let any = match slot.namespace {
        Namespace::Html => "p",
        _ => "g",
    };
    let (element, attr) = (slot.element.replace('*', any), slot.attr);
    // Most elements stand only in some places, but some stand nowhere else.
    let html = match &*element {
        "body" | "html" | "head" => format!("<{element} {attr}=\"{value}\">"),
        _ => format!("<svg></svg><{element}{condition} {attr}=\"{value}\">"),
    };
    let html = match slot.namespace {
        Namespace::Html => html,
        Namespace::Svg => html.replacen("</svg>", "", 1),
        Namespace::MathMl => html.replacen("<svg></svg>", "<math>", 1),
        Namespace::Message | Namespace::Response => {
            unreachable!("no element of a page is of a message")
        }
    };
    let read = document(&html, &every_link());
    let values = read.references.iter();
    let values = values.filter(|reference| std::ptr::eq(reference.slot, slot));
    values.map(|reference| reference.value.to_owned()).collect()
}

/// A link's text: `alt` for an area and for images in it, nothing of scripts and style sheets.
fn text_of(element: &Handle) -> String {
    let mut text = String::new();
    let mut stack = vec![element.clone()];
    while let Some(node) = stack.pop() {
        match &node.data {
            NodeData::Text { contents } => text.push_str(&contents.borrow()),
            NodeData::Element { name, attrs, .. } => {
                let local = &*name.local;
                if matches!(local, "script" | "style") {
                    let elements = node.children.borrow();
                    let elements = elements.iter().rev();
                    let is_element =
                        |child: &&Handle| matches!(child.data, NodeData::Element { .. });
                    stack.extend(elements.filter(is_element).cloned());
                    continue;
                }
                let is_own = local == "area" && Rc::ptr_eq(&node, element);
                if name.ns == ns!(html) && (local == "img" || is_own) {
                    text.push_str(value_of(&attrs.borrow(), "alt").unwrap_or_default());
                }
                stack.extend(node.children.borrow().iter().rev().cloned());
            }
            _ => {}
        }
    }
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    words.join(" ")
}

/// Holds the library against the reference: by the tree and, where it does not give up, by the
/// tags; with every class of links and with anchors alone; with their text and without. Gives
/// the reason if the tags were given up for any of these.
pub fn compare(html: &str) -> Result<Option<Fallback>, String> {
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    // There html5ever is known to be wrong: `known_differences.tsv`.
    let differs = ["isindex", "selectedcontent"];
    let lower_case = html.to_ascii_lowercase();
    if differs.iter().any(|name| lower_case.contains(name)) || departs_from_html5ever(html) {
        return Ok(None);
    }
    let every_link = every_link();
    let anchors = ReadOptions::default().comments(true);
    let without_text = |options: &ReadOptions| options.clone().text(false);
    let expected = expected(html, Classes::ALL, true);
    let mut reason = None;
    every_value_is_cut_out(html, &links_by_tree(html, &every_link))?;
    for (options, expected) in [
        (&every_link, &expected),
        (&without_text(&every_link), &silent(&expected)),
        (&anchors, &anchors_of(&expected)),
        (&without_text(&anchors), &silent(&anchors_of(&expected))),
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

/// What stands at the bytes of each reference, decoded, is its value.
fn every_value_is_cut_out(html: &str, document: &Document) -> Result<(), String> {
    for reference in document.references.iter() {
        let at = reference.at.ok_or("no position")?;
        let cut = usize::try_from(at.byte.start)
            .ok()
            .zip(usize::try_from(at.byte.end).ok());
        let cut = cut.and_then(|(start, end)| html.get(start..end));
        let cut = cut.ok_or_else(|| format!("{html:?}: no characters at {at:?}"))?;
        // What stands in a style sheet or in JSON may have escapes of its own or, in SVG, elements
        // inside; and what stands in a CDATA section or in raw text is not decoded.
        let is_written_so = cut == reference.value || cut.contains(['\\', '<']);
        let slot = reference.slot;
        let has_own =
            slot.attr == CONTENT || matches!(slot.grammar, Grammar::Css | Grammar::CssOrUrl);
        if !(has_own && is_written_so) && decoded(cut) != reference.value {
            return Err(format!("{html:?}: {cut:?} is not {:?}", reference.value));
        }
        let before = &html[..usize::try_from(at.byte.start).map_err(|error| error.to_string())?];
        let lines: Vec<_> = before
            .split('\n')
            .flat_map(|line| line.split('\r'))
            .collect();
        // A CR and LF end one line, not two.
        let line = lines.len() - before.matches("\r\n").count();
        let column = lines.last().map_or(0, |line| line.chars().count()) + 1;
        if (at.line.get() as usize, at.column.get() as usize) != (line, column) {
            return Err(format!(
                "{html:?}: {at:?} is not line {line}, column {column}"
            ));
        }
    }
    Ok(())
}

/// An attribute value decoded by the tokenizer, which is tested by itself.
fn decoded(raw: &str) -> String {
    let tag = if !raw.contains('"') {
        format!("<a b=\"{raw}\">")
    } else if raw.contains('\'') {
        // Only an unquoted value has both quotes.
        format!("<a b={raw}>")
    } else {
        format!("<a b='{raw}'>")
    };
    match &tokenize(&tag, State::Data, "", false)[..] {
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
