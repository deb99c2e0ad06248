//! Quoted-printable that was decoded once too little: `=3D` where `=` was meant.

use baseref_reader::links::Link;
use baseref_resolve::parts;
use memchr::memmem;

use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::qp_residue::QpResidue;

pub(super) fn check(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>) {
    let value = opened.link.reference.value;
    if is_broken(value) || is_in_query(value) {
        findings.add(opened, "=3D", message(value));
    }
}

/// Checks a link that has no URL because of it.
pub(super) fn without_url(findings: &mut MailFindings<'_, '_>, link: &Link<'_>) {
    let value = link.reference.value;
    if is_broken(value) {
        let finding = findings.page.finding(link, "=3D", message(value));
        findings.findings.push(finding);
    }
}

fn message(value: &str) -> QpResidue {
    let repaired = repaired(value);
    // Unquoted, a value ends at a soft line break: the rest of the URL is unknown.
    if is_broken(value) && repaired.ends_with('=') {
        return QpResidue::Cut;
    }
    QpResidue::Repaired { repaired }
}

/// Whether the whole attribute was quoted-printable: `href=3D"https://..."`.
pub(super) fn is_broken(value: &str) -> bool {
    let value = value.trim_start();
    ["3D\"", "3D'", "3Dhttp", "3Dmailto:"]
        .into_iter()
        .any(|start| value.starts_with(start))
}

/// Whether the parameters of a query were: one that holds a URL, or all of several.
fn is_in_query(value: &str) -> bool {
    if memmem::find(value.as_bytes(), b"=3D").is_none() {
        return false;
    }
    let Some(query) = parts::query(value) else {
        return false;
    };
    let values = || query.split('&').filter_map(|pair| pair.split_once('='));
    let is_residue = |value: &str| value.trim_start_matches('=').starts_with("3D");
    let has_url = values().any(|(_, value)| {
        let value = value.trim_start_matches('=');
        value
            .strip_prefix("3D")
            .is_some_and(|rest| rest.starts_with("http"))
    });
    has_url || values().count() > 1 && values().all(|(_, value)| is_residue(value))
}

/// The URL that was probably meant.
fn repaired(value: &str) -> String {
    let value = value.trim().replace("=\r\n", "").replace("=\n", "");
    let value = &*value;
    if is_broken(value) {
        let value = value
            .trim_start_matches("3D")
            .trim_start_matches(['"', '\'']);
        return value.trim_end_matches(['"', '\'']).replace("=3D", "=");
    }
    let mut repaired = value.replace("=3D", "=");
    while repaired.contains("==") {
        repaired = repaired.replace("==", "=");
    }
    repaired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residue_is_found_and_repaired() {
        for (value, fixed) in [
            ("3D\"https://a.example/x\"", "https://a.example/x"),
            (
                "http://h/?url==3Dhttp%3a%2f%2fx",
                "http://h/?url=http%3a%2f%2fx",
            ),
            ("http://h/?a=3D1&b=3D2", "http://h/?a=1&b=2"),
            ("http://h/?a=3D1&b=3D2=\r\n3", "http://h/?a=1&b=23"),
        ] {
            assert!(is_broken(value) || is_in_query(value), "{value}");
            assert_eq!(repaired(value), fixed);
        }
        assert!(matches!(message("3D\"https://a.exam="), QpResidue::Cut));
        for value in [
            "http://h/?view=3D",
            "http://h/?a=3Dx&b=2",
            "3D.html",
            "http://h/=3D",
        ] {
            assert!(!is_broken(value) && !is_in_query(value), "{value}");
        }
    }
}
