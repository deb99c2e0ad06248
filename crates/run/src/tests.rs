//! A scripted source: many inputs, containers, errors, and panics wherever a reader is called.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use super::*;
use baseref_container::{Container, Contents, Entities, Entity};
use baseref_document::{Origin, Skipped};
use baseref_document::{ReadError, ReadErrorKind};

#[derive(Clone, Copy)]
enum Behavior {
    One,
    Nothing,
    /// A container with this number of entities.
    Many(u64),
    Unreadable,
    PanicInOpen,
    /// A container whose entity with that number panics while it is read.
    PanicInNext(u64),
    PanicInWork,
}

struct TestInput {
    number: usize,
    told: Behavior,
}

fn entity(input: &str, message: u64, text: &str) -> Entity {
    let origin = Origin::new(input).with_message(message.try_into().ok());
    Entity::html(origin, text.into())
}

struct Numbered {
    input: String,
    last: u64,
    panic: u64,
    next: u64,
}

impl Iterator for Numbered {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next += 1;
        assert!(self.next != self.panic, "panic on request");
        (self.next <= self.last).then(|| Ok(entity(&self.input, self.next, "")))
    }
}

impl Container for Numbered {
    fn skipped(&self) -> Skipped {
        let mut skipped = Skipped::default();
        skipped.count("image/png");
        skipped
    }
}

impl Input for TestInput {
    fn origin(&self) -> Origin {
        Origin::new(format!("i{}", self.number))
    }

    fn may_wait(&self) -> bool {
        self.number % 3 == 2
    }

    fn open(self) -> Result<Contents, ReadError> {
        let input = format!("i{}", self.number);
        let many = |last, panic| -> Entities {
            Box::new(Numbered {
                input: input.clone(),
                last,
                panic,
                next: 0,
            })
        };
        match self.told {
            Behavior::One => Ok(Contents::Single(entity(&input, 0, ""))),
            Behavior::PanicInWork => Ok(Contents::Single(entity(&input, 0, "panic"))),
            Behavior::Nothing => Ok(Contents::Empty),
            Behavior::Many(last) => Ok(Contents::Multiple(many(last, 0))),
            Behavior::PanicInNext(number) => Ok(Contents::Multiple(many(number + 3, number))),
            Behavior::Unreadable => {
                Err(ReadError::new(ReadErrorKind::Io, Origin::new(input), "no"))
            }
            Behavior::PanicInOpen => panic!("panic on request"),
        }
    }
}

fn inputs(told: &[Behavior]) -> impl Iterator<Item = Result<TestInput, ReadError>> + Send {
    let told = told.iter().copied().enumerate();
    told.map(|(number, told)| Ok(TestInput { number, told }))
}

fn in_words(piece: Piece) -> String {
    match piece {
        Piece::Entity(entity) => {
            assert!(entity.bytes.is_empty(), "panic on request");
            entity.origin.to_string()
        }
        Piece::Unread(error) => error.to_string(),
        Piece::Skipped(skipped) => format!("{} without HTML", skipped.total()),
    }
}

/// Keeps its results, and closes after a number of them.
struct LineSink {
    lines: Vec<String>,
    most: usize,
}

impl Sink for LineSink {
    type Results = Vec<String>;

    fn take(&mut self, results: &mut Vec<String>) {
        self.lines.append(results);
    }

    fn is_closed(&self) -> bool {
        self.lines.len() >= self.most
    }
}

fn lines(told: &[Behavior], jobs: usize, most: usize) -> Vec<String> {
    let work = |piece: Piece, buffer: &mut ResultBuffer<'_, LineSink>| {
        let line = in_words(piece);
        buffer.results.push(line);
        buffer.flush();
    };
    let sink = LineSink {
        lines: Vec::new(),
        most,
    };
    ordered(inputs(told), NonZeroUsize::new(jobs).unwrap(), work, sink).lines
}

fn mixed() -> Vec<Behavior> {
    let of_number = |number: u64| match number % 7 {
        0 => Behavior::Many(number % 50),
        1 => Behavior::Nothing,
        2 => Behavior::Unreadable,
        _ => Behavior::One,
    };
    (0..500).map(of_number).collect()
}

#[test]
fn run_keeps_input_order() {
    let one = lines(&mixed(), 1, usize::MAX);
    assert_eq!(one[..4], ["1 without HTML", "i2: no", "i3", "i4"]);
    assert!(one.len() > 2000);
    for jobs in [2, 8, 40] {
        assert_eq!(lines(&mixed(), jobs, usize::MAX), one, "{jobs} threads");
    }
}

