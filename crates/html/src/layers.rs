//! The layers of the engine one by one, for tests, fuzz targets and benches only: not covered by
//! the crate's stability promise.

use super::character_reference::{Null, Value, decode_text};
use super::collect::Settings;
use super::doctype::Doctype;
use super::link_place_index::{Choice, Tables};
use super::names::Content;
use super::tokenizer::{TagEnd, TextKind, Token, Tokenizer};
use super::tree::TreeOptions;
use crate::page::{by_tags, by_tree, by_tree_of, read_text, with_embedded};
use crate::tree;
use baseref_document::link_places::{LinkPlace, LinkPlaceSelection};
use baseref_document::{Document, Fallback, Origin, ReadOptions};
use baseref_text::decode::encoding;
use baseref_text::decode::position::Positions;

/// A state in which tokenization can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenizerState {
    /// "Data state".
    Data,
    /// "RCDATA state".
    Rcdata,
    /// "RAWTEXT state".
    Rawtext,
    /// "Script data state".
    ScriptData,
    /// "PLAINTEXT state".
    Plaintext,
}

/// A token as defined by the standard; a comment without its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainToken {
    /// A start tag.
    StartTag {
        /// In lower case.
        name: String,
        /// Only the first of each name, values decoded.
        attributes: Vec<(String, String)>,
        /// The self-closing flag.
        self_closing: bool,
    },
    /// An end tag.
    EndTag {
        /// In lower case.
        name: String,
    },
    /// All adjacent characters.
    Text(String),
    /// A comment.
    Comment,
    /// A doctype.
    Doctype {
        /// In lower case.
        name: Option<String>,
        /// The public identifier.
        public_id: Option<String>,
        /// The system identifier.
        system_id: Option<String>,
        /// The force-quirks flag.
        force_quirks: bool,
    },
}

/// Layer 1: the tokens of a document, starting in `state` after a start tag of that name, with
/// CDATA sections if `foreign`. Tags do not switch the state.
#[must_use]
pub fn tokenize(
    source: &str,
    state: TokenizerState,
    last_start_tag: &str,
    foreign: bool,
) -> Vec<PlainToken> {
    let content = match state {
        TokenizerState::Data => Content::Data,
        TokenizerState::Rcdata => Content::Rcdata,
        TokenizerState::Rawtext => Content::Rawtext,
        TokenizerState::ScriptData => Content::ScriptData,
        TokenizerState::Plaintext => Content::Plaintext,
    };
    let source = &if last_start_tag.is_empty() {
        source.to_owned()
    } else {
        format!("<{last_start_tag}>{source}")
    };
    let mut tokenizer = Tokenizer::new(source);
    if !last_start_tag.is_empty() {
        tokenizer.next(|| foreign);
        tokenizer.attributes(|_| {});
    }
    tokenizer.set_content(content);
    let mut tokens = Vec::new();
    loop {
        match tokenizer.next(|| foreign) {
            Token::Text(text) => {
                let references = matches!(text.kind, TextKind::Data | TextKind::Rcdata);
                let null = match text.kind {
                    TextKind::Data | TextKind::CdataSection => Null::Keep,
                    TextKind::Rcdata | TextKind::Raw => Null::Replace,
                };
                let text = decode_text(text.span.slice(source), references, null);
                if let Some(PlainToken::Text(before)) = tokens.last_mut() {
                    before.push_str(&text);
                } else if !text.is_empty() {
                    tokens.push(PlainToken::Text(text.into_owned()));
                }
            }
            Token::StartTag(name) => {
                let mut attributes: Vec<(String, String)> = Vec::new();
                let end = tokenizer.attributes(|attribute| {
                    let name = tree::local_name(attribute.name.slice(source)).to_string();
                    if attributes.iter().all(|(known, _)| *known != name) {
                        let value = Value::from_attribute(attribute.value.slice(source)).text;
                        attributes.push((name, value.into_owned()));
                    }
                });
                if end != TagEnd::Eof {
                    tokens.push(PlainToken::StartTag {
                        name: tree::local_name(name.span.slice(source)).to_string(),
                        attributes,
                        self_closing: end == TagEnd::SelfClosing,
                    });
                }
            }
            Token::EndTag(name) => {
                if tokenizer.attributes(|_| {}) != TagEnd::Eof {
                    tokens.push(PlainToken::EndTag {
                        name: tree::local_name(name.span.slice(source)).to_string(),
                    });
                }
            }
            Token::Comment => tokens.push(PlainToken::Comment),
            Token::Doctype(declaration) => {
                let doctype = Doctype::parse(declaration.slice(source));
                tokens.push(PlainToken::Doctype {
                    name: doctype.name,
                    public_id: doctype.public_id.map(Into::into),
                    system_id: doctype.system_id.map(Into::into),
                    force_quirks: doctype.force_quirks,
                });
            }
            Token::MissingEndTagName => {}
            Token::Eof => return tokens,
        }
    }
}

