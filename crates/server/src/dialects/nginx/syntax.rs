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
        tokens: tokens(text),
        open: Vec::new(),
        done: Vec::new(),
    };
    let error = parser.parse().err();
    while let Some(mut directive) = parser.open.pop() {
        directive.block = Some(std::mem::take(&mut parser.done));
        parser.done = directive.siblings;
        parser.done.push(Directive {
            line: directive.line,
            words: directive.words,
            block: directive.block,
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
    tokens: Vec<(usize, Token)>,
    open: Vec<OpenDirective>,
    done: Vec<Directive>,
}

impl Parser {
    fn parse(&mut self) -> Result<(), SyntaxError> {
        let mut words: Vec<Word> = Vec::new();
        let mut start = 1;
        let mut last = 1;
        for (line, token) in std::mem::take(&mut self.tokens) {
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
                Token::End => self.done.push(Directive {
                    line: start,
                    words: taken(&mut words),
                    block: None,
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
                    self.done.push(Directive {
                        line: open.line,
                        words: open.words,
                        block: Some(block),
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

fn tokens(text: &str) -> Vec<(usize, Token)> {
    let mut out = Vec::new();
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let start = line;
        match c {
            '\n' => line += 1,
            c if c.is_ascii_whitespace() => {}
            '#' => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '{' => out.push((line, Token::OpenDirective)),
            '}' => out.push((line, Token::Close)),
            ';' => out.push((line, Token::End)),
            '"' | '\'' => {
                let mut word = String::new();
                let mut is_closed = false;
                while let Some(next) = chars.next() {
                    line += usize::from(next == '\n');
                    if next == c {
                        is_closed = true;
                        break;
                    }
                    push(next, &mut chars, &mut word);
                }
                let word = Word {
                    text: word,
                    is_quoted: true,
                };
                out.push((
                    start,
                    if is_closed {
                        Token::Word(word)
                    } else {
                        Token::Unclosed
                    },
                ));
            }
            first => {
                let mut word = String::new();
                push(first, &mut chars, &mut word);
                let mut is_variable = first == '$';
                while let Some(next) = chars.peek().copied() {
                    // `${` starts a variable, any other brace a block.
                    let ends =
                        next.is_ascii_whitespace() || next == ';' || (next == '{' && !is_variable);
                    if ends {
                        break;
                    }
                    chars.next();
                    is_variable = next == '$';
                    push(next, &mut chars, &mut word);
                }
                out.push((
                    start,
                    Token::Word(Word {
                        text: word,
                        is_quoted: false,
                    }),
                ));
            }
        }
    }
    out
}

/// Adds a character, interpreting a backslash: `\"`, `\'`, `\\` are the character, `\t`, `\r`, `\n`
/// white space, and any other keeps its backslash.
fn push(c: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut String) {
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
