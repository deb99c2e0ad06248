//! The rule `doc/unreadable`.

use std::io;

baseref_findings::rule! {
    "doc/unreadable" Error "baseref, exit code 3"
    "document that could not be read to the end"
    "Its links are not checked, and it does not count as clean."
    "baseref audit ." {
        "page.xhtml": "<!DOCTYPE html [<!ENTITY nav SYSTEM \"nav.html\">]>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\"><body>&nav;</body></html>",
    }

    enum Unreadable<'m> {
        Document { reason: &'m str } => "{reason}",
        Listing { error: &'m io::Error } => "{error}",
        StoredLinks { error: &'m io::Error } =>
            "its links could not be read back from a temporary file: {error}",
        StoredIds { error: &'m io::Error } =>
            "the ids of linked pages could not be read back from a temporary file: {error}",
    }
}
