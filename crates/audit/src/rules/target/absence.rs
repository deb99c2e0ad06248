//! Why there is no capture of a URL, for the rules about links to it.

use std::fmt;

use baseref_document::ExclusionReason;

/// Why there is no capture of a URL, to follow "not captured".
pub(crate) enum Absence {
    NotAsked,
    LeftOut(ExclusionReason),
    OtherMethod,
    NoAnswer,
    /// The program that saved the page could not download it.
    SaveFailed,
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAsked => "",
            Self::OtherMethod => ": there is only a response to another method than GET",
            Self::SaveFailed => ": the download failed when the page was saved",
            Self::NoAnswer => ": there is a record, but no response",
            Self::LeftOut(why) => match why {
                ExclusionReason::Scope => ": the crawler skipped it (out of scope)",
                ExclusionReason::PageLimit => ": the crawler skipped it (page limit)",
                ExclusionReason::Robots => ": the crawler skipped it (robots.txt)",
                ExclusionReason::Redirect => {
                    ": the crawler skipped it (redirect to an excluded URL)"
                }
                ExclusionReason::Duplicate => ": the crawler skipped it (duplicate)",
                ExclusionReason::RateLimit => ": the crawler skipped it (rate limit)",
                ExclusionReason::Failure => ": the crawler could not load it",
                ExclusionReason::Unknown => ": the crawler skipped it",
            },
        })
    }
}
