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
from typing import (
    Any,
    BinaryIO,
    Callable,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from . import _baseref
from ._baseref import Records, Row, Schema, __version__
from ._errors import ReadError, ReadWarning
from ._scan import scan_polars

__all__ = [
    "BASE_SCHEMA",
    "LINK_SCHEMA",
    "ReadError",
    "ReadWarning",
    "Records",
    "Row",
    "Schema",
    "Split",
    "__version__",
    "audit",
    "bases",
    "link_schema",
    "links",
    "resolve",
    "scan_polars",
    "splits",
    "verify_move",
]

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, BinaryIO]
Range = Union["Split", Tuple[int, int]]

Resolver = Literal["rfc1808", "rfc3986", "whatwg"]
OnError = Literal["warn", "collect", "raise"]
SavedFrom = Literal["off", "auto"]
Input = Literal[
    "auto", "html", "xhtml", "svg", "css", "feed", "sitemap", "eml", "mbox", "mhtml", "emlx",
    "maildir", "webarchive", "zip", "har", "http", "warc", "arc",
]  # fmt: skip
LinkField = Literal[
    "doc", "seq", "element", "attr", "class", "text", "raw", "url", "browser_url",
    "archived_at", "error", "base", "base_source", "base_at", "resolver", "line", "column",
    "byte", "part_byte", "part", "entity_offset", "doc_url", "doc_date", "doc_title",
    "message_id", "from", "to", "subject", "list_id", "content_type", "disposition",
    "filename", "final_url", "wrappers", "unwrap_error", "unwrap_hint", "cloud", "cloud_owner",
    "scheme", "host",
    "site", "src_host", "src_site", "path",
]  # fmt: skip
BaseField = Literal[
    "doc", "base", "base_source", "base_at", "resolver", "encoding", "candidates", "notes",
]  # fmt: skip
Level = Literal["error", "warning", "note"]
UrlMatch = Literal["exact", "twin", "loose"]

Progress = Callable[[int, int, int], object]
"""Called with the numbers of documents, rows and bytes (decompressed) read so far."""

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
    "size": None,
    "progress": None,
}

LINK_SCHEMA: Schema = _baseref.link_schema(None)
"""The default columns of `links`, with their types and descriptions."""

