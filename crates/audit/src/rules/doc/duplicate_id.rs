//! The rule `doc/duplicate-id`.

baseref_findings::rule! {
    "doc/duplicate-id" Warning "HTML, the id attribute"
    "duplicate id"
    "A link to it leads to the first of the elements."
    "baseref audit ." { "page.html": "<p id=\"a\"><p id=\"a\">" }

    enum DuplicateId<'m> {
        Repeated { id: &'m str } => "an earlier element has the id or name {id:?}",
        Target { id: &'m str } => "an earlier element has the id or name {id:?}, and a link leads to it",
    }
}
