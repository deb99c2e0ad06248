//! The arguments that say how a server answers without rules.

use clap::{Args, ValueEnum};

use super::ADVANCED;
use baseref_findings::Config;
use baseref_server::table::hosting_names;
use baseref_site::hosting::Folder;

/// How a server answers without rules.
#[derive(Debug, Args)]
pub struct HostingArgs {
    /// The server whose rules apply: github-pages, netlify, apache, ...
    ///
    /// It decides which index files there are, what a folder without its final slash answers, and
    /// which extensions can be left out.
    #[arg(long, value_name = "PRESET", value_parser = hosting_names().collect::<Vec<_>>())]
    pub hosting: Option<String>,

    /// The names of index files
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = ADVANCED)]
    pub index: Option<Vec<String>>,

    /// The extensions that can be omitted: `.html,.htm`
    #[arg(long, value_name = "EXT,...", value_delimiter = ',', help_heading = ADVANCED)]
    pub ext: Option<Vec<String>>,

    /// What the server answers for a folder without its final slash
    #[arg(long = "dir", value_name = "ANSWER", help_heading = ADVANCED)]
    pub folder: Option<FolderArg>,

    /// Whether `A` and `a` are different names
    #[arg(long, value_name = "WHETHER", help_heading = ADVANCED)]
    pub case: Option<CaseArg>,
}

impl HostingArgs {
    /// The settings of a configuration that say the same.
    pub fn settings(&self) -> Config {
        let case = self.case.map(|case| match case {
            CaseArg::Sensitive => "sensitive",
            CaseArg::Insensitive => "insensitive",
        });
        let folder = self.folder.map(Folder::from);
        Config {
            hosting: self.hosting.clone(),
            index: self.index.clone(),
            ext: self.ext.clone(),
            dir: folder.map(|folder| folder.as_str().to_owned()),
            case: case.map(str::to_owned),
            ..Config::default()
        }
    }
}

/// `--dir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FolderArg {
    /// A redirect to the URL with a slash
    Redirect,
    /// The index
    Serve,
    /// Not found
    #[value(name = "404")]
    NotFound,
}

impl From<FolderArg> for Folder {
    fn from(argument: FolderArg) -> Self {
        match argument {
            FolderArg::Redirect => Self::Redirect,
            FolderArg::Serve => Self::Serve,
            FolderArg::NotFound => Self::NotFound,
        }
    }
}

/// `--case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CaseArg {
    /// They are
    Sensitive,
    /// They are not
    Insensitive,
}
