//! Servers and dialects by their names, and dialects by the names of their files.

use std::collections::BTreeSet;
use std::fmt;

use baseref_site::hosting::Hosting;

use super::row::RulesLocation;
use super::rows::{Dialect, SERVERS};

/// The hosting preset of this name.
#[must_use]
pub fn hosting(name: &str) -> Option<Hosting> {
    let server = SERVERS.iter().find(|server| server.name == name)?;
    let preset = server.hosting.as_ref()?;
    Some(Hosting::from_preset(server.name, preset))
}

/// The names of all hosting presets, the default first.
pub fn hosting_names() -> impl Iterator<Item = &'static str> {
    let served = SERVERS.iter().filter(|server| server.hosting.is_some());
    served.map(|server| server.name)
}

/// The names of files that a site has because it is served with this hosting preset.
#[must_use]
pub fn marks(hosting: &str) -> &'static [&'static str] {
    let server = SERVERS.iter().find(|server| server.name == hosting);
    let preset = server.and_then(|server| server.hosting.as_ref());
    preset.map_or(&[], |preset| preset.marks)
}

/// The names of the rule files that servers look for in the site itself, in alphabetical order.
#[must_use]
pub fn rule_files_of_sites() -> BTreeSet<&'static str> {
    let presets = SERVERS.iter().filter_map(|server| server.hosting.as_ref());
    let names = presets.flat_map(|preset| preset.marks).copied();
    let has_rules = |name: &&str| {
        let dialects = Dialect::candidates(name);
        let is_named = dialects.len() < Dialect::ALL.len();
        is_named && dialects.iter().all(|dialect| !dialect.is_plan())
    };
    names.filter(has_rules).collect()
}

impl Dialect {
    /// The dialect of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|d| d.as_str() == name)
    }

    /// The names of all dialects.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|dialect| dialect.as_str())
    }

    /// The dialect of a file of this name, if the name alone determines it.
    ///
    /// `_redirects` does not: Netlify and Cloudflare read it differently. A JSON file whose name belongs
    /// to no service is a plan.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        match Self::candidates(name)[..] {
            [dialect] => Some(dialect),
            [Self::Json, ..] => Some(Self::Json),
            _ => None,
        }
    }

    /// The dialects that a file of this name can be in: several if the name does not decide, all if it
    /// says nothing.
    #[must_use]
    pub fn candidates(name: &str) -> Vec<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.to_ascii_lowercase();
        let rank = |dialect: &Self| {
            let files = dialect.format().files.iter();
            files.filter_map(|pattern| rank(pattern, &name)).max()
        };
        let ranks: Vec<Option<usize>> = Self::ALL.iter().map(rank).collect();
        let best = ranks.iter().max().copied().flatten();
        let ranked = Self::ALL.iter().zip(ranks);
        let best = ranked.filter(|(_, rank)| *rank == best);
        best.map(|(dialect, _)| *dialect).collect()
    }

    /// Whether it is a plan of redirects, which no server reads.
    #[must_use]
    pub fn is_plan(self) -> bool {
        self.format().location == RulesLocation::InPlan
    }

    /// Whether the rules belong to the old site rather than to the tree of the new one.
    #[must_use]
    pub fn is_of_old_site(self) -> bool {
        self.format().location != RulesLocation::InTree
    }
}

/// How closely a pattern matches a file name: by the length of the text before its `*`; a whole name is
/// closest.
fn rank(pattern: &str, name: &str) -> Option<usize> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(usize::MAX),
        Some((start, end)) => {
            let rest = name.strip_prefix(start)?;
            rest.ends_with(end).then_some(start.len())
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_files_that_servers_look_for_in_sites() {
        let names: Vec<&str> = rule_files_of_sites().into_iter().collect();
        assert_eq!(
            names,
            [
                ".htaccess",
                "Caddyfile",
                "_redirects",
                "firebase.json",
                "staticwebapp.config.json",
                "vercel.json",
                "web.config",
            ]
        );
    }

    #[test]
    fn candidates_by_file_name() {
        for (name, expected) in [
            (
                "new/_redirects",
                &[Dialect::Netlify, Dialect::Cloudflare][..],
            ),
            ("site.CONF", &[Dialect::Apache, Dialect::Nginx]),
            ("etc/nginx.conf", &[Dialect::Nginx]),
            ("httpd.CONF", &[Dialect::Apache]),
            ("apache2.conf", &[Dialect::Apache]),
            ("a/.htaccess", &[Dialect::Htaccess]),
            ("plan.csv", &[Dialect::Csv]),
            ("a/firebase.json", &[Dialect::Firebase]),
            ("vercel.json", &[Dialect::Vercel]),
            (".next/routes-manifest.json", &[Dialect::Next]),
            ("etc/Caddyfile", &[Dialect::Caddy]),
            (
                "redirects.json",
                &[
                    Dialect::Json,
                    Dialect::Firebase,
                    Dialect::Vercel,
                    Dialect::Next,
                    Dialect::Swa,
                    Dialect::S3,
                ],
            ),
            ("rules", Dialect::ALL),
            ("_redirects.txt", Dialect::ALL),
        ] {
            assert_eq!(Dialect::candidates(name), expected, "{name}");
        }
        assert_eq!(Dialect::from_file_name("a.json"), Some(Dialect::Json));
        assert_eq!(Dialect::from_file_name("_redirects"), None);
    }

    #[test]
    fn rows_have_distinct_names_and_documented_sources() {
        for (number, server) in SERVERS.iter().enumerate() {
            let first = SERVERS.iter().position(|other| other.name == server.name);
            assert_eq!(first, Some(number), "{}", server.name);
            let Some(preset) = &server.hosting else {
                continue;
            };
            assert!(!preset.source.is_empty(), "{}", server.name);
            let (year, month) = preset.dated.split_once('-').expect(server.name);
            assert!(year.len() == 4 && month.len() == 2, "{}", server.name);
            assert!(preset.extensions.iter().all(|e| e.starts_with('.')));
        }
        assert_eq!(hosting("Strict"), None);
        assert_eq!(hosting("csv"), None);
        assert_eq!(hosting_names().next(), Some("strict"));
        assert_eq!(hosting("strict"), Some(Hosting::default()));
    }
}
