//! Compares the HTML engine with html5ever and `RcDom` on documents whose token order and tree
//! order differ.

use crate::reference::{Links, compare, document, every_link, expected, links};
use baseref_document::link_places::Classes;
use baseref_document::{Fallback, Reading};
use baseref_html::layers::{links_by_tags, links_by_tree};

#[test]
fn links_match_tree() {
    for html in [
        "",
        "<a href=x>y</a>",
        "<a href=1>x<a href=2>y",
        "<a href=1><div>x<a href=2>y",
        "<p><a href=1></p>x<p>y</p>",
        "<a href=1><p>x</a>y</p>z",
        "<table><a href=1>x</a><tr><td><a href=2>y</a></table>",
        "<table>x<tr><td>y</td></tr><img src=z></table>",
        "<template><a href=1>x</a><base href=y></template><a href=2>z</a>",
        "<svg><a xlink:href=1 href=2>x</a><base href=y></svg><a xlink:href=3>z</a>",
        "<body background=1><body background=2 bgcolor=3><html manifest=m>",
        "<select><option><a href=1>x</a></select>",
        "<math><annotation-xml encoding=text/html><a href=1></a></annotation-xml></math>",
        "<iframe srcdoc='<a href=1>x</a><base href=y>' src=z></iframe>",
        "<a href=1><img alt=' b  c ' src=q>d<script>e</script></a><map><area href=3 alt=f>",
        "<b><b><b><b><p></b></b></b></b><a href=1>",
        "<object data=1 codebase=2 archive='3 4'></object><applet codebase=5 code=6></applet>",
        "<meta http-equiv=refresh content='1; url=x'>",
        "<img srcset='a 1x, b&amp;c 2x' src=d>",
        "<frameset><frame src=1><a href=2></frameset><noframes><a href=3></noframes>",
        "<noscript><link rel=x href=1><a href=2>x</a></noscript>",
        "<pre>\n</pre><p><a href=1></p><pre></>\n</pre>",
        "<p><a href=1></p><pre>\n</pre><p><a href=1></p><textarea>\n</textarea>",
        "<p itemtype='a b' itemid=c>",
        "<style>a{b:url(1)}@import '2';</style><style type=text/less>url(3)</style><style>url(4)",
        "<svg><style>a{b:url(1)}<![CDATA[c{d:url(&amp;)}]]><a href=2>x</a>e{f:url(&gt;)}</style>",
        "<svg><style>url(1<style type=x>url(2)</style>3)<style/></style></svg><style></style>",
        "<svg><style>url(1)<p>x<a href=2>",
        "<svg><g fill='url(#a)' style='mask:url(b)'><clippath xml:base=c marker-end='url(d)'/>",
        "<p style='a:url(\"b&amp;c\"), url(\\64)' #text='url(d)'>",
        "<style #text='url(d)'></style><a href=1>x<style>url(2)</style>y<svg><style>z</style></a>",
        "<script type=importmap>{\"imports\":{\"a\":\"/b\"}}</script><script src=c>{}</script>",
        "<table><script type=application/ld+json>{\"url\":\"/1\"}</script><a href=2>x</a></table>",
        "<table><tr><style>url(1)</style><td style='a:url(2)'><b style='a:url(3)'>x<p>y</b>z",
        "<template><style>url(1)</style></template><select><script type=importmap>{}</script>",
        "<meta property=og:image name=twitter:image content=a content=b>",
        "<meta name='x thumbnail' content=a><meta name=msapplication-task content='action-uri=b'>",
        "<!--[if mso]><v:rect href=1><base href=2><img src=3><![endif]--><a href=4>x</a>",
        "<a href=1>x<!--[if a]>y<a href=2>z</a><![endif]-->w</a>",
        "<!--[if a]><a href=1><![endif]--><table><!--[if b]><a href=2><![endif]--><a href=3>",
        "<p><a href=1>x</body><!--[if a]><a href=2><![endif]--></html><!--[if b]><a href=3><![endif]-->\
         <a href=4><!--[if c]><a href=5><![endif]--></body><!--[if d]><a href=6><![endif]-->",
        "<template><!--[if a]><a href=1><![endif]--></template><svg></body><!--[if a]><a href=2>\
         <![endif]--><a href=3>",
        "<frameset></frameset></html><!--[if a]><a href=1><![endif]--><noframes><a href=2></noframes>",
        "<svg><style>url(1)<!--[if a]><a href=2><![endif]-->url(3)</style></svg>",
        "<!--[if a]><!--[if b]><a href=1><![endif]--><a href=2><![endif]-->",
        "<!--[if a]><style>b{c:url(1)}<![endif]--><a href=2>",
        "<!--[if !a]><!--><a href=1><!--<![endif]--><![if a]><a href=2><![endif]>",
        "<v:roundrect href=a alt=b>c</v:roundrect><div data-bg=d data-srcset='e 1x, f 2x'>",
        // A conditional comment is read by tags alone.
        "<!--[if mso]><v:a\0 data-src=a data-srcset='b 1x'></v:a><![endif]--><v:b\0 data-src=c>",
        "<!--[if mso]><svg><b1\0 fill='url(#a)'/></svg><![endif]-->",
        "<a href=1 href=2>x</a><A HREF='&#x41;&amp;&copy=1'>y</a>",
    ] {
        if let Err(difference) = compare(html) {
            panic!("{difference}");
        }
    }
}

