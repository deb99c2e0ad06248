//! After the launch: what servers were measured to answer at the old addresses, beside what was
//! predicted.

use std::collections::HashSet;
use std::sync::Arc;

use crate::addresses::Row;
use crate::rules;
use baseref_evidence::link_reports::{FetchResult, Statuses};
use baseref_findings::words::plural;
use baseref_findings::{Finding, Moved, PageName, Rule};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{without_fragment, without_query};
use baseref_server::follow::{End, MoveContext};

/// What was measured, and what is too old to count.
pub(super) struct Reports {
    pub(super) statuses: Statuses,
    /// The first day that is recent enough.
    pub(super) oldest: Option<String>,
}

/// The comparison of all old addresses.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// In the order of the addresses.
    pub(super) findings: Vec<Finding>,
    /// The URLs to be measured again: what was not, what gave no answer or another one than
    /// predicted, and where redirects led that nobody followed.
    pub(super) recheck: Vec<String>,
    as_predicted: u64,
    otherwise: u64,
    not_measured: u64,
    /// How many addresses have no prediction to compare with.
    unpredicted: u64,
}

impl Comparison {
    /// The verdict, one sentence each.
    pub(super) fn in_words(&self) -> Vec<String> {
        let measured = self.as_predicted + self.otherwise;
        let addresses = plural(measured, "old address", "old addresses");
        let words = match (measured, self.otherwise) {
            (0, _) => "Not known: no old address has an answer.".to_owned(),
            (1, 0) => "As predicted: the only old address with an answer.".to_owned(),
            (_, 0) => format!("As predicted: all {addresses} with an answer."),
            (_, otherwise) => {
                format!("Not as predicted: {otherwise} of {addresses} with an answer.")
            }
        };
        let others = [
            (self.not_measured, "checked"),
            (self.unpredicted, "predicted"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others = others.map(|(count, what)| format!("{} not {what}.", were(*count)));
        std::iter::once(words).chain(others).collect()
    }
}

fn were(count: u64) -> String {
    format!("{count} {}", if count == 1 { "was" } else { "were" })
}

/// What is predicted of an address: what servers answer, without what pages do by themselves.
struct Expected {
    /// The redirects: the status, and where each leads.
    hops: Vec<(u16, String)>,
    /// The status at the end, if a server was asked for it.
    end: Option<u16>,
    /// The last URL.
    url: String,
}

/// What comes of one address.
enum Outcome {
    AsPredicted,
    Otherwise(String),
    NotMeasured(String),
}

/// What is known of the addresses.
pub(super) struct Predictions<'k> {
    pub(super) context: &'k MoveContext<'k>,
    /// The numbers of the files of rules that stand for pages which redirect by themselves.
    pub(super) stubs: HashSet<usize>,
    /// The document, list or file of rules that an address is known from.
    pub(super) name: &'k dyn Fn(&str) -> Arc<PageName>,
}

impl Reports {
    /// Compares what was measured of some addresses with what is predicted.
    pub(super) fn compare(&self, rows: &[Row], predictions: &Predictions<'_>) -> Comparison {
        let mut comparison = Comparison::default();
        let mut seen = HashSet::new();
        for row in rows {
            let Some(expected) = predictions.expected(row) else {
                comparison.unpredicted += 1;
                continue;
            };
            let measured = self.statuses.of(&row.old_url);
            let outcome = self.outcome(measured.as_ref(), &expected);
            let (rule, message): (&'static Rule, String) = match outcome {
                Outcome::AsPredicted => {
                    comparison.as_predicted += 1;
                    let open = measured.as_ref().filter(|measured| is_open(measured));
                    let open = open.filter(|_| expected.end.is_some());
                    if let Some(open) = open.map(|measured| measured.end().to_owned())
                        && seen.insert(open.clone())
                    {
                        comparison.recheck.push(open);
                    }
                    continue;
                }
                Outcome::Otherwise(came) => {
                    comparison.otherwise += 1;
                    let message = format!("expected {}, came {came}", expected.in_words());
                    (&rules::NOT_AS_PREDICTED, message)
                }
                Outcome::NotMeasured(why) => {
                    comparison.not_measured += 1;
                    (&rules::NOT_MEASURED, why)
                }
            };
            if seen.insert(row.old_url.to_string()) {
                comparison.recheck.push(row.old_url.to_string());
            }
            let name = (predictions.name)(&row.old_url);
            let finding = finding(rule, &name, row, message, (&expected, measured.as_ref()));
            comparison.findings.push(finding);
        }
        comparison
    }

