//! Establishes a base URL (RFC 1808 §3): turns the declarations in and around a document into one
//! [`Base`] that knows its source, with a verdict on every declaration.

pub mod field;
mod mark;
mod policy;
#[cfg(feature = "serde")]
mod serialized;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use encoding_rs::Encoding;

pub use self::policy::Policy;
use baseref_document::{BaseField, Declaration, NoteCode, Place, Retrieval, UnknownName};
#[cfg(feature = "whatwg")]
use baseref_resolve::csp;
use baseref_resolve::{self as resolve, Resolver, Rules};

/// The maximum length of a base, in bytes. Links relative to a longer one would be longer still and
/// of no use to anyone.
pub const LONGEST: usize = 64 * 1024;

/// The maximum total length of the URLs listed for one document's rejected candidates, in bytes.
const OTHER_URLS: usize = 1024 * 1024;

/// The layer of RFC 1808 §3 that a base comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BaseSource {
    /// §3.1: in the document's content.
    Element,
    /// §3.2: in a header that encloses the document.
    Header,
    /// §3.3: the URL the document was retrieved from.
    Retrieval,
    /// §3.4: nowhere; the base is empty.
    #[default]
    None,
}

impl BaseSource {
    /// Every layer, the innermost first, and none.
    pub const ALL: &'static [Self] = &[Self::Element, Self::Header, Self::Retrieval, Self::None];

    /// The name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Header => "header",
            Self::Retrieval => "retrieval",
            Self::None => "none",
        }
    }
}

impl fmt::Display for BaseSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// By the names of [`BaseSource::as_str`].
impl FromStr for BaseSource {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.iter().copied();
        all.find(|source| source.as_str() == name)
            .ok_or_else(|| UnknownName::new("layer", name))
    }
}

/// The base URL of a document and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Base {
    /// The URL; `None` if the base is empty (RFC 1808 §3.4). Under the RFC rule sets it is kept as
    /// declared, fragment included; under WHATWG it is serialised.
    pub url: Option<Arc<str>>,
    /// The layer that gave it.
    pub source: BaseSource,
    /// Where it was declared; `None` without a base.
    pub at: Option<Place>,
}

impl Base {
    /// The length of its URL, in bytes; 0 if there is none.
    pub(crate) fn len(&self) -> usize {
        self.url.as_deref().map_or(0, str::len)
    }

    /// The resolver for references relative to it.
    ///
    /// Departs: by the URL Standard a fragment-only reference resolves to the document's whole
    /// `data:` URL with that fragment. Here it has a bad base: only the beginning of the URL is
    /// kept, since the rest is the document itself.
    #[must_use]
    pub fn resolver(&self, rules: Rules, encoding: &'static Encoding) -> Resolver<'_> {
        match self.at {
            Some(Place::Retrieval(Retrieval::Data)) => Resolver::without_base(rules, encoding),
            _ => Resolver::new(rules, self.url.as_deref(), encoding),
        }
    }
}

/// Why a declaration gave the base or did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is the base.
    Taken,
    /// It is usable, but an inner layer gives the base.
    InnerTaken,
    /// It is not the first one in its place.
    NotFirst,
    /// A field with precedence in the same header gives the base of that header; or a more
    /// trustworthy mark gives the retrieval URL.
    Outranked,
    /// It is relative, and the layers outside it have no absolute base or the policy is strict.
    Relative,
    /// It is not hierarchical (`mailto:`, `data:`), so nothing can be relative to it.
    NotHierarchical,
    /// HTML "set the frozen base URL" refuses its scheme: `data:` or `javascript:`.
    SchemeRefused,
    /// A Content Security Policy of the document does not allow it (`base-uri`).
    Csp,
    /// It cannot be parsed or resolved.
    Invalid,
    /// It is longer than [`LONGEST`].
    TooLong,
    /// Its value does not have the form that its field requires.
    Form(field::Rejection),
    /// It is a mark, and marks are not used ([`Policy::marks`]).
    OriginOff,
    /// It is a `base` element that the browser which saved the page moved into a comment.
    OriginalBase,
    /// It is the mark of a browser that wrote `<base href=".">` into the page, so that relative
    /// links lead to the saved files and not to where the page came from.
    SavedLinks,
    /// It declares a URL longer than the one it has; Internet Explorer ignores such marks.
    CutOff,
}

