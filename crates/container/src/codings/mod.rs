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

/// The extensions of compressed files, and the bytes that such a file begins with; of bzip2, with any of
/// the block sizes.
const EXTENSIONS: [(&str, &[u8]); 4] = [
    ("gz", gzip::MAGIC),
    ("bz2", b"BZh91AY&SY"),
    ("xz", PACKED_MAGICS[2]),
    ("zst", PACKED_MAGICS[0]),
];

/// Whether a file of this name is compressed and ends within the bytes by which that is recognised, so
/// that these are all of it.
pub(crate) fn ends_within_magic(name: &str, bytes: &[u8]) -> bool {
    let extension = name.rsplit('.').next().unwrap_or_default();
    let known = |(known, _): &&(&str, _)| extension.eq_ignore_ascii_case(known);
    EXTENSIONS.iter().find(known).is_some_and(|(_, magic)| {
        let is_size = |at: usize, byte: u8| at == 3 && byte.is_ascii_digit();
        let mut pairs = bytes.iter().zip(*magic).enumerate();
        bytes.len() < magic.len()
            && pairs.all(|(at, (byte, known))| byte == known || is_size(at, *byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_ends_within_its_magic() {
        for (name, bytes, expected) in [
            ("a.html.gz", &b"\x1F\x8B"[..], true),
            ("a.html.GZ", b"", true),
            ("a.html.gz", b"\x1F\x8B\x08", false),
            ("a.html.gz", b"<p>", false),
            ("a.html.bz2", b"BZh5", true),
            ("a.html.bz2", b"BZh51AY&S", true),
            ("a.html.xz", b"\xFD7zXZ", true),
            ("a.html.zst", b"\x28\xB5\x2F", true),
            ("a.html", b"\x1F\x8B", false),
        ] {
            assert_eq!(
                ends_within_magic(name, bytes),
                expected,
                "{name}: {bytes:?}"
            );
        }
    }
}
