//! A URL without its wrappers, for the page to show.

use std::sync::OnceLock;

use baseref_unwrap::{End, Unwrapper};
use serde::Serialize;

#[derive(Serialize)]
struct Opened<'u> {
    /// The last URL that is known.
    url: &'u str,
    /// The wrappers, outermost first.
    steps: Vec<Step<'u>>,
    /// Why the last URL is still a wrapper.
    end: Option<&'static str>,
    /// What such a wrapper says of its target.
    hint: Option<&'u str>,
}

#[derive(Serialize)]
struct Step<'u> {
    wrapper: &'u str,
    target: Option<&'u str>,
}

/// A URL without its wrappers, as JSON; `None` if it has none.
#[must_use]
pub fn opened(url: &str) -> Option<String> {
    static UNWRAPPER: OnceLock<Unwrapper> = OnceLock::new();
    let unwrapped = UNWRAPPER.get_or_init(Unwrapper::default).unwrap(url);
    if !unwrapped.is_wrapped() {
        return None;
    }
    let steps = unwrapped.steps.iter();
    let opened = Opened {
        url: unwrapped.final_url(),
        steps: steps
            .map(|step| Step {
                wrapper: step.wrapper,
                target: step.target.as_deref(),
            })
            .collect(),
        end: unwrapped.end.map(End::as_str),
        hint: unwrapped.hint.as_deref(),
    };
    serde_json::to_string(&opened).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwrapped_url_shown_once() {
        let wrapped = "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx";
        let opened_one = opened(wrapped).expect("the URL is wrapped");
        assert!(opened_one.starts_with(r#"{"url":"https://a.example/x","steps":[{"wrapper":"#));
        assert_eq!(opened("https://a.example/x"), None);
    }
}
