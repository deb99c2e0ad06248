//! The ways to get a page's links. All look for the same attributes.

use std::cell::RefCell;
use std::sync::OnceLock;

use baseref_document::ReadOptions;
use baseref_document::link_places::{Classes, Namespace};
use baseref_document::{Document, Origin};
use baseref_html::{Markup, MarkupSource, layers};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, ns, parse_document};
use lol_html::{HtmlRewriter, Settings, element};
use markup5ever_rcdom::{NodeData, RcDom};

/// The attributes whose values are links in the comparison.
const LINKS: &[(&str, &str)] = &[
    ("a", "href"),
    ("area", "href"),
    ("link", "href"),
    ("base", "href"),
    ("img", "src"),
    ("script", "src"),
    ("iframe", "src"),
    ("frame", "src"),
    ("embed", "src"),
    ("source", "src"),
    ("track", "src"),
    ("audio", "src"),
    ("video", "src"),
    ("input", "src"),
    ("video", "poster"),
    ("object", "data"),
    ("form", "action"),
    ("button", "formaction"),
    ("input", "formaction"),
    ("blockquote", "cite"),
    ("q", "cite"),
    ("ins", "cite"),
    ("del", "cite"),
    ("body", "background"),
    ("table", "background"),
    ("td", "background"),
];

/// An element's name, an attribute's name and its value.
pub type Link = (String, String, String);

pub struct Candidate {
    pub name: &'static str,
    /// Finds the links as one would and counts them.
    pub count: fn(&str) -> usize,
    /// The list, for candidates that produce one to compare.
    pub list: Option<fn(&str) -> Vec<Link>>,
}

pub fn all() -> Vec<Candidate> {
    vec![
        Candidate {
            name: "html5ever + RcDom: parse, walk, drop",
            count: |page| tree_list(page).len(),
            list: None,
        },
        Candidate {
            name: "lol_html, 26 selectors",
            count: lol_html,
            list: None,
        },
        Candidate {
            name: "html5gum, default emitter",
            count: html5gum,
            list: None,
        },
        Candidate {
            name: "html5gum, an emitter of links alone",
            count: html5gum_own,
            list: None,
        },
        Candidate {
            name: "layer 1: tags, no list",
            count: |page| layers::count_tags(page),
            list: None,
        },
        Candidate {
            name: "layer 2: the tree, every link",
            count: |page| by_tree(page).references.len(),
            list: Some(|page| list(&by_tree(page))),
        },
        Candidate {
            name: "all layers: the same 26 attributes",
            count: |page| same_places(page).references.len(),
            list: Some(|page| list(&same_places(page))),
        },
        Candidate {
            name: "all layers: every link",
            count: |page| every_link(page).references.len(),
            list: Some(|page| list(&every_link(page))),
        },
        Candidate {
            name: "all layers: with text and positions",
            count: |page| in_full(page).references.len(),
            list: Some(|page| list(&in_full(page))),
        },
        Candidate {
            name: "all layers: anchors alone",
            count: |page| anchors(page).references.len(),
            list: None,
        },
    ]
}

fn options(classes: Classes, text: bool, positions: bool) -> ReadOptions {
    ReadOptions::default()
        .with_classes(classes)
        .with_text(text)
        .with_positions(positions)
}

fn read(page: &str, options: &ReadOptions) -> Document {
    let source = MarkupSource {
        markup: Markup::Html,
        bytes: page.as_bytes(),
        origin: Origin::new("-"),
        part_byte: None,
        charset: Some("utf-8"),
        declarations: Vec::new(),
    };
    baseref_html::read(source, options)
}

fn every_link(page: &str) -> Document {
    read(page, &options(Classes::ALL, false, false))
}

fn same_places(page: &str) -> Document {
    static PLACES: OnceLock<layers::Places> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        layers::Places::new(|slot| {
            slot.namespace == Namespace::Html && is_link(slot.element, slot.attr)
        })
    });
    layers::links_at(
        page.as_bytes(),
        &options(Classes::ALL, false, false),
        *places,
    )
}

fn in_full(page: &str) -> Document {
    read(page, &options(Classes::ALL, true, true))
}

fn anchors(page: &str) -> Document {
    read(page, &options(Classes::ANCHORS, false, false))
}

fn by_tree(page: &str) -> Document {
    layers::links_by_tree(page, &options(Classes::ALL, false, false))
}

