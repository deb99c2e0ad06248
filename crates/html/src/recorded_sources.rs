//! Reads what a generated page records of its sources: attributes of its elements, a link to an editor,
//! metadata.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match, MatchKind, packed};
use memchr::memchr;

use super::tags::{Tag, Tags};
use baseref_document::{ElementSource, PageSource, RecordedSources};
use baseref_text::decode::position::Positions;

/// The maximum depth of elements; deeper ones have the lines of the last one above.
const DEEPEST: usize = 512;

/// The maximum length of the name of a source, in bytes: each finding of a page shows it.
const LONGEST: usize = 1_024;

/// Elements without content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// The file names of sources.
const SOURCES: [&str; 12] = [
    ".md",
    ".mdx",
    ".markdown",
    ".rst",
    ".adoc",
    ".asciidoc",
    ".txt",
    ".ipynb",
    ".org",
    ".html",
    ".htm",
    ".rmd",
];

/// Reads the sources that a page names from its text; `path` is the path of the page.
pub(super) fn read(
    text: &str,
    mut positions: Positions<'_>,
    path: &str,
) -> Option<RecordedSources> {
    let (has_elements, may_be_named) = signs(text.as_bytes());
    if !has_elements && !may_be_named {
        return None;
    }
    let mut sources = RecordedSources::default();
    if !has_elements {
        sources.page = page_source_in(text, path);
        return Some(sources);
    }
    let mut open = OpenSources(Vec::new());
    for tag in Tags::new(text) {
        if !tag.is_end && sources.page.is_none() && may_be_named {
            sources.page = page_source(&tag, path);
        }
        if tag.is_end {
            let before = open.innermost().cloned();
            open.close(tag.name);
            if before.as_ref() != open.innermost() {
                let start = positions.locate(tag.bytes.clone()).byte.start;
                sources.push(start, open.innermost().cloned());
            }
            continue;
        }
        let own = element_source(&tag, open.innermost());
        let closes = VOID.iter().any(|name| tag.is(name)) || tag.closes_itself;
        let is_followed = !closes && open.0.len() < DEEPEST;
        if own.is_some() {
            let bytes = positions.locate(tag.bytes.clone()).byte;
            sources.push(bytes.start, own.clone());
            if !is_followed {
                sources.push(bytes.end, open.innermost().cloned());
            }
        }
        if is_followed {
            let inherited = open.innermost().cloned();
            open.0.push((tag.name, own.or(inherited)));
        }
    }
    Some(sources)
}

/// The names of the open elements, each with the source recorded around it.
struct OpenSources<'t>(Vec<(&'t str, Option<ElementSource>)>);

impl OpenSources<'_> {
    fn innermost(&self) -> Option<&ElementSource> {
        self.0.last()?.1.as_ref()
    }

    /// Closes the innermost element of that name, and all in it.
    fn close(&mut self, name: &str) {
        let mut open = self.0.iter();
        if let Some(place) = open.rposition(|(open, _)| open.eq_ignore_ascii_case(name)) {
            self.0.truncate(place);
        }
    }
}

/// Whether a page may name a source, by its bytes before they are decoded: few pages do, and decoding
/// takes most of the time. The signs are in ASCII, which every encoding but UTF-16 keeps, and UTF-16
/// writes it with bytes of zero.
pub(super) fn may_be_in(page: &[u8]) -> bool {
    let (has_elements, may_be_named) = signs(page);
    has_elements || may_be_named || memchr(0, page).is_some()
}

/// Strings in tags that record sources: first of elements, then of pages, then the rest of a value that
/// begins with `source`.
const SIGNS: [&str; 9] = [
    "data-source",
    "data-pos",
    "_sources/",
    "/edit/",
    "/_edit/",
    "/blob/",
    "/src/",
    "ource",
    "OURCE",
];

/// How many of [`SIGNS`] are of elements, and how many of elements or pages.
const OF_ELEMENTS: usize = 2;
const OF_PAGES: usize = 7;

static SIGNS_SEARCHER: LazyLock<Searcher> = LazyLock::new(|| Searcher::new(&SIGNS));

/// The character references that may stand for a part of a sign.
const REFERENCES: [&str; 4] = ["&#", "&sol", "&lowbar", "&UnderBar"];

