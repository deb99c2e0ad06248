//! An unpacked EPUB, packed again so that it is read like any other.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A zip of these files, each a name with slashes and its bytes, in their order and uncompressed.
///
/// # Errors
/// If a name is too long for a zip.
pub fn packed(files: impl Iterator<Item = (String, Vec<u8>)>) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in files {
        writer.start_file(name, options)?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
