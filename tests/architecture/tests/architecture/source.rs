//! The source of a crate as the checks see it: modules, and the names that each one defines,
//! imports and mentions. Comments, strings and `#[cfg(test)]` code are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Paths below the crate's `src`, and their text.
pub type Files = BTreeMap<PathBuf, String>;

/// The segments of a path such as `crate::model::Page`.
pub type Segments = Vec<String>;

#[derive(Default)]
pub struct Module {
    pub path: Segments,
    pub file: PathBuf,
    pub imports: Vec<Import>,
    pub definitions: BTreeSet<String>,
    pub macros: BTreeSet<String>,
    pub mentions: BTreeSet<Segments>,
    /// The names of the macros that it calls.
    pub calls: BTreeSet<String>,
}

/// One leaf of a `use`.
pub struct Import {
    pub path: Segments,
    /// The name that it introduces: `*` for a glob, the alias of `as`.
    pub name: String,
    pub is_reexport: bool,
}

/// The modules of the crate whose root is `root`.
pub fn modules(files: &Files, root: &Path) -> Vec<Module> {
    let mut modules = Vec::new();
    read(files, root.to_owned(), Vec::new(), &mut modules);
    modules
}

fn read(files: &Files, file: PathBuf, path: Segments, modules: &mut Vec<Module>) {
    let text = &files[&file];
    let tokens: TokenStream = text.parse().expect("the source is Rust");
    let mut scan = Scan::new(path, file);
    scan.items(tokens, true);
    scan.add_to(modules, files);
}

struct Scan {
    module: Module,
    /// Names of `mod x;`.
    outer: Vec<String>,
    /// Modules written inline.
    inner: Vec<Scan>,
}

impl Scan {
    fn new(path: Segments, file: PathBuf) -> Self {
        let module = Module {
            path,
            file,
            ..Module::default()
        };
        Self {
            module,
            outer: Vec::new(),
            inner: Vec::new(),
        }
    }

    fn add_to(self, modules: &mut Vec<Module>, files: &Files) {
        let (path, file) = (self.module.path.clone(), self.module.file.clone());
        modules.push(self.module);
        for inner in self.inner {
            inner.add_to(modules, files);
        }
        let stem = file.file_stem().expect("the path has a file name");
        let is_folder = stem == "mod" || path.is_empty();
        let folder = if is_folder {
            file.with_file_name("")
        } else {
            file.with_extension("")
        };
        for name in self.outer {
            let candidates = [
                folder.join(format!("{name}.rs")),
                folder.join(&name).join("mod.rs"),
            ];
            if let Some(file) = candidates.into_iter().find(|file| files.contains_key(file)) {
                read(files, file, [path.as_slice(), &[name]].concat(), modules);
            }
        }
    }

