//! The element names that matter to tree construction, as small numbers, with the standard's lists
//! that they are on.

use std::borrow::Cow;

macro_rules! names {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// An element's local name, in ASCII lower case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Name {
            /// Any name not listed.
            Other,
            $($variant,)*
        }

        /// Each name with its text, in numeric order.
        const NAMES: &[(&str, Name)] = &[("", Name::Other), $(($name, Name::$variant)),*];
    };
}

names! {
    A = "a", Abbr = "abbr", Address = "address", AnnotationXml = "annotation-xml",
    Applet = "applet", Area = "area", Article = "article", Aside = "aside", Audio = "audio",
    B = "b", Base = "base", Basefont = "basefont", Bgsound = "bgsound", Big = "big",
    Blockquote = "blockquote", Body = "body", Br = "br", Button = "button", Caption = "caption",
    Center = "center", Cite = "cite", Code = "code", Col = "col", Colgroup = "colgroup",
    Dd = "dd", Del = "del", Desc = "desc", Details = "details", Dfn = "dfn", Dialog = "dialog",
    Dir = "dir", Div = "div", Dl = "dl", Dt = "dt", Em = "em", Embed = "embed",
    Fieldset = "fieldset", Figcaption = "figcaption", Figure = "figure", Font = "font",
    Footer = "footer", ForeignObject = "foreignobject", Form = "form", Frame = "frame",
    Frameset = "frameset", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6",
    Head = "head", Header = "header", Hgroup = "hgroup", Hr = "hr", Html = "html", I = "i",
    Iframe = "iframe", Image = "image", Img = "img", Input = "input", Ins = "ins",
    Isindex = "isindex", Kbd = "kbd", Keygen = "keygen", Label = "label", Li = "li",
    Link = "link", Listing = "listing", Main = "main", Malignmark = "malignmark",
    Map = "map",
    Marquee = "marquee", Math = "math", Menu = "menu", Meta = "meta", Mglyph = "mglyph",
    Mi = "mi", Mn = "mn", Mo = "mo", Ms = "ms", Mtext = "mtext", Nav = "nav", Nobr = "nobr",
    Noembed = "noembed", Noframes = "noframes", Noscript = "noscript", Object = "object",
    Ol = "ol", Optgroup = "optgroup", Option = "option", P = "p", Param = "param",
    Path = "path", Picture = "picture", Plaintext = "plaintext", Pre = "pre", Q = "q",
    Rb = "rb", Rp = "rp", Rt = "rt", Rtc = "rtc", Ruby = "ruby", S = "s", Samp = "samp",
    Script = "script", Search = "search", Section = "section", Select = "select",
    SelectedContent = "selectedcontent",
    Small = "small", Source = "source", Span = "span", Strike = "strike", Strong = "strong",
    Style = "style", Sub = "sub", Summary = "summary", Sup = "sup", Svg = "svg",
    Table = "table", Tbody = "tbody", Td = "td", Template = "template", Textarea = "textarea",
    Tfoot = "tfoot", Th = "th", Thead = "thead", Time = "time", Title = "title", Tr = "tr",
    Track = "track", Tt = "tt", U = "u", Ul = "ul", Use = "use", Var = "var", Video = "video",
    Wbr = "wbr", Xmp = "xmp",
}

/// The number of names, [`Name::Other`] included.
pub(super) const COUNT: usize = NAMES.len();

impl Name {
    /// The name written as `raw`, in any case.
    pub(super) fn from_bytes(raw: &[u8]) -> Self {
        let key = key(raw);
        let (known, name) = TABLE[slot(key)];
        if known == key && raw.eq_ignore_ascii_case(name.text().as_bytes()) {
            name
        } else {
            Self::Other
        }
    }

    /// The name of up to seven letters, given as bytes in lower case, the first one lowest.
    #[inline]
    pub(super) fn from_short(letters: u64) -> Self {
        let (known, name) = TABLE[slot(letters)];
        if known == letters { name } else { Self::Other }
    }

    /// The name in lower case; empty for [`Name::Other`].
    pub(super) fn text(self) -> &'static str {
        NAMES[self as usize].0
    }

    /// Every name, by its number.
    pub(super) fn all() -> [Self; COUNT] {
        std::array::from_fn(|number| NAMES[number].1)
    }
}

/// An SVG element's name as the tree has it: in lower case, except for those with capitals (HTML
/// "create an element for a token", "adjust SVG tag names").
pub(super) fn svg(raw: &str) -> Cow<'_, str> {
    let known = SVG_CAPITALS
        .iter()
        .find(|name| name.eq_ignore_ascii_case(raw));
    match known {
        Some(name) => Cow::Borrowed(name),
        None => lower_case(raw),
    }
}

