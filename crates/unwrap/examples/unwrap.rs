//! Unwraps the URLs on standard input, one a line: `cargo run --example unwrap < urls.txt`.

use std::io::{self, BufRead, Write};

use baseref_unwrap::Unwrapper;

fn main() -> io::Result<()> {
    let unwrapper = Unwrapper::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let found = unwrapper.unwrap(&line);
        let names: Vec<_> = { found.steps.iter() }.map(|step| step.wrapper).collect();
        let end = found.end.map_or("", |end| end.as_str());
        let lookalike = unwrapper.lookalike(&line).unwrap_or_default();
        let target = found.final_url();
        writeln!(out, "{target}\t{}\t{end}\t{lookalike}", names.join(" > "))?;
    }
    Ok(())
}
