//! What those who read mail are told.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{baseref, rows, run};

const ODD_HOSTS: &str =
    "fixtures/mail-links/a-browser-goes-to-hosts-that-rfc-1808-does-not-see.eml";

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(baseref(arguments).stdout).expect("the output is UTF-8")
}

fn stderr(arguments: &[&str]) -> String {
    String::from_utf8(baseref(arguments).stderr).expect("the messages are UTF-8")
}

fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mail");
    fs::create_dir_all(&folder).expect("the folder is made");
    let path = folder.join(name);
    fs::write(&path, text).expect("the file is written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

#[test]
fn browser_host_matches_filter() {
    for host in [
        "one-slash.example",
        "no-slash.example",
        "three.example",
        "127.0.0.1",
        "per.cent.example",
    ] {
        let found = stdout(&["links", "--host", host, ODD_HOSTS]);
        assert_eq!(found.lines().count(), 1, "{host}: {found}");
    }
    // The host that the RFCs see is still found.
    let found = stdout(&["links", "--host", "0x7f.1", ODD_HOSTS]);
    assert_eq!(found, "http://0x7f.1/x\n");
    let groups = stdout(&["links", "--group-by", "host", ODD_HOSTS]);
    for host in ["0x7f.1", "127.0.0.1", "one-slash.example", "good.example"] {
        let counts = |line: &&str| line.ends_with(&format!("  {host}"));
        assert_eq!(groups.lines().filter(counts).count(), 1, "{host}: {groups}");
    }
}

#[test]
fn external_by_browser_url() {
    let page = "<a href='https:/a.example/'>a</a> <a href='\\\\b.example\\'>b</a> \
                <a href=/c>c</a> <a href='https:d'>d</a>";
    let page = file("external.html", page);
    let links = |side| stdout(&["links", "-u", "https://site.example/", side, &page]);
    let all = "https://site.example/\\\\b.example\\";
    assert_eq!(
        links("--external"),
        format!("https:/a.example/\n{all}\nhttps:d\n")
    );
    assert_eq!(
        links("--internal"),
        format!("https:/a.example/\n{all}\nhttps://site.example/c\nhttps:d\n")
    );
}

#[test]
fn browser_url_matches_whatwg() {
    let fields = |rules, field| {
        let options = [
            "links",
            "-f",
            "tsv",
            "--resolver",
            rules,
            "--fields",
            field,
            ODD_HOSTS,
        ];
        stdout(&options)
    };
    let browsers = fields("whatwg", "url");
    let elsewhere = fields("rfc1808", "browser_url");
    let mut seen = 0;
    for (browser, elsewhere) in browsers.lines().zip(elsewhere.lines()).skip(1) {
        assert!(elsewhere.is_empty() || elsewhere == browser, "{elsewhere}");
        seen += usize::from(!elsewhere.is_empty());
    }
    assert_eq!(seen, 7);
    assert_eq!(
        stderr(&["links", "--resolver", "whatwg", ODD_HOSTS])
            .matches("browsers")
            .count(),
        0
    );
}

#[test]
fn base_read_differently_by_browsers() {
    let page = file(
        "base.html",
        "<base href='http:/evil.example/x/'><a href=y>y</a>",
    );
    let out = stdout(&["links", "-f", "jsonl", "--fields", "url,browser_url", &page]);
    assert_eq!(
        out,
        "{\"url\":\"http:/evil.example/x/y\",\"browser_url\":\"http://evil.example/x/y\"}\n"
    );
}

#[test]
fn plain_text_with_urls_is_not_empty() {
    let mail = "From: a@b.example\nContent-Type: text/plain\n\n\
                http://a.example/ http://b.example/ http://c.example/ mailto:d@e.example\n";
    let path = file("plain.eml", mail);
    for links in [&["links", &path][..], &["links", "--links", "text", &path]] {
        assert_eq!(stdout(links).lines().count(), 4);
        assert_eq!(stderr(links), "");
    }
    let said = stderr(&["links", "--links", "anchors", &path]);
    assert_eq!(
        said,
        "baseref: no HTML was found in the inputs, but 4 links in 1 plain text: `--links text` \
         prints them\n"
    );
    let output = run(&["links", "--links", "anchors", "-"], mail.as_bytes());
    let said = String::from_utf8(output.stderr).expect("the messages are UTF-8");
    assert!(
        said.contains("1 plain text: `--links text` prints"),
        "{said}"
    );
    let empty = file(
        "empty.eml",
        "From: a@b.example\nContent-Type: text/plain\n\nHello.\n",
    );
    assert!(stderr(&["links", &empty]).contains("no link in 1 plain text"));
    let said = stderr(&["base", &empty]);
    assert!(
        said.contains("1 plain text, which can have no base"),
        "{said}"
    );
}

#[test]
fn mail_hints_without_site_options() {
    let mail = "From: a@b.example\nContent-Type: text/html\n\n<a href=x>x</a>\n";
    let said = stderr(&["links", &file("relative.eml", mail)]);
    assert!(
        said.contains("no base is known") && !said.contains("--url-map"),
        "{said}"
    );
    let said = stderr(&["links", &file("relative.html", "<a href=x>x</a>\n")]);
    assert!(said.contains("--url-map"), "{said}");
}

#[test]
fn urls_cut_in_every_format() {
    let long = format!("data:text/plain,{}", "x".repeat(200_000));
    let page = file(
        "long.html",
        &format!("<a href='{long}'>x</a> <a href=http://a/>y</a>"),
    );
    for format in ["url", "jsonl", "csv", "tsv"] {
        let whole = stdout(&["links", "-f", format, &page]);
        assert!(whole.contains(&long), "{format}");
        let options = ["links", "-f", format, "--max-url", "100", &page];
        let cut = stdout(&options);
        assert!(cut.len() < 2_000, "{format}");
        assert!(cut.contains("...[199916 more characters]"), "{format}");
        assert!(cut.contains("http://a/"), "{format}");
        assert_eq!(
            stderr(&options),
            "baseref: 1 link with a URL of more than 100 characters, which is cut (--max-url)\n"
        );
    }
    // What is chosen is chosen by the whole URL.
    let options = ["links", "--max-url", "5", "--include", "x{1000}", &page];
    assert_eq!(stdout(&options), "data:...[200011 more characters]\n");
}

/// A base of 4 KiB and more is not established a second time for each of a message's parts.
#[test]
fn browser_host_with_long_base() {
    let long = "b".repeat(5000);
    for (base, link, expected) in [
        ("http://a.example/", "x", "{}"),
        (
            "http://a.example/",
            "https:/evil.example/x",
            "{\"browser_url\":\"https://evil.example/x\"}",
        ),
        (
            "http://a.example/",
            "\\\\evil.example/x",
            "{\"browser_url\":\"http://evil.example/x\"}",
        ),
    ] {
        let text = format!(
            "From: a@b\nContent-Base: {base}{long}/\nContent-Type: text/html\n\n<a href='{link}'>\n"
        );
        let mail = file("long-base.eml", &text);
        let out = stdout(&["links", "-f", "jsonl", "--fields", "browser_url", &mail]);
        assert_eq!(out.trim_end(), expected, "{link}");
    }
}

#[test]
fn host_after_one_slash() {
    let wrapped = "https:/nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.com%2F";
    let page = format!(
        "Content-Type: text/html\n\n<a href=\"https:/evil.com/\">www.paypal.com</a>\
         <a href=\"{wrapped}\">www.paypal.com</a>"
    );
    let page = file("one-slash.eml", &page);
    let found = stdout(&["links", "--unwrap", &page]);
    assert_eq!(found, "https:/evil.com/\nhttps://evil.com/\n");
    let found = stdout(&["audit", "-f", "jsonl", &page]);
    let told = found.matches("\"mail/text-mismatch\"").count();
    assert_eq!(told, 2, "{found}");
}

#[test]
fn outlook_messages_audited() {
    let message = "fixtures/outlook/link-in-a-field.msg";
    let found = stdout(&["audit", "--level", "note", "-f", "jsonl", message]);
    // The text of the link has a scheme, so it is a URL under any suffix; the plain text shows it, too.
    assert!(found.contains("\"mail/text-mismatch\""), "{found}");
    assert!(!found.contains("\"mail/alternative-mismatch\""), "{found}");
}

#[test]
fn stix_omissions_reported() {
    let page = "Content-Type: text/html\n\n<a href=https://a_b.example/>x</a>";
    let page = file("undated.eml", page);
    let run = baseref(&["links", "-f", "stix", &page]);
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(
        said.contains("2 observables of no message with a date"),
        "{said}"
    );
    assert!(said.contains("1 host that is no domain name"), "{said}");
    let bundle = String::from_utf8_lossy(&run.stdout);
    assert!(
        !bundle.contains("observed-data") && !bundle.contains("domain-name"),
        "{bundle}"
    );
    let said = stderr(&["links", "-f", "misp", &page]);
    assert!(!said.contains("left out"), "{said}");
}

#[test]
fn html_report_message_cards() {
    let message = |subject: &str, link: &str| {
        format!(
            "From x Mon Jan  5 09:00:00 2026\nFrom: Al <al@a.example>\nSubject: {subject}\n\
             Date: Mon, 5 Jan 2026 09:00:00 +0000\nContent-Type: text/html\n\n{link}\n\n"
        )
    };
    let wrapped = "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.com%2Fx";
    let bad = message("One", &format!("<a href=\"{wrapped}\">www.paypal.com</a>"));
    let good = message("Two", "<a href=https://good.com/>good.com</a>");
    let mailbox = file("cards.mbox", &format!("{bad}{good}"));
    let page = stdout(&["audit", "-f", "html", &mailbox]);
    let cards = page.split("\"mails\":").nth(1).expect("the page has cards");
    assert_eq!(cards.matches("\"subject\":").count(), 1, "{cards}");
    for text in [
        "\"hxxps://evil[.]com/x\"",
        "\"Al \\u003cal[@]a[.]example>\"",
        "\"One\"",
        "\"safelinks\"",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("\"Two\"") && !page.contains("good.com"));
    let clean = file(
        "clean.mbox",
        &message("Three", "<a href=https://good.com/>x</a>"),
    );
    let page = stdout(&["audit", "-f", "html", &clean]);
    assert!(page.contains("\"mails\":[]"));
}

#[test]
fn date_without_year_ignored() {
    for (date, expected) in [
        ("tomorrow", ""),
        ("5 Jan", ""),
        ("Thu, 1 Jan 1970 00:00:00 +0000", "1970-01-01T00:00:00Z"),
        ("1 Jan 70 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ("Fri, 27 Jan 2017 10:00:00 +0100", "2017-01-27T09:00:00Z"),
    ] {
        let message = format!(
            "From: a@b.example\nDate: {date}\nContent-Type: text/html\n\n<a href=http://a.example/>a</a>"
        );
        let path = file("date.eml", &message);
        let output = baseref(&["links", "-f", "jsonl", "--fields", "doc_date", &path]);
        let dates: Vec<_> = rows(&output)
            .iter()
            .map(|row| row["doc_date"].clone())
            .collect();
        let expected = if expected.is_empty() {
            Value::Null
        } else {
            expected.into()
        };
        assert_eq!(dates, [expected], "{date}");
    }
}

#[test]
fn positions_in_decoded_parts() {
    const SAID: &str = "Line numbers in messages count within the decoded part";
    let html = "<p>a</p>\n<a href=\"http://evil.example/\">https://www.paypal.com/</a>\n";
    let mail = file(
        "places.eml",
        &format!("Content-Type: text/html; charset=utf-8\n\n{html}"),
    );
    let page = file("places.html", html);
    let audit = |arguments: &[&str]| stdout(&[&["audit"], arguments].concat());
    assert!(audit(&[&mail]).contains(SAID));
    assert!(audit(&["--no-group", &mail]).contains(SAID));
    assert!(!audit(&[&page, "--level", "note"]).contains(SAID));
    // Nothing has a place if nothing is shown.
    let quiet = audit(&["--rule", "mail/text-mismatch=off", &mail]);
    assert!(!quiet.contains(SAID), "{quiet}");
}

const NETWORK_PATHS: &str = "Content-Type: text/html

<a href=//www.One.example/go>one</a> <img src=//count.two.example/p.gif width=1 height=1>
<a href=/three>three</a>
";

#[test]
fn network_path_has_a_host_and_no_url() {
    let mail = file("network-path.eml", NETWORK_PATHS);
    let fields = [
        "links",
        "-f",
        "tsv",
        "--links",
        "all",
        "--fields",
        "url,error,host,site",
    ];
    let rows = stdout(&[&fields[..], &[&mail]].concat());
    let lines: Vec<&str> = rows.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "\tno-base\twww.one.example\tone.example",
            "\tno-base\tcount.two.example\ttwo.example",
            "\tno-base\t\t",
        ]
    );
    let found = stdout(&[
        "links",
        "-f",
        "tsv",
        "--fields",
        "raw",
        "--host",
        "www.one.example",
        &mail,
    ]);
    assert_eq!(found, "raw\n//www.One.example/go\n");
    let groups = stdout(&["links", "--links", "all", "--group-by", "site", &mail]);
    assert_eq!(
        groups,
        "       1  -\n       1  one.example\n       1  two.example\n"
    );
    let seen = stdout(&["links", "--links", "all", "-f", "observables", &mail]);
    let hosts: Vec<&str> = seen
        .lines()
        .filter(|line| line.starts_with("host,"))
        .collect();
    assert!(hosts[0].starts_with("host,count.two.example,"), "{seen}");
    assert!(hosts[1].starts_with("host,www.one.example,"), "{seen}");
    assert!(!seen.contains("\nurl,"), "{seen}");
    let findings = stdout(&[
        "audit",
        "--level",
        "note",
        "--no-group",
        "-f",
        "jsonl",
        &mail,
    ]);
    let pixel = findings
        .lines()
        .find(|line| line.contains("mail/tracker-pixel"));
    assert!(
        pixel.is_some_and(|line| line.contains("//count.two.example/p.gif")),
        "{findings}"
    );
}

