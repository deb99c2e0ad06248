//! Fragments in EPUBs.

/// The element id in the fragment of an EPUB. `None` for `epubcfi(…)`, `svgView(…)` and media fragments
/// (`t=1,2`, which is not an XML id).
///
/// Unlike in browsers, `top` is an id like any other, as in epubcheck (RSC-012).
pub(crate) fn name_in(fragment: &str) -> Option<&str> {
    let name = fragment.split(":~:").next().unwrap_or_default();
    let dimension = name.split_once('=').map(|(dimension, _)| dimension);
    let is_of_media = dimension.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphabetic()));
    let is_other = name.contains('(') || is_of_media;
    (!name.is_empty() && !is_other).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_in_fragment() {
        for (fragment, expected) in [
            ("a", Some("a")),
            ("top", Some("top")),
            ("", None),
            ("epubcfi(/6/4!/4)", None),
            ("svgView(viewBox(0,0,1,1))", None),
            ("t=1,2", None),
            ("xywh=0,0,1,1", None),
            ("box=0,0,1,1", None),
            (":~:text=b", None),
        ] {
            assert_eq!(name_in(fragment), expected, "{fragment}");
        }
    }
}
