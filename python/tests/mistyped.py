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
    ("a/1.html ", "1.html "),
    ("a/1.html\t", "1.html"),
    ("'a/1.html'", "'a/1.html'"),
    ('"a"', '"a"'),
    ("\u0430/1.html", "\u0430/1.html"),
    ("a/\uff11.html", "\uff11.html"),
    ("a\u2215" + "1.html", "a\u2215" + "1.html"),
    ("a/1\u200b.html", "html"),
    ("a%2F1.html", "a%2F1.html"),
    ("a\\1.html", "1.html"),
    ("a/1.HTML", "1.HTML"),
    ("*.HTML", "*.HTML"),
    ("a/**.warc", "a/**.warc"),
    ("empty/*", "empty/*"),
    ("a/1.html?", "1.html?"),
    ("a/1.html#top", "1.html#top"),
    ("a/[0]", "a/[0]"),
    ("a:b", "a:b"),
    ("...", "..."),
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
    ("\n", "empty"),
    (",", ","),
    ("~no-such-user/x", "~no-such-user/x"),
    ("${HOME}/no-such-folder", "HOME"),
    ("%HOME%/no-such-folder", "%HOME%"),
    ("http:/host/page.html", "http:/host"),
    ("//no-such/file", "no-such/file"),
    ("-", "-"),
    ("simplecache::/no/such/file", "simplecache"),
    ("None", "None"),
    ("['a', 'b']", "['a'"),
]

# Need fsspec.
_REMOTE = [
    ("memory://no-such/file", "no-such/file"),
    ("memory://no-such/*.html", "no-such/*.html"),
    ("memory://no-such/{a,b}", "no-such/a"),
    ("MEMORY://no-such", "no-such"),
    ("simplecache::memory://no-such", "no-such"),
    ("nocache::memory://no-such", "nocache"),
    ("memory://no-such,memory://none", "no-such"),
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
    ({"links": "ALL"}, {"links": "ALL"}, "links: `ALL`"),
    ({"links": "anchor,"}, {"links": "anchor,"}, "links: ``"),
    ({"links": ""}, {"links": ""}, "links: ``"),
    ({"links": "anchor;image"}, {"links": "anchor;image"}, "links: `anchor;image`"),
    ({"links": "\u0430ll"}, {"links": "\u0430ll"}, "links: `\u0430ll`"),
    ({"links": "true"}, {"links": "true"}, "links: `true`"),
    ({"fields": ""}, {"fields": ""}, "fields: "),
    ({"fields": "URL"}, {"fields": ["URL"]}, "fields: `URL`"),
    ({"fields": "url;line"}, {"fields": "url;line"}, "fields: `url;line`"),
    ({"fields": "['url']"}, {"fields": "['url']"}, r"fields: `\['url'\]`"),
    ({"fields": "*"}, {"fields": "*"}, r"fields: `\*`"),
    ({"resolver": "RFC3986"}, {"resolver": "RFC3986"}, "resolver: `RFC3986`"),
    ({"resolver": "rfc3986 "}, {"resolver": "rfc3986 "}, "resolver: `rfc3986 `"),
    ({"input": ".html"}, {"input": ".html"}, "input: `.html`"),
    ({"input": "warc.gz"}, {"input": "warc.gz"}, "input: `warc.gz`"),
    ({"input": ""}, {"input": ""}, "input: ``"),
    ({"saved_from": "AUTO"}, {"saved_from": "AUTO"}, "saved_from: `AUTO`"),
    ({"encoding": ""}, {"encoding": ""}, "encoding: no encoding"),
    ({"encoding": "utf_8"}, {"encoding": "utf_8"}, "encoding: no encoding.*`utf_8`"),
    ({"on_error": "Raise"}, {"on_error": "Raise"}, "on_error: `Raise`"),
    ({"on_error": ""}, {"on_error": ""}, "on_error: ``"),
    ({"url": ""}, {"url": ""}, "url: ``"),
    ({"url": "//host/path"}, {"url": "//host/path"}, "url: `//host/path`"),
    ({"url": "www.example.org"}, {"url": "www.example.org"}, "url: `www.example.org`"),
    ({"strict": "on"}, {"strict": "on"}, "strict: "),
    ({"unwrap_archive": ""}, {"unwrap_archive": ""}, "unwrap_archive: "),
    ({"url_map": '{"a": 1}'}, {"url_map": {"a": 1}}, "url_map: "),
    ({"url_map": "[]"}, {"url_map": []}, "url_map: "),
    ({"url_map": '"http://a/"'}, {"url_map": "http://a/"}, "url_map: "),
    ({"Fields_": "url"}, {"Fields": "url"}, "(?i)fields"),
    ({"link": "all"}, {"link": "all"}, "`?link`?"),
]

# Options that only engines have.
OF_ENGINES: List[Tuple[Dict[str, str], Dict[str, Any], str]] = [
    ({"table": "link"}, {"table": "link"}, "table: `link`"),
    ({"targetBytes": "many"}, {"target_bytes": "many"}, "target_?[bB]ytes: "),
    ({"maxSplitBytes": "-1"}, {"max_split_bytes": -1}, "max_?[sS]plit_?[bB]ytes: "),
    ({"storage_options": "[1]"}, {"storage_options": [1]}, "storage_options: "),
    ({"range": "0"}, {"range": (0, 1)}, "no option `range`"),
    ({"table": "Links"}, {"table": "Links"}, "table: `Links`"),
    ({"table": ""}, {"table": ""}, "table: ``"),
    ({"table": "link,errors"}, {"table": ["links"]}, "table: `"),
    ({"table": "bases "}, {"table": None}, "table: `"),
    ({"targetBytes": ""}, {"target_bytes": None}, "target_?[bB]ytes: "),
    ({"targetBytes": "1e6"}, {"target_bytes": 1e6}, "target_?[bB]ytes: "),
    ({"maxSplitBytes": "1,5m"}, {"max_split_bytes": True}, "max_?[sS]plit_?[bB]ytes: "),
    ({"maxSplitBytes": "0x10"}, {"max_split_bytes": "128m"}, "max_?[sS]plit_?[bB]ytes: "),
    ({"storage_options": "{'a': 1}"}, {"storage_options": "{}"}, "storage_options: "),
    ({"storageOptions": "{}"}, {"storageOptions": {}}, "(?i)no option `storageoptions`"),
    ({"recursiveFileLookup": "true"}, {"parallelism": 2}, "(?i)no option `(recursivefilelookup|parallelism)`"),
    ({"jobs": "2"}, {"override_num_blocks": 2}, "no option `(jobs|override_num_blocks)`"),
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
    ({"url_map": {None: "http://a/"}}, "url_map: "),
    ({"url_map": {"a": None}}, "url_map: "),
    ({"links": None}, "links: "),
    ({"links": b"all"}, "links: "),
    ({"fields": [None]}, "fields: "),
    ({"fields": [b"url"]}, "fields: "),
    ({"fields": []}, "fields: "),
    ({"fields": b"url"}, "fields: "),
    ({"jobs": 1.5}, "jobs: "),
    ({"jobs": None}, "jobs: "),
    ({"jobs": 2**70}, "jobs: "),
    ({"batch_bytes": -1}, "batch_bytes: "),
    ({"batch_bytes": 1e6}, "batch_bytes: "),
    ({"comments": None}, "comments: "),
    ({"resolver": None}, "resolver: "),
    ({"input": None}, "input: "),
    ({"encoding": 8}, "encoding: "),
    ({"on_error": None}, "on_error: "),
    ({"on_error": True}, "on_error: "),
    ({"url": b"http://a/"}, "url: "),
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
