//! Chains of wrappers, and what is hostile in them.

use std::fmt::Write;

use baseref_unwrap::{End, MAX_DEPTH, MAX_URL, Unwrapped, Unwrapper};
use proptest::prelude::*;

fn names<'w>(chain: &Unwrapped<'w, '_>) -> Vec<&'w str> {
    chain.steps.iter().map(|step| step.wrapper).collect()
}

fn escaped(url: &str) -> String {
    let mut escaped = String::new();
    for byte in url.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => escaped.push(char::from(byte)),
            _ => write!(escaped, "%{byte:02X}").expect("a String takes every write"),
        }
    }
    escaped
}

fn facebook(url: &str) -> String {
    format!("https://l.facebook.com/l.php?u={}", escaped(url))
}

#[test]
fn nested_wrappers_are_unwrapped() {
    let unwrapper = Unwrapper::default();
    for (url, wrappers, target) in [
        (
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Furlsand.esvalabs.com%2F%3Fu%3Dhttps*3A*2F*2Fa.example*2Fb__%3BJSUlJQ!!k!s%24&data=05",
            vec!["safelinks", "proofpoint-v3", "libraesva"],
            "https://a.example/b",
        ),
        (
            "https://us-west-2.protection.sophos.com/?d=cudasvc.com&u=aHR0cHM6Ly9saW5rcHJvdGVjdC5jdWRhc3ZjLmNvbS91cmw_YT1odHRwcyUzYSUyZiUyZmEuZXhhbXBsZSUyZiZjPUU=&p=m",
            vec!["sophos", "barracuda"],
            "https://a.example/",
        ),
        (
            "https://nam10.safelinks.protection.office365.us/ap/w-59523e83/?url=https://a.example/&data=",
            vec!["safelinks"],
            "https://a.example/",
        ),
        (
            "https://NAM02.SafeLinks.Protection.Outlook.com.:443/?URL=https%3A%2F%2Fa.example%2F&amp;data=05",
            vec!["safelinks"],
            "https://a.example/",
        ),
        (
            "https://www.google.com/url?q=https://a.example/19%253ameeting%2540thread.v2?context%3Dx&sa=X",
            vec!["google"],
            "https://a.example/19%3ameeting%40thread.v2?context=x",
        ),
    ] {
        let chain = unwrapper.unwrap(url);
        assert_eq!(
            (names(&chain), chain.final_url()),
            (wrappers, target),
            "{url}"
        );
        assert_eq!(chain.end, None, "{url}");
    }
}

#[test]
fn chain_ends_with_a_reason() {
    let unwrapper = Unwrapper::default();
    for (url, wrappers, end, hint) in [
        (
            "https://eur01.safelinks.protection.outlook.com/?data=05",
            vec!["safelinks"],
            End::Undecodable,
            None,
        ),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=",
            vec!["safelinks"],
            End::Undecodable,
            None,
        ),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)",
            vec!["safelinks"],
            End::BadTarget,
            None,
        ),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2",
            vec!["safelinks"],
            End::Undecodable,
            None,
        ),
        (
            "https://urldefense.com/v3/__https://a.example/p*q__;!!k!s$",
            vec!["proofpoint-v3"],
            End::Undecodable,
            None,
        ),
        (
            "https://us-east-2.protection.sophos.com/?d=rb.gy&b=990",
            vec!["sophos"],
            End::Opaque,
            Some("rb.gy"),
        ),
        (
            "https://protect-eu.mimecast.com/s/AbC?domain=bbc.com",
            vec!["mimecast"],
            End::Opaque,
            Some("bbc.com"),
        ),
        (
            "https://x.r.us-east-1.awstrack.me/L0/%2Fsenators%2Fcontact%2F/1/x/y",
            vec!["aws-ses"],
            End::Undecodable,
            None,
        ),
        (
            "https://email.mg.example/c/eJwdjUuOwyAQRE9jdkS43abDgsVs",
            vec!["mailgun"],
            End::Opaque,
            None,
        ),
        (
            "https://clicktime.symantec.com/3BCC?u=0x3E.0004.0x10.0256/cl/1",
            vec!["symantec"],
            End::Undecodable,
            None,
        ),
    ] {
        let chain = unwrapper.unwrap(url);
        assert_eq!((names(&chain), chain.end), (wrappers, Some(end)), "{url}");
        assert_eq!(
            (chain.final_url(), chain.hint.as_deref()),
            (url, hint),
            "{url}"
        );
    }
    let bit_ly = facebook("https://bit.ly/x");
    let chain = unwrapper.unwrap(&bit_ly);
    assert_eq!(names(&chain), ["facebook", "shortener"]);
    assert_eq!(
        (chain.final_url(), chain.end),
        ("https://bit.ly/x", Some(End::Opaque))
    );
}

