//! Compares the answers that link checkers reported after the launch with the predictions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::addresses::Row;
use crate::rules;
use baseref_evidence::link_reports::{FetchResult, Statuses};
use baseref_findings::words::plural;
use baseref_findings::{Finding, MoveEffect, PageName, Rule};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::without_fragment;
use baseref_server::follow::{End, MoveContext};

/// The reports of link checkers.
pub(super) struct Reports {
    pub(super) statuses: Statuses,
    /// The earliest date that is recent enough.
    pub(super) oldest: Option<String>,
}

/// The results of comparing all old addresses.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The findings, in the order of the addresses.
    pub(super) findings: Vec<Finding>,
    /// The URLs to check again: those without an answer or with another one than predicted, and the
    /// targets of redirects that were not followed.
    pub(super) recheck: Vec<String>,
    /// The number of addresses that answer as predicted.
    as_predicted: u64,
    /// The number of addresses that answer otherwise.
    differing: u64,
    /// The number of addresses without a report.
    unchecked: u64,
    /// The number of addresses without a prediction.
    unpredicted: u64,
}

impl Comparison {
    /// The verdict, one sentence each.
    pub(super) fn in_words(&self) -> Vec<String> {
        let answered = self.as_predicted + self.differing;
        let addresses = plural(answered, "old address", "old addresses");
        let words = match (answered, self.differing) {
            (0, _) => "Not known: no old address has an answer.".to_owned(),
            (1, 0) => "As predicted: the only old address with an answer.".to_owned(),
            (_, 0) => format!("As predicted: all {addresses} with an answer."),
            (_, otherwise) => {
                format!("Not as predicted: {otherwise} of {addresses} with an answer.")
            }
        };
        let others = [(self.unchecked, "checked"), (self.unpredicted, "predicted")];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others = others.map(|(count, what)| format!("{} not {what}.", were(*count)));
        std::iter::once(words).chain(others).collect()
    }
}

fn were(count: u64) -> String {
    format!("{count} {}", if count == 1 { "was" } else { "were" })
}

/// The predicted answers of servers for an address, without the refreshes of pages.
struct Prediction {
    /// The redirects.
    hops: Vec<PredictedHop>,
    /// The final status, if a server that is known here sends it.
    end: Option<u16>,
    /// The last URL.
    url: String,
}

/// A predicted redirect.
struct PredictedHop {
    /// `None` if only the target is known.
    status: Option<u16>,
    to: String,
}

/// The result of comparing one address.
enum Outcome {
    AsPredicted,
    Differs(String),
    Unchecked(String),
}

/// Predicts the answers for addresses.
pub(super) struct Predictor<'k> {
    pub(super) context: &'k MoveContext<'k>,
    /// The document or list that an address comes from.
    pub(super) names: &'k HashMap<&'k str, &'k Arc<PageName>>,
    /// Where the others come from.
    pub(super) rule_file: &'k Arc<PageName>,
}

impl Reports {
    /// Compares the reported answers for the addresses with the predictions.
    pub(super) fn compare(&self, rows: &[Row], predictor: &Predictor<'_>) -> Comparison {
        let mut comparison = Comparison::default();
        let mut seen = HashSet::new();
        for row in rows {
            let Some(expected) = predictor.expected(row) else {
                comparison.unpredicted += 1;
                continue;
            };
            let result = self.statuses.result(&row.old_url);
            let outcome = self.outcome(result.as_ref(), &expected);
            let (rule, message): (&'static Rule, String) = match outcome {
                Outcome::AsPredicted => {
                    comparison.as_predicted += 1;
                    let open = result.as_ref().filter(|result| is_open(result));
                    let open = open.filter(|_| expected.end.is_some());
                    if let Some(open) = open.map(|result| result.end().to_owned())
                        && seen.insert(open.clone())
                    {
                        comparison.recheck.push(open);
                    }
                    continue;
                }
                Outcome::Differs(came) => {
                    comparison.differing += 1;
                    let message = format!("expected {}, got {came}", expected.in_words());
                    (&rules::NOT_AS_PREDICTED, message)
                }
                Outcome::Unchecked(why) => {
                    comparison.unchecked += 1;
                    (&rules::NOT_MEASURED, why)
                }
            };
            if seen.insert(row.old_url.to_string()) {
                comparison.recheck.push(row.old_url.to_string());
            }
            let name = predictor.names.get(&*row.old_url);
            let name = name.copied().unwrap_or(predictor.rule_file);
            let finding = finding(rule, name, row, message, &expected, result.as_ref());
            comparison.findings.push(finding);
        }
        comparison
    }

    fn outcome(&self, result: Option<&FetchResult>, expected: &Prediction) -> Outcome {
        let Some(result) = result else {
            return Outcome::Unchecked("the status files have no result for it".to_owned());
        };
        if let (Some(oldest), Some(date)) = (&self.oldest, &result.date)
            && result.is_before(oldest)
        {
            return Outcome::Unchecked(format!(
                "it was checked on {date}, longer ago than --max-age"
            ));
        }
        if let Some(why) = no_answer(result) {
            return Outcome::Unchecked(why);
        }
        if expected.agrees(result) {
            Outcome::AsPredicted
        } else {
            Outcome::Differs(in_words(result))
        }
    }
}

