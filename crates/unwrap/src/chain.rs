//! Unwraps a URL layer by layer.

use crate::coding::{self, percent};
use crate::custom::{Custom, CustomError};
use crate::index::has_host;
use crate::known::KNOWN;
use crate::pattern::{self, Separator};
use crate::request::{Request, with_slashes};
use crate::target::{self, Target};
use crate::wrapper::{Failure, Family, Take, Wrapper};
use crate::{MAX_DEPTH, MAX_URL, lookalike};

/// The known wrappers, and those of a configuration.
#[derive(Clone, Debug, Default)]
pub struct Unwrapper {
    custom: Vec<Custom>,
}

/// A URL and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwrapped<'w, 'u> {
    /// The URL as given.
    pub url: &'u str,
    /// The wrappers around the final URL, outermost first; empty if it is not wrapped.
    pub steps: Vec<Step<'w>>,
    /// Why the final URL is still a wrapper; `None` if it is not known to be one.
    pub end: Option<End>,
    /// What an opaque wrapper says of its target: usually the host. It is no proof.
    pub hint: Option<String>,
}

/// One wrapper that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'w> {
    /// The name of the wrapper.
    pub wrapper: &'w str,
    /// What sort of service makes it.
    pub family: Family,
    /// The URL in it, if it could be decoded; only the last step can be without one.
    pub target: Option<String>,
}

/// Why a chain ends at a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Only the service knows the target.
    Opaque,
    /// The target is missing, damaged or no absolute URL.
    Undecodable,
    /// The target has a scheme that is not followed from mail, such as `javascript:`.
    BadTarget,
    /// The target was in the chain before.
    Loop,
    /// There are more than [`MAX_DEPTH`] wrappers.
    Depth,
    /// The URL is longer than [`MAX_URL`].
    TooLong,
}

impl End {
    /// Its name in reports: `opaque`, `undecodable`, `bad-target`, `loop`, `depth` or `too-long`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Undecodable => "undecodable",
            Self::BadTarget => "bad-target",
            Self::Loop => "loop",
            Self::Depth => "depth",
            Self::TooLong => "too-long",
        }
    }
}

impl Unwrapped<'_, '_> {
    /// The last URL that is known: the one in the innermost wrapper, or the URL as given.
    #[must_use]
    pub fn final_url(&self) -> &str {
        let targets = self.steps.iter().rev();
        let mut targets = targets.filter_map(|step| step.target.as_deref());
        targets.next().unwrap_or(self.url)
    }

    /// Whether there is any wrapper around it.
    #[must_use]
    pub fn is_wrapped(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// What one wrapper gave.
struct Layer<'w> {
    wrapper: &'w str,
    family: Family,
    target: Result<String, End>,
    hint: Option<String>,
}

impl Unwrapper {
    /// The known wrappers and these, which are tried first.
    ///
    /// # Errors
    /// What is wrong with the first of these that cannot be used.
    pub fn with(custom: Vec<Custom>) -> Result<Self, CustomError> {
        custom.iter().try_for_each(Custom::check)?;
        Ok(Self { custom })
    }

    /// Unwraps a URL as far as possible.
    #[must_use]
    pub fn unwrap<'w, 'u>(&'w self, url: &'u str) -> Unwrapped<'w, 'u> {
        let mut unwrapped = Unwrapped {
            url,
            steps: Vec::new(),
            end: None,
            hint: None,
        };
        while let Some(layer) = self.layer(unwrapped.final_url()) {
            if unwrapped.steps.len() == MAX_DEPTH {
                unwrapped.end = Some(End::Depth);
                break;
            }
            let is_new = |target: &String| {
                let mut known = unwrapped.steps.iter().map(|step| step.target.as_deref());
                target != url && !known.any(|known| known == Some(target))
            };
            let target = match layer.target {
                Ok(target) if is_new(&target) => Some(target),
                Ok(_) => {
                    unwrapped.end = Some(End::Loop);
                    None
                }
                Err(end) => {
                    unwrapped.end = Some(end);
                    None
                }
            };
            unwrapped.hint = layer.hint;
            unwrapped.steps.push(Step {
                wrapper: layer.wrapper,
                family: layer.family,
                target,
            });
            if unwrapped.end.is_some() {
                break;
            }
        }
        unwrapped
    }

    /// The wrapper whose host this URL imitates, if it is none itself.
    #[must_use]
    pub fn lookalike(&self, url: &str) -> Option<&'static str> {
        let url = with_slashes(url);
        let request = Request::new(&url).filter(|_| url.len() <= MAX_URL)?;
        lookalike::of(&KNOWN.rows, &KNOWN.suspicious, &request)
    }

