//! Finds the longest of many prefixes that a URL is below, in one pass over the URL.

use foldhash::HashMap;

/// URL prefixes with a final slash, each with its place in a list of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PrefixTree {
    /// The first one is the root, unless there are none. Nodes name others by index, since a tree of
    /// boxes as deep as a URL could overflow the stack.
    nodes: Vec<PrefixNode>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PrefixNode {
    /// The node of each segment that follows.
    children: HashMap<Box<str>, usize>,
    /// The place of the prefix that ends here.
    place: Option<usize>,
}

impl PrefixTree {
    /// Adds a prefix, and returns its place: that of an equal one if there is one.
    pub(super) fn add(&mut self, prefix: &str, place: usize) -> usize {
        if self.nodes.is_empty() {
            self.nodes.push(PrefixNode::default());
        }
        let mut at = 0;
        for segment in prefix.strip_suffix('/').unwrap_or(prefix).split('/') {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else {
                break;
            };
            at = *node.children.entry(segment.into()).or_insert(next);
            if at == next {
                self.nodes.push(PrefixNode::default());
            }
        }
        let node = self.nodes.get_mut(at);
        node.map_or(place, |node| *node.place.get_or_insert(place))
    }

    /// The place of the longest prefix that a URL is below, and the rest of the URL. The URL may equal a
    /// prefix but for its final slash; then the rest is empty, a query or a fragment.
    pub(super) fn longest<'u>(&self, url: &'u str) -> Option<(usize, &'u str)> {
        let (path, _) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
        let (mut node, mut at, mut found) = (self.nodes.first()?, 0, None);
        for segment in path.split('/') {
            let next = node.children.get(segment);
            let Some(next) = next.and_then(|next| self.nodes.get(*next)) else {
                break;
            };
            node = next;
            at += segment.len();
            let has_slash = path[at..].starts_with('/');
            at += usize::from(has_slash);
            found = node.place.map(|place| (place, &url[at..])).or(found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_prefix_of_whole_segments() {
        let mut tree = PrefixTree::default();
        for (place, prefix) in ["http://h/", "http://h/a/b/", "http://h/a/"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(tree.add(prefix, place), place);
        }
        assert_eq!(tree.add("http://h/a/", 3), 2);
        for (url, expected) in [
            ("http://h/a/b/c", Some((1, "c"))),
            ("http://h/a/b", Some((1, ""))),
            ("http://h/a?x=/b/", Some((2, "?x=/b/"))),
            ("http://h/ab/", Some((0, "ab/"))),
            ("http://h//", Some((0, "/"))),
            ("http://h#/a", Some((0, "#/a"))),
            ("http://", None),
            ("", None),
        ] {
            assert_eq!(tree.longest(url), expected, "{url}");
        }
    }
}
