#!/usr/bin/env python3
"""render_docs.py OUT: the README, the other pages at the top and the manual as HTML, links between
them kept, for `baseref audit OUT`."""

import re
import shutil
import sys
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent


def slug(value, separator):
    """The id that forges and mdBook give a heading."""
    kept = re.sub(r"[^\w\- ]", "", value.strip().lower())
    return kept.replace(" ", separator)


def render(page):
    text = page.read_text(encoding="utf-8")
    html = markdown.markdown(
        text,
        extensions=["fenced_code", "tables", "toc"],
        extension_configs={"toc": {"slugify": slug}},
    )
    html = re.sub(r'(href="(?![a-z]+:)[^"#]+)\.md(["#])', r"\1.html\2", html)
    return f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{page.name}</title>\n{html}\n'


def main():
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benches/*.md"), *ROOT.glob("fuzz/*.md")]
    for page in pages:
        target = out / page.relative_to(ROOT).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(page), encoding="utf-8")
    for picture in ROOT.glob("docs/*.png"):
        shutil.copy(picture, out / "docs")
    print(f"{len(pages)} pages")


main()
