//! Advertisements and affiliate programmes, which count the clicks that lead to a shop.

use crate::wrapper::{Coding, Take, Wrapper};

const BASE: Wrapper = Wrapper::REDIRECTOR;

/// In the order in which they are tried.
pub static ROWS: &[Wrapper] = &[
    Wrapper {
        name: "google-ads",
        hosts: &["google.~", "**.google.~"],
        paths: &["/aclk", "/pagead/iclk", "/pagead/aclk"],
        take: Take::Parameter(&["adurl"]),
        source: "Google Ads, public pages",
        example: (
            "https://www.google.com/aclk?sa=l&adurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-ads",
        hosts: &["www.googleadservices.com", "googleadservices.com"],
        paths: &["/pagead/aclk", "/pagead/iclk"],
        take: Take::Parameter(&["adurl"]),
        source: "Google Ads, public pages",
        example: (
            "https://www.googleadservices.com/pagead/aclk?sa=L&adurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "doubleclick",
        hosts: &["doubleclick.net", "**.doubleclick.net"],
        paths: &[
            "/aclk",
            "/**/aclk",
            "/pcs/click",
            "/pagead/iclk",
            "/pagead/aclk",
            "/dbm/clk",
        ],
        take: Take::Parameter(&["adurl"]),
        source: "Google Ad Manager, public pages",
        example: (
            "https://adclick.g.doubleclick.net/pcs/click?xai=x&adurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "amazon-ads",
        hosts: &["**.amazon-adsystem.com"],
        paths: &["/x/c/*/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::PercentOrPlain,
        source: "macieklamberski/urlpurify",
        example: (
            "https://aax-eu.amazon-adsystem.com/x/c/x/https://a.example/b",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "adjust",
        hosts: &["app.adjust.com"],
        take: Take::Parameter(&["redirect"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://app.adjust.com/?x=1&redirect=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "awin",
        hosts: &["www.awin1.com", "awin1.com"],
        paths: &["/cread.php", "/awclick.php"],
        take: Take::Parameter(&["ued", "p"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.awin1.com/cread.php?x=1&ued=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "cj",
        hosts: &[
            "www.dpbolvw.net",
            "www.tkqlhce.com",
            "www.anrdoezrs.net",
            "www.jdoqocy.com",
            "www.kqzyfj.com",
            "www.pntrac.com",
            "www.pjtra.com",
            "www.pntrs.com",
        ],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.dpbolvw.net/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "cj",
        hosts: &[
            "www.dpbolvw.net",
            "www.tkqlhce.com",
            "www.anrdoezrs.net",
            "www.jdoqocy.com",
            "www.kqzyfj.com",
        ],
        paths: &[
            "/links/#/type/*/sid/*/{*}",
            "/links/#/sid/*/{*}",
            "/links/#/type/*/{*}",
        ],
        take: Take::CapturedAndRest,
        coding: Coding::PercentOrPlain,
        source: "CJ, deep links",
        example: (
            "https://www.anrdoezrs.net/links/1/type/dlg/sid/x/https://a.example/b?c=d",
            "https://a.example/b?c=d",
        ),
        ..BASE
    },
    Wrapper {
        name: "digidip",
        hosts: &["**.digidip.net"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.digidip.net/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "ebay-rover",
        hosts: &["rover.ebay.(com|de|co.uk|fr|it|es|ca|com.au|at|ch|nl|be|ie|pl)"],
        take: Take::Parameter(&["mpre"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://rover.ebay.com/?x=1&mpre=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "effiliation",
        hosts: &["**.effiliation.com"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.effiliation.com/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "geniuslink",
        hosts: &["target.georiot.com"],
        take: Take::Parameter(&["GR_URL"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://target.georiot.com/?x=1&GR_URL=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "idealo",
        hosts: &["**.idealo-partner.com"],
        take: Take::Parameter(&["trg"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.idealo-partner.com/?x=1&trg=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "linksynergy",
        hosts: &["click.linksynergy.com"],
        paths: &["/deeplink", "/link"],
        take: Take::Parameter(&["murl"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://click.linksynergy.com/deeplink?x=1&murl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "narrativ",
        hosts: &["narrativ.com", "api.narrativ.com"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://narrativ.com/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "partner-ads",
        hosts: &["**.partner-ads.com"],
        take: Take::Parameter(&["htmlurl"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.partner-ads.com/?x=1&htmlurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "impact",
        // Any other path is a short name.
        hosts: &["**.pxf.io", "**.sjv.io"],
        paths: &["/", "/c/**"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.pxf.io/?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "impact",
        // Of a shop that has it under a name of its own: goto.target.com.
        hosts: &["goto.**"],
        paths: &["/c/#/#/#"],
        take: Take::Parameter(&["u"]),
        source: "Impact, deep links",
        example: (
            "https://goto.shop.example/c/1/2/3?subId1=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "partnerize",
        hosts: &["prf.hn"],
        paths: &[
            "/click/*/destination:{*}",
            "/click/*/*/destination:{*}",
            "/click/*/*/*/destination:{*}",
        ],
        take: Take::CapturedAndRest,
        coding: Coding::PercentOrPlain,
        source: "Partnerize, deep links",
        example: (
            "https://prf.hn/click/camref:1x/pubref:y/destination:https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "recruitics",
        hosts: &["jsv3.recruitics.com"],
        take: Take::Parameter(&["rx_url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://jsv3.recruitics.com/?x=1&rx_url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "redirectingat",
        hosts: &["redirectingat.com", "go.redirectingat.com"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://redirectingat.com/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "shareasale",
        hosts: &[
            "shareasale.com",
            "www.shareasale.com",
            "shareasale-analytics.com",
            "www.shareasale-analytics.com",
        ],
        paths: &["/r.cfm"],
        take: Take::Parameter(&["urllink"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://shareasale.com/r.cfm?x=1&urllink=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "skimlinks",
        hosts: &["go.skimresources.com"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://go.skimresources.com/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "smartredirect",
        hosts: &["smartredirect.de", "www.smartredirect.de"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://smartredirect.de/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "valuecommerce",
        hosts: &["ck.jp.ap.valuecommerce.com"],
        paths: &["/servlet/referral"],
        take: Take::Parameter(&["vc_url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://ck.jp.ap.valuecommerce.com/servlet/referral?x=1&vc_url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "viglink",
        hosts: &["redirect.viglink.com"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://redirect.viglink.com/?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "tradedoubler",
        hosts: &["**.tradedoubler.com"],
        paths: &["/click", "/click/"],
        take: Take::Parameter(&["url"]),
        source: "newhouse/url-tracking-stripper",
        example: (
            "https://clkde.tradedoubler.com/click?p=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "tradedoubler-deeplink",
        hosts: &["redir.tradedoubler.com"],
        take: Take::Parameter(&["_td_deeplink"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://redir.tradedoubler.com/projectr/?x=1&_td_deeplink=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "impact-return",
        hosts: &["www.ojrq.net", "ojrq.net"],
        paths: &["/p/", "/p"],
        take: Take::Parameter(&["return"]),
        source: "newhouse/url-tracking-stripper",
        example: (
            "https://www.ojrq.net/p/?x=1&return=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "connexity",
        hosts: &["rd.connexity.net", "rd.bizrate.com"],
        paths: &["/rd", "/rd2"],
        take: Take::Parameter(&["t"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://rd.connexity.net/rd?x=1&t=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "commission-factory",
        hosts: &["t.cfjump.com"],
        take: Take::Parameter(&["Url", "url"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://t.cfjump.com/1/t/2?x=1&Url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "zenaps",
        hosts: &["www.zenaps.com"],
        paths: &["/rclick.php"],
        take: Take::Parameter(&["pr"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://www.zenaps.com/rclick.php?x=1&pr=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bing-ads",
        hosts: &["www.bing.com", "bing.com"],
        paths: &["/aclk", "/aclick"],
        take: Take::Parameter(&["u"]),
        coding: Coding::Base64,
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.bing.com/aclk?ld=x&u=aHR0cHMlM2ElMmYlMmZhLmV4YW1wbGUlMmZi",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-ads",
        hosts: &["syndicatedsearch.goog"],
        paths: &["/aclk"],
        take: Take::Parameter(&["adurl"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://syndicatedsearch.goog/aclk?x=1&adurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "adform",
        hosts: &["track.adform.net"],
        paths: &["/C/", "/c/"],
        take: Take::Parameter(&["ckurl"]),
        source: "ClearURLs rules",
        example: (
            "https://track.adform.net/C/?x=1&ckurl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "admitad",
        hosts: &["ad.admitad.com"],
        paths: &["/g/**"],
        take: Take::Parameter(&["ulp"]),
        source: "ClearURLs rules",
        example: (
            "https://ad.admitad.com/g/0a1b/?x=1&ulp=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "webgains",
        hosts: &["track.webgains.com"],
        paths: &["/click.html"],
        take: Take::Parameter(&["wgtarget"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://track.webgains.com/click.html?x=1&wgtarget=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "flexoffers",
        hosts: &["track.flexlinkspro.com"],
        take: Take::Parameter(&["url"]),
        source: "ClearURLs rules",
        example: (
            "https://track.flexlinkspro.com/g.ashx?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "geniuslink",
        hosts: &["buy.geni.us"],
        paths: &["/Proxy.ashx"],
        take: Take::Parameter(&["GR_URL"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://buy.geni.us/Proxy.ashx?x=1&GR_URL=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "ccbill",
        hosts: &["refer.ccbill.com"],
        paths: &["/cgi-bin/clicks.cgi"],
        take: Take::Parameter(&["HTML"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://refer.ccbill.com/cgi-bin/clicks.cgi?x=1&HTML=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "impact",
        hosts: &[
            "**.evyy.net",
            "**.dttq.net",
            "**.c9ftyd.net",
            "**.iyhh.net",
            "**.glg9ob.net",
        ],
        paths: &["/c/**"],
        take: Take::Parameter(&["u"]),
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://x.evyy.net/c/1/2/3?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
];
