"""Verification of deliveries by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from .models import WebhookEvent


class WebhookError(Exception):
    """A request that is not a genuine, recent delivery: answer it with 401."""


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a delivery and returns its event; `event` tells which one.

    `body` has to be the body as it came, before it is parsed. Deliveries that are `tolerance` seconds old or older are refused, and so
    are those as far in the future.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    try:
        event_id = by_name["webhook-id"]
        timestamp = by_name["webhook-timestamp"]
        signatures = by_name["webhook-signature"]
    except KeyError as missing:
        raise WebhookError(f"The header {missing} is missing.") from None
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookError("The timestamp is invalid.")
    if abs((time.time() if now is None else now) - int(timestamp)) >= tolerance:
        raise WebhookError("The delivery is too old or too new.")

    signed = f"{event_id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)
    expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(expected, value.encode()):
            event: WebhookEvent = json.loads(body)
            return event
    raise WebhookError("No signature is valid.")


def _key(secret: str) -> bytes:
    """A secret that does not begin with `whsec_` is itself the key."""
    if secret == "":
        raise ValueError("The secret is empty.")
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("The secret is not base64 after whsec_.") from None
