"""An AI client in Python that knows nothing but the address: registers, signs in by OAuth, and calls tools. Its person is
the program that has started it: it is told where to consent by a line of JSON, and answers with a line, the address to
which the browser was sent back."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import mcp_types as types
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken


def tell(**told: Any) -> None:
    print(json.dumps(told), flush=True)


class Storage:
    """Keeps the registered client and its tokens in memory."""

    def __init__(self) -> None:
        self.client: OAuthClientInformationFull | None = None
        self.tokens: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def redirect(url: str) -> None:
    tell(asked=url)


async def come_back() -> AuthorizationCodeResult:
    location = await asyncio.to_thread(sys.stdin.readline)
    given = {name: values[0] for name, values in parse_qs(urlsplit(location.strip()).query).items()}
    return AuthorizationCodeResult(code=given["code"], state=given["state"], iss=given["iss"])


async def agree(_context: Any, params: Any) -> types.ElicitResult:
    tell(confirmed=params.message)
    return types.ElicitResult(action="accept", content={"confirm": True})


async def main(endpoint: str, mode: str) -> None:
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=["http://localhost:3030/callback"])
    auth = OAuthClientProvider(endpoint, metadata, Storage(), redirect, come_back)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        transport = streamable_http_client(endpoint, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=agree) as tools:
            listed = await tools.list_tools()
            members = await tools.call_tool("list_members", {"pageSize": 1})
            created = await tools.call_tool("create_member", {"name": "Ada", "idempotencyKey": "python"})
            member_id = created.structured_content["id"]
            # A legacy client cannot ask its person within a call, and is refused.
            deleted = await tools.call_tool("delete_member", {"member_id": member_id})
            tell(
                tools=[tool.name for tool in listed.tools],
                members=len(members.structured_content["items"]),
                created=created.structured_content["name"],
                deleted=not deleted.is_error,
            )


asyncio.run(main(sys.argv[1], sys.argv[2]))
