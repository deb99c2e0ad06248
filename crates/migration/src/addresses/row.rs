//! One row of the URL map: an old address, where it leads, and the verdict on it.

use crate::compare::Proposed;
use crate::compare::fingerprint::is_fingerprinted;
use crate::tree::exists;
use baseref_server::follow::{End, MoveContext, RedirectChain};

/// One row of the URL map, kept small: there can be millions.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The old address.
    pub old_url: Box<str>,
    /// Where it leads.
    pub new_url: Box<str>,
    /// The status of the first answer, 0 if no server answers.
    pub status: u16,
    /// The number of redirects.
    pub hops: usize,
    /// The number of those that servers make by themselves.
    pub own_hops: usize,
    /// The verdict on it.
    pub verdict: &'static str,
    /// What decides where it leads, if that is not known: the index of the file of rules, and the line.
    pub undecided: Option<Box<(usize, usize)>>,
    /// Its traffic or priority by a list, as written; empty if not given.
    pub weight: Box<str>,
    /// The new page that it may have become, if it is lost.
    pub proposed: Option<Box<Proposed>>,
    /// What is said of the page that it is answered with, if that is another than the one meant.
    pub instead: Option<Box<str>>,
}

impl Row {
    /// The row of one address.
    #[must_use]
    pub fn new(url: &str, chain: &RedirectChain, context: &MoveContext<'_>) -> Self {
        let form = baseref_resolve::normal::normal(
            url,
            &baseref_resolve::normal::NormalOptions::default(),
        );
        let new_url = match chain.end {
            // Without rules the map shows what they should do.
            End::NoRule if context.rules.is_empty() => context.prefixes.moved(&form),
            _ => None,
        };
        let fallback = match &chain.end {
            End::Fallback { path, by } => Some((String::from_utf8_lossy(path).into_owned(), *by)),
            _ => None,
        };
        // What was no page of the old tree may always have been made in the browser.
        let by_browser = fallback.as_ref().and_then(|(_, by)| *by);
        let by_browser = by_browser.filter(|_| chain.rule_hops() > 0 || !exists(context.old, url));
        Self {
            old_url: url.into(),
            new_url: new_url.map_or_else(|| chain.url.as_str().into(), String::into_boxed_str),
            status: chain.status,
            hops: chain.hops.len(),
            own_hops: chain.hops.len() - chain.rule_hops(),
            verdict: match verdict(chain) {
                _ if by_browser.is_some() => "not-known",
                "lost-page" if is_fingerprinted(url) => "replaced-asset",
                verdict => verdict,
            },
            undecided: match chain.end {
                End::Unknown(file, line) => Some((file, line)),
                _ => by_browser,
            }
            .map(Box::new),
            weight: Box::default(),
            proposed: None,
            instead: fallback.map(|(path, _)| answered_with(&path).into()),
        }
    }

    /// Takes back that it leads to its page: which page it was, its query said, and that chooses nothing
    /// any more.
    pub fn lose_by_query(&mut self) {
        if self.verdict == "page-ok" {
            self.verdict = "lost-page";
            let message = "its new address has another page, whatever the query";
            self.instead = Some(message.into());
        }
    }

    /// Whether a rule should lead to the proposed page: it leads nowhere, and one page is likelier
    /// than others.
    #[must_use]
    pub fn wants_proposed(&self) -> bool {
        matches!(
            self.verdict,
            "lost-page" | "redirect/missing" | "redirect/dead-target"
        ) && self.proposed.is_some()
    }

    /// Says that what the page is was made in the browser: where a page that stands for all answers, it
    /// may be made there again.
    pub fn leave_to_browser(&mut self, chain: &RedirectChain) {
        if let End::Fallback { by: Some(by), .. } = chain.end {
            self.verdict = "not-known";
            self.undecided = Some(Box::new(by));
        }
    }
}

/// The verdict on a chain.
#[must_use]
pub fn verdict(chain: &RedirectChain) -> &'static str {
    match &chain.end {
        End::Found { .. } if chain.rule_hops() == 0 => "page-ok",
        End::Found { .. } if chain.rule_hops() == 1 => "page-redirected",
        End::Found { .. } => "redirect/chain",
        End::Refused(410) => "page-retired",
        End::Refused(_) | End::Fallback { .. } if chain.rule_hops() > 0 => "redirect/dead-target",
        End::Refused(_) | End::Fallback { .. } => "lost-page",
        End::Loop => "redirect/loop",
        End::Elsewhere => "redirect/offsite",
        End::NoRule => "redirect/missing",
        End::Unknown(..) => "not-known",
    }
}

/// What to say of an address that is answered with one page, like all that are not there.
pub(super) fn answered_with(page: &str) -> String {
    format!("it is answered with {page} (status 200), as everything is that is not there")
}

/// What to say of an address for which a line of the rules decides what is not known here.
pub(super) fn not_known(line: usize) -> String {
    format!("line {line} of the rules decides it, by what is not read or not known here")
}
