//! Files that a message does not carry, but links to.

use baseref_unwrap::share;

use super::found::Found;
use super::opened::Opened;
use crate::rules;

pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>) {
    if !opened.is_followed() {
        return;
    }
    let Some(share) = share::of(opened.final_url()) else {
        return;
    };
    let owner = match share.owner {
        Some(owner) => format!(" of {owner}"),
        None => String::new(),
    };
    let message = format!(
        "a {} on {}{owner}{}",
        share.kind,
        share.service,
        opened.through()
    );
    found.add(
        &rules::mail::cloud_attachment::RULE,
        opened,
        share.service,
        message,
    );
}
