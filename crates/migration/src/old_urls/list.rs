//! A list of old addresses from a file of any format.

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

impl Address {
    /// An address without a weight.
    #[must_use]
    pub fn unweighted(url: String) -> Self {
        let weight = String::new();
        Self { url, weight }
    }
}
