//! Fragments in EPUBs, which epubcheck judges otherwise than browsers do.

/// The part of a fragment in an EPUB that names an element; `None` if there is none, or none can be
/// judged: of `epubcfi(…)`, `svgView(…)` and the parts of media (`t=1,2`, which no identifier of XML can
/// be) nothing can be looked up.
///
/// There is no server and no browser that would take `top` for the top of the page: it is a name like
/// any other, as in epubcheck (RSC-012).
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
    fn what_names_no_element_is_not_judged() {
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
