//! The code pages of fonts in an RTF document.

use std::collections::BTreeMap;

use crate::code_page;

/// The font table, which precedes the text.
#[derive(Debug, Default)]
pub struct Fonts {
    /// The code pages, by the number of the font.
    pages: BTreeMap<i32, u32>,
    /// The font being described.
    current: i32,
}

impl Fonts {
    /// Reads a control word in the table.
    pub fn word(&mut self, word: &[u8], number: Option<i32>) {
        let number = number.unwrap_or(0);
        let page = match word {
            b"f" => {
                self.current = number;
                return;
            }
            b"fcharset" => code_page::from_charset(number),
            b"cpg" => u32::try_from(number).ok(),
            _ => return,
        };
        if let Some(page) = page {
            self.pages.insert(self.current, page);
        }
    }

    /// The code page of a font; `None` for the default.
    pub fn page(&self, font: i32) -> Option<u32> {
        self.pages.get(&font).copied()
    }
}
