//! Messages sent as TNEF, usually named `winmail.dat` ([MS-OXTNEF]).

use crate::limits::{Limits, MessageError};
use crate::message::{Attachment, Content, Message, MessageParts, Problem, ProblemKind};
use crate::property::{Properties, id, kind};

/// The first bytes of a stream (§2.1.3.1).
pub const SIGNATURE: [u8; 4] = *b"\x78\x9F\x3E\x22";

/// The attributes that are read (§2.1.2), without their types.
mod attribute {
    pub const FROM: u16 = 0x8000;
    pub const SUBJECT: u16 = 0x8004;
    pub const MESSAGE_ID: u16 = 0x8009;
    pub const BODY: u16 = 0x800C;
    pub const ATTACH_DATA: u16 = 0x800F;
    pub const ATTACH_TITLE: u16 = 0x8010;
    pub const ATTACH_REND_DATA: u16 = 0x9002;
    pub const PROPERTIES: u16 = 0x9003;
    pub const RECIPIENTS: u16 = 0x9004;
    pub const ATTACHMENT: u16 = 0x9005;
    pub const OEM_CODE_PAGE: u16 = 0x9007;
}

/// The interface id that precedes an attached message (§2.1.3.5.1).
const MESSAGE: [u8; 16] = *b"\x07\x03\x02\x00\x00\x00\x00\x00\xC0\x00\x00\x00\x00\x00\x00\x46";

/// Reads a TNEF stream.
///
/// # Errors
/// If it does not begin with the signature of one (MS-OXTNEF §2.1.3.1).
pub fn read_tnef(bytes: &[u8], limits: &Limits) -> Result<Message, MessageError> {
    read(bytes, limits, None, 0)
}

/// Reads a stream at a depth of `depth`. [`Limits::depth`] bounds the recursion.
fn read(
    bytes: &[u8],
    limits: &Limits,
    code_page: Option<u32>,
    depth: usize,
) -> Result<Message, MessageError> {
    let Some(rest) = bytes.strip_prefix(&SIGNATURE) else {
        return Err(MessageError::NotOutlook);
    };
    // A key follows, which links attachments to positions in the text.
    let mut input = Input::new(rest.get(2..).unwrap_or_default());
    let mut reading = TnefReader {
        limits,
        depth,
        message: MessageParts::default(),
        attached: None,
        object: None,
        wrong_sums: 0,
    };
    reading.message.properties.code_page = code_page;
    if input.rest.is_empty() {
        // Its version and code page are required (§2.1.3.1).
        let problem = Problem::new(ProblemKind::Damaged, "the TNEF has no attributes");
        reading.message.problems.push(problem);
    }
    while let Some(attribute) = input.attribute() {
        match attribute {
            Ok(attribute) => reading.attribute(&attribute),
            Err(what) => {
                let problem = Problem::new(ProblemKind::Damaged, what);
                reading.message.problems.push(problem);
                break;
            }
        }
    }
    Ok(reading.end())
}

/// A cursor over the input.
#[derive(Clone, Copy)]
struct Input<'i> {
    rest: &'i [u8],
    /// The attached object among the properties read last, borrowed: nested messages would otherwise be copied
    /// at every level.
    object: Option<&'i [u8]>,
}

/// An attribute of a message or of an attachment.
struct Attribute<'a> {
    id: u16,
    data: &'a [u8],
    is_sound: bool,
}

impl<'i> Input<'i> {
    fn new(rest: &'i [u8]) -> Self {
        Self { rest, object: None }
    }

