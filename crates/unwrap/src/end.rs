//! Why unwrapping ends.

/// Why a chain ends at a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Only the service knows the target.
    Opaque,
    /// The target is missing, damaged or no absolute URL.
    Undecodable,
    /// The target has a scheme that is not followed from mail, such as `javascript:`.
    BadTarget,
    /// The target was in the chain before.
    Loop,
    /// There are more than [`MAX_DEPTH`](crate::MAX_DEPTH) wrappers.
    Depth,
    /// The URL is longer than [`MAX_URL`](crate::MAX_URL).
    TooLong,
}

impl End {
    /// Its name in reports: `opaque`, `undecodable`, `bad-target`, `loop`, `depth` or `too-long`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Undecodable => "undecodable",
            Self::BadTarget => "bad-target",
            Self::Loop => "loop",
            Self::Depth => "depth",
            Self::TooLong => "too-long",
        }
    }
}
