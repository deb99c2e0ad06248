//! The error messages that fetchers write when there was no response.

/// Phrases of fetchers and their libraries for a host without an address.
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

/// Phrases for temporary failures of name servers, which may also contain a phrase above.
const TEMPORARY: [&str; 2] = ["temporary failure", "try again"];

/// Whether a message says that the host has no address, and not only temporarily.
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

/// Parses a status from 100 to 999; `None` for `0` and `000`, which stand for no response.
pub(crate) fn status(digits: &str) -> Option<u16> {
    let number: u16 = digits.trim().parse().ok()?;
    (100..=999).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_host_and_temporary_failure() {
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
    fn status_in_a_message() {
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