    fn take(&mut self, length: usize) -> Option<&'i [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = self.take(4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn short(&mut self) -> Option<u16> {
        let bytes = self.take(2)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// Takes bytes, and the padding up to a multiple of four.
    fn padded(&mut self, length: usize) -> Option<&'i [u8]> {
        let taken = self.take(length)?;
        let padding = length.wrapping_neg() % 4;
        self.take(padding.min(self.rest.len()))?;
        Some(taken)
    }

    /// The next attribute (§2.1.3.2); an error if it is cut off or has no valid level, `None` at the end. What
    /// follows a zero or a line end is not part of the stream, unless it is an attribute with its checksum.
    fn attribute(&mut self) -> Option<Result<Attribute<'i>, &'static str>> {
        let level = *self.take(1)?.first()?;
        if !matches!(level, 1 | 2) {
            let is_attribute = |attribute: Attribute<'_>| attribute.is_sound;
            let is_end = matches!(level, 0 | b'\r' | b'\n');
            let is_lost = !is_end || self.rest_of_attribute().is_some_and(is_attribute);
            let what = "the TNEF has an attribute of no known level: the rest is not read";
            return is_lost.then_some(Err(what));
        }
        Some(self.rest_of_attribute().ok_or("the TNEF is cut off"))
    }

    fn rest_of_attribute(&mut self) -> Option<Attribute<'i>> {
        let id = self.short()?;
        self.short()?;
        let size = self.size()?;
        let data = self.take(size)?;
        let sum = data
            .iter()
            .fold(0_u16, |sum, byte| sum.wrapping_add(u16::from(*byte)));
        // Many streams end without the last checksum.
        let is_sound = self.short().is_none_or(|stored| stored == sum);
        Some(Attribute { id, data, is_sound })
    }

    /// Reads the properties of an object (§2.1.3.4) as far as possible; `false` if some are missing.
    fn properties(&mut self, properties: &mut Properties) -> bool {
        let Some(count) = self.number() else {
            return false;
        };
        (0..count).all(|_| self.property(properties).is_some())
    }

    fn property(&mut self, properties: &mut Properties) -> Option<()> {
        const MULTIPLE: u16 = 0x1000;
        const NAMED: u16 = 0x8000;
        let kind = self.short()?;
        let id = self.short()?;
        if id >= NAMED {
            self.name()?;
        }
        let single = kind & !MULTIPLE;
        let is_one = kind == single && id < NAMED;
        if let Some(size) = short_size(single) {
            let count = if kind == single { 1 } else { self.number()? };
            for _ in 0..count {
                let bytes = self.padded(size)?;
                let value = bytes.iter().take(8).rev();
                let value = value.fold(0, |value, byte| value << 8 | u64::from(*byte));
                if is_one {
                    properties.put_short(id, value);
                }
            }
            return Some(());
        }
        for _ in 0..self.number()? {
            let size = self.size()?;
            let value = self.padded(size)?;
            if is_one && id == id::ATTACH_DATA && single == kind::OBJECT {
                self.object = Some(value);
            } else if is_one && id::is_read(id) {
                properties.put_long(id, single, value.to_vec());
            }
        }
        Some(())
    }

    /// Skips the name of a property: a set, and a number or a string.
    fn name(&mut self) -> Option<()> {
        self.take(16)?;
        if self.number()? == 0 {
            self.number()?;
        } else {
            let size = self.size()?;
            self.padded(size)?;
        }
        Some(())
    }
}

/// The size of values of a type ([MS-OXCDATA] §2.11.1); `None` if it varies.
fn short_size(kind: u16) -> Option<usize> {
    Some(match kind {
        0x0002 | kind::INTEGER | 0x0004 | 0x000A | kind::BOOLEAN => 4,
        0x0005..=0x0007 | 0x0014 | kind::TIME => 8,
        0x0048 => 16,
        0x0000 | 0x0001 => 0,
        _ => return None,
    })
}

struct TnefReader<'r> {
    limits: &'r Limits,
    depth: usize,
    message: MessageParts,
    /// The attachment being read.
    attached: Option<Properties>,
    /// The attached object that is its content.
    object: Option<&'r [u8]>,
    /// The number of attributes that do not match their checksums.
    wrong_sums: usize,
}

