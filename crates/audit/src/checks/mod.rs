//! The checks of a link. Each is a function that finds violations of one or a few rules of
//! [`crate::rules`], and takes the view of a link that these need ([`crate::view::link`]).
//!
//! Rules about the target of a URL, regardless of the link, are checked in [`crate::target`].

pub(crate) mod bases;
pub(crate) mod canonical;
pub(crate) mod external;
pub(crate) mod syntax;

use crate::mail;
use crate::model::class::LinkClass;
use crate::model::sent_url::has_encoded_query;
use crate::model::shown::LONGEST_SHOWN;
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
use crate::rules::target::missing_text::{self, MissingText};
use crate::rules::target::slash_dependent::SlashDependent;
use crate::target;
use crate::target::host;
use crate::view::link::{
    LinkCondition, LinkView, LooksAt, PageCondition, PageView, SharedView, SimilarLink, View,
    WholeView,
};
use crate::view::page::Page;
use baseref_document::Reference;
use baseref_document::link_places::{Class, Fetched};
use baseref_findings::words::cut_after;
use baseref_findings::{Finding, Rule, Violation};
use baseref_reader::base::BaseSource;
use baseref_reader::links::Link;
use baseref_resolve::parts::{self, has_scheme, has_userinfo};
use baseref_resolve::{ResolveError, Resolver, clean};
use baseref_site::hosting::Folder;
use baseref_site::text_directive::{Search, text_directives};
use memchr::memchr_iter;

/// A check of links.
trait Check {
    type View<'s, 'p: 's>: View<'s, 'p>;

    /// Adds its findings about a link.
    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>);
}

/// The links that a check must see although a similar one had no findings.
const fn looks_at<C: Check>() -> LooksAt {
    <C::View<'static, 'static> as View<'static, 'static>>::LOOKS_AT
}

/// Defines the functions that run all checks, calling each directly.
macro_rules! checks {
    ($($check:ident),* $(,)?) => {
        /// Adds the findings of every check about a link.
        pub(crate) fn find(link: LinkView<'_, '_>, findings: &mut Vec<Finding>) {
            $(if let Some(view) = <$check as Check>::View::new(link) {
                $check::find(&view, findings);
            })*
        }

        /// Whether a check must see every link of a page.
        pub(crate) fn look_at_page(page: &Page<'_>) -> bool {
            $(matches!(const { looks_at::<$check>() }, LooksAt::Page(holds) if holds(page)))||*
        }

        /// Whether a check may have findings about a link although a similar one had none.
        #[inline]
        pub(crate) fn look_at_link(link: &SimilarLink<'_, '_, '_>) -> bool {
            $(matches!(const { looks_at::<$check>() }, LooksAt::Link(holds) if holds(link)))||*
        }
    };
}

checks! {
    Syntax,
    SourceSpelling,
    Empty,
    WithoutUrl,
    Parts,
    FileUrlCheck,
    UserinfoCheck,
    PrivateHostCheck,
    RetargetsFragmentCheck,
    Mixed,
    CharsetQueryCheck,
    SlashDependentCheck,
    TextDirectiveCheck,
    ReportedStatusCheck,
}

/// `syntax/…`, except for the spelling in the source.
struct Syntax;

impl LinkCondition for Syntax {
    fn may_differ(link: &SimilarLink<'_, '_, '_>) -> bool {
        let is_unremarkable = link.fragment.is_none_or(syntax::is_unremarkable_fragment);
        !is_unremarkable
    }
}

impl Check for Syntax {
    type View<'s, 'p: 's> = WholeView<'s, 'p, Self>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let value = link.link.reference.value;
        syntax::check(value, |rule| findings.push(syntax_finding(link, rule)));
    }
}

/// `syntax/ambiguous-charref`: the spelling of a value in the bytes of the document.
struct SourceSpelling;

impl LinkCondition for SourceSpelling {
    fn may_differ(link: &SimilarLink<'_, '_, '_>) -> bool {
        is_ambiguous(link.page, link.reference)
    }
}

impl Check for SourceSpelling {
    type View<'s, 'p: 's> = WholeView<'s, 'p, Self>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if is_ambiguous(link.page, &link.link.reference) {
            findings.push(syntax_finding(link, &ambiguous_charref::RULE));
        }
    }
}

/// Whether the source text of a value has a character reference that ends where browsers might not expect
/// it.
fn is_ambiguous(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    page.source
        .filter(|_| is_decoded(reference))
        .and_then(|source| source_text(reference, source))
        .is_some_and(|text| syntax::has_ambiguous_reference(text, reference.value))
}

/// Whether a value differs from its source text.
fn is_decoded(reference: &Reference<'_>) -> bool {
    let length = reference.value.len() as u64;
    reference
        .at
        .is_some_and(|at| at.byte.end - at.byte.start != length)
}

