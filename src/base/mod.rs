//! Establishing a base URL (RFC 1808 §3): a stack of declarations to one [`Base`] that
//! knows its source, and an account of every declaration that was not taken.

pub mod field;
mod mark;

use encoding_rs::Encoding;

use crate::document::{BaseField, Declaration, Declarer, Note, NoteCode, Retrieval};
use crate::options::Policy;
use crate::resolve::{self, Resolver, Rules};

/// The layer of RFC 1808 §3 that a base comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseSource {
    /// §3.1: in the document's content.
    Element,
    /// §3.2: in a heading around the document.
    Header,
    /// §3.3: the URL the document was retrieved from.
    Retrieval,
    /// §3.4: nowhere; the base is the empty string.
    #[default]
    None,
}

impl BaseSource {
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

/// The base URL of a document and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The URL, empty exactly when there is none (RFC 1808 §3.4). Under the RFC rule sets
    /// as it was declared, fragment included; under WHATWG serialised.
    pub url: String,
    /// The layer that gave it.
    pub source: BaseSource,
    /// The place that gave it, in words: `<base> line 4`. Empty when there is none.
    pub at: String,
}

impl Base {
    /// The URL, if there is one.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        (!self.url.is_empty()).then_some(self.url.as_str())
    }
}

/// Why a declaration gave the base or did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the base.
    Taken,
    /// It could serve, but a layer further in gives the base.
    InnerTaken,
    /// It stands after the first one in the same place.
    NotFirst,
    /// A field that comes before it in the same heading gives the base of that heading; or a
    /// mark that is more to be trusted gives the retrieval URL.
    Outranked,
    /// It is relative, and either nothing absolute lies around it or the policy is strict.
    Relative,
    /// It has no hierarchical form (`mailto:`, `data:`), so nothing can be relative to it.
    NotHierarchical,
    /// HTML "set the frozen base URL" refuses its scheme: `data:` or `javascript:`.
    SchemeRefused,
    /// It cannot be parsed or resolved.
    Invalid,
    /// Its value does not have the form that its field demands.
    Form(field::Rejection),
    /// It is a mark, and marks do not count ([`Policy::marks`]).
    OriginOff,
    /// It is a `base` element that the browser which saved the page put into a comment.
    OriginalBase,
    /// It is the mark of a browser that wrote `<base href=".">` into the page for the place of
    /// the saved files, so the page's relative links lead there and not to where it came from.
    SavedLinks,
    /// It says that its URL has more characters than are there; Internet Explorer ignores such a
    /// mark.
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
            Self::Invalid => "invalid",
            Self::Form(rejection) => rejection.as_str(),
            Self::OriginOff => "origin-off",
            Self::OriginalBase => "original-base",
            Self::SavedLinks => "saved-links",
            Self::CutOff => "cut-off",
        }
    }
}

/// One declaration and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The layer it belongs to.
    pub source: BaseSource,
    /// Its place, in words.
    pub at: String,
    /// The value as it stands in the input.
    pub value: String,
    /// The absolute URL it stands for, if it could be had.
    pub url: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
}

/// The base of a document, and the account of how it was found.
#[derive(Clone, Debug)]
pub struct Established {
    /// The base of the document.
    pub base: Base,
    /// The base of the layers outside the document's content: HTML "fallback base URL".
    pub outside: Base,
    /// Every declaration of every layer, innermost layer first, inside a layer in
    /// document order.
    pub candidates: Vec<Candidate>,
    /// What a user may want to know of it.
    pub notes: Vec<Note>,
}

/// Establishes the base of a document from what is declared in and around it, outermost
/// first (RFC 1808 §3).
///
/// `around` is the base of the document that this one is enclosed in, or the default one;
/// `encoding` is the document's, for WHATWG queries.
#[must_use]
pub fn establish(
    policy: Policy,
    around: &Base,
    declarations: &[Declaration],
    encoding: &'static Encoding,
) -> Established {
    let mut fold = Fold {
        policy,
        encoding,
        current: around.clone(),
        layers: Vec::new(),
        notes: Vec::new(),
    };
    if around.source != BaseSource::None {
        fold.layers.push(vec![Candidate {
            source: around.source,
            at: around.at.clone(),
            value: around.url.clone(),
            url: Some(around.url.clone()),
            verdict: Verdict::Taken,
        }]);
    }
    // RFC 1808 §3.3 asks for the URL that a document was retrieved from; what is known of it
    // by its container or the user lies further in than what a program claims.
    fold.marks(declarations);
    let mut outside = None;
    for layer in declarations.chunk_by(|a, b| same_layer(&a.by, &b.by)) {
        match layer[0].by {
            Declarer::Retrieval(Retrieval::Mark { .. }) => {}
            Declarer::Retrieval(_) => fold.retrieval(&layer[0]),
            Declarer::FormerElement { .. } => fold.former_element(&layer[0]),
            Declarer::Header { .. } => fold.heading(layer),
            Declarer::Element { .. } => {
                outside.get_or_insert_with(|| fold.current.clone());
                fold.elements(layer);
            }
        }
    }
    Established {
        outside: outside.unwrap_or_else(|| fold.current.clone()),
        base: fold.current,
        candidates: fold.layers.into_iter().rev().flatten().collect(),
        notes: fold.notes,
    }
}

