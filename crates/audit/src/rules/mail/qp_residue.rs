//! The rule `mail/qp-residue`.

baseref_findings::rule! {
    "mail/qp-residue" Note "RFC 2045 §6.7"
    "the URL contains quoted-printable that was not decoded"
    "`=3D` stands for `=`. A program has encoded the message once too often; the finding has the \
     repaired form."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href='3D\"https://a.com/\"'>here</a>",
    }

    struct QpResidue { repaired: String } => "it was probably {repaired}"
}
