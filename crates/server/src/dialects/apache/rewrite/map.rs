//! `RewriteMap`: what `${NAME:KEY|DEFAULT}` stands for.

use std::collections::{BTreeMap, BTreeSet};

use super::super::alias::escape_path;
use super::super::lines::Line;
use super::super::server_root::{ServerRoot, includes_unknown};
use crate::engine::work::NoAnswer;
use crate::included::Included;

/// The longest line of a table, in bytes. The server takes what is beyond for another line.
const MAX_LINE: usize = 1_022;

/// The maps of a configuration, by their names. A virtual host has those of the server only if it
/// inherits them. An `.htaccess` can use those of the server, which are not known.
#[derive(Debug, Default)]
pub(in super::super) struct Maps {
    known: BTreeMap<(Option<usize>, String), Option<Content>>,
    /// The names of all maps, ...
    names: BTreeSet<String>,
    /// ... and of those that are not known.
    unread: BTreeSet<String>,
    /// The virtual hosts that have the maps of the server, too.
    inheriting: BTreeSet<usize>,
    /// How many virtual hosts there are so far, and whether the last one is open.
    hosts: usize,
    is_in_host: bool,
    is_whole: bool,
    server_root: ServerRoot,
}

#[derive(Debug)]
enum Content {
    Function(Function),
    Table(Table),
}

/// A map that is a function of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    ToLower,
    ToUpper,
    Escape,
    Unescape,
}

/// A map that is a file of keys and values.
#[derive(Debug)]
pub(super) struct Table {
    values: BTreeMap<String, String>,
    /// Whether a value is one of several, which the server draws.
    is_random: bool,
}

/// What is known of a map.
pub(super) enum Map<'m> {
    Function(Function),
    Table(&'m Table),
    /// There is none with the name.
    Missing,
    NotKnown,
}

/// The file of a map that is a table, and whether its values are random.
fn table(line: &Line) -> Option<(String, bool)> {
    let words = line.words();
    let [_, source, ..] = &words[..] else {
        return None;
    };
    let (kind, file) = source.split_once(':').unwrap_or(("txt", source));
    match &*kind.to_ascii_lowercase() {
        "txt" => Some((file.to_owned(), false)),
        "rnd" => Some((file.to_owned(), true)),
        _ => None,
    }
}

/// The file of a `RewriteMap` that is a table, as the line names it.
pub(in super::super) fn file_of_map(line: &Line) -> Option<String> {
    table(line).map(|(file, _)| file)
}

impl Maps {
    /// No maps yet; `is_whole` if the lines are the whole configuration.
    pub(in super::super) fn new(is_whole: bool) -> Self {
        Self {
            is_whole,
            ..Self::default()
        }
    }

    /// Adds the map of a line.
    pub(in super::super) fn add(&mut self, line: &Line, included: &Included) {
        self.server_root.add(line);
        self.is_whole &= !includes_unknown(line);
        let host = self.hosts.checked_sub(1).filter(|_| self.is_in_host);
        match &*line.name.to_ascii_lowercase() {
            "<virtualhost" => {
                self.hosts += 1;
                self.is_in_host = true;
            }
            "</virtualhost>" => self.is_in_host = false,
            "rewriteoptions" if line.rest.to_ascii_lowercase().contains("inherit") => {
                self.inheriting.extend(host);
            }
            "rewritemap" => {
                let Some(name) = line.words().into_iter().next() else {
                    return;
                };
                let content = self.content(line, included);
                if content.is_none() {
                    self.unread.insert(name.clone());
                }
                self.names.insert(name.clone());
                self.known.insert((host, name), content);
            }
            _ => {}
        }
    }

    fn content(&self, line: &Line, included: &Included) -> Option<Content> {
        if let Some((file, is_random)) = table(line) {
            let name = self.server_root.relative(&file)?;
            let text = &included.named(&name)?.first()?.text;
            return Some(Content::Table(Table::read(text, is_random)?));
        }
        let function = match &*line.words().into_iter().nth(1)? {
            "int:tolower" => Function::ToLower,
            "int:toupper" => Function::ToUpper,
            "int:escape" => Function::Escape,
            "int:unescape" => Function::Unescape,
            _ => return None,
        };
        Some(Content::Function(function))
    }

