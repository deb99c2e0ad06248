"""What is written by mistake, and the words that the message must have: one table for every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Tuple

# Below a folder with `a/1.html`, `a/2.html`, `b/3.html` and an empty folder.
_BELOW = [
    ("none", "none"),
    ("none/", "none"),
    ("none/*.html", "none/*.html"),
    ("*.warc", "*.warc"),
    ("a/1.htm", "1.htm"),
    ("a/1.html/", "1.html/"),
    ("a/1.html/x", "1.html/x"),
    ("A/1.html", "A/1.html"),
    ("{a,none}", "none"),
    ("{a,b}/{1,9}.html", "9.html"),
    ("{a", "{a"),
    ("a}", "a}"),
    ("[ab", "[ab"),
    ("a;b", "a;b"),
    ("a b", "a b"),
]

_ALONE = [
    ("", "empty"),
    (" ", "empty"),
    ("a,,b", "a,,b"),
    ("a,", "a,"),
    ("~/no-such-folder", "~/no-such-folder"),
    ("$HOME/no-such-folder", "$HOME"),
    ("file:none", "file:none"),
    ("file:///no/such/file", "/no/such/file"),
    ("file://host/share", "host/share"),
    ("s3:/bucket/key", "s3:/bucket/key"),
    ("C:\\crawl\\a.warc", "crawl"),
    ("unknown://a/b", "unknown"),
]

# Need fsspec.
_REMOTE = [
    ("memory://no-such/file", "no-such/file"),
    ("memory://no-such/*.html", "no-such/*.html"),
    ("memory://no-such/{a,b}", "no-such/a"),
]

# Option of Spark, as a text; option of Ray and of the wheel, if it is another; word of the message.
OPTIONS: List[Tuple[Dict[str, str], Dict[str, Any], str]] = [
    ({"lonks": "all"}, {"lonks": "all"}, "lonks"),
    ({"links": "al"}, {"links": "al"}, "links: `al`"),
    ({"fields": "url,urll"}, {"fields": ["url", "urll"]}, "fields: `urll`"),
    ({"resolver": "rfc1"}, {"resolver": "rfc1"}, "resolver: `rfc1`"),
    ({"input": "htm"}, {"input": "htm"}, "input: `htm`"),
    ({"saved_from": "yes"}, {"saved_from": "yes"}, "saved_from: `yes`"),
    ({"encoding": "klingon"}, {"encoding": "klingon"}, "encoding: no encoding"),
    ({"on_error": "ignore"}, {"on_error": "ignore"}, "on_error: `ignore`"),
    ({"url": "relative"}, {"url": "relative"}, "url: `relative`"),
    ({"comments": "maybe"}, {"comments": "maybe"}, "comments: "),
    ({"url_map": "x=y"}, {"url_map": "x=y"}, "url_map: "),
    ({"url_map": '{"a": "relative"}'}, {"url_map": {"a": "relative"}}, "relative"),
]

# Options that only engines have.
OF_ENGINES: List[Tuple[Dict[str, str], Dict[str, Any], str]] = [
    ({"table": "link"}, {"table": "link"}, "table: `link`"),
    ({"targetBytes": "many"}, {"target_bytes": "many"}, "target_?[bB]ytes: "),
    ({"maxSplitBytes": "-1"}, {"max_split_bytes": -1}, "max_?[sS]plit_?[bB]ytes: "),
    ({"storage_options": "[1]"}, {"storage_options": [1]}, "storage_options: "),
    ({"range": "0"}, {"range": (0, 1)}, "no option `range`"),
]

# Values of a wrong type, which texts cannot have.
OF_A_WRONG_TYPE: List[Tuple[Dict[str, Any], str]] = [
    ({"links": 3}, "links: "),
    ({"links": ["all"]}, "links: "),
    ({"fields": [1]}, "fields: "),
    ({"fields": 1}, "fields: "),
    ({"jobs": "2"}, "jobs: "),
    ({"jobs": -1}, "jobs: "),
    ({"batch_bytes": "4m"}, "batch_bytes: "),
    ({"comments": "no"}, "comments: "),
    ({"strict": 1}, "strict: "),
    ({"saved_from": True}, "saved_from: "),
    ({"url": 3}, "url: "),
    ({"url_map": [("a", "http://a/")]}, "url_map: "),
]


def paths(folder: Path, remote: bool = True) -> List[Tuple[str, str]]:
    """Each path as it is written, and what its message must name."""
    below = [(f"{folder}/{written}", word) for written, word in _BELOW]
    lists = [(f"{folder}/a/1.html,{folder}/none.html", "none.html"), (f"file:{folder}/none", "none")]
    return [*below, *lists, *_ALONE, *(_REMOTE if remote else [])]


def make(folder: Path) -> Path:
    """The folder that the paths are below."""
    for name in ("a/1.html", "a/2.html", "b/3.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("<a href=http://a/>b</a>")
    (folder / "empty").mkdir()
    return folder
