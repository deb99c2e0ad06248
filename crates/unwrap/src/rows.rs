//! Parses `wrappers.toml`, which uses a subset of TOML: arrays of tables, with strings without escapes, lists
//! of such strings, and `false` as values.

use crate::wrapper::{Coding, Failure, Family, TargetLocation, Wrapper};

/// Parses the wrappers of a file.
pub fn read(text: &'static str) -> Result<Vec<Wrapper>, RowError> {
    let mut rows = Rows {
        rest: text,
        rows: Vec::new(),
    };
    let fault = |rest: &str| {
        let before = &text[..text.len() - rest.len()];
        RowError {
            line: 1 + before.matches('\n').count(),
        }
    };
    while !rows.skip_blank().is_empty() {
        let start = rows.rest;
        rows.next().ok_or_else(|| fault(start))?;
    }
    for row in &mut rows.rows {
        if row.paths.is_empty() {
            row.paths.push("**");
        }
    }
    Ok(rows.rows)
}

/// The line that cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} has an unknown key or value, or another form")]
pub struct RowError {
    pub line: usize,
}

struct Rows {
    rest: &'static str,
    rows: Vec<Wrapper>,
}

enum Value {
    Text(&'static str),
    List(Vec<&'static str>),
    False,
}

impl Rows {
    /// Skips white space and comments; returns what follows.
    fn skip_blank(&mut self) -> &'static str {
        loop {
            self.rest = self.rest.trim_ascii_start();
            let Some(comment) = self.rest.strip_prefix('#') else {
                return self.rest;
            };
            self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// Reads a header, which begins a wrapper, or a key of the last one.
    fn next(&mut self) -> Option<()> {
        if let Some(header) = self.rest.strip_prefix("[[") {
            let (name, rest) = header.split_once("]]\n")?;
            self.rest = rest;
            self.rows.push(Wrapper::new(Family::parse(name)?));
            return Some(());
        }
        let (key, value) = self.rest.split_once('=')?;
        self.rest = value.trim_ascii_start();
        let value = self.value()?;
        set(self.rows.last_mut()?, key.trim_ascii_end(), value)
    }

    fn value(&mut self) -> Option<Value> {
        if let Some(text) = self.text() {
            return Some(Value::Text(text));
        }
        if let Some(rest) = self.rest.strip_prefix("false") {
            self.rest = rest;
            return Some(Value::False);
        }
        self.rest = self.rest.strip_prefix('[')?;
        let mut list = Vec::new();
        loop {
            if let Some(rest) = self.skip_blank().strip_prefix(']') {
                self.rest = rest;
                return Some(Value::List(list));
            }
            list.push(self.text()?);
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
    }

    fn text(&mut self) -> Option<&'static str> {
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest;
        let is_plain = memchr::memchr2(b'\\', b'\n', text.as_bytes()).is_none();
        is_plain.then_some(text)
    }
}

fn set(row: &mut Wrapper, key: &str, value: Value) -> Option<()> {
    match (key, value) {
        ("name", Value::Text(name)) => row.name = name,
        ("hosts", Value::List(hosts)) => row.hosts = hosts,
        ("paths", Value::List(paths)) => row.paths = paths,
        ("needs", Value::List(needs)) => row.needs = needs,
        ("query", Value::Text(query)) => row.query = query,
        ("parameter", Value::List(names)) => row.take = TargetLocation::Parameter(names),
        ("parameter-in-any-case", Value::List(names)) => {
            row.take = TargetLocation::ParameterInAnyCase(names);
        }
        ("between", Value::List(texts)) => {
            let [before, after] = texts[..].try_into().ok()?;
            row.take = TargetLocation::Between(before, after);
        }
        ("query-after", Value::Text(before)) => row.take = TargetLocation::QueryAfter(before),
        ("take", Value::Text("captured")) => row.take = TargetLocation::Captured,
        ("take", Value::Text("captured-and-rest")) => row.take = TargetLocation::CapturedAndRest,
        ("take", Value::Text("query")) => row.take = TargetLocation::Query,
        ("take", Value::Text("url")) => row.take = TargetLocation::Url,
        ("coding", Value::Text(name)) => row.coding = Coding::parse(name)?,
        ("absent", Value::Text(name)) => row.absent = Failure::parse(name)?,
        ("broken", Value::Text(name)) => row.broken = Failure::parse(name)?,
        ("bare-hosts", Value::False) => row.has_bare_hosts = false,
        ("hint", Value::Text(name)) => row.hint = Some(name),
        ("brand", Value::Text(word)) => row.brand = Some(word),
        ("source", Value::Text(source)) => row.source = source,
        ("checked", Value::Text(month)) => row.checked = month,
        ("example", Value::Text(url)) => row.example = url,
        ("target", Value::Text(url)) => row.target = url,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_of_every_kind_of_value() {
        let text = "# A comment\n\n[[security]]\nname = \"a\" # another\nhosts = [\n    \"a.example\", # one\n    \"b.example\",\n]\nbare-hosts = false\ncoding = \"json url\"\n[[mailing]]\nname = \"b\"\npaths = []\n";
        let rows = read(text).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].hosts, ["a.example", "b.example"]);
        assert_eq!(rows[0].paths, ["**"]);
        assert_eq!(rows[0].coding, Coding::Json("url"));
        assert!(!rows[0].has_bare_hosts && rows[1].has_bare_hosts);
        assert_eq!(rows[1].family, Family::Mailing);
    }

    #[test]
    fn fault_is_reported_with_its_line() {
        for (text, line) in [
            ("name = \"a\"\n", 1),
            ("[[security]]\nnmae = \"a\"\n", 2),
            ("[[unknown]]\n", 1),
            ("[[security]]\n\nname = \"a\\u0041\"\n", 3),
            ("[[security]]\nhosts = \"a\"\n", 2),
            ("[[security]]\nhosts = [\"a\n\"]\n", 2),
            ("[[security]]\ncoding = \"rot13\"\n", 2),
            ("[[security]]\nbetween = [\"a\"]\n", 2),
        ] {
            assert_eq!(read(text).unwrap_err(), RowError { line }, "{text}");
        }
    }
}
