//! The encoding of a text that declares none, by the frequency of its letters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// The multi-byte encodings. The detector excludes each at the first malformed sequence.
const MULTI_BYTE: [&Encoding; 5] = [EUC_KR, SHIFT_JIS, EUC_JP, GBK, BIG5];

/// The minimum number of non-ASCII letters per malformed sequence for a text in one of these.
const LETTERS_TO_FAULT: usize = 20;

/// With this many malformed sequences too many, the rest of a text is not read.
const SPARE_FAULTS: usize = 8;

/// Hungarian: at least one in this many non-ASCII letters is ő or ű.
const LETTERS_TO_DOUBLE_ACUTE: usize = 50;

/// Hungarian: at most one in this many non-ASCII letters may be foreign.
const LETTERS_TO_FOREIGN: usize = 50;

/// The most likely encoding of a text. `is_whole` tells whether it is complete, and `region` is the
/// top-level domain that it comes from, in lower-case ASCII.
pub(super) fn guess(text: &[u8], is_whole: bool, region: Option<&str>) -> &'static Encoding {
    let guessed = guess_in(text, is_whole, region);
    if !guessed.is_single_byte() {
        guessed
    } else if is_hungarian(text) {
        // Its letters have the same bytes in ISO-8859-2 and windows-1250; the detector chooses by
        // the other characters.
        guess_in(text, is_whole, Some("hu"))
    } else {
        damaged(text, region).unwrap_or(guessed)
    }
}

/// The top-level domain of a URL's host, if it is of a country.
pub(super) fn region_of_url(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let (_, domain) = host.trim_end_matches('.').rsplit_once('.')?;
    let domain = domain.to_ascii_lowercase();
    let is_country = domain.len() == 2 && domain.bytes().all(|byte| byte.is_ascii_lowercase());
    is_country.then_some(domain)
}

fn guess_in(text: &[u8], is_whole: bool, region: Option<&str>) -> &'static Encoding {
    // ISO-2022-JP is a danger only to those who run the page's scripts.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(text, is_whole);
    detector.guess(region.map(str::as_bytes), Utf8Detection::Deny)
}

/// Whether a text in a single-byte encoding is Hungarian, which the detector recognizes only by the
/// domain. Where Hungarian has ő and ű, windows-1252 has õ and û. No Western European language uses
/// these with only the other letters of Hungarian: Portuguese has õ before e, Estonian has no acute
/// accents, and French has only é.
fn is_hungarian(text: &[u8]) -> bool {
    let (mut letters, mut foreign, mut double, mut acute) = (0, 0, 0, 0);
    for (at, byte) in text.iter().enumerate() {
        let counted = match byte {
            ..=0xBF | 0xD7 | 0xF7 => continue,
            0xD5 | 0xF5 if matches!(text.get(at + 1), Some(b'e' | b'E')) => &mut foreign,
            0xD5 | 0xF5 | 0xDB | 0xFB => &mut double,
            // á, í, ó, ú
            0xC1 | 0xCD | 0xD3 | 0xDA | 0xE1 | 0xED | 0xF3 | 0xFA => &mut acute,
            // é, ö, ü
            0xC9 | 0xD6 | 0xDC | 0xE9 | 0xF6 | 0xFC => &mut letters,
            _ => &mut foreign,
        };
        *counted += 1_usize;
    }
    letters += foreign + double + acute;
    double > 0
        && acute > 0
        && double * LETTERS_TO_DOUBLE_ACUTE >= letters
        && foreign * LETTERS_TO_FOREIGN <= letters
}

/// The multi-byte encoding of a text with a few malformed sequences, which old programs left by
/// cutting letters in two.
fn damaged(text: &[u8], region: Option<&str>) -> Option<&'static Encoding> {
    MULTI_BYTE.into_iter().find(|encoding| {
        let mended = without_faults(text, encoding);
        mended.is_some_and(|mended| guess_in(&mended, true, region) == *encoding)
    })
}

