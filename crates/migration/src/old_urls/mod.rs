//! Lists of old addresses: one per line, a table with a column of URLs, a sitemap or an access log, each
//! also compressed with gzip.

mod access_log;
mod error;
mod gzip;
mod list;
mod sitemap;
mod table;

use std::path::Path;

use baseref_files::Files;
use baseref_findings::words::{number as number_in_words, plural};
use baseref_resolve::{Rules, resolve};
use baseref_text::decode::encoding::decode_plain;

pub use self::error::ListError;
use self::gzip::unpacked;
pub use self::list::{Address, AddressList};
use self::list::{DistinctAddresses, number};

/// The maximum length of an address in bytes: servers reject longer ones.
const MAX_LENGTH: usize = 64 << 10;

/// Reads the addresses in a file; paths are resolved against `base`.
///
/// # Errors
/// The fault of the file, or the missing sitemap of an index.
pub fn read(
    bytes: &[u8],
    file: &Path,
    base: &str,
    files: &Files,
) -> Result<AddressList, ListError> {
    let bytes = unpacked(bytes)?;
    let decoded = decode_plain(&bytes, None, None);
    let text = &*decoded.text;
    let mut list = if text.trim_start().starts_with('<') {
        AddressList {
            addresses: sitemap::read(text, file, files)?,
            ..AddressList::default()
        }
    } else if access_log::is_access_log(text) {
        access_log::read(text)
    } else if let Some(table) = table::read(text, file)? {
        table
    } else {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut addresses = DistinctAddresses::default();
        lines.for_each(|line| addresses.add(line, ""));
        AddressList {
            addresses: addresses.into_vec(),
            ..AddressList::default()
        }
    };
    let count = list.addresses.len();
    list.addresses
        .retain(|address| address.url.len() <= MAX_LENGTH);
    let too_long = (count - list.addresses.len()) as u64;
    if too_long > 0 {
        let what = plural(too_long, "address", "addresses");
        let what = format!(
            "{what} of more than {} bytes",
            number_in_words(MAX_LENGTH as u64)
        );
        list.left_out.push(what);
    }
    // Different spellings may be one URL.
    let mut resolved = DistinctAddresses::default();
    for Address { url, weight } in list.addresses {
        let absolute = resolve(Rules::Whatwg, Some(base), &url);
        resolved.add(absolute.as_deref().unwrap_or(&url), &weight);
    }
    list.addresses = resolved.into_vec();
    if list.weight.is_some() {
        let heaviest_first =
            |a: &Address, b: &Address| number(&b.weight).total_cmp(&number(&a.weight));
        list.addresses.sort_by(heaviest_first);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn list(text: &[u8], name: &str) -> AddressList {
        read(text, Path::new(name), "http://h/", &Files::default())
            .expect("the list is well-formed")
    }

    /// Each address with its weight.
    fn urls(text: &[u8], name: &str) -> Vec<String> {
        let addresses = list(text, name).addresses.into_iter();
        let shown = |address: Address| format!("{} {}", address.url, address.weight);
        addresses
            .map(|address| shown(address).trim_end().to_owned())
            .collect()
    }

    #[test]
    fn lines_tables_and_sitemaps() {
        assert_eq!(
            urls(b"# c\n/a\nhttp://h/b\n", "x.txt"),
            ["http://h/a", "http://h/b"]
        );
        assert_eq!(urls(b"Foo,Page\n3,http://h/a\n", "x.csv"), ["http://h/a"]);
        let map = b"<urlset><url><loc>http://h/a?x&amp;y</loc>\
            <image:image><image:loc>http://h/i.png</image:loc></image:image></url></urlset>";
        assert_eq!(urls(map, "x.xml"), ["http://h/a?x&y"]);
        let index = b"<sitemapindex><sitemap><loc>http://h/none.xml</loc></sitemap></sitemapindex>";
        assert!(read(index, Path::new("x.xml"), "http://h/", &Files::default()).is_err());
    }

    #[test]
    fn column_by_name_with_any_separator() {
        for (table, name) in [
            ("Address,Redirect URL\nhttp://h/a,http://n/b\n", "x.csv"),
            ("Old URL,New URL\n/a,/b\n", "x.csv"),
            ("New URL;Old URL\n/b;/a\n", "x.csv"),
            ("new_url\told_url\n/b\t/a\n", "x.tsv"),
            (
                "\"Top pages\",\"Clicks\"\n\"http://h/a\",\"\"\n",
                "Pages.csv",
            ),
            ("# Report\n# 2024\n\nLanding page,Sessions\n/a,\n", "x.csv"),
            ("Old URL,New URL\n/a,/b\n", "list.txt"),
            ("http://h/a,http://n/b\n", "x.csv"),
        ] {
            assert_eq!(urls(table.as_bytes(), name), ["http://h/a"], "{table}");
        }
        let utf16: Vec<u8> = "\u{feff}Address\tStatus Code\nhttp://h/a\t200\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(urls(&utf16, "internal_html.csv"), ["http://h/a"]);
    }

    #[test]
    fn most_visited_addresses_come_first() {
        let table = b"Page,Clicks,Impressions\n/a,7,1\n/b,\"1,234\",2\n/c,80,3\n";
        assert_eq!(
            urls(table, "x.csv"),
            ["http://h/b 1,234", "http://h/c 80", "http://h/a 7"]
        );
        assert_eq!(list(table, "x.csv").weight.as_deref(), Some("clicks"));
    }

    #[test]
    fn access_log_counts_successful_page_requests() {
        let log = b"1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5\n\
            1.2.3.4 - u [10/Oct/2023:13:55:36 +0000] \"GET /b?x=\\\"1 HTTP/1.1\" 301 - \"-\" \"UA [x] \\\"y\"\n\
            h:80 ::1 - - [10/Oct/2023:13:55:36 +0000] \"HEAD /b?x=\\\"1 HTTP/1.1\" 304 5 \"-\" \"-\"\n\
            1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] \"GET /wp-login.php HTTP/1.1\" 404 5\n\
            1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] \"POST /a HTTP/1.1\" 200 5\n\
            1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] \"-\" 408 -\n";
        let found = list(log, "access.log");
        assert_eq!(
            urls(log, "access.log"),
            ["http://h/b?x=%221 2", "http://h/a 1"]
        );
        assert_eq!(found.weight.as_deref(), Some("hits"));
        assert_eq!(
            found.left_out,
            [
                "2 requests that were answered with an error, are not for a page or cannot be read, \
              and 1 of another method than GET and HEAD"
            ]
        );
    }

    #[test]
    fn repeated_address_is_listed_once() {
        for (text, name) in [
            ("/a\nhttp://h/a\n/b\n/b\n/a\n", "x.txt"),
            ("Old URL\n/a\n/b\nhttp://h/a\n", "x.csv"),
            (
                "<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url><url><loc>/a</loc></url></urlset>",
                "x.xml",
            ),
        ] {
            assert_eq!(
                urls(text.as_bytes(), name),
                ["http://h/a", "http://h/b"],
                "{name}"
            );
        }
        let weighted = b"Page,Clicks\n/a,7\n/b,9\n/a,\"1,234\"\n";
        assert_eq!(
            urls(weighted, "x.csv"),
            ["http://h/a 1,234", "http://h/b 9"]
        );
    }

    #[test]
    fn gzip_list() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(b"/a\n").expect("memory can be written");
        let packed = gzip.finish().expect("memory can be written");
        assert_eq!(urls(&packed, "x.txt.gz"), ["http://h/a"]);
    }

    #[test]
    fn overlong_addresses_are_left_out() {
        let long = format!("/{}\n/b\n", "a".repeat(MAX_LENGTH));
        let list = list(long.as_bytes(), "x.txt");
        assert_eq!(list.addresses.len(), 1);
        assert_eq!(list.left_out, ["1 address of more than 65,536 bytes"]);
    }

    #[test]
    fn unpacked_size_is_limited() {
        let zeros = vec![0; usize::try_from(2 * gzip::MIN_UNPACKED).expect("it fits into memory")];
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&zeros).expect("memory can be written");
        let packed = gzip.finish().expect("memory can be written");
        let error = read(&packed, Path::new("x.gz"), "http://h/", &Files::default());
        assert!(
            error
                .unwrap_err()
                .to_string()
                .starts_with("unpacks to more than")
        );
    }
}
