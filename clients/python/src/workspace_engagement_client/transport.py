"""Sends the requests of the operations."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, Union
from urllib.parse import quote

import httpx
from typing_extensions import TypeAlias

from .etags import with_etag
from .events import blocks
from .lines import lines
from .problems import ProblemError, StreamError, is_refusal, problem_of
from .retries import Retries, backoff
from .session import Session

#: The content of a file to upload, or its name and its content.
Upload: TypeAlias = Union[bytes, BinaryIO, tuple[str, Union[bytes, BinaryIO]]]

#: The service sends something every 20 seconds; a stream that is silent for longer is dead.
_LONGEST_SILENCE = 60.0
_RECONNECT = 1.0


class Transport:
    """A connection to the service, with a credential and a workspace."""

    def __init__(
        self,
        http: httpx.Client,
        *,
        api_key: str | None,
        session: Session,
        workspace_uuid: str | None,
        retries: Retries,
    ) -> None:
        self._http = http
        self._api_key = api_key
        self.session = session
        self.workspace_uuid = workspace_uuid
        self._retries = retries

    def _send(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        file: Upload | None = None,
        fields: Mapping[str, Any] | None = None,
        keyed: bool = False,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> Any:
        """Returns the content of the answer; None if it has none."""
        headers = {}
        if keyed:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
        content = {"json": body} if file is None else {"files": _parts(file), "data": fields}
        request = self._request(method, path, values, query=query, headers=headers, **content)
        # The repetition of a change on condition would fail with the change itself.
        repeatable = keyed or (method != "POST" and if_match is None)
        with self._answered(request, repeatable=repeatable) as response:
            return with_etag(response) if response.content else None

    def _text(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> Iterator[str]:
        """Yields a text in pieces."""
        request = self._request(method, path, values, query=query, json=body)
        with self._answered(request, repeatable=method != "POST", streamed=True) as response:
            yield from response.iter_text()

    def _bytes(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        query: Mapping[str, Any] | None = None,
        if_match: str | None = None,
    ) -> Iterator[bytes]:
        """Yields a file in pieces."""
        headers = {} if if_match is None else {"If-Match": if_match}
        request = self._request(method, path, values, query=query, headers=headers)
        with self._answered(request, repeatable=True, streamed=True) as response:
            yield from response.iter_bytes()

    def _lines(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        file: Upload | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> Iterator[Any]:
        """Yields the lines of newline-delimited JSON."""
        files = None if file is None else _parts(file)
        request = self._request(method, path, values, query=query, json=body, files=files, data=fields)
        with self._answered(request, repeatable=method != "POST", streamed=True) as response:
            for line in lines(response):
                value = json.loads(line)
                if value["type"] == "error":
                    raise StreamError(value["code"], value["requestId"])
                yield value

    def _events(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        last_event_id: str | None = None,
    ) -> Iterator[Any]:
        """Yields server-sent events for as long as the caller iterates.

        A connection that ends is opened again after the last event. Raises ProblemError if the service refuses it, or
        the error of the last of several tries to open it.
        """
        reconnect = _RECONNECT
        failures = 0
        while True:
            headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
            request = self._request(method, path, values, headers=headers, read_timeout=_LONGEST_SILENCE)
            try:
                with self._answered(request, repeatable=True, streamed=True) as response:
                    failures = 0
                    for block in blocks(lines(response)):
                        last_event_id = last_event_id if block.id is None else block.id
                        reconnect = reconnect if block.retry is None else block.retry
                        if block.data is not None:
                            yield block.told()
            except (httpx.TransportError, ProblemError) as error:
                if is_refusal(error) or failures >= self._retries.count:
                    raise
                failures += 1
            time.sleep(max(reconnect, backoff(failures)) if failures else reconnect)

    def _request(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        read_timeout: float | None = None,
        **content: Any,
    ) -> httpx.Request:
        credential = (
            self.session.headers() if self._api_key is None else {"Authorization": f"Bearer {self._api_key}"}
        )
        request = self._http.build_request(
            method,
            f"/api/v2{self._filled(path, values)}",
            params={name: value for name, value in (query or {}).items() if value is not None},
            headers={**credential, **(headers or {})},
            **content,
        )
        if read_timeout is not None:
            request.extensions["timeout"] = {**request.extensions["timeout"], "read": read_timeout}
        return request

    def _filled(self, path: str, values: Mapping[str, object]) -> str:
        """Puts the parameters into the path."""
        known: dict[str, object] = dict(values)
        if "{workspace_uuid}" in path:
            if self.workspace_uuid is None:
                raise TypeError("workspace_uuid is required.")
            known["workspace_uuid"] = self.workspace_uuid
        return path.format_map({name: quote(str(value), safe="") for name, value in known.items()})

    @contextmanager
    def _answered(
        self, request: httpx.Request, *, repeatable: bool, streamed: bool = False
    ) -> Iterator[httpx.Response]:
        """Sends a request until it is answered with something that another try would not change.

        Raises ProblemError unless the answer is 2xx.
        """
        response = self._try(request, repeatable, streamed)
        try:
            if self._api_key is None:
                self.session.read(response)
            if not response.is_success:
                response.read()
                raise problem_of(response)
            yield response
        finally:
            response.close()

    def _try(self, request: httpx.Request, repeatable: bool, streamed: bool) -> httpx.Response:
        attempt = 0
        while True:
            try:
                response = self._http.send(request, stream=True)
                if not streamed:
                    # A connection that is lost in the middle of a body is tried again as well.
                    response.read()
            except httpx.TransportError:
                if attempt >= self._retries.count or not repeatable:
                    raise
                delay: float | None = backoff(attempt)
            else:
                delay = self._retries.delay_after(response, attempt, repeatable)
                if delay is None:
                    return response
                response.close()
            time.sleep(delay or 0)
            attempt += 1


def _parts(file: Upload) -> dict[str, tuple[str, bytes]]:
    """The part of a form with a file. It is in memory as a whole, so that the request can be repeated."""
    name, content = file if isinstance(file, tuple) else (getattr(file, "name", "file"), file)
    return {"file": (os.path.basename(str(name)), content if isinstance(content, bytes) else content.read())}
