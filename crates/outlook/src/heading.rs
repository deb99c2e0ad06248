//! The header of a message: its transport headers, completed by its properties.

use crate::property::{Properties, id};
use crate::time;

/// Fields that describe the MIME form of the body, which is not kept.
const MIME_FIELDS: [&str; 7] = [
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
    "Content-ID",
    "Content-Description",
    "Content-Length",
    "MIME-Version",
];

/// Builds the header of a message from its properties and recipients.
pub fn build(properties: &Properties, recipients: &[Properties]) -> String {
    let transported = properties.text(id::TRANSPORT_HEADERS);
    let mut header = transported
        .map(|text| without_mime_fields(&text))
        .unwrap_or_default();
    for (name, value) in from_properties(properties, recipients) {
        if let Some(value) = value
            && !has(&header, name)
        {
            push(&mut header, name, &value);
        }
    }
    header
}

/// The transport headers without [`MIME_FIELDS`], and without the headers of parts, which some programs
/// append.
fn without_mime_fields(text: &str) -> String {
    let mut header = String::with_capacity(text.len());
    let mut is_kept = false;
    for line in text.lines() {
        let is_folded = line.starts_with([' ', '\t']);
        if line.trim().is_empty() || line.starts_with("--") {
            // Some begin with a blank line.
            if header.is_empty() {
                continue;
            }
            break;
        }
        if !is_folded {
            let name = line.split(':').next().unwrap_or_default().trim_end();
            let is_field = line.contains(':') && !name.is_empty();
            let is_mime_field = MIME_FIELDS
                .iter()
                .any(|other| name.eq_ignore_ascii_case(other));
            // `Microsoft Mail Internet Headers Version 2.0` is a line of its own.
            is_kept = is_field && !is_mime_field;
        }
        if is_kept {
            header.push_str(line);
            header.push_str("\r\n");
        }
    }
    header
}

/// Whether a header has a field with this name.
fn has(header: &str, name: &str) -> bool {
    header.lines().any(|line| {
        let field = line.split(':').next().unwrap_or_default();
        field.trim_end().eq_ignore_ascii_case(name)
    })
}

fn push(header: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    let value = value.trim();
    if !value.is_empty() {
        header.push_str(name);
        header.push_str(": ");
        header.push_str(value);
        header.push_str("\r\n");
    }
}

