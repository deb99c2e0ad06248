//! Outlook's messages, alone (`.msg`), as sent (`winmail.dat`) and in stores (`.pst`, `.ost`), as plain
//! data: a mail header, bodies, and attached files and messages.
//!
//! Most of these messages have their HTML only inside compressed RTF, from which it is extracted. In every
//! format a message has the parts that it would have in MIME.
//!
//! ```
//! // A stream of TNEF: its signature, a key, and an attribute with the body.
//! let body = b"See http://a.test/";
//! let mut stream = b"\x78\x9F\x3E\x22\x01\x00\x01\x0C\x80\x02\x00\x12\x00\x00\x00".to_vec();
//! stream.extend(body);
//! stream.extend(body.iter().map(|byte| u16::from(*byte)).sum::<u16>().to_le_bytes());
//!
//! let message = baseref_outlook::read_tnef(&stream, &Default::default())?;
//! assert_eq!(message.bodies[0].bytes, body);
//! # Ok::<(), baseref_outlook::MessageError>(())
//! ```
//!
//! Input is hostile: nothing panics, and time and memory are linear in the size of the input. Parts that are
//! missing because of damage or a limit are listed in [`Message::problems`].
//!
//! Outside baseref it is useful to mail readers that support only MIME.
//!
//! # What it does not do
//!
//! It reads no OST of Outlook 2013 or later, decrypts nothing, writes nothing, and knows nothing of
//! appointments, contacts and tasks beyond their text.

mod code_page;
mod compound;
mod crc;
mod heading;
mod limits;
mod message;
mod msg;
mod property;
mod pst;
mod rtf;
mod time;
mod tnef;

pub use self::limits::{Limits, MessageError};
pub use self::message::{Attachment, Body, BodyKind, Content, Message, Problem, ProblemKind};
pub use self::msg::{is_msg, read_msg};
pub use self::pst::{Entry, PST, Pst, PstError, StoredMessage};
pub use self::tnef::read_tnef;

/// The first bytes of a compound file, such as a `.msg` ([MS-CFB] §2.2).
pub const COMPOUND_FILE: [u8; 8] = compound::MAGIC;

/// The first bytes of a TNEF stream ([MS-OXTNEF] §2.1.3.1).
pub const TNEF: [u8; 4] = tnef::SIGNATURE;
