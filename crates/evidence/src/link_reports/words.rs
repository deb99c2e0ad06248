//! What fetchers say in words when there was no answer.

/// Ways in which fetchers and their libraries say that a host name has no address.
const NO_HOST: [&str; 14] = [
    "could not resolve host",
    "couldn't resolve host",
    "name or service not known",
    "nodename nor servname",
    "no address associated with hostname",
    "failed to resolve",
    "name resolution",
    "getaddrinfo failed",
    "nameresolutionerror",
    "dns error",
    "failed to lookup address",
    "no such host",
    "nxdomain",
    "err_name_not_resolved",
];

/// Temporary failures of name servers that contain the same words.
const TEMPORARY: [&str; 2] = ["temporary failure", "try again"];

/// Whether the words say that the host has no address, other than for the moment.
pub(crate) fn says_no_host(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    NO_HOST.iter().any(|sign| words.contains(sign))
        && !TEMPORARY.iter().any(|sign| words.contains(sign))
}

/// The status in words such as `404 Not Found` or `Rejected status code: 403 Forbidden`: three digits
/// between spaces or brackets, which the `443` of `port=443` is not.
pub(crate) fn status_in(words: &str) -> Option<u16> {
    words
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'))
        .map(|word| word.trim_end_matches([':', ',', '.']))
        .filter(|word| word.len() == 3)
        .find_map(status)
}

/// A status as digits: 100 to 999. `0` and `000` are no answer.
pub(crate) fn status(digits: &str) -> Option<u16> {
    let number: u16 = digits.trim().parse().ok()?;
    (100..=999).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_without_an_address_is_told_from_one_that_is_not_found_at_the_moment() {
        for (words, expected) in [
            ("(6) Could not resolve host: gone.example", true),
            (
                "HTTPSConnectionPool(host='x'): [Errno -2] Name or service not known",
                true,
            ),
            (
                "Failed to resolve 'gone.example' ([Errno -3] Temporary failure in name resolution)",
                false,
            ),
            ("Connection refused", false),
        ] {
            assert_eq!(says_no_host(words), expected, "{words}");
        }
    }

    #[test]
    fn a_status_in_words_stands_alone() {
        assert_eq!(status_in("404 Client Error: Not Found"), Some(404));
        assert_eq!(
            status_in("Rejected status code (this depends): 403 Forbidden"),
            Some(403)
        );
        assert_eq!(status_in("timeout after 20s"), None);
        assert_eq!(status_in("port 8080, 1404 bytes"), None);
        assert_eq!(
            status_in("HTTPSConnectionPool(host='a', port=443): Read timed out."),
            None
        );
        assert_eq!(status_in("Cached: Error (cached) [404]"), Some(404));
    }
}
