//! Reading documents, in bytes per second: HTML in the order of its tags and by its tree, and a
//! mailbox from bytes to links.

use std::hint::black_box;
use std::io::Cursor;

use baseref_container::{Contents, Entity, Input, Reader, open};
use baseref_document::Origin;
use baseref_document::{Limits, ReadOptions};
use baseref_reader::base::Policy;
use baseref_reader::read::documents;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A page typical of manuals: many short elements, a link every 300 bytes or so.
fn manual_page() -> String {
    let paragraph = r##"<dt class="sig"><code class="name">open</code><span class="paren">(</span>
<em class="param">path</em><span class="paren">)</span><a class="headerlink" href="#open">¶</a></dt>
<dd><p>Opens a file, see also <a class="reference internal" href="../library/io.html#io.open" title="io"><code
class="xref"><span class="pre">io.open()</span></code></a>, and tells <em>nothing</em> of it to anybody else.</p></dd>
"##;
    format!(
        "<!DOCTYPE html><html><head><title>Manual</title></head><body><dl>{}</dl></body></html>",
        paragraph.repeat(500)
    )
}

/// The same, with a link that the tree moves before the preceding one.
fn misnested_page() -> String {
    let table = "<table><tr><td><a href=1>in</a></td></tr><a href=2>moved out</a></table><dl>";
    manual_page().replace("<dl>", table)
}

fn mailbox() -> Vec<u8> {
    let page = manual_page();
    let message = format!(
        "From a@example.org Thu Jan  1 00:00:00 1970\nSubject: News\nMIME-Version: 1.0\n\
         Content-Base: http://example.org/news/\nContent-Type: text/html; charset=utf-8\n\
         Content-Transfer-Encoding: 8bit\n\n{page}\n\n"
    );
    message.repeat(20).into_bytes()
}

/// Everything that a run does with an entity except writing.
fn links(entity: Entity, options: &ReadOptions) -> usize {
    let mut length = 0;
    documents(entity, options, &mut |found: baseref_document::ReadResult| {
        let document = found.expect("the input is sound");
        Policy::default()
            .resolve(&document)
            .for_each_link(|_, link| length += link.url.map_or(0, str::len));
    });
    length
}

fn entities(bytes: &[u8]) -> Vec<Entity> {
    let input = Input {
        name: "box.mbox".into(),
        reader: Reader::Stream(Box::new(Cursor::new(bytes.to_vec()))),
        size: None,
        format: None,
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    match open(input, &Limits::default()).expect("the input is sound") {
        Contents::Single(entity) => vec![entity],
        Contents::Multiple(entities) => entities
            .map(|entity| entity.expect("it is sound"))
            .collect(),
        Contents::Empty => Vec::new(),
    }
}

fn read(criterion: &mut Criterion) {
    let urls_only = ReadOptions::default().with_text(false).with_positions(false);
    let mut group = criterion.benchmark_group("read");
    for (name, page) in [("tags", manual_page()), ("tree", misnested_page())] {
        group.throughput(Throughput::Bytes(page.len() as u64));
        for (what, options) in [("urls", &urls_only), ("all", &ReadOptions::default())] {
            group.bench_function(format!("html by {name}, {what}"), |bencher| {
                let origin = Origin::new("page.html");
                bencher.iter(|| {
                    let entity = Entity::html(origin.clone(), page.clone().into_bytes());
                    links(black_box(entity), options)
                });
            });
        }
    }
    let mailbox = mailbox();
    group.throughput(Throughput::Bytes(mailbox.len() as u64));
    group.bench_function("mbox, urls", |bencher| {
        bencher.iter(|| {
            let entities = entities(black_box(&mailbox));
            let lengths = entities.into_iter().map(|entity| links(entity, &urls_only));
            lengths.sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
