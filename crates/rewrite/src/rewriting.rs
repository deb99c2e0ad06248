//! Rewrites links to another prefix, or to relative or absolute form. Links are resolved against the base
//! of their document, and only attribute values are edited.

use std::collections::HashMap;
use std::num::NonZeroU32;

use super::edit::{self, Edit};
use super::links::{self, ByRules, ReferenceRole, Urls, form, form_of};
use baseref_container::Entity;
use baseref_document::ReadError;
use baseref_document::ReadOptions;
use baseref_document::{Context, Document, Reference};
use baseref_reader::base::BaseSource;
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentLinks;
use baseref_resolve::parts::origin;
use baseref_resolve::{ResolveError, Resolver, Rules, resolve};
use baseref_site::moves::Prefixes;

/// Which links to rewrite, and how.
#[derive(Clone, Debug)]
pub struct Rewriting {
    /// Links below an old prefix are moved to the new one; `None` to keep every target.
    pub prefixes: Option<Prefixes>,
    /// New targets of single links, by the byte offset of the link's value.
    pub links: HashMap<u64, String>,
    /// The form of links; `None` to keep the form of each where possible.
    pub written: Option<LinkForm>,
    /// How bases are chosen; links are resolved by every rule set.
    pub policy: Policy,
    /// How to read documents.
    pub read: ReadOptions,
}

/// The form of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkForm {
    /// Relative to the base, for links to the same host.
    Relative,
    /// An absolute URL.
    Absolute,
}

/// The edits that rewrite the links of a document.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The bytes of the document before the edits; empty without edits.
    pub bytes: Vec<u8>,
    /// The edits, sorted.
    pub edits: Vec<Edit>,
    /// The links that should have been rewritten and could not be.
    pub left: Vec<UnchangedLink>,
    /// Why nothing is edited: the URLs of the links are too long in total.
    pub cut: Option<ReadError>,
    /// Whether the document has links to edit but is in mail or an archive, which is never edited.
    pub refused: bool,
    /// The number of relative links that cannot be resolved because no base is known.
    pub without_base: u64,
}

/// A link left unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnchangedLink {
    /// The line of the link, 1-based.
    pub line: Option<NonZeroU32>,
    /// The value, as written.
    pub value: String,
    /// Why it is unchanged.
    pub why: &'static str,
    /// Whether it is in a style sheet, a script or text, which are never edited.
    pub is_in_code: bool,
}

/// The planned edits of one document.
#[derive(Default)]
struct Plan {
    edits: Vec<Edit>,
    left: Vec<UnchangedLink>,
    /// The target of each link after the edits, in normal form.
    wanted: Vec<Option<String>>,
    wants_edit: bool,
    /// Whether this base would change the target of a link that is not edited.
    is_harmful: bool,
    /// The number of relative links that cannot be resolved because no base is known.
    without_base: u64,
}

impl Rewriting {
    /// Rewrites the links of an entity.
    #[must_use]
    pub fn rewrite(&self, mut entity: Entity) -> Rewritten {
        let is_file = entity.is_file();
        let bytes = std::mem::take(&mut entity.bytes);
        let frame = links::frame(&entity);
        let mut rewritten = Rewritten::default();
        for document in links::documents(&bytes, entity, None, &self.read) {
            if let Some(error) = links::cut(&document, self.policy) {
                rewritten.cut = Some(error);
                continue;
            }
            let source = is_file.then_some(&bytes[..]);
            let Some(plan) = self.plan(&document, source, &mut rewritten) else {
                continue;
            };
            let mut edits = plan.edits;
            if self.leads_as_expected(&bytes, &frame, &mut edits, &plan.wanted) {
                rewritten.edits = edits;
                rewritten.bytes.clone_from(&bytes);
            } else {
                rewritten.left.push(UnchangedLink {
                    line: None,
                    value: String::new(),
                    why: "with the edits another link would lead elsewhere, so none is made",
                    is_in_code: false,
                });
            }
        }
        rewritten
    }

