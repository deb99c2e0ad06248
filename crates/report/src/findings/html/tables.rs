//! Tables of a summary, as markup.

use std::fmt::Write as _; // for `write!`: a String takes every write

use quick_xml::escape::escape;

use crate::text::shown;
use baseref_findings::Table;

/// The tables, each below its title; empty if there are none.
pub(super) fn markup(tables: &[Table]) -> String {
    let mut markup = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        let _ = write!(
            markup,
            "\n<details class=\"table\" open>\n<summary>{}</summary>\n<table>\n<thead><tr>",
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
        markup += "</tbody>\n</table>\n</details>";
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_cells_escaped() {
        let table = Table {
            title: "Captures by host",
            columns: &["host", "pages"],
            rows: vec![vec!["<script>".to_owned(), "1".to_owned()]],
        };
        let markup = markup(&[table]);
        assert!(
            markup.contains("<td>&lt;script&gt;</td><td>1</td>"),
            "{markup}"
        );
        assert_eq!(super::markup(&[]), "");
    }
}
