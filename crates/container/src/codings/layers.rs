//! The content of a file that is compressed: with gzip once or several times over, or once with
//! Zstandard, bzip2 or xz.

use std::io::{self, Read};
use std::sync::Arc;

use super::PACKED_MAGICS;
#[cfg(feature = "archives")]
use super::block_codings::{self, Decoded};
use super::gzip::{self, Gunzip, MemberIndex, StreamFacts};
#[cfg(feature = "archives")]
use super::zstd::{self, Unzstd};
use crate::input::Reader;
use crate::input::failure::limit_reached;
use crate::input::window::Window;
use crate::nesting::Nesting;
use baseref_document::{Feature, Limits, Origin, ReadError, ReadErrorKind};
use baseref_text::decode::sniff::HEAD;

/// The decompressed content of a file.
pub(crate) struct Decompressed {
    /// The content; its first bytes are in the window.
    pub window: Window<Reader>,
    /// Where its members begin; `None` if they are in other members.
    pub members: Option<MemberIndex>,
    /// The facts about each layer, the outermost first.
    pub layers: Vec<StreamFacts>,
    /// The damage before the first byte of the content.
    pub damage: Vec<io::Error>,
}

/// Whether a file that begins with `head` is compressed, so that positions in its content are not
/// those in the file.
#[must_use]
pub fn is_compressed(head: &[u8]) -> bool {
    #[cfg(feature = "archives")]
    if zstd::is_zstd(head) || block_codings::is_bzip2(head) || head.starts_with(block_codings::XZ) {
        return true;
    }
    head.starts_with(gzip::MAGIC)
}

/// The Cargo feature that reading a file which begins with `head` needs, if that is not built in.
pub(crate) fn missing_feature(head: &[u8]) -> Option<Feature> {
    if cfg!(feature = "archives") {
        return None;
    }
    let is_packed = PACKED_MAGICS.iter().any(|magic| head.starts_with(magic))
        || head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY");
    is_packed.then_some(Feature::Archives)
}

impl Decompressed {
    /// Decompresses the file in `window`, for which [`is_compressed`] holds.
    ///
    /// # Errors
    /// If it is compressed too many times over.
    pub fn open(
        window: Window<Reader>,
        name: &Arc<str>,
        limits: &Limits,
        nesting: &Nesting,
    ) -> Result<Self, ReadError> {
        #[cfg(feature = "archives")]
        if zstd::is_zstd(window.rest(0)) {
            return Ok(Self::from_zstd(window, nesting));
        }
        #[cfg(feature = "archives")]
        if block_codings::is_bzip2(window.rest(0)) {
            return Ok(Self::from_whole(Decoded::bzip2(window), nesting));
        }
        #[cfg(feature = "archives")]
        if window.rest(0).starts_with(block_codings::XZ) {
            return Ok(Self::from_whole(Decoded::xz(window), nesting));
        }
        Self::from_gzip(window, name, limits, nesting)
    }

    /// Decompresses gzip. While the content is gzip as well, it is decompressed again. Together that
    /// may inflate to [`Limits::inflated`], and [`Limits::inflation`] times what was read of the
    /// file, and there may be as many layers as [`Limits::nesting`].
    fn from_gzip(
        window: Window<Reader>,
        name: &Arc<str>,
        limits: &Limits,
        nesting: &Nesting,
    ) -> Result<Self, ReadError> {
        let members = MemberIndex::default();
        let content = Gunzip::new(window).with_index(members.clone());
        let outermost = content.facts();
        let mut opened = Self {
            window: windowed(nesting.metered(content)),
            members: Some(members),
            layers: vec![outermost.clone()],
            damage: Vec::new(),
        };
        while opened.first().starts_with(gzip::MAGIC) {
            if opened.layers.len() >= limits.nesting {
                let reason = format!(
                    "is compressed more than {} times over and is not read",
                    limits.nesting
                );
                let origin = Origin::new(Arc::clone(name));
                return Err(ReadError::new(ReadErrorKind::Limit, origin, reason));
            }
            let content = Gunzip::new(opened.window);
            opened.layers.push(content.facts());
            opened.members = None;
            let bounded = InnerLayer {
                content,
                outermost: outermost.clone(),
                limits: *limits,
                inflated: 0,
            };
            opened.window = windowed(nesting.metered(bounded));
        }
        Ok(opened)
    }

    /// Decompresses Zstandard.
    #[cfg(feature = "archives")]
    fn from_zstd(window: Window<Reader>, nesting: &Nesting) -> Self {
        let members = MemberIndex::default();
        let content = Unzstd::new(window, members.clone());
        let facts = content.facts();
        let mut opened = Self {
            window: windowed(nesting.metered(content)),
            members: Some(members),
            layers: vec![facts],
            damage: Vec::new(),
        };
        opened.first();
        opened
    }

    /// Decompresses bzip2 or xz.
    #[cfg(feature = "archives")]
    fn from_whole<D: Read + Send + 'static>(content: Decoded<D>, nesting: &Nesting) -> Self {
        let facts = content.facts();
        let mut opened = Self {
            window: windowed(nesting.metered(content)),
            members: None,
            layers: vec![facts],
            damage: Vec::new(),
        };
        opened.first();
        opened
    }

    /// The first bytes of the content: as many as show its format.
    fn first(&mut self) -> &[u8] {
        self.window.peek_past_damage(HEAD, &mut self.damage)
    }
}

fn windowed(stream: impl Read + Send + 'static) -> Window<Reader> {
    Window::appending(Reader::Stream(Box::new(stream)), Reader::append)
}

/// The content of gzip in gzip, which is bounded by how much of the file has been read.
struct InnerLayer {
    content: Gunzip<Reader>,
    outermost: StreamFacts,
    limits: Limits,
    /// How many bytes have been returned.
    inflated: u64,
}

impl Read for InnerLayer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.inflated += read as u64;
        if self.inflated <= self.limits.inflated_in_layers(self.outermost.stored()) {
            return Ok(read);
        }
        Err(limit_reached(
            "its layers of gzip expand to too much for its size: the rest is not read",
        ))
    }
}
