//! The rule `doc/duplicate-id`.

baseref_findings::rule! {
    "doc/duplicate-id" Warning "HTML, the id attribute"
    "two elements have the same name"
    "A link to it leads to the first of them."
    "baseref audit ." { "page.html": "<p id=\"a\"><p id=\"a\">" }

    enum DuplicateId<'m> {
        Repeated { id: &'m str } => "{id:?} is the name of an earlier element",
        Target { id: &'m str } => "{id:?} is the name of an earlier element, and a link target",
    }
}
