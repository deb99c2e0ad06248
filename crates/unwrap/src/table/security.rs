//! Services that rewrite the links of mail so that they are checked when they are followed.

use crate::wrapper::{Coding, Failure, Take, Wrapper};

const BASE: Wrapper = Wrapper::SECURITY;

/// In the order in which they are tried.
pub static ROWS: &[Wrapper] = &[
    Wrapper {
        name: "safelinks",
        hosts: &[
            "safelinks.protection.outlook.com",
            "**.safelinks.protection.outlook.com",
            "**.safelinks.protection.outlook.cn",
            "**.safelinks.protection.partner.outlook.cn",
            "**.safelinks.protection.office365.us",
        ],
        paths: &["/", "/ap/@-%", "/ap/@-%/"],
        take: Take::ParameterInAnyCase(&["url"]),
        brand: Some("safelinks"),
        source: "Microsoft Defender for Office 365, Safe Links; /ap/ in demisto/content",
        example: (
            "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fb%3Fc&data=05%7C02",
            "https://a.example/b?c",
        ),
        ..BASE
    },
    Wrapper {
        name: "safelinks-teams",
        hosts: &[
            "statics.teams.cdn.office.net",
            "staticsint.teams.cdn.office.net",
            "statics.teams.cdn.live.net",
            "teams.public.onecdn.static.microsoft",
        ],
        paths: &["/evergreen-assets/safelinks/#/atp-safelinks.html"],
        take: Take::ParameterInAnyCase(&["url"]),
        source: "Strobotti/linkquisition, tests",
        example: (
            "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=https%3A%2F%2Fa.example&dest=x",
            "https://a.example",
        ),
        ..BASE
    },
    Wrapper {
        name: "safelinks-owa",
        hosts: &[
            "outlook.office.com",
            "outlook.office365.com",
            "outlook.live.com",
        ],
        paths: &[
            "/mail/safelink.html",
            "/mail/#/safelink.html",
            "/owa/safelink.html",
            "/calendar/safelink.html",
        ],
        take: Take::ParameterInAnyCase(&["url"]),
        source: "tsibley/unsafelinks",
        example: (
            "https://outlook.office365.com/mail/safelink.html?url=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "owa-redir",
        paths: &[
            "/owa/redir.aspx",
            "/OWA/redir.aspx",
            "/owa/Redir.aspx",
            "/OWA/Redir.aspx",
        ],
        needs: &["url"],
        take: Take::ParameterInAnyCase(&["url"]),
        source: "Outlook Web App of Exchange Server",
        example: (
            "https://mail.corp.example/owa/redir.aspx?C=x&URL=https%3a%2f%2fa.example%2f",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "azure-email",
        hosts: &["emails.azure.microsoft.com", "**.safelink.emails.azure.net"],
        paths: &["/redirect/", "/redirect"],
        take: Take::Parameter(&["destination"]),
        source: "ninoseki/kachi",
        example: (
            "https://a.b.safelink.emails.azure.net/redirect/?destination=https%3A%2F%2Fa.example%2F&p=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "proofpoint-v1",
        hosts: URLDEFENSE,
        paths: &["/v1/url"],
        take: Take::Parameter(&["u"]),
        coding: Coding::ProofpointV1,
        brand: Some("urldefense"),
        source: "Proofpoint, urldefensedecoder 3.0.1",
        example: (
            "https://urldefense.proofpoint.com/v1/url?u=http://a.example/b-c_d&k=x",
            "http://a.example/b-c_d",
        ),
        ..BASE
    },
    Wrapper {
        name: "proofpoint-v2",
        hosts: URLDEFENSE,
        paths: &["/v2/url"],
        take: Take::Parameter(&["u"]),
        coding: Coding::ProofpointV2,
        brand: Some("urldefense"),
        source: "Proofpoint, urldefensedecoder 3.0.1",
        example: (
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__a.example_b-3Fc-3D1&d=x",
            "https://a.example/b?c=1",
        ),
        ..BASE
    },
    Wrapper {
        name: "proofpoint-v3",
        hosts: URLDEFENSE,
        paths: &["/v3/**"],
        take: Take::Url,
        coding: Coding::ProofpointV3,
        brand: Some("urldefense"),
        source: "Proofpoint, urldefensedecoder 3.0.1; cardi/proofpoint-url-decoder",
        example: (
            "https://urldefense.com/v3/__https://a.example/*b__;Iw!!k!s$",
            "https://a.example/#b",
        ),
        ..BASE
    },
    Wrapper {
        name: "trellix",
        hosts: &["protect.fireeye.com", "protect2.fireeye.com"],
        paths: &["/url", "/v1/url", "/v2/url"],
        take: Take::Parameter(&["u", "url"]),
        source: "Trellix (FireEye) Email Security; demisto/content",
        example: (
            "https://protect2.fireeye.com/v1/url?k=1&q=1&u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "barracuda",
        hosts: &["linkprotect.cudasvc.com"],
        paths: &["/url", "/url/", "/"],
        take: Take::Parameter(&["a"]),
        brand: Some("linkprotect"),
        source: "Barracuda Link Protection, public mail",
        example: (
            "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2f&c=E,1,x&typo=1",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "sophos",
        hosts: &[
            "@-@-#.protection.sophos.com",
            "@-@-@-#.protection.sophos.com",
        ],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        coding: Coding::Base64,
        absent: Failure::Opaque,
        hint: Some("d"),
        source: "Sophos Email, Time-of-Click; community.sophos.com 148123",
        example: (
            "https://eu-west-1.protection.sophos.com/?d=a.example&u=aHR0cHM6Ly9hLmV4YW1wbGUv&i=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "sophos-appliance",
        paths: &["/", "/*"],
        // The beginning of `ver=` in base64.
        query: "dmVyP",
        take: Take::Query,
        coding: Coding::SophosAppliance,
        broken: Failure::Other,
        source: "M66B/FairEmail, UriHelper",
        example: (
            "https://mail.corp.example/?dmVyPTEmJnVybD1odHRwcyUzQSUyRiUyRmEuZXhhbXBsZSUyRg==",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "cisco",
        hosts: &["secure-web.cisco.com"],
        paths: &["/1*/{}", "/1*/{}/", "/1*"],
        take: Take::Captured,
        absent: Failure::Opaque,
        source: "Cisco Secure Email, public mail",
        example: (
            "https://secure-web.cisco.com/1x-y_z/https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "trendmicro",
        hosts: &[
            "ctp.trendmicro.com",
            "*ctp.trendmicro.com",
            "*.ctp.trendmicro.com",
            "*urlprotect.trendmicro.com",
            "*-ctp.asiainfo-sec.com",
        ],
        paths: &[
            "/wis/clicktime/v#/(query|clickthrough)",
            "/wis/clicktime/v#/(query|clickthrough)/",
        ],
        take: Take::Parameter(&["url"]),
        source: "Trend Micro Email Security, Time-of-Click; demisto/content",
        example: (
            "https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=https%3a%2f%2fa%2db.example&umid=x",
            "https://a-b.example",
        ),
        ..BASE
    },
    Wrapper {
        name: "symantec",
        hosts: &["clicktime.symantec.com"],
        take: Take::Parameter(&["u"]),
        absent: Failure::Opaque,
        brand: Some("clicktime"),
        source: "Symantec Email Security.cloud, public mail",
        example: (
            "https://clicktime.symantec.com/a/1/x=?d=y&u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "trustwave",
        hosts: &["scanmail.trustwave.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "Trustwave MailMarshal, public mail",
        example: (
            "https://scanmail.trustwave.com/?c=1&d=x&u=https%3a%2f%2fa%2eexample%2f",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "libraesva",
        hosts: &["urlsand.esvalabs.com", "urlsand.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        brand: Some("urlsand"),
        source: "Libraesva URLSand, public mail",
        example: (
            "https://urlsand.esvalabs.com/?u=https%3A%2F%2Fa.example%2F&e=x&h=y&f=y&p=y",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "edgepilot",
        hosts: &["link.edgepilot.com"],
        paths: &["/s/*/*", "/x/*"],
        take: Take::Parameter(&["u"]),
        absent: Failure::Opaque,
        source: "emalderson/ThePhish, issue 27; macieklamberski/urlpurify",
        example: (
            "https://link.edgepilot.com/s/1a2b/x?u=https://a.example/",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "zix",
        hosts: &["link.zixcentral.com"],
        paths: &["/u/**"],
        take: Take::Parameter(&["u"]),
        absent: Failure::Opaque,
        brand: Some("zixcentral"),
        source: "Zix Advanced Email Threat Protection, public mail",
        example: (
            "https://link.zixcentral.com/u/1a2b/x?u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "vade",
        hosts: &["antiphishing.vadesecure.com"],
        paths: &["/v3", "/v4", "/v3/", "/v4/"],
        take: Take::Parameter(&["u"]),
        source: "Vade (Hornetsecurity), public mail",
        example: (
            "https://antiphishing.vadesecure.com/v4?f=x&i=y&k=z&r=w&s=v&u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "vade",
        hosts: &["*.(eu|us).vadesecure.com"],
        paths: &[
            "/safeproxy/v3",
            "/safeproxy/v4",
            "/safeproxy/v3/",
            "/safeproxy/v4/",
        ],
        take: Take::Parameter(&["u"]),
        source: "Vade (Hornetsecurity), public mail",
        example: (
            "https://x.eu.vadesecure.com/safeproxy/v4?f=x&u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "hornetsecurity",
        hosts: &[
            "atpscan.global.hornetsecurity.com",
            "seclinks.cloud-security.net",
        ],
        paths: &["/", "/index.php"],
        take: Take::Parameter(&["u"]),
        absent: Failure::Opaque,
        source: "Hornetsecurity Secure Links, public mail",
        example: (
            "https://atpscan.global.hornetsecurity.com/?d=x&f=y&u=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "fortimail",
        paths: &["/fmlurlsvc/"],
        needs: &["fewReq", "url"],
        take: Take::Parameter(&["url"]),
        source: "Fortinet FortiMail, click protection, public mail",
        example: (
            "https://mail.corp.example/fmlurlsvc/?fewReq=:B:x&url=https%3a%2f%2fa.example%2f",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "titanhq",
        hosts: &["linklock.titanhq.com"],
        paths: &["/analyse", "/analyse/"],
        take: Take::Parameter(&["url"]),
        brand: Some("linklock"),
        source: "TitanHQ Link Lock, public mail",
        example: (
            "https://linklock.titanhq.com/analyse?url=https%3A%2F%2Fa.example%2F&data=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "topsec",
        hosts: &["scanner.topsec.com"],
        paths: &["/"],
        take: Take::Parameter(&["u"]),
        source: "Topsec Managed Email Security, public mail",
        example: (
            "https://scanner.topsec.com/?d=1&u=https%3A%2F%2Fa.example%2F&r=show",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "egress",
        hosts: &["links.@#.defend.egress.com", "links.@.defend.egress.com"],
        paths: &["/Warning", "/warning"],
        take: Take::Parameter(&["Base64Url"]),
        coding: Coding::Zlib,
        absent: Failure::Opaque,
        hint: Some("Domain"),
        source: "authone/knowb4-decode-py",
        example: (
            "https://links.eu1.defend.egress.com/Warning?Domain=a.example&Base64Url=eJzLKCkpKLbS10_US61IzC3ISdUHAD6XBnY=",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "checkpoint-v2",
        hosts: CHECKPOINT,
        paths: &["/v2/___**", "/v2/r#/___**"],
        take: Take::Url,
        coding: Coding::CheckpointV2,
        source: "Check Point Harmony Email (Avanan), public mail",
        example: (
            "https://protect.checkpoint.com/v2/r02/___https:/a.example/b*20c___.Yz1",
            "https://a.example/b%20c",
        ),
        ..BASE
    },
    Wrapper {
        name: "checkpoint-v1",
        hosts: CHECKPOINT,
        paths: &["/v1/url", "/v1/r#/url"],
        take: Take::Parameter(&["o"]),
        source: "Check Point Harmony Email (Avanan), public mail",
        example: (
            "https://avanan.url-protection.com/v1/r01/url?o=https%3A//a.example/&g=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mailinblack",
        hosts: &["mibc-@-#.mailinblack.com", "mib.numerian.fr"],
        paths: &["/securelink/", "/securelink"],
        take: Take::Parameter(&["key"]),
        coding: Coding::Json("url"),
        source: "Mailinblack Secure Link; macieklamberski/urlpurify",
        example: (
            "https://mibc-fr-01.mailinblack.com/securelink/?url=a.example&key=eyJ1cmwiOiJodHRwczovL2EuZXhhbXBsZS8ifQ",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "deref",
        hosts: &[
            "(|www.)deref-(1und1|gmx|mail|web).(de|com|net|fr|co.uk)",
            "(|www.)deref-(1und1|gmx|mail|web)-#.(de|com|net|fr|co.uk)",
        ],
        paths: &[
            "/mail/client/dereferrer",
            "/mail/client/dereferrer/",
            "/mail/client/*/dereferrer/",
            "/mail/client/*/dereferrer",
        ],
        take: Take::Parameter(&["redirectUrl"]),
        brand: Some("deref-"),
        source: "GMX, web.de, mail.com and 1&1 web mail, public mail",
        example: (
            "https://deref-gmx.net/mail/client/x/dereferrer/?redirectUrl=https%3A%2F%2Fa.example%2F",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "horde",
        paths: &[
            "/services/go.php",
            "/util/go.php",
            "/*/services/go.php",
            "/*/util/go.php",
        ],
        needs: &["url"],
        take: Take::Parameter(&["url"]),
        broken: Failure::Other,
        source: "Horde, services/go.php",
        example: (
            "https://webmail.corp.example/horde/services/go.php?url=https%3A%2F%2Fa.example%2F&Horde=x",
            "https://a.example/",
        ),
        ..BASE
    },
    Wrapper {
        name: "mcas",
        hosts: &["mcas-proxyweb.mcas.ms"],
        paths: &["/certificate-checker"],
        take: Take::Parameter(&["originalUrl"]),
        source: "Microsoft Defender for Cloud Apps, session control; macieklamberski/urlpurify",
        example: (
            "https://mcas-proxyweb.mcas.ms/certificate-checker?login=false&originalUrl=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
    Wrapper {
        name: "mcas-host",
        hosts: &["**.mcas.ms"],
        paths: &["**"],
        take: Take::Url,
        coding: Coding::HostSuffix(".mcas.ms"),
        broken: Failure::Other,
        source: "Microsoft Defender for Cloud Apps, session control",
        example: ("https://www.a.com.mcas.ms/b?c=1", "https://www.a.com/b?c=1"),
        ..BASE
    },
    Wrapper {
        name: "axigen",
        paths: &["/redir.hsp"],
        needs: &["url"],
        take: Take::Parameter(&["url"]),
        broken: Failure::Other,
        source: "Axigen web mail; macieklamberski/urlpurify",
        example: (
            "https://mail.corp.example/redir.hsp?url=https%3A%2F%2Fa.example%2Fb",
            "https://a.example/b",
        ),
        ..BASE
    },
];

const URLDEFENSE: &[&str] = &[
    "urldefense.com",
    "urldefense.us",
    "urldefense.proofpoint.com",
    "**.urldefense.proofpoint.com",
    "**.urldefense.com",
];

const CHECKPOINT: &[&str] = &[
    "protect.checkpoint.com",
    "url.avanan.click",
    "*.url-protection.com",
];
