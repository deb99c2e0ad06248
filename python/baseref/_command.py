"""The command ``baseref``: the program of the other packages, in the process of this interpreter.

It gives the same bytes, exit codes and deaths by signals. Whatever the interpreter has set up
differently from an executable is undone here.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

# An interrupt ends the program, and is no exception. What started the interpreter may have had it
# ignored, as `nohup` does: then it still is.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
# Ignored by every interpreter.
if hasattr(signal, "SIGXFSZ"):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

from . import _baseref  # noqa: E402


def main() -> NoReturn:
    """Runs the command line, and ends the process with its exit code."""
    _open_standard_streams()
    # Without ending the interpreter, whose work is done: nothing of Python is left to be written.
    os._exit(_baseref._run(sys.argv[1:]))


def _open_standard_streams() -> None:
    """No file that the program opens may get the number of a closed standard stream.

    The program knows already that its output was closed: it looks before this.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
