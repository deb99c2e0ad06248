//! Members that share bytes with others. A directory may name the same bytes any number of times,
//! and the data of a member may contain the headers of others.

use std::ops::Range;

/// The size of a local file header without its name (APPNOTE.TXT 4.3.7).
const HEADER: u64 = 30;

/// For each member, whether it shares bytes with one that begins before it, or at the same offset
/// and is earlier in the directory. `members` are the offsets of their headers and the sizes of
/// their data, if known. Shared bytes belong to the first member, so that none is decompressed
/// twice.
pub(super) fn sharing(members: impl Iterator<Item = Option<(u64, u64)>>) -> Vec<bool> {
    let extents = members.map(|member| member.map(|(start, size)| extent(start, size)));
    let extents: Vec<Option<Range<u64>>> = extents.collect();
    let mut order: Vec<(Range<u64>, usize)> = (0..)
        .zip(&extents)
        .filter_map(|(number, extent)| Some((extent.clone()?, number)))
        .collect();
    order.sort_unstable_by_key(|(extent, number)| (extent.start, *number));
    let mut shares = vec![false; extents.len()];
    let mut end = 0;
    for (extent, number) in order {
        if extent.start < end {
            shares[number] = true;
        } else {
            end = extent.end;
        }
    }
    shares
}

/// The bytes that a member has at least. Its name, which follows the header, may differ from that
/// in the directory, and is not counted.
fn extent(start: u64, size: u64) -> Range<u64> {
    start..start.saturating_add(HEADER).saturating_add(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_bytes_belong_to_the_first_member() {
        for (claim, members, expected) in [
            ("apart", vec![(0, 10), (40, 5), (75, 0)], vec![false; 3]),
            (
                "in any order",
                vec![(75, 0), (0, 10), (40, 5)],
                vec![false; 3],
            ),
            (
                "the same",
                vec![(0, 10), (0, 10), (0, 10)],
                vec![false, true, true],
            ),
            (
                "in each other",
                vec![(50, 10), (0, 100), (200, 0)],
                vec![true, false, false],
            ),
            (
                "chained",
                vec![(0, 50), (40, 50), (90, 50)],
                vec![false, true, false],
            ),
            (
                "beyond all",
                vec![(0, u64::MAX), (u64::MAX, 1)],
                vec![false, false],
            ),
        ] {
            assert_eq!(sharing(members.into_iter().map(Some)), expected, "{claim}");
        }
        assert_eq!(sharing([None, Some((0, 1))].into_iter()), [false; 2]);
    }
}
