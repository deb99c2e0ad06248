//! Why there is no capture of a URL, for the rules about links to it.

use std::fmt;

use baseref_document::LeftOut;

/// Why there is no capture of a URL, to follow "not captured".
pub(crate) enum Absence {
    NotAsked,
    LeftOut(LeftOut),
    OtherMethod,
    NoAnswer,
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAsked => "",
            Self::OtherMethod => ": there is only a response to another method than GET",
            Self::NoAnswer => ": there is a record, but no response",
            Self::LeftOut(why) => match why {
                LeftOut::Scope => ": the crawler skipped it (out of scope)",
                LeftOut::PageLimit => ": the crawler skipped it (page limit)",
                LeftOut::Robots => ": the crawler skipped it (robots.txt)",
                LeftOut::Redirect => ": the crawler skipped it (redirect to an excluded URL)",
                LeftOut::Duplicate => ": the crawler skipped it (duplicate)",
                LeftOut::RateLimit => ": the crawler skipped it (rate limit)",
                LeftOut::Failure => ": the crawler could not load it",
                LeftOut::Unknown => ": the crawler skipped it",
            },
        })
    }
}
