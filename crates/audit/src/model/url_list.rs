//! Millions of URLs in one allocation.

/// URLs by 0-based number.
#[derive(Clone, Debug, Default)]
pub(crate) struct UrlList {
    text: String,
    /// The end of each URL in the text.
    ends: Vec<usize>,
}

impl UrlList {
    /// Splits a text into URLs at these ends.
    pub(crate) fn new(text: String, ends: Vec<usize>) -> Self {
        Self { text, ends }
    }

    /// Adds a URL and returns its number.
    pub(crate) fn push(&mut self, url: &str) -> usize {
        self.text.push_str(url);
        self.ends.push(self.text.len());
        self.ends.len() - 1
    }

    /// The number of URLs.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The URL with a number.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        let before = number.checked_sub(1);
        let start = before.map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(number)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_by_number() {
        let mut list = UrlList::default();
        let urls = ["http://h/a", "", "http://h/é"];
        assert_eq!(urls.map(|url| list.push(url)), [0, 1, 2]);
        assert_eq!([0, 1, 2].map(|number| list.get(number)), urls.map(Some));
        assert_eq!(
            (list.len(), list.get(3), list.get(usize::MAX)),
            (3, None, None)
        );
    }

    #[test]
    fn invalid_ends_give_no_url() {
        let list = UrlList::new("é".to_owned(), vec![1, 5]);
        assert_eq!([list.get(0), list.get(1)], [None, None]);
    }
}
