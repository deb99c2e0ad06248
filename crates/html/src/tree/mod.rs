//! HTML "tree construction": our tokens drive html5ever's tree builder, and every element knows the
//! source tag it was made for.
//!
//! Departs: the tree is our own arena, not RcDom, which calls itself test-only, keeps all
//! attributes and finds a node among its siblings by linear search. RcDom is the reference for this
//! tree in the tests.

mod arena;
mod comparisons;
mod markers;
mod selected_content;
mod sink;
mod stand_ins;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::OnceLock;

use html5ever::interface::Tracer;
use html5ever::tendril::{SliceExt, StrTendril};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{self, TagKind, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

pub(super) use self::arena::{ElementRef, Step, Tree};
use self::arena::{ISINDEX, NONE};
use self::comparisons::Comparisons;
pub(super) use self::sink::TreeOptions;
use self::sink::{Handle, Sink};
use super::character_reference::{Null, Value, decode_text};
use super::doctype::Doctype;
use super::names::{self, Content};
use super::tokenizer::{TagEnd, TagName, Text, TextKind, Token, Tokenizer};
use baseref_document::{Limits, NoteCode};

/// The rest of a document where a limit stopped the tree builder.
#[derive(Clone, Debug)]
pub(super) struct Rest<'s> {
    /// The limit.
    pub(super) limit: NoteCode,
    /// The tokenizer after the last token that is in the tree.
    pub(super) tokenizer: Tokenizer<'s>,
}

/// A document's tree, as far as the limits allow.
pub(super) struct Parsed<'s> {
    pub(super) tree: Tree,
    /// What comes after the tree, if a limit stopped the tree builder.
    pub(super) rest: Option<Rest<'s>>,
    /// The tag of the first element that should show a copy of an option and does not, since the
    /// copies take too much work.
    pub(super) not_copied: Option<usize>,
}

/// Parses a document into its tree, or into the tree of its beginning and the rest.
pub(super) fn parse<'s>(source: &'s str, wants: TreeOptions, limits: &Limits) -> Parsed<'s> {
    let mut parser = Parser::new(source, wants);
    let steps = limits
        .tree_work
        .saturating_mul(source.len().max(4096) as u64);
    let limit = loop {
        if !parser.token() {
            break None;
        }
        let sink = &parser.builder.sink;
        if sink.deepest.get() > limits.tree_depth {
            break Some(NoteCode::TreeDepth);
        }
        if sink.steps.get() > steps {
            break Some(NoteCode::TreeWork);
        }
    };
    let rest = limit.map(|limit| Rest {
        limit,
        tokenizer: parser.tokenizer,
    });
    let mut tree = parser.builder.sink.finish();
    let not_copied = if wants.corrected {
        tree.fill_selected_contents(source)
    } else {
        None
    };
    Parsed {
        tree,
        rest,
        not_copied,
    }
}

/// Whether a document with that doctype, as in [`Token::Doctype`], is in quirks mode.
pub(super) fn is_quirky(declaration: &str, srcdoc: bool) -> bool {
    let mut parser = Parser::new(
        "",
        TreeOptions {
            text: false,
            content: false,
            comments: false,
            srcdoc,
            corrected: true,
        },
    );
    parser.doctype(declaration);
    parser.builder.sink.quirks.get()
}

