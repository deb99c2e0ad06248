//! What a generated page says of its source: attributes of its elements, a link to an editor, metadata.

use std::sync::Arc;

use memchr::memmem;

/// What a page says of its source.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The file that the page as a whole was made from.
    pub(super) page: Option<OfPage>,
    /// The lines that what follows a byte was made from, by that byte.
    elements: Vec<(u64, Option<OfElement>)>,
}

/// The file that a page was made from, as it says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OfPage {
    /// A path.
    Named(String),
    /// A path in the repository, from a link to edit it there.
    Edited(String),
    /// A copy beside the page, by a relative reference, and the path of the source.
    Copied {
        /// Such as `../_sources/a/b.rst.txt`.
        copy: String,
        /// Such as `a/b.rst`.
        source: String,
    },
}

/// The lines that an element was made from, and their file if the element says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfElement {
    pub(super) file: Option<Arc<str>>,
    /// The first and the last line, 1-based.
    pub(super) lines: Option<(u32, u32)>,
}

/// How deeply elements are followed; those deeper have the lines of the last one that is.
const DEEPEST: usize = 512;

/// The longest name of a source that is taken, in bytes: each finding of a page shows it.
const LONGEST: usize = 1_024;

/// Elements without content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements with nothing but text.
const TEXT: [&str; 4] = ["script", "style", "textarea", "title"];

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

impl Marks {
    /// The marks of a page in an encoding that has the bytes of ASCII for its letters, by the path of
    /// its file.
    pub(super) fn of(page: &[u8], path: &str) -> Self {
        let (has_elements, may_be_named) = signs(page);
        if !has_elements && !may_be_named {
            return Self::default();
        }
        let mut marks = Self::default();
        let mut open: Vec<(&[u8], Option<OfElement>)> = Vec::new();
        for (at, tag) in Tags(page, 0) {
            if marks.page.is_none() && may_be_named {
                marks.page = of_page(&tag, path);
            }
            if !has_elements {
                if marks.page.is_some() {
                    break;
                }
                continue;
            }
            let before = open.last().and_then(|(_, mark)| mark.as_ref());
            if tag.is_end {
                let place = open
                    .iter()
                    .rposition(|(name, _)| name.eq_ignore_ascii_case(tag.name));
                let Some(place) = place else { continue };
                let was = before.cloned();
                open.truncate(place);
                let now = open.last().and_then(|(_, mark)| mark.clone());
                if was != now {
                    marks.elements.push((at, now));
                }
                continue;
            }
            let own = of_element(&tag, before);
            if let Some(own) = &own {
                marks.elements.push((at, Some(own.clone())));
            }
            let inherited = before.cloned();
            let is_void = VOID.iter().any(|name| tag.is(name));
            if is_void || tag.closes_itself || open.len() >= DEEPEST {
                if own.is_some() {
                    marks.elements.push((at + tag.text.len() as u64, inherited));
                }
            } else {
                open.push((tag.name, own.or(inherited)));
            }
        }
        marks
    }

    /// What is said of the element around a byte.
    pub(super) fn at(&self, byte: u64) -> Option<&OfElement> {
        let after = self.elements.partition_point(|(start, _)| *start <= byte);
        let (_, mark) = self.elements.get(after.checked_sub(1)?)?;
        mark.as_ref()
    }
}

/// A tag.
struct Tag<'t> {
    name: &'t [u8],
    /// From `<` to `>`.
    text: &'t [u8],
    is_end: bool,
    closes_itself: bool,
}

impl Tag<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// The value of an attribute, character references undecoded but for the ampersand.
    fn value(&self, name: &str) -> Option<String> {
        let mut rest = self.text;
        while let Some(at) = memmem::find(rest, name.as_bytes()) {
            let before = at.checked_sub(1).and_then(|before| rest.get(before));
            let is_begun = before.is_some_and(u8::is_ascii_whitespace);
            rest = &rest[at + name.len()..];
            let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
                continue;
            };
            if !is_begun {
                continue;
            }
            let value = value.trim_ascii_start();
            let end = |is_end: &dyn Fn(&u8) -> bool| value.iter().skip(1).position(is_end);
            let value = match value.first() {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = end(&|byte| byte == quote)?;
                    &value[1..=end]
                }
                Some(_) => {
                    let end = end(&|byte| byte.is_ascii_whitespace() || *byte == b'>');
                    &value[..end.map_or(value.len(), |end| end + 1)]
                }
                None => return None,
            };
            return Some(str::from_utf8(value).ok()?.replace("&amp;", "&"));
        }
        None
    }
}

