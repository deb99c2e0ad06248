//! The results of a check: how findings are counted and grouped, and where they go.

pub(crate) mod difference;
pub(crate) mod group;
pub(crate) mod judged_link;
pub(crate) mod message_summary;
pub(crate) mod sink;
pub(crate) mod summary;
pub(crate) mod triage;
