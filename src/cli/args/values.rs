//! The values of options, and how they are parsed.

use std::path::PathBuf;

use baseref_files::globs::{Form, Glob, GlobError};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use encoding_rs::Encoding;
use regex::Regex;

use crate::cli::message;
use baseref_audit::run::did_you_mean_mirror;
use baseref_container::Format;
use baseref_document::link_places::{Class, Classes};
use baseref_findings::nearest::{did_you_mean, nearest};
use baseref_report::bases::BasesFormat;
use baseref_report::column::{Record, Selection, UnknownColumn};
use baseref_report::edges::{self, EdgeError, EdgeFormat};
use baseref_report::groups::GroupBy;
use baseref_report::links::{Links, LinksFormat};
use baseref_report::observables::ObservablesFormat;
use baseref_report::references::ResolveFormat;
use baseref_resolve::Rules;

/// `--resolver`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RulesArg {
    /// RFC 1808 §4 to the letter
    Rfc1808,
    /// RFC 3986 §5.2, strict
    Rfc3986,
    /// The URL Standard, as in browsers
    Whatwg,
}

impl From<RulesArg> for Rules {
    fn from(argument: RulesArg) -> Self {
        match argument {
            RulesArg::Rfc1808 => Self::Rfc1808,
            RulesArg::Rfc3986 => Self::Rfc3986,
            RulesArg::Whatwg => Self::Whatwg,
        }
    }
}

/// `--saved-from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SavedFromArg {
    /// Never; `baseref base` still lists them
    Off,
    /// Use the most trustworthy one, if nothing better is known
    Auto,
}

/// `--input`: `None` is `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputArg(pub Option<Format>);

impl InputArg {
    const ALL: [Self; Format::ALL.len() + 1] = {
        let mut all = [Self(None); Format::ALL.len() + 1];
        let mut place = 1;
        while place < all.len() {
            all[place] = Self(Some(Format::ALL[place - 1].format));
            place += 1;
        }
        all
    };
}

impl ValueEnum for InputArg {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let mut formats = Format::ALL.iter();
        Some(match self.0 {
            None => PossibleValue::new("auto").help("By content, then by extension"),
            Some(format) => {
                let info = formats.find(|info| info.format == format)?;
                PossibleValue::new(info.name).help(sentence(info.what))
            }
        })
    }
}

/// A text of the manual as a line of help: capitalised, and without details.
fn sentence(text: &str) -> String {
    let text = text.split_once(" (").map_or(text, |(text, _)| text);
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// `--format` of `links`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinksFormatArg {
    /// One resolved URL per line
    Url,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line
    Tsv,
    /// Each distinct final URL, host and mail address, as comma-separated values
    Observables,
    /// Observables as a MISP event
    Misp,
    /// Observables as a STIX 2.1 bundle
    Stix,
    /// The number of links by two fields, as comma-separated values source,target,count
    Edges,
    /// The number of links by two fields, as a graph in `GraphML` of up to 100,000 nodes
    Graphml,
    /// Batches of columns, in the Arrow IPC streaming format
    #[cfg(feature = "arrow")]
    Arrow,
}

impl LinksFormatArg {
    /// The form of observables, if it is one.
    pub fn observables(self) -> Option<ObservablesFormat> {
        match self {
            Self::Observables => Some(ObservablesFormat::Csv),
            Self::Misp => Some(ObservablesFormat::Misp),
            Self::Stix => Some(ObservablesFormat::Stix),
            _ => None,
        }
    }

    /// The form of counts by two fields.
    pub fn edges(self) -> EdgeFormat {
        match self {
            Self::Url => EdgeFormat::Text,
            Self::Csv => EdgeFormat::Csv,
            Self::Tsv => EdgeFormat::Tsv,
            Self::Edges => EdgeFormat::Edges,
            Self::Graphml => EdgeFormat::Graphml,
            _ => EdgeFormat::Jsonl,
        }
    }

    /// Whether it is a form of edges alone.
    pub fn is_of_edges(self) -> bool {
        matches!(self, Self::Edges | Self::Graphml)
    }
}

impl From<LinksFormatArg> for LinksFormat {
    fn from(argument: LinksFormatArg) -> Self {
        match argument {
            LinksFormatArg::Url => Self::Url,
            LinksFormatArg::Jsonl => Self::Jsonl,
            // The rows are the same, but batches have a writer of their own.
            #[cfg(feature = "arrow")]
            LinksFormatArg::Arrow => Self::Jsonl,
            // Observables have a writer of their own, too.
            LinksFormatArg::Csv
            | LinksFormatArg::Observables
            | LinksFormatArg::Misp
            | LinksFormatArg::Stix
            | LinksFormatArg::Edges
            | LinksFormatArg::Graphml => Self::Csv,
            LinksFormatArg::Tsv => Self::Tsv,
        }
    }
}

/// `--format` of `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BasesFormatArg {
    /// A table for people
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header line and one line per candidate
    Csv,
    /// The same, separated by tabs
    Tsv,
    /// Batches of columns, in the Arrow IPC streaming format
    #[cfg(feature = "arrow")]
    Arrow,
}

