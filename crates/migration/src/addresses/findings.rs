//! The findings about old addresses.

use std::cell::LazyCell;
use std::sync::Arc;

use super::near_miss::Sources;
use super::row::{Row, not_known};
use crate::compare::ProposedPage;
use crate::rules;
use baseref_findings::{Finding, MoveEffect, PageName, Rule};
use baseref_resolve::parts;
use baseref_server::follow::{MoveContext, RuleLine};

fn in_words(proposed: &ProposedPage) -> String {
    let (url, confidence) = (&proposed.url, proposed.confidence);
    if proposed.ties.is_empty() {
        format!("it may be {url} now (confidence {confidence:.2})")
    } else {
        let others = proposed.ties.join(", ");
        format!("it may be {url} now, or as likely {others} (confidence {confidence:.2})")
    }
}

/// The finding about an old address, if it has a fault. With `needs_rule`, an address without a rule
/// has one even if no rules are given.
#[must_use]
pub fn address_finding(
    row: &Row,
    page: &Arc<PageName>,
    context: &MoveContext<'_>,
    needs_rule: bool,
) -> Option<Finding> {
    let mut cause = row.old_url.to_string();
    let (rule, message): (&'static Rule, String) = match row.verdict {
        "not-known" => {
            let RuleLine { file, line } = row.undecided.as_deref().copied().unwrap_or_default();
            cause = format!("file {} of the rules, line {line}", file + 1);
            let message = match &row.instead {
                Some(instead) => format!("{instead}: what that page shows then, a browser decides"),
                None => not_known(line),
            };
            (&rules::R_NOT_KNOWN, message)
        }
        "lost-page" | "redirect/dead-target" if row.instead.is_some() => {
            let instead = row.instead.as_deref().unwrap_or_default();
            (&rules::LOST_PAGE, instead.to_owned())
        }
        "lost-page" => (
            &rules::LOST_PAGE,
            "nothing answers at its new address".to_owned(),
        ),
        "replaced-asset" => (
            &rules::REPLACED_ASSET,
            "its name was made by a build, and the new tree has another".to_owned(),
        ),
        "redirect/dead-target" => (&rules::LOST_PAGE, format!("{} is not there", row.new_url)),
        "redirect/missing" if needs_rule || !context.rules.is_empty() => {
            (&rules::R_MISSING, "no rule sends it on".to_owned())
        }
        _ => return None,
    };
    let proposed = row
        .proposed
        .as_deref()
        .filter(|_| row.needs_proposed_rule());
    let message = match proposed {
        Some(proposed) => format!("{message}; {}", in_words(proposed)),
        None => message,
    };
    let mut finding = Finding::new(rule, page, cause, message);
    finding.url = Some((&*row.old_url).into());
    if let Some(proposed) = proposed {
        let urls = std::iter::once(&proposed.url).chain(&proposed.ties);
        finding.suggest(urls.cloned().collect());
    }
    if row.undecided.is_some() {
        return Some(finding);
    }
    let form = baseref_resolve::normal::normal(
        &row.old_url,
        &baseref_resolve::normal::NormalOptions::default(),
    );
    finding.moved = Some(Box::new(MoveEffect {
        old_url: Some(row.old_url.to_string()),
        // The new address has no page.
        new_url: None,
        expected: context.prefixes.moved(&form),
        ..MoveEffect::default()
    }));
    Some(finding)
}

/// The findings about the addresses of a list, which counts as a document: those that lead nowhere,
/// among them near misses of a rule, and those whose query is lost. `weight` names what the weights
/// count.
#[must_use]
pub fn list_findings<'r>(
    rows: impl Iterator<Item = &'r Row>,
    list: &Arc<PageName>,
    weight: Option<&str>,
    context: &MoveContext<'_>,
) -> Vec<Finding> {
    let has_query = |url: &str| parts::query(url).is_some();
    let sources = LazyCell::new(|| Sources::new(context));
    let mut findings = Vec::new();
    for row in rows {
        let mut report = |rule: &'static Rule, cause: Arc<str>, message: Arc<str>| {
            let mut finding = Finding::new(rule, list, cause, message);
            finding.url = Some((&*row.old_url).into());
            finding.raw = (&*row.old_url).into();
            findings.push(finding);
        };
        let old_url: Arc<str> = (&*row.old_url).into();
        if let Some((rule, message)) = sources.near_miss(row, context) {
            report(rule, Arc::clone(&old_url), weighed(&message, row, weight));
        } else if let Some(found) = address_finding(row, list, context, true) {
            report(
                found.rule,
                found.cause,
                weighed(&found.message, row, weight),
            );
        }
        if has_query(&row.old_url) && row.hops > row.own_hops && !has_query(&row.new_url) {
            let message = format!("leads to {}", row.new_url);
            report(&rules::R_DROPS_QUERY, old_url, message.into());
        }
    }
    findings
}

/// The message about an address, with its weight.
fn weighed(message: &str, row: &Row, weight: Option<&str>) -> Arc<str> {
    match weight.filter(|_| !row.weight.is_empty()) {
        Some(name) => format!("{message} ({name}: {})", row.weight).into(),
        None => message.into(),
    }
}
