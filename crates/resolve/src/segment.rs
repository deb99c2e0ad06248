//! File names as segments of a URL's path.

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};

/// The ASCII characters that RFC 3986 §3.4 does not allow in a query.
pub const NOT_QUERY: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The ASCII characters that RFC 1808 §2.2 does not allow in a path segment: all except `pchar`. Departs: `~`, a
/// `national` character there, is kept, as RFC 3986 §2.3 and every server do.
pub const NOT_PCHAR: &AsciiSet = &NOT_QUERY.add(b'%').add(b'/').add(b';').add(b'?');

/// Appends a file name, percent-encoded for the path of a URL.
pub fn push_segment(name: &[u8], out: &mut String) {
    out.extend(percent_encode(name, NOT_PCHAR));
}
