//! Filters, counts and messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::{baseref, run, write_files};

const PAGE: &str = "<title>T</title><a href=a.html>one\ttwo</a>\
    <a href='https://B.Example.org/x?y'>b</a><a href='http://c.example.com:80/'>c</a>\
    <a href='mailto:me@example.org'>mail</a><img src=i.png><a href='http://['>bad</a>";

/// An empty folder of that name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("filters-and-messages")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is made");
    folder
}

/// A folder of that name with these files.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    write_files(&folder, files);
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

/// The output of `links` with these arguments for the page, from `http://a.example.org/d/p`.
fn links(arguments: &[&str]) -> String {
    let of_page = [
        "links",
        "--stdin-name",
        "p.html",
        "-u",
        "http://a.example.org/d/p",
    ];
    stdout(&run(&[&of_page, arguments].concat(), PAGE.as_bytes()))
}

#[test]
fn fields_selected_in_order() {
    assert_eq!(
        links(&[
            "-f",
            "csv",
            "--fields",
            "text,doc_url,scheme,host,site,path,byte,line"
        ]),
        "text,doc_url,scheme,host,site,path,byte_start,byte_end,line\n\
         one two,http://a.example.org/d/p,http,a.example.org,example.org,/d/a.html,24,30,1\n\
         b,http://a.example.org/d/p,https,b.example.org,example.org,/x,51,76,1\n\
         c,http://a.example.org/d/p,http,c.example.com,example.com,/,92,116,1\n\
         mail,http://a.example.org/d/p,mailto,,,me@example.org,132,153,1\n\
         bad,http://a.example.org/d/p,http,,,,187,195,1\n"
    );
}

