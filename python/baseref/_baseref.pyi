import os
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._errors import ReadError

Source = Union[str, "os.PathLike[str]", bytes, BinaryIO, Sequence[Tuple[str, bool]], "Records"]

__version__: str

class Schema:
    """The names, types and meanings of columns, and their Arrow schema."""

    @property
    def names(self) -> List[str]: ...
    @property
    def types(self) -> Dict[str, str]: ...
    @property
    def docs(self) -> Dict[str, str]: ...
    def __arrow_c_schema__(self) -> object: ...

class Row:
    """A row: each requested column is an attribute."""

    # Of links and bases.
    doc: str
    base: Optional[str]
    base_source: str
    base_at: Optional[str]
    resolver: str
    # Of links.
    seq: int
    element: str
    attr: str
    # `class` is a keyword: getattr(link, "class").
    text: Optional[str]
    raw: str
    url: Optional[str]
    archived_at: Optional[str]
    error: Optional[str]
    line: Optional[int]
    column: Optional[int]
    byte: Optional[List[int]]
    part_byte: Optional[List[int]]
    part: Optional[str]
    entity_offset: int
    # Of bases.
    encoding: str
    candidates: str
    notes: str
    # Of findings.
    rule: str
    level: str
    group: str
    doc_url: Optional[str]
    urls: Optional[Dict[str, Optional[str]]]
    target: Optional[str]
    message: str
    suggestions: List[str]
    fingerprint: str
    known: bool
    fix: Optional[str]
    fix_byte: Optional[List[int]]
    source: Optional[str]
    source_line: Optional[int]
    # Of findings of a move.
    old_url: Optional[str]
    new_url: Optional[str]
    expected: Optional[str]
    via: Optional[str]
    hops: Optional[List[str]]

    def __getattr__(self, name: str) -> Any: ...
    def _asdict(self) -> Dict[str, Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Records:
    """The records of a source, read again each time they are requested."""

    @property
    def errors(self) -> List[ReadError]: ...
    @property
    def without_html(self) -> int: ...
    @property
    def summary(self) -> Optional[Dict[str, Any]]: ...
    @property
    def links(self) -> Optional["Records"]: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __iter__(self) -> Iterator[Row]: ...
    @property
    def unread(self) -> int: ...
    @property
    def _names(self) -> List[str]: ...
    def _preview(self) -> Optional[Iterator[Row]]: ...
    def _repr_html_(self) -> str: ...
    @property
    def _failure(self) -> Optional[BaseException]: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_parquet(self, path: Union[str, "os.PathLike[str]"]) -> int: ...

def links(source: Source, options: Dict[str, Any]) -> Records: ...
def bases(source: Source, options: Dict[str, Any]) -> Records: ...
def audit(asked: Dict[str, Any], judging: Dict[str, Any]) -> Records: ...
def verify_move(asked: Dict[str, Any], judging: Dict[str, Any]) -> Records: ...
def splits(
    source: Source, max_bytes: int, input: str, name: Optional[str]
) -> List[Tuple[int, int, Optional[int]]]: ...
def resolve(
    base: Union[str, None, Sequence[Optional[str]]], refs: Sequence[Optional[str]], rules: str
) -> List[Optional[str]]: ...
def link_schema(fields: Optional[str]) -> Schema: ...
def base_schema() -> Schema: ...
def _run(arguments: List[str]) -> int: ...
def _panic() -> None: ...
