"""Client of the Workspace Engagement Service."""

from . import models
from .client import Client
from .etags import etag_of
from .problems import ProblemError, StreamError
from .retries import Retries
from .session import Session
from .webhooks import WebhookError, verify_webhook

__all__ = [
    "Client",
    "ProblemError",
    "Retries",
    "Session",
    "StreamError",
    "WebhookError",
    "etag_of",
    "models",
    "verify_webhook",
]
