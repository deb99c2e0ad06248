//! The rule `target/resource-not-captured`.

use super::absence::Absence;

baseref_findings::rule! {
    "target/resource-not-captured" Error "ISO 28500, response"
    "resource missing from the archive"
    "A style sheet, image, script, font, frame or media file, on any host: without it the page \
     does not replay as it was. Fetch it with a patch crawl: --out seeds=FILE."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<img src=\\\"https://cdn.example/a.png\\\">\"}}}\n\
         ]}}",
    }

    struct ResourceNotCaptured { absence: Absence } => "not captured{absence}"
}