#[test]
fn url_in_a_query_is_not_enough() {
    let unwrapper = Unwrapper::default();
    for url in [
        "https://login.example/?continue=https%3A%2F%2Fa.example%2F",
        "https://www.linkedin.com/shareArticle?url=https%3A%2F%2Fa.example%2F",
        "https://accounts.google.com/signin?continue=https%3A%2F%2Fa.example%2F",
        "https://corp.example/fmlurlsvc/?url=https%3A%2F%2Fa.example%2F",
        "https://corp.example/fmlurlsvc?fewReq=x&url=https%3A%2F%2Fa.example%2F",
        "https://web.archive.org/web/2020/https://a.example/",
        "https://www.google.com/search?q=https://a.example/",
        "https://www.youtube.com/watch?v=https://a.example/",
        "https://a.example/urldefense.com/v3/__https://b.example/__;!!",
        "mailto:a@b.example?body=https://l.facebook.com/l.php?u=https://a.example",
        "",
    ] {
        let chain = unwrapper.unwrap(url);
        assert!(!chain.is_wrapped() && chain.end.is_none(), "{url}");
        assert_eq!(chain.final_url(), url);
    }
}

#[test]
fn depth_loops_and_length_are_limited() {
    let unwrapper = Unwrapper::default();
    let mut nested = "https://a.example/".to_owned();
    for depth in 1..=MAX_DEPTH + 1 {
        nested = facebook(&nested);
        let chain = unwrapper.unwrap(&nested);
        assert_eq!(chain.steps.len(), depth.min(MAX_DEPTH));
        let end = (depth > MAX_DEPTH).then_some(End::Depth);
        assert_eq!(chain.end, end, "{depth}");
    }
    // The target of a wrapper is shorter than it, except where a short form is expanded.
    let long = facebook(&format!("https://a.example/{}", "x".repeat(MAX_URL)));
    let chain = unwrapper.unwrap(&long);
    assert_eq!((chain.end, chain.final_url()), (Some(End::TooLong), &*long));
    let own = "https://anonym.to/?https://anonym.to/?https://anonym.to/";
    assert_eq!(unwrapper.unwrap(own).final_url(), "https://anonym.to/");
}

proptest! {
    #[test]
    fn no_url_panics_and_every_target_is_absolute(
        host in prop::sample::select(vec![
            "urldefense.com", "l.facebook.com", "www.google.de", "x.awstrack.me", "a.example",
            "protect.checkpoint.com", "eu-west-1.protection.sophos.com", "lnks.gd", "www.bing.com",
        ]),
        rest in "(/v3/__|/v2/___|/v2/url\\?u=|/l.php\\?u=|/c/eJ|/L0/|/l/|/\\?u=|/)[ -~\u{e9}]{0,60}",
    ) {
        let unwrapper = Unwrapper::default();
        let url = format!("https://{host}{rest}");
        let chain = unwrapper.unwrap(&url);
        let _ = unwrapper.lookalike(&url);
        prop_assert!(chain.steps.len() <= MAX_DEPTH);
        for target in chain.steps.iter().filter_map(|step| step.target.as_deref()) {
            let scheme = target.split(':').next().unwrap();
            prop_assert!(["http", "https", "ftp", "mailto", "tel", "sms"].contains(&scheme), "{}", target);
        }
        prop_assert_eq!(chain.end.is_some() || chain.steps.iter().all(|step| step.target.is_some()), true);
    }
}

