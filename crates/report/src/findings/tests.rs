//! Every output of one small set of findings.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::*;
use baseref_document::Position;
use baseref_findings::{
    AttributeName, BaseName, Class, Excerpt, Fix, Level, Levels, MoveEffect, SourceLine, Triage,
    Urls,
};

baseref_findings::rules! {
    MISSING "target/missing-file" Error "RFC 1808 §1"
        "the file that a link leads to does not exist"
        "A reader who follows the link finds nothing."
        "baseref audit ." { "page.html": "<a href=\"gone.html\">" };

    AFTER_LINK "base/after-link" Warning "RFC 1808 §10"
        "a base element after a link"
        "It changes the links before it too."
        "baseref audit ." { "page.html": "<a href=x><base href=y>" };

    DUPLICATE "doc/duplicate-id" Warning "HTML, the id attribute"
        "duplicate id"
        "A link to it leads to the first of the elements."
        "baseref audit ." { "page.html": "<p id=a><p id=a>" };

    UNUSED "redirect/unused" Note "docs/verify-move.md"
        "rule matches no known old address"
        "It may be for addresses without a file."
        "baseref verify-move site" { "site/page.html": "" };
}

fn page(doc: &str) -> Arc<PageName> {
    Arc::new(PageName {
        doc: format!("site/{doc}"),
        url: Some(format!("/{doc}")),
        key: doc.to_owned(),
    })
}

/// A finding about the link `raw` in the line `source`.
fn link(page: &Arc<PageName>, line: u32, source: &str, raw: &str, target: &str) -> Finding {
    let start = source.find(raw).unwrap() as u64;
    let range = start..start + raw.len() as u64;
    let mut finding = Finding::new(&MISSING, page, target, "no such file");
    finding.at = Some(Position::new(
        NonZeroU32::new(line).unwrap(),
        NonZeroU32::new(u32::try_from(start).unwrap() + 1).unwrap(),
        range.clone(),
    ));
    finding.spot = Some(AttributeName::shared(&mut None, "a", "href"));
    finding.raw = raw.into();
    finding.url = Some(target.into());
    finding.urls = Urls::Same;
    finding.target = Some(target.into());
    finding.base = Some(Arc::new(BaseName {
        url: page.url.clone(),
        source: "retrieval",
        at: "--url-map site".to_owned(),
        place: None,
    }));
    let line = Excerpt::new(source.as_bytes(), encoding_rs::UTF_8, &range);
    finding.line = line.map(SourceLine::from_excerpt);
    finding
}

/// A document, its number of links, and its findings.
type Judged = (Arc<PageName>, u64, Vec<Finding>);

/// Two documents with findings and one without, after triage.
fn sample() -> (Vec<Judged>, Summary) {
    let (a, b, c) = (page("a.html"), page("dir/b.html"), page("dir/c.html"));
    let mut gone = link(
        &a,
        3,
        "<li>\t<a href=\"gone.html\">Gone</a>",
        "gone.html",
        "/gone.html",
    );
    gone.suggest(["/done.html".to_owned()].into());
    let mut evil = link(
        &b,
        1,
        "<a href='\u{1b}[31m|`,\"%'>",
        "\u{1b}[31m|`,\"%",
        "/\u{1b}[31m|`,\"%",
    );
    evil.known = false;
    let of_a = vec![
        gone,
        Finding::new(
            &AFTER_LINK,
            &a,
            "site/a.html:5:1",
            "the base follows 2 links",
        ),
    ];
    let again = link(&b, 2, "<a href=../gone.html>", "../gone.html", "/gone.html");
    let mut triage = Triage::new(
        Levels::default(),
        vec!["target/*@dir/never".parse().unwrap()],
        "baseref.toml",
        time::Date::MIN,
    )
    .unwrap();
    let mut documents = vec![(a, 3, of_a), (b, 2, vec![evil, again]), (c, 5, Vec::new())];
    for (_, _, findings) in &mut documents {
        triage.document(findings);
    }
    let class = |name, links| Class {
        name,
        short: name,
        about: "what it means",
        links,
        note: String::new(),
    };
    let summary = Summary {
        documents: 3,
        classes: vec![class("ok", 7), class("missing", 3), class("external", 0)],
        totals: triage.totals(),
        ..Summary::default()
    };
    (documents, summary)
}

