//! The rule `target/captured-redirect`.

baseref_findings::rule! {
    "target/captured-redirect" Note "RFC 9110 §15.4"
    "captured as a redirect"
    "The redirect was captured, and replay follows it."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/new\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
         ]}}",
    }

    enum CapturedRedirect {
        Captured { hops: String } => "captured as a redirect: {hops}",
        External { hops: String } => "captured as a redirect to another site: {hops}",
        UnknownTarget { hops: String } =>
            "captured as a redirect whose target the index does not record: {hops}",
    }
}