#[test]
fn regional_hosts_of_a_service() {
    let unwrapper = Unwrapper::default();
    let to = "https%3A%2F%2Fa.example%2F";
    for (url, found) in [
        (
            format!("https://imsva91.ctp.trendmicro.com/wis/clicktime/v1/query?url={to}"),
            "https://a.example/",
        ),
        (
            format!("https://ctp.trendmicro.com/wis/clicktime/v1/query?url={to}"),
            "https://a.example/",
        ),
    ] {
        assert_eq!(unwrapper.unwrap(&url).final_url(), found, "{url}");
    }
    for url in [
        format!("https://eu.linkprotect.cudasvc.com/url?a={to}"),
        format!("https://www.trendmicro.com/wis/clicktime/v1/query?url={to}"),
        format!("https://evil-trendmicro.com/wis/clicktime/v1/query?url={to}"),
        format!("https://x.evillinkprotect.cudasvc.com/url?a={to}"),
    ] {
        assert!(!unwrapper.unwrap(&url).is_wrapped(), "{url}");
    }
}

#[test]
fn rest_of_the_url_belongs_to_an_unescaped_target() {
    let unwrapper = Unwrapper::default();
    for (url, page) in [
        (
            "https://a-com.cdn.ampproject.org/c/s/a.com/b?c=1#d",
            "https://a.com/b?c=1#d",
        ),
        (
            "https://www.researchgate.net/deref/https://a.example/b?c=1#d",
            "https://a.example/b?c=1#d",
        ),
        (
            "https://www.researchgate.net/deref/https%3A%2F%2Fa.example%2Fb?_sg=1",
            "https://a.example/b",
        ),
        (
            "https://www.facebook.com/l/92723;https://a.example/b?c=1",
            "https://a.example/b?c=1",
        ),
        (
            "https://href.li/?https://a.example/b%20c?d=e%26f",
            "https://a.example/b%20c?d=e%26f",
        ),
        (
            "https://r.search.yahoo.com/_ylt=x/RU=https://a.example//RK=2/RS=x",
            "https://a.example/",
        ),
    ] {
        assert_eq!(unwrapper.unwrap(url).final_url(), page, "{url}");
    }
}

#[test]
fn proxies_in_host_names_unwrap_with_their_path() {
    let unwrapper = Unwrapper::default();
    let link = "https://mcas-proxyweb.mcas.ms/certificate-checker?login=false&originalUrl=https%3A%2F%2F\
                eur05.safelinks.protection.outlook.com.mcas.ms%2F%3Furl%3Dhttps%253A%252F%252Fa.example%252F";
    let chain = unwrapper.unwrap(link);
    let names: Vec<_> = chain.steps.iter().map(|step| step.wrapper).collect();
    assert_eq!(names, ["mcas", "mcas-host", "safelinks"]);
    assert_eq!(chain.final_url(), "https://a.example/");
    // A host of the service's own stands for no other.
    assert!(!unwrapper.unwrap("https://login.mcas.ms/x").is_wrapped());
}

#[test]
fn parameter_of_a_short_link_is_not_its_target() {
    let unwrapper = Unwrapper::default();
    let url = "https://x.page.link/aB1c?link=https%3A%2F%2Fa.example%2F";
    let chain = unwrapper.unwrap(url);
    assert_eq!((chain.final_url(), chain.end), (url, Some(End::Opaque)));
}

#[test]
fn unescaped_wrapper_in_itself_keeps_its_parameters() {
    let unwrapper = Unwrapper::default();
    for url in [
        "https://c212.net/c/link/?t=0&u=https://c212.net/c/link/?t=1&u=https%253A%252F%252Fa.example%252F&a=x",
        "https://x.example/ru/mail_link_tracker?hash=1&url=https://x.example/ru/mail_link_tracker?hash=2&url=aHR0cHM6Ly9hLmV4YW1wbGUv",
    ] {
        let chain = unwrapper.unwrap(url);
        assert_eq!(
            (chain.steps.len(), chain.final_url()),
            (2, "https://a.example/"),
            "{url}"
        );
    }
    // The parameters after a page elsewhere are the wrapper's.
    let other = "https://c212.net/c/link/?u=https://a.example/?b=1&a=x";
    assert_eq!(
        unwrapper.unwrap(other).final_url(),
        "https://a.example/?b=1"
    );
}