    /// The map with a name, for a request that a virtual host answers.
    pub(super) fn get(&self, name: &str, host: Option<usize>) -> Map<'_> {
        let key = |host| (host, name.to_owned());
        let own = self.known.get(&key(host));
        let inherits = host.is_some_and(|host| self.inheriting.contains(&host));
        let outside = || self.known.get(&key(None)).filter(|_| inherits);
        match own.or_else(outside) {
            Some(Some(Content::Function(function))) => Map::Function(*function),
            Some(Some(Content::Table(table))) => Map::Table(table),
            None if self.is_whole => Map::Missing,
            Some(None) | None => Map::NotKnown,
        }
    }

    /// The name of the first map in a text that is not known.
    pub(super) fn unread_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut calls = text.split("${").skip(1);
        calls.find_map(|call| {
            let name = call.split([':', '}']).next()?;
            let is_elsewhere = !self.is_whole && !self.names.contains(name);
            (is_elsewhere || self.unread.contains(name)).then_some(name)
        })
    }
}

impl Table {
    /// Reads the lines of a file; `None` if one of them is too long.
    fn read(text: &str, is_random: bool) -> Option<Self> {
        let mut values = BTreeMap::new();
        for line in text.split('\n') {
            if line.len() > MAX_LINE {
                return None;
            }
            if line.starts_with(|c: char| c == '#' || c.is_ascii_whitespace()) {
                continue;
            }
            let mut words = line.split_ascii_whitespace();
            if let (Some(key), Some(value)) = (words.next(), words.next()) {
                let found = values.entry(key.to_owned());
                found.or_insert_with(|| value.to_owned());
            }
        }
        Some(Self { values, is_random })
    }

    /// The value of a key; an error if it is drawn from several.
    pub(super) fn value(&self, key: &[u8]) -> Result<Option<&str>, NoAnswer> {
        let key = std::str::from_utf8(key).ok();
        let value = key.and_then(|key| self.values.get(key)).map(String::as_str);
        let Some((first, others)) = value
            .filter(|_| self.is_random)
            .and_then(|value| value.split_once('|'))
        else {
            return Ok(value);
        };
        let is_same = others.split('|').all(|other| other == first);
        is_same.then_some(Some(first)).ok_or(NoAnswer)
    }
}

impl Function {
    pub(super) fn value(self, key: &[u8]) -> Vec<u8> {
        match self {
            Self::ToLower => key.to_ascii_lowercase(),
            Self::ToUpper => key.to_ascii_uppercase(),
            Self::Escape => escape_path(key).into_bytes(),
            Self::Unescape => percent_encoding::percent_decode(key).collect(),
        }
    }
}

/// The name, the key and the default of `NAME:KEY|DEFAULT}`, and what follows the brace.
pub(super) fn parts(call: &[u8]) -> Option<Call<'_>> {
    let mut depth = 0_usize;
    let (mut colon, mut bar, mut end) = (None, None, None);
    for (at, byte) in call.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => {
                end = Some(at);
                break;
            }
            b'}' => depth -= 1,
            b':' if depth == 0 && colon.is_none() => colon = Some(at),
            b'|' if depth == 0 && colon.is_some() && bar.is_none() => bar = Some(at),
            _ => {}
        }
    }
    let (colon, end) = (colon?, end?);
    Some(Call {
        name: std::str::from_utf8(&call[..colon]).ok()?,
        key: std::str::from_utf8(&call[colon + 1..bar.unwrap_or(end)]).ok()?,
        default: match bar {
            Some(bar) => std::str::from_utf8(&call[bar + 1..end]).ok()?,
            None => "",
        },
        rest: &call[end + 1..],
    })
}

pub(super) struct Call<'t> {
    pub(super) name: &'t str,
    pub(super) key: &'t str,
    pub(super) default: &'t str,
    pub(super) rest: &'t [u8],
}
