//! The verdict on an old address.

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_server::follow::stubs::is_loopback;
use baseref_server::follow::{End, MoveContext, RedirectChain};

/// The verdict on an old address, which decides its findings, its row of the URL map, the rule that is
/// written for it and its part in the verdict on the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressVerdict {
    /// It is answered with a page.
    Ok,
    /// One rule redirects it to a page.
    Redirected,
    /// Several rules, one after the other, redirect it to a page.
    Chain,
    /// It is answered with 410.
    Retired,
    /// It is redirected to another site.
    Offsite,
    /// It has no page.
    Lost,
    /// It has no file, but is the address of a build artifact that only old pages use.
    ReplacedAsset,
    /// Its site redirects it nowhere.
    NoRule,
    /// It is redirected to an address without a page.
    DeadTarget,
    /// Its redirects do not end.
    Loop,
    /// Unsupported rules or unreadable folders decide.
    NotKnown,
}

impl AddressVerdict {
    /// Every verdict, in the order of the summary.
    pub const ALL: [Self; 11] = [
        Self::Ok,
        Self::Redirected,
        Self::Chain,
        Self::Retired,
        Self::Offsite,
        Self::Lost,
        Self::ReplacedAsset,
        Self::NoRule,
        Self::DeadTarget,
        Self::Loop,
        Self::NotKnown,
    ];

    /// The verdict on an address whose redirects are `chain`. Where no rule is known for an address, its
    /// new address decides.
    #[must_use]
    pub fn new(chain: &RedirectChain, context: &MoveContext<'_>) -> Self {
        let is_by_rule = chain.rule_hops() > 0;
        match &chain.end {
            End::Found { .. } => match chain.rule_hops() {
                0 => Self::Ok,
                1 => Self::Redirected,
                _ => Self::Chain,
            },
            End::Refused(410) => Self::Retired,
            End::Refused(_) | End::Fallback { .. } if is_by_rule => Self::DeadTarget,
            End::Refused(_) | End::Fallback { .. } => Self::Lost,
            End::Loop => Self::Loop,
            End::Elsewhere if is_by_rule && is_astray(&chain.url, context) => Self::DeadTarget,
            End::Elsewhere => Self::Offsite,
            End::NoRule => Self::without_rule(&chain.url, context),
            End::Unknown(..) | End::Unread => Self::NotKnown,
        }
    }

    /// The verdict on an address that its own site does not redirect.
    fn without_rule(url: &str, context: &MoveContext<'_>) -> Self {
        let moved = context.moved_chain(url).map(|chain| chain.end);
        match moved {
            Some(End::Refused(_) | End::Fallback { by: None, .. }) if context.rules.is_empty() => {
                Self::Lost
            }
            Some(End::Loop) => Self::Loop,
            Some(End::Unread | End::Unknown(..)) => Self::NotKnown,
            _ => Self::NoRule,
        }
    }

    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "page-ok",
            Self::Redirected => "page-redirected",
            Self::Chain => "redirect/chain",
            Self::Retired => "page-retired",
            Self::Offsite => "redirect/offsite",
            Self::Lost => "lost-page",
            Self::ReplacedAsset => "replaced-asset",
            Self::NoRule => "redirect/missing",
            Self::DeadTarget => "redirect/dead-target",
            Self::Loop => "redirect/loop",
            Self::NotKnown => "not-known",
        }
    }

    /// The description after a number of old addresses: `3 still there`.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Ok => "still there",
            Self::Redirected => "redirected to a page",
            Self::Chain => "redirected more than once",
            Self::Retired => "retired (410)",
            Self::Offsite => "redirected to other sites",
            Self::Lost => "lost",
            Self::ReplacedAsset => "of renamed build artifacts",
            Self::NoRule => "without a rule",
            Self::DeadTarget => "redirected to missing pages",
            Self::Loop => "in redirect loops",
            Self::NotKnown => "undecided",
        }
    }
}

/// Whether a redirect target is the machine of the reader, to which no prefix of the move belongs.
#[must_use]
pub fn is_astray(url: &str, context: &MoveContext<'_>) -> bool {
    let prefixes = &mut context.prefixes.pairs();
    is_loopback(&normal(url, &NormalOptions::default()))
        && !prefixes.any(|(old, new)| is_loopback(old) || is_loopback(new))
}
