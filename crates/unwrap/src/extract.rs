//! Finds the target of a URL by one row of the table.

use crate::coding::{self, percent};
use crate::end::End;
use crate::pattern::{self, Separator};
use crate::request::UrlParts;
use crate::target::{self, Target};
use crate::wrapper::{Failure, TargetLocation, Wrapper};

/// The part that the path captures, if the URL matches a row in everything but the host.
pub fn form<'u>(row: &Wrapper, request: &UrlParts<'u>) -> Option<&'u str> {
    if !row.query.is_empty() {
        pattern::matches(row.query, request.query, Separator::Slash)?;
    }
    let mut paths = row.paths.iter();
    let captured = paths.find_map(|path| pattern::matches(path, request.path, Separator::Slash))?;
    let has_all = row.needs.iter().all(|name| request.has(name));
    has_all.then_some(captured)
}

/// The target by a row that matches; `Err(None)` if the row turns out not to match.
pub fn target_of(
    row: &Wrapper,
    request: &UrlParts<'_>,
    captured: &str,
) -> Result<String, Option<End>> {
    let with_rest;
    let value = match &row.take {
        TargetLocation::Nothing => return Err(Some(End::Opaque)),
        TargetLocation::Parameter(names) => request
            .parameter(names, false)
            .map(|value| whole_value(request, value)),
        TargetLocation::ParameterInAnyCase(names) => request
            .parameter(names, true)
            .map(|value| whole_value(request, value)),
        TargetLocation::Captured => Some(captured),
        // A URL that is escaped as a whole ends at the wrapper's own query.
        TargetLocation::CapturedAndRest if percent::is_escaped_url(captured) => Some(captured),
        TargetLocation::CapturedAndRest => {
            with_rest = format!("{captured}{}", request.rest());
            Some(&*with_rest)
        }
        TargetLocation::Between(before, after) => {
            let rest = request.path.split_once(before).map(|(_, rest)| rest);
            rest.and_then(|rest| Some(rest.rsplit_once(after)?.0))
        }
        TargetLocation::Query => Some(request.query),
        TargetLocation::QueryAfter(before) => {
            request.rest().rsplit_once(before).map(|(_, rest)| rest)
        }
        TargetLocation::Url => Some(request.url),
    };
    let value = value.filter(|value| !value.is_empty());
    let value = value.ok_or_else(|| row.absent.end())?;
    let text = coding::decode(row.coding, value, request).filter(|_| !percent::is_cut(value));
    let text = text.ok_or_else(|| row.broken.end())?;
    match target::read(&text, row.has_bare_hosts) {
        Target::Url(url) => Ok(url),
        Target::Bad => Err(Some(End::BadTarget)),
        Target::None => Err(row.broken.end()),
    }
}

/// The value of a parameter. If it is an unescaped URL of the same wrapper, it extends to the end of the
/// query, which holds its own parameters.
fn whole_value<'u>(request: &UrlParts<'u>, value: &'u str) -> &'u str {
    // Nearly all values are escaped.
    let is_plain = value.as_bytes().iter().take(6).any(|byte| *byte == b':');
    let page = |url: &'u str| {
        let (_, rest) = url.split_once("://")?;
        Some(rest.split_once('?')?.0)
    };
    let same = is_plain
        .then(|| page(value).zip(page(request.url)))
        .flatten();
    if !same.is_some_and(|(inner, outer)| inner.eq_ignore_ascii_case(outer)) {
        return value;
    }
    let start = request.query.find(value).unwrap_or(request.query.len());
    &request.query[start..]
}

impl Failure {
    fn end(self) -> Option<End> {
        match self {
            Self::Undecodable => Some(End::Undecodable),
            Self::Opaque => Some(End::Opaque),
            Self::Other => None,
        }
    }
}
