"""``python -m baseref``: the command."""

from ._command import main

main()
