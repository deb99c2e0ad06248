//! The HTML engine against html5ever and `RcDom` on documents where token order and tree order
//! differ.

mod reference;

use reference::compare;

#[test]
fn the_links_are_those_of_the_tree() {
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
        "<a href=1 href=2>x</a><A HREF='&#x41;&amp;&copy=1'>y</a>",
    ] {
        if let Err(difference) = compare(html) {
            panic!("{difference}");
        }
    }
}
