//! The door between JavaScript and the rest: the only file that knows wasm-bindgen.

use std::io;
use std::sync::Arc;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::files::Pieces;
use crate::request::Request;
use crate::{Answer, run};

#[wasm_bindgen]
extern "C" {
    /// Reads bytes of a file of the page into `piece`, and gives how many, or -1 if it cannot be
    /// read.
    #[wasm_bindgen(js_name = baserefRead)]
    fn read_piece(file: u32, from: f64, piece: &mut [u8]) -> i32;

    #[wasm_bindgen(js_name = baserefRows)]
    fn take_rows(bytes: &[u8], ends: &[u32]);

    #[wasm_bindgen(js_name = baserefBytes)]
    fn take_bytes(bytes: &[u8]);

    #[wasm_bindgen(js_name = baserefTroubles)]
    fn take_troubles(lines: &[u8]);

    #[wasm_bindgen(js_name = baserefBegins)]
    fn entity_begins();

    #[wasm_bindgen(js_name = baserefPanicked)]
    fn has_panicked(said: &str);
}

/// Carries out a request, in JSON. Gives the reason if it cannot be.
#[wasm_bindgen]
#[must_use]
pub fn answer(request: &str) -> Option<String> {
    std::panic::set_hook(Box::new(|panic| {
        has_panicked(&baseref_run::guard::reason_of(panic));
    }));
    let request: Request = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(error) => return Some(error.to_string()),
    };
    run(&request, Arc::new(Page), &mut Page)
        .err()
        .map(|error| error.to_string())
}

/// A text with its URLs, hosts and addresses written so that nothing takes them for links.
#[wasm_bindgen]
#[must_use]
pub fn defanged(text: &str) -> String {
    baseref_report::defang::text(text).into_owned()
}

/// A URL without the wrappers of mail security, newsletters and redirectors around it, as JSON;
/// nothing if there are none.
#[wasm_bindgen]
#[must_use]
pub fn unwrapped(url: &str) -> Option<String> {
    crate::opened::opened(url)
}

/// The page that this is part of.
struct Page;

impl Pieces for Page {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a browser counts bytes so, up to nine petabytes"
    )]
    fn read(&self, file: u32, from: u64, piece: &mut [u8]) -> io::Result<usize> {
        let read = read_piece(file, from as f64, piece);
        let gone = |_| io::Error::other("the browser can no longer read it");
        usize::try_from(read).map_err(gone)
    }
}

impl Answer for Page {
    fn rows(&mut self, bytes: &[u8], ends: &[u32]) {
        take_rows(bytes, ends);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        take_bytes(bytes);
    }

    fn troubles(&mut self, lines: &[u8]) {
        take_troubles(lines);
    }

    fn begins(&mut self) {
        entity_begins();
    }
}
