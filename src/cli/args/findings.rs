//! The arguments shared by the checking commands: which findings count, and where they go.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::values::ValueError;
use super::{ADVANCED, ColorArg, SuggestingParser};
use baseref_audit as audit;
use baseref_findings::nearest::nearest;
use baseref_findings::{Level, RULES};
use baseref_migration as relocate;
use baseref_report::findings::Format;
use baseref_server::Dialect;
use baseref_server::table::markdown;

/// Which findings count, and how they are reported.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct FindingsArgs {
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = Format::default().as_str(), value_parser = formats())]
    pub format: Format,

    /// Write the output to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write FILE as sarif, html, seeds, ...
    ///
    /// The formats are those of -f; of an audit also seeds (what a crawl should fetch next),
    /// seeds.all (the same, and captured images in other resolutions), seeds.csv (with who needs it)
    /// and pages.csv (how complete each captured page is); of a move also urlmap, recheck and
    /// redirects.DIALECT. Can be repeated.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = parse_out, help_heading = "Findings")]
    pub out: Vec<(OutFormat, PathBuf)>,

    /// Show this level and above [default: --fail-on]
    ///
    /// Other findings are only counted.
    #[arg(long, value_name = "LEVEL", help_heading = "Findings")]
    pub level: Option<LevelArg>,

    /// Exit with 1 on findings of this level and above
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "error",
        help_heading = "Findings"
    )]
    pub fail_on: FailOnArg,

    /// Set the level of rules: 'syntax/*=note', or `off`
    ///
    /// ID is a rule or a glob. Any other level turns on a rule that is off by default (see
    /// --list-rules): `syntax/bnf=warning`. Can be repeated.
    #[arg(long, value_name = "ID=LEVEL", help_heading = "Findings", hide_possible_values = true, value_parser = rule())]
    pub rule: Vec<String>,

    /// Ignore findings: 'target/*:news/old.html'
    ///
    /// RULE is a rule or a glob. With `:URL` only links to such a URL are meant, with `@DOC` only
    /// links in such documents; both are globs.
    #[arg(
        long,
        value_name = "RULE[:URL]",
        hide_possible_values = true,
        value_parser = rule(),
        help_heading = "Findings"
    )]
    pub allow: Vec<String>,

    /// The configuration file [default: baseref.toml, if it exists]
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    pub config: Option<PathBuf>,

    /// Ignore the known findings in FILE (see --write-baseline)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Fail if a finding of the baseline no longer occurs
    #[arg(long, requires = "baseline", help_heading = ADVANCED)]
    pub baseline_strict: bool,

    /// Write the findings to FILE, for --baseline
    #[arg(long, value_name = "FILE", help_heading = "Findings")]
    pub write_baseline: Option<PathBuf>,

    /// Name the sources of generated pages: 'public/(.*)\.html=content/$1.md'
    ///
    /// Can be repeated. A page that names its source needs no such rule: by the attributes
    /// `data-source-line`, `data-sourcepos` and `data-source-file`, a link to edit it, Sphinx's
    /// `_sources`, or `<meta name="source">`. The link is looked for in the source.
    #[arg(long, value_name = "REGEX=TEMPLATE", help_heading = "Findings")]
    pub source_map: Vec<String>,

    /// Show every finding by itself, not grouped by target
    #[arg(long, help_heading = "Findings")]
    pub no_group: bool,

    /// Show the N largest groups, or `all`
    #[arg(long, value_name = "N", default_value = "50", value_parser = parse_groups, help_heading = "Findings")]
    pub groups: GroupLimit,

    /// Write at most N results to a SARIF file, the most severe first
    #[arg(long, value_name = "N", default_value_t = 5000, help_heading = ADVANCED)]
    pub sarif_max: usize,

    /// Write URLs, hosts and addresses so that no program makes links of them: `hxxp://example[.]org/`
    #[arg(long, conflicts_with = "live_links", help_heading = "Findings")]
    pub defang: bool,

    /// Let the HTML report link to the URLs of findings
    #[arg(long, help_heading = ADVANCED)]
    pub live_links: bool,

    /// Date to print in the HTML report, any text
    ///
    /// The clock is not used, so that equal runs write equal reports.
    #[arg(long, value_name = "TEXT", help_heading = ADVANCED)]
    pub report_date: Option<String>,

    /// On standard error, print only what could not be read
    #[arg(short, long, conflicts_with = "verbose", help_heading = ADVANCED)]
    pub quiet: bool,

    /// Print everything: what the totals count, and on standard error each skipped file
    #[arg(short, long, help_heading = ADVANCED)]
    pub verbose: bool,

    /// Use colors [auto: at a terminal, unless `NO_COLOR` is set]
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = ADVANCED)]
    pub color: ColorArg,

    /// List the rules and exit
    #[arg(long, help_heading = "Findings")]
    pub list_rules: bool,

    /// Explain a rule and exit
    #[arg(long, value_name = "ID", help_heading = "Findings", hide_possible_values = true, value_parser = rule())]
    pub explain: Option<String>,
}

impl FindingsArgs {
    /// Whether there is an output in that format.
    #[must_use]
    pub fn has_output(&self, format: Format) -> bool {
        let mut others = self.out.iter();
        self.format == format || others.any(|(other, _)| *other == OutFormat::Report(format))
    }
}

