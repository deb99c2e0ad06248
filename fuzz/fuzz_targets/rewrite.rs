//! Rewrites the links of a page: read again, each leads where it should, and a second rewrite edits
//! nothing.
#![no_main]

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::{Declaration, Origin};
use baseref_reader::base::Policy;
use baseref_rewrite::edit;
use baseref_rewrite::links;
use baseref_rewrite::rewriting::{LinkForm, Rewriting};
use baseref_site::moves::Prefixes;
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;

const AT: &str = "http://o/d/page.html";

fn entity(bytes: &[u8]) -> Entity {
    let mut entity = Entity::html(Origin::new("page.html"), bytes.to_vec());
    entity.declarations.push(Declaration::retrieved_from(AT));
    entity
}

/// The URLs of the links of a page, as far as they have one.
fn urls(bytes: &[u8], rewriting: &Rewriting) -> Vec<String> {
    let mut urls = Vec::new();
    for document in links::documents(bytes, entity(b""), None, &rewriting.read) {
        let resolved = rewriting.policy.resolve(&document);
        urls.extend(resolved.links().filter_map(|link| link.url.ok()));
    }
    urls
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, page)) = data.split_first() else {
        return;
    };
    let moves = choice & 1 != 0;
    let mut prefixes = Prefixes::default();
    prefixes
        .add("http://o/", &[], "http://n/x/")
        .expect("a move");
    let rewriting = Rewriting {
        prefixes: moves.then_some(prefixes),
        links: HashMap::new(),
        written: match choice >> 1 & 3 {
            0 if !moves => Some(LinkForm::Absolute),
            1 => Some(LinkForm::Relative),
            2 => Some(LinkForm::Absolute),
            _ => None,
        },
        policy: Policy::default(),
        read: links::reading(ReadOptions::default()),
    };
    let mut first = rewriting.rewrite(entity(page));
    if first.edits.is_empty() {
        return;
    }
    let edited = edit::applied(&first.bytes, &mut first.edits).expect("edits that do not overlap");
    if !moves {
        assert_eq!(
            urls(page, &rewriting).len(),
            urls(&edited, &rewriting).len()
        );
    }
    let second = rewriting.rewrite(entity(&edited));
    assert!(second.edits.is_empty(), "{:?}", second.edits);
});
