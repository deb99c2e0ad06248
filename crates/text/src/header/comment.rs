//! White space and comments in structured header fields (RFC 822 §3.4.3, RFC 5322 §3.2.2).

/// `text` without leading comments and white space, folding line ends included. Comments nest to
/// any depth; an unclosed one extends to the end. The result begins at a character boundary if
/// `text` is UTF-8.
#[must_use]
pub fn skip_cfws(text: &[u8]) -> &[u8] {
    let mut rest = text;
    let mut depth = 0_usize;
    loop {
        rest = match (depth, rest) {
            (_, [b'(', tail @ ..]) => {
                depth += 1;
                tail
            }
            (1.., [b')', tail @ ..]) => {
                depth -= 1;
                tail
            }
            (1.., [b'\\', _, tail @ ..] | [_, tail @ ..])
            | (0, [b' ' | b'\t' | b'\r' | b'\n', tail @ ..]) => tail,
            _ => return rest,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_quoted_comments() {
        for (text, rest) in [
            ("x (c)", "x (c)"),
            (" \t(c) x", "x"),
            ("(c)\r\n (d)\n\tx", "x"),
            ("(a(b)c)(d) x(y)", "x(y)"),
            ("(a\\)b) x", "x"),
            ("(a\\(b) x", "x"),
            ("(open x", ""),
            (")x", ")x"),
            ("(\u{e9}\\\u{e9})\u{e9}", "\u{e9}"),
            ("", ""),
        ] {
            assert_eq!(skip_cfws(text.as_bytes()), rest.as_bytes(), "{text:?}");
        }
    }
}
