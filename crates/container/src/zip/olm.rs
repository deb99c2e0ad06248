//! The messages in an archive of Outlook for Mac (`.olm`): members in XML, with their attached files in
//! others. No specification is published.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::mail::mime::{self, Header, Part};
use baseref_text::decode::sniff::{is_heading, is_html, skip_white_space};
use baseref_text::header::field::quoted;

/// What the path of a member with messages contains.
const MESSAGES: &str = "com.microsoft.__Messages/";

/// What the path of an attached file contains.
const ATTACHMENTS: &str = "com.microsoft.__Attachments/";

/// What a member of an archive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Messages.
    Messages,
    /// A file attached to a message.
    Attachment,
    /// Contacts, for example.
    Other,
}

impl Kind {
    /// What a member of that path is.
    pub fn from_path(path: &str) -> Self {
        if path.contains(ATTACHMENTS) {
            return Self::Attachment;
        }
        let has_xml = path
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("xml"));
        if has_xml && path.contains(MESSAGES) {
            return Self::Messages;
        }
        Self::Other
    }
}

/// Whether a member of that path shows that the archive is one of Outlook for Mac.
pub(super) fn is_of_olm(path: &str) -> bool {
    path.contains(MESSAGES)
}

/// A message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Email {
    from: Vec<String>,
    to: Vec<String>,
    cc: Vec<String>,
    subject: String,
    message_id: String,
    time: String,
    text: String,
    html: String,
    /// The message as it was received, or its header.
    source: String,
    pub files: Vec<File>,
}

/// A file attached to a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct File {
    /// The path of the member that it is in; empty if it is in none.
    pub path: String,
    pub name: String,
    pub media_type: String,
    pub content_id: String,
}

/// The messages of a member, and what is wrong if they cannot be read to the end.
pub(super) fn emails(xml: &[u8]) -> (Vec<Email>, Option<String>) {
    let xml = String::from_utf8_lossy(xml.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(xml));
    let mut reader = Reader::from_str(&xml);
    reader.config_mut().check_end_names = false;
    let mut emails = Vec::new();
    let mut current: Option<Email> = None;
    // The list that addresses belong to.
    let mut list = String::new();
    let fault = loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => break Some(format!("the XML cannot be read to its end: {error}")),
        };
        match event {
            Event::Eof if current.is_some() => break Some("the XML is cut off".to_owned()),
            Event::Eof => break None,
            Event::End(end) if end.local_name().as_ref() == "email" => {
                emails.extend(current.take());
            }
            Event::Start(start) | Event::Empty(start) if start.local_name().as_ref() == "email" => {
                emails.extend(current.replace(Email::default()));
            }
            Event::Empty(element) => {
                if let Some(email) = &mut current {
                    email.add_element(&element, &list);
                }
            }
            Event::Start(element) => {
                let Some(email) = &mut current else { continue };
                let name = element.local_name().as_ref().to_owned();
                if name.ends_with("Addresses") || name.ends_with("SenderAddress") {
                    list.clone_from(&name);
                }
                email.add_element(&element, &list);
                let Some(field) = email.field(&name, &list) else {
                    continue;
                };
                match reader.read_text(element.name()) {
                    Ok(raw) => *field = content(&raw),
                    Err(error) => {
                        break Some(format!("the XML cannot be read to its end: {error}"));
                    }
                }
            }
            _ => {}
        }
    };
    emails.extend(current);
    (emails, fault)
}

/// The content of an element: its text or, where a writer did not escape the HTML in it, its markup.
fn content(raw: &str) -> String {
    if let Some(data) = raw.trim().strip_prefix("<![CDATA[") {
        return data.strip_suffix("]]>").unwrap_or(data).to_owned();
    }
    if raw.contains('<') {
        return raw.to_owned();
    }
    match quick_xml::escape::unescape(raw) {
        Ok(text) => text.into_owned(),
        Err(_) => raw.to_owned(),
    }
}

