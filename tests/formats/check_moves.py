#!/usr/bin/env python3
"""Holds what `baseref verify-move` mends against the parser and the resolver of Python.

    python3 tests/formats/check_moves.py BASEREF

A tree in several encodings is planted with links of every form, mended by folder, by `patch -p1` and by the `fixes` of
SARIF. All three must give the same bytes, and every link of the mended tree, resolved at the new place, must be the old
target, moved. Prints `N passed, N failed`.
"""

import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import urldefrag, urljoin

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from checks import Checks  # noqa: E402

HERE = pathlib.Path(__file__).parent
OLD, TWIN, NEW = "http://old.example.com/", "https://old.example.com/", "https://www.example.com/docs/"
# Of each link the value; what is in the tree moves, everything else stays.
LINKS = ["b.html", "../b.html#s", "/b.html", "/g/x/y.html?q=1&r=2", OLD + "c.html", TWIN + "d/", "//old.example.com/e.html",
         "http://OLD.example.com:80/f.html", "../../b.html", "http://cdn.example.net/x.js", "mailto:x@y", "#top", "?p=2",
         "http://old.example.com.evil.test/", NEW + "new.html", "/p/%7Euser/", "/quote's.html"]
PAGES = {"g/a.html": "utf-8", "g/w.html": "windows-1251", "g/j.html": "shift_jis", "g/u.html": "utf-16", "top.html": "utf-8"}
BASED = {"g/base.html": OLD + "g/", "g/root.html": "/g/"}


def page(encoding, base=None):
    lines = [f'<!DOCTYPE html><meta charset="{encoding}"><title>Привет</title>']
    if base:
        lines.append(f'<base href="{base}">')
    for number, link in enumerate(LINKS):
        escaped = link.replace("&", "&amp;")
        lines.append([f'<a class=x href="{escaped}">Текст</a>', f"<p>Текст <a href='{escaped.replace(chr(39), '&#39;')}'>x</a>",
                      f"<a\n href={escaped} id=n>x</a>\r"][number % 3])
    lines.append('<img src=/i.png srcset="/i.png 1x, //old.example.com/j.png 2x"><form action=/f></form>')
    lines.append('<!-- http://old.example.com/ --><pre>&lt;a href="http://old.example.com/"&gt;</pre>')
    return "\n".join(lines).encode(encoding, "xmlcharrefreplace")


class Links(html.parser.HTMLParser):
    """The links of a page and its base, in document order."""

    def __init__(self, text):
        super().__init__()
        self.base, self.links = None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if tag == "base" and name == "href":
                self.base = self.base or value
            elif name in ("href", "src", "action"):
                self.links.append(value)
            elif name == "srcset":
                self.links.extend(part.split()[0] for part in value.split(","))


def resolved(data, encoding, url):
    links = Links(data.decode(encoding))
    base = urljoin(url, links.base) if links.base else url
    return [urljoin(base, link) for link in links.links]


def normal(url):
    """The normal form, as far as the planted links need one."""
    for old in ("http://OLD.example.com:80/",):
        url = url.replace(old, OLD)
    bare, fragment = urldefrag(url)
    bare = bare.replace("%7E", "~").replace("'", "%27").replace("/../", "/")
    return bare + ("#" + fragment if fragment else "")


def moved(url):
    url = normal(url)
    for old in (OLD, TWIN):
        if url.startswith(old):
            return NEW + url[len(old):]
    return url


def run(binary, root, *options, tree="site"):
    command = [binary, "verify-move", "--from", OLD, "--also-old", TWIN, "--to", NEW, *options, tree]
    done = subprocess.run(command, cwd=root, capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"verify-move ended with {done.returncode}: {done.stderr.decode()}")
    return done


def by_sarif(log, root):
    """The files with the replacements of every fix, each made once."""
    edits = {}
    for result in log["runs"][0]["results"]:
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                for one in change["replacements"]:
                    region = one["deletedRegion"]
                    place = (region["byteOffset"], region["byteLength"])
                    edits.setdefault(change["artifactLocation"]["uri"], {})[place] = one["insertedContent"]["text"]
    files = {}
    for uri, places in edits.items():
        data = (root / uri).read_bytes()
        name = uri.removeprefix("site/")
        encoding = (PAGES.get(name) or "utf-8").replace("utf-16", "utf-16-le")
        for (start, length), text in sorted(places.items(), reverse=True):
            data = data[:start] + text.encode(encoding) + data[start + length:]
        files[name] = data
    return files


def main():
    binary, checks = str(pathlib.Path(sys.argv[1]).resolve()), Checks()
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        pages = {name: (encoding, page(encoding)) for name, encoding in PAGES.items()}
        pages |= {name: ("utf-8", page("utf-8", base)) for name, base in BASED.items()}
        for name, (_, data) in pages.items():
            (root / "site" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "site" / name).write_bytes(data)
        run(binary, root, "--fix", "mended", "--out", "sarif=move.sarif", "--level", "note")
        log = json.loads((root / "move.sarif").read_text())
        jsonschema.validate(log, json.loads((HERE / "sarif-schema-2.1.0.json").read_text()))
        from_sarif = by_sarif(log, root)
        patch = run(binary, root, "--fix", "patch").stdout
        subprocess.run(["cp", "-r", "site", "patched"], cwd=root, check=True)
        subprocess.run(["patch", "-s", "-p1"], cwd=root / "patched", input=patch, check=True)
        for name, (encoding, data) in pages.items():
            mended = (root / "mended" / name).read_bytes()
            checks.equal(f"{name}: the patch gives the mended page", (root / "patched" / name).read_bytes(), mended)
            checks.equal(f"{name}: the fixes of SARIF give it", from_sarif.get(name), mended)
            before, after = resolved(data, encoding, OLD + name), resolved(mended, encoding, NEW + name)
            checks.equal(f"{name}: every link is there", len(after), len(before))
            for old, new in zip(before, after):
                checks.equal(f"{name}: {old}", normal(new), moved(old))
        again = run(binary, root, "--fix", "patch", tree="mended")
        checks.equal("a second run edits nothing", (again.returncode, again.stdout), (0, b""))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
