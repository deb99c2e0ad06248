//! The trust in each kind of mark that records where a document was saved from, and the URL it gives.

use std::borrow::Cow;

use super::{Candidate, Fold, Verdict, candidate_of, hierarchical};
use baseref_document::{Declaration, Mark, MarkPlace, Place, Retrieval};

impl Fold<'_> {
    /// §3.3 by the marks among the declarations: the most trustworthy usable one wins. A mark next to a
    /// collection applies to the collection, not to the documents in it.
    pub(super) fn marks(&mut self, declarations: &[Declaration]) {
        let mut marks: Vec<(Mark, &Declaration)> = declarations
            .iter()
            .filter_map(|declaration| match &declaration.at {
                Place::Retrieval(Retrieval::Mark { mark, at }) => match at {
                    MarkPlace::BesideCollection => None,
                    _ => Some((*mark, declaration)),
                },
                _ => None,
            })
            .collect();
        if marks.is_empty() {
            return;
        }
        marks.sort_by_key(|(mark, _)| rank(*mark));
        let has_saved_links = has_saved_links(declarations);
        let mut winner = None;
        let mut candidates = Vec::new();
        for (mark, declaration) in marks {
            let mut candidate = candidate_of(declaration);
            let usable = match mark {
                Mark::SavedFrom { .. } if has_saved_links => Err(Verdict::SavedLinks),
                _ => self.mark_url(mark, &declaration.value),
            };
            self.judge_mark(mark, declaration, &mut candidate, usable, &mut winner);
            candidates.push(candidate);
        }
        self.close_layer(candidates);
    }

    /// The URL that a mark gives, absolute and usable as a base, and any oddity of its form.
    fn mark_url(&self, mark: Mark, value: &str) -> Result<MarkedUrl, Verdict> {
        let ParsedMark { url, form } = parse(mark, value)?;
        let url = hierarchical(self.absolute(&url)?)?;
        Ok((url, form))
    }

    /// Takes the mark if it is usable and no earlier one was, or says why not.
    fn judge_mark(
        &mut self,
        mark: Mark,
        declaration: &Declaration,
        candidate: &mut Candidate,
        usable: Result<MarkedUrl, Verdict>,
        winner: &mut Option<Mark>,
    ) {
        match (usable, *winner) {
            (usable, _) if !self.policy.marks => {
                self.list_url(candidate, |_, _| usable.ok().map(|(url, _)| url));
                candidate.verdict = Verdict::OriginOff;
            }
            (Ok((url, _)), Some(winner)) => {
                self.list_url(candidate, |_, _| Some(url));
                candidate.verdict = if rank(winner) == rank(mark) {
                    Verdict::NotFirst
                } else {
                    Verdict::Outranked
                };
            }
            (Ok((url, form)), None) => {
                self.note_form(declaration, form);
                self.judge(candidate, Ok(url));
                *winner = Some(mark);
            }
            (Err(verdict), _) => self.judge(candidate, Err(verdict)),
        }
    }
}

/// A URL, and any oddity of the mark that gives it.
type MarkedUrl = (String, Option<&'static str>);

/// The rank of a mark by trust, the most trustworthy first.
///
/// Marks outside the file come first: the program that fetched the file wrote them, out of reach of the
/// page's author, and curl and wget record the very URL that returned the file. Among the marks inside
/// a page, programs that rebuild the whole page leave only their own, while `HTTrack` and browsers keep
/// older ones; and a browser's mark is often stale, in a page that was edited and published on another
/// site.
fn rank(mark: Mark) -> u8 {
    match mark {
        Mark::OriginUrl => 0,
        Mark::WhereFroms => 1,
        Mark::ZoneIdentifier => 2,
        Mark::SingleFile => 3,
        Mark::Monolith => 4,
        Mark::ScrapBook => 5,
        Mark::HtTrack => 6,
        // A mark without a rank of its own is trusted least, as this one is.
        _ => 7,
    }
}

/// The URL of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ParsedMark<'v> {
    url: Cow<'v, str>,
    /// Any oddity of its form, in words.
    form: Option<&'static str>,
}

