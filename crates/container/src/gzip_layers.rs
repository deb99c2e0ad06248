//! The content of a file that is compressed by gzip, once or several times over.

use std::io::{self, Read};
use std::sync::Arc;

use super::delivery::limit_reached;
use super::detect::HEAD;
use super::gzip::{Account, Gunzip, MAGIC, Members};
use super::input::Reader;
use super::nesting::Nesting;
use super::window::Window;
#[cfg(feature = "archives")]
use super::zstd::Unzstd;
use baseref_document::{Limits, Origin, ReadError, ReadErrorKind};

/// The decompressed content of a file.
pub(super) struct Packed {
    /// The content; its first bytes are in the window.
    pub window: Window<Reader>,
    /// Where its members begin; `None` if they are in other members.
    pub members: Option<Members>,
    /// The facts about each layer, the outermost first.
    pub layers: Vec<Account>,
    /// What was damaged before the first byte of the content.
    pub lost: Vec<io::Error>,
}

impl Packed {
    /// The content of the file in `window`, which begins as gzip does. As long as the content does
    /// so too, it is decompressed again: all of that within one limit, [`Limits::inflated`] and
    /// [`Limits::inflation`] times what was read of the file, and within [`Limits::nesting`].
    ///
    /// # Errors
    /// If there are more layers.
    pub fn open(
        window: Window<Reader>,
        name: &Arc<str>,
        limits: &Limits,
        nesting: &Nesting,
    ) -> Result<Self, ReadError> {
        let members = Members::default();
        let content = Gunzip::new(window).noting(members.clone());
        let outermost = content.account();
        let mut packed = Self {
            window: windowed(nesting.unpacked(content)),
            members: Some(members),
            layers: vec![outermost.clone()],
            lost: Vec::new(),
        };
        while packed.first().starts_with(MAGIC) {
            if packed.layers.len() >= limits.nesting {
                let reason = format!(
                    "is compressed more than {} times over and is not read",
                    limits.nesting
                );
                let origin = Origin::of_input(Arc::clone(name));
                return Err(ReadError::new(ReadErrorKind::Limit, origin, reason));
            }
            let content = Gunzip::new(packed.window);
            packed.layers.push(content.account());
            packed.members = None;
            let bounded = Bounded {
                content,
                outermost: outermost.clone(),
                limits: limits.clone(),
                given: 0,
            };
            packed.window = windowed(nesting.unpacked(bounded));
        }
        Ok(packed)
    }

    /// The content of the file in `window`, which begins as Zstandard does.
    #[cfg(feature = "archives")]
    pub fn open_zstd(window: Window<Reader>, nesting: &Nesting) -> Self {
        let members = Members::default();
        let content = Unzstd::new(window, members.clone());
        let layer = content.account();
        let mut packed = Self {
            window: windowed(nesting.unpacked(content)),
            members: Some(members),
            layers: vec![layer],
            lost: Vec::new(),
        };
        packed.first();
        packed
    }

    /// The first bytes of the content: as many as show its format.
    fn first(&mut self) -> &[u8] {
        self.window.peek_past_damage(HEAD, &mut self.lost)
    }
}

fn windowed(stream: Box<dyn Read + Send>) -> Window<Reader> {
    Window::appending(Reader::Stream(stream), Reader::append)
}

/// The content of gzip in gzip, bounded by how much of the file has been read.
struct Bounded {
    content: Gunzip<Reader>,
    outermost: Account,
    limits: Limits,
    /// How many bytes have been returned.
    given: u64,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.given += read as u64;
        if self.given <= self.limits.inflated_in_layers(self.outermost.stored()) {
            return Ok(read);
        }
        Err(limit_reached(
            "its layers of gzip expand to too much for its size: the rest is not read",
        ))
    }
}
