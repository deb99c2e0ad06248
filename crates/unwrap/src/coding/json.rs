//! Targets in JSON.

use serde_json::{Deserializer, Value};

/// A string in the JSON object at the beginning of a text.
pub fn string_in(text: &[u8], key: &str) -> Option<String> {
    let object = Deserializer::from_slice(text)
        .into_iter::<Value>()
        .next()?
        .ok()?;
    Some(object.get(key)?.as_str()?.to_owned())
}

/// The URL in Mandrill's `{"url": ...}` or `{"p": "{\"url\": ...}"}`, where slashes may be escaped twice.
pub fn mandrill(text: &[u8]) -> Option<String> {
    let url = string_in(text, "url").or_else(|| {
        let inner = string_in(text, "p")?;
        string_in(inner.as_bytes(), "url")
    })?;
    Some(url.replace("\\/", "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_in_objects() {
        assert_eq!(string_in(br#"{"a":"b"}, "#, "a").as_deref(), Some("b"));
        for text in [&b""[..], b"[]", b"{\"a\":1}", b"{\"a\":\"b\"", b"\xff"] {
            assert_eq!(string_in(text, "a"), None);
        }
        let nested = br#"{"s":"x","p":"{\"url\":\"https:\\\/\\\/a.example\\\/\"}"}"#;
        assert_eq!(mandrill(nested).as_deref(), Some("https://a.example/"));
        assert_eq!(
            mandrill(br#"{"url":"https:\/\/a.example"}"#).as_deref(),
            Some("https://a.example")
        );
    }
}
