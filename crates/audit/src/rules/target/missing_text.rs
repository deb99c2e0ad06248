//! The rule `target/missing-text`.

baseref_findings::rule! {
    "target/missing-text" Off "URL Fragment Text Directives, \"find a range from a text directive\""
    "text fragment without its text"
    "The page does not show the words after `#:~:text=`, so browsers neither scroll to them nor \
     highlight them. Words are compared without case and accents, and only whole ones. The texts of all \
     pages that such links lead to are read again, so the rule is off by default. Texts that scripts \
     write are not seen."
    "baseref audit . --rule target/missing-text=warning" {
        "page.html": "<a href=\"cows.html#:~:text=purple%20cow\">",
        "cows.html": "<p>I never saw a brown cow.",
    }

    enum MissingText<'m> {
        NotShown { directive: &'m str } => "the page does not show {directive:?}",
        Limit { directive: &'m str } =>
            "whether the page shows {directive:?} is not known: it has these words too often (text-steps)",
    }
}