impl Verdict {
    /// The name in reports, kebab-case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::InnerTaken => "inner-taken",
            Self::NotFirst => "not-first",
            Self::Outranked => "outranked",
            Self::Relative => "relative",
            Self::NotHierarchical => "not-hierarchical",
            Self::SchemeRefused => "scheme-refused",
            Self::Csp => "csp",
            Self::Invalid => "invalid",
            Self::TooLong => "too-long",
            Self::Form(rejection) => rejection.as_str(),
            Self::OriginOff => "origin-off",
            Self::OriginalBase => "original-base",
            Self::SavedLinks => "saved-links",
            Self::CutOff => "cut-off",
        }
    }
}

/// One declaration and the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// Its layer.
    pub source: BaseSource,
    /// Its place.
    pub at: Place,
    /// The value as written in the input.
    pub value: Arc<str>,
    /// The absolute URL it gives, if there is one and it is not omitted for size
    /// ([`BaseFact::UrlsLeftOut`]).
    pub url: Option<Arc<str>>,
    /// What became of it.
    pub verdict: Verdict,
}

/// Something a user may want to know about a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaseNote {
    /// The place of the declaration.
    pub at: Place,
    /// Its value as written in the input.
    pub value: Arc<str>,
    /// The fact.
    pub fact: BaseFact,
}

/// The facts of [`BaseNote`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BaseFact {
    /// It was not taken.
    Ignored(Verdict),
    /// It was not taken, because there is another one in the same place.
    Repeated(Verdict),
    /// It is relative and was resolved against the layers outside it.
    Relative,
    /// From here on the URLs of rejected declarations are omitted: their total length exceeds what
    /// is listed.
    UrlsLeftOut,
    /// It was read in a form that its specification does not allow; describes the form.
    Form(&'static str),
}

impl BaseNote {
    /// The code of the note.
    #[must_use]
    pub fn code(&self) -> NoteCode {
        match self.fact {
            BaseFact::Ignored(Verdict::TooLong) | BaseFact::UrlsLeftOut => NoteCode::BaseSize,
            BaseFact::Ignored(_) => NoteCode::BaseIgnored,
            BaseFact::Repeated(_) => NoteCode::BaseRepeated,
            BaseFact::Relative => NoteCode::BaseRelative,
            BaseFact::Form(_) => NoteCode::BaseForm,
        }
    }
}

/// The base of a document, and how it was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BaseReport {
    /// The base of the document.
    pub base: Base,
    /// The base of the layers outside the document's content: HTML "fallback base URL".
    pub outside: Base,
    /// Every declaration of every layer, innermost layer first, and in document order within a
    /// layer.
    pub candidates: Vec<Candidate>,
    /// Notes on the declarations.
    pub notes: Vec<BaseNote>,
}

impl BaseReport {
    /// The URL that the document was retrieved from, according to the innermost source: the user,
    /// its container, or the `Content-Location` of its part (RFC 2557 §4.2), whether or not that
    /// gives the base.
    #[must_use]
    pub fn retrieval_url(&self) -> Option<&str> {
        let says = |candidate: &&Candidate| match (&candidate.at, candidate.verdict) {
            (Place::Retrieval(_), Verdict::Taken | Verdict::InnerTaken) => true,
            (
                Place::Field { field, .. },
                Verdict::Taken | Verdict::InnerTaken | Verdict::Outranked,
            ) => *field == BaseField::ContentLocation,
            _ => false,
        };
        self.candidates.iter().find(says)?.url.as_deref()
    }
}

/// Establishes the base of a document from the declarations in and around it, outermost first (RFC
/// 1808 §3). The position of retrieval URLs among them makes no difference: they are outside all
/// others, and are ranked by kind.
///
/// `around` is the base of the enclosing document, or the default one; `encoding` is the
/// document's, for WHATWG queries.
#[must_use]
pub fn establish(
    policy: Policy,
    around: &Base,
    declarations: &[Declaration],
    encoding: &'static Encoding,
) -> BaseReport {
    establish_under(policy, around, declarations, encoding, &[])
}

