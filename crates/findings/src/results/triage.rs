//! The decisions made about a finding after a check.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use time::Date;

use crate::baseline::NewBaseline;
use crate::error::SettingsError;
use crate::rule::common::{EXPIRED_ALLOW, STALE, UNUSED_ALLOW};
use crate::settings::allow::AllowList;
use crate::{Allow, Baseline, Earlier, Finding, Level, Levels, PageName, Rule, Totals};
use baseref_document::Position;

/// Sets the level and ordinal of findings, decides which of them count, and counts them.
#[derive(Debug)]
pub struct Triage {
    levels: Levels,
    allows: AllowList,
    /// The name of the configuration in reports.
    config: Arc<PageName>,
    baseline: Option<GivenBaseline>,
    new_baseline: Option<Recording>,
    earlier: Option<Earlier>,
    totals: Totals,
}

#[derive(Debug)]
struct GivenBaseline {
    baseline: Baseline,
    name: Arc<PageName>,
    strict: bool,
}

/// A baseline that is being collected.
#[derive(Debug)]
struct Recording {
    baseline: NewBaseline,
    level: Level,
    counts: BaselineCounts,
}

/// The number of findings in a new baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaselineCounts {
    /// The findings that it contains.
    pub findings: u64,
    /// The new findings that it omits, because there already was a baseline.
    pub left_out: u64,
}

