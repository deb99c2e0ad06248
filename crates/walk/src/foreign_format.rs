//! Guesses what an unsupported file is, and which program converts it to something supported.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use baseref_files::{Files, Role};

/// How much of a file, of its decompressed content or of a stream is examined, in bytes.
pub(super) const HEAD: u64 = 64 * 1024;

/// How many layers of gzip are looked through: there is gzip that is its own content.
const LAYERS: usize = 4;

/// A binary format that is not read.
struct Foreign {
    /// Where its signature begins, in bytes.
    at: usize,
    signature: &'static [u8],
    name: &'static str,
    media_type: &'static str,
    /// What converts it to something supported; empty where there is nothing to read in it.
    converter: &'static str,
}

const fn foreign(
    at: usize,
    signature: &'static [u8],
    name: &'static str,
    media_type: &'static str,
    converter: &'static str,
) -> Foreign {
    Foreign {
        at,
        signature,
        name,
        media_type,
        converter,
    }
}

/// The first bytes of a message in Microsoft's rights management.
const RPMSG: &[u8] = b"\x76\xE8\x04\x60\xC4\x11\xE3\x86";

/// Other formats in mail archives, saved sites and downloads, by the signatures that they define.
#[rustfmt::skip]
const FORMATS: [Foreign; 43] = [
    foreign(0, b"%PDF-", "Portable Document Format", "application/pdf", "`pdftohtml`"),
    foreign(0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "OLE2 Compound File", "application/x-ole-storage",
        "`soffice --convert-to html`, if it is an Office document"),
    foreign(0, b"\xCF\xAD\x12\xFE", "Outlook Express folder", "application/x-outlook-express-dbx", "`readdbx`, to mbox"),
    foreign(0, b"\x1A\0\0\x04", "Notes database", "application/vnd.lotus-notes", "Notes, which exports mail as .eml"),
    foreign(0, RPMSG, "message in rights management", "application/x-microsoft-rpmsg-message", "Outlook, for its recipient alone"),
    foreign(0, b"ITSF", "Microsoft Compiled HTML Help", "application/vnd.ms-htmlhelp", "`7z x`, which extracts its pages"),
    foreign(60, b"BOOKMOBI", "Mobipocket", "application/x-mobipocket-ebook", "`ebook-convert`, to EPUB"),
    foreign(0, b"MSCF", "Cabinet", "application/vnd.ms-cab-compressed", "`cabextract`"),
    foreign(0, b"Rar!\x1A\x07", "Roshal Archive", "application/vnd.rar", "`unrar x`"),
    foreign(0, b"7z\xBC\xAF\x27\x1C", "7-Zip", "application/x-7z-compressed", "`7z x`"),
    foreign(257, b"ustar", "Tape Archive", "application/x-tar", "`tar -xf`"),
    foreign(0, b"BZh", "BZIP2", "application/x-bzip2", "`bzip2 -dc`, whose output can be piped in"),
    foreign(0, b"\x1F\x9D", "UNIX compress", "application/x-compress", "`gzip -dc`, whose output can be piped in"),
    foreign(0, b"LZIP", "Lzip", "application/x-lzip", "`lzip -dc`, whose output can be piped in"),
    foreign(0, b"\x5D\0\0\x80\0", "LZMA", "application/x-lzma", "`xz -dc`, whose output can be piped in"),
    foreign(0, b"\xFD7zXZ\0", "XZ", "application/x-xz", "`xz -dc`, whose output can be piped in"),
    foreign(0, b"\x28\xB5\x2F\xFD", "Zstandard", "application/zstd", "`zstd -dc`, whose output can be piped in"),
    foreign(0, b"\x89PNG\r\n\x1A\n", "Portable Network Graphics", "image/png", ""),
    foreign(0, b"\xFF\xD8\xFF", "Joint Photographic Experts Group", "image/jpeg", ""),
    foreign(0, b"GIF87a", "Graphics Interchange Format", "image/gif", ""),
    foreign(0, b"GIF89a", "Graphics Interchange Format", "image/gif", ""),
    foreign(8, b"WEBP", "WebP", "image/webp", ""),
    foreign(4, b"ftypavif", "AV1 Image File Format", "image/avif", ""),
    foreign(0, b"II*\0", "Tag Image File Format", "image/tiff", ""),
    foreign(0, b"MM\0*", "Tag Image File Format", "image/tiff", ""),
    foreign(0, b"\0\0\x01\0", "Windows icon", "image/x-icon", ""),
    foreign(0, b"8BPS", "Photoshop Document", "image/vnd.adobe.photoshop", ""),
    foreign(0, b"%!PS", "PostScript", "application/postscript", "`ps2pdf`, then `pdftohtml`"),
    foreign(0, b"wOFF", "Web Open Font Format", "font/woff", ""),
    foreign(0, b"wOF2", "Web Open Font Format 2", "font/woff2", ""),
    foreign(0, b"OTTO", "OpenType", "font/otf", ""),
    foreign(0, b"\0\x01\0\0\0", "TrueType", "font/ttf", ""),
    foreign(0, b"ID3", "MPEG audio", "audio/mpeg", ""),
    foreign(0, b"OggS", "Ogg", "application/ogg", ""),
    foreign(0, b"fLaC", "Free Lossless Audio Codec", "audio/flac", ""),
    foreign(8, b"WAVE", "Waveform Audio", "audio/vnd.wave", ""),
    foreign(0, b"\x1A\x45\xDF\xA3", "Matroska", "video/x-matroska", ""),
    foreign(4, b"ftyp", "MPEG-4", "video/mp4", ""),
    foreign(0, b"CWS", "Small Web Format", "application/x-shockwave-flash", ""),
    foreign(0, b"FWS", "Small Web Format", "application/x-shockwave-flash", ""),
    foreign(0, b"SQLite format 3\0", "SQLite 3", "application/vnd.sqlite3", ""),
    foreign(0, b"\x7FELF", "Executable and Linkable Format", "application/x-executable", ""),
    foreign(0, b"\0asm", "WebAssembly", "application/wasm", ""),
];

