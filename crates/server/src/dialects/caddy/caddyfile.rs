//! The syntax of Caddyfiles: directives with their words and their blocks.

use std::collections::HashMap;

use crate::rule::{ProblemKind, RuleParser};

/// The maximum nesting depth of blocks and of imports.
const MAX_DEPTH: usize = 16;
/// The maximum number of directives, including those that imports repeat.
const MAX_DIRECTIVES: usize = 1 << 20;
/// The maximum length in bytes of all words that imports repeat.
const MAX_REPEATED: usize = 16 << 20;

/// The maximum length in bytes of a heredoc's marker, which is compared at every character.
const MAX_MARKER: usize = 256;

/// One directive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directive {
    /// 1-based.
    pub(crate) line: usize,
    /// The name and the arguments.
    pub(crate) words: Vec<String>,
    /// The quotes of quoted words, each with the index of its word.
    pub(crate) quotes: Box<[(usize, char)]>,
    pub(crate) block: Option<Vec<Directive>>,
}

impl Directive {
    pub(crate) fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(crate) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Whether the next directive never runs, since this one answers every request that it would.
    fn is_repeated_by(&self, next: &Self) -> bool {
        const ANSWERS: [&str; 4] = ["redir", "respond", "error", "abort"];
        ANSWERS.contains(&self.name())
            && self.block.is_none()
            && next.block.is_none()
            && self.words == next.words
            && self.quotes == next.quotes
    }

    /// The quote of the word at this index.
    pub(crate) fn quote(&self, index: usize) -> Option<char> {
        let found = self.quotes.binary_search_by_key(&index, |(word, _)| *word);
        self.quotes.get(found.ok()?).map(|(_, quote)| *quote)
    }
}

/// A word of the text.
#[derive(Debug)]
struct Word {
    text: String,
    line: usize,
    kind: Quoting,
    /// Whether it is the first word of its line.
    is_first: bool,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoting {
    Plain,
    /// In these quotes, or in a heredoc (`<`), where a brace is an ordinary character.
    Quoted(char),
    /// In an unclosed heredoc.
    Unclosed,
}

impl Word {
    fn is_brace(&self, brace: &str) -> bool {
        self.text == brace && self.kind == Quoting::Plain
    }
}

/// Parses a Caddyfile. The top level has site blocks, snippets and named routes; a single site may omit its braces.
pub(crate) fn parse(text: &str, parser: &mut RuleParser) -> Vec<Directive> {
    let mut blocks = BlockParser {
        words: Words::new(text).peekable(),
        parser,
        is_broken: false,
    };
    let top = blocks.block(0, 1);
    let mut snippets = HashMap::new();
    let mut routes = HashMap::new();
    let mut rest = Vec::new();
    for directive in top {
        let name = directive.name();
        let (list, name) = match name.strip_prefix('&') {
            Some(name) => (&mut routes, name),
            None => (&mut snippets, name),
        };
        match name
            .strip_prefix('(')
            .and_then(|name| name.strip_suffix(')'))
        {
            Some(name) => {
                list.insert(name.to_owned(), directive.block.unwrap_or_default());
            }
            None => rest.push(directive),
        }
    }
    let mut imports = Imports {
        snippets,
        routes,
        count: 0,
        repeated: 0,
        is_over: false,
    };
    imports.expand(rest, None, 0, parser)
}

/// Iterates over the words of a text; a list of them would take many times its size.
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

    /// The text up to the closing quote of this kind; the opening one has been read.
    fn quoted(&mut self, quote: char) -> String {
        let mut word = String::new();
        while let Some(next) = self.chars.next() {
            match next {
                _ if next == quote => break,
                // A backslash escapes only the quote, but a second backslash cancels the escape.
                '\\' if quote == '"' => match self.chars.next() {
                    Some('"') => word.push('"'),
                    after => {
                        self.line += usize::from(after == Some('\n'));
                        word.push('\\');
                        word.extend(after);
                    }
                },
                _ => {
                    self.line += usize::from(next == '\n');
                    word.push(next);
                }
            }
        }
        word
    }

