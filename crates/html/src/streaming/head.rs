//! "Initial" to "after head".

use super::{DONE, Mode, Quirks, Reader, Step, Tag};
use crate::names::{ElementTraits, Name};

impl Reader<'_, '_, '_> {
    /// "Initial": anything else.
    pub(super) fn leave_initial(&mut self) {
        self.quirks = Quirks::Known(!self.srcdoc);
        self.mode = Mode::BeforeHtml;
    }

    pub(super) fn before_html_start(&mut self, tag: Tag) -> Step {
        if tag.name == Name::Html {
            self.insert(tag)?;
            self.mode = Mode::BeforeHead;
            return DONE;
        }
        self.insert_phantom(Name::Html)?;
        self.again(Mode::BeforeHead)
    }

    pub(super) fn leave_before_html(&mut self) -> Step {
        self.insert_phantom(Name::Html)?;
        self.again(Mode::BeforeHead)
    }

    pub(super) fn before_head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Head => {
                self.insert(tag)?;
                self.has_head = true;
                self.mode = Mode::InHead;
                DONE
            }
            _ => self.leave_before_head(),
        }
    }

    pub(super) fn leave_before_head(&mut self) -> Step {
        self.insert_phantom(Name::Head)?;
        self.has_head = true;
        self.again(Mode::InHead)
    }

    pub(super) fn in_head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            name if name.kind().is_metadata() => self.metadata_start(tag),
            Name::Noscript => {
                self.insert(tag)?;
                self.mode = Mode::InHeadNoscript;
                DONE
            }
            Name::Head => DONE,
            _ => {
                self.pop();
                self.again(Mode::AfterHead)
            }
        }
    }

    /// "In head" for the elements that other modes delegate to it.
    pub(super) fn metadata_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Title | Name::Noframes | Name::Style | Name::Script => self.insert_raw(tag),
            Name::Template => {
                self.formatting.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert_template(tag)?;
                DONE
            }
            _ => self.insert_void(tag),
        }
    }

    pub(super) fn template_end(&mut self) -> Step {
        if self.templates > 0 {
            self.generate_implied(ElementTraits::has_thoroughly_implied_end, None);
            self.pop_until(Name::Template);
            self.formatting.clear_to_marker();
            self.template_modes.pop();
            self.mode = self.reset_insertion_mode();
        }
        DONE
    }

    pub(super) fn in_head_noscript_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Noframes
            | Name::Style => {
                self.collector.set_in_noscript(true);
                let step = self.metadata_start(tag);
                self.collector.set_in_noscript(false);
                step
            }
            Name::Head | Name::Noscript => DONE,
            _ => {
                self.pop();
                self.again(Mode::InHead)
            }
        }
    }

    pub(super) fn after_head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Body => {
                self.insert(tag)?;
                self.collector.begin_body();
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                DONE
            }
            Name::Frameset => {
                self.insert(tag)?;
                self.collector.begin_body();
                self.mode = Mode::InFrameset;
                DONE
            }
            name if name.kind().is_metadata() => self.metadata_start(tag),
            Name::Head => DONE,
            _ => self.leave_after_head(),
        }
    }

    pub(super) fn leave_after_head(&mut self) -> Step {
        self.insert_phantom(Name::Body)?;
        self.collector.begin_body();
        self.again(Mode::InBody)
    }

    /// End tags in the modes before "in body".
    pub(super) fn before_body_end(&mut self, tag: Tag) -> Step {
        let goes_on = matches!(tag.name, Name::Body | Name::Html | Name::Br);
        match (self.mode, tag.name) {
            (Mode::BeforeHtml, Name::Head) => self.leave_before_html(),
            (Mode::BeforeHtml, _) if goes_on => self.leave_before_html(),
            (Mode::BeforeHead, Name::Head) => self.leave_before_head(),
            (Mode::BeforeHead, _) if goes_on => self.leave_before_head(),
            (Mode::InHead, Name::Head) => {
                self.pop();
                self.mode = Mode::AfterHead;
                DONE
            }
            (Mode::InHead, _) if goes_on => {
                self.pop();
                self.again(Mode::AfterHead)
            }
            (Mode::InHeadNoscript, Name::Noscript) => {
                self.pop();
                self.mode = Mode::InHead;
                DONE
            }
            (Mode::InHeadNoscript, Name::Br) => {
                self.pop();
                self.again(Mode::InHead)
            }
            (Mode::AfterHead, _) if goes_on => self.leave_after_head(),
            (Mode::InHead | Mode::AfterHead, Name::Template) => self.template_end(),
            _ => DONE,
        }
    }
}
