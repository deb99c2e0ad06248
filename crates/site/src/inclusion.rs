//! Server-side includes: Apache's `mod_include` and nginx's `ngx_http_ssi_module`.

use baseref_resolve::segment::push_segment;
use memchr::memmem;

/// The content of an include.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// The content of a URL, given by a reference relative to the page.
    Of(String),
    /// Content that only the server knows: the output of a program, or the value of a variable.
    Unknown,
}

/// The includes of a page, in order. In every character set in use, the characters of a directive have
/// their ASCII bytes, except in UTF-16, where directives do not work.
pub fn inclusions(mut source: &[u8]) -> impl Iterator<Item = Inclusion> {
    let directives = std::iter::from_fn(move || {
        let start = memmem::find(source, START)? + START.len();
        let (directive, behind) = source[start..].split_at(memmem::find(&source[start..], END)?);
        source = &behind[END.len()..];
        Some(directive)
    });
    directives.filter_map(inclusion)
}

/// The beginning of a directive.
const START: &[u8] = b"<!--#";

/// The end of a directive.
const END: &[u8] = b"-->";

/// The include of a directive, given its text; `None` if it includes nothing.
fn inclusion(directive: &[u8]) -> Option<Inclusion> {
    let rest = directive.trim_ascii_start();
    let name = rest.split(u8::is_ascii_whitespace).next()?;
    if name.eq_ignore_ascii_case(b"exec") {
        return Some(Inclusion::Unknown);
    }
    if !name.eq_ignore_ascii_case(b"include") {
        return None;
    }
    let mut attributes = attributes(&rest[name.len()..]);
    attributes.find_map(|(name, value)| {
        let is_path = name.eq_ignore_ascii_case(b"file");
        if !is_path && !name.eq_ignore_ascii_case(b"virtual") {
            return None;
        }
        // Variables (`$name`), and programs with a query.
        let is_made = value
            .iter()
            .any(|byte| *byte == b'$' || *byte == b'?' && !is_path);
        Some(match std::str::from_utf8(value) {
            Ok(value) if !is_made && is_path => Inclusion::Of(reference_to(value)),
            Ok(value) if !is_made => Inclusion::Of(value.to_owned()),
            _ => Inclusion::Unknown,
        })
    })
}

/// The attributes of a directive: names with values, quoted or not.
fn attributes(mut rest: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (name, value) = rest.split_at_checked(memchr::memchr(b'=', rest)?)?;
        let value = value[1..].trim_ascii_start();
        let (value, behind) = if let quote @ (b'"' | b'\'' | b'`') = *value.first()? {
            let value = &value[1..];
            let end = memchr::memchr(quote, value)?;
            (&value[..end], &value[end + 1..])
        } else {
            let end = value.iter().position(u8::is_ascii_whitespace);
            value.split_at(end.unwrap_or(value.len()))
        };
        rest = behind;
        Some((name.trim_ascii(), value))
    })
}

/// A relative file path as a reference.
fn reference_to(path: &str) -> String {
    let mut reference = String::from("./");
    for (number, name) in path.split('/').enumerate() {
        if number > 0 {
            reference.push('/');
        }
        push_segment(name.as_bytes(), &mut reference);
    }
    reference
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(source: &str) -> Vec<Inclusion> {
        inclusions(source.as_bytes()).collect()
    }

    #[test]
    fn directives_that_name_a_file_or_a_url_are_found() {
        for (source, reference) in [
            (r#"<p><!--#include virtual="/a/b.html" -->"#, "/a/b.html"),
            (
                "<!--#include virtual='../nav%20x.html'-->",
                "../nav%20x.html",
            ),
            ("<!--#INCLUDE FILE=`a b#.inc` -->", "./a%20b%23.inc"),
            ("<!--#include file=nav.html -->", "./nav.html"),
            (
                "<!--#include\n onerror=\"/e.html\" virtual = \"x\" -->",
                "x",
            ),
            ("<!--# include virtual=\"x\" wait=\"yes\" -->", "x"),
        ] {
            assert_eq!(
                all(source),
                [Inclusion::Of(reference.to_owned())],
                "{source}"
            );
        }
    }

    #[test]
    fn dynamic_includes_are_unknown() {
        for source in [
            "<!--#include virtual=\"$nav\" -->",
            "<!--#include virtual=\"/cgi-bin/count?page\" -->",
            "<!--#include virtual=\"\u{fffd}${x}\" -->",
            "<!--#exec cmd=\"ls\" -->",
        ] {
            assert_eq!(all(source), [Inclusion::Unknown], "{source}");
        }
    }

    #[test]
    fn other_comments_and_directives_include_nothing() {
        for source in [
            "<!-- #include virtual=\"x\" -->",
            "<!--#echo var=\"DATE_LOCAL\" -->",
            "<!--#include-->",
            "<!--#include virtual=\"x -->",
            "<!--#include virtual=\"x\"",
            "<!--#",
        ] {
            assert_eq!(all(source), [], "{source}");
        }
    }
}
