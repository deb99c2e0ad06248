//! The three versions of Proofpoint URL Defense.
//!
//! Sources: Proofpoint's `urldefensedecoder` 3.0.1 (2019), and for runs of version 3 the tests of
//! cardi/proofpoint-url-decoder.

use super::{base64, percent};

/// Version 1: `u`, percent-encoded, up to the key `k`, with HTML character references.
pub fn v1(query: &str) -> Option<String> {
    let start = query.strip_prefix("u=").or_else(|| {
        let at = query.find("&u=").or_else(|| query.find(";u="))?;
        Some(&query[at + 3..])
    })?;
    let end = [start.find("&k="), start.find("&amp;k=")];
    let end = end.into_iter().flatten().min().unwrap_or(start.len());
    Some(unescaped(&percent::decode(&start[..end])))
}

/// Version 2: the same, with `-` for `%` and `_` for `/`.
pub fn v2(value: &str) -> Option<String> {
    // Another service may have escaped the whole URL again.
    let value = percent::decode_once(value);
    let is_escape = |part: &str| {
        let code = part.as_bytes().get(..2);
        code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
    };
    // A hyphen is always encoded, so any other text was changed or cut off.
    if !value.split('-').skip(1).all(is_escape) {
        return None;
    }
    let escaped = value.replace('-', "%").replace('_', "/");
    Some(unescaped(&percent::decode_once(&escaped)))
}

/// Version 3: `__URL__;LIST!`. In the URL, `*` stands for the next character of the list, and `**` with a letter
/// for a run of them.
///
/// The letter counts bytes, but Proofpoint's own decoder counts characters. The first interpretation that
/// consumes the list and gives UTF-8 wins. The URL is percent-decoded before the stars are replaced, since
/// escapes in it were added by another service.
pub fn v3(url: &str) -> Option<String> {
    let (_, start) = url
        .split_once("/v3/__")
        .or_else(|| url.split_once("/V3/__"))?;
    let start = percent::decode_once(start);
    // The URL may contain the end mark itself.
    let ends = start.match_indices("__;").take(MAX_ENDS);
    ends.into_iter().find_map(|(end, mark)| {
        let (list, _) = start[end + mark.len()..].split_once('!')?;
        let list = base64::decode(list)?;
        let body = &start[..end];
        let readings = [Count::Bytes, Count::Characters, Count::WholeCharacters];
        readings
            .into_iter()
            .find_map(|count| filled(body, &list, count))
    })
}

/// The maximum number of end marks that are tried: each may take linear time.
const MAX_ENDS: usize = 8;

/// The unit of a run's length.
#[derive(Clone, Copy)]
enum Count {
    Bytes,
    Characters,
    /// Bytes, but a run ends at a character boundary, and the rest of its length belongs to the next run
    /// (cardi/proofpoint-url-decoder).
    WholeCharacters,
}

/// The URL with the stars replaced, if that consumes the list.
fn filled(body: &str, list: &[u8], count: Count) -> Option<String> {
    let mut url = Vec::with_capacity(body.len() + list.len());
    let mut rest = list;
    let mut body = body.as_bytes();
    let mut carried = 0;
    while let Some((&byte, after)) = body.split_first() {
        body = after;
        if byte != b'*' {
            url.push(byte);
            continue;
        }
        let mut length = 1;
        if let [b'*', letter, after @ ..] = body {
            length = run(*letter)?;
            body = after;
        }
        let bytes = match count {
            Count::Bytes => length,
            Count::Characters => characters(rest, length)?,
            Count::WholeCharacters if length == 1 => characters(rest, 1)?,
            Count::WholeCharacters => {
                let whole = whole_characters(rest, length + carried);
                carried = length + carried - whole;
                whole
            }
        };
        let (characters, left) = rest.split_at_checked(bytes)?;
        url.extend_from_slice(characters);
        rest = left;
    }
    if !rest.is_empty() || carried > 0 {
        return None;
    }
    String::from_utf8(url).ok()
}

