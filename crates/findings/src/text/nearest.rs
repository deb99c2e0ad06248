//! Suggestions for misspelt names.

/// Longer names are not compared: the time grows with the product of the lengths.
const LONGEST: usize = 64;

/// Shorter texts are prefixes of too many names.
const SHORTEST_BEGINNING: usize = 3;

/// The known name closest to `name`, if at most a third of `name` is wrong, or a known name that
/// starts with it. The part of a known name after its slash is compared, too.
#[must_use]
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let typed = name.to_ascii_lowercase();
    let farthest = length.div_ceil(3);
    let distance = |known: &str| {
        if length >= SHORTEST_BEGINNING && known.starts_with(&typed) {
            return farthest;
        }
        let whole = strsim::damerau_levenshtein(&typed, &known.to_ascii_lowercase());
        match known.split_once('/') {
            Some((_, what)) if !typed.contains('/') => {
                whole.min(strsim::damerau_levenshtein(&typed, what))
            }
            _ => whole,
        }
    };
    let candidates = known.into_iter().map(|known| (distance(known), known));
    let best = candidates.min_by_key(|(distance, _)| *distance)?;
    (best.0 <= farthest).then_some(best.1)
}

/// `; did you mean `x`?` if a known name is close, otherwise empty.
#[must_use]
pub fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    match nearest(name, known) {
        Some(known) => format!("; did you mean `{known}`?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["apache", "nginx", "target/missing-file", "file"];

    #[test]
    fn misspelt_name_gets_a_suggestion() {
        for (typed, meant) in [
            ("apche", Some("apache")),
            ("NGINX", Some("nginx")),
            ("ngnix", Some("nginx")),
            ("missing-file", Some("target/missing-file")),
            ("target/mising-flie", Some("target/missing-file")),
            ("apa", Some("apache")),
            ("ap", None),
            ("nigx", Some("nginx")),
            ("caddy", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, KNOWN), meant, "{typed}");
        }
        assert_eq!(nearest(&"a".repeat(100_000), KNOWN), None);
    }
}
