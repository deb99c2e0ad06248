//! The rule `base/layer-conflict`.

baseref_findings::rule! {
    "base/layer-conflict" Off "RFC 1808 §3"
    "layers of RFC 1808 §3 give different bases"
    "The base in the document wins over a header field, and that over the retrieval URL. A \
     program that reads only some of them resolves links elsewhere."
    "baseref audit . --rule base/layer-conflict=warning" {
        "page.eml": "Content-Base: http://b.example/\n\
         Content-Type: text/html\n\
         \n\
         <base href=\"http://a.example/\"><a href=\"c.html\">",
    }

    struct BaseLayerConflict { other: String } => "an outer layer gives {other}"
}
