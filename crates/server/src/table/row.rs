//! The columns of the table of servers.

use baseref_site::hosting::Preset;

use crate::include_search::Includes;

/// A web server or hosting service, or a way to write down redirects.
#[derive(Debug)]
pub struct Server {
    /// The name on the command line.
    pub name: &'static str,
    /// How it answers for folders and extensions without any rules, if it serves files.
    pub hosting: Option<Preset>,
}

/// The properties of a dialect of redirect rules.
#[derive(Debug)]
pub struct Format {
    /// The names of its files in lower case, with at most one `*`. Of two that match, the one with the
    /// longer text before its `*` decides.
    pub files: &'static [&'static str],
    /// Where its rules are kept.
    pub location: RulesLocation,
    /// Which rules are read, for the documentation.
    pub reads: &'static str,
    /// The program that the answers were compared with, for the documentation.
    pub compared_with: &'static str,
    /// How its files name others, if they do.
    pub(crate) includes: Option<&'static Includes>,
    /// Whether every rule is applied before files are looked up, so that a rule can hide a page.
    pub rules_precede_files: bool,
    /// Whether missing addresses are answered with the start page, even without a rule.
    pub has_start_page_fallback: bool,
}

impl Format {
    /// The values of the fields that a row leaves out.
    pub(super) const DEFAULT: Self = Self {
        files: &[],
        location: RulesLocation::OnServer,
        reads: "",
        compared_with: "no server",
        includes: None,
        rules_precede_files: false,
        has_start_page_fallback: false,
    };
}

/// Where the rules of a dialect are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesLocation {
    /// In a plan of redirects, which no server reads.
    InPlan,
    /// On the server of the old site.
    OnServer,
    /// In the tree of the new site, with which they are deployed.
    InTree,
}
