//! Writes rules for missing redirects, in the language of a server.
//!
//! Each rule answers one path with 301 and keeps the query of the request. The output is parsed and
//! tested, so a rule is included only if it makes the server do what is wanted.

use std::fmt::Write as _; // for `write!`: a String takes every write

use serde_json::json;

use super::dialect::Dialect;
use super::request::{Files, Kind, Request};
use super::rule::Answer;
use super::rule_file::RuleFile;

/// A redirect to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'u> {
    /// The old address: an http or https URL in WHATWG form.
    pub from: &'u str,
    /// The new address, in the same form.
    pub to: &'u str,
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub text: String,
    /// The indices of redirects that the dialect cannot express: an address with a query, or with a
    /// character that is a wildcard there.
    pub left_out: Vec<usize>,
}

/// Writes a rule for each redirect, in order. `mount` is the path of the folder that an `.htaccess`
/// file will be in; other dialects ignore it.
#[must_use]
pub fn write(dialect: Dialect, wanted: &[Wanted<'_>], mount: &str) -> Written {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    if dialect == Dialect::S3 {
        // A rule is for all keys that start alike, so that the longer ones come first.
        order.sort_by_key(|index| std::cmp::Reverse(wanted.get(*index).map(|one| one.from.len())));
    }
    let in_order = order
        .iter()
        .filter_map(|index| Some((*index, wanted.get(*index)?)));
    let in_order: Vec<(usize, &Wanted<'_>)> = in_order.collect();
    let lines: Vec<Option<String>> = in_order
        .iter()
        .map(|(_, wanted)| line(dialect, wanted, mount))
        .collect();
    let all = file(dialect, lines.iter().flatten());
    let rules = RuleFile::read(dialect, all.as_bytes(), mount);
    // The others are looked up by their whole address, so no rule can answer in place of another.
    let by_line = !dialect.is_plan();
    let head = head(dialect).matches('\n').count();
    let mut kept = Vec::with_capacity(lines.len());
    let mut left_out = Vec::new();
    let mut number = head;
    for (line, (index, wanted)) in lines.into_iter().zip(in_order) {
        let Some(line) = line else {
            left_out.push(index);
            continue;
        };
        number += 1;
        // Each by its own rule: one that another rule happens to cover would break if that rule is
        // left out.
        if answers(&rules, wanted, by_line.then_some(number)) {
            kept.push(line);
        } else {
            left_out.push(index);
        }
    }
    left_out.sort_unstable();
    Written {
        text: file(dialect, kept.iter()),
        left_out,
    }
}

/// Whether the rules do what is wanted where there is no file; if a line is given, by the rule in
/// that line.
fn answers(rules: &RuleFile, wanted: &Wanted<'_>, line: Option<usize>) -> bool {
    struct Nothing;
    impl Files for Nothing {
        fn kind(&self, _: &[u8]) -> Option<Kind> {
            None
        }
    }
    let answer = Request::of(wanted.from).map(|request| rules.answer(&request, &Nothing));
    let Some(Answer::Redirect { location, rule, .. }) = answer else {
        return false;
    };
    let by = rule.and_then(|rule| rules.rules().get(rule));
    location == wanted.to && line.is_none_or(|line| by.is_some_and(|rule| rule.line == line))
}

/// What stands before the rules.
fn head(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Csv => "from,to,status\n",
        Dialect::Tsv => "from\tto\tstatus\n",
        Dialect::Json | Dialect::S3 => "[\n",
        Dialect::Netlify | Dialect::Cloudflare | Dialect::Nginx => "",
        Dialect::Apache | Dialect::Htaccess => "RewriteEngine On\n",
        Dialect::Caddy => ":80 {\n",
        Dialect::Firebase => "{\"hosting\": {\"redirects\": [\n",
        Dialect::Vercel | Dialect::Next => "{\"redirects\": [\n",
        Dialect::Swa => "{\"routes\": [\n",
        Dialect::Iis => "<configuration><system.webServer><rewrite><rules>\n",
    }
}

/// The file made of these lines.
fn file<'l>(dialect: Dialect, lines: impl Iterator<Item = &'l String>) -> String {
    let lines: Vec<&str> = lines.map(String::as_str).collect();
    let head = head(dialect);
    match dialect {
        Dialect::Json | Dialect::S3 => format!("{head}{}\n]\n", lines.join(",\n")),
        Dialect::Firebase => format!("{head}{}\n]}}}}\n", lines.join(",\n")),
        Dialect::Vercel | Dialect::Next | Dialect::Swa => {
            format!("{head}{}\n]}}\n", lines.join(",\n"))
        }
        Dialect::Caddy => format!("{head}{}}}\n", lines.concat()),
        Dialect::Iis => format!(
            "{head}{}</rules></rewrite></system.webServer></configuration>\n",
            lines.concat()
        ),
        _ => format!("{head}{}", lines.concat()),
    }
}

