//! baseref in a browser: what a worker of the page calls.
//!
//! A [`request::Request`] names the files that the user chose and what to do with them. They are read in
//! pieces through [`files::Pieces`], so that memory does not grow with them, and results go piece by piece
//! to an [`Answer`]. The rows equal the output of the command line byte for byte, since the same crates
//! write them.
//!
//! Only `door` knows that there is JavaScript: the rest is tested like any other crate.
//!
//! # What it does not do
//!
//! It shows nothing: the page is in `page/`. It has no clock, opens no file by itself and sends
//! nothing anywhere.

mod answer;
mod documents;
#[cfg(target_family = "wasm")]
mod door;
pub mod files;
pub mod opened;
mod report;
pub mod request;
mod trouble;

use std::sync::Arc;

pub use crate::answer::Answer;
use crate::files::{Chosen, Pieces};
pub use crate::report::RequestError;
use crate::request::{Request, RequestKind};

/// Carries out a request.
///
/// # Errors
/// If the request cannot be carried out at all.
pub fn run(
    request: &Request,
    pieces: Arc<dyn Pieces>,
    answer: &mut dyn Answer,
) -> Result<(), RequestError> {
    let chosen = Arc::new(Chosen::new(&request.files, pieces));
    let files = baseref_files::Files::from_store(chosen);
    match request.want {
        RequestKind::Links | RequestKind::Bases => {
            documents::run(request, &files, answer);
            Ok(())
        }
        RequestKind::Audit => report::run(request, &files, answer),
    }
}
