//! Access control: `Require`, and the older `Order`, `Allow` and `Deny`.

use super::assignments::Names;
use super::expression::{Expression, NoExpression};
use super::lines::Line;
use super::variables::Values;
use crate::engine::work::{NoAnswer, Work};
use crate::line_error::LineError;
use crate::rule::RuleParser;

/// How deep sections of requirements that depend on the request may be nested.
const MAX_DEPTH: usize = 32;

/// Whether access is granted; `None` if that depends on the visitor.
type Verdict = Option<bool>;

/// The access rules of a section.
#[derive(Debug, Default)]
pub(super) struct Access {
    required: Vec<Requirement>,
    older: Option<AllowDeny>,
}

/// What a `Require` line asks for, or a section of several.
#[derive(Debug)]
pub(super) enum Requirement {
    Fixed(Verdict),
    /// A variable that is not known.
    NotKnown,
    /// One of these variables is set.
    Environment(Vec<String>),
    Expression(Expression),
    /// It only refuses: `Require not`.
    Not(Box<Self>),
    Together {
        section: String,
        all: Vec<Self>,
        /// How deep such sections are nested in it.
        depth: usize,
    },
}

/// `Order`, `Allow from` and `Deny from`.
#[derive(Debug)]
struct AllowDeny {
    allows_last: bool,
    allows: Vec<From>,
    denies: Vec<From>,
}

/// Whom an `Allow` or `Deny` is for.
#[derive(Debug)]
enum From {
    All,
    /// Requests for which a variable is set, or with `false` not set.
    Environment(String, bool),
    /// Visitors, who are not known.
    Visitors,
}

