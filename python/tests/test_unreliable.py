"""Storage that says what is not so, and readings that get into each other's way: rows are those of
the input, or there is an exception; never fewer."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest

import baseref
from conftest import message, record

pytest.importorskip("fsspec")

import failing  # noqa: E402
import fsspec  # noqa: E402


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(20):
            archive.writestr(f"{number}.html", f"<a href=http://z{number}/>x</a>" * 20)
    return file.getvalue()


CONTENTS: Dict[str, Callable[[], bytes]] = {
    "records.warc.gz": lambda: b"".join(gzip.compress(record(number)) for number in range(20)),
    "whole.warc.gz": lambda: gzip.compress(b"".join(map(record, range(20)))),
    "plain.warc": lambda: b"".join(map(record, range(20))),
    "box.mbox": lambda: "".join(map(message, range(20))).encode(),
    "page.html": lambda: b"<a href=http://a/>b</a>" * 50,
    "page.html.gz": lambda: gzip.compress(b"<a href=http://a/>b</a>" * 50),
    "site.zip": zipped,
}
NAMES = list(CONTENTS)


@pytest.fixture(params=NAMES)
def path(request: Any, tmp_path: Path) -> Path:
    found = tmp_path / str(request.param)
    found.write_bytes(CONTENTS[found.name]())
    return found


def rows(source: Any, **options: Any) -> List[Any]:
    found = baseref.links(source, name="x", on_error="collect", **options)
    return [(link.raw, link.url, link.base, link.line) for link in found]


def in_splits(opened: Callable[[], Any], name: str) -> List[Any]:
    """The rows of all ranges, each from a file object of its own."""
    ranges = baseref.splits(opened(), 700, name=name)
    found = [links for span in ranges for links in baseref.links(opened(), name=name, range=span)]
    return [(link.raw, link.url, link.base, link.line) for link in found]


@pytest.mark.parametrize("size", ["none", "small"])
@pytest.mark.parametrize("way", ["never", "pieces"])
def test_a_size_that_is_too_small_or_unknown_loses_nothing(path: Path, size: str, way: str) -> None:
    expected = rows(path.read_bytes())
    assert len(expected) >= 20
    assert rows(failing.file(path, way, size=size)) == expected
    plain = [row[:3] for row in expected]
    found = in_splits(lambda: failing.file(path, way, size=size), path.name)
    assert [row[:3] for row in found] == plain


def test_a_size_that_is_too_large_raises(path: Path) -> None:
    with pytest.raises(OSError, match="ended after") as caught:
        rows(failing.file(path, "never", size="large"))
    assert caught.value.errno and caught.value.filename == "x"


@pytest.mark.parametrize("way", ["seek", "stuck"])
def test_a_file_object_that_does_not_seek_as_it_says_raises(path: Path, way: str) -> None:
    """Or nothing had to be sought."""
    expected = rows(path.read_bytes())
    try:
        assert rows(failing.file(path, way)) == expected
    except OSError as error:
        assert error.errno and error.filename == "x"
    with pytest.raises(OSError):
        file = failing.file(path, way)
        file.file.seek(3)
        file.tell = lambda: 0  # type: ignore[method-assign]
        rows(file)
    try:
        found = in_splits(lambda: failing.file(path, way), path.name)
        assert [row[:3] for row in found] == [row[:3] for row in expected]
    except OSError as error:
        assert error.errno


def test_what_declares_its_size_by_a_method_must_not_end_before(path: Path) -> None:
    class Native(io.BytesIO):
        """Like the files of Arrow."""

        def size(self) -> int:
            return path.stat().st_size

    whole = path.read_bytes()
    assert rows(Native(whole)) == rows(whole)
    with pytest.raises(OSError, match="ended after"):
        rows(Native(whole[:-1]))


@pytest.mark.parametrize("opened", [str, lambda path: open(path, "rb"), lambda path: open(path, "rb", 0)])
def test_a_file_that_shrinks_while_it_is_read_raises(tmp_path: Path, opened: Any) -> None:
    path = tmp_path / "box.mbox"
    path.write_text("".join(map(message, range(30_000))))
    links = iter(baseref.links(opened(path), on_error="collect", batch_bytes=20_000))
    next(links)
    os.truncate(path, path.stat().st_size - 1)
    with pytest.raises(OSError, match="ended after"):
        list(links)


def test_compressed_storage_that_is_cut_off_raises(path: Path) -> None:
    stored = path.with_suffix(".stored")
    stored.write_bytes(gzip.compress(path.read_bytes()))
    expected = rows(path.read_bytes())
    with fsspec.open(str(stored), "rb", compression="gzip") as file:
        assert rows(file) == expected
    os.truncate(stored, stored.stat().st_size - 9)
    with pytest.raises(EOFError), fsspec.open(str(stored), "rb", compression="gzip") as file:
        rows(file)


def test_two_readings_of_one_file_object_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    path.write_text("".join(map(message, range(30_000))))
    expected = [link.url for link in baseref.links(path)]
    with open(path, "rb") as file:
        links = baseref.links(file, batch_bytes=20_000)
        first = iter(links)
        next(first)
        # A reading that was given up may still wait for the file.
        assert [link.url for link in links] == expected
        with pytest.raises(RuntimeError, match="another reading"):
            list(first)
        assert [link.url for link in links] == expected
    with open(path, "rb") as file:
        # Two that do not know each other.
        each = [iter(baseref.links(file, batch_bytes=20_000)) for _ in range(2)]
        found: List[List[Optional[str]]] = [[], []]
        with pytest.raises(OSError, match="something else reads from it"):
            while len(found[0]) < len(expected):
                for rows_of, urls in zip(each, found):
                    urls.append(next(rows_of).url)
        for urls in found:
            assert urls == expected[: len(urls)]


def test_a_file_object_that_can_be_read_once_is_read_once() -> None:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

    links = baseref.links(Stream(CONTENTS["box.mbox"]()))
    assert len(list(links)) == 20
    with pytest.raises(RuntimeError, match="only once"):
        list(links)


class TestConsumers:
    """Engines that ask more than once, or in their own way."""

    @pytest.fixture(autouse=True)
    def needs_arrow(self) -> None:
        pytest.importorskip("pyarrow")

    def test_a_scan_of_polars_is_collected_again(self, path: Path) -> None:
        polars = pytest.importorskip("polars")
        expected = [row[1] for row in rows(path.read_bytes())]
        with open(path, "rb") as file:
            scan = baseref.scan_polars(file, name=path.name)
            for _ in range(2):
                assert scan.select("url").collect()["url"].to_list() == expected
                assert len(scan.head(3).collect()) == 3
            both = polars.concat([scan, scan]).select("url")
            try:
                assert both.collect()["url"].to_list() == expected * 2
            except Exception as error:
                assert "another" in str(error)

    def test_a_scan_of_a_stream_is_collected_once(self) -> None:
        pytest.importorskip("polars")

        class Stream(io.BytesIO):
            def seekable(self) -> bool:
                return False

        scan = baseref.scan_polars(Stream(CONTENTS["page.html"]()))
        assert len(scan.collect()) == 50
        with pytest.raises(Exception, match="only once"):
            scan.collect()

    @pytest.mark.parametrize("way", ["always", "short"])
    def test_whatever_polars_does_with_a_scan_raises(
        self, path: Path, way: str, tmp_path: Path
    ) -> None:
        polars = pytest.importorskip("polars")
        after = path.stat().st_size // 2

        def scan() -> Any:
            return baseref.scan_polars(failing.file(path, way, after), on_error="collect")

        asked: List[Callable[[], Any]] = [
            lambda: scan().collect(engine="streaming"),
            lambda: scan().select(polars.len()).collect(),
            lambda: scan().filter(polars.col("url").is_not_null()).group_by("host").len().collect(),
            lambda: scan().sort("url").tail(1).collect(),
            lambda: scan().sink_parquet(tmp_path / "links.parquet"),
            lambda: polars.collect_all([scan(), scan()]),
        ]
        for ask in asked:
            with pytest.raises(Exception, match="(?i)does not answer|ended after"):
                ask()

    @pytest.mark.parametrize("way", ["always", "short"])
    def test_whatever_duckdb_does_with_a_stream_raises(
        self, path: Path, way: str, tmp_path: Path
    ) -> None:
        duckdb = pytest.importorskip("duckdb")
        after = path.stat().st_size // 2
        for query in (
            "select count(*) from links",
            "select * from links order by url limit 1",
            "create table kept as select * from links",
            "insert into known select url from links",
            f"copy (select * from links) to '{tmp_path}/links.parquet'",
            "select count(*) from links a join links b using (url)",
        ):
            connection = duckdb.connect()
            connection.execute("create table known(url text)")
            links = baseref.links(failing.file(path, way, after), on_error="collect")
            connection.register("links", links)
            with pytest.raises(Exception, match="(?i)does not answer|ended after|another|error"):
                connection.execute(query).fetchall()
            assert connection.execute("select count(*) from known").fetchall() == [(0,)]
            tables = connection.execute("show tables").fetchall()
            assert ("kept",) not in tables

    def test_duckdb_reads_one_file_object_twice_in_a_query(self, path: Path) -> None:
        duckdb = pytest.importorskip("duckdb")
        expected = len(rows(path.read_bytes()))
        with open(path, "rb") as file:
            connection = duckdb.connect()
            connection.register("links", baseref.links(file, name=path.name, on_error="collect"))
            query = "select (select count(*) from links), (select count(*) from links)"
            try:
                assert connection.execute(query).fetchall() == [(expected, expected)]
            except Exception as error:
                assert "another" in str(error)
            assert connection.execute("select count(*) from links").fetchall() == [(expected,)]


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Any]:
    """Options for a file system with all contents, some in folders within folders."""
    pytest.importorskip("pyarrow")
    failing.register()
    (tmp_path / "marks").mkdir()
    for name, content in CONTENTS.items():
        folder = tmp_path / "crawl" / "far" / "below" if name.startswith("page") else tmp_path / "crawl"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content())

    def options(**more: Any) -> Dict[str, Any]:
        given = {"root": str(tmp_path / "crawl"), "mark": str(tmp_path / "marks"), **more}
        return {"failing": given, "simplecache": {"cache_storage": str(tmp_path / "cache")}}

    yield options


def read(path: str, storage: Any, table: str = "links", **sizes: Any) -> List[str]:
    """The rows of all tasks, in order, wherever they come from."""
    from baseref._inputs import plan
    from baseref._tables import batches

    if not path.startswith("simplecache"):
        storage = storage["failing"]
    tasks = plan(path, storage=storage, **sizes)
    found = [row for task in tasks for batch in batches(task, table, {}) for row in batch.to_pylist()]
    return sorted(str((row.get("raw"), row.get("url"), row["base"])) for row in found)


PATHS = ["failing://", "failing://**", "failing://**/*.*", "failing://*", "simplecache::failing://"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("unlisted", ["far", "below"])
def test_a_folder_that_cannot_be_listed_is_not_left_out(
    crawl: Any, path: str, unlisted: str
) -> None:
    expected = read(path, crawl())
    assert len(expected) > 200
    with pytest.raises(OSError, match="does not answer"):
        read(path, crawl(way="always", unlisted=unlisted, after=2**40))
    storage = crawl(way="once", unlisted=unlisted, after=2**40)
    with pytest.raises(OSError, match="does not answer"):
        read(path, storage)
    assert read(path, storage) == expected


@pytest.mark.parametrize("table", ["links", "bases"])
@pytest.mark.parametrize("path", ["failing://", "simplecache::failing://"])
@pytest.mark.parametrize("most", [2**27, 700])
def test_tasks_have_all_rows_whatever_sizes_are_listed(
    crawl: Any, path: str, table: str, most: int
) -> None:
    expected = read(path, crawl(), table)
    for size in ("none", "small"):
        assert read(path, crawl(size=size), table, max_split_bytes=most) == expected
    if not path.startswith("simplecache"):
        assert read(path, crawl(way="pieces"), table, max_split_bytes=most) == expected
    with pytest.raises(OSError, match="ended after"):
        read(path, crawl(size="large"), table, max_split_bytes=most)


def test_what_cannot_be_sought_is_read_whole_or_raises(crawl: Any) -> None:
    expected = read("failing://", crawl())
    for size in ("true", "none"):
        assert read("failing://", crawl(way="stream", size=size)) == expected
    with pytest.raises(OSError, match="ended after"):
        read("failing://", crawl(way="stream", size="large"))
    # The ranges of some are found without opening them.
    with pytest.raises(Exception, match="(?i)seek"):
        read("failing://", crawl(way="stream"), max_split_bytes=700)


@pytest.mark.parametrize("way", ["once", "always", "short"])
def test_a_cache_in_front_of_failing_storage_loses_nothing(crawl: Any, way: str) -> None:
    expected = read("failing://", crawl())
    storage = crawl(way=way, after=100)
    for _ in range(len(CONTENTS) + 1):
        try:
            assert read("simplecache::failing://", storage) == expected
        except OSError:
            pass
