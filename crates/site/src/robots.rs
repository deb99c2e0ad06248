//! The paths that a `robots.txt` allows to every crawler (RFC 9309).

use std::borrow::Cow;

/// The maximum number of bytes that are read; RFC 9309 §2.5 requires at least 500 KiB.
pub const MOST_BYTES: usize = 512 * 1024;

/// The rules of `User-agent: *`, for crawlers without a group of their own.
///
/// ```
/// use baseref_site::robots::Robots;
///
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/open$\n");
/// assert_eq!(robots.forbidding("/private/a").map(|rule| rule.line), Some(2));
/// assert!(robots.forbidding("/private/open").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Robots {
    rules: Vec<Rule>,
}

/// One line of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line, 1-based.
    pub line: u32,
    /// The pattern, as written.
    pub written: String,
    is_allowed: bool,
    /// The pattern with its escapes in one form, without `$` at the end.
    pattern: Vec<u8>,
    /// Whether it ended in `$`.
    is_whole: bool,
}

impl Robots {
    /// Reads the first [`MOST_BYTES`] of a file. Groups for the same crawlers are merged (§2.2.1).
    /// Groups for named crawlers are ignored.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.get(..MOST_BYTES).unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
        let (mut rules, mut is_ours, mut in_agents) = (Vec::new(), false, false);
        for (line, text) in (1..).zip(text.replace("\r\n", "\n").split(['\r', '\n'])) {
            let text = text.split('#').next().unwrap_or_default();
            let Some((key, value)) = text.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match &*key {
                "user-agent" => {
                    // Consecutive `User-agent` lines name the crawlers of one group.
                    is_ours = value == "*" || in_agents && is_ours;
                    in_agents = true;
                }
                "allow" | "disallow" => {
                    in_agents = false;
                    if is_ours && !value.is_empty() {
                        rules.push(Rule::new(line, value, key == "allow"));
                    }
                }
                // §2.2.4: other lines do not end a group.
                _ => {}
            }
        }
        Self { rules }
    }

    /// The number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether the list of rules is empty, so that everything is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule that forbids a URL path with its query; `None` if it is allowed. The longest pattern
    /// wins, and between two of equal length the one that allows (§2.2.2).
    #[must_use]
    pub fn forbidding(&self, path: &str) -> Option<&Rule> {
        let mut steps = u64::MAX;
        self.forbidding_within(path, &mut steps)
    }

    /// Like [`Self::forbidding`], with a budget of `steps`, from which the steps taken are subtracted.
    /// The result is unknown when none are left.
    #[must_use]
    pub fn forbidding_within(&self, path: &str, steps: &mut u64) -> Option<&Rule> {
        // §2.2.2: the file itself is always allowed.
        if path == "/robots.txt" {
            return None;
        }
        let path = in_one_form(path);
        let matching = self.rules.iter().filter(|rule| rule.matches(&path, steps));
        let most = matching.max_by_key(|rule| (rule.length(), rule.is_allowed))?;
        (!most.is_allowed).then_some(most)
    }
}

impl Rule {
    fn new(line: u32, written: &str, is_allowed: bool) -> Self {
        let bare = written.strip_suffix('$');
        Self {
            line,
            written: written.to_owned(),
            is_allowed,
            pattern: in_one_form(bare.unwrap_or(written)).into_owned(),
            is_whole: bare.is_some(),
        }
    }

    /// In octets.
    fn length(&self) -> usize {
        self.pattern.len() + usize::from(self.is_whole)
    }

    /// Whether the pattern matches the beginning of a path, or all of it with `$`; `*` matches any
    /// sequence (§2.2.3). Takes at most the product of the lengths.
    fn matches(&self, path: &[u8], steps: &mut u64) -> bool {
        let pattern = &*self.pattern;
        let (mut at, mut in_path) = (0, 0);
        // The position after the last `*`, and the position in the path where the rest was last tried.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            *steps = steps.saturating_sub(1);
            match pattern.get(at) {
                _ if *steps == 0 => return false,
                Some(b'*') => {
                    at += 1;
                    retry = Some((at, in_path));
                    continue;
                }
                Some(byte) if path.get(in_path) == Some(byte) => {
                    (at, in_path) = (at + 1, in_path + 1);
                    continue;
                }
                None if !self.is_whole || in_path == path.len() => return true,
                Some(_) | None => {}
            }
            match retry {
                Some((behind, tried)) if tried < path.len() => {
                    (at, in_path) = (behind, tried + 1);
                    retry = Some((behind, tried + 1));
                }
                _ => return false,
            }
        }
    }
}

