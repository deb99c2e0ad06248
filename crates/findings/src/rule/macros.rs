//! The macros that define rules.

/// Defines one rule in a file of its own, as a static called `RULE`: its id, level, source, summary,
/// explanation and example (a command, and the files that it is run on), and the messages of its
/// findings.
///
/// ```
/// mod missing_file {
///     baseref_findings::rule! {
///         "target/missing-file" Error "RFC 1808 §4"
///         "the link leads to a missing file"
///         "A reader who follows the link finds nothing."
///         "baseref audit ." { "page.html": "<a href=\"gone.html\">" }
///
///         enum MissingFile<'m> {
///             Missing => "no such file",
///             Redirected { to: &'m str } => "redirected to {to}, which does not exist",
///             Placeholder: Warning => "looks like a placeholder that was not filled in",
///         }
///     }
/// }
/// use baseref_findings::{Level, Violation};
/// use missing_file::{MissingFile, RULE};
///
/// assert_eq!(RULE.example.to_string(), "-- page.html --\n<a href=\"gone.html\">\n$ baseref audit .");
/// let violation = Violation::from(MissingFile::Redirected { to: "b.html" });
/// assert_eq!(&*violation.message, "redirected to b.html, which does not exist");
/// assert_eq!((violation.rule, violation.level), (&RULE, Level::Error));
/// assert_eq!(Violation::from(MissingFile::Placeholder).level, Level::Warning);
/// ```
///
/// A rule with one message has a `struct` in place of the `enum`: `struct IpHost<'m> { ip: &'m str
/// } => "the host is {ip}"`. A message that needs more than a format string implements
/// [`Display`](std::fmt::Display) by hand, and `message IpHost<'_>` then makes it a message of the
/// rule. Without messages, every finding shows the summary.
///
/// A rule without an example does not compile:
///
/// ```compile_fail
/// baseref_findings::rule! {
///     "target/missing-file" Error "RFC 1808 §4"
///     "the link leads to a missing file"
///     "A reader who follows the link finds nothing."
///     "baseref audit ." {}
/// }
/// ```
#[macro_export]
macro_rules! rule {
    (@new $id:literal $level:ident $reference:literal $summary:literal $explanation:literal
     $command:literal { $($file:literal : $text:literal $(* $times:literal)?),* $(,)? }) => {
        $crate::Rule {
            id: $id,
            level: $crate::Level::$level,
            summary: $summary,
            explanation: $explanation,
            reference: $reference,
            example: $crate::Example::new($command, &[$(
                $crate::ExampleFile {
                    name: $file,
                    text: $text,
                    times: 1 $(* $times)?,
                }
            ),*]),
        }
    };
    (@message) => {};
    (@message message $name:ty) => {
        impl $crate::Message for $name {
            const RULE: &'static $crate::Rule = &RULE;
        }
    };
    (@message $(#[$doc:meta])* struct $name:ident => $text:literal) => {
        $(#[$doc])*
        pub(crate) struct $name;

        $crate::rule! { @message message $name }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, $text)
            }
        }
    };
    (@message $(#[$doc:meta])* struct $name:ident $(<$life:lifetime>)?
     { $($(#[$about:meta])* $field:ident : $type:ty),* $(,)? } => $text:literal) => {
        $(#[$doc])*
        pub(crate) struct $name $(<$life>)? { $($(#[$about])* pub(crate) $field: $type),* }

        impl $(<$life>)? std::fmt::Display for $name $(<$life>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let Self { $($field),* } = self;
                write!(f, $text)
            }
        }

        impl $(<$life>)? $crate::Message for $name $(<$life>)? {
            const RULE: &'static $crate::Rule = &RULE;
        }
    };
    (@message $(#[$doc:meta])* enum $name:ident $(<$life:lifetime>)? {
        $($(#[$about:meta])* $variant:ident $({ $($field:ident : $type:ty),* $(,)? })?
          $(: $level:ident)? => $text:literal),* $(,)?
    }) => {
        $(#[$doc])*
        pub(crate) enum $name $(<$life>)? {
            $($(#[$about])* $variant $({ $($field: $type),* })?),*
        }

        impl $(<$life>)? std::fmt::Display for $name $(<$life>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant { $($($field),*)? } => write!(f, $text)),*
                }
            }
        }

        impl $(<$life>)? $crate::Message for $name $(<$life>)? {
            const RULE: &'static $crate::Rule = &RULE;

            fn level(&self) -> $crate::Level {
                match self {
                    $($(Self::$variant { .. } => $crate::Level::$level,)?)*
                    #[allow(unreachable_patterns, reason = "every message may have a level")]
                    _ => RULE.level,
                }
            }
        }
    };
    ($id:literal $level:ident $reference:literal $summary:literal $explanation:literal
     $command:literal { $($files:tt)* } $($message:tt)*) => {
        #[doc = concat!("`", $id, "`: ", $summary, ".")]
        pub static RULE: $crate::Rule = $crate::rule!(@new
            $id $level $reference $summary $explanation $command { $($files)* });

        $crate::rule! { @message $($message)* }
    };
}

/// Makes the list `ALL` of the rules in these modules, in the order of the documentation:
/// `target { missing_file missing_fragment }` names `target::missing_file::RULE` and
/// `target::missing_fragment::RULE`.
#[macro_export]
macro_rules! rule_list {
    ($($family:ident { $($rule:ident)* })*) => {
        /// Every rule, in the order of the documentation.
        pub static ALL: &[&$crate::Rule] = &[$($(&$family::$rule::RULE,)*)*];
    };
}

/// Defines several rules in one place, each as a static with this name, and their list `ALL`. A name
/// alone lists a rule that is defined elsewhere.
#[macro_export]
macro_rules! rules {
    ($($name:ident $($id:literal $level:ident $reference:literal
       $summary:literal $explanation:literal
       $command:literal { $($files:tt)* })?;)*) => {
        $($(
            #[doc = concat!("`", $id, "`: ", $summary, ".")]
            pub static $name: $crate::Rule = $crate::rule!(@new
                $id $level $reference $summary $explanation $command { $($files)* });
        )?)*

        /// Every rule, in the order of the documentation.
        pub static ALL: &[&$crate::Rule] = &[$(&$name),*];
    };
}
