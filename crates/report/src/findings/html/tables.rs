//! Tables of a summary, as markup.

use std::fmt::Write as _; // for `write!`: a String takes every write

use quick_xml::escape::escape;

use crate::text::shown;
use baseref_findings::Table;

/// The tables about captures, each below its title; empty if there are none. They fold up together, so
/// that the keyboard passes them in one step.
pub(super) fn markup(tables: &[Table]) -> String {
    let mut markup = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        if markup.is_empty() {
            markup += "\n<details class=\"tables\" open>\n<summary>Captures</summary>";
        }
        let _ = write!(
            markup,
            "\n<table>\n<caption>{}</caption>\n<thead><tr>",
            escape(table.title)
        );
        for column in table.columns {
            let _ = write!(markup, "<th scope=\"col\">{}</th>", escape(*column));
        }
        markup += "</tr></thead>\n<tbody>\n";
        for row in &table.rows {
            markup += "<tr>";
            for cell in row {
                let _ = write!(markup, "<td>{}</td>", escape(shown(cell)));
            }
            markup += "</tr>\n";
        }
        markup += "</tbody>\n</table>";
    }
    if !markup.is_empty() {
        markup += "\n</details>";
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_cells_escaped_and_folded_together() {
        let table = |title| Table {
            title,
            columns: &["host", "pages"],
            rows: vec![vec!["<script>".to_owned(), "1".to_owned()]],
        };
        let markup = markup(&[table("By host"), table("By page")]);
        let cells = "<td>&lt;script&gt;</td><td>1</td>";
        assert_eq!(markup.matches(cells).count(), 2, "{markup}");
        for (tag, number) in [("<details", 1), ("</details>", 1), ("<caption>By ", 2)] {
            assert_eq!(markup.matches(tag).count(), number, "{tag} {markup}");
        }
        assert_eq!(super::markup(&[]), "");
    }
}