/// Like [`establish`], for a document under Content Security Policies
/// ([`baseref_document::Document::policies`]).
#[must_use]
pub fn establish_under(
    policy: Policy,
    around: &Base,
    declarations: &[Declaration],
    encoding: &'static Encoding,
    policies: &[Box<str>],
) -> BaseReport {
    let mut fold = Fold {
        policy,
        policies,
        encoding,
        current: around.clone(),
        layers: Vec::new(),
        notes: Vec::new(),
        room: OTHER_URLS,
    };
    if let (Some(at), Some(url)) = (&around.at, &around.url) {
        fold.layers.push(vec![Candidate {
            source: around.source,
            at: at.clone(),
            value: Arc::clone(url),
            url: Some(Arc::clone(url)),
            verdict: Verdict::Taken,
        }]);
    }
    fold.retrievals(declarations);
    let mut outside = None;
    for layer in declarations.chunk_by(|a, b| same_layer(&a.at, &b.at)) {
        match layer[0].at {
            Place::FormerElement(_) => fold.former_element(&layer[0]),
            Place::Field { .. } => fold.heading(layer),
            // In a feed, each `xml:base` is a layer inside the one before.
            Place::Element(_) | Place::XmlBase(_) => {
                outside.get_or_insert_with(|| fold.current.clone());
                fold.elements(layer);
            }
            // Retrieval URLs are outside them all, and a `codebase` is for its own element.
            _ => {}
        }
    }
    BaseReport {
        outside: outside.unwrap_or_else(|| fold.current.clone()),
        base: fold.current,
        candidates: fold.layers.into_iter().rev().flatten().collect(),
        notes: fold.notes,
    }
}

fn same_layer(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (Place::Element(_), Place::Element(_)) => true,
        (Place::Field { level: a, .. }, Place::Field { level: b, .. }) => a == b,
        _ => false,
    }
}

/// The rank of a retrieval URL, the outermost first; an inner one overrides those before it.
///
/// RFC 1808 §3.3 asks for the URL that the document was retrieved from: a mark is only a claim, a
/// container's record is better, and the user's word is best.
fn retrieval_rank(retrieval: &Retrieval) -> u8 {
    match retrieval {
        Retrieval::Record(_) => 1,
        Retrieval::UrlMap(_) => 2,
        Retrieval::Url => 3,
        Retrieval::Data => 4,
        _ => 0,
    }
}

/// The fold over the layers, from the outermost inwards: each usable one overrides the layers
/// outside it.
struct Fold<'p> {
    policy: Policy,
    policies: &'p [Box<str>],
    encoding: &'static Encoding,
    current: Base,
    layers: Vec<Vec<Candidate>>,
    notes: Vec<BaseNote>,
    /// How many bytes of rejected candidates' URLs may still be listed.
    room: usize,
}