fn same_layer(a: &Declarer, b: &Declarer) -> bool {
    match (a, b) {
        (Declarer::Element { .. }, Declarer::Element { .. }) => true,
        (Declarer::Header { level: a, .. }, Declarer::Header { level: b, .. }) => a == b,
        // Each retrieval record is a layer of its own: a nearer one replaces it.
        _ => false,
    }
}

/// The fold over the layers, from the outermost inwards: each that can serve replaces what
/// the layers outside it gave.
struct Fold {
    policy: Policy,
    encoding: &'static Encoding,
    current: Base,
    layers: Vec<Vec<Candidate>>,
    notes: Vec<Note>,
}

impl Fold {
    /// None of the layers: what the document declared before it was saved.
    fn former_element(&mut self, declaration: &Declaration) {
        let mut candidate = candidate_of(declaration);
        candidate.url = self.absolute(&candidate.value).ok();
        candidate.verdict = Verdict::OriginalBase;
        self.layers.push(vec![candidate]);
    }

    /// §3.3.
    fn retrieval(&mut self, declaration: &Declaration) {
        let usable = self.absolute(&declaration.value);
        let mut candidate = candidate_of(declaration);
        self.judge(&mut candidate, usable);
        self.close_layer(vec![candidate]);
    }

    /// §3.2, one heading: `Base`, then `Content-Base`, then `Content-Location`, of each the
    /// first that can serve.
    fn heading(&mut self, layer: &[Declaration]) {
        let mut candidates: Vec<Candidate> = layer.iter().map(candidate_of).collect();
        let mut taken = None;
        for rank in [
            BaseField::Base,
            BaseField::ContentBase,
            BaseField::ContentLocation,
        ] {
            for (declaration, candidate) in layer.iter().zip(&mut candidates) {
                let Declarer::Header { field, .. } = declaration.by else {
                    continue;
                };
                if field != rank {
                    continue;
                }
                let usable = self.field_url(field, &declaration.value, &candidate.at);
                match (usable, taken) {
                    (Ok(url), Some(winner)) => {
                        candidate.url = Some(url);
                        candidate.verdict = if winner == field {
                            Verdict::NotFirst
                        } else {
                            Verdict::Outranked
                        };
                        self.note(NoteCode::BaseRepeated, candidate);
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
            let usable = self.element_url(&candidate.value);
            if number == 0 {
                if let Ok((_, true)) = usable {
                    self.note(NoteCode::BaseRelative, candidate);
                }
                self.judge(candidate, usable.map(|(url, _)| url));
            } else {
                candidate.url = usable.ok().map(|(url, _)| url);
                candidate.verdict = Verdict::NotFirst;
                self.note(NoteCode::BaseRepeated, candidate);
            }
        }
        self.close_layer(candidates);
    }

    /// The URL that a header field gives, absolute and fit to be a base.
    fn field_url(&mut self, field: BaseField, value: &str, at: &str) -> Result<String, Verdict> {
        let parsed = field::parse(field, value, self.policy.strict).map_err(Verdict::Form)?;
        self.note_form(at, parsed.form);
        let url = match self.absolute(&parsed.url) {
            Err(Verdict::Relative) if field == BaseField::ContentLocation => {
                self.relative(&parsed.url)
            }
            usable => usable,
        }?;
        hierarchical(url)
    }

    /// The URL that a `base` element gives, and whether it was written as a relative one.
    fn element_url(&self, value: &str) -> Result<(String, bool), Verdict> {
        let absolute = self.absolute(value);
        match (absolute, self.policy.rules) {
            (Err(Verdict::Relative), _) if !self.policy.strict => {
                self.relative(value).map(|url| (url, true))
            }
            // HTML parses it against the fallback base URL, by which `http:x` is relative.
            (Ok(_), Rules::Whatwg) if self.current.url().is_some() => {
                self.relative(value).map(|url| (url, false))
            }
            (absolute, _) => absolute.map(|url| (url, false)),
        }
    }

    /// An absolute URL that can serve as base.
    fn absolute(&self, value: &str) -> Result<String, Verdict> {
        let rules = self.policy.rules;
        let url = Resolver::new(rules, None, self.encoding)
            .resolve(value)
            .map_err(|_| Verdict::Relative)?;
        self.fit(url)
    }

    /// A relative reference against the layers outside it.
    fn relative(&self, value: &str) -> Result<String, Verdict> {
        let outside = self.current.url().ok_or(Verdict::Relative)?;
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
            Rules::Rfc1808 | Rules::Rfc3986 | Rules::Whatwg => Ok(url),
        }
    }

    /// Takes the candidate as the base if it is usable, or says why not.
    fn judge(&mut self, candidate: &mut Candidate, usable: Result<String, Verdict>) {
        match usable {
            Ok(url) => {
                self.current = Base {
                    url: url.clone(),
                    source: candidate.source,
                    at: candidate.at.clone(),
                };
                candidate.url = Some(url);
                candidate.verdict = Verdict::Taken;
            }
            Err(verdict) => {
                candidate.verdict = verdict;
                self.note(NoteCode::BaseIgnored, candidate);
            }
        }
    }

    /// Ends a layer: where it gave a base, those further out did not.
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

    fn note_form(&mut self, at: &str, form: Option<&str>) {
        if let Some(form) = form {
            self.notes.push(Note {
                code: NoteCode::BaseForm,
                detail: format!("{at}: {form}"),
                line: None,
            });
        }
    }

    fn note(&mut self, code: NoteCode, candidate: &Candidate) {
        let Candidate {
            at, value, verdict, ..
        } = candidate;
        let detail = match code {
            NoteCode::BaseRelative => {
                format!("{at}: relative base {value:?} resolved against the layers outside it")
            }
            _ => format!("{at}: {value:?} is not the base: {}", verdict.as_str()),
        };
        self.notes.push(Note {
            code,
            detail,
            line: None,
        });
    }
}

/// Under every rule set: a heading often carries `cid:` or `about:` for a location, a mark
/// `about:internet`, and the layers outside it know better.
fn hierarchical(url: String) -> Result<String, Verdict> {
    if resolve::is_hierarchical(&url) {
        Ok(url)
    } else {
        Err(Verdict::NotHierarchical)
    }
}

fn candidate_of(declaration: &Declaration) -> Candidate {
    Candidate {
        source: match declaration.by {
            Declarer::Element { .. } | Declarer::FormerElement { .. } => BaseSource::Element,
            Declarer::Header { .. } => BaseSource::Header,
            Declarer::Retrieval(_) => BaseSource::Retrieval,
        },
        at: place(&declaration.by),
        value: declaration.value.clone(),
        url: None,
        verdict: Verdict::InnerTaken,
    }
}

/// The place of a declaration, in words.
fn place(declarer: &Declarer) -> String {
    match declarer {
        Declarer::Element { line } => match line {
            Some(line) => format!("<base> line {line}"),
            None => "<base>".to_owned(),
        },
        Declarer::Header {
            field,
            section,
            line,
            ..
        } => {
            let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
            let numbers: Vec<String> = section.iter().map(u32::to_string).collect();
            let part = if numbers.is_empty() {
                String::new()
            } else {
                format!(" (part {})", numbers.join("."))
            };
            format!("{}{line}{part}", field.name())
        }
        Declarer::Retrieval(Retrieval::Url) => "--url".to_owned(),
        Declarer::Retrieval(Retrieval::UrlMap(directory)) => format!("--url-map {directory}"),
        Declarer::Retrieval(Retrieval::Record(name)) => (*name).to_owned(),
        Declarer::Retrieval(Retrieval::Mark { mark, line }) => match line {
            Some(line) => format!("{} line {line}", mark.name()),
            None => mark.name().to_owned(),
        },
        Declarer::FormerElement { line } => match line {
            Some(line) => format!("commented <base> line {line}"),
            None => "commented <base>".to_owned(),
        },
    }
}
