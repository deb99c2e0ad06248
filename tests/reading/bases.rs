//! Every page of `fixtures/base` has the base that its first comment claims.

use std::fs;
use std::path::Path;

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_document::{Declaration, Origin, Place, Retrieval};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, BaseSource};
use baseref_reader::links::DocumentLinks;
use baseref_reader::read::documents;
use baseref_resolve::Rules;

/// What a fixture's first comment says: `<!-- name: value; ... -->`, `-` for nothing.
struct Claim {
    fields: Vec<(String, String)>,
}

impl Claim {
    fn new(page: &str) -> Self {
        let comment = page
            .strip_prefix("<!--")
            .and_then(|rest| rest.split_once("-->"))
            .expect("a fixture begins with its claim")
            .0;
        let fields = comment.split("; ").map(|field| {
            let (name, value) = field.split_once(": ").expect("a field is `name: value`");
            (name.trim().to_owned(), value.trim().to_owned())
        });
        Self {
            fields: fields.collect(),
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(field, value)| field == name && value != "-")
            .map(|(_, value)| value.as_str())
    }
}

#[test]
fn base_of_each_fixture() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/base");
    let mut read = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let claim = Claim::new(&page);
        let found = base_of(&page, &claim);
        let claimed = (
            claim.get("base").unwrap_or_default().to_owned(),
            claim.get("source").unwrap().to_owned(),
        );
        assert_eq!(found, claimed, "{}", path.display());
        read += 1;
    }
    assert_eq!(read, 46, "a fixture was added or lost: count it here");
}

fn base_of(page: &str, claim: &Claim) -> (String, String) {
    let mut entity = Entity::html(Origin::new("page"), page.as_bytes().to_vec());
    entity.declarations.extend(
        claim
            .get("retrieval")
            .map(|url| Declaration::new(url, Place::Retrieval(Retrieval::Url))),
    );
    let policy = Policy::default()
        .with_rules(match claim.get("resolver") {
            Some("whatwg") => Rules::Whatwg,
            Some(other) => panic!("no rule set {other}"),
            None => Rules::Rfc1808,
        })
        .with_strict(claim.get("strict") == Some("yes"));
    let mut bases = Vec::new();
    documents(
        entity,
        &ReadOptions::default(),
        &mut |found: baseref_document::ReadResult| {
            let document = found.expect("a fixture can be read");
            for links in policy.resolve(&document).documents() {
                let base = links.base();
                assert_eq!(base.source == BaseSource::None, base.url.is_none());
                bases.push((
                    base.url.as_deref().unwrap_or_default().to_owned(),
                    base.source.as_str().to_owned(),
                ));
            }
        },
    );
    assert_eq!(bases.len(), 1, "a page is one document");
    bases.remove(0)
}

/// The base of a page under a rule set, and the verdict on its first declaration.
fn base_and_verdict(page: &str, rules: Rules) -> (Option<String>, &'static str) {
    let url = Some("http://a.example/p");
    let document = baseref::read_html(page.as_bytes(), url, &ReadOptions::default());
    let policy = Policy::default().with_rules(rules);
    let extraction = DocumentLinks::new(&document, policy, &Base::default());
    let base = extraction.base().url.as_deref().map(str::to_owned);
    let verdict = extraction.base_report().candidates[0].verdict.as_str();
    (base, verdict)
}

#[test]
fn base_uri_policy_under_whatwg() {
    let csp = "<meta http-equiv=Content-Security-Policy content=\"base-uri 'self'\">";
    let base = "<base href=http://b.example/>";
    let (own, other) = (Some("http://a.example/p"), Some("http://b.example/"));
    for (page, expected, verdict) in [
        (format!("{csp}{base}"), own, "csp"),
        (
            format!("{csp}<base href=/q>"),
            Some("http://a.example/q"),
            "taken",
        ),
        (format!("{base}{csp}"), other, "taken"),
        (format!("<body>{csp}{base}"), other, "taken"),
        (format!("<template>{csp}</template>{base}"), other, "taken"),
        // Only the first base counts, even if it is refused.
        (format!("{csp}{base}<base href=/q>"), own, "csp"),
    ] {
        let (found, given) = base_and_verdict(&page, Rules::Whatwg);
        assert_eq!((found.as_deref(), given), (expected, verdict), "{page}");
    }
    let (found, verdict) = base_and_verdict(&format!("{csp}{base}"), Rules::Rfc1808);
    assert_eq!((found.as_deref(), verdict), (other, "taken"));
}

#[test]
fn codebase_by_resolver() {
    let page = b"<object codebase=/o/ data=a.html archive='b.zip c.zip'></object>";
    for (rules, expected) in [
        (Rules::Rfc1808, ["/o/", "/o/a.html", "/o/b.zip", "/o/c.zip"]),
        (Rules::Whatwg, ["/o/", "/p/a.html", "/p/b.zip", "/p/c.zip"]),
    ] {
        let url = Some("http://a.example/p/");
        let options = ReadOptions::default().with_classes(Classes::ALL);
        let document = baseref::read_html(page, url, &options);
        let resolved = Policy::default().with_rules(rules).resolve(&document);
        let urls = resolved.links().map(|link| link.url.unwrap_or_default());
        let found: Vec<_> = urls.collect();
        let expected = expected.map(|path| format!("http://a.example{path}"));
        assert_eq!(found, expected, "{rules}");
    }
}
