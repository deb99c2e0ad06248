//! Prints the base of every document in a mailbox, and how it was found: each declaration and
//! whether it was taken.
//!
//! ```sh
//! cargo run --example bases_of_mailbox -- fixtures/example/newsletter.eml
//! ```

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it finds"
)]

use baseref::{Classes, Policy, ReadError, ReadOptions};

fn main() -> Result<(), ReadError> {
    let path = std::env::args().nth(1);
    let path = path.as_deref().unwrap_or("fixtures/example/newsletter.eml");
    // Read no links, only bases.
    let options = ReadOptions::default().with_classes(Classes::default());
    for document in baseref::read_path(path, None, &options)? {
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        let resolved = Policy::default().resolve(&document);
        let base = resolved.base();
        println!(
            "{}: {}",
            document.origin,
            base.url.as_deref().unwrap_or("no base")
        );
        for links in resolved.documents() {
            for candidate in &links.base_report().candidates {
                let (source, verdict) = (candidate.source.as_str(), candidate.verdict.as_str());
                println!("  {source} says {:?}: {verdict}", candidate.value);
            }
        }
    }
    Ok(())
}
