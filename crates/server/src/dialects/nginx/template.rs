//! Text with variables in an nginx configuration.

/// The pieces of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
    Capture(usize),
}

impl Template {
    /// `$1`, `$name` and `${name}` are variables; any other `$` is literal.
    pub(super) fn new(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            plain.push_str(&rest[..dollar]);
            let after = &rest[dollar + 1..];
            let (name, length) = if let Some(inner) = after.strip_prefix('{') {
                let end = inner.find('}');
                end.map_or(("", 0), |end| (&inner[..end], end + 2))
            } else {
                let name = name_at(after);
                (name, name.len())
            };
            if name.is_empty() {
                plain.push('$');
                rest = after;
                continue;
            }
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(match name.parse() {
                Ok(number) => Piece::Capture(number),
                Err(_) => Piece::Variable(name.to_owned()),
            });
            rest = &after[length..];
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        pieces.shrink_to_fit();
        Self { pieces }
    }

    /// The literal text, if it has no variables.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.pieces[..] {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(super) fn ends_in_slash(&self) -> bool {
        matches!(self.pieces.last(), Some(Piece::Text(text)) if text.ends_with('/'))
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

/// A digit, or letters, digits and underscores.
fn name_at(text: &str) -> &str {
    if text.starts_with(|c: char| matches!(c, '1'..='9')) {
        return &text[..1];
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_text() {
        let template = Template::new("https://$host/3${a}b$1x$");
        let pieces = vec![
            Piece::Text("https://".to_owned()),
            Piece::Variable("host".to_owned()),
            Piece::Text("/3".to_owned()),
            Piece::Variable("a".to_owned()),
            Piece::Text("b".to_owned()),
            Piece::Capture(1),
            Piece::Text("x$".to_owned()),
        ];
        assert_eq!(template.pieces, pieces);
        assert!(Template::new("$uri/").ends_in_slash());
    }
}
