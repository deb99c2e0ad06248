//! Templates filled with the values of variables, maps and captures.

use super::content::Map;
use super::escape;
use super::root::{DOCUMENT_ROOT, OUTSIDE, Root};
use super::run::Run;
use super::server::Name;
use super::template::{Piece, Template};
use crate::engine::pattern::Groups;
use crate::engine::work::{Limit, NoAnswer};
use crate::rule::Answer;

/// The maximum nesting depth of maps in the values of maps.
const MAX_MAP_DEPTH: usize = 16;

impl<'n> Run<'n, '_> {
    pub(super) fn capture(&mut self, groups: &Groups, text: &[u8]) {
        self.captures = (0..groups.len())
            .map(|number| groups.get(number, text).to_vec())
            .collect();
        for (name, number) in groups.names() {
            let value = groups.get(*number, text).to_vec();
            self.variables.insert(name.clone(), value);
        }
    }

    pub(super) fn fill(
        &mut self,
        template: &Template,
        line: usize,
        depth: usize,
    ) -> Result<Vec<u8>, Answer> {
        let mut out = Vec::new();
        for piece in &template.pieces {
            self.take_text(&out, line)?;
            self.push(piece, &mut out, line, depth)?;
        }
        self.take_text(&out, line)?;
        Ok(out)
    }

    /// Adds the value of a piece to a text.
    pub(super) fn push(
        &mut self,
        piece: &Piece,
        out: &mut Vec<u8>,
        line: usize,
        depth: usize,
    ) -> Result<(), Answer> {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
            Piece::Capture(number) => out.extend_from_slice(self.captured(*number)),
            Piece::Variable(name) => out.extend(self.variable(name, line, depth)?),
        }
        Ok(())
    }

    /// The text of a group of the last pattern, empty if there is none.
    pub(super) fn captured(&self, number: usize) -> &[u8] {
        self.captures.get(number).map_or(&[], Vec::as_slice)
    }

    /// Charges for a piece and for the length of the text so far.
    pub(super) fn take_text(&self, text: &[u8], line: usize) -> Result<(), Answer> {
        let taken = self.work.take(1);
        let taken = taken.and_then(|()| self.work.take_text(text.len()));
        taken.map_err(|NoAnswer| Answer::Unknown { line })
    }

    /// Fills in a template of a `rewrite`, in which captures from an escaped address are escaped again.
    pub(super) fn fill_escaped(
        &mut self,
        template: &Template,
        line: usize,
        escapes: bool,
    ) -> Result<Vec<u8>, Answer> {
        let has_marks = self.request.path.contains(['%', '+']);
        let mut out = Vec::new();
        for piece in &template.pieces {
            self.take_text(&out, line)?;
            match piece {
                Piece::Capture(number) if escapes && has_marks => {
                    out.extend(escape::args(self.captured(*number)));
                }
                piece => self.push(piece, &mut out, line, 0)?,
            }
        }
        self.take_text(&out, line)?;
        Ok(out)
    }

    pub(super) fn variable(
        &mut self,
        name: &str,
        line: usize,
        depth: usize,
    ) -> Result<Vec<u8>, Answer> {
        Ok(match name {
            "uri" | "document_uri" => self.uri.clone(),
            "args" | "query_string" => self.args.clone(),
            "is_args" => if self.args.is_empty() { "" } else { "?" }.into(),
            "request_filename" => match self.file_of(&self.uri.clone()) {
                Ok(path) => [DOCUMENT_ROOT.as_bytes(), &path].concat(),
                Err(_) => OUTSIDE.into(),
            },
            "document_root" | "realpath_root" => {
                let at = self.at;
                match &at.root {
                    Root::Site => DOCUMENT_ROOT.into(),
                    Root::Below(folder) => [DOCUMENT_ROOT, folder].concat().into(),
                    Root::Alias(alias) => {
                        let path = self.fill(&alias.to, line, depth)?;
                        [DOCUMENT_ROOT.as_bytes(), &path].concat()
                    }
                    Root::Elsewhere(_) => OUTSIDE.into(),
                }
            }
            _ => {
                if let Some(value) = self.request_variable(name) {
                    return Ok(value.into_bytes());
                }
                if let Some(value) = self.variables.get(name) {
                    return Ok(value.clone());
                }
                if let Some(map) = self.nginx.maps.get(name) {
                    return self.map_value(name, map, depth);
                }
                if let Some(key) = name.strip_prefix("arg_") {
                    self.take_text(&self.args, line)?;
                    return Ok(self.argument(key));
                }
                return Err(Answer::Unknown { line });
            }
        })
    }

    /// A variable that is constant during a request.
    pub(super) fn request_variable(&self, name: &str) -> Option<String> {
        let request = self.request;
        Some(match name {
            "request_uri" => match request.query {
                Some(query) => format!("{}?{query}", request.path),
                None => request.path.to_owned(),
            },
            "host" | "hostname" => request.host_name().to_ascii_lowercase(),
            "http_host" => request.host.to_owned(),
            "scheme" => request.scheme.to_owned(),
            "https" => if request.scheme == "https" { "on" } else { "" }.to_owned(),
            "request_method" => "GET".to_owned(),
            "server_name" => match self.server.names.first() {
                Some(Name::Text(name)) => name.clone(),
                _ => String::new(),
            },
            "server_port" => request.port().to_string(),
            "empty" => String::new(),
            _ => return None,
        })
    }

    pub(super) fn argument(&self, key: &str) -> Vec<u8> {
        let pairs = self.args.split(|b| *b == b'&');
        let mut values = pairs.filter_map(|pair| {
            let at = pair.iter().position(|b| *b == b'=')?;
            let (name, value) = pair.split_at(at);
            name.eq_ignore_ascii_case(key.as_bytes())
                .then(|| value[1..].to_vec())
        });
        values.next().unwrap_or_default()
    }

    /// The value of a map, evaluated once per request.
    pub(super) fn map_value(
        &mut self,
        name: &str,
        map: &'n Map,
        depth: usize,
    ) -> Result<Vec<u8>, Answer> {
        if let Some((value, rule)) = self.mapped.get(name).filter(|_| !map.is_volatile) {
            self.map_rule = rule.or(self.map_rule);
            return Ok(value.clone());
        }
        let before = self.map_rule.take();
        let value = self.look_up(map, depth)?;
        self.mapped
            .insert(name.to_owned(), (value.clone(), self.map_rule));
        self.map_rule = self.map_rule.or(before);
        Ok(value)
    }

    pub(super) fn look_up(&mut self, map: &'n Map, depth: usize) -> Result<Vec<u8>, Answer> {
        if depth > MAX_MAP_DEPTH {
            self.work.meet(Limit::Depth);
            return Err(Answer::Unknown { line: map.line });
        }
        let key = self.fill(&map.source, map.line, depth + 1)?;
        let folded = match std::str::from_utf8(&key) {
            Ok(text) => text.to_lowercase().into_bytes(),
            Err(_) => key.to_ascii_lowercase(),
        };
        if let Some((rule, value)) = map.exact.get(&folded) {
            let value = self.fill(value, map.line, depth + 1)?;
            self.map_rule = Some(*rule);
            return Ok(value);
        }
        if let Some(line) = map.unread {
            return Err(Answer::Unknown { line });
        }
        let unknown = |NoAnswer| Answer::Unknown { line: map.line };
        let candidates = map.index.candidates(&key, self.work).map_err(unknown)?;
        for at in candidates {
            let Some((pattern, rule, value)) = map.patterns.get(at) else {
                continue;
            };
            if let Some(groups) = pattern.find(&key, self.work).map_err(unknown)? {
                self.capture(&groups, &key);
                let value = self.fill(value, map.line, depth + 1)?;
                self.map_rule = Some(*rule);
                return Ok(value);
            }
        }
        match &map.default {
            Some(value) => self.fill(value, map.line, depth + 1),
            None => Ok(Vec::new()),
        }
    }
}
