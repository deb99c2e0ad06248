//! Which package a document or file belongs to.

use crate::model::site_file::SiteFile;

/// The index of a package in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PackageId(pub(crate) u32);

/// A file of a site, or of the site that is a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackageFile {
    /// `None` for the sites of the run itself.
    pub(crate) package: Option<PackageId>,
    pub(crate) file: SiteFile,
}
