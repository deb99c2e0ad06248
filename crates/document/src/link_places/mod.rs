//! The table of places where a URL may occur: data only, no code that reads documents.
//!
//! [`LINK_PLACES`] is the table, [`LinkPlaceSelection`] finds its rows by element, [`markdown`] prints it for the
//! manual. Adding a place means adding one row.
//!
//! A place can also be the text of an element: [`CONTENT`] then takes the place of the attribute.
//!
//! The table leaves out names that links point at (`id`, `a@name`), and attributes that other tools
//! list but that hold no URLs in practice: `a@urn`, `link@urn`, `datasrc`, `script@for`.

mod index;
mod markdown;
mod table;
mod types;

pub use self::index::{
    LinkPlaceSelection, calendar_row, header_field_row, hidden_text_row, link_field_row,
    plain_text_row, response_field_row, shortcut_row, style_sheet_row,
};
pub use self::markdown::markdown;
pub use self::table::LINK_PLACES;
pub use self::types::{
    CONTENT, Class, Classes, Condition, Fetched, Grammar, LinkPlace, Namespace, RelativeTo,
};

#[cfg(test)]
mod tests {
    use super::index::rows_of;
    use super::*;

    fn attrs(
        wanted: &LinkPlaceSelection,
        namespace: Namespace,
        element: &str,
    ) -> Vec<&'static str> {
        let slots = wanted.rows(namespace, element);
        slots.map(|slot| slot.attr).collect()
    }

    #[test]
    fn every_place_is_listed_once() {
        for (index, slot) in LINK_PLACES.iter().enumerate() {
            let place =
                |slot: &LinkPlace| (slot.namespace, slot.element, slot.attr, slot.condition);
            let again = LINK_PLACES[..index]
                .iter()
                .any(|other| place(other) == place(slot));
            assert!(!again, "{slot:?}");
        }
    }

    #[test]
    fn names_are_spelled_as_in_the_tree() {
        for slot in LINK_PLACES {
            let capitals = matches!(slot.namespace, Namespace::Svg | Namespace::Epub);
            let is_name = |name: &str| {
                !name.is_empty()
                    && name.starts_with(|first: char| first.is_ascii_lowercase())
                    && name.chars().all(|c| {
                        c.is_ascii_lowercase() || matches!(c, '-' | ':' | '_') || c.is_ascii_digit()
                    })
            };
            let element = if capitals {
                slot.element.to_ascii_lowercase()
            } else {
                slot.element.to_owned()
            };
            assert!(element == "*" || is_name(&element), "{slot:?}");
            match slot.class {
                _ if slot.namespace == Namespace::Epub => {
                    assert!(is_name(&slot.attr.to_ascii_lowercase()), "{slot:?}");
                }
                Class::Header => assert!(is_name(&slot.attr.to_ascii_lowercase()), "{slot:?}"),
                Class::Text => assert_eq!(slot.attr, ""),
                _ => assert!(slot.attr == CONTENT || is_name(slot.attr), "{slot:?}"),
            }
            assert!(!slot.source.is_empty(), "{slot:?}");
            let is_value = |value: &str| {
                !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == ';')
            };
            match slot.condition {
                Condition::Always | Condition::StyleSheet => {}
                Condition::Attribute(attr, value) | Condition::Unless(attr, value) => {
                    assert!(is_name(attr) && is_value(value), "{slot:?}");
                }
                Condition::Word(attr, words) => {
                    assert!(
                        is_name(attr) && words.iter().all(|word| is_value(word)),
                        "{slot:?}"
                    );
                }
                Condition::Type(value) => assert!(is_value(value), "{slot:?}"),
                Condition::Property(values) => {
                    assert!(values.iter().all(|value| is_value(value)), "{slot:?}");
                }
            }
        }
    }

    #[test]
    fn anchors_are_links_that_people_follow() {
        let anchors: Vec<_> = LINK_PLACES
            .iter()
            .filter(|slot| slot.class == Class::Anchor)
            .map(|slot| (slot.namespace, slot.element, slot.attr))
            .collect();
        let expected = [
            (Namespace::Html, "a", "href"),
            (Namespace::Html, "area", "href"),
            (Namespace::Svg, "a", "href"),
            (Namespace::Svg, "a", "xlink:href"),
            (Namespace::Feed, "link", "href"),
            (Namespace::Feed, "content", "src"),
            (Namespace::Feed, "uri", CONTENT),
            (Namespace::Feed, "link", CONTENT),
            (Namespace::Feed, "guid", CONTENT),
            (Namespace::Feed, "comments", CONTENT),
            (Namespace::Feed, "media:player", "url"),
            (Namespace::Sitemap, "loc", CONTENT),
            (Namespace::Sitemap, "image:license", CONTENT),
            (Namespace::Message, "calendar", "url"),
            (Namespace::Message, "calendar", "attach"),
            (Namespace::Message, "calendar", "altrep"),
            (Namespace::Message, "calendar", "conference"),
            (Namespace::Message, "shortcut", "url"),
        ];
        assert_eq!(anchors, expected);
    }

    #[test]
    fn element_is_found_by_namespace_in_any_case() {
        let wanted = LinkPlaceSelection::new(Classes::ALL);
        let cases = [
            (
                Namespace::Html,
                "img",
                "src srcset longdesc lowsrc dynsrc usemap attributionsrc",
            ),
            (
                Namespace::Html,
                "IMG",
                "src srcset longdesc lowsrc dynsrc usemap attributionsrc",
            ),
            (Namespace::Html, "p", ""),
            (Namespace::Html, "", ""),
            (Namespace::Html, "é", ""),
            (Namespace::Svg, "textpath", "href xlink:href"),
            (Namespace::Svg, "textPath", "href xlink:href"),
            (Namespace::Svg, "img", ""),
            (Namespace::MathMl, "mi", ""),
            (Namespace::MathMl, "mglyph", "src"),
        ];
        for (namespace, element, own) in cases {
            let any = wanted.rows_of_any(namespace);
            let own = own.split_ascii_whitespace();
            let expected: Vec<_> = own.chain(any.map(|slot| slot.attr)).collect();
            let found = attrs(&wanted, namespace, element);
            assert_eq!(found, expected, "{namespace:?} {element:?}");
        }
        let any = |namespace| {
            let slots = wanted.rows_of_any(namespace);
            slots.map(|slot| slot.attr).collect::<Vec<_>>()
        };
        assert!(any(Namespace::Html).contains(&"itemid"));
        assert_eq!(
            any(Namespace::MathMl),
            ["href", "xlink:href", "xml:base", "style"]
        );
    }

    /// The collector keeps one bit per row.
    #[test]
    fn element_has_at_most_64_rows() {
        let wanted = LinkPlaceSelection::new(Classes::ALL);
        for slot in LINK_PLACES {
            let rows = wanted.rows(slot.namespace, slot.element).count();
            assert!(rows <= 64, "{} has {rows}", slot.element);
        }
    }

    #[test]
    fn every_row_is_found_by_its_element() {
        let wanted = LinkPlaceSelection::new(Classes::ALL);
        for slot in LINK_PLACES {
            let mut found = wanted.rows(slot.namespace, slot.element);
            assert!(found.any(|found| std::ptr::eq(found, slot)), "{slot:?}");
        }
    }

    #[test]
    fn selection_has_chosen_classes_and_embedded_documents() {
        let wanted = LinkPlaceSelection::new(Classes::ANCHORS);
        let cases = [
            (Namespace::Html, "a", vec!["href"]),
            (Namespace::Html, "iframe", vec!["srcdoc"]),
            (Namespace::Html, "img", vec![]),
            (Namespace::Html, "p", vec![]),
            (Namespace::Svg, "a", vec!["href", "xlink:href"]),
            (Namespace::MathMl, "mi", vec![]),
        ];
        for (namespace, element, expected) in cases {
            assert_eq!(attrs(&wanted, namespace, element), expected, "{element}");
        }
    }

    #[test]
    fn header_field_is_found_in_any_case() {
        for (name, attr) in [
            ("list-HELP", Some("List-Help")),
            ("Base", Some("Base")),
            ("Subject", None),
            ("", None),
        ] {
            let slot = header_field_row(name.as_bytes());
            assert_eq!(slot.map(|slot| slot.attr), attr, "{name}");
        }
    }

    #[test]
    fn text_has_a_row_for_what_is_shown_and_one_for_what_is_hidden() {
        let rows = [plain_text_row().unwrap(), hidden_text_row().unwrap()];
        assert_eq!(rows.map(|slot| slot.element), ["text", "hidden-text"]);
        assert_eq!(rows_of(Class::Text), rows);
    }

    #[test]
    fn condition_compares_values_in_any_case() {
        let refresh = Condition::Attribute("http-equiv", "refresh");
        let cases = [
            (Some("refresh"), true),
            (Some("REFRESH"), true),
            (Some(" refresh"), false),
            (Some(""), false),
            (None, false),
        ];
        for (value, expected) in cases {
            assert_eq!(refresh.is_met(|_| value), expected, "{value:?}");
        }
        assert!(Condition::Always.is_met(|_| None::<&str>));
    }

    #[test]
    fn media_type_is_compared_without_parameters() {
        let json_ld = Condition::Type("application/ld+json");
        for (value, expected) in [
            (Some("application/ld+json"), true),
            (Some(" Application/LD+JSON ; charset=utf-8"), true),
            (Some("application/json"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(json_ld.is_met(|_| value), expected, "{value:?}");
        }
    }

    #[test]
    fn style_sheet_defaults_to_css() {
        for (value, expected) in [
            (None, true),
            (Some(""), true),
            (Some("Text/CSS"), true),
            (Some("text/less"), false),
            (Some(" text/css"), false),
        ] {
            assert_eq!(
                Condition::StyleSheet.is_met(|_| value),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn property_is_one_word_of_its_attribute() {
        let image = Condition::Property(&["og:image", "image"]);
        for (attr, value, expected) in [
            ("property", "og:image", true),
            ("name", "OG:Image", true),
            ("itemprop", "thumbnail image", true),
            ("property", "og:image:width", false),
            ("http-equiv", "image", false),
            ("name", "", false),
        ] {
            let found = image.is_met(|name| (name == attr).then_some(value));
            assert_eq!(found, expected, "{attr}={value}");
        }
    }

    #[test]
    fn markdown_table_joins_rows_that_differ_only_in_element() {
        let table = markdown();
        let has = |line: &str| assert!(table.lines().any(|found| found == line), "{table}");
        has("| `a`, `area` | `href` | anchor | URL | HTML |");
        has("| any | `itemtype` | metadata | URLs separated by white space | HTML |");
        has("| SVG `a` | `xlink:href` | anchor | URL | SVG 1.1 |");
        has(
            "| `meta` | `content` where `http-equiv` is `refresh` | document | delay and URL of a \
             refresh | HTML |",
        );
        let elements = table.lines().skip(2).map(|line| {
            line.split('|')
                .nth(1)
                .map_or(0, |cell| cell.split(", ").count())
        });
        assert_eq!(elements.sum::<usize>(), LINK_PLACES.len());
    }
}
