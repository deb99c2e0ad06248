//! The rule `target/captured-error`.

baseref_findings::rule! {
    "target/captured-error" Error "ISO 28500, response"
    "the link leads to a capture of an error"
    "The server was asked and answered with an error, which replay shows. Of several captures \
     the nearest to that of the page counts, but a failure of the server only if there is no \
     other."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/gone\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/gone\"},\"response\":{\"status\":404,\"content\":{\"mimeType\":\"text/html\"}}}\n\
         ]}}",
    }
}
