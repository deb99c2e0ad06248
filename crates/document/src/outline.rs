//! What a page is about.

/// What a page is about: its title, its headings, and its text without what repeats on every page of a
/// site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The first `title`, white space collapsed.
    pub title: String,
    /// The headings in order, except in navigation, headers and footers outside `main`.
    pub headings: Vec<Heading>,
    /// The text of `main`, or without one the text outside navigation, headers and footers; white
    /// space collapsed, headings included. At most 1 MiB.
    pub text: String,
}

/// A heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Its level, 1 to 6.
    pub level: u8,
    /// Its text, white space collapsed.
    pub text: String,
    /// The ids and names that lead to it: its own, and the ones of elements in it or beginning with it.
    pub names: Vec<String>,
}
