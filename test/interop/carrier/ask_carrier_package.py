"""What the carrier's Python package says of signatures and of answers with instructions.

Reads a JSON object from the standard input and writes one to the standard output:
{"token", "sign": [{"url", "params"}], "check": [{"url", "params", "signature"}], "answers": ["<Response>…"]}
→ {"signatures": [text], "accepted": [bool], "rebuilt": [text], "canonical": [text]}
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

from twilio.request_validator import RequestValidator
from twilio.twiml.voice_response import VoiceResponse


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def rebuild(parent, element):
    """Calls the package's method for a verb or noun: it has no parser, and refuses what the carrier does not know."""
    for child in element:
        method = getattr(parent, snake(child.tag))
        attributes = {
            "from_" if name == "from" else snake(name): value
            for name, value in child.attrib.items()
        }
        known = method.__code__.co_varnames
        unknown = [name for name in attributes if name not in known]
        if unknown:
            raise ValueError(f"<{child.tag}> has no {unknown}")
        text = (child.text or "").strip()
        positional = [text] if text else []
        rebuild(method(*positional, **attributes), child)


def rebuilt(answer):
    response = VoiceResponse()
    rebuild(response, ElementTree.fromstring(answer))
    return ElementTree.canonicalize(str(response))


asked = json.load(sys.stdin)
validator = RequestValidator(asked["token"])
json.dump(
    {
        "signatures": [
            validator.compute_signature(one["url"], one["params"]) for one in asked["sign"]
        ],
        "accepted": [
            validator.validate(one["url"], one["params"], one["signature"]) for one in asked["check"]
        ],
        "rebuilt": [rebuilt(answer) for answer in asked["answers"]],
        "canonical": [ElementTree.canonicalize(answer) for answer in asked["answers"]],
    },
    sys.stdout,
)
