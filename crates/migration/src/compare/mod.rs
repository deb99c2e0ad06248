//! Compares a site with its rebuilt successor.
//!
//! - `two_trees`: what is lost between them;
//! - `page`: a page of either tree;
//! - [`successors`]: the new pages that lost ones may have become;
//! - [`fingerprint`]: names that builds make from the contents of files;
//! - [`interner`]: strings that many links share;
//! - `headings`, `page_metadata`: what is compared apart from links;
//! - `proposed`: the proposed successor of a lost page.

pub mod fingerprint;
mod headings;
pub mod interner;
mod page;
mod page_metadata;
mod proposed;
pub mod successors;
mod two_trees;

pub use self::page::{ComparedPage, PageReader, Reopen};
pub use self::proposed::ProposedPage;
pub use self::two_trees::{SiteComparison, compare_trees};