/// A name in ASCII lower case and with U+FFFD for U+0000.
pub(super) fn lower_case(name: &str) -> Cow<'_, str> {
    if name
        .bytes()
        .any(|byte| byte == 0 || byte.is_ascii_uppercase())
    {
        Cow::Owned(name.replace('\0', "\u{fffd}").to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// HTML "any other start tag" in foreign content: the table of names.
const SVG_CAPITALS: &[&str] = &[
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

/// Whether HTML "tag name state" ends at this byte.
#[inline]
pub(super) fn ends_name(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>')
}

/// A hash of a name. For up to seven letters it is the bytes themselves.
const fn key(name: &[u8]) -> u64 {
    let mut key = 0_u64;
    let mut at = 0;
    while at < name.len() {
        let letter = name[at].to_ascii_lowercase() as u64;
        key ^= letter << (at % 8 * 8);
        at += 1;
    }
    // A bit that shorter names never have: their eighth byte is zero.
    if name.len() > 7 { key | 1 << 63 } else { key }
}

const SLOTS: usize = 1024;

/// A multiplier, found by trial, for which no two names share a slot.
const MULTIPLIER: u64 = 0xF0E8_8BFC_4632_6D71;

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "ten bits are left")]
const fn slot(key: u64) -> usize {
    (key.wrapping_mul(MULTIPLIER) >> (64 - SLOTS.trailing_zeros())) as usize
}

/// Every name by the slot of its key.
static TABLE: [(u64, Name); SLOTS] = {
    // A key that no name has.
    let mut table = [(0, Name::Other); SLOTS];
    let mut index = 1;
    while index < NAMES.len() {
        let (text, name) = NAMES[index];
        let key = key(text.as_bytes());
        assert!(
            matches!(table[slot(key)].1, Name::Other),
            "two names share a slot"
        );
        table[slot(key)] = (key, name);
        index += 1;
    }
    table
};

/// The tokenizer state for the content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// "Data state".
    Data,
    /// "RCDATA state": text with character references.
    Rcdata,
    /// "RAWTEXT state".
    Rawtext,
    /// "Script data state".
    ScriptData,
    /// "PLAINTEXT state": text to the end of the document.
    Plaintext,
}

/// What tree construction needs to know about an HTML element's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementTraits(u16);

impl ElementTraits {
    const SPECIAL: u16 = 1;
    const IMPLIED_END: u16 = 2;
    const THOROUGHLY_IMPLIED_END: u16 = 4;
    const TABLE_PART: u16 = 8;
    const LEAVES_FOREIGN: u16 = 16;
    const HEADING: u16 = 32;
    const ORDINARY: u16 = 64;
    const BLOCK: u16 = 128;
    const CLOSES_ITSELF: u16 = 256;
    const FORMATTING: u16 = 512;
    const LIST: u16 = 1024;
    const METADATA: u16 = 2048;
    const SCOPE_BOUND: u16 = 4096;

    /// "Special".
    pub(super) fn is_special(self) -> bool {
        self.0 & Self::SPECIAL != 0
    }

    /// "Generate implied end tags".
    pub(super) fn has_implied_end(self) -> bool {
        self.0 & Self::IMPLIED_END != 0
    }

    /// "Generate all implied end tags thoroughly".
    pub(super) fn has_thoroughly_implied_end(self) -> bool {
        self.0 & (Self::IMPLIED_END | Self::THOROUGHLY_IMPLIED_END) != 0
    }

    /// `table`, `tbody`, `tfoot`, `thead`, `tr`: content that does not belong in them is
    /// foster-parented.
    pub(super) fn is_table_part(self) -> bool {
        self.0 & Self::TABLE_PART != 0
    }

    /// A start tag that ends foreign content ("rules for parsing tokens in foreign content").
    pub(super) fn leaves_foreign(self) -> bool {
        self.0 & Self::LEAVES_FOREIGN != 0
    }

    /// "In body": a start tag that is treated like "any other start tag".
    #[inline]
    pub(super) fn is_ordinary(self) -> bool {
        self.0 & Self::ORDINARY != 0
    }

    /// "In body": a start tag that only closes a `p`.
    #[inline]
    pub(super) fn is_block(self) -> bool {
        self.0 & Self::BLOCK != 0
    }

    /// "In body": an end tag that only pops the current node, if that has its name.
    #[inline]
    pub(super) fn closes_itself(self) -> bool {
        self.0 & Self::CLOSES_ITSELF != 0
    }