/// For the signs of pages, and [`REFERENCES`].
static PAGE_SIGNS_SEARCHER: LazyLock<Searcher> =
    LazyLock::new(|| Searcher::new(&[&SIGNS[OF_ELEMENTS..], &REFERENCES].concat()));

/// A search for several strings, the leftmost first.
enum Searcher {
    /// For the beginnings of the strings, 32 bytes at a time; a tenth of the other to build.
    Packed(packed::Searcher),
    /// On processors that cannot do that.
    Automaton(AhoCorasick),
}

impl Searcher {
    fn new(strings: &[&str]) -> Self {
        match packed::Searcher::new(strings) {
            Some(searcher) => Self::Packed(searcher),
            None => Self::automaton(strings),
        }
    }

    fn automaton(strings: &[&str]) -> Self {
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostFirst);
        let automaton = builder.build(strings);
        Self::Automaton(automaton.expect("a few short strings are no large automaton"))
    }

    fn find_iter(&self, text: &[u8]) -> impl Iterator<Item = Match> {
        let (packed, automaton) = match self {
            Self::Packed(searcher) => (Some(searcher), None),
            Self::Automaton(searcher) => (None, Some(searcher)),
        };
        let packed = packed.into_iter().flat_map(move |it| it.find_iter(text));
        let automaton = automaton.into_iter().flat_map(move |it| it.find_iter(text));
        packed.chain(automaton)
    }
}

/// Whether elements of a page may record lines, and whether a tag may name the source of the page, by
/// a search for what such tags contain. Few pages have any.
fn signs(page: &[u8]) -> (bool, bool) {
    let (mut has_elements, mut may_be_named) = (false, false);
    for found in SIGNS_SEARCHER.find_iter(page) {
        match found.pattern().as_usize() {
            ..OF_ELEMENTS => has_elements = true,
            OF_ELEMENTS..OF_PAGES => may_be_named = true,
            _ => may_be_named |= begins_value(page, found.start()),
        }
        if has_elements && may_be_named {
            break;
        }
    }
    (has_elements, may_be_named)
}

/// The source of the page at a path, if a tag names it: of all tags those are looked at that have a sign
/// of it, or a character reference, which may stand for a part of one.
fn page_source_in(text: &str, page: &str) -> Option<PageSource> {
    let mut tags = Tags::new(text);
    let mut tag: Option<Tag<'_>> = None;
    let mut seen = 0;
    for sign in signs_of_page(text.as_bytes()) {
        if sign < seen {
            continue;
        }
        if tag.as_ref().is_none_or(|tag| tag.bytes.end <= sign) {
            tag = Some(tags.ending_after(sign)?);
        }
        if let Some(tag) = tag.as_ref().filter(|tag| tag.bytes.contains(&sign)) {
            seen = tag.bytes.end;
            let source = page_source(tag, page).filter(|_| !tag.is_end);
            if source.is_some() {
                return source;
            }
        }
    }
    None
}

/// The offsets of what tags that name the source of a page contain.
fn signs_of_page(page: &[u8]) -> impl Iterator<Item = usize> {
    let found = PAGE_SIGNS_SEARCHER.find_iter(page);
    let of_values = OF_PAGES - OF_ELEMENTS..SIGNS.len() - OF_ELEMENTS;
    let is_sign = move |found: &Match| {
        let is_of_value = of_values.contains(&found.pattern().as_usize());
        !is_of_value || begins_value(page, found.start())
    };
    found.filter(is_sign).map(|found| found.start())
}

/// Whether a value begins with the letter `s` before an offset, in either case.
fn begins_value(page: &[u8], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|start| page.get(start..at));
    matches!(before, Some([b'=' | b'"' | b'\'', b's' | b'S']))
}

