//! "In template", the modes of framesets, and "reset the insertion mode appropriately".

use super::{DONE, Mode, Reader, Step, Tag};
use crate::names::Name;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    pub(super) fn in_template_start(&mut self, tag: Tag) -> Step {
        let mode = match tag.name {
            name if name.kind().is_metadata() => return self.metadata_start(tag),
            Name::Caption | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => {
                Mode::InTable
            }
            Name::Col => Mode::InColumnGroup,
            Name::Tr => Mode::InTableBody,
            Name::Td | Name::Th => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again(mode)
    }

    pub(super) fn in_frameset_start(&mut self, tag: Tag) -> Step {
        match (self.mode, tag.name) {
            (_, Name::Html) => self.in_body_start(tag),
            (_, Name::Noframes) => self.metadata_start(tag),
            (Mode::InFrameset, Name::Frameset) => {
                self.insert(tag)?;
                DONE
            }
            (Mode::InFrameset, Name::Frame) => self.insert_void(tag),
            _ => DONE,
        }
    }

    /// "Reset the insertion mode appropriately".
    pub(super) fn reset_insertion_mode(&self) -> Mode {
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.namespace != Namespace::Html {
                continue;
            }
            match open.name {
                Name::Td | Name::Th if index > 0 => return Mode::InCell,
                Name::Tr => return Mode::InRow,
                Name::Tbody | Name::Thead | Name::Tfoot => return Mode::InTableBody,
                Name::Caption => return Mode::InCaption,
                Name::Colgroup => return Mode::InColumnGroup,
                Name::Table => return Mode::InTable,
                Name::Template => {
                    return self.template_modes.last().copied().unwrap_or(Mode::InBody);
                }
                Name::Head if index > 0 => return Mode::InHead,
                Name::Body => return Mode::InBody,
                Name::Frameset => return Mode::InFrameset,
                Name::Html if self.has_head => return Mode::AfterHead,
                Name::Html => return Mode::BeforeHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
