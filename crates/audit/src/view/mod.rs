//! The views that rules have of a page and of a link.

pub(crate) mod link;
pub(crate) mod page;
pub(crate) mod page_date;