    /// "Formatting".
    #[inline]
    pub(super) fn is_formatting(self) -> bool {
        self.0 & Self::FORMATTING != 0
    }

    /// The parents of `li`, `dd` and `dt`: `ul`, `ol`, `menu`, `dir` and `dl`.
    #[inline]
    pub(super) fn is_list(self) -> bool {
        self.0 & Self::LIST != 0
    }

    /// "In body" and elsewhere: a start tag that is processed "using the rules for the 'in head'
    /// insertion mode".
    #[inline]
    pub(super) fn is_metadata(self) -> bool {
        self.0 & Self::METADATA != 0
    }

    /// Elements at which "have an element in scope" stops.
    pub(super) fn bounds_scope(self) -> bool {
        self.0 & Self::SCOPE_BOUND != 0
    }

    /// `h1` to `h6`.
    pub(super) fn is_heading(self) -> bool {
        self.0 & Self::HEADING != 0
    }
}

impl Name {
    /// Which of HTML's lists the name is on.
    #[inline]
    pub(super) fn kind(self) -> ElementTraits {
        KINDS[self as usize]
    }

    /// The tokenizer state for the content of an HTML element of this name, with scripting
    /// disabled.
    pub(super) fn content(self) -> Content {
        match self {
            Self::Title | Self::Textarea => Content::Rcdata,
            Self::Style | Self::Xmp | Self::Iframe | Self::Noembed | Self::Noframes => {
                Content::Rawtext
            }
            Self::Script => Content::ScriptData,
            Self::Plaintext => Content::Plaintext,
            _ => Content::Data,
        }
    }

    /// Whether an HTML element of this name can be a shadow host (DOM "attach a shadow root"). It does
    /// not know the names of custom elements, see [`is_custom_element`].
    pub(super) fn can_be_shadow_host(self) -> bool {
        matches!(
            self,
            Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Body
                | Self::Div
                | Self::Footer
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Header
                | Self::Main
                | Self::Nav
                | Self::P
                | Self::Section
                | Self::Span
        )
    }

    /// How an element of this name changes the set of names in scope.
    #[inline]
    pub(super) fn scope(self) -> Scope {
        SCOPES[self as usize]
    }
}

/// HTML "valid custom element name", for the name of an element as a tokenizer finds it, in any
/// letter case.
pub(super) fn is_custom_element(local_name: &str) -> bool {
    const RESERVED: [&str; 8] = [
        "annotation-xml",
        "color-profile",
        "font-face",
        "font-face-src",
        "font-face-uri",
        "font-face-format",
        "font-face-name",
        "missing-glyph",
    ];
    local_name.contains('-')
        && !RESERVED
            .iter()
            .any(|reserved| reserved.eq_ignore_ascii_case(local_name))
}

/// Whether the value of `shadowrootmode` makes a `template` start tag declare a shadow root.
pub(super) fn declares_shadow_root(mode: &str) -> bool {
    ["open", "closed"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(mode))
}

