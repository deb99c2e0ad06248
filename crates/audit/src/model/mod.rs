//! The data of an audit: what a scan of a document finds, and what a judge reads.
//!
//! Nothing here names a type of the other modules.

pub(crate) mod class;
pub(crate) mod deferred;
pub(crate) mod external;
pub(crate) mod inclusions;
pub(crate) mod look_alike;
pub(crate) mod names_on_disk;
pub(crate) mod need;
pub(crate) mod outcome;
pub(crate) mod package_id;
pub(crate) mod provenance;
pub(crate) mod scan;
pub(crate) mod sent_url;
pub(crate) mod shown;
pub(crate) mod site_file;
pub(crate) mod skeleton;
pub(crate) mod stored_scan;
pub(crate) mod target;
pub(crate) mod texts;
pub(crate) mod url_list;
pub(crate) mod varint;
