//! The faults of the rules that should redirect old addresses.

use std::collections::HashSet;
use std::sync::Arc;

use super::row::{answered_with, not_known};
use super::verdict::is_astray;
use crate::rules;
use baseref_findings::{Finding, Level, MoveEffect, Rule};
use baseref_resolve::parts;
use baseref_server::follow::{End, MoveContext, RedirectChain, RuleId};
use baseref_server::rule_set::RuleSource;
use baseref_server::{Answer, Problem, Request, RuleFile};

/// A part of a rule file, small enough for its findings to fit into memory.
pub struct RuleFilePart<'f> {
    /// Its problems, in the order of lines.
    pub problems: &'f [Problem],
    /// The indices of its rules, in the order of lines.
    pub rules: Vec<usize>,
}

/// The maximum number of rules in a part. The rules of one line can be in several parts.
const RULES_OF_PART: usize = 1_000;

/// Splits a file into parts, in the order of its lines.
pub fn parts(file: &RuleFile) -> impl Iterator<Item = RuleFilePart<'_>> {
    let line_of = |rank: &usize| file.rules().get(*rank).map_or(0, |rule| rule.line);
    let mut rules: Vec<usize> = (0..file.rules().len()).collect();
    rules.sort_by_key(line_of);
    let mut problems = file.problems();
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let rest = rules.split_off(rules.len().min(RULES_OF_PART));
        done = rest.is_empty();
        let last = rules.last().filter(|_| !done).map_or(usize::MAX, line_of);
        let (own, others) = problems.split_at(problems.partition_point(|p| p.line <= last));
        problems = others;
        Some(RuleFilePart {
            problems: own,
            rules: std::mem::replace(&mut rules, rest),
        })
    })
}

/// The rules that known addresses match.
pub type MatchedRules = HashSet<RuleId>;

/// The findings about each rule of a part: where it leads, and whether requests reach it. `is_rebuilt`
/// says whether the new site has other files than the old one.
#[must_use]
pub fn rule_findings(
    number: usize,
    part: &[usize],
    context: &MoveContext<'_>,
    source: &RuleSource,
    used: &MatchedRules,
    is_rebuilt: bool,
) -> Vec<Finding> {
    let Some(file) = context.rules.get(number) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (rank, rule) in part
        .iter()
        .filter_map(|at| Some((*at, file.rules().get(*at)?)))
    {
        let id = RuleId {
            file: number,
            rule: rank,
        };
        let mut report = |fault: &'static Rule, message: String, to: Option<String>| {
            let mut finding = source.finding(fault, rule.line, rule.from.as_str(), message);
            finding.raw = Arc::clone(&finding.cause);
            finding.moved = to.map(|to| {
                Box::new(MoveEffect {
                    expected: Some(to),
                    ..MoveEffect::default()
                })
            });
            findings.push(finding);
        };
        judge_rule(rule, context, &mut report);
        let addresses = addresses_of(rank, file, context);
        if addresses.is_empty() {
            continue;
        }
        let answers: Vec<(Answer, &String)> = addresses
            .iter()
            .filter_map(|url| {
                let request = Request::from_url(url)?;
                let files = if context.prefixes.is_identity() || !file.dialect().is_of_old_site() {
                    context.new
                } else {
                    context.old
                };
                Some((file.answer(&request, files), url))
            })
            .collect();
        if let Some(other) = shadow(&answers, rank)
            && let Some(earlier) = file.rules().get(other)
            && earlier.to != rule.to
            && !addresses.iter().any(|url| answers_later(url, id, context))
        {
            let (place, from) = (file.place(earlier.line), &earlier.from);
            let message = format!("{place} ({from}) already matches it");
            report(&rules::R_SHADOWED, message, None);
            continue;
        }
        let is_file =
            |(answer, _): &(Answer, &String)| matches!(answer, Answer::File { rule: None, .. });
        if rule.is_exact && answers.iter().any(is_file) {
            report(
                &rules::R_UNREACHABLE,
                "the server returns the file of this name".to_owned(),
                None,
            );
            continue;
        }
        if rule.is_exact
            && file.dialect().format().rules_precede_files
            && let Some(url) = addresses.first()
            && has_page(url, context)
        {
            report(
                &rules::R_HIDES,
                "the page of this name is never served".to_owned(),
                None,
            );
        }
        if !used.contains(&id) {
            report(
                &rules::R_UNUSED,
                "no known address matches it".to_owned(),
                None,
            );
        }
        if let Some((url, chain)) = judged_chain(rule, &addresses, context) {
            judge_chain(&chain, &url, context, &mut report);
            let is_of_rule = |one: &&mut Finding| *one.raw == *rule.from;
            // What neither site has is perhaps put there by something else.
            let is_old = !is_rebuilt
                || rule.is_exact
                || [&url, &chain.url]
                    .into_iter()
                    .any(|url| context.old_file(url).is_some());
            for finding in findings.iter_mut().rev().take_while(is_of_rule) {
                complete(finding, &chain, &url);
                if finding.rule == &rules::R_DEAD && !is_old {
                    finding.level = Level::Warning;
                }
            }
        }
    }
    findings
}