/// A path in a form that can be compared byte by byte (RFC 9309 §2.2.2): unreserved characters are
/// decoded, and others that are escaped or not ASCII are written `%XX` in upper case.
fn in_one_form(path: &str) -> Cow<'_, [u8]> {
    let bytes = path.as_bytes();
    if bytes.iter().all(|byte| *byte != b'%' && byte.is_ascii()) {
        return Cow::Borrowed(bytes);
    }
    let hex = |digit: Option<&u8>| digit.and_then(|digit| char::from(*digit).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = hex(bytes.get(at + 1)).zip(hex(bytes.get(at + 2)));
        let (value, is_escape, length) = match digits.filter(|_| byte == b'%') {
            Some((high, low)) => (u8::try_from(high * 16 + low).unwrap_or(byte), true, 3),
            None => (byte, false, 1),
        };
        at += length;
        let is_unreserved =
            value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~');
        if value.is_ascii() && (is_unreserved || !is_escape) {
            out.push(value);
        } else {
            out.extend_from_slice(format!("%{value:02X}").as_bytes());
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of RFC 9309 §2.2.3 and the documentation of Google's parser.
    #[test]
    fn patterns_match_as_in_rfc_9309() {
        for (pattern, path, does) in [
            ("/fish", "/fish.html", true),
            ("/fish", "/Fish", false),
            ("/fish*", "/fishheads/a?b", true),
            ("/fish/", "/fish", false),
            ("/*.php", "/f/a.php?x", true),
            ("/*.php$", "/f/a.php?x", false),
            ("/*.php$", "/a.php.php", true),
            ("/a*b*c$", "/axbxbxc", true),
            ("/a*b*c$", "/axbxbxcd", false),
            (
                "/path/file-with-a-%2A.html",
                "/path/file-with-a-*.html",
                false,
            ),
            ("/foo/bar/\u{30C4}", "/foo/bar/%E3%83%84", true),
            ("/foo/bar/%e3%83%84", "/foo/bar/\u{30C4}", true),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
            ("*", "/x", true),
            ("/$", "/", true),
            ("/$", "/x", false),
        ] {
            let robots = Robots::parse(format!("user-agent:*\ndisallow:{pattern}").as_bytes());
            assert_eq!(robots.forbidding(path).is_some(), does, "{pattern} {path}");
        }
    }

    #[test]
    fn longest_rule_wins_then_allow() {
        for (rules, path, does) in [
            ("Disallow: /\nAllow: /p", "/page", false),
            ("Allow: /folder\nDisallow: /folder", "/folder/page", false),
            ("Allow: /page\nDisallow: /*.htm", "/page.htm", true),
            ("Allow: /$\nDisallow: /", "/", false),
            ("Allow: /$\nDisallow: /", "/page.htm", true),
            ("Disallow:", "/x", false),
            ("Disallow: /", "/robots.txt", false),
            ("Sitemap: /s\n\nDisallow: /x # why", "/x", true),
        ] {
            let robots = Robots::parse(format!("User-Agent: *\n{rules}\n").as_bytes());
            assert_eq!(robots.forbidding(path).is_some(), does, "{rules} {path}");
        }
    }

    #[test]
    fn groups_for_named_crawlers_are_ignored() {
        let text = "Disallow: /before\nUser-agent: a\nUser-agent: *\nDisallow: /both\r\n\
            User-agent: b\nDisallow: /b\nUser-agent: *\nDisallow: /more\n";
        let robots = Robots::parse(text.as_bytes());
        let forbidden = |path: &str| robots.forbidding(path).map(|rule| rule.written.clone());
        assert_eq!(forbidden("/both").as_deref(), Some("/both"));
        assert_eq!(forbidden("/more").as_deref(), Some("/more"));
        assert_eq!(forbidden("/b"), None);
        assert_eq!(forbidden("/before"), None);
    }
}
