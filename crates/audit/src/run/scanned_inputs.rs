//! Collects the scans of the threads of a run, in input order.

use baseref_document::{ReadError, Skipped};
use baseref_evidence::captures::Builder;
use baseref_run::Piece;

use crate::{Audit, StoredScan};

/// The scans of some inputs.
#[derive(Default)]
pub(super) struct ScannedInputs {
    /// Documents, and errors in place of those that could not be read.
    // Errors are boxed because they are rare.
    pub(super) scans: Vec<Result<StoredScan, Box<ReadError>>>,
    pub(super) captures: Builder,
    /// The parts of messages that are not read.
    pub(super) skipped: Skipped,
}

pub(super) fn scan(audit: &Audit, piece: Piece, scanned: &mut ScannedInputs) {
    match piece {
        Piece::Entity(entity) => {
            let ScannedInputs {
                scans,
                captures,
                skipped,
            } = scanned;
            let found = audit.scan(entity, captures, skipped);
            scans.extend(found.into_iter().map(|scan| scan.map_err(Box::new)));
        }
        Piece::Unread(error) => scanned.scans.push(Err(Box::new(error))),
        // Skipped inputs have no links.
        Piece::Skipped(_) => {}
    }
}

/// Adds the results for later inputs.
pub(super) fn merge(all: &mut ScannedInputs, mut more: ScannedInputs) {
    all.skipped.add(&more.skipped);
    let before = all.captures.merge(more.captures);
    for scan in more.scans.iter_mut().flatten() {
        scan.follow(before);
    }
    all.scans.append(&mut more.scans);
}
