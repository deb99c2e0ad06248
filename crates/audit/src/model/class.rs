//! The classes of links: each link is in exactly one.

/// The classes of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkClass {
    /// It leads to a file of a tree, to a page of an archive or to a part of its message.
    Ok,
    /// It leads into a tree, but nothing is there.
    Missing,
    /// It leads to a page, but not to a name in it.
    MissingFragment,
    /// It leads out of a tree, on the same host.
    Outside,
    /// It is on a captured page, and should be captured, but is not.
    NotCaptured,
    /// It leads to a capture of an error.
    CapturedError,
    /// It leads to a capture of a redirect.
    CapturedRedirect,
    /// It leads elsewhere.
    External,
    /// No file can have its URL.
    Unmappable,
    /// It is relative, and there is no base.
    UndefinedBase,
    /// Its scheme names no file: `mailto`, `data`, `javascript`.
    Opaque,
    /// It has no URL, or one without a host.
    Malformed,
    /// It is in a place that is not judged.
    NotJudged,
    /// The user excluded it.
    Filtered,
}

impl LinkClass {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 14] = [
        Self::Ok,
        Self::Missing,
        Self::MissingFragment,
        Self::Outside,
        Self::NotCaptured,
        Self::CapturedError,
        Self::CapturedRedirect,
        Self::External,
        Self::Unmappable,
        Self::UndefinedBase,
        Self::Opaque,
        Self::Malformed,
        Self::NotJudged,
        Self::Filtered,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::MissingFragment => "missing-fragment",
            Self::Outside => "outside",
            Self::NotCaptured => "not-captured",
            Self::CapturedError => "captured-error",
            Self::CapturedRedirect => "captured-redirect",
            Self::External => "external",
            Self::Unmappable => "unmappable",
            Self::UndefinedBase => "undefined-base",
            Self::Opaque => "opaque",
            Self::Malformed => "malformed",
            Self::NotJudged => "not-judged",
            Self::Filtered => "filtered",
        }
    }
}

impl LinkClass {
    /// What it is after a number of links: `3 to other sites`.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::Ok => "found",
            Self::Missing => "missing",
            Self::MissingFragment => "to places that their pages lack",
            Self::Outside => "out of the tree",
            Self::NotCaptured => "not captured",
            Self::CapturedError => "to captured errors",
            Self::CapturedRedirect => "to captured redirects",
            Self::External => "to other sites",
            Self::Unmappable => "with a URL that no file can have",
            Self::UndefinedBase => "without a base",
            Self::Opaque => "to no file",
            Self::Malformed => "without a URL",
            Self::NotJudged => "not checked",
            Self::Filtered => "left out",
        }
    }

    /// What it means, for people who do not know the name.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ok => "lead to a file of the tree, or to a part of their message",
            Self::Missing => "lead into the tree, where nothing is",
            Self::MissingFragment => "lead to a page, but to a place that it does not have",
            Self::Outside => "stay on the host of the tree, but lead above or beside it",
            Self::NotCaptured => "lead to what the crawl should have captured, but did not",
            Self::CapturedError => "lead to a capture of an error",
            Self::CapturedRedirect => "lead to a capture of a redirect",
            Self::External => "lead to other sites; nothing is fetched, so they are not checked",
            Self::Unmappable => "have such a URL, or lead out of the tree by a symbolic link",
            Self::UndefinedBase => "are relative, in a document without a known base",
            Self::Opaque => "have a scheme without files: mailto, data, javascript and the like",
            Self::Malformed => "have no URL, or one without a host",
            Self::NotJudged => "are of a kind that is checked only if --links names it",
            Self::Filtered => "were excluded by --include or --exclude",
        }
    }
}

/// The number of links in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; LinkClass::ALL.len()]);

impl Counts {
    /// Counts a link.
    pub fn add(&mut self, class: LinkClass) {
        self.0[class as usize] += 1;
    }

    /// Counts so many links.
    pub(crate) fn add_all(&mut self, class: LinkClass, links: u64) {
        self.0[class as usize] += links;
    }

    /// Moves a link from one class to another.
    pub fn change(&mut self, from: LinkClass, to: LinkClass) {
        self.0[from as usize] -= 1;
        self.0[to as usize] += 1;
    }

    /// Adds the counts of `others`.
    pub fn merge(&mut self, others: &Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// The number of links in a class.
    #[must_use]
    pub fn of(&self, class: LinkClass) -> u64 {
        self.0[class as usize]
    }

    /// The number of judged links.
    #[must_use]
    pub fn judged(&self) -> u64 {
        let all: u64 = self.0.iter().sum();
        all - self.of(LinkClass::NotJudged) - self.of(LinkClass::Filtered)
    }
}
