//! Recognises encrypted parts, which are counted by method and not read.

use std::borrow::Cow;

use memchr::memmem;

use super::metadata::filename;
use super::walk_state::Entity;
use baseref_text::decode::transfer;
use baseref_text::header::media_type::{MediaType, TransferEncoding};

/// How a part is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    /// S/MIME (RFC 8551).
    SMime,
    /// `OpenPGP` (RFC 9580).
    OpenPgp,
    /// Rights management of Microsoft ([MS-OXORMMS]).
    Rights,
    /// Another method.
    Other,
}

/// The line before an encrypted message of `OpenPGP` (RFC 9580 §6.2.1).
const ARMOR: &[u8] = b"-----BEGIN PGP MESSAGE-----";

/// The first bytes of a message in rights management.
const RPMSG: &[u8] = b"\x76\xE8\x04\x60\xC4\x11\xE3\x86";

/// How many encoded bytes of a file are decoded to see how it begins.
const LOOKED_AT: usize = 128;

impl Encryption {
    /// The method of a multipart/encrypted, by its parameter `protocol`.
    pub fn from_protocol(protocol: &[u8]) -> Self {
        match protocol.trim_ascii().to_ascii_lowercase().as_slice() {
            b"application/pgp-encrypted" => Self::OpenPgp,
            b"application/pkcs7-mime" | b"application/x-pkcs7-mime" => Self::SMime,
            _ => Self::Other,
        }
    }

    /// Why the part is not read.
    pub fn reason(self) -> &'static str {
        match self {
            Self::SMime => "the part is encrypted by S/MIME and is not read",
            Self::OpenPgp => "the part is encrypted by OpenPGP and is not read",
            Self::Rights => {
                "the part is encrypted by Microsoft's rights management (.rpmsg) and is not read"
            }
            Self::Other => "the part is encrypted and is not read",
        }
    }
}

/// How a part without inner parts is encrypted, or a block in its text, except by S/MIME.
pub(super) fn detect(entity: &Entity<'_, '_>, stored: &[u8]) -> Option<Encryption> {
    let essence = entity.media.essence.as_str();
    if essence == "text/plain" {
        return has_armor(entity, stored).then_some(Encryption::OpenPgp);
    }
    if !essence.starts_with("application/") {
        return None;
    }
    let head = decoded(entity, &stored[..stored.len().min(LOOKED_AT)]);
    if essence == "application/x-microsoft-rpmsg-message" || head.starts_with(RPMSG) {
        return Some(Encryption::Rights);
    }
    let is_armored = head.trim_ascii_start().starts_with(ARMOR);
    let is_open_pgp = is_armored || is_binary(&head) && is_named_so(entity);
    is_open_pgp.then_some(Encryption::OpenPgp)
}

/// Whether a text has a line that begins an encrypted message.
fn has_armor(entity: &Entity<'_, '_>, stored: &[u8]) -> bool {
    let is_base64 = matches!(
        &entity.encoding,
        TransferEncoding::Encoded(transfer::Encoding::Base64)
    );
    let text = if is_base64 {
        decoded(entity, stored)
    } else {
        Cow::Borrowed(stored)
    };
    let mut places = memmem::find_iter(&text, ARMOR);
    places.any(|at| at == 0 || matches!(text[at - 1], b'\n' | b'\r'))
}

fn decoded<'s>(entity: &Entity<'_, '_>, stored: &'s [u8]) -> Cow<'s, [u8]> {
    match &entity.encoding {
        TransferEncoding::Encoded(encoding) => {
            Cow::Owned(transfer::decode(*encoding, stored).bytes)
        }
        _ => Cow::Borrowed(stored),
    }
}

