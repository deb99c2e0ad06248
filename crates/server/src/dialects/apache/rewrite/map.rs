//! `RewriteMap`: what `${NAME:KEY|DEFAULT}` stands for.

use std::collections::BTreeMap;

use super::super::alias::escape_path;
use super::super::lines::Line;

/// The maps of a configuration, by their names. An `.htaccess` can use those of the server, which are
/// not known.
#[derive(Debug, Default)]
pub(in super::super) struct Maps {
    known: BTreeMap<String, Option<Function>>,
    is_whole: bool,
}

/// A map that is a function of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    ToLower,
    ToUpper,
    Escape,
    Unescape,
}

/// What is known of a map.
pub(super) enum Map {
    Function(Function),
    /// There is none with the name.
    Missing,
    NotKnown,
}

impl Maps {
    /// No maps yet; `is_whole` if the lines are the whole configuration.
    pub(in super::super) fn new(is_whole: bool) -> Self {
        Self {
            known: BTreeMap::new(),
            is_whole,
        }
    }

    /// Adds the map of a line.
    pub(in super::super) fn add(&mut self, line: &Line) {
        if !line.name.eq_ignore_ascii_case("rewritemap") {
            return;
        }
        if let [name, to, ..] = &line.words()[..] {
            let function = match &**to {
                "int:tolower" => Some(Function::ToLower),
                "int:toupper" => Some(Function::ToUpper),
                "int:escape" => Some(Function::Escape),
                "int:unescape" => Some(Function::Unescape),
                _ => None,
            };
            self.known.insert(name.clone(), function);
        }
    }

    pub(super) fn get(&self, name: &str) -> Map {
        match self.known.get(name) {
            Some(Some(function)) => Map::Function(*function),
            None if self.is_whole => Map::Missing,
            Some(None) | None => Map::NotKnown,
        }
    }

    /// The name of the first map in a text that is not known.
    pub(super) fn unread_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut calls = text.split("${").skip(1);
        calls.find_map(|call| {
            let name = call.split([':', '}']).next()?;
            matches!(self.get(name), Map::NotKnown).then_some(name)
        })
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
