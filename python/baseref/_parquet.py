"""Records to Parquet, by pyarrow."""

from __future__ import annotations

import os
from typing import Any, Union


def write(records: Any, path: Union[str, "os.PathLike[str]"]) -> int:
    """Write the records to the file ``path``; it is replaced only once all are written."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("to_parquet needs pyarrow: pip install pyarrow") from error
    target = os.fspath(path)
    part = f"{target}.{os.getpid()}.part"
    rows = 0
    reader = pyarrow.RecordBatchReader.from_stream(records)
    try:
        with pyarrow.parquet.ParquetWriter(part, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
                rows += batch.num_rows
        os.replace(part, target)
    finally:
        if os.path.exists(part):
            os.remove(part)
    return rows
