//! RTF as tokens (Rich Text Format Specification 1.9.1, "Syntax").

/// An RTF token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'r> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// `\word` and its number, if any, including the space that ends it.
    Word(&'r [u8], Option<i32>),
    /// `\` and a character that is not a letter.
    Symbol(u8),
    /// `\'hh`: a byte in the code page of the text.
    Hex(u8),
    /// Literal text, without line ends.
    Text(&'r [u8]),
}

/// An iterator over the tokens of a document.
pub struct Tokens<'r> {
    rest: &'r [u8],
}

impl<'r> Tokens<'r> {
    pub fn new(rtf: &'r [u8]) -> Self {
        Self { rest: rtf }
    }

    fn take(&mut self, length: usize) -> &'r [u8] {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Reads a token after its backslash.
    fn control(&mut self) -> Option<Token<'r>> {
        let length = count(self.rest, u8::is_ascii_alphabetic);
        if length == 0 {
            let symbol = *self.take(1).first()?;
            if symbol != b'\'' {
                return Some(Token::Symbol(symbol));
            }
            let digits = count(&self.rest[..self.rest.len().min(2)], u8::is_ascii_hexdigit);
            let byte = str::from_utf8(self.take(digits)).unwrap_or_default();
            return Some(Token::Hex(u8::from_str_radix(byte, 16).unwrap_or(b'?')));
        }
        let word = self.take(length);
        let number = self.number();
        if self.rest.first() == Some(&b' ') {
            self.take(1);
        }
        // Binary data, such as a picture, in which braces mean nothing.
        if word == b"bin" {
            let size = number.and_then(|size| usize::try_from(size).ok());
            self.take(size.unwrap_or(0));
        }
        Some(Token::Word(word, number))
    }

    /// Reads the number of a control word, saturating.
    fn number(&mut self) -> Option<i32> {
        let sign = usize::from(self.rest.first() == Some(&b'-'));
        let digits = count(&self.rest[sign..], u8::is_ascii_digit);
        if digits == 0 {
            return None;
        }
        let number = str::from_utf8(self.take(sign + digits)).unwrap_or_default();
        let bound = if sign == 1 { i32::MIN } else { i32::MAX };
        Some(number.parse().unwrap_or(bound))
    }
}

fn count(bytes: &[u8], is_one: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_one(byte)).count()
}

impl<'r> Iterator for Tokens<'r> {
    type Item = Token<'r>;

    fn next(&mut self) -> Option<Token<'r>> {
        let ends = count(self.rest, |byte| matches!(byte, b'\r' | b'\n' | 0));
        self.take(ends);
        Some(match self.rest.first()? {
            b'{' => {
                self.take(1);
                Token::Open
            }
            b'}' => {
                self.take(1);
                Token::Close
            }
            b'\\' => {
                self.take(1);
                return self.control();
            }
            _ => {
                let is_text = |byte: &u8| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                let length = count(self.rest, is_text);
                Token::Text(self.take(length))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_rtf() {
        use Token::{Close, Hex, Open, Symbol, Text, Word};
        let found: Vec<_> =
            Tokens::new(b"{\\*\\htmltag84 a\r\nb\\'e9\\u-3913 ?\\bin3 {}}c\\'zd\\par}").collect();
        let expected = [
            Open,
            Symbol(b'*'),
            Word(b"htmltag", Some(84)),
            Text(b"a"),
            Text(b"b"),
            Hex(0xE9),
            Word(b"u", Some(-3913)),
            Text(b"?"),
            Word(b"bin", Some(3)),
            Text(b"c"),
            Hex(b'?'),
            Text(b"zd"),
            Word(b"par", None),
            Close,
        ];
        assert_eq!(found, expected);
        for (rtf, number) in [
            ("\\bin4294967295 x", i32::MAX),
            ("\\uc-99999999999", i32::MIN),
        ] {
            let word = Tokens::new(rtf.as_bytes()).next();
            assert!(
                matches!(word, Some(Word(_, Some(found))) if found == number),
                "{word:?}"
            );
        }
        assert_eq!(Tokens::new(b"\\").next(), None);
    }
}
