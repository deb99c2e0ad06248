//! The rule `mail/qp-residue`.

baseref_findings::rule! {
    "mail/qp-residue" Note "RFC 2045 §6.7"
    "undecoded quoted-printable in the URL"
    "`=3D` stands for `=`: a program encoded the message once too often. The finding has the \
     repaired URL, unless only a part of the URL is left."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href='3D\"https://a.com/\"'>here</a>",
    }

    enum QpResidue {
        Repaired { repaired: String } => "probably meant: {repaired}",
        Cut => "the URL continues after a soft line break and is incomplete",
    }
}
