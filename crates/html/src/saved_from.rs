//! The marks that programs leave in the pages they save: where the page came from, and the `base`
//! element that it had.
//!
//! All are at the beginning of a page, so no tree is needed: the tags are read in order up to the first
//! one that no mark can follow. For a page without marks the cost is a search for
//! comments.

use std::ops::Range;

use memchr::memchr_iter;

use super::character_reference::Value;
use super::names::Name;
use super::tokenizer::{Span, TextKind, Token, Tokenizer};
use baseref_document::{Declaration, Mark, MarkPlace, Place as Declared, Retrieval};
use baseref_text::decode::position::Positions;

/// How much of a page is examined, in bytes of its text. A lot of style can precede a `base`
/// element that was moved into a comment.
const REACH: usize = 64 * 1024;

/// How far Internet Explorer looks for its mark, in bytes.
const SAVED_FROM_REACH: usize = 2048;

/// The marks in a document's text, in document order.
pub(super) fn read<'s>(text: &'s str, positions: Positions<'s>) -> Vec<Declaration> {
    let mut reach = text.len().min(REACH);
    while !text.is_char_boundary(reach) {
        reach -= 1;
    }
    let text = &text[..reach];
    let mut scan = Scan {
        text,
        positions,
        region: Region::Prolog,
        to_body: holds_former_base(text),
        found: Vec::new(),
    };
    scan.run();
    scan.found
}

/// Where the scan is in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Region {
    /// Before the first element.
    Prolog,
    /// Just after the `html` tag.
    Root,
    /// Before `head`, `meta` and `body`.
    BeforeHead,
    /// Before `body`.
    Head,
}

struct Scan<'s> {
    text: &'s str,
    positions: Positions<'s>,
    region: Region,
    /// Whether there may be a mark anywhere before the body.
    to_body: bool,
    found: Vec<Declaration>,
}

impl Scan<'_> {
    fn run(&mut self) {
        let mut tokenizer = Tokenizer::new(self.text);
        while self.region < Region::Head || self.to_body {
            let start = tokenizer.offset();
            match tokenizer.next(|| false) {
                Token::Comment => self.comment(start..tokenizer.offset()),
                Token::StartTag(tag) => {
                    if matches!(tag.name, Name::Body | Name::Frameset) {
                        return;
                    }
                    let source = attribute(&mut tokenizer, "data-scrapbook-source");
                    tokenizer.set_content(tag.name.content());
                    self.start_tag(tag.name, source);
                }
                Token::EndTag(_) => {
                    tokenizer.attributes(|_| ());
                    self.region = self.region.max(Region::BeforeHead);
                }
                // Text begins the body, except inside elements that contain only text.
                Token::Text(text)
                    if text.kind == TextKind::Data
                        && !text.span.bytes(self.text).trim_ascii().is_empty() =>
                {
                    return;
                }
                Token::Text(_) | Token::Doctype(_) | Token::MissingEndTagName => {}
                Token::Eof => return,
            }
        }
    }

    /// Takes a start tag, and its `WebScrapBook` attribute, if any.
    fn start_tag(&mut self, name: Name, source: Option<Span>) {
        if name == Name::Html && self.region == Region::Prolog {
            self.region = Region::Root;
            if let Some(source) = source {
                let url = Value::from_attribute(source.slice(self.text)).text;
                self.declare(Mark::ScrapBook, &url, source.start..source.end);
            }
        } else {
            let region = match name {
                Name::Head | Name::Meta => Region::Head,
                _ => Region::BeforeHead,
            };
            self.region = self.region.max(region);
        }
    }

    /// Takes a comment, given its byte range.
    fn comment(&mut self, range: Range<usize>) {
        let start = range.start;
        let comment = self.text[range.clone()]
            .strip_prefix("<!--")
            .and_then(|rest| rest.strip_suffix("-->"));
        let Some(comment) = comment else {
            // A malformed declaration, or a comment that does not end within reach.
            return;
        };
        let region = self.region;
        if region == Region::Root {
            self.region = Region::BeforeHead;
        }
        if region == Region::Prolog
            && start < SAVED_FROM_REACH
            && let Some((length, url)) = saved_from(comment)
        {
            self.declare(Mark::SavedFrom { length }, url, range);
        } else if region == Region::Prolog
            && let Some(url) = monolith(comment)
        {
            self.declare(Mark::Monolith, url, range);
        } else if region == Region::Root
            && let Some(url) = single_file(comment)
        {
            self.declare(Mark::SingleFile, url, range);
        } else if region < Region::Head
            && let Some(url) = httrack(comment)
        {
            self.declare(Mark::HtTrack, url, range);
        } else if let Some(value) = former_base(comment, &self.text[range.end..]) {
            let at = Declared::FormerElement(self.positions.locate(range));
            self.found.push(Declaration::new(value, at));
        }
    }

    fn declare(&mut self, mark: Mark, url: &str, range: Range<usize>) {
        let at = MarkPlace::Inside(self.positions.locate(range));
        self.found.push(Declaration::new(
            url,
            Declared::Retrieval(Retrieval::Mark { mark, at }),
        ));
    }
}

