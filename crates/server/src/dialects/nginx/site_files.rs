//! The files of the site: what `try_files` and the address find.

use super::content::Content;
use super::escape;
use super::root::{DOCUMENT_ROOT, OUTSIDE, Root};
use super::run::{Next, Run};
use super::template::Template;
use crate::engine::work::NoAnswer;
use crate::request::{FileKind, merged_slashes};
use crate::rule::Answer;

/// The cost of looking for an index by one name.
const ASKING_STEPS: usize = 4;

impl<'n> Run<'n, '_> {
    /// What exists at a path on the server's disk. Nothing is assumed to exist outside the site.
    pub(super) fn kind(
        &mut self,
        path: &'n Template,
        line: usize,
    ) -> Result<Option<FileKind>, Answer> {
        let path = self.fill(path, line, 0)?;
        if path.starts_with(OUTSIDE.as_bytes()) {
            return Err(Answer::Unknown { line });
        }
        let below = path.strip_prefix(DOCUMENT_ROOT.as_bytes());
        let below = below.or_else(|| path.strip_prefix(self.server.site.as_deref()?.as_bytes()));
        let found = below.and_then(|path| Some((path, self.files.kind(bare(path))?)));
        // A file name cannot be followed by a slash.
        let found = found.filter(|(path, kind)| *kind != FileKind::File || !path.ends_with(b"/"));
        Ok(found.map(|(_, kind)| kind))
    }

    /// The path below the root of the site at which the file of an address is looked up.
    pub(super) fn file_of(&mut self, uri: &[u8]) -> Result<Vec<u8>, Answer> {
        let at = self.at;
        let path = match &at.root {
            Root::Site => uri.to_vec(),
            Root::Below(folder) => [folder.as_bytes(), uri].concat(),
            Root::Alias(alias) => {
                let mut path = self.fill(&alias.to, alias.line, 0)?;
                match alias.length {
                    Some(length) => path.extend_from_slice(uri.get(length..).unwrap_or_default()),
                    // The index of a folder is not known then.
                    None if uri.ends_with(b"/") => {
                        return Err(Answer::Unknown { line: alias.line });
                    }
                    None => {}
                }
                path
            }
            Root::Elsewhere(line) => return Err(Answer::Unknown { line: *line }),
        };
        Ok(merged_slashes(&path).into_owned())
    }

    /// Sets the address to the first name that exists; otherwise returns the next phase.
    pub(super) fn try_files(
        &mut self,
        content: &'n Content,
        names: &'n [Template],
        last: &'n Template,
    ) -> Result<Option<Next>, Answer> {
        for name in names {
            let mut path = self.tried(content, name)?;
            // A trailing slash in the parameter asks for a directory and is then removed.
            let wanted = if name.ends_in_slash() {
                path.pop();
                FileKind::Directory
            } else {
                FileKind::File
            };
            let file = match &content.root {
                Root::Alias(alias) => {
                    let to = self.fill(&alias.to, content.line, 0)?;
                    merged_slashes(&[&to[..], &path].concat()).into_owned()
                }
                _ => self.file_of(&path)?,
            };
            let found = self.files.kind(bare(&file));
            let is_file_path = wanted == FileKind::Directory || !path.ends_with(b"/");
            if found == Some(wanted) && is_file_path {
                let Root::Alias(alias) = &content.root else {
                    self.uri = path;
                    return Ok(None);
                };
                let Some(start) = alias.length.and_then(|length| self.uri.get(..length)) else {
                    // In a location with a pattern, nginx appends the path to the alias again.
                    return Err(Answer::Unknown { line: content.line });
                };
                self.uri = [start, &path].concat();
                return Ok(None);
            }
        }
        let path = self.tried(content, last)?;
        if let Some(status) = path.strip_prefix(b"=") {
            let status = String::from_utf8_lossy(status).parse().unwrap_or(404);
            return Ok(Some(self.refuse(status, self.rule)));
        }
        self.go_to(&path);
        Ok(Some(Next::Redirected))
    }

    /// A name of `try_files` with its variables filled in. In a location with an alias, the location's
    /// path is stripped from a name that has variables.
    pub(super) fn tried(&mut self, content: &Content, name: &Template) -> Result<Vec<u8>, Answer> {
        let path = self.fill(name, content.line, 0)?;
        if let Root::Alias(alias) = &content.root
            && name.text().is_none()
            && let Some(start) = alias.length.and_then(|length| self.uri.get(..length))
            && let Some(rest) = path.strip_prefix(start)
        {
            return Ok(rest.to_vec());
        }
        Ok(path)
    }

    /// # Errors
    ///
    /// If it is not known where its files are.
    pub(super) fn file(&mut self, content: &'n Content) -> Result<Next, Answer> {
        if let Some(line) = content.handed_on {
            return Err(Answer::Unknown { line });
        }
        let uri = self.uri.clone();
        let file = self.file_of(&uri)?;
        let kind = self.files.kind(bare(&file));
        if uri.ends_with(b"/") {
            if kind != Some(FileKind::Directory) {
                return Ok(self.refuse(404, self.rule));
            }
            let default = ["index.html".to_owned()];
            let names = if content.index.is_empty() {
                &default[..]
            } else {
                &content.index[..]
            };
            for name in names {
                let taken = self.work.take(ASKING_STEPS);
                // The first line stands for the file.
                taken.map_err(|NoAnswer| Answer::Unknown { line: 1 })?;
                let index = [&uri, name.as_bytes()].concat();
                let file = self.file_of(&index)?;
                if self.files.is_file(&file) {
                    self.uri = index;
                    self.is_internal = true;
                    // The index is requested like any other address.
                    return Ok(Next::Redirected);
                }
            }
            if content.lists {
                return Ok(Next::Answer(self.found(file)));
            }
            return Ok(self.refuse(403, self.rule));
        }
        Ok(match kind {
            Some(FileKind::File) => Next::Answer(self.found(file)),
            Some(FileKind::Directory) => Next::Answer(self.with_slash()),
            None => self.refuse(404, self.rule),
        })
    }

    pub(super) fn found(&self, path: Vec<u8>) -> Answer {
        Answer::File {
            path,
            status: 200,
            rule: self.rule,
        }
    }

    /// The redirect that adds a final slash.
    pub(super) fn with_slash(&self) -> Answer {
        let mut location = escape::uri(&self.uri);
        location.push(b'/');
        if !self.args.is_empty() {
            location.push(b'?');
            location.extend_from_slice(&self.args);
        }
        Answer::Redirect {
            status: 301,
            location: self.absolute(&location),
            rule: None,
        }
    }
}

fn bare(path: &[u8]) -> &[u8] {
    match path.strip_suffix(b"/") {
        Some(bare) if !bare.is_empty() => bare,
        _ => path,
    }
}