/// The rule, with its line end if it is a line of its own.
fn line(dialect: Dialect, wanted: &Wanted<'_>, mount: &str) -> Option<String> {
    let Wanted { from, to } = *wanted;
    let is_plain = |c: char| !c.is_control() && !matches!(c, ' ' | '"' | '\\');
    if !from.chars().chain(to.chars()).all(is_plain) {
        return None;
    }
    let request = Request::of(from)?;
    match dialect {
        Dialect::Csv => return row(b',', wanted),
        Dialect::Tsv => return row(b'\t', wanted),
        Dialect::Json => {
            return Some(json!({"from": from, "to": to, "status": 301}).to_string());
        }
        // The others compare only the path.
        _ if request.query.is_some() => return None,
        Dialect::Vercel | Dialect::Next => return Some(route(request.path, to).to_string()),
        Dialect::Swa => {
            let is_wild = request.path.contains('*');
            let route = json!({"route": request.path, "redirect": to, "statusCode": 301});
            return (!is_wild).then(|| route.to_string());
        }
        _ => {}
    }
    if dialect == Dialect::Cloudflare {
        // A star and a colon before a name are wildcards.
        let is_wild = request.path.contains(['*', ':']);
        return (!is_wild).then(|| format!("{} {to} 301\n", request.path));
    }
    let path = String::from_utf8(request.decoded_path().into_owned()).ok()?;
    if path.contains(char::is_control) {
        return None;
    }
    match dialect {
        Dialect::Netlify if path.contains([' ', '#', '?', '*', ':']) => None,
        Dialect::Netlify => Some(format!("{path} {to} 301\n")),
        Dialect::Apache => Some(rewrite_rule(&path, to)),
        Dialect::Htaccess => Some(rewrite_rule(path.strip_prefix(mount)?, to)),
        Dialect::Firebase => Some(firebase(&path, to)),
        Dialect::Caddy => caddy(&path, to),
        Dialect::S3 => routing_rule(&path, to),
        Dialect::Iis => Some(iis_rule(&path, to)),
        _ => location(&path, to),
    }
}

