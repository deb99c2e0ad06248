//! Collects when browsers ask for the targets of references: which are alternatives of one another,
//! and which no browser asks for.

use memchr::memmem;

use super::Collector;
use super::choices::{DEVICE_ICONS, Parent, Sources, ValueChoices};
use crate::names::Name;
use crate::tokenizer::{Token, Tokenizer, attribute_key};
use baseref_document::Choice;
use baseref_document::link_places::Grammar;
use baseref_text::grammar::srcset::ImageCandidates;
use baseref_text::grammar::{css, supported};

impl Collector<'_, '_> {
    /// Whether choices are wanted.
    #[inline]
    pub(crate) fn wants_choices(&self) -> bool {
        self.options.choices
    }

    /// Says which element is around an `img` or `source` that is collected next.
    pub(crate) fn set_parent(&mut self, parent: Option<Parent>) {
        self.choices.parent = parent;
    }

    /// A `noscript` element of HTML begins with the tag at an offset. Browsers that run scripts take
    /// everything up to its end tag as text, even where those that do not end it before (HTML "the
    /// rules for parsing tokens in HTML content", "in head noscript").
    pub(crate) fn begin_noscript(&mut self, tag: usize) {
        if !self.wants_choices() || self.in_noscript(tag) {
            return;
        }
        let rest = self.source.get(tag..).unwrap_or_default();
        let end = end_of_noscript(rest.as_bytes()).map_or(self.source.len(), |end| tag + end);
        let noscripts = &mut self.choices.noscripts;
        let place = noscripts.partition_point(|known| known.start < tag);
        noscripts.insert(place, tag..end);
    }

    /// Whether only browsers that do not run scripts see what is at an offset.
    pub(super) fn in_noscript(&self, offset: usize) -> bool {
        let noscripts = &self.choices.noscripts;
        let place = noscripts.partition_point(|known| known.start <= offset);
        let last = place.checked_sub(1).and_then(|last| noscripts.get(last));
        last.is_some_and(|last| last.contains(&offset))
    }

    /// The choices in a value, if they are wanted.
    pub(super) fn choices_in(&mut self, grammar: Grammar, value: &str) -> Option<ValueChoices> {
        if !self.wants_choices() || self.is_inert {
            return None;
        }
        match grammar {
            Grammar::Srcset => Some(ValueChoices::Srcset(ImageCandidates::read(value))),
            Grammar::Css => {
                let mut choices = css::choices(value);
                let groups = self.choices.groups;
                let mut after = groups;
                for (_, choice) in &mut choices {
                    *choice = choice.after(groups);
                    let next = choice.group().map_or(0, |group| group.saturating_add(1));
                    after = after.max(next);
                }
                self.choices.groups = after;
                Some(ValueChoices::Css(choices))
            }
            _ => None,
        }
    }

    /// Gives the last reference its choice among those of its value, where it begins at `start`.
    pub(super) fn choose_last(&mut self, choices: Option<&ValueChoices>, start: usize) {
        if let Some(choice) = choices.and_then(|choices| choices.get(start))
            && let Some(last) = self.document.references.len().checked_sub(1)
        {
            self.document.references.set_choice(last, choice);
        }
    }

    /// Marks the references from `first` on as asked for only by browsers that do not run scripts.
    pub(super) fn choose_without_scripts(&mut self, first: usize) {
        for index in first..self.document.references.len() {
            let references = &mut self.document.references;
            references.set_choice(index, Choice::WithoutScripts);
        }
    }

    fn new_group(&mut self) -> u32 {
        let group = self.choices.groups;
        self.choices.groups = group.saturating_add(1);
        group
    }