/// Whether the findings about the first rule for an address say that its redirects do not end.
#[must_use]
pub fn is_loop_of_rule(url: &str, context: &MoveContext<'_>) -> bool {
    let chain = context.follow(url);
    let id = chain.hops.first().and_then(|hop| hop.rule);
    let found = id.and_then(|id| {
        let file = context.rules.get(id.file)?;
        let addresses = addresses_of(id.rule, file, context);
        let (_, judged) = judged_chain(file.rules().get(id.rule)?, &addresses, context)?;
        let is_by_rule = judged.hops.first().is_some_and(|hop| hop.rule == Some(id));
        Some(is_by_rule && judged.end == End::Loop)
    });
    found.unwrap_or_default()
}

/// The redirects of the address that shows the faults of a rule.
///
/// Where a rule for many addresses leads depends on the address. Its own source shows a fault, unless it
/// leads to a folder, in which others find their files; a loop is a fault wherever it begins.
fn judged_chain(
    rule: &baseref_server::Rule,
    addresses: &[String],
    context: &MoveContext<'_>,
) -> Option<(String, RedirectChain)> {
    let mut chains = addresses
        .iter()
        .map(|url| (url.clone(), context.follow(url)));
    if rule.is_exact {
        return chains.next();
    }
    chains.find(|(url, chain)| {
        let path: Vec<u8> = percent_encoding::percent_decode_str(parts::path(&chain.url)).collect();
        let is_folder = || context.new.is_directory(&path);
        let source = url[parts::origin(url).len()..].trim_start_matches('/');
        let is_source = source == literal_source(&rule.from);
        chain.end == End::Loop || is_source && !is_folder()
    })
}

/// The source of a rule without its slash, and without the marks of a pattern for one address.
fn literal_source(from: &str) -> String {
    let from = from.strip_prefix('^').unwrap_or(from);
    let from = from.strip_suffix('$').unwrap_or(from);
    from.replace('\\', "").trim_start_matches('/').to_owned()
}

/// Adds the details of a redirect chain to a finding about a rule that leads nowhere.
fn complete(finding: &mut Finding, chain: &RedirectChain, url: &str) {
    if finding.rule == &rules::R_DEAD {
        finding.url = Some(chain.url.as_str().into());
    }
    if finding.rule == &rules::R_LOOP
        && let Some(cause) = cause_of_loop(chain, url)
    {
        finding.cause = cause.into();
    }
}

/// The URL of a sample path on the host of a prefix.
fn sample_url(sample: &str, prefix: &str) -> String {
    if sample.contains("://") {
        return sample.to_owned();
    }
    format!("{}{sample}", parts::origin(prefix))
}

