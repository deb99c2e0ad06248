//! What is kept of a scanned document until all are known.

use std::ops::Range;
use std::sync::Arc;

use super::captured::{Source, need_of};
use super::class::{Counts, LinkClass};
use super::composed::Inclusions;
use super::context::AuditContext;
use super::file_of::FileOf;
use super::place::Shows;
use super::signals::Signals;
use super::spool::names::NamesPlace;
use super::waiting::Waiting;
use baseref_document::link_places::LinkPlace;
use baseref_document::{DocumentKind, Position, Reference, Repeated};
use baseref_evidence::captures::{Need, Number};
use baseref_findings::{BaseName, Finding, Letter, PageName, SourceLine};
use baseref_reader::extract::Link;
use baseref_site::names::Names;
use encoding_rs::Encoding;

/// A scanned document: the findings from it alone, and what remains to be looked up in others.
///
/// [`super::KeptScan`] says what its size grows with.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) name: Arc<PageName>,
    pub(super) encoding: &'static Encoding,
    pub(super) kind: DocumentKind,
    /// Whether it is in an attribute of the document before it.
    pub(super) is_part: bool,
    /// Whether it is a part of a message, whose places are those in it once it is decoded.
    pub(super) is_decoded: bool,
    /// The file of a tree, if it is one.
    pub(super) own: Option<FileOf>,
    /// The hash of its URL, if it is a page of an archive.
    pub(super) record: Option<u64>,
    /// The capture that it is, and how that came to be known.
    pub(super) capture: Option<Number>,
    pub(super) source: Source,
    /// The names of its elements, if it is a page of an archive.
    pub(super) names: Names,
    /// Where these are, if they are not in memory.
    pub(super) names_on_disk: Option<NamesPlace>,
    /// Names that an earlier element already has.
    pub(super) repeated: Vec<(Repeated, Option<SourceLine>)>,
    pub(super) base: Arc<BaseName>,
    /// The base under each rule set, if anything waits: one, if they agree, and none, if that is the one
    /// that is shown.
    pub(super) bases: Box<[Option<Box<str>>]>,
    pub(super) findings: Vec<Finding>,
    /// The links that wait, if there are any.
    pub(super) waiting: Option<Box<Waiting>>,
    /// The names that it refers to, and where, of those that several elements of a page have.
    pub(super) referred: Vec<(FileOf, u64)>,
    pub(super) texts: Texts,
    pub(super) counts: Counts,
    /// Every link, if asked for.
    pub(super) links: Vec<Listed>,
    /// What its links show of where its tree is served.
    pub(super) shows: Shows,
    /// What is known of the package that it is in.
    pub(super) package: Option<Arc<AuditContext>>,
    /// If it is the last document of a message, that in short, if asked for.
    pub(super) letter: Option<Box<Letter>>,
    /// The file that it leads to at once, with the fragment by which it was asked for.
    pub(super) forwards: Option<FileOf>,
    /// What it asks the server to put into it, if it asks for anything.
    pub(super) inclusions: Option<Box<Inclusions>>,
    /// What search engines take from it beyond its links, if there is anything.
    pub(super) signals: Option<Box<Signals>>,
}

/// A link that is listed whatever its verdict.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) slot: &'static LinkPlace,
    /// The name of its element, if it differs from its slot's.
    pub(super) element: Option<Box<str>>,
    pub(super) at: Option<Position>,
    /// Its value in the texts of its scan.
    pub(super) raw: Range<u32>,
    /// Its URL there, if it has one.
    pub(super) url: Option<Range<u32>>,
    /// What it needs its target for.
    pub(super) need: Need,
    pub(super) outcome: LinkOutcome,
}

/// The verdict on a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkOutcome {
    pub(super) class: LinkClass,
    pub(super) file: Option<FileOf>,
    pub(super) how: &'static str,
    pub(super) fragment: Fragment,
    /// The class of what is at the end of a redirect.
    pub(super) end: &'static str,
}

/// Whether the fragment of a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
    /// It has none, or none that is judged.
    None,
    /// It will be looked up once all pages are known.
    Pending,
    Found,
    Missing,
}

impl LinkOutcome {
    /// The verdict on a link that leads to no file.
    pub(super) fn of(class: LinkClass) -> Self {
        Self {
            class,
            file: None,
            how: "",
            fragment: Fragment::None,
            end: "",
        }
    }
}

impl Scan {
    /// A page in UTF-8 in which nothing was found so far.
    pub(super) fn new(name: Arc<PageName>, base: Arc<BaseName>) -> Self {
        Self {
            name,
            encoding: encoding_rs::UTF_8,
            kind: DocumentKind::Page,
            is_part: false,
            is_decoded: false,
            own: None,
            record: None,
            capture: None,
            source: Source::Alone,
            names: Names::default(),
            names_on_disk: None,
            repeated: Vec::new(),
            base,
            bases: Box::default(),
            findings: Vec::new(),
            waiting: None,
            referred: Vec::new(),
            texts: Texts::default(),
            counts: Counts::default(),
            links: Vec::new(),
            shows: Shows::default(),
            package: None,
            letter: None,
            forwards: None,
            inclusions: None,
            signals: None,
        }
    }

