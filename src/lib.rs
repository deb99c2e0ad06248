//! Works out the base URL of saved HTML and mail (RFC 1808 §3), and resolves every link against it.
//!
//! A link such as `../x` means nothing without the base of its document. A `<base>` element, the
//! headers of the message around a page, the record of a web archive and a URL that the user knows can
//! each declare one. This library reads the documents, decides which declaration counts, says
//! why the others do not, and gives every link as an absolute URL. It never fetches anything.
//!
//! # Setup
//!
//! ```toml
//! [dependencies]
//! baseref = { version = "0.1", default-features = false, features = ["html", "mail"] }
//! ```
//!
//! # Example
//!
//! ```no_run
//! use baseref::{Policy, ReadOptions};
//!
//! for document in baseref::read_path("box.mbox", None, &ReadOptions::default())? {
//!     match document {
//!         Ok(document) => {
//!             for link in Policy::default().resolve(&document).links() {
//!                 match link.url {
//!                     Ok(url) => println!("{url}"),
//!                     Err(reason) => println!("{}: {reason}", link.reference.value),
//!                 }
//!             }
//!         }
//!         // A part of the input cannot be read; the iterator continues after it.
//!         Err(error) => eprintln!("{error}"),
//!     }
//! }
//! # Ok::<(), baseref::ReadError>(())
//! ```
//!
//! There are three steps:
//!
//! 1. **Read.** [`read_path`], [`read_from`] and [`read_bytes`] find the format and yield
//!    [`Document`]s one by one; what cannot be read is an `Err` in its place, and the rest goes on.
//!    [`read_html`] reads one page and cannot fail. [`ReadOptions`] says which links are wanted, and
//!    within which [`Limits`].
//! 2. **Resolve.** [`Policy::resolve`] establishes the [`Base`] of a document by the chosen
//!    [`Rules`].
//! 3. **Use.** [`Resolved::links`] gives every link with its URL, or the reason why it has none
//!    ([`ResolveError`]).
//!
//! Lines and columns are 1-based, columns in Unicode scalar values, byte offsets and sizes in bytes;
//! see [`Position`]. The same input gives the same output, in document order.
//!
//! # Cookbook
//!
//! **Every link, not only the ones people click:** choose [`Classes`].
//!
//! ```
//! use baseref::{Classes, Policy, ReadOptions};
//!
//! let page = b"<base href=http://a/b/><img src=c.png>";
//! let options = ReadOptions::default().with_classes(Classes::ALL);
//! let document = baseref::read_html(page, None, &options);
//! let resolved = Policy::default().resolve(&document);
//! let urls: Vec<_> = resolved.links().filter_map(|link| link.url.ok()).collect();
//! assert_eq!(urls, ["http://a/b/", "http://a/b/c.png"]);
//! ```
//!
//! **Your own filter:** each link has its position in the document ([`Reference`]) and its row in the
//! table of link places ([`LinkPlace`](link_places::LinkPlace)).
//!
//! ```
//! use baseref::link_places::Fetched;
//! use baseref::{Classes, Policy, ReadOptions};
//!
//! let page = b"<a href=http://a/>1</a><img src=http://b/i.png><script src=//c/s.js></script>";
//! let options = ReadOptions::default().with_classes(Classes::IN_HTML);
//! let document = baseref::read_html(page, Some("https://a/page.html"), &options);
//! let resolved = Policy::default().resolve(&document);
//! // Mixed content: resources that a browser would fetch over http for an https page.
//! let mixed: Vec<_> = resolved
//!     .links()
//!     .filter(|link| link.reference.slot.fetched != Fetched::No)
//!     .filter_map(|link| link.url.ok())
//!     .filter(|url| url.starts_with("http:"))
//!     .collect();
//! assert_eq!(mixed, ["http://b/i.png"]);
//! ```
//!
//! **A mailbox:** each message yields a document for each of its texts. [`Document::origin`] names the
//! part (`box.mbox#2/1` is part 1 of the second message), and so does the error in place of a damaged
//! part.
//!
//! ```
//! use baseref::{Policy, ReadOptions};
//!
//! let mailbox = "From a@b Fri Jan 27 10:00:00 2017\n\
//!     Content-Type: text/html\nContent-Base: http://a/1/\n\n<a href=x>one</a>\n\n\
//!     From a@b Fri Jan 27 10:00:01 2017\n\
//!     Content-Type: text/html\n\n<a href=http://b/>two</a> <a href=y>three</a>\n";
//! let mut lines = Vec::new();
//! for document in baseref::read_bytes("box.mbox", mailbox, None, &ReadOptions::default())? {
//!     match document {
//!         Ok(document) => {
//!             for link in Policy::default().resolve(&document).links() {
//!                 let url = link.url.unwrap_or_else(|reason| reason.as_str().to_owned());
//!                 lines.push(format!("{} {url}", document.origin));
//!             }
//!         }
//!         Err(error) => lines.push(error.to_string()),
//!     }
//! }
//! assert_eq!(lines, ["box.mbox#1/1 http://a/1/x", "box.mbox#2/1 http://b/", "box.mbox#2/1 no-base"]);
//! # Ok::<(), baseref::ReadError>(())
//! ```
//!
//! **A known URL:** pass the URL that the input was retrieved from. Bases in the document and in the
//! headers around it come before it (RFC 1808 §3).
//!
//! ```
//! use baseref::{BaseSource, Policy, ReadOptions};
//!
//! let page = br#"<a href="../x">up</a>"#;
//! let document = baseref::read_html(page, Some("http://a/b/c"), &ReadOptions::default());
//! let resolved = Policy::default().resolve(&document);
//! assert_eq!(resolved.base().url.as_deref(), Some("http://a/b/c"));
//! assert_eq!(resolved.base().source, BaseSource::Retrieval);
//! assert_eq!(resolved.links().next().and_then(|link| link.url.ok()).as_deref(), Some("http://a/x"));
//! ```
//!
//! **A graph of links:** `examples/link_graph.rs` draws the graph of a folder.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use baseref::{Policy, ReadOptions};
//!
//! let pages = [
//!     ("http://a/index.html", "<a href=1.html>one</a> <a href=http://b/>elsewhere</a>"),
//!     ("http://a/1.html", "<base href=/><a href=index.html#top>back</a>"),
//! ];
//! let mut edges = BTreeSet::new();
//! for (from, page) in pages {
//!     let document = baseref::read_html(page.as_bytes(), Some(from), &ReadOptions::default());
//!     for link in Policy::default().resolve(&document).links() {
//!         let Ok(url) = link.url else { continue };
//!         let to = url.split('#').next().unwrap_or_default();
//!         if let Some((to, _)) = pages.iter().find(|(page, _)| *page == to) {
//!             edges.insert((from, *to));
//!         }
//!     }
//! }
//! let both = [("http://a/1.html", "http://a/index.html"), ("http://a/index.html", "http://a/1.html")];
//! assert!(edges.iter().eq(&both));
//! ```
//!
//! **Only bases, and why:** ask for no class of links. The [`BaseReport`](bases::BaseReport) of each
//! document lists every declaration with its [`Verdict`](bases::Verdict).
//!
//! ```
//! use baseref::{BaseSource, Classes, Policy, ReadOptions};
//!
//! let mail = b"Content-Base: http://a/b/\nContent-Type: text/html\n\n<base href=http://c/><a href=d>";
//! let options = ReadOptions::default().with_classes(Classes::default());
//! for document in baseref::read_bytes("mail.eml", *mail, None, &options)? {
//!     let document = document?;
//!     let resolved = Policy::default().resolve(&document);
//!     assert_eq!(resolved.base().source, BaseSource::Element);
//!     assert_eq!(resolved.links().count(), 0);
//!     let first = resolved.documents().next().expect("the page is the first document");
//!     let verdicts = first.base_report().candidates.iter();
//!     let verdicts: Vec<&str> = verdicts.map(|candidate| candidate.verdict.as_str()).collect();
//!     assert_eq!(verdicts, ["taken", "inner-taken"]);
//! }
//! # Ok::<(), baseref::ReadError>(())
//! ```
//!
//! **Your own sink, without an allocation per link:** [`Resolved::for_each_link`] lends each URL until
//! the next.
//!
//! ```
//! use std::io::Write;
//!
//! use baseref::{Policy, ReadOptions};
//!
//! let page = b"<base href=http://a/><a href=1>1</a><a href=2>2</a>";
//! let document = baseref::read_html(page, None, &ReadOptions::default());
//! let mut sink = Vec::new();
//! let mut written = Ok(());
//! Policy::default().resolve(&document).for_each_link(|document, link| {
//!     if let (Ok(url), Ok(())) = (link.url, &written) {
//!         written = writeln!(sink, "{}\t{url}", document.origin);
//!     }
//! });
//! written?;
//! assert_eq!(sink, b"-\thttp://a/1\n-\thttp://a/2\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! **As browsers resolve:** `Policy::default().with_rules(Rules::Whatwg)`.
//!
//! **One reference,** without a document: [`resolve()`], or a [`Resolver`] for many.
//!
//! ```
//! use baseref::Rules;
//!
//! let url = baseref::resolve(Rules::Rfc1808, Some("http://a/b/c/d"), "../g");
//! assert_eq!(url.as_deref(), Ok("http://a/b/g"));
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the program `baseref`, and all that it reads; the library does not need it |
//! | `html` | HTML, XHTML, SVG, style sheets, feeds and sitemaps; compressed with gzip, too |
//! | `mail` | messages, mailboxes, maildirs and MHTML |
//! | `warc` | WARC, ARC, HTTP responses and HAR |
//! | `archives` | zip, EPUB, MAFF, Safari's web archives, Outlook's messages and stores, files attached to messages, brotli and Zstandard |
//! | `whatwg` | [`Rules::Whatwg`]: how browsers resolve |
//! | `serde` | `Serialize` and `Deserialize`, with the field names of JSON Lines; `LinkRecord` |
//! | `url` | `ResolvedLink::to_url`: links as URLs of the crate `url` |
//! | `rcdom` | the module `rcdom`: base and links of a tree that html5ever has built |
//! | `arrow` | `-f arrow` of the program |
//!
//! With `default-features = false` and no other feature there is the resolver alone: [`resolve()`] and
//! [`Resolver`]. Reading a format whose feature is off fails with [`ReadErrorKind::NotBuiltIn`], and
//! [`ReadError::cause`] names the feature.
//!
//! # What it does not do
//!
//! It fetches nothing, runs no scripts and checks no server, so it does not see links that a script
//! would insert. It does not change documents.
//!
//! # The crates behind these names
//!
//! `baseref-container` turns inputs into entities, `baseref-reader` turns entities into documents,
//! chooses the base and resolves a document's links with `baseref-resolve`. Checks of whole trees are
//! `baseref-audit` and `baseref-migration`, output forms `baseref-report`. `ARCHITECTURE.md` has the
//! whole map.

