//! `mod_rewrite`: `RewriteRule` and `RewriteCond`. [`read`] builds an [`Engine`] from lines, and
//! [`run`] applies it to a request.

mod map;
mod read;
mod run;

pub(super) use map::{Maps, file_of_map};

use std::cmp::Ordering;
use std::sync::Arc;

use super::assignments::Assignment;
use super::expression::Expression;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;
use crate::rule::Answer;

/// The rules of one context, in file order.
#[derive(Debug, Default)]
pub(super) struct Engine {
    place: Place,
    is_on: bool,
    /// Whether a `RewriteEngine` line is for it.
    is_switched: bool,
    base: Option<String>,
    /// `RewriteOptions`: whether the rules outside apply, too, and when.
    pub(super) inherits: Option<Inherits>,
    pub(super) own: OwnUrls,
    rules: Vec<RewriteRule>,
    index: PrefixIndex,
    /// Conditions waiting for their rule.
    pending: Vec<Condition>,
    is_chained: bool,
    last: LastRule,
    pub(super) maps: Arc<Maps>,
}

/// Where rules are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// In the server or in a folder.
    #[default]
    Folder,
    /// In an `<If>`, whose rules see the whole path of the file on the disk.
    If,
    /// In a `<Files>` or `<Location>`, or one for folders by a pattern, likewise.
    Files,
    /// In a `<Directory>` above the root of the site, whose rules see a part of the path on the disk.
    AboveRoot,
}

/// When the rules outside a section apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inherits {
    /// `Inherit`
    After,
    /// `InheritBefore`
    Before,
}

/// A folder that rules are applied in.
#[derive(Clone, Copy)]
pub(super) struct InFolder<'f> {
    /// Its path, with a slash at both ends.
    pub(super) mount: &'f str,
    /// `RewriteBase`
    pub(super) base: Option<&'f str>,
    /// The path of the file, which aliases and rules of the server may have changed.
    pub(super) path: &'f [u8],
}

/// Which absolute URLs are paths of this server: those with the port in `ServerName`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OwnUrls {
    /// No URL, since `ServerName` is missing.
    #[default]
    All,
    At(u16),
    /// URLs with any port, since `ServerName` has none.
    None,
}

#[derive(Debug)]
struct RewriteRule {
    rule: usize,
    line: usize,
    pattern: Pattern,
    is_negated: bool,
    conditions: Vec<Condition>,
    /// `None` for `-`.
    to: Option<String>,
    flags: Flags,
}

/// Whether a rule may be left out that equals the last one.
#[derive(Debug, Default)]
enum LastRule {
    /// There is none, or it applies to what it has rewritten, or has conditions.
    #[default]
    Other,
    /// It ends the rewriting where it matches.
    Repeatable { line: usize, words: Vec<String> },
    /// A rule before skips others, so that their number matters.
    AfterSkip,
}

#[derive(Debug)]
struct Condition {
    test: String,
    is_negated: bool,
    check: Check,
    or_next: bool,
    ignores_case: bool,
}

#[derive(Debug)]
enum Check {
    Pattern(Pattern),
    Equal(String),
    /// Shorter texts come first, as in Apache.
    Compare(Vec<Ordering>, String),
    Number(Vec<Ordering>, i64),
    File,
    NotEmptyFile,
    Directory,
    Expression(Expression),
    /// Something unsupported.
    UnsupportedDirectives,
}

/// The flags of a rule.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of the rule language"
)]
struct Flags {
    redirect: Option<u16>,
    /// `R`, with any status.
    is_forced: bool,
    /// `F`, `G` and `R` with a status that is not a redirect.
    status: Option<u16>,
    last: bool,
    end: bool,
    chain: bool,
    next: bool,
    ignores_case: bool,
    no_escape: bool,
    pass_through: bool,
    append_query: bool,
    discard_query: bool,
    last_question_mark: bool,
    no_subrequest: bool,
    escapes_groups: bool,
    allows_3f: bool,
    drops_path_info: bool,
    skip: usize,
    is_proxy: bool,
    sets: Vec<Assignment>,
}

/// The result of applying the rules to a request.
pub(super) enum Outcome {
    Unchanged,
    /// Another path, not passed to other modules.
    Path(Vec<u8>),
    /// Another path, passed to the modules that follow.
    PassThrough(Vec<u8>),
    Answer(Answer),
}

/// `is_absolute_uri`
fn is_absolute(text: &str) -> bool {
    const SCHEMES: [&str; 8] = [
        "http://", "https://", "ftp://", "ldap://", "mailto:", "news:", "ws://", "wss://",
    ];
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| lower.starts_with(scheme))
}
