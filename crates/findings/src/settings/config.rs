//! The file `baseref.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use time::{Date, Month};
use toml::Spanned;
use toml::value::Datetime;

use crate::error::{ConfigError, SettingsError};
use crate::results::triage::{Places, place_in};
use crate::text::nearest::did_you_mean;
use crate::{Allow, Level, Levels, Rule, matching};
use baseref_unwrap::{Custom, CustomCoding};

/// The content of a configuration. Values have the same syntax as on the command line.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `[site] url-map`: each `DIR=URL`.
    pub url_map: Vec<String>,
    /// `[site] url-alias`: each `URL=URL`.
    pub url_alias: Vec<String>,
    /// `[hosting] preset`: the name of a preset.
    pub hosting: Option<String>,
    /// `[hosting] index`: names of index files.
    pub index: Option<Vec<String>>,
    /// `[hosting] ext`: extensions that the server tries.
    pub ext: Option<Vec<String>>,
    /// `[hosting] dir`: what it answers for a directory without the trailing slash.
    pub dir: Option<String>,
    /// `[hosting] case`: `sensitive` or `insensitive`.
    pub case: Option<String>,
    /// `[rules]`: the levels.
    pub levels: Levels,
    /// Every `[[allow]]`, in file order.
    pub allows: Vec<Allow>,
    /// Every `[[unwrap]]`, in file order.
    pub unwraps: Vec<Custom>,
}

impl Config {
    /// Overrides the settings for sites and hosting with those of `other`: its addresses come
    /// first, and its single values replace those here.
    pub fn override_site(&mut self, other: &Self) {
        fn set<T: Clone>(other: Option<&T>, own: &mut Option<T>) {
            if other.is_some() {
                *own = other.cloned();
            }
        }
        self.url_map.splice(0..0, other.url_map.iter().cloned());
        self.url_alias.splice(0..0, other.url_alias.iter().cloned());
        set(other.hosting.as_ref(), &mut self.hosting);
        set(other.index.as_ref(), &mut self.index);
        set(other.ext.as_ref(), &mut self.ext);
        set(other.dir.as_ref(), &mut self.dir);
        set(other.case.as_ref(), &mut self.case);
    }
}

