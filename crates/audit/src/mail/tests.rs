//! The findings about mail in one message.

mod examples;

use super::*;
use crate::Audit;
use crate::model::stored_scan::ScanStorage;
use baseref_container::Entity;
use baseref_document::{Origin, ReadOptions, Skipped};
use baseref_evidence::captures::Builder;
use baseref_reader::base::Policy;
use baseref_site::hosting::Hosting;
use baseref_site::map::SiteMap;

const SAFE: &str = "https://nam02.safelinks.protection.outlook.com/?url=";

/// The findings in a message, by place.
fn findings(message: &str) -> Vec<Finding> {
    let audit = Audit::new(
        SiteMap::new(),
        Hosting::default(),
        Policy::default(),
        ReadOptions::default(),
    );
    let audit = audit.with_mail(Unwrapper::default(), &["paypal.com".to_owned()]);
    let entity = Entity::message(Origin::new("m.eml"), message.as_bytes().to_vec());
    let mut findings = Vec::new();
    for scan in audit.scan(entity, &mut Builder::default(), &mut Skipped::default()) {
        let ScanStorage::Here(mut scan) = scan.expect("the message can be read").0 else {
            panic!("no message is on disk");
        };
        Finding::sort(&mut scan.findings);
        findings.append(&mut scan.findings);
    }
    findings
}

/// The rules and levels of the findings about mail, by place.
pub(super) fn told(message: &str) -> Vec<String> {
    let findings = findings(message).into_iter();
    let findings = findings.filter(|finding| finding.rule.id.starts_with("mail/"));
    let told = findings.map(|finding| {
        let name = finding.rule.id.trim_start_matches("mail/");
        if finding.level == finding.rule.level {
            name.to_owned()
        } else {
            format!("{name}:{}", finding.level)
        }
    });
    told.collect()
}

#[test]
fn causes_are_stable_across_messages_of_a_sender() {
    let message = |number: u32| {
        let body = format!(
            "<img src=cid:image{number}@x><a href=https://h{number}.evil.com/{number}>www.apple.com</a>\
             <img src=https://img.apple.com/{number}.png><a href=http://10.0.0.1/{number}>x</a>\
             <a href=https://a.com/?{number}=joe@x.com>x</a><img width=1 height=1 src=https://o{number}.t.com/?a>\
             <a href=https://c{number}.apple.com/ls/click?upn={number}>x</a>\
             <a href=mailto:u{number}@bad.com>joe{number}@good.com</a>"
        );
        findings(&format!(
            "From: News <news@mail.apple.com>\r\nTo: Joe <joe@x.com>\r\n\
             Content-Type: text/html\r\n\r\n{body}"
        ))
    };
    let causes = |number| {
        let findings = message(number).into_iter();
        let causes = findings.map(|finding| (finding.rule.id, finding.cause));
        causes.collect::<BTreeSet<_>>()
    };
    assert_eq!(causes(1), causes(2));
    assert!(causes(1).len() > 8, "{:?}", causes(1));
}

pub(super) fn html(body: &str) -> Vec<String> {
    told(&format!(
        "From: News <news@apple.com>\r\nTo: Joe <joe@x.com>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}"
    ))
}

