//! The rule `target/listed-not-captured`.

baseref_findings::rule! {
    "target/listed-not-captured" Warning "WACZ 1.1.1 §5.3"
    "a page that a crawler lists was not captured"
    "Crawlers list the pages that they visited (pages.jsonl), and replay begins with that list. A \
     page of it leads to nothing if there is no record of it: it failed, or its WARC is not \
     among the inputs."
    "baseref audit crawl.har pages.jsonl" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
         ]}}",
        "pages.jsonl": "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n\
         {\"url\":\"https://a.example/\",\"ts\":\"2024-03-01T10:00:00Z\"}\n\
         {\"url\":\"https://a.example/lost\",\"ts\":\"2024-03-01T10:00:05Z\"}\n",
    }

    struct ListedNotCaptured => "the crawler lists the page, and there is no capture of it"
}
