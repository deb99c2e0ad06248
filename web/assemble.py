#!/usr/bin/env python3
"""Puts the page together: style, scripts and the packed library in one file, allowed by their hashes.

    web/assemble.py BOUND FOLDER

BOUND is what wasm-bindgen made. Browsers let no page from disk load a module, a worker or wasm from
beside it, so that all of it is in the page, and the worker is made of its own text.
"""

import base64
import gzip
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent
PAGE = ROOT / "page"
REPORT = ROOT.parent / "crates/report/src/findings/html"
SCRIPTS = ["dom.js", "reader.js", "rows.js", "list.js", "choose.js", "detail.js", "main.js"]
# What a browser has to load is named, and CI holds the build to it.
MOST = 2_750_000


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy(script, style):
    report = [(REPORT / name).read_text() for name in ("page.js", "page.css")]
    return "; ".join([
        "default-src 'none'",
        f"script-src {digest(script)} {digest(report[0])} 'wasm-unsafe-eval'",
        f"style-src {digest(style)} {digest(report[1])}",
        "worker-src blob:",
        # The report, which has a policy of its own.
        "frame-src blob:",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types baseref",
    ])


def verdicts():
    """What the manual says of each verdict on a base."""
    manual = (ROOT.parent / "docs/bases.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|$", manual.split("## Verdicts")[1].split("\n## ")[0], re.M)
    if len(rows) < 15:
        raise SystemExit("docs/bases.md has no table of verdicts")
    return {name: words.replace("`", "") for name, words in rows}


def main():
    bound, out = map(pathlib.Path, sys.argv[1:])
    glue = (bound / "baseref_web.js").read_text()
    wasm = gzip.compress((bound / "baseref_web_bg.wasm").read_bytes(), 9, mtime=0)
    if len(wasm) > MOST:
        raise SystemExit(f"the library takes {len(wasm)} bytes, packed: more than {MOST}")
    read = lambda name: (PAGE / name).read_text()
    constants = f"const VERDICTS = {json.dumps(verdicts())};"
    script = "\"use strict\";\n" + constants + "\n" + glue + "\n" + "\n".join(read(name) for name in SCRIPTS)
    worker = glue + "\n" + read("worker.js")
    style = read("page.css")
    for text in (script, worker):
        if "</script" in text or "<!--" in text:
            raise SystemExit("a script would end in its middle")
    version = re.search(r'^version = "(.*)"$', (ROOT.parent / "Cargo.toml").read_text().split("[workspace.package]")[1], re.M)
    parts = {
        "policy": policy(script, style),
        "style": style,
        "script": script,
        "worker": worker,
        "wasm": base64.b64encode(wasm).decode(),
        "version": f"baseref {version[1]}",
    }
    page = re.sub(r"\{(policy|style|script|worker|wasm|version)\}", lambda m: parts[m[1]], read("index.html"))
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text(page)
    print(f"{out / 'index.html'}: {len(page.encode()):,} bytes, of which the library {len(wasm):,} packed")


if __name__ == "__main__":
    main()
