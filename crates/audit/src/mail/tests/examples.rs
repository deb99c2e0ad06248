//! Messages for each family of rules, with the findings about them.

use super::{html, told};

const SAFE: &str = "https://nam02.safelinks.protection.outlook.com/?url=";

fn are(cases: &[(&str, &[&str])]) {
    for (body, rules) in cases {
        assert_eq!(html(body), *rules, "{body}");
    }
}

/// A message with a page in a multipart/related, with these parts inside and outside of it.
fn related(page: &str, inside: &[&str], outside: &[&str]) -> Vec<String> {
    let part = |id: &&str| format!("Content-Type: image/png\r\nContent-ID: <{id}>\r\n\r\nx\r\n");
    let all = |ids: &[&str], boundary: &str| -> String {
        let parts = ids.iter().map(|id| format!("--{boundary}\r\n{}", part(id)));
        parts.collect()
    };
    told(&format!(
        "Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n\
         Content-Type: multipart/related; boundary=i\r\n\r\n--i\r\n\
         Content-Type: text/html\r\n\r\n{page}\r\n{}--i--\r\n{}--o--\r\n",
        all(inside, "i"),
        all(outside, "o")
    ))
}

#[test]
fn cid_urls_match_content_ids() {
    for (page, inside, outside, rules) in [
        ("<img src=cid:logo@x>", &["logo@x"][..], &[][..], &[][..]),
        ("<img src=cid:logo%40x>", &["logo@x"], &[], &[]),
        (
            "<img src=cid:Logo@x>",
            &["logo@x"],
            &[],
            &["cid-case", "cid-unused"],
        ),
        (
            "<img src=cid:logo@x>",
            &[],
            &["logo@x"],
            &["cid-wrong-scope"],
        ),
        (
            "<img src=cid:none>",
            &["logo@x"],
            &[],
            &["cid-unresolved", "cid-unused"],
        ),
        (
            "<a href=cid:none>x</a>",
            &[],
            &[],
            &["cid-unresolved:warning"],
        ),
        (
            "<img src=image001.png>",
            &["image001.png"],
            &[],
            &["cid-bare", "cid-unused"],
        ),
        (
            "<img src=cid:a@x>",
            &["a@x", "a@x"],
            &[],
            &["cid-duplicate"],
        ),
        ("<p style='background:url(cid:a@x)'>", &["a@x"], &[], &[]),
        ("<p>", &["a@x"], &[], &["cid-unused"]),
        ("<p>", &[], &["a@x"], &[]),
    ] {
        let mut told = related(page, inside, outside);
        told.sort_unstable();
        assert_eq!(told, rules, "{page} {inside:?} {outside:?}");
    }
}

#[test]
fn cid_of_parallel_related_is_out_of_scope() {
    let one = |page: &str, id: &str, boundary: &str| {
        format!(
            "Content-Type: multipart/related; boundary={boundary}\r\n\r\n--{boundary}\r\nContent-Type: text/html\r\n\r\n\
             {page}\r\n--{boundary}\r\nContent-Type: image/png\r\nContent-ID: <{id}>\r\n\r\nx\r\n--{boundary}--\r\n"
        )
    };
    let first = one("<img src=cid:b@x><img src=cid:a@x>", "a@x", "c");
    let second = one("<img src=cid:b@x>", "b@x", "d");
    let told = told(&format!(
        "Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n{first}--o\r\n{second}--o--\r\n"
    ));
    assert_eq!(told, ["cid-wrong-scope"]);
}

#[test]
fn companion_attributes_corroborate_url() {
    let conflict =
        format!("<a href=\"{SAFE}https%3A%2F%2Fb.com%2F\" originalsrc=\"https://a.com/\">x</a>");
    let agrees = format!(
        "<a href=\"{SAFE}https%3A%2F%2Fa.com%2F\" originalsrc=\" https://www.a.com/x\">x</a>"
    );
    let original = format!(
        "<a href=\"{SAFE}https%3A%2F%2Fa.com%2F\" title=\"Original URL: https://a.com/ Click or tap\">x</a>"
    );
    are(&[
        (&conflict, &["wrapper-conflict"]),
        (&agrees, &[]),
        (&original, &[]),
        (
            "<a href=https://linknox.com/pc8wr originalsrc=https://accounts.google.com/RP?c=x>x</a>",
            &["wrapper-conflict"],
        ),
        (
            "<a href=https://a.com/ data-saferedirecturl='https://www.google.com/url?q=https://a.com/&source=gmail'>x</a>",
            &[],
        ),
        (
            "<a href=https://b.com/ data-saferedirecturl='https://www.google.com/url?q=https://a.com/&source=gmail'>x</a>",
            &["wrapper-conflict"],
        ),
        (
            "<a href=https://x.a.com/ originalsrc=https://y.a.com/>x</a>",
            &["wrapper-conflict:note"],
        ),
        (
            "<a href=https://protect-eu.mimecast.com/s/AbC originalsrc=https://a.com/>x</a>",
            &["wrapper-opaque"],
        ),
        (
            "<a href=http://evil.com/ title=https://www.paypal.com/x>x</a>",
            &["title-mismatch"],
        ),
        ("<a href=http://www.a.com/ title=https://a.com/>x</a>", &[]),
        (
            "<a href=http://www.a.com/ title='To b.com and back'>x</a>",
            &[],
        ),
        (
            "<a href='http://t.com/c?u=https%3A%2F%2Fa.com%2F' title=https://a.com/>x</a>",
            &["title-mismatch:note"],
        ),
        (
            "<area href=http://evil.com/ title=https://www.paypal.com/>",
            &["title-mismatch"],
        ),
    ]);
}