/// The tags of a page, outside comments and text, each with the byte that it begins at.
struct Tags<'t>(&'t [u8], usize);

impl<'t> Iterator for Tags<'t> {
    type Item = (u64, Tag<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let Self(page, at) = self;
        loop {
            let start = *at + memchr::memchr(b'<', &page[*at..])?;
            let rest = &page[start..];
            *at = start + 1;
            if let Some(comment) = rest.strip_prefix(b"<!--") {
                let end = memmem::find(comment, b"-->")?;
                *at = start + 4 + end + 3;
                continue;
            }
            let is_end = rest.get(1) == Some(&b'/');
            let name = &rest[1 + usize::from(is_end)..];
            if !name.first().is_some_and(u8::is_ascii_alphabetic) {
                continue;
            }
            let is_of_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            let length = name.iter().position(is_of_name).unwrap_or(name.len());
            let name = &name[..length];
            let end = end_of_tag(rest)?;
            let text = &rest[..end];
            *at = start + end;
            if !is_end
                && TEXT
                    .iter()
                    .any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
            {
                *at += end_of_text(&page[*at..], name)?;
            }
            let tag = Tag {
                name,
                text,
                is_end,
                closes_itself: text.ends_with(b"/>"),
            };
            return Some((start as u64, tag));
        }
    }
}

/// The length of a tag: a `>` in quotes does not end it.
fn end_of_tag(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr3(b'>', b'"', b'\'', rest.get(at..)?)?;
        let found = rest[at];
        at += 1;
        if found == b'>' {
            return Some(at);
        }
        // A quote that does not follow `=` is part of a name.
        let before = rest[..at - 1].trim_ascii_end();
        if before.ends_with(b"=") {
            at += memchr::memchr(found, &rest[at..])? + 1;
        }
    }
}

/// How much text there is before the end tag of an element with nothing else.
fn end_of_text(rest: &[u8], name: &[u8]) -> Option<usize> {
    let mut ends = memmem::find_iter(rest, b"</");
    ends.find(|at| {
        let after = rest.get(at + 2..at + 2 + name.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(name))
    })
}

/// Whether elements of a page may say what lines they were made from, and whether a tag may name its
/// source, by what any such tag has in it: few pages have, and most are read for nothing else.
///
/// An expression for all of them takes longer to make than a page takes to be searched for each.
fn signs(page: &[u8]) -> (bool, bool) {
    const OF_ELEMENTS: [&str; 2] = ["data-source", "data-pos"];
    const OF_PAGE: [&str; 5] = ["_sources/", "/edit/", "/_edit/", "/blob/", "/src/"];
    let has = |sign: &&str| memmem::find(page, sign.as_bytes()).is_some();
    let has_elements = OF_ELEMENTS.iter().any(has);
    let may_be_named = OF_PAGE.iter().any(has) || has_value_of_source(page);
    (has_elements, may_be_named)
}

/// Whether a value may begin with `source`, in any case.
fn has_value_of_source(page: &[u8]) -> bool {
    const NAME: &[u8] = b"source";
    memchr::memchr3_iter(b'=', b'"', b'\'', page).any(|at| {
        let value = page.get(at + 1..at + 1 + NAME.len());
        value.is_some_and(|value| value.eq_ignore_ascii_case(NAME))
    })
}

