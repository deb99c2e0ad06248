//! `-f arrow`: the rows of JSON Lines as batches of columns.

use std::io::Cursor;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_ipc::reader::StreamReader;
use serde_json::Value;

use super::{large_mailbox, run};

fn batches(bytes: Vec<u8>) -> Vec<RecordBatch> {
    let reader = StreamReader::try_new(Cursor::new(bytes), None)
        .expect("the bytes are a stream of Arrow's IPC");
    reader
        .map(|batch| batch.expect("the batch is complete"))
        .collect()
}

/// The texts and numbers of the columns of JSON Lines, for comparison.
fn cell(batch: &RecordBatch, name: &str, row: usize) -> Value {
    let column = batch
        .column_by_name(name)
        .expect("the batch has the column");
    if column.is_null(row) {
        Value::Null
    } else if let Some(texts) = column.as_string_opt::<i32>() {
        texts.value(row).into()
    } else {
        column.as_primitive::<Int64Type>().value(row).into()
    }
}

#[test]
fn arrow_rows_match_jsonl() {
    let mailbox = large_mailbox();
    for command in ["links", "base"] {
        let output = |form, jobs| run(&[command, "-f", form, "-j", jobs, "-"], &mailbox);
        let one = output("arrow", "1").stdout;
        assert_eq!(one, output("arrow", "4").stdout, "{command}");
        let batches = batches(one);
        let lines = output("jsonl", "1").stdout;
        let lines = String::from_utf8(lines).expect("JSON is UTF-8");
        let mut lines = lines.lines();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                let line: Value =
                    serde_json::from_str(lines.next().expect("the other output has as many rows"))
                        .expect("the text is JSON");
                for name in ["doc", "base", "base_source", "url", "line", "raw"] {
                    if let Some(value) = line.get(name) {
                        assert_eq!(cell(batch, name, row), *value, "{command} {name}");
                    }
                }
            }
        }
        assert_eq!(lines.next(), None, "{command}: a row is missing");
        // One batch per message would be four hundred.
        assert!(batches.len() < 10, "{command}: {}", batches.len());
    }
}

#[test]
fn empty_arrow_stream_has_schema() {
    let output = run(&["links", "-f", "arrow", "--fields", "url,line"], b"<p>");
    let reader = StreamReader::try_new(Cursor::new(output.stdout), None)
        .expect("the output is a stream of Arrow's IPC");
    let schema = reader.schema();
    let names: Vec<&str> = schema
        .fields()
        .iter()
        .map(|field| &**field.name())
        .collect();
    assert_eq!(names, ["url", "line"]);
    assert_eq!(reader.count(), 0);
}

#[test]
fn counts_conflict_with_arrow() {
    for option in ["--count", "--unique", "--group-by=host"] {
        let output = run(&["links", "-f", "arrow", option, "-"], b"<a href=x>");
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert_eq!(output.stdout, b"", "{option}");
    }
}
