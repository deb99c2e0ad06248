//! The rule `target/page-not-captured`.

use super::absence::Absence;

baseref_findings::rule! {
    "target/page-not-captured" Warning "ISO 28500, response"
    "linked page missing from the archive"
    "The crawl should have captured this page: by default, that is any page on the host of a \
     captured one, and `--scope` changes it. Crawls leave pages out because of their depth, \
     their limits and robots.txt."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/page/99\\\">\"}}}\n\
         ]}}",
    }

    struct PageNotCaptured { absence: Absence } => "not captured{absence}"
}
