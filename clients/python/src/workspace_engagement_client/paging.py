"""Reads lists item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from typing_extensions import TypedDict

Item = TypeVar("Item")

_LARGEST_PAGE = 100


class Page(TypedDict, Generic[Item]):
    """What all pages of lists have."""

    items: list[Item]
    total: int


def items_of_pages(
    read: Callable[..., Any], *, page: int = 1, pageSize: int = _LARGEST_PAGE, **query: Any
) -> Iterator[Any]:
    """Reads a list of pages from `page`."""
    size = pageSize
    start = (page - 1) * size
    while True:
        answer = read(page=start // size + 1, pageSize=size, **query)
        found = answer["items"][start % size :]
        yield from found
        start += len(found)
        if answer.get("isCut"):
            # The page was too large for one answer: the rest follows in smaller pages.
            size = max(1, size // 2)
        elif len(answer["items"]) < size or start >= answer["total"]:
            return


def items_by_offset(
    read: Callable[..., Any], *, limit: int = _LARGEST_PAGE, offset: int = 0, **query: Any
) -> Iterator[Any]:
    """Reads a list of messages from `offset`."""
    while True:
        found = read(limit=limit, offset=offset, **query)
        yield from found
        offset += len(found)
        if len(found) < limit:
            return
