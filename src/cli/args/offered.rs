//! The values that completions offer for an option.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ValueHint};

/// A parser that accepts what `parser` does, and suggests values to completions. Unlike clap's
/// possible values, these exclude no others, which the parser accepts or refuses with its own
/// message.
#[derive(Clone)]
pub struct SuggestingParser<P> {
    /// The parser of the value.
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

/// The argument with a hint of what its value is, by the value's name in the help: only paths are
/// completed as files or directories.
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