#[test]
fn wrapper_behind_a_network_path_is_opened() {
    let link = "//eu.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fx&data=1";
    let mail =
        format!("Content-Type: text/html\n\n<a href='{link}'>x</a><a href=//b.example/>y</a>");
    let mail = file("wrapped-network-path.eml", &mail);
    let fields = [
        "links",
        "--unwrap",
        "-f",
        "tsv",
        "--fields",
        "url,final_url",
        &mail,
    ];
    assert_eq!(
        stdout(&fields),
        "url\tfinal_url\n\thttps://a.example/x\n\t\n"
    );
}

#[test]
fn content_location_is_relative_to_base_fields_of_its_header() {
    let parts = "Content-Type: multipart/related; boundary=b
Content-Base: http://outer.example/

--b
Content-Location: page.html
Content-Base: http://own.example/d/
Content-Type: text/html

<img src=i.png>
--b
Content-Location: i.png
Content-Base: http://own.example/d/
Content-Type: image/png

x
--b
Content-Location: other.png
Content-Type: image/png

x
--b--
";
    let mail = file("locations.eml", parts);
    let rows = [
        "links",
        "--links",
        "all",
        "-f",
        "tsv",
        "--fields",
        "raw,url,part",
        &mail,
    ];
    assert_eq!(
        stdout(&rows),
        "raw\turl\tpart
http://outer.example/\thttp://outer.example/\t
page.html\thttp://own.example/d/page.html\t
http://own.example/d/\thttp://own.example/d/\t
i.png\thttp://own.example/d/i.png\t2
i.png\thttp://own.example/d/i.png\t
http://own.example/d/\thttp://own.example/d/\t
other.png\thttp://outer.example/other.png\t
"
    );
}

