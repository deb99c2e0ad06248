//! The attributes that say more about a link of the same element.

use super::names::Name;

/// The attributes of an HTML element that are kept beside its URLs, if they are asked for: what else
/// claims to be the target of a link, and how large an image is shown.
pub(super) fn attributes(name: Name) -> &'static [&'static str] {
    match name {
        // Outlook keeps the URL before Safe Links in `originalsrc`, Gmail its own redirector in the
        // last one.
        Name::A => &["title", "originalsrc", "data-saferedirecturl"],
        Name::Area => &["title"],
        Name::Img | Name::Image => &["width", "height", "style", "hidden"],
        _ => &[],
    }
}
