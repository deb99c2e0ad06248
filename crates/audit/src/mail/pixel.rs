//! Tracking pixels: invisible images that report that the message was opened.

use baseref_resolve::parts;

use super::unwrapped_link::UnwrappedLink;

/// Why an image is a tracking pixel, or `None` if it may be visible.
pub(super) fn sign(opened: &UnwrappedLink<'_>, url: &str) -> Option<&'static str> {
    if opened.link.reference.slot.element != "img" {
        return None;
    }
    let path = parts::path(url).to_ascii_lowercase();
    // Only services for newsletters have these.
    let counts = [
        "/wf/open",
        "/track/open.php",
        "/trk/open",
        "/e/o/",
        "/i0/",
        "/o/ej",
        "/oo/",
    ];
    if counts.iter().any(|sign| path.starts_with(sign)) {
        return Some("its path is that of a known open tracker");
    }
    let has_token = has_token(url);
    if is_spacer(url, &path) && !has_token {
        return None;
    }
    if is_dot(opened) {
        return Some("image of 1x1 pixel or smaller");
    }
    // Pictures for another width of the screen are hidden, too, and have a size to be shown in.
    if is_hidden(opened)
        && !is_picture(opened)
        && (has_token || parts::query(url).is_some_and(|query| !query.is_empty()))
    {
        return Some("hidden image with an identifier in its URL");
    }
    let is_weak = ["/o/", "/open", "/trk", "/o.gif", "/pixel", "/track"];
    let has_path =
        is_weak.iter().any(|sign| path.starts_with(sign)) || path.ends_with("/open.aspx");
    (has_path && has_token)
        .then_some("its path suggests an open tracker and contains an identifier")
}

/// Whether the file name is that of a spacer image.
fn is_spacer(url: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let names = ["spacer", "blank", "clear", "shim", "transparent"];
    parts::query(url).is_none() && names.iter().any(|spacer| name.contains(spacer))
}

/// Whether both sides of an image are at most one pixel, by attributes or style. One side alone makes
/// a line or a spacer.
fn is_dot(opened: &UnwrappedLink<'_>) -> bool {
    let style = opened.companions.attribute("style").unwrap_or_default();
    [("width", "max-width"), ("height", "max-height")]
        .into_iter()
        .all(|(side, most)| {
            let length = declared(style, side).or_else(|| opened.companions.attribute(side));
            let lengths = [length, declared(style, most)];
            lengths.into_iter().flatten().any(is_at_most_one)
        })
}

/// Whether an image declares a width, by attribute or style, that only a picture has.
fn is_picture(opened: &UnwrappedLink<'_>) -> bool {
    let style = opened.companions.attribute("style").unwrap_or_default();
    let widths = [
        declared(style, "width"),
        declared(style, "max-width"),
        opened.companions.attribute("width"),
    ];
    widths.into_iter().flatten().any(|width| {
        let digits = width.trim().to_ascii_lowercase();
        let digits = digits.trim_end_matches("px").trim_end();
        digits.parse::<f64>().is_ok_and(|pixels| pixels >= PICTURE)
    })
}

/// Hidden images narrower than this, in pixels, may be trackers.
const PICTURE: f64 = 20.0;

fn is_hidden(opened: &UnwrappedLink<'_>) -> bool {
    let style = opened.companions.attribute("style").unwrap_or_default();
    let is = |property, wanted: &str| {
        declared(style, property).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
    };
    let opacity = declared(style, "opacity").and_then(|value| value.parse::<f64>().ok());
    opened.companions.attribute("hidden").is_some()
        || is("display", "none")
        || is("visibility", "hidden")
        || opacity == Some(0.0)
}

/// The value of the last declaration of a property in a style.
fn declared<'s>(style: &'s str, property: &str) -> Option<&'s str> {
    let mut declarations = style.rsplit(';').filter_map(|one| one.split_once(':'));
    let (_, value) = declarations.find(|(name, _)| name.trim().eq_ignore_ascii_case(property))?;
    Some(value.split('!').next().unwrap_or_default().trim())
}

/// Whether a length is at most one pixel.
fn is_at_most_one(length: &str) -> bool {
    let length = length.trim();
    let end = length.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = length.split_at(end.unwrap_or(length.len()));
    let unit = unit.trim();
    let is_pixel = ["", "px", "pt"]
        .iter()
        .any(|known| unit.eq_ignore_ascii_case(known));
    let number = number.parse::<f64>();
    number.is_ok_and(|number| number == 0.0 || is_pixel && number <= 1.0)
}

/// Whether a URL contains an opaque identifier.
fn has_token(url: &str) -> bool {
    let mut texts = url
        .as_bytes()
        .split(|byte| matches!(byte, b'/' | b'?' | b'&' | b'=' | b'.' | b'~'));
    texts.any(is_token)
}

fn is_token(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.len() >= SHORTEST_TOKEN && text.iter().all(is_plain) && text.iter().any(u8::is_ascii_digit)
}

/// Shorter ones occur in the names of images.
const SHORTEST_TOKEN: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_size_from_attributes_and_style() {
        for (length, is) in [
            ("1", true),
            ("0", true),
            (" 1px ", true),
            ("1.0PX", true),
            ("0%", true),
            ("1%", false),
            ("100%", false),
            ("2", false),
            ("10", false),
            ("auto", false),
            ("", false),
        ] {
            assert_eq!(is_at_most_one(length), is, "{length}");
        }
        let style = "WIDTH: 5px; height:1px !important;width:1px";
        assert_eq!(declared(style, "width"), Some("1px"));
        assert_eq!(declared(style, "height"), Some("1px"));
        assert_eq!(declared(style, "max-width"), None);
    }
}