/// A text without its malformed sequences, if there are few; `None` without any.
fn without_faults(text: &[u8], encoding: &'static Encoding) -> Option<Vec<u8>> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0; 4096];
    let mut mended = Vec::new();
    let (mut read, mut letters, mut faults) = (0, 0, 0);
    loop {
        let (result, more, written) =
            decoder.decode_to_utf8_without_replacement(&text[read..], &mut buffer, true);
        let part = &text[read..read + more];
        read += more;
        let leads = buffer[..written].iter().filter(|byte| **byte >= 0xC0);
        letters += leads.count();
        let sound = match result {
            DecoderResult::Malformed(length, after) => {
                faults += 1;
                part.len()
                    .saturating_sub(usize::from(length) + usize::from(after))
            }
            DecoderResult::InputEmpty | DecoderResult::OutputFull => part.len(),
        };
        mended.extend_from_slice(&part[..sound]);
        if faults > SPARE_FAULTS + letters / LETTERS_TO_FAULT {
            return None;
        }
        if result == DecoderResult::InputEmpty {
            return (faults > 0 && faults * LETTERS_TO_FAULT <= letters).then_some(mended);
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_8859_2, WINDOWS_1250, WINDOWS_1252};

    use super::*;

    const KOREAN: &str =
        "<p>한국어 홈페이지에 오신 것을 환영합니다. 공지사항과 자료실을 이용해 주세요.";

    #[test]
    fn hungarian_by_letters() {
        for text in [
            "Kérjük, a megrendeléshez töltse ki az űrlapot!",
            "A főoldal, árvíztűrő tükörfúrógép",
            "NYITVA: HÉTFŐTŐL PÉNTEKIG 8-TÓL 16 ÓRÁIG",
        ] {
            for encoding in [ISO_8859_2, WINDOWS_1250] {
                let bytes = encoding.encode(text).0;
                let guessed = guess(&bytes, true, None);
                assert_eq!(guessed.decode(&bytes).0, text, "{}", guessed.name());
            }
        }
        // These quotation marks are in windows-1250 only.
        let quoted = WINDOWS_1250
            .encode("„Árvíztűrő tükörfúrógép” – a hűtőben")
            .0;
        assert_eq!(guess(&quoted, true, None), WINDOWS_1250);
    }

    #[test]
    fn western_languages_are_not_hungarian() {
        for text in [
            "Brûlé au goût d'été",
            "Où êtes-vous ? Le dîner a coûté cher, ça c'est sûr, á í",
            "Informações sobre leilões próximos",
            "Camões: Os Lusíadas, edições",
            "Põe-se o sol; opções, lições, não há",
            "Õpetaja, sõber, võõras, äärmiselt, köök ja müür",
            "kõik õigused",
            "Paul Erdõs, naïve café",
            "¡Qué mañana más fría! Un corazón único",
            "Fáilte go hÉirinn, dún",
        ] {
            let bytes = WINDOWS_1252.encode(text).0;
            assert!(!is_hungarian(&bytes), "{text}");
            assert_eq!(damaged(&bytes, None), None, "{text}");
        }
    }

    #[test]
    fn truncated_sequence_at_end() {
        let japanese = "<p>これは日本語の文章です。文字コードを判定できるはずです。";
        let texts = [(EUC_KR, KOREAN), (SHIFT_JIS, japanese), (EUC_JP, japanese)];
        for (encoding, text) in texts {
            let title = &encoding.encode("<title>語").0[..8];
            let page = [title, b"...</title>", &encoding.encode(text).0].concat();
            assert_eq!(guess(&page, true, None), encoding);
        }
    }

    #[test]
    fn region_from_host() {
        for (url, region) in [
            ("http://example.hu/a.de", Some("hu")),
            ("HTTPS://u:p@WWW.Example.KR:8080?a.b@c.de", Some("kr")),
            ("http://example.co.jp./", Some("jp")),
            ("http://example.com/x.hu", None),
            ("http://192.0.2.10/", None),
            ("http://[2001:db8::1.hu]/", None),
            ("http://example.\u{e9}\u{e9}/", None),
            ("file:///a.hu", None),
            ("mailto:a@example.hu", None),
            ("a.hu", None),
        ] {
            assert_eq!(region_of_url(url).as_deref(), region, "{url}");
        }
    }

    #[test]
    fn short_text_encoding_by_region() {
        let short = EUC_KR.encode("<title>홈</title>").0;
        assert_eq!(guess(&short, true, None), WINDOWS_1252);
        assert_eq!(guess(&short, true, Some("kr")), EUC_KR);
    }
}
