//! The texts of pages that text fragments lead to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use baseref_site::shown_text::ShownText;

use crate::model::site_file::SiteFile;

/// The maximum size of the texts that are kept, in bytes.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The texts that were read last: links lead to the same pages again and again.
#[derive(Debug, Default)]
pub(crate) struct ShownTexts(Mutex<Texts>);

#[derive(Debug, Default)]
struct Texts {
    texts: HashMap<SiteFile, Arc<ShownText>>,
    bytes: usize,
}

impl ShownTexts {
    /// The text of a file: the one that is kept, or what `read` returns.
    pub(crate) fn text(
        &self,
        file: SiteFile,
        read: impl FnOnce() -> Option<ShownText>,
    ) -> Option<Arc<ShownText>> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = cache.texts.get(&file) {
            return Some(Arc::clone(text));
        }
        let text = Arc::new(read()?);
        if cache.bytes + text.size() > MAX_BYTES {
            *cache = Texts::default();
        }
        cache.bytes += text.size();
        cache.texts.insert(file, Arc::clone(&text));
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use baseref_site::listing::Tree;

    use super::*;

    #[test]
    fn texts_of_two_files_are_read_once() {
        let texts = ShownTexts::default();
        let tree = Tree::from_paths(Path::new("site"), [&b"a.html"[..], b"b.html"]);
        let mut read = Vec::new();
        for file in tree.files().chain(tree.files()) {
            let file = SiteFile { site: 0, file };
            texts.text(file, || {
                read.push(file);
                Some(ShownText::new("a text"))
            });
        }
        assert_eq!(read.len(), 2);
    }
}
