//! Link classes. Each link is in exactly one.

/// What a link leads to, in broad terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkClass {
    /// It leads to a file of a site, to a page of an archive, or to a part of its message.
    Ok,
    /// It leads into a site, but nothing is there.
    Missing,
    /// It leads to a page that has no element with the id in its fragment.
    MissingFragment,
    /// It leaves its site, but stays on the same host.
    Outside,
    /// Its target should have been captured with its page, but was not.
    NotCaptured,
    /// It leads to a capture of an error.
    CapturedError,
    /// It leads to a capture of a redirect.
    CapturedRedirect,
    /// It leads to another site.
    External,
    /// Its URL cannot be the name of a file.
    Unmappable,
    /// It leads into a folder of a site that could not be listed.
    Unread,
    /// It is relative and has no base.
    UndefinedBase,
    /// Its scheme names no file: `mailto`, `data`, `javascript`.
    Opaque,
    /// It has no URL, or one without a host.
    Malformed,
    /// Links of its kind are not checked.
    NotJudged,
    /// The user excluded it with `--include` or `--exclude`.
    Filtered,
}

impl LinkClass {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 15] = [
        Self::Ok,
        Self::Missing,
        Self::MissingFragment,
        Self::Outside,
        Self::NotCaptured,
        Self::CapturedError,
        Self::CapturedRedirect,
        Self::External,
        Self::Unmappable,
        Self::Unread,
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
            Self::Unread => "unread",
            Self::UndefinedBase => "undefined-base",
            Self::Opaque => "opaque",
            Self::Malformed => "malformed",
            Self::NotJudged => "not-judged",
            Self::Filtered => "filtered",
        }
    }
}

impl LinkClass {
    /// The words that follow a number of links: `3 missing files`.
    #[must_use]
    pub const fn short(self, links: u64) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing if links == 1 => "missing file",
            Self::Missing => "missing files",
            Self::MissingFragment if links == 1 => "missing anchor",
            Self::MissingFragment => "missing anchors",
            Self::Outside => "outside the site",
            Self::NotCaptured => "not captured",
            Self::CapturedError if links == 1 => "captured as an error",
            Self::CapturedError => "captured as errors",
            Self::CapturedRedirect if links == 1 => "captured as a redirect",
            Self::CapturedRedirect => "captured as redirects",
            Self::External if links == 1 => "to another site",
            Self::External => "to other sites",
            Self::Unmappable => "unmappable",
            Self::Unread => "into unreadable folders",
            Self::UndefinedBase => "without a base",
            Self::Opaque => "mailto/data/javascript",
            Self::Malformed => "invalid",
            Self::NotJudged => "not checked",
            Self::Filtered => "filtered",
        }
    }

    /// The explanation for readers who do not know the name.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ok => "the target exists in the site, the archive or the message",
            Self::Missing => "no file of the site matches the target",
            Self::MissingFragment => "the page exists, but nothing in it has that id or name",
            Self::Outside => "the target is on the site's host, but above or beside the site",
            Self::NotCaptured => "the crawl should have captured the target, but did not",
            Self::CapturedError => "the target was captured as an error",
            Self::CapturedRedirect => "the target was captured as a redirect",
            Self::External => "baseref never connects, so links to other sites are not checked",
            Self::Unmappable => {
                "the URL cannot be a file name (%2F, NUL), or a symbolic link leads out of the site"
            }
            Self::Unread => {
                "whether the target exists is not known, since its folder cannot be read"
            }
            Self::UndefinedBase => "relative, in a document without a known base",
            Self::Opaque => "schemes without files: mailto, data, javascript and the like",
            Self::Malformed => "no URL with a host can be made of the value",
            Self::NotJudged => "kinds left out by default (--links all checks them)",
            Self::Filtered => "excluded by --include or --exclude",
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

    /// Counts several links.
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
    pub fn count(&self, class: LinkClass) -> u64 {
        self.0[class as usize]
    }

    /// The number of checked links.
    #[must_use]
    pub fn judged(&self) -> u64 {
        let all: u64 = self.0.iter().sum();
        all - self.count(LinkClass::NotJudged) - self.count(LinkClass::Filtered)
    }
}
