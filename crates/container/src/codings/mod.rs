//! Codings of whole files: gzip, Zstandard, bzip2 and xz, and gzip in gzip.

#[cfg(feature = "archives")]
pub(crate) mod block_codings;
pub(crate) mod checksums;
pub(crate) mod gzip;
pub(crate) mod layers;
pub(crate) mod metered;
#[cfg(feature = "archives")]
pub(crate) mod zstd;

/// The magic numbers of a Zstandard frame (RFC 8878 §3.1.1), of the skippable frame that holds the
/// dictionary of a web archive (IIPC, "Zstandard-compressed WARC files"), and of an xz stream (The .xz
/// File Format §2.1.1.1).
pub(crate) const PACKED_MAGICS: [&[u8]; 3] =
    [b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18", b"\xFD7zXZ\0"];
