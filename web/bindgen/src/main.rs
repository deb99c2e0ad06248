//! The JavaScript side of a wasm file that was compiled with wasm-bindgen.
//!
//! What the command `wasm-bindgen` does, for one target: `cargo install wasm-bindgen-cli` would build
//! three times as many crates, without a Cargo.lock of ours.

use std::env;

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = env::args().skip(1);
    let wasm = arguments.next().context("usage: bindgen WASM FOLDER")?;
    let folder = arguments.next().context("usage: bindgen WASM FOLDER")?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
}