#[cfg(feature = "html")]
#[doc(inline)]
pub use baseref_document::link_places::{Class, Classes};
#[cfg(feature = "html")]
#[doc(inline)]
pub use baseref_document::{
    Context, Document, Feature, Interruption, LimitReached, Limits, Metadata, Note, NoteCode,
    Origin, Position, ReadError, ReadErrorCause, ReadErrorKind, ReadOptions, Reading, Reference,
    References, ReferencesIter, Section, UnknownName, Work,
};
#[cfg(feature = "rcdom")]
#[doc(inline)]
pub use baseref_html::rcdom;
#[cfg(feature = "serde")]
#[doc(inline)]
pub use baseref_reader::links::LinkRecord;
#[cfg(feature = "url")]
#[doc(inline)]
pub use baseref_reader::links::ToUrlError;
#[cfg(feature = "html")]
#[doc(inline)]
pub use baseref_reader::links::{DocumentLinks, Link, LinkResolver, PartReference};
#[cfg(feature = "html")]
#[doc(inline)]
pub use baseref_reader::{
    Base, BaseSource, Documents, Policy, Resolved, ResolvedLink, read_bytes, read_from, read_html,
    read_path,
};
#[doc(inline)]
pub use baseref_resolve::{ResolveError, Resolver, Rules, UnknownRules, resolve};
/// The crate whose `Encoding` is in the interface of this one.
pub use encoding_rs;

