"""The versions of what was read, for changes on condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class _Versioned(dict[str, Any]):
    """The content of an answer that has an ETag."""

    etag: str | None = None


def with_etag(response: httpx.Response) -> Any:
    """The content of an answer, for which `etag_of` knows its ETag."""
    content = response.json()
    if not isinstance(content, dict) or "ETag" not in response.headers:
        return content
    versioned = _Versioned(content)
    versioned.etag = response.headers["ETag"]
    return versioned


def etag_of(answer: Mapping[str, object]) -> str | None:
    """The ETag with which this was read, as `if_match` of its change: another change in between fails with 412."""
    return answer.etag if isinstance(answer, _Versioned) else None
