//! The targets of links for threat intelligence platforms: each distinct URL, host and address once.

mod csv;
mod ids;
mod misp;
mod stix;
mod store;

use std::io;

pub use self::csv::{Row, Rows};
pub use self::store::{ObservableKind, Observables};

/// The output forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservablesFormat {
    /// A table (RFC 4180).
    Csv,
    /// An event of MISP.
    Misp,
    /// A bundle of STIX 2.1.
    Stix,
}

impl Observables {
    /// Writes all observables one by one, because the output can be many times their size.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write(
        &self,
        format: ObservablesFormat,
        is_defanged: bool,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        match format {
            ObservablesFormat::Csv => csv::write(self, is_defanged, out),
            ObservablesFormat::Misp => misp::write(self, is_defanged, out),
            ObservablesFormat::Stix => stix::write(self, is_defanged, out),
        }
    }

    /// The number of hosts that are not domain names, which STIX can express only as part of a URL.
    #[must_use]
    pub fn nameless(&self) -> u64 {
        let hosts = self
            .iter()
            .filter(|(kind, ..)| *kind == ObservableKind::Host);
        let nameless = hosts.filter(|(_, host, _)| !stix::is_domain_name(host));
        nameless.count() as u64
    }
}

#[cfg(test)]
mod tests;