    /// Reads the tokens of a module, or of a block in one, whose definitions are local.
    fn items(&mut self, tokens: TokenStream, at_top: bool) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    match attribute(&tokens[at..]) {
                        Some((length, true)) => length + item_length(&tokens[at + length..]),
                        Some((length, false)) => length,
                        None => 1,
                    }
                }
                TokenTree::Ident(_) => self.ident(&tokens, at, at_top),
                TokenTree::Group(group) => {
                    self.items(group.stream(), false);
                    1
                }
                _ => 1,
            };
        }
    }

    /// Reads what begins with the identifier at `at`; returns its length in tokens.
    fn ident(&mut self, tokens: &[TokenTree], at: usize, at_top: bool) -> usize {
        let word = tokens[at].to_string();
        let before = |back: usize| at.checked_sub(back).map(|at| tokens[at].to_string());
        let (last, last_but_one) = (before(1), before(2));
        let next = tokens.get(at + 1);
        match (last.as_deref(), last_but_one.as_deref()) {
            (Some("'"), _) | (Some(":"), Some(":")) => return 1,
            (Some("."), other) if other != Some(".") => return 1,
            (Some("$"), _) if word != "crate" => return 1,
            _ => {}
        }
        match (word.as_str(), next) {
            ("use", Some(next)) if next.to_string() != "<" => {
                let end = end_of(&tokens[at..], ";");
                let mut reexport = tokens[..at].iter().rev().filter(|token| !is_group(token));
                let is_reexport = reexport
                    .next()
                    .is_some_and(|token| token.to_string() == "pub");
                self.import(&[], &tokens[at + 1..at + end], is_reexport);
                end
            }
            ("mod", Some(name @ TokenTree::Ident(_))) => {
                match tokens.get(at + 2) {
                    Some(TokenTree::Group(body)) => self.inline_module(name, body),
                    _ => self.outer.push(name.to_string()),
                }
                3
            }
            ("macro_rules", Some(_)) => {
                let name = tokens
                    .get(at + 2)
                    .expect("macro_rules! is followed by a name");
                self.module.macros.insert(name.to_string());
                3
            }
            (
                "struct" | "enum" | "fn" | "trait" | "type" | "const" | "static" | "union",
                Some(name @ TokenTree::Ident(_)),
            ) => {
                let is_keyword = matches!(name.to_string().as_str(), "fn" | "unsafe" | "mut");
                if is_keyword {
                    return 1;
                }
                if at_top {
                    self.module.definitions.insert(name.to_string());
                }
                2
            }
            _ => self.mention(&tokens[at..]),
        }
    }

    fn inline_module(&mut self, name: &TokenTree, body: &Group) {
        let path = [self.module.path.as_slice(), &[name.to_string()]].concat();
        let mut inner = Self::new(path, self.module.file.clone());
        inner.items(body.stream(), true);
        self.inner.push(inner);
    }

    fn mention(&mut self, tokens: &[TokenTree]) -> usize {
        let mut path = vec![tokens[0].to_string()];
        let mut rest = &tokens[1..];
        while let [a, b, name @ TokenTree::Ident(_), ..] = rest
            && a.to_string() == ":"
            && b.to_string() == ":"
        {
            path.push(name.to_string());
            rest = &rest[3..];
        }
        let is_call = matches!(rest, [bang, TokenTree::Group(_), ..] if bang.to_string() == "!");
        if is_call && let Some(name) = path.pop() {
            self.module.calls.insert(name);
        } else {
            self.module.mentions.insert(path);
        }
        tokens.len() - rest.len()
    }

    fn import(&mut self, prefix: &[String], tree: &[TokenTree], is_reexport: bool) {
        let mut path = prefix.to_vec();
        let mut alias = None;
        let mut tokens = tree.iter();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    for branch in inner.split(|token| token.to_string() == ",") {
                        self.import(&path, branch, is_reexport);
                    }
                    return;
                }
                TokenTree::Ident(word) if word == "as" => {
                    alias = tokens.next().map(ToString::to_string);
                }
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
                _ => {}
            }
        }
        if path.len() > 1 && path.ends_with(&["self".to_owned()]) {
            path.pop();
        }
        if let Some(last) = path.last() {
            let name = alias.unwrap_or_else(|| last.clone());
            self.module.imports.push(Import {
                path,
                name,
                is_reexport,
            });
        }
    }
}

fn is_group(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(_))
}

/// The length in tokens of the attribute that begins here, and whether it is `#[cfg(test)]`.
fn attribute(tokens: &[TokenTree]) -> Option<(usize, bool)> {
    let bang = usize::from(tokens.get(1)?.to_string() == "!");
    let TokenTree::Group(group) = tokens.get(1 + bang)? else {
        return None;
    };
    let text = group.stream().to_string().replace(' ', "");
    let is_test = text.starts_with("cfg(test)") || text.starts_with("cfg(all(test,");
    Some((2 + bang, is_test && group.delimiter() == Delimiter::Bracket))
}

/// The length in tokens of the item, field or statement that begins here, with its attributes.
fn item_length(tokens: &[TokenTree]) -> usize {
    if let Some((length, _)) = tokens
        .first()
        .filter(|token| token.to_string() == "#")
        .and_then(|_| attribute(tokens))
    {
        return length + item_length(&tokens[length..]);
    }
    let is_item = |token: &TokenTree| {
        let word = token.to_string();
        [
            "pub", "fn", "use", "mod", "struct", "enum", "impl", "const", "static", "type",
        ]
        .contains(&word.as_str())
    };
    let ends_by_comma = !tokens.first().is_some_and(is_item);
    for (at, token) in tokens.iter().enumerate() {
        let is_body =
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let next = tokens.get(at + 1).map(ToString::to_string);
        match token.to_string().as_str() {
            ";" => return at + 1,
            "," if ends_by_comma => return at + 1,
            _ if is_body && next.as_deref() != Some(";") => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn end_of(tokens: &[TokenTree], end: &str) -> usize {
    let end = tokens.iter().position(|token| token.to_string() == end);
    end.unwrap_or(tokens.len())
}
