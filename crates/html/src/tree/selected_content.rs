//! HTML `selectedcontent`: browsers fill it with a copy of the chosen option's content, in place of
//! its own content. html5ever asks its sink for that at `</option>` only, so it is done here, once
//! the tree is complete.
//!
//! Departs: HTML fills the first of several; Chromium, the first browser to have the element, all.

use html5ever::ns;

use super::arena::{DOCUMENT, NONE, NodeKind, REPLACED, Tree};
use crate::character_reference::Value;
use crate::tokenizer::{Token, Tokenizer};

impl Tree {
    /// Fills the `selectedcontent` elements of the document, given its source. Returns the offset
    /// of the tag of the first that was left as it was because of the work.
    pub(super) fn fill_selected_contents(&mut self, source: &str) -> Option<usize> {
        let all = std::mem::take(&mut self.selected_contents);
        let mut budget = Budget::for_length(source.len());
        let mut last = None;
        for content in all {
            let Some(select) = self.select_to_show(content) else {
                continue;
            };
            let chosen = match last {
                Some((of, chosen)) if of == select => chosen,
                _ => self.chosen(select, source, &mut budget),
            };
            last = Some((select, chosen));
            self.fill(content, chosen, &mut budget);
            if budget.0 == 0 {
                return self.tag_of(content);
            }
        }
        None
    }

    /// The `select` whose choice such an element shows: it is disabled in an option, in another
    /// such element or in more than one `select`.
    fn select_to_show(&self, content: u32) -> Option<u32> {
        let mut select = None;
        let mut at = self.at(content).parent;
        while at != DOCUMENT && !self.is_shadow_root(at) {
            if at == NONE || self.is_html(at, "option") || self.is_html(at, "selectedcontent") {
                return None;
            }
            if self.is_html(at, "select") && select.replace(at).is_some() {
                return None;
            }
            at = self.at(at).parent;
        }
        select
    }

    /// HTML "selectedness setting algorithm": the last option with `selected`, or else, in a
    /// drop-down box, the first that is not disabled.
    fn chosen(&self, select: u32, source: &str, budget: &mut Budget) -> SelectState {
        let mut chosen = SelectState::default();
        let [multiple, size] = self.attributes(select, source, ["multiple", "size"], budget);
        if multiple.is_some() {
            return chosen;
        }
        let is_list = size.is_some_and(|size| display_size(&size) > 1);
        let mut first = None;
        let mut at = self.at(select).first;
        while at != NONE && budget.spend(1) {
            let is_option = self.is_html(at, "option");
            if is_option {
                let [selected, disabled] =
                    self.attributes(at, source, ["selected", "disabled"], budget);
                let is_first = first.is_none()
                    && disabled.is_none()
                    && !self.is_in_disabled_group(at, select, source, budget);
                let is_chosen = selected.is_some() || is_first && !is_list;
                let is_removed = is_chosen && self.is_in_content(at, select);
                if is_first && !is_removed {
                    first = Some(at);
                }
                if is_removed {
                    chosen.removed = at;
                    chosen.option = first.filter(|_| !is_list);
                } else if is_chosen && (selected.is_some() || chosen.option.is_none()) {
                    chosen.option = Some(at);
                }
            }
            let is_left_out = is_option
                || self.is_shadow_root(at)
                || ["select", "datalist", "hr"]
                    .iter()
                    .any(|name| self.is_html(at, name));
            at = match self.at(at).first {
                child if child != NONE && !is_left_out => child,
                _ => self.after(at, select),
            };
        }
        chosen
    }

    /// Whether an option is in an element that would show it.
    fn is_in_content(&self, option: u32, select: u32) -> bool {
        let mut at = self.at(option).parent;
        while at != select && at != NONE {
            if self.is_html(at, "selectedcontent") {
                return true;
            }
            at = self.at(at).parent;
        }
        false
    }

    fn is_in_disabled_group(
        &self,
        option: u32,
        select: u32,
        source: &str,
        budget: &mut Budget,
    ) -> bool {
        let mut at = self.at(option).parent;
        while at != select && at != NONE {
            if self.is_html(at, "optgroup") {
                return self.attributes(at, source, ["disabled"], budget)[0].is_some();
            }
            at = self.at(at).parent;
        }
        false
    }

