//! The languages of redirect rules.

use std::fmt;

/// The language of a rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Comma-separated values with a header of column names.
    Csv,
    /// Tab-separated values with a header of column names.
    Tsv,
    /// An object of old and new addresses, or an array of `{from, to, status}`.
    Json,
    /// A `_redirects` file of Netlify.
    Netlify,
    /// A `_redirects` file of Cloudflare Pages.
    Cloudflare,
    /// Directives of a server or virtual host of the Apache HTTP Server.
    Apache,
    /// An `.htaccess` file of the Apache HTTP Server.
    Htaccess,
    /// A configuration of nginx, whole or in part.
    Nginx,
    /// `firebase.json` of Firebase Hosting.
    Firebase,
    /// `vercel.json`.
    Vercel,
    /// `routes-manifest.json` of a build of Next.js.
    Next,
    /// A Caddyfile.
    Caddy,
    /// `staticwebapp.config.json` of Azure Static Web Apps.
    Swa,
    /// Routing rules of a website in an S3 bucket, in JSON or XML.
    S3,
    /// `web.config` of IIS.
    Iis,
}

impl Dialect {
    /// Every dialect, in the order of the documentation.
    pub const ALL: [Self; 15] = [
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Netlify,
        Self::Cloudflare,
        Self::Apache,
        Self::Htaccess,
        Self::Nginx,
        Self::Firebase,
        Self::Vercel,
        Self::Next,
        Self::Caddy,
        Self::Swa,
        Self::S3,
        Self::Iis,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Netlify => "netlify",
            Self::Cloudflare => "cloudflare",
            Self::Apache => "apache",
            Self::Htaccess => "htaccess",
            Self::Nginx => "nginx",
            Self::Firebase => "firebase",
            Self::Vercel => "vercel",
            Self::Next => "next",
            Self::Caddy => "caddy",
            Self::Swa => "swa",
            Self::S3 => "s3",
            Self::Iis => "iis",
        }
    }

    /// The dialect of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.as_str() == name)
    }

    /// The dialect of a file of this name, if the name alone determines it.
    ///
    /// `_redirects` does not: Netlify and Cloudflare read it differently. A name in `.json` that is of no
    /// service is taken for a list.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Self> {
        match Self::possible(name)[..] {
            [dialect] => Some(dialect),
            [Self::Json, ..] => Some(Self::Json),
            _ => None,
        }
    }

    /// The dialects that a file of this name can be in, more than one if the name does not decide.
    #[must_use]
    pub fn possible(name: &str) -> Vec<Self> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.to_ascii_lowercase();
        let dialect = match name.as_str() {
            ".htaccess" | "htaccess" => Self::Htaccess,
            "firebase.json" => Self::Firebase,
            "vercel.json" | "now.json" => Self::Vercel,
            "routes-manifest.json" => Self::Next,
            "staticwebapp.config.json" => Self::Swa,
            "web.config" => Self::Iis,
            "caddyfile" => Self::Caddy,
            "_redirects" => return vec![Self::Netlify, Self::Cloudflare],
            _ => match name.rsplit_once('.').map(|(_, extension)| extension) {
                Some("csv") => Self::Csv,
                Some("tsv") => Self::Tsv,
                Some("htaccess") => Self::Htaccess,
                Some("json") => {
                    let services = [
                        Self::Firebase,
                        Self::Vercel,
                        Self::Next,
                        Self::Swa,
                        Self::S3,
                    ];
                    return [&[Self::Json][..], &services].concat();
                }
                Some("conf") if name.starts_with("nginx") => Self::Nginx,
                Some("conf") if ["httpd", "apache"].iter().any(|of| name.starts_with(of)) => {
                    Self::Apache
                }
                Some("conf") => return vec![Self::Apache, Self::Nginx],
                _ => return Self::ALL.to_vec(),
            },
        };
        vec![dialect]
    }

    /// Whether it is a plan of redirects, which no server reads directly.
    #[must_use]
    pub const fn is_plan(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Json)
    }

    /// Whether the rules belong to the old site rather than to the tree of the new one.
    #[must_use]
    pub const fn is_of_old_site(self) -> bool {
        matches!(
            self,
            Self::Csv
                | Self::Tsv
                | Self::Json
                | Self::Apache
                | Self::Htaccess
                | Self::Nginx
                | Self::Caddy
                | Self::S3
                | Self::Iis
        )
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leaves_the_dialects_that_a_file_of_that_name_can_be_in() {
        for (name, expected) in [
            (
                "new/_redirects",
                &[Dialect::Netlify, Dialect::Cloudflare][..],
            ),
            ("site.CONF", &[Dialect::Apache, Dialect::Nginx]),
            ("etc/nginx.conf", &[Dialect::Nginx]),
            ("httpd.CONF", &[Dialect::Apache]),
            ("apache2.conf", &[Dialect::Apache]),
            ("a/.htaccess", &[Dialect::Htaccess]),
            ("plan.csv", &[Dialect::Csv]),
            ("a/firebase.json", &[Dialect::Firebase]),
            ("vercel.json", &[Dialect::Vercel]),
            (".next/routes-manifest.json", &[Dialect::Next]),
            ("etc/Caddyfile", &[Dialect::Caddy]),
            ("rules", &Dialect::ALL),
            ("_redirects.txt", &Dialect::ALL),
        ] {
            assert_eq!(Dialect::possible(name), expected, "{name}");
        }
    }
}
