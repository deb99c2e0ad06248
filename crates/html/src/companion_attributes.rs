//! Extra attributes that are recorded with a link.

use super::names::Name;

/// The attributes recorded with the URLs of an HTML element, if requested: other claimed targets of
/// a link, and the size of an image.
pub(super) fn names(name: Name) -> &'static [&'static str] {
    match name {
        // Outlook stores the URL before Safe Links in `originalsrc`, and Gmail its own redirector in
        // `data-saferedirecturl`.
        Name::A => &["title", "originalsrc", "data-saferedirecturl"],
        Name::Area => &["title"],
        Name::Img | Name::Image => &["width", "height", "style", "hidden"],
        _ => &[],
    }
}
