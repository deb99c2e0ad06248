//! The rule `target/redirect-not-captured`.

baseref_findings::rule! {
    "target/redirect-not-captured" Error "RFC 9110 §15.4"
    "the link leads to a redirect that does not end in a capture"
    "The redirect was captured, but not what it leads to; or it leads to an error, to itself or \
     nowhere."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}}\n\
         ]}}",
    }
}
