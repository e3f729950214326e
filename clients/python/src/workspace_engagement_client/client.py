"""The client of the Workspace Engagement Service."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, overload

import httpx
from typing_extensions import ParamSpec, Self

from .operations import PAGED_BY_OFFSET, Operations
from .paging import Page, items_by_offset, items_of_pages
from .retries import Retries
from .session import Session

P = ParamSpec("P")
Item = TypeVar("Item")


class Client(Operations):
    """Calls the operations of the service: a method for each operation of the API document."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        session_token: str | None = None,
        workspace_uuid: str | None = None,
        retries: Retries = Retries(),
        timeout: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        """`base_url` is the address of the service, with or without `/api/v2`.

        Without an `api_key`, the client uses the session that `begin_session` begins, or `session_token`, which is
        `session.token` of an earlier one.
        """
        super().__init__(
            http or httpx.Client(base_url=re.sub(r"/?(api/v2/?)?$", "", base_url), timeout=timeout),
            api_key=api_key,
            session=Session(session_token),
            workspace_uuid=workspace_uuid,
            retries=retries,
        )

    @overload
    def each(
        self, operation: Callable[P, Page[Item]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[Item]: ...

    @overload
    def each(
        self, operation: Callable[P, list[Item] | Mapping[str, object]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[Item]: ...

    def each(self, operation: Callable[..., Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Reads all items of a list, page by page: `for member in client.each(client.list_members)`."""
        by_offset = getattr(operation, "__name__", "") in PAGED_BY_OFFSET
        items = items_by_offset if by_offset else items_of_pages
        return items(lambda **query: operation(*args, **query), **kwargs)

    def in_workspace(self, workspace_uuid: str) -> Self:
        """The same client for another workspace."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, workspace_uuid=workspace_uuid)
        return other

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
