"""How often and how long a request is tried."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

_FIRST_DELAY = 0.25
_LONGEST_DELAY = 8.0


@dataclass(frozen=True)
class Retries:
    """The limits of repetitions, in seconds."""

    #: Repetitions after the first try; 0 for none.
    count: int = 4
    #: The longest `Retry-After` that is waited for.
    longest_wait: float = 60.0

    def delay_after(self, response: httpx.Response, attempt: int, repeatable: bool) -> float | None:
        """The delay before the next try, or None if the answer is final."""
        if attempt >= self.count:
            return None
        status = response.status_code
        told = _retry_after(response)
        # The first request with this idempotency key is still in progress.
        in_progress = status == 409 and told is not None
        failed = status in (502, 503, 504) or in_progress or (status == 500 and told is not None)
        # What the limit refuses is never carried out.
        if status != 429 and not (repeatable and failed):
            return None
        delay = backoff(attempt) if told is None else told + backoff(0)
        return delay if delay <= self.longest_wait else None


def backoff(attempt: int) -> float:
    """Grows with each attempt, and is spread so that clients that failed together do not return together."""
    return min(_FIRST_DELAY * 2.0**attempt, _LONGEST_DELAY) * random.uniform(0.5, 1)


def _retry_after(response: httpx.Response) -> float | None:
    """`Retry-After`, in seconds or as a date."""
    value = response.headers.get("Retry-After", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