/// The program, for the executable and the command of the Python package. It is not part of the
/// library's interface.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::run as run_program;

#[cfg(feature = "cli")]
mod cli;

/// How a base was found: every declaration with its position and the verdict on it.
#[cfg(feature = "html")]
pub mod bases {
    #[doc(inline)]
    pub use baseref_document::{BaseField, Declaration, Mark, MarkPlace, Place, Retrieval};
    #[doc(inline)]
    pub use baseref_reader::base::field::Rejection;
    #[doc(inline)]
    pub use baseref_reader::base::{BaseFact, BaseNote, BaseReport, Candidate, Verdict};
}

/// The message around a document: its fields, and its parts by the names that links use for them.
#[cfg(feature = "html")]
pub mod mail {
    #[doc(inline)]
    pub use baseref_document::{MessageFields, Part, PartKind, PartOf};
}

/// The contents of a page besides links and bases.
#[cfg(feature = "html")]
pub mod page {
    #[doc(inline)]
    pub use baseref_document::{
        Codebase, DocumentKind, EmbeddedDocument, Fallback, Identifiers, InertBase, Naming,
        RepeatedIdentifier, XmlBase,
    };
}

/// The table of places where a URL may occur: elements and attributes, header fields, plain text.
///
/// ```
/// use baseref::link_places::{Grammar, LINK_PLACES};
///
/// let lists = LINK_PLACES.iter().filter(|slot| slot.grammar == Grammar::Srcset);
/// let lists: Vec<_> = lists.map(|slot| (slot.element, slot.attr)).collect();
/// assert!(lists.contains(&("img", "srcset")) && lists.contains(&("link", "imagesrcset")));
/// ```
#[cfg(feature = "html")]
pub mod link_places {
    #[doc(inline)]
    pub use baseref_document::link_places::{
        CONTENT, Condition, Fetched, Grammar, LINK_PLACES, LinkPlace, Namespace, RelativeTo,
    };
}

/// Makes the README's examples doctests.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
struct Readme;