/// The sample addresses of a rule on the site that it applies to: on the first of its hosts where
/// requests can reach the rule.
fn addresses_of(rank: usize, file: &RuleFile, context: &MoveContext<'_>) -> Vec<String> {
    let is_of_old = file.dialect().is_of_old_site() || context.prefixes.is_identity();
    let pairs = context.prefixes.in_order();
    let prefixes = pairs.map(|(old, new)| if is_of_old { old } else { new });
    let mut addresses = prefixes.map(|prefix| addresses_at(prefix, rank, file));
    addresses
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// The sample addresses of a rule on the host of a prefix that requests can reach through its virtual
/// server.
fn addresses_at(prefix: &str, rank: usize, file: &RuleFile) -> Vec<String> {
    let samples = file.rules().get(rank).map(|rule| &rule.samples[..]);
    let urls = samples.into_iter().flatten();
    let urls = urls.map(|sample| sample_url(sample, prefix));
    let is_reached = |url: &String| {
        Request::from_url(url).is_none_or(|request| file.reaches_rule(rank, &request))
    };
    urls.filter(is_reached).collect()
}

/// The earlier rule that answers all samples of a rule, if there is one.
fn shadow(answers: &[(Answer, &String)], rank: usize) -> Option<usize> {
    let rule_of = |answer: &Answer| match answer {
        Answer::Redirect { rule, .. }
        | Answer::File { rule, .. }
        | Answer::Refused { rule, .. } => *rule,
        Answer::Unknown { .. } => None,
    };
    let first = rule_of(&answers.first()?.0)?;
    let is_all = answers
        .iter()
        .all(|(answer, _)| rule_of(answer) == Some(first));
    (is_all && first < rank).then_some(first)
}

/// Whether a rule answers an address later: after other rules have redirected it, for example to the
/// preferred host or to a final slash, or under the other scheme.
fn answers_later(url: &str, id: RuleId, context: &MoveContext<'_>) -> bool {
    let other = match url.split_once("://") {
        Some(("http", rest)) => format!("https://{rest}"),
        Some(("https", rest)) => format!("http://{rest}"),
        _ => return false,
    };
    let is_by = |answer: Option<Answer>| match answer {
        Some(Answer::Redirect { rule: found, .. }) => found == Some(id.rule),
        _ => false,
    };
    let file = context.rules.get(id.file);
    let answer = file
        .zip(Request::from_url(&other))
        .map(|(file, request)| file.answer(&request, context.new));
    is_by(answer) || context.follow(url).is_by(id)
}

fn has_page(url: &str, context: &MoveContext<'_>) -> bool {
    let path = &url[parts::origin(url).len()..];
    let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    let with = |end: &[u8]| [&path[..], end].concat();
    let names = if path.ends_with(b"/") {
        vec![with(b"index.html")]
    } else {
        vec![path.clone(), with(b".html"), with(b"/index.html")]
    };
    names.iter().any(|name| context.new.is_file(name))
}

/// The cause that groups addresses whose redirects do not end: the path of their loop that is first in
/// byte order, or that there are too many redirects. `url` is the start of the chain.
pub(super) fn cause_of_loop<'j>(chain: &'j RedirectChain, url: &'j str) -> Option<&'j str> {
    if chain.end != End::Loop {
        return None;
    }
    let hops = chain.hops.iter().map(|hop| hop.to.as_str());
    let urls: Vec<&str> = std::iter::once(url).chain(hops).collect();
    let (last, before) = urls.split_last()?;
    let Some(first) = before.iter().position(|url| url == last) else {
        return Some("more redirects in a row than browsers follow");
    };
    let url = before[first..].iter().min()?;
    Some(&url[parts::origin(url).len()..])
}

/// Reports what the text of a rule alone shows.
fn judge_rule(
    rule: &baseref_server::Rule,
    context: &MoveContext<'_>,
    report: &mut impl FnMut(&'static Rule, String, Option<String>),
) {
    if matches!(rule.status, 302 | 303 | 307) && rule.to.is_some() {
        let how = if rule.status_is_default {
            " (no status is written)"
        } else {
            ""
        };
        let message = format!("answers with {}{how}", rule.status);
        report(&rules::R_TEMPORARY, message, None);
    }
    if let Some(to) = rule.to.as_deref().filter(|to| is_astray(to, context)) {
        let message = format!("{to} is the machine of the reader");
        report(&rules::R_LOCAL, message, None);
    }
}

fn judge_chain(
    chain: &RedirectChain,
    url: &str,
    context: &MoveContext<'_>,
    report: &mut impl FnMut(&'static Rule, String, Option<String>),
) {
    let hops = chain.rule_hops();
    let end = &chain.url;
    match chain.end {
        End::Loop => {
            report(&rules::R_LOOP, format!("{url} never arrives"), None);
            return;
        }
        End::Refused(status) if hops > 0 && status != 410 => {
            report(&rules::R_DEAD, format!("nothing is at {end}"), None);
        }
        End::Fallback { ref path, by: None } if hops > 0 => {
            let page = String::from_utf8_lossy(path);
            report(
                &rules::R_DEAD,
                format!("{end}: {}", answered_with(&page)),
                None,
            );
        }
        End::NoRule if hops > 0 => {
            report(
                &rules::R_DEAD,
                format!("{end} is an old address that no rule sends on"),
                None,
            );
        }
        End::Elsewhere if hops > 0 && !is_astray(end, context) => {
            report(&rules::R_OFFSITE, format!("leads to {end}"), None);
        }
        End::Unknown(line) => {
            report(&rules::R_NOT_KNOWN, not_known(line, context), None);
        }
        _ => {}
    }
    if hops > 1 {
        let message = format!("{hops} rules in a row; write one that leads to {end}");
        report(&rules::R_CHAIN, message, Some(end.clone()));
    }
    let is_root = context.prefixes.pairs().any(|(_, new)| new == end);
    let page = url.strip_suffix("index.html").unwrap_or(url);
    let was_root = context
        .prefixes
        .pairs()
        .any(|(old, _)| old == page || old == format!("{page}/"));
    if hops > 0 && is_root && !was_root {
        report(
            &rules::R_TO_ROOT,
            "leads to the start page".to_owned(),
            None,
        );
    }
}

/// An old address that is the source of an exact rule.
pub struct RuleAddress {
    /// The address.
    pub url: String,
    /// The rule.
    pub rule: RuleId,
}

/// The old addresses that are sources of the exact rules of all files, in order. Rules that are deployed
/// with the new site are for addresses of the old host.
#[must_use]
pub fn sources(context: &MoveContext<'_>) -> Vec<RuleAddress> {
    let mut addresses = Vec::new();
    for (number, file) in context.rules.iter().enumerate() {
        let rules = file.rules().iter().enumerate();
        for (rank, _) in rules.filter(|(_, rule)| rule.is_exact) {
            let mut olds = context.prefixes.in_order().map(|(old, _)| old);
            let url = olds.find_map(|old| addresses_at(old, rank, file).into_iter().next());
            addresses.extend(url.map(|url| RuleAddress {
                url,
                rule: RuleId {
                    file: number,
                    rule: rank,
                },
            }));
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_server::Dialect;

    #[test]
    fn line_with_many_rules_has_several_parts_and_reports_problems_first() {
        let rule = |n: usize| format!(r#""/p{n}": "/q{n}""#);
        let rules: Vec<String> = (0..2_500).map(rule).collect();
        let json = format!("{{\"x\": \"/y\", {},\n\"z\": \"/y\"}}", rules.join(", "));
        let file = RuleFile::read(Dialect::Json, json.as_bytes(), "/");
        let parts: Vec<RuleFilePart<'_>> = parts(&file).collect();
        let sizes: Vec<_> = parts.iter().map(|part| part.rules.len()).collect();
        assert_eq!(sizes, [1_000, 1_000, 500]);
        let all: Vec<usize> = parts.iter().flat_map(|part| part.rules.clone()).collect();
        assert!(all.into_iter().eq(0..2_500));
        let problems = parts.iter().map(|part| part.problems.len());
        assert_eq!(problems.collect::<Vec<_>>(), [1, 0, 1]);
    }
}
