//! The rule `archive/alternative`.

baseref_findings::rule! {
    "archive/alternative" Note "CSS Fonts 4 §4.3; HTML, resource selection algorithm, noscript"
    "resource that the page does not need was not captured"
    "Browsers load one font of a src list and one source of a video, what is in noscript only if scripts \
     are off, and the images of @media print only to print. Only phones load an apple-touch-icon. The \
     page is complete without the others."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<noscript><img src=\\\"/pixel.gif\\\"></noscript>\"}}}\n\
         ]}}",
    }

    enum Alternative {
        Format => "not captured, but the same in another format was",
        OtherDevice => "not captured: only printers and other devices ask for it",
        WithoutScripts => "not captured: only browsers that do not run scripts ask for it",
    }
}
