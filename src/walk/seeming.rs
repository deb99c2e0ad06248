//! Guesses what an unsupported file is, and which program converts it to something supported.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use file_format::FileFormat;
use flate2::read::MultiGzDecoder;

/// How much of a compressed file, or of a stream, is examined.
pub(super) const HEAD: u64 = 64 * 1024;

/// How many layers of gzip are looked through: there is gzip that is its own content.
const LAYERS: usize = 4;

/// Programs that convert unsupported files, by the media type of the file.
const CONVERTERS: [(&str, &str); 16] = [
    ("application/msword", "`soffice --convert-to html`"),
    ("application/pdf", "`pdftohtml`"),
    ("application/vnd.ms-cab-compressed", "`cabextract`"),
    (
        "application/vnd.ms-htmlhelp",
        "`7z x`, which extracts its pages",
    ),
    (
        "application/vnd.ms-outlook",
        "`readpst -e` for a PST, `msgconvert` for a MSG",
    ),
    ("application/vnd.rar", "`unrar x`"),
    ("application/x-7z-compressed", "`7z x`"),
    (
        "application/x-bzip2",
        "`bzip2 -dc`, whose output can be piped in",
    ),
    (
        "application/x-compress",
        "`gzip -dc`, whose output can be piped in",
    ),
    (
        "application/x-lzip",
        "`lzip -dc`, whose output can be piped in",
    ),
    (
        "application/x-lzma",
        "`xz -dc`, whose output can be piped in",
    ),
    ("application/x-mobipocket-ebook", "`ebook-convert`, to EPUB"),
    ("application/x-tar", "`tar -xf`"),
    ("application/x-xz", "`xz -dc`, whose output can be piped in"),
    (
        "application/x-ole-storage",
        "`msgconvert` for an Outlook message",
    ),
    (
        "application/zstd",
        "`zstd -dc`, whose output can be piped in",
    ),
];

/// The name and media type of a binary format, by its bytes, and what converts it.
pub(super) fn format(path: &Path) -> Option<String> {
    let outer = FileFormat::from_file(path).ok()?;
    described(outer, || File::open(path).ok())
}

/// The same of the first bytes of a stream, as far as they show it.
pub(super) fn format_of(head: &[u8]) -> Option<String> {
    described(FileFormat::from_bytes(head), || Some(head))
}

fn described<R: Read>(outer: FileFormat, open: impl FnOnce() -> Option<R>) -> Option<String> {
    let (format, packing) = match outer {
        FileFormat::Gzip => (content_of_gzip(open()?)?, ", compressed by gzip"),
        outer => (outer, ""),
    };
    if matches!(
        format,
        FileFormat::ArbitraryBinaryData | FileFormat::Empty | FileFormat::PlainText
    ) {
        return None;
    }
    let media = format.media_type();
    let mut converters = CONVERTERS.iter();
    let converter = converters.find(|(converted, _)| *converted == media);
    let advice =
        converter.map_or_else(String::new, |(_, what)| format!("; convert it with {what}"));
    Some(format!("{} ({media}){packing}{advice}", format.name()))
}

/// The format of the content of a gzip file, also if that is gzip.
fn content_of_gzip(file: impl Read) -> Option<FileFormat> {
    let mut head = decompressed(file)?;
    for _ in 0..LAYERS {
        match FileFormat::from_bytes(&head) {
            FileFormat::Gzip => head = decompressed(&head[..])?,
            format => return Some(format),
        }
    }
    None
}

/// The first bytes of the content of a gzip file. What is there of a head that is cut off is enough.
fn decompressed(file: impl Read) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let read = MultiGzDecoder::new(file).take(HEAD).read_to_end(&mut head);
    (read.is_ok() || !head.is_empty()).then_some(head)
}

/// What a text file is, by its extension, if it is not a supported document.
pub(super) fn kind_of_text(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "js" | "mjs" => "a script",
        "json" => "JSON",
        "md" | "markdown" | "rst" => "text with its own markup",
        "xml" | "rss" | "atom" => "XML",
        "csv" | "tsv" => "a table",
        "rtf" => "Rich Text Format, which `soffice --convert-to html` converts",
        _ => return None,
    })
}

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests {
    use super::*;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn seen(bytes: &[u8]) -> Option<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        std::fs::write(&path, bytes).unwrap();
        format(&path)
    }

    #[test]
    fn a_format_is_named_with_what_converts_it() {
        let tar = [&b"x.html"[..], &[0; 251], b"ustar\x0000", &[0; 300]].concat();
        let expected = [
            (
                b"%PDF-1.7\n".to_vec(),
                "Portable Document Format (application/pdf); convert it with `pdftohtml`",
            ),
            (
                b"!BDN\0\0\0\0\0\0\x17\0".to_vec(),
                "Personal Storage Table (application/vnd.ms-outlook); convert it with `readpst -e` for a PST, `msgconvert` for a MSG",
            ),
            (
                b"ITSF\x03\0\0\0".to_vec(),
                "Microsoft Compiled HTML Help (application/vnd.ms-htmlhelp); convert it with `7z x`, which extracts its pages",
            ),
            (
                b"\xFD7zXZ\0\0".to_vec(),
                "XZ (application/x-xz); convert it with `xz -dc`, whose output can be piped in",
            ),
            (
                tar.clone(),
                "Tape Archive (application/x-tar); convert it with `tar -xf`",
            ),
            (
                gzip(&tar),
                "Tape Archive (application/x-tar), compressed by gzip; convert it with `tar -xf`",
            ),
            (
                gzip(&gzip(&tar)),
                "Tape Archive (application/x-tar), compressed by gzip; convert it with `tar -xf`",
            ),
            (
                b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec(),
                "Portable Network Graphics (image/png)",
            ),
        ];
        for (bytes, seeming) in expected {
            assert_eq!(seen(&bytes).as_deref(), Some(seeming));
        }
        assert_eq!(seen(&[0, 1, 2, 3, 255]), None);
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }
}
