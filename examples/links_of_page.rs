//! Prints every link of a page (or message, mailbox, web archive), resolved, one per line.
//!
//! ```sh
//! cargo run --example links_of_page -- fixtures/example/page.html
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use baseref::{Classes, Policy, ReadError, ReadOptions};

fn main() -> Result<(), ReadError> {
    let path = std::env::args().nth(1);
    let path = path.as_deref().unwrap_or("fixtures/example/page.html");
    let options = ReadOptions::default().with_classes(Classes::ALL);
    for document in baseref::read_path(path, None, &options)? {
        for link in Policy::default().resolve(&document?).links() {
            let place = format!("{} {}", link.reference.element, link.reference.attr);
            match link.url {
                Ok(url) => println!("{place}: {url}"),
                Err(reason) => println!("{place}: {:?} has no URL: {reason}", link.reference.value),
            }
        }
    }
    Ok(())
}
