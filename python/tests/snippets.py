"""The examples of the manual, to be run."""

from __future__ import annotations

from pathlib import Path
from typing import List

DOCS = Path(__file__).parents[2] / "docs"


def of(page: str, heading: str, language: str = "python") -> List[str]:
    """The code under a heading of a page."""
    text = (DOCS / page).read_text()
    _, found, section = text.partition(f"\n## {heading}\n")
    assert found, heading
    section = section.partition("\n## ")[0]
    blocks = section.split(f"```{language}\n")[1:]
    assert blocks, heading
    return [block.partition("```")[0] for block in blocks]