#[test]
fn content_type_whose_boundary_occurs_counts() {
    let mail = |first: &str, second: &str| {
        format!(
            "Content-Type: {first}\nContent-Type: {second}\n\n--real\nContent-Type: text/html\n\n\
             <a href=http://a.example/>a</a>\n--real--\n"
        )
    };
    let (real, other) = (
        "multipart/mixed; boundary=real",
        "multipart/mixed; boundary=other",
    );
    for (first, second) in [
        (other, real),
        (real, other),
        ("multipart/mixed", real),
        (real, "text/plain"),
    ] {
        let mail = file("two-types.eml", &mail(first, second));
        assert_eq!(
            stdout(&["links", &mail]),
            "http://a.example/\n",
            "{first}, {second}"
        );
    }
    let neither = file(
        "no-type.eml",
        &mail(other, "multipart/mixed; boundary=third"),
    );
    assert_eq!(baseref(&["links", &neither]).status.code(), Some(3));
}

#[test]
fn reported_uris_of_an_abuse_report() {
    let report = "Content-Type: multipart/report; boundary=b

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
reported-uri: http://one.example/
 bad
Reported-URI: <http://two.example/>
Reported-Domain: three.example
--b--
";
    let report = file("report.eml", report);
    let rows = [
        "links",
        "--links",
        "header",
        "-f",
        "tsv",
        "--fields",
        "doc,class,url,line",
        &report,
    ];
    let rows = stdout(&rows).replace(&report, "report.eml");
    assert_eq!(
        rows,
        "doc\tclass\turl\tline
report.eml/1\theader\thttp://one.example/bad\t7
report.eml/1\theader\thttp://two.example/\t9
"
    );
}