    /// Sets the choices of the current HTML element, whose references begin at `first`.
    pub(super) fn choose(&mut self, name: Name, first: usize) {
        if self.is_inert || self.document.references.len() == first {
            return;
        }
        match name {
            Name::Img | Name::Image => self.choose_image(first),
            Name::Source => self.choose_source(first),
            Name::Link => self.choose_link(first),
            Name::Script => self.choose_script(first),
            Name::Input => {
                let kind = self.value_of("type").unwrap_or_default();
                if !kind.eq_ignore_ascii_case("image") {
                    self.set_choices(first, &["src"], Choice::Never);
                }
            }
            // The document in `srcdoc` takes its place.
            Name::Iframe if self.attribute("srcdoc").is_some() => {
                self.set_choices(first, &["src"], Choice::Never);
            }
            Name::Bgsound => self.set_choices(first, &["src"], Choice::Never),
            // No browser of today runs Java or ActiveX.
            Name::Applet => {
                self.set_choices(first, &["code", "archive", "object"], Choice::Never);
            }
            Name::Object => self.set_choices(first, &["classid", "archive"], Choice::Never),
            _ => {}
        }
        let offset = self.attributes.first().map_or(0, |first| first.value.start);
        if self.in_noscript(offset) {
            self.choose_without_scripts(first);
        }
    }

    /// SVG 2 §16.1.5: `xlink:href` counts only without `href`.
    pub(super) fn choose_in_svg(&mut self, first: usize) {
        if !self.is_inert
            && self.document.references.len() > first
            && self.attribute("href").is_some()
        {
            self.set_choices(first, &["xlink:href"], Choice::Never);
        }
    }

    /// HTML "update the source set".
    fn choose_image(&mut self, first: usize) {
        self.set_choices(first, &["lowsrc", "dynsrc"], Choice::Never);
        let parent = self.choices.parent.take();
        let picture = parent.filter(|parent| parent.name == Name::Picture);
        let sources = picture.and_then(|picture| self.choices.sources.get_mut(&picture.tag));
        let sources = sources.filter(|sources| !sources.is_after_image);
        if let Some(sources) = sources {
            let Sources {
                group,
                are_complete,
                ..
            } = *sources;
            sources.are_complete = true;
            if are_complete {
                self.set_choices(first, &["src", "srcset"], Choice::Never);
            } else {
                self.choose_candidates(first, "src", "srcset", group);
            }
        } else if self.value_of("srcset").is_some() {
            let group = self.new_group();
            self.choose_candidates(first, "src", "srcset", group);
        }
        // A source after the image is none of its sources.
        if let Some(picture) = picture {
            self.choices.sources.entry(picture.tag).or_insert(Sources {
                group: 0,
                are_complete: true,
                is_after_image: true,
            });
        }
    }

    /// Makes the candidates of an image a group: those in one attribute and the URL in the other.
    fn choose_candidates(&mut self, first: usize, src: &str, srcset: &str, group: u32) {
        let value = self.value_of(srcset).unwrap_or_default();
        let with_src = ImageCandidates::read(&value).with_src;
        let references = &mut self.document.references;
        for index in first..references.len() {
            let Some(attr) = references
                .range(index..index + 1)
                .next()
                .map(|one| one.attr)
            else {
                return;
            };
            let is_possible = references.choice(index) != Some(Choice::Dropped);
            if attr == srcset && is_possible || attr == src && with_src {
                references.set_choice(index, Choice::Image(group));
            } else if attr == src {
                references.set_choice(index, Choice::Never);
            }
        }
    }

    /// A source of a picture, a video or an audio.
    fn choose_source(&mut self, first: usize) {
        let Some(parent) = self.choices.parent.take() else {
            return;
        };
        match parent.name {
            Name::Picture => self.choose_source_of_picture(first, parent.tag),
            Name::Video | Name::Audio => self.choose_source_of_media(first, parent.tag),
            _ => self.set_choices(first, &["src", "srcset"], Choice::Never),
        }
    }