    /// The bases under all rule sets.
    pub(super) fn all_bases(&self) -> [Option<&str>; 3] {
        [0, 1, 2].map(|place| match self.bases.get(place).or(self.bases.first()) {
            Some(own) => own.as_deref(),
            None => self.base.url.as_deref(),
        })
    }

    /// Keeps the bases for the links that wait, if there are any.
    pub(super) fn keep_bases(&mut self, bases: [Option<String>; 3]) {
        let are_one = bases[0] == bases[1] && bases[1] == bases[2];
        if self.waiting().is_empty() || are_one && bases[0] == self.base.url {
            return;
        }
        let kept = bases.into_iter().take(if are_one { 1 } else { 3 });
        self.bases = kept.map(|base| base.map(String::into_boxed_str)).collect();
    }

    /// The links that wait.
    pub(super) fn waiting(&self) -> &Waiting {
        static NONE: Waiting = Waiting::NONE;
        self.waiting.as_deref().unwrap_or(&NONE)
    }

    /// The links that wait, to add more.
    pub(super) fn waiting_mut(&mut self) -> &mut Waiting {
        self.waiting.get_or_insert_default()
    }

    /// Takes the links that wait out of it.
    pub(super) fn take_waiting(&mut self) -> Waiting {
        self.waiting
            .take()
            .map(|waiting| *waiting)
            .unwrap_or_default()
    }

    /// Ends the adding of links that wait.
    pub(super) fn shrink(&mut self) {
        self.findings.shrink_to_fit();
        self.referred.shrink_to_fit();
        self.texts.shrink();
        if let Some(waiting) = &mut self.waiting {
            waiting.shrink();
        }
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        /// What the names of its document and of its base take, and a finding.
        const NAMES: usize = 500;
        const FINDING: usize = 500;
        let names = size_of_val(self.names.hashes());
        let found = self.findings.len() + self.repeated.len();
        size_of::<Self>() + NAMES + self.waiting().size() + names + found * FINDING
    }

    /// Whether it is a page of an archive, rather than a style sheet, an image, a feed or a part of a
    /// page.
    pub(super) fn is_captured_page(&self) -> bool {
        let is_document = self.source == Source::Archive && self.record.is_some();
        is_document && self.kind == DocumentKind::Page
    }

    /// Whether its verdicts depend on no other document, and none on it: it is no file of a tree, has no
    /// URL by which others name it, and no link that must be looked up in others. Nearly all mail is so.
    pub(super) fn is_alone(&self) -> bool {
        let is_unnamed = self.own.is_none() && self.record.is_none() && self.capture.is_none();
        let is_unasked = self.waiting().is_empty() && self.referred.is_empty();
        let is_unasked = is_unasked && self.signals.is_none();
        is_unnamed && is_unasked && self.source == Source::Alone && self.package.is_none()
    }

    /// Counts a link, and lists it if `is_listed`.
    pub(super) fn add(&mut self, link: &Link<'_>, outcome: LinkOutcome, is_listed: bool) {
        self.counts.add(outcome.class);
        if !is_listed {
            return;
        }
        let Reference {
            slot,
            element,
            value,
            at,
            ..
        } = link.reference;
        let raw = self.texts.keep(value);
        let url = link.url.ok().map(|url| self.texts.keep(url));
        self.links.push(Listed {
            slot,
            element: (element != slot.element).then(|| element.into()),
            at: at.cloned(),
            raw,
            url,
            need: need_of(&link.reference),
            outcome,
        });
    }
}

/// Texts in one block of memory.
#[derive(Debug, Default)]
pub(super) struct Texts(String);

impl Texts {
    pub(super) const NONE: Self = Self(String::new());

    /// Stores a text; beyond four gigabytes texts are stored empty. A text that is a suffix of the
    /// last one stored is not stored again.
    pub(super) fn keep(&mut self, text: &str) -> Range<u32> {
        let start = if self.0.ends_with(text) {
            self.0.len() - text.len()
        } else {
            let start = self.0.len();
            self.0.push_str(text);
            start
        };
        match (u32::try_from(start), u32::try_from(self.0.len())) {
            (Ok(start), Ok(end)) => start..end,
            _ => 0..0,
        }
    }

    /// Stores a text behind all others, and says how many bytes it takes: none beyond four gigabytes.
    pub(super) fn push(&mut self, text: &str) -> usize {
        if u32::try_from(self.0.len() + text.len()).is_err() {
            return 0;
        }
        self.0.push_str(text);
        text.len()
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Option<&str> {
        self.0.get(range)
    }

    pub(super) fn get(&self, range: &Range<u32>) -> &str {
        &self.0[range.start as usize..range.end as usize]
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}
