//! Classifies what a move does to a link, under one rule set.

use baseref_findings::Level;
use baseref_reader::base::BaseSource;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{has_host, has_scheme, is_opaque, origin};
use baseref_resolve::{ResolveError, scheme};
use baseref_site::moves::{Overlap, Prefixes, Side};

/// What happens to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveClass {
    /// It leads to the same page at its new location.
    Moves,
    /// It leads to the new location already.
    AlreadyNew,
    /// It leads to another site, before and after.
    External,
    /// It leads to another site by the scheme of its page, which changes.
    ExternalSchemeFollows,
    /// It has no page as its target: `mailto:`, `data:`, `javascript:`.
    Opaque,
    /// It leads to a page on the old host that does not move, before and after.
    OutsidePrefix,
    /// It would still lead to the old location.
    Pinned,
    /// It would still declare the old address of the page to search engines or browsers.
    CanonicalPinned,
    /// It would resolve outside the new prefix.
    ClimbsOut,
    /// It would resolve outside the new prefix, although the target stays outside the old one.
    EscapesPrefix,
    /// It would lead to a different page.
    ChangedMeaning,
    /// No base is known.
    Undetermined,
    /// It does not resolve to a URL with a host.
    Malformed,
    /// Its target is below both prefixes, and neither site has the file.
    AmbiguousOverlap,
}

impl MoveClass {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 14] = [
        Self::Moves,
        Self::AlreadyNew,
        Self::External,
        Self::ExternalSchemeFollows,
        Self::Opaque,
        Self::OutsidePrefix,
        Self::Pinned,
        Self::CanonicalPinned,
        Self::ClimbsOut,
        Self::EscapesPrefix,
        Self::ChangedMeaning,
        Self::Undetermined,
        Self::Malformed,
        Self::AmbiguousOverlap,
    ];

    /// The name in reports; the id of the rule is `move/` and this name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moves => "moves-with-tree",
            Self::AlreadyNew => "already-new",
            Self::External => "external",
            Self::ExternalSchemeFollows => "external-scheme-follows",
            Self::Opaque => "opaque",
            Self::OutsidePrefix => "outside-prefix",
            Self::Pinned => "pinned-to-old",
            Self::CanonicalPinned => "canonical-pinned",
            Self::ClimbsOut => "climbs-out",
            Self::EscapesPrefix => "escapes-prefix",
            Self::ChangedMeaning => "changed-meaning",
            Self::Undetermined => "undetermined",
            Self::Malformed => "malformed",
            Self::AmbiguousOverlap => "ambiguous-overlap",
        }
    }

    /// The class after a number of links: `3 that keep working`.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::Moves => "that keep working",
            Self::AlreadyNew => "to the new location already",
            Self::External => "to other sites",
            Self::ExternalSchemeFollows => "to other sites by the new scheme",
            Self::Opaque => "mailto/data/javascript",
            Self::OutsidePrefix => "to pages outside the move",
            Self::Pinned => "to the old location",
            Self::CanonicalPinned => "that declare the old address",
            Self::ClimbsOut => "that would leave the new location",
            Self::EscapesPrefix => "that would miss pages outside the move",
            Self::ChangedMeaning => "to a different page",
            Self::Undetermined => "without a known base",
            Self::Malformed => "without a URL",
            Self::AmbiguousOverlap => "below both locations",
        }
    }

    /// What the class means, after a number of links: `3 links would still lead to the old location`.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Moves => "would lead to the same page at its new location",
            Self::AlreadyNew => "would lead to the new location, as now",
            Self::External => "would lead to another site, as now",
            Self::ExternalSchemeFollows => {
                "would lead to another site, by the new scheme of the page"
            }
            Self::Opaque => "would lead to no page, as now (mailto, data, javascript)",
            Self::OutsidePrefix => "would lead to a page outside the move, as now",
            Self::Pinned => "would still lead to the old location",
            Self::CanonicalPinned => "would still declare the old address of the page",
            Self::ClimbsOut => "would leave the new location",
            Self::EscapesPrefix => {
                "would resolve outside the new location to a target that stays outside the old one"
            }
            Self::ChangedMeaning => "would lead to a different page",
            Self::Undetermined => "would still have no known base",
            Self::Malformed => "would still have no absolute URL",
            Self::AmbiguousOverlap => "would lead below both locations, to a file of neither site",
        }
    }

    /// Whether the move leaves the link unharmed.
    #[must_use]
    pub const fn is_harmless(self) -> bool {
        matches!(
            self,
            Self::Moves
                | Self::AlreadyNew
                | Self::External
                | Self::ExternalSchemeFollows
                | Self::Opaque
                | Self::OutsidePrefix
        )
    }

    /// Whether the move breaks the link, which is an error. A link without a URL or a file was broken
    /// before.
    #[must_use]
    pub const fn is_broken(self) -> bool {
        !self.is_harmless() && !matches!(self, Self::Malformed | Self::AmbiguousOverlap)
    }

    /// Whether a new value can fix the link.
    #[must_use]
    pub const fn is_fixable(self) -> bool {
        matches!(
            self,
            Self::Pinned
                | Self::CanonicalPinned
                | Self::ClimbsOut
                | Self::EscapesPrefix
                | Self::ChangedMeaning
        )
    }
}

