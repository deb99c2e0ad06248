//! No rule, move or source mark has the bytes of a page read a second time for what the first reading
//! could have collected.

use std::collections::BTreeMap;

use crate::privileges::lines_of_code;

/// A file above `reader` that has bytes read as pages.
struct Readings {
    file: &'static str,
    /// How many of its lines do it.
    lines: usize,
}

/// The only reading of most documents.
const FIRST: &[Readings] = &[
    Readings {
        file: "crates/audit/src/cache/shared_documents.rs",
        lines: 1,
    },
    Readings {
        file: "crates/migration/src/page/mod.rs",
        lines: 1,
    },
    // Pages of an old site that was rebuilt, which are compared and not edited.
    Readings {
        file: "crates/migration/src/verify_move/reading.rs",
        lines: 1,
    },
    // The entry by which moves and redirects read.
    Readings {
        file: "crates/rewrite/src/links.rs",
        lines: 1,
    },
    // Redirects that are pages, given as bytes.
    Readings {
        file: "crates/server/src/follow/stubs.rs",
        lines: 1,
    },
];

/// Readings of a few more pages. The code there says in `Departs:` why they are few.
const LATER: &[Readings] = &[
    // The first pages of a site, before its address is known.
    Readings {
        file: "crates/audit/src/run/own_addresses.rs",
        lines: 1,
    },
    // Pages that are no documents of the audit, and pages that lack an id or have a text fragment.
    Readings {
        file: "crates/audit/src/context/audit_context.rs",
        lines: 2,
    },
    // Pages with findings that are shown.
    Readings {
        file: "crates/findings/src/sources/mod.rs",
        lines: 1,
    },
    // Lost pages, pages that may replace them, and pages that lost the names of headings.
    Readings {
        file: "crates/migration/src/compare/page.rs",
        lines: 1,
    },
    // An edited page, before it replaces the one that was read.
    Readings {
        file: "crates/rewrite/src/rewriting.rs",
        lines: 2,
    },
];

/// The functions of `reader`, and that of `rewrite`, that read bytes as pages.
const FUNCTIONS: &[&str] = &[
    "documents(&bytes",
    "documents(entity",
    "documents_in(",
    "read_html(",
    "read_outline(",
    "read_recorded_sources(",
    "read_shown_text(",
];

/// The crates that get pages from `reader`, and the commands, which have one pass each.
const ABOVE: &[&str] = &[
    "crates/audit/",
    "crates/findings/",
    "crates/migration/",
    "crates/report/",
    "crates/rewrite/",
    "crates/server/",
    "crates/site/",
    "crates/walk/",
];

#[test]
fn pages_are_read_once() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (file, line) in lines_of_code() {
        let is_above = ABOVE.iter().any(|crate_| file.starts_with(crate_));
        if is_above && FUNCTIONS.iter().any(|function| line.contains(function)) {
            *found.entry(file).or_default() += 1;
        }
    }
    let known = FIRST.iter().chain(LATER);
    let known: BTreeMap<_, _> = known.map(|one| (one.file.to_owned(), one.lines)).collect();
    assert_eq!(
        found, known,
        "what an element says comes from the first reading, by `ReadOptions`"
    );
}
