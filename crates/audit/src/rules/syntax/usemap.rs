//! The rule `syntax/usemap`.

baseref_findings::rule! {
    "syntax/usemap" Warning "HTML, \"rules for parsing a hash-name reference\""
    "image map without a name"
    "The value of `usemap` is a `#` and the name of a map. Without them the image has no map, and \
     nothing in it can be clicked."
    "baseref audit ." { "page.html": "<img src=data:, usemap=\"\"><map name=m></map>" }

    enum Usemap {
        Empty => "empty, so the image has no map: remove usemap, or write `#` and the name of a map",
        NoHash => "without a `#`, so the image has no map: write `#` before the name",
        NoName => "no name follows the `#`, so the image has no map",
    }
}