static KINDS: [ElementTraits; COUNT] = {
    use Name::{
        A, Abbr, Address, Applet, Area, Article, Aside, Audio, B, Base, Basefont, Bgsound, Big,
        Blockquote, Body, Br, Button, Caption, Center, Cite, Code, Col, Colgroup, Dd, Del, Details,
        Dfn, Dialog, Dir, Div, Dl, Dt, Em, Embed, Fieldset, Figcaption, Figure, Font, Footer, Form,
        Frame, Frameset, H1, H2, H3, H4, H5, H6, Head, Header, Hgroup, Hr, Html, I, Iframe, Img,
        Input, Ins, Kbd, Label, Li, Link, Listing, Main, Marquee, Menu, Meta, Nav, Nobr, Noembed,
        Noframes, Noscript, Object, Ol, Optgroup, Option, P, Param, Picture, Plaintext, Pre, Q, Rb,
        Rp, Rt, Rtc, Ruby, S, Samp, Script, Search, Section, Select, Small, Source, Span, Strike,
        Strong, Style, Sub, Summary, Sup, Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead,
        Time, Title, Tr, Track, Tt, U, Ul, Var, Video, Wbr, Xmp,
    };
    const BLOCKS: &[Name] = &[
        Address, Article, Aside, Blockquote, Center, Details, Dialog, Dir, Div, Dl, Fieldset,
        Figcaption, Figure, Footer, Header, Hgroup, Main, Menu, Nav, Ol, P, Search, Section,
        Summary, Ul,
    ];
    const ORDINARY: &[Name] = &[
        Abbr, Audio, Cite, Del, Dfn, Ins, Kbd, Label, Picture, Q, Samp, Span, Sub, Sup, Time, Var,
        Video,
    ];
    let mut kinds = [ElementTraits(0); COUNT];
    let lists: [(u16, &[Name]); 16] = [
        (
            ElementTraits::SPECIAL,
            &[
                Address, Applet, Area, Article, Aside, Base, Basefont, Bgsound, Blockquote, Body,
                Br, Button, Caption, Center, Col, Colgroup, Dd, Details, Dir, Div, Dl, Dt, Embed,
                Fieldset, Figcaption, Figure, Footer, Form, Frame, Frameset, H1, H2, H3, H4, H5,
                H6, Head, Header, Hgroup, Hr, Html, Iframe, Img, Input, Li, Link, Listing, Main,
                Marquee, Menu, Meta, Nav, Noembed, Noframes, Noscript, Object, Ol, P, Param,
                Plaintext, Pre, Script, Section, Select, Source, Style, Summary, Table, Tbody, Td,
                Template, Textarea, Tfoot, Th, Thead, Title, Tr, Track, Ul, Wbr, Xmp,
            ],
        ),
        (
            ElementTraits::IMPLIED_END,
            &[Dd, Dt, Li, Option, Optgroup, P, Rb, Rp, Rt, Rtc],
        ),
        (
            ElementTraits::THOROUGHLY_IMPLIED_END,
            &[Caption, Colgroup, Tbody, Td, Tfoot, Th, Thead, Tr],
        ),
        (ElementTraits::TABLE_PART, &[Table, Tbody, Tfoot, Thead, Tr]),
        (
            ElementTraits::LEAVES_FOREIGN,
            &[
                B, Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, H1, H2, H3,
                H4, H5, H6, Head, Hr, I, Img, Li, Listing, Menu, Meta, Nobr, Ol, P, Pre, Ruby, S,
                Small, Span, Strong, Strike, Sub, Sup, Table, Tt, U, Ul, Var,
            ],
        ),
        (ElementTraits::HEADING, &[H1, H2, H3, H4, H5, H6]),
        (
            ElementTraits::FORMATTING,
            &[
                A, B, Big, Code, Em, Font, I, Nobr, S, Small, Strike, Strong, Tt, U,
            ],
        ),
        (ElementTraits::LIST, &[Dir, Dl, Menu, Ol, Ul]),
        (
            ElementTraits::METADATA,
            &[
                Base, Basefont, Bgsound, Link, Meta, Noframes, Script, Style, Template, Title,
            ],
        ),
        (ElementTraits::SCOPE_BOUND, SCOPE_BOUNDS),
        (ElementTraits::SCOPE_BOUND, TABLE_SCOPE_BOUNDS),
        (ElementTraits::ORDINARY, ORDINARY),
        (ElementTraits::BLOCK, BLOCKS),
        (ElementTraits::CLOSES_ITSELF, BLOCKS),
        (ElementTraits::CLOSES_ITSELF, ORDINARY),
        (
            ElementTraits::CLOSES_ITSELF,
            &[
                Button, Dd, Dt, H1, H2, H3, H4, H5, H6, Li, Listing, Option, Pre, Select,
            ],
        ),
    ];
    let mut list = 0;
    while list < lists.len() {
        let (bit, names) = lists[list];
        let mut index = 0;
        while index < names.len() {
            kinds[names[index] as usize].0 |= bit;
            index += 1;
        }
        list += 1;
    }
    kinds
};

/// The set of names in scope: a bit for each that the standard asks about. "Table scope" has bits
/// separate from the other scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InScope(u64);

impl InScope {
    /// The names in scope inside an element with this effect.
    #[inline]
    pub(super) fn within(self, scope: Scope) -> Self {
        Self(self.0 & scope.keeps | scope.adds)
    }

    /// The names in scope inside a foreign element that is an integration point.
    pub(super) fn within_integration_point(self) -> Self {
        Self(self.0 & IN_TABLE_SCOPE)
    }

    /// Whether there is an element of that name "in scope": `p` in button scope, `li` in list
    /// item scope, of the headings any, and the parts of tables in table scope.
    #[inline]
    pub(super) fn has(self, name: Name) -> bool {
        self.0 & SCOPES[name as usize].adds != 0
    }
}

/// The effect of an element on the names in scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    keeps: u64,
    adds: u64,
}

/// The bits of "table scope".
const IN_TABLE_SCOPE: u64 = 0xff;