/// The value of that attribute of the tag just begun, and its end.
fn attribute(tokenizer: &mut Tokenizer<'_>, name: &str) -> Option<Span> {
    let source = tokenizer.source();
    let mut value = None;
    tokenizer.attributes(|attribute| {
        if attribute.name.slice(source).eq_ignore_ascii_case(name) {
            value.get_or_insert(attribute.value);
        }
    });
    value
}

/// `<!-- saved from url=(0023)http://www.contoso.com/ -->` (Microsoft, "Mark of the Web"):
/// the number and the URL.
fn saved_from(comment: &str) -> Option<(u64, &str)> {
    let rest = comment.strip_prefix(" saved from url=(")?;
    let (number, url) = rest.split_once(')')?;
    let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    let url = url.trim_ascii_end();
    // A number too large for its type is too large for any URL.
    (is_number && is_one_line(url)).then(|| (number.parse().unwrap_or(u64::MAX), url))
}

/// `<!-- Saved from https://a.example/ at 2025-01-01T00:00:00Z using monolith v2.10.1 -->`. A page
/// that did not come from the web is `local source` there, and has no URL.
fn monolith(comment: &str) -> Option<&str> {
    let (url, how) = comment.strip_prefix(" Saved from ")?.split_once(" at ")?;
    (how.contains(" using monolith v") && url != "local source" && is_one_line(url)).then_some(url)
}

/// The comment of `SingleFile`: its name on the first non-blank line, and ` url: ` with the URL on
/// the next.
fn single_file(comment: &str) -> Option<&str> {
    let mut lines = comment.lines().map(str::trim_ascii);
    let first = lines.find(|line| !line.is_empty())?;
    [
        "Page saved with SingleFile",
        "Archive processed by SingleFile",
    ]
    .contains(&first)
    .then(|| lines.next()?.strip_prefix("url: "))?
}

/// `<!-- Mirrored from a.example/b by HTTrack Website Copier/3.x [XR&CO'2014], DATE -->`, in
/// older versions without the scheme.
fn httrack(comment: &str) -> Option<&str> {
    let rest = comment.trim_ascii_start().strip_prefix("Mirrored from ")?;
    let (url, _) = rest.split_once(" by HTTrack Website Copier/")?;
    is_one_line(url).then_some(url)
}

fn is_one_line(url: &str) -> bool {
    !url.is_empty() && !url.contains(['\r', '\n'])
}

/// The `href` of a `base` element that a browser moved into a comment, character references
/// decoded. Chrome comments the tag out and writes `<base href=".">` after it; Firefox writes `
/// base href="URL" ` with the value unescaped.
fn former_base(comment: &str, after: &str) -> Option<String> {
    if let Some(value) = comment
        .strip_prefix(FIREFOX_BASE)
        .and_then(|rest| rest.strip_suffix("\" "))
    {
        return Some(value.to_owned());
    }
    let is_chrome = begins(after, CHROME_NEW_BASE) && begins(comment, CHROME_BASE);
    if !is_chrome {
        return None;
    }
    let mut tokenizer = Tokenizer::new(comment);
    let Token::StartTag(_) = tokenizer.next(|| false) else {
        return None;
    };
    let href = attribute(&mut tokenizer, "href")?;
    Some(Value::from_attribute(href.slice(comment)).text.into_owned())
}

const FIREFOX_BASE: &str = " base href=\"";
const CHROME_BASE: &str = "<base ";
const CHROME_NEW_BASE: &str = "<base href=\".\"";

/// Whether there may be a `base` element in a comment.
fn holds_former_base(text: &str) -> bool {
    // Of a comment's first bytes the rarest.
    memchr_iter(b'!', text.as_bytes()).any(|at| {
        let comment = text[at + 1..].strip_prefix("--");
        let is_comment = text[..at].ends_with('<');
        let comment = comment.filter(|_| is_comment).unwrap_or_default();
        begins(comment, CHROME_BASE) || begins(comment, FIREFOX_BASE)
    })
}

