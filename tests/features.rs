//! What each Cargo feature of the library adds, and what is said where it is off.

use baseref::{
    Feature, Policy, ReadErrorCause, ReadErrorKind, ReadOptions, ResolveError, Rules, read_html,
};

#[test]
fn format_that_is_not_built_in_names_its_feature() {
    let is_built_in = |feature| match feature {
        Feature::Mail => cfg!(feature = "mail"),
        Feature::Warc => cfg!(feature = "warc"),
        _ => cfg!(feature = "archives"),
    };
    for (name, bytes, feature) in [
        ("a.eml", &b"Subject: a\n\nb"[..], Feature::Mail),
        (
            "a.mbox",
            b"From a@b Fri Jan 27 10:00:00 2017\nSubject: a\n\nb\n",
            Feature::Mail,
        ),
        (
            "a.warc",
            b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
            Feature::Warc,
        ),
        ("a.har", b"{\"log\":{\"entries\":[]}}", Feature::Warc),
        (
            "a.zip",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            Feature::Archives,
        ),
        ("a.html.zst", b"\x28\xB5\x2F\xFD\0\0", Feature::Archives),
        ("a.eml.bz2", b"BZh91AY&SY", Feature::Archives),
        ("a.eml.xz", b"\xFD7zXZ\0", Feature::Archives),
        ("a.warc.zst", b"\x5D\x2A\x4D\x18\0\0\0\0", Feature::Archives),
    ] {
        let documents = baseref::read_bytes(name, bytes, None, &ReadOptions::default());
        let found = documents.and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let refusal = found
            .err()
            .filter(|error| error.kind == ReadErrorKind::NotBuiltIn);
        assert_eq!(refusal.is_none(), is_built_in(feature), "{name}");
        if let Some(error) = refusal {
            assert!(
                matches!(error.cause(), Some(ReadErrorCause::Feature(one)) if *one == feature),
                "{name}"
            );
            assert!(
                error.reason.ends_with(&format!("`{feature}`")),
                "{}",
                error.reason
            );
        }
    }
}

#[test]
fn url_standard_is_refused_by_name_where_it_is_not_built_in() {
    let page = read_html(b"<a href=../b>", Some("http://a/"), &ReadOptions::default());
    let resolved = Policy::default().with_rules(Rules::Whatwg).resolve(&page);
    let urls: Vec<_> = resolved.links().map(|link| link.url).collect();
    let expected = if cfg!(feature = "whatwg") {
        Ok("http://a/b".to_owned())
    } else {
        Err(ResolveError::NotBuiltIn)
    };
    assert_eq!(urls, [expected]);
    let urls = Policy::default().resolve(&page);
    let urls: Vec<_> = urls.links().filter_map(|link| link.url.ok()).collect();
    assert_eq!(urls, ["http://a/../b"]);
}

#[cfg(feature = "serde")]
#[test]
fn link_is_serialised_with_the_fields_of_json_lines() {
    use baseref::LinkRecord;

    let page = read_html(
        b"<base href=http://a/>\n<a href=b>c</a><a href=//[>",
        None,
        &ReadOptions::default(),
    );
    let resolved = Policy::default().resolve(&page);
    let links: Vec<_> = resolved.links().collect();
    let json = serde_json::to_value(&links).expect("links can be serialised");
    assert_eq!(
        json[0],
        serde_json::json!({
            "doc": "-", "seq": 1, "element": "a", "attr": "href", "class": "anchor", "text": "c", "raw": "b",
            "url": "http://a/b", "error": null, "base": "http://a/", "base_source": "element",
            "base_at": "<base> line 1", "line": 2, "column": 9, "byte": [30, 31],
        })
    );
    let records: Vec<LinkRecord> = serde_json::from_value(json).expect("records can be read again");
    assert!(
        records
            .iter()
            .eq(&links.iter().map(LinkRecord::from).collect::<Vec<_>>())
    );
}

#[cfg(feature = "serde")]
#[test]
fn plain_data_survives_serde() {
    use baseref::{BaseSource, Class, Note, NoteCode, Position};

    let position = Position::default();
    let json = serde_json::to_string(&position).expect("a position can be serialised");
    assert_eq!(json, r#"{"line":1,"column":1,"byte":[0,0]}"#);
    assert_eq!(serde_json::from_str::<Position>(&json).ok(), Some(position));

    let page = read_html(
        b"<base href=a><base href=b>",
        Some("http://a/"),
        &ReadOptions::default(),
    );
    let resolved = Policy::default().resolve(&page);
    let notes = resolved
        .documents()
        .flat_map(|document| document.base_report().notes.clone());
    assert!(notes.count() > 0);
    let note: Note =
        serde_json::from_str(r#"{"code":"charset","detail":"a","line":3}"#).expect("a note");
    assert_eq!(
        (note.code, note.line.map(u32::from)),
        (NoteCode::Charset, Some(3))
    );
    let json = serde_json::to_string(&note).expect("a note can be serialised");
    assert_eq!(serde_json::from_str::<Note>(&json).ok(), Some(note));

    for (json, class) in [("\"anchor\"", Some(Class::Anchor)), ("\"ankle\"", None)] {
        assert_eq!(serde_json::from_str::<Class>(json).ok(), class);
    }
    let base = serde_json::to_value(resolved.base()).expect("a base can be serialised");
    assert_eq!(base["base_source"], BaseSource::Element.as_str());
    assert_eq!(base["base"], "http://a/a");
}

#[cfg(feature = "url")]
#[test]
fn link_becomes_a_url_of_the_url_standard() {
    use baseref::ToUrlError;

    let page = read_html(
        b"<a href=../b><a href='http://a b/'>",
        Some("http://a/"),
        &ReadOptions::default(),
    );
    let resolved = Policy::default().resolve(&page);
    let urls: Vec<_> = resolved.links().map(|link| link.to_url()).collect();
    assert_eq!(urls[0].as_ref().map(url::Url::as_str), Ok("http://a/b"));
    assert!(matches!(urls[1], Err(ToUrlError::Refused(_))));
    let page = read_html(b"<a href=b>", None, &ReadOptions::default());
    let resolved = Policy::default().resolve(&page);
    let unresolved = resolved.links().next().map(|link| link.to_url());
    assert_eq!(
        unresolved,
        Some(Err(ToUrlError::Unresolved(ResolveError::NoBase)))
    );
}