#[test]
fn spare_entries_of_a_compound_file_may_end_chains() {
    let path = "fixtures/outlook/html-in-rtf.msg";
    let mut bytes = fs::read(path).expect("the fixture is read");
    let field = |bytes: &[u8], at: usize| {
        u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
    };
    let sector = 1 << bytes[0x1E];
    assert_eq!(field(&bytes, 0x2C), 1, "one sector of the allocation table");
    let table = (field(&bytes, 0x4C) + 1) * sector;
    let used = bytes.len() / sector - 1;
    for entry in used..sector / 4 {
        let at = table + entry * 4;
        assert_eq!(field(&bytes, at), 0xFFFF_FFFF, "a spare entry");
        bytes[at..at + 4].copy_from_slice(&0xFFFF_FFFE_u32.to_le_bytes());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mail");
    fs::create_dir_all(&folder).expect("the folder is made");
    let spare = folder.join("spare.msg");
    fs::write(&spare, &bytes).expect("the file is written");
    let read = baseref(&["links", spare.to_str().expect("the path is UTF-8")]);
    assert_eq!(read.status.code(), Some(0));
    assert_eq!(read.stdout, baseref(&["links", path]).stdout);
    // A chain that leads out of the file is damage.
    let in_chain = (0..used).find(|entry| field(&bytes, table + entry * 4) < used);
    let at = table + in_chain.expect("a chain has several sectors") * 4;
    let beyond = u32::try_from(used).expect("the file is small");
    bytes[at..at + 4].copy_from_slice(&beyond.to_le_bytes());
    fs::write(&spare, &bytes).expect("the file is written");
    let read = baseref(&["links", spare.to_str().expect("the path is UTF-8")]);
    assert_eq!(read.status.code(), Some(3));
}

#[test]
fn urls_in_the_text_of_an_html_body() {
    let urls = |arguments: &[&str], text: &str| {
        let mail = file("html-text.eml", text);
        let arguments = [
            &["links", "-f", "tsv", "--fields", "element,class,url"],
            arguments,
            &[&mail],
        ];
        let rows = stdout(&arguments.concat());
        let rows = rows.lines().skip(1).map(|row| row.replace('\t', " "));
        rows.collect::<Vec<_>>()
    };
    let page = "https://one.example/ <a href=http://two.example/>http://three.example/</a> \
                <p hidden>http://four.example/</p>";
    let html = format!("Content-Type: text/html\n\n{page}");
    let expected = [
        "text text https://one.example/",
        "a anchor http://two.example/",
        "hidden-text text http://four.example/",
    ];
    assert_eq!(urls(&["--links", "all"], &html), expected);
    assert_eq!(urls(&[], &html), expected[1..2]);
    // Without any link, the message would seem empty.
    assert_eq!(
        urls(&[], "Content-Type: text/html\n\nhttps://one.example/"),
        expected[..1]
    );
    // A browser shows an attached or a saved page.
    let attached = format!("Content-Disposition: attachment\n{html}");
    assert_eq!(urls(&["--links", "all"], &attached), expected[1..2]);
    let saved = format!("From: <Saved by Blink>\n{html}");
    assert_eq!(urls(&["--links", "all"], &saved), expected[1..2]);
}

#[test]
fn messages_of_a_uw_imap_mailbox() {
    let message = |number: u32, flags: &str| {
        let text = format!(
            "Content-Type: text/html\r\nContent-Base: http://{number}.example/\r\n\r\n<a href=x>x</a>\r\n"
        );
        let size = text.len();
        format!(" 6-Jan-2025 10:01:00 +0000,{size};00000000{flags}-00000001\r\n{text}")
    };
    let heading = format!("{:\0<2048}", "*mbx*\r\n0123456789abcdef\r\n");
    let mails = [message(1, "0000"), message(2, "8001"), message(3, "0001")].concat();
    let read = |text: &str| {
        let path = file("box.mbx", text);
        let output = baseref(&["links", "-f", "tsv", "--fields", "doc,url,line", &path]);
        let rows = String::from_utf8(output.stdout).expect("the output is UTF-8");
        (rows.replace(&path, ""), output.status.code())
    };
    let (rows, code) = read(&(heading.clone() + &mails));
    assert_eq!(
        rows,
        "doc\turl\tline\n#1/1\thttp://1.example/x\t1\n#3/1\thttp://3.example/x\t1\n"
    );
    assert_eq!(code, Some(0));
    // Bytes between messages, and a wrong size, cost no other message.
    let broken = mails.replacen(",77;", ",79;", 1);
    assert_ne!(broken, mails);
    for damaged in [format!("{heading}\r\njunk\r\n{mails}"), heading + &broken] {
        let (rows, code) = read(&damaged);
        assert_eq!(rows.lines().count(), 3, "{rows}");
        assert_eq!(code, Some(3));
    }
}

#[test]
fn signed_content_is_read_and_encrypted_parts_are_reported() {
    // ContentInfo: signedData, with the content in two pieces of an octet string, in BER.
    let signed =
        b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\
        \x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80\x24\x80\
        \x04\x1BContent-Type: text/html\r\n\r\n\x04\x20<a href=http://a.example/>a</a>\n\0\0";
    let encrypted = b"\x30\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03";
    let mail = |kind: &str, bytes: &[u8]| {
        let escaped = bytes.iter().map(|byte| format!("={byte:02X}"));
        let escaped = escaped.collect::<Vec<_>>().concat();
        let text = format!(
            "Subject: s\nContent-Type: {kind}\nContent-Transfer-Encoding: quoted-printable\n\n{escaped}\n"
        );
        let output = baseref(&["links", &file("s-mime.eml", &text)]);
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        (
            text(output.stdout),
            text(output.stderr),
            output.status.code(),
        )
    };
    for kind in [
        "application/pkcs7-mime; smime-type=signed-data",
        "application/octet-stream; name=smime.p7m",
    ] {
        let (links, _, code) = mail(kind, signed);
        assert_eq!((&*links, code), ("http://a.example/\n", Some(0)), "{kind}");
    }
    let (links, said, code) = mail("application/x-pkcs7-mime", encrypted);
    assert_eq!((&*links, code), ("", Some(3)));
    assert!(
        said.contains("s-mime.eml:1: the part is encrypted by S/MIME and is not read"),
        "{said}"
    );
    let pgp = "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\n\
               Version: 1\n--b\nContent-Type: application/octet-stream\n\nx\n--b--\n";
    assert_eq!(
        baseref(&["links", &file("pgp.eml", pgp)]).status.code(),
        Some(3)
    );
}

#[test]
fn encrypted_parts_and_unread_parts_are_counted() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("encrypted");
    fs::create_dir_all(&folder).expect("the folder is made");
    let mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n\
                <a href=http://a.example/>\n--b\nContent-Type: application/pdf\n\nx\n--b\n\
                Content-Type: application/octet-stream; name=a.asc\n\n-----BEGIN PGP MESSAGE-----\n--b--\n";
    for name in ["1.eml", "2.eml", "3.eml"] {
        fs::write(folder.join(name), mail).expect("the file is written");
    }
    fs::write(folder.join("a.png"), b"\x89PNG\r\n\x1A\n").expect("the file is written");
    let folder = folder.to_str().expect("the path is UTF-8");
    let said = |arguments: &[&str]| {
        let output = baseref(arguments);
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).expect("the messages are UTF-8")
    };
    assert_eq!(
        said(&["links", folder]),
        format!(
            "baseref: {folder}/1.eml/3 and 2 more: the part is encrypted by OpenPGP and is not read\n\
             baseref: parts not read, by media type: application/pdf 3\n\
             baseref: 3 inputs or parts could not be read; the rest was done\n"
        )
    );
    let all = said(&["links", "-v", folder]);
    assert_eq!(all.matches("encrypted by OpenPGP").count(), 3, "{all}");
    assert!(
        all.contains("a.png: note: unrecognised: is in no format that is read"),
        "{all}"
    );
    let output = baseref(&["audit", folder]);
    let found = String::from_utf8(output.stdout).expect("the findings are UTF-8");
    assert!(
        found.contains("encrypted by OpenPGP and is not read: 3 findings in 3"),
        "{found}"
    );
    assert!(
        found.contains("parts of messages not read, by media type: application/pdf 3"),
        "{found}"
    );
}

