//! `baseref rewrite`: rewrites links in their documents.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::documents::is_output;
use super::fixing::{Fixing, copy_file, copy_tree, is_stored_as_read, mended, unless_closed};
use crate::checks::verify_move::{read_tree, split_move};
use crate::cli::config::Run;
use crate::cli::counts::count;
use crate::cli::message::Message;
use crate::cli::outcome::{Outcome, Usage};
use crate::cli::rewrite_args::RewriteArgs;
use crate::container::entity::Entity;
use crate::options::ReadOptions;
use crate::outfile::OutputFile;
use crate::relocate::links;
use crate::relocate::path_below;
use crate::relocate::prefixes::Prefixes;
use crate::relocate::rewrite::{Left, Rewriting, Written};
use crate::run::{self, Piece};
use crate::walk::{self, Inputs, Opening};

/// # Errors
/// On bad usage, and if an output cannot be written.
pub fn run(arguments: RewriteArgs) -> Result<Outcome, Usage> {
    let policy = arguments.reading.base.policy();
    let mut rewriting = Rewriting {
        policy,
        prefixes: prefixes(&arguments.moves)?,
        written: match (arguments.relative, arguments.absolute) {
            (true, _) => Some(Written::Relative),
            (_, true) => Some(Written::Absolute),
            _ => None,
        },
        read: links::reading(ReadOptions::default()),
    };
    if rewriting.prefixes.is_none() && rewriting.written.is_none() {
        let text = "nothing to do: give --move OLD=NEW, --relative or --absolute";
        return Err(Usage(text.to_owned()));
    }
    rewriting.read.encoding = arguments.reading.inputs.encoding;
    rewriting.read.marks = policy.marks;
    let run = Run::new(arguments.reading, rewriting.read.clone(), policy.marks)?;
    let directories: Vec<&Path> = run
        .paths
        .iter()
        .map(PathBuf::as_path)
        .filter(|path| path.is_dir())
        .collect();
    let fixing = Fixing::new(&arguments.fix, &directories)?;
    if matches!(fixing, Fixing::Folder(_)) && run.output.is_some() {
        let text = "-o is for the patch, and --fix DIR writes none";
        return Err(Usage(text.to_owned()));
    }
    if matches!(fixing, Fixing::Folder(_)) && run.paths.iter().any(|path| path.as_os_str() == "-") {
        let text = "standard input has no name to be written under: --fix patch";
        return Err(Usage(text.to_owned()));
    }
    let job = Job {
        only: match &run.paths[..] {
            [path] if path.is_dir() => Some(path.clone()),
            _ => None,
        },
        rewriting,
        fixing,
    };
    job.run(run)
}

fn prefixes(moves: &[String]) -> Result<Option<Prefixes>, Usage> {
    let mut prefixes = Prefixes::default();
    for pair in moves {
        let (old, new) = split_move(pair)?;
        let usage = |error: crate::relocate::prefixes::PrefixError| Usage(error.to_string());
        prefixes.add(old, &[], new).map_err(usage)?;
    }
    Ok((!moves.is_empty()).then_some(prefixes))
}

/// What to do with every document.
struct Job {
    rewriting: Rewriting,
    fixing: Fixing,
    /// The only input, if it is a directory: names in patches are relative to it.
    only: Option<PathBuf>,
}

/// The results.
#[derive(Default)]
struct Done {
    /// Patches, or rewritten files, by the path of the file as named.
    files: Vec<(PathBuf, Vec<u8>)>,
    messages: Vec<Message>,
    edits: u64,
    /// Links in places that are never edited.
    in_code: u64,
    /// Whether something could not be read, or a value could not be written.
    is_lacking: bool,
}

impl Done {
    fn error(&mut self, message: Message) {
        self.is_lacking = true;
        self.messages.push(message);
    }
}

impl Job {
    fn run(&self, mut run: Run) -> Result<Outcome, Usage> {
        let output = match &run.output {
            Some(path) => OutputFile::create(path).map_err(|error| failed(path, &error))?,
            None => OutputFile::stdout(),
        };
        let replaced: Vec<_> = output.replaces().into_iter().collect();
        if let Some(path) = walk::first_among(&run.paths, &replaced) {
            return Err(is_output(path));
        }
        let opening = Arc::new(Opening {
            format: run.format,
            of_site: true,
            retrieval: std::mem::take(&mut run.retrieval),
            stdin_name: run.stdin_name.take(),
            written: output.temporary().into_iter().collect(),
            replaced,
            ..Opening::default()
        });
        let inputs = Inputs::new(run.paths.clone(), run.walk.clone(), Arc::clone(&opening));
        let done = run::fold(
            inputs,
            run.jobs,
            |piece, done| self.piece(piece, done),
            |all: &mut Done, more| {
                all.files.extend(more.files);
                all.messages.extend(more.messages);
                all.edits += more.edits;
                all.in_code += more.in_code;
                all.is_lacking |= more.is_lacking;
            },
        );
        if let Some(path) = opening.met.get() {
            return Err(is_output(path));
        }
        self.write(run, output, done)
    }