/// Vercel and Next.js: the characters that mean something in their patterns are escaped.
fn route(path: &str, to: &str) -> serde_json::Value {
    let escaped = |text: &str| {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if matches!(c, ':' | '*' | '+' | '?' | '(' | ')' | '{' | '}') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    json!({"source": escaped(path), "destination": to, "statusCode": 301})
}

/// Firebase: what could be a wildcard is in an expression. The server decodes the path and encodes the
/// target.
fn firebase(path: &str, to: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~');
    let (name, source) = if path.chars().all(is_plain) {
        ("source", path.to_owned())
    } else {
        ("regex", format!("^{}$", regex::escape(path)))
    };
    let to = percent_encoding::percent_decode_str(to).decode_utf8_lossy();
    json!({name: source, "destination": to, "type": 301}).to_string()
}

/// Caddy: its paths are compared without their case, and braces are placeholders.
fn caddy(path: &str, to: &str) -> Option<String> {
    let is_wild = path.contains(['*', '?', '[', '\\', '%', '"', '`', '{']) || to.contains('{');
    (!is_wild).then(|| format!("redir \"{path}\" \"{to}\" 301\n"))
}

/// S3: everything that starts with the key is redirected, too.
fn routing_rule(path: &str, to: &str) -> Option<String> {
    let (protocol, rest) = to.split_once("://")?;
    let (host, key) = rest.split_once('/')?;
    let rule = json!({
        "Condition": {"KeyPrefixEquals": path.strip_prefix('/')?},
        "Redirect": {"Protocol": protocol, "HostName": host, "ReplaceKeyWith": key, "HttpRedirectCode": "301"}
    });
    (!key.contains('?')).then(|| rule.to_string())
}

/// IIS: rules are told apart by their names.
fn iis_rule(path: &str, to: &str) -> String {
    let xml = |text: &str| quick_xml::escape::escape(text).into_owned();
    let bare = path.strip_prefix('/').unwrap_or(path);
    format!(
        "<rule name=\"{}\" stopProcessing=\"true\"><match url=\"^{}$\" ignoreCase=\"false\"/>\
         <action type=\"Redirect\" url=\"{}\" redirectType=\"Permanent\"/></rule>\n",
        xml(path),
        xml(&regex::escape(bare)),
        xml(to)
    )
}

fn row(delimiter: u8, wanted: &Wanted<'_>) -> Option<String> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(Vec::new());
    writer.write_record([wanted.from, wanted.to, "301"]).ok()?;
    String::from_utf8(writer.into_inner().ok()?).ok()
}

/// Apache: not `Redirect`, which also redirects everything below the path, and not `RedirectMatch`,
/// which escapes its target again.
fn rewrite_rule(path: &str, to: &str) -> String {
    let mut rule = String::from("RewriteRule \"^");
    for character in path.chars() {
        match character {
            '/' | '-' | '_' => rule.push(character),
            _ if character.is_ascii_alphanumeric() || !character.is_ascii() => rule.push(character),
            '.' => rule += "\\.",
            _ => {
                let _ = write!(rule, "\\x{:02x}", u32::from(character));
            }
        }
    }
    rule += "$\" \"";
    for character in to.chars() {
        // Both begin back-references.
        if matches!(character, '$' | '%') {
            rule.push('\\');
        }
        rule.push(character);
    }
    rule + "\" [R=301,L,NE]\n"
}

/// nginx: its `return` has no way to write a dollar sign.
fn location(path: &str, to: &str) -> Option<String> {
    if to.contains('$') {
        return None;
    }
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    let query = if to.contains(['?', '#']) {
        ""
    } else {
        "$is_args$args"
    };
    Some(format!(
        "location = \"{path}\" {{ return 301 \"{to}{query}\"; }}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "https://www.example.com/docs/new%20page.html";

    #[test]
    fn every_dialect_redirects_a_plain_path_and_no_other() {
        struct Nothing;
        impl Files for Nothing {
            fn kind(&self, _: &[u8]) -> Option<Kind> {
                None
            }
        }
        let wanted = [
            Wanted {
                from: "http://old.example/a.html",
                to: NEW,
            },
            Wanted {
                from: "http://old.example/caf%C3%A9/",
                to: "https://www.example.com/x#s",
            },
        ];
        for dialect in Dialect::ALL {
            let written = write(dialect, &wanted, "/");
            assert_eq!(written.left_out, [0; 0], "{dialect}: {}", written.text);
            let rules = RuleFile::read(dialect, written.text.as_bytes(), "/");
            assert_eq!(rules.problems(), [], "{dialect}: {}", written.text);
            assert_eq!(rules.rules().len(), 2, "{dialect}: {}", written.text);
            for url in [
                "http://old.example/aXhtml",
                "http://old.example/a.html/more",
            ] {
                if dialect == Dialect::S3 && url.ends_with("more") {
                    // Its rules are for all that starts alike.
                    continue;
                }
                let request = Request::of(url).unwrap();
                let answer = rules.answer(&request, &Nothing);
                assert!(
                    matches!(answer, Answer::Refused { .. }),
                    "{dialect}: {answer:?}"
                );
            }
        }
    }

    #[test]
    fn what_a_dialect_would_read_otherwise_is_escaped_or_left_out() {
        let from = [
            "http://h/a%20b",
            "http://h/a*b",
            "http://h/:a",
            "http://h/a.b+c(d)[e]^$|{f}",
            "http://h/a%22b",
            "http://h/a%5Cb",
            "http://h/a%2Fb",
            "http://h/a%25b",
            "http://h/a%0Ab",
            "http://h/a;b",
            "http://h/a//b",
            "http://h/%FF",
            "http://h/a?b=c",
            "http://h/%23",
            "http://h/a%3Fb",
        ];
        let wanted: Vec<Wanted> = from.iter().map(|from| Wanted { from, to: NEW }).collect();
        for dialect in Dialect::ALL {
            let Written { text, left_out } = write(dialect, &wanted, "/");
            let rules = RuleFile::read(dialect, text.as_bytes(), "/");
            for (index, wanted) in wanted.iter().enumerate() {
                let holds = left_out.contains(&index) || answers(&rules, wanted, None);
                assert!(holds, "{dialect}: {}\n{text}", wanted.from);
            }
            let wild: &[usize] = match dialect {
                Dialect::Netlify | Dialect::Cloudflare => &[1, 2],
                Dialect::Swa | Dialect::Caddy => &[1],
                _ => &[],
            };
            for index in [1, 2] {
                assert_eq!(
                    left_out.contains(&index),
                    wild.contains(&index),
                    "{dialect}: {}",
                    from[index]
                );
            }
        }
    }

    #[test]
    fn two_addresses_that_a_server_holds_for_one_are_not_both_promised() {
        let wanted = [
            Wanted {
                from: "http://h/x",
                to: "https://n/1",
            },
            Wanted {
                from: "http://h/x/",
                to: "https://n/2",
            },
        ];
        assert_eq!(write(Dialect::Netlify, &wanted, "/").left_out, [1]);
        assert_eq!(write(Dialect::Cloudflare, &wanted, "/").left_out, [0; 0]);
    }

    #[test]
    fn an_htaccess_file_says_nothing_of_what_is_not_below_it() {
        let wanted = [
            Wanted {
                from: "http://h/docs/a",
                to: NEW,
            },
            Wanted {
                from: "http://h/other",
                to: NEW,
            },
        ];
        let written = write(Dialect::Htaccess, &wanted, "/docs/");
        assert_eq!(written.left_out, [1]);
        assert!(written.text.contains("\"^a$\""));
    }
}