impl Requirement {
    /// What a `Require` line asks for.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the line.
    pub(super) fn from_line(
        line: &Line,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<Self, LineError> {
        let all = line.words();
        let words: Vec<&str> = all.iter().map(String::as_str).collect();
        let (is_negated, words) = match &words[..] {
            [not, rest @ ..] if not.eq_ignore_ascii_case("not") => (true, rest),
            words => (false, words),
        };
        let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let requirement = match &lower[..] {
            ["all", "granted"] => Self::Fixed(Some(true)),
            ["all", "denied"] => Self::Fixed(Some(false)),
            ["method", methods @ ..] => Self::Fixed(Some(methods.contains(&"get"))),
            ["env", variables @ ..] if words[1..].iter().all(|name| names.has(name)) => {
                let known = words[1..=variables.len()].iter();
                Self::Environment(known.map(|name| (*name).to_owned()).collect())
            }
            ["env", ..] => Self::NotKnown,
            ["expr", ..] => {
                let at = line.rest.to_ascii_lowercase().find("expr").unwrap_or(0);
                let text = line.rest.get(at + 4..).unwrap_or_default().trim();
                let text = match words {
                    [_, only] => only,
                    _ => text,
                };
                match Expression::parse(text, names, parser) {
                    Ok(expression) => Self::Expression(expression),
                    Err(NoExpression::NotKnown) => Self::Fixed(None),
                    Err(NoExpression::Refused) => {
                        return Err(LineError::BrokenExpression(text.to_owned()));
                    }
                }
            }
            _ => Self::Fixed(None),
        };
        Ok(if is_negated {
            Self::Not(Box::new(requirement))
        } else {
            requirement
        })
    }

    /// A `<RequireAll>`, `<RequireAny>` or `<RequireNone>`.
    pub(super) fn together(section: &str, all: Vec<Self>) -> Self {
        let fixed: Option<Vec<Verdict>> = all.iter().map(Self::fixed).collect();
        if let Some(verdicts) = fixed {
            return Self::Fixed(together(section, &all, &verdicts));
        }
        let depths = all.iter().map(|one| match one {
            Self::Together { depth, .. } => depth + 1,
            _ => 0,
        });
        let depth = depths.max().unwrap_or_default();
        if depth > MAX_DEPTH {
            return Self::NotKnown;
        }
        Self::Together {
            section: section.to_owned(),
            all,
            depth,
        }
    }

    /// The verdict, if it is the same for all requests.
    fn fixed(&self) -> Option<Verdict> {
        match self {
            Self::Fixed(verdict) => Some(*verdict),
            Self::Not(inner) => inner.fixed().map(negated),
            _ => None,
        }
    }

    /// Whether it can refuse everyone.
    pub(super) fn may_refuse(&self) -> bool {
        match self {
            Self::Fixed(verdict) => *verdict == Some(false),
            _ => true,
        }
    }

    fn verdict(&self, values: &Values<'_>, work: &Work) -> Result<Verdict, NoAnswer> {
        work.take(1)?;
        Ok(match self {
            Self::Fixed(verdict) => *verdict,
            Self::NotKnown => return Err(NoAnswer),
            Self::Environment(names) => {
                let set = names.iter().map(|name| values.variables.is_set(name));
                any(&set.collect::<Vec<_>>())
            }
            Self::Expression(expression) => Some(expression.holds(values, &mut None, work)?),
            Self::Not(inner) => negated(inner.verdict(values, work)?),
            Self::Together { section, all, .. } => {
                let verdicts = all.iter().map(|one| one.verdict(values, work));
                let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
                together(section, all, &verdicts)
            }
        })
    }
}

/// The verdict of `Require not`, which grants nothing.
fn negated(verdict: Verdict) -> Verdict {
    verdict.and_then(|is_granted| is_granted.then_some(false))
}

/// The verdict of a section of requirements with these verdicts.
fn together(section: &str, all: &[Requirement], verdicts: &[Verdict]) -> Verdict {
    match section {
        "requireall" if verdicts.contains(&Some(false)) => Some(false),
        "requireall" => {
            let is_neutral = |(one, verdict): (&Requirement, &Verdict)| {
                *verdict == Some(true) || matches!(one, Requirement::Not(_))
            };
            all.iter().zip(verdicts).all(is_neutral).then_some(true)
        }
        "requirenone" => verdicts.contains(&Some(true)).then_some(false),
        _ => any(verdicts),
    }
}

impl From {
    fn is_for(&self, values: &Values<'_>) -> Verdict {
        match self {
            Self::All => Some(true),
            Self::Visitors => None,
            Self::Environment(name, is_set) => {
                let found = values.variables.is_set(name)?;
                Some(found == *is_set)
            }
        }
    }
}

impl AllowDeny {
    /// Whether it grants access.
    fn verdict(&self, values: &Values<'_>) -> Verdict {
        let is_for = |all: &[From]| {
            let each: Vec<Verdict> = all.iter().map(|one| one.is_for(values)).collect();
            any(&each)
        };
        let (allows, denies) = (is_for(&self.allows), is_for(&self.denies));
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
    pub(super) fn require(&mut self, requirement: Requirement) {
        self.required.push(requirement);
    }

    /// Adds an `Order`, `Allow` or `Deny`, by its name in lower case.
    pub(super) fn add_older(&mut self, line: &Line, name: &str, names: &Names) {
        let older = self.older.get_or_insert(AllowDeny {
            allows_last: true,
            allows: Vec::new(),
            denies: Vec::new(),
        });
        let words = line.words().into_iter();
        let from = words.filter(|word| !word.eq_ignore_ascii_case("from"));
        let from = from.map(|word| match word.get(..4) {
            _ if word.eq_ignore_ascii_case("all") => From::All,
            Some(start) if start.eq_ignore_ascii_case("env=") => {
                let name = word[4..].strip_prefix('!');
                let is_set = name.is_none();
                let name = name.unwrap_or(&word[4..]);
                if names.has(name) {
                    From::Environment(name.to_owned(), is_set)
                } else {
                    From::Visitors
                }
            }
            _ => From::Visitors,
        });
        match name {
            "order" => {
                let first = line.rest.trim_start().get(..4);
                older.allows_last = first.is_some_and(|first| first.eq_ignore_ascii_case("deny"));
            }
            "allow" => older.allows.extend(from),
            "deny" => older.denies.extend(from),
            _ => {}
        }
    }
}

/// Whether all these access rules together refuse every visitor. Later ones take precedence.
pub(super) fn refuse<'a>(
    all: impl Iterator<Item = &'a Access>,
    values: &Values<'_>,
    work: &Work,
) -> Result<bool, NoAnswer> {
    let (mut required, mut older) = (None, None);
    for access in all {
        if !access.required.is_empty() {
            let verdicts = access.required.iter();
            let verdicts = verdicts.map(|one| one.verdict(values, work));
            let verdicts: Vec<Verdict> = verdicts.collect::<Result<_, _>>()?;
            required = Some(any(&verdicts));
        }
        if let Some(rules) = &access.older {
            older = Some(rules.verdict(values));
        }
    }
    Ok(required == Some(Some(false)) || older == Some(Some(false)))
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