#[test]
fn fallback_to_tree_where_order_differs() {
    let deep = format!("{}<a href=1>", "<div>".repeat(300));
    let many: Vec<_> = (0..100).map(|size| format!("<font size={size}>")).collect();
    for (html, reason) in [
        // The second link is moved before the table.
        (
            "<table><tr><td><a href=1>x</a></td><a href=2>y",
            Fallback::FosterParenting,
        ),
        // So is the text, which belongs to the link either way, but in another order.
        ("<a href=1><table><tr><td>x</td>y", Fallback::TextInTable),
        // The link is closed and reopened inside the block, around its content.
        (
            "<a href=1><div><img src=2></a>",
            Fallback::AnchorAroundBlock,
        ),
        // The link is closed, but `select` stays open in it.
        ("<a href=1><select><a href=2>", Fallback::AnchorRemoved),
        // The body would be removed.
        ("<a href=1></a><frameset>", Fallback::Frameset),
        ("<html><p><html manifest=1>", Fallback::SecondHtml),
        ("<body><p><body background=1>", Fallback::SecondBody),
        (
            "<select><selectedcontent></selectedcontent><option><a href=1>x</select>",
            Fallback::SelectedContent,
        ),
        ("<x\0></x\u{fffd}>", Fallback::NullInName),
        (&deep, Fallback::Depth),
        (&many.concat(), Fallback::FormattingLength),
    ] {
        let given_up = links_by_tags(html, &every_link()).err();
        assert_eq!(given_up, Some(reason), "{html}");
        assert_eq!(
            document(html, &every_link()).reading,
            Some(Reading::Tree(reason))
        );
        if let Err(difference) = compare(html) {
            panic!("{difference}");
        }
    }
}

#[test]
fn no_fallback_where_order_is_equal() {
    for html in [
        // What moves before a table stays in order while there is no link in the table.
        "<table>x<a href=1>y</a><tr><td><a href=2>z</a></table>",
        // A reopened element is collected again.
        "<p><a href=1>x</p><p>y</a>",
        "<b><p></b><a href=1>x</a>",
        "<template><a href=1>x</a></template><a href=2>y</a>",
        "<svg><a xlink:href=1><g><p>x",
        "<table><p><table></table></table><!doctype html>",
        "<form action=1><form action=2></form><form action=3>",
        "<select><option><a href=1>x</a><select><a href=2>y</a>",
        "<head></head><link href=1><frameset><frame src=2></frameset>",
        "<body><body>",
        "<tr background=1><td><a href=2>x",
        "<selectedcontent><a href=1>x</a></selectedcontent><select><option>y</select>",
    ] {
        assert_eq!(compare(html), Ok(None), "{html}");
    }
}

/// The behaviour of browsers is that of Chromium and of the HTML Standard. Remove a document from the
/// list once html5ever's result is as listed for browsers.
#[test]
fn known_differences_from_browsers() {
    let mut rows = include_str!("known_differences.tsv").lines();
    let columns = "claim\tdocument\tbrowsers\thtml5ever\tby tags\tby tree\treason";
    assert_eq!(rows.next(), Some(columns));
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [claim, html, browsers, html5ever, by_tags, by_tree, reason] = cells[..] else {
            panic!("{} cells in {row:?}", cells.len());
        };
        assert!(!reason.is_empty(), "{claim}");
        let verdict = |found: &Links| {
            let is_same = in_one_line(found) == browsers;
            if is_same { "same" } else { "differs" }
        };
        let of_html5ever = expected(html, Classes::ALL, false);
        assert_eq!(verdict(&of_html5ever), html5ever, "{claim}: html5ever");
        let read = links_by_tags(html, &every_link());
        let of_tags = read.map_or("gives up", |document| verdict(&links(&document)));
        assert_eq!(of_tags, by_tags, "{claim}: by tags");
        let of_tree = verdict(&links(&links_by_tree(html, &every_link())));
        assert_eq!(of_tree, by_tree, "{claim}: by tree");
    }
}

/// `element@attribute=value(class)` of each link, and `[value]` of each base.
fn in_one_line(links: &Links) -> String {
    let found = links.found.iter().map(|link| {
        let class = link.class.as_str();
        format!("{}@{}={}({class})", link.element, link.attr, link.value)
    });
    let bases = links.bases.iter().map(|base| format!("[{base}]"));
    found.chain(bases).collect::<Vec<_>>().join(" ")
}
