//! Reads the URLs in a stand-alone style sheet.

use baseref_document::link_places::style_sheet_row;
use baseref_document::{Context, Document, ReadOptions, Reference};
use baseref_text::decode::encoding::decode_style_sheet;
use baseref_text::decode::source::MarkupSource;
use baseref_text::grammar::css;

/// Reads one style sheet.
///
/// Its links are reported like the links of a `style` element, relative to the sheet's own base
/// (CSS Values 4 §4.5.2).
///
/// Departs: a fragment-only URL refers to the document that uses the sheet (CSS Values 4 §4.5.1),
/// which is not known here; it is relative to the sheet like any other.
#[must_use]
pub fn read(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    let decoded = decode_style_sheet(source.bytes, source.charset, options.encoding);
    let mut document = source.begin(&decoded);
    if let Some(slot) = style_sheet_row().filter(|slot| options.classes.contains(slot.class)) {
        let mut positions = decoded.positions();
        let choices = if options.choices {
            css::choices(&decoded.text)
        } else {
            Vec::new()
        };
        let mut choices = choices.into_iter().peekable();
        css::urls(&decoded.text, |url, range| {
            let start = range.start;
            let at = options.positions.then(|| positions.locate(range));
            document.references.push(Reference {
                slot,
                element: slot.element,
                attr: slot.attr,
                value: url,
                text: None,
                context: Context::Document,
                at: at.as_ref(),
                cut: false,
            });
            while let Some((at, choice)) = choices.next_if(|(at, _)| *at <= start) {
                if at == start {
                    let last = document.references.len() - 1;
                    document.references.set_choice(last, choice);
                }
            }
        });
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::Origin;
    use baseref_document::link_places::Classes;
    use baseref_text::decode::source::Markup;

    fn references(css: &[u8], charset: Option<&str>, classes: Classes) -> Vec<(String, Vec<u8>)> {
        let options = ReadOptions::default().with_classes(classes);
        let source = MarkupSource {
            charset,
            ..MarkupSource::new(Markup::Html, css, Origin::new("-"))
        };
        let mut references = Vec::new();
        for reference in &read(source, &options).references {
            let byte = reference
                .at
                .expect("the reference has a position")
                .byte
                .clone();
            let [start, end] = [byte.start, byte.end].map(|at| usize::try_from(at).unwrap());
            references.push((reference.value.to_owned(), css[start..end].to_vec()));
        }
        references
    }

    #[test]
    fn style_sheet_urls() {
        let css = b"@import 'a\xE9.css'; b { c: url( d\\29 ) }";
        let expected = [("aé.css", &b"a\xE9.css"[..]), ("d)", b"d\\29 ")];
        let expected = expected.map(|(url, bytes)| (url.to_owned(), bytes.to_vec()));
        assert_eq!(references(css, Some("latin1"), Classes::ALL), expected);
        assert_eq!(references(css, Some("latin1"), Classes::ANCHORS), []);
    }
}
