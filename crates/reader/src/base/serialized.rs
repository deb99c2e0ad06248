//! Bases for serde, with the field names of JSON Lines.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Base, BaseSource, Candidate, Verdict};
use baseref_document::Place;

impl Serialize for BaseSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for BaseSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// `{"base":"http://a/","base_source":"element","base_at":"<base> line 1"}`.
impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'b> {
            base: Option<&'b str>,
            base_source: BaseSource,
            base_at: Option<&'b Place>,
        }
        let fields = Fields {
            base: self.url.as_deref(),
            base_source: self.source,
            base_at: self.at.as_ref(),
        };
        fields.serialize(serializer)
    }
}

/// `{"source":"element","at":"<base> line 1","value":"/","url":"http://a/","verdict":"taken"}`.
impl Serialize for Candidate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'c> {
            source: BaseSource,
            at: &'c Place,
            value: &'c str,
            url: Option<&'c str>,
            verdict: Verdict,
        }
        let fields = Fields {
            source: self.source,
            at: &self.at,
            value: &self.value,
            url: self.url.as_deref(),
            verdict: self.verdict,
        };
        fields.serialize(serializer)
    }
}
