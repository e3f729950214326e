"""Lines of an answer while it arrives."""

from __future__ import annotations

from collections.abc import Iterator

import httpx


def lines(response: httpx.Response) -> Iterator[str]:
    """Splits at line feeds only: other separators, at which `iter_lines` splits, may be in a text."""
    rest = b""
    for chunk in response.iter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode()
    if rest:
        yield rest.decode()
