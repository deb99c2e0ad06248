"""Paths as users of engines write them, and the files there: local ones and those with a scheme."""

from __future__ import annotations

import errno
import os
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, NamedTuple
from typing import Optional, Sequence, Tuple, TypeVar, Union

Path = Union[str, "os.PathLike[str]"]
StorageOptions = Dict[str, Any]

# What takes long is waiting for the storage.
_THREADS = 32

_A = TypeVar("_A")
_B = TypeVar("_B")

# Also behind those of caches: `simplecache::s3://bucket/key`.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*::)*[A-Za-z][A-Za-z0-9+.-]*://")
_WEB = re.compile(r"(?:^|::)https?://", re.IGNORECASE)
# `file:/x`, `file:///x` and `file://localhost/x`, as Hadoop and Java write local paths.
_FILE = re.compile(r"(?:file|local):(?://(?:localhost)?)?(?=/)", re.IGNORECASE)
# Hadoop's names for S3.
_NAMES = {"s3a": "s3", "s3n": "s3"}


class Found(NamedTuple):
    """A file: what it is called, and its size in bytes if the storage tells."""

    name: str
    size: Optional[int]
    # The user named it; a file found in a directory is left alone if it is of no known format.
    named: bool


def has_scheme(path: str) -> bool:
    """Whether the path is a URL for fsspec: ``s3a://bucket/key``, but not ``file:/x``."""
    return _SCHEME.match(path) is not None and _FILE.match(path) is None


def local(path: str) -> str:
    """The path without the scheme of local files."""
    return _FILE.sub("", path, count=1)


def parallel(call: Callable[[_A], _B], items: Iterable[_A]) -> Iterator[_B]:
    """The results for all items, in their order, from several threads."""
    items = list(items)
    if len(items) < 2:
        return map(call, items)
    with ThreadPoolExecutor(min(_THREADS, len(items))) as pool:
        return iter(list(pool.map(call, items)))


def find(paths: Union[Path, Sequence[Path]], options: Optional[StorageOptions]) -> List[Found]:
    """The files at the paths, with patterns, lists and directories expanded, in order of names.

    A path that leads nowhere raises ``FileNotFoundError`` with its name.
    """
    given = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths
    if not isinstance(given, Iterable) or hasattr(given, "read"):
        raise TypeError(f"a path or several are needed, not {given!r}")
    storages: Dict[str, Tuple[Any, str]] = {}
    each: List[str] = []
    for path in given:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"a path is a text or a pathlib.Path, not {path!r}")
        each.extend(_alternatives(os.fsdecode(path)))
    if not each:
        raise ValueError("no path is given")
    for path in each:
        if has_scheme(path):
            # The modules of a scheme are loaded here, not by several threads at once.
            storages[path] = filesystem(path, options)

    def files(path: str) -> List[Found]:
        if path not in storages:
            return _local(path)
        try:
            return _remote(path, *storages[path])
        except Exception as error:
            raise _of_path(error, path) from error

    return [file for found in parallel(files, each) for file in found]


def filesystem(path: str, options: Optional[StorageOptions]) -> Tuple[Any, str]:
    """The file system of a path with a scheme, and the path in it."""
    try:
        import fsspec
    except ImportError as error:
        raise ImportError("paths with a scheme need fsspec: pip install baseref[fsspec]") from error
    url = "::".join(map(_of_fsspec, path.split("::")))
    try:
        fs, root = fsspec.core.url_to_fs(url, **(options or {}))
    except Exception as error:
        raise _of_path(error, path) from error
    return fs, root


def _of_fsspec(link: str) -> str:
    """A link of a chain of file systems, by the name that fsspec has for its scheme."""
    scheme, mark, rest = link.partition("://")
    return f"{_NAMES.get(scheme.lower(), scheme.lower())}{mark}{rest}"