/// Parses the value of a mark.
fn parse(mark: Mark, value: &str) -> Result<ParsedMark<'_>, Verdict> {
    let mut parsed = ParsedMark {
        url: Cow::Borrowed(value),
        form: None,
    };
    match mark {
        // Microsoft, "Mark of the Web". Internet Explorer counts characters, Chrome counts bytes.
        Mark::SavedFrom { length } if length > value.len() as u64 => return Err(Verdict::CutOff),
        // Departs: Internet Explorer takes only that many characters, which is enough to find the
        // security zone of a host, but not to identify a document.
        Mark::SavedFrom { length } if length < value.chars().count() as u64 => {
            parsed.form = Some("its length is shorter than the URL; the whole URL is taken");
        }
        // Older versions left out the scheme, whether http or https.
        Mark::HtTrack if !value.contains("://") => {
            parsed.url = Cow::Owned(format!("http://{value}"));
            parsed.form = Some("it has no scheme; http is assumed");
        }
        _ => {}
    }
    Ok(parsed)
}

/// Whether the browser that saved the page made its links lead to the saved files: Chrome moves the
/// page's `base` element into a comment and adds one that points to where the page is saved.
fn has_saved_links(declarations: &[Declaration]) -> bool {
    let is_former = |declaration: &Declaration| matches!(declaration.at, Place::FormerElement(_));
    let is_element = |declaration: &&Declaration| matches!(declaration.at, Place::Element(_));
    declarations.iter().any(is_former)
        && declarations
            .iter()
            .find(is_element)
            .is_some_and(|element| &*element.value == ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Policy;
    use crate::base::{Base, establish};

    #[test]
    fn length_in_mark_of_the_web_must_not_exceed_url() {
        let parsed = |length, value| parse(Mark::SavedFrom { length }, value);
        for length in [12, 11] {
            let exact = parsed(length, "http://a/bé").unwrap();
            assert_eq!((&*exact.url, exact.form), ("http://a/bé", None));
        }
        let short = parsed(8, "http://a/b").unwrap();
        assert_eq!(short.url, "http://a/b");
        assert!(short.form.is_some());
        assert_eq!(parsed(11, "http://a/b"), Err(Verdict::CutOff));
    }

    #[test]
    fn url_of_httrack_without_scheme() {
        for (value, url, noted) in [
            ("a.example/b?c", "http://a.example/b?c", true),
            ("https://a.example/b", "https://a.example/b", false),
        ] {
            let parsed = parse(Mark::HtTrack, value).unwrap();
            assert_eq!((&*parsed.url, parsed.form.is_some()), (url, noted));
        }
        assert_eq!(
            parse(Mark::SingleFile, "a.example").unwrap().url,
            "a.example"
        );
    }

    #[test]
    fn retrieval_urls_rank_by_their_kind_wherever_they_stand() {
        let declaration = |value: &str, by| Declaration::new(value, Place::Retrieval(by));
        let mark = |value, mark| {
            let at = MarkPlace::Beside;
            declaration(value, Retrieval::Mark { mark, at })
        };
        let policy = Policy {
            marks: true,
            ..Policy::default()
        };
        let base = |declarations: &[Declaration]| {
            let found = establish(policy, &Base::default(), declarations, encoding_rs::UTF_8);
            found.base.url.unwrap_or_default().to_string()
        };
        let outwards = [
            declaration("http://url/", Retrieval::Url),
            declaration("http://map/", Retrieval::UrlMap("d".into())),
            declaration("http://inner-record/", Retrieval::Record("inner")),
            declaration("http://outer-record/", Retrieval::Record("outer")),
            mark("http://beside/", Mark::ZoneIdentifier),
            mark("http://inside/", Mark::SingleFile),
        ];
        for (number, first) in outwards.iter().enumerate() {
            let mut rest = outwards[number..].to_vec();
            rest.reverse();
            assert_eq!(base(&rest), *first.value);
            if !first.value.contains("inner") {
                rest.reverse();
                assert_eq!(base(&rest), *first.value);
            }
        }
        let unusable = mark("about:internet", Mark::ZoneIdentifier);
        assert_eq!(base(&[outwards[5].clone(), unusable]), "http://inside/");
    }

    #[test]
    fn a_mark_beside_a_collection_is_none_of_its_documents() {
        let by = |at| {
            Declaration::new(
                "http://a/",
                Place::Retrieval(Retrieval::Mark {
                    mark: Mark::OriginUrl,
                    at,
                }),
            )
        };
        let policy = Policy {
            marks: true,
            ..Policy::default()
        };
        for (at, candidates) in [(MarkPlace::Beside, 1), (MarkPlace::BesideCollection, 0)] {
            let found = establish(policy, &Base::default(), &[by(at)], encoding_rs::UTF_8);
            assert_eq!(found.candidates.len(), candidates);
        }
    }
}
