//! The messages of a report, which it shows as cards.

use serde::Serialize;

use super::strings::Strings;
use crate::defang;
use baseref_findings::MessageSummary;

/// The maximum number of cards.
const MOST: usize = 2_000;

/// The cards, their texts by number.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(super) struct MessageCards(Vec<Row>);

#[derive(Serialize)]
struct Row {
    name: u32,
    from: u32,
    date: u32,
    subject: u32,
    /// Text, URL as in findings, target, wrappers, and the reason why the target is unknown.
    links: Vec<[u32; 5]>,
    left: u64,
}

impl MessageCards {
    /// Adds a message if there is room. Its targets, and all texts that may be taken for links, are
    /// defanged; the URLs by which its findings are known only if those are, too.
    pub(super) fn add(
        &mut self,
        message: &MessageSummary,
        strings: &mut Strings,
        is_defanged: bool,
    ) {
        if self.0.len() == MOST || !strings.has_room() {
            return;
        }
        let links = message.links.iter().map(|link| {
            let url = if is_defanged {
                defang::names(&link.url)
            } else {
                link.url.as_str().into()
            };
            [
                strings.number(&defang::names(&link.text)),
                strings.number(&url),
                strings.number(&defang::url(&link.target)),
                strings.number(&link.through),
                strings.number(link.end),
            ]
        });
        let links = links.collect();
        self.0.push(Row {
            name: strings.number(&message.name),
            from: strings.number(&defang::names(&message.from)),
            date: strings.number(&message.date),
            subject: strings.number(&defang::names(&message.subject)),
            links,
            left: message.left,
        });
    }
}
