//! Where an address leads: redirect after redirect, at the old site and the new one, to a file or to an
//! end without one.

mod catch_all;
mod chain;
mod context;
mod served;
pub mod stubs;
mod targets;

pub use chain::{End, Hop, MAX_HOPS, RedirectChain, RuleId, RuleLine};
pub use context::MoveContext;
pub use stubs::{Stub, Stubs};
pub use targets::Targets;
