//! The rule `target/captured-error`.

use std::fmt;

baseref_findings::rule! {
    "target/captured-error" Error "ISO 28500, response"
    "captured as an error"
    "The server answered with an error, and replay shows it. Among several captures the one \
     closest in time to the page counts; a server error counts only if there is no other."
    "baseref audit crawl.har" {
        "crawl.har": "{\"log\":{\"entries\":[\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/gone\\\">\"}}},\n\
         {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/gone\"},\"response\":{\"status\":404,\"content\":{\"mimeType\":\"text/html\"}}}\n\
         ]}}",
    }

    message CapturedError
}

pub(crate) struct CapturedError {
    pub(crate) status: u16,
    /// The status and day of a better capture.
    pub(crate) better: Option<(u16, String)>,
}

impl fmt::Display for CapturedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            304 => f.write_str("captured only as not modified (304)")?,
            status => write!(f, "captured as an error ({status})")?,
        }
        match &self.better {
            Some((status, day)) => write!(f, "; {status} on {day}"),
            None => Ok(()),
        }
    }
}
