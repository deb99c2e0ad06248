//! A single page that was audited without its URL, though it records where it was saved from.

use std::path::Path;
use std::sync::Arc;

use crate::cli::args::SavedFromArg;
use crate::cli::args::audit::AuditArgs;
use crate::cli::message::Message;
use baseref_container::Contents;
use baseref_document::{ReadOptions, ReadResult};
use baseref_files::Files;
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentResolver;
use baseref_reader::read;
use baseref_run::Input;
use baseref_walk::{FileInput, Opening, RetrievalUrls};

/// The hint to use the URL that the only file of an audit records, if there is one.
pub(super) fn hint(arguments: &AuditArgs, files: &Arc<Files>) -> Option<Message> {
    let [path] = arguments.paths.as_slice() else {
        return None;
    };
    let has_url = arguments.url.is_some() || arguments.saved_from == SavedFromArg::Auto;
    if has_url || !files.is_file(path) {
        return None;
    }
    let url = recorded_url(path, files)?;
    let text = format!(
        "relative links were not checked: {} records that it was saved from {url}, which \
         --saved-from auto uses",
        path.display()
    );
    Some(Message::info("saved-from", text))
}

/// The URL that a page records, if it is trustworthy.
fn recorded_url(path: &Path, files: &Arc<Files>) -> Option<String> {
    let opening = Arc::new(Opening {
        retrieval: RetrievalUrls::default().with_marks(true),
        files: Arc::clone(files),
        ..Opening::default()
    });
    let Contents::Single(entity) = FileInput::new(path.to_owned(), true, &opening)
        .open()
        .ok()?
    else {
        return None;
    };
    let mut resolver = DocumentResolver::new(Policy::default().with_marks(true));
    let mut url = None;
    let options = ReadOptions::default().with_marks(true);
    read::documents(entity, &options, &mut |document: ReadResult| {
        let Ok(document) = document else { return };
        for links in resolver.documents(&document) {
            let recorded = links.base_report().retrieval_url();
            url = url.take().or_else(|| recorded.map(str::to_owned));
        }
    });
    url
}
