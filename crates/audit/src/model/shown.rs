//! How much of a URL messages show.

/// The longest URL that a message shows in full, in characters.
pub(crate) const LONGEST_SHOWN: usize = 500;

/// The longest URL that is suggested, in bytes: every finding holds its own copy.
pub(crate) const LONGEST_SUGGESTED: usize = 2_048;

/// The path of a URL below the root of its site in readable form: escapes that stand for text are
/// decoded.
pub(crate) fn shown_path(path: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8();
    decoded.map_or_else(|_| path.to_owned(), std::borrow::Cow::into_owned)
}