/// Mail stores that are not read, by extension and first bytes, and what converts them.
const MAIL_STORES: [(&str, &[u8], &str); 5] = [
    (
        "rpmsg",
        RPMSG,
        "a message encrypted by Microsoft's rights management; only Outlook opens it, for its recipient",
    ),
    (
        "dbx",
        b"\xCF\xAD\x12\xFE",
        "an Outlook Express folder; convert it with `readdbx`, to mbox",
    ),
    (
        "nsf",
        b"\x1A\0\0\x04",
        "a Notes database; export its mail as .eml",
    ),
    (
        "olk15message",
        b"",
        "a message of Outlook for Mac; export it as .eml",
    ),
    (
        "olk14message",
        b"",
        "a message of Outlook for Mac; export it as .eml",
    ),
];

/// The description of a mail store that is not read. Only files with the extension of one are opened.
pub(super) fn mail_store(path: &Path, files: &Files) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let mut stores = MAIL_STORES.iter();
    let (_, signature, what) = stores.find(|(known, ..)| *known == extension)?;
    let mut head = Vec::new();
    let file = files.examine(path).ok()?.file;
    file.take(signature.len() as u64)
        .read_to_end(&mut head)
        .ok()?;
    (head == *signature).then_some(what)
}

/// The name and media type of a binary format, by its bytes, and what converts it.
pub(super) fn format(path: &Path, files: &Files) -> Option<String> {
    format_of_file(files.open(path, Role::Document).ok()?)
}

/// Whether a file is of a kind that baseref never writes: a picture, a sound, a font, a program...
pub(super) fn is_foreign(path: &Path, files: &Files) -> bool {
    let opened = files.examine(path);
    opened.is_ok_and(|opened| format_of_file(opened.file).is_some())
}

fn format_of_file(file: impl Read) -> Option<String> {
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).ok()?;
    format_of(&head)
}

/// The format of a stream, as far as its first bytes show it.
pub(super) fn format_of(head: &[u8]) -> Option<String> {
    let mut inflated = None;
    for _ in 0..=LAYERS {
        let bytes = inflated.as_deref().unwrap_or(head);
        if !bytes.starts_with(b"\x1F\x8B") {
            return in_words(bytes, inflated.is_some());
        }
        inflated = Some(decompressed(bytes)?);
    }
    None
}

fn in_words(head: &[u8], is_inflated: bool) -> Option<String> {
    let is_of = |format: &&Foreign| {
        let rest = head.get(format.at..);
        rest.is_some_and(|rest| rest.starts_with(format.signature))
    };
    let format = FORMATS.iter().find(is_of)?;
    let packing = if is_inflated {
        ", compressed by gzip"
    } else {
        ""
    };
    let advice = match format.converter {
        "" => String::new(),
        converter => format!("; convert it with {converter}"),
    };
    Some(format!(
        "{} ({}){packing}{advice}",
        format.name, format.media_type
    ))
}

/// The first bytes of the content of a gzip file. A truncated head is enough.
fn decompressed(file: impl Read) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let read = MultiGzDecoder::new(file).take(HEAD).read_to_end(&mut head);
    (read.is_ok() || !head.is_empty()).then_some(head)
}

/// What a text file is, by its extension, if it is not a supported document. Plain text is one unless it
/// has URLs and no tags: browsers save pages as `.txt`, too.
pub(super) fn kind_of_text(path: &Path, bytes: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| bytes.windows(text.len()).any(|piece| piece == text);
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "js" | "mjs" => "a script",
        "json" => "JSON",
        "md" | "markdown" | "rst" => {
            "text with its own markup; `baseref links --links text` finds the URLs in it"
        }
        "txt" | "text" | "log" if has(b"://") && !has(b"</") => {
            "plain text; `baseref links --links text` finds the URLs in it"
        }
        "xml" | "rss" | "atom" => "XML",
        "csv" | "tsv" => "a table",
        "rtf" => "Rich Text Format, which `soffice --convert-to html` converts",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn seen(bytes: &[u8]) -> Option<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        std::fs::write(&path, bytes).unwrap();
        format(&path, &Files::default())
    }

    #[test]
    fn foreign_format_names_converter() {
        let tar = [&b"x.html"[..], &[0; 251], b"ustar\x0000", &[0; 300]].concat();
        let expected = [
            (
                b"%PDF-1.7\n".to_vec(),
                "Portable Document Format (application/pdf); convert it with `pdftohtml`",
            ),
            (
                b"ITSF\x03\0\0\0".to_vec(),
                "Microsoft Compiled HTML Help (application/vnd.ms-htmlhelp); convert it with `7z x`, which extracts its pages",
            ),
            (
                b"\xCF\xAD\x12\xFE\xC5".to_vec(),
                "Outlook Express folder (application/x-outlook-express-dbx); convert it with `readdbx`, to mbox",
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