    fn piece(&self, piece: Piece, done: &mut Done) {
        match piece {
            Piece::Entity(entity) => self.entity(entity, done),
            Piece::Unread(error) => {
                let message = Message::of_error(&error);
                done.is_lacking |= error.kind.is_loss();
                done.messages.push(message);
            }
            Piece::Skipped(_) => {}
        }
    }

    fn entity(&self, entity: Entity, done: &mut Done) {
        let (input, doc) = (Arc::clone(&entity.origin.input), entity.origin.to_string());
        let mut rewritten = self.rewriting.rewrite(entity);
        if let Some(error) = &rewritten.cut {
            done.error(Message::of_error(error));
        }
        let is_compressed =
            !rewritten.edits.is_empty() && !is_stored_as_read(&input, &rewritten.bytes);
        if rewritten.refused || is_compressed {
            let text = if is_compressed {
                "it is compressed, and not edited"
            } else {
                NOT_EDITED
            };
            done.error(Message::error("not-edited", text).about(&doc, None));
            return;
        }
        for left in &rewritten.left {
            done.in_code += u64::from(left.is_in_code);
            if !left.is_in_code {
                let line = left.line.map(|line| u64::from(line.get()));
                done.error(Message::error("not-edited", in_words(left)).about(&doc, line));
            }
        }
        if rewritten.edits.is_empty() {
            return;
        }
        let name = self.name(&input);
        let bytes = mended(&self.fixing, &name, &rewritten.bytes, &mut rewritten.edits);
        done.edits += rewritten.edits.len() as u64;
        done.files.push((PathBuf::from(&*input), bytes));
    }

    /// The name of a file in a patch.
    fn name(&self, input: &str) -> String {
        match &self.only {
            Some(directory) => path_below(input, &directory.to_string_lossy()),
            None => input
                .trim_start_matches("./")
                .trim_start_matches('/')
                .to_owned(),
        }
    }

    fn write(&self, mut run: Run, mut output: OutputFile, done: Done) -> Result<Outcome, Usage> {
        let mut messages = done.messages;
        messages.extend(Message::passed_over(&messages, true));
        if done.in_code > 0 {
            let text = format!(
                "{} left as they are in style sheets, scripts and text",
                count(done.in_code, "link", "links")
            );
            messages.push(Message::info("in-code", text));
        }
        let text = format!(
            "{} rewritten in {}",
            count(done.edits, "value", "values"),
            count(done.files.len() as u64, "document", "documents")
        );
        messages.push(Message::info("summary", text));
        match &self.fixing {
            Fixing::Patch => {
                let name = run
                    .output
                    .clone()
                    .unwrap_or_else(|| "standard output".into());
                let files = done.files.iter();
                let mut patches = files.map(|(_, patch)| output.write_all(patch));
                patches
                    .try_for_each(|written| written)
                    .and_then(|()| output.commit())
                    .or_else(unless_closed)
                    .map_err(|error| failed(&name, &error))?;
            }
            Fixing::Folder(folder) => self.write_folder(&run.paths, folder, done.files)?,
        }
        run.messages.end(&messages);
        run.messages.end(&[]);
        Ok(if done.is_lacking {
            Outcome::Unread
        } else {
            Outcome::Done
        })
    }

    /// Writes all named inputs into the folder, edited or not.
    fn write_folder(
        &self,
        paths: &[PathBuf],
        folder: &Path,
        files: Vec<(PathBuf, Vec<u8>)>,
    ) -> Result<(), Usage> {
        let mended: BTreeMap<PathBuf, Vec<u8>> = files.into_iter().collect();
        let mut seen = HashSet::new();
        for path in paths {
            let below = match &self.only {
                Some(_) => PathBuf::new(),
                None => path_within(path)?,
            };
            if !seen.insert(below.clone()) {
                continue;
            }
            let to = folder.join(&below);
            let copied = if path.is_dir() {
                let tree = read_tree(path)?;
                let below = |file: &PathBuf| file.strip_prefix(path).ok().map(Path::to_owned);
                let mended = mended
                    .iter()
                    .filter_map(|(file, bytes)| Some((below(file)?, bytes.clone())))
                    .collect();
                copy_tree(&tree, &to, &mended)
            } else {
                copy_file(path, &to, mended.get(path))
            };
            copied.map_err(|(path, error)| failed(&path, &error))?;
        }
        Ok(())
    }
}

const NOT_EDITED: &str = "mail and archives are not edited: signatures and digests would break";

/// The path of a file in the folder that it is written to.
fn path_within(path: &Path) -> Result<PathBuf, Usage> {
    let mut within = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => within.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                let text = format!(
                    "{}: contains `..`, so it has no place in a folder",
                    path.display()
                );
                return Err(Usage(text));
            }
        }
    }
    Ok(within)
}

fn in_words(left: &Left) -> String {
    if left.value.is_empty() {
        return left.why.to_owned();
    }
    format!("{:?} is left as it is: {}", left.value, left.why)
}

fn failed(path: &Path, error: &io::Error) -> Usage {
    Usage(format!("{}: {error}", path.display()))
}
