"""The command in the wheel is the program of the other packages: bytes, exit codes, signals."""

from __future__ import annotations

import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest

PROGRAM = [os.environ["BASEREF"]]
SCRIPT = [os.path.join(sysconfig.get_path("scripts"), "baseref")]
MODULE = [sys.executable, "-m", "baseref"]

End = Tuple[int, bytes, bytes]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    links = "".join(f"<a href=gone{number}.html>x</a>\n" for number in range(20000))
    (folder / "page.html").write_text(f"<base href=http://a/b/>{links}")
    (folder / "index.html").write_text("<a href=none.html>x</a><a href=page.html>y</a>")
    (folder / "sound.eml").write_text("Content-Type: text/html\n\n<a href=http://c/>d</a>")
    (folder / "cut.warc.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\0cut off")
    return folder


def ran(command: List[str], arguments: List[Any], folder: Path, **more: Any) -> End:
    run = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, **more)
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("command", [SCRIPT, MODULE], ids=["script", "module"])
@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--version"], 0),
        (["--help"], 0),
        (["help", "links"], 0),
        (["page.html", "-f", "jsonl"], 0),
        (["links", "--links", "all", "--stats", "sound.eml"], 0),
        (["audit", "--glob", "*.html", "."], 1),
        (["links", "--no-such-option"], 2),
        (["links", "missing.html"], 3),
        (["links", "cut.warc.gz"], 3),
        (["links", b"not-utf-8-\xff.html"], 3),
        (["man"], 0),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else None,
)
def test_bytes_and_exit_codes_are_those_of_the_program(
    site: Path, command: List[str], arguments: List[Any], code: int
) -> None:
    found = ran(command, arguments, site, stdin=subprocess.DEVNULL)
    assert found == ran(PROGRAM, arguments, site, stdin=subprocess.DEVNULL)
    assert found[0] == code


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_closed_standard_stream_means_the_same(site: Path, number: int) -> None:
    def run(command: List[str]) -> End:
        # By a shell: `subprocess` itself needs the streams.
        line = f'exec "$@" {number}{"<" if number == 0 else ">"}&-'
        return ran(["bash", "-c", line, "shell", *command], ["links", "page.html"], site)

    assert run(SCRIPT) == run(PROGRAM)
    if number == 1:
        assert run(SCRIPT)[0] == 2


def test_a_closed_pipe_ends_both_alike(site: Path) -> None:
    def run(command: List[str]) -> Tuple[int, bytes]:
        reading, writing = os.pipe()
        os.close(reading)
        arguments = [*command, "links", "page.html"]
        run = subprocess.run(arguments, cwd=site, stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        return run.returncode, run.stderr

    assert run(SCRIPT) == run(PROGRAM)


def damaged(content: bytes) -> Dict[str, bytes]:
    """Ways in which a file arrives."""
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0x41
    return {
        "whole": content,
        "third": content[: len(content) // 3],
        "short": content[:-1],
        "flipped": bytes(flipped),
        "twice": content + content[: len(content) // 2],
        "packed": gzip.compress(content)[:-9],
    }


def test_both_count_alike_what_was_not_read(folder: Path, tmp_path: Path) -> None:
    import baseref

    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.html", f"<a href=http://z{number}/>x</a>" * 20)
    inputs = [path for path in folder.rglob("*") if path.is_file()]
    told: List[int] = []
    for path in [*sorted(inputs), tmp_path / "site.zip"]:
        for way, content in damaged(path.read_bytes()).items():
            given = tmp_path / f"{way}-{path.name}{'.gz' if way == 'packed' else ''}"
            given.write_bytes(content)
            code, _, said = ran(PROGRAM, ["links", given], tmp_path, stdin=subprocess.DEVNULL)
            number = re.search(rb"(\d+) inputs? or parts? could not be read", said)
            # A single input that cannot be read is reported once, without a total.
            told.append(int(code == 3) if number is None else int(number[1]))
            assert code == (3 if told[-1] else 0)
            links = baseref.links(given, on_error="collect")
            list(links)
            assert links.unread == told[-1], given.name
            try:
                list(baseref.links(given, on_error="raise"))
                assert not told[-1], given.name
            except baseref.ReadError as error:
                assert told[-1] and error.is_loss, given.name
    assert 10 < sum(map(bool, told)) < len(told) - 10


def interrupted(command: List[str], folder: Path, number: int, ignored: bool) -> Tuple[int, bytes]:
    """How a run that is reading ends at a signal; what it was writing is gone."""

    def begin() -> None:
        # Whatever the tests themselves were started with: a shell in the background ignores SIGINT.
        signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)

    run = subprocess.Popen(
        [*command, "links", "--input", "mbox", "-o", "out.txt", "-"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=begin,
    )
    assert run.stdin is not None
    # More than a pipe holds: when it is written, the program is reading.
    message = b"From a@b Fri Jan 27 10:00:00 2017\nSubject: x\n\n" + b"text\n" * 200
    run.stdin.write(message * 4000)
    run.stdin.flush()
    run.send_signal(number)
    if not ignored:
        # Before its input ends: at the end it might be done before the signal is looked at.
        run.wait(timeout=100)
    error = run.communicate()[1]
    assert ignored or [path.name for path in folder.iterdir() if "out.txt" in path.name] == []
    return run.returncode, error


@pytest.mark.parametrize("ignored", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_both_alike(tmp_path: Path, number: int, ignored: bool) -> None:
    ends = []
    for command in (PROGRAM, SCRIPT):
        folder = tmp_path / str(len(ends))
        folder.mkdir()
        ends.append(interrupted(command, folder, number, ignored))
    assert ends[0] == ends[1]
    assert ends[0][0] == (0 if ignored else -number)


def test_a_file_that_may_not_grow_ends_both_alike(site: Path, tmp_path: Path) -> None:
    def run(command: List[str]) -> Tuple[int, bytes]:
        with open(tmp_path / "out.txt", "wb") as file:
            run = subprocess.run(
                [*command, "links", "page.html"],
                cwd=site,
                stdout=file,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
            )
        return run.returncode, run.stderr

    assert run(SCRIPT) == run(PROGRAM)


def on_terminal(command: List[str], arguments: List[str], folder: Path, columns: int) -> bytes:
    """What a terminal of that width is sent."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment: Dict[str, str] = {**os.environ, "TERM": "xterm-256color"}
    for name in ("NO_COLOR", "COLUMNS", "CLICOLOR", "CLICOLOR_FORCE"):
        environment.pop(name, None)
    run = subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    sent = b""
    while True:
        try:
            piece: Optional[bytes] = os.read(ours, 65536)
        except OSError:
            piece = None
        if not piece:
            break
        sent += piece
    os.close(ours)
    run.wait()
    return sent


def test_a_terminal_is_sent_the_same_widths_and_colours(site: Path) -> None:
    wide = on_terminal(SCRIPT, ["links", "--help"], site, 150)
    narrow = on_terminal(SCRIPT, ["links", "--help"], site, 60)
    assert wide == on_terminal(PROGRAM, ["links", "--help"], site, 150)
    assert narrow == on_terminal(PROGRAM, ["links", "--help"], site, 60)
    assert wide != narrow
    audit = ["audit", "--glob", "index.html", "."]
    found = on_terminal(SCRIPT, audit, site, 80)
    assert found == on_terminal(PROGRAM, audit, site, 80)
    assert b"\x1b[" in found