    /// HTML "clone an option into a selectedcontent": when the option is chosen and when it ends,
    /// or, if that was before, when the element is inserted. What the parser adds to it later stays
    /// behind the copy. The replaced content is kept outside the document.
    fn fill(&mut self, content: u32, chosen: SelectState, budget: &mut Budget) {
        let mut own = Vec::new();
        while self.at(content).first != NONE {
            let child = self.at(content).first;
            self.unlink(child);
            own.push(child);
        }
        if let Some(option) = chosen.option {
            self.copy_children(option, content, budget);
        }
        let is_added_later = chosen.option.is_none_or(|option| option < content);
        for child in own {
            let is_kept = is_added_later && child > chosen.removed;
            self.link(child, if is_kept { content } else { REPLACED }, NONE);
        }
    }

    fn copy_children(&mut self, from: u32, to: u32, budget: &mut Budget) {
        let (mut at, mut parent) = (self.at(from).first, to);
        while at != NONE && budget.spend(Budget::COPY) {
            // DOM "clone a node": the copy of a host has no shadow root.
            let is_left_out = self.is_shadow_root(at);
            let kind = match &self.at(at).kind {
                NodeKind::ShadowRoot => NodeKind::Other,
                kind => kind.clone(),
            };
            let copy = self.add(kind);
            self.link(copy, parent, NONE);
            if self.at(at).first != NONE && !is_left_out {
                at = self.at(at).first;
                parent = copy;
                continue;
            }
            while at != from && self.at(at).next == NONE {
                at = self.at(at).parent;
                parent = if at == from {
                    to
                } else {
                    self.at(parent).parent
                };
            }
            at = if at == from { NONE } else { self.at(at).next };
        }
    }

    /// The node after the subtree at `at`, below `root`.
    fn after(&self, mut at: u32, root: u32) -> u32 {
        while at != root && at != NONE {
            if self.at(at).next != NONE {
                return self.at(at).next;
            }
            at = self.at(at).parent;
        }
        NONE
    }

    fn is_shadow_root(&self, node: u32) -> bool {
        node != NONE && matches!(self.at(node).kind, NodeKind::ShadowRoot)
    }

    fn is_html(&self, node: u32, name: &str) -> bool {
        self.element_of(node)
            .is_some_and(|element| element.name.ns == ns!(html) && *element.name.local == *name)
    }

    /// The values of attributes of an element's tag.
    fn attributes<const N: usize>(
        &self,
        node: u32,
        source: &str,
        names: [&str; N],
        budget: &mut Budget,
    ) -> [Option<String>; N] {
        let mut values = [const { None }; N];
        let Some(tag) = self.tag_of(node) else {
            return values;
        };
        let mut tokenizer = Tokenizer::at(source, tag);
        if let Token::StartTag(_) = tokenizer.next(|| false) {
            tokenizer.attributes(|attribute| {
                let is_named =
                    |name: &&str| attribute.name.slice(source).eq_ignore_ascii_case(name);
                if let Some(index) = names.iter().position(is_named) {
                    let value = || {
                        Value::from_attribute(attribute.value.slice(source))
                            .text
                            .into()
                    };
                    values[index].get_or_insert_with(value);
                }
            });
        }
        budget.spend(tokenizer.offset() - tag);
        values
    }

    fn tag_of(&self, node: u32) -> Option<usize> {
        self.element_of(node)?.tag
    }
}

/// The state of the `selectedcontent` elements of a `select`.
#[derive(Clone, Copy, Debug, Default)]
struct SelectState {
    option: Option<u32>,
    /// The last option that was in one of them when it was chosen: its copy, still empty, replaced
    /// all that they had, the option included. The document if there is none.
    removed: u32,
}

/// The work that is left, in nodes looked at or bytes of tags read again.
struct Budget(usize);

impl Budget {
    /// The cost of a copied node, which stays in memory.
    const COPY: usize = 16;

    /// Enough for any real page, where each element is in a `select` of its own.
    fn for_length(length: usize) -> Self {
        Self(length.saturating_mul(4).saturating_add(65_536))
    }

    /// Whether something is left after that.
    fn spend(&mut self, work: usize) -> bool {
        self.0 = self.0.saturating_sub(work);
        self.0 > 0
    }
}

/// "Display size" of a `select` that is not `multiple`, by its `size` ("rules for parsing
/// non-negative integers").
fn display_size(size: &str) -> u32 {
    let size = size.trim_ascii_start();
    let size = size.strip_prefix('+').unwrap_or(size);
    let end = size.bytes().take_while(u8::is_ascii_digit).count();
    match size[..end].parse() {
        Ok(0) => 1,
        Ok(size) => size,
        // Too large a number, or none.
        Err(_) if end > 0 => u32::MAX,
        Err(_) => 1,
    }
}
