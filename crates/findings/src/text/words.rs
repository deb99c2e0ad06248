//! Counts with nouns, and shortened texts, for messages.

use std::borrow::Cow;

/// A number with commas between thousands: `9,402`.
#[must_use]
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number of things: `1 link`, `9,402 links`.
#[must_use]
pub fn count(value: u64, thing: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", number(value))
}

/// A number with its noun, where the plural takes more than an `s`: `1 link is`, `2 links are`.
#[must_use]
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The text, cut after `longest` characters, with the number of characters that were cut.
#[must_use]
pub fn cut_after(longest: usize, text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => {
            let more = text[end..].chars().count();
            Cow::Owned(format!("{}...[{more} more characters]", &text[..end]))
        }
        None => Cow::Borrowed(text),
    }
}
