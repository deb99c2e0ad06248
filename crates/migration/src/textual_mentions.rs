//! Old addresses outside the links of a document: in scripts, comments and text.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use regex::{Regex, bytes};

use baseref_document::Position;
use baseref_resolve::parts::origin;
use baseref_site::moves::Prefixes;
use baseref_text::decode::encoding::decode;

/// Finds the old addresses of a move.
#[derive(Debug)]
pub struct TextualMentions {
    /// One pattern, compiled for text and for bytes in ASCII-compatible encodings; `None` if nothing
    /// moves.
    pattern: Option<(Regex, bytes::Regex)>,
}

/// The maximum size of the compiled pattern in bytes.
const MAX_PATTERN: usize = 16 << 20;

impl TextualMentions {
    /// Searches for the old prefixes that change.
    #[must_use]
    pub fn new(prefixes: &Prefixes) -> Self {
        let mut needles: Vec<String> = prefixes
            .pairs()
            .filter(|(old, new)| old != new)
            .filter_map(|(old, _)| needle(old))
            .collect();
        needles.sort_unstable();
        needles.dedup();
        let pattern = format!("(?i:{})", needles.join("|"));
        let text = regex::RegexBuilder::new(&pattern);
        let bytes = bytes::RegexBuilder::new(&pattern);
        let built = |mut text: regex::RegexBuilder, mut bytes: bytes::RegexBuilder| {
            let text = text.size_limit(MAX_PATTERN).build().ok()?;
            Some((text, bytes.size_limit(MAX_PATTERN).build().ok()?))
        };
        Self {
            pattern: built(text, bytes).filter(|_| !needles.is_empty()),
        }
    }

    /// The occurrences in a document with their positions, except those inside `links`, the sorted byte
    /// ranges of links.
    #[must_use]
    pub fn find(
        &self,
        document: &[u8],
        charset: Option<&str>,
        encoding: &'static Encoding,
        links: &[Range<u64>],
    ) -> Vec<(String, Position)> {
        let Some((text, bytes)) = &self.pattern else {
            return Vec::new();
        };
        let has_ascii = encoding != UTF_16LE && encoding != UTF_16BE;
        if has_ascii && !bytes.is_match(document) {
            return Vec::new();
        }
        let decoded = decode(document, charset, Some(encoding));
        let mut positions = decoded.positions();
        text.find_iter(&decoded.text)
            .filter(|found| is_whole(found.as_str(), &decoded.text[found.end()..]))
            .map(|found| (found.as_str().to_owned(), positions.locate(found.range())))
            .filter(|(_, at)| !is_within(links, at.byte.start))
            .collect()
    }
}

/// An old prefix as a pattern: without its scheme, except for `file`, and without its final slash.
/// Slashes can be escaped as in scripts.
fn needle(old: &str) -> Option<String> {
    let start = match origin(old) {
        "file://" => 0,
        origin => origin.find("//")?,
    };
    let needle = old.get(start..)?.trim_end_matches('/');
    (needle.len() > 2).then(|| regex::escape(needle).replace('/', r"\\?/"))
}

/// Whether a match is a whole address rather than the start of one with a longer host or name.
fn is_whole(found: &str, rest: &str) -> bool {
    let has_path = found.trim_start_matches(['/', '\\']).contains('/');
    let mut rest = rest.chars();
    match rest.next() {
        Some('.') if !has_path => !rest.next().is_some_and(char::is_alphanumeric),
        Some('-' | ':' | '@') if !has_path => false,
        Some('_' | '~' | '%' | '-') => !has_path,
        Some(next) => !next.is_alphanumeric(),
        None => true,
    }
}

fn is_within(links: &[Range<u64>], at: u64) -> bool {
    let next = links.partition_point(|link| link.start <= at);
    next.checked_sub(1)
        .and_then(|last| links.get(last))
        .is_some_and(|link| at < link.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, text: &str, links: &[Range<u64>]) -> Vec<(String, u32, u32)> {
        let mut prefixes = Prefixes::default();
        prefixes
            .add(old, &[], "https://new.example/")
            .expect("both URLs are prefixes");
        let mentions = TextualMentions::new(&prefixes);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let in_utf8 = mentions.find(text.as_bytes(), None, encoding_rs::UTF_8, links);
        if links.is_empty() {
            let in_utf16 = mentions.find(&utf16, None, UTF_16LE, links);
            assert_eq!(in_utf8.len(), in_utf16.len());
        }
        let position = |(text, at): (String, Position)| (text, at.line.get(), at.column.get());
        in_utf8.into_iter().map(position).collect()
    }

    #[test]
    fn old_host_in_any_scheme_and_with_escaped_slashes() {
        let text = "é http://o.example/ HTTPS://O.example\n'http:\\/\\/o.example\\/x'";
        assert_eq!(
            found("http://o.example/", text, &[]),
            [
                ("//o.example".to_owned(), 1, 8),
                ("//O.example".to_owned(), 1, 27),
                ("\\/\\/o.example".to_owned(), 2, 7)
            ]
        );
    }

    #[test]
    fn longer_hosts_and_link_values_are_no_mentions() {
        for text in [
            "//o.example.com/",
            "//o.example-x/",
            "//o.example:8080/",
            "//xo.example/",
        ] {
            assert_eq!(found("http://o.example/", text, &[]), [], "{text}");
        }
        assert_eq!(
            found("http://o.example/a/", "//o.example/ab //o.example/a-b", &[]),
            []
        );
        assert_eq!(found("http://o.example/a/", "//o.example/a.", &[]).len(), 1);
        assert_eq!(
            found("http://o.example/", "http://o.example/", &[0..2, 3..10]),
            []
        );
        assert_eq!(found("file:///srv/www/", "file:///srv/www/x", &[]).len(), 1);
    }
}
