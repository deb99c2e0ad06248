//! One row of the URL map: an old address, where it leads, and the verdict on it.

use super::verdict::AddressVerdict;
use crate::compare::ProposedPage;
use crate::compare::fingerprint::{is_drawing, is_fingerprinted, is_theme_file};
use baseref_server::follow::{End, MoveContext, RedirectChain, RuleLine};

/// One row of the URL map. Rows are small because there can be millions.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The old address.
    pub old_url: Box<str>,
    /// The URL at the end of its redirects.
    pub new_url: Box<str>,
    /// The status of the first answer, 0 if no server answers.
    pub status: u16,
    /// The number of redirects.
    pub hops: usize,
    /// The number of redirects that servers make without a rule.
    pub own_hops: usize,
    /// The verdict on the address.
    pub verdict: AddressVerdict,
    /// Whether the address should lead somewhere: rules are given, or a list names it.
    pub needs_rule: bool,
    /// The line of the rule that makes the target unknown; `None` if an unreadable folder does.
    pub undecided: Option<Box<RuleLine>>,
    /// Its traffic or priority as written in a list; empty if not given.
    pub weight: Box<str>,
    /// The likely new page, if the address is lost.
    pub proposed: Option<Box<ProposedPage>>,
    /// A message about the fallback page that the server sends instead, if it does.
    pub instead: Option<Box<str>>,
}

impl Row {
    /// The row of an address whose redirects are `chain`. With `is_listed` it should lead somewhere even
    /// if no rules are given.
    #[must_use]
    pub fn new(
        url: &str,
        chain: &RedirectChain,
        context: &MoveContext<'_>,
        is_listed: bool,
    ) -> Self {
        let form = baseref_resolve::normal::normal(
            url,
            &baseref_resolve::normal::NormalOptions::default(),
        );
        let new_url = match chain.end {
            // Without rules, the map shows where they should lead.
            End::NoRule if context.rules.is_empty() => context.prefixes.moved(&form),
            _ => None,
        };
        let fallback = match &chain.end {
            End::Fallback { path, by } => Some((String::from_utf8_lossy(path).into_owned(), *by)),
            _ => None,
        };
        // An address without a file in the old site may always have been rendered in the browser.
        let by_browser = fallback.as_ref().and_then(|(_, by)| *by);
        let by_browser =
            by_browser.filter(|_| chain.rule_hops() > 0 || context.old_file(url).is_none());
        Self {
            old_url: url.into(),
            new_url: new_url.map_or_else(|| chain.url.as_str().into(), String::into_boxed_str),
            status: chain.status,
            hops: chain.hops.len(),
            own_hops: chain.hops.len() - chain.rule_hops(),
            verdict: match AddressVerdict::new(chain, context) {
                _ if by_browser.is_some() => AddressVerdict::NotKnown,
                AddressVerdict::Lost if is_listed && chain.end == End::NoRule => {
                    AddressVerdict::NoRule
                }
                AddressVerdict::Lost if is_listed => AddressVerdict::Lost,
                AddressVerdict::Lost
                    if is_fingerprinted(url) || is_theme_file(url) || is_drawing(url) =>
                {
                    AddressVerdict::ReplacedAsset
                }
                verdict => verdict,
            },
            needs_rule: is_listed || !context.rules.is_empty(),
            undecided: match chain.end {
                End::Unknown(line) => Some(line),
                _ => by_browser,
            }
            .map(Box::new),
            weight: Box::default(),
            proposed: None,
            instead: fallback.map(|(path, _)| answered_with(&path).into()),
        }
    }

    /// Marks a page that is still there as lost: its query selected it, and the new site ignores the
    /// query.
    pub fn lose_by_query(&mut self) {
        if self.verdict == AddressVerdict::Ok {
            self.verdict = AddressVerdict::Lost;
            let message = "its new address has another page, whatever the query";
            self.instead = Some(message.into());
        }
    }

    /// Whether the address leads nowhere.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        match self.verdict {
            AddressVerdict::Lost | AddressVerdict::DeadTarget | AddressVerdict::Loop => true,
            AddressVerdict::NoRule => self.needs_rule,
            _ => false,
        }
    }

    /// Whether a rule should redirect it to the proposed page: it leads nowhere, and there is a
    /// proposal.
    #[must_use]
    pub fn needs_proposed_rule(&self) -> bool {
        matches!(
            self.verdict,
            AddressVerdict::Lost | AddressVerdict::NoRule | AddressVerdict::DeadTarget
        ) && self.proposed.is_some()
    }

    /// Whether the address is in a folder that could not be listed.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.verdict == AddressVerdict::NotKnown && self.undecided.is_none()
    }

    /// Marks a build artifact as lost: pages of the new site use it.
    pub fn lose_asset(&mut self) {
        if self.verdict == AddressVerdict::ReplacedAsset {
            self.verdict = AddressVerdict::Lost;
        }
    }

    /// Notes that a browser rendered the page. Where the server sends a fallback page, a browser may
    /// render it again, so the verdict is open.
    pub fn leave_to_browser(&mut self, chain: &RedirectChain) {
        if let End::Fallback { by: Some(by), .. } = chain.end {
            self.verdict = AddressVerdict::NotKnown;
            self.undecided = Some(Box::new(by));
        }
    }
}

/// The message about an address for which the server sends its fallback page.
pub(super) fn answered_with(page: &str) -> String {
    format!("it is answered with {page} (status 200), as is every missing address")
}

/// The message about an address whose target depends on this line of the rules.
pub(super) fn not_known(by: RuleLine, context: &MoveContext<'_>) -> String {
    let place = context.rules.get(by.file).map(|file| file.place(by.line));
    let place = match place {
        Some(place) if place.file.is_some() => place.to_string(),
        _ => format!("line {} of the rules", by.line),
    };
    format!("{place} decides it, by something that baseref does not read or know")
}
