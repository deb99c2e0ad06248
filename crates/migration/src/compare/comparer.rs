//! The two sites that are compared: where links and addresses lead, and which pages are there.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::interner::{StringId, Strings};
use super::page::{ComparedLink, ComparedPage, form, fragment, is_text_by_name};
use crate::addresses::AddressVerdict;
use baseref_findings::{AttributeName, Finding, Rule};
use baseref_resolve::parts::{self, without_fragment as bare};
use baseref_server::follow::{End, MoveContext, RedirectChain};

/// A page with its links.
#[derive(Clone, Copy)]
pub(super) struct PageLinks<'p> {
    pub(super) page: &'p ComparedPage,
    pub(super) links: &'p [ComparedLink],
}

/// The new address of a URL of the old site, or the URL itself, as
/// [`index_folded`](MoveContext::index_folded).
pub(super) fn moved_address(context: &MoveContext<'_>, url: &str) -> String {
    let url = form(bare(url));
    context.index_folded(&context.prefixes.moved(&url).unwrap_or(url))
}

/// The old and the present target of a URL of the old site.
pub(super) struct TargetPair<'c> {
    /// The present target; `None` if it leads nowhere.
    pub(super) there: Option<String>,
    /// Whether its file exists in the old site.
    pub(super) was_there: bool,
    /// The old page at the URL, if that has a fragment.
    pub(super) old_page: Option<&'c ComparedPage>,
    /// The new page at the present target, if the URL has a fragment.
    pub(super) new_page: Option<&'c ComparedPage>,
    /// The URL that links to it should have now, in normal form.
    pub(super) expected: String,
    /// The address of the file that links to it should reach now.
    pub(super) address: Rc<str>,
    /// The verdict on it, without its fragment.
    pub(super) verdict: AddressVerdict,
    /// Whether a page on the way drops the fragment.
    pub(super) drops_fragment: bool,
}

/// The end of a redirect chain. Its hops are not stored, because rules with loops have very many of
/// them.
pub(super) struct ChainEnd {
    /// The last URL.
    pub(super) url: Box<str>,
    /// The address of the file at the end, or the last URL in the same form. Only pages have queries.
    pub(super) address: Rc<str>,
    pub(super) end: End,
    pub(super) verdict: AddressVerdict,
    pub(super) drops_fragment: bool,
}

/// A set of addresses as in [`ChainEnd::address`].
pub(super) type Addresses = HashSet<Rc<str>, RandomState>;

pub(super) struct Comparer<'c> {
    pub(super) context: &'c MoveContext<'c>,
    /// The strings that links refer to.
    pub(super) strings: &'c Strings,
    /// The targets of old links, by URL: many links share few targets.
    pub(super) targets: RefCell<HashMap<StringId, Rc<TargetPair<'c>>, RandomState>>,
    /// The final URLs of new links, by URL, in normal form and without fragments.
    pub(super) arrivals: RefCell<HashMap<StringId, Rc<str>, RandomState>>,
    /// The ends of the redirect chains of all addresses that were followed.
    pub(super) ends: RefCell<HashMap<Box<str>, Rc<ChainEnd>, RandomState>>,
    /// The link targets of counterparts of old pages with lost links, by the counterparts' URLs.
    pub(super) linked_now: RefCell<HashMap<String, Rc<Addresses>>>,
    /// The lost files that no new page links to.
    pub(super) lost_files: RefCell<HashSet<String>>,
    /// The addresses of lost files that are no pages, whether new pages use them or not.
    pub(super) lost_addresses: RefCell<BTreeSet<String>>,
    /// The lost files that new pages use.
    pub(super) used_assets: RefCell<HashSet<String>>,
    /// The spot of the latest finding, which the next one often shares.
    pub(super) spot: RefCell<Option<Arc<AttributeName>>>,
    pub(super) old: HashMap<String, &'c ComparedPage>,
    pub(super) new: HashMap<String, &'c ComparedPage>,
}