/// Whether bytes begin with a packet of an encrypted message: a session key that a key or a password
/// encrypts (RFC 9580 §4.2, §5.1 and §5.3).
fn is_binary(head: &[u8]) -> bool {
    let Some(first) = head.first() else {
        return false;
    };
    let tag = match first >> 6 {
        0b10 => first >> 2 & 0b1111,
        0b11 => first & 0b11_1111,
        _ => return false,
    };
    matches!(tag, 1 | 3)
}

/// Whether a part has the file name of an encrypted file.
fn is_named_so(entity: &Entity<'_, '_>) -> bool {
    let disposition = entity.heading.first("Content-Disposition");
    let disposition = disposition.and_then(|field| MediaType::parse_disposition(field.value()));
    let name = filename(disposition.as_ref(), &entity.media).unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        ["pgp", "gpg"]
            .iter()
            .any(|own| extension.eq_ignore_ascii_case(own))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::message;
    use super::super::{Attachment, Opener, documents};
    use baseref_document::link_places::Classes;
    use baseref_document::{ReadErrorKind, ReadOptions, ReadResult, Sink, Skipped};

    /// Opens no files.
    struct Unopened;

    impl Opener for Unopened {
        fn open(&mut self, _: Attachment, _: &mut dyn Sink<ReadResult>) -> Skipped {
            Skipped::default()
        }
    }

    /// The links of a message, and why parts are encrypted.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut links, mut reasons) = (Vec::new(), Vec::new());
        let options = ReadOptions::default().with_classes(Classes::ALL);
        let mut take = |found: ReadResult| match found {
            Ok(document) => {
                links.extend(document.references.iter().map(|link| link.value.to_owned()));
            }
            Err(error) => {
                assert_eq!(error.kind, ReadErrorKind::Encrypted);
                reasons.push(format!("{}: {}", error.origin, error.reason));
            }
        };
        documents(
            &message(text.as_bytes()),
            &options,
            &mut Unopened,
            &mut take,
        );
        (links, reasons)
    }

    #[test]
    fn methods_of_encryption() {
        let pgp = "m: the part is encrypted by OpenPGP and is not read";
        for (text, reason) in [
            (
                "Content-Type: multipart/encrypted; boundary=b;\n \
                 protocol=\"application/pgp-encrypted\"\n\n--b\nContent-Type: \
                 application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: \
                 application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\nx\n--b--\n",
                Some(pgp.to_owned()),
            ),
            (
                "Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n",
                Some("m: the part is encrypted and is not read".to_owned()),
            ),
            (
                "Content-Type: application/octet-stream; name=a.asc\n\n\
                 -----BEGIN PGP MESSAGE-----\n",
                Some(pgp.replace("m:", "m/1:")),
            ),
            (
                "Content-Type: application/octet-stream; name=a.pgp\n\
                 Content-Transfer-Encoding: base64\n\nhQEMAw==\n",
                Some(pgp.replace("m:", "m/1:")),
            ),
            (
                "Content-Type: application/octet-stream; name=a.bin\n\
                 Content-Transfer-Encoding: base64\n\nhQEMAw==\n",
                None,
            ),
            (
                "Content-Type: application/x-microsoft-rpmsg-message\n\nx\n",
                Some(
                    "m/1: the part is encrypted by Microsoft's rights management (.rpmsg) and is \
                     not read"
                        .to_owned(),
                ),
            ),
            ("Subject: s\n\n-----BEGIN PGP SIGNED MESSAGE-----\n", None),
            ("Subject: s\n\n> -----BEGIN PGP MESSAGE-----\n", None),
        ] {
            let (_, reasons) = read(text);
            assert_eq!(reasons, Vec::from_iter(reason), "{text}");
        }
    }

    #[test]
    fn text_around_an_encrypted_block_is_read() {
        let block = "-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----\n";
        let (links, reasons) = read(&format!(
            "Subject: s\n\nhttp://a.test/\n{block}http://b.test/\n"
        ));
        assert_eq!(links, ["http://a.test/", "http://b.test/"]);
        assert_eq!(reasons.len(), 1);
    }
}