/// The source of the page at a path, if a tag names it.
fn page_source(tag: &Tag<'_>, page: &str) -> Option<PageSource> {
    if tag.is("meta") {
        let names = ["source", "source-file", "source_file", "sourcefile"];
        let name = tag.value("name").or_else(|| tag.value("property"))?;
        let is_source = names.contains(&name.to_ascii_lowercase().as_str());
        let file = tag.value("content").filter(|_| is_source)?;
        let is_path = is_name(&file) && !file.contains("://");
        return is_path.then(|| PageSource::Path(file.into_owned()));
    }
    if !tag.is("a") && !tag.is("link") {
        return None;
    }
    let href = tag.value("href")?;
    let path = href.split(['?', '#']).next().unwrap_or_default();
    if !is_name(path) {
        return None;
    }
    if let Some((before, source)) = path.split_once("_sources/") {
        let is_above = before
            .split('/')
            .all(|name| matches!(name, "" | "." | ".."));
        let source = source.strip_suffix(".txt").unwrap_or(source);
        let is_below = source.split('/').all(|name| name != "..");
        return (is_above && is_below && !before.starts_with('/')).then(|| PageSource::Copy {
            copy: path.to_owned(),
            source: source.to_owned(),
        });
    }
    if !href.contains("://") {
        return None;
    }
    let marked = ["rel", "title", "aria-label", "class", "id"];
    let marked = marked.iter().filter_map(|name| tag.value(name));
    let is_marked = marked
        .into_iter()
        .any(|value| value.to_ascii_lowercase().contains("edit"));
    let verbs = ["/edit/", "/_edit/", "/blob/", "/src/"];
    let (verb, in_repository) = verbs.iter().find_map(|verb| {
        let (_, after) = path.split_once(verb)?;
        Some((*verb, after))
    })?;
    let (_branch, file) = in_repository.split_once('/')?;
    let is_source = SOURCES
        .iter()
        .any(|end| file.to_ascii_lowercase().ends_with(end));
    // A link that is marked as an edit link needs no other evidence. Any other link to a repository
    // counts if the file there has the name of the page.
    let is_own = verb == "/edit/" || is_marked || (verb == "/blob/" && is_called_alike(file, page));
    (is_source && is_own).then(|| PageSource::EditLink(file.to_owned()))
}

/// Whether a source can have such a name.
fn is_name(file: &str) -> bool {
    (1..=LONGEST).contains(&file.len()) && !file.contains(char::REPLACEMENT_CHARACTER)
}

/// Whether a source has the name of a page and, where both have one, of its folder.
fn is_called_alike(source: &str, page: &str) -> bool {
    /// The file stem and the name of its folder; an index page has the name of its folder.
    fn names(path: &str) -> Option<[&str; 2]> {
        let (path, _ending) = path.rsplit_once('.')?;
        let path = ["/index", "/_index", "/README"]
            .iter()
            .find_map(|name| path.strip_suffix(name))
            .unwrap_or(path);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some([folder.rsplit('/').next().unwrap_or_default(), name])
    }
    let (Some([in_source, source]), Some([in_site, page])) = (names(source), names(page)) else {
        return false;
    };
    source == page && (in_source.is_empty() || in_site.is_empty() || in_source == in_site)
}

/// The source that a start tag names for its element, which is inside one with the source `outside`.
fn element_source(tag: &Tag<'_>, outside: Option<&ElementSource>) -> Option<ElementSource> {
    let file = tag.value("data-source-file");
    let lines = tag
        .value("data-source-line")
        .or_else(|| tag.value("data-sourcepos"))
        .or_else(|| tag.value("data-pos"));
    if file.is_none() && lines.is_none() {
        return None;
    }
    // pandoc writes `file@1:1-2:3;...`.
    let lines = lines.unwrap_or_default();
    let (named, lines) = match lines.split_once('@') {
        Some((named, lines)) => (Some(named), lines),
        None => (None, &*lines),
    };
    let file = file.as_deref().or(named).filter(|file| is_name(file));
    let file = match file {
        Some(file) => Some(file.into()),
        None => outside.and_then(|outside| outside.file.clone()),
    };
    let lines = lines_in(lines);
    (file.is_some() || lines.is_some()).then_some(ElementSource { file, lines })
}

