//! No two files of a crate import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::imports::{self, Uses};
use crate::project;
use crate::source::{self, Files, Module};

/// The modules of each crate.
static MODULES: LazyLock<BTreeMap<String, Vec<Module>>> = LazyLock::new(|| {
    let crates = project::crates().into_iter();
    let modules = |files| source::modules(&files, project::root(&files));
    crates.map(|(name, files)| (name, modules(files))).collect()
});

/// Files that all use each other, directly or through others.
type Circle = BTreeSet<PathBuf>;

fn circles(uses: &Uses) -> BTreeSet<Circle> {
    let reached: BTreeMap<_, _> = uses
        .keys()
        .map(|file| (file, reachable(uses, file)))
        .collect();
    let circle_of = |file: &PathBuf| {
        let returns = |other: &&PathBuf| reached[other].contains(file);
        reached[file].iter().filter(returns).cloned().collect()
    };
    let circles = uses.keys().map(circle_of);
    circles
        .filter(|circle: &Circle| !circle.is_empty())
        .collect()
}

/// The files that a file uses, and those that they use.
fn reachable(uses: &Uses, file: &Path) -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![file];
    while let Some(file) = pending.pop() {
        for used in &uses[file] {
            if reached.insert(used.clone()) {
                pending.push(used);
            }
        }
    }
    reached
}

#[test]
fn files_import_without_circles() {
    let mut wrong = Vec::new();
    for (name, modules) in &*MODULES {
        let uses = imports::uses(modules);
        let circles = circles(&uses);
        if !circles.is_empty() {
            let files: usize = circles.iter().map(BTreeSet::len).sum();
            wrong.push(format!("{name}: {files} files in circles"));
            wrong.extend(circles.iter().flat_map(|circle| describe(circle, &uses)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn describe<'a>(circle: &'a Circle, uses: &'a Uses) -> impl Iterator<Item = String> + 'a {
    circle.iter().map(move |file| {
        let others = uses[file].intersection(circle);
        let others: Vec<_> = others.map(|other| other.to_string_lossy()).collect();
        format!("    {} -> {}", file.display(), others.join(", "))
    })
}

#[test]
fn parent_glob_import_only_in_tests() {
    let mut wrong = Vec::new();
    for (name, modules) in &*MODULES {
        for module in modules {
            let is_banned = module.imports.iter().any(|import| {
                let (last, path) = import.path.split_last().expect("the path is not empty");
                last == "*" && !path.is_empty() && path.iter().all(|segment| segment == "super")
            });
            if is_banned {
                wrong.push(format!("{name}/src/{}", module.file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "`use super::*` outside tests: {wrong:#?}");
}

/// The circles of a crate, each as its files joined by spaces.
fn circles_of(sources: &[(&str, &str)]) -> Vec<String> {
    let owned = |(name, text): &(&str, &str)| (PathBuf::from(name), (*text).to_owned());
    let files: Files = sources.iter().map(owned).collect();
    let modules = source::modules(&files, Path::new("lib.rs"));
    let names = |circle: &Circle| {
        let names: Vec<_> = circle.iter().map(|file| file.to_string_lossy()).collect();
        names.join(" ")
    };
    circles(&imports::uses(&modules))
        .iter()
        .map(names)
        .collect()
}

#[test]
fn direct_circle() {
    let sources = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use super::a::{self, A as Other}; pub struct B;"),
        ("c.rs", "use crate::{a::A, b::B};"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs b.rs"]);
}

#[test]
fn parent_and_child_are_a_circle() {
    let sources = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub struct A(b::B);"),
        ("a/b.rs", "pub struct B(Option<Box<super::A>>);"),
    ];
    assert_eq!(circles_of(&sources), ["a/b.rs a/mod.rs"]);
}

#[test]
fn circle_of_three_files() {
    let sources = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::a::A; pub struct C;"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs b.rs c.rs"]);
}

#[test]
fn circle_by_a_reexport() {
    for reexport in [
        "pub use a::A;",
        "pub(crate) use a::A as A;",
        "pub use a::*;",
    ] {
        let lib = format!("mod a; mod b; {reexport}");
        let sources = [
            ("lib.rs", lib.as_str()),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::A; pub struct B;"),
        ];
        assert_eq!(circles_of(&sources), ["a.rs b.rs"], "{reexport}");
    }
}

#[test]
fn circle_by_a_reexport_that_its_own_file_uses() {
    let sources = [
        ("lib.rs", "mod a; pub use a::A; pub struct B(A);"),
        ("a.rs", "pub struct A; impl From<A> for crate::B {}"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs lib.rs"]);
}

#[test]
fn circle_by_a_glob_import() {
    let sources = [
        ("lib.rs", "mod a; mod b; mod model;"),
        ("model/mod.rs", "mod page; pub use page::*;"),
        ("model/page.rs", "pub struct Page(crate::a::A);"),
        ("a.rs", "use crate::model::*; pub struct A(Option<Page>);"),
        ("b.rs", "use crate::model::*; pub struct B(Page);"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs model/page.rs"]);
}

#[test]
fn circle_by_a_path_written_inline() {
    let sources = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub fn a() { crate::b::b::<u8>() }"),
        ("b.rs", "use super::a; pub fn b<T>() { if true { a::a() } }"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs b.rs"]);
}

#[test]
fn circle_by_a_macro() {
    let sources = [
        ("lib.rs", "#[macro_use] mod a; mod b;"),
        ("a.rs", "macro_rules! row { () => { $crate::b::B } }"),
        ("b.rs", "pub struct B; fn b() { row!() }"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs b.rs"]);
    let harmless = [sources[0], sources[1], ("b.rs", "pub struct B { row: u8 }")];
    assert_eq!(circles_of(&harmless), [""; 0]);
}

#[test]
fn circle_through_an_inline_module() {
    let sources = [
        (
            "lib.rs",
            "mod a; mod b { pub mod c { pub struct C(crate::a::A); } }",
        ),
        ("a.rs", "pub struct A(Option<Box<crate::b::c::C>>);"),
    ];
    assert_eq!(circles_of(&sources), ["a.rs lib.rs"]);
}

#[test]
fn code_that_is_not_a_use() {
    let harmless = [
        "// crate::b::B\n/* use crate::b::B; */",
        "/// [`crate::b::B`]\n#[doc = \"crate::b::B\"]\npub struct Other;",
        "const TEXT: &str = \"use crate::b::B;\";",
        "const TEXT: &str = r#\"\" crate::b::B \"#;",
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(test)] #[allow(dead_code)] use crate::b::{B};",
        "#[cfg(test)] mod tests;",
        "pub use crate::b::B;",
        "fn b<'b>(x: &'b str) { x.b(); }",
        "use memchr::memchr; fn find() { memchr() }",
    ];
    for code in harmless {
        let a = format!("{code} pub struct A;");
        let sources = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", a.as_str()),
            ("a/tests.rs", "use crate::b::B;"),
            ("b.rs", "use crate::a::A; pub struct B;"),
        ];
        assert_eq!(circles_of(&sources), [""; 0], "{code}");
    }
}
