"""The errors that the client raises."""

from __future__ import annotations

from typing import Any

import httpx


class ProblemError(Exception):
    """The service refused a request, or failed to answer it."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or f"The service answered with status {status}.")
        self.status = status
        #: Stable, for programs; `unexpected_answer` if the answer is no problem, for example that of a proxy.
        self.code: str = problem.get("code", "unexpected_answer")
        #: Also in the log of the service.
        self.request_id: str | None = problem.get("requestId")
        #: The invalid fields, each with a JSON pointer.
        self.errors: list[dict[str, str]] = problem.get("errors", [])


class StreamError(Exception):
    """An answer that came in lines failed after its first line."""

    def __init__(self, code: str, request_id: str) -> None:
        super().__init__(f"The answer ended with the error {code}.")
        self.code = code
        self.request_id = request_id


def problem_of(response: httpx.Response) -> ProblemError:
    """The error of an answer that is not 2xx, whose body was read."""
    try:
        body = response.json()
    except ValueError:
        body = None
    return ProblemError(response.status_code, body if isinstance(body, dict) else {})


def is_refusal(error: Exception) -> bool:
    """Whether the service refused a request in a way that another try would not change."""
    return isinstance(error, ProblemError) and error.status < 500 and error.status != 429
