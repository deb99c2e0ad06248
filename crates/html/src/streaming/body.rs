//! "In body".

use super::open_elements::OpenElement;
use super::{DONE, Mode, Quirks, Reader, Step, Tag};
use crate::names::{ElementTraits, Name};
use crate::tree;
use baseref_document::Fallback;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    #[expect(clippy::too_many_lines, reason = "one arm for each in the standard")]
    #[inline]
    pub(super) fn in_body_start(&mut self, tag: Tag) -> Step {
        use Name as N;
        match tag.name {
            N::Html => {
                self.identify(N::Html);
                if self.templates == 0 && self.collector.found_wanted(N::Html) {
                    return Err(Fallback::SecondHtml);
                }
            }
            N::Body => {
                let is_second = self.open.get(1).is_some_and(|open| open.is(N::Body));
                if is_second && self.templates == 0 {
                    self.identify(N::Body);
                    self.frameset_ok = false;
                    if self.collector.found_wanted(N::Body) {
                        return Err(Fallback::SecondBody);
                    }
                }
            }
            N::Frameset => {
                // It may replace the body and everything in it.
                if self.frameset_ok && self.open.get(1).is_some_and(|open| open.is(N::Body)) {
                    return Err(Fallback::Frameset);
                }
            }
            N::H1 | N::H2 | N::H3 | N::H4 | N::H5 | N::H6 => {
                self.close_p();
                if self
                    .current_html()
                    .is_some_and(|name| name.kind().is_heading())
                {
                    self.pop();
                }
                self.insert(tag)?;
            }
            N::Pre | N::Listing => {
                self.close_p();
                self.insert(tag)?;
                self.ignore_lf = true;
                self.frameset_ok = false;
            }
            N::Form => {
                if self.form.is_none() || self.templates > 0 {
                    self.close_p();
                    self.insert(tag)?;
                    if self.templates == 0 {
                        self.form = Some(tag.start);
                    }
                }
            }
            N::Li | N::Dd | N::Dt => {
                self.frameset_ok = false;
                self.close_item(tag.name);
                self.close_p();
                self.insert(tag)?;
            }
            N::Plaintext => {
                self.close_p();
                self.insert(tag)?;
                self.tokenizer.set_content(tag.name.content());
            }
            N::Button => {
                if self.open.has_in_scope(N::Button) {
                    self.generate_implied(ElementTraits::has_implied_end, None);
                    self.pop_until(N::Button);
                }
                self.reconstruct()?;
                self.insert(tag)?;
                self.frameset_ok = false;
            }
            N::A => {
                self.close_a(tag)?;
                self.reconstruct()?;
                self.insert_formatting(tag)?;
            }
            N::Nobr => {
                self.reconstruct()?;
                if self.open.has_in_scope(N::Nobr) {
                    self.adoption_agency(tag)?;
                    self.reconstruct()?;
                }
                self.insert_formatting(tag)?;
            }
            N::Applet | N::Marquee | N::Object => {
                self.reconstruct()?;
                self.insert(tag)?;
                self.formatting.push_marker();
                self.frameset_ok = false;
            }
            N::Table => {
                if self.open.has_in_scope(N::P) && !self.is_quirky() {
                    self.close_p();
                }
                self.insert_counted(tag)?;
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            N::Area | N::Br | N::Embed | N::Img | N::Image | N::Keygen | N::Wbr => {
                self.reconstruct()?;
                self.frameset_ok = false;
                return self.insert_void(tag);
            }
            N::Input => {
                if self.open.has_in_scope(N::Select) {
                    self.pop_until(N::Select);
                }
                self.reconstruct()?;
                if !self.is_type_hidden() {
                    self.frameset_ok = false;
                }
                return self.insert_void(tag);
            }
            N::Param | N::Source | N::Track => return self.insert_void(tag),
            N::Hr => {
                self.close_p();
                if self.open.has_in_scope(N::Select) {
                    self.generate_implied(ElementTraits::has_implied_end, None);
                }
                self.frameset_ok = false;
                return self.insert_void(tag);
            }
            N::Textarea => {
                self.frameset_ok = false;
                self.insert_raw(tag)?;
                self.ignore_lf = true;
            }
            N::Xmp => {
                self.close_p();
                self.reconstruct()?;
                self.frameset_ok = false;
                return self.insert_raw(tag);
            }
            N::Iframe => {
                self.frameset_ok = false;
                return self.insert_raw(tag);
            }
            N::Noembed => return self.insert_raw(tag),
            N::Select => {
                if self.open.has_in_scope(N::Select) {
                    self.pop_until(N::Select);
                } else {
                    self.reconstruct()?;
                    self.insert(tag)?;
                    self.frameset_ok = false;
                }
            }
            N::SelectedContent => {
                let is_select = |open: &OpenElement| open.is(N::Select);
                if self.inert == 0 && self.open.last(is_select).is_some() {
                    return Err(Fallback::SelectedContent);
                }
                return self.ordinary_start(tag);
            }
            N::Option | N::Optgroup => {
                if self.open.has_in_scope(N::Select) {
                    let except = (tag.name == N::Option).then_some(N::Optgroup);
                    self.generate_implied(ElementTraits::has_implied_end, except);
                } else if self.open.current_is(N::Option) {
                    self.pop();
                }
                self.reconstruct()?;
                self.insert(tag)?;
            }
            N::Rb | N::Rtc | N::Rp | N::Rt => {
                if self.open.has_in_scope(N::Ruby) {
                    let except = matches!(tag.name, N::Rp | N::Rt).then_some(N::Rtc);
                    self.generate_implied(ElementTraits::has_implied_end, except);
                }
                self.insert(tag)?;
            }
            N::Math | N::Svg => {
                self.reconstruct()?;
                let namespace = match tag.name {
                    N::Math => Namespace::MathMl,
                    _ => Namespace::Svg,
                };
                return self.insert_foreign(tag, namespace);
            }
            N::Caption
            | N::Col
            | N::Colgroup
            | N::Frame
            | N::Head
            | N::Tbody
            | N::Td
            | N::Tfoot
            | N::Th
            | N::Thead
            | N::Tr => {}
            name => return self.start_of_kind(name.kind(), tag),
        }
        DONE
    }

    /// "In body": a start tag in one of the groups that are processed alike.
    #[inline]
    fn start_of_kind(&mut self, kind: ElementTraits, tag: Tag) -> Step {
        if kind.is_metadata() {
            return self.metadata_start(tag);
        }
        if kind.is_block() {
            self.close_p();
            self.insert(tag)?;
            return DONE;
        }
        // `a` and `nobr` have rules of their own.
        if kind.is_formatting() {
            self.reconstruct()?;
            self.insert_formatting(tag)?;
            return DONE;
        }
        self.ordinary_start(tag)
    }

    /// "In body": any other start tag.
    fn ordinary_start(&mut self, tag: Tag) -> Step {
        self.reconstruct()?;
        self.insert(tag)?;
        DONE
    }

    #[inline]
    pub(super) fn in_body_end(&mut self, tag: Tag) -> Step {
        use Name as N;
        match tag.name {
            N::Template => return self.template_end(),
            N::Body => {
                if self.open.has_in_scope(N::Body) {
                    self.mode = Mode::AfterBody;
                }
            }
            N::Html => {
                if self.open.has_in_scope(N::Body) {
                    return self.again(Mode::AfterBody);
                }
            }
            N::Button | N::Listing | N::Pre | N::Select => self.block_end(tag.name),
            N::Form => return self.form_end(),
            N::P => {
                if !self.open.has_in_scope(N::P) {
                    self.insert_phantom(N::P)?;
                }
                self.close_p();
            }
            N::Li | N::Dd | N::Dt => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(ElementTraits::has_implied_end, Some(tag.name));
                    self.pop_until(tag.name);
                }
            }
            N::H1 | N::H2 | N::H3 | N::H4 | N::H5 | N::H6 => {
                if self.open.has_in_scope(N::H1) {
                    self.generate_implied(ElementTraits::has_implied_end, None);
                    while let Some(open) = self.pop() {
                        if open.namespace == Namespace::Html && open.name.kind().is_heading() {
                            break;
                        }
                    }
                }
            }
            N::Applet | N::Marquee | N::Object => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(ElementTraits::has_implied_end, None);
                    self.pop_until(tag.name);
                    self.formatting.clear_to_marker();
                }
            }
            N::Br => {
                self.reconstruct()?;
                self.frameset_ok = false;
                self.collector.begin();
                return self.insert_void(tag);
            }
            // `p` has a rule of its own.
            name if name.kind().is_block() => self.block_end(name),
            name if name.kind().is_formatting() => return self.adoption_agency(tag),
            _ => self.any_other_end(tag),
        }
        DONE
    }

    /// "In body": the end tag of a block.
    fn block_end(&mut self, name: Name) {
        if self.open.current_is(name) {
            self.pop();
        } else if self.open.has_in_scope(name) {
            self.generate_implied(ElementTraits::has_implied_end, None);
            self.pop_until(name);
        }
    }

    /// "In body": any other end tag.
    #[inline]
    pub(super) fn any_other_end(&mut self, tag: Tag) {
        match self.open.current() {
            Some(open) if open.namespace == Namespace::Html && self.is_named(open, tag) => {
                self.pop();
            }
            _ => self.any_other_end_below(tag),
        }
    }

    fn any_other_end_below(&mut self, tag: Tag) {
        for index in (0..self.open.len()).rev() {
            let Some(open) = self.open.get(index) else {
                return;
            };
            if open.namespace == Namespace::Html && self.is_named(open, tag) {
                self.generate_implied(ElementTraits::has_implied_end, Some(tag.name));
                self.truncate(index);
                return;
            }
            if open.is_special() {
                return;
            }
        }
    }

    pub(super) fn form_end(&mut self) -> Step {
        if self.templates > 0 {
            if self.open.has_in_scope(Name::Form) {
                self.generate_implied(ElementTraits::has_implied_end, None);
                self.pop_until(Name::Form);
            }
            return DONE;
        }
        let Some(form) = self.form.take() else {
            return DONE;
        };
        let is_form = |open: &OpenElement| open.is(Name::Form) && open.tag == form;
        if !self.open.has_in_scope(Name::Form) {
            return DONE;
        }
        // The form in scope may differ from the one that the pointer points at.
        let Some(index) = self.open.last(is_form) else {
            return DONE;
        };
        if self
            .open
            .iter()
            .skip(index + 1)
            .any(OpenElement::bounds_scope)
        {
            return DONE;
        }
        self.generate_implied(ElementTraits::has_implied_end, None);
        if let Some(index) = self.open.last(is_form) {
            self.remove(index)?;
        }
        DONE
    }

    /// "Close a p element", if there is one in button scope.
    #[inline]
    pub(super) fn close_p(&mut self) {
        if self.open.has_in_scope(Name::P) {
            self.generate_implied(ElementTraits::has_implied_end, Some(Name::P));
            self.pop_until(Name::P);
        }
    }

    /// The loop for `li`, `dd` and `dt`.
    pub(super) fn close_item(&mut self, name: Name) {
        let closes: &[Name] = match name {
            Name::Li => &[Name::Li],
            _ => &[Name::Dd, Name::Dt],
        };
        let mut found = None;
        for open in self.open.iter().rev() {
            if open.is_any(closes) {
                found = Some(open.name);
                break;
            }
            if open.is_special() && !open.is_any(&[Name::Address, Name::Div, Name::P]) {
                break;
            }
        }
        if let Some(name) = found {
            self.generate_implied(ElementTraits::has_implied_end, Some(name));
            self.pop_until(name);
        }
    }

    pub(super) fn is_type_hidden(&self) -> bool {
        let value = self.collector.value_of("type");
        value.is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    pub(super) fn is_quirky(&mut self) -> bool {
        match self.quirks {
            Quirks::Known(quirky) => quirky,
            Quirks::Declared(declaration) => {
                let quirky = tree::is_quirky(declaration.slice(self.source), self.srcdoc);
                self.quirks = Quirks::Known(quirky);
                quirky
            }
        }
    }
}
