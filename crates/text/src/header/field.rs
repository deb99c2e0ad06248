//! Writes the fields of a header.

/// Appends a field to a header. Line ends in its value become spaces, so that it stays one field.
pub fn push_field(header: &mut String, name: &str, value: &str) {
    let value = value.chars().map(|character| match character {
        '\r' | '\n' | '\0' => ' ',
        character => character,
    });
    header.push_str(name);
    header.push_str(": ");
    header.extend(value);
    header.push_str("\r\n");
}

/// A parameter's value as a quoted-string (RFC 2045 §5.1).
#[must_use]
pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_cannot_end_its_field() {
        let mut header = String::new();
        push_field(&mut header, "Subject", "a\r\nBase: http://b/\0");
        assert_eq!(header, "Subject: a  Base: http://b/ \r\n");
    }

    #[test]
    fn quotation_marks_and_backslashes_are_escaped() {
        assert_eq!(quoted(r#"a"b\c"#), r#""a\"b\\c""#);
    }
}
