//! What is misspelt is answered in one line that says what was meant, and nothing is done.

use super::baseref;

#[test]
fn misspelt_argument_message() {
    let moving = "--from http://a/ --to http://b/";
    for (arguments, meant) in [
        ("audti x", "`baseref audit`"),
        ("--verison", "--version"),
        ("help audti", "`audit`"),
        ("man audti", "`audit`"),
        ("completions bsh", "`bash`"),
        ("audit --hostng apache x", "--hosting"),
        ("audit --hosting apche x", "`apache`"),
        ("audit --hosting APACHE x", "`apache`"),
        ("audit --level warn x", "`warning`"),
        (
            "audit --rule target/mising-file=off x",
            "`target/missing-file`",
        ),
        ("audit --rule missing-file=off x", "`target/missing-file`"),
        (
            "audit --allow target/mising-file x",
            "`target/missing-file`",
        ),
        ("audit --allow mising-file:/x@y x", "`target/missing-file`"),
        ("audit --explain mising-file", "`target/missing-file`"),
        (
            "audit --redirects ngnix:x.conf fixtures/example/site",
            "`nginx`",
        ),
        ("audit --encoding utf-9 x", "`UTF-8`"),
        (
            "audit --url-map waybac:fixtures/example/site fixtures/example/site",
            "`wayback:fixtures/example/site`",
        ),
        ("links --url-map htrack:x x", "`httrack:x`"),
        ("links --url-map wget+https:x x", "`wget+http:x`"),
        ("audit --out htm=x x", "`html`"),
        ("audit --fix movd x", "`moved`"),
        ("links --unqiue x", "--unique"),
        ("links -f cvs x", "`csv`"),
        ("links --fields url,lne x", "`line`"),
        ("links --group-by src_site,sit x", "`site`"),
        ("links --messages jsno x", "`jsonl`"),
        ("base --resolver whatgw x", "`whatwg`"),
        ("diff -f jsnl x y", "`jsonl`"),
        ("rewrite --relativ x", "--relative"),
        ("resolve --resolver rfc180 http://a/ x", "`rfc1808`"),
        (
            &format!("verify-move {moving} --out redirects:ngnix=x x"),
            "`redirects.nginx`",
        ),
        (
            &format!("verify-move {moving} --rule move/climb-out=off fixtures/example/moving"),
            "`move/climbs-out`",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = baseref(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        let tip = format!("did you mean {meant}?");
        assert!(said.trim_end().ends_with(&tip), "{arguments:?}: {said}");
        assert!(said.starts_with("baseref: "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn missing_or_conflicting_argument_message() {
    for (arguments, said) in [
        ("diff x", "<B> is missing: baseref diff <A> <B>"),
        (
            "resolve",
            "<BASE> is missing: baseref resolve <BASE> [REF]...",
        ),
        (
            "links --unwrap --count x",
            "--unwrap cannot be used with --count",
        ),
        (
            "links --internal --external x",
            "--internal cannot be used with --external",
        ),
        ("links --max-url", "--max-url takes a value"),
        ("audit --include ( x", "--include (: unclosed group"),
        (
            "audit --groups many x",
            "--groups many: this is neither a number nor `all`",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = baseref(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed, format!("baseref: {said}\n"), "{arguments:?}");
    }
}

#[test]
fn empty_comparison_or_rewrite_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (a, b) = (name("a"), name("b"));
    std::fs::create_dir(&a).expect("the folder is made");
    std::fs::create_dir(&b).expect("the folder is made");
    let copy = name("copy");
    for (arguments, why) in [
        (
            vec!["diff", &a, &b],
            "nothing was compared: there is no page in ",
        ),
        (
            vec!["rewrite", "--relative", &a],
            "nothing was rewritten: there is no page in ",
        ),
        (
            vec!["rewrite", "--relative", "--fix", &copy, &a],
            "nothing was rewritten: there is no page in ",
        ),
        (
            vec![
                "rewrite",
                "--absolute",
                "--glob",
                "*.htm",
                "fixtures/example",
            ],
            "nothing was rewritten: there is no page that --glob takes in ",
        ),
    ] {
        let output = baseref(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{said}");
        assert!(!std::path::Path::new(&copy).exists());
    }
    // What is new in one of them is a difference.
    std::fs::write(format!("{b}/page.html"), "<a href=x>").expect("the file is written");
    assert_eq!(baseref(&["diff", &a, &b]).status.code(), Some(1));
}

#[test]
fn one_url_for_folder_refused() {
    let folder = "fixtures/example/site";
    let arguments = ["rewrite", "--absolute", "-u", "http://a.example/", folder];
    let output = baseref(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("--url-map {folder}=URL")), "{said}");
    assert!(output.stdout.is_empty());
    // A list is given, with a word on it.
    let said = |arguments: &[&str]| {
        let output = baseref(arguments);
        assert!(!output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).contains(&format!("`--url-map {folder}=URL`"))
    };
    let url = "http://a.example/";
    assert!(said(&["links", "-u", url, folder]));
    assert!(said(&["base", "-u", url, folder]));
    assert!(!said(&[
        "links",
        "-u",
        url,
        &format!("{folder}/index.html")
    ]));
    let map = format!("{folder}={url}");
    assert!(!said(&["links", "-u", url, "--url-map", &map, folder]));
}