#[test]
fn selected_fields_without_value() {
    let objects = links(&[
        "-f",
        "jsonl",
        "--fields",
        "host,archived_at,part",
        "--scheme",
        "mailto",
    ]);
    assert_eq!(objects, "{\"host\":null,\"archived_at\":null}\n");
    let added = links(&["-f", "jsonl", "--fields", "+site", "--scheme", "https"]);
    assert!(
        added.starts_with("{\"doc\":\"p.html\",\"seq\":2,"),
        "{added}"
    );
    assert!(added.ends_with(",\"site\":\"example.org\"}\n"), "{added}");
    let output = baseref(&["links", "-f", "csv", "--fields", "nonsense", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no field `nonsense`"));
}

#[test]
fn mail_context_fields() {
    let mail = "Message-ID: <1@a.example>\nFrom: =?utf-8?q?J=C3=B6?= <jo@a.example>\nTo: b@b.example\n\
        Subject: =?utf-8?b?w6k=?=\n two\nDate: Fri, 21 Nov 1997 09:55:06 -0600\nList-Id: <l.example>\n\
        Content-Type: text/html; charset=utf-8\nContent-Disposition: attachment; filename=x.html\n\n\
        <title>T</title><a href=http://a/>x</a>";
    let fields = "doc_date,message_id,from,to,subject,list_id,content_type,disposition,filename";
    let arguments = [
        "links", "-f", "csv", "--input", "eml", "--fields", fields, "-",
    ];
    assert_eq!(
        stdout(&run(&arguments, mail.as_bytes())),
        format!(
            "{fields}\n1997-11-21T15:55:06Z,1@a.example,J\u{f6} <jo@a.example>,b@b.example,\
             \u{e9} two,<l.example>,text/html,attachment,x.html\n"
        )
    );
}

#[test]
fn tables_round_trip() {
    let page = "<a href='a\\b'>x\"y,z</a><a href='t'>1</a>";
    let of = |format| {
        let fields = ["links", "-f", format, "--fields", "raw,text", "-"];
        stdout(&run(&fields, page.as_bytes()))
    };
    assert_eq!(of("tsv"), "raw\ttext\na\\\\b\tx\"y,z\nt\t1\n");
    assert_eq!(of("csv"), "raw,text\na\\b,\"x\"\"y,z\"\nt,1\n");
}

#[test]
fn filters_by_resolved_url() {
    let a = "http://a.example.org/d/a.html\n";
    let b = "https://B.Example.org/x?y\n";
    let c = "http://c.example.com:80/\n";
    let mail = "mailto:me@example.org\n";
    let bad = "http://[\n";
    for (arguments, expected) in [
        (&["--scheme", "https,mailto"][..], [b, mail].concat()),
        (&["--scheme", "HTTPS://"], b.to_owned()),
        (&["--host", "*.example.org"], [a, b].concat()),
        (
            &["--host", "c.*", "--host", "b.example.org"],
            [b, c].concat(),
        ),
        (
            &["--include", "[?]y$", "--include", "^mailto:"],
            [b, mail].concat(),
        ),
        (
            &["--exclude", "(?i)example", "--exclude", "zzz"],
            bad.to_owned(),
        ),
        (&["--internal"], a.to_owned()),
        (&["--external"], [b, c, mail, bad].concat()),
        (
            &["--external", "--scheme", "http", "--exclude", "\\["],
            c.to_owned(),
        ),
    ] {
        assert_eq!(links(arguments), expected, "{arguments:?}");
    }
    let without_url = [
        "links",
        "--internal",
        "-f",
        "csv",
        "--fields",
        "raw,error",
        "-",
    ];
    let output = run(&without_url, PAGE.as_bytes());
    assert_eq!(stdout(&output), "raw,error\na.html,no-base\n");
    let errors = ["links", "--errors", "-f", "csv", "--fields", "raw", "-"];
    assert_eq!(stdout(&run(&errors, PAGE.as_bytes())), "raw\na.html\n");
    let output = run(&["links", "-v", "--scheme", "https", "-"], PAGE.as_bytes());
    assert!(
        stderr(&output).ends_with("4 links of 5 filtered out\n"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn link_counts_by_field() {
    let site = tree(
        "counted",
        &[
            (
                "a.html",
                "<a href=http://b/1></a><a href=http://b/2></a><a href=x></a>",
            ),
            ("b.html", "<a href=http://a/1></a><a href=http://b/2></a>"),
            ("c.html", "<p>"),
        ],
    );
    let of = |arguments: &[&str]| stdout(&baseref(&[&["links", text(&site)], arguments].concat()));
    let (a, c) = (site.join("a.html"), site.join("c.html"));
    let counted = of(&["--count", "-f", "jsonl"]);
    let lines: Vec<&str> = counted.lines().collect();
    assert_eq!(lines.len(), 3);
    let line = |doc: &Path, links| {
        let doc = text(doc);
        format!("{{\"v\":1,\"type\":\"group\",\"by\":\"doc\",\"key\":\"{doc}\",\"links\":{links}}}")
    };
    assert_eq!([lines[0], lines[2]], [line(&a, 3), line(&c, 0)]);
    for jobs in ["1", "8"] {
        assert_eq!(
            of(&["--group-by", "host", "-j", jobs]),
            "       3  b\n       1  -\n       1  a\n"
        );
    }
    assert_eq!(
        of(&["--group-by", "url", "-f", "csv", "--scheme", "http"]),
        "by,key,links,v\nurl,http://b/2,2,1\nurl,http://a/1,1,1\nurl,http://b/1,1,1\n"
    );
}

#[test]
fn text_lines_with_position() {
    let a = "p.html:1:25:http://a.example.org/d/a.html\n";
    assert_eq!(links(&["-H", "--internal"]), a);
    assert_eq!(
        links(&["-H", "--null", "--internal"]),
        a.replace('\n', "\0")
    );
    assert_eq!(
        links(&["--defang", "--scheme", "https,mailto"]),
        "hxxps://B[.]Example[.]org/x?y\nmailto:me[@]example[.]org\n"
    );
    let page = "<a href='data:,0123456789'>";
    let cut = run(&["links", "--max-url", "8", "-"], page.as_bytes());
    assert_eq!(stdout(&cut), "data:,01...[8 more characters]\n");
    let colored = links(&["--color", "always", "-H", "--internal"]);
    assert!(colored.contains("\u{1b}[35mp.html\u{1b}[0m"), "{colored:?}");
    assert!(
        colored.contains("\u{1b}]8;;http://a.example.org/d/a.html\u{1b}\\"),
        "{colored:?}"
    );
    for option in ["-0", "-H"] {
        let output = baseref(&["links", option, "-f", "csv", "fixtures/example/page.html"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

#[test]
fn controls_shown_in_every_format() {
    let page = "<a href='http://a/\u{202e}\u{1b}b'>\u{9b}x\u{1b}[2J</a>";
    for format in ["url", "jsonl", "csv", "tsv"] {
        let shown = run(
            &["links", "-f", format, "--color", "always", "-"],
            page.as_bytes(),
        );
        let shown = stdout(&shown)
            .replace("\u{1b}]8;;", "")
            .replace("\u{1b}\\", "");
        let is_obeyed = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        assert!(!shown.contains(is_obeyed), "{format}: {shown:?}");
        let data = stdout(&run(&["links", "-f", format, "-"], page.as_bytes()));
        // Files and pipes get the data, which JSON escapes.
        let written = if format == "jsonl" {
            "\\u202e"
        } else {
            "\u{202e}"
        };
        assert!(data.contains(written), "{format}: {data:?}");
    }
}

#[test]
fn notes_and_errors() {
    let page = tree("imperfect", &[]).join("p.html");
    fs::write(&page, b"<meta charset=utf-8><a href=http://a/>\xff</a>")
        .expect("the file is written");
    let with = |arguments: &[&str]| baseref(&[&["links", text(&page)], arguments].concat());
    let output = with(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stderr(&output),
        "baseref: 1 note (charset 1); -v shows them\n"
    );
    assert!(
        stderr(&with(&["-v"])).contains("p.html: note: charset: "),
        "{}",
        stderr(&with(&["-v"]))
    );
    assert_eq!(stderr(&with(&["-q"])), "");
    assert_eq!(with(&["--notes-as-errors"]).status.code(), Some(3));
    let object = stderr(&with(&["--messages", "jsonl"]));
    assert!(
        object.contains("\"code\":\"charset\",\"severity\":\"note\""),
        "{object}"
    );
    let missing = ["links", "-q", "fixtures/none.html"];
    let output = baseref(&missing);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("none.html: No such file"));
}

#[test]
fn messages_grouped_after_the_tenth() {
    let names: Vec<String> = (0..25)
        .map(|number| format!("fixtures/none-{number}.html"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = baseref(&[&["links"], &names[..]].concat());
    let said = stderr(&output);
    assert_eq!(said.matches("No such file").count(), 10);
    assert!(
        said.contains("io: and 15 more like this; -v shows all"),
        "{said}"
    );
    let all = stderr(&baseref(&[&["links", "-v"], &names[..]].concat()));
    assert_eq!(all.matches("No such file").count(), 25);
    let objects = stderr(&baseref(
        &[&["links", "--messages", "jsonl"], &names[..]].concat(),
    ));
    assert_eq!(objects.matches("\"code\":\"io\"").count(), 25);
}

#[test]
fn mistyped_argument_gets_suggestion() {
    for (arguments, help) in [
        (
            &["lnks", "fixtures/example/page.html"][..],
            "did you mean `baseref links`?",
        ),
        (&["http://example.org/"], "baseref never fetches"),
        (
            &["resolve", "../g", "http://a/b/c"],
            "baseref resolve http://a/b/c ../g",
        ),
        (&["links", "-j", "x", "p"], "give the number of threads"),
        (&["links", "-j", "0", "p"], "give the number of threads"),
        (&["links", "--links", "images", "p"], "write `resource`"),
        (&["links", "--links", "anchor,forms", "p"], "write `form`"),
        (
            &["links", "--url-map", "none=http://a/", "p"],
            "none is not a directory",
        ),
        (
            &[
                "links",
                "--url-map",
                "src=http://a/",
                "--url-map",
                "./src/=http://b/",
                "p",
            ],
            "is given twice",
        ),
        (&["links", "--errors", "p"], "choose -f jsonl"),
        (
            &["links", "--fields", "url", "p"],
            "--fields can only be used with the formats",
        ),
        (
            &["links", "--glob", "a[", "p"],
            "--glob a[: unclosed character class",
        ),
    ] {
        let output = baseref(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.contains(help), "{arguments:?}: {said}");
    }
    let said = stderr(&baseref(&["links", "--prune", "p"]));
    assert!(!said.contains("similar"), "{said}");
    let said = stderr(&baseref(&["links", "--glb", "p"]));
    assert!(said.contains("--glob"), "{said}");
}

#[test]
fn first_title_element() {
    let by_tags = "<svg><title>no</title></svg><template><title>no</title></template>\
        <title>\n a &amp;\n b </title><title>no</title><a href=http://a/>";
    // A link around a block is read by the tree.
    let by_tree = "<title>a &amp; b</title><p><a href=http://a/><div><a href=http://b/>";
    let by_xml = "<html xmlns='http://www.w3.org/1999/xhtml'><title/><title>no</title>\
        <a href='http://a/'/></html>";
    for (input, page, title) in [
        ("html", by_tags, "\"a & b\""),
        ("html", by_tree, "\"a & b\""),
        ("html", "<a href=http://a/>", "null"),
        ("html", "<a href=http://a/></a><title>a & b", "\"a & b\""),
        ("xhtml", by_xml, "\"\""),
    ] {
        let arguments = [
            "links",
            "-f",
            "jsonl",
            "--fields",
            "doc_title",
            "--input",
            input,
            "-",
        ];
        let out = run(&arguments, page.as_bytes()).stdout;
        let out = String::from_utf8(out).expect("JSON is UTF-8");
        let first = out.lines().next().expect("the document has a link");
        assert_eq!(first, format!("{{\"doc_title\":{title}}}"), "{page}");
    }
}

#[test]
fn missing_base_names_the_options() {
    let page = "<a href=x></a>";
    let said = stderr(&run(&["links", "-"], page.as_bytes()));
    assert!(
        said.contains("give `--url-map DIR=URL` or `-u URL`;"),
        "{said}"
    );
    let marked = format!("<!-- saved from url=(0018)http://example.org/ -->\n<html>{page}");
    let said = stderr(&run(&["links", "-"], marked.as_bytes()));
    assert!(
        said.contains("or `--saved-from auto`: marks record where pages were saved from"),
        "{said}"
    );
    let other = tree("unused", &[("d/x.html", page), ("e/y.html", page)]);
    let map = format!("{}=http://a/", other.join("d").display());
    let said = stderr(&baseref(&[
        "links",
        "--url-map",
        &map,
        text(&other.join("e")),
    ]));
    assert!(said.contains("no input is below"), "{said}");
}

#[test]
fn directory_selection() {
    let site = tree(
        "walked",
        &[
            ("a.html", "<a href=http://a/>"),
            ("b.txt", "<a href=http://b/>"),
            ("sub/c.html", "<a href=http://c/>"),
            (".git/d.html", "<a href=http://d/>"),
            (
                ".Sent/cur/1.2.x:2,S",
                "From: a\nTo: b\nContent-Type: text/html\n\n<a href=http://e/>",
            ),
            ("hts-cache/f.html", "<a href=http://f/>"),
        ],
    );
    let of = |arguments: &[&str]| baseref(&[&["links", text(&site)], arguments].concat());
    let hosts = |arguments: &[&str]| -> String {
        let urls = stdout(&of(arguments));
        urls.lines().filter_map(|url| url.chars().nth(7)).collect()
    };
    assert_eq!(hosts(&[]), "eabc");
    let said = stderr(&of(&[]));
    assert!(
        said.ends_with("skipped: 1 cache of HTTrack, 1 hidden directory (--hidden enters it)\n"),
        "{said}"
    );
    assert_eq!(hosts(&["--hidden"]), "edabc");
    assert_eq!(hosts(&["--glob", "*.html"]), "ac");
    assert_eq!(hosts(&["--glob", "*.html", "--glob", "!a.*"]), "c");
    assert_eq!(hosts(&["--glob", "!sub"]), "eab");
    assert_eq!(hosts(&["--glob", "sub/*"]), "c");
}

#[test]
fn named_file_of_other_kind() {
    let files = tree(
        "else",
        &[
            ("a.json", "{}"),
            ("b.txt", "x"),
            ("d.txt", "see http://a.example/"),
        ],
    );
    fs::write(
        files.join("c.html"),
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01",
    )
    .expect("the file is written");
    let said = |name: &str| {
        let output = baseref(&["links", text(&files.join(name))]);
        (output.status.code(), stderr(&output))
    };
    let (code, json) = said("a.json");
    assert!(
        code == Some(0) && json.contains("its name suggests JSON"),
        "{json}"
    );
    assert_eq!(said("b.txt"), (Some(0), String::new()));
    let (code, plain) = said("d.txt");
    assert!(code == Some(0) && plain.contains("--links text"), "{plain}");
    let (code, png) = said("c.html");
    assert!(code == Some(3) && png.contains("(image/png)"), "{png}");
    let (code, none) = (
        baseref(&["links", text(&folder("empty"))]).status.code(),
        folder("empty"),
    );
    assert_eq!(code, Some(2));
    assert!(stderr(&baseref(&["links", text(&none)])).contains("there is no page in"));
}

#[cfg(unix)]
#[test]
fn symlinked_files_and_directories() {
    use std::os::unix::fs::symlink;
    let site = tree("followed", &[("a/x.html", "<a href=y>"), ("b/z.txt", "")]);
    symlink("../a/x.html", site.join("b/own.html")).expect("the symbolic link is made");
    symlink("a", site.join("c")).expect("the symbolic link is made");
    symlink("..", site.join("a/up")).expect("the symbolic link is made");
    let map = format!("{}=http://h/", site.display());
    let of = |arguments: &[&str]| {
        let all = ["links", "--url-map", &map, text(&site)];
        baseref(&[&all, arguments].concat())
    };
    let output = of(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "http://h/a/y\nhttp://h/b/y\n");
    assert!(stderr(&output).contains("2 symbolic links to directories (-L follows them)"));
    let output = of(&["-L", "-v"]);
    assert_eq!(stdout(&output), "http://h/a/y\nhttp://h/b/y\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output).contains("note: symlink-loop: a link back to"),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("directory that has already been read"),
        "{}",
        stderr(&output)
    );
    assert_eq!(of(&["-L", "--notes-as-errors"]).status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn symlinked_directories_skipped() {
    let names: Vec<String> = (0..25).map(|number| format!("d{number}/p.html")).collect();
    let pages: Vec<_> = names
        .iter()
        .map(|name| (&**name, "<a href=p.html>"))
        .collect();
    let site = tree("linked", &pages);
    for number in 0..25 {
        for link in ["first", "second"] {
            let target = format!("../d{}", (number + 1) % 25);
            let link = site.join(format!("d{number}/{link}"));
            std::os::unix::fs::symlink(target, link).expect("the symbolic link is made");
        }
    }
    let site = text(&site);
    let map = format!("{site}=http://a/");
    for (command, arguments, said) in [
        ("links", &[site][..], Some(" (-L follows them)")),
        (
            "rewrite",
            &["--absolute", "--url-map", &map, site],
            Some(" (-L follows them)"),
        ),
        (
            "verify-move",
            &["--from", "http://a/", "--to", "http://b/", site],
            Some(""),
        ),
        // It follows them, as a server does.
        ("audit", &[site], None),
    ] {
        let output = baseref(&[&[command], arguments].concat());
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{command}: {errors}");
        let line = said.map(|option| format!("50 symbolic links to directories{option}\n"));
        assert_eq!(
            errors.contains("symbolic link"),
            line.is_some(),
            "{command}"
        );
        assert!(
            errors.contains(&line.unwrap_or_default()),
            "{command}: {errors}"
        );
    }
}

#[test]
fn standard_input_name() {
    let mail = "From: a\nTo: b\nContent-Type: text/html\n\n<a href=http://a/>";
    let named = [
        "links",
        "-f",
        "csv",
        "--fields",
        "doc,url",
        "--stdin-name",
        "x.eml",
    ];
    let output = run(&named, mail.as_bytes());
    assert_eq!(stdout(&output), "doc,url\nx.eml/1,http://a/\n");
    assert_eq!(stdout(&run(&[], b"<a href=http://a/>")), "http://a/\n");
}

#[test]
fn standard_input_of_other_kind() {
    let binary = [b"%PDF-1.4\n".as_slice(), &[0; 4096]].concat();
    let output = run(&["links"], &binary);
    assert_eq!(output.status.code(), Some(3));
    let told = stderr(&output);
    assert!(
        told.contains("not text: it seems to be Portable Document Format"),
        "{told}"
    );
    assert!(told.contains("`pdftohtml`"), "{told}");
}

#[test]
fn mirror_of_many_hosts_mapped() {
    let mirror = tree(
        "mirror",
        &[
            ("a.org/index.html", "<a href=x>"),
            ("b.org/d/p.php?id=3.html", "<a href='?id=4'>"),
        ],
    );
    let map = |scheme: &str| format!("{scheme}:{}", mirror.display());
    let of = |map: &str| stdout(&baseref(&["links", "--url-map", map, text(&mirror)]));
    assert_eq!(
        of(&map("wget")),
        "https://a.org/x\nhttps://b.org/d/p.php?id=4\n"
    );
    assert_eq!(
        of(&map("wget+http")),
        "http://a.org/x\nhttp://b.org/d/p.php?id=4\n"
    );
}

#[test]
fn httrack_mirror_mapped_by_log() {
    let log = [
        "date\tsize'/'remotesize\tflags\tstatuscode\tstatus\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)",
        "1\t5/5\t---M--\t200\tadded ('OK')\ttext/html\t\thttps://a.org/d/\t/old/m/a.org/d/index.html\t(from )",
        "2\t5/5\t---M--\t200\tadded ('OK')\ttext/html\t\thttp://b.org/p.php?id=3\t/old/m/b.org/pb1f2.html\t(from a.org/d/)",
    ];
    let mirror = tree(
        "httrack",
        &[
            ("hts-cache/new.txt", &log.join("\r\n")),
            ("a.org/d/index.html", "<a href=x>"),
            ("b.org/pb1f2.html", "<a href='?id=4'>"),
            ("index.html", "<a href=y>"),
        ],
    );
    let map = format!("httrack:{}", mirror.display());
    let mapped = baseref(&["links", "--url-map", &map, text(&mirror)]);
    // HTTrack's own index of its mirrors came from nowhere.
    assert_eq!(
        stdout(&mapped),
        "https://a.org/d/x\nhttp://b.org/p.php?id=4\n"
    );
    fs::remove_file(mirror.join("hts-cache/new.txt")).expect("the file is removed");
    let unmapped = baseref(&["links", "--url-map", &map, text(&mirror)]);
    assert_eq!(unmapped.status.code(), Some(2));
    assert!(stderr(&unmapped).contains("hts-cache/new.txt"));
}

#[test]
fn man_pages_and_completions() {
    let page = stdout(&baseref(&["man", "links"]));
    assert!(page.contains(".TH baseref-links 1"), "{page}");
    assert!(page.contains("\\-\\-group\\-by"), "{page}");
    assert!(stdout(&baseref(&["man"])).contains("baseref\\-resolve(1)"));
    assert_eq!(baseref(&["man", "nonsense"]).status.code(), Some(2));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&baseref(&["completions", shell]));
        assert!(script.contains("unwrap-archive"), "{shell}");
    }
}