impl Triage {
    /// A triage by `levels`, and by `allows` as of `today`. The file `config` contains the
    /// exceptions.
    ///
    /// # Errors
    /// If a glob is malformed.
    pub fn new(
        levels: Levels,
        allows: Vec<Allow>,
        config: &str,
        today: Date,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            levels,
            allows: AllowList::new(allows, today)?,
            config: name_of_file(config),
            baseline: None,
            new_baseline: None,
            earlier: None,
            totals: Totals::default(),
        })
    }

    /// Treats findings in `baseline`, read from the file `name`, as known. If `strict`, its entries
    /// that no longer occur are findings.
    pub fn set_baseline(&mut self, baseline: Baseline, name: &str, strict: bool) {
        self.baseline = Some(GivenBaseline {
            baseline,
            name: name_of_file(name),
            strict,
        });
    }

    /// Treats findings of an earlier state as known.
    pub fn set_earlier(&mut self, earlier: Earlier) {
        self.earlier = Some(earlier);
    }

    /// Whether findings of an earlier state were given.
    #[must_use]
    pub fn has_earlier(&self) -> bool {
        self.earlier.is_some()
    }

    /// The findings of an earlier state, if given.
    pub fn earlier(&mut self) -> Option<&mut Earlier> {
        self.earlier.as_mut()
    }

    /// Starts to collect a new baseline of all findings of `level` or above that are not allowed.
    /// If there already is a baseline, only its findings are kept: a run must not hide new ones.
    pub fn record(&mut self, level: Level) {
        self.new_baseline = Some(Recording {
            baseline: NewBaseline::new(),
            level,
            counts: BaselineCounts::default(),
        });
    }

    /// Judges the findings of one document, in the order of [`Finding::sort`]. Findings of rules
    /// that are off are removed, and allowed findings get the reason.
    pub fn document(&mut self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            if let Some(level) = self.levels.level(finding.rule) {
                finding.level = level;
            }
            finding.level != Level::Off
        });
        number(findings);
        for finding in findings {
            finding.allow(self.allows.reason(finding));
            let baseline = self.baseline.as_mut();
            let in_baseline = baseline.map(|known| known.baseline.knows(finding.fingerprint()));
            finding.known = in_baseline == Some(true);
            let was_there = self.earlier.as_mut();
            let was_there = was_there.is_some_and(|earlier| earlier.knows(finding));
            finding.known |= was_there;
            self.totals.add(finding);
            if let Some(recording) = &mut self.new_baseline
                && finding.level >= recording.level
                && finding.allowed().is_none()
            {
                if in_baseline == Some(false) {
                    recording.counts.left_out += 1;
                } else {
                    recording.counts.findings += 1;
                    recording.baseline.add(finding);
                }
            }
        }
    }

    /// Must be called after the last document. Returns the findings about the configuration and the
    /// baseline, judged like any other, but never recorded in a baseline. If not all inputs could be
    /// read (`is_whole` is false), it is not known what no longer occurs: none of that is a finding,
    /// and a new baseline keeps it.
    pub fn finish(&mut self, is_whole: bool) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for allow in self.allows.expired() {
            findings.push(self.allow_finding(&EXPIRED_ALLOW, allow));
        }
        for allow in self.allows.unused().filter(|_| is_whole) {
            findings.push(self.allow_finding(&UNUSED_ALLOW, allow));
        }
        let known = self.baseline.as_ref();
        if let (Some(known), Some(recording), false) = (known, &mut self.new_baseline, is_whole) {
            for entry in known.baseline.stale() {
                recording.counts.findings += 1;
                recording.baseline.add_entry(entry);
            }
        }
        if let Some(known) = known.filter(|known| known.strict && is_whole) {
            findings.extend(known.baseline.stale().map(|entry| {
                let message = format!("{} in {} no longer occurs", entry.rule, entry.doc);
                let mut finding =
                    Finding::new(&STALE, &known.name, entry.fingerprint.as_str(), message);
                finding.raw = entry.raw.as_str().into();
                finding
            }));
        }
        let recorded = self.new_baseline.take();
        self.document(&mut findings);
        self.new_baseline = recorded;
        findings
    }

    fn allow_finding(&self, rule: &'static Rule, allow: &Allow) -> Finding {
        let mut what = allow.rule.clone();
        for (mark, glob) in [(':', &allow.url), ('@', &allow.doc)] {
            if let Some(glob) = glob {
                what.push(mark);
                what += glob;
            }
        }
        let message = match allow.expires {
            Some(last) if rule == &EXPIRED_ALLOW => format!("`{what}` was allowed until {last}"),
            _ => format!("`{what}` matches no finding"),
        };
        let on_command_line = allow.at.is_none();
        let page = if on_command_line {
            &name_of_file("--allow")
        } else {
            &self.config
        };
        let mut finding = Finding::new(rule, page, what.as_str(), message);
        finding.at.clone_from(&allow.at);
        finding.raw = what.into();
        finding
    }

    /// The user's levels of rules.
    #[must_use]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The totals.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The new baseline as a file, and its counts; `None` if none was requested.
    #[must_use]
    pub fn into_baseline(self) -> Option<(Vec<u8>, BaselineCounts)> {
        let recording = self.new_baseline?;
        Some((recording.baseline.into_bytes(), recording.counts))
    }
}

/// Sets the ordinals of the findings of one document, which must be sorted by position.
fn number(findings: &mut [Finding]) {
    let mut seen = HashMap::<(*const Rule, &str), u32, RandomState>::default();
    let ordinals = findings.iter().map(|finding| {
        let rule = std::ptr::from_ref(finding.rule);
        let next = seen.entry((rule, &finding.raw)).or_default();
        *next += 1;
        *next - 1
    });
    let ordinals: Vec<u32> = ordinals.collect();
    for (finding, ordinal) in findings.iter_mut().zip(ordinals) {
        finding.ordinal = ordinal.into();
    }
}

fn name_of_file(name: &str) -> Arc<PageName> {
    Arc::new(PageName {
        doc: name.to_owned(),
        url: None,
        key: name.to_owned(),
    })
}

/// The position of a value in a configuration file.
pub(crate) fn place_in(text: &str, byte: std::ops::Range<usize>) -> Option<Position> {
    Places::new(text).position(byte)
}

