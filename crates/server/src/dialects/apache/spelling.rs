//! `mod_speling`: a name that no file has is taken for a similar one.

use super::variables::length_of_file;
use crate::engine::work::{NoAnswer, Work};
use crate::request::{FileKind, Files};

/// What the module makes of a path.
pub(super) enum Corrected {
    /// The end of the only similar path, or of the most similar one.
    To(Vec<u8>),
    /// It asks the visitor to choose (300).
    Choices,
}

/// How a name differs from one that was asked for, the smallest difference first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Case,
    Transposed,
    MissingCharacter,
    ExtraCharacter,
    OtherCharacter,
    /// Only the name before the first dot is the same.
    Rest,
}

/// The end of a path that a correction replaces: the name, and what follows it.
pub(super) fn asked<'p>(path: &'p [u8], files: &dyn Files) -> &'p [u8] {
    let file = &path[..length_of_file(path, "/", files)];
    let slash = file.iter().rposition(|byte| *byte == b'/');
    &path[slash.map_or(0, |slash| slash + 1)..]
}

/// The path that is meant by one without a file; `None` if no name is similar.
///
/// Source: `check_speling` in `mod_speling.c` of Apache 2.4.
pub(super) fn correct(
    path: &[u8],
    case_only: bool,
    files: &dyn Files,
    work: &Work,
) -> Result<Option<Corrected>, NoAnswer> {
    let (file, rest) = path.split_at(length_of_file(path, "/", files));
    let Some(slash) = file.iter().rposition(|byte| *byte == b'/') else {
        return Ok(None);
    };
    let (folder, name) = (&file[..slash], &file[slash + 1..]);
    let is_missing = files.kind(file).is_none();
    let is_folder = folder.is_empty() || files.kind(folder) == Some(FileKind::Directory);
    if name.is_empty() || !is_missing || !is_folder {
        return Ok(None);
    }
    let names = files.names_in(folder).ok_or(NoAnswer)?;
    work.take(names.len())?;
    // A folder on the disk has these entries, too.
    let dots: [&[u8]; 2] = [b".", b".."];
    let all = names.iter().map(Vec::as_slice).chain(dots);
    let similar = all.filter_map(|other| Some((difference(name, other, case_only)?, other)));
    let mut similar: Vec<(Difference, &[u8])> = similar.collect();
    similar.sort_by_key(|(difference, _)| *difference);
    Ok(match &similar[..] {
        [] => None,
        [(Difference::Rest, _), ..] => Some(Corrected::Choices),
        [(first, _), (second, _), ..] if first == second => Some(Corrected::Choices),
        [(_, other), ..] => Some(Corrected::To([other, rest].concat())),
    })
}

fn difference(asked: &[u8], name: &[u8], case_only: bool) -> Option<Difference> {
    if asked.eq_ignore_ascii_case(name) {
        return Some(Difference::Case);
    }
    if !case_only && let Some(found) = typing_error(asked, name) {
        return Some(found);
    }
    let stem = |name: &'_ [u8]| name.iter().position(|byte| *byte == b'.');
    let ends = [asked, name].map(|name| stem(name).unwrap_or(name.len()));
    let is_same = ends[0] == ends[1] && asked[..ends[0]].eq_ignore_ascii_case(&name[..ends[1]]);
    is_same.then_some(Difference::Rest)
}

/// Whether a name is another with one character too few, too many or wrong, or two in the wrong order.
pub(super) fn is_typing_error(asked: &[u8], name: &[u8]) -> bool {
    !asked.eq_ignore_ascii_case(name) && typing_error(asked, name).is_some()
}

fn typing_error(asked: &[u8], name: &[u8]) -> Option<Difference> {
    let same = asked.iter().zip(name);
    let same = same.take_while(|(one, other)| one.eq_ignore_ascii_case(other));
    let at = same.count();
    let (asked, name) = (&asked[at..], &name[at..]);
    let equal = |one: Option<&[u8]>, other: Option<&[u8]>| match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    };
    if let ([a, b, one @ ..], [c, d, other @ ..]) = (asked, name)
        && a.eq_ignore_ascii_case(d)
        && b.eq_ignore_ascii_case(c)
        && one.eq_ignore_ascii_case(other)
    {
        return Some(Difference::Transposed);
    }
    if equal(asked.get(1..), name.get(1..)) {
        return Some(Difference::OtherCharacter);
    }
    if equal(asked.get(1..), Some(name)) {
        return Some(Difference::ExtraCharacter);
    }
    equal(Some(asked), name.get(1..)).then_some(Difference::MissingCharacter)
}
