//! The findings about old addresses.

use std::cell::LazyCell;
use std::sync::Arc;

use super::near_miss::Sources;
use super::row::{Row, not_known};
use super::rule_faults::cause_of_loop;
use super::verdict::{AddressVerdict, is_astray};
use crate::compare::fingerprint::{THEME, is_fingerprinted};
use crate::lost_folder::lost_folder;
use crate::rules;
use baseref_findings::{Finding, MoveEffect, PageName, Rule};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts;
use baseref_server::follow::MoveContext;

/// The finding about an old address, if it has a fault.
#[must_use]
pub fn address_finding(
    row: &Row,
    page: &Arc<PageName>,
    context: &MoveContext<'_>,
) -> Option<Finding> {
    let mut cause = row.old_url.to_string();
    let instead = row.instead.as_deref().map(str::to_owned);
    let form = normal(&row.old_url, &NormalOptions::default());
    let (rule, message): (&'static Rule, String) = match row.verdict {
        AddressVerdict::NotKnown => {
            // A folder that cannot be read is reported by itself.
            let by = row.undecided.as_deref().copied()?;
            let place = context.rules.get(by.file)?.place(by.line);
            cause = format!("file {} of the rules, {place}", by.file + 1);
            let message = match instead {
                Some(instead) => format!("{instead}: what that page shows then, a browser decides"),
                None => not_known(by, context),
            };
            (&rules::R_NOT_KNOWN, message)
        }
        AddressVerdict::Lost => {
            if instead.is_none()
                && let Some(folder) = lost_folder(context, &form)
            {
                cause = folder;
            }
            let message =
                instead.unwrap_or_else(|| "nothing answers at its new address".to_owned());
            (&rules::LOST_PAGE, message)
        }
        AddressVerdict::DeadTarget if is_astray(&row.new_url, context) => (
            &rules::LOST_PAGE,
            format!("{} is the machine of the reader", row.new_url),
        ),
        AddressVerdict::DeadTarget => {
            let message = instead.unwrap_or_else(|| format!("{} is not there", row.new_url));
            (&rules::LOST_PAGE, message)
        }
        AddressVerdict::ReplacedAsset if is_fingerprinted(&row.old_url) => (
            &rules::REPLACED_ASSET,
            "its name was made by a build, and the new tree has another".to_owned(),
        ),
        AddressVerdict::ReplacedAsset => {
            THEME.clone_into(&mut cause);
            (&rules::REPLACED_ASSET, THEME.to_owned())
        }
        AddressVerdict::Loop => {
            let chain = context.follow(&row.old_url);
            if let Some(of_loop) = cause_of_loop(&chain, &row.old_url) {
                of_loop.clone_into(&mut cause);
            }
            (&rules::R_LOOP, format!("{} never arrives", row.old_url))
        }
        AddressVerdict::NoRule if row.needs_rule => {
            (&rules::R_MISSING, "no rule redirects it".to_owned())
        }
        AddressVerdict::NoRule
        | AddressVerdict::Ok
        | AddressVerdict::Redirected
        | AddressVerdict::Chain
        | AddressVerdict::Retired
        | AddressVerdict::Offsite => return None,
    };
    let proposed = row
        .proposed
        .as_deref()
        .filter(|_| row.needs_proposed_rule());
    let message = match proposed {
        Some(proposed) => format!("{message}; {}", proposed.in_words()),
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
        } else if let Some(found) = address_finding(row, list, context) {
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
