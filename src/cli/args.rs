//! What the user typed, and its turning into library values; clap stops here.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use encoding_rs::Encoding;

use super::audit_args::AuditArgs;
use crate::container::detect;
use crate::options::Policy;
use crate::report::bases::BasesFormat;
use crate::report::links::LinksFormat;
use crate::report::references::ResolveFormat;
use crate::resolve::Rules;
use crate::slots::{Class, Classes};

const ABOUT: &str = "Finds the base URL of saved HTML and mail, and resolves every link against it";

const LONG_ABOUT: &str = "\
Finds the base URL of saved HTML and mail, and resolves every link against it.

The base of a document is, by RFC 1808 §3, the first of these that there is:
  1. element    the <base href> in the HTML
  2. header     Base:, Content-Base: or Content-Location: in the headings of the
                message around it, from its own part outwards
  3. retrieval  the URL it was retrieved from: --url, --url-map, or the record
                that a saved page keeps of it
  4. none       absolute links resolve, relative ones have no URL

Nothing is ever fetched. `baseref PATH...` alone means `baseref links PATH...`.";

const AFTER_HELP: &str = "\
Exit codes:
  0  done
  2  bad usage, or the output could not be written
  3  some input could not be read (the rest was done; standard error says what)

Examples:
  baseref page.html -u http://example.org/dir/page.html
  baseref links --links all --format jsonl mail.eml
  baseref base archive.mbox
  baseref resolve http://a/b/c/d ../g '?y'";

const LINKS_EXAMPLES: &str = "\
Examples:
  The links of a page that was saved from http://example.org/dir/page.html:
    baseref links -u http://example.org/dir/page.html page.html
  Every link of a mailbox, images and forms included, with its place:
    baseref links --links all -f jsonl box.mbox
  What a mailing list says of itself, and the URLs in the plain text of its mail:
    baseref links --links header,text list.mbox
  A saved site, every file below ./site from http://example.org/, each URL once:
    baseref links --url-map site=http://example.org/ --unique site
  Pages that browsers and other programs saved, by the marks that these left:
    baseref links --saved-from auto saved
  A page from the Wayback Machine, its links as they were before:
    baseref links --unwrap-archive page.html
  The same links as a browser has them:
    baseref links --resolver whatwg page.html
  Only frames and forms, as a table for a spreadsheet:
    baseref links --links document,form -f csv -o links.csv page.html
  Files that another program lists, on two threads, URLs ended by NUL:
    find . -name '*.eml' | baseref links --files-from - -j 2 -0 | xargs -0 -n1 echo
  How many of these pages had to be read by their tree, and why?
    baseref links --stats site >links.txt
  A page on standard input, in an encoding it does not declare:
    baseref links --input html --encoding windows-1251 - <page.html";

const BASE_EXAMPLES: &str = "\
Examples:
  Which base has each part of this mail, and who said so?
    baseref base mail.eml
  The same for programs, every candidate of every layer with its verdict:
    baseref base -f jsonl mail.eml
  Where does this page say that it was saved from, and would that give its base?
    baseref base --saved-from auto page.html
  Only what RFC 1808 itself knows: Base: <URL:...> and absolute <base href>:
    baseref base --strict mail.eml";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  baseref resolve http://a/b/c/d ../g           http://a/b/g
  baseref resolve '' ../g                       no base: an empty line, exit code 0
  baseref resolve --compare http://a/b '?' '../../g' '//h:80'
  printf '%s\\n' g ../g | baseref resolve -f jsonl http://a/b/c/d";

const AUDIT_EXAMPLES: &str = "\
Exit codes:
  0  nothing of the level of --fail-on was found
  1  something was
  2  bad usage, or an output could not be written
  3  something could not be read (the reports are written; this comes before 1)

Examples:
  Which targets are missing in this tree, and who links to them?
    baseref audit public
  The same for a tree that is served under https://www.example.com/docs/:
    baseref audit public --url-map public=https://www.example.com/docs/
  On GitHub Pages, for GitHub's code scanning, and as a page for people:
    baseref audit public --hosting github-pages --out sarif=links.sarif --out html=links.html
  Only what is new since yesterday:
    baseref audit public --baseline known.jsonl
  What is this rule about?
    baseref audit --explain base/retargets-fragment";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "baseref", version, about = ABOUT, long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print every link of the documents, resolved
    #[command(after_help = LINKS_EXAMPLES)]
    Links(LinksArgs),
    /// Print the base URL of each document and how it was found
    #[command(after_help = BASE_EXAMPLES)]
    Base(BaseArgs),
    /// Check whether every link of a saved tree leads where its author thinks
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(Box<AuditArgs>),
    /// Resolve references against a base, without any document
    #[command(after_help = RESOLVE_EXAMPLES)]
    Resolve(ResolveArgs),
}

