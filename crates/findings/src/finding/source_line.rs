//! The source lines of findings, cut out of their document when they are written.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::excerpt::ExcerptBytes;
use crate::Excerpt;

/// The source line of a finding, or the document to find it in.
#[derive(Clone, Debug)]
pub struct SourceLine(Arc<LineSource>);

#[derive(Debug)]
enum LineSource {
    Line(Excerpt),
    Bytes(ExcerptBytes),
    In(Arc<Vec<u8>>, &'static Encoding),
}

impl SourceLine {
    /// A line that is already decoded.
    #[must_use]
    pub fn from_excerpt(line: Excerpt) -> Self {
        Self(Arc::new(LineSource::Line(line)))
    }

    /// The line around any value of `document`.
    #[must_use]
    pub fn in_document(document: Arc<Vec<u8>>, encoding: &'static Encoding) -> Self {
        Self(Arc::new(LineSource::In(document, encoding)))
    }

    /// The size of the document, if the line is not cut out yet.
    pub(crate) fn size_of_document(&self) -> Option<usize> {
        match &*self.0 {
            LineSource::Line(_) | LineSource::Bytes(_) => None,
            LineSource::In(document, _) => Some(document.len()),
        }
    }

    /// The line around the bytes `value` of the document; `None` if the document has no such bytes.
    #[must_use]
    pub fn around(&self, value: &Range<u64>) -> Option<Cow<'_, Excerpt>> {
        match &*self.0 {
            LineSource::Line(line) => Some(Cow::Borrowed(line)),
            LineSource::Bytes(bytes) => Some(Cow::Owned(bytes.decode())),
            LineSource::In(document, encoding) => {
                Excerpt::new(document, encoding, value).map(Cow::Owned)
            }
        }
    }
}

/// Adds source lines to the findings of a document in the way that takes less memory: a line for
/// each, or for many findings one shared copy of the document.
#[derive(Debug)]
pub struct SourceLines<'d> {
    document: &'d [u8],
    encoding: &'static Encoding,
    /// The shared copy of the document, if there are many findings.
    whole: Option<SourceLine>,
    latest: Option<(Range<u64>, Option<SourceLine>)>,
}

/// Whether a number of lines takes more memory than their document.
pub(crate) fn are_larger(lines: usize, document: usize) -> bool {
    /// The typical size of a line in memory.
    const LINE: usize = 256;
    lines.saturating_mul(LINE) > document
}

impl<'d> SourceLines<'d> {
    /// Prepares for up to `findings` in a document.
    #[must_use]
    pub fn new(document: &'d [u8], encoding: &'static Encoding, findings: usize) -> Self {
        let are_many = are_larger(findings, document.len());
        Self {
            document,
            encoding,
            whole: are_many.then(|| SourceLine::in_document(Arc::new(document.to_vec()), encoding)),
            latest: None,
        }
    }

    /// The line around the bytes `value`; `None` if the document has no such bytes.
    pub fn around(&mut self, value: &Range<u64>) -> Option<SourceLine> {
        if let Some(whole) = &self.whole {
            return Some(whole.clone());
        }
        // Findings about one link are consecutive.
        if let Some((known, line)) = &self.latest
            && known == value
        {
            return line.clone();
        }
        let line = ExcerptBytes::new(self.document, self.encoding, value);
        let line = line.map(|bytes| SourceLine(Arc::new(LineSource::Bytes(bytes))));
        self.latest = Some((value.clone(), line.clone()));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_whether_the_document_is_kept_or_not() {
        let document = b"<a href=x>\n<a href=yz>".as_slice();
        let mut last = Vec::new();
        for (findings, keeps) in [(0, false), (1, true)] {
            let mut lines = SourceLines::new(document, encoding_rs::UTF_8, findings);
            let of = |value: &Range<u64>, lines: &mut SourceLines<'_>| {
                let line = lines.around(value)?;
                assert_eq!(line.size_of_document().is_some(), keeps);
                line.around(value).map(Cow::into_owned)
            };
            let found = [8..9, 19..21, 90..91].map(|value| of(&value, &mut lines));
            let texts = found
                .each_ref()
                .map(|line| Some(line.as_ref()?.text.as_str()));
            assert_eq!(texts, [Some("<a href=x>"), Some("<a href=yz>"), None]);
            last.push(found);
        }
        assert_eq!(last[0], last[1]);
    }
}
