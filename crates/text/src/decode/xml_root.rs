//! The root element of an XML document, as far as the first bytes of it show.

use memchr::memmem;

use super::sniff::skip_white_space;

/// A start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootTag<'t> {
    /// The name without its prefix.
    pub local_name: &'t [u8],
    /// The tag from its name on; cut off where the bytes end.
    pub tag: &'t [u8],
}

/// The tag of the root, after the declaration, comments, instructions and the document type; `None` if
/// there is none in these bytes.
///
/// ```
/// use baseref_text::decode::xml_root::find;
///
/// let root = find(b"<?xml version='1.0'?><!-- x --><s:urlset xmlns:s='y'>").expect("the document has a root");
/// assert_eq!(root.local_name, b"urlset");
/// ```
#[must_use]
pub fn find(text: &[u8]) -> Option<RootTag<'_>> {
    let mut text = skip_white_space(text);
    loop {
        text = skip_white_space(text);
        let (begun, end): (_, &[u8]) = if let Some(comment) = text.strip_prefix(b"<!--") {
            (comment, b"-->")
        } else if let Some(instruction) = text.strip_prefix(b"<?") {
            (instruction, b"?>")
        } else if let Some(declaration) = text.strip_prefix(b"<!DOCTYPE") {
            let head = &declaration[..declaration.len().min(256)];
            let length = head.iter().position(|byte| matches!(byte, b'[' | b'>'))?;
            let has_subset = declaration[length] == b'[';
            (declaration, if has_subset { b"]>" } else { b">" })
        } else {
            break;
        };
        text = &begun[memmem::find(begun, end)? + end.len()..];
    }
    let tag = text.strip_prefix(b"<")?;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    let name = &tag[..tag.iter().position(ends)?];
    let local_name = memchr::memchr(b':', name).map_or(name, |colon| &name[colon + 1..]);
    let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
    Some(RootTag {
        local_name,
        tag: &tag[..end],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prolog_skipped() {
        for (text, root) in [
            (
                &b" <?xml version='1.0'?>\n<rss version='2.0'>"[..],
                Some("rss"),
            ),
            (b"<!--a--><?xml-stylesheet href='x'?><a:feed>", Some("feed")),
            (b"<!DOCTYPE rss PUBLIC 'x' 'y'><rss/>", Some("rss")),
            (b"<!DOCTYPE r [<!ENTITY a '<b>'> ]><urlset>", Some("urlset")),
            (b"<!-- not closed <rss>", None),
            (b"<rs", None),
            (b"text <rss>", None),
            (b"", None),
        ] {
            let found = find(text).map(|root| root.local_name);
            let shown = String::from_utf8_lossy(text);
            assert_eq!(found, root.map(str::as_bytes), "{shown}");
        }
    }
}
