//! A chain of redirects, and its end.

/// The maximum number of redirects that a client follows.
pub const MAX_HOPS: usize = 20;

/// A rule, by its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    /// The index of the file, in the order of the command line.
    pub file: usize,
    /// The index of the rule in it.
    pub rule: usize,
}

/// A line of a rule file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleLine {
    /// The index of the file, in the order of the command line.
    pub file: usize,
    /// The line, 1-based; 0 if it is not known.
    pub line: usize,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The target URL.
    pub to: String,
    /// 3xx.
    pub status: u16,
    /// The rule; `None` for a redirect without a rule, or of the whole prefix.
    pub rule: Option<RuleId>,
    /// Whether it is built into the server, such as from `/d` to `/d/`.
    pub is_own: bool,
    /// Whether it is the refresh of a page, which a server answers with 200.
    pub is_refresh: bool,
    /// Whether it is the refresh of a page that drops the fragment of the request, which HTTP redirects
    /// pass on.
    pub drops_fragment: bool,
}

impl Hop {
    /// A permanent redirect by no rule.
    pub(super) const fn permanent(to: String) -> Self {
        Self {
            to,
            status: 301,
            rule: None,
            is_own: false,
            is_refresh: false,
            drops_fragment: false,
        }
    }
}

/// How a chain of redirects ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At a file, given by its path below the root of its server.
    Found {
        /// The path, decoded.
        path: Vec<u8>,
    },
    /// With an error status.
    Refused(u16),
    /// At the page that answers for every missing address.
    Fallback {
        /// Its path, decoded.
        path: Vec<u8>,
        /// The line that configures it; `None` if it is built into the server.
        by: Option<RuleLine>,
    },
    /// In a loop, or after too many redirects.
    Loop,
    /// At an address in neither tree.
    Elsewhere,
    /// At an old address that no rule redirects.
    NoRule,
    /// At an unsupported rule.
    Unknown(RuleLine),
    /// In a folder that could not be listed.
    Unread,
}

/// The redirects followed from one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectChain {
    /// The redirects, in order.
    pub hops: Vec<Hop>,
    /// The final URL, as requested from the last server.
    pub url: String,
    /// How they end.
    pub end: End,
    /// The status of the first answer.
    pub status: u16,
    /// The rule by which the last server gives its final answer.
    pub last_rule: Option<RuleId>,
    /// Whether a page on the way drops the fragment of the address.
    pub drops_fragment: bool,
}

impl RedirectChain {
    /// Whether a rule applies to the address, or to one that it is redirected to.
    #[must_use]
    pub fn is_by(&self, rule: RuleId) -> bool {
        self.last_rule == Some(rule) || self.hops.iter().any(|hop| hop.rule == Some(rule))
    }

    /// The number of redirects by rules rather than built into servers.
    #[must_use]
    pub fn rule_hops(&self) -> usize {
        self.hops.iter().filter(|hop| !hop.is_own).count()
    }
}

/// The answer of one server, and its file of rules.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Hop(Hop),
    /// An end, its status, and its rule.
    End(End, u16, Option<RuleId>),
    /// No server answers.
    Nothing,
}
