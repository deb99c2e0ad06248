//! How rules are written.

use std::fmt::Write as _; // for `write!`: a String takes every write

use crate::form::{Form, NewRule};

/// Writes rules for a server or virtual host. `Redirect` would also redirect everything below the path,
/// and `RedirectMatch` would escape the target again.
pub(crate) static FORM: Form = Form::lines("RewriteEngine On\n", form_rule, "");

/// Writes rules for an `.htaccess` file, whose patterns match the path below its folder.
pub(crate) static HTACCESS_FORM: Form = Form::lines("RewriteEngine On\n", form_htaccess_rule, "");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    Some(rewrite_rule(&new.path()?, new.to))
}

fn form_htaccess_rule(new: &NewRule<'_>) -> Option<String> {
    Some(rewrite_rule(new.path()?.strip_prefix(new.mount)?, new.to))
}

fn rewrite_rule(path: &str, to: &str) -> String {
    let mut rule = String::from("RewriteRule \"^");
    for character in path.chars() {
        match character {
            '/' | '-' | '_' => rule.push(character),
            _ if character.is_ascii_alphanumeric() || !character.is_ascii() => rule.push(character),
            '.' => rule += "\\.",
            _ => {
                let _ = write!(rule, "\\x{:02x}", u32::from(character));
            }
        }
    }
    rule += "$\" \"";
    for character in to.chars() {
        // Both characters start back-references.
        if matches!(character, '$' | '%') {
            rule.push('\\');
        }
        rule.push(character);
    }
    rule + "\" [R=301,L,NE]\n"
}
