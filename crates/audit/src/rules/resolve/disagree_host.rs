//! The rule `resolve/disagree-host`.

baseref_findings::rule! {
    "resolve/disagree-host" Error "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
    "RFC 1808, RFC 3986 and browsers lead to different hosts"
    "The three rule sets do not resolve this link to one URL: the results differ in scheme or \
     host. The finding names the cause. Write the link so that all programs agree."
    "baseref audit ." { "page.html": "<a href=\"///host/x\">" }
}