/// Computes positions in a text. In ascending order, all together cost as much as the last one.
pub(crate) struct Places<'t> {
    text: &'t str,
    /// The offset up to which line ends were counted.
    at: usize,
    /// The number of line ends up to there.
    ends: usize,
    /// Where that line starts.
    start: usize,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            ends: 0,
            start: 0,
        }
    }

    pub(crate) fn position(&mut self, byte: std::ops::Range<usize>) -> Option<Position> {
        if byte.start < self.at {
            *self = Self::new(self.text);
        }
        let more = self.text.as_bytes().get(self.at..byte.start)?;
        self.ends += memchr::memchr_iter(b'\n', more).count();
        if let Some(last) = memchr::memrchr(b'\n', more) {
            self.start = self.at + last + 1;
        }
        self.at = byte.start;
        let column = self.text.get(self.start..byte.start)?.chars().count() + 1;
        Some(Position::new(
            u32::try_from(self.ends + 1).ok()?.try_into().ok()?,
            u32::try_from(column).ok()?.try_into().ok()?,
            byte.start as u64..byte.end as u64,
        ))
    }
}

#[cfg(test)]
mod tests {
    use time::Month;

    use super::*;
    use crate::rule::tests::{BASE_EMPTY, MISSING};

    #[test]
    fn positions_do_not_depend_on_order() {
        let text = "a\n\u{e4}b\n\nc";
        let all = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        let mut forwards = Places::new(text);
        let told: Vec<_> = all.clone().map(|at| forwards.position(at..at)).collect();
        let place = |at: &Option<Position>| {
            let at = at.as_ref().expect("the text has a position at every byte");
            (at.line.get(), at.column.get())
        };
        let places: Vec<_> = told.iter().map(place).collect();
        let expected = [
            (1, 1),
            (1, 2),
            (2, 1),
            (2, 2),
            (2, 3),
            (3, 1),
            (4, 1),
            (4, 2),
        ];
        assert_eq!(places, expected);
        let mut backwards = Places::new(text);
        let turned: Vec<_> = all.rev().map(|at| backwards.position(at..at)).collect();
        assert_eq!(turned.into_iter().rev().collect::<Vec<_>>(), told);
        assert_eq!(forwards.position(99..99), None);
    }

    fn today() -> Date {
        Date::from_calendar_date(2026, Month::March, 2).unwrap()
    }

    fn plain() -> Triage {
        Triage::new(Levels::default(), Vec::new(), "baseref.toml", today()).unwrap()
    }

    /// Findings of one document, at consecutive bytes.
    fn document(raws: &[&str]) -> Vec<Finding> {
        let page = name_of_file("a.html");
        let of = |raw: &&str| {
            let mut finding = Finding::new(&MISSING, &page, *raw, "no such file");
            finding.raw = (*raw).into();
            finding.url = Some(format!("/{raw}").into());
            finding
        };
        raws.iter().map(of).collect()
    }

    #[test]
    fn baseline_matches_moved_findings() {
        let mut first = plain();
        first.record(Level::Error);
        first.document(&mut document(&["x", "y", "y"]));
        assert_eq!(first.totals().count(Level::Error).new, 3);
        let file = String::from_utf8(first.into_baseline().unwrap().0).unwrap();
        assert_eq!(file.lines().count(), 4);

        let mut second = plain();
        second.set_baseline(Baseline::read(&file).unwrap(), "known.jsonl", true);
        let mut findings = document(&["new", "y", "y", "y"]);
        second.document(&mut findings);
        let known: Vec<bool> = findings.iter().map(|finding| finding.known).collect();
        assert_eq!(known, [false, true, true, false], "the third y is new");
        let stale = second.finish(true);
        assert_eq!(stale.len(), 1);
        assert_eq!(stale[0].rule.id, "baseline/stale");
        assert_eq!(&*stale[0].raw, "x");
        let errors = second.totals().count(Level::Error);
        assert_eq!((errors.new, errors.known, errors.all()), (3, 2, 5));
    }

    #[test]
    fn baseline_keeps_what_could_not_be_read() {
        let mut first = plain();
        first.record(Level::Error);
        first.document(&mut document(&["a", "b"]));
        let (file, _) = first.into_baseline().expect("a baseline was recorded");
        let file = String::from_utf8(file).expect("a baseline is UTF-8");
        let mut second = plain();
        second.set_baseline(Baseline::read(&file).unwrap(), "known.jsonl", true);
        second.record(Level::Error);
        assert!(second.finish(false).is_empty());
        let (kept, counts) = second.into_baseline().expect("a baseline was recorded");
        assert_eq!(
            (String::from_utf8(kept).unwrap(), counts.findings),
            (file, 2)
        );
    }

