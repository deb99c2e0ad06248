//! The links that differ between two versions of a document: those that appear, vanish or change.

use std::collections::{BTreeSet, HashMap};

use baseref_document::Document;
use baseref_document::link_places::Class;
use baseref_findings::{Change, Difference, Side};
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentLinks;
use baseref_rewrite::links::form;

/// The compared parts of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The element.
    pub element: Box<str>,
    /// The attribute.
    pub attr: Box<str>,
    /// The link text, white space collapsed.
    pub text: Option<Box<str>>,
    /// The value as record.
    pub raw: Box<str>,
    /// The target, in normal form.
    pub url: Option<Box<str>>,
    /// Line and column, 1-based.
    pub at: Option<(u64, u64)>,
}

/// The links of documents, by document name.
pub type Documents = Vec<(String, Vec<Link>)>;

impl Link {
    fn slot(&self) -> (&str, &str) {
        (&self.element, &self.attr)
    }

    /// The target, or the value if the link has none. The flag keeps the two apart.
    fn target(&self) -> (bool, &str) {
        match &self.url {
            Some(url) => (true, url),
            None => (false, &self.raw),
        }
    }

    fn side(&self) -> Side<'_> {
        Side {
            raw: &self.raw,
            url: self.url.as_deref(),
            at: self.at,
        }
    }
}

/// The links of a document and of those in its attributes, by document name. The prefix `root` is
/// stripped from their URLs.
#[must_use]
pub fn links_of(document: &Document, policy: Policy, root: &str) -> Documents {
    let resolved = policy.resolve(document);
    let of_one = |document_links: &DocumentLinks<'_>| {
        let mut links = Vec::with_capacity(document_links.document().references.len());
        document_links.for_each_link(|link| {
            let reference = &link.reference;
            let url = link.url.ok().map(form);
            let url = url.map(|url| match url.strip_prefix(root) {
                Some(path) if path.starts_with('/') => path.into(),
                _ => url.into_boxed_str(),
            });
            links.push(Link {
                element: reference.element.into(),
                attr: reference.attr.into(),
                text: reference
                    .text
                    .filter(|_| has_text(reference.slot.class))
                    .map(Into::into),
                raw: reference.value.into(),
                url,
                at: reference
                    .at
                    .map(|at| (at.line.get().into(), at.column.get().into())),
            });
        });
        (document_links.document().origin.to_string(), links)
    };
    resolved.documents().map(of_one).collect()
}

fn has_text(class: Class) -> bool {
    class == Class::Anchor
}

/// Pairs the links of two lists.
struct Pairing<'l> {
    old: &'l [Link],
    new: &'l [Link],
    /// The index in `new` of the partner of each link of `old`.
    partner: Vec<Option<usize>>,
    is_paired: Vec<bool>,
}

impl<'l> Pairing<'l> {
    /// Pairs the remaining links with equal keys, in order.
    fn pair<K: Eq + std::hash::Hash>(
        &mut self,
        key_of_old: impl Fn(usize, &'l Link) -> Option<K>,
        key_of_new: impl Fn(usize, &'l Link) -> Option<K>,
    ) {
        let mut unpaired: HashMap<K, Vec<usize>> = HashMap::new();
        for (number, link) in self.old.iter().enumerate().rev() {
            if self.partner[number].is_none()
                && let Some(key) = key_of_old(number, link)
            {
                unpaired.entry(key).or_default().push(number);
            }
        }
        for (number, link) in self.new.iter().enumerate() {
            if self.is_paired[number] {
                continue;
            }
            let unpaired = key_of_new(number, link).and_then(|key| unpaired.get_mut(&key)?.pop());
            if let Some(old) = unpaired {
                self.partner[old] = Some(number);
                self.is_paired[number] = true;
            }
        }
    }

    /// For each link of both lists, the last paired link up to it, as an index into `old`.
    fn gaps(&self) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let mut of_new = vec![None; self.new.len()];
        for (old, new) in self.partner.iter().enumerate() {
            if let Some(new) = new {
                of_new[*new] = Some(old);
            }
        }
        let after = |paired: &mut dyn Iterator<Item = Option<usize>>| {
            let mut last = None;
            paired
                .map(|number| {
                    last = number.or(last);
                    last
                })
                .collect()
        };
        let of_old = self.partner.iter().enumerate();
        let mut of_old = of_old.map(|(old, new)| new.map(|_| old));
        (after(&mut of_old), after(&mut of_new.into_iter()))
    }
}

/// The differences between two versions of a document, in the order of the new one. A vanished link
/// follows the link that preceded it. Links are paired by target, then by text, then by their
/// neighbours, always within one element name and attribute.
#[must_use]
pub fn differences<'l>(doc: &'l str, old: &'l [Link], new: &'l [Link]) -> Vec<Difference<'l>> {
    let mut pairing = Pairing {
        old,
        new,
        partner: vec![None; old.len()],
        is_paired: vec![false; new.len()],
    };
    let by_target = |_, link: &'l Link| Some((link.slot(), link.target(), link.text.as_deref()));
    pairing.pair(by_target, by_target);
    let by_target = |_, link: &'l Link| Some((link.slot(), link.target()));
    pairing.pair(by_target, by_target);
    let kept = pairing.partner.clone();
    let by_text = |_, link: &'l Link| {
        let text = link.text.as_deref().filter(|text| !text.is_empty())?;
        Some((link.slot(), text))
    };
    pairing.pair(by_text, by_text);
    let (gap_of_old, gap_of_new) = pairing.gaps();
    pairing.pair(
        |number, link: &'l Link| Some((link.slot(), gap_of_old[number])),
        |number, link: &'l Link| Some((link.slot(), gap_of_new[number])),
    );
    rows(doc, &pairing, &kept)
}

