//! Skeletons of names (UTS #39 §4): two names that look alike have the same one.

use std::iter;

use unicode_normalization::UnicodeNormalization;

/// The table of confusable characters, version 18 (UTS #39, `confusables.txt`), in order. Each line has a
/// code point in six hexadecimal digits and the code points of the characters that it resembles.
/// Its license is in `LICENSE-UNICODE`.
///
/// The crate `unicode-security` has it, too, but as 6,700 slices, whose addresses every start of the
/// program would have to adjust.
static CONFUSABLES: &str = include_str!("confusables.txt");

/// The number of digits at the beginning of a line.
const DIGITS: usize = 6;

/// The skeleton of a name.
pub(crate) fn skeleton(name: &str) -> impl Iterator<Item = char> {
    let shown = name.nfd().filter(|c| !is_ignorable(*c));
    shown.flat_map(prototype).nfd()
}

/// The characters that a character looks like, or the character itself.
fn prototype(c: char) -> impl Iterator<Item = char> {
    let known = prototype_in_table(c);
    let own = known.is_none().then_some(c);
    let digits = known.unwrap_or_default().split_ascii_whitespace();
    let characters = digits.filter_map(|digits| u32::from_str_radix(digits, 16).ok());
    characters
        .filter_map(char::from_u32)
        .chain(iter::once(own).flatten())
}

/// The rest of the line of a character.
fn prototype_in_table(c: char) -> Option<&'static str> {
    let digits = format!("{:0DIGITS$x}", u32::from(c));
    let mut table = CONFUSABLES;
    while !table.is_empty() {
        // The line around the middle.
        let middle = table.len() / 2;
        let start = table[..middle].rfind('\n').map_or(0, |end| end + 1);
        let end = table[start..]
            .find('\n')
            .map_or(table.len(), |end| start + end);
        let (own, rest) = table[start..end].split_at(DIGITS);
        match own.cmp(&digits) {
            std::cmp::Ordering::Equal => return Some(rest),
            std::cmp::Ordering::Greater => table = &table[..start],
            std::cmp::Ordering::Less => table = table.get(end + 1..).unwrap_or_default(),
        }
    }
    None
}

/// `Default_Ignorable_Code_Point`: a character without a glyph.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use unicode_security::confusable_detection;

    use super::*;

    #[test]
    fn skeletons_are_those_of_unicode_security() {
        let known = CONFUSABLES.lines().map(|line| &line[..DIGITS]);
        let known =
            known.filter_map(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        let others = ('\0'..=char::MAX).step_by(97);
        for c in known.chain(others) {
            let name = format!("a{c}b");
            let expected = confusable_detection::skeleton(&name);
            assert!(skeleton(&name).eq(expected), "{c:?}");
        }
    }
}