/// Whether the checker did not follow the redirects to their end.
fn is_open(result: &FetchResult) -> bool {
    !result.hops.is_empty() && result.end_status.is_none()
}

/// The reason why a report does not count: the server did not answer, or only temporarily so.
fn no_answer(result: &FetchResult) -> Option<String> {
    const LATER: [u16; 4] = [429, 502, 503, 504];
    if let Some(status) = result.end_status.filter(|status| LATER.contains(status)) {
        return Some(format!(
            "the server answered {status}, which may be temporary"
        ));
    }
    if result.no_host {
        return None;
    }
    let is_nothing = result.status.is_none() && result.hops.is_empty();
    let error = result.error.as_deref();
    (is_nothing || result.end_status.is_none() && error.is_some()).then(|| {
        format!(
            "there was no answer: {}",
            error.unwrap_or("no reason is given")
        )
    })
}

impl Predictor<'_> {
    /// The prediction for an address; `None` if the rules leave it open.
    fn expected(&self, row: &Row) -> Option<Prediction> {
        let chain = self.context.follow(&row.old_url);
        let has_rules = !self.context.rules.is_empty() || self.context.prefix_redirect;
        let mut at = &*row.old_url;
        let mut hops = Vec::new();
        for hop in &chain.hops {
            if hop.is_refresh {
                return Some(Prediction {
                    hops,
                    end: Some(200),
                    url: at.to_owned(),
                });
            }
            hops.push(PredictedHop {
                status: Some(hop.status).filter(|status| *status > 0),
                to: hop.to.clone(),
            });
            at = &hop.to;
        }
        let end = match chain.end {
            End::Unknown(..) | End::Unread => return None,
            End::Found { .. } | End::Fallback { .. } => Some(200),
            End::Refused(status) => Some(status),
            // Without rules, the map shows where the address should lead.
            End::NoRule if !has_rules && row.new_url != row.old_url => {
                return Some(Prediction {
                    hops: vec![PredictedHop {
                        status: None,
                        to: row.new_url.to_string(),
                    }],
                    end: Some(200),
                    url: row.new_url.to_string(),
                });
            }
            End::Loop | End::Elsewhere | End::NoRule => None,
        };
        Some(Prediction {
            hops,
            end,
            url: chain.url,
        })
    }
}

impl Prediction {
    /// Whether the reported answers match the prediction, as far as they are reported.
    fn agrees(&self, result: &FetchResult) -> bool {
        let first = self.hops.first().map_or(self.end, |hop| hop.status);
        if let (Some(expected), Some(came)) = (first, result.status)
            && expected != came
        {
            return false;
        }
        if result.no_host || result.hops.is_empty() != self.hops.is_empty() {
            return false;
        }
        // Checkers that report each redirect also report its status.
        let says_each = result.hops.iter().all(|hop| hop.status.is_some());
        if says_each && !self.begins_with(result) {
            return false;
        }
        if is_open(result) {
            return says_each || is_same(&self.url, result.end());
        }
        is_same(&self.url, result.end())
            && self.end.is_none_or(|end| Some(end) == result.end_status)
    }

    /// Whether the predicted redirects match the reported ones: all of them, or the first if the checker
    /// did not go on.
    fn begins_with(&self, result: &FetchResult) -> bool {
        let is_complete = !is_open(result);
        let equal = self.hops.iter().zip(&result.hops);
        let is_equal = equal
            .into_iter()
            .all(|(predicted, hop)| match predicted.status {
                // If only the map shows the target, redirects in between are allowed.
                None => true,
                Some(status) => {
                    hop.status.is_none_or(|came| came == status) && is_same(&predicted.to, &hop.to)
                }
            });
        let is_mapped = self.hops.first().is_some_and(|hop| hop.status.is_none());
        let is_long_enough = if is_complete {
            self.hops.len() == result.hops.len()
        } else {
            self.hops.len() >= result.hops.len()
        };
        is_equal && (is_mapped || is_long_enough)
    }

    fn in_words(&self) -> String {
        let hops: Vec<(Option<u16>, &str)> = self
            .hops
            .iter()
            .map(|hop| (hop.status, hop.to.as_str()))
            .collect();
        answers(&hops, self.end)
    }
}

/// Describes the reported answers as [`Prediction::in_words`] does.
fn in_words(result: &FetchResult) -> String {
    if result.no_host {
        return "a host without an address".to_owned();
    }
    let hops: Vec<(Option<u16>, &str)> = result
        .hops
        .iter()
        .map(|hop| (hop.status, &*hop.to))
        .collect();
    answers(&hops, result.end_status)
}

/// `301 to https://a.example/b, then 200`.
fn answers(hops: &[(Option<u16>, &str)], end: Option<u16>) -> String {
    let mut parts: Vec<String> = hops
        .iter()
        .map(|(status, to)| match status {
            Some(status) => format!("{status} to {to}"),
            None => format!("a redirect to {to}"),
        })
        .collect();
    match end {
        Some(status) => parts.push(status.to_string()),
        None if parts.is_empty() => parts.push("no redirect".to_owned()),
        None => {}
    }
    parts.join(", then ")
}

