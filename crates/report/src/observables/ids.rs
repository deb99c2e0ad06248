//! Identifiers that are the same for the same value in every run (RFC 9562 §5.5, UUID version 5).

use std::fmt::Write;

use sha1::{Digest, Sha1};

/// The namespace of STIX 2.1 §2.9 for objects whose identifier follows from their properties.
const STIX: [u8; 16] = [
    0x00, 0xab, 0xed, 0xb4, 0xaa, 0x42, 0x46, 0x6c, 0x9c, 0x01, 0xfe, 0xd2, 0x33, 0x15, 0xa9, 0xb7,
];

/// A text in pieces, which is never assembled in memory.
pub(super) struct Text(Sha1);

impl Default for Text {
    fn default() -> Self {
        Self(Sha1::new().chain_update(STIX))
    }
}

impl Text {
    pub(super) fn push(&mut self, text: &str) {
        self.0.update(text.as_bytes());
    }

    /// Its identifier.
    pub(super) fn id(self) -> String {
        uuid(&self.0.finalize())
    }
}

/// The identifier of a text.
pub(super) fn from_text(text: &str) -> String {
    let mut whole = Text::default();
    whole.push(text);
    whole.id()
}

/// RFC 9562 §5.5: the first 16 bytes of the hash, with version and variant.
fn uuid(digest: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut id = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            id.push('-');
        }
        write!(id, "{byte:02x}").expect("a String takes every write");
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_from_text() {
        let id = from_text("{\"value\":\"198.51.100.3\"}");
        // From the examples of STIX 2.1 §6.4 (an IPv4 address).
        assert_eq!(id, "28bb3599-77cd-5a82-a950-b5bc3caf07c4");
        assert_ne!(from_text("a"), from_text("b"));
    }
}