/// `baseref links`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags that are typed or not, each whatever the others are"
)]
pub struct LinksArgs {
    /// What is read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: LinksFormatArg,

    /// The links to print: `anchors` (a, area), `all`, or classes: anchor, resource,
    /// document, form, metadata; of messages also header (List-Help, Archived-At...) and text
    /// (plain text)
    #[arg(long, value_name = "CLASS,...", default_value = "anchors", value_parser = parse_classes)]
    pub links: Classes,

    /// Take the links in conditional comments as well (`<!--[if mso]>`, in which Outlook has its
    /// own)
    #[arg(long)]
    pub comments: bool,

    /// Print only the first link with each URL; links without a URL are all kept
    #[arg(long)]
    pub unique: bool,

    /// Print links to captures in web archives of the Wayback kind as the URL that was captured
    #[arg(long)]
    pub unwrap_archive: bool,

    /// Say on standard error how the documents were read: in the order of their tags, or by
    /// their tree and why
    #[arg(long)]
    pub stats: bool,

    /// End each URL with NUL instead of a newline (only with the format `url`)
    #[arg(short = '0')]
    pub nul: bool,
}

/// `baseref base`.
#[derive(Debug, Args)]
pub struct BaseArgs {
    /// What is read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub format: BasesFormatArg,
}

/// What `links` and `base` share.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// Files, directories (walked in byte order of names, taking what is recognised), or `-`
    /// for standard input
    #[arg(value_name = "PATH|-")]
    pub paths: Vec<PathBuf>,

    /// The URL that the inputs were retrieved from (RFC 1808 §3.3)
    #[arg(short, long, value_name = "URL", value_parser = parse_url)]
    pub url: Option<String>,

    /// A file below DIR was retrieved from URL + its path, percent-encoded; the longest DIR
    /// wins, and --url wins over all
    #[arg(long, value_name = "DIR=URL", value_parser = parse_url_map)]
    pub url_map: Vec<(PathBuf, String)>,

    /// Use the source URL recorded by the program that saved the page, when no better one is known
    #[arg(long, value_name = "WHETHER", default_value = "off")]
    pub saved_from: SavedFromArg,

    /// The rule set that resolves references
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// Take a base only in the form that RFC 1808 gives it: absolute, in headings
    /// `Base: <URL:...>`
    #[arg(long)]
    pub strict: bool,

    /// What the inputs are
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub input: InputArg,

    /// The character encoding of the documents, over what they declare themselves (a byte
    /// order mark aside)
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding)]
    pub encoding: Option<&'static Encoding>,

    /// Write the output to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How many threads work; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Read more paths from FILE, one a line or each ended by NUL; `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    pub files_from: Option<PathBuf>,
}

/// `baseref resolve`.
#[derive(Debug, Args)]
pub struct ResolveArgs {
    /// The base URL; empty for none (RFC 1808 §3.4)
    pub base: String,

    /// The references; without any they are read from standard input, one a line
    #[arg(value_name = "REF")]
    pub references: Vec<String>,

    /// The rule set that resolves references
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: ResolveFormatArg,

    /// Print what each rule set makes of the references, side by side, and mark with `!`
    /// where they differ
    #[arg(long, conflicts_with = "resolver")]
    pub compare: bool,
}

/// `--resolver`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RulesArg {
    /// RFC 1808 §4 to the letter
    Rfc1808,
    /// RFC 3986 §5.2, strict
    Rfc3986,
    /// The URL Standard, as browsers do
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
    /// Never; `baseref base` lists them all the same
    Off,
    /// The one most to be trusted, where nothing better is known
    Auto,
}

/// `--input`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum InputArg {
    /// By content, then by extension
    Auto,
    /// An HTML document
    Html,
    /// An XHTML document, by the rules of XML
    Xhtml,
    /// An SVG image
    Svg,
    /// One message
    Eml,
    /// A mailbox of messages
    Mbox,
    /// A page saved as one message
    Mhtml,
    /// A message of Apple Mail
    Emlx,
    /// Messages in the files of directories `cur` and `new`
    Maildir,
    /// A page saved by Safari
    Webarchive,
    /// Pages in a zip, also as MAFF
    Zip,
    /// An HTTP response, heading and body
    Http,
    /// A web archive
    Warc,
    /// A web archive of the form before WARC
    Arc,
}

impl From<InputArg> for Option<detect::Format> {
    fn from(argument: InputArg) -> Self {
        match argument {
            InputArg::Auto => None,
            InputArg::Html => Some(detect::Format::Html),
            InputArg::Xhtml => Some(detect::Format::Xhtml),
            InputArg::Svg => Some(detect::Format::Svg),
            InputArg::Eml => Some(detect::Format::Eml),
            InputArg::Mbox => Some(detect::Format::Mbox),
            InputArg::Mhtml => Some(detect::Format::Mhtml),
            InputArg::Emlx => Some(detect::Format::Emlx),
            InputArg::Maildir => Some(detect::Format::Maildir),
            InputArg::Webarchive => Some(detect::Format::Webarchive),
            InputArg::Zip => Some(detect::Format::Zip),
            InputArg::Http => Some(detect::Format::Http),
            InputArg::Warc => Some(detect::Format::Warc),
            InputArg::Arc => Some(detect::Format::Arc),
        }
    }
}

