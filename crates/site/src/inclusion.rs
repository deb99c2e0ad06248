//! Files that a server puts into a page (server-side includes): Apache's `mod_include`, and
//! `ngx_http_ssi_module` of nginx.

use baseref_resolve::segment::push_segment;
use memchr::memmem;

/// What a server puts into a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// What is at a URL, by a reference that is relative to that of the page.
    Of(String),
    /// What cannot be known without the server: the output of a program, or the value of a variable.
    Unknown,
}

/// What a server is told to put into a page, in order. No character set that is in use has other bytes
/// for the characters of a directive, but for UTF-16, in which there are none.
pub fn inclusions(mut source: &[u8]) -> impl Iterator<Item = Inclusion> {
    let directives = std::iter::from_fn(move || {
        let start = memmem::find(source, START)? + START.len();
        let (directive, behind) = source[start..].split_at(memmem::find(&source[start..], END)?);
        source = &behind[END.len()..];
        Some(directive)
    });
    directives.filter_map(inclusion)
}

/// How each directive begins.
const START: &[u8] = b"<!--#";

/// How it ends.
const END: &[u8] = b"-->";

/// What a directive puts there, given what is between its ends; `None` if that is nothing.
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
        // Variables (`$name`), and programs that are given a query.
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

/// The attributes of a directive: names with values in any quotes, or in none.
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

/// A relative path of the file system as a reference.
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
    fn what_only_the_server_knows_is_unknown() {
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
    fn other_comments_and_directives_put_no_file_there() {
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