    /// HTML "update the source set" step 3.
    fn choose_source_of_picture(&mut self, first: usize, picture: usize) {
        self.set_choices(first, &["src"], Choice::Never);
        let (media, kind) = (self.value_of("media"), self.value_of("type"));
        let (media, kind) = (media.unwrap_or_default(), kind.unwrap_or_default());
        let sources = self.sources_of(picture, false);
        let candidates = self.value_of("srcset").unwrap_or_default();
        let has_possible = ImageCandidates::read(&candidates).has_possible();
        let is_possible = !sources.are_complete
            && supported::is_image(&kind)
            && !supported::excludes_screens(&media);
        if !is_possible {
            return self.set_choices(first, &["srcset"], Choice::Never);
        }
        self.choose_candidates(first, "", "srcset", sources.group);
        // Every browser chooses this source, or one before it.
        let media = media.trim_ascii();
        let is_of_all = media.is_empty() || media.eq_ignore_ascii_case("all");
        if is_of_all
            && has_possible
            && let Some(sources) = self.choices.sources.get_mut(&picture)
        {
            sources.are_complete = true;
        }
    }

    /// HTML "resource selection algorithm": a source that cannot be played is followed by the next.
    fn choose_source_of_media(&mut self, first: usize, media: usize) {
        self.set_choices(first, &["srcset"], Choice::Never);
        let kind = self.value_of("type").unwrap_or_default();
        let has_src = match self.choices.sources.get(&media) {
            Some(_) => false,
            None => has_attribute(self.source, media, "src"),
        };
        let sources = self.sources_of(media, has_src);
        let choice = if sources.are_complete || !supported::is_media(&kind) {
            Choice::Never
        } else {
            Choice::Format(sources.group)
        };
        self.set_choices(first, &["src"], choice);
    }

    /// The sources of the element whose tag is at an offset.
    fn sources_of(&mut self, tag: usize, are_complete: bool) -> Sources {
        if let Some(sources) = self.choices.sources.get(&tag) {
            return *sources;
        }
        let group = self.new_group();
        let sources = Sources {
            group,
            are_complete,
            is_after_image: false,
        };
        self.choices.sources.insert(tag, sources);
        sources
    }

    fn choose_link(&mut self, first: usize) {
        let rel = self.value_of("rel").unwrap_or_default();
        let is = |word: &str| {
            let mut words = rel.split_ascii_whitespace();
            words.any(|own| own.eq_ignore_ascii_case(word))
        };
        let kind = self.value_of("type").unwrap_or_default();
        if is("stylesheet") {
            if !supported::is_style(&kind) || self.attribute("disabled").is_some() {
                self.set_choices(first, &["href"], Choice::Never);
            }
            return;
        }
        if is("icon") {
            let group = match self.choices.icons {
                Some(group) => group,
                None => self.new_group(),
            };
            self.choices.icons = Some(group);
            return self.set_choices(first, &["href"], Choice::Image(group));
        }
        if DEVICE_ICONS.iter().any(|one| is(one)) {
            return self.set_choices(first, &["href"], Choice::OtherDevice);
        }
        if is("preload") {
            return self.choose_preload(first, &kind);
        }
        if is("modulepreload") {
            let of_target = self.value_of("as").unwrap_or_default();
            if !supported::is_destination_of_script(&of_target) {
                self.set_choices(first, &["href"], Choice::Never);
            }
            return;
        }
        let ahead = ["prefetch", "preconnect", "dns-prefetch", "prerender"];
        let needed = ["manifest", "canonical", "alternate"];
        if ahead.iter().any(|one| is(one)) && !needed.iter().any(|one| is(one)) {
            self.set_choices(first, &["href"], Choice::Never);
        }
    }

