//! Finds the longest of many prefixes that a URL is below, in one pass over the URL.

use foldhash::HashMap;

/// URL prefixes with a final slash, each with its place in a list of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PrefixTree {
    /// What all prefixes start with, up to a slash. A move often has one prefix, which is then all of it,
    /// and most URLs need only this comparison.
    start: String,
    /// The first one is the end of `start`, unless there are none. Nodes name others by index, since a
    /// tree of boxes as deep as a URL could overflow the stack.
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
            prefix.clone_into(&mut self.start);
            self.nodes.push(PrefixNode::default());
        }
        self.shorten_start(prefix);
        let rest = prefix.get(self.start.len()..).unwrap_or_default();
        let end = self.descend(rest);
        let node = self.nodes.get_mut(end);
        node.map_or(place, |node| *node.place.get_or_insert(place))
    }

    /// Shortens `start` to what `prefix` starts with, too.
    fn shorten_start(&mut self, prefix: &str) {
        let bytes = self.start.bytes().zip(prefix.bytes());
        let common = bytes.take_while(|(own, other)| own == other).count();
        let common = self.start.as_bytes().get(..common).unwrap_or_default();
        let length = memchr::memrchr(b'/', common).map_or(0, |slash| slash + 1);
        if length == self.start.len() {
            return;
        }
        let old_start = self.start.split_off(length);
        let old_root = self.nodes.first_mut().map(std::mem::take);
        let end = self.descend(&old_start);
        if let Some((node, old_root)) = self.nodes.get_mut(end).zip(old_root) {
            *node = old_root;
        }
    }

    /// The node of a path below `start`, made if there is none.
    fn descend(&mut self, path: &str) -> usize {
        let mut at = 0;
        for segment in path.split_terminator('/') {
            let next = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else {
                break;
            };
            at = *node.children.entry(segment.into()).or_insert(next);
            if at == next {
                self.nodes.push(PrefixNode::default());
            }
        }
        at
    }

    /// The place of the longest prefix that a URL is below, and the rest of the URL. The URL may equal a
    /// prefix but for its final slash; then the rest is empty, a query or a fragment.
    pub(super) fn longest<'u>(&self, url: &'u str) -> Option<(usize, &'u str)> {
        let root = self.nodes.first()?;
        let Some(below) = url.strip_prefix(self.start.as_str()) else {
            let rest = url.strip_prefix(self.start.strip_suffix('/')?)?;
            let is_whole = rest.is_empty() || rest.starts_with(['?', '#']);
            return root.place.filter(|_| is_whole).map(|place| (place, rest));
        };
        let mut found = root.place.map(|place| (place, below));
        if root.children.is_empty() {
            return found;
        }
        let (path, _) = below.split_at(below.find(['?', '#']).unwrap_or(below.len()));
        let (mut node, mut at) = (root, 0);
        for segment in path.split('/') {
            let next = node.children.get(segment);
            let Some(next) = next.and_then(|next| self.nodes.get(*next)) else {
                break;
            };
            node = next;
            at += segment.len();
            let has_slash = path[at..].starts_with('/');
            at += usize::from(has_slash);
            found = node.place.map(|place| (place, &below[at..])).or(found);
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

    #[test]
    fn prefixes_without_a_common_host() {
        let prefixes = ["http://h/a/", "http://h/b/", "https://g/", "http://h/a/"];
        let mut tree = PrefixTree::default();
        let places = prefixes.map(|prefix| tree.add(prefix, tree.nodes.len()));
        assert_eq!(places[3], places[0]);
        for (url, expected) in [
            ("http://h/a", Some((places[0], ""))),
            ("http://h/b/c?d", Some((places[1], "c?d"))),
            ("https://g#e", Some((places[2], "#e"))),
            ("http://h/", None),
            ("http://g/a/", None),
        ] {
            assert_eq!(tree.longest(url), expected, "{url}");
        }
    }

    #[test]
    fn empty_segments_are_segments() {
        let mut tree = PrefixTree::default();
        for (place, prefix) in ["http://h/", "http://h//", "http://h//a/"]
            .into_iter()
            .enumerate()
        {
            assert_eq!(tree.add(prefix, place), place);
        }
        for (url, expected) in [
            ("http://h/b", Some((0, "b"))),
            ("http://h//b", Some((1, "b"))),
            ("http://h//a/b", Some((2, "b"))),
        ] {
            assert_eq!(tree.longest(url), expected, "{url}");
        }
    }
}