impl Fold<'_> {
    /// Lists what the document declared before it was saved, outside all layers.
    fn former_element(&mut self, declaration: &Declaration) {
        let mut candidate = candidate_of(declaration);
        self.list_url(&mut candidate, |fold, value| fold.absolute(value).ok());
        candidate.verdict = Verdict::OriginalBase;
        self.layers.push(vec![candidate]);
    }

    /// §3.3: the marks among the declarations are one layer, every other retrieval URL is a
    /// layer of its own.
    fn retrievals(&mut self, declarations: &[Declaration]) {
        self.marks(declarations);
        let mut others: Vec<(u8, &Declaration)> = declarations
            .iter()
            .filter_map(|declaration| match &declaration.at {
                Place::Retrieval(Retrieval::Mark { .. }) => None,
                Place::Retrieval(retrieval) => Some((retrieval_rank(retrieval), declaration)),
                _ => None,
            })
            .collect();
        // Stable: of nested containers' records, the inner ones come last.
        others.sort_by_key(|(rank, _)| *rank);
        for (_, declaration) in others {
            let mut candidate = candidate_of(declaration);
            let usable = match declaration.at {
                // HTML "fallback base URL": its own, usable or not.
                Place::Retrieval(Retrieval::Data) => Ok(declaration.value.to_string()),
                _ => self.absolute(&declaration.value),
            };
            self.judge(&mut candidate, usable);
            self.close_layer(vec![candidate]);
        }
    }

    /// §3.2, one header: `Base`, then `Content-Base`, then `Content-Location`, the first usable one
    /// of each. Departs: RFC 2557 knows no `Content-Base` any more, but its authors' programs wrote it,
    /// and a message that has one means it.
    fn heading(&mut self, layer: &[Declaration]) {
        let mut candidates: Vec<Candidate> = layer.iter().map(candidate_of).collect();
        let mut taken = None;
        for rank in [
            BaseField::Base,
            BaseField::ContentBase,
            BaseField::ContentLocation,
        ] {
            for (declaration, candidate) in layer.iter().zip(&mut candidates) {
                let Place::Field { field, .. } = declaration.at else {
                    continue;
                };
                if field != rank {
                    continue;
                }
                let usable = match taken {
                    // Its URL no longer matters.
                    Some(_) if self.room == 0 => Ok(String::new()),
                    _ => self.field_url(field, declaration),
                };
                match (usable, taken) {
                    (Ok(url), Some(winner)) => {
                        self.list_url(candidate, |_, _| Some(url));
                        candidate.verdict = if winner == field {
                            Verdict::NotFirst
                        } else {
                            Verdict::Outranked
                        };
                        self.note(candidate, BaseFact::Repeated(candidate.verdict));
                    }
                    (usable, _) => {
                        self.judge(candidate, usable);
                        if candidate.verdict == Verdict::Taken {
                            taken = Some(field);
                        }
                    }
                }
            }
        }
        self.close_layer(candidates);
    }

    /// §3.1 and §10; HTML "document base URL": the first `base` element that has an `href`,
    /// or the layers outside, never a later element.
    fn elements(&mut self, layer: &[Declaration]) {
        let mut candidates: Vec<Candidate> = layer.iter().map(candidate_of).collect();
        for (number, candidate) in candidates.iter_mut().enumerate() {
            if number == 0 {
                let usable = self.element_url(&candidate.value);
                if let Ok((_, true)) = usable {
                    self.note(candidate, BaseFact::Relative);
                }
                let usable = usable.and_then(|(url, _)| self.allowed(url));
                self.judge(candidate, usable);
            } else {
                self.list_url(candidate, |fold, value| {
                    fold.element_url(value).ok().map(|(url, _)| url)
                });
                candidate.verdict = Verdict::NotFirst;
                self.note(candidate, BaseFact::Repeated(candidate.verdict));
            }
        }
        self.close_layer(candidates);
    }

    /// HTML "set the frozen base URL" step 3: the base, if the policies of the document allow it.
    fn allowed(&self, url: String) -> Result<String, Verdict> {
        if self.policy.rules != Rules::Whatwg || self.is_allowed_in_browsers(&url) {
            Ok(url)
        } else {
            Err(Verdict::Csp)
        }
    }

    #[cfg(feature = "whatwg")]
    fn is_allowed_in_browsers(&self, url: &str) -> bool {
        let policies = self.policies.iter().map(|policy| &**policy);
        csp::allow(policies, url, self.current.url.as_deref())
    }

    /// Without the URL Standard there is no base to allow.
    #[cfg(not(feature = "whatwg"))]
    fn is_allowed_in_browsers(&self, _: &str) -> bool {
        self.policies.is_empty()
    }

    /// The URL that a header field gives, absolute and usable as a base.
    fn field_url(
        &mut self,
        field: BaseField,
        declaration: &Declaration,
    ) -> Result<String, Verdict> {
        let parsed =
            field::parse(field, &declaration.value, self.policy.strict).map_err(Verdict::Form)?;
        self.note_form(declaration, parsed.form);
        let url = match self.absolute(&parsed.url) {
            Err(Verdict::Relative) if field == BaseField::ContentLocation => {
                self.relative(&parsed.url)
            }
            usable => usable,
        }?;
        hierarchical(url)
    }

    /// The URL that a `base` element gives, and whether it was written as relative.
    fn element_url(&self, value: &str) -> Result<(String, bool), Verdict> {
        let absolute = self.absolute(value);
        match (absolute, self.policy.rules) {
            (Err(Verdict::Relative), _) if !self.policy.strict => {
                self.relative(value).map(|url| (url, true))
            }
            // HTML parses it against the fallback base URL, to which `http:x` is relative.
            (Ok(_), Rules::Whatwg) if self.current.url.as_deref().is_some() => {
                self.relative(value).map(|url| (url, false))
            }
            (absolute, _) => absolute.map(|url| (url, false)),
        }
    }

    /// An absolute URL that is usable as a base.
    fn absolute(&self, value: &str) -> Result<String, Verdict> {
        let rules = self.policy.rules;
        let url = Resolver::new(rules, None, self.encoding)
            .resolve(value)
            .map_err(|_| Verdict::Relative)?;
        self.fit(url)
    }

    /// A relative reference against the layers outside it.
    fn relative(&self, value: &str) -> Result<String, Verdict> {
        let outside = self.current.url.as_deref().ok_or(Verdict::Relative)?;
        let url = Resolver::new(self.policy.rules, Some(outside), self.encoding)
            .resolve(value)
            .map_err(|_| Verdict::Invalid)?;
        self.fit(url)
    }

    /// `data:` and `javascript:` never serve (HTML "set the frozen base URL" step 3). Under
    /// the RFC rule sets a base must be hierarchical too (RFC 1808 §2: "relative URLs cannot
    /// be used within documents that have unsuitable base URLs").
    fn fit(&self, url: String) -> Result<String, Verdict> {
        let scheme = url.split(':').next().unwrap_or_default();
        if ["data", "javascript"]
            .iter()
            .any(|refused| scheme.eq_ignore_ascii_case(refused))
        {
            return Err(Verdict::SchemeRefused);
        }
        match self.policy.rules {
            Rules::Rfc1808 | Rules::Rfc3986 if !resolve::is_hierarchical(&url) => {
                Err(Verdict::NotHierarchical)
            }
            _ if url.len() > LONGEST => Err(Verdict::TooLong),
            _ => Ok(url),
        }
    }

    /// Sets the URL of a rejected candidate, while there is room.
    fn list_url(
        &mut self,
        candidate: &mut Candidate,
        url: impl FnOnce(&Self, &str) -> Option<String>,
    ) {
        if self.room == 0 {
            return;
        }
        if let Some(url) = url(self, &candidate.value) {
            self.room = self.room.saturating_sub(url.len());
            candidate.url = Some(url.into());
            if self.room == 0 {
                self.note(candidate, BaseFact::UrlsLeftOut);
            }
        }
    }

    /// Takes the candidate as the base if it is usable, else records why not.
    fn judge(&mut self, candidate: &mut Candidate, usable: Result<String, Verdict>) {
        match usable {
            Ok(url) => {
                let url: Arc<str> = url.into();
                self.current = Base {
                    url: Some(Arc::clone(&url)),
                    source: candidate.source,
                    at: Some(candidate.at.clone()),
                };
                candidate.url = Some(url);
                candidate.verdict = Verdict::Taken;
            }
            Err(verdict) => {
                candidate.verdict = verdict;
                self.note(candidate, BaseFact::Ignored(verdict));
            }
        }
    }

    /// Ends a layer: if it gave a base, the outer ones did not.
    fn close_layer(&mut self, candidates: Vec<Candidate>) {
        if candidates.iter().any(|c| c.verdict == Verdict::Taken) {
            for candidate in self.layers.iter_mut().flatten() {
                if candidate.verdict == Verdict::Taken {
                    candidate.verdict = Verdict::InnerTaken;
                }
            }
        }
        self.layers.push(candidates);
    }

    fn note_form(&mut self, declaration: &Declaration, form: Option<&'static str>) {
        if let Some(form) = form {
            self.notes.push(BaseNote {
                at: declaration.at.clone(),
                value: Arc::clone(&declaration.value),
                fact: BaseFact::Form(form),
            });
        }
    }

    fn note(&mut self, candidate: &Candidate, fact: BaseFact) {
        self.notes.push(BaseNote {
            at: candidate.at.clone(),
            value: Arc::clone(&candidate.value),
            fact,
        });
    }
}