/// How a link is written, which is why it does not move with the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// It is an absolute URL.
    Absolute,
    /// It starts with `//`.
    NetPath,
    /// It starts with a slash.
    RootPath,
    /// It is relative to the page.
    Relative,
    /// An absolute base of the page.
    Base,
    /// A relative base of the page.
    RelativeBase,
}

impl Via {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::NetPath => "net-path",
            Self::RootPath => "root-path",
            Self::Relative => "relative",
            Self::Base => "base",
            Self::RelativeBase => "relative-base",
        }
    }

    /// The description after a number of links: `3 root-relative`.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Absolute => "written with a full URL",
            Self::NetPath => "written with a host, after //",
            Self::RootPath => "root-relative",
            Self::Relative => "relative to the page",
            Self::Base => "relative to an absolute base",
            Self::RelativeBase => "relative to a relative base",
        }
    }

    /// Classifies `reference` in a document whose base has this source. `is_base_relative` says whether
    /// the base was declared by a relative reference.
    #[must_use]
    pub fn new(reference: &str, source: BaseSource, is_base_relative: bool) -> Self {
        let is_declared = matches!(source, BaseSource::Element | BaseSource::Header);
        if scheme::end(reference).is_some() {
            Self::Absolute
        } else if reference.starts_with("//") {
            Self::NetPath
        } else if is_declared && is_base_relative {
            Self::RelativeBase
        } else if is_declared {
            Self::Base
        } else if reference.starts_with('/') {
            Self::RootPath
        } else {
            Self::Relative
        }
    }
}

/// The URL of a link before and after the move, and the one that it should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The class of the link.
    pub class: MoveClass,
    /// Its URL before the move, in normal form; empty if there is none.
    pub old: String,
    /// Its URL after the move, in normal form; empty if there is none.
    pub new: String,
    /// The URL that it should have, in normal form.
    pub expected: String,
}

/// Classifies a link by its URLs before and after the move. `target_of` returns the target of an old
/// address that the old server redirects.
#[must_use]
pub fn decide(
    old: Result<&str, ResolveError>,
    new: Result<&str, ResolveError>,
    prefixes: &Prefixes,
    overlap: &dyn Overlap,
    target_of: impl Fn(&str) -> Option<String>,
) -> Decision {
    let form = |url: &str| normal(url, &NormalOptions::default());
    let mut decision = Decision {
        class: MoveClass::Malformed,
        old: old.map_or_else(|_| String::new(), form),
        new: new.map_or_else(|_| String::new(), form),
        expected: String::new(),
    };
    // 1
    if old.is_ok_and(is_opaque) {
        decision.class = MoveClass::Opaque;
        return decision;
    }
    // 4
    let unknown = [
        ResolveError::NoBase,
        ResolveError::BadBase,
        ResolveError::TooLong,
    ];
    if old.is_err_and(|error| unknown.contains(&error)) {
        decision.class = MoveClass::Undetermined;
        return decision;
    }
    // 5
    let is_whole = |url: &str| has_host(url) || has_scheme(url, "file") && !origin(url).is_empty();
    if !(old.is_ok_and(is_whole) && new.is_ok_and(is_whole)) {
        return decision;
    }
    // 6
    let is_old = match prefixes.side(&decision.old) {
        Side::Old => Some(true),
        Side::New | Side::Neither => Some(false),
        Side::Both => overlap.is_old(&decision.old),
    };
    let redirected = target_of(&decision.old);
    decision.expected = if let Some(target) = &redirected {
        form(target)
    } else {
        let moved = prefixes.moved(&decision.old);
        let moved = moved.filter(|_| is_old != Some(false));
        moved.unwrap_or_else(|| decision.old.clone())
    };
    // 7
    decision.class = class_of(&decision, is_old, redirected.is_some(), prefixes, target_of);
    decision
}