impl<'c> Comparer<'c> {
    pub(super) fn new(
        context: &'c MoveContext<'c>,
        strings: &'c Strings,
        old: &'c [ComparedPage],
        new: &'c [ComparedPage],
    ) -> Self {
        Self {
            context,
            strings,
            targets: RefCell::default(),
            arrivals: RefCell::default(),
            ends: RefCell::default(),
            linked_now: RefCell::default(),
            lost_files: RefCell::default(),
            lost_addresses: RefCell::default(),
            used_assets: RefCell::default(),
            spot: RefCell::default(),
            old: old
                .iter()
                .map(|page| (moved_address(context, &page.url), page))
                .collect(),
            new: new
                .iter()
                .map(|page| (context.index_folded(&page.url), page))
                .collect(),
        }
    }

    pub(super) fn text(&self, id: StringId) -> &'c str {
        id.text(self.strings)
    }

    /// A copy of the string for a finding.
    pub(super) fn shared(&self, id: StringId) -> Arc<str> {
        id.shared(self.strings)
    }

    pub(super) fn about(
        &self,
        page: &ComparedPage,
        link: &ComparedLink,
        rule: &'static Rule,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Finding {
        let mut finding = Finding::new(rule, &page.name, cause, message);
        finding.at = link
            .at
            .as_ref()
            .map(|at| at.position(page.first_link.unwrap_or_default()));
        let (element, attr) = (self.text(link.element), self.text(link.attr));
        finding.spot = Some(AttributeName::shared(
            &mut self.spot.borrow_mut(),
            element,
            attr,
        ));
        finding.raw = self.shared(link.raw);
        let url = self.text(link.url);
        finding.url = Some(if *finding.cause == *url {
            Arc::clone(&finding.cause)
        } else {
            url.into()
        });
        finding
    }

    /// The target of an old link with this URL.
    pub(super) fn target(&self, id: StringId) -> Rc<TargetPair<'c>> {
        if let Some(target) = self.targets.borrow().get(&id) {
            return Rc::clone(target);
        }
        let url = self.text(id);
        let is_old = self.context.prefixes.is_old(url);
        let end = self.new_end(bare(url));
        let is_found = matches!(end.end, End::Found { .. });
        let there = (is_old && is_found).then(|| end.url.to_string());
        let has_fragment = !fragment(url).is_empty() && there.is_some();
        let expected = match &there {
            Some(url) => form(url),
            None => self
                .context
                .prefixes
                .moved(url)
                .unwrap_or_else(|| url.to_owned()),
        };
        let address = if is_old && !is_found {
            moved_address(self.context, url).into()
        } else {
            Rc::clone(&end.address)
        };
        let target = Rc::new(TargetPair {
            was_there: is_old && self.context.old_file(url).is_some(),
            old_page: has_fragment.then(|| self.old_page(url)).flatten(),
            new_page: has_fragment.then(|| self.page_at_end(&end)).flatten(),
            expected,
            there,
            address,
            verdict: end.verdict,
            drops_fragment: end.drops_fragment,
        });
        self.targets.borrow_mut().insert(id, Rc::clone(&target));
        target
    }

    /// The address of the file that a new link reaches, or its final URL in the same form.
    pub(super) fn arrival(&self, id: StringId) -> Rc<str> {
        if let Some(url) = self.arrivals.borrow().get(&id) {
            return Rc::clone(url);
        }
        let address = Rc::clone(&self.chain_end(bare(self.text(id))).address);
        self.arrivals.borrow_mut().insert(id, Rc::clone(&address));
        address
    }

    pub(super) fn chain_end(&self, url: &str) -> Rc<ChainEnd> {
        if let Some(chain_end) = self.ends.borrow().get(url) {
            return Rc::clone(chain_end);
        }
        let chain = self.context.follow(url);
        let verdict = AddressVerdict::new(&chain, self.context);
        let RedirectChain {
            url: last,
            end,
            drops_fragment,
            ..
        } = chain;
        let mut address = match &end {
            End::Found { path } => self.context.file_address(&last, path),
            _ => self.context.index_folded(parts::without_query(&last)),
        };
        let query = parts::query(&last).filter(|_| is_text_by_name(parts::path(&last)));
        if let Some(query) = query.filter(|query| !query.is_empty()) {
            address.push('?');
            address.push_str(query);
        }
        let chain_end = Rc::new(ChainEnd {
            url: last.into(),
            address: address.into(),
            end,
            verdict,
            drops_fragment,
        });
        let mut ends = self.ends.borrow_mut();
        ends.insert(url.into(), Rc::clone(&chain_end));
        chain_end
    }

    /// The end of an old address: where no rule redirects it, that of its new address.
    pub(super) fn new_end(&self, url: &str) -> Rc<ChainEnd> {
        let chain_end = self.chain_end(url);
        if chain_end.end != End::NoRule {
            return chain_end;
        }
        match self.context.prefixes.moved(&form(url)) {
            Some(moved) => self.chain_end(&moved),
            None => chain_end,
        }
    }

    /// The page of the old site that answers a URL.
    pub(super) fn old_page(&self, url: &str) -> Option<&'c ComparedPage> {
        let address = match self.context.old_file(url) {
            Some(path) => self.context.file_address(url, &path),
            None => parts::without_query(bare(url)).to_owned(),
        };
        self.old
            .get(&moved_address(self.context, &address))
            .copied()
    }

    pub(super) fn page_at_end(&self, end: &ChainEnd) -> Option<&'c ComparedPage> {
        let address = parts::without_query(&end.address);
        self.new.get(address).copied()
    }

    /// The page of the new site that answers a URL of it.
    pub(super) fn new_page(&self, url: &str) -> Option<&'c ComparedPage> {
        self.page_at_end(&self.chain_end(bare(url)))
    }

    /// The new page that the address of an old one leads to.
    pub(super) fn counterpart(&self, page: &ComparedPage) -> Option<&'c ComparedPage> {
        if self.is_chosen_by_query(page) {
            return None;
        }
        let end = self.new_end(&page.url);
        let is_found = matches!(end.end, End::Found { .. });
        is_found.then(|| self.page_at_end(&end)).flatten()
    }

    /// Whether a captured page differs from the one at its address without the query, although both lead
    /// to one file of the new site.
    pub(super) fn is_chosen_by_query(&self, page: &ComparedPage) -> bool {
        let Some(sketch) = &page.sketch else {
            return false;
        };
        let whole = form(&page.url);
        let plain = parts::without_query(&whole);
        let plain_page = self.old.get(&moved_address(self.context, plain));
        let other = plain_page.filter(|_| plain != whole);
        let Some(other) = other.and_then(|page| page.sketch.as_ref()) else {
            return false;
        };
        if sketch.is_same_page(other) {
            return false;
        }
        let there = [&*whole, plain].map(|url| self.follow(url));
        let there = there
            .each_ref()
            .map(|url| Some(parts::without_query(url.as_deref()?)));
        there[0].is_some() && there[0] == there[1]
    }

    /// The new target of an old address; `None` if it leads nowhere.
    pub(super) fn follow(&self, url: &str) -> Option<String> {
        let end = self.new_end(url);
        matches!(end.end, End::Found { .. }).then(|| end.url.to_string())
    }

    /// The address that a new link names, before any redirect but that to a folder.
    pub(super) fn address(&self, id: StringId) -> Rc<str> {
        let url = bare(self.text(id));
        let end = self.chain_end(url);
        if matches!(end.end, End::Found { .. }) {
            return Rc::clone(&end.address);
        }
        self.context.index_folded(parts::without_query(url)).into()
    }
}
