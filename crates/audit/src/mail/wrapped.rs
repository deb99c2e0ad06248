//! Wrappers that hide where a link leads, or are imitated.

use baseref_unwrap::{End, Unwrapper};

use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::wrapper_bad_target::WrapperBadTarget;
use crate::rules::mail::wrapper_lookalike::WrapperLookalike;
use crate::rules::mail::wrapper_opaque::WrapperOpaque;
use crate::rules::mail::wrapper_undecodable::WrapperUndecodable;

pub(super) fn check(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    unwrapper: &Unwrapper,
) {
    let last = opened.chain.steps.last().map_or("", |step| step.wrapper);
    let through = opened.through();
    match opened.chain.end {
        Some(End::Opaque) if opened.is_followed() => {
            let message = match &opened.chain.hint {
                Some(hint) => WrapperOpaque::Hint { hint, through },
                None => WrapperOpaque::NoHint { through },
            };
            findings.add(opened, last, message);
        }
        Some(End::BadTarget) => {
            findings.add(opened, last, WrapperBadTarget { through });
        }
        Some(End::Undecodable) if opened.is_followed() => {
            findings.add(opened, last, WrapperUndecodable::Damaged { through });
        }
        Some(end @ (End::Loop | End::Depth | End::TooLong)) => {
            let why = end.as_str();
            findings.add(opened, last, WrapperUndecodable::Endless { why, through });
        }
        Some(_) => {}
        None => {
            if let Some(service) = unwrapper.lookalike(opened.final_url()) {
                let message = WrapperLookalike { service, through };
                findings.add(opened, opened.site(), message);
            }
        }
    }
}