def _of_path(error: Exception, path: str) -> Exception:
    """The same with the path in what it says: what file systems say often lacks it."""
    text = str(error) or type(error).__name__
    if isinstance(error, OSError):
        if path in text:
            return error
        # Where a library is not found, each place where it was looked for has a line.
        text = error.strerror or text.partition("\n")[0]
        return OSError(error.errno or errno.EIO, text, path)
    for known in (ImportError, ValueError, TypeError):
        if isinstance(error, known):
            return known(f"{path}: {text}")
    return OSError(errno.EIO, text, path)


def open_input(path: str, options: Optional[StorageOptions]) -> BinaryIO:
    """The file, opened seekable."""
    if not has_scheme(path):
        return open(local(path), "rb")
    fs, root = filesystem(path, options)
    file: BinaryIO = fs.open(root, "rb")
    return file


def _alternatives(path: str) -> List[str]:
    """The paths that a list or a pattern with braces stands for."""
    if not path.strip():
        raise ValueError("a path is empty")
    if "\0" in path:
        raise ValueError(f"{path!r} cannot be a path")
    # A name may contain anything.
    if not has_scheme(path) and os.path.lexists(local(path)):
        return [path]
    parts = _split(path)
    if has_scheme(path) and not all(map(has_scheme, parts)):
        # A comma in a name: of the parts of a list each has a scheme.
        parts = [path]
    if any(not part for part in parts):
        raise ValueError(f"{path}: a path in the list is empty")
    return [found for part in parts for found in _braces(part)]


def _split(text: str) -> List[str]:
    """The text divided at commas outside of braces."""
    parts, depth = [""], 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts] if len(parts) > 1 else parts


def _braces(path: str) -> List[str]:
    """The paths that a pattern with braces stands for: ``a/{b,c}`` for ``a/b`` and ``a/c``."""
    start = path.find("{")
    depth = 0
    for at in range(max(start, 0), len(path)):
        depth += {"{": 1, "}": -1}.get(path[at], 0)
        if start >= 0 and depth == 0:
            within = _split(path[start + 1 : at])
            rest = path[at + 1 :]
            return [one for choice in within for one in _braces(path[:start] + choice + rest)]
    return [path]


def _has_magic(path: str) -> bool:
    return any(mark in path for mark in "*?[")


def _missing(path: str, is_pattern: bool) -> FileNotFoundError:
    words = "no file matches" if is_pattern else os.strerror(errno.ENOENT)
    return FileNotFoundError(errno.ENOENT, words, path)


def _local(path: str) -> List[Found]:
    import glob

    prefix, plain = path[: len(path) - len(local(path))], local(path)
    is_pattern = _has_magic(plain) and not os.path.lexists(plain)
    matches = sorted(glob.glob(plain, recursive=True)) if is_pattern else [plain]
    if not matches:
        raise _missing(path, is_pattern=True)
    named: List[str] = []
    within: List[str] = []
    for match in matches:
        # Raises if there is no such file.
        if stat.S_ISDIR(os.stat(match).st_mode):
            within.extend(_walk(match))
        else:
            named.append(match)
    files = {file: Found(prefix + file, os.path.getsize(file), True) for file in named}
    # A pattern such as `**` matches files and the folders that they are in: each is read once.
    within = [file for file in dict.fromkeys(within) if file not in files]
    sized = parallel(_sized, [within[at : at + 256] for at in range(0, len(within), 256)])
    files.update((file, Found(prefix + file, size, False)) for some in sized for file, size in some)
    return sorted(files.values()) if len(matches) > 1 else list(files.values())


