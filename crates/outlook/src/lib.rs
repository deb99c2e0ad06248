//! Outlook's messages, alone (`.msg`), as sent (`winmail.dat`) and in stores (`.pst`, `.ost`), as plain
//! data: a mail header, bodies, and attached files and messages.
//!
//! Most of these messages have their HTML only inside compressed RTF, so that is taken out of it.
//! A message has the same parts here as it would have in MIME, whatever it was stored in; a reader
//! of mail can go on with them as usual.
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
//! # Ok::<(), baseref_outlook::NoMessage>(())
//! ```
//!
//! Input is hostile: nothing panics, and what is read takes time and memory linear in the size of
//! the input. What is missing, by damage or by a limit, is among [`Message::problems`].
//!
//! Outside baseref it serves readers of mail that know MIME alone and are given what Outlook saves or
//! attaches.
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

pub use self::limits::{Limits, NoMessage};
pub use self::message::{Attachment, Body, BodyKind, Content, Message, Problem, ProblemKind};
pub use self::msg::{is_msg, read_msg};
pub use self::pst::{Entry, PST, Pst, PstError, StoredMessage};
pub use self::tnef::read_tnef;

/// How every compound file begins, `.msg` among them ([MS-CFB] §2.2).
pub const COMPOUND_FILE: [u8; 8] = compound::MAGIC;

/// How a stream of TNEF begins ([MS-OXTNEF] §2.1.3.1).
pub const TNEF: [u8; 4] = tnef::SIGNATURE;
