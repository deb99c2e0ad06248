//! `baseref rewrite`: rewrites links in their documents.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fixing::{
    FixTarget, FixedFile, Layout, NOT_EDITED, Original, Originals, commit_written, in_words,
    left_out, mended,
};
use crate::cli::args::rewrite::RewriteArgs;
use crate::cli::config::Run;
use crate::cli::counts::count;
use crate::cli::error::CommandError;
use crate::cli::message::Message;
use crate::cli::outcome::Outcome;
use crate::cli::progress::FileProgress;
use crate::cli::stdin::is_stdin;
use baseref_audit::run::AuditError;
use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_files::Files;
use baseref_files::commit::commit;
use baseref_files::output::OutputFile;
use baseref_migration::MoveError;
use baseref_migration::verify_move::split_move;
use baseref_rewrite::links;
use baseref_rewrite::rewriting::{LinkForm, Rewriting};
use baseref_run::{self as run, Piece};
use baseref_site::moves::Prefixes;
use baseref_walk::no_page_in;
use baseref_walk::{self as walk, Inputs, Opening};

/// # Errors
/// On bad usage, and if an output cannot be written.
pub fn run(arguments: RewriteArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    let policy = arguments.reading.base.policy();
    let mut rewriting = Rewriting {
        policy,
        prefixes: prefixes(&arguments.moves)?,
        links: HashMap::new(),
        written: match (arguments.relative, arguments.absolute) {
            (true, _) => Some(LinkForm::Relative),
            (_, true) => Some(LinkForm::Absolute),
            _ => None,
        },
        read: links::reading(ReadOptions::default()),
    };
    if rewriting.prefixes.is_none() && rewriting.written.is_none() {
        let text = "nothing to do: give --move OLD=NEW, --relative or --absolute";
        return Err(CommandError::Usage(text));
    }
    rewriting.read.encoding = arguments.reading.inputs.encoding;
    rewriting.read.marks = policy.marks;
    let follow = arguments.reading.inputs.follow;
    let has_url = arguments.reading.base.url.is_some();
    let by_glob = !arguments.reading.inputs.glob.is_empty();
    let run = Run::new(
        arguments.reading,
        rewriting.read.clone(),
        policy.marks,
        files,
    )?;
    let directories: Vec<&Path> = run
        .paths
        .iter()
        .map(PathBuf::as_path)
        .filter(|path| path.is_dir())
        .collect();
    if let Some(directory) = directories.first().filter(|_| has_url) {
        return Err(AuditError::UrlOfDirectory(directory.to_path_buf()).into());
    }
    let fixing = FixTarget::new(&arguments.fix, &directories)?;
    if matches!(fixing, FixTarget::Folder(_)) && run.output.is_some() {
        let text = "-o is for the patch, and --fix DIR writes none";
        return Err(CommandError::Usage(text));
    }
    if matches!(fixing, FixTarget::Folder(_)) && run.paths.iter().any(|path| is_stdin(path)) {
        let text = "standard input has no name to be written under: --fix patch";
        return Err(CommandError::Usage(text));
    }
    let job = Job {
        originals: Originals::new(files, &run.paths, follow),
        layout: Layout::new(&run.paths, follow),
        rewriting,
        fixing,
        by_glob,
    };
    job.run(run)
}

fn prefixes(moves: &[String]) -> Result<Option<Prefixes>, CommandError> {
    let mut prefixes = Prefixes::default();
    for pair in moves {
        let (old, new) = split_move(pair)?;
        prefixes.add(old, &[], new).map_err(MoveError::from)?;
    }
    Ok((!moves.is_empty()).then_some(prefixes))
}

/// What to do with every document.
struct Job<'f> {
    originals: Originals<'f>,
    layout: Layout,
    rewriting: Rewriting,
    fixing: FixTarget,
    /// Whether `--glob` chooses the files.
    by_glob: bool,
}

/// The results.
#[derive(Default)]
struct RewriteResults {
    /// Patches, or the edits, by the path of the file as named.
    files: Vec<(PathBuf, FixedFile)>,
    messages: Vec<Message>,
    edits: u64,
    /// The number of links in places that are never edited.
    in_code: u64,
    /// The number of relative links of pages without a base.
    without_base: u64,
    /// Whether something could not be read, or a value could not be written.
    is_incomplete: bool,
    /// Whether there was a document at all.
    has_read: bool,
}

impl RewriteResults {
    fn error(&mut self, message: Message) {
        self.is_incomplete = true;
        self.messages.push(message);
    }
}

