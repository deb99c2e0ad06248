//! Worked cases: archives of a few records, and what links in them lead to.

use baseref_document::{Capture, CaptureIds, CaptureKind, ExclusionReason, Profile};

use super::long_locations::StoredTarget;
use super::*;

/// The time of the page that asks.
const PAGE: &str = "2024-03-01T10:00:00Z";

fn capture(url: &str, status: u16, date: &str) -> Capture {
    Capture {
        status,
        kind: CaptureKind::Response,
        ..Capture::from_page(url, Some(date))
    }
}

fn redirect(url: &str, location: &str) -> Capture {
    Capture {
        location: Some(location.into()),
        ..capture(url, 301, PAGE)
    }
}

fn index(captures: &[Capture]) -> Index {
    let mut builder = Builder::default();
    for capture in captures {
        builder.add(capture);
    }
    builder.finish()
}

/// What a URL leads to, in words: how it is found, and the end.
fn ask(index: &Index, url: &str, need: Need) -> String {
    let answer = index.ask(Question {
        url,
        need,
        date: millis_of(PAGE),
        tier: Tier::Loose,
    });
    let how = answer.first.map_or("-", |(_, tier)| tier.as_str());
    let end = match &answer.end {
        End::Captured(number) => format!("{number}"),
        End::Error(number) => format!("error {}", index.status(*number)),
        End::Nothing { url, why, .. } => format!("nothing {url} {why:?}"),
        End::Broken(_) => "broken".to_owned(),
        End::Loop(_) => "loop".to_owned(),
        End::Unsaid(_) => "unsaid".to_owned(),
    };
    let hops: Vec<String> = answer.hops.iter().map(u32::to_string).collect();
    [how, &hops.join(" "), &end]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn page(index: &Index, url: &str) -> String {
    ask(index, url, Need::Page)
}

#[test]
fn captured_error_ends_as_an_error() {
    let index = index(&[capture("https://www.x.org/b", 404, "2024-03-01T10:00:05Z")]);
    assert_eq!(page(&index, "https://www.x.org/b"), "exact error 404");
    let nothing = "- nothing https://www.x.org/c NotAsked";
    assert_eq!(page(&index, "https://www.x.org/c"), nothing);
}

#[test]
fn redirect_to_a_twin() {
    let index = index(&[
        redirect("http://x.org/d", "https://www.x.org/d"),
        capture("https://www.x.org/d", 200, PAGE),
    ]);
    assert_eq!(page(&index, "http://x.org/d"), "exact 1 1");
    // Of two equal captures, prefer the one that is not a redirect.
    assert_eq!(page(&index, "https://x.org/d"), "twin 1");
}

#[test]
fn redirect_to_an_uncaptured_twin() {
    let index = index(&[redirect("http://x.org/d", "https://x.org/d")]);
    let nothing = "nothing https://x.org/d NotAsked";
    assert_eq!(page(&index, "http://x.org/d"), format!("exact {nothing}"));
    assert_eq!(page(&index, "https://x.org/d"), format!("- {nothing}"));
}

#[test]
fn redirect_chain() {
    let index = index(&[
        redirect("http://x.org/e", "/f"),
        redirect("http://x.org/g", "h"),
        redirect("http://x.org/h", "/g"),
        capture("http://x.org/i", 302, PAGE),
    ]);
    let nothing = "exact nothing http://x.org/f NotAsked";
    assert_eq!(page(&index, "http://x.org/e#s"), nothing);
    assert_eq!(page(&index, "http://x.org/g"), "exact 2 loop");
    assert_eq!(page(&index, "http://x.org/i"), "exact broken");
}

#[test]
fn redirect_limit() {
    let chain: Vec<Capture> = (0..100_000)
        .map(|number| {
            redirect(
                &format!("http://x.org/{number}"),
                &format!("/{}", number + 1),
            )
        })
        .collect();
    let index = index(&chain);
    let answer = index.ask(Question {
        url: "http://x.org/0",
        need: Need::Page,
        date: None,
        tier: Tier::Loose,
    });
    assert_eq!(answer.hops.len(), HOPS);
    assert!(matches!(answer.end, End::Loop(_)));
}

#[test]
fn nearest_usable_capture_wins() {
    let index = index(&[
        capture("http://x.org/j", 503, "2024-03-01T10:00:03Z"),
        capture("http://x.org/j", 200, "2024-03-01T10:01:00Z"),
        capture("http://x.org/k", 200, "2023-05-01T00:00:00Z"),
        capture("http://x.org/k", 404, "2024-03-01T10:00:09Z"),
        capture("http://x.org/l", 304, PAGE),
        capture("http://x.org/m", 429, PAGE),
        capture("http://x.org/m", 200, "2020-01-01T00:00:00Z"),
        capture("http://x.org/n", 200, "2024-03-01T09:00:00Z"),
        capture("http://x.org/n", 200, "2024-03-01T11:00:00Z"),
    ]);
    assert_eq!(page(&index, "http://x.org/j"), "exact 1");
    assert_eq!(page(&index, "http://x.org/k"), "exact error 404");
    assert_eq!(index.better_than(3), Some(2));
    assert_eq!(page(&index, "http://x.org/l"), "exact error 304");
    assert_eq!(page(&index, "http://x.org/m"), "exact 6");
    assert_eq!(
        page(&index, "http://x.org/n"),
        "exact 8",
        "the later of two equally near captures"
    );
}

#[test]
fn exact_error_before_loose_capture() {
    let index = index(&[
        capture("http://x.org/Case.html", 200, PAGE),
        capture("http://x.org/case.html", 404, PAGE),
    ]);
    assert_eq!(page(&index, "http://x.org/case.html"), "exact error 404");
    assert_eq!(page(&index, "http://x.org/Case.html"), "exact 0");
    assert_eq!(
        page(&index, "http://x.org/CASE.html").split(' ').next(),
        Some("loose")
    );
}

#[test]
fn query_of_files_is_ignored() {
    let index = index(&[
        capture("http://x.org/s.css?v=1", 200, PAGE),
        capture("http://x.org/l?id=1", 200, PAGE),
    ]);
    assert_eq!(
        ask(&index, "http://x.org/s.css?v=2", Need::Resource),
        "loose 0"
    );
    let nothing = "- nothing http://x.org/l?id=2 NotAsked";
    assert_eq!(page(&index, "http://x.org/l?id=2"), nothing);
    let exact_only = index.ask(Question {
        url: "http://x.org/s.css?v=2",
        need: Need::Resource,
        date: None,
        tier: Tier::Twin,
    });
    assert_eq!(exact_only.first, None);
}

#[test]
fn responses_to_other_methods_are_not_captures() {
    let ids = |own, concurrent| CaptureIds {
        own,
        concurrent,
        ..CaptureIds::default()
    };
    let request = |url: &str, ids| Capture {
        kind: CaptureKind::Request,
        method: Some("POST".into()),
        ids,
        ..capture(url, 0, PAGE)
    };
    let response = |url: &str, ids| Capture {
        ids,
        ..capture(url, 200, PAGE)
    };
    for (claim, records) in [
        (
            "named by the request",
            [
                response("http://x.org/m", ids(1, 0)),
                request("http://x.org/m", ids(2, 1)),
            ],
        ),
        (
            "naming the request",
            [
                request("http://x.org/m", ids(2, 0)),
                response("http://x.org/m", ids(1, 2)),
            ],
        ),
        (
            "beside the request",
            [
                request("http://x.org/m", ids(0, 0)),
                response("http://x.org/m", ids(0, 0)),
            ],
        ),
    ] {
        let nothing = "- nothing http://x.org/m OtherMethod";
        assert_eq!(page(&index(&records), "http://x.org/m"), nothing, "{claim}");
    }
    let unanswered = index(&[capture("http://x.org/o", 0, PAGE)]);
    let nothing = "- nothing http://x.org/o NoAnswer";
    assert_eq!(page(&unanswered, "http://x.org/o"), nothing);
}

#[test]
fn revisit_has_the_payload_of_its_original() {
    let original = Capture {
        ids: CaptureIds {
            own: 7,
            digest: 9,
            ..CaptureIds::default()
        },
        ..capture("http://x.org/old", 200, "2023-01-01T00:00:00Z")
    };
    let revisit = |ids, status, original: Option<&str>| Capture {
        kind: CaptureKind::Revisit(Profile::IdenticalPayload),
        ids,
        original: original.map(|url| (url.into(), Some("2023-01-01T00:00:00Z".into()))),
        ..capture("http://x.org/new", status, PAGE)
    };
    let refers = CaptureIds {
        refers_to: 7,
        ..CaptureIds::default()
    };
    let digest = CaptureIds {
        digest: 9,
        ..CaptureIds::default()
    };
    for record in [
        revisit(refers, 200, None),
        revisit(CaptureIds::default(), 0, Some("http://x.org/old")),
        revisit(digest, 200, None),
    ] {
        let index = index(&[record, original.clone()]);
        assert_eq!(page(&index, "http://x.org/new"), "exact 0");
        assert_eq!((index.payload(0), index.is_elsewhere(0)), (Some(1), false));
        assert_eq!(index.status(0), 200);
    }
    let alone = index(&[revisit(refers, 200, None)]);
    assert_eq!(page(&alone, "http://x.org/new"), "exact 0");
    assert_eq!((alone.payload(0), alone.is_elsewhere(0)), (None, true));
}

#[test]
fn merged_builders_equal_a_single_one() {
    let all = [
        capture("http://x.org/a", 200, PAGE),
        redirect("http://x.org/b", "/a"),
        capture("http://x.org/c", 404, PAGE),
    ];
    let (first, rest) = all.split_at(1);
    let mut merged = Builder::default();
    for part in [first, rest] {
        let mut builder = Builder::default();
        for capture in part {
            builder.add(capture);
        }
        merged.merge(builder);
    }
    let (merged, whole) = (merged.finish(), index(&all));
    for url in ["http://x.org/a", "http://x.org/b", "http://x.org/c"] {
        assert_eq!(page(&merged, url), page(&whole, url));
    }
}

#[test]
fn index_lines_add_only_missing_captures() {
    let mut captures = Builder::default();
    captures.add(&Capture {
        location: Some("/b".into()),
        ..capture("http://x.org/a", 302, PAGE)
    });
    let mut lines = Builder::default();
    for line in [
        capture("http://x.org/a", 302, PAGE),
        capture("http://x.org/b", 200, PAGE),
        capture("http://x.org/c", 301, PAGE),
    ] {
        lines.add(&line);
    }
    captures.merge_lines(lines);
    let index = captures.finish();
    assert_eq!(index.len(), 3);
    let ends = ["/a", "/b", "/c"].map(|path| {
        let url = format!("http://x.org{path}");
        index.ask(Question {
            url: &url,
            need: Need::Page,
            date: None,
            tier: Tier::Exact,
        })
    });
    assert_eq!(
        ends.map(|answer| answer.end),
        [End::Captured(1), End::Captured(1), End::Unsaid(2)]
    );
    assert_eq!(index.addresses(), ["http://x.org/b"]);
}

#[test]
fn page_lists_are_not_captures() {
    let mut captures = Builder::default();
    let left_out = Capture {
        kind: CaptureKind::LeftOut(ExclusionReason::PageLimit),
        ..Capture::from_page("http://x.org/a#b", None)
    };
    assert_eq!(captures.add(&left_out), None);
    captures.list("http://x.org/c", "pages.jsonl#2");
    let index = captures.finish();
    assert_eq!(index.len(), 0);
    assert_eq!(
        index.left_out("http://x.org/a"),
        Some(ExclusionReason::PageLimit)
    );
    assert_eq!(index.left_out("http://x.org/b"), None);
    assert_eq!(&*index.listed()[0].url, "http://x.org/c");
}

#[test]
fn redirect_to_a_long_url() {
    for length in [0, 100_000] {
        let long = "z".repeat(length);
        let index = index(&[
            redirect("http://x.org/kept", &format!("/a?{long}#f")),
            capture(&format!("http://x.org/a?{long}"), 200, PAGE),
            redirect("http://x.org/gone", &format!("/b?{long}#f")),
            redirect("http://x.org/twin", &format!("https://www.x.org/a?{long}")),
            redirect("http://x.org/loop", &format!("/loop2?{long}")),
            redirect(&format!("http://x.org/loop2?{long}"), "/loop"),
            redirect("http://x.org/bad", &format!("http://[{long}")),
        ]);
        let end = |name: &str| {
            let url = format!("http://x.org/{name}");
            let answer = index.ask(Question {
                url: &url,
                need: Need::Page,
                date: None,
                tier: Tier::Loose,
            });
            answer.end
        };
        assert_eq!(end("kept"), End::Captured(1));
        assert_eq!(end("twin"), End::Captured(1));
        let End::Nothing { url, fragment, .. } = end("gone") else {
            panic!("{:?}", end("gone"));
        };
        assert_eq!(*url, format!("http://x.org/b?{long}"));
        assert_eq!(fragment.as_deref(), Some("f"));
        assert!(matches!(end("loop"), End::Loop(_)));
        assert!(matches!(end("bad"), End::Broken(_)));
        assert_eq!(
            matches!(index.long_locations.target(0), StoredTarget::Near),
            length == 0
        );
    }
}
