//! `handle_errors`: what is sent in place of errors.

use super::caddyfile::Directive;
use super::handler::Handlers;
use super::order;
use super::read::BlockContext;
use super::state::RequestState;
use crate::engine::work::Work;
use crate::request::Files;
use crate::rule::{Answer, RuleParser};

/// The handlers of errors, in the order in which they run.
#[derive(Debug, Default)]
pub(super) struct Errors(Vec<(Statuses, Handlers)>);

/// The first and the last of each range of statuses; none for all errors.
type Statuses = Vec<(u16, u16)>;

impl Errors {
    /// The handlers of errors in the block of a site.
    pub(super) fn new(
        block: &[Directive],
        context: &BlockContext<'_>,
        parser: &mut RuleParser,
    ) -> Self {
        let directives = block.iter().filter(|one| one.name() == "handle_errors");
        let list = directives.map(|one| {
            let statuses = one.arguments().iter().filter_map(|status| range(status));
            let block = one.block.as_deref().unwrap_or_default();
            (
                statuses.collect(),
                Handlers::new(block, true, context, parser),
            )
        });
        // As Caddy sorts them: equal ones from the last to the first.
        let is_less = |(one, _): &(Statuses, _), (other, _): &(Statuses, _)| {
            !one.is_empty() || other.is_empty()
        };
        Self(order::sorted(list.collect(), is_less))
    }

    /// The answer in place of an error. The handlers see the original request.
    pub(super) fn answer(
        &self,
        error: Answer,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let Answer::Refused { status, rule } = error else {
            return error;
        };
        let mut again = RequestState {
            root: state.root.clone(),
            error: Some(status),
            ..RequestState::new(&state.request, state.original.clone())
        };
        for (statuses, handlers) in &self.0 {
            let is_in = |(first, last): &(u16, u16)| (*first..=*last).contains(&status);
            if !statuses.is_empty() && !statuses.iter().any(is_in) {
                continue;
            }
            match handlers.run(&mut again, files, work) {
                Ok(None) => {}
                Ok(Some(answer @ Answer::Redirect { .. })) => return answer,
                // Only a text of its own has another status than the error.
                Ok(Some(answer)) if again.has_text => {
                    return match answer {
                        Answer::Refused { status, .. } => Answer::Refused { status, rule },
                        other => other,
                    };
                }
                Ok(Some(_)) => return error,
                Err(line) => return Answer::Unknown { line },
            }
            if let Some(line) = handlers.unread {
                return Answer::Unknown { line };
            }
        }
        error
    }
}

/// The statuses of an argument: `404`, or `4xx`.
fn range(argument: &str) -> Option<(u16, u16)> {
    match argument.strip_suffix("xx") {
        Some(digit) => {
            let hundreds = digit.parse::<u16>().ok()?.checked_mul(100)?;
            Some((hundreds, hundreds + 99))
        }
        None => argument.parse().ok().map(|status| (status, status)),
    }
}
