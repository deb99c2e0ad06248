//! Codings of whole files: gzip and Zstandard, and gzip in gzip.

pub(crate) mod checksums;
pub(crate) mod gzip;
pub(crate) mod layers;
pub(crate) mod metered;
#[cfg(feature = "archives")]
pub(crate) mod zstd;
