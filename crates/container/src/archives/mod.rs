//! Archives of exchanges with servers, and what is in them.

pub(crate) mod arc;
pub(crate) mod capture;
pub(crate) mod digest;
pub(crate) mod har;
pub(crate) mod har_bodies;
pub mod http;
pub(crate) mod page_list;
pub(crate) mod records;
pub(crate) mod response_file;
#[cfg(feature = "archives")]
pub(crate) mod tar;
pub(crate) mod wacz_list;
pub(crate) mod warc;
#[cfg(feature = "archives")]
pub(crate) mod webarchive;
