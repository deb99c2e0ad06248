//! The checks of a link: each one or a few rules of [`crate::rules`], a function that makes their
//! findings, and what the function looks at.
//!
//! Most links of a folder's pages are like one before, which had no findings, so the cache of
//! [`crate::cache::folder`] answers for them. It asks every check here whether that is enough: one that
//! looks at more of a link than the cache compares says so in [`Check::LOOKS_AT`], which has no
//! default.
//!
//! Rules about what a URL leads to, whatever the link, are in [`crate::target`].

pub(crate) mod bases;
pub(crate) mod external;
pub(crate) mod syntax;

use std::sync::Arc;

use crate::mail;
use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use crate::rules::base::retargets_fragment::BaseRetargetsFragment;
use crate::rules::base::undefined::BaseUndefined;
use crate::rules::base::unsuitable::BaseUnsuitable;
use crate::rules::doc::charset_query::CharsetQuery;
use crate::rules::policy::empty_href::EmptyHref;
use crate::rules::policy::file_url::FileUrl;
use crate::rules::policy::private_host::PrivateHost;
use crate::rules::policy::userinfo::Userinfo;
use crate::rules::policy::{mixed_active, mixed_passive};
use crate::rules::syntax::ambiguous_charref;
use crate::rules::target::slash_dependent::SlashDependent;
use crate::target;
use crate::target::host;
use crate::view::link::{LinkView, SimilarLink};
use crate::view::page::Page;
use baseref_document::Reference;
use baseref_document::link_places::{Class, Fetched};
use baseref_findings::{Finding, Rule, Violation};
use baseref_reader::base::BaseSource;
use baseref_reader::extract::Link;
use baseref_resolve::parts::{self, has_scheme, has_userinfo};
use baseref_resolve::{ResolveError, Resolver, clean};
use baseref_site::hosting::Folder;

/// What a check looks at.
enum LooksAt {
    /// Nothing that differs among links that are alike.
    What,
    /// More of a page than the folder of its base, if this holds of the page.
    Page(fn(&Page<'_>) -> bool),
    /// More of a link, if this holds of it.
    Link(fn(&SimilarLink<'_, '_, '_>) -> bool),
}

/// A check of links.
trait Check {
    const LOOKS_AT: LooksAt;

    /// Adds its findings about a link.
    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>);
}

/// Makes the functions that ask every check. Each is called directly, which costs nothing beyond
/// what it does.
macro_rules! checks {
    ($($check:ident),* $(,)?) => {
        /// Adds the findings of every check about a link.
        pub(crate) fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
            $($check::find(subject, findings);)*
        }

        /// Whether a check looks at every link of a page by itself.
        pub(crate) fn look_at_page(page: &Page<'_>) -> bool {
            $(matches!($check::LOOKS_AT, LooksAt::Page(holds) if holds(page)))||*
        }

        /// Whether a check may have findings about a link though none has any about one like it.
        #[inline]
        pub(crate) fn look_at_link(like: &SimilarLink<'_, '_, '_>) -> bool {
            $(matches!($check::LOOKS_AT, LooksAt::Link(holds) if holds(like)))||*
        }
    };
}

checks! {
    Syntax,
    Written,
    Empty,
    WithoutUrl,
    Parts,
    FileUrlCheck,
    UserinfoCheck,
    PrivateHostCheck,
    Retargeted,
    Mixed,
    CharsetQueryCheck,
    SlashDependentCheck,
    Measured,
}

impl LinkView<'_, '_> {
    fn finding(&self, cause: impl Into<Arc<str>>, violation: impl Into<Violation>) -> Finding {
        self.page.finding(self.link, cause, violation)
    }
}

/// `syntax/…`, but for how the value is written.
struct Syntax;

impl Check for Syntax {
    const LOOKS_AT: LooksAt = LooksAt::Link(|like| {
        let is_unremarkable = like.fragment.is_none_or(syntax::is_unremarkable_fragment);
        !is_unremarkable
    });

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let value = subject.link.reference.value;
        syntax::check(value, |rule| findings.push(of_syntax(subject, rule)));
    }
}

/// `syntax/ambiguous-charref`: how a value is written in the bytes of the document.
struct Written;

impl Check for Written {
    const LOOKS_AT: LooksAt =
        LooksAt::Link(|like| like.page.source.is_some() && is_decoded(like.reference));

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let reference = &subject.link.reference;
        if let Some(source) = subject.page.source
            && is_decoded(reference)
            && let Some(written) = written(reference, source)
            && syntax::has_ambiguous_reference(written, reference.value)
        {
            findings.push(of_syntax(subject, &ambiguous_charref::RULE));
        }
    }
}

/// Whether a value differs from its source text.
fn is_decoded(reference: &Reference<'_>) -> bool {
    let length = reference.value.len() as u64;
    reference
        .at
        .is_some_and(|at| at.byte.end - at.byte.start != length)
}

