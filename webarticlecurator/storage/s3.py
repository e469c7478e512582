"""What fsspec has no word for, by the interface of S3: writing a file only if it is what it was."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import SEEK_END
from typing import Any, BinaryIO

from webarticlecurator.storage.folders import State

SCHEMES = ("s3", "s3a")
OPTIONS: dict[str, Any] = {
    "use_listings_cache": False,  # others write, too
    "config_kwargs": {"connect_timeout": 10, "read_timeout": 20, "retries": {"mode": "standard", "total_max_attempts": 3}},
}
_CONDITIONS: dict[State, dict[str, str]] = {State.ANY: {}, State.ABSENT: {"IfNoneMatch": "*"}}
_ONE_REQUEST = 32 << 20
_PART = 32 << 20
_MOST_PARTS = 10_000
_AT_ONCE = 4
_SIGN = "curator-write"
_REFUSED = ("PreconditionFailed", "ConditionalRequestConflict", "pre-conditions", "conditional request")
"""In what stores say of a condition that does not hold."""


def opened(fsspec: Any) -> Any:
    """Its file system. It asks again by itself only as the client below does: what else is asked again, and how long, is for us to say."""
    system = fsspec.filesystem("s3", **OPTIONS)
    system.retries = 1
    return system


def is_s3(system: Any) -> bool:
    """Whether a file system of fsspec is that of S3."""
    return hasattr(system, "call_s3")


def put(system: Any, path: str, file: BinaryIO, replaces: str | State, sign: str) -> str | None:
    """Write an object whole: its version; None where it is not what it was, and nothing is written.

    `sign`: kept with it, by which it is known where the store wrote it and its answer was lost.
    """
    bucket, key, _ = system.split_path(path)
    where = {"Bucket": bucket, "Key": key}
    condition = {"IfMatch": replaces} if isinstance(replaces, str) else _CONDITIONS[replaces]
    size = file.seek(0, SEEK_END)
    file.seek(0)
    try:
        if size <= _ONE_REQUEST:
            answer = system.call_s3("put_object", **where, Body=file.read(), Metadata={_SIGN: sign}, **condition)
        else:
            answer = _put_parts(system, where, file, max(_PART, -(-size // _MOST_PARTS)), condition, sign)
    except Exception as error:
        if version := _signed(system, where, sign):
            return version
        if _is_refusal(error, condition):
            return None
        raise
    return str(answer["ETag"]).strip('"')


def _signed(system: Any, where: dict[str, str], sign: str) -> str | None:
    """The version of what lies there, if it was written with that sign."""
    with suppress(Exception):
        head = system.call_s3("head_object", **where)
        if head["Metadata"].get(_SIGN) == sign:
            return str(head["ETag"]).strip('"')
    return None


def _is_refusal(error: Exception, condition: dict[str, str]) -> bool:
    """Whether the object is not as the condition says."""
    if isinstance(error, FileNotFoundError):
        return "IfMatch" in condition
    return bool(condition) and any(word in f"{error} {error.__cause__}" for word in _REFUSED)


def _put_parts(system: Any, where: dict[str, str], file: BinaryIO, size: int, condition: dict[str, str], sign: str) -> dict[str, Any]:
    """What the store answers in the end."""
    upload = {**where, "UploadId": system.call_s3("create_multipart_upload", **where, Metadata={_SIGN: sign})["UploadId"]}

    def put_part(number: int, data: bytes) -> dict[str, Any]:
        return {"PartNumber": number, "ETag": system.call_s3("upload_part", **upload, PartNumber=number, Body=data)["ETag"]}

    try:
        parts: list[dict[str, Any]] = []
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            while data := [piece for _ in range(_AT_ONCE) if (piece := file.read(size))]:
                numbers = range(len(parts) + 1, len(parts) + 1 + len(data))
                parts += threads.map(put_part, numbers, data)
        answer: dict[str, Any] = system.call_s3("complete_multipart_upload", **upload, MultipartUpload={"Parts": parts}, **condition)
    except BaseException:
        with suppress(Exception):  # what went wrong before is what counts
            system.call_s3("abort_multipart_upload", **upload)
        raise
    return answer
