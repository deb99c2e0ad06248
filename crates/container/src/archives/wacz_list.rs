//! Lists of WACZ files that belong together (multi-WACZ), which replay systems open as one archive.

use serde_json::Value;

use super::har_bodies::safe_name;

/// The profile of such a list.
const PROFILE: &str = "multi-wacz-package";

/// The paths of the WACZ files that a list names, relative to its folder; `None` if the text is no list,
/// or if it names none or one that is not in that folder or below.
#[must_use]
pub fn listed_packages(json: &[u8]) -> Option<Vec<String>> {
    let list: Value = serde_json::from_slice(json.trim_ascii_start()).ok()?;
    let packages = list["resources"].as_array()?;
    let path = |package: &Value| {
        let path = package["path"]
            .as_str()
            .or_else(|| package["name"].as_str())?;
        safe_name(path).map(str::to_owned)
    };
    let paths: Vec<String> = packages.iter().map(path).collect::<Option<_>>()?;
    let is_wacz = |path: &String| path.to_ascii_lowercase().ends_with(".wacz");
    let is_list = list["profile"].as_str() == Some(PROFILE) || paths.iter().all(is_wacz);
    (is_list && !paths.is_empty()).then_some(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_beside_their_list() {
        let list = br#"{"profile":"multi-wacz-package","resources":[
            {"name":"a.wacz","path":"w/a.wacz"},{"name":"b.wacz"}]}"#;
        assert_eq!(listed_packages(list).unwrap(), ["w/a.wacz", "b.wacz"]);
        for other in [
            &br#"{"resources":[{"path":"../a.wacz"}]}"#[..],
            br#"{"resources":[{"path":"https://a.example/a.wacz"}]}"#,
            br#"{"resources":[{"path":"data.csv"}]}"#,
            br#"{"resources":[]}"#,
            b"[]",
        ] {
            assert_eq!(listed_packages(other), None);
        }
    }
}