#[test]
fn alt_text_lowers_level() {
    are(&[
        (
            "<a href=http://evil.com/><img alt=www.paypal.com></a>",
            &["text-mismatch:warning"],
        ),
        (
            "<a href=http://evil.com/> <b> <img alt=www.paypal> <img alt=.com> </b></a>",
            &[],
        ),
        (
            "<a href=http://evil.com/>www.<img alt=paypal.com></a>",
            &["text-mismatch"],
        ),
        (
            "<a href=http://evil.com/><img alt=Logo> www.paypal.com <img alt=Logo></a>",
            &["text-mismatch"],
        ),
        (
            "<a href=http://a.com/><img alt=x></a><a href=http://evil.com/>www.paypal.com</a>",
            &["text-mismatch"],
        ),
    ]);
}

#[test]
fn tracking_pixel_by_size_and_style() {
    are(&[
        (
            "<img width=1 height=1 src=https://t.com/x.gif>",
            &["tracker-pixel"],
        ),
        (
            "<img width=0 height=0 src=https://t.com/x.gif>",
            &["tracker-pixel"],
        ),
        (
            "<img width=1px height=1px src=https://t.com/x.gif>",
            &["tracker-pixel"],
        ),
        (
            "<img style='WIDTH:1px;height: 1px !important' src=https://t.com/x>",
            &["tracker-pixel"],
        ),
        (
            "<img width=1 style=max-height:1px src=https://t.com/x>",
            &["tracker-pixel"],
        ),
        (
            "<img width=35 height=1 src=https://t.com/line.gif>",
            &["remote-content"],
        ),
        ("<img width=1 src=https://t.com/x.gif>", &["remote-content"]),
        (
            "<img width=1 height=1 style=width:100% src=https://t.com/x.gif>",
            &["remote-content"],
        ),
        (
            "<img width=1 height=1 src=https://t.com/spacer.gif>",
            &["remote-content"],
        ),
        (
            "<img width=1 height=1 src=https://t.com/spacer.gif?u=x>",
            &["tracker-pixel"],
        ),
        (
            "<img style=display:none src=https://t.com/x?u=1>",
            &["tracker-pixel"],
        ),
        ("<img hidden src=https://t.com/x?u=1>", &["tracker-pixel"]),
        (
            "<img style=display:none src=https://t.com/phone.png>",
            &["remote-content"],
        ),
        (
            "<img width=600 height=200 src=https://t.com/a.png>",
            &["remote-content"],
        ),
    ]);
}

#[test]
fn names_under_their_own_script_imitate_nothing() {
    are(&[
        (
            "<a href=http://\u{430}\u{440}\u{440}\u{4cf}\u{435}.\u{440}\u{444}/>x</a>",
            &[],
        ),
        (
            "<a href=http://\u{430}\u{440}\u{440}\u{4cf}\u{435}.com/>x</a>",
            &["idn-confusable"],
        ),
    ]);
}

#[test]
fn imitations_of_protected_domains_are_told() {
    are(&[
        (
            "<a href=http://paypal.com.evil.com/>x</a>",
            &["domain-lookalike"],
        ),
        ("<a href=http://paypall.com/>x</a>", &["domain-lookalike"]),
        ("<a href=http://www.paypal.com/>x</a>", &[]),
    ]);
}

#[test]
fn chains_are_opened_before_anything_is_compared() {
    let v3 = "https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fevil.com%2Fx__%3B!!k!s%24";
    are(&[
        (
            &format!("<a href=\"{SAFE}{v3}&amp;data=05\">www.paypal.com</a>"),
            &["text-mismatch"],
        ),
        (
            &format!("<a href=\"{SAFE}{v3}&amp;data=05\">evil.com</a>"),
            &[],
        ),
        (
            "<a href='https://x.list-manage.com/track/click?u=bc97&amp;id=9a'>example.com</a>",
            &["text-mismatch-opaque", "wrapper-opaque"],
        ),
        (
            "<a href='https://protect-eu.mimecast.com/s/AbC?domain=bbc.com'>x</a>",
            &["wrapper-opaque"],
        ),
        (
            "<a href='https://urldefense.com/v3/__https://a.com/p*q__;!!k!s$'>x</a>",
            &["wrapper-undecodable"],
        ),
        (
            "<a href='http://h.com/?url==3Dhttp%3a%2f%2fx'>x</a>",
            &["qp-residue"],
        ),
        (
            "<a href='https://linkprotect.cudasvc.com/url?a=https%3a%2f%2flocal_termination.sh&amp;c=E'>local_termination.sh</a>",
            &[],
        ),
        (
            "<a href='http://r.com/r?u=http%3A%2F%2Fwww.cnn.com%2F%3Fv%3Dhttp%253A%252F%252Fevil.org'>http://www.cnn.com</a>",
            &["text-mismatch"],
        ),
        (
            "<a href='http://clicktime.symantec.com/3BCC?u=0x3E.0004.0x10.0256/cl/1752_md/1/13'>x</a>",
            &["wrapper-undecodable"],
        ),
    ]);
}

#[test]
fn parts_of_a_message_are_not_remote_content() {
    // RFC 2557 §8.2: a part is known by its location, too.
    let message = |location: &str| {
        told(&format!(
            "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\n\
             Content-Type: text/html\r\nContent-Base: http://h.example/\r\n\r\n\
             <img src=img/a.gif>\r\n--b\r\nContent-Type: image/gif\r\n\
             Content-Location: {location}\r\n\r\nGIF\r\n--b--\r\n"
        ))
    };
    assert_eq!(message("http://h.example/img/a.gif"), [""; 0]);
    assert_eq!(message("http://h.example/b.gif"), ["remote-content"]);
}
