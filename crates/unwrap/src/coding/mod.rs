//! Decodes targets, with one file per family of encodings.

mod base64;
mod checkpoint;
mod fields;
mod json;
pub mod percent;
mod proofpoint;
mod sites;
mod zlib;

use crate::request::{UrlParts, parameters};
use crate::wrapper::Coding;

/// Decodes a target; `None` if `value` is not encoded like this.
pub fn decode(coding: Coding, value: &str, request: &UrlParts<'_>) -> Option<String> {
    let plain = || percent::decode_once(value);
    match coding {
        Coding::Percent => Some(percent::decode(value)),
        Coding::PercentOrPlain => Some(match value.split_once("://") {
            Some(("http" | "https", _)) => value.to_owned(),
            _ => percent::decode(value),
        }),
        Coding::Base64 => from_base64(&plain()),
        Coding::Base64After(length) => from_base64(plain().get(length..)?),
        Coding::PercentOrBase64 => {
            let decoded = percent::decode(value);
            let is_url = decoded.contains(':');
            if is_url {
                Some(decoded)
            } else {
                from_base64(&decoded)
            }
        }
        Coding::Json(key) => json::string_in(&base64::decode(first_part(&plain()))?, key),
        Coding::Jwt(keys) => {
            let payload = base64::decode(plain().split('.').nth(1)?)?;
            keys.split(' ')
                .find_map(|key| json::string_in(&payload, key))
        }
        Coding::Base64Segment(letter) => {
            let mut segments = value.split('/');
            from_base64(segments.find_map(|segment| segment.strip_prefix(letter))?)
        }
        Coding::ZlibProtobuf(number) => {
            let value = plain();
            let message = zlib::inflate(&base64::decode(value.strip_prefix('.')?)?)?;
            text(fields::field(&message, number)?.to_vec())
        }
        Coding::Mandrill => json::mandrill(&base64::decode_start(&plain())),
        Coding::Zlib => Some(percent::decode_deeper(text(zlib::inflate(
            &base64::decode(&plain())?,
        )?)?)),
        Coding::ZlibForm(name) => {
            let form = text(zlib::inflate(&base64::decode(&plain())?)?)?;
            let value = parameters(&form).find(|(found, _)| *found == name)?.1;
            Some(percent::decode(value))
        }
        Coding::Sparkpost => text(fields::url(&base64::decode(&plain())?)?.to_vec()),
        Coding::ProofpointV1 => proofpoint::v1(request.query),
        Coding::ProofpointV2 => proofpoint::v2(value),
        Coding::ProofpointV3 => proofpoint::v3(request.url),
        Coding::CheckpointV2 => checkpoint::v2(request.url),
        Coding::SophosAppliance => {
            let decoded = text(base64::decode(&plain())?)?;
            let (_, rest) = decoded.split_once("&&url=")?;
            Some(percent::decode(rest))
        }
        Coding::HostSuffix(suffix) => sites::without_suffix(request.url, suffix),
        Coding::HostAndPath => sites::host_and_path(value),
        Coding::GoogleNews => text(fields::article(&base64::decode(&plain())?)?.to_vec()),
        Coding::TranslateProxy => sites::translated(request),
        Coding::Feedsportal => sites::feedsportal(value),
        Coding::Host(scheme) => host(scheme, &plain()),
        Coding::RawHost(scheme) => host(scheme, value),
        Coding::Signed => {
            let decoded = percent::decode(value);
            let (url, signature) = decoded.rsplit_once(':')?;
            let is_signature = !signature.contains('/') && url.contains("://");
            Some(if is_signature {
                url.to_owned()
            } else {
                decoded
            })
        }
    }
}

/// A URL without its scheme.
fn host(scheme: &str, rest: &str) -> Option<String> {
    crate::target::is_public_host(rest).then(|| format!("{scheme}://{rest}"))
}

fn first_part(value: &str) -> &str {
    value.split('.').next().unwrap_or_default()
}

/// Text in base64 that may itself still be percent-encoded.
fn from_base64(value: &str) -> Option<String> {
    Some(percent::decode_deeper(text(base64::decode(value)?)?))
}

fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}
