//! The rule `target/redirect-not-captured`.

use super::captured_error::CapturedError;

baseref_findings::rule! {
    "target/redirect-not-captured" Error "RFC 9110 §15.4"
    "the link leads to a redirect that does not end in a capture"
    "The redirect was captured, but not what it leads to; or it leads to an error, to itself or \
     nowhere."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}}\n\
         ]}}",
    }

    enum RedirectNotCaptured {
        Error { error: CapturedError, hops: String } => "{error}: {hops}",
        NotCaptured { hops: String } => "captured as a redirect to what was not captured: {hops}",
        NoTarget { hops: String } => "captured as a redirect without a target: {hops}",
        Loop { hops: String } => "captured as a redirect that never ends: {hops}",
    }
}
