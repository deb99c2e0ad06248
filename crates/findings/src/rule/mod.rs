//! Rules: what is checked, with levels, explanations and messages.

pub(crate) mod common;
pub(crate) mod definition;
pub(crate) mod example;
pub(crate) mod level;
mod macros;
pub(crate) mod message;
#[cfg(test)]
#[expect(dead_code, reason = "the list is not used")]
pub(crate) mod tests;
