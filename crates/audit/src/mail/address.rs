//! Mail addresses in texts and header fields.

/// The addresses in a decoded field, in lower case: what stands between angle brackets, or a word
/// with an at sign.
pub(super) fn all(field: &str) -> Vec<String> {
    let is_end = |c: char| c.is_whitespace() || "<>,;()\"'".contains(c);
    let words = field.split(is_end).filter(|word| is_address(word));
    let mut addresses: Vec<String> = words.map(str::to_lowercase).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// Whether a text is one address: a local part and a domain with a public suffix.
pub(super) fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>,;:/?".contains(c);
    !local.is_empty() && text.chars().all(is_plain) && baseref_hosts::is_registrable(domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_header_fields() {
        let found = all("\"A, B\" <Joe@X.com>, mary@y.org (Mary), nobody, a@b, joe@x.com");
        assert_eq!(found, ["joe@x.com", "mary@y.org"]);
        for text in [
            "a@localhost",
            "@x.com",
            "a b@x.com",
            "http://a@x.com",
            "x.com",
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
