//! The rule `target/missing-fragment`.

baseref_findings::rule! {
    "target/missing-fragment" Error "HTML, \"find a potential indicated element\""
    "the page exists, but nothing in it has the name after the #"
    "No element of the page has the fragment as its id, and no anchor has it as its name; a \
     browser shows the top of the page. The name is looked up as written first, then with its \
     escapes decoded. Text fragments, `#top` and fragments of pages that are not HTML are not \
     judged. What a server puts into a page (`<!--#include … -->`) counts as written there."
    "baseref audit ." {
        "page.html": "<a href=\"guide.html#instal\">",
        "guide.html": "<h2 id=\"install\">",
    }

    enum MissingFragment<'m> {
        NoElement { fragment: &'m str } => "no element has the name {fragment:?}",
        OtherCase { fragment: &'m str, nearest: &'m str } =>
            "no element has the name {fragment:?}; {nearest:?} differs by case",
        /// The server may put an element with this name into the page.
        Included { fragment: &'m str }: Note =>
            "no element has the name {fragment:?}, unless in what only the server puts there",
        /// GitHub puts a prefix before the ids that users give to elements.
        UserContent { fragment: &'m str }: Note =>
            "the name is \"user-content-{fragment}\": only the scripts of GitHub find it",
        NoMap { name: &'m str } => "no map of the page has the name {name:?}",
        NoMapName => "it names no map: write `#` and the name of one",
    }
}
