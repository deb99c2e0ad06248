//! Check Point and Avanan, version 2: `/v2/r01/___URL___.SIGNATURE`.

use super::percent;

/// Decodes the URL, in which `*` stands for `%` before two hexadecimal digits. A fragment after the signature
/// belongs to the URL, a query does not. The signature may be missing, but not the underscores before it.
pub fn v2(url: &str) -> Option<String> {
    let (_, after) = url.split_once("/___")?;
    // The URL may contain `___` itself.
    let signed = after.rsplit_once("___.");
    let (target, signature) = signed.or_else(|| Some((after.strip_suffix("___")?, "")))?;
    let fragment = signature.find('#').map_or("", |hash| &signature[hash..]);
    let mut decoded = String::with_capacity(target.len() + fragment.len());
    let mut parts = target.split('*');
    decoded.push_str(parts.next()?);
    for part in parts {
        let is_escape = |code: &str| code.bytes().all(|byte| byte.is_ascii_hexdigit());
        decoded.push(if part.get(..2).is_some_and(is_escape) {
            '%'
        } else {
            '*'
        });
        decoded.push_str(part);
    }
    decoded.push_str(fragment);
    Some(percent::decode_deeper(decoded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_between_underscores() {
        let before = "https://protect.checkpoint.com/v2/r01/";
        for (after, decoded) in [
            (
                "___https://a.example/x*20y___.Yz",
                Some("https://a.example/x%20y"),
            ),
            (
                "___https:/a.example/___.Yz#part",
                Some("https:/a.example/#part"),
            ),
            (
                "___https:/a.example/___.Yz?x=1#part",
                Some("https:/a.example/#part"),
            ),
            (
                "___https:/a.example/a___b*zz___.Yz",
                Some("https:/a.example/a___b*zz"),
            ),
            (
                "___https%3A//a.example/b%20c___.Yz",
                Some("https://a.example/b c"),
            ),
            ("___https:/a.example/b___", Some("https:/a.example/b")),
            ("___https:/a.example/", None),
            ("___https:/a.example/__", None),
            ("x", None),
        ] {
            assert_eq!(
                v2(&format!("{before}{after}")).as_deref(),
                decoded,
                "{after}"
            );
        }
    }
}
