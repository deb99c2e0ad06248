//! Text in XML, as `JUnit` and `GraphML` have it.

use std::borrow::Cow;

use baseref_files::terminal::is_obeyed;
use quick_xml::escape::escape;

/// Text for an attribute, in which a parser would turn every line end into a space.
pub(crate) fn attribute(value: &str) -> String {
    escape(legal(value))
        .replace('\n', "&#10;")
        .replace('\r', "&#13;")
        .replace('\t', "&#9;")
}

/// Text between tags.
pub(crate) fn text(value: &str) -> String {
    escape(legal(value)).replace('\r', "&#13;")
}

/// The text without control and bidirectional formatting characters, and without those that XML 1.0
/// §2.2 forbids even when escaped: they are written as `\u{1b}`.
fn legal(value: &str) -> Cow<'_, str> {
    let illegal = |c: char| {
        is_obeyed(c) && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    if !value.contains(illegal) {
        return Cow::Borrowed(value);
    }
    let mut legal = String::with_capacity(value.len() + 8);
    for character in value.chars() {
        if illegal(character) {
            legal.extend(character.escape_unicode());
        } else {
            legal.push(character);
        }
    }
    Cow::Owned(legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_shown() {
        assert_eq!(
            legal("a\u{1b}\u{202e}\u{ffff}\tb"),
            "a\\u{1b}\\u{202e}\\u{ffff}\tb"
        );
        assert_eq!(legal("\u{5d0} \u{e9}"), "\u{5d0} \u{e9}");
    }
}
