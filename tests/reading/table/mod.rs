//! Reads the tables in `fixtures/resolve/`.

use std::path::Path;

/// The rows of a table, without comments, with escapes replaced. `package` is the folder of this
/// package.
pub fn rows(package: &Path, file: &str) -> Vec<Vec<String>> {
    let path = package.join("fixtures/resolve").join(file);
    let table =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    table
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.split('\t').map(unescape).collect())
        .collect()
}

fn unescape(field: &str) -> String {
    let mut text = String::new();
    let mut rest = field;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let (c, after) = match escape.split_at(1) {
            ("t", after) => ('\t', after),
            ("n", after) => ('\n', after),
            ("\\", after) => ('\\', after),
            ("u", after) => code_point(after).expect("an escape is like \\u{20}"),
            _ => panic!("unknown escape in {field:?}"),
        };
        text.push(c);
        rest = after;
    }
    text + rest
}

/// The character in braces that `text` starts with, and what follows it.
fn code_point(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix('{')?.split_once('}')?;
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((c, after))
}
