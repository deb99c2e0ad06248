//! Recognises files that are not pages by their names, although they begin like pages.
//!
//! Templates, notes of programmers, test data and backups often begin with `<!DOCTYPE html>`, but
//! no server delivers them as pages, and their links lead nowhere before they are filled in. What a
//! server makes pages with (`.php`, `.asp`, `.cgi`), a name without an extension, and any extension
//! that is not listed here say nothing: in a mirror those are pages.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::LazyLock;

use super::retrieval::name_and_query;
use baseref_files::name_bytes;

/// Why a file of source text is not a page.
const SOURCE: &str = "source file by its name";
/// Why a file from which pages are made is not one.
const TEMPLATE: &str = "template by its name";
/// Why a file of data is not a page.
const DATA: &str = "data file by its name";
/// Why another version of a page is not one.
const BACKUP: &str = "backup by its name";

/// Whether a reason for skipping a file is one of those that its name gives.
#[must_use]
pub fn is_of_name(reason: &str) -> bool {
    [SOURCE, TEMPLATE, DATA, BACKUP].contains(&reason)
}

/// Whether a file is one of those in which a crawler lists pages, among its archives.
#[must_use]
pub fn is_list_of_pages(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    matches!(
        name,
        Some("pages.jsonl" | "extraPages.jsonl" | "skippedPages.jsonl")
    )
}

/// What files are, by the ends of their names after a dot, in lower case.
const ENDS: [(&str, &str); 4] = [
    (
        SOURCE,
        // Scripts of pages, and sources that are translated to them; style sheets before their
        // translation; texts from which pages are made; programs; changes to them.
        "js mjs cjs jsx ts mts cts tsx coffee wasm vue svelte astro dart elm \
         scss sass less styl \
         md mkd mdown markdown mdx qmd rmd rst adoc asciidoc textile wiki mediawiki creole tex texi \
         texinfo pod rdoc dbk typ \
         c cc cpp cxx h hh hpp hxx m mm cs fs vb java kt kts scala groovy gradle clj go rs swift py \
         pyi rb lua r jl hs ml mli ex exs erl el lisp scm sh bash zsh fish ps1 bat cmd awk sed sql \
         proto graphql ipynb cmake mk \
         diff patch",
    ),
    (
        TEMPLATE,
        "tmpl tpl template hbs handlebars mustache hogan j2 jinja jinja2 njk nunjucks twig liquid \
         ejs eta erb rhtml haml slim pug jade dust ftl ftlh vm vtl mako tt tt2 gohtml gotmpl heex \
         leex eex cshtml vbhtml razor blade.php tpl.php latte xsl xslt webc html.in htm.in xhtml.in shtml.in \
         php.in m4 dist sample example skel",
    ),
    (
        DATA,
        "txt text log json jsonl ndjson json5 jsonc geojson webmanifest map yaml yml toml ini cfg \
         conf config properties env lock csv tsv tab po pot strings resx vtt srt snap out err dump \
         cache dat data",
    ),
    (
        BACKUP,
        // The last ones are from version control and package managers.
        "bak bak1 bak2 bkp bck backup back old orig original rej save saved sav prev previous tmp \
         temp swp swo swn part partial crdownload download disabled off copy \
         svn-base dpkg-old dpkg-dist dpkg-new rpmsave rpmorig rpmnew ucf-old ucf-dist",
    ),
];

/// The kind of a file by its name, if that is not a page. A query in the name, as in mirrors, is
/// not part of it, and neither is `.gz`.
pub(super) fn no_page(path: &Path) -> Option<&'static str> {
    let name = name_bytes(path.file_name().unwrap_or(OsStr::new("")));
    let (name, _) = name_and_query(name.as_ref());
    let mut name = name.to_ascii_lowercase();
    while name.ends_with(b".gz") {
        name.truncate(name.len() - b".gz".len());
    }
    // Of editors: `a.html~`, `#a.html#`.
    if name.ends_with(b"~") || name.starts_with(b"#") && name.ends_with(b"#") {
        return Some(BACKUP);
    }
    let mut dots = name.iter().enumerate().filter(|(_, byte)| **byte == b'.');
    // A dot at the beginning hides a file.
    dots.find_map(|(dot, _)| by_ending(&name[dot + 1..]).filter(|_| dot > 0))
}

fn by_ending(end: &[u8]) -> Option<&'static str> {
    // Most files of a tree: the list is long.
    if matches!(end, b"html" | b"htm") {
        return None;
    }
    let place = BY_END.binary_search_by(|(known, _)| known.cmp(&end));
    place.ok().map(|place| BY_END[place].1)
}

/// The kind of each ending in [`ENDS`], in the order of the endings.
static BY_END: LazyLock<Vec<(&[u8], &str)>> = LazyLock::new(|| {
    let words = ENDS.iter().flat_map(|(what, ends)| {
        ends.split_ascii_whitespace()
            .map(|end| (end.as_bytes(), *what))
    });
    let mut by_end: Vec<_> = words.collect();
    // Stable, so that of an ending with two kinds the first counts.
    by_end.sort_by_key(|(end, _)| *end);
    by_end.dedup_by_key(|(end, _)| *end);
    by_end
});

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_container::Format;

    #[test]
    fn source_and_backup_names() {
        for (names, expected) in [
            (
                &[
                    "a.js",
                    "A.MD",
                    "a.min.js",
                    "a.html.md",
                    "a.py",
                    "a.html.diff",
                ][..],
                Some(SOURCE),
            ),
            (
                &[
                    "a.hbs",
                    "a.html.j2",
                    "a.tmpl",
                    "a.html.in",
                    "a.php.in",
                    "a.blade.php",
                    "a.webc",
                ],
                Some(TEMPLATE),
            ),
            (
                &["a.txt", "a.json", "a.log", "a.txt.gz", "a.json?b=c.html"],
                Some(DATA),
            ),
            (
                &[
                    "a.bak",
                    "a.html.orig",
                    "a.html~",
                    "#a.html#",
                    "a.html.~1~",
                    ".a.html.swp",
                ],
                Some(BACKUP),
            ),
            (
                &[
                    "a",
                    "a.html",
                    "a.htm.1",
                    "a.html.en",
                    "a.php",
                    "a.asp",
                    "a.aspx",
                    "a.jsp",
                    "a.cgi",
                    "a.pl",
                    "a.do",
                    "a.xml",
                    "a.php?id=3",
                    "a?id=3",
                    "a@id=3",
                    "a.php?file=b.bak",
                    "a.php@file=b.json",
                    "v1.2",
                    ".txt",
                    "old",
                    "bak.html",
                    "a.php3",
                    "a.phtml",
                    "a.txt.html",
                    "me@home.html",
                ],
                None,
            ),
        ] {
            for name in names {
                assert_eq!(no_page(&Path::new("d.bak").join(name)), expected, "{name}");
            }
        }
    }

    #[test]
    fn name_endings_listed_once() {
        let ends = ENDS
            .iter()
            .flat_map(|(_, ends)| ends.split_ascii_whitespace());
        let mut ends: Vec<&str> = ends.collect();
        let count = ends.len();
        for end in &ends {
            let name = format!("a.{end}");
            assert_eq!(Format::from_name(Path::new(&name)), None, "{name}");
        }
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), count);
    }
}