/// The tokenizer, and the tree builder that switches its states.
struct Parser<'s> {
    tokenizer: Tokenizer<'s>,
    builder: TreeBuilder<Handle, Sink>,
    comparisons: Comparisons,
    wants: TreeOptions,
    /// The open elements at the last tag that needed them.
    open: OpenElements,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, wants: TreeOptions) -> Self {
        let options = TreeBuilderOpts {
            scripting_enabled: false,
            iframe_srcdoc: wants.srcdoc,
            drop_doctype: true,
            ..TreeBuilderOpts::default()
        };
        Self {
            tokenizer: Tokenizer::new(source),
            builder: TreeBuilder::new(Sink::new(wants), options),
            comparisons: Comparisons::default(),
            wants,
            open: OpenElements::default(),
        }
    }

    /// Processes one token; `false` after the last.
    fn token(&mut self) -> bool {
        let builder = &self.builder;
        let foreign = || builder.adjusted_current_node_present_but_not_in_html_namespace();
        let start = self.tokenizer.offset();
        match self.tokenizer.next(foreign) {
            Token::Text(text) => self.text(text),
            Token::StartTag(name) => self.start_tag(name),
            Token::EndTag(name) => self.end_tag(name),
            // Its text is not in our tree, but it separates two texts.
            Token::Comment => {
                *self.builder.sink.comment.borrow_mut() = start..self.tokenizer.offset();
                self.process(tokenizer::CommentToken(StrTendril::new()));
            }
            Token::Doctype(declaration) => self.doctype(declaration.slice(self.tokenizer.source())),
            // html5ever's builder takes a parse error for "the next token" after `pre`.
            Token::MissingEndTagName => {
                self.process(tokenizer::ParseError(Cow::Borrowed("missing end tag name")));
            }
            Token::Eof => {
                self.process(tokenizer::EOFToken);
                self.builder.end();
                return false;
            }
        }
        true
    }

    fn doctype(&mut self, declaration: &str) {
        let doctype = Doctype::parse(declaration);
        self.process(tokenizer::DoctypeToken(tokenizer::Doctype {
            name: doctype.name.map(StrTendril::from),
            public_id: doctype.public_id.map(|id| id.as_ref().to_tendril()),
            system_id: doctype.system_id.map(|id| id.as_ref().to_tendril()),
            force_quirks: doctype.force_quirks,
        }));
    }

    fn text(&mut self, text: Text) {
        let (references, null) = match text.kind {
            TextKind::Data => (true, Null::Keep),
            TextKind::Rcdata => (true, Null::Replace),
            TextKind::Raw => (false, Null::Replace),
            TextKind::CdataSection => (false, Null::Keep),
        };
        self.builder.sink.text.set(Some(text));
        let decoded = decode_text(text.span.slice(self.tokenizer.source()), references, null);
        for (index, run) in decoded.split('\0').enumerate() {
            if index > 0 {
                self.process(tokenizer::NullCharacterToken);
            }
            if run.is_empty() {
                continue;
            }
            let run = if self.wants.text {
                run.to_tendril()
            } else {
                reduced(run)
            };
            self.process(tokenizer::CharacterTokens(run));
        }
    }

    fn start_tag(&mut self, name: TagName) {
        let source = self.tokenizer.source();
        let local = self.name_of_tag(name);
        let formatting = name.name.kind().is_formatting();
        let mut attributes = Attributes::default();
        let end = self.tokenizer.attributes(|attribute| {
            let is = |name: &str| attribute.name.slice(source).eq_ignore_ascii_case(name);
            let wanted = match name.name {
                names::Name::Input => is("type"),
                names::Name::AnnotationXml => is("encoding"),
                names::Name::Template => is("shadowrootmode"),
                _ => formatting,
            };
            if wanted {
                let name = local_name(attribute.name.slice(source));
                attributes.add(name, attribute.value.slice(source));
            }
        });
        if end == TagEnd::Eof {
            return;
        }
        let mut attrs = attributes.list;
        if name.name == names::Name::Template {
            for attr in &mut attrs {
                // The builder compares it letter by letter.
                attr.value.make_ascii_lowercase();
            }
        }
        let sink = &self.builder.sink;
        if formatting {
            let compared = self.comparisons.start(&local, &attrs);
            sink.count(compared);
            attrs.push(sink.markers.borrow_mut().mark(name.start));
        }
        *sink.current.borrow_mut() = Some((local.clone(), name.start));
        let styles_font = attrs.iter().any(|attr| {
            matches!(
                attr.name.local,
                local_name!("color") | local_name!("face") | local_name!("size")
            )
        });
        self.tag(
            stand_ins::Tag {
                kind: TagKind::StartTag,
                name: &local,
                groups: name.name.kind(),
                styles_font,
            },
            attrs,
            end == TagEnd::SelfClosing,
        );
        self.builder.sink.current.replace(None);
    }

    fn end_tag(&mut self, name: TagName) {
        if self.tokenizer.attributes(|_| {}) == TagEnd::Eof {
            return;
        }
        let local = self.name_of_tag(name);
        self.comparisons.end(&local);
        let tag = stand_ins::Tag {
            kind: TagKind::EndTag,
            name: &local,
            groups: name.name.kind(),
            styles_font: false,
        };
        self.tag(tag, Vec::new(), false);
    }

    fn tag(&mut self, tag: stand_ins::Tag<'_>, attrs: Vec<Attribute>, self_closing: bool) {
        let is_corrected = self.wants.corrected && self.builder.sink.has_special.get();
        if is_corrected {
            self.show_stand_ins(tag);
        }
        self.process(tokenizer::TagToken(tokenizer::Tag {
            kind: tag.kind,
            name: tag.name.clone(),
            self_closing,
            attrs,
            had_duplicate_attributes: false,
        }));
        if is_corrected {
            self.builder.sink.shown.set(stand_ins::NONE_SHOWN);
        }
    }

    /// Decides which special elements the tree builder sees as HTML elements during a tag.
    fn show_stand_ins(&self, tag: stand_ins::Tag<'_>) {
        let (builder, sink) = (&self.builder, &self.builder.sink);
        let shown = if builder.adjusted_current_node_present_but_not_in_html_namespace() {
            self.open.0.borrow_mut().clear();
            builder.trace_handles(&self.open);
            let open = self.open.0.borrow();
            sink.count(open.len() as u64);
            sink.shown_for(tag, &open)
        } else {
            stand_ins::ALL_SHOWN
        };
        *sink.stand_in.borrow_mut() = stand_ins::stand_in(tag.name);
        sink.shown.set(shown);
    }

    /// The name of a tag as passed to the tree builder.
    fn name_of_tag(&self, tag: TagName) -> LocalName {
        let name = name_of_tag(tag, self.tokenizer.source());
        match &*name {
            ISINDEX if !self.wants.corrected => LocalName::from(ISINDEX.trim_ascii_end()),
            _ => name,
        }
    }

    fn process(&mut self, token: tokenizer::Token) {
        match self.builder.process_token(token, 1) {
            TokenSinkResult::RawData(RawKind::Rcdata) => {
                self.tokenizer.set_content(Content::Rcdata);
            }
            TokenSinkResult::RawData(RawKind::Rawtext) => {
                self.tokenizer.set_content(Content::Rawtext);
            }
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                self.tokenizer.set_content(Content::ScriptData);
            }
            TokenSinkResult::Plaintext => self.tokenizer.set_content(Content::Plaintext),
            // No script runs, and the encoding is already settled.
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }
}

