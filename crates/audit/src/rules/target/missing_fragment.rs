//! The rule `target/missing-fragment`.

baseref_findings::rule! {
    "target/missing-fragment" Error "HTML, \"find a potential indicated element\""
    "missing anchor"
    "No element of the page has the fragment as its id, and no anchor has it as its name, so \
     browsers show the top of the page. The fragment is looked up as written, then \
     percent-decoded. Text fragments, `#top` and fragments of other files than HTML are not \
     checked. Server-side includes (`<!--#include … -->`) are expanded."
    "baseref audit ." {
        "page.html": "<a href=\"guide.html#instal\">",
        "guide.html": "<h2 id=\"install\">",
    }

    enum MissingFragment<'m> {
        NoElement { fragment: &'m str } => "no id or name {fragment:?}",
        OtherCase { fragment: &'m str, nearest: &'m str } =>
            "no id or name {fragment:?}; {nearest:?} differs by case",
        /// Both are shown as their code points.
        LooksAlike { nearest: &'m str, ours: &'m str, theirs: &'m str } =>
            "no id or name with {ours}: {nearest:?} looks alike, but has {theirs} there",
        /// The server may put an element with this name into the page.
        Included { fragment: &'m str }: Note =>
            "no id or name {fragment:?}, unless a server-side include adds it",
        /// GitHub puts a prefix before the ids that users give to elements.
        UserContent { fragment: &'m str }: Note =>
            "the id is \"user-content-{fragment}\", which only GitHub's scripts find",
        NoMap { name: &'m str } => "no image map is named {name:?}",
    }
}