impl Email {
    /// The field that an element fills with its text.
    fn field(&mut self, name: &str, list: &str) -> Option<&mut String> {
        Some(match name {
            "OPFMessageCopySubject" => &mut self.subject,
            "OPFMessageCopyMessageID" => &mut self.message_id,
            "OPFMessageCopySentTime" => &mut self.time,
            "OPFMessageCopyReceivedTime" if self.time.is_empty() => &mut self.time,
            "OPFMessageCopyBody" => &mut self.text,
            "OPFMessageCopyHTMLBody" => &mut self.html,
            "OPFMessageCopySource" => &mut self.source,
            "OPFMessageCopyMeetingData" => {
                self.files.push(File {
                    media_type: "text/calendar".to_owned(),
                    ..File::default()
                });
                &mut self.files.last_mut()?.path
            }
            "OPFContactEmailAddressAddress" => {
                let addresses = self.addresses(list)?;
                addresses.push(String::new());
                addresses.last_mut()?
            }
            _ => return None,
        })
    }

    fn addresses(&mut self, list: &str) -> Option<&mut Vec<String>> {
        Some(match list {
            "OPFMessageCopyFromAddresses" => &mut self.from,
            "OPFMessageCopySenderAddress" if self.from.is_empty() => &mut self.from,
            "OPFMessageCopyToAddresses" => &mut self.to,
            "OPFMessageCopyCCAddresses" => &mut self.cc,
            _ => return None,
        })
    }

    /// Adds what the attributes of an element say: an address, or an attached file.
    fn add_element(&mut self, element: &BytesStart<'_>, list: &str) {
        let value = |wanted: &str| {
            let mut attributes = element.attributes().flatten();
            let found = attributes.find(|one| one.key.local_name().as_ref() == wanted)?;
            let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some(value.into_owned())
        };
        match element.local_name().as_ref() {
            "emailAddress" => {
                let Some(address) = value("OPFContactEmailAddressAddress") else {
                    return;
                };
                let name = value("OPFContactEmailAddressName").unwrap_or_default();
                let whole = if name.is_empty() || name == address {
                    address
                } else {
                    format!("{} <{address}>", quoted(&name))
                };
                if let Some(addresses) = self.addresses(list) {
                    addresses.push(whole);
                }
            }
            "messageAttachment" => self.files.push(File {
                path: value("OPFAttachmentURL").unwrap_or_default(),
                name: value("OPFAttachmentName").unwrap_or_default(),
                media_type: value("OPFAttachmentContentType").unwrap_or_default(),
                content_id: value("OPFAttachmentContentID").unwrap_or_default(),
            }),
            _ => {}
        }
    }

    /// The message with these attached files; as it was received, if the archive has only that.
    pub fn into_message(self, files: Vec<Part>) -> Message {
        let header = self.header();
        let Self {
            text, html, source, ..
        } = self;
        if text.is_empty() && html.is_empty() && files.is_empty() && !source.is_empty() {
            return Message::Received(source.into_bytes());
        }
        let is_page = |text: &str| is_html(skip_white_space(text.as_bytes()));
        let mut bodies = Vec::new();
        // Outlook often stores the HTML as text, too.
        let is_repeated = text.trim() == html.trim() || is_page(&text) && !html.is_empty();
        if !text.is_empty() && !is_repeated {
            let is_html = html.is_empty() && is_page(&text);
            let media_type = if is_html { "text/html" } else { "text/plain" };
            bodies.push(Part::text(media_type, text));
        }
        if !html.is_empty() {
            bodies.push(Part::text("text/html", html));
        }
        Message::Parts(Part::with_bodies(header, bodies, files))
    }

    fn header(&self) -> Header {
        let mut header = Header::default();
        let mut sent = Vec::new();
        for (name, value) in fields(&self.source) {
            sent.push(name);
            header.push_stored(name, &value);
        }
        let date = mime::date(&self.time).unwrap_or_default();
        let id = self.message_id.trim_matches(['<', '>', ' ']);
        let id = if id.is_empty() {
            String::new()
        } else {
            format!("<{id}>")
        };
        for (name, value) in [
            ("From", &self.from.join(", ")),
            ("To", &self.to.join(", ")),
            ("Cc", &self.cc.join(", ")),
            ("Subject", &self.subject),
            ("Date", &date),
            ("Message-ID", &id),
        ] {
            if !value.is_empty() && !sent.iter().any(|own| own.eq_ignore_ascii_case(name)) {
                header.push(name, value);
            }
        }
        header
    }
}

