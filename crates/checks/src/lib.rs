//! The redirect rules of an audit, until the crate `baseref-server` has them.

mod redirects;

pub use redirects::read_redirects;
