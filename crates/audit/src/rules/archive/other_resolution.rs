//! The rule `archive/other-resolution`.

baseref_findings::rule! {
    "archive/other-resolution" Note "HTML, update the source set"
    "image captured in another resolution only"
    "Browsers ask for one candidate of a srcset, a picture, an image-set() or a set of icons. One was \
     captured, so the page is complete, but a larger screen or a newer browser would have asked for \
     this one. --out seeds.all=FILE lists it for a crawler."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<img src=\\\"/a.jpg\\\" srcset=\\\"/a2.jpg 2x\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/a.jpg\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"image/jpeg\"}}}\n\
         ]}}",
    }

    struct OtherResolution => "not captured, but the image was in another resolution"
}
