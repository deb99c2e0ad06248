//! LEB128 variable-length integers.

/// Appends a varint.
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Reads the varint at `at` and advances `at` past it; `None` if it is truncated.
pub(crate) fn read(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_roundtrip() {
        let all = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u64::MAX];
        let mut bytes = Vec::new();
        for number in all {
            write(&mut bytes, number);
        }
        let mut at = 0;
        for number in all {
            assert_eq!(read(&bytes, &mut at), Some(number));
        }
        assert_eq!(read(&bytes, &mut at), None);
    }

    #[test]
    fn number_without_end_is_refused() {
        assert_eq!(read(&[0xff; 20], &mut 0), None);
    }
}
