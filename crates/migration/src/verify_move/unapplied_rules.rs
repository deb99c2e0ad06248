//! Files of redirect rules that are deployed with a tree, and that nobody asked to apply.

use std::path::Path;

use baseref_files::{Files, Role};
use baseref_findings::words::count;
use baseref_server::{Dialect, RuleFile, table};

/// A line for each such file with rules, with the options that apply them.
pub(super) fn lines(root: &Path, files: &Files) -> Vec<String> {
    let line = |name: &&str| {
        let path = root.join(name);
        if !files.is_file(&path) {
            return None;
        }
        let bytes = files.read(&path, Role::Rules).ok()?;
        let dialects = Dialect::candidates(name);
        let rules = RuleFile::read(*dialects.first()?, &bytes, "/")
            .rules()
            .len();
        let path = path.display();
        let options: Vec<String> = match &dialects[..] {
            [_] => vec![format!("--redirects {path}")],
            all => {
                let all = all.iter();
                all.map(|dialect| format!("--redirects {dialect}:{path}"))
                    .collect()
            }
        };
        let apply = if options.len() == 1 {
            "applies"
        } else {
            "apply"
        };
        let (count, options) = (count(rules as u64, "redirect rule"), options.join(" or "));
        (rules > 0).then(|| format!("{path} has {count} not applied here; {options} {apply} them"))
    };
    table::rule_files_of_sites()
        .iter()
        .filter_map(line)
        .collect()
}
