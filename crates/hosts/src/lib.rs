//! Tells from its text what a host is, and who controls it.
//!
//! ```
//! // Whoever has registered a domain controls every host below it.
//! assert_eq!(baseref_hosts::site("www.shop.co.uk"), Some("shop.co.uk"));
//! assert_eq!(baseref_hosts::site("me.github.io"), Some("me.github.io"));
//! assert_eq!(baseref_hosts::site("192.0.2.1"), None);
//! assert!(baseref_hosts::is_private("printer.local"));
//! ```
//!
//! Hosts are given as URLs have them once a browser has read them: in lower case, without a port, IPv6
//! addresses in brackets. A final dot changes nothing. Which suffixes are public is the Public Suffix
//! List as of the build.
//!
//! Each thread remembers the suffixes of a thousand hosts: looking one up again is cheap.
//!
//! Outside baseref it serves whatever groups URLs by owner, or keeps the addresses of a private network
//! apart.
//!
//! # What it does not do
//!
//! It reads no URLs and no notations of IP addresses but the usual ones (`baseref-resolve` does), and it
//! asks no name server.

mod address;
mod recent;
mod suffix;

pub use self::address::{is_ip, is_private};
pub use self::suffix::{Suffix, is_registrable, label, site, suffix};
