"""A script that uses the package, for `mypy --strict`."""

from typing import List, Optional

import baseref


def urls(path: str) -> List[Optional[str]]:
    links = baseref.links(path, links="all", jobs=2, on_error="collect")
    found = [link.url for link in links]
    for error in links.errors:
        line: Optional[int] = error.line
        print(error.doc, error.kind, line)
    return found


def sizes(path: str) -> List[int]:
    return [split.end - split.start for split in baseref.splits(path, 1000)]


first: Optional[str] = next(iter(baseref.bases(b"<p>"))).base
names: List[str] = baseref.LINK_SCHEMA.names
resolved = baseref.resolve("http://a/b", ["c", "d"])

found = baseref.audit(["site"], hosting="netlify", url_map={"site": "http://a/"}, level="note")
rules: List[str] = [finding.rule for finding in found]
moved = baseref.verify_move("site", from_="http://a/", to="http://b/", move={"http://a/c/": "http://d/"})
expected: List[Optional[str]] = [finding.expected for finding in moved]
links_of_audit: Optional[baseref.Records] = baseref.audit("site", with_links=True).links

# Misspelt values are errors of typing: each of these needs its comment.
baseref.links(b"", on_error="rase")  # type: ignore[arg-type]
baseref.links(b"", resolver="rfc1818")  # type: ignore[arg-type]
baseref.links(b"", input="htm")  # type: ignore[arg-type]
baseref.links(b"", saved_from="yes")  # type: ignore[arg-type]
baseref.links(b"", lonks="all")  # type: ignore[call-arg]
baseref.audit("site", level="eror")  # type: ignore[arg-type]
same: bool = next(iter(baseref.links(b""))) == next(iter(baseref.links(b"")))
lost: int = baseref.links(b"").unread
version: str = baseref.__version__
baseref.links(b"", fields=["url", "urll"])  # type: ignore[list-item]
baseref.bases(b"", fields=["url"])  # type: ignore[list-item]
baseref.links(b"", fields=["url", "line"])
pairs: List[Optional[str]] = baseref.resolve(["http://a/", None], ["b", "c"])
one: Optional[str] = baseref.resolve("http://a/", "b")
baseref.links(b"", progress=lambda documents, rows, size: print(documents, rows, size))
baseref.links(b"", progress=lambda documents: documents)  # type: ignore[misc, arg-type]
