//! The folder that is gone with a lost page or file.

use baseref_resolve::parts;
use baseref_server::follow::MoveContext;

/// The outermost folder above an old address, in normal form, that the new site has not. The address
/// itself may be that of the folder.
pub(crate) fn lost_folder(context: &MoveContext<'_>, url: &str) -> Option<String> {
    let moved = context.prefixes.moved(url)?;
    let (_, rest) = context.prefixes.new_rest(&moved)?;
    let rest = parts::without_query(rest);
    let root = parts::without_query(&moved).len() - rest.len();
    let mut folders = rest.match_indices('/').map(|(at, _)| at + 1);
    let end = folders.find(|end| {
        let path = parts::path(&moved[..root + end]);
        let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
        !context.new.is_directory(&path)
    })?;
    let start = parts::without_query(url).len().checked_sub(rest.len())?;
    Some(url.get(..start + end)?.to_owned())
}
