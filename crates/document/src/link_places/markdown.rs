//! The table as shown in the documentation.

use super::table::LINK_PLACES;
use super::types::{Condition, LinkPlace, Namespace, RelativeTo};

/// The table in Markdown, for the manual: elements, attribute, class, how URLs are written in it,
/// and where it is specified. Rows of a namespace that differ only in the
/// element share a line.
#[must_use]
pub fn markdown() -> String {
    let mut lines = Vec::<((Namespace, RelativeTo, [String; 4]), String)>::new();
    for slot in LINK_PLACES {
        let rest = (slot.namespace, slot.relative_to, columns(slot));
        let element = element_in_words(slot);
        match lines.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, elements)) => {
                elements.push_str(", ");
                elements.push_str(&element);
            }
            None => lines.push((rest, element)),
        }
    }
    let mut table = String::from(
        "| element | attribute | class | written as | source |\n|---|---|---|---|---|\n",
    );
    for ((_, _, columns), elements) in lines {
        table.push_str("| ");
        table.push_str(&elements);
        table.push_str(" | ");
        table.push_str(&columns.join(" | "));
        table.push_str(" |\n");
    }
    table
}

/// The columns after the element.
fn columns(slot: &LinkPlace) -> [String; 4] {
    [
        attr_in_words(slot),
        slot.class.as_str().to_owned(),
        slot.grammar.in_words().to_owned(),
        slot.source.to_owned(),
    ]
}

fn element_in_words(slot: &LinkPlace) -> String {
    let vocabulary = match slot.namespace {
        Namespace::Html => "",
        Namespace::Svg => "SVG ",
        Namespace::MathMl => "MathML ",
        Namespace::Message => "mail ",
        Namespace::Response => "HTTP ",
        Namespace::Epub => "EPUB ",
        Namespace::Feed => "feed ",
        Namespace::Sitemap => "sitemap ",
    };
    match slot.element {
        "*" => format!("{vocabulary}any"),
        name => format!("{vocabulary}`{name}`"),
    }
}

fn attr_in_words(slot: &LinkPlace) -> String {
    match slot.condition {
        Condition::Always if slot.attr.is_empty() => String::new(),
        Condition::Always => format!("`{}`", slot.attr),
        Condition::Attribute(attr, value) => {
            format!("`{}` where `{attr}` is `{value}`", slot.attr)
        }
        Condition::Unless(attr, value) => {
            format!("`{}` unless `{attr}` is `{value}`", slot.attr)
        }
        Condition::Word(attr, words) => format!(
            "`{}` where `{attr}` has `{}`",
            slot.attr,
            words.join("`, `")
        ),
        Condition::Type(value) => format!("`{}` where `type` is `{value}`", slot.attr),
        Condition::StyleSheet => format!("`{}` unless `type` is not `text/css`", slot.attr),
        Condition::Property(properties) => format!(
            "`{}` where `name`, `property` or `itemprop` has `{}`",
            slot.attr,
            properties.join("`, `")
        ),
    }
}
