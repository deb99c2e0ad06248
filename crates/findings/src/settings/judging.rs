//! Which findings count: by the user's rule levels, exceptions and baseline.

use std::io;
use std::path::{Path, PathBuf};

use time::{Date, OffsetDateTime};

use crate::error::SettingsError;
use crate::{Allow, Baseline, Config, RULES, Rule, Triage, matching};
use baseref_files::{Files, Role};

/// The default configuration file, read if it exists.
const CONFIG: &str = "baseref.toml";

/// The rules of a check, and those about exceptions.
#[must_use]
pub fn with_common_rules(of_check: &[&'static Rule]) -> Vec<&'static Rule> {
    of_check.iter().chain(RULES).copied().collect()
}

/// A configuration, and the file that it comes from.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// The configuration.
    pub config: Config,
    /// Its file, which need not exist.
    pub path: PathBuf,
}

/// Reads the named configuration, or the default one if it exists.
///
/// # Errors
/// If it cannot be read or parsed.
pub fn config(
    named: Option<&Path>,
    known: &[&'static Rule],
    files: &Files,
) -> Result<ConfigFile, SettingsError> {
    let path = named.unwrap_or(Path::new(CONFIG));
    let text = match files.read_text(path, Role::Configuration) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(unreadable(path, source)),
    };
    let config = Config::read(&text, known).map_err(|error| SettingsError::Config {
        path: path.to_owned(),
        source: Box::new(error),
    })?;
    Ok(ConfigFile {
        config,
        path: path.to_owned(),
    })
}

/// The day in UTC of an instant given as `SOURCE_DATE_EPOCH` has it.
///
/// # Errors
/// If it is not a number of seconds since 1970.
pub fn day_of_epoch(epoch: &str) -> Result<Date, SettingsError> {
    let seconds = epoch.parse().ok();
    let time = seconds.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    let time = time.ok_or_else(|| SettingsError::Epoch(epoch.to_owned()))?;
    Ok(time.date())
}

/// What is requested in addition to the configuration.
#[derive(Debug, Default)]
pub struct FindingOptions<'r> {
    /// Levels of rules, each `ID=LEVEL`.
    pub rule: &'r [String],
    /// Exceptions, each `RULE[:URLGLOB][@DOCGLOB]`.
    pub allow: &'r [String],
    /// The file of known findings, which do not count.
    pub baseline: Option<&'r Path>,
    /// Whether entries of the baseline that no longer occur are findings.
    pub baseline_strict: bool,
}

/// Creates the triage by the request and the configuration, as of `today`.
///
/// # Errors
/// If an option, an exception or the baseline is invalid.
pub fn triage(
    request: &FindingOptions<'_>,
    ConfigFile { config, path }: ConfigFile,
    known: &[&'static Rule],
    today: Date,
    files: &Files,
) -> Result<Triage, SettingsError> {
    let mut levels = config.levels;
    for argument in request.rule {
        levels.set_argument(argument, known)?;
    }
    let mut allows = config.allows;
    for argument in request.allow {
        let allow: Allow = argument.parse()?;
        matching(&allow.rule, known).map_err(|source| SettingsError::AllowedRule {
            argument: argument.clone(),
            source: Box::new(source),
        })?;
        allows.push(allow);
    }
    let config_file = path.display().to_string();
    let mut triage = Triage::new(levels, allows, &config_file, today)?;
    if let Some(path) = request.baseline {
        triage.set_baseline(
            baseline(path, files)?,
            &path.display().to_string(),
            request.baseline_strict,
        );
    }
    Ok(triage)
}

fn baseline(path: &Path, files: &Files) -> Result<Baseline, SettingsError> {
    let text = files.read_text(path, Role::Baseline);
    let text = text.map_err(|source| unreadable(path, source))?;
    Baseline::read(&text).map_err(|source| SettingsError::Baseline {
        path: path.to_owned(),
        source,
    })
}

fn unreadable(path: &Path, source: io::Error) -> SettingsError {
    SettingsError::Unreadable {
        path: path.to_owned(),
        source,
    }
}
