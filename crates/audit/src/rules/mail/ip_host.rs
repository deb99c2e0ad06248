//! The rule `mail/ip-host`.

baseref_findings::rule! {
    "mail/ip-host" Warning "URL Standard, \"host parser\""
    "link to an IP address"
    "The address is shown as browsers read it: to them `0x33c3770d` and `012345267142` are IP \
     addresses. It is a note for private networks."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://012345267142/\">here</a>",
    }

    struct IpHost<'m> { ip: &'m str, through: String } =>
        "its host is the address {ip}{through}"
}
