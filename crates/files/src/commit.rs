//! The end of a run: moves all files that it has written into place together.

use std::io;

use super::failed::OutputError;
use super::folder::NewFolder;
use super::output::{OutputFile, OutputStream, TemporaryFile};
use super::signals;

impl OutputFile {
    /// Moves the new file into place. Without this the old file is unchanged.
    ///
    /// # Errors
    /// If not everything could be written, or the file was met among the inputs: the old file is
    /// then unchanged.
    pub fn commit(self) -> io::Result<()> {
        commit(vec![self], None).map_err(io::Error::from)
    }
}

/// Moves the files and the folder of a run into place after all of them are complete.
///
/// # Errors
/// The first output that could not be written, or that was met among the inputs. Unless the system
/// refuses a renaming, nothing is then changed.
pub fn commit(mut outputs: Vec<OutputFile>, folder: Option<NewFolder>) -> Result<(), OutputError> {
    for output in &mut outputs {
        let complete = match output.files.conflict() {
            Some(clash) => Err(io::Error::other(clash.clone())),
            None => output.is_complete(),
        };
        complete.map_err(|error| OutputError::io(&output.name, error))?;
    }
    let signals = signals::hold();
    // Unfinished files take themselves off the list of files to remove when they are dropped, which
    // must not happen while that list is locked.
    let mut later = PendingDrops::default();
    let mut failed = None;
    if let Some(folder) = folder {
        let (rest, placed) = folder.appear();
        later.folder = Some(rest);
        failed = placed.err();
    }
    for output in outputs {
        match output.to {
            OutputStream::TemporaryFile(beside) if failed.is_none() => {
                let (registered, placed) = beside.appear();
                later.placed.push(registered);
                let name = output.name;
                failed = placed.err().map(|error| OutputError::io(&name, error));
            }
            OutputStream::TemporaryFile(beside) => later.unplaced.push(beside),
            OutputStream::Stdout(_) | OutputStream::InPlace(_) => {}
        }
    }
    drop(signals);
    drop(later);
    failed.map_or(Ok(()), Err)
}

/// Dropped when everything is in place.
#[derive(Default)]
struct PendingDrops {
    folder: Option<NewFolder>,
    placed: Vec<signals::CleanupEntry>,
    #[expect(clippy::vec_box, reason = "as they were")]
    unplaced: Vec<Box<TemporaryFile>>,
}
