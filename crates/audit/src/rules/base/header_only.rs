//! The rule `base/header-only`.

baseref_findings::rule! {
    "base/header-only" Off "RFC 1808 §3.2"
    "base only in a header field"
    "It is lost when the page is saved without its message."
    "baseref audit . --rule base/header-only=warning" {
        "page.eml": "Content-Base: http://a.example/\n\
         Content-Type: text/html\n\
         \n\
         <a href=\"b.html\">",
    }

    struct BaseHeaderOnly => "no base element, only a header field"
}
