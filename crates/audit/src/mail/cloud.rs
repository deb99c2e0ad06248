//! Files that a message does not carry, but links to.

use baseref_unwrap::share;

use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::cloud_attachment::CloudAttachment;

pub(super) fn check(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>) {
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
    findings.add(opened, service, message);
}
