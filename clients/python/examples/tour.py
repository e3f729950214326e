"""The tour of the documentation (docs/tour.md), on the demo system that `npm start` has started:

PYTHONPATH=clients/python/src python3 clients/python/examples/tour.py
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
from typing_extensions import ParamSpec

from workspace_engagement_client import Client, ProblemError

P = ParamSpec("P")
Value = TypeVar("Value")

dev = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else ".data/dev.json").read_text())


def simulator(method: str, url: str, body: object = None) -> Any:
    """Asks a simulator, which stands in for a phone, a receiver or a mailbox."""
    response = httpx.request(method, url, json=body, timeout=30)
    response.raise_for_status()
    return response.json() if response.content else None


def until(ask: Callable[[], Value | None]) -> Value:
    """Asks again until there is an answer."""
    for _ in range(300):
        value = ask()
        if value is not None:
            return value
        time.sleep(0.1)
    raise TimeoutError("It did not happen within 30 seconds.")


def refused(call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> ProblemError:
    """The problem of a call that has to fail."""
    try:
        call(*args, **kwargs)
    except ProblemError as problem:
        return problem
    raise AssertionError("The call has not failed.")


def client_with(**credentials: Any) -> Client:
    return Client(dev["baseUrl"], workspace_uuid=dev["workspaceUuid"], **credentials)


client = client_with(api_key=dev["adminApiKey"])

# Ten calls
print("1. The workspace:", client.get_workspace()["name"])

workflow = client.list_workflows(search="intake")["items"][0]
print("2. The workflow:", workflow["name"])

phone = f"+15552{str(time.time_ns() // 1_000_000)[-6:]}"
member = client.create_member({"name": "Alex Sample", "phone": phone})
print("3. The member:", member["name"])

chat = client.create_chat({"channel": "phone-sms", "workflowId": workflow["id"], "memberId": member["id"]})
assignment_id = chat["assignmentId"]
assert assignment_id is not None
print("4. The chat:", chat["channel"])

for event in client.follow_chat(chat["id"]):
    messages: list[Any] = []
    # What was written before the stream began is not in it.
    if event["event"] == "chat.snapshot":
        messages = list(client.each(client.list_chat_messages, chat["id"]))
    if event["event"] == "message.created":
        messages = [event["data"]["message"]]
    if any("yes or no" in str(message["content"]) for message in messages):
        break
for message in client.each(client.list_chat_messages, chat["id"]):
    print(f"5. {message['role']}:", message["content"])

handset = f"{dev['carrierSimulator']}/simulator/handsets/{phone}/messages"
simulator("POST", handset, {"to": "+15550100100", "body": "Yes, now is fine"})
print("6. The member has answered.")

until(lambda: client.get_chat(chat["id"]).get("currentTaskName") == "Your details" or None)
print("7. The current task:", client.get_assignment_current_task_detail(assignment_id)["taskName"])

print("8. The values of conditions:", ", ".join(client.get_assignment_cel_context(assignment_id)))

root: Any = client.get_assignment(assignment_id).get("rootTask")
last = root["children"][0]["children"][-1]["id"]
jump = refused(client.select_assignment_task, assignment_id, last)
assert jump.code == "task_not_allowed"
print("9. The jump is refused:", jump)

cancelled = client.cancel_assignment(assignment_id, {"reason": "Only trying it out."})
print("10. The assignment:", cancelled["status"])

for assignment in client.each(
    client.list_assignments, memberId=member["id"], status="cancelled", sortBy="createdAt"
):
    print("Found the assignment:", assignment["outcomeReason"])

wrong: Any = {"phone": 5550100, "colour": "blue"}
invalid = refused(client.create_member, wrong)
print("Wrong fields:", ", ".join(sorted(error["pointer"] for error in invalid.errors)))

forbidden, missing = (
    refused(client_with(api_key=dev[key]).get_chat, chat["id"])
    for key in ("memberApiKey", "otherAdminApiKey")
)
print("Other keys:", forbidden.status, missing.status)


# Idempotency keys: the client makes one for each call; here the program that lost an answer repeats its call.
def say() -> object:
    message = "We are open until six."
    return client.send_assistant_message(
        chat["id"], {"message": message}, idempotency_key=f"message-{phone}"
    )


assert say() == say()
print("Sent once under one key.")

# Webhooks
name = f"tour-{phone[1:]}"
webhook_url = f"{dev['webhookSink']}/hooks/{name}"
rule = client.create_event_rule(
    {
        "name": "Changes of members",
        "eventType": "member:updated",
        "actionType": "webhook:send",
        "actionParams": {"webhookUrl": webhook_url},
    }
)
simulator("PUT", f"{webhook_url}/secret", {"secret": rule["actionParams"]["signingSecret"]})
client.test_event_rule(rule["id"])


def arrived() -> object:
    received = simulator("GET", f"{dev['webhookSink']}/deliveries?name={name}")
    return next((one for one in received if one["answered"] == "200"), None)


until(arrived)
print("The sample arrived.")

mishap = {"answer": "status", "status": 503, "chance": 1}
simulator("POST", f"{dev['webhookSink']}/knobs", {"name": name, "mishaps": [mishap]})
client.update_member(member["id"], {"name": "Alex Example"})
delivery = until(
    lambda: next(
        iter(client.list_webhook_deliveries(rule["id"], trigger="event", status="delivered")["items"]), None
    )
)
attempts = client.each(client.list_webhook_attempts, rule["id"], delivery["id"])
print("The attempts:", ", ".join(str(attempt["statusCode"]) for attempt in attempts))

client.redeliver_event(rule["id"], delivery["id"])
until(lambda: simulator("GET", f"{webhook_url}/summary")["came"] == 4 or None)
client.delete_event_rule(rule["id"])
print("Delivered again.")

# Signing in
simulator("DELETE", f"{dev['mailSimulator']}/messages")
person = client_with()
login = person.request_login_code({"email": dev["adminEmail"]})


def code() -> str | None:
    mails = simulator("GET", f"{dev['mailSimulator']}/messages?to={dev['adminEmail']}")
    codes = (re.match(r"\d{6}(?=.*sign-in code)", mail["subject"]) for mail in mails)
    return next((match.group() for match in codes if match), None)


person.begin_session({"loginCodeUuid": login["uuid"], "code": until(code)})
assert person.get_account()["email"] == dev["adminEmail"]
print("Signed in:", dev["adminEmail"])
person.sign_out()
assert not person.get_account()["loggedIn"]
print("Signed out.")

client.update_workspace({"allowedOrigins": ["https://app.example"]})
print("Allowed an origin.")
