"""A cluster of processes of its own that loses executors and workers: rows are those of the command."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

pyspark = pytest.importorskip("pyspark")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

from conftest import comparable  # noqa: E402

HOST = "127.0.0.1"
MEMORY = "512m"


class Process:
    """A process of Spark, and what it says."""

    def __init__(self, role: str, *arguments: str) -> None:
        home = os.path.dirname(pyspark.__file__)
        self.running = subprocess.Popen(
            [f"{home}/bin/spark-class", f"org.apache.spark.deploy.{role.lower()}.{role}", *arguments],
            env={**os.environ, "SPARK_HOME": home, "SPARK_LOCAL_IP": HOST},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: "queue.Queue[str]" = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.running.stdout or ():
            self.lines.put(line)

    def said(self, pattern: str) -> str:
        """The part of a line that matches, as soon as there is one."""
        while True:
            found = re.search(pattern, self.lines.get(timeout=120))
            if found:
                return found.group()

    def stop(self) -> None:
        try:
            os.killpg(self.running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.running.wait()


class Cluster:
    """A master, and workers of one core each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.master = Process("Master", "--host", HOST, "--port", "0", "--webui-port", "0")
        self.processes = [self.master]
        self.url = self.master.said(r"spark://[\d.]+:\d+")

    def add_worker(self) -> None:
        work = str(self.folder / f"work-{len(self.processes)}")
        settings = ["--host", HOST, "--cores", "1", "--memory", "1g", "--webui-port", "0"]
        worker = Process("Worker", *settings, "--work-dir", work, self.url)
        self.processes.append(worker)
        worker.said("Successfully registered with master")

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    import baseref.spark

    before = SparkSession.getActiveSession()
    if before is not None:
        before.stop()
    session = (
        SparkSession.builder.master(cluster.url)
        .config("spark.driver.host", HOST)
        .config("spark.driver.bindAddress", HOST)
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", MEMORY)
        .config("spark.executor.cores", "1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    baseref.spark.register(session)
    yield session
    session.stop()
    # Other tests begin with an engine that has their settings and their environment.
    pyspark.SparkContext._gateway.shutdown()
    pyspark.SparkContext._gateway = pyspark.SparkContext._jvm = None


def losing(mark: Path, kill: str) -> Any:
    """Passes batches on; once, after one has been passed on, kills its executor or its worker."""
    name = str(mark)

    def pass_on(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import signal

        def ancestor_of(process: int, words: str) -> int:
            while process > 1:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    if words.encode() in file.read():
                        return process
                with open(f"/proc/{process}/stat") as file:
                    process = int(file.read().rpartition(")")[2].split()[1])
            raise AssertionError(f"not below {words}")

        for batch in batches:
            yield batch
            try:
                os.close(os.open(name, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(ancestor_of(os.getppid(), kill), signal.SIGKILL)

    return pass_on


def links(spark: Any, folder: Path) -> Any:
    # Tasks small enough for some to be done, some running, and some waiting when one is lost.
    reader = spark.read.format("baseref").option("links", "all").option("maxSplitBytes", "3000")
    return reader.load(str(folder))


def rows(frame: Any) -> Dict[Any, Any]:
    return comparable([row.asDict() for row in frame.collect()])


def test_a_killed_executor_loses_no_row(
    spark: Any, folder: Path, expected: Any, tmp_path: Path
) -> None:
    frame = links(spark, folder)
    for number in range(3):
        mark = tmp_path / f"executor-{number}"
        lost = frame.mapInArrow(losing(mark, "CoarseGrainedExecutorBackend"), frame.schema)
        assert rows(lost) == expected
        assert mark.exists(), "an executor was killed"


def test_a_stage_tried_again_after_a_shuffle_loses_no_row(
    spark: Any, folder: Path, expected: Any, tmp_path: Path
) -> None:
    mark = tmp_path / "stage"
    # What the first stage has written is gone with the executor that has it.
    frame = links(spark, folder).repartition(4, "url")
    lost = frame.mapInArrow(losing(mark, "CoarseGrainedExecutorBackend"), frame.schema)
    assert rows(lost) == expected
    assert mark.exists(), "an executor was killed"


def test_a_lost_worker_loses_no_row(
    cluster: Cluster, spark: Any, folder: Path, expected: Any, tmp_path: Path
) -> None:
    frame = links(spark, folder)
    mark = tmp_path / "worker"
    lost = frame.mapInArrow(losing(mark, "org.apache.spark.deploy.worker.Worker"), frame.schema)
    assert rows(lost) == expected
    assert mark.exists(), "a worker was killed"
    assert [process.running.poll() is None for process in cluster.processes].count(False) == 1
