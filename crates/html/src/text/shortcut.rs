//! Reads the URL in an Internet shortcut of Windows: a `.url` file.

use super::plain::cut;
use baseref_document::link_places::shortcut_row;
use baseref_document::{Context, Document, ReadOptions, Reference};
use baseref_text::decode::encoding::decode_plain;
use baseref_text::decode::line;
use baseref_text::decode::source::MarkupSource;

/// The section with the URL, with which the file mostly begins.
pub const SECTION: &[u8] = b"[InternetShortcut]";

/// Reads a shortcut; `None` if it has no URL, or its URL is not wanted.
#[must_use]
pub fn read(source: &MarkupSource<'_>, options: &ReadOptions) -> Option<Document> {
    let slot = shortcut_row().filter(|slot| options.classes.contains(slot.class))?;
    let decoded = decode_plain(source.bytes, source.charset, options.encoding);
    let mut document = source.clone().begin(&decoded);
    let mut positions = decoded.positions();
    let bytes = decoded.text.as_bytes();
    let mut in_section = false;
    let mut at = 0;
    while at < bytes.len() && document.references.is_empty() {
        let (end, next) = line::end(bytes, at);
        let line = &decoded.text[at..end];
        if line.trim_ascii().starts_with('[') {
            in_section = line.trim_ascii().as_bytes().eq_ignore_ascii_case(SECTION);
        }
        if let Some((key, value)) = line.split_once('=')
            && in_section
            && key.trim_ascii().eq_ignore_ascii_case("URL")
        {
            let start = end - value.trim_ascii_start().len();
            let url = value.trim_ascii();
            let place = options
                .positions
                .then(|| positions.locate(start..start + url.len()));
            let (value, cut) = cut(url, options.limits.attribute);
            document.references.push(Reference {
                slot,
                element: slot.element,
                attr: slot.attr,
                value,
                text: None,
                context: Context::Document,
                at: place.as_ref(),
                cut,
            });
        }
        at = next.max(end + 1);
    }
    (!document.references.is_empty()).then_some(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::Origin;
    use baseref_text::decode::source::Markup;

    #[test]
    fn url_of_shortcut_section() {
        for (text, url) in [
            (
                "[InternetShortcut]\r\nURL=https://a.test/\r\n",
                Some("https://a.test/"),
            ),
            (
                "[internetshortcut]\nIconFile=x\n url = https://a.test/?a=b \nURL=https://b.test/",
                Some("https://a.test/?a=b"),
            ),
            (
                "[DEFAULT]\nBASEURL=https://x.test/\nURL=https://y.test/\n[InternetShortcut]\nURL=file://h/s",
                Some("file://h/s"),
            ),
            ("URL=https://a.test/", None),
            ("[InternetShortcut]", None),
        ] {
            let source = MarkupSource::new(Markup::Html, text.as_bytes(), Origin::new("m"));
            let mut links = Vec::new();
            if let Some(document) = read(&source, &ReadOptions::default()) {
                for link in &document.references {
                    let byte = &link.at.expect("the reference has a position").byte;
                    let place =
                        usize::try_from(byte.start).unwrap()..usize::try_from(byte.end).unwrap();
                    assert_eq!(&text[place], link.value);
                    links.push(link.value.to_owned());
                }
            }
            assert_eq!(links.first().map(String::as_str), url, "{text}");
        }
    }
}
