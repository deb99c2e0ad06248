//! Checks what a move does to every link of a site, and makes the edits that fix it.
//!
//! - `request`: the move to check;
//! - `plan`: the examined request, with the listed trees and the rules;
//! - `old_site`: the folder, the archive or the index with the old pages;
//! - `reading`: the documents of both sides;
//! - `run`: the check itself, which passes the findings on;
//! - `rows`: the rows of the URL map;
//! - `other_files`: old addresses in files that are not documents;
//! - `reported`: what link checkers reported after the launch;
//! - `summary`, `verdict`: whether the site is ready to move, in words.

mod moved_files;
mod old_site;
mod other_files;
mod plan;
mod reading;
mod reported;
mod request;
mod rows;
mod run;
mod summary;
mod unapplied_rules;
mod url_list;
mod verdict;

pub use self::plan::Plan;
pub use self::reading::{FixPage, ReadPage};
pub use self::request::{MoveRequest, split_move};
pub use self::run::{CheckedMove, MoveResults};
