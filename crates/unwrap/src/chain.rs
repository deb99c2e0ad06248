//! Unwraps a URL layer by layer.

use crate::coding::percent;
use crate::custom::{Custom, CustomError};
use crate::end::End;
use crate::extract::{form, target_of};
use crate::index::has_host;
use crate::known::KNOWN;
use crate::request::{Request, with_slashes};
use crate::wrapper::{Family, Wrapper};
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
        lookalike::find(&KNOWN.rows, &KNOWN.index, &KNOWN.suspicious, &request)
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
