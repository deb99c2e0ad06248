//! The grammar of an nginx configuration: directives of words, with or without a block.

/// The maximum nesting depth of blocks.
const MAX_DEPTH: usize = 64;

/// A directive.
#[derive(Debug, Default)]
pub(super) struct Directive {
    /// 1-based.
    pub(super) line: usize,
    pub(super) words: Vec<Word>,
    pub(super) block: Option<Vec<Directive>>,
    /// The equal directives that follow it and have no effect.
    pub(super) repetitions: Option<Repetitions>,
}

/// Directives that equal the one before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repetitions {
    /// The line of the first of them.
    pub(super) line: usize,
    pub(super) count: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) is_quoted: bool,
}

impl Directive {
    pub(super) fn name(&self) -> &str {
        self.words.first().map_or("", |word| word.text.as_str())
    }

    /// Whether an equal directive directly after this one is never reached, or refused.
    fn ends(&self) -> bool {
        match self.name() {
            "rewrite" => self.words.last().is_some_and(|flag| {
                let flags = ["last", "break", "redirect", "permanent"];
                self.words.len() == 4 && flags.contains(&&*flag.text)
            }),
            "return" | "location" => true,
            "if" => {
                let mut inside = self.block.iter().flatten();
                inside.any(|directive| directive.name() == "return")
            }
            _ => false,
        }
    }

    /// Whether both are the same on different lines. The depth of blocks has a limit.
    fn equals(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|one| one.block.as_deref());
        let are_equal = |(one, other): (&Self, &Self)| one.equals(other);
        self.words == other.words
            && own.map(<[Self]>::len) == others.map(<[Self]>::len)
            && own
                .into_iter()
                .flatten()
                .zip(others.into_iter().flatten())
                .all(are_equal)
    }

    /// The words after the name.
    pub(super) fn arguments(&self) -> Vec<&str> {
        let words = self.words.iter().skip(1);
        words.map(|word| word.text.as_str()).collect()
    }
}

/// Why a configuration is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Parses the directives up to the first error, and returns both.
pub(super) fn parse(text: &str) -> (Vec<Directive>, Option<SyntaxError>) {
    let mut parser = Parser {
        open: Vec::new(),
        done: Vec::new(),
    };
    let error = parser.parse(tokens(text)).err();
    while let Some(mut directive) = parser.open.pop() {
        directive.block = Some(std::mem::take(&mut parser.done));
        parser.done = directive.siblings;
        parser.add(Directive {
            line: directive.line,
            words: directive.words,
            block: directive.block,
            repetitions: None,
        });
    }
    (parser.done, error)
}

#[derive(Debug)]
enum Token {
    Word(Word),
    OpenDirective,
    Close,
    End,
    /// An unclosed quote.
    Unclosed,
}

/// A directive whose block is open, with the directives before it.
struct OpenDirective {
    line: usize,
    words: Vec<Word>,
    block: Option<Vec<Directive>>,
    siblings: Vec<Directive>,
}

struct Parser {
    open: Vec<OpenDirective>,
    done: Vec<Directive>,
}

impl Parser {
    /// Adds a complete directive, or counts it if it repeats the one before.
    fn add(&mut self, directive: Directive) {
        match self.done.last_mut() {
            Some(last) if last.ends() && last.equals(&directive) => {
                let line = directive.line;
                let found = last
                    .repetitions
                    .get_or_insert(Repetitions { line, count: 0 });
                found.count += 1;
            }
            _ => self.done.push(directive),
        }
    }

    fn parse(&mut self, tokens: impl Iterator<Item = (usize, Token)>) -> Result<(), SyntaxError> {
        let mut words: Vec<Word> = Vec::new();
        let mut start = 1;
        let mut last = 1;
        for (line, token) in tokens {
            let error = |message: &str| SyntaxError {
                line,
                message: message.to_owned(),
            };
            last = line;
            match token {
                Token::Word(word) => {
                    if words.is_empty() {
                        start = line;
                    }
                    words.push(word);
                }
                Token::End if words.is_empty() => return Err(error("unexpected \";\"")),
                Token::End => self.add(Directive {
                    line: start,
                    words: taken(&mut words),
                    block: None,
                    repetitions: None,
                }),
                Token::OpenDirective if words.is_empty() => return Err(error("unexpected \"{\"")),
                Token::OpenDirective if self.open.len() >= MAX_DEPTH => {
                    return Err(error("blocks are nested too deeply"));
                }
                Token::OpenDirective => self.open.push(OpenDirective {
                    line: start,
                    words: taken(&mut words),
                    block: None,
                    siblings: std::mem::take(&mut self.done),
                }),
                Token::Close if !words.is_empty() => {
                    return Err(error("a directive is not terminated by \";\""));
                }
                Token::Close => {
                    let Some(open) = self.open.pop() else {
                        return Err(error("unexpected \"}\""));
                    };
                    let mut block = std::mem::replace(&mut self.done, open.siblings);
                    block.shrink_to_fit();
                    self.add(Directive {
                        line: open.line,
                        words: open.words,
                        block: Some(block),
                        repetitions: None,
                    });
                }
                Token::Unclosed => return Err(error("a quote is not closed")),
            }
        }
        let error = |message: &str| SyntaxError {
            line: last,
            message: message.to_owned(),
        };
        if !words.is_empty() {
            return Err(error("a directive is not terminated by \";\""));
        }
        if self.open.is_empty() {
            Ok(())
        } else {
            Err(error("\"}\" is missing at the end"))
        }
    }
}

