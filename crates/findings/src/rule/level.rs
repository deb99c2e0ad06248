//! The severity of findings.

use std::fmt;
use std::str::FromStr;

use crate::error::SettingsError;

/// The severity of a finding, the least severe first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The rule is switched off: nothing is reported or counted.
    Off,
    /// Worth knowing; nothing is broken.
    Note,
    /// Works by chance, or only in some programs.
    Warning,
    /// Broken.
    #[default]
    Error,
}

impl Level {
    /// The levels a finding can be reported at, the most severe first.
    pub const REPORTED: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// The name: `error`, `warning`, `note` or `off`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The next higher level. `Error` and `Off` are unchanged.
    #[must_use]
    pub const fn raised(self) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::Note => Self::Warning,
            Self::Warning | Self::Error => Self::Error,
        }
    }

    /// The next lower level at which findings are reported. `Note` and `Off` are unchanged.
    #[must_use]
    pub const fn lowered(self) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::Note | Self::Warning => Self::Note,
            Self::Error => Self::Warning,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Level {
    type Err = SettingsError;

    /// Parses the name.
    ///
    /// # Errors
    /// If no level has that name.
    fn from_str(name: &str) -> Result<Self, SettingsError> {
        let mut levels = [Self::Error, Self::Warning, Self::Note, Self::Off].into_iter();
        levels
            .find(|level| level.as_str() == name)
            .ok_or_else(|| SettingsError::Level(name.to_owned()))
    }
}
