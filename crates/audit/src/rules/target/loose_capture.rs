//! The rule `target/loose-capture`.

baseref_findings::rule! {
    "target/loose-capture" Note "pywb, rules.yaml; surt"
    "what was captured has a URL that differs a little"
    "It differs in case, in the last slash, in a session or in the order of the query; that of a \
     file in its version. Some replay systems take the two for one, others do not."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/Guide/\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/guide\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
         ]}}",
    }

    struct LooseCapture<'m> { url: &'m str } =>
        "captured as {url}; not every replay shows that"
}
