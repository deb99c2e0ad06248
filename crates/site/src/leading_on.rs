//! Pages that lead to another at once and take the fragment along, by a refresh beside a script.
//! Generators put them in the places of pages that moved.

/// How many pages are followed that only lead to the next: as many as Chromium follows redirects.
const MOST: usize = 20;

/// Whether a page with a refresh takes the fragment along by which it was asked for. A refresh by
/// itself forgets it (HTML "shared declarative refresh steps" navigate to the URL as written).
#[must_use]
pub fn takes_fragment(source: &[u8]) -> bool {
    memchr::memmem::find(source, b"location.hash").is_some()
}

/// The pages that readers of a page are led on to, in order, where `next` knows those of each.
pub fn led_on<P>(page: &P, next: impl Fn(&P) -> Option<P>) -> impl Iterator<Item = P> {
    std::iter::successors(next(page), next).take(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_circles_are_followed_as_far_as_browsers_do() {
        assert_eq!(led_on(&0, |page| Some((page + 1) % 3)).count(), MOST);
        assert_eq!(
            led_on(&0, |page| (*page < 2).then_some(page + 1)).max(),
            Some(2)
        );
        assert_eq!(led_on(&0, |_| None).count(), 0);
    }
}
