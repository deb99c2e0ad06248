//! Services that send newsletters and count the clicks. Many of them use hosts of the sender's, so that
//! the form of the path is the rule.

use crate::wrapper::{Coding, Failure, Take, Wrapper};

const BASE: Wrapper = Wrapper::MAILING;

/// In the order in which they are tried.
pub static ROWS: &[Wrapper] = &[
    Wrapper {
        name: "aws-ses",
        hosts: &["**.awstrack.me"],
        paths: &["/L0/{}/**", "/L0/{}"],
        take: Take::Captured,
        absent: Failure::Undecodable,
        broken: Failure::Undecodable,
        source: "Amazon SES, open and click tracking; public mail",
        example: (
            "https://x.r.us-east-1.awstrack.me/L0/https:%2F%2Fa.example%2Fb/1/x-y/z=1",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "aws-ses",
        paths: &["/(L0|CL0)/{}/#/*/**"],
        take: Take::Captured,
        broken: Failure::Other,
        source: "Amazon SES with a domain of the sender's; public mail",
        example: (
            "https://links.news.example/CL0/https:%2F%2Fa.example%2Fb/1/0100018-a-b/z=1",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailgun",
        paths: &["/(c|o|u)/{eJ}"],
        take: Take::Captured,
        coding: Coding::ZlibForm("l"),
        source: "Mailgun click tracking; public mail",
        example: (
            "https://email.mg.news.example/c/eJzLsDVUy7Q1UsuxzSgpKShWNXZUNXIDokS91IrE3IKcVCBbrci2QtXEIAkmpFaQmJKSmZdum5iUnJKalp6RmZWdk5uXXwAAo5wZ1g",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mandrill",
        paths: &["/track/click/#/*"],
        needs: &["p"],
        take: Take::Parameter(&["p"]),
        coding: Coding::Mandrill,
        source: "Mailchimp Transactional (Mandrill); public mail",
        example: (
            "https://mandrillapp.com/track/click/1/a.example?p=eyJzIjogIngiLCAidiI6IDEsICJwIjogIntcInVcIjogMSwgXCJ2XCI6IDEsIFwidXJsXCI6IFwiaHR0cHM6XFxcXC9cXFxcL2EuZXhhbXBsZVxcXFwvXCIsIFwiaWRcIjogXCJ4XCJ9In0",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mandrill",
        hosts: &["mandrillapp.com", "www.mandrillapp.com"],
        paths: &["/track/click.php"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://mandrillapp.com/track/click.php?u=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "sparkpost",
        paths: &["/f/a/*/*/{}"],
        take: Take::Captured,
        coding: Coding::Sparkpost,
        source: "SparkPost (Bird) click tracking; public mail",
        example: (
            "https://go.news.example/f/a/x-y_z~~/AAEbnQA~/RgRlB8QiP0QSaHR0cHM6Ly9hLmV4YW1wbGUvVwNzcGNCCjAxMjM0NTY3ODk~~",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "sailthru",
        paths: &["/click/#.#/{}/*"],
        take: Take::Captured,
        coding: Coding::Base64,
        source: "Sailthru (Marigold); public mail",
        example: (
            "https://link.news.example/click/1.2/aHR0cHM6Ly9hLmV4YW1wbGUv/66f17d10B832154a",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "customer-io",
        paths: &["/e/c/{}/%"],
        take: Take::Captured,
        coding: Coding::Json("href"),
        broken: Failure::Other,
        source: "Customer.io; public mail",
        example: (
            "https://e.news.example/e/c/eyJlbWFpbF9pZCI6ICJ4IiwgImhyZWYiOiAiaHR0cHM6Ly9hLmV4YW1wbGUvIn0/9e4881bd",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailjet",
        hosts: &["**.mjt.lu"],
        paths: &["/lnk/*/#/*/{}", "/lnk/**"],
        take: Take::Captured,
        coding: Coding::Base64,
        source: "Mailjet; public mail",
        example: (
            "http://x.mjt.lu/lnk/AVc/1/yMTu5i/aHR0cHM6Ly9hLmV4YW1wbGUv",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailjet",
        paths: &["/lnk/*/#/*/{}"],
        take: Take::Captured,
        coding: Coding::Base64,
        broken: Failure::Other,
        source: "Mailjet with a domain of the sender's; public mail",
        example: (
            "https://r.news.example/lnk/AVc/1/yMTu5i/aHR0cHM6Ly9hLmV4YW1wbGUv",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "postmark",
        hosts: &["click.pstmrk.it", "track.pstmrk.it"],
        paths: &["/(2|3)(s|ts|sm|tsm)/{}/**"],
        take: Take::Captured,
        coding: Coding::Host("https"),
        source: "Postmark; public mail",
        example: (
            "https://click.pstmrk.it/3s/a.com%2Fb/x/y/AQ/z",
            "https://a.com/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "postmark",
        hosts: &["click.pstmrk.it", "track.pstmrk.it"],
        paths: &["/(2|3)(/|t/|m/|tm/){}/**"],
        take: Take::Captured,
        coding: Coding::Host("http"),
        source: "Postmark; public mail",
        example: (
            "https://click.pstmrk.it/3/a.com%2Fb/x/y/AQ/z",
            "http://a.com/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "substack",
        hosts: &["substack.com", "**.substack.com"],
        paths: &["/redirect/2/{}"],
        take: Take::Captured,
        coding: Coding::Json("e"),
        source: "Substack; public mail",
        example: (
            "https://substack.com/redirect/2/eyJlIjogImh0dHBzOi8vYS5leGFtcGxlLyIsICJwIjogMX0.sig-nature?",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "activecampaign",
        hosts: &[
            "**.lt.acemlna.com",
            "**.lt.acemlnb.com",
            "**.lt.acemlnc.com",
            "**.lt.acemlnd.com",
            "**.acemlna.com",
            "**.acemlnb.com",
            "**.acemlnc.com",
            "**.acemlnd.com",
            "**.lt.emlnk.com",
            "**.lt.emlnk1.com",
        ],
        paths: &["/Prod/link-tracker"],
        take: Take::Parameter(&["redirectUrl"]),
        coding: Coding::Base64,
        brand: Some("acemln"),
        source: "ActiveCampaign; public mail",
        example: (
            "https://x.lt.acemlnc.com/Prod/link-tracker?redirectUrl=aHR0cHMlM0ElMkYlMkZhLmV4YW1wbGUlMkY=&sig=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "activecampaign",
        paths: &["/Prod/link-tracker"],
        needs: &["redirectUrl"],
        take: Take::Parameter(&["redirectUrl"]),
        coding: Coding::Base64,
        broken: Failure::Other,
        source: "ActiveCampaign with a domain of the sender's; public mail",
        example: (
            "https://lt.news.example/Prod/link-tracker?redirectUrl=aHR0cHMlM0ElMkYlMkZhLmV4YW1wbGUlMkY=&sig=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailchimp-mctx",
        hosts: &["**.mailchimp.com", "mailchimp.com"],
        paths: &["/mctx/clicks", "/mctx/click"],
        take: Take::Parameter(&["url"]),
        source: "Mailchimp, messages of its own; public mail",
        example: (
            "https://us8.mailchimp.com/mctx/clicks?url=https%3A%2F%2Fa.example%2F&xid=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "squarespace",
        hosts: &[
            "engage.squarespace-mail.com",
            "**.engage.squarespace-mail.com",
        ],
        paths: &["/r"],
        take: Take::Parameter(&["u"]),
        brand: Some("squarespace-mail"),
        source: "Squarespace Email Campaigns; public mail",
        example: (
            "https://x.engage.squarespace-mail.com/r?m=1&u=https%3A%2F%2Fa.example%2F&w=2",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "unisender",
        paths: &[
            "/ru/mail_link_tracker",
            "/ru/go2_link_tracker",
            "/ru/eu1_link_tracker",
            "/ua/mail_link_tracker",
            "/ua/go2_link_tracker",
            "/ua/eu1_link_tracker",
            "/en/mail_link_tracker",
            "/en/eu1_link_tracker",
        ],
        needs: &["url"],
        take: Take::Parameter(&["url"]),
        coding: Coding::PercentOrBase64,
        source: "UniSender; public mail",
        example: (
            "https://geteml.example/ru/mail_link_tracker?hash=x&url=aHR0cHM6Ly9hLmV4YW1wbGUv",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "hubspot-sidekick",
        hosts: &["t.sidekickopen#.com", "t.sidekickopen.com"],
        paths: &["/(e|s)#t/**"],
        take: Take::Parameter(&["t"]),
        brand: Some("sidekickopen"),
        source: "HubSpot Sales; public mail",
        example: (
            "https://t.sidekickopen45.com/s1t/c/x/y?t=https%3A%2F%2Fa.example%2F&si=1",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "govdelivery",
        hosts: &["lnks.gd"],
        paths: &["/l/{}", "/l/{}/**"],
        take: Take::Captured,
        coding: Coding::Jwt("url"),
        source: "Granicus govDelivery; public mail",
        example: (
            "https://lnks.gd/l/eyJhbGciOiJIUzI1NiJ9.eyJidWxsZXRpbl9saW5rX2lkIjogMSwgInVybCI6ICJodHRwczovL2EuZXhhbXBsZS8ifQ.sig",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "streak",
        hosts: &[
            "**.streak-link.com",
            "streak-link.com",
            "**.streaklinks.com",
            "streaklinks.com",
        ],
        paths: &["/*/{}"],
        take: Take::Captured,
        broken: Failure::Undecodable,
        source: "Streak; public mail",
        example: (
            "https://x.streak-link.com/Bx/https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "icontact",
        hosts: &["click.icptrack.com"],
        paths: &["/icp/relay.php"],
        take: Take::Parameter(&["destination"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://click.icptrack.com/icp/relay.php?r=1&destination=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailpanion",
        hosts: &["mailpanion.com", "www.mailpanion.com"],
        take: Take::Parameter(&["destination"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://mailpanion.com/t?destination=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailpgn",
        hosts: &["t.mailpgn.com"],
        take: Take::Parameter(&["fl"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://t.mailpgn.com/l/?u=1&fl=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailtrack",
        hosts: &["mailtrack.io", "www.mailtrack.io"],
        take: Take::Parameter(&["url"]),
        absent: Failure::Other,
        source: "macieklamberski/urlpurify",
        example: (
            "https://mailtrack.io/trace/link/x?url=https%3A%2F%2Fa.example%2F&userId=1",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "lever",
        hosts: &["t.lever-analytics.com"],
        take: Take::Parameter(&["dest"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://t.lever-analytics.com/email-link?dest=https%3A%2F%2Fa.example%2F&eid=1",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "hubspot-signals",
        hosts: &[
            "t.senalquatro.com",
            "t.signaledue.com",
            "t.signalecinque.com",
            "t.signaletre.com",
            "t.signauxdeux.com",
            "t.signauxdix.com",
            "t.signauxquatre.com",
            "t.signauxsept.com",
            "t.signauxtrois.com",
        ],
        paths: &["/(e|s)#t/**"],
        take: Take::Parameter(&["t"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://t.signauxtrois.com/e1t/c/5/x?si=1&t=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "constant-contact",
        hosts: &["*.rs6.net"],
        paths: &["/tn.jsp"],
        take: Take::Parameter(&["p"]),
        absent: Failure::Other,
        source: "Constant Contact until 2016; macieklamberski/urlpurify",
        example: (
            "http://r20.rs6.net/tn.jsp?t=x.0.0&id=preview&p=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "direct-mail",
        hosts: &[
            "**.dmanalytics1.com",
            "**.dmanalytics2.com",
            "ethreemail.com",
        ],
        paths: &["/click", "/e3ds/mail_link.php"],
        take: Take::Parameter(&["u"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://x.dmanalytics2.com/click?x=1&u=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "fanbridge",
        hosts: &["clicks.fanbridge.com"],
        paths: &["/l.php"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://clicks.fanbridge.com/l.php?cid=1&url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "intranet-quorum",
        hosts: &[
            "iqconnect.house.gov",
            "iqconnect.lmhostediq.com",
            "outreach.senate.gov",
        ],
        paths: &["/iqextranet/iqClickTrk.aspx"],
        take: Take::Parameter(&["redirect"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://iqconnect.house.gov/iqextranet/iqClickTrk.aspx?cid=x&redirect=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "magnetmail",
        hosts: &["www.mmsend#.com"],
        paths: &["/link.cfm"],
        take: Take::Parameter(&["s"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://www.mmsend12.com/link.cfm?r=1&s=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "wordpress",
        hosts: &["public-api.wordpress.com"],
        paths: &["/bar/"],
        take: Take::Parameter(&["redirect_to"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://public-api.wordpress.com/bar/?stat=x&redirect_to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "bananatag",
        hosts: &["s.bl-1.com", "s2.bl-1.com", "microsoft.bl-1.com"],
        paths: &["/h/*", "/h/i/*/*"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://s.bl-1.com/h/x1?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "cloudhq",
        hosts: &["(|www.)cloudhq-mkt#.(net|us)"],
        paths: &["/mail_track/link/*"],
        take: Take::Parameter(&["url"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://cloudhq-mkt3.net/mail_track/link/0a1b?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "cloze",
        hosts: &["circulate.it"],
        paths: &["/r/*/n/*/{*}", "/r/*/{*}"],
        take: Take::CapturedAndRest,
        coding: Coding::RawHost("http"),
        source: "macieklamberski/urlpurify",
        example: (
            "https://circulate.it/r/x1/a.com/b?c=1",
            "http://a.com/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "clevercomm",
        hosts: &["editor.clevercomm.com"],
        paths: &["/y.z"],
        take: Take::Parameter(&["l"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://editor.clevercomm.com/y.z?j=1&l=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "contactmonkey",
        hosts: &["contactmonkey.com", "tk.cmnky.co"],
        paths: &["/api/v1/tracker"],
        take: Take::QueryAfter("cm_destination="),
        coding: Coding::PercentOrPlain,
        source: "macieklamberski/urlpurify",
        example: (
            "https://contactmonkey.com/api/v1/tracker?cm_type=link&cm_destination=https://a.example/b?c=1&d=2",
            "https://a.example/b?c=1&d=2",
        ),
        ..BASE
    },
    Wrapper {
        name: "buzzstream",
        hosts: &["tx.bz-mail-us1.com"],
        paths: &["/1/l/%"],
        take: Take::Parameter(&["rl"]),
        source: "macieklamberski/urlpurify",
        example: (
            "https://tx.bz-mail-us1.com/1/l/0a1b2c3d?rl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "govdelivery-track",
        hosts: &["links.govdelivery.com"],
        paths: &["/track"],
        take: Take::QueryAfter("&&&"),
        coding: Coding::PercentOrPlain,
        source: "ClearURLs rules",
        example: (
            "http://links.govdelivery.com/track?type=click&enid=x&&&100&&&https://a.example/b?c=1",
            "https://a.example/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "vuture",
        paths: &["/email_handler.aspx"],
        needs: &["redirect"],
        take: Take::Parameter(&["redirect"]),
        broken: Failure::Other,
        source: "Vuture; macieklamberski/urlpurify",
        example: (
            "https://communications.corp.example/email_handler.aspx?sid=x&redirect=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "wix",
        hosts: &["shoutout.wix.com"],
        paths: &["/so/*/c"],
        take: Take::Parameter(&["w"]),
        coding: Coding::Jwt("u"),
        source: "Wix; public mail",
        example: (
            "https://shoutout.wix.com/so/0a/c?w=x-y.eyJ1IjoiaHR0cHM6Ly9hLmV4YW1wbGUvYiIsInIiOiJ4In0",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "user-com",
        hosts: &["**.user.com"],
        paths: &["/emails/c/*/", "/emails/c/*"],
        take: Take::Parameter(&["to"]),
        source: "user.com; public mail",
        example: (
            "https://x.user.com/emails/c/0a/?to=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "sailthru",
        paths: &["/click/%/{aHR0c}/%"],
        take: Take::Captured,
        coding: Coding::Base64,
        broken: Failure::Other,
        source: "Sailthru (Marigold), newer form; public mail",
        example: (
            "https://link.news.example/click/0a1b2c/aHR0cHM6Ly9hLmV4YW1wbGUvYg/0a1b2cB0d",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "emblue",
        hosts: &["nts.embluemail.com"],
        paths: &["/p/cl"],
        take: Take::QueryAfter("!-!"),
        source: "emBlue; public mail",
        example: (
            "https://nts.embluemail.com/p/cl?data=x%3D!-!6a9fl,6!-!https%3A%2F%2Fa.example%2Fb%3Fc=1",
            "https://a.example/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "kit",
        hosts: &[
            "**.convertkit-mail.com",
            "**.convertkit-mail#.com",
            "**.kit-mail.com",
            "**.kit-mail#.com",
        ],
        paths: &["/*/*/{}"],
        take: Take::Captured,
        coding: Coding::Base64,
        source: "Kit (ConvertKit); public mail",
        example: (
            "https://0a1b.click.convertkit-mail2.com/x1/y2/aHR0cHM6Ly9hLmV4YW1wbGUvYg==",
            "https://a.example/b",
        ),
        ..BASE
    },
];
