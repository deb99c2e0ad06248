//! "In table" to "in cell".

use super::{DONE, Mode, ModeResult, Reader, Step, Tag};
use crate::names::{ElementTraits, Name};

impl Reader<'_, '_, '_> {
    pub(super) fn in_table_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Caption => {
                self.clear_to_table();
                self.formatting.push_marker();
                self.insert(tag)?;
                self.mode = Mode::InCaption;
            }
            Name::Colgroup => {
                self.clear_to_table();
                self.insert(tag)?;
                self.mode = Mode::InColumnGroup;
            }
            Name::Col => {
                self.clear_to_table();
                self.insert_phantom(Name::Colgroup)?;
                return self.again(Mode::InColumnGroup);
            }
            Name::Tbody | Name::Tfoot | Name::Thead => {
                self.clear_to_table();
                self.insert(tag)?;
                self.mode = Mode::InTableBody;
            }
            Name::Td | Name::Th | Name::Tr => {
                self.clear_to_table();
                self.insert_phantom(Name::Tbody)?;
                return self.again(Mode::InTableBody);
            }
            Name::Table => {
                if self.open.has_in_scope(Name::Table) {
                    self.pop_until(Name::Table);
                    let mode = self.reset_insertion_mode();
                    return self.again(mode);
                }
            }
            Name::Style | Name::Script | Name::Template => return self.metadata_start(tag),
            Name::Input if self.is_type_hidden() => return self.insert_void(tag),
            Name::Form => {
                if self.templates == 0 && self.form.is_none() {
                    self.form = Some(tag.start);
                    return self.insert_void(tag);
                }
            }
            _ => return self.foster(|reader| reader.in_body_start(tag)),
        }
        DONE
    }

    pub(super) fn in_table_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Table => {
                if self.open.has_in_scope(Name::Table) {
                    self.pop_until(Name::Table);
                    self.mode = self.reset_insertion_mode();
                }
            }
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {}
            Name::Template => return self.template_end(),
            _ => return self.foster(|reader| reader.in_body_end(tag)),
        }
        DONE
    }

    /// "In table": anything else.
    pub(super) fn foster(&mut self, step: impl FnOnce(&mut Self) -> Step) -> Step {
        self.fostering = true;
        let did = step(self);
        self.fostering = false;
        did
    }

    pub(super) fn in_caption_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {
                if self.close_caption() {
                    return self.again(Mode::InTable);
                }
                DONE
            }
            _ => self.in_body_start(tag),
        }
    }

    pub(super) fn in_caption_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Caption => {
                if self.close_caption() {
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Table => {
                if self.close_caption() {
                    return self.again(Mode::InTable);
                }
                DONE
            }
            Name::Body
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => DONE,
            _ => self.in_body_end(tag),
        }
    }

    pub(super) fn close_caption(&mut self) -> bool {
        let in_scope = self.open.has_in_scope(Name::Caption);
        if in_scope {
            self.generate_implied(ElementTraits::has_implied_end, None);
            self.pop_until(Name::Caption);
            self.formatting.clear_to_marker();
        }
        in_scope
    }

    pub(super) fn in_column_group_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Col => self.insert_void(tag),
            Name::Template => self.metadata_start(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn in_column_group_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Colgroup => {
                if self.open.current_is(Name::Colgroup) {
                    self.pop();
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Col => DONE,
            Name::Template => self.template_end(),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn leave_column_group(&mut self) -> Step {
        if self.open.current_is(Name::Colgroup) {
            self.pop();
            return self.again(Mode::InTable);
        }
        DONE
    }

    pub(super) fn in_table_body_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Tr => {
                self.clear_to_table_body();
                self.insert(tag)?;
                self.mode = Mode::InRow;
                DONE
            }
            Name::Th | Name::Td => {
                self.clear_to_table_body();
                self.insert_phantom(Name::Tr)?;
                self.again(Mode::InRow)
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Tfoot
            | Name::Thead => self.leave_table_body(),
            _ => self.in_table_start(tag),
        }
    }

    pub(super) fn in_table_body_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.has_in_scope(tag.name) {
                    self.clear_to_table_body();
                    self.pop();
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Table => self.leave_table_body(),
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Td
            | Name::Th
            | Name::Tr => DONE,
            _ => self.in_table_end(tag),
        }
    }

    pub(super) fn leave_table_body(&mut self) -> Step {
        let bodies = [Name::Table, Name::Tbody, Name::Tfoot];
        if bodies.into_iter().any(|name| self.open.has_in_scope(name)) {
            self.clear_to_table_body();
            self.pop();
            return self.again(Mode::InTable);
        }
        DONE
    }

    pub(super) fn in_row_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Th | Name::Td => {
                self.clear_to_table_row();
                self.insert(tag)?;
                self.mode = Mode::InCell;
                self.formatting.push_marker();
                DONE
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Tfoot
            | Name::Thead
            | Name::Tr => self.leave_row(),
            _ => self.in_table_start(tag),
        }
    }

    pub(super) fn in_row_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Tr => {
                if self.leave_row()? == ModeResult::Again {
                    return DONE;
                }
                DONE
            }
            Name::Table => self.leave_row(),
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.has_in_scope(tag.name) {
                    return self.leave_row();
                }
                DONE
            }
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Td
            | Name::Th => DONE,
            _ => self.in_table_end(tag),
        }
    }

    pub(super) fn leave_row(&mut self) -> Step {
        if self.open.has_in_scope(Name::Tr) {
            self.clear_to_table_row();
            self.pop();
            return self.again(Mode::InTableBody);
        }
        DONE
    }

    pub(super) fn in_cell_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {
                if self.open.has_in_scope(Name::Td) || self.open.has_in_scope(Name::Th) {
                    self.close_the_cell();
                    return self.again(Mode::InRow);
                }
                DONE
            }
            _ => self.in_body_start(tag),
        }
    }

    pub(super) fn in_cell_end(&mut self, tag: Tag) -> Step {
        match tag.name {
            Name::Td | Name::Th => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(ElementTraits::has_implied_end, None);
                    self.pop_until(tag.name);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                DONE
            }
            Name::Body | Name::Caption | Name::Col | Name::Colgroup | Name::Html => DONE,
            Name::Table | Name::Tbody | Name::Tfoot | Name::Thead | Name::Tr => {
                if self.open.has_in_scope(tag.name) {
                    self.close_the_cell();
                    return self.again(Mode::InRow);
                }
                DONE
            }
            _ => self.in_body_end(tag),
        }
    }

    pub(super) fn close_the_cell(&mut self) {
        self.generate_implied(ElementTraits::has_implied_end, None);
        while let Some(open) = self.pop() {
            if open.is_any(&[Name::Td, Name::Th]) {
                break;
            }
        }
        self.formatting.clear_to_marker();
    }

    /// "Clear the stack back to a table context".
    pub(super) fn clear_to_table(&mut self) {
        self.clear_to(&[Name::Table, Name::Template, Name::Html]);
    }

    /// "Clear the stack back to a table body context".
    pub(super) fn clear_to_table_body(&mut self) {
        use Name::{Html, Tbody, Template, Tfoot, Thead};
        self.clear_to(&[Tbody, Tfoot, Thead, Template, Html]);
    }

    /// "Clear the stack back to a table row context".
    pub(super) fn clear_to_table_row(&mut self) {
        self.clear_to(&[Name::Tr, Name::Template, Name::Html]);
    }

    pub(super) fn clear_to(&mut self, names: &[Name]) {
        while self.open.current().is_some_and(|open| !open.is_any(names)) {
            self.pop();
        }
    }
}