fn class_of(
    decision: &Decision,
    is_old: Option<bool>,
    is_redirected: bool,
    prefixes: &Prefixes,
    target_of: impl Fn(&str) -> Option<String>,
) -> MoveClass {
    let Decision {
        old, new, expected, ..
    } = decision;
    if is_old.is_none() {
        return MoveClass::AmbiguousOverlap;
    }
    let is_old = is_old == Some(true);
    if !is_old && prefixes.is_new(old) && new == old {
        return MoveClass::AlreadyNew;
    }
    if is_old || is_redirected {
        let leads_there = || {
            let target = target_of(new);
            target.is_some_and(|target| normal(&target, &NormalOptions::default()) == *expected)
        };
        if new == expected || (prefixes.is_new(new) && leads_there()) {
            return MoveClass::Moves;
        }
        let stays = prefixes.is_old(new) && prefixes.moved(new) == prefixes.moved(old);
        // `//host/path` takes the scheme of its page, but still leads to the old host.
        if stays || after_scheme(new) == after_scheme(old) {
            return MoveClass::Pinned;
        }
        return if prefixes.is_new(new) {
            MoveClass::ChangedMeaning
        } else {
            MoveClass::ClimbsOut
        };
    }
    if prefixes.is_on_old_origin(old) {
        return if new == old {
            MoveClass::OutsidePrefix
        } else {
            MoveClass::EscapesPrefix
        };
    }
    if new == old {
        return MoveClass::External;
    }
    if after_scheme(new) == after_scheme(old) {
        MoveClass::ExternalSchemeFollows
    } else {
        MoveClass::ChangedMeaning
    }
}

/// The part of a URL after its scheme.
fn after_scheme(url: &str) -> Option<&str> {
    url.split_once(':').map(|(_, rest)| rest)
}