/// The source text of a value.
fn source_text<'s>(reference: &Reference<'_>, source: &'s [u8]) -> Option<&'s [u8]> {
    let at = reference.at?;
    let start = usize::try_from(at.byte.start).ok()?;
    let end = usize::try_from(at.byte.end).ok()?;
    source.get(start..end)
}

fn syntax_finding(link: &LinkView<'_, '_>, rule: &'static Rule) -> Finding {
    let message = link.page.summary(rule);
    let level = rule.level;
    link.finding(
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
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some(link) = link.empty()
            && let Some(message) = empty_href(&link.link.reference)
        {
            findings.push(link.finding(link.link.reference.element, message));
        }
    }
}

/// What browsers do with an empty URL, unless it names its own page on purpose, as it does in the
/// action of a form or in a refresh.
fn empty_href(reference: &Reference<'_>) -> Option<EmptyHref> {
    Some(match (reference.slot.element, reference.slot.attr) {
        // HTML: the steps that fetch each of these "fire an event named error".
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
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        match link.without_url() {
            Some((link, ResolveError::NoBase)) if !leads_to_itself(link.link) => {
                let message = match link.page.source {
                    Some(_) => BaseUndefined::File,
                    None => BaseUndefined::Message,
                };
                findings.push(link.finding("no base", message));
            }
            Some((link, ResolveError::BadBase)) => {
                let cause = link.link.base.url.as_deref().unwrap_or_default();
                findings.push(link.finding(cause, BaseUnsuitable::Link));
            }
            _ => {}
        }
    }
}

/// Whether a link leads to the document that contains it, which has no URL: its value is empty or
/// only a fragment (RFC 1808 §4 step 2a).
pub(crate) fn leads_to_itself(link: &Link<'_>) -> bool {
    let value = link.reference.value.trim_ascii().as_bytes();
    link.url == Err(ResolveError::NoBase) && matches!(value.first(), None | Some(b'#'))
}

/// `mail/cid-…`.
struct Parts;

impl PageCondition for Parts {
    fn holds(page: &Page<'_>) -> bool {
        page.document().message.is_some()
    }
}

impl Check for Parts {
    type View<'s, 'p: 's> = PageView<'s, 'p, Self>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        findings.extend(mail::cid::check(link.page, link.link));
    }
}

/// `policy/file-url`.
struct FileUrlCheck;

impl Check for FileUrlCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let is_file = |url: &str| has_scheme(url, "file");
        if let Some((link, url)) = link.notable()
            && is_file(url)
            && !link.page.url.is_some_and(is_file)
        {
            findings.push(link.finding(url, FileUrl::Link));
        }
    }
}

/// `policy/userinfo`.
struct UserinfoCheck;

impl Check for UserinfoCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some((link, url)) = link.notable()
            && is_of_host(url)
            && has_userinfo(url)
        {
            findings.push(link.finding(url, Userinfo));
        }
    }
}

/// `policy/private-host`.
struct PrivateHostCheck;

impl Check for PrivateHostCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some((link, url)) = link.notable()
            && is_of_host(url)
            && link.resolved.class == LinkClass::External
            && !is_expected(link.page, link.link)
            && host::is_private(url)
        {
            let cause = link.page.shown(parts::origin(url));
            findings.push(link.finding(cause, PrivateHost::Link));
        }
    }
}

/// Whether a URL is of a scheme that browsers connect to hosts by.
fn is_of_host(url: &str) -> bool {
    parts::is_special(url) && !has_scheme(url, "file")
}

/// Whether the page or its base is on a private host itself.
fn is_expected(page: &Page<'_>, link: &Link<'_>) -> bool {
    let is_of_base = link.base.source != BaseSource::Retrieval
        && link.base.url.as_deref().is_some_and(host::is_private);
    is_of_base || page.is_private
}

/// `base/retargets-fragment`.
struct RetargetsFragmentCheck;

impl Check for RetargetsFragmentCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some(subject) = link.only_fragment()
            && let LinkView { page, link, .. } = subject
            && let Ok(url) = link.url
            && link.base.source != BaseSource::Retrieval
            && link.reference.slot.class == Class::Anchor
            && let Some(own) = page.own
            && subject.resolved.file != Some(own)
        {
            let url = page.shown(url);
            let cause = link.base.url.as_deref().unwrap_or_default();
            findings.push(subject.finding(cause, BaseRetargetsFragment { url }));
        }
    }
}

/// `policy/mixed-active`, `policy/mixed-passive`: a resource that an `https` page loads over `http`.
struct Mixed;

impl LinkCondition for Mixed {
    fn may_differ(link: &SimilarLink<'_, '_, '_>) -> bool {
        link.target.class == LinkClass::External
            && link.reference.slot.fetched != Fetched::No
            && link.page.is_secure()
            && may_be_plain(link)
    }
}

