//! Pages that refresh to another at once and whose script forwards the fragment. Site generators leave
//! them at the addresses of moved pages.

/// The maximum number of refresh pages in a row; Chromium follows as many redirects.
const MOST: usize = 20;

/// Whether a refresh page forwards the request's fragment to its target. A refresh alone drops it (HTML
/// "shared declarative refresh steps" navigate to the URL as written).
#[must_use]
pub fn forwards_fragment(source: &[u8]) -> bool {
    memchr::memmem::find(source, b"location.hash").is_some()
}

/// The pages that a reader is forwarded to, in order; `next` gives the targets of a page.
pub fn refresh_targets<P>(page: &P, next: impl Fn(&P) -> Option<P>) -> impl Iterator<Item = P> {
    std::iter::successors(next(page), next).take(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refresh_circles_end_at_the_browser_limit() {
        assert_eq!(
            refresh_targets(&0, |page| Some((page + 1) % 3)).count(),
            MOST
        );
        assert_eq!(
            refresh_targets(&0, |page| (*page < 2).then_some(page + 1)).max(),
            Some(2)
        );
        assert_eq!(refresh_targets(&0, |_| None).count(), 0);
    }
}