#[test]
fn displayed_url_differs_from_final_url() {
    for (body, rules) in [
        (
            "<a href=http://evil.com/>www.paypal.com</a>",
            &["text-mismatch"][..],
        ),
        (
            "<a href=http://evil.com/>including from Amazon.com.</a>",
            &[],
        ),
        ("<a href=https://h.com/e/>https://h.com/e/</a>", &[]),
        ("<a href=https://www.h.com/e/>h.com</a>", &[]),
        (
            "<a href=http://mail.x.com/>www.x.com</a>",
            &["text-host-differs"],
        ),
        ("<a href=http://a.co.uk/>b.co.uk</a>", &["text-mismatch"]),
        (
            "<a href=https://www.roses.com>http://www.roses.co.za</a>",
            &["text-other-suffix"],
        ),
        (
            "<a href=https://bit.ly/x>www.x.com</a>",
            &["text-mismatch-opaque", "wrapper-opaque"],
        ),
        ("<a href=https://h.com/blob/README.md>README.md</a>", &[]),
        (
            "<a href=https://h.com/x>setup.py</a>",
            &["text-mismatch:warning"],
        ),
        (
            "<a href=http://r.com/r?u=http%3A%2F%2Fwww.cnn.com%2F>http://www.cnn.com</a>",
            &["text-mismatch:note"],
        ),
        (
            "<a href=mailto:joe@bad.com>joe@good.com</a>",
            &["mailto-mismatch"],
        ),
        (
            "<a href=mailto:JOE%40good.com?subject=x>Joe@good.com</a>",
            &[],
        ),
        ("<a href=mailto:joe@bad.com>email me</a>", &[]),
        (
            "<a href=https://bad.com/>joe@good.com</a>",
            &["mailto-mismatch:note"],
        ),
        (
            "<a href='3D\"https://a.com/x\"'>https://a.com/</a>",
            &["qp-residue"],
        ),
    ] {
        assert_eq!(html(body), rules, "{body}");
    }
    for (url, text, rules) in [
        ("https%3A%2F%2Fx.com%2F", "x.com", &[][..]),
        (
            "https%3A%2F%2Fevil.com%2F",
            "www.paypal.com",
            &["text-mismatch"],
        ),
        ("javascript%3Aalert(1)", "here", &["wrapper-bad-target"]),
        ("", "here", &["wrapper-undecodable"]),
    ] {
        let body = format!("<a href=\"{SAFE}{url}\">{text}</a>");
        assert_eq!(html(&body), rules, "{body}");
    }
}

#[test]
fn deceptive_hosts() {
    for (body, rules) in [
        (
            "<a href=http://paypal.com@h.com/>x</a>",
            &["userinfo-trick"][..],
        ),
        (
            "<a href=http://t-online.com@012345267142/4E>x</a>",
            &["ip-host", "userinfo-trick"],
        ),
        ("<a href=http://3232235777/>x</a>", &["ip-host:note"]),
        (
            "<a href=http://xn--80ak6aa92e.com/>x</a>",
            &["idn-confusable"],
        ),
        (
            "<a href=http://\u{430}\u{440}\u{440}\u{4cf}\u{435}.com/>x</a>",
            &["idn-confusable"],
        ),
        ("<a href=http://paypa1.com/>x</a>", &["idn-confusable"]),
        (
            "<a href=http://p\u{430}ypax.com/>x</a>",
            &["idn-mixed-script"],
        ),
        (
            "<a href=http://\u{1d7dc}.buescher.nl/x>x</a>",
            &["host-compat-chars"],
        ),
        (
            "<a href=https://urldefense.com.evil.com/v3/>x</a>",
            &["wrapper-lookalike"],
        ),
        (
            "<a href=https://eu-west-1.protection.examplesophos.com/?u=aHR0cHM6Ly9hLmNvbS8>x</a>",
            &["wrapper-lookalike"],
        ),
        ("<a href=https://www.apple.com/>x</a>", &[]),
    ] {
        assert_eq!(html(body), rules, "{body}");
    }
}

#[test]
fn remote_content_and_recipient() {
    for (body, rules) in [
        ("<img src=https://t.com/logo.png>", &["remote-content"][..]),
        ("<img src=https://t.com/wf/open?upn=x>", &["tracker-pixel"]),
        (
            "<img src=https://t.com/o/a1b2c3d4e5f6a7b8c9d0>",
            &["tracker-pixel"],
        ),
        (
            "<img src=http://t.com/o.gif?u=am9lQHguY29t>",
            &["recipient-in-url", "remote-content"],
        ),
        (
            "<a href=https://t.com/?u=joe%40x.com>x</a>",
            &["recipient-in-url"],
        ),
        (
            "<a href=https://contoso-my.sharepoint.com/:w:/g/personal/joe_c/x>x</a>",
            &["cloud-attachment"],
        ),
        ("<form action=https://t.com/login></form>", &["form-action"]),
        ("<a href='data:text/html,<b>'>x</a>", &["data-url-page"]),
        ("<a href='data:image/gif;base64,R0'>x</a>", &[]),
    ] {
        assert_eq!(html(body), rules, "{body}");
    }
}

