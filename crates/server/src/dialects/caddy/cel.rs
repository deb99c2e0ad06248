//! The syntax of expressions, in the Common Expression Language with the placeholders and functions of
//! Caddy.

use std::collections::BTreeMap;

use super::caddyfile::Directive;
use super::condition::{Comparison, Each, Node, Quantifier, Test};
use super::files::Candidates;
use super::functions;
use super::host::Host;
use super::path::PathPattern;
use super::value::Value;
use crate::rule::{ProblemKind, RuleParser};

/// The maximum length in bytes of an expression.
const MAX_LENGTH: usize = 64 << 10;
/// The maximum nesting depth of parentheses, lists and calls.
const MAX_DEPTH: usize = 32;
/// The maximum number of methods called in a row on one value.
const MAX_CALLS: usize = 8;

/// The expression is invalid, or has syntax that is not supported.
struct Unsupported;

/// Parses the expression of a matcher with this name. What is not supported is reported and unknown.
pub(super) fn parse(
    text: &str,
    name: &str,
    site: Option<&str>,
    line: usize,
    parser: &mut RuleParser,
) -> Node {
    let mut reader = Reader {
        text,
        at: 0,
        name,
        site,
        bound: Vec::new(),
        line,
        parser,
    };
    let whole = Some(()).filter(|()| text.len() <= MAX_LENGTH);
    let whole = whole.ok_or(Unsupported).and_then(|()| reader.expression(0));
    match whole {
        Ok(node) if reader.rest().is_empty() => node,
        _ => reader.unknown("what this expression matches is not read"),
    }
}

struct Reader<'t, 'p> {
    text: &'t str,
    /// The position in `text`.
    at: usize,
    /// The name of the matcher, which names the captures of its regular expressions.
    name: &'t str,
    /// The path of the site on the server's disk.
    site: Option<&'t str>,
    /// The variables of the enclosing macros.
    bound: Vec<String>,
    line: usize,
    parser: &'p mut RuleParser,
}

