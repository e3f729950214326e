"""A receiver of webhooks: checks who sent them and when, takes each event once, and answers at once.

    WEBHOOK_SECRET=whsec_... PORT=8080 python3 docs/webhook-receiver/receiver.py

WEBHOOK_VERIFY=library has the signature checked by the package standardwebhooks instead of by hand. Use either: both
signatures are of the same bytes.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What is older has perhaps been recorded and sent again by somebody else.
TOLERANCE_SECONDS = 5 * 60
LONGEST_BODY = 16 * 1024 * 1024

Verify = Callable[[str, Mapping[str, str], bytes], bool]


def verify_by_hand(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """X-Webhook-Signature: t=<unix seconds>,v1=<hex>, with one v1 for each secret that is valid now."""
    parts = [part.partition("=") for part in headers.get("X-Webhook-Signature", "").split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    if not is_fresh(timestamp):
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # Takes as long for any two of a length: how much of a guess is right cannot be measured.
    return any(name == "v1" and hmac.compare_digest(expected.encode(), value.encode()) for name, _, value in parts)


def verify_with_library(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """The same by Standard Webhooks' own package."""
    from standardwebhooks.webhooks import Webhook, WebhookVerificationError

    if not is_fresh(headers.get("webhook-timestamp", "")):
        return False
    try:
        Webhook(secret if secret.startswith("whsec_") else secret.encode()).verify(body, dict(headers.items()))
        return True
    except (WebhookVerificationError, ValueError):
        return False


def is_fresh(timestamp: str) -> bool:
    """Clocks differ: what comes from the future is refused as well, beyond the same five minutes."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    return abs(time.time() - int(timestamp)) < TOLERANCE_SECONDS


def receiver(
    secret: str, on_event: Callable[[dict], None], verify: Verify, port: int = 8080
) -> ThreadingHTTPServer:
    """on_event puts an event where it is kept until somebody has the time to act on it, such as a queue. Only then is
    the delivery answered: what takes long, and what may fail, comes later."""
    # Of a service with several processes this is a unique column of its database, written together with the event.
    taken: set[str] = set()
    one_at_a_time = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Who sends nothing for so long is not waited for.
        timeout = 30

        def do_POST(self) -> None:
            try:
                status = self.receive()
            except Exception:
                # It will be sent again.
                self.close_connection = True
                status = 500
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def receive(self) -> int:
            length = self.headers.get("Content-Length", "")
            if not re.fullmatch(r"[0-9]{1,12}", length) or int(length) > LONGEST_BODY:
                # What follows may be anything: it is not read as another request.
                self.close_connection = True
                return 413
            # The bytes as they came: parsed and written again, they would no longer be those that were signed.
            body = self.rfile.read(int(length))
            if not verify(secret, self.headers, body):
                return 401
            # Signed, so it is ours, and JSON.
            event = json.loads(body)
            with one_at_a_time:
                if event["id"] not in taken:
                    on_event(event)
                    taken.add(event["id"])
            return 200

        def log_message(self, *_: object) -> None:
            """Says nothing: the address of a request may hold a token."""

    class Server(ThreadingHTTPServer):
        # Five by default: more who come at once would be kept waiting for seconds.
        request_queue_size = 128

    return Server(("127.0.0.1", port), Handler)


def main() -> None:
    def keep(event: dict) -> None:
        print(json.dumps({"event": event["event"], "id": event["id"]}), flush=True)

    library = os.environ.get("WEBHOOK_VERIFY") == "library"
    secret = os.environ.get("WEBHOOK_SECRET") or sys.exit("WEBHOOK_SECRET is not set.")
    verify = verify_with_library if library else verify_by_hand
    server = receiver(secret, keep, verify, int(os.environ.get("PORT", "8080")))
    print(json.dumps({"listening": {"port": server.server_port}}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
