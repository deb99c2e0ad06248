//! The example of a rule: files, and a command that reports them.

use std::fmt;

/// Files, and a command that reports a finding of a rule when it is run in the folder with them. A
/// test runs every example.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    command: &'static str,
    files: &'static [ExampleFile],
}

/// A file of an example.
#[derive(Debug, PartialEq, Eq)]
pub struct ExampleFile {
    /// Its path below the folder, with `/`, or `LINK -> TARGET` of a symbolic link.
    pub name: &'static str,
    /// Its content.
    pub text: &'static str,
    /// How many times the text is repeated.
    pub times: usize,
}

impl Example {
    /// An example of these files. A command has words without white space, separated by spaces, and
    /// the first is `baseref`.
    ///
    /// # Panics
    /// If there are no files, a file has no name, or the command does not start with `baseref`. In a
    /// static, as [`rules!`](crate::rules) defines it, that is a compile error.
    #[must_use]
    pub const fn new(command: &'static str, files: &'static [ExampleFile]) -> Self {
        assert!(
            matches!(
                command.as_bytes(),
                [b'b', b'a', b's', b'e', b'r', b'e', b'f', b' ', _, ..]
            ),
            "an example has a command of baseref"
        );
        assert!(!files.is_empty(), "an example has a file");
        let mut rest = files;
        while let [file, others @ ..] = rest {
            assert!(
                !file.name.is_empty() && file.times > 0,
                "a file has a name and is there"
            );
            rest = others;
        }
        Self { command, files }
    }

    /// The arguments of the program.
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.command.split_ascii_whitespace().skip(1)
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &'static [ExampleFile] {
        self.files
    }
}

impl ExampleFile {
    /// The path and the target of a symbolic link.
    #[must_use]
    pub fn link(&self) -> Option<(&'static str, &'static str)> {
        self.name.split_once(" -> ")
    }

    /// The bytes of the file.
    #[must_use]
    pub fn contents(&self) -> String {
        self.text.repeat(self.times)
    }
}

/// The files, each below a line with its name, and the command in the last line.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in self.files {
            let times = match file.times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            writeln!(f, "-- {}{times} --", file.name)?;
            for line in file.text.lines() {
                writeln!(f, "{line}")?;
            }
        }
        write!(f, "$ {}", self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static EXAMPLE: Example = Example::new(
        "baseref audit site --level note",
        &[
            ExampleFile {
                name: "site/a.html",
                text: "<a href=b>\n",
                times: 2,
            },
            ExampleFile {
                name: "site/b",
                text: "",
                times: 1,
            },
        ],
    );

    #[test]
    fn example_is_displayed_as_files_and_command() {
        assert_eq!(
            EXAMPLE.to_string(),
            "-- site/a.html (2 times) --\n<a href=b>\n-- site/b --\n\
             $ baseref audit site --level note"
        );
    }

    #[test]
    fn example_has_arguments_and_contents() {
        let arguments: Vec<&str> = EXAMPLE.arguments().collect();
        assert_eq!(arguments, ["audit", "site", "--level", "note"]);
        let contents: Vec<String> = EXAMPLE.files().iter().map(ExampleFile::contents).collect();
        assert_eq!(contents, ["<a href=b>\n<a href=b>\n", ""]);
    }
}