#[test]
fn unsubscribe_header_and_alternative_text() {
    let list = "List-Unsubscribe: <mailto:u@x.com>\r\n";
    let click = "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
    let https = "List-Unsubscribe: <https://x.com/u>, <mailto:u@x.com>\r\n";
    let page = "Content-Type: text/html\r\n\r\n<a href=https://b.com/u>Unsubscribe</a>";
    for (head, rules) in [
        (list.to_owned(), &["unsub-no-https"][..]),
        (
            format!("{list}{click}"),
            &["unsub-no-https", "unsub-oneclick-invalid"],
        ),
        (format!("{https}{click}"), &["unsub-body-differs"]),
        (
            format!("{https}List-Unsubscribe-Post: yes\r\n"),
            &["unsub-body-differs", "unsub-oneclick-invalid"],
        ),
        (String::new(), &[]),
    ] {
        let mut told = told(&format!("{head}{page}"));
        told.sort_unstable();
        assert_eq!(told, rules, "{head}");
    }
    let both = |text: &str| {
        told(&format!(
            "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n\
             {text}\r\n--b\r\nContent-Type: text/html\r\n\r\n<a href=https://evil.com/>x</a>\r\n--b--\r\n"
        ))
    };
    assert_eq!(both("see https://x.com/ for it"), ["alternative-mismatch"]);
    assert_eq!(both("see https://www.evil.com/ for it"), [""; 0]);
}

#[test]
fn alternatives_show_the_same_in_other_ways() {
    let both = |text: &str, html: &str| {
        let found = told(&format!(
            "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n\
             {text}\r\n--b\r\nContent-Type: text/html\r\n\r\n<a href=https://a.com/>x</a>{html}\r\n--b--\r\n"
        ));
        found.iter().any(|rule| rule == "alternative-mismatch")
    };
    let text = "https://b.com/x";
    for html in [
        "<img src=https://www.b.com/y.png>",
        "or go to https://b.com/",
        "<a href=https://t.c.com/>www.b.com</a>",
        "<a href=https://t.c.com/ls/click?upn=x>c</a>",
        "<p style='background: url(https://b.com/z.png)'>",
    ] {
        assert!(!both(text, html), "{html}");
    }
    for html in [
        "",
        "<!-- https://b.com/ -->",
        "<p hidden>https://b.com/</p>",
    ] {
        assert!(both(text, html), "{html}");
    }
    // The target of a wrapped link in the text is unknown.
    assert!(!both("https://t.d.com/ls/click?upn=x", ""));
}

#[test]
fn opaque_link_of_both_alternatives_hides_no_other_site() {
    let opaque = "https://t.d.com/ls/click?upn=x";
    let both = |text: &str, html: &str| {
        let found = told(&format!(
            "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n\
             {text}\r\n--b\r\nContent-Type: text/html\r\n\r\n{html}\r\n--b--\r\n"
        ));
        found.iter().any(|rule| rule == "alternative-mismatch")
    };
    let html = format!("<a href={opaque}>x</a>");
    assert!(both(&format!("{opaque} https://b.com/"), &html));
    assert!(!both("https://b.com/", &html));
}

