//! Reads files attached to messages like any other container.

use std::io::Cursor;
use std::sync::Arc;

use crate::mail::Attachment;
use baseref_container::{
    Container as _, Entity, EntityKind, Format, Input, Nesting, Reader, open_attached,
};
use baseref_document::{Declaration, Place, ReadOptions, ReadResult, Sink, Skipped};

/// How an entity is read.
type Read = fn(Entity, &ReadOptions, &mut dyn Sink<ReadResult>) -> Skipped;

/// Reads the documents in a file attached to a message in those containers. Returns what was
/// skipped in it. The recursion ends at [`baseref_document::Limits::nesting`].
pub(super) fn read(
    file: Attachment,
    around: &Nesting,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
    read: Read,
) -> Skipped {
    let mut skipped = Skipped::default();
    let media_type = file.media_type;
    let of_name = file.name.and_then(|name| Format::from_name(name.as_ref()));
    let is_zip = media_type.contains("zip") && !media_type.contains("gzip");
    let input = Input {
        name: Arc::clone(&file.origin.input),
        size: Some(file.bytes.len() as u64),
        reader: Reader::Seekable(Box::new(Cursor::new(file.bytes))),
        format: None,
        format_of_name: of_name.or(is_zip.then_some(Format::Zip)),
        named: false,
        declarations: file.declarations,
    };
    let Some(mut inside) = open_attached(input, file.origin, &options.limits, around) else {
        skipped.count(&media_type);
        return skipped;
    };
    for entity in &mut inside {
        match entity {
            Ok(entity) => skipped.add(&read(independent(entity), options, found)),
            Err(error) => found.add(Err(error)),
        }
    }
    skipped.add(&inside.skipped());
    skipped
}

/// The base fields around a file reach the pages in it, as if they were parts; a message in it, a
/// mailbox's for example, is none, and only its own count.
fn independent(mut entity: Entity) -> Entity {
    if let EntityKind::Message { .. } | EntityKind::Outlook = entity.kind {
        let is_field = |declared: &Declaration| matches!(declared.at, Place::Field { .. });
        entity.declarations.retain(|declared| !is_field(declared));
    }
    entity
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::read::documents;
    use crate::read::tests::gzip;
    use baseref_document::Limits;
    use baseref_document::Origin;

    /// A message with a link, and with a file attached.
    fn message(link: usize, file: &[u8]) -> Vec<u8> {
        let file = STANDARD.encode(file);
        format!(
            "From: a\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\nContent-Type: text/html\n\n<a href=http://{link}/>\n\
             --b\nContent-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n{file}\n--b--"
        )
        .into_bytes()
    }

    /// The links of a message, and the errors.
    fn read(message: Vec<u8>, limits: Limits) -> (Vec<String>, Vec<String>) {
        let (mut links, mut errors) = (Vec::new(), Vec::new());
        let options = ReadOptions::default().with_limits(limits);
        let entity = Entity::message(Origin::new("m"), message);
        documents(entity, &options, &mut |found: ReadResult| match found {
            Ok(document) => {
                let found = document.references.iter();
                links.extend(found.map(|link| format!("{} {}", document.origin, link.value)));
            }
            Err(error) => errors.push(error.to_string()),
        });
        (links, errors)
    }

    #[test]
    fn depth_of_messages_in_attached_files_is_limited() {
        let nested = (1..=7).fold(Vec::new(), |inner, link| message(link, &gzip(&inner)));
        let (links, errors) = read(nested, Limits::default());
        assert_eq!(
            links,
            [
                "m/1 http://7/",
                "m/2/1 http://6/",
                "m/2/2/1 http://5/",
                "m/2/2/2/1 http://4/",
                "m/2/2/2/2/1 http://3/"
            ]
        );
        let error = "m/2/2/2/2/2: is nested in 4 containers: what is in it is not read";
        assert_eq!(errors, [error]);
    }

    #[test]
    fn outlook_message_is_recognised_by_type_or_name() {
        const MSG: &[u8] = include_bytes!("../../../../fixtures/outlook/link-in-a-field.msg");
        const DOC: &[u8] = include_bytes!("../../../../fixtures/outlook/no-message.doc");
        for (media, file, is_read) in [
            ("application/vnd.ms-outlook", MSG, true),
            ("application/octet-stream", MSG, true),
            ("application/x-msg; name=A.MSG", MSG, true),
            ("application/msword", MSG, false),
            ("application/octet-stream", DOC, false),
            ("image/png", MSG, false),
        ] {
            let file = STANDARD.encode(file);
            let text = format!(
                "From: a\nContent-Type: {media}\nContent-Transfer-Encoding: base64\n\n{file}\n"
            );
            let (links, errors) = read(text.into_bytes(), Limits::default());
            let expected: &[&str] = if is_read {
                &["m/1/1.2 https://evil.test/"]
            } else {
                &[]
            };
            assert_eq!(links, expected, "{media}");
            assert_eq!(errors, Vec::<String>::new(), "{media}");
        }
    }

    #[test]
    fn attached_files_share_a_limit() {
        let limits = Limits::default().with_inflated(1000).with_inflation(1);
        let page = [b"<a href=http://a/>".as_slice(), &[b' '; 800]].concat();
        let file = gzip(&page);
        let (links, errors) = read(message(1, &file), limits);
        assert_eq!((links.len(), errors.len()), (2, 0));
        let twice = message(1, &gzip(&message(2, &gzip(&[&page[..], &page].concat()))));
        let (_, errors) = read(twice, limits);
        assert!(
            errors
                .iter()
                .any(|error| error.contains("expand to too much")),
            "{errors:?}"
        );
    }
}
