//! Codings of whole files: gzip, Zstandard, bzip2 and xz, and gzip in gzip.

#[cfg(feature = "archives")]
pub(crate) mod block_codings;
pub(crate) mod checksums;
pub(crate) mod gzip;
pub(crate) mod layers;
pub(crate) mod metered;
#[cfg(feature = "archives")]
pub(crate) mod zstd;
