//! Shared by the dialects: matching a request within a budget.

pub(crate) mod choices;
pub(crate) mod conditions;
pub(crate) mod glob;
pub(crate) mod index;
pub(crate) mod path_to_regexp;
pub(crate) mod pattern;
pub(crate) mod work;
