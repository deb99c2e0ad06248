//! A list of old addresses, whatever file it comes from.

/// A list of old addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressList {
    /// The addresses, resolved; the heaviest first, if they have weights.
    pub addresses: Vec<Address>,
    /// What the weights count: `hits`, or the name of their column. `None` if there are none.
    pub weight: Option<String>,
    /// What was left out of the list, in words.
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

impl Address {
    /// An address of which nothing more is known.
    #[must_use]
    pub fn unweighted(url: String) -> Self {
        let weight = String::new();
        Self { url, weight }
    }
}
