//! The URL, host or mail address that the text of a link displays.

use baseref_hosts::{is_ip, is_registrable};
use baseref_resolve::{host_in_browsers, parts};

use super::address::is_address;

/// A text that is a URL, a host or a mail address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Displayed {
    /// A host, as browsers read it.
    Host {
        host: String,
        /// It may be a file name: `setup.py`.
        is_weak: bool,
    },
    /// A mail address, in lower case.
    Address(String),
}

/// The URL, host or address that a text displays, and the text without what surrounds it. It must be the
/// whole text: a host in a sentence does not count.
pub(super) fn read(text: &str, target_path: &str) -> Option<(Displayed, String)> {
    // Nearly every text is several words, which is seen before it is copied.
    let is_word = |word: &&str| word.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let mut words = text.split_ascii_whitespace().filter(is_word);
    if words.nth(1).is_some() {
        return None;
    }
    let text = as_shown(text);
    let trimmed = text.trim_end();
    let is_shortened = trimmed.ends_with('\u{2026}') || trimmed.ends_with("...");
    let is_end = |c: char| surrounds(c) || ".,:;!".contains(c);
    let text = text.trim_start_matches(surrounds).trim_end_matches(is_end);
    if text.is_empty() || text.contains(char::is_whitespace) || text.len() > LONGEST {
        return None;
    }
    let displayed = match parts::scheme(text).filter(|scheme| !scheme.contains('.')) {
        Some(scheme) if matches!(&*scheme, "http" | "https" | "ftp") => url(text, is_shortened)?,
        Some(scheme) if scheme == "mailto" => {
            let address = &text["mailto:".len()..];
            let address = address.split('?').next().unwrap_or_default();
            Displayed::Address(is_address(address).then(|| address.to_lowercase())?)
        }
        _ if is_address(text) => Displayed::Address(text.to_lowercase()),
        _ => bare(text, target_path)?,
    };
    Some((displayed, text.to_owned()))
}

/// A longer text does not look like an address.
const LONGEST: usize = 2_048;

/// With a scheme it is a URL under any suffix, or none.
fn url(text: &str, is_shortened: bool) -> Option<Displayed> {
    let host = host_in_browsers(text)?;
    // `https://www.exam...` shows a part of the host.
    let ends_in_host = parts::authority(text).is_some_and(|host| text.ends_with(host));
    if is_shortened && ends_in_host && !is_ip(&host) && !is_registrable(&host) {
        return None;
    }
    Some(Displayed::Host {
        host: host.into_owned(),
        is_weak: false,
    })
}

