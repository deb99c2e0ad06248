"""A file system whose files fail in a chosen way, as an object store does on a bad day."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

import fsspec
from fsspec.spec import AbstractFileSystem

SCHEME = "failing"


class Failing(AbstractFileSystem):  # type: ignore[misc]
    """Local files below ``root``. ``way`` is ``never``, ``once``, ``always``, ``short``, ``pieces``
    (a few bytes of what is asked for), ``stream`` (cannot be sought), ``slow``, ``seek`` (which raises)
    or ``stuck`` (seeking does nothing); ``after`` is the offset that cannot be read; ``mark`` is a folder in which it notes
    what has failed, in whatever process; ``unlisted`` is the folder that cannot be listed, if any;
    ``size`` what listings and files say: ``true``, ``none``, ``small`` or ``large``."""

    protocol = SCHEME
    cacheable = False

    def __init__(
        self,
        root: str,
        way: str = "never",
        after: int = 0,
        mark: str = "",
        unlisted: str = "",
        size: str = "true",
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.root, self.way, self.after, self.mark = root, way, after, mark
        self.unlisted, self.size = unlisted, size
        self.opened: List[str] = []

    def _local(self, path: str) -> str:
        return os.path.join(self.root, self._strip_protocol(path).lstrip("/"))

    def info(self, path: str, **more: Any) -> Dict[str, Any]:
        found = os.stat(self._local(path))
        kind = "directory" if os.path.isdir(self._local(path)) else "file"
        return {"name": self._strip_protocol(path), "size": self.said(found.st_size), "type": kind}

    def said(self, size: int) -> Optional[int]:
        """What it says the size is."""
        return {"true": size, "none": None, "small": size * 2 // 3, "large": size + 7}[self.size]

    def fails_now(self, name: str) -> bool:
        """Whether this time it fails."""
        if self.way != "once":
            return True
        try:
            os.close(os.open(os.path.join(self.mark, name), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def ls(self, path: str, detail: bool = True, **more: Any) -> List[Any]:
        path = self._strip_protocol(path).rstrip("/")
        if self.unlisted and path.endswith(self.unlisted) and self.fails_now("listing"):
            raise TimeoutError(110, "the storage does not answer", path)
        if not os.path.isdir(self._local(path)):
            found = [self.info(path)]
        else:
            names = sorted(os.listdir(self._local(path)))
            found = [self.info(f"{path}/{name}".lstrip("/")) for name in names]
        return found if detail else [info["name"] for info in found]

    def _open(self, path: str, mode: str = "rb", **more: Any) -> Any:
        self.opened.append(path)
        return FailingFile(self, Path(self._local(path)))


class FailingFile:
    def __init__(self, fs: Failing, path: Path) -> None:
        self.fs, self.path = fs, path
        self.file = open(path, "rb")
        self.size = fs.said(path.stat().st_size)
        self.read_in_all = 0

    def seekable(self) -> bool:
        return self.fs.way != "stream"

    def tell(self) -> int:
        return self.file.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        if self.fs.way == "stream":
            raise io.UnsupportedOperation("seek")
        if self.fs.way == "seek" and whence == 0 and offset != self.tell():
            raise OSError(5, "the storage does not answer", str(self.path))
        if self.fs.way == "stuck" and whence == 0:
            return offset
        return self.file.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        place = self.file.tell()
        if self.fs.way == "pieces":
            size = min(size, 11) if size > 0 else 11
        some = self.file.read(size)
        self.read_in_all += len(some)
        if self.fs.way == "slow":
            time.sleep(0.001)
        if self._fails(place + len(some)):
            if self.fs.way == "short":
                some = some[: max(0, self.fs.after - place)]
                self.file.seek(place + len(some))
                return some
            raise TimeoutError(110, "the storage does not answer", str(self.path))
        return some

    def _fails(self, end: int) -> bool:
        if self.fs.way not in ("once", "always", "short") or end <= self.fs.after:
            return False
        return self.fs.fails_now(self.path.name)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> "FailingFile":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def register() -> None:
    """Registers it in this process; see `options` for others."""
    fsspec.register_implementation(SCHEME, Failing, clobber=True)


def advertise(folder: Path) -> None:
    """Makes it known to fsspec in every Python process that is started from here."""
    known = folder / "failing-0.dist-info"
    known.mkdir(exist_ok=True)
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: failing\nVersion: 0\n")
    (known / "entry_points.txt").write_text(f"[fsspec.specs]\n{SCHEME} = failing:Failing\n")
    here = str(Path(__file__).parent)
    paths = [str(folder), here, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    register()


def file(
    path: Path, way: str, after: int = 0, mark: Optional[Path] = None, **more: Any
) -> FailingFile:
    return FailingFile(Failing(str(path.parent), way, after, str(mark or ""), **more), path)
