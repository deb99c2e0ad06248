//! The data that every output format gets, and the trait that it implements.

use std::io::{self, Write};

use baseref_findings::{Finding, JudgedLink, Level, MessageSummary, PageName, Rule, Summary};

/// The data known before the first document.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The name of the command.
    pub command: &'static str,
    /// The subject of the report: the directories and files as the user named them.
    pub subject: String,
    /// The date of the report, in the words of the user; empty for none. Never the clock's.
    pub date: String,
    /// Every rule of the command, for outputs that describe them.
    pub rules: Vec<&'static Rule>,
    /// Introductory lines for people: the model of the host, or the move.
    pub lines: Vec<String>,
    /// Whether findings have [`Finding::moved`].
    pub moved: bool,
    /// Whether there is a baseline.
    pub baseline: bool,
}

/// The user's choices for an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Options {
    /// Findings below this level are counted, not shown.
    pub level: Level,
    /// Whether findings of rules that are off by default are shown below that level, too.
    pub requested: bool,
    /// New findings of this level or a more severe one make the command fail; `None`: none do.
    pub fail_on: Option<Level>,
    /// Whether outputs for people show findings with the same cause as one.
    pub group: bool,
    /// How many groups the text shows; `None`: all.
    pub groups: Option<usize>,
    /// Whether the text explains the totals, and names the groups that the baseline knows.
    pub is_verbose: bool,
    /// Whether the text is coloured with ECMA-48 escape sequences.
    pub color: bool,
    /// The width of the terminal that the text goes to, at which its lines are broken; `None`: they
    /// are not.
    pub columns: Option<usize>,
    /// The maximum number of results in a SARIF file.
    pub sarif_max: usize,
    /// Whether the HTML page links to the URLs of findings.
    pub live_links: bool,
    /// Whether URLs, hosts and addresses are written so that nothing takes them for links.
    pub is_defanged: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: Level::Error,
            requested: false,
            fail_on: Some(Level::Error),
            group: true,
            groups: Some(50),
            is_verbose: false,
            color: false,
            columns: None,
            sarif_max: 5000,
            live_links: false,
            is_defanged: false,
        }
    }
}

/// One output format. Up to the last document it appends to a buffer, which cannot fail.
pub(super) trait Writer {
    /// Writes what precedes the first document.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// Begins a document, with the number of links judged in it; its findings follow.
    fn document(&mut self, _page: &PageName, _links: u64, _out: &mut Vec<u8>) {}

    /// Writes a link of that document, broken or not; links come before findings.
    fn link(&mut self, _page: &PageName, _link: &JudgedLink, _out: &mut Vec<u8>) {}

    /// Keeps a message to be shown as a card.
    fn message_summary(&mut self, _summary: &MessageSummary) {}

    /// Whether the output may show the position of a finding in the source of its page. If not, the
    /// source is not searched.
    fn may_name_source(&self, _finding: &Finding) -> bool {
        true
    }

    /// Writes a finding to be shown.
    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>);

    /// Writes what follows the last document, piece by piece: it may be the whole report.
    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()>;
}
