"""Object storage as S3 serves it, on good and on bad days: rows are those of the command, or a task fails."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List

import pytest

pytest.importorskip("pyarrow")
s3fs = pytest.importorskip("s3fs")
moto = pytest.importorskip("moto.moto_server.werkzeug_app")

from werkzeug.serving import make_server  # noqa: E402

from baseref._inputs import plan  # noqa: E402
from baseref._tables import batches  # noqa: E402
from conftest import comparable  # noqa: E402

Answer = Iterable[bytes]
Start = Callable[..., Any]

BUCKET = "crawl"


class Bad:
    """The service, with what is wrong with it: ``busy`` and ``lost`` fail the first answer for the
    content of each object, ``down`` every one; ``silent`` never answers; ``slow`` gives a few bytes
    at a time."""

    def __init__(self, service: Callable[..., Answer]) -> None:
        self.service, self.day = service, "good"
        self.failed: List[str] = []
        self.over = threading.Event()

    def __call__(self, asked: Dict[str, Any], start: Start) -> Answer:
        path = asked["PATH_INFO"]
        is_content = asked["REQUEST_METHOD"] == "GET" and path.count("/") > 1 and path[-1] != "/"
        if not is_content or self.day == "good":
            return self.service(asked, start)
        first = path not in self.failed
        self.failed.append(path)
        if self.day == "down" or (self.day == "busy" and first):
            body = b"<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
            start("503 Slow Down", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
            return [body]
        if self.day == "silent":
            self.over.wait(120)
        answer = b"".join(self.service(asked, start))
        if self.day == "lost" and first:
            return [answer[: len(answer) // 2]]
        return (answer[at : at + 7] for at in range(0, len(answer), 7))


@pytest.fixture(scope="module")
def service() -> Iterator[Any]:
    # What signs requests looks for these, whatever it is given.
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.setdefault(name, "test")
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    bad = Bad(moto.DomainDispatcherApplication(moto.create_backend_app))
    server = make_server("127.0.0.1", 0, bad, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bad.url = f"http://127.0.0.1:{server.server_port}"
    yield bad
    bad.over.set()
    server.shutdown()


@pytest.fixture
def storage(service: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Options of s3fs for the service, which has the folder in a bucket."""
    # Besides what `retries` says: five times of its own.
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 2)
    service.day, service.failed = "good", []

    def options(attempts: int) -> Dict[str, Any]:
        retries = {"max_attempts": attempts, "mode": "standard"}
        return {
            "endpoint_url": service.url,
            "config_kwargs": {"read_timeout": 1, "connect_timeout": 10, "retries": retries},
            # Else instances, and what they know, are shared between tests.
            "skip_instance_cache": True,
        }

    storage = s3fs.S3FileSystem(**options(1))
    if not storage.exists(BUCKET):
        storage.mkdir(BUCKET)
        storage.put(f"{folder}/", f"{BUCKET}/", recursive=True)
    yield options
    service.day = "good"


def read(storage: Dict[str, Any], folder: Path) -> List[Dict[str, Any]]:
    tasks = plan(f"s3a://{BUCKET}/", storage=storage)
    found = [row for task in tasks for batch in batches(task, "links", {"links": "all"}) for row in batch.to_pylist()]
    for row in found:
        row["doc"] = row["doc"].replace(f"s3a://{BUCKET}", str(folder))
    return found


@pytest.mark.parametrize("day", ["good", "busy", "lost", "slow"])
def test_rows_are_those_of_the_command(
    service: Any, storage: Any, folder: Path, expected: Any, day: str
) -> None:
    service.day = day
    assert comparable(read(storage(5), folder)) == expected
    assert day == "good" or service.failed


@pytest.mark.parametrize("day", ["down", "silent"])
def test_a_task_fails_and_loses_no_row_when_it_is_tried_again(
    service: Any, storage: Any, folder: Path, expected: Any, day: str
) -> None:
    service.day = day
    with pytest.raises(OSError):
        read(storage(1), folder)
    service.day = "good"
    assert comparable(read(storage(1), folder)) == expected
