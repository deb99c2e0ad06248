#!/usr/bin/env python3
"""The CPU time of a first build, next to ripgrep's.

    benches/build.py

Runs `cargo install` of this clone and of ripgrep, each into a new folder with nothing built, and prints user and
system time and the multiple of ripgrep's.
"""

import os
import resource
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cpu_seconds(source: list[str]) -> float:
    """The CPU seconds that `cargo install` takes."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            ["cargo", "install", "--quiet", "--locked", "--root", folder, *source],
            env={**os.environ, "CARGO_TARGET_DIR": f"{folder}/target"},
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    theirs = cpu_seconds(["ripgrep"])
    print(f"ripgrep {theirs:.0f} s", flush=True)
    ours = cpu_seconds(["--path", str(ROOT)])
    print(f"baseref {ours:.0f} s, {ours / theirs:.1f} times ripgrep")


if __name__ == "__main__":
    main()
