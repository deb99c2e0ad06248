//! What completions offer as the value of an option.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ValueHint};

/// A parser that accepts what `parser` does, and names values to be completed. Unlike with a list
/// of possible values, others are accepted or refused by the parser, in its own words.
#[derive(Clone)]
pub struct SuggestingParser<P> {
    /// What reads the value.
    pub parser: P,
    /// The values to offer.
    pub names: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for SuggestingParser<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = (self.names)().into_iter();
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// The argument with what its value is, by the name that the help gives it: only what names a file
/// or a directory is completed as one.
pub(super) fn hinted(arg: Arg) -> Arg {
    let names = arg.get_value_names().unwrap_or_default();
    let hint = match names.first().map(clap::builder::Str::as_str) {
        Some("FILE" | "FILE|-" | "PATH" | "PATH|-" | "A" | "B") => ValueHint::AnyPath,
        Some("DIR" | "DIR=URL" | "patch|DIR") => ValueHint::DirPath,
        _ => ValueHint::Other,
    };
    if arg.get_action().takes_values() {
        arg.value_hint(hint)
    } else {
        arg
    }
}
