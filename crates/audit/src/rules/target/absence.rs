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
            Self::OtherMethod => ": there is only the answer to another method than GET",
            Self::NoAnswer => ": there is a record of it, but no answer",
            Self::LeftOut(why) => match why {
                LeftOut::Scope => ": the crawler left it out, as out of its scope",
                LeftOut::PageLimit => ": the crawler left it out, at its limit of pages",
                LeftOut::Robots => ": the crawler left it out, for robots.txt",
                LeftOut::Redirect => {
                    ": the crawler left it out, as it redirects to what is excluded"
                }
                LeftOut::Duplicate => ": the crawler left it out, as a duplicate",
                LeftOut::RateLimit => ": the crawler left it out, as the server limits requests",
                LeftOut::Failure => ": the crawler could not load it",
                LeftOut::Unknown => ": the crawler left it out",
            },
        })
    }
}
