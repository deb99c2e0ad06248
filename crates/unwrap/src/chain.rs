//! Unwraps a URL layer by layer.

use crate::built_in::BUILT_IN;
use crate::coding::percent;
use crate::custom::{Custom, CustomError};
use crate::end::End;
use crate::extract::{form, target_of};
use crate::index::has_host;
use crate::request::{UrlParts, with_slashes};
use crate::wrapper::{Family, Wrapper};
use crate::{MAX_DEPTH, MAX_URL, lookalike};

/// Unwraps URLs, by the built-in table and custom wrappers.
#[derive(Clone, Debug, Default)]
pub struct Unwrapper {
    custom: Vec<Custom>,
}

/// The result of unwrapping a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwrapped<'w, 'u> {
    /// The URL as given.
    pub url: &'u str,
    /// The wrappers around the final URL, outermost first; empty if it is not wrapped.
    pub steps: Vec<Step<'w>>,
    /// Why the final URL is still wrapped; `None` if it is not a known wrapper.
    pub end: Option<End>,
    /// A hint about the target of an opaque wrapper, usually the host. It proves nothing.
    pub hint: Option<String>,
}

/// A wrapper around a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'w> {
    /// The name of the wrapper.
    pub wrapper: &'w str,
    /// The kind of service.
    pub family: Family,
    /// The URL in it; `None` if it could not be decoded, which ends the chain.
    pub target: Option<String>,
}

impl Unwrapped<'_, '_> {
    /// The URL in the innermost decoded wrapper, or the URL as given.
    #[must_use]
    pub fn final_url(&self) -> &str {
        let targets = self.steps.iter().rev();
        let mut targets = targets.filter_map(|step| step.target.as_deref());
        targets.next().unwrap_or(self.url)
    }

    /// Whether it is wrapped at all.
    #[must_use]
    pub fn is_wrapped(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// One unwrapped layer.
struct Layer<'w> {
    wrapper: &'w str,
    family: Family,
    target: Result<String, End>,
    hint: Option<String>,
}

impl Unwrapper {
    /// An unwrapper that tries these wrappers before the built-in ones.
    ///
    /// # Errors
    /// If a custom wrapper is invalid.
    pub fn with_custom(custom: Vec<Custom>) -> Result<Self, CustomError> {
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

    /// The wrapper whose host this URL imitates; `None` if the URL is a wrapper itself, or imitates none.
    #[must_use]
    pub fn lookalike(&self, url: &str) -> Option<&'static str> {
        let url = with_slashes(url);
        let request = UrlParts::new(&url).filter(|_| url.len() <= MAX_URL)?;
        lookalike::find(
            &BUILT_IN.rows,
            &BUILT_IN.index,
            &BUILT_IN.suspicious,
            &request,
        )
    }

    /// Unwraps the outermost layer; `None` if there is none.
    fn layer(&self, url: &str) -> Option<Layer<'_>> {
        let url = &*with_slashes(url);
        let request = UrlParts::new(url)?;
        let custom = self.custom.iter().find(|custom| custom.matches(&request));
        if let Some(custom) = custom {
            let target = bounded(url, || custom.target(&request));
            return Some(Layer {
                wrapper: &custom.name,
                family: Family::Custom,
                target,
                hint: None,
            });
        }
        let known = &*BUILT_IN;
        let rows = known.index.candidates(&request.host, request.path);
        rows.map(|number| known.rows[number])
            .filter(|row| has_host(row, &request.host))
            .find_map(|row| {
                let layer = unwrap_by(row, &request)?;
                let is_imitation =
                    row.hosts.is_empty() && known.own.are_imitated(row.name, &request.host);
                (!is_imitation).then_some(layer)
            })
    }
}

/// The target, unless the URL is too long.
fn bounded<T>(url: &str, target: impl FnOnce() -> Result<T, End>) -> Result<T, End> {
    if url.len() > MAX_URL {
        return Err(End::TooLong);
    }
    target()
}

/// Unwraps a URL by a row whose hosts match; `None` if the rest does not match.
fn unwrap_by<'w>(row: &'w Wrapper, request: &UrlParts<'_>) -> Option<Layer<'w>> {
    let captured = form(row, request)?;
    let target = match bounded(request.url, || Ok(target_of(row, request, captured))) {
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