    /// The text of a heredoc whose marker ends the current line: everything up to the closing marker,
    /// with that marker's indentation removed from each line. `None` if it is not closed.
    fn heredoc(&mut self, marker: &str) -> Option<String> {
        let mut text = String::new();
        while !text.ends_with(marker) {
            let next = self.chars.next()?;
            self.line += usize::from(next == '\n');
            text.push(next);
        }
        text.truncate(text.len() - marker.len());
        let (lines, padding) = text.rsplit_once('\n').unwrap_or(("", &text));
        let lines = lines.split('\n').map(|line| {
            let line = line.strip_prefix(padding).unwrap_or(line);
            line.strip_suffix('\r').unwrap_or(line)
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    /// The unquoted word that starts with this character; empty for a backslash before a line end.
    fn plain(&mut self, first: char) -> Word {
        let mut word = Word {
            text: String::new(),
            line: self.line,
            kind: Quoting::Plain,
            is_first: false,
        };
        let (mut is_escaped, mut may_be_heredoc) = (false, true);
        let mut next = Some(first);
        while let Some(c) = next {
            match c {
                '\\' if !is_escaped => is_escaped = true,
                c => {
                    if is_escaped && c != '<' {
                        word.text.push('\\');
                    }
                    may_be_heredoc &= !is_escaped;
                    is_escaped = false;
                    word.text.push(c);
                }
            }
            // A carriage return is ignored.
            while self.chars.next_if_eq(&'\r').is_some() {}
            next = self.chars.next_if(|c| !c.is_whitespace());
        }
        let is_at_line_end = self.chars.peek() == Some(&'\n');
        if is_at_line_end && is_escaped {
            // The directive continues on the next line.
            self.skip_line_end();
        } else if is_at_line_end && may_be_heredoc && is_heredoc(&word.text) {
            self.skip_line_end();
            let text = self.heredoc(word.text.trim_start_matches('<'));
            word.kind = match text {
                Some(_) => Quoting::Quoted('<'),
                None => Quoting::Unclosed,
            };
            word.text = text.unwrap_or_default();
        }
        word
    }

    /// Continues after an escaped line end.
    fn skip_line_end(&mut self) {
        self.chars.next();
        self.line += 1;
    }
}

/// Whether a word starts a heredoc if a line ends after it.
fn is_heredoc(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let marker = word.strip_prefix("<<");
    marker.is_some_and(|marker| {
        (1..=MAX_MARKER).contains(&marker.len()) && marker.bytes().all(is_part)
    })
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
            if c == '#' {
                while self.chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            let mut word = match c {
                '"' | '`' => Word {
                    line: self.line,
                    text: self.quoted(c),
                    kind: Quoting::Quoted(c),
                    is_first: false,
                },
                _ => self.plain(c),
            };
            if word.text.is_empty() && word.kind == Quoting::Plain {
                continue;
            }
            word.is_first = std::mem::take(&mut self.is_first);
            return Some(word);
        }
    }
}

struct BlockParser<'r, 't> {
    words: std::iter::Peekable<Words<'t>>,
    parser: &'r mut RuleParser,
    /// Whether something is unclosed or too deep; this has been reported.
    is_broken: bool,
}

impl BlockParser<'_, '_> {
    /// Reads directives up to a closing brace; `line` is the line of the opening brace.
    fn block(&mut self, depth: usize, line: usize) -> Vec<Directive> {
        let mut out = Vec::new();
        // After a comma, the addresses of a site continue on the next line. Without braces, the words
        // after the addresses start the directives.
        let mut is_address = depth == 0;
        while let Some(word) = self.words.next() {
            if word.is_brace("}") {
                if depth == 0 {
                    let message = "a brace closes nothing";
                    self.parser
                        .problem(word.line, ProblemKind::Refused, message);
                    continue;
                }
                return out;
            }
            let mut directive = Directive {
                line: word.line,
                ..Directive::default()
            };
            let mut opens = false;
            let mut quotes = Vec::new();
            let mut next = Some(word);
            while let Some(word) = next {
                if word.kind == Quoting::Unclosed {
                    self.refuse(word.line, "a heredoc is not closed");
                }
                if word.is_brace("{") {
                    opens = true;
                    break;
                }
                let goes_on = is_address && word.text.ends_with(',');
                if let Quoting::Quoted(quote) = word.kind {
                    quotes.push((directive.words.len(), quote));
                }
                directive.words.push(word.text);
                next = self.words.next_if(|word| goes_on || !word.is_first);
            }
            if opens {
                if depth >= MAX_DEPTH {
                    let message = format!("blocks are more than {MAX_DEPTH} deep (rule-nesting)");
                    self.refuse(directive.line, &message);
                    self.words.by_ref().for_each(drop);
                    return out;
                }
                directive.block = Some(self.block(depth + 1, directive.line));
            }
            is_address &= opens;
            // Most directives have one or two words.
            directive.words.shrink_to_fit();
            directive.quotes = quotes.into();
            match out.last() {
                Some(before) if before.is_repeated_by(&directive) => {
                    self.parser.repeated(before.line, directive.line, 1);
                }
                _ => out.push(directive),
            }
        }
        if depth > 0 {
            self.refuse(line, "a block is not closed");
        }
        out
    }

    /// Reports what breaks the file, unless something has been reported already.
    fn refuse(&mut self, line: usize, message: &str) {
        if !std::mem::replace(&mut self.is_broken, true) {
            self.parser.problem(line, ProblemKind::Refused, message);
        }
    }
}

/// Snippets that are imported.
struct Imports {
    snippets: HashMap<String, Vec<Directive>>,
    /// Named routes, which `invoke` runs.
    routes: HashMap<String, Vec<Directive>>,
    /// The number of directives, and the length of the words that imports repeat.
    count: usize,
    repeated: usize,
    /// Whether a limit was exceeded; this has been reported.
    is_over: bool,
}

impl Imports {
    /// Expands the imports in directives. `arguments` are the arguments of the enclosing import.
    fn expand(
        &mut self,
        directives: Vec<Directive>,
        arguments: Option<&[String]>,
        depth: usize,
        parser: &mut RuleParser,
    ) -> Vec<Directive> {
        let mut out = Vec::new();
        for mut directive in directives {
            if let Some(arguments) = arguments {
                self.fill(&mut directive, arguments);
            }
            self.count += 1;
            if self.ends_at(&directive, depth, parser) {
                return out;
            }
            if directive.name() == "import" {
                let name = directive.arguments().first().cloned().unwrap_or_default();
                let Some(snippet) = self.snippets.get(&name).cloned() else {
                    let message = format!("{name:?} is imported and not in this file: not read");
                    parser.problem(directive.line, ProblemKind::NotRead, message);
                    out.push(directive);
                    continue;
                };
                let own = directive.arguments().get(1..).unwrap_or_default();
                out.extend(self.expand(snippet, Some(own), depth + 1, parser));
                continue;
            }
            if directive.name() == "invoke" {
                let route = directive
                    .words
                    .last()
                    .and_then(|name| self.routes.get(name));
                directive.block = route.cloned();
            }
            if let Some(block) = directive.block.take() {
                directive.block = Some(self.expand(block, arguments, depth + 1, parser));
            }
            out.push(directive);
        }
        out
    }

    /// Whether this directive exceeds a limit.
    fn ends_at(&mut self, directive: &Directive, depth: usize, parser: &mut RuleParser) -> bool {
        let is_over =
            self.count > MAX_DIRECTIVES || self.repeated > MAX_REPEATED || depth > MAX_DEPTH;
        if is_over && !self.is_over {
            self.is_over = true;
            let message = "imports repeat too much (rule-nesting)";
            parser.problem(directive.line, ProblemKind::Refused, message);
        }
        is_over
    }

    /// Fills in the placeholders of arguments; only `{args[1:]}` can become several words.
    fn fill(&mut self, directive: &mut Directive, arguments: &[String]) {
        let mut words = Vec::with_capacity(directive.words.len());
        let mut quotes = Vec::with_capacity(directive.quotes.len());
        for (index, word) in std::mem::take(&mut directive.words).into_iter().enumerate() {
            let before = words.len();
            quotes.extend(directive.quote(index).map(|quote| (before, quote)));
            match range(&word, arguments) {
                Some(several) => words.extend_from_slice(several),
                None if word.contains("{args") => {
                    words.push(filled(&word, arguments, MAX_REPEATED));
                }
                None => words.push(word),
            }
            let more = words.get(before..).unwrap_or_default();
            self.repeated += more.iter().map(String::len).sum::<usize>();
            if self.repeated > MAX_REPEATED {
                break;
            }
        }
        directive.words = words;
        directive.quotes = quotes.into();
    }
}

/// The arguments selected by a word like `{args[1:3]}`; either number may be omitted.
fn range<'a>(word: &str, arguments: &'a [String]) -> Option<&'a [String]> {
    let inner = word.strip_prefix("{args[")?.strip_suffix("]}")?;
    let (start, end) = inner.split_once(':')?;
    let number = |text: &str, missing: usize| match text {
        "" => Some(missing),
        digits => digits.parse().ok(),
    };
    arguments.get(number(start, 0)?..number(end, arguments.len())?)
}