#[test]
fn deleted_messages_are_read_on_request() {
    let message = |number: u8, flags: &str| {
        let text = format!("Content-Type: text/html\r\n\r\n<a href=http://{number}.example/>");
        format!(
            " 6-Jan-2025 10:01:00 +0000,{};00000000{flags}-0000000{number}\r\n{text}",
            text.len()
        )
    };
    let heading = format!("{:\0<2048}", "*mbx*\r\n0123456789abcdef\r\n");
    let path = file(
        "deleted.mbx",
        &(heading + &message(1, "8000") + &message(2, "0000")),
    );
    assert_eq!(stdout(&["links", &path]), "http://2.example/\n");
    let all = "http://1.example/\nhttp://2.example/\n";
    assert_eq!(stdout(&["links", "--deleted", &path]), all);
}

#[test]
fn messages_in_json_are_read() {
    let graph = r#"{"value": [{"bodyPreview": "x", "webLink": "http://not.example/",
        "body": {"contentType": "html", "content": "<a href=\"http://a.example/?a=1&amp;b\">"}}]}"#;
    let full = r#"{"id": "1", "threadId": "1", "payload": {"mimeType": "text/html", "headers":
        [{"name": "Content-Base", "value": "http://a.example/x/"}],
        "body": {"data": "PGEgaHJlZj0iLi4vP2E9MSZiIj4_"}}}"#;
    for json in [graph, full] {
        let path = file("messages.json", json);
        assert_eq!(stdout(&["links", &path]), "http://a.example/?a=1&b\n");
        let place = stdout(&[
            "links",
            "-f",
            "jsonl",
            "--fields",
            "doc,part_byte,byte",
            &path,
        ]);
        assert!(
            place.contains("messages.json#1/1\",\"part_byte\":null"),
            "{place}"
        );
    }
    let cut = baseref(&["links", &file("cut.json", &graph[..graph.len() - 2])]);
    assert_eq!(cut.stdout, b"http://a.example/?a=1&b\n");
    assert_eq!(cut.status.code(), Some(3));
}

