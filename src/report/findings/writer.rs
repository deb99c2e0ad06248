//! What every form of output is given, and what it does with it.

use crate::findings::{Finding, JudgedLink, Level, PageName, Rule, Summary};

/// What is known before the first document.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The name of the command.
    pub command: &'static str,
    /// Every rule that the command can apply, for outputs that describe them.
    pub rules: Vec<&'static Rule>,
    /// What people are to know first: the model of the host, or the move.
    pub lines: Vec<String>,
    /// Findings carry [`Finding::moved`].
    pub moved: bool,
    /// There is a baseline.
    pub baseline: bool,
}

/// What the user can choose about an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Findings below this level are counted, not shown.
    pub level: Level,
    /// New findings of this level or a heavier one make the command fail; `None`: none does.
    pub fail_on: Option<Level>,
    /// Findings of one cause are shown as one, in outputs for people.
    pub group: bool,
    /// The text is coloured by the escape sequences of ECMA-48.
    pub color: bool,
    /// The most results in a SARIF file.
    pub sarif_max: usize,
    /// The HTML page links to the URLs of findings.
    pub live_links: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: Level::Error,
            fail_on: Some(Level::Error),
            group: true,
            color: false,
            sarif_max: 5000,
            live_links: false,
        }
    }
}

/// One form of output. Appends to a buffer, which cannot fail.
pub(super) trait Writer {
    /// What stands before the first document.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// A document that was read, with the number of links that were judged in it; its findings
    /// follow.
    fn document(&mut self, _page: &PageName, _links: u64, _out: &mut Vec<u8>) {}

    /// A link of that document, whatever became of it; they come before its findings.
    fn link(&mut self, _page: &PageName, _link: &JudgedLink, _out: &mut Vec<u8>) {}

    /// A finding that is to be shown.
    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>);

    /// What stands after the last document.
    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>);
}