/// A word with `{args[0]}` (formerly `{args.0}`) filled in, cut at about this length.
fn filled(word: &str, arguments: &[String], most: usize) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find("{args").filter(|_| out.len() <= most) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('}').map_or(rest.len(), |end| end + 1);
        let (placeholder, after) = rest.split_at(end);
        let inner = placeholder
            .strip_prefix("{args")
            .and_then(|inner| inner.strip_suffix('}'));
        let number = inner.and_then(|inner| {
            let index = inner.strip_prefix('[').and_then(|i| i.strip_suffix(']'));
            index.or_else(|| inner.strip_prefix('.'))
        });
        let argument = number.and_then(|number| arguments.get(number.parse::<usize>().ok()?));
        out.push_str(argument.map_or(placeholder, String::as_str));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of each directive, followed by those of its block.
    fn parsed(text: &str) -> (Vec<String>, Vec<String>) {
        fn add(directives: &[Directive], out: &mut Vec<String>) {
            for directive in directives {
                out.push(format!("{}: {}", directive.line, directive.words.join("|")));
                add(directive.block.as_deref().unwrap_or_default(), out);
            }
        }
        let mut parser = RuleParser::default();
        let mut out = Vec::new();
        add(&parse(text, &mut parser), &mut out);
        let problems = parser.problems.into_iter();
        (
            out,
            problems
                .map(|p| format!("{}: {}", p.line, p.message))
                .collect(),
        )
    }

    #[test]
    fn words_end_as_the_server_ends_them() {
        for (text, expected) in [
            ("a \\\n b\\\r\n c \\\r\n d\ne", &["1: a|b|c|d", "5: e"][..]),
            ("a b\\\\\nc", &[r"1: a|b\\", "2: c"]),
            (r#"a "b\"c" `\"` \.x \<y z"#, &[r#"1: a|b"c|\"|\.x|<y|z"#]),
            (r#"a "\\" b"#, &[r"1: a|\\|b"]),
            ("a \"b\nc\" d\ne", &["1: a|b\nc|d", "3: e"]),
            ("a\rb # c\r\nd#e", &["1: ab", "2: d#e"]),
            ("a,\nb, c {\n d,\n e\n}\n", &["1: a,|b,|c", "3: d,", "4: e"]),
            ("a,\nb\nc d,\ne", &["1: a,|b", "3: c|d,", "4: e"]),
            ("a { \n b\n} \nc \"{\" `}`\n", &["1: a", "2: b", "4: c|{|}"]),
        ] {
            assert_eq!(
                parsed(text),
                (expected.iter().map(ToString::to_string).collect(), vec![]),
                "{text}"
            );
        }
    }

    #[test]
    fn heredoc_is_one_word() {
        let text = "a <<END\n\t{\n\t  b \"\n\n\tEND 404\nc <<END d\ne \\<<END\nf";
        let expected = ["1: a|{\n  b \"\n|404", "6: c|<<END|d", "7: e|<<END", "8: f"];
        assert_eq!(parsed(text), (expected.map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn unclosed_syntax_is_reported_once() {
        for (text, problem) in [
            ("a {\nb {\nc\n", "2: a block is not closed"),
            ("a {\nb <<END\n}\n", "2: a heredoc is not closed"),
            ("a\n}\n", "2: a brace closes nothing"),
        ] {
            assert_eq!(parsed(text).1, [problem], "{text}");
        }
        let deep = "a {\n".repeat(MAX_DEPTH + 2);
        assert_eq!(parsed(&deep).1.len(), 1);
    }

    #[test]
    fn imports_fill_in_their_arguments() {
        let text = "(s) {\n a {args[1]}/{args.0}{args[2]} {args[:]} x{args[1:]}\n \
                    b {args[1:]} {\n  c {args[0]}\n }\n}\nimport s one {args[1]}\nd {args[0]}\n";
        let expected = [
            "2: a|{args[1]}/one{args[2]}|one|{args[1]}|x{args[1:]}",
            "3: b|{args[1]}",
            "4: c|one",
            "8: d|{args[0]}",
        ];
        assert_eq!(parsed(text), (expected.map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn multiplying_imports_reach_a_limit() {
        let doubling =
            |n: usize| format!("(s{n}) {{\nimport s{} {{args[0]}}{{args[0]}}\n}}\n", n + 1);
        let doubles: String = (0..15).map(doubling).collect();
        let long = "x".repeat(40_000);
        for text in [
            format!("{doubles}(s15) {{\na {{args[0]}}\n}}\nimport s0 {long}\n"),
            format!(
                "(s) {{\n{}}}\nimport s {long}\n",
                "a {args[0]}\n".repeat(1_000)
            ),
            format!(
                "(s) {{\na {}\n}}\nimport s {long}\n",
                "{args[0]}".repeat(1_000)
            ),
            format!(
                "(s) {{\n{}}}\nimport s {long}\n",
                "a {args[:]}\n".repeat(1_000)
            ),
        ] {
            let mut parser = RuleParser::default();
            let directives = parse(&text, &mut parser);
            let length = directives
                .iter()
                .flat_map(|one| &one.words)
                .map(String::len);
            assert!(length.sum::<usize>() <= MAX_REPEATED + long.len() * 3);
            let [problem] = &parser.problems[..] else {
                panic!("{:?}", parser.problems);
            };
            assert!(problem.message.contains("rule-nesting"), "{problem:?}");
        }
    }
}
