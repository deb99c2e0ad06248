//! The engine on the cases of html5lib-tests: the folder `html5lib` of the corpus.
//!
//! Every document of the tree construction and tokenizer cases is compared with html5ever's
//! tokenizer and `RcDom`: as it is, with links planted at every place, and mutated. The links of the
//! tree construction cases are also compared with those of the trees that the cases expect, whatever
//! html5ever makes of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::mutation::Mutator;
use crate::reference::{every_link, links};
use baseref_document::Fallback;
use baseref_html::layers::{PlainToken, TokenizerState, links_by_tags, links_by_tree, tokenize};
use baseref_html::rcdom;
use serde_json::Value;

/// How many mutated documents are compared.
const MUTATIONS: usize = 200_000;

fn folder(name: &str) -> PathBuf {
    let corpus = std::env::var_os("BASEREF_CORPUS");
    let corpus = PathBuf::from(corpus.expect("BASEREF_CORPUS names the corpus folder"));
    let folder = corpus.join("html5lib").join(name);
    assert!(folder.is_dir(), "{} is missing", folder.display());
    folder
}

/// The files below a folder with that extension, in order.
fn files(folder: PathBuf, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is read") {
            let path = entry.expect("the folder is read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The documents of the tree construction cases.
fn tree_documents() -> Vec<String> {
    let mut documents = Vec::new();
    for file in files(folder("tree-construction"), "dat") {
        let cases =
            String::from_utf8_lossy(&fs::read(file).expect("the file is read")).into_owned();
        for case in format!("\n{cases}").split("\n#data\n").skip(1) {
            let document = case.split("\n#errors").next().unwrap_or_default();
            documents.push(document.to_owned());
        }
    }
    assert!(documents.len() >= 1_700, "{} documents", documents.len());
    documents
}

/// A case for the tokenizer.
struct TokenizerCase {
    input: String,
    output: Vec<Value>,
    states: Vec<String>,
    last_start_tag: String,
}

fn tokenizer_cases() -> Vec<TokenizerCase> {
    let mut cases = Vec::new();
    for file in files(folder("tokenizer"), "test") {
        let json = fs::read(file).expect("the file is read");
        let json: Value = serde_json::from_slice(&json).expect("the bytes are JSON");
        // The other list there is tests a mapping of XML's forbidden characters.
        let Some(tests) = json["tests"].as_array() else {
            continue;
        };
        for test in tests {
            let mut test = test.clone();
            if test["doubleEscaped"] == true {
                let Some(unescaped) = unescape(&test.to_string()) else {
                    continue;
                };
                test = unescaped;
            }
            let states = test["initialStates"].as_array().cloned();
            let states = states.unwrap_or_else(|| vec!["Data state".into()]);
            cases.push(TokenizerCase {
                input: test["input"]
                    .as_str()
                    .expect("the case has an input")
                    .to_owned(),
                output: test["output"]
                    .as_array()
                    .expect("the case has an output")
                    .clone(),
                states: states
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                last_start_tag: test["lastStartTag"].as_str().unwrap_or_default().to_owned(),
            });
        }
    }
    assert!(cases.len() >= 6_790, "{} cases", cases.len());
    cases
}

/// A double-escaped case; `None` if it has lone surrogates, which UTF-8 cannot represent.
fn unescape(json: &str) -> Option<Value> {
    serde_json::from_str(&json.replace("\\\\u", "\\u")).ok()
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
fn tokens_match_html5lib() {
    let mut compared = 0;
    for case in tokenizer_cases() {
        for name in &case.states {
            let (state, input) = match name.as_str() {
                "Data state" => (TokenizerState::Data, case.input.clone()),
                "RCDATA state" => (TokenizerState::Rcdata, case.input.clone()),
                "RAWTEXT state" => (TokenizerState::Rawtext, case.input.clone()),
                "Script data state" => (TokenizerState::ScriptData, case.input.clone()),
                "PLAINTEXT state" => (TokenizerState::Plaintext, case.input.clone()),
                "CDATA section state" => (TokenizerState::Data, format!("<![CDATA[{}", case.input)),
                other => panic!("no such state: {other}"),
            };
            let foreign = name == "CDATA section state";
            let found = tokenize(&input, state, &case.last_start_tag, foreign);
            let found: Vec<Value> = found.iter().map(in_json).collect();
            let expected: Vec<Value> = case.output.iter().map(without_comment).collect();
            assert_eq!(found, expected, "{name}: {:?}", case.input);
            compared += 1;
        }
    }
    assert!(compared >= 7_000, "{compared} compared");
}

fn in_json(token: &PlainToken) -> Value {
    match token {
        PlainToken::StartTag {
            name,
            attributes,
            self_closing,
        } => {
            let attributes = attributes
                .iter()
                .map(|(name, value)| (name.clone(), value.as_str().into()));
            let attributes = Value::Object(attributes.collect());
            if *self_closing {
                serde_json::json!(["StartTag", name, attributes, true])
            } else {
                serde_json::json!(["StartTag", name, attributes])
            }
        }
        PlainToken::EndTag { name } => serde_json::json!(["EndTag", name]),
        PlainToken::Text(text) => serde_json::json!(["Character", text]),
        PlainToken::Comment => serde_json::json!(["Comment"]),
        PlainToken::Doctype {
            name,
            public_id,
            system_id,
            force_quirks,
        } => {
            serde_json::json!(["DOCTYPE", name, public_id, system_id, !force_quirks])
        }
    }
}

fn without_comment(token: &Value) -> Value {
    if token[0] == "Comment" {
        serde_json::json!(["Comment"])
    } else {
        token.clone()
    }
}

/// The documents of all cases.
fn documents() -> Vec<String> {
    let mut documents = tree_documents();
    // Named references have thousands of documents, one each: they are in the tokenizer test.
    let cases = tokenizer_cases();
    documents.extend(
        cases
            .into_iter()
            .map(|case| case.input)
            .filter(|input| input.contains('<')),
    );
    documents
}

/// Compares each document, on all cores; counts the reasons for falling back to the tree.
fn compare_all(documents: &[String]) -> BTreeMap<Fallback, usize> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let reasons = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for part in documents.chunks(documents.len().div_ceil(cores)) {
            let reasons = &reasons;
            scope.spawn(move || {
                for document in part {
                    match crate::reference::compare(document) {
                        Err(difference) => panic!("{difference}"),
                        Ok(None) => {}
                        Ok(Some(reason)) => {
                            *reasons
                                .lock()
                                .expect("no thread panicked")
                                .entry(reason)
                                .or_default() += 1;
                        }
                    }
                }
            });
        }
    });
    reasons.into_inner().expect("no thread panicked")
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
fn links_match_html5lib_trees() {
    let (mut with_links, mut by_tags) = (0, 0);
    for file in files(folder("tree-construction"), "dat") {
        let text =
            String::from_utf8_lossy(&fs::read(&file).expect("the file is read")).into_owned();
        for case in crate::expected_tree::cases(&text) {
            let html = &case.document;
            let options = every_link();
            let expected = links(&rcdom::document(&case.tree, None, &options));
            let of_tree = links(&links_by_tree(html, &options));
            assert_eq!(of_tree, expected, "{}: by tree: {html:?}", file.display());
            with_links += usize::from(!expected.found.is_empty());
            if let Ok(of_tags) = links_by_tags(html, &options) {
                assert_eq!(links(&of_tags), expected, "by tags: {html:?}");
                by_tags += 1;
            }
        }
    }
    // Else nothing was compared.
    assert!(
        with_links >= 10 && by_tags >= 1_000,
        "{with_links}, {by_tags}"
    );
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
fn links_match_tree_of_each_document() {
    compare_all(&documents());
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
fn links_match_tree_with_planted_links() {
    let documents = tree_documents();
    let planted = documents
        .iter()
        .flat_map(|html| crate::mutation::planted(html));
    let planted: Vec<String> = planted.collect();
    assert!(planted.len() >= 10_000, "{} documents", planted.len());
    compare_all(&planted);
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
#[expect(clippy::print_stdout, reason = "shown only to those who ask for it")]
fn links_match_tree_of_mutated_documents() {
    let documents = documents();
    let seed = std::env::var("BASEREF_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut mutator = Mutator::new(&documents, seed.unwrap_or(0x0BA5_EEF5));
    let times = std::env::var("BASEREF_MUTATIONS")
        .ok()
        .and_then(|times| times.parse().ok());
    let times = times.unwrap_or(MUTATIONS);
    let mut compared = 0;
    let mut reasons: BTreeMap<Fallback, usize> = BTreeMap::new();
    while compared < times {
        let batch: Vec<String> = (0..10_000).map(|_| mutator.next()).collect();
        for (reason, count) in compare_all(&batch) {
            *reasons.entry(reason).or_default() += count;
        }
        compared += batch.len();
    }
    // If most fell back to the tree, streaming would hardly be tested.
    let given_up: usize = reasons.values().sum();
    assert!(
        given_up * 4 < compared,
        "{given_up} of {compared}: {reasons:?}"
    );
    println!("{given_up} of {compared} given up: {reasons:?}");
}
