//! The URL of a file below a prefix.

use baseref_resolve::segment::push_segment;

/// The URL of a file below a prefix, from the bytes of its path. An index file has the URL of its
/// folder.
#[must_use]
pub fn url_below(prefix: &str, path: &[u8]) -> String {
    let mut url = prefix.to_owned();
    if !url.ends_with('/') {
        url.push('/');
    }
    let names: Vec<&[u8]> = path.split(|b| *b == b'/').collect();
    for (number, name) in names.iter().enumerate() {
        let is_last = number + 1 == names.len();
        if is_last && *name == b"index.html" {
            break;
        }
        push_segment(name, &mut url);
        if !is_last {
            url.push('/');
        }
    }
    url
}
