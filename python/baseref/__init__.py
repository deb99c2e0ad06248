"""Base URLs and resolved links of saved HTML, mail, mailboxes and web archives.

>>> import baseref
>>> page = b'<base href="http://a/b/c"><a href="../x">up</a>'
>>> [link.url for link in baseref.links(page)]
['http://a/x']

``links`` and ``bases`` give streams of Arrow batches: ``pyarrow.table(...)``,
``polars.from_arrow(...)`` and ``duckdb.sql(...)`` take them without a copy.
"""

from __future__ import annotations

import builtins
import os
from typing import Any, BinaryIO, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _baseref
from ._baseref import Records, Row, Schema
from ._errors import ReadError, ReadWarning

__all__ = [
    "BASE_SCHEMA",
    "LINK_SCHEMA",
    "ReadError",
    "ReadWarning",
    "Records",
    "Row",
    "Schema",
    "Split",
    "bases",
    "link_schema",
    "links",
    "resolve",
    "splits",
]

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, BinaryIO]
Range = Union["Split", Tuple[int, int]]

BATCH_BYTES = 4 * 1024 * 1024

_DEFAULTS: "builtins.dict[str, Any]" = {
    "links": "anchors",
    "comments": False,
    "unwrap_archive": False,
    "fields": None,
    "url": None,
    "url_map": None,
    "saved_from": "off",
    "resolver": "rfc1808",
    "strict": False,
    "input": "auto",
    "encoding": None,
    "jobs": 1,
    "range": None,
    "name": None,
    "named": True,
    "on_error": "warn",
    "dictionaries": False,
    "batch_bytes": BATCH_BYTES,
}

LINK_SCHEMA: Schema = _baseref.link_schema(None)
"""The columns that `links` gives by default, with their types and what they hold."""

BASE_SCHEMA: Schema = _baseref.base_schema()
"""The columns that `bases` gives."""


class Split(Tuple[int, int]):
    """A byte range of an input: a tuple ``(start, end)``.

    ``line`` is the line of the input on which the range begins, if an entity is known to begin
    exactly there; reading then need not look for it.
    """

    line: Optional[int]

    def __new__(cls, start: int, end: int, line: Optional[int] = None) -> "Split":
        split = super().__new__(cls, (start, end))
        split.line = line
        return split

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Split, (self[0], self[1], self.line))

    @property
    def start(self) -> int:
        """Where it begins, in bytes of the input as it is stored."""
        return self[0]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self[1]


def links(
    source: Source,
    *,
    links: str = "anchors",
    comments: bool = False,
    unwrap_archive: bool = False,
    fields: Union[str, Sequence[str], None] = None,
    url: Optional[str] = None,
    url_map: Optional[Mapping[str, str]] = None,
    saved_from: str = "off",
    resolver: str = "rfc1808",
    strict: bool = False,
    input: str = "auto",
    encoding: Optional[str] = None,
    jobs: int = 1,
    range: Optional[Range] = None,
    name: Optional[str] = None,
    on_error: str = "warn",
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
) -> Records:
    """Every link of the documents of a source, resolved.

    ``source`` is a path (a directory is walked), bytes, or a binary file object, which is read
    in chunks. The options have the names and meanings that they have on the command line.
    Besides:

    - ``fields``: the columns, as a list or between commas; ``"+NAME"`` adds to the default
      ones. Columns that are not asked for are not computed.
    - ``jobs``: how many threads read; 0 for one on each core. The result is the same.
    - ``range``: only the entities (messages, records) that begin at a byte in ``[a, b)``;
      see `splits`. They are named by their offset: ``box.mbox@123456``.
    - ``name``: what the source is called in ``doc``, for bytes and file objects.
    - ``on_error``: what becomes of what cannot be read: ``"warn"``, ``"collect"`` or
      ``"raise"`` (a `ReadError`). It is in ``.errors`` in any case.
    - ``dictionaries``: store repeated texts once (Arrow's dictionary encoding).
    - ``batch_bytes``: about how large a batch may be.

    The GIL is released while reading. Nothing is read before the records are asked for.

    >>> import baseref
    >>> mail = b"Content-Base: http://a/b/\\nContent-Type: text/html\\n\\n<a href=c>d</a>"
    >>> for link in baseref.links(mail):
    ...     print(link.url, link.base_source, link.line)
    http://a/b/c header 1
    """
    given = dict(locals())
    return _baseref.links(given.pop("source"), _options(**given))