pub fn by_tags(page: &str) -> Result<Document, &'static str> {
    let read = layers::links_by_tags(page, &options(Classes::ALL, true, false));
    read.map_err(baseref_document::Fallback::as_str)
}

fn is_link(element: &str, attr: &str) -> bool {
    LINKS.contains(&(element, attr))
}

fn list(document: &Document) -> Vec<Link> {
    let links = document
        .references
        .iter()
        .filter(|link| is_link(link.element, link.attr));
    // The tree's list has only HTML elements.
    let links = links.filter(|link| link.slot.namespace == Namespace::Html);
    links
        .map(|link| {
            (
                link.element.to_owned(),
                link.attr.to_owned(),
                link.value.to_owned(),
            )
        })
        .collect()
}

pub fn tree_list(page: &str) -> Vec<Link> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(page);
    let mut links = Vec::new();
    let mut stack = vec![dom.document.clone()];
    while let Some(node) = stack.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && name.ns == ns!(html)
        {
            for attr in attrs.borrow().iter() {
                if is_link(&name.local, &attr.name.local) {
                    links.push((
                        name.local.to_string(),
                        attr.name.local.to_string(),
                        attr.value.to_string(),
                    ));
                }
            }
        }
        stack.extend(node.children.borrow().iter().rev().cloned());
    }
    links
}

fn lol_html(page: &str) -> usize {
    let links: RefCell<Vec<String>> = RefCell::default();
    let mut settings = Settings::new();
    for (element, attr) in LINKS {
        let links = &links;
        let handler = element!(format!("{element}[{attr}]"), move |element| {
            links.borrow_mut().extend(element.get_attribute(attr));
            Ok(())
        });
        settings = settings.append_element_content_handler(handler);
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    if rewriter.write(page.as_bytes()).is_ok() {
        let _ = rewriter.end();
    }
    links.borrow().len()
}

fn html5gum(page: &str) -> usize {
    let mut links = Vec::new();
    for token in html5gum::Tokenizer::new(page).flatten() {
        if let html5gum::Token::StartTag(tag) = token {
            for (name, value) in &tag.attributes {
                let name = String::from_utf8_lossy(name);
                if is_link(&String::from_utf8_lossy(&tag.name), &name) {
                    links.push(String::from_utf8_lossy(value).into_owned());
                }
            }
        }
    }
    links.len()
}

fn html5gum_own(page: &str) -> usize {
    let mut links = Vec::new();
    let emitter = LinkEmitter::into(&mut links);
    html5gum::Tokenizer::new_with_emitter(page, emitter).for_each(drop);
    links.len()
}

/// An emitter that keeps only the links: as fast as html5gum can be made.
struct LinkEmitter<'l> {
    tag: Vec<u8>,
    last_start_tag: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
    is_end: bool,
    links: &'l mut Vec<String>,
}

impl<'l> LinkEmitter<'l> {
    fn into(links: &'l mut Vec<String>) -> Self {
        Self {
            tag: Vec::new(),
            last_start_tag: Vec::new(),
            attribute: Vec::new(),
            value: Vec::new(),
            is_end: false,
            links,
        }
    }

    fn end_attribute(&mut self) {
        let is_wanted = !self.is_end
            && LINKS.iter().any(|(element, attr)| {
                attr.as_bytes() == self.attribute && element.as_bytes() == self.tag
            });
        if is_wanted {
            self.links
                .push(String::from_utf8_lossy(&self.value).into_owned());
        }
        self.attribute.clear();
        self.value.clear();
    }
}

impl html5gum::emitters::Emitter for LinkEmitter<'_> {
    type Token = ();

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start_tag.clear();
        self.last_start_tag
            .extend(last_start_tag.unwrap_or_default());
    }

    fn pop_token(&mut self) -> Option<()> {
        None
    }

    fn init_start_tag(&mut self) {
        self.tag.clear();
        self.is_end = false;
    }

    fn init_end_tag(&mut self) {
        self.tag.clear();
        self.is_end = true;
    }

    fn emit_current_tag(&mut self) -> Option<html5gum::State> {
        self.end_attribute();
        if self.is_end {
            return None;
        }
        self.last_start_tag.clone_from(&self.tag);
        html5gum::naive_next_state(&self.last_start_tag)
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.extend(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.value.extend(value);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.tag.is_empty() && self.tag == self.last_start_tag
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_string(&mut self, _: &[u8]) {}
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: html5gum::Error) {}
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn init_comment(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
}
