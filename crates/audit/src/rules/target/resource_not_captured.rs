//! The rule `target/resource-not-captured`.

use super::absence::Absence;

baseref_findings::rule! {
    "target/resource-not-captured" Error "ISO 28500, response"
    "a captured page needs something that was not captured"
    "A style sheet, an image, a script, a font, a frame or a medium, on any host: without it the \
     page is not shown as it was. Give the URL to a patch crawl: --out seeds=FILE."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<img src=\\\"https://cdn.example/a.png\\\">\"}}}\n\
         ]}}",
    }

    struct ResourceNotCaptured { absence: Absence } => "not captured{absence}"
}
