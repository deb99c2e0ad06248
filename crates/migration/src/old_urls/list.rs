//! A list of old addresses from a file of any format.

use indexmap::IndexMap;

/// A list of old addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressList {
    /// The resolved addresses; the heaviest first if they have weights.
    pub addresses: Vec<Address>,
    /// The unit of the weights: `hits`, or the name of their column. `None` if there are none.
    pub weight: Option<String>,
    /// Descriptions of the entries that were left out.
    pub left_out: Vec<String>,
}

/// One old address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The URL.
    pub url: String,
    /// Its traffic or priority, as written; empty if not given.
    pub weight: String,
}

/// Addresses without repetitions, in the order in which they were first named.
#[derive(Debug, Default)]
pub(super) struct DistinctAddresses(IndexMap<String, String>);

impl DistinctAddresses {
    /// Adds an address, unless it is known. Its fragment belongs to it: what a redirect or a page that
    /// refreshes makes of the fragment is part of where the address leads. Of several weights the
    /// greatest is kept.
    pub(super) fn add(&mut self, url: &str, weight: &str) {
        match self.0.get_mut(url) {
            Some(known) if !weight.is_empty() && number(weight) > number(known) => {
                weight.clone_into(known);
            }
            Some(_) => {}
            None => _ = self.0.insert(url.to_owned(), weight.to_owned()),
        }
    }

    pub(super) fn into_vec(self) -> Vec<Address> {
        let addresses = self.0.into_iter();
        addresses
            .map(|(url, weight)| Address { url, weight })
            .collect()
    }
}

/// A weight as a number: `1,234`, `0.8`, `12 %`; 0 if it is not a number.
pub(super) fn number(weight: &str) -> f64 {
    let digits: String = weight
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    digits.parse().unwrap_or(0.0)
}

impl Address {
    /// An address without a weight.
    #[must_use]
    pub fn unweighted(url: String) -> Self {
        let weight = String::new();
        Self { url, weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_kept_once_with_its_fragment_and_greatest_weight() {
        let mut addresses = DistinctAddresses::default();
        for (url, weight) in [
            ("http://a/", "1"),
            ("http://a/#b", ""),
            ("http://a/", "3"),
            ("http://a/", "2"),
        ] {
            addresses.add(url, weight);
        }
        let kept = addresses.into_vec();
        let kept: Vec<_> = kept.iter().map(|one| (&*one.url, &*one.weight)).collect();
        assert_eq!(kept, [("http://a/", "3"), ("http://a/#b", "")]);
    }
}
