//! The rule `target/listed-not-captured`.

baseref_findings::rule! {
    "target/listed-not-captured" Warning "WACZ 1.1.1 §5.3"
    "page listed by the crawler is missing from the archive"
    "Crawlers list the pages that they visited (pages.jsonl), and replay starts from that list. \
     There is no capture of this one: it failed, or its WARC is not among the inputs."
    "baseref audit crawl.har pages.jsonl" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
         ]}}",
        "pages.jsonl": "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n\
         {\"url\":\"https://a.example/\",\"ts\":\"2024-03-01T10:00:00Z\"}\n\
         {\"url\":\"https://a.example/lost\",\"ts\":\"2024-03-01T10:00:05Z\"}\n",
    }

    struct ListedNotCaptured => "listed, but not captured"
}