/// Layer 2: a document's links by its tree.
#[must_use]
pub fn links_by_tree(text: &str, options: &ReadOptions) -> Document {
    let document = Document::empty(Origin::new("-"), "UTF-8");
    let positions = Positions::from_text(text);
    // The reported reason is one that no document here can have.
    let settings = Settings::new(options);
    let read = by_tree(text, positions, document, settings, Fallback::Length);
    with_embedded(read, settings)
}

/// Layer 2 as html5ever alone has it, without what corrects it; documents in attributes are read
/// as usual.
#[must_use]
pub fn links_by_html5ever(text: &str, options: &ReadOptions) -> Document {
    let document = Document::empty(Origin::new("-"), "UTF-8");
    let positions = Positions::from_text(text);
    let settings = Settings::new(options);
    let wants = TreeOptions {
        text: options.text,
        content: settings.tables.ask_for_contents(),
        comments: options.comments,
        srcdoc: false,
        corrected: false,
    };
    let read = by_tree_of(wants, text, positions, document, settings, Fallback::Length);
    with_embedded(read, settings)
}

/// Layer 3: a document's links by its tags.
///
/// # Errors
/// Why their order may differ from tree order.
pub fn links_by_tags(text: &str, options: &ReadOptions) -> Result<Document, Fallback> {
    let document = Document::empty(Origin::new("-"), "UTF-8");
    let settings = Settings::new(options);
    let read = by_tags(text, Positions::from_text(text), document, settings)?;
    Ok(with_embedded(read, settings))
}

/// A selection of places, to match what another reader looks for when comparing with it.
#[derive(Clone, Copy, Debug)]
pub struct Places(&'static Tables);

impl Places {
    /// The wanted places. They are kept until the process ends.
    #[must_use]
    pub fn new(is_wanted: impl Fn(&LinkPlace) -> bool) -> Self {
        let tables = Tables::new(LinkPlaceSelection::from_fn(is_wanted), Choice::default());
        Self(Box::leak(Box::new(tables)))
    }
}

/// All layers: a document's links in some places, from UTF-8 bytes; the classes in the options are
/// ignored.
#[must_use]
pub fn links_at(bytes: &[u8], options: &ReadOptions, Places(tables): Places) -> Document {
    let decoded = encoding::decode(bytes, Some("utf-8"), None);
    let document = Document::empty(Origin::new("-"), "UTF-8");
    let settings = Settings { options, tables };
    read_text(&decoded.text, decoded.positions(), document, settings)
}

/// Layer 1 alone: the number of tags in a document, staying in the data state.
#[must_use]
pub fn count_tags(text: &str) -> usize {
    let mut tokenizer = Tokenizer::new(text);
    let mut tags = 0;
    loop {
        match tokenizer.next(|| false) {
            Token::StartTag(_) | Token::EndTag(_) => {
                tokenizer.attributes(|_| {});
                tags += 1;
            }
            Token::Eof => return tags,
            _ => {}
        }
    }
}
