//! The syntax of Caddyfiles: directives with their words and their blocks.

use std::collections::HashMap;

use super::rule::{Read, Trouble};

/// The maximum depth of blocks and of imports in one another.
const MAX_DEPTH: usize = 16;
/// The maximum number of directives, those that imports repeat included, for each byte of the file.
const MAX_DIRECTIVES: usize = 1 << 20;

/// One directive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// 1-based.
    pub(super) line: usize,
    /// The name and the arguments.
    pub(super) words: Vec<String>,
    pub(super) block: Option<Vec<Directive>>,
}

impl Directive {
    pub(super) fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(super) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// A word of the text.
#[derive(Debug)]
struct Word {
    text: String,
    line: usize,
    is_quoted: bool,
    /// Whether it is the first one of its line.
    is_first: bool,
}

/// Parses a text. Blocks of sites and snippets are at the top; a single site may go without braces.
pub(super) fn parse(text: &str, read: &mut Read) -> Vec<Directive> {
    let mut parser = Parser {
        words: Words::new(text).peekable(),
        read,
    };
    let top = parser.block(0);
    let mut snippets = HashMap::new();
    let mut rest = Vec::new();
    for directive in top {
        let name = directive.name();
        match name
            .strip_prefix('(')
            .and_then(|name| name.strip_suffix(')'))
        {
            Some(name) => {
                snippets.insert(name.to_owned(), directive.block.unwrap_or_default());
            }
            None => rest.push(directive),
        }
    }
    let mut imports = Imports {
        snippets,
        count: 0,
        is_told: false,
    };
    imports.expand(rest, &[], 0, read)
}

/// The words of a text, one by one: all together take many times its size.
struct Words<'t> {
    chars: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    is_first: bool,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            chars: text.chars().peekable(),
            line: 1,
            is_first: true,
        }
    }

    /// The text between quotes of this kind, the first of which was read.
    fn quoted(&mut self, quote: char) -> String {
        let mut word = String::new();
        while let Some(next) = self.chars.next() {
            match next {
                _ if next == quote => break,
                '\\' if quote == '"' && self.chars.peek() == Some(&'"') => {
                    word.extend(self.chars.next());
                }
                '\n' => {
                    self.line += 1;
                    word.push(next);
                }
                _ => word.push(next),
            }
        }
        word
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            let c = self.chars.next()?;
            if c == '\n' {
                self.line += 1;
                self.is_first = true;
                continue;
            }
            if c.is_whitespace() {
                continue;
            }
            if c == '\\' && matches!(self.chars.peek(), Some('\n')) {
                // The line goes on.
                self.chars.next();
                self.line += 1;
                continue;
            }
            if c == '#' {
                while self.chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            let line = self.line;
            let is_quoted = matches!(c, '"' | '`');
            let text = if is_quoted {
                self.quoted(c)
            } else {
                let mut word = String::from(c);
                while let Some(next) = self.chars.next_if(|c| !c.is_whitespace()) {
                    word.push(next);
                }
                word
            };
            return Some(Word {
                text,
                line,
                is_quoted,
                is_first: std::mem::take(&mut self.is_first),
            });
        }
    }
}

struct Parser<'r, 't> {
    words: std::iter::Peekable<Words<'t>>,
    read: &'r mut Read,
}

impl Parser<'_, '_> {
    /// Reads directives up to a closing brace.
    fn block(&mut self, depth: usize) -> Vec<Directive> {
        let mut out = Vec::new();
        while let Some(word) = self.words.next() {
            if word.text == "}" && !word.is_quoted {
                if depth == 0 {
                    let message = "a brace closes nothing";
                    self.read.problem(word.line, Trouble::Refused, message);
                    continue;
                }
                return out;
            }
            let mut directive = Directive {
                line: word.line,
                ..Directive::default()
            };
            let mut opens = word.text == "{" && !word.is_quoted;
            if !opens {
                directive.words.push(word.text);
            }
            while !opens && let Some(next) = self.words.next_if(|word| !word.is_first) {
                if next.text == "{" && !next.is_quoted {
                    opens = true;
                } else {
                    directive.words.push(next.text);
                }
            }
            if opens {
                if depth >= MAX_DEPTH {
                    let message = format!("blocks are more than {MAX_DEPTH} deep (rule-nesting)");
                    self.read.problem(directive.line, Trouble::Refused, message);
                    self.words.by_ref().for_each(drop);
                    return out;
                }
                directive.block = Some(self.block(depth + 1));
            }
            // Most directives have a word or two.
            directive.words.shrink_to_fit();
            out.push(directive);
        }
        out
    }
}

/// Snippets that are imported.
struct Imports {
    snippets: HashMap<String, Vec<Directive>>,
    count: usize,
    is_told: bool,
}

impl Imports {
    /// Directives with imports replaced by what they name.
    fn expand(
        &mut self,
        directives: Vec<Directive>,
        arguments: &[String],
        depth: usize,
        read: &mut Read,
    ) -> Vec<Directive> {
        let mut out = Vec::new();
        for mut directive in directives {
            self.count += 1;
            if self.count > MAX_DIRECTIVES || depth > MAX_DEPTH {
                if !self.is_told {
                    let message = "imports repeat too much (rule-nesting)";
                    read.problem(directive.line, Trouble::Refused, message);
                    self.is_told = true;
                }
                return out;
            }
            for word in &mut directive.words {
                for (number, argument) in arguments.iter().enumerate() {
                    if word.contains("{args") {
                        *word = word
                            .replace(&format!("{{args[{number}]}}"), argument)
                            .replace(&format!("{{args.{number}}}"), argument);
                    }
                }
            }
            if directive.name() == "import" {
                let name = directive.arguments().first().cloned().unwrap_or_default();
                let Some(snippet) = self.snippets.get(&name).cloned() else {
                    let message = format!("{name:?} is imported and not in this file: not read");
                    read.problem(directive.line, Trouble::NotRead, message);
                    out.push(directive);
                    continue;
                };
                let own = directive.arguments().get(1..).unwrap_or_default().to_vec();
                out.extend(self.expand(snippet, &own, depth + 1, read));
                continue;
            }
            if let Some(block) = directive.block.take() {
                directive.block = Some(self.expand(block, arguments, depth + 1, read));
            }
            out.push(directive);
        }
        out
    }
}