fn written(format: Format, options: Options) -> String {
    let (documents, summary) = sample();
    let head = Head {
        command: "audit",
        rules: vec![&MISSING, &AFTER_LINK],
        lines: vec!["site: / of an unknown host, strict".to_owned()],
        ..Head::default()
    };
    let mut report = Report::new(format, head, options);
    let mut out = Vec::new();
    report.begin(&mut out);
    for (page, links, findings) in &documents {
        report.document(page, *links, findings, &mut out);
    }
    report.end(&summary, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn all_levels() -> Options {
    Options {
        level: Level::Note,
        ..Options::default()
    }
}

#[test]
fn text_groups_with_example_and_suggestion() {
    let text = written(Format::Text, Options::default());
    assert_eq!(
        text,
        "site: / of an unknown host, strict\n\
         \n\
         error: the file that a link leads to does not exist: /gone.html\n\
         \x20 no such file: 2 links in 2 documents (target/missing-file)\n\
         \x20 site/a.html:3:15: \"gone.html\" → /gone.html\n\
         \x20      3 | <li> <a href=\"gone.html\">Gone</a>\n\
         \x20        |               ^^^^^^^^^\n\
         \x20 site/dir/b.html:2:9: \"../gone.html\" → /gone.html\n\
         \x20 did you mean /done.html?\n\
         \n\
         error: the file that a link leads to does not exist: /\\u{1b}[31m|`,\"%\n\
         \x20 no such file: 1 link in 1 document (target/missing-file)\n\
         \x20 site/dir/b.html:1:10: \"\\u{1b}[31m|`,\"%\" → /\\u{1b}[31m|`,\"%\n\
         \x20      1 | <a href='\\u{1b}[31m|`,\"%'>\n\
         \x20        |          ^^^^^^^^^^^^^^^\n\
         \n\
         3 documents, 10 links: 7 ok, 3 missing; 3 errors, 1 warning, 0 notes \
         (--level warning shows them)\n"
    );
}

#[test]
fn text_differing_details_of_group() {
    let page = page("a.html");
    let of_name = |line: u32, name: &str| {
        let mut finding = link(&page, line, "<a href=x>", "x", "/x");
        finding.message = format!("no element has the name {name:?}").into();
        finding.suggest([format!("#{name}s")].into());
        finding
    };
    let mut report = Report::new(Format::Text, Head::default(), Options::default());
    let mut out = Vec::new();
    let findings = [of_name(1, "a"), of_name(2, "a"), of_name(3, "b")];
    report.findings(&findings, &mut out);
    report.end(&Summary::default(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let said: Vec<&str> = text.lines().filter(|line| !line.contains('|')).collect();
    assert_eq!(
        said[..7],
        [
            "error: the file that a link leads to does not exist: /x",
            "  3 links in 1 document (target/missing-file)",
            "  site/a.html:1:9: \"x\" → /x: no element has the name \"a\"",
            "  did you mean #as?",
            "  site/a.html:2:9: \"x\" → /x: no element has the name \"a\"",
            "  site/a.html:3:9: \"x\" → /x: no element has the name \"b\"",
            "  did you mean #bs?",
        ]
    );
}

#[test]
fn text_counts_what_the_rule_is_about() {
    let page = page("a.html");
    let finding = |rule, message: &str| {
        let mut finding = link(&page, 1, "<a href=x>", "x", "/x");
        finding.rule = rule;
        finding.message = message.into();
        finding
    };
    let mut duplicate = finding(&DUPLICATE, "an earlier element has the id");
    let mut unused = finding(&UNUSED, "no known address matches it");
    (duplicate.spot, unused.spot) = (None, None);
    let base = finding(&AFTER_LINK, "it follows a link");
    let missing = finding(&MISSING, MISSING.summary);
    let findings = [duplicate, unused, base, missing];
    let mut report = Report::new(Format::Text, Head::default(), Options::default());
    let mut out = Vec::new();
    report.findings(&findings, &mut out);
    report.end(&Summary::default(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for line in [
        "  an earlier element has the id: 1 element in 1 document (doc/duplicate-id)",
        "  no known address matches it: 1 finding in 1 document (redirect/unused)",
        "  it follows a link: 1 base in 1 document (base/after-link)",
        // The message would repeat the heading.
        "  1 link in 1 document (target/missing-file)",
    ] {
        assert!(text.lines().any(|own| own == line), "{line:?} in {text}");
    }
}

#[test]
fn text_largest_groups_first() {
    let page = page("a.html");
    let written = |groups| {
        let options = Options {
            groups,
            ..Options::default()
        };
        let mut report = Report::new(Format::Text, Head::default(), options);
        let mut out = Vec::new();
        for number in 0..60 {
            let url = format!("/{number}");
            let times = if number == 59 { 3 } else { 1 };
            let findings: Vec<Finding> = (0..times)
                .map(|_| link(&page, 1, "<a href=x>", "x", &url))
                .collect();
            report.findings(&findings, &mut out);
        }
        report.end(&Summary::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let shown = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("error"))
            .count()
    };
    let text = written(Options::default().groups);
    assert!(
        text.starts_with("error: the file that a link leads to does not exist: /59\n"),
        "{text}"
    );
    assert_eq!(shown(&text), 50);
    let left = "\n… and 10 more groups with 10 findings (--groups all shows them)\n";
    assert!(text.contains(left), "{text}");
    let all = written(None);
    assert_eq!(shown(&all), 60);
    assert!(!all.contains("more groups"), "{all}");
}

#[test]
fn text_line_for_each_finding() {
    let options = Options {
        group: false,
        ..all_levels()
    };
    let text = written(Format::Text, options);
    assert!(text.contains(
        "\nsite/a.html:3:15: error target/missing-file: \"gone.html\" → /gone.html: no such file\n"
    ));
    assert!(text.contains("\nsite/a.html: warning base/after-link: the base follows 2 links\n"));
}

#[test]
fn text_colors_on_request() {
    assert!(!written(Format::Text, Options::default()).contains('\u{1b}'));
    let options = Options {
        color: true,
        ..Options::default()
    };
    assert!(written(Format::Text, options).contains("\u{1b}[31merror:\u{1b}[0m the file"));
}

#[test]
fn jsonl_findings_then_summary() {
    let text = written(Format::Jsonl, Options::default());
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 4);
    let first = &rows[0];
    assert_eq!(first["type"], "finding");
    assert_eq!(first["group"], "target/missing-file /gone.html");
    assert_eq!(first["byte"], serde_json::json!([14, 23]));
    assert_eq!(first["urls"]["whatwg"], "/gone.html");
    assert_eq!(first["suggestions"], serde_json::json!(["/done.html"]));
    assert_eq!(first["known"], false);
    assert_eq!(rows[1]["raw"], "\u{1b}[31m|`,\"%");
    let last = &rows[3];
    assert_eq!(last["type"], "summary");
    assert_eq!(last["links"], 10);
    assert_eq!(last["classes"]["missing"], 3);
    assert_eq!(
        last["findings"]["warning"]["new"], 1,
        "counted, though not shown"
    );
}

#[test]
fn csv_values_unchanged() {
    let text = written(Format::Csv, all_levels());
    let header = text.lines().next().unwrap();
    assert!(
        header.contains(",byte_start,byte_end,element,attr,raw,url,urls_rfc1808,"),
        "{header}"
    );
    assert!(header.ends_with(
        ",suggestions,fingerprint,known,fix,fix_byte_start,fix_byte_end,source,source_line,v"
    ));
    let row = text.lines().nth(3).unwrap();
    assert!(
        row.contains(",a,href,\"\u{1b}[31m|`,\"\"%\",\"/\u{1b}[31m|`,"),
        "{row}"
    );
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn github_annotation_for_each_group() {
    let text = written(Format::Github, Options::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "::error file=site/a.html,line=3,col=15,title=target/missing-file::\"gone.html\" → \
         /gone.html: no such file; did you mean /done.html?; 2 links in 2 documents like it"
    );
    assert!(lines[1].ends_with("\"\\u{1b}[31m|`,\"%25\" → /\\u{1b}[31m|`,\"%25: no such file"));
    assert_eq!(lines.len(), 3);
}

#[test]
fn junit_suites_and_failures() {
    let text = written(Format::Junit, all_levels());
    assert!(text.contains("<testsuites name=\"baseref audit\" tests=\"5\" failures=\"3\""));
    assert!(text.contains("<testcase classname=\"site/dir/c.html\" name=\"links\"/>"));
    assert!(text.contains("<system-out>warning base/after-link: the base follows 2 links"));
    assert!(!text.contains('\u{1b}'), "XML 1.0 has no such character");
    let mut reader = quick_xml::Reader::from_str(&text);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) => {
                assert!(tag.attributes().all(|attribute| attribute.is_ok()));
            }
            _ => {}
        }
    }
}

#[test]
fn markdown_input_in_code_spans() {
    let text = written(Format::Markdown, Options::default());
    assert!(text.contains("New: 3 errors, 1 warning."));
    assert!(
        text.contains("| error | target/missing-file | `/gone.html` | 2 links in 2 documents |")
    );
    assert!(text.contains("``/\\u{1b}[31m\\|`,\"%``"), "{text}");
}

#[test]
fn sarif_errors_first_and_omissions() {
    let options = Options {
        sarif_max: 3,
        ..all_levels()
    };
    let text = written(Format::Sarif, options);
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let levels: Vec<&str> = results
        .iter()
        .map(|r| r["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["error"; 3]);
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], 15);
    assert_eq!(region["endColumn"], 24);
    assert_eq!(region["byteLength"], 9);
    let said = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(
        said.as_str()
            .unwrap()
            .starts_with("3 of 4 findings are written")
    );
}

#[test]
fn sarif_fixes_and_suppressions() {
    let a = page("a b.html");
    let mut finding = link(&a, 1, "<a href=x>", "x", "/x");
    finding.known = true;
    finding.allow(Some("archived".into()));
    finding.fix = Some(Box::new(Fix {
        byte: 8..9,
        text: "y&amp;z".to_owned(),
    }));
    let head = Head {
        command: "verify-move",
        baseline: true,
        moved: true,
        ..Head::default()
    };
    let mut report = Report::new(Format::Sarif, head, Options::default());
    let mut out = Vec::new();
    report.document(&a, 1, &[finding], &mut out);
    report.end(&Summary::default(), &mut out).unwrap();
    let log: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["baselineState"], "unchanged");
    assert_eq!(result["suppressions"][0]["justification"], "archived");
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "site/a%20b.html");
    let replacement = &change["replacements"][0];
    assert_eq!(replacement["deletedRegion"]["byteOffset"], 8);
    assert_eq!(replacement["insertedContent"]["text"], "y&amp;z");
    assert_eq!(
        log["runs"][0]["tool"]["driver"]["rules"][0]["id"],
        "target/missing-file"
    );
}

#[test]
fn move_before_and_after() {
    let a = page("a.html");
    let mut finding = link(&a, 1, "<a href=/x>", "/x", "https://new/x");
    finding.moved = Some(Box::new(MoveEffect {
        old_url: Some("http://old/x".to_owned()),
        new_url: Some("https://new/x".to_owned()),
        expected: Some("https://new/docs/x".to_owned()),
        via: "root-path",
        hops: vec!["http://old/y".to_owned()],
    }));
    let written = |format| {
        let head = Head {
            command: "verify-move",
            moved: true,
            ..Head::default()
        };
        let options = Options {
            columns: Some(80),
            ..Options::default()
        };
        let mut report = Report::new(format, head, options);
        let mut out = Vec::new();
        report.begin(&mut out);
        report.document(&a, 1, &[finding.clone()], &mut out);
        report.end(&Summary::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let text = written(Format::Text);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    let said: Vec<&str> = text.split_whitespace().collect();
    assert!(
        said.join(" ").contains(
            "\"/x\" was http://old/x, becomes https://new/x (redirected to http://old/y), should be \
             https://new/docs/x 1 |"
        ),
        "{text}"
    );
    let json: serde_json::Value =
        serde_json::from_str(written(Format::Jsonl).lines().next().unwrap()).unwrap();
    assert_eq!(json["expected"], "https://new/docs/x");
    assert_eq!(json["hops"][0], "http://old/y");
    let csv = written(Format::Csv);
    assert!(csv.starts_with("rule,level,group,doc,doc_url,"));
    assert!(csv.contains(",old_url,new_url,expected,via,hops,v\n"));
}

#[test]
fn html_escapes_input_and_hashes_script() {
    let a = page("</script><img src=x onerror=alert(1)>.html");
    let finding = link(
        &a,
        1,
        "<a href='</script><b>'>",
        "</script><b>",
        "/</script><b>",
    );
    let head = Head {
        command: "audit",
        lines: vec!["<i>".to_owned()],
        ..Head::default()
    };
    let mut report = Report::new(Format::Html, head, Options::default());
    let mut out = Vec::new();
    report.document(&a, 1, &[finding], &mut out);
    let summary = Summary {
        verdict: vec!["<u>no</u>".to_owned()],
        ..Summary::default()
    };
    report.end(&summary, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches("</script>").count(), 2, "ours alone");
    for markup in ["<img", "<b>", "<i>", "<u>"] {
        assert!(!text.contains(markup), "{markup}");
    }
    let policy = text
        .split("http-equiv=")
        .nth(1)
        .unwrap()
        .split("\">")
        .next()
        .unwrap();
    assert!(policy.contains("default-src 'none'"));
    assert_eq!(policy.matches("'sha256-").count(), 2);
}
