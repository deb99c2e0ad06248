//! The rule `target/redirect-not-captured`.

use super::captured_error::CapturedError;

baseref_findings::rule! {
    "target/redirect-not-captured" Error "RFC 9110 §15.4"
    "captured redirect that leads to nothing in the archive"
    "The redirect was captured, but its target was not, or the target is an error or the \
     redirect itself."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}}\n\
         ]}}",
    }

    enum RedirectNotCaptured {
        Error { error: CapturedError, hops: String } => "{error}: {hops}",
        NotCaptured { hops: String } => "the target of the redirect was not captured: {hops}",
        NoTarget { hops: String } => "the redirect has no target: {hops}",
        Loop { hops: String } => "the redirect never ends: {hops}",
    }
}
