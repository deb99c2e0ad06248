//! Numbers and totals in words, the same in every output for people.

use std::fmt::Write as _; // for `write!`: a String takes every write

pub(super) use baseref_findings::words::{count, number};
use baseref_findings::{Class, Finding, Group, Level, Rule, Summary};

/// The text with its first letter capitalised.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// How many findings a group has, and where: `12 links in 9 documents`.
pub(super) fn extent(group: &Group) -> String {
    let first = group.examples.first();
    let noun = first.map_or("finding", counted);
    let mut words = format!(
        "{} in {}",
        count(group.findings, noun),
        count(group.documents, "document")
    );
    if let Some(lost) = group.lost_below_folder() {
        let lost = match noun {
            "link" => format!("to {}", count(lost, "target")),
            _ => format!("about {} addresses", number(lost)),
        };
        let _ = write!(words, ", {lost} in this missing folder");
    }
    words
}

/// The cause of a group, for people.
pub(super) fn group_cause<'e>(group: &Group, example: &'e Finding) -> &'e str {
    group.only_lost(example).unwrap_or_else(|| cause(example))
}

/// The families of rules, and the rules, whose findings are about addresses, rules or settings.
const NOT_OF_LINKS: [&str; 7] = [
    "redirect/",
    "config/",
    "baseline/",
    "move/not-as-predicted",
    "move/not-measured",
    "move/lost-page",
    "move/replaced-asset",
];

/// The noun by which a finding is counted: link, base, element or finding.
fn counted(finding: &Finding) -> &'static str {
    match finding.rule.id {
        "base/undefined" | "base/retargets-fragment" => "link",
        "move/base-pins-document" => "base",
        "doc/duplicate-id" => "element",
        id if id.starts_with("base/") => "base",
        _ if finding.element().is_empty() && finding.raw.is_empty() => "finding",
        id if NOT_OF_LINKS.iter().any(|family| id.starts_with(family)) => "finding",
        _ => "link",
    }
}

/// All totals in one line. The number of links is the sum of the classes; levels that are not shown
/// are still counted.
pub(super) fn totals(summary: &Summary, shown: Level) -> String {
    let mut line = documents(summary);
    if summary.unreadable > 0 {
        let _ = write!(line, " ({} unreadable)", number(summary.unreadable));
    }
    let _ = write!(line, ", {}", count(summary.links(), "link"));
    let classes = summary.classes.iter().filter(|class| class.links > 0);
    for (index, class) in classes.enumerate() {
        line += if index == 0 { ": " } else { ", " };
        let _ = write!(line, "{} {}", number(class.links), class.short);
    }
    for (index, level) in Level::REPORTED.into_iter().enumerate() {
        line += if index == 0 { "; " } else { ", " };
        line += &findings(summary, level);
    }
    let hidden = Level::REPORTED
        .into_iter()
        .rfind(|&level| level < shown && summary.totals.count(level).all() > 0);
    if let Some(hidden) = hidden {
        let _ = write!(line, " (--level {hidden} shows them)");
    }
    line
}

/// The number of documents, parts of messages apart: `2 documents and 3 messages (7 parts)`.
fn documents(summary: &Summary) -> String {
    let others = summary.documents - summary.message_parts;
    let mut messages = count(summary.messages, "message");
    if summary.message_parts != summary.messages {
        let _ = write!(messages, " ({})", count(summary.message_parts, "part"));
    }
    match (others, summary.messages) {
        (_, 0) => count(others, "document"),
        (0, _) => messages,
        _ => format!("{} and {messages}", count(others, "document")),
    }
}

/// What the name of a class means: `invalid: no URL with a host can be made of the value`.
pub(super) fn class(class: &Class) -> String {
    format!("{}: {}", class.short, class.about)
}

/// The number of findings of a level: `64 errors (41 known, 2 allowed)`.
pub(super) fn findings(summary: &Summary, level: Level) -> String {
    let found = summary.totals.count(level);
    let mut words = count(found.all(), level.as_str());
    let parts: Vec<String> = [(found.known, "known"), (found.allowed, "allowed")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(value, word)| format!("{} {word}", number(value)))
        .collect();
    if !parts.is_empty() {
        let _ = write!(words, " ({})", parts.join(", "));
    }
    words
}

/// The position of a finding: `dir/a.html:14:12`, or just the document's name.
pub(super) fn position(finding: &Finding) -> String {
    let doc = &finding.page.doc;
    match &finding.at {
        Some(at) => format!("{doc}:{}:{}", at.line, at.column),
        None => doc.clone(),
    }
}

/// The value as written and its URL, if the finding is about a link: `"../x" → /dir/x`; the URL alone
/// if it is about an address; otherwise empty. In a move, [`moved`] gives the URLs.
pub(super) fn link(finding: &Finding) -> String {
    link_pieces(finding).join(" ")
}

