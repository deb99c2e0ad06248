"""The data source in the real engine, started once."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

pytest.importorskip("pyspark")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

import baseref.spark  # noqa: E402
import failing  # noqa: E402
import mistyped  # noqa: E402
import snippets  # noqa: E402
from conftest import comparable, record  # noqa: E402


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    failing.advertise(tmp_path_factory.mktemp("failing"))
    session = (
        # Two threads, and a task that fails is tried three times.
        SparkSession.builder.master("local[2,3]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        # Workers that are there already: starting one takes a second.
        .config("spark.python.worker.reuse", "true")
        .getOrCreate()
    )
    baseref.spark.register(session)
    yield session
    session.stop()


@pytest.fixture
def failing_crawl(tmp_path: Path) -> Iterator[Any]:
    """Options for a file system that fails, and the rows of the same files."""
    (tmp_path / "marks").mkdir()
    (tmp_path / "crawl").mkdir()
    for number in range(3):
        page = f"<a href=http://h{number}/>x</a>" * 100
        (tmp_path / "crawl" / f"{number}.html").write_text(page)

    def options(mode: str) -> str:
        given = {"root": str(tmp_path / "crawl"), "mark": str(tmp_path / "marks")}
        return json.dumps({**given, "way": mode, "after": 100})

    yield options


def test_storage_that_fails_loses_no_row(spark: Any, failing_crawl: Any) -> None:
    def load(mode: str) -> Any:
        reader = spark.read.format("baseref").option("storage_options", failing_crawl(mode))
        return reader.load("failing://")

    assert rows(load("once")) == rows(load("never"))
    assert load("never").count() == 300
    for mode in ("always", "short"):
        with pytest.raises(Exception, match="does not answer|ended after"):
            load(mode).collect()


@pytest.mark.parametrize("table", ["bases", "errors", "all"])
def test_every_table_is_whole_or_fails(spark: Any, failing_crawl: Any, tmp_path: Path, table: str) -> None:
    (tmp_path / "crawl" / "cut.warc").write_bytes(record(1) + record(2)[:-30])

    def load(mode: str, after: int = 50) -> Any:
        storage = {**json.loads(failing_crawl(mode)), "after": after}
        reader = spark.read.format("baseref").option("storage_options", json.dumps(storage))
        return sorted(map(str, reader.option("table", table).load("failing://").collect()))

    expected = load("never")
    assert len(expected) == {"bases": 5, "errors": 1, "all": 304}[table]
    assert load("once") == expected
    for mode in ("always", "short"):
        with pytest.raises(Exception, match="does not answer|ended after"):
            load(mode)


def test_a_wrong_path_fails_and_an_empty_folder_is_an_empty_table(
    spark: Any, folder: Path, tmp_path: Path
) -> None:
    for wrong in ("none", "*.none", "{a,b}"):
        with pytest.raises(Exception, match="none|{a|/a"):
            spark.read.format("baseref").load(f"{tmp_path}/{wrong}").collect()
    empty = spark.read.format("baseref").load(str(tmp_path))
    assert empty.collect() == [] and "url" in empty.columns
    one = spark.read.format("baseref").load([f"{folder}/page.html", f"file:{folder}/page.html"])
    assert [row.url for row in one.collect()] == ["http://p/q/r"] * 2


def test_links_and_errors_come_in_one_pass(spark: Any, folder: Path, expected: Any) -> None:
    reader = spark.read.format("baseref").option("links", "all").option("table", "all")
    found = [row.asDict() for row in reader.load(str(folder)).collect()]
    links = [row for row in found if row["unread_kind"] is None]
    errors = [row for row in found if row["unread_kind"] is not None]
    assert comparable(links) == expected
    assert errors and all("damaged.warc.gz" in row["doc"] for row in errors)


def rows(frame: Any) -> Any:
    return comparable([row.asDict() for row in frame.collect()])


@pytest.mark.parametrize("most", ["3000", "134217728"])
def test_rows_are_those_of_the_command_line(
    spark: Any, folder: Path, expected: Any, most: str
) -> None:
    reader = spark.read.format("baseref").option("links", "all").option("maxSplitBytes", most)
    frame = reader.load(str(folder))
    assert frame.rdd.getNumPartitions() > (12 if most == "3000" else 6)
    assert rows(frame) == expected


def test_a_damaged_file_is_a_row_of_the_errors_and_fails_nothing(spark: Any, folder: Path) -> None:
    errors = spark.read.format("baseref").option("table", "errors").load(str(folder))
    found = [(Path(row.doc.split("@")[0]).name, row.kind) for row in errors.collect()]
    assert found and {name for name, _ in found} == {"damaged.warc.gz"}


def test_only_the_columns_of_a_schema_are_read(spark: Any, folder: Path) -> None:
    reader = spark.read.format("baseref").schema("url string, line bigint")
    frame = reader.load(str(folder / "page.html"))
    assert [tuple(row) for row in frame.collect()] == [("http://p/q/r", 1)]


def test_a_path_with_a_scheme_is_opened_by_fsspec(spark: Any, folder: Path) -> None:
    pytest.importorskip("fsspec")
    frame = spark.read.format("baseref").load(f"file://{folder}/*.html")
    assert [row.url for row in frame.collect()] == ["http://p/q/r"]


def test_a_task_that_was_killed_gives_the_same_rows(
    spark: Any, folder: Path, expected: Any, tmp_path: Path
) -> None:
    killed = str(tmp_path / "killed")

    def die_once(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import signal

        for batch in batches:
            yield batch
        try:
            os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    frame = spark.read.format("baseref").option("links", "all").load(str(folder))
    survived = frame.mapInArrow(die_once, frame.schema)
    assert rows(survived) == expected
    assert os.path.exists(killed)


def test_map_in_arrow_reads_a_binary_column(spark: Any, folder: Path) -> None:
    files = spark.read.format("binaryFile").load(str(folder / "*.html"))
    found = files.mapInArrow(
        baseref.spark.links_of_bytes("content", "path", links="all"),
        baseref.spark.links_schema(),
    )
    assert [row.url for row in found.collect()] == ["http://p/q/", "http://p/q/r"]


def planned(**options: str) -> Any:
    """The partitions of a reader, as Spark asks for them; starting the process that it asks takes long."""
    source = baseref.spark.LinksSource(options)
    return source.reader(source.schema()).partitions()


def test_mistyped_paths_fail_with_their_names(spark: Any, tmp_path: Path) -> None:
    wrong = mistyped.paths(mistyped.make(tmp_path))
    for written, word in wrong:
        with pytest.raises((OSError, ValueError), match=re.escape(word)):
            planned(path=written)
    for written, word in wrong[::10]:
        with pytest.raises(Exception, match=re.escape(word)):
            spark.read.format("baseref").load(written).collect()
    for load in (lambda: spark.read.format("baseref").load(), lambda: spark.read.format("baseref").load([])):
        with pytest.raises(Exception, match="path"):
            load().collect()


def test_mistyped_options_fail_with_their_names(spark: Any, tmp_path: Path) -> None:
    page = str(mistyped.make(tmp_path) / "a" / "1.html")
    wrong = [*mistyped.OPTIONS, *mistyped.OF_ENGINES]
    for options, _, word in wrong:
        with pytest.raises((TypeError, ValueError), match=word):
            planned(**options, path=page)
    for options, _, word in wrong[::10]:
        with pytest.raises(Exception, match=word):
            spark.read.format("baseref").options(**options).load(page).collect()
    for columns in ("url string, urll string", "url string, line string", "url int"):
        for table in ("links", "bases"):
            reader = spark.read.format("baseref").option("table", table).schema(columns)
            for path in (page, str(tmp_path / "empty")):
                with pytest.raises(Exception, match="`urll`|`line`|`url`"):
                    reader.load(path).collect()
    errors = spark.read.format("baseref").option("table", "errors")
    assert errors.schema("kind string").load(page).collect() == []
    with pytest.raises(Exception, match="no column `knd`"):
        errors.schema("knd string").load(page).collect()
    with pytest.raises(Exception, match="no column|nn"):
        spark.read.format("baseref").load(page).select("nn").collect()


def test_options_are_texts_numbers_and_truth_values(spark: Any, tmp_path: Path) -> None:
    page = str(mistyped.make(tmp_path) / "a" / "1.html")
    for name, value in [
        ("comments", True), ("comments", "TRUE "), ("strict", 0), ("MAXSPLITBYTES", 10), ("targetBytes", "1 MiB"),
        ("links", " all"), ("fields", "url, line"), ("table", None), ("storage_options", "null"),
    ]:  # fmt: skip
        frame = spark.read.format("baseref").option(name, value).load(page)
        assert [row.url for row in frame.collect()] == ["http://a/"], (name, value)
    for name, value, word in [
        ("links", True, "links: `true`"), ("maxSplitBytes", 1.5, "(?i)maxsplitbytes: `1.5`"),
        ("fields", ["url"], "fields: "), ("storage_options", {"a": 1}, "storage_options: "),
    ]:  # fmt: skip
        with pytest.raises(Exception, match=word):
            spark.read.format("baseref").option(name, value).load(page).collect()
    for wrong in ([None], [5], [page, ""]):
        with pytest.raises(Exception, match="(?i)path|null|str|5|empty"):
            spark.read.format("baseref").load(wrong).collect()


def test_columns_of_a_frame_are_named(spark: Any) -> None:
    page = b"<a href=http://a/>b</a>"
    frame = spark.createDataFrame([(page, "x.html", 3)], "content binary, path string, size int")
    for arguments, word in [
        (("contents",), "no column `contents`"), (("content", "pth"), "no column `pth`"),
        (("size",), "the column `size` holds no bytes"), (("path",), "the column `path` holds no bytes"),
        (("content", "size"), "the column `size` holds no text"),
    ]:  # fmt: skip
        found = frame.mapInArrow(baseref.spark.links_of_bytes(*arguments), baseref.spark.links_schema())
        with pytest.raises(Exception, match=word):
            found.collect()
    nameless = frame.select("content")
    found = nameless.mapInArrow(baseref.spark.links_of_bytes(), baseref.spark.links_schema())
    assert [row.url for row in found.collect()] == ["http://a/"]
    found = frame.mapInArrow(baseref.spark.links_of_files("pth"), baseref.spark.links_schema())
    with pytest.raises(Exception, match="no column `pth`"):
        found.collect()


def test_the_examples_of_the_manual_run(spark: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text("<a href=http://a/>b</a>")
    counts = []
    for snippet in snippets.of("python.md", "Spark"):
        snippet = snippet.replace("s3a://bucket", f"file://{folder}")
        known: Dict[str, Any] = {"spark": spark, "baseref": baseref}
        for name in ("pages", "done", "links"):
            snippet = snippet.replace(f'"{name}/"', repr(str(tmp_path / name)))
        exec(snippet, known)
        links = known["links"]
        counts.append((spark.read.parquet(str(tmp_path / "links")) if links.isStreaming else links).count())
    assert len(counts) == 3 and all(counts)


def test_a_stream_reads_each_file_that_arrives_once(
    spark: Any, folder: Path, expected: Any, tmp_path: Path
) -> None:
    arriving = tmp_path / "arriving"
    arriving.mkdir()
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".png")
    schema = "path string, modificationTime timestamp, length long, content binary"
    for some in (files[:3], files[3:], []):
        for path in some:
            (arriving / path.name).write_bytes(path.read_bytes())
        stream = spark.readStream.format("binaryFile").schema(schema)
        paths = stream.load(str(arriving)).select("path")
        links = paths.mapInArrow(
            baseref.spark.links_of_files("path", links="all"), baseref.spark.links_schema()
        )
        writing = links.writeStream.trigger(availableNow=True)
        writing = writing.option("checkpointLocation", str(tmp_path / "checkpoint"))
        writing.start(str(tmp_path / "links")).awaitTermination()
    found = [row.asDict() for row in spark.read.parquet(str(tmp_path / "links")).collect()]

    def named(doc: str) -> str:
        return doc.rpartition("/below/it")[2].rpartition(str(folder))[2].rpartition(f"file:{arriving}")[2]

    def by_file(rows: Any) -> Any:
        return sorted((named(row[0]), *row[1:], *values) for row, values in rows.items())

    assert by_file(comparable(found)) == by_file(expected)


def plan_of(frame: Any) -> str:
    plan: str = frame._jdf.queryExecution().executedPlan().toString()
    return plan


def test_filters_are_pushed_down_with_the_meaning_of_spark(spark: Any, folder: Path) -> None:
    names = "doc string, class string, url string, host string, site string, scheme string, line long"
    reader = spark.read.format("baseref").option("links", "all").schema(names)
    frame = reader.load(str(folder))
    whole = [row.asDict() for row in frame.collect()]
    assert any(row["host"] is None for row in whole) or len({row["host"] for row in whole}) > 5

    def of(takes: Any) -> Any:
        return sorted(str(row) for row in whole if takes(row))

    for text, takes in [
        ("host = 'h7'", lambda row: row["host"] == "h7"),
        ("host != 'h7'", lambda row: row["host"] is not None and row["host"] != "h7"),
        ("host in ('h7', 'w3')", lambda row: row["host"] in ("h7", "w3")),
        ("class = 'anchor' and scheme = 'http'", lambda row: (row["class"], row["scheme"]) == ("anchor", "http")),
        ("url like 'http://h1%'", lambda row: (row["url"] or "").startswith("http://h1")),
        ("host is null", lambda row: row["host"] is None),
        ("line <= 1", lambda row: row["line"] is not None and row["line"] <= 1),
    ]:
        found = frame.where(text)
        assert sorted(str(row.asDict()) for row in found.collect()) == of(takes), text
        assert of(takes) or text == "host is null", text
    # Spark evaluates none of them again.
    assert "Filter (" not in plan_of(frame.where("host = 'h7' and url like 'http://h7%'"))
    # What Python cannot evaluate alike is left to it.
    odd = frame.where("length(url) > 10 and host = 'h7'")
    assert "Filter (" in plan_of(odd)
    assert len(odd.collect()) == len(of(lambda row: row["host"] == "h7" and len(row["url"]) > 10))


def test_bases_are_a_table(spark: Any, folder: Path) -> None:
    frame = spark.read.format("baseref").option("table", "bases").load(str(folder / "page.html"))
    (row,) = frame.collect()
    assert (row.base, row.base_source) == ("http://p/q/", "element")
    with pytest.raises(Exception, match="no option `comments`"):
        reader = spark.read.format("baseref").option("table", "bases").option("comments", "true")
        reader.load(str(folder)).collect()


def test_an_audit_is_a_table(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<a href=none.html>x</a><a href=b>y</a>")
    (tmp_path / "b.html").write_text("<p>")
    reader = spark.read.format("baseref").option("table", "audit")
    found = reader.option("hosting", "netlify").load(str(tmp_path))
    assert [(row.rule, row.raw) for row in found.collect()] == [("target/missing-file", "none.html")]
    assert found.where("rule = 'target/*'").collect() == []
    with pytest.raises(Exception, match="no-such"):
        reader.option("hosting", "no-such").load(str(tmp_path)).collect()
    with pytest.raises(Exception, match="local folders"):
        reader.load("memory://site").collect()
