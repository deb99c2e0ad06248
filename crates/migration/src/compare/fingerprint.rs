//! File names that a build derives from contents, such as `app.3f2a1bc9.js`. They change with the
//! contents, and only pages of the same build use them.

use baseref_resolve::parts::{path, without_query};

/// The extensions of files that pages load, other than pages themselves.
const ASSETS: [&str; 20] = [
    "avif", "css", "eot", "gif", "ico", "jpeg", "jpg", "js", "json", "map", "mjs", "otf", "png",
    "svg", "ttf", "wasm", "webp", "woff", "woff2", "txt",
];

/// The minimum length of a hexadecimal fingerprint.
const MIN_HEX: usize = 6;
/// The minimum length of a fingerprint in letters of both cases.
const MIN_MIXED: usize = 8;
/// The length from which a fingerprint needs no mixture of digits and letters.
const MIN_CERTAIN_HEX: usize = 16;

/// Whether the name of the file at `url`, or of a folder above it, has the fingerprint of a build.
#[must_use]
pub fn is_fingerprinted(url: &str) -> bool {
    let path = without_query(path(url));
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_asset = ASSETS.iter().any(|one| extension.eq_ignore_ascii_case(one));
    let in_stem = || {
        // Bundlers append a fingerprint that can contain characters which elsewhere separate words.
        let last = stem.rfind(['.', '-']).map(|at| &stem[at + 1..]);
        let tail = stem.get(stem.len().saturating_sub(MIN_MIXED)..);
        let is_set_off = stem.len() > MIN_MIXED
            && stem[..stem.len().saturating_sub(MIN_MIXED)].ends_with(['.', '-']);
        stem.split(['.', '-', '_', '~']).any(is_random)
            || last.is_some_and(is_random)
            || tail.is_some_and(|tail| is_set_off && is_random(&tail.replace(['-', '_'], "")))
    };
    is_asset && (in_stem() || folders.split('/').any(is_random))
}

/// The extensions of files that make up the theme of a site: style sheets, scripts and fonts. Pages load
/// them, and readers do not ask for them.
const THEME_EXTENSIONS: [&str; 9] = [
    "css", "eot", "js", "map", "mjs", "otf", "ttf", "woff", "woff2",
];

/// The message about such a file.
pub const THEME: &str = "part of a theme that no page of the new tree uses";

/// The extensions of images that may be part of a theme.
const IMAGE_EXTENSIONS: [&str; 8] = ["avif", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];

/// The folders that generators have the files of their themes in: Pelican and Hugo, Sphinx, wikis,
/// `WordPress`; those of bundlers; and those of fonts, which are drawn in SVG, too.
const THEME_FOLDERS: [&str; 15] = [
    "theme",
    "themes",
    "_static",
    "skin",
    "skins",
    "_astro",
    "_next",
    "_nuxt",
    "_app",
    "sb-addons",
    "sb-common-assets",
    "sb-manager",
    "font",
    "fonts",
    "webfonts",
];

/// Whether a URL names a style sheet, a script or a font, or an image in the folder of a theme, which
/// change with the theme of a site.
#[must_use]
pub fn is_theme_file(url: &str) -> bool {
    let path = without_query(path(url));
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_one_of = |all: &[&str]| all.iter().any(|one| extension_is(name, one));
    let in_theme = || {
        let mut folders = folders.split('/');
        folders.any(|folder| THEME_FOLDERS.contains(&folder))
    };
    is_one_of(&THEME_EXTENSIONS) || is_one_of(&IMAGE_EXTENSIONS) && in_theme()
}

/// Whether a URL names a drawing, which is read as a document, but is an image.
#[must_use]
pub fn is_drawing(url: &str) -> bool {
    extension_is(without_query(path(url)), "svg")
}

fn extension_is(name: &str, extension: &str) -> bool {
    let own = name.rsplit_once('.').map_or("", |(_, own)| own);
    own.eq_ignore_ascii_case(extension)
}

/// Whether a part of a name looks like a hash rather than a word, a number or a date.
fn is_random(part: &str) -> bool {
    if !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let count = |test: fn(&u8) -> bool| part.bytes().filter(test).count();
    let digits = count(u8::is_ascii_digit);
    let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let is_hex = part.bytes().all(|byte| byte.is_ascii_hexdigit()) && (upper == 0 || lower == 0);
    if is_hex {
        return part.len() >= MIN_CERTAIN_HEX
            || part.len() >= MIN_HEX && digits > 0 && digits < part.len();
    }
    let cases: Vec<bool> = part
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|byte| byte.is_ascii_uppercase())
        .collect();
    let changes = cases.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // Words start with a capital and end with their number: `ReadMe2`, `iPhone15`.
    let has_inner_digit = part
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic());
    part.len() + 2 >= MIN_MIXED && lower > 0 && (has_inner_digit && upper > 1 || changes >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theme_files_by_extension_and_folder() {
        for url in [
            "https://h/assets/stylesheets/main.css",
            "https://h/_static/minus.png",
            "https://h/theme/images/logo.svg",
            "https://h/assets/fonts/glyphicons.svg",
            "https://h/wp-content/themes/x/bg.gif",
            "https://h/_next/static/media/a.webp",
        ] {
            assert!(is_theme_file(url), "{url}");
        }
        for url in [
            "https://h/img/photo.png",
            "https://h/theme/index.html",
            "https://h/theme.png",
            "https://h/fonts/specimen.pdf",
        ] {
            assert!(!is_theme_file(url), "{url}");
        }
    }

    #[test]
    fn fingerprints_among_words_numbers_and_dates() {
        for url in [
            "https://h/assets/main.3f2a1bc9.js",
            "https://h/style.min.8c3ca2c6d5b1f0aa11.css",
            "https://h/static/app-0123456789abcdef0123.js?v=1",
            "https://h/_astro/index.DhYZ8kPq.css",
            "https://h/assets/index-BX3k_9aZ.js",
            "https://h/_next/static/chunks/main-4e1b0f.js",
            "https://h/img/logo_5d41402abc4b2a76b9719d911017c592.png",
        ] {
            assert!(is_fingerprinted(url), "{url}");
        }
        for url in [
            "https://h/a.html",
            "https://h/assets/jquery-3.7.1.min.js",
            "https://h/img/photo-20240101.jpg",
            "https://h/img/photo-2024-01-01.jpg",
            "https://h/bootstrap5.min.css",
            "https://h/IMG_1234.jpg",
            "https://h/MyScript.js",
            "https://h/guide-3f2a1bc9.html",
            "https://h/img/iPhone15.png",
            "https://h/fontawesome-webfont.woff2",
            "https://h/decade.css",
        ] {
            assert!(!is_fingerprinted(url), "{url}");
        }
    }
}
