//! What search engines read in the head of a page: its title, canonical URL, robots directive and
//! alternates in other languages.

use std::collections::BTreeMap;

use crate::decode::encoding;

/// How many bytes of a page are examined: no head is longer.
const HEAD: usize = 256 * 1024;

/// The facts of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// White space collapsed, character references as written.
    pub title: Option<String>,
    /// As written.
    pub canonical: Option<String>,
    /// Whether a robots directive says `noindex` or `none`.
    pub is_hidden: bool,
    /// The URLs by language, as written.
    pub languages: BTreeMap<String, String>,
}

/// Reads the facts from the bytes of a page.
#[must_use]
pub fn read(bytes: &[u8], encoding: &str) -> Facts {
    let encoding = encoding::named(encoding);
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let text = encoding.decode(head).0;
    let mut facts = Facts::default();
    let mut rest: &str = &text;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let name = rest[..name_end.unwrap_or(rest.len())].to_ascii_lowercase();
        let is_of_interest = matches!(name.as_str(), "meta" | "link");
        let (attributes, after) = attributes(&rest[name.len()..], is_of_interest);
        match name.as_str() {
            "title" if facts.title.is_none() => {
                let end = find_ignoring_case(after, "</title").unwrap_or(after.len());
                let words: Vec<&str> = after[..end].split_whitespace().collect();
                facts.title = Some(words.join(" "));
                rest = &after[end..];
                continue;
            }
            "script" | "style" | "textarea" | "noscript" | "template" => {
                let close = format!("</{name}");
                let end = find_ignoring_case(after, &close).unwrap_or(after.len());
                rest = &after[end..];
                continue;
            }
            "body" => break,
            "meta" => facts.meta(&attributes),
            "link" => facts.link(&attributes),
            _ => {}
        }
        if !name.is_empty() {
            rest = after;
        }
    }
    facts
}

impl Facts {
    fn meta(&mut self, attributes: &BTreeMap<String, String>) {
        let get = |name: &str| attributes.get(name).map_or("", String::as_str);
        if get("name").eq_ignore_ascii_case("robots") {
            let mut words = get("content").split([',', ' ']);
            self.is_hidden |= words.any(|word| {
                word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none")
            });
        }
    }

    fn link(&mut self, attributes: &BTreeMap<String, String>) {
        let get = |name: &str| attributes.get(name).map_or("", String::as_str);
        let rel = get("rel").to_ascii_lowercase();
        let has = |word: &str| rel.split_ascii_whitespace().any(|one| one == word);
        let href = get("href").trim().to_owned();
        if has("canonical") {
            self.canonical.get_or_insert(href);
        } else if has("alternate") && !get("hreflang").is_empty() {
            let language = get("hreflang").to_ascii_lowercase();
            self.languages.entry(language).or_insert(href);
        }
    }
}

/// The attributes of a tag, from after its name, or none if they are not `wanted`, and the rest
/// after the tag.
fn attributes(tag: &str, wanted: bool) -> (BTreeMap<String, String>, &str) {
    let mut found = BTreeMap::new();
    let mut rest = tag;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return (found, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (found, after);
        }
        let ends_name = |c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/');
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = rest[first..]
            .find(ends_name)
            .map_or(rest.len(), |at| at + first);
        let name = &rest[..end];
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
            let (text, next) = if let Some(quote) = quote {
                let inner = &after[1..];
                inner.split_once(quote).unwrap_or((inner, ""))
            } else {
                let end = after.find(|c: char| c.is_ascii_whitespace() || c == '>');
                after.split_at(end.unwrap_or(after.len()))
            };
            value = text;
            rest = next;
        }
        if wanted {
            let name = name.to_ascii_lowercase();
            found.entry(name).or_insert_with(|| value.to_owned());
        }
    }
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len())
        .position(|window| window.eq_ignore_ascii_case(wanted))
}

/// What differs, by kind and in words. `moved` maps a URL to its new one.
#[must_use]
pub fn changes(
    old: &Facts,
    new: &Facts,
    moved: &dyn Fn(&str) -> String,
) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let shown = |text: &Option<String>| match text {
        Some(text) => format!("{text:?}"),
        None => "none".to_owned(),
    };
    if old.title != new.title {
        out.push((
            "title",
            format!("title was {}, is {}", shown(&old.title), shown(&new.title)),
        ));
    }
    let canonical = old.canonical.as_deref().map(moved);
    if canonical != new.canonical.as_deref().map(moved) {
        let message = format!(
            "canonical was {}, is {}",
            shown(&old.canonical),
            shown(&new.canonical)
        );
        out.push(("canonical", message));
    }
    if old.is_hidden != new.is_hidden {
        let message = if new.is_hidden {
            "robots now says noindex"
        } else {
            "robots no longer says noindex"
        };
        out.push(("robots", message.to_owned()));
    }
    let languages = |facts: &Facts| -> BTreeMap<String, String> {
        let all = facts.languages.iter();
        all.map(|(language, url)| (language.clone(), moved(url)))
            .collect()
    };
    if languages(old) != languages(new) {
        let names = |facts: &Facts| {
            let all: Vec<&str> = facts.languages.keys().map(String::as_str).collect();
            all.join(" ")
        };
        out.push((
            "hreflang",
            format!(
                "hreflang alternates were [{}], are [{}], or lead elsewhere",
                names(old),
                names(new)
            ),
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stand_in_the_head_and_not_in_comments_or_scripts() {
        let page = b"<!-- <title>no</title> --><script>'<title>no</title>'</script>\
            <TITLE> A\n b </TITLE><meta name=robots content='noindex, follow'>\
            <link rel=\"canonical\" href=/a><link rel=alternate hreflang=de href=/de/>\
            <body><title>no</title>";
        let facts = read(page, "UTF-8");
        assert_eq!(facts.title.as_deref(), Some("A b"));
        assert_eq!(facts.canonical.as_deref(), Some("/a"));
        assert!(facts.is_hidden);
        assert_eq!(facts.languages.get("de").map(String::as_str), Some("/de/"));
        let changed = changes(&facts, &Facts::default(), &str::to_owned);
        let what: Vec<&str> = changed.iter().map(|(what, _)| *what).collect();
        assert_eq!(what, ["title", "canonical", "robots", "hreflang"]);
    }
}
