//! What rules see: one page, or one of its links.

pub(crate) mod link;
pub(crate) mod page;
pub(crate) mod page_date;
