//! How nginx escapes and unescapes addresses: `ngx_escape_uri`, `ngx_unescape_uri`.

use std::fmt::Write;

/// `NGX_ESCAPE_ARGS`
pub(super) fn args(text: &[u8]) -> Vec<u8> {
    escape(text, b" \"#%&+;<>?\\^`{|}")
}

/// `NGX_ESCAPE_URI`
pub(super) fn uri(text: &[u8]) -> Vec<u8> {
    escape(text, b" \"#%<>?\\^`{|}")
}

fn escape(text: &[u8], marks: &[u8]) -> Vec<u8> {
    let mut out = String::new();
    let mut bytes = Vec::with_capacity(text.len());
    for byte in text {
        if byte.is_ascii_graphic() && !marks.contains(byte) {
            bytes.push(*byte);
        } else {
            out.clear();
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02X}");
            bytes.extend_from_slice(out.as_bytes());
        }
    }
    bytes
}

/// `NGX_UNESCAPE_REDIRECT`: decodes escapes of printable characters above `%`, up to the first question
/// mark, escaped or not. Like nginx, it drops malformed escapes.
pub(super) fn unescape_redirect(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        if *byte != b'%' {
            out.push(*byte);
            at += 1;
            if *byte == b'?' {
                break;
            }
            continue;
        }
        let (first, second) = (text.get(at + 1), text.get(at + 2));
        let Some(high) = first.and_then(|digit| hex(*digit)) else {
            out.extend(first);
            at += 2;
            continue;
        };
        match second
            .and_then(|digit| hex(*digit))
            .map(|low| high * 16 + low)
        {
            Some(value @ b'&'..=b'~') => {
                out.push(value);
                at += 3;
                if value == b'?' {
                    break;
                }
            }
            Some(_) => {
                out.extend_from_slice(&text[at..at + 3]);
                at += 3;
            }
            None => at += 3,
        }
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

/// A header value as text, with bytes that are not UTF-8 escaped.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(percent_encoding::percent_encode_byte(*byte));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_keeps_only_necessary_escapes() {
        for (text, unescaped) in [
            ("/a%2Fb%20c%26", "/a/b%20c&"),
            ("/a%3Fb%2F", "/a?b%2F"),
            ("/a?%2F", "/a?%2F"),
            ("/%zz%2", "/zz"),
            ("/%.a%2gb", "/.ab"),
            ("/%C3%A9", "/%C3%A9"),
        ] {
            let got = unescape_redirect(text.as_bytes());
            assert_eq!(got, unescaped.as_bytes(), "{text}");
        }
    }
}
