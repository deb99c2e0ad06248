//! Folders that the new site does not have.

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts;
use baseref_server::follow::MoveContext;

/// The outermost folder above an old address, in normal form, that the new site does not have. The address
/// itself may be that of the folder.
pub(crate) fn lost_folder(context: &MoveContext<'_>, url: &str) -> Option<String> {
    let moved = context.prefixes.moved(url)?;
    let (start, end) = missing(context, &moved)?;
    let rest = parts::without_query(&moved).len() - start;
    let start = parts::without_query(url).len().checked_sub(rest)?;
    Some(url.get(..start + end)?.to_owned())
}

/// The same of an address of the new site.
pub(crate) fn missing_folder(context: &MoveContext<'_>, url: &str) -> Option<String> {
    let form = normal(url, &NormalOptions::default());
    let (start, end) = missing(context, &form)?;
    Some(form.get(..start + end)?.to_owned())
}

/// Where a new address goes on below its prefix, and where the outermost missing folder ends from
/// there on.
fn missing(context: &MoveContext<'_>, url: &str) -> Option<(usize, usize)> {
    let (_, rest) = context.prefixes.new_rest(url)?;
    let rest = parts::without_query(rest);
    let start = parts::without_query(url).len() - rest.len();
    let mut folders = rest.match_indices('/').map(|(at, _)| at + 1);
    let end = folders.find(|end| {
        let path = parts::path(&url[..start + end]);
        let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
        !context.new.is_directory(&path)
    })?;
    Some((start, end))
}