/// A message of an archive.
#[derive(Debug)]
pub(super) enum Message {
    Parts(Part),
    Received(Vec<u8>),
}

/// The fields of the header that a message begins with, unfolded; none if it begins with none.
fn fields(source: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    if !is_heading(source.as_bytes()) {
        return fields;
    }
    for line in source.lines() {
        let continues = line.starts_with([' ', '\t']);
        match (line.split_once(':'), fields.last_mut()) {
            _ if line.is_empty() => break,
            (_, Some((_, value))) if continues => value.push_str(line),
            (Some((name, value)), _) => fields.push((name, value.trim().to_owned())),
            _ => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_members() {
        for (path, kind) in [
            (
                "Accounts/a/com.microsoft.__Messages/In/message_1.xml",
                Kind::Messages,
            ),
            (
                "Local/com.microsoft.__Messages/In/com.microsoft.__Attachments/x.xml",
                Kind::Attachment,
            ),
            (
                "Accounts/a/com.microsoft.__Attachments/m/x.html",
                Kind::Attachment,
            ),
            ("Local/Contacts.xml", Kind::Other),
        ] {
            assert_eq!(Kind::from_path(path), kind, "{path}");
        }
    }

    #[test]
    fn fields_of_a_message() {
        let xml = br#"<emails><email><OPFMessageCopyBody>a &lt; b</OPFMessageCopyBody>
            <OPFMessageCopyHTMLBody><p>x<br/></p></OPFMessageCopyHTMLBody>
            <OPFMessageCopyFromAddresses>
              <emailAddress OPFContactEmailAddressAddress="a@b.test" OPFContactEmailAddressName="A"/>
            </OPFMessageCopyFromAddresses>
            <OPFMessageCopyToAddresses><emailAddress>
              <OPFContactEmailAddressAddress>c@d.test</OPFContactEmailAddressAddress>
            </emailAddress></OPFMessageCopyToAddresses>
            <OPFMessageCopyAttachmentList>
              <messageAttachment OPFAttachmentURL="p" OPFAttachmentName="n" OPFAttachmentContentID="i"/>
            </OPFMessageCopyAttachmentList>
            <OPFMessageCopyMeetingData>q.ics</OPFMessageCopyMeetingData></email>
            <email><OPFMessageCopySource><![CDATA[Subject: s

            <p>]]></OPFMessageCopySource></email>"#;
        let (emails, fault) = emails(xml);
        assert_eq!(fault, None);
        let [first, second] = &emails[..] else {
            panic!("{emails:?}");
        };
        assert_eq!((&*first.text, &*first.html), ("a < b", "<p>x<br/></p>"));
        assert_eq!(first.from, ["\"A\" <a@b.test>"]);
        assert_eq!(first.to, ["c@d.test"]);
        let files: Vec<_> = first.files.iter().map(|file| &*file.path).collect();
        assert_eq!(files, ["p", "q.ics"]);
        assert!(second.source.starts_with("Subject: s\n\n"));
    }

    #[test]
    fn every_cut_gives_a_part() {
        let xml = "<emails><email><OPFMessageCopySubject>s</OPFMessageCopySubject>\
            <OPFMessageCopyHTMLBody>&lt;p></OPFMessageCopyHTMLBody></email></emails>";
        for end in 0..xml.len() {
            let (found, fault) = emails(&xml.as_bytes()[..end]);
            assert!(found.len() <= 1, "{end}");
            let is_whole = found.first().is_some_and(|email| email.html == "<p>");
            assert!(is_whole || fault.is_some() || found.is_empty(), "{end}");
        }
    }
}