/// The source of the page at a path, if a tag says it.
fn of_page(tag: &Tag<'_>, page: &str) -> Option<OfPage> {
    if tag.is_end {
        return None;
    }
    if tag.is("meta") {
        let names = ["source", "source-file", "source_file", "sourcefile"];
        let name = tag.value("name").or_else(|| tag.value("property"))?;
        let is_source = names.contains(&name.to_ascii_lowercase().as_str());
        let file = tag.value("content").filter(|_| is_source)?;
        let is_path = is_name(&file) && !file.contains("://");
        return is_path.then_some(OfPage::Named(file));
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
        return (is_above && is_below && !before.starts_with('/')).then(|| OfPage::Copied {
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
    // What is called editing needs no other sign. A mere link to a repository is one to the source if
    // the file there is called as the page is.
    let is_own = verb == "/edit/" || is_marked || (verb == "/blob/" && is_called_alike(file, page));
    (is_source && is_own).then(|| OfPage::Edited(file.to_owned()))
}

/// Whether a source can have such a name.
fn is_name(file: &str) -> bool {
    (1..=LONGEST).contains(&file.len())
}

/// Whether a source has the name of a page and, where both have one, of its folder.
fn is_called_alike(source: &str, page: &str) -> bool {
    /// The last name without its ending, and that of its folder; the page of a folder is called as it.
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

/// What a start tag says of its element, inside another about which something is said.
fn of_element(tag: &Tag<'_>, outside: Option<&OfElement>) -> Option<OfElement> {
    memmem::find(tag.text, b"data-")?;
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
        None => (None, lines.as_str()),
    };
    let file = file.as_deref().or(named).filter(|file| is_name(file));
    let file = match file {
        Some(file) => Some(file.into()),
        None => outside.and_then(|outside| outside.file.clone()),
    };
    let lines = lines_in(lines);
    (file.is_some() || lines.is_some()).then_some(OfElement { file, lines })
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

    fn lines(page: &str, at: &str) -> Option<(u32, u32)> {
        let marks = Marks::of(page.as_bytes(), "site/d/a.html");
        let byte = page.find(at).expect("it is there") as u64;
        marks.at(byte)?.lines
    }

    #[test]
    fn the_innermost_element_with_a_mark_says_the_lines() {
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
        let marks = Marks::of(page.as_bytes(), "site/d/a.html");
        let two = marks
            .at(page.find("two").expect("it") as u64)
            .expect("a mark");
        assert_eq!(two.file.as_deref(), Some("x.md"));
    }

    #[test]
    fn a_file_holds_for_what_is_inside() {
        let page = "<body data-source-file=a.md><p data-source-line=3>x";
        let marks = Marks::of(page.as_bytes(), "site/d/a.html");
        let mark = marks.at(page.len() as u64).expect("a mark");
        assert_eq!(
            (mark.file.as_deref(), mark.lines),
            (Some("a.md"), Some((3, 3)))
        );
    }

    #[test]
    fn generators_name_the_source_of_a_page() {
        let edited = |path: &str| Some(OfPage::Edited(path.to_owned()));
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
                Some(OfPage::Copied {
                    copy: "../_sources/d/a.rst.txt".to_owned(),
                    source: "d/a.rst".to_owned(),
                }),
            ),
            ("<a href=\"_sources/../../x.txt\">", None),
            ("<a href=\"/_sources/x.txt\">", None),
            (
                "<meta name=\"source\" content=\"content/a.md\">",
                Some(OfPage::Named("content/a.md".to_owned())),
            ),
            ("<meta name=source content=https://example.com/>", None),
        ] {
            assert_eq!(
                Marks::of(page.as_bytes(), "site/d/a.html").page,
                expected,
                "{page}"
            );
        }
    }

    #[test]
    fn a_name_that_is_longer_than_a_path_is_none() {
        for (length, is_taken) in [(LONGEST, true), (LONGEST + 1, false)] {
            let name = "a".repeat(length - ".md".len()) + ".md";
            let page = format!("<meta name=source content={name}><p data-source-file={name}>x");
            let marks = Marks::of(page.as_bytes(), "site/d/a.html");
            assert_eq!(marks.page.is_some(), is_taken);
            assert_eq!(marks.at(page.len() as u64).is_some(), is_taken);
            let url = "https://g.example/o/r/edit/main/";
            let page = format!("<a rel=edit href={url}{}>", &name[url.len()..]);
            let marks = Marks::of(page.as_bytes(), "site/d/a.html");
            assert_eq!(marks.page.is_some(), is_taken);
        }
    }

    #[test]
    fn hostile_pages_take_no_more_than_linear_time() {
        let deep = "<p data-source-line=1>".repeat(100_000) + &"</b>".repeat(100_000);
        assert!(Marks::of(deep.as_bytes(), "site/d/a.html").elements.len() <= 200_000);
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
            assert_eq!(
                Marks::of(page.as_bytes(), "site/d/a.html").elements.len(),
                1,
                "{page}"
            );
        }
    }
}
