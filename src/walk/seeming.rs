//! What a file that is not read as what its user may think seems to be.

use std::path::Path;

use file_format::FileFormat;

/// The name of the format of binary data and its media type, by its bytes.
pub(super) fn format(path: &Path) -> Option<String> {
    match FileFormat::from_file(path).ok()? {
        FileFormat::ArbitraryBinaryData | FileFormat::Empty | FileFormat::PlainText => None,
        known => Some(format!("{} ({})", known.name(), known.media_type())),
    }
}

/// What text is, by the extension of its file, where that is something else than a document whose
/// links are read.
pub(super) fn kind_of_text(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "js" | "mjs" => "a script",
        "json" => "JSON",
        "md" | "markdown" | "rst" => "a text with markup of its own",
        "xml" | "rss" | "atom" => "XML",
        "csv" | "tsv" => "a table",
        _ => return None,
    })
}
