//! Classifies hosts by their names: IP addresses, private names, and the registered domain that controls
//! a host.
//!
//! ```
//! // The owner of a registered domain controls every host below it.
//! assert_eq!(baseref_hosts::site("www.shop.co.uk"), Some("shop.co.uk"));
//! assert_eq!(baseref_hosts::site("me.github.io"), Some("me.github.io"));
//! assert_eq!(baseref_hosts::site("192.0.2.1"), None);
//! assert!(baseref_hosts::is_private("printer.local"));
//! ```
//!
//! Hosts are expected as the URL Standard serializes them: in lower case, without a port, IPv6 addresses
//! in brackets. A final dot is ignored. The Public Suffix List is the one at
//! the time of the build.
//!
//! Each thread caches the suffixes of about a thousand hosts.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It parses neither URLs nor unusual notations of IP addresses (`baseref-resolve` does), and makes no DNS
//! queries.

mod address;
mod recent;
mod suffix;

pub use self::address::{is_ip, is_private};
pub use self::suffix::{Suffix, is_registrable, label, site, suffix};
