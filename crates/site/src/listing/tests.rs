//! Tests of listings of a site.

use super::*;
use crate::hosting::Hosting;
use crate::lookup::{Lookup, lookup};
use crate::virtual_site::{VIRTUAL_ROOT, VirtualDirectories, virtual_site};

fn shown(tree: &Tree, node: Option<Node>) -> String {
    match node {
        Some(Node::File(file)) => tree.file_path(file).display().to_string(),
        Some(Node::Directory(directory)) => {
            format!("{}/", tree.directory_path(directory).display())
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn tree_from_paths_equals_tree_from_directories() {
    let paths = ["b/z", "b/a/x", "a.html", "c", "b-/y"];
    let of_paths = Tree::from_paths(Path::new("r"), paths.map(str::as_bytes));
    let listed = virtual_site(&paths);
    let names =
        |tree: &Tree| -> Vec<PathBuf> { tree.files().map(|file| tree.file_path(file)).collect() };
    assert_eq!(names(&of_paths), names(&listed));
    assert_eq!(
        of_paths.paths().collect::<Vec<_>>(),
        listed.paths().collect::<Vec<_>>()
    );
    for file in of_paths.files() {
        assert_eq!(of_paths.file_at(&of_paths.file_path(file)), Some(file));
    }
}

#[test]
fn path_with_empty_or_dot_segments_has_no_file() {
    let paths = ["../a", "/b", "c//d", "e/./f", "g/", "h", "h", "i", "i/j"];
    let tree = Tree::from_paths(Path::new("r"), paths.map(str::as_bytes));
    let paths: Vec<_> = tree.paths().collect();
    assert_eq!(paths, ["h", "i/j"].map(PathBuf::from));
}

#[test]
fn files_are_numbered_in_byte_order_of_their_paths() {
    let tree = virtual_site(&["b/z", "b/a/x", "a.html", "c", "b-/y", "empty/"]);
    let paths: Vec<_> = tree.files().map(|file| tree.file_path(file)).collect();
    let expected = ["a.html", "b/a/x", "b/z", "b-/y", "c"].map(PathBuf::from);
    assert_eq!(paths, expected);
    for file in tree.files() {
        assert_eq!(tree.file_at(&tree.file_path(file)), Some(file));
    }
    assert_eq!(tree.file_at(Path::new("B/z")), None);
}

#[test]
fn closest_spelling() {
    let tree = virtual_site(&[
        "Guide.html",
        "caf\u{e9}.html",
        "e\u{301}.html",
        "x.html",
        "X.html",
        "\u{c9}T\u{c9}.html",
    ]);
    let closest = |name: &[u8], encoding| {
        let found = tree.closest(tree.top(), name, encoding);
        found.map(|(node, spelling)| (shown(&tree, Some(node)), spelling))
    };
    let utf8 = encoding_rs::UTF_8;
    let found = |name: &str, spelling| Some((name.to_owned(), spelling));
    assert_eq!(closest(b"X.html", utf8), found("X.html", Spelling::Exact));
    assert_eq!(
        closest(b"guide.html", utf8),
        found("Guide.html", Spelling::Case)
    );
    let accent = "\u{e9}.html".as_bytes();
    assert_eq!(
        closest(accent, utf8),
        found("e\u{301}.html", Spelling::Unicode)
    );
    let latin = encoding_rs::WINDOWS_1252;
    let cafe = b"caf\xe9.html";
    assert_eq!(
        closest(cafe, latin),
        found("caf\u{e9}.html", Spelling::Charset)
    );
    assert_eq!(closest(cafe, utf8), None);
    let summer = "\u{e9}t\u{e9}.html".as_bytes();
    assert_eq!(
        closest(summer, utf8),
        found("\u{c9}T\u{c9}.html", Spelling::Case)
    );
    assert_eq!(closest(b"nothing", utf8), None);
}

#[test]
fn symbolic_links_inside_and_outside_the_tree() {
    let tree = virtual_site(&[
        "a.html",
        "d/b.html",
        "d/up -> ../a.html",
        "dir -> d",
        "chain -> dir/up",
        "absolute -> /srv/site/d",
        "around -> ../../srv/site/a.html",
        "out -> ../secret",
        "away -> /etc",
        "loop -> loop2",
        "loop2 -> loop",
        "gone -> nothing",
        "through -> a.html/x",
    ]);
    for (name, expected) in [
        ("dir", "d/"),
        ("chain", "a.html"),
        ("absolute", "d/"),
        ("around", "a.html"),
        ("out", "Some(Outside)"),
        ("away", "Some(Outside)"),
        ("loop", "Some(Dangling)"),
        ("gone", "Some(Dangling)"),
        ("through", "Some(Dangling)"),
    ] {
        let node = tree.exact(tree.top(), name.as_bytes());
        assert_eq!(shown(&tree, node), expected, "{name}");
    }
    assert_eq!(tree.file_count(), 2);
}

#[test]
fn unreadable_directory_is_listed() {
    #[derive(Debug)]
    struct Locked(VirtualDirectories);
    impl Directories for Locked {
        fn list(&self, directory: &Path) -> io::Result<Vec<Listed>> {
            if directory.ends_with("locked") {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            self.0.list(directory)
        }
        fn canonical(&self, root: &Path) -> io::Result<PathBuf> {
            self.0.canonical(root)
        }
    }
    let reader = Locked(VirtualDirectories::new(&["locked/x", "a"]));
    let tree = Tree::read(Path::new(VIRTUAL_ROOT), &reader).expect("the root can be read");
    let [unlisted] = tree.unlisted() else {
        panic!("{:?}", tree.unlisted());
    };
    assert_eq!(unlisted.path, Path::new("/srv/site/locked"));
    let found = |path: &str| lookup(&tree, &Hosting::default(), path, encoding_rs::UTF_8);
    for path in ["locked/x", "locked/", "locked/inner/x", "locked"] {
        assert_eq!(found(path), Lookup::NotKnown, "{path}");
    }
    assert!(matches!(found("b"), Lookup::Missing(_)));
    assert!(Tree::read(Path::new("/nowhere"), &reader).is_err());
}

#[test]
fn only_a_unique_name_is_found_by_name() {
    let tree = virtual_site(&["a/x", "b/x", "b/y"]);
    assert!(tree.only_file_named(b"x").is_none());
    let y = tree.only_file_named(b"y").map(|file| tree.file_path(file));
    assert_eq!(y, Some(PathBuf::from("b/y")));
}
