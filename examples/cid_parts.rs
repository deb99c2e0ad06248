//! Prints which parts of a message its HTML shows by `cid:` URLs, and which of those URLs lead
//! nowhere (RFC 2392).
//!
//! ```sh
//! cargo run --example cid_parts -- message.eml
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use baseref::{Classes, Policy, ReadError, ReadOptions};
use baseref_reader::links::PartReference;

const MESSAGE: &str = "\
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<img src=cid:logo@example><img src=cid:gone@example>
--b
Content-Type: image/png
Content-ID: <logo@example>

--b--
";

fn main() -> Result<(), ReadError> {
    let options = ReadOptions::default().with_classes(Classes::ALL);
    let documents = match std::env::args().nth(1) {
        Some(path) => baseref::read_path(path, None, &options)?,
        None => baseref::read_bytes("message.eml", MESSAGE, None, &options)?,
    };
    for document in documents {
        let document = document?;
        for link in Policy::default().resolve(&document).links() {
            match link.part {
                PartReference::Part(section) => {
                    let value = link.reference.value;
                    println!("{}: {value} is part {section}", document.origin);
                }
                PartReference::Missing => {
                    let value = link.reference.value;
                    println!("{}: {value} is no part of the message", document.origin);
                }
                PartReference::Nothing => {}
            }
        }
    }
    Ok(())
}
