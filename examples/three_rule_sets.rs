//! Prints how RFC 1808, RFC 3986 and browsers resolve a reference.
//!
//! ```sh
//! cargo run --example three_rule_sets -- 'http://a/b/c/d;p?q' '../../../g' '?' ';x'
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use baseref::Rules;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let base = arguments.next();
    let base = base.as_deref().unwrap_or("http://a/b/c/d;p?q");
    let mut references: Vec<String> = arguments.collect();
    if references.is_empty() {
        references = ["../../../g", "?", ";x", "http:g"]
            .map(str::to_owned)
            .into();
    }
    for reference in references {
        println!("{reference}");
        for rules in Rules::ALL {
            match baseref::resolve(rules, Some(base), &reference) {
                Ok(url) => println!("  {:8} {url}", rules.as_str()),
                Err(reason) => println!("  {:8} none: {reason}", rules.as_str()),
            }
        }
    }
}
