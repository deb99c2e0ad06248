//! The list of encrypted members in an EPUB (EPUB 3.3 §4.2.6.3.2).

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use quick_xml::XmlVersion;
use quick_xml::events::Event;

/// The name of the member with the list.
pub(super) const LIST: &str = "META-INF/encryption.xml";

/// The names of the members in the list, up to the first malformed XML. References are relative to
/// the root of the container (§4.2.6.2).
pub(super) fn members(list: &[u8]) -> BTreeSet<String> {
    let mut members = BTreeSet::new();
    let mut reader = quick_xml::Reader::from_reader(list);
    while let Ok(event) = reader.read_event() {
        let element = match event {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => element,
            _ => continue,
        };
        if element.local_name().as_ref() != "CipherReference" {
            continue;
        }
        let mut attributes = element.attributes().flatten();
        let uri = attributes.find(|attribute| attribute.key.local_name().as_ref() == "URI");
        let uri = uri.and_then(|uri| {
            Some(
                uri.normalized_value(XmlVersion::Implicit1_0)
                    .ok()?
                    .into_owned(),
            )
        });
        if let Some(uri) = uri {
            let name = percent_decode_str(uri.trim_start_matches('/')).decode_utf8_lossy();
            members.insert(name.into_owned());
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_relative_to_the_container_root() {
        let list = br#"<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"
            xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
            <enc:EncryptedData><enc:CipherData>
              <enc:CipherReference URI="OEBPS/a%20b.xhtml"/>
            </enc:CipherData></enc:EncryptedData>
            <enc:CipherReference URI="/fonts/x.otf"></enc:CipherReference>
            <enc:CipherReference"#;
        let found: Vec<String> = members(list).into_iter().collect();
        assert_eq!(found, ["OEBPS/a b.xhtml", "fonts/x.otf"]);
    }
}
