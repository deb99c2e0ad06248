//! The names of directives and sections, and where they may be.
//!
//! Source: what `apache2 -L` of Apache 2.4 lists with its modules.

use super::spelling::is_typing_error;

/// The sections of the server and its modules, ...
const SECTIONS: [&str; 37] = [
    "authnprovideralias",
    "authzprovideralias",
    "directory",
    "directorymatch",
    "else",
    "elseif",
    "files",
    "filesmatch",
    "if",
    "ifdefine",
    "ifdirective",
    "iffile",
    "ifmodule",
    "ifsection",
    "ifversion",
    "limit",
    "limitexcept",
    "location",
    "locationmatch",
    "luahookaccesschecker",
    "luahookauthchecker",
    "luahookcheckuserid",
    "luahookfixups",
    "luahookmaptostorage",
    "luahookpretranslatename",
    "luahooktranslatename",
    "luahooktypechecker",
    "luaquickhandler",
    "macro",
    "mdomain",
    "mdomainset",
    "proxy",
    "proxymatch",
    "requireall",
    "requireany",
    "requirenone",
    "virtualhost",
];

/// ... those that only a server configuration can have, ...
const SERVER_SECTIONS: [&str; 8] = [
    "location",
    "locationmatch",
    "directory",
    "directorymatch",
    "virtualhost",
    "proxy",
    "proxymatch",
    "macro",
];

/// Sections of third-party modules.
const OTHER_SECTIONS: [&str; 2] = ["modpagespeedif", "perl"];

/// Directives that neither an `.htaccess` nor a section for some requests can have, ...
const ONLY_OUTSIDE: [&str; 22] = [
    "aliasmatch",
    "allowencodedslashes",
    "customlog",
    "documentroot",
    "errorlog",
    "keepalive",
    "listen",
    "loadmodule",
    "mergeslashes",
    "rewritemap",
    "serveradmin",
    "serveralias",
    "servername",
    "serverpath",
    "serverroot",
    "sslcertificatefile",
    "sslcertificatekeyfile",
    "sslengine",
    "timeout",
    "user",
    "userdir",
    "virtualdocumentroot",
];

/// ... and others that an `.htaccess` cannot have.
const NOT_IN_HTACCESS: [&str; 10] = [
    "alias",
    "allowoverride",
    "define",
    "include",
    "includeoptional",
    "proxypass",
    "proxypassmatch",
    "scriptalias",
    "scriptaliasmatch",
    "undefine",
];

/// Other directives of the server and its modules.
const DIRECTIVES: [&str; 33] = [
    "acceptpathinfo",
    "addtype",
    "allow",
    "checkspelling",
    "deny",
    "directoryindex",
    "directoryindexredirect",
    "directoryslash",
    "errordocument",
    "expiresactive",
    "fallbackresource",
    "header",
    "options",
    "order",
    "redirect",
    "redirectmatch",
    "redirectpermanent",
    "redirectrelative",
    "redirecttemp",
    "require",
    "requestheader",
    "rewritebase",
    "rewritecond",
    "rewriteengine",
    "rewriteoptions",
    "rewriterule",
    "sethandler",
    "setenv",
    "setenvif",
    "setenvifexpr",
    "setenvifnocase",
    "setoutputfilter",
    "unsetenv",
];

/// Whether a section has this name, in lower case.
pub(super) fn is_section(name: &str) -> bool {
    SECTIONS.contains(&name) || OTHER_SECTIONS.contains(&name)
}

/// Whether only a server configuration can have a section, by its name in lower case.
pub(super) fn is_server_section(name: &str) -> bool {
    SERVER_SECTIONS.contains(&name)
}

/// Whether a directive may be in a section for some requests, or in an `.htaccess`, by its name in
/// lower case.
pub(super) fn is_allowed(name: &str, is_in_section: bool, is_htaccess: bool) -> bool {
    let is_outside = !is_in_section && !is_htaccess;
    (is_outside || !ONLY_OUTSIDE.contains(&name))
        && !(is_htaccess && NOT_IN_HTACCESS.contains(&name))
}

/// Whether an `<IfSection>` or `<IfDirective>` holds; `None` if it is about a directive that is not
/// known.
pub(super) fn holds(kind: &str, condition: &str) -> Option<bool> {
    let condition = condition.trim_matches('"');
    let (name, is_negated) = match condition.strip_prefix('!') {
        Some(name) => (name.trim_start(), true),
        None => (condition, false),
    };
    let name = name.to_ascii_lowercase();
    let section = match kind {
        "ifsection" => Some(&*name),
        _ => name.strip_prefix('<'),
    };
    let exists = match section {
        Some(section) => SECTIONS.contains(&section),
        None if is_known(&name) => true,
        None if SECTIONS.contains(&&*name) => false,
        None => return None,
    };
    Some(exists != is_negated)
}

/// Whether a directive has this name, in lower case.
fn is_known(name: &str) -> bool {
    let all = [&ONLY_OUTSIDE[..], &NOT_IN_HTACCESS, &DIRECTIVES];
    all.iter().any(|names| names.contains(&name))
}

/// Whether no directive has this name, in lower case: it is one of those here with a typing error, or
/// has characters that no name has.
pub(super) fn is_misspelt(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_like = |known: &&str| is_typing_error(name.as_bytes(), known.as_bytes());
    if is_known(name) {
        return false;
    }
    // All with such names are known.
    let starts = ["redirect", "rewrite"];
    !name.bytes().all(is_part)
        || starts.iter().any(|start| name.starts_with(start))
        || DIRECTIVES.iter().chain(&NOT_IN_HTACCESS).any(is_like)
}