fn rows<'l>(doc: &'l str, pairing: &Pairing<'l>, kept: &[Option<usize>]) -> Vec<Difference<'l>> {
    let row = |change, link: &'l Link, old: Option<&'l Link>, new: Option<&'l Link>| Difference {
        change,
        doc,
        element: &link.element,
        attr: &link.attr,
        text: link.text.as_deref(),
        old: old.map(Link::side),
        new: new.map(Link::side),
    };
    let (_, gap_of_new) = pairing.gaps();
    let (gap_of_old, _) = pairing.gaps();
    let mut partner_of_new = vec![None; pairing.new.len()];
    for (old, new) in pairing.partner.iter().enumerate() {
        if let Some(new) = new {
            partner_of_new[*new] = Some(old);
        }
    }
    // The vanished links, by the last paired link before them.
    let mut vanished: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (number, partner) in pairing.partner.iter().enumerate() {
        if partner.is_none() {
            vanished.entry(gap_of_old[number]).or_default().push(number);
        }
    }
    let mut rows = Vec::new();
    let mut push_vanished = |gap: Option<usize>, rows: &mut Vec<Difference<'l>>| {
        for number in vanished.remove(&gap).unwrap_or_default() {
            let link = &pairing.old[number];
            rows.push(row(Change::Vanished, link, Some(link), None));
        }
    };
    push_vanished(None, &mut rows);
    for (number, link) in pairing.new.iter().enumerate() {
        match partner_of_new[number] {
            Some(old) if kept[old].is_none() => {
                rows.push(row(
                    Change::Changed,
                    link,
                    Some(&pairing.old[old]),
                    Some(link),
                ));
            }
            Some(_) => {}
            None => rows.push(row(Change::Appeared, link, None, Some(link))),
        }
        if partner_of_new[number].is_some() {
            push_vanished(gap_of_new[number], &mut rows);
        }
    }
    rows
}

/// Reads the links of documents, by name, from the output of `baseref links -f jsonl`.
///
/// # Errors
/// The first line that is malformed.
pub fn read_records(text: &str) -> Result<Documents, RecordError> {
    let mut documents = Documents::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let (doc, link) = read_record(line).map_err(|fault| RecordError {
            line: number,
            fault,
        })?;
        let index = match documents.last() {
            Some((last, _)) if *last == doc => documents.len() - 1,
            _ => *indices.entry(doc.clone()).or_insert_with(|| {
                documents.push((doc, Vec::new()));
                documents.len() - 1
            }),
        };
        if let Some((_, links)) = documents.get_mut(index) {
            links.push(link);
        }
    }
    Ok(documents)
}

/// A line of a list of links that is malformed.
#[derive(Debug, thiserror::Error)]
#[error("{line}: {fault}")]
pub struct RecordError {
    /// The line, 1-based.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub fault: RecordFault,
}

/// Why a line is not a link.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    /// It is not an object of JSON with fields of the right types.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is a record of another type.
    #[error("a record of the type {0}, and not of a link")]
    OtherType(String),
    /// It has neither of the fields that say what the link is.
    #[error("neither url nor raw is there, so nothing says what the link is")]
    NoLink,
}

/// A record of `baseref links -f jsonl`.
#[derive(serde::Deserialize)]
struct LinkRecord {
    #[serde(rename = "type")]
    kind: Option<String>,
    doc: Option<String>,
    element: Option<String>,
    attr: Option<String>,
    text: Option<String>,
    raw: Option<String>,
    url: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
}

