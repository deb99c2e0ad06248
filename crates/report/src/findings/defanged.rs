//! Findings and links with defanged texts: no program makes a link of a URL, host or address in them.
//!
//! Documents keep their names. The identifiers of findings are computed from the defanged values, and
//! therefore differ from a report that is not defanged.

use std::borrow::Cow;
use std::sync::Arc;

use crate::defang;
use baseref_findings::{BaseName, Finding, JudgedLink, Urls};

pub(super) fn finding(finding: &Finding) -> Finding {
    let mut shown = finding.clone();
    let text: fn(&str) -> Cow<'_, str> = if finding.rule.id.starts_with("mail/") {
        defang::names
    } else {
        defang::text
    };
    let shared = |text_of: &Arc<str>| Arc::<str>::from(text(text_of));
    shown.cause = shared(&finding.cause);
    shown.raw = shared(&finding.raw);
    shown.message = shared(&finding.message);
    shown.url = finding.url.as_ref().map(shared);
    shown.target = finding.target.as_ref().map(shared);
    if let Urls::Each(urls) = &finding.urls {
        let urls = urls.each_ref().map(|url| url.as_ref().map(shared));
        shown.urls = urls.into();
    }
    shown.base = finding.base.as_ref().map(|base| {
        Arc::new(BaseName {
            url: base.url.as_deref().map(|url| text(url).into_owned()),
            ..(**base).clone()
        })
    });
    let suggestions = finding.suggestions().iter();
    let suggestions: Vec<String> = suggestions.map(|one| text(one).into_owned()).collect();
    if !suggestions.is_empty() {
        shown.suggest(suggestions.into());
    }
    // A source line must be quoted verbatim, so it is left out.
    shown.line = None;
    shown.fix = None;
    shown
}

pub(super) fn link(link: &JudgedLink) -> JudgedLink {
    let text = defang::text;
    JudgedLink {
        raw: text(&link.raw).into_owned(),
        url: link.url.as_deref().map(|url| text(url).into_owned()),
        target: link
            .target
            .as_deref()
            .map(|target| text(target).into_owned()),
        ..link.clone()
    }
}
