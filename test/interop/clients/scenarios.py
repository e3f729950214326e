"""The scenarios of `scenarios.ts` with the Python client: prints the result of one, or its error, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import httpx

from workspace_engagement_client import (
    Client,
    ProblemError,
    Retries,
    StreamError,
    WebhookError,
    etag_of,
    verify_webhook,
)


def create_member(client: Client, told: dict[str, Any]) -> Any:
    member = client.create_member({"name": told["texts"]["name"]})
    return {"id": member["id"], "name": member["name"]}


def create_member_with_wrong_fields(client: Client, told: dict[str, Any]) -> Any:
    wrong: Any = {"phone": 5550100, "colour": "blue"}
    return client.create_member(wrong)


def get_workspace(client: Client, told: dict[str, Any]) -> Any:
    return client.get_workspace()["uuid"]


def get_other_workspace(client: Client, told: dict[str, Any]) -> Any:
    return client.in_workspace(told["texts"]["otherWorkspaceUuid"]).get_workspace()["uuid"]


def list_members(client: Client, told: dict[str, Any]) -> Any:
    found = client.each(client.list_members, search=told["texts"]["search"], pageSize=2, sortBy="id")
    return [member["name"] for member in found]


def list_members_in_large_pages(client: Client, told: dict[str, Any]) -> Any:
    return [member["name"] for member in client.each(client.list_members)]


def list_messages(client: Client, told: dict[str, Any]) -> Any:
    found: Any = client.each(client.list_chat_messages, told["ids"]["chat"], limit=2)
    return [message["content"] for message in found]


def list_newest_message(client: Client, told: dict[str, Any]) -> Any:
    chat = told["ids"]["chat"]
    newest = client.list_chat_messages(chat, limit=1)
    page = client.list_chat_messages(chat, limit=1, total_count=True)
    return [newest[0]["content"], page["messages"][0]["content"], page["total"]]


def list_chats(client: Client, told: dict[str, Any]) -> Any:
    return client.list_chats(channel=["web-chat", "phone-sms"], paused=False, search="a&b=ü +")["total"]


def upsert_record(client: Client, told: dict[str, Any]) -> Any:
    return client.upsert_data_record(7, "a/b ü?", {"fieldValues": {}})


def signal_typing(client: Client, told: dict[str, Any]) -> Any:
    return client.signal_typing(told["ids"]["chat"])


def import_members(client: Client, told: dict[str, Any]) -> Any:
    return list(client.import_members(told["texts"]["csv"].encode(), blankCells="keep"))


def export_members(client: Client, told: dict[str, Any]) -> Any:
    return "".join(client.export_members(search=told["texts"]["search"]))


def follow_chat(client: Client, told: dict[str, Any]) -> Any:
    seen = []
    for event in client.follow_chat(told["ids"]["chat"]):
        if event["event"] != "message.created":
            continue
        seen.append(event["data"]["message"]["content"])
        if seen[-1] == told["texts"]["last"]:
            break
    return seen


def rename_chat_twice(client: Client, told: dict[str, Any]) -> Any:
    chat = client.get_chat(told["ids"]["chat"])
    client.update_chat(chat["id"], {"title": "Renamed"}, if_match=etag_of(chat))
    return client.update_chat(chat["id"], {"title": "Renamed"}, if_match=etag_of(chat))


def verify(client: Client, told: dict[str, Any]) -> Any:
    body = told["texts"]["body"].encode()
    return verify_webhook(told["texts"]["secret"], told["headers"], body)["id"]


scenarios = {
    "createMember": create_member,
    "createMemberWithWrongFields": create_member_with_wrong_fields,
    "getWorkspace": get_workspace,
    "getOtherWorkspace": get_other_workspace,
    "listMembers": list_members,
    "listMembersInLargePages": list_members_in_large_pages,
    "listMessages": list_messages,
    "listNewestMessage": list_newest_message,
    "listChats": list_chats,
    "upsertRecord": upsert_record,
    "signalTyping": signal_typing,
    "importMembers": import_members,
    "exportMembers": export_members,
    "followChat": follow_chat,
    "renameChatTwice": rename_chat_twice,
    "verifyWebhook": verify,
}


def main() -> None:
    name, told = sys.argv[1], json.loads(sys.argv[2])
    client = Client(
        told["baseUrl"],
        api_key=told.get("apiKey"),
        workspace_uuid=told.get("workspaceUuid"),
        retries=Retries(count=told.get("retries", 4)),
        timeout=told.get("timeoutMs", 60_000) / 1000,
    )
    result: Any
    try:
        result = scenarios[name](client, told)
    except ProblemError as problem:
        result = {
            "error": "ProblemError",
            "status": problem.status,
            "code": problem.code,
            "requestId": problem.request_id,
            "errors": problem.errors,
        }
    except StreamError as failure:
        result = {"error": "StreamError", "code": failure.code, "requestId": failure.request_id}
    except WebhookError:
        result = {"error": "WebhookError"}
    except httpx.TimeoutException:
        result = {"error": "TimeoutError"}
    except httpx.TransportError:
        result = {"error": "TypeError"}
    print(json.dumps(result))


main()
