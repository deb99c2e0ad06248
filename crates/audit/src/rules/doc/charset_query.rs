//! The rule `doc/charset-query`.

baseref_findings::rule! {
    "doc/charset-query" Warning "URL Standard, \"query state\""
    "query that depends on the encoding of the page"
    "Browsers encode the query in the encoding of the page. Saved in UTF-8, the same page \
     requests something else."
    "baseref audit ." { "page.html": "<meta charset=\"iso-8859-1\"><a href=\"?q=&eacute;\">" }

    struct CharsetQuery { encoding: &'static str } => "browsers write it in {encoding}"
}
