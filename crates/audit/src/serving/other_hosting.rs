//! The other ways to serve a site, if the user did not choose one.

use baseref_site::hosting::Hosting;

/// The other ways to serve a site.
#[derive(Debug, Default)]
pub(crate) struct OtherHostings {
    /// Hostings that answer alike are one.
    pub(crate) all: Vec<OtherHosting>,
}

/// A hosting, and others that answer like it.
#[derive(Debug)]
pub(crate) struct OtherHosting {
    pub(crate) hosting: Hosting,
    /// The presets, each with the files that the sites have because of it.
    pub(crate) presets: Vec<(&'static str, Vec<&'static str>)>,
}

impl OtherHosting {
    /// The preset that most files of the sites speak for, the first of several, and these files.
    pub(crate) fn preset(&self) -> Option<&(&'static str, Vec<&'static str>)> {
        // The last of several maxima is returned.
        self.presets
            .iter()
            .rev()
            .max_by_key(|(_, marks)| marks.len())
    }
}