#[test]
fn fold_independent_of_threads() {
    let folded = |jobs| {
        fold(
            inputs(&mixed()),
            NonZeroUsize::new(jobs).unwrap(),
            |piece, value: &mut Vec<String>| value.push(in_words(piece)),
            |value, mut later| value.append(&mut later),
        )
    };
    let ordered = lines(&mixed(), 1, usize::MAX);
    for jobs in [1, 2, 8] {
        assert_eq!(folded(jobs), ordered, "{jobs} threads");
    }
}

#[test]
fn closed_sink_ends_run() {
    for jobs in [1, 2, 8] {
        let lines = lines(&[Behavior::Many(u64::MAX - 1)], jobs, 100);
        assert_eq!(lines[..2], ["i0#1", "i0#2"]);
        assert!(lines.len() >= 100);
    }
}

#[test]
fn reader_panic_costs_one_input() {
    let told = [
        Behavior::One,
        Behavior::PanicInOpen,
        Behavior::PanicInNext(3),
        Behavior::PanicInNext(1),
        Behavior::PanicInWork,
        Behavior::Many(1),
    ];
    guard::report_only_unguarded_panics();
    for jobs in [1, 2, 8] {
        let lines = lines(&told, jobs, usize::MAX);
        let without_place: Vec<String> = lines
            .iter()
            .map(|line| match line.split_once(" at ") {
                Some((before, after)) => {
                    let (place, reason) = after.split_once(", ").unwrap();
                    assert!(place.contains("run/src/tests.rs:"), "{line}");
                    assert_eq!(reason, "please report it: panic on request");
                    before.to_owned()
                }
                None => line.clone(),
            })
            .collect();
        let fault = "a fault in baseref";
        assert_eq!(
            without_place,
            [
                "i0".to_owned(),
                format!("i1: {fault}"),
                "i2#1".to_owned(),
                "i2#2".to_owned(),
                format!("i2#2: nothing after this is read: {fault}"),
                format!("i3: nothing after this is read: {fault}"),
                format!("i4: {fault}"),
                "i5#1".to_owned(),
                "1 without HTML".to_owned(),
            ],
            "{jobs} threads"
        );
    }
}

#[test]
fn walk_panic_ends_list() {
    for jobs in [1, 2] {
        let inputs = (0..4).map(|number| {
            assert!(number < 2, "panic on request");
            Ok(TestInput {
                number,
                told: Behavior::One,
            })
        });
        let found = fold(
            inputs,
            NonZeroUsize::new(jobs).unwrap(),
            |piece, value: &mut Vec<String>| value.push(in_words(piece)),
            |value, mut later| value.append(&mut later),
        );
        assert_eq!(found[..2], ["i0", "i1"]);
        assert!(found[2].starts_with("the list of inputs: a fault in baseref"));
        assert_eq!(found.len(), 3);
    }
}

#[test]
fn sink_panic_propagates() {
    struct Panics;
    impl Sink for Panics {
        type Results = ();
        fn take(&mut self, (): &mut ()) {
            panic!("panic on request");
        }
    }
    for jobs in [1, 2, 8] {
        let run = std::panic::catch_unwind(|| {
            let jobs = NonZeroUsize::new(jobs).unwrap();
            ordered(inputs(&mixed()), jobs, |_, _| {}, Panics);
        });
        assert!(run.is_err(), "{jobs} threads");
    }
}

#[test]
fn piece_streams_in_its_turn() {
    struct CountingSink<'c>(&'c Mutex<Vec<usize>>);
    impl Sink for CountingSink<'_> {
        type Results = Vec<u8>;
        fn take(&mut self, results: &mut Vec<u8>) {
            self.0.lock().unwrap().push(results.len());
            results.clear();
        }
    }
    let taken = Mutex::new(Vec::new());
    let work = |_: Piece, buffer: &mut ResultBuffer<'_, CountingSink<'_>>| {
        for _ in 0..3 {
            buffer.results.extend([0; 10]);
            buffer.flush();
        }
        buffer.results.push(0);
    };
    ordered(
        inputs(&[Behavior::One, Behavior::One]),
        NonZeroUsize::MIN,
        work,
        CountingSink(&taken),
    );
    assert_eq!(*taken.lock().unwrap(), [10, 10, 10, 1, 10, 10, 10, 1]);
}
