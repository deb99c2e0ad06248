//! The arguments about a fetcher's results, shared by the checking commands.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::ADVANCED;
use super::values::ValueError;
use crate::cli::clock::days_ago;
use crate::cli::error::CommandError;
use baseref_evidence::link_reports::Format;
use baseref_evidence::link_reports::ReportFiles;

/// The results of a fetcher.
#[derive(Clone, Debug, Default, Args)]
pub struct StatusArgs {
    /// Results of a fetcher (lychee, curl, ...) for links to other sites
    ///
    /// FILE is the report of lychee (`--format json`), of Sphinx's linkcheck (`output.json`), of linkchecker
    /// (`-o csv`), the lines of `curl -w '%{url} %{response_code} %{redirect_url}\\n'`, a table with
    /// the columns url, status, location, final, date and error (also as JSON Lines), or the
    /// captures of a web archive (CDX, CDXJ).
    #[arg(long, value_name = "FILE|-", help_heading = "Links to other sites")]
    pub status: Vec<PathBuf>,

    /// The format of the files of --status [default: found by their content]
    #[arg(long, value_name = "FORMAT", requires = "status", value_parser = formats(), help_heading = ADVANCED)]
    pub status_format: Option<Format>,

    /// Report results that are older than DAYS days
    #[arg(long, value_name = "DAYS", requires = "status", value_parser = parse_days, help_heading = "Links to other sites")]
    pub max_age: Option<u16>,
}

impl StatusArgs {
    /// The files to read, and how.
    ///
    /// # Errors
    /// If the day is out of range.
    pub(in crate::cli) fn request(&self) -> Result<ReportFiles, CommandError> {
        Ok(ReportFiles {
            files: self.status.clone(),
            format: self.status_format,
            oldest: days_ago(self.max_age)?,
            archive: None,
        })
    }
}

/// The formats of `--status` by name; CDXJ is read as CDX is.
fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|format| {
        let value = PossibleValue::new(format.as_str());
        if format == Format::Cdx {
            value.alias("cdxj")
        } else {
            value
        }
    });
    PossibleValuesParser::new(names).try_map(|name| {
        let name = if name == "cdxj" { "cdx" } else { &name };
        Format::named(name).ok_or("there is no such format")
    })
}

fn parse_days(argument: &str) -> Result<u16, ValueError> {
    let days = argument.trim_end_matches(['d', 'D']).parse();
    days.map_err(|_| ValueError::Form("it is a number of days from 0 to 65535, such as 30"))
}
