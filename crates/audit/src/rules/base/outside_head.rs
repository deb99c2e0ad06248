//! The rule `base/outside-head`.

baseref_findings::rule! {
    "base/outside-head" Note "RFC 1808 §10"
    "base element outside the head"
    "RFC 1808 allows it only in the head. Browsers accept it anywhere; a program that reads only \
     the head does not."
    "baseref audit ." { "page.html": "<body><base href=\"/docs/\">" }

    struct BaseOutsideHead => "it is in the body"
}
