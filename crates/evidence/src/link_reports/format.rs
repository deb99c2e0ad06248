//! The formats of reports, and their detection.

use std::fmt;

use crate::captures::Cdx;

use crate::link_reports::error::Problem;
use crate::link_reports::formats::curl;
use crate::link_reports::formats::table::is_url_column;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `lychee --format json`, with `--verbose` to include working links.
    Lychee,
    /// `output.json` of Sphinx's `linkcheck` builder.
    Sphinx,
    /// `linkchecker -o csv`.
    LinkChecker,
    /// `curl -w '%{url} %{response_code} %{redirect_url}\n'`, or the same separated by tabs with
    /// `%{errormsg}` as a fourth field.
    Curl,
    /// A table with a header that names a column of URLs; separated by commas or semicolons.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// A JSON object per line, or an array of objects, with the names of the columns as keys.
    Json,
    /// Captures of a web archive: CDX, CDXJ, and the responses of CDX servers.
    Cdx,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Lychee,
        Self::Sphinx,
        Self::LinkChecker,
        Self::Curl,
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Cdx,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lychee => "lychee",
            Self::Sphinx => "sphinx",
            Self::LinkChecker => "linkchecker",
            Self::Curl => "curl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "jsonl",
            Self::Cdx => "cdx",
        }
    }

    /// The format of this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Detects the format from the beginning of a file.
    ///
    /// # Errors
    /// If the format is unknown, with a hint about what the file may be.
    pub(crate) fn detect(text: &str) -> Result<Self, Problem> {
        if text.starts_with(" CDX ") || text.starts_with("!meta ") {
            return Ok(Self::Cdx);
        }
        let text = text.trim_start();
        if let Some(inner) = text.strip_prefix('[') {
            let is_table = inner.trim_start().starts_with('[');
            return Ok(if is_table { Self::Cdx } else { Self::Json });
        }
        if text.starts_with('{') {
            return Ok(json_format(text));
        }
        let lines = (1..).zip(text.lines());
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let Some((number, line)) = lines.next() else {
            return Err(Problem::in_file("the file is empty"));
        };
        let lower = line.to_ascii_lowercase();
        let separated_by = |separator| {
            let mut names = lower
                .split(separator)
                .map(|name| name.trim().trim_matches('"'));
            names.any(is_url_column)
        };
        if lower.starts_with("urlname;") {
            Ok(Self::LinkChecker)
        } else if Cdx::is_row(line) {
            Ok(Self::Cdx)
        } else if curl::is_line(line) {
            Ok(Self::Curl)
        } else if separated_by('\t') && line.contains('\t') {
            Ok(Self::Tsv)
        } else if separated_by(',') || separated_by(';') {
            Ok(Self::Csv)
        } else {
            Err(Problem::at(number, unknown(line)))
        }
    }
}

/// The error for a file of no known format, by its first line.
fn unknown(line: &str) -> &'static str {
    let first = line.split([',', ';', '\t', ' ']).next().unwrap_or_default();
    let is_url = first.trim_matches('"').contains("://");
    if is_url && first.len() == line.trim_end().len() {
        "it lists URLs without results: give the list to a fetcher such as curl or lychee, and its \
         output to --status"
    } else if is_url {
        "the table has no header: its first line must name the columns, one of them `url`"
    } else {
        "unknown format: it is not a report of lychee, Sphinx, linkchecker or curl, a table with a column \
         `url`, JSON Lines or CDX"
    }
}

/// The format of a file that begins with a JSON object: JSON Lines if the object ends on its line.
fn json_format(text: &str) -> Format {
    let line = text.lines().next().unwrap_or_default();
    let object: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(line);
    match object {
        Ok(object) if object.contains_key("uri") && object.contains_key("filename") => {
            Format::Sphinx
        }
        Ok(object) if object.contains_key("urlkey") => Format::Cdx,
        Ok(object) if !object.keys().any(|key| key.ends_with("_map")) => Format::Json,
        _ => Format::Lychee,
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_by_content() {
        for (text, expected) in [
            (
                "{\n  \"total\": 2,\n  \"fail_map\": {}}",
                Some(Format::Lychee),
            ),
            ("{\"total\":2,\"error_map\":{}}", Some(Format::Lychee)),
            (
                "{\"filename\": \"a.rst\", \"lineno\": 1, \"status\": \"working\", \"code\": 0, \"uri\": \"https://a/\", \"info\": \"\"}\n",
                Some(Format::Sphinx),
            ),
            (
                "{\"url\":\"http://a/\",\"status\":200}\n",
                Some(Format::Json),
            ),
            ("[{\"url\":\"http://a/\"}]", Some(Format::Json)),
            (
                "# created by LinkChecker\nurlname;parentname;base\n",
                Some(Format::LinkChecker),
            ),
            (
                "https://a.example/x 301 https://b.example/\n",
                Some(Format::Curl),
            ),
            (
                "https://a.example/x\t000\t\tCould not resolve host\n",
                Some(Format::Curl),
            ),
            ("https://a.example/x;y=\"1,2\" 404 \n", Some(Format::Curl)),
            ("URL,Status\nhttp://a/,200\n", Some(Format::Csv)),
            ("\"Address\";\"Status Code\"\n", Some(Format::Csv)),
            ("url\tstatus\n", Some(Format::Tsv)),
            (
                " CDX N b a m s k r M S V g\norg,x)/ 2019 http://x.org/\n",
                Some(Format::Cdx),
            ),
            (
                "org,x)/ 2019 {\"url\": \"http://x.org/\"}\n",
                Some(Format::Cdx),
            ),
            (
                "org,x)/ 20190301100000 http://x.org/ text/html 200 AAAA 12\n",
                Some(Format::Cdx),
            ),
            ("https://a.example/\n", None),
            ("https://a.example/,200\n", None),
            ("hello\n", None),
            ("", None),
        ] {
            assert_eq!(Format::detect(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn unknown_format_gets_a_hint_and_a_line() {
        for (text, line, expected) in [
            ("", None, "empty"),
            ("\n# https://a.example/\n", None, "empty"),
            ("https://a.example/\n", Some(1), "without results"),
            ("https://a.example/,200\n", Some(1), "no header"),
            ("\"https://a.example/\";200\n", Some(1), "no header"),
            ("# by x\nhello\n", Some(2), "not a report of lychee"),
        ] {
            let problem = Format::detect(text).expect_err(text);
            let fault = problem.fault.to_string();
            assert!(fault.contains(expected), "{fault}");
            assert_eq!(problem.line, line, "{text}");
        }
    }
}
