"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass
class Block:
    """The fields of one event, or of a notice without data."""

    id: str | None = None
    event: str = "message"
    data: str | None = None
    retry: float | None = None

    def told(self) -> dict[str, Any]:
        """The event as the API document describes it."""
        named = {"event": self.event, "data": json.loads(self.data or "null")}
        return named if self.id is None else {"id": self.id, **named}


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Reads the fields up to each empty line. An unfinished block at the end is dropped."""
    block = Block()
    for line in lines:
        if line == "":
            yield block
            block = Block()
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            block.data = value if block.data is None else f"{block.data}\n{value}"
        elif name == "id":
            block.id = value
        elif name == "event":
            block.event = value
        elif name == "retry" and value.isdigit():
            block.retry = int(value) / 1000