/// `--level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelArg {
    /// Broken
    Error,
    /// Works by chance, or only in some programs
    Warning,
    /// Worth knowing
    Note,
}

impl From<LevelArg> for Level {
    fn from(argument: LevelArg) -> Self {
        match argument {
            LevelArg::Error => Self::Error,
            LevelArg::Warning => Self::Warning,
            LevelArg::Note => Self::Note,
        }
    }
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnArg {
    /// An error
    Error,
    /// A warning or an error
    Warning,
    /// Anything
    Note,
    /// Nothing
    Never,
}

impl From<FailOnArg> for Option<Level> {
    fn from(argument: FailOnArg) -> Self {
        match argument {
            FailOnArg::Error => Some(Level::Error),
            FailOnArg::Warning => Some(Level::Warning),
            FailOnArg::Note => Some(Level::Note),
            FailOnArg::Never => None,
        }
    }
}

/// `--groups`: a maximum, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimit(pub Option<usize>);

fn parse_groups(argument: &str) -> Result<GroupLimit, ValueError> {
    if argument == "all" {
        return Ok(GroupLimit(None));
    }
    let number = argument.parse();
    number
        .map(|number| GroupLimit(Some(number)))
        .map_err(|_| ValueError::Form("this is neither a number nor `all`"))
}

/// What `--out` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutFormat {
    /// The findings.
    Report(Format),
    /// For a move: where each old address leads.
    UrlMap,
    /// For a move: the missing rules.
    Redirects(Dialect),
    /// For a move: the URLs to be measured again after the launch.
    Recheck,
    /// For an audit: the URLs that captured pages need and that were not captured, for a crawler.
    Seeds,
    /// For an audit: the same URLs, and those of captured images in other resolutions.
    AllSeeds,
    /// For an audit: the URLs that captured pages need, with these pages.
    SeedsCsv,
    /// For an audit: how complete each captured page is.
    PagesCsv,
}

/// The formats of a report by name, each with a description.
fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|form| PossibleValue::new(form.as_str()).help(form.about()));
    PossibleValuesParser::new(names)
        .try_map(|name| Format::from_name(&name).ok_or("there is no such format"))
}

/// A rule, or a rule with its level; which of them a command has is seen when it knows its rules.
fn rule() -> impl TypedValueParser<Value = String> {
    let names = || {
        let lists = [audit::rules::ALL, relocate::rules::ALL, RULES];
        lists.into_iter().flatten().map(|rule| rule.id).collect()
    };
    let parser = StringValueParser::new();
    SuggestingParser { parser, names }
}

/// The long help of `--redirects`, which lists every dialect.
pub fn redirects_help(about: &str, more: &str) -> String {
    format!(
        "{about}\n\nFILE is `DIALECT:FILE`, or a file whose name shows its dialect. The dialects are {}; \
         `htaccess:FILE@/folder/` gives the folder of an .htaccess file.{more}",
        markdown::dialect_names()
    )
}

/// Why the value of `--out` cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum OutError {
    #[error("this is not of the form FORMAT=FILE")]
    Form,
    #[error("no format `{}`{}", .0, meant_or_known(.0))]
    Format(String),
}

fn parse_out(argument: &str) -> Result<(OutFormat, PathBuf), OutError> {
    let (name, file) = argument
        .split_once('=')
        .filter(|(_, file)| !file.is_empty())
        .ok_or(OutError::Form)?;
    let report = Format::from_name(name);
    let dialect = name.strip_prefix("redirects.");
    let format = match (report, dialect.and_then(Dialect::from_name)) {
        (Some(format), _) => OutFormat::Report(format),
        (None, Some(dialect)) => OutFormat::Redirects(dialect),
        (None, None) if name == "urlmap" => OutFormat::UrlMap,
        (None, None) if name == "recheck" => OutFormat::Recheck,
        (None, None) if name == "seeds" => OutFormat::Seeds,
        (None, None) if name == "seeds.all" => OutFormat::AllSeeds,
        (None, None) if name == "seeds.csv" => OutFormat::SeedsCsv,
        (None, None) if name == "pages.csv" => OutFormat::PagesCsv,
        (None, None) => return Err(OutError::Format(name.to_owned())),
    };
    Ok((format, file.into()))
}

fn meant_or_known(name: &str) -> String {
    let known = Format::ALL.map(Format::as_str);
    let others = [
        "urlmap",
        "recheck",
        "seeds",
        "seeds.all",
        "seeds.csv",
        "pages.csv",
    ];
    let redirects: Vec<String> = Dialect::names()
        .map(|dialect| format!("redirects.{dialect}"))
        .collect();
    let all = known.into_iter().chain(others);
    let all = all.chain(redirects.iter().map(String::as_str));
    match nearest(&name.replace(':', "."), all) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!(
            "; there are {}; of an audit seeds, seeds.all, seeds.csv and pages.csv; and of a move urlmap, \
             recheck and redirects.DIALECT",
            known.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_format_and_file() {
        assert_eq!(
            parse_out("sarif=a=b.sarif"),
            Ok((OutFormat::Report(Format::Sarif), "a=b.sarif".into()))
        );
        for wrong in ["sarif", "sarif=", "url=x", "=x"] {
            assert!(parse_out(wrong).is_err(), "{wrong}");
        }
    }
}