/// Whether `text` begins with `with`, ASCII case-insensitively.
fn begins(text: &str, with: &str) -> bool {
    text.as_bytes()
        .get(..with.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `name line value` of each.
    fn marks(text: &str) -> Vec<String> {
        let shown = |declaration: Declaration| {
            let (name, at) = match declaration.at {
                Declared::Retrieval(Retrieval::Mark {
                    mark,
                    at: MarkPlace::Inside(at),
                }) => match mark {
                    Mark::SavedFrom { length } => (format!("saved({length})"), at),
                    mark => (mark.name().to_owned(), at),
                },
                Declared::FormerElement(at) => ("base".to_owned(), at),
                at => panic!("no mark: {at:?}"),
            };
            format!("{name} {} {}", at.line, declaration.value)
        };
        read(text, Positions::from_text(text))
            .into_iter()
            .map(shown)
            .collect()
    }

    /// Asserts the marks found in a page.
    fn gives(page: &str, expected: &[&str]) {
        assert_eq!(marks(page), expected, "{page:?}");
    }

    #[test]
    fn mark_of_the_web_before_first_element() {
        let mark = "<!-- saved from url=(0009)http://a/ -->";
        let found = &["saved(9) 2 http://a/"][..];
        gives(&format!("<!DOCTYPE html>\r\n{mark}\r\n<html>"), found);
        gives(&format!("<!-- x -->\n{mark}<html>"), found);
        gives(&format!("<html>\n{mark}"), &[]);
        gives(&format!("<title>\n{mark}"), &[]);
        gives(&format!("text\n{mark}"), &[]);
        gives(&format!("<!--{}-->{mark}", "x".repeat(2041)), &[]);
        gives(&format!("<!--{}\n-->{mark}", "x".repeat(2039)), found);
    }

    #[test]
    fn mark_of_the_web_syntax() {
        for (comment, expected) in [
            (
                " saved from url=(0012)about:blank ",
                Some((12, "about:blank")),
            ),
            (" saved from url=(00012)http://a/ ", Some((12, "http://a/"))),
            (" saved from url=(0009)http://a/", Some((9, "http://a/"))),
            (
                " saved from url=(0011)http://a/)b ",
                Some((11, "http://a/)b")),
            ),
            (
                " saved from url=(99999999999999999999)x ",
                Some((u64::MAX, "x")),
            ),
            (" saved from url=(009)http://a/ ", None),
            (" saved from url=(00x9)http://a/ ", None),
            (" saved from url=(0009) ", None),
            (" saved from url=(0009)http\n://a/ ", None),
            (" saved from http://a/ ", None),
            ("saved from url=(0009)http://a/ ", None),
        ] {
            assert_eq!(saved_from(comment), expected, "{comment:?}");
        }
    }

    #[test]
    fn singlefile_comment_position() {
        let mark = "<!--\n Page saved with SingleFile \n url: http://a/b \n saved date: x\n-->";
        let found = &["SingleFile 1 http://a/b"][..];
        gives(
            &format!("<!DOCTYPE html> <html lang=en>{mark}<head>"),
            found,
        );
        gives(&format!("<html> {mark}"), found);
        gives(&format!("{mark}<html>"), &[]);
        gives(&format!("<html><!-- x -->{mark}"), &[]);
        gives(&format!("<html><head>{mark}"), &[]);
        gives(&format!("<html><body>{mark}"), &[]);
        for (comment, expected) in [
            (
                "\r\n Archive processed by SingleFile\r\n url: u\r\n",
                Some("u"),
            ),
            (" Page saved with SingleFile\n url: u ", Some("u")),
            (
                "\n Page saved with SingleFile \n saved date: x\n url: u\n",
                None,
            ),
            ("\n Page saved by SingleFile \n url: u\n", None),
            ("\n Page saved with SingleFile", None),
            ("", None),
        ] {
            assert_eq!(single_file(comment), expected, "{comment:?}");
        }
    }

    #[test]
    fn httrack_comment_position() {
        let mark =
            "<!-- Mirrored from a.example/b?c by HTTrack Website Copier/3.x [XR&CO'2014], Mon -->";
        let found = &["HTTrack 1 a.example/b?c"][..];
        for before in [
            "",
            "<html>",
            "<html><title>x</title><link>",
            "<html></html>",
        ] {
            gives(&format!("{before}{mark}<head>"), found);
        }
        for before in [
            "<head>", "<META>", "<body>", "x", "<title>", "<script>", "<style>",
        ] {
            gives(&format!("{before}{mark}"), &[]);
        }
        assert_eq!(httrack(" Mirrored from b by hand "), None);
        assert_eq!(
            httrack(" Mirrored from  by HTTrack Website Copier/3.x "),
            None
        );
    }

    #[test]
    fn monolith_comment_position() {
        let mark = "<!-- Saved from http://a/b at 2025-01-01T00:00:00Z using monolith v2.10.1 -->";
        gives(
            &format!("{mark}\n<!DOCTYPE html>"),
            &["monolith 1 http://a/b"],
        );
        gives(&format!("<html>{mark}"), &[]);
        for comment in [
            " Saved from local source at 2025-01-01T00:00:00Z using monolith v2.10.1 ",
            " Saved from http://a/b at 2025-01-01T00:00:00Z ",
            " Saved from http://a/b using monolith v2.10.1 ",
        ] {
            assert_eq!(monolith(comment), None, "{comment:?}");
        }
    }

    #[test]
    fn webscrapbook_attribute_on_html_tag() {
        for (page, expected) in [
            (
                "<!DOCTYPE html>\n<HTML lang=x data-scrapbook-Source='http://a/?b&amp;c' data-scrapbook-source=x>",
                &["data-scrapbook-source 2 http://a/?b&c"][..],
            ),
            (
                "<html data-scrapbook-source>",
                &["data-scrapbook-source 1 "],
            ),
            ("<html><html data-scrapbook-source=x>", &[]),
            ("<title></title><html data-scrapbook-source=x>", &[]),
            ("<head data-scrapbook-source=x>", &[]),
        ] {
            gives(page, expected);
        }
    }

    #[test]
    fn commented_base_before_body() {
        for (page, expected) in [
            (
                "<head>\n<!--<base target=t href=\"http://a/?b&amp;c\">--><base href=\".\" target=t>",
                &["base 2 http://a/?b&c"][..],
            ),
            ("<!--<BASE HREF=x>--><BASE href=\".\">", &["base 1 x"]),
            ("<!--<base href=x>--> <base href=\".\">", &[]),
            ("<!--<base href=x>-->", &[]),
            ("<!--<base target=x>--><base href=\".\">", &[]),
            (
                "<head><!-- base href=\"http://a/?b&amp;c\" -->",
                &["base 1 http://a/?b&amp;c"],
            ),
            ("<!-- base href=\"x\"-->", &[]),
            ("<!-- base href=x -->", &[]),
            ("<body><!-- base href=\"x\" -->", &[]),
            ("<frameset><!-- base href=\"x\" -->", &[]),
            ("<p>x<!-- base href=\"x\" -->", &[]),
            ("<title><!-- base href=\"x\" --></title>", &[]),
            ("<script><!-- base href=\"x\" --></script>", &[]),
            ("<style><!-- base href=\"x\" --></style>", &[]),
            ("<style></style><!-- base href=\"x\" -->", &["base 1 x"]),
        ] {
            gives(page, expected);
        }
    }

    #[test]
    fn search_stops_after_page_start() {
        let base = "<!-- base href=\"x\" -->";
        let style = |length: usize| format!("<style>{}</style>", "é".repeat(length / 2));
        gives(&format!("{}{base}", style(60_000)), &["base 1 x"]);
        gives(&format!("{}{base}", style(REACH - 30)), &[]);
        gives(&format!("{}{base}", style(2 * REACH)), &[]);
    }

    proptest! {
        #[test]
        fn marks_lie_within_any_page(
            pieces in proptest::collection::vec(
                prop_oneof![
                    Just("<!--"), Just("-->"), Just("<html "), Just(">"), Just("<base href=\".\">"),
                    Just("<base href=é"), Just(" base href=\"é\" "), Just("\n"), Just("é"),
                    Just(" saved from url=(0001)x "), Just("data-scrapbook-source='é'"),
                    Just(" Page saved with SingleFile\n url: é\n"), Just("<title>"),
                    Just(" Mirrored from é by HTTrack Website Copier/"), Just("<"), Just("\""),
                    Just(" Saved from é at é using monolith v"),
                ],
                0..40,
            ),
        ) {
            let page = pieces.concat();
            for declaration in read(&page, Positions::from_text(&page)) {
                prop_assert!(page.contains(&*declaration.value));
            }
        }
    }
}
