//! The links of a document that browsers resolve differently from the rule set in effect.

use std::cell::OnceCell;

use encoding_rs::Encoding;

use super::document_links::{DocumentLinks, Link, LinkResolver};
use baseref_document::{Context, Declaration, Place, Reference};
use baseref_resolve::fast_path::{Agreement, CommonForm, is_elsewhere};
use baseref_resolve::{ResolveError, Rules};
use baseref_text::decode::encoding;

/// Compares the links of a document with the URLs that browsers resolve them to. Nearly all links
/// have the common form and are not resolved a second time.
pub struct Browsers<'e, 'd> {
    links: &'e DocumentLinks<'d>,
    /// The same document, resolved as browsers do.
    whatwg: &'e OnceCell<DocumentLinks<'d>>,
    /// Resolves links as browsers do; made for the first link of another form.
    resolver: Option<LinkResolver<'e>>,
    /// `None` if the rule set in effect is the one of browsers.
    common: Option<CommonForm>,
    /// Whether links are resolved by RFC 1808.
    is_rfc_1808: bool,
    /// The URL of the last link in browsers, if its form shows it.
    buffer: String,
}

impl<'e, 'd> Browsers<'e, 'd> {
    /// `in_browsers` has to be empty; it is filled when it is first needed.
    #[must_use]
    pub fn new(links: &'e DocumentLinks<'d>, in_browsers: &'e OnceCell<DocumentLinks<'d>>) -> Self {
        let is_other = links.policy().rules != Rules::Whatwg;
        Self {
            common: is_other.then(|| common_form(links, in_browsers)).flatten(),
            links,
            is_rfc_1808: links.policy().rules == Rules::Rfc1808,
            whatwg: in_browsers,
            resolver: None,
            buffer: String::new(),
        }
    }

    /// The URL that a browser resolves the link to, lent until the next one, or why there is none;
    /// `None` if the browser goes where the rule set in effect says.
    #[inline]
    pub fn elsewhere(&mut self, link: &Link<'_>) -> Option<Result<&str, ResolveError>> {
        match agreement(self.common.as_mut()?, &link.reference) {
            Agreement::Same => None,
            Agreement::AboveRoot(rest) if link.url.is_ok() => self.above_root(rest),
            Agreement::AboveRoot(_) | Agreement::Unknown => self.compared(link),
        }
    }

    fn above_root(&mut self, rest: &str) -> Option<Result<&str, ResolveError>> {
        let root = self.common.as_ref().filter(|_| self.is_rfc_1808)?.root();
        self.buffer.clear();
        self.buffer.push_str(root);
        self.buffer.push_str(rest);
        Some(Ok(&self.buffer))
    }

    fn compared(&mut self, link: &Link<'_>) -> Option<Result<&str, ResolveError>> {
        let (links, whatwg) = (self.links, self.whatwg);
        let resolver = self.resolver.get_or_insert_with(|| {
            let whatwg: &'e DocumentLinks<'e> = whatwg.get_or_init(|| links.in_browsers());
            whatwg.link_resolver()
        });
        let browser = resolver.url(&link.reference);
        // URLs left out for their total length cannot be compared.
        let is_left_out = [link.url, browser].contains(&Err(ResolveError::TooLong));
        (!is_left_out && is_elsewhere(link.url, browser)).then_some(browser)
    }
}

/// The length in bytes above which a base is not established a second time for browsers: a message
/// can have one around each of its thousands of parts.
const LONG_BASE: usize = 4096;

/// Whether declarations that give a long base are of common form. Only their beginnings are examined,
/// which contain the hosts.
fn are_common(declarations: &[Declaration], encoding: &'static Encoding) -> bool {
    let mut common = CommonForm::with_long_base(encoding);
    declarations.iter().all(|declaration| {
        let value = declaration.value.trim_ascii_start();
        let value = value.strip_prefix('<').unwrap_or(value);
        let value = value.strip_prefix("URL:").unwrap_or(value);
        common.covers(&value[..value.floor_char_boundary(LONG_BASE)])
    })
}

/// The common form of references to the base of the document; `None` if links are not compared with
/// browsers.
fn common_form<'d>(
    links: &DocumentLinks<'d>,
    whatwg: &OnceCell<DocumentLinks<'d>>,
) -> Option<CommonForm> {
    let document = links.document();
    let encoding = encoding::named(document.encoding);
    let base = links.base().url.as_deref();
    if base.is_some_and(|base| base.len() > LONG_BASE) {
        let is_common =
            document.origin.embedded.is_empty() && are_common(&document.declarations, encoding);
        return is_common.then(|| CommonForm::with_long_base(encoding));
    }
    let is_retrieval = |declaration: &Declaration| matches!(declaration.at, Place::Retrieval(_));
    let declarations = &document.declarations;
    // Every rule set picks the same retrieval URL, if any is usable.
    let is_obvious = document.origin.embedded.is_empty()
        && declarations.iter().all(is_retrieval)
        && base.is_some() != declarations.is_empty();
    let is_the_same = is_obvious || {
        let in_browsers = whatwg.get_or_init(|| links.in_browsers());
        base == in_browsers.base().url.as_deref()
    };
    Some(if is_the_same {
        CommonForm::new(base, encoding)
    } else {
        CommonForm::absolute_only(encoding)
    })
}

#[inline]
fn agreement<'r>(common: &mut CommonForm, reference: &Reference<'r>) -> Agreement<'r> {
    let is_same = match reference.context {
        _ if reference.cut => true,
        Context::Document => return common.agreement(reference.value),
        Context::Outside | Context::Codebase(_) | Context::XmlBase(_) | Context::Outermost(_) => {
            common.covers_absolute(reference.value)
        }
        _ => false,
    };
    if is_same {
        Agreement::Same
    } else {
        Agreement::Unknown
    }
}
