//! Where a value is in its document.

use std::num::NonZeroU32;
use std::ops::Range;

/// Where a value is in its document; for a header field, where it is in the file.
///
/// Where white space inside the value is ignored (in angle brackets, in a folded header field), the
/// byte range still includes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line on which the value begins, 1-based; LF, CR and CRLF end a line.
    pub line: NonZeroU32,
    /// The column at which the value begins, 1-based, in Unicode scalar values.
    pub column: NonZeroU32,
    /// The bytes of the value in the stored document (for mail, in the part after transfer decoding),
    /// before charset and character references are decoded. For a header field, its bytes in the file.
    pub byte: Range<u64>,
}

impl Position {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(line: NonZeroU32, column: NonZeroU32, byte: Range<u64>) -> Self {
        Self { line, column, byte }
    }
}

impl Default for Position {
    /// Before the first character.
    fn default() -> Self {
        Self {
            line: NonZeroU32::MIN,
            column: NonZeroU32::MIN,
            byte: 0..0,
        }
    }
}
