//! The rule `mail/cloud-attachment`.

baseref_findings::rule! {
    "mail/cloud-attachment" Note "share dialogues of the services"
    "link to a file in cloud storage"
    "The message does not contain the file, so it is not archived with it. The finding names the \
     owner as far as the link does."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://contoso-my.sharepoint.com/:w:/g/personal/joe/x\">here</a>",
    }

    enum CloudAttachment<'m> {
        Shared { kind: &'m str, service: &'m str, through: String } =>
            "a {kind} on {service}{through}",
        SharedBy { kind: &'m str, service: &'m str, owner: &'m str, through: String } =>
            "a {kind} on {service}, owned by {owner}{through}",
    }
}
