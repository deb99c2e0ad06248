//! Globs: `*` and `?` within a segment, and classes.

use crate::engine::pattern::Pattern;
use crate::rule::RuleParser;

/// The pattern of a glob for a whole text; `None` if it is invalid.
pub(crate) fn pattern(glob: &str, parser: &mut RuleParser) -> Option<Pattern> {
    pattern_with(glob, "[^/]*", false, parser)
}

/// The same, with the expression that a star stands for.
pub(crate) fn pattern_with(
    glob: &str,
    star: &str,
    ignores_case: bool,
    parser: &mut RuleParser,
) -> Option<Pattern> {
    let mut expression = String::from("^");
    let mut is_class = false;
    let mut chars = glob.chars();
    let mut before = None;
    while let Some(c) = chars.next() {
        let last = before.replace(c);
        match c {
            '!' if is_class && last == Some('[') => expression.push('^'),
            '[' | ']' => {
                is_class = c == '[';
                expression.push(c);
            }
            _ if is_class => expression.push(c),
            '*' => expression.push_str(star),
            '?' => expression.push_str("(?u:[^/])"),
            c => {
                let literal = if c == '\\' { chars.next()? } else { c };
                expression.push_str(&regex::escape(literal.encode_utf8(&mut [0; 4])));
            }
        }
    }
    parser.pattern(&(expression + "$"), ignores_case).ok()
}
