//! Writes rules for missing redirects, in the language of a server.
//!
//! Each rule answers one path with 301 and keeps the query of the request. The output is parsed and
//! tested, so a rule is included only if it makes the server do what is wanted.

use baseref_resolve::{Rules, resolve};

use crate::form::NewRule;
use crate::request::{NoFiles, Request};
use crate::rule::Answer;
use crate::rule_file::RuleFile;
use crate::table::Dialect;

/// A redirect to write a rule for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect<'u> {
    /// The old address: an http or https URL in WHATWG form.
    pub from: &'u str,
    /// The new address, in the same form.
    pub to: &'u str,
}

/// A file of rules for redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRules {
    /// The file.
    pub text: String,
    /// The indices of redirects that the dialect cannot express: the old address has a query, or a
    /// character that is a wildcard in this dialect.
    pub left_out: Vec<usize>,
}

/// Writes a rule for each redirect, in order. `mount` is the path of the folder that an `.htaccess`
/// file will be in; other dialects ignore it.
#[must_use]
pub fn write(dialect: Dialect, redirects: &[Redirect<'_>], mount: &str) -> WrittenRules {
    let form = dialect.form();
    let mut in_order: Vec<(usize, &Redirect<'_>)> = redirects.iter().enumerate().collect();
    if form.by_prefix {
        in_order.sort_by_key(|(_, redirect)| std::cmp::Reverse(redirect.from.len()));
    }
    let lines: Vec<Option<String>> = in_order
        .iter()
        .map(|(_, redirect)| rule(dialect, redirect, mount))
        .collect();
    let all = form.file(lines.iter().flatten());
    let rules = RuleFile::read(dialect, all.as_bytes(), mount);
    // A plan is looked up by whole addresses, so that no rule can answer in place of another.
    let by_line = !dialect.is_plan();
    let head = form.head.matches('\n').count();
    let mut kept = Vec::with_capacity(lines.len());
    let mut left_out = Vec::new();
    let mut number = head;
    for (line, (index, redirect)) in lines.into_iter().zip(in_order) {
        let Some(line) = line else {
            left_out.push(index);
            continue;
        };
        number += 1;
        // Each by its own rule: a redirect that another rule happens to cover would break if that rule
        // is left out.
        if answers(&rules, redirect, by_line.then_some(number)) {
            kept.push(line);
        } else {
            left_out.push(index);
        }
    }
    left_out.sort_unstable();
    WrittenRules {
        text: form.file(kept.iter()),
        left_out,
    }
}

/// A comment line, if the dialect has comments that can stand before its rules.
#[must_use]
pub fn comment(dialect: Dialect, words: &str) -> Option<String> {
    match dialect {
        Dialect::Netlify
        | Dialect::Cloudflare
        | Dialect::Apache
        | Dialect::Htaccess
        | Dialect::Nginx
        | Dialect::Caddy => Some(format!("# {}\n", words.replace(char::is_control, " "))),
        Dialect::Csv
        | Dialect::Tsv
        | Dialect::Json
        | Dialect::Firebase
        | Dialect::Vercel
        | Dialect::Next
        | Dialect::Swa
        | Dialect::S3
        | Dialect::Iis => None,
    }
}

/// The rule for a redirect, if the dialect has one.
fn rule(dialect: Dialect, redirect: &Redirect<'_>, mount: &str) -> Option<String> {
    let Redirect { from, to } = *redirect;
    let is_plain = |c: char| !c.is_control() && !matches!(c, ' ' | '"' | '\\');
    if !from.chars().chain(to.chars()).all(is_plain) {
        return None;
    }
    let request = Request::from_url(from)?;
    // Servers compare only the path.
    if request.query.is_some() && !dialect.is_plan() {
        return None;
    }
    (dialect.form().rule)(&NewRule {
        from,
        to,
        request,
        mount,
    })
}

/// Whether the rules make this redirect without any files; if a line is given, by the rule in that
/// line.
fn answers(rules: &RuleFile, redirect: &Redirect<'_>, line: Option<usize>) -> bool {
    let answer = Request::from_url(redirect.from).map(|request| rules.answer(&request, &NoFiles));
    let Some(Answer::Redirect { location, rule, .. }) = answer else {
        return false;
    };
    let by = rule.and_then(|rule| rules.rules().get(rule));
    // Some servers shorten a target on the host of the request to its path.
    let target = resolve(Rules::Whatwg, Some(redirect.from), &location);
    target.is_ok_and(|target| target == redirect.to)
        && line.is_none_or(|line| by.is_some_and(|rule| rule.line == line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "https://www.example.com/docs/new%20page.html";

    #[test]
    fn written_rules_redirect_only_their_path() {
        let wanted = [
            Redirect {
                from: "http://old.example/a.html",
                to: NEW,
            },
            Redirect {
                from: "http://old.example/caf%C3%A9/",
                to: "https://www.example.com/x#s",
            },
        ];
        for &dialect in Dialect::ALL {
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
                    // Its rules apply to everything with the same beginning.
                    continue;
                }
                let request = Request::from_url(url).unwrap();
                let answer = rules.answer(&request, &NoFiles);
                assert!(
                    matches!(answer, Answer::Refused { .. }),
                    "{dialect}: {answer:?}"
                );
            }
        }
    }

    #[test]
    fn special_characters_are_escaped_or_left_out() {
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
        let wanted: Vec<Redirect> = from.iter().map(|from| Redirect { from, to: NEW }).collect();
        for &dialect in Dialect::ALL {
            let WrittenRules { text, left_out } = write(dialect, &wanted, "/");
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
    fn targets_on_the_host_of_the_request() {
        let wanted = [Redirect {
            from: "https://h.example/a.html",
            to: "https://h.example/b/",
        }];
        for &dialect in Dialect::ALL {
            assert_eq!(write(dialect, &wanted, "/").left_out, [0; 0], "{dialect}");
        }
    }

    #[test]
    fn equivalent_addresses_are_not_both_written() {
        let wanted = [
            Redirect {
                from: "http://h/x",
                to: "https://n/1",
            },
            Redirect {
                from: "http://h/x/",
                to: "https://n/2",
            },
        ];
        assert_eq!(write(Dialect::Netlify, &wanted, "/").left_out, [1]);
        assert_eq!(write(Dialect::Cloudflare, &wanted, "/").left_out, [0; 0]);
    }

    #[test]
    fn htaccess_rules_only_for_paths_below_it() {
        let wanted = [
            Redirect {
                from: "http://h/docs/a",
                to: NEW,
            },
            Redirect {
                from: "http://h/other",
                to: NEW,
            },
        ];
        let written = write(Dialect::Htaccess, &wanted, "/docs/");
        assert_eq!(written.left_out, [1]);
        assert!(written.text.contains("\"^a$\""));
    }
}