#[test]
fn archive_of_outlook_for_mac() {
    let path = "fixtures/packed/messages-and-their-files-are-read.olm";
    let account = format!("{path}!Accounts/a@a.example/com.microsoft");
    let found = stdout(&[
        "links",
        "--links",
        "all",
        "-f",
        "tsv",
        "--fields",
        "doc,url,part",
        path,
    ]);
    let expected = [
        "doc url part",
        "{}.__Messages/Inbox/message_00001.xml/1.1 http://text.example/ ",
        "{}.__Messages/Inbox/message_00001.xml/1.2 http://html.example/?a=1&b ",
        "{}.__Messages/Inbox/message_00001.xml/1.2 cid:i 2",
        "{}.__Messages/Inbox/message_00001.xml/2 http://attached.example/ ",
        "{}.__Messages/Inbox/message_00002.xml http://source.example/dir/ ",
        "{}.__Messages/Inbox/message_00002.xml/1 http://source.example/dir/relative ",
        "{}.__Attachments/2/lost.html http://lost.example/ ",
    ];
    let expected: Vec<String> = expected
        .iter()
        .map(|line| line.replace("{}", &account))
        .collect();
    let found: Vec<String> = found.lines().map(|line| line.replace('\t', " ")).collect();
    assert_eq!(found, expected);
}