    /// Plans the edits of a document; `None` if there are none. Links of it and of its nested documents
    /// that cannot be edited are added to `rewritten`.
    fn plan(
        &self,
        document: &Document,
        source: Option<&[u8]>,
        rewritten: &mut Rewritten,
    ) -> Option<Plan> {
        let by_rules = ByRules::new(document, self.policy);
        let mut edited = None;
        for (number, links_by_rules) in by_rules.documents().into_iter().enumerate() {
            let page = PageOf {
                rewriting: self,
                links_by_rules,
                source: source.filter(|_| number == 0),
                is_outermost: number == 0,
            };
            let plan = page.plan();
            rewritten.without_base += plan.without_base;
            if source.is_none() {
                rewritten.refused |= plan.wants_edit;
                continue;
            }
            rewritten.left.extend(plan.left.iter().cloned());
            if number == 0 && !plan.edits.is_empty() {
                edited = Some(plan);
            }
        }
        edited
    }

    /// Whether every link of the edited document has its wanted target.
    fn leads_as_expected(
        &self,
        bytes: &[u8],
        frame: &Entity,
        edits: &mut Vec<Edit>,
        wanted: &[Option<String>],
    ) -> bool {
        let Some(bytes) = edit::applied(bytes, edits) else {
            return false;
        };
        let after = links::documents(&bytes, frame.clone(), None, &self.read);
        let after = after.first();
        after.is_some_and(|document| links::lead_to(document, self.policy, wanted))
    }
}

/// A link, and its URL under every rule set.
struct Link<'l> {
    reference: Reference<'l>,
    part: ReferenceRole,
    urls: Urls,
}

/// A document, resolved by every rule set.
struct PageOf<'p> {
    rewriting: &'p Rewriting,
    links_by_rules: [&'p DocumentLinks<'p>; 3],
    /// The bytes of the document, if it is a whole file.
    source: Option<&'p [u8]>,
    /// Whether the document is not nested in an attribute of another, where positions have another origin.
    is_outermost: bool,
}

/// The bases that links are written for, one per rule set.
struct Bases<'b> {
    /// The base by RFC 1808, in normal form; empty if there is none.
    url: String,
    resolvers: [Resolver<'b>; 3],
}

impl Bases<'_> {
    /// Whether a value resolves to `wanted`, a URL in normal form, by every rule set.
    fn lead(&self, value: &str, wanted: &str) -> bool {
        let mut resolvers = self.resolvers.iter();
        resolvers.all(|one| one.resolve(value).is_ok_and(|url| form(&url) == wanted))
    }
}