impl Job<'_> {
    fn run(&self, mut run: Run) -> Result<Outcome, CommandError> {
        let output = match &self.fixing {
            FixTarget::Patch => {
                let output = run.files.create(run.output.as_deref());
                Some(output?)
            }
            FixTarget::Folder(_) => None,
        };
        let opening = Arc::new(Opening {
            format: run.format,
            of_site: true,
            retrieval: std::mem::take(&mut run.retrieval),
            stdin_name: run.stdin_name.take(),
            files: Arc::clone(&run.files),
            ..Opening::default()
        });
        walk::look_ahead(&run.paths, &run.walk, &opening);
        run.files.check_conflicts()?;
        let inputs = Inputs::new(run.paths.clone(), run.walk.clone(), Arc::clone(&opening));
        let inputs = inputs.inspect(|input| {
            if let Ok(input) = input {
                self.originals.note(input.path());
            }
        });
        let (paths, walk) = (run.paths.clone(), run.walk.clone());
        let progress = FileProgress::new(&run.files, move || walk::total_size(&paths, &walk));
        let done = run::fold(
            inputs,
            run.jobs,
            |piece, done| self.piece(piece, done),
            |all: &mut RewriteResults, more| {
                all.files.extend(more.files);
                all.messages.extend(more.messages);
                all.edits += more.edits;
                all.in_code += more.in_code;
                all.without_base += more.without_base;
                all.is_incomplete |= more.is_incomplete;
                all.has_read |= more.has_read;
            },
        );
        drop(progress);
        run.files.check_conflicts()?;
        if !done.has_read && done.is_incomplete {
            run.messages.end(&done.messages);
            return Ok(Outcome::Unread);
        }
        // An incomplete rewrite must not look like one with nothing to edit.
        if !done.has_read {
            let no_page = no_page_in(&run.paths, self.by_glob);
            return Err(CommandError::NothingRewritten(no_page));
        }
        self.write(run, output, done)
    }

    fn piece(&self, piece: Piece, done: &mut RewriteResults) {
        match piece {
            Piece::Entity(entity) => {
                done.has_read = true;
                self.entity(entity, done);
            }
            Piece::Unread(error) => {
                let message = Message::from_error(&error);
                done.is_incomplete |= error.kind.is_loss();
                done.messages.push(message);
            }
            Piece::Skipped(_) => {}
        }
    }

    fn entity(&self, entity: Entity, done: &mut RewriteResults) {
        let (input, doc) = (Arc::clone(&entity.origin.input), entity.origin.to_string());
        let mut rewritten = self.rewriting.rewrite(entity);
        if let Some(error) = &rewritten.cut {
            done.error(Message::from_error(error));
        }
        let original = if rewritten.edits.is_empty() {
            Original::Stored(Vec::new())
        } else {
            self.originals.original(&input, &rewritten.bytes)
        };
        let is_compressed = matches!(original, Original::Packed);
        if rewritten.refused || is_compressed {
            let text = if is_compressed {
                "it is compressed, and not edited"
            } else {
                NOT_EDITED
            };
            done.error(Message::error("not-edited", text).about(&doc, None));
            return;
        }
        done.without_base += rewritten.without_base;
        for left in &rewritten.left {
            done.in_code += u64::from(left.is_in_code);
            if !left.is_in_code {
                let line = left.line.map(|line| u64::from(line.get()));
                done.error(Message::error("not-edited", in_words(left)).about(&doc, line));
            }
        }
        let Original::Stored(paths) = original else {
            return;
        };
        for path in paths {
            let name = self.layout.name(&path);
            let edits = &mut rewritten.edits;
            let mended = mended(&self.fixing, &name, &rewritten.bytes, edits);
            done.edits += edits.len() as u64;
            done.files.push((path, mended));
        }
    }

    fn write(
        &self,
        mut run: Run,
        output: Option<OutputFile>,
        mut done: RewriteResults,
    ) -> Result<Outcome, CommandError> {
        let mut messages = done.messages;
        messages.extend(Message::skipped(&messages, true));
        messages.extend(self.originals.account());
        let mut seen = HashSet::new();
        done.files.retain(|(path, _)| seen.insert(path.clone()));
        if done.in_code > 0 {
            let links = count(done.in_code, "link is", "links are");
            let text = format!("{links} left unchanged in style sheets, scripts and text");
            messages.push(Message::info("in-code", text));
        }
        if done.without_base > 0 {
            let links = count(done.without_base, "link", "links");
            let text = format!(
                "{links} left unchanged, since no base is known: give `--url-map DIR=URL` or `-u URL`"
            );
            messages.push(Message::info("no-base", text));
        }
        let text = format!(
            "{} rewritten in {}",
            count(done.edits, "value", "values"),
            count(done.files.len() as u64, "document", "documents")
        );
        match (&self.fixing, output) {
            (FixTarget::Folder(folder), _) => {
                let left_out = self.write_folder(&run, folder, done.files)?;
                messages.extend(left_out);
            }
            (FixTarget::Patch, Some(output)) => write_patches(output, &done.files)?,
            (FixTarget::Patch, None) => {}
        }
        messages.push(Message::info("summary", text));
        run.messages.end(&messages);
        run.messages.end(&[]);
        Ok(if done.is_incomplete {
            Outcome::Unread
        } else {
            Outcome::Done
        })
    }

    /// Writes all named inputs into the folder, edited or not, and reports what was left out.
    fn write_folder(
        &self,
        run: &Run,
        path: &Path,
        edited: Vec<(PathBuf, FixedFile)>,
    ) -> Result<Vec<Message>, CommandError> {
        let edited = edited.into_iter().collect();
        let folder = self.layout.copy(&run.files, path, &edited)?;
        let left_out = left_out(&folder);
        commit(Vec::new(), Some(folder))?;
        Ok(left_out)
    }
}

fn write_patches(
    mut output: OutputFile,
    files: &[(PathBuf, FixedFile)],
) -> Result<(), CommandError> {
    let mut patches = files.iter();
    let written = patches.try_for_each(|(_, mended)| output.write_all(mended.patch()));
    commit_written(output, written)
}
