//! Services whose links do not contain their target, or only encrypted: they are named, nothing more.

use crate::wrapper::{Family, Wrapper};

const BASE: Wrapper = Wrapper::MAILING;

/// In the order in which they are tried.
pub static ROWS: &[Wrapper] = &[
    Wrapper {
        name: "mimecast",
        family: Family::Security,
        hosts: &[
            "protect-*.mimecast.com",
            "protect.mimecast.com",
            "*.mimecastprotect.com",
            "**.mimecastprotect.com",
        ],
        paths: &["/s/**", "/r/**"],
        hint: Some("domain"),
        source: "Mimecast URL Protect, public mail",
        example: ("https://protect-eu.mimecast.com/s/AbC?domain=a.example", ""),
        ..BASE
    },
    Wrapper {
        name: "inky",
        family: Family::Security,
        hosts: &["shared.outlook.inky.com"],
        paths: &["/link"],
        hint: Some("domain"),
        source: "INKY, public mail",
        example: (
            "https://shared.outlook.inky.com/link?domain=a.example&t=x",
            "",
        ),
        ..BASE
    },
    Wrapper {
        name: "proofpoint-essentials",
        family: Family::Security,
        hosts: &["url.emailprotection.link"],
        paths: &["**"],
        source: "public mail",
        example: ("https://url.emailprotection.link/?bx~y", ""),
        ..BASE
    },
    Wrapper {
        name: "vipre",
        family: Family::Security,
        hosts: &["**.mailanyone.net"],
        paths: &["/scanner/**", "/v1/**", "/scanner"],
        source: "public mail",
        example: ("https://url4.mailanyone.net/scanner?m=x&d=y", ""),
        ..BASE
    },
    Wrapper {
        name: "vade",
        family: Family::Security,
        hosts: &["antiphishing.vadesecure.com"],
        paths: &["/1/**", "/2/**"],
        source: "public mail; the scheme of the target is not known",
        example: ("https://antiphishing.vadesecure.com/2/eHl6/a.example/", ""),
        ..BASE
    },
    Wrapper {
        name: "darktrace",
        family: Family::Security,
        hosts: &["l.antigena.com"],
        paths: &["/l/**"],
        source: "public mail",
        example: ("https://l.antigena.com/l/x~y", ""),
        ..BASE
    },
    Wrapper {
        name: "forcepoint",
        family: Family::Security,
        hosts: &["www.mailcontrol.com", "url.mailcontrol.com"],
        paths: &["/sr/**"],
        source: "public mail",
        example: ("https://www.mailcontrol.com/sr/x!", ""),
        ..BASE
    },
    Wrapper {
        name: "mailguard",
        family: Family::Security,
        hosts: &["console.mailguard.com.au"],
        paths: &["/ras/**"],
        source: "public mail",
        example: ("https://console.mailguard.com.au/ras/1/2/3", ""),
        ..BASE
    },
    Wrapper {
        name: "substack",
        hosts: &["substack.com", "**.substack.com"],
        paths: &["/redirect/*"],
        source: "public mail",
        example: ("https://substack.com/redirect/0a1b-2c3d?j=x", ""),
        ..BASE
    },
    Wrapper {
        name: "sendgrid",
        hosts: &[],
        paths: &["/ls/click", "/wf/click"],
        needs: &["upn"],
        source: "public mail",
        example: ("https://u1.ct.sendgrid.net/ls/click?upn=x", ""),
        ..BASE
    },
    Wrapper {
        name: "sendgrid",
        hosts: &[],
        paths: &["/ss/c/u001.**", "/uni/ss/c/u001.**"],
        source: "public mail",
        example: ("https://links.news.example/ss/c/u001.x/y/z/h1", ""),
        ..BASE
    },
    Wrapper {
        name: "hubspot",
        hosts: &[],
        paths: &["/Ctc/**"],
        source: "public mail",
        example: ("https://news.example/Ctc/X+1/abc/xyz", ""),
        ..BASE
    },
    Wrapper {
        name: "constant-contact",
        hosts: &["*.rs6.net"],
        paths: &["/tn.jsp"],
        source: "public mail",
        example: ("https://r20.rs6.net/tn.jsp?f=x", ""),
        ..BASE
    },
    Wrapper {
        name: "list-manage",
        hosts: &[
            "**.list-manage.com",
            "**.list-manage1.com",
            "**.list-manage2.com",
        ],
        paths: &["/track/click"],
        source: "Mailchimp; its parameter u is the number of an account",
        example: (
            "https://x.us1.list-manage.com/track/click?u=bc97&id=9a&e=1",
            "",
        ),
        ..BASE
    },
    Wrapper {
        name: "salesforce",
        hosts: &["click.**"],
        paths: &["/"],
        query: "qs=",
        source: "public mail",
        example: (
            "https://click.news.example/?qs=0a1b2c3d4e5f60718293a4b5c6d7e8f9",
            "",
        ),
        ..BASE
    },
    Wrapper {
        name: "klaviyo",
        hosts: &["ctrk.klclick.com", "ctrk.klclick#.com"],
        paths: &["/l/**"],
        source: "public mail",
        example: ("https://ctrk.klclick1.com/l/01AB_0", ""),
        ..BASE
    },
    Wrapper {
        name: "iterable",
        hosts: &[],
        paths: &["/u/click"],
        needs: &["_t"],
        source: "public mail",
        example: ("https://links.news.example/u/click?_t=x", ""),
        ..BASE
    },
    Wrapper {
        name: "brevo",
        hosts: &[],
        paths: &["/mk/cl/**"],
        source: "public mail",
        example: ("https://x.r.sp1-brevo.example/mk/cl/f/sh/x/y", ""),
        ..BASE
    },
    Wrapper {
        name: "omnisend",
        hosts: &["*.soundestlink.com"],
        paths: &["/ce/**"],
        source: "public mail",
        example: ("https://x.soundestlink.com/ce/c/1/2/3", ""),
        ..BASE
    },
    Wrapper {
        name: "brevo",
        hosts: &["**.sendibt#.com", "**.sendibm#.com"],
        paths: &["/tr/**", "/mk/**"],
        source: "public mail",
        example: ("https://x.r.bh.d.sendibt3.com/tr/cl/x-y_z", ""),
        ..BASE
    },
    Wrapper {
        name: "campaign-monitor",
        hosts: &["*.cmail#.com", "*.createsend#.com", "*.createsend.com"],
        paths: &["/t/**"],
        source: "public mail",
        example: ("https://news.cmail20.com/t/t-l-x-y-r/", ""),
        ..BASE
    },
    Wrapper {
        name: "eloqua",
        hosts: &[],
        paths: &["/e/er"],
        needs: &["lid"],
        source: "public mail",
        example: ("https://app.news.example/e/er?s=1&lid=2&elqTrackId=x", ""),
        ..BASE
    },
    Wrapper {
        name: "responsys",
        hosts: &[],
        paths: &["/pub/cc"],
        needs: &["_ri_"],
        source: "public mail",
        example: ("https://secure.news.example/pub/cc?_ri_=x&_ei_=y", ""),
        ..BASE
    },
    Wrapper {
        name: "zoho-campaigns",
        hosts: &["*.maillist-manage.(com|eu|in)"],
        paths: &["/click/**"],
        source: "public mail",
        example: ("https://x-y.maillist-manage.com/click/0a1b/2c3d", ""),
        ..BASE
    },
    Wrapper {
        name: "pardot",
        hosts: &[],
        paths: &["/e/#/*/*/#"],
        needs: &["h"],
        source: "public mail",
        example: (
            "https://go.news.example/e/984351/about/m5qpvg/1064379532?h=x",
            "",
        ),
        ..BASE
    },
    Wrapper {
        name: "phplist",
        hosts: &[],
        paths: &["/lists/lt.php"],
        needs: &["tid"],
        source: "public mail",
        example: ("https://x.hosted.phplist.com/lists/lt.php?tid=x", ""),
        ..BASE
    },
    Wrapper {
        name: "aweber",
        hosts: &["clicks.aweber.com"],
        paths: &["/y/ct/**"],
        source: "public mail",
        example: ("https://clicks.aweber.com/y/ct/?l=x&m=y&b=z", ""),
        ..BASE
    },
    Wrapper {
        name: "mailerlite",
        hosts: &["click.mlsend.com", "*.click.mlsend.com"],
        paths: &["/link/**"],
        source: "public mail",
        example: ("https://click.mlsend.com/link/c/x", ""),
        ..BASE
    },
    Wrapper {
        name: "beehiiv",
        hosts: &["link.mail.beehiiv.com"],
        paths: &["/v1/**"],
        source: "public mail",
        example: ("https://link.mail.beehiiv.com/v1/c/x/y", ""),
        ..BASE
    },
    Wrapper {
        name: "baidu",
        family: Family::Redirector,
        hosts: &["www.baidu.com", "baidu.com"],
        paths: &["/link"],
        needs: &["url"],
        source: "public mail",
        example: ("https://www.baidu.com/link?url=x", ""),
        ..BASE
    },
    Wrapper {
        name: "firebase",
        family: Family::Redirector,
        hosts: &["**.page.link", "**.app.goo.gl"],
        paths: &["/*"],
        source: "Firebase Dynamic Links (ended 2025), public mail",
        example: ("https://x.page.link/aB1c", ""),
        ..BASE
    },
    Wrapper {
        name: "google-share",
        family: Family::Redirector,
        hosts: &["share.google", "c.gle"],
        paths: &["/*", "/**"],
        source: "public mail",
        example: ("https://share.google/x1y2", ""),
        ..BASE
    },
    Wrapper {
        name: "shortener",
        family: Family::Shortener,
        hosts: &[
            "t.co",
            "bit.ly",
            "bitly.com",
            "j.mp",
            "tinyurl.com",
            "tiny.cc",
            "ow.ly",
            "goo.gl",
            "is.gd",
            "v.gd",
            "buff.ly",
            "t.ly",
            "lnkd.in",
            "aka.ms",
            "rb.gy",
            "cutt.ly",
            "shorturl.at",
            "rebrand.ly",
            "bl.ink",
            "dlvr.it",
            "ift.tt",
            "trib.al",
            "fb.me",
            "wp.me",
            "amzn.to",
            "adf.ly",
            "s.id",
            "qrco.de",
            "bit.do",
            "shorte.st",
            "soo.gd",
            "t2m.io",
            "u.to",
            "clck.ru",
            "goo.su",
            "tny.im",
            "x.co",
            "zpr.io",
            "po.st",
            "mcaf.ee",
            "snip.ly",
            "kutt.it",
            "ln.ki",
            "urlz.fr",
            "urls.fr",
            "shrtco.de",
            "lc.cx",
            "qr.ae",
            "n9.cl",
            "acortar.link",
            "tr.ee",
            "lnk.to",
            "lnk.bio",
            "dub.sh",
            "l.ead.me",
            "spoo.me",
            "ulvis.net",
            "geni.us",
            "pxlme.me",
        ],
        paths: &["/*", "/*/**"],
        source: "MISP warning list of URL shorteners (CC0), the ones most seen in mail",
        example: ("https://bit.ly/x1y2", ""),
        ..BASE
    },
];
