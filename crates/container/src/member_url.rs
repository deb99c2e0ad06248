//! The URLs of the files in a container that has a URL itself.

use std::path::Path;

use baseref_document::{Declaration, Place, Retrieval};
use baseref_resolve::segment::push_segment;

/// A declaration about a container as one about the file at `path` in it: if it gives the container
/// itself a URL, that of the file is below.
pub(crate) fn declared_below(declared: &Declaration, container: &str, path: &str) -> Declaration {
    if !is_of_container(declared, container) {
        return declared.clone();
    }
    let mut url = declared.value.trim_end_matches('/').to_owned();
    for name in path.split('/') {
        url.push('/');
        push_segment(name.as_bytes(), &mut url);
    }
    Declaration::new(url, declared.at.clone())
}

/// Whether the user gave the container itself a URL, rather than a directory that it is in.
pub(crate) fn is_of_container(declared: &Declaration, container: &str) -> bool {
    let Place::Retrieval(Retrieval::UrlMap(mapped)) = &declared.at else {
        return false;
    };
    Path::new(&**mapped).file_name() == Path::new(container).file_name()
}
