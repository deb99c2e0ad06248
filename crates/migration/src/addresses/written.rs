//! Rules for old addresses that lead nowhere, tested against the sites and the rules that exist.

use std::sync::Arc;

use super::row::Row;
use super::verdict::AddressVerdict;
use baseref_findings::words::plural;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::{Rules, resolve};
use baseref_server::follow::{MoveContext, RuleLine, Targets};
use baseref_server::rule_set::RuleSource;
use baseref_server::{Dialect, Redirect, RuleFile, comment, write};

/// The rules for old addresses that lead nowhere.
#[derive(Debug, PartialEq, Eq)]
pub struct MissingRules {
    /// The dialect.
    pub dialect: Dialect,
    /// The file of rules.
    pub text: String,
    /// The number of rules that lead to proposed pages.
    pub proposed: u64,
    /// The number of lost addresses without a known new page.
    pub unknown: u64,
    /// The number of redirects that the dialect cannot express.
    pub inexpressible: u64,
    /// The number of redirects that would not lead to their pages, such as those that an address would
    /// not leave.
    pub unusable: u64,
    /// Which existing rules these must come before, one sentence each.
    pub placement: Vec<String>,
}

/// A redirect to write a rule for.
struct Wanted<'r> {
    from: &'r str,
    to: String,
    is_proposed: bool,
}

/// The result of asking the sites with a new rule for its address.
enum Trial {
    /// The rule works after the existing ones.
    Works,
    /// The rule works only before an existing one.
    Hidden(RuleLine),
    /// The address does not lead to the page.
    Fails,
}

/// The rules in a dialect for the addresses without one. `sources` are the files of existing rules.
#[must_use]
pub fn missing_rules(
    dialect: Dialect,
    rows: &[Row],
    context: &MoveContext<'_>,
    sources: &[RuleSource],
) -> MissingRules {
    let mut result = MissingRules {
        dialect,
        text: String::new(),
        proposed: 0,
        unknown: 0,
        inexpressible: 0,
        unusable: 0,
        placement: Vec::new(),
    };
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for row in rows {
        match wanted_redirect(row, context) {
            Some(redirect) => wanted.push(redirect),
            None => result.unknown += u64::from(row.is_lost()),
        }
    }
    let written = write_all(dialect, &wanted);
    result.inexpressible = written.left_out.len() as u64;
    let mut number = 0;
    wanted.retain(|_| {
        number += 1;
        written.left_out.binary_search(&(number - 1)).is_err()
    });
    let new = Arc::new(RuleFile::read(dialect, written.text.as_bytes(), "/"));
    new.allow(4 * wanted.len());
    let after = [context.rules, &[Arc::clone(&new)]].concat();
    let before = [&[new], context.rules].concat();
    let mut hiding: Vec<(RuleLine, u64)> = Vec::new();
    let count = wanted.len();
    wanted.retain(
        |redirect| match try_rule(redirect, context, &after, &before) {
            Trial::Works => true,
            Trial::Hidden(line) => {
                match hiding.iter_mut().find(|(other, _)| *other == line) {
                    Some((_, addresses)) => *addresses += 1,
                    None => hiding.push((line, 1)),
                }
                true
            }
            Trial::Fails => false,
        },
    );
    result.unusable = (count - wanted.len()) as u64;
    result.proposed = wanted.iter().filter(|one| one.is_proposed).count() as u64;
    result.placement = hiding
        .iter()
        .filter_map(|(RuleLine { file, line }, addresses)| {
            let (name, line) = sources.get(*file)?.place(*line);
            Some(format!(
                "put these rules before line {line} of {}, which answers {} of them",
                name.doc,
                plural(*addresses, "address", "addresses")
            ))
        })
        .collect();
    let head = result.placement.iter();
    let head = head.filter_map(|words| comment(dialect, words));
    result.text = head.collect::<String>() + &write_all(dialect, &wanted).text;
    result
}

fn write_all(dialect: Dialect, wanted: &[Wanted<'_>]) -> baseref_server::WrittenRules {
    let redirects = wanted.iter().map(|one| Redirect {
        from: one.from,
        to: &one.to,
    });
    write(dialect, &redirects.collect::<Vec<_>>(), "/")
}

/// The redirect missing for an old address; `None` if none is missing, or its new page is unknown.
fn wanted_redirect<'r>(row: &'r Row, context: &MoveContext<'_>) -> Option<Wanted<'r>> {
    if row.needs_proposed_rule() {
        return Some(Wanted {
            from: &row.old_url,
            to: row.proposed.as_deref()?.url.clone(),
            is_proposed: true,
        });
    }
    if row.verdict != AddressVerdict::NoRule {
        return None;
    }
    let chain = context.moved_chain(&row.old_url)?;
    if !is_answered(AddressVerdict::new(&chain, context)) {
        return None;
    }
    let form = normal(&row.old_url, &NormalOptions::default());
    let to = context.prefixes.moved(&form)?;
    Some(Wanted {
        from: &row.old_url,
        to: resolve(Rules::Whatwg, None, &to).ok()?,
        is_proposed: false,
    })
}

fn is_answered(verdict: AddressVerdict) -> bool {
    matches!(
        verdict,
        AddressVerdict::Ok | AddressVerdict::Redirected | AddressVerdict::Chain
    )
}

/// Asks the sites for an address, with its new rule after and before the existing ones.
fn try_rule(
    redirect: &Wanted<'_>,
    context: &MoveContext<'_>,
    after: &[Arc<RuleFile>],
    before: &[Arc<RuleFile>],
) -> Trial {
    let ask = |rules: &[Arc<RuleFile>], new: usize| {
        let context = MoveContext {
            rules,
            targets: &Targets::default(),
            ..*context
        };
        let chain = context.follow(redirect.from);
        let first = chain.hops.first().and_then(|hop| hop.rule);
        let is_by_new = first.is_some_and(|rule| rule.file == new);
        let works = is_by_new && is_answered(AddressVerdict::new(&chain, &context));
        (works, first.or(chain.last_rule))
    };
    let (works, by) = ask(after, context.rules.len());
    if works {
        return Trial::Works;
    }
    let hiding = by.and_then(|rule| {
        let file = after.get(rule.file)?;
        Some(RuleLine {
            file: rule.file,
            line: file.rules().get(rule.rule)?.line,
        })
    });
    match hiding.filter(|line| line.file < context.rules.len()) {
        Some(line) if ask(before, 0).0 => Trial::Hidden(line),
        _ => Trial::Fails,
    }
}