/// The fields that the properties give.
fn from_properties(
    properties: &Properties,
    recipients: &[Properties],
) -> [(&'static str, Option<String>); 12] {
    let text = |id| properties.text(id);
    let from = address(
        text(id::REPRESENTING_NAME).or_else(|| text(id::SENDER_NAME)),
        text(id::REPRESENTING_SMTP_ADDRESS)
            .or_else(|| text(id::SENDER_SMTP_ADDRESS))
            .or_else(|| text(id::REPRESENTING_ADDRESS))
            .or_else(|| text(id::SENDER_ADDRESS)),
    );
    let time = properties
        .time(id::SUBMIT_TIME)
        .or_else(|| properties.time(id::DELIVERY_TIME));
    let to = |kind, names| list(recipients, kind).or_else(|| text(names));
    [
        ("From", from),
        ("To", to(1, id::DISPLAY_TO)),
        ("Cc", to(2, id::DISPLAY_CC)),
        ("Bcc", to(3, id::DISPLAY_BCC)),
        ("Subject", text(id::SUBJECT)),
        ("Date", time.and_then(time::rfc_5322)),
        ("Message-ID", text(id::MESSAGE_ID)),
        ("In-Reply-To", text(id::IN_REPLY_TO)),
        ("References", text(id::REFERENCES)),
        ("List-Help", text(id::LIST_HELP)),
        ("List-Subscribe", text(id::LIST_SUBSCRIBE)),
        ("List-Unsubscribe", text(id::LIST_UNSUBSCRIBE)),
    ]
}

/// The recipients of one kind: 1 for `To`, 2 for `Cc`, 3 for `Bcc`.
fn list(recipients: &[Properties], kind: u32) -> Option<String> {
    let addresses: Vec<String> = recipients
        .iter()
        .filter(|recipient| recipient.integer(id::RECIPIENT_TYPE) == Some(kind))
        .filter_map(|recipient| {
            address(
                recipient.text(id::DISPLAY_NAME),
                recipient
                    .text(id::SMTP_ADDRESS)
                    .or_else(|| recipient.text(id::ADDRESS)),
            )
        })
        .collect();
    (!addresses.is_empty()).then(|| addresses.join(", "))
}

/// A mailbox (RFC 5322 §3.4).
fn address(name: Option<String>, address: Option<String>) -> Option<String> {
    match (name, address) {
        (Some(name), Some(address)) if name.trim_matches('\'') != address => {
            Some(format!("{} <{address}>", phrase(&name)))
        }
        (_, Some(address)) => Some(address),
        (Some(name), None) => Some(phrase(&name)),
        (None, None) => None,
    }
}

/// A name, quoted if necessary.
fn phrase(name: &str) -> String {
    let is_special = |character| "()<>[]:;@\\,.\"".contains(character);
    if !name.contains(is_special) {
        return name.to_owned();
    }
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::kind::STRING_8;

    fn properties(values: &[(u16, &str)]) -> Properties {
        let mut properties = Properties::default();
        for (id, value) in values {
            properties.put_long(*id, STRING_8, value.as_bytes().to_vec());
        }
        properties
    }

    #[test]
    fn transport_headers_without_mime_fields() {
        let header = "Microsoft Mail Internet Headers Version 2.0\r\n\
            Received: by a;\r\n\tdate\r\nContent-Type: multipart/mixed;\r\n boundary=b\r\n\
            Subject: a\r\nBase: <URL:http://a.test/>\r\nMIME-Version: 1.0\r\n\r\n\
            --b\r\nContent-Type: text/html\r\nX: y\r\n";
        let made = build(
            &properties(&[
                (id::TRANSPORT_HEADERS, header),
                (id::SUBJECT, "other"),
                (id::MESSAGE_ID, "<i@a.test>"),
            ]),
            &[],
        );
        assert_eq!(
            made,
            "Received: by a;\r\n\tdate\r\nSubject: a\r\nBase: <URL:http://a.test/>\r\n\
             Message-ID: <i@a.test>\r\n"
        );
    }

    #[test]
    fn header_from_properties_alone() {
        let mut message = properties(&[
            (id::SENDER_NAME, "Doe, Jo \"J\""),
            (id::SENDER_ADDRESS, "/O=A/CN=JO"),
            (id::SENDER_SMTP_ADDRESS, "jo@a.test"),
            (id::SUBJECT, "a\r\nBase: <URL:http://evil.test/>"),
            (id::DISPLAY_CC, "Kim"),
            (id::LIST_UNSUBSCRIBE, "<http://a.test/u>"),
        ]);
        message.put_short(id::SUBMIT_TIME, 116_444_736_000_000_000);
        let mut recipient =
            properties(&[(id::DISPLAY_NAME, "x@b.test"), (id::ADDRESS, "x@b.test")]);
        recipient.put_short(id::RECIPIENT_TYPE, 1);
        let mut other = properties(&[(id::DISPLAY_NAME, "Al"), (id::SMTP_ADDRESS, "al@b.test")]);
        other.put_short(id::RECIPIENT_TYPE, 1);
        assert_eq!(
            build(&message, &[recipient, other]),
            "From: \"Doe, Jo \\\"J\\\"\" <jo@a.test>\r\nTo: x@b.test, Al <al@b.test>\r\nCc: Kim\r\n\
             Subject: a  Base: <URL:http://evil.test/>\r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\n\
             List-Unsubscribe: <http://a.test/u>\r\n"
        );
    }
}