    /// HTML "The preload link type", given the `type` of the link.
    fn choose_preload(&mut self, first: usize, kind: &str) {
        let of_target = self.value_of("as").unwrap_or_default();
        let media = self.value_of("media").unwrap_or_default();
        let is = |destination: &str| of_target.eq_ignore_ascii_case(destination);
        // Departs: for audio and video, which the standard allows, browsers do nothing.
        let is_asked_for = match () {
            () if is("fetch") => true,
            () if is("font") => supported::is_font_type(kind),
            () if is("image") => supported::is_image(kind),
            () if is("script") => supported::is_script(kind),
            () if is("style") => supported::is_style(kind),
            () if is("track") => supported::is_track(kind),
            () => false,
        };
        let is_image = is("image");
        if !is_asked_for || supported::excludes_screens(&media) {
            self.set_choices(first, &["href", "imagesrcset"], Choice::Never);
        } else if is_image && self.value_of("imagesrcset").is_some() {
            let group = self.new_group();
            self.choose_candidates(first, "href", "imagesrcset", group);
        }
    }

    /// HTML "prepare the script element" steps 8 to 13, as far as attributes decide.
    fn choose_script(&mut self, first: usize) {
        let kind = match (self.value_of("type"), self.value_of("language")) {
            (Some(kind), _) => kind.into_owned(),
            (None, Some(language)) if !language.is_empty() => format!("text/{language}"),
            (None, _) => String::new(),
        };
        let is_module = kind.trim_ascii().eq_ignore_ascii_case("module");
        let is_old = self.attribute("nomodule").is_some() && !is_module;
        let is_of_other_event = !is_module && self.is_for_other_event();
        if is_old || is_of_other_event || !supported::is_script(&kind) {
            self.set_choices(first, &["src"], Choice::Never);
        }
    }

    /// Whether the current script element is for another event than that the window is loaded, which
    /// only Internet Explorer knew (HTML "prepare the script element" step 18).
    fn is_for_other_event(&self) -> bool {
        let (Some(target), Some(event)) = (self.value_of("for"), self.value_of("event")) else {
            return false;
        };
        let event = event.trim_ascii();
        let is_load = ["onload", "onload()"]
            .iter()
            .any(|one| event.eq_ignore_ascii_case(one));
        !is_load || !target.trim_ascii().eq_ignore_ascii_case("window")
    }

    /// Sets the choice of the references from `first` on that are in some attributes.
    fn set_choices(&mut self, first: usize, attrs: &[&str], choice: Choice) {
        let references = &mut self.document.references;
        for index in first..references.len() {
            let one = references.range(index..index + 1).next();
            let is_dropped = references.choice(index) == Some(Choice::Dropped);
            if one.is_some_and(|one| attrs.contains(&one.attr)) && !is_dropped {
                references.set_choice(index, choice);
            }
        }
    }
}

/// The offset of the next end tag of a `noscript` element.
fn end_of_noscript(source: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"noscript";
    memmem::find_iter(source, b"</").find(|at| {
        let name = source.get(at + 2..).unwrap_or_default();
        let is_noscript = name
            .get(..NAME.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(NAME));
        let after = name.get(NAME.len());
        is_noscript && after.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
    })
}

/// Whether the tag at an offset has an attribute.
fn has_attribute(source: &str, tag: usize, name: &str) -> bool {
    let mut tokenizer = Tokenizer::at(source, tag);
    let mut has = false;
    if let Token::StartTag(_) = tokenizer.next(|| false) {
        let key = attribute_key(name.as_bytes());
        tokenizer.attributes(|attribute| has |= attribute.key == key);
    }
    has
}

#[cfg(test)]
mod tests {
    use crate::collect::Settings;
    use crate::page::{by_tags, by_tree};
    use baseref_document::link_places::Classes;
    use baseref_document::{Choice, Document, Fallback, Origin, ReadOptions};
    use baseref_text::decode::position::Positions;
    use baseref_text::decode::source::{Markup, MarkupSource};

    fn options() -> ReadOptions {
        ReadOptions::default()
            .with_classes(Classes::ALL)
            .with_choices(true)
    }