    #[test]
    fn baseline_read_and_written_drops_repaired_and_adds_no_new() {
        let mut first = plain();
        first.record(Level::Error);
        first.document(&mut document(&["gone", "stays"]));
        let (file, counts) = first.into_baseline().expect("a baseline was recorded");
        assert_eq!((counts.findings, counts.left_out), (2, 0));
        let file = String::from_utf8(file).expect("a baseline is UTF-8");
        let mut second = plain();
        second.set_baseline(Baseline::read(&file).unwrap(), "known.jsonl", true);
        second.record(Level::Error);
        second.document(&mut document(&["stays", "new"]));
        second.finish(true);
        let (file, counts) = second.into_baseline().expect("a baseline was recorded");
        assert_eq!((counts.findings, counts.left_out), (1, 1));
        let file = String::from_utf8(file).expect("a baseline is UTF-8");
        assert!(file.contains("\"raw\":\"stays\"") && !file.contains("\"raw\":\"new\""));
        assert_eq!(file.lines().count(), 2);
    }

    #[test]
    fn disabled_rule_is_neither_reported_nor_counted() {
        let mut levels = Levels::default();
        levels.set_argument("target/*=off", &[&MISSING]).unwrap();
        let mut triage = Triage::new(levels, Vec::new(), "", today()).unwrap();
        let mut findings = document(&["x"]);
        findings.push(Finding::new(&BASE_EMPTY, &findings[0].page.clone(), "", ""));
        triage.document(&mut findings);
        assert_eq!(findings.len(), 1);
        assert_eq!(triage.totals().count(Level::Error).all(), 0);
        assert!(triage.totals().fails(Level::Note) && !triage.totals().fails(Level::Error));
    }

    #[test]
    fn allowed_finding_does_not_count() {
        let allow: Allow = "target/*:/x*@a.*".parse().unwrap();
        let allow = Allow {
            reason: "known".to_owned(),
            ..allow
        };
        let mut triage = Triage::new(Levels::default(), vec![allow], "", today()).unwrap();
        let mut findings = document(&["x1", "y"]);
        triage.document(&mut findings);
        assert_eq!(findings[0].allowed(), Some("known"));
        assert_eq!(findings[1].allowed(), None);
        assert!(triage.finish(true).is_empty());
        assert_eq!(triage.totals().count(Level::Error).allowed, 1);
    }

    #[test]
    fn exception_is_valid_through_its_last_day() {
        for (last, allowed) in [(2, 1), (1, 0)] {
            let allow = Allow {
                rule: "*".to_owned(),
                expires: Date::from_calendar_date(2026, Month::March, last).ok(),
                ..Allow::default()
            };
            let mut triage = Triage::new(Levels::default(), vec![allow], "", today()).unwrap();
            triage.document(&mut document(&["x"]));
            let told: Vec<&str> = triage.finish(true).iter().map(|f| f.rule.id).collect();
            assert_eq!(triage.totals().count(Level::Error).allowed, allowed);
            assert_eq!(told.is_empty(), allowed == 1, "{told:?}");
            assert!(told.iter().all(|id| *id == "config/expired-allow"));
        }
    }

    #[test]
    fn unused_exception_is_a_note() {
        let allow: Allow = "target/*:/nowhere".parse().unwrap();
        let mut triage = Triage::new(Levels::default(), vec![allow], "", today()).unwrap();
        triage.document(&mut document(&["x"]));
        let findings = triage.finish(true);
        assert_eq!(findings[0].rule.id, "config/unused-allow");
        assert_eq!(findings[0].page.doc, "--allow");
        assert_eq!(triage.totals().count(Level::Note).new, 1);
    }
}
