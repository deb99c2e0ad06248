//! A document and a policy to its base and its resolved links: where what stands in a file
//! meets what a URL means.

use encoding_rs::{Encoding, UTF_8};

use crate::base::{Base, BaseSource, Established, Policy, establish};
use crate::document::{Context, Declaration, Document, Reference};
use crate::resolve::{ResolveError, Resolver};

/// A document with its base established.
#[derive(Debug)]
pub struct Extraction<'d> {
    document: &'d Document,
    policy: Policy,
    established: Established,
    /// The base that each of [`Document::codebases`] gives.
    codebases: Vec<Base>,
    /// The base that each number of declarations in [`Context::Outermost`] gives.
    outermost: Vec<(u32, Base)>,
}

/// A reference and what it resolves to.
#[derive(Clone, Copy, Debug)]
pub struct Link<'l> {
    /// Its number in the document, 1-based, in document order.
    pub seq: u64,
    /// Where it stands and what is written there.
    pub reference: Reference<'l>,
    /// The base it was resolved against.
    pub base: &'l Base,
    /// The absolute URL, or why there is none.
    pub url: Result<&'l str, ResolveError>,
}

/// Establishes the base of a document and of the documents embedded in it, and hands each
/// to `visit`: the document first, then those in it, in document order.
pub fn extract<'d>(document: &'d Document, policy: Policy, visit: &mut dyn FnMut(&Extraction<'d>)) {
    extract_within(document, policy, &Base::default(), visit);
}

/// The recursion is as deep as [`crate::read::Limits::srcdoc_depth`] allows.
fn extract_within<'d>(
    document: &'d Document,
    policy: Policy,
    around: &Base,
    visit: &mut dyn FnMut(&Extraction<'d>),
) {
    let extraction = Extraction::new(document, policy, around);
    visit(&extraction);
    for embedded in &document.embedded {
        // HTML "fallback base URL" step 1: a srcdoc document has its container's base.
        extract_within(embedded, policy, extraction.base(), visit);
    }
}

impl<'d> Extraction<'d> {
    /// Establishes the base of one document, given the base of what it is enclosed in.
    #[must_use]
    pub fn new(document: &'d Document, policy: Policy, around: &Base) -> Self {
        let encoding = encoding_of(document);
        let established = establish(policy, around, &document.declarations, encoding);
        let resolver = Resolver::new(policy.rules, established.base.url(), encoding);
        let codebases = document
            .codebases
            .iter()
            .map(|codebase| match resolver.resolve(&codebase.value) {
                Ok(url) => Base {
                    url,
                    source: BaseSource::Element,
                    at: match codebase.line {
                        Some(line) => format!("<{} codebase> line {line}", codebase.element),
                        None => format!("<{} codebase>", codebase.element),
                    },
                },
                // What cannot be resolved cannot move the base.
                Err(_) => established.base.clone(),
            })
            .collect();
        Self {
            document,
            policy,
            established,
            codebases,
            outermost: outermost(document, policy, around),
        }
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The rules by which base and links were read.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The base of the document.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.established.base
    }

    /// The base with the account of how it was found.
    #[must_use]
    pub fn established(&self) -> &Established {
        &self.established
    }

    /// Resolves the links, in document order, each against its own base. Every base is
    /// parsed once; the URL is lent from one buffer until the next link.
    pub fn links(&self, mut each: impl FnMut(Link<'_>)) {
        let of_document = self.resolver(&self.established.base);
        let of_outside = self.resolver(&self.established.outside);
        let of_codebases: Vec<(&Base, Resolver<'_>)> = self
            .codebases
            .iter()
            .map(|base| (base, self.resolver(base)))
            .collect();
        let of_headings: Vec<(u32, &Base, Resolver<'_>)> = self
            .outermost
            .iter()
            .map(|(count, base)| (*count, base, heading_resolver(self.policy, base)))
            .collect();

        let mut buffer = String::new();
        for (seq, reference) in (1..).zip(self.document.references.iter()) {
            let (base, resolver) = match reference.context {
                Context::Document => (&self.established.base, &of_document),
                Context::Outside => (&self.established.outside, &of_outside),
                Context::Codebase(index) => match of_codebases.get(index as usize) {
                    Some((base, resolver)) => (*base, resolver),
                    None => (&self.established.base, &of_document),
                },
                Context::Outermost(count) => {
                    let mut of_headings = of_headings.iter();
                    match of_headings.find(|(outermost, ..)| *outermost == count) {
                        Some((_, base, resolver)) => (*base, resolver),
                        None => (&self.established.base, &of_document),
                    }
                }
            };
            buffer.clear();
            let url = if reference.cut {
                // What is not there whole cannot be resolved.
                Err(ResolveError::Invalid)
            } else {
                resolver
                    .resolve_into(reference.value, &mut buffer)
                    .map(|()| buffer.as_str())
            };
            each(Link {
                seq,
                reference,
                base,
                url,
            });
        }
    }

    fn resolver<'b>(&self, base: &'b Base) -> Resolver<'b> {
        Resolver::new(self.policy.rules, base.url(), encoding_of(self.document))
    }
}

/// The base that each number of declarations gives which references of a document name: those
/// of its heading and of what lies around that, a few at most.
fn outermost(document: &Document, policy: Policy, around: &Base) -> Vec<(u32, Base)> {
    let mut bases: Vec<(u32, Base)> = Vec::new();
    // The references of headings stand first.
    for reference in document.references.iter() {
        let Context::Outermost(count) = reference.context else {
            break;
        };
        if bases.iter().any(|(known, _)| *known == count) {
            continue;
        }
        let declarations = &document.declarations;
        let length = declarations.len().min(count as usize);
        let layers: &[Declaration] = &declarations[..length];
        bases.push((count, establish(policy, around, layers, UTF_8).base));
    }
    bases
}

/// Header fields are UTF-8 (RFC 6532 §3), whatever their document is.
fn heading_resolver(policy: Policy, base: &Base) -> Resolver<'_> {
    Resolver::new(policy.rules, base.url(), UTF_8)
}

fn encoding_of(document: &Document) -> &'static Encoding {
    Encoding::for_label(document.encoding.as_bytes()).unwrap_or(UTF_8)
}
