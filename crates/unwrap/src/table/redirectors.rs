//! Ways out of sites and searches.

use crate::wrapper::{Coding, Failure, Take, Wrapper};

const BASE: Wrapper = Wrapper::REDIRECTOR;

/// In the order in which they are tried.
pub static ROWS: &[Wrapper] = &[
    Wrapper {
        name: "google",
        hosts: &["google.~", "**.google.~"],
        paths: &["/url"],
        take: Take::Parameter(&["url", "q"]),
        coding: Coding::Percent,
        has_bare_hosts: false,
        source: "Google Search; macieklamberski/urlpurify",
        example: (
            "https://www.google.com/url?sa=D&q=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-amp",
        hosts: &["google.~", "**.google.~"],
        paths: &["/amp/s/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::RawHost("https"),
        broken: Failure::Other,
        source: "Google AMP viewer; public mail",
        example: ("https://google.vg/amp/s/a.com/b?c=1", "https://a.com/b?c=1"),
        ..BASE
    },
    Wrapper {
        name: "google-amp",
        hosts: &["google.~", "**.google.~"],
        paths: &["/amp/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::RawHost("http"),
        broken: Failure::Other,
        source: "Google AMP viewer; public mail",
        example: ("https://www.google.com/amp/a.com/b", "http://a.com/b"),
        ..BASE
    },
    Wrapper {
        name: "google-scholar",
        hosts: &["scholar.google.~", "**.scholar.google.~"],
        paths: &["/scholar_url"],
        take: Take::Parameter(&["url"]),
        source: "Google Scholar; macieklamberski/urlpurify",
        example: (
            "https://scholar.google.de/scholar_url?sa=X&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-news",
        hosts: &["news.google.~"],
        paths: &["/news/url"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://news.google.com/news/url?sa=t&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-translate",
        hosts: &["translate.google.~", "**.translate.google.~"],
        paths: &["/translate", "/website"],
        take: Take::Parameter(&["u"]),
        source: "Google Translate; macieklamberski/urlpurify",
        example: (
            "https://translate.google.com/translate?sl=de&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-weblight",
        hosts: &["googleweblight.com", "www.googleweblight.com"],
        paths: &["/i", "/"],
        take: Take::Parameter(&["u", "lite_url"]),
        source: "Google Web Light (ended 2022), public mail",
        example: (
            "https://googleweblight.com/i?u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "facebook",
        hosts: &["l.facebook.com", "lm.facebook.com"],
        paths: &["/l.php", "/lsr.php"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim; macieklamberski/urlpurify",
        example: (
            "https://l.facebook.com/l.php?h=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "facebook",
        hosts: &["www.facebook.com", "m.facebook.com", "facebook.com"],
        paths: &["/l.php"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim; EFForg/privacybadger, tests",
        example: (
            "https://www.facebook.com/l.php?h=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "facebook-warning",
        hosts: &["www.facebook.com", "m.facebook.com", "facebook.com"],
        paths: &["/flx/warn", "/flx/warn/"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim, public pages",
        example: (
            "https://www.facebook.com/flx/warn/?h=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "instagram",
        hosts: &["l.instagram.com", "lm.instagram.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim; macieklamberski/urlpurify",
        example: (
            "https://l.instagram.com/?e=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "messenger",
        hosts: &["l.messenger.com", "lm.messenger.com"],
        paths: &["/l.php"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim; macieklamberski/urlpurify",
        example: (
            "https://l.messenger.com/l.php?u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "threads",
        hosts: &["l.threads.com", "l.threads.net"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "Meta Link Shim; macieklamberski/urlpurify",
        example: (
            "https://l.threads.com/?u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "whatsapp",
        hosts: &["l.wl.co"],
        paths: &["/l"],
        take: Take::Parameter(&["u"]),
        source: "WhatsApp; ninoseki/kachi",
        example: (
            "https://l.wl.co/l?u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "youtube",
        hosts: &["youtube.com", "**.youtube.com"],
        paths: &["/redirect"],
        take: Take::Parameter(&["q"]),
        source: "YouTube; macieklamberski/urlpurify",
        example: (
            "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "slack",
        hosts: &["slack-redir.net", "**.slack-redir.net"],
        paths: &["/link", "/link/"],
        take: Take::Parameter(&["url"]),
        source: "Slack; macieklamberski/urlpurify",
        example: (
            "https://slack-redir.net/link?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "linkedin",
        hosts: &["linkedin.com", "www.linkedin.com"],
        paths: &[
            "/redir/redirect",
            "/redir/redirect/",
            "/safety/go",
            "/safety/go/",
            "/redirect",
            "/e/v2",
            "/company/*/redirect",
        ],
        take: Take::Parameter(&["url"]),
        source: "LinkedIn, public mail",
        example: (
            "https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fa%2Eexample%2Fb&urlhash=x",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bing",
        hosts: &[
            "bing.com",
            "www.bing.com",
            "cn.bing.com",
            "ssl.bing.com",
            "www.bing.de",
        ],
        paths: &["/ck/a"],
        take: Take::Parameter(&["u"]),
        coding: Coding::Base64After(2),
        source: "Bing; macieklamberski/urlpurify",
        example: (
            "https://www.bing.com/ck/a?!&&p=x&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvYg&ntb=1",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bing-alink",
        hosts: &["bing.com", "www.bing.com"],
        paths: &["/alink/link"],
        take: Take::Parameter(&["url"]),
        source: "Bing, public mail",
        example: (
            "https://www.bing.com/alink/link?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "yahoo",
        hosts: &["*.search.yahoo.com", "search.aol.com"],
        take: Take::Between("/RU=", "/RK="),
        has_bare_hosts: false,
        source: "Yahoo and AOL search; macieklamberski/urlpurify",
        example: (
            "https://r.search.yahoo.com/_ylt=x/RV=2/RU=https%3a%2f%2fa.example%2fb/RK=2/RS=x-",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "reddit",
        hosts: &["out.reddit.com"],
        take: Take::Parameter(&["url"]),
        source: "Reddit; macieklamberski/urlpurify",
        example: (
            "https://out.reddit.com/x?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "steam",
        hosts: &["steamcommunity.com", "**.steamcommunity.com"],
        paths: &["/linkfilter", "/linkfilter/"],
        take: Take::Parameter(&["u", "url"]),
        source: "Steam; macieklamberski/urlpurify",
        example: (
            "https://steamcommunity.com/linkfilter/?u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "vk",
        hosts: &["(|www.|m.|new.)vk.(com|ru)", "vkontakte.ru"],
        paths: &["/away", "/away.php"],
        take: Take::Parameter(&["to"]),
        source: "VK; macieklamberski/urlpurify",
        example: (
            "https://vk.com/away.php?to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "duckduckgo",
        hosts: &[
            "duckduckgo.com",
            "www.duckduckgo.com",
            "html.duckduckgo.com",
            "r.duckduckgo.com",
        ],
        paths: &["/l/"],
        take: Take::Parameter(&["uddg"]),
        source: "DuckDuckGo; macieklamberski/urlpurify",
        example: (
            "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "tumblr",
        hosts: &["umblr.com", "**.umblr.com"],
        paths: &["/redirect"],
        take: Take::Parameter(&["z"]),
        brand: Some("umblr"),
        source: "Tumblr; macieklamberski/urlpurify",
        example: (
            "https://t.umblr.com/redirect?z=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "href-li",
        hosts: &["href.li", "www.href.li"],
        paths: &["/"],
        take: Take::Query,
        coding: Coding::PercentOrPlain,
        source: "href.li; macieklamberski/urlpurify",
        example: (
            "https://href.li/?https://a.example/b",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "anonym-to",
        hosts: &["anonym.to", "www.anonym.to"],
        paths: &["/"],
        take: Take::Query,
        coding: Coding::PercentOrPlain,
        source: "anonym.to; macieklamberski/urlpurify",
        example: (
            "https://anonym.to/?https://a.example/b",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "deviantart",
        hosts: &["deviantart.com", "**.deviantart.com"],
        paths: &["/*/outgoing"],
        take: Take::Query,
        coding: Coding::PercentOrPlain,
        source: "DeviantArt; macieklamberski/urlpurify",
        example: (
            "https://www.deviantart.com/users/outgoing?https://a.example/b",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "disqus",
        hosts: &["disq.us"],
        paths: &["/url", "/"],
        take: Take::Parameter(&["url"]),
        coding: Coding::Signed,
        source: "Disqus, public pages",
        example: (
            "https://disq.us/url?url=https%3A%2F%2Fa.example%2Fb%3Ax-Yz1&cuid=1",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "medium",
        hosts: &["medium.com", "www.medium.com", "gen.medium.com"],
        paths: &["/r", "/r/"],
        take: Take::Parameter(&["url"]),
        source: "Medium; macieklamberski/urlpurify",
        example: (
            "https://medium.com/r/?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "medium-identity",
        hosts: &["medium.com"],
        paths: &["/m/global-identity", "/m/global-identity-2"],
        take: Take::Parameter(&["redirectUrl"]),
        source: "Medium; macieklamberski/urlpurify",
        example: (
            "https://medium.com/m/global-identity?redirectUrl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "firebase",
        hosts: &["goo.gl"],
        paths: &["/app/*"],
        take: Take::Parameter(&["link", "ofl"]),
        absent: Failure::Opaque,
        source: "Firebase Dynamic Links (ended 2025); macieklamberski/urlpurify",
        example: (
            "https://goo.gl/app/x?link=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "amp-cache",
        hosts: &["*.cdn.ampproject.org", "cdn.ampproject.org"],
        paths: &["/(c|v)/s/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::RawHost("https"),
        source: "AMP Cache URL format, amp.dev",
        example: (
            "https://a-com.cdn.ampproject.org/c/s/a.com/b",
            "https://a.com/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "amp-cache",
        hosts: &["*.cdn.ampproject.org", "cdn.ampproject.org"],
        paths: &["/(c|v)/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::RawHost("http"),
        source: "AMP Cache URL format, amp.dev",
        example: (
            "https://a-com.cdn.ampproject.org/c/a.com/b",
            "http://a.com/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "firebase",
        // A path is a short name, which such a parameter does not change.
        hosts: &["**.page.link", "app.goo.gl", "**.app.goo.gl"],
        paths: &["/"],
        take: Take::Parameter(&["link", "ofl"]),
        absent: Failure::Opaque,
        source: "Firebase Dynamic Links (ended 2025); macieklamberski/urlpurify",
        example: (
            "https://x.page.link/?apn=x&link=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "mozilla",
        hosts: &[
            "outgoing.mozilla.org",
            "outgoing.prod.mozaws.net",
            "prod.outgoing.prod.webservices.mozgcp.net",
        ],
        paths: &["/v1/%/{*}"],
        take: Take::Captured,
        source: "Mozilla Add-ons; macieklamberski/urlpurify",
        example: (
            "https://prod.outgoing.prod.webservices.mozgcp.net/v1/0a1b/https%3A//a.example/b",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bluesky",
        hosts: &["go.bsky.app"],
        paths: &["/redirect"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://go.bsky.app/redirect?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "csdn",
        hosts: &["link.csdn.net"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://link.csdn.net/?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "douban",
        hosts: &["www.douban.com"],
        paths: &["/link2", "/link2/"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.douban.com/link2?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "embedly",
        hosts: &["cdn.embedly.com", "embed.ly"],
        take: Take::Parameter(&["src"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://cdn.embedly.com/?x=1&src=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "flipboard",
        hosts: &["flipboard.com"],
        paths: &["/redirect"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://flipboard.com/redirect?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "gate-sc",
        hosts: &["gate.sc"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://gate.sc/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "gitee",
        hosts: &["gitee.com"],
        paths: &["/link"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://gitee.com/link?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "hashnode",
        hosts: &["hashnode.com"],
        paths: &["/util/redirect"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://hashnode.com/util/redirect?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "jianshu",
        hosts: &["links.jianshu.com"],
        paths: &["/go"],
        take: Take::Parameter(&["to"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://links.jianshu.com/go?x=1&to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "juejin",
        hosts: &["link.juejin.cn"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://link.juejin.cn/?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "naver",
        hosts: &["cc.loginfra.com", "cr.naver.com"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://cc.loginfra.com/?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "pocket",
        hosts: &["getpocket.com"],
        paths: &["/redirect"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://getpocket.com/redirect?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "sspai",
        hosts: &["sspai.com"],
        paths: &["/link"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://sspai.com/link?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "telegram",
        hosts: &["t.me"],
        paths: &["/iv"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://t.me/iv?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "zhihu",
        hosts: &["link.zhihu.com"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://link.zhihu.com/?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "segmentfault",
        hosts: &["link.segmentfault.com"],
        take: Take::Parameter(&["enc"]),
        coding: Coding::Base64,
        source: "macieklamberski/urlpurify",
        example: (
            "https://link.segmentfault.com/?enc=aHR0cHM6Ly9hLmV4YW1wbGUvYg",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "facebook-root",
        hosts: &["l.facebook.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://l.facebook.com/?e=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "facebook-legacy",
        hosts: &["www.facebook.com", "l.facebook.com"],
        paths: &["/l/*;{*}", "/l/*/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::PercentOrPlain,
        broken: Failure::Other,
        source: "Links of Facebook until 2012; macieklamberski/urlpurify",
        example: (
            "https://www.facebook.com/l/0a1b-2c/a.com/b?c=1",
            "http://a.com/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-out",
        hosts: &["**.google.~"],
        paths: &["/linkredirect"],
        take: Take::Parameter(&["dest"]),
        source: "Google Chat and Sites, public pages",
        example: (
            "https://www.google.com/linkredirect?x=1&dest=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "linkedin",
        hosts: &["**.linkedin.com"],
        paths: &[
            "/nhome/nus-redirect",
            "/nus-trk",
            "/redir/redirect",
            "/safety/go",
            "/redirect",
        ],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.linkedin.com/nhome/nus-redirect?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bing-news",
        hosts: &["www.bing.com", "bing.com", "cn.bing.com", "ssl.bing.com"],
        paths: &["/news/apiclick.aspx"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.bing.com/news/apiclick.aspx?ref=x&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "yelp",
        hosts: &["www.yelp.com"],
        paths: &["/biz_redir", "/redir"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.yelp.com/biz_redir?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "businesswire",
        hosts: &["cts.businesswire.com"],
        paths: &["/ct/CT"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://cts.businesswire.com/ct/CT?id=smartlink&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "prnewswire",
        hosts: &["c212.net", "**.c212.net", "**.prnewswire.com"],
        paths: &["/c/link/"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://c212.net/c/link/?t=0&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "newswire",
        hosts: &[
            "stats.newswire.com",
            "stats.nwe.io",
            "stats.mediadboutreach.com",
        ],
        paths: &["/x/html"],
        take: Take::Parameter(&["final"]),
        coding: Coding::Base64,
        source: "macieklamberski/urlpurify",
        example: (
            "https://stats.newswire.com/x/html?final=aHR0cHM6Ly9hLmV4YW1wbGUvYg&sig=x",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "marketwire",
        hosts: &["ctt.marketwire.com"],
        paths: &["/"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://ctt.marketwire.com/?release=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "mail-ru",
        hosts: &["checklink.mail.ru"],
        paths: &["/proxy"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://checklink.mail.ru/proxy?es=x&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "mail-ru",
        hosts: &["click.mail.ru", "click.my.mail.ru"],
        paths: &["/redir"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://click.mail.ru/redir?s=x&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "yandex-mail",
        hosts: &[
            "mail.yandex.(com|ru|com.tr|by|kz|ua|uz)",
            "**.mail.yandex.(com|ru|com.tr|by|kz|ua|uz)",
        ],
        paths: &["/re.jsx"],
        take: Take::Parameter(&["l"]),
        coding: Coding::Base64,
        source: "macieklamberski/urlpurify",
        example: (
            "https://mail.yandex.ru/re.jsx?h=x&l=aHR0cHM6Ly9hLmV4YW1wbGUvYg",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "yandex-turbo",
        hosts: &["**.turbopages.org"],
        paths: &["/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::HostAndPath,
        broken: Failure::Other,
        source: "brave/adblock-lists, debounce.json",
        example: (
            "https://a-com.turbopages.org/a.com/s/b?c=1",
            "https://a.com/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "ok-ru",
        hosts: &[
            "ok.ru",
            "www.ok.ru",
            "odnoklassniki.ru",
            "www.odnoklassniki.ru",
        ],
        paths: &["/dk"],
        take: Take::Parameter(&["st.link"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://ok.ru/dk?cmd=logExternal&st.link=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "ok-ru",
        hosts: &["m.ok.ru", "m.odnoklassniki.ru"],
        paths: &["/dk"],
        take: Take::Parameter(&["st.rfn"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://m.ok.ru/dk?st.cmd=outLinkWarning&st.rfn=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "livejournal",
        hosts: &["www.livejournal.com"],
        paths: &["/away"],
        take: Take::Parameter(&["to"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.livejournal.com/away?x=1&to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "dropbox",
        hosts: &["www.dropbox.com"],
        paths: &[
            "/referrer_cleansing_redirect",
            "/paper/ep/redirect/external-link",
        ],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.dropbox.com/referrer_cleansing_redirect?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "dropbox",
        hosts: &["paper.dropbox.com"],
        paths: &["/ep/redirect/external-link"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://paper.dropbox.com/ep/redirect/external-link?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "evernote",
        hosts: &["www.evernote.com"],
        paths: &["/OutboundRedirect.action"],
        take: Take::Parameter(&["dest"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.evernote.com/OutboundRedirect.action?x=1&dest=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "calendly",
        hosts: &["calendly.com"],
        paths: &["/url"],
        take: Take::Parameter(&["q"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://calendly.com/url?x=1&q=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "canva",
        hosts: &["www.canva.com"],
        paths: &["/link"],
        take: Take::Parameter(&["target"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.canva.com/link?x=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "soundcloud",
        hosts: &["exit.sc", "**.exit.sc"],
        paths: &["/"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://exit.sc/?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "researchgate",
        hosts: &["www.researchgate.net"],
        paths: &["/go.Deref.html"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.researchgate.net/go.Deref.html?x=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "researchgate",
        hosts: &["www.researchgate.net"],
        paths: &["/deref/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::PercentOrPlain,
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.researchgate.net/deref/https%3A%2F%2Fa.example%2Fb?_sg=x",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "zemanta",
        hosts: &["r.zemanta.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://r.zemanta.com/?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "curseforge",
        hosts: &["**.curseforge.com"],
        paths: &["/linkout"],
        take: Take::Parameter(&["remoteUrl"]),
        source: "ClearURLs rules",
        example: (
            "https://www.curseforge.com/linkout?x=1&remoteUrl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "feedsportal",
        hosts: &["**.feedsportal.com"],
        paths: &["/**/story01.htm"],
        take: Take::Between("/l/", "/story01.htm"),
        coding: Coding::Feedsportal,
        source: "FeedSportal (ended 2016); macieklamberski/urlpurify",
        example: (
            "http://rss.feedsportal.com/c/1/f/2/s/3/l/0L0Sa0N0Cb0Ec0Bhtm/story01.htm",
            "http://www.a.com/b-c.htm",
        ),
        ..BASE
    },
    Wrapper {
        name: "jive",
        paths: &["/external-link.jspa"],
        needs: &["url"],
        take: Take::Parameter(&["url"]),
        broken: Failure::Other,
        source: "Jive communities; macieklamberski/urlpurify",
        example: (
            "https://community.corp.example/external-link.jspa?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-news-article",
        hosts: &["news.google.~", "**.news.google.~"],
        paths: &[
            "/articles/{}",
            "/rss/articles/{}",
            "/__i/rss/rd/articles/{}",
        ],
        take: Take::Captured,
        coding: Coding::GoogleNews,
        broken: Failure::Opaque,
        source: "Google News until 2024; macieklamberski/urlpurify",
        example: (
            "https://news.google.com/rss/articles/CBMiE2h0dHBzOi8vYS5leGFtcGxlL2LSAQA?oc=5",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-translate",
        hosts: &["translate.googleusercontent.com"],
        paths: &["/translate_c"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://translate.googleusercontent.com/translate_c?sl=de&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "google-translate-proxy",
        hosts: &["*.translate.goog"],
        paths: &["**"],
        take: Take::Url,
        coding: Coding::TranslateProxy,
        brand: Some("translate.goog"),
        source: "Google Translate's proxy, public pages",
        example: (
            "https://a--b-com.translate.goog/c?d=1&_x_tr_sl=de&_x_tr_tl=en",
            "https://a-b.com/c?d=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "duckduckgo-ads",
        hosts: &["duckduckgo.com"],
        paths: &["/y.js"],
        take: Take::Parameter(&["u3", "u2"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://duckduckgo.com/y.js?ad=1&u3=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "dzen",
        hosts: &["dzen.ru"],
        paths: &["/away"],
        take: Take::Parameter(&["to"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://dzen.ru/away?to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "vanilla",
        paths: &["/home/leaving"],
        take: Take::Parameter(&["target", "Target"]),
        broken: Failure::Other,
        source: "Vanilla Forums; macieklamberski/urlpurify",
        example: (
            "https://forum.corp.example/home/leaving?target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "vbulletin",
        paths: &["/redirect-to/", "/(forum|forums|board|boards)/redirect-to/"],
        take: Take::Parameter(&["redirect"]),
        broken: Failure::Other,
        source: "vBulletin; macieklamberski/urlpurify",
        example: (
            "https://forum.corp.example/redirect-to/?redirect=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "amazon",
        hosts: &[
            "www.amazon.(com|ca|co.uk|de|fr|it|es|nl|se|pl|co.jp|in|com.au|com.br|com.mx|com.tr)",
        ],
        paths: &["/gp/r.html", "/gp/f.html"],
        take: Take::Parameter(&["U"]),
        absent: Failure::Opaque,
        source: "Amazon, public mail",
        example: (
            "https://www.amazon.com/gp/r.html?C=x&T=C&U=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "amazon",
        hosts: &[
            "www.amazon.(com|ca|co.uk|de|fr|it|es|nl|se|pl|co.jp|in|com.au|com.br|com.mx|com.tr)",
        ],
        paths: &["/gp/redirect.html"],
        take: Take::Parameter(&["location"]),
        source: "newhouse/url-tracking-stripper",
        example: (
            "https://www.amazon.ca/gp/redirect.html?ie=x&location=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "tiktok",
        hosts: &["tiktok.com", "www.tiktok.com"],
        paths: &["/link/v2"],
        take: Take::Parameter(&["target"]),
        source: "TikTok, public mail",
        example: (
            "https://www.tiktok.com/link/v2?aid=1&target=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "gmail-image",
        hosts: &["ci#.googleusercontent.com"],
        paths: &["/proxy/**", "/meips/**"],
        take: Take::QueryAfter("#"),
        coding: Coding::PercentOrPlain,
        absent: Failure::Opaque,
        source: "Gmail's proxy for images, public mail",
        example: (
            "https://ci3.googleusercontent.com/proxy/x-y=s0-d-e1-ft#https://a.example/b.png",
            "https://a.example/b.png",
        ),
        ..BASE
    },
    Wrapper {
        name: "yahoo-image",
        hosts: &["ecp.yusercontent.com"],
        paths: &["/mail"],
        take: Take::Parameter(&["url"]),
        source: "Yahoo Mail's proxy for images, public mail",
        example: (
            "https://ecp.yusercontent.com/mail?url=https%3A%2F%2Fa.example%2Fb&t=1&ymreqid=x",
            "https://a.example/b",
        ),
        ..BASE
    },
];