/// Under every rule set: a header often has a `cid:` or `about:` location, or a mark
/// `about:internet`, and the outer layers know better.
fn hierarchical(url: String) -> Result<String, Verdict> {
    if resolve::is_hierarchical(&url) {
        Ok(url)
    } else {
        Err(Verdict::NotHierarchical)
    }
}

fn candidate_of(declaration: &Declaration) -> Candidate {
    Candidate {
        source: source_of(&declaration.at),
        at: declaration.at.clone(),
        value: Arc::clone(&declaration.value),
        url: None,
        verdict: Verdict::InnerTaken,
    }
}

/// The layer of a declaration, by its place.
fn source_of(at: &Place) -> BaseSource {
    match at {
        Place::Field { .. } => BaseSource::Header,
        Place::Retrieval(_) => BaseSource::Retrieval,
        _ => BaseSource::Element,
    }
}

/// The details of the note, its place first.
impl fmt::Display for BaseNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, value, fact } = self;
        match fact {
            BaseFact::Ignored(Verdict::TooLong) => {
                write!(
                    f,
                    "{at}: the base is longer than {LONGEST} bytes and is not taken"
                )
            }
            BaseFact::UrlsLeftOut => {
                write!(
                    f,
                    "{at}: the URLs of other declarations from here on are omitted"
                )
            }
            BaseFact::Ignored(verdict) | BaseFact::Repeated(verdict) => {
                write!(f, "{at}: {value:?} is not the base: {}", verdict.as_str())
            }
            BaseFact::Relative => {
                write!(
                    f,
                    "{at}: relative base {value:?} resolved against the layers outside it"
                )
            }
            BaseFact::Form(form) => write!(f, "{at}: {form}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::{Position, Section};

    fn element(value: &str) -> Declaration {
        Declaration::new(
            value,
            Place::Element(Position::new(
                std::num::NonZeroU32::MIN,
                std::num::NonZeroU32::MIN,
                0..0,
            )),
        )
    }

    fn field(value: &str) -> Declaration {
        Declaration::new(
            value,
            Place::Field {
                field: BaseField::ContentLocation,
                level: 0,
                section: Section::default(),
                line: None,
            },
        )
    }

    fn found(declarations: &[Declaration]) -> BaseReport {
        let (policy, around) = (Policy::default(), Base::default());
        establish(policy, &around, declarations, encoding_rs::UTF_8)
    }

    #[test]
    fn a_base_longer_than_the_limit_is_not_taken_whoever_declares_it() {
        let long = |length: usize| format!("http://a/{}", "b".repeat(length - 9));
        for declaration in [element, field] {
            let fits = found(&[declaration(&long(LONGEST))]);
            assert_eq!(fits.base.url.map(|url| url.len()), Some(LONGEST));
            let exceeds = found(&[declaration(&long(LONGEST + 1))]);
            assert_eq!(exceeds.base.url.as_deref(), None);
            assert_eq!(exceeds.candidates[0].verdict, Verdict::TooLong);
            let codes: Vec<_> = exceeds.notes.iter().map(BaseNote::code).collect();
            assert_eq!(codes, [NoteCode::BaseSize]);
        }
        // A relative one that resolves to something longer, too.
        let relative = element(&"c".repeat(LONGEST / 2));
        let exceeds = found(&[field(&long(LONGEST - 1)), relative.clone()]);
        assert_eq!(
            exceeds.candidates[0].verdict,
            Verdict::Taken,
            "it replaces the last segment"
        );
        let deep = field(&format!("{}/", long(LONGEST - 1)));
        let exceeds = found(&[deep.clone(), relative]);
        assert_eq!(exceeds.candidates[0].verdict, Verdict::TooLong);
        assert_eq!(exceeds.base.url, Some(deep.value));
    }

    #[test]
    fn urls_of_rejected_candidates_up_to_a_size() {
        let outer = field(&format!("http://a/{}/", "b".repeat(60_000)));
        let inner = vec![element("x"); 100];
        let found = found(&[&[outer][..], &inner].concat());
        let listed = found.candidates.iter().filter(|one| one.url.is_some());
        // The base, the layer outside it, and as many as make up a mebibyte.
        assert_eq!(listed.count(), 2 + OTHER_URLS.div_ceil(60_011));
        assert_eq!(found.candidates.len(), 101);
        let is_size = |note: &&BaseNote| note.code() == NoteCode::BaseSize;
        assert_eq!(found.notes.iter().filter(is_size).count(), 1);
    }
}