/// Elements at which "have an element in scope" stops, but "in table scope" does not.
const SCOPE_BOUNDS: &[Name] = &[
    Name::Applet,
    Name::Caption,
    Name::Td,
    Name::Th,
    Name::Marquee,
    Name::Object,
    Name::Select,
];

/// Elements at which both stop.
const TABLE_SCOPE_BOUNDS: &[Name] = &[Name::Html, Name::Table, Name::Template];

static SCOPES: [Scope; COUNT] = {
    use Name::{
        Address, Applet, Article, Aside, Blockquote, Body, Button, Caption, Center, Dd, Details,
        Dialog, Dir, Div, Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, H1, H2, H3, H4, H5,
        H6, Header, Hgroup, Li, Listing, Main, Marquee, Menu, Nav, Nobr, Object, Ol, Optgroup,
        Option, P, Pre, Ruby, Search, Section, Select, Summary, Table, Tbody, Td, Tfoot, Th, Thead,
        Tr, Ul,
    };
    let mut scopes = [Scope { keeps: !0, adds: 0 }; COUNT];
    let asked_for = [
        // In table scope: the first eight bits.
        Table, Caption, Tbody, Tfoot, Thead, Tr, Td, Th, // In the others.
        Address, Applet, Article, Aside, Blockquote, Body, Button, Center, Dd, Details, Dialog,
        Dir, Div, Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, H1, Header, Hgroup, Li,
        Listing, Main, Marquee, Menu, Nav, Nobr, Object, Ol, Optgroup, Option, P, Pre, Ruby,
        Search, Section, Select, Summary, Ul,
    ];
    let mut bit = 0;
    while bit < asked_for.len() {
        scopes[asked_for[bit] as usize].adds = 1 << bit;
        bit += 1;
    }
    let headings = [H2, H3, H4, H5, H6];
    let mut index = 0;
    while index < headings.len() {
        scopes[headings[index] as usize].adds = scopes[H1 as usize].adds;
        index += 1;
    }
    index = 0;
    while index < SCOPE_BOUNDS.len() {
        scopes[SCOPE_BOUNDS[index] as usize].keeps = IN_TABLE_SCOPE;
        index += 1;
    }
    index = 0;
    while index < TABLE_SCOPE_BOUNDS.len() {
        scopes[TABLE_SCOPE_BOUNDS[index] as usize].keeps = 0;
        index += 1;
    }
    // "In button scope", "in list item scope".
    scopes[Button as usize].keeps = !scopes[P as usize].adds;
    scopes[Ol as usize].keeps = !scopes[Li as usize].adds;
    scopes[Ul as usize].keeps = !scopes[Li as usize].adds;
    scopes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_found_in_either_case() {
        for name in Name::all().into_iter().skip(1) {
            assert_eq!(Name::from_bytes(name.text().as_bytes()), name);
            assert_eq!(
                Name::from_bytes(name.text().to_ascii_uppercase().as_bytes()),
                name
            );
            for other in [format!("{}x", name.text()), format!("x{}", name.text())] {
                let known = Name::all().iter().any(|name| name.text() == other);
                assert_eq!(
                    Name::from_bytes(other.as_bytes()) == Name::Other,
                    !known,
                    "{other}"
                );
            }
        }
        for other in ["x", "x-y", "a\0", "\u{e9}", "unknown-element-name"] {
            assert_eq!(Name::from_bytes(other.as_bytes()), Name::Other, "{other}");
        }
    }

    #[test]
    fn scope_boundaries() {
        let html = InScope::default().within(Name::Html.scope());
        for (stack, name, expected) in [
            (&[Name::P][..], Name::P, true),
            (&[Name::P, Name::Span, Name::Ul], Name::P, true),
            (&[Name::P, Name::Button], Name::P, false),
            (&[Name::Div, Name::Button], Name::Div, true),
            (&[Name::Li, Name::Ul], Name::Li, false),
            (&[Name::Dd, Name::Ul], Name::Dd, true),
            (&[Name::Div, Name::Td], Name::Div, false),
            (&[Name::Table, Name::Tr, Name::Td], Name::Tr, true),
            (
                &[Name::Table, Name::Tr, Name::Td, Name::Table],
                Name::Tr,
                false,
            ),
            (&[Name::H3], Name::H1, true),
            (&[Name::Select], Name::Select, true),
            (&[Name::Option, Name::Select], Name::Option, false),
            (&[Name::Table, Name::Template], Name::Table, false),
        ] {
            let scope = stack
                .iter()
                .fold(html, |scope, name| scope.within(name.scope()));
            assert_eq!(scope.has(name), expected, "{name:?} in {stack:?}");
        }
    }
}