    /// The references, each with its choice: the letter and number of its group, `s` if it is for
    /// browsers without scripts, `o` for other devices, `-` if no browser asks for it, `x` if HTML drops it.
    fn shown(document: &Document) -> String {
        let references = &document.references;
        let shown = references.iter().enumerate().map(|(index, reference)| {
            let value = reference.value;
            match references.choice(index) {
                None => value.to_owned(),
                Some(Choice::Image(group)) => format!("{value}:i{group}"),
                Some(Choice::Format(group)) => format!("{value}:f{group}"),
                Some(Choice::WithoutScripts) => format!("{value}:s"),
                Some(Choice::OtherDevice) => format!("{value}:o"),
                Some(Choice::Never) => format!("{value}:-"),
                Some(Choice::Dropped) => format!("{value}:x"),
            }
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Reads a page in the order of its tags, by its tree and as XML where it is well-formed.
    fn check(cases: &[(&str, &str)]) {
        let options = options();
        let settings = Settings::new(&options);
        let empty = || Document::empty(Origin::new("-"), "UTF-8");
        for (page, expected) in cases {
            let positions = || Positions::from_text(page);
            let (by_tree, _) = by_tree(page, positions(), empty(), settings, Fallback::Depth);
            assert_eq!(shown(&by_tree), *expected, "{page} by tree");
            let (by_tags, _) = by_tags(page, positions(), empty(), settings)
                .unwrap_or_else(|_| panic!("{page} is in tree order"));
            assert_eq!(shown(&by_tags), *expected, "{page} by tags");
        }
    }

    // What is expected was recorded with Chromium, at one and two dots per pixel, and without scripts.

    #[test]
    fn candidates_of_an_image() {
        check(&[
            ("<img src=a srcset='b 2x, c 3x'>", "a:i0 b:i0 c:i0"),
            ("<img src=a srcset='b 1x, c 2x'>", "a:- b:i0 c:i0"),
            ("<img srcset='b 4w, c 9w' src=a>", "b:i0 c:i0 a:-"),
            ("<img src=a srcset='b foo'><img src=d>", "a:i0 b:x d"),
            ("<img src=a lowsrc=b dynsrc=c>", "a b:- c:-"),
            ("<input type=image src=a><input src=b>", "a b:-"),
        ]);
    }

    #[test]
    fn sources_of_a_picture() {
        check(&[
            (
                "<picture><source type=image/jxl srcset=a><source type=image/webp srcset=b>\
                 <source srcset=c><img src=d></picture><img src=e>",
                "a:- b:i0 c:- d:- e",
            ),
            (
                "<picture><source media='(min-width: 9px)' srcset='a 1x, b 2x'><img src=c></picture>\
                 <picture><source media=print srcset=d><img src=e srcset='f 2x'></picture>",
                "a:i0 b:i0 c:i0 d:- e:i1 f:i1",
            ),
            (
                "<picture><source src=a><source srcset='b foo'><img src=c></picture>",
                "a:- b:x c:i0",
            ),
            ("<picture><img src=a><source srcset=b></picture>", "a b:-"),
            (
                "<picture><div><source srcset=a></div><a href=x><img src=b></a></picture>",
                "a:- x b",
            ),
        ]);
    }

    #[test]
    fn sources_of_media() {
        check(&[
            (
                "<video><source src=a type=video/webm><source src=b type=video/x-flv>\
                 <source src=c></video><audio><source src=d></audio>",
                "a:f0 b:- c:f0 d:f1",
            ),
            ("<video src=a><source src=b></video>", "a b:-"),
            (
                "<video><source src=a><img src=b></video><source src=c>",
                "a:f0 b c:-",
            ),
        ]);
    }

    #[test]
    fn links_of_the_head() {
        check(&[
            (
                "<link rel=icon href=a><link rel='shortcut icon' href=b sizes=any>\
                 <link rel=apple-touch-icon href=c><link rel=icon href=d>",
                "a:i0 b:i0 c:o d:i0",
            ),
            (
                "<link rel=prefetch href=a><link rel=preconnect href=b><link rel=dns-prefetch href=c>\
                 <link rel='prefetch stylesheet' href=d><link rel=next href=e>",
                "a:- b:- c:- d e",
            ),
            (
                "<link rel=preload as=image href=a imagesrcset='b 1x, c 2x'>\
                 <link rel=preload href=d><link rel=preload as=font href=e>\
                 <link rel=preload as=image type=image/jxl href=f>",
                "a:- b:i0 c:i0 d:- e f:-",
            ),
            (
                "<link rel=preload as=video href=a><link rel=preload as=style media=print href=b>\
                 <link rel=preload as=font type=font/woff2 href=c><link rel=preload as=font type=x href=d>\
                 <link rel=modulepreload href=e><link rel=modulepreload as=foo href=f>",
                "a:- b:- c d:- e f:-",
            ),
            (
                "<link rel=stylesheet type=text/less href=a><link rel=stylesheet href=b media=print>\
                 <link rel=stylesheet type='text/css; charset=x' href=c>\
                 <link rel=stylesheet href=d disabled>",
                "a:- b c d:-",
            ),
            (
                "<script src=a></script><script nomodule src=b></script>\
                 <script type=module nomodule src=c></script><script type=text/template src=d></script>\
                 <script language=vbscript src=e></script><script language=JavaScript src=f></script>\
                 <script for=window event=onload() src=g></script><script for=x event=y src=h></script>",
                "a b:- c d:- e:- f g h:-",
            ),
        ]);
    }

    #[test]
    fn references_that_another_replaces() {
        check(&[
            (
                "<iframe srcdoc='x' src=a></iframe><iframe src=b></iframe>",
                "a:- b",
            ),
            (
                "<svg><image href=a xlink:href=b /><use xlink:href=c /></svg>",
                "a b:- c",
            ),
            (
                "<applet code=a archive=b></applet><object classid=c data=d></object>",
                "a:- b:- c:- d",
            ),
        ]);
    }

    #[test]
    fn references_without_scripts() {
        check(&[
            (
                "<noscript><link rel=stylesheet href=a><style>b{c:url(d)}</style></noscript>\
                 <link rel=stylesheet href=e><body><noscript><p style='f:url(g)'><img src=h></p>\
                 </noscript><img src=i>",
                "a:s d:s e g:s h:s i",
            ),
            ("<head><noscript><img src=a></noscript><img src=b>", "a:s b"),
            (
                "<NOSCRIPT><img src=a></noScript ><img src=b><noscript><img src=c>",
                "a:s b c:s",
            ),
        ]);
    }

    #[test]
    fn style_sheets_have_groups_of_their_own() {
        check(&[(
            "<style>a{b:image-set('c' 1x, 'd' 2x)}</style><p style=\"b:image-set('e' 1x)\">\
                 <img src=f srcset='g 2x'>",
            "c:i0 d:i0 e:i1 f:i2 g:i2",
        )]);
    }

    #[test]
    fn choices_in_xml() {
        let page = "<html xmlns='http://www.w3.org/1999/xhtml'><picture><source srcset='a' \
                    type='image/jxl'/><source srcset='b'/><img src='c'/></picture>\
                    <noscript><img src='d'/></noscript><video src='e'><source src='f'/></video></html>";
        let source = MarkupSource {
            markup: Markup::Xml,
            bytes: page.as_bytes(),
            origin: Origin::new("-"),
            part_byte: None,
            charset: None,
            declarations: Vec::new(),
        };
        let document = crate::read(source, &options());
        assert_eq!(shown(&document), "a:- b:i0 c:- d e f:-");
    }

    #[test]
    fn references_have_no_choices_unless_asked_for() {
        let options = ReadOptions::default().with_classes(Classes::ALL);
        let page = "<img src=a srcset='b 2x'><noscript><img src=c></noscript>";
        let source = MarkupSource {
            markup: Markup::Html,
            bytes: page.as_bytes(),
            origin: Origin::new("-"),
            part_byte: None,
            charset: None,
            declarations: Vec::new(),
        };
        assert_eq!(shown(&crate::read(source, &options)), "a b c");
    }
}
