//! Names that look alike but differ in their code points.

use std::fmt::Write;

use crate::model::skeleton::skeleton;

/// The maximum number of code points that are shown on each side.
const MOST: usize = 8;

/// The code points in which two names differ, as `U+00E9` or `U+0065 U+0301`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodePoints {
    pub(crate) ours: String,
    pub(crate) theirs: String,
}

impl CodePoints {
    /// The code points between the common beginning and the common end of two names.
    pub(crate) fn between(ours: &str, theirs: &str) -> Self {
        let ours: Vec<char> = ours.chars().collect();
        let theirs: Vec<char> = theirs.chars().collect();
        let same = |(a, b): &(&char, &char)| a == b;
        let start = ours.iter().zip(&theirs).take_while(same).count();
        let (ours, theirs) = (&ours[start..], &theirs[start..]);
        let end = ours.iter().rev().zip(theirs.iter().rev());
        let end = end.take_while(same).count();
        Self {
            ours: listed(&ours[..ours.len() - end]),
            theirs: listed(&theirs[..theirs.len() - end]),
        }
    }
}

fn listed(code_points: &[char]) -> String {
    let mut list = String::new();
    for c in code_points.iter().take(MOST) {
        let separator = if list.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(list, "{separator}U+{:04X}", u32::from(*c));
    }
    match code_points.len() {
        0 => "nothing".to_owned(),
        length if length > MOST => list + " ...",
        _ => list,
    }
}

/// Whether two different names look the same (UTS #39 §4): they have the same skeleton once characters
/// that are not shown are dropped.
pub(crate) fn look_alike(a: &str, b: &str) -> bool {
    let looks = |name: &str| {
        let shown = skeleton(name).filter(|c| !is_invisible(*c));
        shown
            .map(|c| if c.is_whitespace() { ' ' } else { c })
            .collect::<String>()
    };
    // ASCII names are told apart by eye.
    a != b && !(a.is_ascii() && b.is_ascii()) && looks(a) == looks(b)
}

/// Whether a character has no glyph: `Default_Ignorable_Code_Point`, as far as texts have it.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike() {
        for (a, b) in [
            ("e\u{301}t\u{e9}", "\u{e9}te\u{301}"),
            ("in\u{ad}stall", "install"),
            ("\u{430}bout", "about"),
            ("a\u{a0}b", "a b"),
            ("set\u{200b}up", "setup"),
        ] {
            assert!(look_alike(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("l", "1"),
            ("install", "instal"),
            ("\u{e9}", "e"),
            ("\u{e9}", "\u{e9}"),
        ] {
            assert!(!look_alike(a, b), "{a} {b}");
        }
    }

    #[test]
    fn differing_code_points() {
        let between = |a, b| {
            let CodePoints { ours, theirs } = CodePoints::between(a, b);
            (ours, theirs)
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            between("caf\u{e9}s", "cafe\u{301}s"),
            pair("U+00E9", "U+0065 U+0301")
        );
        assert_eq!(between("ab", "a\u{200b}b"), pair("nothing", "U+200B"));
        assert_eq!(between("aa", "aaa"), pair("nothing", "U+0061"));
        let (long, _) = between(&"x".repeat(9), "");
        assert!(long.ends_with("U+0078 ..."));
    }
}
