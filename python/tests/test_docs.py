"""What the manual shows, except what needs an engine; that is run in the engine's own tests."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import snippets
from conftest import message, record


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the inputs that the examples name."""
    (tmp_path / "mail.mbox").write_text("".join(message(number) for number in range(5)))
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<a href=none.html>x</a><a href=/old/>y</a>")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("heading", ["Links", "Checks", "Splits", "Resolving columns", "Logs, progress, notebooks"])
def test_examples_run(inputs: Path, heading: str, capsys: pytest.CaptureFixture[str]) -> None:
    for snippet in snippets.of("python.md", heading):
        exec(snippet, {"__name__": "example", "baseref": __import__("baseref")})
        assert capsys.readouterr().out, "the example prints what it finds"


def test_examples_of_arrow_run(inputs: Path) -> None:
    for name in ("pyarrow", "polars", "duckdb"):
        pytest.importorskip(name)
    names = {"baseref": __import__("baseref")}
    for snippet in snippets.of("python.md", "Arrow"):
        exec(snippet, names)
    for written in ("links.parquet", "hosts.parquet"):
        assert (inputs / written).stat().st_size > 0


@pytest.mark.skipif("BASEREF" not in os.environ, reason="needs the command line")
def test_the_tasks_of_a_queue_give_what_one_run_gives(inputs: Path) -> None:
    binary = Path(os.environ["BASEREF"]).resolve()
    crawl = inputs / "crawl"
    crawl.mkdir()
    for number in range(3):
        (crawl / f"{number}.warc.gz").write_bytes(gzip.compress(record(number)))
    (script,) = snippets.of("scale.md", "Slurm, or any other queue", "sh")
    # What a queue does: the same command for each number of the array.
    queue = (
        "sbatch() { for command; do :; done; "
        'for SLURM_ARRAY_TASK_ID in $(seq 0 99); do (eval "$command") || exit; done; }\n'
    )
    path = {**os.environ, "PATH": f"{inputs}:{os.environ['PATH']}"}
    shutil.copy(binary, inputs / "baseref")
    subprocess.run(["sh", "-euc", queue + script], check=True, env=path)
    command = [binary, "links", "--links", "all", "-f", "jsonl", "crawl"]
    whole = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    parts = sorted(inputs.glob("links.*.jsonl"))
    assert len(parts) == 100
    assert b"".join(part.read_bytes() for part in parts) == whole
    assert whole
