"""The session of a person who signed in with a code."""

from __future__ import annotations

from http.cookies import SimpleCookie

import httpx

_COOKIE = "__Host-wes_session"


class Session:
    """Keeps the session that `begin_session` begins."""

    def __init__(self, token: str | None = None) -> None:
        #: Store it to continue the session in another process.
        self.token = token

    def headers(self) -> dict[str, str]:
        """The headers of a request with this session."""
        if self.token is None:
            return {}
        # Writes with a cookie have to say that they do not come from a page of another site.
        return {"Cookie": f"{_COOKIE}={self.token}", "Sec-Fetch-Site": "same-origin"}

    def read(self, response: httpx.Response) -> None:
        """Takes or drops the cookie that an answer sets."""
        for header in response.headers.get_list("Set-Cookie"):
            cookie = SimpleCookie(header).get(_COOKIE)
            if cookie is not None:
                self.token = cookie.value or None