/// The file's structure.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    site: Site,
    hosting: Hosting,
    rules: BTreeMap<Spanned<String>, Spanned<String>>,
    allow: Vec<Spanned<AllowTable>>,
    unwrap: Vec<Spanned<UnwrapTable>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Site {
    url_map: Vec<String>,
    url_alias: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Hosting {
    preset: Option<String>,
    index: Option<Vec<String>>,
    ext: Option<Vec<String>>,
    dir: Option<String>,
    case: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowTable {
    rule: String,
    url: Option<String>,
    doc: Option<String>,
    reason: String,
    expires: Option<Datetime>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnwrapTable {
    name: Option<String>,
    host: String,
    path: String,
    param: Option<String>,
    coding: Option<String>,
}

impl Config {
    /// Reads a configuration; `known` are all existing rules.
    ///
    /// # Errors
    /// At the first thing in it that is invalid or unknown: nothing is ever ignored.
    pub fn read(text: &str, known: &[&'static Rule]) -> Result<Self, ConfigError> {
        let file: File = toml::from_str(text).map_err(|error| malformed(text, &error))?;
        let mut config = Self {
            url_map: file.site.url_map,
            url_alias: file.site.url_alias,
            hosting: file.hosting.preset,
            index: file.hosting.index,
            ext: file.hosting.ext,
            dir: file.hosting.dir,
            case: file.hosting.case,
            ..Self::default()
        };
        // In file order: later settings win.
        let mut rules: Vec<_> = file.rules.into_iter().collect();
        rules.sort_by_key(|(glob, _)| glob.span().start);
        for (glob, level) in rules {
            let level: Level =
                (level.get_ref().parse()).map_err(|source| refused(text, &level, source))?;
            (config.levels.set(glob.get_ref(), level, known))
                .map_err(|source| refused(text, &glob, source))?;
        }
        let mut places = Places::new(text);
        for table in file.allow {
            let allow = table
                .get_ref()
                .read()
                .and_then(|allow| matching(&allow.rule, known).map(|_| allow))
                .map_err(|source| refused(text, &table, source))?;
            config.allows.push(Allow {
                at: places.position(table.span()),
                ..allow
            });
        }
        for table in file.unwrap {
            let unwrap = table.get_ref().read();
            config
                .unwraps
                .push(unwrap.map_err(|source| refused(text, &table, source))?);
        }
        Ok(config)
    }
}

impl UnwrapTable {
    fn read(&self) -> Result<Custom, SettingsError> {
        let coding = self.coding.as_deref().map(|name| {
            let mut codings = CustomCoding::ALL.into_iter();
            codings
                .find(|coding| coding.as_str() == name)
                .ok_or_else(|| SettingsError::Coding(name.to_owned()))
        });
        let custom = Custom {
            name: self.name.as_ref().unwrap_or(&self.host).clone(),
            host: self.host.clone(),
            path: self.path.clone(),
            param: self.param.clone(),
            coding: coding.transpose()?.unwrap_or_default(),
        };
        custom.check().map_err(SettingsError::Unwrap)?;
        Ok(custom)
    }
}

impl AllowTable {
    fn read(&self) -> Result<Allow, SettingsError> {
        if self.reason.trim().is_empty() {
            return Err(SettingsError::NoReason);
        }
        let allow = Allow {
            rule: self.rule.clone(),
            url: self.url.clone(),
            doc: self.doc.clone(),
            reason: self.reason.clone(),
            expires: self.expires.as_ref().map(day).transpose()?,
            at: None,
        };
        allow.check()?;
        Ok(allow)
    }
}

/// The day given by a TOML value.
fn day(value: &Datetime) -> Result<Date, SettingsError> {
    let refused = || SettingsError::Expires(*value);
    let date = value
        .date
        .filter(|_| value.time.is_none())
        .ok_or_else(refused)?;
    let month = Month::try_from(date.month).map_err(|_| refused())?;
    Date::from_calendar_date(i32::from(date.year), month, date.day).map_err(|_| refused())
}

fn refused<T>(text: &str, value: &Spanned<T>, source: SettingsError) -> ConfigError {
    ConfigError {
        at: place_in(text, value.span()),
        source,
    }
}

/// What the parser says, in one line, and the key that was probably meant.
fn malformed(text: &str, error: &toml::de::Error) -> ConfigError {
    let lines: Vec<&str> = error.message().lines().map(str::trim).collect();
    let mut message = lines.join(", ");
    // serde quotes the key, then those that it expected.
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field")
        && let Some(typed) = quoted.next()
    {
        message += &did_you_mean(typed, quoted);
    }
    ConfigError {
        at: error.span().and_then(|span| place_in(text, span)),
        source: SettingsError::Toml(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::tests::{BASE_EMPTY, MISSING};

    static KNOWN: [&Rule; 2] = [&MISSING, &BASE_EMPTY];

    #[test]
    fn every_table_is_read() {
        let text = r#"
[site]
url-map = ["public=https://example.org/docs/"]
url-alias = ["http://example.org/docs/=https://example.org/docs/"]

[hosting]
preset = "nginx"
index = ["index.html"]
ext = [".html"]
dir = "serve"
case = "insensitive"

[rules]
"target/*" = "note"
"*" = "warning"

[[allow]]
rule = "target/*"
url = "/old/*"
doc = "news/*"
reason = "archived pages keep their links"
expires = 2030-12-31

[[unwrap]]
host = "*.example.net"
path = "/out"
param = "to"
coding = "base64"
"#;
        let config = Config::read(text, &KNOWN).unwrap();
        assert_eq!(config.url_map, ["public=https://example.org/docs/"]);
        assert_eq!(config.url_alias.len(), 1);
        assert_eq!(config.hosting.as_deref(), Some("nginx"));
        assert_eq!(config.dir.as_deref(), Some("serve"));
        assert_eq!(config.case.as_deref(), Some("insensitive"));
        assert_eq!(
            (config.index.unwrap().len(), config.ext.unwrap().len()),
            (1, 1)
        );
        assert_eq!(
            config.levels.level(&MISSING),
            Some(Level::Warning),
            "the later line wins"
        );
        let unwrap = &config.unwraps[0];
        assert_eq!((&*unwrap.name, &*unwrap.path), ("*.example.net", "/out"));
        assert_eq!(unwrap.coding, CustomCoding::Base64);
        let allow = &config.allows[0];
        assert_eq!(allow.url.as_deref(), Some("/old/*"));
        assert_eq!(allow.expires.unwrap().to_string(), "2030-12-31");
        assert_eq!(allow.at.as_ref().unwrap().line.get(), 17);
    }

    #[test]
    fn unknown_key_is_an_error_with_its_line() {
        for (text, says) in [
            ("[sight]", "unknown field `sight`"),
            ("x = ", "1:"),
            (
                "[hosting]\npresets = 'nginx'",
                "2:1: unknown field `presets`",
            ),
            ("[hosting]\npresets = 'nginx'", "did you mean `preset`?"),
            ("[hostng]", "did you mean `hosting`?"),
            ("[site]\nurl-map = [\n'a=/'\n", "3:6: unclosed array"),
            ("[hosting]\nhost = 'x'", "unknown field `host`"),
            (
                "[rules]\n'target/*' = 'loud'",
                "2:14: `loud` is not a level",
            ),
            (
                "[rules]\n'targt/*' = 'off'",
                "2:1: no rule matches `targt/*`",
            ),
            (
                "[[unwrap]]\nhost = 'a..example'\npath = '/'",
                "1:1: `a..example` is not a host",
            ),
            (
                "[[unwrap]]\nhost = 'a.example'\npath = '/'\ncoding = 'bas64'",
                "did you mean `base64`?",
            ),
            ("[[allow]]\nrule = '*'", "missing field `reason`"),
            ("[[allow]]\nrule = '*'\nreason = ' '", "the reason is empty"),
            ("[[allow]]\nrule = '['\nreason = 'x'", "unclosed"),
            (
                "[[allow]]\nrule = '*'\nreason = 'x'\nexpires = 12:00:00",
                "not a day",
            ),
            (
                "[[allow]]\nrule = '*'\nreason = 'x'\nexpires = 2026-02-30",
                ":",
            ),
        ] {
            let error = Config::read(text, &KNOWN).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
            assert!(!error.contains('\n'), "{text}: {error}");
        }
    }
}
