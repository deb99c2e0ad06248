//! Access control: `Require`, and the older `Order`, `Allow` and `Deny`.

use super::lines::Line;
use crate::engine::glob;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};
use crate::line_error::LineError;
use crate::rule::RuleParser;

/// Whether access is granted; `None` if that depends on the visitor.
pub(super) type Verdict = Option<bool>;

/// The access rules of a folder, of a server or of a virtual host.
#[derive(Debug, Default)]
pub(super) struct Access(Vec<Group>);

/// The access rules of a section.
#[derive(Debug)]
struct Group {
    scope: Scope,
    required: Vec<Verdict>,
    older: Option<AllowDeny>,
}

/// The requests that a section is for; later kinds take precedence.
#[derive(Debug)]
pub(super) enum Scope {
    All,
    /// Files with a name like this.
    Name(Pattern),
    /// A path, and what is below it.
    Below(Vec<u8>),
    /// Paths like this.
    Path(Pattern),
}

/// `Order`, `Allow from` and `Deny from`.
#[derive(Clone, Copy, Debug)]
struct AllowDeny {
    allows_last: bool,
    allows: Verdict,
    denies: Verdict,
}

impl Scope {
    /// The scope of a section; `None` if it is of another kind.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the section.
    pub(super) fn from_section(
        section: &str,
        condition: &str,
        parser: &mut RuleParser,
    ) -> Result<Option<Self>, LineError> {
        let is_location = section.starts_with("location");
        if !matches!(
            section,
            "files" | "filesmatch" | "location" | "locationmatch"
        ) {
            return Ok(None);
        }
        let (is_regex, text) = match condition.strip_prefix('~') {
            Some(rest) => (true, rest.trim()),
            None => (section.ends_with("match"), condition),
        };
        let text = text.trim_matches('"');
        let pattern = if is_regex {
            parser.pattern(text, false)?
        } else if is_location && !text.contains(['*', '?', '[']) {
            return Ok(Some(Self::Below(text.as_bytes().to_vec())));
        } else {
            let glob = glob::pattern(text, parser);
            glob.ok_or_else(|| LineError::BrokenPattern(text.to_owned()))?
        };
        Ok(Some(if is_location {
            Self::Path(pattern)
        } else {
            Self::Name(pattern)
        }))
    }

    fn rank(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Name(_) => 1,
            Self::Below(_) | Self::Path(_) => 2,
        }
    }

    fn has(&self, uri: &[u8], work: &Work) -> Result<bool, NoAnswer> {
        work.take(1)?;
        let name = || uri.rsplit(|byte| *byte == b'/').next().unwrap_or(uri);
        Ok(match self {
            Self::All => true,
            Self::Name(pattern) => pattern.find(name(), work)?.is_some(),
            Self::Below(path) => {
                let rest = uri.strip_prefix(path.as_slice());
                rest.is_some_and(|rest| {
                    path.ends_with(b"/") || rest.first().is_none_or(|byte| *byte == b'/')
                })
            }
            Self::Path(pattern) => pattern.find(uri, work)?.is_some(),
        })
    }
}

impl AllowDeny {
    /// Whether it grants access.
    fn verdict(self) -> Verdict {
        let Self { allows, denies, .. } = self;
        if self.allows_last {
            return if allows == Some(true) {
                allows
            } else {
                denies
                    .map(|denies| !denies)
                    .filter(|granted| *granted || allows.is_some())
            };
        }
        if denies == Some(true) {
            Some(false)
        } else {
            allows.filter(|allows| !allows || denies.is_some())
        }
    }
}

impl Access {
    /// Adds a section and returns its number.
    pub(super) fn add(&mut self, scope: Scope) -> usize {
        self.0.push(Group {
            scope,
            required: Vec::new(),
            older: None,
        });
        self.0.len() - 1
    }

    /// Adds a requirement to a section.
    pub(super) fn require(&mut self, section: usize, verdict: Verdict) {
        if let Some(group) = self.0.get_mut(section) {
            group.required.push(verdict);
        }
    }

    /// Adds `Order`, `Allow` or `Deny` to a section.
    pub(super) fn add_older(&mut self, section: usize, line: &Line, name: &str) {
        let Some(group) = self.0.get_mut(section) else {
            return;
        };
        let older = group.older.get_or_insert(AllowDeny {
            allows_last: true,
            allows: Some(false),
            denies: Some(false),
        });
        let words = line.rest.to_ascii_lowercase();
        let is_all = words.split_ascii_whitespace().any(|word| word == "all");
        let more = is_all.then_some(true);
        match name {
            "order" => older.allows_last = words.trim_start().starts_with("deny"),
            "allow" if older.allows != Some(true) => older.allows = more,
            "deny" if older.denies != Some(true) => older.denies = more,
            _ => {}
        }
    }
}

/// Whether all these access rules together refuse every visitor. Later ones take precedence.
pub(super) fn refuse<'a>(
    all: impl Iterator<Item = &'a Access>,
    uri: &[u8],
    work: &Work,
) -> Result<bool, NoAnswer> {
    let (mut required, mut older) = (None, None);
    for access in all {
        for rank in 0..=2 {
            for group in access.0.iter().filter(|group| group.scope.rank() == rank) {
                if !group.scope.has(uri, work)? {
                    continue;
                }
                if !group.required.is_empty() {
                    required = Some(any(&group.required));
                }
                older = group.older.map(AllowDeny::verdict).or(older);
            }
        }
    }
    Ok(required == Some(Some(false)) || older == Some(Some(false)))
}

/// What a `Require` line says of everyone.
pub(super) fn required(line: &Line) -> Verdict {
    let words = line.rest.to_ascii_lowercase();
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    let (is_negated, words) = match &words[..] {
        ["not", rest @ ..] => (true, rest),
        words => (false, words),
    };
    let verdict = match words {
        ["all", "granted"] => Some(true),
        ["all", "denied"] => Some(false),
        ["method", methods @ ..] => Some(methods.contains(&"get")),
        _ => None,
    };
    match verdict {
        Some(is_granted) if is_negated => is_granted.then_some(false),
        verdict => verdict,
    }
}

/// The verdict of a `<RequireAll>`, `<RequireAny>` or `<RequireNone>`.
pub(super) fn together(section: &str, verdicts: &[Verdict]) -> Verdict {
    match section {
        "requireall" if verdicts.contains(&Some(false)) => Some(false),
        "requireall" => verdicts
            .iter()
            .all(|one| *one == Some(true))
            .then_some(true),
        "requirenone" => verdicts.contains(&Some(true)).then_some(false),
        _ => any(verdicts),
    }
}

/// The verdict of alternative requirements: one is enough.
fn any(verdicts: &[Verdict]) -> Verdict {
    if verdicts.contains(&Some(true)) {
        return Some(true);
    }
    verdicts
        .iter()
        .all(|one| *one == Some(false))
        .then_some(false)
}
