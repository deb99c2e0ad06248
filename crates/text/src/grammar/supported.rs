//! What browsers support, which decides among the alternatives that a page offers: types of images,
//! media and scripts, formats of fonts.
//!
//! Departs: browsers differ. This is Chromium's answer; what it leaves out (JPEG XL, `QuickTime`, AIFF)
//! some other browser may show.

/// The essence of a media type in an attribute: without parameters and white space.
fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim_ascii()
}

fn is_any(value: &str, known: &[&str]) -> bool {
    known.iter().any(|known| value.eq_ignore_ascii_case(known))
}

/// Whether a browser shows images of a type; an empty one may be any.
#[must_use]
pub fn is_image(value: &str) -> bool {
    let known = [
        "",
        "image/apng",
        "image/avif",
        "image/bmp",
        "image/gif",
        "image/jpeg",
        "image/jpg",
        "image/pjpeg",
        "image/png",
        "image/svg+xml",
        "image/vnd.microsoft.icon",
        "image/webp",
        "image/x-icon",
        "image/x-png",
    ];
    is_any(essence(value), &known)
}

/// Whether a browser plays audio or video of a type, whatever its codecs; an empty one may be any.
#[must_use]
pub fn is_media(value: &str) -> bool {
    let known = [
        "",
        "application/ogg",
        "application/vnd.apple.mpegurl",
        "application/x-mpegurl",
        "audio/aac",
        "audio/flac",
        "audio/mp3",
        "audio/mp4",
        "audio/mpeg",
        "audio/mpegurl",
        "audio/ogg",
        "audio/wav",
        "audio/webm",
        "audio/x-m4a",
        "audio/x-mp3",
        "audio/x-mpegurl",
        "audio/x-wav",
        "video/3gpp",
        "video/mp4",
        "video/mpegurl",
        "video/ogg",
        "video/webm",
        "video/x-m4v",
        "video/x-matroska",
    ];
    is_any(essence(value), &known)
}

/// Whether a browser loads a font with a `format()` (CSS Fonts 4 §11.1).
#[must_use]
pub fn is_font(format: &str) -> bool {
    let name = format.to_ascii_lowercase();
    let name = name.strip_suffix("-variations").unwrap_or(&name);
    is_any(
        name,
        &["collection", "opentype", "truetype", "woff", "woff2"],
    )
}

/// Whether a browser loads a font of a media type; an empty one may be any.
#[must_use]
pub fn is_font_type(value: &str) -> bool {
    let known = [
        "",
        "application/font-sfnt",
        "application/font-woff",
        "application/font-woff2",
        "application/vnd.ms-opentype",
        "application/x-font-opentype",
        "application/x-font-ttf",
        "application/x-font-woff",
        "font/collection",
        "font/opentype",
        "font/otf",
        "font/sfnt",
        "font/ttf",
        "font/woff",
        "font/woff2",
    ];
    is_any(essence(value), &known)
}

/// Whether a browser loads style sheets of a media type; an empty one may be any.
#[must_use]
pub fn is_style(value: &str) -> bool {
    is_any(essence(value), &["", "text/css"])
}

/// Whether a browser loads tracks of a media type; an empty one may be any.
#[must_use]
pub fn is_track(value: &str) -> bool {
    is_any(essence(value), &["", "text/vtt"])
}

/// Whether a browser preloads a module for an `as` (HTML "module preload link type").
#[must_use]
pub fn is_destination_of_script(value: &str) -> bool {
    let known = [
        "",
        "audioworklet",
        "json",
        "paintworklet",
        "script",
        "serviceworker",
        "sharedworker",
        "style",
        "worker",
    ];
    is_any(value, &known)
}

/// Whether a browser supports a `tech()` of a font.
#[must_use]
pub fn is_font_technology(name: &str) -> bool {
    let known = [
        "color-cbdt",
        "color-colrv0",
        "color-colrv1",
        "color-sbix",
        "features-aat",
        "features-opentype",
        "palettes",
        "variations",
    ];
    is_any(name, &known)
}

/// Whether a browser runs scripts of a `type` (HTML "prepare the script element" step 8): a JavaScript
/// type (MIME Sniffing §4.6), or a module.
#[must_use]
pub fn is_script(value: &str) -> bool {
    let known = [
        "",
        "application/ecmascript",
        "application/javascript",
        "application/x-ecmascript",
        "application/x-javascript",
        "module",
        "text/ecmascript",
        "text/javascript",
        "text/javascript1.0",
        "text/javascript1.1",
        "text/javascript1.2",
        "text/javascript1.3",
        "text/javascript1.4",
        "text/javascript1.5",
        "text/jscript",
        "text/livescript",
        "text/x-ecmascript",
        "text/x-javascript",
    ];
    is_any(value.trim_ascii(), &known)
}

/// Whether a list of media queries can match on no screen: all of its queries are `not all`, or about
/// other media than screens.
#[must_use]
pub fn excludes_screens(media: &str) -> bool {
    let excludes = |query: &str| {
        let query = query.trim_ascii();
        let mut words = query.split(|c: char| c.is_ascii_whitespace() || c == '(');
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("not") => query
                .get(3..)
                .is_some_and(|rest| is_any(rest.trim_ascii(), &["all", "screen"])),
            Some("only") => {
                let name = query.get(4..).unwrap_or_default().trim_ascii();
                let end = name.find(|c: char| c.is_ascii_whitespace());
                is_other(&name[..end.unwrap_or(name.len())])
            }
            Some(name) => is_other(name),
            None => false,
        }
    };
    !media.trim_ascii().is_empty() && media.split(',').all(excludes)
}

/// Whether a media type is not that of a screen (Media Queries 4 §2.3).
fn is_other(name: &str) -> bool {
    let known = [
        "aural",
        "braille",
        "embossed",
        "handheld",
        "print",
        "projection",
        "speech",
        "tty",
        "tv",
    ];
    is_any(name, &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_with_parameters_and_capitals() {
        assert!(is_image(" IMAGE/WebP ; x=y"));
        assert!(!is_image("image/jxl") && !is_image("video/mp4"));
        assert!(is_media("video/webm; codecs=\"vp9\""));
        assert!(!is_media("video/x-flv"));
        assert!(is_script("Text/JavaScript") && is_script("") && is_script("module"));
        assert!(!is_script("text/template") && !is_script("text/javascript; charset=x"));
        assert!(is_font("WOFF2-variations") && !is_font("svg") && !is_font("embedded-opentype"));
    }

    #[test]
    fn media_without_screens() {
        for media in [
            "print",
            "not all",
            "PRINT, speech",
            "only print and (color)",
        ] {
            assert!(excludes_screens(media), "{media}");
        }
        for media in [
            "",
            "all",
            "screen",
            "(min-width: 1px)",
            "not print",
            "print, (min-width: 1px)",
        ] {
            assert!(!excludes_screens(media), "{media}");
        }
    }
}
