//! The headings of a page, by their names and texts.

use std::collections::HashMap;
use std::rc::Rc;

use baseref_document::Heading;

/// The headings of a page, indexed by name and by text.
#[derive(Default)]
pub(super) struct Headings {
    /// The plain text of the first heading with each name.
    pub(super) texts: HashMap<String, Rc<str>>,
    /// The first name of the heading with each plain text; `None` if several headings have the text.
    pub(super) names: HashMap<Rc<str>, Option<String>>,
}

impl Headings {
    pub(super) fn new(all: Vec<Heading>) -> Self {
        let mut headings = Self::default();
        for heading in all {
            let text: Rc<str> = plain_heading(&heading.text).into();
            if let Some(first) = heading.names.first() {
                let one = headings.names.entry(Rc::clone(&text));
                one.and_modify(|name| *name = None)
                    .or_insert_with(|| Some(first.clone()));
            }
            for name in heading.names {
                headings
                    .texts
                    .entry(name)
                    .or_insert_with(|| Rc::clone(&text));
            }
        }
        headings
    }
}

/// The text of a heading in lower case, without the sign of its permalink.
fn plain_heading(text: &str) -> String {
    text.trim_end_matches(['¶', '#', ' ', '\u{200b}'])
        .to_lowercase()
}