    fn outcome(&self, measured: Option<&FetchResult>, expected: &Expected) -> Outcome {
        let Some(measured) = measured else {
            return Outcome::NotMeasured("the status files say nothing of it".to_owned());
        };
        if let (Some(oldest), Some(date)) = (&self.oldest, &measured.date)
            && measured.is_before(oldest)
        {
            return Outcome::NotMeasured(format!(
                "it was measured on {date}, longer ago than --max-age"
            ));
        }
        if let Some(why) = no_answer(measured) {
            return Outcome::NotMeasured(why);
        }
        if expected.agrees(measured) {
            Outcome::AsPredicted
        } else {
            Outcome::Otherwise(in_words(measured))
        }
    }
}

/// Whether the redirects were not followed to their end.
fn is_open(measured: &FetchResult) -> bool {
    !measured.hops.is_empty() && measured.end_status.is_none()
}

/// Why a measurement is none: there was no answer, or one that asks to come again later.
fn no_answer(measured: &FetchResult) -> Option<String> {
    const LATER: [u16; 4] = [429, 502, 503, 504];
    if let Some(status) = measured.end_status.filter(|status| LATER.contains(status)) {
        return Some(format!("the server answered {status}, which may pass"));
    }
    if measured.no_host {
        return None;
    }
    let is_nothing = measured.status.is_none() && measured.hops.is_empty();
    let error = measured.error.as_deref();
    (is_nothing || measured.end_status.is_none() && error.is_some()).then(|| {
        format!(
            "there was no answer: {}",
            error.unwrap_or("no reason is given")
        )
    })
}

impl Predictions<'_> {
    /// What is predicted of an address; `None` if the rules do not say.
    fn expected(&self, row: &Row) -> Option<Expected> {
        let chain = self.context.follow(&row.old_url);
        let has_rules = !self.context.rules.is_empty() || self.context.prefix_redirect;
        let mut at = &*row.old_url;
        let mut hops = Vec::new();
        for hop in &chain.hops {
            if self.is_by_page(at, hop.rule) {
                return Some(Expected {
                    hops,
                    end: Some(200),
                    url: at.to_owned(),
                });
            }
            hops.push((hop.status, hop.to.clone()));
            at = &hop.to;
        }
        let end = match chain.end {
            End::Unknown(..) => return None,
            End::Found { .. } | End::Fallback { .. } => Some(200),
            End::Refused(status) => Some(status),
            // Without rules, the map says where the address is to lead.
            End::NoRule if !has_rules && row.new_url != row.old_url => {
                return Some(Expected {
                    hops: vec![(0, row.new_url.to_string())],
                    end: Some(200),
                    url: row.new_url.to_string(),
                });
            }
            End::Loop | End::Elsewhere | End::NoRule => None,
        };
        Some(Expected {
            hops,
            end,
            url: chain.url,
        })
    }

    /// Whether it is a page at `url` that sends its readers on, which no server's answer shows.
    fn is_by_page(&self, url: &str, rule: Option<(usize, usize)>) -> bool {
        if let Some((file, _)) = rule {
            return self.stubs.contains(&file);
        }
        let form = normal(without_fragment(url), &NormalOptions::default());
        let page = without_query(&form);
        let page = page.strip_suffix("index.html").unwrap_or(page);
        self.context.stubs.contains_key(page)
    }
}

