//! Reading and resolving take memory in proportion to the file, however deeply it nests or however many
//! documents are in it.
//!
//! What is compared is the number of bytes allocated, which is the same on every machine.

use allocation_counter::measure;
use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_reader::links::DocumentResolver;
use baseref_reader::{Policy, read_bytes};

/// A construct that is repeated before and after what is inside.
struct Nesting {
    name: &'static str,
    before: &'static str,
    open: &'static str,
    inside: &'static str,
    close: &'static str,
    after: &'static str,
}

const fn nesting(
    name: &'static str,
    [before, open, inside, close, after]: [&'static str; 5],
) -> Nesting {
    Nesting {
        name,
        before,
        open,
        inside,
        close,
        after,
    }
}

const LINK: &str = "<a href=x>x</a>";

#[rustfmt::skip]
const NESTINGS: &[Nesting] = &[
    nesting("a.html", ["<!DOCTYPE html>", "<div>", LINK, "</div>", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<b>", LINK, "</b>", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<b><p>", LINK, "", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<a href=x><p>", "x", "", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<table><tr><td>", LINK, "", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<table>", LINK, "</table>", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<template>", LINK, "</template>", ""]),
    nesting("a.html", ["<!DOCTYPE html>", "<select><option>", LINK, "", ""]),
    nesting("a.html", ["<!DOCTYPE html><p><a href=y>", "<svg><foreignObject>", LINK, "", "<table><a href=z>"]),
    nesting("a.html", ["<!DOCTYPE html><p><a href=y>", "<math><mi>", LINK, "", "<table><a href=z>"]),
    nesting("a.html", ["<!DOCTYPE html><p><a href=y>", "<svg>", LINK, "", "<table><a href=z>"]),
    nesting("a.html", ["<!DOCTYPE html>", "<object data=x>", LINK, "</object>", ""]),
    nesting("a.html", ["<!DOCTYPE html><script type=application/ld+json>", "[", "", "]", "</script>"]),
    nesting("a.html", ["<!DOCTYPE html>", "<iframe srcdoc='<a href=x>'></iframe>", "", "", ""]),
    nesting("a.css", ["", "@media a {", "b { c: url(x) }", "}", ""]),
    nesting("a.css", ["", "a {", "b: url(x)", "}", ""]),
    nesting("a.css", ["a { b: ", "calc(", "url(x)", ")", " }"]),
    nesting("a.css", ["a { b: ", "[", "url(x)", "]", " }"]),
    nesting("a.css", ["a { b: ", "image-set(", "'x' 1x", ")", " }"]),
    nesting("a.css", ["", "@import url(x) layer(", "a", ")", ";"]),
    nesting("a.svg", ["<svg xmlns='http://www.w3.org/2000/svg'>", "<g>", "<a href='x'/>", "</g>", "</svg>"]),
    nesting("a.atom", ["<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry xml:base='a/'>", "<link href='x'/>", "</entry>", "</feed>"]),
    nesting("a.eml", ["", "Content-Type: message/rfc822\n\n", "Content-Type: text/html\n\n<a href=x>", "", ""]),
    nesting("a.eml", ["Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n", "", "", ""]),
    nesting("a.eml", ["Content-Type: text/html; a=", "(", "", ")", "\n\n<a href=x>"]),
    nesting("a.eml", ["Content-Base: <URL:http://h/> ", "(", "", ")", "\nContent-Type: text/html\n\n<a href=x>"]),
    nesting("a.eml", ["Content-Type: text/plain\n\n", "<", "http://h/x", ">", "\n"]),
    nesting("a.har", ["{\"log\":", "[", "", "]", "}"]),
];

/// A document in a long base; each piece has a base or document of its own.
#[rustfmt::skip]
const REPEATED: &[Nesting] = &[
    nesting("a.atom", ["<feed xmlns='http://www.w3.org/2005/Atom' xml:base='BASE'>", "<entry xml:base='c/'><link href='x'/><content type='html'>&lt;a href=x></content></entry>", "", "", "</feed>"]),
    nesting("a.atom", ["<feed xmlns='http://www.w3.org/2005/Atom'><entry xml:base='BASE'>", "<link href='x' xml:base='c/'/><content type='html'>&lt;a href=x></content>", "", "", "</entry></feed>"]),
    nesting("a.rss", ["<rss xml:base='BASE'><channel>", "<item><description><![CDATA[<a href=x>]]></description></item>", "", "", "</channel></rss>"]),
    nesting("a.html", ["<!DOCTYPE html><base href='BASE'>", "<a href=x>x</a>", "", "", ""]),
    nesting("a.html", ["<!DOCTYPE html><base href='BASE'>", "<object codebase=c data=x></object><object codebase=d data=x></object>", "", "", ""]),
    nesting("a.html", ["<!DOCTYPE html><base href='BASE'>", "<iframe srcdoc='<a href=x>'></iframe>", "", "", ""]),
    nesting("a.eml", ["Content-Base: BASE\nContent-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/html\nContent-Base: c/\n\n<a href=x>\n", "", "", "--b--\n"]),
];

impl Nesting {
    fn text(&self, depth: usize) -> String {
        [
            self.before,
            &self.open.repeat(depth),
            self.inside,
            &self.close.repeat(depth),
            self.after,
        ]
        .concat()
    }
}

/// The bytes that are allocated to read a file and to resolve its links.
fn allocated(name: &str, text: &str) -> u64 {
    let mut options = ReadOptions::default();
    options.classes = Classes::ALL;
    let counted = measure(|| {
        let documents = read_bytes(name, text.as_bytes().to_vec(), None, &options);
        let mut resolver = DocumentResolver::new(Policy::default());
        for document in documents.into_iter().flatten().flatten() {
            for document in resolver.documents(&document) {
                document.for_each_link(|link| assert!(link.url.is_err() || link.seq > 0));
            }
        }
    });
    counted.bytes_total
}

/// Checks that twice and four times a text takes at most that much more than once.
fn is_linear(nesting: &Nesting, depth: usize, text: impl Fn(usize) -> String) {
    let [once, twice, four_times] =
        [1, 2, 4].map(|times| allocated(nesting.name, &text(times * depth)));
    let allowed = |times: u64| times * once * 13 / 10 + (64 << 10);
    assert!(
        twice <= allowed(2) && four_times <= allowed(4),
        "{}: {once}, {twice} and {four_times} bytes for {depth}, twice and four times that: {}",
        nesting.name,
        nesting.text(2)
    );
}

#[test]
fn memory_is_linear_in_the_depth() {
    for nesting in NESTINGS {
        for depth in [100, 500] {
            is_linear(nesting, depth, |depth| nesting.text(depth));
        }
    }
}

#[test]
fn long_base_is_not_copied_for_each_document() {
    for nesting in REPEATED {
        is_linear(nesting, 1_000, |times| {
            let base = format!("http://h/{}/", "b".repeat(10 * times));
            nesting.text(times).replace("BASE", &base)
        });
    }
}