def _walk(root: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(root, onerror=refuse):
        # Hidden ones can only hold mail (Maildir++), as on the command line.
        folders[:] = sorted(name for name in folders if _is_entered(folder, name))
        yield from (os.path.join(folder, name) for name in sorted(names))


def _is_entered(folder: str, name: str) -> bool:
    return not name.startswith(".") or os.path.isdir(os.path.join(folder, name, "cur"))


def _sized(paths: Sequence[str]) -> List[Tuple[str, int]]:
    """The files among the paths, but neither pipes nor devices, with their sizes."""
    found = [(path, os.stat(path)) for path in paths]
    return [(path, at.st_size) for path, at in found if stat.S_ISREG(at.st_mode)]


def _remote(path: str, fs: Any, root: str) -> List[Found]:
    # In a URL of the web, `?` begins a query.
    is_web = _WEB.search(path) is not None
    is_pattern = ("*" in root) if is_web else _has_magic(root)
    if is_pattern:
        matches = _matching(fs, root)
    else:
        try:
            matches = {root: fs.info(root)}
        except FileNotFoundError as error:
            raise _missing(path, is_pattern) from error
    if not matches:
        raise _missing(path, is_pattern)
    files: Dict[str, Found] = {}
    folders = [match for match, info in matches.items() if info.get("type") == "directory"]
    for match, info in sorted(matches.items()):
        if info.get("type") != "directory":
            files[match] = Found(_called(match, path, root), info.get("size"), True)
    for folder in sorted(folders):
        # One listing tells the sizes of all files, without opening any.
        for name, inside in sorted(_below(fs, folder).items()):
            if inside.get("type") != "directory":
                found = Found(_called(name, path, root), inside.get("size"), False)
                files.setdefault(name, found)
    return sorted(files.values()) if len(matches) > 1 else list(files.values())


def _matching(fs: Any, pattern: str) -> Dict[str, Any]:
    """What matches a pattern, files and folders, with what is known of each."""
    from fsspec import AbstractFileSystem

    if not _passes_over_failures(fs):
        found: Dict[str, Any] = fs.glob(pattern, detail=True)
        return found

    class Strict:
        """The file system, with another way to find what is in a folder."""

        def __getattr__(self, name: str) -> Any:
            return getattr(fs, name)

        def find(self, root: str, maxdepth: Optional[int] = None, **more: Any) -> Dict[str, Any]:
            try:
                return _listed(fs, root, maxdepth, with_folders=True)
            except FileNotFoundError:
                if fs.exists(root):
                    raise
                return {}

    found = AbstractFileSystem.glob(Strict(), pattern, detail=True)
    return found


def _below(fs: Any, folder: str) -> Dict[str, Any]:
    """The files in a folder and below, with what is known of each."""
    if _passes_over_failures(fs):
        return _listed(fs, folder)
    found: Dict[str, Any] = fs.find(folder, detail=True)
    return found


def _passes_over_failures(fs: Any) -> bool:
    """Whether `find` leaves out what cannot be listed, as that of fsspec itself does; those of
    clients of object stores do not."""
    from fsspec import AbstractFileSystem
    from fsspec.asyn import AsyncFileSystem

    # Of a cache, and of a folder taken for the root.
    inner = getattr(fs, "fs", None)
    if isinstance(inner, AbstractFileSystem):
        return _passes_over_failures(inner)
    if isinstance(fs, AsyncFileSystem):
        return type(fs)._find is AsyncFileSystem._find
    return type(fs).find is AbstractFileSystem.find


def _listed(
    fs: Any, root: str, maxdepth: Optional[int] = None, with_folders: bool = False
) -> Dict[str, Any]:
    """What is in a folder and below, as `find` gives it; what cannot be listed raises."""
    root = fs._strip_protocol(root)
    found: Dict[str, Any] = {}
    seen = {root.strip("/")}
    waiting = [(root, 1)]
    while waiting:
        folder, depth = waiting.pop()
        for info in fs.ls(folder, detail=True):
            name = info["name"].rstrip("/")
            is_folder = info.get("type") == "directory"
            if not is_folder:
                found[info["name"]] = info
            elif name.strip("/") not in seen:
                seen.add(name.strip("/"))
                if with_folders:
                    found[info["name"]] = info
                if maxdepth is None or depth < maxdepth:
                    waiting.append((name, depth + 1))
    return found


def _called(name: str, path: str, root: str) -> str:
    """The URL of a file, which file systems name without scheme, host and other file systems."""
    if has_scheme(name):
        return name
    whole = path.rstrip("/")
    if root and whole.endswith(root):
        return whole[: len(whole) - len(root)] + name
    scheme, _, rest = path.partition("://")
    _, chained, outer = rest.partition("::")
    return f"{scheme}://{name}{chained}{outer}"