/// The words of a complete directive, without spare capacity.
fn taken(words: &mut Vec<Word>) -> Vec<Word> {
    let mut words = std::mem::take(words);
    words.shrink_to_fit();
    words
}

fn tokens(text: &str) -> impl Iterator<Item = (usize, Token)> + '_ {
    let mut line = 1;
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            let start = line;
            let token = match chars.next()? {
                '\n' => {
                    line += 1;
                    continue;
                }
                c if c.is_ascii_whitespace() => continue,
                '#' => {
                    while chars.next_if(|c| *c != '\n').is_some() {}
                    continue;
                }
                '{' => Token::OpenDirective,
                '}' => Token::Close,
                ';' => Token::End,
                quote @ ('"' | '\'') => quoted(quote, &mut chars, &mut line),
                first => Token::Word(bare_word(first, &mut chars)),
            };
            return Some((start, token));
        }
    })
}

type Chars<'t> = std::iter::Peekable<std::str::Chars<'t>>;

/// The rest of a quoted word.
fn quoted(quote: char, chars: &mut Chars<'_>, line: &mut usize) -> Token {
    let mut text = String::new();
    while let Some(next) = chars.next() {
        *line += usize::from(next == '\n');
        if next == quote {
            let is_quoted = true;
            return Token::Word(Word { text, is_quoted });
        }
        push(next, chars, &mut text);
    }
    Token::Unclosed
}

/// A word without quotes.
fn bare_word(first: char, chars: &mut Chars<'_>) -> Word {
    let mut text = String::new();
    push(first, chars, &mut text);
    let mut is_variable = first == '$';
    // `${` starts a variable, any other brace a block.
    let is_inside = |next: char, is_variable: bool| {
        !(next.is_ascii_whitespace() || next == ';' || (next == '{' && !is_variable))
    };
    while let Some(next) = chars.next_if(|next| is_inside(*next, is_variable)) {
        is_variable = next == '$';
        push(next, chars, &mut text);
    }
    Word {
        text,
        is_quoted: false,
    }
}

/// Adds a character, interpreting a backslash: `\"`, `\'`, `\\` are the character, `\t`, `\r`, `\n`
/// white space, and any other keeps its backslash.
fn push(c: char, chars: &mut Chars<'_>, word: &mut String) {
    if c != '\\' {
        word.push(c);
        return;
    }
    match chars.next() {
        Some(mark @ ('"' | '\'' | '\\')) => word.push(mark),
        Some('t') => word.push('\t'),
        Some('r') => word.push('\r'),
        Some('n') => word.push('\n'),
        Some(other) => {
            word.push('\\');
            word.push(other);
        }
        None => word.push('\\'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_have_words_and_blocks() {
        let (list, error) = parse("a 'b c' d\\.e; # x\nf {\n g ${h}i; }\n");
        assert_eq!(error, None);
        assert_eq!(list[0].arguments(), ["b c", "d\\.e"]);
        assert_eq!(list[1].line, 2);
        let inner = list[1].block.as_deref().unwrap_or_default();
        assert_eq!(inner[0].arguments(), ["${h}i"]);
    }

    #[test]
    fn error_has_its_line_and_keeps_earlier_directives() {
        for (text, line, count) in [("a;\nb", 2, 1), ("a;\n}", 2, 1), ("a {\nb;", 2, 1)] {
            let (list, error) = parse(text);
            assert_eq!(error.map(|error| error.line), Some(line), "{text}");
            assert_eq!(list.len(), count, "{text}");
        }
    }
}