#[test]
fn tar_is_read_file_by_file() {
    for name in ["mails.tar", "mails.tar.bz2", "mails.tar.xz"] {
        let path = format!("fixtures/packed/{name}");
        let expected = format!(
            "doc url\n{path}!a/one.eml/1 http://a.example/dir/relative\n\
             {path}!two.mbox#1/1 http://b.example/1\n\
             {path}!two.mbox#2/1 http://b.example/2\n"
        );
        let found = stdout(&["links", "-f", "tsv", "--fields", "doc,url", &path]);
        assert_eq!(found.replace('\t', " "), expected);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site-with-a-tar");
    fs::create_dir_all(&folder).expect("the folder is made");
    fs::copy("fixtures/packed/mails.tar", folder.join("mails.tar")).expect("the tar is copied");
    fs::write(folder.join("index.html"), "<a href=mails.tar>x</a>").expect("the page is written");
    let found = stdout(&["audit", folder.to_str().expect("the path is UTF-8")]);
    assert!(
        found.contains("skipped: 1 tar, a file of the site (mails.tar)"),
        "{found}"
    );
    assert!(found.contains("1 document, 1 link: 1 ok"), "{found}");
}

#[test]
fn mail_stores_in_a_folder_are_not_skipped_in_silence() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mail-stores");
    for below in ["deep", "old"] {
        fs::create_dir_all(folder.join(below)).expect("the folder is made");
    }
    for (name, bytes) in [
        (
            "a.eml",
            &b"Content-Type: text/html\n\n<a href=http://a.example/>a</a>"[..],
        ),
        ("deep/Inbox.dbx", b"\xCF\xAD\x12\xFE\0\0"),
        ("old/1.olk15Message", b""),
        ("old/2.olk15Message", b""),
        ("secret.rpmsg", b"\x76\xE8\x04\x60\xC4\x11\xE3\x86"),
        ("notes.dbx", b"not a store"),
        ("photo.jpg", b"\xFF\xD8\xFF\xE0"),
    ] {
        fs::write(folder.join(name), bytes).expect("the file is written");
    }
    let output = baseref(&["links", folder.to_str().expect("the path is UTF-8")]);
    assert_eq!(output.stdout, b"http://a.example/\n");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).expect("the messages are UTF-8");
    assert!(
        said.contains("Inbox.dbx: is not read: it is an Outlook Express folder"),
        "{said}"
    );
    assert!(
        said.contains("1.olk15Message and 1 more: is not read: it is a message of Outlook for Mac"),
        "{said}"
    );
    assert!(
        said.contains("secret.rpmsg: is not read: it is a message encrypted"),
        "{said}"
    );
    assert!(
        !said.contains("notes.dbx") && !said.contains("photo.jpg"),
        "{said}"
    );
}
