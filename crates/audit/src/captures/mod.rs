//! Captured pages: what a crawl was meant to capture, and what it missed.

pub(crate) mod completeness;
pub(crate) mod crawl;
pub(crate) mod excuse;
pub(crate) mod missing;
pub(crate) mod recent_verdicts;
pub(crate) mod requisites;
pub(crate) mod verdict;