    /// Opens the outermost wrapper.
    fn layer(&self, url: &str) -> Option<Layer<'_>> {
        let url = &*with_slashes(url);
        let request = Request::new(url)?;
        let custom = self.custom.iter().find(|custom| custom.fits(&request));
        if let Some(custom) = custom {
            let target = whole(url, || custom.target(&request));
            return Some(Layer {
                wrapper: &custom.name,
                family: Family::Custom,
                target,
                hint: None,
            });
        }
        let known = &*KNOWN;
        let rows = known.index.candidates(&request.host, request.path);
        rows.map(|number| known.rows[number])
            .filter(|row| has_host(row, &request.host))
            .find_map(|row| {
                let layer = open(row, &request)?;
                let is_imitation =
                    row.hosts.is_empty() && known.own.are_imitated(row.name, &request.host);
                (!is_imitation).then_some(layer)
            })
    }
}

/// What a URL gives that is not too long.
fn whole<T>(url: &str, target: impl FnOnce() -> Result<T, End>) -> Result<T, End> {
    if url.len() > MAX_URL {
        return Err(End::TooLong);
    }
    target()
}

/// Opens a URL by a row whose hosts fit; `None` if the rest does not.
fn open<'w>(row: &'w Wrapper, request: &Request<'_>) -> Option<Layer<'w>> {
    let captured = form(row, request)?;
    let target = match whole(request.url, || Ok(target_of(row, request, captured))) {
        Ok(Ok(target)) => Ok(target),
        Ok(Err(None)) => return None,
        Ok(Err(Some(end))) | Err(end) => Err(end),
    };
    let hint = row.hint.filter(|_| target.is_err());
    let hint = hint.and_then(|name| request.parameter(&[name], false));
    Some(Layer {
        wrapper: row.name,
        family: row.family,
        target,
        hint: hint.map(|hint| percent::decode_once(hint).into_owned()),
    })
}

/// What the path captures, if everything but the host fits a row.
pub fn form<'u>(row: &Wrapper, request: &Request<'u>) -> Option<&'u str> {
    if !request.query.starts_with(row.query) {
        return None;
    }
    let mut paths = row.paths.iter();
    let captured = paths.find_map(|path| pattern::matches(path, request.path, Separator::Slash))?;
    let has_all = row.needs.iter().all(|name| request.has(name));
    has_all.then_some(captured)
}

/// The target by a row that fits; an error without a reason if the row does not fit after all.
pub fn target_of(
    row: &Wrapper,
    request: &Request<'_>,
    captured: &str,
) -> Result<String, Option<End>> {
    let with_rest;
    let value = match row.take {
        Take::Nothing => return Err(Some(End::Opaque)),
        Take::Parameter(names) => request
            .parameter(names, false)
            .map(|value| whole_of(request, value)),
        Take::ParameterInAnyCase(names) => request
            .parameter(names, true)
            .map(|value| whole_of(request, value)),
        Take::Captured => Some(captured),
        // What is escaped as a whole ends where the wrapper's own query begins.
        Take::CapturedAndRest if percent::is_escaped_url(captured) => Some(captured),
        Take::CapturedAndRest => {
            with_rest = format!("{captured}{}", request.rest());
            Some(&*with_rest)
        }
        Take::Between(before, after) => {
            let rest = request.path.split_once(before).map(|(_, rest)| rest);
            rest.and_then(|rest| Some(rest.rsplit_once(after)?.0))
        }
        Take::Query => Some(request.query),
        Take::QueryAfter(before) => request.rest().rsplit_once(before).map(|(_, rest)| rest),
        Take::Url => Some(request.url),
    };
    let value = value.filter(|value| !value.is_empty());
    let value = value.ok_or_else(|| row.absent.end())?;
    let text = coding::decode(row.coding, value, request).filter(|_| !percent::is_cut(value));
    let text = text.ok_or_else(|| row.broken.end())?;
    match target::read(&text, row.has_bare_hosts) {
        Target::Url(url) => Ok(url),
        Target::Bad => Err(Some(End::BadTarget)),
        Target::None => Err(row.broken.end()),
    }
}

/// The value of a parameter, up to the end of the query if it is a URL of the same wrapper that is
/// written plain: its own parameters follow.
fn whole_of<'u>(request: &Request<'u>, value: &'u str) -> &'u str {
    // Nearly every value is escaped.
    let is_plain = value.as_bytes().iter().take(6).any(|byte| *byte == b':');
    let page = |url: &'u str| {
        let (_, rest) = url.split_once("://")?;
        Some(rest.split_once('?')?.0)
    };
    let same = is_plain
        .then(|| page(value).zip(page(request.url)))
        .flatten();
    if !same.is_some_and(|(inner, outer)| inner.eq_ignore_ascii_case(outer)) {
        return value;
    }
    let start = request.query.find(value).unwrap_or(request.query.len());
    &request.query[start..]
}

impl Failure {
    fn end(self) -> Option<End> {
        match self {
            Self::Undecodable => Some(End::Undecodable),
            Self::Opaque => Some(End::Opaque),
            Self::Other => None,
        }
    }
}
