//! Digests of records: `sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A` (WARC 1.1 §5.8).

#[cfg(feature = "warc")]
pub use self::built_in::Digest;

/// No record is read without the feature `warc`.
#[cfg(not(feature = "warc"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Digest {}

#[cfg(not(feature = "warc"))]
impl Digest {
    pub(crate) fn parse(_: &[u8]) -> Option<Self> {
        None
    }

    /// Whether it is the digest of these bytes.
    #[must_use]
    pub fn matches(&self, _: &[u8]) -> bool {
        match *self {}
    }
}

#[cfg(feature = "warc")]
mod built_in {
    use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER_PERMISSIVE};
    use md5::{Digest as _, Md5};
    use sha1::Sha1;
    use sha2::{Sha256, Sha512};

    /// The digest of a block or payload, by an algorithm that is known.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Digest {
        algorithm: Algorithm,
        value: Vec<u8>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Algorithm {
        Md5,
        Sha1,
        Sha256,
        Sha512,
    }

    impl Digest {
        /// Parses the value of a field. `None` if its algorithm is unknown or its value has not the
        /// length of a digest, since neither proves anything about the data.
        pub(crate) fn parse(field: &[u8]) -> Option<Self> {
            let (label, value) = str::from_utf8(field).ok()?.split_once(':')?;
            let algorithm = match label.trim().to_ascii_lowercase().as_str() {
                "md5" => Algorithm::Md5,
                "sha1" | "sha-1" => Algorithm::Sha1,
                "sha256" | "sha-256" => Algorithm::Sha256,
                "sha512" | "sha-512" => Algorithm::Sha512,
                _ => return None,
            };
            let value = value.trim().trim_end_matches('=');
            let length = algorithm.length();
            // The standard leaves the encoding open: crawlers write base32, and others the other two.
            let value = match value.len() {
                hex if hex == 2 * length => HEXLOWER_PERMISSIVE.decode(value.as_bytes()),
                base32 if base32 == (8 * length).div_ceil(5) => {
                    BASE32_NOPAD.decode(value.to_ascii_uppercase().as_bytes())
                }
                base64 if base64 == (8 * length).div_ceil(6) => {
                    BASE64_NOPAD.decode(value.as_bytes())
                }
                _ => return None,
            };
            let value = value.ok()?;
            Some(Self { algorithm, value })
        }

        /// Whether it is the digest of these bytes.
        #[must_use]
        pub fn matches(&self, bytes: &[u8]) -> bool {
            match self.algorithm {
                Algorithm::Md5 => Md5::digest(bytes)[..] == self.value,
                Algorithm::Sha1 => Sha1::digest(bytes)[..] == self.value,
                Algorithm::Sha256 => Sha256::digest(bytes)[..] == self.value,
                Algorithm::Sha512 => Sha512::digest(bytes)[..] == self.value,
            }
        }
    }

    impl Algorithm {
        /// The length of its digests in bytes.
        fn length(self) -> usize {
            match self {
                Self::Md5 => 16,
                Self::Sha1 => 20,
                Self::Sha256 => 32,
                Self::Sha512 => 64,
            }
        }
    }
}

#[cfg(all(test, feature = "warc"))]
mod tests {
    use super::*;

    #[test]
    fn digest_in_any_encoding() {
        for field in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "SHA-1: vgmt4nsha2awvor6evyxqugcnsonbwe5 ",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha1:A9993E364706816ABA3E25717850C26C9CD0D89D",
            "sha1:qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ] {
            let digest = Digest::parse(field.as_bytes()).expect(field);
            assert!(digest.matches(b"abc") && !digest.matches(b"xyz"), "{field}");
        }
    }

    #[test]
    fn unknown_digest_proves_nothing() {
        for field in [
            "",
            "sha1",
            "sha1:",
            "sha1:abc",
            "blake3:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "sha1:!GMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
        ] {
            assert_eq!(Digest::parse(field.as_bytes()), None, "{field}");
        }
    }
}