/// The source text of a value.
fn written<'s>(reference: &Reference<'_>, source: &'s [u8]) -> Option<&'s [u8]> {
    let at = reference.at?;
    let start = usize::try_from(at.byte.start).ok()?;
    let end = usize::try_from(at.byte.end).ok()?;
    source.get(start..end)
}

fn of_syntax(subject: &LinkView<'_, '_>, rule: &'static Rule) -> Finding {
    let message = subject.page.summary(rule);
    let level = rule.level;
    subject.finding(
        "",
        Violation {
            rule,
            level,
            message,
        },
    )
}

/// `policy/empty-href`.
struct Empty;

impl Check for Empty {
    // An empty value is like no other.
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let reference = &subject.link.reference;
        if reference.value.trim_ascii().is_empty()
            && let Some(message) = of_empty(reference)
        {
            findings.push(subject.finding(reference.element, message));
        }
    }
}

/// What browsers make of an empty URL, if its author cannot have meant that: not of one that names the
/// page on purpose, as the action of a form or a refresh does.
fn of_empty(reference: &Reference<'_>) -> Option<EmptyHref> {
    Some(match (reference.slot.element, reference.slot.attr) {
        // HTML: the steps that fetch each of them "fire an event named error".
        ("img" | "script" | "input" | "audio" | "video" | "source" | "track", "src") => {
            EmptyHref::Event
        }
        ("iframe" | "frame" | "embed", "src") | ("object", "data") => EmptyHref::Frame,
        ("link", "href") | ("video", "poster") => EmptyHref::Resource,
        ("a" | "area", "href") => EmptyHref::Anchor,
        _ => return None,
    })
}

/// `base/undefined`, `base/unsuitable`: a link without a URL.
struct WithoutUrl;

impl Check for WithoutUrl {
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let link = subject.link;
        match link.url {
            Err(ResolveError::NoBase) if !leads_to_itself(link) => {
                let message = match subject.page.source {
                    Some(_) => BaseUndefined::File,
                    None => BaseUndefined::Message,
                };
                findings.push(subject.finding("no base", message));
            }
            Err(ResolveError::BadBase) => {
                let cause = link.base.url.as_deref().unwrap_or_default();
                findings.push(subject.finding(cause, BaseUnsuitable::Link));
            }
            _ => {}
        }
    }
}

/// Whether a link leads to the document that contains it, whose URL nobody knows: it is empty or
/// only a fragment (RFC 1808 §4 step 2a).
pub(crate) fn leads_to_itself(link: &Link<'_>) -> bool {
    let value = link.reference.value.trim_ascii().as_bytes();
    link.url == Err(ResolveError::NoBase) && matches!(value.first(), None | Some(b'#'))
}

/// `mail/cid-…`.
struct Parts;

impl Check for Parts {
    const LOOKS_AT: LooksAt = LooksAt::Page(|page| page.document().message.is_some());

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        findings.extend(mail::cid::check(subject.page, subject.link));
    }
}

/// `policy/file-url`.
struct FileUrlCheck;

impl Check for FileUrlCheck {
    // What leads to a file URL is notable, and not answered from the cache.
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let is_file = |url: &str| has_scheme(url, "file");
        if let Ok(url) = subject.link.url
            && subject.resolved.notable
            && is_file(url)
            && !subject.page.url.is_some_and(is_file)
        {
            findings.push(subject.finding(url, FileUrl));
        }
    }
}

/// `policy/userinfo`.
struct UserinfoCheck;

impl Check for UserinfoCheck {
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some(url) = notable_host(subject)
            && has_userinfo(url)
        {
            findings.push(subject.finding(url, Userinfo));
        }
    }
}

/// `policy/private-host`.
struct PrivateHostCheck;

impl Check for PrivateHostCheck {
    // What leads to such a host is notable, and only answered from the cache where it is expected of
    // every link of the page.
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let LinkView { page, link, .. } = subject;
        if let Some(url) = notable_host(subject)
            && subject.resolved.class == LinkClass::External
            && !is_expected(page, link)
            && host::is_private(url)
        {
            let cause = page.shown(parts::origin(url));
            findings.push(subject.finding(cause, PrivateHost));
        }
    }
}

/// The URL of a link to a host, if there is something about it.
fn notable_host<'s>(subject: &LinkView<'s, '_>) -> Option<&'s str> {
    let url = subject.link.url.ok()?;
    let is_of_host = subject.resolved.notable && parts::is_special(url);
    (is_of_host && !has_scheme(url, "file")).then_some(url)
}

/// Whether the page, or its base, is on a host that only the author can reach.
fn is_expected(page: &Page<'_>, link: &Link<'_>) -> bool {
    let is_of_base = link.base.source != BaseSource::Retrieval
        && link.base.url.as_deref().is_some_and(host::is_private);
    is_of_base || page.is_private
}

/// `base/retargets-fragment`.
struct Retargeted;