#[test]
fn only_alternatives_are_compared() {
    let text = "Content-Type: text/plain\r\n\r\nhttps://b.com/\r\n";
    let html = "Content-Type: text/html\r\n\r\n<a href=https://a.com/>x</a>\r\n";
    let part = |kind: &str, parts: [&str; 2]| {
        let boundary = kind.split('/').next_back().unwrap_or_default();
        let [first, second] = parts;
        format!(
            "Content-Type: {kind}; boundary={boundary}\r\n\r\n--{boundary}\r\n{first}\
             --{boundary}\r\n{second}--{boundary}--\r\n"
        )
    };
    let is_found = |message: &str| {
        let found = told(message);
        found.iter().any(|rule| rule == "alternative-mismatch")
    };
    let related = part(
        "multipart/related",
        [html, "Content-Type: image/png\r\n\r\nx\r\n"],
    );
    assert!(is_found(&part("multipart/alternative", [text, &related])));
    // The footer of a mailing list.
    assert!(!is_found(&part("multipart/mixed", [html, text])));
    let plain = "Content-Type: text/plain\r\n\r\nx\r\n";
    let alternative = part("multipart/alternative", [plain, html]);
    assert!(!is_found(&part("multipart/mixed", [&alternative, text])));
    let forwarded = format!("Content-Type: message/rfc822\r\n\r\n{text}");
    assert!(!is_found(&part(
        "multipart/mixed",
        [&alternative, &forwarded]
    )));
}

#[test]
fn alt_text_that_is_the_url_of_the_image() {
    let link = |alt: &str| {
        let page = format!(
            "Content-Type: text/html\r\n\r\n<a href=https://shop.com/>\
             <img src='https://cdn.net/a%20b.png?c&amp;d' alt='{alt}'></a>"
        );
        let mut told = told(&page);
        told.retain(|rule| rule.starts_with("text-"));
        told
    };
    assert_eq!(link("https://cdn.net/a%20b.png?c&amp;d"), [""; 0]);
    assert_eq!(link("cdn.net/a%20b.png?c&amp;d"), [""; 0]);
    assert_eq!(link("https://other.net/a.png"), ["text-mismatch:warning"]);
}

#[test]
fn hidden_picture_for_another_screen() {
    let told = |image: &str| told(&format!("Content-Type: text/html\r\n\r\n{image}"));
    let token = "62c5a2851edfd45b0e149205";
    for (size, rule) in [
        ("width=600", "remote-content"),
        ("style='display:none; max-width: 320px'", "remote-content"),
        ("", "tracker-pixel"),
        ("width=1 height=1", "tracker-pixel"),
    ] {
        let image = format!("<img hidden {size} src=https://c.com/{token}/a.png>");
        assert_eq!(told(&image), [rule], "{image}");
    }
    let counter = format!("<img hidden width=600 src=https://c.com/wf/open?upn={token}>");
    assert_eq!(told(&counter), ["tracker-pixel"]);
}

#[test]
fn schemes_and_refresh_that_mail_does_not_use() {
    for (page, rules) in [
        (
            "<a href='javascript:alert(1)'>x</a>",
            &["unsafe-scheme"][..],
        ),
        ("<a href='data:application/zip,x'>x</a>", &["unsafe-scheme"]),
        ("<a href='data:text/html,x'>x</a>", &["data-url-page"]),
        (
            "<form action='file://server/x'>",
            &["form-action", "unsafe-scheme"],
        ),
        (
            "<meta http-equiv=refresh content='0;url=https://a.com/'>",
            &["meta-refresh"],
        ),
        (
            "<a href='mailto:a@b.com'>x</a><a href='tel:1'>x</a><a href='#x'>x</a>",
            &[],
        ),
    ] {
        let mut told = told(&format!("Content-Type: text/html\r\n\r\n{page}"));
        told.sort_unstable();
        assert_eq!(told, rules, "{page}");
    }
}

#[test]
fn saved_page_is_not_mail() {
    let saved =
        "From: <Saved by Blink>\r\nContent-Type: text/html\r\n\r\n<img src=https://t.com/a.png>";
    assert_eq!(told(saved), [""; 0]);
}