/// `--format` of `links`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LinksFormatArg {
    /// One resolved URL a line
    Url,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line
    Tsv,
}

impl From<LinksFormatArg> for LinksFormat {
    fn from(argument: LinksFormatArg) -> Self {
        match argument {
            LinksFormatArg::Url => Self::Url,
            LinksFormatArg::Jsonl => Self::Jsonl,
            LinksFormatArg::Csv => Self::Csv,
            LinksFormatArg::Tsv => Self::Tsv,
        }
    }
}

/// `--format` of `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BasesFormatArg {
    /// A table for people
    Text,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header line, one line for each candidate
    Csv,
    /// The same with tabs
    Tsv,
}

impl From<BasesFormatArg> for BasesFormat {
    fn from(argument: BasesFormatArg) -> Self {
        match argument {
            BasesFormatArg::Text => Self::Text,
            BasesFormatArg::Jsonl => Self::Jsonl,
            BasesFormatArg::Csv => Self::Csv,
            BasesFormatArg::Tsv => Self::Tsv,
        }
    }
}

/// `--format` of `resolve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResolveFormatArg {
    /// One resolved URL a line, an empty line where there is none
    Url,
    /// One JSON object a line
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

impl ReadingArgs {
    /// How bases are chosen.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy {
            rules: self.resolver.into(),
            strict: self.strict,
            marks: self.saved_from == SavedFromArg::Auto,
        }
    }
}

impl CommandLine {
    /// Reads the arguments, the program's name first.
    ///
    /// # Errors
    /// clap's, with its text and exit code: bad usage, or the help that was asked for.
    pub fn from_arguments(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        // `baseref PATH...` alone means `baseref links PATH...`.
        if arguments
            .get(1)
            .is_some_and(|first| !is_of_the_program(first))
        {
            arguments.insert(1, "links".into());
        }
        let parsed = Self::try_parse_from(arguments)?;
        parsed.check()?;
        Ok(parsed)
    }

    /// What clap's declarations cannot say.
    fn check(&self) -> Result<(), clap::Error> {
        if let Command::Links(links) = &self.command
            && links.nul
            && links.format != LinksFormatArg::Url
        {
            return Err(clap::Error::raw(
                clap::error::ErrorKind::ArgumentConflict,
                "-0 goes with the format `url` only\n",
            ));
        }
        Ok(())
    }
}

/// Whether a first argument is a subcommand, or an option that belongs to none: clap knows them.
fn is_of_the_program(first: &OsStr) -> bool {
    let mut program = CommandLine::command();
    program.build();
    let is_subcommand = program.find_subcommand(first).is_some();
    let is_option = program.get_arguments().any(|option| {
        let long = option.get_long().map(|long| format!("--{long}"));
        let short = option.get_short().map(|short| format!("-{short}"));
        long.is_some_and(|long| first == long.as_str())
            || short.is_some_and(|short| first == short.as_str())
    });
    is_subcommand || is_option
}

pub(super) fn parse_classes(list: &str) -> Result<Classes, String> {
    list.split(',')
        .try_fold(Classes::default(), |classes, name| match name {
            "all" => Ok(Classes::ALL),
            "anchors" => Ok(classes.with(Class::Anchor)),
            _ => Class::ALL
                .into_iter()
                .find(|class| class.as_str() == name)
                .map(|class| classes.with(class))
                .ok_or_else(|| {
                    let known: Vec<&str> = Class::ALL.iter().map(|class| class.as_str()).collect();
                    format!(
                        "no class `{name}`; there are anchors, all, {}",
                        known.join(", ")
                    )
                }),
        })
}

/// A URL that a document can have been retrieved from: absolute.
fn parse_url(url: &str) -> Result<String, String> {
    match crate::resolve::resolve(Rules::Rfc1808, None, url) {
        Ok(url) => Ok(url),
        Err(_) => Err("a retrieval URL must be absolute, as http://host/path".to_owned()),
    }
}

fn parse_url_map(map: &str) -> Result<(PathBuf, String), String> {
    let (directory, url) = map.split_once('=').ok_or("write it DIR=URL")?;
    if directory.is_empty() {
        return Err("write it DIR=URL; `.` is the current directory".to_owned());
    }
    Ok((PathBuf::from(directory), parse_url(url)?))
}

pub(super) fn parse_encoding(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes())
        .ok_or_else(|| format!("the Encoding Standard has no encoding with the label `{label}`"))
}