/// The length in bytes of the first `count` characters.
fn characters(list: &[u8], count: usize) -> Option<usize> {
    let is_first = |byte: u8| byte & 0b1100_0000 != 0b1000_0000;
    let starts = list.iter().enumerate().filter(|(_, byte)| is_first(**byte));
    let mut starts = starts.map(|(at, _)| at).chain([list.len()]);
    starts.nth(count)
}

/// The length in bytes of the whole characters among the first `bytes`.
fn whole_characters(list: &[u8], bytes: usize) -> usize {
    let is_first = |at: &usize| {
        list.get(*at)
            .is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000)
    };
    let mut ends = (0..=bytes.min(list.len())).rev();
    ends.find(is_first).unwrap_or_default()
}

/// The length of a run: `A` is 2.
fn run(letter: u8) -> Option<usize> {
    let index = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(usize::from(index) + 2)
}

/// Decodes HTML character references that end with a semicolon; `&copy=2` is a parameter.
fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        unescaped.push_str(&rest[..at]);
        rest = &rest[at..];
        let near = rest.as_bytes().iter().take(LONGEST_REFERENCE);
        let end = near.copied().position(|byte| byte == b';');
        let found = end.and_then(|end| Some((reference(&rest[1..end])?, end + 1)));
        let (c, length) = found.unwrap_or(('&', 1));
        unescaped.push(c);
        rest = &rest[length..];
    }
    unescaped.push_str(rest);
    unescaped
}

/// `&#x10FFFF;` is the longest one that is decoded.
const LONGEST_REFERENCE: usize = 10;

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => {}
    }
    let number = name.strip_prefix('#')?;
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(number.ok()?).filter(|c| !c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_1_ends_at_its_key() {
        for (query, url) in [
            ("u=http://a.example/&k=x", "http://a.example/"),
            (
                "k=x&amp;u=http://a.example/?b=c%26d&amp;k=x",
                "http://a.example/?b=c&d",
            ),
            (
                "u=http://a.example/a-b_c?x=1&amp;copy=2&k=",
                "http://a.example/a-b_c?x=1&copy=2",
            ),
        ] {
            assert_eq!(v1(query).as_deref(), Some(url), "{query}");
        }
    }

    #[test]
    fn version_2_encodes_hyphens() {
        assert_eq!(
            v2("https-3A__a.example_b-2Dc-5Fd-3Fe-3D1-26amp-3Bf").as_deref(),
            Some("https://a.example/b-c_d?e=1&f")
        );
        assert_eq!(v2("https-3A__a.example_b-c"), None);
        assert_eq!(v2("https-3A__a.example_b-2"), None);
    }

    #[test]
    fn version_3_lists_characters() {
        let open = |rest: &str| v3(&format!("https://urldefense.com/v3/__{rest}"));
        for (rest, url) in [
            ("https://a.example/b__;!!k!s$", Some("https://a.example/b")),
            (
                "https:/a.example/*b__;Iw!!k!s$",
                Some("https:/a.example/#b"),
            ),
            (
                "https://a.example/**Aa*.html__;w60j!!",
                Some("https://a.example/\u{ed}a#.html"),
            ),
            (
                "https://a.example/p**Aq__;w6nDqA!!",
                Some("https://a.example/p\u{e9}\u{e8}q"),
            ),
            (
                "https://a.example/**Bx**Ay__;w6Pigqw!!",
                Some("https://a.example/\u{e3}x\u{20ac}y"),
            ),
            ("https://a.example/**Bx**B__;w6Pigqw!!", None),
            (
                "https://a.example/x__;y*__;Iw!!",
                Some("https://a.example/x__;y#"),
            ),
            (
                "https%3A%2F%2Fa.example%2F*2A__;Iw!!",
                Some("https://a.example/#2A"),
            ),
            ("https://a.example/*b__;!!", None),
            ("https://a.example/b__;Iw!!", None),
            ("https://a.example/**b__;Iw!!", None),
            ("https://a.example/*b__;6Q!!", None),
            ("https://a.example/*b__;Iw", None),
            ("https://a.example/*b", None),
        ] {
            assert_eq!(open(rest).as_deref(), url, "{rest}");
        }
    }
}