fn read_record(line: &str) -> Result<(String, Link), RecordFault> {
    let record: LinkRecord = serde_json::from_str(line)?;
    if let Some(kind) = record.kind.filter(|kind| kind != "link") {
        return Err(RecordFault::OtherType(kind));
    }
    if record.raw.is_none() && record.url.is_none() {
        return Err(RecordFault::NoLink);
    }
    let element = record.element.unwrap_or_default().into_boxed_str();
    let found = Link {
        text: record
            .text
            .filter(|_| matches!(&*element, "a" | "area" | ""))
            .map(Into::into),
        element,
        attr: record.attr.unwrap_or_default().into(),
        raw: record.raw.unwrap_or_default().into(),
        url: record.url.map(|url| form(&url).into()),
        at: record.line.zip(record.column),
    };
    Ok((record.doc.unwrap_or_default(), found))
}

/// Makes the names of two lists comparable. If the lists share no name, each loses the leading folders
/// common to all of its names, the same number in both.
pub fn below_their_trees(old: &mut Documents, new: &mut Documents) {
    let names: BTreeSet<&str> = old.iter().map(|(name, _)| name.as_str()).collect();
    if new.iter().any(|(name, _)| names.contains(name.as_str())) {
        return;
    }
    let depth = common_folders(old).min(common_folders(new));
    for (name, _) in old.iter_mut().chain(new) {
        let below: Vec<&str> = name.splitn(depth + 1, '/').collect();
        *name = below.last().copied().unwrap_or_default().to_owned();
    }
}

/// The number of leading folders common to all names.
fn common_folders(documents: &[(String, Vec<Link>)]) -> usize {
    let folders = |name: &str| -> Vec<String> {
        let folders = name.rsplit_once('/').map(|(folders, _)| folders);
        folders
            .map(|folders| folders.split('/').map(str::to_owned).collect())
            .unwrap_or_default()
    };
    let mut names = documents.iter().map(|(name, _)| name);
    let Some(mut common) = names.next().map(|name| folders(name)) else {
        return 0;
    };
    for name in names {
        let same = name.split('/').zip(&common).take_while(|(a, b)| a == b);
        let same = same.count().min(folders_in(name));
        common.truncate(same);
    }
    common.len()
}

fn folders_in(name: &str) -> usize {
    name.matches('/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(url: &str, text: &str, line: u64) -> Link {
        Link {
            element: "a".into(),
            attr: "href".into(),
            text: Some(text.into()),
            raw: url.into(),
            url: Some(url.into()),
            at: Some((line, 1)),
        }
    }

    fn words(old: &[Link], new: &[Link]) -> Vec<String> {
        differences("d", old, new)
            .iter()
            .map(|row| {
                let url = |side: Option<Side<'_>>| {
                    side.and_then(|side| side.url).unwrap_or("-").to_owned()
                };
                format!("{} {} {}", row.change.as_str(), url(row.old), url(row.new))
            })
            .collect()
    }

    #[test]
    fn links_pair_by_target_then_text_then_neighbours() {
        let old = [
            link("a", "A", 1),
            link("b", "B", 2),
            link("c", "C", 3),
            link("d", "D", 4),
        ];
        let new = [
            link("d", "D", 1),
            link("a", "A", 2),
            link("x", "B", 3),
            link("y", "E", 4),
        ];
        assert_eq!(words(&old, &new), ["changed b x", "changed c y"]);
        assert_eq!(words(&old, &old), [""; 0]);
        assert_eq!(words(&old[..1], &[]), ["vanished a -"]);
        assert_eq!(words(&[], &old[..1]), ["appeared - a"]);
    }

    #[test]
    fn repeated_link_appeared() {
        let old = [link("a", "A", 1)];
        let new = [link("a", "A", 1), link("a", "A", 2)];
        assert_eq!(words(&old, &new), ["appeared - a"]);
    }

    #[test]
    fn leading_folders_are_stripped() {
        let docs = |names: &[&str]| -> Vec<_> {
            names
                .iter()
                .map(|name| ((*name).to_owned(), Vec::new()))
                .collect()
        };
        for (old, new, expected) in [
            (&["old/x/a", "old/b"][..], &["new/b"][..], ["x/a", "b"]),
            (
                &["old/x/a", "old/x/b"],
                &["new/x/a", "new/y/c"],
                ["x/a", "x/b"],
            ),
            (&["old/a", "b"], &["b"], ["old/a", "b"]),
        ] {
            let (mut old, mut new) = (docs(old), docs(new));
            below_their_trees(&mut old, &mut new);
            let names: Vec<&str> = old.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn malformed_line_is_an_error_with_its_number() {
        let good = r#"{"type":"link","doc":"a","raw":"x","url":"HTTP://h","line":1,"column":2}"#;
        let read = read_records(good).expect("the record is well-formed");
        assert_eq!(read[0].1[0].url.as_deref(), Some("http://h/"));
        for wrong in ["{\"type\":\"base\"}", "{\"doc\":\"a\"}", "x"] {
            let text = format!("{good}\n\n{wrong}");
            assert_eq!(read_records(&text).unwrap_err().line, 3, "{wrong}");
        }
    }
}
