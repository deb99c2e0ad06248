//! The table of wrappers: rules as data, in `wrappers.toml`.

use std::sync::LazyLock;

use crate::rows;
use crate::wrapper::Wrapper;

const TEXT: &str = include_str!("wrappers.toml");

static ROWS: LazyLock<Vec<Wrapper>> =
    LazyLock::new(|| rows::read(TEXT).expect("a table that the tests have read"));

/// Every wrapper that is known without a configuration. The first row that fits a URL counts.
pub fn table() -> impl Iterator<Item = &'static Wrapper> {
    ROWS.iter()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{End, Unwrapper, pattern};

    #[test]
    fn examples_unwrap() {
        let unwrapper = Unwrapper::default();
        for row in table() {
            let (url, target) = (row.example, row.target);
            let chain = unwrapper.unwrap(url);
            let first = chain.steps.first();
            assert_eq!(first.map(|step| step.wrapper), Some(row.name), "{url}");
            let found = first
                .and_then(|step| step.target.as_deref())
                .unwrap_or_default();
            assert_eq!(found, target, "{}", row.name);
            if row.is_opaque() {
                assert_eq!(chain.end, Some(End::Opaque), "{}", row.name);
                assert_eq!(chain.final_url(), url);
            } else {
                assert!(!target.is_empty(), "{}", row.name);
            }
        }
    }

    #[test]
    fn table_is_toml() {
        let file: toml::Table = TEXT.parse().expect("TOML");
        let count = |rows: &toml::Value| rows.as_array().map_or(0, Vec::len);
        assert_eq!(file.values().map(count).sum::<usize>(), table().count());
    }

    #[test]
    fn rows_have_sources_dates_and_plain_names() {
        let mut names = BTreeSet::new();
        for row in table() {
            names.insert(row.name);
            assert!(!row.source.is_empty(), "{}", row.name);
            assert!(
                row.checked.len() == 7 && row.checked.starts_with("20"),
                "{}",
                row.name
            );
            let is_plain =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(row.name.bytes().all(is_plain), "{}", row.name);
        }
        assert!(names.len() > 80);
    }

    /// URLs, without their scheme, whose hosts imitate one or merely contain it.
    fn lookalikes(row: &Wrapper, host: &str) -> Vec<String> {
        // Some services are public suffixes themselves.
        let ends = row.hosts.iter().map(|host| pattern::literal_end(host));
        let mut ends = ends.filter(|end| end.contains('.') && host.ends_with(&format!(".{end}")));
        let own = baseref_hosts::site(host).unwrap_or(host);
        let own = ends.find(|end| own.ends_with(end)).unwrap_or(own);
        let before = host.strip_suffix(own).unwrap_or_default();
        vec![
            format!("{host}.evil.example"),
            format!("{}-evil.example", host.replace('.', "-")),
            format!("{host}evil.example"),
            format!("{before}evil-{own}"),
            format!("{before}evil{own}"),
            format!("{before}{own}.evil"),
            format!("evil.example/{host}"),
            format!("evil.example?{host}"),
            format!("evil.example#{host}"),
            format!("evil.example\\@{host}"),
            format!("{host}@evil.example"),
            format!("{host}:443@evil.example"),
            format!("user:{host}@evil.example"),
        ]
    }

    #[test]
    fn imitating_hosts_are_not_wrappers() {
        let unwrapper = Unwrapper::default();
        let is_of_any = |name| table().any(|row| row.name == name && row.hosts.is_empty());
        // Some run on hosts of their customers, with a fixed beginning.
        let is_own = |row: &&Wrapper| {
            !row.hosts.is_empty() && !row.hosts.iter().any(|host| host.ends_with('*'))
        };
        for row in table().filter(is_own).filter(|row| !is_of_any(row.name)) {
            let url = row.example;
            let host = baseref_resolve::parts::host(url).unwrap();
            for other in lookalikes(row, &host) {
                for slashes in ["//", "/", "", "///", "\\\\"] {
                    let other = url.replacen(&format!("//{host}"), &format!("{slashes}{other}"), 1);
                    let chain = unwrapper.unwrap(&other);
                    let names: Vec<_> = chain.steps.iter().map(|step| step.wrapper).collect();
                    assert!(!names.contains(&row.name), "{other}");
                }
            }
            let with_user = url.replacen("//", "//user:secret@", 1);
            let with_port = url.replacen(&*host, &format!("{host}.:8443"), 1);
            for same in [with_user, with_port, url.replacen("//", "/", 1)] {
                let chain = unwrapper.unwrap(&same);
                let first = chain.steps.first().map(|step| step.wrapper);
                assert_eq!(first, Some(row.name), "{same}");
            }
        }
    }

    #[test]
    fn own_domain_of_a_service_imitates_nothing() {
        let unwrapper = Unwrapper::default();
        for row in table().filter(|row| !row.hosts.is_empty()) {
            let host = baseref_resolve::parts::host(row.example).unwrap();
            let Some(site) = baseref_hosts::site(&host) else {
                continue;
            };
            for url in [
                format!("https://{site}/"),
                format!("https://www.{site}/a?b=c"),
                format!("https://support.{site}/"),
            ] {
                assert_eq!(unwrapper.lookalike(&url), None, "{url}");
            }
        }
    }
}
