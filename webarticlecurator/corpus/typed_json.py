"""JSON as the type that a field declares, or a refusal: a file may have been written by anybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

MOST = 2**53
"""Whole numbers beyond it are not the same in every program that reads JSON."""

Reader = Callable[[Any], Any]
"""Gives the value, with tuples for lists. Raises ValueError, TypeError or LookupError where it does not fit."""


def reader_of(hint: Any) -> Reader:
    """For `int`, `str`, `bool`, tuples and mappings of such, `X | None`, and `Annotated[X, check]`, whose check may raise like a reader."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _checked(reader_of(inner[0]), inner[1])
    if origin in (UnionType, Union):
        return _optional(reader_of(inner[0]))
    if origin is tuple:
        return _list(reader_of(inner[0])) if inner[1] is Ellipsis else _row(tuple(map(reader_of, inner)))
    if origin is Mapping:
        return _mapping(reader_of(inner[1]))
    return {int: _int, str: _str, bool: _bool}[hint]


def _int(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST:  # a bool is an int to isinstance
        raise ValueError("no whole number from 0 on")
    return value


def _str(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("no text")
    return value


def _bool(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("neither true nor false")
    return value


def _checked(read: Reader, check: Callable[[Any], object]) -> Reader:
    def checked(value: Any) -> Any:
        check(read(value))
        return value

    return checked


def _optional(read: Reader) -> Reader:
    return lambda value: None if value is None else read(value)


def _list(read: Reader) -> Reader:
    def many(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise ValueError("no list")
        return tuple([read(one) for one in value])

    return many


def _row(readers: tuple[Reader, ...]) -> Reader:
    def row(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(readers):
            raise ValueError(f"no list of {len(readers)}")
        return tuple([read(one) for read, one in zip(readers, value, strict=True)])

    return row


def _mapping(read: Reader) -> Reader:
    def mapping(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise ValueError("no object")
        return {name: read(one) for name, one in value.items()}

    return mapping
