//! The rows of the table of servers.

use baseref_site::hosting::{Folder, Preset};

use super::row::{Format, RulesLocation, Server};
use crate::dialects::{
    apache, caddy, cloudflare, firebase, iis, list, netlify, next, nginx, s3, swa, vercel,
};
use crate::engine::path_to_regexp;
use crate::form::Form;
use crate::responder::Responder;
use crate::rule::RuleParser;

/// Makes the table of servers from its rows. A row is a name, and in braces one or both of:
///
/// - `rules`: the variant of [`Dialect`], the functions that read and write its rules, and the fields of
///   [`Format`] that differ from [`Format::DEFAULT`];
/// - `hosting`: the fields of [`Preset`] that differ from [`Preset::STRICT`].
macro_rules! server_table {
    ($(
        $name:literal {
            $(rules $dialect:ident ($read:path, $form:path) {
                $($field:ident: $value:expr),* $(,)?
            })?
            $(hosting {
                $($setting:ident: $answer:expr),* $(,)?
            })?
        }
    )*) => {
        /// The language of a rule file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Dialect {
            $($(
                #[doc = concat!("`", $name, "`")]
                $dialect,
            )?)*
        }

        /// Every row of the table, in the order of the documentation.
        pub static SERVERS: &[Server] = &[$(
            Server {
                name: $name,
                hosting: optional_part!($(Preset {
                    $($setting: $answer,)*
                    ..Preset::STRICT
                })?),
            },
        )*];

        impl Dialect {
            /// Every dialect, in the order of the documentation.
            pub const ALL: &[Self] = &[$($(Self::$dialect,)?)*];

            /// The name on the command line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$dialect => $name,)?)*
                }
            }

            /// The properties of this dialect.
            #[must_use]
            pub const fn format(self) -> &'static Format {
                match self {
                    $($(Self::$dialect => &Format { $($field: $value,)* ..Format::DEFAULT },)?)*
                }
            }

            /// Reads its rules.
            pub(crate) fn read(self, text: &str, parser: &mut RuleParser) -> Box<dyn Responder> {
                match self {
                    $($(Self::$dialect => Box::new($read(text, parser)),)?)*
                }
            }

            /// The syntax of its rules.
            pub(crate) fn form(self) -> &'static Form {
                match self {
                    $($(Self::$dialect => &$form,)?)*
                }
            }
        }
    };
}

