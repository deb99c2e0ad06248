//! What becomes of a link: each is in exactly one class.

/// The classes of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkClass {
    /// It leads to a file of a tree, to a page of an archive or to a part of its message.
    Ok,
    /// It leads into a tree, and nothing is there.
    Missing,
    /// It leads beside a tree, on the same host.
    Outside,
    /// It leads elsewhere.
    External,
    /// No file can have its address.
    Unmappable,
    /// It is relative, and there is no base.
    UndefinedBase,
    /// Its scheme names no file: `mailto`, `data`, `javascript`.
    Opaque,
    /// It has no URL, or one without a host.
    Malformed,
    /// It stands in a place that is not judged.
    NotJudged,
    /// The user leaves it out.
    Filtered,
}

impl LinkClass {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Ok,
        Self::Missing,
        Self::Outside,
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
            Self::Outside => "outside",
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

/// How many links are in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; LinkClass::ALL.len()]);

impl Counts {
    /// Counts a link.
    pub fn add(&mut self, class: LinkClass) {
        self.0[class as usize] += 1;
    }

    /// Takes a link out of one class and counts it in another.
    pub fn change(&mut self, from: LinkClass, to: LinkClass) {
        self.0[from as usize] -= 1;
        self.0[to as usize] += 1;
    }

    /// Counts the links of others as well.
    pub fn merge(&mut self, others: &Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// How many links are in a class.
    #[must_use]
    pub fn of(&self, class: LinkClass) -> u64 {
        self.0[class as usize]
    }

    /// How many links were judged.
    #[must_use]
    pub fn judged(&self) -> u64 {
        let all: u64 = self.0.iter().sum();
        all - self.of(LinkClass::NotJudged) - self.of(LinkClass::Filtered)
    }
}
