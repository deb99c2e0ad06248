//! The output forms, checked by what their standards require.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use baseref_unwrap::End;

use super::store::{MOST, Sightings, addresses};
use super::*;

fn observables() -> Observables {
    let mut observables = Observables::default();
    for (kind, value) in [
        (ObservableKind::Url, "https://evil.example/x?a=\"b\""),
        (ObservableKind::Host, "evil.example"),
        (ObservableKind::Ip, "192.0.2.1"),
        (ObservableKind::Ip, "2001:db8::1"),
        (ObservableKind::Address, "joe@a.example"),
    ] {
        let seen = Sightings {
            count: 2,
            first: Some("2026-01-02T03:04:05Z".into()),
            last: Some("2026-02-02T03:04:05Z".into()),
            senders: vec!["News <news@b.example>".into()],
            wrappers: vec!["safelinks > proofpoint-v3".into()],
            end: Some(End::Opaque),
        };
        observables.seen.insert((kind, value.into()), seen);
    }
    observables
}

fn written(format: ObservablesFormat, is_defanged: bool) -> String {
    let mut out = Vec::new();
    let written = observables().write(format, is_defanged, &mut out);
    written.unwrap();
    String::from_utf8(out).unwrap()
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts[2].starts_with('5')
}

#[test]
fn stix_required_properties() {
    let bundle: Value = serde_json::from_str(&written(ObservablesFormat::Stix, false)).unwrap();
    assert_eq!(bundle["type"], "bundle");
    let objects = bundle["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 10);
    let mut ids = BTreeSet::new();
    for object in objects {
        let (kind, id) = (
            object["type"].as_str().unwrap(),
            object["id"].as_str().unwrap(),
        );
        assert!(
            id.strip_prefix(&format!("{kind}--")).is_some_and(is_uuid),
            "{id}"
        );
        assert_eq!(object["spec_version"], "2.1");
        assert!(ids.insert(id), "{id} is there twice");
        if kind != "observed-data" {
            assert!(object["value"].is_string());
            continue;
        }
        for date in ["created", "modified", "first_observed", "last_observed"] {
            let date = object[date].as_str().unwrap();
            assert_eq!(date.get(19..), Some(".000Z"), "{date}");
        }
        assert_eq!(object["number_observed"], 2);
        let of = object["object_refs"][0].as_str().unwrap();
        assert!(ids.contains(of), "{of}");
    }
    let kinds: BTreeSet<_> = objects
        .iter()
        .filter_map(|object| object["type"].as_str())
        .collect();
    let all = [
        "domain-name",
        "email-addr",
        "ipv4-addr",
        "ipv6-addr",
        "observed-data",
        "url",
    ];
    assert_eq!(kinds, BTreeSet::from(all));
    // The identifier of an observable is the one that every program gives it (STIX 2.1 §2.9).
    let host = objects
        .iter()
        .find(|object| object["type"] == "domain-name")
        .unwrap();
    let id = ids::from_text("{\"value\":\"evil.example\"}");
    assert_eq!(host["id"], format!("domain-name--{id}"));
}

#[test]
fn misp_required_attributes() {
    let event: Value = serde_json::from_str(&written(ObservablesFormat::Misp, false)).unwrap();
    let event = &event["Event"];
    assert_eq!(event["date"], "2026-01-02");
    let attributes = event["Attribute"].as_array().unwrap();
    let kinds: Vec<_> = attributes
        .iter()
        .map(|one| one["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["url", "hostname", "ip-dst", "ip-dst", "email-dst"]);
    for attribute in attributes {
        assert_eq!(attribute["to_ids"], false);
        assert!(is_uuid(attribute["uuid"].as_str().unwrap()));
        assert!(!attribute["category"].as_str().unwrap().is_empty());
    }
    assert_eq!(
        attributes[0]["comment"],
        "2 links, 2026-01-02 to 2026-02-02; safelinks > proofpoint-v3; opaque"
    );
}

#[test]
fn missing_date_left_out() {
    let mut observables = observables();
    for (number, seen) in observables.seen.values_mut().enumerate() {
        if number > 0 {
            (seen.first, seen.last) = (None, None);
        }
    }
    assert_eq!(observables.undated(), 4);
    let written = |observables: &Observables, format| {
        let mut out = Vec::new();
        observables.write(format, false, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let bundle = written(&observables, ObservablesFormat::Stix);
    assert_eq!(bundle.matches("observed-data--").count(), 1);
    assert!(!bundle.contains("1970") && bundle.contains("2026-01-02T03:04:05.000Z"));
    observables.seen.pop_first();
    let event = written(&observables, ObservablesFormat::Misp);
    assert!(
        !event.contains("\"date\"") && !event.contains("1970"),
        "{event}"
    );
}

#[test]
fn defanged_observables() {
    for format in [
        ObservablesFormat::Csv,
        ObservablesFormat::Misp,
        ObservablesFormat::Stix,
    ] {
        let text = written(format, true);
        for link in ["http", "evil.example", "joe@", "192.0.2", "news@"] {
            assert!(!text.contains(link), "{link} in {text}");
        }
    }
    assert!(written(ObservablesFormat::Csv, false).contains("hxxps://evil[.]example/"));
}

#[test]
fn observables_independent_of_order() {
    let mut one = observables();
    let mut other = observables();
    other.seen.values_mut().for_each(|seen| {
        seen.first = None;
        seen.end = None;
        seen.senders = vec!["A <a@b.example>".into()];
    });
    let mut turned = other.clone();
    turned.take(&mut one.clone());
    one.take(&mut other);
    assert_eq!(one, turned);
    assert!(
        one.seen
            .values()
            .all(|seen| seen.count == 4 && seen.senders.len() == 2)
    );
}

#[test]
fn stix_urls_and_hosts() {
    let mut observables = Observables::default();
    let urls = [
        (
            "https://a.example/%20?b=[c]#d#e",
            "https://a.example/%20?b=%5Bc%5D#d%23e",
        ),
        (
            "https://b\u{fc}cher.example/\u{fc}",
            "https://xn--bcher-kva.example/%C3%BC",
        ),
        ("http://a.example/%zz|", "http://a.example/%25zz%7C"),
        ("http://[2001:db8::1]/", "http://[2001:db8::1]/"),
    ];
    for (url, _) in urls {
        observables
            .seen
            .insert((ObservableKind::Url, url.into()), Sightings::default());
    }
    for host in ["a.example", "local_termination.sh", "-a.example"] {
        observables
            .seen
            .insert((ObservableKind::Host, host.into()), Sightings::default());
    }
    assert_eq!(observables.nameless(), 2);
    let mut out = Vec::new();
    let written = observables.write(ObservablesFormat::Stix, false, &mut out);
    written.unwrap();
    let bundle: Value = serde_json::from_slice(&out).unwrap();
    let objects = bundle["objects"].as_array().unwrap().iter();
    let found: BTreeSet<&str> = objects
        .map(|object| object["value"].as_str().unwrap())
        .collect();
    let expected = urls.into_iter().map(|(_, uri)| uri).chain(["a.example"]);
    assert_eq!(found, expected.collect());
}

#[test]
fn mailto_with_several_addresses() {
    assert_eq!(
        addresses("mailto:Joe%40a.example,%20mary@b.example?subject=x@y"),
        ["joe@a.example", "mary@b.example"]
    );
    assert_eq!(addresses("mailto:?to=a@b.example"), [""; 0]);
}

#[test]
fn first_senders_independent_of_order() {
    let senders: Vec<Arc<str>> = (0..12).map(|i| format!("{i:02}").into()).collect();
    let mut risen = Sightings::default();
    let mut fallen = Sightings::default();
    let one = |sender: &Arc<str>| Sightings {
        senders: vec![Arc::clone(sender)],
        ..Sightings::default()
    };
    for sender in senders.iter().chain(&senders) {
        risen.add(one(sender));
    }
    for sender in senders.iter().rev() {
        fallen.add(one(sender));
    }
    assert_eq!(risen.senders, senders[..MOST]);
    assert_eq!(fallen.senders, senders[..MOST]);
}

#[test]
fn empty_bundle_and_event() {
    let empty = |format| {
        let mut out = Vec::new();
        let written = Observables::default().write(format, false, &mut out);
        written.unwrap();
        serde_json::from_slice::<Value>(&out).unwrap()
    };
    let bundle = empty(ObservablesFormat::Stix);
    assert_eq!(bundle["type"], "bundle");
    assert!(bundle.get("objects").is_none());
    let event = empty(ObservablesFormat::Misp);
    assert_eq!(event["Event"]["Attribute"], Value::Array(Vec::new()));
}

/// A writer that counts, and keeps nothing.
#[derive(Default)]
struct Largest(usize);

impl io::Write for Largest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn observables_streamed() {
    let mut observables = Observables::default();
    for number in 0..1000 {
        let url = format!("http://a.example/{number}").into();
        let seen = Sightings::default();
        observables.seen.insert((ObservableKind::Url, url), seen);
    }
    for format in [
        ObservablesFormat::Csv,
        ObservablesFormat::Misp,
        ObservablesFormat::Stix,
    ] {
        let mut largest = Largest::default();
        observables.write(format, false, &mut largest).unwrap();
        assert!(largest.0 < 1000, "{format:?}: {} bytes", largest.0);
    }
}
