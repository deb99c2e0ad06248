//! A list of old addresses, with its name in reports.

use std::sync::Arc;

use crate::old_urls::AddressList;
use baseref_findings::PageName;

/// A list of old addresses, with its name in reports.
pub(super) struct UrlList {
    pub(super) name: Arc<PageName>,
    pub(super) list: AddressList,
}

impl UrlList {
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        let addresses = self.list.addresses.iter();
        addresses.map(|address| address.url.as_str())
    }
}