def bases(
    source: Source,
    *,
    fields: Union[str, Sequence[str], None] = None,
    url: Optional[str] = None,
    url_map: Optional[Mapping[str, str]] = None,
    saved_from: str = "off",
    resolver: str = "rfc1808",
    strict: bool = False,
    input: str = "auto",
    encoding: Optional[str] = None,
    jobs: int = 1,
    range: Optional[Range] = None,
    name: Optional[str] = None,
    on_error: str = "warn",
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
) -> Records:
    """The base URL of every document of a source, and how it was found.

    The options are those of `links`. ``candidates`` and ``notes`` are texts of JSON.

    >>> import baseref
    >>> page = b'<base href="http://a/b/c"><base href="http://d/">'
    >>> [(base.base, base.base_source) for base in baseref.bases(page)]
    [('http://a/b/c', 'element')]
    """
    given = dict(locals())
    return _baseref.bases(given.pop("source"), _options(**given))


def splits(
    source: Source,
    max_bytes: int,
    *,
    input: str = "auto",
    name: Optional[str] = None,
) -> List[Split]:
    """The byte ranges of about ``max_bytes`` that a source can be read in, apart from each other.

    ``links(source, range=split)`` of all of them gives what ``links(source)`` gives, each link
    once. The source must be a file, bytes, or a seekable file object. A source that cannot be
    cut is one split.

    >>> import baseref
    >>> message = b"From a@b Fri Jan 27 10:00:00 2017\\nFrom: a\\n\\ntext\\n\\n"
    >>> baseref.splits(message * 3, 100)
    [(0, 98), (98, 147)]
    """
    found = _baseref.splits(source, max_bytes, input, name)
    return [Split(start, end, line) for start, end, line in found]


def resolve(
    base: Optional[str],
    refs: Union[str, Iterable[str]],
    *,
    rules: str = "rfc1808",
) -> Any:
    """What references resolve to against a base, by ``rfc1808``, ``rfc3986`` or ``whatwg``.

    One reference gives one URL, several a list; ``None`` where there is none. ``base`` is
    ``None`` or empty where no base is known.

    >>> import baseref
    >>> baseref.resolve("http://a/b/c/d", "../g")
    'http://a/b/g'
    >>> baseref.resolve("http://a/b/c/d", ["g", "?y"], rules="rfc3986")
    ['http://a/b/c/g', 'http://a/b/c/d?y']
    """
    if isinstance(refs, str):
        return _baseref.resolve(base or None, [refs], rules)[0]
    return _baseref.resolve(base or None, list(refs), rules)


def link_schema(fields: Union[str, Sequence[str], None] = None) -> Schema:
    """The columns that ``links(..., fields=fields)`` gives.

    >>> import baseref
    >>> baseref.link_schema(["url", "line"]).types
    {'url': 'utf8', 'line': 'int64'}
    """
    return _baseref.link_schema(_list(fields))


def _options(**given: Any) -> "builtins.dict[str, Any]":
    """The options of the compiled part, with the defaults of those that are not given."""
    options: "builtins.dict[str, Any]" = {**_DEFAULTS, **given}
    options["fields"] = _list(options["fields"])
    options["url_map"] = {
        os.fspath(folder): url for folder, url in (options["url_map"] or {}).items()
    }
    span = options["range"]
    if span is not None:
        start, end = span
        options["range"] = (start, end, getattr(span, "line", None))
    return options


def _list(fields: Union[str, Sequence[str], None]) -> Optional[str]:
    return fields if fields is None or isinstance(fields, str) else ",".join(fields)
