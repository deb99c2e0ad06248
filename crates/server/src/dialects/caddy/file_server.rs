//! `file_server`: the files that a site serves.

use super::caddyfile::Directive;
use super::files::{canonical_redirect, is_base_of_both};
use super::hidden::Hidden;
use super::placeholder::Purpose;
use super::root::Root;
use super::state::RequestState;
use crate::engine::work::Work;
use crate::request::{Files, file_above};
use crate::rule::{Answer, RuleParser};

#[derive(Debug)]
pub(super) struct FileServer {
    index: Vec<String>,
    root: Option<Root>,
    hidden: Hidden,
    /// The status of files, as written.
    status: Option<String>,
    /// Whether folders without an index are listed.
    lists: bool,
    /// Whether final slashes are added to folders and removed from files.
    is_canonical: bool,
    /// Whether the next handler answers for missing files.
    passes: bool,
    line: usize,
}

impl FileServer {
    /// The server of a directive. `site` is the path of the site on the server's disk.
    pub(super) fn new(
        directive: &Directive,
        lists: bool,
        site: Option<&str>,
        parser: &mut RuleParser,
    ) -> Self {
        let line = |name: &str| {
            let mut lines = directive.block.iter().flatten();
            lines.find(|line| line.name() == name)
        };
        let first = |name: &str| line(name)?.arguments().first();
        let index = line("index").map(|line| line.arguments().to_vec());
        let number = directive.line;
        Self {
            index: index.unwrap_or_else(|| ["index.html", "index.txt"].map(str::to_owned).into()),
            root: first("root").map(|path| Root::from_directive(site, path, number)),
            hidden: Hidden::new(directive, site, parser),
            status: first("status").cloned(),
            lists: lists || line("browse").is_some(),
            is_canonical: line("disable_canonical_uris").is_none(),
            passes: line("pass_thru").is_some(),
            line: number,
        }
    }

    /// Whether files have a status of their own, even in place of an error.
    pub(super) fn has_status(&self) -> bool {
        self.status.is_some()
    }

    /// The answer, or none if the next handler answers; the error is a line that is not read or that
    /// reaches a limit.
    pub(super) fn answer(
        &self,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        work.take(self.index.len()).map_err(|_| self.line)?;
        let rule = state.rule;
        let refused = |status| Ok(Some(Answer::Refused { status, rule }));
        let missing = || if self.passes { Ok(None) } else { refused(404) };
        if state.path.contains('\0') {
            return refused(400);
        }
        let root = self.root.as_ref().unwrap_or(&state.root);
        let file = root.path(&state.path)?;
        let bare = file.strip_suffix('/').unwrap_or(&file);
        let (path, is_folder) = if files.is_file(bare.as_bytes()) {
            if self.hidden.hides(bare, work)? {
                return missing();
            }
            (bare.to_owned(), false)
        } else {
            match self.shown_in(bare, files, work)? {
                Some(name) => (name, true),
                None if file_above(bare.as_bytes(), files).is_some() => return refused(400),
                None => return missing(),
            }
        };
        // Only an unrewritten path is redirected to add or remove its final slash.
        if self.is_canonical && is_base_of_both(state) {
            if is_folder && !state.original.ends_with('/') {
                let to = format!("{}/", state.original);
                return Ok(Some(canonical_redirect(&to, state)));
            }
            if let Some(bare) = state.original.strip_suffix('/').filter(|_| !is_folder) {
                return Ok(Some(canonical_redirect(bare, state)));
            }
        }
        let status = match &self.status {
            None => state.error.unwrap_or(200),
            Some(text) => {
                let text = state.filled(text, Purpose::Other, work).ok_or(self.line)?;
                text.parse().unwrap_or(500)
            }
        };
        Ok(Some(if status < 300 {
            let path = path.into_bytes();
            Answer::File { path, status, rule }
        } else {
            Answer::Refused { status, rule }
        }))
    }

    /// What is shown of a folder: its index, or a list of its files.
    fn shown_in(
        &self,
        folder: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<String>, usize> {
        let names = self.index.iter().map(|name| format!("{folder}/{name}"));
        for name in names.filter(|name| files.is_file(name.as_bytes())) {
            if !self.hidden.hides(&name, work)? {
                return Ok(Some(name));
            }
        }
        if self.lists
            && files.is_directory(folder.as_bytes())
            && !self.hidden.hides(folder, work)?
        {
            return Ok(Some(format!("{folder}/")));
        }
        Ok(None)
    }
}