impl PageOf<'_> {
    fn document(&self) -> &Document {
        self.links_by_rules[0].document()
    }

    /// Plans to rewrite a base below an old prefix, and single links only where that is not enough. If the
    /// new base would change the target of a link that cannot be edited, the base stays.
    fn plan(&self) -> Plan {
        let bases = links::bases(&self.links_by_rules).map(|base| base.url.as_deref());
        if let Some((edit, url)) = self.moved_base() {
            let mut plan = self.plan_for([Some(&url); 3]);
            if !plan.is_harmful {
                plan.edits.push(edit);
                plan.wants_edit = true;
                return plan;
            }
        }
        self.plan_for(bases)
    }

    /// The edit of a base element below an old prefix, and the new base.
    fn moved_base(&self) -> Option<(Edit, String)> {
        let base = self.links_by_rules[0].base();
        if base.source != BaseSource::Element || !self.document().xml_bases.is_empty() {
            return None;
        }
        let url = self.rewriting.prefixes.as_ref()?;
        let own = form_of(base);
        let url = url.moved_as_written(base.url.as_deref()?)?;
        let is_same = |document_links: &&DocumentLinks<'_>| form_of(document_links.base()) == own;
        if form(&url) == own || !self.links_by_rules.iter().all(is_same) {
            return None;
        }
        let source = self.source?;
        let mut references = self.document().references.iter();
        let reference = references.find(is_base)?;
        let byte = links::byte_range(reference.at?.byte.clone(), source)?;
        let encoding = links::encoding(self.document());
        let bytes = edit::encoded(&url, &source[byte.clone()], encoding)?;
        Some((Edit { byte, bytes }, url))
    }

    /// The edits for a document with these bases.
    fn plan_for(&self, bases: [Option<&str>; 3]) -> Plan {
        let encoding = links::encoding(self.document());
        let [first, second, third] = Rules::ALL;
        let new = |rules, base| Resolver::new(rules, base, encoding);
        let bases = Bases {
            url: bases[0].map(form).unwrap_or_default(),
            resolvers: [
                new(first, bases[0]),
                new(second, bases[1]),
                new(third, bases[2]),
            ],
        };
        let mut plan = Plan::default();
        let mut resolver = self.links_by_rules.map(DocumentLinks::link_resolver);
        for (reference, part) in links::written(self.document()) {
            let link = Link {
                urls: links::urls(&mut resolver, &reference),
                reference,
                part,
            };
            let wanted = self.link(&link, &bases, &mut plan);
            plan.wanted.push(wanted);
        }
        plan
    }

    /// Plans the edit of one link, and returns its new target.
    fn link(&self, link: &Link<'_>, bases: &Bases<'_>, plan: &mut Plan) -> Option<String> {
        let reference = &link.reference;
        let was = link.urls[0].as_deref().ok().map(form);
        let there = self.by_base(reference, was.as_deref(), bases);
        let url = link.urls[0].as_deref().ok();
        let own = self.link_of_its_own(reference);
        let is_judged = own.is_some() || link.part == ReferenceRole::Judged;
        let is_of_page = matches!(reference.value.trim_ascii().as_bytes(), [] | [b'#', ..]);
        let has_base = link.urls[0] != Err(ResolveError::NoBase);
        plan.without_base += u64::from(is_judged && !is_of_page && !has_base);
        let Some(url) = url.filter(|url| is_judged && !origin(url).is_empty()) else {
            let is_needed =
                reference.context != Context::Outside && link.part != ReferenceRole::FilledIn;
            plan.is_harmful |= is_needed && there != was;
            return there;
        };
        let target = own.map_or_else(|| self.target(url), str::to_owned);
        let wanted = Some(form(&target));
        if there == wanted && !self.is_to_be_written(reference, &target, bases) {
            return wanted;
        }
        plan.wants_edit = true;
        match self.edit(link, &target, bases) {
            Ok(edit) => {
                plan.edits.push(edit);
                wanted
            }
            Err(why) => {
                plan.left.push(UnchangedLink {
                    line: reference.at.map(|at| at.line),
                    value: reference.value.to_owned(),
                    why,
                    is_in_code: why == links::IN_CODE,
                });
                plan.is_harmful |= there != was;
                there
            }
        }
    }

    /// The target, in normal form, that an unedited link to `was` has with these bases.
    fn by_base(
        &self,
        reference: &Reference<'_>,
        was: Option<&str>,
        bases: &Bases<'_>,
    ) -> Option<String> {
        let is_base = is_base(reference) && was == Some(&*form_of(self.links_by_rules[0].base()));
        if reference.context == Context::Document && !reference.cut {
            let url = bases.resolvers[0].resolve(reference.value);
            return url.ok().map(|url| form(&url));
        }
        if is_base && !bases.url.is_empty() {
            return Some(bases.url.clone());
        }
        was.map(str::to_owned)
    }

    /// The new target of a link named in [`Rewriting::links`].
    fn link_of_its_own(&self, reference: &Reference<'_>) -> Option<&str> {
        let links = Some(&self.rewriting.links).filter(|_| self.is_outermost);
        let link = links?.get(&reference.at?.byte.start);
        link.map(String::as_str)
    }

    /// The target that a link to `old` should have.
    fn target(&self, old: &str) -> String {
        let moved = self.rewriting.prefixes.as_ref();
        let moved = moved.and_then(|prefixes| prefixes.moved_as_written(old));
        moved.unwrap_or_else(|| old.to_owned())
    }

    /// Whether a value with the right target must be rewritten to get the wanted form.
    fn is_to_be_written(&self, reference: &Reference<'_>, target: &str, bases: &Bases<'_>) -> bool {
        let value = reference.value.trim_ascii();
        match self.rewriting.written {
            None => false,
            Some(LinkForm::Absolute) => !is_absolute(value),
            Some(LinkForm::Relative) => {
                let is_tied = is_absolute(value) || value.starts_with(['/', '\\']);
                is_tied && relative(reference, target, bases).is_some()
            }
        }
    }

    fn edit(&self, link: &Link<'_>, target: &str, bases: &Bases<'_>) -> Result<Edit, &'static str> {
        let source = self.source.ok_or("it is in a document within a document")?;
        let byte = links::editable(&link.reference, source)?;
        let forms = link
            .urls
            .each_ref()
            .map(|url| url.as_deref().ok().map(form));
        if forms.iter().any(|other| *other != forms[0]) {
            return Err(links::DISAGREE);
        }
        let wanted = form(target);
        let value = self
            .values(&link.reference, target, bases)
            .into_iter()
            .find(|value| bases.lead(value, &wanted))
            .ok_or("no value leads there by every rule set")?;
        let encoding = links::encoding(self.document());
        let bytes =
            edit::encoded(&value, &source[byte.clone()], encoding).ok_or(links::NO_CHARACTER)?;
        Ok(Edit { byte, bytes })
    }

    /// Candidate values for `target`, in order of preference.
    fn values(&self, reference: &Reference<'_>, target: &str, bases: &Bases<'_>) -> Vec<String> {
        let value = reference.value.trim_ascii();
        let host = origin(target);
        let is_of_base = host.eq_ignore_ascii_case(origin(&bases.url));
        let scheme = |url: &str| {
            url.split(':')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase()
        };
        let has_scheme_of_base = scheme(target) == scheme(&bases.url);
        let of_host = || Some(target[host.len()..].to_owned()).filter(|_| is_of_base);
        let of_scheme =
            || Some(target[scheme(target).len() + 1..].to_owned()).filter(|_| has_scheme_of_base);
        let shorter = match self.rewriting.written {
            Some(LinkForm::Absolute) => None,
            None if is_absolute(value) => None,
            None if value.starts_with("//") => of_scheme(),
            None if value.starts_with('/') => of_host(),
            None | Some(LinkForm::Relative) => relative(reference, target, bases),
        };
        let values = shorter.into_iter().chain([target.to_owned()]);
        values
            .map(|one| edit::with_empty_parts(value, one))
            .collect()
    }
}

