//! Rules for the tests of this crate.

crate::rules! {
    MISSING "target/missing-file" Error "RFC 1808 §1"
        "the file that a link leads to does not exist"
        "A reader who follows the link finds nothing."
        "baseref audit ." { "page.html": "<a href=\"gone.html\">" };

    BASE_EMPTY "base/empty" Warning "HTML, the base element"
        "a base element without a URL"
        "It still hides the ones after it from a browser."
        "baseref audit ." { "page.html": "<base href=\"\">" };
}