BASE_SCHEMA: Schema = _baseref.base_schema()
"""The columns of `bases`."""


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
        """Where it begins, in bytes of the input as stored."""
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
    fields: Union[str, Sequence[LinkField], None] = None,
    url: Optional[str] = None,
    url_map: Optional[Mapping[str, str]] = None,
    saved_from: SavedFrom = "off",
    resolver: Resolver = "rfc1808",
    strict: bool = False,
    input: Input = "auto",
    encoding: Optional[str] = None,
    jobs: int = 1,
    range: Optional[Range] = None,
    name: Optional[str] = None,
    on_error: OnError = "warn",
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
    progress: Optional[Progress] = None,
) -> Records:
    """Every link of the documents of a source, resolved.

    ``source`` is a path (a directory is walked), bytes, or a binary file object, which is read
    in chunks. The options have the same names and meanings as on the command line. In addition:

    - ``fields``: the columns, as a list or separated by commas; ``"+NAME"`` adds to the default
      ones. Other columns are not computed.
    - ``jobs``: the number of threads; 0 for one per core. The result is the same.
    - ``range``: only the entities (messages, records) that begin at a byte in ``[a, b)``;
      see `splits`. They are identified by their offset: ``box.mbox@123456``.
    - ``name``: the name of the source in ``doc``, for bytes and file objects.
    - ``on_error``: what to do about anything that cannot be read: ``"warn"``, ``"collect"`` or
      ``"raise"`` (a `ReadError`, for the first loss: what the command line counts as unread).
      Errors are in ``.errors`` in any case. Storage that stops delivering is no such error: the
      exception of the file object, or an ``OSError``, ends the reading whatever this says.
    - ``dictionaries``: store repeated texts once (Arrow's dictionary encoding).
    - ``batch_bytes``: the approximate maximum size of a batch.
    - ``progress``: called now and then, and at the end, with the numbers of documents, rows and
      bytes (decompressed) read so far. An exception of it ends the reading.

    Notes on documents that cost no link, and what archives hold besides pages, go to the logger
    ``baseref`` of the module ``logging``, at the level ``INFO``.

    The GIL is released while reading. Nothing is read before the records are requested.

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
    fields: Union[str, Sequence[BaseField], None] = None,
    url: Optional[str] = None,
    url_map: Optional[Mapping[str, str]] = None,
    saved_from: SavedFrom = "off",
    resolver: Resolver = "rfc1808",
    strict: bool = False,
    input: Input = "auto",
    encoding: Optional[str] = None,
    jobs: int = 1,
    range: Optional[Range] = None,
    name: Optional[str] = None,
    on_error: OnError = "warn",
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
    progress: Optional[Progress] = None,
) -> Records:
    """The base URL of every document of a source, and how it was found.

    The options are those of `links`. ``candidates`` and ``notes`` are JSON texts.

    >>> import baseref
    >>> page = b'<base href="http://a/b/c"><base href="http://d/">'
    >>> [(base.base, base.base_source) for base in baseref.bases(page)]
    [('http://a/b/c', 'element')]
    """
    given = dict(locals())
    return _baseref.bases(given.pop("source"), _options(**given))


def audit(
    paths: Union[Path, Sequence[Path]],
    *,
    url_map: Optional[Mapping[Path, str]] = None,
    url_alias: Optional[Mapping[str, str]] = None,
    hosting: Optional[str] = None,
    index: Union[str, Sequence[str], None] = None,
    ext: Union[str, Sequence[str], None] = None,
    dir: Optional[str] = None,
    case: Optional[str] = None,
    links: Optional[str] = None,
    resolver: Resolver = "rfc1808",
    input: Input = "auto",
    encoding: Optional[str] = None,
    glob: Union[str, Sequence[str]] = (),
    include: Union[str, Sequence[str]] = (),
    exclude: Union[str, Sequence[str]] = (),
    with_links: bool = False,
    unreferenced: bool = False,
    scope: Union[str, Sequence[str]] = (),
    url_match: UrlMatch = "loose",
    cdx: Union[Path, Sequence[Path]] = (),
    redirects: Union[Path, Sequence[Path]] = (),
    level: Level = "error",
    rule: Optional[Mapping[str, str]] = None,
    allow: Union[str, Sequence[str]] = (),
    config: Optional[Path] = None,
    baseline: Optional[Path] = None,
    baseline_strict: bool = False,
    jobs: int = 1,
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
) -> Records:
    """What is wrong with the links of saved trees: the findings of ``baseref audit``.

    ``paths`` are directories, each the root of a site, or files. The options have the same
    names and meanings as on the command line; those of the form ``KEY=VALUE`` are mappings.
    ``baseref.toml`` is read if it exists and ``config`` names no other file. The columns are
    those of the command's JSON Lines, and once all findings have been taken ``.summary`` has
    the totals of their last line, and in ``lines`` what the command reports in words. An input
    that cannot be read is a finding. A path that leads nowhere raises ``FileNotFoundError``, as with
    `links`, and a request that contradicts itself ``ValueError``.

    With ``with_links=True``, ``.links`` has the records of every link, whatever its verdict, as
    in JSON Lines; requesting them reads the tree again.

    A tree is listed when this is called, and read when the findings are requested.

    >>> import baseref, pathlib, tempfile
    >>> site = tempfile.TemporaryDirectory()
    >>> _ = pathlib.Path(site.name, "index.html").write_text("<a href=none.html>x</a>")
    >>> found = baseref.audit(site.name)
    >>> [(finding.rule, finding.raw) for finding in found]
    [('target/missing-file', 'none.html')]
    >>> found.summary["findings"]["error"]["new"]
    1
    """
    given = dict(locals())
    asked = {name: given.pop(name) for name in _OF_AUDIT}
    asked["paths"] = _existing(_paths("paths", asked["paths"]))
    asked["url_map"] = _pairs("url_map", asked["url_map"])
    asked["url_alias"] = _pairs("url_alias", asked["url_alias"])
    for name in ("index", "ext"):
        if isinstance(asked[name], str):
            asked[name] = asked[name].split(",")
    for name in ("cdx", "redirects"):
        asked[name] = _paths(name, asked[name])
    for name in ("glob", "include", "exclude", "scope"):
        asked[name] = _texts(name, asked[name])
    return _baseref.audit(asked, _judging(**given, on_error="collect"))


def verify_move(
    dir: Path,
    *,
    to: str,
    from_: Optional[str] = None,
    also_old: Union[str, Sequence[str]] = (),
    move: Optional[Mapping[str, str]] = None,
    new_tree: Optional[Path] = None,
    redirects: Union[Path, Sequence[Path]] = (),
    prefix_redirect: bool = False,
    urls: Union[Path, Sequence[Path]] = (),
    level: Level = "error",
    rule: Optional[Mapping[str, str]] = None,
    allow: Union[str, Sequence[str]] = (),
    config: Optional[Path] = None,
    baseline: Optional[Path] = None,
    baseline_strict: bool = False,
    jobs: int = 1,
    on_error: OnError = "warn",
    dictionaries: bool = False,
    batch_bytes: int = BATCH_BYTES,
) -> Records:
    """What a move does to every link of a tree: the findings of ``baseref verify-move``.

    ``dir`` is the tree, ``from_`` its present URL and ``to`` its new one. An archive or an index of
    captures can be in place of the tree, and says its URL itself if it is of one host. Options and
    columns are those of the command line, as with `audit`; the edit that fixes a link is in the
    columns ``fix`` and ``fix_byte``.

    >>> import baseref, pathlib, tempfile
    >>> site = tempfile.TemporaryDirectory()
    >>> _ = pathlib.Path(site.name, "index.html").write_text("<a href=/old/>x</a>")
    >>> found = baseref.verify_move(site.name, from_="http://a/old/", to="http://b/new/")
    >>> [(finding.rule, finding.expected, finding.fix) for finding in found]
    [('move/climbs-out', 'http://b/new/', './')]
    """
    given = dict(locals())
    asked = {name: given.pop(name) for name in _OF_MOVE}
    asked["moves"] = _pairs("move", given.pop("move"))
    asked["also_old"] = _texts("also_old", asked["also_old"])
    _existing(_paths("dir", asked["dir"]))
    for name in ("redirects", "urls"):
        asked[name] = _paths(name, asked[name])
    return _baseref.verify_move(asked, _judging(**given))


def splits(
    source: Source,
    max_bytes: int,
    *,
    input: Input = "auto",
    name: Optional[str] = None,
) -> List[Split]:
    """Divides a source into byte ranges of about ``max_bytes`` that can be read independently.

    ``links(source, range=split)`` over all of them gives each link of ``links(source)`` once.
    The source must be a file, bytes, or a seekable file object. A source that cannot be divided
    is one split.

    >>> import baseref
    >>> message = b"From a@b Fri Jan 27 10:00:00 2017\\nFrom: a\\n\\ntext\\n\\n"
    >>> baseref.splits(message * 3, 100)
    [(0, 98), (98, 147)]
    """
    found = _baseref.splits(source, max_bytes, input, name)
    return [Split(start, end, line) for start, end, line in found]


# A text has texts, too, but is one reference.
@overload
def resolve(  # type: ignore[overload-overlap]
    base: Optional[str], refs: str, *, rules: Resolver = ...
) -> Optional[str]: ...


@overload
def resolve(
    base: Union[str, None, Sequence[Optional[str]]],
    refs: Iterable[Optional[str]],
    *,
    rules: Resolver = ...,
) -> List[Optional[str]]: ...


@overload
def resolve(base: Any, refs: Any, *, rules: Resolver = ...) -> Any: ...


def resolve(base: Any, refs: Any, *, rules: Resolver = "rfc1808") -> Any:
    """Resolves references against a base, by ``rfc1808``, ``rfc3986`` or ``whatwg``.

    One reference gives one URL, several a list; ``None`` if there is none. ``base`` is ``None``
    or empty if no base is known; a list of bases has one for each reference. Columns of Arrow
    (arrays of pyarrow, series of Polars) give an array of pyarrow, with nulls where there is no
    reference or no URL.

    >>> import baseref
    >>> baseref.resolve("http://a/b/c/d", "../g")
    'http://a/b/g'
    >>> baseref.resolve("http://a/b/c/d", ["g", "?y"], rules="rfc3986")
    ['http://a/b/c/g', 'http://a/b/c/d?y']
    >>> baseref.resolve(["http://a/b/", "http://c/d/"], ["g", "g"])
    ['http://a/b/g', 'http://c/d/g']
    """
    if isinstance(refs, str):
        if base is None or isinstance(base, str):
            return _baseref.resolve(base, [refs], rules)[0]
        return resolve(base, [refs] * len(_values("base", base)), rules=rules)
    is_column = _is_arrow(refs) or _is_arrow(base)
    bases = base if base is None or isinstance(base, str) else _values("base", base)
    found = _baseref.resolve(bases, _values("refs", refs), rules)
    if not is_column:
        return found
    import pyarrow

    return pyarrow.array(found, pyarrow.string())


def _is_arrow(column: Any) -> bool:
    return hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")


def _values(name: str, column: Any) -> List[Optional[str]]:
    """The texts of a column or of anything else that has several."""
    if not _is_arrow(column):
        return _several(name, column, ())
    import pyarrow

    values: List[Optional[str]] = pyarrow.chunked_array(column).to_pylist()
    return values


def link_schema(fields: Union[str, Sequence[LinkField], None] = None) -> Schema:
    """The columns of ``links(..., fields=fields)``.

    >>> import baseref
    >>> baseref.link_schema(["url", "line"]).types
    {'url': 'utf8', 'line': 'int64'}
    """
    return _baseref.link_schema(_list(fields))


def _options(**given: Any) -> "builtins.dict[str, Any]":
    """The options of the compiled part, with defaults for those not given."""
    options: "builtins.dict[str, Any]" = {**_DEFAULTS, **given}
    options["fields"] = _list(options["fields"])
    options["url_map"] = dict(_items("url_map", options["url_map"]))
    if options["range"] is not None:
        options["range"] = _range(options["range"])
    progress = options["progress"]
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: {progress!r} cannot be called")
    return options


def _range(span: Any) -> Tuple[int, int, Optional[int]]:
    try:
        start, end = span
    except (TypeError, ValueError):
        raise TypeError(f"range: a pair of numbers is needed, not {span!r}") from None
    if start > end:
        raise ValueError(f"range: {start} is after {end}")
    return start, end, getattr(span, "line", None)


def _items(name: str, mapping: Any) -> Iterable[Tuple[Any, Any]]:
    if mapping is None:
        return ()
    if not isinstance(mapping, Mapping):
        raise TypeError(f"{name}: a mapping is needed, not {mapping!r}")
    for key, value in mapping.items():
        if not isinstance(key, (str, os.PathLike)) or not isinstance(value, str):
            raise TypeError(f"{name}: texts are needed, not {key!r} with {value!r}")
    return ((os.fspath(key), value) for key, value in mapping.items())


# The parameters of each check, apart from which findings count.
_OF_AUDIT = (
    "paths url_map url_alias hosting index ext dir case links resolver input encoding glob "
    "include exclude with_links unreferenced scope url_match cdx redirects".split()
)
_OF_MOVE = "dir from_ to also_old new_tree redirects prefix_redirect urls".split()


def _judging(**given: Any) -> "builtins.dict[str, Any]":
    """Which findings count, for the compiled part."""
    rule, allow = _pairs("rule", given["rule"]), _texts("allow", given["allow"])
    return {**given, "rule": rule, "allow": allow}


def _pairs(name: str, mapping: Optional[Mapping[Any, str]]) -> List[str]:
    """A mapping as on the command line: each ``KEY=VALUE``."""
    return [f"{key}={value}" for key, value in _items(name, mapping)]


def _texts(name: str, texts: Any) -> List[str]:
    """A text or several."""
    found = _several(name, texts, str)
    if not all(isinstance(text, str) for text in found):
        raise TypeError(f"{name}: texts are needed, not {texts!r}")
    return found


def _paths(name: str, paths: Any) -> List[str]:
    """A path or several."""
    found = _several(name, paths, (str, os.PathLike))
    if not all(isinstance(path, (str, os.PathLike)) for path in found):
        raise TypeError(f"{name}: paths are needed, not {paths!r}")
    return [os.fspath(path) for path in found]


def _existing(paths: List[str]) -> List[str]:
    """The paths, if each leads to something: else the ``OSError`` that says why not."""
    for path in paths:
        os.stat(path)
    return paths


def _several(name: str, given: Any, one: Any) -> List[Any]:
    if isinstance(given, one):
        return [given]
    # Of bytes each would be a number, and of an open file each line.
    if isinstance(given, (bytes, bytearray)) or not isinstance(given, Iterable) or hasattr(given, "read"):
        raise TypeError(f"{name}: one or several are needed, not {given!r}")
    return list(given)


def _list(fields: Union[str, Sequence[str], None]) -> Optional[str]:
    if fields is None or isinstance(fields, str):
        return fields
    names = list(fields) if isinstance(fields, Iterable) else [fields]
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"fields: names of columns are needed, not {fields!r}")
    return ",".join(names)