impl Check for Mixed {
    type View<'s, 'p: 's> = WholeView<'s, 'p, Self>;

    fn find(subject: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let Ok(url) = subject.link.url else {
            return;
        };
        let is_plain = url.starts_with("http:") && subject.resolved.class == LinkClass::External;
        if !is_plain || !subject.page.is_secure() {
            return;
        }
        let rule = match subject.link.reference.slot.fetched {
            Fetched::Applied | Fetched::Ahead => &mixed_active::RULE,
            Fetched::Shown => &mixed_passive::RULE,
            _ => return,
        };
        findings.push(subject.finding(url, rule));
    }
}

/// Whether the URL of a link may be other than `https`, by its own scheme or the scheme of its base.
fn may_be_plain(link: &SimilarLink<'_, '_, '_>) -> bool {
    let base = link.page.document_links.base().url.as_deref();
    let is_secure = base.is_some_and(|base| has_scheme(base, "https"));
    !is_secure || has_scheme(link.reference.value, "http")
}

/// `doc/charset-query`.
struct CharsetQueryCheck;

impl Check for CharsetQueryCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let encoding = link.encoding();
        if link.bare().is_ascii() || !link.has_url() {
            return;
        }
        if has_encoded_query(&clean(link.bare()), encoding) {
            let encoding = encoding.name();
            findings.push(link.finding(encoding, CharsetQuery { encoding }));
        }
    }
}

/// `target/slash-dependent`: a relative link in the index of a folder that is also served without
/// the slash.
struct SlashDependentCheck;

impl PageCondition for SlashDependentCheck {
    fn holds(page: &Page<'_>) -> bool {
        page.ctx.hosting.folder == Folder::Serve
    }
}

impl Check for SlashDependentCheck {
    type View<'s, 'p: 's> = PageView<'s, 'p, Self>;

    fn find(subject: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let page = subject.page;
        if let Some((folder, other)) = without_slash(subject) {
            let other = page.shown(&other);
            findings.push(subject.finding(page.shown(&folder), SlashDependent { other }));
        }
    }
}

/// Whether a fragment has a fragment directive. Each link with a fragment is asked, and few have a tilde.
fn has_directive(fragment: &str) -> bool {
    memchr_iter(b'~', fragment.as_bytes()).any(|at| {
        let (before, behind) = fragment.split_at(at);
        before.ends_with(':') && behind[1..].starts_with(':')
    })
}

/// `target/missing-text`.
struct TextDirectiveCheck;

impl LinkCondition for TextDirectiveCheck {
    fn may_differ(link: &SimilarLink<'_, '_, '_>) -> bool {
        link.fragment.is_some_and(has_directive) && link.page.ctx.shown.is_on(&missing_text::RULE)
    }
}

impl Check for TextDirectiveCheck {
    type View<'s, 'p: 's> = WholeView<'s, 'p, Self>;

    fn find(subject: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        let ctx = subject.page.ctx;
        let Ok(url) = subject.link.url else { return };
        let fragment = parts::fragment(url).filter(|fragment| has_directive(fragment));
        let Some(fragment) = fragment.filter(|_| subject.resolved.class == LinkClass::Ok) else {
            return;
        };
        let is_wanted = ctx.shown.is_on(&missing_text::RULE);
        let Some(file) = subject.resolved.file.filter(|_| is_wanted) else {
            return;
        };
        let Some(text) = ctx.text_of(file) else {
            return;
        };
        for (directive, parsed) in text_directives(fragment) {
            let directive = &*cut_after(LONGEST_SHOWN, directive);
            let message = match parsed.search(&text) {
                Search::Found => continue,
                Search::NotFound => MissingText::NotShown { directive },
                Search::Limit => MissingText::Limit { directive },
            };
            findings.push(subject.finding(ctx.path_of(file), message));
        }
    }
}

/// The URL of the page without its slash and the URL of the link there, if its target differs.
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
    let rules = page.document_links.policy().rules;
    let from_folder = Resolver::new(rules, Some(folder), page.encoding);
    let other = from_folder.resolve(link.reference.value).ok()?;
    let elsewhere = target::resolved(&audit.map, &audit.hosting, &other, page.encoding);
    // Two different URLs without files also count as different targets.
    let is_same = other == url || elsewhere.file.is_some() && elsewhere.file == resolved.file;
    (!is_same).then(|| (folder.to_owned(), other))
}

/// `external/…`: the results of link checkers for a link to another site.
struct ReportedStatusCheck;

impl Check for ReportedStatusCheck {
    type View<'s, 'p: 's> = SharedView<'s, 'p>;

    fn find(link: &Self::View<'_, '_>, findings: &mut Vec<Finding>) {
        if let Some((LinkView { page, link, .. }, url)) = link.external()
            && let Some(external) = &page.ctx.external
        {
            findings.extend(external.judge(page, link, url));
        }
    }
}
