//! The rule `target/loose-capture`.

baseref_findings::rule! {
    "target/loose-capture" Note "pywb, rules.yaml; surt"
    "captured under a slightly different URL"
    "The URLs differ in case, the final slash, a session id, the order of the query, or the \
     version of a file. Some replay systems treat them as one, others do not."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/Guide/\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/guide\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
         ]}}",
    }

    struct LooseCapture<'m> { url: &'m str } =>
        "captured as {url}; not every replay system finds it"
}