/// The numbers of the open elements, lowest first, followed by the other elements that the tree builder
/// holds, which are all HTML elements.
#[derive(Default)]
struct OpenElements(RefCell<Vec<u32>>);

impl Tracer for OpenElements {
    type Handle = Handle;

    fn trace_handle(&self, node: &Handle) {
        if node.element != NONE {
            self.0.borrow_mut().push(node.element);
        }
    }
}

/// Reduces a text to what the tree builder looks at: whether it begins with LF, which is ignored
/// after `pre`, and whether it is blank, with that LF and without.
fn reduced(text: &str) -> StrTendril {
    let (newline, rest) = match text.strip_prefix('\n') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let blank = rest.bytes().all(|byte| byte.is_ascii_whitespace());
    match (newline, rest.is_empty(), blank) {
        (true, true, _) => "\n",
        (true, false, true) => "\n ",
        (true, false, false) => "\nx",
        (false, _, true) => " ",
        (false, _, false) => "x",
    }
    .to_tendril()
}

/// The name of a tag or attribute for tree construction: in ASCII lower case and with U+FFFD for
/// U+0000.
pub(super) fn local_name(raw: &str) -> LocalName {
    if raw
        .bytes()
        .any(|byte| byte == 0 || byte.is_ascii_uppercase())
    {
        LocalName::from(raw.replace('\0', "\u{fffd}").to_ascii_lowercase())
    } else {
        LocalName::from(raw)
    }
}

/// The name of a tag as passed to a tree builder that knows no `isindex`.
fn name_of_tag(tag: TagName, source: &str) -> LocalName {
    static LISTED: OnceLock<Vec<LocalName>> = OnceLock::new();
    let listed = LISTED.get_or_init(|| {
        let names = names::Name::all();
        let fed = |name: names::Name| match name {
            names::Name::Isindex => ISINDEX,
            name => name.text(),
        };
        names.map(|name| LocalName::from(fed(name))).to_vec()
    });
    match (tag.name, listed.get(tag.name as usize)) {
        (names::Name::Other, _) | (_, None) => local_name(tag.span.slice(source)),
        (_, Some(name)) => name.clone(),
    }
}

/// The attributes of one tag for the tree builder: the first of each name.
#[derive(Default)]
struct Attributes {
    list: Vec<Attribute>,
    /// The names, once there are too many for a linear search.
    names: HashSet<LocalName>,
}

impl Attributes {
    const FEW: usize = 16;

    fn add(&mut self, name: LocalName, raw: &str) {
        let known = if self.list.len() < Self::FEW {
            self.list.iter().any(|other| other.name.local == name)
        } else {
            if self.names.is_empty() {
                let names = self.list.iter().map(|other| other.name.local.clone());
                self.names.extend(names);
            }
            !self.names.insert(name.clone())
        };
        if !known {
            self.list.push(Attribute {
                name: QualName::new(None, ns!(), name),
                value: Value::from_attribute(raw).text.as_ref().to_tendril(),
            });
        }
    }
}
