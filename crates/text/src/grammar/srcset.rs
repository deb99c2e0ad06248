//! The image candidates of a `srcset` attribute that browsers choose among (HTML "parse a srcset
//! attribute").

use std::ops::Range;

use super::{Input, next_image_candidate};

/// The candidates of a `srcset`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageCandidates {
    /// The byte range of each URL, as [`super::urls`] gives it, and whether a browser may choose it:
    /// its descriptors are valid, and no candidate before it has the same size.
    pub urls: Vec<(Range<usize>, bool)>,
    /// Whether the `src` of the element is a candidate, too (HTML "create a source set" step 5).
    pub with_src: bool,
}

/// What the descriptors of a candidate say.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    Width(u64),
    Density(f64),
}

impl ImageCandidates {
    /// Reads a value whose character references are decoded.
    #[must_use]
    pub fn read(value: &str) -> Self {
        let mut input = Input {
            bytes: value.as_bytes(),
            position: 0,
            directive_end: 0,
        };
        let (mut urls, mut widths, mut densities) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(url) = next_image_candidate(&mut input) {
            let end = input.position;
            let descriptors = value.get(url.end..end).unwrap_or_default();
            let descriptors = descriptors.strip_suffix(',').unwrap_or(descriptors);
            let is_possible = match size(descriptors) {
                None => false,
                Some(Size::Width(width)) => is_new(&mut widths, width),
                Some(Size::Density(density)) => is_new(&mut densities, density.to_bits()),
            };
            urls.push((url, is_possible));
        }
        let with_src = widths.is_empty() && !densities.contains(&1.0_f64.to_bits());
        Self { urls, with_src }
    }

    /// Whether a browser may choose any of them.
    #[must_use]
    pub fn has_possible(&self) -> bool {
        self.urls.iter().any(|(_, is_possible)| *is_possible)
    }
}

/// Adds a size to those known, unless it is among them.
fn is_new(known: &mut Vec<u64>, size: u64) -> bool {
    /// No page has as many sizes of an image; of more, the last ones count as different.
    const MOST: usize = 256;
    let is_new = !known.contains(&size);
    if is_new && known.len() < MOST {
        known.push(size);
    }
    is_new
}

/// The size that the descriptors of a candidate give; `None` if they are in error.
fn size(descriptors: &str) -> Option<Size> {
    let (mut width, mut density, mut height) = (None, None, None);
    for descriptor in tokens(descriptors) {
        let unit = descriptor.len().checked_sub(1)?;
        let number = descriptor.get(..unit)?;
        match descriptor.as_bytes().get(unit)? {
            b'w' if width.is_none() && density.is_none() => width = Some(integer(number)?),
            b'h' if height.is_none() && density.is_none() => height = Some(integer(number)?),
            b'x' if width.is_none() && density.is_none() && height.is_none() => {
                density = Some(float(number).filter(|density| *density >= 0.0)?);
            }
            _ => return None,
        }
    }
    match (width, density) {
        (Some(width), _) => Some(Size::Width(width)),
        (None, _) if height.is_some() => None,
        (None, density) => Some(Size::Density(density.unwrap_or(1.0))),
    }
}

/// "Descriptor tokenizer": white space inside parentheses is part of a descriptor.
fn tokens(descriptors: &str) -> impl Iterator<Item = &str> {
    let mut in_parens = false;
    let ends = move |c: char| {
        match c {
            '(' => in_parens = true,
            ')' => in_parens = false,
            _ => {}
        }
        c.is_ascii_whitespace() && !in_parens
    };
    let tokens = descriptors.split(ends);
    tokens.filter(|token| !token.is_empty())
}

/// "Valid non-negative integer", more than zero.
fn integer(number: &str) -> Option<u64> {
    let is_valid = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let value = number.parse().unwrap_or(u64::MAX);
    (is_valid && value > 0).then_some(value)
}

/// "Valid floating-point number".
fn float(number: &str) -> Option<f64> {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_digits =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = match mantissa.split_once('.') {
        Some(("", decimals)) => is_digits(decimals),
        Some((whole, decimals)) => is_digits(whole) && is_digits(decimals),
        None => is_digits(mantissa),
    };
    let is_exponent = exponent
        .is_none_or(|exponent| is_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    let value: f64 = number.parse().ok()?;
    // Minus zero is zero.
    (is_number && is_exponent && value.is_finite()).then_some(value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The URLs that a browser may choose, with `src` if it is one of them. Recorded with Chromium.
    fn possible(srcset: &str) -> Vec<&str> {
        let read = ImageCandidates::read(srcset);
        let urls = read.urls.iter().filter(|(_, is_possible)| *is_possible);
        let urls = urls.map(|(url, _)| &srcset[url.clone()]);
        urls.chain(read.with_src.then_some("src")).collect()
    }

    #[test]
    fn src_among_candidates() {
        assert_eq!(possible("b 1.5x, c 2x"), ["b", "c", "src"]);
        assert_eq!(possible("b 1x, c 2x"), ["b", "c"]);
        assert_eq!(possible("b, c 2x"), ["b", "c"]);
        assert_eq!(possible("b 400w, c 3000w"), ["b", "c"]);
        assert_eq!(possible(""), ["src"]);
    }

    #[test]
    fn candidates_with_errors() {
        assert_eq!(possible("b foo, c 1q 2x, d -1x, e 0w"), ["src"]);
        assert_eq!(possible("b 400w 300h, c 300h"), ["b"]);
        assert_eq!(possible("d (1x), e x, f 1e0x"), ["f"]);
        assert_eq!(possible("b 1w 2x, c 2x 1w, d 2x 2x, e +1x, f 1.x"), ["src"]);
        assert_eq!(
            possible("data:image/png;base64,AA\n9j/4 BB 2x"),
            ["src"],
            "a data: URL broken over lines"
        );
    }

    #[test]
    fn candidates_of_one_size() {
        assert_eq!(possible("b 2x, c 2x, d 2.0x"), ["b", "src"]);
        assert_eq!(possible("b 400w, c 400w, d 3000w, e 3000w"), ["b", "d"]);
    }
}
