//! Members that share bytes with others: a directory may name the same bytes any number of times,
//! and a member's data may hold the headers of others.

use std::ops::Range;

/// The size of a local file header without its name (APPNOTE.TXT 4.3.7).
const HEADER: u64 = 30;

/// For each member, whether it shares bytes with one that begins before it, or that the directory
/// names before it. `members` are the offsets of their headers and the sizes of their data, if known. Of bytes
/// that several have the first has them, so that no byte is decompressed for two.
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

/// The bytes that a member has at least: its name follows its header, and may differ from the
/// directory's.
fn extent(start: u64, size: u64) -> Range<u64> {
    start..start.saturating_add(HEADER).saturating_add(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_member_has_the_bytes_that_several_share() {
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
