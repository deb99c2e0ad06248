//! Properties of messages, recipients and attachments ([MS-OXPROPS]), in all formats.

use std::collections::BTreeMap;

use encoding_rs::UTF_16LE;

use crate::code_page;

/// The types of values that are read ([MS-OXCDATA] §2.11.1).
pub mod kind {
    pub const INTEGER: u16 = 0x0003;
    pub const BOOLEAN: u16 = 0x000B;
    pub const OBJECT: u16 = 0x000D;
    pub const STRING_8: u16 = 0x001E;
    pub const STRING: u16 = 0x001F;
    pub const TIME: u16 = 0x0040;
    pub const BINARY: u16 = 0x0102;
}

/// The ids of the properties that are read.
pub mod id {
    pub const CLASS: u16 = 0x001A;
    pub const SUBJECT: u16 = 0x0037;
    pub const SUBMIT_TIME: u16 = 0x0039;
    pub const REPRESENTING_NAME: u16 = 0x0042;
    pub const REPRESENTING_ADDRESS: u16 = 0x0065;
    pub const TRANSPORT_HEADERS: u16 = 0x007D;
    pub const SENDER_NAME: u16 = 0x0C1A;
    pub const SENDER_ADDRESS: u16 = 0x0C1F;
    pub const RECIPIENT_TYPE: u16 = 0x0C15;
    pub const DISPLAY_BCC: u16 = 0x0E02;
    pub const DISPLAY_CC: u16 = 0x0E03;
    pub const DISPLAY_TO: u16 = 0x0E04;
    pub const DELIVERY_TIME: u16 = 0x0E06;
    pub const BODY: u16 = 0x1000;
    pub const RTF: u16 = 0x1009;
    pub const HTML: u16 = 0x1013;
    pub const BODY_LOCATION: u16 = 0x1014;
    pub const MESSAGE_ID: u16 = 0x1035;
    pub const REFERENCES: u16 = 0x1039;
    pub const IN_REPLY_TO: u16 = 0x1042;
    pub const LIST_HELP: u16 = 0x1043;
    pub const LIST_SUBSCRIBE: u16 = 0x1044;
    pub const LIST_UNSUBSCRIBE: u16 = 0x1045;
    pub const DISPLAY_NAME: u16 = 0x3001;
    pub const ADDRESS: u16 = 0x3003;
    pub const TOP_FOLDER: u16 = 0x35E0;
    pub const SMTP_ADDRESS: u16 = 0x39FE;
    pub const ATTACH_DATA: u16 = 0x3701;
    pub const ATTACH_NAME: u16 = 0x3704;
    pub const ATTACH_METHOD: u16 = 0x3705;
    pub const ATTACH_LONG_NAME: u16 = 0x3707;
    pub const ATTACH_PATH: u16 = 0x3708;
    pub const ATTACH_LONG_PATH: u16 = 0x370D;
    pub const ATTACH_MEDIA_TYPE: u16 = 0x370E;
    pub const ATTACH_BASE: u16 = 0x3711;
    pub const ATTACH_CONTENT_ID: u16 = 0x3712;
    pub const ATTACH_LOCATION: u16 = 0x3713;
    pub const ATTACH_DISPOSITION: u16 = 0x3716;
    pub const INTERNET_CODE_PAGE: u16 = 0x3FDE;
    pub const LOCALE: u16 = 0x3FF1;
    pub const MESSAGE_CODE_PAGE: u16 = 0x3FFD;
    pub const SENDER_SMTP_ADDRESS: u16 = 0x5D01;
    pub const REPRESENTING_SMTP_ADDRESS: u16 = 0x5D02;

