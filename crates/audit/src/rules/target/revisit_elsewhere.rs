//! The rule `target/revisit-elsewhere`.

baseref_findings::rule! {
    "target/revisit-elsewhere" Note "WARC 1.1 §6.7"
    "original of a revisit record is missing"
    "Crawlers store a payload once. The record that holds this one is in an archive that is not \
     among the inputs, so its fragments are not checked."
    "baseref audit crawl.warc" {
        "crawl.warc": "WARC/1.1\r\n\
         WARC-Type: response\r\n\
         WARC-Target-URI: https://a.example/\r\n\
         Content-Type: application/http\r\n\
         Content-Length: 57\r\n\
         \r\n\
         HTTP/1.1 200 OK\r\n\
         Content-Type: text/html\r\n\
         \r\n\
         <a href=\"/b\">\r\n\
         \r\n\
         WARC/1.1\r\n\
         WARC-Type: revisit\r\n\
         WARC-Target-URI: https://a.example/b\r\n\
         WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n\
         WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
         Content-Length: 0\r\n\
         \r\n\
         \r\n\
         \r\n\
         ",
    }

    struct RevisitElsewhere =>
        "identical to an earlier capture that is not among the inputs"
}