/// The pieces of [`link`], between which a line may end.
pub(super) fn link_pieces(finding: &Finding) -> Vec<String> {
    let is_moved = finding.moved.is_some();
    // A URL without an element is not a link with an empty value.
    if finding.element().is_empty() && finding.raw.is_empty() {
        let url = finding.url.as_deref().filter(|_| !is_moved);
        return url.into_iter().map(str::to_owned).collect();
    }
    let mut pieces = vec![format!("\"{}\"", finding.raw)];
    if let Some(url) = &finding.url
        && *url != finding.raw
        && !is_moved
    {
        pieces.push(format!("→ {url}"));
    }
    pieces.extend(elsewhere(finding));
    pieces
}

/// Another URL of the link, if the finding is that the rule sets disagree: `(in browsers:
/// http://host/)`.
fn elsewhere(finding: &Finding) -> Option<String> {
    const WHERE: [&str; 3] = ["by RFC 1808", "by RFC 3986", "in browsers"];
    if !compares_rule_sets(finding.rule) {
        return None;
    }
    let own = finding.url.as_deref();
    // Browsers come first, because readers use them.
    let others = finding.each_url().into_iter().zip(WHERE).rev();
    others
        .filter(|(url, _)| *url != own)
        .map(|(url, by)| format!("({by}: {})", url.unwrap_or("no URL")))
        .next()
}

fn compares_rule_sets(rule: &Rule) -> bool {
    rule.id.starts_with("resolve/")
}

/// The cause that findings share, for people; the message, if the cause is an identifier.
pub(super) fn cause(finding: &Finding) -> &str {
    let via = finding.moved.as_deref().map_or("", |moved| moved.via);
    let is_without_base = finding.rule.id == "base/undefined";
    let is_name = compares_rule_sets(finding.rule) || is_without_base || *finding.cause == *via;
    if is_name {
        return &finding.message;
    }
    // A part of a message is known by its number.
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '/' | '#');
    if *finding.cause == *finding.page.key && finding.cause.chars().all(is_of_number) {
        return &finding.page.doc;
    }
    // `absolute http://host/`
    match finding.cause.strip_prefix(via).map(str::trim_start) {
        Some("") => &finding.message,
        Some(after) => after,
        None => &finding.cause,
    }
}

/// The whole finding in one line: the link, what is wrong, what a move does, and the suggestions.
pub(super) fn sentence(finding: &Finding) -> String {
    let mut sentence = link(finding);
    if !sentence.is_empty() {
        sentence += ": ";
    }
    sentence += &finding.message;
    for more in [moved(finding), suggestion(finding)] {
        if !more.is_empty() {
            sentence += "; ";
            sentence += &more;
        }
    }
    sentence
}

/// The suggestions in words; empty if there is none.
pub(super) fn suggestion(finding: &Finding) -> String {
    match finding.suggestions() {
        [] => String::new(),
        all => format!("did you mean {}?", all.join(" or ")),
    }
}

/// What a move does to the link, in words; empty if nothing is moved.
pub(super) fn moved(finding: &Finding) -> String {
    let Some(moved) = &finding.moved else {
        return String::new();
    };
    let is_link = !finding.element().is_empty() || !finding.raw.is_empty();
    let mut words: Vec<String> = Vec::new();
    match (&moved.old_url, &moved.new_url) {
        (Some(old), Some(new)) if old == new => words.push(format!("still {old}")),
        (Some(old), Some(new)) => words.push(format!("was {old}, becomes {new}")),
        (Some(old), None) if is_link => words.push(format!("was {old}, leads nowhere")),
        (Some(old), None) => words.push(format!("{old} leads nowhere")),
        (None, Some(new)) => words.push(format!("becomes {new}")),
        (None, None) => {}
    }
    if !moved.hops.is_empty() {
        let hops = moved.hops.join(", then ");
        match words.last_mut() {
            Some(words) => words.extend([" (redirected to ", &hops, ")"]),
            None => words.push(format!("redirected to {hops}")),
        }
    }
    // A URL that is already right needs no correction.
    let is_there = |url: &String| {
        let [old, new] = [&moved.old_url, &moved.new_url].map(Option::as_ref);
        old == Some(url) && new.is_none_or(|new| new == url)
    };
    if let Some(expected) = moved.expected.as_ref().filter(|url| !is_there(url)) {
        words.push(format!("should be {expected}"));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_separator() {
        let shown: Vec<String> = [0, 12, 123, 1234, 123_456, 1_234_567]
            .into_iter()
            .map(number)
            .collect();
        assert_eq!(shown, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
