//! HTML "DOCTYPE state" and the states after it: parses a doctype.

use std::borrow::Cow;

use super::character_reference::{Null, decode_text};

/// What tree construction needs of a doctype.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Doctype<'s> {
    /// The name in lower case; `None` if it is missing.
    pub(super) name: Option<String>,
    /// The public identifier; `None` if it is missing.
    pub(super) public_id: Option<Cow<'s, str>>,
    /// The system identifier; `None` if it is missing.
    pub(super) system_id: Option<Cow<'s, str>>,
    /// The force-quirks flag.
    pub(super) force_quirks: bool,
}

impl<'s> Doctype<'s> {
    /// Parses the text after `<!`, from `doctype` to `>`; without a `>` the document ended in the
    /// doctype.
    pub(super) fn parse(declaration: &'s str) -> Self {
        let mut doctype = Self::default();
        // Quoted identifiers end at `>`, too, so the other states never see one.
        let (inside, ended) = match declaration.strip_suffix('>') {
            Some(inside) => (inside, true),
            None => (declaration, false),
        };
        // The states after the name may end in the bogus state, with or without quirks; in all
        // others the end of the document forces quirks.
        doctype.force_quirks = match doctype.states(inside.get(7..).unwrap_or_default()) {
            DoctypeState::Complete => !ended,
            DoctypeState::Cut => true,
            DoctypeState::Bogus { force_quirks } => force_quirks,
        };
        doctype
    }

    fn states(&mut self, input: &'s str) -> DoctypeState {
        // "Before DOCTYPE name state", "DOCTYPE name state".
        let input = input.trim_start_matches(is_white_space);
        let (name, input) = input.split_at(input.find(is_white_space).unwrap_or(input.len()));
        if name.is_empty() {
            return DoctypeState::Cut;
        }
        self.name = Some(decode_text(name, false, Null::Replace).to_ascii_lowercase());
        // "After DOCTYPE name state".
        let input = input.trim_start_matches(is_white_space);
        if input.is_empty() {
            return DoctypeState::Complete;
        }
        match input.get(..6).map(str::to_ascii_lowercase).as_deref() {
            Some("public") => self.public(&input[6..]),
            Some("system") => self.system(&input[6..], true),
            _ => DoctypeState::Bogus { force_quirks: true },
        }
    }

    /// "After DOCTYPE public keyword state" to "between DOCTYPE public and system
    /// identifiers state".
    fn public(&mut self, input: &'s str) -> DoctypeState {
        match identifier(input) {
            Identifier::None => DoctypeState::Cut,
            Identifier::Other => DoctypeState::Bogus { force_quirks: true },
            Identifier::Cut(id) => {
                self.public_id = Some(id);
                DoctypeState::Cut
            }
            Identifier::Whole(id, input) => {
                self.public_id = Some(id);
                self.system(input, false)
            }
        }
    }

    /// "After DOCTYPE system keyword state" to "after DOCTYPE system identifier state".
    fn system(&mut self, input: &'s str, required: bool) -> DoctypeState {
        match identifier(input) {
            Identifier::None if required => DoctypeState::Cut,
            Identifier::None => DoctypeState::Complete,
            Identifier::Other => DoctypeState::Bogus { force_quirks: true },
            Identifier::Cut(id) => {
                self.system_id = Some(id);
                DoctypeState::Cut
            }
            Identifier::Whole(id, input) => {
                self.system_id = Some(id);
                if input.trim_start_matches(is_white_space).is_empty() {
                    DoctypeState::Complete
                } else {
                    DoctypeState::Bogus {
                        force_quirks: false,
                    }
                }
            }
        }
    }
}

/// How far the states got.
enum DoctypeState {
    /// To a state where `>` is valid and the end of the document is not.
    Complete,
    /// To a state where both `>` and the end of the document force quirks.
    Cut,
    /// "Bogus DOCTYPE state".
    Bogus { force_quirks: bool },
}

enum Identifier<'s> {
    /// Nothing but white space is left.
    None,
    /// Something that is not quoted.
    Other,
    /// The quote is not closed.
    Cut(Cow<'s, str>),
    /// With the rest after it.
    Whole(Cow<'s, str>, &'s str),
}

fn identifier(input: &str) -> Identifier<'_> {
    let input = input.trim_start_matches(is_white_space);
    let decode = |id| decode_text(id, false, Null::Replace);
    match input.chars().next() {
        None => Identifier::None,
        Some(quote @ ('"' | '\'')) => match input[1..].split_once(quote) {
            Some((id, rest)) => Identifier::Whole(decode(id), rest),
            None => Identifier::Cut(decode(&input[1..])),
        },
        Some(_) => Identifier::Other,
    }
}

fn is_white_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\x0c' | '\r' | ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctype_identifiers() {
        for (declaration, name, public_id, system_id, force_quirks) in [
            ("doctype html>", Some("html"), None, None, false),
            ("DOCTYPEHTML>", Some("html"), None, None, false),
            ("doctype>", None, None, None, true),
            ("doctype", None, None, None, true),
            ("doctype html", Some("html"), None, None, true),
            ("doctype a\0B >", Some("a\u{fffd}b"), None, None, false),
            ("doctype html public>", Some("html"), None, None, true),
            (
                "doctype html PUBLIC\"p\">",
                Some("html"),
                Some("p"),
                None,
                false,
            ),
            (
                "doctype html public 'p' >",
                Some("html"),
                Some("p"),
                None,
                false,
            ),
            (
                "doctype html public 'p' \"s\">",
                Some("html"),
                Some("p"),
                Some("s"),
                false,
            ),
            (
                "doctype html public 'p''s' x>",
                Some("html"),
                Some("p"),
                Some("s"),
                false,
            ),
            (
                "doctype html public 'p''s' x",
                Some("html"),
                Some("p"),
                Some("s"),
                false,
            ),
            (
                "doctype html public 'p' x>",
                Some("html"),
                Some("p"),
                None,
                true,
            ),
            (
                "doctype html public 'p>",
                Some("html"),
                Some("p"),
                None,
                true,
            ),
            (
                "doctype html system 's'>",
                Some("html"),
                None,
                Some("s"),
                false,
            ),
            (
                "doctype html system 's",
                Some("html"),
                None,
                Some("s"),
                true,
            ),
            ("doctype html system>", Some("html"), None, None, true),
            ("doctype html system s>", Some("html"), None, None, true),
            ("doctype html x>", Some("html"), None, None, true),
        ] {
            let doctype = Doctype::parse(declaration);
            assert_eq!(doctype.name.as_deref(), name, "{declaration:?}");
            assert_eq!(doctype.public_id.as_deref(), public_id, "{declaration:?}");
            assert_eq!(doctype.system_id.as_deref(), system_id, "{declaration:?}");
            assert_eq!(doctype.force_quirks, force_quirks, "{declaration:?}");
        }
    }
}
