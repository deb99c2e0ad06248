//! The stable sort of Go. The order of directives is only partial, so the result depends on the steps
//! of the algorithm.

/// The size of the blocks that are sorted by insertion.
const BLOCK: usize = 20;

/// Sorts as `sort.SliceStable` does.
pub(super) fn sorted<T>(items: Vec<T>, is_less: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut blocks: Vec<Vec<T>> = Vec::new();
    for item in items {
        match blocks.last_mut().filter(|block| block.len() < BLOCK) {
            Some(block) => {
                let others = block.iter().rev();
                let after = others.take_while(|other| is_less(&item, other)).count();
                block.insert(block.len() - after, item);
            }
            None => blocks.push(vec![item]),
        }
    }
    while blocks.len() > 1 {
        let mut merged = Vec::with_capacity(blocks.len().div_ceil(2));
        let mut pairs = blocks.into_iter();
        while let Some(left) = pairs.next() {
            merged.push(match pairs.next() {
                Some(right) => merge(left, right, &is_less),
                None => left,
            });
        }
        blocks = merged;
    }
    blocks.pop().unwrap_or_default()
}

fn merge<T>(left: Vec<T>, right: Vec<T>, is_less: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        let next = if is_less(other, one) {
            right.next()
        } else {
            left.next()
        };
        out.extend(next);
    }
    out.extend(left);
    out.extend(right);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomparable_items_keep_their_order() {
        let by_tens = |one: &u32, other: &u32| one / 10 < other / 10;
        let numbers: Vec<u32> = (0..90).map(|n| n * 37 % 90).collect();
        let mut expected = numbers.clone();
        expected.sort_by_key(|number| number / 10);
        assert_eq!(sorted(numbers, by_tens), expected);
    }
}
