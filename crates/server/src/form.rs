//! The syntax in which a dialect's rules are written.

use crate::request::Request;

/// The layout of a file of rules, and the function that writes one.
pub(crate) struct Form {
    /// The text before the rules, in whole lines.
    pub(crate) head: &'static str,
    pub(crate) separator: &'static str,
    pub(crate) foot: &'static str,
    /// Writes a rule, with its line end if it is a line of its own; `None` if the dialect cannot
    /// express it.
    pub(crate) rule: fn(&NewRule<'_>) -> Option<String>,
    /// Whether a rule also applies to everything that begins with its source, so that longer sources
    /// must come first.
    pub(crate) by_prefix: bool,
}

/// A redirect to write a rule for.
pub(crate) struct NewRule<'u> {
    /// The old address, in WHATWG form.
    pub(crate) from: &'u str,
    /// The new address, in the same form.
    pub(crate) to: &'u str,
    /// The request for the old address.
    pub(crate) request: Request<'u>,
    /// The path of the folder that the file will be in.
    pub(crate) mount: &'u str,
}

impl NewRule<'_> {
    /// The decoded path of the old address; `None` if it is not UTF-8 or has control characters.
    pub(crate) fn path(&self) -> Option<String> {
        let path = String::from_utf8(self.request.decoded_path().into_owned()).ok()?;
        (!path.contains(char::is_control)).then_some(path)
    }
}

impl Form {
    /// A file with a line for each rule.
    pub(crate) const fn lines(
        head: &'static str,
        rule: fn(&NewRule<'_>) -> Option<String>,
        foot: &'static str,
    ) -> Self {
        Self {
            head,
            separator: "",
            foot,
            rule,
            by_prefix: false,
        }
    }

    /// A JSON file with an object for each rule.
    pub(crate) const fn json(
        head: &'static str,
        rule: fn(&NewRule<'_>) -> Option<String>,
        foot: &'static str,
    ) -> Self {
        Self {
            separator: ",\n",
            ..Self::lines(head, rule, foot)
        }
    }

    /// A file of these rules.
    pub(crate) fn file<'r>(&self, rules: impl Iterator<Item = &'r String>) -> String {
        let rules: Vec<&str> = rules.map(String::as_str).collect();
        format!("{}{}{}", self.head, rules.join(self.separator), self.foot)
    }
}