impl From<BasesFormatArg> for BasesFormat {
    fn from(argument: BasesFormatArg) -> Self {
        match argument {
            BasesFormatArg::Text => Self::Text,
            BasesFormatArg::Jsonl => Self::Jsonl,
            // The rows are the same, but batches have a writer of their own.
            #[cfg(feature = "arrow")]
            BasesFormatArg::Arrow => Self::Jsonl,
            BasesFormatArg::Csv => Self::Csv,
            BasesFormatArg::Tsv => Self::Tsv,
        }
    }
}

/// `--format` of `resolve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResolveFormatArg {
    /// One resolved URL per line, an empty line if there is none
    Url,
    /// One JSON object per line
    Jsonl,
}

impl From<ResolveFormatArg> for ResolveFormat {
    fn from(argument: ResolveFormatArg) -> Self {
        match argument {
            ResolveFormatArg::Url => Self::Url,
            ResolveFormatArg::Jsonl => Self::Jsonl,
        }
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// At a terminal, unless `NO_COLOR` is set
    Auto,
    /// Also to files and pipes
    Always,
    /// Never
    Never,
}

/// `--messages`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessagesArg {
    /// Lines for people
    Text,
    /// One JSON object per line: doc, code, severity, line, text
    Jsonl,
}

impl From<MessagesArg> for message::Form {
    fn from(argument: MessagesArg) -> Self {
        match argument {
            MessagesArg::Text => Self::Text,
            MessagesArg::Jsonl => Self::Jsonl,
        }
    }
}

/// The key by which `--group-by` counts links.
#[derive(Clone, Debug)]
pub enum Grouping {
    /// A single key.
    One(GroupBy),
    /// A pair of fields.
    Two(Box<Selection<Links>>),
}

impl Grouping {
    /// The key, if it is a single one.
    pub fn one(self) -> Option<GroupBy> {
        match self {
            Self::One(by) => Some(by),
            Self::Two(_) => None,
        }
    }
}

/// The names of the single keys; any two fields can be combined, too.
pub(super) fn grouping_names() -> Vec<&'static str> {
    GroupBy::ALL.map(GroupBy::as_str).to_vec()
}