impl<'r> TnefReader<'r> {
    fn attribute(&mut self, attribute: &Attribute<'r>) {
        self.wrong_sums += usize::from(!attribute.is_sound);
        let data = attribute.data;
        let text = |properties: &mut Properties, id| {
            properties.put_long(id, kind::STRING_8, data.to_vec());
        };
        let message = &mut self.message.properties;
        match attribute.id {
            attribute::OEM_CODE_PAGE => {
                let page = Input::new(data).number();
                message.code_page = page.filter(|page| *page != 0).or(message.code_page);
            }
            attribute::FROM => from(data, message),
            attribute::SUBJECT => text(message, id::SUBJECT),
            attribute::MESSAGE_ID => text(message, id::MESSAGE_ID),
            attribute::BODY => text(message, id::BODY),
            attribute::PROPERTIES => {
                let is_whole = Input::new(data).properties(&mut self.message.properties);
                self.report_loss(is_whole);
            }
            attribute::RECIPIENTS => self.recipients(data),
            attribute::ATTACH_REND_DATA => {
                self.close();
                self.attached = Some(Properties::default());
            }
            attribute::ATTACH_TITLE => text(self.attached(), id::ATTACH_NAME),
            attribute::ATTACH_DATA => {
                self.attached()
                    .put_long(id::ATTACH_DATA, kind::BINARY, data.to_vec());
            }
            attribute::ATTACHMENT => {
                let mut input = Input::new(data);
                let is_whole = input.properties(self.attached());
                self.object = input.object.or(self.object);
                self.report_loss(is_whole);
            }
            _ => {}
        }
    }

    fn attached(&mut self) -> &mut Properties {
        self.attached.get_or_insert_default()
    }

    fn report_loss(&mut self, is_whole: bool) {
        if !is_whole {
            let what = "properties in the TNEF are cut off";
            let problem = Problem::new(ProblemKind::Damaged, what);
            self.message.problems.push(problem);
        }
    }

    /// Reads the table of recipients, with one row of properties each (§2.1.3.5).
    fn recipients(&mut self, data: &[u8]) {
        let mut input = Input::new(data);
        for _ in 0..input.number().unwrap_or(0) {
            let mut recipient = Properties::default();
            recipient.code_page = self.message.properties.code_page;
            let is_whole = input.properties(&mut recipient);
            self.message.recipients.push(recipient);
            self.report_loss(is_whole);
            if !is_whole {
                break;
            }
        }
    }

    /// Finishes the current attachment.
    fn close(&mut self) {
        let Some(mut properties) = self.attached.take() else {
            return;
        };
        properties.code_page = self.message.properties.code_page;
        let object = self.object.take();
        let object = object.and_then(|object| object.strip_prefix(&MESSAGE));
        let content = match object {
            Some(_) if self.depth >= self.limits.depth => {
                self.message.problems.push(Problem::too_deep(self.limits));
                Content::Other
            }
            Some(stream) => {
                let inner = read(stream, self.limits, properties.code_page, self.depth + 1);
                self.report_loss(inner.is_ok());
                inner.map_or(Content::Other, |message| {
                    Content::Message(Box::new(message))
                })
            }
            None => Content::from_properties(&mut properties),
        };
        self.message
            .attachments
            .push(Attachment::new(&properties, content));
    }

    fn end(mut self) -> Message {
        self.close();
        if self.wrong_sums > 0 {
            let what = format!(
                "attributes of the TNEF do not match their checksums: {}",
                self.wrong_sums
            );
            self.message
                .problems
                .push(Problem::new(ProblemKind::Checksum, what));
        }
        let properties = &mut self.message.properties;
        let page = properties.integer(id::MESSAGE_CODE_PAGE);
        properties.code_page = properties.code_page.or(page);
        self.message.into_message()
    }
}

/// Reads the sender (§2.1.3.4.1): four sizes, then a name and an address with its type.
fn from(data: &[u8], properties: &mut Properties) {
    let mut input = Input::new(data);
    let mut read = || {
        input.take(4)?;
        let name = usize::from(input.short()?);
        let address = usize::from(input.short()?);
        Some((input.take(name)?, input.take(address)?))
    };
    let Some((name, address)) = read() else {
        return;
    };
    let address = match address.iter().position(|byte| *byte == b':') {
        Some(colon) => &address[colon + 1..],
        None => address,
    };
    properties.put_long(id::SENDER_NAME, kind::STRING_8, name.to_vec());
    properties.put_long(id::SENDER_ADDRESS, kind::STRING_8, address.to_vec());
}