impl Check for Retargeted {
    // Links that are only a fragment are alike on one page alone.
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let LinkView { page, link, .. } = subject;
        let value = link.reference.value;
        if let Ok(url) = link.url
            && link.base.source != BaseSource::Retrieval
            && link.reference.slot.class == Class::Anchor
            && matches!(value.trim_ascii().as_bytes().first(), None | Some(b'#'))
            && let Some(own) = page.own
            && subject.resolved.file != Some(own)
        {
            let url = page.shown(url);
            let cause = link.base.url.as_deref().unwrap_or_default();
            findings.push(subject.finding(cause, BaseRetargetsFragment { url }));
        }
    }
}

/// `policy/mixed-active`, `policy/mixed-passive`: something that an `https` page loads over `http`.
struct Mixed;

impl Check for Mixed {
    const LOOKS_AT: LooksAt = LooksAt::Link(|like| {
        like.target.class == LinkClass::External
            && like.page.is_secure()
            && like.reference.slot.fetched != Fetched::No
            && may_be_plain(like)
    });

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let Ok(url) = subject.link.url else {
            return;
        };
        let is_plain = url.starts_with("http:") && subject.resolved.class == LinkClass::External;
        if !is_plain || !subject.page.is_secure() {
            return;
        }
        let rule = match subject.link.reference.slot.fetched {
            Fetched::Applied => &mixed_active::RULE,
            Fetched::Shown => &mixed_passive::RULE,
            Fetched::No => return,
        };
        findings.push(subject.finding(url, rule));
    }
}

/// Whether a link may lead to a URL without `https`, by its own scheme or by that of its base.
fn may_be_plain(like: &SimilarLink<'_, '_, '_>) -> bool {
    let base = like.page.extraction.base().url.as_deref();
    let is_secure = base.is_some_and(|base| has_scheme(base, "https"));
    !is_secure || has_scheme(like.reference.value, "http")
}

/// `doc/charset-query`.
struct CharsetQueryCheck;

impl Check for CharsetQueryCheck {
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let encoding = subject.page.encoding;
        let value = subject.link.reference.value;
        // In a UTF-16 page, URLs are written in UTF-8 (URL Standard, "query state").
        if encoding.output_encoding() == encoding_rs::UTF_8
            || value.is_ascii()
            || subject.link.url.is_err()
        {
            return;
        }
        let value = clean(value);
        if parts::query(&value).is_some_and(|query| !query.is_ascii()) {
            let encoding = encoding.name();
            findings.push(subject.finding(encoding, CharsetQuery { encoding }));
        }
    }
}

/// `target/slash-dependent`: a relative link in the index of a folder that is also served without
/// the slash.
struct SlashDependentCheck;

impl Check for SlashDependentCheck {
    const LOOKS_AT: LooksAt = LooksAt::Page(|page| page.ctx.hosting.folder == Folder::Serve);

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let page = subject.page;
        if page.ctx.hosting.folder != Folder::Serve {
            return;
        }
        if let Some((folder, other)) = without_slash(subject) {
            let other = page.shown(&other);
            findings.push(subject.finding(page.shown(&folder), SlashDependent { other }));
        }
    }
}

/// The URL of the page without its slash, and where the link leads from there, if that is elsewhere.
fn without_slash(subject: &LinkView<'_, '_>) -> Option<(String, String)> {
    let LinkView {
        page,
        link,
        resolved,
    } = subject;
    let SiteFile { site, file } = page.own?;
    let url = link.url.ok()?;
    let audit = page.ctx;
    let tree = &audit.map.sites()[site as usize].tree;
    let mut indexes = audit.hosting.index.iter();
    let is_index = indexes.any(|index| index.as_bytes() == tree.file_name(file));
    let is_below = tree.directory_of(file) != tree.top();
    if !is_index || !is_below || link.base.source != BaseSource::Retrieval {
        return None;
    }
    let folder = audit.map.url_of(site as usize, file, &audit.hosting.index);
    let folder = folder.strip_suffix('/')?;
    let rules = page.extraction.policy().rules;
    let from_folder = Resolver::new(rules, Some(folder), page.encoding);
    let other = from_folder.resolve(link.reference.value).ok()?;
    let elsewhere = target::resolved(&audit.map, &audit.hosting, &other, page.encoding);
    // Two URLs that lead nowhere also differ: it is the link that needs fixing.
    let is_same = other == url || elsewhere.file.is_some() && elsewhere.file == resolved.file;
    (!is_same).then(|| (folder.to_owned(), other))
}

/// `external/…`: what status files say of a link to another site.
struct Measured;

impl Check for Measured {
    // A server is never sent the fragment.
    const LOOKS_AT: LooksAt = LooksAt::What;

    fn find(subject: &LinkView<'_, '_>, findings: &mut Vec<Finding>) {
        let LinkView { page, link, .. } = subject;
        if subject.resolved.class == LinkClass::External
            && let Some(external) = &page.ctx.external
            && let Ok(url) = link.url
        {
            findings.extend(external.judge(page, link, url));
        }
    }
}
