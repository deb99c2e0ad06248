//! Finds the location of an address.

use std::collections::{BTreeSet, HashMap};

use super::code::Code;
use super::content::Content;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::line_error::LineError;

/// The content of a location.
#[derive(Debug, Default)]
pub(super) struct Location {
    pub(super) code: Code,
    /// Few locations have any.
    pub(super) inner: Option<Box<Locations>>,
    pub(super) content: Content,
}

/// The locations inside a server or another location.
#[derive(Debug, Default)]
pub(super) struct Locations {
    exact: HashMap<Vec<u8>, Location>,
    prefixes: HashMap<Vec<u8>, (bool, Location)>,
    lengths: BTreeSet<usize>,
    patterns: Vec<(usize, Pattern, Location)>,
    index: PrefixIndex,
}

/// The location that was found, and the captures of its pattern if it has one.
pub(super) type LocationMatch<'l> = (&'l Location, Option<Groups>);

impl Location {
    fn find_inner(&self, uri: &[u8], work: &Work) -> Result<Option<LocationMatch<'_>>, usize> {
        match &self.inner {
            Some(inner) => inner.find(uri, work),
            None => Ok(None),
        }
    }
}

impl Locations {
    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.prefixes.is_empty() && self.patterns.is_empty()
    }

    /// # Errors
    ///
    /// If the location exists already.
    pub(super) fn add_exact(&mut self, path: &str, location: Location) -> Result<(), LineError> {
        match self.exact.insert(path.as_bytes().to_vec(), location) {
            None => Ok(()),
            Some(_) => Err(LineError::DuplicateLocation(path.to_owned())),
        }
    }

    /// `ends` stands for `^~`: no pattern is tried after a match.
    ///
    /// # Errors
    ///
    /// If the location exists already.
    pub(super) fn add_prefix(
        &mut self,
        path: &str,
        ends: bool,
        location: Location,
    ) -> Result<(), LineError> {
        self.lengths.insert(path.len());
        match self
            .prefixes
            .insert(path.as_bytes().to_vec(), (ends, location))
        {
            None => Ok(()),
            Some(_) => Err(LineError::DuplicateLocation(path.to_owned())),
        }
    }

    pub(super) fn add_pattern(&mut self, line: usize, pattern: Pattern, location: Location) {
        self.index.add_pattern(&pattern, self.patterns.len());
        self.patterns.push((line, pattern, location));
    }

    /// Whether an address is redirected to its final slash, because the location with the slash hands
    /// requests on.
    pub(super) fn adds_slash(&self, uri: &[u8]) -> bool {
        if self.exact.contains_key(uri) || !self.lengths.contains(&(uri.len() + 1)) {
            return false;
        }
        let with_slash = self.prefixes.get(&[uri, b"/"].concat());
        with_slash.is_some_and(|(_, location)| location.content.adds_slash)
    }

    /// Finds the location of an address: the exact one, else the longest prefix if it has `^~`, else
    /// the first matching pattern, else the longest prefix; then the same inside that location.
    ///
    /// # Errors
    ///
    /// The line of a pattern that exceeds a limit.
    pub(super) fn find(&self, uri: &[u8], work: &Work) -> Result<Option<LocationMatch<'_>>, usize> {
        if let Some(location) = self.exact.get(uri) {
            return Ok(Some((location, None)));
        }
        let mut lengths = self.lengths.range(..=uri.len()).rev();
        let longest = lengths.find_map(|length| self.prefixes.get(&uri[..*length]));
        if let Some((ends, location)) = longest {
            if let Some(found) = location.find_inner(uri, work)? {
                return Ok(Some(found));
            }
            if *ends {
                return Ok(Some((location, None)));
            }
        }
        let Some((first, ..)) = self.patterns.first() else {
            return Ok(longest.map(|(_, location)| (location, None)));
        };
        let candidates = self.index.candidates(uri, work);
        for at in candidates.map_err(|NoAnswer| *first)? {
            let Some((line, pattern, location)) = self.patterns.get(at) else {
                continue;
            };
            let groups = pattern.find(uri, work).map_err(|NoAnswer| *line)?;
            if let Some(groups) = groups {
                let inner = location.find_inner(uri, work)?;
                return Ok(inner.or(Some((location, Some(groups)))));
            }
        }
        Ok(longest.map(|(_, location)| (location, None)))
    }
}

impl Locations {
    /// The code of every location, inner ones included.
    pub(super) fn codes(&self) -> Vec<&Code> {
        let mut out = Vec::new();
        let mut queue = vec![self];
        while let Some(locations) = queue.pop() {
            let exact = locations.exact.values();
            let prefixes = locations.prefixes.values().map(|(_, location)| location);
            let patterns = locations.patterns.iter().map(|(_, _, location)| location);
            for location in exact.chain(prefixes).chain(patterns) {
                out.push(&location.code);
                queue.extend(location.inner.as_deref());
            }
        }
        out
    }
}
