//! The sources of pages according to the user.

use regex::Regex;

use crate::error::SettingsError;

/// A rule of `--source-map`: the documents that match an expression, and their sources.
#[derive(Clone, Debug)]
pub struct SourceMap {
    documents: Regex,
    /// The source, with `${1}` for the groups of the expression.
    template: String,
}

impl SourceMap {
    /// Parses `REGEX=TEMPLATE`, in which `$1` stands for the first group of the expression.
    ///
    /// # Errors
    /// If it has another form, or the expression is invalid.
    pub fn new(argument: &str) -> Result<Self, SettingsError> {
        let parts = argument.rsplit_once('=');
        let (regex, template) = parts
            .filter(|(regex, template)| !regex.is_empty() && !template.is_empty())
            .ok_or_else(|| SettingsError::SourceMapArgument(argument.to_owned()))?;
        let documents = Regex::new(regex).map_err(|source| SettingsError::SourceMapRegex {
            argument: argument.to_owned(),
            source,
        })?;
        let groups = documents.captures_len();
        let template = braced(template);
        let last = groups_of(&template).max().unwrap_or_default();
        if last >= groups {
            return Err(SettingsError::SourceMapGroup {
                argument: argument.to_owned(),
                group: last,
                groups: groups - 1,
            });
        }
        Ok(Self {
            documents,
            template,
        })
    }

    /// The source of a document.
    pub(super) fn source_of(&self, doc: &str) -> Option<String> {
        let groups = self.documents.captures(doc)?;
        let mut source = String::new();
        groups.expand(&self.template, &mut source);
        Some(source)
    }
}

/// A template in which `$1a` means the first group followed by an `a`. The syntax of the `regex`
/// crate would read it as a group named `1a`.
fn braced(template: &str) -> String {
    let mut out = String::with_capacity(template.len() + 4);
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            out.push('$');
            continue;
        }
        out.push_str("${");
        out.push_str(&rest[..digits]);
        out.push('}');
        rest = &rest[digits..];
    }
    out.push_str(rest);
    out
}

fn groups_of(template: &str) -> impl Iterator<Item = usize> {
    let groups = template.split("${").skip(1);
    groups.filter_map(|rest| rest.split_once('}')?.0.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_contains_the_groups_of_its_document() {
        for (argument, doc, expected) in [
            (
                r"public/(.*)\.html=content/$1.md",
                "site/public/a/b.html",
                Some("content/a/b.md"),
            ),
            (
                r"(\w+)/(\w+)\.html$=$2_$1x.rst",
                "a/b.html",
                Some("b_ax.rst"),
            ),
            (r"^public/(.*)\.html=content/$1.md", "x/public/a.html", None),
            (r"a?b=c=$0", "b=c", Some("b=c")),
        ] {
            let map = SourceMap::new(argument).expect(argument);
            assert_eq!(map.source_of(doc).as_deref(), expected, "{argument}");
        }
    }

    #[test]
    fn malformed_rule_is_an_error() {
        for (argument, said) in [
            ("a", "write it"),
            ("=b", "write it"),
            ("a=", "write it"),
            ("a(=b", "unclosed group"),
            (
                "a(.*)=$2",
                "the template has $2, and the expression 1 groups",
            ),
        ] {
            let error = SourceMap::new(argument).expect_err("the argument is invalid");
            let reason = error.to_string();
            assert!(reason.contains(said), "{reason}");
        }
    }
}