/// A host without a scheme, with or without a path.
fn bare(text: &str, target_path: &str) -> Option<Displayed> {
    let end = text.find(['/', '?', '#', ':']).unwrap_or(text.len());
    let name = &text[..end];
    // Browsers take the dots of other scripts, and letters of full width, for ASCII.
    let has_labels = name.contains(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
    if !has_labels || name.is_ascii() && !is_registrable(name) {
        return None;
    }
    let host = host_in_browsers(&format!("http://{name}/"))?.into_owned();
    if name.contains('@') || !is_registrable(&host) {
        return None;
    }
    let last = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let may_be_file =
        end == text.len() && !name.to_lowercase().starts_with("www.") && FILES.contains(&&*last);
    if may_be_file && target_path.to_lowercase().ends_with(&name.to_lowercase()) {
        return None;
    }
    Some(Displayed::Host {
        host,
        is_weak: may_be_file,
    })
}

/// Public suffixes that are also file extensions.
const FILES: [&str; 26] = [
    "md", "py", "sh", "rs", "pl", "zip", "mov", "so", "ps", "ai", "app", "cc", "in", "is", "net",
    "id", "cab", "do", "inc", "map", "mk", "ml", "mobi", "pm", "pub", "tf",
];

/// The text as a reader sees it: without invisible characters, and reversed by a right-to-left override.
fn as_shown(text: &str) -> String {
    let mut shown: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let first = text.trim_start().chars().next();
    if first == Some(RIGHT_TO_LEFT_OVERRIDE) && shown.is_ascii() {
        shown = shown.chars().rev().collect();
    }
    shown
}

/// It makes even Latin letters run from right to left (UAX #9).
const RIGHT_TO_LEFT_OVERRIDE: char = '\u{202e}';

/// Invisible characters.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// What stands around a URL in a text: white space, quotation marks and brackets, bullets and arrows.
fn surrounds(c: char) -> bool {
    c.is_whitespace()
        || "<>()[]{}\"'`|\u{ab}\u{bb}\u{b7}".contains(c)
        || matches!(
            c,
            '\u{2010}'..='\u{201f}'
                | '\u{2022}'..='\u{2026}'
                | '\u{2039}' | '\u{203a}'
                | '\u{2190}'..='\u{23ff}'
                | '\u{25a0}'..='\u{27ff}'
                | '\u{2900}'..='\u{297f}'
                | '\u{2b00}'..='\u{2bff}'
                | '\u{3008}'..='\u{3011}'
                | '\u{1f000}'..='\u{1faff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(host: &str, is_weak: bool) -> Displayed {
        let host = host.to_owned();
        Displayed::Host { host, is_weak }
    }

    #[test]
    fn displayed_url_is_the_whole_text() {
        for (text, displayed) in [
            ("www.paypal.com", Some(host("www.paypal.com", false))),
            (
                "\u{203a} <https://www.PayPal.com/x?y>.",
                Some(host("www.paypal.com", false)),
            ),
            ("pay\u{200b}pal.com", Some(host("paypal.com", false))),
            (
                "\u{202d}www.paypal.com\u{202c}",
                Some(host("www.paypal.com", false)),
            ),
            (
                "\u{202e}moc.lapyap.www",
                Some(host("www.paypal.com", false)),
            ),
            (
                "\u{ff57}\u{ff57}\u{ff57}\u{ff0e}paypal\u{3002}com",
                Some(host("www.paypal.com", false)),
            ),
            (
                "www.paypal.com \u{2197}",
                Some(host("www.paypal.com", false)),
            ),
            ("\u{1f449} paypal.com!", Some(host("paypal.com", false))),
            (
                "www.paypal.com\u{2026}",
                Some(host("www.paypal.com", false)),
            ),
            ("b.co.uk", Some(host("b.co.uk", false))),
            ("http://1.2.3.4/x", Some(host("1.2.3.4", false))),
            ("setup.py", Some(host("setup.py", true))),
            ("www.setup.py", Some(host("www.setup.py", false))),
            (
                "Joe@Good.com",
                Some(Displayed::Address("joe@good.com".to_owned())),
            ),
            (
                "mailto:joe@good.com?subject=x",
                Some(Displayed::Address("joe@good.com".to_owned())),
            ),
            (
                "https://sso.corp.internal/login",
                Some(host("sso.corp.internal", false)),
            ),
            ("http://intranet/", Some(host("intranet", false))),
            (
                "https://\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.\u{438}\u{441}\u{43f}",
                Some(host("xn--e1afmkfd.xn--h1aof", false)),
            ),
            ("https://www.exam\u{2026}", None),
            ("https://www.exam/...", Some(host("www.exam", false))),
            ("sso.corp.internal", None),
            ("including from Amazon.com.", None),
            ("co.uk", None),
            ("report.pdf", None),
            ("click here", None),
            ("v1.2", None),
            ("@paypal.com", None),
            ("*.paypal.com", None),
            ("ASP.NET", Some(host("asp.net", true))),
            ("Node.js", None),
            ("\u{304a}\u{3059}\u{3059}\u{3081}\u{3002}", None),
            ("README.md", None),
            ("", None),
        ] {
            let found = read(text, "/x/blob/README.md").map(|(displayed, _)| displayed);
            assert_eq!(found, displayed, "{text}");
        }
    }
}
