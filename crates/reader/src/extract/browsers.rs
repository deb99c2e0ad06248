//! Where browsers go from the links of a document, if not where the rule set in effect says.

use std::cell::OnceCell;

use encoding_rs::Encoding;

use super::extraction::{Extraction, Link, Resolving};
use baseref_document::{Context, Declaration, Place, Reference};
use baseref_resolve::usual::{Known, UsualForm, is_elsewhere};
use baseref_resolve::{ResolveError, Rules};
use baseref_text::decode::encoding;

/// Compares the links of a document with what browsers make of them. Links of usual form, nearly
/// all, are recognised without resolving them a second time.
pub struct Browsers<'e, 'd> {
    extraction: &'e Extraction<'d>,
    /// The document by the rules of browsers.
    other: &'e OnceCell<Extraction<'d>>,
    /// Made for the first link of another form.
    resolving: Option<Resolving<'e>>,
    /// `None` if links are resolved as in browsers in any case.
    usual: Option<UsualForm>,
    /// Whether links are resolved by RFC 1808.
    is_rfc_1808: bool,
    /// Where a browser goes from the last link, if that is said by its form.
    buffer: String,
}

impl<'e, 'd> Browsers<'e, 'd> {
    /// `in_browsers` has to be empty: it keeps what is worked out only if it is needed.
    #[must_use]
    pub fn new(extraction: &'e Extraction<'d>, in_browsers: &'e OnceCell<Extraction<'d>>) -> Self {
        let is_other = extraction.policy().rules != Rules::Whatwg;
        Self {
            usual: is_other
                .then(|| usual_form(extraction, in_browsers))
                .flatten(),
            extraction,
            is_rfc_1808: extraction.policy().rules == Rules::Rfc1808,
            other: in_browsers,
            resolving: None,
            buffer: String::new(),
        }
    }

    /// Where a browser goes from the link, lent until the next one, if that is not where the link
    /// leads by the rule set in effect; an error, if it goes nowhere.
    #[inline]
    pub fn elsewhere(&mut self, link: &Link<'_>) -> Option<Result<&str, ResolveError>> {
        match known(self.usual.as_mut()?, &link.reference) {
            Known::Same => None,
            Known::AboveRoot(rest) if link.url.is_ok() => self.above_root(rest),
            Known::AboveRoot(_) | Known::Nothing => self.compared(link),
        }
    }

    fn above_root(&mut self, rest: &str) -> Option<Result<&str, ResolveError>> {
        let root = self.usual.as_ref().filter(|_| self.is_rfc_1808)?.root();
        self.buffer.clear();
        self.buffer.push_str(root);
        self.buffer.push_str(rest);
        Some(Ok(&self.buffer))
    }

    fn compared(&mut self, link: &Link<'_>) -> Option<Result<&str, ResolveError>> {
        let (extraction, other) = (self.extraction, self.other);
        let resolving = self.resolving.get_or_insert_with(|| {
            let other: &'e Extraction<'e> = other.get_or_init(|| extraction.in_browsers());
            other.resolving()
        });
        let browser = resolving.url(&link.reference);
        // All together they would be too long.
        let is_left_out = [link.url, browser].contains(&Err(ResolveError::TooLong));
        (!is_left_out && is_elsewhere(link.url, browser)).then_some(browser)
    }
}

/// A longer base, in bytes, is not established a second time: a message can have one around each of
/// its thousands of parts.
const LONG_BASE: usize = 4096;

/// Whether declarations that give a long base are of usual form, as far as they are looked at: far
/// enough to know their hosts.
fn are_usual(declarations: &[Declaration], encoding: &'static Encoding) -> bool {
    let mut usual = UsualForm::of_long_base(encoding);
    declarations.iter().all(|declaration| {
        let value = declaration.value.trim_ascii_start();
        let value = value.strip_prefix('<').unwrap_or(value);
        let value = value.strip_prefix("URL:").unwrap_or(value);
        usual.covers(&value[..value.floor_char_boundary(LONG_BASE)])
    })
}

/// The usual form of references to the base of the document, if that is the same in browsers; `None`
/// if they are not compared.
fn usual_form<'d>(
    extraction: &Extraction<'d>,
    in_browsers: &OnceCell<Extraction<'d>>,
) -> Option<UsualForm> {
    let document = extraction.document();
    let encoding = encoding::named(document.encoding);
    let base = extraction.base().url.as_deref();
    if base.is_some_and(|base| base.len() > LONG_BASE) {
        let is_usual =
            document.origin.embedded.is_empty() && are_usual(&document.declarations, encoding);
        return is_usual.then(|| UsualForm::of_long_base(encoding));
    }
    let is_retrieval = |declaration: &Declaration| matches!(declaration.at, Place::Retrieval(_));
    let declarations = &document.declarations;
    // Of retrieval URLs every rule set takes the same one, if any can take it.
    let is_obvious = document.origin.embedded.is_empty()
        && declarations.iter().all(is_retrieval)
        && base.is_some() != declarations.is_empty();
    let is_the_same = is_obvious || {
        let in_browsers = in_browsers.get_or_init(|| extraction.in_browsers());
        base == in_browsers.base().url.as_deref()
    };
    Some(if is_the_same {
        UsualForm::new(base, encoding)
    } else {
        UsualForm::of_absolute(encoding)
    })
}

#[inline]
fn known<'r>(usual: &mut UsualForm, reference: &Reference<'r>) -> Known<'r> {
    let is_same = match reference.context {
        _ if reference.cut => true,
        Context::Document => return usual.known(reference.value),
        Context::Outside | Context::Codebase(_) | Context::XmlBase(_) | Context::Outermost(_) => {
            usual.covers_absolute(reference.value)
        }
        Context::Http => false,
    };
    if is_same { Known::Same } else { Known::Nothing }
}