/// Why the value of an option cannot be used; the message follows the option.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ValueError {
    /// The value has another form, in words for the user.
    #[error("{0}")]
    Form(&'static str),
    #[error("write it DIR=URL{}", did_you_mean_mirror(.0))]
    UrlMap(String),
    #[error("write it {0}DIR")]
    NoDirectory(&'static str),
    #[error("the directory comes first: --url-map {url}={directory}")]
    UrlFirst { url: String, directory: String },
    #[error("{}", no_class(.0))]
    Class(String),
    #[error("this is not one of {}, nor two fields{}", grouping_names().join(", "), did_you_mean(.0, grouping_names()))]
    Grouping(String),
    #[error("no field `{}`{}", .0, field_meant(.0))]
    Field(String),
    #[error("the Encoding Standard has no encoding with this label{}", did_you_mean(.0, ENCODINGS.map(Encoding::name)))]
    Encoding(String),
    #[error("give the number of threads, from 1 to {}", u16::MAX)]
    Jobs,
    #[error(transparent)]
    Edges(#[from] EdgeError),
}

pub(super) fn parse_grouping(argument: &str) -> Result<Grouping, ValueError> {
    if argument.contains(',') {
        return Ok(Grouping::Two(Box::new(edges::by(argument)?)));
    }
    let one = GroupBy::ALL.into_iter().find(|by| by.as_str() == argument);
    one.map(Grouping::One)
        .ok_or_else(|| ValueError::Grouping(argument.to_owned()))
}

/// `--url-map`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UrlMap {
    /// Files below the directory were retrieved from URLs below the URL.
    Below(PathBuf, String),
    /// Files below the directory are `HOST/PATH`, retrieved with that scheme.
    Mirror(PathBuf, &'static str),
    /// Files below the directory are a mirror by HTTrack, with its log.
    HtTrack(PathBuf),
}

pub(in crate::cli) fn parse_classes(list: &str) -> Result<Classes, ValueError> {
    list.split(',')
        .try_fold(Classes::default(), |classes, name| match name {
            "all" => Ok(Classes::ALL),
            "anchors" => Ok(classes.with(Class::Anchor)),
            _ => Class::ALL
                .into_iter()
                .find(|class| class.as_str() == name)
                .map(|class| classes.with(class))
                .ok_or_else(|| ValueError::Class(name.to_owned())),
        })
}

/// A URL that a document can have been retrieved from, which must be absolute.
pub(in crate::cli) fn parse_url(url: &str) -> Result<String, ValueError> {
    match baseref_resolve::resolve(Rules::Rfc1808, None, url) {
        Ok(url) => Ok(url),
        Err(_) => Err(ValueError::Form(
            "a retrieval URL must be absolute, such as http://host/path",
        )),
    }
}

pub(super) fn parse_url_map(map: &str) -> Result<UrlMap, ValueError> {
    let mirror = |prefix| match map.strip_prefix(prefix)? {
        "" => Some(Err(ValueError::NoDirectory(prefix))),
        directory => Some(Ok(PathBuf::from(directory))),
    };
    for (prefix, scheme) in [
        ("wget:", "https"),
        ("wget+http:", "http"),
        ("wayback:", "http"),
    ] {
        if let Some(directory) = mirror(prefix) {
            return Ok(UrlMap::Mirror(directory?, scheme));
        }
    }
    if let Some(directory) = mirror("httrack:") {
        return Ok(UrlMap::HtTrack(directory?));
    }
    let (directory, url) = map
        .split_once('=')
        .ok_or_else(|| ValueError::UrlMap(map.to_owned()))?;
    if directory.is_empty() {
        let text = "write it DIR=URL; `.` is the current directory";
        return Err(ValueError::Form(text));
    }
    if directory.contains("://") {
        return Err(ValueError::UrlFirst {
            url: url.to_owned(),
            directory: directory.to_owned(),
        });
    }
    Ok(UrlMap::Below(PathBuf::from(directory), parse_url(url)?))
}

pub(in crate::cli) fn parse_encoding(label: &str) -> Result<&'static Encoding, ValueError> {
    let found = Encoding::for_label(label.as_bytes());
    found.ok_or_else(|| ValueError::Encoding(label.to_owned()))
}

/// The encodings that unlabelled pages and mail most often have.
const ENCODINGS: [&Encoding; 22] = [
    encoding_rs::UTF_8,
    encoding_rs::UTF_16LE,
    encoding_rs::UTF_16BE,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1251,
    encoding_rs::WINDOWS_1252,
    encoding_rs::WINDOWS_1253,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1255,
    encoding_rs::WINDOWS_1256,
    encoding_rs::WINDOWS_1257,
    encoding_rs::WINDOWS_1258,
    encoding_rs::WINDOWS_874,
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_15,
    encoding_rs::KOI8_R,
    encoding_rs::SHIFT_JIS,
    encoding_rs::EUC_JP,
    encoding_rs::ISO_2022_JP,
    encoding_rs::EUC_KR,
    encoding_rs::GBK,
    encoding_rs::BIG5,
];

/// The values for other words that people try.
const MEANT: &[(&str, &[&str])] = &[
    (
        "resource",
        &[
            "image", "img", "picture", "script", "style", "css", "video", "media", "src",
        ],
    ),
    ("document", &["frame", "iframe", "page"]),
    ("anchors", &["a", "href", "link", "hyperlink"]),
    ("metadata", &["meta"]),
    ("all", &["any", "every"]),
];

/// The values of `--links`.
pub(in crate::cli) fn class_names() -> Vec<&'static str> {
    let classes = Class::ALL.map(Class::as_str);
    ["anchors", "all"].into_iter().chain(classes).collect()
}

fn no_class(name: &str) -> String {
    let singular = name.strip_suffix('s').unwrap_or(name);
    let meant = MEANT
        .iter()
        .find(|(_, words)| words.contains(&singular) || words.contains(&name))
        .map(|(class, _)| *class)
        .or_else(|| {
            Class::ALL
                .map(Class::as_str)
                .into_iter()
                .find(|class| *class == singular)
        })
        .or_else(|| nearest(name, class_names()));
    let known: Vec<&str> = Class::ALL.iter().map(|class| class.as_str()).collect();
    let meant = meant.map(|class| format!(": write `{class}`"));
    format!(
        "no class `{name}`{}; there are anchors, all, {}",
        meant.unwrap_or_default(),
        known.join(", ")
    )
}

pub(super) fn parse_jobs(number: &str) -> Result<u16, ValueError> {
    match number.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(ValueError::Jobs),
    }
}

pub(in crate::cli) fn parse_regex(expression: &str) -> Result<Regex, regex::Error> {
    Regex::new(expression)
}

pub(super) fn parse_host(pattern: &str) -> Result<Glob, GlobError> {
    Glob::new(pattern, Form::Host)
}

/// Checks a pattern of names, perhaps with a leading `!`; it is compiled later together with the
/// others.
pub(in crate::cli) fn parse_glob(pattern: &str) -> Result<String, GlobError> {
    let glob = pattern.strip_prefix('!').unwrap_or(pattern);
    Glob::new(glob, Form::Path)?;
    Ok(pattern.to_owned())
}

pub(super) fn parse_fields(list: &str) -> Result<Selection<Links>, ValueError> {
    Selection::parse(list).map_err(|UnknownColumn(name)| ValueError::Field(name))
}

fn field_meant(name: &str) -> String {
    let known = || Links::COLUMNS.iter().map(|column| column.name);
    // `date` is the end of `doc_date`, although its edit distance to `base` is smaller.
    let ends_so = |known: &&str| {
        known
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with('_'))
    };
    match known().find(ends_so) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => did_you_mean(name, known()),
    }
}