impl<'t> Reader<'t, '_> {
    /// The text after white space.
    fn rest(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    /// Skips a symbol if it is next.
    fn skips(&mut self, symbol: &str) -> bool {
        let is_next = self.rest().starts_with(symbol);
        self.at += if is_next { symbol.len() } else { 0 };
        is_next
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Unsupported> {
        self.skips(symbol).then_some(()).ok_or(Unsupported)
    }

    /// The identifier that is next.
    fn identifier(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = rest.get(..end)?;
        let is_identifier = !word.starts_with(|c: char| c.is_ascii_digit()) && !word.is_empty();
        self.at += if is_identifier { end } else { 0 };
        is_identifier.then_some(word)
    }

    fn unknown(&mut self, message: &str) -> Node {
        self.parser
            .problem(self.line, ProblemKind::NotRead, message);
        Node::Unknown
    }

    fn expression(&mut self, depth: usize) -> Result<Node, Unsupported> {
        if depth > MAX_DEPTH {
            return Err(Unsupported);
        }
        let condition = self.any(depth)?;
        if !self.skips("?") {
            return Ok(condition);
        }
        let yes = self.any(depth)?;
        self.expect(":")?;
        let no = self.expression(depth + 1)?;
        Ok(Node::Choice(Box::new([condition, yes, no])))
    }

    fn any(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let mut nodes = vec![self.all(depth)?];
        while self.skips("||") {
            nodes.push(self.all(depth)?);
        }
        Ok(only(nodes, Node::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let mut nodes = vec![self.relation(depth)?];
        while self.skips("&&") {
            nodes.push(self.relation(depth)?);
        }
        Ok(only(nodes, Node::All))
    }

    fn relation(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let left = self.sum(depth)?;
        let symbols = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::More),
        ];
        let comparison = symbols
            .into_iter()
            .find_map(|(symbol, comparison)| self.skips(symbol).then_some(comparison));
        let comparison = if let Some(comparison) = comparison {
            comparison
        } else {
            let before = self.at;
            if self.identifier() != Some("in") {
                self.at = before;
                return Ok(left);
            }
            Comparison::In
        };
        let right = self.sum(depth)?;
        Ok(Node::Compare(comparison, Box::new([left, right])))
    }

    fn sum(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let mut nodes = vec![self.negation(depth)?];
        while self.skips("+") {
            nodes.push(self.negation(depth)?);
        }
        Ok(only(nodes, Node::Sum))
    }

    fn negation(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let mut is_negated = None;
        while !self.rest().starts_with("!=") && self.skips("!") {
            is_negated = Some(!is_negated.unwrap_or(false));
        }
        let node = self.member(depth)?;
        Ok(match is_negated {
            Some(true) => Node::Not(Box::new(node)),
            _ => node,
        })
    }

    /// A value and the methods called on it.
    fn member(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let mut node = self.primary(depth)?;
        for _ in 0..=MAX_CALLS {
            if self.skips("[") {
                let index = self.expression(depth + 1)?;
                self.expect("]")?;
                node = Node::Element(Box::new([node, index]));
                continue;
            }
            if !self.skips(".") {
                return Ok(node);
            }
            let method = self.identifier().ok_or(Unsupported)?;
            self.expect("(")?;
            let quantifier = match method {
                "all" => Some(Quantifier::All),
                "exists" => Some(Quantifier::Exists),
                "exists_one" | "existsOne" => Some(Quantifier::ExistsOne),
                _ => None,
            };
            if let Some(quantifier) = quantifier {
                node = self.each(node, quantifier, depth)?;
                continue;
            }
            let mut arguments = vec![node];
            arguments.extend(self.list(")", depth)?);
            node = self.method(method, arguments);
        }
        Err(Unsupported)
    }

    /// The arguments of a macro on a list: a variable, and a condition.
    fn each(
        &mut self,
        list: Node,
        quantifier: Quantifier,
        depth: usize,
    ) -> Result<Node, Unsupported> {
        let name = self.identifier().ok_or(Unsupported)?.to_owned();
        self.expect(",")?;
        self.bound.push(name.clone());
        let condition = self.expression(depth + 1);
        self.bound.pop();
        self.expect(")")?;
        Ok(Node::Each(Box::new(Each {
            quantifier,
            list,
            name,
            condition: condition?,
        })))
    }

    /// The arguments of `cel.bind`: a variable, its value, and an expression.
    fn bind(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let name = self.identifier().ok_or(Unsupported)?.to_owned();
        self.expect(",")?;
        let value = self.expression(depth + 1)?;
        self.expect(",")?;
        self.bound.push(name.clone());
        let result = self.expression(depth + 1);
        self.bound.pop();
        self.expect(")")?;
        Ok(Node::Bind(name, Box::new([value, result?])))
    }

    /// A call of a method; the first argument is its receiver.
    fn method(&mut self, name: &str, mut arguments: Vec<Node>) -> Node {
        match (name, &arguments[..]) {
            ("matches", [_, Node::Literal(Value::Text(source))]) => {
                match self.parser.pattern(source, false) {
                    Ok(pattern) => Node::Matches(Box::new(arguments.swap_remove(0)), pattern),
                    Err(error) => self.unknown(&error.to_string()),
                }
            }
            _ if functions::is_known(name) => Node::Call(name.to_owned(), arguments),
            _ => self.unknown_call(name),
        }
    }

    fn unknown_call(&mut self, name: &str) -> Node {
        self.unknown(&format!("whether {name:?} matches is not read"))
    }

    fn primary(&mut self, depth: usize) -> Result<Node, Unsupported> {
        let rest = self.rest();
        if let Some(name) = placeholder(rest) {
            self.at += name.len() + 2;
            return Ok(Node::Placeholder(name.to_owned()));
        }
        if let Some(text) = self.string()? {
            return Ok(Node::Literal(Value::Text(text)));
        }
        if self.skips("(") {
            let node = self.expression(depth + 1)?;
            self.expect(")")?;
            return Ok(node);
        }
        if self.skips("[") {
            return Ok(Node::List(self.list("]", depth)?));
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if let Some(number) = rest.get(..digits).and_then(|digits| digits.parse().ok()) {
            self.at += digits;
            let is_integer = !self.text[self.at..].starts_with(['.', 'e', 'E', 'x', 'u']);
            return is_integer
                .then_some(Node::Literal(Value::Integer(number)))
                .ok_or(Unsupported);
        }
        let name = self.identifier().ok_or(Unsupported)?;
        match name {
            "true" => return Ok(Node::Literal(Value::Truth(true))),
            "false" => return Ok(Node::Literal(Value::Truth(false))),
            "null" => return Ok(Node::Literal(Value::Null)),
            "cel" if self.skips(".bind(") => return self.bind(depth),
            "math" if self.skips(".") => {
                let name = self.identifier().ok_or(Unsupported)?;
                self.expect("(")?;
                let arguments = self.list(")", depth)?;
                return Ok(self.method(&format!("math.{name}"), arguments));
            }
            _ if self.bound.iter().any(|bound| bound == name) => {
                return Ok(Node::Bound(name.to_owned()));
            }
            _ if !self.skips("(") => return Ok(self.unknown_call(name)),
            "query" | "file" | "vars"
                if self.rest().starts_with('{') && placeholder(self.rest()).is_none() =>
            {
                return self.with_map(name, depth);
            }
            // Its argument is a map.
            "header" => {
                self.skip_call()?;
                return Ok(self.unknown_call(name));
            }
            _ => {}
        }
        let arguments = self.list(")", depth)?;
        Ok(self.call(name, arguments))
    }

    /// The elements up to a closing symbol.
    fn list(&mut self, end: &str, depth: usize) -> Result<Vec<Node>, Unsupported> {
        let mut nodes = Vec::new();
        while !self.skips(end) {
            nodes.push(self.expression(depth + 1)?);
            if !self.skips(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(nodes)
    }

    /// Skips the arguments of a call, up to its closing parenthesis.
    fn skip_call(&mut self) -> Result<(), Unsupported> {
        let mut open = 1_usize;
        while open > 0 {
            if self.string()?.is_some() {
                continue;
            }
            let next = self.rest().chars().next().ok_or(Unsupported)?;
            self.at += next.len_utf8();
            match next {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// A call of a function: of a matcher, or of the language.
    fn call(&mut self, name: &str, arguments: Vec<Node>) -> Node {
        match name {
            "size" | "int" | "string" | "bool" => return Node::Call(name.to_owned(), arguments),
            "matches" => return self.method(name, arguments),
            "file" => {
                let names = arguments.into_iter().map(file_name);
                return match names.collect::<Option<Vec<_>>>() {
                    Some(names) => self.file(&names, None, None),
                    None => self.unknown_call(name),
                };
            }
            _ => {}
        }
        let texts = arguments.into_iter().map(|node| match node {
            // A matcher fills in the placeholders of its texts.
            Node::Literal(Value::Text(text)) if !text.contains('{') || name == "vars_regexp" => {
                Some(text)
            }
            _ => None,
        });
        let Some(texts) = texts.collect::<Option<Vec<String>>>() else {
            return self.unknown_call(name);
        };
        let test = match (name, &texts[..]) {
            ("path", paths) => {
                let paths = paths.iter().map(|path| PathPattern::new(path, self.parser));
                Test::Path(paths.collect())
            }
            ("path_regexp", [.., source]) if texts.len() <= 2 => {
                let given = texts.first().filter(|_| texts.len() == 2);
                let name = given.map_or(self.name, String::as_str).to_owned();
                match self.parser.pattern(source, false) {
                    Ok(pattern) => Test::Regexp(name, pattern),
                    Err(error) => return self.unknown(&error.to_string()),
                }
            }
            ("vars_regexp", [.., key, source]) if texts.len() <= 3 => {
                let given = texts.first().filter(|_| texts.len() == 3);
                let name = given.map_or(self.name, String::as_str).to_owned();
                match self.parser.pattern(source, false) {
                    Ok(pattern) => Test::VariableLike(name, key.clone(), pattern),
                    Err(error) => return self.unknown(&error.to_string()),
                }
            }
            ("method", methods) => Test::Method(methods.iter().any(|method| method == "GET")),
            ("host", hosts) => Test::Host(hosts.iter().map(|host| Host::new(host)).collect()),
            ("protocol", [scheme]) if matches!(scheme.as_str(), "http" | "https") => {
                Test::Scheme(scheme.clone())
            }
            _ => return self.unknown_call(name),
        };
        Node::Test(Box::new(test))
    }

    /// A call whose argument is a map: `{'key': 'value', 'other': ['one', 'two']}`
    fn with_map(&mut self, function: &str, depth: usize) -> Result<Node, Unsupported> {
        let mut entries = BTreeMap::<String, Vec<Node>>::new();
        self.expect("{")?;
        while !self.skips("}") {
            let key = self.string()?.ok_or(Unsupported)?;
            self.expect(":")?;
            let values = match self.expression(depth + 1)? {
                Node::List(values) => values,
                value => vec![value],
            };
            entries.entry(key).or_default().extend(values);
            if !self.skips(",") {
                self.expect("}")?;
                break;
            }
        }
        self.expect(")")?;
        let mut texts = BTreeMap::<String, Vec<String>>::new();
        for (key, nodes) in entries {
            let values = nodes.into_iter().map(file_name).collect::<Option<Vec<_>>>();
            let Some(values) = values else {
                return Ok(self.unknown_call(function));
            };
            texts.insert(key, values);
        }
        let is_filled = |values: &Vec<String>| values.iter().any(|text| text.contains('{'));
        Ok(match function {
            "query" if !texts.values().any(is_filled) => Node::Test(Box::new(Test::Query(texts))),
            "vars" => {
                let matchers = texts
                    .into_iter()
                    .map(|(key, values)| Node::Test(Box::new(Test::Variable(key, values))));
                Node::Any(matchers.collect())
            }
            "file" => {
                let names = texts.remove("try_files").unwrap_or_default();
                let mut first = |key| texts.remove(key).and_then(|mut values| values.pop());
                let (root, policy) = (first("root"), first("try_policy"));
                if texts.is_empty() {
                    self.file(&names, root, policy)
                } else {
                    self.unknown_call(function)
                }
            }
            _ => self.unknown_call(function),
        })
    }

    /// A search for files, below this root and by this policy if they are given.
    fn file(&mut self, names: &[String], root: Option<String>, policy: Option<String>) -> Node {
        let option = |name: &str, value: Option<String>| {
            let words = vec![name.to_owned(), value?];
            Some(Directive {
                line: self.line,
                words,
                ..Directive::default()
            })
        };
        let options = [option("root", root), option("try_policy", policy)];
        let options: Vec<Directive> = options.into_iter().flatten().collect();
        match Candidates::new(names, &options, self.site) {
            Some(candidates) => Node::Test(Box::new(Test::File(Box::new(candidates)))),
            None => self.unknown_call("file"),
        }
    }

    /// The string that is next, if one is.
    fn string(&mut self) -> Result<Option<String>, Unsupported> {
        let rest = self.rest();
        let is_raw = rest.starts_with(['r', 'R']) && rest[1..].starts_with(['"', '\'']);
        let body = if is_raw { &rest[1..] } else { rest };
        let quote = match body.chars().next() {
            Some(quote @ ('"' | '\'')) => quote.to_string(),
            _ => return Ok(None),
        };
        let triple = quote.repeat(3);
        let quote = if body.starts_with(&triple) {
            triple
        } else {
            quote
        };
        let mut left = &body[quote.len()..];
        let mut out = String::new();
        loop {
            if let Some(after) = left.strip_prefix(&quote) {
                self.at += rest.len() - after.len();
                return Ok(Some(out));
            }
            // Caddy replaces placeholders by calls even inside strings.
            if let Some(name) = placeholder(left) {
                if quote.starts_with('"') {
                    return Err(Unsupported);
                }
                out.extend(["ph(req, \"", name, "\")"]);
                left = &left[name.len() + 2..];
                continue;
            }
            let next = left.chars().next().ok_or(Unsupported)?;
            left = &left[next.len_utf8()..];
            if next != '\\' {
                out.push(next);
                continue;
            }
            if let Some(name) = placeholder(left) {
                out.extend(["{", name, "}"]);
                left = &left[name.len() + 2..];
                continue;
            }
            let escaped = left.chars().next().ok_or(Unsupported)?;
            left = &left[escaped.len_utf8()..];
            match escaped {
                _ if is_raw => out.extend(['\\', escaped]),
                '\\' | '"' | '\'' | '`' | '?' => out.push(escaped),
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                _ => return Err(Unsupported),
            }
        }
    }
}

/// A text, or a sum of texts and placeholders, as a text with placeholders.
fn file_name(node: Node) -> Option<String> {
    match node {
        Node::Literal(Value::Text(text)) => Some(text),
        Node::Placeholder(name) => Some(format!("{{{name}}}")),
        Node::Sum(nodes) => nodes.into_iter().map(file_name).collect(),
        _ => None,
    }
}

/// The only node of a list, or all of them as one.
fn only(mut nodes: Vec<Node>, several: fn(Vec<Node>) -> Node) -> Node {
    match nodes.len() {
        1 => nodes.remove(0),
        _ => several(nodes),
    }
}

/// The name of the placeholder that a text starts with.
fn placeholder(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('{')?.split_once('}')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let is_name = name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_name && name.chars().all(is_part)).then_some(name)
}
