//! Files that a message does not carry, but links to.

use baseref_unwrap::share;

use super::found::Found;
use super::opened::Opened;
use crate::rules::mail::cloud_attachment::CloudAttachment;

pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>) {
    if !opened.is_followed() {
        return;
    }
    let Some(share) = share::find(opened.final_url()) else {
        return;
    };
    let (kind, service, through) = (share.kind, share.service, opened.through());
    let message = match share.owner {
        Some(owner) => CloudAttachment::SharedBy {
            kind,
            service,
            owner,
            through,
        },
        None => CloudAttachment::Shared {
            kind,
            service,
            through,
        },
    };
    found.add(opened, service, message);
}
