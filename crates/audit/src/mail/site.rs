//! The site of a host.

/// What a single owner controls: the registrable domain, private suffixes included, or else the host.
pub(crate) fn site(host: &str) -> &str {
    baseref_hosts::site(host).unwrap_or(host)
}
