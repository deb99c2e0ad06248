//! The front door of the library: documents and links as iterators.

use baseref::{
    Base, BaseSource, Classes, Document, Documents, Limits, Policy, ReadError, ReadErrorKind,
    ReadOptions, ResolveError, Resolved, ResolvedLink, Rules,
};

fn urls(document: &Document, policy: Policy) -> Vec<Result<String, ResolveError>> {
    let resolved = policy.resolve(document);
    resolved.links().map(|link| link.url).collect()
}

#[test]
fn library_types_are_send() {
    fn is_send<T: Send>() {}
    fn is_shared<T: Send + Sync>() {}
    is_send::<Documents>();
    is_shared::<Base>();
    is_shared::<Document>();
    is_shared::<Limits>();
    is_shared::<Policy>();
    is_shared::<ReadError>();
    is_shared::<ReadOptions>();
    is_shared::<Resolved<'static>>();
    is_shared::<ResolvedLink<'static>>();
}

#[test]
fn one_loop_for_page_message_and_mailbox() {
    let mail = "From: a@b\nContent-Type: text/html\nContent-Base: http://m/\n\n<a href=x>\n";
    let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{mail}\n").repeat(2);
    let page = "<base href=http://p/><a href=x>";
    for (name, bytes, expected) in [
        ("p.html", page, &["http://p/x"][..]),
        ("m.eml", mail, &["http://m/x"]),
        ("b.mbox", &mailbox, &["http://m/x", "http://m/x"]),
    ] {
        let mut found = Vec::new();
        let documents = baseref::read_bytes(name, bytes, None, &ReadOptions::default());
        for document in documents.expect(name) {
            let document = document.expect(name);
            found.extend(urls(&document, Policy::default()).into_iter().flatten());
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn loop_continues_after_damaged_message() {
    // The part of the first message is nested too deeply for its limit.
    let damaged = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\
        Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!!!!\n--c--\n--b--\n";
    let whole = "Content-Type: text/html\nContent-Base: http://m/\n\n<a href=x>\n";
    let from = "From a@b Fri Jan 27 10:00:00 2017\n";
    let mailbox = format!("{from}{damaged}\n{from}{whole}\n");
    let limits = Limits::default().with_mime_depth(1);
    let options = ReadOptions::default().with_limits(limits);
    let (mut found, mut unread) = (Vec::new(), 0);
    let documents = baseref::read_bytes("b.mbox", mailbox, None, &options);
    for document in documents.expect("the mailbox is read") {
        match document {
            Ok(document) => {
                found.extend(urls(&document, Policy::default()).into_iter().flatten());
            }
            Err(_) => unread += 1,
        }
    }
    assert_eq!(found, ["http://m/x"]);
    assert!(unread > 0);
}

#[test]
fn retrieval_url_of_input() {
    let from = "From a@b Fri Jan 27 10:00:00 2017\n";
    let mail = "Content-Type: text/html\n\n<a href=x>\n";
    let mailbox = format!("{from}{mail}\n{from}Content-Base: http://m/\n{mail}\n");
    let url = Some("http://r/b.mbox");
    let documents = baseref::read_bytes("b.mbox", mailbox, url, &ReadOptions::default());
    let documents = documents
        .expect("the mailbox is read")
        .map(|document| document.expect("the message is read"));
    let found: Vec<String> = documents
        .flat_map(|document| urls(&document, Policy::default()))
        .flatten()
        .collect();
    assert_eq!(found, ["http://r/x", "http://m/x"]);
}

#[test]
fn base_of_data_url_document() {
    let page = "<base href=http://a/b/><iframe src='data:text/html,<a href=c>' srcdoc='<p>'></iframe>\
        <iframe src='data:text/html,<a href=c>1<a href=//h/>2<a href=%23f>3<a href=http://d/>4'></iframe>\
        <object data='data:text/html;base64,PGJhc2UgaHJlZj1odHRwOi8vZS8%2BPGEgaHJlZj1jPg=='></object>\
        <embed src='data:text/plain,<a href=c>'><a href=d>5</a>";
    let bad = |raw: &str| format!("-!data1 {raw} Err(BadBase)");
    for rules in Rules::ALL {
        let document = baseref::read_html(page.as_bytes(), None, &ReadOptions::default());
        let policy = Policy::default().with_rules(rules);
        let resolved = policy.resolve(&document);
        let found = resolved.links().map(|link| {
            let origin = &link.document.origin;
            format!("{origin} {} {:?}", link.reference.value, link.url)
        });
        let found: Vec<_> = found.collect();
        let expected = [
            "- d Ok(\"http://a/b/d\")".to_owned(),
            bad("c"),
            bad("//h/"),
            bad("#f"),
            "-!data1 http://d/ Ok(\"http://d/\")".to_owned(),
            "-!data2 c Ok(\"http://e/c\")".to_owned(),
        ];
        assert_eq!(found, expected, "{rules}");
    }
}

#[test]
fn data_url_depth_limit() {
    let mut page = String::from("<a href=x>");
    for _ in 0..12 {
        let inner = page.replace('%', "%25").replace('\'', "%27");
        page = format!("<iframe src='data:text/html,{inner}'></iframe>");
    }
    let document = baseref::read_html(page.as_bytes(), None, &ReadOptions::default());
    let (mut at, mut depth) = (&document, 0);
    while let Some(inner) = at.embedded.first() {
        depth += 1;
        at = inner;
    }
    assert_eq!(depth, 8);
    let codes: Vec<_> = at.notes.iter().map(|note| note.code.as_str()).collect();
    assert_eq!(codes, ["srcdoc-depth"]);
}

#[test]
fn links_of_embedded_documents() {
    let page = br#"<base href=http://a/b/><iframe srcdoc="<a href=c>"></iframe><a href=d>"#;
    let options = ReadOptions::default().with_classes(Classes::ALL);
    let document = baseref::read_html(page, None, &options);
    let resolved = Policy::default().resolve(&document);
    let found: Vec<String> = resolved
        .links()
        .map(|link| format!("{} {:?}", link.document.origin, link.url))
        .collect();
    assert_eq!(
        found,
        [
            "- Ok(\"http://a/b/\")",
            "- Ok(\"http://a/b/d\")",
            "-!srcdoc1 Ok(\"http://a/b/c\")",
        ]
    );
    let mut lent = Vec::new();
    resolved.for_each_link(|document, link| {
        lent.push(format!("{} {:?}", document.origin, link.url));
    });
    assert_eq!(lent, found);
}

#[test]
fn retrieval_url_of_page() {
    let document = baseref::read_html(b"<a href=x>", Some("http://a/b"), &ReadOptions::default());
    let resolved = Policy::default().resolve(&document);
    assert_eq!(resolved.base().source, BaseSource::Retrieval);
    assert_eq!(
        urls(&document, Policy::default()),
        [Ok("http://a/x".to_owned())]
    );
    let document = baseref::read_html(b"<a href=x>", None, &ReadOptions::default());
    assert_eq!(
        urls(&document, Policy::default()),
        [Err(ResolveError::NoBase)]
    );
}

#[test]
fn policy_selects_resolver() {
    let document = baseref::read_html(
        b"<a href=../../g>",
        Some("http://a/b"),
        &ReadOptions::default(),
    );
    for (rules, url) in [
        (Rules::Rfc1808, "http://a/../../g"),
        (Rules::Rfc3986, "http://a/g"),
    ] {
        assert_eq!(
            urls(&document, Policy::default().with_rules(rules)),
            [Ok(url.to_owned())]
        );
        let resolved = baseref::resolve(rules, Some("http://a/b"), "../../g");
        assert_eq!(resolved.as_deref(), Ok(url));
    }
}

#[test]
fn missing_file_named_in_error() {
    let error = baseref::read_path("no/such.html", None, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::Io);
    assert_eq!(error.origin.to_string(), "no/such.html");
}

#[test]
fn unreadable_member_keeps_its_position() {
    let warc = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n\
                WARC-Target-URI: http://a/\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\ngarbage\r\n";
    let documents = baseref::read_bytes("a.warc", warc, None, &ReadOptions::default());
    let found: Vec<bool> = documents.unwrap().map(|found| found.is_ok()).collect();
    assert_eq!(found, [true, false]);
}
