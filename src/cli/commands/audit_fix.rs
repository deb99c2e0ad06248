//! `baseref audit --fix`: repairs of links by the results of a fetcher.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fixing::{
    FixTarget, FixedFile, Layout, NOT_EDITED, Original, Originals, commit_written, in_words,
    left_out, mended,
};
use crate::cli::args::audit::{AuditArgs, FixArg};
use crate::cli::counts::count;
use crate::cli::error::CommandError;
use crate::cli::message::Message;
use baseref_audit::rules;
use baseref_audit::run::Plan;
use baseref_audit::run::fixing::{FixedDocument, Fixer, Replacements};
use baseref_files::Files;
use baseref_files::folder::NewFolder;
use baseref_findings::Rule;
use baseref_rewrite::rewriting::Rewritten;

/// How links are replaced, and where the results go.
pub(super) struct AuditFix<'f> {
    fixer: Fixer,
    fixing: FixTarget,
    layout: Layout,
    originals: Originals<'f>,
}

/// The results.
#[derive(Default)]
struct FixResults {
    /// Patches, or the edits.
    files: BTreeMap<PathBuf, FixedFile>,
    messages: Vec<Message>,
    edits: u64,
    is_incomplete: bool,
}

/// The result of a fix.
pub(super) struct FixResult {
    /// The new folder, complete.
    pub(super) folder: Option<NewFolder>,
    /// The messages about it.
    pub(super) messages: Vec<Message>,
    /// Whether a link could not be replaced.
    pub(super) is_incomplete: bool,
}

/// The rules whose findings `--fix` repairs.
pub(super) fn rules(arguments: &AuditArgs) -> Vec<&'static Rule> {
    let rule = |fix: &FixArg| match fix {
        FixArg::Moved => &rules::external::moved::RULE,
        FixArg::Archived => &rules::external::archived::RULE,
    };
    arguments.fix.iter().map(rule).collect()
}

impl<'f> AuditFix<'f> {
    /// Interprets the arguments; `None` if nothing is to be fixed.
    ///
    /// # Errors
    /// If the new folder is unsuitable.
    pub(super) fn new(
        arguments: &AuditArgs,
        paths: &[PathBuf],
        planned: &Plan,
        files: &'f Files,
    ) -> Result<Option<Self>, CommandError> {
        if arguments.fix.is_empty() {
            return Ok(None);
        }
        let directories: Vec<&Path> = paths
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| path.is_dir())
            .collect();
        let originals = Originals::new(files, paths, arguments.follow);
        planned.each_path(|path| originals.note(path));
        Ok(Some(Self {
            fixer: planned.fixer(),
            fixing: FixTarget::new(&arguments.fix_into, &directories)?,
            layout: Layout::new(paths, arguments.follow),
            originals,
        }))
    }

    /// Whether standard output gets a patch.
    pub(super) fn prints(&self) -> bool {
        matches!(self.fixing, FixTarget::Patch)
    }

    /// Prints the patch, or builds the new folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(
        self,
        replacements: &Replacements,
        jobs: NonZeroUsize,
        files: &Arc<Files>,
    ) -> Result<FixResult, CommandError> {
        let mut done = FixResults::default();
        for mended in self.fixer.fix(replacements, jobs) {
            self.one(mended, &mut done);
        }
        let text = format!(
            "{} replaced in {}",
            count(done.edits, "link", "links"),
            count(done.files.len() as u64, "document", "documents")
        );
        let mut messages = done.messages;
        messages.extend(self.originals.account());
        messages.push(Message::info("summary", text));
        let folder = match &self.fixing {
            FixTarget::Patch => {
                print(&done.files, files)?;
                None
            }
            FixTarget::Folder(path) => {
                let folder = self.layout.copy(files, path, &done.files)?;
                messages.extend(left_out(&folder));
                Some(folder)
            }
        };
        Ok(FixResult {
            folder,
            messages,
            is_incomplete: done.is_incomplete,
        })
    }

    fn one(&self, mended: FixedDocument, done: &mut FixResults) {
        match mended {
            FixedDocument::Document(input, rewritten) => self.document(&input, *rewritten, done),
            FixedDocument::Within(doc) => {
                done.is_incomplete = true;
                let message = Message::error("not-edited", WITHIN);
                done.messages.push(message.about(&doc, None));
            }
            FixedDocument::Unread(error) => {
                done.is_incomplete = true;
                done.messages.push(Message::from_error(&error));
            }
        }
    }

    fn document(&self, input: &str, mut rewritten: Rewritten, done: &mut FixResults) {
        let mut lacks = |text: String, line| {
            done.is_incomplete = true;
            let message = Message::error("not-edited", text);
            done.messages.push(message.about(input, line));
        };
        if rewritten.refused {
            return lacks(NOT_EDITED.to_owned(), None);
        }
        for left in &rewritten.left {
            let line = left.line.map(|line| u64::from(line.get()));
            lacks(in_words(left), line);
        }
        if rewritten.edits.is_empty() {
            return;
        }
        let paths = match self.originals.original(input, &rewritten.bytes) {
            Original::Stored(paths) => paths,
            Original::Packed => return lacks("it is compressed, and not edited".to_owned(), None),
            Original::Linked => return,
        };
        for path in paths {
            let name = self.layout.name(&path);
            let edits = &mut rewritten.edits;
            let mended = mended(&self.fixing, &name, &rewritten.bytes, edits);
            done.edits += edits.len() as u64;
            done.files.insert(path, mended);
        }
    }
}

/// Why a link in a member of a file is not replaced.
const WITHIN: &str = "it is within another document, and not edited";

fn print(patches: &BTreeMap<PathBuf, FixedFile>, files: &Arc<Files>) -> Result<(), CommandError> {
    let mut out = files.stdout();
    let mut patches = patches.values();
    let written = patches.try_for_each(|mended| out.write_all(mended.patch()));
    commit_written(out, written)
}