/// Whether a reference declares the base of its document: a `base` element, or `xml:base` on the root of
/// a feed.
fn is_base(reference: &Reference<'_>) -> bool {
    reference.context == Context::Outside
        && (reference.element == "base" || reference.attr == "xml:base")
}

fn is_absolute(value: &str) -> bool {
    resolve(Rules::Rfc1808, None, value).is_ok()
}

/// Makes `target` relative to the base; `None` if that does not resolve to it by every rule set.
fn relative(reference: &Reference<'_>, target: &str, bases: &Bases<'_>) -> Option<String> {
    let is_of_document = reference.context == Context::Document;
    let value = edit::relative(&bases.url, target).filter(|_| is_of_document)?;
    bases.lead(&value, &form(target)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::{Declaration, Origin};

    fn rewritten(rewriting: &Rewriting, page: &str, url: &str) -> (String, Vec<UnchangedLink>) {
        let mut entity = Entity::html(Origin::new("x.html"), page.as_bytes().to_vec());
        entity.declarations.push(Declaration::retrieved_from(url));
        let rewritten = rewriting.rewrite(entity);
        let mut edits = rewritten.edits;
        let bytes = edit::applied(page.as_bytes(), &mut edits).unwrap();
        (String::from_utf8(bytes).unwrap(), rewritten.left)
    }

    fn to(written: Option<LinkForm>, pairs: &[(&str, &str)]) -> Rewriting {
        let mut prefixes = Prefixes::default();
        for (old, new) in pairs {
            prefixes.add(old, &[], new).unwrap();
        }
        Rewriting {
            prefixes: (!pairs.is_empty()).then_some(prefixes),
            links: HashMap::new(),
            written,
            policy: Policy::default(),
            read: links::reading(ReadOptions::default()),
        }
    }

    #[test]
    fn moved_link_keeps_its_form() {
        let rewriting = to(None, &[("http://h/a/", "http://h/b/")]);
        let page = "<a href=http://H/a/x?1>1</a><a href='/a/y'>2</a><a href=../a/z>3</a>\
                    <a href=//h/a/w>4</a><a href=/c>5</a><a href=mailto:x@y>6</a>";
        let (new, left) = rewritten(&rewriting, page, "http://h/d/p.html");
        let wanted = "<a href=http://h/b/x?1>1</a><a href='/b/y'>2</a><a href=../b/z>3</a>\
                      <a href=//h/b/w>4</a><a href=/c>5</a><a href=mailto:x@y>6</a>";
        assert_eq!((new.as_str(), left), (wanted, Vec::new()));
        let again = rewritten(&rewriting, wanted, "http://h/d/p.html");
        assert_eq!(again.0, wanted);
    }

    #[test]
    fn moved_base_is_the_only_edit() {
        let rewriting = to(None, &[("http://o/", "https://n/d/")]);
        let page = "<base href=\"http://o/g/\"><a href=b>1</a><a href=http://o/c>2</a>";
        let (new, _) = rewritten(&rewriting, page, "http://x/");
        let wanted = "<base href=\"https://n/d/g/\"><a href=b>1</a><a href=https://n/d/c>2</a>";
        assert_eq!(new, wanted);
    }

    #[test]
    fn base_needed_by_a_style_sheet_stays() {
        let rewriting = to(None, &[("http://o/", "https://n/d/")]);
        let page = "<base href=\"http://o/g/\"><a href=b>1</a>\
                    <style>a { background: url(../../c.png) }</style>";
        let (new, left) = rewritten(&rewriting, page, "http://x/");
        assert_eq!(new, page.replace("href=b", "href=https://n/d/g/b"));
        assert_eq!(left.len(), 1);
        assert!(left[0].is_in_code);
    }

    #[test]
    fn single_link_is_retargeted_alone() {
        let page = "<a href='http://o/a?x&amp;y'>1</a><a href='http://o/a?x&amp;y'>2</a>\
                    <img srcset=\"http://o/i 1x, http://o/j 2x\">\
                    <iframe srcdoc=\"<a href='http://o/k'>\"></iframe>";
        let mut rewriting = to(None, &[]);
        let at = |text: &str| {
            page.rfind(text)
                .map(|at| at as u64)
                .expect("the text occurs in the page")
        };
        rewriting.links = HashMap::from([
            (at("http://o/a"), "https://n/b?x&y#z".to_owned()),
            (at("http://o/j"), "https://n/j".to_owned()),
        ]);
        let (new, left) = rewritten(&rewriting, page, "http://x/");
        let wanted = "<a href='http://o/a?x&amp;y'>1</a><a href='https://n/b?x&amp;y#z'>2</a>\
                      <img srcset=\"http://o/i 1x, https://n/j 2x\">\
                      <iframe srcdoc=\"<a href='http://o/k'>\"></iframe>";
        assert_eq!((new.as_str(), left), (wanted, Vec::new()));
    }

    #[test]
    fn cloned_option_is_rewritten_once() {
        let page = "<select><button><selectedcontent><a href=http://o/old>x</a></selectedcontent>\
                    </button><option><a href=http://o/new>y</a><option>z</select>";
        let (new, left) = rewritten(
            &to(None, &[("http://o/", "https://n/a/")]),
            page,
            "http://x/",
        );
        assert_eq!(
            (new, left),
            (page.replace("http://o/", "https://n/a/"), Vec::new())
        );
        let (relative, _) = rewritten(&to(Some(LinkForm::Relative), &[]), page, "http://o/p");
        assert_eq!(relative, page.replace("http://o/", ""));
    }

    #[test]
    fn template_links_are_rewritten_unless_placeholders() {
        let page = "<template><a href=http://o/a>1</a><template><img srcset='http://o/b 1x'>\
                    </template><a href=http://o/{{id}}>2</a><a href={{url}}>3</a><img src=''>\
                    <base href=http://o/c/></template><x-y><template shadowrootmode=open>\
                    <link rel=stylesheet href=http://o/d></template></x-y>";
        let moving = to(None, &[("http://o/", "https://n/")]);
        let (new, left) = rewritten(&moving, page, "http://x/");
        let wanted = page.replace("http://o/", "https://n/");
        let wanted = wanted.replace("https://n/c/", "http://o/c/");
        assert_eq!((new, left), (wanted, Vec::new()));
        let (absolute, _) = rewritten(
            &to(Some(LinkForm::Absolute), &[]),
            "<template><a href=a>1</a><a href=[[a]]>2</a><a href=''>3</a>",
            "http://x/",
        );
        let wanted = "<template><a href=http://x/a>1</a><a href=[[a]]>2</a><a href=''>3</a>";
        assert_eq!(absolute, wanted);
    }

    #[test]
    fn base_moves_despite_placeholders() {
        let page = "<base href=http://o/><template><a href={{url}}>1</a><img src=''></template>";
        let (new, left) = rewritten(&to(None, &[("http://o/", "https://n/")]), page, "http://x/");
        assert_eq!(
            (new, left),
            (page.replace("http://o/", "https://n/"), Vec::new())
        );
    }

    #[test]
    fn relative_and_absolute_forms_keep_targets() {
        let page = "<a href=\"http://h/a/b?x&amp;y\">1</a><img srcset=\"/i.png 1x, j.png 2x\">\
                    <a href=http://g/>2</a><a href=#s>3</a>\
                    <meta http-equiv=refresh content='5; url=/r'>";
        let url = "http://h/a/p.html";
        let (relative, _) = rewritten(&to(Some(LinkForm::Relative), &[]), page, url);
        assert_eq!(
            relative,
            "<a href=\"b?x&amp;y\">1</a><img srcset=\"../i.png 1x, j.png 2x\">\
             <a href=http://g/>2</a><a href=#s>3</a>\
             <meta http-equiv=refresh content='5; url=../r'>"
        );
        let (absolute, _) = rewritten(&to(Some(LinkForm::Absolute), &[]), &relative, url);
        assert_eq!(
            absolute,
            "<a href=\"http://h/a/b?x&amp;y\">1</a>\
             <img srcset=\"http://h/i.png 1x, http://h/a/j.png 2x\">\
             <a href=http://g/>2</a><a href=http://h/a/p.html#s>3</a>\
             <meta http-equiv=refresh content='5; url=http://h/r'>"
        );
    }

    #[test]
    fn link_without_a_common_relative_form_stays() {
        // The base is another in browsers.
        let page = "<base href=http:b/><object codebase=/c/ data=d></object>\
                    <object codebase=http://o/e/ data=d></object>";
        let (new, left) = rewritten(&to(Some(LinkForm::Relative), &[]), page, "http://o/d/");
        assert_eq!((new.as_str(), left), (page, Vec::new()));
    }

    #[test]
    fn empty_query_and_fragment_survive() {
        let url = "http://h/a/p.html";
        let page = "<a href=#>1</a><a href='b.html?'>2</a><a href='http://h/c?#'>3</a>";
        let (absolute, _) = rewritten(&to(Some(LinkForm::Absolute), &[]), page, url);
        assert_eq!(
            absolute,
            "<a href=http://h/a/p.html#>1</a><a href='http://h/a/b.html?'>2</a>\
             <a href='http://h/c?#'>3</a>"
        );
        let moving = to(None, &[("http://h/", "http://n/x/")]);
        let page = "<base href=http://h/a/><a href=#>1</a><a href='/c?#'>2</a><a href=/d#>3</a>";
        let (moved, _) = rewritten(&moving, page, url);
        assert_eq!(
            moved,
            "<base href=http://n/x/a/><a href=#>1</a><a href='/x/c?#'>2</a><a href=/x/d#>3</a>"
        );
    }

    #[test]
    fn link_that_rule_sets_resolve_differently_stays() {
        let page = "<a href=http:b>x</a>";
        let url = "http://o/d/";
        let (new, left) = rewritten(&to(Some(LinkForm::Absolute), &[]), page, url);
        assert_eq!((new.as_str(), left), (page, Vec::new()));
        let (new, left) = rewritten(
            &to(None, &[("http://o/", "http://n/")]),
            "<a href=///o/b>x</a>",
            url,
        );
        assert_eq!(new, "<a href=///o/b>x</a>");
        assert_eq!(left.len(), 1);
    }
}
