//! Reads the text that a page shows, in its blocks.

use super::character_reference::{Null, decode_text};
use super::names::{Content, Name};
use super::tokenizer::{TagEnd, TextKind, Token, Tokenizer};

/// Elements whose text is not shown, or not searched (URL Fragment Text Directives §3.5.2,
/// "non-searchable subtree").
const HIDDEN: [&str; 15] = [
    "head", "title", "script", "style", "template", "noscript", "iframe", "object", "audio",
    "video", "select", "textarea", "datalist", "canvas", "math",
];

/// Elements that are blocks, or cells of a table, in the style sheet of browsers.
const BLOCKS: [&str; 52] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "xmp",
];

/// The text of a page, with a line feed between blocks. Other white space is one space.
pub(super) fn read(source: &str) -> String {
    let mut tokenizer = Tokenizer::new(source);
    let mut text = String::new();
    let mut hidden = 0_usize;
    loop {
        match tokenizer.next(|| false) {
            Token::StartTag(tag) => {
                let name = tag.span.slice(source).to_ascii_lowercase();
                let end = tokenizer.attributes(|_| {});
                if end == TagEnd::Eof {
                    return text;
                }
                tokenizer.set_content(content_of(tag.name, hidden));
                let is_hidden = HIDDEN.contains(&name.as_str());
                // `body` begins even if `head` does not end.
                hidden = if name == "body" {
                    0
                } else {
                    hidden + usize::from(is_hidden && end == TagEnd::Open)
                };
                separate(&mut text, &name);
            }
            Token::EndTag(tag) => {
                let name = tag.span.slice(source).to_ascii_lowercase();
                if tokenizer.attributes(|_| {}) == TagEnd::Eof {
                    return text;
                }
                if HIDDEN.contains(&name.as_str()) {
                    hidden = hidden.saturating_sub(1);
                }
                separate(&mut text, &name);
            }
            Token::Text(found) if hidden == 0 => {
                let references = matches!(found.kind, TextKind::Data | TextKind::Rcdata);
                push(
                    &mut text,
                    &decode_text(found.span.slice(source), references, Null::Replace),
                );
            }
            Token::Eof => return text,
            _ => {}
        }
    }
}

/// How the content of an element is read.
fn content_of(name: Name, hidden: usize) -> Content {
    match name.content() {
        Content::Rcdata if hidden > 0 => Content::Data,
        content => content,
    }
}

/// Ends a block, or a line.
fn separate(text: &mut String, name: &str) {
    if BLOCKS.contains(&name) {
        if text.ends_with(' ') {
            text.pop();
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    } else if name == "br" {
        push(text, " ");
    }
}

fn push(text: &mut String, more: &str) {
    for c in more.chars() {
        if !c.is_whitespace() {
            text.push(c);
        } else if !text.is_empty() && !text.ends_with([' ', '\n']) {
            text.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_text_in_blocks() {
        for (page, text) in [
            ("<p>The <b>bro</b>wn\n fox.<p>Two", "The brown fox.\nTwo"),
            ("<title>t</title><body>a<br>b<script>c</script>d", "a bd"),
            ("<table><tr><td>1<td>2</table>", "1\n2\n"),
            ("<div>a &amp; b </div> <ul><li>c</ul>", "a & b\nc\n"),
            ("<head><title>t</title><body><p>x", "x"),
            ("<title>t</title><p>x", "x"),
        ] {
            assert_eq!(read(page), text, "{page}");
        }
    }
}
