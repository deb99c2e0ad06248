//! The rule `target/page-not-captured`.

use super::absence::Absence;

baseref_findings::rule! {
    "target/page-not-captured" Warning "ISO 28500, response"
    "a captured page links to a page that was not captured"
    "The page is one that the crawl was to capture: by default, on the host of a captured page. \
     Crawls leave pages out by their depth, their limits and robots.txt. Say with --scope \
     which pages were meant."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/page/99\\\">\"}}}\n\
         ]}}",
    }

    struct PageNotCaptured { absence: Absence } => "not captured{absence}"
}
