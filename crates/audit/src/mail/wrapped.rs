//! Wrappers that hide where a link leads, or are imitated.

use baseref_unwrap::{End, Unwrapper};

use super::found::Found;
use super::opened::Opened;
use crate::rules;

pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>, unwrapper: &Unwrapper) {
    let last = opened.chain.steps.last().map_or("", |step| step.wrapper);
    let through = || opened.through();
    match opened.chain.end {
        Some(End::Opaque) if opened.is_followed() => {
            let hint = match &opened.chain.hint {
                Some(hint) => format!("; it names \"{hint}\", which is no proof"),
                None => String::new(),
            };
            let message = format!("only the service knows where it leads{hint}{}", through());
            found.add(&rules::mail::wrapper_opaque::RULE, opened, last, message);
        }
        Some(End::BadTarget) => {
            let message = format!("what is wrapped is no address of the web{}", through());
            found.add(
                &rules::mail::wrapper_bad_target::RULE,
                opened,
                last,
                message,
            );
        }
        Some(End::Undecodable) if opened.is_followed() => {
            let message = format!("what is wrapped is missing or damaged{}", through());
            found.add(
                &rules::mail::wrapper_undecodable::RULE,
                opened,
                last,
                message,
            );
        }
        Some(end @ (End::Loop | End::Depth | End::TooLong)) => {
            let why = end.as_str();
            let message = format!("it cannot be opened to its end: {why}{}", through());
            found.add(
                &rules::mail::wrapper_undecodable::RULE,
                opened,
                last,
                message,
            );
        }
        Some(_) => {}
        None => {
            let url = opened.final_url();
            if let Some(name) = unwrapper.lookalike(url) {
                let message = format!(
                    "it looks like a link of {name}, on the host of another{}",
                    through()
                );
                found.add(
                    &rules::mail::wrapper_lookalike::RULE,
                    opened,
                    opened.site(),
                    message,
                );
            }
        }
    }
}