/// Whether two URLs are equal to a server, and have the same fragment if both have one.
fn is_same(one: &str, other: &str) -> bool {
    let form = |url: &str| normal(without_fragment(url), &NormalOptions::default());
    let fragments = (one.split_once('#'), other.split_once('#'));
    let is_one_part = match fragments {
        (Some((_, one)), Some((_, other))) => one == other,
        _ => true,
    };
    is_one_part && form(one) == form(other)
}

fn finding(
    rule: &'static Rule,
    name: &Arc<PageName>,
    row: &Row,
    message: String,
    expected: &Prediction,
    result: Option<&FetchResult>,
) -> Finding {
    let mut finding = Finding::new(rule, name, &*row.old_url, message);
    finding.raw = (&*row.old_url).into();
    finding.url = Some((&*row.old_url).into());
    finding.moved = Some(Box::new(MoveEffect {
        old_url: Some(row.old_url.to_string()),
        new_url: result.map(|result| result.end().to_owned()),
        expected: Some(expected.url.clone()),
        hops: result.map_or_else(Vec::new, |result| {
            result.hops.iter().map(|hop| hop.to.to_string()).collect()
        }),
        ..MoveEffect::default()
    }));
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(lines: &str) -> FetchResult {
        let mut statuses = Statuses::default();
        statuses
            .read("lines", lines.as_bytes(), None)
            .expect("the lines are a status file");
        statuses
            .result("http://o/a")
            .expect("the lines report the address")
    }

    fn expected(hops: &[(u16, &str)], end: Option<u16>) -> Prediction {
        let hops = hops.iter().map(|(status, to)| PredictedHop {
            status: Some(*status).filter(|status| *status > 0),
            to: (*to).to_owned(),
        });
        let hops: Vec<PredictedHop> = hops.collect();
        Prediction {
            url: hops
                .last()
                .map_or("http://o/a".to_owned(), |hop| hop.to.clone()),
            hops,
            end,
        }
    }

    #[test]
    fn first_answer_redirects_and_end_are_compared() {
        let one = [(301, "https://n/a#x")];
        let two = [(301, "https://n/a"), (308, "https://n/a/")];
        let table = "url,status,final\n";
        for (lines, hops, end, agrees) in [
            ("http://o/a 301 https://n/a\n", &one[..], Some(200), true),
            ("http://o/a 301 https://N:443/a#x\n", &one, Some(200), true),
            ("http://o/a 301 https://n/a#y\n", &one, Some(200), false),
            ("http://o/a 302 https://n/a\n", &one, Some(200), false),
            ("http://o/a 301 https://n/b\n", &one, Some(200), false),
            ("http://o/a 404 \n", &one, Some(200), false),
            ("http://o/a 200 \n", &one, Some(200), false),
            ("http://o/a 200 \n", &[], Some(200), true),
            ("http://o/a 404 \n", &[], Some(410), false),
            ("http://o/a 410 \n", &[], Some(410), true),
            ("http://o/a 301 https://n/a\n", &two, Some(200), true),
            ("http://o/a 301 https://n/a/\n", &two, Some(200), false),
            (
                "http://o/a 301 https://n/a\nhttps://n/a 404 \n",
                &one,
                Some(200),
                false,
            ),
            (
                "http://o/a 301 https://n/a\nhttps://n/a 308 https://n/a/\nhttps://n/a/ 200 \n",
                &two,
                Some(200),
                true,
            ),
            (
                "http://o/a 301 https://n/a\nhttps://n/a 308 https://n/a/\n",
                &one,
                Some(200),
                false,
            ),
            (
                &format!("{table}http://o/a,200,https://n/a/\n"),
                &two,
                Some(200),
                true,
            ),
            (
                &format!("{table}http://o/a,200,https://n/\n"),
                &two,
                Some(200),
                false,
            ),
            (
                &format!("{table}http://o/a,404,https://n/a/\n"),
                &two,
                Some(200),
                false,
            ),
            // Only the target is known.
            (
                "http://o/a 302 https://n/x\nhttps://n/x 301 https://n/a\nhttps://n/a 200 \n",
                &[(0, "https://n/a")],
                Some(200),
                true,
            ),
            (
                "http://o/a 302 https://n/x\nhttps://n/x 200 \n",
                &[(0, "https://n/a")],
                Some(200),
                false,
            ),
        ] {
            let expected = expected(hops, end);
            assert_eq!(
                expected.agrees(&result(lines)),
                agrees,
                "{lines}: {}",
                expected.in_words()
            );
        }
    }

    #[test]
    fn temporary_answers_do_not_count() {
        for (lines, is_none) in [
            ("http://o/a 503 \n", true),
            ("http://o/a 000 \n", true),
            ("http://o/a\t000\t\tTimed out\n", true),
            ("http://o/a\t000\t\tCould not resolve host\n", false),
            ("http://o/a 500 \n", false),
        ] {
            assert_eq!(no_answer(&result(lines)).is_some(), is_none, "{lines}");
        }
    }
}