    /// Whether a value longer than eight bytes is read.
    pub fn is_read(id: u16) -> bool {
        const READ: [u16; 36] = [
            CLASS,
            SUBJECT,
            REPRESENTING_NAME,
            REPRESENTING_ADDRESS,
            TRANSPORT_HEADERS,
            SENDER_NAME,
            SENDER_ADDRESS,
            DISPLAY_BCC,
            DISPLAY_CC,
            DISPLAY_TO,
            BODY,
            RTF,
            HTML,
            BODY_LOCATION,
            MESSAGE_ID,
            REFERENCES,
            IN_REPLY_TO,
            LIST_HELP,
            LIST_SUBSCRIBE,
            LIST_UNSUBSCRIBE,
            DISPLAY_NAME,
            ADDRESS,
            TOP_FOLDER,
            SMTP_ADDRESS,
            ATTACH_DATA,
            ATTACH_NAME,
            ATTACH_LONG_NAME,
            ATTACH_PATH,
            ATTACH_LONG_PATH,
            ATTACH_MEDIA_TYPE,
            ATTACH_BASE,
            ATTACH_CONTENT_ID,
            ATTACH_LOCATION,
            ATTACH_DISPOSITION,
            SENDER_SMTP_ADDRESS,
            REPRESENTING_SMTP_ADDRESS,
        ];
        READ.contains(&id)
    }
}

/// The properties of one object.
#[derive(Debug, Default)]
pub struct Properties {
    /// Values of up to eight bytes.
    short: BTreeMap<u16, u64>,
    /// Longer values, with their types.
    long: BTreeMap<u16, (u16, Vec<u8>)>,
    /// The code page of strings that are not in Unicode.
    pub code_page: Option<u32>,
}

impl Properties {
    pub fn put_short(&mut self, id: u16, value: u64) {
        self.short.entry(id).or_insert(value);
    }

    /// Sets a value. A string in Unicode replaces one in a code page.
    pub fn put_long(&mut self, id: u16, kind: u16, value: Vec<u8>) {
        if kind == kind::STRING || !self.long.contains_key(&id) {
            self.long.insert(id, (kind, value));
        }
    }

    /// Sets the code page from the properties, if they give one.
    pub fn find_code_page(&mut self) {
        let number = |id| self.integer(id);
        let page = number(id::MESSAGE_CODE_PAGE)
            .or_else(|| number(id::INTERNET_CODE_PAGE).map(code_page::stored))
            .or_else(|| code_page::from_locale(number(id::LOCALE)?));
        self.code_page = page.or(self.code_page);
    }

    pub fn integer(&self, id: u16) -> Option<u32> {
        let value = self.short.get(&id)?;
        u32::try_from(value & u64::from(u32::MAX)).ok()
    }

    /// A time, in 100 ns since 1601.
    pub fn time(&self, id: u16) -> Option<u64> {
        self.short.get(&id).copied().filter(|time| *time != 0)
    }

    /// A value as stored, with its type.
    pub fn stored(&self, id: u16) -> Option<(u16, &[u8])> {
        let (kind, bytes) = self.long.get(&id)?;
        Some((*kind, bytes))
    }

    /// Takes a value as stored.
    pub fn take(&mut self, id: u16) -> Option<Vec<u8>> {
        self.long.remove(&id).map(|(_, bytes)| bytes)
    }

    /// A string, without trailing NULs; `None` if it is empty.
    pub fn text(&self, id: u16) -> Option<String> {
        let (kind, bytes) = self.stored(id)?;
        let text = match kind {
            kind::STRING => utf_16(bytes),
            kind::STRING_8 | kind::BINARY => code_page::decode(self.code_page, bytes),
            _ => return None,
        };
        let text = text.trim_end_matches('\0');
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Decodes UTF-16; an odd byte at the end is ignored.
pub fn utf_16(bytes: &[u8]) -> String {
    let even = bytes.len() - bytes.len() % 2;
    UTF_16LE
        .decode_without_bom_handling(&bytes[..even])
        .0
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_in_unicode_and_in_a_code_page() {
        let mut properties = Properties {
            code_page: Some(1251),
            ..Properties::default()
        };
        properties.put_long(id::SUBJECT, kind::STRING_8, b"\xE9\0".to_vec());
        assert_eq!(properties.text(id::SUBJECT).as_deref(), Some("й"));
        properties.put_long(id::SUBJECT, kind::STRING, b"a\0b\0\0\0c".to_vec());
        properties.put_long(id::SUBJECT, kind::STRING_8, b"x".to_vec());
        assert_eq!(properties.text(id::SUBJECT).as_deref(), Some("ab"));
        properties.put_long(id::BODY, kind::STRING, b"\x3D\xD8".to_vec());
        assert_eq!(properties.text(id::BODY).as_deref(), Some("\u{FFFD}"));
        assert_eq!(properties.text(id::HTML), None);
    }
}
