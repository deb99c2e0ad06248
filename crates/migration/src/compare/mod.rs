//! Compares a site with its rebuilt successor.
//!
//! - `two_trees`: what is lost between them;
//! - `comparer`: where links and addresses of both sites lead;
//! - `lost_links`, `pairs`, `proposals`: lost links, changed links, and what lost pages have become;
//! - `page`: a page of either tree;
//! - [`successors`]: the new pages that lost ones may have become;
//! - [`fingerprint`]: names that builds make from the contents of files;
//! - [`interner`]: strings that many links share;
//! - `headings`, `page_metadata`: what is compared apart from links;
//! - `proposed`: the proposed successor of a lost page.

mod comparer;
pub mod fingerprint;
mod headings;
pub mod interner;
mod lost_links;
mod page;
mod page_metadata;
mod pairs;
mod proposals;
mod proposed;
pub mod successors;
mod two_trees;

pub use self::page::{ComparedPage, PageReader, Reopen};
pub use self::proposed::{Evidence, ProposedPage};
pub use self::two_trees::{SiteComparison, compare_trees};
