//! Reads what a page is about: its title, its headings with the names that lead to them, and its text.

use std::borrow::Cow;

use super::character_reference::{Null, Value, decode_text};
use super::names::{Content, Name, declares_shadow_root};
use super::tokenizer::{Span, TagEnd, TextKind, Token, Tokenizer};
use baseref_document::{Heading, Outline};

/// The longest text that is kept, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Elements with text that repeats on other pages.
const ASIDE: [&str; 6] = ["nav", "header", "footer", "aside", "form", "noscript"];
/// Elements whose text is not shown.
const HIDDEN: [&str; 7] = [
    "script", "style", "template", "svg", "math", "iframe", "select",
];

/// Reads the outline of a page from its text.
pub(super) fn read(source: &str) -> Outline {
    let mut reading = OutlineReader {
        tokenizer: Tokenizer::new(source),
        outline: Outline::default(),
        main: String::new(),
        aside: 0,
        hidden: 0,
        shadow_roots: 0,
        mains: 0,
        names: Vec::new(),
        heading: None,
        in_title: false,
    };
    reading.all(source);
    let mut outline = reading.outline;
    if !reading.main.trim().is_empty() {
        outline.text = reading.main;
    }
    outline
}

struct OutlineReader<'s> {
    tokenizer: Tokenizer<'s>,
    outline: Outline,
    /// The text of `main`.
    main: String,
    /// How many elements of [`ASIDE`] are open.
    aside: usize,
    /// How many of [`HIDDEN`] are.
    hidden: usize,
    /// How many declarative shadow roots are.
    shadow_roots: usize,
    mains: usize,
    /// The names since the last text.
    names: Vec<String>,
    heading: Option<Heading>,
    in_title: bool,
}

impl OutlineReader<'_> {
    fn all(&mut self, source: &str) {
        loop {
            match self.tokenizer.next(|| false) {
                Token::StartTag(tag) => {
                    let mut values: [Option<Span>; 2] = [None, None];
                    let mut mode = None;
                    let name = tag.span.slice(source).to_ascii_lowercase();
                    let end = self.tokenizer.attributes(|attribute| {
                        match attribute.name.slice(source).to_ascii_lowercase().as_str() {
                            "id" => values[0] = values[0].or(Some(attribute.value)),
                            "name" if name == "a" => {
                                values[1] = values[1].or(Some(attribute.value));
                            }
                            "shadowrootmode" if name == "template" => {
                                mode = mode.or(Some(attribute.value));
                            }
                            _ => {}
                        }
                    });
                    if end == TagEnd::Eof {
                        return;
                    }
                    let mode = mode.map(|mode| Value::from_attribute(mode.slice(source)).text);
                    if self.hidden == 0 && mode.is_some_and(|mode| declares_shadow_root(&mode)) {
                        self.shadow_roots += 1;
                        continue;
                    }
                    if self.shadow_roots > 0 {
                        // No fragment leads to a name in there.
                        values = [None, None];
                    }
                    let names = values.into_iter().flatten();
                    let names = names.map(|value| Value::from_attribute(value.slice(source)).text);
                    self.open(&name, tag.name, end, names.map(Cow::into_owned).collect());
                }
                Token::EndTag(tag) => {
                    if self.tokenizer.attributes(|_| {}) == TagEnd::Eof {
                        return;
                    }
                    self.close(&tag.span.slice(source).to_ascii_lowercase());
                }
                Token::Text(found) => {
                    let references = matches!(found.kind, TextKind::Data | TextKind::Rcdata);
                    let raw = found.span.slice(source);
                    self.text(&decode_text(raw, references, Null::Replace));
                }
                Token::Eof => return,
                Token::Comment | Token::Doctype(_) | Token::MissingEndTagName => {}
            }
        }
    }

    fn open(&mut self, tag: &str, name: Name, end: TagEnd, mut names: Vec<String>) {
        let is_open = end == TagEnd::Open;
        let content = if self.hidden > 0 && name.content() == Content::Rcdata {
            Content::Data
        } else {
            name.content()
        };
        self.tokenizer.set_content(content);
        self.names.append(&mut names);
        self.hidden += usize::from(is_open && HIDDEN.contains(&tag));
        self.aside += usize::from(is_open && ASIDE.contains(&tag));
        self.mains += usize::from(tag == "main");
        self.in_title = tag == "title" && self.hidden == 0 && self.shadow_roots == 0;
        if let Some(level) = level(tag).filter(|_| self.hidden == 0) {
            self.end_heading();
            self.heading = Some(Heading {
                level,
                text: String::new(),
                names: std::mem::take(&mut self.names),
            });
        } else if let Some(heading) = &mut self.heading {
            heading.names.append(&mut self.names);
        }
    }

    fn close(&mut self, tag: &str) {
        if tag == "template" && self.hidden == 0 {
            self.shadow_roots = self.shadow_roots.saturating_sub(1);
        } else if HIDDEN.contains(&tag) {
            self.hidden = self.hidden.saturating_sub(1);
        } else if ASIDE.contains(&tag) {
            self.aside = self.aside.saturating_sub(1);
        } else if tag == "main" {
            self.mains = self.mains.saturating_sub(1);
        } else if tag == "title" {
            self.in_title = false;
        } else if level(tag).is_some() {
            self.end_heading();
        }
    }

    fn end_heading(&mut self) {
        let heading = self.heading.take();
        if self.mains > 0 || self.aside == 0 {
            self.outline.headings.extend(heading);
        }
    }

    fn text(&mut self, text: &str) {
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() || self.hidden > 0 {
            return;
        }
        if self.in_title {
            if self.outline.title.is_empty() {
                push_words(&mut self.outline.title, text);
            }
            return;
        }
        match &mut self.heading {
            Some(heading) => push_words(&mut heading.text, text),
            None => self.names.clear(),
        }
        if self.mains > 0 {
            push_words(&mut self.main, text);
        } else if self.aside == 0 {
            push_words(&mut self.outline.text, text);
        }
    }
}

/// The level of a heading element.
fn level(tag: &str) -> Option<u8> {
    match tag.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

fn push_words(out: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if out.len() + word.len() >= LONGEST_TEXT {
            return;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_by_name_prefix() {
        let page = "<p id=no>x</p><section id=a><h2>A</h2></section><h3 id=b>B \
                    <a name=c href=#c>&para;</a></h3><span id=d></span><h4>D</h4>y<i id=e></i>z";
        let outline = read(&format!("<nav><h2 id=n>N</h2></nav>{page}"));
        let names: Vec<Vec<String>> = outline
            .headings
            .into_iter()
            .map(|heading| heading.names)
            .collect();
        assert_eq!(names, [vec!["a"], vec!["b", "c"], vec!["d"]]);
    }

    #[test]
    fn text_without_scripts_and_templates() {
        for (page, text) in [
            ("<header>a</header>b<nav>c</nav><footer>d</footer>", "b"),
            ("a<main>b<nav>c</nav></main>d", "b c"),
            (
                "<script>a</script>b<style>c</style><template>d</template>e",
                "b e",
            ),
            ("<svg><title>a</title></svg>b &amp; c", "b & c"),
            ("<nav>a<main>b", "b"),
        ] {
            assert_eq!(read(page).text, text, "{page}");
        }
    }
}