impl Expected {
    /// Whether what was measured is what was predicted, as far as it says anything.
    fn agrees(&self, measured: &FetchResult) -> bool {
        let first = self.hops.first().map(|(status, _)| *status).or(self.end);
        let first = first.filter(|status| *status > 0);
        if let (Some(expected), Some(came)) = (first, measured.status)
            && expected != came
        {
            return false;
        }
        if measured.no_host || measured.hops.is_empty() != self.hops.is_empty() {
            return false;
        }
        // A file that names each redirect has a status for each.
        let says_each = measured.hops.iter().all(|hop| hop.status.is_some());
        if says_each && !self.begins_with(measured) {
            return false;
        }
        if is_open(measured) {
            return says_each || is_same(&self.url, measured.end());
        }
        is_same(&self.url, measured.end())
            && self.end.is_none_or(|end| Some(end) == measured.end_status)
    }

    /// Whether the redirects are those measured: all of them, or the first if nobody went on.
    fn begins_with(&self, measured: &FetchResult) -> bool {
        let is_complete = !is_open(measured);
        let equal = self.hops.iter().zip(&measured.hops);
        let is_equal = equal.into_iter().all(|((status, to), hop)| {
            let is_status = *status == 0 || hop.status.is_none_or(|came| came == *status);
            // Where only the map says where it is to lead, there may be redirects in between.
            *status == 0 && !is_complete || is_status && (*status == 0 || is_same(to, &hop.to))
        });
        let is_mapped = self.hops.first().is_some_and(|(status, _)| *status == 0);
        let is_long_enough = if is_complete {
            self.hops.len() == measured.hops.len()
        } else {
            self.hops.len() >= measured.hops.len()
        };
        is_equal && (is_mapped || is_long_enough)
    }

    fn in_words(&self) -> String {
        let hops: Vec<(Option<u16>, &str)> = self
            .hops
            .iter()
            .map(|(status, to)| (Some(*status).filter(|status| *status > 0), to.as_str()))
            .collect();
        answers(&hops, self.end)
    }
}

/// What was measured, as [`Expected::in_words`] says it.
fn in_words(measured: &FetchResult) -> String {
    if measured.no_host {
        return "a host without an address".to_owned();
    }
    let hops: Vec<(Option<u16>, &str)> = measured
        .hops
        .iter()
        .map(|hop| (hop.status, &*hop.to))
        .collect();
    answers(&hops, measured.end_status)
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

/// Whether two URLs are one to a server, and name one part of the page if both name any.
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
    (expected, measured): (&Expected, Option<&FetchResult>),
) -> Finding {
    let mut finding = Finding::new(rule, name, &*row.old_url, message);
    finding.raw = (&*row.old_url).into();
    finding.url = Some((&*row.old_url).into());
    finding.moved = Some(Box::new(Moved {
        old_url: Some(row.old_url.to_string()),
        new_url: measured.map(|measured| measured.end().to_owned()),
        expected: Some(expected.url.clone()),
        hops: measured.map_or_else(Vec::new, |measured| {
            measured.hops.iter().map(|hop| hop.to.to_string()).collect()
        }),
        ..Moved::default()
    }));
    finding
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(lines: &str) -> FetchResult {
        let mut statuses = Statuses::default();
        statuses
            .read("lines", lines.as_bytes(), None)
            .expect("lines");
        statuses.of("http://o/a").expect("measured")
    }

    fn expected(hops: &[(u16, &str)], end: Option<u16>) -> Expected {
        let hops = hops.iter().map(|(status, to)| (*status, (*to).to_owned()));
        let hops: Vec<(u16, String)> = hops.collect();
        Expected {
            url: hops
                .last()
                .map_or("http://o/a".to_owned(), |(_, to)| to.clone()),
            hops,
            end,
        }
    }

    #[test]
    fn the_first_answer_the_redirects_and_the_end_are_compared() {
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
            // Where nothing is known but where it is to lead.
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
                expected.agrees(&measured(lines)),
                agrees,
                "{lines}: {}",
                expected.in_words()
            );
        }
    }

    #[test]
    fn what_may_pass_is_no_measurement() {
        for (lines, is_none) in [
            ("http://o/a 503 \n", true),
            ("http://o/a 000 \n", true),
            ("http://o/a\t000\t\tTimed out\n", true),
            ("http://o/a\t000\t\tCould not resolve host\n", false),
            ("http://o/a 500 \n", false),
        ] {
            assert_eq!(no_answer(&measured(lines)).is_some(), is_none, "{lines}");
        }
    }
}
