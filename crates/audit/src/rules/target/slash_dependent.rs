//! The rule `target/slash-dependent`.

baseref_findings::rule! {
    "target/slash-dependent" Warning "RFC 1808 §4 step 6"
    "the link leads elsewhere when its page is requested without the slash"
    "The hosting serves this page at two URLs, with a slash and without. A relative link \
     in it then has two meanings. A link from the root does not."
    "baseref audit . --dir serve" {
        "guide/index.html": "<a href=\"next.html\">",
        "guide/next.html": "",
    }

    struct SlashDependent { other: String } => "without the slash of its page it leads to {other}"
}
