//! Links to shared files: the service, and the owner.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use baseref_resolve::parts;

use crate::pattern::{self, Separator};
use crate::request::UrlParts;

/// A file or folder shared by a storage service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share<'u> {
    /// The service.
    pub service: &'static str,
    /// `file`, `folder`, `document` or `form`.
    pub kind: &'static str,
    /// The owner, if the URL names one: a tenant, or a user of one.
    pub owner: Option<&'u str>,
}

/// A form of sharing links.
#[derive(Clone, Copy)]
struct Form {
    service: &'static str,
    kind: &'static str,
    host: &'static str,
    /// `{}` stands for the owner.
    path: &'static str,
    /// A parameter that must be present.
    needs: &'static str,
}

const fn form(
    service: &'static str,
    kind: &'static str,
    host: &'static str,
    path: &'static str,
) -> Form {
    Form {
        service,
        kind,
        host,
        path,
        needs: "",
    }
}

const fn with_parameter(form: Form, needs: &'static str) -> Form {
    Form { needs, ..form }
}

/// Sources: the sharing dialogs of these services, 2026-11.
const FORMS: &[Form] = &[
    form(
        "sharepoint",
        "folder",
        "*.sharepoint.(com|us|de|cn)",
        "/:f:/(g|r|s|p|t)/personal/{}/**",
    ),
    form(
        "sharepoint",
        "folder",
        "*.sharepoint.(com|us|de|cn)",
        "/:f:/(g|r|s|p|t)/**",
    ),
    form(
        "sharepoint",
        "file",
        "*.sharepoint.(com|us|de|cn)",
        "/:(w|x|p|o|b|i|v|u|t):/(g|r|s|p|t)/personal/{}/**",
    ),
    form(
        "sharepoint",
        "file",
        "*.sharepoint.(com|us|de|cn)",
        "/:(w|x|p|o|b|i|v|u|t):/(g|r|s|p|t)/**",
    ),
    form(
        "sharepoint",
        "file",
        "*.sharepoint.(com|us|de|cn)",
        "/personal/{}/_layouts/**",
    ),
    form(
        "sharepoint",
        "file",
        "*.sharepoint.(com|us|de|cn)",
        "/**/_layouts/15/(Doc|guestaccess|onedrive).aspx",
    ),
    form("onedrive", "folder", "1drv.ms", "/f/**"),
    form("onedrive", "file", "1drv.ms", "/@/**"),
    with_parameter(
        form("onedrive", "file", "onedrive.live.com", "/**"),
        "resid",
    ),
    with_parameter(form("onedrive", "file", "onedrive.live.com", "/**"), "id"),
    form(
        "google-drive",
        "folder",
        "drive.google.com",
        "/drive/folders/**",
    ),
    form(
        "google-drive",
        "folder",
        "drive.google.com",
        "/drive/u/#/folders/**",
    ),
    form("google-drive", "file", "drive.google.com", "/file/d/**"),
    with_parameter(
        form("google-drive", "file", "drive.google.com", "/(open|uc)"),
        "id",
    ),
    with_parameter(
        form(
            "google-drive",
            "file",
            "drive.usercontent.google.com",
            "/download",
        ),
        "id",
    ),
    form("google-docs", "form", "docs.google.com", "/forms/d/**"),
    form(
        "google-docs",
        "document",
        "docs.google.com",
        "/(document|spreadsheets|presentation|drawings)/d/**",
    ),
    form("dropbox", "folder", "(|www.)dropbox.com", "/(sh|scl/fo)/**"),
    form(
        "dropbox",
        "file",
        "(|www.)dropbox.com",
        "/(s|scl/fi|t|l|transfer)/**",
    ),
    form("dropbox", "file", "db.tt", "/*"),
    form("dropbox", "file", "dl.dropboxusercontent.com", "/**"),
    form("box", "folder", "(|*.)(app|ent).box.com", "/folder/**"),
    form(
        "box",
        "file",
        "(|*.)(app|ent).box.com",
        "/(s|v|file|shared/static)/**",
    ),
    form("wetransfer", "file", "we.tl", "/t-*"),
    form(
        "wetransfer",
        "file",
        "(|www.)wetransfer.com",
        "/downloads/**",
    ),
    form(
        "icloud",
        "file",
        "(|www.)icloud.com",
        "/(iclouddrive|attachment|photos)/**",
    ),
    form("icloud", "file", "share.icloud.com", "/**"),
    form("adobe", "document", "acrobat.adobe.com", "/(link|id)/**"),
    form("adobe", "document", "documentcloud.adobe.com", "/link/**"),
    form("adobe", "document", "indd.adobe.com", "/view/**"),
    form("adobe", "document", "new.express.adobe.com", "/webpage/**"),
    form(
        "docusign",
        "document",
        "**.docusign.(net|com)",
        "/(Signing|signing|Member|documents)/**",
    ),
    form(
        "sharefile",
        "file",
        "*.sharefile.(com|eu)",
        "/(d|share|public/share)/**",
    ),
];

/// Every sharing host contains at least one of these texts. A single search rules out nearly all hosts.
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words: BTreeSet<_> = FORMS
        .iter()
        .map(|form| pattern::longest_literal(form.host))
        .collect();
    pattern::any_of(words)
});

/// Recognises a sharing link.
#[must_use]
pub fn find(url: &str) -> Option<Share<'_>> {
    let request = UrlParts::new(url)?;
    if !WORDS.is_match(&*request.host) {
        return None;
    }
    FORMS.iter().find_map(|form| {
        pattern::matches(form.host, &request.host, Separator::Dot)?;
        let owner = pattern::matches(form.path, request.path, Separator::Slash)?;
        let is_asked = form.needs.is_empty() || request.has(form.needs);
        let is_of_tenant = form.host.starts_with("*.");
        let tenant = || parts::authority(url)?.split('.').next();
        let owner = Some(owner).filter(|owner| !owner.is_empty());
        is_asked.then(|| Share {
            service: form.service,
            kind: form.kind,
            owner: owner.or_else(|| if is_of_tenant { tenant() } else { None }),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_form() {
        for (url, share) in [
            (
                "https://contoso-my.sharepoint.com/:w:/g/personal/joe_contoso_com/EaB?e=1",
                Some(("sharepoint", "file", Some("joe_contoso_com"))),
            ),
            (
                "https://contoso.sharepoint.com/:f:/s/team/EaB",
                Some(("sharepoint", "folder", Some("contoso"))),
            ),
            ("https://1drv.ms/w/s!AbC", Some(("onedrive", "file", None))),
            (
                "https://onedrive.live.com/?id=1",
                Some(("onedrive", "file", None)),
            ),
            (
                "https://docs.google.com/drawings/d/1/preview",
                Some(("google-docs", "document", None)),
            ),
            (
                "https://drive.google.com/open?id=1",
                Some(("google-drive", "file", None)),
            ),
            (
                "https://www.dropbox.com/scl/fi/a/b.pdf?rlkey=c",
                Some(("dropbox", "file", None)),
            ),
            ("https://we.tl/t-AbC", Some(("wetransfer", "file", None))),
            ("https://contoso.sharepoint.com/", None),
            ("https://sharepoint.com.evil.example/:w:/g/x", None),
            ("https://www.dropbox.com/login", None),
            ("https://drive.google.com/open", None),
            ("mailto:a@b.example", None),
        ] {
            let found = find(url).map(|share| (share.service, share.kind, share.owner));
            assert_eq!(found, share, "{url}");
        }
    }
}