/// The first and last line of `12`, `12-14`, `12:1-14:5` and the like.
fn lines_in(text: &str) -> Option<(u32, u32)> {
    let range = text.split(';').next()?;
    let line = |place: &str| -> Option<u32> {
        let line = place.split(':').next()?.trim().parse().ok()?;
        (line > 0).then_some(line)
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let first = line(first)?;
    Some((first, line(last).unwrap_or(first).max(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::{Origin, ReadOptions};
    use baseref_text::decode::source::{Markup, MarkupSource};

    fn read(page: &[u8]) -> RecordedSources {
        let source = MarkupSource::new(Markup::Html, page, Origin::new("site/d/a.html"));
        crate::read_recorded_sources(&source, &ReadOptions::default()).unwrap_or_default()
    }

    fn lines(page: &str, at: &str) -> Option<(u32, u32)> {
        let marks = read(page.as_bytes());
        let byte = page.find(at).expect("the page has the marker") as u64;
        marks.at(byte)?.lines
    }

    #[test]
    fn searchers_find_the_same() {
        let mut texts = vec![String::new(), "ource".to_owned(), SIGNS.concat()];
        for sign in SIGNS {
            let around = "/s".repeat(sign.len() * 3);
            texts.extend([
                format!("{around}{sign}"),
                format!("{sign}{around}{sign}src/"),
            ]);
        }
        let found = |searcher: &Searcher, text: &str| -> Vec<(usize, usize)> {
            let found = searcher.find_iter(text.as_bytes());
            found
                .map(|it| (it.pattern().as_usize(), it.start()))
                .collect()
        };
        let [fast, slow] = [Searcher::new(&SIGNS), Searcher::automaton(&SIGNS)];
        for text in texts {
            assert_eq!(found(&fast, &text), found(&slow, &text), "{text}");
        }
    }

    #[test]
    fn tag_is_found_by_its_sign_or_reference_behind_other_signs() {
        for href in [
            "https://h/o/r/edit/main/d/a.md",
            "https:&#47;&#47;h/o/r&#x2F;edit&#x2F;main/d/a.md",
        ] {
            let before = "<p>/src/ &#1;<img src=/src/x.png><a title=x href=y>/edit/</a>";
            let page = format!("{before}<a rel=edit href='{href}'>");
            let source = PageSource::EditLink("d/a.md".to_owned());
            assert_eq!(read(page.as_bytes()).page, Some(source), "{href}");
        }
    }

    #[test]
    fn innermost_recorded_lines() {
        let page = "<ul data-sourcepos=\"1:1-9:2\"><li data-source-line='2'><a href=one>1</a><br>\
                    <li data-pos=\"x.md@3:1-4:2\"><a href=two></a></li><a href=three></a></ul>\
                    <a href=four></a><img data-source-line=7 alt='a > b' src=five><a href=six></a>\
                    <!-- <p data-source-line=99> --><script>'<p data-source-line=98>'</script><a href=seven>";
        for (at, expected) in [
            ("one", Some((2, 2))),
            ("two", Some((3, 4))),
            ("three", Some((2, 2))),
            ("four", None),
            ("five", Some((7, 7))),
            ("six", None),
            ("seven", None),
        ] {
            assert_eq!(lines(page, at), expected, "{at}");
        }
        let marks = read(page.as_bytes());
        let two = marks
            .at(page.find("two").expect("the page has the marker") as u64)
            .expect("the element has a recorded source");
        assert_eq!(two.file.as_deref(), Some("x.md"));
    }

    #[test]
    fn recorded_source_in_malformed_tags() {
        let named = |page: &[u8]| match read(page).page {
            Some(PageSource::Path(file)) => Some(file),
            _ => None,
        };
        for page in [
            "<meta name=\"source\" content=\"d/&eacute;.md\">",
            "<META CONTENT='d/\u{e9}.md' title='a > b' NAME=source>",
            "<meta name=SOURCE content=d/\u{e9}.md>",
            "<meta name='Source-File' content=d/\u{e9}.md>",
            "<svg><title><meta name=source content=d/\u{e9}.md></title></svg>",
        ] {
            assert_eq!(
                named(page.as_bytes()).as_deref(),
                Some("d/\u{e9}.md"),
                "{page}"
            );
        }
        // In windows-1252 and UTF-16, at the bytes of the file.
        let page = b"<p title='\xe9\xe8'><p data-source-line=4>x<a href=y>\xe9";
        let marks = read(page);
        assert_eq!(
            marks
                .at(page.len() as u64)
                .expect("the element has a recorded source")
                .lines,
            Some((4, 4))
        );
        assert_eq!(marks.at(13), None);
        let name = Some("d/\u{e9}.md");
        assert_eq!(
            named(b"<meta name=source content=d/\xe9.md>").as_deref(),
            name
        );
        let page = "\u{feff}<meta name=source content=d/\u{e9}.md>";
        let utf_16: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(named(&utf_16).as_deref(), name);
    }

    #[test]
    fn recorded_file_inherited() {
        let page = "<body data-source-file=a.md><p data-source-line=3>x";
        let marks = read(page.as_bytes());
        let mark = marks
            .at(page.len() as u64)
            .expect("the element has a recorded source");
        assert_eq!(
            (mark.file.as_deref(), mark.lines),
            (Some("a.md"), Some((3, 3)))
        );
    }

    #[test]
    fn recorded_source_by_generator() {
        let edited = |path: &str| Some(PageSource::EditLink(path.to_owned()));
        for (page, expected) in [
            // mdBook
            (
                "<a href=\"https://github.com/o/r/edit/master/guide/src/a.md\" title=\"Suggest an edit\" aria-label=\"Suggest an edit\" rel=\"edit\"><i id=\"git-edit-button\" class=\"fa fa-edit\"></i></a>",
                edited("guide/src/a.md"),
            ),
            // Docusaurus
            (
                "<a href=\"https://github.com/o/r/edit/main/website/docs/a.mdx\" target=\"_blank\" class=\"theme-edit-this-page\">Edit this page</a>",
                edited("website/docs/a.mdx"),
            ),
            // GitLab, and a theme of Sphinx
            (
                "<a href=\"https://gitlab.com/o/r/-/edit/main/docs/a.md?ref_type=heads\" rel=edit>",
                edited("docs/a.md"),
            ),
            (
                "<a href=\"https://github.com/o/r/blob/main/docs/a.rst\" class=\"fa\">an example</a>",
                None,
            ),
            (
                "<a href=\"https://github.com/o/r/blob/main/docs/a.rst\" title=\"Edit on GitHub\">",
                edited("docs/a.rst"),
            ),
            ("<a href=\"https://example.com/edit/profile\">", None),
            // Python's theme of Sphinx
            (
                "<a href=\"https://github.com/o/r/blob/main/Doc/d/a.rst\" rel=\"nofollow\">Show Source</a>",
                edited("Doc/d/a.rst"),
            ),
            (
                "<a href=\"https://github.com/o/r/blob/main/Doc/d/b.rst\" rel=\"nofollow\">",
                None,
            ),
            (
                "<a href=\"https://github.com/o/r/blob/main/content/d/a/index.md\">",
                edited("content/d/a/index.md"),
            ),
            (
                "<a href=\"../_sources/d/a.rst.txt\" rel=\"nofollow\">Show Source</a>",
                Some(PageSource::Copy {
                    copy: "../_sources/d/a.rst.txt".to_owned(),
                    source: "d/a.rst".to_owned(),
                }),
            ),
            ("<a href=\"_sources/../../x.txt\">", None),
            ("<a href=\"/_sources/x.txt\">", None),
            (
                "<meta name=\"source\" content=\"content/a.md\">",
                Some(PageSource::Path("content/a.md".to_owned())),
            ),
            ("<meta name=source content=https://example.com/>", None),
        ] {
            assert_eq!(read(page.as_bytes()).page, expected, "{page}");
        }
    }

    #[test]
    fn overlong_file_name_ignored() {
        for (length, is_taken) in [(LONGEST, true), (LONGEST + 1, false)] {
            let name = "a".repeat(length - ".md".len()) + ".md";
            let page = format!("<meta name=source content={name}><p data-source-file={name}>x");
            let marks = read(page.as_bytes());
            assert_eq!(marks.page.is_some(), is_taken);
            assert_eq!(marks.at(page.len() as u64).is_some(), is_taken);
            let url = "https://g.example/o/r/edit/main/";
            let page = format!("<a rel=edit href={url}{}>", &name[url.len()..]);
            let marks = read(page.as_bytes());
            assert_eq!(marks.page.is_some(), is_taken);
        }
    }

    #[test]
    fn linear_time_on_hostile_pages() {
        let deep = "<p data-source-line=1>".repeat(100_000) + &"</b>".repeat(100_000);
        assert!(read(deep.as_bytes()).changes() <= 200_000);
        for broken in [
            "<",
            "<a",
            "<a href=",
            "<a href=\"",
            "<!--",
            "<script>",
            "</",
        ] {
            let page = format!("<p data-source-line=1>{broken}");
            assert_eq!(read(page.as_bytes()).changes(), 1, "{page}");
        }
    }
}
