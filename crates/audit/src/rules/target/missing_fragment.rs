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
}