macro_rules! optional_part {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

const PLAN: &str = "old and new addresses, with an optional status";
const APACHE: &str = "`Redirect`, `RedirectMatch`, `RewriteRule`, `RewriteCond`, `RewriteMap` of `int:`, `txt:` and `rnd:`, `RewriteOptions Inherit`, `Alias`, \
                      `ErrorDocument` at URLs, `FallbackResource`, `DirectoryIndex`, `DirectorySlash`, \
                      `AcceptPathInfo`, `CheckSpelling`, `AllowEncodedSlashes`, `MultiViews` with one file to \
                      choose, `SetEnvIf`, and `Require`, `Order`, `Allow` and `Deny` as far as they are for \
                      all visitors; in virtual hosts by port and name, in `<Location>`, `<Files>`, \
                      `<Directory>` below a `DocumentRoot`, and `<If>` with an expression that the address \
                      decides. `Define` and `<Macro>` are applied; what no line defines counts as undefined. \
                      `Include` and `IncludeOptional` of files in the folder of the configuration, or below, \
                      are followed; names are relative to that folder, or to the one above. \
                      `htaccess:FILE@/folder/` gives the folder of the file. A line that breaks an \
                      `.htaccess` makes its folder answer with 500, as there";
const GUIDE: &str = "https://github.com/slorber/trailing-slash-guide (137eac9)";

server_table! {
    "strict" {
        hosting {
            source: "the defaults of Apache httpd and nginx",
            dated: "2025-01",
        }
    }
    "csv" {
        rules Csv (list::read_csv, list::CSV_FORM) {
            files: &["*.csv"],
            location: RulesLocation::InPlan,
            reads: PLAN,
        }
    }
    "tsv" {
        rules Tsv (list::read_tsv, list::TSV_FORM) {
            files: &["*.tsv"],
            location: RulesLocation::InPlan,
            reads: PLAN,
        }
    }
    "json" {
        rules Json (list::read_json, list::JSON_FORM) {
            files: &["*.json"],
            location: RulesLocation::InPlan,
            reads: PLAN,
        }
    }
    "netlify" {
        rules Netlify (netlify::read, netlify::FORM) {
            files: &["_redirects"],
            location: RulesLocation::InTree,
            reads: "`_redirects` with query parameters, `!`, splats and names; conditions are reported",
            compared_with: "netlify-cli 26",
        }
        hosting {
            extensions: &[".html"],
            slash_extension: true,
            marks: &["_redirects", "_headers", "netlify.toml"],
            source: GUIDE,
            dated: "2023-08",
        }
    }
    "cloudflare" {
        rules Cloudflare (cloudflare::read, cloudflare::FORM) {
            files: &["_redirects"],
            location: RulesLocation::InTree,
            reads: "`_redirects` of Pages, including its limits",
            compared_with: "wrangler 4.86",
            rules_precede_files: true,
            has_start_page_fallback: true,
        }
        hosting {
            extensions: &[".html"],
            slash_extension: true,
            marks: &["_redirects", "_headers", "_routes.json", "wrangler.toml"],
            source: GUIDE,
            dated: "2023-08",
        }
    }
    "apache" {
        rules Apache (apache::read::server, apache::FORM) {
            files: &["httpd*.conf", "apache*.conf", "*.conf"],
            location: RulesLocation::OnServer,
            includes: Some(&apache::INCLUDES),
            reads: APACHE,
            compared_with: "Apache 2.4",
        }
        hosting {
            marks: &[".htaccess"],
            source: "https://httpd.apache.org/docs/2.4/mod/mod_dir.html",
            dated: "2025-01",
        }
    }
    "htaccess" {
        rules Htaccess (apache::read::htaccess, apache::HTACCESS_FORM) {
            files: &["htaccess", "*.htaccess"],
            location: RulesLocation::OnServer,
            reads: APACHE,
            compared_with: "Apache 2.4",
        }
    }
    "nginx" {
        rules Nginx (nginx::read, nginx::FORM) {
            files: &["nginx*.conf", "*.conf"],
            location: RulesLocation::OnServer,
            includes: Some(&nginx::INCLUDES),
            reads: "`map`, `return`, `rewrite`, `if`, `try_files`, `error_page`, `index`, `root`, \
                    `alias`, `internal`, `deny all` in servers and locations; `root` of the server \
                    (or of its `location /`) is the site, and what another directory has is not known. \
                    Files that `include` names in or below the folder of the configuration are read; \
                    what others may change is not known",
            compared_with: "nginx 1.22",
        }
        hosting {
            source: "https://nginx.org/en/docs/http/ngx_http_index_module.html",
            dated: "2025-01",
        }
    }
    "firebase" {
        rules Firebase (firebase::read, firebase::FORM) {
            files: &["firebase.json", "*.json"],
            location: RulesLocation::InTree,
            reads: "`firebase.json`: `redirects` and `rewrites` with globs, names and RE2, \
                    `cleanUrls`, `trailingSlash`, and `i18n` where no language decides; of several sites \
                    the first",
            compared_with: "superstatic 11",
        }
        hosting {
            marks: &["firebase.json"],
            source: "superstatic 11.0.0 without cleanUrls",
            dated: "2026-10",
        }
    }
    "vercel" {
        rules Vercel (vercel::read, path_to_regexp::FORM) {
            files: &["vercel.json", "now.json", "*.json"],
            location: RulesLocation::InTree,
            reads: "`vercel.json`: `redirects`, `rewrites`, `cleanUrls`, `trailingSlash`, and the \
                    older `routes`",
            compared_with: "Vercel's CLI 64",
        }
        hosting {
            folder: Folder::Serve,
            marks: &["vercel.json"],
            source: GUIDE,
            dated: "2023-08",
        }
    }
    "next" {
        rules Next (next::read, path_to_regexp::FORM) {
            files: &["routes-manifest.json", "*.json"],
            location: RulesLocation::InTree,
            includes: Some(&next::INCLUDES),
            reads: "`.next/routes-manifest.json` of a build, whose pages answer at their routes, \
                    below their languages with `i18n`; `prerender-manifest.json` beside it says \
                    which pages with parameters there are; a `next.config.*` is a program and is not run",
            compared_with: "Next.js 16",
        }
        hosting {
            folder: Folder::Serve,
            extensions: &[".html"],
            marks: &["next.config.js", "next.config.mjs", "next.config.ts"],
            source: "https://nextjs.org/docs/app/api-reference/config/next-config-js/trailingSlash",
            dated: "2026-10",
        }
    }
    "caddy" {
        rules Caddy (caddy::read, caddy::FORM) {
            files: &["caddyfile"],
            location: RulesLocation::OnServer,
            reads: "a Caddyfile: `map`, `vars`, `root`, `redir`, `rewrite`, `uri`, `try_files`, \
                    `basic_auth` (answered with 401), `invoke`, `handle`, `handle_path`, \
                    `handle_errors`, `route`, `error`, `respond`, `file_server` with its options, with \
                    matchers by path, regular expression, query, host, method, protocol, variable and \
                    file, and expressions in CEL of what the address decides; its redirects drop the \
                    query unless they name it. Where no directive answers, Caddy sends 200 with nothing, \
                    which is no page",
            compared_with: "Caddy 2.11",
        }
        hosting {
            index: &["index.html", "index.txt"],
            marks: &["Caddyfile"],
            source: "https://caddyserver.com/docs/caddyfile/directives/file_server",
            dated: "2026-10",
        }
    }
    "swa" {
        rules Swa (swa::read, swa::FORM) {
            files: &["staticwebapp.config.json", "*.json"],
            location: RulesLocation::InTree,
            reads: "`staticwebapp.config.json` of Azure: `routes`, `navigationFallback`, \
                    `responseOverrides` for 404, `trailingSlash`",
            compared_with: "Azure's CLI 2.0",
        }
        hosting {
            extensions: &[".html"],
            slash_extension: true,
            marks: &["staticwebapp.config.json"],
            source: "https://learn.microsoft.com/en-us/azure/static-web-apps/configuration",
            dated: "2026-10",
        }
    }
    "s3" {
        rules S3 (s3::read, s3::FORM) {
            files: &["*.json"],
            location: RulesLocation::OnServer,
            reads: "routing rules of a bucket in JSON or XML; a website has at most 50, and each is \
                    for all keys that start alike",
            compared_with: "its documentation",
        }
        hosting {
            source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html",
            dated: "2026-10",
        }
    }
    "iis" {
        rules Iis (iis::read, iis::FORM) {
            files: &["web.config"],
            location: RulesLocation::OnServer,
            reads: "`web.config`: rules of URL Rewrite with maps and conditions, also on files of the \
                    site, `httpRedirect` of the site, its folders and files, `defaultDocument`, \
                    `directoryBrowse`, and what the server hides; a folder without a default document is \
                    answered with 403",
            compared_with: "its documentation",
        }
        hosting {
            index: &["Default.htm", "Default.asp", "index.htm", "index.html"],
            case_sensitive: false,
            backslash_separates: true,
            marks: &["web.config"],
            source: "https://learn.microsoft.com/en-us/iis/configuration/system.webserver/defaultdocument/",
            dated: "2022-04",
        }
    }
    "github-pages" {
        hosting {
            extensions: &[".html"],
            marks: &["CNAME", ".nojekyll"],
            source: GUIDE,
            dated: "2023-08",
        }
    }
    "file" {
        hosting {
            index: &[],
            source: "RFC 8089 §2: a file URL names a file, and no server is asked",
            dated: "2017-02",
        }
    }
}