/// The level of findings of a class. For pages outside the move it depends on whether the host changes.
#[must_use]
pub fn level(class: MoveClass, prefixes: &Prefixes) -> Level {
    match class {
        MoveClass::OutsidePrefix if prefixes.changes_origin() => Level::Warning,
        MoveClass::OutsidePrefix | MoveClass::ExternalSchemeFollows => Level::Note,
        MoveClass::Malformed | MoveClass::AmbiguousOverlap => Level::Warning,
        class if class.is_harmless() => Level::Off,
        _ => Level::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_resolve::{Rules, resolve};

    /// Two empty sites.
    struct Neither;

    impl Overlap for Neither {
        fn is_old(&self, _: &str) -> Option<bool> {
            None
        }
    }

    fn moves(name: char) -> (Prefixes, &'static str, &'static str) {
        let mut prefixes = Prefixes::default();
        let (old, alias, new, page) = match name {
            'O' => (
                "http://old.example.com/",
                "https://old.example.com/",
                "https://www.example.com/docs/",
                "g/a.html",
            ),
            'S' => ("http://x.example/", "", "https://x.example/", "d/a.html"),
            'P' => ("http://h/a/", "", "http://h/b/", "x/d.html"),
            'U' => ("http://h/a/b/", "", "http://h/", "d.html"),
            'F' => (
                "file:///srv/www/",
                "",
                "https://www.example.com/",
                "d/a.html",
            ),
            _ => (
                "http://intra/wiki/",
                "",
                "https://www.example.com/",
                "p.html",
            ),
        };
        let aliases: Vec<String> = Some(alias.to_owned())
            .filter(|a| !a.is_empty())
            .into_iter()
            .collect();
        prefixes
            .add(old, &aliases, new)
            .expect("the URLs are prefixes");
        let old: &'static str = Box::leak(format!("{old}{page}").into_boxed_str());
        let new: &'static str = Box::leak(format!("{new}{page}").into_boxed_str());
        (prefixes, old, new)
    }

    /// The class, followed by `/` and the [`Via`] for links that stay behind.
    fn class(name: char, reference: &str, base: Option<&str>) -> String {
        let (prefixes, old_page, new_page) = moves(name);
        let on = |page: &str| match base {
            Some(base) => resolve(Rules::Rfc1808, Some(page), base).expect("the base resolves"),
            None => page.to_owned(),
        };
        let old = resolve(Rules::Rfc1808, Some(&on(old_page)), reference);
        let new = resolve(Rules::Rfc1808, Some(&on(new_page)), reference);
        let decision = decide(
            old.as_deref().map_err(|e| *e),
            new.as_deref().map_err(|e| *e),
            &prefixes,
            &Neither,
            |_| None,
        );
        let source = if base.is_some() {
            BaseSource::Element
        } else {
            BaseSource::Retrieval
        };
        let via = Via::new(
            reference,
            source,
            base.is_some_and(|base| !base.contains(':')),
        );
        match decision.class {
            MoveClass::Pinned | MoveClass::ClimbsOut => {
                format!("{}/{}", decision.class.as_str(), via.as_str())
            }
            class => class.as_str().to_owned(),
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn link_classes_by_case() {
        for (case, name, reference, base, expected_class) in [
            ("C01", 'O', "b.html", None, "moves-with-tree"),
            ("C01", 'O', "../b.html", None, "moves-with-tree"),
            ("C02", 'O', "", None, "moves-with-tree"),
            ("C02", 'O', "#s", None, "moves-with-tree"),
            ("C02", 'O', "?p=2", None, "moves-with-tree"),
            ("C03", 'O', "/b.html", None, "climbs-out/root-path"),
            (
                "C04",
                'O',
                "http://old.example.com/b.html",
                None,
                "pinned-to-old/absolute",
            ),
            (
                "C05",
                'O',
                "https://old.example.com/b.html",
                None,
                "pinned-to-old/absolute",
            ),
            (
                "C06",
                'O',
                "http://OLD.example.com:80/b.html",
                None,
                "pinned-to-old/absolute",
            ),
            (
                "C07",
                'O',
                "//old.example.com/b.html",
                None,
                "pinned-to-old/net-path",
            ),
            (
                "C08",
                'O',
                "http://old.example.com.evil.test/b",
                None,
                "external",
            ),
            ("C09", 'O', "../../b.html", None, "climbs-out/relative"),
            (
                "C10",
                'O',
                "https://www.example.com/docs/b.html",
                None,
                "already-new",
            ),
            (
                "C11",
                'O',
                "b.html",
                Some("http://old.example.com/g/"),
                "pinned-to-old/base",
            ),
            (
                "C12",
                'O',
                "b.html",
                Some("/g/"),
                "climbs-out/relative-base",
            ),
            ("C13", 'O', "b.html", Some("../"), "moves-with-tree"),
            (
                "C14",
                'O',
                "b.html",
                Some("https://www.example.com/docs/g/"),
                "already-new",
            ),
            (
                "C16",
                'O',
                "b.png",
                Some("http://cdn.example.net/"),
                "external",
            ),
            (
                "C17",
                'S',
                "//cdn.example.net/x.js",
                None,
                "external-scheme-follows",
            ),
            (
                "C18",
                'S',
                "http://x.example/b",
                None,
                "pinned-to-old/absolute",
            ),
            ("C19", 'S', "/b", None, "moves-with-tree"),
            ("C20", 'S', "http:b", None, "malformed"),
            ("C21", 'P', "/a/e.html", None, "pinned-to-old/root-path"),
            ("C22", 'P', "../../a/e.html", None, "pinned-to-old/relative"),
            ("C23", 'P', "../../c/e.html", None, "outside-prefix"),
            ("C23", 'P', "/c/e.html", None, "outside-prefix"),
            ("C24", 'P', "/ab/e.html", None, "outside-prefix"),
            ("C25", 'P', "/b/e.html", None, "already-new"),
            ("C26", 'U', "../c.html", None, "escapes-prefix"),
            ("C27", 'U', "../b/e.html", None, "changed-meaning"),
            ("C28", 'U', "/a/b/e.html", None, "pinned-to-old/root-path"),
            ("C29", 'F', "b.html", None, "moves-with-tree"),
            ("C30", 'F', "/srv/www/b.html", None, "changed-meaning"),
            (
                "C31",
                'F',
                "file:///srv/www/b.html",
                None,
                "pinned-to-old/absolute",
            ),
            ("C32", 'F', "/logo.png", None, "escapes-prefix"),
            (
                "C33",
                'F',
                "//cdn.example.net/x.js",
                None,
                "external-scheme-follows",
            ),
            ("C34", 'G', "/hr/q.html", None, "escapes-prefix"),
            ("C34", 'G', "../hr/q.html", None, "escapes-prefix"),
            ("C35", 'G', "http://intra/hr/q.html", None, "outside-prefix"),
            ("C36", 'O', "mailto:x@y", None, "opaque"),
            ("C39", 'O', "/g/%7Euser/", None, "climbs-out/root-path"),
            ("C40", 'P', ";v=2", None, "moves-with-tree"),
            (
                "C40",
                'P',
                "e.html",
                Some("d.html;v=1/2"),
                "moves-with-tree",
            ),
        ] {
            assert_eq!(
                class(name, reference, base),
                expected_class,
                "{case}: {reference:?} in {name}"
            );
        }
    }

    #[test]
    fn relative_link_without_base_is_undetermined() {
        let (prefixes, ..) = moves('O');
        let none = Err(ResolveError::NoBase);
        let decision = decide(none, none, &prefixes, &Neither, |_| None);
        assert_eq!(decision.class, MoveClass::Undetermined);
    }

    #[test]
    fn expected_url_is_in_normal_form() {
        let (prefixes, ..) = moves('O');
        let old = "http://old.example.com/g/%7Euser/";
        let decision = decide(Ok(old), Ok(old), &prefixes, &Neither, |_| None);
        assert_eq!(decision.expected, "https://www.example.com/docs/g/~user/");
    }

    #[test]
    fn old_redirect_decides_expected_url() {
        let (prefixes, ..) = moves('O');
        let target = |url: &str| {
            let is_source = url.starts_with("http://old.example.com/x.html");
            is_source.then(|| "https://www.example.com/docs/y/#s".to_owned())
        };
        let decision = decide(
            Ok("http://old.example.com/x.html#s"),
            Ok("https://www.example.com/docs/x.html#s"),
            &prefixes,
            &Neither,
            target,
        );
        assert_eq!(decision.class, MoveClass::ChangedMeaning);
        assert_eq!(decision.expected, "https://www.example.com/docs/y/#s");
    }

    #[test]
    fn url_below_both_prefixes_without_file_is_ambiguous() {
        let mut prefixes = Prefixes::default();
        prefixes
            .add("http://h/", &[], "http://h/docs/")
            .expect("the URLs are prefixes");
        let url = Ok("http://h/docs/x");
        let decision = decide(url, url, &prefixes, &Neither, |_| None);
        assert_eq!(decision.class, MoveClass::AmbiguousOverlap);
    }

    #[test]
    fn link_outside_the_move_is_a_warning_when_the_host_changes() {
        let (same, ..) = moves('P');
        let (other, ..) = moves('G');
        assert_eq!(level(MoveClass::OutsidePrefix, &same), Level::Note);
        assert_eq!(level(MoveClass::OutsidePrefix, &other), Level::Warning);
    }
}
